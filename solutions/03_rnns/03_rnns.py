# %% [markdown]
# # 03 RNNs: memory, gates, sequences
#
# Cover the end of this sentence with your hand, and you still know roughly what comes. So does your phone. This chapter
# builds the machine that does it: a model that reads from left to right and says, at every place, how likely each next
# word or letter is. Yours will write Shakespeare, letter by letter, from nothing but his plays.
#
# **What you will build**, in two halves; a day between them does no harm:
#
# 1. *Language models* (exercises 1 to 8, essay 1, about four hours): n-grams, word vectors, a recurrent network, its
#    gradient through time, gates, a training loop of your own, and a writer that is better than counting.
# 2. *Sequences to sequences* (exercises 9 to 13, essay 2, about three and a half hours): a tagger that finds names and
#    times in messages, a translator of dates from sixteen languages, and the bottleneck that chapter 04 removes.
#
# **What you need.** Python, NumPy, tensors of PyTorch; the inbox of [chapter 01](../01_spam/01_spam.ipynb) and the word
# vectors of [chapter 02](../02_word_vectors/02_word_vectors.ipynb): your own if you saved them, else the reference.
#
# **Points.** 100: thirteen exercises checked by machine (80), two short essays (20). The notebook runs, once written,
# in about three minutes on two cores.
#
# **Notation.** Row vectors: a batch of sequences is $(B, T, C)$, a layer $xW + b$.
# Books that write columns say $Wx + b$. $N$ is the size of the vocabulary, $W$ a weight matrix. What you write leaves
# its arguments as they are and keeps float64; where torch learns through it, no `.detach()`, no `.item()` on the way.

# %% given
import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from helpers import data, plots
from helpers.chapters.rnns import agreement, training_loop
from helpers.checks import gradients
from helpers.course import SEED, benchmarks, notebook, seed_everything, ways_of_calls
from helpers.training import fit

notebook.prepare("03_rnns")


# What checks ask of your functions beside their values: the gradient for each tensor of floats but the `fixed`.
def slopes(function, *arguments, fixed=()) -> list[torch.Tensor]:
    return gradients.slopes(function, *arguments, fixed=fixed)


def without_autograd(function, *arguments):  # what a call gives where autograd is off
    return ways_of_calls.without_autograd(function, *arguments)

# %% [markdown]
# # Part one: language models
#
# A *language model* gives each next token a probability, given those before it: $p(w_t \mid w_1 \dots w_{t-1})$. With
# one you can judge a text (multiply), complete it (take the likeliest token) and write one (draw). One question runs
# through this half: **how much of the past can a model use, and how does it carry it?** First, a corpus of one line.

# %% show
corpus = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()
vocabulary = sorted(set(corpus))
print(len(corpus), "tokens,", len(vocabulary), "types:", vocabulary)

# %% [markdown]
# ## Exercise 1: counting what comes next (`ngram`)
#
# 15 minutes, ★, 6 points
#
# What comes after `the`? Look: eight times something followed it, four times it was `dog`. So say one half. That is the
# oldest language model: the past is the last $n-1$ tokens, the *context* $c$, and the probability is a share of counts.
#
# ![A window of two tokens slides over the corpus; what followed the context "the" is counted](figures/ngram_window.svg)
#
# One thing breaks at once. `the` was never followed by `ran`, so `ran` gets 0, and one zero makes a whole text
# impossible. So add $k$ to every count, once for each of the $N$ words that could have come (Laplace for $k = 1$):
#
# $$ p(w \mid c) = \frac{\text{count}(c\,w) + k}{\text{count}(c\,\cdot) + k N} $$
#
# where $\text{count}(c\,\cdot)$ is how often $c$ was *followed by something*. By hand, with $k = 1$ and $N = 8$:
# $p(\text{dog} \mid \text{the}) = (4 + 1)/(8 + 8) = 5/16$, and `ran` gets $1/16$. How good is a model? The mean of
# $-\ln p$ over the tokens of a text is its **cross-entropy**, in nats (divided by $\ln 2$, in bits); the exponential of
# the nats is its **perplexity**: among how many equally likely words the model seems to choose.
#
# <details><summary>Hint 1</summary><code>tuple(tokens[i : i + n])</code> for i from 0 to len(tokens) - n.</details>
# <details><summary>Hint 2</summary><code>ngrams.get((*context, word), 0)</code> is the count, or 0.</details>

# %% exercise="ngram"
def count_ngrams(tokens: Sequence[Hashable], n: int) -> tuple[dict, dict]:
    """Return (counts of all n-grams, counts of their contexts); keys are tuples of n and of n - 1 tokens.

    Two plain dictionaries: `dict(counter)` makes one of a Counter. A context counts where something follows it. For
    n = 1 the only context is the empty tuple (). Fewer than n tokens give two empty dictionaries.
    """
    ### BEGIN SOLUTION
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return dict(Counter(grams)), dict(Counter(gram[:-1] for gram in grams))
    ### END SOLUTION

def add_k(word: Hashable, context: tuple, ngrams: dict, contexts: dict, size: int, k: float = 1.0) -> float:
    """Return p(word | context) with k added to each count, for a vocabulary of `size` words.

    ngrams, contexts: as count_ngrams returns them; what they do not hold counts 0. A denominator of 0 gives 0.0.
    """
    ### BEGIN SOLUTION
    total = contexts.get(context, 0) + k * size
    return (ngrams.get((*context, word), 0) + k) / total if total else 0.0
    ### END SOLUTION

def cross_entropy(probabilities: Sequence[float]) -> float:
    """Return the mean of -ln p of at least one probability, in nats; infinite (math.inf) if one p is 0."""
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
# **Perplexities may be compared only for the same tokens.** A low one is easy to get: call every rare word `<unk>`, and
# `<unk>` becomes easy to guess. Below, your bigrams read the docs with smaller and smaller vocabularies. The third
# column is what one is tempted to report. The last one asks all models the *same* question: who says `<unk>` must also
# say which word it was, by its share of the rare words.

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
# The third column falls and falls; the last one stays where it was, give or take a little. No model became much better,
# the question became easier. The last lines, which ask one question, show the dilemma of counting: one word of context
# tells much, but most longer contexts were never seen. A longer past needs a model that *generalises*.
#
# ## Exercise 2: two matrices (`two-matrix`)
#
# 15 minutes, ★★, 6 points
#
# To the counts, `dog` and `cat` are unrelated keys; what was learned about one says nothing about the other. So give
# each word vectors, as in chapter 02: a row of $V$ as the *previous* word and a row of $U$ as the *next* one, both
# $(N, M)$ for $N$ words and $M$ dimensions. Dot products are the scores, and a softmax makes probabilities:
#
# $$ p(\cdot \mid i) = \mathrm{softmax}(U v_i), \qquad
# \mathcal{L} = -\frac{1}{T-1}\sum_{t=1}^{T-1} \ln p(w_{t+1} \mid w_t) $$
#
# To write with it, draw: lay the probabilities on a line from 0 to 1 and see where a random number falls.
#
# ![Three probabilities laid end to end from 0 to 1; the number 0.6 falls into the second piece](figures/draw.svg)
#
# By hand: with $p = (0.2, 0.5, 0.3)$ and $r = 0.6$ the cumulative sums are 0.2, 0.7, 1.0; the first above 0.6: word 1.
#
# <details><summary>Plan</summary><code>next_probabilities</code> scores every word against the vector of word
# <code>i</code>, (N,), and makes probabilities that survive huge scores. <code>mean_nll</code> asks it, at each pair of
# neighbours, about the word that came, and averages. <code>generate</code> asks it about the last word written, once
# for each number, lays the pieces on the line and takes the one where the number falls; keep rounding from running off
# the end.</details>
# <details><summary>Hint 1</summary>Subtract the largest score from all: the softmax stays, nothing overflows.</details>
# <details><summary>Hint 2</summary><code>np.searchsorted(np.cumsum(p), r, side="right")</code></details>

# %% exercise="two-matrix"
def next_probabilities(V: np.ndarray, U: np.ndarray, i: int) -> np.ndarray:
    """Return the probabilities of the next word, (N,), after word i; finite, though scores may be thousands.

    V, U: (N, M), the vectors of the words as previous and as next.
    """
    ### BEGIN SOLUTION
    scores = U @ V[i]
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()
    ### END SOLUTION

