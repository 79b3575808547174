from helpers.checks import graded


@graded("tfidf", points=7)
def score(check):
    import numpy as np
    from scipy import sparse

    ### BEGIN MISTAKES
    from sklearn.metrics.pairwise import cosine_similarity as library_cosine
    from sklearn.preprocessing import normalize as unit

    from helpers.chapters.spam.together import one_by_one

    def over(x, size):
        """Return x divided by sizes; what has size 0 stays as it is."""
        return x / np.where(size == 0, 1, size)

    def other_weights(dense, idf):
        """Mistakes in the products of counts and IDF."""
        raw, logs = dense * idf, np.log(np.maximum(dense, 1))
        return {
            "the counts were lost: a word twice in the text weighs twice": (dense > 0) * idf,
            "the IDF was not used": dense,
            "multiply by the IDF, once: here it is squared": raw * idf,
            "multiply by the IDF: here it divides": over(dense, idf) * (idf != 0),
            "multiply by the IDF: here it is added": dense + (dense > 0) * idf,
            "multiply by the IDF: here it is added, even to words that the row does not hold": dense + idf,
            "weigh the plain counts, not log(1 + count)": np.log1p(dense) * idf,
            "weigh the plain counts, not 1 + log(count)": (dense > 0) * (1 + logs) * idf,
            "weigh the plain counts, not their squares": dense * raw,
            "an IDF may be negative: keep its sign": np.abs(raw),
            "an IDF may be negative: do not cut it off at 0": np.maximum(raw, 0),
            "weigh the plain counts, not their shares of the row": over(raw, dense.sum(axis=1, keepdims=True)),
            "weigh the plain counts, not their shares of the whole": over(raw, dense.sum()),
        }

    def other_norms(dense, idf):
        """Mistakes that scale the rows in another way."""
        raw = dense * idf
        norm, size = np.linalg.norm(raw, axis=1, keepdims=True), np.abs(raw)
        found = {
            "the rows were not normalised": raw,
            "divide by the Euclidean norm, not by the sum": over(raw, size.sum(axis=1, keepdims=True)),
            "divide by the Euclidean norm, not by the largest": over(raw, size.max(axis=1, keepdims=True)),
            "divide by the Euclidean norm, not by the number of tokens": over(raw, dense.sum(axis=1, keepdims=True)),
            "the norm is the root of the sum of squares, not of their mean": over(raw, norm / np.sqrt(raw.shape[1])),
            "the norm is the root of the sum of squares: the root is missing": over(raw, norm**2),
            "the norm is the root of the sum of squares: the squares are missing":
                over(raw, np.sqrt(np.abs(raw.sum(axis=1, keepdims=True)))),
            "the columns were normalised, not the rows": unit(raw, axis=0),
            "the norms belong to the rows: here they divide the columns": over(raw, np.resize(norm, raw.shape[1])),
            "each row has its own norm: here is one for the whole matrix": over(raw, np.linalg.norm(raw)),
            "nothing is added to the norm: every row gets length 1": raw / (norm + 1),
            "a small norm is none of 0: only a norm of 0 is replaced": raw / np.where(norm < 1e-3, 1, norm),
            "rows of a norm below 1 are scaled up, too": raw / np.maximum(norm, 1),
            "normalise after the IDF, not before": unit(dense) * idf,
            "a row of zeros became NaN: leave it as it is": np.where(norm == 0, np.nan, unit(raw)),
            "a row of zeros stays a row of zeros": np.where(norm == 0, 1, unit(raw)),
        }
        if len(dense) != dense.shape[1]:
            del found["the norms belong to the rows: here they divide the columns"]
        for small in (0.1, 0.01, 0.001, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12):
            found[f"nothing is added to the norm, not even {small:g}: every row gets length 1"] = raw / (norm + small)
            found[f"rows of a norm below {small:g} are scaled up, too"] = raw / np.maximum(norm, small)
        return found

    def weighing(counts, idf, normalize=True):
        """What the known mistakes of the weights give."""
        dense = counts.toarray().astype(float)
        found, product = other_weights(dense, idf), dense @ idf
        if normalize:
            found = {words: unit(value) for words, value in found.items()} | other_norms(dense, idf)
            product = over(product, np.linalg.norm(product))
        else:
            found["normalize=False was ignored"] = unit(dense * idf)
        found = {words: sparse.csr_matrix(value) for words, value in found.items()}
        return found | {"* is a matrix product here, as @ is: scale the columns": product}

    def comparing(a, b):
        """What the known mistakes of the cosine give."""
        a, b = a.toarray(), b.toarray()
        dots, cosine, na, nb = a @ b.T, library_cosine(a, b), np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
        norms, zero = np.outer(na, nb), np.outer(na, nb) == 0
        large, sums = (np.abs(a).max(axis=1), np.abs(b).max(axis=1)), (np.abs(a).sum(axis=1), np.abs(b).sum(axis=1))
        found = {
            "this is the dot product: divide by both norms": dots,
            "divide by the norms, not by their squares": over(dots, norms**2),
            "divide by both norms: only the first was used": over(dots, na[:, None]),
            "divide by both norms: only the second was used": over(dots, nb),
            "divide by the product of the norms, not by its root": over(dots, np.sqrt(norms)),
            "divide by the product of the norms, not by their sum": over(dots, na[:, None] + nb),
            "the norms are Euclidean, not sums of the entries": over(dots, np.outer(*sums)),
            "the norms are those of the rows, not of the columns":
                over(a, np.linalg.norm(a, axis=0)) @ over(b, np.linalg.norm(b, axis=0)).T,
            "each row has its own norm: here is one for each matrix": over(dots, np.linalg.norm(a) * np.linalg.norm(b)),
            "every row of a meets every row of b: here row meets row": np.diag(cosine),
            "the norms are Euclidean, not the largest entries": over(dots, np.outer(*large)),
            "norms below 1 stay as they are: only a norm of 0 is replaced":
                dots / np.outer(np.maximum(na, 1), np.maximum(nb, 1)),
            "the cosine with a row of zeros is 0, not 1": np.where(zero, 1, cosine),
            "the cosine with a row of zeros is 0, not NaN": np.where(zero, np.nan, cosine),
            "a cosine may be negative: do not cut it off at 0": np.maximum(cosine, 0),
            "a cosine may be negative: keep its sign": np.abs(cosine),
            "the result is (rows of a, rows of b), not its transpose": cosine.T,
            "that is the distance 1 - cosine": 1 - cosine,
            "that is the angle; its cosine is asked for": np.arccos(np.clip(cosine, -1, 1)),
            "that is the cosine squared": cosine**2,
            "that is the angle in degrees; its cosine is asked for": np.degrees(np.arccos(np.clip(cosine, -1, 1))),
            "a cosine lies between -1 and 1: here it was moved to 0 to 1": (cosine + 1) / 2,
            "that is the distance of the two rows": np.linalg.norm(a[:, None] - b[None], axis=2),
            "the rows of a are compared with those of b: b was not used": library_cosine(a, a),
            "the rows of a are compared with those of b: a was not used": library_cosine(b, b),
            "no mean is subtracted: that is a correlation":
                library_cosine(a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)),
        }
        for small in (1, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12):
            found[f"{small:g} in the denominator is too much for short rows"] = dots / (norms + small)
            found[f"{small:g} at each norm is too much for short rows"] = dots / np.outer(na + small, nb + small)
            found[f"a floor of {small:g} below the line is too much for short rows"] = dots / np.maximum(norms, small)
        return found

    one = sparse.csr_matrix([[1]])
    known = one_by_one(weighing, one, np.ones(1)) | one_by_one(weighing, one, np.ones(1), normalize=False)
    check.mistakes(known, tfidf)
    check.mistakes(one_by_one(comparing, one, one), cosine_similarity)
    ### END MISTAKES
    shapes = {
        "if shapes do not fit: the IDF has one number for each column, the norms have one for each row": ValueError,
    }
    lecture = sparse.csr_matrix([[1, 1, 2, 2, 1, 2, 1]])
    weights = np.array([0, 0, 0, 0, 0, 0.30103, 0.30103])
    check(tfidf, lecture, weights, normalize=False).equals(
        sparse.csr_matrix([[0, 0, 0, 0, 0, 0.60206, 0.30103]]), rtol=1e-4, about="the second of the two documents",
        near=shapes,
    )
    counts, weights = sparse.csr_matrix([[1, 2, 0], [0, 1, 1], [0, 0, 0]]), np.array([1.0, 0.5, 2.0])
    check(tfidf, counts, weights).equals(
        sparse.csr_matrix([[0.707107, 0.707107, 0], [0, 0.242536, 0.970143], [0, 0, 0]]), rtol=1e-4, near=shapes
    )
    weights = np.array([3e-7, 2e-7, 1e-7])
    check(tfidf, counts, weights).equals(
        sparse.csr_matrix([[0.6, 0.8, 0], [0, 0.894427, 0.447214], [0, 0, 0]]), rtol=1e-4, atol=1e-12,
        about="norms far below 1",
    )
    each = {"if shapes do not fit: there is a row for each row of a and a column for each row of b": ValueError}
    a, b = sparse.csr_matrix([[1.0, 1, 0], [0, 0, 2]]), sparse.csr_matrix([[0, 3.0, 0], [2, 1, 2], [0, 0, 0]])
    check(cosine_similarity, a, b).equals([[0.707107, 0.707107, 0], [0, 0.666667, 0]], rtol=1e-4, near=each)
    a, b = sparse.csr_matrix([[3, -4, 0], [0, 1, 0]]) * 3e-4, sparse.csr_matrix([[1, 2, 2], [0.6, 0, 0.8]]) * 3e-4
    check(cosine_similarity, a, b).equals(
        [[-0.333333, 0.36], [0.666667, 0]], rtol=1e-4, atol=1e-14, about="a negative entry, and norms far below 1"
    )
    ### BEGIN HIDDEN TESTS
    from sklearn.feature_extraction.text import TfidfTransformer

    check.hidden()
    for about in ("random counts", "an IDF below 1", "an IDF with negative numbers and a 0"):
        dense = check.rng.poisson(0.7, size=(9, 6)).astype(float)
        dense[:, 0] += np.arange(9) % 3
        dense[2], dense[5] = 0, [0, 0, 0, 2, 0, 0]
        oracle = TfidfTransformer().fit(np.vstack([dense, np.ones(6)]))
        weights = {"random counts": oracle.idf_, "an IDF below 1": check.rng.uniform(0.05, 0.25, size=6)}.get(
            about, check.rng.normal(size=6) * [1, 1, 1, 0, 1, 1])
        counts, raw = sparse.csr_matrix(dense if about != "random counts" else dense.astype(int)), dense * weights
        check(tfidf, counts.copy(), weights.copy()).equals(
            oracle.transform(counts).tocsr() if about == "random counts" else sparse.csr_matrix(unit(raw)),
            about=f"{about}, normalised", rtol=1e-4, atol=1e-6, near=shapes,
        )
        check(tfidf, counts.copy(), weights.copy(), normalize=False).equals(
            sparse.csr_matrix(raw), about=f"{about}, not normalised", rtol=1e-4, atol=1e-6, near=shapes
        )

    wide, large = check.rng.poisson(1.5, size=(2, 90)), check.rng.uniform(0.5, 5, size=90)
    large[[3, 7, 71]] = 700, 45, 90  # the kind ratio has such weights
    check(tfidf, sparse.csr_matrix(wide), large.copy(), normalize=False).equals(
        sparse.csr_matrix(wide * large), about="many words, large weights", edge=True, rtol=1e-4,
        near={"an IDF may be large: do not cut it off": sparse.csr_matrix(wide * np.minimum(large, 30))},
    )
    tiny = check.rng.uniform(1, 5, size=90) * 1e-9
    check(tfidf, sparse.csr_matrix(wide), tiny.copy()).equals(
        sparse.csr_matrix(unit(sparse.csr_matrix(wide * tiny))), about="norms far below 1", edge=True, rtol=1e-4
    )
    for dense, value in (([[3], [0], [1]], [[1], [0], [1]]), ([[2]], [[1]])):
        check(tfidf, sparse.csr_matrix(dense), np.array([0.4])).equals(
            sparse.csr_matrix(value, dtype=float), about="a vocabulary of one word", edge=True, rtol=1e-4
        )

    counted = "rows of random counts"
    for about in ("random rows, negative entries, rows of zeros", counted, counted):  # twice: nothing is kept
        if about == counted:
            a, b = check.rng.poisson(0.6, size=(3, 6)), check.rng.poisson(0.6, size=(5, 6))
            a[:, 1] += 1
        else:
            a, b = check.rng.normal(size=(4, 7)), check.rng.normal(size=(3, 7))
            a[1], a[:, 2], b[2] = 0, 0, 0
            a, b = a * [[0.2], [1], [3], [0.05]], b * [[0.1], [4], [1]]
        check(cosine_similarity, sparse.csr_matrix(a), sparse.csr_matrix(b)).equals(
            library_cosine(a, b), about=about, rtol=1e-4, atol=1e-6, near=each
        )
    a, b = unit(check.rng.normal(size=(2, 5))), unit(check.rng.normal(size=(4, 5)))
    for short in (0.04, 1e-3):
        check(cosine_similarity, sparse.csr_matrix(short * a), sparse.csr_matrix(short * b)).equals(
            a @ b.T, about="short rows", edge=True, rtol=1e-4, atol=1e-6, near=each
        )
    check(cosine_similarity, sparse.csr_matrix((1, 3)), sparse.csr_matrix((2, 3))).equals(
        np.zeros((1, 2)), about="rows of zeros only", edge=True, near=each
    )
    ### END HIDDEN TESTS


score
