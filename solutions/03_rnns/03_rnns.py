# %% [markdown]
# # 03 RNNs: memory, gates, sequences
#
# Cover the end of this sentence with your hand, and you can still guess how it goes on. So can your phone. In this
# chapter you build a model that does the same: it reads from left to right and tells you, at every position, how likely
# each possible next word or letter is. By the middle of the chapter it writes in the style of Shakespeare, letter by
# letter, trained by your own loop.
#
# **What you will build** in about six and a half hours, in two halves with a good place to pause between them:
#
# 1. *Language models* (exercises 1 to 7, essay 1, about three and a half hours): n-grams, a recurrent network, its
#    gradient through time, gates, a training loop, a memory test for your own cells, and a character-level writer.
# 2. *Sequences to sequences* (exercises 8 to 11, essay 2, about three hours): a tagger that finds names and times in
#    messages, a translator of dates from sixteen languages, and the bottleneck that chapter 04 removes.
#
# **What you need.** Python, NumPy, PyTorch tensors; the inbox of [chapter 01](../01_spam/01_spam.ipynb) and the word
# vectors of [chapter 02](../02_word_vectors/02_word_vectors.ipynb): your own if you saved them, otherwise the reference
# vectors.
#
# **Points.** 100: eleven exercises checked by machine (80) and two short essays (20). Once your code is in place, the
# notebook runs in about three minutes on two cores.
#
# **Notation.** Row vectors: a batch of sequences has the shape $(B, T, C)$, a layer is $xW + b$ (books that use column
# vectors write $Wx + b$). $V$ is the size of the vocabulary, $W$ a weight matrix. Your functions must not modify their
# arguments and must keep float64. Where PyTorch trains through them, do not use `.detach()` or `.item()` on the way.

# %% given
import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence

from helpers import data, plots
from helpers.chapters.rnns import agreement, training_loop
from helpers.chapters.rnns import encoder_decoder as encoder_decoder_helpers
from helpers.checks import gradients
from helpers.course import SEED, benchmarks, notebook, seed_everything, ways_of_calls
from helpers.training import fit

notebook.prepare("03_rnns")


# What checks ask of your functions besides their values: the gradient for each tensor of floats but the `fixed`.
def slopes(function, *arguments, fixed=()) -> list[torch.Tensor]:
    return gradients.slopes(function, *arguments, fixed=fixed)


def without_autograd(function, *arguments):  # what a call gives where autograd is off
    return ways_of_calls.without_autograd(function, *arguments)

# %% [markdown]
# # Part one: language models
#
# A *language model* gives each possible next token a probability, given the tokens before it: $p(w_t \mid w_1 \dots
# w_{t-1})$. With such a model you can score a text (multiply the probabilities), complete it (take the likeliest token)
# and write a new one (sample). One question runs through this half: **how much of the past can a model use, and how
# does it carry the past along?** We begin with a tiny corpus.

# %% show
corpus = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()
vocabulary = sorted(set(corpus))
print(len(corpus), "tokens,", len(vocabulary), "types:", vocabulary)

# %% [markdown]
# ## Exercise 1: counting what comes next (`ngram`)
#
# 15 minutes, ★, 6 points
#
# What comes after `the`? In the corpus, `the` is followed by a word eight times, and four times that word is `dog`. So
# we estimate one half. This is the *n-gram model*, the oldest language model: the *context* $c$ is the last $n-1$
# tokens, and the probability is a relative frequency.
#
# ![The whole corpus; the word after each "the" is marked, and these words are counted below](figures/ngram_window.svg)
#
# One thing goes wrong at once. `the` was never followed by `ran`, so `ran` gets probability 0, and a single zero makes
# the whole text impossible. The remedy is to add $k$ to every count, for each of the $V$ words that could follow (with
# $k = 1$ this is Laplace smoothing):
#
# $$ p(w \mid c) = \frac{\text{count}(c\,w) + k}{\text{count}(c\,\cdot) + k V} $$
#
# where $\text{count}(c\,\cdot)$ is how often *any word* followed $c$. By hand, with $k = 1$ and $V = 8$: $p(\text{dog}
# \mid \text{the}) = (4 + 1)/(8 + 8) = 5/16$, and `ran` gets $1/16$.
#
# How good is a model? The mean of $-\ln p$ over the tokens of a text is its **cross-entropy** in nats (divide by
# $\ln 2$ for bits). The exponential of the cross-entropy in nats is the **perplexity**: the model is as uncertain as if
# it chose among that many equally likely words.
#
# <details><summary>Hint 1</summary>The n-grams are <code>tuple(tokens[i : i + n])</code> for i from 0 to len(tokens) -
# n.</details>
# <details><summary>Hint 2</summary><code>ngrams.get((*context, word), 0)</code> is the count, or 0.</details>

# %% exercise="ngram"
def count_ngrams(tokens: Sequence[Hashable], n: int) -> tuple[dict, dict]:
    """Return (counts of all n-grams, counts of their contexts); keys are tuples of n and of n - 1 tokens.

    Two dictionaries (a Counter is one). A context is counted only where a token follows it.
    For n = 1 the only context is the empty tuple (). Fewer than n tokens give two empty dictionaries.
    """
    ### BEGIN SOLUTION
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return dict(Counter(grams)), dict(Counter(gram[:-1] for gram in grams))
    ### END SOLUTION

def add_k(word: Hashable, context: tuple, ngrams: dict, contexts: dict, size: int, k: float = 1.0) -> float:
    """Return p(word | context) with k added to each count, for a vocabulary of `size` words.

    ngrams, contexts: as count_ngrams returns them; a missing key has the count 0. A denominator of 0 gives 0.0.
    """
    ### BEGIN SOLUTION
    total = contexts.get(context, 0) + k * size
    return (ngrams.get((*context, word), 0) + k) / total if total else 0.0
    ### END SOLUTION

def cross_entropy(probabilities: Sequence[float]) -> float:
    """Return the mean of -ln p of at least one probability, in nats; infinite (math.inf) if any p is 0."""
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

# %% [markdown]
# **Perplexities can be compared only on the same tokens.** A low perplexity is easy to get: replace every rare word
# with `<unk>`, and `<unk>` becomes easy to predict. Below, your bigram model reads the docs with smaller and smaller
# vocabularies. The third column is the number that one is tempted to report. The last column asks all models the *same*
# question: the probability of `<unk>` is divided among the rare words, in proportion to their frequencies.

# %% show
from helpers.chapters.rnns.next_words import words_of
from helpers.chapters.rnns.vocabularies import Vocabularies
docs = data.load("docs_text")
train_words, valid_words = words_of(docs.train, 250_000), words_of(docs.valid, 25_000)
reading = Vocabularies(train_words, valid_words, count_ngrams, add_k)
print("vocabulary   unknown in the text   perplexity of its own tokens   of the same tokens")
for size in (reading.size, 2000, 500, 100):
    kept, own, same = reading.judge(size, n=2, k=0.01)
    print(f"{size:>10,}   {1 - kept:>19.1%}   {perplexity(own):>28.1f}   {perplexity(same):>18.1f}")
for n in (1, 2, 3):
    print(f"all words, {n}-grams: perplexity {perplexity(reading.judge(reading.size, n=n, k=0.01)[1]):.1f}")

# %% [markdown]
# The third column falls from 179 to 13.5. Most of that is not progress: the question became easier. On the same tokens
# the gain is much smaller, and it does not even grow with every step: a vocabulary of 500 words is best, with 140, and
# one of 100 words, with 169, is nearly as bad as the full one. So smaller vocabularies did help a little, but the third
# column exaggerates the gain many times over.
#
# The last three lines show the dilemma of counting. One word of context tells you a lot, but two words of context are
# worse than one, because most pairs of words were never seen. To use a longer past, a model has to *generalise*.
#
# ## From counts to vectors
#
# To a table of counts, `dog` and `cat` are unrelated keys, and nothing learned about one helps with the other. So give
# each word two vectors of $d$ numbers, as in chapter 02: row $e_i$ of $E$ when it is the *previous* word, and row $u_j$
# of $U$ when it is the *next* one. Dot products are the scores, and a softmax turns them into probabilities:
#
# $$ p(\cdot \mid i) = \mathrm{softmax}(U e_i), \qquad
# \mathcal{L} = -\frac{1}{T-1}\sum_{t=1}^{T-1} \ln p(w_{t+1} \mid w_t) $$
#
# This is the smallest neural language model. Train it on the tiny corpus. Two numbers tell us how good it can get: the
# $\ln 8$ nats of a uniform guess, and the *floor*: no model with one word of context can beat your relative frequencies
# on the corpus from which they were counted.

# %% show
from helpers.chapters.rnns.next_words import train_two_matrices
from helpers.chapters.rnns.two_matrices import RANDOM_E, RANDOM_U, drawn, mean_nll, next_probabilities
ids = [vocabulary.index(w) for w in corpus]
pairs, singles = count_ngrams(corpus, 2)
floor = cross_entropy([add_k(b, (a,), pairs, singles, 8, k=0) for a, b in pairwise(corpus)])
for name, nats in (("random vectors", mean_nll(RANDOM_E, RANDOM_U, ids)), ("uniform", math.log(8)), ("floor", floor)):
    print(f"{name:<15}{nats:.4f} nats, perplexity {math.exp(nats):7.4f}")
SEEDS = 5  ### small: 2
runs = {}
for width in (2, 3):
    runs[width] = [train_two_matrices(ids, width, seed) for seed in range(SEEDS)]
for width, found in runs.items():
    print(f"{width} dimensions, one run for each seed:", *(f"{mean_nll(E, U, ids):.4f}" for E, U in found))
### BEGIN CLAIMS
from helpers.course.claims import claim
for width, found in runs.items():
    trained = [-mean_nll(E, U, ids) for E, U in found]
    claim(f"Mini corpus, {width} dimensions, minus NLL: trained above -0.85", trained, [-0.85] * len(trained))
### END CLAIMS

# %% [markdown]
# Random vectors are worse than no model: they are as uncertain as if there were 17 equally likely words, and there are
# only 8. Trained vectors reach the floor: they reproduce the table of counts. In the best run with two dimensions,
# words that are followed by the same words have moved close together, and `cat` after `dog`, a pair that the corpus
# does not contain, has become unlikely.

# %% show
from helpers.chapters.rnns.figures import previous_and_next
maps = {"random": (RANDOM_E, RANDOM_U), "trained": min(runs[2], key=lambda run: mean_nll(*run, ids))}
plots.show(*previous_and_next(maps, [mean_nll(E, U, ids) for E, U in maps.values()], vocabulary))
seen, uniforms = set(pairwise(ids)), np.random.default_rng(SEED).uniform(size=21)
for title, (E, U) in maps.items():
    text = drawn(E, U, vocabulary.index("dog"), uniforms)
    cat = next_probabilities(E, U, vocabulary.index("dog"))[vocabulary.index("cat")]
    print(f"{title}: p(cat | dog) {cat:.4f}; {sum(pair in seen for pair in pairwise(text))} of 21 bigrams were seen")
    print("    the", " ".join(vocabulary[i] for i in text))

