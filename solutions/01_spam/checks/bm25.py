from helpers.checks import graded


@graded("bm25", points=7)
def score(check):
    import numpy as np

    x1 = "This is a sentence This is another sentence".split()
    x2 = "This is not a sentence Yet another not a sentence".split()
    idf = {"This": 0.0, "is": 0.0, "a": 0.0, "sentence": 0.0, "another": 0.0, "not": 0.30103, "Yet": 0.30103}
    always = {
        "the score is a sum over the words of the query: only the last was kept": [0, 0],
        "the fractions were cut off: an integer dtype, or // instead of /": [0, 0],
        "the scores keep their scale: here the largest became 1": [0, 1],
        "the scores keep their scale: here their sum became 1": [0, 1],
        "all scores are 0: is anything added to them?": [0, 0],
        "this is the order of the documents; return their scores": [1, 0],
        "this is the order of the documents, worst first; return their scores": [0, 1],
        "one score for each document is asked, not the best document": 1,
    }
    check(bm25_scores, ["not", "sentence"], [x1, x2], idf).equals(
        [0, 0.415214], rtol=1e-4, about="the two documents",
        near=always | {
            "the factor (k1 + 1) is missing": [0, 0.166086],
            "the factor is (k1 + 1), not k1": [0, 0.249128],
            "k1 and (k1 + 1) are exchanged: (k1 + 1) stands above the line": [0, 0.191807],
            "(k1 + 1) stands above the line alone: below it is k1": [0, 0.319678],
            "the bracket is 1 - b + b |d| / avgdl: its two signs are exchanged": [0, 0.44597],
            "the bracket begins with 1 - b, not with 1 + b": [0, 0.256196],
            "TF is multiplied by (k1 + 1), not added to it": [0, 0.373692],
            "the length of the document is not used: that would be b = 0": [0, 0.430043],
            "avgdl is the mean of the lengths, not the largest of them": [0, 0.430043],
            "the length ratio is upside down: it is |d| / avgdl": [0, 0.444325],
            "1 - b and b have changed places": [0, 0.424984],
            "|d| is divided by avgdl: that is missing": [0, 0.11047],
            "k1 multiplies the whole bracket, not 1 - b alone": [0, 0.469138],
            "TF stands before the bracket: it is not multiplied by the length": [0, 0.396963],
            "TF stands in the denominator, too: without it nothing saturates": [0, 0.57339],
            "|d| is the number of tokens, not of different words": [0, 0.463123],
            "avgdl is the mean number of tokens, not of different words": [0, 0.354153],
            "|d| and avgdl are numbers of tokens, not of different words": [0, 0.408176],
            "avgdl is the mean of the lengths, not their total": [0, 0.501717],
            "TF is the raw count, not the share of the document": [0, 0.082474],
            "TF is the raw count: here a repeated word counts once": [0, 0.286695],
            "TF is the raw count, not divided by that of the commonest word": [0, 0.286695],
            "TF counts the word in the document, not in the query": [0, 0.286695],
            "TF is the raw count, not log(1 + count)": [0, 0.303563],
            "TF is the raw count, not 1 + log(count)": [0, 0.384016],
            "the IDF is missing": [1.481481, 2.758621],
            "the IDF is taken as it is: here it is log(1 + IDF)": [0, 0.363029],
            "(k1 + 1) needs its brackets": [0.666667, 1.454873],
            "the denominator needs its brackets": [1.375, 4.002575],
            "the bracket after k1 is missing": [0, 0.420042],
            "1 - b is missing in the bracket": [0, 0.463123],
            "nothing is added to the fraction": [0, 0.716244],
            "|d| is the length of the document, not of the query": [0, 0.57339],
            "|d| / avgdl need not be a whole number: here // was taken instead of /": [0, 0.430043],
            "the IDF is taken once: here it is squared": [0, 0.124992],
            "k1 and b are exchanged": [0, 0.366471],
            "the default of k1 is 1.5, not 1.2": [0, 0.401373],
            "the default of k1 is 1.5, not 2": [0, 0.433483],
            "the default of b is 0.75, not 0.5": [0, 0.420042],
            "the default of b is 0.75, not 1": [0, 0.410495],
            "the score is a sum over the words of the query: do not divide by their number": [0, 0.207607],
            "TF stands above the line, too: it is missing there": [0, 0.207607],
            "the scores stand in the order of the documents: do not sort them": [0.415214, 0],
            "the sum is over the words of the query, not of the document": [0, 0.830428],
            "whole words are counted, not pieces of words": [0.316874, 0.488157],
            "the IDF is given: here it was computed anew, as log(1 + N / N_j)": [1.026885, 2.471392],
            "the IDF is given: here it was computed anew, as log(N / N_j)": [0, 0.956065],
            "the IDF is given: here it was computed anew, as log((N - N_j + 0.5) / (N_j + 0.5) + 1)": [
                0.270106, 1.207543],
        },
    )
    check(bm25_scores, ["not", "sentence"], [x1, x2], idf, k1=1.2).equals(
        [0, 0.401373], rtol=1e-4,
        near=always | {
            "k1 was ignored: 1.5 is only its default": [0, 0.415214],
            "the factor (k1 + 1) is missing": [0, 0.182442],
            "the factor is (k1 + 1), not k1": [0, 0.218931],
            "k1 and (k1 + 1) are exchanged: (k1 + 1) stands above the line": [0, 0.164823],
            "(k1 + 1) stands above the line alone: below it is k1": [0, 0.302175],
            "the bracket is 1 - b + b |d| / avgdl: its two signs are exchanged": [0, 0.427268],
            "the bracket begins with 1 - b, not with 1 + b": [0, 0.259712],
            "the length of the document is not used: that would be b = 0": [0, 0.413916],
            "avgdl is the mean of the lengths, not the largest of them": [0, 0.413916],
            "|d| / avgdl need not be a whole number: here // was taken instead of /": [0, 0.413916],
            "the length ratio is upside down: it is |d| / avgdl": [0, 0.425895],
            "TF is multiplied by (k1 + 1), not added to it": [0, 0.383129],
            "TF stands in the denominator, too: without it nothing saturates": [0, 0.575883],
            "|d| is the number of tokens, not of different words": [0, 0.441511],
            "1 - b is missing in the bracket": [0, 0.441511],
            "the sum is over the words of the query, not of the document": [0, 0.802747],
            "the score is a sum over the words of the query: do not divide by their number": [0, 0.200687],
            "TF stands above the line, too: it is missing there": [0, 0.200687],
        },
    )
    check(bm25_scores, ["not", "sentence"], [x1, x2], idf, k1=2.0).equals(
        [0, 0.433483], rtol=1e-4,
        near=always | {
            "k1 was ignored: 1.5 is only its default": [0, 0.415214],
            "the factor (k1 + 1) is missing": [0, 0.144494],
            "the factor is (k1 + 1), not k1": [0, 0.288989],
            "k1 and (k1 + 1) are exchanged: (k1 + 1) stands above the line": [0, 0.229356],
            "(k1 + 1) stands above the line alone: below it is k1": [0, 0.344034],
            "the bracket is 1 - b + b |d| / avgdl: its two signs are exchanged": [0, 0.471177],
            "the bracket begins with 1 - b, not with 1 + b": [0, 0.252025],
            "the length of the document is not used: that would be b = 0": [0, 0.451545],
            "avgdl is the mean of the lengths, not the largest of them": [0, 0.451545],
            "|d| / avgdl need not be a whole number: here // was taken instead of /": [0, 0.451545],
            "the length ratio is upside down: it is |d| / avgdl": [0, 0.469138],
            "TF is multiplied by (k1 + 1), not added to it": [0, 0.361236],
            "TF stands in the denominator, too: without it nothing saturates": [0, 0.570373],
            "|d| is the number of tokens, not of different words": [0, 0.492595],
            "1 - b is missing in the bracket": [0, 0.492595],
            "the sum is over the words of the query, not of the document": [0, 0.866966],
            "the score is a sum over the words of the query: do not divide by their number": [0, 0.216742],
            "TF stands above the line, too: it is missing there": [0, 0.216742],
            "k1 and b are exchanged": [0, 0.361236],
            "avgdl is the mean number of tokens, not of different words": [0, 0.361236],
        },
    )
    check(bm25_scores, ["not", "sentence"], [x1, x2], idf, b=0.0).equals(
        [0, 0.430043], rtol=1e-4,
        near=always | {
            "b was ignored: 0.75 is only its default": [0, 0.415214],
            "1 - b and b have changed places": [0, 0.410495],
            "the factor (k1 + 1) is missing": [0, 0.172017],
            "the factor is (k1 + 1), not k1": [0, 0.258026],
            "k1 and (k1 + 1) are exchanged: (k1 + 1) stands above the line": [0, 0.200687],
            "(k1 + 1) stands above the line alone: below it is k1": [0, 0.334478],
            "TF is multiplied by (k1 + 1), not added to it": [0, 0.387039],
            "TF stands in the denominator, too: without it nothing saturates": [0, 0.60206],
            "the sum is over the words of the query, not of the document": [0, 0.860086],
            "the score is a sum over the words of the query: do not divide by their number": [0, 0.215021],
            "TF stands above the line, too: it is missing there": [0, 0.215021],
        },
    )
    check(bm25_scores, ["not", "sentence"], [x1, x2], idf, b=1.0).equals(
        [0, 0.410495], rtol=1e-4,
        near=always | {
            "b was ignored: 0.75 is only its default": [0, 0.415214],
            "1 - b and b have changed places": [0, 0.430043],
            "the factor (k1 + 1) is missing": [0, 0.164198],
            "the factor is (k1 + 1), not k1": [0, 0.246297],
            "k1 and (k1 + 1) are exchanged: (k1 + 1) stands above the line": [0, 0.189019],
            "(k1 + 1) stands above the line alone: below it is k1": [0, 0.315031],
            "the bracket is 1 - b + b |d| / avgdl: its two signs are exchanged": [0, 0.451545],
            "the bracket begins with 1 - b, not with 1 + b": [0, 0.225772],
            "the length of the document is not used: that would be b = 0": [0, 0.430043],
            "avgdl is the mean of the lengths, not the largest of them": [0, 0.430043],
            "|d| / avgdl need not be a whole number: here // was taken instead of /": [0, 0.430043],
            "the length ratio is upside down: it is |d| / avgdl": [0, 0.449299],
            "TF is multiplied by (k1 + 1), not added to it": [0, 0.369446],
            "TF stands in the denominator, too: without it nothing saturates": [0, 0.564431],
            "|d| is the number of tokens, not of different words": [0, 0.475311],
            "the sum is over the words of the query, not of the document": [0, 0.820991],
            "the score is a sum over the words of the query: do not divide by their number": [0, 0.205248],
            "TF stands above the line, too: it is missing there": [0, 0.205248],
        },
    )
    lucene = {"not": 0.693147, "sentence": 0.182322}
    check(bm25_scores, ["not", "sentence"], [x1, x2], lucene).equals(
        [0.270106, 1.207543], rtol=1e-4, about="another IDF",
        near={
            "the factor (k1 + 1) is missing": [0.108042, 0.483017],
            "the length of the document is not used: that would be b = 0": [0.260459, 1.25067],
            "the score is a sum over the words of the query, not the best of them": [0.270106, 0.956065],
            "a document need not hold every word of the query": [0, 1.207543],
            "a word that the document does not hold is left out alone: continue, do not break": [0, 1.207543],
            "the score is a sum over the words of the query: only the last was kept": [0.270106, 0.251478],
            "the score is a sum over the words of the query: do not divide by their number": [0.135053, 0.603772],
            "TF stands above the line, too: it is missing there": [0.135053, 0.603772],
            "the scores keep their scale: here their sum became 1": [0.182787, 0.817213],
            "this is the order of the documents, worst first; return their scores": [0, 1],
            "all scores are 0: is anything added to them?": [0, 0],
            "the scores keep their scale: here the largest became 1": [0.223682, 1],
            "this is the order of the documents; return their scores": [1, 0],
            "the scores stand in the order of the documents: do not sort them": [1.207543, 0.270106],
            "the factor is (k1 + 1), not k1": [0.162064, 0.724526],
            "k1 and (k1 + 1) are exchanged: (k1 + 1) stands above the line": [0.127448, 0.557821],
            "(k1 + 1) stands above the line alone: below it is k1": [0.212414, 0.929702],
            "the bracket is 1 - b + b |d| / avgdl: its two signs are exchanged": [0.251479, 1.296991],
            "the bracket begins with 1 - b, not with 1 + b": [0.162064, 0.74508],
            "TF is multiplied by (k1 + 1), not added to it": [0.243096, 1.086789],
            "the length ratio is upside down: it is |d| / avgdl": [0.250399, 1.292205],
            "1 - b and b have changed places": [0.263598, 1.235956],
            "the sum is over the words of the query, not of the document": [0.540213, 2.415087],
            "the fractions were cut off: an integer dtype, or // instead of /": [0, 0],
        },
    )
    saturation = [["w"], ["w"] * 5, ["w"] * 20]
    check(bm25_scores, ["w"], saturation, {"w": 1.0}, k1=1.2, b=0.0).equals(
        [1, 1.774194, 2.075472], rtol=1e-4, about="saturation",
        near={
            "TF stands in the denominator, too: without it nothing saturates": [1, 5, 20],
            "the denominator is missing": [2.2, 11, 44],
            "the factor (k1 + 1) is missing": [0.454545, 0.806452, 0.943396],
            "k1 was ignored: 1.5 is only its default": [1, 1.923077, 2.325581],
            "TF is the raw count: here a repeated word counts once": [1, 1, 1],
            "TF is the raw count, not divided by that of the commonest word": [1, 1, 1],
            "TF counts the word in the document, not in the query": [1, 1, 1],
            "the factor is (k1 + 1), not k1": [0.545455, 0.967742, 1.132075],
            "k1 and (k1 + 1) are exchanged: (k1 + 1) stands above the line": [0.375, 0.833333, 1.081081],
            "(k1 + 1) stands above the line alone: below it is k1": [0.6875, 1.527778, 1.981982],
            "TF is multiplied by (k1 + 1), not added to it": [1.454545, 1.16129, 1.04717],
            "TF is multiplied by (k1 + 1): added, a word that is missing counts, too": [1.454545, 1.16129, 1.04717],
            "1 - b and b have changed places": [1.932432, 1.932432, 1.932432],
            "b was ignored: 0.75 is only its default": [1.567123, 1.890284, 1.966311],
            "TF is the raw count, not the share of the document": [1, 1, 1],
            "k1 and b are exchanged": [1, 1, 1],
            "the sum is over the words of the query, not of the document": [1, 8.870968, 41.509434],
            "the scores keep their scale: here the largest became 1": [0.481818, 0.854839, 1],
            "the IDF is given: here it was computed anew, as log(1 + N / N_j)": [0.693147, 1.229777, 1.438607],
            "the IDF is given: here it was computed anew, as log(N / N_j)": [0, 0, 0],
            "the IDF is given: here it was computed anew, as log10(N / N_j)": [0, 0, 0],
            "all scores are 0: is anything added to them?": [0, 0, 0],
            "the IDF is given: here it was computed anew, as log((N - N_j + 0.5) / (N_j + 0.5) + 1)": [
                0.133531, 0.236911, 0.277141],
            "the IDF is taken as it is: here it is log(1 + IDF)": [0.693147, 1.229777, 1.438607],
            "this is the order of the documents; return their scores": [2, 1, 0],
            "this is the order of the documents, worst first; return their scores": [0, 1, 2],
            "the scores stand in the order of the documents: do not sort them": [2.075472, 1.774194, 1],
        },
    )
    check(bm25_scores, ["w", "unknown"], [["w", "w", "w", "unknown"], ["a"]], {"w": 1.0, "a": 3.0}, k1=0.0).equals(
        [1, 0], about="k1 = 0, and a word that is not in the IDF",
        near={
            "a query word that is not in the IDF adds nothing: look before you pick": KeyError,
            "a query word that is not in the IDF adds nothing: here it weighed 1": [2, 0],
            "a query word that is not in the IDF adds nothing: here it weighed the largest IDF": [4, 0],
            "a word that the document does not hold adds nothing: with k1 = 0 it would be 0/0": ZeroDivisionError,
            "a word that the document does not hold adds nothing: with k1 = 0 it is 0/0": [1, np.nan],
            "the factor is (k1 + 1), not k1": [0, 0],
            "the IDF is given: here it was computed anew, as log(N / (N_j + 1))": [0, 0],
            "the IDF is given: here it was computed anew, as log((N - N_j + 0.5) / (N_j + 0.5))": [0, 0],
            "all scores are 0: is anything added to them?": [0, 0],
            "TF is multiplied by (k1 + 1), not added to it": [1.333333, 0],
            "TF stands in the denominator, too: without it nothing saturates": [3, 0],
            "the denominator is missing": [3, 0],
            "a query word that is not in the IDF adds nothing: here it weighed the mean IDF": [3, 0],
            "the sum is over the words of the query, not of the document": [3, 0],
            "k1 was ignored: 1.5 is only its default": [1.449275, 0],
            "k1 and b are exchanged": [1.4, 0],
            "the score is a sum over the words of the query: do not divide by their number": [0.5, 0],
            "this is the order of the documents; return their scores": [0, 1],
            "the scores stand in the order of the documents: here they rise": [0, 1],
            "nothing is added to the fraction": [2, 0],
            "the IDF is given: here it was computed anew, as N / N_j": [2, 0],
        },
    )
    documents = ["a b a c", "b c c", "", "a A d d d d e e e e e", "a", "e e e e"]
    weights = {"a": 0.5, "b": -0.2, "d": 1.0}
    check(bm25_scores, ["a", "b", "d", "d"], [text.split() for text in documents], weights).equals(
        [0.508279, -0.221687, 0, 2.901997, 0.749186, 0], rtol=1e-4,
        about="an empty document, a word twice in the query", near={
            "avgdl is the mean of the lengths, not their median": [0.495007, -0.21374, 0, 2.782762, 0.736842, 0],
            "avgdl is the mean of the lengths, not the largest of them": [
                0.617704, -0.297297, 0, 4.136364, 0.846154, 0],
            "avgdl is the mean over all documents: here it is over those that hold a word of the query": [
                0.537178, -0.239748, 0, 3.179271, 0.77551, 0],
            "avgdl need not be a whole number: here // was taken instead of /": [
                0.471248, -0.2, 0, 2.580214, 0.714286, 0],
            "avgdl need not be a whole number: here it was rounded": [0.514286, -0.225352, 0, 2.957545, 0.754717, 0],
            "avgdl is the mean over all documents: here the empty ones were left out": [
                0.533072, -0.237113, 0, 3.138256, 0.771812, 0],
            "avgdl is the mean number of tokens, not of different words": [
                0.387083, -0.155477, 0, 1.951599, 0.628571, 0],
            "|d| / avgdl need not be a whole number: here // was taken instead of /": [
                0.514286, -0.363636, 0, 3.363696, 0.909091, 0],
            "|d| is the number of tokens, not of different words": [0.54626, -0.254848, 0, 4.094715, 0.749186, 0],
            "|d| is the length of the document, not of the query": [0.508279, -0.196162, 0, 4.094715, 0.490405, 0],
            "the length of the document is not used: that would be b = 0": [0.514286, -0.2, 0, 4.136364, 0.5, 0],
            "1 - b is missing in the bracket": [0.557671, -0.265896, 0, 3.062547, 0.966387, 0],
            "the bracket after k1 is missing": [0.510267, -0.213953, 0, 3.217972, 0.642458, 0],
            "the default of b is 0.75, not 0.5": [0.510267, -0.213953, 0, 3.217972, 0.642458, 0],
            "k1 and b are exchanged": [0.430681, -0.232491, 0, 2.269904, 0.952663, 0],
            "TF is the raw count: here a repeated word counts once": [0.294243, -0.221687, 0, 1.357733, 0.749186, 0],
            "TF is the raw count, not divided by that of the commonest word": [
                0.368389, -0.142415, 0, 0.974151, 0.749186, 0],
            "TF counts the word in the document, not in the query": [0.294243, -0.221687, 0, 2.056222, 0.749186, 0],
            "TF stands in the denominator, too: without it nothing saturates": [
                0.784648, -0.221687, 0, 4.616293, 0.749186, 0],
            "TF stands above the line, too: it is missing there": [0.156058, -0.221687, 0, 0.929159, 0.749186, 0],
            "the score is a sum over the words of the query: do not divide by their number": [
                0.12707, -0.055422, 0, 0.725499, 0.187296, 0],
            "a word that is twice in the query counts twice, here only once": [
                0.508279, -0.221687, 0, 1.586772, 0.749186, 0],
            "a word that is twice in the query counts twice, not four times": [
                0.508279, -0.221687, 0, 5.532447, 0.749186, 0],
            "an IDF may be negative: do not cut it off at 0": [0.704441, 0, 0, 2.901997, 0.749186, 0],
            "words are compared as they are: here query and documents were lowered": [
                0.508279, -0.221687, 0, 3.076619, 0.749186, 0],
            "words are compared as they are: here the documents were lowered": [
                0.508279, -0.221687, 0, 3.076619, 0.749186, 0],
            "an empty document has no words: do not divide by its length": ZeroDivisionError,
        },
    )
    ### BEGIN HIDDEN TESTS
    from functools import partial, reduce

    from rank_bm25 import BM25Okapi

    check.hidden()
    words = ["a", "an", "and", "sand", "or", "Or", "for", "cat"]

    def count(query, documents):
        """Return how often each word of a query occurs in each document, shape (Q, N)."""
        rows = []
        for word in query:
            rows.append([list(tokens).count(word) for tokens in documents])
        return np.array(rows, dtype=float)

    def mistakes(query, documents, idf, given):
        """Return what each known mistake gives on these arguments."""
        k1, b = given.get("k1", 1.5), given.get("b", 0.75)
        tf, weights = count(query, documents), np.array([idf.get(w, 0.0) for w in query])[:, None]
        known = np.array([w in idf for w in query])[:, None]
        size = np.array([len(d) for d in documents], dtype=float)
        mean = size.mean()

        def gain(tf=tf, ratio=size / mean, k1=k1, b=b, top=None, weights=weights, below=None):
            """Return what each word adds to each document, shape (Q, N); below is the denominator."""
            below = tf + k1 * (1 - b + b * ratio) if below is None else below
            return weights * tf * (k1 + 1 if top is None else top) / np.where(tf > 0, below, 1)

        right, ratio, held = gain(), size / mean, np.maximum((tf > 0).sum(1, keepdims=True), 1)
        scores, n = right.sum(0), len(documents)
        low = [list(map(str.lower, tokens)) for tokens in documents]
        matching, once = size[(tf > 0).any(0)], [i for i, w in enumerate(query) if w not in query[:i]]
        times = np.array([query.count(w) for w in query])[:, None]
        pieces, starts = np.zeros_like(tf), np.zeros_like(tf)
        for i, word in enumerate(query):
            for j, tokens in enumerate(documents):
                pieces[i, j] = " ".join(tokens).count(word)
                starts[i, j] = sum(token.startswith(word) for token in tokens)
        found = {
            "the factor (k1 + 1) is missing": gain(top=1),
            "TF stands above the line, too: it is missing there": right / np.where(tf, tf, 1),
            "the factor is (k1 + 1), not k1": gain(top=k1),
            "TF is multiplied by (k1 + 1), not added to it": right * (tf + k1 + 1) / np.where(tf, tf * (k1 + 1), 1),
            "TF is multiplied by (k1 + 1): added, a word that is missing counts, too": weights * (tf + k1 + 1) / (
                tf + k1 * (1 - b + b * ratio)),
            "the length of the document is not used: that would be b = 0": gain(b=0),
            "the length ratio is upside down: it is |d| / avgdl": gain(ratio=mean / np.maximum(size, 1)),
            "1 - b and b have changed places": gain(b=1 - b),
            "|d| is divided by avgdl: that is missing": gain(ratio=size),
            "k1 multiplies the whole bracket, not 1 - b alone": gain(below=tf + k1 * (1 - b) + b * ratio),
            "k1 multiplies the bracket: that is missing": gain(below=tf + 1 - b + b * ratio),
            "TF stands before the bracket: it is not multiplied by the length": gain(
                below=(tf + k1) * (1 - b + b * ratio)),
            "(k1 + 1) needs its brackets": np.sign(tf) * known * (weights * tf * k1 + 1 / (
                tf + k1 * (1 - b + b * ratio))),
            "the denominator needs its brackets": np.sign(tf) * known * (
                weights * (k1 + 1) + k1 * (1 - b + b * ratio)),
            "the bracket after k1 is missing": gain(below=tf + k1 - b + b * ratio),
            "k1 and (k1 + 1) are exchanged: (k1 + 1) stands above the line": gain(
                top=k1, below=tf + (k1 + 1) * (1 - b + b * ratio)),
            "(k1 + 1) stands above the line alone: below it is k1": gain(below=tf + (k1 + 1) * (1 - b + b * ratio)),
            "the bracket is 1 - b + b |d| / avgdl: its two signs are exchanged": gain(
                below=tf + k1 * (1 + b - b * ratio)),
            "the bracket begins with 1 - b, not with 1 + b": gain(below=tf + k1 * (1 + b + b * ratio)),
            "a word that the document does not hold is left out alone: continue, do not break": (
                right * np.cumprod((tf > 0) & known, axis=0)),
            "a word that is not in the IDF is left out alone: continue, do not break": (
                right * np.cumprod(known, axis=0)),
            "nothing is added to the fraction": right + weights * np.sign(tf),
            "the length ratio is added, not subtracted": gain(ratio=-ratio),
            "1 - b is missing in the bracket": gain(below=tf + k1 * b * ratio),
            "the bracket begins with 1 - b, not with 1": gain(below=tf + k1 * (1 + b * ratio)),
            "TF stands in the denominator, too: without it nothing saturates": gain(below=1 + k1 * (1 - b + b * ratio)),
            "the denominator is missing": gain(below=1),
            "|d| is the length of the document, not of the query": gain(ratio=len(query) / mean),
            "TF is the raw count, not the share of the document": gain(tf=tf / np.maximum(size, 1)),
            "TF is the raw count: here a repeated word counts once": gain(tf=np.sign(tf)),
            "TF is the raw count, not log(1 + count)": gain(tf=np.log1p(tf)),
            "TF is the raw count, not 1 + log(count)": gain(tf=np.sign(tf) * (1 + np.log(np.maximum(tf, 1)))),
            "TF is the raw count, not its root": gain(tf=np.sqrt(tf)),
            "TF is the raw count, not divided by that of the commonest word": gain(
                tf=tf / [max(map(d.count, d), default=1) for d in documents]),
            "TF counts the word in the document, not in the query": gain(tf=np.sign(tf) * times),
            "whole words are counted, not pieces of words": gain(tf=pieces),
            "whole words are counted, not beginnings of words": gain(tf=starts),
            "the IDF is missing": gain(weights=known),
            "the IDF is taken as it is: here it is log(1 + IDF)": gain(weights=np.log1p(weights)),
            "the IDF is taken once: here it is squared": gain(weights=weights**2),
            "an IDF may be negative: do not cut it off at 0": gain(weights=np.maximum(weights, 0)),
            "an IDF may be negative: keep its sign": gain(weights=np.abs(weights)),
            "k1 and b are exchanged": gain(k1=b, b=k1),
            "k1 was ignored: 1.5 is only its default": gain(k1=1.5),
            "b was ignored: 0.75 is only its default": gain(b=0.75),
            "k1 and b were ignored: 1.5 and 0.75 are only their defaults": gain(k1=1.5, b=0.75),
            "a word that is twice in the query counts twice, here only once": right[once],
            "a word that is twice in the query counts twice, not four times": right * times,
            "the score is a sum over the words of the query, not the best of them": right.max(0, keepdims=True),
            "the score is a sum over the words of the query: only the last was kept": right[tf.shape[0] - 1 - np.argmax(
                ((tf > 0) & known)[::-1], axis=0), np.arange(n)][None],
            "the score is a sum over the words of the query: only the first was kept": right[:1],
            "the sum is over the words of the query, not of the document": (tf * right)[once],
            "a document need not hold every word of the query": right * (tf > 0).all(0),
            "the score is a sum over the words of the query: do not divide by their number": right / max(len(query), 1),
            "the length is in the fraction already: do not divide by it again": right / np.maximum(size, 1),
        }
        for words, value in {
            "avgdl is the mean of the lengths, not their median": np.median(size),
            "avgdl is the mean of the lengths, not the largest of them": size.max(),
            "avgdl is the mean of the lengths, not the smallest of them": size.min() or 1,
            "avgdl is the mean of the lengths, not their total": size.sum(),
            "avgdl need not be a whole number: here // was taken instead of /": mean // 1,
            "avgdl need not be a whole number: here it was rounded": np.round(mean),
            "|d| / avgdl need not be a whole number: here // was taken instead of /": size / np.maximum(
                size // mean, 1e-9),
            "avgdl is the mean over all documents: here it is over those that hold a word of the query": (
                matching.mean() if len(matching) else 1),
            "avgdl is the mean over all documents: here the empty ones were left out": size[size > 0].mean(),
            "avgdl belongs to these documents: here it was kept from an earlier call": 9,
            "each document counts in avgdl, also those that are equal": np.mean(
                list(map(len, set(map(tuple, documents))))) or 1,
        }.items():
            found[words] = gain(ratio=size / np.where(value == 0, 1, value))
        in_idf = []
        for tokens in documents:
            in_idf.append(sum(token in idf for token in tokens))
        for name, other in {
            "different words": np.array([len(set(d)) for d in documents]),
            "characters": np.array([len(" ".join(d)) for d in documents]),
            "letters": np.array([len("".join(d)) for d in documents]),
            "words in the IDF": np.array(in_idf),
        }.items():
            found[f"|d| is the number of tokens, not of {name}"] = gain(ratio=other / mean)
            found[f"avgdl is the mean number of tokens, not of {name}"] = gain(ratio=size / other.mean())
            found[f"|d| and avgdl are numbers of tokens, not of {name}"] = gain(ratio=other / other.mean())
        for name, value in {
            "log(N / N_j)": np.log(n / held), "log10(N / N_j)": np.log10(n / held), "N / N_j": n / held,
            "log(1 + N / N_j)": np.log(1 + n / held), "log(N / (N_j + 1))": np.log(n / (held + 1)),
            "log((N + 1) / (N_j + 1)) + 1": np.log((n + 1) / (held + 1)) + 1,
            "log((N - N_j + 0.5) / (N_j + 0.5))": np.log((n - held + 0.5) / (held + 0.5)),
            "log((N - N_j + 0.5) / (N_j + 0.5) + 1)": np.log((n - held + 0.5) / (held + 0.5) + 1),
        }.items():
            found[f"the IDF is given: here it was computed anew, as {name}"] = gain(weights=value * known)
        some = list(idf.values())
        for name, value in {"1": 1, "the largest IDF": max(some), "the mean IDF": np.mean(some)}.items():
            found[f"a query word that is not in the IDF adds nothing: here it weighed {name}"] = gain(
                weights=np.where(known, weights, value))
        low_query = list(map(str.lower, query))
        for name, q, d in (
            ("query and documents were", low_query, low), ("the query was", low_query, documents),
            ("the documents were", query, low),
        ):
            found[f"words are compared as they are: here {name} lowered"] = gain(
                tf=count(q, d), weights=np.array([idf.get(w, 0.0) for w in q])[:, None])
        if "k1" not in given:
            found |= {f"the default of k1 is 1.5, not {value}": gain(k1=value) for value in (1, 1.2, 2)}
        if "b" not in given:
            found |= {f"the default of b is 0.75, not {value}": gain(b=value) for value in (0.5, 0.8, 1)}
        found = {words: value.sum(axis=0) for words, value in found.items()}
        return found | {
            "the scores keep their scale: here the largest became 1": scores / (scores.max() or 1),
            "the scores keep their scale: here their sum became 1": scores / (scores.sum() or 1),
            "this is the order of the documents; return their scores": np.argsort(-scores),
            "this is the order of the documents, worst first; return their scores": np.argsort(scores),
            "one score for each document is asked, not the best document": np.argmax(scores),
            "the scores stand in the order of the documents: do not sort them": np.sort(scores)[::-1],
            "the scores stand in the order of the documents: here they rise": np.sort(scores),
            "all scores are 0: is anything added to them?": np.zeros(n),
            "one score for each document: do not add them up": scores.sum(),
            "the fractions were cut off: an integer dtype, or // instead of /": reduce(
                lambda kept, more: np.trunc(kept + more), right, np.zeros(n)),
        }

    for about, given, query in (
        ("random documents", {}, ["an", "or", "sand"]),
        ("a word twice in the query", {}, ["an", "or", "an", "Or"]),
        ("another k1", {"k1": 0.9}, ["or", "Or", "a"]),
        ("another b", {"b": 0.4}, ["a", "an", "or"]),
        ("another k1 and b", {"k1": 2.2, "b": 0.3}, ["sand", "a", "or"]),
        ("a query word that is not in the IDF", {}, ["an", "cat", "Or"]),
        ("a word of negative IDF", {}, ["an", "or", "a"]),
    ):
        drawn = [w for w in words if w != "Or" or "Or" in query]
        documents = [list(map(str, check.rng.choice(drawn, size=n))) for n in (4, 9, 15, 2, 30, 7)]
        documents[3] = ["for", "and"]  # holds pieces of the query only
        for i, word in enumerate(query):
            documents[2][i] = documents[4][i] = word
        idf = {w: float(check.rng.uniform(0.2, 2)) for w in words if w != "cat"}
        if about == "a word of negative IDF":
            idf["or"] = -0.7
        library = BM25Okapi(documents, **given)
        library.idf = idf
        near, expected = mistakes(query, documents, idf, given), library.get_scores(query)
        if "cat" in query:
            near["a query word that is not in the IDF adds nothing: look before you pick"] = KeyError
        check(bm25_scores, query, documents, idf, **given).equals(
            expected, about=about, rtol=1e-4, atol=1e-6, near=near
        )
    documents = [["a", "b"], [], ["b", "a", "b", "c", "b"], ["c"], []]
    library = BM25Okapi(documents)
    library.idf = {"a": 1.0, "b": 0.6}
    check(bm25_scores, ["b", "a"], documents, library.idf).equals(
        library.get_scores(["b", "a"]), about="empty documents among others", edge=True, rtol=1e-4,
        near=lambda documents=documents: mistakes(["b", "a"], documents, {"a": 1.0, "b": 0.6}, {}) | {
            "an empty document has no words: do not divide by its length": ZeroDivisionError},
    )
    check(bm25_scores, ["a"], [[], []], {"a": 1.0}).equals(
        [0, 0], about="empty documents only", edge=True,
        near={
            "all documents are empty, and so is the sum: do not divide by avgdl": ZeroDivisionError,
            "an empty document has no words: do not divide by its length": ZeroDivisionError,
        },
    )
    alone = {"the scores have shape (N,), also for one document": 2.5 * 0.8 * 2 / 3.5,
             "avgdl is the mean over all documents: here one document counts as two": [2.5 * 0.8 * 2 / 4.625]}
    check(bm25_scores, ["a"], [["a", "b", "a"]], {"a": 0.8}).equals(
        [2.5 * 0.8 * 2 / 3.5], about="one document", edge=True, rtol=1e-4,
        near=lambda: mistakes(["a"], [["a", "b", "a"]], {"a": 0.8}, {}) | alone,
    )
    many = [f"w{i}" for i in check.rng.permutation(90)]
    documents = [[word, "a"] for word in many[:80]]
    idf = {word: 0.1 + i / 50 for i, word in enumerate(many)} | {"": 1.7}
    documents[4] = ["", ""]
    check(bm25_scores, [*many, ""], documents, idf).equals(
        [idf[d[0]] * (d.count(d[0]) * 2.5) / (d.count(d[0]) + 1.5) for d in documents],
        about="many words and many documents", edge=True, rtol=1e-4,
        near=partial(mistakes, [*many, ""], documents, idf, {}),
    )
    check(bm25_scores, [], [["a"], ["b"]], {"a": 1.0}).equals([0, 0], about="empty query", edge=True)
    check(bm25_scores, ["a"], [], {"a": 1.0}).equals(
        [], about="no documents", edge=True, near={"no documents: there is no mean length": ZeroDivisionError}
    )
    ### END HIDDEN TESTS


score
