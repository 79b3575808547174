# %% [markdown]
# # 07 Contrastive learning: pull together, push apart
#
# **What you will build.** Encoders that learn from pairs alone: the losses (margin, softmax triplet, InfoNCE, NT-Xent),
# SimCLR on handwritten digits, a search engine for the docs that finds a text by what it means, a small CLIP that
# recognises digits by sentences, the evaluation that tells whether any of it is good, and a map of the docs.
#
# **What you need.** Cosine similarity and BM25 ([chapter 01](../01_spam/01_spam.ipynb)), word vectors
# ([02](../02_word_vectors/02_word_vectors.ipynb)), attention ([04](../04_attention/04_attention.ipynb)), the tokenizer
# as [chapter 06](../06_tokenizers/06_tokenizers.ipynb) makes it (the artifact *docs-tokenizer* is enough),
# cross-entropy and `fit`.
#
# **Points.** 100: fourteen exercises checked by machine (80) and two short essays (20). Allow about six hours. The
# whole notebook, once written, runs in about three minutes on two cores.
#
# Notation: $N$ pairs in a batch; $x_i$ and $x_i^+$ belong together; $f$ the encoder; $C$ numbers in a vector; $s$ a
# similarity, $s^+$ that of a pair and $s^-$ that of a text and one that does not belong to it; $\tau$ the temperature.
# Rows are examples, so a table of similarities has a row for each query and a column for each candidate. Functions
# return new values in the dtype that they get (float64 stays float64); none changes its arguments. A loss is a scalar
# tensor, and autograd must find its way back through it to both of its inputs.

# %% given
import math
import re

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import artifacts, data, leaderboard, notebook, plots
from helpers.claims import claim
from helpers.device import SEED, budget, seed_everything
from helpers.encoder import Encoder, TextEncoder, bag, load_encoder, shared_reader
from helpers.likelihood import Translation, docs_pairs
from helpers.search import BM25, SENTENCE_END, docs_task, fused, plain_words, summed
from helpers.training import fit

notebook.prepare()

# %% [markdown]
# ## What does "alike" mean?
#
# A classifier is told the right answer. An encoder is told less: these two belong together, those two do not. From
# that it must find vectors in which near means alike. Everything begins with how near is measured.
#
# ## Exercise 1: similarity, temperature, and what they do to the gradient (`similarity`)
#
# 20 minutes, ★★, 6 points
#
# Vectors are brought to length 1 first, so that only their direction counts; the dot product is then the *cosine*,
# between -1 and 1:
#
# $$s_{ij} = \frac{a_i \cdot b_j}{\lVert a_i \rVert \, \lVert b_j \rVert}$$
#
# `cosine_similarities(a, b)` returns the table $(N, M)$ of all pairs of rows. A row of zeros has no direction: its
# similarity to everything is 0.
#
# To choose one of $M$ candidates, similarities are divided by a *temperature* $\tau$ and go through softmax:
# $p_{ij} = \exp(s_{ij}/\tau) / \sum_k \exp(s_{ik}/\tau)$. The loss of query $i$, whose right candidate is $r_i$, is
# $-\log p_{i r_i}$, and the loss of a batch is the mean over its $N$ queries. Its gradient with respect to the
# similarities is what pulls and pushes:
#
# $$\frac{\partial L}{\partial s_{ij}} = \frac{1}{N\tau}\,\big(p_{ij} - [\,j = r_i\,]\big)$$
#
# Negative at the right candidate (a step downhill raises its similarity), positive at all others, and *larger for those
# that score high*: InfoNCE looks for hard negatives by itself. The smaller $\tau$, the more so.
#
# `score_gradient(scores, right, temperature)` returns this gradient, shape $(N, M)$, for similarities `scores`
# $(N, M)$ and the indices `right` $(N,)$. Compute it by the formula. Large similarities must not overflow.
#
# By hand: similarities (1, 0) with the first one right and $\tau = 1$: $p = (0.731, 0.269)$, gradient (-0.269, 0.269).
# With $\tau = 0.5$: $p = (0.881, 0.119)$, gradient (-0.238, 0.238).
#
# <details><summary>Hint 1</summary><code>F.normalize(a, dim=-1)</code> leaves a row of zeros as it is.</details>
# <details><summary>Hint 2</summary><code>F.one_hot(right, M)</code> is 1 at the right candidates.</details>

