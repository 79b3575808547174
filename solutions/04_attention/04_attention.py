# %% [markdown]
# # 04 Attention: look at what you need
#
# **What you will build.** Attention, from a score between two vectors to the multi-head layer that torch ships; a
# translator of dates that looks back at what it reads; positions, three kinds of them; an exact attention whose memory
# grows with the length and not with its square; the caches of today's models in bytes; and attention written as a
# recurrent network. Everything is a function of a few lines on tensors.
#
# **What you need.** Tensors and `nn.Module`; what an encoder, a decoder and teacher forcing are
# ([chapter 03](../03_rnns/03_rnns.ipynb)). The spam of [chapter 01](../01_spam/01_spam.ipynb) comes back once more.
#
# **Points.** 100: fourteen exercises checked by machine (80) and two short essays (20). Allow about five hours. The
# whole notebook, once written, runs in about three minutes on two cores.
#
# **Notation.** A sequence of $T$ tokens with $C$ numbers each is a matrix $X$ of shape $(T, C)$, one token in each
# **row**; with a batch it is $(B, T, C)$. Some lectures write tokens as columns, $W^Q X$; here it is $X W_Q$. Softmax
# runs over the last axis, the keys. "Any leading axes" means that a function takes $(T, C)$, $(B, T, C)$,
# $(B, H, T, C)$ and so on, and works on the last two axes; torch's `@` does that by itself. Functions take and return
# tensors, and none changes its arguments.

# %% given
import math
from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from helpers import data, plots
from helpers.course import SEED, artifacts, benchmarks, notebook

notebook.prepare("04_attention")

# %% [markdown]
# ## The bottleneck
#
# An encoder-decoder reads a sentence into *one* vector and writes from that vector alone. However long the sentence,
# the vector stays as it is, so something has to go. One lecture lists the remedies: hand the vector to every step of
# the decoder; average all states of the encoder; or *weigh* them, anew at each step, by how much each of them matters
# now. The third is attention, and it has three steps:
#
# 1. give every state of the encoder a score,
# 2. turn the scores into weights by softmax,
# 3. add up the states, each times its weight.
#
# What asks is called the **query**, what is compared with it are the **keys**, and what is added up are the
# **values**. The words come from search: a query is matched against keys, and what is fetched are values.
#
# ## Exercise 1: four ways to score (`scores`)
#
# 20 minutes, ★★, 6 points
#
# A score says how well a key $k$ fits a query $q$. Four are in use:
#
# | name | score | for |
# |---|---|---|
# | dot | $q \cdot k$ | vectors of one size (Luong 2015; the lecture's $h^d_{i-1} \cdot h^e_j$) |
# | scaled | $q \cdot k \,/\, \sqrt{d}$ | the same, $d$ being the size of the vectors (Vaswani 2017) |
# | general | $q\, W k^\top$ | vectors of different sizes, $W$: $(d_q, d_k)$ |
# | additive | $v \cdot \tanh(q W_q + k W_k)$ | the first of all (Bahdanau 2014), $W_q$: $(d_q, a)$, $W_k$: $(d_k, a)$ |
#
# Write each for *all* queries and *all* keys at once: from queries $(T_q, d_q)$ and keys $(T_k, d_k)$ come scores
# $(T_q, T_k)$, the queries in rows. Any leading axes of queries and keys (batch, heads) come out in front; the weights
# $W$, $W_q$, $W_k$, $v$ have none.
#
# By hand: $q = (1, 2)$ and the keys $(3, 0)$ and $(0, 1)$. The dot products are 3 and 2; scaled, 2.1213 and 1.4142.
# With $W = \begin{bmatrix} 0 & 1 \\ 1 & 0 \end{bmatrix}$ the general score takes $qW = (2, 1)$: 6 and 1. With
# $W_q = W_k = I$ and $v = (1, 1)$ the additive score is $\tanh 4 + \tanh 2 = 1.9634$ and
# $\tanh 1 + \tanh 3 = 1.7566$.
#
# A dot product is no cosine, though one lecture calls it one: nothing is divided by the lengths of the vectors.
#
# <details><summary>Hint 1</summary>All dot products of rows with rows are one product of matrices,
# <code>queries @ keys.transpose(-2, -1)</code>.</details>
# <details><summary>Hint 2</summary>The additive score needs every pair: <code>(queries @ W_q).unsqueeze(-2)</code> has
# shape (..., T_q, 1, a), <code>(keys @ W_k).unsqueeze(-3)</code> has shape (..., 1, T_k, a).</details>
# <details><summary>Hint 3</summary>A matrix (..., a) times the vector v (a) sums over a:
# <code>torch.tanh(...) @ v</code>.</details>

