from helpers.checks import graded


@graded("rouge", points=5)
def score(check):
    ### BEGIN MISTAKES
    from collections import Counter
    from functools import cache

    recall = "this is the recall alone; F1 is asked for"
    precision = "this is the precision alone; F1 is asked for"
    mean = "this is the arithmetic mean of precision and recall; F1 is the harmonic one"

    one_side = "where two tokens differ the larger of both neighbours counts: here one of them alone"

    def grams(tokens, n):
        return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]

    def f1(matches, given, wanted, kind="f1"):
        p = matches / given if given else 0.0
        r = matches / wanted if wanted else 0.0
        both = 2 * p * r / (p + r) if p + r else 0.0
        more_recall = 2.44 * p * r / (r + 1.44 * p) if p + r else 0.0
        return {"f1": both, "r": r, "p": p, "mean": (p + r) / 2, "half": both / 2, "root": (p * r) ** 0.5, "sum": p + r,
                "product": p * r, "f1.2": more_recall}[kind]

    kinds = {
        "the 2 in 2PR / (P + R) is missing": "half",
        "this is the geometric mean of precision and recall; F1 is the harmonic one": "root",
        "precision and recall are added: F1 is 2PR / (P + R)": "sum",
        "precision and recall are multiplied: F1 is 2PR / (P + R)": "product",
        "this weighs recall more than precision: F1 weighs them alike": "f1.2",
    }

    def counted(kind="f1", count=None, fixed=None, cut=grams):
        def score(candidate, reference, n):
            a, b = (Counter(cut(t, fixed or n)) for t in (candidate, reference))
            matches = sum((a & b).values()) if count is None else count(a, b)
            return f1(matches, sum(a.values()), sum(b.values()), kind)

        return score

    def in_small_letters(tokens):
        return [token.lower() for token in tokens]

    def shared(candidate, reference, n):
        return (Counter(grams(candidate, n)) & Counter(grams(reference, n))).total()

    def all_grams(candidate, reference, n):
        return (Counter(grams(candidate, n)) | Counter(grams(reference, n))).total()

    def as_sets(candidate, reference, n):
        a, b = set(grams(candidate, n)), set(grams(reference, n))
        return f1(len(a & b), len(a), len(b))

    check.mistakes({
        recall: counted("r"),
        precision: counted("p"),
        mean: counted("mean"),
        "these are single tokens: n is ignored": counted(fixed=1),
        "n-grams are counted as sets: each counts as often as both have it": as_sets,
        "an n-gram of the candidate counts at most as often as the reference has it":
            counted(count=lambda a, b: sum(v for g, v in a.items() if g in b)),
        **{words: counted(kind) for words, kind in kinds.items()},
        "each shared n-gram counts once here: it counts as often as both have it":
            counted(count=lambda a, b: len(a & b)),
        "n-grams that only one list has count, too: shared ones alone do": counted(count=lambda a, b: (a | b).total()),
        "a shared n-gram counts as often as the list has it that has more":
            counted(count=lambda a, b: sum(max(a[g], b[g]) for g in a if g in b)),
        "an n-gram of the reference counts at most as often as the candidate has it":
            counted(count=lambda a, b: sum(b[g] for g in a)),
        "a shared n-gram counts with all its pairs: as often as both have it is asked for":
            counted(count=lambda a, b: sum(a[g] * b[g] for g in a)),
        "shorter n-grams came back, too: n alone is asked for":
            counted(cut=lambda t, n: [g for k in range(1, n + 1) for g in grams(t, k)]),
        "the n-grams are side by side: one begins at each token": counted(cut=lambda t, n: grams(t, n)[::n]),
        "the order inside an n-gram is lost: it counts":
            counted(cut=lambda t, n: [tuple(sorted(g)) for g in grams(t, n)]),
        "these are n-grams of n + 1 tokens": counted(cut=lambda t, n: grams(t, n + 1)),
        "the first n-gram of each list is missing": counted(cut=lambda t, n: grams(t, n)[1:]),
        "the last n-gram of each list is missing": counted(cut=lambda t, n: grams(t, n)[:-1]),
        "the ends of the lists give n-grams that are too short":
            counted(cut=lambda t, n: [tuple(t[i : i + n]) for i in range(len(t))]),
        "this is divided by the numbers of tokens, not of n-grams": lambda c, r, n: f1(shared(c, r, n), len(c), len(r)),
        "this is the share of all n-grams (Jaccard); F1 is asked for":
            lambda c, r, n: shared(c, r, n) / max(all_grams(c, r, n), 1),
        "capital and small letters are different tokens":
            lambda c, r, n: counted()(in_small_letters(c), in_small_letters(r), n),
        "the tokens of an n-gram are run together: then a + bc equals ab + c":
            counted(cut=lambda t, n: ["".join(g) for g in grams(t, n)]),
        "the matches are not divided by anything": lambda c, r, n: float(shared(c, r, n)),
        "a list too short for an n-gram, or nothing shared, gives 0.0":
            lambda c, r, n: 2 / (1 / counted("p")(c, r, n) + 1 / counted("r")(c, r, n)),
    }, rouge_n)

    def longest(a, b):
        @cache
        def upto(i, j):
            if i == len(a) or j == len(b):
                return 0
            return upto(i + 1, j + 1) + 1 if a[i] == b[j] else max(upto(i + 1, j), upto(i, j + 1))

        return upto(0, 0)

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

    side_by_side = table(other=lambda diagonal, above, left: 0, ends=lambda rows: max(map(max, rows)))
    tables = {
        "a match adds 1 to the length for both lists without it: here to a longer one, so a token counts twice":
            table(lambda diagonal, above, left: max(above, left) + 1),
        "a match adds 1 to the length without it in either list: here the reference's stays":
            table(lambda diagonal, above, left: above + 1),
        "a match adds 1 to the length without it in either list: here the candidate's stays":
            table(lambda diagonal, above, left: left + 1),
        one_side: table(other=lambda diagonal, above, left: above),
        f"{one_side} (of the reference)": table(other=lambda diagonal, above, left: left),
        "where two tokens differ the larger of both neighbours counts: here the one before both":
            table(other=lambda diagonal, above, left: diagonal),
        "where two tokens differ the larger of both neighbours counts: here their sum":
            table(other=lambda diagonal, above, left: above + left),
        "where two tokens differ the length stays: here 1 is added":
            table(other=lambda diagonal, above, left: max(above, left) + 1),
        "a match adds 1 to the length before: here the length stays the same":
            table(lambda diagonal, above, left: max(above, left, 1)),
        "where two tokens differ the length so far is kept: here it begins anew":
            table(other=lambda diagonal, above, left: 0),
        "the last token of the candidate is missing": lambda a, b: longest(a[:-1], b),
        "the last token of the reference is missing": lambda a, b: longest(a, b[:-1]),
        "the last token of both lists is missing": lambda a, b: longest(a[:-1], b[:-1]),
        "these are the different tokens that both have: their order counts, and repeats": lambda a, b: len({*a} & {*b}),
        "tokens at the same place in both lists were counted: gaps are allowed":
            lambda a, b: sum(v == w for v, w in zip(a, b, strict=False)),
    }

    def by(measure, kind="f1"):
        return lambda c, r: f1(measure(tuple(c), tuple(r)), len(c), len(r), kind)

    check.mistakes({
        recall: by(longest, "r"),
        precision: by(longest, "p"),
        mean: by(longest, "mean"),
        "this is the longest common run: the tokens of a subsequence need not be side by side": by(side_by_side),
        "the order is ignored: a subsequence keeps it": by(lambda a, b: sum((Counter(a) & Counter(b)).values())),
        "a common subsequence, not always the longest: neither taking tokens as they come nor difflib finds that":
            by(from_left),
        **{words: by(measure) for words, measure in tables.items()},
        **{words: by(longest, kind) for words, kind in kinds.items()},
        "the length is divided by the shorter text; precision and recall have their own":
            lambda c, r: longest(tuple(c), tuple(r)) / max(min(len(c), len(r)), 1),
        "a token that comes again counts again: the candidate has each once here":
            lambda c, r: by(longest)(dict.fromkeys(c), r),
        "a token that comes again counts again: both lists have each once here":
            lambda c, r: by(longest)(dict.fromkeys(c), dict.fromkeys(r)),
        "this is divided by the different tokens: all tokens count":
            lambda c, r: f1(longest(tuple(c), tuple(r)), len({*c}), len({*r})),
        "this is the length of the subsequence": lambda c, r: float(longest(tuple(c), tuple(r))),
        "the length is divided by the longer text; precision and recall have their own":
            lambda c, r: longest(tuple(c), tuple(r)) / max(len(c), len(r), 1),
    }, rouge_l)
    ### END MISTAKES
    cat, mat = "the cat sat on the mat".split(), "the cat is on the mat of the dog".split()
    check(rouge_n, cat, mat, 1).equals(10 / 15)
    check(rouge_n, cat, mat, 2).equals(6 / 13)
    check(rouge_n, "a a a b".split(), "a a c b b".split(), 1).equals(6 / 9)
    check(rouge_l, "the cat of the mat on the dog".split(), mat).equals(12 / 17)
    check(rouge_l, "x c a b c d".split(), "a x b c".split()).equals(0.6)
    check(rouge_l, "c c b c b".split(), "c b b c c c".split()).equals(6 / 11, about="tokens that come again")
    check(rouge_n, ["a b", "c"], ["a", "b c"], 2).equals(
        0.0, about="blanks within tokens", near={"tokens are compared as they are: here they were joined": 1.0})
    check(rouge_n, ["a"], ["a"], 2).equals(0.0, about="too short for an n-gram", near={
        "0.0 if a list is too short to have an n-gram": 1.0})
    nothing = "0.0 where nothing matches"
    check(rouge_n, "ab c The Cat sat".split(), "a bc the cat sat".split(), 2).equals(
        0.0, near={nothing: ZeroDivisionError})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for n, one, other in [(2, ["x y", "z"], ["x", "y z"]), (3, ["a b", "c", "d"], ["a", "b c", "d"])]:
        check(rouge_n, one, other, n).equals(0.0, about="blanks within tokens", edge=True, near={
            "tokens are compared as they are: here they were joined": 1.0})
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
    check(rouge_n, a, b, 2).equals(2 * shared(a, b, 2) / 358, about="long texts, long n-grams", edge=True, rtol=1e-4)
    check(rouge_n, a[:90], [*a[:70], "x", *a[:75]], 70).equals(
        2 * 6 / (21 + 77), about="long texts, long n-grams", edge=True, rtol=1e-4)
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