# %% [markdown]
# ## Exercise 2: from a window to a state (`rnn`)
#
# 15 minutes, ★★, 7 points
#
# The model above looks back one word. The model that made neural language models known ([A Neural Probabilistic
# Language Model](https://www.jmlr.org/papers/v3/bengio03a.html), Bengio, Ducharme, Vincent and Jauvin, 2003) looks back
# $n$ words. It concatenates their vectors into one row $x$, the oldest first, and computes the scores through a hidden
# layer and, in addition, along a direct path:
#
# $$ x = [E_{w_1}, \dots, E_{w_n}], \qquad \text{scores} = \tanh(x W_h + b_h)\, W_o + x W_d + b_o $$
#
# ![Two word vectors, 3 and 1, in one row; a hidden layer and a direct path lead to the scores](figures/window.svg)
#
# By hand, as in the drawing: with $d = 1$, $E = (1, 2, 3)^\top$ and the window of words $(2, 0)$, $x = (3, 1)$; the
# hidden layer is $\tanh(0.3 - 0.2 + 0.3) = 0.38$, and the first score is $0.38 \cdot 1 + 0.2 + 0.5 = 1.08$.
#
# The weakness is in the shape of $W_h$, $(n d, H)$: each position in the window has weights of its own. A longer window
# needs a larger model, nothing learned at one position helps at another, and the words before the window are lost.
#
# So keep a **state** $h$ of fixed size instead, and update it by the same rule at every step. This is the *recurrent
# neural network* (RNN; [Finding Structure in Time](https://doi.org/10.1207/s15516709cog1402_1), Elman, 1990):
#
# $$ h_t = \tanh(x_t W_x + h_{t-1} W_h + b) $$
#
# ![A recurrent network as a loop, and unrolled over three steps with the same weights](figures/rnn_unrolled.svg)
#
# By hand: $x_1 = 1$, $h_0 = 0.5$, all weights 1 and $b = -1.5$ give $h_1 = \tanh(1 + 0.5 - 1.5) = 0$. The number of
# parameters no longer depends on the length of the text. Unrolled in time, the network is deep: $T$ layers that share
# their weights.
#
# <details><summary>Plan</summary><code>bengio_logits</code> concatenates the vectors of each window into one row,
# (B, n * d), and sends it down both paths. <code>rnn_cell</code> is one update of the state. <code>rnn_forward</code>
# goes from step to step, gives <code>rnn_cell</code> the state that it returned last, and collects all states,
# (B, T, H). Consider what there is to collect when T is 0.</details>
# <details><summary>Hint 1</summary><code>E[ids].flatten(1)</code> puts the vectors of a window into one row.</details>
# <details><summary>Hint 2</summary>Step t reads <code>x[:, t]</code>; <code>torch.stack(states, dim=1)</code> collects
# the states.</details>

# %% exercise="rnn"
def bengio_logits(
    ids: torch.Tensor, E: torch.Tensor, W_h: torch.Tensor, b_h: torch.Tensor,
    W_o: torch.Tensor, b_o: torch.Tensor, W_d: torch.Tensor,
) -> torch.Tensor:
    """Return the scores of the next word, (B, V), without a softmax.

    ids: (B, n) word numbers, the oldest first. E: (V, d). W_h: (n * d, H), b_h: (H,). W_o: (H, V), b_o: (V,).
    W_d: (n * d, V), the direct path.
    """
    ### BEGIN SOLUTION
    x = E[ids].flatten(1)  # (B, n * d)
    return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o
    ### END SOLUTION

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
    """Return (the states h_1 to h_T, (B, T, H); the last state, (B, H)). x: (B, T, C), h0: (B, H).

    With T = 0 the states have shape (B, 0, H) and the last state is h0.
    """
    ### BEGIN SOLUTION
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, dim=1) if states else h.new_zeros(len(h), 0, h.shape[1]), h
    ### END SOLUTION

# %% check="rnn" points=7

# %% show
print(f"largest difference from nn.RNN, weights copied: {agreement.with_rnn(rnn_forward):.1e}")

# %% [markdown]
# ## Where do the vectors come from?
#
# Let the window model read the docs. Its word vectors can be (a) random, (b) those of chapter 02, (c) those of chapter
# 02 but *frozen*, so that only the other weights are trained, or (d) *tied*: the matrix that embeds the words also
# scores the next word, $W_o = E^\top$ ([Using the Output Embedding to Improve Language
# Models](https://arxiv.org/abs/1608.05859), Press and Wolf, 2017). We train the same model four times, with the same
# number of steps and the same vocabulary. The last two lines are your bigram models, which do nothing but count.

# %% show
from helpers.chapters.rnns.next_words import WordWindows, embedding_table
from helpers.models.word_vectors import WordVectors
words = WordWindows(train_words, valid_words, size=2000)
STEPS = 120  ### small: 15
print(embedding_table(words, WordVectors.load(), bengio_logits, STEPS))
for read in (len(words.train), words.read_in(STEPS)):
    pairs, singles = count_ngrams(words.train[:read].tolist(), 2)
    bigram = [add_k(b, (a,), pairs, singles, words.size, k=0.01) for a, b in words.judged_pairs()]
    print(f"bigrams, counted from {read:>7,} words{perplexity(bigram):>42.1f}")

# %% [markdown]
# Read the last two lines together. Counted from all 250,000 words, bigrams beat all four networks by far. Counted from
# only an eighth of them, as many as the networks were asked to predict in training, they are far behind. From the same
# amount of text, vectors learn more than counts; but counting goes through the whole text in one pass. No
# initialisation is clearly ahead, early in training or at the end; at the end only the frozen vectors differ clearly,
# and they are the worst. Tying saves one matrix and costs nothing. (This is one seed: a difference of a few points
# means nothing.)
#
# ## Exercise 3: back through time (`bptt`)
#
# 15 minutes, ★★★, 6 points
#
# A recurrent network learns by the chain rule, applied back through its steps. After this exercise autograd will do
# that for you. Do it by hand once, for a network with a single unit: $h_t = \tanh(a_t)$ with $a_t = w x_t + u h_{t-1} +
# b$, $h_0 = 0$, and the loss $L = \tfrac12 \sum_{t=1}^T (h_t - y_t)^2$. You need one number per step: $\delta_t =
# \partial L / \partial a_t$.
#
# ![Two steps; dashed arrows carry the gradient back from each error and from the later step](figures/bptt.svg)
#
# The state $h_t$ affects the loss in two ways: directly, through $(h_t - y_t)^2$, and later, through $a_{t+1}$. The
# gradients of both paths are added at $h_t$ and multiplied by the slope of the tanh:
#
# $$ \delta_t = (1 - h_t^2)\,\big[(h_t - y_t) + u\,\delta_{t+1}\big], \quad \delta_{T+1} = 0, \qquad
# \frac{\partial L}{\partial w} = \sum_t \delta_t x_t, \quad \frac{\partial L}{\partial u} = \sum_t \delta_t h_{t-1},
# \quad \frac{\partial L}{\partial b} = \sum_t \delta_t $$
#
# All steps share the same weights, so the gradients of the weights are sums over time ([Backpropagation Through
# Time](https://doi.org/10.1109/5.58337), Werbos, 1990). Each step back multiplies $\delta$ by $u (1 - h_t^2)$; exercise
# 4 measures the effect over many steps. The forward pass is given. Write the backward pass, preferably with these sums,
# and without autograd.
#
# By hand, as in the drawing: $x = (1, 0)$, $y = (0, 1)$, $w = 1$, $u = 0.5$, $b = 0$. The states are $h_1 = \tanh 1 =
# 0.76$ and $h_2 = \tanh 0.38 = 0.36$. Then $\delta_2 = 0.87 \cdot (-0.64) = -0.55$ and $\delta_1 = 0.42\,(0.76 - 0.28)
# = 0.20$. The derivative with respect to $w$ is $0.20 \cdot 1 = 0.20$, with respect to $u$ it is $-0.55 \cdot 0.76 =
# -0.42$, and with respect to $b$ it is $0.20 - 0.55 = -0.35$.
#
# <details><summary>Plan</summary>Go from the last step to the first and keep one number: the delta of the step after
# the current one; the text gives its first value. At each step compute the new delta from it, then add this step's
# share to three running sums, for <code>w</code>, <code>u</code> and <code>b</code>. Mind the indices: <code>h</code>
# has one entry more than <code>x</code> and <code>y</code>.</details>
# <details><summary>Hint 1</summary>Go backwards and keep the delta of the step after; it begins at 0.</details>
# <details><summary>Hint 2</summary><code>delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)</code></details>

# %% exercise="bptt"
def scalar_bptt(
    x: Sequence[float], y: Sequence[float], w: float, u: float, b: float
) -> tuple[float, float, float, float]:
    """Return the loss and its derivatives with respect to w, u and b, for T inputs x and T targets y; h_0 is 0.

    With T = 0 all four are 0.
    """
    h = [0.0]  # h[t] is the state after step t; step t reads x[t - 1] and aims at y[t - 1]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y, strict=True)) / 2
    ### BEGIN SOLUTION
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db
    ### END SOLUTION

# %% check="bptt" points=6

# %% show
x, y = np.random.default_rng(SEED).normal(size=(2, 20)).tolist()
print("dL/dw, du, db by hand:", *(f"{v:+.10f}" for v in scalar_bptt(x, y, 0.7, -0.9, 0.1)[1:]))
print("          by autograd:", *(f"{v:+.10f}" for v in agreement.scalar_gradients(x, y, 0.7, -0.9, 0.1)))