# %% exercise="scores"
def dot_scores(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """Return the dot product of every query with every key: (..., T_q, d) and (..., T_k, d) give (..., T_q, T_k)."""
    ### BEGIN SOLUTION
    return queries @ keys.transpose(-2, -1)
    ### END SOLUTION


def scaled_scores(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """Return the dot products divided by the square root of d: (..., T_q, d), (..., T_k, d) give (..., T_q, T_k)."""
    ### BEGIN SOLUTION
    return dot_scores(queries, keys) / math.sqrt(queries.shape[-1])
    ### END SOLUTION


def general_scores(queries: torch.Tensor, keys: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    """Return q W k for every query and key: (..., T_q, d_q), (..., T_k, d_k), W (d_q, d_k) give (..., T_q, T_k)."""
    ### BEGIN SOLUTION
    return dot_scores(queries @ W, keys)
    ### END SOLUTION


def additive_scores(
    queries: torch.Tensor, keys: torch.Tensor, W_q: torch.Tensor, W_k: torch.Tensor, v: torch.Tensor
) -> torch.Tensor:
    """Return v . tanh(q W_q + k W_k) for every query and key.

    queries (..., T_q, d_q), keys (..., T_k, d_k), W_q (d_q, a), W_k (d_k, a), v (a,) give (..., T_q, T_k).
    """
    ### BEGIN SOLUTION
    pairs = (queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)  # (..., T_q, T_k, a)
    return torch.tanh(pairs) @ v
    ### END SOLUTION

# %% check="scores" points=6

# %% [markdown]
# ## Exercise 2: weights and the context vector (`softmax`)
#
# 15 minutes, ★★, 6 points
#
# Softmax turns scores into weights that are positive and add up to 1. Along one axis,
#
# $$\alpha_j = \frac{e^{s_j}}{\sum_{j'} e^{s_{j'}}}$$
#
# Written like that it breaks: $e^{89}$ is infinite in 32 bits, and infinity divided by infinity is no number. But
# softmax does not change when the same number is subtracted from all scores, so subtract the largest one: then the
# largest exponent is 0, and nothing overflows. Each slice along the axis needs *its own* maximum, since in a slice far
# below the maximum of another all exponentials would be 0.
#
# Write `softmax(scores, dim)` from `exp`, the maximum and the sum, without torch's softmax. A score of $-\infty$ gets
# the weight 0. You may count on at least one finite score in each slice. The dtype is kept.
#
# Then the values are added up, each times its weight: `context_vectors(weights, values)` is
# $c_i = \sum_j \alpha_{ij} v_j$, for all queries $i$ at once and with any leading axes.
#
# By hand: the scores $(\ln 1, \ln 3)$ have the weights $(0.25, 0.75)$, and so have $(1000, 1000 + \ln 3)$. With the
# values $(4, 0)$ and $(0, 8)$ the context vector is $0.25 \cdot (4, 0) + 0.75 \cdot (0, 8) = (1, 6)$.
#
# <details><summary>Hint 1</summary><code>scores.amax(dim=dim, keepdim=True)</code> keeps the axis, so that it can be
# subtracted.</details>
# <details><summary>Hint 2</summary><code>exp(-inf)</code> is 0 already; nothing special has to be done.</details>
# <details><summary>Hint 3</summary>A weighted sum of rows is a product of matrices:
# (T_q, T_k) @ (T_k, d) is (T_q, d).</details>

# %% exercise="softmax"
def softmax(scores: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Return exp(scores) divided by its sum along `dim`, for scores of any size; same shape and dtype.

    scores: any shape; -inf gets the weight 0; each slice along `dim` has a finite score.
    """
    ### BEGIN SOLUTION
    exps = torch.exp(scores - scores.amax(dim=dim, keepdim=True))
    return exps / exps.sum(dim=dim, keepdim=True)
    ### END SOLUTION


def context_vectors(weights: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Return for each query the sum of the values times its weights.

    weights (..., T_q, T_k), values (..., T_k, d) give (..., T_q, d).
    """
    ### BEGIN SOLUTION
    return weights @ values
    ### END SOLUTION

# %% check="softmax" points=6

# %% [markdown]
# ## Dates, again
#
# Chapter 03 translated dates as people write them into their ISO form, `mardi 3 février 2015` into `2015-02-03`, with
# an encoder and a decoder, and nothing but one vector between them. Here are the data once more, letter by letter.

# %% show
from helpers.models.date_letters import LETTERS, letter_ids

dates = data.load("dates")
print(dates)
pairs = {1: dates.train} | {n: data.Dates("train").series(3000, seed=n, counts=(n,)) for n in (2, 3)}
ids = letter_ids(pairs[1] + pairs[2] + pairs[3])
print(f"{len(ids)} different characters, {len(LETTERS)} to write with")
for source, target in [*pairs[1][:2], pairs[2][0], pairs[3][0]]:
    print(f"  {target:<32}  {source}")

# %% [markdown]
# ## Exercise 3: a decoder that looks back (`decoder`)
#
# 30 minutes, ★★★, 6 points
#
# The encoder leaves one state for each character, the **memory** $M$ of shape $(T, m)$. Before each character that it
# writes, the decoder looks into it. With the state $h$ $(h)$ that it has so far and the embedding $e$ of the character
# that it wrote last:
#
# $$\alpha = \text{softmax}_j\big(h\, W M_j^\top\big) \qquad c = \sum_j \alpha_j M_j \qquad
# h' = \text{GRU}\big([e; c],\, h\big) \qquad \text{logits} = [h'; c]\, W_{out}^\top + b_{out}$$
#
# $[a; b]$ puts two vectors one after the other, $a$ first. The score is the general one and is not scaled. Note that
# the *old* state asks: the decoder looks before it steps, as in the lecture's
# $\text{score}(h^d_{i-1}, h^e_j)$.
#
# In a batch, short dates are filled up with padding. `present` says where a character is. Padding must get the weight
# 0, and the others share all of the weight among them: so the *scores* of padding become $-\infty$ before the softmax.
# (One lecture says that softmax *values* are set to $-\infty$. It is the scores.) Each date has at least one character.
#
# The function works on a batch and returns three things: logits $(B, V)$, the new state $(B, h)$ and the weights
# $(B, T)$. `cell` and `output` are modules and are called like functions: `cell(x, h)`, `output(x)`.
#
# <details><summary>Hint 1</summary>The state of each row of the batch is one query: <code>hidden.unsqueeze(1)</code>
# has shape (B, 1, h), and <code>general_scores</code> then gives (B, 1, T).</details>
# <details><summary>Hint 2</summary><code>scores.masked_fill(~present, -math.inf)</code></details>
# <details><summary>Hint 3</summary><code>torch.cat([embedded, context], dim=-1)</code> goes into the cell; the cell's
# result and the context go into the output.</details>

# %% exercise="decoder"
def decoder_step(
    embedded: torch.Tensor,
    hidden: torch.Tensor,
    memory: torch.Tensor,
    present: torch.Tensor,
    W: torch.Tensor,
    cell: nn.GRUCell,
    output: nn.Linear,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (logits (B, V), new hidden state (B, h), weights (B, T)) of one step.

    embedded (B, e): the character written last; hidden (B, h); memory (B, T, m): the encoder's states;
    present (B, T) bool: False where there is padding; W (h, m); cell: GRUCell(e + m, h); output: Linear(h + m, V).
    """
    ### BEGIN SOLUTION
    scores = general_scores(hidden.unsqueeze(1), memory, W).squeeze(1)  # (B, T)
    weights = softmax(scores.masked_fill(~present, -math.inf))
    context = context_vectors(weights.unsqueeze(1), memory).squeeze(1)  # (B, m)
    hidden = cell(torch.cat([embedded, context], dim=-1), hidden)
    return output(torch.cat([hidden, context], dim=-1)), hidden, weights
    ### END SOLUTION

# %% check="decoder" points=6

# %% [markdown]
# ## The dates, with and without attention
#
# A translator around your `decoder_step` (`helpers/models/attention_translator.py`): an encoder that reads in both
# directions, and the same network once more *without* attention, which hands the encoder's last states, one vector, to
# every step of the decoder. Apart from the matrix $W$ both have the same weights, and both learn from the same dates in
# the same order. As in chapter 03, a source may be a *series* of up to three dates.
#
# First, single dates, from five seeds: both get as many steps as attention needs to become good.

# %% show
from helpers.experiments.attention import date_translation
from helpers.models.attention_translator import AttentionTranslator

STEPS = 300  ### small: 12
SEEDS = 5  ### small: 1
translator = partial(AttentionTranslator, decoder_step, ids)
kinds = {"attention": translator, "one vector": partial(translator, attends=False)}
translators, matches = date_translation.train_translators(kinds, pairs[1], dates.test, STEPS, range(SEEDS))
for name, found in matches.items():
    print(f"{name:<12} exact matches {' '.join(f'{share:.3f}' for share in found)}")
### BEGIN CLAIMS
from helpers.course.claims import claim

claim(f"Single dates translated exactly after {STEPS} steps: attention above one vector", *matches.values())
### END CLAIMS

# %% [markdown]
# Where does it look? One day in four languages. Each row is a character that is written, each column one that is read.

# %% show
day = dates.test[0][1]
for language, text in date_translation.written_in(("fr", "de", "ru", "tr"), day).items():
    written, weights = date_translation.looks(translators["attention"], text)
    print(f"{language}: {text} -> {written}{'' if written == day else ' (wrong)'}")
    fig, alt = plots.attention(weights, [*written], [c for c in text if c in ids])
    plots.show(fig, f"Where the translator looks while it writes a date, language {language}. {alt}")

# %% [markdown]
# Now the series. The translator with attention goes on with one, two and three dates in turn, and then reads the same
# test series as chapter 03's. That chapter has kept its curve in the artifact `date-translator` (your own, if you ran
# it, else the reference): the share of exact translations by the length of the source, from one vector. Its network is
# larger, and it learned for more steps: 1,000 in the reference, 1,200 in chapter 03 as it stands.

# %% show
from helpers.figures.length_curves import exact_translations

MORE = 300  ### small: 6
SERIES = 3000  ### small: 100
model = date_translation.train_dates(translators["attention"], [pairs[1], pairs[2], pairs[3]], MORE, SEED)
tests = data.Dates("test").series(SERIES, seed=SEED + 1)  # the series of chapter 03
chapter_03 = date_translation.LengthCurve(**artifacts.load("date-translator").config["curves"]["plain"])
attending = date_translation.length_curve(model, tests, chapter_03.edges)
plots.show(*exact_translations(attending, chapter_03))
print(date_translation.length_table(attending, chapter_03))

# %% [markdown]
# ## Essay 1: what it looks at
#
# 20 minutes, ★★, 10 points, graded by hand
#
# From the figures of your own run: (a) What happens to the exact translations as the source becomes longer, with
# attention and with one vector? Give numbers. The one vector of a *single* date is large enough; why does attention
# still learn so much faster? (b) In two of the heat maps, which columns do the rows of the month point at, and which
# those of the day? Turkish puts the weekday at the end, the others at the beginning: where do you see that? (c) Name
# one row that points to a character from which its digit cannot be read (the first digit of the month is a good
# candidate, or a hyphen). What does the state of the encoder at one character know of the others, and what does that
# mean for reading weights as an explanation? About 150 words.

# %% [markdown] essay="looking" points=10
# ### BEGIN SOLUTION
# Both curves fall with length, but with one vector much sooner: it is near zero where two and three dates must pass
# through the same few numbers as one, while attention still has a good part of them right. On single dates one vector
# can do it, too, given several times the steps. Attention is faster because its path is short: the gradient goes from a
# digit straight to the state of the character that it came from, and not through the whole sentence.
# In the French map the rows of the day point at the 7, those of the month at the space before *novembre* and its first
# letter; in Turkish the same two lie at the very beginning, and the weekday at the end gets nothing; no map has
# weight on the weekday.
# The first digit of the month points at a space, where no month can be read. But the encoder reads in both directions:
# the state at the space before the word has read the whole word from behind. A weight says from which *state* was read,
# not which character mattered. To know that, change the character and see whether the output changes.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: numbers for short and long sources for both models; the short path (or gradient) as the reason for speed.
# 3 points: two maps read correctly: columns of month and day, and where the order of the language shows.
# 2 points: one row that its column cannot explain, named.
# 2 points: the states of a bidirectional encoder mix positions, so weights are not importance; a test is proposed or
# the limit is stated.
# ### END MARK SCHEME

# %% [markdown]
# ## From the average to queries, keys and values
#
# So far a decoder looked at an encoder. Now the tokens of *one* sequence look at each other: **self-attention**.
# Each token is to come out as a mixture of all of them. Which mixture?
#
# The plainest is the average: every token gets $1/T$ of each. Then all come out the same, and order and difference are
# lost. Better: token $i$ takes of token $j$ in proportion to how alike they are, $X X^\top$ put through softmax. That
# matrix is **symmetric**, $x_i \cdot x_j = x_j \cdot x_i$, and has a **strong diagonal**, since $x_i \cdot x_i$ is a
# sum of squares while the products of two different tokens have both signs. So each token looks mostly at itself, and
# if *it* finds *dog* important, *dog* finds *it* just as important. Nothing in it can be learned.
#
# Three learned matrices repair all of that: a token asks with $x W_Q$, is found by $x W_K$, and gives $x W_V$.
#
# ## Exercise 4: self-attention without and with weights (`self-attention`)
#
# 15 minutes, ★, 4 points
#
# Write the three steps of the way. Leading axes are allowed; softmax runs over the keys, the last axis of the scores;
# nothing is scaled yet.
#
# 1. `mean_mixing(x)`: every row of the result is the mean of all rows; the result has the shape of `x`.
# 2. `similarity_mixing(x)`: returns the scores $X X^\top$ and the result $\text{softmax}(X X^\top)\, X$.
# 3. `self_attention(x, W_q, W_k, W_v)`: returns the scores $(X W_Q)(X W_K)^\top$ and the result
#    $\text{softmax}\big((X W_Q)(X W_K)^\top\big)\, X W_V$.
#
# By hand: the tokens $(1, 0)$ and $(0, 2)$ have $X X^\top = \begin{bmatrix} 1 & 0 \\ 0 & 4 \end{bmatrix}$. The first
# row of its softmax is $(0.7311, 0.2689)$, so the first token becomes $(0.7311, 0.5379)$. The mean of both is
# $(0.5, 1)$.
#
# One lecture writes $\sigma\big(W^Q X (W^K X)^\top / \sqrt d\big)$. With tokens in columns that is a table of
# $d \times d$, features with features, and not of $T \times T$. With columns it must be $(W^K X)^\top (W^Q X)$, and
# with rows, as here, $(X W_Q)(X W_K)^\top$.
#
# <details><summary>Hint 1</summary><code>x.mean(dim=-2, keepdim=True).expand_as(x)</code></details>
# <details><summary>Hint 2</summary>Your <code>dot_scores</code>, <code>softmax</code> and <code>context_vectors</code>
# do all the work.</details>
# <details><summary>Hint 3</summary>The second function is the third with three unit matrices.</details>

# %% exercise="self-attention"
def mean_mixing(x: torch.Tensor) -> torch.Tensor:
    """Return x with every token replaced by the mean of all tokens: (..., T, C) gives (..., T, C)."""
    ### BEGIN SOLUTION
    return x.mean(dim=-2, keepdim=True).expand_as(x)
    ### END SOLUTION


def similarity_mixing(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (X X^T, softmax(X X^T) X): (..., T, C) gives (..., T, T) and (..., T, C)."""
    ### BEGIN SOLUTION
    scores = dot_scores(x, x)
    return scores, context_vectors(softmax(scores), x)
    ### END SOLUTION


def self_attention(
    x: torch.Tensor, W_q: torch.Tensor, W_k: torch.Tensor, W_v: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (scores, result), not scaled.

    x (..., T, C), W_q (C, d), W_k (C, d), W_v (C, e) give (..., T, T) and (..., T, e).
    """
    ### BEGIN SOLUTION
    scores = dot_scores(x @ W_q, x @ W_k)
    return scores, context_vectors(softmax(scores), x @ W_v)
    ### END SOLUTION

# %% check="self-attention" points=4

# %% [markdown]
# Here is $X X^\top$ beside $(X W_Q)(X W_K)^\top$ for one sentence. The embeddings are random, as those of an untrained
# model are, with 32 numbers each; both *the* have the same embedding.

# %% show
from helpers.figures.attention_scores import head_bars, scaling_effect, score_maps

rng = torch.Generator().manual_seed(SEED)
the, man, ate, fish = torch.randn(4, 32, generator=rng)
x = torch.stack([the, man, ate, the, fish])
W_q, W_k, W_v = (torch.randn(32, 32, generator=rng) / math.sqrt(32) for _ in range(3))
raw, asked = similarity_mixing(x)[0], self_attention(x, W_q, W_k, W_v)[0]
plots.show(*score_maps(raw, asked, "the man ate the fish".split()))
off = raw[~torch.eye(5, dtype=torch.bool)]
print(f"X X^T: largest difference from its transpose {(raw - raw.T).abs().max():.1e}, mean of the diagonal "
      f"{raw.diagonal().mean():.1f}, mean size off the diagonal {off.abs().mean():.1f}")
print(f"with W_Q and W_K: largest difference from its transpose {(asked - asked.T).abs().max():.1f}, "
      f"mean of the diagonal {asked.diagonal().mean():.1f}")

# %% [markdown]
# ## Exercise 5: scaled dot-product attention (`attention`)
#
# 20 minutes, ★★, 7 points
#
# All of it in one line, for all queries at once:
#
# $$\text{Attention}(Q, K, V) = \text{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# $d_k$ is the size of one query and of one key. Why its root? If the entries of $q$ and $k$ are independent with mean
# 0 and variance 1, then $q \cdot k$ is a sum of $d_k$ products and has variance $d_k$. Divided by $\sqrt{d_k}$ it has
# variance 1, whatever the size. Without that, softmax would put nearly all weight on one key, and hardly any gradient
# would flow. (Lecture notes call the reason "numerical stability"; the softmax of exercise 2 is stable without it.)
#
# Some models, and exercises, use another factor. So the function has an argument `scale`: the scores are *multiplied*
# by it. `None` stands for $1/\sqrt{d_k}$, any number for itself, 0 too. Leading axes are allowed. Return the output
# $(\ldots, T_q, d_v)$ and the weights $(\ldots, T_q, T_k)$, in this order.
#
# By hand, the exercise of a lecture: $Q K^\top = \begin{bmatrix} -6 & -3 \\ 4 & 2 \end{bmatrix}$,
# $V = \begin{bmatrix} 2 & -5 \\ -1 & 1 \end{bmatrix}$, $d_k = 2$, and the question asks for $1/d_k$. The scores are
# $\begin{bmatrix} -3 & -1.5 \\ 2 & 1 \end{bmatrix}$, the weights
# $\begin{bmatrix} 0.1824 & 0.8176 \\ 0.7311 & 0.2689 \end{bmatrix}$, and the output
# $\begin{bmatrix} -0.4527 & -0.0946 \\ 1.1932 & -3.3864 \end{bmatrix}$. With the usual $1/\sqrt{d_k}$ it is
# $\begin{bmatrix} -0.6789 & 0.3577 \\ 1.4133 & -3.8266 \end{bmatrix}$.
#
# <details><summary>Hint 1</summary><code>d_k</code> is <code>queries.shape[-1]</code>.</details>
# <details><summary>Hint 2</summary><code>if scale is None</code>; <code>scale or ...</code> would take 0 for None.
# </details>
# <details><summary>Hint 3</summary><code>weights = softmax(scale * dot_scores(queries, keys))</code></details>

# %% exercise="attention"
def attention(
    queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, scale: float | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (output (..., T_q, d_v), weights (..., T_q, T_k)) of scaled dot-product attention.

    queries (..., T_q, d_k), keys (..., T_k, d_k), values (..., T_k, d_v);
    scale: what the scores are multiplied by; None is 1 / sqrt(d_k).
    """
    ### BEGIN SOLUTION
    scale = 1 / math.sqrt(queries.shape[-1]) if scale is None else scale
    weights = softmax(scale * dot_scores(queries, keys))
    return context_vectors(weights, values), weights
    ### END SOLUTION

# %% check="attention" points=7

# %% [markdown]
# The lecture's exercise with its three scalings, and the library's own function:

# %% show exact=true
Q, K = torch.tensor([[-1.0, -2.0], [3.0, -1.0]]), torch.tensor([[2.0, 2.0], [1.0, 1.0]])
V = torch.tensor([[2.0, -5.0], [-1.0, 1.0]])
for name, factor in [("1/d_k", 1 / 2), ("1/sqrt(d_k)", None), ("none", 1.0)]:
    ours, torchs = attention(Q, K, V, factor)[0], F.scaled_dot_product_attention(Q, K, V, scale=factor)
    rows = " ".join(f"({a:7.4f} {b:7.4f})" for a, b in ours.tolist())
    print(f"{name:<12} {rows}  same as torch: {torch.allclose(ours, torchs, atol=1e-6)}")

# %% [markdown]
# And the root of $d$, measured: random queries and keys of size $d$, 64 keys for each query. Left, the variance of the
# scores. Right, the largest of the 64 weights, on average; spread evenly, each would be $1/64 = 0.016$.

# %% show
sizes = [4, 8, 16, 32, 64, 128, 256, 512]
scalings = {"not scaled": lambda d: 1.0, "1/sqrt(d)": lambda d: d**-0.5, "1/d": lambda d: 1 / d}
spread, largest = ({name: [] for name in scalings} for _ in range(2))
for d in sizes:
    q, k = torch.randn(500, d, generator=rng), torch.randn(64, d, generator=rng)
    for name, factor in scalings.items():
        spread[name].append(float((dot_scores(q, k) * factor(d)).var()))
        largest[name].append(float(attention(q, k, k, factor(d))[1].amax(-1).mean()))
plots.show(*scaling_effect(sizes, spread, largest))

# %% [markdown]
# ## Exercise 6: masks (`masks`)
#
# 25 minutes, ★★★, 8 points
#
# A language model must not see the word that it is to predict, and nobody should look at padding. A **mask** says
# which keys each query may see: here, as in torch's `scaled_dot_product_attention`, **True means: may be seen**.
# (Beware: the masks of `nn.MultiheadAttention` say the reverse.)
#
# 1. `causal_mask(length)`: $(T, T)$ bool. Token $i$ sees the tokens $j \le i$: those before it, *and itself*. (One
#    lecture says that the "current and right context" is masked. The current token stays, or the first row would see
#    nothing.)
# 2. `padding_mask(lengths, longest)`: from $B$ lengths, $(B, T)$ bool with $T$ = `longest`, True at the first
#    `lengths[b]` places of row $b$. A length may be 0.
# 3. `masked_attention(queries, keys, values, mask)`: attention with the usual scale. `mask` has the shape of the
#    scores or one that is broadcast to it, such as $(T_q, T_k)$, $(B, 1, T_k)$, $(B, 1, 1, T_k)$. Return the output and
#    the weights; both keep the dtype of the queries.
#
# The mask acts on the **scores, before the softmax**: what must not be seen gets $-\infty$. If the *weights* are set
# to zero instead, the rest no longer adds up to 1. A large negative number instead of $-\infty$? $-10^9$ does the same
# in 32 bits. In 16 bits it does not fit: the largest number there is 65,504, and `masked_fill` with $-10^9$ is an
# error. And it hides a trap: in a row where *nothing* may be seen, all scores become equal, and softmax gives each
# forbidden key the same weight. With $-\infty$ that row becomes $0/0$, not a number. Neither is what one wants. So we
# say: **a query that may see nothing has the weights 0 and the output 0.**
#
# By hand: two queries and two keys with all scores 0, values 1 and 3, and the causal mask. The first query sees the
# first key only: weights $(1, 0)$, output 1. The second sees both: $(0.5, 0.5)$, output 2.
#
# <details><summary>Hint 1</summary><code>torch.ones(T, T, dtype=torch.bool).tril()</code>; and
# <code>torch.arange(longest) &lt; lengths[:, None]</code></details>
# <details><summary>Hint 2</summary><code>scores.masked_fill(~mask, -math.inf)</code></details>
# <details><summary>Hint 3</summary>After the softmax, one more <code>masked_fill(~mask, 0)</code> turns the rows of
# NaN into zeros and leaves the others as they are.</details>

# %% exercise="masks"
def causal_mask(length: int) -> torch.Tensor:
    """Return (T, T) bool, True where token i may see token j: j <= i."""
    ### BEGIN SOLUTION
    return torch.ones(length, length, dtype=torch.bool).tril()
    ### END SOLUTION


def padding_mask(lengths: torch.Tensor, longest: int) -> torch.Tensor:
    """Return (B, longest) bool, True at the first lengths[b] places of row b; lengths: (B,) int."""
    ### BEGIN SOLUTION
    return torch.arange(longest) < lengths[:, None]
    ### END SOLUTION


def masked_attention(
    queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, mask: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (output (..., T_q, d_v), weights (..., T_q, T_k)); a query that may see nothing has zeros in both.

    queries (..., T_q, d_k), keys (..., T_k, d_k), values (..., T_k, d_v);
    mask: bool, broadcast to (..., T_q, T_k), True where a key may be seen.
    """
    ### BEGIN SOLUTION
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)  # a row of nothing but -inf is 0/0 until here
    return context_vectors(weights, values), weights
    ### END SOLUTION

# %% check="masks" points=8

# %% [markdown]
# ## Exercise 7: several heads (`heads`)
#
# 30 minutes, ★★★, 8 points
#
# One softmax makes one choice. To look at several things at once, several **heads** work side by side, each on its own
# part of the features. With $C$ features and $H$ heads, each head has $d = C / H$ of them: head 0 the first $d$, head 1
# the next $d$, and so on.
#
# $$\text{head}_h = \text{Attention}\big(X_q W_Q^{(h)},\; X_{kv} W_K^{(h)},\; X_{kv} W_V^{(h)}\big) \qquad
# Y = [\text{head}_0; \ldots; \text{head}_{H-1}]\, W_O$$
#
# where $W_Q^{(h)}$ are the columns $hd$ to $hd + d - 1$ of $W_Q$. One product with the whole $W_Q$, then a split, is
# the same and is what everybody does:
#
# 1. `split_heads(x, num_heads)`: $(B, T, C)$ becomes $(B, H, T, d)$.
# 2. `merge_heads(x)`: $(B, H, T, d)$ becomes $(B, T, C)$ again, head 0 first.
# 3. `multi_head_attention(...)`: queries come from `x_q`, keys and values from `x_kv` (the same tensor in
#    self-attention). The scale is that of one head, $1/\sqrt{d}$. `mask` is as in exercise 6, broadcast to
#    $(B, H, T_q, T_k)$, or None. Return the result $(B, T_q, C)$ and the weights of all heads $(B, H, T_q, T_k)$.
#
# By hand: one token $(1, 2, 3, 4)$, two heads: head 0 gets $(1, 2)$, head 1 $(3, 4)$. With *two* tokens,
# $(1, 2, 3, 4)$ and $(5, 6, 7, 8)$, head 0 holds $(1, 2)$ and $(5, 6)$. A plain `view(B, H, T, d)` would give it
# $(1, 2)$ and $(3, 4)$, both from the first token.
#
# <details><summary>Hint 1</summary>Split only the last axis: <code>x.reshape(B, T, H, d)</code>, and then exchange the
# axes 1 and 2.</details>
# <details><summary>Hint 2</summary>To merge, exchange the axes 1 and 2 first, then
# <code>.reshape(B, T, H * d)</code>. (<code>view</code> refuses here: after the exchange the tensor no longer lies in
# memory row by row.)</details>
# <details><summary>Hint 3</summary>Between the two, your <code>masked_attention</code> or <code>attention</code> works
# on the last two axes and knows nothing of heads.</details>

# %% exercise="heads"
def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Return (B, H, T, d) of (B, T, C): head h holds the features h * d to h * d + d - 1, where d = C / H."""
    ### BEGIN SOLUTION
    B, T, C = x.shape
    return x.reshape(B, T, num_heads, C // num_heads).transpose(1, 2)
    ### END SOLUTION


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Return (B, T, C) of (B, H, T, d), the features of head 0 first: the reverse of split_heads."""
    ### BEGIN SOLUTION
    B, H, T, d = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d)
    ### END SOLUTION


def multi_head_attention(
    x_q: torch.Tensor,
    x_kv: torch.Tensor,
    W_q: torch.Tensor,
    W_k: torch.Tensor,
    W_v: torch.Tensor,
    W_o: torch.Tensor,
    num_heads: int,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (result (B, T_q, C), weights (B, H, T_q, T_k)).

    x_q (B, T_q, C): what asks; x_kv (B, T_k, C): what is looked at; W_q, W_k, W_v, W_o (C, C);
    mask: bool, broadcast to (B, H, T_q, T_k), True where a key may be seen, or None.
    """
    ### BEGIN SOLUTION
    queries = split_heads(x_q @ W_q, num_heads)
    keys, values = split_heads(x_kv @ W_k, num_heads), split_heads(x_kv @ W_v, num_heads)
    if mask is None:
        output, weights = attention(queries, keys, values)
    else:
        output, weights = masked_attention(queries, keys, values, mask)
    return merge_heads(output) @ W_o, weights
    ### END SOLUTION

# %% check="heads" points=8

# %% [markdown]
# Equal to the layer that torch ships, with the weights copied. `nn.MultiheadAttention` stacks the three matrices into
# one and holds them turned round, as `nn.Linear` does ($y = x W^\top$):

# %% show
layer = nn.MultiheadAttention(32, 4, bias=False, batch_first=True).requires_grad_(False)
W = [w.T for w in layer.in_proj_weight.chunk(3)] + [layer.out_proj.weight.T]
x = torch.randn(3, 7, 32, generator=rng)
theirs, their_weights = layer(x, x, x, attn_mask=~causal_mask(7), average_attn_weights=False)
ours, our_weights = multi_head_attention(x, x, *W, num_heads=4, mask=causal_mask(7))
print(f"largest difference from nn.MultiheadAttention: {(ours - theirs).abs().max():.1e} in the result, "
      f"{(our_weights - their_weights).abs().max():.1e} in the weights")

# %% [markdown]
# ## Exercise 8: order is lost (`equivariance`)
#
# 15 minutes, ★★, 4 points
#
# Shuffle the tokens, and self-attention gives the same rows, shuffled alike: it is **equivariant** to permutations.
# "The man ate the fish" and "the fish ate the man" are one bag to it. For an order (a permutation of the row numbers)
# and a layer $f$ from $(T, C)$ to $(T, C')$, equivariance says $f(X)[\text{order}] = f(X[\text{order}])$.
#
# 1. `equivariance_gap(layer, x, order)`: the largest absolute difference between the entries of $f(X)[\text{order}]$
#    and of $f(X[\text{order}])$, one number. It is (nearly) 0 for an equivariant layer.
# 2. `parameter_counts(length, width)`: two numbers of weights, without biases. A *dense* layer joins each of the
#    $T \cdot C$ numbers of a sequence to each of the $T \cdot C$ numbers of the result; a self-attention layer has
#    $W_Q, W_K, W_V, W_O$ of $C \times C$, whatever the length.
#
# By hand: the layer is the running sum of rows, $x = (1, 2, 3)$ as a column, order $(2, 0, 1)$. The layer gives
# $(1, 3, 6)$, in that order $(6, 1, 3)$. The shuffled rows are $(3, 1, 2)$, and the layer makes $(3, 4, 6)$ of them.
# The differences are 3, -3, -3; the gap is 3. A lecture's paragraph of 37 words with 1,024 numbers each would need
# $37{,}888^2 = 1.4$ billion weights in a dense layer; attention needs 4.2 million.
#
# <details><summary>Hint 1</summary><code>x[order]</code> takes the rows in that order.</details>
# <details><summary>Hint 2</summary>Shuffle the <em>output</em> on the one side, the <em>input</em> on the
# other.</details>

# %% exercise="equivariance"
def equivariance_gap(layer, x: torch.Tensor, order: torch.Tensor) -> float:
    """Return the largest absolute difference between layer(x)[order] and layer(x[order]).

    layer: a function from (T, C) to (T, C'); x (T, C); order (T,): a permutation of 0 ... T - 1.
    """
    ### BEGIN SOLUTION
    return float((layer(x)[order] - layer(x[order])).abs().max())
    ### END SOLUTION


def parameter_counts(length: int, width: int) -> tuple[int, int]:
    """Return the numbers of weights of (a dense layer from (T, C) to (T, C), a self-attention layer with W_O)."""
    ### BEGIN SOLUTION
    return (length * width) ** 2, 4 * width**2
    ### END SOLUTION

# %% check="equivariance" points=4

# %% [markdown]
# ## Exercise 9: absolute positions (`positions`)
#
# 20 minutes, ★★, 5 points
#
# So positions have to be put in. The first way: add to each token a vector that says where it stands, *once*, before
# the first layer. The vector may be learned, one row of a table for each position; or it may be computed, as in the
# first transformer. With width $C$ (even) and base 10,000, position $p$ has for $i = 0, \ldots, C/2 - 1$
#
# $$P_{p,\,2i} = \sin\!\big(p \,/\, 10000^{2i/C}\big) \qquad P_{p,\,2i+1} = \cos\!\big(p \,/\, 10000^{2i/C}\big)$$
#
# Sine and cosine take turns. The first pair runs fast, about six positions to a turn; the last so slowly that it
# hardly moves. They are the hands of a clock.
#
# 1. `sinusoidal_positions(length, width, base)`: $(T, C)$, positions from 0, 32-bit floats.
# 2. `add_positions(embedded, table, start)`: adds rows of a table $(L, C)$, learned or computed, to $(B, T, C)$. The
#    first token stands at position `start`: 0 for a whole text, and larger where a text goes on. $L$ may be larger than
#    is needed.
#
# By hand: with width 4, position 1 is $(\sin 1, \cos 1, \sin 0.01, \cos 0.01) = (0.8415, 0.5403, 0.0100, 1.0000)$, and
# position 0 is $(0, 1, 0, 1)$ at any width.
#
# <details><summary>Hint 1</summary>The angles are an outer product: <code>positions[:, None] * rates</code> has shape
# (T, C/2).</details>
# <details><summary>Hint 2</summary><code>rates = base ** (-torch.arange(0, width, 2) / width)</code></details>
# <details><summary>Hint 3</summary><code>table[:, 0::2] = angles.sin()</code>, and the cosines go to
# <code>1::2</code>.</details>

# %% exercise="positions"
def sinusoidal_positions(length: int, width: int, base: float = 10_000.0) -> torch.Tensor:
    """Return (T, C): sine and cosine of p / base^(2i / C), taking turns along the width; C is even."""
    ### BEGIN SOLUTION
    rates = base ** (-torch.arange(0, width, 2) / width)  # (C/2,)
    angles = torch.arange(length)[:, None] * rates  # (T, C/2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
    ### END SOLUTION


def add_positions(embedded: torch.Tensor, table: torch.Tensor, start: int = 0) -> torch.Tensor:
    """Return the tokens plus their positions' rows: embedded (B, T, C), table (L, C); the first is at `start`."""
    ### BEGIN SOLUTION
    return embedded + table[start : start + embedded.shape[1]]
    ### END SOLUTION

# %% check="positions" points=5

# %% [markdown]
# The gap of exercise 8, without and with positions, and the hands of the clock:

# %% show
from helpers.figures.positions import position_differences, position_table

def plain(x: torch.Tensor) -> torch.Tensor:
    """Self-attention without positions, (T, C) to (T, C)."""
    return attention(x @ W_q, x @ W_k, x @ W_v)[0]

x, order = torch.randn(6, 32, generator=rng), torch.tensor([5, 0, 3, 1, 4, 2])
clock = sinusoidal_positions(64, 32)
placed = equivariance_gap(lambda x: plain(add_positions(x[None], clock)[0]), x, order)
print(f"gap of self-attention {equivariance_gap(plain, x, order):.1e}, with positions {placed:.2f}")
plots.show(*position_table(clock))

# %% [markdown]
# ## Exercise 10: only differences matter (`relative`)
#
# 35 minutes, ★★★, 8 points
#
# That *fish* is the fifth word matters less than that it stands two words after *ate*. Two ways to let attention know
# differences only:
#
# **A bias on the scores** (Shaw 2018; T5). Each head $h$ has one learned number for each difference $j - i$ between a
# key's and a query's position, from $-m$ to $m$; what is farther away than $m$ is treated as $m$ away.
# `relative_bias(table, len_q, len_k)`: the table is $(H, 2m + 1)$, its first column for the difference $-m$, its
# middle one for 0. The result $(H, T_q, T_k)$ holds at $(h, i, j)$ the number for $j - i$, cut to $-m \ldots m$. It is
# added to the scores.
#
# **Rotation of queries and keys** (RoPE, Su 2021; Llama and most models since). Two neighbouring features
# $(x_{2i}, x_{2i+1})$ are one point in the plane, and it is turned by an angle that grows with the position:
#
# $$\begin{pmatrix} x'_{2i} \\ x'_{2i+1} \end{pmatrix} =
# \begin{pmatrix} \cos p\theta_i & -\sin p\theta_i \\ \sin p\theta_i & \cos p\theta_i \end{pmatrix}
# \begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix} \qquad \theta_i = \text{base}^{-2i/d}$$
#
# Turning both vectors of a dot product by the same angle does not change it. So $\langle R_m q, R_n k \rangle$ depends
# on $m - n$ only: the absolute position goes in and cancels.
#
# - `rotary_angles(positions, width, base)`: positions $(T)$, any numbers, give the angles $p\,\theta_i$, $(T, d/2)$.
# - `rotate_pairs(x, angles)`: $x$ $(\ldots, T, d)$ and angles $(T, d/2)$ give $(\ldots, T, d)$, each pair turned.
#
# **Which pairs?** Here, as in the paper, *neighbours*: (0, 1), (2, 3) and so on. Llama's code in `transformers` pairs
# feature $i$ with feature $i + d/2$ instead. Both are fine, and weights trained with one are useless with the other;
# the check wants the neighbours.
#
# By hand: $\theta = \pi/6$ and $x = (1, 0)$. At the positions 0 to 3 it becomes $(1, 0)$, $(0.866, 0.5)$,
# $(0.5, 0.866)$, $(0, 1)$: a quarter turn in three steps, counter-clockwise.
#
# <details><summary>Hint 1</summary>The differences: <code>torch.arange(len_k) - torch.arange(len_q)[:, None]</code>;
# then <code>.clamp(-m, m) + m</code> is the column of the table.</details>
# <details><summary>Hint 2</summary><code>even, odd = x[..., 0::2], x[..., 1::2]</code> are the two halves of the pairs,
# each (..., T, d/2).</details>
# <details><summary>Hint 3</summary>Put them back with
# <code>torch.stack([new_even, new_odd], dim=-1).flatten(-2)</code>.</details>

# %% exercise="relative"
def relative_bias(table: torch.Tensor, len_q: int, len_k: int) -> torch.Tensor:
    """Return (H, T_q, T_k): at (h, i, j) the table's number for the difference j - i, cut to -m ... m.

    table: (H, 2m + 1), its columns for the differences -m, ..., 0, ..., m.
    """
    ### BEGIN SOLUTION
    m = table.shape[1] // 2
    differences = torch.arange(len_k) - torch.arange(len_q)[:, None]  # (T_q, T_k)
    return table[:, differences.clamp(-m, m) + m]
    ### END SOLUTION


def rotary_angles(positions: torch.Tensor, width: int, base: float = 10_000.0) -> torch.Tensor:
    """Return (T, d/2): the angle p * base^(-2i / d) of each position (T,) and each pair i of d = `width` features."""
    ### BEGIN SOLUTION
    return positions[:, None] * base ** (-torch.arange(0, width, 2) / width)
    ### END SOLUTION


def rotate_pairs(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    """Return x (..., T, d) with each pair of neighbouring features turned by its angle; angles: (T, d/2)."""
    ### BEGIN SOLUTION
    even, odd = x[..., 0::2], x[..., 1::2]
    cos, sin = angles.cos(), angles.sin()
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
    ### END SOLUTION

# %% check="relative" points=8

# %% [markdown]
# Only differences matter, seen: the same query and the same key, each put at all of 60 positions. Drawn are the query
# at 20 and at 35 with the key at all others. With RoPE the curve moves with the query and keeps its form; with added
# positions it changes.

# %% show
q, k = torch.randn(64, generator=rng), torch.randn(64, generator=rng)
angles, clock = rotary_angles(torch.arange(60.0), 64), sinusoidal_positions(60, 64)
turned = rotate_pairs(q.repeat(60, 1), angles) @ rotate_pairs(k.repeat(60, 1), angles).T  # (60, 60): q's place, k's
added = (q + clock) @ (k + clock).T
plots.show(*position_differences(turned, added))

# %% [markdown]
# ## The benchmarks: a classifier of attention alone
#
# Words are embedded, positions added, one layer of your multi-head
# attention lets each word look at the others, and a learned query pools what it finds into one vector: attention again,
# with a single query. A linear layer decides. Beside it stands the same without attention: the mean of the embedded
# words. Both begin from random numbers and know nothing but the examples that they are given.

# %% show
from helpers.experiments.attention import head_pruning, word_classifiers

def attend(x: torch.Tensor, present: torch.Tensor, matrices, query: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (a vector for each message (B, C), weights (B, H, T, T)) of embedded words x (B, T, C)."""
    x = add_positions(x, 0.3 * sinusoidal_positions(64, 32).to(x.device))
    mixed, weights = multi_head_attention(x, x, *matrices, num_heads=4, mask=present[:, None, None])
    pooled, _ = masked_attention(query, x + mixed, x + mixed, present[:, None])  # (B, 1, C)
    return pooled[:, 0], weights

# %% show
STEPS = 500  ### small: 40
attentive = word_classifiers.WordClassifier(attend, STEPS)
benchmarks.take("04", "self-attention, pooled by attention", attentive)
benchmarks.take("04", "mean of trained embeddings", word_classifiers.WordClassifier(None, STEPS))
benchmarks.show("04")

# %% [markdown]
# Attention does not always pay. Spam betrays itself by its words, whatever their order, so the mean of the words is
# about as good here, in a fraction of the time. And from a few examples neither learns much: what a word means has to
# be known before, and chapter 05 begins there, with models that have read before they are asked.
#
# What do the four heads look at? One spam message of the test part, and below it what each head is worth: a head is
# pruned by setting its rows of $W_O$ to zero, since these are what carries it on.

# %% show
inbox_train, inbox_test = data.load("inbox").without_repeats().split(test=0.2, seed=SEED)
spam_filter = attentive.train(inbox_train.texts, inbox_train.labels, SEED)
message = word_classifiers.first_spam(inbox_test, 8, 12)  # its words, 8 to 12 of them
weights = word_classifiers.looks(spam_filter, message)  # (H, T, T)
fig, alt = plots.attention(weights, message)
plots.show(fig, f"What the four heads look at in a spam message of the test part. {alt}")
for head, looks in enumerate(weights.mean(1), start=1):  # (T,): how much it looks at each word, over all queries
    best = np.argsort(-looks.numpy())[:3]
    print(f"head {head} looks most at: {', '.join(f'{message[j]} {looks[j]:.2f}' for j in best)}")

# %% show
table = head_pruning.prune_heads(spam_filter.matrices[3], 4, lambda: word_classifiers.spam_f1(spam_filter, inbox_test))
for name, found in table.items():
    print(f"{name:<16} F1 {found:.3f}")
plots.show(*head_bars(table))

# %% [markdown]
# ## What it costs
#
# A table of $T \times T$: twice the length, four times the work *and* four times the memory. The work cannot be helped
# as long as each token looks at each. The memory can.
#
# ## Exercise 11: softmax in tiles (`tiles`)
#
# 30 minutes, ★★★, 6 points
#
# A weighted mean can be kept while the keys arrive tile by tile, so the whole row of scores need never be there. For
# each query three things are kept of the keys seen so far: the largest score $m$, the total $\ell = \sum_j e^{s_j - m}$
# and the sum $o = \sum_j e^{s_j - m} v_j$. When a tile brings a larger maximum $m'$, what was added up with the old one
# is corrected by the factor $e^{m - m'}$:
#
# $$m' = \max(m, \max_j s_j) \qquad \ell' = e^{m - m'}\,\ell + \sum_j e^{s_j - m'} \qquad
# o' = e^{m - m'}\, o + \sum_j e^{s_j - m'} v_j$$
#
# At the start $m = -\infty$, $\ell = 0$, $o = 0$; at the end $o / \ell$ is the output, and it is *exact*. This is the
# **online softmax** (Milakov and Gimelshein 2018), the heart of FlashAttention (Dao 2022).
#
# 1. `add_tile(maximum, total, output, scores, values)`: returns the three after a tile, $(T_q)$, $(T_q)$, $(T_q, d_v)$.
# 2. `tiled_attention(queries, keys, values, tile)`: equals `attention(queries, keys, values)[0]`, with tiles of `tile`
#    keys, the last of which may be shorter. It must not make a table of $T_q \times T_k$, nor keep all its tiles. The
#    check measures with `memory_of` (below), for 256 queries and 256 keys in tiles of 8: its tensors may never hold as
#    many bytes as that table has in float32. No leading axes here.
#
# By hand, with values $v = s$ for short: the scores $0$ and then $\ln 2$. After the first: $m = 0$, $\ell = 1$,
# $o = 0$. After the second: $m' = \ln 2$, the correction is $1/2$, so $\ell' = 0.5 + 1 = 1.5$ and
# $o' = 0 + \ln 2 = 0.6931$; the mean is $0.6931 / 1.5 = 0.4621$, as softmax says: $\tfrac13 \cdot 0 + \tfrac23 \ln 2$.
#
# <details><summary>Hint 1</summary><code>new = torch.maximum(maximum, scores.amax(dim=-1))</code></details>
# <details><summary>Hint 2</summary><code>correction = torch.exp(maximum - new)</code> is 0 at the first tile, since
# exp(-inf) is 0.</details>
# <details><summary>Hint 3</summary><code>for start in range(0, len(keys), tile)</code>; a slice beyond the end is
# shorter by itself.</details>

# %% given
from helpers.course.call_cost import usage


def memory_of(function, *args) -> float:
    """Return the MB that the tensors made in a call held at the same time, at most."""
    return usage(function, *args).mb


_ = memory_of(torch.neg, torch.zeros(1))  # the first measurement loads what measures, which takes seconds

# %% exercise="tiles"
def add_tile(
    maximum: torch.Tensor, total: torch.Tensor, output: torch.Tensor, scores: torch.Tensor, values: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (maximum, total, output) with one more tile of keys taken in.

    maximum, total (T_q,); output (T_q, d_v), not yet divided; scores (T_q, n), values (n, d_v) of the n new keys.
    """
    ### BEGIN SOLUTION
    new = torch.maximum(maximum, scores.amax(dim=-1))
    correction = torch.exp(maximum - new)
    exps = torch.exp(scores - new[:, None])  # (T_q, n)
    return new, correction * total + exps.sum(dim=-1), correction[:, None] * output + exps @ values
    ### END SOLUTION


def tiled_attention(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, tile: int = 128) -> torch.Tensor:
    """Return scaled dot-product attention (T_q, d_v), in tiles of keys.

    queries (T_q, d_k), keys (T_k, d_k), values (T_k, d_v).
    """
    ### BEGIN SOLUTION
    maximum = queries.new_full((len(queries),), -math.inf)
    total, output = torch.zeros_like(maximum), queries.new_zeros(len(queries), values.shape[-1])
    for start in range(0, len(keys), tile):
        part = slice(start, start + tile)
        scores = scaled_scores(queries, keys[part])
        maximum, total, output = add_tile(maximum, total, output, scores, values[part])
    return output / total[:, None]
    ### END SOLUTION

# %% check="tiles" points=6

# %% [markdown]
# Measured: one head of size 64, queries, keys and values of the same length. Plain attention is yours of exercise 5,
# tiled is that of exercise 11, and torch's own is written for this very purpose. Memory is that of the tensors made on
# the way (in torch's case without the little that it needs inside). What asks for more than the limit is refused by the
# operating system.

# %% show
from helpers.experiments.attention.attention_cost import cache_table, cost_table, measure_costs
from helpers.figures.attention_cost import cache_sizes, cost_curves

LIMIT_MB = 600  ### small: 60
LENGTHS = [512, 1024, 2048, 4096, 6144, 8192, 12288, 16384]  ### small: [256, 512, 1024, 2048, 4096]
ways = {
    "plain": lambda q, k, v: attention(q, k, v)[0],
    "tiled": partial(tiled_attention, tile=256),
    "torch": lambda q, k, v: F.scaled_dot_product_attention(q[None, None], k[None, None], v[None, None])[0, 0],
}
costs = measure_costs(ways, LENGTHS, LIMIT_MB, rng)
print(cost_table(LENGTHS, costs))
q, k, v = (torch.randn(1000, 64, generator=rng) for _ in range(3))
gap = (tiled_attention(q, k, v, 256) - attention(q, k, v)[0]).abs().max()
print(f"largest difference of tiled from plain at 1,000 tokens: {gap:.1e}")

# %% show
plots.show(*cost_curves(LENGTHS, costs, LIMIT_MB))

# %% [markdown]
# ## Exercise 12: see less, keep less (`sharing`)
#
# 20 minutes, ★★, 4 points
#
# A model that writes keeps the keys and values of all tokens so far, the **KV cache**. Two ways to keep fewer:
#
# **A sliding window with sinks** (Xiao 2023). Token $i$ sees itself and the tokens shortly before it, `window` of them
# *altogether*, and besides these the first `sinks` tokens of the text. Windows alone fail: heads that have nothing to
# look for put their weight on the first tokens, the *sinks*, and when these drop out of the window, the text falls
# apart.
# `sink_mask(length, window, sinks)`: $(T, T)$ bool, True where $j \le i$ and ($i - j <$ `window` or $j <$ `sinks`).
#
# **Fewer heads of keys** (multi-query: Shazeer 2019; grouped-query: Ainslie 2023). There are $H$ heads of queries but
# only $G$ heads of keys and values, $H$ a multiple of $G$. The first $H/G$ heads of queries share the first head of
# keys, the next $H/G$ the second, and so on. $G = H$ is plain multi-head attention, $G = 1$ is multi-query.
# `grouped_attention(queries, keys, values, mask)`: queries $(B, H, T_q, d)$, keys and values $(B, G, T_k, d)$, mask as
# in exercise 6 (a query that may see nothing has the output 0, as there) or None; returns the output $(B, H, T_q, d)$
# alone.
#
# By hand: `sink_mask(4, 2, 1)` has the last row (True, False, True, True). With $H = 4$ and $G = 2$ the heads of keys
# are used in the order 0, 0, 1, 1.
#
# <details><summary>Hint 1</summary>With <code>i = torch.arange(T)[:, None]</code> and <code>j = torch.arange(T)</code>
# the rule can be written as it stands; <code>&amp;</code> and <code>|</code> need brackets.</details>
# <details><summary>Hint 2</summary><code>keys.repeat_interleave(H // G, dim=1)</code> gives 0, 0, 1, 1;
# <code>repeat</code> would give 0, 1, 0, 1.</details>

# %% exercise="sharing"
def sink_mask(length: int, window: int, sinks: int) -> torch.Tensor:
    """Return (T, T) bool: token i sees j <= i if i - j < window or j < sinks."""
    ### BEGIN SOLUTION
    i, j = torch.arange(length)[:, None], torch.arange(length)
    return (j <= i) & ((i - j < window) | (j < sinks))
    ### END SOLUTION


def grouped_attention(
    queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, mask: torch.Tensor | None = None
) -> torch.Tensor:
    """Return (B, H, T_q, d): neighbouring heads of queries share a head of keys and values.

    queries (B, H, T_q, d); keys, values (B, G, T_k, d), H a multiple of G;
    mask: bool, broadcast to (B, H, T_q, T_k), True where a key may be seen, or None.
    """
    ### BEGIN SOLUTION
    share = queries.shape[1] // keys.shape[1]
    keys, values = keys.repeat_interleave(share, dim=1), values.repeat_interleave(share, dim=1)
    if mask is None:
        return attention(queries, keys, values)[0]
    return masked_attention(queries, keys, values, mask)[0]
    ### END SOLUTION

# %% check="sharing" points=4

# %% [markdown]
# ## Exercise 13: bytes for each token (`cache`)
#
# 15 minutes, ★★, 4 points
#
# What does the cache hold after $T$ tokens? `cache_bytes(kind, length, ...)` counts for a model of $L$ layers with $H$
# heads of width $d$ and $b$ bytes for each number:
#
# | kind | what is kept in each layer | numbers a token and layer |
# |---|---|---|
# | `"mha"` | keys and values of all heads | $2 H d$ |
# | `"gqa"` | keys and values of $G$ groups | $2 G d$ |
# | `"mqa"` | keys and values of one head | $2 d$ |
# | `"mla"` | one latent vector for keys and values of all heads, and the key's rotated part | $r + p$ |
# | `"window"` | as `"mha"`, but only of the last $w$ tokens and the first $s$ | $2 H d$, for at most $w + s$ tokens |
#
# Multi-head *latent* attention (DeepSeek-V2, 2024) writes $[K; V] = c\,W$ with a narrow $c = x W_c$ of $r$ numbers: a
# matrix of low rank. Only $c$ is kept. Since a rotation would stand between $c$ and $W$, a small part of the key with
# $p$ numbers, shared by all heads, carries the positions.
#
# The function returns a whole number of bytes for all layers and the whole text of `length` tokens; arguments that a
# kind has no use for are ignored. An unknown kind raises `ValueError`.
#
# By hand: 2 layers, 4 heads of width 8, 2 bytes, 10 tokens: `"mha"` keeps $2 \cdot 4 \cdot 8 = 64$ numbers a token and
# layer, $64 \cdot 2 \cdot 2 = 256$ bytes a token, 2,560 in all. With a window of 3 and one sink it is $4 \cdot 256 =
# 1{,}024$, however long the text becomes.
#
# <details><summary>Hint 1</summary>A dictionary from the kind to the numbers a token and layer; then one product.
# </details>
# <details><summary>Hint 2</summary>The window changes the number of tokens: <code>min(length, window + sinks)</code>.
# </details>

# %% exercise="cache"
def cache_bytes(
    kind: str,
    length: int,
    layers: int,
    heads: int,
    width: int,
    groups: int = 1,
    latent: int = 0,
    rotary: int = 0,
    window: int = 0,
    sinks: int = 0,
    itemsize: int = 2,
) -> int:
    """Return the bytes of the cache after `length` tokens; kind: "mha", "gqa", "mqa", "mla" or "window".

    width: numbers of one head; latent, rotary: numbers of MLA's latent vector and of its rotated part;
    itemsize: bytes for each number. Raises ValueError for another kind.
    """
    ### BEGIN SOLUTION
    full = 2 * heads * width
    numbers = {"mha": full, "window": full, "gqa": 2 * groups * width, "mqa": 2 * width, "mla": latent + rotary}
    if kind not in numbers:
        raise ValueError(f"there is no kind {kind!r}; there are: {', '.join(numbers)}")
    tokens = min(length, window + sinks) if kind == "window" else length
    return numbers[kind] * layers * itemsize * tokens
    ### END SOLUTION

# %% check="cache" points=4

# %% [markdown]
# The cache of real configurations at 32,768 tokens in 16 bits, by your function. The first line is Llama-2-7B; the
# next two change its heads of keys as Llama-3 and PaLM do; the fourth is DeepSeek-V2, a much larger model.

# %% show
llama = {"layers": 32, "heads": 32, "width": 128}
deepseek = {"layers": 60, "heads": 128, "width": 128, "latent": 512, "rotary": 64}
caches = {
    "MHA, 32 heads (Llama-2-7B)": partial(cache_bytes, "mha", **llama),
    "GQA, 8 heads of keys": partial(cache_bytes, "gqa", **llama, groups=8),
    "MQA, 1 head of keys": partial(cache_bytes, "mqa", **llama),
    "MLA, 512 + 64 (DeepSeek-V2, 60 layers)": partial(cache_bytes, "mla", **deepseek),
    "window 4,096 with 4 sinks": partial(cache_bytes, "window", **llama, window=4096, sinks=4),
}
print(cache_table(caches))
plots.show(*cache_sizes(caches))

# %% [markdown]
# ## Exercise 14: attention as a recurrent network (`linear`)
#
# 25 minutes, ★★★, 4 points
#
# Softmax ties every query to every key. Replace $e^{q \cdot k}$ by a product $\phi(q) \cdot \phi(k)$ with
# $\phi(x) = \text{elu}(x) + 1$, which is positive, and the sums can be regrouped (Katharopoulos 2020):
#
# $$o_i = \frac{\sum_{j \le i} \big(\phi(q_i) \cdot \phi(k_j)\big)\, v_j}{\sum_{j \le i} \phi(q_i) \cdot \phi(k_j)}
# = \frac{\phi(q_i)\, S_i}{\phi(q_i) \cdot z_i} \qquad S_i = \sum_{j \le i} \phi(k_j)^\top v_j \qquad
# z_i = \sum_{j \le i} \phi(k_j)$$
#
# On the left a table of $T \times T$ under a causal mask, good for training. On the right a state of fixed size, $S$
# $(d, d_v)$ and $z$ $(d)$, which each new token changes: a recurrent network, with a cache that never grows. Both give
# the same numbers.
#
# 1. `linear_attention(queries, keys, values)`: the left form, for a whole sequence; any leading axes.
# 2. `linear_step(S, z, query, key, value)`: the right form, one token: takes it into $S$ and $z$ *first*, then asks.
#    Returns $(S, z, o)$. No leading axes. $S$ and $z$ start at zero.
#
# Nothing is scaled, and nothing is added to the denominator. `feature_map` is given.
#
# By hand, $d = d_v = 1$, all queries and keys 0, so $\phi = 1$: each output is the mean of the values so far. Values 2
# and 4 give 2 and 3.
#
# <details><summary>Hint 1</summary><code>dot_scores(...) * causal_mask(T)</code>: here the weights are not normalised
# by a softmax, so a hidden one is simply 0.</details>
# <details><summary>Hint 2</summary>Divide by <code>.sum(dim=-1, keepdim=True)</code>.</details>
# <details><summary>Hint 3</summary><code>torch.outer(feature_map(key), value)</code> is what one token adds to S.
# </details>

# %% given
def feature_map(x: torch.Tensor) -> torch.Tensor:
    """Return elu(x) + 1, which is positive everywhere: x + 1 above 0, exp(x) below."""
    return F.elu(x) + 1

# %% exercise="linear"
def linear_attention(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Return causal linear attention of a whole sequence.

    queries, keys (..., T, d), values (..., T, d_v) give (..., T, d_v).
    """
    ### BEGIN SOLUTION
    weights = dot_scores(feature_map(queries), feature_map(keys)) * causal_mask(queries.shape[-2])
    return context_vectors(weights / weights.sum(dim=-1, keepdim=True), values)
    ### END SOLUTION


def linear_step(
    S: torch.Tensor, z: torch.Tensor, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (S, z, output (d_v,)) after one token: S (d, d_v), z (d,), query and key (d,), value (d_v,)."""
    ### BEGIN SOLUTION
    S, z = S + torch.outer(feature_map(key), value), z + feature_map(key)
    asked = feature_map(query)
    return S, z, asked @ S / (asked @ z)
    ### END SOLUTION

# %% check="linear" points=4

# %% show
q, k, v = (torch.randn(200, 16, generator=rng) for _ in range(3))
S, z, steps = torch.zeros(16, 16), torch.zeros(16), []
for token in zip(q, k, v, strict=True):
    S, z, out = linear_step(S, z, *token)
    steps.append(out)
whole, soft = linear_attention(q, k, v), masked_attention(q, k, v, causal_mask(200))[0]
print(f"200 tokens: largest difference of the two forms {(torch.stack(steps) - whole).abs().max():.1e}")
print(f"mean size of the difference from softmax attention: {(whole - soft).abs().mean():.2f} "
      f"(the outputs themselves: {soft.abs().mean():.2f})")

# %% [markdown]
# ## Essay 2: what you would pay for
#
# 20 minutes, ★★, 10 points, graded by hand
#
# Three short answers, each with a number from your own run. (a) *The root.* What does the figure of exercise 5 show for
# scores that are not scaled at $d = 512$, and why is that bad for learning? Why is $1/d$ no good either? (b) *The
# heads.* Which head could you drop, and what would it cost? Does a head that the figure shows looking at one striking
# word matter most? (c) *The bill.* A phone has 4 GiB for the cache of a Llama-2-7B and texts of 32,768 tokens. Which
# rows of the table fit? What does each of the ones that fit give up? And why does tiled attention help with none of
# this, though it needs so much less memory than the plain one? About 200 words.

# %% [markdown] essay="paying" points=10
# ### BEGIN SOLUTION
# (a) Not scaled, the variance of the scores is about 512, and the largest of 64 weights is close to 1: softmax has
# become a maximum. Its gradient is then nearly zero, so the layer hardly learns which key to prefer. With 1/d the
# variance falls to 1/512 and all weights are nearly 1/64: the layer is a mean and cannot choose at the start.
# (b) Pruning head 2 changes F1 from 0.940 to 0.935, less than the sampling error of a thousand messages. Just that head
# has the most striking map: it looks at "every". A weight is a share of what is read, and says nothing on whether W_O
# makes use of it. One head alone is not enough (0.775): they share the work.
# (c) Plain multi-head needs 16 GiB and does not fit. Eight heads of keys need exactly 4 GiB, with nothing left; one
# head needs 0.5 GiB and gives up that heads look for different things. The window needs 2 GiB, however long the text,
# and gives up what was said between the sinks and the window. The latent cache of DeepSeek-V2 is of another model: 2.1
# GiB for 60 layers; it gives up rank. Tiles save the table of scores, which lives for a moment. The cache is what stays
# from token to token.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: variance and largest weight read off; saturation means vanishing gradients; 1/d makes weights uniform.
# 3 points: a head and its cost from the table; the weights of a map are not importance (or a reasoned objection).
# 2 points: the rows that fit, with their GiB.
# 1 point: what the fitting ones give up.
# 1 point: tiles save the scores of one step, the cache is kept.
# ### END MARK SCHEME

# %% [markdown]
# ## What you built, and what breaks next
#
# Scores, softmax, context; a decoder that looks back; self-attention with queries, keys and values; masks; heads;
# positions; tiles; shared keys; a linear form with a state: each equal to the library, where the library has it, and
# from here on we use the library's.
#
# What breaks: one layer of attention mixes, and that is all it does. It has no depth and no way to compute on what it
# has fetched; stacked as it is, it does not train. [Chapter 05](../05_transformers/05_transformers.ipynb) puts a
# feed-forward network, residual paths and normalisation around it, stacks the blocks, and calls the result a
# transformer.
#
# **Saved:** your rows of the leaderboard. (Chapter 05 starts from `F.scaled_dot_product_attention` and saves the first
# model of this kind, docs-gpt.)
#
# ## Further reading
#
# - D. Bahdanau, K. Cho and Y. Bengio (2015). Neural machine translation by jointly learning to align and translate.
#   *ICLR*. The additive score, and the first alignment maps.
# - M.-T. Luong, H. Pham and C. D. Manning (2015). Effective approaches to attention-based neural machine translation.
#   *EMNLP*. Dot and general scores.
# - A. Vaswani, N. Shazeer, N. Parmar, J. Uszkoreit, L. Jones, A. N. Gomez, Ł. Kaiser and I. Polosukhin (2017).
#   Attention is all you need. *NIPS 30*.
# - P. Shaw, J. Uszkoreit and A. Vaswani (2018). Self-attention with relative position representations. *NAACL*.
# - M. Milakov and N. Gimelshein (2018). Online normalizer calculation for softmax. *arXiv:1805.02867*.
# - P. Michel, O. Levy and G. Neubig (2019). Are sixteen heads really better than one? *NeurIPS 32*. Pruning heads.
# - S. Jain and B. C. Wallace (2019). Attention is not explanation. *NAACL*; and S. Wiegreffe and Y. Pinter (2019).
#   Attention is not not explanation. *EMNLP*.
# - N. Shazeer (2019). Fast transformer decoding: one write-head is all you need. *arXiv:1911.02150*.
# - A. Katharopoulos, A. Vyas, N. Pappas and F. Fleuret (2020). Transformers are RNNs: fast autoregressive transformers
#   with linear attention. *ICML*.
# - J. Su, Y. Lu, S. Pan, B. Wen and Y. Liu (2021). RoFormer: enhanced transformer with rotary position embedding.
#   *arXiv:2104.09864*.
# - T. Dao, D. Y. Fu, S. Ermon, A. Rudra and C. Ré (2022). FlashAttention: fast and memory-efficient exact attention
#   with IO-awareness. *NeurIPS 35*.
# - J. Ainslie, J. Lee-Thorp, M. de Jong, Y. Zemlyanskiy, F. Lebrón and S. Sanghai (2023). GQA: training generalized
#   multi-query transformer models from multi-head checkpoints. *EMNLP*.
# - G. Xiao, Y. Tian, B. Chen, S. Han and M. Lewis (2024). Efficient streaming language models with attention sinks.
#   *ICLR*.
# - DeepSeek-AI (2024). DeepSeek-V2: a strong, economical, and efficient mixture-of-experts language model.
#   *arXiv:2405.04434*. Latent attention.
