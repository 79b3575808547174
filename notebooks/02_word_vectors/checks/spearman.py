from helpers.checks import graded


@graded("spearman", points=4)
def score(check):
    import numpy as np

    values = "this is the correlation of the values; their ranks are asked"
    ties = "equal values share the mean of their ranks"
    one = "only one of the lists was replaced by its ranks"
    table = "this is the table of correlations: take the one off the diagonal"
    squares = "this is the covariance of the ranks: divide by both deviations"
    check(spearman, np.array([1.7, 2.3, 6.8, 1.1, 10.5]), np.array([-1.3, -0.8, -0.4, 5.5, -1.5])).equals(
        -0.6,
        near={values: -0.48744557, one: -0.70487179, squares: -1.2,
              "the order is turned round in one of the lists": 0.6,
              "the absolute value came: a correlation can be negative": 0.6,
              "argsort gives places, not ranks: take the argsort of it once more": 0.9,
              table: [[1, -0.6], [-0.6, 1]]},
    )
    check(spearman, np.array([10, 30, 20, 30]), np.array([4, 1, 2, 9])).equals(
        -0.10540926, near={ties: 0.2, values: 0.19564640, one: 0.22941573,
                                     ties + ": here all take the lowest, or the next whole number": -0.13483997,
                                     ties + ": here all take the highest": -0.08606630,
                                     "the short formula holds without equal values only": -0.05}
    )


score
