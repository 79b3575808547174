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

    left = "these are the columns of U alone: scale them by the singular values"
    rows = "these are the first k rows of U S; the first k columns of U are the dimensions"
    diagonal = "the singular values are a vector, not a diagonal matrix"
    uncentred = "the mean of each column was not subtracted: that is a plain SVD"
    median = "the median of each column was subtracted; PCA takes the mean"
    across = "points are rows: this is the transpose"
    many = "k components are asked, not always two"
    smallest = "the last components came; the first have the largest variance"
    columns, squares = "these are the vectors of the columns (W), not of the words (U)", (
        "the singular values are not squared: those are eigenvalues of X X^T")
    rising = "the components came in rising order; the largest comes first"
    last, skipped = "the last k came; the largest are asked", (
        "the first dimension was left out: it is the most important one")
    close = {"rtol": 1e-4, "atol": 1e-5}
    check(svd_up_to_sign, np.array([[3.0, 0], [0, 2], [4, 0]]), 1).equals(
        ([[3], [0], [4]], [5]),
        near={left: ([[0.6], [0], [0.8]], [5]), columns: ([[5], [0]], [5]),
              last: ([[0], [2], [0]], [2]), skipped: ([[0], [2], [0]], [2]), squares: ([[3], [0], [4]], [25]),
              diagonal: ([[3], [0], [4]], [[5]]), rows: ([[3, 0]], [5])}, **close,
    )
    table = np.array([[1.0, 2, 0], [3, 0, 1], [0, 1, 4], [2, 3, 5]])
    vectors_turned = "the vectors came in rising order, the singular values did not; both have the largest first"
    us = [[1.198491, 1.075155], [1.838997, 2.326104], [3.782959, -1.538854], [6.152882, 0.04147]]
    two = [7.548975, 2.9894]
    w = [[2.519712, 2.721753], [3.263832, 0.246158], [6.323407, -1.211602]]
    check(svd_up_to_sign, table, 2).equals(
        (us, two),
        near={columns: (w, two),
              "the smallest came first; the largest does": ([line[::-1] for line in us], two[::-1]),
              squares: (us, [56.987027, 8.936512]), vectors_turned: ([line[::-1] for line in us], two),
              "all singular values came; the first k are asked": (us, [7.548975, 2.9894, 2.019025]),
              left: ([[0.158762, 0.359656], [0.243609, 0.778117], [0.501122, -0.51477], [0.815062, 0.013872]], two)},
        **close,
    )
    check(pca_up_to_sign, np.array([[1.0, 5], [2, 5], [6, 5]]), k=1).equals(
        [[-2], [-1], [3]],
        near={uncentred: [[4.681684], [5.250279], [7.524657]], median: [[-1], [0], [4]], across: [[2, 1, 3]],
              smallest: [[0], [0], [0]],
              many: [[-2, 0], [-1, 0], [3, 0]], "truncated_svd returns a pair; the coordinates alone are asked":
              ([[-2], [-1], [3]], [3.741657]), "these are columns of U: the coordinates keep their scale":
              [[-0.534522], [-0.267261], [0.801784]]}, **close,
    )
    check(pca_up_to_sign, table).equals(
        [[-2.133557, -1.225386], [-2.090821, 1.45389], [1.510921, -0.869354], [2.713457, 0.64085]],
        near={uncentred: us, rising:
              [[-1.225386, -2.133557], [1.45389, -2.090821], [-0.869354, 1.510921], [0.64085, 2.713457]],
              smallest:
              [[-0.834484, -1.225386], [0.514462, 1.45389], [1.308183, -0.869354], [-0.988161, 0.64085]],
              "the columns were also divided by their deviations":
              [[0.287369, -0.599045], [1.908887, 0.519764], [-0.786894, -1.137872], [-1.409362, 1.217153]],
              "the mean of each row was subtracted, not of each column":
              [[-0.900565, -1.090405], [-1.123581, 1.845056], [2.924711, 0.335753], [2.159656, 0.050521]]}, **close,
    )


score
