from helpers.checks import graded


@graded("spearman", points=4)
def score(check):
    import numpy as np
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "this is the correlation of the values; their ranks are asked for": {
            1: 0.6742,
            2: -0.463415,
            3: 0.179657,
        },
        "equal values share the mean of their ranks, not the order in which they come": {
            1: 0.8,
            3: 0.485714,
        },
        "equal values share the mean of their ranks, not the smallest of them": {
            1: 0.6742,
            3: 0.17092,
        },
        "equal values share the mean of their ranks, not the largest of them": {
            1: 0.602464,
            3: 0.260836,
        },
        "equal values share the mean of their ranks, and the next value does not get the next whole number": {
            1: 0.6742,
            3: 0.223957,
        },
        "argsort gives positions, not ranks: take the argsort of it once more": {
            1: 0.8,
            2: 0.9,
            3: -0.0857143,
        },
        "only the second list was ranked": {
            1: 0.6742,
            2: -0.52371,
            3: 0.255945,
        },
        "the short formula 1 - 6 sum d^2 / (n^3 - n) holds without equal values only": {
            1: 0.65,
            3: 0.314286,
        },
        "the sign is reversed: one list was ranked downwards": {
            1: -0.632456,
            2: 0.6,
            3: -0.238366,
        },
        "this is Kendall's tau; the correlation of the ranks is asked for": {
            1: 0.547723,
            2: -0.4,
            3: 0.167248,
        },
        "this is the cosine of the ranks: subtract their means first": {
            1: 0.94121,
            2: 0.709091,
            3: 0.865577,
        },
        "this is the square of the correlation": {
            1: 0.4,
            2: 0.36,
            3: 0.0568182,
        },
        "the short formula divides by n^3 - n, and holds without equal values only": {
            1: 0.671875,
            2: -0.536,
            3: 0.333333,
        },
        "n - 1 and n were mixed: a sample's covariance over deviations of all": {
            1: 0.843274,
            2: -0.75,
            3: 0.286039,
        },
        "there is a root below the fraction": {
            1: 0.133333,
            2: -0.06,
            3: 0.0151515,
        },
        "this is 1, a list's correlation with itself: in the table, take the number off the diagonal": {
            1: 1.0,
            2: 1.0,
            3: 1.0,
        },
        "this is the table of correlations: take the one off the diagonal": {
            1: [[1.0, 0.632456], [0.632456, 1.0]],
            2: [[1.0, -0.6], [-0.6, 1.0]],
            3: [[1.0, 0.238366], [0.238366, 1.0]],
        },
        "the correlation alone is asked for, without its p": {
            1: (0.632456, 0.367544),
            2: (-0.6, 0.284757),
            3: (0.238366, 0.649223),
        },
        "equal values share the mean of their ranks: a half is cut off by //": {
            1: 0.602464,
            3: 0.250974,
        },
        "this is the covariance of the ranks: divide by both deviations": {
            1: 0.75,
            2: -1.2,
            3: 0.625,
        },
        "this is the covariance of the ranks: divide by both deviations, of a sample here": {
            1: 1.0,
            2: -1.5,
            3: 0.75,
        },
        "only the first list was ranked": {
            2: -0.704872,
            3: 0.162169,
        },
        "this is the absolute value: a correlation can be negative": {
            2: 0.6,
        },
    })
    check(spearman, np.array([10, 30, 20, 30]), np.array([1, 2, 3, 4])).equals(0.6324555, about="by hand", rtol=1e-4)
    check(spearman, np.array([1.7, 1.70000001, 6.8, 1.1, 10.5]), np.array([-1.3, -0.8, -0.4, 5.5, -1.5])).equals(
        -0.6
    )
    check(spearman, np.array([30, 50, 50, 20, 20, 50]), np.array([4, 1, 9, 4, 7, 9])).equals(
        0.23836565
    )


score
