# %% [markdown]
# # 03 RNNs: memory, gates, sequences
#
# **What you will build.** Language models that carry more and more of the past: n-grams, two matrices of word vectors,
# a fixed window, a recurrent network, gates. Then what they are good for: text drawn character by character, a tagger
# that finds names and times in the inbox, a translator of dates from sixteen languages, and vectors of words that
# know their sentence.
#
# **What you need.** Python, NumPy and tensors of PyTorch. [Chapter 01](../01_spam/01_spam.ipynb) for its inbox, and
# [chapter 02](../02_word_vectors/02_word_vectors.ipynb) for its word vectors: your own if you saved them, else the
# reference that comes with the course.
#
# **Points.** 100: fourteen exercises checked by machine (80) and two short essays (20). Allow about six hours. The
# whole notebook, once written, runs in about three minutes on two cores (and in about five where the English Web
# Treebank can be had).
#
# **Notation.** Row vectors: a batch of sequences is $(B, T, C)$, a layer is $xW + b$. The lectures write column
# vectors, $Wx + b$, and some of their lines are damaged; where they differ, the formulas here are the right ones. In
# particular $h_t$ is made from $h_{t-1}$ and $x_t$, not from $h_t$ itself, and the five lines of the LSTM, which one
# lecture prints shuffled, stand below in their order.

# %% given
import math
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from helpers import artifacts, data, leaderboard, notebook, plots, translation
from helpers.claims import claim
from helpers.data import Dates
from helpers.device import SEED, budget, seed_everything
from helpers.training import fit
from helpers.vectors import WordVectors

notebook.prepare()

# %% [markdown]
# ## A language model says what comes next
#
# A *language model* gives each next token a probability, given those before it: $p(w_t \mid w_1 \dots w_{t-1})$. With
# one, text can be judged (multiply), completed (take the likeliest), and written (draw). This chapter is the story of
# one question: **how much of the past can a model use, and how does it carry it?**
#
# The corpus of the first pages is the lecture's: five sentences, 26 tokens, 8 types.

# %% show
corpus = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()
vocabulary = sorted(set(corpus))
print(data.load("mini").train)
print(len(corpus), "tokens,", len(vocabulary), "types:", vocabulary)

# %% [markdown]
# ## Exercise 1: counting what comes next (`ngram`)
#
# 15 minutes, ★, 6 points
#
# The oldest answer: the past is the last $n-1$ tokens, and the probability is a share of counts. A context that was
# never followed by the word gets 0, and then one surprise makes a whole text impossible. So add $k$ to every count,
# for each of the $V$ words that could have come (Laplace for $k = 1$):
#
# $$ p(w \mid c) = \frac{\text{count}(c\,w) + k}{\text{count}(c\,\cdot) + k V} $$
#
# where $\text{count}(c\,\cdot)$ is how often the context $c$ was *followed by something*. A text is judged by the mean
# of $-\ln p$ over its tokens, the **cross-entropy** in nats, or by its exponential, the **perplexity**: among how many
# equally likely words the model seems to choose.
#
# Write
#
# 1. `count_ngrams(tokens, n)`: two plain dictionaries (`dict(counter)` makes one of a Counter) with the counts of the
#    n-grams (tuples of $n$ tokens) and of their contexts (tuples of the first $n-1$). For $n = 1$ the only context is
#    the empty tuple `()`. Fewer than $n$ tokens give two empty dictionaries.
# 2. `add_k(word, context, ngrams, contexts, size, k=1.0)`: the formula, from two such dictionaries; `size` is $V$. What
#    a dictionary does not hold counts 0. Where the denominator is 0, return 0.0.
# 3. `cross_entropy(probabilities)`: in nats, for at least one probability; infinite (`math.inf`) if one of them is 0.
# 4. `perplexity(probabilities)`: its exponential.
#
# By hand: in `a b a`, the context `(a,)` was followed once (the last `a` by nothing), so with $V = 2$ and $k = 1$,
# $p(b \mid a) = (1+1)/(1+2) = 2/3$.
#
# <details><summary>Hint 1</summary>Make the list of all n-grams first. Both counters come from it.</details>
# <details><summary>Hint 2</summary><code>tuple(tokens[i : i + n])</code> for i from 0 to len(tokens) - n.</details>
# <details><summary>Hint 3</summary><code>ngrams.get((*context, word), 0)</code> is the count, or 0.</details>

# %% exercise="ngram"
def count_ngrams(tokens: Sequence[str], n: int) -> tuple[dict, dict]:
    """Return (counts of all n-grams, counts of their contexts); keys are tuples of n and of n - 1 tokens."""
    ### BEGIN SOLUTION
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return dict(Counter(grams)), dict(Counter(gram[:-1] for gram in grams))
    ### END SOLUTION


def add_k(word: str, context: tuple, ngrams: dict, contexts: dict, size: int, k: float = 1.0) -> float:
    """Return p(word | context) with k added to each count, for a vocabulary of `size` words."""
    ### BEGIN SOLUTION
    total = contexts.get(context, 0) + k * size
    return (ngrams.get((*context, word), 0) + k) / total if total else 0.0
    ### END SOLUTION


def cross_entropy(probabilities: Sequence[float]) -> float:
    """Return the mean of -ln p, in nats; infinite if one p is 0."""
    ### BEGIN SOLUTION
    if min(probabilities) == 0:
        return math.inf
    return -sum(math.log(p) for p in probabilities) / len(probabilities)
    ### END SOLUTION


def perplexity(probabilities: Sequence[float]) -> float:
    """Return the exponential of the cross-entropy."""
    ### BEGIN SOLUTION
    return math.exp(cross_entropy(probabilities))
    ### END SOLUTION

# %% check="ngram" points=6
# The check of `ngram`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("ngram", points=6)
def score(check):
    import math
    from collections import Counter

    import numpy as np

    followed = "a context counts only where a token follows it: the last tokens of the text begin no n-gram"
    last_lost = "the last n-gram is missing: there are len(tokens) - n + 1 of them"
    joined = "keys are tuples of tokens, not text"
    one_token = "a context of one token is the tuple (token,), not the token itself"
    one_k = "k is added once for each of the V words: the denominator grows by k times V"
    no_k = "k is missing beside V: the denominator grows by k times V"
    no_numerator = "k is added to the count of the n-gram, too"
    no_smoothing = "nothing was smoothed: k is missing above and below"
    bits = "these are bits: take the natural logarithm"
    summed = "this is the sum: divide by the number of probabilities"
    sign = "the logarithm of a probability is below 0: the sign is missing"
    mean_first = "the mean of the probabilities came before the logarithm: take the logarithm of each"
    two = "2 to the power of nats: the base of the power is e here"
    inverse = "this is 1 over the mean probability: the mean is taken of the logarithms"
    entropic = "each term was multiplied by its probability, and summed: that is an entropy"
    below_1 = "the sign is turned round: perplexity is at least 1"
    before = "the word comes after its context in the n-gram: here it stands before"
    no_key = "what a dictionary does not hold counts 0, and has no key: take .get(key, 0)"
    new_0 = "an n-gram never seen has the count 0, and k is added to it as to any other"

    small = "a b a c".split()
    first = check(count_ngrams, small, 2).equals(
        ({("a", "b"): 1, ("b", "a"): 1, ("a", "c"): 1}, {("a",): 2, ("b",): 1}),
            near={followed: ({('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1},
            {('a',): 2, ('b',): 1, ('c',): 1}), last_lost: ({('a', 'b'): 1, ('b', 'a'): 1},
            {('a',): 1, ('b',): 1}), joined: ({'a b': 1, 'b a': 1, 'a c': 1},
            {'a': 2, 'b': 1}), one_token: ({('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1}, {'a': 2, 'b': 1})}
    )
    three = {("a", "b", "a"): 2, ("b", "a", "c"): 1, ("a", "c", "a"): 1, ("c", "a", "b"): 1}
    two_before = {("a", "b"): 2, ("b", "a"): 1, ("a", "c"): 1, ("c", "a"): 1}
    once = "each n-gram counts as often as it occurs"
    shorter = "the contexts hold n - 1 tokens: here shorter ones were counted, too"
    check(count_ngrams, "a b a c a b a".split(), 3).equals((three, two_before), about="groups of three",
        near={followed: (three, two_before | {("b", "a"): 2}), once: (dict.fromkeys(three, 1),
        dict.fromkeys(two_before, 1)), "the contexts are the first n - 1 tokens: these are the last n - 1": (three,
        {("b", "a"): 2, ("a", "c"): 1, ("c", "a"): 1, ("a", "b"): 1}), shorter: (three, two_before | {
        (): 5, ("a",): 3, ("b",): 1, ("c",): 1}), last_lost: (dict.fromkeys(three, 1), dict.fromkeys(two_before, 1))})
    check(count_ngrams, "b a b".split(), 1).equals(({("b",): 2, ("a",): 1}, {(): 3}), about="single tokens",
        near={"for n = 1 the only context is the empty tuple: it is missing": ({("b",): 2, ("a",): 1}, {}),
        "a key is a tuple for n = 1, too: (token,)": ({"b": 2, "a": 1}, {(): 3}),
        followed: ({("b",): 2, ("a",): 1}, {(): 4}), last_lost: ({("b",): 1, ("a",): 1}, {(): 2})})
    corpus = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()
    grams = dict(Counter(zip(corpus, corpus[1:], strict=False)))
    contexts = dict(Counter((w,) for w in corpus[:-1]))
    check(add_k, "dog", ("the",), grams, contexts, 8).equals(5 / 16, about="the corpus of the lecture",
        near={one_k: 0.555556, no_numerator: 0.25, no_smoothing: 0.5, before: 1 / 16})
    check(add_k, "cat", ("dog",), grams, contexts, 8, k=0.5).equals(0.5 / 8, about="a pair never seen",
        near={one_k: 0.111111, no_k: 0.0416667, no_numerator: 0.0, no_smoothing: 0.0, no_key: KeyError, new_0: 0.0})
    check(add_k, "cat", ("zebra",), grams, contexts, 8).equals(1 / 8, about="a context never seen",
        near={no_key: KeyError, "a context never seen has the count 0, and k is added as for any other": 0.0,
        "V is the size that is given, not the number of contexts seen": 1 / len(contexts)})
    check(add_k, "cat", ("zebra",), grams, contexts, 8, k=0).equals(0.0, about="a context never seen, k = 0",
        edge=True, near={"the denominator is 0: return 0.0": ZeroDivisionError, no_key: KeyError,
        "the denominator is 0: return 0.0, not 1 / V": 0.125})
    check(cross_entropy, [0.5, 0.0]).equals(math.inf, about="an impossible word", edge=True,
        near={"the logarithm of 0 cannot be taken: return math.inf": ValueError,
        "a word of probability 0 must not be left out": math.log(2)})
    check(cross_entropy, [0.5, 0.25, 0.125]).equals(2 * math.log(2), near={bits: 2.0, summed: 4.158883, sign: -1.386294,
        mean_first: 1.232144, entropic: 0.953077})
    check(perplexity, [0.5, 0.25, 0.125]).equals(4.0, near={two: 2.614064, inverse: 3.428571, below_1: 0.25,
        summed: 64.0})
    check(perplexity, [0.01] * 7).equals(100.0, about="a hundred equal words", near={two: 24.338531, below_1: 0.01,
        summed: 1e14})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def tally(items):
        return dict(Counter(items))

    def slices(t, n):
        return [tuple(t[i : i + n]) for i in range(len(t) - n + 1)]

    def counted(keys):
        return tally(keys), tally(key[:-1] for key in keys)

    check.mistakes({
        followed: lambda t, n: (tally(slices(t, n)), tally(slices(t, n - 1))),
        last_lost: lambda t, n: counted(slices(t, n)[:-1]),
        joined: lambda t, n: (tally(" ".join(g) for g in slices(t, n)),
            tally(" ".join(g[:-1]) for g in slices(t, n))),
        "the contexts are the first n - 1 tokens: these are the last n - 1": lambda t, n: (
            tally(slices(t, n)), tally(g[1:] for g in slices(t, n))),
        "the contexts hold n - 1 tokens: these hold the last of them only": lambda t, n: (
            tally(slices(t, n)), tally(g[-2:-1] for g in slices(t, n))),
        "the contexts hold n - 1 tokens: these hold the first of them only": lambda t, n: (
            tally(slices(t, n)), tally(g[:1] for g in slices(t, n))),
        one_token: lambda t, n: (tally(slices(t, n)), tally(g[0] if n == 2 else g[:-1] for g in slices(t, n))),
        "for n = 1 the only context is the empty tuple: it is missing": lambda t, n: (
            tally(slices(t, n)), tally(g[:-1] for g in slices(t, n) if n > 1)),
        "the text was padded at the start: only tokens of the text count": lambda t, n: counted(
            slices(["<s>"] * (n - 1) + t, n)),
        "the text was padded at both ends: only tokens of the text count": lambda t, n: counted(
            slices(["<s>"] * (n - 1) + t + ["</s>"], n)),
        "two dictionaries are asked: the counts of the contexts are missing": lambda t, n: tally(slices(t, n)),
        "a window at the end of the text is shorter than n: it is no n-gram": lambda t, n: (
            tally(tuple(t[i : i + n]) for i in range(len(t))), tally(tuple(t[i : i + n - 1]) for i in range(len(t)))),
        once: lambda t, n: counted(sorted(set(slices(t, n)))),
        once + ": here 1 was written, not added": lambda t, n: (dict.fromkeys(slices(t, n), 1),
            counted(slices(t, n))[1]),
        shorter: lambda t, n: (tally(slices(t, n)), tally(g[:m] for g in slices(t, n) for m in range(n))),
        "the n-grams overlap: move on by one token, not by n": lambda t, n: counted(
            [tuple(t[i : i + n]) for i in range(0, len(t) - n + 1, n)]),
        "pieces at the end are shorter than n: they are no n-grams": lambda t, n: counted(
            [tuple(t[i : i + n]) for i in range(len(t))]),
        "n was ignored: these are bigrams": lambda t, n: counted(slices(t, 2)),
        "the two counters are exchanged": lambda t, n: counted(slices(t, n))[::-1],
        "lists serve as keys only when they are made tuples": lambda t, n: tally([list(g) for g in slices(t, n)]),
    })
    words = list("abcde")
    for n, size in ((1, 30), (2, 40), (3, 60), (4, 50)):
        tokens = [str(w) for w in check.rng.choice(words, size=size)]
        keys = [tuple(tokens[i - n + 1 : i + 1]) for i in range(n - 1, size)]
        below = {}
        for key in keys:
            below[key[:-1]] = below.get(key[:-1], 0) + 1
        check(count_ngrams, tokens, n).equals((tally(keys), below), about="random tokens")
    short = {} if first.error else {"fewer than n tokens give two empty dictionaries, and no error": Exception}
    check(count_ngrams, ["a"], 2).equals(({}, {}), about="fewer tokens than n", edge=True, near=short)
    check(count_ngrams, [], 1).equals(({}, {}), about="no tokens", edge=True, near=short)

    def smoothed(word, context, ngrams, contexts, size, k=1.0, *, above=None, below=None):
        ngrams, contexts = Counter(ngrams), Counter(contexts)
        return (ngrams[(*context, word)] + (k if above is None else above)) / (contexts[context]
            + (k * size if below is None else below))

    check.mistakes({
        one_k: lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k, below=k),
        no_numerator: lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k, above=0),
        no_smoothing: lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k, above=0, below=0),
        "k is added above, but nothing below: the probabilities no longer add up to 1": lambda w, c, g, s, size,
            k=1.0:
            smoothed(w, c, g, s, size, k, below=0),
        "V alone was added below: it is k times V": lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k,
            below=size),
        "1 was added above, whatever k is": lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k, above=1),
        "k was ignored: here it counts as 1": lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, 1.0),
        "V is the size that is given, not the number of contexts seen": lambda w, c, g, s, size, k=1.0:
            smoothed(w, c, g, s, len(s), k),
        "V is the size that is given, not the number of n-grams seen": lambda w, c, g, s, size, k=1.0:
            smoothed(w, c, g, s, len(g), k),
        "the count of the context was divided by the number of n-grams: use the count of this context": lambda w, c,
            g, s, size, k=1.0:
            smoothed(w, c, g, {c: sum(g.values())}, size, k),
        before: lambda w, c, g, s, size, k=1.0: smoothed(w, c, {(*c, w): g.get((w, *c), 0)}, s, size, k),
        no_key: lambda w, c, g, s, size, k=1.0: (g[(*c, w)] + k) / (s[c] + k * size),
        new_0: lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k) * ((*c, w) in g),
        "the context was cut to its last token: use all of it": lambda w, c, g, s, size, k=1.0: smoothed(
            w, c[-1:], g, s, size, k),
    })
    for n, k in ((2, 1.0), (3, 0.1), (1, 2.0), (3, 0.7), (2, 0.0)):
        tokens = [str(w) for w in check.rng.choice(words, size=60)]
        grams = Counter(tuple(tokens[i : i + n]) for i in range(61 - n))
        contexts = Counter(g[:-1] for g in grams.elements())
        for word in ("a", "z"):
            context = tuple(tokens[: n - 1])
            followers = [g[-1] for g in grams.elements() if g[:-1] == context]
            expected = (followers.count(word) + k) / (len(followers) + 9 * k)
            check(add_k, word, context, dict(grams), dict(contexts), 9, k).equals(expected,
                about="random tokens, several n and k")
    check(add_k, "a", ("b",), {("c", "a"): 2}, {("c",): 2}, 4).equals(0.25, about="a context never seen",
        near={"a context never seen has the count 0, and k is added as for any other": 0.0})
    check.mistakes({})  # all of them divide by 0 here
    check(add_k, "a", ("b",), {}, {}, 4, 0.0).equals(
        0.0, about="a context never seen, k = 0", edge=True, near={"the denominator is 0: return 0.0":
            ZeroDivisionError, "the denominator is 0: return 0.0, not 1 / V": 0.25})

    def entropy(p, log=np.log):
        return float(-np.mean(log(np.asarray(p, dtype=float))))

    check.mistakes({
        bits: lambda p: entropy(p, np.log2), summed: lambda p: entropy(p) * len(p), sign: lambda p: -entropy(p),
        mean_first: lambda p: -math.log(np.mean(p)), "this is the perplexity: leave the exponential out": lambda p:
            math.exp(entropy(p)),
        "the logarithm to base 10 was taken": lambda p: entropy(p, np.log10),
        "each term was multiplied by its probability: a text has one term for each token, all alike":
            lambda p: float(-np.mean(np.asarray(p) * np.log(p))),
        entropic: lambda p: float(-np.sum(np.asarray(p) * np.log(p))),
    })
    for size in (1, 6, 40):
        p = list(map(float, check.rng.uniform(0.01, 1, size=size)))
        check(cross_entropy, p).equals(math.log(1 / math.prod(p)) / size, about="random probabilities",
            edge=size == 1)
    tiny = {"the product of many probabilities is too small to hold: add logarithms": math.inf,
            "the product of many probabilities is too small to hold: the logarithm of 0 was taken": ValueError}
    check(cross_entropy, [1e-5] * 100).equals(5 * math.log(10), about="a long text", near=tiny)
    zero = {"the logarithm of 0 cannot be taken: return math.inf": ValueError,
        "a word of probability 0 must not be left out":
            math.log(2), "a word of probability 0 must not be left out, nor counted alone": math.log(2) / 2}
    for least in (1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-16):
        zero[f"the probability 0 was raised to {least:g}: the result is infinite"] = math.log(2 / least) / 2
    check(cross_entropy, [0.5, 0.0]).equals(math.inf, about="an impossible word", edge=True, near=zero)
    check.mistakes({
        two: lambda p: 2 ** entropy(p), inverse: lambda p: 1 / float(np.mean(p)),
        "this is the cross-entropy: take its exponential": entropy,
        "e was raised to bits: the logarithm must be natural, too": lambda p: math.exp(entropy(p, np.log2)),
        "the logarithms were summed: it is their mean": lambda p: math.exp(entropy(p) * len(p)),
        below_1: lambda p: math.exp(-entropy(p)), mean_first: lambda p: 1 / float(np.mean(p)),
        "the root of the product is missing: the logarithms are summed, not their mean taken": lambda p:
            1 / math.prod(p),
    })
    for size in (3, 10):
        p = list(map(float, check.rng.uniform(0.05, 1, size=size)))
        check(perplexity, p).equals((1 / math.prod(p)) ** (1 / size), about="the perplexity of random probabilities")
    check(perplexity, [1e-5, 1e-3] * 100).equals(1e4, about="the perplexity of a long text", near={
        "the product of many probabilities is too small to hold: add logarithms": math.inf,
        "the product of many probabilities is too small to hold: its logarithm or its inverse was taken":
            ArithmeticError})
    ### END HIDDEN TESTS


score

# %% [markdown]
# **Vocabularies must match.** Perplexity can be had cheaply: call every rare word `<unk>`, and it becomes easy to
# guess. Below, one bigram model judges the same text of the docs with smaller and smaller vocabularies. No model
# became better; the question became easier. Two perplexities may be compared only if they are about the same tokens.

# %% show
docs = data.load("docs_text")
def words_of(text: str, limit: int) -> list[str]:
    """Return the first words of a text in lower case, marks as words of their own."""
    return re.findall(r"[a-z_]+|\d|[^\w\s]", text[: 7 * limit].lower())[:limit]

train_words, valid_words = words_of(docs.train, 250_000), words_of(docs.valid, 25_000)
for size in (20_000, 5_000, 1_000, 100):
    kept = {w for w, _ in Counter(train_words).most_common(size - 1)}
    train_, valid_ = ([w if w in kept else "<unk>" for w in part] for part in (train_words, valid_words))
    pairs, singles = count_ngrams(train_, 2)
    size_ = len(kept) + 1
    probabilities = [add_k(b, (a,), pairs, singles, size_, k=0.01) for a, b in zip(valid_, valid_[1:], strict=False)]
    print(f"{size_:>6,} words: perplexity {perplexity(probabilities):7.1f}, "
          f"unknown in the text {valid_.count('<unk>') / len(valid_):5.1%}")

# %% [markdown]
# ## Exercise 2: two matrices (`two-matrix`)
#
# 20 minutes, ★★, 6 points
#
# Counts know nothing about words: `dog` and `cat` are two unrelated keys. So give each word a vector, and let the
# vectors decide. The lecture's model is the smallest language model with embeddings: a row of $V$ for each word as the
# *previous* one, a row of $U$ for each word as the *next* one, both $(W, M)$ for $W$ words and $M$ dimensions:
#
# $$ p(\cdot \mid i) = \mathrm{softmax}(U v_i), \qquad
# \mathcal{L} = -\frac{1}{T-1}\sum_{t=1}^{T-1} \ln p(w_{t+1} \mid w_t) $$
#
# (The lecture calls $u^\top v$ "cosine similarity"; it is the dot product, not divided by the lengths.) Write, with
# NumPy,
#
# 1. `next_probabilities(V, U, i)`: the distribution over the next word after word number $i$. Scores may be as large as
#    thousands: the result must be finite.
# 2. `mean_nll(V, U, ids)`: $\mathcal{L}$ over a text of at least two word numbers. Scores stay below 100 here.
# 3. `generate(V, U, start, uniforms)`: a list of word numbers that begins with `start` and grows by one word for each
#    number $r$ of `uniforms` (each $0 \le r < 1$): the next word is the **first** $j$ whose cumulative probability
#    $p_0 + \dots + p_j$ is **greater** than $r$; the last word, if rounding leaves none.
#
# By hand: with $p = (0.2, 0.5, 0.3)$ and $r = 0.6$ the cumulative sums are 0.2, 0.7, 1.0, and the first above 0.6 is
# word 1.
#
# <details><summary>Hint 1</summary>The largest score can be subtracted from all scores: the softmax stays the same,
# and no exponential overflows.</details>
# <details><summary>Hint 2</summary>The text gives len(ids) - 1 pairs: <code>zip(ids, ids[1:])</code>.</details>
# <details><summary>Hint 3</summary><code>np.searchsorted(np.cumsum(p), r, side="right")</code></details>

# %% exercise="two-matrix"
def next_probabilities(V: np.ndarray, U: np.ndarray, i: int) -> np.ndarray:
    """Return the probabilities of the next word, (W,), after word i.

    V, U: (W, M), the vectors of the words as previous and as next.
    """
    ### BEGIN SOLUTION
    scores = U @ V[i]
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()
    ### END SOLUTION


def mean_nll(V: np.ndarray, U: np.ndarray, ids: Sequence[int]) -> float:
    """Return the mean of -ln p(next word | word) over the pairs of a text, in nats."""
    ### BEGIN SOLUTION
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:], strict=False)]))
    ### END SOLUTION


def generate(V: np.ndarray, U: np.ndarray, start: int, uniforms: Sequence[float]) -> list[int]:
    """Return [start, ...]: one more word for each number in [0, 1), by the cumulative probabilities."""
    ### BEGIN SOLUTION
    ids = [int(start)]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, r, side="right")), len(U) - 1))
    return ids
    ### END SOLUTION

# %% check="two-matrix" points=6
# The check of `two-matrix`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("two-matrix", points=6)
def score(check):
    import numpy as np
    from scipy.special import log_softmax, softmax

    exchanged = "V and U are exchanged: V holds the previous word, U the next"
    one_matrix = "both vectors were taken from V: the next word has its vector in U"
    cosine = "the dot product was divided by the lengths: the score is the plain dot product"
    scores_only = "these are the scores: a softmax makes them probabilities"
    next_of = "both vectors were taken from U: the previous word has its vector in V"
    overflow = "an exponential overflowed: subtract the largest score first"
    count = "a text of T words has T - 1 pairs: divide by their number"
    summed = "this is the sum over the pairs: take the mean"
    own = "this is -ln p(word | the same word): pair each word with the one after it"
    greedy = "the likeliest word was taken: draw by r"
    from_start = "every word was drawn after `start`: the word just drawn is the next previous one"
    turned = "the sign of the scores is turned round"
    every_row = "the distribution after one word is asked, word i: here every row of V was taken"
    not_below = "the first cumulative sum greater than r counts: here the draw was one word off"

    V = np.array([[0.884, 0.196], [0.358, -2.343], [-1.085, 0.560], [0.939, -0.978],
                  [0.503, 0.406], [0.323, -0.493], [-0.792, -0.842], [-1.280, 0.246]])  # fmt: skip
    U = np.array([[-0.044, 1.568], [1.051, 0.406], [-0.169, -3.190], [1.120, 1.333],
                  [-0.243, -0.130], [-0.109, 1.556], [0.129, -2.067], [-0.885, -1.105]])  # fmt: skip
    words = ["!", ".", "ate", "cat", "dog", "ran", "the", "zoo"]
    text = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()
    ids = [words.index(w) for w in text]
    after_the = [0.0094, 0.0105, 0.5706, 0.0046, 0.0460, 0.0100, 0.1751, 0.1739]
    check(next_probabilities, V, U, 6).equals(after_the, about="the lecture's vectors, after 'the'", atol=6e-5,
        rtol=0, near={scores_only: [-1.2854, -1.1742, 2.8198, -2.0094, 0.30192, -1.2238, 1.6382, 1.6313],
        exchanged: [0.0049372, 0.87748, 0.0018047, 0.056292, 0.0030452, 0.019079, 0.033992, 0.0033679],
        one_matrix: [0.026168, 0.33662, 0.091605, 0.067321, 0.02965, 0.072892, 0.23649, 0.13926],
        cosine: [0.043977, 0.036269, 0.19175, 0.032922, 0.23051, 0.045324, 0.17713, 0.24211]})
    check(next_probabilities, np.array([[1000.0, 0], [0, 3]]), np.array([[1.0, 2], [0.999, 5]]), 0).equals(
        [0.731059, 0.268941], about="scores of a thousand", rtol=1e-4, near={overflow: [np.nan] * 2,
        overflow + " (here NaN became a number)": [0.0, 0.0],
        "the scores were clipped: subtract the largest, and none overflows": [0.5, 0.5]})
    check(mean_nll, V, U, ids).equals(2.8255, about="the lecture's vectors and corpus", rtol=2e-5,
        near={exchanged: 3.4636, one_matrix: 2.935, cosine: 2.0628, count: 2.7169, summed: 70.638, own: 3.318})
    check(generate, V, U, 6, [0.3, 0.6, 0.05, 0.6]).equals([6, 2, 5, 1, 2], about="the lecture's vectors",
        near={greedy: [6, 2, 5, 2, 5], from_start: [6, 2, 4, 2, 4], not_below: [6, 1, 1, 1, 1],
        exchanged: [6, 1, 4, 0, 4], "the list begins with `start`": [2, 5, 1, 2]})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def shifted(V, U, i):
        return softmax(np.asarray(U) @ np.asarray(V)[i])

    def unit(A):
        return A / np.linalg.norm(A, axis=1, keepdims=True)

    known = {
        exchanged: lambda V, U, i: shifted(U, V, i), one_matrix: lambda V, U, i: shifted(V, V, i),
        next_of: lambda V, U, i: shifted(U, U, i), turned: lambda V, U, i: shifted(-V, U, i),
        every_row: lambda V, U, i: softmax(V @ U.T, axis=1),
        "exponentials divided by their length, the root of the sum of squares: divide by their sum": lambda V, U, i:
            np.exp(U @ V[i]) / np.linalg.norm(np.exp(U @ V[i])),
        "a column of V was taken: the vector of word i is row i": lambda V, U, i: softmax(U @ V.T[i]),
        overflow: lambda V, U, i: np.exp(U @ V[i]) / np.exp(U @ V[i]).sum(),
        "an exponential overflowed: subtract the largest score, not the mean": lambda V, U, i:
            np.exp(U @ V[i] - (U @ V[i]).mean()) / np.exp(U @ V[i] - (U @ V[i]).mean()).sum(),
        "the scores were clipped: subtract the largest, and none overflows": lambda V, U, i: softmax(
            np.clip(U @ V[i], -500, 500)),
        "the scores were clipped: subtract the largest, and none overflows upwards": lambda V, U, i: softmax(
            np.clip(U @ V[i], -700, 700)),
        cosine: lambda V, U, i: shifted(unit(V), unit(U), i),
        "the scores were divided by the root of M: the plain dot product is asked": lambda V, U,
            i: shifted(V / np.sqrt(V.shape[1]), U, i),
        "exponentials divided by the largest, not by their sum": lambda V, U, i: np.exp(U @ V[i] - (U @ V[i]).max()),
        "a logarithm is too many: probabilities are asked": lambda V, U, i: log_softmax(U @ V[i]),
        "the scores were divided by their sum: a softmax takes exponentials first": lambda V, U,
            i: U @ V[i] / (U @ V[i]).sum(),
        "a sigmoid of each score: a softmax is taken over all words together": lambda V, U,
            i: 1 / (1 + np.exp(-(U @ V[i]))),
        "the softmax was taken over the whole table of pairs: only the row of word i counts": lambda V, U,
            i: softmax(V @ U.T)[i],
        "the softmax was taken over the previous words: it is over the next ones": lambda V, U,
            i: softmax(V @ U.T, axis=0)[i],
        "the softmax of a distance: the score is the dot product": lambda V, U,
            i: softmax(-np.linalg.norm(U - V[i], axis=1)),
    }
    check.mistakes({scores_only: lambda V, U, i: U @ V[i]} | known)
    for W, M in ((5, 3), (9, 2), (4, 4), (3, 7)):
        V, U = check.rng.normal(size=(W, M)), check.rng.normal(size=(W, M))
        i = int(check.rng.integers(W))
        expected = 1 / np.exp((U - U[:, None]) @ V[i]).sum(axis=1)
        check(next_probabilities, V, U, i).equals(expected, about="random vectors")
    for scale in (40, -40):
        V, U = check.rng.normal(size=(6, 3)) * 30, check.rng.normal(size=(6, 3)) * scale
        check(next_probabilities, V, U, 2).equals(np.exp(log_softmax(U @ V[2])), about="large scores", atol=1e-12)
    check(next_probabilities, np.ones((1, 2)), np.ones((1, 2)), 0).equals([1.0], about="one word", edge=True)

    def pairs(V, U, a, b):
        return np.array([-log_softmax(U @ V[i])[j] for i, j in zip(a, b, strict=True)])

    check.mistakes({
        exchanged: lambda V, U, w: pairs(U, V, w[:-1], w[1:]).mean(), one_matrix: lambda V, U,
            w: pairs(V, V, w[:-1], w[1:]).mean(),
        cosine: lambda V, U, w: pairs(unit(V), unit(U), w[:-1], w[1:]).mean(),
        count: lambda V, U, w: pairs(V, U, w[:-1], w[1:]).sum() / len(w), summed: lambda V, U,
            w: pairs(V, U, w[:-1], w[1:]).sum(),
        own: lambda V, U, w: pairs(V, U, w, w).mean(), turned: lambda V, U, w: pairs(-V, U, w[:-1], w[1:]).mean(),
        "this is -ln p(word | the same word): pair each word but the last with the one after it": lambda V, U, w:
            pairs(V, U, w[:-1], w[:-1]).mean(),
        next_of: lambda V, U, w: pairs(U, U, w[:-1], w[1:]).mean(),
        "every other pair is missing: the pairs overlap": lambda V, U, w: pairs(V, U, w[:-1:2], w[1::2]).mean(),
        "the pairs are turned round: this predicts the previous word": lambda V, U,
            w: pairs(V, U, w[1:], w[:-1]).mean(),
        "the sign is missing: the logarithm of a probability is below 0": lambda V, U,
            w: -pairs(V, U, w[:-1], w[1:]).mean(),
        "these are bits: take the natural logarithm": lambda V, U, w: pairs(V, U, w[:-1], w[1:]).mean() / np.log(2),
        "this is the perplexity: leave the exponential out": lambda V, U,
            w: np.exp(pairs(V, U, w[:-1], w[1:]).mean()),
        "the mean of the probabilities came before the logarithm": lambda V, U,
            w: -np.log(np.exp(-pairs(V, U, w[:-1], w[1:])).mean()),
        "the last word was paired with the first: the text does not go round": lambda V, U,
            w: pairs(V, U, w, [*w[1:], w[0]]).mean(),
        "each pair counts as often as it occurs": lambda V, U,
            w: pairs(V, U, *zip(*sorted(set(zip(w, w[1:], strict=False))), strict=True)).mean(),
        "only words that follow one another are pairs: here each word met all": lambda V, U, w: pairs(
            V, U, np.repeat(w, len(w)), np.tile(w, len(w))).mean(),
        "the last pair is missing": lambda V, U, w: pairs(V, U, w[:-2], w[1:-1]).mean(),
    })
    for W, M, T in ((5, 3, 12), (8, 2, 30), (4, 6, 9)):
        V, U = check.rng.normal(size=(W, M)), check.rng.normal(size=(W, M))
        w = [int(i) for i in check.rng.integers(W, size=T)]
        table = V @ U.T - np.log(np.exp(V @ U.T).sum(axis=1, keepdims=True))
        counts = np.zeros((W, W))
        np.add.at(counts, (w[:-1], w[1:]), 1)
        check(mean_nll, V, U, w).equals(-(counts * table).sum() / counts.sum(), about="a random text")
    check(mean_nll, V, U, [0, 3]).equals(-table[0, 3], about="a text of two words", edge=True)

    def draw(V, U, start, uniforms, pick, follow=True):
        ids = [start]
        for r in uniforms:
            ids.append(int(pick(softmax(U @ V[ids[-1] if follow else start]), r)))
        return ids

    def inverse(p, r):
        return min(int((np.cumsum(p) <= r).sum()), len(p) - 1)

    check.mistakes({
        greedy: lambda V, U, s, r: draw(V, U, s, r, lambda p, _: p.argmax()), from_start: lambda V, U, s,
            r: draw(V, U, s, r, inverse, False),
        not_below: lambda V, U, s, r: draw(V, U, s, r, lambda p, x: max(inverse(p, x) - 1, 0)),
        not_below + ", too late": lambda V, U, s, r: draw(V, U, s, r, lambda p, x: min(inverse(p, x) + 1, len(p) - 1)),
        "`start` came twice: the list begins with it once": lambda V, U, s, r: [s, *draw(V, U, s, r, inverse)],
        "the place among the sorted words came back: keep the order of the words": lambda V, U, s, r: draw(
            V, U, s, r, lambda p, x: inverse(np.sort(p)[::-1], x)),
        exchanged: lambda V, U, s, r: draw(U, V, s, r, inverse),
        "the words were sorted by probability before r was looked up: keep their order": lambda V, U, s, r: draw(
            V, U, s, r, lambda p, x: np.argsort(-p)[inverse(np.sort(p)[::-1], x)]),
        "the list begins with `start`": lambda V, U, s, r: draw(V, U, s, r, inverse)[1:],
        "one word for each number of uniforms is asked: the last is missing": lambda V, U, s,
            r: draw(V, U, s, r[:-1], inverse),
        "one word for each number of uniforms is asked: the first was not used": lambda V, U, s,
            r: draw(V, U, s, r[1:], inverse),
        "one word for each number of uniforms is asked: the return stands inside the loop": lambda V, U, s,
            r: draw(V, U, s, r[:1], inverse),
        "each word is drawn by a number of its own: here one number served for all": lambda V, U, s,
            r: draw(V, U, s, [r[0]] * len(r), inverse),
        turned: lambda V, U, s, r: draw(-V, U, s, r, inverse), one_matrix: lambda V, U, s,
            r: draw(V, V, s, r, inverse), next_of: lambda V, U, s, r: draw(U, U, s, r, inverse),
        "1 - r was used: the first cumulative sum greater than r counts": lambda V, U, s,
            r: draw(V, U, s, r, lambda p, x: inverse(p, 1 - x)),
        "the first word whose own probability is greater than r was taken: use cumulative sums": lambda V, U, s,
            r: draw(
            V, U, s, r, lambda p, x: np.argmax(p > x)),
        "the word whose cumulative probability is nearest to r was taken: the first greater one counts": lambda V, U,
            s, r: draw(
            V, U, s, r, lambda p, x: np.abs(np.cumsum(p) - x).argmin()),
    })
    for W, M in ((6, 3), (9, 2), (12, 5)):
        V, U, r = check.rng.normal(size=(W, M)), check.rng.normal(size=(W, M)), check.rng.uniform(size=8)
        expected = [W - 1]
        for x in r:
            total, j = 0.0, -1
            while total <= x and j < W - 1:
                j += 1
                total += 1 / np.exp((U - U[j]) @ V[expected[-1]]).sum()
            expected.append(j)
        check(generate, V, U, W - 1, [float(x) for x in r]).equals(expected, about="random vectors and numbers")
    zeros = np.zeros((4, 2))
    check(generate, zeros, zeros, 3, [0.25, 0.0, 0.5]).equals([3, 1, 0, 2], about="r equal to a cumulative sum",
        near={
        "a cumulative sum equal to r is not greater than r: take the next word": [3, 0, 0, 1]})
    check(generate, zeros, zeros, 2, []).equals([2], about="nothing to draw", edge=True)
    ten = np.zeros((10, 2))  # ten times 0.1 is added up to 1 - 2 ** -53
    last = "if rounding leaves no sum greater than r, the last word is drawn"
    check(generate, ten, ten, 3, [0.55, 1 - 2**-53]).equals([3, 5, 9], about="a sum rounded to less than 1", edge=True,
        near={f"{last}: here a number beyond it": [3, 5, 10], f"{last}: here the first": [3, 5, 0],
        f"{last}: here an error": LookupError})
    ### END HIDDEN TESTS


