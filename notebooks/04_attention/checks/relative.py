from helpers.checks import graded


@graded("relative", points=8)
def score(check):
    import numpy as np
    import torch

    says = {
        "sign": "the difference is turned round: it is j - i, key minus query",
        "uncut": "differences beyond m must be cut to m",
        "wrapped": "a negative difference must not count from the end of the table: add m",
        "absolute": "the sign of the difference was lost: before and after have numbers of their own",
        "early": "the difference was cut by m - 1 here",
        "from_0": "negative differences were cut to 0; they are cut to -m",
        "to_0": "positive differences were cut to 0; they are cut to m",
        "plus_two": "the rates are base^(-i / d) here; the exponent is -2i / d",
        "up": "the positions were multiplied by base^(+2i / d): the exponent is negative",
        "from_one": "the positions were counted from 1, or moved: take them as they come",
        "counted": "the positions were counted anew from 0: take them as they come",
        "doubled": "each angle came twice: one for each pair",
        "base": "`base` was ignored",
        "halves": "the wrong pairs: feature i was paired with i + d/2. Here neighbours are a pair: (0, 1), (2, 3), ...",
        "clockwise": "the turn goes the wrong way: the sine with the minus belongs to the first of the pair",
        "half_out": "the pairs are the neighbours, but they were put back as two halves, not side by side",
        "mixed_sign": "one sign is wrong: this is a mirror, not a turn",
        "exchanged": "sine and cosine are exchanged",
        "written": "the second of the pair was computed from the first as already turned: keep both until the end",
        "square": "the result is (H, T_q, T_k): `len_k` was not used",
        "at_end": "both begin at position 0; here the queries stand at the end of the keys",
        "first_pair": "all pairs were turned by the first pair's angle: each has its own",
        "only_cos": "only x times the cosine came: the part with the sine is missing",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    table = torch.tensor([[10.0, 20.0, 30.0]])  # for the differences -1, 0, 1
    check(relative_bias, table, 2, 3).equals([[[20, 30, 30], [10, 20, 30]]], near={
        says["sign"]: [[[20.0, 10.0, 10.0], [30.0, 20.0, 10.0]]],
        says["wrapped"]: [[[10.0, 20.0, 20.0], [30.0, 10.0, 20.0]]], says["uncut"]: IndexError,
        says["absolute"]: [[[20.0, 30.0, 30.0], [30.0, 20.0, 30.0]]],
        says["early"]: [[[20.0, 20.0, 20.0], [20.0, 20.0, 20.0]]],
        says["square"]: [[[20.0, 30.0], [10.0, 20.0]]],
        says["from_0"]: [[[20.0, 30.0, 30.0], [20.0, 20.0, 30.0]]],
        says["to_0"]: [[[20.0, 20.0, 20.0], [10.0, 20.0, 20.0]]],
        says["at_end"]: [[[10.0, 20.0, 30.0], [10.0, 10.0, 20.0]]],
    })
    positions = torch.tensor([0.0, 1.0, 2.0])
    check(rotary_angles, positions, 4).equals([[0.0, 0.0], [1.0, 0.01], [2.0, 0.02]], **loose, near={
        says["plus_two"]: [[0.0, 0.0], [1.0, 0.1], [2.0, 0.2]], says["up"]: [[0.0, 0.0], [1.0, 100.0], [2.0, 200.0]],
        says["from_one"]: [[1.0, 0.01], [2.0, 0.02], [3.0, 0.03]],
        says["doubled"]: [[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.01, 0.01], [2.0, 2.0, 0.02, 0.02]],
    })
    turn = torch.pi / 6 * torch.tensor([[0.0], [1.0], [2.0], [3.0]])
    x = torch.tensor([[1.0, 0.0]]).repeat(4, 1)
    check(rotate_pairs, x, turn).equals([[1.0, 0.0], [0.866, 0.5], [0.5, 0.866], [0.0, 1.0]], **loose, near={
        says["clockwise"]: [[1.0, 0.0], [0.866, -0.5], [0.5, -0.866], [0.0, -1.0]],
        "the wrong pairs (feature i with i + d/2), and the turn goes the wrong way": [
            [1.0, 0.0], [0.866, -0.5], [0.5, -0.866], [0.0, -1.0]],
        says["exchanged"]: [[0.0, 1.0], [0.5, 0.866], [0.866, 0.5], [1.0, 0.0]],
        says["only_cos"]: [[1.0, 0.0], [0.866, 0.0], [0.5, 0.0], [0.0, 0.0]],
        says["written"]: [[1.0, 0.0], [0.866, 0.433], [0.5, 0.433], [0.0, 0.0]],
    })
    x, quarter = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([[torch.pi / 2, 0.0]])
    check(rotate_pairs, x, quarter).equals([[-2.0, 1.0, 3.0, 4.0]], **loose, near={
        says["halves"]: [[-3.0, 2.0, 1.0, 4.0]], says["clockwise"]: [[2.0, -1.0, 3.0, 4.0]],
        says["half_out"]: [[-2.0, 3.0, 1.0, 4.0]], says["mixed_sign"]: [[-2.0, 1.0, 3.0, -4.0]],
        says["exchanged"]: [[1.0, 2.0, -4.0, 3.0]], says["only_cos"]: [[0.0, 0.0, 3.0, 4.0]],
        says["written"]: [[-2.0, -2.0, 3.0, 4.0]], says["first_pair"]: [[-2.0, 1.0, -4.0, 3.0]],
    })


score
