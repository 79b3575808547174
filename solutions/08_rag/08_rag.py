# %% [markdown]
# # 08 RAG: retrieve, then read
#
# **What you will build.** The documentation assistant: a question comes in, passages are found (by words, by meaning,
# by both), put in order, packed into a prompt, and read; the answer says which passage it is from, or that the docs do
# not say. Every stage is measured by itself, and attacked.
#
# **What you need.** BM25 from chapter 01, the artifacts *docs-tokenizer*, *docs-vectors* (02) and, where it is there,
# *docs-encoder* (07); the idea of pointing at a span from chapter 05.
#
# **Points.** 100: thirteen exercises checked by machine (80) and two short essays (20). Allow about six hours. The
# whole notebook, once written, runs in about two minutes on two cores.
#
# Notation: $N$ passages, $Q$ questions, vectors of $C$ numbers in rows; the ranks of a result count from 1.

# %% given
import math
import re
import time
from collections import Counter
from itertools import pairwise

import numpy as np

from helpers import artifacts, data, leaderboard, notebook, plots, search
from helpers.device import SEED, budget, seed_everything

notebook.prepare()
WORD = re.compile(r"\w+")
tokenizer = artifacts.load_tokenizer(own=False)


def count_tokens(text: str) -> int:
    """Return how many tokens of docs-tokenizer a text has."""
    return len(tokenizer.encode(text, add_special_tokens=False).ids)

# %% [markdown]
# ## The task
#
# A model knows what its training data said, as well as its weights could hold it, and it cannot say where it got it
# from. Documentation changes with every release. So we leave the facts where they are, look them up when somebody asks,
# and give them to the model together with the question: *retrieval-augmented generation* (Lewis et al. 2020).
#
# Our corpus is the docs. Our judge is a set of questions that people wrote about them, in their own words, each with
# the document and the words in it that answer it, and some that the docs cannot answer at all. It has two parts:
# *valid* to make choices by, *test* to report. No document is asked about in both.

# %% show
docs = data.load("docs")
questions = data.load("docs_questions").held_by(docs)
print(docs, questions, sep="\n")
for asked in questions.splits["valid"][:3] + [q for q in questions.splits["valid"] if not q.answerable][:2]:
    found = f"{asked.document}: {asked.evidence}" if asked.answerable else "(the docs do not say)"
    print(f"\n{asked.question}\n    {found}\n    answer: {asked.answer or 'I do not know.'}")

# %% [markdown]
# ## Exercise 1: three numbers for a ranking (`metrics`)
#
# 15 minutes, ★, 7 points
#
# Before we search, we decide how to judge a search. It returns documents, the best first; we know which are relevant.
#
# - *Recall at k*: the share of the relevant documents that are among the first $k$.
# - *Reciprocal rank*: $1 / r$ for the rank $r$ of the first relevant document, 0 if there is none. Its mean over
#   questions is the MRR.
# - *nDCG at k* (Järvelin, Kekäläinen 2002): documents have gains $g \ge 0$, and a gain counts less the later it comes:
#
# $$\mathrm{DCG}_k = \sum_{r=1}^{k} \frac{g_r}{\log_2(r + 1)} \qquad \mathrm{nDCG}_k =
# \frac{\mathrm{DCG}_k}{\text{the DCG}_k \text{ of the best possible order}}$$
#
# The best possible order sorts *all* gains that there are, not only those that were found. Documents that are not in
# `gains` have the gain 0. `ranked` names no document twice; there is at least one relevant document (one gain above 0).
# `ranked` may be shorter than `k`, or empty; then what it lacks counts as not found. Return plain numbers.
#
# By hand: ranked (a, b, c, d), relevant {b, d, x}: recall at 2 is 1/3, the reciprocal rank 1/2. With gains b: 2, d: 1
# nDCG at 4 is $(2 / \log_2 3 + 1 / \log_2 5) / (2 / \log_2 2 + 1 / \log_2 3) = 1.6925 / 2.6309 = 0.6433$.
#
# <details><summary>Hint 1</summary><code>enumerate(ranked, start=1)</code> counts ranks from 1.</details>
# <details><summary>Hint 2</summary>Write the DCG of a list of gains once, and use it twice.</details>

# %% exercise="metrics"
def recall_at(ranked: list[str], relevant: list[str], k: int) -> float:
    """Return the share of the relevant documents among the first k of the ranked."""
    ### BEGIN SOLUTION
    return len(set(ranked[:k]) & set(relevant)) / len(set(relevant))
    ### END SOLUTION


def reciprocal_rank(ranked: list[str], relevant: list[str]) -> float:
    """Return 1 / the rank of the first relevant document, 0 if none is there."""
    ### BEGIN SOLUTION
    return next((1 / rank for rank, name in enumerate(ranked, start=1) if name in relevant), 0.0)
    ### END SOLUTION


def ndcg_at(ranked: list[str], gains: dict[str, float], k: int) -> float:
    """Return the nDCG of the first k of the ranked."""
    ### BEGIN SOLUTION
    def dcg(values):
        return sum(g / math.log2(rank + 1) for rank, g in enumerate(values[:k], start=1))

    return dcg([gains.get(name, 0) for name in ranked]) / dcg(sorted(gains.values(), reverse=True))
    ### END SOLUTION

# %% check="metrics" points=7
# The check of `metrics`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("metrics", points=7)
def score(check):
    precision = "divided by k: that is precision; recall divides by the number of relevant documents"
    hit = "this says whether one was found at all; recall is the share of the relevant ones"
    everything = "k is ignored: only the first k count"
    from_zero = "ranks count from 1"
    last = "the first relevant document counts, not the last"
    mean = "only the first relevant document counts, not the mean over all"
    found_only = "the best possible order sorts all gains that there are, also of documents that were not found"
    not_cut = "the best possible order, too, has only k places"
    undivided = "not divided by the DCG of the best possible order"
    natural = "the discount is log2(rank + 1): this one is too strong or too weak at the start"
    exponential = "the gain is taken as it is, not as 2 to its power less 1"

    check(recall_at, ["a", "b", "c", "d"], ["b", "d", "x"], 2).equals(1 / 3, near={
        precision: 0.5, hit: 1, everything: 2 / 3,
    })
    check(recall_at, ["a", "b"], ["b", "d", "x"], 5).equals(1 / 3, near={precision: 0.2, hit: 1})
    check(reciprocal_rank, ["a", "c", "b", "d"], ["d", "b", "x"]).equals(1 / 3, near={
        from_zero: 0.5, last: 0.25, mean: 7 / 24,
    })
    check(reciprocal_rank, ["a", "b"], ["c"]).equals(0, about="nothing found")
    check(ndcg_at, ["a", "b", "c", "d"], {"b": 2, "d": 1}, 4).equals(0.643331, rtol=1e-5, near={
        undivided: 1.692536, exponential: 0.639904,
    })
    check(ndcg_at, ["a", "b", "c", "d"], {"b": 2, "d": 1, "x": 3}, 3).equals(0.264992, rtol=1e-4, near={
        found_only: 0.630930, undivided: 1.261860, everything: 0.355434,
    })
    ### BEGIN HIDDEN TESTS
    import math

    from sklearn.metrics import ndcg_score

    check.hidden()
    names = [f"d{i}" for i in range(12)]
    check.mistakes({
        precision: lambda r, s, k: len(set(r[:k]) & set(s)) / k,
        "divided by the number of documents that came back": lambda r, s, k: (
            len(set(r[:k]) & set(s)) / max(1, len(r[:k]))
        ),
        hit: lambda r, s, k: float(bool(set(r[:k]) & set(s))), everything: lambda r, s, k: len(set(r) & set(s)) / len(s),
        "divided by the smaller of k and the number of relevant documents": lambda r, s, k: (
            len(set(r[:k]) & set(s)) / min(k, len(s))
        ),
        "this counts them: divide by the number of relevant documents": lambda r, s, k: len(set(r[:k]) & set(s)),
        "off by one: the first k, not k - 1": lambda r, s, k: len(set(r[: k - 1]) & set(s)) / len(s),
        "off by one: the first k, not k + 1": lambda r, s, k: len(set(r[: k + 1]) & set(s)) / len(s),
    })
    for _ in range(4):
        ranked = list(check.rng.permutation(names)[:8])
        relevant = list(check.rng.permutation(names)[: int(check.rng.integers(2, 6))])
        ranked, relevant = [str(r) for r in ranked], [str(r) for r in relevant]
        k = int(check.rng.integers(2, 7))
        right = sum(name in ranked[:k] for name in relevant) / len(relevant)
        check(recall_at, ranked, relevant, k).equals(right, about="a fresh ranking: recall")
    check(recall_at, [], ["a"], 3).equals(0, about="an empty ranking", edge=True)

    def rr(pick=min, base=1):
        return lambda r, s: 1 / (pick(places) + base) if (places := [r.index(x) for x in s if x in r]) else 0.0

    check.mistakes({
        from_zero: rr(base=0), last: rr(max), mean: rr(lambda p: 1 / (sum(1 / (q + 1) for q in p) / len(p)) - 1),
        "this is the rank: return 1 / rank": lambda r, s: 1 / v if (v := rr()(r, s)) else 0.0,
        "the first of `relevant` counts, not the first of them in the ranking": lambda r, s: (
            1 / (r.index(s[0]) + 1) if s[0] in r else 0.0
        ),
        "the sum over all relevant documents; only the first counts": lambda r, s: sum(
            1 / (r.index(x) + 1) for x in s if x in r
        ),
        "ranks count from 1, not from 2": rr(base=2),
    })
    for _ in range(4):
        ranked = [str(r) for r in check.rng.permutation(names)[:9]]
        relevant = [str(r) for r in check.rng.permutation(names[3:])[:3]]
        places = [i for i, name in enumerate(ranked) if name in relevant]
        check(reciprocal_rank, ranked, relevant).equals(1 / (places[0] + 1) if places else 0.0, about="a fresh ranking")
    check(reciprocal_rank, [], ["a"]).equals(0, about="an empty ranking", edge=True)

    def nd(d=lambda r: math.log2(r + 1), ideal=lambda r, g, k: sorted(g.values(), reverse=True)[:k],
           gain=lambda g: g, cut=True, divide=True):
        def function(ranked, gains, k):
            total = lambda values: sum(gain(v) / d(i) for i, v in enumerate(values, 1))
            got = total([gains.get(n, 0) for n in (ranked[:k] if cut else ranked)])
            return got / total(ideal(ranked, gains, k)) if divide else got

        return function

    check.mistakes({
        found_only: nd(ideal=lambda r, g, k: sorted((g.get(n, 0) for n in r[:k]), reverse=True)),
        "the best possible order sorts all gains that there are, not those of the whole ranking alone": nd(
            ideal=lambda r, g, k: sorted((g.get(n, 0) for n in r), reverse=True)[:k]
        ),
        not_cut: nd(ideal=lambda r, g, k: sorted(g.values(), reverse=True)),
        "the best possible order was not sorted": nd(ideal=lambda r, g, k: list(g.values())[:k]),
        "the best possible order has the largest gain first": nd(ideal=lambda r, g, k: sorted(g.values())[:k]),
        undivided: nd(divide=False), everything: nd(cut=False), natural: nd(lambda r: math.log2(r + 2)),
        "the discount is log2(rank + 1): this one is the rank itself": nd(lambda r: r),
        "the discount is log2(rank + 1): the first rank is not divided by 0": nd(lambda r: math.log2(r) or 1),
        exponential: nd(gain=lambda g: 2**g - 1), "gains count, not only whether they are above 0": nd(
            gain=lambda g: float(g > 0)
        ),
    })
    for _ in range(4):
        gains = {name: float(check.rng.integers(1, 5)) for name in names[:6]}
        ranked, k = [str(r) for r in check.rng.permutation(names)], int(check.rng.integers(2, 6))
        truth = [[gains.get(name, 0.0) for name in ranked]]
        right = ndcg_score(truth, [list(range(len(ranked), 0, -1))], k=k)
        check(ndcg_at, ranked, gains, k).equals(right, about="fresh gains")
    half = names[5:9]
    right = nd()(half, {"d5": 1.0, "d1": 3.0, "d8": 2.0}, 6)
    check(ndcg_at, half, {"d5": 1.0, "d1": 3.0, "d8": 2.0}, 6).equals(right, about="a ranking shorter than k")
    check(ndcg_at, [], {"a": 1.0}, 3).equals(0, about="an empty ranking", edge=True)
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Exercise 2: chunks by size (`windows`)
#
# 10 minutes, ★, 4 points
#
# A docstring may be two lines or two hundred. What we search for and what we show the reader are pieces of it: *chunks*.
# The simplest are windows of `size` words, each beginning `size - overlap` words after the one before. Without overlap,
# a fact that lies across a border is in neither piece; with it, the index grows.
#
# Return a list of lists of words. The last window may be shorter. Stop with the first window that reaches the end of
# the text: a further one would hold nothing new. No words give no windows. Raise a `ValueError` unless `0 <= overlap <
# size`.
#
# By hand: seven words a to g, size 4, overlap 1: (a b c d), (d e f g). With overlap 2: (a b c d), (c d e f), (e f g).
#
# <details><summary>Hint 1</summary>A window that begins at <code>start</code> reaches the end when <code>start + size
# >= len(words)</code>.</details>