score

# %% [markdown]
# Now train. The vectors of the lecture are random, and the model is worse than no model: 2.8255 nats, where the uniform
# guess has $\ln 8 = 2.0794$. No table of bigrams can be better than the shares of the counts, 0.6864 nats: the floor.

# %% show
printed_V = np.array([[0.884, 0.196], [0.358, -2.343], [-1.085, 0.560], [0.939, -0.978],
                      [0.503, 0.406], [0.323, -0.493], [-0.792, -0.842], [-1.280, 0.246]])  # fmt: skip
printed_U = np.array([[-0.044, 1.568], [1.051, 0.406], [-0.169, -3.190], [1.120, 1.333],
                      [-0.243, -0.130], [-0.109, 1.556], [0.129, -2.067], [-0.885, -1.105]])  # fmt: skip
ids = [vocabulary.index(w) for w in corpus]
pairs, singles = count_ngrams(corpus, 2)
floor = cross_entropy([add_k(b, (a,), pairs, singles, 8, k=0) for a, b in zip(corpus, corpus[1:], strict=False)])
print(f"random vectors {mean_nll(printed_V, printed_U, ids):.4f}, uniform {math.log(8):.4f}, floor {floor:.4f} nats")


class TwoMatrices(nn.Module):
    """The two-matrix language model: (B,) word numbers to (B, W) scores of the next word."""

    def __init__(self, size: int, width: int):
        super().__init__()
        self.V = nn.Embedding(size, width)
        self.U = nn.Embedding(size, width)

    def forward(self, previous):
        return self.V(previous) @ self.U.weight.T


def next_word_loss(model, batch):
    return F.cross_entropy(model(batch[0]), batch[1])


def trained_matrices(seed: int, width: int = 2, steps: int = 400) -> tuple[np.ndarray, np.ndarray, float]:
    """Return V, U and the mean NLL after training on the corpus."""
    seed_everything(seed)
    model = TwoMatrices(len(vocabulary), width)
    batch = (torch.tensor(ids[:-1]), torch.tensor(ids[1:]))
    fit(model, [batch], next_word_loss, steps=steps, lr=0.1, warmup=0, weight_decay=0, clip=None, progress=False)
    V, U = model.V.weight.detach().numpy(), model.U.weight.detach().numpy()
    return V, U, mean_nll(V, U, ids)


runs = {width: [trained_matrices(seed, width) for seed in range(budget(grade=2, cpu=5))] for width in (2, 3)}
for width, found in runs.items():
    print(f"{width} dimensions, one run for each seed:", " ".join(f"{loss:.4f}" for *_, loss in found))
    trained = [-loss for *_, loss in found]
    claim(f"Mini corpus, {width} dimensions, minus NLL: trained above -0.85", trained, [-0.85] * len(trained))

# %% [markdown]
# In two dimensions a run may get stuck above the floor (with another optimiser two of five ended at 0.80): eight words
# must find their places around a point, and they cannot pass through one another. A third dimension gives a way round.
# Below, the best of the runs in two dimensions.

# %% show
V2, U2, _ = min(runs[2], key=lambda run: run[2])
seen = set(zip(ids, ids[1:], strict=False))
fig, axes = plots.figure(columns=2, width=10, height=4.6)
for ax, (title, V, U) in zip(axes, [("random", printed_V, printed_U), ("trained", V2, U2)], strict=True):
    ax.scatter(*V.T, marker="o", label="V, previous")
    ax.scatter(*U.T, marker="^", label="U, next")
    ax.set_title(f"{title}: {mean_nll(V, U, ids):.4f} nats")
    ax.margins(0.12)
axes[1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
fig.draw_without_rendering()  # fixes the layout, so that labels can be placed
fig.set_layout_engine("none")
quoted = [w if w.isalpha() else f"“{w}”" for w in vocabulary]
for ax, (V, U) in zip(axes, ((printed_V, printed_U), (V2, U2)), strict=True):
    texts = plots.place(ax, np.vstack([V, U]), list(enumerate(quoted * 2)))
    for text in texts[len(quoted) :]:
        text.set_fontweight("bold")
plots.show(fig, "Two maps of the eight words, each word twice: as previous (circles) and as next (triangles, "
    f"bold). Left random, {mean_nll(printed_V, printed_U, ids):.2f} nats; right trained, {mean_nll(V2, U2, ids):.2f}: "
    "each next word lies in the direction of the words that it follows.")
uniforms = np.random.default_rng(SEED).uniform(size=21)
for title, V, U in (("random", printed_V, printed_U), ("trained", V2, U2)):
    drawn = generate(V, U, vocabulary.index("dog"), uniforms)
    known = sum(pair in seen for pair in zip(drawn, drawn[1:], strict=False))
    print(f"{title}: {known} of 21 bigrams occur in the corpus\n    the", " ".join(vocabulary[i] for i in drawn))

# %% [markdown]
# ## Exercise 3: a window of words (`bengio`)
#
# 12 minutes, ★, 4 points
#
# Two matrices look back one word. The first neural language model (Bengio and others, 2003) looks back $n$ words: it
# looks up their vectors, writes them one after another into one long row $x$ of $n \cdot d$ numbers, the oldest first,
# and adds two paths to the scores, one through a hidden layer and one direct:
#
# $$ x = [E_{w_1}, \dots, E_{w_n}], \qquad \text{scores} = \tanh(x W_h + b_h)\, W_o + x W_d + b_o $$
#
# What breaks is in the shape of $W_h$, $(n d, H)$: each place in the window has weights of its own. A longer window
# is a larger model, what was learned at one place is not known at the next, and the word before the window is gone.
#
# Write `bengio_logits`, with torch. The scores are returned as they are, without a softmax. Here and in the
# networks that follow (exercises 4, 7, 11 and 14) the result has the dtype of the weights, and autograd can go through:
# no `.detach()`, no `.item()` on the way.
#
# By hand: with $d = 1$, $E = (1, 2, 3)^\top$ and the window of words $(2, 0)$, $x = (3, 1)$.
#
# <details><summary>Hint 1</summary><code>E[ids]</code> has shape (B, n, d).</details>
# <details><summary>Hint 2</summary><code>.reshape(B, n * d)</code> or <code>.flatten(1)</code> lays the vectors of a
# window one after another.</details>

# %% exercise="bengio"
def bengio_logits(
    ids: torch.Tensor, E: torch.Tensor, W_h: torch.Tensor, b_h: torch.Tensor,
    W_o: torch.Tensor, b_o: torch.Tensor, W_d: torch.Tensor,
) -> torch.Tensor:  # fmt: skip
    """Return the scores of the next word, (B, V).

    ids: (B, n) word numbers, the oldest first. E: (V, d). W_h: (n * d, H), b_h: (H,). W_o: (H, V), b_o: (V,).
    W_d: (n * d, V), the direct path.
    """
    ### BEGIN SOLUTION
    x = E[ids].flatten(1)  # (B, n * d)
    return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o
    ### END SOLUTION

# %% check="bengio" points=4
# The check of `bengio`: run this cell (Shift+Enter) after the one above.
from helpers.checks import difference, graded


@graded("bengio", points=4)
def score(check):
    import torch
    from torch.nn import functional as F

    direct = "the direct path is missing: add x W_d"
    no_tanh = "the hidden layer has no tanh"
    mean = "the vectors of the window were averaged or added: lay them one after another"
    newest = "the oldest word comes first in x: here the window was turned round"
    no_b_h = "the bias b_h of the hidden layer is missing"
    no_b_o = "the bias b_o of the scores is missing"
    inside = "the direct path goes round the tanh, not through it"

    E = torch.tensor([[1.0], [2.0], [3.0]])
    args = (torch.tensor([[2, 0]]), E, torch.tensor([[0.1], [-0.2]]), torch.tensor([0.3]),
        torch.tensor([[1.0, -1.0, 2.0]]),
            torch.tensor([0.5, 0.0, -0.5]), torch.tensor([[0.1, 0.2, 0.3], [-0.1, 0.4, 0.0]]))  # fmt: skip
    check(bengio_logits, *args).equals([[1.0799, 0.6201, 1.1599]], rtol=1e-4,
        near={direct: [[0.87995, -0.37995, 0.2599]], no_tanh: [[1.1, 0.6, 1.2]],
        no_b_h: [[0.79967, 0.90033, 0.59934]], no_b_o: [[0.57995, 0.62005, 1.6599]],
        newest: [[0.10262, 1.5974, -0.59475]], mean: [[0.59967, 1.1003, 0.29934]],
        inside: [[0.9033, 0.1237, 0.55841]],
        "these are probabilities: return the scores, without a softmax": [[0.36838, 0.23258, 0.39904]],
        "these are log-probabilities: return the scores as they are": [[-0.99864, -1.45852, -0.9187]]})
    by_dimension = "x holds word after word: here all first numbers of the vectors came first"
    batch_mixed = "reshape mixed the batch: x needs one row for each window"
    one_answer = "all rows of the batch got the answer of the first window"
    one_score = "all rows of the batch got the scores of the first window"
    ids, E = torch.tensor([[2, 0], [1, 2]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, -1.0]])
    W_h, b_h, W_o = torch.tensor([[0.1], [0.2], [-0.1], [0.3]]), torch.tensor([0.1]), torch.tensor([[1.0, 0.0, -1.0]])
    W_d = torch.tensor([[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5], [0.5, 0.5, 0.0]])
    check(bengio_logits, ids, E, W_h, b_h, W_o, torch.tensor([0.0, 0.5, 0.0]), W_d).equals(
        [[1.0, 0.0, 0.5], [-0.69738, 0.5, 1.19738]], rtol=1e-4, about="two windows, two dimensions", near={
        by_dimension: [[1.53705, 1.0, -1.03705], [-0.40033, 1.0, 0.40033]],
        batch_mixed: [[1.87995, 0.5, -0.37995], [-0.29131, 0.0, 1.29131]],
        newest: [[-0.29131, 0.0, 1.29131], [1.87995, 0.5, -0.37995]],
        one_answer: [[1.0, 0.0, 0.5]], one_score: [[1.0, 0.0, 0.5], [1.0, 0.0, 0.5]]})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def scores(ids, E, W_h, b_h, W_o, b_o, W_d, *, act=torch.tanh, join=lambda e: e.flatten(1), d=1, bh=1, bo=1):
        x = join(E[ids])
        return act(x @ W_h + bh * b_h) @ W_o + d * (x @ W_d) + bo * b_o

    def variant(**changed):
        return lambda *args: scores(*args, **changed)

    check.mistakes({
        direct: variant(d=0), no_tanh: variant(act=lambda z: z), no_b_h: variant(bh=0), no_b_o: variant(bo=0),
        newest: variant(join=lambda e: e.flip(1).flatten(1)),
        mean: variant(join=lambda e: e.mean(1).repeat(1, e.shape[1])),
        "the vectors of the window were added: lay them one after another": variant(join=lambda e: e.sum(1).repeat(1,
            e.shape[1])),
        by_dimension: variant(join=lambda e: e.transpose(1, 2).flatten(1)),
        "a ReLU came in place of the tanh": variant(act=torch.relu),
        "a sigmoid came in place of the tanh": variant(act=torch.sigmoid),
        "the tanh goes round the hidden layer only, not round the scores": lambda *a: torch.tanh(scores(*a,
            act=lambda z: z)),
        inside: lambda i, E, W_h, b_h, W_o, b_o, W_d: torch.tanh(E[i].flatten(1) @ W_h + b_h) @ W_o
            + torch.tanh(E[i].flatten(1)) @ W_d + b_o,
        "the tanh went round the hidden layer's share of the scores: it goes round x W_h + b_h":
            lambda i, E, W_h, b_h, W_o, b_o, W_d: scores(i, E, 0 * W_h, 0 * b_h, W_o, b_o, W_d) + torch.tanh(
                (E[i].flatten(1) @ W_h + b_h) @ W_o),
        "the scores went through a tanh, too: only the hidden layer does": lambda *a: torch.tanh(scores(*a)),
        "b_h was added outside of the tanh: it belongs inside": lambda i, E, W_h, b_h, W_o, b_o, W_d: scores(
            i, E, W_h, 0 * b_h, W_o, b_o, W_d) + b_h @ W_o,
        "the hidden layer is missing: this is the direct path alone": variant(act=torch.zeros_like),
        "the bias b_o was added twice": variant(bo=2), "the direct path was counted twice": variant(d=2),
        one_answer: lambda i, *a: scores(i[:1], *a),
        one_score: lambda i, *a: scores(i[:1].expand_as(i), *a),
        "the scores are asked, not the likeliest word": lambda *a: scores(*a).argmax(-1),
        "these are probabilities: return the scores, without a softmax": lambda *a: scores(*a).softmax(-1),
        "these are log-probabilities: return the scores as they are": lambda *a: scores(*a).log_softmax(-1),
        batch_mixed: variant(
            join=lambda e: e.permute(1, 0, 2).reshape(e.shape[0], -1)),
    })
    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    for B, n, V, d, H in ((3, 4, 9, 2, 5), (2, 3, 6, 4, 7), (5, 1, 8, 3, 2)):
        args = (draw(V, d), draw(n * d, H), draw(H), draw(H, V), draw(V), draw(n * d, V))
        ids = torch.tensor(check.rng.integers(V, size=(B, n)))
        E, W_h, b_h, W_o, b_o, W_d = args
        x = torch.cat([F.embedding(ids[:, t], E) for t in range(n)], dim=1)
        expected = F.linear(torch.tanh(F.linear(x, W_h.T, b_h)), W_o.T, b_o) + F.linear(x, W_d.T)
        check(bengio_logits, ids, *args).equals(expected, about="random weights", rtol=1e-4, atol=1e-5)
    doubles = [a.double() for a in args]
    exact = scores(ids, *doubles)
    check(bengio_logits, ids, *doubles).holds(
        lambda v: difference(v, exact, rtol=1e-10) is None, "float64 in, float64 out",
        about="float64", near={"float64 was rounded to float32 on the way": lambda v: difference(v, exact, 1e-4, 1e-5)
        is None})
    check(bengio_logits, ids, E.clone().requires_grad_(), *args[1:]).holds(lambda v: v.requires_grad,
        "autograd finds its way back to E", near={"the gradient is cut on its way to E: no detach, no item, no NumPy":
        lambda v: difference(v, expected, 1e-4, 1e-5) is None})
    check(bengio_logits, ids[:1], *args).equals(expected[:1], about="one window", edge=True, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Embedding options
#
# A window of four words on the docs. Where do the vectors of the words come from, and may they move? Four runs of the
# same model for the same number of steps: vectors drawn at random; those of chapter 02's artifact; the same, *frozen*,
# so that only the other weights learn; and *tied*, where the matrix that embeds the words also scores the next one
# ($W_o = E^\top$; Press and Wolf, 2017), which saves a third matrix. Words that the artifact does not know begin at
# random.

# %% show
class WindowModel(nn.Module):
    """The model of exercise 3 with weights that learn: (B, 4) words to (B, V) scores."""

    def __init__(self, size: int, width: int, start: torch.Tensor | None = None, frozen=False, tied=False):
        super().__init__()
        self.E = nn.Parameter(torch.randn(size, width) * 0.1 if start is None else start.clone(),
            requires_grad=not frozen)
        self.W_h, self.b_h = nn.Parameter(torch.randn(4 * width, width) * 0.04), nn.Parameter(torch.zeros(width))
        self.W_o = None if tied else nn.Parameter(torch.randn(width, size) * 0.05)
        self.b_o, self.W_d = nn.Parameter(torch.zeros(size)), torch.zeros(4 * width, 1)  # no direct path here

    def forward(self, ids):
        W_o = self.E.T if self.W_o is None else self.W_o
        return bengio_logits(ids, self.E, self.W_h, self.b_h, W_o, self.b_o, self.W_d)


known_words = [w for w, _ in Counter(train_words).most_common(1999)]
number = {w: i + 1 for i, w in enumerate(known_words)}  # 0 is <unk>
train_ids, valid_ids = (torch.tensor([number.get(w, 0) for w in part]) for part in (train_words, valid_words))
vectors = WordVectors.load()
width = vectors.matrix.shape[1]  # 128 in the reference; your own may have another
pretrained = torch.randn(2000, width) * 0.1
for word, i in number.items():
    if word in vectors:
        pretrained[i] = torch.from_numpy(vectors.unit[vectors.index[word]])

def window_batch(step: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (windows (B, 4), next words (B,)) from places drawn at random."""
    places = torch.randint(len(train_ids) - 4, (256,))
    return train_ids[places[:, None] + torch.arange(4)], train_ids[places + 4]

def window_perplexity(model) -> float:
    """Return the perplexity on the first words of the validation part."""
    places = torch.arange(3000)
    with torch.no_grad():
        logits = model(valid_ids[places[:, None] + torch.arange(4)])
    return math.exp(F.cross_entropy(logits, valid_ids[places + 4]).item())

OPTIONS = {"random": {}, "pretrained": {"start": pretrained},
           "pretrained, frozen": {"start": pretrained, "frozen": True}, "random, tied": {"tied": True}}
print(f"{'vectors':<20}{'weights that learn':>20}{'perplexity, early':>20}{'at the end':>12}")
for name, options in OPTIONS.items():
    seed_everything(SEED)
    model = WindowModel(2000, width, **options)
    steps = budget(grade=30, cpu=160)
    history = fit(model, window_batch, next_word_loss, steps=steps, lr=3e-3, evaluate=window_perplexity,
                  evaluate_every=steps // 4, progress=False)
    learned = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print(f"{name:<20}{learned:>20,}{history.evaluations[0][1]:>20.1f}{history.evaluations[-1][1]:>12.1f}")
window_pairs, window_singles = count_ngrams(train_ids.tolist(), 2)
after = zip(valid_ids[3:3003].tolist(), valid_ids[4:3004].tolist(), strict=True)
bigram = [add_k(b, (a,), window_pairs, window_singles, 2000, 0.01) for a, b in after]
print(f"{'bigrams by counting':<20}{'':>20}{'':>20}{perplexity(bigram):>12.1f}")

# %% [markdown]
# The bigrams, counted from all 250,000 words, are ahead of networks that have seen 41,000 windows. But look at what
# each way costs and saves: frozen vectors learn least, tied ones need a matrix less and lose nothing, and pretrained
# ones begin ahead, by little, since the artifact's vectors were made for neighbourhood and not for the next word.

# %% [markdown]
# ## Exercise 4: one state for all of the past (`rnn`)
#
# 12 minutes, ★, 5 points
#
# Instead of a longer window, keep a **state** $h$ of fixed size, and update it by the same rule at every step:
#
# $$ h_t = \tanh(x_t W_x + h_{t-1} W_h + b) $$
#
# The parameters no longer grow with the length, and in principle $h_t$ may remember anything. Unrolled in time this is
# a deep network: $T$ layers, all with the same weights. Write, with torch,
#
# 1. `rnn_cell(x, h, W_x, W_h, b)`: one step for a batch.
# 2. `rnn_forward(x, h0, W_x, W_h, b)`: all steps; returns the states $h_1 \dots h_T$, $(B, T, H)$, and the last state,
#    $(B, H)$. With $T = 0$ the states have shape $(B, 0, H)$ and the last state is `h0`.
#
# By hand: $x_1 = 1$, $h_0 = 0.5$, all weights 1 and $b = -1.5$: $h_1 = \tanh(1 + 0.5 - 1.5) = 0$.
#
# <details><summary>Hint 1</summary>The cell is one line; the forward pass is a loop that keeps each new state in a
# list.</details>
# <details><summary>Hint 2</summary><code>x[:, t]</code> is step t of all sequences; <code>torch.stack(states,
# dim=1)</code> puts the time axis back.</details>

# %% exercise="rnn"
def rnn_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> torch.Tensor:
    """Return the next state, (B, H). x: (B, C), h: (B, H), W_x: (C, H), W_h: (H, H), b: (H,)."""
    ### BEGIN SOLUTION
    return torch.tanh(x @ W_x + h @ W_h + b)
    ### END SOLUTION


def rnn_forward(
    x: torch.Tensor, h0: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (all states (B, T, H), the last state (B, H)). x: (B, T, C), h0: (B, H)."""
    ### BEGIN SOLUTION
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, dim=1) if states else h.new_zeros(len(h), 0, h.shape[1]), h
    ### END SOLUTION

# %% check="rnn" points=5
# The check of `rnn`: run this cell (Shift+Enter) after the one above.
from helpers.checks import difference, graded


@graded("rnn", points=5)
def score(check):
    import torch
    from torch import nn

    no_tanh = "the tanh is missing"
    no_past = "the old state is missing: add h W_h"
    no_bias = "the bias is missing"
    transposed = "W_h was transposed: with row vectors it is h W_h"
    relu = "a ReLU came in place of the tanh"
    sigmoid = "a sigmoid came in place of the tanh"
    reset = "every step began with h0: the state just made goes into the next step"
    backwards = "the sequence was read from its end"
    added = "the new state was added to the old one: it takes its place"
    cut = "the gradient is cut: no detach, no item, no NumPy on the way from h0 to the states"

    row = "the last state is that of the last step: here the last sequence of the batch came"
    x, h = torch.tensor([[1.0, 2.0, -1.0], [0.5, -1.0, 0.0]]), torch.tensor([[0.5, -1.0], [-0.3, 0.8]])
    weights = (torch.tensor([[0.3, -0.2], [0.1, 0.4], [-0.5, 0.6]]), torch.tensor([[0.6, 0.2], [-0.5, 0.7]]),
        torch.tensor([0.1, -0.3]))
    check(rnn_cell, x, h, *weights).equals([[0.95624, -0.7163], [-0.40532, -0.29131]], rtol=1e-3,
        near={no_tanh: [[1.9, -0.9], [-0.43, -0.3]], no_past: [[0.8005, -0.29131], [0.14889, -0.66404]],
        no_bias: [[0.94681, -0.53705], [-0.48538, 0.0]], transposed: [[0.83365, -0.84828], [0.12927, -0.08976]],
        relu: [[1.9, 0.0], [0.0, 0.0]], sigmoid: [[0.86989, 0.28905], [0.39413, 0.42556]],
        added: [[1.45624, -1.7163], [-0.70532, 0.50869]],
        "with row vectors it is h W_h: here W_h h came": [[0.83365, -0.30951], [-0.66404, -0.08976]]})
    steps = torch.stack([x, torch.tensor([[0.0, -1, 0.5], [2, 1, 1]]), torch.tensor([[0.5, 0.5, -2], [-1, 0, 1]])], 1)
    one = [[0.95624, -0.7163], [0.59275, -0.61078], [0.96117, -0.93652]]
    two = [[-0.40532, -0.29131], [0.19974, 0.01502], [-0.52821, 0.50086]]
    check(rnn_forward, steps, h, *weights).equals(([one, two], [one[-1], two[-1]]), rtol=1e-3, atol=2e-5,
        near={row: ([one, two], two), reset: ([[[0.95624, -0.7163], [0.50052, -0.76159], [0.97045, -0.96403]],
        [[-0.40532, -0.29131], [-0.27291, 0.66404], [-0.85648, 0.76159]]], [[0.97045, -0.96403], [-0.85648, 0.76159]]),
        backwards: ([[[0.97045, -0.96403], [0.67195, -0.70678], [0.95236, -0.5786]], [[-0.85648, 0.76159],
        [-0.53326, 0.57957], [-0.42987, -0.46286]]], [[0.95236, -0.5786], [-0.42987, -0.46286]]),
        transposed: ([[[0.83365, -0.84828], [0.08036, -0.88763], [0.82449, -0.96813]], [[0.12927, -0.08976],
        [0.34487, 0.17084], [-0.42919, 0.41956]]], [[0.82449, -0.96813], [-0.42919, 0.41956]]),
        "h0 was ignored: the first step begins with it": ([[[0.8005, -0.29131], [0.35919, -0.41681],
        [0.93833, -0.92461]], [[0.14889, -0.66404], [0.61774, -0.13423], [-0.25639, 0.48506]]],
        [[0.93833, -0.92461], [-0.25639, 0.48506]]),
        "the axes are (B, T, H): here time comes first": ([[a, b] for a, b in zip(one, two, strict=True)],
        [one[-1], two[-1]]), "the state that comes back is the first, not the last": ([one, two], [one[0], two[0]]),
        "h0 is no state of the output: begin with h_1": ([[[0.5, -1.0], *one], [[-0.3, 0.8], *two]],
        [one[-1], two[-1]])})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def cell(x, h, W_x, W_h, b, *, act=torch.tanh, past=1, bias=1, turn=False, keep=0):
        return act(x @ W_x + past * (h @ (W_h.T if turn else W_h)) + bias * b) + keep * h

    variants = {
        no_tanh: {"act": lambda z: z}, no_past: {"past": 0}, no_bias: {"bias": 0}, transposed: {"turn": True},
        relu: {"act": torch.relu}, sigmoid: {"act": torch.sigmoid}, added: {"keep": 1},
        "the state is subtracted, not added": {"past": -1}, "the bias was added twice": {"bias": 2},
        "the old state was counted twice": {"past": 2},
    }
    mistakes = {s: lambda *a, v=v: cell(*a, **v) for s, v in variants.items()} | {
        "the old state went in without its weights: it is h W_h": lambda x, h, W_x, W_h,
            b: torch.tanh(x @ W_x + h + b),
        "each part had a tanh of its own: add first": lambda x, h, W_x, W_h,
            b: torch.tanh(x @ W_x + b) + torch.tanh(h @ W_h),
        "each part had a tanh of its own: add first, then one tanh": lambda x, h, W_x, W_h,
            b: torch.tanh(x @ W_x) + torch.tanh(h @ W_h + b),
        "the bias was added outside of the tanh: it belongs inside": lambda x, h, W_x, W_h,
            b: torch.tanh(x @ W_x + h @ W_h) + b,
        "the input is missing: add x W_x": lambda x, h, W_x, W_h, b: torch.tanh(h @ W_h + b),
    }
    check.mistakes(mistakes)

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)


    def library(C, H, dtype=torch.float32):
        rnn = nn.RNN(C, H, batch_first=True, dtype=dtype)
        for p in rnn.parameters():
            p.data = draw(*p.shape).to(dtype)
        b = rnn.bias_ih_l0 + rnn.bias_hh_l0
        return rnn, [w.detach() for w in (rnn.weight_ih_l0.T, rnn.weight_hh_l0.T, b)]

    for B, C, H in ((3, 4, 5), (2, 6, 3), (4, 2, 2), (2, 3, 3)):
        rnn, weights = library(C, H)
        x, h = draw(B, C), draw(B, H)
        expected = rnn(x[:, None], h[None])[1][0].detach()
        check(rnn_cell, x, h, *weights).equals(expected, about="one step, as nn.RNN", rtol=1e-4, atol=1e-5)

    def unrolled(x, h, W_x, W_h, b, step=cell, order=1, keep=True):
        first, states = h, []
        for t in range(x.shape[1])[::order]:
            h = step(x[:, t], h if keep else first, W_x, W_h, b)
            states.append(h)
        return torch.stack(states[::order], 1), h

    check.mistakes({s: lambda *a, f=f: unrolled(*a, step=f) for s, f in mistakes.items()} | {
        reset: lambda *a: unrolled(*a, keep=False), backwards: lambda *a: unrolled(*a, order=-1),
        "the first state is missing: h_1 comes first": lambda *a: (unrolled(*a)[0][:, 1:], unrolled(*a)[1]),
        "the last step is missing": lambda x, *a: unrolled(x[:, :-1], *a),
        "h0 is no state of the output: begin with h_1": lambda *a: (
            torch.cat([a[1][:, None], unrolled(*a)[0]], 1), unrolled(*a)[1]),
        "h0 is no state of the output: begin with h_1 and end with h_T": lambda *a: (
            torch.cat([a[1][:, None], unrolled(*a)[0]], 1)[:, :-1], unrolled(*a)[1]),
        "h0 was ignored: the first step begins with it": lambda x, h, *w: unrolled(x, torch.zeros_like(h), *w),
        "the axes are (B, T, H): here time comes first": lambda *a: (unrolled(*a)[0].transpose(0, 1),
            unrolled(*a)[1]),
        "the two results are exchanged: the states come first, then the last one": lambda *a: unrolled(*a)[::-1],
        "the state that comes back is the first, not the last": lambda *a: (unrolled(*a)[0], unrolled(*a)[0][:, 0]),
        "both results are asked: all states, and the last": lambda *a: unrolled(*a)[0],
        "the last state has shape (B, H)": lambda *a: (unrolled(*a)[0], unrolled(*a)[1][None]),
        row: lambda *a: (unrolled(*a)[0], unrolled(*a)[0][-1]),
        backwards + ", and its states stand in that order": lambda *a: (
            unrolled(*a, order=-1)[0].flip(1), unrolled(*a, order=-1)[1]),
        "the cell's result went through a second tanh": lambda *a: unrolled(*a, step=lambda *b: cell(*b).tanh()),
        "the first axis is the batch, the second is time: here they are exchanged": lambda x,
            *a: unrolled(x.transpose(0, 1), *a),
    })
    for B, T, C, H in ((3, 7, 4, 5), (2, 4, 5, 3), (4, 6, 2, 3)):
        rnn, weights = library(C, H)
        x, h = draw(B, T, C), draw(B, H)
        states, last = rnn(x, h[None])
        check(rnn_forward, x, h, *weights).equals(
            (states.detach(), last[0].detach()), about="sequences, as nn.RNN", rtol=1e-4, atol=1e-5)
    rnn, weights = library(3, 2, torch.float64)
    x, h = draw(2, 5, 3).double(), draw(2, 2).double()
    states, last = rnn(x, h[None])
    exact = (states.detach(), last[0].detach())
    check(rnn_forward, x, h, *weights).holds(
        lambda v: difference(v, exact, rtol=1e-9) is None, "float64 in, float64 out",
        about="float64", near={"float64 was rounded to float32 on the way": lambda v: difference(v, exact, 1e-4, 1e-5)
        is None})
    check(rnn_forward, x[:, :1], h, *weights).equals(
        (states[:, :1].detach(), states[:, 0].detach()), about="one step only", edge=True, rtol=1e-4, atol=1e-5)
    check.mistakes({})  # they all take a first step
    none = "with T = 0 the states have shape (B, 0, H), and the last state is h0"
    check(rnn_forward, x[:, :0], h, *weights).equals((torch.zeros(2, 0, 2), h), about="no step", edge=True,
        near={f"{none}: torch.stack takes no empty list": RuntimeError, f"{none}: no last element": LookupError,
        f"{none}: no state was made": UnboundLocalError, f"{none}: here zeros": (torch.zeros(2, 0, 2), 0 * h)})
    check(rnn_forward, x, h.clone().requires_grad_(), *weights).holds(
        lambda v: v[0].requires_grad and v[1].requires_grad, "autograd finds its way back to h0",
        near={cut: lambda v: difference(v, exact, 1e-4, 1e-5) is None})
    ### END HIDDEN TESTS


