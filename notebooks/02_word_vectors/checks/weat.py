from helpers.checks import graded


@graded("weat", points=5)
def score(check):
    import numpy as np
    from helpers.checks.forms import base
    from helpers.checks.values import as_array

    not_all = "p is the share of all divisions: these are some that were drawn at random"

    def drawn(case, right, divisions):
        """Whether p is a share of some power of ten of divisions: few decimals, and not those of the right one."""
        found = as_array(base(case.value))
        if found is None or found.shape != (2,) or found.dtype.kind != "f" or not np.isfinite(found).all():
            return False
        p = found[1]
        whole = [p * number for number in (divisions - 1, divisions, divisions + 1)]
        rounded = np.isclose(p, [round(right, d) for d in range(6)], rtol=0)
        few = abs(p * 1e5 - round(p * 1e5)) < 1e-6 and not np.isclose(whole, np.round(whole), rtol=0, atol=1e-6).any()
        return few and abs(p - right) < 0.1 and not rounded.any()

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the rest of each division is missing: a difference of two means is compared": {
            1: (1.69941, 0.0),
            2: (0.157068, 0.933333),
            3: (0.81108, 0.0270563),
        },
        "the deviation is that of a sample: n - 1 below": {
            1: (1.96231, 0.166667),
            2: (0.172059, 0.4),
            3: (0.847145, 0.0811688),
        },
        "divisions that reach the same difference count, too, and the one seen is one of them": {
            1: (1.69941, 0.0),
            2: (0.157068, 0.333333),
            3: (0.81108, 0.0800866),
        },
        "one-sided: differences of the other sign do not count": {
            1: (1.69941, 0.333333),
            2: (0.157068, 0.933333),
            3: (0.81108, 0.162338),
        },
        "dot products were taken; cosines do not ask for length": {
            1: (1.39971, 0.166667),
            2: (-0.0358364, 0.4),
            3: (0.134114, 0.426407),
        },
        "the columns were scaled; a word is a row": {
            1: (float("nan"), 0.0),
            2: (float("nan"), 0.0),
            3: (float("nan"), 0.0),
        },
        "divide by the deviation, not by the variance": {
            1: (1.99775, 0.166667),
            2: (0.270058, 0.4),
            3: (1.47707, 0.0811688),
        },
        "divide by the deviation, not by a standard error": {
            1: (3.39883, 0.166667),
            2: (0.384737, 0.4),
            3: (2.80966, 0.0811688),
        },
        "the difference is that of the means of the groups, not of their sums": {
            1: (3.39883, 0.166667),
            2: (1.45057, 0.4),
            3: (4.86648, 0.0811688),
        },
        "the deviation is over all targets together, not over X alone": {
            1: (9.43938, 0.166667),
            2: (0.123097, 0.4),
            3: (0.839962, 0.0811688),
        },
        "the association with B is subtracted, not added": {
            1: (-1.24228, 1.0),
            2: (-1.78205, 1.0),
            3: (-0.598599, 0.831169),
        },
        "p is never 0: the division seen is one of them": {
            1: (1.69941, 0.0),
            2: (0.157068, 0.357143),
            3: (0.81108, 0.0801733),
        },
        "p is the plain share of divisions: nothing is added to it": {
            1: (1.69941, 0.285714),
            2: (0.157068, 0.4375),
            3: (0.81108, 0.0821622),
        },
        "the deviation is over all targets together, not the two groups' own put together": {
            1: (7.18147, 0.166667),
            2: (0.169821, 0.4),
            3: (0.8537, 0.0811688),
        },
        "the deviation is over all targets together, not within X and within Y": {
            1: (7.18147, 0.166667),
            2: (0.14095, 0.4),
            3: (0.8537, 0.0811688),
        },
        "the attributes are averaged, not added up": {
            1: (1.6889, 0.166667),
            2: (0.00496215, 0.4),
            3: (0.796783, 0.0865801),
        },
        "X and Y are exchanged, or A and B": {
            1: (-1.69941, 1.0),
            2: (-0.157068, 0.666667),
            3: (-0.81108, 0.919913),
        },
        "targets and attributes are exchanged": {
            1: (1.66753, 0.333333),
            2: (1.41462, 0.333333),
            3: (1.66232, 0.333333),
        },
        "the effect was not divided by the deviation": {
            1: (1.44563, 0.166667),
            2: (0.0913521, 0.4),
            3: (0.445376, 0.0811688),
        },
        "this is the effect's p from the other side: 1 - p": {
            1: (1.69941, 0.833333),
            2: (0.157068, 0.6),
            3: (0.81108, 0.918831),
        },
        "the share of divisions that stay at or below was taken": {
            1: (1.69941, 1.0),
            2: (0.157068, 0.666667),
            3: (0.81108, 0.919913),
        },
        "p is a share: divide by the number of divisions": {
            1: (1.69941, 1.0),
            2: (0.157068, 6.0),
            3: (0.81108, 75.0),
        },
        "divide by the number of divisions, not by all orders of the words": {
            1: (1.69941, 0.0416667),
            2: (0.157068, 0.00833333),
            3: (0.81108, 1.56576e-07),
        },
        "the deviation is over all targets together, not the mean of the two groups'": {
            1: (7.35455, 0.166667),
            2: (0.200891, 0.4),
            3: (0.853816, 0.0811688),
        },
        "the cosine with the mean attribute vector is not the mean of the cosines": {
            1: (1.69835, 0.166667),
            2: (0.134784, 0.4),
            3: (0.809544, 0.0811688),
        },
        "in each division the mean of the rest is over |Y| words, not over |X|": {
            2: (0.157068, 0.466667),
        },
        "in each division the sums were divided by the other part's size": {
            2: (0.157068, 0.666667),
        },
        "the difference seen is one of means; it was compared with differences of sums": {
            2: (0.157068, 0.533333),
            3: (0.81108, 0.412338),
        },
        "each division's first part is as large as X, not half of all": {
            2: (0.157068, 0.5),
        },
        "each division's first part is as large as X, not as Y": {
            2: (0.157068, 0.533333),
        },
    })
    X, Y = np.array([[1.0, 0], [4, 1]]), np.array([[0.0, 2], [1, 3]])
    A, B = np.array([[1.0, 0], [2, 1]]), np.array([[0.0, 1]])
    size, p = 1.6994130, 1 / 6
    check(weat, X, Y, A, B).equals(
        (size, p), about="two against two", rtol=1e-4,
        near={
        "this is the effect of Y against X": (-size, p), "a pair is asked for: (effect, p)": size,
        "the effect comes first, then p": (p, size),
    },
    )
    X, Y = np.array([[4.0, 1], [5, 2], [5, 1], [0, 5]]), np.array([[3.0, 2], [5, 5]])
    size, p = 0.1570681, 0.4
    four = check(weat, X, Y, A, B)
    four.equals(
        (size, p), about="four against two", rtol=1e-4,
        near=lambda: {"the effect comes first, then p": (p, size)} | (
            {not_all: (size, four.value[1])} if drawn(four, p, 15) else {}),
    )
    X = np.array([[9.0, i] for i in (0, 1, 3, 8, 13, 21)])
    Y = np.array([[i, 9.0] for i in (1, 2, 4, 9, 14, 22)])
    size, p = 0.8110798, 75 / 924
    six = check(weat, X, Y, A, B)
    six.equals(
        (size, p), about="six against six", rtol=1e-5,
        near=lambda: {not_all: (size, six.value[1])} if drawn(six, p, 924) else {},
    )


score
