from helpers.checks import graded


@graded("tf", points=7)
def score(check):
    import numpy as np

    KINDS = ("raw", "binary", "relative", "scaled", "log")
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the words are in alphabetical order; keep the vocabulary's own": {
            1: [2.0, 0.0, 1.0, 1.0, 2.0, 0.0, 2.0],
            2: [0.1, 0.1, 0.2, 0.1, 0.1, 0.2, 0.2],
            4: [0.0, 0.125, 0.125, 0.0, 0.25],
            5: [0.333333, 0.333333, 0.0, 0.666667],
            6: [1.0, 1.0, 0.0, 1.69315],
            7: [0.0, 0.2, 0.2, 0.0, 0.4],
            8: [2.0, 0.0, 1.0, 1.0],
        },
        "a word was also found inside longer ones; only whole tokens count": {
            1: [2.0, 4.0, 2.0, 2.0, 1.0, 1.0, 0.0],
            2: [0.1, 0.2, 0.3, 0.2, 0.1, 0.3, 0.1],
            8: [2.0, 1.0, 2.0, 1.0],
        },
        "the tokens were lowered; take the words as they come": {
            1: [0.0, 2.0, 1.0, 2.0, 1.0, 0.0, 0.0],
            2: [0.0, 0.1, 0.2, 0.2, 0.1, 0.2, 0.0],
            8: [3.0, 0.0, 0.0, 1.0],
        },
        "only the words of the text have a number; each vocabulary word needs one, 0 if it does not occur": {
            1: [2.0, 2.0, 1.0, 2.0, 1.0],
            3: [1.0, 1.0, 1.0],
            4: [0.25, 0.125, 0.125],
            5: [0.666667, 0.333333, 0.333333],
            6: [1.69315, 1.0, 1.0],
            7: [0.4, 0.2, 0.2],
            8: [1.0, 2.0, 1.0],
            9: [2.0],
            10: [],
        },
        "these are the words of the text, in its order; return a number for each vocabulary word, in its order": {
            1: [2.0, 2.0, 1.0, 2.0, 1.0],
            2: [0.1, 0.1, 0.2, 0.2, 0.2, 0.1, 0.1],
            3: [1.0, 1.0, 1.0, 1.0],
            4: [0.25, 0.25, 0.125, 0.125, 0.125, 0.125],
            5: [0.666667, 0.666667, 0.333333, 0.333333],
            6: [1.69315, 1.69315, 1.0, 1.0],
            7: [0.4, 0.4, 0.2, 0.2, 0.2, 0.2],
            8: [2.0, 1.0, 1.0],
            9: [2.0],
            10: [],
        },
        "only the words of the text have a number, in its order; each vocabulary word needs one": {
            1: [2.0, 2.0, 1.0, 2.0, 1.0],
            2: [0.1, 0.1, 0.2, 0.2, 0.2, 0.1, 0.1],
            3: [1.0, 1.0, 1.0],
            4: [0.25, 0.125, 0.125],
            5: [0.666667, 0.333333, 0.333333],
            6: [1.69315, 1.0, 1.0],
            7: [0.4, 0.2, 0.2],
            8: [2.0, 1.0, 1.0],
            9: [2.0],
            10: [],
        },
        "return an array of numbers in the vocabulary's order, not a dict": {
            1: {'This': 2.0, 'is': 2.0, 'a': 1.0, 'sentence': 2.0, 'another': 1.0, 'not': 0.0, 'Yet': 0.0},
            2: {'This': 0.1, 'is': 0.1, 'a': 0.2, 'sentence': 0.2, 'another': 0.1, 'not': 0.2, 'Yet': 0.1},
            3: {'to': 1.0, 'or': 1.0, 'sea': 0.0, 'not': 1.0},
            4: {'to': 0.25, 'or': 0.125, 'sea': 0.0, 'not': 0.125, 'night': 0.0},
            5: {'to': 0.666667, 'or': 0.333333, 'sea': 0.0, 'not': 0.333333},
            6: {'to': 1.69315, 'or': 1.0, 'sea': 0.0, 'not': 1.0},
            7: {'to': 0.4, 'or': 0.2, 'sea': 0.0, 'not': 0.2, 'night': 0.0},
            8: {'the': 1.0, 'sea': 0.0, 'The': 2.0, 'the sea': 1.0},
            9: {'a': 2.0, 'b': 0.0},
            10: {'a': 0.0, 'b': 0.0},
        },
        "the default kind is raw, not binary": {
            1: [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0],
            8: [1.0, 0.0, 1.0, 1.0],
        },
        "the default kind is raw, not relative": {
            1: [0.25, 0.25, 0.125, 0.25, 0.125, 0.0, 0.0],
            8: [0.25, 0.0, 0.5, 0.25],
        },
        "the default kind is raw, not scaled": {
            1: [0.5, 0.5, 0.25, 0.5, 0.25, 0.0, 0.0],
            8: [0.5, 0.0, 1.0, 0.5],
        },
        "the default kind is raw, not log": {
            1: [1.69315, 1.69315, 1.0, 1.69315, 1.0, 0.0, 0.0],
            8: [1.0, 0.0, 1.69315, 1.0],
        },
        "each word counts once only: that is the binary kind": {
            1: [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0],
            8: [1.0, 0.0, 1.0, 1.0],
        },
        "these are shares; raw is the plain count": {
            1: [0.25, 0.25, 0.125, 0.25, 0.125, 0.0, 0.0],
            8: [0.25, 0.0, 0.5, 0.25],
        },
        "the kind was ignored: these are raw counts": {
            2: [1.0, 1.0, 2.0, 2.0, 1.0, 2.0, 1.0],
            3: [2.0, 1.0, 0.0, 1.0],
            4: [2.0, 1.0, 0.0, 1.0, 0.0],
            5: [2.0, 1.0, 0.0, 1.0],
            6: [2.0, 1.0, 0.0, 1.0],
            7: [2.0, 1.0, 0.0, 1.0, 0.0],
        },
        "you divided by the size of the vocabulary; divide by the number of tokens": {
            2: [0.142857, 0.142857, 0.285714, 0.285714, 0.142857, 0.285714, 0.142857],
            4: [0.4, 0.2, 0.0, 0.2, 0.0],
        },
        "you divided by the number of different words; divide by the number of tokens": {
            2: [0.142857, 0.142857, 0.285714, 0.285714, 0.142857, 0.285714, 0.142857],
            4: [0.333333, 0.166667, 0.0, 0.166667, 0.0],
        },
        "you divided by the number of vocabulary words found; divide by the number of tokens": {
            2: [0.142857, 0.142857, 0.285714, 0.285714, 0.142857, 0.285714, 0.142857],
            4: [0.666667, 0.333333, 0.0, 0.333333, 0.0],
        },
        "this is the kind scaled; relative divides by the number of tokens": {
            2: [0.166667, 0.166667, 0.333333, 0.333333, 0.166667, 0.333333, 0.166667],
            4: [0.4, 0.2, 0.0, 0.2, 0.0],
        },
        "you divided by the number of characters; divide by the number of tokens": {
            2: [0.0204082, 0.0204082, 0.0408163, 0.0408163, 0.0204082, 0.0408163, 0.0204082],
            4: [0.0769231, 0.0384615, 0.0, 0.0384615, 0.0],
        },
        "you divided by the number of letters; divide by the number of tokens": {
            2: [0.025, 0.025, 0.05, 0.05, 0.025, 0.05, 0.025],
            4: [0.105263, 0.0526316, 0.0, 0.0526316, 0.0],
        },
        "the word's own tokens count too: divide by all tokens of the text": {
            2: [0.111111, 0.111111, 0.25, 0.25, 0.111111, 0.25, 0.111111],
            4: [0.333333, 0.142857, 0.0, 0.142857, 0.0],
        },
        "you divided by the largest count; divide by the number of tokens": {
            2: [0.5, 0.5, 1.0, 1.0, 0.5, 1.0, 0.5],
            4: [1.0, 0.5, 0.0, 0.5, 0.0],
        },
        "nothing is added to the number of tokens: an empty text alone is an exception": {
            2: [0.0909091, 0.0909091, 0.181818, 0.181818, 0.0909091, 0.181818, 0.0909091],
            4: [0.222222, 0.111111, 0.0, 0.111111, 0.0],
        },
        "binary is 1 if c > 0, also for a word that occurs often": {
            3: [False, True, False, True],
        },
        "binary is 1 if c > 0, also for a word that occurs once": {
            3: [True, False, False, False],
        },
        "binary is 1 if the word occurs, not if it is missing": {
            3: [False, False, True, False],
        },
        "the tokens outside the vocabulary count too": {
            4: [0.5, 0.25, 0.0, 0.25, 0.0],
        },
        "count the different OTHER words: the word itself is not one of them": {
            5: [0.5, 0.25, 0.0, 0.25],
            7: [0.333333, 0.166667, 0.0, 0.166667, 0.0],
        },
        "different words are meant: repeats count once": {
            5: [0.5, 0.2, 0.0, 0.2],
            7: [0.333333, 0.142857, 0.0, 0.142857, 0.0],
        },
        "different words are meant, not tokens": {
            5: [0.4, 0.2, 0.0, 0.2],
            7: [0.285714, 0.142857, 0.0, 0.142857, 0.0],
        },
        "this is the kind relative; scaled divides by the number of different other words": {
            5: [0.333333, 0.166667, 0.0, 0.166667],
            7: [0.25, 0.125, 0.0, 0.125, 0.0],
            9: [1.0, 0.0],
        },
        "the other words of the text count also when they are outside the vocabulary": {
            5: [1.0, 0.5, 0.0, 0.5],
            7: [1.0, 0.5, 0.0, 0.5, 0.0],
        },
        "the other words are the words in x; you divided by the size of the vocabulary": {
            5: [0.5, 0.25, 0.0, 0.25],
            9: [1.0, 0.0],
        },
        "the other words are all words in x but the word itself, not only those outside the vocabulary": {
            5: [2.0, 1.0, 0.0, 1.0],
            7: [0.666667, 0.333333, 0.0, 0.333333, 0.0],
        },
        "you divided by the largest count; divide by the number of different other words": {
            5: [1.0, 0.5, 0.0, 0.5],
            7: [1.0, 0.5, 0.0, 0.5, 0.0],
            9: [1.0, 0.0],
        },
        "this is the augmented frequency, 0.5 + 0.5 c / max c; the table's scaled is another": {
            5: [1.0, 0.75, 0.5, 0.75],
            7: [1.0, 0.75, 0.5, 0.75, 0.5],
            9: [1.0, 0.5],
        },
        "this is ln(1 + c); the table says 1 + ln c": {
            6: [1.09861, 0.693147, 0.0, 0.693147],
        },
        "this is 1 + ln(1 + c); the table says 1 + ln c": {
            6: [2.09861, 1.69315, 1.0, 1.69315],
        },
        "this is 1 + ln(1 + c), and 0 for missing words; the table says 1 + ln c": {
            6: [2.09861, 1.69315, 0.0, 1.69315],
        },
        "the logarithm of 1 is 0, so words that occur once vanish: add 1": {
            6: [0.693147, 0.0, 0.0, 0.0],
        },
        "a word that occurs once has the value 1, not 0": {
            6: [1.69315, 0.0, 0.0, 0.0],
        },
        "words that do not occur must stay 0": {
            6: [1.69315, 1.0, 1.0, 1.0],
        },
        "the logarithm of zero is infinite: words that do not occur have the value 0": {
            6: [1.69315, 1.0, float("-inf"), 1.0],
        },
        "infinity times 0 is NaN: words that do not occur have the value 0": {
            6: [1.69315, 1.0, float("nan"), 1.0],
        },
        "the natural logarithm is meant, not base 10": {
            6: [1.30103, 1.0, 0.0, 1.0],
        },
        "the natural logarithm is meant, not base 2": {
            6: [2.0, 1.0, 0.0, 1.0],
        },
        "take the logarithm of the raw count, not of the share": {
            6: [-0.0986123, -0.791759, 0.0, -0.791759],
        },
        "words that do not occur have the value 0: here 1e-12 was added to c": {
            6: [1.69315, 1.0, -26.631, 1.0],
        },
        "words that do not occur have the value 0: here 1e-10 was added to c": {
            6: [1.69315, 1.0, -22.0259, 1.0],
        },
        "words that do not occur have the value 0: here 1e-09 was added to c": {
            6: [1.69315, 1.0, -19.7233, 1.0],
        },
        "words that do not occur have the value 0: here 1e-08 was added to c": {
            6: [1.69315, 1.0, -17.4207, 1.0],
        },
        "words that do not occur have the value 0: here 1e-06 was added to c": {
            6: [1.69315, 1.0, -12.8155, 1.0],
        },
        "the other words are those of the text, the word itself left out; do not look at the vocabulary": {
            7: [0.666667, 0.333333, 0.0, 0.333333, 0.0],
        },
        "the other words are the words in x, not those of the vocabulary": {
            7: [0.5, 0.25, 0.0, 0.25, 0.0],
        },
        "tokens and vocabulary were lowered; take the words as they come": {
            8: [3.0, 0.0, 3.0, 1.0],
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
    check(term_frequency, x2, list(vocabulary), kind="relative").equals(
        [0.1, 0.1, 0.2, 0.2, 0.1, 0.2, 0.1], about="the second of the two documents"
    )
    poem, four = "to be or not to be", ["to", "or", "sea", "not"]
    check(term_frequency, poem.split(), list(four), kind="binary").equals([1, 1, 0, 1])
    longer, five = "to be or not to be that is", ["to", "or", "sea", "not", "night"]
    check(term_frequency, longer.split(), list(five), kind="relative").equals([2 / 8, 1 / 8, 0, 1 / 8, 0])
    check(term_frequency, poem.split(), list(four), kind="scaled").equals([2 / 3, 1 / 3, 0, 1 / 3])
    check(term_frequency, poem.split(), list(four), kind="log").equals(
        [1.693147, 1, 0, 1], rtol=1e-4,
        near={"words that do not occur have the value 0: there is no logarithm of zero": ValueError},
    )
    check(term_frequency, longer.split(), list(five), kind="scaled").equals([2 / 5, 1 / 5, 0, 1 / 5, 0])
    check(term_frequency, ["The", "the sea", "the", "The"], ["the", "sea", "The", "the sea"]).equals(
        [1, 0, 2, 1], about="capitals, and a token that holds a space",
        near={"a token may hold a space: do not join and split the tokens again": [2, 1, 2, 0]},
    )
    zero = {"there is no other word: divide by at least 1, never by zero": ZeroDivisionError}
    infinite = "there is no other word, so this divides by zero: divide by at least 1"
    no_value = "there is no other word: divide by at least 1, so that the value is the count, not 0"
    two = "you divided by at least 2; the table says at least 1"
    undefined = "there is no other word, so this divides by zero; divide by at least 1"
    check(term_frequency, ["a", "a"], ["a", "b"], kind="scaled").equals(
        [2, 0], about="one word only", edge=True,
        near=zero | {infinite: [np.inf, 0], undefined: [np.inf, np.nan], no_value: [0, 0], two: [1, 0]},
    )
    empty = "an empty text leaves nothing to divide by"
    nothing = {
        f"{empty}; its values are 0": ZeroDivisionError,
        "an empty text, too, has a number for each vocabulary word: 0": [],
    }
    no_number = {f"{empty}: 0/0 is NaN; its values are 0": [np.nan, np.nan]}
    check(term_frequency, [], ["a", "b"], kind="relative").equals(
        [0, 0], about="empty text", edge=True, near=nothing | no_number
    )


score