score

# %% show
rnn = nn.RNN(3, 4, batch_first=True)
x, h0 = torch.randn(2, 6, 3), torch.randn(2, 4)
with torch.no_grad():
    ours = rnn_forward(x, h0, rnn.weight_ih_l0.T, rnn.weight_hh_l0.T, rnn.bias_ih_l0 + rnn.bias_hh_l0)[0]
    print(f"largest difference from nn.RNN, weights copied: {(ours - rnn(x, h0[None])[0]).abs().max():.1e}")

# %% [markdown]
# Below, the shapes in which a recurrent network is used. All of them come in this chapter: the language model and the
# tagger (many to many, in step), the classifier (many to one), the translator (many to many, through one state).

# %% show
fig, axes = plots.figure(columns=4, width=11, height=2.6)
SHAPES = {"one to many": ([0], [0, 1, 2, 3]), "many to one": ([0, 1, 2, 3], [3]),
          "many to many, in step": ([0, 1, 2, 3], [0, 1, 2, 3]), "encoder, decoder": ([0, 1], [2, 3])}
for ax, (title, (inputs, outputs)) in zip(axes, SHAPES.items(), strict=True):
    arrow = {"arrowprops": {"arrowstyle": "->", "color": "black"}}
    for t in range(4):
        ax.annotate("", (t + 0.7, 1), (t + 0.3, 1), **arrow) if t < 3 else None
        ax.text(t, 1, "h", ha="center", va="center", bbox={"boxstyle": "round", "fc": "white", "ec": plots.COLORS[0]})
        for places, low, letter in ((inputs, 0, "x"), (outputs, 1, "y")):
            if t in places:
                ax.annotate("", (t, low + 0.75), (t, low + 0.25), **arrow)
                ax.text(t, 2 * low, letter, ha="center", va="center")
    ax.set(xlim=(-0.5, 3.5), ylim=(-0.3, 2.3), title=title)
    ax.set_axis_off()
plots.show(fig, "Four drawings of a recurrent network over four steps: one input and four outputs; four inputs and one "
    "output; an output for each input; two inputs read first and two outputs written after.")

# %% [markdown]
# ## Exercise 5: back through time (`bptt`)
#
# 30 minutes, ★★★, 7 points
#
# How does the network learn? By the chain rule, backwards through the unrolled network. Do it once by hand, for a
# network of one number: $h_t = \tanh(a_t)$ with $a_t = w x_t + u h_{t-1} + b$ and $h_0 = 0$, and the loss
# $L = \tfrac12 \sum_{t=1}^{T} (h_t - y_t)^2$. Let $\delta_t = \partial L / \partial a_t$. The state $h_t$ acts on the
# loss in two ways, at once through $(h_t - y_t)^2$ and later through $a_{t+1}$:
#
# $$ \delta_t = (1 - h_t^2)\,\big[(h_t - y_t) + u\,\delta_{t+1}\big], \quad \delta_{T+1} = 0, \qquad
# \frac{\partial L}{\partial w} = \sum_t \delta_t x_t, \quad \frac{\partial L}{\partial u} = \sum_t \delta_t h_{t-1},
# \quad \frac{\partial L}{\partial b} = \sum_t \delta_t $$
#
# The weights are shared, so their gradients are sums over time. And at each step back $\delta$ is multiplied by
# $u (1 - h_t^2)$: exercise 6 is about what that does.
#
# Write `scalar_bptt(x, y, w, u, b)`: it returns $(L, \partial L/\partial w, \partial L/\partial u, \partial L/\partial
# b)$, four numbers. Write it by these sums and not with autograd: that is the exercise, although the check sees numbers
# only. `x` and `y` are equally long; with no step at all, everything is 0.
#
# By hand: one step, $x_1 = 1$, $y_1 = 1$, all weights 0. Then $h_1 = 0$, $L = 0.5$, $\delta_1 = -1$, and the gradients
# are $-1$ for $w$, $0$ for $u$ (since $h_0 = 0$), $-1$ for $b$.
#
# <details><summary>Hint 1</summary>First a loop forwards that keeps all states, h_0 among them; then a loop
# backwards.</details>
# <details><summary>Hint 2</summary>In the backward loop keep one number, delta of the step after; it begins at
# 0.</details>
# <details><summary>Hint 3</summary><code>delta = (1 - h[t] ** 2) * ((h[t] - y[t - 1]) + u * delta)</code>, if
# <code>h[0]</code> is the first state and steps are counted from 1.</details>

# %% exercise="bptt"
def scalar_bptt(
    x: Sequence[float], y: Sequence[float], w: float, u: float, b: float
) -> tuple[float, float, float, float]:
    """Return the loss and its derivatives by w, u and b, for T inputs x and T targets y; h_0 is 0."""
    ### BEGIN SOLUTION
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y, strict=True)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db
    ### END SOLUTION

# %% check="bptt" points=7
# The check of `bptt`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("bptt", points=7)
def score(check):
    import numpy as np
    import torch

    future = "the later steps are missing in delta: add u times the delta of the step after"
    slope = "the derivative of tanh, 1 - h^2, is missing"
    current = "dL/du takes the state before, h_(t-1), not h_t"
    half = "the loss is half the sum of squares"
    mean = "the loss is a sum over the steps, not a mean"
    last = "the loss has a term for each step, not only for the last"
    only_last = "the gradients are sums over all steps: here one step only counts"
    twice = "the gradients are twice too large: the half in front of the loss cancels the 2"
    sign = "the difference in delta is h - y, not y - h"

    first = check(scalar_bptt, [1.0], [1.0], 0.0, 0.0, 0.0).equals((0.5, -1.0, 0.0, -1.0), about="one step, by hand",
        near={half: (1.0, -1.0, 0.0, -1.0), twice: (0.5, -2.0, 0.0, -2.0), sign: (0.5, 1.0, 0.0, 1.0)})
    check(scalar_bptt, [1.0, -0.5, 2.0], [0.5, 0.0, -0.5], 0.8, -0.6, 0.1).equals(
        (1.29622, 0.613442, -0.352782, -0.0979184), rtol=1e-4, about="three steps",
            near={future: (1.2962, 0.4759, -0.32911, -0.1859), slope: (1.2962, 4.8088, -1.9925, 1.0835),
            current: (1.2962, 0.61344, 0.50736, -0.097918), half: (2.5924, 0.61344, -0.35278, -0.097918),
            last: (1.0788, 0.20615, -0.079724, 0.0666), only_last: (1.2962, 0.17998, -0.056056, 0.089988),
            twice: (1.2962, 1.2269, -0.70556, -0.19584), sign: (1.2962, -0.61344, 0.35278, 0.097918),
            mean: (0.43207, 0.20448, -0.11759, -0.032639)})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def back(x, y, w, u, b, *, future=1.0, slope=lambda h: 1 - h * h, prev=1, scale=1.0, weight=1.0, sign=1,
        steps="all",
             losses="all", inner=None, u_out=False, h0=0.0, wrap=False, deep=True, order=-1,
        bias=1, early=False, late=False):
        h = [h0]
        for v in x:
            h.append(np.tanh(w * v + u * h[-1] + bias * b))
        T = len(x)
        errors = [h[t + 1] - y[t] if losses == "all" or t == T - 1 else 0.0 for t in range(T)]
        loss = scale * sum(e * e for e in errors) / 2
        delta, direct, g = 0.0, 0.0, np.zeros(3)
        used = {"all": range(T), "last": [T - 1], "first": [0], "but the first": range(1, T)}[steps]
        h[0] = h[-1] if wrap else h0
        for t in range(T)[::order]:
            later = future * (u if inner is None else inner) * (delta if deep else direct)
            s = slope(h[t] if early else h[t + 1])
            direct = s * weight * sign * errors[t]
            delta = direct + (later if u_out else s * later)
            if t in used:
                g += delta * np.array([(x[t - 1] if t else 0.0) if late else x[t], h[t] if prev else h[t + 1], 1.0])
        return (loss, *g)

    variants = {
        future: {"future": 0}, slope: {"slope": lambda h: 1.0}, current: {"prev": 0}, half: {"scale": 2.0},
        "neither the loss nor the gradients have the half": {"scale": 2.0, "weight": 2.0},
        last: {"losses": "last"}, only_last: {"steps": "last"}, twice: {"weight": 2.0}, sign: {"sign": -1},
        "only the first step's part of the gradients is there: sum over all steps": {"steps": "first"},
        "the derivative of tanh is 1 - h^2: here the square is missing": {"slope": lambda h: 1 - h},
        "this is the derivative of a sigmoid: that of tanh is 1 - h^2": {"slope": lambda h: h * (1 - h)},
        "the derivative was taken at tanh(h): h is already the tanh": {"slope": lambda h: 1 - np.tanh(h) ** 2},
        "u is missing on the way back: each step back multiplies by u": {"inner": 1.0},
        "the bias b is missing in the forward pass": {"bias": 0},
        "the derivative of tanh was taken at the state before: step t takes 1 - h_t^2": {"early": True},
        "dL/dw takes the input of the same step, x_t: here it took the one before": {"late": True},
        "delta was carried from the first step to the last: it begins at the last": {"order": 1},
        "the part of the first step is missing: the loop back ends too early": {"steps": "but the first"},
        "h_0 is 0, not 1": {"h0": 1.0}, "h_0 is 0: at the first step the last state was taken for it": {"wrap": True},
        "delta holds all later steps: here only the step after was looked at": {"deep": False},
        "1 - h^2 belongs to the part from the later steps, too": {"u_out": True},
    }
    known = {s: lambda *a, v=v: back(*a, **v) for s, v in variants.items()}
    known["w is not on the way back: each step back multiplies by u"] = lambda x, y, w, u, b: back(x, y, w, u, b,
        inner=w)
    known[mean] = lambda x, y, *a: tuple(np.array(back(x, y, *a)) / max(len(x), 1))
    known["the gradients are right, the loss is a mean: it is a sum over the steps"] = lambda x, y, *a: (
        back(x, y, *a)[0] / max(len(x), 1), *back(x, y, *a)[1:])
    known["the gradients come in the order w, u, b"] = lambda *a: tuple(np.array(back(*a))[[0, 2, 1, 3]])
    known["the loss comes first, then the gradients"] = lambda *a: back(*a)[1:]
    known["the gradients are there, the loss is missing: it comes first"] = lambda *a: (*back(*a)[1:], back(*a)[0])
    check.mistakes(known)
    for T in (1, 2, 4, 7, 12):
        x, y = (check.rng.normal(size=T).round(3) for _ in range(2))
        weights = [float(v) for v in check.rng.uniform(-1.2, 1.2, size=3)]
        leaves = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in weights]
        h, loss = torch.tensor(0.0, dtype=torch.float64), torch.tensor(0.0, dtype=torch.float64)
        for a, target in zip(x, y, strict=True):
            h = torch.tanh(leaves[0] * a + leaves[1] * h + leaves[2])
            loss = loss + 0.5 * (h - target) ** 2
        loss.backward()
        expected = (float(loss.detach()), *(float(v.grad) if v.grad is not None else 0.0 for v in leaves))
        check(scalar_bptt, [float(v) for v in x], [float(v) for v in y], *weights).equals(
            expected, about="random steps, as autograd", edge=T == 1, rtol=1e-4, atol=1e-7)
    check(scalar_bptt, [], [], 0.5, 0.5, 0.5).equals((0.0, 0.0, 0.0, 0.0), about="no step", edge=True, 
        near={} if first.error else {"without any step all is 0: there is no first x to take": Exception})
    ### END HIDDEN TESTS


score

# %% [markdown]
# From here on autograd does this for us. Before that, it confirms what you wrote.

# %% show
generator = np.random.default_rng(SEED)
x, y = generator.normal(size=20), generator.normal(size=20)
leaves = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (0.7, -0.9, 0.1)]
h, loss = torch.zeros((), dtype=torch.float64), torch.zeros((), dtype=torch.float64)
for a, target in zip(x, y, strict=True):
    h = torch.tanh(leaves[0] * a + leaves[1] * h + leaves[2])
    loss = loss + 0.5 * (h - target) ** 2
loss.backward()
by_hand = scalar_bptt(x.tolist(), y.tolist(), 0.7, -0.9, 0.1)
for name, mine, torchs in zip(("dL/dw", "dL/du", "dL/db"), by_hand[1:], leaves, strict=True):
    print(f"{name}: by hand {mine:+.10f}, autograd {torchs.grad.item():+.10f}")

# %% [markdown]
# ## Exercise 6: gradients that vanish, gradients that explode (`exploding`)
#
# 20 minutes, ★★, 6 points
#
# With a state of $H$ numbers each step back multiplies by a matrix, the Jacobian
# $J_t = \partial h_t / \partial h_{t-1}$. With row vectors and $h_t = \tanh(\dots + h_{t-1} W_h + b)$,
#
# $$ \frac{\partial h_{t,j}}{\partial h_{t-1,i}} = W_{h,ij}\,(1 - h_{t,j}^2), \qquad J_t = W_h\,\mathrm{diag}(1 -
# h_t^2), \qquad \frac{\partial h_T}{\partial h_{T-k}} = J_{T-k+1} \cdots J_{T-1} J_T $$
#
# A product of many matrices shrinks to nothing or grows without bound, unless their sizes are just 1. Shrinking, the
# network cannot learn what lies far back; growing, one step of the optimiser throws all weights away. Against the
# second there is a remedy: scale the gradient down when its norm is too large (Pascanu and others, 2013):
#
# $$ g \leftarrow g \cdot \min\!\Big(1, \frac{c}{\lVert g \rVert}\Big), \qquad \lVert g \rVert = \text{the root of the
# sum of the squares of } \textbf{all} \text{ numbers in all gradients} $$
#
# Write
#
# 1. `jacobian_norms(states, W_h)` with NumPy: `states` are $h_1 \dots h_T$, $(T, H)$, of one sequence. Entry $k$ of the
#    result, $k = 0 \dots T-1$, is the spectral norm (the largest singular value) of $\partial h_T / \partial h_{T-k}$.
#    For $k = 0$ that is the identity, with norm 1.
# 2. `clip_by_norm(gradients, limit)` with torch: a list of tensors of any shapes comes in; a list of *new* tensors of
#    the same shapes comes out, and the norm before clipping as a float. One factor serves all of them. Where the norm
#    is at most the limit, nothing is scaled.
#
# By hand: the gradients $(3)$ and $(0, 4)$ have the norm $5$; with limit 1 they become $(0.6)$ and $(0, 0.8)$.
#
# <details><summary>Hint 1</summary>Begin with the identity and multiply one Jacobian at a time, from the left, going
# back in time.</details>
# <details><summary>Hint 2</summary><code>W_h * (1 - h ** 2)</code> scales the columns of W_h: that is
# <code>W_h @ np.diag(1 - h ** 2)</code>.</details>
# <details><summary>Hint 3</summary><code>np.linalg.norm(product, 2)</code>; and for the norm of all gradients
# <code>math.sqrt(sum(float((g ** 2).sum()) for g in gradients))</code>.</details>

# %% exercise="exploding"
def jacobian_norms(states: np.ndarray, W_h: np.ndarray) -> np.ndarray:
    """Return the spectral norms of dh_T / dh_(T-k) for k = 0 ... T - 1, (T,).

    states: (T, H), h_1 to h_T of a tanh network. W_h: (H, H).
    """
    ### BEGIN SOLUTION
    product, norms = np.eye(len(W_h)), []
    for h in states[::-1]:
        norms.append(np.linalg.norm(product, 2))
        product = (W_h * (1 - h**2)) @ product
    return np.array(norms)
    ### END SOLUTION


def clip_by_norm(gradients: list[torch.Tensor], limit: float) -> tuple[list[torch.Tensor], float]:
    """Return the gradients scaled so that their common norm is at most `limit`, and the norm before."""
    ### BEGIN SOLUTION
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    factor = min(1.0, limit / norm) if norm else 1.0
    return [g * factor for g in gradients], norm
    ### END SOLUTION

# %% check="exploding" points=6
# The check of `exploding`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("exploding", points=6)
def score(check):
    import numpy as np
    import torch

    no_slope = "the factor 1 - h^2 of the tanh is missing"
    rows = "1 - h_t^2 scales the columns of W_h: here it scaled the rows"
    frobenius = "this is the Frobenius norm: the largest singular value is asked"
    forwards = "the product begins at the last step and goes back: here it began at the first"
    powers = "the norms of the single Jacobians were multiplied: multiply the matrices, then take the norm"
    one_by_one = "each gradient was clipped by its own norm: one norm, and one factor, for all"
    always = "the norm is below the limit: nothing is scaled"
    values = "the numbers were cut off at the limit: scale all by one factor"
    squared = "the root is missing: this is the squared norm"
    sums = "the norms of the tensors were added: take the root of the sum of their squares"
    largest = "the largest norm of a tensor was taken: take the root of the sum of all squares"
    inverted = "the factor is turned round: the limit is divided by the norm"

    states = np.array([[0.5, -0.2], [0.1, 0.9], [-0.6, 0.3]])
    W = np.array([[0.9, -0.4], [1.2, 0.7]])
    check(jacobian_norms, states, W).equals([1.0, 1.03387, 1.0335], rtol=1e-3, near={no_slope: [1.0, 1.5437, 1.9509],
        rows: [1.0, 1.3258, 0.48769], frobenius: [1.4142, 1.2082, 1.0417], forwards: [1.0, 1.1885, 1.1844],
        powers: [1.0, 1.0339, 1.5366],
        "entry 0 is the identity with norm 1: here it already holds a Jacobian": [1.03387, 1.0335, 1.09899]})
    three = [torch.tensor([3.0]), torch.tensor([[0.0, 4.0]])]
    check(clip_by_norm, three, 1.0).equals(([[0.6], [[0.0, 0.8]]], 5.0),
        near={one_by_one: ([[1.0], [[0.0, 1.0]]], 5.0), values: ([[1.0], [[0.0, 1.0]]], 5.0),
        squared: ([[0.12], [[0.0, 0.16]]], 25.0), sums: ([[0.428571], [[0.0, 0.571429]]], 7.0),
        largest: ([[0.75], [[0.0, 1.0]]], 4.0), inverted: ([[15.0], [[0.0, 20.0]]], 5.0)})
    check(clip_by_norm, three, 10.0).equals(([[3.0], [[0.0, 4.0]]], 5.0), about="below the limit",
        near={always: ([[6.0], [[0.0, 8.0]]], 5.0), squared: ([[1.2], [[0.0, 1.6]]], 25.0),
        sums: ([[3.0], [[0.0, 4.0]]], 7.0), largest: ([[3.0], [[0.0, 4.0]]], 4.0)})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def norms(states, W, *, jac=lambda W, h: W * (1 - h**2), size=lambda A: np.linalg.norm(A, 2), order=-1,
        left=True, extra=0):
        product, found = np.eye(len(W)), []
        for h in states[::order]:
            found.append(size(product))
            product = jac(W, h) @ product if left else product @ jac(W, h)
        return np.array([*found, *[size(product)] * extra])

    def singles(states, W):
        each = [np.linalg.norm(W * (1 - h**2), 2) for h in states[::-1]]
        return np.concatenate([[1], np.cumprod(each)[:-1]])

    check.mistakes({
        no_slope: lambda s, W: norms(s, W, jac=lambda W, h: W), rows: lambda s,
            W: norms(s, W, jac=lambda W, h: (1 - h**2)[:, None] * W),
        "W_h was transposed: with row vectors J_t = W_h diag(1 - h^2)": lambda s, W: norms(s, W.T),
        frobenius: lambda s, W: norms(s, W, size=np.linalg.norm), forwards: lambda s, W: norms(s, W, order=1),
            powers: singles,
        "the new Jacobian goes to the left of the product: here it went to the right": lambda s,
            W: norms(s, W, left=False),
        "the derivative of tanh is 1 - h^2: here the square is missing": lambda s,
            W: norms(s, W, jac=lambda W, h: W * (1 - h)),
        "the slope was taken at tanh(h): h is already the tanh": lambda s,
            W: norms(s, W, jac=lambda W, h: W * (1 - np.tanh(h) ** 2)),
        "this is the largest absolute eigenvalue: the largest singular value is asked": lambda s, W: norms(
            s, W, size=lambda A: np.abs(np.linalg.eigvals(A)).max()),
        "the smallest singular value was taken: the largest is asked": lambda s, W: norms(
            s, W, size=lambda A: np.linalg.svd(A, compute_uv=False)[-1]),
        "this is the largest sum of a row: the largest singular value is asked": lambda s,
            W: norms(s, W, size=lambda A: np.linalg.norm(A, np.inf)),
        "this is the largest sum of a column: the largest singular value is asked": lambda s,
            W: norms(s, W, size=lambda A: np.linalg.norm(A, 1)),
        "entry 0 is the identity with norm 1: here it already holds a Jacobian": lambda s,
            W: norms(np.vstack([s[:1], s]), W)[1:],
        "the first Jacobian is that of h_T: here the product began with that of h_(T-1)": lambda s, W: norms(s[:-1], W,
            extra=1),
        "the result has an entry for k = 0 to T - 1: here is one for k = T, too": lambda s, W: norms(
            s, W, extra=1),
        "the result begins at the last state, and goes back: here it began at h_1": lambda s, W: norms(
            s, W, order=1, left=False),
        "the distance grows with the index: the result is turned round": lambda s, W: norms(s, W)[::-1],
        "entry k is the norm of a product of k Jacobians: the norm of one Jacobian was put there": lambda s,
            W: np.array(
            [1] + [np.linalg.norm(W * (1 - h**2), 2) for h in s[:0:-1]]),
    })
    for T, H in ((4, 3), (6, 2), (9, 4)):
        W, b, x = (torch.tensor(check.rng.normal(size=s) * 0.9) for s in ((H, H), (H,), (T, H)))
        h, kept = torch.zeros(H, dtype=torch.float64), []
        for t in range(T):
            h = torch.tanh(x[t] + h @ W + b)
            kept.append(h)

        def onward(start, t):
            for later in range(t + 1, T):
                start = torch.tanh(x[later] + start @ W + b)
            return start

        expected = [float(torch.linalg.matrix_norm(torch.autograd.functional.jacobian(
            lambda s, t=t: onward(s, t), kept[t]), 2)) for t in range(T - 1, -1, -1)]
        check(jacobian_norms, torch.stack(kept).numpy(), W.numpy()).equals(
            expected, about="random states, as autograd", rtol=1e-4, atol=1e-9)
    check(jacobian_norms, np.array([[0.3, 0.1]]), np.eye(2)).equals([1.0], about="one step", edge=True)

    def total(gradients):
        return float(torch.sqrt(sum((g.double() ** 2).sum() for g in gradients)))

    def clipped(gradients, limit, factor=None, norm=None):
        n = total(gradients)
        factor = min(1, limit / n) if factor is None else factor
        return [g * factor for g in gradients], n if norm is None else norm

    check.mistakes({
        one_by_one: lambda g, c: ([v * min(1, c / max(float(v.norm()), 1e-30)) for v in g], total(g)),
        always: lambda g, c: clipped(g, c, c / total(g)), values: lambda g,
            c: ([v.clamp(-c, c) for v in g], total(g)),
        squared: lambda g, c: clipped(g, c, min(1, c / total(g) ** 2), total(g) ** 2),
        sums: lambda g, c: clipped(g, c, min(1, c / sum(float(v.norm()) for v in g)),
            sum(float(v.norm()) for v in g)),
        "the norm that comes back is the one before clipping": lambda g, c: clipped(g, c, norm=min(total(g), c)),
        "the gradients were divided by their norm and not multiplied by the limit": lambda g, c: clipped(
            g, c, 1 / total(g) if total(g) > c else 1.0),
        inverted: lambda g, c: clipped(g, c, max(1, total(g) / c)),
        largest: lambda g, c: clipped(g, c, min(1, c / max(float(v.norm()) for v in g)),
            max(float(v.norm()) for v in g)),
        "the squares of each tensor were averaged: take the root of the sum of all squares": lambda g, c: clipped(
            g, c, min(1, c / sum(float((v**2).mean()) for v in g) ** 0.5), sum(float((v**2).mean()) for v in g) ** 0.5),
        "all squares were averaged: take the root of their sum": lambda g, c: clipped(
            g, c, min(1, c / float(torch.cat([v.flatten() for v in g]).square().mean().sqrt())),
            float(torch.cat([v.flatten() for v in g]).square().mean().sqrt())),
        "the larger of 1 and limit / norm was taken: take the smaller": lambda g, c: clipped(
            g, c, max(1, c / total(g))),
        "the tensors keep their shapes: here they came back as single rows": lambda g, c: (
            [v.flatten() for v in clipped(g, c)[0]], total(g)),
        "the largest absolute number was taken for the norm": lambda g, c: clipped(
            g, c, min(1, c / max(float(v.abs().max()) for v in g)), max(float(v.abs().max()) for v in g)),
        "the absolute numbers were added: the norm is the root of the sum of squares": lambda g, c: clipped(
            g, c, min(1, c / sum(float(v.abs().sum()) for v in g)), sum(float(v.abs().sum()) for v in g)),
        "nothing was scaled, though the norm is above the limit": lambda g, c: clipped(g, c, 1.0),
        "the norm is asked, too: return the list and the norm": lambda g, c: clipped(g, c)[0],
        "the norm comes after the list": lambda g, c: clipped(g, c)[::-1],
    })
    for limit in (0.3, 1.7, 4.0, 60.0, 0.5):
        gradients = [torch.tensor(check.rng.normal(size=s) * 2, dtype=torch.float32) for s in ((3, 2), (4,),
            (2, 2, 2))]
        parameters = [torch.nn.Parameter(torch.zeros_like(g)) for g in gradients]
        for p, g in zip(parameters, gradients, strict=True):
            p.grad = g.clone()
        norm = float(torch.nn.utils.clip_grad_norm_(parameters, limit))
        about = "random gradients, as torch" if limit < 50 else "random gradients below the limit"
        check(clip_by_norm, gradients, limit).equals(([p.grad for p in parameters], norm), about=about, rtol=1e-4)
    check.mistakes({})  # most of them divide by the norm
    zeros = [torch.zeros(2), torch.zeros(1)]
    check(clip_by_norm, zeros, 1.0).equals((zeros, 0.0), about="a gradient of zeros", edge=True, near={
        "the norm is 0: do not divide by it": ZeroDivisionError})
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## How far back does the gradient reach?
#
# Left, your `jacobian_norms` on random networks of 32 numbers, whose $W_h$ is drawn so that its eigenvalues fill a
# circle of radius $\rho$. Middle, what autograd says for a plain RNN, a GRU and an LSTM: the norm of the gradient of
# the last state by the *input*, against the distance (for the gates see exercise 7; the gates that keep the past
# begin open, with a bias of 5 in the LSTM and of 4 in the GRU). Right, clipping: a plain RNN of radius 2.5
# trained to repeat what it saw, once with clipping at 1 and once without.

# %% given
def scaled_rnn(width: int, radius: float, seed: int, inputs: int = 4) -> nn.RNN:
    """Return a plain RNN whose recurrent matrix has a spectral radius of about `radius`."""
    seed_everything(seed)
    rnn = nn.RNN(inputs, width, batch_first=True)
    with torch.no_grad():
        rnn.weight_hh_l0.normal_(0, radius / math.sqrt(width))
    return rnn


def remembering(kind: type, inputs: int, width: int) -> nn.Module:
    """Return an RNN, GRU or LSTM; the gates that keep the past begin open."""
    module = kind(inputs, width, batch_first=True)
    with torch.no_grad():
        if kind is nn.LSTM:
            module.bias_ih_l0[width : 2 * width] = 5.0  # the forget gate
            module.bias_ih_l0[:width] = -2.0  # the input gate: write little until it is learned what
        if kind is nn.GRU:
            module.bias_ih_l0[width : 2 * width] = 4.0  # the update gate: near 1 it keeps the old state
    return module


