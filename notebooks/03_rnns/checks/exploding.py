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
    inverted = "the factor is turned round: the limit is divided by the norm"

    states = np.array([[0.5, -0.2], [0.1, 0.9], [-0.6, 0.3]])
    W = np.array([[0.9, -0.4], [1.2, 0.7]])
    check(jacobian_norms, states, W).equals([1.0, 1.03387, 1.0335], rtol=1e-3, near={no_slope: [1.0, 1.5437, 1.9509],
        rows: [1.0, 1.3258, 0.48769], frobenius: [1.4142, 1.2082, 1.0417], forwards: [1.0, 1.1885, 1.1844],
        powers: [1.0, 1.0339, 1.5366],
        "entry 0 is the identity with norm 1: here it already holds a Jacobian": [1.03387, 1.0335, 1.09899]})
    three = [torch.tensor([3.0]), torch.tensor([[0.0, 4.0]])]
    alone = "each gradient, or each number, was clipped on its own: one norm, and one factor, for all"
    check(clip_by_norm, three, 1.0).equals(([[0.6], [[0.0, 0.8]]], 5.0),
        near={alone: ([[1.0], [[0.0, 1.0]]], 5.0),
        squared: ([[0.12], [[0.0, 0.16]]], 25.0), sums: ([[0.428571], [[0.0, 0.571429]]], 7.0),
        largest: ([[0.75], [[0.0, 1.0]]], 4.0), inverted: ([[15.0], [[0.0, 20.0]]], 5.0)})
    check(clip_by_norm, three, 10.0).equals(([[3.0], [[0.0, 4.0]]], 5.0), about="below the limit",
        near={always: ([[6.0], [[0.0, 8.0]]], 5.0), squared: ([[1.2], [[0.0, 1.6]]], 25.0),
        sums: ([[3.0], [[0.0, 4.0]]], 7.0), largest: ([[3.0], [[0.0, 4.0]]], 4.0)})


score