def mean_nll(V: np.ndarray, U: np.ndarray, ids: Sequence[int]) -> float:
    """Return the mean of -ln p(next word | word) over the pairs of a text of at least two words, in nats."""
    ### BEGIN SOLUTION
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:], strict=False)]))
    ### END SOLUTION

def generate(V: np.ndarray, U: np.ndarray, start: int, uniforms: Sequence[float]) -> list[int]:
    """Return [start, ...]: one more word for each number r of `uniforms`, 0 <= r < 1.

    The next word is the first j whose cumulative probability p_0 + ... + p_j is greater than r; the last word, if
    rounding leaves none.
    """
    ### BEGIN SOLUTION
    ids = [int(start)]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, r, side="right")), len(U) - 1))
    return ids
    ### END SOLUTION

# %% check="two-matrix" points=6

# %% [markdown]
# Train it on the small corpus. Two marks to measure by: a uniform guess has $\ln 8$ nats, and no model that sees one
# word of context can be better than the shares of the counts, the *floor*.

# %% show
from helpers.chapters.rnns.next_words import train_two_matrices
from helpers.chapters.rnns.two_matrices import RANDOM_U, RANDOM_V
ids = [vocabulary.index(w) for w in corpus]
pairs, singles = count_ngrams(corpus, 2)
floor = cross_entropy([add_k(b, (a,), pairs, singles, 8, k=0) for a, b in pairwise(corpus)])
for name, nats in (("random vectors", mean_nll(RANDOM_V, RANDOM_U, ids)), ("uniform", math.log(8)), ("floor", floor)):
    print(f"{name:<15}{nats:.4f} nats, perplexity {math.exp(nats):7.4f}")
SEEDS = 5  ### small: 2
runs = {}
for width in (2, 3):
    runs[width] = [train_two_matrices(ids, width, seed) for seed in range(SEEDS)]
for width, found in runs.items():
    print(f"{width} dimensions, one run for each seed:", *(f"{mean_nll(V, U, ids):.4f}" for V, U in found))
### BEGIN CLAIMS
from helpers.course.claims import claim
for width, found in runs.items():
    trained = [-mean_nll(V, U, ids) for V, U in found]
    claim(f"Mini corpus, {width} dimensions, minus NLL: trained above -0.85", trained, [-0.85] * len(trained))
### END CLAIMS

# %% [markdown]
# Random vectors are worse than no model, as unsure as among 17 words where there are only 8. Trained ones reach the
# floor: from vectors alone, the table of counts is back. In the best of the runs in two dimensions, words that are
# followed by the same words have moved together, and `cat` after `dog`, never seen, is unlikely now.

# %% show
from helpers.chapters.rnns.figures import previous_and_next
maps = {"random": (RANDOM_V, RANDOM_U), "trained": min(runs[2], key=lambda run: mean_nll(*run, ids))}
plots.show(*previous_and_next(maps, [mean_nll(V, U, ids) for V, U in maps.values()], vocabulary))
seen, uniforms = set(pairwise(ids)), np.random.default_rng(SEED).uniform(size=21)
for title, (V, U) in maps.items():
    drawn = [int(i) for i in generate(V, U, vocabulary.index("dog"), uniforms)]
    cat = next_probabilities(V, U, vocabulary.index("dog"))[vocabulary.index("cat")]
    print(f"{title}: p(cat | dog) {cat:.4f}; {sum(pair in seen for pair in pairwise(drawn))} of 21 bigrams were seen")
    print("    the", " ".join(vocabulary[i] for i in drawn))

# %% [markdown]
# ## Exercise 3: from a window to a state (`rnn`)
#
# 15 minutes, ★★, 7 points
#
# Two matrices look back one word. The first neural language model ([A Neural Probabilistic Language
# Model](https://www.jmlr.org/papers/v3/bengio03a.html), Bengio, Ducharme, Vincent and Jauvin, 2003) looks back $n$: it
# lays their vectors one after another in a row $x$, the oldest first, and scores by a hidden layer and a direct path:
#
# $$ x = [E_{w_1}, \dots, E_{w_n}], \qquad \text{scores} = \tanh(x W_h + b_h)\, W_o + x W_d + b_o $$
#
# ![Two word vectors, 3 and 1, in one row; a hidden layer and a direct path lead to the scores](figures/window.svg)
#
# By hand: with $d = 1$, $E = (1, 2, 3)^\top$ and the window of words $(2, 0)$, $x = (3, 1)$. What breaks is in the
# shape of $W_h$, $(n d, H)$: each place in the window has weights of its own. A longer window is a larger model, what
# was learned at one place is not known at the next, and the word before the window is gone.
#
# So keep a **state** $h$ of fixed size instead, and update it by the same rule at every step: the recurrent network
# ([Finding Structure in Time](https://doi.org/10.1207/s15516709cog1402_1), Elman, 1990).
#
# $$ h_t = \tanh(x_t W_x + h_{t-1} W_h + b) $$
#
# ![A recurrent network as a loop, and unrolled over three steps with the same weights](figures/rnn_unrolled.svg)
#
# By hand: $x_1 = 1$, $h_0 = 0.5$, all weights 1 and $b = -1.5$: $h_1 = \tanh(1 + 0.5 - 1.5) = 0$. The parameters no
# longer grow with the length. Unrolled in time it is a deep network: $T$ layers, all with the same weights.
#
# <details><summary>Plan</summary><code>bengio_logits</code> lays the vectors of each window in one row, (B, n * d), and
# sends it down both paths. <code>rnn_cell</code> is one update of the state. <code>rnn_forward</code> walks from step
# to step, gives <code>rnn_cell</code> the state that it returned last, and collects all states, (B, T, H); ask yourself
# what there is to collect when T is 0.</details>
# <details><summary>Hint 1</summary><code>E[ids].flatten(1)</code> lays the vectors of a window in one row.</details>
# <details><summary>Hint 2</summary><code>torch.stack(states, dim=1)</code> of steps <code>x[:, t]</code>.</details>

# %% exercise="rnn"
def bengio_logits(
    ids: torch.Tensor, E: torch.Tensor, W_h: torch.Tensor, b_h: torch.Tensor,
    W_o: torch.Tensor, b_o: torch.Tensor, W_d: torch.Tensor,
) -> torch.Tensor:
    """Return the scores of the next word, (B, N), without a softmax.

    ids: (B, n) word numbers, the oldest first. E: (N, d). W_h: (n * d, H), b_h: (H,). W_o: (H, N), b_o: (N,).
    W_d: (n * d, N), the direct path.
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
# First, the window on the docs. Its word vectors may be drawn at random; be those of chapter 02; be the same, *frozen*,
# so that only the other weights learn; or be *tied*: the matrix that embeds the words also scores the next one, $W_o =
# E^\top$ ([Using the Output Embedding to Improve Language Models](https://arxiv.org/abs/1608.05859), Press and Wolf,
# 2017). The same model four times, for the same number of steps, with one vocabulary for all rows.

# %% show
from helpers.chapters.rnns.next_words import WordWindows, embedding_table
from helpers.models.word_vectors import WordVectors
words = WordWindows(train_words, valid_words, size=2000)
STEPS = 120  ### small: 15
print(embedding_table(words, WordVectors.load(), bengio_logits, STEPS))
pairs, singles = count_ngrams(words.train.tolist(), 2)
bigram = [add_k(b, (a,), pairs, singles, words.size, k=0.01) for a, b in words.judged_pairs()]
print(f"{'bigrams by counting':<20}{'':>20}{'':>20}{perplexity(bigram):>12.1f}")

# %% [markdown]
# Frozen vectors learn least, tied ones need a matrix less, pretrained ones begin ahead. The bigrams were counted from
# all 250,000 words and are ahead of networks that have seen a sixth of them; the network of characters gets more time.
#
# ## Exercise 4: back through time (`bptt`)
#
# 15 minutes, ★★★, 5 points
#
# A recurrent network learns by the chain rule, back through its steps. Autograd does it from the next page on; do it by
# hand once, for a network of one number: $h_t = \tanh(a_t)$ with $a_t = w x_t + u h_{t-1} + b$, $h_0 = 0$, and the loss
# $L = \tfrac12 \sum_{t=1}^T (h_t - y_t)^2$. You need one number a step: $\delta_t = \partial L / \partial a_t$.
#
# ![Two steps; dashed arrows carry the gradient back from each error and from the later step](figures/bptt.svg)
#
# The state $h_t$ acts on the loss in two ways: at once, through $(h_t - y_t)^2$, and later, through $a_{t+1}$. Both
# gradients arrive at $h_t$, are added, and go through the slope of the tanh:
#
# $$ \delta_t = (1 - h_t^2)\,\big[(h_t - y_t) + u\,\delta_{t+1}\big], \quad \delta_{T+1} = 0, \qquad
# \frac{\partial L}{\partial w} = \sum_t \delta_t x_t, \quad \frac{\partial L}{\partial u} = \sum_t \delta_t h_{t-1},
# \quad \frac{\partial L}{\partial b} = \sum_t \delta_t $$
#
# The weights are shared, so their gradients are sums over time ([Backpropagation Through
# Time](https://doi.org/10.1109/5.58337), Werbos, 1990). And each step back multiplies $\delta$ by $u (1 - h_t^2)$:
# exercise 5 is about that. The forward pass is there; write the backward one by these sums, not with autograd.
# By hand, as in the drawing, with targets 0 and 1: $\delta_2 = 0.87 \cdot (-0.64) = -0.55$, $\delta_1 = 0.42\,(0.76 -
# 0.28) = 0.20$; by $w$: $0.20 \cdot 1 = 0.20$, by $u$: $-0.55 \cdot 0.76 = -0.42$, by $b$: $0.20 - 0.55 = -0.35$.
#
# <details><summary>Plan</summary>Walk from the last step to the first with one number in your hand: the delta of the
# step behind you, which starts as the text says. At each step make the new delta from it, then add this step's share to
# three running sums, for <code>w</code>, <code>u</code> and <code>b</code>. Mind the indices: <code>h</code> has one
# entry more than <code>x</code> and <code>y</code>.</details>
# <details><summary>Hint 1</summary>Go backwards and keep one number, delta of the step after; it begins at 0.</details>
# <details><summary>Hint 2</summary><code>delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)</code></details>

# %% exercise="bptt"
def scalar_bptt(
    x: Sequence[float], y: Sequence[float], w: float, u: float, b: float
) -> tuple[float, float, float, float]:
    """Return the loss and its derivatives by w, u and b, for T inputs x and T targets y; h_0 is 0.

    With no step at all, everything is 0.
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