def reach(module: nn.Module, length: int, seed: int) -> np.ndarray:
    """Return the norm of d(sum of the last state) / dx at each distance from the end, (length,), mean over a batch."""
    x = torch.randn(16, length, module.input_size, generator=torch.Generator().manual_seed(seed), requires_grad=True)
    module(x)[0][:, -1].sum().backward()
    return x.grad.norm(dim=-1).mean(0).flip(0).numpy()

# %% show
LENGTH = 80
distance = np.arange(LENGTH)
fig, axes = plots.figure(columns=3, width=12, height=3.8)
radii = {0.5: ":", 0.9: "--", 3.0: "-"}
for (radius, style), color in zip(radii.items(), plots.COLORS, strict=False):
    rnn = scaled_rnn(32, radius, SEED)
    with torch.no_grad():
        states = rnn(0.1 * torch.randn(1, LENGTH, 4))[0][0].numpy()
    axes[0].plot(distance, jacobian_norms(states, rnn.weight_hh_l0.detach().numpy().T), style, color=color,
                 label=f"radius {radius}")
axes[0].set(yscale="log", xlabel="distance k", ylabel="norm of the product", title="a product of Jacobians",
    ylim=(1e-12, 1e12))
reaches = {kind.__name__: reach(remembering(kind, 4, 32), LENGTH, SEED) for kind in (nn.RNN, nn.GRU, nn.LSTM)}
for (name, values), style in zip(reaches.items(), (":", "--", "-"), strict=True):
    axes[1].plot(distance, np.maximum(values, 1e-12), style, label=name)
axes[1].set(yscale="log", xlabel="distance k", ylabel="norm of the gradient", title="gates", ylim=(1e-12, 1e2))

def echo_task(rnn: nn.RNN, readout: nn.Linear, batch) -> torch.Tensor:
    """The loss of repeating the input of ten steps before."""
    return F.mse_loss(readout(rnn(batch)[0])[:, 10:], batch[:, :-10])

def explosive_run(limit: float | None) -> tuple[list[float], list[float]]:
    """Train at a fixed rate; returns the norms before clipping and the losses."""
    rnn, readout, norms, losses = scaled_rnn(32, 2.5, SEED), nn.Linear(32, 4), [], []
    parameters = [*rnn.parameters(), *readout.parameters()]
    for step in range(budget(grade=20, cpu=120)):
        x = torch.randn(16, 40, 4, generator=torch.Generator().manual_seed(step))
        loss = echo_task(rnn, readout, x)
        gradients = torch.autograd.grad(loss, parameters)
        clipped, norm = clip_by_norm(list(gradients), limit or math.inf)
        with torch.no_grad():
            for p, g in zip(parameters, clipped, strict=True):
                p -= 0.3 * g
        norms.append(norm)
        losses.append(loss.item())
    return norms, losses

explosions = {"without clipping": explosive_run(None), "clipped at 1": explosive_run(1.0)}
for (name, (_, losses)), style in zip(explosions.items(), (":", "-"), strict=True):
    axes[2].plot(losses, style, label=name)
axes[2].set(yscale="log", xlabel="step", ylabel="loss", title="clipping")
for ax in axes:
    ax.legend(fontsize=9)
told = explosions.items()
plots.show(fig, "Left: the norm of a product of Jacobians falls to nothing with the distance for radius 0.5 and 0.9, "
    "and grows for 3. Middle: the gradient of a plain RNN is gone after some twenty steps; those of GRU and LSTM "
    f"reach eighty. Right: the largest loss of a training, {', '.join(f'{n}: {max(v[1]):.3g}' for n, v in told)}.")
for name, values in reaches.items():
    print(f"{name}: the gradient at distance 50 is {values[50] / values[0]:.1e} of that at distance 0")
for name, (norms, losses) in explosions.items():
    print(f"{name}: largest norm {max(norms):.3g}, last loss {losses[-1]:.3f}")

# %% [markdown]
# ## Exercise 7: gates (`gates`)
#
# 30 minutes, ★★, 8 points
#
# The state of a plain RNN is rewritten at every step. A **gate** decides, number by number, what is kept and what is
# written: a sigmoid $\sigma$ between 0 (shut) and 1 (open), made from $x_t$ and $h_{t-1}$. The **LSTM** (Hochreiter and
# Schmidhuber, 1997; with a forget gate, Gers and others, 2000) has a second state, the *cell* $c$, that is changed by
# adding only:
#
# $$ [i, f, g, o] = x W_x + h W_h + b \ \text{ in four parts of } H, \qquad
# c' = \sigma(f) \odot c + \sigma(i) \odot \tanh(g), \qquad h' = \sigma(o) \odot \tanh(c') $$
#
# Forget ($f$), add ($i$) the content ($g$), show ($o$). The gradient runs along $c$ through a product with
# $\sigma(f)$ only: with an open gate it does not vanish. The **GRU** (Cho and others, 2014) has one state and two
# gates, reset $r$ and update $z$, and needs its two linear maps apart:
#
# $$ [a_r, a_z, a_n] = x W_x + b_x, \quad [d_r, d_z, d_n] = h W_h + b_h, \quad
# r = \sigma(a_r + d_r), \quad z = \sigma(a_z + d_z), $$
# $$ n = \tanh(a_n + r \odot d_n), \qquad h' = (1 - z) \odot n + z \odot h $$
#
# Write `lstm_cell` and `gru_cell` for one step of a batch, with torch. The parts come in the order $i, f, g, o$ and
# $r, z, n$, as in torch. (Note where $r$ acts: on $h W_h + b_h$, after the matrix.)
#
# By hand: an LSTM of one number, all sums 0 and $c = 2$: every gate is 0.5, the content $\tanh 0 = 0$, so $c' = 1$
# and $h' = 0.5 \tanh 1 = 0.38$.
#
# <details><summary>Hint 1</summary><code>i, f, g, o = sums.chunk(4, dim=-1)</code></details>
# <details><summary>Hint 2</summary>Sigmoids on i, f and o; a tanh on g. The new cell, not the old one, goes into
# h'.</details>
# <details><summary>Hint 3</summary>In the GRU z keeps the <em>old</em> state: with z = 1 nothing changes.</details>

