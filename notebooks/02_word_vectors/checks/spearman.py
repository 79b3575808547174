from helpers.checks import graded


@graded("spearman", points=4)
def score(check):
    import numpy as np

    values = "this is the correlation of the values; their ranks are asked"
    ties = "equal values share the mean of their ranks"
    first, second = "only the first list was ranked", "only the second list was ranked"
    turned = "the sign is turned round: one list was ranked downwards"
    absolute = "the absolute value came: a correlation can be negative"
    shared = {kind: ties + f", {words}" for kind, words in {
        "ordinal": "not the order in which they come", "min": "not the smallest of them",
        "max": "not the largest of them",
        "dense": "and the next value does not get the next whole number"}.items()}
    halves = ties + ": a half is cut off by //"
    short = "the short formula 1 - 6 sum d^2 / (n^3 - n) holds without equal values only"
    table = "this is the table of correlations: take the one off the diagonal"
    squares = "this is the covariance of the ranks: divide by both deviations"
    check(spearman, np.array([1.7, 2.3, 6.8, 1.1, 10.5]), np.array([-1.3, -0.8, -0.4, 5.5, -1.5])).equals(
        -0.6,
        near={values: -0.48744557, first: -0.70487179, second: -0.53518892, squares: -1.2, turned: 0.6, absolute: 0.6,
              "argsort gives places, not ranks: take the argsort of it once more": 0.9,
              table: [[1, -0.6], [-0.6, 1]]},
    )
    check(spearman, np.array([30, 50, 50, 20, 20, 50]), np.array([4, 1, 9, 4, 7, 9])).equals(
        0.23836565,
        near={values: 0.17965675, first: 0.16216874, second: 0.25594535, squares: 0.625, turned: -0.23836565,
              shared["ordinal"]: 0.48571429, shared["min"]: 0.17091952, shared["max"]: 0.26083596,
              shared["dense"]: 0.22395700, halves: 0.25097416, short: 0.31428571,
              "argsort gives places, not ranks: take the argsort of it once more": -0.08571429},
    )


score
