from helpers.checks import graded


@graded("dense", points=6)
def score(check):
    import numpy as np

    smallest = "the smallest products came: the largest first"
    offset = "the rows of a piece are numbered from its start: add it"
    counted = "the number of the piece was added to its rows: add its start"
    same = "every query got the rows of the first: each has rows of its own"
    last_piece = "only the last piece was kept: put its best beside those of the pieces before"
    first_piece = "only the first piece was searched"
    cosine = "the vectors were brought to length 1: dot products are asked"
    half_cosine = "the vectors, not the queries, were brought to length 1"
    unsorted = "the k best are there, but not the largest first"
    apart = "rows and scores of the pieces were put in order each by itself: a row goes where its score goes"
    own_length = "the number of the piece times its own length was added to its rows: the last may be shorter"
    to_k = "where there are fewer vectors than k, min(k, N) columns come: places that nothing filled go away"
    minus_one = "no row is -1: where there are fewer vectors than k, min(k, N) columns come"
    zeros = "products may be below 0: what is kept must not begin with rows that nobody found, with the score 0"

    queries = np.array([[1.0, 0.0], [0.0, -1.0]])
    vectors = np.array([[1.0, 5.0], [3.0, 0.0], [2.0, 2.0], [0.0, -4.0], [2.5, 1.0]])
    check(dense_top, queries, vectors, 2, 2).equals(([[1, 4], [3, 1]], [[3.0, 2.5], [4.0, 0.0]]), near={
        smallest: ([[3, 0], [0, 2]], [[0.0, 1.0], [-5.0, -2.0]]),
        apart: ([[1, 0], [1, 0]], [[3.0, 2.5], [4.0, 0.0]]), zeros: ([[1, 4], [3, 0]], [[3.0, 2.5], [4.0, 0.0]]),
        offset: ([[1, 0], [1, 1]], [[3.0, 2.5], [4.0, 0.0]]),
        counted: ([[1, 2], [2, 1]], [[3.0, 2.5], [4.0, 0.0]]),
        own_length: ([[1, 2], [3, 1]], [[3.0, 2.5], [4.0, 0.0]]), same: ([[1, 4], [1, 4]], [[3.0, 2.5], [4.0, 0.0]]),
        first_piece: ([[1, 0], [1, 0]], [[3.0, 1.0], [0.0, -5.0]]),
        "the scores came first; the order is rows, scores": ([[3.0, 2.5], [4.0, 0.0]], [[1, 4], [3, 1]]),
    })
    check(dense_top, 2 * queries[:1], vectors, 3, 100).equals(([[1, 4, 2]], [[6.0, 5.0, 4.0]]), near={
        smallest: ([[3, 0, 2]], [[0.0, 2.0, 4.0]]), cosine: ([[1, 4, 2]], [[1.0, 0.928477, 0.707107]]),
        half_cosine: ([[1, 4, 2]], [[2.0, 1.856953, 1.414214]]),
    })

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
