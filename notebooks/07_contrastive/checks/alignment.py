from helpers.checks import graded


@graded("alignment", points=6)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the vectors were not brought to length 1": {
            1: 13.5,
            2: -11.0986,
        },
        "the distances are to be squared": {
            1: 1.15432,
            2: -1.77486,
        },
        "the mean is over the pairs, not over all numbers: sum the squares of a pair first": {
            1: 0.7,
        },
        "the mean over the pairs is missing": {
            1: 2.8,
        },
        "this is a similarity: the squared distance is asked": {
            1: 0.3,
        },
        "this is 1 minus the cosine: the squared distance is twice that": {
            1: 0.7,
        },
        "only the first argument was brought to length 1": {
            1: 15.0,
        },
        "only the second argument was brought to length 1": {
            1: 2.3,
        },
        "the columns were brought to length 1: a vector is a row": {
            1: 1.29289,
            2: -1.38585,
        },
        "the differences were summed, then squared: square each, then sum": {
            1: 0.08,
        },
        "the mean was taken before the square": {
            1: 1.33246,
        },
        "all rows were compared with all: only the pairs count": {
            1: 0.8,
        },
        "one distance for each pair came: their mean is asked": {
            1: [2.0, 0.8],
        },
        "the sum of the absolute differences was taken": {
            1: 1.6,
        },
        "a minus stands in front: smaller is better": {
            1: -1.4,
            2: 1.49978,
        },
        "the root was taken at the end: the squares are asked": {
            1: 1.18322,
        },
        "this is the length of all differences together: the mean of the squared distances is asked": {
            1: 1.67332,
        },
        "this is 2 minus the cosine: the squared distance is 2 minus twice the cosine": {
            1: 1.7,
        },
        "the difference was brought to length 1: bring both vectors to length 1, then subtract": {
            1: 1.0,
        },
        "the distance of a vector to itself was counted": {
            2: -0.729562,
        },
        "the logarithm is missing": {
            2: 0.22318,
        },
        "the logarithm comes after the mean": {
            2: -2.13333,
        },
        "the factor 2 in the exponent is missing": {
            2: -0.871489,
        },
        "a minus is missing in the exponent": {
            2: 3.02491,
        },
        "each pair was counted twice: i < j counts it once": {
            2: -0.806628,
        },
        "the 2 was squared, too: it stands in front of the square": {
            2: -2.51333,
        },
        "only neighbouring rows were compared: all pairs are asked": {
            2: -1.45319,
        },
        "the mean is missing: this is the logarithm of the sum": {
            2: -0.401163,
        },
        "divided by N(N - 1): with i < j there are half as many pairs": {
            2: -2.19292,
        },
        "the logarithm has another base: the natural one is asked": {
            2: -2.16372,
        },
        "divided by N squared: the pairs are N(N - 1) / 2": {
            2: -1.90524,
        },
        "the pairs i < j were summed, but the mean is over all N squared places": {
            2: -2.59839,
        },
        "distances that were set to 0 (as triu does) count, since exp(0) is 1": {
            2: 0.798939,
        },
        "distances that were set to 0 (as triu does) count in the mean, since exp(0) is 1": {
            2: -0.299673,
        },
        "the diagonal is in the sum (triu keeps it, but for diagonal=1), and not in the number of pairs": {
            2: 0.201454,
        },
        "the cosine stands in the exponent: the squared distance is asked": {
            2: -0.691089,
        },
    })
    a, b = torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[0.0, 3.0], [4.0, 3.0]])
    check(alignment, a, b).equals(1.4, rtol=1e-4)
    v = torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]])
    check(uniformity, v).equals(-1.499775, rtol=1e-4)
    lost = {
        "no gradient flows to one of the inputs: is something detached?": RuntimeError,
        "a number came: a tensor is asked, no detach, no item": AttributeError,
    }
    check(slopes, alignment, a, b).equals(
        [[[0.0, -1.0], [-0.4, 0.0]], [[-1 / 3, 0.0], [0.096, -0.128]]],
        about="gradients", rtol=1e-3, atol=1e-6, near=lost)
    check(slopes, uniformity, v).equals(
        [[[0.0, 1.0743649], [0.8600309, 0.0], [-0.1033115, 0.0774837]]],
        about="gradients", rtol=1e-3, atol=1e-6, near=lost)


score