# %% [markdown]
# ## Exercise 4: gradients that vanish, gradients that explode (`exploding`)
#
# 15 minutes, ★★, 6 points
#
# Multiply 0.9 by itself fifty times and you are left with 0.005; do the same with 1.1 and you have 117. The
# gradient on its way back through time is multiplied by such a product. The factors are *Jacobians* $J_t = \partial h_t
# / \partial h_{t-1}$: tables of how much each number of $h_t$ changes with each number of $h_{t-1}$. With $h_t =
# \tanh(\dots + h_{t-1} W_h + b)$,
#
# $$ \frac{\partial h_{t,j}}{\partial h_{t-1,i}} = W_{h,ij}\,(1 - h_{t,j}^2), \qquad J_t = W_h\,\mathrm{diag}(1 -
# h_t^2), \qquad \frac{\partial h_T}{\partial h_{T-k}} = J_{T-k+1} \cdots J_{T-1} J_T $$
#
# The largest singular value of the product, its *spectral norm*, is the largest factor by which it can stretch a
# gradient. If it shrinks towards 0, the network gets no signal about what happened long ago. If it grows, a single step
# of the optimizer can destroy the weights. The second problem has a simple remedy, *clipping*: scale the gradient down
# when its norm is too large ([On the Difficulty of Training Recurrent Neural
# Networks](https://arxiv.org/abs/1211.5063), Pascanu, Mikolov and Bengio, 2013):
#
# $$ g \leftarrow g \cdot \min\!\Big(1, \frac{c}{\lVert g \rVert}\Big), \qquad \lVert g \rVert = \text{the root of the
# sum of the squares of } \textbf{all} \text{ numbers in all gradients} $$
#
# By hand: the gradients $(2)$ and $(1, -2)$ together have the norm $3$; with the limit 1.5 they become $(1)$ and $(0.5,
# -1)$. All numbers are scaled by the same factor, so the direction of the step does not change.
#
# <details><summary>Plan</summary><code>jacobian_norms</code> begins with the identity and goes back from the last
# state: note the norm of the product so far, then multiply by this state's Jacobian, on the side that the formula
# shows. <code>clip_by_norm</code> takes one norm over all numbers of all tensors, computes one factor from it, and
# returns new tensors; think of a norm of 0, and of a norm below the <code>limit</code>.</details>
# <details><summary>Hint 1</summary><code>W_h * (1 - h ** 2)</code> scales the columns, as <code>W_h @ np.diag(1 - h **
# 2)</code> does.</details>
# <details><summary>Hint 2</summary><code>np.linalg.norm(product, 2)</code> is the spectral norm.</details>

# %% exercise="exploding"
def jacobian_norms(states: np.ndarray, W_h: np.ndarray) -> np.ndarray:
    """Return the spectral norms (largest singular values) of dh_T / dh_(T-k) for k = 0 ... T - 1, (T,).

    states: (T, H), h_1 to h_T of one sequence. W_h: (H, H). For k = 0 the matrix is the identity, with norm 1.
    """
    ### BEGIN SOLUTION
    product, norms = np.eye(len(W_h)), []
    for h in states[::-1]:
        norms.append(np.linalg.norm(product, 2))
        product = (W_h * (1 - h**2)) @ product
    return np.array(norms)
    ### END SOLUTION

def clip_by_norm(gradients: list[torch.Tensor], limit: float) -> tuple[list[torch.Tensor], float]:
    """Return a list of tensors, scaled so that their common norm is at most `limit`, and the norm before scaling.

    The tensors given are not changed. If the norm is at most the limit, nothing is scaled; the limit may be math.inf.
    Each keeps its dtype, and the norm is a float.
    """
    ### BEGIN SOLUTION
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    factor = min(1.0, limit / norm) if norm else 1.0
    return [g * factor for g in gradients], norm
    ### END SOLUTION

# %% check="exploding" points=6

# %% [markdown]
# The left panel shows your `jacobian_norms` for random networks; the eigenvalues of their $W_h$ fill a circle of radius
# $\rho$. The middle panel shows autograd's numbers for an RNN and for the two networks of the next exercise: the norm
# of the gradient of the last state with respect to the *input*, as a function of the distance. (The gates that keep the
# past begin open.) In the right panel, an RNN of radius 2.5 learns to repeat what it saw ten steps ago, once without
# clipping and once with your `clip_by_norm`.

# %% show
from helpers.chapters.rnns.figures import gradient_flow
from helpers.chapters.rnns.gradients import gradient_reach, hidden_states, recurrent_matrix, train_echo
from helpers.chapters.rnns.recurrent import remembering, scaled_rnn
LENGTH, products = 80, {}
for radius in (0.5, 0.9, 3.0):
    rnn = scaled_rnn(32, radius, SEED)
    products[f"radius {radius}"] = jacobian_norms(hidden_states(rnn, LENGTH), recurrent_matrix(rnn))
reaches = {kind.__name__: gradient_reach(remembering(kind, 4, 32), LENGTH, SEED) for kind in (nn.RNN, nn.GRU, nn.LSTM)}
STEPS = 120  ### small: 20
limits = {"without clipping": math.inf, "clipped at 1": 1.0}
explosions = {name: train_echo(scaled_rnn(32, 2.5, SEED), clip_by_norm, c, STEPS) for name, c in limits.items()}
plots.show(*gradient_flow(products, reaches, explosions))
for name, values in reaches.items():
    print(f"{name}: the gradient at distance 50 is {values[50] / values[0]:.1e} of that at distance 0")
print(*(f"{name}: last loss {losses[-1]:.3g}" for name, (_, losses) in explosions.items()), sep=", ")

# %% [markdown]
# Clipping tames the explosion. It cannot bring back a gradient that has vanished; for that, the network itself has to
# change.
#
# ## Exercise 5: gates (`gates`)
#
# 20 minutes, ★★, 10 points
#
# A plain RNN rewrites its whole state at every step, like a whiteboard that is wiped before each note. It needs a
# notebook instead: keep most of the page, cross a little out, add a little. A **gate** makes this decision for each
# number of the state. It is a sigmoid $\sigma$ between 0 (closed) and 1 (open), computed from $x_t$ and $h_{t-1}$.
#
# The **LSTM** ([Long Short-Term Memory](https://doi.org/10.1162/neco.1997.9.8.1735), Hochreiter and Schmidhuber, 1997;
# its forget gate: [Learning to Forget](https://doi.org/10.1162/089976600300015015), Gers, Schmidhuber and Cummins,
# 2000) has a second state, the *cell* $c$. One gate scales the cell; another controls what is added to it:
#
# ![An LSTM cell: the forget gate halves 2, the input gate adds half of 0.76, and the output gate lets half of
# tanh(1.38) through](figures/lstm_cell.svg)
#
# $$ [i, f, g, o] = x W_x + h W_h + b \ \text{ in four parts of } H, \qquad
# c' = \sigma(f) \odot c + \sigma(i) \odot \tanh(g), \qquad h' = \sigma(o) \odot \tanh(c') $$
#
# The forget gate $f$ keeps or drops the old cell, the input gate $i$ lets the content $g$ in, and the output gate $o$
# decides how much of the cell the rest of the network sees. $\odot$ multiplies element by element: $(1,2) \odot (4,3) =
# (4,6)$. Directly along $c$ the gradient is multiplied by $\sigma(f)$ only, so it does not vanish while the forget gate
# is open. In the drawing $c = 2$, $g = 1$ and the sums of the gates are 0: the gates are 0.5, $c' = 0.5 \cdot 2 + 0.5
# \tanh 1 = 1 + 0.38 = 1.38$, and $h' = 0.5 \tanh 1.38 = 0.44$.
#
# The **GRU** ([Learning Phrase Representations using RNN Encoder-Decoder](https://arxiv.org/abs/1406.1078), Cho and
# others, 2014) has one state and two gates. The *reset* gate $r$ controls how much of the past enters the new content
# $n$, and the *update* gate $z$ controls how much of the old state is kept. Its two linear maps stay separate:
#
# ![A GRU cell with one number: the state 1 and the content 0 are mixed half and half](figures/gru_cell.svg)
#
# $$ [a_r, a_z, a_n] = x W_x + b_x, \quad [d_r, d_z, d_n] = h W_h + b_h, \quad
# r = \sigma(a_r + d_r), \quad z = \sigma(a_z + d_z), $$
# $$ n = \tanh(a_n + r \odot d_n), \qquad h' = (1 - z) \odot n + z \odot h $$
#
# By hand: all sums 0 and $h = 1$ give $r = z = 0.5$, $n = 0$, $h' = 0.5$. (This is the GRU of PyTorch and cuDNN, where
# $r$ acts on $h W_h + b_h$, after the matrix. In the paper it acts on $h$, before the matrix. The two are different
# networks.)
#
# <details><summary>Plan</summary><code>lstm_cell</code> computes all four sums at once, (B, 4H), splits them in the
# order of the text, updates the cell, and computes the new h from the new cell. <code>gru_cell</code> keeps its two
# maps apart, (B, 3H) each, and splits both: each gate adds its two parts, the content adds its two parts after r has
# acted on one of them, and z mixes new and old.</details>
# <details><summary>Hint 1</summary><code>i, f, g, o = sums.chunk(4, dim=-1)</code></details>
# <details><summary>Hint 2</summary>In the GRU z keeps the <em>old</em> state: with z = 1 nothing changes.</details>

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
    """Return the next h, (B, H). x: (B, C), h: (B, H), W_x: (C, 3H), W_h: (H, 3H), b_x and b_h: (3H,); r, z, n."""
    ### BEGIN SOLUTION
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, dim=-1)
    d_r, d_z, d_n = (h @ W_h + b_h).chunk(3, dim=-1)
    r, z = torch.sigmoid(a_r + d_r), torch.sigmoid(a_z + d_z)
    return (1 - z) * torch.tanh(a_n + r * d_n) + z * h
    ### END SOLUTION

# %% check="gates" points=10

# %% show
print(f"largest difference from nn.LSTMCell: {agreement.with_lstm_cell(lstm_cell):.1e}")
print(f"largest difference from nn.GRUCell:  {agreement.with_gru_cell(gru_cell):.1e}")

# %% [markdown]
# Your cells agree with PyTorch's. Whether they can remember is a question that only training can answer, and for that
# you need a training loop.
#
# ## Exercise 6: a training loop of your own (`loop`)
#
# 20 minutes, ★★, 8 points
#
# Until now `fit` has trained everything behind a curtain. Its core is seven lines in the right order, and such lines
# train every network that you have heard of. Write them once yourself: your loop will train your cells on a memory
# test, and after that the writer.
#
# ![Forward, loss, zero_grad, backward, clip, step, schedule; every so many steps, evaluate](figures/training_loop.svg)
#
# Follow one step by hand. The model is one weight, $w = 2$, the batch is $x = 1, y = 0$, and the loss is $(wx - y)^2$.
# The *forward* pass gives 2, the *loss* is 4, *backward* puts the gradient $2(wx - y)x = 4$ into `w.grad`, *clip* at 1
# makes it 1, and the *step* with rate 0.1 moves $w$ to 1.9. Then the schedule halves the rate. The next batch, $x = 1,
# y = 1.8$, has the loss $0.1^2 = 0.01$ and the gradient 0.2, which is below the limit, so $w = 1.9 - 0.05 \cdot 0.2 =
# 1.89$.
#
# Two mistakes are easy to miss. First, `backward()` *adds* to `.grad`: without `zero_grad()` the second step still
# contains the first gradient. Second, a model has two modes: `model.train()` switches dropout on, `model.eval()`
# switches it off. If you evaluate in train mode, you judge a damaged model; if you forget to switch back, you train
# without dropout from then on.
#
# <details><summary>Plan</summary>Each step takes the next batch, starting over after the last, and goes through the
# stages of the drawing in that order; keep its loss as a float. When an evaluation is due (once, even if both reasons
# apply), switch the mode, evaluate without gradients, and store the number of steps made together with the result. Then
# find the line in the loop that must switch back to train mode.</details>
# <details><summary>Hint 1</summary><code>batches[step % len(batches)]</code> starts over after the last
# batch.</details>
# <details><summary>Hint 2</summary><code>nn.utils.clip_grad_norm_(model.parameters(), clip)</code> clips all gradients
# together.</details>
# <details><summary>Hint 3</summary>Put <code>with torch.no_grad():</code> around the evaluation.</details>

