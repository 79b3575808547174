from helpers.checks import graded


@graded("rwkv", points=5)
def score(check):
    import torch

    t = torch.tensor
    near = {"rtol": 1e-3, "atol": 1e-3}
    no_shift = "there is nothing of the token before"
    two_back = "this is the token two places before: the one just before is asked"
    swapped = "mu weighs the token itself, 1 - mu the one before"
    ahead = "the token after it was mixed in, not the one before"
    x = t([[[4.0, 2.0], [8.0, 6.0]], [[0.0, 4.0], [2.0, 2.0]]])
    check(token_shift, x, t([0.75, 0.5])).equals([[[3.0, 1.0], [7.0, 4.0]], [[0.0, 2.0], [1.5, 3.0]]], **near, near={
        no_shift: [[[3.0, 1.0], [6.0, 3.0]], [[0.0, 2.0], [1.5, 1.0]]],
        two_back: [[[3.0, 1.0], [6.0, 3.0]], [[0.0, 2.0], [1.5, 1.0]]],
        swapped: [[[1.0, 1.0], [5.0, 4.0]], [[0.0, 2.0], [0.5, 3.0]]],
        ahead: [[[5.0, 4.0], [6.0, 3.0]], [[0.5, 3.0], [1.5, 1.0]]],
        "nothing stands before the first token: that is 0": [[[4.0, 2.0], [7.0, 4.0]], [[0.0, 4.0], [1.5, 3.0]]],
        "the last token was mixed into the first": [[[5.0, 4.0], [7.0, 4.0]], [[0.5, 3.0], [1.5, 3.0]]],
    })
    w, zero = t([0.6931472]), t([0.0])
    k, v = torch.zeros(1, 3, 1), t([[[4.0], [0.0], [8.0]]])
    early = "the token before decays already: its weight is e to the k, without w"
    no_decay = "the past does not decay"
    grows = "the past grows: the decay is e to the minus w"
    half = "the sum above the line decays, and the one below the line does not: both do"
    twice = "the token itself was counted twice: the output comes before the state takes it in"
    raised = "e to the w decays here: w itself is subtracted in the exponent"
    undivided = "the sum of the weights is missing below the line"
    check(wkv, w, zero, k, v).equals([[[4.0], [2.0], [4.0]]], **near, near={
        early: [[[4.0], [1.3333], [5.1429]]],
        half: [[[4.0], [2.0], [3.3333]]], twice: [[[4.0], [0.8], [6.1818]]],
        undivided: [[[4.0], [4.0], [10.0]]],
        "the token itself is missing": [[[0.0], [4.0], [1.3333]]],
    })
    no_u = "u counts for the token itself alone: it is missing, or later tokens see it, too"
    times_u = "u multiplies the token's own key: it is added"
    less = "u is added to the token's own key, not subtracted"
    check(wkv, w, t([1.0986123]), k, v).equals([[[4.0], [1.0], [5.7778]]], **near, near={
        no_u: [[[4.0], [2.0], [4.0]]], times_u: [[[4.0], [2.0], [4.0]]], no_decay: [[[4.0], [1.0], [5.6]]],
        grows: [[[4.0], [1.0], [5.3333]]], less: [[[4.0], [3.0], [2.5455]]],
        half: [[[4.0], [1.0], [5.2]]], twice: [[[4.0], [0.4444], [6.9474]]], raised: [[[4.0], [1.0], [5.9346]]],
        early: [[[4.0], [0.5714], [6.6667]]],
        undivided: [[[12.0], [4.0], [26.0]]],
    })


score
