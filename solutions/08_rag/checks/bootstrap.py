from helpers.checks import graded


@graded("bootstrap", points=4)
def score(check):
    import numpy as np

    of_values = "the quantiles of the values themselves: take those of the means"
    axis = "the mean is over each draw, axis 1"
    one_sided = "the level is split to both sides: (1 - level) / 2 and (1 + level) / 2"
    turned = "the lower end comes first"
    single = "the quantiles of all values that were drawn: take the mean of each draw first"
    hundred = "np.percentile counts to 100; np.quantile takes shares"
    between = "a quantile between two of the means is worked out from both: np.quantile as it comes"
    named = "the numbers that were drawn were averaged, not the values"
    once = "a value that a draw has twice counts twice in its mean"
    fixed = "level is ignored"
    median = "the median of each draw: its mean is asked"
    unused = "the draws were not used: they name the values"
    mirrored = "the quantiles of the means are asked as they are, not mirrored at the mean"
    ends = "smallest and largest mean: the quantiles are asked"

    draws = np.array([[0, 0, 1], [1, 2, 2], [0, 1, 2], [0, 0, 2], [0, 0, 0], [1, 1, 2]])
    check(interval, np.array([0.0, 1.0, 1.0]), draws[:3], 0.5).equals((0.5, 5 / 6), near={
        of_values: (0.5, 1.0), fixed: (0.35, 0.983333), one_sided: (2 / 3, 2 / 3), turned: (5 / 6, 0.5), single: (0, 1),
        hundred: (0.335, 0.338333), between: (1 / 3, 1), named: (2 / 3, 4 / 3), once: (0.583333, 5 / 6),
        median: (0.5, 1.0), unused: (2 / 3, 2 / 3), ends: (1 / 3, 1),
    })
    check(interval, np.array([0.0, 3.0, 6.0]), draws, 0.5).equals((1.25, 3.75), rtol=1e-4, near={
        of_values: (1.5, 4.5), fixed: (0.125, 4.875), axis: (1.5, 3.25), one_sided: (2.5, 2.5), turned: (3.75, 1.25),
        single: (0, 5.25), between: (1, 4), named: (0.416667, 1.25), once: (1.875, 4.125), median: (0, 3),
        unused: (3, 3), ends: (0, 5), hundred: (0.0125, 0.0375), mirrored: (2.25, 4.75),
    })
    default = "level is 0.95 where it is not given"
    check(interval, np.array([0.0, 3.0, 6.0]), draws).equals(
        (0.125, 4.875), rtol=1e-4, about="level is not given", near={
        default: (0.25, 4.75), one_sided: (0.25, 4.75), of_values: (0.15, 5.85), axis: (1.05, 4.375),
        turned: (4.875, 0.125), single: (0, 6), named: (0.041667, 1.625), once: (0.1875, 4.5), median: (0, 5.625),
        unused: (3, 3), ends: (0, 5), between: (0, 5), hundred: (0.00125, 0.04875),
        mirrored: (1.125, 5.875),
    })
    check(interval, np.array([0.0, 1.0, 1.0]), draws[:3], 0.5).equals(
        (0.5, 5 / 6), about="double precision", edge=True, rtol=1e-10)
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(of=lambda v, d: v[d].mean(1), sides=lambda p: ((1 - p) / 2, (1 + p) / 2)):
        return lambda v, d, level=0.95: tuple(np.quantile(of(v, d), sides(level)))

    def nearest(v, d, level=0.95):
        means = np.sort(v[d].mean(1))
        return means[int(len(d) * (1 - level) / 2)], means[min(len(d) - 1, int(len(d) * (1 + level) / 2))]

    check.mistakes({
        hundred: lambda v, d, level=0.95: tuple(np.percentile(v[d].mean(1), [(1 - level) / 2, (1 + level) / 2])),
        between: nearest, of_values: made(of=lambda v, d: v), axis: made(of=lambda v, d: v[d].mean(0)), one_sided: made(
            sides=lambda p: (1 - p, p)
        ),
        fixed: lambda v, d, level=0.95: made()(v, d), turned: made(
            sides=lambda p: ((1 + p) / 2, (1 - p) / 2)
        ),
        "the sum of each draw: its mean is asked": made(of=lambda v, d: v[d].sum(1)),
        median: made(of=lambda v, d: np.median(v[d], axis=1)),
        "mean and standard deviation: quantiles are asked": lambda v, d, level=0.95: (
            v[d].mean() - 1.96 * v[d].mean(1).std(), v[d].mean() + 1.96 * v[d].mean(1).std()
        ),
        unused: lambda v, d, level=0.95: (
            made()(v, np.arange(len(v))[None], level)),
        single: made(of=lambda v, d: v[d].ravel()),
        once: made(of=lambda v, d: [v[np.unique(row)].mean() for row in d]),
        default: lambda v, d, level=0.9: made()(v, d, level),
        named: made(of=lambda v, d: d.mean(1)),
        ends: made(sides=lambda p: (0, 1)),
    })
    for n, R, level in [(8, 40, 0.95), (5, 25, 0.8), (12, 60, 0.5), (9, 31, 0.9), (9, 31, 0.9), (6, 200, 0.99),
                        (80, 30, 0.7), (7, 90, 0.02)]:
        values, draws = check.rng.normal(size=n) * 20 + 10, check.rng.integers(0, n, size=(R, n))
        draws[3:7] = draws[2]  # one draw several times: it counts as often
        means = sorted(sum(values[i] for i in row) / n for row in draws)
        right = []
        for q in ((1 - level) / 2, (1 + level) / 2):
            at = q * (R - 1)
            low = int(at)
            right.append(means[low] + (at - low) * (means[min(low + 1, R - 1)] - means[low]))
        options = () if level == 0.95 else (level,)
        about = "high and low levels" if level in (0.02, 0.99) else "fresh values" if n < 64 else "many values"
        check(interval, values, draws, *options).equals(tuple(right), about=about)
    check(interval, values, draws, 0.5).equals(
        made()(values, draws, 0.5), about="double precision", edge=True, rtol=1e-10)
    check(interval, np.array([2.0]), np.zeros((5, 1), dtype=int)).equals((2, 2), about="one value", edge=True)
    ### END HIDDEN TESTS


score
