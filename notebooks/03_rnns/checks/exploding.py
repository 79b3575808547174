from helpers.checks import difference, graded


@graded("exploding", points=6)
def score(check):
    import math

    import numpy as np
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the factor 1 - h^2 of the tanh is missing": {
            1: [1.0, 1.54368, 1.95094],
        },
        "1 - h_t^2 scales the columns of W_h: here it scaled the rows": {
            1: [1.0, 1.32582, 0.487692],
        },
        "W_h was transposed: with row vectors J_t = W_h diag(1 - h^2)": {
            1: [1.0, 1.32582, 1.27897],
        },
        "this is the Frobenius norm: the largest singular value is asked for": {
            1: [1.41421, 1.20825, 1.04173],
        },
        "the product begins at the last step and goes back: here it began at the first": {
            1: [1.0, 1.18847, 1.18439],
        },
        "the norms of the single Jacobians were multiplied: multiply the matrices, then take the norm": {
            1: [1.0, 1.03387, 1.53659],
        },
        "the new Jacobian goes to the left of the product: here it went to the right": {
            1: [1.0, 1.03387, 1.44346],
        },
        "the derivative of tanh is 1 - h^2: here the square is missing": {
            1: [1.0, 2.41093, 2.04227],
        },
        "the slope was taken at tanh(h): h is already the tanh": {
            1: [1.0, 1.12841, 1.18933],
        },
        "this is the largest absolute eigenvalue: the largest singular value is asked for": {
            1: [1.0, 0.80403, 0.367391],
        },
        "the smallest singular value was taken: the largest is asked for": {
            1: [1.0, 0.625288, 0.1306],
        },
        "this is the largest sum of a row: the largest singular value is asked for": {
            1: [1.0, 1.405, 1.13414],
        },
        "this is the largest sum of a column: the largest singular value is asked for": {
            1: [1.0, 1.344, 1.24128],
        },
        "entry 0 is the identity with norm 1: here it already holds a Jacobian": {
            1: [1.03387, 1.03351, 1.09899],
        },
        "the first Jacobian is that of h_T: here the product began with that of h_(T-1)": {
            1: [1.0, 1.48626, 1.60686],
        },
        "the result has an entry for k = 0 to T - 1: here is one for k = T, too": {
            1: [1.0, 1.03387, 1.03351, 1.09899],
        },
        "the result begins at the last state, and goes back: here it began at h_1": {
            1: [1.0, 1.18847, 1.60686],
        },
        "the distance grows with the index: the result is reversed": {
            1: [1.03351, 1.03387, 1.0],
        },
        "entry k is the norm of a product of k Jacobians: the norm of one Jacobian was put there": {
            1: [1.0, 1.03387, 1.48626],
        },
        "each gradient was clipped by its own norm: one norm, and one factor, for all": {
            2: ([[1.5], [[0.67082, -1.34164]]], 3.0),
        },
        "the numbers were cut off at the limit: scale all by one factor": {
            2: ([[1.5], [[1.0, -1.5]]], 3.0),
        },
        "the root is missing: this is the squared norm": {
            2: ([[0.333333], [[0.166667, -0.333333]]], 9.0),
            3: ([[1.33333], [[0.666667, -1.33333]]], 9.0),
            4: ([[2.0], [[1.0, -2.0]]], 9.0),
        },
        "the norms of the tensors were added: take the root of the sum of their squares": {
            2: ([[0.708204], [[0.354102, -0.708204]]], 4.23607),
            3: ([[2.0], [[1.0, -2.0]]], 4.23607),
            4: ([[2.0], [[1.0, -2.0]]], 4.23607),
        },
        "the norm that comes back is the one before clipping": {
            2: ([[1.0], [[0.5, -1.0]]], 1.5),
        },
        "the gradients were divided by their norm and not multiplied by the limit": {
            2: ([[0.666667], [[0.333333, -0.666667]]], 3.0),
        },
        "the factor is inverted: the limit is divided by the norm": {
            2: ([[4.0], [[2.0, -4.0]]], 3.0),
        },
        "the largest norm of a tensor was taken: take the root of the sum of all squares": {
            2: ([[1.34164], [[0.67082, -1.34164]]], 2.23607),
            3: ([[2.0], [[1.0, -2.0]]], 2.23607),
            4: ([[2.0], [[1.0, -2.0]]], 2.23607),
        },
        "the squares of each tensor were averaged: take the root of the sum of all squares": {
            2: ([[1.1767], [[0.588348, -1.1767]]], 2.54951),
            3: ([[2.0], [[1.0, -2.0]]], 2.54951),
            4: ([[2.0], [[1.0, -2.0]]], 2.54951),
        },
        "all squares were averaged: take the root of their sum": {
            2: ([[1.73205], [[0.866025, -1.73205]]], 1.73205),
            3: ([[2.0], [[1.0, -2.0]]], 1.73205),
            4: ([[2.0], [[1.0, -2.0]]], 1.73205),
        },
        "the larger of 1 and limit / norm was taken: take the smaller": {
            2: ([[2.0], [[1.0, -2.0]]], 3.0),
            3: ([[4.0], [[2.0, -4.0]]], 3.0),
            4: ([[float("inf")], [[float("inf"), float("-inf")]]], 3.0),
        },
        "the tensors keep their shapes: here they came back as single rows": {
            2: ([[1.0], [0.5, -1.0]], 3.0),
            3: ([[2.0], [1.0, -2.0]], 3.0),
            4: ([[2.0], [1.0, -2.0]], 3.0),
        },
        "the largest absolute number was taken for the norm": {
            2: ([[1.5], [[0.75, -1.5]]], 2.0),
            3: ([[2.0], [[1.0, -2.0]]], 2.0),
            4: ([[2.0], [[1.0, -2.0]]], 2.0),
        },
        "the absolute numbers were added: the norm is the root of the sum of squares": {
            2: ([[0.6], [[0.3, -0.6]]], 5.0),
            3: ([[2.0], [[1.0, -2.0]]], 5.0),
            4: ([[2.0], [[1.0, -2.0]]], 5.0),
        },
        "nothing was scaled, though the norm is above the limit": {
            2: ([[2.0], [[1.0, -2.0]]], 3.0),
        },
        "the norm is asked for, too: return the list and the norm": {
            2: [[1.0], [[0.5, -1.0]]],
            3: [[2.0], [[1.0, -2.0]]],
            4: [[2.0], [[1.0, -2.0]]],
        },
        "the norm comes after the list": {
            2: (3.0, [[1.0], [[0.5, -1.0]]]),
            3: (3.0, [[2.0], [[1.0, -2.0]]]),
            4: (3.0, [[2.0], [[1.0, -2.0]]]),
        },
        "the norm is below the limit: nothing is scaled": {
            3: ([[4.0], [[2.0, -4.0]]], 3.0),
            4: ([[float("inf")], [[float("inf"), float("-inf")]]], 3.0),
        },
    })
    states = np.array([[0.5, -0.2], [0.1, 0.9], [-0.6, 0.3]])
    W = np.array([[0.9, -0.4], [1.2, 0.7]])
    check(jacobian_norms, states, W).equals([1.0, 1.03387, 1.0335], rtol=1e-3)
    two = [torch.tensor([2.0]), torch.tensor([[1.0, -2.0]])]
    check(clip_by_norm, two, 1.5).equals(([[1.0], [[0.5, -1.0]]], 3.0))
    check(clip_by_norm, two, 6.0).equals(([[2.0], [[1.0, -2.0]]], 3.0), about="below the limit")
    check(clip_by_norm, two, math.inf).equals(
        ([[2.0], [[1.0, -2.0]]], 3.0), about="no limit", edge=True,
        near={"infinity divided by infinity is NaN": ([[math.nan], [[math.nan, math.nan]]], 3.0)},
    )
    check(clip_by_norm, [torch.zeros(2)], 1.5).equals(
        ([[0.0, 0.0]], 0.0), about="gradients of 0", edge=True,
        near={"the norm may be 0: do not divide by it": ZeroDivisionError,
              "the norm may be 0: do not divide by it (NaN came)": ([[math.nan, math.nan]], 0.0)},
    )


score
