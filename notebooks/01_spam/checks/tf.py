from helpers.checks import graded


@graded("tf", points=4)
def score(check):
    import numpy as np

    KINDS = ("raw", "binary", "log")
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the words are in alphabetical order; keep the vocabulary's own": {
            1: [2.0, 0.0, 1.0, 1.0, 2.0, 0.0, 2.0],
            2: [1.0, 1.0, 2.0, 1.0, 1.0, 2.0, 2.0],
            4: [1.0, 1.0, 0.0, 1.69315],
            5: [2.0, 0.0, 1.0, 1.0],
        },
        "a word was also found inside longer ones; only whole tokens count": {
            1: [2.0, 4.0, 2.0, 2.0, 1.0, 1.0, 0.0],
            2: [1.0, 2.0, 3.0, 2.0, 1.0, 3.0, 1.0],
            5: [2.0, 1.0, 2.0, 1.0],
        },
        "the tokens were put into lower case; take the words as they come": {
            1: [0.0, 2.0, 1.0, 2.0, 1.0, 0.0, 0.0],
            2: [0.0, 1.0, 2.0, 2.0, 1.0, 2.0, 0.0],
            5: [3.0, 0.0, 0.0, 1.0],
        },
        "only the words of the text have a number; each vocabulary word needs one, 0 if it does not occur": {
            1: [2.0, 2.0, 1.0, 2.0, 1.0],
            3: [1.0, 1.0, 1.0],
            4: [1.69315, 1.0, 1.0],
            5: [1.0, 2.0, 1.0],
            6: [],
        },
        "these are the words of the text, in its order; return a number for each vocabulary word, in its order": {
            1: [2.0, 2.0, 1.0, 2.0, 1.0],
            2: [1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0],
            3: [1.0, 1.0, 1.0, 1.0],
            4: [1.69315, 1.69315, 1.0, 1.0],
            5: [2.0, 1.0, 1.0],
            6: [],
        },
        "only the words of the text have a number, in its order; each vocabulary word needs one": {
            1: [2.0, 2.0, 1.0, 2.0, 1.0],
            2: [1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0],
            3: [1.0, 1.0, 1.0],
            4: [1.69315, 1.0, 1.0],
            5: [2.0, 1.0, 1.0],
            6: [],
        },
        "return an array of numbers in the vocabulary's order, not a dict": {
            1: {'This': 2.0, 'is': 2.0, 'a': 1.0, 'sentence': 2.0, 'another': 1.0, 'not': 0.0, 'Yet': 0.0},
            2: {'This': 1.0, 'is': 1.0, 'a': 2.0, 'sentence': 2.0, 'another': 1.0, 'not': 2.0, 'Yet': 1.0},
            3: {'to': 1.0, 'or': 1.0, 'sea': 0.0, 'not': 1.0},
            4: {'to': 1.69315, 'or': 1.0, 'sea': 0.0, 'not': 1.0},
            5: {'the': 1.0, 'sea': 0.0, 'The': 2.0, 'the sea': 1.0},
            6: {'a': 0.0, 'b': 0.0},
        },
        "the default kind is raw, not binary": {
            1: [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0],
            2: [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            5: [1.0, 0.0, 1.0, 1.0],
        },
        "the default kind is raw, not log": {
            1: [1.69315, 1.69315, 1.0, 1.69315, 1.0, 0.0, 0.0],
            2: [1.0, 1.0, 1.69315, 1.69315, 1.0, 1.69315, 1.0],
            5: [1.0, 0.0, 1.69315, 1.0],
        },
        "each word counts once only: that is the binary kind": {
            1: [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0],
            2: [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            5: [1.0, 0.0, 1.0, 1.0],
        },
        "each word counts once only, in raw and log alike: count how often it occurs": {
            1: [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0],
            2: [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            4: [1.0, 1.0, 0.0, 1.0],
            5: [1.0, 0.0, 1.0, 1.0],
        },
        "these are shares; raw is the plain count": {
            1: [0.25, 0.25, 0.125, 0.25, 0.125, 0.0, 0.0],
            2: [0.1, 0.1, 0.2, 0.2, 0.1, 0.2, 0.1],
            5: [0.25, 0.0, 0.5, 0.25],
        },
        "the kind was ignored: these are raw counts": {
            3: [2.0, 1.0, 0.0, 1.0],
            4: [2.0, 1.0, 0.0, 1.0],
        },
        "binary is 1 if c > 0, even for a word that occurs often": {
            3: [False, True, False, True],
        },
        "binary is 1 if c > 0, even for a word that occurs once": {
            3: [True, False, False, False],
        },
        "binary is 1 if the word occurs, not if it is missing": {
            3: [False, False, True, False],
        },
        "binary is 1 if c > 0: here the ones were divided by their number": {
            3: [0.333333, 0.333333, 0.0, 0.333333],
        },
        "this is ln(1 + c); the table says 1 + ln c": {
            4: [1.09861, 0.693147, 0.0, 0.693147],
        },
        "this is 1 + ln(1 + c); the table says 1 + ln c": {
            4: [2.09861, 1.69315, 1.0, 1.69315],
            6: [1.0, 1.0],
        },
        "this is 1 + ln(1 + c), and 0 for missing words; the table says 1 + ln c": {
            4: [2.09861, 1.69315, 0.0, 1.69315],
        },
        "the logarithm of 1 is 0, so words that occur once vanish: add 1": {
            4: [0.693147, 0.0, 0.0, 0.0],
        },
        "a word that occurs once has the value 1, not 0": {
            4: [1.69315, 0.0, 0.0, 0.0],
        },
        "words that do not occur must stay 0": {
            4: [1.69315, 1.0, 1.0, 1.0],
            6: [1.0, 1.0],
        },
        "the logarithm of zero is infinite: words that do not occur have the value 0": {
            4: [1.69315, 1.0, float("-inf"), 1.0],
            6: [float("-inf"), float("-inf")],
        },
        "infinity times 0 is NaN: words that do not occur have the value 0": {
            4: [1.69315, 1.0, float("nan"), 1.0],
        },
        "the natural logarithm is meant, not base 10": {
            4: [1.30103, 1.0, 0.0, 1.0],
        },
        "the natural logarithm is meant, not base 2": {
            4: [2.0, 1.0, 0.0, 1.0],
        },
        "take the logarithm of the raw count, not of the share": {
            4: [-0.0986123, -0.791759, 0.0, -0.791759],
        },
        "words that do not occur have the value 0: here 1e-12 was added to c": {
            4: [1.69315, 1.0, -26.631, 1.0],
            6: [-26.631, -26.631],
        },
        "words that do not occur have the value 0: here 1e-10 was added to c": {
            4: [1.69315, 1.0, -22.0259, 1.0],
            6: [-22.0259, -22.0259],
        },
        "words that do not occur have the value 0: here 1e-09 was added to c": {
            4: [1.69315, 1.0, -19.7233, 1.0],
            6: [-19.7233, -19.7233],
        },
        "words that do not occur have the value 0: here 1e-08 was added to c": {
            4: [1.69315, 1.0, -17.4207, 1.0],
            6: [-17.4207, -17.4207],
        },
        "words that do not occur have the value 0: here 1e-06 was added to c": {
            4: [1.69315, 1.0, -12.8155, 1.0],
            6: [-12.8155, -12.8155],
        },
        "tokens and vocabulary were put into lower case; take the words as they come": {
            5: [3.0, 0.0, 3.0, 1.0],
        },
    })
    vocabulary = ["This", "is", "a", "sentence", "another", "not", "Yet"]
    x1 = "This is a sentence This is another sentence".split()
    x2 = "This is not a sentence Yet another not a sentence".split()
    check(term_frequency, x1, list(vocabulary)).equals(
        [2, 2, 1, 2, 1, 0, 0], about="the first of the two documents",
        near={
            "one word only: is the return inside the loop?": [2],
            "one number only: is the return inside the loop?": 2,
        },
    )
    check(term_frequency, x2, list(vocabulary)).equals([1, 1, 2, 2, 1, 2, 1], about="the second of the two documents")
    poem, four = "to be or not to be", ["to", "or", "sea", "not"]
    check(term_frequency, poem.split(), list(four), kind="binary").equals([1, 1, 0, 1])
    check(term_frequency, poem.split(), list(four), kind="log").equals(
        [1.693147, 1, 0, 1], rtol=1e-4,
        near={"words that do not occur have the value 0: there is no logarithm of zero": ValueError},
    )
    check(term_frequency, ["The", "the sea", "the", "The"], ["the", "sea", "The", "the sea"]).equals(
        [1, 0, 2, 1], about="capitals, and a token that holds a space",
        near={"a token may hold a space: do not join and split the tokens again": [2, 1, 2, 0]},
    )
    nothing = {"an empty text, too, has a number for each vocabulary word: 0": []}
    check(term_frequency, [], ["a", "b"], kind="log").equals([0, 0], about="empty text", edge=True, near=nothing)


score