# %% check="bptt" points=5

# %% show
x, y = np.random.default_rng(SEED).normal(size=(2, 20)).tolist()
print("dL/dw, du, db by hand:", *(f"{v:+.10f}" for v in scalar_bptt(x, y, 0.7, -0.9, 0.1)[1:]))
print("          by autograd:", *(f"{v:+.10f}" for v in agreement.scalar_gradients(x, y, 0.7, -0.9, 0.1)))

# %% [markdown]
# ## Exercise 5: gradients that vanish, gradients that explode (`exploding`)
#
# 15 minutes, ★★, 6 points
#
# Multiply 0.9 by itself fifty times and 0.005 is left; multiply 1.1 fifty times and you have 117. Going back in time is
# such a product, of *Jacobians* $J_t = \partial h_t / \partial h_{t-1}$, tables of how far each number of $h_t$ moves
# with each of $h_{t-1}$. With $h_t = \tanh(\dots + h_{t-1} W_h + b)$,
#
# $$ \frac{\partial h_{t,j}}{\partial h_{t-1,i}} = W_{h,ij}\,(1 - h_{t,j}^2), \qquad J_t = W_h\,\mathrm{diag}(1 -
# h_t^2), \qquad \frac{\partial h_T}{\partial h_{T-k}} = J_{T-k+1} \cdots J_{T-1} J_T $$
#
# Its largest singular value, the *spectral norm*, is the most by which it can stretch a gradient. Where it shrinks, the
# network is not told what lies far back; where it grows, one step of the optimizer throws all weights away. Against the
# second there is a remedy: scale the gradient down when its norm is too large ([On the Difficulty of Training Recurrent
# Neural Networks](https://arxiv.org/abs/1211.5063), Pascanu, Mikolov and Bengio, 2013):
#
# $$ g \leftarrow g \cdot \min\!\Big(1, \frac{c}{\lVert g \rVert}\Big), \qquad \lVert g \rVert = \text{the root of the
# sum of the squares of } \textbf{all} \text{ numbers in all gradients} $$
#
# By hand: the gradients $(2)$ and $(1, -2)$ have the norm $3$; with limit 1.5 they become $(1)$ and $(0.5, -1)$. One
# factor serves all, so the direction of the step stays.
#
# <details><summary>Plan</summary><code>jacobian_norms</code> begins with the identity and walks back from the last
# state: note the norm of the product so far, then multiply by this state's Jacobian, on the side that the formula
# shows. <code>clip_by_norm</code> takes one norm over all numbers of all tensors, makes one factor from it, and returns
# new tensors; think of a norm of 0, and of one below the <code>limit</code>.</details>
# <details><summary>Hint 1</summary><code>W_h * (1 - h ** 2)</code> scales columns: W_h @ np.diag(1 - h ** 2).</details>
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
    """Return a list of tensors, scaled so that their common norm is at most `limit`, and the norm before, a float.

    Those given stay as they are. Up to the limit nothing is scaled; it may be math.inf. Each tensor keeps its dtype.
    """
    ### BEGIN SOLUTION
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    factor = min(1.0, limit / norm) if norm else 1.0
    return [g * factor for g in gradients], norm
    ### END SOLUTION

# %% check="exploding" points=6

# %% [markdown]
# Left, your `jacobian_norms` on random networks whose $W_h$ has eigenvalues in a circle of radius $\rho$. Middle, what
# autograd says for an RNN and for two networks of the next page: the norm of the gradient of the last state by the
# *input*, against the distance. (Their gates that keep the past begin open.) Right, an RNN of radius 2.5 learns to
# repeat what it saw, without clipping and with yours.

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
# Clipping tames the explosion. It cannot bring back what has vanished: for that, the network itself must change.
#
# ## Exercise 6: gates (`gates`)
#
# 20 minutes, ★★, 8 points
#
# A plain RNN rewrites its whole state at every step, like a whiteboard that is wiped before each note. What it needs is
# a notebook: keep most of it, cross a little out, write a little in. A **gate** decides that, number by number: a
# sigmoid $\sigma$ between 0 (shut) and 1 (open), made from $x_t$ and $h_{t-1}$. The **LSTM** ([Long Short-Term
# Memory](https://doi.org/10.1162/neco.1997.9.8.1735), Hochreiter and Schmidhuber, 1997; its forget gate: [Learning to
# Forget](https://doi.org/10.1162/089976600300015015), Gers, Schmidhuber and Cummins, 2000) has a second state, the
# *cell* $c$, scaled by one gate and added to through another:
#
# ![An LSTM cell: 2 is halved by the forget gate, 0 is added, and half of tanh(1) is shown](figures/lstm_cell.svg)
#
# $$ [i, f, g, o] = x W_x + h W_h + b \ \text{ in four parts of } H, \qquad
# c' = \sigma(f) \odot c + \sigma(i) \odot \tanh(g), \qquad h' = \sigma(o) \odot \tanh(c') $$
#
# Forget ($f$), write ($i$) the content ($g$), show ($o$); $\odot$, number by number: $(1,2) \odot (4,3) = (4,6)$. Along
# $c$ the gradient is multiplied by $\sigma(f)$ only: with an open gate it does not vanish, so the bias of $f$ begins
# positive. In the drawing all sums are 0, $c = 2$: gates 0.5, $\tanh 0 = 0$, $c' = 1$, $h' = 0.5\tanh 1 = 0.38$.
#
# The **GRU** ([Learning Phrase Representations using RNN Encoder-Decoder](https://arxiv.org/abs/1406.1078), Cho and
# others, 2014) has one state and two gates: *reset* $r$ says how much of the past goes into the new content $n$,
# *update* $z$ how much of the old state is kept. Its two linear maps stay apart:
#
# ![A GRU cell with one number: the state 1 and the content 0 are mixed half and half](figures/gru_cell.svg)
#
# $$ [a_r, a_z, a_n] = x W_x + b_x, \quad [d_r, d_z, d_n] = h W_h + b_h, \quad
# r = \sigma(a_r + d_r), \quad z = \sigma(a_z + d_z), $$
# $$ n = \tanh(a_n + r \odot d_n), \qquad h' = (1 - z) \odot n + z \odot h $$
#
# By hand: all sums 0, $h = 1$: $r = z = 0.5$, $n = 0$, $h' = 0.5$. (This is the GRU of PyTorch and cuDNN, where $r$
# acts on $h W_h + b_h$, after the matrix. In the paper it acts on $h$, before the matrix: that is another network.)
#
# <details><summary>Plan</summary><code>lstm_cell</code> makes all four sums at once, (B, 4H), cuts them apart in the
# order of the text, updates the cell, and lets the new cell make the new h. <code>gru_cell</code> keeps its two maps
# apart, (B, 3H) each, and cuts both: each gate adds its two parts, the content lets r act on one part before it adds,
# and z blends new and old.</details>
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

