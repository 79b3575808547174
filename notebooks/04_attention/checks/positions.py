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
        "dtype": "64-bit floats came: 32-bit floats are asked for",
        "beside": "the positions were put beside the tokens; they are added, not put beside",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    check(sinusoidal_positions, 2, 4).equals([[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0100, 1.0]], **loose, near={
        says["blocks"]: [[0.0, 0.0, 1.0, 1.0], [0.8415, 0.01, 0.5403, 0.9999]],
        says["swapped"]: [[1.0, 0.0, 1.0, 0.0], [0.5403, 0.8415, 0.9999, 0.01]],
        says["from_one"]: [[0.8415, 0.5403, 0.01, 0.9999], [0.9093, -0.4161, 0.02, 0.9998]],
        says["exponent_i"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0998, 0.995]],
        says["exponent_4"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0001, 1.0]],
        says["each"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.995, 0.01, 1.0]],
        says["times"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, -0.5064, 0.8623]],
        says["turned"]: [[0.0, 0.8415], [1.0, 0.5403], [0.0, 0.01], [1.0, 0.9999]],
        says["sines"]: [[0.0, 0.0, 0.0, 0.0], [0.8415, 0.8415, 0.01, 0.01]],
        says["turns"]: [[0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0628, 0.998]],
        says["whole"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.8415, 0.5403]],
    })
    check(sinusoidal_positions, 3, 2, base=10.0).equals([[0.0, 1.0], [0.8415, 0.5403], [0.9093, -0.4161]], **loose)
    x, table = torch.tensor([[[1.0, 0.0], [0.0, 5.0]]]), torch.tensor([[0.0, 1.0], [0.5, 0.5], [0.9, -0.4]])
    check(add_positions, x, table).equals([[[1.0, 1.0], [0.5, 5.5]]], near={
        says["computed"]: [[[1.0, 1.0], [0.84147, 5.5403]]],
        says["twice"]: [[[1.0, 2.0], [1.0, 6.0]]], says["not_added"]: [[[0.0, 1.0], [0.5, 0.5]]],
        says["unplaced"]: [[[1.0, 0.0], [0.0, 5.0]]], says["batch"]: [[[1.0, 1.0], [0.0, 6.0]]],
        says["product"]: [[[0.0, 0.0], [0.0, 2.5]]], says["beside"]: [[[1.0, 0.0, 0.0, 1.0], [0.0, 5.0, 0.5, 0.5]]],
    })
    check(add_positions, x, table, start=1).equals([[[1.5, 0.5], [0.9, 4.6]]], near={
        "both tokens got the same row: each gets its own, from `start` to `start` + T": [[[1.5, 0.5], [0.5, 5.5]]],
        says["computed"]: [[[1.84147, 0.5403], [0.9093, 4.58385]]],
        says["twice"]: [[[2.0, 1.0], [1.8, 4.2]]], says["start"]: [[[1.0, 1.0], [0.5, 5.5]]],
        says["not_added"]: [[[0.5, 0.5], [0.9, -0.4]]], says["unplaced"]: [[[1.0, 0.0], [0.0, 5.0]]],
        says["product"]: [[[0.5, 0.0], [0.0, -2.0]]],
        says["beside"]: [[[1.0, 0.0, 0.5, 0.5], [0.0, 5.0, 0.9, -0.4]]],
    })


score
