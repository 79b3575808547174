from helpers.checks import graded


@graded("prune", points=9)
def score(check):
    itself = "the piece itself stood in its best cut: it must be missing from what viterbi may use"
    characters_stay = "single characters always stay, whatever the others lose"

    ### BEGIN MISTAKES
    from functools import cache
    from math import exp, log

    def cuts(piece, p):
        """All cuts of a piece into known pieces."""
        if not piece:
            yield []
        for i in range(1, len(piece) + 1):
            if piece[:i] in p:
                for rest in cuts(piece[i:], p):
                    yield [piece[:i], *rest]

    def without(piece, p):
        return {other: value for other, value in p.items() if other != piece}

    def best(piece, p):
        """The sum of the best cut, place after place."""

        @cache
        def behind(i):
            if i == len(piece):
                return 0.0
            ends = [j for j in range(i + 1, len(piece) + 1) if piece[i:j] in p]
            return max((p[piece[i:j]] + behind(j) for j in ends), default=-1e9)

        return behind(0)

    def total(cut, p):
        return sum(p[part] for part in cut)

    def few_cuts(piece, p):
        """All cuts without the piece itself; long pieces have too many."""
        if len(piece) > 12:
            raise RuntimeError("too many cuts")
        return list(cuts(piece, without(piece, p)))

    def worst(piece, p):
        return min(total(cut, p) for cut in few_cuts(piece, p))

    def mean(piece, p):
        return max(total(cut, p) / len(cut) for cut in few_cuts(piece, p))

    def lost(other=lambda piece, p: best(piece, without(piece, p)), rule=lambda n, own, cut: n * (own - cut), least=2):
        def function(counts, p):
            return {x: rule(counts[x], v, other(x, p)) for x, v in p.items() if len(x) >= least}

        return function

    def in_letters(piece, p):
        return sum(p[c] for c in piece)

    def in_two(piece, p):
        found = [p[piece[:i]] + p[piece[i:]] for i in range(1, len(piece)) if piece[:i] in p and piece[i:] in p]
        return max(found, default=in_letters(piece, p))

    def longest(piece, p):
        """The cut of the greedy longest match."""
        total, i = 0.0, 0
        while i < len(piece):
            j = next(j for j in range(len(piece), i, -1) if piece[i:j] in p and j - i < len(piece))
            total, i = total + p[piece[i:j]], j
        return total

    def fewest(piece, p):
        found = few_cuts(piece, p)
        least = min(map(len, found))
        return max(total(cut, p) for cut in found if len(cut) == least)

    def forgotten(counts, p):
        """A piece that was taken out does not come back."""
        p, out = dict(p), {}
        for piece in list(p):
            if len(piece) > 1:
                own = p.pop(piece)
                out[piece] = counts[piece] * (own - best(piece, p))
        return out

    def positive(counts, p):
        return {piece: max(value, 0.0) for piece, value in lost()(counts, p).items()}

    check.mistakes({
        itself: lost(lambda piece, p: best(piece, p)),
        "a single character has no other cut: only pieces of two or more are asked":
            lost(lambda piece, p: best(piece, without(piece, p)) if len(piece) > 1 else p[piece], least=1),
        "how often the piece is used was ignored: each use loses": lost(rule=lambda n, own, cut: own - cut),
        "the sign is wrong: a loss is what the piece has more than its best other cut":
            lost(rule=lambda n, own, cut: n * (cut - own)),
        "only the count came back: what one use loses belongs to it": lost(rule=lambda n, own, cut: float(n)),
        "the best other cut was not subtracted": lost(rule=lambda n, own, cut: n * own),
        "the piece's own log-probability is missing": lost(rule=lambda n, own, cut: -n * cut),
        "the two log-probabilities were added: their difference is asked":
            lost(rule=lambda n, own, cut: n * (own + cut)),
        "probabilities were subtracted: their logarithms are asked":
            lost(rule=lambda n, own, cut: n * (exp(own) - exp(cut))),
        "the count stands before the first logarithm alone: it multiplies the whole difference":
            lost(rule=lambda n, own, cut: n * own - cut),
        "the difference of the logarithms was divided by the count: each use loses it once":
            lost(rule=lambda n, own, cut: (own - cut) / n if n else 0.0),
        "the count was added: each use loses, so it multiplies": lost(rule=lambda n, own, cut: n + own - cut),
        "the other cut is its single characters here: longer parts may be better": lost(in_letters),
        "the other cut has two parts here: it may have more": lost(in_two),
        "the other cut is the greedy longest match here: the most probable one is asked": lost(longest),
        "the other cut is the one with the fewest parts here: the most probable one is asked": lost(fewest),
        "the least probable other cut was taken": lost(worst),
        "a piece that was taken out must be there again for the next one": forgotten,
        "a negative loss stays negative: the parts would do better": positive,
        "the size of a negative loss came back: it stays negative":
            lambda counts, p: {piece: abs(value) for piece, value in lost()(counts, p).items()},
        "the mean over the parts of the cut was taken: their sum is asked":
            lost(mean),
        "these are shares of all counts: the count itself multiplies":
            lambda counts, p: {x: v / sum(counts.values()) for x, v in lost()(counts, p).items()},
    }, removal_losses)

    def left(key=lambda p, losses, x: -losses[x], places=lambda size, singles: max(0, size - singles), letters=True,
             values=lambda p, losses, kept: {x: p[x] for x in kept}):
        def function(p, losses, size):
            singles = [x for x in p if len(x) == 1]
            longer = sorted((x for x in p if len(x) > 1), key=lambda x: key(p, losses, x))
            kept = [*(singles if letters else []), *longer[: places(size, len(singles))]]
            return values(p, losses, kept)

        return function

    def all_ranked(p, losses, size):
        ranked = sorted(p, key=lambda x: -losses.get(x, 0.0))
        return {x: p[x] for x in ranked[:size]}

    def to_size(p, losses, size):
        return dict([*left()(p, losses, size).items()][:size])

    def anew(p, losses, kept):
        total = log(sum(exp(p[x]) for x in kept))
        return {x: p[x] - total for x in kept}

    def shared(p, losses, kept):
        total = sum(exp(p[x]) for x in kept)
        return {x: exp(p[x]) / total for x in kept}

    check.mistakes({
        "the pieces with the smallest losses stayed: those are the ones to drop": left(lambda p, losses, x: losses[x]),
        "the most probable pieces stayed: the losses decide": left(lambda p, losses, x: -p[x]),
        "the size of the loss decided: a negative one is the smallest": left(lambda p, losses, x: -abs(losses[x])),
        f"{characters_stay}: here none is left": left(places=lambda size, singles: size, letters=False),
        characters_stay: all_ranked,
        "`size` counts all pieces, single characters among them": left(places=lambda size, singles: size),
        "all single characters stay, even if there are more of them than places": to_size,
        "the log-probabilities were shared out anew: they stay as they were": left(values=anew),
        "one piece too few": left(places=lambda size, singles: max(0, size - singles - 1)),
        "one piece too many": left(places=lambda size, singles: max(0, size - singles + 1)),
        "a negative number of places: the slice [:-2] counts from the back": left(places=lambda size, n: size - n),
        "only the single characters stayed": left(places=lambda size, singles: 0),
        "nothing was dropped": left(places=lambda size, singles: None),
        "the losses came back: the log-probabilities are asked":
            left(values=lambda p, losses, kept: {x: losses.get(x, 0.0) for x in kept}),
        "probabilities came back, with the sum 1: the log-probabilities stay as they were": left(values=shared),
        "the names of the pieces came back: their log-probabilities belong to them":
            left(values=lambda p, losses, kept: list(kept)),
        "these are the pieces to drop: those that stay are asked":
            lambda p, losses, size: {x: v for x, v in p.items() if x not in left()(p, losses, size)},
        "the longest pieces stayed: the losses decide": left(lambda p, losses, x: -len(x)),
    }, prune)
    ### END MISTAKES
    pieces = {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -1.5}
    counts = {"a": 5.0, "b": 1.0, "ab": 4.0, "ba": 3.0}
    check(removal_losses, counts, pieces).equals({"ab": 2.0, "ba": 4.5}, rtol=1e-6)
    others = "`counts` may have other keys, too: go through those of `log_probs`"
    more_keys = check(removal_losses, counts | {"zz": 7.0}, pieces).equals(
        {"ab": 2.0, "ba": 4.5}, rtol=1e-6, about="a count of no piece", edge=True, near={others: KeyError})
    lost_key = {others: KeyError} if isinstance(more_keys.error, KeyError) else {}
    more = {"abab": -4.0, "a": -1.5, "b": -2.0, "c": -3.0, "ab": -4.5, "abc": -6.0, "ba": -1.0, "abcc": -6.5}
    more["bcc"] = -5.5
    used = {piece: 2.0 for piece in more} | {"abc": 3.0, "ab": 0.5, "zz": 7.0}
    check(removal_losses, used, more).equals(
        {"ab": -0.5, "abab": 1.0, "abc": 1.5, "ba": 5.0, "abcc": 1.0, "bcc": 5.0}, rtol=1e-6, about="longer pieces",
        near=lost_key)
    losses = {"ab": 2.0, "ba": 4.5}
    check(prune, pieces, losses, 3).equals({"a": -1.0, "b": -2.0, "ba": -1.5})
    six = {"a": -1.0, "ab": -1.2, "b": -2.0, "bab": -4.0, "ba": -1.5, "aba": -3.0}
    of_six = {"ab": -6.0, "bab": 3.0, "ba": 1.0, "aba": -0.5}
    check(prune, six, of_six, 4).equals({"a": -1.0, "b": -2.0, "bab": -4.0, "ba": -1.5}, about="negative losses")
    check(prune, six, of_six, 1).equals({"a": -1.0, "b": -2.0}, about="more characters than places", edge=True)
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def table(letters, number, most):
        lengths = check.rng.integers(2, most, size=number)
        parts = {"".join(check.rng.choice(list(letters), size=int(n))) for n in lengths}
        p = {c: float(-2 - 3 * check.rng.random()) for c in letters}
        return p | {c: float(-1.2 * len(c) - 3 * check.rng.random()) for c in sorted(parts)}

    for letters, number, most in [("ab", 12, 7), ("abc", 25, 8), ("xyz ", 30, 6), ("abcd", 90, 7)]:
        p = table(letters, number, most)
        counts = {x: float(check.rng.gamma(1.0, 4.0)) for x in p} | {"gone": 3.0}
        check(removal_losses, counts, p).equals(
            lost()(counts, p), about="fresh pieces", rtol=1e-6, atol=1e-9, near=lost_key)
        losses = {x: float(check.rng.normal(0.0, 3.0)) for x in p if len(x) > 1}
        for size in (len(letters) + 3, len(p) - 2):
            check(prune, p, losses, size).equals(left()(p, losses, size), about="fresh losses")
    p = {"e\u0301": -3.0, "e": -2.0, "\u0301": -2.5, "T": -3.0, "t": -2.0, " ": -1.0, " t": -2.2, " T": -6.0}
    counts = dict.fromkeys(p, 2.0)
    check(removal_losses, counts, p).equals(
        lost()(counts, p), about="capitals, white space, accents", edge=True, rtol=1e-6)
    n = int(check.rng.integers(30, 40))
    p = {"a": -0.5, "ab" * n: -20.0, "b": -0.75, "ab" * (n // 2): -12.0}
    counts = dict.fromkeys(p, 3.0)
    check(removal_losses, counts, p).equals(lost()(counts, p), about="long pieces", edge=True, rtol=1e-6)
    p = {"a": -1.0, "b": -2.0, "ab": -2.5}
    check(removal_losses, {"a": 1.0, "b": 1.0, "ab": 0.0}, p).equals(
        {"ab": 0.0}, about="a piece that is never used", edge=True, atol=1e-9)
    check(removal_losses, {"a": 1.0, "b": 2.0}, {"a": -1.0, "b": -0.5}).equals({}, about="no longer piece", edge=True)
    check(prune, {"a": -1.0, "b": -0.5}, {}, 5).equals({"a": -1.0, "b": -0.5}, about="no longer piece", edge=True)
    check(prune, six, of_six, 6).equals(six, about="room for all", edge=True)
    check(prune, six, of_six, 9).equals(six, about="room for all", edge=True)
    check(prune, six, of_six, 2).equals({"a": -1.0, "b": -2.0}, about="room for the characters alone", edge=True)
    check(prune, {"a": -1.0, "aa": -1.5}, {"aa": 2.0}, 1).equals({"a": -1.0}, about="one character alone", edge=True)
    many = {c: -3.0 for c in "abcdef"} | {"ab": -1.0, "bc": -2.0, "cd": -3.0, "de": -4.0}
    each = {"ab": 1.0, "bc": 4.0, "cd": 3.0, "de": 2.0}
    for size in (3, 4, 5):
        check(prune, many, each, size).equals(
            {c: -3.0 for c in "abcdef"}, about="more characters than places", edge=True)
    ### END HIDDEN TESTS


score
