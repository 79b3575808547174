from helpers.checks import graded


@graded("inverted", points=7)
def score(check):
    import numpy as np

    plain_idf = "the IDF is log(1 + (N - n + 0.5) / (n + 0.5))"
    no_idf = "the IDF is missing"
    no_top = "the factor (k1 + 1) is missing"
    no_length = "the length of the document does not enter: b is ignored"
    from_one = "documents are numbered from 0"
    log2 = "the logarithm is the natural one, not that of base 2"
    different = "the lengths are those of the documents with repeats, not their different words"
    those = "the mean length is that of all documents, not of those with the word alone"
    occurrences = "n is the number of documents with the word, not how often it stands in all"
    averaged = "the weights of the query's words are added, and not divided by how many words it has"
    outside = "k1 multiplies all of 1 - b + b * |d| / avgdl"
    unweighted = "b multiplies |d| / avgdl"
    factor = "TF is added to k1 * (1 - b + b * |d| / avgdl), not to k1 alone"
    exchanged = "b goes with the length and 1 - b with the 1, not the reverse"
    subtracted = "b * |d| / avgdl is added to 1 - b, not subtracted"
    below = "below the line stands k1, not k1 + 1"
    above = "above the line stands TF * (k1 + 1), not TF * k1 + 1"
    plus = "TF is multiplied by k1 + 1, which is not added to it"
    upside = "the length of the document is divided by the mean length, not the reverse"
    absolute = "the length of the document counts in shares of the mean length, not in words"
    one_apart = "the 1 stands inside the logarithm of the IDF"
    brackets = "in the IDF, (N - n + 0.5) is divided by (n + 0.5): mind the brackets"
    whole = "the IDF here is log(1 + N / n); Lucene's is asked"
    repeats = "the length of a document counts repeats, as the mean length does"

    def dtype_of_scores(index, query, num_documents):
        return np.asarray(bm25_scores(index, query, num_documents)).dtype.name

    def postings(documents, word, *options):
        numbers, weights = build_index(documents, *options)[word]
        return np.asarray(numbers), np.asarray(weights)
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the IDF is log(1 + (N - n + 0.5) / (n + 0.5))": {
            3: ([0, 3], [0.0, 0.0]),
            6: ([0], [0.909295]),
        },
        "the logarithm is the natural one, not that of base 10": {
            3: ([0, 3], [0.391873, 0.241703]),
            6: ([0], [0.561138]),
        },
        "the logarithm is the natural one, not that of base 2": {
            3: ([0, 3], [1.30178, 0.80292]),
            6: ([0], [1.86406]),
        },
        "n is the number of documents with the word, not how often it stands in all": {
            3: ([0, 3], [0.464311, 0.286381]),
            6: ([0], [0.743865]),
        },
        "the IDF is missing": {
            3: ([0, 3], [1.30178, 0.80292]),
            6: ([0], [1.07317]),
        },
        "the factor (k1 + 1) is missing": {
            3: ([0, 3], [0.410146, 0.252973]),
            6: ([0], [0.587304]),
        },
        "the length of the document does not enter: b is ignored": {
            3: ([0, 3], [0.953077, 0.693147]),
            6: ([0], [1.65546]),
        },
        "TF is the count in the document, not 1": {
            3: ([0, 3], [0.640724, 0.556542]),
            6: ([0], [0.854432]),
        },
        "TF is the count, not divided by the length": {
            3: ([0, 3], [0.496718, 0.191573]),
            6: ([0], [0.638251]),
        },
        "the lengths are those of the documents with repeats, not their different words": {
            3: ([0, 3], [0.953077, 0.575443]),
            6: ([0], [1.41644]),
        },
        "the mean length is that of all documents, not of those with the word alone": {
            3: ([0, 3], [0.992974, 0.654875]),
            6: ([0], [1.65546]),
        },
        "the length of a document counts repeats, as the mean length does": {
            3: ([0, 3], [1.00988, 0.640724]),
            6: ([0], [1.51357]),
        },
        "the mean length counts repeats, too": {
            3: ([0, 3], [0.835575, 0.491911]),
            6: ([0], [1.18778]),
        },
        "k1 multiplies all of 1 - b + b * |d| / avgdl": {
            3: ([0, 3], [0.953077, 0.60997]),
            6: ([0], [1.39407]),
        },
        "b multiplies |d| / avgdl": {
            3: ([0, 3], [0.815467, 0.473579]),
            6: ([0], [1.12712]),
        },
        "TF is added to k1 * (1 - b + b * |d| / avgdl), not to k1 alone": {
            3: ([0, 3], [0.828763, 0.478033]),
            6: ([0], [0.945979]),
        },
        "b goes with the length and 1 - b with the 1, not the reverse": {
            3: ([0, 3], [0.935536, 0.640724]),
            6: ([0], [1.51357]),
        },
        "b * |d| / avgdl is added to 1 - b, not subtracted": {
            3: ([0, 3], [2.49988, -10.8923]),
            6: ([0], [10.595]),
        },
        "b * |d| / avgdl is added to 1 - b, not subtracted, and 1 - b stays": {
            3: ([0, 3], [1.43861, 2.00648]),
            6: ([0], [3.78391]),
        },
        "below the line stands k1, not k1 + 1": {
            3: ([0, 3], [0.673256, 0.363944]),
            6: ([0], [0.905552]),
        },
        "above the line stands TF * (k1 + 1), not TF * k1 + 1": {
            3: ([0, 3], [0.697249, 0.556542]),
            6: ([0], [0.998416]),
        },
        "TF is multiplied by k1 + 1, which is not added to it": {
            3: ([0, 3], [0.861307, 0.809515]),
            6: ([0], [1.23334]),
        },
        "the length of the document is divided by the mean length, not the reverse": {
            3: ([0, 3], [0.99995, 0.818751]),
            6: ([0], [1.92636]),
        },
        "the length of the document counts in shares of the mean length, not in words": {
            3: ([0, 3], [0.60997, 0.311209]),
            6: ([0], [1.0595]),
        },
        "the 1 stands inside the logarithm of the IDF": {
            3: ([0, 3], [1.30178, 0.80292]),
            6: ([0], [1.98247]),
        },
        "the IDF here is log(1 + N / n); Lucene's is asked": {
            3: ([0, 3], [1.43015, 0.882097]),
            6: ([0], [1.7272]),
        },
        "in the IDF, (N - n + 0.5) is divided by (n + 0.5): mind the brackets": {
            3: ([0, 3], [1.1928, 0.735708]),
            6: ([0], [1.61413]),
        },
        "in the IDF, (N - n + 0.5) is divided by (n + 0.5): mind the brackets above": {
            3: ([0, 3], [1.51416, 0.933917]),
            6: ([0], [1.57363]),
        },
        "in the IDF, (N - n + 0.5) is divided by (n + 0.5): mind the brackets below": {
            3: ([0, 3], [1.31688, 0.812234]),
            6: ([0], [1.7272]),
        },
        "documents are numbered from 0": {
            3: ([1, 4], [0.902322, 0.556542]),
            6: ([1], [1.29207]),
        },
        "the IDF here is log(N / n); Lucene's is asked": {
            6: ([0], [1.48773]),
        },
        "empty documents count in the mean length, too": {
            6: ([0], [1.45136]),
        },
        "an empty document counts, too: in N and in the mean length": {
            6: ([0], [1.18237]),
        },
        "a word that stands twice in the query counts twice": {
            8: [1.0, 0.25, 2.5, 0.0],
            14: [0.0, 0.25, 2.0, 0.0],
        },
        "the weights of the query's words are added, and not divided by how many words it has": {
            8: [0.25, 0.125, 1.125, 0.0],
            14: [0.0, 0.25, 2.0, 0.0],
        },
        "only the last word counts: add up": {
            8: [0.0, 0.0, 0.0, 0.0],
            14: [0.0, 0.0, 0.0, 0.0],
        },
        "every document with a word gets 1: add the weights": {
            8: [1.0, 2.0, 3.0, 0.0],
            14: [0.0, 1.0, 1.0, 0.0],
        },
        "the largest score comes first": {
            9: [0, 1, 3, 4],
            10: [0, 1, 4],
            12: [1, 3],
        },
        "the smallest scores came: the largest first": {
            9: [0, 3, 4, 1],
            10: [0, 2, 3],
            12: [1, 3],
        },
        "scores of 0 and below are left out": {
            9: [1, 4, 0, 3, 2, 5],
            12: [3, 1, 0],
        },
        "scores below 0 are left out, too": {
            9: [1, 4, 0, 3, 5],
        },
        "equal scores: the lower number first": {
            9: [1, 4, 3, 0],
            10: [1, 4, 5],
        },
        "these number the scores above 0: the numbers of the documents are asked": {
            9: [1, 3, 0, 2],
            12: [1, 0],
        },
        "the scores came back: their numbers are asked": {
            9: [2.0, 1.0, 0.5, 0.5],
            10: [2.0, 1.0, 0.5],
            12: [3.0, 2.0],
        },
        "k is ignored": {
            10: [1, 4, 0, 2, 3, 5],
        },
        "k is off by one: one too many": {
            10: [1, 4, 0, 2],
        },
        "among equal scores the lower numbers are kept, at the cut after the k-th as well": {
            10: [1, 4, 5],
        },
    })
    documents = [["a", "b", "a"], ["b"], ["b", "c"]]

    def index_of_c(documents):
        return build_index(documents)["c"]

    def index_of_a(documents):
        return build_index(documents)["a"]

    check(index_of_c, documents).equals(([2], [0.980829]), rtol=1e-5, near={
        plain_idf: ([2], [0.510826]), from_one: ([3], [0.980829]), no_top: ([2], [0.445831]), no_idf: ([2], [1.0]),
        log2: ([2], [1.415038]), different: ([2], [0.906649]),
        outside: ([2], [1.052597]), unweighted: ([2], [0.863130]), subtracted: ([2], [5.394561]),
        subtracted + ", and 1 - b stays": ([2], [1.659865]), below: ([2], [0.674320]), plus: ([2], [1.426661]),
        absolute: ([2], [0.696072]), one_apart: ([2], [1.510826]), whole: ([2], [1.386294]),
        brackets: ([2], [1.252763]), brackets + " above": ([2], [1.203973]), brackets + " below": ([2], [1.386294]),
    })
    check(index_of_a, documents).equals(([0], [1.182370]), rtol=1e-4, near={
        plain_idf: ([0], [0.615790]),
        no_length: ([0], [1.348640]), no_top: ([0], [0.537441]),
        "TF is the count in the document, not 1": ([0], [0.814273]), no_idf: ([0], [1.205479]),
        log2: ([0], [1.705801]), different: ([0], [1.276823]), those: ([0], [1.348640]),
        repeats: ([0], [1.348640]),
        upside: ([0], [1.488154]), outside: ([0], [1.260043]), unweighted: ([0], [1.052597]),
        factor: ([0], [0.980829]),
        exchanged: ([0], [1.288253]), subtracted: ([0], [4.542788]), below: ([0], [0.858836]), above: ([0], [0.913649]),
        subtracted + ", and 1 - b stays": ([0], [2.332783]), plus: ([0], [1.128625]), absolute: ([0], [0.863130]),
        one_apart: ([0], [1.821269]), whole: ([0], [1.671149]), brackets: ([0], [1.510181]),
        brackets + " above": ([0], [1.451365]), brackets + " below": ([0], [1.671149]),
        occurrences: ([0], [0.566580]),
    })
    four = [*documents, ["a", "c", "c", "d"]]
    check(postings, four, "a").equals(([0, 3], [0.902322, 0.556542]), rtol=1e-4, about="two documents with the word")
    first = "This This is is a sentence sentence another".split()
    second = "This is a a sentence sentence another not not Yet".split()

    def searched(documents, query):
        return bm25_scores(build_index(documents, 1.5), query, len(documents))

    def index_without_lengths(documents):
        return build_index(documents, 1.2, 0.0)["a"]

    def documents_of_b(documents):
        return list(build_index(documents)["b"][0])

    check(index_without_lengths, documents).equals(
        ([0], [1.348640]), rtol=1e-4, near={"b is fixed: take the argument": ([0], [1.182370])})
    check(documents_of_b, documents).equals(
        [0, 1, 2], near={"the numbers ascend": [2, 1, 0], "documents are numbered from 0": [1, 2, 3]})
    check(postings, [*documents, []], "a").equals(([0], [1.292069]), rtol=1e-4, about="an empty document", near={
        "empty documents count in N, too": ([0], [1.052597])})
    check(searched, [first, second], ["not", "sentence"]).equals([0.270104, 1.207476], rtol=1e-3, near={
        plain_idf: [-2.384352, -2.219914], "k1 and b are fixed: take the arguments": [0.258779, 1.167292],
        averaged: [0.135052, 0.603738],
        outside: [0.299707, 1.364367], unweighted: [0.245827, 1.083054], factor: [0.284137, 1.154464],
        exchanged: [0.263597, 1.235956], below: [0.212413, 0.929701], above: [0.216085, 0.966034],
        plus: [0.243095, 1.086789], upside: [0.250399, 1.292205], one_apart: [-0.902871, 0.538706],
        whole: [1.026885, 2.471392],
    })
    index = {"a": (np.array([0, 2]), np.array([1.0, 0.5])), "b": (np.array([1, 2]), np.array([0.25, 2.0]))}
    check(bm25_scores, index, ["b", "x", "a", "b"], 4).equals([1.0, 0.5, 4.5, 0.0], near={
        "a weight is added to the score, it does not replace it": [1.0, 0.25, 2.0, 0.0],
        "every one of the num_documents documents has a score": [1.0, 0.5, 4.5],
        "a word that is not in the index adds nothing": KeyError,
    })
    check(best, np.array([0.5, 2.0, 0.0, 0.5, 1.0, -1.0]), 6).equals([1, 4, 0, 3])
    check(best, np.array([0.5, 2.0, 0.5, 0.5, 1.0, 0.5]), 3).equals([1, 4, 0], about="equal scores at the border")
    scores = np.zeros(900)
    scores[[7, 70, 700]] = 2.0, 3.0, 1.0
    sorts_all = {"all N were sorted: few of them are above 0": lambda n: n >= 900}
    check(beside, "longest_sort", best, scores, 2).holds(
        lambda n: n < 900, "a sort of those above 0 alone", about="few above 0", near=sorts_all)
    check(best, np.array([0.0, 2.0, 0.0, 3.0]), 3).equals([3, 1])

    def dtype_of_weights(documents):
        return np.asarray(build_index(documents)["b"][1]).dtype.name

    wide_weights, wide_scores = {"the weights are float64": "float32"}, {"the scores are float64": "float32"}
    check(dtype_of_weights, documents).equals("float64", about="the kind of number", edge=True, near=wide_weights)
    check(dtype_of_scores, index, ["b"], 4).equals("float64", about="the kind of number", edge=True, near=wide_scores)


score