# %% exercise="windows"
def windows(words: list[str], size: int, overlap: int = 0) -> list[list[str]]:
    """Return windows of `size` words of which neighbours share `overlap`."""
    ### BEGIN SOLUTION
    if not 0 <= overlap < size:
        raise ValueError("overlap must be at least 0 and less than size")
    found = []
    for start in range(0, len(words), size - overlap):
        found.append(words[start : start + size])
        if start + size >= len(words):
            break
    return found
    ### END SOLUTION

# %% check="windows" points=4
# The check of `windows`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("windows", points=4)
def score(check):
    ignored = "overlap is ignored"
    extra = "one window too many: stop with the first one that reaches the end"
    dropped = "the last, shorter window is missing"
    step = "the next window begins size - overlap words later, not overlap words later"
    refuse = "an overlap as large as the window, or a negative one, must raise a ValueError"

    check(windows, list("abcdefg"), 4, 1).equals([list("abcd"), list("defg")], near={
        extra: [list("abcd"), list("defg"), ["g"]], ignored: [list("abcd"), list("efg")],
    })
    check(windows, list("abcdefg"), 4, 2).equals([list("abcd"), list("cdef"), list("efg")], near={
        extra: [list("abcd"), list("cdef"), list("efg"), ["g"]], ignored: [list("abcd"), list("efg")],
        dropped: [list("abcd"), list("cdef")],
    })
    check(windows, list("abcdefgh"), 3).equals([list("abc"), list("def"), list("gh")], near={
        dropped: [list("abc"), list("def")],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(step, last=True, stop=True):
        def function(words, size, overlap=0):
            found = []
            for start in range(0, len(words), max(1, step(size, overlap))):
                part = words[start : start + size]
                found += [part] if last or len(part) == size else []
                if stop and start + size >= len(words):
                    break
            return found

        return function

    check.mistakes({
        ignored: made(lambda s, o: s), extra: made(lambda s, o: s - o, stop=False),
        dropped: made(lambda s, o: s - o, last=False), step: made(lambda s, o: o),
        "each window begins one word later; it is size - overlap words": made(lambda s, o: 1),
        "off by one: neighbours share overlap words, not one more": made(lambda s, o: s - o - 1),
        "off by one: neighbours share overlap words, not one less": made(lambda s, o: s - o + 1),
        "each window is joined to a text: a list of words is asked": lambda w, s, o=0: [
            " ".join(part) for part in made(lambda s, o: s - o)(w, s, o)
        ],
    })
    for n, size, overlap in [(17, 5, 2), (20, 5, 0), (23, 7, 6), (16, 6, 1), (9, 4, 1)]:
        words = [f"w{int(i)}" for i in check.rng.integers(0, 50, size=n)]
        starts = [0]
        while starts[-1] + size < n:
            starts.append(starts[-1] + size - overlap)
        right = [[words[i] for i in range(s, min(n, s + size))] for s in starts]
        check(windows, words, size, overlap).equals(right, about="fresh words")
    check(windows, ["a", "b"], 5, 2).equals([["a", "b"]], about="a text shorter than a window", edge=True)
    check(windows, [], 5, 2).equals([], about="no words", edge=True)

    def refused(size, overlap):
        try:
            windows(list("abcdef"), size, overlap)
        except ValueError:
            return True
        return False

    check.mistakes({})
    for size, overlap in [(3, 3), (3, 4), (3, -1)]:
        check(refused, size, overlap).equals(True, about="an overlap that does not fit", edge=True, near={refuse: False})
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Exercise 3: chunks by structure (`sections`)
#
# 15 minutes, ★★, 6 points
#
# A docstring has a shape: paragraphs, parameters, notes, parted by blank lines. Cut there, and a chunk is a thought. So:
#
# 1. Split the text at blank lines (lines with nothing but blanks count). Blanks around a paragraph at its start and end
#    are taken off with `strip`; inside it nothing changes. Empty paragraphs are dropped.
# 2. Go through the paragraphs and gather them. Before one is added that would bring the chunk above `size` words, close
#    the chunk and begin the next with that paragraph. A paragraph that is longer than `size` by itself is *not* cut: it
#    becomes a chunk of its own, and the next paragraph begins another.
# 3. A chunk is its paragraphs joined by one blank line (`"\n\n"`). Words are what `str.split()` gives.
#
# By hand, size 5: paragraphs of 2, 3, 1 and 9 words give three chunks: 2 + 3, 1, and 9.
#
# <details><summary>Hint 1</summary><code>re.split(r"\n\s*\n", text)</code> splits at blank lines.</details>
# <details><summary>Hint 2</summary>Keep a list of paragraphs and the count of their words; close it when it is not empty
# and would grow too long, and once more at the end.</details>

# %% exercise="sections"
def sections(text: str, size: int) -> list[str]:
    """Return chunks of whole paragraphs with at most `size` words, longer only where one paragraph is."""
    ### BEGIN SOLUTION
    chunks, gathered, count = [], [], 0
    for paragraph in filter(None, map(str.strip, re.split(r"\n\s*\n", text))):
        words = len(paragraph.split())
        if gathered and count + words > size:
            chunks.append("\n\n".join(gathered))
            gathered, count = [], 0
        gathered.append(paragraph)
        count += words
    return chunks + (["\n\n".join(gathered)] if gathered else [])
    ### END SOLUTION

# %% check="sections" points=6
# The check of `sections`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("sections", points=6)
def score(check):
    one_each = "each paragraph became a chunk of its own: gather them up to `size` words"
    late = "a chunk was closed after it had grown too long: look before you add"
    last = "the last chunk is missing: close it when the text ends"
    strict = "a chunk may have just `size` words"
    joined = "paragraphs are joined by one blank line"
    flat = "inside a paragraph nothing changes: its line breaks stay"
    characters = "size counts words, not characters"
    lost = "a paragraph that is too long by itself is lost; it becomes a chunk of its own"

    text = "one two\n\nthree four\nfive\n\nsix\n\na b c d e f g h i"
    check(sections, text, 5).equals(["one two\n\nthree four\nfive", "six", "a b c d e f g h i"], near={
        one_each: ["one two", "three four\nfive", "six", "a b c d e f g h i"],
        late: ["one two\n\nthree four\nfive\n\nsix", "a b c d e f g h i"],
        last: ["one two\n\nthree four\nfive", "six"],
        strict: ["one two", "three four\nfive\n\nsix", "a b c d e f g h i"],
        joined: ["one two\nthree four\nfive", "six", "a b c d e f g h i"],
        flat: ["one two\n\nthree four five", "six", "a b c d e f g h i"],
        lost: ["one two\n\nthree four\nfive", "six"],
        "a paragraph was cut: one that is too long stays whole": [
            "one two\n\nthree four\nfive", "six", "a b c d e", "f g h i"],
    })
    check(sections, "  a b\n \t \nc\n\n\n\nd e f  \n", 3).equals(["a b\n\nc", "d e f"], near={
        "a line with nothing but blanks parts paragraphs, too": ["a b\n \t \nc", "d e f"],
        "blanks around a paragraph are taken off": ["  a b\n\nc", "d e f  \n"],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(close=lambda count, words, size: count + words > size, end=True, join="\n\n", length=lambda p: len(p.split()),
             split=r"\n\s*\n", keep=lambda p: p, reset=0):
        import re

        def function(text, size):
            found, gathered, count = [], [], 0
            for p in [keep(p.strip()) for p in re.split(split, text) if p.strip()]:
                if gathered and close(count, length(p), size):
                    found.append(join.join(gathered))
                    gathered, count = [], reset
                gathered.append(p)
                count += length(p)
            return found + ([join.join(gathered)] if gathered and end else [])

        return function

    check.mistakes({
        one_each: made(lambda c, w, s: True), late: made(lambda c, w, s: c > s), last: made(end=False),
        "a chunk is closed only once it holds `size` words or more: look before you add": made(lambda c, w, s: c >= s),
        strict: made(lambda c, w, s: c + w >= s), joined: made(join="\n"), characters: made(length=len),
        "paragraphs are joined by one blank line, not by a blank": made(join=" "),
        flat: made(keep=lambda p: " ".join(p.split())),
        "every line break parts: only blank lines do": made(split=r"\n"),
        "a line with nothing but blanks parts paragraphs, too": made(split=r"\n\n+"),
        lost: lambda t, s: [c for c in made()(t, s) if len(c.split()) <= s],
        "size counts paragraphs here; it is a number of words": made(length=lambda p: 1),
    })
    for size in (6, 8, 12, 15):
        paragraphs = []
        for _ in range(9):
            words = [f"w{int(i)}" for i in check.rng.integers(0, 90, size=int(check.rng.integers(1, size + 4)))]
            cut = int(check.rng.integers(0, len(words)))
            paragraphs.append("\n    ".join(filter(None, [" ".join(words[:cut]), " ".join(words[cut:])])))
        text = "".join(p + str(check.rng.choice(["\n\n", "\n  \n", "\n\n\n"])) for p in paragraphs)
        right, sizes = [], []
        for p in paragraphs:
            n = len(p.split())
            if right and sizes[-1] + n <= size:
                right[-1], sizes[-1] = right[-1] + "\n\n" + p, sizes[-1] + n
            else:
                right.append(p)
                sizes.append(n)
        check(sections, text, size).equals(right, about="fresh paragraphs")
    check(sections, "", 5).equals([], about="an empty text", edge=True)
    check(sections, " \n\n \n", 5).equals([], about="a text of blanks", edge=True)
    check(sections, "a b c", 1).equals(["a b c"], about="one long paragraph", edge=True)
    ### END HIDDEN TESTS


score

# %% [markdown]
# What does the cut do? For each way to cut we ask two things. *Whole*: for how many of the questions do the words that
# answer it stand whole in one chunk? What is torn here, no search and no reader can mend. And how many chunks, and words
# in all, must be kept?

# %% show
def flat(text: str) -> str:
    """Return the text with one blank for each stretch of blanks."""
    return " ".join(text.split())


answerable = [q for part in questions.splits.values() for q in part if q.answerable]
asked_docs = {q.document: docs[q.document] for q in answerable}
ways = {
    "whole documents": lambda body: [body],
    "100 words": lambda body: [" ".join(w) for w in windows(body.split(), 100)],
    "40 words": lambda body: [" ".join(w) for w in windows(body.split(), 40)],
    "40 words, 15 shared": lambda body: [" ".join(w) for w in windows(body.split(), 40, 15)],
    "sections of 100": lambda body: sections(body, 100),
    "sections of 40": lambda body: sections(body, 40),
}
print(f"{'chunks by':<22}{'chunks':>8}{'words':>8}{'whole answers':>15}")
whole = {}
for name, way in ways.items():
    cut = {key: [flat(c) for c in way(document.text)] for key, document in asked_docs.items()}
    kept = [c for chunks in cut.values() for c in chunks]
    whole[name] = np.mean([any(flat(q.evidence) in c for c in cut[q.document]) for q in answerable])
    print(f"{name:<22}{len(kept):>8,}{sum(len(c.split()) for c in kept):>8,}{whole[name]:>15.1%}")
fig, ax = plots.figure(width=7, height=2.6)
ax.barh(list(whole)[::-1], list(whole.values())[::-1], color=plots.COLORS[0])
ax.set(xlabel="share of questions whose answer is whole in one chunk", xlim=(0, 1))
plots.show(fig, "Bars, whole answers by way of cutting: " + "; ".join(f"{n} {v:.0%}" for n, v in whole.items()) + ".")

# %% [markdown]
# We take sections. Each chunk also begins with the name and signature of its document: a piece that says "Default: 1e-5"
# is worth nothing if nobody knows of what.

# %% given
SIZE = 120  # words of a chunk


def cut_docs(documents, cut) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Return the chunks [(name and signature, text), ...] of documents and, for each, the number of its document."""
    chunks, owners = [], []
    for i, document in enumerate(documents):
        for part in cut(document.body, SIZE):
            chunks.append((f"{document.name}{document.signature[:200]}", part))
            owners.append(i)
    return chunks, np.array(owners)

# %% show
PART = budget(grade=4, cpu=1)  # on the small budget every fourth document, and those that are asked about
documents = [d for i, d in enumerate(docs) if i % PART == 0 or d.name in asked_docs]
names = [document.name for document in documents]
place = {name: i for i, name in enumerate(names)}
chunks, owners = cut_docs(documents, sections)
chunk_words = [search.words(title) + search.words(text) for title, text in chunks]
print(f"{len(documents):,} documents, {len(chunks):,} chunks, {sum(map(len, chunk_words)) / len(chunks):.0f} words each")

# %% [markdown]
# ## Exercise 4: an inverted index (`inverted`)
#
# 30 minutes, ★★★, 9 points
#
# Chapter 01's BM25 went through all documents for each query. Nearly all score 0. An *inverted index* turns it round: for
# each word the list of documents that hold it, its *postings*. And since BM25 of a word in a document does not depend on
# the query, it can be worked out beforehand:
#
# $$\text{weight}(w, d) = \ln\Big(1 + \frac{N - N_w + 0.5}{N_w + 0.5}\Big) \cdot
# \frac{\text{TF}(w, d) \cdot (k_1 + 1)}{\text{TF}(w, d) + k_1 \cdot \big(1 - b + b \cdot \frac{|d|}{\text{avgdl}}\big)}$$
#
# with $N$ documents, $N_w$ of them with $w$. (This is the IDF of Lucene, which is never negative.) A query is then a few
# additions of short arrays.
#
# 1. `build_index(documents, k1, b)` returns `{word: (numbers, weights)}`: two NumPy arrays of the same length, the
#    documents that hold the word in ascending order (whole numbers, from 0) and the weights (float64). No documents
#    give an empty dict; an empty document has no words.
# 2. `bm25_scores(index, query, num_documents)` returns the scores of all documents, shape (N,), float64. A word that
#    stands twice in the query counts twice; one that is not in the index adds nothing.
# 3. `best(scores, k)` returns the numbers of the (at most) `k` documents with the largest scores, the largest first, as
#    a list of ints. Equal scores: the lower number first. Scores of 0 and below are left out. Do not sort all N if k is
#    small (`np.argpartition`, or sort only the scores above 0).
#
# By hand: documents (a b a), (b), (b c); for the word c, $N_w = 1$: $\ln(1 + 2.5 / 1.5) = 0.9808$; with $k_1 = 1.2$, $b =
# 0.75$, avgdl = 2 the fraction is $2.2 / 2.2 = 1$.
#
# <details><summary>Hint 1</summary>First pass: for each document a <code>Counter</code>; append its number and count to
# the list of each of its words. Second pass: from counts to weights, with arrays.</details>
# <details><summary>Hint 2</summary><code>scores[numbers] += weights</code> adds at many places at once; right here, since
# no document stands twice in one word's postings.</details>
# <details><summary>Hint 3</summary><code>np.lexsort((numbers, -scores[numbers]))</code> sorts by score, then by
# number.</details>

# %% exercise="inverted"
def build_index(
    documents: list[list[str]], k1: float = 1.2, b: float = 0.75
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return {word: (numbers (n,), BM25 weights (n,))} of N tokenised documents."""
    ### BEGIN SOLUTION
    postings: dict[str, tuple[list[int], list[int]]] = {}
    for number, document in enumerate(documents):
        for word, count in Counter(document).items():
            numbers, counts = postings.setdefault(word, ([], []))
            numbers.append(number)
            counts.append(count)
    lengths = np.array([len(document) for document in documents], dtype=float)
    index = {}
    for word, (numbers, counts) in postings.items():
        numbers, tf = np.array(numbers), np.array(counts, dtype=float)
        idf = math.log(1 + (len(documents) - len(numbers) + 0.5) / (len(numbers) + 0.5))
        length = 1 - b + b * lengths[numbers] / lengths.mean()
        index[word] = (numbers, idf * tf * (k1 + 1) / (tf + k1 * length))
    return index
    ### END SOLUTION


def bm25_scores(index: dict[str, tuple[np.ndarray, np.ndarray]], query: list[str], num_documents: int) -> np.ndarray:
    """Return the score of each document for a tokenised query, (N,)."""
    ### BEGIN SOLUTION
    scores = np.zeros(num_documents)
    for word in query:
        if word in index:
            numbers, weights = index[word]
            scores[numbers] += weights
    return scores
    ### END SOLUTION


def best(scores: np.ndarray, k: int) -> list[int]:
    """Return the numbers of the k largest scores above 0, the largest first."""
    ### BEGIN SOLUTION
    numbers = np.flatnonzero(scores > 0)
    if len(numbers) > k > 0:  # all that reach the k-th score, so that ties are settled below
        threshold = -np.partition(-scores[numbers], k - 1)[k - 1]
        numbers = numbers[scores[numbers] >= threshold]
    return numbers[np.lexsort((numbers, -scores[numbers]))][:k].tolist()
    ### END SOLUTION

# %% check="inverted" points=9
# The check of `inverted`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("inverted", points=9)
def score(check):
    import numpy as np

    plain_idf = "the IDF is log(1 + (N - n + 0.5) / (n + 0.5))"
    no_idf = "the IDF is missing"
    no_top = "the factor (k1 + 1) is missing"
    no_length = "the length of the document does not enter: b is ignored"
    from_one = "documents are numbered from 0"
    once = "a word that stands twice in the query counts twice"
    by_number = "the largest score comes first"
    zeros = "scores of 0 and below are left out"
    ties = "equal scores: the lower number first"

    documents = [["a", "b", "a"], ["b"], ["b", "c"]]
    check(lambda d: build_index(d)["c"], documents).equals(([2], [0.980829]), rtol=1e-5, near={
        plain_idf: ([2], [0.510826]), from_one: ([3], [0.980829]), no_top: ([2], [0.445831]), no_idf: ([2], [1.0]),
    })
    check(lambda d: build_index(d)["a"], documents).equals(([0], [1.191972]), rtol=1e-4, near={
        no_length: ([0], [1.348640]), no_top: ([0], [0.541806]),
        "TF is the count in the document, not 1": ([0], [0.830037]), no_idf: ([0], [1.215270]),
    })
    index = {"a": (np.array([0, 2]), np.array([1.0, 0.5])), "b": (np.array([1, 2]), np.array([0.25, 2.0]))}
    check(bm25_scores, index, ["b", "x", "a", "b"], 4).equals([1.0, 0.5, 4.5, 0.0], near={
        once: [1.0, 0.25, 2.5, 0.0],
        "a word that is not in the index adds nothing": KeyError,
    })
    check(best, np.array([0.5, 2.0, 0.0, 0.5, 1.0, -1.0]), 4).equals([1, 4, 0, 3], near={
        ties: [1, 4, 3, 0], by_number: [0, 1, 3, 4],
    })
    check(best, np.array([0.0, 2.0, 0.0, 3.0]), 3).equals([3, 1], near={zeros: [3, 1, 0]})
    ### BEGIN HIDDEN TESTS
    import math

    check.hidden()
    vocabulary = [f"w{i}" for i in range(15)]

    def weight(documents, word, k1=1.2, b=0.75, idf=None, top=True, tf=lambda d, w: d.count(w), mean=None):
        average = mean(documents) if mean else sum(map(len, documents)) / len(documents)
        n = sum(word in d for d in documents)
        if idf is None:
            value = math.log(len(documents) + 1) - math.log(n + 0.5)
        else:
            value = idf(len(documents), n)
        found = {}
        for i, d in enumerate(documents):
            if word in d:
                f = tf(d, word)
                found[i] = value * f * (k1 + 1 if top else 1) / (f + k1 * (1 - b + b * len(d) / average))
        return found

    def pair(found):
        return np.array(sorted(found)), np.array([found[i] for i in sorted(found)])

    def made(**odd):
        def function(documents, word, k1=1.2, b=0.75):
            return pair(weight(documents, word, **({"k1": k1, "b": b} | odd)))

        return function

    def postings(documents, word, *options):
        numbers, weights = build_index(documents, *options)[word]
        return np.asarray(numbers), np.asarray(weights)

    check.mistakes({
        plain_idf: made(idf=lambda N, n: math.log((N - n + 0.5) / (n + 0.5))),
        "the IDF here is log(N / n); Lucene's is asked": made(idf=lambda N, n: math.log(N / n)),
        "the logarithm is the natural one, not that of base 10": made(
            idf=lambda N, n: math.log10(1 + (N - n + 0.5) / (n + 0.5))
        ),
        "the logarithm is the natural one, not that of base 2": made(
            idf=lambda N, n: math.log2(1 + (N - n + 0.5) / (n + 0.5))
        ),
        "n is the number of documents with the word, not how often it stands in all": lambda d, w, k1=1.2, b=0.75: pair(
            weight(d, w, k1, b, idf=lambda N, n: math.log(
                max(1e-9, 1 + (N - sum(x.count(w) for x in d) + 0.5) / (sum(x.count(w) for x in d) + 0.5)))
            )),
        no_idf: made(idf=lambda N, n: 1.0), no_top: made(top=False), no_length: made(b=0),
        "k1 and b are fixed: take the arguments": lambda d, w, k1=1.2, b=0.75: made()(d, w),
        "b is fixed: take the argument": lambda d, w, k1=1.2, b=0.75: made()(d, w, k1),
        "k1 is fixed: take the argument": lambda d, w, k1=1.2, b=0.75: made()(d, w, 1.2, b),
        "TF is the count in the document, not 1": made(tf=lambda d, w: 1),
        "TF is the count, not divided by the length": made(tf=lambda d, w: d.count(w) / len(d)),
        "empty documents count in the mean length, too": made(
            mean=lambda ds: sum(map(len, ds)) / sum(bool(d) for d in ds)
        ),
        "the lengths are those of the documents with repeats, not their different words": made(
            mean=lambda ds: sum(len(set(d)) for d in ds) / len(ds)
        ),
        from_one: lambda d, w, k1=1.2, b=0.75: (lambda a, v: (a + 1, v))(*made()(d, w, k1, b)),
    })
    for options in [(), (), (2.0, 0.3), (0.7, 0.9), (1.2, 0.4)]:
        documents = [[str(w) for w in check.rng.choice(vocabulary, size=int(check.rng.integers(0, 14)), p=None)]
                     for _ in range(8)] + [[], ["w0", "w1", "w1"], ["w1"]]
        check(postings, documents, "w1", *options).equals(
            pair(weight(documents, "w1", *options)), about="the postings of a word"
        )
    check(lambda d: sorted(build_index(d)), [["b", "a"], [], ["c", "a"]]).equals(["a", "b", "c"], about="the words")
    check.mistakes({})
    check(lambda: len(build_index([]))).equals(0, about="no documents", edge=True)

    def add(seen=lambda q: q):
        def function(index, query, n):
            scores = np.zeros(n)
            for w in seen(query):
                if w in index:
                    np.add.at(scores, index[w][0], index[w][1])
            return scores

        return function

    check.mistakes({
        once: add(lambda q: list(dict.fromkeys(q))),
        "only the last word counts: add up": add(lambda q: [w for w in q if w.startswith("w")][-1:]),
        "every document with a word gets 1: add the weights": lambda i, q, n: add()(
            {w: (a, np.ones_like(v)) for w, (a, v) in i.items()}, q, n
        ),
    })
    for _ in range(3):
        index = {}
        for w in vocabulary[:8]:
            numbers = np.sort(check.rng.permutation(9)[: int(check.rng.integers(1, 6))])
            index[w] = (numbers, check.rng.uniform(0.1, 3, size=len(numbers)))
        query = [str(w) for w in check.rng.choice(vocabulary[:10], size=6)] + ["w1", "w1", "w2"]
        check(bm25_scores, index, query, 9).equals(add()(index, query, 9), about="fresh postings")
    check(bm25_scores, index, [], 9).equals(np.zeros(9), about="an empty query", edge=True)
    check.mistakes({
        by_number: lambda s, k: sorted(best_of(s)[:k]),
        "the smallest scores came: the largest first": lambda s, k: [
            int(i) for i in np.argsort(s, kind="stable") if s[i] > 0
        ][:k],
        zeros: lambda s, k: np.lexsort((np.arange(len(s)), -s))[:k].tolist(),
        "scores below 0 are left out, too": lambda s, k: [
            int(i) for i in np.lexsort((np.arange(len(s)), -s)) if s[i] != 0
        ][:k],
        ties: lambda s, k: np.lexsort((-np.arange(len(s)), -s))[: int((s > 0).sum())][:k].tolist(),
        "k is ignored": lambda s, k: best_of(s),
        "the scores came back: their numbers are asked": lambda s, k: s[best_of(s)][:k].tolist(),
    })

    def best_of(s):
        return [i for i in sorted(range(len(s)), key=lambda i: (-s[i], i)) if s[i] > 0]

    for n, k in [(30, 7), (30, 12), (12, 5)]:
        scores = check.rng.integers(-2, 6, size=n) / 2.0
        check(best, scores, k).equals(best_of(scores)[:k], about="scores with ties")
    scores = check.rng.normal(size=50)
    check(best, scores, 40).equals(best_of(scores)[:40], about="fewer scores above 0 than k")
    check(best, np.zeros(5), 3).equals([], about="nothing above 0", edge=True)
    check(best, np.array([]), 3).equals([], about="no scores", edge=True)
    ### END HIDDEN TESTS


score

# %% show
start = time.perf_counter()
index = build_index(chunk_words)
print(f"{len(index):,} words, {sum(len(n) for n, _ in index.values()):,} postings, {time.perf_counter() - start:.1f} s")
idf = {word: math.log(1 + (len(chunks) - len(n) + 0.5) / (len(n) + 0.5)) for word, (n, _) in index.items()}


def lexical(question: str, k: int = 100) -> list[int]:
    """Return the numbers of the k best chunks by BM25."""
    return best(bm25_scores(index, search.words(question), len(chunks)), k)


example = "How many results does the memoising decorator of functools keep if I say nothing?"
start = time.perf_counter()
found = lexical(example, 5)
print(f"{1000 * (time.perf_counter() - start):.1f} ms", *(chunks[i][0][:90] for i in found), sep="\n  ")

# %% [markdown]
# ## Exercise 5: exact dense search (`dense`)
#
# 20 minutes, ★★, 6 points
#
# Words are not meanings: who asks for "accented letters" should find "non-ASCII characters". An encoder (chapter 07) gives
# each text a vector, near those of texts alike. Then the search is a product of matrices, and the largest numbers of each
# row. For a million passages and a thousand questions that table has $10^9$ numbers, so it must not exist at once:
#
# `dense_top(queries, vectors, k, batch)` goes through `vectors` $(N, C)$ in pieces of `batch` rows. After each piece it
# keeps, for every query, the best `k` so far. It returns `(rows, scores)`, both of shape $(Q, \min(k, N))$: the numbers
# of the rows with the largest dot products, the largest first, and these products. Equal scores may come in any order.
#
# By hand: one query (1, 0); vectors (1, 5), (3, 0), (2, 2); k = 2: rows (1, 2), scores (3, 2).
#
# <details><summary>Hint 1</summary>The best of all are among the best of each piece: put the new scores beside the kept
# ones (<code>np.concatenate(..., axis=1)</code>) and choose again.</details>
# <details><summary>Hint 2</summary>The rows of a piece are numbered from its start: add it.</details>
# <details><summary>Hint 3</summary><code>np.take_along_axis(scores, order, axis=1)</code> picks other columns in each
# row.</details>

# %% exercise="dense"
def dense_top(
    queries: np.ndarray, vectors: np.ndarray, k: int, batch: int = 4096
) -> tuple[np.ndarray, np.ndarray]:
    """Return (rows, scores), each (Q, min(k, N)), of the largest dot products of queries (Q, C) and vectors (N, C)."""
    ### BEGIN SOLUTION
    rows, scores = np.zeros((len(queries), 0), dtype=int), np.zeros((len(queries), 0), dtype=queries.dtype)
    for start in range(0, len(vectors), batch):
        new = queries @ vectors[start : start + batch].T  # (Q, n)
        places = np.argpartition(-new, k - 1, axis=1)[:, :k] if new.shape[1] > k else np.tile(
            np.arange(new.shape[1]), (len(queries), 1)
        )
        scores = np.concatenate([scores, np.take_along_axis(new, places, axis=1)], axis=1)
        rows = np.concatenate([rows, places + start], axis=1)
        order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        rows, scores = np.take_along_axis(rows, order, axis=1), np.take_along_axis(scores, order, axis=1)
    return rows, scores
    ### END SOLUTION

# %% check="dense" points=6
# The check of `dense`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("dense", points=6)
def score(check):
    import numpy as np

    smallest = "the smallest products came: the largest first"
    offset = "the rows of a piece are numbered from its start: add it"
    last_piece = "only the last piece was kept: put its best beside those of the pieces before"
    first_piece = "only the first piece was searched"
    cosine = "the vectors were brought to length 1: dot products are asked"
    unsorted = "the k best are there, but not the largest first"

    queries = np.array([[1.0, 0.0], [0.0, -1.0]])
    vectors = np.array([[1.0, 5.0], [3.0, 0.0], [2.0, 2.0], [0.0, -4.0], [2.5, 1.0]])
    check(dense_top, queries, vectors, 2, 2).equals(([[1, 4], [3, 1]], [[3.0, 2.5], [4.0, 0.0]]), near={
        smallest: ([[3, 0], [0, 2]], [[0.0, 1.0], [-5.0, -2.0]]),
        offset: ([[1, 0], [1, 1]], [[3.0, 2.5], [4.0, 0.0]]),
        first_piece: ([[1, 0], [1, 0]], [[3.0, 1.0], [0.0, -5.0]]),
        "the scores came first; the order is rows, scores": ([[3.0, 2.5], [4.0, 0.0]], [[1, 4], [3, 1]]),
    })
    check(dense_top, queries[:1], vectors, 3, 100).equals(([[1, 4, 2]], [[3.0, 2.5, 2.0]]), near={
        smallest: ([[3, 0, 2]], [[0.0, 1.0, 2.0]]), cosine: ([[1, 4, 2]], [[1.0, 0.928477, 0.707107]]),
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def top(q, v, k, order=lambda s: -s):
        s = np.einsum("qc,nc->qn", q, v)
        o = np.argsort(order(s), axis=1, kind="stable")[:, :k]
        return o, np.take_along_axis(s, o, axis=1)

    def unit(x):
        return x / np.linalg.norm(x, axis=1, keepdims=True)

    def shifted(q, v, k, batch=4096):
        rows, s = top(q, v, k)
        return rows % batch, s

    def ordered(q, v, k, batch=4096):
        rows, s = top(q, v, k)
        o = np.argsort(rows, axis=1)
        return np.take_along_axis(rows, o, 1), np.take_along_axis(s, o, 1)

    def last(q, v, k, batch=4096):
        begin = (len(v) - 1) // batch * batch
        rows, s = top(q, v[begin:], k)
        return rows + begin, s

    def distance(q, v, k, batch=4096):
        rows, _ = top(q, v, k)
        d = np.linalg.norm(q[:, None] - v[None], axis=-1)
        o = np.argsort(d, axis=1)[:, :k]
        return o, np.take_along_axis(d, o, 1)

    check.mistakes({
        smallest: lambda q, v, k, batch=4096: top(q, v, k, order=lambda s: s), offset: shifted, unsorted: ordered,
        first_piece: lambda q, v, k, batch=4096: top(q, v[:batch], k), last_piece: last,
        cosine: lambda q, v, k, batch=4096: top(unit(q), unit(v), k),
        "the vectors, not the queries, were brought to length 1": lambda q, v, k, batch=4096: top(q, unit(v), k),
        "the size of the product was taken: a large negative one is far away": lambda q, v, k, batch=4096: top(
            q, v, k, order=lambda s: -np.abs(s)
        ),
        "these are distances: the largest dot products are asked": distance,
        "k is off by one: one too few": lambda q, v, k, batch=4096: top(q, v, k - 1),
        "the last piece, shorter than the others, was left out": lambda q, v, k, batch=4096: top(
            q, v[: len(v) // batch * batch], k
        ),
        "the scores came first; the order is rows, scores": lambda q, v, k, batch=4096: top(q, v, k)[::-1],
    })

    def tried(Q, N, C, k, about, edge=False, dtype=np.float64, **options):
        q, v = check.rng.normal(size=(Q, C)).astype(dtype), check.rng.normal(size=(N, C)).astype(dtype)
        v *= check.rng.uniform(0.3, 2, size=(N, 1)).astype(dtype)
        check(dense_top, q, v, k, **options).equals(top(q, v, k), about=about, edge=edge, rtol=1e-4, atol=1e-6)

    tried(3, 23, 5, 4, "several pieces", batch=6)
    tried(4, 40, 3, 7, "pieces smaller than k", batch=5)
    tried(2, 30, 6, 5, "one piece")
    tried(5, 12, 4, 3, "pieces of one row", batch=1)
    tried(2, 24, 4, 6, "pieces that fit exactly", batch=8)
    tried(3, 17, 5, 4, "single precision", batch=7, dtype=np.float32)
    tried(3, 4, 5, 9, "fewer vectors than k", edge=True, batch=3)
    tried(1, 1, 5, 1, "one vector", edge=True)
    ### END HIDDEN TESTS


score

# %% show
encoder = search.load_encoder()
start = time.perf_counter()
vectors = encoder.encode([f"{title}\n{text}" for title, text in chunks])
print(f"{type(encoder).__name__}: {vectors.shape} in {time.perf_counter() - start:.1f} s, {vectors.nbytes / 1e6:.0f} MB")


def dense(question: str, k: int = 100) -> list[int]:
    """Return the numbers of the k chunks whose vectors have the largest dot product with the question's."""
    return dense_top(encoder.encode([question]), vectors, k)[0][0].tolist()

# %% [markdown]
# **The same in Qdrant.** A vector database keeps vectors on disk, filters by payload, serves many. Ours runs inside this
# process (`url=None`); with `url="http://localhost:6333"` the same code asks a server. Searched exactly, it must find
# the same ten.

# %% show
store = search.VectorStore(vectors)
asked = [q.question for q in questions.splits["valid"][: budget(grade=3, cpu=20)]]
mine, products = dense_top(encoder.encode(asked), vectors, 10)
theirs = [store.search(v) for v in encoder.encode(asked)]
agree = [set(r) == {i for i, _ in t} for r, t in zip(mine.tolist(), theirs, strict=True)]
gap = max(abs(s - t[j][1]) for row, t in zip(products, theirs, strict=True) for j, s in enumerate(row))
print(f"the same top-10 in Qdrant for {sum(agree)} of {len(agree)} questions; largest difference of scores {gap:.1e}")

# %% [markdown]
# ## Exercise 6: two rankings into one (`fusion`)
#
# 10 minutes, ★, 5 points
#
# BM25 knows names, the encoder knows meanings; each finds what the other misses. Their scores have different units, so we
# add neither. *Reciprocal rank fusion* (Cormack, Clarke, Büttcher 2009) uses ranks alone:
#
# $$\text{score}(d) = \sum_{\text{rankings that hold } d} \frac{1}{c + \text{rank of } d}, \qquad c = 60$$
#
# Return a list of pairs (number, score), the largest score first; equal scores: the lower number first. Ranks count from
# 1. A document that one ranking lacks gets nothing from it. Rankings may differ in length, and any may be empty.
#
# By hand, c = 1: (7, 3) and (3, 9): 3 has 1/3 + 1/2 = 0.8333, 7 has 0.5, 9 has 0.3333.

# %% exercise="fusion"
def fuse(rankings: list[list[int]], c: float = 60.0) -> list[tuple[int, float]]:
    """Return [(number, score), ...] of all documents in the rankings, the best first."""
    ### BEGIN SOLUTION
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, start=1):
            scores[number] = scores.get(number, 0.0) + 1 / (c + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    ### END SOLUTION

# %% check="fusion" points=5
# The check of `fusion`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("fusion", points=5)
def score(check):
    from_zero = "ranks count from 1"
    fixed = "c is ignored"
    overwritten = "the scores of a document in several rankings are added"
    ties = "equal scores: the lower number first"
    both = "a document that only one ranking holds is there, too"
    ascending = "the largest score first"

    check(fuse, [[7, 3], [3, 9]], 1.0).equals([(3, 5 / 6), (7, 1 / 2), (9, 1 / 3)], near={
        from_zero: [(3, 1.5), (7, 1.0), (9, 0.5)], fixed: [(3, 0.0325225), (7, 1 / 61), (9, 1 / 62)],
        overwritten: [(3, 0.5), (7, 0.5), (9, 1 / 3)], both: [(3, 5 / 6)],
        ascending: [(9, 1 / 3), (7, 1 / 2), (3, 5 / 6)],
    })
    check(fuse, [[5, 2], [1, 8]], 1.0).equals([(1, 0.5), (5, 0.5), (2, 1 / 3), (8, 1 / 3)], near={
        ties: [(5, 0.5), (1, 0.5), (2, 1 / 3), (8, 1 / 3)], from_zero: [(1, 1.0), (5, 1.0), (2, 0.5), (8, 0.5)],
        fixed: [(1, 1 / 61), (5, 1 / 61), (2, 1 / 62), (8, 1 / 62)],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(base=1, c_is=None, pick=sum, keep=lambda found, n: True, key=lambda i: (-i[1], i[0]), value=None):
        def function(rankings, c=60.0):
            k = c if c_is is None else c_is
            parts = {}
            for r in rankings:
                for n in r:
                    rank = r.index(n) + base
                    parts.setdefault(n, []).append(value(k, rank) if value else 1 / (k + rank))
            return sorted(((n, pick(v)) for n, v in parts.items() if keep(v, len(rankings))), key=key)

        return function

    check.mistakes({
        from_zero: made(base=0), fixed: made(c_is=60.0), overwritten: made(pick=lambda v: v[-1]),
        "only the best rank counted: add over all rankings": made(pick=max),
        "the mean of the parts: add them": made(pick=lambda v: sum(v) / len(v)),
        both: made(keep=lambda v, n: len(v) == n), ascending: made(key=lambda i: (i[1], i[0])),
        ties: made(key=lambda i: (-i[1], -i[0])), "sorted by number: the largest score first": made(key=lambda i: i[0]),
        "c is added to the rank, not to its reciprocal": made(value=lambda k, r: k + 1 / r),
        "c divides here: 1 / (c + rank)": made(value=lambda k, r: 1 / (k * r)),
        "only the scores came back: pairs (number, score)": lambda r, c=60.0: [s for _, s in made()(r, c)],
        "only the numbers came back: pairs (number, score)": lambda r, c=60.0: [n for n, _ in made()(r, c)],
    })
    for c, sizes in [((), (6, 4)), ((5.0,), (7, 7, 3)), ((0.5,), (5, 8)), ((20.0,), (4, 5, 6, 7))]:
        rankings = [[int(i) for i in check.rng.permutation(12)[:n]] for n in sizes]
        k = c[0] if c else 60.0
        table = {i: sum(1 / (k + 1 + r.index(i)) for r in rankings if i in r) for r in rankings for i in r}
        right = sorted(table.items(), key=lambda item: (-round(item[1], 12), item[0]))
        check(fuse, rankings, *c).equals(right, about="fresh rankings")
    check(fuse, [[4, 2], []], 1.0).equals([(4, 0.5), (2, 1 / 3)], about="an empty ranking beside another", edge=True)
    check(fuse, []).equals([], about="no rankings", edge=True)
    ### END HIDDEN TESTS


score

# %% [markdown]
# Chunks are found, but a question is about a document: of each document the best chunk counts.

# %% given
def documents_of(ranked: list[int], owners: np.ndarray) -> list[int]:
    """Return the documents of ranked chunks, each once, in the order of its best chunk."""
    return list(dict.fromkeys(owners[ranked].tolist()))

# %% show
def hybrid(question: str, k: int = 100) -> list[int]:
    """Return the numbers of the k best chunks by both searches, fused."""
    return [number for number, _ in fuse([lexical(question, 2 * k), dense(question, 2 * k)])][:k]


def ranks_of(way, part) -> np.ndarray:
    """Return for each question the rank of the right document (inf if it is not found)."""
    found = []
    for q in part:
        ranked = documents_of(way(q.question), owners)
        found.append(ranked.index(place[q.document]) + 1 if place[q.document] in ranked else np.inf)
    return np.array(found)


parts = {
    name: [q for q in questions.splits[name] if q.answerable][:: budget(grade=8, cpu=1)] for name in ("valid", "test")
}
stages = {"BM25": lexical, "dense": dense, "fused": hybrid}
ranks = {name: ranks_of(way, parts["test"]) for name, way in stages.items()}
for name, found in ranks.items():
    print(f"{name:<8} recall@10 {np.mean(found <= 10):.3f}   MRR {np.mean(1 / found):.3f}")

# %% [markdown]
# ## Exercise 7: look again, closely (`rerank`)
#
# 25 minutes, ★★, 7 points
#
# The first search must look at everything, so it is cheap: it adds up words, or compares two vectors that never met. For
# the hundred best we can afford to look at question and passage *together*. A large re-ranker is a transformer that reads
# both (Nogueira, Cho 2019); ours is four numbers of a kind that no sum of words has, and a logistic regression.
#
# `features(query, title, body, idf)` takes lists of words and returns a list of four floats. Words that are not in `idf`
# count nowhere; call the weight of a set of words the sum of the IDF of its *different* words that are in `idf`.
#
# 1. the weight of the query's words that the title has, divided by the weight of the query;
# 2. the same for the body;
# 3. the weight of the title's words that the query has, divided by the weight of the *title*;
# 4. closeness: the largest number of different words of the query (in `idf`) that stand within any `WINDOW` = 12
#    consecutive words of the body, divided by the number of different words of the query in `idf`. A body shorter than
#    that is one window.
#
# Where the divisor is 0, the feature is 0. Words are compared as they are.
#
# By hand, all IDF 1: query (a b c), title (a x), body (b y c): 1/3, 2/3, 1/2, 2/3.
#
# <details><summary>Hint 1</summary>Sets: <code>asked = set(query) & set(idf)</code>, then sums over intersections.
# </details>
# <details><summary>Hint 2</summary><code>range(max(1, len(body) - WINDOW + 1))</code> are the starts of all
# windows.</details>

# %% given
WINDOW = 12

# %% exercise="rerank"
def features(query: list[str], title: list[str], body: list[str], idf: dict[str, float]) -> list[float]:
    """Return the four features of a query and a passage."""
    ### BEGIN SOLUTION
    def weight(words):
        return sum(idf[word] for word in words)

    def share(part, whole):
        return weight(part) / weight(whole) if weight(whole) else 0.0

    asked, titled, told = (set(words) & set(idf) for words in (query, title, body))
    starts = range(max(1, len(body) - WINDOW + 1))
    close = max(len(asked & set(body[start : start + WINDOW])) for start in starts)
    return [
        share(asked & titled, asked), share(asked & told, asked), share(asked & titled, titled),
        close / len(asked) if asked else 0.0,
    ]
    ### END SOLUTION

# %% check="rerank" points=7
# The check of `rerank`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("rerank", points=7)
def score(check):
    repeats = "each word counts once, however often it stands there"
    unweighted = "the words count by their IDF, not one each"
    by_query = "the third feature is divided by the weight of the title, not of the query"
    whole_body = "closeness looks at 12 words at a time, not at the whole body"
    weighted = "closeness counts words, each 1, without IDF"

    ones = dict.fromkeys("abcxyz", 1.0)
    check(features, list("abc"), list("ax"), list("byc"), ones).equals([1 / 3, 2 / 3, 1 / 2, 2 / 3], near={
        by_query: [1 / 3, 2 / 3, 1 / 3, 2 / 3],
    })
    idf = {"a": 3.0, "b": 1.0, "c": 2.0, "x": 1.0, "y": 0.5}
    body = ["b"] + ["y"] * 12 + ["c", "c", "a"]
    check(features, ["a", "b", "c", "a", "q"], ["c", "x", "x"], body, idf).equals([1 / 3, 1, 2 / 3, 2 / 3], near={
        unweighted: [1 / 3, 1, 1 / 2, 2 / 3], whole_body: [1 / 3, 1, 2 / 3, 1], by_query: [1 / 3, 1, 1 / 3, 2 / 3],
        weighted: [1 / 3, 1, 2 / 3, 5 / 6], repeats: [2 / 9, 1, 1 / 2, 3 / 4],
        "words that are not in idf count nowhere": KeyError,
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    vocabulary = [f"w{i}" for i in range(30)]

    def made(once=set, value=lambda idf, w: idf[w], third="title", near=12, count=lambda idf, w: 1, known=True, less=0):
        def function(query, title, body, idf):
            keep = [[w for w in ws if w in idf] for ws in (query, title, body)]
            q, t, b = ([*once(ws)] for ws in keep)
            total = lambda ws: sum(value(idf, w) for w in ws)
            part = lambda some, other: total([w for w in some if w in other])
            ratio = lambda a, b: a / b if b else 0.0
            asked = sorted(set(q) if known else set(query))
            close = max(
                sum(count(idf, w) for w in asked if w in body[s : s + near])
                for s in range(max(1, len(body) - near + 1 - less))
            )
            bottom = total(t) if third == "title" else total(q)
            return [ratio(part(q, t), total(q)), ratio(part(q, b), total(q)), ratio(part(t, q), bottom),
                    ratio(close, sum(count(idf, w) for w in asked))]

        return function

    check.mistakes({
        unweighted: made(value=lambda idf, w: 1), by_query: made(third="query"), whole_body: made(near=10**6),
        weighted: made(count=lambda idf, w: idf.get(w, 0)), repeats: made(once=list),
        "words that are not in idf do not count in closeness, either": made(known=False),
        "the last window was left out": made(less=1),
        "a window has 12 words, not 11": made(near=11), "a window has 12 words, not 13": made(near=13),
        "the first two features are exchanged: title, then body": lambda *a: [made()(*a)[i] for i in (1, 0, 2, 3)],
        "the features are not divided": lambda q, t, b, idf: [
            v * d for v, d in zip(made()(q, t, b, idf), [sum(idf[w] for w in set(q) if w in idf)] * 2 + [
                sum(idf[w] for w in set(t) if w in idf), len({w for w in q if w in idf})], strict=True)
        ],
    })
    for size in (40, 25, 18, 60):
        idf = {w: float(v) for w, v in zip(vocabulary[:24], check.rng.uniform(0.2, 5, size=24), strict=True)}
        query, title, body = (
            [str(w) for w in check.rng.choice(vocabulary, size=n)] for n in (9, 5, size)
        )
        check(features, query, title, body, idf).equals(made()(query, title, body, idf), about="a fresh passage")
    query = vocabulary[:4]
    body = ["w25"] * 20 + query
    check(features, query, ["w0"], body, idf).equals(made()(query, ["w0"], body, idf), about="close at the very end")
    body = ["w0"] + ["w25"] * 10 + ["w1"] + ["w25"] * 5
    check(features, query, ["w9"], body, idf).equals(made()(query, ["w9"], body, idf), about="just twelve words apart")
    check(features, ["w1", "w2"], ["w1"], ["w2", "w5"], idf).equals(
        made()(["w1", "w2"], ["w1"], ["w2", "w5"], idf), about="a short body", edge=True
    )
    check(features, ["zz"], ["zz"], ["zz"], idf).equals([0, 0, 0, 0], about="no word is known", edge=True)
    check(features, [], [], [], idf).equals([0, 0, 0, 0], about="empty lists", edge=True)
    ### END HIDDEN TESTS


score

# %% [markdown]
# Beside these four the re-ranker sees what the first search found (both scores, and both ranks as $1 / (10 + r)$), how
# often other documents refer to this one, and how deep it lies in its library: people ask about `json.dumps` more often
# than about a method of a private helper. It learns its weights on the *valid* questions alone, from the right document
# and the others among the hundred best.

# %% show
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

pointed = Counter(name for document in documents for name in document.see_also)
KINDS = ("method", "class", "module", "topic", "property")


def candidates(question: str) -> tuple[list[int], np.ndarray]:
    """Return the best chunks of up to 150 documents, one for each, and their features (n, 18)."""
    query, vector = search.words(question), encoder.encode([question])[0]
    by_words, by_meaning = bm25_scores(index, query, len(chunks)), vectors @ vector
    lists = best(by_words, 300), np.argsort(-by_meaning)[:300].tolist()
    first = {}
    for number, _ in fuse(lists):
        first.setdefault(int(owners[number]), number)
    ranks = [{d: r for r, d in enumerate(documents_of(ranked, owners))} for ranked in lists]
    rows = []
    for d, number in list(first.items())[:150]:
        document = documents[d]
        rows.append([
            *features(query, search.words(document.name), chunk_words[number], idf), by_words[number] / (len(query) + 1),
            by_meaning[number], *(1 / (10 + r.get(d, 1000)) for r in ranks), math.log1p(pointed[document.name]),
            document.name.count("."), "._" in document.name, float(document.kind == "function"),
            *(float(document.kind == kind) for kind in KINDS), float(document.library == "python"),
        ])  # fmt: skip
    return list(first.values())[:150], np.array(rows)


def learn(part) -> object:
    """Return a re-ranker that has learned from questions with a known document."""
    rows, labels = [], []
    for q in part:
        numbers, found = candidates(q.question)
        rows.append(found)
        labels += [int(owners[n] == place[q.document]) for n in numbers]
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=500))
    return model.fit(np.concatenate(rows), labels)


start = time.perf_counter()
reranker = learn(parts["valid"])
print(f"learned from {len(parts['valid'])} questions in {time.perf_counter() - start:.1f} s")


def reranked(question: str, k: int = 100) -> list[int]:
    """Return the k best chunks, one for each document, in the re-ranker's order."""
    numbers, rows = candidates(question)
    order = np.argsort(-reranker.decision_function(rows), kind="stable")
    return [numbers[i] for i in order][:k]

# %% [markdown]
# ## Exercise 8: follow the links (`links`)
#
# 12 minutes, ★, 5 points
#
# Who asks for one function and words it badly often finds its neighbour, and the docs know neighbours: "See Also". So
# let a found document lend a part of its score to those that it links to:
#
# $$\text{new}(d) = \max\Big(\text{score}(d),\ \text{share} \cdot \max_{e \to d} \text{score}(e)\Big)$$
#
# with a score of 0 for a document that was not found. One step only: what is lent is not lent on. Return a new dict of
# all documents found or linked to from a found one; `scores` and `links` stay as they are. A document that is not in
# `links` links to none. Scores are at least 0.
#
# By hand, share 0.5: scores a: 8, b: 1; a links to b and c, c links to d: a: 8, b: 4, c: 4.

# %% exercise="links"
def spread(scores: dict[str, float], links: dict[str, list[str]], share: float = 0.5) -> dict[str, float]:
    """Return the scores after one step along the links."""
    ### BEGIN SOLUTION
    found = dict(scores)
    for name, value in scores.items():
        for other in links.get(name, []):
            found[other] = max(found.get(other, 0.0), share * value)
    return found
    ### END SOLUTION

# %% check="links" points=5
# The check of `links`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("links", points=5)
def score(check):
    added = "the larger of both counts; they are not added"
    lent_on = "what is lent is not lent on: use the scores as they came"
    overwritten = "a document keeps its own score where that is larger"
    fixed = "share is ignored"
    backwards = "the links point from the document that lends to the one that gets"
    no_new = "a document that was only linked to is there, too"

    links = {"a": ["b", "c"], "c": ["d"]}
    check(spread, {"a": 8.0, "b": 1.0}, links, 0.5).equals({"a": 8, "b": 4, "c": 4}, near={
        added: {"a": 8, "b": 5, "c": 4}, lent_on: {"a": 8, "b": 4, "c": 4, "d": 2}, no_new: {"a": 8, "b": 4},
    })
    check(spread, {"a": 8.0, "b": 5.0, "c": 6.0}, links, 0.25).equals({"a": 8, "b": 5, "c": 6, "d": 1.5}, near={
        overwritten: {"a": 8, "b": 2, "c": 2, "d": 1.5}, fixed: {"a": 8, "b": 5, "c": 6, "d": 3},
        added: {"a": 8, "b": 7, "c": 8, "d": 1.5},
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    names = [f"d{i}" for i in range(9)]

    def made(join=max, share_is=None, steps=1, back=False, new=True, last=False):
        def function(scores, links, share=0.5):
            share = share if share_is is None else share_is
            edges = [(a, b) for a, bs in links.items() for b in bs]
            edges = [(b, a) for a, b in edges] if back else edges
            found = dict(scores)
            for _ in range(steps):
                before = dict(found)
                for a, b in edges:
                    if a in before and (new or b in scores):
                        found[b] = share * before[a] if last else join(found.get(b, 0.0), share * before[a])
            return found

        return function

    def in_place(scores, links, share=0.5):
        found = dict(scores)
        for a in list(links):
            for b in links[a]:
                if a in found:
                    found[b] = max(found.get(b, 0.0), share * found[a])
        return found

    check.mistakes({
        added: made(join=lambda a, b: a + b), fixed: made(share_is=0.5), lent_on: made(steps=9),
        "two steps were taken: one is asked": made(steps=2), backwards: made(back=True), no_new: made(new=False),
        overwritten: made(last=True), "the score is lent whole: a share of it": made(share_is=1.0), lent_on + " ": in_place,
        "the mean was taken: the larger of both counts": made(join=lambda a, b: (a + b) / 2),
        "the found documents are missing: only those that are linked to came back": lambda s, li, share=0.5: {
            n: v for n, v in made()(s, li, share).items() if n not in s
        },
    })
    for share in (0.5, 0.8, 0.3, 0.6):
        links = {n: [str(x) for x in check.rng.permutation(names)[:3] if x != n] for n in names[:6]}
        scores = {n: float(check.rng.uniform(0.1, 9)) for n in names[1:5]}
        right = {}
        for n in names:
            lent = [share * v for e, v in scores.items() if n in links.get(e, [])]
            if n in scores or lent:
                right[n] = max([scores.get(n, 0.0), *lent])
        options = () if share == 0.5 else (share,)
        check(spread, scores, links, *options).equals(right, about="a fresh graph")
    check(spread, {"a": 1.0}, {}).equals({"a": 1.0}, about="no links", edge=True)
    check(spread, {}, {"a": ["b"]}).equals({}, about="nothing found", edge=True)
    ### END HIDDEN TESTS


score

# %% show
links = {d.name: [n for n in d.see_also if n in place] for d in documents}
best_chunk = {int(d): i for i, d in reversed(list(enumerate(owners)))}  # the first chunk of each document


def with_links(question: str, k: int = 100, share: float = 0.5) -> list[int]:
    """Return the k best chunks after the re-ranker and one step along the links."""
    numbers, rows = candidates(question)
    chances = reranker.predict_proba(rows)[:, 1]
    scores = {names[owners[n]]: float(p) for n, p in zip(numbers, chances, strict=True)}
    chunk_of = {names[owners[n]]: n for n in numbers}
    found = spread(scores, links, share)
    order = sorted(found, key=lambda name: (-found[name], name))[:k]
    return [chunk_of.get(name, best_chunk[place[name]]) for name in order if place[name] in best_chunk]

# %% [markdown]
# ## Exercise 9: how sure is a difference? (`bootstrap`)
#
# 12 minutes, ★★, 4 points
#
# A hundred or two questions are few. Would other questions have given the same order of stages? The *bootstrap* (Efron
# 1979) asks the only questions we have, again and again: draw $n$ of the $n$ values with replacement, take the mean,
# repeat; the middle 95 % of these means is an interval.
#
# The draws come in as an argument, so that everybody draws the same: `draws` $(R, n)$ holds in each row the numbers of
# the values drawn. Return `(low, high)`: the quantiles $(1 - \text{level}) / 2$ and $(1 + \text{level}) / 2$ of the $R$
# means, by `np.quantile` as it comes. Two stages are compared by the interval of the *difference* for each question.
#
# By hand: values (0, 1, 1), draws (0 0 1), (1 2 2), (0 1 2): means 1/3, 1, 2/3; with level 0.5 the interval is (0.5,
# 0.8333).

# %% exercise="bootstrap"
def interval(values: np.ndarray, draws: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    """Return the bootstrap interval of the mean of values (n,), from draws (R, n) of their numbers."""
    ### BEGIN SOLUTION
    means = np.asarray(values)[draws].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
    ### END SOLUTION

# %% check="bootstrap" points=4
# The check of `bootstrap`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("bootstrap", points=4)
def score(check):
    import numpy as np

    of_values = "the quantiles of the values themselves: take those of the means"
    axis = "the mean is over each draw, axis 1"
    one_sided = "the level is split to both sides: (1 - level) / 2 and (1 + level) / 2"
    fixed = "level is ignored"

    draws = np.array([[0, 0, 1], [1, 2, 2], [0, 1, 2], [0, 0, 2]])
    check(interval, np.array([0.0, 1.0, 1.0]), draws[:3], 0.5).equals((0.5, 5 / 6), near={
        of_values: (0.5, 1.0), fixed: (0.35, 0.983333), one_sided: (2 / 3, 2 / 3),
    })
    check(interval, np.array([0.0, 3.0, 6.0]), draws, 0.9).equals((1.15, 4.7), rtol=1e-4, near={
        of_values: (0.3, 5.7), fixed: (1.075, 4.85), axis: (0.9, 5.025), one_sided: (1.3, 4.4),
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(of=lambda v, d: v[d].mean(1), sides=lambda p: ((1 - p) / 2, (1 + p) / 2)):
        return lambda v, d, level=0.95: tuple(np.quantile(of(v, d), sides(level)))

    check.mistakes({
        of_values: made(of=lambda v, d: v), axis: made(of=lambda v, d: v[d].mean(0)), one_sided: made(
            sides=lambda p: (1 - p, p)
        ),
        fixed: lambda v, d, level=0.95: made()(v, d), "the lower end comes first": made(
            sides=lambda p: ((1 + p) / 2, (1 - p) / 2)
        ),
        "the sum of each draw: its mean is asked": made(of=lambda v, d: v[d].sum(1)),
        "the median of each draw: its mean is asked": made(of=lambda v, d: np.median(v[d], axis=1)),
        "mean and standard deviation: quantiles are asked": lambda v, d, level=0.95: (
            v[d].mean() - 1.96 * v[d].mean(1).std(), v[d].mean() + 1.96 * v[d].mean(1).std()
        ),
        "the draws were not used: they name the values": lambda v, d, level=0.95: made()(v, np.arange(len(v))[None], level),
        "the numbers that were drawn were averaged, not the values": made(of=lambda v, d: d.mean(1)),
        "smallest and largest mean: the quantiles are asked": made(sides=lambda p: (0, 1)),
    })
    for n, R, level in [(8, 40, 0.95), (5, 25, 0.8), (12, 60, 0.5), (9, 31, 0.9)]:
        values, draws = check.rng.normal(size=n) * 3, check.rng.integers(0, n, size=(R, n))
        means = sorted(sum(values[i] for i in row) / n for row in draws)
        right = []
        for q in ((1 - level) / 2, (1 + level) / 2):
            at = q * (R - 1)
            low = int(at)
            right.append(means[low] + (at - low) * (means[min(low + 1, R - 1)] - means[low]))
        options = () if level == 0.95 else (level,)
        check(interval, values, draws, *options).equals(tuple(right), about="fresh values")
    check(interval, np.array([2.0]), np.zeros((5, 1), dtype=int)).equals((2, 2), about="one value", edge=True)
    ### END HIDDEN TESTS


score

# %% [markdown]
# What does each stage add? For all stages the same test questions, the same draws. The last column is the difference of
# recall@10 to the stage above, with its interval: where it holds 0, the questions cannot tell the two apart.

# %% show
stages = {"BM25": lexical, "dense": dense, "fused": hybrid, "re-ranked": reranked, "with links": with_links}
ranks = {name: ranks_of(way, parts["test"]) for name, way in stages.items()}
n = len(parts["test"])
draws = np.random.default_rng(SEED).integers(0, n, size=(1000, n))
print(f"{n} test questions\n{'stage':<12}{'recall@10':>10}{'(95 %)':>16}{'MRR':>8}{'nDCG@10':>9}{'over the one before':>24}")
hits = {name: (found <= 10).astype(float) for name, found in ranks.items()}
for i, (name, hit) in enumerate(hits.items()):
    low, high = interval(hit, draws)
    ndcg = np.mean(np.where(ranks[name] <= 10, 1 / np.log2(ranks[name] + 1), 0))
    before = list(hits.values())[i - 1] if i else hit
    more = "" if not i else "{:+.3f} ({:+.3f} to {:+.3f})".format((hit - before).mean(), *interval(hit - before, draws))
    print(f"{name:<12}{hit.mean():>10.3f}{f'({low:.3f} to {high:.3f})':>16}{np.mean(1 / ranks[name]):>8.3f}{ndcg:>9.3f}{more:>24}")
ks = [1, 2, 3, 5, 10, 20, 50, 100]
fig, alt = plots.lines(ks, {s: [float(np.mean(r <= k)) for k in ks] for s, r in ranks.items()}, "k", "recall at k", log="x")
plots.show(fig, f"Recall at k of each stage. {alt}")
