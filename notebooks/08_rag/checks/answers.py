from helpers.checks import graded


@graded("answers", points=6)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "articles are kept": {
            1: ['keep_dim', 'is', 'none', 'or', '1e', '5'],
            9: 0.8,
            10: 0.571429,
        },
        "a word may hold _, too: WORD.findall": {
            1: ['the', 'keep', 'dim', 'is', 'none', 'or', '1e', '5'],
        },
        "only letters: \\w has digits and _, too": {
            1: ['the', 'keep', 'dim', 'is', 'none', 'or', 'e'],
        },
        "marks do not count: only the words, by WORD.findall": {
            1: ['the', '`keep_dim`', 'is', 'none,', 'or', '1e-5.'],
            3: 0.0,
            7: 0.0,
        },
        "a mark within parts words, too: here the text was cut at blanks, and marks at the ends taken off": {
            1: ['the', 'keep_dim', 'is', 'none', 'or', '1e-5'],
        },
        "capitals do not count": {
            1: ['The', 'keep_dim', 'is', 'None', 'or', '1e', '5'],
            2: 0.0,
            9: 0.5,
        },
        "as they stand: capitals and marks do not count": {
            2: 0.0,
            3: 0.0,
        },
        "the order of the words counts in an exact match": {
            4: 1.0,
        },
        "as sets: the order and repeats count": {
            4: 1.0,
        },
        "it is enough that one stands in the other: both must be the same": {
            5: 1.0,
        },
        "characters are compared, not words": {
            7: 0.0,
            9: 0.787879,
            10: 0.833333,
            11: 0.25,
        },
        "words count as often as they stand there, not once": {
            9: 0.857143,
            10: 0.75,
        },
        "this is precision alone": {
            9: 0.6,
            10: 0.666667,
        },
        "this is recall alone": {
            9: 1.0,
            10: 0.8,
        },
        "this is what is in common as a share of the longer answer; F1 is 2PR / (P + R)": {
            9: 0.6,
            10: 0.666667,
        },
        "this is what is in common as a share of the shorter answer; F1 is 2PR / (P + R)": {
            9: 1.0,
            10: 0.8,
        },
        "what is in common is the smaller count of each word": {
            9: 1.0,
            10: 0.909091,
        },
        "this is the mean of precision and recall; F1 is 2PR / (P + R)": {
            9: 0.8,
            10: 0.733333,
        },
        "this is the share of the union; F1 is 2PR / (P + R)": {
            9: 0.6,
            10: 0.571429,
        },
        "the square root of P times R: F1 is 2PR / (P + R)": {
            9: 0.774597,
            10: 0.730297,
        },
        "the factor 2 is missing: F1 is 2PR / (P + R)": {
            9: 0.375,
            10: 0.363636,
        },
        "repeats are counted, but not as the smaller count of both": {
            9: 0.888889,
            10: 0.816327,
        },
        "a word that both have twice is in common twice": {
            10: 0.545455,
        },
    })
    check.built_on("exact_match", "normalise")
    check.built_on("token_f1", "normalise")
    check(normalise, "The `keep_dim` is None, or 1e-5.").equals(
        ["the", "keep_dim", "is", "none", "or", "1e", "5"], near={
        "numbers are words, too": ["the", "keep_dim", "is", "none", "or", "e"],
    })
    check(exact_match, "a ValueError", "A valueerror").equals(1)
    check(exact_match, "a valueerror!", "`a valueerror`").equals(1)
    check(exact_match, "two one", "one two").equals(0)
    check(exact_match, "The value of x.", "the value").equals(0)
    check(exact_match, "key error", "keyerror").equals(
        0, about="other words", near={"words are compared one by one: here they were joined": 1.0})
    check(token_f1, "...", "").equals(1, about="both empty", near={"both empty: 1": 0.0, "0 / 0": ZeroDivisionError})
    check(token_f1, "none", "...").equals(0, about="one is empty", near={"one is empty: 0": 1.0})
    check(token_f1, "the first of the two", "The two first").equals(0.75)
    check(token_f1, "the axis or the other axis", "the axis the other dim").equals(0.727273, rtol=1e-4)
    check(token_f1, "None", "1e-5").equals(0, about="nothing in common", near={"0 / 0 where nothing is in common": (
        ZeroDivisionError)})


score
