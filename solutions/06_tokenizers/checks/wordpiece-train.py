from helpers.checks import graded


@graded("wordpiece-train", points=7)
def score(check):
    ### BEGIN MISTAKES
    import numpy as np

    counts = "these are counts: divide by the counts of both parts"
    left_mark = "the ## of the left symbol stays: only the right one's is dropped"
    upside = "this is upside down"

    def tables(words, weight=lambda n: n, alone=False):
        one, two = {}, {}
        for s, n in words.items():
            for i, c in enumerate(s):
                if not alone or len(s) > 1:
                    one[c] = one.get(c, 0) + weight(n)
                if i:
                    two[s[i - 1], c] = two.get((s[i - 1], c), 0) + weight(n)
        return one, two

    def by(rule, **odd):
        def function(words):
            one, two = tables(words, **odd)
            total = sum(one.values())
            return {(a, b): rule(n, one[a], one[b], total, sum(two.values())) for (a, b), n in two.items()}

        return function

    def joined_in(s, p, j):
        out, i = [], 0
        while i < len(s):
            hit = i + 1 < len(s) and (s[i], s[i + 1]) == p
            out, i = [*out, j if hit else s[i]], i + 1 + hit
        return tuple(out)

    def by_sides(words):
        two, left, right = tables(words)[1], {}, {}
        for (a, b), n in two.items():
            left[a], right[b] = left.get(a, 0) + n, right.get(b, 0) + n
        return {(a, b): n / (left[a] * right[b]) for (a, b), n in two.items()}

    good = by(lambda n, a, b, *_: n / (a * b))

    def by_symbols(count):
        """Another count of single symbols; the pairs are right."""

        def function(words):
            one = {}
            for s, n in words.items():
                for c in s if count != "kinds" else set(s):
                    one[c] = one.get(c, 0) + (1 if count == "places" else n)
            return {(a, b): n / (one[a] * one[b]) for (a, b), n in tables(words)[1].items()}

        return function

    rules = {
        "a symbol counts wherever it stands, not only on that side of a pair": by_sides,
        "the symbols, too, count as often as their word occurs": by_symbols("places"),
        "a symbol that stands twice in a word counts twice": by_symbols("kinds"),
        "this is the gain in likelihood, C(ab) in front of a logarithm: the score is the fraction alone":
            by(lambda n, a, b, t, _: n * np.log(n * t / (a * b))),
        "the numerator is missing: how often the pair occurs": by(lambda n, a, b, *_: 1 / (a * b)),
        "how often each word occurs was ignored": by(lambda n, a, b, *_: n / (a * b), weight=lambda n: 1),
        counts: by(lambda n, a, b, *_: n),
        "divide by the counts of both parts, not of one": by(lambda n, a, b, *_: n / a),
        "n / a * b divides by one count and multiplies by the other: write n / (a * b)":
            by(lambda n, a, b, *_: n / a * b),
        "divide by the count of the left part, too": by(lambda n, a, b, *_: n / b),
        "divide by the product of the counts, not by their sum": by(lambda n, a, b, *_: n / (a + b)),
        "divide by the product of the counts, not by its root": by(lambda n, a, b, *_: n / (a * b) ** 0.5),
        upside: by(lambda n, a, b, *_: a * b / n),
        "the logarithm was taken: the score is the fraction itself": by(lambda n, a, b, t, _: np.log(n * t / (a * b))),
        "the product of the counts stands above the line, too: that is always 1": by(lambda n, a, b, *_: 1.0),
        "the product of the counts stands above the line": by(lambda n, a, b, *_: a * b),
        "a symbol counts in words of one symbol, too": by(lambda n, a, b, *_: n / (a * b), alone=True),
        "counts were divided by all symbols first: the score takes the counts":
            by(lambda n, a, b, t, q: (n / q) / (a / t * b / t)),
    }
    check.mistakes(rules, wordpiece_scores)

    def trained(scores=good, tie=lambda p, seen: p, join=lambda a, b: a + b.removeprefix("##"), room=0):
        def function(words, num_merges):
            merges = []
            while len(merges) < num_merges + room and (found := scores(words)):
                seen = {p: i for i, p in enumerate(found)}
                best = min(found, key=lambda p: (-found[p], tie(p, seen)))
                merges.append(best)
                words = {joined_in(s, best, join(*best)): n for s, n in words.items()}
            return merges

        return function

    def turned_round(symbol):
        """A key by which the last in the order of letters comes first."""
        return [-ord(c) for c in symbol] + [0]

    told = {words: trained(rule) for words, rule in rules.items() if words not in (counts, upside)}
    check.mistakes(told | {
        "the most frequent pair was merged: the score decides": trained(rules[counts]),
        "the lowest score was taken": trained(lambda w: {p: -v for p, v in good(w).items()}),
        "the ## of the right part is dropped when it is joined": trained(join=lambda a, b: a + b),
        "the joined symbol has ## only where its left part has: at the beginning of a word there is none":
            trained(join=lambda a, b: "##" + a.removeprefix("##") + b.removeprefix("##")),
        "equal fractions are equal after *one* division: divide once, by the product":
            trained(by(lambda n, a, b, *_: n / a / b)),
        left_mark: trained(join=lambda a, b: (a + b).replace("##", "")),
        "a tie: the smallest pair wins, not the one seen first": trained(tie=lambda p, seen: seen[p]),
        "a tie: the smallest pair wins, here it is the last one":
            trained(tie=lambda p, seen: [turned_round(symbol) for symbol in p]),
        "one merge too few": trained(room=-1),
        "one merge too many": trained(room=1),
        "the joined symbols came back: the pairs are asked":
            lambda words, n: [a + b.removeprefix("##") for a, b in trained()(words, n)],
        "scores are computed anew after each merge":
            lambda words, n: sorted(good(words), key=lambda p: (-good(words)[p], p))[:n],
    }, train_wordpiece)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def corpus_of(letters, number, most=6):
        words = {}
        for _ in range(number):
            w = [str(c) for c in check.rng.choice(list(letters), size=int(check.rng.integers(1, most)))]
            words[tuple([w[0], *["##" + c for c in w[1:]]])] = int(check.rng.integers(1, 7))
        return words

    for letters, number in [("abcd", 7), ("wxyz", 9)]:
        words = corpus_of(letters, number) | {(letters[0],): 4, (letters[1], "##" + letters[0]): 3}
        check(wordpiece_scores, words).equals(good(words), rtol=1e-6, about="fresh words")
    check(wordpiece_scores, {("a",): 3}).equals({}, about="no pairs", edge=True)
    for letters, number in [("abcde", 8), ("wxyz", 10), ("hijklm", 9)]:
        words = corpus_of(letters, number, 7)
        check(train_wordpiece, words, 5).equals(trained()(words, 5), about="fresh words, five merges")
    words = {(c, "##" + c): 1 for c in map(chr, check.rng.permutation(range(97, 187)))}
    check(train_wordpiece, words, 80).equals(
        [(c, "##" + c) for c in map(chr, range(97, 177))], about="many merges")
    for often in ("##b", "a"):  # 3 / (3 * 10) and 1 / (2 * 5), either way
        words = {("a", "##b"): 3, (often,): 7, ("c", "##d"): 1, ("c",): 1, ("##d",): 4, ("e", "##f"): 1, ("e",): 1,
                 ("##f",): 4}
        check(train_wordpiece, words, 1).equals([("a", "##b")], about="equal fractions", edge=True, near={
            "equal fractions are equal after *one* division: divide once, by the product": [("c", "##d")]})
    words = {("a", "##b"): 1, ("##b",): 20_001, ("c", "##d"): 1, ("##d",): 20_000}
    check(train_wordpiece, words, 1).equals([("c", "##d")], about="nearly equal fractions", edge=True, near={
        "only the very same score is a tie: no rounding, no isclose": [("a", "##b")]})
    check(train_wordpiece, {("a!", "##b"): 2, ("a", "##z"): 2}, 1).equals(
        [("a", "##z")], about="a tie with a sign", edge=True, near={
            "a tie: the pairs are compared, not the joined symbols": [("a!", "##b")]})
    check(train_wordpiece, {("ab", "##a"): 2, ("a", "##z"): 2}, 1).equals(
        [("a", "##z")], about="a tie of pairs", near={
            "a tie: the pairs are compared, not the joined symbols": [("ab", "##a")]})
    check(train_wordpiece, {("a", "##b"): 2}, 9).equals([("a", "##b")], about="no pair is left", edge=True, near={
        **stops,
        "where no pair is left it ends, and the last pair is not merged again": [("a", "##b")] * 9,
        "one pair alone is merged, too: only without any pair it ends": [],
    })
    check(train_wordpiece, corpus, 0).equals([], about="no merges", edge=True)
    hashes = {("x", "###", "##y"): 2, ("z", "##y"): 9}
    check(train_wordpiece, hashes, 3).equals(
        [("x", "###"), ("x#", "##y"), ("z", "##y")], about="a hash inside a word", edge=True, near={
            "only the first ## of the right part goes: ### stands for a hash": [
                ("x", "###"), ("x", "##y"), ("z", "##y")]})
    words = {("r", "##a", "##w"): 2, ("r", "##o"): 3}
    check(train_wordpiece, words, 3).equals(
        [("##a", "##w"), ("r", "##aw"), ("r", "##o")], about="a joined symbol that continues a word", near={
            left_mark: [("##a", "##w"), ("r", "##o"), ("r", "aw")],
            "the joined symbol lacks right's ##": [("##a", "##w"), ("r", "##a##w"), ("r", "##o")],
        })
    ### END HIDDEN TESTS


score
