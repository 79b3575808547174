from helpers.checks import graded


@graded("rerank", points=6)
def score(check):
    repeats = "each word counts once, however often it stands there"
    unweighted = "the words count by their IDF, not one each"
    twice = "closeness counts different words: one that stands twice in a window counts once"
    by_query = "the third feature is divided by the weight of the title, not of the query"
    whole_body = "closeness looks at 12 words at a time, not at the whole body"
    zero = "where the divisor is 0, the feature is 0"
    last = "the last window, up to the end of the body, was left out"
    weighted = "closeness counts words, each 1, without IDF"

    in_body = "the body's words count once each, however often they stand there"
    in_title = "the title's words count once each in the first feature, too"
    ones = dict.fromkeys("abcxyz", 1.0)
    check(features, list("abc"), list("ax"), list("byc"), ones).equals([1 / 3, 2 / 3, 1 / 2, 2 / 3], near={
        by_query: [1 / 3, 2 / 3, 1 / 3, 2 / 3],
        "a body shorter than a window is one window": [1 / 3, 2 / 3, 1 / 2, 0],
        "closeness is divided by the number of query words, not by 12": [1 / 3, 2 / 3, 1 / 2, 1 / 6],
        "closeness is divided by the number of query words": [1 / 3, 2 / 3, 1 / 2, 2],
    })
    idf = {"a": 3.0, "b": 1.0, "c": 2.0, "x": 1.5, "y": 0.5}
    body = ["b"] + ["y"] * 12 + ["c", "c", "a"]
    check(features, ["a", "b", "c", "a", "q"], ["c", "x", "x"], body, idf).equals([1 / 3, 1, 4 / 7, 2 / 3], near={
        unweighted: [1 / 3, 1, 1 / 2, 2 / 3], whole_body: [1 / 3, 1, 4 / 7, 1], by_query: [1 / 3, 1, 1 / 3, 2 / 3],
        weighted: [1 / 3, 1, 4 / 7, 5 / 6], repeats: [2 / 9, 1, 2 / 5, 3 / 4], twice: [1 / 3, 1, 4 / 7, 1],
        "each word of the title counts once, however often it stands there": [1 / 3, 1, 2 / 5, 2 / 3],
        "the second feature is divided by the weight of the query, not of the body": [1 / 3, 12 / 13, 4 / 7, 2 / 3],
        "words that are not in idf count nowhere": KeyError,
        last: [1 / 3, 1, 4 / 7, 1 / 3], in_body: [1 / 3, 4 / 3, 4 / 7, 2 / 3],
        repeats + ", in the query, too": [2 / 9, 1, 4 / 7, 2 / 3],
    })
    every = "windows begin at every word, not at every twelfth"
    capitals = "words are compared as they are: capitals count"
    thirteen = "a window has 12 words, not 13"
    idf |= {"A": 2.5, "d": 0.5, "e": 1.5}
    body = list("yyyyybyyyayyyycyydyyyyyyyyye")
    check(features, list("abcde"), ["A", "c", "x"], body, idf).equals([1 / 4, 1, 1 / 3, 3 / 5], near={
        every: [1 / 4, 1, 1 / 3, 2 / 5], thirteen: [1 / 4, 1, 1 / 3, 4 / 5], capitals: [5 / 8, 1, 10 / 13, 3 / 5],
        unweighted: [1 / 5, 1, 1 / 3, 3 / 5], by_query: [1 / 4, 1, 1 / 4, 3 / 5], whole_body: [1 / 4, 1, 1 / 3, 1],
    })


score
