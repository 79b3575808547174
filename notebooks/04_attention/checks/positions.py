from helpers.checks import graded


@graded("positions", points=5)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "all sines came first, then all cosines; they take turns": {
            1: [[0.0, 0.0, 1.0, 1.0], [0.841471, 0.00999983, 0.540302, 0.99995]],
        },
        "sine and cosine are exchanged: the sine comes first": {
            1: [[1.0, 0.0, 1.0, 0.0], [0.540302, 0.841471, 0.99995, 0.00999983]],
            2: [[1.0, 0.0], [0.540302, 0.841471], [-0.416147, 0.909297]],
        },
        "positions start at 0, not at 1": {
            1: [[0.841471, 0.540302, 0.00999983, 0.99995], [0.909297, -0.416147, 0.0199987, 0.9998]],
            2: [[0.841471, 0.540302], [0.909297, -0.416147], [0.14112, -0.989992]],
        },
        "the exponent is i / C here; it is 2i / C": {
            1: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.0998334, 0.995004]],
        },
        "the exponent is 4i / C here, or j / (C/2) with j = 2i: it is 2i / C": {
            1: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.0001, 1.0]],
        },
        "the exponent is 2i here, not divided: it is 2i / C": {
            1: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.0, 1.0]],
        },
        "each column has a rate of its own; a sine and its cosine share one": {
            1: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.995004, 0.00999983, 1.0]],
            2: [[0.0, 1.0], [0.841471, 0.950415], [0.909297, 0.806578]],
        },
        "the positions were multiplied by the power of the base; they are divided by it": {
            1: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, -0.506366, 0.862319]],
        },
        "this is (C, T): positions are the rows": {
            1: [[0.0, 0.841471], [1.0, 0.540302], [0.0, 0.00999983], [1.0, 0.99995]],
            2: [[0.0, 0.841471, 0.909297], [1.0, 0.540302, -0.416147]],
        },
        "all rates are 1: was the exponent cut off by //?": {
            1: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.841471, 0.540302]],
        },
        "there are sines only: every second column is a cosine": {
            1: [[0.0, 0.0, 0.0, 0.0], [0.841471, 0.841471, 0.00999983, 0.00999983]],
            2: [[0.0, 0.0], [0.841471, 0.841471], [0.909297, 0.909297]],
        },
        "the angles are multiplied by 2 pi; they are in radians as they are": {
            1: [[0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0627905, 0.998027]],
            2: [[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]],
        },
        "the last rate is 1 / base: the exponent is 2i / C, not i / (C/2 - 1)": {
            1: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.0001, 1.0]],
        },
        "the rows are those of `table`; here sines and cosines were computed anew": {
            3: [[[1.0, 1.0], [0.841471, 5.5403]], [[2.0, 2.0], [3.84147, -0.459698]]],
            4: [[[1.84147, 0.540302], [0.909297, 4.58385]], [[2.84147, 1.5403], [3.9093, -1.41615]]],
        },
        "the positions were added twice": {
            3: [[[1.0, 2.0], [1.0, 6.0]], [[2.0, 3.0], [4.0, 0.0]]],
            4: [[[2.0, 1.0], [1.8, 4.2]], [[3.0, 2.0], [4.8, -1.8]]],
        },
        "the positions alone came back: add them to the tokens": {
            3: [[[0.0, 1.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]]],
            4: [[[0.5, 0.5], [0.9, -0.4]], [[0.5, 0.5], [0.9, -0.4]]],
        },
        "the tokens came back without positions": {
            3: [[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]],
            4: [[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]],
        },
        "the row belongs to the token, not to its sequence in the batch": {
            3: [[[1.0, 1.0], [0.0, 6.0]], [[2.5, 1.5], [3.5, -0.5]]],
            4: [[[1.5, 0.5], [0.5, 5.5]], [[2.9, 0.6], [3.9, -1.4]]],
        },
        "the positions were multiplied; they are added": {
            3: [[[0.0, 0.0], [0.0, 2.5]], [[0.0, 1.0], [1.5, -0.5]]],
            4: [[[0.5, 0.0], [0.0, -2.0]], [[1.0, 0.5], [2.7, 0.4]]],
        },
        "the positions were put beside the tokens; they are added, not put beside": {
            3: [[[1.0, 0.0, 0.0, 1.0], [0.0, 5.0, 0.5, 0.5]], [[2.0, 1.0, 0.0, 1.0], [3.0, -1.0, 0.5, 0.5]]],
            4: [[[1.0, 0.0, 0.5, 0.5], [0.0, 5.0, 0.9, -0.4]], [[2.0, 1.0, 0.5, 0.5], [3.0, -1.0, 0.9, -0.4]]],
        },
        "all tokens got the row of `start`; each gets its own": {
            3: [[[1.0, 1.0], [0.0, 6.0]], [[2.0, 2.0], [3.0, 0.0]]],
            4: [[[1.5, 0.5], [0.5, 5.5]], [[2.5, 1.5], [3.5, -0.5]]],
        },
        "the first token is one place too far": {
            3: [[[1.5, 0.5], [0.9, 4.6]], [[2.5, 1.5], [3.9, -1.4]]],
            4: [[[1.9, -0.4], [0.9, 4.6]], [[2.9, 0.6], [3.9, -1.4]]],
        },
        "the tokens were multiplied by the root of the width": {
            3: [[[1.41421, 1.0], [0.5, 7.57107]], [[2.82843, 2.41421], [4.74264, -0.914214]]],
            4: [[[1.91421, 0.5], [0.9, 6.67107]], [[3.32843, 1.91421], [5.14264, -1.81421]]],
        },
        "the last rows of the table were taken; the first token stands at `start`": {
            3: [[[1.5, 0.5], [0.9, 4.6]], [[2.5, 1.5], [3.9, -1.4]]],
        },
        "the slice ends at T; it ends at `start` + T": {
            4: [[[1.5, 0.5], [0.5, 5.5]], [[2.5, 1.5], [3.5, -0.5]]],
        },
        "`start` was ignored: the first token stands at position `start`": {
            4: [[[1.0, 1.0], [0.5, 5.5]], [[2.0, 2.0], [3.5, -0.5]]],
        },
    })
    loose = {"rtol": 1e-3, "atol": 2e-4}
    right = [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0100, 1.0]]
    check(sinusoidal_positions, 2, 4).equals(right, rtol=1e-3, atol=2e-5)
    check(sinusoidal_positions, 3, 2, base=10.0).equals([[0.0, 1.0], [0.8415, 0.5403], [0.9093, -0.4161]], **loose)
    x = torch.tensor([[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]])
    table = torch.tensor([[0.0, 1.0], [0.5, 0.5], [0.9, -0.4]])
    check(add_positions, x, table).equals([[[1.0, 1.0], [0.5, 5.5]], [[2.0, 2.0], [3.5, -0.5]]])
    check(add_positions, x, table, start=1).equals([[[1.5, 0.5], [0.9, 4.6]], [[2.5, 1.5], [3.9, -1.4]]])


score
