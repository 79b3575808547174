from helpers.checks import graded


@graded("spearman", points=4)
def score(check):
    import numpy as np
    ### BEGIN MISTAKES
    ties = "equal values share the mean of their ranks"
    shared = {kind: ties + f", {words}" for kind, words in {
        "ordinal": "not the order in which they come", "min": "not the smallest of them",
        "max": "not the largest of them",
        "dense": "and the next value does not get the next whole number"}.items()}
    halves = ties + ": a half is cut off by //"
    squares = "this is the covariance of the ranks: divide by both deviations"
    from scipy.stats import kendalltau, pearsonr, rankdata, spearmanr

    def by(method):
        return lambda a, b: pearsonr(rankdata(a, method), rankdata(b, method))[0]

    def plain(a, b):
        d = rankdata(a, "average") - rankdata(b, "average")
        return 1 - 6 * (d**2).sum() / (len(a) * (len(a) ** 2 - 1))

    check.mistakes(
        {
            "this is the correlation of the values; their ranks are asked for": lambda a, b: pearsonr(a, b)[0],
            **{words: by(kind) for kind, words in shared.items()},
            "argsort gives positions, not ranks: take the argsort of it once more": lambda a, b: pearsonr(
                np.argsort(a, kind="stable"), np.argsort(b, kind="stable")
            )[0],
            "only the first list was ranked": lambda a, b: pearsonr(rankdata(a), b)[0],
            "only the second list was ranked": lambda a, b: pearsonr(a, rankdata(b))[0],
            "the short formula 1 - 6 sum d^2 / (n^3 - n) holds without equal values only": plain,
            "the sign is reversed: one list was ranked downwards": lambda a, b: -spearmanr(a, b)[0],
            "this is Kendall's tau; the correlation of the ranks is asked for": lambda a, b: kendalltau(a, b)[0],
            "this is the cosine of the ranks: subtract their means first": lambda a, b: (
                rankdata(a) @ rankdata(b) / np.linalg.norm(rankdata(a)) / np.linalg.norm(rankdata(b))
            ),
            "this is the square of the correlation": lambda a, b: spearmanr(a, b)[0] ** 2,
            "this is the absolute value: a correlation can be negative": lambda a, b: abs(spearmanr(a, b)[0]),
            "the short formula divides by n^3 - n, and holds without equal values only": lambda a, b: (
                1 - 6 * ((rankdata(a) - rankdata(b)) ** 2).sum() / len(a) ** 3
            ),
            "n - 1 and n were mixed: a sample's covariance over deviations of all": lambda a, b: (
                spearmanr(a, b)[0] * len(a) / (len(a) - 1)
            ),
            "there is a root below the fraction": lambda a, b: (
                spearmanr(a, b)[0] / rankdata(a).std() / rankdata(b).std() / len(a)
            ),
            "this is 1, a list's correlation with itself: in the table, take the number off the diagonal":
                lambda a, b: 1.0,
            "this is the table of correlations: take the one off the diagonal": lambda a, b: np.corrcoef(
                rankdata(a), rankdata(b)
            ),
            "the correlation alone is asked for, without its p": lambda a, b: tuple(map(float, spearmanr(a, b))),
            halves: lambda a, b: pearsonr(
                *[(x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) // 2 for x in (a, b)]
            )[0],
            squares: lambda a, b: np.cov(rankdata(a), rankdata(b), ddof=0)[0, 1],
            squares + ", of a sample here": lambda a, b: np.cov(rankdata(a), rankdata(b))[0, 1],
        }, spearman)
    ### END MISTAKES
    check(spearman, np.array([10, 30, 20, 30]), np.array([1, 2, 3, 4])).equals(0.6324555, about="by hand", rtol=1e-4)
    check(spearman, np.array([1.7, 1.70000001, 6.8, 1.1, 10.5]), np.array([-1.3, -0.8, -0.4, 5.5, -1.5])).equals(
        -0.6
    )
    check(spearman, np.array([30, 50, 50, 20, 20, 50]), np.array([4, 1, 9, 4, 7, 9])).equals(
        0.23836565
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for n in (9, 12, 15):
        a, b = check.rng.normal(size=(2, n)) ** 3
        b = a + b if n != 12 else b - 2 * a  # one correlation is negative
        check(spearman, a, b).equals(spearmanr(a, b)[0], about="different values", rtol=1e-4)
    for n in (8, 11, 14):
        a, b = check.rng.integers(0, 6, size=n), check.rng.integers(-3, 3, size=n)
        a[:2], b[:2] = (0, 5), (2, -3)
        b = a - 2 * b if n != 11 else -a - b
        check(spearman, a, b).equals(spearmanr(a, b)[0], about="equal values", rtol=1e-4, atol=1e-6)
    check(spearman, np.array([3, 8]), np.array([0.5, 0.1])).equals(-1.0, about="two values", edge=True)

    def about_equal(x):
        close = np.isclose(x[:, None], x)
        return ((x[:, None] > x) & ~close).sum(1) + close.sum(1) / 2 + 0.5

    many = "only equal values share a rank, not those that are close to one another"
    check.mistakes({
        many: lambda a, b: np.corrcoef(about_equal(a), about_equal(b))[0, 1],
        many + " (they were rounded)": lambda a, b: spearmanr(a.round(6), b.round(6))[0],
        many + " (float32 makes them equal)": lambda a, b: spearmanr(a.astype("f4"), b.astype("f4"))[0],
    }, spearman)
    a, b = check.rng.normal(size=(2, 2, 70)) * 90
    a[0, :3] = a[0, 3] + np.array([1, -1, 2]) * 1e-9  # neighbours, and not equal
    a[1, 9:12] = a[1, 12] + np.array([2, -1, 1]) * 1e-9
    for x, y in (a, b):
        check(spearman, x, y).equals(
            spearmanr(x, y)[0], about="long lists, values close together", edge=True, rtol=1e-9)
    ### END HIDDEN TESTS


score
