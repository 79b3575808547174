from helpers.checks import graded


@graded("alignment", points=6)
def score(check):
    import torch

    by_squares = "divided by N squared: the pairs are N(N - 1) / 2"
    no_norm = "the vectors were not brought to length 1"
    one_side = "only the first argument was brought to length 1"
    columns = "the columns were brought to length 1: a vector is a row"
    no_square = "the distances are to be squared"
    over_all = "the mean is over the pairs, not over all numbers: sum the squares of a pair first"
    summed = "the mean over the pairs is missing"
    one_minus = "this is 1 minus the cosine: the squared distance is twice that"
    cosine = "this is a similarity: the squared distance is asked"
    a, b = torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[0.0, 3.0], [4.0, 3.0]])
    check(alignment, a, b).equals(1.4, rtol=1e-4, near={
        no_norm: 13.5, no_square: 1.154321, over_all: 0.7, one_minus: 0.7, summed: 2.8, cosine: 0.3, columns: 1.292893,
        one_side: 15.0, "only the second argument was brought to length 1": 2.3,
    })
    with_self = "the distance of a vector to itself was counted"
    each_twice = "each pair was counted twice: i < j counts it once"
    no_log = "the logarithm is missing"
    inside = "the logarithm comes after the mean"
    no_two = "the factor 2 in the exponent is missing"
    v = torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]])
    check(uniformity, v).equals(-1.499775, rtol=1e-4, near={
        no_norm: -11.09861, no_square: -1.77486, with_self: -0.7295617, no_log: 0.2231804,
        inside: -2.133333, no_two: -0.8714892, each_twice: -0.8066278, by_squares: -1.90524,
    })


score
