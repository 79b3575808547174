from helpers.checks import graded


@graded("wordpiece-train", points=6)
def score(check):
    corpus = {("r", "##a", "##w"): 1, ("h", "##o", "##w"): 2, ("w", "##o", "##w"): 2, ("w", "##h", "##o"): 1}
    right = {("r", "##a"): 1.0, ("##a", "##w"): 0.2, ("h", "##o"): 0.2, ("##o", "##w"): 0.16, ("w", "##o"): 2 / 15,
             ("w", "##h"): 1 / 3, ("##h", "##o"): 0.2}
    pairs = list(right)
    no_part = "the numerator is missing: how often the pair occurs"
    no_times = "how often each word occurs was ignored"
    counts = "these are counts: divide by the counts of both parts"
    one_part = "divide by the counts of both parts, not of one"
    upside = "this is upside down"
    sided = "a symbol counts wherever it stands, not only on that side of a pair"
    places = "the symbols, too, count as often as their word occurs"
    check(wordpiece_scores, corpus).equals(right, rtol=1e-6, near={
        no_part: dict(zip(pairs, [1, 0.2, 0.1, 0.04, 0.0666667, 1 / 3, 0.2], strict=True)),
        counts: dict(zip(pairs, [1, 1, 2, 4, 2, 1, 1], strict=True)),
        one_part: dict(zip(pairs, [1, 1, 1, 0.8, 2 / 3, 1 / 3, 1], strict=True)),
        "the pair (##h, ##o) is missing": dict(list(right.items())[:-1]),
        sided: right | {("##o", "##w"): 0.2},
        places: dict(zip(pairs, [1, 1 / 3, 2 / 3, 4 / 9, 1 / 3, 1 / 2, 1 / 3], strict=True)),
    })
    bpe = "the most frequent pair was merged: the score decides"
    check(train_wordpiece, corpus, 2).equals([("r", "##a"), ("w", "##h")], about="the four words", near={
        bpe: [("##o", "##w"), ("h", "##ow")], places: [("r", "##a"), ("h", "##o")],
        "the lowest score was taken": [("w", "##o"), ("##o", "##w")],
    })
    words = {("d", "##d", "##c"): 2, ("a", "##d", "##d", "##b"): 1, ("b", "##a", "##d"): 1}
    left_mark = "the ## of the left symbol stays: only the right one's is dropped"
    check(train_wordpiece, words, 4).equals([("b", "##a"), ("##d", "##b"), ("##d", "##c"), ("##d", "##db")], near={
        "the ## of the right part is dropped when it is joined": [
            ("b", "##a"), ("##d", "##b"), ("##d", "##c"), ("##d", "##d##b")],
        left_mark: [("b", "##a"), ("##d", "##b"), ("##d", "##c"), ("##d", "db")],
        "a tie: the smallest pair wins, not the one seen first": [
            ("b", "##a"), ("d", "##d"), ("dd", "##c"), ("a", "##d")],
        "a tie: the smallest pair wins, here it is the last one": [
            ("b", "##a"), ("d", "##d"), ("dd", "##c"), ("ba", "##d")],
        "scores are computed anew after each merge": [("b", "##a"), ("##a", "##d"), ("##d", "##b"), ("##d", "##c")],
        bpe: [("##d", "##c"), ("d", "##dc"), ("##a", "##d"), ("##d", "##b")],
    })


score
