from helpers.checks import graded


@graded("clip-loss", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "only the rows were asked: the columns are questions, too": {
            1: 0.180924,
        },
        "only the columns were asked": {
            1: 0.659988,
        },
        "this is the sum of both directions, or of all pairs: their mean is asked": {
            1: 0.840913,
        },
        "the vectors are not brought to length 1": {
            1: 13.75,
            2: 18.5248,
        },
        "log_scale is a logarithm: the factor is exp(log_scale)": {
            1: 0.479255,
            2: 1.99227,
        },
        "the cosines are multiplied by the factor, not divided": {
            1: 0.654945,
            2: 2.94951,
        },
        "the factor is missing": {
            1: 0.536757,
            2: 2.38372,
        },
        "the exponential was taken twice": {
            1: 5.0,
        },
        "cross_entropy takes the softmax itself: here it is taken twice": {
            1: 0.52394,
        },
        "the factor is e to the log_scale, not 2": {
            1: 0.418217,
            2: 1.30416,
        },
        "the factor is e to the log_scale, not 10": {
            1: 2.03441,
            2: 14.7984,
        },
        "100 is the most that the factor can be, not the least": {
            1: 5.0,
        },
        "the vectors are divided by their squared length: length 1 is asked": {
            1: 0.307509,
        },
        "the pictures alone were divided by their squared length: length 1 is asked": {
            1: 0.228704,
        },
        "these are distances: cosines are asked": {
            1: 0.415697,
        },
        "the right caption of picture i is caption i: the diagonal": {
            1: 2.42046,
        },
        "only the captions are brought to length 1": {
            1: 1.29557,
        },
        "the columns' loss is that of the rows once more: transpose the table": {
            1: 0.180924,
        },
        "only one of both sides is brought to length 1": {
            1: 5.00336,
        },
        "the vectors are normalised down the columns: length 1 is along the last axis": {
            1: 1.13809,
            2: 2.05714,
        },
        "a softmax underflows for large scores: cross_entropy or logsumexp does not": {
            1: float("inf"),
        },
        "the sum is divided by N, not by the number of cells": {
            2: 0.545481,
        },
        "this is the sum over all cells: divide it by N": {
            2: 2.18192,
        },
        "the bias is missing": {
            2: 2.3833,
        },
        "the bias is added to the scores, not subtracted": {
            2: 5.02615,
        },
        "only the pairs themselves count here: the other cells say no": {
            2: 0.410038,
        },
        "all cells were asked for a yes: off the diagonal the sign is -1": {
            2: 2.09096,
        },
        "the signs are turned round: yes is on the diagonal": {
            2: 3.09096,
        },
        "the sign off the diagonal is -1, not 0": {
            2: 1.10318,
        },
        "only the pictures are brought to length 1: the texts are, too": {
            2: 8.58776,
        },
        "only the texts are brought to length 1: the pictures are, too": {
            2: 2.87468,
        },
        "the factor multiplies the cosines alone, not the bias": {
            2: 11.0,
        },
        "the bias is added as it is: no exponential of it": {
            2: 2.41904,
        },
        "the bias multiplies the scores: it is added": {
            2: 12.3466,
        },
        "the bias is added to all cells, not to the pairs alone": {
            2: 2.76569,
        },
        "the bias is added to all cells, the pairs among them": {
            2: 0.708576,
        },
        "the logarithm of the sigmoid is missing": {
            2: -1.30116,
        },
        "the bias belongs inside the sign: sign times (score + bias)": {
            2: 5.43479,
        },
        "the logarithm of the sigmoid runs over for large scores: F.logsigmoid": {
            2: float("inf"),
        },
    })
    t = torch.tensor
    images, texts = t([[1.0, 0.0], [0.0, 2.0]]), t([[3.0, 4.0], [0.0, 1.0]])
    scale, bias = t(5.0).log(), t(-3.0)
    check(clip_loss, images, texts, scale).equals(0.420456, rtol=1e-4)
    check(siglip_loss, images, texts, scale, bias).equals(1.090962, rtol=1e-4)


score
