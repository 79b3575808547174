from helpers.checks import graded


@graded("windows", points=7)
def score(check):
    import numpy as np
    ### BEGIN MISTAKES
    wraps = "beyond the ends there is no word: put -1, do not go around to the other end"
    wraps_far, one_way = wraps + ", nor into another text", "each pair was taken in one direction only"

    def context(ids, texts, reach, offsets=None, fill=-1, place=lambda p, n: p, low=lambda n: 0, same=np.equal):
        """All windows by two loops; place: where a number beyond an end leads; same: when two texts are one."""
        if offsets is None:
            offsets = [o for o in range(-reach, reach + 1) if o]
        out = np.full((len(ids), len(offsets)), fill)
        for i in range(len(ids)):
            for column, o in enumerate(offsets):
                j = place(i + o, len(ids))
                if low(len(ids)) <= j < len(ids) and same(texts[j], texts[i]):
                    out[i, column] = ids[j]
        return out

    def one_sided(i, t, r, side):
        """Other texts are heeded on the other side only."""
        open_, closed = context(i, t, r, same=lambda a, b: True), context(i, t, r)
        return np.where((np.arange(2 * r) < r) == (side < 0), open_, closed)

    def rising(i, t, r):
        left, right = context(i, t, r, same=lambda a, b: a >= b), context(i, t, r, same=lambda a, b: a <= b)
        return np.hstack([left[:, :r], right[:, r:]])

    def by_search(i, t, r):
        """The bounds of each text by a search that is right for rising numbers only."""
        low, high = np.searchsorted(t, t), np.searchsorted(t, t, side="right")
        places = np.arange(len(i))[:, None] + [o for o in range(-r, r + 1) if o]
        inside = (places >= low[:, None]) & (places < high[:, None])
        return np.where(inside, i[places.clip(0, len(i) - 1)], -1)

    def whole_sides(i, t, r):
        found = context(i, t, r)
        full = np.hstack([np.repeat((found[:, side] >= 0).all(1)[:, None], r, 1) for side in np.s_[:r, r:]])
        return np.where(full, found, -1)

    def both(ids, texts, reach):
        return [o for n in range(1, reach + 1) for o in (-n, n)]

    check.mistakes({
        "a window does not reach into another text: put -1 there":
            lambda i, t, r: context(i, t, r, same=lambda a, b: True),
        "to the right, too, a window does not reach into another text": lambda i, t, r: one_sided(i, t, r, 1),
        "to the left, too, a window does not reach into another text": lambda i, t, r: one_sided(i, t, r, -1),
        "the numbers of the texts are in no order: two positions belong to one text if their numbers are equal": rising,
        "the numbers of the texts are in no order: a search for their bounds fails": by_search,
        "the first and the last R positions have context, too": lambda i, t, r: np.where(
            (np.arange(len(i)) >= r)[:, None] & (np.arange(len(i)) < len(i) - r)[:, None], context(i, t, r), -1),
        "a side of the window that is cut short keeps the words that it has": whole_sides,
        wraps: lambda i, t, r: context(i, t, r, place=lambda p, n: p % n),
        wraps_far: lambda i, t, r: context(
            i, t, r, place=lambda p, n: p % n, same=lambda a, b: True),
        "beyond the left end there is no word: a negative index counts from the end":
            lambda i, t, r: context(i, t, r, low=lambda n: -np.inf),
        "beyond the ends the first or last word came again (positions clipped): put -1 there":
            lambda i, t, r: context(i, t, r, place=lambda p, n: min(max(p, 0), n - 1)),
        "0 is a word: only what is missing becomes -1": lambda i, t, r: np.where(
            context(i, t, r) == 0, -1, context(i, t, r)),
        "a word is not its own context: leave offset 0 out": lambda i, t, r: context(i, t, r, range(-r, r + 1)),
        "the filler is -1: 0 is a word": lambda i, t, r: context(i, t, r, fill=0),
        "the columns go from left to right: -R, ..., -1, +1, ..., +R": lambda i, t, r: context(i, t, r, both(i, t, r)),
        "the columns go from left to right, not from right to left": lambda i, t, r: context(i, t, r)[:, ::-1],
        "the left half goes from far to near: -R comes first":
            lambda i, t, r: context(i, t, r, [*range(-1, -r - 1, -1), *range(1, r + 1)]),
        "the right half goes from near to far: +R comes last":
            lambda i, t, r: context(i, t, r, [*range(-r, 0), *range(r, 0, -1)]),
        "the right side comes first; the left one should": lambda i, t, r: context(
            i, t, r, [*range(1, r + 1), *range(-r, 0)]),
        "the window reaches R positions to either side, not R - 1": lambda i, t, r: context(
            i, t, r, [o for o in range(-r + 1, r) if o]),
        "the window reaches R positions to either side, not R in all": lambda i, t, r: context(
            i, t, r, [o for o in range(-(r // 2), r // 2 + 1) if o]),
        "the left side is missing": lambda i, t, r: context(i, t, r, range(1, r + 1)),
        "the right side is missing": lambda i, t, r: context(i, t, r, range(-r, 0)),
        "the right side ends one position too early": lambda i, t, r: context(i, t, r, [o for o in range(-r, r) if o]),
        "these are positions; their words are asked for": lambda i, t, r: context(np.arange(len(i)), t, r),
        "the missing ones are at the end of the row: each column is one offset": lambda i, t, r: np.array(
            [sorted(line, key=lambda v: v < 0) for line in context(i, t, r).tolist()]),
    }, context_windows)

    def listed(ids, windows):
        pairs = []
        for centre, line in zip(ids, windows, strict=True):
            pairs += [[int(centre), int(other)] for other in line if other >= 0]
        return pairs

    def looked_up(ids, windows):
        if not listed(ids, windows):
            raise RuntimeError("no pairs")
        return [[c, int(ids[o])] for c, o in listed(ids, windows)]

    def columnwise(ids, windows):
        pairs = []
        for column in windows.T:
            pairs += [[int(centre), int(other)] for centre, other in zip(ids, column, strict=True) if other >= 0]
        return pairs

    check.mistakes({
        "centre and context are exchanged: the centre comes first": lambda i, w: np.array(listed(i, w))[:, ::-1],
        "one row for each pair: shape (P, 2)": lambda i, w: np.array(listed(i, w)).T,
        "-1 is no word: leave those pairs out": lambda i, w: [
                [c, o] for c, line in zip(i, w, strict=True) for o in line
            ],
        "0 is a word: only -1 is left out": lambda i, w: [p for p in listed(i, w) if p[1] > 0],
        "the pairs go position after position; here they go offset after offset": columnwise,
        "a pair that occurs twice stays twice": lambda i, w: [
                list(p) for p in dict.fromkeys(map(tuple, listed(i, w)))
            ],
        "the order is that of the text: do not sort": lambda i, w: sorted(listed(i, w)),
        "the centre is a word id, not its position": lambda i, w: listed(range(len(i)), w),
        one_way: lambda i, w: [p for p in listed(i, w) if p[0] < p[1]],
        "the windows hold word ids, not positions: the context is the entry itself, not ids[entry]": looked_up,
        "the text was repeated as a whole (np.tile); each centre stands for 2R entries in a row (np.repeat)":
            lambda i, w: np.stack([np.tile(i, w.shape[1]), w.ravel()], 1)[w.ravel() >= 0],
        "the context goes on after a -1": lambda i, w: [p for c, line in zip(i, w, strict=True) for p in listed(
                [c], [line[: np.argmax(line < 0) if (line < 0).any() else None]])],
        "only the first position's pairs are there: is the return inside the loop?": lambda i, w: listed(i[:1], w[:1]),
        "a word may meet itself at another position: only -1 is left out": lambda i, w: [
                p for p in listed(i, w) if p[0] != p[1]],
    }, skip_gram_pairs)
    ### END MISTAKES
    check(context_windows, np.array([5, 7, 9, 4]), np.array([3, 3, 1, 2]), 1).equals(
        [[-1, 7], [5, -1], [-1, -1], [-1, -1]], dtype="i",
    )
    check(context_windows, np.array([3, 0, 4, 3]), np.array([2, 2, 2, 2]), 2).equals(
        [[-1, -1, 0, 4], [-1, 3, 4, 3], [3, 0, 3, -1], [0, 4, -1, -1]], dtype="i",
    )
    none = np.zeros(0, dtype=int)
    check(context_windows, none, none, 2).equals(
        np.zeros((0, 4)), dtype="i", about="a text without words", edge=True,
        near={"a text without words gives shape (0, 2 * reach)": np.zeros(0)},
    )
    check(skip_gram_pairs, np.array([5]), np.array([[-1, -1]])).equals(
        np.zeros((0, 2)), dtype="i", about="no pairs", edge=True, near={"no pairs give shape (0, 2)": np.zeros(0)}
    )
    check(skip_gram_pairs, np.array([5, 7, 9]), np.array([[-1, 7], [5, 9], [7, -1]])).equals(
        [[5, 7], [7, 5], [7, 9], [9, 7]], dtype="i",
    )
    check(skip_gram_pairs, np.array([3, 0]), np.array([[-1, 3, 0, 3], [-1, 3, 4, -1]])).equals(
        [[3, 3], [3, 0], [3, 3], [0, 3], [0, 4]], dtype="i",
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for lengths, reach in [([5, 1, 6], 2), ([4, 3, 1, 2], 3), ([9], 1), ([2, 7], 4), ([2, 68], 66)]:
        ids = check.rng.permutation(80)[: sum(lengths)] % 12 * (1 if reach < 66 else 3001)
        texts = np.repeat(check.rng.permutation(9)[: len(lengths)], lengths)
        want = [
            [
                ids[i + o] if 0 <= i + o < len(ids) and texts[i + o] == texts[i] else -1
                for o in range(-reach, reach + 1)
                if o
            ]
            for i in range(len(ids))
        ]
        about = "several texts" if reach < 66 else "a long text, a wide window"
        case = check(context_windows, ids, texts, reach).equals(want, about=about, edge=reach == 66, dtype="i")
    check(context_windows, np.array([4]), np.array([0]), 2).equals([[-1] * 4], about="a single word", edge=True)
    none = np.zeros(0, dtype=int)
    empty = {"a text without words gives shape (0, 2R)": np.zeros(0)}
    if case.passed:
        empty |= {f"a text without words gives shape (0, 2R), not {kind.__name__}": kind for kind in (
            ValueError, IndexError)}
    check(context_windows, none, none, 2).equals(
        np.zeros((0, 4), dtype=int), about="no words", edge=True, dtype="i", near=empty
    )
    for T, reach in [(8, 1), (8, 2), (8, 2), (8, 3), (80, 3)]:
        most = 5 if T == 8 else 30_000
        ids, windows = check.rng.integers(0, most, size=T), check.rng.integers(-1, most, size=(T, 2 * reach))
        windows[3] = -1
        windows[0, 0] = 0
        check(skip_gram_pairs, ids, windows).equals(
            listed(ids, windows), about="random windows" if T == 8 else "a long text", edge=T > 8, dtype="i"
        )
    check.mistakes({}, skip_gram_pairs)
    check(skip_gram_pairs, np.array([4]), np.array([[-1, 6]])).equals([[4, 6]], about="a single pair", edge=True)
    check(skip_gram_pairs, np.array([4]), np.array([[-1, -1]])).equals(
        np.zeros((0, 2)),
        about="no pairs",
        edge=True,
        near={"no pairs give shape (0, 2)": np.zeros(0), "no pairs give shape (0, 2), not (2, 0)": np.zeros((2, 0))},
    )
    ### END HIDDEN TESTS


score
