from helpers.checks import graded


@graded("ppmi", points=7)
def score(check):
    import numpy as np
    ### BEGIN MISTAKES
    never = "a pair that was never seen gets 0: take logarithms only where the count is above 0"
    twice, columns = "P(c) is the share of a column, not of a row", "P(w) is the share of a row, not of a column"
    check.mistakes({
        "these are the documents' meetings, D^T D; words are the rows, so D D^T": lambda d: d.T @ d,
        "a word meets itself, too: the diagonal stays": lambda d: d @ d.T - np.diag(np.diag(d @ d.T)),
        "this counts the documents that hold both words, not how often": lambda d: (d > 0) * 1 @ (d > 0).T,
        "in each document the counts are multiplied; here the smaller of the two was taken": lambda d: np.minimum(
                d[:, None], d[None]
            ).sum(-1),
        "each pair was counted in one triangle only: the table is symmetric": lambda d: np.triu(d @ d.T),
        "the diagonal was counted twice: a word meets itself D_w D_w times": lambda d: d @ d.T
            + np.diag(np.diag(d @ d.T)),
        "the products are summed over documents, not averaged": lambda d: d @ d.T / d.shape[1],
        "* multiplies cell by cell; the product of matrices is @, and its second factor D^T": lambda d: d * d,
        "in each document the counts are multiplied; here they were added up": lambda d: (
                (d[:, None] + d[None]) * (d[:, None] > 0) * (d[None] > 0)
            ).sum(-1),
    }, cooccurrences)

    def made(change, log=np.log2, floor=True):
        """A mistake in one place of the formula; where it leaves zeros only it tells nothing."""

        def mistake(counts, positive=True):
            with np.errstate(all="ignore"):
                value = np.where(counts > 0, log(change(counts.astype(float))), 0)
            value = np.maximum(value, 0) if positive and floor else value
            if not value.any():
                raise RuntimeError("zeros only")
            return value

        return mistake

    def right(x):
        return x * x.sum() / x.sum(1, keepdims=True) / x.sum(0, keepdims=True)

    def shares(x):
        return x / np.maximum(x.sum(1, keepdims=True), 1e-12)

    check.mistakes({
        "the logarithm has base 2, not e": made(right, np.log),
        "the logarithm has base 2, not 10": made(right, np.log10),
        "negative values become 0 unless positive=False": made(right, floor=False),
        "positive=False was ignored": lambda counts, positive=True: made(right)(counts),
        never: lambda counts, positive=True: np.maximum(np.log2(right(counts)), 0 if positive else -np.inf),
        twice: made(lambda x: x * x.sum() / np.outer(x.sum(1), x.sum(1))),
        twice + ": here that of the row was squared": made(lambda x: x * x.sum() / x.sum(1, keepdims=True) ** 2),
        "the logarithm is missing: this is the ratio itself": made(right, log=lambda r: r),
        "the logarithms are not weighted with P(w, c)": lambda counts, positive=True: made(right)(
            counts, positive) * counts / counts.sum(),
        "the sums of rows and of columns are exchanged": made(lambda x: x * x.sum() / np.outer(x.sum(0), x.sum(1))),
        columns: made(lambda x: x * x.sum() / np.outer(x.sum(0), x.sum(0))),
        columns + ": here that of the column was squared": made(lambda x: x * x.sum() / x.sum(0, keepdims=True) ** 2),
        "P(c) is the column's sum over n: here the column's shares of the rows were averaged":
            made(lambda x: x / x.sum(1, keepdims=True) / shares(x).mean(0)),
        "P(w) is the row's sum over n: here the row's shares of the columns were averaged":
            made(lambda x: x / x.sum(0, keepdims=True) / shares(x.T).mean(0)[:, None]),
        "this is P(c | w) without P(c)": made(lambda x: x / x.sum(1, keepdims=True)),
        "P(c) is missing: divide by both P(w) and P(c)":
            made(lambda x: x * x.sum() / x.sum(1, keepdims=True) / x.sum()),
        "the counts were not turned into shares: n is missing": made(lambda x: right(x) / x.sum()),
        "n is missing in P(w, c), or once too many below": made(lambda x: right(x) / x.sum() ** 2),
        "1 was added to the ratio, or to the counts, before the logarithm": made(lambda x: right(x) + 1),
        "1 was added to the counts": made(lambda x: right(x + 1)),
        "the absolute value was taken; negative values become 0": lambda counts, positive=True: np.abs(
            made(right, floor=False)(counts)),
        "a weight between 0 and 1 was seen, too: only 0 was never seen": lambda counts, positive=True: np.where(
            counts >= 1, made(right)(counts, positive), 0),
        "n is the sum of all counts, not the number of cells": made(lambda x: right(x) / x.sum() * x.size),
        "n is the sum of all counts, not the number of words": made(lambda x: right(x) / x.sum() * len(x)),
    }, ppmi)
    ### END MISTAKES
    close = {"rtol": 1e-4, "atol": 1e-6}
    garden = np.array([[1, 1, 0], [2, 0, 0], [0, 1, 0], [0, 1, 2], [0, 0, 2], [3, 3, 2], [3, 3, 3]])
    meetings = np.array([
        [2, 2, 1, 1, 0, 6, 6], [2, 4, 0, 0, 0, 6, 6], [1, 0, 1, 1, 0, 3, 3], [1, 0, 1, 5, 4, 7, 9],
        [0, 0, 0, 4, 4, 4, 6], [6, 6, 3, 7, 4, 22, 24], [6, 6, 3, 9, 6, 24, 27],
    ])
    check(cooccurrences, np.array([[1, 1, 0], [2, 0, 0]])).equals(
        [[2, 2], [2, 4]])
    check(cooccurrences, garden).equals(meetings)
    check(ppmi, np.array([[4.0, 0], [1, 1]])).equals(
        [[0.2630344, 0], [0, 1.5849625]],
        **close,
    )
    check(ppmi, np.array([[4, 0], [1, 1], [0, 0]]), positive=False).equals(
        [[0.2630344, 0], [-0.7369656, 1.5849625], [0, 0]], **close,
    )
    a, b, c, like = 0.5849625, 1.5849625, 0.73696559, 0.169925
    check(ppmi, meetings).equals(
        [[a, a, a, 0, 0, like, 0], [a, b, 0, 0, 0, like, 0], [a, 0, b, 0, 0, like, 0], [0, 0, 0, c, 1, 0, 0],
         [0, 0, 0, 1, b, 0, 0], [like, like, like, 0, 0, 0.04439412, 0], [0, 0, 0, 0, 0, 0, 0]],
        about="seven words", **close,
    )
    ### BEGIN HIDDEN TESTS
    from helpers.checks.values import as_array

    check.hidden()
    for _ in range(3):
        d = check.rng.integers(0, 4, size=(5, 7))
        check(cooccurrences, d).equals(np.einsum("wn,cn->wc", d, d), about="random documents")
    check.mistakes({}, cooccurrences)
    many = check.rng.integers(0, 9000, size=(70, 4))
    for e, about in [(many, "many words, large counts"), (d[:1], "a single word"), (d[:, :1], "a single document")]:
        check(cooccurrences, e).equals(np.einsum("wn,cn->wc", e, e), about=about, edge=True, rtol=1e-9)

    def oracle(x, positive):
        """By loops over cells and in logarithms of counts: another order of the same sums."""
        total, out = np.log2(x.sum()), np.zeros(x.shape)
        for w, c in np.argwhere(x):
            out[w, c] = np.log2(x[w, c]) + total - np.log2(x[w].sum()) - np.log2(x[:, c].sum())
        return np.maximum(out, 0) if positive else out

    for shape, positive in [((6, 6), True), ((5, 8), True), ((5, 8), True), ((7, 4), False)]:
        x = check.rng.integers(0, 6, size=shape) * check.rng.integers(1, 9, size=shape)
        x[2] = 0
        x[0, 0], x[1, 1], x[0, 1] = 9, 30, 0
        about = "random counts" if positive else "PMI"
        check(ppmi, x, positive=positive).equals(oracle(x, positive), about=about, **close)
    check(lambda: as_array(ppmi(x, positive=False))[x == 0]).holds(
        lambda values: np.all(values == 0),
        "0 for all pairs that were never seen",
        near={
            never: lambda values: np.isinf(values).any() or np.isnan(values).any(),
            "a pair that was never seen gets 0: here a small number went into the logarithm": lambda values: (
                np.isfinite(values).all() and (values < -9).any()
            ),
        },
        about="pairs never seen",
    )
    x = check.rng.random((4, 5)) * 3
    check(ppmi, x).equals(oracle(x, True), about="weighted counts", **close)
    large = np.array([[1, 4_000_000, 0], [3_000_000, 2, 5], [0, 7, 1]]) * check.rng.integers(1, 9, size=(3, 3))
    check(ppmi, large, positive=False).equals(oracle(large.astype(float), False), about="large counts", **close)
    check(ppmi, np.zeros((2, 3), dtype=int)).equals(np.zeros((2, 3)), about="nothing seen", edge=True)
    x = check.rng.uniform(1, 90, size=(70, 3))
    check(ppmi, x, positive=False).equals(oracle(x, False), about="many words, weights", edge=True, rtol=0, atol=1e-10)
    check.mistakes({}, ppmi)
    for shape in [(1, 4), (4, 1)]:  # chance explains all that they hold
        check(ppmi, np.ones(shape)).equals(np.zeros(shape), about="one row or one column", edge=True, atol=1e-6)
    ### END HIDDEN TESTS


score
