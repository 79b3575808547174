from helpers.checks import graded


@graded("heads", points=6)
def score(check):
    import torch

    behind = "no span ends behind the last token: the end is at most T - 1"
    outside = {behind: IndexError}

    ### BEGIN MISTAKES
    import itertools

    apart = "start and end were chosen apart: the end may lie before the start, or too far behind it"
    before = "the end may lie before the start here"
    near_ = "a span of exactly max_length tokens is valid"
    strict = "a span of one token is valid: start may equal end"

    def pieces(word_ids, labels, pick, special=-100):
        return [special if w is None else pick(i, w, word_ids, labels) for i, w in enumerate(word_ids)]

    def at_first(i, w, ids):
        return i == 0 or ids[i - 1] != w

    def words_before(i, ids):
        return len({w for w in ids[:i] if w is not None})

    check.mistakes({
        "every piece got the label of its word: only the first one does, the others get -100":
            lambda ids, y: pieces(ids, y, lambda i, w, ids, y: y[w]),
        "the last piece of each word got the label: the first one does":
            lambda ids, y: pieces(ids, y, lambda i, w, ids, y: y[w] if w not in ids[i + 1 :] else -100),
        "special tokens (None) have the label -100":
            lambda ids, y: pieces(ids, y, lambda i, w, ids, y: y[w] if at_first(i, w, ids) else -100, special=0),
        "these are the numbers of the words, not their labels":
            lambda ids, y: pieces(ids, y, lambda i, w, ids, y: w if at_first(i, w, ids) else -100),
        "labels were dealt out one after another: a word may be missing, so look up labels[word]":
            lambda ids, y: pieces(
                ids, y, lambda i, w, ids, y: y[words_before(i, ids)] if at_first(i, w, ids) else -100),
        "the other pieces were dropped: there is one label for each token":
            lambda ids, y: [-100 if w is None else y[w] for i, w in enumerate(ids) if w is None or at_first(i, w, ids)],
        "special tokens were dropped: there is one label for each token":
            lambda ids, y: [y[w] if at_first(i, w, ids) else -100 for i, w in enumerate(ids) if w is not None],
        "special tokens and other pieces have the label -1 here: -100 is asked":
            lambda ids, y: [y[w] if w is not None and at_first(i, w, ids) else -1 for i, w in enumerate(ids)],
        "the other pieces have the label 0 here: -100 is asked":
            lambda ids, y: pieces(ids, y, lambda i, w, ids, y: y[w] if at_first(i, w, ids) else 0),
        "word 0 counts as no word: 0 is false, ask `is None`":
            lambda ids, y: [y[w] if w and at_first(i, w, ids) else -100 for i, w in enumerate(ids)],
        "the labels were dealt out to the tokens in order: they belong to words":
            lambda ids, y: [y[i] if i < len(y) else -100 for i in range(len(ids))],
        "this is the label of the word before":
            lambda ids, y: pieces(ids, y, lambda i, w, ids, y: y[w - 1] if at_first(i, w, ids) else -100),
        "the label 0 is a label like any other":
            lambda ids, y: pieces(ids, y, lambda i, w, ids, y: (y[w] or -100) if at_first(i, w, ids) else -100),
    }, first_piece_labels)

    def spans(valid, value=lambda s, e: s + e, shift=0, latest=False):
        def choose(start, end, allowed, longest):
            found, free = [], allowed.tolist()
            for i, j in itertools.product(range(len(start)), range(len(end))):
                if valid(i, j, free, longest):
                    found.append((value(start[i].item(), end[j].item()), (-i, -j), (i, j + shift)))
            if latest:
                return max(found, key=lambda v: (v[0], *[-n for n in v[1]]))[2]
            return max(found, key=lambda v: v[:2])[2]

        return choose

    def right(i, j, free, n):
        return i <= j < i + n and all(free[i : j + 1])

    def spans_of(s, free, n):
        pairs = itertools.product(range(len(s)), repeat=2)
        return [pair for pair in pairs if right(*pair, free.tolist(), n)]

    def start_before_end(s, e, free, n):
        found = spans_of(s, free, n)
        start, _ = max(found, key=lambda pair: s[pair[0]].item())
        return max((pair for pair in found if pair[0] == start), key=lambda pair: e[pair[1]].item())

    def end_before_start(s, e, free, n):
        found = spans_of(s, free, n)
        _, end = max(found, key=lambda pair: e[pair[1]].item())
        return max((pair for pair in found if pair[1] == end), key=lambda pair: s[pair[0]].item())

    def above_zero(s, e, free, n):
        below = [s[i] + e[j] < 0 for i, j in spans_of(s, free, n)]
        return (0, 0) if all(below) else spans(right)(s, e, free, n)

    check.mistakes({
        apart: lambda s, e, free, n: tuple(v.masked_fill(~free, -9e9).argmax().item() for v in (s, e)),
        f"{apart}, and `allowed` was ignored": lambda s, e, free, n: (s.argmax().item(), e.argmax().item()),
        "the start was chosen first, then the best end for it: choose both together": start_before_end,
        "the end was chosen first, then the best start for it: choose both together": end_before_start,
        "the end is inclusive: the last token of the span, not the one behind it": spans(right, shift=1),
        "the span is longer than max_length": spans(lambda i, j, free, n: i <= j and all(free[i : j + 1])),
        "spans may be one token longer than max_length here: start and end both count":
            spans(lambda i, j, free, n: i <= j <= i + n and all(free[i : j + 1])),
        near_: spans(lambda i, j, free, n: i <= j < i + n - 1 and all(free[i : j + 1])),
        "`allowed` was ignored": spans(lambda i, j, free, n: i <= j < i + n),
        "every token of the span must be allowed, not its ends alone":
            spans(lambda i, j, free, n: i <= j < i + n and free[i] and free[j]),
        "the start must be allowed, and so must the end": spans(lambda i, j, free, n: i <= j < i + n and free[i]),
        "the end must be allowed, and so must the start": spans(lambda i, j, free, n: i <= j < i + n and free[j]),
        "every token of the span must be allowed, also the first":
            spans(lambda i, j, free, n: i <= j < i + n and all(free[i + 1 : j + 1])),
        strict: spans(lambda i, j, free, n: i < j < i + n and all(free[i : j + 1])),
        "the scores are added, not multiplied": spans(right, value=lambda s, e: s * e),
        "the logits are added as they are, not their softmax":
            lambda s, e, free, n: spans(right)(s.softmax(0), e.softmax(0), free, n),
        "the scores are added, not subtracted": spans(right, value=lambda s, e: e - s),
        "the larger of the two scores counts here: add them": spans(right, value=max),
        "the scores of start and end are exchanged": lambda s, e, free, n: spans(right)(e, s, free, n),
        "tokens that are not allowed score 0 here: no span may hold one, whatever its score":
            lambda s, e, free, n: spans(lambda i, j, free, n: i <= j < i + n)(s * free, e * free, free, n),
        "the sum was divided by the length: longer spans are as good as short ones":
            lambda s, e, free, n: max(spans_of(s, free, n),
                key=lambda p: (s[p[0]] + e[p[1]]).item() / (p[1] - p[0] + 1)),
        "the last token, too, may be the start of a span":
            spans(lambda i, j, free, n: i < len(free) - 1 and right(i, j, free, n)),
        "the last token, too, may be the end of a span":
            spans(lambda i, j, free, n: j < len(free) - 1 and right(i, j, free, n)),
        "the first token, too, may be the start of a span": spans(lambda i, j, free, n: i and right(i, j, free, n)),
        "the search ended at the first token that is not allowed: spans behind it count, too":
            spans(lambda i, j, free, n: right(i, j, free, n) and all(free[free.index(True) : j + 1])),
        "the search ended at the first start that has a span: go on to the others":
            spans(lambda i, j, free, n: right(i, j, free, n) and i == free.index(True)),
        "no sum is above 0: the search for the best begins with minus infinity": above_zero,
        "of equals the shortest was taken: the earliest start is asked, then the earliest end":
            lambda s, e, free, n: max(spans_of(s, free, n), key=lambda p: ((s[p[0]] + e[p[1]]).item(), p[0] - p[1])),
        "only the score of the start counts here": spans(right, value=lambda s, e: s),
        "only the score of the end counts here": spans(right, value=lambda s, e: e),
        f"{before}: a span ends at its start or behind it":
            spans(lambda i, j, free, n: abs(j - i) < n and all(free[min(i, j) : max(i, j) + 1])),
        f"{before}, and the ends alone were asked whether they are allowed":
            spans(lambda i, j, free, n: abs(j - i) < n and free[i] and free[j]),
        f"{before}, and the end alone was asked whether it is allowed":
            spans(lambda i, j, free, n: abs(j - i) < n and free[j]),
        "the end lies at or behind the start, not before it":
            spans(lambda i, j, free, n: j <= i and all(free[j : i + 1])),
        "ties go to the earliest start and end": spans(right, latest=True),
        "the length of a span is rewarded; the sum of both scores decides alone":
            lambda s, e, free, n: max(spans_of(s, free, n), key=lambda p: (s[p[0]] + e[p[1]]).item() + p[1] - p[0]),
        behind: lambda s, e, free, n: e.tolist()[len(e)],
    }, best_span)
    ### END MISTAKES
    dead = {
        "special tokens are None, which is neither a place in `labels` nor a number: they get -100": TypeError,
        "a word may be missing: look for the label of each token, not for a token of each label": ValueError,
    }
    check(first_piece_labels, [None, 0, 1, 1, None], [3, 5]).equals([-100, 3, 5, -100, -100], near=dead)
    check(first_piece_labels, [None, 0, 2, 2, 2, 3, None], [4, 7, 6, 1]).equals(
        [-100, 4, 6, -100, -100, 1, -100], near=dead
    )
    t, f = True, False
    s, e = torch.tensor([0.0, 1.0, 4.0, 0.5, 2.0]), torch.tensor([5.0, 3.0, 0.0, 1.5, 2.5])
    check(best_span, s, e, torch.tensor([t, t, t, t, t]), 5).equals(
        (2, 4), near=outside | {"return the pair alone, without its score": ((2, 4), 6.5)}
    )
    s, e = torch.tensor([-0.5, 1.0, 4.5, 3.0, 2.0, -1.0]), torch.tensor([4.0, 1.5, 0.5, 2.5, 3.5, 4.5])
    check(best_span, s, e, torch.tensor([t, t, t, t, t, t]), 2).equals((2, 3), near=outside)
    s, e = torch.tensor([-1.5, -2.0, -2.5, -5.5, -7.0, -3.5, -0.5]), torch.tensor([-6.5, -5.5, -0.5, -1, -2, -2.5, -4])
    check(best_span, s, e, torch.tensor([f, t, f, t, t, t, t]), 7).equals((6, 6), near=outside)
    s, e = torch.tensor([-1.0, -2.0, -2.0, -6.0]), torch.tensor([-7.0, -6.0, -2.0, -2.0])
    check(best_span, s, e, torch.tensor([t, t, t, t]), 2).equals(
        (1, 2), about="scores below 0, and three that are equal")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for n in (4, 7, 12):
        words = [w for w in range(n) if check.rng.random() < 0.75] or [0]
        ids = [w for w in words for _ in range(int(check.rng.integers(1, 4)))]
        labels = [int(v) for v in check.rng.integers(0, 9, size=n)]
        ids = [None, *ids, None, None]
        expected = [-100 if w is None or ids.index(w) < i else labels[w] for i, w in enumerate(ids)]
        check(first_piece_labels, ids, labels).equals(expected, about="fresh words in pieces", near=dead)
    for n in (7, 7, 90):
        ids, labels = [None, *sorted([*range(n)] * 2), None], [int(v) for v in check.rng.integers(0, 9, size=n)]
        check(first_piece_labels, ids, labels).equals(
            [-100, *(v for y in labels for v in (y, -100)), -100], about="each word in two pieces"
        )
    check(first_piece_labels, [0, 1, 1, 2], [5, 0, 2]).equals([5, 0, -100, 2], about="no special tokens", near={
        "the last token has none behind it: compare with the one before": IndexError,
    })
    check(first_piece_labels, [None, None], []).equals([-100, -100], about="no words", edge=True)
    for T, longest in [(6, 6), (9, 3), (12, 4), (15, 2), (10, 10), (11, 5), (14, 8), (20, 6), (16, 9), (13, 4)]:
        start, end = (torch.from_numpy(check.rng.normal(size=T) * 2) for _ in "se")
        free = torch.from_numpy(check.rng.random(T) < (1.1 if T == 6 else 0.75))
        free[T // 2] = True
        table = (start[:, None] + end[None, :]).triu().tril(longest - 1)
        blocked = (~free).long().cumsum(0)
        open_table = blocked[None, :] - blocked[:, None] + (~free).long()[:, None] == 0
        keep = torch.ones(T, T, dtype=torch.bool).triu().tril(longest - 1) & open_table
        place = table.masked_fill(~keep, -torch.inf).argmax().item()
        check(best_span, start, end, free, longest).equals((place // T, place % T), about="random scores")
    for longest, more in [(4, 0), (3, 0), (4, 1), (3, 1), (2, 1)]:  # the best pair just fits, or is one token too long
        start, end = (torch.from_numpy(check.rng.normal(size=12)) for _ in "se")
        start[3] += 9
        end[3 + longest - 1 + more] += 9
        found = spans(right)(start, end, torch.ones(12, dtype=torch.bool), longest)
        check(best_span, start, end, torch.ones(12, dtype=torch.bool), longest).equals(
            found, about="scores where max_length decides"
        )
    nothing = {near_: None, strict: None}  # no pair is left to them
    for place in (5, 10):  # the two peaks stand side by side, and the higher one is a span of its own
        start, end = (torch.from_numpy(check.rng.normal(size=12)) for _ in "se")
        start[place] += 40
        end[place + 1] += 60
        check(best_span, start, end, torch.ones(12, dtype=torch.bool), 1).equals(
            (place + 1, place + 1), about="spans of one token", near=nothing
        )
    start, end = torch.tensor([35.0, 0.0, 45.0]), torch.tensor([0.0, 31.0, 33.0])
    check(best_span, start, end, torch.tensor([True, True, True]), 3).equals((2, 2), about="large scores")
    steep, level = torch.tensor([31.0, 45.0, 33.0]), torch.zeros(3)
    for pair in ((steep, level), (level, steep)):
        check(best_span, *pair, torch.tensor([True] * 3), 1).equals((1, 1), about="large scores", near=nothing)
    check(best_span, start[:1], end[:1], torch.tensor([True]), 2).equals((0, 0), about="one token", edge=True)
    fine = torch.tensor([1.0, 1.0 + 1e-9, 1.0 - 1e-9], dtype=torch.float64)
    flat = torch.zeros(3, dtype=torch.float64)
    for pair in ((fine, flat), (flat, fine)):
        check(best_span, *pair, torch.tensor([True] * 3), 1).equals(
            (1, 1), about="double precision", edge=True, near=nothing
        )
    start, end = torch.tensor([0.0, 1.0, 1.0, 0.75, 0.0]), torch.tensor([0.0, 0.0, 0.0, 2.0, 2.0])
    check(best_span, start, end, torch.ones(5, dtype=torch.bool), 5).equals((1, 3), about="ties")
    free = torch.ones(5, dtype=torch.bool)
    start, end = torch.tensor([5.0, 1.0, 4.0, 0.0, 0.0]), torch.tensor([0.0, 3.0, 2.5, 1.0, 0.0])
    check(best_span, start, end, free, 5).equals((0, 1), about="a span at the beginning")
    start, end = torch.tensor([0.0, 3.0, 0.0, 5.0, 1.0]), torch.tensor([0.0, 2.0, 1.0, 3.0, 4.0])
    check(best_span, start, end, free, 5).equals((3, 4), about="a span at the end")
    start, end = torch.tensor([-5.0, -3.0, -9.0]), torch.tensor([-4.0, -6.0, -1.0])
    check(best_span, start, end, torch.ones(3, dtype=torch.bool), 3).equals((1, 2), about="negative scores alone")
    start, end = torch.tensor([-5.0, -3e4, -9.0]), torch.tensor([-4.0, -2e4, -1.0])
    check(best_span, start, end, torch.tensor([False, True, False]), 3).equals((1, 1), about="one token", edge=True)
    check.mistakes({}, best_span)  # too many pairs to try them all
    for T, place, longest in [(90, 70, 80), (90, 3, 80)]:
        start, end = (torch.from_numpy(check.rng.normal(size=T)) for _ in "se")
        free = torch.ones(T, dtype=torch.bool)
        start[place] += 40
        end[min(place + longest, T) - 1] += 40
        last = min(place + longest, T) - 1  # where both peaks stand, no other pair comes near
        check(best_span, start, end, free, longest).equals((place, last), about="long texts")
    ### END HIDDEN TESTS


score
