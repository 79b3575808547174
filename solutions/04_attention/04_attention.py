# %% [markdown]
# # 04 Attention: look at what you need
#
# Try to translate a sentence after reading it once and closing your eyes. That is what the encoder-decoder of [chapter
# 03](../03_rnns/03_rnns.ipynb) has to do: it squeezes the whole source into one vector, and everything it writes comes
# from there. For one date that works. For three dates in a row it does not.
#
# People look back at the source, at the word they need *right now*. In this chapter you give a network that ability, in
# three small steps: **score** every position of the source against what is being written, turn the scores into
# **weights** that sum to one, and take the **weighted average**. In 2014 attention was a repair for translators; in
# 2017 it replaced recurrence. Today nearly every language model runs on it, and half of this chapter is about its cost.
#
# **What you will build.** *Part one:* scores, softmax, a translator of dates that looks back, self-attention, masks,
# and several heads. *Part two:* three ways to encode positions, the layer as a module of your own, texts longer than
# those in training, exact attention without the table of scores, the KV caches of today's models in bytes, and
# attention as a recurrent network. **What you need.** Tensors and `nn.Module`; encoders, decoders and teacher forcing
# (chapter 03).
#
# **Points and time.** 100 points: fourteen exercises checked by machine (80) and two short essays (20). The minutes
# given with the exercises add up to 295; with the reading, allow 1.6 times as much, about eight hours: four for part
# one, four for part two. The finished notebook runs in two to three minutes on two idle cores.
#
# **Notation.** A sequence of $T$ tokens with $C$ numbers each is a matrix $X$ of shape $(T, C)$, one token in each
# **row**; with a batch it is $(B, T, C)$. "$(\ldots, T, C)$" means that a function also takes $(B, T, C)$ or $(B, H, T,
# C)$: torch's `@` works on the last two axes by itself. Softmax runs over the last axis, the keys. Functions must not
# modify their arguments, and they must keep axes of size 1. In the drawings queries are orange, keys and the tokens
# that are looked at are blue, values and outputs are green, and weights are pink.

# %% given
import math
from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from helpers import data, plots
from helpers.checks import gradients
from helpers.course import SEED, artifacts, benchmarks, notebook, ways_of_calls

notebook.prepare("04_attention")

def slopes(function, *arguments, fixed=()) -> list[torch.Tensor]:  # what checks ask for: gradients of squared results
    return gradients.slopes(lambda *given: [part.square() for part in function(*given)], *arguments, fixed=fixed)

def beside(kind: str, function, *arguments):  # and beside a value: "names_of", torch's functions that a call uses
    return getattr(ways_of_calls, kind)(function, *arguments)

# %% [markdown]
# # Part one: attention
#
# ## The bottleneck, and looking back
#
# ![A source of three dates, 33 characters, goes into one vector, and the three ISO dates are written from that vector
# alone; it has 64 numbers here and had 256 in chapter 03](figures/bottleneck.svg)
#
# However long the source is, the vector in the middle keeps its size, so something gets lost. Averaging all states of
# the encoder would not help: the average is the same for every character that is written, but the decoder needs
# something different at each step. While it writes the month, it should look at the month.
#
# ![The encoder's states of 7, mars and 2024 get scores 1, 3 and 0 from the decoder's question; softmax makes weights
# 0.114, 0.844 and 0.042; their average goes back to the decoder](figures/looking_back.svg)
#
# The decoder's question is the **query**. It is compared with the **keys**, and the **values** are averaged. Here keys
# and values are the same states; later they will differ. The words are borrowed from search: you type a query, it is
# matched against keys, and you get values. The idea comes from D. Bahdanau, K. Cho and Y. Bengio, [Neural machine
# translation by jointly learning to align and translate](https://arxiv.org/abs/1409.0473) (2014).
#
# ## Exercise 1: four ways to score (`scores`)
#
# 15 minutes, ★★, 5 points
#
# How well does a key fit a query? The simplest answer is their dot product: it is large when they point the same way.
# And a single matrix product scores all queries against all keys, which suits GPUs.
#
# ![The query (1, 2) times the keys (3, 0) and (0, 1), turned into columns, gives the scores 3 and
# 2](figures/scores.svg)
#
# Four scores are common, for a query $q$ and a key $k$:
#
# | name | score | when |
# |---|---|---|
# | dot | $q \cdot k$ | one size, $d$ ([Luong and others, 2015](https://arxiv.org/abs/1508.04025)) |
# | scaled | $q \cdot k \,/\, \sqrt{d}$ | the same ([Vaswani and others, 2017](https://arxiv.org/abs/1706.03762)) |
# | general | $q\, W k^\top$ | different sizes, $W$: $(d_q, d_k)$ (Luong) |
# | additive | $v \cdot \tanh(q W_q + k W_k)$ | any sizes, $W_q$: $(d_q, a)$, $W_k$: $(d_k, a)$ (Bahdanau) |
#
# By hand, with the query and the keys of the drawing: the dot products are 3 and 2; scaled, 2.1213 and 1.4142. With $W
# = \begin{bmatrix} 0 & 1 \\ 1 & 0 \end{bmatrix}$ the general score uses $qW = (2, 1)$ and gives 6 and 1. With $W_q =
# W_k = I$ and $v = (1, 1)$ the additive score is $\tanh 4 + \tanh 2 = 1.9634$ and $\tanh 1 + \tanh 3 = 1.7566$.
#
# A dot product is not a cosine: nothing is divided by the lengths of the vectors, so the scores of a longer key are
# farther from 0.
#
# <details><summary>Plan</summary><code>dot_scores</code> is one product of all queries with all keys, (..., T_q, T_k),
# whatever the leading axes are. <code>scaled_scores</code> divides that by a number that you read off a shape.
# <code>general_scores</code> brings the queries to the size of the keys and leaves the rest to <code>dot_scores</code>.
# <code>additive_scores</code> projects both sides, adds every query to every key, (..., T_q, T_k, a), and turns each
# pair into one number.</details>
# <details><summary>Hint 1</summary>All dot products of rows with rows are one matrix product, <code>queries @
# keys.transpose(-2, -1)</code>.</details>
# <details><summary>Hint 2</summary>The additive score needs every pair: <code>(queries @ W_q).unsqueeze(-2)</code> has
# shape (..., T_q, 1, a), <code>(keys @ W_k).unsqueeze(-3)</code> has shape (..., 1, T_k, a).</details>

