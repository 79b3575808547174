from helpers.checks import graded


@graded("wordpiece-train", points=6)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "a symbol counts wherever it stands, not only on that side of a pair": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 0.2,
             ('h', '##o'): 0.2,
             ('##o', '##w'): 0.2,
             ('w', '##o'): 0.133333333333,
             ('w', '##h'): 0.333333333333,
             ('##h', '##o'): 0.2},
        },
        "the symbols, too, count as often as their word occurs": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 0.333333333333,
             ('h', '##o'): 0.666666666667,
             ('##o', '##w'): 0.444444444444,
             ('w', '##o'): 0.333333333333,
             ('w', '##h'): 0.5,
             ('##h', '##o'): 0.333333333333},
            2: [('r', '##a'), ('h', '##o')],
            3: [('b', '##a'), ('##d', '##c'), ('d', '##dc'), ('##d', '##b')],
        },
        "this is the gain in likelihood, C(ab) in front of a logarithm: the score is the fraction alone": {
            1: {('r', '##a'): 2.8903717579,
             ('##a', '##w'): 1.28093384546,
             ('h', '##o'): 2.56186769092,
             ('##o', '##w'): 4.23116117659,
             ('w', '##o'): 1.75093747471,
             ('w', '##h'): 1.79175946923,
             ('##h', '##o'): 1.28093384546},
            2: [('##o', '##w'), ('##a', '##w')],
            3: [('b', '##a'), ('##d', '##c'), ('d', '##dc'), ('##d', '##b')],
        },
        "the numerator is missing: how often the pair occurs": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 0.2,
             ('h', '##o'): 0.1,
             ('##o', '##w'): 0.04,
             ('w', '##o'): 0.0666666666667,
             ('w', '##h'): 0.333333333333,
             ('##h', '##o'): 0.2},
            3: [('b', '##a'), ('##d', '##b'), ('##d', '##db'), ('a', '##ddb')],
        },
        "how often each word occurs was ignored": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 0.333333333333,
             ('h', '##o'): 0.333333333333,
             ('##o', '##w'): 0.222222222222,
             ('w', '##o'): 0.166666666667,
             ('w', '##h'): 0.5,
             ('##h', '##o'): 0.333333333333},
            3: [('b', '##a'), ('##d', '##b'), ('##d', '##c'), ('d', '##dc')],
        },
        "these are counts: divide by the counts of both parts": {
            1: {('r', '##a'): 1,
             ('##a', '##w'): 1,
             ('h', '##o'): 2,
             ('##o', '##w'): 4,
             ('w', '##o'): 2,
             ('w', '##h'): 1,
             ('##h', '##o'): 1},
        },
        "divide by the counts of both parts, not of one": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 1.0,
             ('h', '##o'): 1.0,
             ('##o', '##w'): 0.8,
             ('w', '##o'): 0.666666666667,
             ('w', '##h'): 0.333333333333,
             ('##h', '##o'): 1.0},
            2: [('##a', '##w'), ('##h', '##o')],
            3: [('##a', '##d'), ('a', '##d'), ('ad', '##d'), ('##d', '##c')],
        },
        "divide by the count of the left part, too": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 0.2,
             ('h', '##o'): 0.4,
             ('##o', '##w'): 0.8,
             ('w', '##o'): 0.4,
             ('w', '##h'): 1.0,
             ('##h', '##o'): 0.2},
            3: [('##d', '##b'), ('##d', '##c'), ('##d', '##db'), ('##a', '##d')],
        },
        "divide by the product of the counts, not by their sum": {
            1: {('r', '##a'): 0.5,
             ('##a', '##w'): 0.166666666667,
             ('h', '##o'): 0.285714285714,
             ('##o', '##w'): 0.4,
             ('w', '##o'): 0.25,
             ('w', '##h'): 0.25,
             ('##h', '##o'): 0.166666666667},
            2: [('r', '##a'), ('##o', '##w')],
            3: [('b', '##a'), ('##d', '##c'), ('d', '##dc'), ('##d', '##b')],
        },
        "divide by the product of the counts, not by its root": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 0.4472135955,
             ('h', '##o'): 0.632455532034,
             ('##o', '##w'): 0.8,
             ('w', '##o'): 0.516397779494,
             ('w', '##h'): 0.57735026919,
             ('##h', '##o'): 0.4472135955},
            2: [('r', '##a'), ('##o', '##w')],
            3: [('b', '##a'), ('##d', '##c'), ('d', '##dc'), ('##d', '##b')],
        },
        "this is upside down": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 5.0,
             ('h', '##o'): 5.0,
             ('##o', '##w'): 6.25,
             ('w', '##o'): 7.5,
             ('w', '##h'): 3.0,
             ('##h', '##o'): 5.0},
        },
        "the logarithm was taken: the score is the fraction itself": {
            1: {('r', '##a'): 2.8903717579,
             ('##a', '##w'): 1.28093384546,
             ('h', '##o'): 1.28093384546,
             ('##o', '##w'): 1.05779029415,
             ('w', '##o'): 0.875468737354,
             ('w', '##h'): 1.79175946923,
             ('##h', '##o'): 1.28093384546},
        },
        "the product of the counts stands above the line, too: that is always 1": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 1.0,
             ('h', '##o'): 1.0,
             ('##o', '##w'): 1.0,
             ('w', '##o'): 1.0,
             ('w', '##h'): 1.0,
             ('##h', '##o'): 1.0},
            2: [('##a', '##w'), ('##h', '##o')],
            3: [('##a', '##d'), ('##d', '##b'), ('##d', '##c'), ('##d', '##db')],
        },
        "the product of the counts stands above the line": {
            1: {('r', '##a'): 1,
             ('##a', '##w'): 5,
             ('h', '##o'): 10,
             ('##o', '##w'): 25,
             ('w', '##o'): 15,
             ('w', '##h'): 3,
             ('##h', '##o'): 5},
            2: [('##o', '##w'), ('w', '##ow')],
            3: [('##d', '##d'), ('##d', '##c'), ('d', '##dc'), ('##a', '##d')],
        },
        "counts were divided by all symbols first: the score takes the counts": {
            1: {('r', '##a'): 27.0,
             ('##a', '##w'): 5.4,
             ('h', '##o'): 5.4,
             ('##o', '##w'): 4.32,
             ('w', '##o'): 3.6,
             ('w', '##h'): 9.0,
             ('##h', '##o'): 5.4},
            3: [('b', '##a'), ('a', '##d'), ('##d', '##b'), ('ad', '##db')],
        },
        "the most frequent pair was merged: the score decides": {
            2: [('##o', '##w'), ('h', '##ow')],
            3: [('##d', '##c'), ('d', '##dc'), ('##a', '##d'), ('##d', '##b')],
        },
        "the lowest score was taken": {
            2: [('w', '##o'), ('##o', '##w')],
            3: [('##d', '##d'), ('##a', '##d'), ('##d', '##c'), ('d', '##dc')],
        },
        "one merge too few": {
            2: [('r', '##a')],
            3: [('b', '##a'), ('##d', '##b'), ('##d', '##c')],
        },
        "one merge too many": {
            2: [('r', '##a'), ('w', '##h'), ('h', '##o')],
            3: [('b', '##a'), ('##d', '##b'), ('##d', '##c'), ('##d', '##db'), ('a', '##ddb')],
        },
        "the joined symbols came back: the pairs are asked": {
            2: ['ra', 'wh'],
            3: ['ba', '##db', '##dc', '##ddb'],
        },
        "the ## of the right part is dropped when it is joined": {
            3: [('b', '##a'), ('##d', '##b'), ('##d', '##c'), ('##d', '##d##b')],
        },
        "the joined symbol has ## only where its left part has: at the beginning of a word there is none": {
            3: [('b', '##a'), ('##ba', '##d'), ('##d', '##b'), ('##d', '##c')],
        },
        "the ## of the left symbol stays: only the right one's is dropped": {
            3: [('b', '##a'), ('##d', '##b'), ('##d', '##c'), ('##d', 'db')],
        },
        "a tie: the smallest pair wins, not the one seen first": {
            3: [('b', '##a'), ('d', '##d'), ('dd', '##c'), ('a', '##d')],
        },
        "a tie: the smallest pair wins, here it is the last one": {
            3: [('b', '##a'), ('d', '##d'), ('dd', '##c'), ('ba', '##d')],
        },
        "scores are computed anew after each merge": {
            3: [('b', '##a'), ('##a', '##d'), ('##d', '##b'), ('##d', '##c')],
        },
    })
    corpus = {("r", "##a", "##w"): 1, ("h", "##o", "##w"): 2, ("w", "##o", "##w"): 2, ("w", "##h", "##o"): 1}
    right = {("r", "##a"): 1.0, ("##a", "##w"): 0.2, ("h", "##o"): 0.2, ("##o", "##w"): 0.16, ("w", "##o"): 2 / 15,
             ("w", "##h"): 1 / 3, ("##h", "##o"): 0.2}
    check(wordpiece_scores, corpus).equals(
        right, rtol=1e-6,
        near={"the pair (##h, ##o) is missing": dict(list(right.items())[:-1])},
    )
    check(train_wordpiece, corpus, 2).equals([("r", "##a"), ("w", "##h")], about="the four words")
    words = {("d", "##d", "##c"): 2, ("a", "##d", "##d", "##b"): 1, ("b", "##a", "##d"): 1}
    check(train_wordpiece, words, 4).equals([("b", "##a"), ("##d", "##b"), ("##d", "##c"), ("##d", "##db")])


score
