from helpers.checks import graded


@graded("groups", points=5)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "one scale for each row: here each `size` neighbours of a row have one": {
            1: ([[1, 0, 7, 3]], [[1.0, 1.0]]),
            2: ([[3, -1, 0, 0, 0, 0], [0, 0, 0, 0, 3, 1]], [[1.0, 1.0, 1.0], [10.0, 10.0, 10.0]]),
            3: ([[3, -1, 0, 0, 0, 0], [0, 0, 0, 0, 3, 1]], [[1.0, 1.0], [10.0, 10.0]]),
        },
        "one scale for the whole matrix: here each `size` neighbours of a row have one": {
            1: ([[1, 0, 7, 3]], [[1.0, 1.0]]),
            2: ([[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 3, 1]], [[10.0, 10.0, 10.0], [10.0, 10.0, 10.0]]),
            3: ([[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 3, 1]], [[10.0, 10.0], [10.0, 10.0]]),
        },
        "a group is `size` neighbours: here it is every so-manieth weight of the row": {
            1: ([[1, 0, 7, 7]], [[1.0, 0.428571]]),
            2: ([[3, -3, 3, 0, 0, 0], [3, 0, 0, -2, 3, 3]], [[1.0, 0.4, 0.1], [0.333333, 10.0, 2.66667]]),
            3: ([[3, -3, 0, 1, 0, 0], [0, 1, 0, 0, 3, 3]], [[1.0, 0.4], [10.0, 2.66667]]),
        },
        "a group is `size` neighbours: here it is every so-manieth weight, and q stands group by group": {
            1: ([[1, 7, 0, 7]], [[1.0, 0.428571]]),
            2: ([[3, 0, -3, 0, 3, 0], [3, -2, 0, 3, 0, 3]], [[1.0, 0.4, 0.1], [0.333333, 10.0, 2.66667]]),
            3: ([[3, 0, 0, -3, 1, 0], [0, 0, 3, 1, 0, 3]], [[1.0, 0.4], [10.0, 2.66667]]),
        },
        "groups run along the rows, not down the columns": {
            1: ([[7, -7, 7, 7]], [[0.1, 0.0285714, 1.0, 0.428571]]),
            2: ([[3, -2, 1, 2, 0, 0], [1, 3, 3, -3, 3, 3]], [[1.0, 0.666667, 0.3, 0.2, 10.0, 2.66667]]),
            3: ([[3, -2, 1, 2, 0, 0], [1, 3, 3, -3, 3, 3]], [[1.0, 0.666667, 0.3, 0.2, 10.0, 2.66667]]),
        },
        "q has the shape of the weights: here each group is a row": {
            1: ([[7, -2], [7, 3]], [[0.1, 1.0]]),
            2: ([[3, -1], [2, 3], [0, 0], [2, 3], [3, -2], [3, 1]], [[1.0, 0.133333, 1.0], [0.666667, 0.3, 10.0]]),
            3: ([[3, -1, 0], [3, 0, 0], [2, 3, 1], [0, 3, 1]], [[1.0, 0.133333], [0.666667, 10.0]]),
        },
        "the scales are (out, in / size), the groups of a row side by side: here one below the other": {
            1: ([[7, -2, 7, 3]], [[0.1], [1.0]]),
            2: ([[3, -1, 2, 3, 0, 0], [2, 3, 3, -2, 3, 1]], [[1.0], [0.133333], [1.0], [0.666667], [0.3], [10.0]]),
            3: ([[3, -1, 0, 3, 0, 0], [2, 3, 1, 0, 3, 1]], [[1.0], [0.133333], [0.666667], [10.0]]),
        },
        "the scales are (out, in / size): here each is there once for every weight": {
            1: ([[7, -2, 7, 3]], [[0.1, 0.1, 1.0, 1.0]]),
            2: ([[3, -1, 2, 3, 0, 0], [2, 3, 3, -2, 3, 1]],
             [[1.0, 1.0, 0.133333, 0.133333, 1.0, 1.0], [0.666667, 0.666667, 0.3, 0.3, 10.0, 10.0]]),
            3: ([[3, -1, 0, 3, 0, 0], [2, 3, 1, 0, 3, 1]],
             [[1.0, 1.0, 1.0, 0.133333, 0.133333, 0.133333], [0.666667, 0.666667, 0.666667, 10.0, 10.0, 10.0]]),
        },
        "`size` was not used: groups of 32 were used": {
            1: ([[1, 0, 7, 3]], [[1.0]]),
            2: ([[3, -1, 0, 0, 0, 0], [0, 0, 0, 0, 3, 1]], [[1.0], [10.0]]),
            3: ([[3, -1, 0, 0, 0, 0], [0, 0, 0, 0, 3, 1]], [[1.0], [10.0]]),
        },
        "m is 2^(bits - 1) - 1: here it is one more": {
            1: ([[8, -2, 8, 3]], [[0.0875]]),
            2: ([[4, -2, 3, 4, 0, 0], [2, 4, 4, -3, 4, 1]], [[0.75, 0.75], [0.5, 7.5]]),
            3: ([[4, -2, 0, 4, 0, 0], [2, 4, 2, 0, 4, 1]], [[0.75], [0.5]]),
        },
        "m is 2^(bits - 1) - 1: here it is one more, and q goes as far": {
            1: ([[8, -2, 8, 3]], [[0.0875, 0.875]]),
            2: ([[4, -2, 3, 4, 0, 0], [2, 4, 4, -3, 4, 1]], [[0.75, 0.1, 1.0], [0.5, 0.225, 7.5]]),
            3: ([[4, -2, 0, 4, 0, 0], [2, 4, 2, 0, 4, 1]], [[0.75, 0.1], [0.5, 7.5]]),
        },
        "the weights came back: q and the scales are asked for separately": {
            1: [[0.7, -0.2, 7.0, 3.0]],
            2: [[3.0, -1.0, 0.266667, 0.4, 0.0, 0.0], [1.33333, 2.0, 0.9, -0.6, 30.0, 10.0]],
            3: [[3.0, -1.0, 0.0, 0.4, 0.0, 0.0], [1.33333, 2.0, 0.666667, 0.0, 30.0, 10.0]],
        },
        "the two are exchanged: q comes first": {
            1: ([[0.1, 1.0]], [[7, -2, 7, 3]]),
            2: ([[1.0, 0.133333, 1.0], [0.666667, 0.3, 10.0]], [[3, -1, 2, 3, 0, 0], [2, 3, 3, -2, 3, 1]]),
            3: ([[1.0, 0.133333], [0.666667, 10.0]], [[3, -1, 0, 3, 0, 0], [2, 3, 1, 0, 3, 1]]),
        },
        "`size` is the number of weights in a group, not the number of groups": {
            2: ([[3, -1, 0, 3, 0, 0], [2, 3, 1, 0, 3, 1]], [[1.0, 0.133333], [0.666667, 10.0]]),
            3: ([[3, -1, 2, 3, 0, 0], [2, 3, 3, -2, 3, 1]], [[1.0, 0.133333, 1.0], [0.666667, 0.3, 10.0]]),
        },
        "groups run along the rows: here they run down the columns, and their scales are in rows": {
            2: ([[3, -2, 1, 2, 0, 0], [1, 3, 3, -3, 3, 3]], [[1.0, 0.666667, 0.3], [0.2, 10.0, 2.66667]]),
            3: ([[3, -1, 0, 2, 0, 0], [1, 3, 1, -3, 3, 1]], [[1.0, 0.666667], [0.2, 10.0]]),
        },
        "`bits` was not used: four bits were used": {
            2: ([[7, -3, 5, 7, 0, 0], [3, 7, 7, -5, 7, 2]],
             [[0.428571, 0.0571429, 1.0], [0.285714, 0.128571, 4.28571]]),
            3: ([[7, -3, 1, 7, 0, 0], [3, 7, 3, 0, 7, 2]], [[0.428571, 0.0571429], [0.285714, 4.28571]]),
        },
        "the digits after the point were cut off: torch.round is asked for": {
            2: ([[3, -1, 2, 3, 0, 0], [1, 3, 3, -2, 3, 0]], [[1.0, 0.133333, 1.0], [0.666667, 0.3, 10.0]]),
            3: ([[3, -1, 0, 3, 0, 0], [1, 3, 1, 0, 3, 0]], [[1.0, 0.133333], [0.666667, 10.0]]),
        },
        "rounded down: torch.round goes to the nearest": {
            2: ([[3, -2, 2, 3, 0, 0], [1, 3, 3, -3, 3, 0]], [[1.0, 0.133333, 1.0], [0.666667, 0.3, 10.0]]),
            3: ([[3, -2, 0, 3, 0, 0], [1, 3, 1, -1, 3, 0]], [[1.0, 0.133333], [0.666667, 10.0]]),
        },
        "a group of zeros has the scale 0 here: such a scale becomes 1": {
            2: ([[3, -1, 2, 3, 0, 0], [2, 3, 3, -2, 3, 1]], [[1.0, 0.133333, 0.0], [0.666667, 0.3, 10.0]]),
        },
        "`size` was not used: groups of two were used": {
            3: ([[3, -1, 2, 3, 0, 0], [2, 3, 3, -2, 3, 1]], [[1.0, 0.133333, 1.0], [0.666667, 0.3, 10.0]]),
        },
        "neighbours share a scale: here the scales were repeated as a whole": {
            4: [[0.7, -2.0, 0.7, 3.0], [2.0, 1.0, -6.0, 2.0]],
        },
        "a number times its scale: here it was divided": {
            4: [[70.0, -20.0, 7.0, 3.0], [0.5, 1.0, -6.0, 8.0]],
        },
        "the first scale of each row was used for all of it": {
            4: [[0.7, -0.2, 0.7, 0.3], [2.0, 4.0, -6.0, 8.0]],
        },
        "the mean scale of each row was used for all of it": {
            4: [[3.85, -1.1, 3.85, 1.65], [1.25, 2.5, -3.75, 5.0]],
        },
        "the scales of the first row were used for all rows": {
            4: [[0.7, -0.2, 7.0, 3.0], [0.1, 0.2, -3.0, 4.0]],
        },
        "the scales alone came back: times the numbers": {
            4: [[0.1, 0.1, 1.0, 1.0], [2.0, 2.0, 0.5, 0.5]],
        },
        "the numbers came without their scales": {
            4: [[7.0, -2.0, 7.0, 3.0], [1.0, 2.0, -3.0, 4.0]],
        },
        "the weights are (out, in): here each group is a row": {
            4: [[0.7, -0.2], [7.0, 3.0], [2.0, 4.0], [-1.5, 2.0]],
        },
        "whole numbers came back: the weights are floats": {
            4: [[0, 0, 7, 3], [2, 4, -1, 2]],
        },
        "groups of 32 are not the only ones: q and the scales tell their size": {
            4: [[0.7, -0.2, 0.7, 0.3], [2.0, 4.0, -6.0, 8.0]],
        },
        "the weight's own bits alone: its share of the scale comes on top": {
            5: 4,
            6: 3,
        },
        "one scale is shared by `size` weights: here each weight pays all of it": {
            5: 20,
            6: 27,
        },
        "the scale alone was counted": {
            5: 0.5,
            6: 1.5,
        },
        "the scale's bits are divided by `size`, not multiplied with it": {
            5: 516,
            6: 387,
        },
        "the weight's own bits are not shared: here both were divided": {
            5: 0.625,
            6: 1.6875,
        },
        "these are the bits of a whole group: of one weight are asked for": {
            5: 144,
            6: 72,
        },
        "these are bytes: bits are asked for": {
            5: 0.5625,
            6: 0.5625,
        },
        "a part of a bit counts: here whole bits came back": {
            5: 4,
            6: 4,
        },
        "upside down: the scale's bits over `size`": {
            5: 6.0,
            6: 3.66667,
        },
        "`scale_bits` was not used": {
            6: 4.0,
        },
    })
    t = torch.tensor
    row = t([[0.7, -0.2, 7.0, 3.0]])
    check(to_groups, row, 4, 2).equals(
        (t([[7, -2, 7, 3]], dtype=torch.int8), t([[0.1, 1.0]])), about="the text's row", rtol=1e-4)
    W = t([[3.0, -1.2, 0.3, 0.4, 0.0, 0.0], [1.0, 2.0, 0.9, -0.6, 30.0, 8.0]])
    check(to_groups, W, 3, 2).equals(
        (t([[3, -1, 2, 3, 0, 0], [2, 3, 3, -2, 3, 1]], dtype=torch.int8),
         t([[1.0, 0.1333333, 1.0], [0.6666667, 0.3, 10.0]])), about="three groups in a row", rtol=1e-4)
    check(to_groups, W, 3, 3).equals(
        (t([[3, -1, 0, 3, 0, 0], [2, 3, 1, 0, 3, 1]], dtype=torch.int8),
         t([[1.0, 0.1333333], [0.6666667, 10.0]])), about="groups of three", rtol=1e-4)
    q, scales = t([[7, -2, 7, 3], [1, 2, -3, 4]], dtype=torch.int8), t([[0.1, 1.0], [2.0, 0.5]])
    check(from_groups, q, scales).equals([[0.7, -0.2, 7.0, 3.0], [2.0, 4.0, -1.5, 2.0]], about="and back", rtol=1e-4)
    check(bits_of_weight, 4, 32).equals(4.5, about="four bits, groups of 32")
    check(bits_of_weight, 3, 16, 24).equals(4.5, about="a scale of 24 bits")


score
