from helpers.checks import graded


@graded("svd", points=6)
def score(check):
    import numpy as np
    from helpers.checks.values import as_array

    def upright(value):
        """The columns of each table with the sign that makes their largest entry positive; all else as it is."""
        table = as_array(value)
        if table is None and type(value) in (tuple, list):
            return tuple(map(upright, value))
        if table is None or table.ndim != 2 or not table.size:
            return value
        return table * np.where(np.take_along_axis(table, np.abs(table).argmax(0)[None], 0) < 0, -1.0, 1.0)

    def svd_up_to_sign(matrix, k):
        return upright(truncated_svd(matrix, k))

    def pca_up_to_sign(points, **k):
        return upright(pca(points, **k))
    ### BEGIN MISTAKES
    left = "these are the columns of U alone: scale them by the singular values"
    rows = "these are the first k rows of U S; the first k columns of U are the dimensions"
    smallest = "these are the last components; the first have the largest variance"

    def parts(matrix):
        values, vectors = np.linalg.eigh(matrix.T @ matrix)  # ascending
        values, vectors = np.sqrt(np.maximum(values[::-1], 0)), vectors[:, ::-1]
        rank = min(matrix.shape)
        return matrix @ vectors[:, :rank], values[:rank], vectors[:, :rank]

    def lsi_mistake(change):
        def mistake(matrix, k):
            us, s, w = parts(matrix)
            return change(us, s, w, k)

        return mistake

    def some(us, s, w, k):
        return upright(us[:, :k]), s[:k]

    check.mistakes({
        left: lsi_mistake(lambda us, s, w, k: (upright((us / s)[:, :k]), s[:k])),
        "these are the vectors of the columns (W), not of the words (U)":
            lsi_mistake(lambda us, s, w, k: (upright(w[:, :k] * s[:k]), s[:k])),
        "these are columns of W": lsi_mistake(lambda us, s, w, k: (upright(w[:, :k]), s[:k])),
        "these are rows of W transposed": lsi_mistake(lambda us, s, w, k: (w.T[:k], s[:k])),
        "the singular values are not squared: those are eigenvalues of X X^T":
            lsi_mistake(lambda us, s, w, k: (upright(us[:, :k]), s[:k] ** 2)),
        "the vectors are scaled by the singular values once, not twice": lsi_mistake(
            lambda us, s, w, k: (upright((us * s)[:, :k]), s[:k])),
        "the vectors are scaled by the singular values, not by their roots": lsi_mistake(
            lambda us, s, w, k: (upright((us / np.sqrt(s))[:, :k]), s[:k])),
        "these are all singular values; the first k are asked for":
            lsi_mistake(lambda us, s, w, k: (upright(us[:, :k]), s)),
        "these are all dimensions; the first k are asked for": lsi_mistake(lambda us, s, w, k: (upright(us), s)),
        "the smallest comes first here; the largest must": lsi_mistake(
            lambda us, s, w, k: (upright(us[:, :k][:, ::-1]), s[:k][::-1])),
        "these are the last k; the largest are asked for": lsi_mistake(
            lambda us, s, w, k: (upright(us[:, ::-1][:, :k][:, ::-1]), s[::-1][:k][::-1])),
        "this is the approximation of rank k, not the word vectors": lsi_mistake(
            lambda us, s, w, k: (upright(us[:, :k] @ w[:, :k].T), s[:k])),
        "the mean was subtracted: that is PCA": lambda matrix, k: some(*parts(matrix - matrix.mean(0)), k),
        rows: lsi_mistake(lambda us, s, w, k: (upright(us[:k]), s[:k])),
        "the vectors came in rising order, the singular values did not; both have the largest first": lsi_mistake(
            lambda us, s, w, k: (upright(us[:, :k][:, ::-1]), s[:k])),
        "the singular values came in rising order, the vectors did not; both have the largest first": lsi_mistake(
            lambda us, s, w, k: (upright(us[:, :k]), s[:k][::-1])),
        "the vectors are rows of X W, with the columns of W; these are X times the first rows of W": lambda m, k: (
            upright(m @ np.linalg.svd(m, full_matrices=False)[2][:, :k]), np.linalg.svd(m)[1][:k]),
        "the singular values are a vector, not a diagonal matrix":
            lsi_mistake(lambda us, s, w, k: (upright(us[:, :k]), np.diag(s[:k]))),
        "the first dimension was left out: it is the most important one": lsi_mistake(
            lambda us, s, w, k: (upright(us[:, 1 : k + 1]), s[1 : k + 1])),
    }, truncated_svd, svd_up_to_sign)

    def coordinates(points, k=2, center=True, axis=0):
        return parts(points - points.mean(axis, keepdims=True) if center else points)[0][:, :k]

    check.mistakes({
        "the mean of each column was not subtracted: that is a plain SVD":
            lambda p, k=2: upright(coordinates(p, k, center=False)),
        "the median of each column was subtracted; PCA takes the mean":
            lambda p, k=2: upright(coordinates(p - np.median(p, axis=0), k, center=False)),
        "points are rows: this is the transpose": lambda p, k=2: upright(coordinates(p, k).T),
        "k components are asked for, not always two": lambda p, k=2: upright(coordinates(p, 2)),
        "the mean of each row was subtracted, not of each column": lambda p, k=2: upright(coordinates(p, k, axis=1)),
        "one mean over all numbers was subtracted; each column has its own": lambda p, k=2: upright(
            coordinates(p, k, axis=None)),
        "the columns were also divided by their deviations": lambda p, k=2: upright(
            coordinates(p / np.where(p.std(0) > 0, p.std(0), 1), k)),
        "these are columns of U: the coordinates keep their scale": lambda p, k=2: upright(
            coordinates(p, k) / np.linalg.norm(coordinates(p, k), axis=0)),
        "each component was scaled to variance 1: the coordinates keep their scale": lambda p, k=2: upright(
            coordinates(p, k) / coordinates(p, k).std(0)),
        "these are the directions, not the points' coordinates along them": lambda p, k=2: upright(
            parts(p - p.mean(0))[2][:, :k]),
        "the coordinates belong to points without their mean; here the points were projected as they are":
            lambda p, k=2: upright(p @ parts(p - p.mean(0))[2][:, :k]),
        smallest: lambda p, k=2: upright(
            parts(p - p.mean(0))[0][:, ::-1][:, :k]),
        "the components came in rising order; the largest comes first":
            lambda p, k=2: upright(coordinates(p, k)[:, ::-1]),
        smallest + " (in falling order)": lambda p, k=2: upright(parts(p - p.mean(0))[0][:, -k:]),
        "the coordinates are scaled by the singular values once, not twice": lambda p, k=2: upright(
            coordinates(p, k) * np.linalg.norm(coordinates(p, k), axis=0)),
        "the coordinates are scaled by the singular values, not by their roots": lambda p, k=2: upright(
            coordinates(p, k) / np.sqrt(np.linalg.norm(coordinates(p, k), axis=0))),
        "the directions are the first k columns of W, that is rows of its transpose; these are its first k rows":
            lambda p, k=2: upright((p - p.mean(0)) @ np.linalg.svd(p - p.mean(0), full_matrices=False)[2][:, :k]),
        "the coordinates were divided by the root of n - 1: they keep their scale": lambda p, k=2: upright(
            coordinates(p, k) / np.sqrt(len(p) - 1)),
    }, pca, pca_up_to_sign)
    ### END MISTAKES
    close = {"rtol": 1e-4, "atol": 1e-5}
    check(svd_up_to_sign, np.array([[3.0, 0], [0, 2], [4, 0]]), 1).equals(
        ([[3], [0], [4]], [5]), **close,
    )
    table = np.array([[1.0, 2, 0], [3, 0, 1], [0, 1, 4], [2, 3, 5]])
    us = [[1.198491, 1.075155], [1.838997, 2.326104], [3.782959, -1.538854], [6.152882, 0.04147]]
    two = [7.548975, 2.9894]
    check(svd_up_to_sign, table, 2).equals(
        (us, two),
        **close,
    )
    check(pca_up_to_sign, np.array([[1.0, 5], [2, 5], [6, 5]]), k=1).equals(
        [[-2], [-1], [3]],
        near={
        "truncated_svd returns a pair; the coordinates alone are asked for": ([[-2], [-1], [3]], [3.741657]),
    }, **close,
    )
    check(pca_up_to_sign, table).equals(
        [[-2.133557, -1.225386], [-2.090821, 1.45389], [1.510921, -0.869354], [2.713457, 0.64085]], **close,
    )
    ### BEGIN HIDDEN TESTS
    from sklearn.decomposition import PCA, TruncatedSVD

    check.hidden()
    for shape, k in [((9, 6), 3), ((6, 9), 4), ((8, 8), 2)]:
        matrix = check.rng.normal(size=shape) * check.rng.uniform(0.3, 4, size=shape[1]) + 0.7
        oracle = TruncatedSVD(k, algorithm="arpack", tol=0).fit(matrix)
        vectors = upright(oracle.transform(matrix))
        drawn = check(svd_up_to_sign, matrix, k).equals(
            (vectors, oracle.singular_values_), about="random matrices", **close)
    check(truncated_svd, matrix, k).holds(lambda pair: len(pair) == 2, "a pair (vectors, singular values)", edge=True)
    check.mistakes({}, svd_up_to_sign)

    def wide(rows, d):
        """A table of many rows, large numbers, and singular values that lie well apart."""
        left, right = (np.linalg.qr(check.rng.normal(size=(n, d)))[0] for n in (rows, d))
        return left * np.linspace(900, 30, d) @ right.T

    def by_numpy(matrix, k):
        u, s, _ = np.linalg.svd(matrix)
        return upright(u[:, :k] * s[:k]), s[:k]

    exact = {"rtol": 1e-8, "atol": 1e-7}
    fewer = {"k may be as large as min(V, C): svds and ARPACK only find fewer, np.linalg.svd all": ValueError}
    for table, k, about in [(wide(70, 67), 66, "many words, many dimensions"), (matrix[:3], 3, "as many as there are"),
                            (matrix[:, :1], 1, "a single context"), (matrix[:1], 1, "a single word")]:
        near = fewer if k == min(table.shape) and drawn.passed else {}
        check(svd_up_to_sign, table, k).equals(by_numpy(table, k), about=about, edge=True, near=near, **exact)
    column, line = check.rng.normal(size=(5, 1)), check.rng.normal(size=(1, 4))
    length = np.linalg.norm(column) * np.linalg.norm(line)
    check(svd_up_to_sign, column @ line, 2).equals(
        (np.hstack([upright(column) * np.linalg.norm(line), 0 * column]), [length, 0]),
        about="more dimensions than the table holds", edge=True, atol=1e-5,
    )
    for shape, k in [((12, 4), 2), ((7, 5), 3), ((7, 5), 3), ((5, 8), 2)]:
        points = check.rng.normal(size=shape) * np.linspace(4, 0.5, shape[1]) + check.rng.normal(size=shape[1]) * 3
        oracle = upright(PCA(k, svd_solver="full").fit_transform(points))
        more = {} if k == 2 else {"k": k}
        check(pca_up_to_sign, points, **more).equals(oracle, about="random points", **close)
    check(pca, points).holds(lambda out: np.shape(out) == (5, 2), "coordinates of shape (n, k)", edge=True)
    check.mistakes({}, pca_up_to_sign)
    points = wide(75, 67) + 5000
    check(pca_up_to_sign, points, k=66).equals(
        upright(PCA(66, svd_solver="full").fit_transform(points)),
        about="many points far from the origin", edge=True, **exact,
    )
    ### END HIDDEN TESTS


score
