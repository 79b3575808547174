from helpers.checks import graded


@graded("int8", points=6)
def score(check):
    import torch

    one_scale = "one scale for the whole matrix; each row has its own"
    columns = "the scales are of the columns; each row (one output) has its own"
    cut = "the numbers are cut off, not rounded: torch.round before the change to int8"
    up = "127 is the largest number: with 128 it runs over to -128"
    up_cut = "127 is the largest number: this divides by 128"
    away = "halves go to the even number: here they go away from zero, torch.round does not"
    upwards, downwards = "these are rounded upwards", "these are rounded downwards"
    signed = "the scale is of the largest absolute value: a row's largest number may be negative"
    beyond = "the scale is of the largest absolute value: what is beyond the scale was cut"
    inverse = "these are the numbers 127 / max: the scale is max / 127"
    asymmetric = "this maps the range from the smallest to the largest; zero stays zero here"
    no_scales = "the scales are missing: q alone are whole numbers, not weights"
    wrong_axis = "the scales belong to the rows of q, its outputs"
    no_update = "the low-rank update is missing"
    no_base = "the base's output is missing"
    unscaled = "`scale` is missing in front of the update"
    no_bias = "the bias is missing"
    scaled_bias = "the bias is not multiplied by the scales"
    t = torch.tensor
    W = t([[0.5, -2.54, 1.0], [1.27, 0.014, -0.326]])
    check(quantize, W).equals((t([[25, -127, 50], [127, 1, -33]], dtype=torch.int8), t([0.02, 0.01])), rtol=1e-4,
                              near={
            one_scale: ([[25, -127, 50], [64, 1, -16]], [0.02, 0.02]),
            columns: ([[50, -127, 127], [127, 1, -41]], [0.01, 0.02, 0.007874016]),
            cut: ([[25, -127, 50], [127, 1, -32]], [0.02, 0.01]),
            up: ([[25, -128, 50], [-128, 1, -33]], [0.01984375, 0.009921875]),
            up_cut: ([[25, -127, 50], [127, 1, -33]], [0.01984375, 0.009921875]),
            "127 is the largest number, and -127 the least: this divides by 128": (
                [[25, -128, 50], [127, 1, -33]], [0.01984375, 0.009921875]),
            upwards: ([[25, -127, 50], [127, 2, -32]], [0.02, 0.01]),
            signed: ([[64, -67, 127], [127, 1, -33]], [0.007874016, 0.01]),
            beyond: ([[64, -127, 127], [127, 1, -33]], [0.007874016, 0.01]),
            inverse: ([[25, -127, 50], [127, 1, -33]], [50.0, 100.0]),
            asymmetric: ([[91, -128, 127], [127, -74, -128]], [0.01388235, 0.006258823]),
        })
    zeros = "a row of zeros gets the scale 1"
    halves = "halves go to the even number: torch.round"
    none = [0, 0, 0, 0, 0]
    check(quantize, t([[0.0, 0.0, 0.0, 0.0, 0.0], [0.5, -127.0, 2.5, 7.25, -3.5]])).equals(
        (t([none, [0, -127, 2, 7, -4]], dtype=torch.int8), t([1.0, 1.0])), rtol=1e-4, near={
            zeros: ([none, [0, -127, 2, 7, -4]], [0.0, 1.0]),
            signed: ([none, [9, 79, 44, 127, -61]], [1.0, 0.05708661]),
            beyond: ([none, [9, -127, 44, 127, -61]], [1.0, 0.05708661]),
            halves: ([none, [1, -127, 3, 7, -3]], [1.0, 1.0]),
            away: ([none, [1, -127, 3, 7, -4]], [1.0, 1.0]),
            upwards: ([none, [1, -127, 3, 8, -3]], [1.0, 1.0]),
            cut: ([none, [0, -127, 2, 7, -3]], [1.0, 1.0]),
            up: ([none, [1, -128, 3, 7, -4]], [1.0, 0.9921875]),
            up_cut: ([none, [1, -127, 3, 7, -4]], [1.0, 0.9921875]),
            "127 is the largest number, and -127 the least: this divides by 128": (
                [none, [1, -128, 3, 7, -4]], [1.0, 0.9921875]),
        })
    q, scales = t([[25, -127, 50], [127, 1, -33]], dtype=torch.int8), t([0.02, 0.5])
    A, B = t([[1.0, 0.0, -1.0], [0.5, 1.0, 0.0]]), t([[2.0, 1.0], [3.0, -1.0]])
    bias = t([0.5, -1.0])
    by_rank = "`scale` is alpha / r already: it is divided by the rank again"
    update_too = "the update is multiplied by the scales of the base, too"
    check(int8_lora, t([[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]]), q, scales, bias, A, B, 0.25).equals(
        [[-1.455, 11.875], [-0.77, -99.5]], rtol=1e-4, near={
            no_scales: [[-78.875, 26.875], [10.5, -195.75]],
            no_update: [[-1.08, 14.0], [0.73, -97.25]],
            no_base: [[-0.375, -2.125], [-1.5, -2.25]],
            unscaled: [[-2.58, 5.5], [-5.27, -106.25]],
            no_bias: [[-1.955, 12.875], [-1.27, -98.5]],
            scaled_bias: [[-1.945, 12.375], [-1.26, -99.0]],
            by_rank: [[-1.2675, 12.9375], [-0.02, -98.375]],
            update_too: [[-1.0875, 12.9375], [0.7, -98.375]],
        })


score
