from helpers.checks import graded


@graded("cross", points=6)
def score(check):
    import torch

    no_minus = "the minus in front of the logarithm is missing"
    with_empty = "a question without a right passage is left out of the mean: it neither adds nor counts"
    ### BEGIN MISTAKES
    averaged = "of several right passages the probabilities are added, not their logarithms averaged"
    summed = "the mean over the questions is asked, not the sum"

    def paired(room=lambda length, q: length - len(q) - 3, end=True, first=False, segments=(0, 0, 1, 1), turn=False):
        def function(query, passage, length, cls=101, sep=102):
            if turn:
                query, passage = passage, query
            n = max(room(length, query), 0)
            kept = passage[len(passage) - n :] if first and n < len(passage) else passage[:n]
            ids = [cls, *query, sep, *kept] + [sep] * end
            a, b, c, d = segments
            return ids, [a] * (len(query) + 1) + [b] + [c] * len(kept) + [d] * end

        return function

    def filled(query, passage, length, cls=101, sep=102):
        return tuple(part + [0] * (length - len(part)) for part in paired()(query, passage, length, cls, sep))

    check.mistakes({
        "the last [SEP] is missing: it closes the passage, cut or not": paired(end=False),
        "the last [SEP] belongs to the passage: segment 1": paired(segments=(0, 0, 1, 0)),
        "the first [SEP] belongs to the question: segment 0": paired(segments=(0, 1, 1, 1)),
        "the passage is cut at its end, not at its start": paired(first=True),
        "the question comes first, then the passage": paired(turn=True),
        "the passage is not cut: all of it together has at most `length` tokens": paired(room=lambda length, q: 10**6),
        "one token too few: `length` tokens fit": paired(room=lambda length, q: length - len(q) - 4),
        "one token too many: the three special tokens count, too": paired(room=lambda length, q: length - len(q) - 2),
        "the passage alone was cut to `length`": paired(room=lambda length, q: length),
        "a passage that fits lost all its tokens: where 0 are too many, [:-0] is empty":
            lambda q, p, length, cls=101, sep=102: paired()(
            q, p * (len(q) + len(p) + 3 > length), length, cls, sep),
        "a passage that fits was cut, too: with n below 0, [:-n] counts from the start":
            lambda q, p, length, cls=101, sep=102: paired()(
            q, p[: length - len(q) - len(p) - 3], length, cls, sep),
        "all was cut to `length` at once, the last [SEP] with it": lambda q, p, length, cls=101, sep=102: tuple(
            part[:length] for part in paired(room=lambda length, q: 10**6)(q, p, length, cls, sep)),
        "a pair that is shorter than `length` stays short: here it was filled up": filled,
        "the segments are exchanged: 0 for the question, 1 for the passage": paired(segments=(1, 1, 0, 0)),
        "the ids of [CLS] and [SEP] are arguments: they were ignored": lambda q, p, length, cls=101, sep=102: paired()(
            q, p, length),
        "the ids of [CLS] and [SEP] are exchanged": lambda q, p, length, cls=101, sep=102: paired()(
            q, p, length, sep, cls),
    }, pair)

    def loss(share=lambda s, r: s.softmax(1).mul(r).sum(1).log(), mean=lambda v: -v.mean(), keep=True):
        def function(scores, right):
            some = right.any(1) if keep else torch.ones(len(right), dtype=torch.bool)
            return mean(share(scores[some].double(), right[some])).to(scores.dtype)

        return function

    check.mistakes({
        "of several right passages the probabilities are added, before the logarithm":
            loss(lambda s, r: s.log_softmax(1).mul(r).sum(1)),
        summed: loss(mean=lambda v: -v.sum()),
        averaged: loss(
            lambda s, r: s.log_softmax(1).mul(r).sum(1) / r.sum(1)),
        "a wrong one was set to 0 and adds exp(0) = 1 to the sum of the right ones: set it to minus infinity":
            loss(lambda s, r: (s * r).logsumexp(1) - s.logsumexp(1)),
        "of several right passages all count, not the first alone":
            loss(lambda s, r: s.log_softmax(1).gather(1, r.int().argmax(1, keepdim=True))[:, 0]),
        "the share of the right ones is asked, not of the others": loss(lambda s, r: s.softmax(1).mul(~r).sum(1).log()),
        no_minus: loss(mean=lambda v: v.mean()),
        with_empty: lambda s, r: loss()(s, r) * r.any(1).float().mean(),
        "the softmax goes over the candidates of one question: over all questions was taken": loss(
            lambda s, r: s.softmax(0).mul(r).sum(1).log()),
        "each pair was judged for itself (a sigmoid): the candidates of a question compete": lambda s, r: (
            torch.nn.functional.binary_cross_entropy_with_logits(s, r.to(s.dtype))),
        "one loss for each question came: their mean is asked": loss(mean=lambda v: -v),
        "divided by the number of candidates: the mean is over the questions": lambda s, r: loss()(s, r) / s.shape[1],
        "the median or the largest was taken: the mean is asked": loss(mean=lambda v: -v.min()),
    }, ranking_loss)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()
    for n, m, length in ((5, 9, 30), (4, 20, 16), (3, 8, 14), (6, 8, 16), (4, 20, 16), (70, 90, 120), (4, 100, 103),
                         (300, 400, 650)):
        query, passage = (check.rng.integers(200, 900, size=size).tolist() for size in (n, m))
        kept = passage[: length - n - 3]
        right = [7, *query, 9, *kept, 9], [0] * (n + 2) + [1] * (len(kept) + 1)
        about = "a passage that fits" if n + m + 3 <= length else "a passage that is cut"
        about = "long texts" if m > 64 else about
        check(pair, query, passage, length, 7, 9).equals(right, about=about)
    check(pair, [31, 32], [41], 9).equals(([101, 31, 32, 102, 41, 102], [0, 0, 0, 0, 1, 1]), about="BERT's own ids")
    check(pair, [0, 5], [0, 3, 5], 8, 1, 0).equals(
        ([1, 0, 5, 0, 0, 3, 5, 0], [0, 0, 0, 0, 1, 1, 1, 1]), about="id 0", edge=True)
    check(pair, [31, 32, 33], [41, 42], 6).equals(
        ([101, 31, 32, 33, 102, 102], [0, 0, 0, 0, 0, 1]), about="no room for the passage", edge=True, near={
            "where no room is left, nothing of the passage is: [:-0] and [: -1] are not nothing": (
                [101, 31, 32, 33, 102, 41, 102], [0, 0, 0, 0, 0, 1, 1])})
    check(pair, [31], [], 8).equals(([101, 31, 102, 102], [0, 0, 0, 1]), about="an empty passage", edge=True)

    def oracle(scores, right):
        scores, right = np.asarray(scores, dtype=np.float64), np.asarray(right)
        return float(np.mean([
            np.logaddexp.reduce(s) - np.logaddexp.reduce(s[r]) for s, r in zip(scores, right, strict=True) if r.any()]))

    def drawn(q, k, most=3, scale=2.0, dtype=torch.float32):
        scores = torch.from_numpy(check.rng.normal(size=(q, k)) * scale).to(dtype)
        right = torch.zeros(q, k, dtype=torch.bool)
        for i in range(q):
            right[i, check.rng.permutation(k)[: int(check.rng.integers(1, most + 1))]] = True
        return scores, right

    for q, k in ((3, 5), (6, 4), (2, 9), (4, 4)):
        scores, right = drawn(q, k, most=1)
        check(ranking_loss, scores, right).equals(oracle(scores, right), about="one right each", rtol=1e-4, atol=1e-6)
        scores, right = drawn(q, k)
        check(ranking_loss, scores, right).equals(
            oracle(scores, right), about="several right ones", rtol=1e-4, atol=1e-6)
        right = right.clone()
        right[int(check.rng.integers(q))] = False
        check(ranking_loss, scores, right).equals(
            oracle(scores, right), about="questions without a right one", rtol=1e-4, atol=1e-6)
    scores, right = drawn(90, 6)
    right[::7] = False
    check(ranking_loss, scores, right).equals(
        oracle(scores, right), about="many questions", rtol=1e-4, atol=1e-6)
    scores, right = drawn(4, 6, dtype=torch.float64)
    check(ranking_loss, scores, right).equals(
        oracle(scores, right), about="double precision", edge=True, rtol=1e-10, atol=1e-10)
    scores, right = drawn(3, 5)
    check(ranking_loss, scores[:1], right[:1]).equals(
        oracle(scores[:1], right[:1]), about="one question", edge=True, rtol=1e-4, atol=1e-6)
    check(ranking_loss, scores[:, :1], torch.ones(3, 1, dtype=torch.bool)).equals(
        0.0, about="one candidate", edge=True, atol=1e-6)
    check.mistakes({}, ranking_loss, beside)
    check(ranking_loss, scores * 500, right).equals(
        oracle(scores * 500, right), about="large scores", edge=True, rtol=1e-3, atol=1e-3, near={
            "overflow: exp of hundreds is infinite; logsumexp is not": float("inf"),
            "overflow: exp of hundreds is infinite, and one infinity by another NaN": float("nan")})
    scores, right = drawn(4, 5)
    right[1] = False
    share = scores.double().softmax(1)
    within = (share * right) / (share * right).sum(1, keepdim=True).clamp(min=1e-300)
    flat = right / right.sum(1, keepdim=True).clamp(min=1)
    slope = ((share - within) * right.any(1, keepdim=True) / 3).float()
    check(beside, "slopes", ranking_loss, scores, right).equals(
        [slope], about="its gradient", rtol=1e-4, atol=1e-6, near=cut | {
            with_empty: [slope * 3 / 4], summed: [slope * 3], no_minus: [-slope],
            averaged: [((share - flat) * right.any(1, keepdim=True) / 3).float()],
            "the gradient is not that of the loss: is a part of it detached?": [
                (share * right.any(1, keepdim=True) / 3).float()]})
    ### END HIDDEN TESTS


score
