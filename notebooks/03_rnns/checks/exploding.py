from helpers.checks import difference, graded


@graded("exploding", points=6)
def score(check):
    import math

    import numpy as np
    import torch

    no_slope = "the factor 1 - h^2 of the tanh is missing"
    rows = "1 - h_t^2 scales the columns of W_h: here it scaled the rows"
    frobenius = "this is the Frobenius norm: the largest singular value is asked"
    forwards = "the product begins at the last step and goes back: here it began at the first"
    powers = "the norms of the single Jacobians were multiplied: multiply the matrices, then take the norm"
    one_by_one = "each gradient was clipped by its own norm: one norm, and one factor, for all"
    always = "the norm is below the limit: nothing is scaled"
    values = "the numbers were cut off at the limit: scale all by one factor"
    squared = "the root is missing: this is the squared norm"
    sums = "the norms of the tensors were added: take the root of the sum of their squares"
    largest = "the largest norm of a tensor was taken: take the root of the sum of all squares"
    right = "the new Jacobian goes to the left of the product: here it went to the right"
    transposed = "W_h was transposed: with row vectors J_t = W_h diag(1 - h^2)"
    inverted = "the factor is turned round: the limit is divided by the norm"

    states = np.array([[0.5, -0.2], [0.1, 0.9], [-0.6, 0.3]])
    W = np.array([[0.9, -0.4], [1.2, 0.7]])
    check(jacobian_norms, states, W).equals([1.0, 1.03387, 1.0335], rtol=1e-3, near={no_slope: [1.0, 1.5437, 1.9509],
        rows: [1.0, 1.3258, 0.48769], frobenius: [1.4142, 1.2082, 1.0417], forwards: [1.0, 1.1885, 1.1844],
        powers: [1.0, 1.0339, 1.5366], right: [1, 1.03387, 1.44346], transposed: [1, 1.32582, 1.27897],
        "entry 0 is the identity with norm 1: here it already holds a Jacobian": [1.03387, 1.0335, 1.09899]})
    two = [torch.tensor([2.0]), torch.tensor([[1.0, -2.0]])]
    as_it_was = "nothing was scaled, though the norm is above the limit"
    larger = "the larger of 1 and limit / norm was taken: take the smaller"
    numbers = "the absolute numbers were added: the norm is the root of the sum of squares"
    one_number = "the largest absolute number was taken for the norm"
    check(clip_by_norm, two, 1.5).equals(([[1.0], [[0.5, -1.0]]], 3.0),
        near={one_by_one: ([[1.5], [[0.67082, -1.341641]]], 3.0), values: ([[1.5], [[1.0, -1.5]]], 3.0),
        squared: ([[0.333333], [[0.166667, -0.333333]]], 9.0), sums: ([[0.708204], [[0.354102, -0.708204]]], 4.236068),
        largest: ([[1.341641], [[0.67082, -1.341641]]], 2.236068), inverted: ([[4.0], [[2.0, -4.0]]], 3.0),
        numbers: ([[0.6], [[0.3, -0.6]]], 5.0), one_number: ([[1.5], [[0.75, -1.5]]], 2.0),
        larger: ([[2.0], [[1.0, -2.0]]], 3.0), as_it_was: ([[2.0], [[1.0, -2.0]]], 3.0)})
    check(clip_by_norm, two, 6.0).equals(([[2.0], [[1.0, -2.0]]], 3.0), about="below the limit",
        near={always: ([[4.0], [[2.0, -4.0]]], 3.0), larger: ([[4.0], [[2.0, -4.0]]], 3.0),
        squared: ([[1.333333], [[0.666667, -1.333333]]], 9.0), sums: ([[2.0], [[1.0, -2.0]]], 4.236068),
        largest: ([[2.0], [[1.0, -2.0]]], 2.236068), numbers: ([[2.0], [[1.0, -2.0]]], 5.0),
        one_number: ([[2.0], [[1.0, -2.0]]], 2.0)})


score
