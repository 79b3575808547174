from helpers.checks import graded


@graded("hard-negatives", points=5)
def score(check):
    import numpy as np
    ### BEGIN MISTAKES
    kept = "the right passage is among them"

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
        out = []
        for row, r in zip(rows, right, strict=True):
            out.append([i for i in row if i != r][:k])
        return np.array(out)

    def by_sort(place=lambda table, row: -np.inf, kind="stable", axis=1, end=lambda o, k, s: o[:, s : s + k]):
        def found(scores, right, k, skip=0):
            scores = scores.astype(float)
            for row, r in zip(scores, right, strict=True):
                row[r] = place(scores, row)
            return end(np.argsort(-scores, axis=axis, kind=kind), k, skip)

        return found

    def among(which):
        return lambda s, r, k, skip=0: with_right(np.where(which(s, s[np.arange(len(s)), r][:, None]), s, -np.inf),
                                                  r, k, skip)

    check.mistakes({
        kept: with_right,
        "these are the lowest scores: the best wrong ones are asked":
            made(order=lambda row: sorted(range(len(row)), key=lambda i: (row[i], i))),
        "equal scores stand in the order of their indices: here the later came first":
            made(order=lambda row: sorted(range(len(row)), key=lambda i: (-row[i], -i))),
        "`skip` was ignored": made(end=lambda o, k, s: o[:k]),
        "best first: the order is turned round": made(end=lambda o, k, s: o[s : s + k][::-1]),
        "the right passage was counted among those to pass over: `skip` counts the wrong ones": skip_first,
        "where `skip` is 0 nothing came: a slice that ends at -0 is empty":
            made(end=lambda o, k, s: o[s : s + k] if s else []),
        "only k - skip of them came: `skip` comes on top of k": made(end=lambda o, k, s: o[s:k]),
        "these are their scores: their indices are asked": lambda s, r, k, skip=0: (
            np.take_along_axis(s, made()(s, r, k, skip), axis=1)),
        "in order of the indices: best first is asked": made(end=lambda o, k, s: sorted(o[s : s + k])),
        "the indices count only the wrong passages: they moved up behind the right one": lambda s, r, k, skip=0: (
            (m := made()(s, r, k, skip)) - (m > np.asarray(r)[:, None])),
        "the best passage was left out, whichever it was: leave out the right one":
            lambda s, r, k, skip=0: with_right(s, r, k, skip + 1),
        "the right passages of all queries were left out of each row: only its own one is": lambda s, r, k, skip=0: (
            with_right(np.where(np.isin(np.arange(s.shape[1]), r), -np.inf, s), r, k, skip)),
        "a right passage with the index 0 is left out, too: 0 is an index": lambda s, r, k, skip=0: np.array([
            [i for i in row if i != x or not x][skip : skip + k]
            for row, x in zip(np.argsort(-s, axis=1, kind="stable"), r, strict=True)]),
        "nearly equal scores became equal: they were made float32, or rounded": lambda s, r, k, skip=0: (
            made()(s.astype(np.float32), r, k, skip)),
        "the diagonal was left out: the right passages are those of `right`": lambda s, r, k, skip=0: (
            made()(s, np.arange(len(s)), k, skip)),
        "the right passage got the score 0, and others lie below it: minus infinity": by_sort(lambda table, row: 0.0),
        "the right passage got the score -1, and others lie below it: minus infinity": by_sort(lambda table, row: -1.0),
        "the right passage got the smallest score of all, and ties with another: minus infinity": by_sort(
            lambda table, row: table.min()),
        "the right passage got the smallest score of its row, and ties with another: minus infinity": by_sort(
            lambda table, row: row.min()),
        "the smallest scores came first, minus infinity among them: sort -scores, the best come first":
            lambda s, r, k, skip=0: with_right(
                -np.where(np.arange(s.shape[1]) == np.asarray(r)[:, None], -np.inf, s), r, k, skip),
        "the right passage got infinity and came first: minus infinity": by_sort(lambda table, row: np.inf),
        "the sort does not keep the order of equal scores: kind='stable' does": by_sort(kind=None),
        "np.argpartition finds the best, but not in order: best first": lambda s, r, k, skip=0: np.argpartition(
            np.where(np.arange(s.shape[1]) == np.asarray(r)[:, None], np.inf, -s), k + skip - 1)[:, skip : skip + k],
        "all that are left after `skip` came: k are asked": by_sort(end=lambda o, k, s: o[:, s:]),
        "`skip` passes over passages, not over groups of k": by_sort(end=lambda o, k, s: o[:, s * k : s * k + k]),
        "sorted along the queries: each row is sorted for itself": by_sort(axis=0),
        "wrong passages with the score of the right one were left out, too": among(lambda s, own: s != own),
        "only passages that score below the right one were taken: those above are wrong, too": among(
            lambda s, own: s < own),
    }, hard_negatives)
    ### END MISTAKES
    s = np.array([[3.0, 4.0, 0.0, 1.0, 4.0], [3.0, 4.0, -2.0, 4.0, -5.0], [-1.0, -2.0, 5.0, -3.0, -4.0]])
    right = np.array([1, 0, 2])
    check(hard_negatives, s, right, 2).equals([[4, 0], [1, 3], [0, 1]], dtype="i")
    check(hard_negatives, s, right, 2, skip=1).equals([[0, 3], [3, 2], [1, 3]])
    table = np.stack([np.arange(60.0) % 3, 2 + 1e-9 * np.arange(60)])  # many ties; none, but nearly
    check(hard_negatives, table, np.array([5, 59]), 4).equals(
        [[2, 8, 11, 14], [58, 57, 56, 55]], about="many equal scores, and nearly equal ones")
    ### BEGIN HIDDEN TESTS
    check.hidden()
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
    s = np.array([[0.0, 3.0, 0.0, 2.0, 0.0], [7.0, 5.0, 5.0, 9.0, 8.0]])
    check(hard_negatives, s, np.array([0, 1]), 3, 1).equals(
        made()(s, [0, 1], 3, 1), about="scores equal to the smallest", edge=True)
    check.mistakes({}, hard_negatives)  # too many of them agree on such input
    check(hard_negatives, np.zeros((2, 4)), np.array([0, 2]), 3).equals(
        [[1, 2, 3], [0, 1, 3]], about="all scores equal", edge=True, near={kept: [[0, 1, 2], [0, 1, 2]]}
    )
    ### END HIDDEN TESTS


score
