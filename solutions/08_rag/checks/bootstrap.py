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

    draws = np.array([[0, 0, 1], [1, 2, 2], [0, 1, 2], [0, 0, 2]])
    check(interval, np.array([0.0, 1.0, 1.0]), draws[:3], 0.5).equals((0.5, 5 / 6), near={
        of_values: (0.5, 1.0), fixed: (0.35, 0.983333), one_sided: (2 / 3, 2 / 3), turned: (5 / 6, 0.5), single: (0, 1),
        hundred: (0.335, 0.338333), between: (1 / 3, 1), named: (2 / 3, 4 / 3), once: (0.583333, 5 / 6),
    })
    check(interval, np.array([0.0, 3.0, 6.0]), draws, 0.9).equals((1.15, 4.7), rtol=1e-4, near={
        of_values: (0.3, 5.7), fixed: (1.075, 4.85), axis: (0.9, 5.025), one_sided: (1.3, 4.4),
        turned: (4.7, 1.15), single: (0, 6), between: (1, 5), named: (0.383333, 1.566667), once: (1.725, 4.275),
    })
    default = "level is 0.95 where it is not given"
    check(interval, np.array([0.0, 3.0, 6.0]), draws).equals(
        (1.075, 4.85), rtol=1e-4, about="level is not given", near={
        default: (1.15, 4.7), of_values: (0.15, 5.85), axis: (0.825, 5.1), turned: (4.85, 1.075), single: (0, 6),
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(of=lambda v, d: v[d].mean(1), sides=lambda p: ((1 - p) / 2, (1 + p) / 2)):
        return lambda v, d, level=0.95: tuple(np.quantile(of(v, d), sides(level)))

    check.mistakes({
        of_values: made(of=lambda v, d: v), axis: made(of=lambda v, d: v[d].mean(0)), one_sided: made(
            sides=lambda p: (1 - p, p)
        ),
        fixed: lambda v, d, level=0.95: made()(v, d), turned: made(
            sides=lambda p: ((1 + p) / 2, (1 - p) / 2)
        ),
        "the sum of each draw: its mean is asked": made(of=lambda v, d: v[d].sum(1)),
        "the median of each draw: its mean is asked": made(of=lambda v, d: np.median(v[d], axis=1)),
        "mean and standard deviation: quantiles are asked": lambda v, d, level=0.95: (
            v[d].mean() - 1.96 * v[d].mean(1).std(), v[d].mean() + 1.96 * v[d].mean(1).std()
        ),
        "the draws were not used: they name the values": lambda v, d, level=0.95: (
            made()(v, np.arange(len(v))[None], level)),
        single: made(of=lambda v, d: v[d].ravel()),
        once: made(of=lambda v, d: [v[np.unique(row)].mean() for row in d]),
        default: lambda v, d, level=0.9: made()(v, d, level),
        named: made(of=lambda v, d: d.mean(1)),
        "smallest and largest mean: the quantiles are asked": made(sides=lambda p: (0, 1)),
    })
    for n, R, level in [(8, 40, 0.95), (5, 25, 0.8), (12, 60, 0.5), (9, 31, 0.9)]:
        values, draws = check.rng.normal(size=n) * 3, check.rng.integers(0, n, size=(R, n))
        means = sorted(sum(values[i] for i in row) / n for row in draws)
        right = []
        for q in ((1 - level) / 2, (1 + level) / 2):
            at = q * (R - 1)
            low = int(at)
            right.append(means[low] + (at - low) * (means[min(low + 1, R - 1)] - means[low]))
        options = () if level == 0.95 else (level,)
        check(interval, values, draws, *options).equals(tuple(right), about="fresh values")
    check(interval, np.array([2.0]), np.zeros((5, 1), dtype=int)).equals((2, 2), about="one value", edge=True)
    ### END HIDDEN TESTS


score