# %% exercise="gates"
def lstm_cell(
    x: torch.Tensor, h: torch.Tensor, c: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the next (h, c), each (B, H). x: (B, C), h and c: (B, H), W_x: (C, 4H), W_h: (H, 4H), b: (4H,)."""
    ### BEGIN SOLUTION
    i, f, g, o = (x @ W_x + h @ W_h + b).chunk(4, dim=-1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c
    ### END SOLUTION


def gru_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b_x: torch.Tensor, b_h: torch.Tensor
) -> torch.Tensor:
    """Return the next h, (B, H). x: (B, C), h: (B, H), W_x: (C, 3H), W_h: (H, 3H), b_x and b_h: (3H,)."""
    ### BEGIN SOLUTION
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, dim=-1)
    d_r, d_z, d_n = (h @ W_h + b_h).chunk(3, dim=-1)
    r, z = torch.sigmoid(a_r + d_r), torch.sigmoid(a_z + d_z)
    return (1 - z) * torch.tanh(a_n + r * d_n) + z * h
    ### END SOLUTION

# %% check="gates" points=8
# The check of `gates`: run this cell (Shift+Enter) after the one above.
from helpers.checks import difference, graded


@graded("gates", points=8)
def score(check):
    import torch
    from torch import nn

    order = "the parts come in the order i, f, g, o: here f came first"
    go = "the parts come in the order i, f, g, o: here g and o are exchanged"
    no_forget = "the forget gate is missing: the old cell is multiplied by it"
    no_add = "the input gate is missing: the content is multiplied by it"
    sigmoid_g = "the content g goes through a tanh, not through a sigmoid"
    old_c = "h' is made from the new cell, not from the old one"
    no_tanh_c = "the tanh of the cell is missing in h'"
    exchanged = "h comes first, then c"
    turned = "z keeps the old state and 1 - z takes the new one: here it is the other way round"
    reset_before = "r acts on h W_h + b_h, after the matrix: here it acted on h, before it"
    reset_bias = "r acts on the bias b_h, too"
    no_reset = "the reset gate is missing"
    zr = "the parts come in the order r, z, n: here r and z are exchanged"
    cut = "the gradient is cut: no detach, no item, no NumPy between the old state and the new"

    dealt = "the numbers were dealt out in turns: each part is one block of H"
    x, h = torch.tensor([[1.0, -0.5, 2], [0.3, 1, -1]]), torch.tensor([[0.5, -0.2], [-0.8, 0.4]])
    c = torch.tensor([[-1.0, 2], [0.6, -1.5]])
    W_x, W_h = torch.sin(torch.arange(24.0)).reshape(3, 8), torch.cos(torch.arange(16.0)).reshape(2, 8)
    new = [[-0.17605, 1.20155], [0.05516, -0.70401]]
    check(lstm_cell, x, h, c, W_x, W_h, torch.arange(8.0) / 4 - 1).equals(
        ([[-0.09409, 0.40003], [0.03685, -0.49947]], new), rtol=1e-3, atol=1e-5, about="LSTM",
        near={order: ([[0.01497, 0.28268], [-0.07813, -0.586]], [[0.02773, 0.67678], [-0.11738, -0.89134]]),
        go: ([[-0.18366, 0.5334], [0.145, -0.02951]], [[-0.26912, 1.08332], [0.51385, -0.07019]]),
        no_forget: ([[-0.38116, 0.46553], [0.23001, -0.76554]], [[-0.8789, 2.10436], [0.3586, -1.66]]),
        no_add: ([[0.20035, 0.44925], [-0.24043, -0.56951]], [[0.38961, 1.71077], [-0.37639, -0.85182]]),
        sigmoid_g: ([[-0.09298, 0.40146], [0.25779, -0.25851]], [[-0.17392, 1.21139], [0.40654, -0.32511]]),
        old_c: ([[-0.41126, 0.46233], [0.35911, -0.74491]], new), no_tanh_c: ([[-0.09506, 0.57624],
        [0.03688, -0.57938]], new), exchanged: (new, [[-0.09409, 0.40003], [0.03685, -0.49947]]),
        dealt: ([[-0.15626, 0.42993], [0.10686, -0.34449]], [[-0.29295, 1.45394], [0.30365, -0.44598]])})
    W_x, W_h = torch.sin(torch.arange(18.0)).reshape(3, 6), torch.cos(torch.arange(12.0)).reshape(2, 6)
    b_x, b_h = torch.arange(6.0) / 4 - 1, torch.tensor([0.5, -0.3, 0.2, 0.7, -0.6, 0.9])
    check(gru_cell, x, h, W_x, W_h, b_x, b_h).equals([[0.32726, -0.34266], [-0.692, 0.31531]], rtol=1e-3, about="GRU",
        near={turned: [[-0.67457, -0.76301], [-0.66184, 0.23254]],
        reset_before: [[0.31699, -0.32794], [-0.78621, 0.47837]], no_reset: [[0.31425, -0.32072], [-0.76239, 0.44569]],
        reset_bias: [[0.31597, -0.32465], [-0.78665, 0.4787]], zr: [[-0.5858, -0.46208], [-0.67722, 0.37045]],
        dealt: [[0.68065, -0.76969], [-0.31127, 0.36851]]})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    sig, tanh = torch.sigmoid, torch.tanh

    def lstm(x, h, c, W_x, W_h, b, *, names="ifgo", content=tanh, shown=tanh, forget=1, add=1, old=False, bias=1,
        past=1,
             gate=sig, show=1):
        p = dict(zip(names, (x @ W_x + past * (h @ W_h) + bias * b).chunk(4, -1), strict=True))
        new = (gate(p["f"]) if forget else 1) * c + (gate(p["i"]) if add else 1) * content(p["g"])
        return (gate(p["o"]) if show else 1) * shown(c if old else new), new

    variants = {
        order: {"names": "figo"}, go: {"names": "ifog"}, no_forget: {"forget": 0}, no_add: {"add": 0},
        "the parts come in the order i, f, g, o: here o came second": {"names": "iofg"},
        "the parts come in the order i, f, g, o: here f, i, o, g was taken": {"names": "fiog"},
        sigmoid_g: {"content": sig}, old_c: {"old": True}, no_tanh_c: {"shown": lambda v: v},
            "the bias is missing": {"bias": 0},
        "the state h is missing: add h W_h": {"past": 0},
            "the output gate is missing: it multiplies the tanh of the cell": {"show": 0},
        "the gates have no sigmoid": {"gate": lambda v: v}, "the gates are sigmoids, not tanh": {"gate": tanh},
        "the content g has no tanh": {"content": lambda v: v},
            "the cell goes through a tanh in h', not a sigmoid": {"shown": sig},
    }
    check.mistakes({s: lambda *a, v=v: lstm(*a, **v) for s, v in variants.items()} | {
        exchanged: lambda *a: lstm(*a)[::-1],
        "both are asked: h and c": lambda *a: lstm(*a)[0],
        "the old cell came back: return the new one": lambda *a: (lstm(*a)[0], a[2]),
        "1 - f was taken for the input gate: it has a part of its own": lambda x, h, c, W, U, b: (
            lambda i, f, g, o: (sig(o) * tanh(sig(f) * c + (1 - sig(f)) * tanh(g)),
                sig(f) * c + (1 - sig(f)) * tanh(g)))(
            *(x @ W + h @ U + b).chunk(4, -1)),
        "the forget gate and the input gate share one part: each has its own": lambda x, h, c, W, U, b: (
            lambda i, f, g, o: (sig(o) * tanh((1 - sig(i)) * c + sig(i) * tanh(g)),
                (1 - sig(i)) * c + sig(i) * tanh(g)))(
            *(x @ W + h @ U + b).chunk(4, -1)),
        "the forget gate has no sigmoid": lambda x, h, c, W, U, b: (lambda i, f, g, o: (
            sig(o) * tanh(f * c + sig(i) * tanh(g)), f * c + sig(i) * tanh(g)))(*(x @ W + h @ U + b).chunk(4, -1)),
        "the forget gate keeps the old cell c: here it kept h": lambda x, h, c, W, U, b: (
            lambda i, f, g, o: (sig(o) * tanh(sig(f) * h + sig(i) * tanh(g)), sig(f) * h + sig(i) * tanh(g)))(
            *(x @ W + h @ U + b).chunk(4, -1)),
        dealt: lambda x, h, c, W, U, b: lstm(x, h, c, *(
            torch.cat([v[..., k::4] for k in range(4)], -1) for v in (W, U, b))),
        "the cell came back after its tanh: return c' itself": lambda *a: (lstm(*a)[0], tanh(lstm(*a)[1])),
    })

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)


    def library(kind, C, H, dtype=torch.float32):
        module = kind(C, H, dtype=dtype)
        for p in module.parameters():
            p.data = draw(*p.shape).to(dtype)
        return module, [p.detach() for p in (module.weight_ih.T, module.weight_hh.T, module.bias_ih, module.bias_hh)]

    for B, C, H, dtype in ((3, 4, 5, "float32"), (2, 6, 3, "float32"), (4, 2, 4, "float32"), (2, 3, 2, "float64")):
        module, (W, U, b, d) = library(nn.LSTMCell, C, H, getattr(torch, dtype))
        x, h, c = (v.to(W.dtype) for v in (draw(B, C), draw(B, H), 2 * draw(B, H)))
        expected = tuple(v.detach() for v in module(x, (h, c)))
        check(lstm_cell, x, h, c, W, U, b + d).equals(
            expected, about="LSTM, as nn.LSTMCell" if dtype == "float32" else "LSTM in float64", rtol=1e-4, atol=1e-5)
    check(lstm_cell, 500 * x, h, c, W, U, b + d).equals(
        tuple(v.detach() for v in module(500 * x, (h, c))), about="LSTM, large numbers", edge=True, rtol=1e-4,
            atol=1e-5)
    check(lstm_cell, x, h, c.clone().requires_grad_(), W, U, b + d).holds(
        lambda v: v[0].requires_grad and v[1].requires_grad, "autograd finds its way back to c",
        near={cut: lambda v: difference(v, expected, 1e-4, 1e-5) is None})

    def gru(x, h, W_x, W_h, b_x, b_h, *, names="rzn", turn=False, reset=1, before=False, outer=False, act=tanh, bh=1,
        bx=1, keep=1, whole=None):
        p = dict(zip(names, (x @ W_x + bx * b_x).chunk(3, -1), strict=True))
        q = dict(zip(names, (h @ W_h + bh * b_h).chunk(3, -1), strict=True))
        r, z = sig(p["r"] + q["r"]), sig(p["z"] + q["z"])
        at = names.index("n") * h.shape[1]
        inner = q["n"] if not reset else r * q["n"]
        if before:
            inner = (r * h) @ W_h[:, at : at + h.shape[1]] + bh * b_h[at : at + h.shape[1]]
        if outer:
            bias = bh * b_h[at : at + h.shape[1]]
            inner = r * (q["n"] - bias) + bias
        n = act(p["n"] + inner)
        return z * n + (1 - z) * h if turn else (1 if whole == "new" else 1 - z) * n + keep * (
            1 if whole == "old" else z) * h

    variants = {
        turned: {"turn": True}, reset_before: {"before": True}, reset_bias: {"outer": True}, no_reset: {"reset": 0},
            zr: {"names": "zrn"},
        "the parts come in the order r, z, n: here n came first": {"names": "nrz"},
        "the parts come in the order r, z, n: here z, n, r was taken": {"names": "znr"},
        "the parts come in the order r, z, n: here n, z, r was taken": {"names": "nzr"},
        "the new content goes through a tanh, not a sigmoid": {"act": sig},
            "the new content has no tanh": {"act": lambda v: v},
        "the bias b_h is missing": {"bh": 0}, "the bias b_x is missing": {"bx": 0},
        "the old state is missing: add z times h": {"keep": 0},
        "the old state was added whole: z times h is added": {"whole": "old"},
        "the new content was added whole: 1 - z times n is added": {"whole": "new"},
    }
    check.mistakes({s: lambda *a, v=v: gru(*a, **v) for s, v in variants.items()} | {
        dealt: lambda x, h, *w: gru(x, h, *(torch.cat([v[..., k::3] for k in range(3)], -1) for v in w)),
        "the new state goes through no further tanh": lambda *a: tanh(gru(*a)),
        "r multiplies h W_h + b_h, inside of the tanh: here it came after": lambda x, h, W, U, b, d: (lambda p, q: (
            lambda r, z: (1 - z) * r * tanh(p[2] + q[2]) + z * h)(sig(p[0] + q[0]), sig(p[1] + q[1])))(
            (x @ W + b).chunk(3, -1), (h @ U + d).chunk(3, -1)),
        "r multiplies h W_h + b_h: here it multiplied x W_x + b_x": lambda x, h, W, U, b, d: (lambda p, q: (
            lambda r, z: (1 - z) * tanh(r * p[2] + q[2]) + z * h)(sig(p[0] + q[0]), sig(p[1] + q[1])))(
            (x @ W + b).chunk(3, -1), (h @ U + d).chunk(3, -1)),
        "r went outside: it multiplies h W_h + b_h only, not x W_x + b_x": lambda x, h, W, U, b, d: (lambda p, q: (
            lambda r, z: (1 - z) * tanh(r * (p[2] + q[2])) + z * h)(sig(p[0] + q[0]), sig(p[1] + q[1])))(
            (x @ W + b).chunk(3, -1), (h @ U + d).chunk(3, -1)),
    })
    for B, C, H, dtype in ((3, 4, 5, "float32"), (2, 6, 3, "float32"), (4, 2, 4, "float32"), (2, 3, 2, "float64")):
        module, (W, U, b, d) = library(nn.GRUCell, C, H, getattr(torch, dtype))
        x, h = (v.to(W.dtype) for v in (draw(B, C), draw(B, H)))
        check(gru_cell, x, h, W, U, b, d).equals(
            module(x, h).detach(), about="GRU, as nn.GRUCell" if dtype == "float32" else "GRU in float64", rtol=1e-4,
                atol=1e-5)
    check(gru_cell, x, h.clone().requires_grad_(), W, U, b, d).holds(
        lambda v: v.requires_grad, "autograd finds its way back to h",
        near={cut: lambda v: difference(v, module(x, h).detach(), 1e-4, 1e-5) is None})
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## The long-memory task
#
# One symbol of eight comes first. Then come other symbols, drawn at random, and at the end the network must say which
# symbol came first. A plain RNN has the state to hold it, and the gradient never tells it to. Five seeds each:
# a claim about training that holds for one seed is an anecdote.

# %% show
class Recall(nn.Module):
    """Reads symbols (B, T) and gives scores (B, 8) of the first one."""

    def __init__(self, kind: type, width: int = 32):
        super().__init__()
        self.embed = nn.Embedding(16, 16)
        self.read = remembering(kind, 16, width)
        self.out = nn.Linear(width, 8)

    def forward(self, symbols):
        return self.out(self.read(self.embed(symbols))[0][:, -1])


def recall_batch(step: int, length: int, rows: int = 32) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (symbols (B, T), first symbols (B,)): one of 0 to 7 first, then noise, 8 to 15."""
    generator = torch.Generator().manual_seed(10_000 + step)
    symbols = torch.randint(8, 16, (rows, length), generator=generator)
    symbols[:, 0] = torch.randint(8, (rows,), generator=generator)
    return symbols, symbols[:, 0].clone()


def recalled(kind: type, seed: int, length: int, steps: int) -> float:
    """Train on the task; returns the accuracy on 512 fresh sequences."""
    seed_everything(seed)
    model = Recall(kind)
    fit(model, lambda step: recall_batch(step + 1000 * seed, length), next_word_loss, steps=steps, lr=1e-2,
        progress=False)
    symbols, first = recall_batch(-1, length, rows=512)
    with torch.no_grad():
        return (model(symbols).argmax(-1) == first).float().mean().item()


MEMORY = 60
memory_runs = {
    kind.__name__: [recalled(kind, seed, budget(grade=12, cpu=MEMORY), budget(grade=60, cpu=320))
                    for seed in range(budget(grade=1, cpu=5))]
    for kind in (nn.RNN, nn.GRU, nn.LSTM)
}
for name, found in memory_runs.items():
    print(f"{name:>5}: {' '.join(f'{a:6.1%}' for a in found)}   (chance is 12.5%)")
for name in ("GRU", "LSTM"):
    claim(f"The first symbol, {MEMORY} steps later: {name} above RNN", memory_runs[name], memory_runs["RNN"])

# %% [markdown]
# ## Exercise 8: there and back, layer on layer (`stacked`)
#
# 25 minutes, ★★★, 6 points
#
# A tagger may read the whole sentence before it answers. So a **bidirectional** layer reads it twice, once from each
# end, and lays the two states of each token side by side. A **stacked** network gives these states to a next layer, as
# its input.
#
# Sentences of a batch differ in length and are padded at the end. The backward reader must begin at *each sentence's
# own last token*: whoever turns the whole padded row round makes it begin with padding. Write, with torch,
#
# 1. `reverse_padded(x, lengths)`: each sequence of the batch turned round within its length; what lies beyond stays
#    where it is. Applied twice, it gives the input back.
# 2. `stacked_bidirectional(x, lengths, layers)`: `layers` is a list of pairs of functions (forward, backward). Each
#    takes a batch $(B, T, C)$, reads it from the first step to the last, and returns its states $(B, T, H)$. The
#    backward one of a pair is fed the sequences turned round, and its states are turned round again, so that both speak
#    of the same token. Forward states come first. The output of a layer, $(B, T, 2H)$, is the input of the next; the
#    result is that of the last layer, with **zeros** at all places beyond the length.
#
# By hand: `a b c _ _` of length 3 becomes `c b a _ _`.
#
# <details><summary>Hint 1</summary>For reverse_padded find, for each row and place t, the place to copy from: length -
# 1 - t within the sequence, t beyond it.</details>
# <details><summary>Hint 2</summary><code>places = torch.arange(T)</code>, <code>source = torch.where(places &lt;
# lengths[:, None], lengths[:, None] - 1 - places, places)</code>.</details>
# <details><summary>Hint 3</summary><code>x[torch.arange(B)[:, None], source]</code> copies whole vectors.</details>

# %% exercise="stacked"
def reverse_padded(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return x, (B, T, C), with the first lengths[b] steps of each sequence b turned round. lengths: (B,)."""
    ### BEGIN SOLUTION
    places, ends = torch.arange(x.shape[1]), lengths[:, None]
    source = torch.where(places < ends, ends - 1 - places, places)  # (B, T)
    return x[torch.arange(len(x))[:, None], source]
    ### END SOLUTION


def stacked_bidirectional(
    x: torch.Tensor, lengths: torch.Tensor, layers: list[tuple[Callable, Callable]]
) -> torch.Tensor:
    """Return the states of the last layer, (B, T, 2H), zeros beyond the length.

    x: (B, T, C). lengths: (B,). layers: pairs of functions (forward, backward) from (B, T, C) to states (B, T, H).
    """
    ### BEGIN SOLUTION
    for forward, backward in layers:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    real = torch.arange(x.shape[1]) < lengths[:, None]
    return x * real[..., None]
    ### END SOLUTION

# %% check="stacked" points=6
# The check of `stacked`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("stacked", points=6)
def score(check):
    import torch
    from torch import nn
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

    whole = "the whole row was turned round: the padding must stay at the end"
    zeroed = "what lies beyond the length stays as it is: here it became 0"
    nothing = "nothing was turned round"
    rows = "the batch was turned round, not the time"
    one_length = "one length was taken for all rows: each row has its own"
    not_back = "the backward states were not turned round again: both directions must speak of the same token"
    not_fed = "the backward reader got the sequence as it was: turn it round first"
    padding = "places beyond the length must be 0"
    order = "the forward states come first, then the backward ones"
    last_first = "the layers were applied from the last to the first"
    exchanged = "the two readers of a pair are exchanged"
    both_ways = "the forward reader read both ways: the backward one is the second of each pair"
    narrow = "was each direction stacked on its own? both states of a layer, 2H numbers, go into the next"
    first_only = "only the first layer was applied"
    from_x = "every layer was fed x: a layer is fed the states of the layer before"

    x = torch.tensor([[[1.0], [2.0], [3.0], [9.0]], [[4.0], [5.0], [8.0], [7.0]]])
    lengths = torch.tensor([3, 2])
    check(reverse_padded, x, lengths).equals([[[3], [2], [1], [9]], [[5], [4], [8], [7]]],
        near={whole: [[[9.0], [3.0], [2.0], [1.0]], [[7.0], [8.0], [5.0], [4.0]]],
        zeroed: [[[3.0], [2.0], [1.0], [0.0]], [[5.0], [4.0], [0.0], [0.0]]], nothing: [[[1.0], [2.0], [3.0], [9.0]],
        [[4.0], [5.0], [8.0], [7.0]]], rows: [[[4.0], [5.0], [8.0], [7.0]], [[1.0], [2.0], [3.0], [9.0]]],
        one_length: [[[3.0], [2.0], [1.0], [9.0]], [[8.0], [5.0], [4.0], [7.0]]]})

    def running(v):
        return torch.cumsum(v, dim=1)

    check(stacked_bidirectional, x, lengths, [(running, running)]).equals(
        [[[1, 6], [3, 5], [6, 3], [0, 0]], [[4, 9], [9, 5], [0, 0], [0, 0]]], about="running sums from both ends",
            near={not_back: [[[1.0, 3.0], [3.0, 5.0], [6.0, 6.0], [0.0, 0.0]], [[4.0, 5.0], [9.0, 9.0], [0.0, 0.0],
            [0.0, 0.0]]], not_fed: [[[1.0, 6.0], [3.0, 3.0], [6.0, 1.0], [0.0, 0.0]],
            [[4.0, 9.0], [9.0, 4.0], [0.0, 0.0], [0.0, 0.0]]],
            padding: [[[1.0, 6.0], [3.0, 5.0], [6.0, 3.0], [15.0, 15.0]], [[4.0, 9.0], [9.0, 5.0], [17.0, 17.0],
            [24.0, 24.0]]], order: [[[6.0, 1.0], [5.0, 3.0], [3.0, 6.0], [0.0, 0.0]],
            [[9.0, 4.0], [5.0, 9.0], [0.0, 0.0], [0.0, 0.0]]]})

    def times(factor):
        return lambda v: factor * running(v)

    x, lengths = torch.tensor([[[1.0], [3.0], [9.0]]]), torch.tensor([2])
    check(stacked_bidirectional, x, lengths, [(running, times(2)), (running, times(3))]).equals(
        [[[1, 8, 15, 42], [5, 14, 12, 18], [0, 0, 0, 0]]], about="two layers, running sums and their multiples",
            near={
            first_only: [[[1, 8], [4, 6], [0, 0]]],
            from_x: [[[1, 12], [4, 9], [0, 0]]],
            not_back: [[[1, 6, 12, 24], [5, 14, 15, 42], [0, 0, 0, 0]]],
            not_fed: [[[1, 8, 15, 30], [5, 10, 3, 24], [0, 0, 0, 0]]],
            padding: [[[1, 8, 15, 42], [5, 14, 12, 18], [18, 40, 54, 120]]],
            order: [[[42, 15, 8, 1], [18, 12, 14, 5], [0, 0, 0, 0]]],
            exchanged: [[[6, 12, 10, 7], [30, 21, 8, 3], [0, 0, 0, 0]]],
            narrow: [[[1, 42], [5, 18], [0, 0]]],
            last_first: [[[1, 12, 10, 42], [5, 21, 8, 18], [0, 0, 0, 0]]],
            both_ways: [[[1, 4, 5, 7], [5, 7, 4, 3], [0, 0, 0, 0]]],
        })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def turned(x, lengths, keep=True):
        out = x.clone() if keep else torch.zeros_like(x)
        for b, n in enumerate(lengths.tolist()):
            out[b, :n] = x[b, :n].flip(0)
        return out

    check.mistakes({
        whole: lambda x, n: x.flip(1), zeroed: lambda x, n: turned(x, n, keep=False), nothing: lambda x, n: x,
        rows: lambda x, n: x.flip(0), one_length: lambda x, n: turned(x, torch.full_like(n, int(n.max()))),
        "the first row's length was taken for all rows": lambda x, n: turned(x, torch.full_like(n, int(n[0]))),
        "the shortest length was taken for all rows": lambda x, n: turned(x, torch.full_like(n, int(n.min()))),
        "the last axis was turned round, not the time": lambda x, n: x.flip(-1),
        "time and the last axis were turned round": lambda x, n: turned(x, n).flip(-1),
        "the rows were rolled: the last real step came first, and the padding moved": lambda x, n: torch.stack(
            [v.flip(0).roll(int(k), 0) for v, k in zip(x, n, strict=True)]),
        "the ends are one step off: sequence b ends before step lengths[b]": lambda x,
            n: turned(x, (n + 1).clamp(max=x.shape[1])),
        "the last real step was left where it is": lambda x, n: turned(x, n - 1),
        "the padding was cut off: the shape stays": lambda x, n: turned(x, n)[:, : int(n.max())],
        "the sequences were cut at their lengths: one tensor of the shape of x is asked": lambda x, n: [
            v[:k].flip(0) for v, k in zip(x, n.tolist(), strict=True)],
        "step t comes from lengths - 1 - t: here the 1 is missing": lambda x, n: torch.stack([
            torch.stack([v[(k - t) % len(v)] if t < k else v[t] for t in range(len(v))])
            for v, k in zip(x, n.tolist(), strict=True)]),
    })

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    for B, T, C in ((4, 6, 2), (3, 5, 3), (6, 9, 1)):
        x, lengths = draw(B, T, C), torch.tensor(check.rng.integers(1, T, size=B))
        lengths[0] = 2
        expected = x.numpy().copy()
        for b in range(B):
            expected[b, : int(lengths[b])] = expected[b, : int(lengths[b])][::-1].copy()
        check(reverse_padded, x, lengths).equals(expected, about="random sequences")
    full = torch.full((2,), 4)
    x = draw(2, 4, 3)
    check(reverse_padded, x, full).equals(x.flip(1), about="no padding", edge=True)
    check(reverse_padded, x, torch.tensor([1, 4])).equals(torch.stack([x[0], x[1].flip(0)]), about="one step only",
        edge=True)

    def run(x, lengths, layers, *, feed=turned, back=turned, swap=False, zero=True, chain=True, used=None,
        beyond=0):
        source, out = x, x
        for forward, backward in layers[:used]:
            pair = [forward(source), back(backward(feed(source, lengths)), lengths)]
            out = torch.cat(pair[::-1] if swap else pair, -1)
            source = out if chain else x
        return out * (torch.arange(x.shape[1]) < lengths[:, None] + beyond)[..., None] if zero else out


    def same(v, n):
        return v

    check.mistakes({
        not_back: lambda *a: run(*a, back=same), not_fed: lambda *a: run(*a, feed=same),
        "neither was turned round: the backward reader reads from the end": lambda *a: run(*a, feed=same, back=same),
        "the zeros begin one place too late: place lengths[b] is beyond the length": lambda *a: run(*a, beyond=1),
        "the zeros begin one place too early: the last real step was set to 0": lambda *a: run(*a, beyond=-1),
        padding: lambda *a: run(*a, zero=False), order: lambda *a: run(*a, swap=True),
        first_only: lambda *a: run(*a, used=1), from_x: lambda *a: run(*a, chain=False),
        "the whole rows were turned round, padding first": lambda *a: run(*a, feed=lambda v, n: v.flip(1),
            back=lambda v, n: v.flip(1)),
        exchanged: lambda x, n, layers: run(x, n, [p[::-1] for p in layers]),
        last_first: lambda x, n, layers: run(x, n, layers[::-1]),
        "the two directions were added: lay them side by side": lambda *a: sum(run(*a).chunk(2, -1)),
        "the two directions of the last layer were averaged: lay them side by side": lambda *a: sum(run(*a).chunk(2,
            -1)) / 2,
        "the two directions lie one after another in time: lay them side by side, along the last axis": lambda *a:
            torch.cat(run(*a).chunk(2, -1), 1),
        "the two directions lie one after another in time (and without zeros): lay them side by side": lambda *a:
            torch.cat(run(*a, zero=False).chunk(2, -1), 1),
        both_ways: lambda x, n, layers: run(
            x, n, [(forward, forward) for forward, _ in layers]),
        "the forward reader alone answered: the backward one is missing": lambda *a: run(*a).chunk(2, -1)[0],
    })
    apart = {}  # C = 2H below, so that layers fed the wrong states answer and do not raise
    for B, T, C, H, depth in ((3, 6, 4, 3, 1), (4, 7, 4, 2, 2), (2, 5, 6, 3, 3)):
        lstm = nn.LSTM(C, H, depth, batch_first=True, bidirectional=True)
        x, lengths = draw(B, T, C), torch.tensor(check.rng.integers(1, T + 1, size=B))
        lengths[0], lengths[1] = T, 2

        def reader(layer, end, lstm=lstm, C=C, H=H):
            one = nn.LSTM(C if layer == 0 else 2 * H, H, batch_first=True)
            one.load_state_dict({
                n.removesuffix("_reverse").replace(f"_l{layer}", "_l0"): p for n, p in lstm.state_dict().items()
                if f"_l{layer}" in n and n.endswith("_reverse") == end})
            return lambda v: one(v)[0].detach()

        layers = [(reader(k, False), reader(k, True)) for k in range(depth)]
        with torch.no_grad():
            packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
            expected = pad_packed_sequence(lstm(packed)[0], batch_first=True, total_length=T)[0]
        about = "one layer, as nn.LSTM" if depth == 1 else "several layers, as nn.LSTM"
        case = check(stacked_bidirectional, x, lengths, layers).equals(expected, about=about, rtol=1e-4, atol=1e-5,
            near=apart)
        if depth == 1 and case.passed:
            apart = {narrow: RuntimeError}
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## A model that writes, character by character
#
# Now a language model over *characters*, on the docs. No word is unknown, the vocabulary is small, and the model has to
# learn spelling, words, indentation and brackets from nothing. It reads with an LSTM; the vectors that embed the
# characters also score the next one (*weight tying*: $U = V$ of exercise 2, which only works since an LSTM stands
# between). What it writes depends on how we draw from its distributions.
#
# ## Exercise 9: temperature, top-k, top-p (`sampling`)
#
# 20 minutes, ★★, 6 points
#
# The likeliest character each time (*greedy*) soon goes in circles; drawing from the whole distribution picks, sooner
# or later, something absurd. Between the two:
#
# 1. **Temperature** $\tau$: divide the logits by $\tau$, then softmax. Below 1 the distribution becomes sharper, above
#    it flatter. $\tau = 0$ means greedy: all probability on the first largest logit, whatever the filters say.
# 2. **Top-k**: only the $k$ largest logits stay. Of equal ones at the border the **earlier** in the vocabulary stays.
#    $k$ may be larger than the vocabulary.
# 3. **Top-p** (nucleus; Holtzman and others, 2020): from what top-k left, scaled to a sum of 1, the **fewest** of the
#    largest probabilities stay whose sum is **at least** $p$ ($0 < p \le 1$); of equal ones, the earlier first. At
#    least one stays.
#
# In this order, and what stays is scaled to a sum of 1. Write `token_distribution(logits, temperature=1.0, top_k=None,
# top_p=None)` with torch: it returns the probabilities of all words, zeros where filtered, in the order of the
# vocabulary. `None` switches a filter off. Logits of $-\infty$ are allowed: such words have probability 0.
#
# By hand: $p = (0.2, 0.5, 0.3)$. Top-p with 0.6 needs $0.5 + 0.3$, so $(0, 0.625, 0.375)$ remains.
#
# <details><summary>Hint 1</summary>Sort once, with <code>torch.sort(..., descending=True, stable=True)</code>; filter
# the sorted probabilities, and put them back in their places.</details>
# <details><summary>Hint 2</summary>A sorted probability stays for top-p if the sum of those <em>before</em> it is less
# than p.</details>
# <details><summary>Hint 3</summary><code>out = torch.zeros_like(p); out[order] = kept / kept.sum()</code></details>

# %% exercise="sampling"
def token_distribution(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    """Return the probabilities to draw from, (V,), for logits (V,): temperature, then top-k, then top-p."""
    ### BEGIN SOLUTION
    ordered, order = torch.sort(logits, descending=True, stable=True)
    if temperature == 0:
        temperature, top_k = 1.0, 1
    p = torch.softmax(ordered / temperature, dim=-1)
    if top_k is not None:
        p = torch.where(torch.arange(len(p)) < top_k, p, torch.zeros_like(p))
        p = p / p.sum()
    if top_p is not None:
        before = torch.cumsum(p, dim=-1) - p
        kept = (before < top_p) | (torch.arange(len(p)) == 0)
        p = torch.where(kept, p, torch.zeros_like(p))
    out = torch.zeros_like(p)
    out[order] = p / p.sum()
    return out
    ### END SOLUTION

# %% check="sampling" points=6
# The check of `sampling`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("sampling", points=6)
def score(check):
    import math

    import numpy as np
    import torch

    times = "the logits were multiplied by the temperature: divide by it"
    after = "the temperature comes first, then the filters: here the filters came first"
    p_first = "top-p sums what top-k left, scaled to 1: here top-p came first, or it summed unscaled numbers"
    short = "top-p stopped one word too early: the sum must reach p"
    long = "top-p kept one word too many: the fewest words whose sum reaches p"
    no_scale = "what stays is not scaled to a sum of 1"
    threshold = "top-p keeps words until their sum reaches p: here p was taken as a bound on each probability"
    sorted_out = "the probabilities came back sorted: keep the order of the vocabulary"
    ignored_t, ignored_k, ignored_p = (f"{name} was ignored" for name in ("the temperature", "top_k", "top_p"))
    smallest = "the smallest logits were kept: the largest stay"
    one_more = "top-k kept one word too many"
    late = "a word of equal weight at the border: the earlier in the vocabulary stays"

    p = torch.tensor([0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08])
    logits = p.log()
    first = check(token_distribution, logits, 1.0, 3).equals(
        [0, 0.5294, 0.1765, 0, 0.2941, 0, 0], rtol=1e-3, about="top-k 3",
        near={no_scale: [0.0, 0.45, 0.15, 0.0, 0.25, 0.0, 0.0], sorted_out: [0.52941, 0.29412, 0.17647, 0.0, 0.0, 0.0,
        0.0], one_more: [0, 0.48387, 0.16129, 0, 0.26882, 0, 0.08602],
        ignored_k: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08], smallest: [0.57143, 0.0, 0.0, 0.28571, 0.0,
        0.14286, 0.0]})
    check(token_distribution, logits, 1.0, None, 0.9).equals(
        [0, 0.4839, 0.1613, 0, 0.2688, 0, 0.0860], rtol=1e-3, about="top-p 0.9",
            near={short: [0.0, 0.52941, 0.17647, 0.0, 0.29412, 0.0, 0.0], long: [0.041237, 0.46392, 0.15464, 0.0,
            0.25773, 0.0, 0.082474], no_scale: [0.0, 0.45, 0.15, 0.0, 0.25, 0.0, 0.08],
            threshold: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], sorted_out: [0.48387, 0.26882, 0.16129, 0.086022, 0.0,
            0.0, 0.0], ignored_p: [0.04, 0.45, 0.15, 0.02,
            0.25, 0.01, 0.08], smallest: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08]})
    check(token_distribution, logits, 2.0, None, 0.8).equals(
        [0, 0.3644, 0.2104, 0, 0.2716, 0, 0.1536], rtol=1e-3, about="temperature 2, then top-p 0.8",
            near={times: [0.0, 0.76415, 0.0, 0.0, 0.23585, 0.0, 0.0], after: [0.0, 0.43053, 0.24857, 0.0, 0.3209, 0.0,
            0.0], short: [0.0, 0.43053, 0.24857, 0.0, 0.3209, 0.0, 0.0], long: [0.097993, 0.32868, 0.18976, 0.0,
            0.24498, 0.0, 0.13858], no_scale: [0.0, 0.29391, 0.16969, 0.0, 0.21907, 0.0, 0.12392],
            threshold: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], sorted_out: [0.36439, 0.2716, 0.21038, 0.15364, 0.0, 0.0,
            0.0], ignored_t: [0.0, 0.52941, 0.17647, 0.0, 0.29412, 0.0, 0.0],
            ignored_p: [0.087628, 0.29391, 0.16969, 0.061962, 0.21907, 0.043814, 0.12392],
            smallest: [0.087628, 0.29391, 0.16969, 0.061962, 0.21907, 0.043814, 0.12392]})
    nothing = "temperature 0 means greedy: do not divide by it"
    check(token_distribution, torch.tensor([0.5, 2.0, -1.0, 2.0]), 0).equals([0, 1, 0, 0], about="temperature 0",
        near={nothing: ZeroDivisionError, nothing + ", that gives NaN": [math.nan] * 4,
        "of equal logits the first is taken": [0, 0, 0, 1], "greedy takes one word: the two equal ones share":
        [0, 0.5, 0, 0.5], "the distribution is asked, all on one word, not the number of the word": 1})
    check(token_distribution, logits, 1.0, 3, 0.8).equals([0, 0.6429, 0, 0, 0.3571, 0, 0], rtol=1e-3,
        about="top-k 3, then top-p 0.8", near={p_first: [0, 0.5294, 0.1765, 0, 0.2941, 0, 0],
        ignored_p: [0, 0.5294, 0.1765, 0, 0.2941, 0, 0], no_scale: [0, 0.45, 0, 0, 0.25, 0, 0],
        one_more: [0, 0.5294, 0.1765, 0, 0.2941, 0, 0], short: [0, 1, 0, 0, 0, 0, 0],
        sorted_out: [0.6429, 0.3571, 0, 0, 0, 0, 0]})
    check(token_distribution, logits, 0.5).equals(
        [0.0054, 0.6841, 0.0760, 0.0014, 0.2112, 0.0003, 0.0216], atol=6e-5, rtol=0, about="temperature 0.5",
            near={times: [0.087628, 0.29391, 0.16969, 0.061962, 0.21907, 0.043814, 0.12392],
            sorted_out: [0.68412, 0.21115, 0.076014, 0.021622, 0.0054054, 0.0013514, 0.00033784],
            ignored_t: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08]})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def filtered(z, temperature=1.0, top_k=None, top_p=None, *, warm=lambda z, t: z / t, order=("k", "p"), scale=True,
        edge="before", largest=True, last=False, sort=False, late_warm=False):
        z = np.asarray(z, dtype=float)
        if temperature == 0:
            return np.eye(len(z))[int(np.argmax(z))]
        q = z if late_warm else warm(z, temperature)
        p = np.exp(q - q.max()) / np.exp(q - q.max()).sum()
        ids = np.argsort(-p if largest else p, kind="stable")
        if last:
            ids = len(p) - 1 - np.argsort(-p[::-1], kind="stable")
        for step in order:
            kept = np.ones(len(p), bool)
            if step == "k" and top_k is not None:
                kept[ids[top_k:]] = False
            if step == "p" and top_p is not None:
                c = np.cumsum(p[ids])
                stay = {"before": c - p[ids] < top_p - 1e-9, "short": c <= top_p, "nothing": c <= top_p,
                    "long": np.r_[True, c[:-1] - p[ids][:-1] < top_p],
                        "each": p[ids] >= top_p, "below": p[ids] >= 1 - top_p}[edge]
                stay[0] |= edge != "nothing"
                kept[ids[~stay]] = False
            p = np.where(kept, p, 0.0)
            p = p / p.sum()
        if late_warm:
            with np.errstate(divide="ignore"):
                q = np.where(p > 0, z / temperature, -np.inf)
            p = np.exp(q - q.max()) / np.exp(q - q.max()).sum()
        if not scale:
            q = np.exp(warm(z, temperature) - warm(z, temperature).max())
            p = np.where(p > 0, q / q.sum(), 0.0)
        return np.sort(p)[::-1] if sort else p

    variants = {
        times: {"warm": lambda z, t: z * t}, after: {"late_warm": True}, p_first: {"order": ("p", "k")},
            short: {"edge": "short"},
        long: {"edge": "long"}, no_scale: {"scale": False}, threshold: {"edge": "each"}, sorted_out: {"sort": True},
        ignored_t: {"warm": lambda z, t: z}, ignored_k: {"order": ("p",)}, ignored_p: {"order": ("k",)},
        "at least one word stays, even if its probability alone is above p": {"edge": "nothing"},
        smallest: {"largest": False}, late: {"last": True},
        "top-p dropped each word whose probability is below 1 - p: it is the sum that counts": {"edge": "below"},
        "the temperature was subtracted: divide by it": {"warm": lambda z, t: z - t},
        "the softmax came before the temperature: divide the logits, not the probabilities": {
            "warm": lambda z, t: np.exp(z - z.max()) / np.exp(z - z.max()).sum() / t},
        "the root of the temperature was taken": {"warm": lambda z, t: z / np.sqrt(t)},
    }
    known = {s: lambda *a, v=v, **k: filtered(*a, **k, **v) for s, v in variants.items()}
    known["these are logits or logarithms: return probabilities"] = lambda *a, **k: np.log(filtered(*a, **k))
    known["top-k kept every word as large as the k-th: exactly k stay"] = lambda z, temperature=1.0, top_k=None, \
        top_p=None: (
        lambda p, z: np.where(z >= np.sort(z)[::-1][min(top_k or len(z), len(z)) - 1], p, 0) / np.where(
            z >= np.sort(z)[::-1][min(top_k or len(z), len(z)) - 1], p, 0).sum())(filtered(z, temperature),
                np.asarray(z, dtype=float))
    known["p[order] puts the sorted numbers into wrong places: out[order] = p puts them back"] = lambda z, *a, **k: (
        np.sort(filtered(z, *a, **k))[::-1][np.argsort(-np.asarray(z), kind="stable")])
    known[one_more] = lambda z, temperature=1.0, top_k=None, top_p=None: filtered(
        z, temperature, top_k and top_k + 1, top_p)
    known["top-k kept one word too few"] = lambda z, temperature=1.0, top_k=None, top_p=None: filtered(
        z, temperature, top_k and top_k - 1, top_p)
    known["the logits that top-k filters became 0: a logit of 0 is as likely as any, take minus infinity"] = lambda z, \
        temperature=1.0, top_k=None, top_p=None: filtered(np.where(
            np.isin(np.arange(len(z)), np.argsort(-np.asarray(z), kind="stable")[:top_k]),
            np.asarray(z) / temperature, 0), 1.0, None, top_p)
    known["temperature 0 means greedy: all on the largest logit"] = lambda z, t=1.0, **k: filtered(z, 1.0, **k)
    check.mistakes(known)
    for about, arguments in (
        ("temperature", {"temperature": 0.6}), ("temperature", {"temperature": 1.9}), ("no filter", {}),
        ("top-k", {"top_k": 2}), ("top-k", {"top_k": 5}), ("top-p", {"top_p": 0.55}), ("top-p", {"top_p": 0.83}),
        ("temperature and top-k", {"temperature": 1.4, "top_k": 4}),
            ("temperature and top-p", {"temperature": 1.6, "top_p": 0.7}),
        ("top-k and top-p", {"top_k": 4, "top_p": 0.9}), ("top-k and top-p", {"top_k": 3, "top_p": 0.7}),
        ("all three", {"temperature": 0.7, "top_k": 5, "top_p": 0.93}),
        ("all three", {"temperature": 1.7, "top_k": 5, "top_p": 0.8}),
        ("a small top-p keeps one word", {"top_p": 1e-4}),
    ):
        for size in (9, 12):
            z = torch.tensor(check.rng.normal(size=size) * 1.5, dtype=torch.float32)
            check(token_distribution, z, **arguments).equals(filtered(z, **arguments), about=about, rtol=1e-4,
                atol=1e-6)
    many = {} if first.error else {"k may be larger than the vocabulary: all words stay then": Exception}
    check(token_distribution, z, top_k=50).equals(filtered(z), about="top-k above the vocabulary", rtol=1e-4, atol=1e-6,
        near=many)
    even = torch.zeros(4)  # a quarter each, without rounding
    check(token_distribution, even, top_p=0.5).equals([0.5, 0.5, 0, 0], about="a sum of just p", edge=True, rtol=1e-4,
        near={long: [1 / 3, 1 / 3, 1 / 3, 0], short: [1, 0, 0, 0]})
    ties = torch.tensor([0.0, 2.0, 1.0, 2.0, 1.0, 1.0])
    check(token_distribution, ties, top_k=3).equals(filtered(ties, top_k=3), about="equal logits at the border",
        rtol=1e-4, atol=1e-6)
    check(token_distribution, ties, top_p=0.65).equals(filtered(ties, top_p=0.65), about="equal logits at the border",
        rtol=1e-4, atol=1e-6)
    for arguments in ({}, {"top_k": 3, "top_p": 0.1}):
        check(token_distribution, ties, temperature=0, **arguments).equals([0, 1, 0, 0, 0, 0], about="temperature 0",
            near={
            nothing: ZeroDivisionError,
            "of equal logits the first is taken": [0, 0, 0, 1, 0, 0],
                "greedy takes one word: the two equal ones share": [0, 0.5, 0, 0.5, 0, 0],
            nothing + ", that gives NaN": [math.nan] * 6,
            "the distribution is asked, all on one word, not the number of the word": 1})
    large = torch.tensor([1000.0, 998.0, -2000.0, 999.0])
    check(token_distribution, large, 0.5).equals(filtered(large, 0.5), about="large logits", edge=True, rtol=1e-4,
        atol=1e-6)
    masked = torch.tensor([0.5, -torch.inf, 1.5, -torch.inf, 0.0])
    check(token_distribution, masked, top_k=4, top_p=0.99).equals(
        filtered(masked, top_k=4, top_p=0.99), about="words that are excluded", edge=True, rtol=1e-4, atol=1e-6)
    check(token_distribution, torch.tensor([3.0]), 0.7, 2, 0.4).equals([1.0], about="one word", edge=True, near=many)
    ### END HIDDEN TESTS


score

# %% show
BLOCK, ROWS = 64, 32
CHAR_STEPS = budget(grade=30, cpu=600)
characters = sorted(c for c, _ in Counter(docs.train[:1_000_000]).most_common(95))
place = {c: i + 1 for i, c in enumerate(characters)}  # 0 stands for all other characters

def character_ids(text: str) -> torch.Tensor:
    return torch.tensor([place.get(c, 0) for c in text])

# Each row of the batch reads a stretch of its own, from all over the docs.
starts = np.linspace(0, len(docs.train) - CHAR_STEPS * BLOCK - 2, ROWS).astype(int)
stretches = [docs.train[i : i + CHAR_STEPS * BLOCK + 1] for i in starts]
read = torch.stack([character_ids(stretch) for stretch in stretches])
places = range(0, len(docs.valid) - 1000, len(docs.valid) // 20)
unread = character_ids("".join(docs.valid[i : i + 1000] for i in places))


class CharacterModel(nn.Module):
    """A language model of characters with tied vectors: (B, T) to scores (B, T, V) and a state."""

    def __init__(self, size: int, width: int = 160):
        super().__init__()
        self.embed = nn.Embedding(size, width)
        nn.init.normal_(self.embed.weight, std=0.1)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, ids, state=None):
        states, state = self.lstm(self.embed(ids), state)
        return states @ self.embed.weight.T + self.bias, state


def character_loss(model, batch):
    return F.cross_entropy(model(batch[:, :-1])[0].flatten(0, 1), batch[:, 1:].flatten())


def write(model, prompt: str, length: int, seed: int = SEED, **filters) -> str:
    """Draw characters one by one from `token_distribution`; returns the prompt and what follows."""
    generator, text = torch.Generator().manual_seed(seed), prompt
    with torch.no_grad():
        scores, state = model(character_ids(prompt)[None])
        for _ in range(length):
            p = token_distribution(scores[0, -1], **filters)
            i = torch.multinomial(p, 1, generator=generator)
            text += ([chr(0xFFFD), *characters])[i.item()]
            scores, state = model(i[None], state)
    return text


samples = []
def bits_and_sample(model) -> float:
    """Return bits per character on unread text, and keep what the model writes now."""
    samples.append(write(model, "Return the ", 160, temperature=0.7, top_p=0.95))
    scores = model(unread[None, :-1])[0][0]
    return F.cross_entropy(scores, unread[1:]).item() / math.log(2)

seed_everything(SEED)
writer = CharacterModel(len(characters) + 1)
history = fit(writer, lambda step: read[:, step * BLOCK : (step + 1) * BLOCK + 1], character_loss, steps=CHAR_STEPS,
              lr=8e-3, evaluate=bits_and_sample, evaluate_every=CHAR_STEPS // 4, progress=False)
print(history)
for (step, bits), sample in zip(history.evaluations, samples, strict=False):
    print(f"\n--- after {step} steps, {step * ROWS * BLOCK:,} characters: {bits:.2f} bits per character\n{sample}")

# %% [markdown]
# Words first, then phrases, then the form of a docstring; sense it has none. Is it better than counting? A 5-gram model
# sees four characters back and is counted from the very same characters. Its table is large, and it forgets all beyond
# the four.

# %% show
flat = [stretch.tolist() for stretch in read]
fives, fours = Counter(), Counter()
for stretch in flat:
    found, contexts = count_ngrams(stretch, 5)
    fives.update(found)
    fours.update(contexts)
tail = unread.tolist()
five_gram = {}
for k in (0.1, 0.03, 0.01):
    probabilities = [add_k(tail[i], tuple(tail[i - 4 : i]), fives, fours, len(characters) + 1, k)
                     for i in range(4, len(tail))]
    five_gram[k] = cross_entropy(probabilities) / math.log(2)
best_k = min(five_gram, key=five_gram.get)
parameters = sum(p.numel() for p in writer.parameters())
character_bits = {"5-gram": five_gram[best_k], "LSTM": history.evaluations[-1][1]}
print(f"5-gram, k = {best_k}: {five_gram[best_k]:.3f} bits per character, {len(fives):,} counts")
print(f"LSTM:             {character_bits['LSTM']:.3f} bits per character, {parameters:,} weights")
claim("Minus bits per character: LSTM above the 5-gram", -character_bits["LSTM"], -character_bits["5-gram"])
steps_seen, bits_seen = zip(*history.evaluations, strict=True)
fig, ax = plots.figure(width=6.5, height=3.2)
ax.plot([step * ROWS * BLOCK / 1e6 for step in steps_seen], bits_seen, "o-", label="LSTM")
ax.axhline(five_gram[best_k], linestyle="--", color="black", label="5-gram on all of these characters")
ax.set(xlabel="characters read, in millions", ylabel="bits per character")
ax.legend()
plots.show(fig, f"Bits per character of the LSTM fall from {bits_seen[0]:.2f} to {bits_seen[-1]:.2f} while it reads; a "
    f"dashed line marks the 5-gram model at {five_gram[best_k]:.2f}.")

# %% [markdown]
# The same model, the same start, other ways to draw:

# %% show
for filters in ({"temperature": 0}, {"temperature": 0.5}, {"temperature": 1.0}, {"temperature": 1.5},
                {"top_k": 5}, {"top_p": 0.9}):
    print(f"{filters!s:<22}", repr(write(writer, "The default is ", 90, **filters)[15:]))

# %% [markdown]
# ## Exercise 10: the best path, and all paths (`viterbi`)
#
# 30 minutes, ★★★, 7 points
#
# Which words of a message are a name, a time, a place? Give each token a **tag**: `B-PERSON` begins a person,
# `I-PERSON` goes on with one, `O` is outside. A tag depends on the word and on its neighbour's tag: no `I-TIME`
# follows an `O`. The score of a whole path of tags is a sum of two kinds of numbers, one row of *emissions* for each
# token and one table of *transitions*:
#
# $$ s(y) = \text{start}_{y_1} + \sum_{t=1}^{T} \text{emission}_{t, y_t} + \sum_{t=2}^{T} \text{transition}_{y_{t-1},
# y_t} $$
#
# In a **hidden Markov model** these numbers are logarithms of counted shares: $p(w_t \mid y_t)$ and $p(y_t \mid
# y_{t-1})$. In a **conditional random field** (Lafferty and others, 2001), for example on top of an LSTM, they are
# learned, and the path gets a probability by a softmax over *all* paths: $\ln p(y) = s(y) - \ln \sum_{y'} e^{s(y')}$.
# There are $K^T$ paths, but both the best of them and the sum over them come from one pass over the sentence, since
# the best path to a tag goes through the best path to the tag before it. Write, with NumPy,
#
# 1. `path_score(emissions, transitions, start, tags)`: $s(y)$.
# 2. `viterbi(emissions, transitions, start)`: the best path, a list of $T$ tag numbers. Scores may be `-inf`. Of
#    equally good paths any one.
# 3. `log_partition(emissions, transitions, start)`: $\ln \sum_{y'} e^{s(y')}$; scores are finite and may be as large as
#    thousands, the result must be finite, too.
#
# `emissions` has shape $(T, K)$ with $T \ge 1$, `transitions` $(K, K)$ with the tag *from* in rows and the tag *to* in
# columns, `start` $(K)$.
#
# By hand, two tags: emissions $(1, 0), (0, 2)$, transitions $\begin{pmatrix} 1 & -3 \\ 0 & 0 \end{pmatrix}$, start 0.
# Token by token the best tags are 0, 1, and that path scores $1 - 3 + 2 = 0$. But $1, 1$ scores $0 + 0 + 2 = 2$, and
# $0, 0$ scores $1 + 1 + 0 = 2$: either is right.
#
# <details><summary>Hint 1</summary>Keep for each tag the best score of a path that ends in it: K numbers. One step of
# the sentence is a (K, K) table of sums: from, to.</details>
# <details><summary>Hint 2</summary>Write down, for each token and tag, which tag before was best; from the best last
# tag follow these notes backwards.</details>
# <details><summary>Hint 3</summary>log_partition is the same loop with a logarithm of a sum of exponentials in place of
# the maximum: <code>scipy.special.logsumexp(table, axis=0)</code>, or subtract the largest first.</details>

# %% exercise="viterbi"
def path_score(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray, tags: Sequence[int]) -> float:
    """Return the score of one path of T tags. emissions: (T, K), transitions: (K, K), row to column, start: (K,)."""
    ### BEGIN SOLUTION
    score = start[tags[0]] + sum(emissions[t][tag] for t, tag in enumerate(tags))
    return float(score + sum(transitions[a][b] for a, b in zip(tags, tags[1:], strict=False)))
    ### END SOLUTION


def viterbi(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> list[int]:
    """Return the path of T tags with the largest score."""
    ### BEGIN SOLUTION
    best, notes = start + emissions[0], []
    for row in emissions[1:]:
        table = best[:, None] + transitions  # (from, to)
        notes.append(table.argmax(axis=0))
        best = table.max(axis=0) + row
    path = [int(best.argmax())]
    for before in reversed(notes):
        path.append(int(before[path[-1]]))
    return path[::-1]
    ### END SOLUTION


def log_partition(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float:
    """Return the logarithm of the sum of exp(score) over all paths."""
    ### BEGIN SOLUTION
    total = start + emissions[0]
    for row in emissions[1:]:
        total = np.logaddexp.reduce(total[:, None] + transitions, axis=0) + row
    return float(np.logaddexp.reduce(total))
    ### END SOLUTION

# %% check="viterbi" points=7
# The check of `viterbi`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("viterbi", points=7)
def score(check):
    from itertools import product

    import numpy as np
    from scipy.special import logsumexp

    turned = "the transitions were read from column to row: the row is the tag before"
    no_start = "start is missing: it belongs to the first tag"
    no_trans = "the transitions are missing"
    one_less = "a path of T tags has T - 1 transitions"
    alone = "each token's best tag was taken alone: that ignores the transitions"
    greedy = "from left to right, the best next tag was taken each time: a worse tag now may lead to a better path"
    backwards = "the path is turned round: the first tag comes first"
    largest = "this is the score of the best path: the sum goes over all paths"
    no_log = "the logarithm is missing"

    stepwise_ends = "the best end of each step is no path: follow the notes backwards from the last"
    later = "the emissions of the later tokens are missing: each token adds its own"
    wrong_axis = "the sum goes over the tag before, the rows of the table: here it went over the columns"
    emissions = np.array([[0.3, 0.1, 0.2], [0.0, -2.0, 0.1], [-0.5, -0.2, -0.9], [-0.8, 0.1, -0.4]])
    transitions = np.array([[0.2, 0.5, 0.1], [0.3, -0.8, -0.2], [1.0, -0.1, 1.0]])
    start = np.array([0.1, 1.1, -0.9])
    check(path_score, emissions, transitions, start, [1, 2, 0, 1]).equals(2.2, about="one path",
        near={no_start: 1.1, no_trans: 0.9, one_less: 1.4, turned: 1.2})
    check(viterbi, emissions, transitions, start).equals([1, 2, 0, 1], about="four tokens, three tags",
        near={alone: [0, 2, 1, 1], no_start: [2, 2, 0, 1], no_trans: [1, 2, 1, 1], turned: [1, 0, 2, 2],
        greedy: [1, 0, 1, 0], backwards: [1, 0, 2, 1], later: [1, 2, 2, 0], stepwise_ends: [1, 0, 1, 1]})
    check(log_partition, emissions, transitions, start).equals(4.78480, rtol=1e-4, about="all 81 paths",
        near={largest: 2.2, no_log: 119.6775, turned: 4.9278, no_start: 4.71626, no_trans: 3.88101,
        wrong_axis: 4.26236, later: 5.85605, "the last row of emissions is missing": 5.15391})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def total(e, A, s, y):
        return float(s[y[0]] + sum(e[range(len(y)), list(y)]) + sum(A[i, j] for i, j in zip(y, y[1:], strict=False)))

    check.mistakes({
        turned: lambda e, A, s, y: total(e, A.T, s, y), no_start: lambda e, A, s, y: total(e, A, 0 * s, y),
        no_trans: lambda e, A, s, y: total(e, 0 * A, s, y),
        one_less: lambda e, A, s, y: total(e, A, s, y) + A[y[-1], y[0]],
        "the emissions are missing": lambda e, A, s, y: total(0 * e, A, s, y),
        "the emission of the first token is missing": lambda e, A, s, y: total(e, A, s, y) - e[0, y[0]],
        "start took the place of the first emission: both count": lambda e, A, s, y: total(e, A, s, y) - e[0, y[0]],
        "the last emission is missing": lambda e, A, s, y: total(e, A, s, y) - e[len(y) - 1, y[-1]],
        "start was added at every token": lambda e, A, s, y: total(e, A, s, y) + sum(s[j] for j in y[1:]),
        "the scores are multiplied: logarithms add": lambda e, A, s, y: float(
            s[y[0]] * np.prod(e[range(len(y)), list(y)]) * np.prod([A[i, j] for i,
                j in zip(y, y[1:], strict=False)])),
        "the transition was taken from a tag to itself": lambda e, A, s, y: float(
            total(e, 0 * A, s, y) + sum(A[j, j] for j in y[1:])),
        "the last transition is missing": lambda e, A, s, y: total(e, A, s, y) - sum(
            A[i, j] for i, j in [*zip(y, y[1:], strict=False)][-1:]),
        "this is the exponential of the score": lambda e, A, s, y: float(np.exp(total(e, A, s, y))),
        "the mean over the tokens was taken: the score is a sum": lambda e, A, s, y: total(e, A, s, y) / len(y),
    })

    def draw(*shape):
        return check.rng.normal(size=shape) * 2

    for T, K in ((4, 3), (6, 2), (5, 4), (1, 3)):
        e, A, s, y = draw(T, K), draw(K, K), draw(K), [int(t) for t in check.rng.integers(K, size=T)]
        chosen = np.eye(K)[y]
        expected = (chosen * e).sum() + chosen[0] @ s + np.einsum("ti,ij,tj->", chosen[:-1], A, chosen[1:])
        check(path_score, e, A, s, y).equals(float(expected), about="a random path", edge=T == 1)

    def best(e, A, s, pick=max):
        return list(pick(product(range(e.shape[1]), repeat=len(e)), key=lambda y: total(e, A, s, y)))

    def stepwise(e, A, s):
        path = [int((s + e[0]).argmax())]
        for row in e[1:]:
            path.append(int((A[path[-1]] + row).argmax()))
        return path

    def no_notes(e, A, s):
        score, path = s + e[0], []
        for row in e[1:]:
            path.append(int(score.argmax()))
            score = (score[:, None] + A).max(0) + row
        return [*path, int(score.argmax())]

    def steps(e, A, s, *, axis=0, turn=True, least=-np.inf):
        """The usual loop with its usual slips: notes along the other axis, sums on the wrong side, a maximum from 0."""
        score, notes = s + e[0], []
        for row in e[1:]:
            table = (score[:, None] if turn else score) + A
            notes.append(np.where(table.max(0) > least, table.argmax(axis), 0))
            score = np.maximum(table.max(0), least) + row
        path = [int(score.argmax())]
        for before in notes[::-1]:
            path.append(int(before[path[-1]]))
        return path[::-1]

    check.mistakes({
        "the notes lie along the other axis: for each tag, note the best tag before": lambda *a: steps(*a, axis=1),
        "the scores so far were added to the columns: they belong to the tag before, in the rows": lambda *a: steps(
            *a, turn=False),
        "the maximum began at 0: scores may all be negative, begin at minus infinity": lambda *a: steps(*a, least=0),
        alone: lambda e, A, s: [int(t) for t in e.argmax(1)], greedy: stepwise, turned: lambda e, A,
            s: best(e, A.T, s),
        no_start: lambda e, A, s: best(e, A, 0 * s), no_trans: lambda e, A, s: best(e, 0 * A, s),
        backwards: lambda e, A, s: best(e, A, s)[::-1], "the worst path was found: maximise": lambda e, A,
            s: best(e, A, s, min),
        "at each token the tag with the best score so far was taken: keep notes, and follow them back from the end":
            no_notes,
        later: lambda e, A, s: best(np.vstack([e[:1], 0 * e[1:]]), A, s),
        "the emissions of the first token are missing": lambda e, A, s: best(np.vstack([0 * e[:1], e[1:]]), A, s),
        "the score came back: the path is asked": lambda e, A, s: total(e, A, s, best(e, A, s)),
        "path and score came back: the path alone is asked": lambda e, A,
            s: (best(e, A, s), total(e, A, s, best(e, A, s))),
        "start was added at every token": lambda e, A, s: best(e + s - np.eye(len(e))[:, :1] * s, A, s),
        "the scores were multiplied: they are logarithms, and add": lambda e, A, s: list(max(
            product(range(e.shape[1]), repeat=len(e)), key=lambda y: s[y[0]] * np.prod(e[range(len(y)), list(y)])
            * np.prod([A[i, j] for i, j in zip(y, y[1:], strict=False)]))),
        "one tag for each token is asked: the first is missing": lambda e, A, s: best(e, A, s)[1:],
        "one tag for each token is asked: the last is missing": lambda e, A, s: best(e, A, s)[:-1],
    })
    for T, K in ((5, 3), (6, 2), (4, 4), (6, 3), (5, 3), (1, 4)):
        e, A, s = draw(T, K), draw(K, K) * 2, draw(K) * 2
        check(viterbi, e, A, s).equals(best(e, A, s), about="random scores, all paths tried", edge=T == 1)
    for T, K in ((5, 3), (6, 2)):
        e, A, s = -8 - abs(draw(T, K)), -9 - abs(draw(K, K)) * 2, -abs(draw(K))
        check(viterbi, e, A, s).equals(best(e, A, s), about="logarithms of probabilities")
    barred = np.where(np.eye(3, k=1) > 0, -np.inf, draw(3, 3))
    e, s = draw(6, 3), np.array([0.0, -np.inf, 0.5])
    check(viterbi, e, barred, s).equals(best(e, barred, s), about="forbidden steps", near={
        "minus infinity times 0 is not a number: choose, do not multiply": ValueError})
    long = (draw(300, 5), draw(5, 5), draw(5))
    score, notes = long[2] + long[0][0], []
    for row in long[0][1:]:
        notes.append([max(range(5), key=lambda i, j=j: score[i] + long[1][i, j]) for j in range(5)])
        score = np.array([score[i] + long[1][i, j] for j, i in enumerate(notes[-1])]) + row
    path = [int(np.argmax(score))]
    for note in notes[::-1]:
        path.insert(0, note[path[0]])
    check.mistakes({})
    check(viterbi, *long).equals(path, about="a long sentence")

    def paths(e, A, s, fold=logsumexp):
        return float(fold([total(e, A, s, y) for y in product(range(e.shape[1]), repeat=len(e))]))

    def over_columns(e, A, s):
        total = s + e[0]
        for row in e[1:]:
            total = logsumexp(total[:, None] + A, axis=1) + row
        return float(logsumexp(total))

    check.mistakes({
        largest: lambda e, A, s: paths(e, A, s, np.max), no_log: lambda e, A, s: float(np.exp(paths(e, A, s))),
        turned: lambda e, A, s: paths(e, A.T, s), no_start: lambda e, A, s: paths(e, A, 0 * s), no_trans: lambda e, A,
            s: paths(e, 0 * A, s),
        "the mean over the paths was taken: it is a sum": lambda e, A,
            s: paths(e, A, s) - len(e) * np.log(e.shape[1]),
        "the scores were summed, not their exponentials": lambda e, A, s: paths(e, A, s, np.sum),
        "this is the number of the best last tag: sum over the last tag, too": lambda e, A, s: max(
            logsumexp([total(e, A, s, (*y, j)) for y in product(range(e.shape[1]), repeat=len(e) - 1)])
                for j in range(e.shape[1])),
        "these are the numbers for each last tag: sum over it, too": lambda e, A, s: np.array([
            logsumexp([total(e, A, s, (*y, j)) for y in product(range(e.shape[1]), repeat=len(e) - 1)])
                for j in range(e.shape[1])]),
        wrong_axis: over_columns, later: lambda e, A, s: paths(np.vstack([e[:1], 0 * e[1:]]), A, s),
        "the last row of emissions is missing": lambda e, A, s: paths(np.vstack([e[:-1], 0 * e[-1:]]), A, s),
        "the first row of emissions is missing": lambda e, A, s: paths(np.vstack([0 * e[:1], e[1:]]), A, s),
        "the best path's score was subtracted: the sum over all paths is asked": lambda e, A,
            s: paths(e, A, s) - paths(e, A, s, np.max),
    })
    for T, K in ((4, 3), (6, 2), (3, 5), (1, 3)):
        e, A, s = draw(T, K), draw(K, K), draw(K)
        check(log_partition, e, A, s).equals(paths(e, A, s), about="all paths of random scores", edge=T == 1)
    e, A, s = draw(4, 3) * 500, draw(3, 3) * 500, draw(3) * 500
    check(log_partition, e, A, s).equals(paths(e, A, s), about="large scores", near={
        "an exponential overflowed: subtract the largest number first": np.inf,
            "an exponential overflowed (NaN): subtract the largest number first": np.nan,
            "every exponential became 0: subtract the largest number first": -np.inf})
    check(log_partition, e - 5000, A, s).equals(paths(e - 5000, A, s), about="large negative scores", near={
        "an exponential overflowed (NaN): subtract the largest number first": np.nan,
        "every exponential became 0: subtract the largest number first": -np.inf})
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## The rival: a hidden Markov model, by counting
#
# The inbox comes with tags for persons, dates, times, places, sums of money, courses and organisations. It is split by
# core sentence, so that no sentence of its grammar stands on both sides. A hidden Markov model needs no training but
# counting, with `add_k` for what was never seen; and Viterbi reads the tags.

# %% given
def hmm(sentences: list, k: float = 0.01) -> tuple[list[str], dict[str, int], np.ndarray, np.ndarray, np.ndarray]:
    """Count a hidden Markov model; returns (tags, words, log emissions (W, K), log transitions (K, K), log start (K,)).

    The last word number stands for all unseen words; words seen once teach what it looks like.
    """
    tags = sorted({tag for _, found in sentences for tag in found})
    counts = Counter(word.lower() for tokens, _ in sentences for word in tokens)
    words = {word: i for i, word in enumerate(sorted(w for w, n in counts.items() if n > 1))}
    number = {tag: i for i, tag in enumerate(tags)}
    emissions = np.full((len(words) + 1, len(tags)), k)
    transitions, start = np.full((len(tags), len(tags)), k), np.full(len(tags), k)
    for tokens, found in sentences:
        row = [number[tag] for tag in found]
        start[row[0]] += 1
        np.add.at(transitions, (row[:-1], row[1:]), 1)
        np.add.at(emissions, ([words.get(w.lower(), len(words)) for w in tokens], row), 1)
    tables = (emissions, 0), (transitions, 1), (start, 0)
    return tags, words, *(np.log(m / m.sum(axis=axis, keepdims=True)) for m, axis in tables)

# %% [markdown]
# ## Exercise 11: judging a tagger (`tagging`)
#
# 20 minutes, ★★, 6 points
#
# Two things are needed before a network can be trained and compared. The loss must not learn from padding: sentences
# of a batch are padded to one length, and the **masked loss** is the mean over the *real* tokens of the batch. And
# accuracy says little, since 85 per cent of the tokens are `O`. What counts is whether a whole **span** was found: its
# label, its first and its last token, all three. Write
#
# 1. `masked_cross_entropy(logits, tags, lengths)` with torch: the mean of $-\ln p(\text{tag})$ over all real
#    tokens of the batch, a scalar tensor that can be trained on. Beyond the length the scores may be any numbers, and
#    the tag numbers anything, even $-1$. At least one length is above 0.
# 2. `spans(tags)`: the set of `(label, first, end)` of one sentence, where `end` is one past the last token. A span
#    begins at a `B-`, and also at an `I-` that does not continue: after `O`, at the start, or after another label. It
#    goes on through each following `I-` of the same label.
# 3. `span_scores(gold, predicted)`: for two equally long lists of tag lists, (precision, recall, F1) over all sentences
#    together: a predicted span is right if the same span is in the gold tags of the same sentence. A share of nothing
#    is 0.0.
#
# By hand: `B-A I-A O I-B B-B` holds three spans: (A, 0, 2), (B, 3, 4), (B, 4, 5).
#
# <details><summary>Hint 1</summary>The places that count: <code>torch.arange(T) &lt; lengths[:, None]</code>. Pick them
# before the loss, and no number beyond is ever looked at.</details>
# <details><summary>Hint 2</summary>Walk through the tags with one open span. Close it when the tag is not an I- of its
# label; then open another if the tag is not O.</details>
# <details><summary>Hint 3</summary>Make the spans of all sentences one set, with the number of the sentence in
# each.</details>

# %% exercise="tagging"
def masked_cross_entropy(logits: torch.Tensor, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return the mean cross-entropy over real tokens, a scalar. logits: (B, T, K), tags: (B, T), lengths: (B,)."""
    ### BEGIN SOLUTION
    real = torch.arange(tags.shape[1], device=tags.device) < lengths[:, None]  # (B, T)
    return F.cross_entropy(logits[real], tags[real])
    ### END SOLUTION


def spans(tags: Sequence[str]) -> set[tuple[str, int, int]]:
    """Return the spans of a sentence in BIO tags: {(label, first token, one past the last token), ...}."""
    ### BEGIN SOLUTION
    found, label, first = set(), None, 0
    for i, tag in enumerate([*tags, "O"]):
        if label is not None and tag != f"I-{label}":
            found.add((label, first, i))
            label = None
        if label is None and tag != "O":
            label, first = tag[2:], i
    return found
    ### END SOLUTION


def span_scores(gold: list[Sequence[str]], predicted: list[Sequence[str]]) -> tuple[float, float, float]:
    """Return (precision, recall, F1) of whole spans over all sentences."""
    ### BEGIN SOLUTION
    true, found = ({(n, *span) for n, tags in enumerate(part) for span in spans(tags)} for part in (gold, predicted))
    hits = len(true & found)
    precision, recall = hits / len(found) if found else 0.0, hits / len(true) if true else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0
    ### END SOLUTION

# %% check="tagging" points=6
# The check of `tagging`: run this cell (Shift+Enter) after the one above.
from helpers.checks import difference, graded


@graded("tagging", points=6)
def score(check):
    import re

    import numpy as np
    import torch
    from torch.nn import functional as F

    padding = "the padding was counted, too: only real tokens are"
    all_places = "the sum over real tokens was divided by all places: divide by the number of real ones"
    per_row = "the mean of each sentence came first: it is one mean over all tokens of the batch"
    summed = "this is the sum: the mean over the real tokens is asked"
    rows = "the sum was divided by the number of sentences: divide by the number of real tokens"
    stray = "an I- that continues nothing begins a span"
    glued = "a B- begins a new span, even after one of the same label"
    other = "an I- of another label begins a new span"
    last = "a span that reaches the end of the sentence is missing"
    inclusive = "`end` is one past the last token"
    per_token = "these are shares of tokens: whole spans count"
    labels_only = "the label must be right, too"

    logits = torch.tensor([[[2.0, 0.0], [0.0, 1.0], [3.0, 3.0]], [[0.0, 4.0], [5.0, 0.0], [1.0, 0.0]]])
    tags, lengths = torch.tensor([[0, 0, 1], [1, 1, 0]]), torch.tensor([2, 1])
    check(masked_cross_entropy, logits, tags, lengths).equals(0.48611, rtol=1e-3,
        near={padding: 1.2452, all_places: 0.24306, per_row: 0.36912, summed: 1.4583, rows: 0.72917})
    check(spans, ["B-A", "I-A", "O", "I-B", "B-B"]).equals({("A", 0, 2), ("B", 3, 4), ("B", 4, 5)},
        near={stray: {('B', 4, 5), ('A', 0, 2)}, glued: {('B', 3, 5), ('A', 0, 2)}, last: {('B', 3, 4), ('A', 0, 2)},
        inclusive: {('B', 3, 3), ('A', 0, 1), ('B', 4, 4)}})
    dropped = "an I- of another label begins a new span: here it was dropped"
    check(spans, ["B-A", "I-B", "I-B"]).equals({("A", 0, 1), ("B", 1, 3)}, near={other: {("A", 0, 3)},
        dropped: {("A", 0, 1)}, inclusive: {("A", 0, 0), ("B", 1, 2)}})
    gold = [["B-A", "I-A", "O", "B-B"], ["O", "B-A", "O", "O"], ["B-B", "I-B", "I-B", "O"]]
    found = [["B-A", "I-A", "O", "B-A"], ["O", "B-A", "I-A", "O"], ["B-B", "I-B", "I-B", "B-A"]]
    check(span_scores, gold, found).equals((0.4, 0.5, 4 / 9), near={per_token: (0.66667, 0.85714, 0.75)})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def losses(logits, tags):
        return F.cross_entropy(logits.transpose(1, 2), tags.clamp(min=0), reduction="none")

    def real(tags, n):
        return torch.arange(tags.shape[1]) < n[:, None]

    check.mistakes({
        padding: lambda z, y, n: losses(z, y).mean(), all_places: lambda z, y, n: (losses(z, y) * real(y, n)).mean(),
        per_row: lambda z, y, n: ((losses(z, y) * real(y, n)).sum(1) / n).mean(), summed: lambda z, y,
            n: (losses(z, y) * real(y, n)).sum(),
        rows: lambda z, y, n: (losses(z, y) * real(y, n)).sum() / len(n),
        "the logits of the padding were set to 0, but counted: leave those places out": lambda z, y, n: losses(
            z * real(y, n)[..., None], y * real(y, n)).mean(),
        "one number for each token: the mean is asked": lambda z, y, n: losses(z, y) * real(y, n),
        "one number for each sentence: the mean over the batch is asked": lambda z, y,
            n: (losses(z, y) * real(y, n)).sum(1) / n,
        "a softmax was taken before the cross-entropy, which takes one itself": lambda z, y,
            n: losses(z.softmax(-1), y)[real(y, n)].mean(),
        "the logits were taken for logarithms of probabilities: the softmax is missing": lambda z, y, n: -z.gather(
            -1, y.clamp(min=0)[..., None])[..., 0][real(y, n)].mean(),
        "the sign is turned round": lambda z, y, n: -losses(z, y)[real(y, n)].mean(),
        "the last real token of each sentence is missing": lambda z, y, n: losses(z, y)[real(y, n - 1)].mean(),
        "one token of the padding was counted in each sentence": lambda z, y, n: losses(z, y)[real(y, n + 1)].mean(),
        "the real tokens were masked, and the padding counted": lambda z, y, n: losses(z, y)[~real(y, n)].mean(),
        "tag 0 was taken for padding: it is a tag like any other": lambda z, y,
            n: losses(z, y)[real(y, n) & (y != 0)].mean(),
    })
    for B, T, K in ((3, 5, 4), (4, 7, 3), (2, 6, 5)):
        z, y = torch.tensor(check.rng.normal(size=(B, T, K)) * 2), torch.tensor(check.rng.integers(K, size=(B, T)))
        n = torch.tensor([T - 2, *check.rng.integers(1, T - 1, size=B - 1)])
        expected = -np.mean([np.log(np.exp(z[b, t, y[b, t]]) / np.exp(z[b, t]).sum()) for b in range(B)
            for t in range(int(n[b]))])
        check(masked_cross_entropy, z, y, n).equals(expected, about="random sentences", rtol=1e-4)
    check(masked_cross_entropy, z, torch.where(real(y, n), y, -1), n).equals(expected, about="-1 beyond the length",
        rtol=1e-4, near={
        "a tag beyond the length was looked at: it may be any number": IndexError})
    check(masked_cross_entropy, z, y, torch.tensor([1, 0])).equals(
        float(losses(z, y)[0, 0]), about="one real token", edge=True, rtol=1e-4)
    far = torch.tensor(check.rng.normal(size=z.shape) * 1e4)
    check(masked_cross_entropy, torch.where(real(y, n)[..., None], z, far), y, n).equals(expected,
        about="scores beyond the length", rtol=1e-4, edge=True)
    check(masked_cross_entropy, z.clone().requires_grad_(), y, n).holds(lambda v: v.requires_grad,
        "a tensor from which autograd finds its way back to the logits", near={
        "the gradient is cut on its way to the logits: no detach, no item, no NumPy": lambda v: difference(
            v, expected, 1e-4) is None})

    def marked(tags, *, stray=True, glue=False, other=True, last=True, inclusive=False, drop=False):
        found, label, first = set(), None, 0
        for i, tag in enumerate([*tags, "O"] if last else list(tags)):
            before, goes_on = label, label is not None and (tag == f"I-{label}" or (glue and tag == f"B-{label}")
                or (not other and tag[:2] == "I-"))
            if label is not None and not goes_on:
                found.add((label, first, i - inclusive))
                label = None
            if label is None and (tag[:2] == "B-" or (stray and tag[:2] == "I-" and not (drop and before))):
                label, first = tag[2:], i
        return found

    known = {
        stray: {"stray": False}, glued: {"glue": True}, other: {"other": False}, last: {"last": False},
            inclusive: {"inclusive": True},
        dropped: {"drop": True},
        "an I- that continues nothing begins a span, and one of another label does, too": {"stray": False,
            "other": False},
    }
    check.mistakes({s: lambda t, v=v: marked(t, **v) for s, v in known.items()} | {
        "the label stands without its B- or I-": lambda t: {(f"B-{a}", i, j) for a, i, j in marked(t)},
        "each token became a span of its own": lambda t: {(v[2:], i, i + 1) for i, v in enumerate(t) if v != "O"},
        "a span goes on through each I- of its label: here it ended after one token": lambda t: {
            (v[2:], i, i + 1) for i, v in enumerate(t) if v[0] == "B"},
        "a span is (label, first, end): the label comes first": lambda t: {(i, j, a) for a, i, j in marked(t)},
        "the third number is the end, not the length": lambda t: {(a, i, j - i) for a, i, j in marked(t)},
        "only the label and the first token came: the end is asked, too": lambda t: {(a, i) for a, i, j in marked(t)},
        "a set is asked: here a list came": lambda t: sorted(marked(t), key=lambda s: s[1]),
        "a span of one token is a span, too": lambda t: {s for s in marked(t) if s[2] - s[1] > 1},
        "the stretches of O are no spans": lambda t: marked(t) | {("O", i, i + 1) for i,
            v in enumerate(t) if v == "O"},
    })
    names = ["O", "O", "B-X", "I-X", "B-Y", "I-Y", "I-X"]

    def by_text(tags):
        text = "".join({"O": "o", "B-X": "X", "I-X": "x", "B-Y": "Y", "I-Y": "y"}[t] for t in tags)
        return {(m.group()[0].upper(), m.start(), m.end()) for m in re.finditer("[Xx]x*|[Yy]y*", text)}

    drawn = [[str(t) for t in check.rng.choice(names, size=9)] for _ in range(6)]
    for tags in [*drawn, ["I-X", "I-X", "O"], ["B-X", "I-Y", "I-X"], ["O", "B-Y", "B-Y"]]:
        check(spans, tags).equals(by_text(tags), about="random tags")
    check(spans, ["B-AB-C", "I-AB-C"]).equals({("AB-C", 0, 2)}, about="a label with a hyphen", edge=True,
        near={"a label may hold a hyphen of its own: cut off B- or I- only": {("AB", 0, 2)},
        "a label may hold a hyphen of its own: cut off B- or I- only, not all but the end": {("C", 0, 2)}})
    check(spans, ["O", "O"]).equals(set(), about="nothing named", edge=True)
    check(spans, []).equals(set(), about="no tokens", edge=True)

    def shares(hits, found, true):
        p, r = hits / found if found else 0.0, hits / true if true else 0.0
        return p, r, 2 * p * r / (p + r) if p + r else 0.0

    def judged(gold, predicted, cut=lambda n, s: (n, *s), read=by_text):
        a, b = ([cut(n, s) for n, t in enumerate(part) for s in read(t)] for part in (gold, predicted))
        hits = sum(s in set(a) for s in b)
        return shares(hits, len(b), len(a))

    def each(gold, predicted):
        return tuple(float(v) for v in np.mean([judged([a], [b]) for a, b in zip(gold, predicted, strict=True)],
            axis=0))

    def tokens(gold, predicted):
        a, b = ([t for tags in part for t in tags] for part in (gold, predicted))
        return shares(sum(x == y != "O" for x, y in zip(a, b, strict=True)), sum(t != "O" for t in b),
            sum(t != "O" for t in a))

    def touching(gold, predicted):
        pairs = [(by_text(a), by_text(b)) for a, b in zip(gold, predicted, strict=True)]
        hits = sum(any(k == m and s < y and x < e for m, x, y in a) for a, b in pairs for k, s, e in b)
        return shares(hits, sum(len(b) for _, b in pairs), sum(len(a) for a, _ in pairs))

    check.mistakes({
        "a span that only overlaps with one of the same label is not right: first and last token must be": touching,
        per_token: tokens, labels_only: lambda g, p: judged(g, p, lambda n, s: (n, *s[1:])),
        "the end of the span must be right, too": lambda g, p: judged(g, p, lambda n, s: (n, *s[:2])),
        "the first token must be right, too": lambda g, p: judged(g, p, lambda n, s: (n, s[0], s[2])),
        "spans of different sentences were confused: a span belongs to its sentence": lambda g,
            p: judged(g, p, lambda n, s: s),
        "spans of different sentences became one: a span belongs to its sentence": lambda g, p: (lambda a, b: shares(
            len(a & b), len(b), len(a)))(*(set().union(*map(by_text, part)) for part in (g, p))),
        "precision and recall are exchanged": lambda g, p: (*judged(g, p)[1::-1], judged(g, p)[2]),
        "the mean over the sentences was taken: count over all of them together": each,
        "the order is precision, recall, F1": lambda g, p: judged(g, p)[::-1],
        "F1 is the harmonic mean: here the plain mean came": lambda g,
            p: (*judged(g, p)[:2], sum(judged(g, p)[:2]) / 2),
        "F1 is the harmonic mean: here the geometric one came": lambda g,
            p: (*judged(g, p)[:2], float(np.prod(judged(g, p)[:2])) ** 0.5),
        "F1 is 2 p r / (p + r): the 2 is missing": lambda g, p: (*judged(g, p)[:2], judged(g, p)[2] / 2),
        "these are percentages: return shares": lambda g, p: tuple(100 * v for v in judged(g, p)),
        "F1 alone came: precision and recall are asked, too": lambda g, p: judged(g, p)[2],
    })
    for size in (4, 6, 9):
        gold = [[str(t) for t in check.rng.choice(names, size=8)] for _ in range(size)]
        found = [[t if check.rng.uniform() < 0.75 else str(check.rng.choice(names)) for t in tags] for tags in gold]
        check(span_scores, gold, found).equals(judged(gold, found), about="random sentences, judged")
    check(span_scores, gold, [["O"] * 8 for _ in gold]).equals((0.0, 0.0, 0.0), about="nothing found", edge=True,
        near={
        "nothing was found: a share of nothing is 0.0": ZeroDivisionError,
        "nothing was found: a share of nothing is 0.0, not 1": (1.0, 0.0, 0.0)})
    check(span_scores, [["O"]], [["O"]]).equals((0.0, 0.0, 0.0), about="nothing there", edge=True, near={
        "a share of nothing is 0.0": ZeroDivisionError,
            "nothing there and nothing found: a share of nothing is 0.0, not 1": (1.0, 1.0, 1.0),
            "nothing was found: a share of nothing is 0.0, not 1": (1.0, 0.0, 0.0)})
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## A tagger for the inbox
#
# The network reads three things of each token: the word, its last three letters, and its shape (capitals, digits,
# marks). A bidirectional LSTM reads them in both directions, and one linear layer scores the tags of each token.

# %% given
class Features:
    """Turns sentences into numbers: for each token its word, its last three letters and its shape; 0 is padding."""

    def __init__(self, sentences: list[Sequence[str]]):
        counts = Counter(w.lower() for tokens in sentences for w in tokens)
        ends = Counter(w.lower()[-3:] for tokens in sentences for w in tokens)
        self.words = {w: i for i, w in enumerate(sorted(w for w, n in counts.items() if n > 1), start=2)}
        self.ends = {w: i for i, w in enumerate(sorted(w for w, n in ends.items() if n > 4), start=2)}
        self.sizes = (len(self.words) + 2, len(self.ends) + 2, 9)

    def of(self, word: str) -> list[int]:
        """Return the three numbers of a word; 1 is unknown."""
        shape = 1 + 4 * word[:1].isupper() + 2 * any(c.isdigit() for c in word) + (word.isupper()
            or not word.isalnum())
        return [self.words.get(word.lower(), 1), self.ends.get(word.lower()[-3:], 1), shape]

    def pad(self, sentences: list[Sequence[str]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (numbers (B, T, 3), lengths (B,))."""
        rows = [torch.tensor([self.of(w) for w in tokens]) for tokens in sentences]
        return nn.utils.rnn.pad_sequence(rows, batch_first=True), torch.tensor([len(row) for row in rows])


class Reader(nn.Module):
    """A bidirectional LSTM over the features; states (B, T, 2 * width), and scores for tags and for whole messages."""

    def __init__(self, features: Features, tags: int, classes: int = 1, width: int = 64):
        super().__init__()
        self.embed = nn.ModuleList(nn.Embedding(size, d) for size, d in zip(features.sizes, (64, 24, 8), strict=True))
        self.lstm = nn.LSTM(96, width, batch_first=True, bidirectional=True)
        self.drop, self.tag, self.label = nn.Dropout(0.3), nn.Linear(2 * width, tags), nn.Linear(2 * width, classes)

    def forward(self, x, lengths):
        e = self.drop(torch.cat([embed(x[..., i]) for i, embed in enumerate(self.embed)], dim=-1))
        packed = nn.utils.rnn.pack_padded_sequence(e, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0],
            batch_first=True)  # zeros beyond the length
        states = self.drop(states)
        return self.tag(states), self.label(states.sum(dim=1) / lengths[:, None])


def message_batches(features: Features, sentences: list, tags: list[str], labels: list[int],
    rows: int = 32) -> list[tuple]:
    """Return batches of messages of similar length: (numbers, lengths, tag numbers, labels), in random order."""
    number = {tag: i for i, tag in enumerate(tags)}
    noise = np.random.default_rng(SEED)
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i][0]) + noise.uniform(0, 4))
    batches = []
    for start in range(0, len(order), rows):
        part = order[start : start + rows]
        x, lengths = features.pad([sentences[i][0] for i in part])
        y = [torch.tensor([number.get(tag, 0) for tag in sentences[i][1]]) for i in part]
        batches.append((x, lengths, nn.utils.rnn.pad_sequence(y, batch_first=True),
            torch.tensor([labels[i] for i in part])))
    return [batches[i] for i in noise.permutation(len(batches))]


def tags_loss(model, batch):
    return masked_cross_entropy(model(batch[0], batch[1])[0], batch[2], batch[1])


def label_loss(model, batch):
    return F.cross_entropy(model(batch[0], batch[1])[1], batch[3])


def tagged(model, features: Features, sentences: list, tags: list[str]) -> list[list[str]]:
    """Return the likeliest tags of each sentence."""
    out = []
    with torch.no_grad():
        for start in range(0, len(sentences), 100):
            x, lengths = features.pad([tokens for tokens, _ in sentences[start : start + 100]])
            best = model(x, lengths)[0].argmax(-1)
            out += [[tags[i] for i in row[:n].tolist()] for row, n in zip(best, lengths.tolist(), strict=True)]
    return out


def lawful(tags: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return transitions (K, K) and start (K,): 0 where BIO allows a step, a large negative score where it does not."""
    def allowed(before: str, tag: str) -> bool:
        return tag[:2] != "I-" or before[2:] == tag[2:]

    scores = np.array([[0.0 if allowed(a, b) else -1e6 for b in tags] for a in ["O", *tags]])
    return scores[1:], scores[0]


def tagged_lawfully(model, features: Features, sentences: list, tags: list[str]) -> list[list[str]]:
    """Return the best path of each sentence among those that BIO allows, by the network's log-probabilities."""
    transitions, start = lawful(tags)
    out = []
    for tokens, _ in sentences:
        with torch.no_grad():
            rows = model(*features.pad([tokens]))[0][0].log_softmax(-1).double().numpy()
        out.append([tags[i] for i in viterbi(rows, transitions, start)])
    return out


def accuracy(gold: list, predicted: list) -> float:
    """Return the share of tokens with the right tag."""
    pairs = [(a, b) for g, p in zip(gold, predicted, strict=True) for a, b in zip(g, p, strict=True)]
    return sum(a == b for a, b in pairs) / len(pairs)

# %% show
inbox_tags = data.load("inbox_tags")
judged = inbox_tags.test
gold = [tags for _, tags in judged]
tag_names, hmm_words, hmm_emissions, hmm_transitions, hmm_start = hmm(inbox_tags.train)
by_counting = []
for tokens, _ in judged:
    rows = hmm_emissions[[hmm_words.get(w.lower(), len(hmm_words)) for w in tokens]]
    by_counting.append([tag_names[i] for i in viterbi(rows, hmm_transitions, hmm_start)])

seed_everything(SEED)
features = Features([tokens for tokens, _ in inbox_tags.train])
tagger = Reader(features, len(tag_names))
TAG_STEPS = budget(grade=30, cpu=500)
batches = message_batches(features, inbox_tags.train, tag_names, [0] * len(inbox_tags.train))
print(fit(tagger, batches, tags_loss, steps=TAG_STEPS, lr=5e-3, progress=False))
by_network = tagged(tagger, features, judged, tag_names)
by_both = tagged_lawfully(tagger, features, judged, tag_names)
print(f"\n{'':<24}{'accuracy':>9}{'precision':>10}{'recall':>8}{'F1':>7}   of whole spans")
span_table = {"O everywhere": [["O"] * len(g) for g in gold], "HMM, Viterbi": by_counting, "BiLSTM": by_network,
              "BiLSTM, Viterbi": by_both}
for name, found in span_table.items():
    p, r, f1 = span_scores(gold, found)
    print(f"{name:<24}{accuracy(gold, found):>9.3f}{p:>10.3f}{r:>8.3f}{f1:>7.3f}")
tokens, tags = judged[7]
read_as = " ".join(w if t == "O" else f"[{w} {t}]" for w, t in zip(tokens, by_network[7], strict=True))
print("\n" + textwrap.fill(read_as, 100))

# %% show
labels = sorted({tag[2:] for tag in tag_names if tag != "O"})
def of_label(tags: list, label: str) -> list:
    return [[t if t.endswith(f"-{label}") else "O" for t in row] for row in tags]

by_label = {name: [span_scores(of_label(gold, k), of_label(found, k))[2] for k in labels]
            for name, found in span_table.items()}
fig, ax = plots.figure(width=7, height=3.2)
for i, (name, hatch) in enumerate((("HMM, Viterbi", "//"), ("BiLSTM, Viterbi", ""))):
    ax.bar(np.arange(len(labels)) + 0.4 * i, by_label[name], width=0.38, hatch=hatch, label=name, edgecolor="white")
ax.set_xticks(np.arange(len(labels)) + 0.2, [k.lower() for k in labels])
ax.set(ylabel="F1 of whole spans", ylim=(0, 1.2), yticks=np.linspace(0, 1, 6))
ax.legend(ncols=2)
scores = zip(labels, by_label["HMM, Viterbi"], by_label["BiLSTM, Viterbi"], strict=True)
told = ", ".join(f"{k.lower()} {a:.2f} and {b:.2f}" for k, a, b in scores)
plots.show(fig, "Bars of the F1 of whole spans for each of seven labels, the hidden Markov model beside the BiLSTM: "
    f"{told}.")

# %% [markdown]
# **What a CRF layer adds.** The BiLSTM scores each token alone, and may put an `I-TIME` after an `O`. With a table of
# transitions on top, learned together with it, the path has the score $s(y)$ of exercise 10, the loss is $\ln
# \sum_{y'} e^{s(y')} - s(y)$, and Viterbi reads the tags. (The last row of the table above is a cheap relative:
# Viterbi over the network's log-probabilities, with transitions that only forbid what BIO forbids.) For three tokens
# and two tags:

# %% show
# NBVAL_CHECK_OUTPUT
emissions, start = np.array([[1.0, 0.0], [0.0, 2.0], [0.5, 0.0]]), np.zeros(2)
transitions = np.array([[1.0, -3.0], [0.0, 0.0]])
total = log_partition(emissions, transitions, start)
for tags in ([0, 0, 0], [0, 1, 0], [1, 1, 0]):
    s = path_score(emissions, transitions, start, tags)
    print(f"{tags}: score {s:+.1f}, probability {math.exp(s - total):.3f}")
print("the best path:", viterbi(emissions, transitions, start))

# %% show
odd = sum(t.startswith("I-") and before not in (t, "B" + t[1:])
          for row in by_network for before, t in zip(["O", *row], row, strict=False))
print(f"BiLSTM without a CRF: {odd} of {sum(map(len, by_network)):,} tags are an I- that continues nothing")

# %% [markdown]
# ## Two tasks, one reader
#
# Each message of the inbox also has an *intent* (parcel, loan, event ...; nineteen of them). Multi-task learning
# trains one encoder for both: the losses are added, each with a weight. Where the tasks share what they need to know,
# each is a teacher for the other; where they do not, they compete for the same numbers. Either way one network is
# stored instead of two. The messages of the test come from core sentences that training has never seen, which is hard
# for the intent.

# %% show
from helpers.data.tagged import bio

messages = data.load("inbox")
intent_of = {tuple(bio(t, e).tokens): i for t, e, i in zip(messages.texts, messages.entities, messages.intents,
    strict=True)}
intents = sorted(set(intent_of.values()))
number_of = {name: i for i, name in enumerate(intents)}
train_labels, test_labels = ([number_of[intent_of[tuple(tokens)]] for tokens, _ in part]
                             for part in (inbox_tags.train, judged))
both = message_batches(features, inbox_tags.train, tag_names, train_labels)
LOSSES = {"entities alone": tags_loss, "intent alone": label_loss,
          "both": lambda m, b: tags_loss(m, b) + 0.3 * label_loss(m, b)}
x, lengths = features.pad([tokens for tokens, _ in judged])
print(f"{'trained on':<18}{'span F1':>9}{'intent right':>14}")
for name, loss in LOSSES.items():
    seed_everything(SEED)
    model = Reader(features, len(tag_names), len(intents))
    fit(model, both, loss, steps=budget(grade=20, cpu=180), lr=5e-3, progress=False)
    with torch.no_grad():
        right = (model(x, lengths)[1].argmax(-1) == torch.tensor(test_labels)).float().mean().item()
    f1 = span_scores(gold, tagged(model, features, judged, tag_names))[2]
    f1, right = ("" if name == "intent alone" else f"{f1:.3f}"), ("" if name == "entities alone" else f"{right:.3f}")
    print(f"{name:<18}{f1:>9}{right:>14}")

# %% [markdown]
# Here they compete. In 180 steps, which is not long (the tagger above had 500), both tasks end lower together than
# each alone; so it was for five seeds of five. A second task is no present as such.

# %% [markdown]
# ## The same tagger on the web: parts of speech
#
# Where the English Web Treebank can be had, the same class learns its seventeen parts of speech from 12,544 sentences.
# Giving each word its most frequent tag is right for 86.2 per cent of the test words.

# %% show
ewt = data.load("ud_ewt")
if ewt.card.name == "ud_ewt":
    seed_everything(SEED)
    ewt_features = Features([tokens for tokens, _ in ewt.train])
    ewt_tagger = Reader(ewt_features, len(ewt.tags), width=96)
    ewt_batches = message_batches(ewt_features, ewt.train, ewt.tags, [0] * len(ewt.train))
    print(fit(ewt_tagger, ewt_batches, tags_loss, steps=budget(grade=30, cpu=1200), lr=5e-3, progress=False))
    right = accuracy([tags for _, tags in ewt.test], tagged(ewt_tagger, ewt_features, ewt.test, ewt.tags))
    print(f"English Web Treebank: {right:.1%} of the test words have the right part of speech")
else:
    print("Left out here: the inbox's tags were judged above.")

# %% [markdown]
# ## The leaderboard: spam, read by an LSTM
#
# Many to one: the mean of the reader's states goes into one linear layer. The split is that of chapter 01.

# %% show
mail_train, mail_test = messages.without_repeats().split(test=0.2, seed=SEED)
TOKEN = re.compile(r"\w+|[^\w\s]")
mail = [[TOKEN.findall(text) or ["."] for text in part.texts] for part in (mail_train, mail_test)]
with leaderboard.measured("03", "BiLSTM, mean of its states", "inbox") as row:
    seed_everything(SEED)
    mail_features = Features(mail[0])
    spam_reader = Reader(mail_features, 1, 2)
    rows = [(tokens, ["O"] * len(tokens)) for tokens in mail[0]]
    fit(spam_reader, message_batches(mail_features, rows, ["O"], list(mail_train.labels)), label_loss,
        steps=budget(grade=30, cpu=300), lr=5e-3, progress=False)
    with torch.no_grad():
        spam = torch.cat([spam_reader(*mail_features.pad(mail[1][i : i + 100]))[1].argmax(-1)
                          for i in range(0, len(mail[1]), 100)])
    true = torch.tensor(mail_test.labels) == 1
    hits = (spam[true] == 1).sum().item()
    row.f1 = 2 * hits / (spam.sum().item() + true.sum().item())
    row.parameters = sum(p.numel() for p in spam_reader.parameters())
print(leaderboard.table("inbox"))

# %% [markdown]
# ## Exercise 12: teacher forcing and greedy decoding (`decoding`)
#
# 15 minutes, ★★, 5 points
#
# A translator is two networks. The **encoder** reads the source and hands on its last state, nothing else; the
# **decoder** is a language model of the target that begins from that state (Sutskever and others, 2014; Cho and
# others, 2014). In training the decoder is fed the *right* target, one step late: at step $t$ it sees target $t - 1$
# and must say target $t$. That is **teacher forcing**: all steps train at once, and an early mistake does not spoil
# the later ones. When it translates, there is no teacher: its own likeliest token is fed back.
#
# 1. `shift_right(targets, begin)`: what the decoder is fed: $(B, T)$, each row begins with `begin` and goes on with
#    the targets without the last. The dtype stays.
# 2. `greedy_decode(step, state, begin, end, limit)`: `step(tokens, state)` takes the last tokens, $(B)$, and a state, a
#    tensor whose **first axis is the batch**, and returns logits $(B, K)$ and the new state. Begin with `begin` in each
#    row, take the likeliest token (of equal ones the first), feed it back. A row that has said `end` says `end` from
#    then on. Stop when all rows have said `end`, or after `limit` steps; the result is a tensor of token numbers,
#    $(B, L)$, with the ends that were said and without `begin`.
#
# By hand: targets `5 6 7`, begin 1: the decoder is fed `1 5 6`.
#
# <details><summary>Hint 1</summary><code>torch.cat([first column of begins, targets[:, :-1]], dim=1)</code></details>
# <details><summary>Hint 2</summary>Keep a boolean tensor of the rows that have ended; overwrite their tokens with
# <code>torch.where</code>.</details>

# %% exercise="decoding"
def shift_right(targets: torch.Tensor, begin: int) -> torch.Tensor:
    """Return the decoder's input, (B, T), for targets (B, T): `begin`, then all targets but the last."""
    ### BEGIN SOLUTION
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1)
    ### END SOLUTION


def greedy_decode(step: Callable, state: torch.Tensor, begin: int, end: int, limit: int) -> torch.Tensor:
    """Return the likeliest tokens, one after another, (B, L) with L at most `limit`.

    step: (tokens (B,), state) -> (logits (B, K), state). state: a tensor with the batch first.
    """
    ### BEGIN SOLUTION
    tokens = torch.full((len(state),), begin, device=state.device)
    ended, said = torch.zeros_like(tokens, dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(dim=-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, dim=1)
    ### END SOLUTION

# %% check="decoding" points=5
# The check of `decoding`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("decoding", points=5)
def score(check):
    import torch

    unshifted = "the decoder was fed the target itself: it must see the one before, or it copies the answer"
    no_begin = "each row begins with `begin`"
    left = "the targets were shifted to the left: the decoder would see the future"
    longer = "the last target is not fed: the length stays T"
    rolled = "the row was rolled: its first entry is `begin`, not the last target"
    with_begin = "`begin` is not part of the result"
    after_end = "a row that has said `end` says `end` from then on"
    stopped = "the decoding stopped when one row had ended: go on until all have"
    no_end = "the ends that were said belong to the result"
    same_state = "every step got the first state: pass on the one that came back"
    goes_on = "the decoding goes on to the limit though all rows have ended"
    same_token = "every step was fed `begin`: feed back the token just said"

    targets = torch.tensor([[5, 6, 7], [8, 9, 2]])
    check(shift_right, targets, 1).equals([[1, 5, 6], [1, 8, 9]], dtype="i", near={unshifted: [[5, 6, 7], [8, 9, 2]],
        no_begin: [[0, 5, 6], [0, 8, 9]], left: [[6, 7, 1], [9, 2, 1]], longer: [[1, 5, 6, 7], [1, 8, 9, 2]],
        rolled: [[7, 5, 6], [2, 8, 9]],
        "the first column is `begin`: here the first row was overwritten": [[1, 1, 1], [2, 8, 9]]})

    def counting(tokens, state):
        """The next token is the last one plus the row's number; 7 and above become 7."""
        following = (tokens + state[:, 0]).clamp(max=7)
        return torch.nn.functional.one_hot(following, 8).float(), state

    start = torch.tensor([[1], [3], [7]])
    check(greedy_decode, counting, start, 0, 7, 20).equals(
        [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, 7, 7, 7, 7], [7, 7, 7, 7, 7, 7, 7]],
            about="rows that end at different steps", near={with_begin: [[0, 1, 2, 3, 4, 5, 6, 7],
            [0, 3, 6, 7, 7, 7, 7, 7], [0, 7, 7, 7, 7, 7, 7, 7]], stopped: [[1], [3], [7]],
            no_end: [[1, 2, 3, 4, 5, 6], [3, 6, 7, 7, 7, 7], [7, 7, 7, 7, 7, 7]],
            goes_on: [[1, 2, 3, 4, 5, 6, 7] + [7] * 13, [3, 6] + [7] * 18, [7] * 20],
            same_token: [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
            [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3], [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
            7, 7, 7, 7, 7, 7]]})
    check(greedy_decode, counting, start, 0, 7, 3).equals([[1, 2, 3], [3, 6, 7], [7, 7, 7]], about="the limit",
        near={with_begin: [[0, 1, 2, 3], [0, 3, 6, 7], [0, 7, 7, 7]], stopped: [[1], [3], [7]],
        same_token: [[1, 1, 1], [3, 3, 3], [7, 7, 7]]})

    def turning(tokens, state):
        """The next token is the last one plus the row's number, less 8 if above 7; the number grows by 1."""
        return torch.nn.functional.one_hot((tokens + state[:, 0]) % 8, 8).float(), state + 1

    check(greedy_decode, turning, torch.tensor([[3], [4]]), 0, 7, 9).equals([[3, 7, 7], [4, 1, 7]],
        about="a row that would go on after its end", near={after_end: [[3, 7, 4], [4, 1, 7]], after_end + " (here all "
        "had to say it in one step)": [[3, 7, 4, 2, 1, 1, 2, 4, 7], [4, 1, 7, 6, 6, 7, 1, 4, 0]], stopped: [[3, 7],
        [4, 1]], with_begin: [[0, 3, 7, 7], [0, 4, 1, 7]], same_state: [[3, 6, 1, 4, 7, 7, 7, 7, 7], [4, 0] * 4 + [4]]})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def first(y, b):
        return torch.full_like(y[:, :1], b)

    check.mistakes({
        unshifted: lambda y, b: y, no_begin: lambda y, b: torch.cat([torch.zeros_like(y[:, :1]), y[:, :-1]], 1),
        left: lambda y, b: torch.cat([y[:, 1:], first(y, b)], 1), longer: lambda y, b: torch.cat([first(y, b), y], 1),
        rolled: lambda y, b: y.roll(1, 1), "the batch was shifted, not the time": lambda y,
            b: torch.cat([torch.full_like(y[:1], b), y[:-1]], 0),
        "the first target was overwritten by `begin`: all targets move on by one": lambda y,
            b: torch.cat([first(y, b), y[:, 1:]], 1),
        "`begin` was added to the targets": lambda y, b: y + b,
        "the last target was cut off, and nothing came first: each row begins with `begin`": lambda y, b: y[:, :-1],
        "`begin` fills the whole row: only its first place is `begin`": lambda y, b: torch.full_like(y, b),
        "two places were shifted, not one": lambda y, b: torch.cat([first(y, b), first(y, b), y[:, :-2]], 1),
    })
    for B, T in ((3, 5), (2, 8), (4, 3)):
        y, b = torch.tensor(check.rng.integers(2, 30, size=(B, T))), int(check.rng.integers(40, 50))
        check(shift_right, y, b).equals([[b, *row[:-1]] for row in y.tolist()], about="random targets", dtype="i")
    shifted = [[b, *row[:-1]] for row in y.tolist()]
    check(shift_right, y.int(), b).holds(lambda v: v.dtype == torch.int32 and v.tolist() == shifted,
        "the dtype stays: int32 in, int32 out", near={"the dtype has changed: it is that of the targets": lambda v:
        v.tolist() == shifted})
    check(shift_right, y[:, :1], 3).equals([[3]] * 4, about="one step", edge=True, dtype="i")

    def told(step, state, begin, end, limit, *, freeze=True, until=torch.all, drop=False, keep_state=True, feed=True,
        pick=None, together=False):
        tokens = torch.full((len(state),), begin)
        ended, said = torch.zeros(len(state), dtype=torch.bool), []
        for _ in range(limit):
            logits, new = step(tokens, state)
            state = new if keep_state else state
            raw = chosen = logits.argmax(-1) if pick is None else pick(logits)
            chosen = torch.where(ended, torch.full_like(chosen, end), chosen) if freeze else chosen
            tokens = (raw if together else chosen) if feed else tokens
            said.append(chosen)
            ended |= chosen == end
            if until is not None and bool(until(raw == end if together else ended)):
                break
        said = torch.stack(said, 1)
        return said[:, :-1] if drop and bool(ended.all()) else said

    check.mistakes({
        with_begin: lambda *a: torch.cat([torch.full((len(a[1]), 1), a[2]), told(*a)], 1),
            after_end: lambda *a: told(*a, freeze=False),
        stopped: lambda *a: told(*a, until=torch.any), no_end: lambda *a: told(*a, drop=True),
            same_state: lambda *a: told(*a, keep_state=False),
        same_token: lambda *a: told(*a, feed=False),
        "the decoding stops when each row has said `end`, at whatever step: here all had to say it in one step": lambda
            *a: told(*a, together=True),
        "the rows end at their own `end`: one tensor is asked, in which they say `end` from then on": lambda *a: [
            row[: row.index(a[3]) + 1] if a[3] in row else row for row in told(*a).tolist()],
        "the first step is fed `begin`: here it was fed 0": lambda s, st, b, e, n: told(s, st, 0, e, n),
        "of equally likely tokens the first is taken": lambda *a: told(
            *a, pick=lambda z: z.shape[-1] - 1 - z.flip(-1).argmax(-1)),
        goes_on: lambda *a: told(*a, until=None),
        "the decoding goes on to the limit, and rows that have ended go on talking": lambda *a: told(*a, until=None,
            freeze=False),
        "one step more than the limit was made": lambda s, st, b, e, n: told(s, st, b, e, n + 1),
        "one step too few was made": lambda s, st, b, e, n: told(s, st, b, e, n - 1),
        "the least likely token was taken": lambda *a: told(*a, pick=lambda z: z.argmin(-1)),
        "the second best token was taken": lambda *a: told(*a, pick=lambda z: z.topk(2, -1).indices[:, 1]),
        "the axes are (B, L): here the steps come first": lambda *a: told(*a).T,
        "one likeliest token for the whole batch was taken: each row has its own": lambda *a: told(
            *a, pick=lambda z: z.sum(0).argmax().expand(len(z))),
        "rows that have ended are filled with 0: they say `end`": lambda *a: (lambda y, e: torch.where(
            (y == e).cumsum(1) - (y == e).long() > 0, 0, y))(told(*a), a[3]),
    })
    for B, K, H, limit in ((4, 6, 5, 30), (3, 9, 4, 6), (5, 5, 3, 12), (2, 7, 3, 1)):
        table, mix, out = (torch.tensor(check.rng.normal(size=s) * 1.5) for s in ((K, H), (H, H), (H, K)))

        def step(tokens, state, table=table, mix=mix, out=out):
            state = torch.tanh(table[tokens] + state @ mix)
            return state @ out, state

        state, end = torch.tensor(check.rng.normal(size=(B, H))), 0
        expected = []
        for row in range(B):
            token, s, line = K - 1, state[row : row + 1], []
            while len(line) < limit and end not in line:
                z, s = step(torch.tensor([token]), s)
                token = int(z[0].argmax())
                line.append(token)
            expected.append(line)
        longest = max(map(len, expected))
        expected = [line + [end] * (longest - len(line)) for line in expected]
        check(greedy_decode, step, state, K - 1, end, limit).equals(expected, about="a random network",
            edge=limit == 1)

    def cycle(tokens, state):
        """Each row goes round 7 numbers in strides of its own; the number 5 further on is as likely as the next."""
        near = (tokens + state[:, 0]) % 7
        scores = torch.nn.functional.one_hot(near, 9) + torch.nn.functional.one_hot((near + 5).clamp(max=8), 9)
        return scores.float(), state

    for strides, end in (([1, 2, 4], 6), ([3, 1, 5, 2], 4)):
        rows = []
        for stride in strides:
            row = [stride % 7]
            while row[-1] != end:
                row.append((row[-1] + stride) % 7)
            rows.append(row)
        expected = [row + [end] * (max(map(len, rows)) - len(row)) for row in rows]
        check(greedy_decode, cycle, torch.tensor(strides)[:, None], 0, end, 25).equals(expected,
            about="rows that end, two tokens equally likely")
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Exercise 13: BLEU (`bleu`)
#
# 20 minutes, ★★, 5 points
#
# Exact match is a hard judge: one wrong day, and all is lost. For sentences, where many translations are right, the
# usual number is **BLEU** (Papineni and others, 2002): which share of the n-grams of the translation occur in the
# *reference translation* (one lecture says, in "a document of the training data": that is not so), for $n = 1 \dots N$:
#
# $$ p_n = \frac{\sum_{\text{sentences}} \sum_{g} \min(\text{count in candidate}, \text{count in
# reference})}{\sum_{\text{sentences}} \text{number of n-grams in candidate}}, \qquad
# \text{BLEU} = \text{BP} \cdot \Big(\prod_{n=1}^{N} p_n\Big)^{1/N} $$
#
# Counts are clipped by the reference, or `the the the` would be perfect. Both sums run over the whole corpus before the
# division. Short translations would be too easy, hence the **brevity penalty** with the total lengths $c$ of the
# candidates and $r$ of the references: $\text{BP} = 1$ if $c \ge r$, else $e^{1 - r/c}$.
#
# Write `bleu(candidates, references, n=4)` for lists of token lists, one reference for each candidate, without
# smoothing: between 0 and 1, and 0.0 if any $p_n$ is 0 or has no n-grams to count.
#
# By hand: "the cat sat on the mat" for "the cat is on the mat": $p_1 \dots p_4 = 5/6, 3/5, 1/4, 0/3$, so BLEU-2 is
# $\sqrt{1/2} = 0.7071$, BLEU-3 is 0.5, and BLEU-4 is 0.
#
# <details><summary>Hint 1</summary>The & of two Counters takes the smaller of both counts.</details>
# <details><summary>Hint 2</summary><code>count_ngrams(tokens, size)[0]</code> of exercise 1 gives the counts.</details>
# <details><summary>Hint 3</summary>Add hits and totals over all sentences for each size, and divide once.</details>

# %% exercise="bleu"
def bleu(candidates: list[list[str]], references: list[list[str]], n: int = 4) -> float:
    """Return corpus BLEU with n-grams up to n, between 0 and 1, without smoothing."""
    ### BEGIN SOLUTION
    logs = []
    for size in range(1, n + 1):
        hits = total = 0
        for candidate, reference in zip(candidates, references, strict=True):
            mine, theirs = (Counter(count_ngrams(tokens, size)[0]) for tokens in (candidate, reference))
            hits, total = hits + sum((mine & theirs).values()), total + sum(mine.values())
        if hits == 0:
            return 0.0
        logs.append(math.log(hits / total))
    ours, wanted = sum(map(len, candidates)), sum(map(len, references))
    return min(1.0, math.exp(1 - wanted / ours)) * math.exp(sum(logs) / n)
    ### END SOLUTION

# %% check="bleu" points=5
# The check of `bleu`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("bleu", points=5)
def score(check):
    from collections import Counter

    import numpy as np
    import sacrebleu

    clipped = "clip the counts: an n-gram counts at most as often as it occurs in the reference"
    no_penalty = "the brevity penalty is missing: the candidates are shorter than the references"
    mean = "the mean of the precisions is geometric: here they were averaged"
    per_sentence = "BLEU of each sentence was averaged: add hits and totals over the corpus, then divide"
    only_n = "only the longest n-grams were counted: all sizes from 1 to n are"
    averaged = "the mean of each sentence's precision came first: add hits and totals over the corpus"
    short = "one sentence is shorter than n: it adds no n-grams of that size, and the others count on"
    recall = "the shares are of the candidate's n-grams: here they were divided by the reference's"
    product = "the n-th root is missing"
    turned = "candidate and reference are exchanged in the brevity penalty"
    long_penalty = "a candidate that is longer than the reference gets no penalty: BP is at most 1"

    cat, ref = "the cat sat on the mat".split(), "the cat is on the mat".split()
    check(bleu, [cat], [ref], 2).equals(0.7071, rtol=1e-4, about="BLEU-2",
        near={mean: 0.71667, product: 0.5, only_n: 0.6})
    check(bleu, [cat], [ref], 3).equals(0.5, about="BLEU-3", near={mean: 0.56111, product: 0.125, only_n: 0.25})
    left_out = "BLEU-4 is 0.0 where one share is 0: it was left out of the mean"
    check(bleu, [cat], [ref]).equals(0.0, about="BLEU-4", near={left_out: 0.5,
        "the logarithm of 0 cannot be taken: return 0.0": ValueError})
    check(bleu, [["the"] * 7], [ref], 1).equals(2 / 7, about="the the the", near={clipped: 1.0, recall: 0.33333,
        turned: 0.24185, long_penalty: 0.32959})
    pair = ["it is on it".split(), "a cat sat on the".split()]
    check(bleu, [*pair, ["on"]], [ref, cat, ref], 2).equals(0.284181, rtol=1e-4, about="three sentences, one short",
        near={per_sentence: 0.293934, averaged: 0.236422, short: 0.0})
    check(bleu, [["the", "cat"]], [ref], 2).equals(0.1353, rtol=1e-3, about="too short",
        near={no_penalty: 1.0, recall: 0.034943, turned: 1.0})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def grams(t, k):
        return Counter(tuple(t[i : i + k]) for i in range(len(t) - k + 1))

    def ratio(C, R, k, clip=True, of="candidate", unique=False):
        hits = total = 0
        for c, r in zip(C, R, strict=True):
            a, b = grams(c, k), grams(r, k)
            a, b = (Counter(set(a)), Counter(set(b))) if unique else (a, b)
            hits += sum(min(v, b[g]) if clip else v * (g in b) for g, v in a.items())
            total += sum((a if of == "candidate" else b).values())
        return hits / total if total else 0.0

    def score_of(C, R, n=4, *, sizes=None, join=lambda p: np.exp(np.mean(np.log(p))), bp=lambda c,
        r: min(1, np.exp(1 - r / c)), **how):
        p = [ratio(C, R, k, **how) for k in (sizes or range(1, n + 1))]
        c, r = sum(map(len, C)), sum(map(len, R))
        return float(bp(c, r) * join(p)) if min(p) > 0 else 0.0

    def smoothed(C, R, n, first):
        p = []
        for k in range(1, n + 1):
            total, extra = sum(len(c) - k + 1 for c in C if len(c) >= k), int(k >= first)
            p.append((ratio(C, R, k) * total + extra) / max(total + extra, 1))
        return float(min(1, np.exp(1 - sum(map(len, R)) / sum(map(len, C)))) * np.prod(p) ** (1 / n))

    def pooled(C, R, n=4):
        p = []
        for k in range(1, n + 1):
            a, b = (sum((grams(t, k) for t in part), Counter()) for part in (C, R))
            p.append(sum((a & b).values()) / max(sum(a.values()), 1))
        return float(min(1, np.exp(1 - sum(map(len, R)) / sum(map(len, C)))) * np.prod(p) ** (1 / n))

    def unordered(C, R, n):
        p = []
        for k in range(1, n + 1):
            bags = [[Counter(tuple(sorted(g)) for g in grams(t, k).elements()) for t in part] for part in (C, R)]
            p.append(sum(sum((a & b).values()) for a, b in zip(*bags, strict=True)) / max(sum(
                sum(a.values()) for a in bags[0]), 1))
        return float(min(1, np.exp(1 - sum(map(len, R)) / sum(map(len, C)))) * np.prod(p) ** (1 / n))

    variants = {
        clipped: {"clip": False}, no_penalty: {"bp": lambda c, r: 1}, mean: {"join": np.mean},
            recall: {"of": "reference"},
        product: {"join": np.prod}, turned: {"bp": lambda c, r: min(1, np.exp(1 - c / r))},
            long_penalty: {"bp": lambda c, r: np.exp(1 - r / c)},
        "the penalty is exp(1 - r/c): here it was c/r": {"bp": lambda c, r: min(1, c / r)},
        "repeated n-grams were counted once: take counts, not sets": {"unique": True},
    }
    known = {s: lambda C, R, n=4, v=v: score_of(C, R, n, **v) for s, v in variants.items()}
    known |= {
        "the penalty was put inside the root: it stands before it": lambda C, R, n=4: score_of(C, R, n, bp=lambda c, r:
            min(1, np.exp(1 - r / c)) ** (1 / n)),
        "nothing is smoothed: here 1 was added to hits and totals": lambda C, R, n=4: smoothed(C, R, n, 1),
        "nothing is smoothed: here 1 was added to hits and totals, but for single words": lambda C, R, n=4: smoothed(
            C, R, n, 2),
        "an n-gram counts only if it is in its own sentence's reference: here all references were one": pooled,
        "the total lengths count in the penalty: here a long candidate did not make up for a short one": lambda C, R,
            n=4: score_of(C, R, n, bp=lambda c, r: np.exp(
                1 - sum(max(len(a), len(b)) for a, b in zip(C, R, strict=True)) / c)),
        "sizes without a hit were left out: with one of them BLEU is 0.0": lambda C, R, n=4: score_of(C, R, n, sizes=[
            k for k in range(1, n + 1) if ratio(C, R, k) > 0] or None),
        only_n: lambda C, R, n=4: score_of(C, R, n, sizes=[n]), "n was ignored: here the sizes go to 4": lambda C, R,
            n=4: score_of(C, R, 4),
        per_sentence: lambda C, R, n=4: float(np.mean([score_of([c], [r], n) for c, r in zip(C, R, strict=True)])),
        short: lambda C, R, n=4: 0.0 if min(map(len, C)) < n else score_of(C, R, n),
        "the logarithm and its exponential have different bases": lambda C, R, n=4: score_of(
            C, R, n, join=lambda p: np.exp(np.mean(np.log2(p)))),
        "c and r are exchanged in the penalty: it is 1 if c >= r, else exp(1 - r/c)": lambda C, R, n=4: score_of(
            C, R, n, bp=lambda c, r: 1 if c >= r else np.exp(1 - c / r)),
        "the order within an n-gram was lost: it is a tuple of words in their order": lambda C, R, n=4: unordered(
            C, R, n),
        "the sizes end at n - 1: n itself belongs to them": lambda C, R, n=4: score_of(C, R, max(n - 1, 1)),
        "these are percentages: between 0 and 1": lambda C, R, n=4: 100 * score_of(C, R, n),
        "candidates and references are exchanged": lambda C, R, n=4: score_of(R, C, n),
        averaged: lambda C, R,
            n=4: (lambda p: float(
            min(1, np.exp(1 - sum(map(len, R)) / sum(map(len, C)))) * np.exp(np.mean(np.log(p)))) if min(p) > 0
                else 0.0)(
            [np.mean([ratio([c], [r], k) for c, r in zip(C, R, strict=True)]) for k in range(1, n + 1)]),
        "the sentences were joined to one text: no n-gram reaches across their edges": lambda C, R, n=4: score_of(
            [[w for t in C for w in t]], [[w for t in R for w in t]], n),
        "each sentence had a penalty of its own: it is taken once, from the total lengths": lambda C, R,
            n=4: score_of(C, R, n, bp=lambda c, r: np.mean(
            [min(1, np.exp(1 - len(b) / len(a))) for a, b in zip(C, R, strict=True)])),
    }
    check.mistakes(known)
    words = list("abcde")
    for rows, low, high, n in ((4, 7, 12, 2), (5, 9, 14, 3), (6, 12, 20, 4), (3, 15, 22, 4), (5, 6, 9, 1)):
        references = [[str(w) for w in check.rng.choice(words, size=check.rng.integers(low, high))]
            for _ in range(rows)]
        for about, cut in (("candidates of another length, as sacrebleu", 0), ("short candidates, as sacrebleu", 3),
            ("one long candidate among short ones, as sacrebleu", 4)):
            candidates = [[w if check.rng.uniform() < 0.8 else str(check.rng.choice(words)) for w in r][: len(r)
                - cut] for r in references]
            candidates[0] += ["a", "a"] * (cut == 0) + references[0][-6:] * (cut == 4)
            library = sacrebleu.BLEU(max_ngram_order=n, tokenize="none", smooth_method="none", force=True,
                effective_order=False)
            expected = library.corpus_score([" ".join(c) for c in candidates],
                [[" ".join(r) for r in references]]).score / 100
            check(bleu, candidates, references, n).equals(expected, about=about, rtol=1e-4)
    references[1] = [*references[1], "e", "d"]
    for lack in (1, 2):
        candidates = [list(r) for r in references]
        candidates[1] = candidates[1][:-lack]
        check(bleu, candidates, references, 2).equals(score_of(candidates, references, 2), rtol=1e-4,
            about="one or two words too few")
    short_one, his = [*references, ["a", "b"]], [*references, ["a", "c", "b"]]
    check(bleu, short_one, his, 4).equals(score_of(short_one, his, 4), about="one sentence shorter than n", rtol=1e-4)
    check(bleu, [["a", "b"]], [["a", "b"]], 4).equals(0.0, about="no n-gram of this size", edge=True, near={
        "there are no n-grams of this size: return 0.0": ZeroDivisionError,
        "there are no n-grams of size 3 and 4: return 0.0": 1.0})
    check(bleu, [["a"]], [["b"]], 1).equals(0.0, about="nothing right", edge=True, near={
        "the logarithm of 0 cannot be taken: return 0.0": ValueError})
    check(bleu, [references[0]], [references[0]], 4).equals(1.0, about="a perfect translation", edge=True)
    check.mistakes({})  # most of them divide by the length
    check(bleu, [[]], [["b"]], 1).equals(0.0, about="an empty candidate", edge=True, near={
        "an empty candidate has no n-grams: return 0.0": ZeroDivisionError})
    ### END HIDDEN TESTS


score

# %% show
import sacrebleu

candidate, reference = "the cat sat on the mat".split(), "the cat is on the mat".split()
for n in (2, 3):
    library = sacrebleu.BLEU(max_ngram_order=n, tokenize="none", smooth_method="none", force=True)
    theirs = library.corpus_score([" ".join(candidate)], [[" ".join(reference)]]).score / 100
    print(f"BLEU-{n}: by hand {bleu([candidate], [reference], n):.6f}, sacrebleu {theirs:.6f}")

# %% [markdown]
# ## Translating dates
#
# `mardi 3 février 2015` becomes `2015-02-03`. The sources come in sixteen languages and 108 styles (Babel's CLDR), the
# days of the test never occur in training. The encoder and the decoder are LSTMs of 128 numbers that read and write
# characters; all that passes from one to the other is the encoder's last pair of states.
#
# One date is 8 digits of news, however long it is written. To ask for more, a source may be a **series** of up to three
# dates: `3 juin 2001; 1952/4/16` becomes `2001-06-03 1952-04-16`. The longer the source, the more the one state must
# hold. Training begins with single dates, then series join in.
#
# Sutskever and others found in 2014 that a *reversed* source is easier: its beginning, which is needed first, is then
# read last, and lies near. Is it so here, too? The same network is trained twice.

# %% show
SINGLE, SERIES = budget(grade=30, cpu=950), budget(grade=10, cpu=250)
TARGET = {c: i for i, c in enumerate("0123456789- ")}
BEGIN, END, BLANK = len(TARGET), len(TARGET) + 1, len(TARGET) + 2
alone = Dates("train").series(750 * 64 // 2, seed=SEED, counts=(1,))
series = Dates("train").series(250 * 64, seed=SEED + 1, counts=(1, 1, 2, 3))
source_ids = {c: i for i, c in enumerate(sorted({c for text, _ in [*alone, *series] for c in text}), start=2)}


class Translator(nn.Module):
    """Encoder and decoder, joined by one state."""

    def __init__(self, sources: int, targets: int, width: int = 128):
        super().__init__()
        self.read_embed, self.write_embed = nn.Embedding(sources, 64), nn.Embedding(targets, 32)
        self.encoder = nn.LSTM(64, width, batch_first=True)
        self.decoder = nn.LSTM(32, width, batch_first=True)
        self.out = nn.Linear(width, targets)

    def encode(self, x, lengths):
        """Return the last states, h and c side by side, (B, 2 * width)."""
        packed = nn.utils.rnn.pack_padded_sequence(self.read_embed(x), lengths.cpu(), batch_first=True,
            enforce_sorted=False)
        h, c = self.encoder(packed)[1]
        return torch.cat([h[0], c[0]], dim=-1)

    def states(self, tokens, state):
        """Return the decoder's states for tokens (B, T), and its last state, (B, 2 * width)."""
        h, c = (part[None].contiguous() for part in state.chunk(2, dim=-1))
        states, (h, c) = self.decoder(self.write_embed(tokens), (h, c))
        return states, torch.cat([h[0], c[0]], dim=-1)

    def forward(self, x, lengths, targets):
        return self.out(self.states(shift_right(targets, BEGIN), self.encode(x, lengths))[0])

    def step(self, tokens, state):
        """One step for `greedy_decode`."""
        states, state = self.states(tokens[:, None], state)
        return self.out(states[:, 0]), state


def date_sources(texts: Sequence[str], turned: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (character numbers (N, T), lengths (N,)); 0 is padding, 1 unknown; turned round if asked."""
    rows = [torch.tensor([source_ids.get(c, 1) for c in (text[::-1] if turned else text)]) for text in texts]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True), torch.tensor([len(row) for row in rows])


def date_batches(pairs: list, turned: bool, rows: int = 64) -> list[tuple]:
    """Return batches (x, lengths, targets, lengths of the targets) of sources of similar length, in random order."""
    noise = np.random.default_rng(SEED)
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]) + noise.uniform(0, 4))
    batches = []
    for start in range(0, len(order) - rows + 1, rows):
        part = [pairs[i] for i in order[start : start + rows]]
        y = [torch.tensor([TARGET[c] for c in target] + [END]) for _, target in part]
        padded = nn.utils.rnn.pad_sequence(y, batch_first=True, padding_value=BLANK)
        batches.append((*date_sources([text for text, _ in part], turned), padded,
            torch.tensor([len(row) for row in y])))
    return [batches[i] for i in noise.permutation(len(batches))]


def translation_loss(model, batch):
    x, lengths, targets, target_lengths = batch
    return masked_cross_entropy(model(x, lengths, targets), targets, target_lengths)


def translate(model, texts: Sequence[str], turned: bool) -> list[str]:
    """Return the greedy translations."""
    letters, out = "".join(TARGET), []
    with torch.no_grad():
        for start in range(0, len(texts), 200):
            x, lengths = date_sources(texts[start : start + 200], turned)
            said = greedy_decode(model.step, model.encode(x, lengths), BEGIN, END, limit=33)
            out += ["".join(letters[i] for i in row if i < BEGIN) for row in said.tolist()]
    return out


def trained_translator(turned: bool, seed: int = SEED) -> Translator:
    """Train on single dates, then on series."""
    seed_everything(seed)
    model = Translator(len(source_ids) + 2, BLANK + 1)
    first, later = date_batches(alone, turned), date_batches(series, turned)

    def draw(step):
        return first[step % len(first)] if step < SINGLE else later[(step - SINGLE) % len(later)]

    print(fit(model, draw, translation_loss, steps=SINGLE + SERIES, lr=5e-3, progress=False))
    return model

# %% show
EDGES = [6, 10, 14, 18, 22, 26, 32, 40, 50, 64, 90]  # lengths of sources in characters
short_dates = [pair for pair in Dates("test").series(1000, seed=SEED, counts=(1,)) if len(pair[0]) < 20]
test_pairs = Dates("test").series(budget(grade=200, cpu=3000), seed=SEED + 1)
curves, judgements = {}, {}
for name, turned in (("plain", False), ("reversed source", True)):
    model = trained_translator(turned)
    answers = translate(model, [text for text, _ in test_pairs], turned)
    short_answers = translate(model, [text for text, _ in short_dates], turned)
    short_right = np.mean([a == target for a, (_, target) in zip(short_answers, short_dates, strict=True)])
    all_right = np.mean([a == target for a, (_, target) in zip(answers, test_pairs, strict=True)])
    curves[name] = translation.exact_by_length(test_pairs, answers, EDGES)
    judgements[name] = answers
    spelled = bleu([list(a) for a in answers], [list(t) for _, t in test_pairs])
    print(f"{name}: short dates {short_right:.1%} exact, all {all_right:.1%}, BLEU over characters {spelled:.3f}")
    if not turned:
        translator, short_exact = model, float(short_right)
        claim("Short dates translated exactly, plain: above 0.9", short_exact, 0.9)
        claim("Dates translated exactly, plain: short ones above all", short_exact, float(all_right))
for (source, target), answer in list(zip(test_pairs, judgements["plain"], strict=True))[:6]:
    source = f"\u2068{source}\u2069"  # keeps what is written from right to left apart from the rest of the line
    print("right" if answer == target else "wrong", "|", source, "|", answer)

# %% show
def right_dates(answers: list[str], n: int) -> list[float]:
    """Return, for series of n dates, the share that is right at each place."""
    found = [(a.split(" "), t.split(" "))
             for a, (_, t) in zip(answers, test_pairs, strict=True) if t.count(" ") == n - 1]
    return [float(np.mean([len(a) > i and a[i] == t[i] for a, t in found])) for i in range(n)]

fig, axes = plots.figure(columns=2, width=10.5, height=3.8)
for (name, curve), style in zip(curves.items(), ("o-", "^--"), strict=True):
    axes[0].plot(curve.middles, curve.shares, style, label=name)
axes[0].set(xlabel="length of the source, characters", ylabel="exact translations", ylim=(-0.03, 1.03))
for (name, answers), style, fill in zip(judgements.items(), ("-", "--"), ("full", "none"), strict=True):
    for n, marker in ((1, "s"), (2, "o"), (3, "^")):
        axes[1].plot(range(1, n + 1), right_dates(answers, n), style, marker=marker, fillstyle=fill,
            color=plots.COLORS[n - 1], label=f"{n} date{'s' * (n > 1)}, {name}")
axes[1].set(xlabel="place in the series", ylabel="dates that are right", ylim=(-0.03, 1.03), xticks=[1, 2, 3])
axes[0].legend()
axes[1].legend(fontsize=8)
by_place = {n: [round(v, 2) for v in right_dates(judgements["plain"], n)] for n in (1, 2, 3)}
ends = {name: f"{curve.shares[0]:.2f} to {curve.shares[-2]:.2f}" for name, curve in curves.items()}
plots.show(fig, "Left: the share of exact translations falls with the length of the source, for the plain source from "
    f"{ends['plain']}, for the reversed one from {ends['reversed source']}. Right: the share of right dates by their "
    f"place in series of one, two and three; plain: {by_place}.")

# %% [markdown]
# Two lessons. First, **the bottleneck**: what is easy for one date fails for two and three, with the same network after
# the same steps. The first date of a series is still right about half of the time; of the later ones almost none is,
# since all must pass through 256 numbers, and what the decoder has not yet written it must hold while it writes. (With
# far more training a state of this size could learn to hold more: the bottleneck is as much one of learning as of
# room.) Second, the reversal does not help here: an ISO date *is* the reversal of most ways to write a date. Day,
# month, year comes in; year, month, day goes out, so the year, read last, is needed first, and the plain order already
# has what is near. The trick of 2014 was a trick for languages of similar order. Chapter 04 does away with the need
# for it.

# %% show
kept = {"edges": EDGES, "curves": {name: curve.plain() for name, curve in curves.items()}, "short": short_exact,
        "characters": source_ids, "test": "Dates('test').series(3000, seed=1)"}
card = f"""# date-translator: an encoder-decoder without attention

**What.** Two LSTMs of 128 numbers over characters, joined by the encoder's last state: a date or a series of up to
three dates in sixteen languages to ISO dates. Made by chapter 03.

**How trained.** With teacher forcing, {SINGLE} batches of 64 single dates, then {SERIES} of series, AdamW, learning
rate 0.005.

**On what.** `Dates("train").series` of helpers.data, from Babel's CLDR; no day of the test occurs in it.

**Scores.** {short_exact:.1%} of single dates of less than 20 characters are exact. `config["curves"]` holds the share
of exact translations by the length of the source (helpers.translation.LengthCurve), plain and with the source reversed.
"""
folder = artifacts.save(artifacts.Artifact("date-translator", translator.state_dict(), kept, card=card))
print(f"Saved: {folder.name}, {sum(t.numel() for t in translator.parameters()):,} weights.")

# %% [markdown]
# ## Exercise 14: a learned mix of layers (`elmo`)
#
# 8 minutes, ★, 3 points
#
# The vectors of chapter 02 give "cell" one place, whether a table or a battery is spoken of. The states of a network
# that has read the sentence differ with it. **ELMo** (Peters and others, 2018) takes a language model that reads in
# both directions, and lets each task learn its own mix of the layers, the static vectors (layer 0) among them:
#
# $$ \text{ELMo}_t = \gamma \sum_{l=0}^{L-1} s_l\, h_{l,t}, \qquad s = \mathrm{softmax}(w) $$
#
# Write `elmo_mix(layers, weights, gamma)` with torch. `weights` are $w$, before the softmax.
#
# By hand: two layers with $w = (0, 0)$ and $\gamma = 2$ give the sum of both layers.
#
# <details><summary>Hint</summary><code>weights.softmax(0)</code> needs three more axes to multiply
# <code>layers</code>: <code>[:, None, None, None]</code>, or use <code>torch.einsum</code>.</details>

# %% exercise="elmo"
def elmo_mix(layers: torch.Tensor, weights: torch.Tensor, gamma: float | torch.Tensor) -> torch.Tensor:
    """Return the mix, (B, T, C). layers: (L, B, T, C), weights: (L,) before the softmax, gamma: a scalar."""
    ### BEGIN SOLUTION
    return gamma * torch.einsum("l,lbtc->btc", weights.softmax(dim=0), layers)
    ### END SOLUTION

# %% check="elmo" points=3
# The check of `elmo`: run this cell (Shift+Enter) after the one above.
from helpers.checks import difference, graded


@graded("elmo", points=3)
def score(check):
    import numpy as np
    import torch

    raw = "the weights go through a softmax first"
    no_gamma = "gamma is missing"
    mean = "all layers got the same weight: the softmax of w says how much each counts"
    inside = "gamma stands outside the softmax"
    wrong_axis = "the softmax goes over the layers"
    summed = "the weights were divided by their sum: a softmax takes exponentials first"

    layers = torch.tensor([[[[1.0, 2.0]]], [[[3.0, -1.0]]]])
    check(elmo_mix, layers, torch.tensor([0.5, -1.0]), 3.0).equals([[[4.09455, 4.35817]]], rtol=1e-4, near={
        raw: [[[-7.5, 6.0]]], no_gamma: [[[1.36485, 1.45272]]], mean: [[[6.0, 1.5]]],
        inside: [[[1.02197, 1.96704]]], summed: [[[15.0, -12.0]]], wrong_axis: [[[3.0, 3.0]]]})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def mix(layers, s, gamma):
        return gamma * (s[:, None, None, None] * layers).sum(0)

    check.mistakes({
        raw: lambda h, w, g: mix(h, w, g), no_gamma: lambda h, w, g: mix(h, w.softmax(0), 1.0),
        mean: lambda h, w, g: g * h.mean(0), inside: lambda h, w, g: mix(h, (g * w).softmax(0), 1.0),
            summed: lambda h, w, g: mix(h, w / w.sum(), g),
        "gamma went into the softmax, too: it stands outside only": lambda h, w, g: mix(h, (g * w).softmax(0), g),
        wrong_axis: lambda h, w, g: g * (h * w[:, None, None, None]).softmax(0).sum(0),
        "the layers are summed, not put side by side": lambda h, w,
            g: torch.cat(list(g * w.softmax(0)[:, None, None, None] * h), -1),
        "the layers were weighted, but not added up": lambda h, w, g: g * w.softmax(0)[:, None, None, None] * h,
        "a mean over the layers came after the weights: add them up": lambda h, w,
            g: mix(h, w.softmax(0), g) / len(h),
        "the layers were multiplied in the wrong order: weight 0 belongs to layer 0": lambda h, w,
            g: mix(h, w.softmax(0).flip(0), g),
        "a sigmoid of each weight: a softmax makes them sum to 1": lambda h, w, g: mix(h, w.sigmoid(), g),
        "gamma is added: it multiplies": lambda h, w, g: mix(h, w.softmax(0), 1.0) + g,
        "the largest weight took all: it is a mix": lambda h, w, g: g * h[w.argmax()],
        "the last layer alone was taken: it is a mix": lambda h, w, g: g * h[-1],
        "layer 0, the static vectors, is left out: it belongs to the mix": lambda h, w, g: mix(
            h[1:], w[1:].softmax(0), g),
        "exponentials of the weights: a softmax divides them by their sum": lambda h, w, g: mix(h, w.exp(), g),
        "gamma divides: it multiplies": lambda h, w, g: mix(h, w.softmax(0), 1 / g),
        "a softmax of the layers was taken, too: only the weights have one": lambda h, w, g: mix(
            h.softmax(0), w.softmax(0), g),
        "the logarithm of the softmax was taken": lambda h, w, g: mix(h, w.log_softmax(0), g),
    })
    for L, B, T, C in ((3, 2, 4, 5), (2, 3, 5, 4), (4, 2, 3, 2), (3, 3, 3, 3)):
        h, w = torch.tensor(check.rng.normal(size=(L, B, T, C))), torch.tensor(check.rng.normal(size=L) * 1.5)
        g = float(check.rng.uniform(0.3, 3))
        e = np.exp(w.numpy())
        expected = g * np.tensordot(e / e.sum(), h.numpy(), axes=(0, 0))
        check(elmo_mix, h, w, g).equals(expected, about="random layers", rtol=1e-4)
    check(elmo_mix, h.float(), w.float(), torch.tensor(0.7)).equals(expected * 0.7 / g, about="gamma as a tensor",
        rtol=1e-3, atol=1e-5)
    check(elmo_mix, h, w + 2000, g).equals(expected, about="large weights", edge=True, rtol=1e-4, near={
        "an exponential overflowed: use torch.softmax": np.full(h.shape[1:], np.nan)})
    check(elmo_mix, h[:1], w[:1], g).equals(g * h[0], about="one layer", edge=True, rtol=1e-4)
    leaf = torch.tensor(g, dtype=h.dtype, requires_grad=True)
    for name, arguments in (("the weights", (h, w.clone().requires_grad_(), g)), ("gamma", (h, w, leaf))):
        check(elmo_mix, *arguments).holds(lambda v: v.requires_grad, f"autograd finds its way back to {name}", near={
            f"the gradient is cut on its way to {name}: no detach, no item, no float": lambda v: difference(
                v, expected, 1e-4) is None})
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## One word, two senses
#
# A bidirectional language model: one stack of two LSTMs reads forwards and predicts the next word, another reads
# backwards and predicts the one before. Layer 0 is the static vector, layers 1 and 2 are the states of both directions
# side by side. It is trained on the messages of the inbox, and on those pages of the docs that say "cell".
#
# Then two words. **cell**: in the pages of matplotlib it is a cell of a table, in those of torch a cell of a recurrent
# network. **bank**: part of a firm's name ("Pennant Bank", tagged as an organisation), or what one's money lies in
# ("my bank account"). The sense of each place is known from the library or from the tag; the model is not told.

# %% show
class TwoWay(nn.Module):
    """A bidirectional language model; `layers` gives (3, B, T, 2 * width) for word numbers (B, T) and lengths (B,)."""

    def __init__(self, size: int, width: int = 64):
        super().__init__()
        self.embed = nn.Embedding(size, width)
        self.read = nn.ModuleList(nn.LSTM(width, width, batch_first=True) for _ in range(4))  # two each way
        self.out = nn.Linear(width, size)

    def one_way(self, ids, first: int):
        e = self.embed(ids)
        one = self.read[first](e)[0]
        return e, one, self.read[first + 1](one)[0] + one  # a residual connection, as in ELMo

    def forward(self, ids):
        """Return the scores of the next word and of the word before, each for the words that have one."""
        return self.out(self.one_way(ids, 0)[2][:, :-1]), self.out(self.one_way(ids.flip(1), 2)[2][:, :-1])

    def layers(self, ids, lengths):
        there = torch.stack(self.one_way(ids, 0))
        back = torch.stack([reverse_padded(h, lengths) for h in self.one_way(reverse_padded(ids[..., None],
            lengths)[..., 0], 2)])
        return torch.cat([there, back], dim=-1)


def two_way_loss(model, ids):
    after, ahead = model(ids)
    return F.cross_entropy(after.flatten(0, 1), ids[:, 1:].flatten()) + F.cross_entropy(ahead.flatten(0, 1),
        ids.flip(1)[:, 1:].flatten())


pages = [d for d in data.load("docs").documents if re.search(r"\bcell\b", d.text.lower()) and not d.near_copy]
passages = []  # (words, places of the word, sense, word)
for d in pages:
    tokens = re.findall(r"\w+|[^\w\s]", d.text.lower())
    for i in (i for i, w in enumerate(tokens) if w == "cell" and d.library in ("matplotlib", "torch")):
        passages.append((tokens[max(i - 12, 0) : i + 12], min(i, 12), d.library, "cell"))
for tokens, tags in [*inbox_tags.train, *inbox_tags.test]:
    for i, (w, t) in enumerate(zip(tokens, tags, strict=True)):
        if w.lower() == "bank" and t in ("O", "I-ORG") and "bank" not in [v.lower() for v in tokens[:i]]:
            words = [v.lower() for v in tokens[max(i - 12, 0) : i + 12]]
            passages.append((words, min(i, 12), "a firm" if t == "I-ORG" else "an account", "bank"))
stream = [w.lower() for tokens, _ in inbox_tags.train for w in tokens]
stream += [w for d in pages for w in re.findall(r"\w+|[^\w\s]", d.text.lower())[:600]]
two_way_words = {w: i for i, (w, _) in enumerate(Counter(stream).most_common(1999), start=1)}
flow = torch.tensor([two_way_words.get(w, 0) for w in stream])
seed_everything(SEED)
two_way = TwoWay(2000)
def flow_batch(step: int) -> torch.Tensor:
    """Return (32, 24) words from places drawn at random."""
    return flow[torch.randint(len(flow) - 24, (32, 1)) + torch.arange(24)]
print(fit(two_way, flow_batch, two_way_loss, steps=budget(grade=20, cpu=260), lr=5e-3, progress=False))

# %% show
def vectors_of(word: str) -> tuple[torch.Tensor, list[str]]:
    """Return the three layers' vectors at each place of the word, (3, n, 2 * width), and the senses."""
    found = [p for p in passages if p[3] == word]
    rows = [torch.tensor([two_way_words.get(w, 0) for w in tokens]) for tokens, *_ in found]
    lengths = torch.tensor([len(row) for row in rows])
    with torch.no_grad():
        layers = two_way.layers(nn.utils.rnn.pad_sequence(rows, batch_first=True), lengths)
    places = torch.tensor([p[1] for p in found])
    return layers[:, torch.arange(len(found)), places], [p[2] for p in found]


def neighbour_right(vectors: torch.Tensor, senses: list[str]) -> float:
    """Return how often the nearest other place of the word has the same sense, both senses counting alike."""
    unit = F.normalize(vectors, dim=-1)
    nearest = (unit @ unit.T).fill_diagonal_(-2).argmax(-1)
    same = np.array([senses[i] == senses[j] for i, j in enumerate(nearest.tolist())])
    return float(np.mean([same[np.array(senses) == sense].mean() for sense in set(senses)]))


class Probe(nn.Module):
    """A linear classifier of senses on ELMo's mix, of which the weights and gamma are learned with it."""

    def __init__(self, width: int):
        super().__init__()
        self.mix, self.gamma = nn.Parameter(torch.zeros(3)), nn.Parameter(torch.ones(()))
        self.out = nn.Linear(width, 2)

    def forward(self, layers):  # (B, 3, C)
        return self.out(elmo_mix(layers.transpose(0, 1)[:, :, None], self.mix, self.gamma)[:, 0])


fig, axes = plots.figure(columns=2, width=10.5, height=4)
senses_told = {}
for ax, word in zip(axes, ("cell", "bank"), strict=True):
    layers, senses = vectors_of(word)
    names = sorted(set(senses))
    order = np.random.default_rng(SEED).permutation(len(senses))
    learned, held = order[::2], order[1::2]
    y = torch.tensor([names.index(s) for s in senses])
    seed_everything(SEED)
    probe = Probe(layers.shape[-1])
    fit(probe, [(layers[:, learned].transpose(0, 1).contiguous(), y[learned])], next_word_loss, steps=120, lr=0.05,
        progress=False)
    with torch.no_grad():
        right = (probe(layers[:, held].transpose(0, 1)).argmax(-1) == y[held]).float().mean().item()
    shares = probe.mix.detach().softmax(0).tolist()
    senses_told[word] = {"static": neighbour_right(layers[0], senses), "layer 2": neighbour_right(layers[2], senses),
        "probe": right}
    counts = ", ".join(f"{senses.count(name)} times {name}" for name in names)
    near = ", ".join(f"layer {i} {neighbour_right(layers[i], senses):.2f}" for i in range(3))
    print(f"{word}: {counts}\n  the nearest other place has the same sense: {near}")
    print(f"  ELMo's mix of the layers: {', '.join(f'{v:.2f}' for v in shares)}; {right:.1%} of held-out places right")
    centred = layers[2] - layers[2].mean(0)
    points = (centred @ torch.linalg.svd(centred, full_matrices=False)[2][:2].T).numpy()
    for name, marker in zip(names, ("o", "^"), strict=True):
        chosen = np.array(senses) == name
        ax.scatter(*points[chosen].T, marker=marker, s=22, alpha=0.7, label=name)
    ax.set(title=f"“{word}”, layer 2", xlabel="component 1", ylabel="component 2")
    ax.legend()
told = " and ".join(f"{senses_told[word]['layer 2']:.0%}" for word in ("cell", "bank"))
plots.show(fig, "Two maps of the places of one word by their vectors in layer 2: cell in pages of matplotlib and of "
    f"torch, bank as a firm and as an account. The nearest neighbour has the same sense for {told} of the places.")

# %% [markdown]
# The static vector is the same at every place, so its nearest neighbour is a matter of chance. (The half is exact only
# by accident: all places are equally near, and the first is taken.)
#
# **CoVe** (McCann and others, 2017) takes the states of a *translator's* encoder instead. Ours has read dates, and
# knows one ambiguous word: in Spanish, `mar` is short for *martes*, a weekday, and for *marzo*, a month. The state
# after its last letter tells which, since the encoder needs to know: only the month goes into the ISO date.

# %% show
mars = [(text, i.start()) for text, _ in Dates("train").series(budget(grade=400, cpu=4000), seed=7, counts=(1,),
    languages=["es"])
        for i in re.finditer(r"\bmar\b", text)]
mars = list(dict.fromkeys(mars))
senses = ["weekday" if place == 0 else "month" for _, place in mars]
with torch.no_grad():
    rows, lengths = date_sources([text for text, _ in mars], False)
    states = translator.encoder(translator.read_embed(rows))[0]
    at = torch.tensor([place + 2 for _, place in mars])
    cove = states[torch.arange(len(mars)), at]
    letters = translator.read_embed(rows)[torch.arange(len(mars)), at]
unit = F.normalize(cove, dim=-1)
alike = unit @ unit.T
weekday = torch.tensor([s == "weekday" for s in senses])
print(f"{len(mars)} times mar: {senses.count('weekday')} weekdays, {senses.count('month')} months")
inside = alike[weekday][:, weekday].mean(), alike[~weekday][:, ~weekday].mean()
outside = alike[weekday][:, ~weekday]
print(f"mean cosine among weekdays {inside[0]:.2f}, among months {inside[1]:.2f}, between {outside.mean():.2f}")
found = {"letters": neighbour_right(letters, senses), "CoVe": neighbour_right(cove, senses)}
print("nearest neighbour of the same sense: " + ", ".join(f"{name} {share:.2f}" for name, share in found.items()))

# %% [markdown]
# ## Essay 1: what a model remembers
#
# 20 minutes, ★★, 10 points, graded by hand
#
# From the figure of gradients and the table of the long-memory task: why does the plain RNN fail where LSTM and GRU
# do not, though all three have a state large enough to hold the symbol? Say which factor the gradient is multiplied by
# at each step in each of them, and what clipping can and cannot mend. Then look at the perplexities of the bigram model
# with four vocabularies, and at the bits per character of LSTM and 5-gram: which of these numbers may be compared with
# one another, and what would you have to know before you called one model better? About 150 words.

# %% [markdown] essay="gates" points=10
# ### BEGIN SOLUTION
# Going back one step, the gradient of the plain RNN is multiplied by W_h diag(1 - h^2). The slopes are at most 1 and
# mostly well below, so unless W_h is large the product of sixty such matrices is nearly 0: at distance 50 it is many
# orders of magnitude smaller than at 0, and the loss at the end says nothing to the first symbol. In the LSTM the cell
# passes back through a product of forget gates, which begin near sigma(5) = 0.99 and can learn to be 1; the GRU's
# update gate does the same. Clipping bounds a gradient that explodes; one that has vanished has the wrong proportions
# already, and scaling cannot bring it back. The perplexities fell with the vocabulary because more and more words were
# called unknown: they are about different tokens and may not be compared. The bits per character of LSTM and 5-gram
# may: same characters, same text, both trained on the same stretches. Before calling one better I would want other
# seeds, a better-smoothed 5-gram, and the size of both.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: the factor of the plain RNN (W_h times the slope of tanh), with a number from the figure or the table.
# 2 points: the path through the cell (or update gate) and its factor, the gate.
# 2 points: clipping mends explosion, not vanishing, with the reason.
# 3 points: perplexities over different vocabularies are not comparable, the bits per character are; one thing more to
# know.
# ### END MARK SCHEME

# %% [markdown]
# ## Essay 2: through the bottleneck
#
# 20 minutes, ★★, 10 points, graded by hand
#
# From the two panels on dates: how does the share of exact translations fall with the length of the source, and which
# date of a series of three suffers most? Give a reason from the way the state is made. Why did reversing the source
# help Sutskever and others, and what did it do here, and why? Then turn to the tables of this chapter: name one place
# where more knowledge was passed on from elsewhere (pretrained vectors, a second task, a language model's layers), say
# what it changed in numbers, and whether one run is enough to believe it. Last: propose one change of the decoder that
# would free it from the bottleneck. About 150 words.

# %% [markdown] essay="bottleneck" points=10
# ### BEGIN SOLUTION
# Nine in ten single dates are right; with two or three dates almost no series is exact. In a series the first date is
# still right about half of the time, the second and third hardly ever. Everything that the decoder may know has passed
# through the last pair of states, 256 numbers; each character read overwrites a part of them, and what is to be
# written last must be held longest. Sutskever's languages have a similar order, so reversing brought the first words
# of the source next to the first words of the target. An ISO date is already the reverse of most written dates:
# reversal moves the year, which is written first, to the far end, and the curve lies lower. Pretrained vectors gave a
# lower perplexity early in training, less at the end; one run with one seed shows the direction, not the size, and I
# would repeat it with five seeds. The decoder could look back at all states of the encoder at every step, weighted by
# what it needs: attention.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: the fall with length in numbers, and the place in the series, with a reason (one state of fixed size).
# 3 points: why reversal helped then and not here: the order of source and target.
# 2 points: one transfer with its numbers, and doubt about a single run.
# 2 points: a change that gives the decoder access to more than the last state.
# ### END MARK SCHEME

# %% [markdown]
# ## What you built, and what breaks next
#
# N-grams, the two-matrix model, a window, an RNN and its gradient through time, LSTM and GRU, bidirectional stacks, a
# writer of characters, Viterbi, a tagger, a translator with BLEU, and vectors that know their sentence, each equal to
# the library that the field uses. From here on we use the libraries.
#
# What breaks: everything that the decoder knows has passed through one vector, and every step must wait for the one
# before. [Chapter 04](../04_attention/04_attention.ipynb) lets the decoder look back at *all* states of the encoder,
# and weigh them: attention.
#
# **Saved:** the artifact `date-translator` with its curves of exact translations by length, beside which chapter 04
# draws its own; your row of the leaderboard.
#
# ## Further reading
#
# - Y. Bengio, R. Ducharme, P. Vincent and C. Jauvin (2003). A neural probabilistic language model. *Journal of Machine
#   Learning Research* 3.
# - J. L. Elman (1990). Finding structure in time. *Cognitive Science* 14(2). The plain RNN.
# - R. Pascanu, T. Mikolov and Y. Bengio (2013). On the difficulty of training recurrent neural networks. *ICML*.
# - S. Hochreiter and J. Schmidhuber (1997). Long short-term memory. *Neural Computation* 9(8).
# - K. Cho and others (2014). Learning phrase representations using RNN encoder-decoder for statistical machine
#   translation. *EMNLP*. The GRU.
# - I. Sutskever, O. Vinyals and Q. V. Le (2014). Sequence to sequence learning with neural networks. *NIPS 27*.
# - J. Lafferty, A. McCallum and F. Pereira (2001). Conditional random fields. *ICML*.
# - Z. Huang, W. Xu and K. Yu (2015). Bidirectional LSTM-CRF models for sequence tagging. *arXiv* 1508.01991.
# - K. Papineni, S. Roukos, T. Ward and W.-J. Zhu (2002). BLEU: a method for automatic evaluation of machine
#   translation. *ACL*. M. Post (2018). A call for clarity in reporting BLEU scores. *WMT*. sacrebleu.
# - O. Press and L. Wolf (2017). Using the output embedding to improve language models. *EACL*. Weight tying.
# - B. McCann, J. Bradbury, C. Xiong and R. Socher (2017). Learned in translation: contextualized word vectors. *NIPS
#   30*.
# - M. E. Peters and others (2018). Deep contextualized word representations. *NAACL*. ELMo.
# - A. Holtzman, J. Buys, L. Du, M. Forbes and Y. Choi (2020). The curious case of neural text degeneration. *ICLR*.
