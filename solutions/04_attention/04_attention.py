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
import time
from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from helpers import data, leaderboard, notebook, plots
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
# | additive | $v \cdot \tanh(q W_q + k W_k)$ | the first of all (Bahdanau 2014), $W_q$: $(d_q, a)$, $W_k$: $(d_k, a)$, $v$: $(a)$ |
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
        "only_q": "the keys' part is missing", "only_k": "the queries' part is missing",
        "minus": "the parts were subtracted; the additive score adds them",
    }  # fmt: skip
    loose = {"rtol": 1e-3, "atol": 2e-4}
    q, k = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 0.0], [0.0, 1.0]])
    one, swap, v = torch.eye(2), torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.tensor([1.0, 1.0])
    W, half = torch.tensor([[1.0, 2.0], [0.0, -1.0]]), torch.tensor([[0.5, 0.0], [1.0, 0.5]])
    check(dot_scores, q, k).equals([[3.0, 2.0]], **loose, near={
        says["turned"]: [[3.0], [2.0]], says["cosine"]: [[0.4472, 0.8944]], says["scaled"]: [[2.1213, 1.4142]],
        says["by_d"]: [[1.5, 1.0]],
    })  # fmt: skip
    check(scaled_scores, q, k).equals([[2.1213, 1.4142]], **loose, near={
        says["no_scale"]: [[3.0, 2.0]], says["by_d"]: [[1.5, 1.0]], says["times"]: [[4.2426, 2.8284]],
        says["by_queries"]: [[3.0, 2.0]], says["root_scores"]: [[1.7321, 1.4142]],
        says["cosine"]: [[0.4472, 0.8944]], says["turned"]: [[2.1213], [1.4142]],
    })  # fmt: skip
    check(general_scores, q, k, swap).equals([[6.0, 1.0]], **loose, near={
        says["turned"]: [[6.0], [1.0]], says["no_W"]: [[3.0, 2.0]], says["twice"]: [[3.0, 2.0]],
        says["scaled"]: [[4.2426, 0.7071]],
    })  # fmt: skip
    check(general_scores, q, k, W).equals([[3.0, 0.0]], **loose, near={
        says["turned"]: [[3.0], [0.0]], says["no_W"]: [[3.0, 2.0]], says["W_turned"]: [[15.0, -2.0]],
        says["scaled"]: [[2.1213, 0.0]],
    })  # fmt: skip
    check(additive_scores, q, k, one, one, v).equals([[1.9634, 1.7566]], **loose, near={
        says["turned"]: [[1.9634], [1.7566]], says["no_tanh"]: [[6.0, 4.0]], says["tanh_last"]: [[1.0, 0.9993]],
        says["tanh_each"]: [[2.7207, 2.4872]], says["product"]: [[0.9951, 0.964]], says["minus"]: [[0.0, 1.5232]],
        says["mean_v"]: [[0.9817, 0.8783]], says["sigmoid"]: [[1.8628, 1.6836]], says["relu"]: [[6.0, 4.0]],
        says["only_q"]: [[1.7256, 1.7256]], says["only_k"]: [[0.9951, 0.7616]],
    })  # fmt: skip
    check(additive_scores, q, k, half, W / 4, v * 2).equals([[3.9672, 3.2435]], **loose, near={
        says["turned"]: [[3.9672], [3.2435]], says["no_tanh"]: [[11.5, 6.5]], says["tanh_last"]: [[1.0, 1.0]],
        says["tanh_each"]: [[6.577, 3.0066]], says["product"]: [[3.7184, -0.4898]],
        says["minus"]: [[0.9585, 3.6698]], says["no_v"]: [[1.9836, 1.6218]], says["mean_v"]: [[1.9836, 1.6218]],
        says["sigmoid"]: [[3.7736, 3.2066]], says["relu"]: [[11.5, 6.5]], says["exchanged"]: [[1.8828, 2.6208]],
        says["only_q"]: [[3.4964, 3.4964]], says["only_k"]: [[3.0806, -0.4898]],
    })  # fmt: skip
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
        says["cosine"]: lambda q, k: dot(q / q.norm(dim=-1, keepdim=True), k / k.norm(dim=-1, keepdim=True)),
        says["turned"]: lambda q, k: dot(k, q) / q.shape[-1] ** 0.5,
    }
    known = {
        "dot": {
            says["turned"]: lambda q, k: dot(k, q),
            says["cosine"]: roots[says["cosine"]],
            says["scaled"]: lambda q, k: dot(q, k) / q.shape[-1] ** 0.5,
            says["by_d"]: roots[says["by_d"]],
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
            says["only_q"]: changed(lambda a, b, v: torch.tanh(a + 0 * b) @ v),
            says["only_k"]: changed(lambda a, b, v: torch.tanh(0 * a + b) @ v),
        },
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    close = {"rtol": 1e-4, "atol": 1e-5}
    for lead in [(), (), (3,), (2, 3)]:
        about = "a batch, or heads" if lead else "fresh vectors"
        more = dict.fromkeys([axes] if lead else [], RuntimeError)
        q, k = draw(*lead, 4, 5), draw(*lead, 6, 5)
        check.mistakes(known["dot"])
        check(dot_scores, q, k).equals(dot(q, k), about=about, near=more, **close)
        check.mistakes(known["scaled"])
        check(scaled_scores, 3 * q, k).equals(3 * dot(q, k) / 5**0.5, about=f"{about}, scaled", near=more, **close)
        check.mistakes(known["general"])
        same, W = draw(5, 5), draw(5, 7)
        check(general_scores, q, k, same).equals(
            torch.einsum("...qa,ab,...kb->...qk", q, same, k), about=f"{about}, general", near=more, **close
        )
        wide = draw(*lead, 6, 7)
        check(general_scores, q, wide, W).equals(
            torch.einsum("...qa,ab,...kb->...qk", q, W, wide), about=f"{about}, general, two sizes", **close,
            near=more or {"queries and keys may have different sizes: W is (d_q, d_k)": RuntimeError},
        )
        check.mistakes(known["additive"])
        W_q, W_k, v = draw(5, 3), draw(5, 3), draw(3)
        check(additive_scores, q, k, W_q, W_k, v).equals(
            additive(q, k, W_q, W_k, v), about=f"{about}, additive", near=more, **close
        )
        W_k = draw(7, 3)
        check(additive_scores, q, wide, W_q, W_k, v).equals(
            additive(q, wide, W_q, W_k, v), about=f"{about}, additive, two sizes", near=more, **close
        )
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
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    scores = torch.tensor([[0.0, 1.0986, -1.0], [2.0, 0.0, 1.0]])
    ninf = -torch.inf
    check(softmax, torch.tensor([0.0, 1.0986])).equals([0.25, 0.75], **loose, near={
        says["raw"]: [1.0, 3.0], says["top"]: [0.3333, 1.0], says["linear"]: [0.0, 1.0],
        says["log"]: [-1.3863, -0.2877], says["negative"]: [0.75, 0.25], says["two"]: [0.3183, 0.6817],
        says["twice"]: [0.3775, 0.6225], says["hard"]: [0.0, 1.0],
    })  # fmt: skip
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
    })  # fmt: skip
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
    })  # fmt: skip
    check(softmax, torch.tensor([1000.0, 1001.0986])).equals([0.25, 0.75], **loose, near={
        says["no_max"]: [torch.nan, torch.nan], says["raw"]: [torch.inf, torch.inf],
        says["top"]: [torch.nan, torch.nan], says["linear"]: [0.4997, 0.5003], says["log"]: [-1.3863, -0.2877],
        says["negative"]: [0.75, 0.25], says["two"]: [0.3183, 0.6817], says["twice"]: [0.3775, 0.6225],
        says["hard"]: [0.0, 1.0],
    })  # fmt: skip
    check(softmax, torch.tensor([0.0, ninf, 1.0986])).equals([0.25, 0.0, 0.75], **loose, near={
        says["min"]: [torch.nan, torch.nan, torch.nan], says["raw"]: [1.0, 0.0, 3.0],
        says["top"]: [0.3333, 0.0, 1.0], says["linear"]: [0.0, torch.nan, 0.0],
        says["log"]: [-1.3863, -torch.inf, -0.2877], says["negative"]: [torch.nan, torch.nan, torch.nan],
        says["two"]: [0.3183, 0.0, 0.6817], says["twice"]: [0.2918, 0.2272, 0.481], says["hard"]: [0.0, 0.0, 1.0],
    })  # fmt: skip
    weights, values = torch.tensor([[0.25, 0.75], [1.0, 0.0]]), torch.tensor([[4.0, 0.0], [0.0, 8.0]])
    check(context_vectors, weights, values).equals([[1.0, 6.0], [4.0, 0.0]], **loose, near={
        says["sum_v"]: [[4.0, 8.0], [4.0, 8.0]], says["mean"]: [[0.5, 3.0], [2.0, 0.0]],
        says["turned"]: [[1.0, 8.0], [3.0, 0.0]], says["again"]: [[1.5102, 4.9797], [2.9242, 2.1515]],
        says["best"]: [[0.0, 8.0], [4.0, 0.0]],
    })  # fmt: skip
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def exps(s, dim=-1):
        return torch.exp(s - s.amax(dim, keepdim=True))

    def plain(s, dim=-1):
        return torch.softmax(s, dim)

    def low(s, dim=-1):
        e = torch.exp(s - s.amin(dim, keepdim=True))
        return e / e.sum(dim, keepdim=True)

    def whole(s, dim=-1):
        e = torch.exp(s - s.max())
        return e / e.sum(dim, keepdim=True)

    def naive(s, dim=-1):
        e = torch.exp(s)
        return e / e.sum(dim, keepdim=True)

    known = {
        says["no_max"]: naive,
        says["one_max"]: whole,
        says["min"]: low,
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
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def judge(s, about, **more):
        dims = [{}] if s.dim() == 1 else [{}, *({"dim": d} for d in range(-2, s.dim()))]
        for dim in dims:
            wanted = torch.softmax(s.double(), dim.get("dim", -1))
            check(softmax, s, **dim).equals(wanted, about=about, rtol=1e-4, atol=1e-6, **more)

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
            lambda w, dtype=dtype: w.dtype == dtype, f"a tensor of {dtype}", about="the dtype is kept", edge=True
        )
    check(softmax, draw(3, 1)).equals(torch.ones(3, 1), about="one score", edge=True)

    check.mistakes({
        says["sum_v"]: lambda w, v: v.sum(-2, keepdim=True).expand(*w.shape[:-1], v.shape[-1]),
        says["mean"]: lambda w, v: w @ v / w.shape[-1],
        says["turned"]: lambda w, v: w.transpose(-2, -1) @ v,
        "the values are turned round: each row is the value of a key": lambda w, v: w @ v.transpose(-2, -1),
        says["again"]: lambda w, v: torch.softmax(w, -1) @ v,
        says["best"]: lambda w, v: torch.take_along_dim(v, w.argmax(-1)[..., None], -2),
        "weights and values were multiplied entry by entry: use @": lambda w, v: w * v,
    })
    axes = {"with leading axes (batch, heads) it fails: @ works on the last two axes": RuntimeError}
    for lead in [(), (), (3,), (2, 3)]:
        w, v = torch.softmax(draw(*lead, 4, 5), -1), draw(*lead, 5, 3)
        wanted = (w.unsqueeze(-1) * v.unsqueeze(-3)).sum(-2)
        about = "context, with leading axes" if lead else "context"
        check(context_vectors, w, v).equals(wanted, about=about, rtol=1e-4, atol=1e-6, near=axes if lead else {})
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


