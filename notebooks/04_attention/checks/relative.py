from helpers.checks import graded


@graded("relative", points=7)
def score(check):
    import torch

    uncut = "differences beyond m must be cut to m"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the difference is reversed: it is j - i, key minus query": {
            1: [[[20.0, 10.0, 10.0], [30.0, 20.0, 10.0]], [[2.0, 1.0, 1.0], [3.0, 2.0, 1.0]]],
        },
        "a negative difference must not count from the end of the table: add m": {
            1: [[[10.0, 20.0, 20.0], [30.0, 10.0, 20.0]], [[1.0, 2.0, 2.0], [3.0, 1.0, 2.0]]],
        },
        "the sign of the difference was lost: before and after have numbers of their own": {
            1: [[[20.0, 30.0, 30.0], [30.0, 20.0, 30.0]], [[2.0, 3.0, 3.0], [3.0, 2.0, 3.0]]],
        },
        "the difference was cut by m - 1 here": {
            1: [[[20.0, 20.0, 20.0], [20.0, 20.0, 20.0]], [[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]],
        },
        "negative differences were cut to 0; they are cut to -m": {
            1: [[[20.0, 30.0, 30.0], [20.0, 20.0, 30.0]], [[2.0, 3.0, 3.0], [2.0, 2.0, 3.0]]],
        },
        "positive differences were cut to 0; they are cut to m": {
            1: [[[20.0, 20.0, 20.0], [10.0, 20.0, 20.0]], [[2.0, 2.0, 2.0], [1.0, 2.0, 2.0]]],
        },
        "the result is (H, T_q, T_k): `len_k` was not used": {
            1: [[[20.0, 30.0], [10.0, 20.0]], [[2.0, 3.0], [1.0, 2.0]]],
        },
        "both begin at position 0; here the queries were put at the end of the keys": {
            1: [[[10.0, 20.0, 30.0], [10.0, 10.0, 20.0]], [[1.0, 2.0, 3.0], [1.0, 1.0, 2.0]]],
        },
        "differences outside the table were wrapped around; cut them to m": {
            1: [[[20.0, 30.0, 10.0], [10.0, 20.0, 30.0]], [[2.0, 3.0, 1.0], [1.0, 2.0, 3.0]]],
        },
        "this is (H, T_k, T_q): queries are in rows": {
            1: [[[20.0, 10.0], [30.0, 20.0], [30.0, 30.0]], [[2.0, 1.0], [3.0, 2.0], [3.0, 3.0]]],
        },
        "the heads come first: (H, T_q, T_k)": {
            1: [[[20.0, 2.0], [30.0, 3.0], [30.0, 3.0]], [[10.0, 1.0], [20.0, 2.0], [30.0, 3.0]]],
        },
        "only the first head's numbers were used": {
            1: [[[20.0, 30.0, 30.0], [10.0, 20.0, 30.0]], [[20.0, 30.0, 30.0], [10.0, 20.0, 30.0]]],
        },
        "differences beyond m got 0; they get the number for m": {
            1: [[[20.0, 30.0, 0.0], [10.0, 20.0, 30.0]], [[2.0, 3.0, 0.0], [1.0, 2.0, 3.0]]],
        },
        "the rates are base^(-i / d) here; the exponent is -2i / d": {
            3: [[0.5, 0.05], [2.5, 0.25], [1.0, 0.1]],
            4: [[3.0, 0.948683], [0.0, 0.0], [5.0, 1.58114]],
        },
        "the positions were multiplied by base^(+2i / d): the exponent is negative": {
            3: [[0.5, 50.0], [2.5, 250.0], [1.0, 100.0]],
            4: [[3.0, 30.0], [0.0, 0.0], [5.0, 50.0]],
        },
        "the rates are base^(-4i / d) here; the exponent is -2i / d": {
            3: [[0.5, 0.0], [2.5, 0.00025], [1.0, 0.0]],
            4: [[3.0, 0.03], [0.0, 0.0], [5.0, 0.05]],
        },
        "the positions were counted from 1, or moved: take them as they come": {
            3: [[1.5, 0.015], [3.5, 0.035], [2.0, 0.02]],
            4: [[4.0, 0.4], [1.0, 0.1], [6.0, 0.6]],
        },
        "the positions were counted anew from 0: take them as they come": {
            3: [[0.0, 0.0], [1.0, 0.01], [2.0, 0.02]],
            4: [[0.0, 0.0], [1.0, 0.1], [2.0, 0.2]],
        },
        "each angle is there twice: one for each pair": {
            3: [[0.5, 0.5, 0.005, 0.005], [2.5, 2.5, 0.025, 0.025], [1.0, 1.0, 0.01, 0.01]],
            4: [[3.0, 3.0, 0.3, 0.3], [0.0, 0.0, 0.0, 0.0], [5.0, 5.0, 0.5, 0.5]],
        },
        "each angle is there twice, as two halves: one for each pair": {
            3: [[0.5, 0.005, 0.5, 0.005], [2.5, 0.025, 2.5, 0.025], [1.0, 0.01, 1.0, 0.01]],
            4: [[3.0, 0.3, 3.0, 0.3], [0.0, 0.0, 0.0, 0.0], [5.0, 0.5, 5.0, 0.5]],
        },
        "the positions were cut to whole numbers: they may be any": {
            3: [[0.0, 0.0], [2.0, 0.02], [1.0, 0.01]],
        },
        "there is one angle for each pair, not for each feature": {
            3: [[0.5, 0.05, 0.005, 0.0005], [2.5, 0.25, 0.025, 0.0025], [1.0, 0.1, 0.01, 0.001]],
            4: [[3.0, 0.948683, 0.3, 0.0948683], [0.0, 0.0, 0.0, 0.0], [5.0, 1.58114, 0.5, 0.158114]],
        },
        "the angles are multiplied by 2 pi; they are in radians as they are": {
            3: [[3.14159, 0.0314159], [15.708, 0.15708], [6.28319, 0.0628319]],
            4: [[18.8496, 1.88496], [0.0, 0.0], [31.4159, 3.14159]],
        },
        "this is (d/2, T): positions are the rows": {
            3: [[0.5, 2.5, 1.0], [0.005, 0.025, 0.01]],
            4: [[3.0, 0.0, 5.0], [0.3, 0.0, 0.5]],
        },
        "`base` was ignored": {
            4: [[3.0, 0.03], [0.0, 0.0], [5.0, 0.05]],
        },
        "the turn goes the wrong way: the sine with the minus belongs to the first of the pair": {
            6: [[1.0, 0.0], [0.866025, -0.5], [0.5, -0.866025], [0.0, -1.0]],
            7: [[2.0, -1.0, 3.0, 4.0]],
        },
        "the wrong pairs (feature i with i + d/2), and the turn goes the wrong way": {
            6: [[1.0, 0.0], [0.866025, -0.5], [0.5, -0.866025], [0.0, -1.0]],
            7: [[3.0, 2.0, -1.0, 4.0]],
        },
        "the second of the pair was computed from the first as already turned: keep both until the end": {
            6: [[1.0, 0.0], [0.866025, 0.433013], [0.5, 0.433013], [0.0, 0.0]],
            7: [[-2.0, -2.0, 3.0, 4.0]],
        },
        "sine and cosine are exchanged": {
            6: [[0.0, 1.0], [0.5, 0.866025], [0.866025, 0.5], [1.0, 0.0]],
            7: [[1.0, 2.0, -4.0, 3.0]],
        },
        "only x times the cosine is there: the part with the sine is missing": {
            6: [[1.0, 0.0], [0.866025, 0.0], [0.5, 0.0], [0.0, 0.0]],
            7: [[0.0, 0.0, 3.0, 4.0]],
        },
        "all tokens were turned by the first token's angles": {
            6: [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]],
        },
        "x came back as it was": {
            6: [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]],
            7: [[1.0, 2.0, 3.0, 4.0]],
        },
        "the wrong pairs: feature i was paired with i + d/2. Here neighbours are a pair: (0, 1), (2, 3), ...": {
            7: [[-3.0, 2.0, 1.0, 4.0]],
        },
        "the pairs are the neighbours, but they were put back as two halves, not side by side": {
            7: [[-2.0, 3.0, 1.0, 4.0]],
        },
        "the wrong pairs (feature i with i + d/2), and they were put back side by side": {
            7: [[-3.0, 1.0, 2.0, 4.0]],
        },
        "one sign is wrong: this is a mirror, not a turn": {
            7: [[-2.0, 1.0, 3.0, -4.0]],
        },
        "both sines have a plus: the first of the pair needs a minus": {
            7: [[2.0, 1.0, 3.0, 4.0]],
        },
        "the angles were laid out as two halves (repeat); the pairs are neighbours (repeat_interleave)": {
            7: [[-2.0, 2.0, -4.0, 4.0]],
        },
        "the angles are neighbours, but feature i was paired with i + d/2": {
            7: [[-3.0, -4.0, 3.0, 4.0]],
        },
        "all pairs were turned by the first pair's angle: each has its own": {
            7: [[-2.0, 1.0, -4.0, 3.0]],
        },
        "the angles were counted from the first token's: take them as they come": {
            7: [[1.0, 2.0, 3.0, 4.0]],
        },
    })
    from helpers.checks.gradients import cut

    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    table = torch.tensor([[10.0, 20.0, 30.0], [1.0, 2.0, 3.0]])  # for the differences -1, 0, 1
    of_bias = check(relative_bias, table, 2, 3).equals(
        [[[20, 30, 30], [10, 20, 30]], [[2, 3, 3], [1, 2, 3]]], near={uncut: IndexError}
    )
    flow = {"about": "gradients of the squares", **loose}
    check(slopes, relative_bias, table[:1], 2, 3).equals([[[20.0, 80.0, 180.0]]], near=cut(of_bias), **flow)
    check(rotary_angles, torch.tensor([0.5, 2.5, 1.0]), 4).equals([[0.5, 0.005], [2.5, 0.025], [1.0, 0.01]], **loose)
    check(rotary_angles, torch.tensor([3, 0, 5]), 4, base=100.0).equals(
        [[3.0, 0.3], [0.0, 0.0], [5.0, 0.5]], rtol=1e-3, atol=2e-4
    )
    check(rotary_angles, torch.tensor([3, 0, 5]), 4).holds(
        lambda t: t.dtype == torch.float32, "a tensor of float32", about="integers give float32",
        near={"another dtype than float32 came": lambda t: t.dtype != torch.float32},
    )
    turn = torch.pi / 6 * torch.tensor([[0.0], [1.0], [2.0], [3.0]])
    x = torch.tensor([[1.0, 0.0]]).repeat(4, 1)
    check(rotate_pairs, x, turn).equals([[1.0, 0.0], [0.866, 0.5], [0.5, 0.866], [0.0, 1.0]], **loose)
    x, quarter = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([[torch.pi / 2, 0.0]])
    of_turned = check(rotate_pairs, x, quarter).equals([[-2.0, 1.0, 3.0, 4.0]], **loose)
    check(slopes, rotate_pairs, x, quarter, fixed=(1,)).equals(
        [[[2.0, 4.0, 6.0, 8.0]]], near=cut(of_turned), **flow
    )


score
