from helpers.checks import graded


@graded("positions", points=7)
def score(check):
    import torch

    columns = "the columns were shuffled; the tokens are the rows"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the output was not shuffled on the one side: that asks for invariance, not for equivariance": {
            1: 2.0,
            2: 5.0,
            3: 19.0855,
        },
        "the input was shuffled on neither side: one side is the layer of x[order]": {
            1: 5.0,
            3: 19.0855,
        },
        "the output was put back by the inverse order; shuffle it by the same order as the input": {
            1: 5.0,
            2: 3.0,
            3: 17.3673,
        },
        "the input was shuffled by the inverse order; use the same order on both sides": {
            1: 4.0,
            2: 8.0,
            3: 17.3673,
        },
        "input and output were both shuffled on one side": {
            1: 5.0,
            2: 3.0,
            3: 17.3673,
        },
        "the smallest difference was taken from the largest; the largest absolute one is asked for": {
            1: 6.0,
            2: 7.0,
        },
        "the largest entries of both sides were compared; take the differences entry by entry first": {
            1: 0.0,
            2: 1.0,
        },
        "the largest entries of both sides were compared; take the differences entry by entry first (of absolute values)": {
            1: 0.0,
            2: 1.0,
        },
        "the means of both sides were compared; the largest difference of the entries is asked for": {
            1: 1.0,
            2: 1.0,
        },
        "this is the sum of the differences; the largest is asked for": {
            1: 9.0,
            2: 16.0,
        },
        "these are all differences; the largest is asked for": {
            1: [[3.0], [3.0], [3.0]],
            2: [[3.0, 1.0], [4.0, 2.0], [4.0, 2.0], [0.0, 0.0]],
            3: [[0.0], [0.0], [0.0], [0.0]],
        },
        "both sides are the same thing here: shuffle the output on the one, the input on the other": {
            1: 0.0,
            2: 0.0,
        },
        "this is the squared difference": {
            1: 9.0,
            2: 16.0,
        },
        "the layer was applied twice": {
            1: 9.0,
            2: 12.0,
        },
        "this is a norm of all differences; the largest is asked for": {
            1: 5.19615,
            2: 7.07107,
        },
        "there is one number for each feature; the largest of all is asked for": {
            1: [3.0],
            2: [4.0, 2.0],
            3: [0.0],
        },
        "the layer is missing on one side": {
            1: 4.0,
            2: 8.0,
            3: 17.0855,
        },
        "this is a bool; the difference itself is asked for": {
            1: False,
            2: False,
            3: True,
        },
        "the sign counts here: take absolute values before the maximum": {
            2: 3.0,
        },
        "this is the mean of the differences; the largest is asked for": {
            2: 2.0,
        },
        "only the first token was compared; the largest difference of all is asked for": {
            2: 3.0,
        },
        "all sines come first here, then all cosines; they must alternate": {
            4: [[0.0, 0.0, 1.0, 1.0], [0.841471, 0.00999983, 0.540302, 0.99995]],
            6: [[0.0, 0.0, 1.0, 1.0], [0.841471, 0.0998334, 0.540302, 0.995004],
             [0.909297, 0.198669, -0.416147, 0.980067]],
        },
        "sine and cosine are exchanged: the sine comes first": {
            4: [[1.0, 0.0, 1.0, 0.0], [0.540302, 0.841471, 0.99995, 0.00999983]],
            6: [[1.0, 0.0, 1.0, 0.0], [0.540302, 0.841471, 0.995004, 0.0998334],
             [-0.416147, 0.909297, 0.980067, 0.198669]],
        },
        "positions start at 0, not at 1": {
            4: [[0.841471, 0.540302, 0.00999983, 0.99995], [0.909297, -0.416147, 0.0199987, 0.9998]],
            6: [[0.841471, 0.540302, 0.0998334, 0.995004], [0.909297, -0.416147, 0.198669, 0.980067],
             [0.14112, -0.989992, 0.29552, 0.955337]],
        },
        "the exponent is i / C here; it is 2i / C": {
            4: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.0998334, 0.995004]],
            6: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.310984, 0.950415],
             [0.909297, -0.416147, 0.591127, 0.806578]],
        },
        "the exponent is 4i / C here, or j / (C/2) with j = 2i: it is 2i / C": {
            4: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.0001, 1.0]],
            6: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.00999983, 0.99995],
             [0.909297, -0.416147, 0.0199987, 0.9998]],
        },
        "the exponent is 2i here, not divided: it is 2i / C": {
            4: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.0, 1.0]],
            6: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.0, 1.0], [0.909297, -0.416147, 0.0002, 1.0]],
        },
        "each column has a rate of its own; a sine and its cosine share one": {
            4: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.995004, 0.00999983, 1.0]],
            6: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.950415, 0.0998334, 0.9995],
             [0.909297, 0.806578, 0.198669, 0.998001]],
        },
        "the positions were multiplied by the power of the base; they are divided by it": {
            4: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, -0.506366, 0.862319]],
            6: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, -0.544021, -0.839072],
             [0.909297, -0.416147, 0.912945, 0.408082]],
        },
        "this is (C, T): positions are the rows": {
            4: [[0.0, 0.841471], [1.0, 0.540302], [0.0, 0.00999983], [1.0, 0.99995]],
            6: [[0.0, 0.841471, 0.909297], [1.0, 0.540302, -0.416147], [0.0, 0.0998334, 0.198669],
             [1.0, 0.995004, 0.980067]],
        },
        "all rates are 1: was the exponent cut off by //?": {
            4: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.841471, 0.540302]],
            6: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.841471, 0.540302],
             [0.909297, -0.416147, 0.909297, -0.416147]],
        },
        "there are sines only: every second column is a cosine": {
            4: [[0.0, 0.0, 0.0, 0.0], [0.841471, 0.841471, 0.00999983, 0.00999983]],
            6: [[0.0, 0.0, 0.0, 0.0], [0.841471, 0.841471, 0.0998334, 0.0998334],
             [0.909297, 0.909297, 0.198669, 0.198669]],
        },
        "the angles are multiplied by 2 pi; they are in radians as they are": {
            4: [[0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0627905, 0.998027]],
            6: [[0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.587785, 0.809017], [0.0, 1.0, 0.951057, 0.309017]],
        },
        "the last rate is 1 / base: the exponent is 2i / C, not i / (C/2 - 1)": {
            4: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.0001, 1.0]],
            6: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.00999983, 0.99995],
             [0.909297, -0.416147, 0.0199987, 0.9998]],
        },
        "`base` was ignored": {
            6: [[0.0, 1.0, 0.0, 1.0], [0.841471, 0.540302, 0.00999983, 0.99995],
             [0.909297, -0.416147, 0.0199987, 0.9998]],
        },
        "the rows are those of `table`; here sines and cosines were computed anew": {
            7: [[[1.0, 1.0], [0.841471, 5.5403]], [[2.0, 2.0], [3.84147, -0.459698]]],
            8: [[[1.84147, 0.540302], [0.909297, 4.58385]], [[2.84147, 1.5403], [3.9093, -1.41615]]],
        },
        "the positions were added twice": {
            7: [[[1.0, 2.0], [1.0, 6.0]], [[2.0, 3.0], [4.0, 0.0]]],
            8: [[[2.0, 1.0], [1.8, 4.2]], [[3.0, 2.0], [4.8, -1.8]]],
        },
        "the positions alone came back: add them to the tokens": {
            7: [[[0.0, 1.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]]],
            8: [[[0.5, 0.5], [0.9, -0.4]], [[0.5, 0.5], [0.9, -0.4]]],
        },
        "the tokens came back without positions": {
            7: [[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]],
            8: [[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]],
        },
        "the row belongs to the token, not to its sequence in the batch": {
            7: [[[1.0, 1.0], [0.0, 6.0]], [[2.5, 1.5], [3.5, -0.5]]],
            8: [[[1.5, 0.5], [0.5, 5.5]], [[2.9, 0.6], [3.9, -1.4]]],
        },
        "the positions were multiplied; they are added": {
            7: [[[0.0, 0.0], [0.0, 2.5]], [[0.0, 1.0], [1.5, -0.5]]],
            8: [[[0.5, 0.0], [0.0, -2.0]], [[1.0, 0.5], [2.7, 0.4]]],
        },
        "the positions were put beside the tokens; they are added, not put beside": {
            7: [[[1.0, 0.0, 0.0, 1.0], [0.0, 5.0, 0.5, 0.5]], [[2.0, 1.0, 0.0, 1.0], [3.0, -1.0, 0.5, 0.5]]],
            8: [[[1.0, 0.0, 0.5, 0.5], [0.0, 5.0, 0.9, -0.4]], [[2.0, 1.0, 0.5, 0.5], [3.0, -1.0, 0.9, -0.4]]],
        },
        "all tokens got the row of `start`; each gets its own": {
            7: [[[1.0, 1.0], [0.0, 6.0]], [[2.0, 2.0], [3.0, 0.0]]],
            8: [[[1.5, 0.5], [0.5, 5.5]], [[2.5, 1.5], [3.5, -0.5]]],
        },
        "the first token is one position too far": {
            7: [[[1.5, 0.5], [0.9, 4.6]], [[2.5, 1.5], [3.9, -1.4]]],
            8: [[[1.9, -0.4], [0.9, 4.6]], [[2.9, 0.6], [3.9, -1.4]]],
        },
        "the tokens were multiplied by the root of the width": {
            7: [[[1.41421, 1.0], [0.5, 7.57107]], [[2.82843, 2.41421], [4.74264, -0.914214]]],
            8: [[[1.91421, 0.5], [0.9, 6.67107]], [[3.32843, 1.91421], [5.14264, -1.81421]]],
        },
        "the last rows of the table were taken; the first token is at `start`": {
            7: [[[1.5, 0.5], [0.9, 4.6]], [[2.5, 1.5], [3.9, -1.4]]],
        },
        "the slice ends at T; it ends at `start` + T": {
            8: [[[1.5, 0.5], [0.5, 5.5]], [[2.5, 1.5], [3.5, -0.5]]],
        },
        "`start` was ignored: the first token is at position `start`": {
            8: [[[1.0, 1.0], [0.5, 5.5]], [[2.0, 2.0], [3.5, -0.5]]],
        },
    })
    def running(x):
        return torch.cumsum(x, 0)

    def lag(x):
        return x - torch.roll(x, 1, 0)

    x = torch.tensor([[1.0], [2.0], [3.0]])
    order = torch.tensor([2, 0, 1])
    check(equivariance_gap, running, x, order).equals(3.0, near={columns: IndexError})
    x, order = torch.tensor([[4.0, 0.0], [-1.0, 1.0], [4.0, 2.0], [-2.0, 0.0]]), torch.tensor([2, 0, 1, 3])
    check(equivariance_gap, running, x, order).equals(
        4.0, rtol=1e-4, near={"the differences of a token's features were added up: take them one by one": 6.0}
    )
    x, order = torch.tensor([[0.0], [1.0], [2.0], [3.0]]), torch.tensor([1, 2, 3, 0])
    check(equivariance_gap, torch.exp, x, order).equals(0.0, atol=1e-6)
    from helpers.checks.gradients import cut

    loose = {"rtol": 1e-3, "atol": 2e-4}
    right = [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0100, 1.0]]
    check(sinusoidal_positions, 2, 4).equals(right, rtol=1e-3, atol=2e-5)
    check(sinusoidal_positions, 2, 4).holds(
        lambda t: t.dtype == torch.float32, "a tensor of float32", about="its dtype",
        near={"another dtype than float32 came": lambda t: t.dtype != torch.float32},
    )
    check(sinusoidal_positions, 3, 4, base=100.0).equals(
        [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0998, 0.9950], [0.9093, -0.4161, 0.1987, 0.9801]], **loose
    )
    x = torch.tensor([[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]])
    table = torch.tensor([[0.0, 1.0], [0.5, 0.5], [0.9, -0.4]])
    whole = check(add_positions, x, table).equals([[[1.0, 1.0], [0.5, 5.5]], [[2.0, 2.0], [3.5, -0.5]]])
    check(add_positions, x, table, start=1).equals([[[1.5, 0.5], [0.9, 4.6]], [[2.5, 1.5], [3.9, -1.4]]])
    check(slopes, add_positions, x[:1], table).equals(
        [[[[2.0, 2.0], [1.0, 11.0]]], [[2.0, 2.0], [1.0, 11.0], [0.0, 0.0]]], about="gradients of the squares",
        near=cut(whole),
    )


score
