from helpers.checks import graded


@graded("tfidf", points=8)
def score(check):
    import numpy as np
    from scipy import sparse

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the counts were lost: a word twice in the text weighs twice": {
            1: sparse.csr_matrix([[0.0, 0.0, 0.0, 0.0, 0.0, 0.30103, 0.30103]]),
            2: sparse.csr_matrix([[0.894427, 0.447214, 0.0], [0.0, 0.242536, 0.970143], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.83205, 0.5547, 0.0], [0.0, 0.894427, 0.447214], [0.0, 0.0, 0.0]]),
        },
        "the IDF was not used": {
            1: sparse.csr_matrix([[1.0, 1.0, 2.0, 2.0, 1.0, 2.0, 1.0]]),
            2: sparse.csr_matrix([[0.447214, 0.894427, 0.0], [0.0, 0.707107, 0.707107], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.447214, 0.894427, 0.0], [0.0, 0.707107, 0.707107], [0.0, 0.0, 0.0]]),
        },
        "multiply by the IDF, once: here it is squared": {
            1: sparse.csr_matrix([[0.0, 0.0, 0.0, 0.0, 0.0, 0.181238, 0.0906191]]),
            2: sparse.csr_matrix([[0.894427, 0.447214, 0.0], [0.0, 0.0623783, 0.998053], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.747409, 0.664364, 0.0], [0.0, 0.970143, 0.242536], [0.0, 0.0, 0.0]]),
        },
        "multiply by the IDF: here it divides": {
            1: sparse.csr_matrix([[0.0, 0.0, 0.0, 0.0, 0.0, 6.64386, 3.32193]]),
            2: sparse.csr_matrix([[0.242536, 0.970143, 0.0], [0.0, 0.970143, 0.242536], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.316228, 0.948683, 0.0], [0.0, 0.447214, 0.894427], [0.0, 0.0, 0.0]]),
        },
        "multiply by the IDF: here it is added": {
            1: sparse.csr_matrix([[1.0, 1.0, 2.0, 2.0, 1.0, 2.30103, 1.30103]]),
            2: sparse.csr_matrix([[0.624695, 0.780869, 0.0], [0.0, 0.447214, 0.894427], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.508729, 0.860927, 0.0], [0.0, 0.737154, 0.675725], [0.0, 0.0, 0.0]]),
        },
        "multiply by the IDF: here it is added, even to words that the row does not hold": {
            1: sparse.csr_matrix([[1.0, 1.0, 2.0, 2.0, 1.0, 2.30103, 1.30103]]),
            2: sparse.csr_matrix([[0.529813, 0.662266, 0.529813], [0.285714, 0.428571, 0.857143],
                               [0.436436, 0.218218, 0.872872]]),
            3: sparse.csr_matrix([[0.50834, 0.860268, 0.0391031], [0.181237, 0.724947, 0.664534],
                               [0.801784, 0.534522, 0.267261]]),
        },
        "weigh the plain counts, not log(1 + count)": {
            1: sparse.csr_matrix([[0.0, 0.0, 0.0, 0.0, 0.0, 0.330715, 0.208658]]),
            2: sparse.csr_matrix([[0.783735, 0.621095, 0.0], [0.0, 0.242536, 0.970143], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.687372, 0.726306, 0.0], [0.0, 0.894427, 0.447214], [0.0, 0.0, 0.0]]),
        },
        "weigh the plain counts, not 1 + log(count)": {
            1: sparse.csr_matrix([[0.0, 0.0, 0.0, 0.0, 0.0, 0.509688, 0.30103]]),
            2: sparse.csr_matrix([[0.763228, 0.646129, 0.0], [0.0, 0.242536, 0.970143], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.663123, 0.74851, 0.0], [0.0, 0.894427, 0.447214], [0.0, 0.0, 0.0]]),
        },
        "weigh the plain counts, not their squares": {
            1: sparse.csr_matrix([[0.0, 0.0, 0.0, 0.0, 0.0, 1.20412, 0.30103]]),
            2: sparse.csr_matrix([[0.447214, 0.894427, 0.0], [0.0, 0.242536, 0.970143], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.351123, 0.936329, 0.0], [0.0, 0.894427, 0.447214], [0.0, 0.0, 0.0]]),
        },
        "weigh the plain counts, not their shares of the row": {
            1: sparse.csr_matrix([[0.0, 0.0, 0.0, 0.0, 0.0, 0.060206, 0.030103]]),
        },
        "weigh the plain counts, not their shares of the whole": {
            1: sparse.csr_matrix([[0.0, 0.0, 0.0, 0.0, 0.0, 0.060206, 0.030103]]),
        },
        "* is a matrix product here, as @ is: scale the columns": {
            1: [0.90309],
            2: [0.624695, 0.780869, 0.0],
            3: [0.919145, 0.393919, 0.0],
        },
        "normalize=False was ignored": {
            1: sparse.csr_matrix([[0.0, 0.0, 0.0, 0.0, 0.0, 0.894427, 0.447214]]),
        },
        "the rows were not normalised": {
            2: sparse.csr_matrix([[1.0, 1.0, 0.0], [0.0, 0.5, 2.0], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.3, 0.4, 0.0], [0.0, 0.2, 0.1], [0.0, 0.0, 0.0]]),
        },
        "divide by the Euclidean norm, not by the sum": {
            2: sparse.csr_matrix([[0.5, 0.5, 0.0], [0.0, 0.2, 0.8], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.428571, 0.571429, 0.0], [0.0, 0.666667, 0.333333], [0.0, 0.0, 0.0]]),
        },
        "divide by the Euclidean norm, not by the largest": {
            2: sparse.csr_matrix([[1.0, 1.0, 0.0], [0.0, 0.25, 1.0], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.75, 1.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.0, 0.0]]),
        },
        "divide by the Euclidean norm, not by the number of tokens": {
            2: sparse.csr_matrix([[0.333333, 0.333333, 0.0], [0.0, 0.25, 1.0], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.1, 0.133333, 0.0], [0.0, 0.1, 0.05], [0.0, 0.0, 0.0]]),
        },
        "the norm is the root of the sum of squares, not of their mean": {
            2: sparse.csr_matrix([[1.22474, 1.22474, 0.0], [0.0, 0.420084, 1.68034], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[1.03923, 1.38564, 0.0], [0.0, 1.54919, 0.774597], [0.0, 0.0, 0.0]]),
        },
        "the norm is the root of the sum of squares: the root is missing": {
            2: sparse.csr_matrix([[0.5, 0.5, 0.0], [0.0, 0.117647, 0.470588], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[1.2, 1.6, 0.0], [0.0, 4.0, 2.0], [0.0, 0.0, 0.0]]),
        },
        "the norm is the root of the sum of squares: the squares are missing": {
            2: sparse.csr_matrix([[0.707107, 0.707107, 0.0], [0.0, 0.316228, 1.26491], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.358569, 0.478091, 0.0], [0.0, 0.365148, 0.182574], [0.0, 0.0, 0.0]]),
        },
        "the columns were normalised, not the rows": {
            2: sparse.csr_matrix([[1.0, 0.894427, 0.0], [0.0, 0.447214, 1.0], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[1.0, 0.894427, 0.0], [0.0, 0.447214, 1.0], [0.0, 0.0, 0.0]]),
        },
        "the norms belong to the rows: here they divide the columns": {
            2: sparse.csr_matrix([[0.707107, 0.485071, 0.0], [0.0, 0.242536, 2.0], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.6, 1.78885, 0.0], [0.0, 0.894427, 0.1], [0.0, 0.0, 0.0]]),
        },
        "each row has its own norm: here is one for the whole matrix": {
            2: sparse.csr_matrix([[0.4, 0.4, 0.0], [0.0, 0.2, 0.8], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.547723, 0.730297, 0.0], [0.0, 0.365148, 0.182574], [0.0, 0.0, 0.0]]),
        },
        "nothing is added to the norm: every row gets length 1": {
            2: sparse.csr_matrix([[0.414214, 0.414214, 0.0], [0.0, 0.163316, 0.653263], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.2, 0.266667, 0.0], [0.0, 0.163451, 0.0817256], [0.0, 0.0, 0.0]]),
        },
        "normalise after the IDF, not before": {
            2: sparse.csr_matrix([[0.447214, 0.447214, 0.0], [0.0, 0.353553, 1.41421], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.134164, 0.178885, 0.0], [0.0, 0.141421, 0.0707107], [0.0, 0.0, 0.0]]),
        },
        "a row of zeros became NaN: leave it as it is": {
            2: sparse.csr_matrix([[0.707107, 0.707107, 0.0], [0.0, 0.242536, 0.970143],
                               [float("nan"), float("nan"), float("nan")]]),
            3: sparse.csr_matrix([[0.6, 0.8, 0.0], [0.0, 0.894427, 0.447214],
                               [float("nan"), float("nan"), float("nan")]]),
        },
        "a row of zeros stays a row of zeros": {
            2: sparse.csr_matrix([[0.707107, 0.707107, 0.0], [0.0, 0.242536, 0.970143], [1.0, 1.0, 1.0]]),
            3: sparse.csr_matrix([[0.6, 0.8, 0.0], [0.0, 0.894427, 0.447214], [1.0, 1.0, 1.0]]),
        },
        "nothing is added to the norm, not even 0.1: every row gets length 1": {
            2: sparse.csr_matrix([[0.660409, 0.660409, 0.0], [0.0, 0.231315, 0.925261], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.5, 0.666667, 0.0], [0.0, 0.618034, 0.309017], [0.0, 0.0, 0.0]]),
        },
        "nothing is added to the norm, not even 0.01: every row gets length 1": {
            2: sparse.csr_matrix([[0.702142, 0.702142, 0.0], [0.0, 0.241365, 0.965459], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.588235, 0.784314, 0.0], [0.0, 0.856139, 0.42807], [0.0, 0.0, 0.0]]),
        },
        "nothing is added to the norm, not even 0.001: every row gets length 1": {
            2: sparse.csr_matrix([[0.706607, 0.706607, 0.0], [0.0, 0.242418, 0.969672], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.598802, 0.798403, 0.0], [0.0, 0.890445, 0.445222], [0.0, 0.0, 0.0]]),
        },
        "rows of a norm below 1 are scaled up, too": {
            3: sparse.csr_matrix([[0.3, 0.4, 0.0], [0.0, 0.2, 0.1], [0.0, 0.0, 0.0]]),
        },
        "this is the dot product: divide by both norms": {
            4: [[3.0, 3.0, 0.0], [0.0, 4.0, 0.0]],
            5: [[-0.5, 0.18], [0.2, 0.0]],
        },
        "divide by the norms, not by their squares": {
            4: [[0.166667, 0.166667, 0.0], [0.0, 0.111111, 0.0]],
            5: [[-0.222222, 0.72], [2.22222, 0.0]],
        },
        "divide by both norms: only the first was used": {
            4: [[2.12132, 2.12132, 0.0], [0.0, 2.0, 0.0]],
            5: [[-1.0, 0.36], [2.0, 0.0]],
        },
        "divide by both norms: only the second was used": {
            4: [[1.0, 1.0, 0.0], [0.0, 1.33333, 0.0]],
            5: [[-0.166667, 0.18], [0.0666667, 0.0]],
        },
        "divide by the product of the norms, not by its root": {
            4: [[1.45648, 1.45648, 0.0], [0.0, 1.63299, 0.0]],
            5: [[-0.408248, 0.254558], [0.365148, 0.0]],
        },
        "divide by the product of the norms, not by their sum": {
            4: [[0.679623, 0.679623, 0.0], [0.0, 0.8, 0.0]],
            5: [[-0.142857, 0.12], [0.0645161, 0.0]],
        },
        "the norms are Euclidean, not sums of the entries": {
            4: [[0.5, 0.3, 0.0], [0.0, 0.4, 0.0]],
            5: [[-0.142857, 0.183673], [0.4, 0.0]],
        },
        "the norms are those of the rows, not of the columns": {
            4: [[0.948683, 1.31623, 0.0], [0.0, 1.0, 0.0]],
            5: [[-0.11265, 0.514496], [0.242536, 0.0]],
        },
        "each row has its own norm: here is one for each matrix": {
            4: [[0.288675, 0.288675, 0.0], [0.0, 0.3849, 0.0]],
            5: [[-0.310087, 0.111631], [0.124035, 0.0]],
        },
        "every row of a meets every row of b: here row meets row": {
            4: [0.707107, 0.666667],
            5: [-0.333333, 0.0],
        },
        "the norms are Euclidean, not the largest entries": {
            4: [[1.0, 1.5, 0.0], [0.0, 1.0, 0.0]],
            5: [[-0.625, 0.5625], [1.0, 0.0]],
        },
        "the cosine with a row of zeros is 0, not 1": {
            4: [[0.707107, 0.707107, 1.0], [0.0, 0.666667, 1.0]],
        },
        "the cosine with a row of zeros is 0, not NaN": {
            4: [[0.707107, 0.707107, float("nan")], [0.0, 0.666667, float("nan")]],
        },
        "the result is (rows of a, rows of b), not its transpose": {
            4: [[0.707107, 0.0], [0.707107, 0.666667], [0.0, 0.0]],
            5: [[-0.333333, 0.666667], [0.36, 0.0]],
        },
        "that is the distance 1 - cosine": {
            4: [[0.292893, 0.292893, 1.0], [1.0, 0.333333, 1.0]],
            5: [[1.33333, 0.64], [0.333333, 1.0]],
        },
        "that is the angle; its cosine is asked": {
            4: [[0.785398, 0.785398, 1.5708], [1.5708, 0.841069, 1.5708]],
            5: [[1.91063, 1.20253], [0.841069, 1.5708]],
        },
        "that is the cosine squared": {
            4: [[0.5, 0.5, 0.0], [0.0, 0.444444, 0.0]],
            5: [[0.111111, 0.1296], [0.444444, 0.0]],
        },
        "that is the angle in degrees; its cosine is asked": {
            4: [[45.0, 45.0, 90.0], [90.0, 48.1897, 90.0]],
            5: [[109.471, 68.8998], [48.1897, 90.0]],
        },
        "a cosine lies between -1 and 1: here it was moved to 0 to 1": {
            4: [[0.853553, 0.853553, 0.5], [0.5, 0.833333, 0.5]],
            5: [[0.333333, 0.68], [0.833333, 0.5]],
        },
        "that is the distance of the two rows": {
            4: [[2.23607, 2.23607, 1.41421], [3.60555, 2.23607, 2.0]],
            5: [[3.20156, 0.943398], [2.93428, 1.00499]],
        },
        "the rows of a are compared with those of b: b was not used": {
            4: [[1.0, 0.0], [0.0, 1.0]],
            5: [[1.0, -0.8], [-0.8, 1.0]],
        },
        "the rows of a are compared with those of b: a was not used": {
            4: [[1.0, 0.333333, 0.0], [0.333333, 1.0, 0.0], [0.0, 0.0, 0.0]],
            5: [[1.0, 0.733333], [0.733333, 1.0]],
        },
        "no mean is subtracted: that is a correlation": {
            4: [[0.5, -0.5, 0.0], [-0.5, 0.5, 0.0]],
            5: [[-0.821995, 0.775133], [0.5, -0.970725]],
        },
        "1 in the denominator is too much for short rows": {
            4: [[0.572231, 0.572231, 0.0], [0.0, 0.571429, 0.0]],
            5: [[-0.2, 0.12], [0.153846, 0.0]],
        },
        "1 at each norm is too much for short rows": {
            4: [[0.31066, 0.31066, 0.0], [0.0, 0.333333, 0.0]],
            5: [[-0.0833333, 0.06], [0.0454545, 0.0]],
        },
        "0.001 in the denominator is too much for short rows": {
            4: [[0.70694, 0.70694, 0.0], [0.0, 0.666556, 0.0]],
            5: [[-0.333111, 0.359281], [0.664452, 0.0]],
        },
        "0.001 at each norm is too much for short rows": {
            4: [[0.706372, 0.706372, 0.0], [0.0, 0.666111, 0.0]],
            5: [[-0.332557, 0.358923], [0.659846, 0.0]],
        },
        "0.0001 at each norm is too much for short rows": {
            4: [[0.707033, 0.707033, 0.0], [0.0, 0.666611, 0.0]],
            5: [[-0.333256, 0.359892], [0.665978, 0.0]],
        },
        "norms below 1 stay as they are: only a norm of 0 is replaced": {
            5: [[-0.166667, 0.18], [0.0666667, 0.0]],
        },
        "a cosine may be negative: do not cut it off at 0": {
            5: [[0.0, 0.36], [0.666667, 0.0]],
        },
        "a cosine may be negative: keep its sign": {
            5: [[0.333333, 0.36], [0.666667, 0.0]],
        },
        "0.0001 in the denominator is too much for short rows": {
            5: [[-0.333311, 0.359928], [0.666445, 0.0]],
        },
        "1e-05 at each norm is too much for short rows": {
            5: [[-0.333326, 0.359989], [0.666598, 0.0]],
        },
    })
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
    weights = np.array([0.3, 0.2, 0.1])
    check(tfidf, counts, weights).equals(
        sparse.csr_matrix([[0.6, 0.8, 0], [0, 0.894427, 0.447214], [0, 0, 0]]), rtol=1e-4, about="norms below 1"
    )
    each = {"if shapes do not fit: there is a row for each row of a and a column for each row of b": ValueError}
    a, b = sparse.csr_matrix([[1.0, 1, 0], [0, 0, 2]]), sparse.csr_matrix([[0, 3.0, 0], [2, 1, 2], [0, 0, 0]])
    check(cosine_similarity, a, b).equals([[0.707107, 0.707107, 0], [0, 0.666667, 0]], rtol=1e-4, near=each)
    a, b = sparse.csr_matrix([[0.3, -0.4, 0], [0, 0.1, 0]]), sparse.csr_matrix([[1, 2, 2], [0.6, 0, 0.8]])
    check(cosine_similarity, a, b).equals(
        [[-0.333333, 0.36], [0.666667, 0]], rtol=1e-4, about="a negative entry, and norms below 1"
    )


score