# %% exercise="similarity"
def cosine_similarities(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the cosines (N, M) of the rows of a (N, C) with the rows of b (M, C)."""
    ### BEGIN SOLUTION
    return F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).T
    ### END SOLUTION


def score_gradient(scores: torch.Tensor, right: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the gradient (N, M) of the mean of -log softmax(scores / temperature) at `right` (N,), by the formula."""
    ### BEGIN SOLUTION
    chances = torch.softmax(scores / temperature, dim=-1)  # (N, M)
    return (chances - F.one_hot(right, scores.shape[1])) / (temperature * len(scores))
    ### END SOLUTION

# %% check="similarity" points=6
# The check of `similarity`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("similarity", points=6)
def score(check):
    import torch

    no_norm = "the vectors were not brought to length 1: this is the dot product"
    one_side = "only the first argument was brought to length 1"
    columns = "the columns were brought to length 1: a vector is a row"
    turned = "rows are for a, columns for b: this is the transpose"
    squared = "divide by the lengths, not by their squares"
    a, b = torch.tensor([[3.0, 4.0], [0.0, 2.0], [0.0, 0.0]]), torch.tensor([[1.0, 0.0], [-6.0, 8.0]])
    check(cosine_similarities, a, b).equals([[0.6, 0.28], [0.0, 0.8], [0.0, 0.0]], rtol=1e-4, atol=1e-6, near={
        no_norm: [[3.0, 14.0], [0.0, 16.0], [0.0, 0.0]], one_side: [[0.6, 2.8], [0.0, 8.0], [0.0, 0.0]],
        columns: [[0.164399, -0.09196669], [0.0, 0.4472136], [0.0, 0.0]], turned: [[0.6, 0.0, 0.0], [0.28, 0.8, 0.0]],
        "a row of zeros has no direction: its similarity is 0, not NaN": [[0.6, 0.28], [0.0, 0.8], [float("nan")] * 2],
    })

    no_tau = "1 / temperature is missing in front: the chain rule brings it"
    no_mean = "the mean over the N queries is missing: divide by N"
    sign = "the sign is turned round: at the right candidate the gradient is below 0"
    only_p = "subtract 1 at the right candidate"
    times = "the similarities are divided by the temperature, not multiplied"
    over_queries = "softmax over the queries: each row is a choice among candidates"
    ignored = "softmax was taken without the temperature"
    over_all = "softmax over the whole table: each row is a choice for itself"
    s = torch.tensor([[1.0, 0.0, 0.5, -0.4], [0.2, 0.4, -0.3, 0.6]])
    right = torch.tensor([0, 2])
    want = [[-0.3606239, 0.08653014, 0.2352133, 0.0388805], [0.1966474, 0.2933634, -0.9276575, 0.4376467]]
    check(score_gradient, s, right, 0.5).equals(want, rtol=1e-4, atol=1e-6, near={
        no_tau: [[-0.180312, 0.04326507, 0.1176067, 0.01944025], [0.09832368, 0.1466817, -0.4638287, 0.2188234]],
        no_mean: [[-0.7212479, 0.1730603, 0.4704266, 0.077761], [0.3932947, 0.5867268, -1.855315, 0.8752935]],
        sign: [[0.3606239, -0.08653014, -0.2352133, -0.0388805], [-0.1966474, -0.2933634, 0.9276575, -0.4376467]],
        only_p: [[0.6393761, 0.08653014, 0.2352133, 0.0388805], [0.1966474, 0.2933634, 0.07234252, 0.4376467]],
        times: [[-0.6530087, 0.2104609, 0.2702371, 0.1723108], [0.2435831, 0.269201, -0.8102973, 0.2975131]],
        over_queries: [[-0.1679816, 0.3100255, 0.8320184, 0.1192029], [0.1679816, 0.6899745, -0.8320184, 0.8807971]],
        over_all: [[-0.6140066, 0.05223852, 0.141999, 0.02347228], [0.07793072, 0.116259, -0.9713309, 0.173438]],
        ignored: [[-0.5497538, 0.1656363, 0.2730881, 0.1110293], [0.2314944, 0.282748, -0.8595915, 0.3453491]],
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np
    import torch.nn.functional as F

    check.hidden()

    def draw(*shape, scale=1.0):
        return torch.from_numpy(check.rng.normal(size=shape) * scale).float()

    check.mistakes({
        no_norm: lambda a, b: a @ b.T,
        one_side: lambda a, b: F.normalize(a, dim=-1) @ b.T,
        "only the second argument was brought to length 1": lambda a, b: a @ F.normalize(b, dim=-1).T,
        columns: lambda a, b: F.normalize(a, dim=0) @ F.normalize(b, dim=0).T,
        turned: lambda a, b: F.normalize(b, dim=-1) @ F.normalize(a, dim=-1).T,
        squared: lambda a, b: (a @ b.T) / (a**2).sum(-1)[:, None] / (b**2).sum(-1)[None],
        "these are distances: similarities are asked": lambda a, b: torch.cdist(F.normalize(a), F.normalize(b)),
        "the mean was subtracted first: that is the correlation": lambda a, b: (
            F.normalize(a - a.mean(-1, keepdim=True), dim=-1) @ F.normalize(b - b.mean(-1, keepdim=True), dim=-1).T),
        "the lengths are sums of absolute values: the root of the sum of squares is asked": lambda a, b: (
            F.normalize(a, p=1, dim=-1) @ F.normalize(b, p=1, dim=-1).T),
        "row i was compared with row i only: the table of all pairs is asked": lambda a, b: F.cosine_similarity(
            a[: min(len(a), len(b))], b[: min(len(a), len(b))]),
        "the whole table was divided by one length: each row has its own": lambda a, b: a @ b.T / a.norm() / b.norm(),
    })  # fmt: skip
    for n, m, c in [(3, 4, 5), (6, 2, 3), (4, 4, 4)]:
        a, b = draw(n, c, scale=3), draw(m, c, scale=0.2)
        want = np.array([[np.dot(x, y) / np.sqrt(np.dot(x, x) * np.dot(y, y)) for y in b.numpy()] for x in a.numpy()])
        check(cosine_similarities, a, b).equals(want, about="fresh vectors", rtol=1e-4, atol=1e-6)
    check(cosine_similarities, torch.zeros(2, 3), draw(1, 3)).equals(
        [[0.0], [0.0]], about="vectors of zeros", edge=True, near={"divided by a length of 0": [[float("nan")]] * 2}
    )

    def made(p=lambda s, t: (s / t).softmax(-1), minus=1, times=1.0):
        return lambda s, right, t: (p(s, t) - minus * F.one_hot(right, s.shape[1])) * times / (t * len(s))

    check.mistakes({
        no_tau: lambda s, r, t: made()(s, r, t) * t, no_mean: lambda s, r, t: made()(s, r, t) * len(s),
        "divided by N times M: the mean is over the N queries": lambda s, r, t: made()(s, r, t) / s.shape[1],
        sign: made(times=-1), only_p: made(minus=0), times: made(p=lambda s, t: (s * t).softmax(-1)),
        over_all: made(
            p=lambda s, t: (s / t).flatten().softmax(0).view_as(s)),
        "F.one_hot(right) alone may come out too narrow: give it the number of candidates, M": lambda s, r, t: (
            ((s / t).softmax(-1) - F.one_hot(r)) / (t * len(s))),
        over_queries: made(p=lambda s, t: (s / t).softmax(0)), ignored: made(p=lambda s, t: s.softmax(-1)),
        "multiplied by the temperature in front: divide": lambda s, r, t: made()(s, r, t) * t * t,
        "1 / temperature and the mean over the queries are both missing": lambda s, r, t: made()(s, r, t) * t * len(s),
        "this is the gradient of the mean probability, not of its logarithm": lambda s, r, t: torch.autograd.grad(
            -(x := s.clone().requires_grad_(), (x / t).softmax(-1).gather(1, r[:, None]).mean())[1], x)[0],
        "the right candidates are those of `right`, not the diagonal": lambda s, r, t: (
            ((s / t).softmax(-1) - torch.eye(*s.shape)) / (t * len(s))),
    })  # fmt: skip
    for n, m, t in [(3, 5, 0.3), (4, 2, 1.7), (5, 5, 0.05)]:
        s = (draw(n, m).clamp(-2, 2) / 2).requires_grad_()
        right = torch.from_numpy(check.rng.integers(0, m, size=n))
        F.cross_entropy(s / t, right).backward()
        check(score_gradient, s.detach(), right, t).equals(s.grad, about="fresh similarities", rtol=1e-4, atol=1e-6)
    check(score_gradient, torch.tensor([[900.0, 0.0], [0.0, 900.0]]), torch.tensor([0, 0]), 1.0).equals(
        [[0.0, 0.0], [-0.5, 0.5]], about="large similarities", edge=True, atol=1e-6,
        near={"overflow: subtract the largest first, or call softmax": [[float("nan"), 0.0], [-0.5, float("nan")]]},
    )  # fmt: skip
    check(score_gradient, s.detach().double(), right, t).holds(
        lambda v: v.dtype == torch.float64, "float64 for similarities of float64", about="the dtype is kept", edge=True,
        near={"float32 came: float64 was given and is to be kept": lambda v: v.dtype == torch.float32},
    )  # fmt: skip
    ### END HIDDEN TESTS


score

# %% [markdown]
# One query, its own text at similarity 0.6, and negatives between -0.5 and 0.7. How hard is each pushed away, at
# four temperatures? At 1 the nearest is pushed three times as hard as the farthest. At 0.05, 86% of the push goes to
# the two negatives that score above the right answer. What would a temperature near 0 do?

# %% show
negatives = torch.linspace(-0.5, 0.7, 25)
one_query = torch.cat([torch.tensor([0.6]), negatives])[None]  # (1, 26)
pushes = {}
for temperature in (1.0, 0.3, 0.1, 0.05):
    push = score_gradient(one_query, torch.tensor([0]), temperature)[0, 1:]
    pushes[f"temperature {temperature:g}"] = (push / push.sum()).numpy()
plots.show(*plots.lines(negatives, pushes, "similarity of the negative", "share of the push", log="y"))

# %% [markdown]
# ## Exercise 2: triplets, and a sign that is wrong (`triplet`)
#
# 15 minutes, ★, 6 points
#
# The oldest contrastive loss looks at three examples: $x$, a positive $v^+$, a negative $v^-$. One lecture prints it as
#
# $$L(x, v^-, v^+) = -\max\big(s^- - s^+ + m,\; 0\big)$$
#
# with a margin $m$. Try it before you trust it: take $m = 0.5$. In the good triplet, $s^+ = 0.9$ and $s^- = 0.2$; in
# the bad one, $s^+ = 0.5$ and $s^- = 0.8$. Which of the two has the *smaller* printed loss? Training makes a loss
# small. What would an optimiser do with this one?
#
# 1. `margin_loss(positive, negative, margin)`: the loss as it should be: 0 where the positive is ahead by at least the
#    margin, and otherwise by how much it falls short, a number above 0. The mean over the batch.
# 2. `softmax_triplet(positive, negative, temperature)`: the soft version,
#    $-\log \frac{\exp(s^+/\tau)}{\exp(s^+/\tau) + \exp(s^-/\tau)}$, the mean over the batch. It must not overflow where
#    $s/\tau$ is in the hundreds.
#
# Both get similarities $(N,)$ and return a scalar tensor.
#
# <details><summary>Hint 1</summary>The loss should be 0 for the good triplet and 0.8 for the bad one.</details>
# <details><summary>Hint 2</summary>Divide above and below by exp(s⁺/τ): what is left is log(1 + exp(something)),
# which is <code>F.softplus</code>.</details>

# %% exercise="triplet"
def margin_loss(positive: torch.Tensor, negative: torch.Tensor, margin: float = 0.5) -> torch.Tensor:
    """Return the mean margin loss of similarities (N,) of positives and negatives."""
    ### BEGIN SOLUTION
    return torch.clamp(negative - positive + margin, min=0).mean()
    ### END SOLUTION


def softmax_triplet(positive: torch.Tensor, negative: torch.Tensor, temperature: float = 0.1) -> torch.Tensor:
    """Return the mean softmax loss of similarities (N,) of positives and negatives."""
    ### BEGIN SOLUTION
    return F.softplus((negative - positive) / temperature).mean()
    ### END SOLUTION

# %% check="triplet" points=6
# The check of `triplet`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("triplet", points=6)
def score(check):
    import torch

    printed = "this is the printed formula: making it small pushes the negative above the positive. Turn the sign round"
    swapped = "positive and negative are exchanged: the loss is large where the negative is ahead"
    no_floor = "below 0 the loss stops: what is ahead by the margin has no loss at all"
    no_margin = "the margin is missing"
    summed = "the mean over the batch is asked, not the sum"
    minus_m = "the margin is added to the negative's lead, not subtracted"
    fixed = "the argument margin was ignored"
    good, bad = torch.tensor([0.9]), torch.tensor([0.5])
    check(margin_loss, good, torch.tensor([0.2]), 0.5).equals(0.0, atol=1e-6, about="the good triplet", near={
        swapped: 1.2, no_floor: -0.2,
    })
    check(margin_loss, bad, torch.tensor([0.8]), 0.5).equals(0.8, atol=1e-6, about="the bad triplet", near={
        printed: -0.8, swapped: 0.2, no_margin: 0.3, minus_m: 0.0,
    })
    check(margin_loss, torch.tensor([0.9, 0.5, 0.4]), torch.tensor([0.2, 0.8, 0.2]), 0.3).equals(
        0.2333333, atol=1e-5, near={printed: -0.2333333, swapped: 0.5, no_floor: 0.1, no_margin: 0.1, summed: 0.7,
                                    fixed: 0.3666667, minus_m: 0.0})  # fmt: skip

    no_tau, times = "the temperature is missing", "similarities are divided by the temperature, not multiplied"
    alone = "the positive belongs in the denominator, too"
    sign = "a minus is missing in front of the logarithm"
    probability = "this is the probability: its negative logarithm is asked"
    check(softmax_triplet, torch.tensor([0.9]), torch.tensor([0.2]), 0.1).equals(
        9.114665e-04, rtol=1e-3, near={no_tau: 0.403186, times: 0.658759, swapped: 7.000911, alone: -7.0,
                                       sign: -9.114665e-04, probability: 0.999089})  # fmt: skip
    check(softmax_triplet, torch.tensor([0.3, 0.5]), torch.tensor([0.4, -0.2]), 0.5).equals(
        0.5092781, rtol=1e-4, near={
            no_tau: 0.5737914, times: 0.6259209, swapped: 1.109278,
            alone: -0.6, summed: 1.018556, sign: -0.5092781,
            "the default temperature was taken, not the argument": 0.6570866,
        })  # fmt: skip
    ### BEGIN HIDDEN TESTS
    import numpy as np
    import torch.nn.functional as F

    check.hidden()

    def hinge(lead=lambda p, n, m: n - p + m, end=lambda v: v.clamp(min=0), mean=torch.mean, sign=1):
        return lambda p, n, margin=0.5: sign * mean(end(lead(p, n, margin)))

    check.mistakes({
        printed: hinge(sign=-1), swapped: hinge(lead=lambda p, n, m: p - n + m), no_floor: hinge(end=lambda v: v),
        no_margin: hinge(lead=lambda p, n, m: n - p), summed: hinge(mean=torch.sum),
        minus_m: hinge(lead=lambda p, n, m: n - p - m), fixed: lambda p, n, margin=0.5: hinge()(p, n),
        "the floor stands at 0 of each triplet, before the mean, not after it": hinge(
            end=lambda v: v, mean=lambda v: v.mean().clamp(min=0)),
        "the floor stands under the lead; the margin is added before it": hinge(
            lead=lambda p, n, m: (n - p).clamp(min=0) + m),
        "min was taken where max is asked": hinge(end=lambda v: v.clamp(max=0)),
        "the loss is squared": hinge(end=lambda v: v.clamp(min=0) ** 2),
        "the absolute value was taken: ahead by the margin is no loss": hinge(end=torch.abs),
        "one loss for each triplet came: their mean is asked": hinge(mean=lambda v: v),
        "the mean of those triplets that lose was taken: all count": hinge(mean=lambda v: v.sum() / (v > 0).sum()),
    })  # fmt: skip
    for n, m in [(4, 0.5), (7, 0.2), (3, 1.3)]:
        p, q = (torch.from_numpy(check.rng.uniform(-1, 1, size=n)).float() for _ in "pq")
        want = float(np.mean([max(b - a + m, 0.0) for a, b in zip(p.tolist(), q.tolist(), strict=True)]))
        check(margin_loss, p, q, m).equals(want, about="fresh triplets", rtol=1e-4, atol=1e-6)

    def soft(s=lambda p, n, t: (n - p) / t, end=F.softplus, mean=torch.mean):
        return lambda p, n, temperature=0.1: mean(end(s(p, n, temperature)))

    check.mistakes({
        no_tau: soft(lambda p, n, t: n - p), times: soft(lambda p, n, t: (n - p) * t),
        swapped: soft(lambda p, n, t: (p - n) / t), alone: soft(end=lambda v: v), summed: soft(mean=torch.sum),
        sign: soft(end=lambda v: -F.softplus(v)), probability: soft(end=lambda v: torch.sigmoid(-v)),
        "the logarithm of the mean was taken: the mean of the logarithms is asked": soft(
            end=lambda v: torch.sigmoid(-v), mean=lambda v: -v.mean().log()),
        "the denominator has the negative alone": soft(end=lambda v: v),
        "the argument temperature was ignored": lambda p, n, temperature=0.1: soft()(p, n),
        "one loss for each triplet came: their mean is asked": soft(mean=lambda v: v),
        "softmax ran over the whole batch: each triplet is a choice for itself": lambda p, n, temperature=0.1: (
            -(torch.cat([p, n]) / temperature).log_softmax(0)[: len(p)].mean()),
        "base 2 was taken: the natural logarithm is asked": soft(end=lambda v: F.softplus(v) / np.log(2)),
    })  # fmt: skip
    for n, t in [(4, 0.1), (6, 0.7), (3, 2.0)]:
        p, q = (torch.from_numpy(check.rng.uniform(-1, 1, size=n)).float() for _ in "pq")
        want = F.cross_entropy(torch.stack([p, q], 1) / t, torch.zeros(n, dtype=torch.long))
        check(softmax_triplet, p, q, t).equals(want, about="fresh triplets for softmax", rtol=1e-4)
    check(softmax_triplet, torch.tensor([-1.0, 1.0]), torch.tensor([1.0, -1.0]), 0.002).equals(
        500.0, about="a low temperature", edge=True, rtol=1e-4,
        near={"overflow: exp of hundreds is infinite": float("nan"),
              "overflow: exp of minus hundreds is 0, and its logarithm infinite": float("inf"),
              "a small number inside the logarithm hides how large the loss is": 9.21034},
    )  # fmt: skip
    check(margin_loss, torch.tensor([0.2, 0.1]).requires_grad_(), torch.tensor([0.4, 0.3])).holds(
        lambda v: v.requires_grad, "autograd finds its way back to the positives", about="a loss to train with",
        edge=True, near={"the gradient is cut: a scalar tensor is asked, no detach, no item": lambda v: v is not None},
    )  # fmt: skip
    check(softmax_triplet, torch.tensor([0.2, 0.1]), torch.tensor([0.4, 0.3]).requires_grad_()).holds(
        lambda v: v.requires_grad, "autograd finds its way back to the negatives", about="a loss to train with",
        edge=True, near={"the gradient is cut: a scalar tensor is asked, no detach, no item": lambda v: v is not None},
    )  # fmt: skip
    ### END HIDDEN TESTS


score

# %% [markdown]
# The printed sign, tried out. Twenty points on a circle in two classes; the same start, the same steps, once with each
# sign.

# %% show
def circle_run(sign: float, steps: int) -> tuple[torch.Tensor, torch.Tensor, float]:
    """Train twenty free points with the margin loss times `sign`; returns (points, classes, share well placed)."""
    draw = seed_everything(SEED)
    points = torch.randn(20, 2, generator=draw).requires_grad_()
    classes = torch.arange(20) % 2
    optimizer = torch.optim.Adam([points], lr=0.05)
    for _ in range(steps):
        z = F.normalize(points, dim=-1)
        anchor = torch.randperm(20, generator=draw)
        steps_on = torch.randint(1, 10, (2, 20), generator=draw)
        positive, negative = z[(anchor + 2 * steps_on[0]) % 20], z[(anchor + 2 * steps_on[1] + 1) % 20]
        optimizer.zero_grad()
        (sign * margin_loss((z[anchor] * positive).sum(-1), (z[anchor] * negative).sum(-1))).backward()
        optimizer.step()
    z = F.normalize(points.detach(), dim=-1)
    table = cosine_similarities(z, z).fill_diagonal_(-2)
    return z, classes, (classes[table.argmax(1)] == classes).float().mean().item()


fig, axes = plots.figure(columns=2, width=7, height=3.4)
told = []
for ax, (title, sign) in zip(axes, {"the loss as it should be": 1.0, "as it was printed": -1.0}.items(), strict=True):
    z, classes, share = circle_run(sign, budget(grade=50, cpu=300))
    for c, marker in enumerate("o^"):
        ax.plot(*z[classes == c].T, marker, color=plots.COLORS[c], markersize=8, alpha=0.7, label=f"class {c + 1}")
    ax.set(title=f"{title}\nnearest neighbour right: {share:.0%}", aspect="equal", xlim=(-1.3, 1.3), ylim=(-1.3, 1.3))
    told.append(f"{title}: the nearest neighbour is of the same class for {share:.0%}")
axes[1].legend(loc="center", fontsize=8)
plots.show(fig, f"Twenty points of two classes on a circle after training. {'; '.join(told)}.")

# %% [markdown]
# ## Exercise 3: InfoNCE (`info-nce`)
#
# 20 minutes, ★★, 7 points
#
# One negative teaches little. In a batch of $N$ pairs every query has one right key and $N - 1$ wrong ones for free,
# the *in-batch negatives*. InfoNCE is the cross-entropy of finding the right one:
#
# $$L = -\frac{1}{N} \sum_{i=1}^{N} \log \frac{\exp(s_{ii}/\tau)}{\sum_{j=1}^{M} \exp(s_{ij}/\tau)}$$
#
# $s_{ij}$ is the *cosine* of query $i$ and key $j$. There may be more keys than queries: `keys` is $(M, C)$ with $M
# \geq N$, the first $N$ rows belong to the queries in their order, and the rest are negatives for all. Each query
# chooses among the keys, and that is all: no second direction.
#
# By hand: two queries (1, 0) and (0, 1), keys the same, $\tau = 1$: each has similarities 1 and 0, the loss is $\log(1
# + e^{-1}) = 0.3133$.
#
# <details><summary>Hint 1</summary>The right class of row i is i: <code>torch.arange(N)</code>.</details>
# <details><summary>Hint 2</summary><code>F.cross_entropy(scores, right)</code> takes the softmax itself.</details>

# %% exercise="info-nce"
def info_nce(queries: torch.Tensor, keys: torch.Tensor, temperature: float = 0.05) -> torch.Tensor:
    """Return the mean loss of finding key i with query i: queries (N, C), keys (M, C), M >= N; a scalar."""
    ### BEGIN SOLUTION
    scores = cosine_similarities(queries, keys) / temperature  # (N, M)
    return F.cross_entropy(scores, torch.arange(len(queries), device=scores.device))
    ### END SOLUTION

# %% check="info-nce" points=7
# The check of `info-nce`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("info-nce", points=7)
def score(check):
    import torch

    no_norm = "the vectors were not brought to length 1"
    times = "similarities are divided by the temperature, not multiplied by it"
    no_tau = "the temperature is missing"
    summed = "the mean over the queries is asked, not the sum"
    other_way = "softmax over the queries: each query chooses among the keys"
    both = "both directions were averaged: only the queries choose here"
    left_out = "the positive is missing in the denominator"
    off = "the labels are off by one: query i belongs to key i"
    ignored = "keys beyond the first N are negatives, too: they were left out"
    eye = torch.eye(2)
    check(info_nce, eye, eye, 1.0).equals(0.3132617, rtol=1e-4, about="two orthogonal pairs", near={
        summed: 0.6265234, left_out: -1.0, off: 1.3132617,
    })
    q, k = torch.tensor([[1.0, 2.0], [0.5, -1.0]]), torch.tensor([[2.0, 1.0], [1.0, 0.0], [-1.0, 3.0]])
    check(info_nce, q, k, 0.5).equals(0.612733, rtol=1e-4, near={
        no_norm: 1.220365, times: 0.9271773, no_tau: 0.7952838, summed: 1.225466,
        ignored: 0.3720542, off: 2.402682, left_out: -0.2421077,
        both: 0.4052891, other_way: 0.438524,
    })
    cut = "the gradient is cut: a scalar tensor is asked, no detach, no item"
    check(info_nce, eye, torch.eye(2, requires_grad=True), 1.0).holds(
        lambda v: v.requires_grad, "autograd finds its way back to the keys", about="a loss to train with",
        edge=True, near={cut: lambda v: v is not None},
    )  # fmt: skip
    ### BEGIN HIDDEN TESTS
    import numpy as np
    import torch.nn.functional as F

    check.hidden()

    def made(norm=True, tau=lambda s, t: s / t, scored=lambda s, n: F.cross_entropy(s, torch.arange(n)), only=False):
        def loss(q, k, temperature=0.05):
            k = k[: len(q)] if only else k
            a, b = (F.normalize(q, dim=-1), F.normalize(k, dim=-1)) if norm else (q, k)
            return scored(tau(a @ b.T, temperature), len(q))

        return loss

    def without_positive(s, n):
        at = torch.arange(n)
        hidden = s.clone()
        hidden[at, at] = -torch.inf
        return (hidden.logsumexp(-1) - s[at, at]).mean()

    check.mistakes({
        no_norm: made(norm=False), times: made(tau=lambda s, t: s * t), no_tau: made(tau=lambda s, t: s),
        "neither normalised nor divided by the temperature": made(norm=False, tau=lambda s, t: s),
        summed: made(scored=lambda s, n: F.cross_entropy(s, torch.arange(n), reduction="sum")),
        other_way: made(only=True, scored=lambda s, n: F.cross_entropy(s.T, torch.arange(n))),
        both: made(only=True, scored=lambda s, n: (
            F.cross_entropy(s, torch.arange(n)) + F.cross_entropy(s.T, torch.arange(n))) / 2),
        left_out: made(scored=without_positive), ignored: made(only=True),
        off: made(scored=lambda s, n: F.cross_entropy(s, (torch.arange(n) + 1) % s.shape[1])),
        "the labels are off by one: query i belongs to key i, and the last one not to the first": made(
            scored=lambda s, n: F.cross_entropy(s, (torch.arange(n) + 1) % n)),
        "all queries were given the first key": made(
            scored=lambda s, n: F.cross_entropy(s, torch.zeros(n, dtype=torch.long))),
        "softmax was taken twice: F.cross_entropy takes it itself": made(
            scored=lambda s, n: F.cross_entropy(s.softmax(-1), torch.arange(n))),
        "the minus in front of the logarithm is missing": made(
            scored=lambda s, n: -F.cross_entropy(s, torch.arange(n))),
        "this is the loss of the last query alone": made(
            scored=lambda s, n: F.cross_entropy(s[n - 1 : n], torch.tensor([n - 1]))),
        "one loss for each query came: their mean is asked": made(
            scored=lambda s, n: F.cross_entropy(s, torch.arange(n), reduction="none")),
        "divided by the number of keys: the mean is over the queries": made(
            scored=lambda s, n: F.cross_entropy(s, torch.arange(n), reduction="sum") / s.shape[1]),
        "the temperature was ignored": lambda q, k, temperature=0.05: made()(q, k),
        "only the queries were brought to length 1": lambda q, k, temperature=0.05: made(norm=False)(
            F.normalize(q, dim=-1), k, temperature),
        "only the keys were brought to length 1": lambda q, k, temperature=0.05: made(norm=False)(
            q, F.normalize(k, dim=-1), temperature),
        "the last N keys were taken for the right ones: they are the first N": made(
            scored=lambda s, n: F.cross_entropy(s, torch.arange(n) + s.shape[1] - n)),
        "squared distances stand where cosines are asked": made(tau=lambda s, t: (2 * s - 2) / t),
        "the columns were brought to length 1: a vector is a row": lambda q, k, temperature=0.05: made(norm=False)(
            F.normalize(q, dim=0), F.normalize(k, dim=0), temperature),
    })  # fmt: skip

    def oracle(q, k, t):
        q, k = (np.asarray(v, dtype=np.float64) for v in (q, k))
        s = np.array([[x @ y / np.linalg.norm(x) / np.linalg.norm(y) for y in k] for x in q]) / t
        return float(np.mean([np.logaddexp.reduce(row) - row[i] for i, row in enumerate(s)]))

    for n, m, c, t in [(3, 3, 5, 0.1), (4, 7, 3, 0.5), (6, 6, 4, 2.0), (2, 9, 6, 0.05)]:
        q, k = (torch.from_numpy(check.rng.normal(size=(rows, c)) * 2).float() for rows in (n, m))
        about = "with extra keys" if m > n else "fresh pairs"
        check(info_nce, q, k, t).equals(oracle(q, k, t), about=about, rtol=1e-4, atol=1e-6)
    q = torch.from_numpy(check.rng.normal(size=(3, 4))).float()
    check(info_nce, q, -q, 0.001).equals(
        oracle(q, -q, 0.001), about="a low temperature", edge=True, rtol=1e-3,
        near={"overflow: exp of hundreds is infinite": float("inf"),
              "overflow: exp of hundreds is infinite, and one infinity by another NaN": float("nan")},
    )  # fmt: skip
    check(info_nce, q[:1], q[:1], 0.1).equals(0.0, about="one pair alone", edge=True, atol=1e-6)
    check(info_nce, q, (q + 1).requires_grad_(), 0.5).holds(
        lambda v: v.requires_grad, "autograd finds its way back to the keys", about="a loss to train with",
        edge=True, near={cut: lambda v: v is not None},
    )  # fmt: skip
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## SimCLR: pairs without anybody's help
#
# For images there is a cheap source of pairs: change one image twice, so that it stays what it is. SimCLR (Chen et al.
# 2020) takes such views as positives and all other images of the batch as negatives. No label is used.
#
# ## Exercise 4: a shifted image (`shift`)
#
# 12 minutes, ★★, 4 points
#
# The first augmentation moves each image. `shift(images, down, right)` gets images $(B, H, W)$ and whole numbers `down`
# and `right`, each $(B,)$: image $b$ moves `down[b]` rows down and `right[b]` columns to the right; below 0 it moves up
# and to the left. What leaves the frame is lost, and what comes in is 0 (black): nothing comes back on the other side.
# A shift as large as the image leaves only zeros. Return new images of the same shape and dtype.
#
# By hand: the row (1, 2, 3) moved right by 1 is (0, 1, 2), moved left by 2 is (3, 0, 0).
#
# <details><summary>Hint 1</summary>A loop over the images is fine. Pad an image with zeros on all sides, then cut out
# the right window.</details>
# <details><summary>Hint 2</summary>Without a loop: the pixel at row r comes from row r - down[b], if there is
# one.</details>

# %% exercise="shift"
def shift(images: torch.Tensor, down: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return images (B, H, W), each moved by down (B,) rows and right (B,) columns, zeros where nothing came."""
    ### BEGIN SOLUTION
    B, H, W = images.shape
    rows = torch.arange(H)[None] - down[:, None]  # (B, H): where each row comes from
    columns = torch.arange(W)[None] - right[:, None]  # (B, W)
    inside = ((rows >= 0) & (rows < H))[:, :, None] & ((columns >= 0) & (columns < W))[:, None, :]
    rows, columns = rows.clamp(0, H - 1), columns.clamp(0, W - 1)
    moved = images[torch.arange(B)[:, None, None], rows[:, :, None], columns[:, None, :]]
    return torch.where(inside, moved, torch.zeros_like(moved))
    ### END SOLUTION

# %% check="shift" points=4
# The check of `shift`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("shift", points=4)
def score(check):
    import torch

    around = "what leaves on one side came back on the other: it is lost, and zeros come in"
    opposite = "moved the other way: down and right are above 0"
    exchanged = "down and right are exchanged: down moves rows"
    first = "all images were moved by the first one's numbers"
    edge_kept = "the border was repeated: zeros come in"
    only_right = "rows did not move: down is missing"
    only_down = "columns did not move: right is missing"
    images = torch.tensor([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [1.0, 2.0, 3.0]]])
    check(shift, images, torch.tensor([0, 1]), torch.tensor([1, -2])).equals(
        [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0]]], near={
            around: [[[3.0, 1.0, 2.0], [6.0, 4.0, 5.0]], [[3.0, 1.0, 2.0], [9.0, 7.0, 8.0]]],
            opposite: [[[2.0, 3.0, 0.0], [5.0, 6.0, 0.0]], [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]],
            exchanged: [[[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]],
            first: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 7.0, 8.0], [0.0, 1.0, 2.0]]],
            edge_kept: [[[1.0, 1.0, 2.0], [4.0, 4.0, 5.0]], [[9.0, 9.0, 9.0], [9.0, 9.0, 9.0]]],
            only_right: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[9.0, 0.0, 0.0], [3.0, 0.0, 0.0]]],
            only_down: [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0.0, 0.0, 0.0], [7.0, 8.0, 9.0]]],
        }
    )
    ### BEGIN HIDDEN TESTS
    import numpy as np
    from scipy.ndimage import shift as moved

    check.hidden()

    def each(how):
        return lambda images, down, right: torch.stack([
            torch.from_numpy(how(i.numpy(), int(d), int(r))) for i, d, r in zip(images, down, right, strict=True)
        ])

    def right_way(image, d, r):
        return moved(image, (d, r), order=0, prefilter=False)

    def wrapped(image, d, r):
        back = np.roll(image, (d, r), (0, 1))
        back[image.shape[0] + min(d, 0) :] = 0
        back[:, image.shape[1] + min(r, 0) :] = 0
        return back

    check.mistakes({
        around: each(lambda i, d, r: np.roll(i, (d, r), (0, 1))),
        opposite: each(lambda i, d, r: right_way(i, -d, -r)),
        "rows moved up where they should move down": each(lambda i, d, r: right_way(i, -d, r)),
        "columns moved left where they should move right": each(lambda i, d, r: right_way(i, d, -r)),
        exchanged: each(lambda i, d, r: right_way(i, r, d)),
        first: lambda images, down, right: each(right_way)(
            images, down[:1].expand(len(images)), right[:1].expand(len(images))),
        edge_kept: each(lambda i, d, r: moved(i, (d, r), order=0, prefilter=False, mode="nearest")),
        only_right: each(lambda i, d, r: right_way(i, 0, r)), only_down: each(lambda i, d, r: right_way(i, d, 0)),
        "the sign was dropped: below 0 it moves up and to the left": each(lambda i, d, r: right_way(i, abs(d), abs(r))),
        "images that move up or to the left stayed where they were": each(
            lambda i, d, r: right_way(i, d, r) if min(d, r) >= 0 else i),
        "an index below 0 counts from the end: what left on one side came back on the other": each(wrapped),
        "nothing moved": lambda images, down, right: images,
    })  # fmt: skip
    for B, H, W in [(3, 4, 6), (5, 8, 8), (2, 5, 3)]:
        images = torch.from_numpy(check.rng.uniform(1, 9, size=(B, H, W))).float()
        down, right = (torch.from_numpy(check.rng.integers(-n + 1, n, size=B)) for n in (H, W))
        down[0], right[1] = 1, -1
        check(shift, images, down, right).equals(each(right_way)(images, down, right), about="fresh images", rtol=1e-5)
    images = torch.from_numpy(check.rng.uniform(1, 9, size=(2, 3, 4))).float()
    check(shift, images, torch.tensor([3, 0]), torch.tensor([0, -9])).equals(
        torch.zeros(2, 3, 4), about="as far as the image is large", edge=True,
        near={"a shift may be as large as the image, or larger: then only zeros are left": RuntimeError},
    )
    check(shift, images, torch.tensor([0, 0]), torch.tensor([0, 0])).equals(images, about="no shift", edge=True)
    check(shift, images.double(), torch.tensor([1, 0]), torch.tensor([0, 2])).holds(
        lambda v: v.dtype == torch.float64, "images of float64", about="the dtype is kept", edge=True
    )
    ### END HIDDEN TESTS


score

# %% [markdown]
# `augment` shifts by up to one pixel, turns and stretches a little, changes the brightness, adds noise, and blackens a
# small patch. What it must *not* do is mirror: a mirrored 2 is no 2. Which changes leave an image what it is, is
# knowledge about the world, and it is the only knowledge that SimCLR is given.

# %% given
digits = data.load("digits")


def to_tensor(images: np.ndarray) -> torch.Tensor:
    """Return uint8 images (n, H, W) as floats from 0 to 1."""
    return torch.from_numpy(images).float() / 255


def augment(images: torch.Tensor) -> torch.Tensor:
    """Return one random view of each image (B, H, W) of floats from 0 to 1."""
    B, H, W = images.shape
    turn, size = (torch.rand(B) - 0.5) * 0.7, 1 + (torch.rand(B) - 0.5) * 0.35
    zero = torch.zeros(B)
    grid = torch.stack([
        torch.stack([turn.cos() * size, -turn.sin() * size, zero], -1),
        torch.stack([turn.sin() * size, turn.cos() * size, zero], -1),
    ], 1)  # fmt: skip
    places = F.affine_grid(grid, (B, 1, H, W), align_corners=False)
    images = F.grid_sample(images[:, None], places, align_corners=False)[:, 0]
    reach = max(H // 8, 1)
    images = shift(images, torch.randint(-reach, reach + 1, (B,)), torch.randint(-reach, reach + 1, (B,)))
    patch = torch.ones(B, H, W)
    side = H // 4
    rows, columns = torch.randint(H - side, (B,)), torch.randint(W - side, (B,))
    for b in range(B):
        patch[b, rows[b] : rows[b] + side, columns[b] : columns[b] + side] = 0
    bright = 0.7 + 0.6 * torch.rand(B, 1, 1)
    return (images * patch * bright + 0.08 * torch.randn(B, H, W)).clamp(0, 1)

# %% show
seed_everything(SEED)
some = to_tensor(digits.train[:6])
views = torch.stack([some, *(augment(some) for _ in range(3))])  # (4, 6, 8, 8)
fig, axes = plots.figure(columns=6, width=8, height=5.4, ratios=(1, 1, 1, 1))
for row, images in zip(axes, views, strict=True):
    for ax, image in zip(row, images, strict=True):
        ax.imshow(image, cmap="gray", vmin=0, vmax=1)
        ax.axis("off")
names = ", ".join(digits.classes[label] for label in digits.train_labels[:6])
plots.show(fig, f"Six digits ({names}), each above three random views of it: moved, turned, brighter, with a hole.")

# %% [markdown]
# ## Exercise 5: NT-Xent (`nt-xent`)
#
# 25 minutes, ★★★, 8 points
#
# $N$ images give $2N$ views: `first` $(N, C)$ and `second` $(N, C)$, where row $i$ of both shows image $i$. Each of the
# $2N$ views must find its partner among the $2N - 1$ *others*. With $z$ the $2N$ rows, `first` above `second`, all
# brought to length 1, $p(i)$ the partner of $i$, and $s$ their cosines:
#
# $$L = \frac{1}{2N} \sum_{i=1}^{2N} -\log \frac{\exp(s_{i\,p(i)}/\tau)}{\sum_{k \neq i} \exp(s_{ik}/\tau)}$$
#
# The sum below leaves out the view itself ($k \neq i$), and nothing else: the partner is in it *once*. NT-Xent is a
# "normalised, temperature-scaled cross-entropy".
#
# By hand: four images whose views agree perfectly and are orthogonal to those of all others ($N = 4$): in the
# denominator stand one $e^{1/\tau}$ and $2N - 2 = 6$ ones, so $L = \log(1 + 6\,e^{-1/\tau})$: 1.165422 for $\tau = 1$,
# 0.594438 for 0.5, 0.000272 for 0.1.
#
# <details><summary>Hint 1</summary>The partner of row i is row i + N for the first half and i - N for the
# second.</details>
# <details><summary>Hint 2</summary>Put minus infinity on the diagonal before the softmax:
# <code>scores.fill_diagonal_(-torch.inf)</code> (on a table that you made yourself).</details>

# %% exercise="nt-xent"
def nt_xent(first: torch.Tensor, second: torch.Tensor, temperature: float = 0.5) -> torch.Tensor:
    """Return SimCLR's loss of two views (N, C) and (N, C) of N images, the mean over all 2N views; a scalar."""
    ### BEGIN SOLUTION
    n = len(first)
    z = torch.cat([first, second])  # (2N, C)
    scores = cosine_similarities(z, z) / temperature  # (2N, 2N)
    scores = scores.masked_fill(torch.eye(2 * n, dtype=torch.bool, device=z.device), -torch.inf)
    partner = torch.arange(2 * n, device=z.device).roll(n)
    return F.cross_entropy(scores, partner)
    ### END SOLUTION

# %% check="nt-xent" points=8
# The check of `nt-xent`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("nt-xent", points=8)
def score(check):
    import torch

    twice = "the positive is in the denominator twice: the sum over k runs over it once"
    diagonal = "the diagonal was kept: a view is no candidate for itself"
    times = "similarities are divided by the temperature, not multiplied by it"
    no_tau = "the temperature is missing"
    no_norm = "the vectors were not brought to length 1"
    off = "the labels are off: the partner of view i stands N rows further, not beside it"
    itself = "the labels are off by N: each view was to find itself"
    summed = "the mean over the 2N views is missing: this is the sum"
    half = "divided by N: there are 2N views"
    one_way = "only the views of `first` ask here: all 2N do"
    across = "a view chooses among all 2N - 1 others, not only among the views of the other side"
    without = "the positive is missing in the denominator"
    eye = torch.eye(4)
    for t, want in [(1.0, 1.165422), (0.5, 0.594438)]:
        check(nt_xent, eye, eye, t).equals(want, rtol=1e-4, about="four orthogonal pairs", near={
            twice: {1.0: 1.438277, 0.5: 1.033828}[t], diagonal: {1.0: 1.436816, 0.5: 1.0339}[t],
            summed: 8 * want, half: 2 * want, across: {1.0: 0.743668, 0.5: 0.340755}[t],
            times: {1.0: -1.0, 0.5: 1.534538}[t],
        })
    check(nt_xent, torch.eye(8), torch.eye(8), 0.5).equals(1.062879, rtol=1e-4, about="eight orthogonal pairs", near={
        twice: 1.362166, diagonal: 1.359615, summed: 17.006064, half: 2.125758, times: 2.250389,
    })
    a, b = torch.tensor([[1.0, 0.5], [-1.0, 2.0], [0.3, -1.0]]), torch.tensor([[2.0, 0.0], [0.5, 1.0], [1.0, -1.0]])
    check(nt_xent, a, b, 0.5).equals(0.7676868, rtol=1e-4, near={
        twice: 1.158177, diagonal: 1.317761, times: 1.299099, no_tau: 1.064457,
        no_norm: 0.5891183, off: 2.370206, itself: 0.901027,
        summed: 4.606121, half: 1.535374, one_way: 0.5666715, across: 0.4610015,
        without: 0.06541698,
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np
    import torch.nn.functional as F

    check.hidden()

    def table(first, second, norm=True):
        z = torch.cat([first, second])
        z = F.normalize(z, dim=-1) if norm else z
        return z @ z.T, torch.arange(len(z)).roll(len(first)), torch.arange(len(z))

    def made(norm=True, tau=lambda s, t: s / t, diagonal=False, lower=None, end=torch.mean, pick=None):
        def loss(first, second, temperature=0.5):
            s, partner, own = table(first, second, norm)
            s = tau(s, temperature)
            logits = s if diagonal else s.masked_fill(torch.eye(len(s), dtype=torch.bool), -torch.inf)
            partner = pick(partner, own) if pick else partner
            denominator = (lower or (lambda z, s, p, o: z.logsumexp(-1)))(logits, s, partner, own)
            return end(denominator - s[own, partner])

        return loss

    def doubled(logits, s, partner, own):
        return torch.cat([logits, s[own, partner][:, None]], 1).logsumexp(-1)

    def dropped(logits, s, partner, own):
        return logits.masked_fill(F.one_hot(partner, len(s)).bool(), -torch.inf).logsumexp(-1)

    def other_side(logits, s, partner, own):
        n = len(s) // 2
        return torch.cat([logits[:n, n:], logits[n:, :n]]).logsumexp(-1)

    def zeroed(logits, s, partner, own):
        return logits.masked_fill(torch.isinf(logits), 0.0).logsumexp(-1)

    def first_only(logits, s, partner, own):
        return torch.cat([logits[: len(s) // 2], s[len(s) // 2 :]]).logsumexp(-1)

    check.mistakes({
        "the diagonal was put out for the views of `first` only": made(lower=first_only),
        "the diagonal was set to -1, which still counts: set it to minus infinity": made(
            diagonal=True, tau=lambda s, t: s.clone().fill_diagonal_(-1) / t),
        "the logarithm of the mean was taken: the mean of the logarithms is asked": made(
            end=lambda v: -(-v).exp().mean().log()),
        "the columns were brought to length 1: a vector is a row": lambda f, s, t=0.5: made(norm=False)(
            *F.normalize(torch.cat([f, s]), dim=0).chunk(2), t),
        "the temperature divides above only: below, too": lambda f, s, t=0.5: (
            made(tau=lambda s, t: s)(f, s) + F.cosine_similarity(f, s).mean() * (1 - 1 / t)),
        twice: made(lower=doubled), diagonal: made(diagonal=True), times: made(tau=lambda s, t: s * t),
        "the diagonal was kept, and the positive added once more": made(diagonal=True, lower=doubled),
        no_tau: made(tau=lambda s, t: s), no_norm: made(norm=False),
        "neither normalised nor divided by the temperature": made(norm=False, tau=lambda s, t: s),
        off: made(pick=lambda p, o: o.view(-1, 2).flip(1).flatten()),
        "the labels are off: the partner is N rows further, this is the next row": made(pick=lambda p, o: o.roll(-1)),
        itself: made(diagonal=True, pick=lambda p, o: o),
        "the diagonal must not be a candidate, and no label either": lambda f, s, t=0.5: torch.tensor(torch.inf),
        summed: made(end=torch.sum), half: made(end=lambda v: v.mean() * 2),
        "divided by the square of 2N: the mean is over the views": made(end=lambda v: v.mean() / len(v)),
        one_way: made(end=lambda v: v[: len(v) // 2].mean()),
        "only the views of `second` ask here: all 2N do": made(end=lambda v: v[len(v) // 2 :].mean()),
        across: made(lower=other_side), without: made(lower=dropped),
        "the sign is turned round": made(end=lambda v: -v.mean()),
        "the diagonal was set to 0, and exp(0) is 1: set it to minus infinity": made(lower=zeroed),
        "one loss for each view came: their mean is asked": made(end=lambda v: v),
        "the views of one side are negatives, too; here only one direction across is left": (
            lambda f, s, t=0.5: F.cross_entropy(F.normalize(f) @ F.normalize(s).T / t, torch.arange(len(f)))),
        "the temperature was ignored": lambda f, s, t=0.5: made()(f, s),
    })  # fmt: skip

    def oracle(first, second, t):
        z = np.concatenate([first.numpy(), second.numpy()]).astype(np.float64)
        z, n, total = z / np.linalg.norm(z, axis=1, keepdims=True), len(first), 0.0
        for i in range(2 * n):
            others = [np.exp(z[i] @ z[k] / t) for k in range(2 * n) if k != i]
            total -= np.log(np.exp(z[i] @ z[(i + n) % (2 * n)] / t) / sum(others))
        return total / (2 * n)

    for n, c, t in [(3, 5, 0.5), (5, 3, 0.2), (2, 4, 1.5), (6, 6, 0.1)]:
        f, s = (torch.from_numpy(check.rng.normal(size=(n, c)) * scale).float() for scale in (2, 0.7))
        check(nt_xent, f, s, t).equals(oracle(f, s, t), about="fresh views", rtol=1e-4, atol=1e-6)
    for n, t in [(4, 0.1), (5, 0.3), (7, 2.0)]:
        turn = torch.from_numpy(np.linalg.qr(check.rng.normal(size=(n, n)))[0]).float() * 3
        want = float(np.log1p((2 * n - 2) * np.exp(-1 / t)))
        check(nt_xent, turn, turn * 0.5, t).equals(want, about="orthogonal pairs", rtol=1e-3, atol=1e-6)
    f = torch.from_numpy(check.rng.normal(size=(4, 3))).float()
    far = F.cross_entropy(table(f, -f)[0].fill_diagonal_(-torch.inf) / 0.002, torch.arange(8).roll(4))
    check.mistakes({})  # so many of them are infinite here
    check(nt_xent, f, -f, 0.002).equals(far, about="a low temperature", edge=True, rtol=1e-3, near={
        "overflow: exp of hundreds is infinite, or its inverse 0": float("inf"),
        "overflow: exp of hundreds is infinite, and one infinity by another NaN": float("nan"),
    })
    check(nt_xent, f[:1], f[1:2], 0.5).equals(0.0, about="a single image", edge=True, atol=1e-6)
    check(nt_xent, f, (f + 1).requires_grad_(), 0.5).holds(
        lambda v: v.requires_grad, "autograd finds its way back to the second views", about="a loss to train with",
        edge=True, near={"the gradient is cut: a scalar tensor is asked, no detach, no item": lambda v: v is not None},
    )  # fmt: skip
    ### END HIDDEN TESTS


score

# %% [markdown]
# The closed form beside your function. What a perfect encoder pays depends on the temperature and on the size of the
# batch: compare losses only at equal both.

# %% show
# NBVAL_CHECK_OUTPUT
print("pairs  temperature  by your function  closed form")
for n in (4, 8, 64):
    for temperature in (1.0, 0.5, 0.1):
        found = nt_xent(torch.eye(n), torch.eye(n), temperature).item()
        print(f"{n:>5}{temperature:>13}{found:>18.4f}{math.log1p((2 * n - 2) * math.exp(-1 / temperature)):>13.4f}")

# %% [markdown]
# ### Train it, and throw half of it away
#
# The encoder $f$ is a small convolutional network; behind it stands a *projection head* $g$, two layers, and the loss
# sees $g(f(x))$. After the training the head is thrown away. What the encoder has learned is measured by a *linear
# probe*: its weights stay as they are, and a logistic regression on its vectors learns from a few labels. Three rivals,
# with the same labels: the pixels themselves; the same network trained on the labels alone (with the same
# augmentations); and SimCLR's vectors *behind* the head.

# %% given
class ImageEncoder(nn.Module):
    """A small convolutional network from images (B, H, W) to vectors (B, C), and a projection head."""

    def __init__(self, d_model: int = 96, projected: int = 32):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 48, 3, padding=1, stride=2), nn.BatchNorm2d(48), nn.ReLU(),
            nn.Conv2d(48, d_model, 3, padding=1), nn.BatchNorm2d(d_model), nn.ReLU(),
            nn.AdaptiveMaxPool2d(1), nn.Flatten(),
        )  # fmt: skip
        self.head = nn.Sequential(nn.Linear(d_model, d_model), nn.ReLU(), nn.Linear(d_model, projected))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return the vectors (B, C) in front of the head."""
        return self.features(images[:, None])


def simclr_loss(model, images):
    """NT-Xent of two random views of each image."""
    return nt_xent(*model.head(model(torch.cat([augment(images), augment(images)]))).chunk(2))


def image_batches(images: torch.Tensor, size: int, seed: int):
    """Return a function from the step to a random batch."""
    return lambda step: images[
        torch.randint(len(images), (size,), generator=torch.Generator().manual_seed(seed * 100_003 + step))
    ]


def few_labels(labels: np.ndarray, shots: int, seed: int) -> np.ndarray:
    """Return the places of `shots` random examples of each class."""
    draw = np.random.default_rng(seed)
    return np.concatenate([draw.permutation(np.flatnonzero(labels == c))[:shots] for c in np.unique(labels)])


def probe(train_vectors, train_labels, test_vectors, test_labels) -> float:
    """Return the accuracy of a logistic regression on vectors, scaled to mean 0 and variance 1."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    return model.fit(train_vectors, train_labels).score(test_vectors, test_labels)

# %% show
SHOTS = (1, 5, 20, 100)


def simclr(images, seed: int, steps: int, size: int = 128, loss=None) -> ImageEncoder:
    """Return an encoder trained without labels."""
    seed_everything(seed)
    model = ImageEncoder()
    fit(model, image_batches(images, size, seed), loss or simclr_loss, steps=steps, lr=4e-3, progress=False)
    return model


def supervised(images, labels, seed: int, steps: int) -> ImageEncoder:
    """Return the same network trained on labelled images, with the same augmentations."""
    seed_everything(seed)
    model = ImageEncoder(projected=10)

    def batch(step):
        return (rows := torch.randint(len(images), (min(64, 2 * len(images)),))), images[rows], labels[rows]

    def loss(model, batch):
        return F.cross_entropy(model.head(model(augment(batch[1]))), batch[2])

    fit(model, batch, loss, steps=steps, lr=4e-3, progress=False)
    return model


@torch.no_grad()
def vectors_of(model: ImageEncoder, images: torch.Tensor, head: bool = False) -> np.ndarray:
    """Return the vectors of images in front of the head, or behind it."""
    found = [model.head(model(part)) if head else model(part) for part in images.split(500)]
    return torch.cat(found).numpy()


def label_curve(images: data.Images, seed: int, steps: int, shots=SHOTS) -> tuple[dict, ImageEncoder]:
    """Return ({method: accuracy for each number of labels}, the encoder trained without labels)."""
    train, test = to_tensor(images.train), to_tensor(images.test)
    model = simclr(train, seed, steps)
    sides = {
        "raw pixels": (train.flatten(1).numpy(), test.flatten(1).numpy()),
        "SimCLR": (vectors_of(model, train), vectors_of(model, test)),
        "SimCLR, behind the head": (vectors_of(model, train, True), vectors_of(model, test, True)),
    }
    curve = {name: [] for name in (*sides, "supervised")}
    for n in shots:
        rows = few_labels(images.train_labels, n, seed)
        for name, (a, b) in sides.items():
            curve[name].append(probe(a[rows], images.train_labels[rows], b, images.test_labels))
        rival = supervised(train[rows], torch.from_numpy(images.train_labels[rows]), seed, steps)
        with torch.no_grad():
            guesses = rival.head(rival(test)).argmax(1).numpy()
        curve["supervised"].append(float((guesses == images.test_labels).mean()))
    return curve, model


SEEDS = range(budget(grade=1, cpu=5))
curves, image_encoders = [], []
for seed in SEEDS:
    curve, image_encoder = label_curve(digits, seed, budget(grade=6, cpu=150))
    curves.append(curve)
    image_encoders.append(image_encoder)
    for name in ("raw pixels", "SimCLR"):
        for i in (0, 1):
            with leaderboard.measured("07", f"{name}, {SHOTS[i]} a class, seed {seed}", "digits") as row:
                row.f1 = curve[name][i]
means = {name: np.mean([c[name] for c in curves], axis=0) for name in curves[0]}
print(f"accuracy on {len(digits.test)} test digits, mean of {len(curves)} seeds, by labels for each class")
print(f"{'':<26}" + "".join(f"{n:>8}" for n in SHOTS))
for name, values in means.items():
    print(f"{name:<26}" + "".join(f"{v:>8.3f}" for v in values))
for i in (0, 1):
    runs = {name: [c[name][i] for c in curves] for name in curves[0]}
    what = f"Accuracy on the digits, labels for each class {SHOTS[i]}"
    claim(f"{what}: SimCLR above raw pixels", runs["SimCLR"], runs["raw pixels"])
    if SHOTS[i] > 1:
        claim(f"{what}: SimCLR above its vectors behind the head", runs["SimCLR"], runs["SimCLR, behind the head"])
plots.show(*plots.lines(SHOTS, means, "labels for each class", "accuracy on the test digits", log="x"))

# %% [markdown]
# The same on Fashion-MNIST, where it is at hand (one seed, a part of its images; on a GPU more).

# %% show
if budget(grade=False, cpu=True):
    try:
        fashion = data.load("fashion_mnist", edition="real")
        size = budget(grade=0, cpu=4000, gpu=60000)
        part = data.Images(
            fashion.train[:size, ::2, ::2], fashion.train_labels[:size],
            fashion.test[:1000, ::2, ::2], fashion.test_labels[:1000], fashion.classes, fashion.phrases, fashion.card,
        )  # fmt: skip
        curve, _ = label_curve(part, SEED, budget(grade=0, cpu=60, gpu=1500))
        print(f"Fashion-MNIST, every second pixel, {len(part.train):,} images: accuracy by labels for each class")
        for name, values in curve.items():
            print(f"{name:<26}" + "".join(f"{v:>8.3f}" for v in values))
    except data.DataError as error:
        print(f"Left out: {error.problem}")

# %% [markdown]
# ## Exercise 6: alignment and uniformity (`alignment`)
#
# 15 minutes, ★★, 6 points
#
# What does a contrastive loss want? Two things, in tension (Wang and Isola 2020): that pairs lie together, and that
# everything spreads over the whole sphere. Both can be measured; in both, smaller is better. All vectors are brought to
# length 1 first.
#
# $$\ell_{\mathrm{align}} = \frac{1}{N}\sum_i \lVert x_i - x_i^+ \rVert^2, \qquad
# \ell_{\mathrm{uniform}} = \log \frac{2}{N(N-1)} \sum_{i < j} \exp\!\big({-2}\, \lVert x_i - x_j \rVert^2\big)$$
#
# `alignment(first, second)` gets pairs $(N, C)$, `uniformity(vectors)` gets $(N, C)$ with $N \geq 2$; both return a
# scalar tensor. A vector's distance to itself is not counted.
#
# By hand: (1, 0) and (0, 1) are $\sqrt 2$ apart, so with these two the alignment of the pair is 2, and the uniformity
# of the set $\log e^{-4} = -4$. If all vectors are the same, the uniformity is 0: that is called **collapse**.
#
# <details><summary>Hint 1</summary>For vectors of length 1, ‖x - y‖² = 2 - 2 x·y.</details>
# <details><summary>Hint 2</summary><code>torch.pdist(z)</code> gives the distances of all pairs i &lt; j, each
# once.</details>

# %% exercise="alignment"
def alignment(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Return the mean squared distance of pairs (N, C) and (N, C) on the sphere; a scalar."""
    ### BEGIN SOLUTION
    apart = F.normalize(first, dim=-1) - F.normalize(second, dim=-1)
    return (apart**2).sum(-1).mean()
    ### END SOLUTION


def uniformity(vectors: torch.Tensor) -> torch.Tensor:
    """Return the log of the mean of exp(-2 * squared distance) over all pairs of rows of (N, C); a scalar."""
    ### BEGIN SOLUTION
    squared = torch.pdist(F.normalize(vectors, dim=-1)) ** 2
    return squared.mul(-2).exp().mean().log()
    ### END SOLUTION

# %% check="alignment" points=6
# The check of `alignment`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("alignment", points=6)
def score(check):
    import torch

    no_norm = "the vectors were not brought to length 1"
    one_side = "only the first argument was brought to length 1"
    columns = "the columns were brought to length 1: a vector is a row"
    no_square = "the distances are to be squared"
    over_all = "the mean is over the pairs, not over all numbers: sum the squares of a pair first"
    summed = "the mean over the pairs is missing"
    cosine = "this is a similarity: the squared distance is asked"
    a, b = torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[0.0, 3.0], [4.0, 3.0]])
    check(alignment, a, b).equals(1.4, rtol=1e-4, near={
        no_norm: 13.5, no_square: 1.154321, over_all: 0.7, summed: 2.8, cosine: 0.3, columns: 1.292893,
        one_side: 15.0, "only the second argument was brought to length 1": 2.3,
    })
    with_self = "the distance of a vector to itself was counted"
    each_twice = "each pair was counted twice: i < j counts it once"
    no_log = "the logarithm is missing"
    inside = "the logarithm comes after the mean"
    no_two = "the factor 2 in the exponent is missing"
    v = torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]])
    check(uniformity, v).equals(-1.499775, rtol=1e-4, near={
        no_norm: -11.09861, no_square: -1.77486, with_self: -0.7295617, no_log: 0.2231804,
        inside: -2.133333, no_two: -0.8714892, each_twice: -0.8066278,
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np
    import torch.nn.functional as F

    check.hidden()

    def aligned(norm=True, end=lambda d: (d**2).sum(-1).mean()):
        z = (lambda x: F.normalize(x, dim=-1)) if norm else (lambda x: x)
        return lambda a, b: end(z(a) - z(b))

    check.mistakes({
        no_norm: aligned(False), no_square: aligned(end=lambda d: d.norm(dim=-1).mean()),
        over_all: aligned(end=lambda d: (d**2).mean()), summed: aligned(end=lambda d: (d**2).sum()),
        cosine: lambda a, b: F.cosine_similarity(a, b).mean(),
        "this is 1 minus the cosine: the squared distance is twice that": lambda a, b: (
            1 - F.cosine_similarity(a, b)).mean(),
        one_side: lambda a, b: aligned(False)(F.normalize(a, dim=-1), b),
        "only the second argument was brought to length 1": lambda a, b: aligned(False)(a, F.normalize(b, dim=-1)),
        columns: lambda a, b: aligned(False)(F.normalize(a, dim=0), F.normalize(b, dim=0)),
        "the differences were summed, then squared: square each, then sum": aligned(
            end=lambda d: d.sum(-1).square().mean()),
        "the mean was taken before the square": aligned(end=lambda d: d.norm(dim=-1).mean() ** 2),
        "all rows were compared with all: only the pairs count": lambda a, b: (
            torch.cdist(F.normalize(a), F.normalize(b)) ** 2).mean(),
        "one distance for each pair came: their mean is asked": aligned(end=lambda d: (d**2).sum(-1)),
        "the sum of the absolute differences was taken": aligned(end=lambda d: d.abs().sum(-1).mean()),
        "a minus stands in front: smaller is better": aligned(end=lambda d: -(d**2).sum(-1).mean()),
    })  # fmt: skip
    for n, c in [(4, 3), (7, 5), (2, 6)]:
        a, b = (torch.from_numpy(check.rng.normal(size=(n, c)) * s).float() for s in (2, 0.3))
        x, y = (v.double().numpy() / np.linalg.norm(v.double().numpy(), axis=1, keepdims=True) for v in (a, b))
        check(alignment, a, b).equals(np.mean([(p - q) @ (p - q) for p, q in zip(x, y, strict=True)]), rtol=1e-4,
                                      about="fresh pairs")  # fmt: skip

    def spread(norm=True, square=True, own=False, two=2.0, end=lambda e: e.exp().mean().log()):
        def value(v):
            z = F.normalize(v, dim=-1) if norm else v
            d = torch.cdist(z, z)
            d = d.flatten() if own else d[tuple(torch.triu_indices(len(z), len(z), 1))]
            return end(-two * (d**2 if square else d))

        return value

    check.mistakes({
        no_norm: spread(norm=False), no_square: spread(square=False), with_self: spread(own=True),
        no_log: spread(end=lambda e: e.exp().mean()), inside: spread(end=lambda e: e.mean()), no_two: spread(two=1.0),
        "a minus is missing in the exponent": spread(two=-2.0), columns: lambda v: spread(norm=False)(
            F.normalize(v, dim=0)), each_twice: spread(end=lambda e: (2 * e.exp().mean()).log()),
        "the 2 was squared, too: it stands in front of the square": spread(two=4.0),
        "only neighbouring rows were compared: all pairs are asked": lambda v: (
            (-2 * F.normalize(v, dim=-1).diff(dim=0).square().sum(-1)).exp().mean().log()),
        "the mean is missing: this is the logarithm of the sum": spread(end=lambda e: e.exp().sum().log()),
        "divided by N(N - 1): with i < j there are half as many pairs": spread(
            end=lambda e: (e.exp().mean() / 2).log()),
        "a minus stands in front: smaller is better": spread(end=lambda e: -e.exp().mean().log()),
        "the logarithm has another base: the natural one is asked": spread(end=lambda e: e.exp().mean().log2()),
        "divided by N squared: the pairs are N(N - 1) / 2": lambda v: (
            spread(end=lambda e: (2 * e.exp().sum() / len(v) ** 2).log())(v)),
    })  # fmt: skip
    for n, c in [(4, 3), (9, 2), (6, 5)]:
        v = torch.from_numpy(check.rng.normal(size=(n, c)) * 2 + 0.5).float()
        x = v.double().numpy() / np.linalg.norm(v.double().numpy(), axis=1, keepdims=True)
        each = [np.exp(-2 * (x[i] - x[j]) @ (x[i] - x[j])) for i in range(n) for j in range(i)]
        check(uniformity, v).equals(float(np.log(np.mean(each))), about="fresh vectors", rtol=1e-3, atol=1e-5)
    check(uniformity, torch.ones(4, 3)).equals(0.0, about="all the same: collapse", edge=True, atol=1e-5)
    check(uniformity, torch.tensor([[2.0, 0.0], [-1.0, 0.0]])).equals(-8.0, about="two vectors", edge=True, rtol=1e-4)
    ### END HIDDEN TESTS


score

# %% [markdown]
# ### Collapse, provoked
#
# Leave out the negatives and ask only that the two views of an image agree. The loss becomes perfect, the encoder
# worthless: it answers the same for every image. (A network that was never trained begins near that state: its random
# layers map all images into a narrow cone. The negatives drive them apart.)

# %% show
def only_align(model, images):
    """The loss without negatives: the two views of an image should agree, and that is all."""
    return alignment(*model.head(model(torch.cat([augment(images), augment(images)]))).chunk(2))


def judged(model) -> tuple[float, float, float]:
    """Return alignment and uniformity of the projected test images, and the accuracy of a probe with 5 labels."""
    seed_everything(SEED)
    train, test = to_tensor(digits.train), to_tensor(digits.test)
    with torch.no_grad():
        first, second = (model.head(model(augment(test))) for _ in range(2))
    rows = few_labels(digits.train_labels, 5, SEED)
    sides = (vectors_of(model, images, True) for images in (train[rows], test))
    accuracy = probe(next(sides), digits.train_labels[rows], next(sides), digits.test_labels)
    return alignment(first, second).item(), uniformity(first).item(), accuracy


seed_everything(SEED)
stages = {
    "not trained": ImageEncoder().eval(),
    "SimCLR": image_encoders[0],
    "without negatives": simclr(to_tensor(digits.train), SEED, budget(grade=6, cpu=80), loss=only_align),
}
print(f"{'':<20}{'alignment':>11}{'uniformity':>12}{'probe behind the head, 5 labels':>34}")
fig, axes = plots.figure(columns=3, width=10, height=3.5)
told = []
for ax, (name, model) in zip(axes, stages.items(), strict=True):
    together, apart, accuracy = judged(model)
    print(f"{name:<20}{together:>11.3f}{apart:>12.3f}{accuracy:>34.3f}")
    z = F.normalize(torch.from_numpy(vectors_of(model, to_tensor(digits.test), True)), dim=-1)
    plane = z @ torch.linalg.svd(torch.from_numpy(vectors_of(image_encoders[0], to_tensor(digits.test), True)))[2][:2].T
    for c in range(10):
        rows = digits.test_labels == c
        ax.plot(*plane[rows].T, "o^sDvPX*od"[c], color=plots.COLORS[c % 7], markersize=3, alpha=0.6)
    ax.set(title=f"{name}\nuniformity {apart:.2f}", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
    told.append(f"{name}: alignment {together:.2f}, uniformity {apart:.2f}")
plots.show(fig, f"Projected test digits on the sphere, seen in one plane, a marker for each digit. {'; '.join(told)}.")

# %% [markdown]
# ## A search engine that understands
#
# BM25 finds words. Who asks the docs to "spread values evenly" may miss `numpy.linspace`, which says "evenly
# spaced numbers". A *bi-encoder* turns the query and each passage into vectors, each by itself, so the passages'
# vectors can be made once and kept. Pairs come from the docs: the first sentence of a docstring belongs to the rest of
# it, as a title belongs to its passage in E5's training data (Wang et al. 2022).
#
# ## Exercise 7: from token vectors to one vector (`pooling`)
#
# 12 minutes, ★, 6 points
#
# An encoder gives a vector for each token, $(B, T, C)$; a text needs one. `pool(hidden, mask, how)` returns $(B, C)$.
# `mask` $(B, T)$ is True at tokens and False at padding; padding may stand anywhere except at the first place, and must
# not have any influence. `how` is one of:
#
# - `"cls"`: the vector of the first token, which is [CLS];
# - `"mean"`: the mean of the vectors of the tokens;
# - `"max"`: of each of the $C$ numbers the largest among the tokens (which may be below 0).
#
# <details><summary>Hint 1</summary>For the mean, multiply by the mask, sum over the tokens, and divide by the number of
# tokens of each text.</details>
# <details><summary>Hint 2</summary>For the maximum, put minus infinity where the mask is False:
# <code>hidden.masked_fill(~mask[..., None], -torch.inf)</code>.</details>

# %% exercise="pooling"
def pool(hidden: torch.Tensor, mask: torch.Tensor, how: str) -> torch.Tensor:
    """Return one vector (B, C) for each text from hidden (B, T, C) and mask (B, T), True at tokens."""
    ### BEGIN SOLUTION
    if how == "cls":
        return hidden[:, 0]
    if how == "max":
        return hidden.masked_fill(~mask[..., None], -torch.inf).amax(dim=1)
    weights = mask[..., None].to(hidden.dtype)  # (B, T, 1)
    return (hidden * weights).sum(dim=1) / weights.sum(dim=1)
    ### END SOLUTION

# %% check="pooling" points=6
# The check of `pooling`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("pooling", points=6)
def score(check):
    import torch

    last = "this is the last token: [CLS] is the first"
    padded = "padding was counted in the mean"
    by_length = "the sum is right, but divide by the number of tokens, not by the length with padding"
    wide = "this is the mean over the numbers of each token: average over the tokens"
    summed = "this is the sum: divide by the number of tokens"
    by_mean = "divide each text by its own number of tokens, not by the mean number in the batch"
    at_end = "padding may stand anywhere, not only at the end"
    no_cls = "[CLS] is a token, too: it was left out of the mean"
    batch = "this went over the texts of the batch: go over the tokens of each"
    unmasked = "padding took part in the maximum"
    zeros = "padding became 0, and 0 won the maximum: use minus infinity"
    lowest = "this is the minimum"
    hidden = torch.tensor([
        [[1.0, -2.0], [8.0, 9.0], [3.0, -4.0], [5.0, 6.0]], [[-1.0, -5.0], [2.0, -7.0], [9.0, 7.0], [-4.0, -3.0]],
    ])  # fmt: skip
    mask = torch.tensor([[True, False, True, False], [True, True, False, True]])
    check(pool, hidden, mask, "cls").equals([[1.0, -2.0], [-1.0, -5.0]], about="[CLS]", near={
        last: [[5.0, 6.0], [-4.0, -3.0]],
    })
    check(pool, hidden, mask, "mean").equals([[2.0, -3.0], [-1.0, -5.0]], about="mean", near={
        padded: [[4.25, 2.25], [1.5, -2.0]], by_length: [[1.0, -1.5], [-0.75, -3.75]],
        summed: [[4.0, -6.0], [-3.0, -15.0]], by_mean: [[1.6, -2.4], [-1.2, -6.0]],
        at_end: [[4.5, 3.5], [3.333333, -1.666667]], no_cls: [[3.0, -4.0], [-1.0, -5.0]],
    })
    check(pool, hidden, mask, "max").equals([[3.0, -2.0], [2.0, -3.0]], about="max", near={
        unmasked: [[8.0, 9.0], [9.0, 7.0]], zeros: [[3.0, 0.0], [2.0, 0.0]], lowest: [[1.0, -4.0], [-4.0, -7.0]],
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def way(cls=None, mean=None, most=None):
        ways = {"cls": cls or (lambda h, m: h[:, 0]),
                "mean": mean or (lambda h, m: (h * m[..., None]).sum(1) / m.sum(1)[:, None]),
                "max": most or (lambda h, m: h.masked_fill(~m[..., None], -torch.inf).amax(1))}  # fmt: skip
        return lambda h, m, how: ways[how](h, m)

    check.mistakes({
        last: way(cls=lambda h, m: h[:, -1]),
        "this is the last token that is no padding: [CLS] is the first": way(
            cls=lambda h, m: h[torch.arange(len(h)), m.long().cumsum(1).argmax(1)]),
        padded: way(mean=lambda h, m: h.mean(1)), by_length: way(mean=lambda h, m: (h * m[..., None]).mean(1)),
        wide: way(cls=lambda h, m: h.mean(-1), mean=lambda h, m: h.mean(-1), most=lambda h, m: h.amax(-1)),
        summed: way(mean=lambda h, m: (h * m[..., None]).sum(1)),
        "padding was summed, too, then divided by the number of tokens": way(
            mean=lambda h, m: h.sum(1) / m.sum(1)[:, None]),
        unmasked: way(most=lambda h, m: h.amax(1)), zeros: way(most=lambda h, m: (h * m[..., None]).amax(1)),
        lowest: way(most=lambda h, m: h.masked_fill(~m[..., None], torch.inf).amin(1)),
        "the largest absolute value was taken: the largest number is asked": way(
            most=lambda h, m: h.abs().masked_fill(~m[..., None], -torch.inf).amax(1)),
        by_mean: way(mean=lambda h, m: (h * m[..., None]).sum(1) / m.sum() * len(m)),
        at_end: way(mean=lambda h, m: torch.stack([x[: int(n)].mean(0) for x, n in zip(h, m.sum(1), strict=True)]),
                    most=lambda h, m: torch.stack([x[: int(n)].amax(0) for x, n in zip(h, m.sum(1), strict=True)])),
        no_cls: way(mean=lambda h, m: (h * m[..., None])[:, 1:].sum(1) / (m.sum(1)[:, None] - 1).clamp(min=1)),
        batch: way(cls=lambda h, m: h[0], mean=lambda h, m: (h * m[..., None]).mean(0),
                   most=lambda h, m: h.masked_fill(~m[..., None], -torch.inf).amax(0)),
        "the mask is True at tokens: here it was read the other way round": lambda h, m, how: way()(h, ~m, how),
        "all texts were divided by the number of tokens of the first": way(
            mean=lambda h, m: (h * m[..., None]).sum(1) / m[0].sum()),
        "divided by the number of all tokens of the batch": way(mean=lambda h, m: (h * m[..., None]).sum(1) / m.sum()),
        "the vector of the longest token was taken whole: each of the C numbers has its own maximum": way(
            most=lambda h, m: h[torch.arange(len(h)), h.sum(-1).masked_fill(~m, -torch.inf).argmax(1)]),
        "the result has one axis too many: (B, C) is asked": lambda h, m, how: way()(h, m, how)[:, None],
        "all ways give the mean: mind `how`": lambda h, m, how: way()(h, m, "mean"),
    })  # fmt: skip
    for B, T, C in [(3, 5, 4), (2, 7, 3), (4, 4, 4)]:
        h = torch.from_numpy(check.rng.normal(size=(B, T, C)) * 3 - 1).float()
        m = torch.from_numpy(check.rng.random((B, T)) < 0.6)
        m[:, 0], m[0, -1], m[1] = True, False, True
        h[~m] += 20
        texts = [(v[k].double().numpy(), v) for v, k in zip(h, m, strict=True)]
        check(pool, h, m, "cls").equals(np.stack([v[0] for v, _ in texts]), about="fresh vectors, cls", rtol=1e-4)
        means = np.stack([v.mean(0) for v, _ in texts])
        check(pool, h, m, "mean").equals(means, about="fresh vectors, mean", rtol=1e-4)
        check(pool, h, m, "max").equals(np.stack([v.max(0) for v, _ in texts]), about="fresh vectors, max", rtol=1e-4)
    low, m = h - 5000, m.clone()
    want = np.stack([v[k].numpy().max(0) for v, k in zip(low, m, strict=True)])
    check(pool, low, m, "max").equals(want, about="numbers far below 0", rtol=1e-4, edge=True, near={
        f"padding became {fill}, and that won the maximum: use minus infinity": (
            np.where(m.all(1)[:, None], want, fill))
        for fill in (-1.0, -10.0, -100.0, -1000.0)
    })
    h = torch.full((2, 1, 3), -2.0)
    for how in ("mean", "max"):
        check(pool, h, torch.ones(2, 1, dtype=torch.bool), how).equals(h[:, 0], about="a single token", edge=True)
    ### END HIDDEN TESTS


score

# %% [markdown]
# Which pooling learns fastest? A transformer layer over the first 40 tokens, trained from nothing with your InfoNCE,
# once with each pooling. Each query must find its passage among a thousand, all of documents not trained on. A few
# seconds of training are far too little for a transformer; the rates are for comparing the poolings.

# %% given
docs, reader = data.load("docs"), shared_reader()
VOCABULARY = reader.tokenizer.get_vocab_size()
CLS, PAD = (reader.tokenizer.token_to_id(token) for token in ("[CLS]", "<|pad|>"))


class DocPair:
    """A training pair as token ids: the summary, and the sentences of the rest of the body."""

    def __init__(self, name: str, body: str):
        self.name, self.summary_text, self.body_text = name, docs[name].summary, body
        self.summary = np.array(reader(self.summary_text), dtype=np.int64)
        self.sentences = [np.array(reader(s), dtype=np.int64) for s in SENTENCE_END.split(body)[:40] if s.strip()]
        self.body = np.concatenate(self.sentences)[:400]


pairs = docs.pairs()
drawn = np.random.default_rng(SEED).permutation(len(pairs["train"]))[: budget(grade=600, cpu=4000, gpu=9000)]
train_pairs = [DocPair(pairs["train"][i].name, pairs["train"][i].body) for i in sorted(drawn)]
task = docs_task("test")  # 500 queries, 6,000 passages: no pair of these is in train_pairs
bm25 = BM25(task.passages).scores(task.queries)  # (500, 6000)
print(f"{len(train_pairs):,} pairs to train on; BM25 on the test: recall@10 {task.measure(bm25)[0]:.3f}")


class SmallTransformer(nn.Module):
    """Token and place vectors, one transformer layer, your pooling."""

    def __init__(self, how: str, d_model: int = 96, length: int = 40):
        super().__init__()
        self.how, self.length = how, length
        self.tokens, self.places = nn.Embedding(VOCABULARY, d_model), nn.Embedding(length, d_model)
        self.layer = nn.TransformerEncoderLayer(d_model, 4, 2 * d_model, 0.0, "gelu", batch_first=True)

    def forward(self, texts: list[np.ndarray]) -> torch.Tensor:
        """Return vectors (B, C) of texts given as token ids; [CLS] is put in front."""
        rows = [torch.tensor([CLS, *ids[: self.length - 1]]) for ids in texts]
        ids = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD)  # (B, T)
        x = self.tokens(ids) + self.places.weight[: ids.shape[1]]
        return pool(self.layer(x, src_key_padding_mask=ids == PAD), ids != PAD, self.how)

# %% show
def found_at_10(scores: torch.Tensor) -> float:
    """Return the share of queries whose own passage, that of the same number, is among the first ten."""
    right = scores.diag()[:, None]
    return ((scores >= right).sum(1) <= 10).float().mean().item()


held_out = [DocPair(p.name, p.body) for p in pairs["valid"][: budget(grade=100, cpu=1000)]]
for how in ("cls", "mean", "max"):
    seed_everything(SEED)
    model = SmallTransformer(how)

    def loss(model, rows):
        chosen = [train_pairs[i] for i in rows.tolist()]
        return info_nce(model([p.summary for p in chosen]), model([p.body for p in chosen]), 0.07)

    draws = [torch.randint(len(train_pairs), (64,)) for _ in range(budget(grade=3, cpu=80))]
    history = fit(model, draws, loss, steps=len(draws), lr=2e-3, progress=False)
    parts = [held_out[i : i + 100] for i in range(0, len(held_out), 100)]
    with torch.no_grad():
        sides = [torch.cat([model([getattr(p, side) for p in part]) for part in parts]) for side in ("summary", "body")]
    found = found_at_10(cosine_similarities(*sides))
    print(f"{how:<5} {found:.3f} found among the first ten of {len(held_out)}; loss {history.losses[0]:.2f} at first, "
          f"{history.losses[-1]:.2f} after {len(history.losses)} steps in {history.seconds:.0f} s")  # fmt: skip

# %% [markdown]
# ## Exercise 8: hard negatives (`hard-negatives`)
#
# 12 minutes, ★★, 5 points
#
# The other passages of a batch are mostly about something else: too easy. *Hard* negatives look right and are not, and
# an old search engine finds them: what BM25 ranks high, apart from the right passage.
#
# `hard_negatives(scores, right, k, skip=0)` gets BM25's scores $(Q, P)$, a NumPy array, and the index of each query's
# right passage `right` $(Q,)$. It returns the indices $(Q, k)$ of the $k$ best *wrong* passages of each query, best
# first; equal scores in the order of their indices. With `skip`, the first `skip` of the *wrong* ones are passed over:
# the very best of them may be right answers that nobody marked. (There are always at least $k$ + `skip` wrong ones.)
#
# By hand: scores (5, 9, 7, 1), right is 1, $k = 2$: (2, 0). With `skip=1`: (0, 3).
#
# <details><summary>Hint 1</summary>Set the right one's score to minus infinity in a copy, then sort.</details>
# <details><summary>Hint 2</summary><code>np.argsort(-scores, axis=1, kind="stable")</code> puts the largest first and
# keeps the order of equals.</details>

# %% exercise="hard-negatives"
def hard_negatives(scores: np.ndarray, right: np.ndarray, k: int, skip: int = 0) -> np.ndarray:
    """Return the indices (Q, k) of the best wrong passages by scores (Q, P), after passing over the first `skip`."""
    ### BEGIN SOLUTION
    scores = np.array(scores, dtype=float)
    scores[np.arange(len(scores)), right] = -np.inf
    return np.argsort(-scores, axis=1, kind="stable")[:, skip : skip + k]
    ### END SOLUTION

# %% check="hard-negatives" points=5
# The check of `hard-negatives`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("hard-negatives", points=5)
def score(check):
    import numpy as np

    kept = "the right passage is among them"
    worst = "these are the lowest scores: the best wrong ones are asked"
    late = "equal scores stand in the order of their indices: here the later came first"
    no_skip = "`skip` was ignored"
    turned = "best first: the order is turned round"
    counted = "the right passage was counted among those to pass over: `skip` counts the wrong ones"
    best = "the best passage was left out, whichever it was: leave out the right one"
    s = np.array([[5.0, 9.0, 7.0, 1.0], [-2.0, 8.0, -2.0, 3.0]])
    check(hard_negatives, s, np.array([1, 3]), 2).equals([[2, 0], [1, 0]], near={
        kept: [[1, 2], [1, 3]], worst: [[3, 0], [0, 2]], late: [[2, 0], [1, 2]], turned: [[0, 2], [0, 1]],
        best: [[2, 0], [3, 0]],
    })
    check(hard_negatives, s, np.array([1, 0]), 2, skip=1).equals([[0, 3], [3, 2]], near={
        kept: [[2, 0], [3, 0]], no_skip: [[2, 0], [1, 3]], counted: [[2, 0], [3, 2]], best: [[0, 3], [0, 2]],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(order=lambda row: sorted(range(len(row)), key=lambda i: (-row[i], i)), end=lambda o, k, s: o[s : s + k]):
        def found(scores, right, k, skip=0):
            out = []
            for row, r in zip(scores, right, strict=True):
                out.append(end([i for i in order(row.tolist()) if i != r], k, skip))
            return np.array(out)

        return found

    def with_right(scores, right, k, skip=0):
        return np.argsort(-scores, axis=1, kind="stable")[:, skip : skip + k]

    def skip_first(scores, right, k, skip=0):
        rows = np.argsort(-scores, axis=1, kind="stable")[:, skip:]
        return np.array([[i for i in row if i != r][:k] for row, r in zip(rows, right, strict=True)])

    check.mistakes({
        kept: with_right, worst: made(order=lambda row: sorted(range(len(row)), key=lambda i: (row[i], i))),
        late: made(order=lambda row: sorted(range(len(row)), key=lambda i: (-row[i], -i))),
        no_skip: made(end=lambda o, k, s: o[:k]), turned: made(end=lambda o, k, s: o[s : s + k][::-1]),
        counted: skip_first,
        "only k - skip of them came: `skip` comes on top of k": made(end=lambda o, k, s: o[s:k]),
        "these are their scores: their indices are asked": lambda s, r, k, skip=0: (
            np.take_along_axis(s, made()(s, r, k, skip), axis=1)),
        "in order of the indices: best first is asked": made(end=lambda o, k, s: sorted(o[s : s + k])),
        "the indices count only the wrong passages: they moved up behind the right one": lambda s, r, k, skip=0: (
            (m := made()(s, r, k, skip)) - (m > np.asarray(r)[:, None])),
        best: (
            lambda s, r, k, skip=0: with_right(s, r, k, skip + 1)),
        "the right passages of all queries were left out of each row: only its own one is": lambda s, r, k, skip=0: (
            with_right(np.where(np.isin(np.arange(s.shape[1]), r), -np.inf, s), r, k, skip)),
        "the diagonal was left out: the right passages are those of `right`": lambda s, r, k, skip=0: (
            made()(s, np.arange(len(s)), k, skip)),
    })  # fmt: skip
    for q, p, k, skip in [(4, 6, 3, 0), (3, 9, 2, 2), (5, 7, 1, 1), (6, 5, 4, 0)]:
        s = check.rng.integers(0, 6, size=(q, p)).astype(float)
        r = check.rng.integers(0, p, size=q)
        s[0, r[0]], s[-1, r[-1]] = 99.0, -1.0
        about = "fresh scores, with skip" if skip else "fresh scores"
        given = {"skip": skip} if skip else {}
        check(hard_negatives, s, r, k, **given).equals(made()(s, r, k, skip), about=about)
    s = check.rng.normal(size=(3, 200))
    check(hard_negatives, s, np.array([5, 0, 199]), 10).equals(
        made()(s, [5, 0, 199], 10), about="scores below 0, many passages"
    )
    check(hard_negatives, np.zeros((2, 4)), np.array([0, 2]), 3).equals(
        [[1, 2, 3], [0, 1, 3]], about="all scores equal", edge=True
    )
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Exercise 9: negatives that are none (`false-negatives`)
#
# 18 minutes, ★★, 6 points
#
# "Emit a record." is the first sentence of several docstrings. When two of them meet in a batch, each is pushed away
# from the other's body, which is as good an answer. Such *false negatives* are better left out.
#
# `masked_info_nce(queries, keys, groups, temperature)` is InfoNCE over $N$ pairs in which `groups` $(N,)$ numbers the
# pairs: pairs with the same number say the same. Key $j$ with $j \neq i$ and `groups[j] == groups[i]` is left out of
# query $i$'s denominator. Its own key $i$ stays, of course, and so do all keys of other groups. Cosine, temperature and
# mean as in exercise 3; keys here are $(N, C)$.
#
# By hand: three pairs, groups (0, 0, 1). Query 0 chooses among keys 0 and 2, query 1 among 1 and 2, query 2 among all.
#
# <details><summary>Hint 1</summary><code>groups[:, None] == groups[None]</code> is a table of who is in whose
# group; the diagonal is not to be left out.</details>

# %% exercise="false-negatives"
def masked_info_nce(
    queries: torch.Tensor, keys: torch.Tensor, groups: torch.Tensor, temperature: float = 0.05
) -> torch.Tensor:
    """Return InfoNCE of pairs (N, C) and (N, C), without the keys of the same group (N,) as negatives; a scalar."""
    ### BEGIN SOLUTION
    scores = cosine_similarities(queries, keys) / temperature  # (N, N)
    own = torch.eye(len(scores), dtype=torch.bool, device=scores.device)
    alike = (groups[:, None] == groups[None]) & ~own
    return F.cross_entropy(scores.masked_fill(alike, -torch.inf), torch.arange(len(scores), device=scores.device))
    ### END SOLUTION

# %% check="false-negatives" points=6
# The check of `false-negatives`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("false-negatives", points=6)
def score(check):
    import torch

    unmasked = "keys of the same group were not left out"
    positives = "keys of the same group became positives, too: they are only left out"
    own = "the query's own key was left out, too"
    zero = "left-out scores were set to 0, and exp(0) is 1: set them to minus infinity"
    others = "the keys of *other* groups were left out: they are the negatives"
    no_norm = "the vectors were not brought to length 1"
    times = "similarities are divided by the temperature, not multiplied by it"
    summed = "the mean over the queries is asked, not the sum"
    q, k = torch.tensor([[1.0, 2.0], [2.0, 1.0], [-1.0, 1.0]]), torch.tensor([[1.0, 1.0], [3.0, 1.0], [0.0, 2.0]])
    check(masked_info_nce, q, k, torch.tensor([0, 0, 1]), 0.5).equals(0.4086296, rtol=1e-4, near={
        unmasked: 0.6770437, zero: 0.4667334, others: 0.3777343, own: torch.inf,
        no_norm: 0.7151509, times: 0.6877689, summed: 1.225889,
    })
    check(masked_info_nce, q, k, torch.tensor([4, 7, 4]), 1.0).equals(0.595377, rtol=1e-4, near={
        unmasked: 0.8433688, zero: 0.7669346, summed: 1.786131, own: torch.inf,
        no_norm: 0.7232743,
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np
    import torch.nn.functional as F

    check.hidden()

    def made(fill=-torch.inf, which=lambda same, own: same & ~own, tau=lambda s, t: s / t, norm=True, end=None):
        def loss(q, k, groups, temperature=0.05):
            a, b = (F.normalize(v, dim=-1) if norm else v for v in (q, k))
            s, own = tau(a @ b.T, temperature), torch.eye(len(q), dtype=torch.bool)
            same = groups[:, None] == groups[None]
            s = s.masked_fill(which(same, own), fill)
            return (end or (lambda s, same: F.cross_entropy(s, torch.arange(len(s)))))(s, same)

        return loss

    def nothing(same, own):
        return torch.zeros_like(own)

    check.mistakes({
        unmasked: made(which=nothing), zero: made(fill=0.0), others: made(which=lambda same, own: ~same),
        positives: made(which=nothing, end=lambda s, same: -(
            s.masked_fill(~same, -torch.inf).logsumexp(-1) - s.logsumexp(-1)).mean()),
        "all keys of a group were taken as targets, each with its share: they are only left out": made(
            which=nothing, end=lambda s, same: -((s.log_softmax(-1) * same).sum(-1) / same.sum(-1)).mean()),
        own: made(
            which=lambda same, own: same, end=lambda s, same: torch.tensor(torch.inf)),
        no_norm: made(norm=False), times: made(tau=lambda s, t: s * t),
        "the temperature is missing": made(tau=lambda s, t: s),
        summed: made(end=lambda s, same: F.cross_entropy(s, torch.arange(len(s)), reduction="sum")),
        "queries with a doublet were left out of the mean: they count": made(end=lambda s, same: (
            F.cross_entropy(s, torch.arange(len(s)), reduction="none")[same.sum(1) == 1].mean())),
        "only later keys of the group were left out: earlier ones, too": made(
            which=lambda same, own: (same & ~own).triu()),
        "only earlier keys of the group were left out: later ones, too": made(
            which=lambda same, own: (same & ~own).tril()),
        "the temperature was ignored": lambda q, k, groups, temperature=0.05: made()(q, k, groups),
        "left-out cosines were set to -1, which still counts: set them to minus infinity": (
            lambda q, k, groups, temperature=0.05: made(tau=lambda s, t: s, fill=-1.0, end=lambda s, same: (
                F.cross_entropy(s / temperature, torch.arange(len(s)))))(q, k, groups)),
        "only one query of each group asks here: all do": lambda q, k, groups, temperature=0.05: (
            (i := [j for j, g in enumerate(groups.tolist()) if g not in groups.tolist()[:j]])
            and made()(q[i], k[i], groups[i], temperature)),
        "both directions were averaged: only the queries choose here": made(end=lambda s, same: (
            F.cross_entropy(s, torch.arange(len(s))) + F.cross_entropy(s.T, torch.arange(len(s)))) / 2),
        "softmax over the queries: each query chooses among the keys": made(
            end=lambda s, same: F.cross_entropy(s.T, torch.arange(len(s)))),
        "the own key is missing in the denominator": made(end=lambda s, same: (
            s.masked_fill(torch.eye(len(s), dtype=torch.bool), -torch.inf).logsumexp(-1) - s.diag()).mean()),
        "one loss for each query came: their mean is asked": made(
            end=lambda s, same: F.cross_entropy(s, torch.arange(len(s)), reduction="none")),
    })  # fmt: skip

    def oracle(q, k, groups, t):
        q, k = (v.double().numpy() / np.linalg.norm(v.double().numpy(), axis=1, keepdims=True) for v in (q, k))
        total = 0.0
        for i in range(len(q)):
            rivals = [j for j in range(len(k)) if j == i or groups[j] != groups[i]]
            total += np.log(sum(np.exp((q[i] @ k[j] - q[i] @ k[i]) / t) for j in rivals))
        return total / len(q)

    for n, c, t, kinds in [(5, 3, 0.5, 3), (7, 4, 0.2, 4), (4, 6, 1.5, 2), (8, 3, 0.1, 5)]:
        q, k = (torch.from_numpy(check.rng.normal(size=(n, c)) * 2).float() for _ in "qk")
        groups = torch.from_numpy(check.rng.integers(0, kinds, size=n))
        groups[0], groups[2] = groups[1], kinds
        check(masked_info_nce, q, k, groups, t).equals(
            oracle(q, k, groups.tolist(), t), about="fresh pairs", rtol=1e-4, atol=1e-6
        )
    check(masked_info_nce, q, k, torch.arange(8), 0.5).equals(
        oracle(q, k, list(range(8)), 0.5), about="no two alike", rtol=1e-4, edge=True
    )
    check(masked_info_nce, q, k, torch.zeros(8, dtype=torch.long), 0.5).equals(
        0.0, about="all alike: nothing to choose from", atol=1e-6, edge=True
    )
    ### END HIDDEN TESTS


score

# %% [markdown]
# ### The three phases of E5, in small
#
# E5 starts from a pre-trained model, learns from a great many rough pairs, then from few good ones with hard negatives.
# Ours: (1) the base, random token vectors weighted by inverse document frequency, which compares texts by their words
# and is better than it sounds; (2) rough pairs, a sentence of a body and the rest of it; (3) good pairs, summary and
# body, with two hard negatives each from BM25, and doublets left out. A batch is made of runs of eight neighbours in
# the list of names (methods of a class, functions of a module), which are hard negatives for one another. The encoder
# (`helpers.encoder.Encoder`) is an importance and a vector for each token; a text is their weighted sum.

# %% show
def fresh_encoder(seed: int, d_model: int = 512) -> Encoder:
    """Return the base: random vectors, importance by inverse document frequency."""
    seed_everything(seed)
    model, held = Encoder(VOCABULARY, d_model), np.zeros(VOCABULARY)
    for pair in train_pairs:
        held[np.unique(pair.body)] += 1
    idf = np.log((len(train_pairs) + 1) / (held + 1))
    model.importance.data = torch.from_numpy(np.log(np.maximum(idf, 0.05))).float()
    return model


def rough(model, rows):
    """Phase 2: a random sentence of each body must find the rest of it."""
    asked, found = [], []
    for i in rows.tolist():
        pair = train_pairs[i]
        cut = int(torch.randint(len(pair.sentences), ()))
        rest = [s for n, s in enumerate(pair.sentences) if n != cut] or [pair.summary]
        asked.append(bag(pair.sentences[cut]))
        found.append(bag(np.concatenate(rest)))
    return info_nce(model(asked, 0.3), model(found, 0.3), 0.05)


texts_alike = {text: i for i, text in enumerate(dict.fromkeys(p.summary_text.lower() for p in train_pairs))}
groups_of = torch.tensor([texts_alike[p.summary_text.lower()] for p in train_pairs])
doublets = len(train_pairs) - len(texts_alike)
lexical_train = BM25([p.body_text for p in train_pairs])
hard_of = np.concatenate([
    hard_negatives(
        lexical_train.scores([p.summary_text for p in train_pairs[i : i + 500]]),
        np.arange(i, min(i + 500, len(train_pairs))), 2, skip=1,
    )
    for i in range(0, len(train_pairs), 500)
])  # fmt: skip


def good(model, rows, hard: bool = True, masked: bool = True):
    """Phase 3: each summary must find its body, among those of the batch and two hard negatives of its own."""
    bodies = [bag(train_pairs[i].body) for i in rows.tolist()]
    queries, keys = model([bag(train_pairs[i].summary) for i in rows.tolist()], 0.3), model(bodies, 0.3)
    loss = masked_info_nce(queries, keys, groups_of[rows]) if masked else info_nce(queries, keys)
    if not hard:
        return loss
    extra = model([bag(train_pairs[j].body) for i in rows.tolist() for j in hard_of[i]], 0.3)
    return (loss + info_nce(queries, torch.cat([keys, extra]))) / 2


def teach(model: Encoder, loss, seed: int, steps: int, size: int = 192, run: int = 8) -> Encoder:
    """Train with a loss of (model, rows); batches are runs of neighbours in the list of names."""
    groups = [{"params": [model.embedding.weight], "lr": 5e-4}, {"params": [model.importance], "lr": 2e-2}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.0)
    draw = torch.Generator().manual_seed(seed)

    def rows(_step: int) -> torch.Tensor:
        firsts = torch.randperm(len(train_pairs) // run, generator=draw)[: size // run] * run
        return (firsts[:, None] + torch.arange(run)).flatten()

    fit(model, rows, loss, steps=steps, optimizer=optimizer, clip=None, progress=False)
    return model


def searched(model: Encoder) -> np.ndarray:
    """Return the similarities (500, 6000) of the test's queries and passages."""
    return TextEncoder(model, reader).similarity(task.queries, task.passages)


PHASE = budget(grade=2, cpu=40, gpu=300)
print(f"{doublets} of {len(train_pairs):,} training pairs repeat another's summary")
print(f"{'':<44}{'recall@10':>10}{'MRR@10':>9}")


def line(name: str, scores: np.ndarray) -> None:
    """Print recall@10 and MRR@10 of a table of scores."""
    recall, mrr = task.measure(scores)
    print(f"{name:<44}{recall:>10.3f}{mrr:>9.3f}")


line("BM25", bm25)
line("1  base: random vectors, IDF", searched(fresh_encoder(SEED)))
line("2  + rough pairs", searched(teach(fresh_encoder(SEED), rough, SEED, PHASE)))
my_model = teach(teach(fresh_encoder(SEED), rough, SEED, PHASE), good, SEED, PHASE)
line("3  + good pairs, hard negatives: yours", searched(my_model))
easy = teach(fresh_encoder(SEED), lambda model, rows: good(model, rows, hard=False), SEED, PHASE)
line("   good pairs alone, no hard negatives", searched(easy))
line("   yours and BM25, fused", fused(bm25, searched(my_model)))
reference_scores = load_encoder(own=False).similarity(task.queries, task.passages)
line("the reference docs-encoder", reference_scores)
line("the reference and BM25, fused", fused(bm25, reference_scores))
translated = Translation(task.passages, docs_pairs(budget(grade=0, cpu=2))).scores(task.queries)
line("translation", translated)
line("   yours and translation, summed", summed(translated, searched(my_model)))
line("   the reference and translation, summed", summed(translated, reference_scores))

# %% [markdown]
# Fusion is by *reciprocal rank* (Cormack et al. 2009): a passage gets $1/(60 + \text{rank})$ from each list, and the
# sums are ranked. It needs no common scale, and helps where the two lists err in different places. Keep in mind that
# the reference was trained for longer, and that it had read the sentences of all 6,000 passages (never a summary of the
# test): a search engine may read what it is to search. Yours has not seen them.
#
# *Translation* (Berger and Lafferty 1999) is the third way to search, older than encoders and still hard to beat: the
# query is the passage in another language, and counting over pairs (expectation maximisation) learns how readily a word
# of a body asks with another word. Its scores are logarithms of probabilities; each query's are brought to mean 0 and
# deviation 1 and added to the encoder's. It learns from the kinds of pairs that the reference learned from, names and
# signatures among them, of searched documents as well. That matters: BM25 whose passages begin with the name finds more
# than any row of this table that reads bodies alone. Does fusion help for every seed?

# %% show
outcomes = []
for seed in range(budget(grade=1, cpu=5)):
    model = my_model
    if seed != SEED:
        model = teach(teach(fresh_encoder(seed), rough, seed, PHASE), good, seed, PHASE)
    scores = searched(model)
    alone, together = task.measure(scores)[0], task.measure(fused(bm25, scores))[0]
    for name, value in {"alone": alone, "fused with BM25": together}.items():
        with leaderboard.measured("07", f"your encoder {name}, recall@10, seed {seed}", "docs_search") as row:
            row.f1 = value
    outcomes.append((alone, together))
baseline = task.measure(bm25)[0]
print(f"BM25 {baseline:.3f}")
for seed, (alone, together) in enumerate(outcomes):
    print(f"seed {seed}: alone {alone:.3f}, fused with BM25 {together:.3f}")
alone, together = zip(*outcomes, strict=True)
claim("Recall@10 on the docs: the student's search fused with BM25 above BM25", together, [baseline] * len(together))
claim("Recall@10 on the docs: fused above the student's encoder alone", together, alone)

# %% [markdown]
# Read before you believe. Four queries, answered by both (add some of your own): which answers would you have wanted?

# %% show
encoder = TextEncoder(my_model, reader)
asked = [
    "evenly spaced numbers",
    "how do I stop training when nothing improves",
    "draw a circle",
    "wait until all threads are done",
]
all_passages = data.load("docs_search").passages
names_held = sorted(all_passages)[:: budget(grade=40, cpu=1)]
bodies_held = [all_passages[name].text for name in names_held]
table, by_words = encoder.similarity(asked, bodies_held), BM25(bodies_held).scores(asked)
for query, dense, lexical in zip(asked, table, by_words, strict=True):
    print(f"{query!r}")
    for kind, row in (("BM25", lexical), ("yours", dense)):
        print(f"   {kind:<6} " + ", ".join(names_held[i] for i in np.argsort(-row, kind="stable")[:3]))

# %% [markdown]
# ## Essay 1: what the negatives do (`negatives`)
#
# 15 minutes, ★★, 10 points, graded by hand
#
# (a) Use the three pictures above (temperature, the two signs, collapse) and the numbers under them: why does a loss
# without negatives end where it ends, although it is perfect, and which of alignment and uniformity tells you so
# without any label? (b) In-batch negatives are free; hard ones from BM25 cost a search. From your table, what did they
# and the rough pairs bring? Name a kind of text for which BM25's hard negatives would mostly be *false* ones, and what
# `skip` and the groups do about it. (c) A colleague trains on batches of 16 and on batches of 1,024. What changes in
# the task that the loss sets, and what would you watch? About 180 words.

# %% [markdown] essay="negatives" points=10
# ### BEGIN SOLUTION
# (a) Agreement alone is reached by answering the same for every image: the alignment is 0, and nothing in the loss
# objects. Uniformity, which rises to 0 when all vectors coincide, tells it without labels; the probe confirms it. With
# negatives the points are driven over the sphere, and with a low temperature mostly by those nearest to the query. With
# the printed sign the loss falls, too, while the classes mix, so a falling loss proves nothing.
# (b) In my table the rough pairs change the base's recall by about a point, the good ones lift it by one or two, and
# BM25's hard negatives make a difference that is no larger than that between two seeds. For texts that repeat each
# other (one method documented in ten classes), the best BM25 hits are right answers: `skip` passes over the top, the
# groups take out identical questions.
# (c) With 1,024 a query must be told from 1,023 others: a harder task, a tighter bound, more hard negatives by chance,
# and more doublets, which are false negatives. I would watch recall on held-out pairs and not the loss, whose
# starting value, log N, depends on the batch.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: collapse explained (constant answer satisfies alignment), uniformity named as the label-free alarm.
# 3 points: reads the table with numbers and without claiming more than they show; says what hard negatives cost.
# 2 points: a case of false negatives, and what `skip` and the groups do.
# 2 points: batch size changes the number of candidates (log N), more hard and more false negatives; a sound measure.
# ### END MARK SCHEME

# %% [markdown]
# ## Exercise 10: two texts, one decision (`sbert`)
#
# 10 minutes, ★, 4 points
#
# Sentence-BERT (Reimers and Gurevych 2019) learned from pairs with *labels* (entails, contradicts, neither). For a pair
# of vectors $u$ and $v$ it puts side by side $u$, $v$ and the distance in each number, and a linear layer without bias
# chooses the class:
#
# $$o = W\,[\,u;\; v;\; |u - v|\,], \qquad W \text{ of shape } (K, 3C)$$
#
# `pair_features(u, v)` returns $(B, 3C)$, in this order; `pair_logits(u, v, weight)` the logits $(B, K)$.
#
# By hand: $u = (1, 2)$, $v = (3, 1)$: the features are (1, 2, 3, 1, 2, 1).
#
# <details><summary>Hint 1</summary><code>torch.cat</code> with <code>dim=-1</code> puts three side by side.</details>
# <details><summary>Hint 2</summary>Rows of <code>weight</code> are classes: $(B, 3C)$ times $(3C, K)$.</details>

# %% exercise="sbert"
def pair_features(u: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return u, v and |u - v| side by side, (B, 3C), for u and v (B, C)."""
    ### BEGIN SOLUTION
    return torch.cat([u, v, (u - v).abs()], dim=-1)
    ### END SOLUTION


def pair_logits(u: torch.Tensor, v: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Return the logits (B, K) of pairs u, v (B, C) for weight (K, 3C)."""
    ### BEGIN SOLUTION
    return pair_features(u, v) @ weight.T
    ### END SOLUTION

# %% check="sbert" points=4
# The check of `sbert`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("sbert", points=4)
def score(check):
    import torch

    signed = "the absolute value is missing: u - v depends on the order"
    product = "this is the product of u and v: the distance in each number is asked"
    order = "the order is u, v, |u - v|"
    squared = "the differences were squared: their absolute values are asked"
    stacked = "side by side is asked, along the last axis: here they stand below each other"
    u, v = torch.tensor([[1.0, 2.0], [0.0, -1.0]]), torch.tensor([[3.0, 1.0], [1.0, 1.0]])
    check(pair_features, u, v).equals([[1.0, 2.0, 3.0, 1.0, 2.0, 1.0], [0.0, -1.0, 1.0, 1.0, 1.0, 2.0]], near={
        signed: [[1.0, 2.0, 3.0, 1.0, -2.0, 1.0], [0.0, -1.0, 1.0, 1.0, -1.0, -2.0]],
        product: [[1.0, 2.0, 3.0, 1.0, 3.0, 2.0], [0.0, -1.0, 1.0, 1.0, 0.0, -1.0]],
        order: [[2.0, 1.0, 1.0, 2.0, 3.0, 1.0], [1.0, 2.0, 0.0, -1.0, 1.0, 1.0]],
        squared: [[1.0, 2.0, 3.0, 1.0, 4.0, 1.0], [0.0, -1.0, 1.0, 1.0, 1.0, 4.0]],
        stacked: [[1.0, 2.0], [0.0, -1.0], [3.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, 2.0]],
    })
    w = torch.tensor([[1.0, 0.0, -1.0, 0.0, 2.0, 1.0], [0.0, 1.0, 1.0, 0.0, 0.0, -1.0], [0.5, 0.0, 0.0, 2.0, 0.0, 0.0]])
    chances = "these are probabilities: logits are asked"
    check(pair_logits, u, v, w).equals([[3.0, 4.0, 2.5], [3.0, -2.0, 2.0]], rtol=1e-4, near={
        signed: [[-5.0, 4.0, 2.5], [-5.0, 2.0, 2.0]],
        chances: [[0.236551, 0.643012, 0.143477]],
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def made(parts=lambda u, v: (u, v, (u - v).abs()), dim=-1):
        return lambda u, v: torch.cat(parts(u, v), dim)

    wrong = {
        signed: made(lambda u, v: (u, v, u - v)), "this is v - u, without the absolute value": made(
            lambda u, v: (u, v, v - u)),
        product: made(lambda u, v: (u, v, u * v)), squared: made(lambda u, v: (u, v, (u - v) ** 2)),
        order: made(lambda u, v: ((u - v).abs(), u, v)), "u comes first, then v": made(
            lambda u, v: (v, u, (u - v).abs())),
        "|u - v| is missing": made(lambda u, v: (u, v)), stacked: made(dim=0),
        "one distance for each pair came: one for each number is asked": made(
            lambda u, v: (u, v, (u - v).norm(dim=-1, keepdim=True))),
        "they were stacked along a new axis: (B, 3C) is asked": lambda u, v: torch.stack([u, v, (u - v).abs()], -1),
        "stacked along a new last axis, then flattened: the numbers of u, v and |u - v| alternate": lambda u, v: (
            torch.stack([u, v, (u - v).abs()], -1).flatten(1)),
        "u + v stands where |u - v| is asked": made(lambda u, v: (u, v, (u + v).abs())),
        "this is the difference of the absolute values": made(lambda u, v: (u, v, u.abs() - v.abs())),
        "u and v were brought to length 1: take them as they are": made(
            lambda u, v: (a := u / u.norm(dim=-1, keepdim=True), b := v / v.norm(dim=-1, keepdim=True), (a - b).abs())),
    }  # fmt: skip
    check.mistakes(wrong)
    draws = []
    for B, C, K in [(3, 4, 2), (5, 2, 3), (2, 6, 4)]:
        u, v, w = (torch.from_numpy(check.rng.normal(size=s) * 2).float() for s in ((B, C), (B, C), (K, 3 * C)))
        want = np.concatenate([u, v, np.abs(np.asarray(u) - np.asarray(v))], axis=1)
        draws.append((u, v, w, want))
        check(pair_features, u, v).equals(want, about="fresh pairs", rtol=1e-4, atol=1e-6)
    check.mistakes({words: lambda u, v, w, f=f: f(u, v) @ w.T for words, f in wrong.items()} | {
        chances: lambda u, v, w: (made()(u, v) @ w.T).softmax(-1),
        "W was reshaped: it is to be transposed": lambda u, v, w: made()(u, v) @ w.reshape(-1, len(w)),
        "|u - v| has no part in the logits": lambda u, v, w: (
            made(lambda u, v: (u, v, 0 * u))(u, v) @ w.T),
        "W has a row for each class: logits are (B, K)": lambda u, v, w: w @ made()(u, v).T,
    })  # fmt: skip
    for u, v, w, want in draws:
        check(pair_logits, u, v, w).equals(want @ w.double().numpy().T, about="fresh logits", rtol=1e-3, atol=1e-4)
    ### END HIDDEN TESTS


score

# %% [markdown]
# Try the head: two sentences of the docs, from the same document, from two documents of one library, or from two
# libraries? The encoder's vectors stay as they are; a linear layer learns on 1,500 pairs and is judged on others. What
# is $|u - v|$ worth? A *linear* layer on $u$ and $v$ alone cannot compare them.

# %% show
def sentence_pairs(count: int, seed: int) -> tuple[list[str], list[str], np.ndarray]:
    """Return two lists of sentences and the kind of each pair: same document 0, same library 1, neither 2."""
    draw = np.random.default_rng(seed)
    told = [(d.library, [s for s in SENTENCE_END.split(d.body) if len(s) > 40]) for d in docs.split("valid")]
    told = [(library, sentences) for library, sentences in told if len(sentences) > 1]
    first, second, kinds = [], [], []
    while len(kinds) < count:
        (library, one), (other, two) = (told[i] for i in draw.integers(len(told), size=2))
        kind = len(kinds) % 3
        if kind == 0 or (kind == 1) == (library == other):
            a, b = draw.choice(len(one), 2, replace=False)
            first.append(one[a])
            second.append(one[b] if kind == 0 else two[b % len(two)])
            kinds.append(kind)
    return first, second, np.array(kinds)


from sklearn.linear_model import LogisticRegression

first, second, kinds = sentence_pairs(budget(grade=120, cpu=3000), SEED)
u, v = (torch.from_numpy(encoder.encode(side)) for side in (first, second))
half = len(kinds) // 2
ways = {"u, v": torch.cat([u, v], -1), "|u - v|": (u - v).abs(), "u, v, |u - v|": pair_features(u, v)}
right = {}
for name, features in ways.items():
    head = LogisticRegression(max_iter=300).fit(features[:half], kinds[:half])
    right[name] = head.score(features[half:], kinds[half:])
    print(f"{name:<16} accuracy {right[name]:.3f} (by chance 0.333)")

# %% [markdown]
# ## Is it any good? An evaluation with several tasks
#
# One number can mislead. The benchmark MTEB (Muennighoff et al. 2023) judges an encoder by many tasks: retrieval,
# similar sentences, clustering, classification. You need their measures first.
#
# ## Exercise 11: recall, reciprocal rank, nDCG (`metrics`)
#
# 25 minutes, ★★, 8 points
#
# A search returns a `ranking`, a list of passage ids, best first, no id twice. `relevant` is a dict from the ids of the
# right passages to their gain, a number above 0; ids that are not in it have gain 0. Each function looks at the first
# $k$ of the ranking only (all of it if it is shorter) and returns a float; where nothing is relevant, 0.0.
#
# 1. `recall_at(ranking, relevant, k)`: the share of all relevant passages that are among the first $k$.
# 2. `reciprocal_rank(ranking, relevant, k)`: 1 / rank of the *first* relevant one, ranks counted from 1; 0.0 if there
#    is none among the first $k$. Its mean over queries is MRR@k.
# 3. `ndcg_at(ranking, relevant, k)`: the sum of $\mathrm{gain} / \log_2(\mathrm{rank} + 1)$ over the first $k$, divided
#    by the same sum of the best ranking that there could be: all relevant passages, largest gain first, cut at $k$.
#
# By hand: ranking (a, b, c, d), relevant {b: 1, d: 2, x: 1}, $k = 3$: only b is found. Recall 1/3, reciprocal rank 1/2;
# DCG is $1/\log_2 3 = 0.631$, the best possible is $2 + 1/\log_2 3 + 1/\log_2 4 = 3.131$, so nDCG is 0.2015.
#
# <details><summary>Hint 1</summary><code>enumerate(ranking[:k], start=1)</code> gives rank and id.</details>
# <details><summary>Hint 2</summary>The best ranking: <code>sorted(relevant.values(),
# reverse=True)[:k]</code>.</details>

# %% exercise="metrics"
def recall_at(ranking: list, relevant: dict, k: int) -> float:
    """Return the share of the relevant ids (id to gain) that are among the first k of the ranking."""
    ### BEGIN SOLUTION
    return sum(name in relevant for name in ranking[:k]) / len(relevant) if relevant else 0.0
    ### END SOLUTION


def reciprocal_rank(ranking: list, relevant: dict, k: int) -> float:
    """Return 1 / rank of the first relevant id among the first k of the ranking, or 0.0."""
    ### BEGIN SOLUTION
    return next((1 / rank for rank, name in enumerate(ranking[:k], start=1) if name in relevant), 0.0)
    ### END SOLUTION


def ndcg_at(ranking: list, relevant: dict, k: int) -> float:
    """Return the normalised discounted cumulative gain of the first k of the ranking."""
    ### BEGIN SOLUTION
    def dcg(gains):
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))

    best = dcg(sorted(relevant.values(), reverse=True)[:k])
    return dcg([relevant.get(name, 0) for name in ranking[:k]]) / best if best else 0.0
    ### END SOLUTION

# %% check="metrics" points=8
# The check of `metrics`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("metrics", points=8)
def score(check):
    ranking, relevant = ["a", "b", "c", "d"], {"b": 1, "d": 2, "x": 1}
    precision = "this is precision, a share of the k: recall is a share of the relevant"
    whole = "the ranking was not cut at k"
    hit = "recall is a share, not whether anything was found"
    smaller = "divided by the smaller of k and the number of relevant: divide by all that are relevant"
    check(recall_at, ranking, relevant, 2).equals(1 / 3, rtol=1e-4, near={
        whole: 2 / 3, hit: 1.0, precision: 0.5, smaller: 0.5,
    })
    check(recall_at, ranking, relevant, 4).equals(2 / 3, rtol=1e-4, near={precision: 0.5, hit: 1.0})

    zero = "ranks are counted from 1"
    rank = "this is the rank: 1 / rank is asked"
    times_gain = "the gain was multiplied: only the rank counts"
    gain = "the one with the largest gain was taken: the first relevant one is asked"
    every = "only the first relevant one counts"
    check(reciprocal_rank, ranking, relevant, 3).equals(0.5, rtol=1e-4, near={zero: 1.0, rank: 2.0})
    check(reciprocal_rank, ["q", "a", "b", "d", "x"], {"x": 1, "b": 2, "d": 3}, 5).equals(1 / 3, rtol=1e-4, near={
        zero: 0.5, rank: 3.0, every: 0.7833333, "the last relevant one was taken: the first is asked": 0.2,
        gain: 0.25, times_gain: 0.6666667,
    })
    check(reciprocal_rank, ranking, relevant, 1).equals(0.0, about="none among the first k", near={whole: 0.5})

    cut_short = "the best ranking is cut at k, not at the length of a short ranking"
    no_ideal = "the division by the best possible ranking is missing"
    found_only = "the best ranking has all relevant passages, also those that were not found"
    exponential = "the gain is taken as it is, not 2 to its power less 1"
    natural = "the discount has base 2, and rank + 1 inside"
    binary = "gains were all taken as 1"
    unsorted = "the best ranking begins with the largest gain"
    check(ndcg_at, ranking, relevant, 3).equals(0.2015152, rtol=1e-4, near={
        no_ideal: 0.6309298, found_only: 0.6309298, exponential: 0.1527332, binary: 0.2960819,
        whole: 0.4766262, unsorted: 0.2284438,
    })
    check(ndcg_at, ["d", "a", "b"], relevant, 2).equals(0.7601880, rtol=1e-4, near={
        no_ideal: 2.0, found_only: 1.0, binary: 0.6131472,
        "the best ranking is cut at k, too": 0.6387878, exponential: 0.8262341,
    })
    check(ndcg_at, ["b", "a"], {"a": 2, "b": 1, "c": 3, "d": 2}, 5).equals(
        0.3973378, about="a ranking shorter than k", rtol=1e-4, near={
            "the ranking may be shorter than k": IndexError, cut_short: 0.5307213, no_ideal: 2.261860,
            found_only: 0.8597187, exponential: 0.2672701, binary: 0.6366824,
        })  # fmt: skip
    for function in (recall_at, reciprocal_rank, ndcg_at):
        check(function, ["a", "b"], {}, 2).equals(0.0, about="nothing relevant", near={
            "a division by 0: nothing relevant gives 0.0": ZeroDivisionError,
            "nothing relevant gives 0.0, and is no error": ValueError,
        })
    ### BEGIN HIDDEN TESTS
    import math

    import numpy as np
    from sklearn.metrics import ndcg_score

    check.hidden()

    def drawn(count, ties=False):
        names = [f"p{i}" for i in check.rng.permutation(40)[:count]]
        held = [f"p{i}" for i in check.rng.permutation(40)[: int(check.rng.integers(2, 7))]] + [names[2]]
        gains = [int(g) for g in check.rng.integers(1, 2 if ties else 5, size=len(held))]
        return names, dict(zip(held, gains, strict=True))

    check.mistakes({
        precision: lambda r, d, k: sum(i in d for i in r[:k]) / k,
        whole: lambda r, d, k: sum(i in d for i in r) / len(d),
        hit: lambda r, d, k: float(any(i in d for i in r[:k])),
        "this is the number found: divide by the number of relevant": lambda r, d, k: float(sum(i in d for i in r[:k])),
        smaller: lambda r, d, k: (
            sum(i in d for i in r[:k]) / min(k, len(d))),
        "cut at k - 1: the k-th counts": lambda r, d, k: sum(i in d for i in r[: k - 1]) / len(d),
        "gains were summed: each relevant passage counts once": lambda r, d, k: (
            sum(d.get(i, 0) for i in r[:k]) / sum(d.values())),
        "one too many: the first k, not k + 1": lambda r, d, k: sum(i in d for i in r[: k + 1]) / len(d),
    })  # fmt: skip
    for count, k in [(12, 5), (30, 10), (8, 3), (6, 9)]:
        r, d = drawn(count)
        check(recall_at, r, d, k).equals(len(set(r[:k]) & set(d)) / len(d), about="recall of fresh rankings", rtol=1e-4)

    def first(r, d, k, start=1):
        places = [i for i, name in enumerate(r[:k], start) if name in d]
        return places[0] if places else None

    check.mistakes({
        zero: lambda r, d, k: 1 / max(first(r, d, k, 0), 1) if first(r, d, k, 0) is not None else 0.0,
        gain: lambda r, d, k: 1 / (1 + r.index(max(r[:k], key=lambda n: d.get(n, 0)))),
        rank: lambda r, d, k: float(first(r, d, k) or 0), whole: lambda r, d, k: 1 / (first(r, d, 99) or math.inf),
        every: lambda r, d, k: sum(1 / i for i, n in enumerate(r[:k], 1) if n in d),
        "the last relevant one was taken: the first is asked": lambda r, d, k: max(
            [0.0] + [1 / i for i, n in list(enumerate(r[:k], 1))[::-1] if n in d][:1]),
        "the mean over the relevant ones was taken: only the first counts": lambda r, d, k: float(np.mean(
            [1 / i for i, n in enumerate(r[:k], 1) if n in d] or [0.0])),
        times_gain: lambda r, d, k: (
            d[r[p - 1]] / p if (p := first(r, d, k)) else 0.0),
        "1 / (rank + 1): ranks are counted from 1": lambda r, d, k: 1 / (p + 1) if (p := first(r, d, k)) else 0.0,
        "cut at k - 1: the k-th counts": lambda r, d, k: 1 / (first(r, d, k - 1) or math.inf),
    })  # fmt: skip
    for count, k in [(12, 5), (30, 10), (8, 3), (20, 2)]:
        r, d = drawn(count)
        d[r[k - 1]] = 9
        want = max([0.0, *(1 / (r.index(n) + 1) for n in d if n in r[:k])])
        check(reciprocal_rank, r, d, k).equals(want, about="reciprocal rank of fresh rankings", rtol=1e-4)

    def best_first(r, d, k):
        return sorted(d.values(), reverse=True)[:k]

    def ndcg(gain=float, log=lambda rank: math.log2(rank + 1), ideal=best_first, cut=lambda r, k: r[:k]):
        def value(r, d, k):
            total, best = (
                sum(gain(g) / log(i) for i, g in enumerate(gains, 1))
                for gains in ([d.get(n, 0) for n in cut(r, k)], ideal(r, d, k))
            )
            return total / best if best else 0.0

        return value

    check.mistakes({
        no_ideal: ndcg(ideal=lambda r, d, k: [1]), found_only: ndcg(
            ideal=lambda r, d, k: sorted((d.get(n, 0) for n in r[:k]), reverse=True)),
        "the best ranking was made of all of the ranking, not of all that is relevant": ndcg(
            ideal=lambda r, d, k: sorted((d.get(n, 0) for n in r), reverse=True)[:k]),
        exponential: ndcg(gain=lambda g: 2.0**g - 1), natural: ndcg(log=lambda i: max(math.log2(i), 1)),
        binary: ndcg(gain=lambda g: float(g > 0)), unsorted: ndcg(ideal=lambda r, d, k: list(d.values())[:k]),
        "the best ranking is cut at k, too": ndcg(ideal=lambda r, d, k: sorted(d.values(), reverse=True)),
        whole: ndcg(cut=lambda r, k: r), "the discount is log2(rank + 1), not the rank": ndcg(log=float),
        "1 + log(rank) is not log2(rank + 1)": ndcg(log=lambda i: 1 + math.log(i)),
        cut_short: ndcg(
            ideal=lambda r, d, k: best_first(r, d, min(k, len(r)))),
        "the discount is missing": ndcg(log=lambda i: 1.0),
        "log2(rank + 2) was taken: ranks are counted from 1": ndcg(log=lambda i: math.log2(i + 2)),
        "the best ranking begins with the largest gain, not with the smallest": ndcg(
            ideal=lambda r, d, k: sorted(d.values())[:k]),
    })  # fmt: skip
    for count, k in [(12, 5), (30, 10), (8, 3), (10, 4)]:
        r, d = drawn(count)
        rest = [n for n in d if n not in r]
        gains = [d.get(n, 0) for n in r + rest]
        want = ndcg_score([gains], [list(range(len(gains), 0, -1))], k=k)
        check(ndcg_at, r, d, k).equals(want, about="nDCG of fresh rankings", rtol=1e-4, atol=1e-6)
    for function in (recall_at, reciprocal_rank, ndcg_at):
        division = {"a division by 0: nothing relevant gives 0.0": ZeroDivisionError}
        check(function, ["a", "b"], {}, 2).equals(0.0, about="nothing relevant", edge=True, near=division)
        check(function, [], {"a": 1}, 5).equals(0.0, about="an empty ranking", edge=True)
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Exercise 12: do clusters match classes? V-measure (`v-measure`)
#
# 18 minutes, ★★, 5 points
#
# Clusters have no names, so accuracy means nothing. V-measure (Rosenberg and Hirschberg 2007) asks two questions: does
# each cluster hold one class only (*homogeneity*), and is each class in one cluster only (*completeness*)? With the
# entropies of the classes $C$ and clusters $K$, from counts,
#
# $$h = 1 - \frac{H(C \mid K)}{H(C)}, \qquad c = 1 - \frac{H(K \mid C)}{H(K)}, \qquad V = \frac{2hc}{h + c}$$
#
# where $H(C) = -\sum_c \frac{n_c}{n} \log \frac{n_c}{n}$ and $H(C \mid K) = -\sum_{c,k} \frac{n_{ck}}{n} \log
# \frac{n_{ck}}{n_k}$. If $H(C) = 0$ (a single class), $h = 1$; likewise $c = 1$ if $H(K) = 0$. If $h + c = 0$, $V = 0$.
#
# `v_measure(classes, clusters)` gets two lists of equal length, never empty, of whole numbers or words, and returns a
# float (= `sklearn.metrics.v_measure_score`, which is not to be called).
#
# By hand: classes (x, x, y, y), clusters (0, 0, 1, 2): every cluster is pure, $h = 1$; class y is torn in two: $H(K) =
# 1.5$ bits, $H(K \mid C) = 0.5$ bits, $c = 2/3$, $V = 0.8$.
#
# <details><summary>Hint 1</summary>H(C | K) = H(C, K) - H(K), where H(C, K) is the entropy of the pairs.</details>
# <details><summary>Hint 2</summary><code>collections.Counter(zip(classes, clusters))</code> counts the pairs.</details>

# %% exercise="v-measure"
def v_measure(classes: list, clusters: list) -> float:
    """Return the V-measure of clusters (n,) against classes (n,), from 0 to 1."""
    ### BEGIN SOLUTION
    from collections import Counter

    def entropy(items):
        shares = [count / len(items) for count in Counter(items).values()]
        return -sum(p * math.log(p) for p in shares)

    classes, clusters = list(classes), list(clusters)
    of_classes, of_clusters = entropy(classes), entropy(clusters)
    both = entropy(list(zip(classes, clusters, strict=True)))
    h = 1 - (both - of_clusters) / of_classes if of_classes > 1e-12 else 1.0
    c = 1 - (both - of_classes) / of_clusters if of_clusters > 1e-12 else 1.0
    return 2 * h * c / (h + c) if h + c > 1e-12 else 0.0
    ### END SOLUTION

# %% check="v-measure" points=5
# The check of `v-measure`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("v-measure", points=5)
def score(check):
    homogeneity = "this is homogeneity alone"
    completeness = "this is completeness alone"
    mean = "the harmonic mean is asked, not the ordinary one"
    product = "the product of h and c is not their harmonic mean"
    shares = "the conditional entropy weighs each cluster by its size"
    check(v_measure, ["x", "x", "y", "y"], [0, 0, 1, 2]).equals(0.8, rtol=1e-4, near={
        "classes and clusters may be words, too: they have no order and no sum": TypeError,
        homogeneity: 1.0, completeness: 0.6666667, mean: 0.8333333,
        "this is purity, the share of the largest class in each cluster": 1.0,
    })
    check(v_measure, [0, 0, 0, 1, 1, 2], [5, 5, 7, 7, 7, 7]).equals(0.3862534, rtol=1e-4, near={
        homogeneity: 0.3146685, completeness: 0.5,
        mean: 0.4073343, product: 0.1573343,
        shares: 0.5621756,
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np
    from sklearn import metrics

    check.hidden()

    def parts(classes, clusters):
        return metrics.homogeneity_completeness_v_measure(classes, clusters)

    def unweighted(classes, clusters):
        def given(a, b):
            held = [[x for x, y in zip(a, b, strict=True) if y == k] for k in sorted(set(b))]
            counts = [np.array([h.count(x) for x in set(h)]) / len(h) for h in held]
            return np.mean([-(p * np.log(p)).sum() for p in counts])

        def whole(a):
            p = np.array([a.count(x) for x in set(a)]) / len(a)
            return -(p * np.log(p)).sum()

        h, c = 1 - given(classes, clusters) / whole(classes), 1 - given(clusters, classes) / whole(clusters)
        return 2 * h * c / (h + c)

    def made(rule):
        def value(classes, clusters):
            a, b = (metrics.mutual_info_score(x, x) for x in (classes, clusters))
            h, c = rule(a, b, a + b - metrics.mutual_info_score(classes, clusters))
            return 2 * h * c / (h + c)

        return value

    check.mistakes({
        "H(C | K) and H(K | C) are exchanged": made(lambda a, b, both: (1 - (both - a) / a, 1 - (both - b) / b)),
        "the entropy of the pairs stands where the conditional one is asked": made(
            lambda a, b, both: (1 - both / a, 1 - both / b)),
        "two logarithms of different bases are mixed": made(
            lambda a, b, both: (1 - (both - b) / a * np.log(2), 1 - (both - a) / b * np.log(2))),
        homogeneity: lambda c, k: parts(c, k)[0], completeness: lambda c, k: parts(c, k)[1],
        mean: lambda c, k: (parts(c, k)[0] + parts(c, k)[1]) / 2, product: lambda c, k: parts(c, k)[0] * parts(c, k)[1],
        "the factor 2 is missing in the harmonic mean": lambda c, k: parts(c, k)[2] / 2, shares: unweighted,
        "the geometric mean was taken: the harmonic one is asked": lambda c, k: (
            parts(c, k)[0] * parts(c, k)[1]) ** 0.5,
        "1 minus is missing: these are the shares of entropy that are left": lambda c, k: (
            2 * (1 - parts(c, k)[0]) * (1 - parts(c, k)[1]) / (2 - parts(c, k)[0] - parts(c, k)[1])),
        "accuracy with the numbers as they are: clusters have no names": lambda c, k: float(np.mean(
            [a == b for a, b in zip(c, k, strict=True)])),
        "this is purity, the share of the largest class in each cluster": lambda c, k: sum(
            max(sum(a == x and b == y for a, b in zip(c, k, strict=True)) for x in set(c)) for y in set(k)) / len(c),
        "this is the mutual information, not yet divided by an entropy": lambda c, k: metrics.mutual_info_score(c, k),
        "this is the Rand index": lambda c, k: metrics.rand_score(c, k),
        "this is the adjusted Rand index": lambda c, k: metrics.adjusted_rand_score(c, k),
        "the smaller of h and c was taken": lambda c, k: min(parts(c, k)[:2]),
    })  # fmt: skip
    for n, a, b in [(12, 3, 4), (30, 5, 2), (20, 2, 6), (50, 4, 4)]:
        classes = [f"class {i}" for i in check.rng.integers(0, a, size=n)]
        clusters = [int(i) * 3 for i in check.rng.integers(0, b, size=n)]
        clusters = [k if check.rng.random() < 0.6 else int(c[-1]) * 3 for c, k in zip(classes, clusters, strict=True)]
        check(v_measure, classes, clusters).equals(
            metrics.v_measure_score(classes, clusters), about="fresh clusters", rtol=1e-4, atol=1e-6
        )
    check.mistakes({})  # too many of them agree on such input
    division = {"a division by 0: an entropy of 0 has a rule of its own": ZeroDivisionError}
    for classes, clusters, want, about in [
        ([1, 1, 1], [1, 2, 3], 0.0, "a single class"), ([1, 2, 1, 2], [0, 0, 0, 0], 0.0, "a single cluster"),
        ([1, 1], ["a", "a"], 1.0, "one class, one cluster"),
    ]:  # fmt: skip
        check(v_measure, classes, clusters).equals(want, about=about, edge=True, atol=1e-6, near=division | (
            {"a single class has h = 1 and a single cluster c = 1, by their rule": 0.0} if want else {}))  # fmt: skip
    check(v_measure, [3, 1, 1, 2], ["b", "a", "a", "c"]).equals(1.0, about="a perfect match", edge=True, atol=1e-6)
    ### END HIDDEN TESTS


score

# %% [markdown]
# ### The table
#
# Rows are models, columns tasks, as MTEB lays it out. Retrieval: nDCG@10 on the docs, and on SciFact (claims of
# research papers, which none of ours was trained for) where it is at hand. STS: Spearman between cosine and the human
# score on STS-B, where it is at hand. Clustering: V-measure of $k$-means on the inbox's intents. Classification: the
# accuracy of a linear probe on the same intents, with ten labels each. BM25 over title and abstract, with Lucene's stop
# words, comes to within 0.01 of its published 0.665 on SciFact (Thakur et al. 2021).

# %% show
from scipy.stats import spearmanr
from sklearn.cluster import KMeans

def ndcg_of(scores: np.ndarray, passages: list[str], relevant: list[dict]) -> float:
    """Return the mean nDCG@10 of scores (queries, passages)."""
    best = np.argsort(-scores, axis=1, kind="stable")[:, :10]
    return float(np.mean([ndcg_at([passages[i] for i in row], r, 10) for row, r in zip(best, relevant, strict=True)]))


def real(name: str):
    """Return a real data set where it is at hand, else None."""
    if not budget(grade=False, cpu=True):
        return None
    try:
        return data.load(name, edition="real")
    except data.DataError as error:
        print(f"Left out: {error.problem}")
        return None


word_vectors = artifacts.load("docs-vectors", own=False)
index_of = {word: i for i, word in enumerate(word_vectors.config["vocabulary"])}


def mean_of_words(texts: list[str]) -> np.ndarray:
    """Return the mean of chapter 02's word vectors, brought to length 1."""
    table = word_vectors.weights["words"].numpy()
    found = np.zeros((len(texts), table.shape[1]), np.float32)
    for row, text in zip(found, texts, strict=True):
        ids = [index_of[w] for w in re.findall(r"[a-z][a-z0-9_]*", text.lower()) if w in index_of]
        row[:] = table[ids].mean(axis=0) if ids else 0
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)


inbox = data.load("inbox").without_repeats()
models = {
    "mean of word vectors": mean_of_words,
    "your encoder": encoder.encode,
    "reference": load_encoder(own=False).encode,
}
scifact, stsb = real("scifact"), real("stsb")
docs_relevant = [{name: 1} for name in task.names]
places = [None] * len(task.passages)
for name, place in zip(task.names, task.answers, strict=True):
    places[place] = name
columns = ["docs nDCG@10", "SciFact nDCG@10", "STS-B Spearman", "V-measure", "probe"]
results = {"BM25": dict.fromkeys(columns), **{name: dict.fromkeys(columns) for name in models}}
results["BM25"]["docs nDCG@10"] = ndcg_of(bm25, places, docs_relevant)
if scifact:
    claims, judged_claims = scifact.queries["test"], [scifact.relevant["test"][q] for q in scifact.queries["test"]]
    papers = [f"{p.title} {p.text}" for p in scifact.passages.values()]
    lexical = BM25(papers, plain_words, k1=1.2, b=0.75).scores(list(claims.values()))
    results["BM25"]["SciFact nDCG@10"] = ndcg_of(lexical, list(scifact.passages), judged_claims)
draw = np.random.default_rng(SEED)
ham = np.flatnonzero(inbox.labels == 0)[: budget(grade=300, cpu=3000)]
intents = np.array(inbox.intents)[ham]
texts = [inbox.texts[i] for i in ham]
labelled = np.concatenate([draw.permutation(np.flatnonzero(intents == i))[:10] for i in sorted(set(intents))])
rest = np.setdiff1d(np.arange(len(ham)), labelled)
for name, encode in models.items():
    row = results[name]
    row["docs nDCG@10"] = ndcg_of(encode(task.queries) @ encode(task.passages).T, places, docs_relevant)
    if scifact:
        table = encode(list(claims.values())) @ encode(papers).T
        row["SciFact nDCG@10"] = ndcg_of(table, list(scifact.passages), judged_claims)
    if stsb:
        a, b = (encode([getattr(pair, side) for pair in stsb.test]) for side in ("first", "second"))
        row["STS-B Spearman"] = float(spearmanr((a * b).sum(1), [pair.score for pair in stsb.test]).statistic)
    vectors = encode(texts)
    found = KMeans(len(set(intents)), n_init=2, random_state=SEED).fit_predict(vectors)
    row["V-measure"] = v_measure(intents.tolist(), found.tolist())
    head = LogisticRegression(C=10, max_iter=300).fit(vectors[labelled], intents[labelled])
    row["probe"] = head.score(vectors[rest], intents[rest])
print(f"{'model':<22}" + "".join(f"{c:>17}" for c in columns))
for name, row in results.items():
    print(f"{name:<22}" + "".join(f"{'-' if row[c] is None else format(row[c], '.3f'):>17}" for c in columns))

# %% [markdown]
# ## Pictures and sentences: CLIP in small
#
# Nothing in InfoNCE asks that both sides be of one kind. CLIP (Radford et al. 2021) gives an image encoder and a text
# encoder the same space and trains them on images and their captions. A class is then described instead of learned:
# the caption nearest to an image is the answer, and a *new* caption is a new classifier.
#
# ## Exercise 13: classes as points (`prototypes`)
#
# 12 minutes, ★★, 5 points
#
# One point for each class is enough to classify. It may come from a few examples (*few-shot*, Snell et al. 2017) or
# from several captions of the class (CLIP's prompts).
#
# 1. `prototypes(vectors, labels, num_classes)`: bring each vector of $(N, C)$ to length 1, take the mean for each
#    class, and bring that to length 1 again; returns $(K, C)$. A class without examples gets zeros.
# 2. `nearest(vectors, points)`: for each of $(M, C)$ the number of the point of $(K, C)$ with the largest *cosine*;
#    returns whole numbers $(M,)$; of equal ones the smallest number. A point of zeros has cosine 0, as in exercise 1.
#
# By hand: class 0 has (2, 0) and (0, 5): unit vectors (1, 0) and (0, 1), mean (0.5, 0.5), prototype (0.707, 0.707).
#
# <details><summary>Hint 1</summary><code>F.one_hot(labels, K).T</code> times the unit vectors adds them up for each
# class; the length of the sum does not matter, since it is brought to 1.</details>

# %% exercise="prototypes"
def prototypes(vectors: torch.Tensor, labels: torch.Tensor, num_classes: int) -> torch.Tensor:
    """Return a point of length 1 for each class, (K, C), from vectors (N, C) and labels (N,)."""
    ### BEGIN SOLUTION
    member = F.one_hot(labels, num_classes).T.to(vectors.dtype)  # (K, N)
    return F.normalize(member @ F.normalize(vectors, dim=-1), dim=-1)
    ### END SOLUTION


def nearest(vectors: torch.Tensor, points: torch.Tensor) -> torch.Tensor:
    """Return the number (M,) of the point of (K, C) with the largest cosine to each of vectors (M, C)."""
    ### BEGIN SOLUTION
    return cosine_similarities(vectors, points).argmax(dim=1)
    ### END SOLUTION

# %% check="prototypes" points=5
# The check of `prototypes`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("prototypes", points=5)
def score(check):
    import torch

    raw = "the vectors were not brought to length 1 before the mean: long ones count more"
    missing = "classes behind the largest label are missing: (K, C) is asked, for K = num_classes"
    short = "the mean was not brought to length 1"
    v, y = torch.tensor([[2.0, 0.0], [0.0, 5.0], [3.0, 4.0]]), torch.tensor([0, 0, 2])
    zero, nan, last = [0.0, 0.0], [float("nan")] * 2, [0.6, 0.8]
    want = [[0.7071068, 0.7071068], zero, last, zero]
    check(prototypes, v, y, 4).equals(want, rtol=1e-4, atol=1e-6, near={
        raw: [[0.3713907, 0.9284767], zero, last, zero], short: [[0.5, 0.5], zero, last, zero],
        "a class without examples gets zeros, not NaN": [[0.7071068, 0.7071068], nan, last, nan],
        "the sum was not brought to length 1": [[1.0, 1.0], zero, last, zero],
        missing: [[0.7071068, 0.7071068], zero, last],
        "only the classes that have examples are there: (K, C) is asked": [[0.7071068, 0.7071068], last],
    })
    dot = "the largest dot product was taken: the cosine is asked"
    far = "this is the point that is farthest"
    absolute = "the absolute value of the cosine was taken: below 0 is far"
    points = torch.tensor([[1.0, 0.0], [0.0, 3.0], [0.5, 0.5]])
    v = torch.tensor([[4.0, 1.0], [1.0, 1.2], [-1.0, 0.5], [-3.0, -1.0]])
    check(nearest, v, points).equals([0, 2, 1, 1], near={
        dot: [0, 1, 1, 2], far: [1, 0, 0, 0], absolute: [0, 2, 0, 0],
    })
    points = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 3.0], [2.0, 0.0]])
    v = torch.tensor([[4.0, 1.0], [1.0, 1.2], [-1.0, -0.5]])
    check(nearest, v, points).equals([1, 2, 0], about="a point of zeros, and two equally near", near={
        "of equal ones the smallest number is asked": [3, 2, 0], absolute: [1, 2, 1],
        "a point of zeros has cosine 0 with everything, not NaN": [0, 0, 0],
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np
    import torch.nn.functional as F

    check.hidden()

    def made(unit=True, end=True, average=lambda rows: rows.mean(0)):
        def points(v, y, k):
            v = F.normalize(v, dim=-1) if unit else v
            rows = [average(v[y == c]) if (y == c).any() else torch.zeros(v.shape[1]) for c in range(k)]
            return F.normalize(torch.stack(rows), dim=-1) if end else torch.stack(rows)

        return points

    check.mistakes({
        raw: made(unit=False), short: made(end=False),
        "neither the vectors nor the means have length 1": made(False, False),
        "the sum was not brought to length 1": made(end=False, average=lambda r: r.sum(0)),
        "the median was taken: the mean is asked": made(average=lambda r: r.median(0).values),
        "the first example of each class was taken": made(average=lambda r: r[0]),
        "the last example of each class was taken": made(average=lambda r: r[-1]),
        "classes without examples are missing: (K, C) is asked": lambda v, y, k: (
            (p := made()(v, y, k))[p.abs().sum(1) > 0]),
        "a class without examples gets zeros, not NaN": lambda v, y, k: (
            p := made()(v, y, k)).masked_fill((p == 0).all(1, keepdim=True), torch.nan),
        "the columns were brought to length 1 at the end: a point is a row": lambda v, y, k: F.normalize(
            made(end=False, average=lambda r: r.sum(0))(v, y, k), dim=0),
        "one mean of all vectors came for every class": lambda v, y, k: made()(v, torch.zeros_like(y), 1).expand(k, -1),
    })  # fmt: skip
    for n, c, k in [(7, 3, 3), (12, 5, 4), (9, 2, 6)]:
        v = torch.from_numpy(check.rng.normal(size=(n, c)) * check.rng.uniform(0.2, 9, size=(n, 1))).float()
        y = torch.from_numpy(np.concatenate([[0, 0, 1], check.rng.integers(0, k, size=n - 3)]))
        y[y == 2] = 0
        x = v.double().numpy() / np.linalg.norm(v.double().numpy(), axis=1, keepdims=True)
        want = np.zeros((k, c))
        for row, label in zip(x, y.tolist(), strict=True):
            want[label] += row
        want /= np.maximum(np.linalg.norm(want, axis=1, keepdims=True), 1e-12)
        check(prototypes, v, y, k).equals(want, about="fresh classes", rtol=1e-3, atol=1e-5)

    def by(score):
        return lambda v, p: score(v, p).argmax(1)

    check.mistakes({
        dot: by(lambda v, p: v @ p.T), far: by(lambda v, p: -(F.normalize(v) @ F.normalize(p).T)),
        "the smallest distance was taken, not the largest cosine": by(lambda v, p: -torch.cdist(v, p)),
        "these are the cosines: the number of the largest is asked": lambda v, p: F.normalize(v) @ F.normalize(p).T,
        "this is the largest cosine itself: its number is asked": lambda v, p: (
            F.normalize(v) @ F.normalize(p).T).amax(1),
        "one number for each point came: one for each vector is asked": lambda v, p: (
            F.normalize(v) @ F.normalize(p).T).argmax(0),
        absolute: by(lambda v, p: (F.normalize(v) @ F.normalize(p).T).abs()),
        "numbers count from 0": lambda v, p: (F.normalize(v) @ F.normalize(p).T).argmax(1) + 1,
    })  # fmt: skip
    for m, c, k in [(8, 3, 4), (20, 2, 5), (5, 6, 9)]:
        v, p = (check.rng.normal(size=(r, c)) * check.rng.uniform(0.1, 9, size=(r, 1)) for r in (m, k))
        v, p = (torch.from_numpy(rows).float() for rows in (v, p))
        a, b = v.double().numpy(), p.double().numpy()
        table = a @ b.T / np.linalg.norm(a, axis=1)[:, None] / np.linalg.norm(b, axis=1)[None]
        check(nearest, v, p).equals(table.argmax(1), about="fresh points")
    check(nearest, torch.tensor([[1.0, 1.0]]), torch.tensor([[0.0, -1.0], [2.0, 2.0], [0.0, 1.0], [2.0, 2.0]])).equals(
        [1], about="two points equally near", edge=True, near={"of equal ones the smallest number is asked": [3]}
    )
    check.mistakes({})
    check(nearest, torch.tensor([[-1.0, 2.0], [1.0, 0.5]]), torch.tensor([[0.0, 0.0], [2.0, 1.0], [-1.0, 2.0]])).equals(
        [2, 1], about="a class without examples", edge=True,
        near={"a point of zeros has cosine 0 with everything, not NaN": [0, 0]},
    )  # fmt: skip
    check(prototypes, v.double(), torch.zeros(len(v), dtype=torch.long), 2).holds(
        lambda v: v.dtype == torch.float64, "float64 for vectors of float64", about="the dtype is kept", edge=True,
        near={"float32 came: float64 was given and is to be kept": lambda v: v.dtype == torch.float32},
    )  # fmt: skip
    ### END HIDDEN TESTS


score

# %% [markdown]
# Digits and captions. Seven of the ten templates are used in training, three never ("a blurry photo of ...", "{} in
# black and white", "this is ..."), and at the end words are combined as no caption did. In a batch of 128 digits each
# class comes about a dozen times, so a dozen captions of a batch are right for a digit, and all but one would be false
# negatives: your `masked_info_nce` leaves them out.

# %% show
from helpers.data.images import TEMPLATES

UNSEEN = ("a blurry photo of {}", "{} in black and white", "this is {}")
SEEN = tuple(t for t in TEMPLATES if t not in UNSEEN)


class Clip(nn.Module):
    """An image encoder and a bag-of-tokens text encoder with one space of C numbers."""

    def __init__(self, d_model: int = 64):
        super().__init__()
        self.images, self.texts = ImageEncoder(projected=d_model), Encoder(VOCABULARY, d_model)

    def captions(self, texts: list[str]) -> torch.Tensor:
        """Return the vectors (B, C) of captions."""
        return self.texts([bag(reader(text)) for text in texts])

    def pictures(self, images: torch.Tensor) -> torch.Tensor:
        """Return the vectors (B, C) of images (B, H, W)."""
        return self.images.head(self.images(images))


digit_images, digit_labels = to_tensor(digits.train), torch.from_numpy(digits.train_labels)


def clip_loss(model, rows):
    """Both directions: image to caption, caption to image."""
    templates = torch.randint(len(SEEN), (len(rows),)).tolist()
    captions = [SEEN[t].format(digits.phrases[digit_labels[i]]) for t, i in zip(templates, rows.tolist(), strict=True)]
    seen, told, groups = model.pictures(augment(digit_images[rows])), model.captions(captions), digit_labels[rows]
    return (masked_info_nce(seen, told, groups, 0.1) + masked_info_nce(told, seen, groups, 0.1)) / 2


seed_everything(SEED)
clip = Clip()
draws = [torch.randint(len(digit_images), (128,)) for _ in range(budget(grade=4, cpu=150))]
history = fit(clip, draws, clip_loss, steps=len(draws), lr=4e-3, progress=False)
print(f"loss {history.losses[0]:.2f} at first, {history.losses[-1]:.2f} after {len(draws)} steps")
test_images, test_labels = to_tensor(digits.test), torch.from_numpy(digits.test_labels)
with torch.no_grad():
    test_seen = clip.pictures(test_images)


@torch.no_grad()
def zero_shot(templates) -> tuple[float, torch.Tensor]:
    """Return (accuracy, guesses) with one point for each class from these templates."""
    captions = [t.format(phrase) for phrase in digits.phrases for t in templates]
    points = prototypes(clip.captions(captions), torch.arange(10).repeat_interleave(len(templates)), 10)
    guesses = nearest(test_seen, points)
    return (guesses == test_labels).float().mean().item(), guesses


for name, templates in {
    "one caption of training": SEEN[:1], "all seven of training, averaged": SEEN,
    "three captions never seen": UNSEEN, "words never combined so": ("the number in this grey image shows {}",),
}.items():
    print(f"zero-shot, {name:<34} {zero_shot(templates)[0]:.3f}")
bare = nearest(test_seen, clip.captions([f"{word}" for word in digits.classes]).detach())
print(f"zero-shot, {'only the word (seven)':<34} {(bare == test_labels).float().mean():.3f}")
for shots in (1, 5):
    rows = few_labels(digits.train_labels, shots, SEED)
    points = prototypes(torch.from_numpy(vectors_of(image_encoders[0], digit_images[rows])), digit_labels[rows], 10)
    guesses = nearest(torch.from_numpy(vectors_of(image_encoders[0], test_images)), points)
    what = f"SimCLR, nearest mean, {shots} a class"
    print(f"few-shot,  {what:<34} {(guesses == test_labels).float().mean():.3f}")
counts = np.zeros((10, 10), dtype=int)
np.add.at(counts, (digits.test_labels, zero_shot(UNSEEN)[1].numpy()), 1)
plots.show(*plots.confusion(counts, list(digits.classes)))

# %% [markdown]
# ## A map of the docs
#
# The reward. Encode thousands of documents, cluster them, lay them out in the plane, and let each cluster say what it
# is about. The last needs one more formula.
#
# ## Exercise 14: words that name a cluster, c-TF-IDF (`ctfidf`)
#
# 12 minutes, ★★, 4 points
#
# BERTopic (Grootendorst 2022) puts the documents of each cluster together and asks which words are frequent *there* and
# rare elsewhere. From the counts $n_{kv}$ of word $v$ in cluster $k$, an array $(K, V)$:
#
# $$w_{kv} = \frac{n_{kv}}{\sum_u n_{ku}} \cdot \log\Big(1 + \frac{A}{f_v}\Big)$$
#
# $f_v = \sum_k n_{kv}$ is how often the word comes in all clusters together, and $A$ the mean number of words of a
# cluster, $\frac{1}{K} \sum_{k,v} n_{kv}$. A word that never comes has weight 0, and so has every word in an empty
# cluster. Natural logarithm; a float array $(K, V)$ is returned.
#
# By hand: counts ((2, 0), (1, 1)): $A = 2$, $f = (3, 1)$; $w_{00} = 1 \cdot \log(1 + 2/3) = 0.511$, $w_{11} = 0.5
# \cdot \log 3 = 0.549$.
#
# <details><summary>Hint 1</summary>Sums over axis 1, with <code>keepdims=True</code>, are those of clusters; over axis
# 0 those of words.</details>
# <details><summary>Hint 2</summary>A sum of 0 divides only zeros: replace it by 1 before you divide.</details>

# %% exercise="ctfidf"
def c_tf_idf(counts: np.ndarray) -> np.ndarray:
    """Return the class-based TF-IDF (K, V) of counts (K, V) of words in clusters."""
    ### BEGIN SOLUTION
    counts = np.asarray(counts, dtype=float)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    average = counts.sum() / len(counts)
    return shares * np.log1p(average / np.maximum(counts.sum(axis=0), 1))
    ### END SOLUTION

# %% check="ctfidf" points=4
# The check of `ctfidf`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("ctfidf", points=4)
def score(check):
    import numpy as np

    raw = "the count is to be divided by the number of words of its cluster"
    idf = "this is the ordinary IDF, by the number of clusters that hold the word"
    no_one = "1 is added inside the logarithm"
    total = "A is the mean number of words of a cluster, not the number of all words"
    columns = "divide by the sum of the cluster, a row, not of the word"
    upside = "A over f, not f over A"
    words = "A is a mean over the clusters, not over the words"
    rounded = "A was rounded down: it is a mean, not a whole number"
    n = np.array([[2, 0, 4], [1, 3, 1]])
    want = [[0.3471513, 0.0, 0.4946249], [0.2082908, 0.6248723, 0.1483875]]
    check(c_tf_idf, n).equals(want, rtol=1e-4, atol=1e-7, near={
        raw: [[2.082908, 0.0, 2.967749], [1.041454, 3.124362, 0.7419373]],
        no_one: [[0.2020453, 0.0, 0.06354012], [0.1212272, 0.3636815, 0.01906204]],
        total: [[0.5134817, 0.0, 0.7754339], [0.308089, 0.924267, 0.2326302]],
        columns: [[0.6943026, 0.0, 0.5935499], [0.3471513, 1.041454, 0.1483875]],
        upside: [[0.145106, 0.0, 0.4310848], [0.08706361, 0.2611908, 0.1293254]],
        idf: [[0.0, 0.0, 0.0], [0.0, 0.4158883, 0.0]],
        words: [[0.2661692, 0.0, 0.3666976], [0.1597015, 0.4791046, 0.1100093]],
        rounded: [[0.3269431, 0.0, 0.4620981], [0.1961659, 0.5884976, 0.1386294]],
    })
    n = np.array([[2, 0, 0, 4], [0, 0, 0, 0], [1, 0, 3, 1]])
    want = [[0.2661692, 0.0, 0.0, 0.3666976], [0.0] * 4, [0.1597015, 0.0, 0.4791046, 0.1100093]]
    nan, kept = np.nan, "an empty cluster counts in the mean A: divide by all K"
    check(c_tf_idf, n).equals(want, rtol=1e-4, atol=1e-7, about="an empty cluster, a word that never comes", near={
        kept: [[0.3471513, 0.0, 0.0, 0.4946249], [0.0] * 4, [0.2082908, 0.0, 0.6248723, 0.1483875]],
        "0 divided by 0: an empty cluster has weights 0": [want[0], [nan] * 4, want[2]],
        "0 divided by 0: a word that never comes has weight 0": [
            [0.2661692, nan, 0.0, 0.3666976], [nan] * 4, [0.1597015, nan, 0.4791046, 0.1100093]],
        total: [[0.5134817, 0.0, 0.0, 0.7754339], [0.0] * 4, [0.308089, 0.0, 0.924267, 0.2326302]],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(tf=lambda n: n / n.sum(1, keepdims=True), inside=lambda a, f: 1 + a / f, a=lambda n: n.sum() / len(n),
             log=np.log):  # fmt: skip
        return lambda n: tf(n) * log(inside(a(n), n.sum(0)))

    check.mistakes({
        raw: made(tf=lambda n: n), no_one: made(inside=lambda a, f: a / f), total: made(a=lambda n: n.sum()),
        columns: made(tf=lambda n: n / n.sum(0)), upside: made(inside=lambda a, f: 1 + f / a),
        idf: lambda n: n / n.sum(1, keepdims=True) * np.log(len(n) / (n > 0).sum(0)),
        words: made(a=lambda n: n.sum() / n.shape[1]),
        "A is the mean of a cluster's words, not of a single count": made(a=lambda n: n.mean()),
        "the logarithm has another base: the natural one is asked": made(log=np.log2),
        "base 10 was taken: the natural logarithm is asked": made(log=np.log10),
        "1 was added to f: it is added to the fraction": made(inside=lambda a, f: a / (1 + f)),
        "divided by the cluster's largest count: divide by its number of words": made(
            tf=lambda n: n / n.max(1, keepdims=True)),
        "rows were brought to length 1 at the end: leave the weights as they are": lambda n: (
            (w := made()(n)) / np.linalg.norm(w, axis=1, keepdims=True)),
        rounded: made(a=lambda n: n.sum() // len(n)),
        "the logarithm is missing": made(log=lambda v: v), "these are the frequencies alone": made(log=lambda v: 1.0),
        "f is how often the word comes, not in how many clusters": lambda n: (
            n / n.sum(1, keepdims=True) * np.log(1 + n.sum() / len(n) / (n > 0).sum(0))),
        "divided by the sum of all counts: divide by that of the cluster": made(tf=lambda n: n / n.sum()),
    })  # fmt: skip
    for k, v in [(3, 5), (4, 3), (2, 9)]:
        n = check.rng.integers(0, 9, size=(k, v))
        n[0] += 1
        n[:, 0] += 1
        want = np.zeros((k, v))
        for i in range(k):
            for j in range(v):
                want[i, j] = n[i, j] / sum(n[i]) * np.log(1 + (sum(map(sum, n.tolist())) / k) / sum(n[:, j]))
        check(c_tf_idf, n).equals(want, about="fresh counts", rtol=1e-4, atol=1e-8)
    nan = float("nan")
    check.mistakes({})
    check(c_tf_idf, np.array([[2.0, 0.0], [1.0, 0.0]])).equals(
        [[0.4054651, 0.0], [0.4054651, 0.0]], about="a word that never comes", edge=True, rtol=1e-4,
        near={"0 divided by 0: a word that never comes has weight 0": [[0.4054651, nan], [0.4054651, nan]]},
    )  # fmt: skip
    check(c_tf_idf, np.array([[0, 0], [3, 1]])).equals(
        [[0.0, 0.0], [0.3831192, 0.2746531]], about="an empty cluster", edge=True, rtol=1e-4,
        near={"0 divided by 0: an empty cluster has weights 0": [[nan, nan], [0.3831192, 0.2746531]]},
    )  # fmt: skip
    ### END HIDDEN TESTS


score

# %% [markdown]
# The map, drawn with the reference encoder. t-SNE keeps neighbours near and says nothing about far distances. Which
# clusters hold one library, and which hold what several libraries do alike?

# %% show
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.manifold import TSNE

kept = [i for i, d in enumerate(docs) if d.kind in ("function", "class", "topic")]
drawn = np.random.default_rng(SEED).permutation(kept)
drawn = sorted(drawn[: budget(grade=120, cpu=1500, gpu=4000)])
chosen = [docs[int(i)] for i in drawn]
map_vectors = load_encoder(own=False).encode([d.body for d in chosen])
clusters = KMeans(budget(grade=4, cpu=22), n_init=2, random_state=SEED).fit_predict(map_vectors)
tsne = TSNE(init="pca", perplexity=budget(grade=10, cpu=30), metric="cosine", random_state=SEED)
plane = tsne.fit_transform(map_vectors)
counter = CountVectorizer(stop_words="english", token_pattern=r"[a-z]{4,}", min_df=3, binary=True)
by_cluster = counter.fit_transform(re.sub(r":[a-z:]+:", " ", d.summary.lower()) for d in chosen)
by_cluster = np.stack([np.asarray(by_cluster[clusters == k].sum(axis=0)).ravel() for k in range(clusters.max() + 1)])
vocabulary, weights = counter.get_feature_names_out(), c_tf_idf(by_cluster)
titles = [", ".join(vocabulary[i] for i in np.argsort(-row)[:3]) for row in weights]
fig, ax = plots.figure(width=11, height=8)
ax.axis("off")
libraries = list(dict.fromkeys(d.library for d in chosen))
for i, library in enumerate(libraries):
    of_it = np.array([d.library == library for d in chosen])
    ax.plot(*plane[of_it].T, "o^sDvP"[i], color=plots.COLORS[i], markersize=4, alpha=0.55, linewidth=0, label=library)
ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0), ncols=len(libraries), markerscale=2, fontsize=10)
middles = np.stack([np.median(plane[clusters == k], axis=0) for k in range(len(titles))])
written = []
for k in np.argsort(-np.bincount(clusters)):  # the largest first; a name that would cover another moves down
    x, y = middles[k]
    step = np.ptp(plane[:, 1]) / 40
    while any(abs(y - b) < step and abs(x - a) < np.ptp(plane[:, 0]) / 5 for a, b in written):
        y -= step
    written.append((x, y))
    box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.75}
    ax.text(x, y, titles[k], ha="center", va="center", fontsize=10, fontweight="bold", bbox=box)
plots.show(
    fig,
    f"A map of {len(chosen):,} functions, classes and topics of the docs, one marker for each of {len(libraries)} "
    f"libraries, each of {len(titles)} clusters named by its words, such as: {'; '.join(titles[:8])}.",
)
for k in np.argsort(-np.bincount(clusters))[:8]:
    members = [chosen[i].name for i in np.flatnonzero(clusters == k)[:4]]
    print(f"{titles[k]:<40} {(clusters == k).sum():>4} documents, such as {', '.join(members)}")

# %% [markdown]
# ## Essay 2: what the numbers leave out (`numbers`)
#
# 15 minutes, ★★, 10 points, graded by hand
#
# (a) In the retrieval table, what does each model have that the other lacks, and why does fusing ranks help, or why not
# more? Use two of the queries that you read. (b) Only one passage counts as right for each query, and the queries are
# first sentences. Name one way in which this flatters BM25 or the encoder, and one in which it is unfair; what would a
# better test set look like? (c) The evaluation table has five tasks. Which of them would you trust when you choose an
# encoder for the search in chapter 08, and which would mislead you? About 180 words.

# %% [markdown] essay="numbers" points=10
# ### BEGIN SOLUTION
# (a) BM25 finds rare words exactly and weighs length well; the encoder brings together words that training pairs have
# brought together, and pieces of names. Fusion helps where one ranks high what the other misses; both here are
# made of words, so they often err together, and the gain is a few points. "Evenly spaced numbers" has its words in
# the right passages, so both find it; "stop training when nothing improves" shares few words with `early_stopping`.
# (b) Authors repeat the words of the first sentence in the body, which flatters everything that counts words; other
# passages that answer as well count as wrong, which is unfair most to a model that finds them. Better: questions by
# people who have not read the passage, several judged answers each, graded, and modules unseen in training, as here.
# (c) The retrieval columns, the docs' first of all, since they are the task and the domain. SciFact tells about
# transfer. V-measure and the probe on the inbox say little about search in documentation; STS rewards agreement on
# everyday sentences, which our encoder has never read. I would not choose by a mean over all.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: complementary strengths named from the output; fusion gains where errors differ; two queries discussed.
# 3 points: single relevant passage (unfair) and overlap of first sentence and body (flattering); a better test set.
# 3 points: chooses columns by task and domain with reasons; warns of the mean over tasks.
# ### END MARK SCHEME

# %% [markdown]
# ## The leaderboard, and what is saved
#
# Spam, once more: a logistic regression on the vectors of your encoder, which was trained on the docs and never saw a
# message. Where does it stand, and why?

# %% show
with leaderboard.measured("07", "contrastive encoder, linear probe", "inbox") as row:
    from sklearn.metrics import f1_score

    parts = inbox.split(test=0.2, seed=SEED)
    head = LogisticRegression(C=30, max_iter=1000)
    head.fit(encoder.encode(parts[0].texts), parts[0].labels)
    row.f1 = f1_score(parts[1].labels, head.predict(encoder.encode(parts[1].texts)))
    row.parameters = sum(p.numel() for p in my_model.parameters()) + head.coef_.size + 1
print(leaderboard.table("inbox"))

# %% show
print(results_line := f"recall@10 {task.measure(searched(my_model))[0]:.3f} (BM25 {baseline:.3f})")
card = f"""\
# docs-encoder: your own

{sum(p.numel() for p in my_model.parameters()):,} parameters, trained by chapter 07 on {len(train_pairs):,} pairs of the
docs in {2 * PHASE} steps. 500 held-out queries, 6,000 passages: {results_line}.
"""
sizes = {"vocab_size": VOCABULARY, "d_model": my_model.embedding.embedding_dim}
own = artifacts.Artifact("docs-encoder", dict(my_model.state_dict()), sizes, "", card)
print(artifacts.save(own).name, "saved")

# %% [markdown]
# ## What you built, and what breaks next
#
# Losses that pull and push, each checked against its closed form; an encoder of images that needs few labels, one of
# texts that searches, one space for both; the measures of a benchmark; and a map.
#
# What breaks: the search returns *passages*. Whoever asks "how do I wait for a thread?" wants an answer, with its
# source, and wants to be told when the docs do not say. [Chapter 08](../08_rag/08_rag.ipynb) puts a reader behind the
# search.
#
# **Saved:** the artifact *docs-encoder*, your own; the row of the leaderboard.
#
# ## Further reading
#
# - F. Schroff, D. Kalenichenko and J. Philbin (2015). FaceNet: a unified embedding for face recognition and clustering.
#   *CVPR*. Triplets.
# - A. van den Oord, Y. Li and O. Vinyals (2018). Representation learning with contrastive predictive coding.
#   arXiv:1807.03748. InfoNCE.
# - T. Chen, S. Kornblith, M. Norouzi and G. Hinton (2020). A simple framework for contrastive learning of visual
#   representations. *ICML*. SimCLR.
# - T. Wang and P. Isola (2020). Understanding contrastive representation learning through alignment and uniformity on
#   the hypersphere. *ICML*.
# - N. Reimers and I. Gurevych (2019). Sentence-BERT: sentence embeddings using Siamese BERT-networks. *EMNLP*.
# - V. Karpukhin et al. (2020). Dense passage retrieval for open-domain question answering. *EMNLP*. Hard negatives from
#   BM25.
# - L. Wang et al. (2022). Text embeddings by weakly-supervised contrastive pre-training. arXiv:2212.03533. E5.
# - N. Muennighoff, N. Tazi, L. Magne and N. Reimers (2023). MTEB: massive text embedding benchmark. *EACL*.
# - N. Thakur, N. Reimers, A. Rücklé, A. Srivastava and I. Gurevych (2021). BEIR. *NeurIPS Datasets and Benchmarks*.
# - A. Rosenberg and J. Hirschberg (2007). V-measure: a conditional entropy-based external cluster evaluation measure.
#   *EMNLP-CoNLL*.
# - A. Radford et al. (2021). Learning transferable visual models from natural language supervision. *ICML*. CLIP.
# - J. Snell, K. Swersky and R. Zemel (2017). Prototypical networks for few-shot learning. *NIPS 30*.
# - G. V. Cormack, C. L. A. Clarke and S. Büttcher (2009). Reciprocal rank fusion outperforms Condorcet and individual
#   rank learning methods. *SIGIR*.
# - M. Grootendorst (2022). BERTopic: neural topic modeling with a class-based TF-IDF procedure. arXiv:2203.05794.
