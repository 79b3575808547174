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


score
