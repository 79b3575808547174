from helpers.checks import graded


@graded("relative", points=8)
def score(check):
    import torch

    uncut = "differences beyond m must be cut to m"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the difference is turned round: it is j - i, key minus query": {
            1: [[[20.0, 10.0, 10.0], [30.0, 20.0, 10.0]]],
        },
        "a negative difference must not count from the end of the table: add m": {
            1: [[[10.0, 20.0, 20.0], [30.0, 10.0, 20.0]]],
        },
        "the sign of the difference was lost: before and after have numbers of their own": {
            1: [[[20.0, 30.0, 30.0], [30.0, 20.0, 30.0]]],
        },
        "the difference was cut by m - 1 here": {
            1: [[[20.0, 20.0, 20.0], [20.0, 20.0, 20.0]]],
        },
        "negative differences were cut to 0; they are cut to -m": {
            1: [[[20.0, 30.0, 30.0], [20.0, 20.0, 30.0]]],
        },
        "positive differences were cut to 0; they are cut to m": {
            1: [[[20.0, 20.0, 20.0], [10.0, 20.0, 20.0]]],
        },
        "the result is (H, T_q, T_k): `len_k` was not used": {
            1: [[[20.0, 30.0], [10.0, 20.0]]],
        },
        "both begin at position 0; here the queries stand at the end of the keys": {
            1: [[[10.0, 20.0, 30.0], [10.0, 10.0, 20.0]]],
        },
        "differences outside the table were taken round it; cut them to m": {
            1: [[[20.0, 30.0, 10.0], [10.0, 20.0, 30.0]]],
        },
        "this is (H, T_k, T_q): queries are in rows": {
            1: [[[20.0, 10.0], [30.0, 20.0], [30.0, 30.0]]],
        },
        "the heads come first: (H, T_q, T_k)": {
            1: [[[20.0], [30.0], [30.0]], [[10.0], [20.0], [30.0]]],
        },
        "differences beyond m got 0; they get the number for m": {
            1: [[[20.0, 30.0, 0.0], [10.0, 20.0, 30.0]]],
        },
        "the rates are base^(-i / d) here; the exponent is -2i / d": {
            2: [[0.0, 0.0], [1.0, 0.1], [2.0, 0.2]],
        },
        "the positions were multiplied by base^(+2i / d): the exponent is negative": {
            2: [[0.0, 0.0], [1.0, 100.0], [2.0, 200.0]],
        },
        "the rates are base^(-4i / d) here; the exponent is -2i / d": {
            2: [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0002]],
        },
        "the positions were counted from 1, or moved: take them as they come": {
            2: [[1.0, 0.01], [2.0, 0.02], [3.0, 0.03]],
        },
        "each angle came twice: one for each pair": {
            2: [[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.01, 0.01], [2.0, 2.0, 0.02, 0.02]],
        },
        "each angle came twice, as two halves: one for each pair": {
            2: [[0.0, 0.0, 0.0, 0.0], [1.0, 0.01, 1.0, 0.01], [2.0, 0.02, 2.0, 0.02]],
        },
        "there is one angle for each pair, not for each feature": {
            2: [[0.0, 0.0, 0.0, 0.0], [1.0, 0.1, 0.01, 0.001], [2.0, 0.2, 0.02, 0.002]],
        },
        "the angles are multiplied by 2 pi; they are in radians as they are": {
            2: [[0.0, 0.0], [6.28319, 0.0628319], [12.5664, 0.125664]],
        },
        "this is (d/2, T): positions are the rows": {
            2: [[0.0, 1.0, 2.0], [0.0, 0.01, 0.02]],
        },
        "the turn goes the wrong way: the sine with the minus belongs to the first of the pair": {
            3: [[1.0, 0.0], [0.866025, -0.5], [0.5, -0.866025], [0.0, -1.0]],
            4: [[2.0, -1.0, 3.0, 4.0]],
        },
        "the wrong pairs (feature i with i + d/2), and the turn goes the wrong way": {
            3: [[1.0, 0.0], [0.866025, -0.5], [0.5, -0.866025], [0.0, -1.0]],
            4: [[3.0, 2.0, -1.0, 4.0]],
        },
        "the second of the pair was computed from the first as already turned: keep both until the end": {
            3: [[1.0, 0.0], [0.866025, 0.433013], [0.5, 0.433013], [0.0, 0.0]],
            4: [[-2.0, -2.0, 3.0, 4.0]],
        },
        "sine and cosine are exchanged": {
            3: [[0.0, 1.0], [0.5, 0.866025], [0.866025, 0.5], [1.0, 0.0]],
            4: [[1.0, 2.0, -4.0, 3.0]],
        },
        "only x times the cosine came: the part with the sine is missing": {
            3: [[1.0, 0.0], [0.866025, 0.0], [0.5, 0.0], [0.0, 0.0]],
            4: [[0.0, 0.0, 3.0, 4.0]],
        },
        "all tokens were turned by the first token's angles": {
            3: [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]],
        },
        "x came back as it was": {
            3: [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]],
            4: [[1.0, 2.0, 3.0, 4.0]],
        },
        "the wrong pairs: feature i was paired with i + d/2. Here neighbours are a pair: (0, 1), (2, 3), ...": {
            4: [[-3.0, 2.0, 1.0, 4.0]],
        },
        "the pairs are the neighbours, but they were put back as two halves, not side by side": {
            4: [[-2.0, 3.0, 1.0, 4.0]],
        },
        "one sign is wrong: this is a mirror, not a turn": {
            4: [[-2.0, 1.0, 3.0, -4.0]],
        },
        "both sines have a plus: the first of the pair needs a minus": {
            4: [[2.0, 1.0, 3.0, 4.0]],
        },
        "the angles were laid out as two halves (repeat); the pairs are neighbours (repeat_interleave)": {
            4: [[-2.0, 2.0, -4.0, 4.0]],
        },
        "the angles are neighbours, but feature i was paired with i + d/2": {
            4: [[-3.0, -4.0, 3.0, 4.0]],
        },
        "all pairs were turned by the first pair's angle: each has its own": {
            4: [[-2.0, 1.0, -4.0, 3.0]],
        },
        "the angles were counted from the first token's: take them as they come": {
            4: [[1.0, 2.0, 3.0, 4.0]],
        },
    })
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    table = torch.tensor([[10.0, 20.0, 30.0]])  # for the differences -1, 0, 1
    check(relative_bias, table, 2, 3).equals([[[20, 30, 30], [10, 20, 30]]], near={uncut: IndexError})
    positions = torch.tensor([0.0, 1.0, 2.0])
    check(rotary_angles, positions, 4).equals([[0.0, 0.0], [1.0, 0.01], [2.0, 0.02]], **loose)
    turn = torch.pi / 6 * torch.tensor([[0.0], [1.0], [2.0], [3.0]])
    x = torch.tensor([[1.0, 0.0]]).repeat(4, 1)
    check(rotate_pairs, x, turn).equals([[1.0, 0.0], [0.866, 0.5], [0.5, 0.866], [0.0, 1.0]], **loose)
    x, quarter = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([[torch.pi / 2, 0.0]])
    check(rotate_pairs, x, quarter).equals([[-2.0, 1.0, 3.0, 4.0]], **loose)


score
