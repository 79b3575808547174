from helpers.checks import graded


@graded("hard-negatives", points=5)
def score(check):
    import numpy as np

    kept = "the right passage is among them"
    worst = "these are the lowest scores: the best wrong ones are asked"
    late = "equal scores stand in the order of their indices: here the later came first"
    no_skip = "`skip` was ignored"
    turned = "best first: the order is turned round"
    by_number = "in order of the indices: best first is asked"
    counted = "the right passage was counted among those to pass over: `skip` counts the wrong ones"
    best = "the best passage was left out, whichever it was: leave out the right one"
    s = np.array([[3.0, 4.0, 0.0, 1.0, 4.0], [3.0, 4.0, 2.0, 4.0, 0.0]])
    check(hard_negatives, s, np.array([1, 0]), 2).equals([[4, 0], [1, 3]], near={
        kept: [[1, 4], [1, 3]], worst: [[2, 3], [4, 2]], late: [[4, 0], [3, 1]], turned: [[0, 4], [3, 1]],
        best: [[4, 0], [3, 0]], by_number: [[0, 4], [1, 3]],
    })
    check(hard_negatives, s, np.array([1, 0]), 2, skip=1).equals([[0, 3], [3, 2]], near={
        kept: [[4, 0], [3, 0]], no_skip: [[4, 0], [1, 3]], counted: [[4, 0], [3, 2]], best: [[0, 3], [0, 2]],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(order=lambda row: sorted(range(len(row)), key=lambda i: (-row[i], i)), end=lambda o, k, s: o[s : s + k]):
        def found(scores, right, k, skip=0):
            out = []
            for row, r in zip(scores, right, strict=True):
                out.append(end([i for i in order(row.tolist()) if i != r], k, skip))
            return np.array(out)

        return found

    def with_right(scores, right, k, skip=0):
        return np.argsort(-scores, axis=1, kind="stable")[:, skip : skip + k]

    def skip_first(scores, right, k, skip=0):
        rows = np.argsort(-scores, axis=1, kind="stable")[:, skip:]
        return np.array([[i for i in row if i != r][:k] for row, r in zip(rows, right, strict=True)])

    check.mistakes({
        kept: with_right, worst: made(order=lambda row: sorted(range(len(row)), key=lambda i: (row[i], i))),
        late: made(order=lambda row: sorted(range(len(row)), key=lambda i: (-row[i], -i))),
        no_skip: made(end=lambda o, k, s: o[:k]), turned: made(end=lambda o, k, s: o[s : s + k][::-1]),
        counted: skip_first,
        "only k - skip of them came: `skip` comes on top of k": made(end=lambda o, k, s: o[s:k]),
        "these are their scores: their indices are asked": lambda s, r, k, skip=0: (
            np.take_along_axis(s, made()(s, r, k, skip), axis=1)),
        by_number: made(end=lambda o, k, s: sorted(o[s : s + k])),
        "the indices count only the wrong passages: they moved up behind the right one": lambda s, r, k, skip=0: (
            (m := made()(s, r, k, skip)) - (m > np.asarray(r)[:, None])),
        best: (
            lambda s, r, k, skip=0: with_right(s, r, k, skip + 1)),
        "the right passages of all queries were left out of each row: only its own one is": lambda s, r, k, skip=0: (
            with_right(np.where(np.isin(np.arange(s.shape[1]), r), -np.inf, s), r, k, skip)),
        "a right passage with the index 0 is left out, too: 0 is an index": lambda s, r, k, skip=0: np.array([
            [i for i in row if i != x or not x][skip : skip + k]
            for row, x in zip(np.argsort(-s, axis=1, kind="stable"), r, strict=True)]),
        "nearly equal scores became equal: they were made float32, or rounded": lambda s, r, k, skip=0: (
            made()(s.astype(np.float32), r, k, skip)),
        "the diagonal was left out: the right passages are those of `right`": lambda s, r, k, skip=0: (
            made()(s, np.arange(len(s)), k, skip)),
    })
    for q, p, k, skip in [(4, 6, 3, 0), (3, 9, 2, 2), (5, 7, 1, 1), (6, 5, 4, 0), (4, 6, 3, 2), (4, 6, 1, 0)]:
        s = check.rng.integers(0, 6, size=(q, p)).astype(float)
        r = check.rng.integers(0, p, size=q)
        s[0, r[0]], s[-1, r[-1]] = 99.0, -1.0
        about = "fresh scores, with skip" if skip else "fresh scores"
        given = {"skip": skip} if skip else {}
        check(hard_negatives, s, r, k, **given).equals(made()(s, r, k, skip), about=about, dtype="i")
    for q, p, k, skip in [(3, 200, 10, 0), (90, 5, 2, 1), (2, 300, 90, 80)]:
        s, r = check.rng.normal(size=(q, p)) * 90, check.rng.integers(0, p, size=q)
        check(hard_negatives, s, r, k, skip).equals(made()(s, r, k, skip), about="many passages, queries, negatives")
    s, r = check.rng.integers(0, 4, size=(3, 90)).astype(float), check.rng.integers(0, 90, size=3)
    check(hard_negatives, s, r, 60, 5).equals(made()(s, r, 60, 5), about="many equal scores")
    s, r = -5000.0 - check.rng.integers(0, 9, size=(4, 6)), np.array([5, 0, 0, 3])
    for k, skip in [(5, 0), (3, 2)]:
        check(hard_negatives, s, r, k, skip).equals(made()(s, r, k, skip), about="all wrong ones, with scores below 0")
    s = 1 + check.rng.permutation(8).reshape(1, 8) * 1e-12
    check(hard_negatives, s, np.array([2]), 4, 1).equals(
        made()(s, [2], 4, 1), about="one query, scores nearly equal", edge=True)
    check(hard_negatives, np.zeros((2, 4)), np.array([0, 2]), 3).equals(
        [[1, 2, 3], [0, 1, 3]], about="all scores equal", edge=True
    )
    ### END HIDDEN TESTS


score
