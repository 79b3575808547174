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

from helpers import artifacts, data, leaderboard, notebook, plots, translation
from helpers.claims import claim
from helpers.device import SEED, budget
from helpers.training import fit

notebook.prepare()

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
# The check of `scores`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("scores", points=6)
def score(check):
    import torch

    says = {
        "turned": "queries belong in rows and keys in columns: the table is turned round",
        "cosine": "this is the cosine: a dot product is not divided by the lengths of the vectors",
        "scaled": "this score is divided by the square root of d: only the scaled one is",
        "no_scale": "there is no scale: divide by the square root of d",
        "by_d": "you divided by d, not by its square root",
        "times": "you multiplied by the square root of d: divide by it",
        "by_keys": "the root is that of the number of keys; d is the size of a vector, the last axis",
        "by_queries": "the root is that of the number of queries; d is the size of a vector, the last axis",
        "root_scores": "the root was taken of the score; it is taken of d",
        "no_W": "W was left out",
        "W_turned": "W is turned round: q meets its rows and k its columns, q W k",
        "twice": "W was applied to the queries and to the keys: once is enough",
        "no_tanh": "there is no tanh",
        "tanh_last": "tanh was taken of the finished sum; it belongs inside, before v",
        "tanh_each": "tanh was taken of either part alone; add the two first",
        "product": "the parts were multiplied; the additive score adds them",
        "no_v": "v was left out: the entries were only added up",
        "mean_v": "v weighs a sum, not a mean: the score is too small by the factor a",
        "sigmoid": "this is a sigmoid, not a tanh",
        "relu": "this is a ReLU, not a tanh",
        "exchanged": "W_q and W_k are exchanged: W_q belongs to the queries",
        "same": "W_q was used for the keys, too: W_k belongs to the keys",
        "paired": "each query met only the key of its own place: every query meets every key",
        "entries": "the entries were multiplied and not added up: use @",
        "only_q": "the keys' part is missing", "only_k": "the queries' part is missing",
        "minus": "the parts were subtracted; the additive score adds them",
        "softmax": "these are weights, not scores: softmax is the next exercise",
        "cut": "the root was cut to a whole number",
        "axis": "d was read from a fixed axis: count from the end, shape[-1]",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    q, k = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 0.0], [0.0, 1.0]])
    one, swap, v = torch.eye(2), torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.tensor([1.0, 1.0])
    W, half = torch.tensor([[1.0, 2.0], [0.0, -1.0]]), torch.tensor([[0.5, 0.0], [1.0, 0.5]])
    check(dot_scores, q, k).equals([[3.0, 2.0]], **loose, near={
        says["turned"]: [[3.0], [2.0]], says["cosine"]: [[0.4472, 0.8944]], says["scaled"]: [[2.1213, 1.4142]],
        says["by_d"]: [[1.5, 1.0]], says["entries"]: [[3.0, 0.0], [0.0, 2.0]], says["paired"]: [3.0, 2.0],
        says["softmax"]: [[0.7311, 0.2689]],
        "there may be no batch: exchange the last two axes, transpose(-2, -1)": IndexError,
    })
    check(scaled_scores, q, k).equals([[2.1213, 1.4142]], **loose, near={
        says["no_scale"]: [[3.0, 2.0]], says["by_d"]: [[1.5, 1.0]], says["times"]: [[4.2426, 2.8284]],
        says["by_queries"]: [[3.0, 2.0]], says["root_scores"]: [[1.7321, 1.4142]],
        says["cosine"]: [[0.4472, 0.8944]], says["turned"]: [[2.1213], [1.4142]],
        says["cut"]: [[3.0, 2.0]], says["softmax"]: [[0.6698, 0.3302]],
    })
    check(general_scores, q, k, swap).equals([[6.0, 1.0]], **loose, near={
        says["turned"]: [[6.0], [1.0]], says["no_W"]: [[3.0, 2.0]], says["twice"]: [[3.0, 2.0]],
        says["scaled"]: [[4.2426, 0.7071]],
    })
    check(general_scores, q, k, W).equals([[3.0, 0.0]], **loose, near={
        says["turned"]: [[3.0], [0.0]], says["no_W"]: [[3.0, 2.0]], says["W_turned"]: [[15.0, -2.0]],
        says["scaled"]: [[2.1213, 0.0]],
    })
    check(additive_scores, q, k, one, one, v).equals([[1.9634, 1.7566]], **loose, near={
        says["turned"]: [[1.9634], [1.7566]], says["no_tanh"]: [[6.0, 4.0]], says["tanh_last"]: [[1.0, 0.9993]],
        says["tanh_each"]: [[2.7207, 2.4872]], says["product"]: [[0.9951, 0.964]], says["minus"]: [[0.0, 1.5232]],
        says["mean_v"]: [[0.9817, 0.8783]], says["sigmoid"]: [[1.8628, 1.6836]], says["relu"]: [[6.0, 4.0]],
        says["only_q"]: [[1.7256, 1.7256]], says["only_k"]: [[0.9951, 0.7616]], says["paired"]: [1.9634, 1.7566],
    })
    check(additive_scores, q, k, half, W / 4, v * 2).equals([[3.9672, 3.2435]], **loose, near={
        says["turned"]: [[3.9672], [3.2435]], says["no_tanh"]: [[11.5, 6.5]], says["tanh_last"]: [[1.0, 1.0]],
        says["tanh_each"]: [[6.577, 3.0066]], says["product"]: [[3.7184, -0.4898]],
        says["minus"]: [[0.9585, 3.6698]], says["no_v"]: [[1.9836, 1.6218]], says["mean_v"]: [[1.9836, 1.6218]],
        says["sigmoid"]: [[3.7736, 3.2066]], says["relu"]: [[11.5, 6.5]], says["exchanged"]: [[1.8828, 2.6208]],
        says["only_q"]: [[3.4964, 3.4964]], says["only_k"]: [[3.0806, -0.4898]],
        says["same"]: [[3.5218, 3.8067]], says["paired"]: [3.9672, 3.2435],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    axes = "with leading axes (batch, heads) it fails: exchange only the last two axes, and unsqueeze from the end"

    def dot(q, k):
        return torch.einsum("...qd,...kd->...qk", q, k)

    def pairs(q, k, W_q, W_k):
        return (q @ W_q).unsqueeze(-2), (k @ W_k).unsqueeze(-3)

    def additive(q, k, W_q, W_k, v):
        a, b = pairs(q, k, W_q, W_k)
        return (torch.tanh(a + b) * v).sum(-1)

    def changed(function):
        return lambda q, k, W_q, W_k, v: function(*pairs(q, k, W_q, W_k), v)

    roots = {
        says["no_scale"]: dot,
        says["by_d"]: lambda q, k: dot(q, k) / q.shape[-1],
        says["times"]: lambda q, k: dot(q, k) * q.shape[-1] ** 0.5,
        says["by_keys"]: lambda q, k: dot(q, k) / k.shape[-2] ** 0.5,
        says["by_queries"]: lambda q, k: dot(q, k) / q.shape[-2] ** 0.5,
        says["root_scores"]: lambda q, k: dot(q, k).sqrt(),
        "d ** 1 / 2 is d / 2: the root is d ** 0.5": lambda q, k: dot(q, k) / (q.shape[-1] / 2),
        says["cut"]: lambda q, k: dot(q, k) / int(q.shape[-1] ** 0.5),
        says["axis"]: lambda q, k: dot(q, k) / q.shape[1] ** 0.5,
        says["softmax"]: lambda q, k: torch.softmax(dot(q, k) / q.shape[-1] ** 0.5, -1),
        says["cosine"]: lambda q, k: dot(q / q.norm(dim=-1, keepdim=True), k / k.norm(dim=-1, keepdim=True)),
        says["turned"]: lambda q, k: dot(k, q) / q.shape[-1] ** 0.5,
    }
    known = {
        "dot": {
            says["turned"]: lambda q, k: dot(k, q),
            says["cosine"]: roots[says["cosine"]],
            says["scaled"]: lambda q, k: dot(q, k) / q.shape[-1] ** 0.5,
            says["by_d"]: roots[says["by_d"]],
            says["softmax"]: lambda q, k: torch.softmax(dot(q, k), -1),
        },
        "scaled": roots,
        "general": {
            says["turned"]: lambda q, k, W: dot(k, q @ W),
            says["no_W"]: lambda q, k, W: dot(q, k),
            says["W_turned"]: lambda q, k, W: dot(q @ W.T, k),
            says["twice"]: lambda q, k, W: dot(q @ W, k @ W),
            says["scaled"]: lambda q, k, W: dot(q @ W, k) / k.shape[-1] ** 0.5,
        },
        "additive": {
            says["turned"]: lambda q, k, W_q, W_k, v: additive(k, q, W_k, W_q, v),
            says["no_tanh"]: changed(lambda a, b, v: (a + b) @ v),
            says["tanh_last"]: changed(lambda a, b, v: torch.tanh((a + b) @ v)),
            says["tanh_each"]: changed(lambda a, b, v: (torch.tanh(a) + torch.tanh(b)) @ v),
            says["product"]: changed(lambda a, b, v: torch.tanh(a * b) @ v),
            says["minus"]: changed(lambda a, b, v: torch.tanh(a - b) @ v),
            says["no_v"]: changed(lambda a, b, v: torch.tanh(a + b).sum(-1)),
            says["mean_v"]: changed(lambda a, b, v: (torch.tanh(a + b) * v).mean(-1)),
            says["sigmoid"]: changed(lambda a, b, v: torch.sigmoid(a + b) @ v),
            says["relu"]: changed(lambda a, b, v: torch.relu(a + b) @ v),
            says["exchanged"]: lambda q, k, W_q, W_k, v: additive(q, k, W_k, W_q, v),
            says["same"]: lambda q, k, W_q, W_k, v: additive(q, k, W_q, W_q, v),
            says["only_q"]: changed(lambda a, b, v: torch.tanh(a + 0 * b) @ v),
            says["only_k"]: changed(lambda a, b, v: torch.tanh(0 * a + b) @ v),
        },
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    close = {"rtol": 1e-4, "atol": 1e-5}
    fine = set()  # what works without leading axes: only then are the axes to blame for an error
    sizes = {"queries and keys may have different sizes: W is (d_q, d_k)": RuntimeError}

    def judge(lead, kind, function, case, wanted, near=None):
        about = "a batch, or heads" if lead else "fresh vectors"
        near = ({axes: RuntimeError} if kind in fine else {}) if lead else near
        check.mistakes(known[kind.split(",")[0]])
        judged = check(function, *case).equals(wanted, about=f"{about}, {kind}", near=near, **close)
        if judged.passed:
            fine.add(kind)

    for lead in [(), (), (3,), (2, 3)]:
        q, k, wide = draw(*lead, 8, 5), draw(*lead, 6, 5), draw(*lead, 6, 7)
        same, W = draw(5, 5), draw(5, 7)
        W_q, W_k, W_wide, v = draw(5, 3), draw(5, 3), draw(7, 3), draw(3)
        judge(lead, "dot", dot_scores, (q, k), dot(q, k))
        judge(lead, "scaled", scaled_scores, (3 * q, k), 3 * dot(q, k) / 5**0.5)
        wanted = torch.einsum("...qa,ab,...kb->...qk", q, same, k)
        judge(lead, "general", general_scores, (q, k, same), wanted)
        wanted = torch.einsum("...qa,ab,...kb->...qk", q, W, wide)
        judge(lead, "general, two sizes", general_scores, (q, wide, W), wanted, near=sizes)
        judge(lead, "additive", additive_scores, (q, k, W_q, W_k, v), additive(q, k, W_q, W_k, v))
        wanted = additive(q, wide, W_q, W_wide, v)
        judge(lead, "additive, two sizes", additive_scores, (q, wide, W_q, W_wide, v), wanted)
    q, k = draw(1, 4), draw(1, 4)
    check.mistakes(known["scaled"])
    check(scaled_scores, q, k).equals(dot(q, k) / 2, about="one query, one key", edge=True, **close)
    ### END HIDDEN TESTS


score

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
# The check of `softmax`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("softmax", points=6)
def score(check):
    import torch

    says = {
        "no_max": "large scores overflow: subtract the largest score of each slice first",
        "one_max": "one maximum of all scores was subtracted: each slice along `dim` needs its own",
        "min": "the smallest score was subtracted: it must be the largest",
        "middle": "the mean was subtracted: it must be the largest",
        "cut": "the scores were cut off: their differences are lost. Subtract the largest",
        "repaired": "NaN was replaced when it was too late: subtract the largest score first",
        "other": "the softmax runs over another axis: use `dim`",
        "last": "`dim` was ignored: the softmax always runs over the last axis",
        "all": "the weights of all slices together add up to 1; those of each slice must",
        "raw": "these are the exponentials: divide by their sum",
        "top": "divided by the largest exponential; divide by their sum",
        "linear": "the scores were divided by their sum: take exp first",
        "log": "this is the logarithm of the weights",
        "negative": "the sign is turned round: the largest score gets the smallest weight",
        "two": "these are powers of 2: take exp",
        "twice": "softmax was taken twice",
        "hard": "all the weight went to the largest score: that is no softmax",
        "added": "a small number was added below the fraction: the weights do not add up to 1",
        "sum_v": "the values were added up without weights",
        "mean": "this is a mean: add up, and do not divide by the number of keys",
        "turned": "the weights are turned round: each row belongs to a query",
        "again": "softmax was taken of the weights once more",
        "best": "only the value with the largest weight was taken: add up all",
        "one_c": "the weights of all queries were added up: each query has a context vector of its own",
        "last_sum": "the sum runs over the last axis, whatever `dim` is",
        "all_sum": "divided by the sum of all exponentials: each slice along `dim` has its own",
        "dtype": "another dtype came back than went in: turn the result into that of the scores",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    scores = torch.tensor([[0.0, 1.0986, -1.0], [2.0, 0.0, 1.0]])
    ninf = -torch.inf
    check(softmax, torch.tensor([0.0, 1.0986])).equals([0.25, 0.75], **loose, near={
        says["raw"]: [1.0, 3.0], says["top"]: [0.3333, 1.0], says["linear"]: [0.0, 1.0],
        says["log"]: [-1.3863, -0.2877], says["negative"]: [0.75, 0.25], says["two"]: [0.3183, 0.6817],
        says["twice"]: [0.3775, 0.6225], says["hard"]: [0.0, 1.0],
    })
    check(softmax, scores).equals([[0.2290, 0.6869, 0.0842], [0.6652, 0.0900, 0.2447]], **loose, near={
        says["other"]: [[0.1192, 0.75, 0.1192], [0.8808, 0.25, 0.8808]],
        says["all"]: [[0.0646, 0.1939, 0.0238], [0.4775, 0.0646, 0.1757]],
        says["raw"]: [[1.0, 3.0, 0.3679], [7.3891, 1.0, 2.7183]],
        says["top"]: [[0.3333, 1.0, 0.1226], [1.0, 0.1353, 0.3679]],
        says["linear"]: [[0.0, 11.142, -10.142], [0.6667, 0.0, 0.3333]],
        says["log"]: [[-1.4743, -0.3757, -2.4743], [-0.4076, -2.4076, -1.4076]],
        says["negative"]: [[0.2468, 0.0823, 0.6709], [0.09, 0.6652, 0.2447]],
        says["two"]: [[0.2746, 0.5881, 0.1373], [0.5714, 0.1429, 0.2857]],
        says["twice"]: [[0.2902, 0.4587, 0.2511], [0.4506, 0.2535, 0.2959]],
        says["hard"]: [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
    })
    check(softmax, scores, dim=0).equals([[0.1192, 0.75, 0.1192], [0.8808, 0.25, 0.8808]], **loose, near={
        says["last"]: [[0.2289, 0.6868, 0.0842], [0.6652, 0.09, 0.2447]],
        says["other"]: [[0.2289, 0.6868, 0.0842], [0.6652, 0.09, 0.2447]],
        says["all"]: [[0.0646, 0.1939, 0.0238], [0.4775, 0.0646, 0.1757]],
        says["raw"]: [[1.0, 3.0, 0.3679], [7.3891, 1.0, 2.7183]],
        says["top"]: [[0.1353, 1.0, 0.1353], [1.0, 0.3333, 1.0]],
        says["linear"]: [[0.0, 1.0, -torch.inf], [1.0, 0.0, torch.inf]],
        says["log"]: [[-2.1269, -0.2877, -2.1269], [-0.1269, -1.3863, -0.1269]],
        says["negative"]: [[0.8808, 0.25, 0.8808], [0.1192, 0.75, 0.1192]],
        says["two"]: [[0.2, 0.6817, 0.2], [0.8, 0.3183, 0.8]],
        says["twice"]: [[0.3183, 0.6225, 0.3183], [0.6817, 0.3775, 0.6817]],
        says["hard"]: [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]],
        says["last_sum"]: [[0.1065, 0.7870, 0.1065], [0.4286, 0.1429, 0.4286]],
        says["all_sum"]: [[0.0376, 0.2775, 0.0376], [0.2775, 0.0925, 0.2775]],
    })
    check(softmax, torch.tensor([1000.0, 1001.0986])).equals([0.25, 0.75], **loose, near={
        says["no_max"]: [torch.nan, torch.nan], says["raw"]: [torch.inf, torch.inf],
        says["cut"]: [0.5, 0.5], says["repaired"]: [0.0, 0.0],
        says["log"]: [-1.3863, -0.2877],
        says["negative"]: [0.75, 0.25], says["two"]: [0.3183, 0.6817], says["twice"]: [0.3775, 0.6225],
        says["hard"]: [0.0, 1.0],
    })
    check(softmax, torch.tensor([0.0, ninf, 1.0986])).equals([0.25, 0.0, 0.75], **loose, near={
        says["min"]: [torch.nan, torch.nan, torch.nan], says["middle"]: [torch.nan] * 3,
        says["raw"]: [1.0, 0.0, 3.0],
        says["top"]: [0.3333, 0.0, 1.0], says["linear"]: [0.0, torch.nan, 0.0],
        says["log"]: [-1.3863, -torch.inf, -0.2877], says["negative"]: [torch.nan, torch.nan, torch.nan],
        says["two"]: [0.3183, 0.0, 0.6817], says["twice"]: [0.2918, 0.2272, 0.481], says["hard"]: [0.0, 0.0, 1.0],
    })
    weights, values = torch.tensor([[0.25, 0.75], [1.0, 0.0]]), torch.tensor([[4.0, 0.0], [0.0, 8.0]])
    check(context_vectors, weights, values).equals([[1.0, 6.0], [4.0, 0.0]], **loose, near={
        says["sum_v"]: [[4.0, 8.0], [4.0, 8.0]], says["mean"]: [[0.5, 3.0], [2.0, 0.0]],
        says["turned"]: [[1.0, 8.0], [3.0, 0.0]], says["again"]: [[1.5102, 4.9797], [2.9242, 2.1515]],
        says["best"]: [[0.0, 8.0], [4.0, 0.0]], says["one_c"]: [5.0, 6.0],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def exps(s, dim=-1):
        return torch.exp(s - s.amax(dim, keepdim=True))

    def plain(s, dim=-1):
        return torch.softmax(s, dim)

    def size(s, dim, keepdim):
        return s.abs().amax(dim, keepdim=keepdim)

    def less(of):
        def function(s, dim=-1):
            e = torch.exp(s - of(s, dim, keepdim=True))
            return e / e.sum(dim, keepdim=True)

        return function

    def whole(s, dim=-1):
        e = torch.exp(s - s.max())
        return e / e.sum(dim, keepdim=True)

    def naive(s, dim=-1):
        e = torch.exp(s)
        return e / e.sum(dim, keepdim=True)

    def lost(e, dim):
        return e / e.sum(dim, keepdim=True)

    axis = "the reduced axis is lost, and the shapes no longer fit: use keepdim=True"
    known = {
        says["no_max"]: naive,
        says["one_max"]: whole,
        says["min"]: less(torch.amin),
        says["middle"]: less(torch.mean),
        "the largest size without its sign was subtracted: it must be the largest score": less(size),
        says["last_sum"]: lambda s, dim=-1: exps(s, dim) / exps(s, dim).sum(-1, keepdim=True),
        says["all_sum"]: lambda s, dim=-1: exps(s, dim) / exps(s, dim).sum(),
        "a score of minus infinity was taken for 0: it gets the weight 0": lambda s, dim=-1: plain(
            s.masked_fill(s == ninf, 0.0), dim
        ),
        says["cut"]: lambda s, dim=-1: naive(s.clamp(-80, 80), dim),
        says["repaired"]: lambda s, dim=-1: naive(s, dim).nan_to_num(),
        says["last"]: lambda s, dim=-1: plain(s, -1),
        says["other"]: lambda s, dim=-1: plain(s, (dim + 1) % s.dim()),
        "the softmax always runs over the first axis: use `dim`": lambda s, dim=-1: plain(s, 0),
        says["all"]: lambda s, dim=-1: plain(s.flatten(), 0).view(s.shape),
        says["raw"]: lambda s, dim=-1: torch.exp(s),
        "these are the exponentials after the maximum was subtracted: divide by their sum": exps,
        says["top"]: lambda s, dim=-1: torch.exp(s) / torch.exp(s).amax(dim, keepdim=True),
        says["linear"]: lambda s, dim=-1: s / s.sum(dim, keepdim=True),
        says["log"]: lambda s, dim=-1: torch.log_softmax(s, dim),
        says["negative"]: lambda s, dim=-1: plain(-s, dim),
        says["two"]: lambda s, dim=-1: plain(s * 0.6931472, dim),
        says["twice"]: lambda s, dim=-1: plain(plain(s, dim), dim),
        says["hard"]: lambda s, dim=-1: (exps(s, dim) == 1).float(),
        says["added"]: lambda s, dim=-1: exps(s, dim) / (exps(s, dim).sum(dim, keepdim=True) + 1e-3),
        f"{axis} (of the sum)": lambda s, dim=-1: exps(s, dim) / exps(s, dim).sum(dim),
        f"{axis} (of the maximum)": lambda s, dim=-1: lost(torch.exp(s - s.amax(dim)), dim),
        f"{axis} (of both)": lambda s, dim=-1: torch.exp(s - s.amax(dim)) / torch.exp(s - s.amax(dim)).sum(dim),
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def judge(s, about):
        dims = [{}] if s.dim() == 1 else [{}, *({"dim": d} for d in range(-2, s.dim()))]
        for dim in dims:
            wanted = torch.softmax(s.double(), dim.get("dim", -1))
            check(softmax, s, **dim).equals(
                wanted, about=about, rtol=1e-4, atol=1e-6, near={axis: RuntimeError} if s.dim() > 1 else {}
            )

    check.mistakes(known)
    for shape in [(5,), (3, 4), (4, 3), (2, 3, 4), (4, 4)]:
        judge(2 * draw(*shape), "fresh scores")
    judge(draw(3, 4) + 400, "large scores")
    judge(draw(3, 4) * 300, "scores far apart")
    judge(draw(3, 4) - 400, "scores far below zero")
    judge(draw(4, 3) + torch.tensor([[0.0], [500.0], [-500.0], [90.0]]), "rows on different levels")
    judge(draw(3, 3).double() * 50, "64 bits")
    hidden = 2 * draw(4, 5)
    hidden[0, 1:4] = hidden[2, 0] = hidden[3, 2] = ninf
    zero = {"a score of minus infinity must not spoil its row: it gets the weight 0": torch.full((4, 5), torch.nan)}
    check(softmax, hidden).equals(torch.softmax(hidden, -1), about="scores of minus infinity", near=zero, atol=1e-6)
    judge(draw(3, 4).t(), "a transposed tensor")
    half = (3 * draw(3, 4)).half()
    wanted = torch.softmax(half.float(), -1)
    check(softmax, half).equals(wanted, about="half precision", edge=True, rtol=0.02, atol=1e-3)
    for dtype in (torch.float16, torch.float64):
        check(softmax, half.to(dtype)).holds(
            lambda w, dtype=dtype: w.dtype == dtype, f"a tensor of {dtype}", about="the dtype is kept", edge=True,
            near={says["dtype"]: lambda w, dtype=dtype: w.dtype != dtype},
        )
    check(softmax, draw(3, 1)).equals(torch.ones(3, 1), about="one score", edge=True)

    check.mistakes({
        says["sum_v"]: lambda w, v: v.sum(-2, keepdim=True).expand(*w.shape[:-1], v.shape[-1]),
        says["mean"]: lambda w, v: w @ v / w.shape[-1],
        says["turned"]: lambda w, v: w.transpose(-2, -1) @ v,
        "the values are turned round: each row is the value of a key": lambda w, v: w @ v.transpose(-2, -1),
        says["again"]: lambda w, v: torch.softmax(w, -1) @ v,
        says["best"]: lambda w, v: torch.take_along_dim(v, w.argmax(-1)[..., None], -2),
        says["one_c"]: lambda w, v: (w.sum(-2)[..., None] * v).sum(-2),
        "weights and values were multiplied entry by entry: use @": lambda w, v: w * v,
    })
    axes, fine = {"with leading axes (batch, heads) it fails: @ works on the last two axes": RuntimeError}, False
    for lead in [(), (), (3,), (2, 3)]:
        w, v = torch.softmax(draw(*lead, 4, 5), -1), draw(*lead, 5, 3)
        wanted = (w.unsqueeze(-1) * v.unsqueeze(-3)).sum(-2)
        about = "context, with leading axes" if lead else "context"
        near = axes if lead and fine else {}
        judged = check(context_vectors, w, v).equals(wanted, about=about, rtol=1e-4, atol=1e-6, near=near)
        fine = fine or judged.passed
    w, v = torch.softmax(draw(4, 4), -1), draw(4, 4)
    check(context_vectors, w, v).equals(torch.einsum("qk,kd->qd", w, v), about="context, square", rtol=1e-4, atol=1e-6)
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Dates, again
#
# Chapter 03 translated dates as people write them into their ISO form, `mardi 3 février 2015` into `2015-02-03`, with
# an encoder and a decoder, and nothing but one vector between them. Here are the data once more, letter by letter.

# %% given
def date_vocabulary(pairs: list[tuple[str, str]]) -> dict[str, int]:
    """Return the id of every character of the sources; 0 is padding."""
    return {c: i for i, c in enumerate(sorted({c for source, _ in pairs for c in source}), start=1)}


LETTERS = "0123456789- ."  # what ISO dates are written with: a space between two, a full stop at the end
END, BEGIN = LETTERS.index("."), len(LETTERS)


def encode_dates(pairs: list[tuple[str, str]], ids: dict[str, int]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return sources (N, T), padded with 0 at the end, and targets (N, L), which are all of one length.

    Each target ends with END; characters of a source that have no id are left out.
    """
    rows = [torch.tensor([ids[c] for c in source if c in ids]) for source, _ in pairs]
    targets = torch.tensor([[LETTERS.index(c) for c in target + "."] for _, target in pairs])
    return nn.utils.rnn.pad_sequence(rows, batch_first=True), targets

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
# The check of `decoder`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("decoder", points=6)
def score(check):
    from functools import partial

    import torch
    from torch import nn

    def tools(e, h, m, classes, seed):
        """A cell and an output with weights that follow from the seed."""
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            return nn.GRUCell(e + m, h).requires_grad_(False), nn.Linear(h + m, classes).requires_grad_(False)

    says = {
        "padding": "padding is attended to: its scores must be minus infinity before the softmax",
        "inverted": "the mask is turned round: `present` is True where a character is",
        "after": "the mask came after the softmax: the weights that are left no longer add up to 1",
        "renormal": "the padding's score was set to 0, and e to the 0 is 1: set it to minus infinity",
        "mean": "the context is the plain mean of the memory: where are the weights?",
        "final": "the context is the memory's last state",
        "small": "the score of padding is not low enough, and some weight leaks to it: minus infinity",
        "new_asks": "the new state asked: the decoder looks before it steps, with the old one",
        "context_first": "the context came before the embedding; the cell takes [e; c]",
        "out_context_first": "the context came before the state; the output takes [h'; c]",
        "old_out": "the output saw the old state; it takes [h'; c]",
        "old_back": "the old state came back; return the new one",
        "scaled": "the scores are scaled here; the text asks for q W k as it is",
        "batch": "the softmax runs over the batch: it belongs to the characters, the last axis of (B, T)",
        "raw": "the scores came back in place of the weights",
        "masked_raw": "the masked scores came back in place of the weights",
        "order": "these are the right three things in another order: logits, state, weights",
        "probability": "probabilities came back in place of the logits: no softmax at the end",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    memory = torch.tensor([[[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]], [[0.5, 0.5, 0.0], [9.0, 9.0, 9.0]]])
    hidden, W = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    present, embedded = torch.tensor([[True, True], [True, False]]), torch.tensor([[0.5], [-0.5]])

    def weights_of(*args):
        """What the third result is, the simplest to do by hand: scores (1, 0) for the first row of the batch."""
        return decoder_step(*args)[2]

    case = (embedded, hidden, memory, present, W, *tools(1, 2, 3, 4, seed=1))
    check(weights_of, *case).equals([[0.7311, 0.2689], [1.0, 0.0]], **loose, near={
        says["padding"]: [[0.7311, 0.2689], [0.0002, 0.9998]], says["inverted"]: [[torch.nan] * 2, [0.0, 1.0]],
        says["after"]: [[0.7311, 0.2689], [0.0002, 0.0]], says["batch"]: [[0.6225, 1.0], [0.3775, 0.0]],
        says["raw"]: [[1.0, 0.0], [0.5, 9.0]], says["masked_raw"]: [[1.0, 0.0], [0.5, -torch.inf]],
        says["renormal"]: [[0.7311, 0.2689], [0.6225, 0.3775]], says["mean"]: [[0.5, 0.5], [1.0, 0.0]],
        says["scaled"]: [[0.6405, 0.3595], [1.0, 0.0]], says["small"]: [[0.7311, 0.2689], [0.8176, 0.1824]],
    })

    def fixed(*modules):
        """Modules with weights that are fixed numbers, none of them special."""
        for module in modules:
            for i, (_, v) in enumerate(module.named_parameters()):
                v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.3 + i)).reshape(v.shape)
        return [module.requires_grad_(False) for module in modules]

    check(decoder_step, *case[:5], *fixed(nn.GRUCell(4, 2), nn.Linear(5, 2))).equals(
        ([[0.6987, -0.9547], [0.264, -1.6467]], [[0.1925, 0.4875], [-0.115, 0.8044]], [[0.7311, 0.2689], [1.0, 0.0]]),
        about="all three results", **loose, near={
        says["mean"]: ([[0.4, -1.3551], [-5.2567, -6.3495]], [[0.0442, 0.5621], [-0.0002, 0.9566]], [[0.7311, 0.2689],
            [1.0, 0.0]]),
        says["final"]: ([[-0.1197, -2.082], [-10.944, -11.2016]], [[-0.1256, 0.6872], [-0, 0.9993]], [[0.7311,
            0.2689], [1.0, 0.0]]),
        says["new_asks"]: ([[0.2476, -1.5637], [0.264, -1.6467]], [[-0.0196, 0.6003], [-0.115, 0.8044]], [[0.3684,
            0.6316], [1.0, 0.0]]),
        says["context_first"]: ([[0.5584, -1.0767], [0.1428, -1.8106]], [[0.1053, 0.3782], [-0.336, 0.9824]],
            [[0.7311, 0.2689], [1.0, 0.0]]),
        says["out_context_first"]: ([[0.703, -1.1075], [1.7599, 0.0907]], [[0.1925, 0.4875], [-0.115, 0.8044]],
            [[0.7311, 0.2689], [1.0, 0.0]]),
        says["old_out"]: ([[1.2255, -0.3039], [0.4756, -1.4695]], [[0.1925, 0.4875], [-0.115, 0.8044]], [[0.7311,
            0.2689], [1.0, 0.0]]),
        says["old_back"]: ([[0.6987, -0.9547], [0.264, -1.6467]], [[1.0, 0.0], [0.0, 1.0]], [[0.7311, 0.2689], [1.0,
            0.0]]),
        says["scaled"]: ([[0.577, -1.1167], [0.264, -1.6467]], [[0.129, 0.5177], [-0.115, 0.8044]], [[0.6405, 0.3595],
            [1.0, 0.0]]),
        says["raw"]: ([[0.6987, -0.9547], [0.264, -1.6467]], [[0.1925, 0.4875], [-0.115, 0.8044]], [[1.0, 0.0], [0.5,
            9.0]]),
        says["order"]: ([[0.1925, 0.4875], [-0.115, 0.8044]], [[0.6987, -0.9547], [0.264, -1.6467]], [[0.7311,
            0.2689], [1.0, 0.0]]),
        says["probability"]: ([[0.8394, 0.1606], [0.8711, 0.1289]], [[0.1925, 0.4875], [-0.115, 0.8044]], [[0.7311,
            0.2689], [1.0, 0.0]]),
    }
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def step(
        x, h, M, p, W, cell, out, *, masked=None, c_of=None, w_of=None, ask=None, cat=None, last=None, give=None,
        forget=False,
    ):
        """The right step, with one part exchanged for a mistake's."""
        s = torch.einsum("bh,hm,btm->bt", ask(x, h, M, cell) if ask else h, W, M)
        w = w_of(s, p) if w_of else torch.softmax((masked or hide)(s, p), -1)
        c = c_of(w, M) if c_of else torch.einsum("bt,btm->bm", w, M)
        new = cell(torch.cat([c, x] if cat else [x, c], -1), 0 * h if forget else h)
        logits = out(last(h, new, c) if last else torch.cat([new, c], -1))
        return give(logits, h, new, w, s, p) if give else (logits, new, w)

    def fill(low, s, p):
        return s.masked_fill(~p, low)

    hide = partial(fill, -torch.inf)

    def ahead(x, h, M, cell):
        """The state after a step without looking."""
        return cell(torch.cat([x, torch.zeros_like(M[:, 0])], -1), h)

    def stepped(x, h, M, p, W, cell, out):
        """The cell steps first, without a context, and its new state asks."""
        new = ahead(x, h, M, cell)
        logits, _, w = step(x, new, M, p, W, cell, out, last=lambda h, _, c: torch.cat([h, c], -1))
        return logits, new, w

    def again(x, h, M, p, W, cell, out):
        """The output gets a second context, for which the new state asked."""
        _, new, w = step(x, h, M, p, W, cell, out)
        return step(x, new, M, p, W, cell, out, last=lambda h, _, c: torch.cat([h, c], -1))[0], new, w

    def made(**parts):
        return lambda *args: step(*args, **parts)

    known = {
        says["padding"]: made(masked=lambda s, p: s),
        says["inverted"]: made(masked=lambda s, p: s.masked_fill(p, -torch.inf)),
        says["after"]: made(w_of=lambda s, p: torch.softmax(s, -1) * p),
        says["renormal"]: made(masked=lambda s, p: s * p),
        says["mean"]: made(c_of=lambda w, M: M.mean(1)),
        says["final"]: made(c_of=lambda w, M: M[:, -1]),
        "the context is the state with the largest weight; it is the sum of all, each times its weight": made(
            c_of=lambda w, M: M[torch.arange(len(M)), w.argmax(-1)]
        ),
        "the output saw the embedding; it takes [h'; c]": lambda x, *more: step(
            x, *more, last=lambda h, new, c: torch.cat([x, c], -1)
        ),
        says["new_asks"]: made(ask=ahead),
        "the new state asked, and the cell saw no context: the decoder looks before it steps": stepped,
        "the output got a second context, for which the new state asked: it takes the same c as the cell": again,
        "the cell was called without the old state: cell(x, h)": made(forget=True),
        **{f"{says['small']} (not {low:g})": made(masked=partial(fill, low)) for low in (-1.0, -10.0, -100.0)},
        "W was left out: the score is q W k": lambda x, h, M, p, W, *more: step(x, h, M, p, torch.eye(*W.shape), *more)
        if W.shape[0] == W.shape[1] else None,
        "W is turned round: q meets its rows and k its columns": lambda x, h, M, p, W, *more: step(
            x, h, M, p, W.T, *more
        ),
        says["context_first"]: made(cat=True),
        says["out_context_first"]: made(last=lambda h, new, c: torch.cat([c, new], -1)),
        says["old_out"]: made(last=lambda h, new, c: torch.cat([h, c], -1)),
        says["old_back"]: made(give=lambda y, h, new, w, s, p: (y, h, w)),
        says["scaled"]: lambda x, h, M, p, W, *more: step(x, h, M, p, W / M.shape[-1] ** 0.5, *more),
        "the scores are divided by the root of the state's size; the text asks for q W k as it is": (
            lambda x, h, M, p, W, *more: step(x, h, M, p, W / h.shape[-1] ** 0.5, *more)
        ),
        says["batch"]: made(w_of=lambda s, p: torch.softmax(hide(s, p), 0)),
        says["raw"]: made(give=lambda y, h, new, w, s, p: (y, new, s)),
        says["masked_raw"]: made(give=lambda y, h, new, w, s, p: (y, new, hide(s, p))),
        says["order"]: made(give=lambda y, h, new, w, s, p: (new, y, w)),
        "the right three things in another order: logits, state, weights": made(
            give=lambda y, h, new, w, s, p: (y, w, new)
        ),
        says["probability"]: made(give=lambda y, h, new, w, s, p: (torch.softmax(y, -1), new, w)),
        "the context is the sum of the memory, padding included, without weights": made(c_of=lambda w, M: M.sum(1)),
        "the padding's memory was set to 0, but it still takes weight: mask the scores": lambda x, h, M, p, *more: step(
            x, h, M * p[..., None], torch.ones_like(p), *more
        ),
        "padding takes weight and is only left out of the context: mask the scores": lambda x, h, M, p, *more: step(
            x, h, M, p, *more, masked=lambda s, p: s, c_of=lambda w, M: torch.einsum("bt,btm->bm", w * p, M)
        ),
        "the weights went to the one best character; all share": made(
            w_of=lambda s, p: (hide(s, p) == hide(s, p).amax(-1, keepdim=True)).float()
        ),
        "the context comes from a query that the cell's new state gave; the old state asks": made(
            ask=lambda x, h, M, cell: cell(torch.cat([x, M.mean(1)], -1), h)
        ),
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    check.mistakes(known)
    for seed, (B, T, e, h, m, classes) in enumerate([(3, 5, 2, 4, 6, 7), (2, 3, 4, 4, 4, 5), (4, 6, 5, 3, 5, 2)]):
        lengths = torch.tensor(check.rng.integers(1, T, size=B))
        lengths[0] = T
        case = (draw(B, e), draw(B, h), draw(B, T, m), torch.arange(T) < lengths[:, None], draw(h, m))
        more = tools(e, h, m, classes, seed)
        check(decoder_step, *case, *more).equals(step(*case, *more), about="a batch with padding", rtol=1e-4, atol=1e-5)
        whole = (*case[:3], torch.ones(B, T, dtype=torch.bool), case[4])
        check(decoder_step, *whole, *more).equals(step(*whole, *more), about="no padding", rtol=1e-4, atol=1e-5)
    first = list(case)
    first[3] = torch.arange(T) >= T - lengths[:, None]  # padding in front
    check(decoder_step, *first, *more).equals(step(*first, *more), about="padding in front", rtol=1e-4, atol=1e-5)
    x, asks, M, p, W = case
    loud = torch.where(p[..., None], M, 3 * (asks @ W)[:, None])  # what stands in the padding would win
    for memory in (M, loud):
        large = x, asks, memory, p, 300 * W, *more
        check(decoder_step, *large).equals(step(*large), about="large scores", rtol=1e-3, atol=1e-4)
    one = (draw(1, e), draw(1, h), draw(1, 1, m), torch.ones(1, 1, dtype=torch.bool), draw(h, m), *more)
    check(decoder_step, *one).equals(step(*one), about="one row, one character", edge=True, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## The dates, with and without attention
#
# A translator around your `decoder_step`: an encoder that reads in both directions, and the same network once more
# *without* attention, which hands the encoder's last states, one vector, to every step of the decoder. Apart from the
# matrix $W$ both have the same weights, and both learn from the same dates in the same order. As in chapter 03, a
# source may be a *series* of up to three dates.

# %% given
class DateTranslator(nn.Module):
    """Reads characters and writes ISO dates; with attention, or from the encoder's last states alone."""

    def __init__(self, characters: int, attends: bool, width: int = 32, hidden: int = 64):
        super().__init__()
        self.attends = attends
        self.read = nn.Embedding(characters + 1, width, padding_idx=0)
        self.encoder = nn.GRU(width, hidden // 2, bidirectional=True, batch_first=True)
        self.write = nn.Embedding(BEGIN + 1, width)
        self.W = nn.Parameter(torch.randn(hidden, hidden) / hidden)
        self.cell = nn.GRUCell(width + hidden, hidden)
        self.output = nn.Linear(2 * hidden, BEGIN)

    def encode(self, sources: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return (memory (B, T, m), present (B, T), last states (B, m)) of padded sources (B, T)."""
        present = sources != 0
        packed = nn.utils.rnn.pack_padded_sequence(
            self.read(sources), present.sum(1).cpu(), batch_first=True, enforce_sorted=False
        )
        states, last = self.encoder(packed)
        memory, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True, total_length=sources.shape[1])
        return memory, present, torch.cat([last[0], last[1]], dim=-1)

    def forward(self, sources: torch.Tensor, targets: torch.Tensor | int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits (B, L, V) and weights (B, L, T).

        targets: (B, L), and each step is told what comes before it; or the number of steps L, without any help.
        """
        memory, present, hidden = self.encode(sources)
        if not self.attends:  # a memory of one place, seen by all
            memory, present = hidden.unsqueeze(1), torch.ones_like(present[:, :1])
        told = isinstance(targets, torch.Tensor)
        written, steps = torch.full_like(sources[:, 0], BEGIN), []
        for i in range(targets.shape[1] if told else targets):
            logits, hidden, weights = decoder_step(
                self.write(written), hidden, memory, present, self.W, self.cell, self.output
            )
            written = targets[:, i] if told else logits.argmax(-1)
            steps.append((logits, weights))
        return torch.stack([s[0] for s in steps], 1), torch.stack([s[1] for s in steps], 1)


def date_loss(model: DateTranslator, batch) -> torch.Tensor:
    """Return the mean cross-entropy of the characters."""
    logits, _ = model(*batch)
    return F.cross_entropy(logits.flatten(0, 1), batch[1].flatten())


def train_dates(model: DateTranslator, seed: int, groups: list, steps: int) -> DateTranslator:
    """Train on batches of 64, each from one of the groups of (sources, targets) in turn."""
    draw = torch.Generator().manual_seed(seed)

    def batch(step):
        sources, targets = groups[step % len(groups)]
        rows = torch.randint(len(sources), (64,), generator=draw)
        longest = int((sources[rows] != 0).sum(1).max())
        return sources[rows, :longest], targets[rows]

    fit(model, batch, date_loss, steps=steps, lr=6e-3, progress=False)
    return model.cpu()


@torch.no_grad()
def translate_dates(model: DateTranslator, texts: list[str], ids: dict[str, int], steps: int = 33) -> list[str]:
    """Return what the model writes for each text, without help, up to its end mark."""
    found = []
    for start in range(0, len(texts), 250):
        sources, _ = encode_dates([(text, "") for text in texts[start : start + 250]], ids)
        rows = model(sources, steps)[0].argmax(-1).tolist()
        found += ["".join(LETTERS[i] for i in row).split(LETTERS[END])[0] for row in rows]
    return found


def new_translator(attends: bool, seed: int, ids: dict[str, int]) -> DateTranslator:
    """Return a translator whose weights follow from the seed."""
    torch.manual_seed(seed)
    return DateTranslator(len(ids), attends)

# %% show
dates = data.load("dates")
print(dates)
single = dates.train
several = {n: data.Dates("train").series(3000, seed=n, counts=(n,)) for n in (2, 3)}
ids = date_vocabulary(single + several[2] + several[3])
groups = {1: encode_dates(single, ids)} | {n: encode_dates(pairs, ids) for n, pairs in several.items()}
print(f"{len(ids)} different characters, {BEGIN} to write with")
for source, target in [*single[:2], several[2][0], several[3][0]]:
    print(f"  {target:<32}  {source}")

# %% [markdown]
# First, single dates, from five seeds: both get as many steps as attention needs to become good.

# %% show
STEPS, SEEDS = budget(grade=12, cpu=300), range(budget(grade=1, cpu=5))
matches, translators = {"attention": [], "one vector": []}, {}
for seed in SEEDS:
    for name, attends in [("attention", True), ("one vector", False)]:
        with leaderboard.measured("04", f"{name}, seed {seed}", "dates, exact match") as row:
            model = train_dates(new_translator(attends, seed, ids), seed, [groups[1]], STEPS)
            answers = translate_dates(model, [text for text, _ in dates.test], ids, steps=11)
            row.f1 = np.mean([a == target for a, (_, target) in zip(answers, dates.test, strict=True)])
            row.parameters = sum(p.numel() for p in model.parameters())
        matches[name].append(row.f1)
        translators.setdefault(name, model)
for name, found in matches.items():
    print(f"{name:<12} exact matches {' '.join(f'{share:.3f}' for share in found)}")
claim(f"Single dates translated exactly after {STEPS} steps: attention above one vector", *matches.values())

# %% [markdown]
# Where does it look? One day in four languages. Each row is a character that is written, each column one that is read.

# %% show
from datetime import date
from helpers.data.dates import styles

day = date.fromisoformat(dates.test[0][1])
texts = {language: styles(language)[0].write(day) for language in ("fr", "de", "ru", "tr")}
for language, text in texts.items():
    source, _ = encode_dates([(text, "")], ids)
    with torch.no_grad():
        logits, weights = translators["attention"](source, 10)
    written = "".join(LETTERS[i] for i in logits[0].argmax(-1))
    print(f"{language}: {text} -> {written}{'' if written == day.isoformat() else ' (wrong)'}")
    fig, alt = plots.attention(weights[0], [*written], [c for c in text if c in ids])
    plots.show(fig, f"Where the translator looks while it writes a date, language {language}. {alt}")

# %% [markdown]
# Now the series. The translator with attention goes on with one, two and three dates in turn, and then reads the same
# test series as chapter 03's. That chapter has kept its curve in the artifact `date-translator` (your own, if you ran
# it, else the reference): the share of exact translations by the length of the source, from one vector. Its network is
# larger, and it learned for more steps: 1,000 in the reference, 1,200 in chapter 03 as it stands.

# %% show
chapter_03 = translation.LengthCurve(**artifacts.load("date-translator").config["curves"]["plain"])
MORE, turns = budget(grade=6, cpu=300), [groups[1], groups[2], groups[3]]
tests = data.Dates("test").series(budget(grade=100, cpu=3000), seed=SEED + 1)  # the series of chapter 03
model = train_dates(translators["attention"], SEED, turns, MORE)
answers = translate_dates(model, [text for text, _ in tests], ids)
attending = translation.exact_by_length(tests, answers, chapter_03.edges)
shares, name = chapter_03.shares, "chapter 03, one vector"
fig, ax = plots.figure()
ax.plot(attending.middles, attending.shares, "-", marker="o", label="attention")
ax.plot(attending.middles, shares, "--", marker="^", label=name)
ax.set(xlabel="length of the source, characters", ylabel="exact translations", ylim=(-0.03, 1.03))
ax.legend()
first, last = attending.shares[0], attending.shares[-1]
plots.show(fig, f"Exact translations by length of the source. With attention {first:.2f} for the shortest and "
                f"{last:.2f} for the longest; {name}: {shares[0]:.2f} and {shares[-1]:.2f}.")
print(f"{'characters':<24}" + " ".join(f"{a:>4}-" for a in chapter_03.edges[:-1]))
for label, values in [("attention", attending.shares), (name, shares)]:
    print(f"{label:<24}" + " ".join(f"{v:5.2f}" for v in values))

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
# The check of `self-attention`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("self-attention", points=4)
def score(check):
    import torch

    says = {
        "features": "the mean runs over the features of a token; it runs over the tokens",
        "kept": "one row came: every token of x is replaced, so the shape stays",
        "sum": "this is the sum of the tokens, not their mean",
        "over_queries": "the softmax runs over the queries, so that columns add up to 1: use dim=-1",
        "d_by_d": "these are scores of features with features (d by d): tokens are in rows, so it is X X^T",
        "weights": "the weights came back in place of the scores",
        "scores_x": "the scores were not put through softmax",
        "exchanged": "queries and keys are exchanged: the scores are turned round",
        "x_values": "the values are x itself: they are x W_V",
        "k_values": "the keys were mixed in place of the values",
        "q_values": "the queries were mixed in place of the values",
        "W_turned": "the weights are turned round: tokens are in rows, so it is x W, not x W^T",
        "scaled": "the scores are scaled here; that is the next exercise",
        "order": "the two results are exchanged: scores first",
        "same_W": "W_Q was used for the keys, too",
        "no_W": "W_Q and W_K were left out of the scores",
        "one": "only the result came back: return the scores first, then the result",
        "cosine": "these are cosines: the tokens are not divided by their lengths",
        "so_far": "this is the mean of the tokens so far; it is the mean of all",
        "scaled_later": "the scores came back as they are, but were scaled before the softmax: not yet",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    x = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    check(mean_mixing, x).equals([[0.5, 1.0], [0.5, 1.0]], **loose, near={
        says["so_far"]: [[1.0, 0.0], [0.5, 1.0]],
        says["features"]: [[0.5, 0.5], [1.0, 1.0]], says["kept"]: [0.5, 1.0], says["sum"]: [[1.0, 2.0], [1.0, 2.0]],
    })
    check(similarity_mixing, x).equals(
        ([[1.0, 0.0], [0.0, 4.0]], [[0.7311, 0.5379], [0.0180, 1.9640]]), **loose, near={
            says["one"]: [[0.7311, 0.5379], [0.0180, 1.9640]],
            says["cosine"]: ([[1.0, 0.0], [0.0, 1.0]], [[0.7311, 0.5379], [0.2689, 1.4621]]),
            says["weights"]: ([[0.7311, 0.2689], [0.018, 0.982]], [[0.7311, 0.5379], [0.018, 1.964]]),
            says["scores_x"]: ([[1.0, 0.0], [0.0, 4.0]], [[1.0, 0.0], [0.0, 8.0]]),
            says["scaled"]: ([[0.7071, 0.0], [0.0, 2.8284]], [[0.6698, 0.6605], [0.0558, 1.8884]]),
            says["scaled_later"]: ([[1.0, 0.0], [0.0, 4.0]], [[0.6698, 0.6605], [0.0558, 1.8884]]),
            says["order"]: ([[0.7311, 0.5379], [0.0180, 1.9640]], [[1.0, 0.0], [0.0, 4.0]]),
        },
    )
    W_q, W_k, W_v = torch.tensor([[1.0, 1.0], [0.0, 1.0]]), torch.eye(2), torch.tensor([[2.0], [1.0]])
    check(self_attention, x, W_q, W_k, W_v).equals(
        ([[1.0, 2.0], [0.0, 4.0]], [[2.0], [2.0]]), **loose, near={
        says["over_queries"]: ([[1.0, 2.0], [0.0, 4.0]], [[1.7005], [2.2995]]),
        says["weights"]: ([[0.2689, 0.7311], [0.018, 0.982]], [[2.0], [2.0]]),
        says["scores_x"]: ([[1.0, 2.0], [0.0, 4.0]], [[6.0], [8.0]]),
        says["exchanged"]: ([[1.0, 0.0], [2.0, 4.0]], [[2.0], [2.0]]),
        says["x_values"]: ([[1.0, 2.0], [0.0, 4.0]], [[0.2689, 1.4621], [0.018, 1.964]]),
        says["k_values"]: ([[1.0, 2.0], [0.0, 4.0]], [[0.2689, 1.4621], [0.018, 1.964]]),
        says["q_values"]: ([[1.0, 2.0], [0.0, 4.0]], [[0.2689, 1.7311], [0.018, 1.982]]),
        says["scaled"]: ([[0.7071, 1.4142], [0.0, 2.8284]], [[2.0], [2.0]]),
        says["order"]: ([[2.0], [2.0]], [[1.0, 2.0], [0.0, 4.0]]),
        says["same_W"]: ([[2.0, 2.0], [2.0, 4.0]], [[2.0], [2.0]]),
        says["no_W"]: ([[1.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]), says["one"]: [[2.0], [2.0]],
    }
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def soft(s, dim=-1):
        return torch.softmax(s, dim)

    def dot(a, b):
        return torch.einsum("...id,...jd->...ij", a, b)

    def mixed(x, W_q, W_k, W_v):
        s = dot(x @ W_q, x @ W_k)
        return s, soft(s) @ (x @ W_v)

    def of_scores(s, v, weigh=soft):
        return s, weigh(s) @ v

    def unit(x):
        return x / x.norm(dim=-1, keepdim=True)

    def over_queries(s):
        return soft(s, -2)

    def causal(s):
        return soft(s.masked_fill(torch.ones(s.shape[-2:], dtype=torch.bool).triu(1), -torch.inf))

    masked = "later tokens are hidden here: nothing is masked yet"

    means = {
        says["features"]: lambda x: x.mean(-1, keepdim=True).expand_as(x),
        says["kept"]: lambda x: x.mean(-2),
        "one row came: every token of x is replaced, so the shape stays as it is": lambda x: x.mean(-2, keepdim=True),
        says["sum"]: lambda x: x.sum(-2, keepdim=True).expand_as(x),
        "the mean runs over the batch, too: each sequence has its own": lambda x: x.mean(
            tuple(range(x.dim() - 1)), keepdim=True
        ).expand_as(x),
        "the mean runs over the first axis; the tokens lie on the last but one": lambda x: x.mean(
            0, keepdim=True
        ).expand_as(x),
        "the sum was divided by the number of features, not by that of the tokens": lambda x: (
            x.sum(-2, keepdim=True) / x.shape[-1]
        ).expand_as(x),
        "this is softmax(X), not the mean": lambda x: soft(x, -2),
        says["so_far"]: lambda x: x.cumsum(-2) / torch.arange(1, x.shape[-2] + 1)[:, None],
    }
    alike = {
        says["over_queries"]: lambda x: of_scores(dot(x, x), x, over_queries),
        says["d_by_d"]: lambda x: (x.mT @ x, x @ soft(x.mT @ x)),
        says["weights"]: lambda x: (soft(dot(x, x)), soft(dot(x, x)) @ x),
        says["scores_x"]: lambda x: (dot(x, x), dot(x, x) @ x),
        says["scaled"]: lambda x: of_scores(dot(x, x) / x.shape[-1] ** 0.5, x),
        says["scaled_later"]: lambda x: of_scores(dot(x, x), x, lambda s: soft(s / x.shape[-1] ** 0.5)),
        masked: lambda x: of_scores(dot(x, x), x, causal),
        says["order"]: lambda x: (soft(dot(x, x)) @ x, dot(x, x)),
        says["one"]: lambda x: soft(dot(x, x)) @ x,
        says["cosine"]: lambda x: of_scores(dot(unit(x), unit(x)), x),
        "the diagonal was left out: a token looks at itself, too": lambda x: of_scores(
            dot(x, x).masked_fill(torch.eye(x.shape[-2], dtype=torch.bool), -torch.inf), x
        ),
    }
    learned = {
        says["over_queries"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ v, over_queries),
        says["d_by_d"]: lambda x, q, k, v: ((x @ q).mT @ (x @ k), (x @ v) @ soft((x @ q).mT @ (x @ k))),
        says["weights"]: lambda x, q, k, v: (soft(dot(x @ q, x @ k)), mixed(x, q, k, v)[1]),
        says["scores_x"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ v, lambda s: s),
        says["exchanged"]: lambda x, q, k, v: of_scores(dot(x @ k, x @ q), x @ v),
        says["x_values"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x),
        says["k_values"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ k),
        says["q_values"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ q),
        says["W_turned"]: lambda x, q, k, v: mixed(x, q.T, k.T, v.T),
        says["scaled"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k) / q.shape[-1] ** 0.5, x @ v),
        says["scaled_later"]: lambda x, q, k, v: of_scores(
            dot(x @ q, x @ k), x @ v, lambda s: soft(s / q.shape[-1] ** 0.5)
        ),
        masked: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ v, causal),
        "x was added to the result: it is softmax(...) X W_V alone": lambda x, q, k, v: (
            dot(x @ q, x @ k), x + mixed(x, q, k, v)[1]
        ),
        says["order"]: lambda x, q, k, v: mixed(x, q, k, v)[::-1],
        says["same_W"]: lambda x, q, k, v: mixed(x, q, q, v),
        says["no_W"]: lambda x, q, k, v: of_scores(dot(x, x), x @ v),
        says["one"]: lambda x, q, k, v: mixed(x, q, k, v)[1],
        "W_K was used for the queries, too": lambda x, q, k, v: mixed(x, k, k, v),
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    close = {"rtol": 1e-4, "atol": 1e-5}
    axes, fine = "with leading axes it fails: work on the last two axes, and exchange only these", set()

    def judge(function, args, wanted, kind):
        """Judge one call; the axes are to blame for an error only where it works without them."""
        near = {axes: RuntimeError} if lead and kind in fine else {}
        about = "with a batch" if lead else "fresh tokens"
        if check(function, *args).equals(wanted, about=f"{kind}, {about}", near=near, **close).passed:
            fine.add(kind)

    for lead in [(), (), (3,), (2, 3)]:
        x = draw(*lead, 5, 4)
        check.mistakes(means)
        judge(mean_mixing, (x,), torch.full((5, 5), 0.2) @ x, "the mean")
        check.mistakes(alike)
        judge(similarity_mixing, (x,), of_scores(dot(x, x), x), "similarity")
        check.mistakes(learned)
        for d, e in [(3, 6), (4, 4)]:
            W = draw(4, d), draw(4, d), draw(4, e)
            judge(self_attention, (x, *W), mixed(x, *W), "learned")
    W = [30 * w for w in W]
    check(self_attention, x, *W).equals(mixed(x, *W), about="large scores", rtol=1e-3, atol=1e-3)
    x = draw(1, 4)
    check(similarity_mixing, x).equals((x @ x.T, x), about="one token", edge=True, **close)
    ### END HIDDEN TESTS


score

# %% [markdown]
# Here is $X X^\top$ beside $(X W_Q)(X W_K)^\top$ for one sentence. The embeddings are random, as those of an untrained
# model are, with 32 numbers each; both *the* have the same embedding.

# %% show
words = "the man ate the fish".split()
rng = torch.Generator().manual_seed(SEED)
table = {word: torch.randn(32, generator=rng) for word in dict.fromkeys(words)}
x = torch.stack([table[word] for word in words])
W_q, W_k, W_v = (torch.randn(32, 32, generator=rng) / math.sqrt(32) for _ in range(3))
raw, _ = similarity_mixing(x)
asked, _ = self_attention(x, W_q, W_k, W_v)
both = torch.stack([raw, asked])
fig, alt = plots.attention(both, words, label="score")
for ax, title in zip(fig.axes, ["$X X^T$", "$(X W_Q)(X W_K)^T$"], strict=False):
    ax.set_title(title)
plots.show(fig, "Left the scores X X transposed, right those with W_Q and W_K. " + alt)
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
# The check of `attention`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("attention", points=7)
def score(check):
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    says = {
        "no_scale": "the scores are not scaled",
        "by_d": "you divided by d_k, not by its square root",
        "root": "`scale` was ignored: these are the numbers with 1 / sqrt(d_k)",
        "divided": "the scores were divided by `scale`; they are multiplied by it",
        "both": "the scores were scaled twice: by `scale` and by the root of d_k",
        "over_queries": "the softmax runs over the queries, so that columns add up to 1: use dim=-1",
        "all": "all weights together add up to 1; those of each query must",
        "after": "the weights were scaled; the scores must be, before the softmax",
        "by_values": "the root is that of d_v, the size of a value; d_k is that of a query",
        "by_keys": "the root is that of the number of keys; d_k is the size of a query",
        "times": "the scores were multiplied by the root of d_k",
        "scores": "the scores came back in place of the weights",
        "order": "the two results are exchanged: the output comes first",
        "no_softmax": "the scores were not put through softmax",
        "keys": "the keys were mixed in place of the values",
        "exchanged": "queries and keys are exchanged",
        "turned": "the weights are turned round before they meet the values",
        "minus": "d ** -1 / 2 is one over twice d: write d ** -0.5",
        "half_d": "d ** 1 / 2 is d / 2: write d ** 0.5",
        "cut": "the root was cut to a whole number",
        "axis": "d was read from a fixed axis: count from the end, shape[-1]",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    Q, K = torch.tensor([[-1.0, -2.0], [3.0, -1.0]]), torch.tensor([[2.0, 2.0], [1.0, 1.0]])
    V = torch.tensor([[2.0, -5.0], [-1.0, 1.0]])  # Q K^T is [[-6, -3], [4, 2]], as in the lecture
    check(attention, Q, K, V, scale=1 / 2).equals(
        ([[-0.4527, -0.0946], [1.1932, -3.3864]], [[0.1824, 0.8176], [0.7311, 0.2689]]), **loose, near={
        says["no_scale"]: ([[-0.8577, 0.7154], [1.6424, -4.2848]], [[0.0474, 0.9526], [0.8808, 0.1192]]),
        says["root"]: ([[-0.6789, 0.3577], [1.4133, -3.8266]], [[0.107, 0.893], [0.8044, 0.1956]]),
        says["divided"]: ([[-0.9926, 0.9852], [1.946, -4.8921]], [[0.0025, 0.9975], [0.982, 0.018]]),
        says["both"]: ([[-0.2285, -0.5431], [1.0093, -3.0186]], [[0.2572, 0.7428], [0.6698, 0.3302]]),
        says["over_queries"]: ([[-0.0625, 0.0424], [1.0625, -4.0424]], [[0.0067, 0.0759], [0.9933, 0.9241]]),
        says["all"]: ([[-0.0119, -0.0025], [1.1618, -3.2973]], [[0.0048, 0.0215], [0.7118, 0.2619]]),
        says["after"]: ([[-0.6065, 0.5059], [1.1613, -3.0298]], [[0.0335, 0.6736], [0.6228, 0.0843]]),
        says["scores"]: ([[-0.4527, -0.0946], [1.1932, -3.3864]], [[-3.0, -1.5], [2.0, 1.0]]),
        says["order"]: ([[0.1824, 0.8176], [0.7311, 0.2689]], [[-0.4527, -0.0946], [1.1932, -3.3864]]),
        says["no_softmax"]: ([[-4.5, 13.5], [3.0, -9.0]], [[-3.0, -1.5], [2.0, 1.0]]),
        says["keys"]: ([[1.1824, 1.1824], [1.7311, 1.7311]], [[0.1824, 0.8176], [0.7311, 0.2689]]),
        says["exchanged"]: ([[-0.9799, 0.9598], [-0.7724, 0.5449]], [[0.0067, 0.9933], [0.0759, 0.9241]]),
        says["turned"]: ([[-0.3662, -0.1811], [1.3662, -3.8189]], [[0.1824, 0.8176], [0.7311, 0.2689]]),
    }
    )
    check(attention, Q, K, V).equals(
        ([[-0.6789, 0.3577], [1.4133, -3.8266]], [[0.1070, 0.8930], [0.8044, 0.1956]]), **loose, near={
        says["no_scale"]: ([[-0.8577, 0.7154], [1.6424, -4.2848]], [[0.0474, 0.9526], [0.8808, 0.1192]]),
        says["half_d"]: ([[-0.8577, 0.7154], [1.6424, -4.2848]], [[0.0474, 0.9526], [0.8808, 0.1192]]),
        says["cut"]: ([[-0.8577, 0.7154], [1.6424, -4.2848]], [[0.0474, 0.9526], [0.8808, 0.1192]]),
        says["minus"]: ([[-0.0375, -0.9249], [0.8674, -2.7348]], [[0.3208, 0.6792], [0.6225, 0.3775]]),
        says["by_d"]: ([[-0.4527, -0.0946], [1.1932, -3.3864]], [[0.1824, 0.8176], [0.7311, 0.2689]]),
        says["over_queries"]: ([[-0.0266, 0.0241], [1.0266, -4.0241]], [[0.0008, 0.0283], [0.9992, 0.9717]]),
        says["all"]: ([[-0.0043, 0.0023], [1.4043, -3.8023]], [[0.0007, 0.0057], [0.7993, 0.1943]]),
        says["after"]: ([[-0.6065, 0.5059], [1.1613, -3.0298]], [[0.0335, 0.6736], [0.6228, 0.0843]]),
        says["times"]: ([[-0.9575, 0.915], [1.8326, -4.6652]], [[0.0142, 0.9858], [0.9442, 0.0558]]),
        says["scores"]: ([[-0.6789, 0.3577], [1.4133, -3.8266]], [[-4.2426, -2.1213], [2.8284, 1.4142]]),
        says["order"]: ([[0.107, 0.893], [0.8044, 0.1956]], [[-0.6789, 0.3577], [1.4133, -3.8266]]),
        says["no_softmax"]: ([[-6.364, 19.0919], [4.2426, -12.7279]], [[-4.2426, -2.1213], [2.8284, 1.4142]]),
        says["keys"]: ([[1.107, 1.107], [1.8044, 1.8044]], [[0.107, 0.893], [0.8044, 0.1956]]),
        says["exchanged"]: ([[-0.9975, 0.9949], [-0.915, 0.8301]], [[0.0008, 0.9992], [0.0283, 0.9717]]),
        says["turned"]: ([[-0.5903, 0.2692], [1.5903, -4.2692]], [[0.107, 0.893], [0.8044, 0.1956]]),
    }
    )
    check(attention, Q, K, V, scale=1.0).equals(
        ([[-0.8577, 0.7154], [1.6424, -4.2848]], [[0.0474, 0.9526], [0.8808, 0.1192]]), **loose, near={
        says["root"]: ([[-0.6789, 0.3577], [1.4133, -3.8266]], [[0.107, 0.893], [0.8044, 0.1956]]),
        says["both"]: ([[-0.6789, 0.3577], [1.4133, -3.8266]], [[0.107, 0.893], [0.8044, 0.1956]]),
        says["over_queries"]: ([[-0.0066, 0.0065], [1.0066, -4.0065]], [[0.0, 0.0067], [1.0, 0.9933]]),
        says["all"]: ([[-0.0007, 0.0006], [1.641, -4.2812]], [[0.0, 0.0008], [0.8801, 0.1191]]),
        says["after"]: ([[-0.6065, 0.5059], [1.1613, -3.0298]], [[0.0335, 0.6736], [0.6228, 0.0843]]),
        says["scores"]: ([[-0.8577, 0.7154], [1.6424, -4.2848]], [[-6.0, -3.0], [4.0, 2.0]]),
        says["order"]: ([[0.0474, 0.9526], [0.8808, 0.1192]], [[-0.8577, 0.7154], [1.6424, -4.2848]]),
        says["no_softmax"]: ([[-9.0, 27.0], [6.0, -18.0]], [[-6.0, -3.0], [4.0, 2.0]]),
        says["keys"]: ([[1.0474, 1.0474], [1.8808, 1.8808]], [[0.0474, 0.9526], [0.8808, 0.1192]]),
        says["exchanged"]: ([[-0.9999, 0.9997], [-0.9799, 0.9598]], [[0.0, 1.0], [0.0067, 0.9933]]),
        says["turned"]: ([[-0.7859, 0.6437], [1.7859, -4.6437]], [[0.0474, 0.9526], [0.8808, 0.1192]]),
    }
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def dot(q, k):
        return torch.einsum("...qd,...kd->...qk", q, k)

    def factor(q, scale):
        return q.shape[-1] ** -0.5 if scale is None else scale

    def made(scaled=None, weigh=None, mix=None):
        """The right function, with one part exchanged for a mistake's."""

        def function(q, k, v, scale=None):
            s = scaled(q, k, v, scale) if scaled else dot(q, k) * factor(q, scale)
            w = weigh(s) if weigh else torch.softmax(s, -1)
            return mix(s, w, q, k, v) if mix else (w @ v, w)

        return function

    def late(q, k, v, scale=None):
        w = torch.softmax(dot(q, k), -1) * factor(q, scale)
        return w @ v, w

    def late_output(q, k, v, scale=None):
        w = torch.softmax(dot(q, k), -1)
        return w @ v * factor(q, scale), w

    def over_all(s):
        return torch.softmax(s.flatten(-2), -1).view(s.shape)

    check.mistakes({
        says["no_scale"]: made(lambda q, k, v, scale: dot(q, k)),
        says["by_d"]: made(lambda q, k, v, scale: dot(q, k) * (1 / q.shape[-1] if scale is None else scale)),
        "you divided by d_k, whatever `scale` says": made(lambda q, k, v, scale: dot(q, k) / q.shape[-1]),
        says["root"]: made(lambda q, k, v, scale: dot(q, k) * q.shape[-1] ** -0.5),
        says["divided"]: made(lambda q, k, v, scale: dot(q, k) / (q.shape[-1] ** 0.5 if scale is None else scale)),
        "the default scale is the root itself; the scores are multiplied by one over it": made(
            lambda q, k, v, scale: dot(q, k) / factor(q, scale)
        ),
        says["both"]: made(lambda q, k, v, scale: dot(q, k) * q.shape[-1] ** -0.5 * (1 if scale is None else scale)),
        says["minus"]: made(lambda q, k, v, scale: dot(q, k) * (0.5 / q.shape[-1] if scale is None else scale)),
        says["half_d"]: made(lambda q, k, v, scale: dot(q, k) * (2 / q.shape[-1] if scale is None else scale)),
        says["cut"]: made(lambda q, k, v, scale: dot(q, k) * (1 / int(q.shape[-1] ** 0.5) if scale is None else scale)),
        says["over_queries"]: made(weigh=lambda s: torch.softmax(s, -2)),
        says["all"]: made(weigh=over_all),
        says["after"]: made(
            lambda q, k, v, scale: dot(q, k),
            mix=lambda s, w, q, k, v: (w * q.shape[-1] ** -0.5 @ v, w * q.shape[-1] ** -0.5),
        ),
        "the weights were multiplied by `scale`; the scores must be, before the softmax": late,
        "the output was multiplied by the scale; the scores must be, before the softmax": late_output,
        "the weights came back transposed: one row for each query": made(mix=lambda s, w, q, k, v: (w @ v, w.mT)),
        "the scale was applied twice: to the queries and to the keys": made(
            lambda q, k, v, scale: dot(q, k) * factor(q, scale) ** 2
        ),
        "the root was taken twice: this is d_k ** 0.25": made(
            lambda q, k, v, scale: dot(q, k) * (q.shape[-1] ** -0.25 if scale is None else scale)
        ),
        says["axis"]: made(lambda q, k, v, scale: dot(q, k) * (q.shape[1] ** -0.5 if scale is None else scale)),
        "a negative `scale` was not taken: any number stands for itself": made(
            lambda q, k, v, scale: dot(q, k) * (q.shape[-1] ** -0.5 if scale is None or scale < 0 else scale)
        ),
        says["by_values"]: made(
            lambda q, k, v, scale: dot(q, k) * (v.shape[-1] ** -0.5 if scale is None else scale)
        ),
        says["by_keys"]: made(lambda q, k, v, scale: dot(q, k) * (k.shape[-2] ** -0.5 if scale is None else scale)),
        says["times"]: made(lambda q, k, v, scale: dot(q, k) * (q.shape[-1] ** 0.5 if scale is None else scale)),
        says["scores"]: made(mix=lambda s, w, q, k, v: (w @ v, s)),
        says["order"]: made(mix=lambda s, w, q, k, v: (w, w @ v)),
        says["no_softmax"]: made(weigh=lambda s: s),
        says["keys"]: made(mix=lambda s, w, q, k, v: (w @ k, w)),
        says["exchanged"]: made(lambda q, k, v, scale: dot(k, q) * factor(q, scale)),
        says["turned"]: made(mix=lambda s, w, q, k, v: (w.mT @ v, w)),
        "only the output came back: return the weights, too": made(mix=lambda s, w, q, k, v: w @ v),
        "`scale or ...` takes 0 for None: ask `scale is None`": made(
            lambda q, k, v, scale: dot(q, k) * (scale or q.shape[-1] ** -0.5)
        ),
    })

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def wanted(q, k, v, scale=None):
        """torch's own; its weights are the output of values that are the unit matrix."""
        one = torch.eye(k.shape[-2], dtype=q.dtype).expand(*k.shape[:-1], k.shape[-2])
        return tuple(scaled_dot_product_attention(q, k, x, scale=scale) for x in (v, one))

    close = {"rtol": 1e-4, "atol": 1e-5}
    axes, fine = {"with leading axes it fails: work on the last two axes, and exchange only these": RuntimeError}, False
    for lead in [(), (), (3,), (2, 3)]:
        about, near = "with leading axes" if lead else "fresh input", axes if lead and fine else {}
        case = 2 * draw(*lead, 8, 5), draw(*lead, 6, 5), draw(*lead, 6, 7)
        fine = check(attention, *case).equals(wanted(*case), about=about, near=near, **close).passed or fine
        scale = float(check.rng.uniform(0.2, 2))
        check(attention, *case, scale=scale).equals(
            wanted(*case, scale), about=f"another scale, {about}", near=near, **close
        )
        check(attention, *case, scale=-scale).equals(
            wanted(*case, -scale), about="a negative scale", near=near, **close
        )
    case = 2 * draw(4, 4), draw(4, 4), draw(4, 4)
    check(attention, *case).equals(wanted(*case), about="all sizes equal", **close)
    case = 40 * draw(3, 9), 40 * draw(5, 9), draw(5, 2)
    check(attention, *case).equals(wanted(*case), about="large scores", rtol=1e-3, atol=1e-4)
    case = draw(3, 4).double(), draw(5, 4).double(), draw(5, 3).double()
    check(attention, *case).equals(wanted(*case), about="64 bits", **close)
    check(attention, *case, scale=0.0).equals(wanted(*case, 0.0), about="scale 0", edge=True, **close)
    case = draw(2, 4), draw(1, 4), draw(1, 3)
    check(attention, *case).equals(wanted(*case), about="one key", edge=True, **close)
    ### END HIDDEN TESTS


score

# %% [markdown]
# The lecture's exercise with its three scalings, and the library's own function:

# %% show
# NBVAL_CHECK_OUTPUT
Q, K = torch.tensor([[-1.0, -2.0], [3.0, -1.0]]), torch.tensor([[2.0, 2.0], [1.0, 1.0]])
V = torch.tensor([[2.0, -5.0], [-1.0, 1.0]])
for name, factor in [("1/d_k", 1 / 2), ("1/sqrt(d_k)", None), ("none", 1.0)]:
    rows = " ".join(f"({a:7.4f} {b:7.4f})" for a, b in attention(Q, K, V, factor)[0].tolist())
    torchs = F.scaled_dot_product_attention(Q, K, V, scale=factor)
    print(f"{name:<12} {rows}  same as torch: {torch.allclose(attention(Q, K, V, factor)[0], torchs, atol=1e-6)}")

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
fig, axes = plots.figure(columns=2, width=9, height=3.4)
for (name, values), style, marker in zip(spread.items(), ["-", "--", ":"], "o^s", strict=True):
    axes[0].plot(sizes, values, style, marker=marker, label=name)
    axes[1].plot(sizes, largest[name], style, marker=marker, label=name)
axes[0].set(xscale="log", yscale="log", xlabel="d", ylabel="variance of the scores")
axes[1].set(xscale="log", xlabel="d", ylabel="largest weight of 64", ylim=(0, 1))
axes[0].legend()
plots.show(fig, f"Variance of the scores and the largest weight, for d from 4 to 512: not scaled, the variance grows "
                f"to {spread['not scaled'][-1]:.0f} and the largest weight to {largest['not scaled'][-1]:.2f}; with "
                f"1/sqrt(d) they stay near 1 and {largest['1/sqrt(d)'][-1]:.2f}; with 1/d both fall.")

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
# The check of `masks`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("masks", points=8)
def score(check):
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    says = {
        "strict": "off by one: a token sees itself, too",
        "ahead": "off by one: a token sees the next one here",
        "future": "the mask is turned round: this shows the future and hides the past",
        "hidden": "True means: may be seen. This mask is True where nothing may be",
        "all_true": "nothing is hidden here",
        "one_more": "off by one: a length of n leaves n places True",
        "one_less": "off by one: one place too few is True",
        "front": "the places at the end are True; a sentence stands at the beginning",
        "turned": "this is (T, B); the batch comes first",
        "unmasked": "the mask was not used",
        "inverted": "the mask was used the wrong way round: True means that a key may be seen",
        "after": "the mask came after the softmax: what is left no longer adds up to 1. Mask the scores",
        "zero": "the score of a hidden key was set to 0 (or nearly), and e to the 0 is 1: set it to minus infinity",
        "renormal": "the mask came after the softmax: where hidden scores are the largest, nothing is left",
        "causal": "a causal mask was used, whatever `mask` says",
        "all_rows": "all became 0 because one query sees nothing: ask each query by itself",
        "dtype": "another dtype came back than that of the queries",
        "small": "the score of a hidden key is not low enough: some weight leaks to it. Use minus infinity",
        "no_scale": "the scores are not scaled by the root of d_k",
        "by_d": "the scores are divided by d_k, not by its root",
        "over_queries": "the softmax runs over the queries: use dim=-1",
        "mean": "a query that may see nothing got equal weights for all keys, as with -1e9: zeros are asked for",
        "nan": "a query that may see nothing got 0/0, which is NaN: zeros are asked for",
        "order": "the two results are exchanged: the output comes first",
        "added": "the mask was added to the scores as it is, 0 and 1: what is hidden needs minus infinity",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    yes, no = True, False
    check(causal_mask, 3).equals([[yes, no, no], [yes, yes, no], [yes, yes, yes]], near={
        says["strict"]: [[False, False, False], [True, False, False], [True, True, False]],
        says["ahead"]: [[True, True, False], [True, True, True], [True, True, True]],
        says["future"]: [[True, True, True], [False, True, True], [False, False, True]],
        says["hidden"]: [[False, True, True], [False, False, True], [False, False, False]],
        says["all_true"]: [[True, True, True], [True, True, True], [True, True, True]],
    })
    check(padding_mask, torch.tensor([2, 3, 1]), 4).equals(
        [[yes, yes, no, no], [yes, yes, yes, no], [yes, no, no, no]], near={
        says["one_more"]: [[True, True, True, False], [True, True, True, True], [True, True, False, False]],
        says["one_less"]: [[True, False, False, False], [True, True, False, False], [False, False, False, False]],
        says["hidden"]: [[False, False, True, True], [False, False, False, True], [False, True, True, True]],
        says["front"]: [[False, False, True, True], [False, True, True, True], [False, False, False, True]],
        says["turned"]: [[True, True, True], [True, True, False], [False, True, False], [False, False, False]],
        says["all_true"]: [[True, True, True, True], [True, True, True, True], [True, True, True, True]],
    }
    )
    q, k = torch.tensor([[0.0], [1.0]]), torch.tensor([[1.0], [2.0]])
    v, causal = torch.tensor([[1.0], [3.0]]), torch.tensor([[yes, no], [yes, yes]])
    check(masked_attention, q, k, v, causal).equals(
        ([[1.0], [2.4621]], [[1.0, 0.0], [0.2689, 0.7311]]), **loose, near={
        says["unmasked"]: ([[2.0], [2.4621]], [[0.5, 0.5], [0.2689, 0.7311]]),
        says["inverted"]: ([[3.0], [torch.nan]], [[0.0, 1.0], [torch.nan, torch.nan]]),
        says["after"]: ([[0.5], [2.4621]], [[0.5, 0.0], [0.2689, 0.7311]]),
        says["zero"]: ([[2.0], [2.4621]], [[0.5, 0.5], [0.2689, 0.7311]]),
        says["over_queries"]: ([[0.2689], [3.7311]], [[0.2689, 0.0], [0.7311, 1.0]]),
        says["order"]: ([[1.0, 0.0], [0.2689, 0.7311]], [[1.0], [2.4621]]),
        says["added"]: ([[1.5379], [2.4621]], [[0.7311, 0.2689], [0.2689, 0.7311]]),
        f"{says['added']} (and set to 0 later)": ([[0.7311], [2.4621]], [[0.7311, 0.0], [0.2689, 0.7311]]),
    }
    )
    check(masked_attention, q, k, v, torch.tensor([[no, no], [yes, yes]])).equals(
        ([[0.0], [2.4621]], [[0.0, 0.0], [0.2689, 0.7311]]), **loose, near={
        says["unmasked"]: ([[2.0], [2.4621]], [[0.5, 0.5], [0.2689, 0.7311]]),
        says["inverted"]: ([[2.0], [torch.nan]], [[0.5, 0.5], [torch.nan, torch.nan]]),
        says["zero"]: ([[2.0], [2.4621]], [[0.5, 0.5], [0.2689, 0.7311]]),
        says["over_queries"]: ([[0.0], [4.0]], [[0.0, 0.0], [1.0, 1.0]]),
        says["mean"]: ([[2.0], [2.4621]], [[0.5, 0.5], [0.2689, 0.7311]]),
        says["nan"]: ([[torch.nan], [2.4621]], [[torch.nan, torch.nan], [0.2689, 0.7311]]),
        says["order"]: ([[0.0, 0.0], [0.2689, 0.7311]], [[0.0], [2.4621]]),
        says["all_rows"]: ([[0.0], [0.0]], [[0.0, 0.0], [0.0, 0.0]]),
    }
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def square(n):
        return torch.ones(n, n, dtype=torch.bool)

    bools = {"the mask must be a bool tensor: True and False, not numbers": lambda *a: None}
    check.mistakes({
        says["strict"]: lambda n: square(n).tril(-1),
        says["ahead"]: lambda n: square(n).tril(1),
        says["future"]: lambda n: square(n).triu(),
        says["hidden"]: lambda n: square(n).triu(1),
        says["all_true"]: square,
        "this is additive, 0 and minus infinity; a bool mask is asked for": lambda n: torch.zeros(n, n).masked_fill(
            square(n).triu(1), -torch.inf
        ),
    })
    for n in (2, 5, 8):
        i = torch.arange(n)
        check(causal_mask, n).equals(i[None, :] <= i[:, None], about="another causal mask")
    check(causal_mask, 1).equals([[True]], about="one token", edge=True)
    check(causal_mask, 4).holds(
        lambda m: m.dtype == torch.bool, "a tensor of bool", about="the causal mask's dtype", edge=True,
        near={next(iter(bools)): lambda m: True},
    )
    check.mistakes({
        says["one_more"]: lambda n, t: torch.arange(t) <= n[:, None],
        says["one_less"]: lambda n, t: torch.arange(1, t + 1) < n[:, None],
        says["hidden"]: lambda n, t: torch.arange(t) >= n[:, None],
        says["front"]: lambda n, t: torch.arange(t) >= t - n[:, None],
        says["turned"]: lambda n, t: (torch.arange(t) < n[:, None]).T,
        says["all_true"]: lambda n, t: torch.ones(len(n), t, dtype=torch.bool),
        "a length of 0 leaves no place True": lambda n, t: torch.arange(t) < n.clamp(min=1)[:, None],
        "`longest` was ignored: the mask is as wide as it says": lambda n, t: torch.arange(n.max()) < n[:, None],
        "True stands at the last place of each sentence only": lambda n, t: torch.arange(1, t + 1) == n[:, None],
    })
    for B, T in [(3, 5), (4, 7), (5, 5)]:
        lengths = torch.tensor(check.rng.integers(1, T, size=B))
        wanted = torch.tensor([[j < n for j in range(T)] for n in lengths.tolist()])
        check(padding_mask, lengths, T).equals(wanted, about="other lengths")
    check(padding_mask, torch.tensor([0, 3]), 3).equals([[False] * 3, [True] * 3], about="length 0", edge=True)
    check(padding_mask, torch.tensor([2, 1]), 3).holds(
        lambda m: m.dtype == torch.bool, "a tensor of bool", about="the padding mask's dtype", edge=True,
        near={next(iter(bools)): lambda m: True},
    )

    def made(fill=-torch.inf, last=0.0, scale=lambda q: q.shape[-1] ** -0.5, hide=None, dim=-1, mix=None, add=0):
        """Masked attention; `fill` goes where a score is hidden, `last` where a weight is (None: no second mask)."""

        def function(q, k, v, mask):
            s = torch.einsum("...qd,...kd->...qk", q.float(), k.float()) * scale(q) + add * mask
            w = torch.softmax(s.masked_fill(~(hide(mask) if hide else mask), fill), dim).to(v.dtype)
            w = w if last is None else w.masked_fill(~mask, last)
            return mix(w, v, mask) if mix else (w @ v, w)

        return function

    def unmasked(mask):
        return torch.ones_like(mask)

    def renormalised(w, v, mask):
        w = (w / w.sum(-1, keepdim=True)).nan_to_num()
        return w @ v, w

    def all_or_none(*case):
        return tuple(t * case[-1].any(-1).all() for t in made()(*case))

    known = {
        says["renormal"]: made(hide=unmasked, mix=renormalised),
        says["all_rows"]: all_or_none,
        says["causal"]: lambda q, k, v, mask: made()(
            q, k, v, torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()
        ),
        says["unmasked"]: made(hide=unmasked, last=None),
        "the mask was used for whole queries only: it hides keys from each query": lambda *case: tuple(
            t * case[-1].any(-1, keepdim=True) for t in made(hide=unmasked, last=None)(*case)
        ),
        "plus infinity went where minus infinity belongs": made(fill=torch.inf),
        says["inverted"]: made(hide=lambda mask: ~mask, last=None),
        "the mask was used the wrong way round: True means that a key may be seen (rows that see nothing are 0)": made(
            hide=lambda mask: ~mask, mix=lambda w, v, mask: (w.nan_to_num() @ v, w.nan_to_num()), last=None
        ),
        says["after"]: made(hide=unmasked),
        says["zero"]: made(fill=0.0, last=None),
        "the score of a hidden key was set to 0, and e to the 0 is 1: set it to minus infinity": made(fill=0.0),
        **{f"{says['small']} (not {low:g})": made(fill=low, last=None) for low in (-1.0, -5.0, -10.0)},
        says["added"]: made(hide=unmasked, last=None, add=1),
        f"{says['added']} (and set to 0 later)": made(hide=unmasked, add=1),
        says["no_scale"]: made(scale=lambda q: 1),
        f"{says['no_scale']}, and {says['nan']}": made(scale=lambda q: 1, last=None),
        says["by_d"]: made(scale=lambda q: 1 / q.shape[-1]),
        says["over_queries"]: made(dim=-2),
        f"{says['over_queries']}, and what is NaN must be 0": made(dim=-2, last=None),
        says["mean"]: made(fill=-1e9, last=None),
        says["nan"]: made(last=None),
        "the weights of a query that may see nothing are 0, its output is not": lambda *case: (
            made(fill=-1e9, last=None)(*case)[0], made()(*case)[1]
        ),
        "the weights of a query that may see nothing are 0, its output is NaN": lambda *case: (
            made(last=None)(*case)[0], made()(*case)[1]
        ),
        "the output of a query that may see nothing is 0, its weights are not": lambda *case: (
            made()(*case)[0], made(fill=-1e9, last=None)(*case)[1]
        ),
        "the output of a query that may see nothing is 0, its weights are NaN": lambda *case: (
            made()(*case)[0], made(last=None)(*case)[1]
        ),
        says["order"]: made(mix=lambda w, v, mask: (w, w @ v)),
        "0 times minus infinity is NaN: fill the hidden places, do not multiply": lambda q, k, v, mask: (
            torch.full((*q.shape[:-1], v.shape[-1]), torch.nan), torch.full((*q.shape[:-1], k.shape[-2]), torch.nan)
        ),
        "the mask is turned round: its rows belong to the queries": made(hide=lambda mask: mask.mT, last=None),
        "the hidden values were set to 0, but their keys still take weight": lambda q, k, v, mask: made(
            hide=unmasked, last=None, mix=lambda w, v, m: ((w * mask) @ v, w)
        )(q, k, v, mask),
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def wanted(q, k, v, mask):
        """torch's own, for each query alone; a query that sees nothing is left at zero."""
        shape = (*q.shape[:-1], k.shape[-2])
        seen = mask.expand(shape).any(-1)[..., None]
        mask = mask | ~seen
        one = torch.eye(k.shape[-2], dtype=q.dtype).expand(*k.shape[:-1], k.shape[-2])
        return tuple(scaled_dot_product_attention(q, k, x, attn_mask=mask.expand(shape)) * seen for x in (v, one))

    def some(*shape):
        """A random mask in which each query sees a key."""
        mask = torch.tensor(check.rng.random(shape) < 0.5)
        mask[..., 0] |= ~mask.any(-1)
        return mask

    close = {"rtol": 1e-4, "atol": 1e-5}
    check.mistakes(known)
    for lead, shape, about in [
        ((), (4, 6), "fresh input"), ((), (4, 6), "fresh input"), ((), (5, 5), "fresh input"),
        ((3,), (3, 4, 6), "a mask for each of a batch"), ((3,), (4, 6), "one mask for a batch"),
        ((3,), (3, 1, 6), "a padding mask"), ((2, 3), (2, 1, 1, 6), "a padding mask for heads"),
    ]:
        T_q, T_k = (5, 5) if shape == (5, 5) else (4, 6)
        case = 2 * draw(*lead, T_q, 3), draw(*lead, T_k, 3), draw(*lead, T_k, 2), some(*shape)
        near = {
            "the mask must be broadcast: its shape may be smaller than that of the scores": RuntimeError,
            "the mask must be broadcast before it is an index: its shape may be smaller than the scores'": IndexError,
        }
        check(masked_attention, *case).equals(wanted(*case), about=about, near=near, **close)
    case = (60 * draw(4, 3), 60 * draw(6, 3), draw(6, 2), some(4, 6))
    check(masked_attention, *case).equals(wanted(*case), about="large scores", rtol=1e-3, atol=1e-4)
    case = (300 * draw(4, 3).abs(), -300 * draw(6, 3).abs(), draw(6, 2), some(4, 6))  # a hidden -100 would win
    others = {words: mistake for words, mistake in known.items() if "score of a hidden key" not in words}
    check.mistakes({says["small"]: made(fill=-100.0, last=None), **others})
    check(masked_attention, *case).equals(wanted(*case), about="scores far below zero", rtol=1e-3, atol=1e-4)
    check.mistakes(known)
    blind = some(4, 6)
    blind[[0, 2]] = False
    case = (2 * draw(4, 3), draw(6, 3), draw(6, 2), blind)
    check(masked_attention, *case).equals(wanted(*case), about="queries that see nothing", **close)
    short = torch.tensor([[[True] * 4 + [False] * 2], [[False] * 6]])
    case = (draw(2, 4, 3), draw(2, 6, 3), draw(2, 6, 2), short)
    check(masked_attention, *case).equals(wanted(*case), about="a sentence of length 0", **close)
    half = [t.half() for t in (draw(4, 3), draw(6, 3), draw(6, 2))]
    check(masked_attention, *half, blind).equals(
        wanted(*(t.float() for t in half), blind), about="half precision", rtol=0.02, atol=5e-3,
        near={"-1e9 does not fit in 16 bits: use minus infinity": RuntimeError},
    )
    check(masked_attention, *half, blind).holds(
        lambda out: all(t.dtype == torch.float16 for t in out), "two tensors of float16", edge=True,
        about="the dtype is kept", near={says["dtype"]: lambda out: out[0].dtype != torch.float16},
    )
    ### END HIDDEN TESTS


score

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
# The check of `heads`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("heads", points=8)
def score(check):
    import torch
    from torch import nn

    says = {
        "view": "the heads were split along the wrong axis: a plain view to (B, H, T, d) mixes tokens with features",
        "every": "head h took every H-th feature; it takes d neighbouring ones",
        "unmoved": "this is (B, T, H, d): exchange the axes 1 and 2",
        "heads_first": "the heads stand before the batch: (B, H, T, d) is asked for",
        "count": "num_heads and d are exchanged",
        "merge_view": "merged without exchanging the axes back: tokens and heads are mixed up",
        "merge_order": "the heads were concatenated in the wrong order: feature by feature, not head by head",
        "reversed": "the heads were concatenated in the wrong order: head 0 comes first",
        "mean": "the heads were averaged or added; they stand one after the other",
        "no_o": "W_O is missing at the end",
        "by_C": "the scale is that of all features; it is that of one head, 1 / sqrt(C / H)",
        "no_scale": "the scores are not scaled by the root of a head's size",
        "turned_W": "the weights are turned round: x W, not x W^T as nn.Linear has it",
        "turned_o": "W_O is turned round: x W, not x W^T",
        "one_head": "there is one head only: `num_heads` was not used",
        "from_q": "keys and values come from x_q; they come from x_kv",
        "v_from_q": "the values come from x_q; they come from x_kv",
        "exchanged_kv": "W_K and W_V are exchanged",
        "exchanged_qk": "W_Q and W_K are exchanged",
        "averaged": "the weights were averaged over the heads; return those of every head",
        "unmasked": "the mask was not used",
        "inverted": "the mask was used the wrong way round: True means that a key may be seen",
        "after": "the mask came after the softmax",
        "over_queries": "the softmax runs over the queries: use dim=-1",
        "over_heads": "the softmax runs over the heads: use dim=-1",
        "tokens": "the tokens were dealt out to the heads; each head sees all tokens and a part of the features",
        "last_first": "the heads are in the reverse order: head 0 holds the first features",
        "none": "`mask` may be None: then every key may be seen",
        "causal": "`mask` is None, and a causal mask was used: then every key may be seen",
    }
    x = torch.arange(1.0, 9.0).view(1, 2, 4)  # two tokens: (1, 2, 3, 4) and (5, 6, 7, 8)
    check(split_heads, x, 2).equals([[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]], near={
        says["view"]: [[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]],
        says["every"]: [[[[1.0, 3.0], [5.0, 7.0]], [[2.0, 4.0], [6.0, 8.0]]]],
        says["unmoved"]: [[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]],
        says["heads_first"]: [[[[1.0, 2.0], [5.0, 6.0]]], [[[3.0, 4.0], [7.0, 8.0]]]],
        says["tokens"]: [[[[1.0, 2.0, 3.0, 4.0]], [[5.0, 6.0, 7.0, 8.0]]]],
    })
    heads = torch.tensor([[[[1.0, 2], [5, 6]], [[3, 4], [7, 8]]]])
    check(merge_heads, heads).equals([[[1, 2, 3, 4], [5, 6, 7, 8]]], near={
        says["merge_view"]: [[[1.0, 2.0, 5.0, 6.0], [3.0, 4.0, 7.0, 8.0]]],
        says["merge_order"]: [[[1.0, 3.0, 2.0, 4.0], [5.0, 7.0, 6.0, 8.0]]],
        says["reversed"]: [[[3.0, 4.0, 1.0, 2.0], [7.0, 8.0, 5.0, 6.0]]], says["mean"]: [[[2.0, 3.0], [6.0, 7.0]]],
        f"{says['mean']} (added)": [[[4.0, 6.0], [12.0, 14.0]]],
    })
    one, swap = torch.eye(2), torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    x = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
    check(multi_head_attention, x, x, one, one, one, swap, 2).equals(
        ([[[1.0, 0.7311], [1.9640, 0.5]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5], [0.0180, 0.9820]]]]),
        rtol=1e-3, atol=2e-4, near={
        says["count"]: ([[[0.6605, 0.6698], [1.8884, 0.0558]]], [[[[0.6698, 0.3302], [0.0558, 0.9442]]]]),
        says["merge_view"]: ([[[0.5, 0.7311], [1.964, 1.0]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5],
            [0.018, 0.982]]]]),
        says["reversed"]: ([[[0.7311, 1.0], [0.5, 1.964]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5],
            [0.018, 0.982]]]]),
        says["no_o"]: ([[[0.7311, 1.0], [0.5, 1.964]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5], [0.018,
            0.982]]]]),
        says["by_C"]: ([[[1.0, 0.6698], [1.8884, 0.5]]], [[[[0.6698, 0.3302], [0.5, 0.5]], [[0.5, 0.5], [0.0558,
            0.9442]]]]),
        says["one_head"]: ([[[0.6605, 0.6698], [1.8884, 0.0558]]], [[[[0.6698, 0.3302], [0.0558, 0.9442]]]]),
        says["averaged"]: ([[[1.0, 0.7311], [1.964, 0.5]]], [[[0.6155, 0.3845], [0.259, 0.741]]]),
        says["over_queries"]: ([[[0.036, 0.7311], [1.964, 0.2689]]], [[[[0.7311, 0.5], [0.2689, 0.5]], [[0.5,
            0.018], [0.5, 0.982]]]]),
        says["over_heads"]: ([[[1.0, 0.7311], [1.964, 0.5]]], [[[[0.7311, 0.5], [0.5, 0.018]], [[0.2689, 0.5], [0.5,
            0.982]]]]),
        says["mean"]: ([[[0.8655, 0.8655], [1.232, 1.232]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5],
            [0.018, 0.982]]]]),
        says["causal"]: ([[[0.0, 1.0], [1.964, 0.5]]], [[[[1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.018, 0.982]]]]),
        says["none"]: TypeError,
    }
    )
    x_q = torch.tensor([[[1.0, 0.0, -1.0, 0.5], [0.0, 2.0, 1.0, -1.0]]])
    x_kv = torch.tensor([[[0.5, 1.0, 0.0, -1.0], [1.0, -0.5, 2.0, 0.0]]])
    weights = [torch.sin(torch.arange(1.0, 17) * (1.3 + i)).view(4, 4) for i in range(4)]
    mask = torch.tensor([[False, True], [True, True]])
    check(multi_head_attention, x_q, x_kv, *weights, 2, mask).equals(
        ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-1.2311, 0.3418, 0.9571, -1.109]]],
         [[[[0.0, 1.0], [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        about="two sequences and a mask", rtol=1e-3, atol=2e-4, near={
        says["merge_view"]: ([[[2.4879, -0.2854, -2.2591, 2.0963], [1.5182, -0.0429, -1.4839, 1.2323]]], [[[[0.0,
            1.0], [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        says["merge_order"]: ([[[1.0885, -5.0969, 2.9972, 2.6944], [-0.8762, -1.0483, 1.7166, -0.3277]]], [[[[0.0,
            1.0], [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        says["reversed"]: ([[[0.1111, 0.3394, -0.3832, -0.0322], [1.1293, -0.1226, -1.0311, 0.9491]]], [[[[0.0, 1.0],
            [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        says["no_o"]: ([[[-1.7808, 1.9045, -1.9805, 2.007], [0.0809, 0.1821, -0.7762, 0.9755]]], [[[[0.0, 1.0],
            [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        says["by_C"]: ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-1.326, 0.3802, 1.0212, -1.1988]]], [[[[0.0, 1.0],
            [0.9734, 0.0266]], [[0.0, 1.0], [0.7076, 0.2924]]]]),
        says["no_scale"]: ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-1.0828, 0.2941, 0.847, -0.9731]]], [[[[0.0, 1.0],
            [0.9993, 0.0007]], [[0.0, 1.0], [0.8541, 0.1459]]]]),
        says["turned_W"]: ([[[0.5157, 0.5501, -0.6022, -0.4554], [1.4682, 2.4094, -1.8473, -2.1187]]], [[[[0.0, 1.0],
            [0.9815, 0.0185]], [[0.0, 1.0], [0.0033, 0.9967]]]]),
        says["turned_o"]: ([[[0.3809, 2.5701, -0.7853, -2.4465], [-1.1671, 1.055, 1.001, -1.2125]]], [[[[0.0, 1.0],
            [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        says["one_head"]: ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-0.7726, 0.2046, 0.6087, -0.6925]]], [[[[0.0, 1.0],
            [0.9888, 0.0112]]]]),
        says["from_q"]: ([[[-0.869, 0.6263, 0.367, -0.9204], [1.3822, -0.0442, -1.3468, 1.1238]]], [[[[0.0, 1.0],
            [0.3393, 0.6607]], [[0.0, 1.0], [0.9577, 0.0423]]]]),
        says["v_from_q"]: ([[[-0.869, 0.6263, 0.367, -0.9204], [-1.0242, 0.1533, 0.9013, -0.8758]]], [[[[0.0, 1.0],
            [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        says["exchanged_kv"]: ([[[-4.4269, -1.4145, 5.5608, -3.043], [-4.5356, 0.17, 4.3993, -3.6965]]], [[[[0.0,
            1.0], [0.0516, 0.9484]], [[0.0, 1.0], [0.969, 0.031]]]]),
        says["exchanged_qk"]: ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-0.8802, 0.4005, 0.5592, -0.8487]]], [[[[0.0,
            1.0], [0.6403, 0.3597]], [[0.0, 1.0], [0.5185, 0.4815]]]]),
        says["averaged"]: ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-1.2311, 0.3418, 0.9571, -1.109]]], [[[0.0, 1.0],
            [0.8856, 0.1144]]]),
        says["unmasked"]: ([[[1.2713, 0.0171, -1.285, 1.013], [-1.2311, 0.3418, 0.9571, -1.109]]], [[[[0.06, 0.94],
            [0.9939, 0.0061]], [[0.842, 0.158], [0.7773, 0.2227]]]]),
        says["inverted"]: ([[[-0.7774, 0.2008, 0.6165, -0.6949], [0.0, 0.0, 0.0, 0.0]]], [[[[1.0, 0.0], [0.0, 0.0]],
            [[1.0, 0.0], [0.0, 0.0]]]]),
        says["after"]: ([[[1.9229, -0.0159, -1.9102, 1.5471], [-1.2311, 0.3418, 0.9571, -1.109]]], [[[[0.0, 0.94],
            [0.9939, 0.0061]], [[0.0, 0.158], [0.7773, 0.2227]]]]),
    }
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def split(x, H):
        return torch.stack(x.chunk(H, dim=-1), dim=1)

    def merge(x):
        return torch.cat(x.unbind(1), dim=-1)

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    splits = {
        says["view"]: lambda x, H: x.reshape(x.shape[0], H, x.shape[1], -1),
        says["every"]: lambda x, H: x.reshape(*x.shape[:2], -1, H).permute(0, 3, 1, 2),
        says["unmoved"]: lambda x, H: x.reshape(*x.shape[:2], H, -1),
        says["heads_first"]: lambda x, H: split(x, H).transpose(0, 1),
        says["count"]: lambda x, H: split(x, x.shape[-1] // H),
        says["last_first"]: lambda x, H: split(x, H).flip(1),
        says["tokens"]: lambda x, H: torch.stack(x.chunk(H, dim=1), dim=1),
    }
    merges = {
        says["merge_view"]: lambda x: x.reshape(x.shape[0], x.shape[2], -1),
        says["merge_order"]: lambda x: x.permute(0, 2, 3, 1).reshape(x.shape[0], x.shape[2], -1),
        says["reversed"]: lambda x: merge(x.flip(1)),
        says["mean"]: lambda x: x.mean(1),
        f"{says['mean']} (added)": lambda x: x.sum(1),
    }
    for B, T, C, H in [(2, 5, 12, 3), (3, 4, 12, 4), (3, 3, 9, 3), (2, 4, 8, 2)]:
        x = draw(B, T, C)
        check.mistakes(splits)
        check(split_heads, x, H).equals(split(x, H), about="fresh features, split")
        check.mistakes(merges)
        check(merge_heads, split(x, H)).equals(x, about="fresh heads, merged")
        check(merge_heads, split(x, H).contiguous()).equals(x, about="fresh heads, contiguous")

    def made(
        split=split, merge=merge, scale=lambda C, d: d**-0.5, dim=-1, hide=None, after=False, last=None, v_of=None
    ):
        """Multi-head attention, with one part exchanged for a mistake's."""

        def function(x_q, x_kv, W_q, W_k, W_v, W_o, H, mask=None):
            q, k, v = split(x_q @ W_q, H), split(x_kv @ W_k, H), split((v_of(x_q) if v_of else x_kv) @ W_v, H)
            s = torch.einsum("bhqd,bhkd->bhqk", q, k) * scale(W_q.shape[-1], q.shape[-1])
            seen = torch.ones_like(s, dtype=torch.bool) if mask is None else (hide(mask) if hide else mask)
            w = torch.softmax(s if after else s.masked_fill(~seen, -torch.inf), dim)
            w = w.masked_fill(~seen, 0)
            return last(w, v, W_o) if last else (merge(w @ v) @ W_o, w)

        return function

    right = made()
    known = {
        **{words: made(split=wrong) for words, wrong in splits.items() if wrong is not splits[says["unmoved"]]},
        f"{says['view']}, and merged the same way": made(split=splits[says["view"]], merge=merges[says["merge_view"]]),
        f"{says['every']}, and merged the same way": made(
            split=splits[says["every"]], merge=merges[says["merge_order"]]
        ),
        says["merge_view"]: made(merge=merges[says["merge_view"]]),
        says["merge_order"]: made(merge=merges[says["merge_order"]]),
        says["reversed"]: made(merge=merges[says["reversed"]]),
        says["no_o"]: made(last=lambda w, v, W_o: (merge(w @ v), w)),
        says["by_C"]: made(scale=lambda C, d: C**-0.5),
        says["no_scale"]: made(scale=lambda C, d: 1),
        "the scores are divided by d, not by its root": made(scale=lambda C, d: 1 / d),
        says["turned_W"]: lambda a, b, q, k, v, o, H, mask=None: right(a, b, q.T, k.T, v.T, o.T, H, mask),
        "W_Q, W_K and W_V are turned round: x W, not x W^T": lambda a, b, q, k, v, o, H, mask=None: right(
            a, b, q.T, k.T, v.T, o, H, mask
        ),
        says["turned_o"]: made(last=lambda w, v, W_o: (merge(w @ v) @ W_o.T, w)),
        says["one_head"]: lambda a, b, q, k, v, o, H, mask=None: right(a, b, q, k, v, o, 1, mask),
        says["from_q"]: lambda a, b, q, k, v, o, H, mask=None: right(a, a, q, k, v, o, H, mask),
        says["v_from_q"]: made(v_of=lambda x_q: x_q),
        "the queries come from x_kv; they come from x_q": lambda a, b, q, k, v, o, H, mask=None: right(
            b, b, q, k, v, o, H, mask
        ),
        says["exchanged_kv"]: lambda a, b, q, k, v, o, H, mask=None: right(a, b, q, v, k, o, H, mask),
        says["exchanged_qk"]: lambda a, b, q, k, v, o, H, mask=None: right(a, b, k, q, v, o, H, mask),
        says["averaged"]: made(last=lambda w, v, W_o: (merge(w @ v) @ W_o, w.mean(1))),
        says["unmasked"]: made(hide=torch.ones_like),
        says["inverted"]: made(hide=torch.logical_not),
        says["after"]: made(after=True),
        says["over_queries"]: made(dim=-2),
        says["over_heads"]: made(dim=1),
        says["mean"]: made(last=lambda w, v, W_o: ((w @ v).mean(1).repeat(1, 1, w.shape[1]) @ W_o, w)),
        "W_V is missing: the values are x_kv W_V": lambda a, b, q, k, v, o, H, mask=None: right(
            a, b, q, k, torch.eye(len(v)), o, H, mask
        ),
        "x was split as it is: W_Q and W_K are missing": lambda a, b, q, k, v, o, H, mask=None: right(
            a, b, torch.eye(len(q)), torch.eye(len(k)), v, o, H, mask
        ),
        "x was split as it is: W_Q, W_K and W_V are missing": lambda a, b, q, k, v, o, H, mask=None: right(
            a, b, *[torch.eye(len(q))] * 3, o, H, mask
        ),
        "the two results are exchanged: the result comes first": made(last=lambda w, v, W_o: (w, merge(w @ v) @ W_o)),
        "only the result came back: return the weights, too": made(last=lambda w, v, W_o: merge(w @ v) @ W_o),
        "x_q and x_kv are exchanged: the queries come from x_q": lambda a, b, *more: right(b, a, *more),
        "x_q was added to the result": lambda a, *more: (a + right(a, *more)[0], right(a, *more)[1]),
        says["causal"]: lambda a, b, q, k, v, o, H, mask=None: right(
            a, b, q, k, v, o, H, torch.ones(a.shape[1], b.shape[1]).tril().bool() if mask is None else mask
        ),
    }

    def library(x_q, x_kv, W_q, W_k, W_v, W_o, H, mask=None):
        """nn.MultiheadAttention with these weights; its matrices and its mask are turned round."""
        layer = nn.MultiheadAttention(W_q.shape[0], H, bias=False, batch_first=True).requires_grad_(False)
        layer.in_proj_weight.copy_(torch.cat([W_q.T, W_k.T, W_v.T]))
        layer.out_proj.weight.copy_(W_o.T)
        B, T_q, T_k = len(x_q), x_q.shape[1], x_kv.shape[1]
        hidden = None if mask is None else ~mask.expand(B, H, T_q, T_k).reshape(B * H, T_q, T_k)
        return layer(x_q, x_kv, x_kv, attn_mask=hidden, average_attn_weights=False)

    check.mistakes(known)
    close = {"rtol": 1e-4, "atol": 1e-5}
    whole = {"the mask is broadcast to (B, H, T_q, T_k) as it comes: no axis is added": RuntimeError}
    for B, T_q, T_k, C, H in [(2, 5, 5, 12, 3), (3, 4, 6, 12, 4), (2, 3, 5, 8, 2)]:
        weights = [draw(C, C) / C**0.5 * 1.5 for _ in range(4)]
        x_q, x_kv = draw(B, T_q, C), draw(B, T_k, C)
        case = (x_q, x_kv, *weights, H)
        none = {says["none"]: TypeError}
        check(multi_head_attention, *case).equals(library(*case), about="two sequences", near=none, **close)
        case = (x_kv, x_kv, *weights, H)
        plain = check(multi_head_attention, *case).equals(library(*case), about="self-attention", near=none, **close)
        near = whole if plain.passed else {}  # the mask is to blame only where it works without one
        causal = torch.ones(T_k, T_k).tril().bool()
        check(multi_head_attention, *case, causal).equals(
            library(*case, causal), about="with a causal mask", near=near, **close
        )
        padding = (torch.arange(T_k) < torch.tensor(check.rng.integers(1, T_k, size=B))[:, None])[:, None, None]
        case = (x_q, x_kv, *weights, H, padding)
        check(multi_head_attention, *case).equals(library(*case), about="with a padding mask", near=near, **close)
    case = (x_q, x_kv, *weights, 1)
    check(multi_head_attention, *case).equals(library(*case), about="one head", edge=True, near=none, **close)
    ### END HIDDEN TESTS


score

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
# The check of `equivariance`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("equivariance", points=4)
def score(check):
    import torch

    says = {
        "invariant": "the output was not shuffled on the one side: that asks for invariance, not for equivariance",
        "input": "the input was shuffled on neither side: one side is the layer of x[order]",
        "inverse": "the output was put back by the inverse order; shuffle it by the same order as the input",
        "twice": "input and output were both shuffled on one side",
        "signed": "the sign counts here: take absolute values before the maximum",
        "mean": "this is the mean of the differences; the largest is asked for",
        "sum": "this is the sum of the differences; the largest is asked for",
        "columns": "the columns were shuffled; the tokens are the rows",
        "table": "all differences came; the largest is asked for",
        "same": "both sides are the same thing here: shuffle the output on the one, the input on the other",
        "square": "the squared difference came",
        "bool": "a bool came; the difference itself is asked for",
        "each": "one number for each feature came; the largest of all is asked for",
        "no_square": "the numbers were not squared: each input is joined to each output",
        "per_token": "a dense layer joins all T * C numbers with all T * C: the square of the product",
        "added": "inputs and outputs were added; each is joined to each, which is the square of the product",
        "three": "W_O was left out: four matrices, not three",
        "grows": "the weights of attention do not grow with the length",
        "biased": "biases were counted: weights only",
        "order": "the two numbers are exchanged: the dense layer comes first",
    }

    def running(x):
        return torch.cumsum(x, 0)

    def lag(x):
        return x - torch.roll(x, 1, 0)

    x = torch.tensor([[1.0], [2.0], [3.0]])
    order = torch.tensor([2, 0, 1])
    check(equivariance_gap, running, x, order).equals(3.0, near={
        says["bool"]: False, says["each"]: [3.0],
        says["invariant"]: 2.0, says["input"]: 5.0, says["inverse"]: 5.0, says["twice"]: 5.0, says["sum"]: 9.0,
        says["table"]: [[3.0], [3.0], [3.0]], says["same"]: 0.0, says["square"]: 9.0,
        says["columns"]: IndexError,
    })
    x, order = torch.tensor([[0.0], [1.0], [2.0], [3.0]]), torch.tensor([1, 2, 3, 0])
    check(equivariance_gap, torch.exp, x, order).equals(0.0, atol=1e-6, near={
        says["bool"]: True, says["each"]: [0.0],
        says["invariant"]: 19.0855, says["input"]: 19.0855, says["inverse"]: 17.3673, says["twice"]: 17.3673,
        says["table"]: [[0.0], [0.0], [0.0], [0.0]],
    })
    check(parameter_counts, 2, 3).equals((36, 36), near={
        says["per_token"]: (18, 36), says["added"]: (12, 36), says["three"]: (36, 27), says["grows"]: (36, 72),
        says["biased"]: (42, 48), says["no_square"]: (6, 12),
    })
    check(parameter_counts, 37, 1024).equals((1435500544, 4194304), near={
        says["per_token"]: (38797312, 4194304), says["three"]: (1435500544, 3145728),
        says["grows"]: (1435500544, 155189248), says["biased"]: (1435538432, 4198400),
        says["order"]: (4194304, 1435500544), says["added"]: (75776, 4194304),
        says["no_square"]: (37888, 4096),
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    check.mistakes({
        says["invariant"]: lambda f, x, o: (f(x) - f(x[o])).abs().max(),
        says["input"]: lambda f, x, o: (f(x)[o] - f(x)).abs().max(),
        says["inverse"]: lambda f, x, o: (f(x)[o.argsort()] - f(x[o])).abs().max(),
        "the input was shuffled by the inverse order; use the same order on both sides": lambda f, x, o: (
            f(x)[o] - f(x[o.argsort()])
        ).abs().max(),
        says["twice"]: lambda f, x, o: (f(x) - f(x[o])[o]).abs().max(),
        says["signed"]: lambda f, x, o: (f(x)[o] - f(x[o])).max(),
        "the sign counts here, and the sides are exchanged: take absolute values": lambda f, x, o: (
            f(x[o]) - f(x)[o]
        ).max(),
        says["mean"]: lambda f, x, o: (f(x)[o] - f(x[o])).abs().mean(),
        says["sum"]: lambda f, x, o: (f(x)[o] - f(x[o])).abs().sum(),
        says["columns"]: lambda f, x, o: (f(x)[:, o] - f(x[:, o])).abs().max(),
        says["table"]: lambda f, x, o: (f(x)[o] - f(x[o])).abs(),
        says["same"]: lambda f, x, o: 0.0,
        says["square"]: lambda f, x, o: ((f(x)[o] - f(x[o])) ** 2).max(),
        "the layer was applied twice": lambda f, x, o: (f(f(x))[o] - f(f(x[o]))).abs().max(),
        "a norm of all differences came; the largest is asked for": lambda f, x, o: (f(x)[o] - f(x[o])).norm(),
        says["each"]: lambda f, x, o: (f(x)[o] - f(x[o])).abs().amax(0),
        "only the first token was compared; the largest difference of all is asked for": lambda f, x, o: (
            f(x)[o] - f(x[o])
        )[0].abs().max(),
        "the layer is missing on one side": lambda f, x, o: (x[o] - f(x[o])).abs().max(),
        says["bool"]: lambda f, x, o: bool(torch.allclose(f(x)[o], f(x[o]))),
    })

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    W = draw(4, 4), draw(4, 4), draw(4, 3)
    positions = draw(5, 4)

    def attend(x):
        q, k, v = (x @ w for w in W)
        return torch.softmax(q @ k.T / 2, -1) @ v

    def placed(x):
        return attend(x + positions)

    def wanted(f, x, o):
        one, other = f(x).double().numpy()[o.numpy()], f(x[o]).double().numpy()
        return float(abs(one - other).max())

    for T, C in [(5, 4), (5, 4), (5, 4)]:
        x, order = draw(T, C), torch.tensor([2, 3, 4, 1, 0])[torch.tensor(check.rng.permutation([0, 1, 2, 3, 4]))]
        order = order if not torch.equal(order, order.argsort()) else torch.tensor([2, 0, 3, 4, 1])
        for name, layer in [("a layer that keeps order", lag), ("attention with positions", placed)]:
            check(equivariance_gap, layer, x, order).equals(
                wanted(layer, x, order), about=name, rtol=1e-4, atol=1e-5
            )
        check(equivariance_gap, running, -x, order).equals(
            wanted(running, -x, order), about="running sums", rtol=1e-4, atol=1e-5
        )
        check(equivariance_gap, attend, x, order).equals(0.0, about="self-attention", atol=1e-5)
    check.mistakes({
        says["per_token"]: lambda T, C: (T * C * C, 4 * C * C),
        "a dense layer joins all T * C numbers with all T * C, not with C": lambda T, C: (T * C * C, 4 * C * C),
        "tokens were counted without their numbers: (T * C) squared": lambda T, C: (T * T, 4 * C * C),
        says["added"]: lambda T, C: (2 * T * C, 4 * C * C),
        says["three"]: lambda T, C: ((T * C) ** 2, 3 * C * C),
        says["grows"]: lambda T, C: ((T * C) ** 2, 4 * T * C * C),
        "the weights of attention are its matrices, not its table of T by T": lambda T, C: ((T * C) ** 2, T * T),
        says["biased"]: lambda T, C: ((T * C) ** 2 + T * C, 4 * C * C + 4 * C),
        says["order"]: lambda T, C: (4 * C * C, (T * C) ** 2),
        says["no_square"]: lambda T, C: (T * C, 4 * C),
    })
    for _ in range(4):
        T, C = (int(n) for n in check.rng.integers(3, 99, size=2))
        check(parameter_counts, T, C).equals((sum([T * C] * (T * C)), 4 * C**2), about="other sizes")
    ### END HIDDEN TESTS


score

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
# The check of `positions`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("positions", points=5)
def score(check):
    import numpy as np
    import torch

    says = {
        "blocks": "all sines came first, then all cosines; they take turns",
        "swapped": "sine and cosine are exchanged: the sine comes first",
        "from_one": "positions start at 0, not at 1",
        "exponent_i": "the exponent is i / C here; it is 2i / C",
        "exponent_4": "the exponent is 4i / C here, or j / (C/2) with j = 2i: it is 2i / C",
        "each": "each column has a rate of its own; a sine and its cosine share one",
        "times": "the positions were multiplied by the power of the base; they are divided by it",
        "turned": "this is (C, T): positions are the rows",
        "base": "`base` was ignored",
        "sines": "there are sines only: every second column is a cosine",
        "turns": "the angles are multiplied by 2 pi; they are in radians as they are",
        "twice": "the positions were added twice",
        "start": "`start` was ignored: the first token stands at position `start`",
        "not_added": "the positions alone came back: add them to the tokens",
        "unplaced": "the tokens came back without positions",
        "batch": "the row belongs to the token, not to its sequence in the batch",
        "product": "the positions were multiplied; they are added",
        "whole": "all rates are 1: was the exponent cut off by //?",
        "short": "the slice ends at T; it ends at `start` + T",
        "computed": "the rows are those of `table`; here sines and cosines were computed anew",
        "dtype": "64-bit floats came: 32-bit floats are asked for",
        "beside": "the positions were put beside the tokens; they are added, not put beside",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    check(sinusoidal_positions, 2, 4).equals([[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0100, 1.0]], **loose, near={
        says["blocks"]: [[0.0, 0.0, 1.0, 1.0], [0.8415, 0.01, 0.5403, 0.9999]],
        says["swapped"]: [[1.0, 0.0, 1.0, 0.0], [0.5403, 0.8415, 0.9999, 0.01]],
        says["from_one"]: [[0.8415, 0.5403, 0.01, 0.9999], [0.9093, -0.4161, 0.02, 0.9998]],
        says["exponent_i"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0998, 0.995]],
        says["exponent_4"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0001, 1.0]],
        says["each"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.995, 0.01, 1.0]],
        says["times"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, -0.5064, 0.8623]],
        says["turned"]: [[0.0, 0.8415], [1.0, 0.5403], [0.0, 0.01], [1.0, 0.9999]],
        says["sines"]: [[0.0, 0.0, 0.0, 0.0], [0.8415, 0.8415, 0.01, 0.01]],
        says["turns"]: [[0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0628, 0.998]],
        says["whole"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.8415, 0.5403]],
    })
    check(sinusoidal_positions, 3, 2, base=10.0).equals([[0.0, 1.0], [0.8415, 0.5403], [0.9093, -0.4161]], **loose)
    x, table = torch.tensor([[[1.0, 0.0], [0.0, 5.0]]]), torch.tensor([[0.0, 1.0], [0.5, 0.5], [0.9, -0.4]])
    check(add_positions, x, table).equals([[[1.0, 1.0], [0.5, 5.5]]], near={
        says["computed"]: [[[1.0, 1.0], [0.84147, 5.5403]]],
        says["twice"]: [[[1.0, 2.0], [1.0, 6.0]]], says["not_added"]: [[[0.0, 1.0], [0.5, 0.5]]],
        says["unplaced"]: [[[1.0, 0.0], [0.0, 5.0]]], says["batch"]: [[[1.0, 1.0], [0.0, 6.0]]],
        says["product"]: [[[0.0, 0.0], [0.0, 2.5]]], says["beside"]: [[[1.0, 0.0, 0.0, 1.0], [0.0, 5.0, 0.5, 0.5]]],
    })
    check(add_positions, x, table, start=1).equals([[[1.5, 0.5], [0.9, 4.6]]], near={
        says["short"]: [[[1.5, 0.5], [0.5, 5.5]]], says["computed"]: [[[1.84147, 0.5403], [0.9093, 4.58385]]],
        says["twice"]: [[[2.0, 1.0], [1.8, 4.2]]], says["start"]: [[[1.0, 1.0], [0.5, 5.5]]],
        says["not_added"]: [[[0.5, 0.5], [0.9, -0.4]]], says["unplaced"]: [[[1.0, 0.0], [0.0, 5.0]]],
        says["batch"]: [[[1.5, 0.5], [0.5, 5.5]]], says["product"]: [[[0.5, 0.0], [0.0, -2.0]]],
        says["beside"]: [[[1.0, 0.0, 0.5, 0.5], [0.0, 5.0, 0.9, -0.4]]],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def angles(T, C, base=10_000.0, first=0, power=lambda C: np.arange(0, C, 2) / C):
        return torch.tensor(np.arange(first, T + first)[:, None] / base ** power(C), dtype=torch.float32)

    def turns(a):
        return torch.stack([a.sin(), a.cos()], -1).flatten(-2)

    def made(place=turns, **how):
        return lambda T, C, base=10_000.0: place(angles(T, C, base, **how))

    def single(T, C, base=10_000.0):
        a = angles(T, C, base, power=lambda C: np.arange(C) / C)
        return torch.where(torch.arange(C) % 2 == 0, a.sin(), a.cos())

    check.mistakes({
        says["blocks"]: made(lambda a: torch.cat([a.sin(), a.cos()], -1)),
        says["swapped"]: made(lambda a: torch.stack([a.cos(), a.sin()], -1).flatten(-2)),
        says["from_one"]: made(first=1),
        says["exponent_i"]: made(power=lambda C: np.arange(C // 2) / C),
        says["exponent_4"]: made(power=lambda C: 2 * np.arange(0, C, 2) / C),
        says["each"]: single,
        says["times"]: made(power=lambda C: -np.arange(0, C, 2) / C),
        says["turned"]: lambda T, C, base=10_000.0: turns(angles(T, C, base)).T,
        says["whole"]: made(power=lambda C: np.zeros(C // 2)),
        says["base"]: lambda T, C, base=10_000.0: turns(angles(T, C)),
        says["sines"]: made(lambda a: torch.stack([a.sin(), a.sin()], -1).flatten(-2)),
        says["turns"]: made(lambda a: turns(2 * np.pi * a)),
        "the last rate is 1 / base: the exponent is 2i / C, not i / (C/2 - 1)": made(
            power=lambda C: np.arange(C // 2) / max(C // 2 - 1, 1)
        ),
    })

    def wanted(T, C, base=10_000.0):
        """One entry at a time, in 64 bits."""
        rows = [[p / base ** (2 * (j // 2) / C) for j in range(C)] for p in range(T)]
        return [[np.cos(a) if j % 2 else np.sin(a) for j, a in enumerate(row)] for row in rows]

    for T, C in [(5, 8), (9, 6), (12, 12), (40, 2), (4, 16)]:
        check(sinusoidal_positions, T, C).equals(wanted(T, C), about="other sizes", rtol=1e-4, atol=1e-4)
        check(sinusoidal_positions, T, C, 500.0).equals(
            wanted(T, C, 500.0), about="another base", rtol=1e-4, atol=1e-4
        )
    check(sinusoidal_positions, 1, 6).equals([[0, 1, 0, 1, 0, 1]], about="one position", edge=True, atol=1e-6)

    check(sinusoidal_positions, 3, 4).holds(
        lambda t: str(t.dtype) in ("torch.float32", "float32"), "32-bit floats", about="the dtype", edge=True,
        near={says["dtype"]: lambda t: str(t.dtype) in ("torch.float64", "float64")},
    )

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def rows(x, table, start=0):
        return table[start : start + x.shape[1]]

    check.mistakes({
        says["short"]: lambda x, t, start=0: x + t[start : x.shape[1]],
        says["computed"]: lambda x, t, start=0: x + torch.tensor(wanted(start + x.shape[1], x.shape[2]))[start:],
        says["twice"]: lambda x, t, start=0: x + 2 * rows(x, t, start),
        says["start"]: lambda x, t, start=0: x + rows(x, t),
        says["not_added"]: lambda x, t, start=0: rows(x, t, start).expand_as(x),
        says["unplaced"]: lambda x, t, start=0: x,
        says["batch"]: lambda x, t, start=0: x + t[start : start + x.shape[0], None],
        says["product"]: lambda x, t, start=0: x * rows(x, t, start),
        says["beside"]: lambda x, t, start=0: torch.cat([x, rows(x, t, start).expand_as(x)], -1),
        "all tokens got the row of `start`; each gets its own": lambda x, t, start=0: x + t[start],
        "the first token is one place too far": lambda x, t, start=0: x + rows(x, t, start + 1),
        "the tokens were multiplied by the root of the width": lambda x, t, start=0: (
            x * x.shape[-1] ** 0.5 + rows(x, t, start)
        ),
        "the last rows of the table were taken; the first token stands at `start`": lambda x, t, start=0: (
            x + t[-x.shape[1] :]
        ),
    })
    for B, T, C, L in [(3, 5, 4, 9), (2, 4, 6, 7), (4, 4, 4, 8)]:
        x, table = draw(B, T, C), draw(L, C)
        for start in (0, 2, L - T):
            each = torch.stack([torch.stack([x[b, t] + table[start + t] for t in range(T)]) for b in range(B)])
            check(add_positions, x, table, start).equals(
                each, about="another start" if start else "from the beginning", rtol=1e-5, atol=1e-6,
                near={"take the table's rows from `start` to `start` + T, no more and no fewer": RuntimeError},
            )
    ### END HIDDEN TESTS


score

# %% [markdown]
# The gap of exercise 8, without and with positions, and the hands of the clock:

# %% show
x, order = torch.randn(6, 32, generator=rng), torch.tensor([5, 0, 3, 1, 4, 2])
clock = sinusoidal_positions(64, 32)
def plain(x: torch.Tensor) -> torch.Tensor:
    """Self-attention without positions, (T, C) to (T, C)."""
    return attention(x @ W_q, x @ W_k, x @ W_v)[0]

def placed(x: torch.Tensor) -> torch.Tensor:
    """The same with positions added."""
    return plain(add_positions(x[None], clock)[0])

print(f"gap of self-attention {equivariance_gap(plain, x, order):.1e}, "
      f"with positions {equivariance_gap(placed, x, order):.2f}")
fig, axes = plots.figure(columns=2, width=9, height=3.4)
image = axes[0].imshow(clock, cmap="RdBu", aspect="auto", vmin=-1, vmax=1)
axes[0].set(xlabel="feature", ylabel="position", title="sinusoidal positions")
axes[0].grid(visible=False)
fig.colorbar(image, ax=axes[0])
for p, style in [(8, "-"), (24, "--"), (48, ":")]:
    axes[1].plot(clock @ clock[p], style, label=f"position {p}")
axes[1].set(xlabel="position", ylabel="dot product", title="of three positions with all", ylim=(5, 22))
axes[1].legend(loc="upper right", ncols=3, fontsize=8)
plots.show(fig, "Left, a picture of 64 positions by 32 features: fast waves on the left, nearly constant columns on "
                "the right. Right, the dot products of three positions with all: each peaks at its own position.")

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
# The check of `relative`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("relative", points=8)
def score(check):
    import numpy as np
    import torch

    says = {
        "sign": "the difference is turned round: it is j - i, key minus query",
        "uncut": "differences beyond m must be cut to m",
        "wrapped": "a negative difference must not count from the end of the table: add m",
        "absolute": "the sign of the difference was lost: before and after have numbers of their own",
        "early": "the difference was cut by m - 1 here",
        "plus_two": "the rates are base^(-i / d) here; the exponent is -2i / d",
        "up": "the positions were multiplied by base^(+2i / d): the exponent is negative",
        "from_one": "the positions were counted from 1, or moved: take them as they come",
        "counted": "the positions were counted anew from 0: take them as they come",
        "doubled": "each angle came twice: one for each pair",
        "base": "`base` was ignored",
        "halves": "the wrong pairs: feature i was paired with i + d/2. Here neighbours are a pair: (0, 1), (2, 3), ...",
        "clockwise": "the turn goes the wrong way: the sine with the minus belongs to the first of the pair",
        "half_out": "the pairs are the neighbours, but they were put back as two halves, not side by side",
        "mixed_sign": "one sign is wrong: this is a mirror, not a turn",
        "exchanged": "sine and cosine are exchanged",
        "written": "the second of the pair was computed from the first as already turned: keep both until the end",
        "square": "the result is (H, T_q, T_k): `len_k` was not used",
        "at_end": "both begin at position 0; here the queries stand at the end of the keys",
        "first_pair": "all pairs were turned by the first pair's angle: each has its own",
        "only_cos": "only x times the cosine came: the part with the sine is missing",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    table = torch.tensor([[10.0, 20.0, 30.0]])  # for the differences -1, 0, 1
    check(relative_bias, table, 2, 3).equals([[[20, 30, 30], [10, 20, 30]]], near={
        says["sign"]: [[[20.0, 10.0, 10.0], [30.0, 20.0, 10.0]]],
        says["wrapped"]: [[[10.0, 20.0, 20.0], [30.0, 10.0, 20.0]]], says["uncut"]: IndexError,
        says["absolute"]: [[[20.0, 30.0, 30.0], [30.0, 20.0, 30.0]]],
        says["early"]: [[[20.0, 20.0, 20.0], [20.0, 20.0, 20.0]]],
        says["square"]: [[[20.0, 30.0], [10.0, 20.0]]],
        says["at_end"]: [[[10.0, 20.0, 30.0], [10.0, 10.0, 20.0]]],
    })
    positions = torch.tensor([0.0, 1.0, 2.0])
    check(rotary_angles, positions, 4).equals([[0.0, 0.0], [1.0, 0.01], [2.0, 0.02]], **loose, near={
        says["plus_two"]: [[0.0, 0.0], [1.0, 0.1], [2.0, 0.2]], says["up"]: [[0.0, 0.0], [1.0, 100.0], [2.0, 200.0]],
        says["from_one"]: [[1.0, 0.01], [2.0, 0.02], [3.0, 0.03]],
        says["doubled"]: [[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.01, 0.01], [2.0, 2.0, 0.02, 0.02]],
    })
    turn = torch.pi / 6 * torch.tensor([[0.0], [1.0], [2.0], [3.0]])
    x = torch.tensor([[1.0, 0.0]]).repeat(4, 1)
    check(rotate_pairs, x, turn).equals([[1.0, 0.0], [0.866, 0.5], [0.5, 0.866], [0.0, 1.0]], **loose, near={
        says["clockwise"]: [[1.0, 0.0], [0.866, -0.5], [0.5, -0.866], [0.0, -1.0]],
        says["exchanged"]: [[0.0, 1.0], [0.5, 0.866], [0.866, 0.5], [1.0, 0.0]],
        says["only_cos"]: [[1.0, 0.0], [0.866, 0.0], [0.5, 0.0], [0.0, 0.0]],
        says["written"]: [[1.0, 0.0], [0.866, 0.433], [0.5, 0.433], [0.0, 0.0]],
    })
    x, quarter = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([[torch.pi / 2, 0.0]])
    check(rotate_pairs, x, quarter).equals([[-2.0, 1.0, 3.0, 4.0]], **loose, near={
        says["halves"]: [[-3.0, 2.0, 1.0, 4.0]], says["clockwise"]: [[2.0, -1.0, 3.0, 4.0]],
        says["half_out"]: [[-2.0, 3.0, 1.0, 4.0]], says["mixed_sign"]: [[-2.0, 1.0, 3.0, -4.0]],
        says["exchanged"]: [[1.0, 2.0, -4.0, 3.0]], says["only_cos"]: [[0.0, 0.0, 3.0, 4.0]],
        says["written"]: [[-2.0, -2.0, 3.0, 4.0]], says["first_pair"]: [[-2.0, 1.0, -4.0, 3.0]],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def biased(change, cut=True, least=None):
        """A table of differences, changed, cut and looked up."""

        def function(table, T_q, T_k):
            m = table.shape[1] // 2
            d = change(torch.arange(T_k)[None] - torch.arange(T_q)[:, None])
            limit = m if least is None else max(m - least, 0)
            return table[:, (d.clamp(-limit, limit) if cut else d) + m]

        return function

    check.mistakes({
        says["sign"]: biased(lambda d: -d),
        says["uncut"]: biased(lambda d: d, cut=False),
        says["wrapped"]: lambda t, T_q, T_k: biased(lambda d: d)(t.roll(t.shape[1] // 2, 1), T_q, T_k),
        says["absolute"]: biased(abs),
        says["early"]: biased(lambda d: d, least=1),
        says["square"]: lambda t, T_q, T_k: biased(lambda d: d)(t, T_q, T_q),
        says["at_end"]: lambda t, T_q, T_k: biased(lambda d: d - (T_k - T_q))(t, T_q, T_k),
        "differences outside the table were taken round it; cut them to m": lambda t, T_q, T_k: t[
            :, (torch.arange(T_k)[None] - torch.arange(T_q)[:, None] + t.shape[1] // 2) % t.shape[1]
        ],
        "this is (H, T_k, T_q): queries are in rows": lambda t, T_q, T_k: biased(lambda d: d)(t, T_q, T_k).mT,
        "the heads come first: (H, T_q, T_k)": lambda t, T_q, T_k: biased(lambda d: d)(t, T_q, T_k).permute(1, 2, 0),
        "only the first head's numbers were used": lambda t, T_q, T_k: biased(lambda d: d)(
            t[:1].expand_as(t), T_q, T_k
        ),
        "differences beyond m got 0; they get the number for m": lambda t, T_q, T_k: biased(lambda d: d)(t, T_q, T_k)
        * ((torch.arange(T_k)[None] - torch.arange(T_q)[:, None]).abs() <= t.shape[1] // 2),
    })
    for H, m, T_q, T_k in [(2, 3, 5, 7), (3, 2, 6, 4), (2, 1, 5, 5), (4, 6, 4, 4)]:
        table = draw(H, 2 * m + 1)
        rows = [[int(np.clip(j - i, -m, m)) + m for j in range(T_k)] for i in range(T_q)]
        check(relative_bias, table, T_q, T_k).equals(
            np.take(table.numpy(), rows, axis=1), about="another table"
        )
        check(relative_bias, table, T_q, T_k).holds(
            lambda b: bool(abs(np.asarray(b)[:, 1:, 1:] - np.asarray(b)[:, :-1, :-1]).max() == 0),
            "numbers that depend on the difference only", about="only differences matter, the bias",
        )

    def rates(d, base, power=-1.0):
        return torch.tensor(base ** (power * np.arange(0, d, 2) / d), dtype=torch.float32)

    check.mistakes({
        says["plus_two"]: lambda p, d, base=1e4: p[:, None] * rates(d, base, -0.5),
        says["up"]: lambda p, d, base=1e4: p[:, None] * rates(d, base, 1.0),
        "the rates are base^(-4i / d) here; the exponent is -2i / d": lambda p, d, base=1e4: p[:, None]
        * rates(d, base, -2.0),
        says["from_one"]: lambda p, d, base=1e4: (p + 1)[:, None] * rates(d, base),
        says["counted"]: lambda p, d, base=1e4: torch.arange(len(p))[:, None] * rates(d, base),
        says["doubled"]: lambda p, d, base=1e4: (p[:, None] * rates(d, base)).repeat_interleave(2, -1),
        "each angle came twice, as two halves: one for each pair": lambda p, d, base=1e4: (
            p[:, None] * rates(d, base)
        ).repeat(1, 2),
        "the positions were cut to whole numbers: they may be any": lambda p, d, base=1e4: p.long()[:, None]
        * rates(d, base),
        "there is one angle for each pair, not for each feature": lambda p, d, base=1e4: p[:, None]
        * base ** (-torch.arange(d) / d),
        says["base"]: lambda p, d, base=1e4: p[:, None] * rates(d, 1e4),
        "the angles are multiplied by 2 pi; they are in radians as they are": lambda p, d, base=1e4: 2
        * torch.pi * p[:, None] * rates(d, base),
        "this is (d/2, T): positions are the rows": lambda p, d, base=1e4: (p[:, None] * rates(d, base)).mT,
    })
    for T, d in [(5, 8), (4, 6), (7, 4)]:
        positions = torch.tensor(np.sort(check.rng.choice(50, size=T, replace=False) - 10) / 4, dtype=torch.float32)
        for base in (1e4, 300.0):
            each = [[p * base ** (-2 * i / d) for i in range(d // 2)] for p in positions.tolist()]
            check(rotary_angles, positions, d, base).equals(each, about="other angles", rtol=1e-4, atol=1e-6)

    def halves(x):
        return x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]

    def written(x, a):
        even = x[..., 0::2] * a.cos() - x[..., 1::2] * a.sin()
        return torch.stack([even, even * a.sin() + x[..., 1::2] * a.cos()], -1).flatten(-2)

    def turned(x, a, sin=torch.sin, cos=torch.cos, apart=False, out=False, mirror=False):
        """Rotate, with one part exchanged for a mistake's."""
        even, odd = halves(x) if apart else (x[..., 0::2], x[..., 1::2])
        one, other = even * cos(a) - odd * sin(a), even * sin(a) + odd * cos(a) * (-1 if mirror else 1)
        return torch.cat([one, other], -1) if apart or out else torch.stack([one, other], -1).flatten(-2)

    check.mistakes({
        says["halves"]: lambda x, a: turned(x, a, apart=True),
        says["clockwise"]: lambda x, a: turned(x, -a),
        "the wrong pairs (feature i with i + d/2), and the turn goes the wrong way": lambda x, a: turned(
            x, -a, apart=True
        ),
        says["half_out"]: lambda x, a: turned(x, a, out=True),
        says["mixed_sign"]: lambda x, a: turned(x, a, mirror=True),
        says["written"]: written,
        "both sines have a plus: the first of the pair needs a minus": lambda x, a: torch.stack(
            [x[..., 0::2] * a.cos() + x[..., 1::2] * a.sin(), x[..., 0::2] * a.sin() + x[..., 1::2] * a.cos()], -1
        ).flatten(-2),
        says["exchanged"]: lambda x, a: turned(x, a, sin=torch.cos, cos=torch.sin),
        says["only_cos"]: lambda x, a: x * a.cos().repeat_interleave(2, -1),
        "the angles were laid out as two halves (repeat); the pairs are neighbours (repeat_interleave)": lambda x, a: (
            x * a.cos().repeat(1, 2)
            + torch.stack([-x[..., 1::2], x[..., 0::2]], -1).flatten(-2) * a.sin().repeat(1, 2)
        ),
        "the angles are neighbours, but feature i was paired with i + d/2": lambda x, a: (
            x * a.cos().repeat_interleave(2, -1)
            + torch.cat([-halves(x)[1], halves(x)[0]], -1) * a.sin().repeat_interleave(2, -1)
        ),
        "all tokens were turned by the first token's angles": lambda x, a: turned(x, a[:1].expand_as(a)),
        says["first_pair"]: lambda x, a: turned(x, a[:, :1].expand_as(a)),
        "the angles were counted from the first token's: take them as they come": lambda x, a: turned(x, a - a[:1]),
        "x came back as it was": lambda x, a: x,
    })

    def wanted(x, a):
        """Each pair a complex number, times e^(i angle)."""
        pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(a).double(), a.double())).flatten(-2)

    close, fine = {"rtol": 1e-4, "atol": 1e-5}, False
    for lead in [(), (), (3,), (2, 3)]:
        x, a = draw(*lead, 5, 8), 3 * draw(5, 4)
        axes = {"with leading axes it fails: pair the features on the last axis": RuntimeError}
        judged = check(rotate_pairs, x, a).equals(
            wanted(x, a), about="with leading axes" if lead else "fresh input", **close,
            near=axes if lead and fine else {},
        )
        fine = fine or judged.passed
    q, k = draw(1, 8), draw(1, 8)
    products = []
    for m, n in [(0, 3), (5, 8), (21, 24)]:
        a = torch.tensor([[float(m)], [float(n)]]) * rates(8, 1e4)
        check(rotate_pairs, torch.cat([q, k]), a).equals(
            wanted(torch.cat([q, k]), a), about="the same difference at other places", **close
        )
        products.append(a)

    def differences_only(*all_angles):
        """The dot products of one query and one key, at three pairs of places with the same difference."""
        turns = [torch.as_tensor(np.asarray(rotate_pairs(torch.cat([q, k]), a))) for a in all_angles]
        return [float(t[0] @ t[1]) for t in turns]

    check(differences_only, *products).holds(
        lambda found: max(found) - min(found) < 1e-4, "one number for each difference",
        about="only differences matter, the rotation",
    )
    ### END HIDDEN TESTS


score

# %% [markdown]
# Only differences matter, seen: the same query at position 20 and the same key at all others. With RoPE the curve moves
# with the query and keeps its form; with added positions it changes.

# %% show
q, k = torch.randn(64, generator=rng), torch.randn(64, generator=rng)
places, clock = torch.arange(60.0), sinusoidal_positions(60, 64)
def products(where: int, rotary: bool) -> torch.Tensor:
    """Return the dot products (60,) of q at one place with k at all places."""
    if not rotary:
        return (k + clock) @ (q + clock[where])
    keys = rotate_pairs(k.repeat(60, 1), rotary_angles(places, 64))
    return keys @ rotate_pairs(q[None], rotary_angles(places[where : where + 1], 64))[0]

fig, axes = plots.figure(columns=2, width=9, height=3.4)
moved = {}
for ax, rotary, title in [(axes[0], True, "RoPE"), (axes[1], False, "sinusoids, added")]:
    for where, style in [(20, "-"), (35, "--")]:
        ax.plot(places - where, products(where, rotary), style, label=f"query at {where}")
    moved[title] = float((products(20, rotary)[:45] - products(35, rotary)[15:]).abs().max())
    ax.set(xlabel="position of the key minus that of the query", ylabel="dot product", title=title)
axes[0].legend()
plots.show(fig, f"Dot products against the difference of positions, for a query at 20 and at 35. With RoPE the two "
                f"curves lie on each other (largest gap {moved['RoPE']:.4f}); with added sinusoids they differ by up "
                f"to {moved['sinusoids, added']:.1f}.")

# %% [markdown]
# ## Spam, once more
#
# The row of this chapter in the leaderboard. Words are embedded, positions added, one layer of your multi-head
# attention lets each word look at the others, and a learned query pools what it finds into one vector: attention again,
# with a single query. A sigmoid of a weighted sum decides. Beside it stands the same without attention: the mean of the
# embedded words.

# %% given
import re
from collections import Counter

from sklearn.metrics import f1_score


def word_ids(texts: list[str], vocabulary: dict[str, int], longest: int = 48) -> torch.Tensor:
    """Return (N, T) ids of the first words of each text: 0 is padding, 1 an unknown word."""
    rows = [[vocabulary.get(w, 1) for w in re.findall(r"\w+", text.lower())[:longest]] or [1] for text in texts]
    return nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)


class AttentionFilter(nn.Module):
    """Spam or ham from words: one layer of self-attention and attention pooling, or the mean of the words."""

    def __init__(self, words: int, attends: bool, width: int = 32, num_heads: int = 4):
        super().__init__()
        self.attends, self.num_heads = attends, num_heads
        self.embed = nn.Embedding(words + 2, width, padding_idx=0)
        self.matrices = nn.ParameterList([torch.randn(width, width) / math.sqrt(width) for _ in range(4 * attends)])
        self.query = nn.Parameter(torch.randn(1, width))
        self.decide = nn.Linear(width, 1)
        self.register_buffer("clock", 0.3 * sinusoidal_positions(64, width))

    def forward(self, words: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return (scores (B,), weights (B, H, T, T) or None) of word ids (B, T)."""
        present = words != 0
        x, weights = self.embed(words), None
        if not self.attends:
            pooled = x.sum(1) / present.sum(1, keepdim=True)
            return self.decide(pooled).squeeze(-1), weights
        x = add_positions(x, self.clock)
        mixed, weights = multi_head_attention(x, x, *self.matrices, self.num_heads, present[:, None, None])
        pooled, _ = masked_attention(self.query, x + mixed, x + mixed, present[:, None])  # (B, 1, C)
        return self.decide(pooled[:, 0]).squeeze(-1), weights


def filter_loss(model: AttentionFilter, batch) -> torch.Tensor:
    """Return the mean cross-entropy of spam against ham."""
    return F.binary_cross_entropy_with_logits(model(batch[0])[0], batch[1])


def train_filter(attends: bool, seed: int, words: torch.Tensor, labels: torch.Tensor, steps: int) -> AttentionFilter:
    """Train a filter on batches of 64 messages."""
    torch.manual_seed(seed)
    draw = torch.Generator().manual_seed(seed)
    model = AttentionFilter(int(words.max()), attends)

    def batch(step):
        rows = torch.randint(len(words), (64,), generator=draw)
        part = words[rows, : int((words[rows] != 0).sum(1).max())]
        unknown = (torch.rand(part.shape, generator=draw) < 0.1) & (part != 0)  # now and then a word is not known
        return part.masked_fill(unknown, 1), labels[rows]

    fit(model, batch, filter_loss, steps=steps, lr=5e-3, weight_decay=0.1, progress=False)
    return model.cpu()


@torch.no_grad()
def spam_f1(model: AttentionFilter, words: torch.Tensor, labels: np.ndarray) -> float:
    """Return the F1 of spam."""
    return float(f1_score(labels, model(words)[0] > 0))

# %% show
inbox_train, inbox_test = data.load("inbox").without_repeats().split(test=0.2, seed=SEED)
counts = Counter(w for text in inbox_train.texts for w in re.findall(r"\w+", text.lower()))
vocabulary = {word: i for i, (word, n) in enumerate(counts.most_common(4000), start=2) if n > 1}
train_words, test_words = (word_ids(part.texts, vocabulary) for part in (inbox_train, inbox_test))
train_labels = torch.tensor(inbox_train.labels, dtype=torch.float32)
filters = {}
for name, attends in [("self-attention, pooled by attention", True), ("mean of learned word vectors", False)]:
    with leaderboard.measured("04", name, "inbox") as row:
        filters[name] = train_filter(attends, SEED, train_words, train_labels, budget(grade=40, cpu=500))
        row.f1 = spam_f1(filters[name], test_words, inbox_test.labels)
        row.parameters = sum(p.numel() for p in filters[name].parameters())
    print(f"{name:<38} F1 {row.f1:.3f}, {row.parameters:,} parameters, {row.seconds:.0f} s")
print(f"\n{leaderboard.table('inbox')}")

# %% [markdown]
# Attention does not always pay. Spam betrays itself by its words, whatever their order, so the mean of the words is as
# good here, in a fraction of the time. Compare both rows with those of chapter 01, too.
#
# What do the four heads look at? One spam message of the test part, and below it what each head is worth: a head is
# pruned by setting its rows of $W_O$ to zero, since these are what carries it on.

# %% show
spam_filter = filters["self-attention, pooled by attention"]
def words_of(i: int) -> list[str]:
    """Return the words of a test message."""
    return re.findall(r"\w+", inbox_test.texts[i].lower())

chosen = next(i for i, y in enumerate(inbox_test.labels) if y and 8 <= len(words_of(i)) <= 12)
shown = words_of(chosen)
with torch.no_grad():
    _, weights = spam_filter(test_words[chosen : chosen + 1, : len(shown)])
fig, alt = plots.attention(weights[0], shown)
plots.show(fig, f"What the four heads look at in a spam message of the test part. {alt}")
looks = weights[0].mean(1)  # (H, T): how much each head looks at each word, over all queries
for head in range(4):
    best = looks[head].argsort(descending=True)[:3]
    print(f"head {head + 1} looks most at: {', '.join(f'{shown[j]} {looks[head, j]:.2f}' for j in best)}")

# %% show
@torch.no_grad()
def pruned_f1(heads: list[int]) -> float:
    """Return F1 on the test part without these heads; the model is put back as it was."""
    W_o, width = spam_filter.matrices[3], spam_filter.matrices[3].shape[0] // spam_filter.num_heads
    kept = W_o.clone()
    for head in heads:
        W_o[head * width : (head + 1) * width] = 0
    found = spam_f1(spam_filter, test_words, inbox_test.labels)
    W_o.copy_(kept)
    return found

left, order = list(range(4)), []
table = {"all heads": pruned_f1([])} | {f"without head {h + 1}": pruned_f1([h]) for h in left}
while left:  # the head that is missed least goes first
    order.append(max(left, key=lambda h: pruned_f1([*order, h])))
    left.remove(order[-1])
    table[f"{len(left)} head{'s' * (len(left) != 1)} left"] = pruned_f1(order)
for name, found in table.items():
    print(f"{name:<16} F1 {found:.3f}")
fig, ax = plots.figure(height=2.9)
plots.bars(ax, list(table), list(table.values()), label="F1 of spam on the test part")
plots.show(fig, "Bar chart of F1 with heads pruned: " + ", ".join(f"{n} {v:.3f}" for n, v in table.items()) + ".")

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
from helpers.usage import usage


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
# The check of `tiles`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("tiles", points=6)
def score(check):
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    says = {
        "uncorrected": "what was added up before was not corrected by exp(m - m')",
        "total_only": "the output was not corrected by exp(m - m'); only the total was",
        "output_only": "the total was not corrected by exp(m - m'); only the output was",
        "inverse": "the correction is turned round: it is exp(m - m'), at most 1",
        "tile_max": "the maximum is that of the tile alone; it is that of all keys so far",
        "kept_max": "the maximum before the tile was kept",
        "divided": "the output is divided by the total already; that is done once, at the end",
        "old_max": "the tile's exponentials use the old maximum; they use the new one",
        "own_max": "the tile's exponentials use the tile's own maximum; they use that of all keys so far",
        "global": "one maximum for all queries: each query has its own",
        "mean": "this is the mean of the tiles' outputs; tiles weigh as much as their total",
        "undivided": "the output was not divided by the total at the end",
        "no_scale": "the scores are not scaled by the root of d_k",
        "dropped": "the last tile, which is shorter, was left out",
        "final": "only the last tile counts here",
        "first": "only the first tile counts here",
        "old_back": "the maximum came back as it was given: return the new one",
        "no_max": "no maximum is kept here: large scores overflow",
        "softmax": "the tile's softmax times its values was added; add the exponentials times the values",
        "same_values": "the first values were used for every tile: cut the values as the keys",
        "overlap": "the tiles overlap, and keys count more than once: go on by `tile`",
        "axis": "there is one factor and one total for each query: it needs an axis more, [:, None]",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    start = torch.tensor([-torch.inf]), torch.tensor([0.0]), torch.tensor([[0.0]])
    check(add_tile, *start, torch.tensor([[0.0]]), torch.tensor([[0.0]])).equals(
        ([0.0], [1.0], [[0.0]]), **loose, near={
        says["inverse"]: ([0.0], [torch.nan], [[torch.nan]]),
        says["kept_max"]: ([-torch.inf], [torch.nan], [[torch.nan]]),
        says["old_max"]: ([0.0], [torch.inf], [[torch.nan]]), says["old_back"]: ([-torch.inf], [1.0], [[0.0]]),
    }
    )
    before = torch.tensor([0.0, 2.6931]), torch.tensor([1.0, 3.0]), torch.tensor([[0.5], [1.0]])
    scores, values = torch.tensor([[0.6931, 0.0], [1.3069, 2.0]]), torch.tensor([[2.0], [4.0]])
    check(add_tile, *before, scores, values).equals(
        ([0.6931, 2.6931], [2.0, 3.75], [[4.25], [3.5]]), **loose, near={
        says["uncorrected"]: ([0.6931, 2.6931], [2.5, 3.75], [[4.5001], [3.5]]),
        says["total_only"]: ([0.6931, 2.6931], [2.0, 3.75], [[4.5001], [3.5]]),
        says["output_only"]: ([0.6931, 2.6931], [2.5, 3.75], [[4.2501], [3.5]]),
        says["inverse"]: ([0.6931, 2.6931], [3.4999, 3.75], [[5.0], [3.5]]),
        says["tile_max"]: ([0.6931, 2.0], [2.0, 7.4997], [[4.2501], [7.0]]),
        says["kept_max"]: ([0.0, 2.6931], [3.9999, 3.75], [[8.4998], [3.5]]),
        says["divided"]: ([0.6931, 2.6931], [2.0, 3.75], [[2.125], [0.9334]]),
        says["old_max"]: ([0.6931, 2.6931], [3.4999, 3.75], [[8.2498], [3.5]]),
        says["own_max"]: ([0.6931, 2.6931], [2.0, 4.5], [[4.2501], [6.0]]),
        says["old_back"]: ([0.0, 2.6931], [2.0, 3.75], [[4.25], [3.5]]),
        says["no_max"]: ([0.0, 2.6931], [4.0, 14.0838], [[8.5], [37.9458]]),
        says["softmax"]: ([0.6931, 2.6931], [2.0, 3.75], [[2.9167], [4.3333]]),
        says["global"]: ([2.6931, 2.6931], [0.2707, 3.75], [[0.5752], [3.5]]),
        says["axis"]: ([0.6931, 2.6931], [2.0, 3.75], [[4.2501, 4.5001], [3.0002, 3.5001]]),
    }
    )
    q, k, v = torch.tensor([[1.0]]), torch.tensor([[0.0], [0.6931], [1.3863]]), torch.tensor([[7.0], [0.0], [14.0]])
    check(tiled_attention, q, k, v, 2).equals([[9.0]], **loose, near={
        says["uncorrected"]: [[7.0]], says["inverse"]: [[torch.nan]], says["mean"]: [[8.1667]],
        says["final"]: [[14.0]], says["first"]: [[2.3334]], says["undivided"]: [[15.75]],
        says["dropped"]: [[2.3334]], says["same_values"]: [[5.0]],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(new=None, fix=None, inner=None, end=None):
        """add_tile, with one part exchanged: the maximum, the corrections of total and output, the tile's maximum."""

        def function(m, t, o, s, v):
            top = new(m, s) if new else torch.maximum(m, s.amax(-1))
            c, d = fix(m, top) if fix else (torch.exp(m - top),) * 2
            e = torch.exp(s - (inner(m, s, top) if inner else top)[:, None])
            total, out = c * t + e.sum(-1), d[:, None] * o + e @ v
            return (top, total, out / total[:, None]) if end else (top, total, out)

        return function

    def bare(m, t, o, s, v):
        return m, t + torch.exp(s).sum(-1), o + torch.exp(s) @ v

    def softened(m, t, o, s, v):
        top = torch.maximum(m, s.amax(-1))
        return *made()(m, t, o, s, v)[:2], torch.exp(m - top)[:, None] * o + torch.softmax(s, -1) @ v

    def one(m):
        return torch.ones_like(m)

    check.mistakes({
        says["uncorrected"]: made(fix=lambda m, top: (one(m), one(m))),
        says["total_only"]: made(fix=lambda m, top: (torch.exp(m - top), one(m))),
        says["output_only"]: made(fix=lambda m, top: (one(m), torch.exp(m - top))),
        says["inverse"]: made(fix=lambda m, top: (torch.exp(top - m),) * 2),
        says["tile_max"]: made(new=lambda m, s: s.amax(-1)),
        says["kept_max"]: made(new=lambda m, s: m, inner=lambda m, s, top: m),
        says["divided"]: made(end=True),
        says["old_max"]: made(inner=lambda m, s, top: m),
        says["own_max"]: made(inner=lambda m, s, top: s.amax(-1)),
        says["global"]: made(new=lambda m, s: torch.maximum(m, s.amax(-1)).amax().expand_as(m)),
        "no maximum was subtracted from the tile's scores": made(inner=lambda m, s, top: torch.zeros_like(m)),
        says["old_back"]: lambda *a: (a[0], *made()(*a)[1:]),
        says["no_max"]: bare,
        says["softmax"]: softened,
        "the old total is missing": lambda m, t, o, s, v: made()(m, 0 * t, o, s, v),
        "the old output is missing": lambda m, t, o, s, v: made()(m, t, 0 * o, s, v),
    })

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def state(s, v):
        """What is kept of all keys so far, from the definition, in 64 bits."""
        m = s.double().amax(-1)
        e = torch.exp(s.double() - m[:, None])
        return m, e.sum(-1), e @ v.double()

    close, axis = {"rtol": 1e-4, "atol": 1e-5}, {says["axis"]: RuntimeError}
    shorter = {"the last tile may be shorter than the others": RuntimeError}
    for T_q, n, more, d in [(3, 4, 5, 2), (4, 6, 2, 3), (5, 3, 3, 5)]:
        s, v = 3 * draw(T_q, n + more), draw(n + more, d)
        now = tuple(t.float() for t in state(s[:, :n], v[:n]))
        check(add_tile, *now, s[:, n:], v[n:]).equals(state(s, v), about="a second tile", near=axis, **close)
        nothing = torch.full((T_q,), -torch.inf), torch.zeros(T_q), torch.zeros(T_q, d)
        check(add_tile, *nothing, s, v).equals(state(s, v), about="the first tile", near=axis, **close)
        far = s + 1000 * (torch.arange(n + more) >= n) * torch.tensor([[1.0], [-1.0]]).repeat(T_q, 1)[:T_q]
        now = tuple(t.float() for t in state(far[:, :n], v[:n]))
        check(add_tile, *now, far[:, n:], v[n:]).equals(state(far, v), about="tiles far apart", near=axis, **close)

    def whole(
        step, end=lambda t, o: o / t[:, None], scale=lambda q, k: q.shape[-1] ** -0.5, keep=lambda n, tile: n,
        first=-torch.inf, by=lambda tile: tile, values=lambda v, i, n: v[i : i + n],
    ):
        """tiled_attention from a step."""

        def function(q, k, v, tile=128):
            m = torch.full((len(q),), first)
            t, o = torch.zeros(len(q)), torch.zeros(len(q), v.shape[-1])
            for i in range(0, keep(len(k), tile), by(tile)):
                part = k[i : i + tile]
                m, t, o = step(m, t, o, q @ part.T * scale(q, part), values(v, i, len(part)))
            return end(t, o)

        return function

    def alone(pick):
        def function(q, k, v, tile=128):
            parts = [
                scaled_dot_product_attention(q, k[i : i + tile], v[i : i + tile]) for i in range(0, len(k), tile)
            ]
            return pick(torch.stack(parts))

        return function

    check.mistakes({
        "the maximum starts at 0 here; it starts at minus infinity, below all scores": whole(made(), first=0.0),
        says["tile_max"]: whole(made(new=lambda m, s: s.amax(-1))),
        says["no_max"]: whole(bare),
        says["softmax"]: whole(softened),
        says["same_values"]: whole(made(), values=lambda v, i, n: v[:n]),
        says["overlap"]: whole(made(), by=lambda tile: 1),
        "the root is that of the number of keys in the tile; it is that of d_k": whole(
            made(), scale=lambda q, k: len(k) ** -0.5
        ),
        says["uncorrected"]: whole(made(fix=lambda m, top: (one(m), one(m)))),
        says["inverse"]: whole(made(fix=lambda m, top: (torch.exp(top - m),) * 2)),
        says["own_max"]: whole(made(inner=lambda m, s, top: s.amax(-1))),
        says["mean"]: alone(lambda parts: parts.mean(0)),
        "the tiles' outputs were added up": alone(lambda parts: parts.sum(0)),
        says["final"]: alone(lambda parts: parts[-1]),
        says["first"]: alone(lambda parts: parts[0]),
        says["undivided"]: whole(made(), end=lambda t, o: o),
        says["no_scale"]: whole(made(), scale=lambda q, k: 1),
        says["dropped"]: whole(made(), keep=lambda n, tile: n // tile * tile),
        "the scores are divided by d_k, not by its root": whole(made(), scale=lambda q, k: 1 / q.shape[-1]),
        "the output was divided at every tile: once, at the end": whole(made(end=True), end=lambda t, o: o),
        "the output was divided at every tile, and at the end": whole(made(end=True)),
    })
    for T_q, T_k, d, e, tile in [(4, 11, 3, 2, 4), (6, 12, 4, 5, 4), (3, 7, 5, 2, 10), (5, 9, 2, 3, 1)]:
        case = 3 * draw(T_q, d), draw(T_k, d), draw(T_k, e)
        near = axis | shorter if T_k % tile else axis
        check(tiled_attention, *case, tile).equals(
            scaled_dot_product_attention(*case), about="other tiles", near=near, **close
        )
    case = 90 * draw(4, 3), 90 * draw(10, 3), draw(10, 2)
    check(tiled_attention, *case, 3).equals(
        scaled_dot_product_attention(*case), about="large scores", near=axis | shorter, rtol=1e-3, atol=1e-3
    )
    case = 20 + draw(4, 3), -20 + draw(10, 3), draw(10, 2)
    check(tiled_attention, *case, 3).equals(
        scaled_dot_product_attention(*case), about="scores far below zero", near=axis | shorter, rtol=1e-3, atol=1e-3
    )
    case = draw(2, 3), draw(300, 3), draw(300, 2)
    check(tiled_attention, *case).equals(scaled_dot_product_attention(*case), about="without `tile`", **close)
    case = draw(2, 3), draw(1, 3), draw(1, 2)
    check(tiled_attention, *case, 5).equals(case[2].repeat(2, 1), about="one key", edge=True, **close)
    case, table = (draw(256, 2), draw(256, 2), draw(256, 3)), 256 * 256 * 4 / 1e6  # MB of float32
    check(lambda: memory_of(tiled_attention, *case, 8)).holds(
        lambda mb: mb < table, "at no time as much memory as the table of all scores takes", about="memory",
        near={"all scores were there at once: make them tile by tile, and keep none of them": lambda mb: mb >= table},
    )
    ### END HIDDEN TESTS


score

# %% [markdown]
# Measured: one head of size 64, queries, keys and values of the same length. Plain attention is yours of exercise 5,
# tiled is that of exercise 11, and torch's own is written for this very purpose. Memory is that of the tensors made on
# the way (in torch's case without the little that it needs inside). What asks for more than the limit is refused by the
# operating system.

# %% show
LIMIT = budget(grade=60, cpu=600)  # MB
grid = budget(grade=[256, 512, 1024, 2048, 4096], cpu=[512, 1024, 2048, 4096, 6144, 8192, 12288, 16384])
def plain_attention(q, k, v):
    """Exercise 5, the output alone."""
    return attention(q, k, v)[0]

def torch_attention(q, k, v):
    """The library's, which wants axes for batch and heads."""
    return F.scaled_dot_product_attention(*(t[None, None] for t in (q, k, v)))[0, 0]

ways = {"plain": plain_attention, "tiled": partial(tiled_attention, tile=256), "torch": torch_attention}
costs = {name: [] for name in ways}
usage(tiled_attention, *torch.randn(3, 8, 64, generator=rng))  # the first measurement would count the start-up
for T in grid:
    q, k, v = (torch.randn(T, 64, generator=rng) for _ in range(3))
    for name, function in ways.items():
        costs[name].append(usage(function, q, k, v, limit_mb=LIMIT))
print(f"{'tokens':>7}" + "".join(f"{name:>24}" for name in ways))
for i, T in enumerate(grid):
    cells = [c[i] for c in costs.values()]
    row = ["refused" if c.refused else f"{c.seconds:8.3f} s {c.mb:8.1f} MB" for c in cells]
    print(f"{T:>7}" + "".join(f"{cell:>24}" for cell in row))
q, k, v = (torch.randn(1000, 64, generator=rng) for _ in range(3))
gap = (tiled_attention(q, k, v, 256) - plain_attention(q, k, v)).abs().max()
print(f"largest difference of tiled from plain at 1,000 tokens: {gap:.1e}")

# %% show
fig, axes = plots.figure(columns=2, width=9, height=3.6)
for (name, cells), style, marker in zip(costs.items(), ["-", "--", ":"], "o^s", strict=True):
    axes[0].plot(grid, [c.seconds for c in cells], style, marker=marker, label=name)
    axes[1].plot(grid, [c.mb for c in cells], style, marker=marker, label=name)
axes[1].axhline(LIMIT, color="black", linewidth=1)
axes[1].text(grid[0], LIMIT * 1.1, "limit", fontsize=9)
axes[0].set(xscale="log", yscale="log", xlabel="tokens", ylabel="seconds")
axes[1].set(xscale="log", yscale="log", xlabel="tokens", ylabel="memory in MB", ylim=(None, LIMIT * 3))
for ax in axes:
    ax.set_xticks(grid[::2], [f"{T:,}" for T in grid[::2]])
    ax.minorticks_off()
axes[0].legend()
last = {name: max(T for T, c in zip(grid, cells, strict=True) if not c.refused) for name, cells in costs.items()}
plots.show(fig, f"Seconds and memory of three ways to compute attention, against length on logarithmic axes. Seconds "
                f"grow with the square of the length for all. Plain attention's memory does, too, and it is refused "
                f"beyond {last['plain']:,} tokens; tiled reaches {last['tiled']:,} tokens with "
                f"{costs['tiled'][-1].mb:.0f} MB, torch with {costs['torch'][-1].mb:.0f} MB.")

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
# The check of `sharing`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("sharing", points=4)
def score(check):
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    says = {
        "one_more": "off by one: the window holds `window` tokens, the token itself among them",
        "one_less": "off by one: one token too few is in the window",
        "no_sinks": "the sinks are not seen",
        "one_sink": "off by one: one sink too many",
        "future": "the future is seen: j must not lie behind i",
        "sink_rows": "the sinks see everything here; everything sees the sinks",
        "early_sinks": "a sink is seen before its time: j <= i holds for sinks, too",
        "hidden": "True means: may be seen. This mask is the reverse",
        "last": "the sinks are the first tokens, not the last",
        "no_window": "the window was not used",
        "turned": "rows and columns are exchanged: queries are in rows",
        "none": "`mask` may be None: then every key may be seen",
        "causal": "`mask` is None, and a causal mask was used: then every key may be seen",
    }
    yes, no = True, False
    check(sink_mask, 4, 2, 1).equals(
        [[yes, no, no, no], [yes, yes, no, no], [yes, yes, yes, no], [yes, no, yes, yes]], near={
        says["one_more"]: [[True, False, False, False], [True, True, False, False], [True, True, True, False],
            [True, True, True, True]],
        says["one_less"]: [[True, False, False, False], [True, True, False, False], [True, False, True, False],
            [True, False, False, True]],
        says["no_sinks"]: [[True, False, False, False], [True, True, False, False], [False, True, True, False],
            [False, False, True, True]],
        says["one_sink"]: [[True, False, False, False], [True, True, False, False], [True, True, True, False],
            [True, True, True, True]],
        says["future"]: [[True, True, True, True], [True, True, True, True], [True, True, True, True], [True,
            False, True, True]],
        says["sink_rows"]: [[True, True, True, True], [True, True, False, False], [False, True, True, False],
            [False, False, True, True]],
        says["hidden"]: [[False, True, True, True], [False, False, True, True], [False, False, False, True],
            [False, True, False, False]],
        says["last"]: [[True, False, False, False], [True, True, False, False], [False, True, True, False],
            [False, False, True, True]],
        says["no_window"]: [[True, False, False, False], [True, True, False, False], [True, True, True, False],
            [True, True, True, True]],
        says["turned"]: [[True, True, True, True], [False, True, True, False], [False, False, True, True],
            [False, False, False, True]],
    }
    )
    check(sink_mask, 3, 1, 2).equals([[yes, no, no], [yes, yes, no], [yes, yes, yes]], near={
        says["early_sinks"]: [[True, True, False], [True, True, False], [True, True, True]],
        says["no_sinks"]: [[True, False, False], [False, True, False], [False, False, True]],
        says["hidden"]: [[False, True, True], [False, False, True], [False, False, False]],
        says["turned"]: [[True, True, True], [False, True, True], [False, False, True]],
    })
    q, k = torch.zeros(1, 4, 1, 1), torch.zeros(1, 2, 2, 1)
    v = torch.tensor([[[[1.0], [3.0]], [[10.0], [30.0]]]])
    order = "the heads of keys were used in the order 0, 1, 0, 1: neighbouring heads share, so repeat_interleave them"
    first = "all heads of queries used the first head of keys"
    check(grouped_attention, q, k, v).equals(
        [[[[2.0]], [[2.0]], [[20.0]], [[20.0]]]],
        near={order: [[[[2.0]], [[20.0]], [[2.0]], [[20.0]]]], first: [[[[2.0]]] * 4],
              says["causal"]: [[[[1.0]], [[1.0]], [[10.0]], [[10.0]]]], says["none"]: TypeError},
    )
    unused = "the mask was not used"
    inverted = "the mask was used the wrong way round: True means that a key may be seen"
    check(grouped_attention, q, k, v, torch.tensor([[True, False]])).equals(
        [[[[1.0]], [[1.0]], [[10.0]], [[10.0]]]], about="with a mask",
        near={unused: [[[[2.0]], [[2.0]], [[20.0]], [[20.0]]]], inverted: [[[[3.0]], [[3.0]], [[30.0]], [[30.0]]]],
              order: [[[[1.0]], [[10.0]], [[1.0]], [[10.0]]]], first: [[[[1.0]]] * 4]},
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(rule):
        return lambda T, w, s: rule(torch.arange(T)[:, None], torch.arange(T)[None], w, s, T)

    check.mistakes({
        says["one_more"]: made(lambda i, j, w, s, T: (j <= i) & ((i - j <= w) | (j < s))),
        says["one_less"]: made(lambda i, j, w, s, T: (j <= i) & ((i - j < w - 1) | (j < s))),
        says["no_sinks"]: made(lambda i, j, w, s, T: (j <= i) & (i - j < w)),
        says["one_sink"]: made(lambda i, j, w, s, T: (j <= i) & ((i - j < w) | (j <= s))),
        says["future"]: made(lambda i, j, w, s, T: (i - j < w) | (j < s)),
        "the window reaches into the future": made(lambda i, j, w, s, T: ((i - j).abs() < w) | ((j < s) & (j <= i))),
        "the window reaches into the future, and a sink is seen before its time": made(
            lambda i, j, w, s, T: ((i - j).abs() < w) | (j < s)
        ),
        "the sinks are the tokens that are seen, the columns": made(
            lambda i, j, w, s, T: (j <= i) & ((i - j < w) | (i < s))
        ),
        says["sink_rows"]: made(lambda i, j, w, s, T: ((j <= i) & (i - j < w)) | (i < s)),
        says["early_sinks"]: made(lambda i, j, w, s, T: ((j <= i) & (i - j < w)) | (j < s)),
        says["hidden"]: made(lambda i, j, w, s, T: ~((j <= i) & ((i - j < w) | (j < s)))),
        says["last"]: made(lambda i, j, w, s, T: (j <= i) & ((i - j < w) | (j >= T - s))),
        says["no_window"]: made(lambda i, j, w, s, T: j <= i),
        "the sinks alone are seen: the window is missing": made(lambda i, j, w, s, T: (j <= i) & (j < s)),
        says["turned"]: made(lambda i, j, w, s, T: ((j <= i) & ((i - j < w) | (j < s))).T),
        "both conditions are asked for: inside the window, or a sink": made(
            lambda i, j, w, s, T: (j <= i) & (i - j < w) & (j < s)
        ),
        "the sinks count among the window's tokens; they come besides": made(
            lambda i, j, w, s, T: (j <= i) & ((i - j < w - s) | (j < s))
        ),
    })
    for T, w, s in [(7, 3, 2), (9, 4, 1), (6, 2, 3), (8, 3, 0), (5, 9, 1), (8, 1, 2)]:
        wanted = [[j <= i and (j > i - w or j in range(s)) for j in range(T)] for i in range(T)]
        check(sink_mask, T, w, s).equals(wanted, about="another window")
    check(sink_mask, 1, 1, 0).equals([[True]], about="one token", edge=True)
    check(sink_mask, 5, 2, 1).holds(
        lambda m: m.dtype == torch.bool, "a tensor of bool", about="the mask's dtype", edge=True,
        near={"the mask must be a bool tensor: True and False, not numbers": lambda m: True},
    )

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def shared(pick, scale=None):
        """Attention in which head h of the queries uses the head pick(h, H, G) of the keys."""

        def function(q, k, v, mask=None):
            H, G = q.shape[1], k.shape[1]
            heads = [pick(h, H, G) for h in range(H)]
            return scaled_dot_product_attention(q, k[:, heads], v[:, heads], attn_mask=mask, scale=scale)

        return function

    def right(q, k, v, mask=None):
        return shared(lambda h, H, G: h // (H // G))(q, k, v, mask)

    def filled(low):
        """A query that may see nothing gets what softmax makes of a row of `low`."""

        def function(q, k, v, mask=None):
            k, v = (t.repeat_interleave(q.shape[1] // k.shape[1], 1) for t in (k, v))
            s = q @ k.mT / q.shape[-1] ** 0.5
            return torch.softmax(s if mask is None else s.masked_fill(~mask, low), -1) @ v

        return function

    def half(which):
        def function(q, k, v, mask=None):
            share = q.shape[1] // k.shape[1]
            both = [t.repeat(1, share, 1, 1) if name in which else t.repeat_interleave(share, 1)
                    for name, t in (("k", k), ("v", v))]
            return scaled_dot_product_attention(q, *both, attn_mask=mask)

        return function

    check.mistakes({
        order: shared(lambda h, H, G: h % G),
        first: shared(lambda h, H, G: 0),
        "the keys were shared right, the values in the order 0, 1, 0, 1": half("v"),
        "the values were shared right, the keys in the order 0, 1, 0, 1": half("k"),
        "the groups are turned round: the first heads share the first head of keys": shared(
            lambda h, H, G: G - 1 - h // (H // G)
        ),
        "the keys of a group were averaged: each head of keys stays as it is": lambda q, k, v, mask=None: shared(
            lambda h, H, G: 0
        )(q, k.mean(1, keepdim=True), v.mean(1, keepdim=True), mask),
        "head h of the queries uses head h // (H // G) of the keys, not h // G": shared(
            lambda h, H, G: min(h // G, G - 1)
        ),
        unused: lambda q, k, v, mask=None: right(q, k, v),
        inverted: lambda q, k, v, mask=None: right(
            q, k, v, None if mask is None else ~mask
        ),
        says["causal"]: lambda q, k, v, mask=None: right(
            q, k, v, torch.ones(q.shape[2], k.shape[2]).tril().bool() if mask is None else mask
        ),
        "a query that may see nothing got 0/0, which is NaN: zeros are asked for": filled(-torch.inf),
        "a query that may see nothing got equal weights for all keys: zeros are asked for": filled(-1e9),
        "the scores are not scaled": shared(lambda h, H, G: h // (H // G), scale=1.0),
        "the output alone is asked for, without the weights": lambda q, k, v, mask=None: (
            right(q, k, v, mask),
            right(q, k, torch.eye(k.shape[2]).expand(*k.shape[:3], -1), mask),
        ),
    })
    for B, H, G, T_q, T_k, d in [(2, 6, 3, 4, 5, 3), (3, 8, 2, 5, 5, 4), (2, 4, 1, 3, 6, 2), (2, 4, 4, 3, 5, 3)]:
        case = 2 * draw(B, H, T_q, d), draw(B, G, T_k, d), draw(B, G, T_k, d)
        wanted = scaled_dot_product_attention(*case, enable_gqa=True)
        about = {1: "one head of keys", H: "as many heads of keys as of queries"}.get(G, "grouped heads")
        plain = check(grouped_attention, *case).equals(
            wanted, about=about, rtol=1e-4, atol=1e-5, near={says["none"]: TypeError}
        )
        mask = torch.tensor(check.rng.random((T_q, T_k)) < 0.5)
        mask[:, 0] |= ~mask.any(-1)
        wanted = scaled_dot_product_attention(*case, attn_mask=mask, enable_gqa=True)
        near = {"the mask is broadcast to (B, H, T_q, T_k) as it comes: no axis is added": RuntimeError}
        near = near if plain.passed else {}  # the mask is to blame only where it works without one
        check(grouped_attention, *case, mask).equals(wanted, about="with a mask", near=near, rtol=1e-4, atol=1e-5)
        mask = (torch.arange(T_k) < torch.tensor(check.rng.integers(1, T_k, size=B))[:, None])[:, None, None]
        wanted = scaled_dot_product_attention(*case, attn_mask=mask, enable_gqa=True)
        check(grouped_attention, *case, mask).equals(
            wanted, about="with a padding mask", near=near, rtol=1e-4, atol=1e-5
        )
        blind = torch.ones(T_q, T_k, dtype=torch.bool)
        blind[1] = False
        wanted = scaled_dot_product_attention(*case, enable_gqa=True)
        wanted[:, :, 1] = 0
        check(grouped_attention, *case, blind).equals(
            wanted, about="a query that may see nothing", near=near, rtol=1e-4, atol=1e-5
        )
    ### END HIDDEN TESTS


score

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
# The check of `cache`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("cache", points=4)
def score(check):
    says = {
        "keys": "keys and values are kept: twice as much",
        "mla_twice": "the latent vector serves keys and values: it is kept once",
        "mla_heads": "the latent vector serves all heads: it is not kept once for each",
        "no_rotary": "the rotated part of the key is kept, too",
        "layers": "one layer only was counted",
        "itemsize": "these are numbers, not bytes: times `itemsize`",
        "two_bytes": "`itemsize` was ignored",
        "token": "these are the bytes of one token; the whole text is asked for",
        "no_sinks": "the sinks are kept besides the window",
        "whole": "the window keeps at most window + sinks tokens",
        "filled": "a text shorter than the window needs less",
        "gqa_heads": "grouped: G heads of keys are kept, not H",
        "gqa_share": "H / G heads were counted; G are kept",
        "mqa": "multi-query keeps one head",
        "four": "a number takes 2 bytes where `itemsize` is not given: this is twice as much",
    }
    model = {"layers": 2, "heads": 4, "width": 8}
    check(cache_bytes, "mha", 10, **model).equals(2560, near={
        says["keys"]: 1280, says["layers"]: 1280, says["itemsize"]: 1280, says["token"]: 256,
        says["four"]: 5120,
    })
    check(cache_bytes, "window", 10, **model, window=3, sinks=1).equals(1024, near={
        says["keys"]: 512, says["layers"]: 512, says["itemsize"]: 512, says["token"]: 256, says["no_sinks"]: 768,
        says["whole"]: 2560, says["four"]: 2048,
    })
    check(cache_bytes, "gqa", 10, **model, groups=2).equals(1280, near={
        says["keys"]: 640, says["layers"]: 640, says["itemsize"]: 640, says["token"]: 128, says["gqa_heads"]: 2560,
        says["four"]: 2560,
    })
    check(cache_bytes, "mqa", 10, **model).equals(640, near={
        says["keys"]: 320, says["layers"]: 320, says["itemsize"]: 320, says["token"]: 64, says["mqa"]: 2560,
        says["four"]: 1280,
    })
    check(cache_bytes, "mla", 10, **model, latent=12, rotary=4).equals(640, near={
        says["mla_twice"]: 1280, says["mla_heads"]: 2560, says["no_rotary"]: 480, says["layers"]: 320,
        says["itemsize"]: 320, says["token"]: 64, says["four"]: 1280,
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(change=None, tokens=None, times=None):
        """The right count, with one kind's numbers or the tokens exchanged."""

        def function(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
            n = {"mha": 2 * heads * width, "gqa": 2 * groups * width, "mqa": 2 * width, "mla": latent + rotary}
            n["window"] = n["mha"]
            n |= change(heads, width, groups, latent, rotary) if change else {}
            kept = min(length, window + sinks) if kind == "window" else length
            kept = tokens(kind, length, window, sinks) if tokens else kept
            return n[kind] * kept * (times(layers, itemsize) if times else layers * itemsize)

        return function

    def windowed(kept):
        return made(tokens=lambda kind, T, w, s: kept(T, w, s) if kind == "window" else T)

    check.mistakes({
        says["keys"]: made(lambda H, d, G, r, p: {"mha": H * d, "window": H * d, "gqa": G * d, "mqa": d}),
        says["mla_twice"]: made(lambda H, d, G, r, p: {"mla": 2 * (r + p)}),
        "the latent vector serves keys and values: it is kept once, and the rotated part, too": made(
            lambda H, d, G, r, p: {"mla": 2 * r + p}
        ),
        says["mla_heads"]: made(lambda H, d, G, r, p: {"mla": H * (r + p)}),
        says["no_rotary"]: made(lambda H, d, G, r, p: {"mla": r}),
        "the rotated part is shared by all heads: it is kept once": made(lambda H, d, G, r, p: {"mla": r + H * p}),
        says["layers"]: made(times=lambda L, b: b),
        says["itemsize"]: made(times=lambda L, b: L),
        says["two_bytes"]: made(times=lambda L, b: 2 * L),
        "these are bits, not bytes": made(times=lambda L, b: 8 * L * b),
        says["token"]: made(tokens=lambda kind, T, w, s: 1),
        says["four"]: made(times=lambda L, b: 2 * L * b),
        says["no_sinks"]: windowed(lambda T, w, s: min(T, w)),
        says["whole"]: windowed(lambda T, w, s: T),
        says["filled"]: windowed(lambda T, w, s: w + s),
        "the sinks are kept besides the window: min(length, window + sinks)": windowed(lambda T, w, s: min(T, w) + s),
        says["gqa_heads"]: made(lambda H, d, G, r, p: {"gqa": 2 * H * d}),
        says["gqa_share"]: made(lambda H, d, G, r, p: {"gqa": 2 * (H // G) * d}),
        says["mqa"]: made(lambda H, d, G, r, p: {"mqa": 2 * H * d}),
        "G heads of keys are kept in all, not G for each of the H": made(lambda H, d, G, r, p: {"gqa": 2 * H * G * d}),
        '"mha" keeps all H heads, whatever `groups` says': made(lambda H, d, G, r, p: {"mha": 2 * G * d}),
        '"window" keeps all H heads, whatever `groups` says': made(lambda H, d, G, r, p: {"window": 2 * G * d}),
        "the window was used here, too: this kind has none": made(tokens=lambda kind, T, w, s: min(T, w + s)),
        "these are MiB; bytes are asked for": made(times=lambda L, b: L * b / 2**20),
        "multi-query keeps one head, whatever `groups` says": made(lambda H, d, G, r, p: {"mqa": 2 * G * d}),
    })
    table = {"mha": 2, "gqa": 2, "mqa": 2, "mla": 1, "window": 2}
    for _ in range(3):
        L, d, G, r, p, w, s, b = (int(n) for n in check.rng.integers(2, 30, size=8))
        H, more = 3 * G, {"groups": G, "latent": r, "rotary": p, "window": w, "sinks": s, "itemsize": b}
        for kind, both in table.items():
            for T in (w + s + 17, max(w + s - 3, 1)):
                each = {"gqa": G * d, "mqa": d, "mla": r + p}.get(kind, H * d)
                tokens = sorted([T, w + s])[0] if kind == "window" else T
                wanted = sum([both * each * b] * L) * tokens
                check(cache_bytes, kind, T, L, H, d, **more).equals(wanted, about=f"another model, {kind}")
    check(cache_bytes, "window", 6, 3, 7, 5, window=5, sinks=2, itemsize=4).equals(
        2 * 7 * 5 * 4 * 3 * 6, about="a text shorter than window and sinks"
    )
    check(cache_bytes, "mla", 1, 60, 128, 128, latent=512, rotary=64).equals(69120, about="DeepSeek-V2's cache")

    def refused(kind):
        """Whether an unknown kind raises ValueError."""
        try:
            cache_bytes(kind, 3, 1, 1, 1)
        except ValueError:
            return True
        return False

    check.mistakes({})
    check(refused, "mhq").equals(True, about="an unknown kind raises ValueError", edge=True)
    ### END HIDDEN TESTS


score

# %% [markdown]
# The cache of real configurations at 32,768 tokens in 16 bits, by your function. The first line is Llama-2-7B; the
# next two change its heads of keys as Llama-3 and PaLM do; the fourth is DeepSeek-V2, a much larger model.

# %% show
llama = {"layers": 32, "heads": 32, "width": 128}
rows = [
    ("MHA, 32 heads (Llama-2-7B)", "mha", llama),
    ("GQA, 8 heads of keys", "gqa", {**llama, "groups": 8}),
    ("MQA, 1 head of keys", "mqa", llama),
    ("MLA, 512 + 64 (DeepSeek-V2, 60 layers)", "mla", {"layers": 60, "heads": 128, "width": 128,
                                                       "latent": 512, "rotary": 64}),
    ("window 4,096 with 4 sinks", "window", {**llama, "window": 4096, "sinks": 4}),
]
lengths = [2**n for n in range(9, 18)]
print(f"{'cache':<40}{'bytes a token':>15}{'at 32,768 tokens':>19}")
for name, kind, model in rows:
    print(f"{name:<40}{cache_bytes(kind, 1, **model):>15,}{cache_bytes(kind, 32768, **model) / 2**30:>15.2f} GiB")
curves = {
    kind if kind == "window" else kind.upper(): [cache_bytes(kind, T, **model) / 2**30 for T in lengths]
    for _, kind, model in rows
}
fig, alt = plots.lines(lengths, curves, "tokens", "cache in GiB", log="xy")
fig.axes[0].legend(loc="upper left", ncols=2)
plots.show(fig, f"The cache of five kinds of attention, by the length of the text. {alt}")

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
# The check of `linear`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("linear", points=4)
def score(check):
    import torch

    says = {
        "not_causal": "a token sees those after it: the sums run to j <= i only",
        "strict": "off by one: a token sees itself, too",
        "no_map": "the feature map is missing",
        "map_q": "the feature map was applied to the queries only",
        "map_k": "the feature map was applied to the keys only",
        "map_v": "the feature map was applied to the values, too",
        "softmax": "this is softmax attention; here the products of the feature maps are the weights",
        "undivided": "the sum was not divided by the sum of the weights",
        "by_count": "divided by the number of keys, not by the sum of the weights",
        "scaled": "the products were divided by the root of d before the feature map; nothing is scaled",
        "old": "asked before the token was taken in: take it in first",
        "old_z": "the denominator is that before the token: take it into z, too, first",
        "unchanged": "S and z came back as they were given",
        "turned": "S is turned round: (d, d_v), the features of the key in rows",
        "axis": "the summed axis is lost, so that the wrong numbers were divided: use keepdim=True",
        "one": "only the output came back: return S and z, too",
        "plain_z": "z takes phi(k), not the key itself",
        "plain_S": "S takes phi(k), not the key itself",
        "sum_z": "divided by the sum of z; it is the product of phi(q) and z",
        "ahead": "the mask is turned round: a token sees those after it, not those before",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    zero, values = torch.zeros(2, 1), torch.tensor([[2.0], [4.0]])
    check(linear_attention, zero, zero, values).equals([[2.0], [3.0]], **loose, near={
        says["not_causal"]: [[3.0], [3.0]], says["strict"]: [[torch.nan], [2.0]],
        says["no_map"]: [[torch.nan], [torch.nan]], says["map_q"]: [[torch.nan], [torch.nan]],
        says["map_k"]: [[torch.nan], [torch.nan]], says["map_v"]: [[3.0], [4.0]], says["undivided"]: [[2.0], [6.0]],
        says["axis"]: [[2.0, 1.0], [6.0, 3.0]], says["ahead"]: [[3.0], [4.0]],
    })
    q, k = torch.tensor([[1.0], [1.0]]), torch.tensor([[0.0], [2.0]])
    check(linear_attention, q, k, values).equals([[2.0], [3.5]], **loose, near={
        says["not_causal"]: [[3.5], [3.5]], says["strict"]: [[torch.nan], [2.0]],
        says["no_map"]: [[torch.nan], [4.0]], says["map_q"]: [[torch.nan], [4.0]], says["map_v"]: [[3.0], [4.5]],
        "this is the plain mean of the values so far: where are the weights?": [[2.0], [3.0]],
        says["softmax"]: [[2.0], [3.7616]], says["undivided"]: [[4.0], [28.0]], says["by_count"]: [[4.0], [14.0]],
        says["axis"]: [[2.0, 0.5], [14.0, 3.5]],
    })
    S, z = torch.tensor([[2.0], [1.0]]), torch.tensor([1.0, 1.0])
    q, k, v = torch.tensor([1.0, 0.0]), torch.tensor([2.0, 0.0]), torch.tensor([4.0])
    check(linear_step, S, z, q, k, v).equals(([[14.0], [5.0]], [4.0, 2.0], [3.3]), **loose, near={
        says["old"]: ([[14.0], [5.0]], [4.0, 2.0], [1.6667]), says["old_z"]: ([[14.0], [5.0]], [4.0, 2.0], [11.0]),
        says["no_map"]: ([[10.0], [1.0]], [3.0, 1.0], [3.3333]), says["map_q"]: ([[10.0], [1.0]], [3.0, 1.0], [3.0]),
        says["map_k"]: ([[14.0], [5.0]], [4.0, 2.0], [3.5]), says["map_v"]: ([[17.0], [6.0]], [4.0, 2.0], [4.0]),
        says["unchanged"]: ([[2.0], [1.0]], [1.0, 1.0], [3.3]),
        says["undivided"]: ([[14.0], [5.0]], [4.0, 2.0], [33.0]),
        says["one"]: [3.3], says["plain_z"]: ([[14.0], [5.0]], [3.0, 1.0], [4.7143]),
        says["plain_S"]: ([[10.0], [1.0]], [4.0, 2.0], [2.1]), says["sum_z"]: ([[14.0], [5.0]], [4.0, 2.0], [5.5]),
        says["turned"]: ([[14.0, 6.0], [13.0, 5.0]], [4.0, 2.0], [3.4, 3.1]),
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(x))

    def same(x):
        return x

    def made(seen=torch.tril, on_q=phi, on_k=phi, on_v=same, divide=True):
        """The form for a whole sequence, with one part exchanged for a mistake's."""

        def function(q, k, v):
            w = seen(torch.einsum("...id,...jd->...ij", on_q(q), on_k(k)))
            total = w.sum(-1, keepdim=True) if divide is True else divide(w)
            return (w @ on_v(v)) / total

        return function

    def soft(w):
        return torch.softmax(w.masked_fill(~torch.ones_like(w).tril().bool(), -torch.inf), -1)

    check.mistakes({
        says["not_causal"]: made(seen=same),
        says["strict"]: made(seen=lambda w: w.tril(-1)),
        f"{says['strict']}, and the first sees nothing": made(
            seen=lambda w: w.tril(-1), divide=lambda w: w.sum(-1, keepdim=True).clamp(min=1e-9)
        ),
        says["ahead"]: made(seen=torch.triu),
        "the feature map was applied to the products; it is applied to queries and keys": made(
            seen=lambda w: phi(w).tril(), on_q=same, on_k=same
        ),
        "this is relu; the feature map is elu(x) + 1": made(on_q=torch.relu, on_k=torch.relu),
        "divided by the sum over the queries; it runs over the keys, dim=-1": made(
            seen=lambda w: w.tril() / w.tril().sum(-2, keepdim=True), divide=lambda w: 1
        ),
        says["no_map"]: made(on_q=same, on_k=same),
        says["map_q"]: made(on_k=same),
        says["map_k"]: made(on_q=same),
        says["map_v"]: made(on_v=phi),
        says["softmax"]: made(seen=soft, on_q=same, on_k=same),
        "softmax was taken of the products; they are the weights, divided by their sum": made(seen=soft),
        "this is softmax attention, scaled; here the products of the feature maps are the weights": made(
            seen=soft, on_q=lambda q: q / q.shape[-1] ** 0.5, on_k=same
        ),
        says["undivided"]: made(divide=lambda w: 1),
        says["by_count"]: made(divide=lambda w: torch.arange(1.0, w.shape[-1] + 1)[:, None]),
        "this is the plain mean of the values so far: where are the weights?": lambda q, k, v: v.cumsum(-2)
        / torch.arange(1, v.shape[-2] + 1)[:, None],
        says["scaled"]: made(on_q=lambda q: phi(q / q.shape[-1] ** 0.5)),
        "elu was taken without the + 1": made(on_q=lambda x: phi(x) - 1, on_k=lambda x: phi(x) - 1),
        "the denominator sums over all keys, those after the token too": lambda q, k, v: made(divide=lambda w: 1)(
            q, k, v
        ) / (phi(q) @ phi(k).mT).sum(-1, keepdim=True),
        "a small number was added to the denominator": made(divide=lambda w: w.sum(-1, keepdim=True) + 1e-2),
    })

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def recurrent(q, k, v):
        """The other form, in 64 bits."""
        q, k, v = (t.double() for t in (q, k, v))
        S = torch.cumsum(phi(k).unsqueeze(-1) * v.unsqueeze(-2), -3)
        z = torch.cumsum(phi(k), -2)
        return (phi(q).unsqueeze(-2) @ S).squeeze(-2) / (phi(q) * z).sum(-1, keepdim=True)

    close = {"rtol": 1e-4, "atol": 1e-5}
    axes, fine = {"with leading axes it fails: work on the last two axes, and exchange only these": RuntimeError}, False
    for lead in [(), (), (3,), (2, 3)]:
        case = 2 * draw(*lead, 6, 4), 2 * draw(*lead, 6, 4), draw(*lead, 6, 3)
        about = "a sequence, with leading axes" if lead else "a sequence"
        near = axes if lead and fine else {}
        fine = check(linear_attention, *case).equals(recurrent(*case), about=about, near=near, **close).passed or fine
    one = draw(1, 4), draw(1, 4), draw(1, 3)
    check(linear_attention, *one).equals(one[2], about="a sequence of one token", edge=True, **close)

    def step(on_q=phi, on_k=phi, ask=None, back=None, on_v=same, on_z=None, below=torch.dot):
        def function(S, z, q, k, v):
            S_new, z_new = S + torch.outer(on_k(k), on_v(v)), z + (on_z or on_k)(k)
            A, b = ask(S, z, S_new, z_new) if ask else (S_new, z_new)
            out = on_q(q) @ A / below(on_q(q), b)
            return back(S, z, S_new, z_new, out) if back else (S_new, z_new, out)

        return function

    check.mistakes({
        says["old"]: step(ask=lambda S, z, S_new, z_new: (S, z)),
        says["old_z"]: step(ask=lambda S, z, S_new, z_new: (S_new, z)),
        says["no_map"]: step(on_q=same, on_k=same),
        says["map_q"]: step(on_k=same),
        says["map_k"]: step(on_q=same),
        says["map_v"]: step(on_v=phi),
        says["unchanged"]: step(back=lambda S, z, S_new, z_new, out: (S, z, out)),
        says["plain_z"]: step(on_z=same),
        says["plain_S"]: step(on_k=same, on_z=phi),
        says["sum_z"]: step(below=lambda q, z: z.sum()),
        "a small number was added to the denominator": step(below=lambda q, z: q @ z + 1e-2),
        "z came back as it was given": step(back=lambda S, z, S_new, z_new, out: (S_new, z, out)),
        says["undivided"]: lambda S, z, q, k, v: (
            S + torch.outer(phi(k), v), z + phi(k), phi(q) @ (S + torch.outer(phi(k), v))
        ),
        says["turned"]: lambda S, z, q, k, v: (
            S + torch.outer(v, phi(k)), z + phi(k), (S + torch.outer(v, phi(k))) @ phi(q) / (phi(q) @ (z + phi(k)))
        ),
        "the old S and z are missing: add the token to them": lambda S, z, q, k, v: step()(0 * S, 0 * z, q, k, v),
        says["one"]: step(back=lambda S, z, S_new, z_new, out: out),
        "the output came first; the order is S, z, output": step(
            back=lambda S, z, S_new, z_new, out: (out, S_new, z_new)
        ),
    })
    for d, e in [(4, 3), (3, 5), (4, 4)]:
        S, z = draw(d, e), phi(draw(d))
        q, k, v = 2 * draw(d), 2 * draw(d), draw(e)
        wanted_S, wanted_z = torch.einsum("d,e->de", phi(k), v) + S, phi(k) + z
        wanted = wanted_S, wanted_z, torch.einsum("d,de->e", phi(q), wanted_S) / (phi(q) * wanted_z).sum()
        check(linear_step, S, z, q, k, v).equals(wanted, about="one step", **close)

    def run(q, k, v):
        """The student's steps, one token after the other."""
        S, z, outputs = torch.zeros(q.shape[1], v.shape[1]), torch.zeros(q.shape[1]), []
        for i in range(len(q)):
            S, z, out = linear_step(S, z, q[i], k[i], v[i])
            outputs.append(torch.as_tensor(out))
        return torch.stack(outputs)

    check.mistakes({})
    case = 2 * draw(7, 4), 2 * draw(7, 4), draw(7, 3)
    check(run, *case).equals(recurrent(*case), about="both forms agree", **close)
    ### END HIDDEN TESTS


score

# %% show
q, k, v = (torch.randn(200, 16, generator=rng) for _ in range(3))
S, z, steps = torch.zeros(16, 16), torch.zeros(16), []
for i in range(200):
    S, z, out = linear_step(S, z, q[i], k[i], v[i])
    steps.append(out)
whole = linear_attention(q, k, v)
print(f"200 tokens: largest difference of the two forms {(torch.stack(steps) - whole).abs().max():.1e}")
soft = masked_attention(q, k, v, causal_mask(200))[0]
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
