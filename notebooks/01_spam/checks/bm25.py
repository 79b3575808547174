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


score
