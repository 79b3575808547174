from helpers.checks import graded


@graded("em", points=6)
def score(check):
    look_up = "a part of a word may not be in log_probs: then it is no piece"

    ### BEGIN MISTAKES
    import numpy as np
    from scipy.special import digamma

    ones = "at first 1 at one end and 0 elsewhere: the logarithm of 0 is -inf, not 0"

    def cuts(text):
        if not text:
            return [[]]
        return [[text[:i], *rest] for i in range(1, len(text) + 1) for rest in cuts(text[i:])]

    def possible(word, p):
        """The cuts of a word whose pieces are all known, and their probabilities."""
        if len(word) > 20:
            raise RuntimeError("too many cuts")
        found = [cut for cut in cuts(word) if set(cut) <= set(p)]
        return found, np.exp([sum(map(p.get, cut)) for cut in found])

    def places(cut):
        return [(len("".join(cut[:k])), c) for k, c in enumerate(cut)]

    def expected(weigh=lambda q: q / q.sum(), times=lambda n: n, how=lambda cut, c: cut.count(c), keep=True):
        def function(words, p):
            out = dict.fromkeys(p, 0.0)
            for word, n in words.items():
                found, chances = possible(word, p)
                for cut, weight in zip(found, weigh(chances), strict=True):
                    for c in set(cut):
                        out[c] += times(n) * weight * how(cut, c)
            return {c: float(v) for c, v in out.items() if v or keep}

        return function

    def lattice(weight=lambda a, b, i, j, q: a[i] * q * b[j] / a[-1], start=(0.0, 0.0), begin=0.0, shares=False,
                less=0):
        """From both ends, in plain probabilities; start: what stands all but at one end; less: than the longest has."""

        def function(words, p):
            out = dict.fromkeys(p, begin)
            for word, n in words.items():
                size, most = len(word), max(map(len, p)) - less if less else len(word)
                spans = [(i, j) for i in range(size) for j in range(i + 1, size + 1)]
                spans = [(i, j) for i, j in spans if word[i:j] in p and j - i <= most]
                a, b = [1.0] + [start[0]] * size, [start[1]] * size + [1.0]
                for i, j in sorted(spans, key=lambda span: span[1]):
                    a[j] += a[i] * np.exp(p[word[i:j]])
                for i, j in sorted(spans, key=lambda span: -span[0]):
                    b[i] += b[j] * np.exp(p[word[i:j]])
                for i, j in spans:
                    out[word[i:j]] += n * weight(a, b, i, j, np.exp(p[word[i:j]]))
            total = sum(out.values()) if shares else 1.0
            return {c: float(v / total) for c, v in out.items()}

        return function

    def best_only(words, p):
        """The best cut that has a piece at its place, over the best of all: not their sums."""
        out = dict.fromkeys(p, 0.0)
        for word, n in words.items():
            best = {}
            for cut, chance in zip(*possible(word, p), strict=True):
                for place in places(cut):
                    best[place] = max(best.get(place, 0.0), chance)
            for (_, c), chance in best.items():
                out[c] += float(n * chance / max(best.values()))
        return out

    def without_end(words, p):
        """The word has the probability 0: what stands before its end is 0 / 0."""
        text = "\0".join(word[:-1] for word in words)
        return {c: np.nan if c in text else 0.0 for c in p}

    known = {
        "a piece at i:j takes beta(j), what follows behind it: here beta(i)":
            lattice(lambda a, b, i, j, q: a[i] * q * b[i] / a[-1]),
        "a piece at i:j takes alpha(i), what stands before it: here alpha(j)":
            lattice(lambda a, b, i, j, q: a[j] * q * b[j] / a[-1]),
        "alpha and beta are exchanged: alpha(i) stands before the piece, beta(j) behind it":
            lattice(lambda a, b, i, j, q: a[j] * q * b[i] / a[-1]),
        "the probability of the piece itself is missing": lattice(lambda a, b, i, j, q: a[i] * b[j] / a[-1]),
        "beta is missing: what follows the piece has a probability, too":
            lattice(lambda a, b, i, j, q: a[i] * q / a[-1]),
        "beta is missing, and the probability of the beginning, alpha(j), divides: that of the word is alpha(n)":
            lattice(lambda a, b, i, j, q: a[i] * q / a[j]),
        "alpha is missing: what stands before the piece has a probability, too":
            lattice(lambda a, b, i, j, q: q * b[j] / a[-1]),
        "the piece's probability was taken twice: alpha(j) has it already":
            lattice(lambda a, b, i, j, q: a[i] * q * q * b[j] / a[-1]),
        f"alpha is {ones}": lattice(start=(1.0, 0.0)),
        f"beta is {ones}": lattice(start=(0.0, 1.0)),
        f"alpha and beta are {ones}": lattice(start=(1.0, 1.0)),
        "the counts begin at 0, not at 1": lattice(begin=1.0),
        "pieces as long as the longest were never counted: i:j may be that long": lattice(less=1),
        look_up: lambda words, p: {}[next(iter(p))],
        "a piece may end with the word: j goes up to its length. Without that the word has the probability 0":
            without_end,
        "these are shares: the expected counts are asked": lattice(shares=True),
        "only the best cut was counted: all cuts count, each by its probability":
            expected(lambda q: (q == q.max()) * 1.0),
        "divide by the probability of the word: all its cuts together have weight 1": expected(lambda q: q),
        "how often each word occurs was ignored": expected(times=lambda n: 1),
        "each cut has a weight of its own: its probability, divided by that of all cuts":
            expected(lambda q: np.ones(len(q)) / len(q)),
        "places were counted, whatever their probability": expected(lambda q: np.ones(len(q))),
        "alpha and beta are sums over cuts, not the best of them": best_only,
        "a piece that stands twice in a cut counts twice": expected(how=lambda cut, c: 1),
        "a piece that is never used has 0, and is not left out": expected(keep=False),
        "the weights are probabilities, not their logarithms": expected(lambda q: np.log(q) / np.log(q).sum()),
        "the weights are probabilities: no root and no square": expected(lambda q: q**2 / (q**2).sum()),
    }
    check.mistakes(known, expected_counts)

    def maximised(rule, keep=lambda c, f: c >= f, whole=False):
        def function(counts, fewest=0.5):
            kept = {c: v for c, v in counts.items() if keep(v, fewest)}
            return {c: float(rule(v, sum((counts if whole else kept).values()))) for c, v in kept.items()}

        return function

    def psi(c, s):
        return digamma(c) - digamma(s)

    def sum_of_digammas(counts, fewest=0.5):
        kept = {c: v for c, v in counts.items() if v >= fewest}
        total = sum(digamma(v) for v in kept.values())
        return {c: float(digamma(v) - total) for c, v in kept.items()}

    check.mistakes({
        "this is the logarithm: digamma is asked": maximised(lambda c, s: np.log(c) - np.log(s)),
        "the sum goes over the pieces that are kept": maximised(psi, whole=True),
        "pieces below `fewest` are dropped": maximised(psi, keep=lambda c, f: True),
        "a count of exactly `fewest` is kept": maximised(psi, keep=lambda c, f: c > f),
        "the argument fewest was ignored": maximised(psi, keep=lambda c, f: c >= 0.5),
        "digamma of the sum, not the logarithm of it": maximised(lambda c, s: digamma(c) - np.log(s)),
        "digamma of the count, not the logarithm of it": maximised(lambda c, s: np.log(c) - digamma(s)),
        "digamma of the share: it is taken of the count and of the sum": maximised(lambda c, s: digamma(c / s)),
        "digamma is asked: ln(c - 1/2) is only near it": maximised(lambda c, s: np.log(c - 0.5) - np.log(s - 0.5)),
        "digamma is asked: ln(c - 1/2) of the counts is only near it":
            maximised(lambda c, s: np.log(c - 0.5) - np.log(s)),
        "digamma comes as it is, not divided by ln 2": maximised(lambda c, s: psi(c, s) / np.log(2)),
        "a piece below `fewest` is left out, it does not stay with -inf":
            lambda counts, fewest=0.5: dict.fromkeys(counts, -np.inf) | maximised(psi)(counts, fewest),
        "these are probabilities: their logarithms are asked": maximised(lambda c, s: np.exp(psi(c, s))),
        "shares, and no logarithms": maximised(lambda c, s: c / s),
        "the sum is missing": maximised(lambda c, s: digamma(c)),
        "the sign is turned round": maximised(lambda c, s: -psi(c, s)),
        "digamma of the sum, not the sum of the digammas": sum_of_digammas,
    }, maximise)
    ### END MISTAKES
    p = {"a": -0.6931472, "b": -1.3862944, "ab": -2.0794415, "c": -3.0}
    begin = "each piece of log_probs begins with the count 0, before anything is added to it"
    first = check(expected_counts, {"ab": 1}, p).equals(
        {"a": 0.5, "b": 0.5, "ab": 0.5, "c": 0.0}, rtol=1e-5,
        near={
            "one cut alone was counted, where two are equally good: all cuts count":
                {"a": 1.0, "b": 1.0, "ab": 0.0, "c": 0.0},
            begin: KeyError,
        },
    )
    p2 = {piece: p[piece] for piece in ("a", "b", "ab")} | {"ba": -2.5}
    check(expected_counts, {"aba": 2, "ab": 3}, p2).equals(
        {"a": 4.2528192, "b": 2.2528192, "ab": 2.2528194, "ba": 0.4943614}, rtol=1e-5,
        near={look_up if first.passed else begin: KeyError},
    )
    tiny = "the probability of a long word is 0 in floating point: compute with logarithms"
    p3 = {"a": -9.0, "b": -8.0, "ab": -20.0}
    check(expected_counts, {"ab" * 150: 1}, p3).equals(
        {"a": 142.88612, "b": 142.88612, "ab": 7.1138806}, about="300 characters", edge=True, rtol=1e-3,
        near={tiny: dict.fromkeys(p3, float("nan"))})
    check(maximise, {"a": 4.0, "b": 2.0, "c": 0.25, "d": 0.5}).equals(
        {"a": -0.5367937, "b": -1.370127, "d": -3.7564214}, rtol=1e-5
    )
    check(maximise, {"a": 4.0, "b": 2.0, "c": 0.25, "d": 1.5}, 2.0).equals({"a": -0.45, "b": -1.2833333}, rtol=1e-5)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    if not first.passed:  # then a KeyError has another reason than a part of a word
        other_reason = {begin if words == look_up else words: mistake for words, mistake in known.items()}
        check.mistakes(other_reason, expected_counts)
    right = expected()
    for letters in ("ab", "abc"):
        parts = {"".join(check.rng.choice(list(letters), size=int(n))) for n in check.rng.integers(2, 4, size=8)}
        p = {c: float(-1 - 3 * check.rng.random()) for c in [*letters, *sorted(parts), "zz"]}
        drawn = ["".join(check.rng.choice(list(letters), size=n)) for n in (4, 6, 7)]
        words = {word: int(check.rng.integers(1, 6)) for word in drawn}
        check(expected_counts, words, p).equals(right(words, p), about="fresh words", rtol=1e-4, atol=1e-7)
    p = {"a": -1.0, "aa": -1.5, "aaa": -2.5}
    check(expected_counts, {"aaaaaa": 2}, p).equals(right({"aaaaaa": 2}, p), about="repeated characters", rtol=1e-4)
    p = {"a": -9.0, "b": -8.0, "ab": -20.0}
    n = 220
    share = 1 / (1 + np.exp(3.0))  # of ab against a|b: each of the 150 is cut by itself
    counts = {"a": n * (1 - share), "b": n * (1 - share), "ab": n * share}
    check.mistakes({}, expected_counts)
    part = 1 / (1 + np.exp(-8.0 + 7.5))
    check(expected_counts, {"a" * 40: 3}, {"a": -0.2, "a" * 40: -7.5}).equals(
        {"a": 3 * 40 * (1 - part), "a" * 40: 3 * part}, about="a long piece", rtol=1e-4, near={
            "a piece may be as long as the word": {"a": 120.0, "a" * 40: 0.0}})
    check(expected_counts, {"ab" * n: 1}, p).equals(
        counts, about="a long word", edge=True, rtol=1e-3,
        near={tiny: dict.fromkeys(p, np.nan)},
    )
    p = {"a": 0.0, "b": -2.0, "ab": -1.0, "bbb": -1.5}
    words = {"ab": 3, "abbba": 2, "a": 1}
    check(expected_counts, words, p).equals(right(words, p), about="a piece that is certain", rtol=1e-4)
    p = {"a": -1.0, "A": -2.0, " ": -1.0, "a ": -1.5, " a": -1.5, "e\u0301": -2.0, "e": -2.0, "\u0301": -1.0}
    words = {" a ": 2, "Aae\u0301": 3, "a a": 1}
    check(expected_counts, words, p).equals(
        right(words, p), about="capitals, white space, accents", rtol=1e-4, edge=True)
    p = {"a": -9.0, "b": -8.0, "ab": -20.0}
    check(expected_counts, {"a": 3}, p).equals(
        {"a": 3.0, "b": 0.0, "ab": 0.0}, about="one character", edge=True, rtol=1e-4)
    for given in ((), (1.5,)):
        counts = {c: float(check.rng.gamma(1.0, 3.0)) for c in ("a", "b", "cd", "efg", "h")} | {"x": 2.0, "y": 0.1}
        kept = {c: v for c, v in counts.items() if v >= (given[0] if given else 0.5)}
        whole = digamma(sum(kept.values()))
        check(maximise, counts, *given).equals(
            {c: float(digamma(v) - whole) for c, v in kept.items()}, about="fresh counts", rtol=1e-4, atol=1e-6)
    for fewest in (0.01, 0.0, 40.0):
        counts = {"a": float(check.rng.gamma(2.0, 3.0)), "b": 0.04, "c": 0.008, "d": 90.0, "e": 400.0}
        whole = digamma(sum(v for v in counts.values() if v >= fewest))
        check(maximise, counts, fewest).equals(
            {c: float(digamma(v) - whole) for c, v in counts.items() if v >= fewest},
            about="small and large counts", rtol=1e-4, atol=1e-6)
    check(maximise, {"a": 3.0}).equals({"a": 0.0}, about="one piece", edge=True, atol=1e-6)
    check(maximise, {"a": 4.0, "b": 2.0, "c": 1.0}, 2.0).equals(
        {"a": -0.4500000, "b": -1.2833333}, rtol=1e-5, about="another `fewest`", near={
            "the argument `fewest` was ignored": {"a": -0.6166667, "b": -1.45, "c": -2.45}})
    ### END HIDDEN TESTS


score
