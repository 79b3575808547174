from helpers.checks import graded


@graded("weat", points=5)
def score(check):
    import numpy as np

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
    X, Y = np.array([[1.0, 0], [4, 1]]), np.array([[0.0, 2], [1, 3]])
    A, B = np.array([[1.0, 0], [2, 1]]), np.array([[0.0, 1]])
    size, p = 1.6994130, 1 / 6
    check(weat, X, Y, A, B).equals(
        (size, p), about="two against two", rtol=1e-4,
        near={population: (1.9623131, p), bare: (1.4456260, p), averaged: (1.6888956, p),
              variance: (1.9977512, p),
              "this is the effect of Y against X": (-size, p), standard: (2 * size, p), sums: (2 * size, p),
              "a pair is asked: (effect, p)": size, "the effect comes first, then p": (p, size),
              strict: (size, 0.0), rest_missing: (size, 0.0), without: (size, 0.0),
              one_sided: (size, 1 / 3), mean_first: (1.6983484, p),
              "this is the effect's p from the other side: 1 - p": (size, 5 / 6)},
    )
    X, Y = np.array([[4.0, 1], [5, 2], [5, 1], [0, 5]]), np.array([[3.0, 2], [5, 5]])
    size, p = 0.1570681, 0.4
    check(weat, X, Y, A, B).equals(
        (size, p), about="four against two", rtol=1e-4,
        near={population: (0.1720595, p), strict: (size, 1 / 3), half: (size, 0.5), as_y: (size, 8 / 15),
              as_sums: (size, 8 / 15), rest_missing: (size, 14 / 15),
              "this is the effect's p from the other side: 1 - p": (size, 0.6), added: (size, 0.4375),
              pooled: (0.1698207, p), within: (0.1409504, p), mean_first: (0.1347839, p),
              sums: (1.4505653, p), "the effect comes first, then p": (p, size),
              without: (size, 5 / 14), one_sided: (size, 14 / 15),
              "dot products came in; cosines do not ask for length": (-0.0358364, p)},
    )
    X = np.array([[9.0, i] for i in (0, 1, 2, 3, 5, 8, 13, 21)])
    Y = np.array([[i, 9.0] for i in (1, 2, 3, 4, 6, 9, 14, 22)])
    size, p = 1.0490347, 215 / 12870
    check(weat, X, Y, A, B).equals(
        (size, p), about="eight against eight, as below", rtol=1e-5,
        near={population: (1.0834384, p), strict: (size, 214 / 12870)},
    )


score
