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
    ### BEGIN HIDDEN TESTS
    from collections import Counter
    from functools import cache

    check.hidden()

    def grams(tokens, n):
        return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]

    def f1(matches, given, wanted, kind="f1"):
        p, r = matches / given if given else 0.0, matches / wanted if wanted else 0.0
        both = 2 * p * r / (p + r) if p + r else 0.0
        return {"f1": both, "r": r, "p": p, "mean": (p + r) / 2, "half": both / 2, "root": (p * r) ** 0.5, "sum": p + r,
                "product": p * r, "f1.2": 2.44 * p * r / (r + 1.44 * p) if p + r else 0.0}[kind]

    kinds = {
        half: "half", geometric: "root", "precision and recall are added: F1 is 2PR / (P + R)": "sum",
        "precision and recall are multiplied: F1 is 2PR / (P + R)": "product",
        "this weighs recall more than precision: F1 weighs them alike": "f1.2",
    }

    def counted(kind="f1", count=None, fixed=None, cut=grams):
        def score(candidate, reference, n):
            a, b = (Counter(cut(t, fixed or n)) for t in (candidate, reference))
            matches = sum((a & b).values()) if count is None else count(a, b)
            return f1(matches, sum(a.values()), sum(b.values()), kind)

        return score

    def as_sets(candidate, reference, n):
        a, b = set(grams(candidate, n)), set(grams(reference, n))
        return f1(len(a & b), len(a), len(b))

    check.mistakes({
        recall: counted("r"), precision: counted("p"), mean: counted("mean"), unigrams: counted(fixed=1), sets: as_sets,
        unclipped: counted(count=lambda a, b: sum(v for g, v in a.items() if g in b)),
        **{words: counted(kind) for words, kind in kinds.items()},
        "each shared n-gram counts once here: it counts as often as both have it": counted(
            count=lambda a, b: len(a & b)),
        "n-grams that only one list has count, too: shared ones alone do": counted(count=lambda a, b: (a | b).total()),
        "a shared n-gram counts as often as the list has it that has more": counted(
            count=lambda a, b: sum(max(a[g], b[g]) for g in a if g in b)),
        by_reference: counted(
            count=lambda a, b: sum(b[g] for g in a)),
        "a shared n-gram counts with all its pairs: as often as both have it is asked": counted(
            count=lambda a, b: sum(a[g] * b[g] for g in a)),
        "shorter n-grams came, too: n alone is asked": counted(
            cut=lambda t, n: [g for k in range(1, n + 1) for g in grams(t, k)]),
        "the n-grams stand side by side: one begins at each token": counted(cut=lambda t, n: grams(t, n)[::n]),
        "the order inside an n-gram is lost: it counts": counted(
            cut=lambda t, n: [tuple(sorted(g)) for g in grams(t, n)]),
        "these are n-grams of n + 1 tokens": counted(cut=lambda t, n: grams(t, n + 1)),
        "the first n-gram of each list is missing": counted(cut=lambda t, n: grams(t, n)[1:]),
        "the last n-gram of each list is missing": counted(cut=lambda t, n: grams(t, n)[:-1]),
        ends: counted(
            cut=lambda t, n: [tuple(t[i : i + n]) for i in range(len(t))]),
        by_tokens: lambda c, r, n: (
            f1(sum((Counter(grams(c, n)) & Counter(grams(r, n))).values()), len(c), len(r))),
        "this is the share of all n-grams (Jaccard); F1 is asked": lambda c, r, n: (
            sum((Counter(grams(c, n)) & Counter(grams(r, n))).values())
            / max(sum((Counter(grams(c, n)) | Counter(grams(r, n))).values()), 1)),
        lowered: lambda c, r, n: counted()(
            [v.lower() for v in c], [v.lower() for v in r], n),
        joined: counted(
            cut=lambda t, n: ["".join(g) for g in grams(t, n)]),
        "the matches are not divided by anything": lambda c, r, n: float(
            sum((Counter(grams(c, n)) & Counter(grams(r, n))).values())),
        "a list too short for an n-gram, or nothing shared, gives 0.0": lambda c, r, n: (
            2 / (1 / counted("p")(c, r, n) + 1 / counted("r")(c, r, n))),
    })
    letters = list("abcd")

    def some(low, high):
        return check.rng.choice(letters, size=int(check.rng.integers(low, high))).tolist()

    for n in (1, 2, 3):
        for _ in range(2):
            a, b = some(6, 14), some(6, 14)
            rest, matches = grams(b, n), 0
            for gram in grams(a, n):
                if gram in rest:
                    rest.remove(gram)
                    matches += 1
            right = 2 * matches / (len(a) + len(b) - 2 * n + 2)
            check(rouge_n, a, b, n).equals(right, about=f"{n}-grams of fresh texts", rtol=1e-4)
    for a, b, n, right in [
        ("a bc b", "ab c b", 2, 0.0), ("The cat a", "the cat sat", 1, 2 / 6), ("the cat", "The Cat sat", 1, 0.0),
        ("the cat's hat", "the cats hat", 1, 2 / 3), ("1 , 2 .", "1 2", 1, 2 / 3),
        ("caf\u00e9 a", "cafe\u0301 a", 1, 0.5),
    ]:
        check(rouge_n, a.split(), b.split(), n).equals(right, about="tokens as they are", rtol=1e-4)
    for a, b, n in [("", "ab", 1), ("ab", "", 1), ("ab", "abc", 3), ("ab", "cd", 1), ("", "", 1), ("a", "a", 2)]:
        check(rouge_n, list(a), list(b), n).equals(0.0, about="nothing shared", edge=True,
                                       near={nothing: ZeroDivisionError})
    one = [("abc", "abc", 3, 1.0), ("abc", "xabc", 3, 2 / 3), ("a", "ba", 1, 2 / 3), ("aba", "ab", 2, 2 / 3)]
    for a, b, n, right in one:
        check(rouge_n, list(a), list(b), n).equals(right, about="one n-gram", edge=True, rtol=1e-4)
    a, b = (check.rng.choice(letters, size=size).tolist() for size in (200, 160))
    matches = sum((Counter(grams(a, 2)) & Counter(grams(b, 2))).values())
    check(rouge_n, a, b, 2).equals(2 * matches / 358, about="long texts, long n-grams", edge=True, rtol=1e-4)
    check(rouge_n, a[:90], [*a[:70], "x", *a[:75]], 70).equals(
        2 * 6 / (21 + 77), about="long texts, long n-grams", edge=True, rtol=1e-4)

    def longest(a, b):
        @cache
        def upto(i, j):
            if i == len(a) or j == len(b):
                return 0
            return upto(i + 1, j + 1) + 1 if a[i] == b[j] else max(upto(i + 1, j), upto(i, j + 1))

        return upto(0, 0)

    def side_by_side(a, b):
        runs = [k for i in range(len(a)) for j in range(len(b)) for k in range(1, len(a) - i + 1)
                if list(a[i : i + k]) == list(b[j : j + k])]
        return max(runs, default=0)

    def from_left(a, b):
        at = count = 0
        for token in a:
            if token in b[at:]:
                at += b[at:].index(token) + 1
                count += 1
        return count

    def table(match=lambda diagonal, above, left: diagonal + 1, other=lambda diagonal, above, left: max(above, left),
              ends=lambda rows: rows[-1][-1]):
        """The table of lengths for all beginnings, filled in another way."""

        def measure(a, b):
            rows = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
            for i, token in enumerate(a):
                for j, wanted in enumerate(b):
                    near = rows[i][j], rows[i][j + 1], rows[i + 1][j]
                    rows[i + 1][j + 1] = match(*near) if token == wanted else other(*near)
            return ends(rows)

        return measure

    tables = {
        beside: table(lambda diagonal, above, left: max(above, left) + 1),
        "a match adds 1 to the length without it in either list: here the reference's stays": table(
            lambda diagonal, above, left: above + 1),
        "a match adds 1 to the length without it in either list: here the candidate's stays": table(
            lambda diagonal, above, left: left + 1),
        one_side: table(other=lambda diagonal, above, left: above),
        f"{one_side} (of the reference)": table(other=lambda diagonal, above, left: left),
        diagonal: table(
            other=lambda diagonal, above, left: diagonal),
        "where two tokens differ the larger of both neighbours counts: here their sum": table(
            other=lambda diagonal, above, left: above + left),
        "where two tokens differ the length stays: here 1 is added": table(
            other=lambda diagonal, above, left: max(above, left) + 1),
        "a match adds 1 to the length before: here the length stands still": table(
            lambda diagonal, above, left: max(above, left, 1)),
        anew: table(
            other=lambda diagonal, above, left: 0),
        last_given: lambda a, b: longest(a[:-1], b),
        last_wanted: lambda a, b: longest(a, b[:-1]),
        last_both: lambda a, b: longest(a[:-1], b[:-1]),
        distinct: lambda a, b: len({*a} & {*b}),
        same_place: lambda a, b: sum(
            v == w for v, w in zip(a, b, strict=False)),
    }

    def by(measure, kind="f1"):
        return lambda c, r: f1(measure(tuple(c), tuple(r)), len(c), len(r), kind)

    check.mistakes({
        recall: by(longest, "r"), precision: by(longest, "p"), mean: by(longest, "mean"), run: by(side_by_side),
        bag: by(lambda a, b: sum((Counter(a) & Counter(b)).values())), greedy: by(from_left),
        **{words: by(measure) for words, measure in tables.items()},
        **{words: by(longest, kind) for words, kind in kinds.items()},
        shorter: lambda c, r: (
            longest(tuple(c), tuple(r)) / max(min(len(c), len(r)), 1)),
        again: lambda c, r: by(longest)(
            dict.fromkeys(c), r),
        "a token that comes again counts again: both lists have each once here": lambda c, r: by(longest)(
            dict.fromkeys(c), dict.fromkeys(r)),
        "this is divided by the different tokens: all tokens count": lambda c, r: f1(
            longest(tuple(c), tuple(r)), len({*c}), len({*r})),
        "this is the length of the subsequence": lambda c, r: float(longest(tuple(c), tuple(r))),
        longer: lambda c, r: (
            longest(tuple(c), tuple(r)) / max(len(c), len(r), 1)),
    })
    for m, n in [(7, 10), (11, 6), (8, 8), (8, 8), (9, 12)]:
        a, b = (check.rng.choice(letters, size=size).tolist() for size in (m, n))
        right = 2 * longest(tuple(a), tuple(b)) / (m + n)
        check(rouge_l, a, b).equals(right, about="fresh texts", rtol=1e-4, weight=2)
    for a, b, right in [("The cat a", "the cat b", 2 / 6), ("the cat a", "the cat a", 1.0), ("b a", "B A", 0.0)]:
        check(rouge_l, a.split(), b.split()).equals(right, about="tokens as they are in a subsequence", rtol=1e-4)
    for a, b, right in [(["a"], ["a"], 1.0), (["a"], list("cba"), 0.5), (list("ab"), ["b"], 2 / 3)]:
        check(rouge_l, a, b).equals(right, about="a subsequence of one token", edge=True, rtol=1e-4)
    check(rouge_l, ["a", "", "b", ""], ["", "", "c"]).equals(4 / 7, about="empty tokens", edge=True, rtol=1e-4)
    check(rouge_n, ["a", "", "b", ""], ["", "b", "c"], 2).equals(2 / 5, about="empty tokens", edge=True, rtol=1e-4)
    for a, b in [([], list("ab")), (list("ab"), []), ([], []), (list("ab"), list("cd"))]:
        check(rouge_l, a, b).equals(0.0, about="no subsequence", edge=True,
                                    near={nothing: ZeroDivisionError})
    for m, n in [(12, 12), (20, 32), (32, 20)]:
        a, b = letters * m, letters[::-1] * n
        right = 2 * longest(tuple(a), tuple(b)) / (4 * m + 4 * n)
        check(rouge_l, a, b).equals(right, about="longer texts", rtol=1e-4)
    ### END HIDDEN TESTS


score
