from helpers.checks import graded


@graded("heads", points=6)
def score(check):
    import torch

    every = "every piece got the label of its word: only the first one does, the others get -100"
    last_piece = "the last piece of each word got the label: the first one does"
    special = "special tokens (None) have the label -100"
    number = "these are the numbers of the words, not their labels"
    counted = "labels were dealt out one after another: a word may be missing, so look up labels[word]"
    dead = {
        "special tokens are None, which is neither a place in `labels` nor a number: they get -100": TypeError,
        "a word may be missing: look for the label of each token, not for a token of each label": ValueError,
    }
    check(first_piece_labels, [None, 0, 1, 1, None], [3, 5]).equals([-100, 3, 5, -100, -100], near=dead | {
        every: [-100, 3, 5, 5, -100], last_piece: [-100, 3, -100, 5, -100], special: [0, 3, 5, -100, 0],
        number: [-100, 0, 1, -100, -100],
    })
    check(first_piece_labels, [None, 0, 2, 2, 2, 3, None], [4, 7, 6, 1]).equals(
        [-100, 4, 6, -100, -100, 1, -100], near=dead | {
            every: [-100, 4, 6, 6, 6, 1, -100], last_piece: [-100, 4, -100, -100, 6, 1, -100],
            special: [0, 4, 6, -100, -100, 1, 0], number: [-100, 0, 2, -100, -100, 3, -100],
            counted: [-100, 4, 7, -100, -100, 6, -100],
        }
    )

    apart = "start and end were chosen apart: the end may lie before the start, or too far behind it"
    start_first = "the start was chosen first, then the best end for it: choose both together"
    exclusive = "the end is inclusive: the last token of the span, not the one behind it"
    far, near_ = "the span is longer than max_length", "a span of exactly max_length tokens is valid"
    open_, ends = "`allowed` was ignored", "every token of the span must be allowed, not its ends alone"
    strict = "a span of one token is valid: start may equal end"
    longer = "spans may be one token longer than max_length here: start and end both count"
    minus, larger = "the scores are added, not subtracted", "the larger of the two scores counts here: add them"
    mean_of = "the sum was divided by the length: longer spans are as good as short ones"
    swapped = "the scores of start and end are exchanged"
    no_last = "the last token, too, may be the start of a span"
    first_run = "the search ended at the first token that is not allowed: spans behind it count, too"
    apart_open = f"{apart}, and `allowed` was ignored"
    reversed_ = "the end lies at or behind the start, not before it"
    end_first = "the end was chosen first, then the best start for it: choose both together"
    last_end = "the last token, too, may be the end of a span"
    only_start, only_end = "only the score of the start counts here", "only the score of the end counts here"
    open_start = "the start must be allowed, and so must the end"
    open_end = "the end must be allowed, and so must the start"
    as_zero = "tokens that are not allowed score 0 here: no span may hold one, whatever its score"
    first_start = "the search ended at the first start that has a span: go on to the others"
    outside = {"no span ends behind the last token: the end is at most T - 1": IndexError}
    t, f = True, False
    s, e = torch.tensor([0.0, 1.0, 4.0, 0.5, 2.0]), torch.tensor([5.0, 3.0, 0.0, 1.5, 2.5])
    check(best_span, s, e, torch.tensor([t, t, t, t, t]), 5).equals((2, 4), near=outside | {
        apart: (2, 0), reversed_: (2, 0), exclusive: (2, 5), swapped: (0, 2), last_end: (2, 3), only_start: (2, 2),
        "return the pair alone, without its score": ((2, 4), 6.5),
    })
    s, e = torch.tensor([-0.5, 1.0, 4.5, 3.0, 2.0, -1.0]), torch.tensor([4.0, 1.5, 0.5, 2.5, 3.5, 4.5])
    check(best_span, s, e, torch.tensor([t, t, t, t, t, t]), 2).equals((2, 3), near=outside | {
        apart: (2, 5), far: (2, 5), exclusive: (2, 4), longer: (2, 4), near_: (3, 3), mean_of: (3, 3), minus: (5, 5),
        larger: (2, 2), only_start: (2, 2), only_end: (4, 5), end_first: (4, 5), swapped: (1, 2), first_start: (0, 0),
        reversed_: (2, 0),
    })
    s, e = torch.tensor([3.0, 4.0, 3.5, 0.5, -1.0, 2.5, 5.5]), torch.tensor([-0.5, 0.5, 5.5, 5.0, 4.0, 3.5, 2.0])
    check(best_span, s, e, torch.tensor([f, t, f, t, t, t, t]), 7).equals((6, 6), near=outside | {
        apart: (6, 3), reversed_: (6, 3), apart_open: (6, 2), end_first: (3, 3), only_end: (3, 3), exclusive: (6, 7),
        open_: (1, 2), open_start: (1, 2), ends: (1, 3), open_end: (1, 3), as_zero: (1, 3), strict: (3, 4),
        no_last: (5, 5), last_end: (5, 5), minus: (4, 4), swapped: (3, 6), first_run: (1, 1), first_start: (1, 1),
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def pieces(word_ids, labels, pick):
        return [-100 if w is None else pick(i, w, word_ids, labels) for i, w in enumerate(word_ids)]

    def at_first(i, w, ids):
        return i == 0 or ids[i - 1] != w

    check.mistakes({
        every: lambda ids, y: pieces(ids, y, lambda i, w, ids, y: y[w]),
        last_piece: lambda ids, y: pieces(ids, y, lambda i, w, ids, y: y[w] if w not in ids[i + 1 :] else -100),
        special: lambda ids, y: [0 if w is None else y[w] if at_first(i, w, ids) else -100 for i, w in enumerate(ids)],
        number: lambda ids, y: pieces(ids, y, lambda i, w, ids, y: w if at_first(i, w, ids) else -100),
        counted: lambda ids, y: pieces(
            ids, y, lambda i, w, ids, y: y[len({v for v in ids[:i] if v is not None})] if at_first(i, w, ids) else -100
        ),
        "the other pieces were dropped: there is one label for each token": lambda ids, y: [
            -100 if w is None else y[w] for i, w in enumerate(ids) if w is None or at_first(i, w, ids)
        ],
        "special tokens were dropped: there is one label for each token": lambda ids, y: [
            y[w] if at_first(i, w, ids) else -100 for i, w in enumerate(ids) if w is not None
        ],
        "special tokens and other pieces have the label -1 here: -100 is asked": lambda ids, y: [
            y[w] if w is not None and at_first(i, w, ids) else -1 for i, w in enumerate(ids)
        ],
        "the other pieces have the label 0 here: -100 is asked": lambda ids, y: pieces(
            ids, y, lambda i, w, ids, y: y[w] if at_first(i, w, ids) else 0
        ),
        "word 0 counts as no word: 0 is false, ask `is None`": lambda ids, y: [
            y[w] if w and at_first(i, w, ids) else -100 for i, w in enumerate(ids)
        ],
        "the labels were dealt out to the tokens in order: they belong to words": lambda ids, y: [
            y[i] if i < len(y) else -100 for i in range(len(ids))
        ],
        "this is the label of the word before": lambda ids, y: pieces(
            ids, y, lambda i, w, ids, y: y[w - 1] if at_first(i, w, ids) else -100
        ),
        "the label 0 is a label like any other": lambda ids, y: pieces(
            ids, y, lambda i, w, ids, y: (y[w] or -100) if at_first(i, w, ids) else -100
        ),
    })
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

    def spans(valid, value=lambda s, e: s + e, shift=0, latest=False):
        def choose(start, end, allowed, longest):
            found = [
                (value(start[i].item(), end[j].item()), (-i, -j), (i, j + shift))
                for i in range(len(start)) for j in range(len(end)) if valid(i, j, allowed.tolist(), longest)
            ]
            if latest:
                return max(found, key=lambda v: (v[0], *[-n for n in v[1]]))[2]
            return max(found, key=lambda v: v[:2])[2]

        return choose

    def right(i, j, free, n):
        return i <= j < i + n and all(free[i : j + 1])

    check.mistakes({
        apart: lambda s, e, free, n: tuple(v.masked_fill(~free, -9e9).argmax().item() for v in (s, e)),
        apart_open: lambda s, e, free, n: (
            s.argmax().item(), e.argmax().item()),
        start_first: lambda s, e, free, n: max(
            (p for p in spans_of(s, free, n) if p[0] == max(spans_of(s, free, n), key=lambda q: s[q[0]].item())[0]),
            key=lambda p: e[p[1]].item()),
        end_first: lambda s, e, free, n: max(
            (p for p in spans_of(s, free, n) if p[1] == max(spans_of(s, free, n), key=lambda q: e[q[1]].item())[1]),
            key=lambda p: s[p[0]].item()),
        exclusive: spans(right, shift=1),
        far: spans(lambda i, j, free, n: i <= j and all(free[i : j + 1])),
        longer: spans(lambda i, j, free, n: i <= j <= i + n and all(free[i : j + 1])),
        near_: spans(lambda i, j, free, n: i <= j < i + n - 1 and all(free[i : j + 1])),
        open_: spans(lambda i, j, free, n: i <= j < i + n),
        ends: spans(lambda i, j, free, n: i <= j < i + n and free[i] and free[j]),
        open_start: spans(lambda i, j, free, n: i <= j < i + n and free[i]),
        open_end: spans(lambda i, j, free, n: i <= j < i + n and free[j]),
        "every token of the span must be allowed, also the first": spans(
            lambda i, j, free, n: i <= j < i + n and all(free[i + 1 : j + 1])),
        strict: spans(lambda i, j, free, n: i < j < i + n and all(free[i : j + 1])),
        "the scores are added, not multiplied": spans(right, value=lambda s, e: s * e),
        "the logits are added as they are, not their softmax": lambda s, e, free, n: spans(right)(
            s.softmax(0), e.softmax(0), free, n),
        minus: spans(right, value=lambda s, e: e - s), larger: spans(right, value=max),
        swapped: lambda s, e, free, n: spans(right)(e, s, free, n),
        as_zero: lambda s, e, free, n: spans(lambda i, j, free, n: i <= j < i + n)(s * free, e * free, free, n),
        mean_of: lambda s, e, free, n: max(
            spans_of(s, free, n), key=lambda p: (s[p[0]] + e[p[1]]).item() / (p[1] - p[0] + 1)),
        no_last: spans(lambda i, j, free, n: i < len(free) - 1 and right(i, j, free, n)),
        last_end: spans(
            lambda i, j, free, n: j < len(free) - 1 and right(i, j, free, n)),
        "the first token, too, may be the start of a span": spans(lambda i, j, free, n: i and right(i, j, free, n)),
        first_run: spans(
            lambda i, j, free, n: right(i, j, free, n) and all(free[free.index(True) : j + 1])),
        first_start: spans(
            lambda i, j, free, n: right(i, j, free, n) and i == free.index(True)),
        "no sum is above 0: the search for the best begins with minus infinity": lambda s, e, free, n: (
            (0, 0) if all(s[i] + e[j] < 0 for i, j in spans_of(s, free, n)) else spans(right)(s, e, free, n)),
        "of equals the shortest was taken: the earliest start is asked, then the earliest end": lambda s, e, free, n:
            max(spans_of(s, free, n), key=lambda p: ((s[p[0]] + e[p[1]]).item(), p[0] - p[1])),
        only_start: spans(right, value=lambda s, e: s),
        only_end: spans(right, value=lambda s, e: e),
        reversed_: spans(
            lambda i, j, free, n: j <= i and all(free[j : i + 1])),
        "ties go to the earliest start and end": spans(right, latest=True),
        "the length of a span is rewarded; the sum of both scores decides alone": lambda s, e, free, n: max(
            spans_of(s, free, n), key=lambda p: (s[p[0]] + e[p[1]]).item() + p[1] - p[0]),
        next(iter(outside)): lambda s, e, free, n: e.tolist()[len(e)],
    })

    def spans_of(s, free, n):
        return [(i, j) for i in range(len(s)) for j in range(len(s)) if right(i, j, free.tolist(), n)]

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
    check.mistakes({})  # too many pairs to try them all
    for T, place, longest in [(90, 70, 80), (90, 3, 80)]:
        start, end = (torch.from_numpy(check.rng.normal(size=T)) for _ in "se")
        free = torch.ones(T, dtype=torch.bool)
        start[place] += 40
        end[min(place + longest, T) - 1] += 40
        last = min(place + longest, T) - 1  # where both peaks stand, no other pair comes near
        check(best_span, start, end, free, longest).equals((place, last), about="long texts")
    ### END HIDDEN TESTS


score
