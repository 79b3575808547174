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
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "these are the columns of U alone: scale them by the singular values": {
            1: ([[0.6], [0.0], [0.8]], [5.0]),
            2: ([[0.158762, 0.359656], [0.243609, 0.778117], [0.501122, -0.51477], [0.815062, 0.0138723]],
             [7.54898, 2.9894]),
        },
        "these are the vectors of the columns (W), not of the words (U)": {
            1: ([[5.0], [0.0]], [5.0]),
            2: ([[2.51971, 2.72175], [3.26383, 0.246158], [6.32341, -1.2116]], [7.54898, 2.9894]),
        },
        "these are columns of W": {
            1: ([[1.0], [0.0]], [5.0]),
            2: ([[0.333782, 0.910468], [0.432354, 0.0823437], [0.837651, -0.405299]], [7.54898, 2.9894]),
        },
        "these are rows of W transposed": {
            1: ([[1.0, 0.0]], [5.0]),
            2: ([[-0.333782, -0.432354, -0.837651], [-0.910468, -0.0823437, 0.405299]], [7.54898, 2.9894]),
        },
        "the singular values are not squared: those are eigenvalues of X X^T": {
            1: ([[3.0], [0.0], [4.0]], [25.0]),
            2: ([[1.19849, 1.07516], [1.839, 2.3261], [3.78296, -1.53885], [6.15288, 0.0414697]],
             [56.987, 8.93651]),
        },
        "the vectors are scaled by the singular values once, not twice": {
            1: ([[15.0], [0.0], [20.0]], [5.0]),
            2: ([[9.04738, 3.21407], [13.8825, 6.95366], [28.5575, -4.60025], [46.448, 0.12397]],
             [7.54898, 2.9894]),
        },
        "the vectors are scaled by the singular values, not by their roots": {
            1: ([[1.34164], [0.0], [1.78885]], [5.0]),
            2: ([[0.436205, 0.621841], [0.669325, 1.34536], [1.37685, -0.890032], [2.23942, 0.023985]],
             [7.54898, 2.9894]),
        },
        "these are all singular values; the first k are asked for": {
            1: ([[3.0], [0.0], [4.0]], [5.0, 2.0]),
            2: ([[1.19849, 1.07516], [1.839, 2.3261], [3.78296, -1.53885], [6.15288, 0.0414697]],
             [7.54898, 2.9894, 2.01902]),
        },
        "these are all dimensions; the first k are asked for": {
            1: ([[3.0, 0.0], [0.0, 2.0], [4.0, 0.0]], [5.0, 2.0]),
            2: ([[1.19849, 1.07516, 1.55166], [1.839, 2.3261, -1.09878], [3.78296, -1.53885, -0.566703],
              [6.15288, 0.0414697, 0.374592]],
             [7.54898, 2.9894, 2.01902]),
        },
        "these are the last k; the largest are asked for": {
            1: ([[0.0], [2.0], [0.0]], [2.0]),
            2: ([[1.07516, 1.55166], [2.3261, -1.09878], [-1.53885, -0.566703], [0.0414697, 0.374592]],
             [2.9894, 2.01902]),
        },
        "this is the approximation of rank k, not the word vectors": {
            1: ([[3.0, 0.0], [0.0, 0.0], [4.0, 0.0]], [5.0]),
            2: ([[1.37893, 0.606705, 0.568157], [2.73167, 0.986639, 0.597669], [-0.138394, 1.50886, 3.7925],
              [2.09148, 2.66364, 5.13716]],
             [7.54898, 2.9894]),
        },
        "the mean was subtracted: that is PCA": {
            1: ([[-0.9046], [2.68691], [-1.78231]], [3.3488]),
            2: ([[-2.13356, -1.22539], [-2.09082, 1.45389], [1.51092, -0.869354], [2.71346, 0.64085]],
             [4.30921, 2.18674]),
        },
        "these are the first k rows of U S; the first k columns of U are the dimensions": {
            1: ([[3.0, 0.0]], [5.0]),
            2: ([[1.19849, 1.07516, 1.55166], [1.839, 2.3261, -1.09878]], [7.54898, 2.9894]),
        },
        "the singular values are a vector, not a diagonal matrix": {
            1: ([[3.0], [0.0], [4.0]], [[5.0]]),
            2: ([[1.19849, 1.07516], [1.839, 2.3261], [3.78296, -1.53885], [6.15288, 0.0414697]],
             [[7.54898, 0.0], [0.0, 2.9894]]),
        },
        "the first dimension was left out: it is the most important one": {
            1: ([[0.0], [2.0], [0.0]], [2.0]),
            2: ([[1.07516, 1.55166], [2.3261, -1.09878], [-1.53885, -0.566703], [0.0414697, 0.374592]],
             [2.9894, 2.01902]),
        },
        "the smallest comes first here; the largest must": {
            2: ([[1.07516, 1.19849], [2.3261, 1.839], [-1.53885, 3.78296], [0.0414697, 6.15288]],
             [2.9894, 7.54898]),
        },
        "the vectors came in rising order, the singular values did not; both have the largest first": {
            2: ([[1.07516, 1.19849], [2.3261, 1.839], [-1.53885, 3.78296], [0.0414697, 6.15288]],
             [7.54898, 2.9894]),
        },
        "the singular values came in rising order, the vectors did not; both have the largest first": {
            2: ([[1.19849, 1.07516], [1.839, 2.3261], [3.78296, -1.53885], [6.15288, 0.0414697]],
             [2.9894, 7.54898]),
        },
        "the vectors are rows of X W, with the columns of W; these are X times the first rows of W": {
            2: ([[2.15472, -0.597042], [1.24555, -0.399127], [1.8873, 3.5094], [4.62001, 3.37794]],
             [7.54898, 2.9894]),
        },
        "the mean of each column was not subtracted: that is a plain SVD": {
            3: [[4.68168], [5.25028], [7.52466]],
            4: [[1.19849, 1.07516], [1.839, 2.3261], [3.78296, -1.53885], [6.15288, 0.0414697]],
        },
        "the median of each column was subtracted; PCA takes the mean": {
            3: [[-1.0], [0.0], [4.0]],
        },
        "points are rows: this is the transpose": {
            3: [[2.0, 1.0, 3.0]],
            4: [[2.13356, 2.09082, 1.51092, 2.71346], [1.22539, -1.45389, -0.869354, 0.64085]],
        },
        "k components are asked for, not always two": {
            3: [[-2.0, 0.0], [-1.0, 0.0], [3.0, 0.0]],
        },
        "the mean of each row was subtracted, not of each column": {
            3: [[2.82843], [2.12132], [-0.707107]],
            4: [[-0.900565, -1.0904], [-1.12358, 1.84506], [2.92471, 0.335753], [2.15966, 0.0505214]],
        },
        "one mean over all numbers was subtracted; each column has its own": {
            3: [[3.1398], [2.16022], [-1.75809]],
            4: [[-1.55548, 0.738229], [-1.41524, 0.00398741], [2.25975, 1.86226], [3.24511, -0.941204]],
        },
        "the columns were also divided by their deviations": {
            3: [[-0.92582], [-0.46291], [1.38873]],
            4: [[0.287369, -0.599045], [1.90889, 0.519764], [-0.786894, -1.13787], [-1.40936, 1.21715]],
        },
        "these are columns of U: the coordinates keep their scale": {
            3: [[-0.534522], [-0.267261], [0.801784]],
            4: [[-0.495115, -0.560371], [-0.485198, 0.664867], [0.350626, -0.397557], [0.629687, 0.293062]],
        },
        "each component was scaled to variance 1: the coordinates keep their scale": {
            3: [[-0.92582], [-0.46291], [1.38873]],
            4: [[-0.99023, -1.12074], [-0.970395, 1.32973], [0.701251, -0.795114], [1.25937, 0.586123]],
        },
        "these are the directions, not the points' coordinates along them": {
            3: [[1.0], [0.0]],
            4: [[-0.160432, 0.92391], [0.28995, -0.292268], [0.943499, 0.246919]],
        },
        "the coordinates belong to points without their mean; here the points were projected as they are": {
            3: [[1.0], [2.0], [6.0]],
            4: [[0.419469, 0.339374], [0.462205, 3.01865], [4.06395, 0.695406], [5.26648, 2.20561]],
        },
        "these are the last components; the first have the largest variance": {
            3: [[0.0], [0.0], [0.0]],
            4: [[-0.834484, -1.22539], [0.514462, 1.45389], [1.30818, -0.869354], [-0.988161, 0.64085]],
        },
        "these are the last components; the first have the largest variance (in falling order)": {
            3: [[0.0], [0.0], [0.0]],
            4: [[-1.22539, -0.834484], [1.45389, 0.514462], [-0.869354, 1.30818], [0.64085, -0.988161]],
        },
        "the coordinates are scaled by the singular values once, not twice": {
            3: [[-7.48331], [-3.74166], [11.225]],
            4: [[-9.19396, -2.6796], [-9.0098, 3.17928], [6.51088, -1.90105], [11.6929, 1.40137]],
        },
        "the coordinates are scaled by the singular values, not by their roots": {
            3: [[-1.03395], [-0.516973], [1.55092]],
            4: [[-1.02779, -0.828656], [-1.0072, 0.98318], [0.727851, -0.587893], [1.30715, 0.433369]],
        },
        "the coordinates were divided by the root of n - 1: they keep their scale": {
            3: [[-1.41421], [-0.707107], [2.12132]],
            4: [[-1.23181, -0.707477], [-1.20714, 0.839404], [0.872331, -0.501922], [1.56662, 0.369995]],
        },
        "the components came in rising order; the largest comes first": {
            4: [[-1.22539, -2.13356], [1.45389, -2.09082], [-0.869354, 1.51092], [0.64085, 2.71346]],
        },
        "the directions are the first k columns of W, that is rows of its transpose; these are its first k rows": {
            4: [[-0.486633, 2.27946], [-1.66624, 1.36351], [-0.181579, -1.94804], [2.33445, -1.69493]],
        },
    })
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


score
