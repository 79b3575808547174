from helpers.checks import graded


@graded("clip-loss", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the rows alone were asked, or twice: the columns are questions, too (transpose the table)": {
            1: 0.180924,
            3: 0.0,
        },
        "only the columns were asked": {
            1: 0.659988,
            3: 10.0,
        },
        "this is the sum of both directions, or of all pairs: their mean is asked for": {
            1: 0.840913,
            3: 10.0,
        },
        "the vectors are not brought to length 1": {
            1: 13.75,
            2: 18.5248,
            3: 275.0,
            4: 798.524,
        },
        "log_scale is a logarithm: the factor is exp(log_scale)": {
            1: 0.479255,
            2: 1.99227,
            3: 0.42514,
            4: 1.12253,
        },
        "the cosines are multiplied by the factor, not divided": {
            1: 0.654945,
            2: 2.94951,
            3: 0.692148,
            4: 3.09346,
        },
        "the factor is missing": {
            1: 0.536757,
            2: 2.38372,
            3: 0.536757,
            4: 2.38372,
        },
        "the exponential was taken twice": {
            1: 5.0,
        },
        "cross_entropy takes the softmax itself: here it is taken twice": {
            1: 0.52394,
            3: 0.563262,
        },
        "the factor is e to the log_scale, not 2": {
            1: 0.418217,
            2: 1.30416,
            3: 1.96773,
            4: 14.2646,
        },
        "the factor is e to the log_scale, not 10": {
            1: 2.03441,
            2: 14.7984,
            3: 9937.74,
            4: 79500.4,
        },
        "100 is the most that the factor can be, not the least": {
            1: 5.0,
            3: 10.0,
        },
        "the vectors are divided by their squared length: length 1 is asked for": {
            1: 0.307509,
            3: 0.00453901,
        },
        "the pictures alone were divided by their squared length: length 1 is asked for": {
            1: 0.228704,
            3: 1.14441e-05,
        },
        "these are distances: cosines are asked for": {
            1: 0.415697,
            3: 6.54929,
        },
        "the right caption of picture i is caption i: the diagonal": {
            1: 2.42046,
            3: 45.0,
        },
        "only the captions are brought to length 1": {
            1: 1.29557,
            3: 25.0,
        },
        "only one of both sides is brought to length 1": {
            1: 5.00336,
            3: 100.0,
        },
        "the vectors are normalised down the columns: length 1 is along the last axis": {
            1: 1.13809,
            2: 2.05714,
            3: 18.2025,
            4: 95.5386,
        },
        "a softmax underflows for large scores: cross_entropy or logsumexp does not": {
            1: float("inf"),
            3: float("inf"),
        },
        "the sum is divided by N, not by the number of cells": {
            2: 0.545481,
            4: 39.2621,
        },
        "this is the sum over all cells: divide it by N": {
            2: 2.18192,
            4: 157.049,
        },
        "the bias is missing": {
            2: 2.3833,
            4: 80.3466,
        },
        "the bias is added to the scores, not subtracted": {
            2: 5.02615,
            4: 83.0243,
        },
        "only the pairs themselves count here: the other cells say no": {
            2: 0.410038,
            4: 0.0,
        },
        "all cells were asked for a yes: off the diagonal the sign is -1": {
            2: 2.09096,
            4: 1.52429,
        },
        "the signs are flipped: yes is on the diagonal": {
            2: 3.09096,
            4: 158.524,
        },
        "the sign off the diagonal is -1, not 0": {
            2: 1.10318,
            4: 0.693147,
        },
        "only the pictures are brought to length 1: the texts are, too": {
            2: 8.58776,
            4: 398.524,
        },
        "only the texts are brought to length 1: the pictures are, too": {
            2: 2.87468,
            4: 158.524,
        },
        "the factor multiplies the cosines alone, not the bias": {
            2: 11.0,
            4: 440.0,
        },
        "the bias is added as it is: no exponential of it": {
            2: 2.41904,
            4: 80.3841,
        },
        "the bias multiplies the scores: it is added": {
            2: 12.3466,
            4: 480.347,
        },
        "the bias is added to all cells, not to the pairs alone": {
            2: 2.76569,
            4: 80.3466,
        },
        "the bias is added to all cells, the pairs among them": {
            2: 0.708576,
        },
        "the logarithm of the sigmoid is missing": {
            2: -1.30116,
            4: -1.47629,
        },
        "the bias belongs inside the sign: sign times (score + bias)": {
            2: 5.43479,
            4: 83.0243,
        },
        "the logarithm of the sigmoid runs over for large scores: F.logsigmoid": {
            2: float("inf"),
            4: float("inf"),
        },
        "the cap is missing, or is on the scores or the logarithm: the factor is 100 at most": {
            3: 10.0,
        },
        "the cap is 100 to the last digit: the logarithm of 100 is 4.6052": {
            3: 4.97422,
        },
        "the cap is 100: 1/0.07 is where the factor begins": {
            3: 0.742255,
        },
        "there is no cap here": {
            4: 38.5243,
        },
    })
    t = torch.tensor
    images, texts = t([[1.0, 0.0], [0.0, 2.0]]), t([[3.0, 4.0], [0.0, 1.0]])
    scale, bias = t(5.0).log(), t(-3.0)
    check(clip_loss, images, texts, scale).equals(0.420456, rtol=1e-4)
    check(siglip_loss, images, texts, scale, bias).equals(1.090962, rtol=1e-4)
    scale = t(200.0).log()
    check(clip_loss, images, texts, scale).equals(5.0, about="the factor is 100 at most", rtol=1e-4)
    check(siglip_loss, images, texts, scale, bias).equals(78.5243, about="no cap", rtol=1e-4)
    check(loss_slopes, clip_loss, images, texts, scale).equals(
        [[[0.0, -200.0], [75.0, 0.0]], [[-56.0, 42.0], [0.0, 0.0]], 0.0], about="gradients where the cap holds",
        rtol=1e-3, atol=1e-3)


score