# %% check="gates" points=8

# %% show
print(f"largest difference from nn.LSTMCell: {agreement.with_lstm_cell(lstm_cell):.1e}")
print(f"largest difference from nn.GRUCell:  {agreement.with_gru_cell(gru_cell):.1e}")

# %% [markdown]
# **The long-memory task.** One symbol of eight comes first, then others at random, and at the end the network must say
# which came first. A plain RNN has the room to hold it, but the gradient never tells it to. In the last row it answers
# from the *mean* of its states, not from the last: a short way back to each of them (chapter 04 will weigh that mean).
# Five seeds each: a claim about training that holds for one seed is an anecdote.

# %% show
from helpers.chapters.rnns.recall import recall_accuracy
MEMORY = 60  ### small: 12
STEPS = 160  ### small: 60
SEEDS = 5  ### small: 1
memory_runs = {}
for name, kind in {"RNN": nn.RNN, "GRU": nn.GRU, "LSTM": nn.LSTM, "RNN, mean": nn.RNN}.items():
    memory_runs[name] = [recall_accuracy(kind, MEMORY, STEPS, SEED + i, mean="mean" in name) for i in range(SEEDS)]
    print(f"{name:>9}: {' '.join(f'{a:6.1%}' for a in memory_runs[name])}   (chance is 12.5%)")
### BEGIN CLAIMS
for name in ("GRU", "LSTM", "RNN, mean"):
    claim(f"The first symbol, 60 steps later: {name} above RNN", memory_runs[name], memory_runs["RNN"])
### END CLAIMS

# %% [markdown]
# ## Exercise 7: a training loop of your own (`loop`)
#
# 20 minutes, ★★, 8 points
#
# So far `fit` has trained everything, behind a curtain. Behind it are seven lines in the right order, and every network
# that you have heard of is trained by them. Write them once yourself, and train the writer of the next page with them.
#
# ![Forward, loss, zero_grad, backward, clip, step, schedule, and now and then evaluate](figures/training_loop.svg)
#
# Follow one step by hand. The model is one weight, $w = 2$, the batch is $x = 1, y = 0$, the loss $(wx - y)^2$.
# *Forward* gives 2, the *loss* is 4, *backward* puts the gradient $2(wx - y)x = 4$ into `w.grad`, *clip* at 1 makes it
# 1, the *step* with rate 0.1 moves $w$ to 1.9. Then the schedule halves the rate. The next batch, $x = 1, y = 1.8$, has
# the loss $0.1^2 = 0.01$ and the gradient 0.2: below the limit, so $w = 1.9 - 0.05 \cdot 0.2 = 1.89$.
#
# Two things go wrong quietly. `backward()` *adds* to `.grad`: without `zero_grad()` the second step still carries the
# first gradient. And a model has two modes: `model.train()` switches dropout on, `model.eval()` off. Who judges in
# train mode judges a damaged model, and who forgets to switch back trains without dropout from then on.
#
# <details><summary>Plan</summary>Each step takes the next batch, beginning again after the last, and goes through the
# stages of the drawing in that order; keep its loss as a float. Where an evaluation is due (once, even if both reasons
# meet), switch the mode, evaluate without gradients, and note the number of steps made beside the result. Then look for
# the place in the loop where train mode must come back.</details>
# <details><summary>Hint 1</summary><code>batches[step % len(batches)]</code> goes round and round.</details>
# <details><summary>Hint 2</summary><code>nn.utils.clip_grad_norm_(model.parameters(), clip)</code> clips.</details>
# <details><summary>Hint 3</summary><code>with torch.no_grad():</code> around the evaluation.</details>

# %% exercise="loop"
def train(
    model: nn.Module, batches: Sequence, loss: Callable, optimizer: torch.optim.Optimizer, schedule, steps: int,
    clip: float, evaluate: Callable, every: int,
) -> tuple[list[float], list[tuple[int, float]]]:
    """Train a model in place; return (the loss of each step as a float, [(steps made, evaluation), ...]).

    batches: step 0, 1, ... learns from batches[0], batches[1], ..., and after the last from the first again.
    loss: (model, batch) -> a scalar tensor. schedule: its step() follows the optimizer's, in each step.
    clip: the largest norm that all gradients together may have.
    evaluate: model -> a number; called after every `every` steps and after the last one, in eval mode and without
    gradients. While it learns, the model is in train mode; in the end it is left in eval mode.
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
# Now hand both loops the same model: an LSTM that reads characters, on a million of them from Shakespeare's plays. The
# vocabulary has 65 signs, no word is unknown, and the vectors that embed the characters also score the next (*tied*). A
# row of a batch goes on where the last batch stopped: the state is handed on, the gradient is not (*truncated* BPTT).

# %% show
from helpers.chapters.rnns.characters import CharacterText
STEPS = 1350  ### small: 2
text = CharacterText(data.load("tiny_shakespeare"), steps=STEPS)
ours, theirs = training_loop.side_by_side(text, train, steps=20)
print("loss of your loop:", *(f"{loss:.3f}" for loss in ours[::4]), end="   ")
print("of fit:", *(f"{loss:.3f}" for loss in theirs[::4]))
print(f"largest difference in 20 steps: {abs(np.subtract(ours, theirs)).max():.1e}")
print(f"a uniform guess would have {math.log(len(text.characters)):.3f}")

# %% [markdown]
# The same numbers. Make it a habit to look at the first one: a model that knows nothing should be near the uniform
# guess, and one that begins far above it was set up wrongly. What `fit` adds are conveniences: the device, half
# precision, checkpoints. The writer of the next page is trained by *your* loop; from part two on `fit` is back.
#
# ## Exercise 8: temperature, top-k, top-p (`sampling`)
#
# 18 minutes, ★★, 6 points
#
# A trained model says how likely each next character is. Which one to write? The likeliest each time (*greedy*) soon
# goes in circles; a draw from all may be absurd, for a hundred unlikely ones together are not unlikely. Three knobs:
#
# ![Top-p with 0.6 keeps the probabilities 0.5 and 0.3 and scales them to 0.625 and 0.375](figures/nucleus.svg)
#
# 1. **Temperature** $\tau$: divide the logits by $\tau$, then softmax. Below 1 the distribution becomes sharper, above
#    it flatter. $\tau = 0$ means greedy.
# 2. **Top-k**: only the $k$ largest logits stay.
# 3. **Top-p**, or nucleus ([The Curious Case of Neural Text Degeneration](https://arxiv.org/abs/1904.09751), Holtzman
#    and others, 2020): the *fewest* of the largest probabilities stay whose sum is *at least* $p$.
#
# By hand: $p = (0.2, 0.5, 0.3)$. Top-p with 0.6 needs $0.5 + 0.3$, so $(0, 0.625, 0.375)$ remains.
#
# <details><summary>Plan</summary>Sort the logits, the largest first, and remember where each came from. In this order
# the filters are cuts: apply the temperature and the softmax, keep the first <code>top_k</code>, and rescale before
# <code>top_p</code> cuts. There the running sum tells you who is still needed. Rescale once more and send each
# probability back to its place in the vocabulary; greedy needs a way that no filter changes.</details>
# <details><summary>Hint 1</summary>Sort once: <code>torch.sort(..., descending=True, stable=True)</code>.</details>
# <details><summary>Hint 2</summary>For top-p one stays if the sum of those <em>before</em> it is less than p.</details>
# <details><summary>Hint 3</summary><code>out = torch.zeros_like(p); out[order] = kept / kept.sum()</code></details>

# %% exercise="sampling"
def token_distribution(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    """Return the probabilities to draw from, (N,), for logits (N,): temperature, then top-k, then top-p.

    What a filter drops has probability 0, the rest sums to 1, in the order of the vocabulary; None switches a filter
    off. temperature 0: all probability on the first largest logit, whatever the filters say. top_k: all stay if there
    are fewer. top_p: 0 < p <= 1, of what top-k left, scaled to a sum of 1; at least one stays. Of equal ones at a
    border the earlier stays. Logits of minus infinity are allowed: such words have probability 0.
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
from helpers.chapters.rnns.characters import train_writer, write
careful = partial(token_distribution, temperature=0.7, top_p=0.95)
writer, evaluations, samples = train_writer(text, "ROMEO:\n", careful, train)
for (step, bits), sample in zip(evaluations, samples, strict=True):
    print(f"--- after {step} steps, {step * text.per_step:,} characters: {bits:.2f} bits per character\n{sample}\n")

