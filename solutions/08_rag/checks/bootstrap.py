from helpers.checks import graded


@graded("bootstrap", points=4)
def score(check):
    import numpy as np
    ### BEGIN MISTAKES
    from statistics import NormalDist

    def made(of=lambda v, d: v[d].mean(1), sides=lambda p: ((1 - p) / 2, (1 + p) / 2)):
        return lambda v, d, level=0.95: tuple(np.quantile(of(v, d), sides(level)))

    def nearest(v, d, level=0.95):
        means = np.sort(v[d].mean(1))
        return means[int(len(d) * (1 - level) / 2)], means[min(len(d) - 1, int(len(d) * (1 + level) / 2))]

    def normal(z):
        return lambda v, d, level=0.95: tuple(v[d].mean() + s * z(level) * v[d].mean(1).std() for s in (-1, 1))

    check.mistakes({
        "np.percentile counts to 100; np.quantile takes shares":
            lambda v, d, level=0.95: tuple(np.percentile(v[d].mean(1), [(1 - level) / 2, (1 + level) / 2])),
        "a quantile between two of the means is worked out from both: np.quantile as it comes": nearest,
        "the quantiles of the values themselves: take those of the means": made(of=lambda v, d: v),
        "the mean is over each draw, axis 1": made(of=lambda v, d: v[d].mean(0)),
        "the level is split to both sides: (1 - level) / 2 and (1 + level) / 2": made(
            sides=lambda p: (1 - p, p)
        ),
        "level is ignored": lambda v, d, level=0.95: made()(v, d),
        "the lower end comes first": made(
            sides=lambda p: ((1 + p) / 2, (1 - p) / 2)
        ),
        "the sum of each draw: its mean is asked": made(of=lambda v, d: v[d].sum(1)),
        "the median of each draw: its mean is asked": made(of=lambda v, d: np.median(v[d], axis=1)),
        "mean and standard deviation: quantiles are asked": normal(lambda level: 1.96),
        "mean and standard deviation, and the normal distribution: quantiles are asked":
            normal(lambda level: NormalDist().inv_cdf((1 + level) / 2)),
        "the draws were not used: they name the values": lambda v, d, level=0.95: (
            made()(v, np.arange(len(v))[None], level)),
        "the quantiles of all values that were drawn: take the mean of each draw first":
            made(of=lambda v, d: v[d].ravel()),
        "a value that a draw has twice counts twice in its mean":
            made(of=lambda v, d: [v[np.unique(row)].mean() for row in d]),
        "level is 0.95 where it is not given": lambda v, d, level=0.9: made()(v, d, level),
        "the numbers that were drawn were averaged, not the values": made(of=lambda v, d: d.mean(1)),
        "the quantiles of the means are asked: here the mean of the values was taken away from them":
            made(of=lambda v, d: v[d].mean(1) - v.mean()),
        "smallest and largest mean: the quantiles are asked": made(sides=lambda p: (0, 1)),
    })
    ### END MISTAKES
    mirrored = "the quantiles of the means are asked as they are, not mirrored at the mean"
    draws = np.array([[0, 0, 1], [1, 2, 2], [0, 1, 2], [0, 0, 2], [0, 0, 0], [1, 1, 2]])
    check(interval, np.array([0.0, 1.0, 1.0]), draws[:3], 0.5).equals((0.5, 5 / 6))
    check(interval, np.array([0.0, 3.0, 6.0]), draws, 0.5).equals((1.25, 3.75), rtol=1e-4,
        near={mirrored: (2.25, 4.75)})
    check(interval, np.array([0.0, 3.0, 6.0]), draws).equals(
        (0.125, 4.875), rtol=1e-4, about="level is not given", near={mirrored: (1.125, 5.875)})
    check(interval, np.array([0.0, 1.0, 1.0]), draws[:3], 0.5).equals(
        (0.5, 5 / 6), about="double precision", edge=True, rtol=1e-10)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for n, R, level in [(8, 40, 0.95), (5, 25, 0.8), (12, 60, 0.5), (9, 31, 0.9), (9, 31, 0.9), (6, 200, 0.99),
                        (80, 30, 0.7), (7, 90, 0.02)]:
        values, draws = check.rng.normal(size=n) * 20 + 10, check.rng.integers(0, n, size=(R, n))
        draws[3:7] = draws[2]  # one draw several times: it counts as often
        means = []
        for row in draws:
            means.append(sum(values[i] for i in row) / n)
        means.sort()
        right = []
        for q in ((1 - level) / 2, (1 + level) / 2):
            at = q * (R - 1)
            low = int(at)
            right.append(means[low] + (at - low) * (means[min(low + 1, R - 1)] - means[low]))
        options = () if level == 0.95 else (level,)
        about = "fresh values" if n < 64 else "many values"
        if level in (0.02, 0.99):
            about = "high and low levels"
        check(interval, values, draws, *options).equals(tuple(right), about=about)
    check(interval, values, draws, 0.5).equals(
        made()(values, draws, 0.5), about="double precision", edge=True, rtol=1e-10)
    check(interval, np.array([2.0]), np.zeros((5, 1), dtype=int)).equals((2, 2), about="one value", edge=True)
    ### END HIDDEN TESTS


score
