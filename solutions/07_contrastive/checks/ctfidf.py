from helpers.checks import graded


@graded("ctfidf", points=4)
def score(check):
    import numpy as np
    ### BEGIN MISTAKES
    columns = "divide by the sum of the cluster, a row, not of the word"

    def made(tf=lambda n: n / n.sum(1, keepdims=True), inside=lambda a, f: 1 + a / f, a=lambda n: n.sum() / len(n),
             log=np.log):
        return lambda n: tf(n) * log(inside(a(n), n.sum(0)))

    check.mistakes({
        "the count is to be divided by the number of words of its cluster": made(tf=lambda n: n),
        "1 is added inside the logarithm": made(inside=lambda a, f: a / f),
        "A is the mean number of words of a cluster, not the number of all words": made(a=lambda n: n.sum()),
        columns: made(tf=lambda n: n / n.sum(0)),
        "A over f, not f over A": made(inside=lambda a, f: 1 + f / a),
        "this is the ordinary IDF, by the number of clusters that hold the word":
            lambda n: n / n.sum(1, keepdims=True) * np.log(len(n) / (n > 0).sum(0)),
        "A is a mean over the clusters, not over the words": made(a=lambda n: n.sum() / n.shape[1]),
        "A is the mean of a cluster's words, not of a single count": made(a=lambda n: n.mean()),
        "the logarithm has another base: the natural one is asked": made(log=np.log2),
        "base 10 was taken: the natural logarithm is asked": made(log=np.log10),
        "1 was added to f: it is added to the fraction": made(inside=lambda a, f: a / (1 + f)),
        "divided by the cluster's largest count: divide by its number of words": made(
            tf=lambda n: n / n.max(1, keepdims=True)),
        "rows were brought to length 1 at the end: leave the weights as they are": lambda n: (
            (w := made()(n)) / np.linalg.norm(w, axis=1, keepdims=True)),
        "A was rounded down: it is a mean, not a whole number": made(a=lambda n: n.sum() // len(n)),
        "the logarithm is missing": made(log=lambda v: v),
        "these are the frequencies alone": made(log=lambda v: 1.0),
        "f is how often the word comes, not in how many clusters": lambda n: (
            n / n.sum(1, keepdims=True) * np.log(1 + n.sum() / len(n) / (n > 0).sum(0))),
        "divided by the sum of all counts: divide by that of the cluster": made(tf=lambda n: n / n.sum()),
        "1 was added to A: it is added to the fraction": made(inside=lambda a, f: (1 + a) / f),
        "f divides outside the logarithm: A / f stands inside": lambda n: (
            n / n.sum(1, keepdims=True) * np.log(1 + n.sum() / len(n)) / n.sum(0)),
        "1 was added outside the logarithm: it is added inside": made(
            inside=lambda a, f: a / f, log=lambda v: 1 + np.log(v)),
        "A is the mean number of words of a cluster, not the number of clusters": made(a=lambda n: len(n)),
        "the words of its own cluster stand for A: A is their mean over all clusters": lambda n: (
            n / n.sum(1, keepdims=True) * np.log(1 + n.sum(1, keepdims=True) / n.sum(0))),
        "f was divided by the number of all words: it is how often the word comes": made(
            inside=lambda a, f: 1 + a / (f / f.sum())),
        "A is a mean over the clusters, not their median": made(a=lambda n: np.median(n.sum(1))),
        "rows were made to sum to 1 at the end: leave the weights as they are": lambda n: (
            (w := made()(n)) / w.sum(1, keepdims=True)),
        "the logarithm of the counts was taken, too: they count as they are": made(
            tf=lambda n: np.log1p(n) / n.sum(1, keepdims=True)),
        "this is the ordinary IDF with its smoothing, by the number of clusters that hold the word": lambda n: (
            n / n.sum(1, keepdims=True) * (np.log((1 + len(n)) / (1 + (n > 0).sum(0))) + 1)),
    }, c_tf_idf)
    ### END MISTAKES
    n = np.array([[2, 0, 4], [1, 3, 1]])
    want = [[0.3471513, 0.0, 0.4946249], [0.2082908, 0.6248723, 0.1483875]]
    check(c_tf_idf, n).equals(want, rtol=1e-4, atol=1e-7)
    n = np.array([[2, 0, 0, 4], [0, 0, 0, 0], [1, 0, 3, 1]])
    want = [[0.2661692, 0.0, 0.0, 0.3666976], [0.0] * 4, [0.1597015, 0.0, 0.4791046, 0.1100093]]
    nan, kept = np.nan, "an empty cluster counts in the mean A: divide by all K"
    check(c_tf_idf, n).equals(want, rtol=1e-4, atol=1e-7, about="an empty cluster, a word that never comes", near={
        kept: [[0.3471513, 0.0, 0.0, 0.4946249], [0.0] * 4, [0.2082908, 0.0, 0.6248723, 0.1483875]],
        "0 divided by 0: an empty cluster has weights 0": [want[0], [nan] * 4, want[2]],
        "0 divided by 0: a word that never comes has weight 0": [
            [0.2661692, nan, 0.0, 0.3666976], [nan] * 4, [0.1597015, nan, 0.4791046, 0.1100093]],
    })
    ### BEGIN HIDDEN TESTS
    from helpers.chapters.contrastive.precision import float64_kept

    check.hidden()

    def draw(k, v, most=9):
        n = check.rng.integers(0, most, size=(k, v))
        n[0] += 1
        n[:, 0] += 1
        return n

    def weights(n):
        words_of_clusters = [sum(row) for row in n.tolist()]
        counts_of_words = [sum(column) for column in n.T.tolist()]
        mean = sum(words_of_clusters) / len(words_of_clusters)
        found = []
        for row, words in zip(n.tolist(), words_of_clusters, strict=True):
            pairs = zip(row, counts_of_words, strict=True)
            found.append([here / words * np.log(1 + mean / everywhere) for here, everywhere in pairs])
        return found

    for k, v in [(3, 5), (4, 3), (2, 9), (4, 4), (3, 5)]:
        n = draw(k, v)
        check(c_tf_idf, n).equals(weights(n), about="fresh counts", rtol=1e-4, atol=1e-8)
    for k, v in [(90, 4), (3, 90), (4, 5)]:
        n = draw(k, v, 900)
        check(c_tf_idf, n.astype(float)).equals(weights(n), about="many clusters, many words, large counts", rtol=1e-4)
    for k, v in [(1, 4), (3, 1), (1, 1)]:
        n = draw(k, v)
        check(c_tf_idf, n).equals(weights(n), about="one cluster or one word", rtol=1e-4, edge=True)
    n = draw(3, 4, 90_000)
    check(c_tf_idf, n.astype(float)).holds(**float64_kept(weights(n)))
    nan = float("nan")
    check.mistakes({}, c_tf_idf)
    check(c_tf_idf, np.zeros((2, 3), dtype=int)).equals(
        np.zeros((2, 3)), about="no word at all", edge=True,
        near={"0 divided by 0: weights are 0 where no word comes": np.full((2, 3), nan)},
    )
    check(c_tf_idf, np.array([[2.0, 0.0], [1.0, 0.0]])).equals(
        [[0.4054651, 0.0], [0.4054651, 0.0]], about="a word that never comes", edge=True, rtol=1e-4,
        near={"0 divided by 0: a word that never comes has weight 0": [[0.4054651, nan], [0.4054651, nan]]},
    )
    check(c_tf_idf, np.array([[0, 0], [3, 1]])).equals(
        [[0.0, 0.0], [0.3831192, 0.2746531]], about="an empty cluster", edge=True, rtol=1e-4,
        near={"0 divided by 0: an empty cluster has weights 0": [[nan, nan], [0.3831192, 0.2746531]]},
    )
    ### END HIDDEN TESTS


score
