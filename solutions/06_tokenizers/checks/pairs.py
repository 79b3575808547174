from helpers.checks import graded


@graded("pairs", points=6)
def score(check):
    ### BEGIN MISTAKES
    from collections import Counter
    from itertools import pairwise

    def counted(pairs_of, weight=lambda n: n):
        def function(words):
            counts = {}
            for s, n in words.items():
                for p in pairs_of(list(s)):
                    counts[p] = counts.get(p, 0) + weight(n)
            return counts

        return function

    def neighbours(s):
        return list(pairwise(s))

    def apart(s):
        found, i = [], 0
        while i < len(s) - 1:
            found.append((s[i], s[i + 1]))
            i += 2 if i + 2 < len(s) and s[i] == s[i + 1] == s[i + 2] else 1
        return found

    def across_words(words):
        all_symbols = [c for s, n in words.items() for c in s * n]
        return dict(Counter(pairwise(all_symbols)))

    check.mistakes({
        "how often each word occurs was ignored": counted(neighbours, lambda n: 1),
        "a pair that stands twice in a word counts twice": counted(lambda s: dict.fromkeys(neighbours(s))),
        "the last pair of each word is missing": counted(lambda s: neighbours(s)[:-1]),
        "the last symbol and the first are no neighbours": counted(lambda s: [*neighbours(s), (s[-1], s[0])]),
        "the first pair of each word is missing": counted(lambda s: neighbours(s)[1:]),
        "places overlap: (a, a, a) holds (a, a) twice": counted(apart),
        "only every second place was looked at": counted(lambda s: neighbours(s)[::2]),
        "the pair is (left, right): here it is turned round": counted(lambda s: [p[::-1] for p in neighbours(s)]),
        "left and right are not the same: the pairs were sorted":
            counted(lambda s: [tuple(sorted(p)) for p in neighbours(s)]),
        "the pair is a tuple of two symbols, not their sum": counted(lambda s: [a + b for a, b in neighbours(s)]),
        "single symbols were counted": counted(lambda s: s),
        "all pairs of a word were counted, not only neighbours":
            counted(lambda s: [(a, b) for i, a in enumerate(s) for b in s[i + 1 :]]),
        "a word's count replaced that of the words before":
            lambda words: {p: n for s, n in words.items() for p in pairwise(s)},
        "the last symbol of a word and the first of the next are no neighbours": across_words,
    }, count_pairs)

    def pattern(step=2, most=None, keep_last=True, put=lambda j: [j]):
        def function(s, pair, joined):
            size = len(s) if keep_last else len(s) - 1
            out, i, done = [], 0, 0
            while i < size:
                if tuple(s[i : i + 2]) == tuple(pair) and (most is None or done < most):
                    out, i, done = out + put(joined), i + step, done + 1
                else:
                    out, i = [*out, s[i]], i + 1
            return tuple(out)

        return function

    def from_right(s, pair, joined):
        s, i = list(s), len(s) - 2
        while i >= 0:
            if tuple(s[i : i + 2]) == tuple(pair):
                s[i : i + 2] = [joined]
                i -= 1
            i -= 1
        return tuple(s)

    def each_place(s, pair, joined):
        """Every place at which the pair stands gives the joined symbol; what stands in no pair stays."""
        hits = [i for i, two in enumerate(pairwise(s)) if two == tuple(pair)]
        out = []
        for i, c in enumerate(s):
            if i in hits:
                out.append(joined)
            elif i - 1 not in hits:
                out.append(c)
        return tuple(out)

    def in_joined_text(s, pair, joined):
        """The symbols joined to a text, which is cut where `joined` stands, and into letters elsewhere."""
        out = []
        for k, part in enumerate(s[0][:0].join(s).split(joined)):
            if k:
                out.append(joined)
            out += [part[i : i + 1] for i in range(len(part))]
        return tuple(out)

    def replaced(s, pair, joined):
        """The symbols joined with a sign between them, and the pair replaced: one sign belongs to one match only."""
        between = b"\0" if isinstance(joined, bytes) else "\0"
        old, new = (between + between.join(part) + between for part in (pair, (joined,)))
        return tuple((between + between.join(s) + between).replace(old, new).strip(between).split(between))

    def as_text(s, pair, joined):
        """The symbols joined with blanks, and the pair replaced as text: it may end a longer symbol, or begin one."""
        if isinstance(joined, bytes):
            return TypeError
        return tuple(" ".join(s).replace(" ".join(pair), joined).split())

    def where(fits):
        """Merged where two neighbours fit, by a rule for (the two, pair, joined)."""

        def function(s, pair, joined):
            out, i = [], 0
            while i < len(s):
                two = s[i : i + 2]
                hit = len(two) == 2 and fits(two, pair, joined)
                out, i = [*out, joined if hit else s[i]], i + 1 + hit
            return tuple(out)

        return function

    def one_is_enough(s, pair, joined):
        out, i = [], 0
        while i < len(s):
            hit = s[i] in pair
            out, i = [*out, joined if hit else s[i]], i + 1 + hit
        return tuple(out)

    again = "what was merged is not used again: go on behind it"
    check.mistakes({
        "only the first occurrence was merged": pattern(most=1),
        again: pattern(step=1),
        "a symbol was lost: the last one must come along, too": pattern(keep_last=False),
        "`joined` is one symbol: append it whole": pattern(put=list),
        f"{again}; here each place was looked at for itself": each_place,
        "merge from left to right": from_right,
        "both symbols stay where one should stand": pattern(put=lambda j: [j, j]),
        "the pair was left out and nothing put in its place": pattern(put=lambda j: []),
        "the symbols were joined and searched as text: (ab, c) is not (a, bc)": in_joined_text,
        "the symbols were joined with blanks and replaced as text: a pair's text may end one symbol and begin another":
            as_text,
        "the symbols were joined with blanks and replaced as text: of two pairs side by side the second was lost":
            replaced,
        "the joined symbol is the third argument, not always the sum of the pair":
            lambda s, p, j: pattern()(s, p, p[0] + p[1]),
        "the sums were compared: both symbols must be those of the pair, (ab, c) is not (a, bc)":
            where(lambda two, p, j: two[0] + two[1] == p[0] + p[1]),
        "two neighbours were joined and compared with `joined`: both must be those of the pair":
            where(lambda two, p, j: two[0] + two[1] == j),
        "either symbol of the pair was replaced: both must stand there, in this order":
            lambda s, p, j: tuple(j if c in p else c for c in s),
        "one symbol of the pair was enough: both are needed, in this order": one_is_enough,
        "the symbols may be bytes, too: this works for text alone":
            lambda s, p, j: TypeError if isinstance(j, bytes) else pattern()(s, p, j),
        "the right symbol alone was looked at": lambda s, p, j: tuple(j if c == p[1] else c for c in s),
        "the pair also matched the other way round": lambda s, p, j: pattern()(pattern()(s, p, j), p[::-1], j),
        "the pair is ordered: (b, a) was joined as (a, b) is": where(lambda two, p, j: sorted(two) == sorted(p)),
        "the word is a tuple of symbols: a text came back":
            lambda s, p, j: (s[0][:0] if s else j[:0]).join(pattern()(s, p, j)),
        "once through is enough: the joined symbol is not merged again":
            lambda s, p, j: pattern()(pattern()(s, p, j), p, j),
    }, merge)
    ### END MISTAKES
    check(count_pairs, {("h", "o", "w"): 2, ("w", "h", "o"): 1}).equals({("h", "o"): 3, ("o", "w"): 2, ("w", "h"): 1})
    oo, oh, ho = ("o", "o"), ("o", "h"), ("h", "o")
    check(count_pairs, {("o", "o", "o", "h"): 3, ("h", "o", "h", "o", "h"): 2}).equals({oo: 6, oh: 7, ho: 4})
    check(merge, ("b", "a", "n", "a", "n", "d"), ("a", "n"), "AN").equals(("b", "AN", "AN", "d"))
    check(merge, ("o", "o", "o", "h"), ("o", "o"), "oo").equals(("oo", "o", "h"))
    check(merge, ("th", "e", "h", "e", "h", "ey", "h", "e"), ("h", "e"), "he").equals(
        ("th", "e", "he", "h", "ey", "he"), about="longer symbols")

    def as_key(value):
        return not hasattr(value, "append")

    of_words = "a tuple: a list cannot be a key of `words`"
    a_list = {"a list came back: a word is a tuple": lambda value: not as_key(value)}
    check(merge, ("a", "n"), ("a", "n"), "an").holds(as_key, of_words, about="a word is a tuple", near=a_list)
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def oracle(words):
        total = Counter()
        for s, n in words.items():
            for i in range(len(s) - 1):
                total[s[i], s[i + 1]] += n
        return dict(total)

    for kind in (str, bytes):
        symbols = ["a", "b", "th", "e", "r"] if kind is str else [b"a", b"b", b"\xc3", b"\xa9", b" t"]
        words = {}
        for k in range(6):
            word = tuple(symbols[i] for i in check.rng.integers(0, 3 + k % 3, size=2 + k))
            words[word] = int(check.rng.integers(1, 9))
        check(count_pairs, words).equals(oracle(words), about="fresh words")
    words = {("a",) * int(check.rng.integers(4, 8)): 3, ("b", "a", "a", "b"): 2}
    check(count_pairs, words).equals(oracle(words), about="repeated symbols")
    check(count_pairs, {("a",): 5, ("b", "c"): 2, (): 1}).equals({("b", "c"): 2}, about="short words", edge=True)
    check(count_pairs, {}).equals({}, about="no words", edge=True)

    def merged(s, pair, joined):
        if not s:
            return ()
        hit = len(s) > 1 and (s[0], s[1]) == pair
        return ((joined,) if hit else (s[0],)) + merged(s[2 if hit else 1 :], pair, joined)

    for symbols in (["a", "b", "ab"], [b"x", b"y", b"yx"]):
        for size in (6, 9, 12):
            s = tuple(symbols[i] for i in check.rng.integers(0, 3, size=size))
            pair = (s[1], s[2])
            check(merge, s, pair, pair[0] + pair[1]).equals(merged(s, pair, pair[0] + pair[1]), about="fresh words")
    for a, b, c in [("x", "y", "z"), (b"\xe2", b"\x82", b"\xac")]:
        s = (a + b, c, a, b + c, a, b, c)
        check(merge, s, (a, b + c), a + b + c).equals(
            (a + b, c, a + b + c, a, b, c), about="another way to the same joined symbol")
        check(merge, s, (a + b, c), a + b + c).equals(
            (a + b + c, a, b + c, a, b, c), about="another way to the same joined symbol")
    check(merge, s, (a, b), a + b).holds(as_key, of_words, about="a fresh word is a tuple", near=a_list)
    run = ("a",) * int(check.rng.integers(5, 9)) + ("b",)
    check(merge, run, ("a", "a"), "aa").equals(merged(run, ("a", "a"), "aa"), about="repeated symbols")
    for a, b, c in ("xyz", "pqr", "yzx"):
        check(merge, (a, b, c), (a, b), a + b).equals((a + b, c), about="one short word after another")
    for a, b in [(" ", "t"), ("\n", " "), ("e", "\u0301"), ("=" * 400, "=" * 300), ("T", "H")]:
        check(merge, (b, a, b), (a, b), a + b).equals(
            (b, a + b), about="white space, accents, long symbols", near={
                "the joined symbol is put in as it is given": (b, (a + b).strip())})
    for a, b in [("x", "y"), (b"\xc3", b"\xa9")]:
        check(merge, (a, b, b, a, b), (a, b), a).equals((a, b, a), about="a joined symbol of another form")
        check(merge, (a, a, b, a, b), (a, b), b).equals((a, b, b), about="a joined symbol of another form")
    hashed = ("r", "##a", "##w", "##a", "##w")
    check(merge, hashed, ("##a", "##w"), "##aw").equals(("r", "##aw", "##aw"), about="a joined symbol of another form")
    check(merge, ("a", "b"), ("b", "a"), "ba").equals(("a", "b"), about="the pair is not there", edge=True)
    check(merge, ("a",), ("a", "a"), "aa").equals(("a",), about="one symbol", edge=True)
    check(merge, (), ("a", "a"), "aa").equals((), about="an empty word", edge=True)
    check(merge, ("a", "b", "c"), ("a", "b"), "ab").holds(as_key, of_words, about="a word is a tuple", edge=True)
    ### END HIDDEN TESTS


score
