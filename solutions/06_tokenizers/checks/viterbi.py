from helpers.checks import graded


@graded("viterbi", points=6)
def score(check):
    pieces = {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -1.5}
    longest = "this is the greedy longest match: the sum of the log-probabilities decides"
    turned = "the cut is read from the end: turn it round"
    worst = "the least probable cut was taken"
    single = "single characters came back: longer pieces may be more probable"
    check(viterbi, "aba", pieces).equals(["a", "ba"], near={
        longest: ["ab", "a"], turned: ["ba", "a"], worst: ["a", "b", "a"], single: ["a", "b", "a"],
    })
    check(viterbi, "bazab", pieces).equals(["ba", "z", "ab"], near={
        "an unknown character is a piece of its own": ["ba", "ab"], turned: ["ab", "z", "ba"],
        worst: ["b", "a", "z", "a", "b"], single: ["b", "a", "z", "a", "b"],
    })
    fewest = "the fewest pieces were taken: the sum of the log-probabilities decides"
    dear = "an unknown character costs 10 less than the smallest log-probability"
    fused = "each unknown character is a piece of its own: they are not put together"
    pieces = {"a": -1.0, "b": -1.0, "ab": -2.5, "abc": -30.0}
    check(viterbi, "abzzabc", pieces).equals(["a", "b", "z", "z", "abc"], near={
        fewest: ["ab", "z", "z", "abc"], dear: ["a", "b", "z", "z", "a", "b", "c"], fused: ["a", "b", "zz", "abc"],
        worst: ["ab", "z", "z", "ab", "c"], single: ["a", "b", "z", "z", "a", "b", "c"],
    })
    ### BEGIN HIDDEN TESTS
    from itertools import product

    from tokenizers import models

    check.hidden()

    def cuts(text):
        for marks in product((False, True), repeat=len(text) - 1):
            parts, start = [], 0
            for i, cut in enumerate(marks, 1):
                if cut:
                    parts, start = [*parts, text[start:i]], i
            yield [*parts, text[start:]]

    def value(parts, p, penalty=10.0, low=min):
        least = low(p.values()) - penalty
        found = [p.get(c, least if len(c) == 1 else None) for c in parts]
        return None if None in found else sum(found)

    def chosen(rule, penalty=10.0, low=min):
        def function(text, p):
            if not text:
                return []
            found = [(parts, value(parts, p, penalty, low)) for parts in cuts(text)]
            return rule([(parts, v) for parts, v in found if v is not None], p)

        return function

    def greedy(text, p, start=1):
        out, i = [], 0
        while i < len(text):
            j = next((j for j in range(len(text), i, -1) if text[i:j] in p), i + 1)
            out, i = [*out, text[i:j]], j
        return out

    def locally(text, p):
        out, i = [], 0
        while i < len(text):
            ends = [j for j in range(i + 1, len(text) + 1) if text[i:j] in p] or [i + 1]
            j = max(ends, key=lambda j: p.get(text[i:j], 0.0))
            out, i = [*out, text[i:j]], j
        return out

    def best(found, p):
        return max(found, key=lambda f: f[1])[0]

    right = chosen(best)
    check.mistakes({
        longest: greedy, turned: lambda t, p: right(t, p)[::-1],
        "the longest match was taken from the right": lambda t, p: [
            w[::-1] for w in greedy(t[::-1], {k[::-1]: v for k, v in p.items()})[::-1]],
        worst: chosen(lambda found, p: min(found, key=lambda f: f[1])[0]),
        "the best piece at each place was taken: the whole cut counts": locally,
        fewest: chosen(
            lambda found, p: min(found, key=lambda f: (len(f[0]), -f[1]))[0]),
        "the mean of the log-probabilities was maximised: their sum is asked": chosen(
            lambda found, p: max(found, key=lambda f: f[1] / len(f[0]))[0]),
        "the probabilities were added: in a cut they are multiplied": chosen(
            lambda found, p: max(found, key=lambda f: sum(np.exp(p.get(c, -99.0)) for c in f[0]))[0]),
        single: lambda t, p: list(t),
        "an unknown character is a piece of its own": lambda t, p: [c for c in right(t, p) if c in p],
        "unknown characters are dear: 10 less than the smallest log-probability": chosen(best, penalty=-10.0, low=max),
        "an unknown character costs 10 *less than the smallest*, not just the smallest": chosen(best, penalty=0.0),
        "the sum was asked for by no one: return the pieces": lambda t, p: value(right(t, p), p),
    })
    import numpy as np

    def table(letters, number, most):
        lengths = check.rng.integers(2, most, size=number)
        parts = {"".join(check.rng.choice(list(letters), size=int(n))) for n in lengths}
        p = {c: float(-2 - 3 * check.rng.random()) for c in letters}
        return p | {c: float(-1.2 * len(c) - 3 * check.rng.random()) for c in sorted(parts)}

    def library(text, p):
        model = models.Unigram([("<unk>", 0.0), *p.items()], unk_id=0)
        return [token.value for token in model.tokenize(text)]


    def drawn(letters, number, most, size=9):
        """Pieces and a text with one best cut: aa|a and a|aa would be equally good."""
        while True:
            p = table(letters, number, most)
            text = "".join(check.rng.choice(list(letters), size=size))
            values = sorted(v for v in (value(cut, p) for cut in cuts(text)) if v is not None)
            if len(values) > 1 and values[-1] - values[-2] > 1e-3:
                return text, p

    for letters, number, most in [("ab", 8, 5), ("abc", 14, 4), ("xyz", 14, 5)]:
        for _ in range(2):
            text, p = drawn(letters, number, most)
            check(viterbi, text, p).equals(right(text, p), about="fresh pieces")
    for strange in ("?", "éü"):
        text, p = drawn("ab", 6, 4, size=6)
        text = text[:3] + strange + text[3:]
        parts = [*right(text[:3], p), *strange, *right(text[3 + len(strange) :], p)]
        sums = [sorted(value(cut, p) for cut in cuts(part) if value(cut, p)) for part in (text[:3], text[-3:])]
        if all(len(v) < 2 or v[-1] - v[-2] > 1e-3 for v in sums):
            check(viterbi, text, p).equals(parts, about="unknown characters")
    check(viterbi, "ab?ba", {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -1.5}).equals(
        ["ab", "?", "ba"], about="unknown characters")
    p = table("abcd", 30, 5)
    text = "".join(check.rng.choice(list("abcd"), size=60))
    check.mistakes({})
    most_probable = sum(p[c] for c in library(text, p))
    check(viterbi, text, p).holds(
        lambda v: "".join(v) == text and sum(p[c] for c in v) > most_probable - 1e-6, "a cut as good as the library's",
        about="as the library cuts", near={longest: lambda v: v == greedy(text, p)})
    p = {"ab": -3.0, "b": -1.0, "c": -4.0}
    check(viterbi, "aab", p).equals(["a", "ab"], about="a character that only longer pieces hold", near={
        fused: ["aa", "b"]})
    p = {"abc": -30.0, "a": -1.0, "b": -1.0}
    check(viterbi, "abc", p).equals(["abc"], about="an unknown character is dear", near={
        dear: ["a", "b", "c"]})
    check(viterbi, "b", {"ab": -3.0, "b": -1.0}).equals(["b"], about="one character", edge=True)
    check(viterbi, "", p).equals([], about="an empty text", edge=True)
    check(viterbi, "ab" * 20, {"a": -90.0, "b": -80.0, "ab": -175.0, "ba": -160.0}).equals(
        ["a", *["ba"] * 19, "b"], about="very small probabilities", edge=True, near={
            "a product of small probabilities becomes 0: add the logarithms": ["ab" * 20]})
    ### END HIDDEN TESTS


score
