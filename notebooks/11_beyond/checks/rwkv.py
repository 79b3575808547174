from helpers.checks import graded


@graded("rwkv", points=5)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "there is nothing of the token before": {
            1: [[[3.0, 1.0], [6.0, 3.0]], [[0.0, 2.0], [1.5, 1.0]]],
        },
        "mu weighs the token itself, 1 - mu the one before": {
            1: [[[1.0, 1.0], [5.0, 4.0]], [[0.0, 2.0], [0.5, 3.0]]],
        },
        "the token after it was mixed in, not the one before": {
            1: [[[5.0, 4.0], [6.0, 3.0]], [[0.5, 3.0], [1.5, 1.0]]],
        },
        "nothing comes before the first token: that is 0": {
            1: [[[4.0, 2.0], [7.0, 4.0]], [[0.0, 4.0], [1.5, 3.0]]],
        },
        "the last token was mixed into the first": {
            1: [[[5.0, 4.0], [7.0, 4.0]], [[0.5, 3.0], [1.5, 3.0]]],
        },
        "the channels were shifted: the tokens are": {
            1: [[[3.0, 3.0], [6.0, 7.0]], [[0.0, 2.0], [1.5, 2.0]]],
        },
        "1 - mu is missing before the previous token": {
            1: [[[3.0, 1.0], [10.0, 5.0]], [[0.0, 2.0], [1.5, 5.0]]],
        },
        "mu is missing before the token itself": {
            1: [[[4.0, 2.0], [9.0, 7.0]], [[0.0, 4.0], [2.0, 4.0]]],
        },
        "this is the token two places before: the one just before is asked for": {
            1: [[[3.0, 1.0], [6.0, 3.0]], [[0.0, 2.0], [1.5, 1.0]]],
        },
        "the texts of the batch were mixed: the tokens are": {
            1: [[[3.0, 1.0], [6.0, 3.0]], [[1.0, 3.0], [3.5, 4.0]]],
        },
        "the sum above the line decays, and the one below the line does not: both do": {
            2: [[[4.0], [2.0], [3.33333]]],
            3: [[[4.0], [1.0], [5.2]]],
        },
        "the token itself was counted twice: the output comes before the state takes it in": {
            2: [[[4.0], [0.8], [6.18182]]],
            3: [[[4.0], [0.444444], [6.94737]]],
        },
        "the sum below the line decays, and the one above the line does not: both do": {
            2: [[[4.0], [2.0], [4.8]]],
            3: [[[4.0], [1.0], [6.22222]]],
        },
        "the token before decays already: its weight is e to the k, without w": {
            2: [[[4.0], [1.33333], [5.14286]]],
            3: [[[4.0], [0.571429], [6.66667]]],
        },
        "the token itself is missing below the line: it belongs in both sums": {
            2: [[[float("inf")], [4.0], [6.66667]]],
            3: [[[float("inf")], [4.0], [17.3333]]],
            4: [[[float("inf")], [4.0], [float("inf")]]],
        },
        "the token itself is missing below the line, but for the first one: it belongs in both sums": {
            2: [[[4.0], [4.0], [6.66667]]],
            3: [[[4.0], [4.0], [17.3333]]],
            4: [[[4.0], [4.0], [float("inf")]]],
        },
        "the token itself is missing above the line: it belongs in both sums": {
            2: [[[0.0], [2.0], [0.8]]],
            3: [[[0.0], [1.0], [0.444444]]],
            4: [[[0.0], [0.0], [0.0]]],
        },
        "the sum of the weights is missing below the line": {
            2: [[[4.0], [4.0], [10.0]]],
            3: [[[12.0], [4.0], [26.0]]],
            4: [[[0.0], [0.0], [float("inf")]]],
        },
        "the token itself is missing": {
            2: [[[0.0], [4.0], [1.33333]]],
            3: [[[0.0], [4.0], [1.33333]]],
            4: [[[0.0], [4.0], [0.0]]],
        },
        "the tokens after it are seen, too": {
            2: [[[4.0], [4.0], [4.0]]],
            3: [[[4.0], [2.4], [5.77778]]],
            4: [[[8.0], [8.0], [8.0]]],
        },
        "the token was kept with u for those after it: u counts for its own step alone": {
            3: [[[4.0], [2.0], [4.0]]],
        },
        "u is added to the token's own key, not subtracted": {
            3: [[[4.0], [3.0], [2.54545]]],
        },
        "e to the w decays here: w itself is subtracted in the exponent": {
            3: [[[4.0], [1.0], [5.93455]]],
        },
        "the past does not decay": {
            3: [[[4.0], [1.0], [5.6]]],
        },
        "the past grows: the decay is e to the minus w": {
            3: [[[4.0], [1.0], [5.33333]]],
        },
        "u counts for the token itself alone: it is missing, or later tokens see it, too": {
            3: [[[4.0], [2.0], [4.0]]],
        },
        "u multiplies the token's own key: it is added": {
            3: [[[4.0], [2.0], [4.0]]],
            4: [[[4.0], [0.0], [4.0]]],
        },
        "w is itself the decay here: it is e to the minus w": {
            3: [[[4.0], [1.0], [5.70461]]],
        },
        "the exponent that is taken out stays that of the first token: carry the largest one so far": {
            4: [[[4.0], [0.0], [float("nan")]]],
        },
        "the keys are missing: a value weighs by its key, too, not by its age alone": {
            4: [[[4.0], [2.0], [4.0]]],
        },
        "the token's own weight is e to the u: its key belongs there, too": {
            4: [[[4.0], [0.0], [4.0]]],
        },
        "one largest exponent of the whole text was taken: small weights vanish, 0/0; carry it from step to step": {
            4: [[[float("nan")], [float("nan")], [8.0]]],
        },
        "one largest exponent of the whole text was taken: small weights vanish, 0/0; carry it from step to step (here the largest key)": {
            4: [[[float("nan")], [float("nan")], [8.0]]],
        },
        "one largest exponent of the whole text was taken: small weights vanish, 0/0; carry it from step to step (here that of all texts)": {
            4: [[[float("nan")], [float("nan")], [8.0]]],
        },
        "e to the k overflows or vanishes: take the largest exponent out of both sums": {
            4: [[[float("nan")], [0.0], [float("nan")]]],
        },
    })
    t = torch.tensor
    rounded = {"rtol": 1e-3, "atol": 1e-3}
    x = t([[[4.0, 2.0], [8.0, 6.0]], [[0.0, 4.0], [2.0, 2.0]]])
    check(token_shift, x, t([0.75, 0.5])).equals([[[3.0, 1.0], [7.0, 4.0]], [[0.0, 2.0], [1.5, 3.0]]], **rounded)
    w, zero = t([0.6931472]), t([0.0])
    k, v = torch.zeros(1, 3, 1), t([[[4.0], [0.0], [8.0]]])
    check(wkv, w, zero, k, v).equals([[[4.0], [2.0], [4.0]]], **rounded)
    check(wkv, w, t([1.0986123]), k, v).equals([[[4.0], [1.0], [5.7778]]], **rounded)
    k = t([[[-400.0], [0.0], [400.0]]])
    check(wkv, w, zero, k, v).equals([[[4.0], [0.0], [8.0]]], about="keys in the hundreds", **rounded)


score
