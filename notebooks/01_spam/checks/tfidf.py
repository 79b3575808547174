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


score
