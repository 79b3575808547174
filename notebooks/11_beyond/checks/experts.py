from helpers.checks import graded


@graded("experts", points=8)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the gates of the chosen experts are not divided by their sum": {
            1: [[0.5, 0.3, 0.0], [0.6, 0.3, 0.0], [0.0, 0.0, 0.4]],
            2: [[0.5, 0.0, 0.4], [0.0, 0.3, 0.0], [0.0, 0.0, 0.0]],
        },
        "the gates were divided by their sum after choices were dropped: nothing is scaled up again": {
            1: [[0.625, 0.375, 0.0], [0.666667, 0.333333, 0.0], [0.0, 0.0, 1.0]],
            2: [[0.555556, 0.0, 0.444444], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]],
            3: [[1.0, 0.0], [0.0, 1.0]],
        },
        "the last tokens got the places: the first ones do": {
            1: [[0.0, 0.375, 0.0], [0.666667, 0.333333, 0.0], [0.555556, 0.0, 0.444444]],
            2: [[0.0, 0.0, 0.444444], [0.0, 0.0, 0.0], [0.625, 0.375, 0.0]],
        },
        "the capacity is ignored": {
            1: [[0.625, 0.375, 0.0], [0.666667, 0.333333, 0.0], [0.555556, 0.0, 0.444444]],
            2: [[0.555556, 0.0, 0.444444], [0.666667, 0.333333, 0.0], [0.625, 0.375, 0.0]],
            3: [[0.6, 0.4], [0.3, 0.7]],
            4: [[0.6, 0.4], [0.3, 0.7]],
        },
        "the softmax runs over the tokens: each token chooses among experts, dim=-1": {
            1: [[0.421687, 0.578313, 0.0], [0.466667, 0.533333, 0.0], [0.0, 0.0, 0.646465]],
            2: [[0.353535, 0.0, 0.646465], [0.0, 0.533333, 0.0], [0.0, 0.0, 0.0]],
            3: [[0.647059, 0.0], [0.0, 0.65625]],
        },
        "the capacity is one too small": {
            1: [[0.625, 0.375, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.444444]],
            2: [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
            3: [[0.0, 0.0], [0.0, 0.0]],
        },
        "all experts are used: k of them are": {
            1: [[0.5, 0.3, 0.2], [0.6, 0.3, 0.0], [0.0, 0.0, 0.4]],
            2: [[0.5, 0.0, 0.4], [0.0, 0.3, 0.0], [0.0, 0.0, 0.0]],
        },
        "only the first choice is used: k of them are": {
            1: [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
            2: [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
            3: [[1.0, 0.0], [0.0, 1.0]],
        },
        "the capacity is one too large": {
            1: [[0.625, 0.375, 0.0], [0.666667, 0.333333, 0.0], [0.555556, 0.0, 0.444444]],
            2: [[0.555556, 0.0, 0.444444], [0.666667, 0.333333, 0.0], [0.0, 0.375, 0.0]],
            3: [[0.6, 0.4], [0.3, 0.7]],
            4: [[0.6, 0.0], [0.0, 0.7]],
        },
        "a token of whose choices one was dropped keeps the others": {
            1: [[0.625, 0.375, 0.0], [0.666667, 0.333333, 0.0], [0.0, 0.0, 0.0]],
            2: [[0.555556, 0.0, 0.444444], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
            3: [[0.0, 0.0], [0.0, 0.0]],
        },
        "the gates are sigmoids of the logits: a softmax over the experts is asked for": {
            1: [[0.590909, 0.409091, 0.0], [0.619048, 0.380952, 0.0], [0.0, 0.0, 0.461538]],
            2: [[0.538462, 0.0, 0.461538], [0.0, 0.380952, 0.0], [0.0, 0.0, 0.0]],
            3: [[0.567568, 0.0], [0.0, 0.640845]],
        },
        "the logits were divided by their sum: take the softmax first": {
            1: [[0.365368, 0.634632, 0.0], [0.297892, 0.702107, 0.0], [0.0, 0.0, 0.569323]],
            2: [[0.430677, 0.0, 0.569323], [0.0, 0.702107, 0.0], [0.0, 0.0, 0.0]],
            3: [[0.357942, 0.0], [0.0, 0.228543]],
        },
        "the experts with the smallest probabilities were chosen": {
            1: [[0.0, 0.6, 0.4], [0.0, 0.0, 0.25], [0.0, 0.2, 0.0]],
            2: [[0.0, 0.2, 0.0], [0.0, 0.0, 0.25], [0.0, 0.0, 0.0]],
            3: [[0.0, 0.4], [0.3, 0.0]],
        },
        "the gates are 1 for each choice": {
            1: [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            2: [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]],
            3: [[1.0, 0.0], [0.0, 1.0]],
        },
        "the places went to the largest gates: they go to the tokens in their order": {
            2: [[0.0, 0.0, 0.444444], [0.666667, 0.333333, 0.0], [0.0, 0.0, 0.0]],
        },
        "a choice without a place went to another expert: it is dropped": {
            2: [[0.555556, 0.0, 0.0], [0.0, 0.333333, 0.0], [0.0, 0.0, 0.25]],
        },
        "the places were given token by token: all first choices come before any second choice": {
            3: [[0.6, 0.4], [0.0, 0.0]],
        },
        "first and second choices have places of their own here: an expert's places are for all its choices": {
            3: [[0.6, 0.4], [0.3, 0.7]],
        },
        "the gates are missing: each expert's result counts by its gate": {
            6: [[0.841345, -0.0910006], [2.99595, 0.0]],
        },
        "GELU between the two matrices is missing": {
            6: [[0.75, -1.0], [1.5, 0.0]],
        },
        "GELU is asked for between the two matrices, not ReLU": {
            6: [[0.75, 0.0], [1.5, 0.0]],
        },
        "only one expert's result is there: they are added": {
            6: [[0.631009, 0.0], [1.49798, 0.0]],
        },
        "only the last expert's result is there: they are added": {
            6: [[0.0, -0.0227501], [0.0, 0.0]],
        },
        "a token keeps its last expert's result alone: they are added": {
            6: [[0.0, -0.0227501], [1.49798, 0.0]],
        },
        "the gate is before GELU: it weighs what comes out": {
            6: [[0.580029, -0.308538], [1.39979, 0.0]],
        },
        "GELU by tanh: the exact one is asked for": {
            6: [[0.630894, -0.0227011], [1.49818, 0.0]],
        },
        "GELU is after the second matrix: it belongs between the two": {
            6: [[0.631009, -3.16799e-05], [1.49798, 0.0]],
        },
        "the gate weighs x, before the expert: it weighs what comes out": {
            6: [[0.580029, -0.308538], [1.39979, 0.0]],
        },
        "this is silu: GELU is asked for": {
            6: [[0.548294, -0.119203], [1.42886, 0.0]],
        },
        "this is the mean over all experts: they are added": {
            6: [[0.315504, -0.0113751], [0.748988, 0.0]],
        },
        "divided by the number of experts that work: the gates sum to 1 already": {
            6: [[0.315504, -0.0113751], [1.49798, 0.0]],
        },
        "the gates were divided by their sum again: they count as they are": {
            6: [[0.631009, -0.0227501], [2.99595, 0.0]],
        },
        "the gates were squared: each result counts by its gate once": {
            6: [[0.473256, -0.00568753], [0.748988, 0.0]],
        },
        "x was added: the mixture alone is asked for": {
            6: [[1.63101, -2.02275], [4.49798, 0.0]],
        },
        "the factor E is missing (or a mean over the experts was taken: their sum is asked for)": {
            8: 0.383333,
            10: 0.2,
        },
        "the shares of the choices sum to 1: divide by the number of tokens times k": {
            8: 2.3,
        },
        "only first choices are counted: all k count": {
            8: 1.6,
        },
        "only first choices are counted, and divided by all N times k": {
            8: 0.8,
        },
        "the shares were squared: choices times mean probabilities": {
            8: 1.16667,
        },
        "the probabilities were squared: choices times mean probabilities": {
            8: 1.18,
        },
        "divided by the number of experts: it is a factor": {
            8: 0.127778,
            10: 0.04,
        },
        "the loss is a number alone: keep no axis": {
            8: [1.15],
            10: [1.0],
        },
        "P_e is the mean over all tokens, not over those that chose e": {
            8: 1.3,
            10: 3.18204,
        },
        "P_e is the mean of the whole probabilities: those of experts that were not chosen are in it": {
            8: 1.06667,
            10: 0.636409,
        },
        "P_e is the mean of the probabilities, not of the gates": {
            8: 1.2338,
        },
        "the number of choices is N times k, not N times E": {
            8: 0.766667,
            10: 0.2,
        },
        "P_e is the mean of the probabilities, not their sum": {
            8: 3.45,
            10: 5.0,
        },
        "P_e is the mean of the logits' softmax, not of the logits": {
            8: -3.32346,
            10: 10.0,
        },
        "divided by k once too often": {
            8: 0.575,
        },
        "f_e is the share of choices, which are counted, not the share of their probabilities": {
            8: 1.25385,
        },
        "the softmax runs over the tokens: that over the experts is asked for": {
            8: 1.0,
        },
        "the softmax runs over all logits at once: each token has its own": {
            8: 0.383333,
            10: 0.2,
        },
    })
    t = torch.tensor
    logs = t([[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.5, 0.1, 0.4]]).log()
    rounded = {"rtol": 1e-3, "atol": 1e-3}
    check(route, logs, 2, 2).equals([[0.625, 0.375, 0.0], [0.6667, 0.3333, 0.0], [0.0, 0.0, 0.4444]], **rounded)
    check(route, logs.flip(0), 2, 1).equals(
        [[0.5556, 0.0, 0.4444], [0.0, 0.3333, 0.0], [0.0, 0.0, 0.0]], about="one place, in the order of the tokens",
        **rounded)
    logs = t([[0.6, 0.4], [0.3, 0.7]]).log()
    check(route, logs, 2, 1).equals([[0.6, 0.0], [0.0, 0.7]], **rounded)
    check(route, logs, 2, 0).equals([[0.0, 0.0], [0.0, 0.0]], about="no places")
    check(slopes, route, logs, 2, 1).equals(
        [[[0.288, -0.288], [-0.588, 0.588]]], about="gradients", **rounded,
        near={"the gradient is cut on the way from the logits to the gates": RuntimeError})
    x, gates = t([[1.0, -2.0], [3.0, 0.0]]), t([[0.75, 0.25], [0.5, 0.0]])
    up, down = t([[[1.0, 0.0]], [[0.0, 1.0]]]), t([[[1.0], [0.0]], [[0.0], [2.0]]])
    check(mixture, x, gates, up, down).equals([[0.631009, -0.02275], [1.497975, 0.0]], rtol=1e-5, atol=1e-6, near={
        "gates up to a half were left out: all that are not 0 count": [[0.631009, 0.0], [0.0, 0.0]]})
    gates = torch.eye(8).repeat(5, 1)
    check(numbers_made, mixture, torch.ones(40, 1), gates, torch.ones(8, 99, 1), torch.ones(8, 1, 99)).holds(
        lambda made: made < 8 * 40 * 99, "fewer numbers than 40 tokens make in all of the 8 experts",
        about="one expert to a token",
        near={"an expert processes only tokens that chose it: here more": lambda made: made >= 8 * 40 * 99})
    logs = t([[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.5, 0.1, 0.4]]).log()
    check(balance_loss, logs, 2).equals(1.15, **rounded)
    check(slopes, balance_loss, logs, 2).equals(
        [[[0.13417, -0.0345, -0.09967], [0.115, -0.0575, -0.0575], [0.1725, -0.00383, -0.16867]]],
        about="gradients of the loss", rtol=1e-3, atol=1e-4,
        near={"the gradient is cut: it flows through the mean probabilities": RuntimeError})
    even = torch.stack([torch.arange(5.0).roll(n) for n in range(5)])  # each expert is one token's first choice
    check(balance_loss, even, 1).equals(
        1.0, rtol=1e-4, about="an even router",
        near={"the loss of an even router is 1: divide by the number of tokens": 5.0}
    )


score
