from helpers.checks import graded


@graded("rerank", points=6)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "closeness is divided by the number of query words, not by 12": {
            1: [0.333333, 0.666667, 0.5, 0.166667],
            2: [0.333333, 1.0, 0.571429, 0.166667],
            3: [0.25, 1.0, 0.333333, 0.25],
        },
        "closeness is divided by the number of query words": {
            1: [0.333333, 0.666667, 0.5, 2.0],
            2: [0.333333, 1.0, 0.571429, 2.0],
            3: [0.25, 1.0, 0.333333, 3.0],
        },
        "the third feature is divided by the weight of the title, not of the query": {
            1: [0.333333, 0.666667, 0.333333, 0.666667],
            2: [0.333333, 1.0, 0.333333, 0.666667],
            3: [0.25, 1.0, 0.25, 0.6],
        },
        "the first two features are exchanged: title, then body": {
            1: [0.666667, 0.333333, 0.5, 0.666667],
            2: [1.0, 0.333333, 0.571429, 0.666667],
            3: [1.0, 0.25, 0.333333, 0.6],
        },
        "the features are not divided": {
            1: [1.0, 2.0, 1.0, 2.0],
            2: [2.0, 6.0, 2.0, 2.0],
            3: [2.0, 8.0, 2.0, 3.0],
        },
        "the body's words count once each, however often they stand there": {
            2: [0.333333, 1.33333, 0.571429, 0.666667],
        },
        "each word counts once, however often it stands there, in the query, too": {
            2: [0.363636, 1.0, 0.571429, 0.666667],
        },
        "each word counts once, however often it stands there, in the query, too, for its weight and for closeness": {
            2: [0.363636, 1.0, 0.571429, 0.4],
        },
        "each word counts once, however often it stands there, in the query, too, for its weight and on both sides of closeness": {
            2: [0.363636, 1.0, 0.571429, 0.8],
        },
        "each word counts once, however often it stands there, in the query, too, for all four features": {
            2: [0.363636, 1.0, 1.14286, 0.4],
        },
        "each word counts once, however often it stands there, in the query, too, for all four features, on both sides of closeness": {
            2: [0.363636, 1.0, 1.14286, 0.8],
        },
        "closeness is divided by the number of different query words: a repeated one counts once": {
            2: [0.333333, 1.0, 0.571429, 0.4],
        },
        "closeness counts different query words, above and below the line": {
            2: [0.333333, 1.0, 0.571429, 0.8],
        },
        "the words count by their IDF, not one each": {
            2: [0.333333, 1.0, 0.5, 0.666667],
            3: [0.2, 1.0, 0.333333, 0.6],
        },
        "closeness looks at 12 words at a time, not at the whole body": {
            2: [0.333333, 1.0, 0.571429, 1.0],
            3: [0.25, 1.0, 0.333333, 1.0],
        },
        "closeness counts words, each 1, without IDF": {
            2: [0.333333, 1.0, 0.571429, 0.833333],
            3: [0.25, 1.0, 0.333333, 0.75],
        },
        "each word counts once, however often it stands there": {
            2: [0.363636, 1.0, 0.4, 0.666667],
        },
        "words that are not in idf do not count in closeness, either": {
            2: [0.333333, 1.0, 0.571429, 0.5],
        },
        "closeness counts different words: one that stands twice in a window counts once": {
            2: [0.333333, 1.0, 0.571429, 1.0],
        },
        "the last window, up to the end of the body, was left out": {
            2: [0.333333, 1.0, 0.571429, 0.333333],
        },
        "a window may begin at any word: it need not have a word of the query in its middle": {
            3: [0.25, 1.0, 0.333333, 0.4],
        },
        "windows begin at every word, not at every twelfth": {
            3: [0.25, 1.0, 0.333333, 0.4],
        },
        "words are compared as they are: capitals count": {
            3: [0.625, 1.0, 0.769231, 0.6],
        },
        "a window has 12 words, not 11": {
            3: [0.25, 1.0, 0.333333, 0.4],
        },
        "a window has 12 words, not 13": {
            3: [0.25, 1.0, 0.333333, 0.8],
        },
    })
    ones = dict.fromkeys("abcxyz", 1.0)
    check(features, list("abc"), list("ax"), list("byc"), ones).equals([1 / 3, 2 / 3, 1 / 2, 2 / 3], near={
        "a body shorter than a window is one window": [1 / 3, 2 / 3, 1 / 2, 0],
    })
    idf = {"a": 3.0, "b": 1.0, "c": 2.0, "x": 1.5, "y": 0.5}
    body = ["b"] + ["y"] * 12 + ["c", "c", "a"]
    query = ["a", "b", "c", "a", "c", "q"]
    check(features, query, ["c", "x", "x", "p"], body, idf).equals([1 / 3, 1, 4 / 7, 2 / 3], near={
        "each word of the title counts once, however often it stands there": [1 / 3, 1, 2 / 5, 2 / 3],
        "the second feature is divided by the weight of the query, not of the body": [1 / 3, 12 / 13, 4 / 7, 2 / 3],
        "words that are not in idf count nowhere": KeyError,
    })
    idf |= {"A": 2.5, "d": 0.5, "e": 1.5}
    body = list("yyyyybayyyyyyyyycdyyyyyyyyye")
    check(features, list("abcde"), ["A", "c", "x"], body, idf).equals([1 / 4, 1, 1 / 3, 3 / 5])
    check(features, ["q"], ["q"], ["a"], idf).equals(
        [0, 0, 0, 0], about="divisors of 0", near={"where the divisor is 0, the feature is 0": ZeroDivisionError})


score
