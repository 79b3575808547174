from helpers.checks import graded


@graded("experts", points=8)
def score(check):
    import torch

    t = torch.tensor
    plain = "the gates of the chosen experts are not divided by their sum"
    scaled_up = "the gates were divided by their sum after choices were dropped: nothing is scaled up again"
    unlimited = "the capacity is ignored"
    one_more = "the capacity is one too large"
    apart = "first and second choices have places of their own here: an expert's places are for all its choices"
    by_expert = "the places were given expert by expert: all first choices come before any second choice"
    behind = "GELU stands behind the second matrix: it stands between the two"
    inside = "the gate stands before GELU: it weighs what comes out"
    early = "the gate weighs x, before the expert: it weighs what comes out"
    mean_P = "P_e is the mean of the probabilities, not their sum"
    by_E = "the number of choices is N times k, not N times E"
    at_once = "the softmax runs over all logits at once: each token has its own"
    whole_token = "a token of whose choices one was dropped keeps the others"
    everyone = "all experts are used: k of them are"
    one_less = "the capacity is one too small"
    by_token = "the places were given token by token: all first choices come before any second choice"
    by_gate = "the places went to the largest gates: they go to the tokens in their order"
    from_end = "the last tokens got the places: the first ones do"
    over_tokens = "the softmax runs over the tokens: each token chooses among experts, dim=-1"
    logs = t([[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.5, 0.1, 0.4]]).log()
    near = {"rtol": 1e-3, "atol": 1e-3}
    check(route, logs, 2, 2).equals([[0.625, 0.375, 0.0], [0.6667, 0.3333, 0.0], [0.0, 0.0, 0.4444]], **near, near={
        plain: [[0.5, 0.3, 0.0], [0.6, 0.3, 0.0], [0.0, 0.0, 0.4]],
        scaled_up: [[0.625, 0.375, 0.0], [0.6667, 0.3333, 0.0], [0.0, 0.0, 1.0]],
        unlimited: [[0.625, 0.375, 0.0], [0.6667, 0.3333, 0.0], [0.5556, 0.0, 0.4444]],
        one_more: [[0.625, 0.375, 0.0], [0.6667, 0.3333, 0.0], [0.5556, 0.0, 0.4444]],
        whole_token: [[0.625, 0.375, 0.0], [0.6667, 0.3333, 0.0], [0.0, 0.0, 0.0]],
        everyone: [[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.0, 0.0, 0.4]],
        one_less: [[0.625, 0.375, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.4444]],
        from_end: [[0.0, 0.375, 0.0], [0.6667, 0.3333, 0.0], [0.5556, 0.0, 0.4444]],
        over_tokens: [[0.0, 0.5333, 0.4667], [0.4565, 0.5435, 0.0], [0.3571, 0.0, 0.6429]],
    })
    logs = t([[0.6, 0.4], [0.3, 0.7]]).log()
    check(route, logs, 2, 1).equals([[0.6, 0.0], [0.0, 0.7]], **near, near={
        by_token: [[0.6, 0.4], [0.0, 0.0]], by_expert: [[0.6, 0.4], [0.0, 0.0]],
        unlimited: [[0.6, 0.4], [0.3, 0.7]], one_more: [[0.6, 0.4], [0.3, 0.7]], apart: [[0.6, 0.4], [0.3, 0.7]],
        whole_token: [[0.0, 0.0], [0.0, 0.0]], one_less: [[0.0, 0.0], [0.0, 0.0]],
    })
    no_gate = "the gates are missing: each expert's result counts by its gate"
    no_gelu = "GELU between the two matrices is missing"
    relu = "GELU is asked between the two matrices, not ReLU"
    first_only = "only one expert's result is there: they are added"
    x, gates = t([[1.0, -2.0], [3.0, 0.0]]), t([[0.25, 0.75], [0.5, 0.0]])
    again = "the gates were divided by their sum again: they count as they are"
    up, down = t([[[1.0, 0.0]], [[0.0, 1.0]]]), t([[[1.0], [0.0]], [[0.0], [2.0]]])
    check(mixture, x, gates, up, down).equals([[0.2103, -0.0683], [1.498, 0.0]], **near, near={
        no_gate: [[0.8413, -0.091], [2.9960, 0.0]], no_gelu: [[0.25, -3.0], [1.5, 0.0]],
        first_only: [[0.2103, 0.0], [1.498, 0.0]], behind: [[0.2103, 0.0], [1.498, 0.0]],
        relu: [[0.25, 0.0], [1.5, 0.0]], again: [[0.2103, -0.0683], [2.9959, 0.0]],
        "only the last expert's result is there: they are added": [[0.0, -0.0683], [0.0, 0.0]],
        inside: [[0.1497, -0.2004], [1.3998, 0.0]], early: [[0.1497, -0.2004], [1.3998, 0.0]],
    })
    logs = t([[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.5, 0.1, 0.4]]).log()
    no_E = "the factor E is missing"
    f_sum = "the shares of the choices sum to 1: divide by the number of tokens times k"
    only_first = "only first choices are counted: all k count"
    check(balance_loss, logs, 2).equals(1.15, **near, near={
        no_E: 0.3833, at_once: 0.3833, f_sum: 2.3, only_first: 1.6,
        "the mean over the experts is taken: their sum is asked": 0.3834,
        "the probabilities were squared: choices times mean probabilities": 1.18,
        "P_e is the mean over all tokens, not over those that chose e": 1.3,
        "P_e is the mean of the whole probabilities: those of experts that were not chosen are in it": 1.0667,
        "P_e is the mean of the probabilities, not of the gates": 1.2338,
        mean_P: 3.45, by_E: 0.7667, "divided by k once too often": 0.575,
        "f_e is the share of choices, which are counted, not the share of their probabilities": 1.2539,
        "the shares were squared: choices times mean probabilities": 1.1667,
    })
    check(balance_loss, torch.zeros(4, 5), 1).equals(1.0, rtol=1e-4, about="an even router", near={
        no_E: 0.2, "the loss of an even router is 1: divide by the number of tokens": 4.0, mean_P: 4.0, by_E: 0.2})


score
