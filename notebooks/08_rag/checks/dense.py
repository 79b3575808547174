from helpers.checks import graded


@graded("dense", points=6)
def score(check):
    import numpy as np

    unsorted = "the k best are there, but not the largest first"
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the smallest products came: the largest first": {
            1: ([[3, 0], [0, 2]], [[0.0, 1.0], [-5.0, -2.0]]),
            2: ([[3, 0, 2]], [[0.0, 2.0, 4.0]]),
            8: ([[3, 0]], [[0.0, 0.333333333333]]),
        },
        "the rows of a piece are numbered from its start: add it": {
            1: ([[1, 0], [1, 1]], [[3.0, 2.5], [4.0, 0.0]]),
            8: ([[1, 0]], [[1.0, 0.833333333333]]),
        },
        "the k best are there, but not the largest first": {
            1: ([[1, 4], [1, 3]], [[3.0, 2.5], [0.0, 4.0]]),
            2: ([[1, 2, 4]], [[6.0, 4.0, 5.0]]),
        },
        "the number of the piece was added to its rows: add its start": {
            1: ([[1, 2], [2, 1]], [[3.0, 2.5], [4.0, 0.0]]),
            8: ([[1, 2]], [[1.0, 0.833333333333]]),
        },
        "every query got the rows of the first: each has rows of its own": {
            1: ([[1, 4], [1, 4]], [[3.0, 2.5], [4.0, 0.0]]),
        },
        "only the first piece was searched": {
            1: ([[1, 0], [1, 0]], [[3.0, 1.0], [0.0, -5.0]]),
            8: ([[1, 0]], [[1.0, 0.333333333333]]),
        },
        "only the last piece was kept: put its best beside those of the pieces before": {
            1: ([[4], [4]], [[2.5], [-1.0]]),
            8: ([[4]], [[0.833333333333]]),
        },
        "the vectors were brought to length 1: dot products are asked": {
            1: ([[1, 4], [3, 1]], [[1.0, 0.928477], [1.0, 0.0]]),
            2: ([[1, 4, 2]], [[1.0, 0.928477, 0.707107]]),
            3: ([[0], [0]], [[0.196116], [-0.980581]]),
            8: ([[1, 4]], [[1.0, 0.928476690885]]),
        },
        "the vectors, not the queries, were brought to length 1": {
            1: ([[1, 4], [3, 1]], [[1.0, 0.928477], [1.0, 0.0]]),
            2: ([[1, 4, 2]], [[2.0, 1.85695, 1.41421]]),
            3: ([[0], [0]], [[0.196116], [-0.980581]]),
            8: ([[1, 4]], [[0.333333333333, 0.309492230295]]),
        },
        "the size of the product was taken: a large negative one is far away": {
            1: ([[1, 4], [0, 3]], [[3.0, 2.5], [-5.0, 4.0]]),
        },
        "these are distances: the largest dot products are asked": {
            1: ([[4, 1], [3, 1]], [[1.80278, 2.0], [3.0, 3.16228]]),
            2: ([[1, 4, 2]], [[1.0, 1.11803, 2.0]]),
            3: ([[0], [0]], [[5.0], [6.08276]]),
            8: ([[4, 2]], [[2.38630351055, 2.60341655864]]),
        },
        "these are places in the table of kept and new ones: take the rows in the same order as the scores": {
            1: ([[0, 2], [0, 1]], [[3.0, 2.5], [4.0, 0.0]]),
            8: ([[0, 2]], [[1.0, 0.833333333333]]),
        },
        "k is off by one: one too few": {
            1: ([[1], [3]], [[3.0], [4.0]]),
            2: ([[1, 4]], [[6.0, 5.0]]),
            8: ([[1]], [[1.0]]),
        },
        "the last piece, shorter than the others, was left out": {
            1: ([[1, 2], [3, 1]], [[3.0, 2.0], [4.0, 0.0]]),
            2: ([[]], [[]]),
            3: ([[], []], [[], []]),
            8: ([[1, 2]], [[1.0, 0.666666666667]]),
        },
        "the scores came first; the order is rows, scores": {
            1: ([[3.0, 2.5], [4.0, 0.0]], [[1, 4], [3, 1]]),
            2: ([[6.0, 5.0, 4.0]], [[1, 4, 2]]),
            3: ([[1.0], [-5.0]], [[0], [0]]),
            8: ([[1.0, 0.833333333333]], [[1, 4]]),
        },
        "rows and scores of the pieces were put in order each by itself: a row goes where its score goes": {
            1: ([[1, 0], [1, 0]], [[3.0, 2.5], [4.0, 0.0]]),
            8: ([[1, 0]], [[1.0, 0.833333333333]]),
        },
        "products may be below 0: what is kept must not begin with rows that nobody found, with the score 0": {
            1: ([[1, 4], [3, 0]], [[3.0, 2.5], [4.0, 0.0]]),
            3: ([[0], [0]], [[1.0], [0.0]]),
        },
        "the number of the piece times its own length was added to its rows: the last may be shorter": {
            1: ([[1, 2], [3, 1]], [[3.0, 2.5], [4.0, 0.0]]),
            8: ([[1, 2]], [[1.0, 0.833333333333]]),
        },
        "where there are fewer vectors than k, min(k, N) columns come: places that nothing filled go away": {
            3: ([[0, 0], [0, 0]], [[1.0, float("-inf")], [-5.0, float("-inf")]]),
        },
        "no row is -1: where there are fewer vectors than k, min(k, N) columns come": {
            3: ([[0, -1], [0, -1]], [[1.0, float("-inf")], [-5.0, float("-inf")]]),
        },
    })
    queries = np.array([[1.0, 0.0], [0.0, -1.0]])
    vectors = np.array([[1.0, 5.0], [3.0, 0.0], [2.0, 2.0], [0.0, -4.0], [2.5, 1.0]])
    check(dense_top, queries, vectors, 2, 2).equals(([[1, 4], [3, 1]], [[3.0, 2.5], [4.0, 0.0]]))
    check(dense_top, 2 * queries[:1], vectors, 3, 100).equals(([[1, 4, 2]], [[6.0, 5.0, 4.0]]))

    check(dense_top, queries, vectors[:1], 2, 2).equals(([[0], [0]], [[1.0], [-5.0]]), about="k above N")
    at_once = "Q x batch new products at once, and the k kept ones: here more are there"
    check(beside, "largest_product", dense_top, queries, np.ones((60, 2)), 3, 5).holds(
        lambda made: made <= 2 * (5 + 3), "at most 2 x 5 new products at once, and 2 x 3 kept ones",
        about="pieces of 5 rows", near={at_once: lambda made: made > 2 * (5 + 3)})
    some = 40 * 3000 // 3
    in_all = "the products of all queries with all vectors were there at one time: keep the best of each piece alone"
    check(beside, "most_numbers", dense_top, np.ones((40, 2)), np.ones((3000, 2)), 3, 50).holds(
        lambda most: most < some, f"fewer than {some} numbers at one time: all products are 120000",
        about="what is there at one time", near={in_all: lambda most: most >= some})

    def falling(n, k):
        """Whether the scores of two queries on n vectors fall, from the largest to the k-th."""
        vectors = np.sin(np.arange(1.0, 2 * n + 1) ** 2).reshape(n, 2)
        return bool((np.diff(np.asarray(dense_top(queries, vectors, k)[1]), axis=1) <= 0).all())

    check(falling, 3000, 700).equals(True, about="the largest first", near={unsorted: False})

    def kind_of_rows(q, v, k, batch):
        return np.asarray(dense_top(q, v, k, batch)[0]).dtype.kind.replace("u", "i")

    floats = {"rows are whole numbers: np.empty and np.zeros make floats, and so is what is joined to them": "f"}
    check(kind_of_rows, queries, vectors, 2, 2).equals("i", about="rows that are whole numbers", near=floats)
    check(dense_top, queries[:1] / 3, vectors, 2, 2).equals(
        ([[1, 4]], [[1.0, 2.5 / 3]]), about="double precision", edge=True, rtol=1e-10)


score
