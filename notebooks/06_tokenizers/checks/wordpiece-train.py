from helpers.checks import graded


@graded("wordpiece-train", points=7)
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
            2: {('a', '##b'): 0.5},
        },
        "the symbols, too, count as often as their word occurs": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 0.333333333333,
             ('h', '##o'): 0.666666666667,
             ('##o', '##w'): 0.444444444444,
             ('w', '##o'): 0.333333333333,
             ('w', '##h'): 0.5,
             ('##h', '##o'): 0.333333333333},
            2: {('a', '##b'): 1.0},
            3: [('r', '##a'), ('h', '##o')],
            4: [('b', '##a'), ('##d', '##c'), ('d', '##dc'), ('##d', '##b')],
            5: [('c', '##b'), ('###', '##b'), ('a', '###b')],
            6: [('h', '##e')],
        },
        "this is the gain in likelihood, C(ab) in front of a logarithm: the score is the fraction alone": {
            1: {('r', '##a'): 2.8903717579,
             ('##a', '##w'): 1.28093384546,
             ('h', '##o'): 2.56186769092,
             ('##o', '##w'): 4.23116117659,
             ('w', '##o'): 1.75093747471,
             ('w', '##h'): 1.79175946923,
             ('##h', '##o'): 1.28093384546},
            2: {('a', '##b'): 0.672944473242},
            3: [('##o', '##w'), ('##a', '##w')],
            4: [('b', '##a'), ('##d', '##c'), ('d', '##dc'), ('##d', '##b')],
            5: [('c', '##b'), ('###', '##b'), ('a', '###b')],
            6: [('h', '##e')],
        },
        "the numerator is missing: how often the pair occurs": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 0.2,
             ('h', '##o'): 0.1,
             ('##o', '##w'): 0.04,
             ('w', '##o'): 0.0666666666667,
             ('w', '##h'): 0.333333333333,
             ('##h', '##o'): 0.2},
            2: {('a', '##b'): 0.1},
            4: [('b', '##a'), ('##d', '##b'), ('##d', '##db'), ('a', '##ddb')],
            6: [('c', '##d')],
        },
        "how often each word occurs was ignored": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 0.333333333333,
             ('h', '##o'): 0.333333333333,
             ('##o', '##w'): 0.222222222222,
             ('w', '##o'): 0.166666666667,
             ('w', '##h'): 0.5,
             ('##h', '##o'): 0.333333333333},
            2: {('a', '##b'): 0.5},
            4: [('b', '##a'), ('##d', '##b'), ('##d', '##c'), ('d', '##dc')],
        },
        "these are counts: divide by the counts of both parts": {
            1: {('r', '##a'): 1,
             ('##a', '##w'): 1,
             ('h', '##o'): 2,
             ('##o', '##w'): 4,
             ('w', '##o'): 2,
             ('w', '##h'): 1,
             ('##h', '##o'): 1},
            2: {('a', '##b'): 2},
        },
        "divide by the counts of both parts, not of one": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 1.0,
             ('h', '##o'): 1.0,
             ('##o', '##w'): 0.8,
             ('w', '##o'): 0.666666666667,
             ('w', '##h'): 0.333333333333,
             ('##h', '##o'): 1.0},
            2: {('a', '##b'): 0.4},
            3: [('##a', '##w'), ('##h', '##o')],
            4: [('##a', '##d'), ('a', '##d'), ('ad', '##d'), ('##d', '##c')],
            5: [('###', '##b'), ('a', '###b'), ('c', '##b')],
            6: [('h', '##e')],
        },
        "n / a * b divides by one count and multiplies by the other: write n / (a * b)": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 5.0,
             ('h', '##o'): 5.0,
             ('##o', '##w'): 4.0,
             ('w', '##o'): 3.33333333333,
             ('w', '##h'): 0.333333333333,
             ('##h', '##o'): 5.0},
            2: {('a', '##b'): 0.8},
            3: [('##a', '##w'), ('##h', '##o')],
            4: [('##a', '##d'), ('a', '##d'), ('ad', '##d'), ('##d', '##c')],
            5: [('###', '##b'), ('c', '##b'), ('a', '###b')],
            6: [('h', '##e')],
        },
        "divide by the count of the left part, too": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 0.2,
             ('h', '##o'): 0.4,
             ('##o', '##w'): 0.8,
             ('w', '##o'): 0.4,
             ('w', '##h'): 1.0,
             ('##h', '##o'): 0.2},
            2: {('a', '##b'): 1.0},
            4: [('##d', '##b'), ('##d', '##c'), ('##d', '##db'), ('##a', '##d')],
            5: [('a', '###'), ('c', '##b'), ('a#', '##b')],
        },
        "divide by the product of the counts, not by their sum": {
            1: {('r', '##a'): 0.5,
             ('##a', '##w'): 0.166666666667,
             ('h', '##o'): 0.285714285714,
             ('##o', '##w'): 0.4,
             ('w', '##o'): 0.25,
             ('w', '##h'): 0.25,
             ('##h', '##o'): 0.166666666667},
            2: {('a', '##b'): 0.285714285714},
            3: [('r', '##a'), ('##o', '##w')],
            4: [('b', '##a'), ('##d', '##c'), ('d', '##dc'), ('##d', '##b')],
            5: [('a', '###'), ('c', '##b'), ('a#', '##b')],
            6: [('h', '##e')],
        },
        "divide by the product of the counts, not by its root": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 0.4472135955,
             ('h', '##o'): 0.632455532034,
             ('##o', '##w'): 0.8,
             ('w', '##o'): 0.516397779494,
             ('w', '##h'): 0.57735026919,
             ('##h', '##o'): 0.4472135955},
            2: {('a', '##b'): 0.632455532034},
            3: [('r', '##a'), ('##o', '##w')],
            4: [('b', '##a'), ('##d', '##c'), ('d', '##dc'), ('##d', '##b')],
            5: [('a', '###'), ('c', '##b'), ('a#', '##b')],
            6: [('h', '##e')],
        },
        "this is upside down": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 5.0,
             ('h', '##o'): 5.0,
             ('##o', '##w'): 6.25,
             ('w', '##o'): 7.5,
             ('w', '##h'): 3.0,
             ('##h', '##o'): 5.0},
            2: {('a', '##b'): 5.0},
        },
        "the logarithm was taken: the score is the fraction itself": {
            1: {('r', '##a'): 2.8903717579,
             ('##a', '##w'): 1.28093384546,
             ('h', '##o'): 1.28093384546,
             ('##o', '##w'): 1.05779029415,
             ('w', '##o'): 0.875468737354,
             ('w', '##h'): 1.79175946923,
             ('##h', '##o'): 1.28093384546},
            2: {('a', '##b'): 0.336472236621},
        },
        "the product of the counts stands above the line, too: that is always 1": {
            1: {('r', '##a'): 1.0,
             ('##a', '##w'): 1.0,
             ('h', '##o'): 1.0,
             ('##o', '##w'): 1.0,
             ('w', '##o'): 1.0,
             ('w', '##h'): 1.0,
             ('##h', '##o'): 1.0},
            2: {('a', '##b'): 1.0},
            3: [('##a', '##w'), ('##h', '##o')],
            4: [('##a', '##d'), ('##d', '##b'), ('##d', '##c'), ('##d', '##db')],
            5: [('###', '##b'), ('a', '###b'), ('c', '##b')],
        },
        "the product of the counts stands above the line": {
            1: {('r', '##a'): 1,
             ('##a', '##w'): 5,
             ('h', '##o'): 10,
             ('##o', '##w'): 25,
             ('w', '##o'): 15,
             ('w', '##h'): 3,
             ('##h', '##o'): 5},
            2: {('a', '##b'): 10},
            3: [('##o', '##w'), ('w', '##ow')],
            4: [('##d', '##d'), ('##d', '##c'), ('d', '##dc'), ('##a', '##d')],
            5: [('c', '##b'), ('###', '##b'), ('a', '###b')],
            6: [('h', '##e')],
        },
        "counts were divided by all symbols first: the score takes the counts": {
            1: {('r', '##a'): 27.0,
             ('##a', '##w'): 5.4,
             ('h', '##o'): 5.4,
             ('##o', '##w'): 4.32,
             ('w', '##o'): 3.6,
             ('w', '##h'): 9.0,
             ('##h', '##o'): 5.4},
            2: {('a', '##b'): 4.9},
            4: [('b', '##a'), ('a', '##d'), ('##d', '##b'), ('ad', '##db')],
        },
        "a symbol counts in words of one symbol, too": {
            2: {('a', '##b'): 0.5},
        },
        "the most frequent pair was merged: the score decides": {
            3: [('##o', '##w'), ('h', '##ow')],
            4: [('##d', '##c'), ('d', '##dc'), ('##a', '##d'), ('##d', '##b')],
            5: [('c', '##b'), ('###', '##b'), ('a', '###b')],
            6: [('h', '##e')],
        },
        "the lowest score was taken": {
            3: [('w', '##o'), ('##o', '##w')],
            4: [('##d', '##d'), ('##a', '##d'), ('##d', '##c'), ('d', '##dc')],
            5: [('###', '##b'), ('c', '##b'), ('a', '###b')],
            6: [('c', '##e')],
        },
        "one merge too few": {
            3: [('r', '##a')],
            4: [('b', '##a'), ('##d', '##b'), ('##d', '##c')],
            6: [],
        },
        "one merge too many": {
            3: [('r', '##a'), ('w', '##h'), ('h', '##o')],
            4: [('b', '##a'), ('##d', '##b'), ('##d', '##c'), ('##d', '##db'), ('a', '##ddb')],
            6: [('a', '##b'), ('c', '##d')],
        },
        "the joined symbols came back: the pairs are asked": {
            3: ['ra', 'wh'],
            4: ['ba', '##db', '##dc', '##ddb'],
            5: ['a#', 'a#b', 'cb'],
            6: ['ab'],
        },
        "the ## of the right part is dropped when it is joined": {
            4: [('b', '##a'), ('##d', '##b'), ('##d', '##c'), ('##d', '##d##b')],
            5: [('a', '###'), ('a###', '##b'), ('c', '##b')],
        },
        "the joined symbol has ## only where its left part has: at the beginning of a word there is none": {
            4: [('b', '##a'), ('##ba', '##d'), ('##d', '##b'), ('##d', '##c')],
            5: [('a', '###'), ('##a#', '##b'), ('c', '##b')],
        },
        "the ## of the left symbol stays: only the right one's is dropped": {
            4: [('b', '##a'), ('##d', '##b'), ('##d', '##c'), ('##d', 'db')],
        },
        "a tie: the smallest pair wins, not the one seen first": {
            4: [('b', '##a'), ('d', '##d'), ('dd', '##c'), ('a', '##d')],
        },
        "a tie: the smallest pair wins, here it is the last one": {
            4: [('b', '##a'), ('d', '##d'), ('dd', '##c'), ('ba', '##d')],
            5: [('a', '###'), ('c', '##b'), ('a#', '##b')],
            6: [('c', '##d')],
        },
        "scores are computed anew after each merge": {
            4: [('b', '##a'), ('##a', '##d'), ('##d', '##b'), ('##d', '##c')],
            5: [('a', '###'), ('###', '##b'), ('c', '##b')],
        },
        "equal fractions are equal after *one* division: divide once, by the product": {
            6: [('c', '##d')],
        },
    })
    corpus = {("r", "##a", "##w"): 1, ("h", "##o", "##w"): 2, ("w", "##o", "##w"): 2, ("w", "##h", "##o"): 1}
    right = {("r", "##a"): 1.0, ("##a", "##w"): 0.2, ("h", "##o"): 0.2, ("##o", "##w"): 0.16, ("w", "##o"): 2 / 15,
             ("w", "##h"): 1 / 3, ("##h", "##o"): 0.2}
    check(wordpiece_scores, corpus).equals(
        right, rtol=1e-6,
        near={"the pair (##h, ##o) is missing": dict(list(right.items())[:-1])},
    )
    check(wordpiece_scores, {("a", "##b"): 2, ("a",): 3}).equals({("a", "##b"): 0.2}, rtol=1e-6, about="a word apart")
    check(train_wordpiece, corpus, 2).equals([("r", "##a"), ("w", "##h")], about="the four words")
    words = {("d", "##d", "##c"): 2, ("a", "##d", "##d", "##b"): 1, ("b", "##a", "##d"): 1}
    check(train_wordpiece, words, 4).equals([("b", "##a"), ("##d", "##b"), ("##d", "##c"), ("##d", "##db")])
    ended = "where no pair is left it ends"
    stops = {
        f"{ended}: min or max of nothing is an error": ValueError,
        f"{ended}: an empty list has no first item": IndexError,
        f"{ended}: None is no pair": TypeError,
    }
    hashes = {("a", "###", "##b"): 2, ("c", "##b"): 9}
    check(train_wordpiece, hashes, 5).equals(
        [("a", "###"), ("a#", "##b"), ("c", "##b")], about="no pair is left, and a hash inside a word", edge=True,
        near=stops | {"only the first ## of the right part goes: ### stands for a hash": [
            ("a", "###"), ("a", "##b"), ("c", "##b")]})
    words = {("a", "##b"): 3, ("a",): 7, ("c", "##d"): 1, ("c", "##e"): 1, ("f", "##d"): 4}
    words |= {("f", "##g"): 10, ("h", "##e"): 20}  # 3 / (10 * 3) and 1 / (2 * 5)
    check(train_wordpiece, words, 1).equals([("a", "##b")], about="equal fractions", edge=True)


score
