from helpers.checks import graded


@graded("answers", points=6)
def score(check):
    sets = "words count as often as they stand there, not once"
    cased = "capitals do not count"
    marks = "marks do not count: only the words, by WORD.findall"
    once = "a word that both have twice is in common twice"
    smaller = "what is in common is the smaller count of each word"
    precision, recall = "this is precision alone", "this is recall alone"
    jaccard = "this is the share of the union; F1 is 2PR / (P + R)"
    bag = "the order of the words counts in an exact match"
    longer = "this is what is in common as a share of the longer answer; F1 is 2PR / (P + R)"
    shorter = "this is what is in common as a share of the shorter answer; F1 is 2PR / (P + R)"
    mean = "this is the mean of precision and recall; F1 is 2PR / (P + R)"

    as_stands = "as they stand: capitals and marks do not count"
    factor = "the factor 2 is missing: F1 is 2PR / (P + R)"
    as_sets = "as sets: the order and repeats count"
    articles = "articles are kept"
    underscore = "a word may hold _, too: WORD.findall"
    inside = "it is enough that one stands in the other: both must be the same"
    check(normalise, "The `keep_dim` is None, or 1e-5.").equals(
        ["the", "keep_dim", "is", "none", "or", "1e", "5"], near={
        cased: ["The", "keep_dim", "is", "None", "or", "1e", "5"],
        marks: ["the", "`keep_dim`", "is", "none,", "or", "1e-5."],
        underscore: ["the", "keep", "dim", "is", "none", "or", "1e", "5"],
        "numbers are words, too": ["the", "keep_dim", "is", "none", "or", "e"],
        articles: ["keep_dim", "is", "none", "or", "1e", "5"],
    })
    check(exact_match, "a ValueError", "A valueerror").equals(1, near={cased: 0, as_stands: 0})
    check(exact_match, "a valueerror!", "`a valueerror`").equals(1, near={marks: 0, as_stands: 0})
    check(exact_match, "two one", "one two").equals(0, near={bag: 1, as_sets: 1})
    check(exact_match, "The value of x.", "the value").equals(0, near={inside: 1})
    check(token_f1, "the first of the two", "The two first").equals(0.75, near={
        sets: 6 / 7, precision: 0.6, longer: 0.6, recall: 1, shorter: 1, jaccard: 0.6, cased: 0.5, mean: 0.8,
        smaller: 1, articles: 0.8,
    })
    check(token_f1, "the axis or the other axis", "the axis the other dim").equals(0.727273, rtol=1e-4, near={
        sets: 0.75, precision: 2 / 3, longer: 2 / 3, recall: 0.8, shorter: 0.8,
        jaccard: 4 / 7, mean: 11 / 15, once: 0.545455, smaller: 0.909091,
        factor: 0.363636, articles: 4 / 7,
    })
    check(token_f1, "None", "1e-5").equals(0, about="nothing in common", near={"0 / 0 where nothing is in common": (
        ZeroDivisionError)})


score
