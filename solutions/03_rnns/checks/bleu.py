from helpers.checks import graded


@graded("bleu", points=4)
def score(check):
    ### BEGIN MISTAKES
    from collections import Counter
    import numpy as np

    def grams(t, k):
        return Counter(tuple(t[i : i + k]) for i in range(len(t) - k + 1))

    def ratio(C, R, k, clip=True, of="candidate", unique=False):
        hits = total = 0
        for c, r in zip(C, R, strict=True):
            a, b = grams(c, k), grams(r, k)
            if unique:
                a, b = Counter(set(a)), Counter(set(b))
            for gram, count in a.items():
                hits += min(count, b[gram]) if clip else count * (gram in b)
            below = a if of == "candidate" else b
            total += sum(below.values())
        return hits / total if total else 0.0

    def words_in(texts):
        return sum(map(len, texts))

    def brevity(c, r):
        return min(1, np.exp(1 - r / c))

    def penalty(C, R):
        return brevity(words_in(C), words_in(R))

    def geometric_mean(p):
        return np.exp(np.mean(np.log(p)))

    def root(p, n):
        return np.prod(p) ** (1 / n)

    def score_of(C, R, n=4, *, sizes=None, join=geometric_mean, bp=brevity, **how):
        p = [ratio(C, R, k, **how) for k in (sizes or range(1, n + 1))]
        if min(p) > 0:
            return float(bp(words_in(C), words_in(R)) * join(p))
        return 0.0

    def smoothed(C, R, n, first):
        p = []
        for k in range(1, n + 1):
            total = sum(len(c) - k + 1 for c in C if len(c) >= k)
            extra = int(k >= first)
            p.append((ratio(C, R, k) * total + extra) / max(total + extra, 1))
        return float(penalty(C, R) * root(p, n))

    def pooled(C, R, n=4):
        p = []
        for k in range(1, n + 1):
            found = sum((grams(text, k) for text in C), Counter())
            asked = sum((grams(text, k) for text in R), Counter())
            p.append(sum((found & asked).values()) / max(sum(found.values()), 1))
        return float(penalty(C, R) * root(p, n))

    def unordered_grams(text, k):
        return Counter(tuple(sorted(gram)) for gram in grams(text, k).elements())

    def unordered(C, R, n):
        p = []
        for k in range(1, n + 1):
            hits = total = 0
            for c, r in zip(C, R, strict=True):
                a, b = unordered_grams(c, k), unordered_grams(r, k)
                hits += sum((a & b).values())
                total += sum(a.values())
            p.append(hits / max(total, 1))
        return float(penalty(C, R) * root(p, n))

    def long_ones(C, R, n, of="candidate"):
        """The pairs whose candidate, or reference, or both have n words."""
        candidates, references = [], []
        for c, r in zip(C, R, strict=True):
            judged = {"candidate": [c], "reference": [r], "both": [c, r]}[of]
            if min(map(len, judged)) >= n:
                candidates.append(c)
                references.append(r)
        return candidates, references

    def counted(C, R, n, number):
        """BLEU with another number of n-grams below."""
        p = []
        for k in range(1, n + 1):
            hits = ratio(C, R, k) * sum(max(len(t) - k + 1, 0) for t in C)
            below = sum(number(t, k) for t in C)
            p.append(hits / (below or 1))
        return float(penalty(C, R) * root(p, n))

    def no_size(C, R, n=4):
        p = []
        for k in range(1, n + 1):
            p.append(ratio(*long_ones(C, R, k, "both"), k))
        return float(penalty(C, R) * root(p, n))

    def averaged(C, R, n=4):
        """BLEU of precisions that are means over the sentences."""
        p = []
        for k in range(1, n + 1):
            p.append(np.mean([ratio([c], [r], k) for c, r in zip(C, R, strict=True)]))
        if min(p) > 0:
            return float(penalty(C, R) * geometric_mean(p))
        return 0.0

    def lowered(text):
        return [word.lower() for word in text]

    def joined(texts):
        return [word for text in texts for word in text]

    variants = {
        "clip the counts: an n-gram counts at most as often as it occurs in the reference": {"clip": False},
        "the brevity penalty is missing: the candidates are shorter than the references": {"bp": lambda c, r: 1},
        "the mean of the precisions is geometric: here they were averaged": {"join": np.mean},
        "the shares are of the candidate's n-grams: here they were divided by the reference's": {"of": "reference"},
        "the n-th root is missing": {"join": np.prod},
        "candidate and reference are exchanged in the brevity penalty": {"bp": lambda c, r: brevity(r, c)},
        "a candidate that is longer than the reference gets no penalty: BP is at most 1":
            {"bp": lambda c, r: np.exp(1 - r / c)},
        "the penalty is exp(1 - r/c): here it was c/r": {"bp": lambda c, r: min(1, c / r)},
        "repeated n-grams were counted once: take counts, not sets": {"unique": True},
        "the root is the n-th: here it was the fourth, whatever n is": {"join": lambda p: np.prod(p) ** 0.25},
        "the root is the n-th: here it was the square root, whatever n is": {"join": lambda p: np.prod(p) ** 0.5},
    }
    known = {s: lambda C, R, n=4, v=v: score_of(C, R, n, **v) for s, v in variants.items()}
    known |= {
        "the penalty was put inside the root: it stands before it":
            lambda C, R, n=4: score_of(C, R, n, bp=lambda c, r: brevity(c, r) ** (1 / n)),
        "nothing is smoothed: here 1 was added to hits and totals": lambda C, R, n=4: smoothed(C, R, n, 1),
        "nothing is smoothed: here 1 was added to hits and totals, but for single words":
            lambda C, R, n=4: smoothed(C, R, n, 2),
        "an n-gram counts only if it is in its own sentence's reference: here all references were one": pooled,
        "the total lengths count in the penalty: here a long candidate did not make up for a short one":
            lambda C, R, n=4: score_of(C, R, n, bp=lambda c, r: np.exp(
                1 - sum(max(len(a), len(b)) for a, b in zip(C, R, strict=True)) / c)),
        "BLEU is 0.0 where one share is 0: it was left out of the mean":
            lambda C, R, n=4: score_of(C, R, n, sizes=[k for k in range(1, n + 1) if ratio(C, R, k) > 0] or None),
        "only the longest n-grams were counted: all sizes from 1 to n are":
            lambda C, R, n=4: score_of(C, R, n, sizes=[n]),
        "n was ignored: here the sizes go to 4": lambda C, R, n=4: score_of(C, R, 4),
        "BLEU of each sentence was averaged: add hits and totals over the corpus, then divide":
            lambda C, R, n=4: float(np.mean([score_of([c], [r], n) for c, r in zip(C, R, strict=True)])),
        "one sentence is shorter than n: it adds no n-grams of that size, and the others count on":
            lambda C, R, n=4: 0.0 if min(map(len, C)) < n else score_of(C, R, n),
        "a sentence shorter than n was passed over: its shorter n-grams count, and its length does, too":
            lambda C, R, n=4: score_of(*long_ones(C, R, n), n),
        "a sentence shorter than n has no n-grams of that size: here fewer than none were counted for it":
            lambda C, R, n=4: counted(C, R, n, lambda t, k: len(t) - k + 1),
        "the shares are of the candidate's n-grams: here they were divided by its number of words":
            lambda C, R, n=4: counted(C, R, n, lambda t, k: len(t)),
        "a sentence shorter than n has no n-grams of that size: here one was counted for it":
            lambda C, R, n=4: counted(C, R, n, lambda t, k: max(len(t) - k + 1, 1)),
        "a sentence shorter than n was passed over: its shorter n-grams count":
            lambda C, R, n=4: score_of(*long_ones(C, R, n), n, bp=lambda c, r: penalty(C, R)),
        "a sentence with a reference shorter than n was passed over: its n-grams count in the denominator":
            lambda C, R, n=4: score_of(*long_ones(C, R, n, "reference"), n, bp=lambda c, r: penalty(C, R)),
        "n-grams of a size that the reference does not have were passed over: they count in the denominator": no_size,
        "the logarithm and its exponential have different bases":
            lambda C, R, n=4: score_of(C, R, n, join=lambda p: np.exp(np.mean(np.log2(p)))),
        "c and r are exchanged in the penalty: it is 1 if c >= r, else exp(1 - r/c)":
            lambda C, R, n=4: score_of(C, R, n, bp=lambda c, r: 1 if c >= r else np.exp(1 - c / r)),
        "the order within an n-gram was lost: it is a tuple of words in their order":
            lambda C, R, n=4: unordered(C, R, n),
        "tokens are compared as they are: The and the are two":
            lambda C, R, n=4: score_of([*map(lowered, C)], [*map(lowered, R)], n),
        "the sizes end at n - 1: n itself belongs to them": lambda C, R, n=4: score_of(C, R, max(n - 1, 1)),
        "these are percentages: between 0 and 1": lambda C, R, n=4: 100 * score_of(C, R, n),
        "candidates and references are exchanged": lambda C, R, n=4: score_of(R, C, n),
        "the mean of each sentence's precision came first: add hits and totals over the corpus": averaged,
        "the sentences were joined to one text: no n-gram reaches across their edges":
            lambda C, R, n=4: score_of([joined(C)], [joined(R)], n),
        "each sentence had a penalty of its own: it is taken once, from the total lengths":
            lambda C, R, n=4: score_of(C, R, n, bp=lambda c, r: np.mean(
                [brevity(len(a), len(b)) for a, b in zip(C, R, strict=True)])),
    }
    check.mistakes(known, bleu)
    ### END MISTAKES
    cat, ref = "the cat sat on the mat".split(), "the cat is on the mat".split()
    check(bleu, [cat], [ref], 2).equals(0.7071, rtol=1e-4, about="BLEU-2")
    check(bleu, [cat], [ref], 3).equals(0.5, about="BLEU-3")
    check(bleu, [cat], [ref]).equals(
        0.0, about="BLEU-4", near={"the logarithm of 0 cannot be taken: return 0.0": ValueError}
    )
    check(bleu, [["the"] * 7], [ref], 1).equals(2 / 7, about="the the the")
    pair = ["it is on it".split(), "a cat sat on the".split()]
    check(bleu, [*pair, ["on"]], [ref, cat, ref], 2).equals(0.284181, rtol=1e-4, about="three sentences, one short")
    check(bleu, [["the", "cat"]], [ref], 2).equals(0.1353, rtol=1e-3, about="too short")
    check(bleu, [["cat"]], [["cat"]], 2).equals(
        0.0, about="no pair to count", edge=True, near={"sizes without n-grams were left out: 0.0 then": 1.0,
        "a share of nothing: return 0.0": ZeroDivisionError},
    )
    ### BEGIN HIDDEN TESTS
    import sacrebleu

    check.hidden()
    words = list("abcdeA")

    def changed(text):
        """The text with about one word in five drawn anew."""
        return [word if check.rng.uniform() < 0.8 else str(check.rng.choice(words)) for word in text]

    for rows, low, high, n in ((4, 7, 12, 2), (5, 9, 14, 3), (6, 12, 20, 4), (3, 15, 22, 4), (5, 6, 9, 1)):
        references = []
        for _ in range(rows):
            size = check.rng.integers(low, high)
            references.append([str(word) for word in check.rng.choice(words, size=size)])
        reference_texts = [" ".join(r) for r in references]
        for about, cut in (("candidates of another length, as sacrebleu", 0), ("short candidates, as sacrebleu", 3),
            ("one long candidate among short ones, as sacrebleu", 4)):
            candidates = [changed(r)[: len(r) - cut] for r in references]
            if cut == 0:
                candidates[0] += ["a", "a"]
            if cut == 4:
                candidates[0] += references[0][-6:]
            library = sacrebleu.BLEU(max_ngram_order=n, tokenize="none", smooth_method="none", force=True,
                effective_order=False)
            candidate_texts = [" ".join(c) for c in candidates]
            expected = library.corpus_score(candidate_texts, [reference_texts]).score / 100
            check(bleu, candidates, references, n).equals(expected, about=about, rtol=1e-4)
    references[1] = [*references[1], "e", "d"]
    for lack in (1, 2):
        candidates = [list(r) for r in references]
        candidates[1] = candidates[1][:-lack]
        check(bleu, candidates, references, 2).equals(score_of(candidates, references, 2), rtol=1e-4,
            about="one or two words too few")
    short_one, his = [*references, ["a", "b"]], [*references, ["a", "c", "b"]]
    check(bleu, short_one, his, 4).equals(score_of(short_one, his, 4), about="one sentence shorter than n", rtol=1e-4)
    many = [r[:-1] for r in references] * 16
    his = [r if i % 16 else r[:2] for i, r in enumerate(references * 16)]
    check(bleu, many, his, 3).equals(score_of(many, his, 3), about="many sentences", edge=True, rtol=1e-6)
    check(bleu, [["a", "b"]], [["a", "b"]], 4).equals(0.0, about="no n-gram of this size", edge=True, near={
        "there are no n-grams of this size: return 0.0": ZeroDivisionError,
        "there are no n-grams of size 3 and 4: return 0.0": 1.0})
    check(bleu, [["a"]], [["b"]], 1).equals(0.0, about="nothing right", edge=True, near={
        "the logarithm of 0 cannot be taken: return 0.0": ValueError})
    check(bleu, [references[0]], [references[0]], 4).equals(1.0, about="a perfect translation", edge=True)
    check.mistakes({}, bleu)  # most of them divide by the length
    line = [str(i) for i in range(80)]
    check(bleu, [[*line[:-3], "x"]], [line], 70).equals(score_of([[*line[:-3], "x"]], [line], 70), about="a large n",
        edge=True, rtol=1e-6)
    check(bleu, [[]], [["b"]], 1).equals(0.0, about="an empty candidate", edge=True, near={
        "an empty candidate has no n-grams: return 0.0": ZeroDivisionError})
    ### END HIDDEN TESTS


score