# %% exercise="loop"
def train(
    model: nn.Module, batches: Sequence, loss: Callable, optimizer: torch.optim.Optimizer, schedule, steps: int,
    clip: float, evaluate: Callable, every: int,
) -> tuple[list[float], list[tuple[int, float]]]:
    """Train a model in place; return (the loss of each step as a float, [(steps made, evaluation), ...]).

    batches: step 0 learns from batches[0], step 1 from batches[1], and so on; after the last the first comes again.
    loss: (model, batch) -> a scalar tensor. schedule: its step() follows the optimizer's, in each step.
    clip: the largest norm that all gradients together may have.
    evaluate: model -> a number; called after every `every` steps and after the last one, in eval mode and without
    gradients. While it learns, the model is in train mode; at the end it is left in eval mode.
    """
    ### BEGIN SOLUTION
    losses, evaluations = [], []
    for step in range(steps):
        model.train()
        value = loss(model, batches[step % len(batches)])
        optimizer.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        schedule.step()
        losses.append(value.item())
        if (step + 1) % every == 0 or step + 1 == steps:
            model.eval()
            with torch.no_grad():
                evaluations.append((step + 1, evaluate(model)))
    return losses, evaluations
    ### END SOLUTION

# %% given
# What the check asks of your loop: a small network's losses, evaluations, weights and modes after so many steps.
def after_training(loop, weights, batches, steps, clip, every, recipe) -> dict:
    return training_loop.after_training(loop, weights, batches, steps, clip, every, recipe)

# %% check="loop" points=8

# %% [markdown]
# **The long-memory task.** The first symbol is one of eight, some forty random symbols of other kinds follow, and at
# the end the network must name the first one. To a program this is trivial; to a network it is a test of memory. Your
# `rnn_cell`, `gru_cell` and `lstm_cell` read it one symbol at a time, and your `train` trains them; no recurrent
# network of PyTorch is involved. Two more rows of the table test what makes the difference. In "LSTM, half open" all
# biases begin at 0, so that its gates begin at 0.5; in the other LSTM the bias of the forget gate begins at 5, so that
# this gate begins at 0.99, and the bias of the input gate begins at -2, so that little is written at first. In "RNN,
# mean" the network answers from the *mean* of its states instead of the last one, so the gradient has a short path back
# to each of them (chapter 04 will weight that mean). A claim about training that rests on one seed is an anecdote, so
# your run is followed by the course's own, with three seeds.

# %% show
from helpers.chapters.rnns.recall import own_runs, recall_accuracy
MEMORY = 40  ### small: 12
STEPS = 120  ### small: 60
entries = {"RNN": ("RNN", rnn_cell), "GRU": ("GRU", gru_cell), "LSTM": ("LSTM", lstm_cell),
           "LSTM, half open": ("LSTM", lstm_cell), "RNN, mean": ("RNN", rnn_cell)}
memory_runs = {}
for name, (kind, cell) in entries.items():
    memory_runs[name] = recall_accuracy(kind, cell, train, MEMORY, STEPS, SEED, name)
    print(f"{name:>15}: {memory_runs[name]:6.1%} (chance is 12.5%); the course: {own_runs(name)}")
### BEGIN CLAIMS
for name in ("GRU", "LSTM", "RNN, mean"):
    claim(f"The first symbol, 40 steps later: {name} above RNN", memory_runs[name], memory_runs["RNN"])
claim("The first symbol, 40 steps later: LSTM above an LSTM whose gates begin half open",
      memory_runs["LSTM"], memory_runs["LSTM, half open"])
### END CLAIMS

# %% [markdown]
# The plain RNN stays at chance. LSTM and GRU solve the task, but not merely because they have gates: an LSTM whose
# gates begin half open fails like the RNN, because along its cell the gradient is halved at each of forty steps. An
# *open* gate makes the difference, and for this reason the bias of an LSTM's forget gate is often positive at the
# start. (The mean of the states helps even the RNN, but only part of the way.)

# %% [markdown]
# Now compare your loop with `fit`. Both train the same model, an LSTM that reads Shakespeare's plays, a million
# characters. There are 65 different characters, so no word is unknown, and the vectors that embed the characters also
# score the next one (*tied*). Each row of a batch continues where that row of the last batch stopped: the state is
# passed on, the gradient is not (*truncated* BPTT).

# %% show
from helpers.chapters.rnns.characters import CharacterText
STEPS = 1348  ### small: 2
text = CharacterText(data.load("tiny_shakespeare"), steps=STEPS)
ours, theirs = training_loop.side_by_side(text, train, steps=20)
print("loss of your loop:", *(f"{loss:.3f}" for loss in ours[::4]), end="   ")
print("of fit:", *(f"{loss:.3f}" for loss in theirs[::4]))
print(f"largest difference in 20 steps: {abs(np.subtract(ours, theirs)).max():.1e}")
print(f"a uniform guess would have {math.log(len(text.characters)):.3f}")

# %% [markdown]
# The losses are the same. Make it a habit to look at the first one: an untrained model should be close to the uniform
# guess, and one that begins far above it was set up wrongly. `fit` adds conveniences: it takes care of the device, of
# half precision and of checkpoints. *Your* loop trains the writer below; part two returns to `fit`.
#
# ## Exercise 7: temperature, top-k, top-p (`sampling`)
#
# 18 minutes, ★★, 6 points
#
# A trained model tells you how likely each possible next character is. To write the next one, draw it: lay the
# probabilities end to end from 0 to 1 and see where a random number falls.
#
# ![Three probabilities laid end to end from 0 to 1; the number 0.6 falls into the second piece](figures/draw.svg)
#
# But from which probabilities? If you always take the likeliest character (*greedy* decoding), the text soon repeats
# itself. If you sample from the full distribution, it often goes wrong: each absurd character is unlikely, but there
# are many of them. Three settings give you something in between:
#
# ![Top-p with 0.6 keeps the probabilities 0.5 and 0.3 and scales them to 0.625 and 0.375](figures/nucleus.svg)
#
# 1. **Temperature** $\tau$: divide the logits by $\tau$, then apply the softmax. Below 1 the distribution becomes
#    sharper, above 1 flatter. $\tau = 0$ means greedy.
# 2. **Top-k**: only the $k$ largest logits stay.
# 3. **Top-p**, or nucleus sampling ([The Curious Case of Neural Text Degeneration](https://arxiv.org/abs/1904.09751),
#    Holtzman and others, 2020): keep the *fewest* of the largest probabilities whose sum is *at least* $p$.
#
# By hand: $p = (0.2, 0.5, 0.3)$. Top-p with 0.6 needs $0.5 + 0.3$, so $(0, 0.625, 0.375)$ remains.
#
# <details><summary>Plan</summary>Sort the logits, the largest first, and remember where each came from. In this order
# each filter only cuts off the tail: apply the temperature and the softmax, keep the first <code>top_k</code>, and
# rescale before <code>top_p</code> cuts. There the running sum tells you which are still needed. Rescale once more and
# put each probability back at its position in the vocabulary; greedy decoding must ignore the filters.</details>
# <details><summary>Hint 1</summary>Sort once: <code>torch.sort(..., descending=True, stable=True)</code>.</details>
# <details><summary>Hint 2</summary>For top-p, a token stays if those <em>before</em> it sum to less than p.</details>
# <details><summary>Hint 3</summary><code>out = torch.zeros_like(p); out[order] = kept / kept.sum()</code></details>

