from helpers.checks import graded


@graded("tfidf", points=7)
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
            3: sparse.csr_matrix([[0.447214, 0.894427, 0.0], [0.0, 0.707107, 0.707107], [0.0, 0.0, 0.0]]),
        },
        "multiply by the IDF: here it is added, even to words that the row does not hold": {
            1: sparse.csr_matrix([[1.0, 1.0, 2.0, 2.0, 1.0, 2.30103, 1.30103]]),
            2: sparse.csr_matrix([[0.529813, 0.662266, 0.529813], [0.285714, 0.428571, 0.857143],
                               [0.436436, 0.218218, 0.872872]]),
            3: sparse.csr_matrix([[0.447214, 0.894427, 4.47214e-08], [2.12132e-07, 0.707107, 0.707107],
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
            3: sparse.csr_matrix([[3e-07, 4e-07, 0.0], [0.0, 2e-07, 1e-07], [0.0, 0.0, 0.0]]),
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
            3: sparse.csr_matrix([[1e-07, 1.33333e-07, 0.0], [0.0, 1e-07, 5e-08], [0.0, 0.0, 0.0]]),
        },
        "the norm is the root of the sum of squares, not of their mean": {
            2: sparse.csr_matrix([[1.22474, 1.22474, 0.0], [0.0, 0.420084, 1.68034], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[1.03923, 1.38564, 0.0], [0.0, 1.54919, 0.774597], [0.0, 0.0, 0.0]]),
        },
        "the norm is the root of the sum of squares: the root is missing": {
            2: sparse.csr_matrix([[0.5, 0.5, 0.0], [0.0, 0.117647, 0.470588], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[1200000.0, 1600000.0, 0.0], [0.0, 4000000.0, 2000000.0], [0.0, 0.0, 0.0]]),
        },
        "the norm is the root of the sum of squares: the squares are missing": {
            2: sparse.csr_matrix([[0.707107, 0.707107, 0.0], [0.0, 0.316228, 1.26491], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.000358569, 0.000478091, 0.0], [0.0, 0.000365148, 0.000182574],
                               [0.0, 0.0, 0.0]]),
        },
        "the columns were normalised, not the rows": {
            2: sparse.csr_matrix([[1.0, 0.894427, 0.0], [0.0, 0.447214, 1.0], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[1.0, 0.894427, 0.0], [0.0, 0.447214, 1.0], [0.0, 0.0, 0.0]]),
        },
        "the norms belong to the rows: here they divide the columns": {
            2: sparse.csr_matrix([[0.707107, 0.485071, 0.0], [0.0, 0.242536, 2.0], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.6, 1.78885, 0.0], [0.0, 0.894427, 1e-07], [0.0, 0.0, 0.0]]),
        },
        "each row has its own norm: here is one for the whole matrix": {
            2: sparse.csr_matrix([[0.4, 0.4, 0.0], [0.0, 0.2, 0.8], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.547723, 0.730297, 0.0], [0.0, 0.365148, 0.182574], [0.0, 0.0, 0.0]]),
        },
        "nothing is added to the norm: every row gets length 1": {
            2: sparse.csr_matrix([[0.414214, 0.414214, 0.0], [0.0, 0.163316, 0.653263], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[3e-07, 4e-07, 0.0], [0.0, 2e-07, 1e-07], [0.0, 0.0, 0.0]]),
        },
        "normalise after the IDF, not before": {
            2: sparse.csr_matrix([[0.447214, 0.447214, 0.0], [0.0, 0.353553, 1.41421], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[1.34164e-07, 1.78885e-07, 0.0], [0.0, 1.41421e-07, 7.07107e-08],
                               [0.0, 0.0, 0.0]]),
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
            3: sparse.csr_matrix([[2.99999e-06, 3.99998e-06, 0.0], [0.0, 2e-06, 9.99998e-07], [0.0, 0.0, 0.0]]),
        },
        "nothing is added to the norm, not even 0.01: every row gets length 1": {
            2: sparse.csr_matrix([[0.702142, 0.702142, 0.0], [0.0, 0.241365, 0.965459], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[2.99985e-05, 3.9998e-05, 0.0], [0.0, 1.99996e-05, 9.99978e-06], [0.0, 0.0, 0.0]]),
        },
        "nothing is added to the norm, not even 0.001: every row gets length 1": {
            2: sparse.csr_matrix([[0.706607, 0.706607, 0.0], [0.0, 0.242418, 0.969672], [0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.00029985, 0.0003998, 0.0], [0.0, 0.000199955, 9.99776e-05], [0.0, 0.0, 0.0]]),
        },
        "a small norm is none of 0: only a norm of 0 is replaced": {
            3: sparse.csr_matrix([[3e-07, 4e-07, 0.0], [0.0, 2e-07, 1e-07], [0.0, 0.0, 0.0]]),
        },
        "rows of a norm below 1 are scaled up, too": {
            3: sparse.csr_matrix([[3e-07, 4e-07, 0.0], [0.0, 2e-07, 1e-07], [0.0, 0.0, 0.0]]),
        },
        "rows of a norm below 0.1 are scaled up, too": {
            3: sparse.csr_matrix([[3e-06, 4e-06, 0.0], [0.0, 2e-06, 1e-06], [0.0, 0.0, 0.0]]),
        },
        "rows of a norm below 0.01 are scaled up, too": {
            3: sparse.csr_matrix([[3e-05, 4e-05, 0.0], [0.0, 2e-05, 1e-05], [0.0, 0.0, 0.0]]),
        },
        "rows of a norm below 0.001 are scaled up, too": {
            3: sparse.csr_matrix([[0.0003, 0.0004, 0.0], [0.0, 0.0002, 0.0001], [0.0, 0.0, 0.0]]),
        },
        "nothing is added to the norm, not even 1e-06: every row gets length 1": {
            3: sparse.csr_matrix([[0.2, 0.266667, 0.0], [0.0, 0.163451, 0.0817256], [0.0, 0.0, 0.0]]),
        },
        "rows of a norm below 1e-06 are scaled up, too": {
            3: sparse.csr_matrix([[0.3, 0.4, 0.0], [0.0, 0.2, 0.1], [0.0, 0.0, 0.0]]),
        },
        "nothing is added to the norm, not even 1e-08: every row gets length 1": {
            3: sparse.csr_matrix([[0.588235, 0.784314, 0.0], [0.0, 0.856139, 0.42807], [0.0, 0.0, 0.0]]),
        },
        "nothing is added to the norm, not even 1e-09: every row gets length 1": {
            3: sparse.csr_matrix([[0.598802, 0.798403, 0.0], [0.0, 0.890445, 0.445222], [0.0, 0.0, 0.0]]),
        },
        "nothing is added to the norm, not even 1e-10: every row gets length 1": {
            3: sparse.csr_matrix([[0.59988, 0.79984, 0.0], [0.0, 0.894027, 0.447014], [0.0, 0.0, 0.0]]),
        },
        "this is the dot product: divide by both norms": {
            4: [[3.0, 3.0, 0.0], [0.0, 4.0, 0.0]],
            5: [[-4.5e-07, 1.62e-07], [1.8e-07, 0.0]],
        },
        "divide by the norms, not by their squares": {
            4: [[0.166667, 0.166667, 0.0], [0.0, 0.111111, 0.0]],
            5: [[-246914.0, 800000.0], [2469140.0, 0.0]],
        },
        "divide by both norms: only the first was used": {
            4: [[2.12132, 2.12132, 0.0], [0.0, 2.0, 0.0]],
            5: [[-0.0003, 0.000108], [0.0006, 0.0]],
        },
        "divide by both norms: only the second was used": {
            4: [[1.0, 1.0, 0.0], [0.0, 1.33333, 0.0]],
            5: [[-0.0005, 0.00054], [0.0002, 0.0]],
        },
        "divide by the product of the norms, not by its root": {
            4: [[1.45648, 1.45648, 0.0], [0.0, 1.63299, 0.0]],
            5: [[-0.000387298, 0.000241495], [0.00034641, 0.0]],
        },
        "divide by the product of the norms, not by their sum": {
            4: [[0.679623, 0.679623, 0.0], [0.0, 0.8, 0.0]],
            5: [[-0.0001875, 9e-05], [0.00015, 0.0]],
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
        "that is the angle; its cosine is asked for": {
            4: [[0.785398, 0.785398, 1.5708], [1.5708, 0.841069, 1.5708]],
            5: [[1.91063, 1.20253], [0.841069, 1.5708]],
        },
        "that is the cosine squared": {
            4: [[0.5, 0.5, 0.0], [0.0, 0.444444, 0.0]],
            5: [[0.111111, 0.1296], [0.444444, 0.0]],
        },
        "that is the angle in degrees; its cosine is asked for": {
            4: [[45.0, 45.0, 90.0], [90.0, 48.1897, 90.0]],
            5: [[109.471, 68.8998], [48.1897, 90.0]],
        },
        "a cosine lies between -1 and 1: here it was moved to 0 to 1": {
            4: [[0.853553, 0.853553, 0.5], [0.5, 0.833333, 0.5]],
            5: [[0.333333, 0.68], [0.833333, 0.5]],
        },
        "that is the distance of the two rows": {
            4: [[2.23607, 2.23607, 1.41421], [3.60555, 2.23607, 2.0]],
            5: [[0.00198997, 0.00141986], [0.000734847, 0.000424264]],
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
            5: [[-4.49999e-07, 1.62e-07], [1.8e-07, 0.0]],
        },
        "1 at each norm is too much for short rows": {
            4: [[0.31066, 0.31066, 0.0], [0.0, 0.333333, 0.0]],
            5: [[-4.48922e-07, 1.61709e-07], [1.79784e-07, 0.0]],
        },
        "0.001 in the denominator is too much for short rows": {
            4: [[0.70694, 0.70694, 0.0], [0.0, 0.666556, 0.0]],
            5: [[-0.000449393, 0.000161927], [0.000179951, 0.0]],
        },
        "0.001 at each norm is too much for short rows": {
            4: [[0.706372, 0.706372, 0.0], [0.0, 0.666111, 0.0]],
            5: [[-0.0947368, 0.0498462], [0.0728745, 0.0]],
        },
        "0.0001 at each norm is too much for short rows": {
            4: [[0.707033, 0.707033, 0.0], [0.0, 0.666611, 0.0]],
            5: [[-0.28125, 0.253125], [0.45, 0.0]],
        },
        "norms below 1 stay as they are: only a norm of 0 is replaced": {
            5: [[-4.5e-07, 1.62e-07], [1.8e-07, 0.0]],
        },
        "a cosine may be negative: do not cut it off at 0": {
            5: [[0.0, 0.36], [0.666667, 0.0]],
        },
        "a cosine may be negative: keep its sign": {
            5: [[0.333333, 0.36], [0.666667, 0.0]],
        },
        "a floor of 1 below the line is too much for short rows": {
            5: [[-4.5e-07, 1.62e-07], [1.8e-07, 0.0]],
        },
        "a floor of 0.001 below the line is too much for short rows": {
            5: [[-0.00045, 0.000162], [0.00018, 0.0]],
        },
        "0.0001 in the denominator is too much for short rows": {
            5: [[-0.00444006, 0.00161274], [0.00179515, 0.0]],
        },
        "a floor of 0.0001 below the line is too much for short rows": {
            5: [[-0.0045, 0.00162], [0.0018, 0.0]],
        },
        "1e-05 in the denominator is too much for short rows": {
            5: [[-0.0396476, 0.0155024], [0.0175268, 0.0]],
        },
        "1e-05 at each norm is too much for short rows": {
            5: [[-0.327487, 0.34608], [0.638072, 0.0]],
        },
        "a floor of 1e-05 below the line is too much for short rows": {
            5: [[-0.045, 0.0162], [0.018, 0.0]],
        },
        "1e-06 in the denominator is too much for short rows": {
            5: [[-0.191489, 0.111724], [0.141732, 0.0]],
        },
        "1e-06 at each norm is too much for short rows": {
            5: [[-0.332742, 0.358565], [0.663714, 0.0]],
        },
        "a floor of 1e-06 below the line is too much for short rows": {
            5: [[-0.333333, 0.162], [0.18, 0.0]],
        },
        "1e-08 in the denominator is too much for short rows": {
            5: [[-0.330882, 0.352174], [0.642857, 0.0]],
        },
        "1e-09 in the denominator is too much for short rows": {
            5: [[-0.333087, 0.359202], [0.664207, 0.0]],
        },
        "1e-10 in the denominator is too much for short rows": {
            5: [[-0.333309, 0.35992], [0.66642, 0.0]],
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


score
