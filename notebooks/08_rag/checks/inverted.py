from helpers.checks import graded


@graded("inverted", points=9)
def score(check):
    import numpy as np

    plain_idf = "the IDF is log(1 + (N - n + 0.5) / (n + 0.5))"
    no_idf = "the IDF is missing"
    no_top = "the factor (k1 + 1) is missing"
    no_length = "the length of the document does not enter: b is ignored"
    from_one = "documents are numbered from 0"
    once = "a word that stands twice in the query counts twice"
    by_number = "the largest score comes first"
    zeros = "scores of 0 and below are left out"
    log2 = "the logarithm is the natural one, not that of base 2"
    different = "the lengths are those of the documents with repeats, not their different words"
    those = "the mean length is that of all documents, not of those with the word alone"
    these = "these number the scores above 0: the numbers of the documents are asked"
    ties = "equal scores: the lower number first"
    occurrences = "n is the number of documents with the word, not how often it stands in all"
    averaged = "the weights of the query's words are added, and not divided by how many words it has"

    documents = [["a", "b", "a"], ["b"], ["b", "c"]]

    def index_of_c(documents):
        return build_index(documents)["c"]

    def index_of_a(documents):
        return build_index(documents)["a"]

    check(index_of_c, documents).equals(([2], [0.980829]), rtol=1e-5, near={
        plain_idf: ([2], [0.510826]), from_one: ([3], [0.980829]), no_top: ([2], [0.445831]), no_idf: ([2], [1.0]),
        log2: ([2], [1.415038]), different: ([2], [0.906649]),
    })
    check(index_of_a, documents).equals(([0], [1.182370]), rtol=1e-4, near={
        plain_idf: ([0], [0.615790]),
        no_length: ([0], [1.348640]), no_top: ([0], [0.537441]),
        "TF is the count in the document, not 1": ([0], [0.814273]), no_idf: ([0], [1.205479]),
        log2: ([0], [1.705801]), different: ([0], [1.276823]), those: ([0], [1.348640]),
        "the length of the document is divided by the mean length, not the reverse": ([0], [1.488154]),
        occurrences: ([0], [0.566580]),
    })
    first = "This This is is a sentence sentence another".split()
    second = "This is a a sentence sentence another not not Yet".split()

    def searched(documents, query):
        return bm25_scores(build_index(documents, 1.5), query, len(documents))

    check(searched, [first, second], ["not", "sentence"]).equals([0.270104, 1.207476], rtol=1e-3, near={
        plain_idf: [-2.384352, -2.219914], "k1 and b are fixed: take the arguments": [0.258779, 1.167292],
        averaged: [0.135052, 0.603738],
    })
    index = {"a": (np.array([0, 2]), np.array([1.0, 0.5])), "b": (np.array([1, 2]), np.array([0.25, 2.0]))}
    check(bm25_scores, index, ["b", "x", "a", "b"], 4).equals([1.0, 0.5, 4.5, 0.0], near={
        once: [1.0, 0.25, 2.5, 0.0], averaged: [0.25, 0.125, 1.125, 0.0],
        "a weight is added to the score, it does not replace it": [1.0, 0.25, 2.0, 0.0],
        "every one of the num_documents documents has a score": [1.0, 0.5, 4.5],
        "a word that is not in the index adds nothing": KeyError,
    })
    check(best, np.array([0.5, 2.0, 0.0, 0.5, 1.0, -1.0]), 4).equals([1, 4, 0, 3], near={
        ties: [1, 4, 3, 0], by_number: [0, 1, 3, 4], these: [1, 3, 0, 2],
    })
    check(best, np.array([0.0, 2.0, 0.0, 3.0]), 3).equals([3, 1], near={zeros: [3, 1, 0], these: [1, 0]})


score
