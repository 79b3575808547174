from helpers.checks import graded


@graded("positions", points=5)
def score(check):
    import numpy as np
    import torch

    says = {
        "blocks": "all sines came first, then all cosines; they take turns",
        "swapped": "sine and cosine are exchanged: the sine comes first",
        "from_one": "positions start at 0, not at 1",
        "exponent_i": "the exponent is i / C here; it is 2i / C",
        "exponent_4": "the exponent is 4i / C here, or j / (C/2) with j = 2i: it is 2i / C",
        "no_width": "the exponent is 2i here, not divided: it is 2i / C",
        "each": "each column has a rate of its own; a sine and its cosine share one",
        "times": "the positions were multiplied by the power of the base; they are divided by it",
        "turned": "this is (C, T): positions are the rows",
        "base": "`base` was ignored",
        "sines": "there are sines only: every second column is a cosine",
        "turns": "the angles are multiplied by 2 pi; they are in radians as they are",
        "twice": "the positions were added twice",
        "start": "`start` was ignored: the first token stands at position `start`",
        "not_added": "the positions alone came back: add them to the tokens",
        "unplaced": "the tokens came back without positions",
        "batch": "the row belongs to the token, not to its sequence in the batch",
        "product": "the positions were multiplied; they are added",
        "whole": "all rates are 1: was the exponent cut off by //?",
        "short": "the slice ends at T; it ends at `start` + T",
        "computed": "the rows are those of `table`; here sines and cosines were computed anew",
        "last_rate": "the last rate is 1 / base: the exponent is 2i / C, not i / (C/2 - 1)",
        "one_row": "all tokens got the row of `start`; each gets its own",
        "dtype": "64-bit floats came: 32-bit floats are asked for",
        "beside": "the positions were put beside the tokens; they are added, not put beside",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    right = [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0100, 1.0]]
    check(sinusoidal_positions, 2, 4).equals(right, rtol=1e-3, atol=2e-5, near={
        says["no_width"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0, 1.0]],
        says["blocks"]: [[0.0, 0.0, 1.0, 1.0], [0.8415, 0.01, 0.5403, 0.9999]],
        says["swapped"]: [[1.0, 0.0, 1.0, 0.0], [0.5403, 0.8415, 0.9999, 0.01]],
        says["from_one"]: [[0.8415, 0.5403, 0.01, 0.9999], [0.9093, -0.4161, 0.02, 0.9998]],
        says["exponent_i"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0998, 0.995]],
        says["exponent_4"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0001, 1.0]],
        says["last_rate"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0001, 1.0]],
        says["each"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.995, 0.01, 1.0]],
        says["times"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, -0.5064, 0.8623]],
        says["turned"]: [[0.0, 0.8415], [1.0, 0.5403], [0.0, 0.01], [1.0, 0.9999]],
        says["sines"]: [[0.0, 0.0, 0.0, 0.0], [0.8415, 0.8415, 0.01, 0.01]],
        says["turns"]: [[0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0628, 0.998]],
        says["whole"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.8415, 0.5403]],
    })
    check(sinusoidal_positions, 3, 2, base=10.0).equals([[0.0, 1.0], [0.8415, 0.5403], [0.9093, -0.4161]], **loose)
    x = torch.tensor([[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]])
    table = torch.tensor([[0.0, 1.0], [0.5, 0.5], [0.9, -0.4]])
    check(add_positions, x, table).equals([[[1.0, 1.0], [0.5, 5.5]], [[2.0, 2.0], [3.5, -0.5]]], near={
        says["computed"]: [[[1.0, 1.0], [0.841471, 5.540302]], [[2.0, 2.0], [3.841471, -0.459698]]],
        says["twice"]: [[[1.0, 2.0], [1.0, 6.0]], [[2.0, 3.0], [4.0, 0.0]]],
        says["not_added"]: [[[0.0, 1.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]]],
        says["unplaced"]: [[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]],
        says["batch"]: [[[1.0, 1.0], [0.0, 6.0]], [[2.5, 1.5], [3.5, -0.5]]],
        says["product"]: [[[0.0, 0.0], [0.0, 2.5]], [[0.0, 1.0], [1.5, -0.5]]],
        says["beside"]: [[[1.0, 0.0, 0.0, 1.0], [0.0, 5.0, 0.5, 0.5]], [[2.0, 1.0, 0.0, 1.0], [3.0, -1.0, 0.5, 0.5]]],
        says["one_row"]: [[[1.0, 1.0], [0.0, 6.0]], [[2.0, 2.0], [3.0, 0.0]]],
    })
    check(add_positions, x, table, start=1).equals([[[1.5, 0.5], [0.9, 4.6]], [[2.5, 1.5], [3.9, -1.4]]], near={
        says["one_row"]: [[[1.5, 0.5], [0.5, 5.5]], [[2.5, 1.5], [3.5, -0.5]]],
        says["short"]: [[[1.5, 0.5], [0.5, 5.5]], [[2.5, 1.5], [3.5, -0.5]]],
        says["batch"]: [[[1.5, 0.5], [0.5, 5.5]], [[2.9, 0.6], [3.9, -1.4]]],
        says["computed"]: [[[1.841471, 0.540302], [0.909297, 4.583853]], [[2.841471, 1.540302], [3.909297, -1.416147]]],
        says["twice"]: [[[2.0, 1.0], [1.8, 4.2]], [[3.0, 2.0], [4.8, -1.8]]],
        says["start"]: [[[1.0, 1.0], [0.5, 5.5]], [[2.0, 2.0], [3.5, -0.5]]],
        says["not_added"]: [[[0.5, 0.5], [0.9, -0.4]], [[0.5, 0.5], [0.9, -0.4]]],
        says["unplaced"]: [[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]],
        says["product"]: [[[0.5, 0.0], [0.0, -2.0]], [[1.0, 0.5], [2.7, 0.4]]],
        says["beside"]: [[[1.0, 0.0, 0.5, 0.5], [0.0, 5.0, 0.9, -0.4]], [[2.0, 1.0, 0.5, 0.5], [3.0, -1.0, 0.9, -0.4]]],
    })


score