# %% exercise="sampling"
def token_distribution(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    """Return the probabilities to draw from, (V,), for logits (V,): temperature, then top-k, then top-p.

    The result is in the order of the vocabulary. Words that a filter drops have probability 0, and the others add up to
    1. None switches a filter off. temperature 0: all probability is on the first of the largest logits, whatever the
    filters say. top_k: all stay if there are fewer than that. top_p: 0 < p <= 1, applied after the words that top-k
    left are rescaled to a sum of 1; at least one stays. Of equal words at a cut-off the earlier ones stay. Logits of
    minus infinity are allowed: such words have probability 0.
    """
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

# %% show
from functools import partial
from helpers.chapters.rnns.characters import by_size, train_writer, write
careful = partial(token_distribution, temperature=0.7, top_p=0.95)
writer, evaluations, samples = train_writer(text, "ROMEO:\n", careful, train)
for (step, bits), sample in zip(evaluations, samples, strict=True):
    print(f"--- after {step} steps, {step * text.per_step:,} characters: {bits:.2f} bits per character\n{sample}\n")

# %% [markdown]
# Even the first sample has speakers' names and many real words, and the later ones contain fewer invented words. Is the
# writer better than counting? Your 5-gram with a small $k$ makes no use of shorter contexts. **Kneser-Ney** smoothing
# (in the improved form of [An Empirical Study of Smoothing Techniques for Language
# Modeling](https://doi.org/10.1006/csla.1999.0128), Chen and Goodman, 1999) passes a share of each context's
# probability on to the next shorter context, where it counts in how many *different* contexts a character occurs, not
# how often. It is the usual choice among n-gram models, and a strong rival. All models
# are judged on the same characters, half of the validation part, which none of them has read.

# %% show
from helpers.chapters.rnns.figures import bits_by_size, bits_per_character
counted, lstm, unread = text.counted(range(3, 9)), evaluations[-1][1], text.unread.tolist()
fives, fours = count_ngrams(text.read.tolist(), 5)
added = [add_k(unread[i], tuple(unread[i - 4 : i]), fives, fours, len(text.characters), 0.03)
         for i in range(4, len(unread))]
print(f"your 5-gram, k = 0.03: {cross_entropy(added) / math.log(2):.3f} bits per character, {len(fives):,} counts")
print(*(f"{n}-grams, Kneser-Ney:   {bits:.3f}" for n, bits in counted.items()), sep="\n")
print(f"LSTM:                  {lstm:.3f}, {sum(p.numel() for p in writer.parameters()):,} weights")
plots.show(*bits_per_character(evaluations, text.per_step, counted))
### BEGIN CLAIMS
claim("Minus bits per character: LSTM above the 5-gram with Kneser-Ney", -lstm, -counted[5])
claim("Minus bits per character: the 7-gram with Kneser-Ney above the 6-gram", -counted[7], -counted[6])
claim("Bits per character: LSTM and the best n-gram less than 0.02 apart", 0.02, abs(lstm - min(counted.values())))
### END CLAIMS

# %% [markdown]
# The LSTM beats the 5-gram with Kneser-Ney, and your own 5-gram by more. But counting improves up to 7-grams, and the
# best n-gram is level with the LSTM: the difference is about a hundredth of a bit, and one seed of five reverses it.
# **At a million characters and a few minutes of training, counting is as good.** And with less text? The figure shows
# the course's own runs (one seed) on an eighth of the plays, a quarter, a half, and all of them. Each part is read as
# often as you read the whole; at the end, the network has read all of them in three times as many steps, too.

# %% show
plots.show(*bits_by_size(**by_size()))

# %% [markdown]
# With less text counting is better: 2.56 against 2.92 bits on an eighth, 2.35 against 2.41 on a half. More text helps
# the network more, not least because a longer text, read as often, also means more steps. At a million characters the
# lines meet, and steps decide: with three times as many the network pulls ahead, 2.23 against 2.28. To see it yourself,
# set STEPS to 4050 and take a ten-minute break.
#
# Let your model write a page, and read it aloud. Below the page, the same model samples with other settings:

# %% show
print(write(writer, text, "JULIET:\nO ", 1500, careful))
for filters in (*({"temperature": t} for t in (0, 0.5, 1.0, 1.5)), {"top_k": 5}, {"top_p": 0.9}):
    print(f"\n--- {filters}\n{write(writer, text, 'JULIET:', 160, partial(token_distribution, **filters))}")

# %% [markdown]
# What is in its memory? Nobody told the model what a line is. Yet some single cells of such networks can be
# interpreted: one is active inside quotes, another counts the characters of a line ([Visualizing and Understanding
# Recurrent Networks](https://arxiv.org/abs/1506.02078), Karpathy, Johnson and Li, 2015). Look for such a cell in your
# model: among all 256 cells, the next cell of the notebook picks the one whose value correlates best with the number of
# characters since the last line break.

# %% show
from helpers.chapters.rnns.characters import cell_values, line_counter
from helpers.chapters.rnns.figures import cell_over_lines
values, since = cell_values(writer, text, 3000)
cell, fitting = line_counter(values, since)
print(f"cell {cell}: correlation {fitting:+.2f} with the characters since the line began")
plots.show(*cell_over_lines(values[:, cell], since, cell))

# %% [markdown]
# ## Essay 1: what a model remembers
#
# 15 minutes, ★★, 10 points, graded by hand
#
# Use the figure of gradients and the table of the long-memory task. Why does the plain RNN fail, although its state is
# large enough to hold one symbol? By what factor is the gradient multiplied at each step in an RNN and in an LSTM, and
# why does an LSTM whose gates begin half open fail as well? What can clipping repair, and what can it not? Then look at
# the table of perplexities for four vocabularies and at the bits per character of the LSTM and of the n-grams. Which of
# these numbers can be compared with one another? Is the LSTM better than counting? About 150 words.

# %% [markdown] essay="gates" points=10
# ### BEGIN SOLUTION
# Going back one step, the gradient of the plain RNN is multiplied by W_h diag(1 - h^2). The slopes are at most 1 and
# mostly well below 1, so the product of forty such matrices is nearly 0: at distance 50 the gradient is many orders of
# magnitude smaller than at 0, and training gets no signal about the first symbol. In the LSTM the gradient along the
# cell is multiplied by the forget gate, which begins near sigma(5) = 0.99; over forty steps three quarters are left.
# Half open, it is 0.5, and 0.5 to the power of 40 is practically 0: the accuracy is at chance, like that of the RNN.
# Clipping limits a gradient that explodes; one that has vanished cannot be scaled back. The perplexities of the models'
# own tokens fell because more words were called unknown. They are about different tokens and cannot be compared; those
# of the same tokens can, and they differ far less. The bits per character can be compared, too: the same characters,
# the same unread text. The LSTM is clearly better than the 5-gram, but only level with the best n-gram: a difference of
# a hundredth, with one seed, decides nothing.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: the factor of the plain RNN (W_h times the slope of tanh), with a number from the figure or the table.
# 2 points: the path through the cell and its factor, the forget gate; half open it is 0.5 a step, hence the failure.
# 2 points: clipping repairs explosion, not vanishing, with the reason.
# 3 points: perplexities of different tokens cannot be compared, those of the same tokens and bits per character can;
# the LSTM beats the 5-gram and is about level with the best n-gram.
# ### END MARK SCHEME

# %% [markdown]
# **Half way: a good place to stop.** You have counted, unrolled a network, gone back through time, opened gates and
# written the loop that trains them all. Part two needs only your functions. When you return, run the given cells and
# your exercises, and continue below.
#
# # Part two: sequences to sequences
#
# Recurrent networks differ in when they take an input and when they give an output. A language model answers at every
# step. Read a whole message and answer once, and you have a classifier. Answer for each word, and you have a tagger.
# Read everything first and then write, and you have a translator.
#
# ![One to one, one to many, many to one, many to many in step, and through one state](figures/layouts.svg)
#
# ## Exercise 8: there and back, layer on layer (`stacked`)
#
# 28 minutes, ★★★, 7 points
#
# "She sat on the bank of the river": only the end of the sentence tells you what kind of bank it is. A tagger that
# reads from left to right has not seen that end. A **bidirectional** layer reads twice, once from each end, and
# concatenates the two states of each token. A **stacked** network feeds these states to another layer.
#
# There is one trap. The sentences of a batch are padded at the end, and the backward reader must begin at *each
# sentence's own last token*. Reverse the whole padded row, and it starts with padding:
#
# ![Reversed within its length, a b c becomes c b a; reversed as a whole, the row begins with
# padding](figures/padding.svg)
#
# In a stack, which layer should a task use? **ELMo** ([Deep Contextualized Word
# Representations](https://arxiv.org/abs/1802.05365), Peters and others, 2018) does not choose: each task learns its own
# mix of the layers, and the static word vectors (layer 0) are one of them. (Only an experiment at the end of the
# notebook uses `elmo_mix`: if you are short of time, write it later.)
#
# $$ \text{ELMo}_t = \gamma \sum_{l=0}^{L-1} s_l\, h_{l,t}, \qquad s = \mathrm{softmax}(w) $$
#
# By hand: `a b c _ _` of length 3 becomes `c b a _ _`; two layers with $w = (0, 0)$ and $\gamma = 2$ give their sum.
#
# <details><summary>Plan</summary><code>reverse_padded</code> computes, for each position, the position that it copies
# from, (B, T), then fetches all vectors at once. <code>stacked_bidirectional</code> runs both readers in each layer,
# reverses the sequences before the backward reader and its states after it, concatenates the two, (B, T, 2H), and
# clears the padding at the end. <code>elmo_mix</code> turns the <code>weights</code> into shares, adds up the layers
# times their shares, and scales the sum.</details>
# <details><summary>Hint 1</summary>Position t copies from length - 1 - t within the sequence, and from t beyond
# it.</details>
# <details><summary>Hint 2</summary><code>x[torch.arange(B)[:, None], source]</code> copies whole vectors.</details>
# <details><summary>Hint 3</summary>The shares that fit the layers are <code>weights.softmax(0)[:, None, None,
# None]</code>.</details>

# %% exercise="stacked"
def reverse_padded(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return x, (B, T, C), with the first lengths[b] steps of each sequence b reversed. lengths: (B,).

    Steps beyond the length stay where they are: applied twice, the function gives the input back.
    """
    ### BEGIN SOLUTION
    places, ends = torch.arange(x.shape[1], device=x.device), lengths[:, None]
    source = torch.where(places < ends, ends - 1 - places, places)  # (B, T)
    return x[torch.arange(len(x), device=x.device)[:, None], source]
    ### END SOLUTION

def stacked_bidirectional(
    x: torch.Tensor, lengths: torch.Tensor, layers: list[tuple[Callable, Callable]]
) -> torch.Tensor:
    """Return the states of the last layer, (B, T, 2H), forward states first, zeros at all positions beyond the length.

    x: (B, T, C). lengths: (B,), each at least 1. layers: pairs of functions (forward, backward); each takes a batch
    (B, T, C), reads it from the first step to the last and returns its states (B, T, H). The backward one is fed the
    reversed sequences, and its states are reversed again. The output of a layer, (B, T, 2H), is the input of the next.
    """
    ### BEGIN SOLUTION
    for forward, backward in layers:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    real = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
    return x * real[..., None]
    ### END SOLUTION

def elmo_mix(layers: torch.Tensor, weights: torch.Tensor, gamma: float | torch.Tensor) -> torch.Tensor:
    """Return the mix, (B, T, C). layers: (L, B, T, C), weights: (L,) before the softmax, gamma: a scalar."""
    ### BEGIN SOLUTION
    return gamma * torch.einsum("l,lbtc->btc", weights.softmax(dim=0), layers)
    ### END SOLUTION

# %% check="stacked" points=7

# %% show
print(f"two layers, largest difference from nn.LSTM: {agreement.with_lstm(stacked_bidirectional):.1e}")

# %% [markdown]
# ## Exercise 9: the best path, and all paths (`viterbi`)
#
# 30 minutes, ★★★, 7 points
#
# Which words of a message are a name, a time, a place? Give each token a **tag**: `B-PERSON` begins a person,
# `I-PERSON` continues one, `O` is outside. A tag depends on the word and on the tag before it: no `I-TIME` follows an
# `O`. So the score of a path of tags is a sum of *emissions*, one row for each token, and *transitions*, one table:
#
# $$ s(y) = \text{start}_{y_1} + \sum_{t=1}^{T} \text{emission}_{t, y_t} + \sum_{t=2}^{T} \text{transition}_{y_{t-1},
# y_t} $$
#
# With ten tags and twenty tokens there are $10^{20}$ paths. Yet one pass over the tokens finds the best path: the best
# path to a tag goes through the best path to *some* tag before it, so it is enough to keep one number for each tag, the
# best score so far. (The check accepts a pass in either direction, and any other method that is fast enough for a long
# sentence; listing all paths is not.)
#
# ![Two tokens and two tags as a lattice: best scores 1 and 0, then 2 and 3; the best path is 1, 1](figures/viterbi.svg)
#
# By hand, as in the drawing: emissions $(1, 0), (0, 3)$, transitions $\begin{pmatrix} 1 & -3 \\ 0 & 0 \end{pmatrix}$,
# start 0. The best tag of each token on its own gives the path $0, 1$, with the score $1 - 3 + 3 = 1$. Taking the best
# step each time, from left to right, gives $0, 0$, with $1 + 1 + 0 = 2$. The best path is $1, 1$, with $0 + 0 + 3 = 3$:
# the larger of the last two numbers is that of tag 1, and its note says that the tag before was 1, too.
#
# In a **hidden Markov model** ([A Tutorial on Hidden Markov Models](https://doi.org/10.1109/5.18626), Rabiner, 1989)
# the scores are logarithms of relative frequencies, $p(w_t \mid y_t)$ and $p(y_t \mid y_{t-1})$. In a **conditional
# random field** (CRF; Lafferty, McCallum and Pereira, 2001) the scores are learned, and a softmax over *all* paths
# gives each path its probability: $\ln p(y) = s(y) - \ln \sum_{y'} e^{s(y')}$. The same pass computes this sum, with
# log-sum-exp in place of the maximum.
#
# <details><summary>Plan</summary><code>path_score</code> adds up what one path collects. <code>viterbi</code> carries K
# numbers from token to token, the best score of a path to each tag: a (K, K) table holds the scores from every tag to
# every tag, and you note which tag each winner came from, so that you can follow the notes back from the best end.
# <code>log_partition</code> makes the same pass without notes; the text tells you what replaces the maximum.</details>
# <details><summary>Hint 1</summary>Keep the best score of a path to each tag; one step fills a (K, K) table.</details>
# <details><summary>Hint 2</summary>For each token and tag, note the best tag before it; follow the notes
# back.</details>
# <details><summary>Hint 3</summary><code>log_partition</code> is the same loop with
# <code>np.logaddexp.reduce(table, axis=0)</code>.</details>

# %% exercise="viterbi"
def path_score(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray, tags: Sequence[int]) -> float:
    """Return the score of one path of T tags. emissions: (T, K), transitions: (K, K), row to column, start: (K,)."""
    ### BEGIN SOLUTION
    score = start[tags[0]] + sum(emissions[t][tag] for t, tag in enumerate(tags))
    return float(score + sum(transitions[a][b] for a, b in zip(tags, tags[1:], strict=False)))
    ### END SOLUTION

def viterbi(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> list[int]:
    """Return a path of T >= 1 tag numbers with the largest score (any such path). Scores may be minus infinity."""
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
    """Return the logarithm of the sum of exp(score) over all paths, finite for finite scores in the thousands."""
    ### BEGIN SOLUTION
    total = start + emissions[0]
    for row in emissions[1:]:
        total = np.logaddexp.reduce(total[:, None] + transitions, axis=0) + row
    return float(np.logaddexp.reduce(total))
    ### END SOLUTION

# %% check="viterbi" points=7

# %% [markdown]
# ## Exercise 10: judging a tagger (`tagging`)
#
# 20 minutes, ★★, 7 points
#
# A tagger that answers `O` every time is right for 85 per cent of the tokens of the inbox, and useless. So we judge
# whole **spans**: a span is found only if its label, its first token and its last token are all right.
#
# ![The tags B-A I-A O I-B B-B above five tokens, and the three spans that they make](figures/spans.svg)
#
# By hand: `B-A I-A O I-B B-B` contains (A, 0, 2), (B, 3, 4), (B, 4, 5): an `I-` that continues nothing begins a span of
# its own. *Precision* is the share of the predicted spans that are right, *recall* is the share of the true spans that
# were found, and F1 is their harmonic mean. Before you train a network, settle one thing: padding must not enter the
# loss. The **masked loss** is the mean over the *real* tokens of a batch.
#
# <details><summary>Plan</summary><code>masked_cross_entropy</code> picks the real tokens of all sentences first, so
# that the loss sees nothing else. <code>spans</code> walks along the tags with at most one open span: at each tag, does
# it close, and does a new one open? Think of a span that is still open at the end. <code>span_scores</code> gathers the
# spans of both sides, keeps sentences apart, counts the spans in common, and never divides by 0.</details>
# <details><summary>Hint 1</summary>Before the loss, index with the mask <code>torch.arange(T) &lt; lengths[:,
# None]</code>.</details>

# %% exercise="tagging"
def masked_cross_entropy(logits: torch.Tensor, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return the mean of -ln p(tag) over the real tokens (at least one), a scalar to train on.

    logits: (B, T, K), tags: (B, T), lengths: (B,). Beyond its length, a row's scores and tags may be any
    numbers, even -1.
    """
    ### BEGIN SOLUTION
    real = torch.arange(tags.shape[1], device=tags.device) < lengths[:, None]  # (B, T)
    return F.cross_entropy(logits[real], tags[real])
    ### END SOLUTION

def spans(tags: Sequence[str]) -> set[tuple[str, int, int]]:
    """Return the spans of a sentence in BIO tags: {(label, first token, one past the last token), ...}.

    A span begins at a B-, and at an I- that does not continue one; it goes on through each I- of the same label.
    """
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
    """Return (precision, recall, F1) of whole spans over all sentences together; a value with denominator 0 is 0.0.

    A predicted span is right if the gold tags of the same sentence contain it; both lists have the same length.
    """
    ### BEGIN SOLUTION
    def numbered_spans(sentences):
        return {(n, *span) for n, tags in enumerate(sentences) for span in spans(tags)}

    true, found = numbered_spans(gold), numbered_spans(predicted)
    hits = len(true & found)
    precision = hits / len(found) if found else 0.0
    recall = hits / len(true) if true else 0.0
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return precision, recall, f1
    ### END SOLUTION

# %% check="tagging" points=7

# %% [markdown]
# ## A tagger for the inbox
#
# The inbox has tags for persons, dates, times, places, sums of money, courses and organisations. It is split by core
# sentence, so no core sentence is in both training and test. Four taggers learn from the same messages:
#
# 1. the **linear window of chapter 02**: it sees a token and two neighbours on each side through the vectors of the
#    docs;
# 2. a **window with features**, still linear: for each of these tokens it sees the word, its last three letters and its
#    shape (capitals, digits, punctuation), with vectors that are learned;
# 3. a **hidden Markov model**, which only counts (0.01 is added to each count), decoded with your `viterbi`;
# 4. a **BiLSTM** with the same three features, trained with your `masked_cross_entropy`.
#
# The two networks with features appear twice. In the second row of each, your `viterbi` chooses the best path among
# those that BIO allows. The last three columns show the share of the true spans that each tagger finds, in three
# groups: spans that also occur in training, spans whose words all occur there but not as this span, and spans with a
# word that does not occur there.

# %% show
from helpers.chapters.rnns.figures import f1_bars
from helpers.chapters.rnns.hmm import HiddenMarkov
from helpers.chapters.rnns.tagging import bracketed, docs_window, f1_by_label, feature_window, span_table, strays
from helpers.chapters.rnns.tagging import label_loss, tag_loss, train_tagger
inbox_tags = data.load("inbox_tags")
judged, gold = inbox_tags.test, [tags for _, tags in inbox_tags.test]
tags_loss = tag_loss(masked_cross_entropy)
STEPS = 400  ### small: 8
task = (inbox_tags.train, inbox_tags.tags, tags_loss, STEPS)
old = train_tagger(*task, build=docs_window(WordVectors.load()))
window, tagger = train_tagger(*task, build=feature_window), train_tagger(*task)
tagged = {"O everywhere": [["O"] * len(tags) for tags in gold], "window of chapter 02": old.tag(judged),
          "window, features": window.tag(judged), "window, features, Viterbi": window.best_paths(judged, viterbi),
          "HMM, Viterbi": HiddenMarkov(inbox_tags.train).best_paths(judged, viterbi),
          "BiLSTM": tagger.tag(judged), "BiLSTM, Viterbi": tagger.best_paths(judged, viterbi)}
print(span_table(inbox_tags.train, judged, tagged, spans, span_scores))
print(f"BiLSTM: {strays(tagged['BiLSTM'])} of {sum(map(len, gold)):,} tags are an I- that continues nothing\n")
print(bracketed(judged[7].tokens, tagged["BiLSTM"][7]))
labels = sorted({tag[2:] for tag in tagger.tags if tag != "O"})
by_label = {name: f1_by_label(gold, tagged[name], labels, span_scores) for name in ("HMM, Viterbi", "BiLSTM, Viterbi")}
plots.show(*f1_bars(by_label, labels))
### BEGIN CLAIMS
f1 = {name: span_scores(gold, tags)[2] for name, tags in tagged.items()}
claim("Span F1 in the inbox: BiLSTM above the linear window of chapter 02", f1["BiLSTM"], f1["window of chapter 02"])
claim("Span F1 in the inbox: BiLSTM with Viterbi above BiLSTM alone", f1["BiLSTM, Viterbi"], f1["BiLSTM"])
claim("Span F1 in the inbox: HMM above BiLSTM alone", f1["HMM, Viterbi"], f1["BiLSTM"])
claim("Span F1 in the inbox, with Viterbi: BiLSTM and the window with its features less than 0.03 apart",
      0.03, abs(f1["BiLSTM, Viterbi"] - f1["window, features, Viterbi"]))
### END CLAIMS

# %% [markdown]
# Read the table from top to bottom. From chapter 02's window to the BiLSTM, F1 doubles. But most of this gain does not
# come from the recurrence: a linear window over the same three features comes within a few hundredths of the BiLSTM,
# and with `viterbi` the two are level. Viterbi decoding helps both.
#
# **The hidden Markov model wins**, with each of five seeds: 0.94, against 0.88 to 0.92 for the BiLSTM alone and 0.93 to
# 0.94 for the BiLSTM with Viterbi. The last columns show why. The inbox was generated from a grammar, and its names
# come from lists: three quarters of the spans in the test occur word for word in training (the first row of these
# columns), and the HMM finds nearly all of these. On new words it is far behind the networks, which see the word's
# ending and its shape. The training budget matters, too: set STEPS to 800, and with `viterbi` both networks pass the
# HMM and are still level with each other.
#
# **What a CRF layer adds.** The BiLSTM scores each token alone. With a table of transitions on top, trained together
# with it, the path has the score $s(y)$ of exercise 9, the loss is $\ln \sum_{y'} e^{s(y')} - s(y)$, and Viterbi finds
# the tags ([Bidirectional LSTM-CRF Models for Sequence Tagging](https://arxiv.org/abs/1508.01991), Huang, Xu and Yu,
# 2015). The rows with Viterbi above are a cheaper version: their transitions are not learned and only forbid what BIO
# forbids. Here is a whole CRF on a small scale:

# %% show exact=true
emissions, start = np.array([[1.0, 0.0], [0.0, 2.0], [0.5, 0.0]]), np.zeros(2)
transitions = np.array([[1.0, -3.0], [0.0, 0.0]])
total = log_partition(emissions, transitions, start)
for tags in ([0, 0, 0], [0, 1, 0], [1, 1, 0]):
    s = path_score(emissions, transitions, start, tags)
    print(f"{tags}: score {s:+.1f}, probability {math.exp(s - total):.3f}")
print("the best path:", [int(tag) for tag in viterbi(emissions, transitions, start)])

# %% [markdown]
# ## The leaderboard: messages, read by an LSTM
#
# Now many to one: a bidirectional LSTM, which begins with the vectors of chapter 02, reads a message. One linear layer
# receives the mean of the word vectors and, with the long-memory task in mind, the mean and the maximum of *all*
# states.

# %% show
from helpers.chapters.rnns.message_sorting import message_sorter
STEPS = 220  ### small: 5
EVERY_TEXT = 1  # with 20, one of twenty intents  ### small: 20
benchmarks.intents("03", "BiLSTM on word vectors", message_sorter(WordVectors.load(), STEPS), every=EVERY_TEXT)
benchmarks.show("03")

# %% [markdown]
# Compare the new row with those of chapter 01. On CLINC150, word counts with TF-IDF win by a wide margin: with ten
# labels for each intent they give the right answer more than twice as often, although the LSTM knows the order of the
# words and begins with vectors. The exam on spam takes longer, so its rows were computed beforehand, from five runs: on
# the SMS messages word counts win on average (0.94 against 0.90), and on the inbox the two are level (0.76 against
# 0.78, and the ranges of their runs overlap). We do not settle here why the LSTM loses. Perhaps a network needs to read
# more text before it gets its first label; chapter 05 tests that idea, and on CLINC150 it does not close the gap.

# %% [markdown]
# ## Exercise 11: an encoder and a decoder (`decoding`)
#
# 25 minutes, ★★, 10 points
#
# A translation has its own length and its own order, so the network must read everything first and then write. That
# takes two networks ([Sequence to Sequence Learning with Neural Networks](https://arxiv.org/abs/1409.3215), Sutskever,
# Vinyals and Le, 2014; Cho and others in the same year). The **encoder** reads the source and passes on its last state,
# and nothing else. The **decoder** is a language model of the target that starts from that state.
#
# ![The encoder reads 3 mai 2001, letter by letter; the decoder writes 2001 from 256 numbers](figures/seq2seq.svg)
#
# In training, the decoder is fed the *right* target, one step late: at step $t$ it sees target $t - 1$ and must predict
# target $t$. This is called **teacher forcing**. All steps can be trained at once, and an early mistake does not spoil
# the later steps. By hand: for the targets `5 6 7` and the begin token 1, the decoder is fed `1 5 6`. When it
# translates, there is no teacher: it is fed its own likeliest tokens, mistakes included, and it met no mistakes in
# training (*exposure bias*).
#
# You write all of it. `encoder_decoder` is the forward pass that trains the translator below. Its five parts are
# modules of PyTorch: `model.read_embed` embeds the source, `model.encoder` is an LSTM that reads it,
# `model.write_embed` embeds what the decoder is fed, `model.decoder` is an LSTM, and `model.out` turns its states into
# scores. (An `nn.LSTM` is called as `states, (h, c) = lstm(x, (h, c))`; without the second argument its states begin at
# zero.) The trap of exercise 8 returns here: sources are padded at the end, and the state after the padding is not the
# state after the source. `pack_padded_sequence` tells an LSTM where each row ends.
#
# <details><summary>Plan</summary><code>shift_right</code> puts a column of <code>begin</code> in front and drops what
# no longer fits, (B, T). <code>encoder_decoder</code> embeds the sources and packs them, keeps only the encoder's last
# pair of states, starts the decoder from this pair on the shifted targets, and scores all its states.
# <code>greedy_decode</code> carries three things from round to round: the last tokens, the state, and which rows have
# ended. In each round call <code>step</code>, take the likeliest tokens, put <code>end</code> into the rows that had
# already ended, store the column, and see which rows have ended now, until all have; the columns side by side are the
# result.</details>
# <details><summary>Hint 1</summary><code>torch.cat([first column of begins, targets[:, :-1]], dim=1)</code></details>
# <details><summary>Hint 2</summary><code>pack_padded_sequence(embedded, lengths, batch_first=True,
# enforce_sorted=False)</code> can be given to the encoder in place of a tensor.</details>
# <details><summary>Hint 3</summary>Keep a boolean tensor of the rows that have ended, for torch.where.</details>

# %% exercise="decoding"
def shift_right(targets: torch.Tensor, begin: int) -> torch.Tensor:
    """Return the decoder's input, (B, T), for targets (B, T): `begin`, then all targets but the last; same dtype."""
    ### BEGIN SOLUTION
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1)
    ### END SOLUTION

def encoder_decoder(
    model: nn.Module, x: torch.Tensor, lengths: torch.Tensor, targets: torch.Tensor, begin: int
) -> torch.Tensor:
    """Return the scores of all targets, (B, T, K), without a softmax, under teacher forcing.

    model: has read_embed, encoder, write_embed, decoder, out (see the text); both LSTMs take the batch first.
    x: (B, S) the sources, padded at the end; lengths: (B,) their true lengths, at least 1. targets: (B, T), T >= 1.
    The decoder starts from the encoder's last pair of states, taken at each row's own length, and is fed the shifted
    targets.
    """
    ### BEGIN SOLUTION
    packed = pack_padded_sequence(model.read_embed(x), lengths, batch_first=True, enforce_sorted=False)
    _, last = model.encoder(packed)
    states, _ = model.decoder(model.write_embed(shift_right(targets, begin)), last)
    return model.out(states)
    ### END SOLUTION

def greedy_decode(step: Callable, state: torch.Tensor, begin: int, end: int, limit: int) -> torch.Tensor:
    """Return the likeliest tokens, one after another, (B, L) with L at most `limit`.

    step: (tokens (B,), state) -> (logits (B, K), new state). state: a tensor whose first axis is the batch.
    Each row begins with `begin`, which is not part of the result. Of equally likely tokens the first is taken. A row
    that has said `end` says `end` from then on. Decoding stops when all rows have said `end`, or after `limit` steps
    (at least 1); every `end` belongs to the result.
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

# %% given
# What the check asks of your encoder-decoder: the scores of a small network, and the gradient of each of its parts.
def forced(function, seed, x, lengths, targets, begin) -> dict:
    return encoder_decoder_helpers.forced(function, seed, x, lengths, targets, begin)

# %% check="decoding" points=10

# %% [markdown]
# ## Translating dates
#
# `mardi 3 février 2015` becomes `2015-02-03`. The sources are written in sixteen languages and 108 styles (from Babel's
# CLDR), and the dates of the test never occur in training. Your encoder reads characters, your decoder writes them, and
# all that passes between them is the encoder's last pair of states, 2 × 128 numbers. A single date contains only eight
# digits of information. To ask more of the state, we also use a **series** of up to three dates as a source: `3 juin
# 2001; 1952/4/16` becomes `2001-06-03 1952-04-16`. Training begins with single dates; series follow. Sutskever and
# others found that a *reversed* source is easier, because its beginning, which is needed first, is then read last. Is
# that true here? A second translator, with reversed sources and the same training, was measured separately. Its curve
# is drawn beside yours. In five runs of each, it got 78 to 86% of the short dates right, and the plain one got 91 to
# 95%. To train it yourself, add it to `WAYS` below.
#
# **How to judge?** Exact match is strict: one wrong digit, and the whole translation counts as wrong. For sentences,
# where many translations are right, the usual number is **BLEU** ([BLEU: a Method for Automatic Evaluation of Machine
# Translation](https://doi.org/10.3115/1073083.1073135), Papineni, Roukos, Ward and Zhu, 2002): it combines the shares
# $p_n$ of the n-grams of a translation that occur in a human translation, the *reference*, for $n = 1 \dots 4$. Counts
# are clipped at those of the reference, or every word of `the the the` would count as right, and a *brevity penalty*
# lowers the score of short translations:
#
# $$ \text{BLEU} = \min\big(1, e^{1 - r/c}\big) \cdot \Big(\prod_{n=1}^{N} p_n\Big)^{1/N}, \qquad
# c, r: \text{ the lengths of the translations and of the references} $$
#
# By hand: "the cat sat on the mat" for "the cat is on the mat" has $p_1 \dots p_4 = 5/6, 3/5, 1/4, 0/3$, so BLEU-2 is
# $\sqrt{1/2} = 0.7071$, BLEU-3 is 0.5, and BLEU-4 is 0. Over a corpus, both counts are summed before the division. (For
# scale, times 100: from English to French, Sutskever's ensemble of LSTMs reached 34.8 and a system based on counts
# 33.3; with its candidates reranked by the LSTMs, that system reached 36.5.) Newer measures give credit for parts of
# words, as **chrF** does with n-grams of characters, or ask a trained model, as COMET does.

# %% show
candidate, reference = "the cat sat on the mat".split(), "the cat is on the mat".split()
for n in range(1, 5):
    mine, theirs = (Counter(count_ngrams(tokens, n)[0]) for tokens in (candidate, reference))
    print(f"p_{n} = {(mine & theirs).total()}/{mine.total()}", end=", ")
print("by sacrebleu:", agreement.sacrebleu_says(candidate, reference))

# %% show
from helpers.chapters.rnns.date_series import DateLessons, exact, train_translator, translate
SINGLE = 850  ### small: 8
SERIES = 250  ### small: 4
TEST = 1500  ### small: 60
lessons, series = DateLessons(), data.Dates("test").series(TEST, seed=SEED + 1)
short = [pair for pair in data.Dates("test").series(min(TEST, 1000), seed=SEED, counts=(1,)) if len(pair[0]) < 20]
targets = [list(target) for _, target in series]
WAYS = {"plain": False}  # add "reversed source": True to train the second translator, too
translators, answers, right = {}, {}, {}
for name, turned in WAYS.items():
    model, history = train_translator(lessons, turned, (SINGLE, SERIES), encoder_decoder, masked_cross_entropy)
    translators[name], answers[name] = model, translate(model, lessons, turned, series, greedy_decode)
    right[name] = exact(translate(model, lessons, turned, short, greedy_decode), short), exact(answers[name], series)
    score = agreement.by_sacrebleu([list(answer) for answer in answers[name]], targets, 4)
    print(f"{name}: short dates {right[name][0]:.1%} exact, all {right[name][1]:.1%}, BLEU over characters {score:.3f}")
for (source, target), answer in list(zip(series, answers["plain"], strict=True))[:6]:
    source = f"\u2068{source}\u2069"  # keeps what is written from right to left apart from the rest of the line
    print("right" if answer == target else "wrong", "|", source, "|", answer)
### BEGIN CLAIMS
claim("Short dates translated exactly, plain: above 0.9", right["plain"][0], 0.9)
claim("Dates translated exactly, plain: short ones above all", *right["plain"])
if "reversed source" in right:
    claim("Short dates translated exactly: plain above reversed", right["plain"][0], right["reversed source"][0])
### END CLAIMS

# %% show
from helpers.chapters.rnns.date_series import EDGES, keep_translator, reversed_curve, right_by_place
from helpers.chapters.rnns.figures import through_the_bottleneck
from helpers.experiments.length_curve import exact_by_length
curves = {name: exact_by_length(series, found, EDGES) for name, found in answers.items()}
curves.setdefault("reversed source", reversed_curve())
places = {n: right_by_place(answers["plain"], series, n) for n in (1, 2, 3)}
plots.show(*through_the_bottleneck(curves, places))
translator = translators["plain"].cpu()
print("Saved:", keep_translator(translator, lessons, curves, right["plain"][0], (SINGLE, SERIES)).name)

# %% [markdown]
# There are two lessons. The first is **the bottleneck**. The network that translates one date well fails on two and
# three, after the same training. The first date of a series is often right, the later ones hardly ever are: everything
# must pass through 256 numbers, and while the decoder writes, it must hold what it has not yet written. How much of
# this is capacity, and how much is training? Only 250 of the 1,100 steps showed series, so these numbers measure a
# small budget, not a limit; longer training may teach the network to hold more. Chapter 04 compares one vector with
# attention after the same training. The second lesson is **the reversal**. An ISO date *is* the reversal of most ways
# to write a date: the year, which is read last, is needed first. The trick of 2014 was meant for languages with a
# similar word order, and chapter 04 does not need it.
#
# ## Essay 2: through the bottleneck
#
# 15 minutes, ★★, 10 points, graded by hand
#
# Use the two panels on dates. How does the share of exact translations fall with the length of the source, and which
# date of a series of three suffers most? Give a reason that follows from how the state is made, and say what these
# numbers cannot show about capacity. Why did reversing the source help Sutskever and others, what did it do here, and
# why? Then look at one duel between a network and counting (word vectors and bigrams, the table of the taggers, the
# leaderboard): who wins, by how much, and what would change the result? Finally, propose one change to the decoder that
# frees it from the bottleneck. About 150 words.

# %% [markdown] essay="bottleneck" points=10
# ### BEGIN SOLUTION
# Nine in ten short dates are right; with two or three dates almost no series is exact. In a series the first date is
# often still right, the others hardly ever. All that the decoder can know has passed through the last pair of states,
# 256 numbers; each character read overwrites a part of them, and what is to be written last must be held longest. But
# only 250 steps showed series: this is the result of a budget, and a longer run would be needed to speak of capacity.
# Sutskever's languages have a similar order, so reversing brought the first words of the source next to the first words
# of the target. An ISO date is already the reverse of most written dates: reversal moves the year, which is written
# first, to the far end, and the curve is lower. A duel: counted from all 250,000 words, bigrams have perplexity 112 and
# the window networks 206 to 222; counted only from as many words as the networks predicted in training, the bigrams are
# above 300. The networks lose for lack of training, not of ability. The decoder could look back at all states of the
# encoder at every step, weighted by what it needs: attention.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: the fall with length in numbers, and the position in the series, with a reason (one state of fixed size);
# one of them for seeing that 250 steps on series leave the question of capacity open.
# 3 points: why reversal helped then and not here: the order of source and target.
# 2 points: one duel with both numbers, and what would change it (more text read, other features, more labels).
# 2 points: a change that gives the decoder access to more than the last state.
# ### END MARK SCHEME

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next
#
# You built a training loop, recurrent cells that it teaches to remember, a sampler, a decoder and measures for a
# tagger, and a translator. Where PyTorch has the same function, yours agrees with it.
#
# You also saw how strong counting is. Networks of this size and budget are at best level with it on Shakespeare's
# characters, and level or behind on the leaderboard. But they have something that counting lacks, a state that can be
# trained for any task: no table of n-grams recalls a symbol after forty others, and none translates a date.
#
# What breaks: everything that the decoder knows has passed through one vector, and every step must wait for the one
# before. [Chapter 04](../04_attention/04_attention.ipynb) lets the decoder look back at *all* states of the encoder
# and weight them: attention. (Recurrence has returned since, in networks that need not wait while they are trained:
# [chapter 11](../11_beyond/11_beyond.ipynb).) **Saved:** the artifact `date-translator` with its curves of exact
# translations by length, which chapter 04 compares with its own, and your row of the leaderboard.

# %% [markdown]
# # Further: four experiments, without points
#
# No later chapter depends on these experiments. They use your functions. Three of them take forty seconds together, so
# they run only if you set `FURTHER` to True in the next cell.

# %% show
FURTHER = False  ### small: True

# %% [markdown]
# **Sentences.** Dates are an easy language: there are as many pairs as you like, and each has one right translation.
# Here are 801 real pairs, English and Spanish, of at most 20 words: questions to patients and statements about covid-19
# ([TICO-19](https://arxiv.org/abs/2007.01788), Anastasopoulos and others, 2020). The network is the one that learned
# the dates, with twice the width, and your three functions train it and write with it. Its three rivals use no network.
# One copies the source. One is a **dictionary**: it replaces each word by the Spanish word that occurs in the same
# sentences most often. One is a **memory**: it looks for the nearest English sentence, by the TF-IDF of chapter 01, and
# returns its translation. All are judged by BLEU and by chrF on 90 other sentences.

# %% show
from helpers.chapters.rnns.sentence_pairs import SentenceLessons, compare, train_on_sentences
STEPS = 300  ### small: 4
if FURTHER:
    tico = SentenceLessons(data.load("tico19"))
    bleu, chrf = compare(tico, train_on_sentences(tico, STEPS, encoder_decoder, masked_cross_entropy), greedy_decode)
### BEGIN CLAIMS
if FURTHER:
    claim("chrF of sentences, English to Spanish: a dictionary above the network", chrf["dictionary"], chrf["network"])
    claim("BLEU of sentences, English to Spanish: a memory above the network", bleu["memory"], bleu["network"])
### END CLAIMS

# %% [markdown]
# The network has learned to write Spanish, but hardly to translate: it often writes a correct sentence, and seldom
# *this* sentence. The dictionary does the opposite: its words are right, but there is no grammar. The two scores
# disagree, too: chrF prefers the dictionary, since it sees parts of words, and BLEU prefers the memory, since whole
# sentences have long n-grams. Eight hundred pairs are not enough to learn a language from. Sutskever and others trained
# on 12 million.
#
# **Two tasks, one reader.** Each message of the inbox also has an *intent* (parcel, loan, event and so on). Multi-task
# learning trains one encoder for both tasks: the losses are added, each with a weight.

# %% show
from helpers.chapters.rnns.spam_messages import intents_of, one_task_or_both
intents, train_labels, test_labels = intents_of(data.load("inbox"), inbox_tags)
LOSSES = {"entities alone": tags_loss, "intent alone": label_loss,
          "both": lambda model, batch: tags_loss(model, batch) + 0.3 * label_loss(model, batch)}
STEPS = 120  ### small: 20
learn = partial(train_tagger, inbox_tags.train, tagger.tags, steps=STEPS, labels=train_labels, classes=len(intents))
if FURTHER:
    f1 = one_task_or_both(LOSSES, learn, judged, test_labels, span_scores)
### BEGIN CLAIMS
if FURTHER:
    claim("Span F1 in the inbox: entities alone above both tasks at once", f1["entities alone"], f1["both"])
### END CLAIMS

# %% [markdown]
# With so few training steps the two tasks compete: entities alone won on all five seeds. This does not show that the
# tasks have nothing to teach each other, only that sharing 120 steps costs more than it gains.
#
# **Parts of speech.** Two ways of counting predict the tags of the English Web Treebank. The baseline gives every known
# word its most frequent tag and every unknown word the most frequent tag overall. The hidden Markov model with your
# `viterbi` also asks which tags follow one another.

# %% show
from helpers.chapters.rnns.tagging import accuracy, by_frequency
ewt = data.load("ud_ewt")
found = {"the most frequent tag": by_frequency(ewt.train, ewt.test),
         "HMM, Viterbi": HiddenMarkov(ewt.train).best_paths(ewt.test, viterbi)}
for name, tags in found.items():
    print(f"{name}: {accuracy([gold for _, gold in ewt.test], tags):.1%} of the test words right")

# %% [markdown]
# **One word, two senses.** The vectors of chapter 02 give "cell" a single vector, whether a text speaks of a table or
# of a network. The *states* of a model that has read the sentence depend on the sentence. Here is a bidirectional
# language model: one stack of two LSTMs reads forwards and predicts the next word, another reads backwards and predicts
# the previous word. Layer 0 is the static vector; layers 1 and 2 are the states of both directions. The model learns
# from the messages of the inbox and from those pages of the docs that contain "cell". We look at two words: **cell**,
# which belongs to a table in the pages of matplotlib and to a network in those of torch, and **bank**, which is a part
# of a firm's name ("Pennant Bank") or the place where your money is ("my bank account"). We know the sense from the
# library or from the tag; the model is not told.

# %% show
from helpers.chapters.rnns.bidirectional import BidirectionalLM, two_way_loss
from helpers.chapters.rnns.figures import sense_maps
from helpers.chapters.rnns.word_senses import Stream, banks, cells, layers_at, neighbour_right, pages_with, train_probe
STEPS = 160  ### small: 20
if FURTHER:
    pages = pages_with("cell", data.load("docs").documents)
    places = {"cell": list(cells(pages)), "bank": list(banks([*inbox_tags.train, *inbox_tags.test]))}
    stream = Stream(inbox_tags.train, pages, size=2000)
    seed_everything(SEED)
    two_way = BidirectionalLM(2000)
    fit(two_way, stream.batch, two_way_loss, steps=STEPS, lr=5e-3, progress=False)
    maps = {}
    for word, found in places.items():
        senses = [place.sense for place in found]
        layers = layers_at(found, two_way, stream, reverse_padded)
        near = [neighbour_right(layer, senses) for layer in layers]
        mix, right = train_probe(layers, senses, elmo_mix)
        print(f"{word}: {', '.join(f'{senses.count(name)} times {name}' for name in sorted(set(senses)))}")
        print("  nearest other one of the same sense:", ", ".join(f"layer {i} {s:.2f}" for i, s in enumerate(near)))
        print(f"  ELMo's mix of the layers: {', '.join(f'{v:.2f}' for v in mix)}; {right:.1%} of held-out ones right")
        maps[word] = layers[2], senses, near[2]
    plots.show(*sense_maps(maps))

# %% [markdown]
# The static vector is the same for every occurrence, so its nearest neighbour is a matter of chance. How much of what
# the states add is learned? Set STEPS to 3 and run the cell again: the states depend on their neighbours, trained or
# not. **CoVe** ([Learned in Translation](https://arxiv.org/abs/1708.00107), McCann and others, 2017) takes the states
# of a translator's encoder. Ours knows one ambiguous word: in Spanish, `mar` is short for *martes*, a weekday, and for
# *marzo*, a month. The encoder's state after the word separates the two, since only the month belongs in the date.

# %% show
from helpers.chapters.rnns.word_senses import letter_states, mean_cosines, spanish_mar
DRAWN = 4000  ### small: 200
texts, at, senses = spanish_mar(DRAWN)
letters, cove = letter_states(translator, lessons.pad(texts)[0], at)
weekdays, months, between = mean_cosines(cove, senses, ("weekday", "month"))
print(f"{len(texts)} times mar; mean cosine among weekdays {weekdays:.2f}, months {months:.2f}, between {between:.2f}")
print(f"nearest neighbour of the same sense: letters {neighbour_right(letters, senses):.2f}, "
      f"CoVe {neighbour_right(cove, senses):.2f}")

# %% [markdown] text="further"
