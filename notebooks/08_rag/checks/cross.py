from helpers.checks import graded


@graded("cross", points=7)
def score(check):
    import torch

    no_end = "the last [SEP] is missing: it closes the passage, cut or not"
    whole = "the passage is not cut: all of it together has at most `length` tokens"
    late = "one token too many: the three special tokens count, too"
    early = "one token too few: `length` tokens fit"
    front = "the passage is cut at its end, not at its start"
    asked_cut = "the question was cut: only the passage is"
    end_zero = "the last [SEP] belongs to the passage: segment 1"
    sep_one = "the first [SEP] belongs to the question: segment 0"
    turned = "the question comes first, then the passage"
    nothing_kept = "a passage that fits lost all its tokens: where 0 are too many, [:-0] is empty"
    cut_anyway = "a passage that fits was cut, too: with n below 0, [:-n] counts from the start"
    check(pair, [7, 8], [4, 5, 6], 9, 1, 2).equals(([1, 7, 8, 2, 4, 5, 6, 2], [0, 0, 0, 0, 1, 1, 1, 1]), near={
        no_end: ([1, 7, 8, 2, 4, 5, 6], [0, 0, 0, 0, 1, 1, 1]),
        end_zero: ([1, 7, 8, 2, 4, 5, 6, 2], [0, 0, 0, 0, 1, 1, 1, 0]),
        sep_one: ([1, 7, 8, 2, 4, 5, 6, 2], [0, 0, 0, 1, 1, 1, 1, 1]),
        turned: ([1, 4, 5, 6, 2, 7, 8, 2], [0, 0, 0, 0, 0, 1, 1, 1]),
        nothing_kept: ([1, 7, 8, 2, 2], [0, 0, 0, 0, 1]), cut_anyway: ([1, 7, 8, 2, 4, 2], [0, 0, 0, 0, 1, 1]),
    })
    alone = "the passage alone was cut to `length`"
    at_once = "all was cut to `length` at once, the last [SEP] with it"
    check(pair, [7, 8], [4, 5, 6, 5, 4, 5, 6, 4, 6], 7, 1, 2).equals(
        ([1, 7, 8, 2, 4, 5, 2], [0, 0, 0, 0, 1, 1, 1]), about="a passage that is too long", near={
            whole: ([1, 7, 8, 2, 4, 5, 6, 5, 4, 5, 6, 4, 6, 2], [0] * 4 + [1] * 10),
            alone: ([1, 7, 8, 2, 4, 5, 6, 5, 4, 5, 6, 2], [0] * 4 + [1] * 8),
            no_end: ([1, 7, 8, 2, 4, 5], [0, 0, 0, 0, 1, 1]),
            at_once: ([1, 7, 8, 2, 4, 5, 6], [0, 0, 0, 0, 1, 1, 1]),
            late: ([1, 7, 8, 2, 4, 5, 6, 2], [0, 0, 0, 0, 1, 1, 1, 1]),
            early: ([1, 7, 8, 2, 4, 2], [0, 0, 0, 0, 1, 1]),
            front: ([1, 7, 8, 2, 4, 6, 2], [0, 0, 0, 0, 1, 1, 1]),
            asked_cut: ([1, 7, 2, 4, 5, 6, 2], [0, 0, 0, 1, 1, 1, 1]),
        })
    several = "of several right passages the probabilities are added, before the logarithm"
    averaged = "of several right passages the probabilities are added, not their logarithms averaged"
    one = "of several right passages all count, not the first alone"
    summed = "the mean over the questions is asked, not the sum"
    wrong_side = "the share of the right ones is asked, not of the others"
    no_minus = "the minus in front of the logarithm is missing"
    with_empty = "a question without a right passage is left out of the mean: it neither adds nor counts"
    odds = "the right ones stand in the sum below the line, too: a share of all is asked, not right against wrong"
    zeros = "a wrong one was set to 0 and adds exp(0) = 1 to the sum of the right ones: set it to minus infinity"
    a, b = [2.0, 1.0, 0.0], [0.0, 3.0, 1.0]
    first = check(ranking_loss, torch.tensor([a]), torch.tensor([[False, True, False]])).equals(
        1.407606, rtol=1e-4, near={
            no_minus: -1.407606, wrong_side: 0.280678, odds: 1.126928, zeros: 0.856161})
    both = torch.tensor([[True, True, False], [False, False, True]])
    check(ranking_loss, torch.tensor([a, b]), both).equals(1.132095, rtol=1e-4, about="several right ones", near={
        several: 1.992529, averaged: 1.538726, one: 1.288726, summed: 2.264190, wrong_side: 1.264432,
        no_minus: -1.132095, odds: -0.132337, zeros: 0.809201,
    })
    empty = torch.tensor([[False, True, False], [False, False, False]])
    check(ranking_loss, torch.tensor([a, b]), empty).equals(1.407606, rtol=1e-4, about="one question has none", near={
        with_empty: 0.703803, odds: 1.126928, zeros: 0.856161, with_empty + ": the logarithm of 0": float("inf"),
        "a question without a right passage is to be left out: 0 times infinity is NaN": float("nan"),
    })
    cut = {"the gradient is cut: a scalar tensor is asked, no detach": RuntimeError,
           "the gradient is cut: a scalar tensor is asked, no item, no float": AttributeError}
    check(slopes, ranking_loss, torch.tensor([a]), torch.tensor([[False, True, False]])).equals(
        [[[0.665241, -0.755272, 0.090031]]], about="its gradient", rtol=1e-4, atol=1e-5,
        near={no_minus: [[[-0.665241, 0.755272, -0.090031]]]} | (cut if first.passed else {}))


score
