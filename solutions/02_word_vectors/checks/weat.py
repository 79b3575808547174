from helpers.checks import graded


@graded("weat", points=5)
def score(check):
    import numpy as np
    from helpers.checks.forms import base
    from helpers.checks.values import as_array

    not_all = "p is the share of all divisions: these are some that were drawn at random"

    def drawn(case, right, divisions):
        """Whether p is a share of some power of ten of divisions: few decimals, and not those of the right one."""
        found = as_array(base(case.value))
        if found is None or found.shape != (2,) or found.dtype.kind != "f" or not np.isfinite(found).all():
            return False
        p = found[1]
        whole = [p * number for number in (divisions - 1, divisions, divisions + 1)]
        rounded = np.isclose(p, [round(right, d) for d in range(6)], rtol=0)
        few = abs(p * 1e5 - round(p * 1e5)) < 1e-6 and not np.isclose(whole, np.round(whole), rtol=0, atol=1e-6).any()
        return few and abs(p - right) < 0.1 and not rounded.any()

    ### BEGIN MISTAKES
    population = "the deviation is that of a sample: n - 1 below"
    strict = "divisions that reach the same difference count, too, and the one seen is one of them"
    averaged, variance = "the attributes are averaged, not added up", "divide by the deviation, not by the variance"
    standard = "divide by the deviation, not by a standard error"
    sums = "the difference is that of the means of the groups, not of their sums"
    half = "each division's first part is as large as X, not half of all"
    as_y = "each division's first part is as large as X, not as Y"
    rest_missing = "the rest of each division is missing: a difference of two means is compared"
    as_sums = "the difference seen is one of means; it was compared with differences of sums"
    added = "p is the plain share of divisions: nothing is added to it"
    without, bare = "p is never 0: the division seen is one of them", "the effect was not divided by the deviation"
    one_sided = "one-sided: differences of the other sign do not count"
    pooled = "the deviation is over all targets together, not the two groups' own put together"
    within = "the deviation is over all targets together, not within X and within Y"
    mean_first = "the cosine with the mean attribute vector is not the mean of the cosines"
    import math
    from itertools import combinations
    from scipy.spatial.distance import cdist

    def cosine_similarity(a, b):
        return 1 - cdist(a, b, "cosine")

    def effect(X, Y, A, B, like=cosine_similarity, ddof=1):
        x, y = (like(w, A).mean(1) - like(w, B).mean(1) for w in (X, Y))
        return (x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=ddof)

    def p_value(X, Y, A, B, like=cosine_similarity, count=lambda d, seen: d >= seen - 1e-9, total=None, side=None):
        s = np.concatenate([like(w, A).mean(1) - like(w, B).mean(1) for w in (X, Y)])
        n, seen = len(X), s[: len(X)].mean() - s[len(X) :].mean()
        parts = [s[list(part)].sum() for part in combinations(range(len(s)), side or n)]
        differences = np.array([a / (side or n) - (s.sum() - a) / (len(s) - (side or n)) for a in parts])
        return count(differences, seen).sum() / (total or len(differences))

    def association(X, Y, A, B):
        return np.concatenate([cosine_similarity(w, A).mean(1) - cosine_similarity(w, B).mean(1) for w in (X, Y)])

    def gap(X, Y, A, B, pool=np.mean):
        s = association(X, Y, A, B)
        return pool(s[: len(X)]) - pool(s[len(X) :])

    def test_of(s, n):
        """Effect and p of given associations."""
        firsts = np.array([s[list(part)].mean() for part in combinations(range(len(s)), n)])
        seen = s[:n].mean() - s[n:].mean()
        return seen / s.std(ddof=1), np.mean(firsts >= s[:n].mean() - 1e-9)

    def plus(X, Y, A, B):
        targets = np.concatenate([X, Y])
        return test_of(cosine_similarity(targets, A).mean(1) + cosine_similarity(targets, B).mean(1), len(X))

    def attributes_added(X, Y, A, B):
        targets = np.concatenate([X, Y])
        return test_of(cosine_similarity(targets, A).sum(1) - cosine_similarity(targets, B).sum(1), len(X))

    def by_columns(X, Y, A, B):
        targets, A, B = (v / np.linalg.norm(v, axis=0) for v in (np.concatenate([X, Y]), A, B))
        return test_of((targets @ A.T).mean(1) - (targets @ B.T).mean(1), len(X))

    def p_without_seen(X, Y, A, B):
        total = math.comb(len(X) + len(Y), len(X))
        return (p_value(X, Y, A, B) * total - 1) / (total - 1)

    def deviation(X, Y, A, B):
        return association(X, Y, A, B).std(ddof=1)

    def two_sided(differences, seen):
        return np.abs(differences) >= abs(seen) - 1e-9

    def part(i, X, Y, A, B):
        out = weat(X, Y, A, B)
        pair = as_array(base(out))
        return pair[i] if pair is not None and pair.shape == (2,) else out

    def both(first=effect, second=p_value):
        return lambda X, Y, A, B: (first(X, Y, A, B), second(X, Y, A, B))

    def dots(a, b):
        return a @ b.T

    def dots_of(function, **more):
        return lambda X, Y, A, B: function(X, Y, A, B, **more)

    def p_by(X, Y, A, B, divide):
        """Each division's difference by another rule: of the first part's sum, that of the rest, |X| and |Y|."""
        s = association(X, Y, A, B)
        n, m = len(X), len(Y)
        firsts = np.array([s[list(part)].sum() for part in combinations(range(n + m), n)])
        return np.mean(divide(firsts, s.sum() - firsts, n, m) >= gap(X, Y, A, B) - 1e-9)

    known = {
        "in each division the mean of the rest is over |Y| words, not over |X|": both(
            effect, lambda *a: p_by(*a, lambda first, rest, n, m: (first - rest) / n)),
        "in each division the sums were divided by the other part's size": both(
            effect, lambda *a: p_by(*a, lambda first, rest, n, m: first / m - rest / n)),
        as_sums: both(
            effect, lambda *a: p_by(*a, lambda first, rest, n, m: first - rest)),
        rest_missing: both(
            effect, lambda *a: p_by(*a, lambda first, rest, n, m: first / n)),
        population: both(dots_of(effect, ddof=0)),
        strict: both(effect, dots_of(p_value, count=lambda d, seen: d > seen + 1e-9)),
        one_sided: both(effect, dots_of(p_value, count=two_sided)),
        "dot products were taken; cosines do not ask for length":
            both(dots_of(effect, like=dots), dots_of(p_value, like=dots)),
        "the columns were scaled; a word is a row": by_columns,
        variance: both(lambda *a: effect(*a) / deviation(*a)),
        standard: both(lambda *a: effect(*a) * (len(a[0]) + len(a[1])) ** 0.5),
        sums: both(lambda *a: gap(*a, pool=np.sum) / deviation(*a)),  # p stays: the order is the same
        "the deviation is over all targets together, not over X alone": both(
            lambda *a: gap(*a) / association(*a)[: len(a[0])].std(ddof=1)),
        "the association with B is subtracted, not added": plus,
        without: both(effect, p_without_seen),
        added: both(effect, lambda *a: (p_value(*a) * math.comb(len(a[0]) + len(a[1]), len(a[0])) + 1) / (
            math.comb(len(a[0]) + len(a[1]), len(a[0])) + 1)),
        pooled: both(lambda *a: gap(*a) / np.sqrt(np.mean([
            association(*a)[part].var(ddof=1) for part in (slice(len(a[0])), slice(len(a[0]), None))]))),
        within: both(lambda *a: gap(*a) / np.sqrt(sum(
            (len(s) - 1) * s.var(ddof=1) for s in np.split(association(*a), [len(a[0])]) if len(s) > 1
        ) / (len(a[0]) + len(a[1]) - 2))),
        half: both(
            effect, lambda *a: p_value(*a, side=(len(a[0]) + len(a[1])) // 2)),
        averaged: attributes_added,
        "X and Y are exchanged, or A and B": lambda X, Y, A, B: (effect(Y, X, A, B), p_value(Y, X, A, B)),
        "targets and attributes are exchanged": lambda X, Y, A, B: (effect(A, B, X, Y), p_value(A, B, X, Y)),
        bare: both(lambda X, Y, A, B: float(
            (cosine_similarity(X, A).mean(1) - cosine_similarity(X, B).mean(1)).mean()
            - (cosine_similarity(Y, A).mean(1) - cosine_similarity(Y, B).mean(1)).mean())),
        "this is the effect's p from the other side: 1 - p": both(effect, lambda *a: 1 - p_value(*a)),
        "the share of divisions that stay at or below was taken": both(
            effect, dots_of(p_value, count=lambda d, seen: d <= seen + 1e-9)),
        "p is a share: divide by the number of divisions": both(effect, dots_of(p_value, total=1)),
        "divide by the number of divisions, not by all orders of the words": both(
            effect, lambda X, Y, A, B: p_value(X, Y, A, B, total=math.factorial(len(X) + len(Y)))),
        as_y: both(
            effect, lambda X, Y, A, B: p_value(X, Y, A, B, side=len(Y))),
        "the deviation is over all targets together, not the mean of the two groups'": both(
            lambda X, Y, A, B: effect(X, Y, A, B) * association(X, Y, A, B).std(ddof=1)
            / np.mean([association(w, w, A, B).std() * (len(w) / (len(w) - 1)) ** 0.5 for w in (X, Y)])),
        mean_first: both(
            lambda X, Y, A, B: effect(X, Y, A.mean(0, keepdims=True), B.mean(0, keepdims=True)),
            lambda X, Y, A, B: p_value(X, Y, A.mean(0, keepdims=True), B.mean(0, keepdims=True))),
    }
    check.mistakes(known, weat)
    check.mistakes({words: lambda i, *args, made=made: made(*args)[i] for words, made in known.items()}, part)
    ### END MISTAKES
    X, Y = np.array([[1.0, 0], [4, 1]]), np.array([[0.0, 2], [1, 3]])
    A, B = np.array([[1.0, 0], [2, 1]]), np.array([[0.0, 1]])
    size, p = 1.6994130, 1 / 6
    check(weat, X, Y, A, B).equals(
        (size, p), about="two against two", rtol=1e-4,
        near={
        "this is the effect of Y against X": (-size, p), "a pair is asked for: (effect, p)": size,
        "the effect comes first, then p": (p, size),
    },
    )
    X, Y = np.array([[4.0, 1], [5, 2], [5, 1], [0, 5]]), np.array([[3.0, 2], [5, 5]])
    size, p = 0.1570681, 0.4
    four = check(weat, X, Y, A, B)
    four.equals(
        (size, p), about="four against two", rtol=1e-4,
        near=lambda: {"the effect comes first, then p": (p, size)} | (
            {not_all: (size, four.value[1])} if drawn(four, p, 15) else {}),
    )
    X = np.array([[9.0, i] for i in (0, 1, 3, 8, 13, 21)])
    Y = np.array([[i, 9.0] for i in (1, 2, 4, 9, 14, 22)])
    size, p = 0.8110798, 75 / 924
    six = check(weat, X, Y, A, B)
    six.equals(
        (size, p), about="six against six", rtol=1e-5,
        near=lambda: {not_all: (size, six.value[1])} if drawn(six, p, 924) else {},
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    some_drawn = 0
    for n, m, k, other, d in [(3, 5, 3, 2, 5), (5, 3, 2, 4, 4), (4, 4, 3, 5, 6), (6, 3, 4, 2, 3)]:
        X, Y, A, B = (
            check.rng.normal(size=(rows, d)) * check.rng.uniform(0.3, 5, size=(rows, 1)) for rows in (n, m, k, other)
        )
        size, p, divisions = effect(X, Y, A, B), p_value(X, Y, A, B), math.comb(n + m, n)
        shared = check(weat, X, Y, A, B)
        shared.equals((size, p), about="random vectors", rtol=1e-4,
                      near=lambda: {not_all: (size, shared.value[1])} if drawn(shared, p, divisions) else {})
        some_drawn += drawn(shared, p, divisions)
    check(part, 0, X, Y, A, B).equals(effect(X, Y, A, B), about="the effect alone", rtol=1e-4)
    alone = check(part, 1, X, Y, A, B)
    alone.equals(p, about="p alone", rtol=1e-4, near=lambda: {not_all: alone.value} if some_drawn else {})
    check.mistakes(known, weat)
    for n, m, k, other in [(1, 6, 1, 70), (6, 1, 70, 1)]:
        X2, Y2, A2, B2 = (40 * check.rng.normal(size=(rows, 3)) for rows in (n, m, k, other))
        check(weat, X2, Y2, A2, B2).equals(
            (effect(X2, Y2, A2, B2), p_value(X2, Y2, A2, B2)), about="one against many", edge=True, rtol=1e-9,
            atol=1e-12,
        )
    check.mistakes({}, part)
    turns = np.array([0.3, 0.7, 0.3 + 3e-8, 1.2])  # one of Y is nearly as much for A as one of X
    args = *np.split(np.stack([np.cos(turns), np.sin(turns)], axis=1), 2), *np.split(np.eye(2), 2)
    check(part, 1, *args).equals(
        p_value(*args), about="differences almost equal", edge=True,
        near={one_sided: p_value(*args, count=two_sided),
              "up to 1e-9 smaller is equal: here more than that was": p_value(
                  *args, count=lambda d, seen: d >= seen - 1e-6)},
    )
    for _ in range(4):
        words, lengths = check.rng.normal(size=(4, 30)), check.rng.uniform(0.3, 5, size=(10, 1))
        X, Y = words[[0, 1, 2, 0, 1]] * lengths[:5], words[[1, 0, 3, 3, 2]] * lengths[5:]
        A, B = check.rng.normal(size=(9, 30)), check.rng.normal(size=(10, 30))
        right = p_value(X, Y, A, B)
        other = p_value(X, Y, A, B, count=two_sided)
        rounding = {} if not alone.passed else {
            "equal differences count, and rounding must not decide: up to 1e-9 smaller is equal": (
                lambda p, right=right: 0 <= float(p) < right
            )
        }
        if some_drawn:
            rounding = {not_all: lambda p: True}
        check(part, 1, X, Y, A, B).holds(
            lambda p: abs(float(p) - right) < 1e-6,
            "p counts every division that reaches the difference seen",
            near=rounding | {one_sided: lambda p, other=other: abs(float(p) - other) < 1e-6},
            about="words in both, so equal differences",
        )
    ### END HIDDEN TESTS


score
