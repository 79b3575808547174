from helpers.checks import graded


@graded("rouge", points=4)
def score(check):
    recall = "this is the recall alone; F1 is asked"
    precision = "this is the precision alone; F1 is asked"
    sets = "n-grams are counted as sets: each counts as often as both have it"
    unclipped = "an n-gram of the candidate counts at most as often as the reference has it"
    mean = "this is the arithmetic mean of precision and recall; F1 is the harmonic one"
    unigrams = "these are single tokens: n is ignored"
    run = "this is the longest common run: the tokens of a subsequence need not stand side by side"
    bag = "the order is ignored: a subsequence keeps it"
    longer = "the length is divided by the longer text; precision and recall have their own"
    ends = "the ends of the lists give n-grams that are too short"
    by_tokens = "this is divided by the numbers of tokens, not of n-grams"
    greedy = "a common subsequence, not always the longest: neither taking tokens as they come nor difflib finds that"
    half = "the 2 in 2PR / (P + R) is missing"
    by_reference = "an n-gram of the reference counts at most as often as the candidate has it"
    last_given, last_wanted = "the last token of the candidate is missing", "the last token of the reference is missing"
    last_both = "the last token of both lists is missing"
    shorter = "the length is divided by the shorter text; precision and recall have their own"
    again = "a token that comes again counts again: the candidate has each once here"
    distinct = "these are the different tokens that both have: their order counts, and repeats"
    anew = "where two tokens differ the length so far is kept: here it begins anew"
    same_place = "tokens at the same place in both lists were counted: gaps are allowed"
    one_side = "where two tokens differ the larger of both neighbours counts: here one of them alone"
    diagonal = "where two tokens differ the larger of both neighbours counts: here the one before both"
    cat, mat = "the cat sat on the mat".split(), "the cat is on the mat of the dog".split()
    check(rouge_n, cat, mat, 1).equals(10 / 15, near={
            recall: 0.5555556,
            precision: 0.8333333,
            mean: 0.6944444,
        })
    check(rouge_n, cat, mat, 2).equals(6 / 13, near={
            recall: 0.375,
            precision: 0.6,
            mean: 0.4875,
            ends: 0.4,
            by_tokens: 0.4,
            unigrams: 0.6666667,
        })
    check(rouge_n, "a a a b".split(), "a a c b b".split(), 1).equals(6 / 9, near={
            recall: 0.6,
            precision: 0.75,
            mean: 0.675,
            sets: 0.8,
            unclipped: 0.8888889,
            by_reference: 0.8888889,
        })
    check(rouge_l, "the cat of the mat on the dog".split(), mat).equals(12 / 17, near={
            recall: 0.6666667,
            longer: 0.6666667,
            precision: 0.75,
            mean: 0.7083333,
            run: 0.2352941,
            bag: 0.9411765,
            one_side: 0.3529412,
            half: 0.3529412,
            anew: 0.2352941,
            same_place: 0.2352941,
            last_given: 0.5882353,
            last_wanted: 0.5882353,
            last_both: 0.5882353,
            shorter: 0.75,
            diagonal: 0.4705882,
            greedy: 0.5882353,
        })
    check(rouge_l, "x c a b c d".split(), "a x b c".split()).equals(0.6, near={
            recall: 0.75,
            precision: 0.5,
            longer: 0.5,
            greedy: 0.4,
            mean: 0.625,
            run: 0.4,
            bag: 0.8,
            distinct: 0.8,
            last_wanted: 0.4,
            last_both: 0.4,
            shorter: 0.75,
        })
    beside = "a match adds 1 to the length for both lists without it: here to a longer one, so a token counts twice"
    check(rouge_l, "c c b c b".split(), "c b b c c c".split()).equals(6 / 11, about="tokens that come again", near={
            recall: 0.5,
            precision: 0.6,
            longer: 0.5,
            again: 0.5,
            shorter: 0.6,
            mean: 0.55,
            bag: 0.9090909,
            beside: 1.272727,
            "a match adds 1 to the length without it in either list: here the reference's stays": 0.7272727,
            "a match adds 1 to the length without it in either list: here the candidate's stays": 1.090909,
        })
    geometric = "this is the geometric mean of precision and recall; F1 is the harmonic one"
    joined = "the tokens of an n-gram are run together: then a + bc equals ab + c"
    lowered = "capital and small letters are different tokens"
    nothing = "0.0 where nothing matches"
    check(rouge_n, "ab c The Cat sat".split(), "a bc the cat sat".split(), 2).equals(0.0, near={
            joined: 0.25,
            lowered: 0.5,
            nothing: ZeroDivisionError,
            unigrams: 0.2,
            ends: 0.2,
        })


score
