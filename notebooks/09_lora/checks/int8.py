from helpers.checks import graded


@graded("int8", points=8)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "one scale for the whole matrix; each row has its own": {
            1: ([[25, -127, 50], [64, 1, -16], [-25, -64, -2]], [0.02, 0.02, 0.02]),
        },
        "the scales are of the columns; each row (one output) has its own": {
            1: ([[50, -127, 127], [127, 1, -41], [-50, -64, -4]], [0.01, 0.02, 0.00787402]),
            2: ([[0, 0, 0, 0, 0], [127, -127, 127, 127, -127]], [0.00393701, 1.0, 0.019685, 0.0570866, 0.0275591]),
        },
        "the largest number of a column was used for the row of the same number: each row has its own": {
            1: ([[50, 2, 100], [64, 1, -16], [-64, 95, -4]], [0.01, 0.02, 0.00787402]),
        },
        "the numbers are cut off, not rounded: torch.round before the change to int8": {
            1: ([[25, -127, 50], [127, 1, -32], [-50, -127, -3]], [0.02, 0.01, 0.01]),
            2: ([[0, 0, 0, 0, 0], [0, -127, 2, 7, -3]], [1.0, 1.0]),
        },
        "127 is the largest number: with 128 it runs over to -128": {
            1: ([[25, -128, 50], [-128, 1, -33], [-50, -128, -3]], [0.0198437, 0.00992187, 0.00992187]),
            2: ([[0, 0, 0, 0, 0], [1, -128, 3, 7, -4]], [1.0, 0.992188]),
        },
        "the scale is of the largest absolute value: a row's largest number may be negative": {
            1: ([[64, -67, 127], [127, 1, -33], [0, -1, 0]], [0.00787402, 0.01, 1.0]),
            2: ([[0, 0, 0, 0, 0], [9, 79, 44, 127, -61]], [1.0, 0.0570866]),
        },
        "the scale is of the largest absolute value: what is beyond the scale was cut": {
            1: ([[64, -127, 127], [127, 1, -33], [0, -1, 0]], [0.00787402, 0.01, 1.0]),
            2: ([[0, 0, 0, 0, 0], [9, -127, 44, 127, -61]], [1.0, 0.0570866]),
        },
        "the scale is of the largest absolute value: a row's largest number may be negative, and so was the scale": {
            1: ([[64, -67, 127], [127, 1, -33], [69, 0, 127]], [0.00787402, 0.01, -0.00023622]),
            2: ([[0, 0, 0, 0, 0], [9, 79, 44, 127, -61]], [1.0, 0.0570866]),
        },
        "the scale is of the largest absolute value: what is beyond the scale was cut, and a scale below 0 was kept": {
            1: ([[64, -127, 127], [127, 1, -33], [127, 127, 127]], [0.00787402, 0.01, -0.00023622]),
            2: ([[0, 0, 0, 0, 0], [9, -127, 44, 127, -61]], [1.0, 0.0570866]),
        },
        "these are the numbers 127 / max: the scale is max / 127": {
            1: ([[25, -127, 50], [127, 1, -33], [-50, -127, -3]], [50.0, 100.0, 100.0]),
        },
        "this maps the range from the smallest to the largest; zero stays zero here": {
            1: ([[91, -128, 127], [127, -74, -128], [30, -128, 127]], [0.0138824, 0.00625882, 0.00486275]),
            2: ([[0, 0, 0, 0, 0], [114, -128, 118, 127, 107]], [0.0, 0.526471]),
        },
        "these are rounded upwards": {
            1: ([[25, -127, 50], [127, 2, -32], [-50, -127, -3]], [0.02, 0.01, 0.01]),
            2: ([[0, 0, 0, 0, 0], [1, -127, 3, 8, -3]], [1.0, 1.0]),
        },
        "127 is the largest number: this divides by 128": {
            1: ([[25, -127, 50], [127, 1, -33], [-50, -127, -3]], [0.0198437, 0.00992187, 0.00992187]),
            2: ([[0, 0, 0, 0, 0], [1, -127, 3, 7, -4]], [1.0, 0.992188]),
        },
        "127 is the largest number, and -127 the least: this divides by 128": {
            1: ([[25, -128, 50], [127, 1, -33], [-50, -128, -3]], [0.0198437, 0.00992187, 0.00992187]),
            2: ([[0, 0, 0, 0, 0], [1, -128, 3, 7, -4]], [1.0, 0.992188]),
        },
        "the scale is half the range from the smallest to the largest: the largest absolute value is asked for": {
            1: ([[36, -127, 72], [127, 2, -52], [-102, -127, -6]], [0.013937, 0.00628346, 0.00488189]),
            2: ([[0, 0, 0, 0, 0], [1, -127, 5, 14, -7]], [1.0, 0.528543]),
        },
        "the scale is half the range from the smallest to the largest: the largest absolute value is asked for (and what is beyond runs over)": {
            1: ([[36, 74, 72], [-54, 2, -52], [-102, -4, -6]], [0.013937, 0.00628346, 0.00488189]),
            2: ([[0, 0, 0, 0, 0], [1, 16, 5, 14, -7]], [1.0, 0.528543]),
        },
        "the scale is the range from the smallest to the largest: the largest absolute value is asked for": {
            1: ([[18, -91, 36], [101, 1, -26], [-51, -127, -3]], [0.027874, 0.0125669, 0.00976378]),
            2: ([[0, 0, 0, 0, 0], [0, -120, 2, 7, -3]], [1.0, 1.05709]),
        },
        "the scale is the range from the smallest to the largest: the largest absolute value is asked for (and what is beyond runs over)": {
            1: ([[18, -91, 36], [101, 1, -26], [-51, 126, -3]], [0.027874, 0.0125669, 0.00976378]),
            2: ([[0, 0, 0, 0, 0], [0, -120, 2, 7, -3]], [1.0, 1.05709]),
        },
        "the scale is the spread of the row: the largest absolute value is asked for": {
            1: ([[33, -127, 66], [127, 2, -49], [-101, -127, -6]], [0.0150855, 0.00661945, 0.00492929]),
            2: ([[0, 0, 0, 0, 0], [1, -127, 6, 16, -8]], [1.0, 0.45418]),
        },
        "the scale is the spread of the row: the largest absolute value is asked for (and what is beyond runs over)": {
            1: ([[33, 88, 66], [-64, 2, -49], [-101, -2, -6]], [0.0150855, 0.00661945, 0.00492929]),
            2: ([[0, 0, 0, 0, 0], [1, -24, 6, 16, -8]], [1.0, 0.45418]),
        },
        "the scale is the length of the row: the largest absolute value is asked for": {
            1: ([[23, -116, 46], [123, 1, -32], [-47, -118, -3]], [0.0218518, 0.0103248, 0.0107497]),
            2: ([[0, 0, 0, 0, 0], [0, -127, 2, 7, -3]], [1.0, 1.00221]),
        },
        "the scale is the length of the row: the largest absolute value is asked for (and what is beyond runs over)": {
            1: ([[23, -116, 46], [123, 1, -32], [-47, -118, -3]], [0.0218518, 0.0103248, 0.0107497]),
            2: ([[0, 0, 0, 0, 0], [0, -127, 2, 7, -3]], [1.0, 1.00221]),
        },
        "these are integers from -7 to 7: from -127 to 127 is asked for": {
            1: ([[1, -7, 3], [7, 0, -2], [-3, -7, 0]], [0.362857, 0.181429, 0.181429]),
            2: ([[0, 0, 0, 0, 0], [0, -7, 0, 0, 0]], [1.0, 18.1429]),
        },
        "the scale is the largest absolute value: it is divided by 127": {
            1: ([[25, -127, 50], [127, 1, -33], [-50, -127, -3]], [2.54, 1.27, 1.27]),
            2: ([[0, 0, 0, 0, 0], [0, -127, 2, 7, -4]], [127.0, 127.0]),
        },
        "the scale divides by 255: 127 on each side of zero": {
            1: ([[25, -127, 50], [127, 1, -33], [-50, -127, -3]], [0.0199216, 0.00996078, 0.00996078]),
            2: ([[0, 0, 0, 0, 0], [1, -128, 3, 7, -4]], [1.0, 0.996078]),
        },
        "the scales come as a column: (out,) is asked for": {
            1: ([[25, -127, 50], [127, 1, -33], [-50, -127, -3]], [[0.02], [0.01], [0.01]]),
            2: ([[0, 0, 0, 0, 0], [0, -127, 2, 7, -4]], [[1.0], [1.0]]),
        },
        "the scale is the mean absolute value over 127: it is the largest": {
            1: ([[47, 16, 94], [45, 3, -77], [-106, -13, -6]], [0.0106037, 0.00422572, 0.00472441]),
            2: ([[0, 0, 0, 0, 0], [2, -61, 11, 33, -16]], [1.0, 0.221654]),
        },
        "halves go to the even number: torch.round": {
            2: ([[0, 0, 0, 0, 0], [1, -127, 3, 7, -3]], [1.0, 1.0]),
        },
        "halves go to the even number: here they go away from zero, torch.round does not": {
            2: ([[0, 0, 0, 0, 0], [1, -127, 3, 7, -4]], [1.0, 1.0]),
        },
        "the scales are missing: q alone are whole numbers, not weights": {
            3: [[-78.875, 26.875], [10.5, -195.75]],
        },
        "the low-rank update is missing": {
            3: [[-1.08, 14.0], [0.73, -97.25]],
        },
        "the base's output is missing": {
            3: [[-0.375, -2.125], [-1.5, -2.25]],
        },
        "`scale` is missing in front of the update": {
            3: [[-2.58, 5.5], [-5.27, -106.25]],
        },
        "the bias is missing": {
            3: [[-1.955, 12.875], [-1.27, -98.5]],
        },
        "the bias is not multiplied by the scales": {
            3: [[-1.945, 12.375], [-1.26, -99.0]],
        },
        "the update is multiplied by the scales of the base, too": {
            3: [[-1.0875, 12.9375], [0.7, -98.375]],
        },
        "the update is subtracted": {
            3: [[-0.705, 16.125], [2.23, -95.0]],
        },
        "`scale` multiplies the bias, too: it belongs before the update only": {
            3: [[-1.83, 12.625], [-1.145, -98.75]],
        },
        "`scale` multiplies the base's output, too: it belongs before the update only": {
            3: [[-0.645, 1.375], [-1.3175, -26.5625]],
        },
        "`scale` counts twice": {
            3: [[-1.17375, 13.4688], [0.355, -97.8125]],
        },
        "the update is divided by `scale`: it is multiplied": {
            3: [[-7.08, -20.0], [-23.27, -133.25]],
        },
        "one scale for all rows, the mean of theirs: each row has its own": {
            3: [[-20.415, 4.675], [1.99, -53.3]],
        },
        "one scale for all rows, the first: each row has its own": {
            3: [[-1.455, -2.525], [-0.77, -7.1]],
        },
        "the scales are divided by 127 again": {
            3: [[0.112559, -3.00689], [-0.998189, -4.00787]],
        },
        "x is rounded: only the weights are integers": {
            3: [[-1.455, 11.875], [0.5, -99.75]],
        },
        "the bias is subtracted": {
            3: [[-2.455, 13.875], [-1.77, -97.5]],
        },
        "the bias is added twice": {
            3: [[-0.955, 10.875], [-0.27, -100.5]],
        },
        "`scale` is alpha / r already: it is divided by the rank again": {
            3: [[-1.2675, 12.9375], [-0.02, -98.375]],
        },
        "the weights are q divided by the scales": {
            3: [[-3949.88, 56.875], [574.0, -388.25]],
        },
    })
    t = torch.tensor
    W = t([[0.5, -2.54, 1.0], [1.27, 0.014, -0.326], [-0.5, -1.27, -0.03]])
    rows = t([[25, -127, 50], [127, 1, -33], [-50, -127, -3]], dtype=torch.int8)
    check(quantize, W).equals((rows, t([0.02, 0.01, 0.01])), rtol=1e-4)
    zeros = "a row of zeros gets the scale 1"
    none = [0, 0, 0, 0, 0]
    check(quantize, t([[0.0, 0.0, 0.0, 0.0, 0.0], [0.5, -127.0, 2.5, 7.25, -3.5]])).equals(
        (t([none, [0, -127, 2, 7, -4]], dtype=torch.int8), t([1.0, 1.0])), rtol=1e-4,
        near={zeros: ([none, [0, -127, 2, 7, -4]], [0.0, 1.0])})
    q, scales = t([[25, -127, 50], [127, 1, -33]], dtype=torch.int8), t([0.02, 0.5])
    A, B = t([[1.0, 0.0, -1.0], [0.5, 1.0, 0.0]]), t([[2.0, 1.0], [3.0, -1.0]])
    bias = t([0.5, -1.0])
    check(int8_lora, t([[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]]), q, scales, bias, A, B, 0.25).equals(
        [[-1.455, 11.875], [-0.77, -99.5]], rtol=1e-4)


score
