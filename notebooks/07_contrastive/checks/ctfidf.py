from helpers.checks import graded


@graded("ctfidf", points=4)
def score(check):
    import numpy as np
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the count is to be divided by the number of words of its cluster": {
            1: [[2.08291, 0.0, 2.96775], [1.04145, 3.12436, 0.741937]],
            2: [[1.59702, float("nan"), 0.0, 2.20019], [0.0, float("nan"), 0.0, 0.0],
             [0.798508, float("nan"), 2.39552, 0.550046]],
        },
        "1 is added inside the logarithm": {
            1: [[0.202045, 0.0, 0.0635401], [0.121227, 0.363681, 0.019062]],
            2: [[0.0668902, float("nan"), 0.0, -0.20677], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.0401341, float("nan"), 0.120402, -0.062031]],
        },
        "A is the mean number of words of a cluster, not the number of all words": {
            1: [[0.513482, 0.0, 0.775434], [0.308089, 0.924267, 0.23263]],
            2: [[0.513482, float("nan"), 0.0, 0.775434], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.308089, float("nan"), 0.924267, 0.23263]],
        },
        "divide by the sum of the cluster, a row, not of the word": {
            1: [[0.694303, 0.0, 0.59355], [0.347151, 1.04145, 0.148387]],
            2: [[0.532338, float("nan"), 0.0, 0.440037], [0.0, float("nan"), 0.0, 0.0],
             [0.266169, float("nan"), 0.798508, 0.110009]],
        },
        "A over f, not f over A": {
            1: [[0.145106, 0.0, 0.431085], [0.0870636, 0.261191, 0.129325]],
            2: [[0.199279, 0.0, 0.0, 0.573468], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.119567, 0.0, 0.358702, 0.17204]],
        },
        "this is the ordinary IDF, by the number of clusters that hold the word": {
            1: [[0.0, 0.0, 0.0], [0.0, 0.415888, 0.0]],
            2: [[0.135155, float("nan"), 0.0, 0.27031], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.081093, float("nan"), 0.659167, 0.081093]],
        },
        "A is a mean over the clusters, not over the words": {
            1: [[0.266169, 0.0, 0.366698], [0.159702, 0.479105, 0.110009]],
            2: [[0.216863, float("nan"), 0.0, 0.29217], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.130118, float("nan"), 0.390353, 0.087651]],
        },
        "A is the mean of a cluster's words, not of a single count": {
            1: [[0.158975, 0.0, 0.20825], [0.0953848, 0.286154, 0.0624749]],
            2: [[0.0888762, float("nan"), 0.0, 0.112224], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.0533257, float("nan"), 0.159977, 0.0336671]],
        },
        "the logarithm has another base: the natural one is asked": {
            1: [[0.500833, 0.0, 0.713593], [0.3005, 0.9015, 0.214078]],
            2: [[0.384001, float("nan"), 0.0, 0.529033], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.230401, float("nan"), 0.691202, 0.15871]],
        },
        "base 10 was taken: the natural logarithm is asked": {
            1: [[0.150766, 0.0, 0.214813], [0.0904595, 0.271379, 0.0644439]],
            2: [[0.115596, float("nan"), 0.0, 0.159255], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.0693575, float("nan"), 0.208072, 0.0477764]],
        },
        "1 was added to f: it is added to the fraction": {
            1: [[0.106151, 0.0, -0.0580076], [0.0636907, 0.191072, -0.0174023]],
            2: [[-0.0290038, 0.0, 0.0, -0.328318], [float("nan"), float("nan"), float("nan"), float("nan")],
             [-0.0174023, 0.0, -0.0522068, -0.0984953]],
        },
        "divided by the cluster's largest count: divide by its number of words": {
            1: [[0.520727, 0.0, 0.741937], [0.347151, 1.04145, 0.247312]],
            2: [[0.399254, float("nan"), 0.0, 0.550046], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.266169, float("nan"), 0.798508, 0.183349]],
        },
        "rows were brought to length 1 at the end: leave the weights as they are": {
            1: [[0.574477, 0.0, 0.818521], [0.308496, 0.925489, 0.219774]],
        },
        "A was rounded down: it is a mean, not a whole number": {
            1: [[0.326943, 0.0, 0.462098], [0.196166, 0.588498, 0.138629]],
            2: [[0.231049, float("nan"), 0.0, 0.313336], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.138629, float("nan"), 0.415888, 0.0940007]],
        },
        "the logarithm is missing": {
            1: [[0.944444, 0.0, 1.4], [0.566667, 1.7, 0.42]],
            2: [[0.740741, float("nan"), 0.0, 1.15556], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.444444, float("nan"), 1.33333, 0.346667]],
        },
        "these are the frequencies alone": {
            1: [[0.333333, 0.0, 0.666667], [0.2, 0.6, 0.2]],
            2: [[0.333333, 0.0, 0.0, 0.666667], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.2, 0.0, 0.6, 0.2]],
        },
        "f is how often the word comes, not in how many clusters": {
            1: [[0.440585, 0.0, 0.881171], [0.264351, 1.12308, 0.264351]],
            2: [[0.347151, float("nan"), 0.0, 0.694303], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.208291, float("nan"), 0.924267, 0.208291]],
        },
        "divided by the sum of all counts: divide by that of the cluster": {
            1: [[0.189355, 0.0, 0.269795], [0.0946776, 0.284033, 0.0674488]],
            2: [[0.145183, float("nan"), 0.0, 0.200017], [0.0, float("nan"), 0.0, 0.0],
             [0.0725916, float("nan"), 0.217775, 0.0500042]],
        },
        "1 was added to A: it is added to the fraction": {
            1: [[0.25773, 0.0, 0.17491], [0.154638, 0.463914, 0.0524729]],
            2: [[0.147278, float("nan"), 0.0, -0.0459952],
             [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.0883666, float("nan"), 0.2651, -0.0137986]],
        },
        "f divides outside the logarithm: A / f stands inside": {
            1: [[0.207978, 0.0, 0.249574], [0.124787, 0.37436, 0.0748721]],
            2: [[0.171161, float("nan"), 0.0, 0.205393], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.102696, float("nan"), 0.308089, 0.0616178]],
        },
        "1 was added outside the logarithm: it is added inside": {
            1: [[0.535379, 0.0, 0.730207], [0.321227, 0.963681, 0.219062]],
            2: [[0.400224, float("nan"), 0.0, 0.459897], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.240134, float("nan"), 0.720402, 0.137969]],
        },
        "A is the mean number of words of a cluster, not the number of clusters": {
            1: [[0.170275, 0.0, 0.224315], [0.102165, 0.306495, 0.0672944]],
            2: [[0.231049, float("nan"), 0.0, 0.313336], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.138629, float("nan"), 0.415888, 0.0940007]],
        },
        "the words of its own cluster stand for A: A is their mean over all clusters": {
            1: [[0.366204, 0.0, 0.525638], [0.196166, 0.588498, 0.138629]],
            2: [[0.366204, float("nan"), 0.0, 0.525638], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.196166, float("nan"), 0.588498, 0.138629]],
        },
        "f was divided by the number of all words: it is how often the word comes": {
            1: [[1.01748, 0.0, 1.71507], [0.610486, 1.83146, 0.514522]],
            2: [[0.890103, float("nan"), 0.0, 1.46974], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.534062, float("nan"), 1.60219, 0.440921]],
        },
        "rows were made to sum to 1 at the end: leave the weights as they are": {
            1: [[0.412403, 0.0, 0.587597], [0.212206, 0.636618, 0.151177]],
        },
        "the logarithm of the counts was taken, too: they count as they are": {
            1: [[0.190692, 0.0, 0.199017], [0.144376, 0.288752, 0.102854]],
            2: [[0.146208, float("nan"), 0.0, 0.147544], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.110697, float("nan"), 0.221393, 0.0762526]],
        },
        "this is the ordinary IDF with its smoothing, by the number of clusters that hold the word": {
            1: [[0.333333, 0.0, 0.666667], [0.2, 0.843279, 0.2]],
            2: [[0.429227, 0.0, 0.0, 0.858455], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.257536, 0.0, 1.01589, 0.257536]],
        },
        "A is a mean over the clusters, not their median": {
            2: [[0.326943, float("nan"), 0.0, 0.462098], [float("nan"), float("nan"), float("nan"), float("nan")],
             [0.196166, float("nan"), 0.588498, 0.138629]],
        },
    })
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


score
