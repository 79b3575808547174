from helpers.checks import graded


@graded("tfidf", points=8)
def score(check):
    import numpy as np
    from scipy import sparse

    def matrices(near):
        return {words: sparse.csr_matrix(value) for words, value in near.items()}

    lecture = sparse.csr_matrix([[1, 1, 2, 2, 1, 2, 1]])
    weights = np.array([0, 0, 0, 0, 0, 0.30103, 0.30103])
    check(tfidf, lecture, weights, normalize=False).equals(
        sparse.csr_matrix([[0, 0, 0, 0, 0, 0.60206, 0.30103]]), rtol=1e-4, about="the second of the two documents",
        near=lambda: matrices({
            "the counts were lost: a word twice in the text weighs twice": [[0, 0, 0, 0, 0, 0.30103, 0.30103]],
            "normalize=False was ignored": [[0, 0, 0, 0, 0, 0.894427, 0.447214]],
            "the IDF was not used": [[1, 1, 2, 2, 1, 2, 1]],
            "multiply by the IDF, once: here it is squared": [[0, 0, 0, 0, 0, 0.181238, 0.090619]],
            "multiply by the IDF: here it divides": [[0, 0, 0, 0, 0, 6.643856, 3.321928]],
            "multiply by the IDF: here it is added": [[1, 1, 2, 2, 1, 2.30103, 1.30103]],
            "multiply by the IDF: here it is added, even to words that the row does not hold": [
                [1, 1, 2, 2, 1, 2.30103, 1.30103]],
            "weigh the plain counts, not their shares of the row": [[0, 0, 0, 0, 0, 0.060206, 0.030103]],
            "weigh the plain counts, not their shares of the whole": [[0, 0, 0, 0, 0, 0.060206, 0.030103]],
            "weigh the plain counts, not log(1 + count)": [[0, 0, 0, 0, 0, 0.330715, 0.208658]],
            "weigh the plain counts, not 1 + log(count)": [[0, 0, 0, 0, 0, 0.509688, 0.30103]],
        }) | {
            "* is a matrix product here, as @ is: scale the columns": [0.90309],
            "if shapes do not fit: the IDF has one number for each column, the norms have one for each row": ValueError,
        },
    )
    counts, weights = sparse.csr_matrix([[1, 2, 0], [0, 1, 1], [0, 0, 0]]), np.array([1.0, 0.5, 2.0])
    check(tfidf, counts, weights).equals(
        sparse.csr_matrix([[0.707107, 0.707107, 0], [0, 0.242536, 0.970143], [0, 0, 0]]), rtol=1e-4,
        near=lambda: matrices({
            "the rows were not normalised": [[1, 1, 0], [0, 0.5, 2], [0, 0, 0]],
            "divide by the Euclidean norm, not by the sum": [[0.5, 0.5, 0], [0, 0.2, 0.8], [0, 0, 0]],
            "divide by the Euclidean norm, not by the largest": [[1, 1, 0], [0, 0.25, 1], [0, 0, 0]],
            "divide by the Euclidean norm, not by the number of tokens": [
                [0.333333, 0.333333, 0], [0, 0.25, 1], [0, 0, 0]],
            "the norm is the root of the sum of squares, not of their mean": [
                [1.224745, 1.224745, 0], [0, 0.420084, 1.680336], [0, 0, 0]],
            "the norm is the root of the sum of squares: the root is missing": [
                [0.5, 0.5, 0], [0, 0.117647, 0.470588], [0, 0, 0]],
            "the norm is the root of the sum of squares: the squares are missing": [
                [0.707107, 0.707107, 0], [0, 0.316228, 1.264911], [0, 0, 0]],
            "the columns were normalised, not the rows": [[1, 0.894427, 0], [0, 0.447214, 1], [0, 0, 0]],
            "each row has its own norm: here is one for the whole matrix": [[0.4, 0.4, 0], [0, 0.2, 0.8], [0, 0, 0]],
            "nothing is added to the norm: every row gets length 1": [
                [0.414214, 0.414214, 0], [0, 0.163316, 0.653263], [0, 0, 0]],
            "normalise after the IDF, not before": [[0.447214, 0.447214, 0], [0, 0.353553, 1.414214], [0, 0, 0]],
            "the norms belong to the rows: here they divide the columns": [
                [0.707107, 0.485071, 0], [0, 0.242536, 2], [0, 0, 0]],
            "a row of zeros became NaN: leave it as it is": [
                [0.707107, 0.707107, 0], [0, 0.242536, 0.970143], [np.nan, np.nan, np.nan]],
            "the counts were lost: a word twice in the text weighs twice": [
                [0.894427, 0.447214, 0], [0, 0.242536, 0.970143], [0, 0, 0]],
            "the IDF was not used": [[0.447214, 0.894427, 0], [0, 0.707107, 0.707107], [0, 0, 0]],
            "multiply by the IDF, once: here it is squared": [
                [0.894427, 0.447214, 0], [0, 0.062378, 0.998053], [0, 0, 0]],
            "multiply by the IDF: here it divides": [[0.242536, 0.970143, 0], [0, 0.970143, 0.242536], [0, 0, 0]],
            "multiply by the IDF: here it is added": [[0.624695, 0.780869, 0], [0, 0.447214, 0.894427], [0, 0, 0]],
            "weigh the plain counts, not log(1 + count)": [
                [0.783735, 0.621095, 0], [0, 0.242536, 0.970143], [0, 0, 0]],
            "weigh the plain counts, not 1 + log(count)": [
                [0.763228, 0.646129, 0], [0, 0.242536, 0.970143], [0, 0, 0]],
        }) | {
            "* is a matrix product here, as @ is: scale the columns": [0.624695, 0.780869, 0],
            "if shapes do not fit: the IDF has one number for each column, the norms have one for each row": ValueError,
        },
    )
    weights = np.array([0.3, 0.2, 0.1])
    check(tfidf, counts, weights).equals(
        sparse.csr_matrix([[0.6, 0.8, 0], [0, 0.894427, 0.447214], [0, 0, 0]]), rtol=1e-4, about="norms below 1",
        near=lambda: matrices({
            "rows of a norm below 1 are scaled up, too": [[0.3, 0.4, 0], [0, 0.2, 0.1], [0, 0, 0]],
            "the rows were not normalised": [[0.3, 0.4, 0], [0, 0.2, 0.1], [0, 0, 0]],
            "divide by the Euclidean norm, not by the sum": [
                [0.428571, 0.571429, 0], [0, 0.666667, 0.333333], [0, 0, 0]],
            "normalise after the IDF, not before": [[0.134164, 0.178885, 0], [0, 0.141421, 0.070711], [0, 0, 0]],
            "the norms belong to the rows: here they divide the columns": [
                [0.6, 1.788854, 0], [0, 0.894427, 0.1], [0, 0, 0]],
        }),
    )
    a, b = sparse.csr_matrix([[1.0, 1, 0], [0, 0, 2]]), sparse.csr_matrix([[0, 3.0, 0], [2, 1, 2], [0, 0, 0]])
    check(cosine_similarity, a, b).equals(
        [[0.707107, 0.707107, 0], [0, 0.666667, 0]], rtol=1e-4,
        near={
            "this is the dot product: divide by both norms": [[3, 3, 0], [0, 4, 0]],
            "divide by the norms, not by their squares": [[0.166667, 0.166667, 0], [0, 0.111111, 0]],
            "divide by both norms: only the first was used": [[2.12132, 2.12132, 0], [0, 2, 0]],
            "divide by both norms: only the second was used": [[1, 1, 0], [0, 1.333333, 0]],
            "divide by the product of the norms, not by its root": [[1.456475, 1.456475, 0], [0, 1.632993, 0]],
            "divide by the product of the norms, not by their sum": [[0.679623, 0.679623, 0], [0, 0.8, 0]],
            "the norms are Euclidean, not sums of the entries": [[0.5, 0.3, 0], [0, 0.4, 0]],
            "the cosine with a row of zeros is 0, not 1": [[0.707107, 0.707107, 1], [0, 0.666667, 1]],
            "the norms are those of the rows, not of the columns": [[0.948683, 1.316228, 0], [0, 1, 0]],
            "each row has its own norm: here is one for each matrix": [[0.288675, 0.288675, 0], [0, 0.3849, 0]],
            "every row of a meets every row of b: here row meets row": [0.707107, 0.666667],
            "the cosine with a row of zeros is 0, not NaN": [[0.707107, 0.707107, np.nan], [0, 0.666667, np.nan]],
            "that is the distance 1 - cosine": [[0.292893, 0.292893, 1], [1, 0.333333, 1]],
            "that is the angle; its cosine is asked": [[0.785398, 0.785398, 1.570796], [1.570796, 0.841069, 1.570796]],
            "that is the cosine squared": [[0.5, 0.5, 0], [0, 0.444444, 0]],
            "if shapes do not fit: there is a row for each row of a and a column for each row of b": ValueError,
        },
    )
    a, b = sparse.csr_matrix([[0.3, -0.4, 0], [0, 0.1, 0]]), sparse.csr_matrix([[1, 2, 2], [0.6, 0, 0.8]])
    check(cosine_similarity, a, b).equals(
        [[-0.333333, 0.36], [0.666667, 0]], rtol=1e-4, about="a negative entry, and norms below 1",
        near={
            "a cosine may be negative: do not cut it off at 0": [[0, 0.36], [0.666667, 0]],
            "a cosine may be negative: keep its sign": [[0.333333, 0.36], [0.666667, 0]],
            "norms below 1 stay as they are: only a norm of 0 is replaced": [[-0.166667, 0.18], [0.066667, 0]],
            "the norms are those of the rows, not of the columns": [[-0.11265, 0.514496], [0.242536, 0]],
            "each row has its own norm: here is one for each matrix": [[-0.310087, 0.111631], [0.124035, 0]],
            "every row of a meets every row of b: here row meets row": [-0.333333, 0],
            "this is the dot product: divide by both norms": [[-0.5, 0.18], [0.2, 0]],
            "divide by both norms: only the first was used": [[-1, 0.36], [2, 0]],
            "divide by both norms: only the second was used": [[-0.166667, 0.18], [0.066667, 0]],
            "divide by the norms, not by their squares": [[-0.222222, 0.72], [2.222222, 0]],
        },
    )
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.metrics.pairwise import cosine_similarity as library_cosine
    from sklearn.preprocessing import normalize as unit

    check.hidden()

    def over(x, size):
        """Return x divided by sizes; what has size 0 stays as it is."""
        return x / np.where(size == 0, 1, size)

    for about in ("random counts", "an IDF below 1", "an IDF with negative numbers and a 0"):
        dense = check.rng.poisson(0.7, size=(9, 6)).astype(float)
        dense[:, 0] += np.arange(9) % 3
        dense[2], dense[5] = 0, [0, 0, 0, 2, 0, 0]
        oracle = TfidfTransformer().fit(np.vstack([dense, np.ones(6)]))
        weights = {"random counts": oracle.idf_, "an IDF below 1": check.rng.uniform(0.05, 0.25, size=6)}.get(
            about, check.rng.normal(size=6) * [1, 1, 1, 0, 1, 1])
        counts, raw = sparse.csr_matrix(dense if about != "random counts" else dense.astype(int)), dense * weights
        norm, logs = np.linalg.norm(raw, axis=1, keepdims=True), np.log(np.maximum(dense, 1))
        weighted = {
            "the counts were lost: a word twice in the text weighs twice": (dense > 0) * weights,
            "the IDF was not used": dense,
            "multiply by the IDF, once: here it is squared": raw * weights,
            "multiply by the IDF: here it divides": over(dense, weights) * (weights != 0),
            "multiply by the IDF: here it is added": dense + (dense > 0) * weights,
            "multiply by the IDF: here it is added, even to words that the row does not hold": dense + weights,
            "weigh the plain counts, not log(1 + count)": np.log1p(dense) * weights,
            "weigh the plain counts, not 1 + log(count)": (dense > 0) * (1 + logs) * weights,
            "weigh the plain counts, not their squares": dense * raw,
            "an IDF may be negative: keep its sign": np.abs(raw),
            "an IDF may be negative: do not cut it off at 0": np.maximum(raw, 0),
            "weigh the plain counts, not their shares of the row": over(raw, dense.sum(1, keepdims=True)),
            "weigh the plain counts, not their shares of the whole": raw / dense.sum(),
        }
        shapes = "if shapes do not fit: the IDF has one number for each column, the norms have one for each row"
        product, one = "* is a matrix product here, as @ is: scale the columns", dense @ weights
        rows = {
            "the rows were not normalised": raw,
            "divide by the Euclidean norm, not by the sum": over(raw, np.abs(raw).sum(1, keepdims=True)),
            "divide by the Euclidean norm, not by the largest": over(raw, np.abs(raw).max(1, keepdims=True)),
            "divide by the Euclidean norm, not by the number of tokens": over(raw, dense.sum(1, keepdims=True)),
            "the norm is the root of the sum of squares, not of their mean": over(raw, norm / np.sqrt(6)),
            "the norm is the root of the sum of squares: the root is missing": over(raw, norm**2),
            "the norm is the root of the sum of squares: the squares are missing": over(
                raw, np.sqrt(np.abs(raw.sum(1, keepdims=True)))),
            "the columns were normalised, not the rows": unit(raw, axis=0),
            "each row has its own norm: here is one for the whole matrix": raw / np.linalg.norm(raw),
            "nothing is added to the norm: every row gets length 1": raw / (norm + 1),
            "rows of a norm below 1 are scaled up, too": raw / np.maximum(norm, 1),
            "normalise after the IDF, not before": unit(dense) * weights,
            "a row of zeros became NaN: leave it as it is": np.where(norm == 0, np.nan, unit(raw)),
            **{f"nothing is added to the norm, not even {small:g}: every row gets length 1": raw / (norm + small)
               for small in (0.1, 0.01, 0.001)},
            "a row of zeros stays a row of zeros": np.where(norm == 0, 1, unit(raw)),
        }
        units = {words: unit(x) for words, x in weighted.items()}
        check(tfidf, counts.copy(), weights.copy()).equals(
            oracle.transform(counts).tocsr() if about == "random counts" else sparse.csr_matrix(unit(raw)),
            about=f"{about}, normalised", rtol=1e-4, atol=1e-6,
            near=matrices(units | rows) | {product: one / np.linalg.norm(one), shapes: ValueError},
        )
        check(tfidf, counts.copy(), weights.copy(), normalize=False).equals(
            sparse.csr_matrix(raw), about=f"{about}, not normalised", rtol=1e-4, atol=1e-6,
            near=matrices(weighted | {"normalize=False was ignored": unit(raw)})
            | {product: one, shapes: ValueError},
        )

    wide, large = check.rng.poisson(1.5, size=(2, 90)), check.rng.uniform(0.5, 5, size=90)
    large[[3, 7, 71]] = 700, 45, 90  # the kind ratio has such weights
    check(tfidf, sparse.csr_matrix(wide), large.copy(), normalize=False).equals(
        sparse.csr_matrix(wide * large), about="many words, large weights", edge=True, rtol=1e-4,
        near=lambda: matrices({"an IDF may be large: do not cut it off": wide * np.minimum(large, 30)}),
    )
    for dense, value in (([[3], [0], [1]], [[1], [0], [1]]), ([[2]], [[1]])):
        check(tfidf, sparse.csr_matrix(dense), np.array([0.4])).equals(
            sparse.csr_matrix(value, dtype=float), about="a vocabulary of one word", edge=True, rtol=1e-4
        )

    def mistakes(a, b):
        """Return what each known mistake gives on these rows."""
        dots, cosine, na, nb = a @ b.T, library_cosine(a, b), np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
        norms, zero = np.outer(na, nb), np.outer(na, nb) == 0
        found = {
            "this is the dot product: divide by both norms": dots,
            "divide by the norms, not by their squares": over(dots, norms**2),
            "divide by both norms: only the first was used": over(dots, na[:, None]),
            "divide by both norms: only the second was used": over(dots, nb),
            "divide by the product of the norms, not by its root": over(dots, np.sqrt(norms)),
            "divide by the product of the norms, not by their sum": over(dots, na[:, None] + nb),
            "the norms are Euclidean, not sums of the entries": over(
                dots, np.outer(np.abs(a).sum(1), np.abs(b).sum(1))),
            "the norms are those of the rows, not of the columns": (
                over(a, np.linalg.norm(a, axis=0)) @ over(b, np.linalg.norm(b, axis=0)).T),
            "each row has its own norm: here is one for each matrix": over(dots, np.linalg.norm(a) * np.linalg.norm(b)),
            "every row of a meets every row of b: here row meets row": np.diag(cosine),
            "the norms are Euclidean, not the largest entries": over(
                dots, np.outer(np.abs(a).max(1), np.abs(b).max(1))),
            "norms below 1 stay as they are: only a norm of 0 is replaced": dots / np.outer(
                np.maximum(na, 1), np.maximum(nb, 1)),
            "the cosine with a row of zeros is 0, not 1": np.where(zero, 1, cosine),
            "the cosine with a row of zeros is 0, not NaN": np.where(zero, np.nan, cosine),
            "a cosine may be negative: do not cut it off at 0": np.maximum(cosine, 0),
            "a cosine may be negative: keep its sign": np.abs(cosine),
            "the result is (rows of a, rows of b), not its transpose": cosine.T,
            "that is the distance 1 - cosine": 1 - cosine,
            "that is the angle; its cosine is asked": np.arccos(np.clip(cosine, -1, 1)),
            "that is the cosine squared": cosine**2,
            "that is the angle in degrees; its cosine is asked": np.degrees(np.arccos(np.clip(cosine, -1, 1))),
            "a cosine lies between -1 and 1: here it was moved to 0 to 1": (cosine + 1) / 2,
            "that is the distance of the two rows": np.linalg.norm(a[:, None] - b[None], axis=2),
            "the rows of a are compared with those of b: b was not used": library_cosine(a, a),
            "the rows of a are compared with those of b: a was not used": library_cosine(b, b),
            "if shapes do not fit: there is a row for each row of a and a column for each row of b": ValueError,
            "no mean is subtracted: that is a correlation": library_cosine(
                a - a.mean(1, keepdims=True), b - b.mean(1, keepdims=True)),
        }
        for small in (1, 1e-3, 1e-4, 1e-5, 1e-6):
            found[f"{small:g} in the denominator is too much for short rows"] = dots / (norms + small)
            found[f"{small:g} at each norm is too much for short rows"] = dots / np.outer(na + small, nb + small)
        return found

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
            library_cosine(a, b), about=about, rtol=1e-4, atol=1e-6, near=partial(mistakes, a, b)
        )
    a, b = 0.04 * unit(check.rng.normal(size=(2, 5))), 0.04 * unit(check.rng.normal(size=(4, 5)))
    check(cosine_similarity, sparse.csr_matrix(a), sparse.csr_matrix(b)).equals(
        library_cosine(a, b), about="short rows", edge=True, rtol=1e-4, atol=1e-6, near=partial(mistakes, a, b)
    )
    check(cosine_similarity, sparse.csr_matrix((1, 3)), sparse.csr_matrix((2, 3))).equals(
        np.zeros((1, 2)), about="rows of zeros only", edge=True,
        near=lambda: mistakes(np.zeros((1, 3)), np.zeros((2, 3))),
    )
    ### END HIDDEN TESTS


score
