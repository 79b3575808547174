from helpers.checks import graded


@graded("cross", points=6)
def score(check):
    import torch

    no_minus = "the minus in front of the logarithm is missing"
    with_empty = "a question without a right passage is left out of the mean: it neither adds nor counts"
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the last [SEP] is missing: it closes the passage, cut or not": {
            1: ([1, 7, 8, 2, 4, 5, 6], [0, 0, 0, 0, 1, 1, 1]),
            2: ([1, 7, 8, 2, 4, 5], [0, 0, 0, 0, 1, 1]),
            3: ([1, 7, 8, 2], [0, 0, 0, 0]),
        },
        "the last [SEP] belongs to the passage: segment 1": {
            1: ([1, 7, 8, 2, 4, 5, 6, 2], [0, 0, 0, 0, 1, 1, 1, 0]),
            2: ([1, 7, 8, 2, 4, 5, 2], [0, 0, 0, 0, 1, 1, 0]),
            3: ([1, 7, 8, 2, 2], [0, 0, 0, 0, 0]),
        },
        "the first [SEP] belongs to the question: segment 0": {
            1: ([1, 7, 8, 2, 4, 5, 6, 2], [0, 0, 0, 1, 1, 1, 1, 1]),
            2: ([1, 7, 8, 2, 4, 5, 2], [0, 0, 0, 1, 1, 1, 1]),
            3: ([1, 7, 8, 2, 2], [0, 0, 0, 1, 1]),
        },
        "the question comes first, then the passage": {
            1: ([1, 4, 5, 6, 2, 7, 8, 2], [0, 0, 0, 0, 0, 1, 1, 1]),
            2: ([1, 4, 5, 6, 5, 4, 5, 6, 4, 6, 2, 2], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
            3: ([1, 4, 5, 2, 2], [0, 0, 0, 0, 1]),
        },
        "a passage that fits lost all its tokens: where 0 are too many, [:-0] is empty": {
            1: ([1, 7, 8, 2, 2], [0, 0, 0, 0, 1]),
        },
        "a passage that fits was cut, too: with n below 0, [:-n] counts from the start": {
            1: ([1, 7, 8, 2, 4, 2], [0, 0, 0, 0, 1, 1]),
        },
        "a pair that is shorter than `length` stays short: here it was filled up": {
            1: ([1, 7, 8, 2, 4, 5, 6, 2, 0], [0, 0, 0, 0, 1, 1, 1, 1, 0]),
        },
        "the segments are exchanged: 0 for the question, 1 for the passage": {
            1: ([1, 7, 8, 2, 4, 5, 6, 2], [1, 1, 1, 1, 0, 0, 0, 0]),
            2: ([1, 7, 8, 2, 4, 5, 2], [1, 1, 1, 1, 0, 0, 0]),
            3: ([1, 7, 8, 2, 2], [1, 1, 1, 1, 0]),
        },
        "the ids of [CLS] and [SEP] are arguments: they were ignored": {
            1: ([101, 7, 8, 102, 4, 5, 6, 102], [0, 0, 0, 0, 1, 1, 1, 1]),
            2: ([101, 7, 8, 102, 4, 5, 102], [0, 0, 0, 0, 1, 1, 1]),
            3: ([101, 7, 8, 102, 102], [0, 0, 0, 0, 1]),
        },
        "the ids of [CLS] and [SEP] are exchanged": {
            1: ([2, 7, 8, 1, 4, 5, 6, 1], [0, 0, 0, 0, 1, 1, 1, 1]),
            2: ([2, 7, 8, 1, 4, 5, 1], [0, 0, 0, 0, 1, 1, 1]),
            3: ([2, 7, 8, 1, 1], [0, 0, 0, 0, 1]),
        },
        "the passage is cut at its end, not at its start": {
            2: ([1, 7, 8, 2, 4, 6, 2], [0, 0, 0, 0, 1, 1, 1]),
        },
        "the passage is not cut: all of it together has at most `length` tokens": {
            2: ([1, 7, 8, 2, 4, 5, 6, 5, 4, 5, 6, 4, 6, 2], [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
            3: ([1, 7, 8, 2, 4, 5, 2], [0, 0, 0, 0, 1, 1, 1]),
        },
        "one token too few: `length` tokens fit": {
            2: ([1, 7, 8, 2, 4, 2], [0, 0, 0, 0, 1, 1]),
        },
        "one token too many: the three special tokens count, too": {
            2: ([1, 7, 8, 2, 4, 5, 6, 2], [0, 0, 0, 0, 1, 1, 1, 1]),
            3: ([1, 7, 8, 2, 4, 2], [0, 0, 0, 0, 1, 1]),
        },
        "the passage alone was cut to `length`": {
            2: ([1, 7, 8, 2, 4, 5, 6, 5, 4, 5, 6, 2], [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]),
            3: ([1, 7, 8, 2, 4, 5, 2], [0, 0, 0, 0, 1, 1, 1]),
        },
        "all was cut to `length` at once, the last [SEP] with it": {
            2: ([1, 7, 8, 2, 4, 5, 6], [0, 0, 0, 0, 1, 1, 1]),
            3: ([1, 7, 8, 2, 4], [0, 0, 0, 0, 1]),
        },
        "a wrong one was set to 0 and adds exp(0) = 1 to the sum of the right ones: set it to minus infinity": {
            4: 0.856161,
            5: 0.809201,
            6: 0.856161,
        },
        "the share of the right ones is asked, not of the others": {
            4: 0.280678,
            5: 1.26443,
            6: 0.280678,
            8: 0.313262,
        },
        "the minus in front of the logarithm is missing": {
            4: -1.40761,
            5: -1.1321,
            6: -1.40761,
            8: -1.31326,
        },
        "the softmax goes over the candidates of one question: over all questions was taken": {
            4: 0.0,
            5: 0.156631,
            6: 0.0,
            8: 0.0,
        },
        "each pair was judged for itself (a sigmoid): the candidates of a question compete": {
            4: 1.04445,
            5: 0.864722,
            6: 1.36472,
            8: 333.564,
        },
        "one loss for each question came: their mean is asked": {
            4: [1.40761],
            5: [0.0943443, 2.16985],
            6: [1.40761],
            8: [1.31326],
        },
        "divided by the number of candidates: the mean is over the questions": {
            4: 0.469202,
            5: 0.377365,
            6: 0.469202,
            8: 0.437754,
        },
        "of several right passages the probabilities are added, before the logarithm": {
            5: 1.99253,
        },
        "the mean over the questions is asked, not the sum": {
            5: 2.26419,
        },
        "of several right passages the probabilities are added, not their logarithms averaged": {
            5: 1.53873,
        },
        "of several right passages all count, not the first alone": {
            5: 1.28873,
        },
        "the median or the largest was taken: the mean is asked": {
            5: 2.16985,
        },
        "a question without a right passage is left out of the mean: it neither adds nor counts": {
            6: 0.703803,
        },
    })
    asked_cut = "the question was cut: only the passage is"
    check(pair, [7, 8], [4, 5, 6], 9, 1, 2).equals(([1, 7, 8, 2, 4, 5, 6, 2], [0, 0, 0, 0, 1, 1, 1, 1]))
    check(pair, [7, 8], [4, 5, 6, 5, 4, 5, 6, 4, 6], 7, 1, 2).equals(
        ([1, 7, 8, 2, 4, 5, 2], [0, 0, 0, 0, 1, 1, 1]), about="a passage that is too long",
        near={asked_cut: ([1, 7, 2, 4, 5, 6, 2], [0, 0, 0, 1, 1, 1, 1])})
    check(pair, [7, 8], [4, 5], 5, 1, 2).equals(
        ([1, 7, 8, 2, 2], [0, 0, 0, 0, 1]), about="no room for the passage")
    odds = "the right ones stand in the sum below the line, too: a share of all is asked, not right against wrong"
    a, b = [2.0, 1.0, 0.0], [0.0, 3.0, 1.0]
    first = check(ranking_loss, torch.tensor([a]), torch.tensor([[False, True, False]])).equals(
        1.407606, rtol=1e-4, near={odds: 1.126928})
    both = torch.tensor([[True, True, False], [False, False, True]])
    check(ranking_loss, torch.tensor([a, b]), both).equals(1.132095, rtol=1e-4, about="several right ones",
        near={odds: -0.132337})
    empty = torch.tensor([[False, True, False], [False, False, False]])
    check(ranking_loss, torch.tensor([a, b]), empty).equals(1.407606, rtol=1e-4, about="one question has none", near={
        odds: 1.126928, with_empty + ": the logarithm of 0": float("inf"),
        "a question without a right passage is to be left out: 0 times infinity is NaN": float("nan"),
    })
    cut = {"the gradient is cut: a scalar tensor is asked, no detach": RuntimeError,
           "the gradient is cut: a scalar tensor is asked, no item, no float": AttributeError}
    check(beside, "slopes", ranking_loss, torch.tensor([a]), torch.tensor([[False, True, False]])).equals(
        [[[0.665241, -0.755272, 0.090031]]], about="its gradient", rtol=1e-4, atol=1e-5,
        near={no_minus: [[[-0.665241, 0.755272, -0.090031]]],
              "the gradient is not that of the loss: is a part of it detached?": [[[0.0, -1.0, 0.0]]],
              "the gradient is not that of the loss: the right ones are detached": [[[0.665241, 0.244728, 0.090031]]],
              } | (cut if first.passed else {}))
    check(ranking_loss, torch.tensor([[999.0, 1000.0, 0.0]]), torch.tensor([[True, False, False]])).equals(
        1.313262, rtol=1e-4, about="large scores", near={
            "overflow: exp of hundreds is infinite; logsumexp is not": float("inf"),
            "overflow: exp of hundreds is infinite, and one infinity by another NaN": float("nan")})


score