# %% exercise="scores"
def dot_scores(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """Return the dot product of every query with every key: (..., T_q, d) and (..., T_k, d) give (..., T_q, T_k).

    In all four functions leading axes (batch, heads) come out in front; all arguments have one dtype, float32 or
    float64, and the scores have it, too; gradients reach each argument.
    """
    ### BEGIN SOLUTION
    return queries @ keys.transpose(-2, -1)
    ### END SOLUTION


def scaled_scores(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """Return the dot products divided by the square root of d, the vectors' size; shapes as above."""
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

# %% check="scores" points=5

# %% [markdown]
# ## Exercise 2: weights and the average (`softmax`)
#
# 10 minutes, ★★, 6 points
#
# Scores can be any numbers. An average needs weights that are positive and sum to one: **softmax** makes them, and the
# larger score gets the larger share.
#
# ![Scores 0 and 1.10, minus the largest, through exp, divided by their sum give the weights 0.25 and 0.75; with the
# values (4, 0) and (0, 8) the context vector is (1, 6)](figures/weights.svg)
#
# $$\alpha_j = \frac{e^{s_j}}{\sum_{j'} e^{s_{j'}}} \qquad\qquad c_i = \sum_j \alpha_{ij}\, v_j$$
#
# The second formula is the **context vector** of query $i$: the sum of the values, each times its weight. There is one
# trap. Computed exactly as written, softmax breaks: $e^{89}$ is infinite in 32 bits, and infinity divided by infinity
# is not a number. Softmax does not change when you subtract the same number from all scores, so subtract the largest:
# now the largest exponent is 0, and nothing overflows. Each slice needs *its own* maximum: if you subtract one maximum
# from all of them, the exponentials of a slice far below it are all 0.
#
# By hand, as drawn: the scores $(\ln 1, \ln 3) = (0, 1.10)$ give the weights $(0.25, 0.75)$, and so do $(1000, 1000 +
# \ln 3)$. With the values $(4, 0)$ and $(0, 8)$ the context vector is $0.25 \cdot (4, 0) + 0.75 \cdot (0, 8) = (1, 6)$.
# Write softmax from `exp`, preferably with the maximum and the sum, and without torch's own softmax.
#
# <details><summary>Plan</summary><code>softmax</code> finds the largest score of each slice along <code>dim</code>,
# subtracts it, takes exponentials and divides by their sum; both times, keep the axis, so that the shapes still fit.
# <code>context_vectors</code> takes the weighted sums of all queries at once: look for the one operation that makes
# (T_q, d) from (T_q, T_k) and (T_k, d).</details>
# <details><summary>Hint 1</summary><code>scores.amax(dim=dim, keepdim=True)</code> keeps the axis, so that it can be
# subtracted.</details>
# <details><summary>Hint 2</summary>A weighted sum of rows is a matrix product: (T_q, T_k) @ (T_k, d) is (T_q,
# d).</details>

# %% exercise="softmax"
def softmax(scores: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Return exp(scores) divided by its sum along `dim`, for scores of any size; same shape and dtype.

    scores: any shape; -inf gets the weight 0; each slice along `dim` has at least one finite score. Gradients flow.
    """
    ### BEGIN SOLUTION
    exps = torch.exp(scores - scores.amax(dim=dim, keepdim=True))
    return exps / exps.sum(dim=dim, keepdim=True)
    ### END SOLUTION


def context_vectors(weights: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Return for each query the sum of the values times its weights.

    weights (..., T_q, T_k), any numbers, values (..., T_k, d) give (..., T_q, d); the dtype is kept, gradients flow.
    """
    ### BEGIN SOLUTION
    return weights @ values
    ### END SOLUTION

# %% check="softmax" points=6

# %% [markdown]
# ## Dates, again
#
# Chapter 03 translated dates such as `mardi 3 février 2015` into ISO dates such as `2015-02-03`. Here are the data once
# more, character by character; a source may be a *series* of up to three dates.

# %% show
from helpers.chapters.attention.date_letters import LETTERS, letter_ids

print(dates := data.load("dates"))
pairs = {1: dates.train} | {n: data.Dates("train").series(3000, seed=n, counts=(n,)) for n in (2, 3)}
ids = letter_ids(pairs[1] + pairs[2] + pairs[3])
print(f"{len(ids)} different characters, {len(LETTERS)} to write with")
for source, target in [*pairs[1][:2], pairs[2][0], pairs[3][0]]:
    print(f"  {target:<32}  {source}")

# %% [markdown]
# ## Exercise 3: a decoder that looks back (`decoder`)
#
# 20 minutes, ★★★, 6 points
#
# Now put the three steps into a decoder. The encoder produces one state for each character, the **memory** $M$ of shape
# $(T, m)$. The decoder looks into this memory before it writes each character. It uses its state $h$ so far and the
# embedding $e$ of the character that it wrote last:
#
# $$\alpha = \text{softmax}_j\big(h\, W M_j^\top\big) \qquad c = \sum_j \alpha_j M_j \qquad
# h' = \text{GRU}\big([e; c],\, h\big) \qquad \text{logits} = [h'; c]\, W_{out}^\top + b_{out}$$
#
# In words: the *old* state asks (the decoder looks before it steps), the context goes into the GRU together with the
# last character written, and the new state and the context together decide the next character. $[a; b]$ is $a$, then
# $b$. This is a hybrid of two papers: the order of steps is Bahdanau's, with Luong's *general* score. (Bahdanau's own
# score is additive, and in Luong's decoder the new state asks.) We use it because it is the shortest to write.
#
# There is one complication: in a batch, short dates are filled up with padding, and no query should look there. A
# weight of exactly 0 is a score of $-\infty$: set the *scores* of padding to $-\infty$ before the softmax, and the
# other characters share all of the weight. (Set the *weights* to zero afterwards, and they no longer sum to one.)
#
# By hand: if three characters, the last one padding, have the scores 1, 1 and 5, the weights are $(0.5, 0.5, 0)$.
#
# <details><summary>Plan</summary>Follow the formulas from left to right. The old <code>hidden</code> asks
# <code>memory</code> as one query for each row, through <code>general_scores</code>, (B, T); hide the padding, and your
# <code>softmax</code> and <code>context_vectors</code> make the weights and the context, (B, m). The context goes into
# the <code>cell</code> beside <code>embedded</code>, and once more, beside the new state, into the
# <code>output</code>.</details>
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
    """Return (logits (B, V), new hidden state (B, h), weights (B, T)) of one step; gradients flow through all of it.

    embedded (B, e): the character written last; hidden (B, h); memory (B, T, m): the encoder's states;
    present (B, T) bool: False where there is padding, at least one True in each row; W (h, m): the matrix of the
    general score, which is not scaled; cell: GRUCell(e + m, h), called as cell(x, h); output: Linear(h + m, V), called
    as output(x).
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
# How much does looking back help? A fair answer needs a control: the *same* network without attention. So we build two
# translators around your `decoder_step` (in `helpers/chapters/attention/attention_translator.py`). Both encoders read
# in both directions. One decoder looks at all states; the other gets the encoder's last states, one vector, at each
# step. Both begin with the same weights (the second decoder makes no use of $W$) and read the same dates in the same
# order.
#
# Single dates come first, with two seeds. Your two runs of each translator are followed by the course's own, with five
# seeds:

# %% show
from helpers.chapters.attention import date_translation, head_pruning, word_classifiers
from helpers.chapters.attention.attention_translator import AttentionTranslator

STEPS = 300  ### small: 12
SEEDS = 2  ### small: 1
translator = partial(AttentionTranslator, decoder_step, ids)
kinds = {"attention": translator, "one vector": partial(translator, attends=False)}
translators, matches = date_translation.train_translators(kinds, pairs[1], dates.test, STEPS, range(SEED, SEED + SEEDS))
print(date_translation.beside_five_seeds(matches))
### BEGIN CLAIMS
from helpers.course.claims import claim

claim(f"Single dates translated exactly after {STEPS} steps: attention above one vector", *matches.values())
### END CLAIMS

# %% [markdown]
# And where does it look? Here is one day in four languages. Each row is a character that is written, each column one
# that is read. Nobody told the network which characters belong together; it found out from pairs of whole dates.

# %% show
day = dates.test[0][1]
for language, text in date_translation.written_in(("fr", "de", "ru", "tr"), day).items():
    written, weights = date_translation.looks(translators["attention"], text)
    print(f"{language}: {text} -> {written}{'' if written == day else ' (wrong)'}")
    fig, alt = plots.attention(weights, [*written], [c for c in text if c in ids])
    plots.show(fig, f"Where the translator looks while it writes a date, language {language}. {alt}")

# %% [markdown]
# Now the series. Both translators go on learning, from the same batches of one, two and three dates in turn, and then
# read the same unseen series. A third curve helps with a question that you may have: is one vector merely *slower* to
# learn? Chapter 03's network also has one vector, but a larger one, and was trained for more than 1,000 steps; its
# curve is in the artifact `date-translator`.

# %% show
from helpers.chapters.attention.figures import exact_translations

MORE = 300  ### small: 6
SERIES = 3000  ### small: 100
tests = data.Dates("test").series(SERIES, seed=SEED + 1)  # the series of chapter 03
curves = date_translation.series_curves(translators, list(pairs.values()), tests, MORE, SEED)
longer = artifacts.load("date-translator").config["curves"]["plain"]
curves["one vector, chapter 03"] = date_translation.LengthCurve(**longer)
plots.show(*exact_translations(curves))
print(date_translation.length_table(curves))
### BEGIN CLAIMS
ends = [[curves[name].overall] for name in kinds]
claim("Series of one to three dates translated exactly: attention above one vector", *ends)
### END CLAIMS

# %% [markdown]
# Compare the first two rows: everything else is equal, so the difference is due to looking back. The network of the
# last row had a larger vector and more steps: it translates short dates well and long series badly. Is that the limit
# of one vector, or of its training? This table cannot tell: after ten times as many steps the vector might hold more.
# The table shows how much faster the network with attention learns.
#
# ## Essay 1: what it looks at
#
# 20 minutes, ★★, 10 points, graded by hand
#
# From the figures of your own run: (a) How does the share of exact translations change as the source becomes longer, in
# the two matched translators and in chapter 03's? Give numbers. For a *single* date one vector is large enough, as
# chapter 03 shows; why does attention still learn so much faster? (b) In two of the heat maps, which columns do the
# rows of the month point at, and which do the rows of the day? Turkish puts the weekday at the end, the others at the
# beginning: where do you see that? (c) Name one row that points to a character from which its digit cannot be read (the
# first digit of the month is a good candidate, or a hyphen). What does the state of the encoder at one character know
# of the others, and what does that imply for weights as an explanation? About 150 words.

# %% [markdown] essay="looking" points=10
# ### BEGIN SOLUTION
# All curves fall with length, attention's least. After the same steps on the same dates, attention gets more than nine
# in ten of the short sources right and more than eight in ten of the long ones, one vector a quarter of the short ones
# and none of more than 40 characters. Chapter 03's network shows that one vector is enough for a short date, given a
# larger state and several times the steps, and its series are wrong all the same; whether more steps would help, this
# run does not tell. Attention learns faster because its path is short: the gradient goes straight from a digit to the
# state of the character that it came from, not through the whole sentence. In the French map the rows of the day point
# at the 7, those of the month at the space before *novembre* and its first letter; in Turkish the same two are at the
# very beginning, and the weekday at the end gets nothing; no map has weight on the weekday. The first digit of the
# month points at a space, where no month can be read. But the encoder reads in both directions: the state at the space
# before the word has read the whole word backwards. A weight shows which *state* was read, not which character
# mattered. To know that, change the character and see whether the output changes.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: numbers for short and long sources of both models; the short path (or gradient) as the reason.
# 3 points: two maps read correctly: columns of month and day, and where the order of the language shows.
# 2 points: one row that its column cannot explain, named.
# 2 points: the states of a bidirectional encoder mix positions, so weights are not importance; a test is proposed or
# the limit is stated.
# ### END MARK SCHEME

# %% [markdown]
# ## From the average to queries, keys and values
#
# So far a decoder has looked at an encoder. Now let the tokens of *one* sequence look at each other:
# **self-attention**. In "the dog ate the fish because it was hungry", the vector of *it* should learn something from
# *dog*. Each token should become a mixture of all of them. Which mixture?
#
# *The average.* Every token takes $1/T$ of each token. Then all of them become the same. *By similarity.* The more
# similar token $j$ is to token $i$, the more of it token $i$ takes: the weights are the softmax of $X X^\top$. That is
# better, but rigid. The scores are **symmetric**, $x_i \cdot x_j = x_j \cdot x_i$: if *it* scores *dog* high, *dog*
# scores *it* just as high. And they have a **strong diagonal**, since $x_i \cdot x_i$ is a sum of squares, while the
# product of two different tokens can have either sign: each token looks mostly at itself. (The weights are not
# symmetric: each row is divided by its own sum.) Worst of all, nothing here can be learned.
#
# *By asking.* Give each token three roles and a learned matrix for each. It asks with its **query** $x W_Q$, is found
# by its **key** $x W_K$, and gives its **value** $x W_V$. In words: *it* may ask "who did something?", the key of *dog*
# may answer "I did", and its value says something else: which animal it is. Nobody writes these questions; the matrices
# learn what is worth asking. Here are the same rows in three views:
#
# ![Two tokens X, it (1, 0) and dog (0, 2), become Q, K and V through three matrices; Q with K gives the scores -6, -3,
# 4, 2 and from them weights, and these mix V into the output](figures/views.svg)
#
# ## Exercise 4: self-attention without and with weights (`self-attention`)
#
# 15 minutes, ★, 4 points
#
# Write these three functions:
#
# 1. `mean_mixing(x)`: every row becomes the mean of all rows.
# 2. `similarity_mixing(x)`: the scores $X X^\top$ and the result $\text{softmax}(X X^\top)\, X$.
# 3. `self_attention(x, W_q, W_k, W_v)`: the scores $(X W_Q)(X W_K)^\top$ and the result
#    $\text{softmax}\big((X W_Q)(X W_K)^\top\big)\, X W_V$.
#
# By hand: the tokens $(1, 0)$ and $(0, 2)$ have $X X^\top = \begin{bmatrix} 1 & 0 \\ 0 & 4 \end{bmatrix}$. The first
# row of its softmax is $(0.7311, 0.2689)$, the second $(0.0180, 0.9820)$, so the first token becomes
# $(0.7311, 0.5379)$. The mean of both is $(0.5, 1)$. With the matrices of the drawing,
#
# $$W_Q = \begin{bmatrix} -1 & -2 \\ 1.5 & -0.5 \end{bmatrix} \qquad
# W_K = \begin{bmatrix} 2 & 2 \\ 0.5 & 0.5 \end{bmatrix} \qquad
# W_V = \begin{bmatrix} 2 & -5 \\ -0.5 & 0.5 \end{bmatrix}$$
#
# the queries are $(-1, -2)$ and $(3, -1)$, the keys $(2, 2)$ and $(1, 1)$, the values $(2, -5)$ and $(-1, 1)$. The
# scores are $\begin{bmatrix} -6 & -3 \\ 4 & 2 \end{bmatrix}$: *it* scores *dog* (-3) higher than itself (-6), and *dog*
# scores *it* 4. So the scores are not symmetric, and no row has its largest on the diagonal. The result is
# $\begin{bmatrix} -0.8577 & 0.7154 \\ 1.6424 & -4.2848 \end{bmatrix}$. You will meet these two tokens
# again. (Papers with tokens in *columns* write $(W_K X)^\top (W_Q X)$; check that the shape is $T \times T$.)
#
# <details><summary>Hint 1</summary><code>x.mean(dim=-2, keepdim=True).expand_as(x)</code></details>
# <details><summary>Hint 2</summary>Your <code>dot_scores</code>, <code>softmax</code> and <code>context_vectors</code>
# do all the work.</details>

# %% exercise="self-attention"
def mean_mixing(x: torch.Tensor) -> torch.Tensor:
    """Return x with every token replaced by the mean of all tokens: (..., T, C) gives (..., T, C).

    In all three the dtype is kept and gradients flow; softmax runs over the keys, and nothing is scaled yet.
    """
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
# Here are both kinds of scores for the whole sentence, with random embeddings of 32 numbers and random matrices; both
# occurrences of *the* share one embedding. Look at the diagonal and the symmetry only: nothing has been trained, so
# which word looks at which means nothing yet. Heads that have learned something follow in part two, under *The
# benchmarks*.

# %% show
from helpers.chapters.attention.figures import head_bars, scaling_effect, score_maps

rng = torch.Generator().manual_seed(SEED)
words = "the dog ate the fish because it was hungry".split()
x = torch.randn(9, 32, generator=rng)[[words.index(word) for word in words]]
W_q, W_k, W_v = (torch.randn(32, 32, generator=rng) / math.sqrt(32) for _ in range(3))
raw, asked = similarity_mixing(x)[0], self_attention(x, W_q, W_k, W_v)[0]
plots.show(*score_maps(raw, asked, words))
for name, scores in {"X X^T": raw, "with W_Q and W_K": asked}.items():
    print(f"{name:<17} largest difference from its transpose {(scores - scores.T).abs().max():4.1f}, "
          f"mean of the diagonal {scores.diagonal().mean():5.1f}")

# %% [markdown]
# ## Exercise 5: scaled dot-product attention (`attention`)
#
# 15 minutes, ★★, 6 points
#
# One problem is left, and it grows with the size of the vectors. If the entries of $q$ and $k$ are independent with
# mean 0 and variance 1, then $q \cdot k$ is a sum of $d_k$ products and has variance $d_k$. With $d_k = 512$ the
# standard deviation is 22.6, and softmax gives nearly all weight to one key. Before it has learned anything, the layer
# has made its choice and can hardly revise it: the derivative of a weight with respect to its own score is
# $\alpha(1-\alpha)$, 0.25 for a weight of 0.5 and 0.0099 for one of 0.99.
#
# It is tempting to divide by $d_k$, as one does for a mean. Then the variance is $1/d_k$, all scores are nearly equal,
# and every query gets nearly the same mean of all values, whatever it asks. Divide by $\sqrt{d_k}$, and the variance is
# 1 at every size: some keys count more than others, and none takes all. That is the "scaled" in the most quoted formula
# of the field:
#
# $$\text{Attention}(Q, K, V) = \text{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# ![Q times K transposed gives -6, -3, 4, 2; divided by the root of 2, through softmax, times V they give the
# output](figures/one_line.svg)
#
# By hand, as drawn: *it* and *dog* once more, with the $Q$, $K$ and $V$ of exercise 4 and $d_k = 2$. The output is
# $\begin{bmatrix} -0.6789 & 0.3577 \\ 1.4133 & -3.8266 \end{bmatrix}$. Divide by $d_k$ itself, which is a different
# function, and the scores are $\begin{bmatrix} -3 & -1.5 \\ 2 & 1 \end{bmatrix}$, the weights
# $\begin{bmatrix} 0.1824 & 0.8176 \\ 0.7311 & 0.2689 \end{bmatrix}$, and the output
# $\begin{bmatrix} -0.4527 & -0.0946 \\ 1.1932 & -3.3864 \end{bmatrix}$.
#
# The root is there for learning, not for numerical stability: your softmax is stable without it. Some models use
# another factor, so `scale` is an argument.
#
# <details><summary>Plan</summary>Settle the <code>scale</code> first: None stands for 1 over the root, and any number,
# even 0, for itself. Then chain your own functions: <code>dot_scores</code>, times the scale, through
# <code>softmax</code>, gives the weights, (..., T_q, T_k), and <code>context_vectors</code> turns them into the output.
# Return both, the output first.</details>
# <details><summary>Hint 1</summary><code>d_k</code> is <code>queries.shape[-1]</code>.</details>
# <details><summary>Hint 2</summary><code>if scale is None</code>; <code>scale or ...</code> would take 0 for None.
# </details>

# %% exercise="attention"
def attention(
    queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, scale: float | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (output (..., T_q, d_v), weights (..., T_q, T_k)) of scaled dot-product attention, in this order.

    queries (..., T_q, d_k), keys (..., T_k, d_k), values (..., T_k, d_v); the dtype is kept, gradients flow;
    scale: what the scores are multiplied by; None is 1 / sqrt(d_k), any number stands for itself, even 0 or less.
    """
    ### BEGIN SOLUTION
    scale = 1 / math.sqrt(queries.shape[-1]) if scale is None else scale
    weights = softmax(scale * dot_scores(queries, keys))
    return context_vectors(weights, values), weights
    ### END SOLUTION

# %% check="attention" points=6

# %% [markdown]
# Compare the worked example under three scalings with the library's own function:

# %% show exact=true
X = torch.tensor([[1.0, 0.0], [0.0, 2.0]])  # it, dog
Q, K = X @ torch.tensor([[-1.0, -2.0], [1.5, -0.5]]), X @ torch.tensor([[2.0, 2.0], [0.5, 0.5]])
V = X @ torch.tensor([[2.0, -5.0], [-0.5, 0.5]])
for name, factor in [("1/d_k", 1 / 2), ("1/sqrt(d_k)", None), ("none", 1.0)]:
    ours, torchs = attention(Q, K, V, factor)[0].to(V), F.scaled_dot_product_attention(Q, K, V, scale=factor)
    rows = " ".join(f"({a:7.4f} {b:7.4f})" for a, b in ours.tolist())
    print(f"{name:<12} {rows}  same as torch: {torch.allclose(ours, torchs, atol=1e-6)}")

# %% [markdown]
# Now measure the effect of the root, with 500 random queries and 64 keys of size $d$. The left panel shows the variance
# of the scores, the right one the mean entropy of the 64 weights: 0 where one key has all the weight, $\ln 64 = 4.16$
# where all have the same. The table adds, for the largest $d$, how far apart the weights of two different queries are:
# the share of the weight that would have to move to turn one row into the other.

# %% show
from helpers.chapters.attention import scaling

measured = scaling.measure_scaling(dot_scores, attention, sizes := [4, 8, 16, 32, 64, 128, 256, 512], rng)
plots.show(*scaling_effect(sizes, measured))
print(scaling.table(sizes[-1], measured))

# %% [markdown]
# Without scaling, the weights are nearly one-hot, and chance has decided which key wins. With $1/d$ they hardly depend
# on the query. With the root they are in between, at every $d$.

# %% [markdown]
# ## Exercise 6: masks (`masks`)
#
# 20 minutes, ★★★, 7 points
#
# Two things must stay hidden. A language model must not look at the next word, which it has to predict: a model that
# cheats is perfect in training and useless afterwards. And no token should look at padding. A **mask** is a table that
# says which keys each query may see.
#
# ![A causal mask is a lower triangle with its diagonal; a padding mask has a row for each text; hidden scores become
# minus infinity, and their weights 0](figures/masks.svg)
#
# Here, as in torch's `scaled_dot_product_attention`, **True means: may be seen**. (Beware: `nn.MultiheadAttention`
# expects the opposite.) Note the diagonal of the causal mask: token $i$ sees the tokens $j \le i$, *itself included*,
# or the first row would see nothing.
#
# The mask acts on the **scores, before the softmax**, as in your decoder: what is hidden gets $-\infty$. Why not a
# large negative number such as $-10^9$? In fp32 and bf16 it does the same; fp16 ends at 65,504, and there it is an
# error. It also hides a trap. In a row where *nothing* may be seen, all scores become equal, and softmax gives each
# forbidden key the same weight. With $-\infty$ that row becomes $0/0$, not a number. Nobody wants either, so we agree:
# **a query that may see nothing has the weights 0 and the output 0.**
#
# By hand, as drawn: two queries and two keys with all scores 0, values 1 and 3, and the causal mask. The first query
# sees the first key only: weights $(1, 0)$, output 1. The second sees both: $(0.5, 0.5)$, output 2.
#
# <details><summary>Plan</summary><code>causal_mask</code> marks, in row i, the positions up to i itself, (T, T).
# <code>padding_mask</code> compares every position with the length of its row, (B, longest).
# <code>masked_attention</code> hides scores before your <code>softmax</code> and averages after it; in between, look at
# what the softmax makes of a row in which everything is hidden, and repair it before it meets the values.</details>
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
    """Return (B, longest) bool, True at the first lengths[b] positions of row b; lengths: (B,) int, 0 or more."""
    ### BEGIN SOLUTION
    return torch.arange(longest, device=lengths.device) < lengths[:, None]
    ### END SOLUTION


def masked_attention(
    queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, mask: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (output (..., T_q, d_v), weights (..., T_q, T_k)); a query that may see nothing has zeros in both.

    queries (..., T_q, d_k), keys (..., T_k, d_k), values (..., T_k, d_v); the usual scale; the dtype is kept,
    float16 too; gradients flow, and are finite where a query sees nothing;
    mask: bool, True where a key may be seen, of the scores' shape or broadcast to it: (T_q, T_k), (B, 1, T_k), ...
    """
    ### BEGIN SOLUTION
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)  # a row of nothing but -inf is 0/0 until here
    return context_vectors(weights, values), weights
    ### END SOLUTION

# %% check="masks" points=7

# %% [markdown]
# Does the mask hold? Replace the last word and see which outputs change:

# %% show
x = torch.randn(5, 32, generator=rng)
other = torch.cat([x[:4], torch.randn(1, 32, generator=rng)])
for name, mask in {"all seen": torch.ones(5, 5, dtype=torch.bool), "causal": causal_mask(5)}.items():
    moved = (masked_attention(x, x, x, mask)[0] - masked_attention(other, other, other, mask)[0]).norm(dim=1)
    print(f"{name:<9} how far each output moves: {' '.join(f'{m:.2f}' for m in moved)}")

# %% [markdown]
# ## Exercise 7: several heads (`heads`)
#
# 25 minutes, ★★★, 6 points
#
# One softmax makes one choice. But *it* may want to look at *dog* to learn who, and at *hungry* to learn what. So let
# several **heads** look at the same time. Each head reads *all* features of every token, through its own, narrower
# $W_Q$, $W_K$ and $W_V$; a last matrix $W_O$ mixes their results:
#
# ![Both tokens, with all their features, go into two heads; head 0 makes its queries, keys and values with the first
# columns of W_Q, W_K and W_V, head 1 with the second; each attends by itself, and the results are joined and multiplied
# by W_O, which gives Y with the rows 0.28, -0.19 and -0.61, 1.86](figures/heads.svg)
#
# With $C$ features and $H$ heads, the queries, keys and values of one head have $d = C / H$ numbers each.
#
# $$\text{head}_h = \text{Attention}\big(X_q W_Q^{(h)},\; X_{kv} W_K^{(h)},\; X_{kv} W_V^{(h)}\big) \qquad
# Y = [\text{head}_0; \ldots; \text{head}_{H-1}]\, W_O$$
#
# It is tempting to think that $X$ is cut into pieces and each head sees its piece. It is not: $W_Q^{(h)}$ is $(C, d)$
# and reads all $C$ features. In practice these $H$ matrices are stored side by side, as the columns $hd$ to $hd+d-1$ of
# one $W_Q$ of shape $(C, C)$: one product $X W_Q$ makes the queries of all heads, and *the product* is split. Queries
# are made from `x_q`, keys and values from `x_kv`: the same tensor in self-attention, two where a decoder looks at an
# encoder (*cross-attention*, chapter 05).
#
# By hand, as drawn: take the $X$, $W_Q$, $W_K$, $W_V$ of exercise 4 and two heads of $d = 1$. Head 0 uses the first
# columns: queries $(-1, 3)$, keys $(2, 1)$, values $(2, -1)$. Its scores are $\begin{bmatrix} -2 & -1 \\ 6 & 3
# \end{bmatrix}$ ($\sqrt d = 1$) and its result is $(-0.1932, 1.8577)$. Head 1 uses the second columns, and its result
# is $(0.2848, -0.6136)$. With $W_O = \begin{bmatrix} 0 & 1 \\ 1 & 0 \end{bmatrix}$ the first row of $Y$ is $(0.2848,
# -0.1932)$, the second $(-0.6136, 1.8577)$.
#
# Here is the split alone: cut the tokens $(1, 2, 3, 4)$ and $(5, 6, 7, 8)$ into two heads. Head 0 gets $(1, 2)$ and
# $(5, 6)$, head 1 $(3, 4)$ and $(7, 8)$. A plain `view(B, H, T, d)` would give head 0 $(1, 2)$ and $(3, 4)$, both from
# the first token: the most common mistake here, and one that trains without complaint.
#
# <details><summary>Plan</summary><code>split_heads</code> cuts the feature axis, and no other, into heads, then brings
# the heads in front of the tokens, (B, H, T, d). <code>merge_heads</code> undoes these two steps, the last one first.
# <code>multi_head_attention</code> projects <code>x_q</code> once and <code>x_kv</code> twice, splits all three, lets
# an earlier function of yours attend in all heads at once, with or without <code>mask</code>, merges, and mixes with
# <code>W_o</code>.</details>
# <details><summary>Hint 1</summary>Split only the last axis: <code>x.reshape(B, T, H, d)</code>, and then swap axes 1
# and 2.</details>
# <details><summary>Hint 2</summary>To merge, swap axes 1 and 2 first, then <code>.reshape(B, T, H * d)</code>
# (<code>view</code> refuses: the rows are no longer in order).</details>

# %% exercise="heads"
def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Return (B, H, T, d) made from (B, T, C): head h holds the features h * d to h * d + d - 1, where d = C / H."""
    ### BEGIN SOLUTION
    B, T, C = x.shape
    return x.reshape(B, T, num_heads, C // num_heads).transpose(1, 2)
    ### END SOLUTION


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Return (B, T, C) made from (B, H, T, d), the features of head 0 first: the reverse of split_heads."""
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
    """Return (result (B, T_q, C), weights of all heads (B, H, T_q, T_k)); the dtype is kept, gradients flow.

    x_q (B, T_q, C): the tokens that ask; x_kv (B, T_k, C): those that they look at; W_q, W_k, W_v, W_o (C, C);
    the scale is that of one head, 1 / sqrt(d); mask: bool as in exercise 6, broadcast to (B, H, T_q, T_k), or None;
    where a query may see nothing in a head, its weights there are 0, and the head adds 0 to the result.
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

# %% check="heads" points=6

# %% [markdown]
# Does torch's own layer give the same result? Copy its weights and compare. `nn.MultiheadAttention` stacks the three
# matrices into one and stores them transposed, as `nn.Linear` does ($y = x W^\top$):

# %% show
layer = nn.MultiheadAttention(32, 4, bias=False, batch_first=True).requires_grad_(False)
W = [w.T for w in layer.in_proj_weight.chunk(3)] + [layer.out_proj.weight.T]
x = torch.randn(3, 7, 32, generator=rng)
theirs, their_weights = layer(x, x, x, attn_mask=~causal_mask(7), average_attn_weights=False)
ours, our_weights = multi_head_attention(x, x, *W, num_heads=4, mask=causal_mask(7))
print(f"largest difference from nn.MultiheadAttention: {(ours - theirs).abs().max():.1e} in the result, "
      f"{(our_weights - their_weights).abs().max():.1e} in the weights")

# %% [markdown]
# # Part two: order, and the price
#
# You now have the layer that is part of every transformer. After a break, you will see what it does not know and what
# it costs.
#
# ## Exercise 8: order is lost, and put back (`positions`)
#
# 15 minutes, ★★, 7 points
#
# "The dog ate the fish" and "the fish ate the dog" use the same words. An RNN reads them in order and notices the
# difference. Does self-attention? Each output is a weighted average over *all* tokens, and the order of the terms does
# not change an average. Shuffle the tokens and you get the same rows, shuffled in the same way: the layer $f$ is
# **equivariant** to permutations, $f(X)[\text{order}] = f(X[\text{order}])$.
#
# The same fact has a good side. Because no weight belongs to a position, the number of weights does not grow with the
# length. A *dense* layer joins each of $T \cdot C$ numbers to each of $T \cdot C$ others: for a paragraph of 37 words
# with 1,024 numbers each, it needs $37{,}888^2 = 1.4$ billion weights. $W_Q$, $W_K$, $W_V$ and $W_O$ together have 4.2
# million, for that paragraph and for a whole book alike.
#
# If the layer cannot tell positions apart, write the position into the token: add to each token a vector that stands
# for its position, once, before the first layer. The vector may be learned, one row of a table for each position
# (GPT-2, BERT). Or it may be computed, as in the first transformer, the way a clock tells the time with hands of
# different speeds.
#
# ![Four clocks: the fast hand turns by one radian with each position, the slow one hardly moves; below each the sines
# and cosines of both](figures/clock.svg)
#
# With width $C$ (even) and base 10,000, position $p$ has for $i = 0, \ldots, C/2 - 1$
#
# $$P_{p,\,2i} = \sin\!\big(p \,/\, 10000^{2i/C}\big) \qquad P_{p,\,2i+1} = \cos\!\big(p \,/\, 10000^{2i/C}\big)$$
#
# The first pair makes a full turn in about six positions, and the last pair hardly moves.
#
# By hand, the gap: let the layer be the running sum of the rows, with $x = (1, 2, 3)$ as a column and the order $(2, 0,
# 1)$. The layer gives $(1, 3, 6)$; shuffled, that is $(6, 1, 3)$. The shuffled rows are $(3, 1, 2)$, and the layer
# turns them into $(3, 4, 6)$. The differences are 3, -3, -3; the gap is 3, so a running sum does care about the order.
#
# By hand, as drawn: with width 4, position 1 is
# $(\sin 1, \cos 1, \sin 0.01, \cos 0.01) = (0.8415, 0.5403, 0.0100, 1.0000)$, and position 0 is $(0, 1, 0, 1)$.
#
# <details><summary>Plan</summary><code>equivariance_gap</code> shuffles twice, once what the <code>layer</code> returns
# and once what it is given (<code>x[order]</code> takes the rows in that order), and looks for the largest distance
# between the two results, entry by entry. <code>sinusoidal_positions</code> makes one rate for each pair of features,
# (C/2,), and an angle for every position at every rate, (T, C/2); then find a way for sines and cosines to alternate
# along the width, (T, C). <code>add_positions</code> takes as many rows of the <code>table</code> as there are tokens,
# from <code>start</code> on, and adds them to every text of the batch.</details>
# <details><summary>Hint 1</summary>The angles are an outer product: <code>positions[:, None] * rates</code> has shape
# (T, C/2).</details>
# <details><summary>Hint 2</summary><code>rates = base ** (-torch.arange(0, width, 2) / width)</code></details>

# %% exercise="positions"
def equivariance_gap(layer, x: torch.Tensor, order: torch.Tensor) -> float:
    """Return the largest absolute difference between the entries of layer(x)[order] and of layer(x[order]).

    layer: a function from (T, C) to (T, C'); x (T, C); order (T,): a permutation of 0 ... T - 1.
    """
    ### BEGIN SOLUTION
    return float((layer(x)[order] - layer(x[order])).abs().max())
    ### END SOLUTION


def sinusoidal_positions(length: int, width: int, base: float = 10_000.0) -> torch.Tensor:
    """Return (T, C) in float32: sine and cosine of p / base^(2i / C), alternating along the width; C is even."""
    ### BEGIN SOLUTION
    rates = base ** (-torch.arange(0, width, 2) / width)  # (C/2,)
    angles = torch.arange(length)[:, None] * rates  # (T, C/2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
    ### END SOLUTION


def add_positions(embedded: torch.Tensor, table: torch.Tensor, start: int = 0) -> torch.Tensor:
    """Return the tokens plus their positions' rows; both have one dtype, which is kept, and gradients reach both.

    embedded (B, T, C); table (L, C), learned or computed, perhaps with more rows than are needed;
    start: the position of the first token, 0 for a whole text and larger where a text continues.
    """
    ### BEGIN SOLUTION
    return embedded + table[start : start + embedded.shape[1]]
    ### END SOLUTION

# %% check="positions" points=7

# %% [markdown]
# Measure the gap of self-attention without and with positions, and look at the clock as a table:

# %% show
from helpers.chapters.attention.figures import position_differences, position_table

def plain(x: torch.Tensor) -> torch.Tensor:  # self-attention without positions, (T, C) to (T, C)
    return attention(x @ W_q, x @ W_k, x @ W_v)[0]

x, order = torch.randn(6, 32, generator=rng), torch.tensor([5, 0, 3, 1, 4, 2])
clock = sinusoidal_positions(64, 32)
placed = equivariance_gap(lambda x: plain(add_positions(x[None], clock)[0]), x, order)
print(f"gap of self-attention {equivariance_gap(plain, x, order):.1e}, with positions {placed:.2f}")
plots.show(*position_table(clock))

# %% [markdown]
# ## Exercise 9: only differences matter (`relative`)
#
# 20 minutes, ★★★, 7 points
#
# It matters little that *fish* is the fifth word. It matters a lot that it comes two words after *ate*, whether on page
# one or on page ninety. There are two ways to make attention depend on differences alone:
#
# **A bias on the scores.** Each head has one learned number for each difference $j - i$ between a key's and a query's
# position; a key that is farther away than $m$ counts as $m$ away. The number is added to the score. The clipping is
# from [Shaw and others (2018)](https://arxiv.org/abs/1803.02155), who add learned *vectors* to keys and values; the
# single number is T5's ([Raffel and others, 2019](https://arxiv.org/abs/1910.10683)), where far differences share a
# number, in ever wider ranges; ALiBi ([Press and others, 2021](https://arxiv.org/abs/2108.12409)) learns nothing: it
# subtracts the distance times a fixed slope.
#
# **Rotation of queries and keys**, RoPE ([Su and others, 2021](https://arxiv.org/abs/2104.09864); Llama and most models
# since). Take two neighbouring features as a point in the plane, and turn it by an angle that grows with the position.
# If a query and a key are turned by the same angle, their dot product does not change. So it depends only on the
# *difference* of their positions:
#
# ![The vector (1, 0) at positions 0 to 3 is turned by 30 degrees at each step; a query at 2 with a key at 1 and a
# query at 3 with a key at 2 enclose the same angle](figures/rotation.svg)
#
# $$\begin{pmatrix} x'_{2i} \\ x'_{2i+1} \end{pmatrix} =
# \begin{pmatrix} \cos p\theta_i & -\sin p\theta_i \\ \sin p\theta_i & \cos p\theta_i \end{pmatrix}
# \begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix} \qquad \theta_i = \text{base}^{-2i/d}$$
#
# By hand, a bias with $m = 1$ and the numbers 10, 20, 30 for the differences -1, 0, 1: with three keys, query 0 has the
# differences 0, 1, 2 and gets 20, 30, 30; query 1 has -1, 0, 1 and gets 10, 20, 30. A rotation, as drawn: $\theta =
# \pi/6$ and $x = (1, 0)$. At positions 0 to 3 it becomes $(1, 0)$, $(0.866, 0.5)$, $(0.5, 0.866)$, $(0, 1)$: a quarter
# turn in three steps, counter-clockwise.
#
# **Which pairs?** Here, as in the paper, *neighbours*: (0, 1), (2, 3) and so on. Llama's code in `transformers` pairs
# feature $i$ with feature $i + d/2$ instead. Both are fine, but weights trained with one are useless with the other.
#
# <details><summary>Plan</summary><code>relative_bias</code> makes a table of all differences, (T_q, T_k), clips them,
# and turns each into the number of a column in <code>table</code>. <code>rotary_angles</code> brings every position
# together with every rate, (T, d/2), as in exercise 8. <code>rotate_pairs</code> takes the two features of each pair
# apart, turns them by the formula, and makes them neighbours again, (..., T, d).</details>
# <details><summary>Hint 1</summary>The differences: <code>torch.arange(len_k) - torch.arange(len_q)[:, None]</code>;
# then <code>.clamp(-m, m) + m</code> is the column of the table.</details>
# <details><summary>Hint 2</summary><code>even, odd = x[..., 0::2], x[..., 1::2]</code> takes the pairs apart.</details>

# %% exercise="relative"
def relative_bias(table: torch.Tensor, len_q: int, len_k: int) -> torch.Tensor:
    """Return (H, T_q, T_k): at (h, i, j) the table's number for the difference j - i, clipped to -m ... m.

    table: (H, 2m + 1), its columns for the differences -m, ..., 0, ..., m; its dtype is kept, gradients reach it.
    """
    ### BEGIN SOLUTION
    m = table.shape[1] // 2
    differences = torch.arange(len_k) - torch.arange(len_q)[:, None]  # (T_q, T_k)
    return table[:, differences.clamp(-m, m) + m]
    ### END SOLUTION


def rotary_angles(positions: torch.Tensor, width: int, base: float = 10_000.0) -> torch.Tensor:
    """Return (T, d/2): the angle p * base^(-2i / d) of each position and each pair i of d = `width` features.

    positions: (T,), any numbers, not only 0 ... T - 1; integers give float32, floats keep their dtype.
    """
    ### BEGIN SOLUTION
    return positions[:, None] * base ** (-torch.arange(0, width, 2) / width)
    ### END SOLUTION


def rotate_pairs(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    """Return x (..., T, d) with each pair of neighbouring features turned by its angle, counter-clockwise.

    angles: (T, d/2), of the dtype of x, which is kept; gradients reach x.
    """
    ### BEGIN SOLUTION
    even, odd = x[..., 0::2], x[..., 1::2]
    cos, sin = angles.cos(), angles.sin()
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
    ### END SOLUTION

# %% check="relative" points=7

# %% [markdown]
# The figure shows the same query at positions 20 and 35 and the same key at each of 60 positions. With RoPE the curve
# moves with the query and keeps its shape; with added positions its shape changes.

# %% show
q, k = torch.randn(64, generator=rng), torch.randn(64, generator=rng)
angles, clock = rotary_angles(torch.arange(60.0), 64), sinusoidal_positions(60, 64)
turned = rotate_pairs(q.repeat(60, 1), angles) @ rotate_pairs(k.repeat(60, 1), angles).T  # (60, 60): q's position, k's
added = (q + clock) @ (k + clock).T
plots.show(*position_differences(turned, added))

# %% [markdown]
# ## Exercise 10: one layer of all of it (`layer`)
#
# 15 minutes, ★★, 4 points
#
# Your functions take weights as arguments; a module can own them. Put the pieces together in one module: it holds the
# matrices and the biases, projects, splits, turns, attends, merges and mixes. Its weights have the names and shapes
# that `nn.MultiheadAttention` gives them, so each can load what the other has learned:
#
# | name | shape | what it is |
# |---|---|---|
# | `in_proj_weight` | $(3C, C)$ | $W_Q^\top$, $W_K^\top$ and $W_V^\top$, one below the other |
# | `in_proj_bias` | $(3C)$ | what is added to queries, keys and values |
# | `out_proj` | an `nn.Linear` from $C$ to $C$ | $W_O^\top$ and its bias |
#
# They are stored as `nn.Linear` stores its own, so a projection is $x W^\top + b$: `F.linear(x, W, b)`. Rotation is
# applied after the split and before the scores, to queries and keys alone: the scores depend on positions, the values
# do not.
#
# By hand: take $C = 2$, two heads, the identity three times, one below the other, as `in_proj_weight`, the identity as
# `out_proj.weight`, and all biases 0. The tokens $(1, 0)$ and $(0, 2)$, *it* and *dog*, are their own queries, keys and
# values. In head 0 the scores are $\begin{bmatrix} 1 & 0 \\ 0 & 0 \end{bmatrix}$ and the results 0.7311 and 0.5; in
# head 1 the scores are $\begin{bmatrix} 0 & 0 \\ 0 & 4 \end{bmatrix}$ and the results 1 and 1.9640. So the layer gives
# $(0.7311, 1)$ and $(0.5, 1.9640)$.
#
# <details><summary>Plan</summary>In <code>__init__</code> keep the number of heads and make the three attributes of the
# table; <code>nn.Parameter</code> makes a tensor known to the module. In <code>forward</code> cut matrix and bias in
# three, project <code>x</code> once and <code>memory</code> twice, and split all three. Turn queries and keys if there
# are <code>angles</code>. Attend with or without <code>mask</code>, merge, and send the result through
# <code>out_proj</code>.</details>
# <details><summary>Hint</summary><code>self.in_proj_weight.chunk(3)</code> gives three tensors (C, C).</details>

# %% exercise="layer"
class MultiHeadAttention(nn.Module):
    """Multi-head attention that owns its weights, which are named as in nn.MultiheadAttention.

    - Parameters: in_proj_weight (3C, C), in_proj_bias (3C,), out_proj.weight (C, C), out_proj.bias (C,); nothing else.
    - in_proj_weight begins random (nn.init.xavier_uniform_), in_proj_bias at 0, out_proj as nn.Linear makes it.
    """

    def __init__(self, d_model: int, num_heads: int):
        super().__init__()
        ### BEGIN SOLUTION
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(nn.init.xavier_uniform_(torch.empty(3 * d_model, d_model)))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * d_model))
        self.out_proj = nn.Linear(d_model, d_model)
        ### END SOLUTION

    def forward(self, x: torch.Tensor, memory: torch.Tensor, mask=None, angles=None) -> torch.Tensor:
        """Return (B, T, C) for tokens x (B, T, C) that ask and memory (B, S, C) that they look at; gradients flow.

        mask: bool as in exercise 6, True where a key may be seen, or None; a query that sees nothing adds nothing, and
        out_proj.bias alone comes out;
        angles: (T, d/2) by which queries and keys of every head are turned, as in exercise 9 (S is T then), or None.
        """
        ### BEGIN SOLUTION
        matrices, biases = self.in_proj_weight.chunk(3), self.in_proj_bias.chunk(3)
        projected = [F.linear(y, W, b) for y, W, b in zip((x, memory, memory), matrices, biases, strict=True)]
        queries, keys, values = (split_heads(y, self.num_heads) for y in projected)  # (B, H, T, d)
        if angles is not None:
            queries, keys = rotate_pairs(queries, angles), rotate_pairs(keys, angles)
        if mask is None:
            mixed, _ = attention(queries, keys, values)
        else:
            mixed, _ = masked_attention(queries, keys, values, mask)
        return self.out_proj(merge_heads(mixed))
        ### END SOLUTION

# %% given
def layer_slopes(layer: nn.Module, *given) -> dict:  # what the check asks for: gradients of squared results, by name
    layer.zero_grad()
    layer(*given).square().sum().backward()
    return {name: weight.grad for name, weight in layer.named_parameters()}

# %% check="layer" points=4

# %% [markdown]
# From the next chapter on we use the course library's attention, `helpers.models.functional.attention`, which takes the
# same weights by name. Your layer gives the same numbers:

# %% show
from helpers.models import functional

layer = MultiHeadAttention(32, 4)
by_name = {f"self_attn.{name}": weight.detach() for name, weight in layer.named_parameters()}
x, mask = torch.randn(3, 7, 32, generator=rng), causal_mask(7)
gap = (layer(x, x, mask) - functional.attention(x, x, by_name, "self_attn", 4, mask)).abs().max()
print(f"largest difference from what chapter 05 uses: {gap:.1e}")

# %% [markdown]
# ## Exercise 11: longer than in training (`longer`)
#
# 20 minutes, ★★, 4 points
#
# A model was trained on texts of 8,192 tokens, and your report has 30,000. Rotation needs no table, so nothing stops
# you from turning queries and keys at position 20,000. The result is usually nonsense. Why? In training the fast pairs
# went through all angles many times. The slow pairs never made a full turn: beyond the trained length they reach angles
# that the weights have never seen.
#
# ![Dials of a fast and a slow pair at position 16, trained up to 8: plain rotation takes the slow hand beyond the
# angles seen in training; interpolation halves both angles; a larger base halves only the slow one](figures/longer.svg)
#
# There are three repairs, and none of them needs training. The text is $s$ times as long as the `trained` length:
#
# 1. **Position interpolation** ([Chen and others, 2023](https://arxiv.org/abs/2306.15595)): divide the positions by
#    $s$. No angle is new. But neighbours are now $1/s$ of a step apart, and the model has learned whole steps.
# 2. **A larger base**, known as NTK-aware scaling: $\text{base} \cdot s^{d/(d-2)}$. The exponent is chosen so that the
#    fastest pair keeps its rate and the slowest is slowed by exactly $s$; those between are slowed by less than $s$.
# 3. **By parts** ([YaRN, Peng and others, 2023](https://arxiv.org/abs/2309.00071); Llama 3.1 does the same): ask each
#    pair how many turns it makes over the trained length, $r_i = \text{trained} \cdot \theta_i / 2\pi$. If it makes
#    many turns, keep its rate. If it makes few, divide the rate by $s$. In between, mix the two:
#
# $$\theta'_i = \gamma_i\, \theta_i + (1 - \gamma_i)\, \frac{\theta_i}{s} \qquad
# \gamma_i = \min\!\Big(1, \max\!\Big(0, \frac{r_i - \text{low}}{\text{high} - \text{low}}\Big)\Big)$$
#
# (YaRN also makes the softmax a little sharper; we leave that out.)
#
# By hand, as drawn: $d = 4$, base 16, so $\theta = (1, 0.25)$; trained up to 8, $s = 2$, position 16. Plain rotation
# turns by $(16, 4)$; in training the slow pair went up to $8 \cdot 0.25 = 2$. Interpolation gives $(8, 2)$. The larger
# base is $16 \cdot 2^{4/2} = 64$ and gives $(16, 2)$. By parts, with low 0.5 and high 2: the pairs make 1.2732 and
# 0.3183 turns, so $\gamma = (0.5155, 0)$, the rates are $(0.7577, 0.125)$ and the angles $(12.1239, 2)$.
#
# <details><summary>Plan</summary>The first two each call <code>rotary_angles</code> once, with other positions or with
# another base. <code>angles_by_parts</code> needs the rates themselves, (d/2,): from them the turns, from these the
# share of each pair, between 0 and 1, and with that the mixture of both rates; positions times new rates are the
# angles, (T, d/2).</details>
# <details><summary>Hint</summary>The rates are the angles of position 1.</details>

# %% exercise="longer"
def interpolated_angles(positions: torch.Tensor, width: int, factor: float, base: float = 10_000.0) -> torch.Tensor:
    """Return the angles (T, d/2) after position interpolation; factor: s, any number from 1 up.

    In all three functions the positions are as in rotary_angles: integers give float32, floats keep their dtype.
    """
    ### BEGIN SOLUTION
    return rotary_angles(positions / factor, width, base)
    ### END SOLUTION


def larger_base_angles(positions: torch.Tensor, width: int, factor: float, base: float = 10_000.0) -> torch.Tensor:
    """Return the angles (T, d/2) with the larger base; width: d, 4 or more."""
    ### BEGIN SOLUTION
    return rotary_angles(positions, width, base * factor ** (width / (width - 2)))
    ### END SOLUTION


def angles_by_parts(
    positions: torch.Tensor,
    width: int,
    factor: float,
    trained: int,
    low: float = 1.0,
    high: float = 32.0,
    base: float = 10_000.0,
) -> torch.Tensor:
    """Return the angles (T, d/2) by parts; trained: the length of the texts that the model has learned from.

    low, high: a pair that makes at most `low` turns over that length is slowed by the factor, one that makes `high` or
    more keeps its rate; low is less than high.
    """
    ### BEGIN SOLUTION
    rates = rotary_angles(positions.new_ones(1), width, base)[0]  # (d/2,)
    turns = trained * rates / (2 * math.pi)
    kept = ((turns - low) / (high - low)).clamp(0, 1)
    return positions[:, None] * (kept * rates + (1 - kept) * rates / factor)
    ### END SOLUTION

# %% check="longer" points=4

# %% [markdown]
# Try the repairs on a model. Your layer reads 16 pairs of a name and a digit, and answers one of two questions: which
# digit belongs to a given name, wherever it was (*look up*), or which digit was three positions back (*count back*)?
# The first question needs the whole text, the second needs exact distances. The model learns on texts of 16 pairs and
# is tested on texts of 16, 32 and 64. There is a simple rival, too: let each token see only the last 16 tokens, so that
# no distance is new.

# %% show
from helpers.chapters.attention import longer

STEPS = 600  ### small: 20
BASE, LOW, HIGH = 100.0, 0.5, 2.0  # a small base for short texts: the fastest pair makes 2.5 turns over 16 positions
usual = partial(rotary_angles, width=longer.HEAD, base=BASE)
repairs = {
    "as trained": lambda positions, factor: usual(positions),
    "interpolated": partial(interpolated_angles, width=longer.HEAD, base=BASE),
    "larger base": partial(larger_base_angles, width=longer.HEAD, base=BASE),
    "by parts": partial(angles_by_parts, width=longer.HEAD, trained=longer.TRAINED, low=LOW, high=HIGH, base=BASE),
}
reader = longer.train(MultiHeadAttention, usual, STEPS)
found = longer.measure(reader, repairs)
print(longer.table(found))
### BEGIN CLAIMS
for task, rival in [("look up", "a window"), ("count back", "interpolated")]:
    best, other = found["by parts", task][-1], found[rival, task][-1]
    claim(f"Texts of four times the trained length, {task}: rotation by parts above {rival}", best, other)
### END CLAIMS

# %% [markdown]
# Compare the texts of 64 pairs. Used as it was trained, the model fails at both tasks. The window counts back perfectly
# and cannot look up what it does not see. Interpolation looks up but can no longer count back. The larger base is in
# between on both tasks. Only rotation by parts does well at both, with 0.88 each (over five seeds, 0.87 to 0.94 looking
# up and 0.85 to 0.89 counting back): it alone leaves the fastest pairs as they are and slows the slowest by the full
# factor. In each task one rival is still ahead of it, interpolation with 0.93 and the window with 1.00. Its two bounds
# were chosen for this model from three candidates: with `low` 1 and `high` 4, as in Llama 3.1, all but the two fastest
# of the eight pairs of features would be slowed by the full factor, and the model would count back no better than with
# interpolation. In practice a model is also trained for a while on longer texts after the change.

# %% [markdown]
# ## The benchmarks: a classifier of attention alone
#
# Words are embedded, positions are added, one layer of your multi-head attention lets each word look at the others, and
# a learned query pools the results: attention again, with a single query. A linear layer decides. The control has no
# attention: it takes the mean of the embedded words. Both begin with random weights and learn only from the labelled
# examples.

# %% show
def attend(x: torch.Tensor, present: torch.Tensor, matrices, query: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (a vector for each message (B, C), weights (B, H, T, T)) of embedded words x (B, T, C)."""
    x = add_positions(x, 0.3 * sinusoidal_positions(64, 32).to(x.device))  # 0.3: weaker than words
    mixed, weights = multi_head_attention(x, x, *matrices, num_heads=4, mask=present[:, None, None])
    pooled, _ = masked_attention(query.expand(len(x), 1, -1), x + mixed, x + mixed, present[:, None])  # (B, 1, C)
    return pooled[:, 0], weights

# %% show
STEPS = 500  ### small: 10
EVERY_TEXT = 1  # with 20, one of twenty intents and messages  ### small: 20
attentive = word_classifiers.WordClassifier(attend, STEPS)
benchmarks.take("04", "self-attention, pooled by attention", attentive, every=EVERY_TEXT)
benchmarks.take("04", "mean of trained embeddings", word_classifiers.WordClassifier(None, STEPS), every=EVERY_TEXT)
benchmarks.show("04")

# %% [markdown]
# Compare the rows. With one or five labels per intent the plain mean of the words beats attention; with ten they are
# level. The mean is a little ahead on the inbox, and attention is on the SMS set, but the splits differ by about as
# much. Counting is as good on both and far better on CLINC150: chapter 01's TF-IDF with a logistic regression reaches
# 0.40, 0.72 and 0.80 with 1, 5 and 10 labels, while attention here reaches 0.14, 0.41 and 0.51. It is tempting to say
# that the meaning of the words is missing. But TF-IDF knows no meanings, and neither do the *random* vectors of chapter
# 02, whose mean reaches 0.29, 0.55 and 0.63. Those two fit one linear layer on fixed features; this network must learn
# its features from the same few examples. Is that the cause? We have not tested it, and a better recipe might close the
# gap.
#
# What do the four heads look at? Here is one spam message of the test part, and below it the F1 that remains without
# each head: a head is pruned by setting its rows of $W_O$ to zero, since only they pass its result on ([Michel, Levy
# and Neubig, 2019](https://arxiv.org/abs/1905.10650)).

# %% show
inbox_train, inbox_test = data.load("inbox").without_repeats().split(test=0.2, seed=SEED)
spam_filter = attentive.train(inbox_train.texts, inbox_train.labels, SEED)
message = word_classifiers.first_spam(inbox_test, 8, 12)  # its words, 8 to 12 of them
weights = word_classifiers.looks(spam_filter, message)  # (H, T, T)
fig, alt = plots.attention(weights, message)
plots.show(fig, f"What the four heads look at in a spam message of the test part. {alt}")
print(word_classifiers.favourites(weights, message))

# %% show
table = head_pruning.prune_heads(spam_filter.matrices[3], 4, lambda: word_classifiers.spam_f1(spam_filter, inbox_test))
plots.show(*head_bars(table))
print("\n".join(f"{name:<16} F1 {found:.3f}" for name, found in table.items()))

# %% [markdown]
# ## What it costs
#
# Every token looks at every token, and that makes a table of $T \times T$. Twice the length means four times the work
# *and* four times the memory. At 100,000 tokens one head's table in 16 bits is 20 GB. The work cannot be avoided as
# long as every token looks at every other. The memory can.
#
# ![Four tokens have 16 scores, eight have 64; in tiles of keys, only one strip of the table exists at a
# time](figures/square.svg)
#
# ## Exercise 12: softmax in tiles (`tiles`)
#
# 25 minutes, ★★★, 6 points
#
# You can update an average while numbers arrive one by one: keep a sum and a count. A *softmax-weighted* average needs
# one thing more, because the largest score, which you subtract, may still change. So for each query keep three things
# about the keys seen so far: the largest score $m$, the total $\ell = \sum_j e^{s_j - m}$ and the sum $o = \sum_j
# e^{s_j - m} v_j$. When a tile brings a larger maximum $m'$, multiply both sums by $e^{m - m'}$ to correct them.
#
# ![At the start minus infinity, 0 and 0 are kept; after the score 0 it is 0, 1, 0, with nothing of what was there; the
# score 0.69 halves what was kept and adds its own: 0.69, 1.5, 0.69; the output is 0.4621](figures/tiles.svg)
#
# $$m' = \max(m, \max_j s_j) \qquad \ell' = e^{m - m'}\,\ell + \sum_j e^{s_j - m'} \qquad
# o' = e^{m - m'}\, o + \sum_j e^{s_j - m'} v_j$$
#
# At the start $m = -\infty$, $\ell = 0$, $o = 0$, and $e^{-\infty} = 0$; at the end $o / \ell$ is the output, and it is
# *exact*, not an approximation. The method is called **online softmax** ([Milakov and Gimelshein,
# 2018](https://arxiv.org/abs/1805.02867)), and it is the heart of FlashAttention ([Dao and others,
# 2022](https://arxiv.org/abs/2205.14135)).
#
# By hand, as drawn, with values $v = s$: first the score $0$, then $\ln 2 = 0.69$. After the first score: $m = 0$,
# $\ell = 1$, $o = 0$. After the second score: $m' = \ln 2$, the correction is $1/2$, so $\ell' = 0.5 + 1 = 1.5$ and $o'
# = 0 + \ln 2 = 0.6931$; the output is $0.6931 / 1.5 = 0.4621$, as softmax says: $\tfrac13 \cdot 0 + \tfrac23 \ln 2$.
#
# <details><summary>Plan</summary><code>add_tile</code> finds each query's new maximum before anything else; with it,
# correct the two sums, then add the terms of the new <code>scores</code>, (T_q, n). <code>tiled_attention</code> starts
# from the three values in the text, scores the keys of one tile at a time, hands them on with their values to
# <code>add_tile</code>, and divides once, after the last tile.</details>
# <details><summary>Hint 1</summary><code>new = torch.maximum(maximum, scores.amax(dim=-1))</code></details>
# <details><summary>Hint 2</summary><code>correction = torch.exp(maximum - new)</code> is 0 at the first tile, since
# exp(-inf) is 0.</details>

# %% given
from helpers.course import call_cost

def memory_of(function, *args) -> float:  # what the check asks for: the most MB that the tensors of a call held at once
    return call_cost.memory_of(function, *args)

# %% exercise="tiles"
def add_tile(
    maximum: torch.Tensor, total: torch.Tensor, output: torch.Tensor, scores: torch.Tensor, values: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (maximum (T_q,), total (T_q,), output (T_q, d_v)) after one more tile of keys.

    maximum, total (T_q,); output (T_q, d_v), not yet divided; scores (T_q, n), values (n, d_v) of the n new keys.
    """
    ### BEGIN SOLUTION
    new = torch.maximum(maximum, scores.amax(dim=-1))
    correction = torch.exp(maximum - new)
    exps = torch.exp(scores - new[:, None])  # (T_q, n)
    return new, correction * total + exps.sum(dim=-1), correction[:, None] * output + exps @ values
    ### END SOLUTION


def tiled_attention(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, tile: int = 128) -> torch.Tensor:
    """Return attention(queries, keys, values)[0], (T_q, d_v), in tiles of `tile` keys; the last may be shorter.

    queries (T_q, d_k), keys (T_k, d_k), values (T_k, d_v): no leading axes; the dtype is kept.
    Neither a table (T_q, T_k) nor all its tiles may exist at once: the check measures with `memory_of` the most MB
    that a call's tensors hold at one time. For 128 or more queries and keys in tiles of 8 it must be less than the
    float32 table takes. Take exponentials tile by tile: the check counts how many are taken at once, and allows those
    of two tiles.
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
# Compare three ways for one head of size 64: *plain* is your exercise 5, *tiled* your exercise 12, and *torch* is the
# library's own function. Memory means the tensors that a call makes (for torch, not those inside its function);
# "refused" means that the call asked for more than the limit.

# %% show
from helpers.chapters.attention.attention_cost import cache_table, cost_table, measure_costs
from helpers.chapters.attention.figures import cache_sizes, cost_curves

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
# ## Exercise 13: see less, keep less (`sharing`)
#
# 25 minutes, ★★, 8 points
#
# A language model writes one token after another. The keys and values of earlier tokens do not change, so it keeps them
# in the **KV cache**. A new token brings one query, one key and one value.
#
# ![Keys and values of the, dog and ate are kept; the new token fish adds its own pair, and its query asks all four
# keys](figures/cache.svg)
#
# There is no table of $T \times T$ any more, but the cache grows with every token and every user. There are three ways
# to keep less:
#
# ![Four heads of queries with four, two and one heads of keys and values; and a mask with a window of 2 and one
# sink](figures/sharing.svg)
#
# **Share the heads of keys and values.** There are $H$ heads of queries, but only $G$ heads of keys and values (*KV
# heads*, in the papers); the first $H/G$ heads of queries use the first head of keys, the next $H/G$ the second, and so
# on. $G = H$ is multi-head attention, $G = 1$ is multi-query ([Shazeer, 2019](https://arxiv.org/abs/1911.02150)), and
# anything between is grouped-query attention ([Ainslie and others, 2023](https://arxiv.org/abs/2305.13245)), which most
# open models use today.
#
# **See a window.** Token $i$ sees itself and the tokens just before it, `window` of them in total. Heads with nothing
# to look for may park their weight on the first few tokens, the **attention sinks** ([Xiao and others,
# 2023](https://arxiv.org/abs/2309.17453)), so keep these as well. Does every model need them? You will test docs-gpt
# below; chapter 11 (`sinks`) shows a model that needs them.
#
# **Keep a summary.** Multi-head *latent* attention ([DeepSeek-V2, 2024](https://arxiv.org/abs/2405.04434)) makes keys
# and values of all heads from one narrow vector, $[K; V] = c\,W$ with $c = x W_c$ of $r$ numbers, and keeps only $c$;
# one rotated key of $p$ numbers, shared by all heads, carries the positions. You will build it in chapter 11
# (`latent`).
#
# | kind | what is kept in each layer | numbers per token and layer |
# |---|---|---|
# | `"mha"` | keys and values of all $H$ heads of width $d$ | $2 H d$ |
# | `"gqa"` | keys and values of $G$ groups | $2 G d$ |
# | `"mqa"` | keys and values of one head | $2 d$ |
# | `"mla"` | one latent vector, and the key's rotated part | $r + p$ |
# | `"window"` | as `"mha"`, but only the last $w$ tokens and the first $s$ | $2 H d$, for at most $w + s$ tokens |
#
# By hand, as drawn: `sink_mask(4, 2, 1)` has the last row (True, False, True, True). With $H = 4$ and $G = 2$ the heads
# of keys are used in the order 0, 0, 1, 1. With 3 layers, 6 heads of width 8, 2 bytes per number and 10 tokens, `"mha"`
# keeps $2 \cdot 6 \cdot 8 = 96$ numbers per token and layer, $96 \cdot 3 \cdot 2 = 576$ bytes per token, and 5,760
# bytes in all. With a window of 3 and one sink it is $4 \cdot 576 = 2{,}304$, however long the text becomes.
#
# <details><summary>Plan</summary><code>sink_mask</code> compares every position with every other, (T, T), and puts the
# docstring's rule into comparisons. <code>grouped_attention</code> gives each head of queries the keys and values of
# its group, (B, H, T_k, d), in the order of the worked example; then your earlier functions do the rest, with or
# without <code>mask</code>. <code>cache_bytes</code> takes the numbers per token from the table and multiplies, for as
# many tokens as are kept.</details>
# <details><summary>Hint 1</summary>With <code>i = torch.arange(T)[:, None]</code> and <code>j = torch.arange(T)</code>
# the rule can be written as it stands; <code>&amp;</code> and <code>|</code> need brackets.</details>
# <details><summary>Hint 2</summary><code>keys.repeat_interleave(H // G, dim=1)</code> gives 0, 0, 1, 1;
# <code>repeat</code> would give 0, 1, 0, 1.</details>
# <details><summary>Hint 3</summary>A window keeps <code>min(length, window + sinks)</code> tokens.</details>

# %% exercise="sharing"
def sink_mask(length: int, window: int, sinks: int) -> torch.Tensor:
    """Return (T, T) bool: token i sees j <= i if i - j < window or j < sinks; window is at least 1, sinks may be 0."""
    ### BEGIN SOLUTION
    i, j = torch.arange(length)[:, None], torch.arange(length)
    return (j <= i) & ((i - j < window) | (j < sinks))
    ### END SOLUTION


def grouped_attention(
    queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, mask: torch.Tensor | None = None
) -> torch.Tensor:
    """Return the output (B, H, T_q, d) of scaled attention: neighbouring heads of queries share keys and values.

    queries (B, H, T_q, d); keys, values (B, G, T_k, d), H a multiple of G; the dtype is kept, gradients flow;
    mask: bool, broadcast to (B, H, T_q, T_k), True where a key may be seen, or None; a query that sees nothing gets 0.
    """
    ### BEGIN SOLUTION
    share = queries.shape[1] // keys.shape[1]
    keys, values = keys.repeat_interleave(share, dim=1), values.repeat_interleave(share, dim=1)
    if mask is None:
        return attention(queries, keys, values)[0]
    return masked_attention(queries, keys, values, mask)[0]
    ### END SOLUTION


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
    """Return the bytes of the cache of all layers after `length` tokens; kind: "mha", "gqa", "mqa", "mla", "window".

    width: numbers of one head; latent, rotary: the r and p of "mla"; itemsize: bytes of each number.
    Arguments that a kind has no use for are ignored. Raises ValueError for another kind.
    """
    ### BEGIN SOLUTION
    full = 2 * heads * width
    numbers = {"mha": full, "window": full, "gqa": 2 * groups * width, "mqa": 2 * width, "mla": latent + rotary}
    if kind not in numbers:
        raise ValueError(f"there is no kind {kind!r}; there are: {', '.join(numbers)}")
    tokens = min(length, window + sinks) if kind == "window" else length
    return numbers[kind] * layers * itemsize * tokens
    ### END SOLUTION

# %% check="sharing" points=8

# %% [markdown]
# How much does a window cost a trained model? docs-gpt reads documents that are new to it, with *your*
# `grouped_attention` in place of its own, and sees what your `sink_mask` allows. The table has the loss of tokens 128
# to 255, in nats.

# %% show
from helpers.experiments import windows
from helpers.models.gpt import load_gpt

TEXTS = 24  ### small: 2
kept = {f"{w} tokens, {s} of them sinks": sink_mask(256, w - s, s) for w in (8, 16, 32, 64) for s in (0, 4)}
kept = {"all tokens": causal_mask(256)} | kept
for name, loss in windows.losses(load_gpt(own=False), windows.held_out(TEXTS), grouped_attention, kept).items():
    print(f"{name:<28}{loss:.3f}")

# %% [markdown]
# Most of the information about the next token is close by, so a growing window soon does almost as well as full
# attention. And at equal size the sinks do not help here: for this small model four recent tokens are worth more than
# the first four. The next table shows the cache of real configurations at 32,768 tokens in 16 bits, computed by your
# function. The first line is Llama-2-7B; the next two change its heads of keys as Llama-3 and PaLM do; the fourth is
# DeepSeek-V2, a much larger model.

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
# 15 minutes, ★★★, 4 points
#
# We left RNNs because their state has a fixed size. Now the cache grows without end, and a state of fixed size looks
# attractive again. Softmax needs each query together with each key. Replace $e^{q \cdot k}$ by a product $\phi(q) \cdot
# \phi(k)$ with $\phi(x) = \text{elu}(x) + 1$, which is positive, and the sums can be regrouped ([Katharopoulos and
# others, 2020](https://arxiv.org/abs/2006.16236)): *first* add up the contributions of keys and values, then let each
# query ask the sum.
#
# ![With queries and keys 0 the state goes from S = 0, z = 0 to 2, 1 and to 6, 2 as the values 2 and 4 arrive; the
# outputs are 2 and 3](figures/state.svg)
#
# $$o_i = \frac{\sum_{j \le i} \big(\phi(q_i) \cdot \phi(k_j)\big)\, v_j}{\sum_{j \le i} \phi(q_i) \cdot \phi(k_j)}
# = \frac{\phi(q_i)\, S_i}{\phi(q_i) \cdot z_i} \qquad S_i = \sum_{j \le i} \phi(k_j)^\top v_j \qquad
# z_i = \sum_{j \le i} \phi(k_j)$$
#
# The left-hand form is a table of $T \times T$ under a causal mask, which suits training. The right-hand form is a
# recurrent network: each new token changes a state of fixed size, $S$ $(d, d_v)$ and $z$ $(d)$. Both give the same
# numbers.
#
# By hand, as drawn: $d = d_v = 1$ and all queries and keys are 0, so $\phi = 1$, and each output is the mean of the
# values so far. The values 2 and 4 give 2 and 3.
#
# <details><summary>Plan</summary><code>linear_attention</code> sends queries and keys through <code>feature_map</code>,
# makes all their products, (..., T, T), hides the later keys, and divides each row by its sum before it weighs the
# values; no softmax follows, so think about what a hidden product has to be. <code>linear_step</code> first makes the
# new S and z from the key and the value, then lets the query ask both, and divides.</details>
# <details><summary>Hint 1</summary><code>.tril()</code> of the products: here the weights are not normalised by a
# softmax, so a hidden one is simply 0.</details>
# <details><summary>Hint 2</summary><code>torch.outer(feature_map(key), value)</code> is what one token adds to S.
# </details>

# %% given
def feature_map(x: torch.Tensor) -> torch.Tensor:
    """Return elu(x) + 1, which is positive everywhere: x + 1 above 0, exp(x) below."""
    return F.elu(x) + 1

# %% exercise="linear"
def linear_attention(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Return causal linear attention of a whole sequence, preferably by the left-hand form.

    queries, keys (..., T, d), values (..., T, d_v) give (..., T, d_v); the dtype is kept, gradients flow.
    Nothing is scaled, and nothing is added to the denominator.
    """
    ### BEGIN SOLUTION
    weights = dot_scores(feature_map(queries), feature_map(keys)).tril()
    return context_vectors(weights / weights.sum(dim=-1, keepdim=True), values)
    ### END SOLUTION


def linear_step(
    S: torch.Tensor, z: torch.Tensor, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (S, z, output (d_v,)) after one token, by the right-hand form: add the token to S and z before its query
    reads them.

    S (d, d_v) and z (d,), which start at zero and are not changed in place; query and key (d,), value (d_v,);
    the dtype is kept, and gradients reach all five.
    """
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
print(f"mean difference from softmax attention {(whole - soft).abs().mean():.2f}, mean output {soft.abs().mean():.2f}")

# %% [markdown]
# The two forms agree. Linear and softmax attention do not: they are different models, and the linear one is cheaper and
# less selective.
#
# ## What changed since 2017
#
# The formula of exercise 5 is still at the heart of nearly every language model. You have written most of what has
# changed around it (last column: the exercise):
#
# | year | what | why | here |
# |---|---|---|---|
# | 2017 | [multi-head, sinusoids](https://arxiv.org/abs/1706.03762) | all tokens at once | 5, 7, 8 |
# | 2018 | [relative positions](https://arxiv.org/abs/1803.02155) | differences, not positions | 9 |
# | 2019 | [one head of keys (MQA)](https://arxiv.org/abs/1911.02150) | a smaller cache | 13 |
# | 2020 | [windows, few tokens seen by all](https://arxiv.org/abs/2004.05150) | longer texts | 13 |
# | 2020 | [linear attention](https://arxiv.org/abs/2006.16236) | a state of fixed size | 14 |
# | 2020 | [QK-norm](https://arxiv.org/abs/2010.04245), in Qwen3 and Gemma 3 | scores cannot explode | chapter 11 |
# | 2021 | [rotary positions](https://arxiv.org/abs/2104.09864) | differences, nothing to learn | 9, 10 |
# | 2022 | [FlashAttention](https://arxiv.org/abs/2205.14135) | exact, in linear memory | 12 |
# | 2023 | [grouped queries](https://arxiv.org/abs/2305.13245) | a small cache, nearly no loss | 13 |
# | 2023 | [position interpolation](https://arxiv.org/abs/2306.15595) | longer texts | 11 |
# | 2023 | [YaRN](https://arxiv.org/abs/2309.00071) | longer texts, neighbours kept apart | 11 |
# | 2023 | [paged KV cache](https://arxiv.org/abs/2309.06180) | many users share a GPU | |
# | 2023 | [attention sinks](https://arxiv.org/abs/2309.17453) | streams without end | 13, chapter 11 |
# | 2024 | [latent attention](https://arxiv.org/abs/2405.04434) | a cache of low rank | 13, chapter 11 |
# | 2024 | [Mamba-2](https://arxiv.org/abs/2405.21060) | linear attention as a state space | 14, chapter 11 |
# | 2025 | [five local layers to one global](https://arxiv.org/abs/2503.19786) | Gemma 3's cache | 13 |
# | 2025 | [native sparse attention](https://arxiv.org/abs/2502.11089) | learned choice of blocks | |
# | 2025 | [gated attention](https://arxiv.org/abs/2505.06708) | a sigmoid on each head's output; fewer sinks | |
# | 2025 | [a learned number in softmax's sum](https://arxiv.org/abs/2508.10925) | a head may look at nothing | |
# | 2025 | [three linear layers to one full](https://arxiv.org/abs/2510.26692) | a quarter of the cache | 14 |
# | 2025 | [DeepSeek-V3.2's indexer](https://arxiv.org/abs/2512.02556) | a cheap score picks each query's keys | |
#
# The models of 2026 combine these rows: `transformers`, which the course installs, has Qwen3.5 (`models.qwen3_5`: three
# gated linear layers to one of gated softmax attention with QK-norm) and GLM-5 (`models.glm_moe_dsa`: latent attention
# and an indexer). Torch offers FlashAttention inside `scaled_dot_product_attention`, and `flex_attention` for scores
# and masks that you write yourself.
#
# ## Essay 2: what you would pay for
#
# 20 minutes, ★★, 10 points, graded by hand
#
# Give three short answers, each with a number from your own run. (a) *The root.* What do the figure and the table of
# exercise 5 show for scores that are not scaled at $d = 512$, and why is that a bad start for learning? What do they
# show for $1/d$, and why is that a bad start, too? (b) *The heads.* Which head could you drop, and what would it cost?
# If the figure shows a head looking at one striking word, does that head matter most? (c) *The bill.* A phone has 4 GiB
# for the cache of a Llama-2-7B and texts of 32,768 tokens. Which rows of the table fit? What does each of them give up?
# And why does tiled attention not help here, though it needs so much less memory than plain attention? About 200
# words.

# %% [markdown] essay="paying" points=10
# ### BEGIN SOLUTION
# (a) Not scaled, the variance of the scores is about 512 and the entropy of the 64 weights 0.2 of 4.16 nats: nearly all
# weight is on one key, picked by chance. The derivative of a weight near 0 or 1 with respect to its score is nearly 0,
# so the layer hardly learns to prefer another. With 1/d the variance is 1/512 and the entropy 4.16: all weights are
# 1/64. The weights of two queries differ by 0.02, so a query has almost no effect on its result, and for a larger
# effect queries and keys would first have to grow. With the root the entropy is 3.7 and two queries differ by half. (b)
# Head 1 is missed least: without it F1 falls from 0.766 to 0.749. Head 2 has the most striking map ("hour"), yet head
# 3, which prefers no word, is missed more (0.689 against 0.731). A weight is a share of what is read and does not show
# what W_O makes of it. One head alone is not enough (0.694): they share the work. (c) Plain multi-head needs 16 GiB and
# does not fit. Eight heads of keys need exactly 4 GiB, with nothing left, and share each head of keys among four; one
# head needs 0.5 GiB, and all heads of queries then search the same keys. The window needs 2 GiB, however long the text,
# and gives up the text between the sinks and the window. The latent cache is DeepSeek-V2's, another model: 2.1 GiB for
# 60 layers; it gives up rank. Tiles save the table of scores, which exists for a moment. The cache stays from token to
# token.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: variance or entropy read off; saturation means vanishing gradients; 1/d makes all queries get one mean.
# 3 points: a head and its cost from the table; the weights of a map are not importance (or a reasoned objection).
# 2 points: the rows that fit, with their GiB.
# 1 point: what the fitting ones give up.
# 1 point: tiles save the scores of one step, the cache is kept.
# ### END MARK SCHEME

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next
#
# You built scores, softmax and context vectors; a decoder that looks back; queries, keys and values; masks; heads;
# positions; a module that holds it all; rotation for longer texts; tiles; shared keys; and a state of fixed size. Your
# module gives the same numbers as the course library's attention, which we use from here on. What breaks: one layer of
# attention only mixes. Nothing processes the mixture further, and a stack of such layers alone trains badly. [Chapter
# 05](../05_transformers/05_transformers.ipynb) puts a feed-forward network, residual paths and normalisation around it,
# stacks the blocks, and calls the result a transformer. **Saved:** your rows of the leaderboard.

# %% [markdown] text="further"