DIGITS = {c: i for i, c in enumerate("0123456789-")}  # what an ISO date is written with; 11 begins it
BEGIN = len(DIGITS)


def encode_dates(pairs: list[tuple[str, str]], ids: dict[str, int]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return sources (N, T), padded with 0 at the end, and targets (N, 10); unknown characters are left out."""
    rows = [torch.tensor([ids[c] for c in source if c in ids]) for source, _ in pairs]
    targets = torch.tensor([[DIGITS[c] for c in target] for _, target in pairs])
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
        says["scaled"]: [[0.6405, 0.3595], [1.0, 0.0]],
    })  # fmt: skip
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def step(
        x, h, M, p, W, cell, out, *, masked=None, c_of=None, w_of=None, ask=None, cat=None, last=None, give=None
    ):
        """The right step, with one part exchanged for a mistake's."""
        s = torch.einsum("bh,hm,btm->bt", ask(x, h, M, cell) if ask else h, W, M)
        w = w_of(s, p) if w_of else torch.softmax((masked or hide)(s, p), -1)
        c = c_of(w, M) if c_of else torch.einsum("bt,btm->bm", w, M)
        new = cell(torch.cat([c, x] if cat else [x, c], -1), h)
        logits = out(last(h, new, c) if last else torch.cat([new, c], -1))
        return give(logits, h, new, w, s, p) if give else (logits, new, w)

    def hide(s, p):
        return s.masked_fill(~p, -torch.inf)

    def ahead(x, h, M, cell):
        """The state after a step without looking."""
        return cell(torch.cat([x, torch.zeros_like(M[:, 0])], -1), h)

    def made(**parts):
        return lambda *args: step(*args, **parts)

    known = {
        says["padding"]: made(masked=lambda s, p: s),
        says["inverted"]: made(masked=lambda s, p: s.masked_fill(p, -torch.inf)),
        says["after"]: made(w_of=lambda s, p: torch.softmax(s, -1) * p),
        says["renormal"]: made(masked=lambda s, p: s * p),
        says["mean"]: made(c_of=lambda w, M: M.mean(1)),
        says["final"]: made(c_of=lambda w, M: M[:, -1]),
        says["new_asks"]: made(ask=ahead),
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
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    check.mistakes(known)
    for seed, (B, T, e, h, m, classes) in enumerate([(3, 5, 2, 4, 6, 7), (2, 4, 3, 4, 4, 5), (4, 6, 5, 3, 5, 2)]):
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
    large = list(case)
    large[4] = case[4] * 300
    check(decoder_step, *large, *more).equals(step(*large, *more), about="large scores", rtol=1e-3, atol=1e-4)
    one = (draw(1, e), draw(1, h), draw(1, 1, m), torch.ones(1, 1, dtype=torch.bool), draw(h, m), *more)
    check(decoder_step, *one).equals(step(*one), about="one row, one character", edge=True, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


score

# %% [markdown] essay="rest" points=82
# ### BEGIN SOLUTION
# To be written.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# To be written.
# ### END MARK SCHEME
