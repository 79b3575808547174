from helpers.checks import graded


@graded("bootstrap", points=4)
def score(check):
    import numpy as np
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "np.percentile counts to 100; np.quantile takes shares": {
            1: (0.335, 0.338333),
            2: (0.0125, 0.0375),
            3: (0.00125, 0.04875),
            4: (0.335, 0.338333333333),
        },
        "a quantile between two of the means is worked out from both: np.quantile as it comes": {
            1: (0.333333, 1.0),
            2: (1.0, 4.0),
            3: (0.0, 5.0),
            4: (0.333333333333, 1.0),
        },
        "the quantiles of the values themselves: take those of the means": {
            1: (0.5, 1.0),
            2: (1.5, 4.5),
            3: (0.15, 5.85),
            4: (0.5, 1.0),
        },
        "the level is split to both sides: (1 - level) / 2 and (1 + level) / 2": {
            1: (0.666667, 0.666667),
            2: (2.5, 2.5),
            3: (0.25, 4.75),
            4: (0.666666666667, 0.666666666667),
        },
        "level is ignored": {
            1: (0.35, 0.983333),
            2: (0.125, 4.875),
            4: (0.35, 0.983333333333),
        },
        "the lower end comes first": {
            1: (0.833333, 0.5),
            2: (3.75, 1.25),
            3: (4.875, 0.125),
            4: (0.833333333333, 0.5),
        },
        "the sum of each draw: its mean is asked": {
            1: (1.5, 2.5),
            2: (3.75, 11.25),
            3: (0.375, 14.625),
            4: (1.5, 2.5),
        },
        "the median of each draw: its mean is asked": {
            1: (0.5, 1.0),
            2: (0.0, 3.0),
            3: (0.0, 5.625),
            4: (0.5, 1.0),
        },
        "mean and standard deviation: quantiles are asked": {
            1: (0.133222, 1.20011),
            2: (-0.847337, 5.84734),
            3: (-0.847337, 5.84734),
            4: (0.133222233794, 1.20011109954),
        },
        "mean and standard deviation, and the normal distribution: quantiles are asked": {
            1: (0.483094, 0.85024),
            2: (1.34809, 3.65191),
            3: (-0.847276, 5.84728),
            4: (0.483093808365, 0.850239524969),
        },
        "the draws were not used: they name the values": {
            1: (0.666667, 0.666667),
            2: (3.0, 3.0),
            3: (3.0, 3.0),
            4: (0.666666666667, 0.666666666667),
        },
        "the quantiles of all values that were drawn: take the mean of each draw first": {
            1: (0.0, 1.0),
            2: (0.0, 5.25),
            3: (0.0, 6.0),
            4: (0.0, 1.0),
        },
        "a value that a draw has twice counts twice in its mean": {
            1: (0.583333, 0.833333),
            2: (1.875, 4.125),
            3: (0.1875, 4.5),
            4: (0.583333333333, 0.833333333333),
        },
        "the numbers that were drawn were averaged, not the values": {
            1: (0.666667, 1.33333),
            2: (0.416667, 1.25),
            3: (0.0416667, 1.625),
            4: (0.666666666667, 1.33333333333),
        },
        "the quantiles of the means are asked: here the mean of the values was taken away from them": {
            1: (-0.166667, 0.166667),
            2: (-1.75, 0.75),
            3: (-2.875, 1.875),
            4: (-0.166666666667, 0.166666666667),
        },
        "smallest and largest mean: the quantiles are asked": {
            1: (0.333333, 1.0),
            2: (0.0, 5.0),
            3: (0.0, 5.0),
            4: (0.333333333333, 1.0),
        },
        "the mean is over each draw, axis 1": {
            2: (1.5, 3.25),
            3: (1.05, 4.375),
        },
        "level is 0.95 where it is not given": {
            3: (0.25, 4.75),
        },
    })
    mirrored = "the quantiles of the means are asked as they are, not mirrored at the mean"
    draws = np.array([[0, 0, 1], [1, 2, 2], [0, 1, 2], [0, 0, 2], [0, 0, 0], [1, 1, 2]])
    check(interval, np.array([0.0, 1.0, 1.0]), draws[:3], 0.5).equals((0.5, 5 / 6))
    check(interval, np.array([0.0, 3.0, 6.0]), draws, 0.5).equals((1.25, 3.75), rtol=1e-4,
        near={mirrored: (2.25, 4.75)})
    check(interval, np.array([0.0, 3.0, 6.0]), draws).equals(
        (0.125, 4.875), rtol=1e-4, about="level is not given", near={mirrored: (1.125, 5.875)})
    check(interval, np.array([0.0, 1.0, 1.0]), draws[:3], 0.5).equals(
        (0.5, 5 / 6), about="double precision", edge=True, rtol=1e-10)


score
