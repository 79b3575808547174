from helpers.checks import graded


@graded("viterbi", points=8)
def score(check):
    ### BEGIN MISTAKES
    from itertools import product

    import numpy as np

    longest = "this is the greedy longest match: the sum of the log-probabilities decides"
    dear = "an unknown character costs 10 less than the smallest log-probability"

    def cuts(text):
        if len(text) > 20:
            raise RuntimeError("too many cuts")
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

    def greedy(text, p):
        out, i = [], 0
        while i < len(text):
            j = next((j for j in range(len(text), i, -1) if text[i:j] in p), i + 1)
            out, i = [*out, text[i:j]], j
        return out

    def from_right(text, p):
        mirrored = {piece[::-1]: v for piece, v in p.items()}
        return [piece[::-1] for piece in reversed(greedy(text[::-1], mirrored))]

    def locally(text, p):
        out, i = [], 0
        while i < len(text):
            ends = [j for j in range(i + 1, len(text) + 1) if text[i:j] in p] or [i + 1]
            j = max(ends, key=lambda j: p.get(text[i:j], 0.0))
            out, i = [*out, text[i:j]], j
        return out

    def best(found, p):
        return max(found, key=lambda f: f[1])[0]

    def stepped(floor=lambda p: min(p.values()) - 10, longer=None, keep=1.0, last=False, low=lambda j: 0, behind=0,
                product=False):
        """From place to place; longer: long pieces may be unknown, too; last: an unknown one only where none ends."""

        def function(text, p):
            sums, begins = [0.0] + [-np.inf] * len(text), [0] * (len(text) + 1)
            for j in range(1, len(text) + 1):
                for i in range(low(j), j - behind):
                    c = text[i:j]
                    if c not in p and ((longer is None and j - i > 1) or (last and sums[j] > -np.inf)):
                        continue
                    found = p.get(c, floor(p))
                    found = found * sums[i] if product and i else found + keep * sums[i]
                    if found > sums[j]:
                        sums[j], begins[j] = found, i
            out, j = [], len(text)
            while j:
                out, j = [text[begins[j] : j], *out], begins[j]
            return out

        return function

    def of_short(mistake):
        """A mistake that is made on short texts only: on long ones each takes seconds."""

        def function(text, p):
            if len(text) > 100:
                raise RuntimeError("too long")
            return mistake(text, p)

        return function

    right = chosen(best)
    known = {
        longest: greedy,
        "the cut is read from the end: turn it round": lambda t, p: right(t, p)[::-1],
        "the longest match was taken from the right": from_right,
        "the least probable cut was taken": chosen(lambda found, p: min(found, key=lambda f: f[1])[0]),
        "the best piece at each place was taken: the whole cut counts": locally,
        "the fewest pieces were taken: the sum of the log-probabilities decides":
            chosen(lambda found, p: min(found, key=lambda f: (len(f[0]), -f[1]))[0]),
        "the mean of the log-probabilities was maximised: their sum is asked":
            chosen(lambda found, p: max(found, key=lambda f: f[1] / len(f[0]))[0]),
        "single characters came back: longer pieces may be more probable": lambda t, p: list(t),
        "the text came back as one piece: no cut led to its end. Does i begin at 0, and is the last j its length?":
            lambda t, p: [t],
        "a single character may be a piece, too: i goes up to j - 1": stepped(behind=1),
        "the probabilities were added: in a cut they are multiplied":
            chosen(lambda found, p: max(found, key=lambda f: sum(np.exp(p.get(c, -99.0)) for c in f[0]))[0]),
        "an unknown character is a piece of its own": lambda t, p: [c for c in right(t, p) if c in p],
        dear: chosen(best, penalty=0.0),
        "only a single character may be unknown: a longer piece must be in log_probs": stepped(longer=0.0),
        "a piece that is not in log_probs has no log-probability of 0: that would be certain":
            stepped(lambda p: 0.0, longer=0.0),
        "a character that is not in log_probs has no log-probability of 0: that would be certain":
            stepped(lambda p: 0.0),
        "each known piece cost the same: its own log-probability counts":
            lambda t, p: stepped(lambda _: min(p.values()) - 10)(t, dict.fromkeys(p, -1.0)),
        "the log-probabilities were multiplied: they are added": stepped(product=True),
        "only the last piece counted: add what was best up to its begin": stepped(keep=0.0),
        "pieces as long as the longest were never tried: i goes from j minus the greatest length to j - 1":
            lambda t, p: stepped(low=lambda j: max(0, j - max(map(len, p)) + 1))(t, p),
        "the unknown character itself is the piece, no <unk>":
            lambda t, p: [c if c in p else "<unk>" for c in right(t, p)],
        "the unknown character itself is the piece, no [UNK]":
            lambda t, p: [c if c in p else "[UNK]" for c in right(t, p)],
        "an unknown character may stand wherever that makes the cut better, not only where no piece fits":
            stepped(last=True),
        f"{dear}, not 10 in all": stepped(lambda p: -10.0),
        f"{dear}: here it is cheaper (10 below the largest, or the mean?)": stepped(lambda p: max(p.values()) - 10),
        f"{dear}, not ten times as much": stepped(lambda p: 10 * min(p.values())),
        f"{dear}, not 10 more": stepped(lambda p: min(p.values()) + 10),
        "a piece may begin where the text begins, too": stepped(low=lambda j: 1 if j > 1 else 0),
        "a piece may end with the text: j goes up to its length": lambda t, p: stepped()(t[:-1], p),
        "the sum was asked for by no one: return the pieces": lambda t, p: value(right(t, p), p),
    }
    check.mistakes({words: of_short(mistake) for words, mistake in known.items()}, viterbi)
    ### END MISTAKES
    pieces = {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -1.5}
    check(viterbi, "aba", pieces).equals(["a", "ba"])
    pieces = {"b": -0.5, "c": -3.5, "bc": -3.0, "bba": -3.5, "cbb": -1.9, "bcb": -5.0}
    check(viterbi, "cbbazbcb", pieces).equals(["c", "bba", "z", "bc", "b"])
    check(viterbi, "abc", {"abc": -23.0, "a": -1.0, "b": -1.0}).equals(["abc"], about="an unknown c would cost 33")
    nested = {"a call inside a call for each character: Python stops at about 1,000, so use a loop": RecursionError}
    aba = {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -1.5}
    check(viterbi, "aba" * 700, aba).equals(["a", "ba"] * 700, about="2,100 characters", edge=True, near=nested)
    fused = "each unknown character is a piece of its own: they are not put together"
    check(viterbi, "bzzb", pieces).equals(["b", "z", "z", "b"], near={fused: ["b", "zz", "b"]})
    ### BEGIN HIDDEN TESTS
    from tokenizers import models

    check.hidden()

    def table(letters, number, most):
        lengths = check.rng.integers(2, most, size=number)
        parts = {"".join(check.rng.choice(list(letters), size=int(n))) for n in lengths}
        p = {c: float(-2 - 3 * check.rng.random()) for c in letters}
        return p | {c: float(-1.2 * len(c) - 3 * check.rng.random()) for c in sorted(parts)}

    def library(text, p):
        model = models.Unigram([("<unk>", 0.0), *p.items()], unk_id=0)
        return [token.value for token in model.tokenize(text)]

    def known_values(text, p):
        values = [value(cut, p) for cut in cuts(text)]
        return sorted(v for v in values if v is not None)

    def drawn(letters, number, most, size=9):
        """Pieces and a text with one best cut: aa|a and a|aa would be equally good."""
        while True:
            p = table(letters, number, most)
            text = "".join(check.rng.choice(list(letters), size=size))
            values = known_values(text, p)
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
        sums = [known_values(part, p) for part in (text[:3], text[-3:])]
        if all(len(v) < 2 or v[-1] - v[-2] > 1e-3 for v in sums):
            check(viterbi, text, p).equals(parts, about="unknown characters")
    check(viterbi, "ab?ba", {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -1.5}).equals(
        ["ab", "?", "ba"], about="unknown characters")
    p = table("abcd", 30, 5)
    text = "".join(check.rng.choice(list("abcd"), size=60))
    most_probable = sum(p[c] for c in library(text, p))
    check(viterbi, text, p).holds(
        lambda v: "".join(v) == text and sum(p[c] for c in v) > most_probable - 1e-6, "a cut as good as the library's",
        about="as the library cuts", near={longest: lambda v: v == greedy(text, p)})
    p = {"ab": -3.0, "b": -1.0, "c": -4.0}
    check(viterbi, "aab", p).equals(["a", "ab"], about="a character that only longer pieces hold", near={
        fused: ["aa", "b"]})
    for piece in (-4.0, -25.0):
        check(viterbi, "bzz", {"zz": piece, "b": -30.0}).equals(["b", "zz"], about="a piece of unknown characters")
    p = {"a": -12.0, "xb": -12.0, "ax": -1.0}  # -23 against -24
    check(viterbi, "axb", p).equals(["ax", "b"], about="an unknown character makes the better cut", edge=True)
    p = {"abc": -30.0, "a": -1.0, "b": -1.0}
    check(viterbi, "abc", p).equals(["abc"], about="an unknown character is dear", near={
        dear: ["a", "b", "c"]})
    for last, parts in [(-2.5, ["a", "bzc", "d"]), (-3.5, ["ab", "z", "cd"])]:  # -21 against -20.5 and -21.5
        check(viterbi, "abzcd", {"ab": -1.0, "cd": -1.0, "a": -9.0, "bzc": -9.0, "d": last}).equals(
            parts, about="an unknown character costs 10 less", near={
                dear: ["ab", "z", "cd"] if last == -2.5 else ["a", "bzc", "d"]})
    p = {"A": -1.0, "a": -9.0, " ": -2.0, "  ": -2.5, " \n": -1.0, "\n": -2.0, "é": -3.0, "e": -1.0, "\u0301": -1.5}
    check(viterbi, "  A  e\u0301a \n", p).equals(
        ["  ", "A", "  ", "e", "\u0301", "a", " \n"], about="capitals, white space, accents", near={
            "the text is cut as it is, at its ends, too": ["A", "  ", "e", "\u0301", "a"]})
    p = {"a": 0.0, "b": -4.0, "x": -1.0, "ab": -5.0, "xa": -3.0, "abx": -30.0}
    check(viterbi, "abxab", p).equals(["a", "b", "x", "a", "b"], about="a piece that is certain", near={
        "a log-probability of 0 is known, too: the probability 1": ["ab", "x", "ab"]})
    check.mistakes({}, viterbi)
    p = {"a": -1.0, "c" + "ab" * 40: -25.0, "b": -1.0}
    check(viterbi, "bc" + "ab" * 41, p).equals(["b", "c" + "ab" * 40, "a", "b"], about="a long piece")
    p = {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -1.5}
    for times, about in [(174, "a long text"), (700, "a text of 2,100 characters")]:
        check(viterbi, "aba" * times, p).equals(["a", "ba"] * times, about=about, edge=True, near=nested)
    check(viterbi, "b", {"abab": -3.0, "b": -1.0}).equals(["b"], about="one character", edge=True)
    check(viterbi, "", p).equals([], about="an empty text", edge=True, near={
        "the empty text has no pieces: an empty list": [""]})
    check(viterbi, "ab" * 20, {"a": -90.0, "b": -80.0, "ab": -175.0, "ba": -160.0}).equals(
        ["a", *["ba"] * 19, "b"], about="very small probabilities", edge=True, near={
            "a product of small probabilities becomes 0: add the logarithms; or the search begins with a number such "
            "as -1000, which is not below every sum: minus infinity is": ["ab" * 20]})
    check(viterbi, "ab" * 20, {"a": -90.0e7, "b": -80.0e7, "ab": -175.0e7, "ba": -160.0e7}).equals(
        ["a", *["ba"] * 19, "b"], about="log-probabilities far below 0", edge=True, near={
            "minus infinity is below every sum, no number is": ["ab" * 20]})
    ### END HIDDEN TESTS


score
