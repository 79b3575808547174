from helpers.checks import graded


@graded("dense", points=6)
def score(check):
    import numpy as np

    unsorted = "the k best are there, but not the largest first"
    ### BEGIN MISTAKES
    def best(q, v, k, order=lambda s: -s):
        s = np.einsum("qc,nc->qn", q, v)
        o = np.argsort(order(s), axis=1, kind="stable")[:, :k]
        return o, np.take_along_axis(s, o, axis=1)

    def unit(x):
        return x / np.linalg.norm(x, axis=1, keepdims=True)

    def shifted(q, v, k, batch=4096):
        rows, s = best(q, v, k)
        return rows % batch, s

    def number(q, v, k, batch=4096):
        rows, s = best(q, v, k)
        return rows % batch + rows // batch, s

    def first_row(q, v, k, batch=4096):
        rows, s = best(q, v, k)
        return np.tile(rows[:1], (len(q), 1)), s

    def ordered(q, v, k, batch=4096):
        rows, s = best(q, v, k)
        o = np.argsort(rows, axis=1)
        return np.take_along_axis(rows, o, 1), np.take_along_axis(s, o, 1)

    def last(q, v, k, batch=4096):
        begin = (len(v) - 1) // batch * batch
        rows, s = best(q, v[begin:], k)
        return rows + begin, s

    def distance(q, v, k, batch=4096):
        d = np.linalg.norm(q[:, None] - v[None], axis=-1)
        o = np.argsort(d, axis=1)[:, :k]
        return o, np.take_along_axis(d, o, 1)

    def in_table(q, v, k, batch=4096):
        s = np.zeros((len(q), 0))
        for start in range(0, len(v), batch):
            s = np.concatenate([s, np.einsum("qc,nc->qn", q, v[start : start + batch])], axis=1)
            order = np.argsort(-s, axis=1, kind="stable")[:, :k]
            s = np.take_along_axis(s, order, axis=1)
        return order, s

    to_k = "where there are fewer vectors than k, min(k, N) columns come: places that nothing filled go away"
    known = {
        "the smallest products came: the largest first": lambda q, v, k, batch=4096: best(q, v, k, order=lambda s: s),
        "the rows of a piece are numbered from its start: add it": shifted,
        unsorted: ordered,
        "the number of the piece was added to its rows: add its start": number,
        "every query got the rows of the first: each has rows of its own": first_row,
        "only the first piece was searched": lambda q, v, k, batch=4096: best(q, v[:batch], k),
        "only the last piece was kept: put its best beside those of the pieces before": last,
        "the vectors were brought to length 1: dot products are asked":
            lambda q, v, k, batch=4096: best(unit(q), unit(v), k),
        "the vectors, not the queries, were brought to length 1": lambda q, v, k, batch=4096: best(q, unit(v), k),
        "the size of the product was taken: a large negative one is far away": lambda q, v, k, batch=4096: best(
            q, v, k, order=lambda s: -np.abs(s)
        ),
        "these are distances: the largest dot products are asked": distance,
        "these are places in the table of kept and new ones: take the rows in the same order as the scores": in_table,
        "k is off by one: one too few": lambda q, v, k, batch=4096: best(q, v, k - 1),
        "the last piece, shorter than the others, was left out": lambda q, v, k, batch=4096: best(
            q, v[: len(v) // batch * batch], k
        ),
        "the scores came first; the order is rows, scores": lambda q, v, k, batch=4096: best(q, v, k)[::-1],
    }

    def split(q, v, k, batch=4096):
        """The rows of the pieces in their order, the scores in that of all."""
        parts = [best(q, v[i : i + batch], k)[0] + i for i in range(0, len(v), batch)]
        rows, s = best(q, v, k)
        return np.concatenate(parts, axis=1)[:, : rows.shape[1]], s

    def filled(q, v, k, batch=4096):
        """The k best, and before them as many times row 0 with the score 0."""
        rows, s = best(q, v, k)
        rows, s = np.hstack([0 * rows, rows]), np.hstack([0 * s, s])
        o = np.argsort(-s, axis=1, kind="stable")[:, :k]
        o = o[:, : min(k, len(v))]
        return np.take_along_axis(rows, o, 1), np.take_along_axis(s, o, 1)

    def short(q, v, k, batch=4096):
        rows, s = best(q, v, k)
        last = rows >= len(v) // batch * batch
        return np.where(last, rows // batch * (len(v) % batch) + rows % batch, rows), s

    def padded(row):
        def function(q, v, k, batch=4096):
            rows, s = best(q, v, k)
            more = ((0, 0), (0, max(k - len(v), 0)))
            return np.pad(rows, more, constant_values=row), np.pad(s, more, constant_values=-np.inf)

        return function

    known |= {
        "rows and scores of the pieces were put in order each by itself: a row goes where its score goes": split,
        "products may be below 0: what is kept must not begin with rows that nobody found, with the score 0": filled,
        "the number of the piece times its own length was added to its rows: the last may be shorter": short,
        to_k: padded(0),
        "no row is -1: where there are fewer vectors than k, min(k, N) columns come": padded(-1),
    }
    check.mistakes(known, dense_top)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def tried(Q, N, C, k, about, edge=False, dtype=np.float64, size=1, rtol=1e-4, near=None,
              **options):
        q, v = (check.rng.normal(size=(n, C)).astype(dtype) * size for n in (Q, N))
        v *= check.rng.uniform(0.3, 2, size=(N, 1)).astype(dtype)
        check(dense_top, q, v, k, **options).equals(
            best(q, v, k), about=about, edge=edge, near=near, rtol=rtol, atol=rtol / 100)

    tried(3, 23, 5, 4, "several pieces", batch=6)
    tried(4, 40, 3, 7, "pieces smaller than k", batch=5)
    tried(2, 30, 6, 5, "one piece")
    tried(5, 12, 4, 3, "pieces of one row", batch=1)
    tried(2, 24, 4, 6, "pieces that fit exactly", batch=8)
    tried(3, 17, 5, 4, "single precision", batch=7, dtype=np.float32)
    tried(3, 17, 5, 4, "single precision", batch=7, dtype=np.float32)
    tried(2, 3000, 4, 700, "many vectors", batch=2000)
    tried(70, 90, 3, 2, "many queries", batch=80)
    tried(4, 30, 3, 1, "k is 1", batch=8)
    tried(3, 30, 5, 6, "large numbers", batch=8, size=100)

    q, v = (-check.rng.uniform(0.2, 2, size=(3, 4)), check.rng.uniform(0.2, 2, size=(11, 4)))
    check(dense_top, q, v, 4, batch=5).equals(best(q, v, 4), about="products below 0", rtol=1e-4)
    tried(3, 20, 4, 3, "double precision", edge=True, rtol=1e-10, batch=6)

    def rows_of(q, v, k, batch):
        return np.asarray(dense_top(q, v, k, batch)[0])

    check.mistakes({words: lambda *a, odd=odd: odd(*a)[0] for words, odd in known.items()})
    q, v = check.rng.normal(size=(3, 4)), check.rng.normal(size=(20, 4))
    check(rows_of, q, v, 5, 6).equals(best(q, v, 5)[0], about="rows that are whole numbers", dtype="i")

    check.mistakes({})
    for batch in (6, 32):
        check(kind_of_rows, q, v, 5, batch).equals("i", about="rows that are whole numbers", near=floats)
    check.mistakes({words: lambda *a, odd=odd: odd(*a)[0] for words, odd in known.items()})
    sizes = check.rng.permutation(9)
    q = np.array([[1.0, 1 + 1e-10, 0], [1, 1 - 1e-10, 0], [0, 0, 1]])
    v = np.stack([sizes, -sizes, 1 + 1e-10 * check.rng.permutation(9)], axis=1)
    check(rows_of, q, v, 4, 3).equals(best(q, v, 4)[0], about="double precision", edge=True)

    def descending(q, v, k):
        """How many scores in a row do not rise, for each query."""
        return [int((np.diff(row) <= 0).sum()) for row in np.asarray(dense_top(q, v, k)[1])]

    check.mistakes({})
    check(descending, check.rng.normal(size=(2, 6)), check.rng.normal(size=(3000, 6)), 900).equals(
        [899, 899], about="the largest first", near={unsorted: lambda q, v, k: None})
    check.mistakes(known)
    tried(3, 4, 5, 9, "fewer vectors than k", edge=True, batch=3, near={
        "k may be above the number of rows, in a piece or in all: then all of them are the best": ValueError})

    def shape_of_rows(q, v, k, batch):
        return list(np.asarray(dense_top(q, v, k, batch)[0]).shape)

    check.mistakes({})
    check(shape_of_rows, q, v[:4], 9, 3).equals([3, 4], about="fewer vectors than k", edge=True, near={to_k: [3, 9]})
    check.mistakes(known)
    tried(1, 1, 5, 1, "one vector", edge=True)
    check.mistakes({})
    q, v = check.rng.normal(size=(3, 4)), check.rng.normal(size=(50, 4))
    check(beside, "largest_product", dense_top, q, v, 2, 7).holds(
        lambda made: made <= 3 * (7 + 2), "at most Q x batch products, and the kept ones", about="products at once",
        edge=True, near={at_once: lambda made: made > 3 * (7 + 2)})
    q, v = check.rng.normal(size=(50, 3)), check.rng.normal(size=(2600, 3))
    check(beside, "most_numbers", dense_top, q, v, 3, 40).holds(
        lambda most: most < some, "a third of all products at most", about="numbers at one time",
        edge=True, near={in_all: lambda most: most >= some})
    ### END HIDDEN TESTS


score
