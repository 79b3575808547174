from helpers.checks import graded


@graded("rouge", points=5)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "this is the recall alone; F1 is asked for": {
            1: 0.555556,
            2: 0.375,
            3: 0.6,
            4: 0.666667,
            5: 0.75,
            6: 0.5,
        },
        "this is the precision alone; F1 is asked for": {
            1: 0.833333,
            2: 0.6,
            3: 0.75,
            4: 0.75,
            5: 0.5,
            6: 0.6,
        },
        "this is the arithmetic mean of precision and recall; F1 is the harmonic one": {
            1: 0.694444,
            2: 0.4875,
            3: 0.675,
            4: 0.708333,
            5: 0.625,
            6: 0.55,
        },
        "the 2 in 2PR / (P + R) is missing": {
            1: 0.333333,
            2: 0.230769,
            3: 0.333333,
            4: 0.352941,
            5: 0.3,
            6: 0.272727,
        },
        "this is the geometric mean of precision and recall; F1 is the harmonic one": {
            1: 0.680414,
            2: 0.474342,
            3: 0.67082,
            4: 0.707107,
            5: 0.612372,
            6: 0.547723,
        },
        "precision and recall are added: F1 is 2PR / (P + R)": {
            1: 1.38889,
            2: 0.975,
            3: 1.35,
            4: 1.41667,
            5: 1.25,
            6: 1.1,
        },
        "precision and recall are multiplied: F1 is 2PR / (P + R)": {
            1: 0.462963,
            2: 0.225,
            3: 0.45,
            4: 0.5,
            5: 0.375,
            6: 0.3,
        },
        "this weighs recall more than precision: F1 weighs them alike": {
            1: 0.64346,
            2: 0.443099,
            3: 0.653571,
            4: 0.698473,
            5: 0.622449,
            6: 0.536657,
        },
        "each shared n-gram counts once here: it counts as often as both have it": {
            1: 0.533333,
            3: 0.444444,
        },
        "n-grams that only one list has count, too: shared ones alone do": {
            1: 1.33333,
            2: 1.53846,
            3: 1.33333,
            7: 2.0,
            9: 2.0,
        },
        "a shared n-gram counts as often as the list has it that has more": {
            1: 0.8,
            3: 1.11111,
        },
        "an n-gram of the reference counts at most as often as the candidate has it": {
            1: 0.8,
            3: 0.888889,
        },
        "a shared n-gram counts with all its pairs: as often as both have it is asked for": {
            1: 1.2,
            3: 1.77778,
        },
        "these are n-grams of n + 1 tokens": {
            1: 0.461538,
            2: 0.181818,
            3: 0.285714,
        },
        "the first n-gram of each list is missing": {
            1: 0.615385,
            2: 0.363636,
            3: 0.571429,
        },
        "the last n-gram of each list is missing": {
            1: 0.615385,
            2: 0.363636,
            3: 0.571429,
        },
        "this is the share of all n-grams (Jaccard); F1 is asked for": {
            1: 0.5,
            2: 0.3,
            3: 0.5,
        },
        "the matches are not divided by anything": {
            1: 5.0,
            2: 3.0,
            3: 3.0,
        },
        "these are single tokens: n is ignored": {
            2: 0.666667,
            8: 1.0,
            9: 0.2,
        },
        "shorter n-grams came back, too: n alone is asked for": {
            2: 0.571429,
            8: 1.0,
            9: 0.111111,
        },
        "the n-grams are side by side: one begins at each token": {
            2: 0.571429,
        },
        "the ends of the lists give n-grams that are too short": {
            2: 0.4,
            8: 1.0,
            9: 0.2,
        },
        "this is divided by the numbers of tokens, not of n-grams": {
            2: 0.4,
        },
        "n-grams are counted as sets: each counts as often as both have it": {
            3: 0.8,
        },
        "an n-gram of the candidate counts at most as often as the reference has it": {
            3: 0.888889,
        },
        "this is the longest common run: the tokens of a subsequence need not be side by side": {
            4: 0.235294,
            5: 0.4,
            6: 0.363636,
        },
        "the order is ignored: a subsequence keeps it": {
            4: 0.941176,
            5: 0.8,
            6: 0.909091,
        },
        "a common subsequence, not always the longest: neither taking tokens as they come nor difflib finds that": {
            4: 0.588235,
            5: 0.4,
        },
        "where two tokens differ the larger of both neighbours counts: here one of them alone": {
            4: 0.352941,
        },
        "where two tokens differ the larger of both neighbours counts: here one of them alone (of the reference)": {
            4: 0.352941,
            5: 0.0,
            6: 0.363636,
        },
        "where two tokens differ the larger of both neighbours counts: here the one before both": {
            4: 0.470588,
            5: 0.2,
            6: 0.181818,
        },
        "where two tokens differ the larger of both neighbours counts: here their sum": {
            4: 14.9412,
            5: 3.2,
            6: 4.0,
        },
        "where two tokens differ the length stays: here 1 is added": {
            4: 1.64706,
            5: 1.8,
            6: 1.45455,
        },
        "a match adds 1 to the length before: here the length stays the same": {
            4: 0.117647,
            5: 0.2,
            6: 0.181818,
        },
        "where two tokens differ the length so far is kept: here it begins anew": {
            4: 0.235294,
            5: 0.0,
            6: 0.0,
        },
        "the last token of the candidate is missing": {
            4: 0.588235,
        },
        "the last token of the reference is missing": {
            4: 0.588235,
            5: 0.4,
        },
        "the last token of both lists is missing": {
            4: 0.588235,
            5: 0.4,
        },
        "tokens at the same place in both lists were counted: gaps are allowed": {
            4: 0.235294,
            5: 0.0,
        },
        "the length is divided by the shorter text; precision and recall have their own": {
            4: 0.75,
            5: 0.75,
            6: 0.6,
        },
        "a token that comes again counts again: the candidate has each once here": {
            4: 0.533333,
            5: 0.444444,
            6: 0.5,
        },
        "a token that comes again counts again: both lists have each once here": {
            4: 0.615385,
            5: 0.444444,
            6: 1.0,
        },
        "this is divided by the different tokens: all tokens count": {
            4: 0.923077,
            5: 0.666667,
            6: 1.5,
        },
        "this is the length of the subsequence": {
            4: 6.0,
            5: 3.0,
            6: 3.0,
        },
        "the length is divided by the longer text; precision and recall have their own": {
            4: 0.666667,
            5: 0.5,
            6: 0.5,
        },
        "these are the different tokens that both have: their order counts, and repeats": {
            5: 0.8,
            6: 0.363636,
        },
        "a match adds 1 to the length for both lists without it: here to a longer one, so a token counts twice": {
            6: 1.27273,
        },
        "a match adds 1 to the length without it in either list: here the reference's stays": {
            6: 0.727273,
        },
        "a match adds 1 to the length without it in either list: here the candidate's stays": {
            6: 1.09091,
        },
        "capital and small letters are different tokens": {
            9: 0.5,
        },
        "the tokens of an n-gram are run together: then a + bc equals ab + c": {
            9: 0.25,
        },
    })
    cat, mat = "the cat sat on the mat".split(), "the cat is on the mat of the dog".split()
    check(rouge_n, cat, mat, 1).equals(10 / 15)
    check(rouge_n, cat, mat, 2).equals(6 / 13)
    check(rouge_n, "a a a b".split(), "a a c b b".split(), 1).equals(6 / 9)
    check(rouge_l, "the cat of the mat on the dog".split(), mat).equals(12 / 17)
    check(rouge_l, "x c a b c d".split(), "a x b c".split()).equals(0.6)
    check(rouge_l, "c c b c b".split(), "c b b c c c".split()).equals(6 / 11, about="tokens that come again")
    check(rouge_n, ["a b", "c"], ["a", "b c"], 2).equals(
        0.0, about="blanks within tokens", near={"tokens are compared as they are: here they were joined": 1.0})
    check(rouge_n, ["a"], ["a"], 2).equals(0.0, about="too short for an n-gram", near={
        "0.0 if a list is too short to have an n-gram": 1.0})
    nothing = "0.0 where nothing matches"
    check(rouge_n, "ab c The Cat sat".split(), "a bc the cat sat".split(), 2).equals(
        0.0, near={nothing: ZeroDivisionError})


score