# %% [markdown]
# First letters, then words, then who speaks. Is it better than counting? Your 5-gram with a small $k$ forgets what
# shorter contexts know. **Kneser-Ney** smoothing (as improved in [An Empirical Study of Smoothing Techniques for
# Language Modeling](https://doi.org/10.1006/csla.1999.0128), Chen and Goodman, 1999) hands a share of each context's
# probability to the next shorter one. All are judged on the same unread characters, half of the validation part.

# %% show
from helpers.chapters.rnns.figures import bits_per_character
counted, lstm, unread = text.counted(range(1, 7)), evaluations[-1][1], text.unread.tolist()
fives, fours = count_ngrams(text.read.tolist(), 5)
added = [add_k(unread[i], tuple(unread[i - 4 : i]), fives, fours, len(text.characters), 0.03)
         for i in range(4, len(unread))]
print(f"your 5-gram, k = 0.03: {cross_entropy(added) / math.log(2):.3f} bits per character, {len(fives):,} counts")
for n, bits in counted.items():
    print(f"{n}-gram, Kneser-Ney:    {bits:.3f}")
print(f"LSTM:                  {lstm:.3f}, {sum(p.numel() for p in writer.parameters()):,} weights")
plots.show(*bits_per_character(evaluations, text.per_step, counted))
### BEGIN CLAIMS
claim("Minus bits per character: LSTM above the 5-gram with Kneser-Ney", -lstm, -counted[5])
### END CLAIMS

# %% [markdown]
# Let it write a page, and read it aloud. Below it, the same model with other ways to draw:

# %% show
print(write(writer, text, "JULIET:\nO ", 1500, careful))
for filters in (*({"temperature": t} for t in (0, 0.5, 1.0, 1.5)), {"top_k": 5}, {"top_p": 0.9}):
    print(f"\n--- {filters}\n{write(writer, text, 'JULIET:', 160, partial(token_distribution, **filters))}")

# %% [markdown]
# What is in its memory? Nobody told it what a line is. Yet in such networks single cells can be read: one that is on
# inside quotes, one that counts along the line ([Visualizing and Understanding Recurrent
# Networks](https://arxiv.org/abs/1506.02078), Karpathy, Johnson and Li, 2015). Look for yours: of all 256 cells, the
# one whose value goes best with the number of characters since the last line break.

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
# From the figure of gradients and the table of the long-memory task: why does the plain RNN fail where LSTM and GRU do
# not, though all three states are large enough for the symbol? By which factor is the gradient multiplied at each step
# in each of them, and what can clipping mend, what not? Then look at the table of perplexities for four vocabularies,
# and at the bits per character of LSTM and 5-gram: which of these numbers may be compared with one another, and what
# would you have to know before you called one model better? About 150 words.

# %% [markdown] essay="gates" points=10
# ### BEGIN SOLUTION
# Going back one step, the gradient of the plain RNN is multiplied by W_h diag(1 - h^2). The slopes are at most 1 and
# mostly well below, so the product of sixty such matrices is nearly 0: at distance 50 it is many orders of magnitude
# smaller than at 0, and the loss says nothing to the first symbol. In the LSTM the cell passes back through a product
# of forget gates, which begin near sigma(5) = 0.99; the GRU's update gate does the same. Clipping bounds a gradient
# that explodes; one that has vanished cannot be scaled back. The perplexities of the models' own tokens fell because
# more words were called unknown: they are of different tokens and may not be compared; those of the same tokens may,
# and hardly change. The bits per character may, too: same characters, same unread text. Before calling one better I
# would want other seeds, the size of both, and how often each reads: here about three times and once.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: the factor of the plain RNN (W_h times the slope of tanh), with a number from the figure or the table.
# 2 points: the path through the cell (or update gate) and its factor, the gate.
# 2 points: clipping mends explosion, not vanishing, with the reason.
# 3 points: perplexities of different tokens are not comparable, those of the same tokens and bits per character are;
# one thing more to know.
# ### END MARK SCHEME

# %% [markdown]
# **Half way: a good place to stop.** You have counted, unrolled, gone back through time, opened gates and written the
# loop that trains them all. Part two needs only your functions: later, run the given cells and exercises, go on below.
#
# # Part two: sequences to sequences
#
# A recurrent network is a hose: what counts is where you let something in and where you take something out. A language
# model answers at every step. Read a whole message and answer once, and you have a classifier; answer for each word,
# and you have a tagger; read all first, then write, and you have a translator.
#
# ![One to one, one to many, many to one, many to many in step, and through one state](figures/layouts.svg)
#
# ## Exercise 9: there and back, layer on layer (`stacked`)
#
# 28 minutes, ★★★, 7 points
#
# "She sat on the bank of the river": only the end tells what the bank is, so why should a tagger know the left half
# only? A **bidirectional** layer reads twice, once from each end, and lays the two states of each token side by side. A
# **stacked** network feeds these states to a next layer.
#
# There is one trap. Sentences of a batch are padded at the end, and the backward reader must begin at *each sentence's
# own last token*. Whoever turns the whole padded row round makes it begin with padding:
#
# ![Turned round within its length, a b c is c b a; as a whole, the padding comes first](figures/padding.svg)
#
# With a stack, which layer should a task look at? **ELMo** ([Deep Contextualized Word
# Representations](https://arxiv.org/abs/1802.05365), Peters and others, 2018) does not choose: each task learns its own
# mix of the layers, the static word vectors (layer 0) among them.
#
# $$ \text{ELMo}_t = \gamma \sum_{l=0}^{L-1} s_l\, h_{l,t}, \qquad s = \mathrm{softmax}(w) $$
#
# By hand: `a b c _ _` of length 3 becomes `c b a _ _`; two layers with $w = (0, 0)$ and $\gamma = 2$ give their sum.
#
# <details><summary>Plan</summary><code>reverse_padded</code> works out from which place each place copies, (B, T), then
# fetches all vectors at once. <code>stacked_bidirectional</code> runs both readers in each layer, turns the sequences
# round before the backward one and its states after it, joins the two, (B, T, 2H), and clears the padding at the end.
# <code>elmo_mix</code> makes shares of the <code>weights</code>, adds up the layers by share, and scales.</details>
# <details><summary>Hint 1</summary>Place t copies from length - 1 - t within the sequence, from t beyond it.</details>
# <details><summary>Hint 2</summary><code>x[torch.arange(B)[:, None], source]</code> copies whole vectors.</details>
# <details><summary>Hint 3</summary>The mix: <code>weights.softmax(0)[:, None, None, None]</code>.</details>

