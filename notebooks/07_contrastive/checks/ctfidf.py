from helpers.checks import graded


@graded("ctfidf", points=4)
def score(check):
    import numpy as np

    raw = "the count is to be divided by the number of words of its cluster"
    idf = "this is the ordinary IDF, by the number of clusters that hold the word"
    no_one = "1 is added inside the logarithm"
    total = "A is the mean number of words of a cluster, not the number of all words"
    columns = "divide by the sum of the cluster, a row, not of the word"
    upside = "A over f, not f over A"
    words = "A is a mean over the clusters, not over the words"
    rounded = "A was rounded down: it is a mean, not a whole number"
    n = np.array([[2, 0, 4], [1, 3, 1]])
    want = [[0.3471513, 0.0, 0.4946249], [0.2082908, 0.6248723, 0.1483875]]
    check(c_tf_idf, n).equals(want, rtol=1e-4, atol=1e-7, near={
        raw: [[2.082908, 0.0, 2.967749], [1.041454, 3.124362, 0.7419373]],
        no_one: [[0.2020453, 0.0, 0.06354012], [0.1212272, 0.3636815, 0.01906204]],
        total: [[0.5134817, 0.0, 0.7754339], [0.308089, 0.924267, 0.2326302]],
        columns: [[0.6943026, 0.0, 0.5935499], [0.3471513, 1.041454, 0.1483875]],
        upside: [[0.145106, 0.0, 0.4310848], [0.08706361, 0.2611908, 0.1293254]],
        idf: [[0.0, 0.0, 0.0], [0.0, 0.4158883, 0.0]],
        words: [[0.2661692, 0.0, 0.3666976], [0.1597015, 0.4791046, 0.1100093]],
        rounded: [[0.3269431, 0.0, 0.4620981], [0.1961659, 0.5884976, 0.1386294]],
    })
    n = np.array([[2, 0, 0, 4], [0, 0, 0, 0], [1, 0, 3, 1]])
    want = [[0.2661692, 0.0, 0.0, 0.3666976], [0.0] * 4, [0.1597015, 0.0, 0.4791046, 0.1100093]]
    nan, kept = np.nan, "an empty cluster counts in the mean A: divide by all K"
    check(c_tf_idf, n).equals(want, rtol=1e-4, atol=1e-7, about="an empty cluster, a word that never comes", near={
        kept: [[0.3471513, 0.0, 0.0, 0.4946249], [0.0] * 4, [0.2082908, 0.0, 0.6248723, 0.1483875]],
        "0 divided by 0: an empty cluster has weights 0": [want[0], [nan] * 4, want[2]],
        "0 divided by 0: a word that never comes has weight 0": [
            [0.2661692, nan, 0.0, 0.3666976], [nan] * 4, [0.1597015, nan, 0.4791046, 0.1100093]],
        total: [[0.5134817, 0.0, 0.0, 0.7754339], [0.0] * 4, [0.308089, 0.0, 0.924267, 0.2326302]],
    })


score
