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
        "only_q": "the keys' part is missing", "only_k": "the queries' part is missing",
        "minus": "the parts were subtracted; the additive score adds them",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    q, k = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 0.0], [0.0, 1.0]])
    one, swap, v = torch.eye(2), torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.tensor([1.0, 1.0])
    W, half = torch.tensor([[1.0, 2.0], [0.0, -1.0]]), torch.tensor([[0.5, 0.0], [1.0, 0.5]])
    check(dot_scores, q, k).equals([[3.0, 2.0]], **loose, near={
        says["turned"]: [[3.0], [2.0]], says["cosine"]: [[0.4472, 0.8944]], says["scaled"]: [[2.1213, 1.4142]],
        says["by_d"]: [[1.5, 1.0]],
    })
    check(scaled_scores, q, k).equals([[2.1213, 1.4142]], **loose, near={
        says["no_scale"]: [[3.0, 2.0]], says["by_d"]: [[1.5, 1.0]], says["times"]: [[4.2426, 2.8284]],
        says["by_queries"]: [[3.0, 2.0]], says["root_scores"]: [[1.7321, 1.4142]],
        says["cosine"]: [[0.4472, 0.8944]], says["turned"]: [[2.1213], [1.4142]],
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
        says["only_q"]: [[1.7256, 1.7256]], says["only_k"]: [[0.9951, 0.7616]],
    })
    check(additive_scores, q, k, half, W / 4, v * 2).equals([[3.9672, 3.2435]], **loose, near={
        says["turned"]: [[3.9672], [3.2435]], says["no_tanh"]: [[11.5, 6.5]], says["tanh_last"]: [[1.0, 1.0]],
        says["tanh_each"]: [[6.577, 3.0066]], says["product"]: [[3.7184, -0.4898]],
        says["minus"]: [[0.9585, 3.6698]], says["no_v"]: [[1.9836, 1.6218]], says["mean_v"]: [[1.9836, 1.6218]],
        says["sigmoid"]: [[3.7736, 3.2066]], says["relu"]: [[11.5, 6.5]], says["exchanged"]: [[1.8828, 2.6208]],
        says["only_q"]: [[3.4964, 3.4964]], says["only_k"]: [[3.0806, -0.4898]],
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
    })
    check(softmax, torch.tensor([1000.0, 1001.0986])).equals([0.25, 0.75], **loose, near={
        says["no_max"]: [torch.nan, torch.nan], says["raw"]: [torch.inf, torch.inf],
        says["top"]: [torch.nan, torch.nan], says["linear"]: [0.4997, 0.5003], says["log"]: [-1.3863, -0.2877],
        says["negative"]: [0.75, 0.25], says["two"]: [0.3183, 0.6817], says["twice"]: [0.3775, 0.6225],
        says["hard"]: [0.0, 1.0],
    })
    check(softmax, torch.tensor([0.0, ninf, 1.0986])).equals([0.25, 0.0, 0.75], **loose, near={
        says["min"]: [torch.nan, torch.nan, torch.nan], says["raw"]: [1.0, 0.0, 3.0],
        says["top"]: [0.3333, 0.0, 1.0], says["linear"]: [0.0, torch.nan, 0.0],
        says["log"]: [-1.3863, -torch.inf, -0.2877], says["negative"]: [torch.nan, torch.nan, torch.nan],
        says["two"]: [0.3183, 0.0, 0.6817], says["twice"]: [0.2918, 0.2272, 0.481], says["hard"]: [0.0, 0.0, 1.0],
    })
    weights, values = torch.tensor([[0.25, 0.75], [1.0, 0.0]]), torch.tensor([[4.0, 0.0], [0.0, 8.0]])
    check(context_vectors, weights, values).equals([[1.0, 6.0], [4.0, 0.0]], **loose, near={
        says["sum_v"]: [[4.0, 8.0], [4.0, 8.0]], says["mean"]: [[0.5, 3.0], [2.0, 0.0]],
        says["turned"]: [[1.0, 8.0], [3.0, 0.0]], says["again"]: [[1.5102, 4.9797], [2.9242, 2.1515]],
        says["best"]: [[0.0, 8.0], [4.0, 0.0]],
    })
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
    })
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
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    x = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    check(mean_mixing, x).equals([[0.5, 1.0], [0.5, 1.0]], **loose, near={
        says["features"]: [[0.5, 0.5], [1.0, 1.0]], says["kept"]: [0.5, 1.0], says["sum"]: [[1.0, 2.0], [1.0, 2.0]],
    })
    check(similarity_mixing, x).equals(
        ([[1.0, 0.0], [0.0, 4.0]], [[0.7311, 0.5379], [0.0180, 1.9640]]), **loose, near={}
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

    def over_queries(s):
        return soft(s, -2)

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
        "this is softmax(X), not the mean": lambda x: soft(x, -2),
    }
    alike = {
        says["over_queries"]: lambda x: of_scores(dot(x, x), x, over_queries),
        says["d_by_d"]: lambda x: (x.mT @ x, x @ soft(x.mT @ x)),
        says["weights"]: lambda x: (soft(dot(x, x)), soft(dot(x, x)) @ x),
        says["scores_x"]: lambda x: (dot(x, x), dot(x, x) @ x),
        says["scaled"]: lambda x: of_scores(dot(x, x) / x.shape[-1] ** 0.5, x),
        says["order"]: lambda x: (soft(dot(x, x)) @ x, dot(x, x)),
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
        says["order"]: lambda x, q, k, v: mixed(x, q, k, v)[::-1],
        says["same_W"]: lambda x, q, k, v: mixed(x, q, q, v),
        "W_K was used for the queries, too": lambda x, q, k, v: mixed(x, k, k, v),
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    close = {"rtol": 1e-4, "atol": 1e-5}
    axes = "with leading axes it fails: work on the last two axes, and exchange only these"
    for lead in [(), (), (3,), (2, 3)]:
        about, near = ("with a batch", {axes: RuntimeError}) if lead else ("fresh tokens", {})
        x = draw(*lead, 5, 4)
        check.mistakes(means)
        wanted = torch.full((5, 5), 0.2) @ x
        check(mean_mixing, x).equals(wanted, about=f"the mean, {about}", near=near, **close)
        check.mistakes(alike)
        wanted = of_scores(dot(x, x), x)
        check(similarity_mixing, x).equals(wanted, about=f"similarity, {about}", near=near, **close)
        check.mistakes(learned)
        for d, e in [(3, 6), (4, 4)]:
            W = draw(4, d), draw(4, d), draw(4, e)
            check(self_attention, x, *W).equals(mixed(x, *W), about=f"learned, {about}", near=near, **close)
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
        says["over_queries"]: made(weigh=lambda s: torch.softmax(s, -2)),
        says["all"]: made(weigh=over_all),
        says["after"]: made(
            lambda q, k, v, scale: dot(q, k),
            mix=lambda s, w, q, k, v: (w * q.shape[-1] ** -0.5 @ v, w * q.shape[-1] ** -0.5),
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
    axes = {"with leading axes it fails: work on the last two axes, and exchange only these": RuntimeError}
    for lead in [(), (), (3,), (2, 3)]:
        about, near = ("with leading axes", axes) if lead else ("fresh input", {})
        case = 2 * draw(*lead, 4, 5), draw(*lead, 6, 5), draw(*lead, 6, 3)
        check(attention, *case).equals(wanted(*case), about=about, near=near, **close)
        scale = float(check.rng.uniform(0.2, 2))
        check(attention, *case, scale=scale).equals(
            wanted(*case, scale), about=f"another scale, {about}", near=near, **close
        )
    case = 2 * draw(4, 4), draw(4, 4), draw(4, 4)
    check(attention, *case).equals(wanted(*case), about="all sizes equal", **close)
    case = 40 * draw(3, 9), 40 * draw(5, 9), draw(5, 2)
    check(attention, *case).equals(wanted(*case), about="large scores", rtol=1e-3, atol=1e-4)
    case = draw(3, 4).double(), draw(5, 4).double(), draw(5, 2).double()
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
plots.show(fig, f"Variance of the scores and the largest weight, by size d from 4 to 512: not scaled, the variance grows "
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
        "small": "the score of a hidden key is not low enough: some weight leaks to it. Use minus infinity",
        "no_scale": "the scores are not scaled by the root of d_k",
        "by_d": "the scores are divided by d_k, not by its root",
        "over_queries": "the softmax runs over the queries: use dim=-1",
        "mean": "a query that may see nothing got equal weights for all keys, as with -1e9: zeros are asked for",
        "nan": "a query that may see nothing got 0/0, which is NaN: zeros are asked for",
        "order": "the two results are exchanged: the output comes first",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    yes, no, nan = True, False, torch.nan
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

    def made(fill=-torch.inf, last=0.0, scale=lambda q: q.shape[-1] ** -0.5, hide=None, dim=-1, mix=None):
        """Masked attention; `fill` goes where a score is hidden, `last` where a weight is (None: no second mask)."""

        def function(q, k, v, mask):
            s = torch.einsum("...qd,...kd->...qk", q, k) * scale(q)
            w = torch.softmax(s.masked_fill(~(hide(mask) if hide else mask), fill), dim)
            w = w if last is None else w.masked_fill(~mask, last)
            return mix(w, v, mask) if mix else (w @ v, w)

        return function

    def unmasked(mask):
        return torch.ones_like(mask)

    known = {
        says["unmasked"]: made(hide=unmasked, last=None),
        says["inverted"]: made(hide=lambda mask: ~mask, last=None),
        "the mask was used the wrong way round: True means that a key may be seen (rows that see nothing are 0)": made(
            hide=lambda mask: ~mask, mix=lambda w, v, mask: (w.nan_to_num() @ v, w.nan_to_num()), last=None
        ),
        says["after"]: made(hide=unmasked),
        says["zero"]: made(fill=0.0, last=None),
        "the score of a hidden key was set to 0, and e to the 0 is 1: set it to minus infinity": made(fill=0.0),
        **{f"{says['small']} (not {low:g})": made(fill=low, last=None) for low in (-1.0, -5.0, -10.0)},
        says["no_scale"]: made(scale=lambda q: 1),
        f"{says['no_scale']}, and {says['nan']}": made(scale=lambda q: 1, last=None),
        says["by_d"]: made(scale=lambda q: 1 / q.shape[-1]),
        says["over_queries"]: made(dim=-2),
        f"{says['over_queries']}, and what is NaN must be 0": made(dim=-2, last=None),
        says["mean"]: made(fill=-1e9, last=None),
        says["nan"]: made(last=None),
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
        near = {"the mask must be broadcast: its shape may be smaller than that of the scores": RuntimeError}
        check(masked_attention, *case).equals(wanted(*case), about=about, near=near, **close)
    case = (60 * draw(4, 3), 60 * draw(6, 3), draw(6, 2), some(4, 6))
    check(masked_attention, *case).equals(wanted(*case), about="large scores", rtol=1e-3, atol=1e-4)
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
        about="the dtype is kept",
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
# <details><summary>Hint 1</summary>Split only the last axis: <code>x.view(B, T, H, d)</code>, and then exchange the
# axes 1 and 2.</details>
# <details><summary>Hint 2</summary>To merge, exchange the axes 1 and 2 first, then
# <code>.reshape(B, T, H * d)</code>.</details>
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
        "unmixed": "W_O was applied to the heads alone, before they were concatenated",
    }
    x = torch.arange(1.0, 9.0).view(1, 2, 4)  # two tokens: (1, 2, 3, 4) and (5, 6, 7, 8)
    check(split_heads, x, 2).equals([[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]], near={
        says["view"]: [[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]],
        says["every"]: [[[[1.0, 3.0], [5.0, 7.0]], [[2.0, 4.0], [6.0, 8.0]]]],
        says["unmoved"]: [[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]],
        says["heads_first"]: [[[[1.0, 2.0], [5.0, 6.0]]], [[[3.0, 4.0], [7.0, 8.0]]]],
    })
    heads = torch.tensor([[[[1.0, 2], [5, 6]], [[3, 4], [7, 8]]]])
    check(merge_heads, heads).equals([[[1, 2, 3, 4], [5, 6, 7, 8]]], near={
        says["merge_view"]: [[[1.0, 2.0, 5.0, 6.0], [3.0, 4.0, 7.0, 8.0]]],
        says["merge_order"]: [[[1.0, 3.0, 2.0, 4.0], [5.0, 7.0, 6.0, 8.0]]],
        says["reversed"]: [[[3.0, 4.0, 1.0, 2.0], [7.0, 8.0, 5.0, 6.0]]], says["mean"]: [[[2.0, 3.0], [6.0, 7.0]]],
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
    }
    merges = {
        says["merge_view"]: lambda x: x.reshape(x.shape[0], x.shape[2], -1),
        says["merge_order"]: lambda x: x.permute(0, 2, 3, 1).reshape(x.shape[0], x.shape[2], -1),
        says["reversed"]: lambda x: merge(x.flip(1)),
        says["mean"]: lambda x: x.mean(1),
    }
    for B, T, C, H in [(2, 5, 12, 3), (3, 4, 12, 4), (3, 3, 9, 3), (2, 4, 8, 2)]:
        x = draw(B, T, C)
        check.mistakes(splits)
        check(split_heads, x, H).equals(split(x, H), about="fresh features, split")
        check.mistakes(merges)
        check(merge_heads, split(x, H)).equals(x, about="fresh heads, merged")
        check(merge_heads, split(x, H).contiguous()).equals(x, about="fresh heads, contiguous")

    def made(split=split, merge=merge, scale=lambda C, d: d**-0.5, dim=-1, hide=None, after=False, last=None):
        """Multi-head attention, with one part exchanged for a mistake's."""

        def function(x_q, x_kv, W_q, W_k, W_v, W_o, H, mask=None):
            q, k, v = split(x_q @ W_q, H), split(x_kv @ W_k, H), split(x_kv @ W_v, H)
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
        "the two results are exchanged: the result comes first": made(last=lambda w, v, W_o: (w, merge(w @ v) @ W_o)),
        "only the result came back: return the weights, too": made(last=lambda w, v, W_o: merge(w @ v) @ W_o),
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
    for B, T_q, T_k, C, H in [(2, 5, 5, 12, 3), (3, 4, 6, 12, 4), (2, 3, 5, 8, 2)]:
        weights = [draw(C, C) / C**0.5 * 1.5 for _ in range(4)]
        x_q, x_kv = draw(B, T_q, C), draw(B, T_k, C)
        case = (x_q, x_kv, *weights, H)
        check(multi_head_attention, *case).equals(library(*case), about="two sequences", **close)
        case = (x_kv, x_kv, *weights, H)
        check(multi_head_attention, *case).equals(library(*case), about="self-attention", **close)
        causal = torch.ones(T_k, T_k).tril().bool()
        check(multi_head_attention, *case, causal).equals(library(*case, causal), about="with a causal mask", **close)
        padding = (torch.arange(T_k) < torch.tensor(check.rng.integers(1, T_k, size=B))[:, None])[:, None, None]
        case = (x_q, x_kv, *weights, H, padding)
        check(multi_head_attention, *case).equals(library(*case), about="with a padding mask", **close)
    case = (x_q, x_kv, *weights, 1)
    check(multi_head_attention, *case).equals(library(*case), about="one head", edge=True, **close)
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
# <details><summary>Hint 2</summary>Shuffle the *output* on the one side, the *input* on the other.</details>

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
        "inverse": "the output was put back by the inverse order; shuffle it by the same order as the input",
        "twice": "input and output were both shuffled on one side",
        "signed": "the sign counts here: take absolute values before the maximum",
        "mean": "this is the mean of the differences; the largest is asked for",
        "sum": "this is the sum of the differences; the largest is asked for",
        "columns": "the columns were shuffled; the tokens are the rows",
        "table": "all differences came; the largest is asked for",
        "same": "both sides are the same thing here: shuffle the output on the one, the input on the other",
        "square": "the squared difference came",
        "per_token": "a dense layer joins all T * C numbers with all T * C: the square of the product",
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
        says["invariant"]: 2.0, says["inverse"]: 5.0, says["twice"]: 5.0, says["sum"]: 9.0,
        says["table"]: [[3.0], [3.0], [3.0]], says["same"]: 0.0, says["square"]: 9.0,
    })
    check(equivariance_gap, torch.exp, x, order).equals(0.0, atol=1e-6, near={
        says["invariant"]: 17.3673, says["inverse"]: 17.3673, says["twice"]: 17.3673,
        says["table"]: [[0.0], [0.0], [0.0]],
    })
    check(parameter_counts, 2, 3).equals((36, 36), near={
        says["per_token"]: (18, 36), says["three"]: (36, 27), says["grows"]: (36, 72), says["biased"]: (42, 48),
    })
    check(parameter_counts, 37, 1024).equals((1435500544, 4194304), near={
        says["per_token"]: (38797312, 4194304), says["three"]: (1435500544, 3145728),
        says["grows"]: (1435500544, 155189248), says["biased"]: (1435538432, 4198400),
        says["order"]: (4194304, 1435500544),
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    check.mistakes({
        says["invariant"]: lambda f, x, o: (f(x) - f(x[o])).abs().max(),
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
        "a bool came; the difference itself is asked for": lambda f, x, o: bool(torch.allclose(f(x)[o], f(x[o]))),
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
        says["three"]: lambda T, C: ((T * C) ** 2, 3 * C * C),
        says["grows"]: lambda T, C: ((T * C) ** 2, 4 * T * C * C),
        "the weights of attention are its matrices, not its table of T by T": lambda T, C: ((T * C) ** 2, T * T),
        says["biased"]: lambda T, C: ((T * C) ** 2 + T * C, 4 * C * C + 4 * C),
        says["order"]: lambda T, C: (4 * C * C, (T * C) ** 2),
    })
    for _ in range(4):
        T, C = (int(n) for n in check.rng.integers(3, 99, size=2))
        check(parameter_counts, T, C).equals((sum([T * C] * (T * C)), 4 * C**2), about="other sizes")
    ### END HIDDEN TESTS


score

# %% [markdown] essay="rest" points=51
# ### BEGIN SOLUTION
# To be written.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# To be written.
# ### END MARK SCHEME