# %% exercise="stacked"
def reverse_padded(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return x, (B, T, C), with the first lengths[b] steps of each sequence b turned round. lengths: (B,).

    What lies beyond the length stays where it is: applied twice, it gives the input back.
    """
    ### BEGIN SOLUTION
    places, ends = torch.arange(x.shape[1], device=x.device), lengths[:, None]
    source = torch.where(places < ends, ends - 1 - places, places)  # (B, T)
    return x[torch.arange(len(x), device=x.device)[:, None], source]
    ### END SOLUTION

def stacked_bidirectional(
    x: torch.Tensor, lengths: torch.Tensor, layers: list[tuple[Callable, Callable]]
) -> torch.Tensor:
    """Return the states of the last layer, (B, T, 2H), forward states first, zeros at all places beyond the length.

    x: (B, T, C). lengths: (B,). layers: pairs of functions (forward, backward); each takes a batch (B, T, C), reads it
    from the first step to the last and returns its states (B, T, H). The backward one is fed the sequences turned
    round, and its states are turned round again. The output of a layer, (B, T, 2H), is the input of the next.
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
# ## Exercise 10: the best path, and all paths (`viterbi`)
#
# 30 minutes, ★★★, 7 points
#
# Which words of a message are a name, a time, a place? Give each token a **tag**: `B-PERSON` begins a person,
# `I-PERSON` goes on with one, `O` is outside. A tag depends on the word and on its neighbour's tag: no `I-TIME` follows
# an `O`. So the score of a path of tags is a sum of *emissions*, one row for each token, and *transitions*, one table:
#
# $$ s(y) = \text{start}_{y_1} + \sum_{t=1}^{T} \text{emission}_{t, y_t} + \sum_{t=2}^{T} \text{transition}_{y_{t-1},
# y_t} $$
#
# Ten tags and twenty tokens have $10^{20}$ paths. Yet the best one comes from a single pass: the best path to a tag
# goes through the best path to *some* tag before it, so keep one number for each tag, the best score so far.
#
# ![Two tokens and two tags as a lattice: the best score of each tag, and the steps between them](figures/viterbi.svg)
#
# By hand, as in the drawing: emissions $(1, 0), (0, 2)$, transitions $\begin{pmatrix} 1 & -3 \\ 0 & 0 \end{pmatrix}$,
# start 0. Token by token $0, 1$ is best, and has $1 - 3 + 2 = 0$; but $1, 1$ and $0, 0$ score 2 each: both are right.
#
# In a **hidden Markov model** ([A Tutorial on Hidden Markov Models](https://doi.org/10.1109/5.18626), Rabiner, 1989)
# the scores are logarithms of counted shares, $p(w_t \mid y_t)$ and $p(y_t \mid y_{t-1})$. In a **conditional random
# field** (Lafferty, McCallum and Pereira, 2001) they are learned, and the path gets a probability by a softmax over
# *all* paths: $\ln p(y) = s(y) - \ln \sum_{y'} e^{s(y')}$. The same pass gives it, with log-sum-exp for the largest.
#
# <details><summary>Plan</summary><code>path_score</code> adds up what one path collects. <code>viterbi</code> carries K
# numbers from token to token, the best score of a path to each tag: a (K, K) table holds every step, and you note which
# tag each winner came from, so that you can follow the notes back from the best end. <code>log_partition</code> walks
# the same way without notes; the text says what replaces the largest.</details>
# <details><summary>Hint 1</summary>Keep for each tag the best score of a path to it; a step: a (K, K) table.</details>
# <details><summary>Hint 2</summary>Note for each token and tag the best tag before; follow these back.</details>
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
    """Return a path of T >= 1 tag numbers with the largest score, any of several. Scores may be minus infinity."""
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
    """Return the logarithm of the sum of exp(score) over all paths, finite for finite scores of thousands."""
    ### BEGIN SOLUTION
    total = start + emissions[0]
    for row in emissions[1:]:
        total = np.logaddexp.reduce(total[:, None] + transitions, axis=0) + row
    return float(np.logaddexp.reduce(total))
    ### END SOLUTION

# %% check="viterbi" points=7

# %% [markdown]
# ## Exercise 11: judging a tagger (`tagging`)
#
# 20 minutes, ★★, 6 points
#
# A tagger that says `O` every time is right for 85 per cent of the tokens of the inbox, and useless. What counts is
# whether a whole **span** was found: its label, its first and its last token, all three.
#
# ![The tags B-A I-A O I-B B-B above five tokens, and the three spans that they make](figures/spans.svg)
#
# By hand: `B-A I-A O I-B B-B` holds (A, 0, 2), (B, 3, 4), (B, 4, 5): an `I-` that continues nothing begins a span of
# its own. *Precision* is the share of the predicted spans that are right, *recall* the share of the true ones that were
# found, F1 their harmonic mean. And before a network can be trained at all: the loss must not learn from padding. The
# **masked loss** is the mean over the *real* tokens of a batch.
#
# <details><summary>Plan</summary><code>masked_cross_entropy</code> picks the real tokens of all sentences first, so
# that nothing else meets the loss. <code>spans</code> walks along the tags with at most one open span: at each tag,
# does it close, and does a new one open? Think of one still open at the end. <code>span_scores</code> gathers the spans
# of both sides, sentences kept apart, counts what they share, and divides with care.</details>
# <details><summary>Hint 1</summary>Before the loss, pick <code>torch.arange(T) &lt; lengths[:, None]</code>.</details>

# %% exercise="tagging"
def masked_cross_entropy(logits: torch.Tensor, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return the mean of -ln p(tag) over the real tokens (at least one), a scalar to train on.

    logits: (B, T, K), tags: (B, T), lengths: (B,). Beyond the length scores and tags may be any numbers, even -1.
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
    """Return (precision, recall, F1) of whole spans over all sentences together; a share of nothing is 0.0.

    Right are the predicted spans that are in the gold tags of the same sentence; both lists are equally long.
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

# %% check="tagging" points=6

# %% [markdown]
# ## A tagger for the inbox
#
# The inbox comes with tags for persons, dates, times, places, sums of money, courses and organisations, split by core
# sentence, so that no sentence of its grammar stands on both sides. The rival needs only counting: a hidden Markov
# model with 0.01 added to each count, its tags read by your `viterbi`. The network reads three things of each token,
# the word, its last three letters and its shape (capitals, digits, marks), with a bidirectional LSTM.

# %% show
from helpers.chapters.rnns.figures import f1_bars
from helpers.chapters.rnns.hmm import HiddenMarkov
from helpers.chapters.rnns.tagging import bracketed, f1_by_label, span_table, strays, tag_loss, train_tagger
inbox_tags = data.load("inbox_tags")
judged, gold = inbox_tags.test, [tags for _, tags in inbox_tags.test]
tags_loss = tag_loss(masked_cross_entropy)
STEPS = 400  ### small: 8
tagger = train_tagger(inbox_tags.train, inbox_tags.tags, tags_loss, STEPS)
by_network = tagger.tag(judged)
tagged = {"O everywhere": [["O"] * len(tags) for tags in gold], "BiLSTM": by_network,
          "HMM, Viterbi": HiddenMarkov(inbox_tags.train).best_paths(judged, viterbi),
          "BiLSTM, Viterbi": tagger.best_paths(judged, viterbi)}
print(span_table(gold, tagged, span_scores))
print(f"BiLSTM: {strays(by_network)} of {sum(map(len, by_network)):,} tags are an I- that continues nothing\n")
print(bracketed(judged[7].tokens, by_network[7]))
labels = sorted({tag[2:] for tag in tagger.tags if tag != "O"})
by_label = {name: f1_by_label(gold, tagged[name], labels, span_scores) for name in ("HMM, Viterbi", "BiLSTM, Viterbi")}
plots.show(*f1_bars(by_label, labels))

# %% [markdown]
# **What a CRF layer adds.** The BiLSTM scores each token alone. With a table of transitions on top, learned with it,
# the path has the score $s(y)$ of exercise 10, the loss is $\ln \sum_{y'} e^{s(y')} - s(y)$, and Viterbi reads the tags
# ([Bidirectional LSTM-CRF Models for Sequence Tagging](https://arxiv.org/abs/1508.01991), Huang, Xu and Yu, 2015). The
# last row of the table is a cheap relative: transitions that only forbid what BIO forbids. A whole CRF, in small:

# %% show exact=true
emissions, start = np.array([[1.0, 0.0], [0.0, 2.0], [0.5, 0.0]]), np.zeros(2)
transitions = np.array([[1.0, -3.0], [0.0, 0.0]])
total = log_partition(emissions, transitions, start)
for tags in ([0, 0, 0], [0, 1, 0], [1, 1, 0]):
    s = path_score(emissions, transitions, start, tags)
    print(f"{tags}: score {s:+.1f}, probability {math.exp(s - total):.3f}")
print("the best path:", [int(tag) for tag in viterbi(emissions, transitions, start)])

# %% [markdown]
# ## Two tasks, one reader
#
# Each message of the inbox also has an *intent* (parcel, loan, event and so on). Multi-task learning trains one encoder
# for both: the losses are added, each with a weight. Where the tasks share what they need to know, each teaches the
# other; where they do not, they compete. The test messages come from core sentences that training has never seen.

# %% show
from helpers.chapters.rnns.spam_messages import intents_of, share_right
from helpers.chapters.rnns.tagging import label_loss
intents, train_labels, test_labels = intents_of(data.load("inbox"), inbox_tags)
f1, LOSSES = {}, {"entities alone": tags_loss, "intent alone": label_loss,
                  "both": lambda model, batch: tags_loss(model, batch) + 0.3 * label_loss(model, batch)}
STEPS = 120  ### small: 20
print(f"{'trained on':<18}{'span F1':>9}{'intent right':>14}")
for name, loss in LOSSES.items():
    reader = train_tagger(inbox_tags.train, tagger.tags, loss, STEPS, labels=train_labels, classes=len(intents))
    f1[name], right = span_scores(gold, reader.tag(judged))[2], share_right(reader.classify(judged), test_labels)
    print(f"{name:<18}{'' if name[0] == 'i' else f'{f1[name]:.3f}':>9}{'' if name[0] == 'e' else f'{right:.3f}':>14}")
### BEGIN CLAIMS
claim("Span F1 in the inbox: entities alone above both tasks at once", f1["entities alone"], f1["both"])
### END CLAIMS

# %% [markdown]
# Entities alone did better with each of five seeds, intents with four: so few steps are hard to share. The same class
# on the English Web Treebank's parts of speech; the rival gives each word its commonest tag, a new one the text's.

# %% show
from helpers.chapters.rnns.tagging import accuracy, by_frequency
ewt = data.load("ud_ewt")
STEPS = 250  ### small: 8
word_tagger = train_tagger(ewt.train, ewt.tags, tags_loss, STEPS, width=96)
both = {"the most frequent tag": by_frequency(ewt.train, ewt.test), "BiLSTM": word_tagger.tag(ewt.test)}
for name, found in both.items():
    print(f"{name}: {accuracy([tags for _, tags in ewt.test], found):.1%} of the test words right")

# %% [markdown]
# ## The leaderboard: messages, read by an LSTM
#
# Many to one: a bidirectional LSTM, begun from the vectors of chapter 02, reads a message. One linear layer takes the
# mean of its words' vectors and, with the long-memory task in mind, the mean and the largest of *all* its states.

# %% show
from helpers.chapters.rnns.message_sorting import message_sorter
from helpers.models.word_vectors import WordVectors
STEPS = 220  ### small: 5
EVERY_TEXT = 1  # with 20, one of twenty intents and messages  ### small: 20
benchmarks.take("03", "BiLSTM on word vectors", message_sorter(WordVectors.load(), STEPS), every=EVERY_TEXT)
benchmarks.show("03")

# %% [markdown]
# ## Exercise 12: teacher forcing and greedy decoding (`decoding`)
#
# 15 minutes, ★★, 4 points
#
# A translation has its own length and its own order, so the network must read everything first and then write. That
# takes two networks ([Sequence to Sequence Learning with Neural Networks](https://arxiv.org/abs/1409.3215), Sutskever,
# Vinyals and Le, 2014; Cho and others in the same year): the **encoder** reads the source and hands on its last state,
# and nothing else; the **decoder** is a language model of the target that begins in that state.
#
# ![The encoder reads 3 mai 2001 into 256 numbers; the decoder writes 2001 from them alone](figures/seq2seq.svg)
#
# In training the decoder is fed the *right* target, one step late: at step $t$ it sees target $t - 1$ and must say
# target $t$. That is **teacher forcing**: all steps train at once, and an early mistake does not spoil the later ones.
# When it translates there is no teacher, and its own likeliest token is fed back: mistakes of its own, which it never
# met in training (*exposure bias*). By hand: for the targets `5 6 7` and begin 1 the decoder is fed `1 5 6`.
#
# <details><summary>Plan</summary><code>shift_right</code> puts a column of <code>begin</code> in front and drops what
# no longer fits, (B, T). <code>greedy_decode</code> carries three things from round to round: the last tokens, the
# state, and which rows have ended. In each round ask <code>step</code>, take the likeliest, overrule the rows that had
# ended, note the column, and see who has ended now, until all have; the columns side by side are the result.</details>
# <details><summary>Hint 1</summary><code>torch.cat([first column of begins, targets[:, :-1]], dim=1)</code></details>
# <details><summary>Hint 2</summary>Keep a boolean tensor of the rows that have ended, for torch.where.</details>

# %% exercise="decoding"
def shift_right(targets: torch.Tensor, begin: int) -> torch.Tensor:
    """Return the decoder's input, (B, T), for targets (B, T): `begin`, then all targets but the last; same dtype."""
    ### BEGIN SOLUTION
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1)
    ### END SOLUTION

def greedy_decode(step: Callable, state: torch.Tensor, begin: int, end: int, limit: int) -> torch.Tensor:
    """Return the likeliest tokens, one after another, (B, L) with L at most `limit`.

    step: (tokens (B,), state) -> (logits (B, K), new state). state: a tensor whose first axis is the batch.
    Each row begins with `begin`, which is not part of the result. Of equally likely tokens the first is taken. A row
    that has said `end` says `end` from then on. It stops when all rows have said `end`, or after `limit` steps; the
    ends that were said belong to the result.
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

# %% check="decoding" points=4

# %% [markdown]
# ## Exercise 13: BLEU (`bleu`)
#
# 20 minutes, ★★, 4 points
#
# Exact match is a hard judge: one wrong day, and all is lost. For sentences, where many translations are right, the
# usual number is **BLEU** ([BLEU: a Method for Automatic Evaluation of Machine
# Translation](https://doi.org/10.3115/1073083.1073135), Papineni, Roukos, Ward and Zhu, 2002): the share of the n-grams
# of the translation that occur in a person's translation of the same sentence, the *reference*, for $n = 1 \dots N$:
#
# $$ p_n = \frac{\sum_{\text{sentences}} \sum_{g} \min(\text{count in candidate}, \text{count in
# reference})}{\sum_{\text{sentences}} \text{number of n-grams in candidate}}, \qquad
# \text{BLEU} = \text{BP} \cdot \Big(\prod_{n=1}^{N} p_n\Big)^{1/N} $$
#
# Counts are clipped by the reference, or `the the the` would be perfect. Both sums run over the whole corpus before the
# division. Against short translations stands the **brevity penalty** with the total lengths $c$ of the candidates and
# $r$ of the references: $\text{BP} = 1$ if $c \ge r$, else $e^{1 - r/c}$. (For scale, times 100: from English to French
# Sutskever's LSTMs reached 34.8, a system of counts 33.3, reranked by them 36.5.)
#
# By hand: "the cat sat on the mat" for "the cat is on the mat": $p_1 \dots p_4 = 5/6, 3/5, 1/4, 0/3$, so BLEU-2 is
# $\sqrt{1/2} = 0.7071$, BLEU-3 is 0.5, and BLEU-4 is 0.
#
# <details><summary>Plan</summary>For each size up to <code>n</code>, go through all pairs of sentences and keep two
# totals: the n-grams found, clipped by the reference, and the n-grams of the candidates; your <code>count_ngrams</code>
# counts them. Divide only after the last pair, and stop with 0.0 where nothing was found. At the end combine the
# shares, which logarithms make easy, and let the total lengths decide the penalty.</details>
# <details><summary>Hint 1</summary>The & of two Counters takes the smaller of both counts.</details>
# <details><summary>Hint 2</summary><code>Counter(count_ngrams(tokens, size)[0])</code>, of exercise 1, holds
# the counts.</details>

# %% exercise="bleu"
def bleu(candidates: list[list[str]], references: list[list[str]], n: int = 4) -> float:
    """Return corpus BLEU with n-grams up to n, between 0 and 1, without smoothing.

    One reference for each candidate, both lists of tokens. 0.0 if any p_n is 0 or has no n-grams to count.
    """
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

# %% check="bleu" points=4

# %% show
pair = ["the cat sat on the mat".split()], ["the cat is on the mat".split()]
for n in (2, 3):
    print(f"BLEU-{n}: by hand {bleu(*pair, n):.6f}, sacrebleu {agreement.by_sacrebleu(*pair, n):.6f}")

# %% [markdown]
# ## Translating dates
#
# `mardi 3 février 2015` becomes `2015-02-03`. The sources come in sixteen languages and 108 styles (Babel's CLDR), the
# days of the test never occur in training. An LSTM reads characters, another writes them; all that passes between them
# is the last pair of states of the first, twice 128 numbers. One date is only eight digits of information. To ask for
# more, a source may be a **series** of up to three: `3 juin 2001; 1952/4/16` becomes `2001-06-03 1952-04-16`.
# Training begins with single dates, then series join in. Sutskever and others found that a *reversed* source is easier:
# its beginning, needed first, is then read last, and lies near. Is it so here? Train twice.

# %% show
from helpers.chapters.rnns.date_series import DateLessons, exact, train_translator, translate
SINGLE = 850  ### small: 8
SERIES = 250  ### small: 4
TEST = 1500  ### small: 60
lessons, series = DateLessons(), data.Dates("test").series(TEST, seed=SEED + 1)
short = [pair for pair in data.Dates("test").series(min(TEST, 1000), seed=SEED, counts=(1,)) if len(pair[0]) < 20]
targets = [list(target) for _, target in series]
translators, answers, right = {}, {}, {}
for name, turned in (("plain", False), ("reversed source", True)):
    model, history = train_translator(lessons, turned, (SINGLE, SERIES), shift_right, masked_cross_entropy)
    translators[name], answers[name] = model, translate(model, lessons, turned, series, greedy_decode)
    right[name] = exact(translate(model, lessons, turned, short, greedy_decode), short), exact(answers[name], series)
    score = bleu([list(answer) for answer in answers[name]], targets)
    print(f"{name}: short dates {right[name][0]:.1%} exact, all {right[name][1]:.1%}, BLEU over characters {score:.3f}")
for (source, target), answer in list(zip(series, answers["plain"], strict=True))[:6]:
    source = f"\u2068{source}\u2069"  # keeps what is written from right to left apart from the rest of the line
    print("right" if answer == target else "wrong", "|", source, "|", answer)
### BEGIN CLAIMS
claim("Short dates translated exactly, plain: above 0.9", right["plain"][0], 0.9)
claim("Dates translated exactly, plain: short ones above all", *right["plain"])
claim("Short dates translated exactly: plain above reversed", right["plain"][0], right["reversed source"][0])
### END CLAIMS

# %% show
from helpers.chapters.rnns.date_series import EDGES, keep_translator, right_by_place
from helpers.chapters.rnns.figures import through_the_bottleneck
from helpers.experiments.length_curve import exact_by_length
curves = {name: exact_by_length(series, found, EDGES) for name, found in answers.items()}
places = {}
for name, found in answers.items():
    places[name] = {n: right_by_place(found, series, n) for n in (1, 2, 3)}
plots.show(*through_the_bottleneck(curves, places))
translator = translators["plain"].cpu()
print("Saved:", keep_translator(translator, lessons, curves, right["plain"][0], (SINGLE, SERIES)).name)

# %% [markdown]
# Two lessons. First, **the bottleneck**: what is easy for one date fails for two and three, with the same network after
# the same steps. The first date of a series often comes through, of the later ones almost none does: all must pass
# through 256 numbers, and what the decoder has not yet written it must hold while it writes. (More training could
# teach it to hold more.) Second, **the reversal**. An ISO date *is* the reversal of most ways to write one: the year,
# read last, is needed first. The trick of 2014 was for languages of similar order; chapter 04 needs none.

# %% [markdown]
# ## One word, two senses
#
# One more thing comes out of reading in both directions. The vectors of chapter 02 give "cell" one place, whether a
# table or a network is spoken of; the *states* of a model that has read the sentence differ with it. A bidirectional
# language model: one stack of two LSTMs reads forwards and predicts the next word, another reads backwards and predicts
# the one before. Layer 0 is the static vector, layers 1 and 2 are the states of both directions. It learns from the
# messages of the inbox and those pages of the docs that say "cell". Then two words: **cell**, of a table in the pages
# of matplotlib or of a network in those of torch, and **bank**, part of a firm's name ("Pennant Bank") or what one's
# money lies in ("my bank account"). The sense is known from the library or from the tag; the model is not told.

# %% show
from helpers.chapters.rnns.bidirectional import BidirectionalLM, two_way_loss
from helpers.chapters.rnns.figures import sense_maps
from helpers.chapters.rnns.word_senses import Stream, banks, cells, layers_at, neighbour_right, pages_with, train_probe
pages = pages_with("cell", data.load("docs").documents)
places = {"cell": list(cells(pages)), "bank": list(banks([*inbox_tags.train, *inbox_tags.test]))}
stream = Stream(inbox_tags.train, pages, size=2000)
STEPS = 160  ### small: 20
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
    print("  the nearest other place has the same sense:", ", ".join(f"layer {i} {s:.2f}" for i, s in enumerate(near)))
    print(f"  ELMo's mix of the layers: {', '.join(f'{v:.2f}' for v in mix)}; {right:.1%} of held-out places right")
    maps[word] = layers[2], senses, near[2]
plots.show(*sense_maps(maps))

# %% [markdown]
# The static vector is the same at every place, so its nearest neighbour is a matter of chance. How much of this is
# learned? Set STEPS to 3 and run the cell again: the states see their neighbours, trained or not. **CoVe**
# ([Learned in Translation](https://arxiv.org/abs/1708.00107), McCann and others, 2017) takes states of a translator's
# encoder. Ours knows one ambiguous word: in Spanish, `mar` is short for *martes*, a weekday, and *marzo*, a month. Its
# state after the word tells which: only months go into the date.

# %% show
from helpers.chapters.rnns.word_senses import letter_states, mean_cosines, spanish_mar
DRAWN = 4000  ### small: 200
texts, at, senses = spanish_mar(DRAWN)
letters, cove = letter_states(translator, lessons.pad(texts)[0], at)
weekdays, months, between = mean_cosines(cove, senses, ("weekday", "month"))
print(f"{len(texts)} times mar; mean cosine among weekdays {weekdays:.2f}, months {months:.2f}, between {between:.2f}")
print(f"nearest neighbour of the same sense: letters {neighbour_right(letters, senses):.2f}, "
      f"CoVe {neighbour_right(cove, senses):.2f}")

# %% [markdown]
# ## Essay 2: through the bottleneck
#
# 15 minutes, ★★, 10 points, graded by hand
#
# From the two panels on dates: how does the share of exact translations fall with the length of the source, and which
# date of a series of three suffers most? Give a reason from the way the state is made. Why did reversing the source
# help Sutskever and others, and what did it do here, and why? Then name one place where knowledge was passed on from
# elsewhere (pretrained vectors, a second task, a language model's layers), say what it changed in numbers, and whether
# one run is enough to believe it. Last: propose one change of the decoder that frees it. About 150 words.

# %% [markdown] essay="bottleneck" points=10
# ### BEGIN SOLUTION
# Nine in ten single dates are right; with two or three dates almost no series is exact. In a series the first date is
# often still right, the others hardly ever. All that the decoder may know has passed through the last pair of states,
# 256 numbers; each character read overwrites a part of them, and what is to be written last must be held longest.
# Sutskever's languages have a similar order, so reversing brought the first words of the source next to the first words
# of the target. An ISO date is already the reverse of most written dates: reversal moves the year, which is written
# first, to the far end, and the curve lies lower. Pretrained vectors gave a lower perplexity early in training, less at
# the end; one seed shows the direction, not the size. The decoder could look back at all states of the encoder at every
# step, weighted by what it needs: attention.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: the fall with length in numbers, and the place in the series, with a reason (one state of fixed size).
# 3 points: why reversal helped then and not here: the order of source and target.
# 2 points: one transfer with its numbers, and doubt about a single run.
# 2 points: a change that gives the decoder access to more than the last state.
# ### END MARK SCHEME

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next
#
# A training loop, a writer, a tagger, a translator, vectors that know their sentence, each equal to the library's.
#
# What breaks: everything that the decoder knows has passed through one vector, and every step must wait for the one
# before. [Chapter 04](../04_attention/04_attention.ipynb) lets the decoder look back at *all* states of the encoder,
# and weigh them: attention. (Recurrence has come back since, in networks that need not wait while they train:
# [chapter 11](../11_beyond/11_beyond.ipynb).) **Saved:** the artifact `date-translator` with its curves of exact
# translations by length, beside which chapter 04 draws its own; your row of the leaderboard.

# %% [markdown] text="further"
