# %% [markdown]
# # 05 Transformers: blocks, BERT, GPT, translation
#
# **What you will build.** The transformer, whole: layer normalisation, the feed-forward network, the block; an encoder
# that learns from masked text and is then taught to classify, to tag and to find answers; a GPT that learns the docs
# and writes them on, with every usual way to choose the next token; and an encoder-decoder that translates dates.
#
# **What you need.** Attention as [chapter 04](../04_attention/04_attention.ipynb) builds it (here it is the library's,
# `F.scaled_dot_product_attention`), cross-entropy and perplexity from [chapter 03](../03_rnns/03_rnns.ipynb), the
# artifact *docs-tokenizer*.
#
# **Points.** 100: fourteen exercises checked by machine (80) and two short essays (20). Allow about six hours. The
# whole notebook, once written, runs in about three minutes on two cores.
#
# **Notation.** $B$ texts of $T$ tokens, each token a row of $C$ (`d_model`) numbers; $H$ heads of $d_k = C / H$; $V$
# tokens in the vocabulary. `nn.Linear` holds its matrix as (out, in), so a layer computes $x W^\top + b$, which is
# `F.linear(x, W, b)`.

# %% given
import math
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import artifacts, data, leaderboard, notebook, plots
from helpers.claims import claim
from helpers.device import SEED, budget, seed_everything
from helpers.training import fit

notebook.prepare()


def attention(x, memory, p: dict, name: str, num_heads: int, mask=None, is_causal: bool = False):
    """Multi-head attention from x (B, T, C) to memory (B, S, C), with the library's core; returns (B, T, C).

    p:    the weights, under the names of nn.MultiheadAttention behind `name`: in_proj_weight (3C, C) holds those of
          queries, keys and values, one below the other.
    mask: booleans that fit (B, H, T, S), True where a query may look. is_causal: no query looks ahead.
    """
    matrices, biases = p[f"{name}.in_proj_weight"].chunk(3), p[f"{name}.in_proj_bias"].chunk(3)
    parts = [F.linear(v, w, b) for v, w, b in zip((x, memory, memory), matrices, biases, strict=True)]
    query, key, value = (v.unflatten(-1, (num_heads, -1)).transpose(1, 2) for v in parts)  # (B, H, T, d_k)
    z = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=is_causal)
    return F.linear(z.transpose(1, 2).flatten(2), p[f"{name}.out_proj.weight"], p[f"{name}.out_proj.bias"])

# %% [markdown]
# ## Deep stacks and how they break
#
# Attention mixes tokens. To compute something hard, we stack it: attention, then a small network for each token, again
# and again. GPT-3 stacks 96 such blocks. A plain stack of that depth cannot be trained: on its way through the layers
# the signal, and on the way back the gradient, shrinks to nothing or grows without bound. Two devices keep both alive:
# *normalisation*, which gives each token's vector the same size again, and *residual connections*, which give the
# gradient a straight way through. We build both, then measure what each of them does.
#
# ## Exercise 1: layer normalisation (`layer-norm`)
#
# 12 minutes, ★, 5 points
#
# For *each token by itself*, the $C$ numbers are brought to mean 0 and variance 1, then scaled and moved by two
# learned vectors, the gain $\gamma$ (`weight`) and the offset $\beta$ (`bias`), both of shape $(C,)$:
#
# $$y = \frac{x - \mathrm{E}[x]}{\sqrt{\mathrm{Var}[x] + \epsilon}} \odot \gamma + \beta$$
#
# The mean and the variance are over the last axis; the variance divides by $C$, not by $C - 1$. A slide says that the
# norm goes "across all the N input samples". That is batch normalisation; here no token knows of any other.
#
# By hand: (1, 2, 3, 4) has mean 2.5 and variance 1.25, so with $\epsilon$ near 0 it becomes (-1.342, -0.447, 0.447,
# 1.342).
#
# Your function takes a tensor with any number of axes before the last, and returns a new one of the same shape and
# dtype (= `nn.LayerNorm`). Write it from means and roots; the check compares with the library's. Models learn through
# it, so autograd must find its way back from the result to `x`: no `detach`, no `no_grad`, no `.item()`, no NumPy.
#
# <details><summary>Hint 1</summary><code>dim=-1, keepdim=True</code> keeps an axis of size 1, so that the result
# can be subtracted from <code>x</code>.</details>
# <details><summary>Hint 2</summary><code>Tensor.var</code> divides by C - 1 unless it is told
# <code>correction=0</code>.</details>

# %% exercise="layer-norm"
def layer_norm(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    """Return x (..., C), each row of the last axis normalised, times weight (C,), plus bias (C,)."""
    ### BEGIN SOLUTION
    mean = x.mean(dim=-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias
    ### END SOLUTION

# %% check="layer-norm" points=5
# The check of `layer-norm`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("layer-norm", points=5)
def score(check):
    import torch

    biased = "the variance divides by C, not by C - 1: correction=0"
    outside = "eps stands inside the root, beside the variance"
    no_eps = "eps is missing"
    fixed = "the argument eps is ignored"
    floor = "eps is the smallest variance here: it is added to each"
    no_mean = "the mean was not subtracted: that is RMSNorm, which divides by the root of the mean square"
    one_mean = "the mean was subtracted, but the size is not brought to 1: divide by the root of the variance"
    tokens = "this is normalised over the tokens of a text; each token is normalised by itself, over its numbers"
    everything = "one mean and variance for all numbers together; each token has its own"
    divided = "divide by the root of the variance, not by the variance"
    before = "the bias is added after the weight, not before: (...) * weight + bias"
    no_weight, no_bias = "the weight is missing", "the bias is missing"
    minus = "the bias is added, not subtracted"

    one, none = torch.ones(4), torch.zeros(4)
    check(layer_norm, torch.tensor([[1.0, 2.0, 3.0, 4.0]]), one, none).equals(
        [[-1.341635, -0.4472117, 0.4472117, 1.341635]], near={
            biased: [[-1.16189, -0.387297, 0.387297, 1.16189]],
            no_mean: [[0.365148, 0.730296, 1.09544, 1.46059]], one_mean: [[-1.5, -0.5, 0.5, 1.5]],
            tokens: [[0.0, 0.0, 0.0, 0.0]], divided: [[-1.19999, -0.399997, 0.399997, 1.19999]],
        }
    )
    weight, bias = torch.tensor([1.0, 2.0, -0.5]), torch.tensor([0.0, 1.0, 3.0])
    check(layer_norm, torch.tensor([[1.0, 2.0, 6.0], [5.0, -1.0, 2.0]]), weight, bias).equals(
        [[-0.9258189, 0.0741811, 2.305636], [1.224743, -1.449486, 3.0]], rtol=1e-5, atol=1e-6, near={
            biased: [[-0.755928, 0.244072, 2.43305], [0.999999, -0.999999, 3]],
            outside: [[-0.925816, 0.0741842, 2.30564], [1.22474, -1.44948, 3]],
            no_mean: [[0.270501, 2.082, 2.1885], [1.58114, 0.367545, 2.68377]],
            one_mean: [[-2, -1, 1.5], [3, -5, 3]],
            tokens: [[-0.999999, 3, 2.5], [0.999999, -0.999996, 3.5]],
            everything: [[-0.63481, 0.576793, 2.25939], [1.05802, -1.96245, 3.1058]],
            divided: [[-0.428571, 0.571429, 2.67857], [0.499999, 1.66893e-06, 3]],
            before: [[-0.925819, 1.07418, -2.19436], [1.22474, -0.449488, -1.5]],
            no_weight: [[-0.925819, 0.53709, 4.38873], [1.22474, -0.224744, 3]],
            no_bias: [[-0.925819, -0.925819, -0.694364], [1.22474, -2.44949, 0.0]],
            minus: [[-0.925819, -1.92582, -3.69436], [1.22474, -3.44949, -3]],
        }
    )
    check(layer_norm, torch.tensor([[0.0, 2.0, 4.0]]), weight, bias, eps=1.0).equals(
        [[-1.044466, 1.0, 2.477767]], near={
            biased: [[-0.894427, 1, 2.55279]], outside: [[-0.759592, 1, 2.6202]],
            no_eps: [[-1.22474, 1, 2.38763]], fixed: [[-1.22474, 1, 2.38763]],
            floor: [[-1.22474, 1, 2.38763]],
            no_mean: [[0.0, 2.44463, 2.27768]], one_mean: [[-2, 1, 2]], tokens: [[0.0, 1, 3]],
            divided: [[-0.545455, 1, 2.72727]], before: [[-1.04447, 2, -2.02223]],
            no_weight: [[-1.04447, 1, 4.04447]], no_bias: [[-1.04447, 0.0, -0.522233]],
            minus: [[-1.04447, -1, -3.52223]],
        }
    )
    ### BEGIN HIDDEN TESTS
    import torch.nn.functional as F

    check.hidden()

    def made(center=lambda x: x.mean(-1, keepdim=True), spread=None, apply=lambda z, w, b: z * w + b, root=None):
        """A layer norm whose parts can be exchanged."""
        spread = spread or (lambda x: x.var(-1, correction=0, keepdim=True))
        root = root or (lambda v, eps: (v + eps) ** 0.5)
        return lambda x, weight, bias, eps=1e-5: apply((x - center(x)) / root(spread(x), eps), weight, bias)

    check.mistakes({
        biased: made(spread=lambda x: x.var(-1, correction=1, keepdim=True)),
        outside: made(root=lambda v, eps: v**0.5 + eps),
        no_eps: made(root=lambda v, eps: v**0.5),
        fixed: lambda x, w, b, eps=1e-5: made()(x, w, b),
        floor: made(root=lambda v, eps: v.clamp(min=eps) ** 0.5),
        "the median stands where the mean is asked": made(center=lambda x: x.median(-1, keepdim=True).values),
        "the range, largest less smallest, stands where the root of the variance is asked": made(
            spread=lambda x: x.amax(-1, keepdim=True) - x.amin(-1, keepdim=True), root=lambda v, eps: v + eps
        ),
        "eps is squared: it is added to the variance as it is": made(root=lambda v, eps: (v + eps**2) ** 0.5),
        no_mean: made(center=lambda x: 0, spread=lambda x: (x**2).mean(-1, keepdim=True)),
        "the mean was not subtracted from x, only inside the variance": made(center=lambda x: 0),
        "the mean square was taken for the variance: subtract the mean there too": made(
            spread=lambda x: (x**2).mean(-1, keepdim=True)
        ),
        one_mean: made(root=lambda v, eps: 1.0),
        tokens: made(
            center=lambda x: x.mean(-2, keepdim=True), spread=lambda x: x.var(-2, correction=0, keepdim=True)
        ),
        "this is normalised over the first axis; each token is normalised by itself, over the last": made(
            center=lambda x: x.mean(0, keepdim=True), spread=lambda x: x.var(0, correction=0, keepdim=True)
        ),
        "mean and variance are taken over a whole text; each token has its own": made(
            center=lambda x: x.mean((-2, -1), keepdim=True),
            spread=lambda x: x.var((-2, -1), correction=0, keepdim=True),
        ),
        everything: made(center=lambda x: x.mean(), spread=lambda x: x.var(correction=0)),
        "this is normalised over axis 1, which is the last axis only where x has two": made(
            center=lambda x: x.mean(1, keepdim=True), spread=lambda x: x.var(1, correction=0, keepdim=True)
        ),
        divided: made(root=lambda v, eps: v + eps),
        "the mean absolute deviation stands where the root of the variance is asked": made(
            spread=lambda x: (x - x.mean(-1, keepdim=True)).abs().mean(-1, keepdim=True), root=lambda v, eps: v + eps
        ),
        "the variance is the mean of the squares less the square of the mean: here the mean is not squared": made(
            spread=lambda x: (x**2).mean(-1, keepdim=True) - x.mean(-1, keepdim=True)
        ),
        before: made(apply=lambda z, w, b: (z + b) * w),
        no_weight: made(apply=lambda z, w, b: z + b),
        no_bias: made(apply=lambda z, w, b: z * w),
        "weight and bias are both missing": made(apply=lambda z, w, b: z),
        "weight and bias are exchanged": made(apply=lambda z, w, b: z * b + w),
        "the gain is taken as 1 + weight; it is the weight itself": made(apply=lambda z, w, b: z * (1 + w) + b),
        minus: made(apply=lambda z, w, b: z * w - b),
    })
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def tried(*shape, about, scale=1.0, shift=0.0, dtype=torch.float32, edge=False, **more):
        x = (torch.randn(shape, generator=draw) * scale + shift).to(dtype)
        w, b = (torch.randn(shape[-1], generator=draw).to(dtype) for _ in "wb")
        oracle = F.layer_norm(x, shape[-1:], w, b, **more)
        return check(layer_norm, x, w, b, **more).equals(oracle, about=about, rtol=1e-4, atol=1e-5, edge=edge)

    tried(2, 3, 5, about="fresh vectors")
    tried(4, 7, about="fresh vectors", scale=3.0, shift=-2.0)
    tried(3, 3, 3, about="as many tokens as texts and numbers")
    tried(2, 3, 2, 6, about="four axes")
    tried(2, 4, 5, about="small numbers, where eps counts", scale=3e-3)
    tried(2, 4, 5, about="another eps", eps=0.3)
    tried(2, 3, 64, about="wide vectors far from 0", scale=10.0, shift=100.0)
    tried(5, about="a single vector", edge=True)
    tried(2, 4, 6, about="double precision", dtype=torch.float64)
    constant = torch.full((2, 3), 5.0)
    w, b = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.5, 0.0, -1.0])
    check(layer_norm, constant, w, b).equals(
        b.expand(2, 3), about="all numbers equal", edge=True, atol=1e-6, near={no_eps: torch.full((2, 3), torch.nan)}
    )
    turned = torch.randn(5, 3, generator=draw).T
    check(layer_norm, turned, torch.ones(5), torch.zeros(5)).equals(
        F.layer_norm(turned, (5,)), about="a transposed view", rtol=1e-4, atol=1e-5
    )
    for dtype in (torch.float32, torch.float64):
        x, w, b = (torch.randn(s, generator=draw).to(dtype) for s in ((2, 4), 4, 4))
        check(layer_norm, x, w, b).holds(
            lambda y, dtype=dtype: y.dtype == dtype, f"a tensor of {dtype}", about="the dtype is kept", edge=True
        )
    check(layer_norm, x.clone().requires_grad_(), w, b).holds(
        lambda y: y.requires_grad, "autograd finds its way back to x", about="what training needs", edge=True,
        near={"the gradient is cut on its way to x: no detach, no no_grad, no item, no NumPy":
              lambda y: torch.allclose(y, F.layer_norm(x, (4,), w, b), rtol=1e-4, atol=1e-5)},
    )  # fmt: skip
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Exercise 2: the feed-forward network (`feed-forward`)
#
# 10 minutes, ★, 4 points
#
# After attention has brought together what a token needs, a network of two layers works on each token alone:
#
# $$\mathrm{FF}(x) = \mathrm{GELU}(x W_1^\top + b_1)\, W_2^\top + b_2, \qquad \mathrm{GELU}(z) = z \cdot \Phi(z)
# = \frac{z}{2}\Big(1 + \mathrm{erf}\frac{z}{\sqrt 2}\Big)$$
#
# $\Phi$ is the share of a standard normal variable that lies below $z$: large inputs pass, very negative ones are
# stopped, and between them the gate opens smoothly (`torch.erf`). The middle is wider than the ends, usually four
# times: $C \to 4C \to C$. (A slide writes "$D \to D$, then $4D \to D$": that does not fit together.)
#
# By hand: $\Phi(1) = 0.8413$, so GELU(1) = 0.8413 and GELU(-1) = $-1 \cdot 0.1587$ = -0.1587.
#
# Write the exact form (= `F.gelu`), not the approximation with tanh, which differs in the fourth digit. `w1` has the
# shape $(F, C)$ and `w2` $(C, F)$, as `nn.Linear` keeps them. Both functions return new tensors of the shape and the
# dtype of their input, and float64 is computed with the precision of float64 ($\sqrt 2$ is `math.sqrt(2)`, not 1.414).
# A large number stays as it is, and a very negative one becomes 0.
#
# <details><summary>Hint 1</summary><code>F.linear(x, w1, b1)</code> is <code>x @ w1.T + b1</code>.</details>

# %% exercise="feed-forward"
def gelu(z: torch.Tensor) -> torch.Tensor:
    """Return GELU of each number of z, any shape, by the error function."""
    ### BEGIN SOLUTION
    return 0.5 * z * (1 + torch.erf(z / math.sqrt(2)))
    ### END SOLUTION


def feed_forward(
    x: torch.Tensor, w1: torch.Tensor, b1: torch.Tensor, w2: torch.Tensor, b2: torch.Tensor
) -> torch.Tensor:
    """Return linear, GELU, linear of x (..., C); w1 (F, C), b1 (F,), w2 (C, F), b2 (C,)."""
    ### BEGIN SOLUTION
    return F.linear(gelu(F.linear(x, w1, b1)), w2, b2)
    ### END SOLUTION

# %% check="feed-forward" points=4
# The check of `feed-forward`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("feed-forward", points=4)
def score(check):
    import torch

    tanh = "this is the approximation with tanh; the exact form has erf"
    logistic = "this is the approximation by the logistic function; the exact form has erf"
    relu, silu = "this is ReLU, which has a corner at 0", "this is SiLU: z times the logistic function of z"
    root = "inside erf, z is divided by the root of 2"
    twice = "a factor 1/2 is missing"
    gate = "this is the gate alone: multiply by z"
    no_one = "1 is added to erf before halving"
    rounded = "the root of 2 is rounded: math.sqrt(2) has all its digits"

    check(gelu, torch.tensor([-1.0, 0.0, 1.0, 2.0])).equals([-0.1586553, 0.0, 0.8413447, 1.9544997], near={
        tanh: [-0.158808, 0.0, 0.841192, 1.9546], logistic: [-0.154204, 0.0, 0.845796, 1.93566],
        relu: [0.0, 0.0, 1, 2], silu: [-0.268941, 0.0, 0.731059, 1.76159],
        root: [-0.0786496, 0.0, 0.92135, 1.99532], twice: [-0.317311, 0.0, 1.68269, 3.909],
        gate: [0.158655, 0.5, 0.841345, 0.97725], no_one: [0.341345, 0.0, 0.341345, 0.9545],
    })

    none = "the activation between the two layers is missing"
    late = "the activation stands between the two layers, not after the second"
    both = "only the middle is activated: the output is not"
    no_b1, no_b2 = "the bias b1 is missing", "the bias b2 is missing"
    residual = "x is not added here: the block does that"
    relu_ff = "ReLU stands between the layers; GELU is asked"
    x, w1 = torch.tensor([[1.0, -1.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]])
    b1, b2 = torch.tensor([0.0, 0.5, 1.0]), torch.tensor([1.0, -1.0])
    w2 = torch.tensor([[1.0, 2.0, 0.0], [0.0, -1.0, 3.0]])
    check(feed_forward, x, w1, b1, w2, b2).equals([[1.532807, -1.321697]], near={
        "w1 is (F, C) and w2 (C, F), as nn.Linear keeps them: x @ w1.T": RuntimeError,
        none: [[1, -3.5]], late: [[0.841345, -0.000814334]], both: [[1.43676, -0.123096]],
        no_b1: [[1.52403, -0.977846]], no_b2: [[0.532807, -0.321697]], residual: [[2.53281, -2.3217]],
        relu_ff: [[2, -1]],
    })
    ### BEGIN HIDDEN TESTS
    import math

    import torch.nn.functional as F

    check.hidden()

    def erf(z, scale=math.sqrt(2)):
        return torch.erf(z / scale)

    gelu_mistakes = {
        tanh: lambda z: F.gelu(z, approximate="tanh"),
        logistic: lambda z: z * torch.sigmoid(1.702 * z),
        relu: torch.relu,
        silu: F.silu,
        root: lambda z: z * (1 + erf(z, 1)) / 2,
        "inside erf, z is divided by the root of 2, not by 2": lambda z: z * (1 + erf(z, 2)) / 2,
        "inside erf, z is divided by the root of 2, not multiplied by it": lambda z: z * (1 + erf(z, 0.5**0.5)) / 2,
        rounded: lambda z: z * (1 + erf(z, 1.414)) / 2, twice: lambda z: z * (1 + erf(z)),
        gate: lambda z: (1 + erf(z)) / 2,
        no_one: lambda z: z * erf(z) / 2,
        "1 plus erf is asked, not 1 minus erf": lambda z: z * (1 - erf(z)) / 2,
        "the density of the normal distribution stands where its distribution function is asked": lambda z: z
        * torch.exp(-z * z / 2) / math.sqrt(2 * math.pi),
    }
    check.mistakes(gelu_mistakes)
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for shape in [(3, 4), (2, 3, 5)]:
        z = torch.randn(shape, generator=draw) * 2
        check(gelu, z).equals(F.gelu(z), about="fresh numbers", rtol=1e-5, atol=1e-6)
    z = torch.linspace(-4, 4, 33, dtype=torch.float64)
    check(gelu, z).equals(F.gelu(z), about="double precision", rtol=1e-6, atol=1e-8)
    check(gelu, torch.tensor([-60.0, 60.0, 1e4])).equals([0.0, 60.0, 1e4], about="large numbers", edge=True, atol=1e-6)

    def made(act=F.gelu, outer=lambda y: y, first=1, second=1, skip=0):
        return lambda x, w1, b1, w2, b2: outer(F.linear(act(F.linear(x, w1, b1 * first)), w2, b2 * second)) + skip * x

    unlike = {words: made(act=act) for words, act in gelu_mistakes.items() if words not in (tanh, relu)}
    check.mistakes(unlike | {
        none: made(act=lambda z: z), late: made(act=lambda z: z, outer=F.gelu), both: made(outer=F.gelu),
        no_b1: made(first=0), no_b2: made(second=0), "both biases are missing": made(first=0, second=0),
        residual: made(skip=1), relu_ff: made(act=torch.relu),
        "the activation stands before the first layer; it stands between the two": lambda x, *rest: made(
            act=lambda z: z
        )(F.gelu(x), *rest),
        "the bias b1 is added before the activation, not after it": lambda x, w1, b1, w2, b2: F.linear(
            F.gelu(x @ w1.T) + b1, w2, b2
        ),
        "the tanh approximation stands between the layers; GELU is asked in its exact form": made(
            act=lambda z: F.gelu(z, approximate="tanh")
        ),
        "the first layer is linear and the second is activated twice": made(outer=lambda y: F.gelu(F.gelu(y))),
        "the matrices are used the wrong way round: x @ w1.T, as nn.Linear does": lambda x, w1, b1, w2, b2: F.gelu(
            x @ w1 + b1
        ) @ w2 + b2,
        "the first matrix is used the wrong way round: x @ w1.T": lambda x, w1, b1, w2, b2: F.linear(
            F.gelu(x @ w1 + b1), w2, b2
        ),
        "the second matrix is used the wrong way round": lambda x, w1, b1, w2, b2: F.gelu(F.linear(x, w1, b1)) @ w2
        + b2,
        "w1 and w2 are exchanged": lambda x, w1, b1, w2, b2: F.linear(F.gelu(F.linear(x, w2, b1)), w1, b2),
    })
    for shape, width in [((2, 3, 4), 7), ((5, 6), 24), ((3, 4, 5), 5), ((3,), 8)]:
        C = shape[-1]
        x, w1, b1, w2, b2 = (torch.randn(s, generator=draw) for s in (shape, (width, C), (width,), (C, width), (C,)))
        oracle = F.linear(F.gelu(F.linear(x, w1, b1)), w2, b2)
        about = "as wide in the middle as outside" if width == C else "fresh weights"
        check(feed_forward, x, w1, b1, w2, b2).equals(oracle, about=about, rtol=1e-4, atol=2e-5)
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Exercise 3: the block (`block`)
#
# 20 minutes, ★★, 7 points
#
# A **residual connection** adds what a sublayer computes to what came in: $x + f(x)$. The block has two sublayers,
# attention and feed-forward, and each gets a norm. *Where* the norm stands has changed over the years:
#
# | post-norm (the paper of 2017, BERT) | pre-norm (GPT-2 and nearly all since) |
# |---|---|
# | $y = \mathrm{LN}_1(x + \mathrm{Att}(x))$ | $y = x + \mathrm{Att}(\mathrm{LN}_1(x))$ |
# | $z = \mathrm{LN}_2(y + \mathrm{FF}(y))$ | $z = y + \mathrm{FF}(\mathrm{LN}_2(y))$ |
#
# In the pre-norm block $x$ reaches the output untouched, through additions alone.
#
# `attention(x, memory, p, name, num_heads, mask)` is given above; in an encoder the memory is what looks at it too.
# The weights of one block lie in a dict `p` under the names of `nn.TransformerEncoderLayer`: those of attention behind
# `"self_attn"`; `linear1.weight` $(F, C)$ and `linear2.weight` $(C, F)$; `norm1` and `norm2`; each with its `.bias`.
# (= `nn.TransformerEncoderLayer` with `activation="gelu"` and no dropout.)
#
# For norm and GELU take your own functions, or `F.layer_norm(v, v.shape[-1:], weight, bias)` and `F.gelu`, which your
# checks have shown to be equal. Theirs pass over the numbers once where yours do it several times: the GPT below
# trains faster with them, and the solution takes them here and in exercises 7 and 9.
#
# The mask goes to the attention as it comes: booleans that fit $(B, H, T, T)$, True where a query may look, or None.
#
# <details><summary>Hint 1</summary>Write two small functions inside: one for the norm number i, one for each
# sublayer.</details>
# <details><summary>Hint 2</summary><code>attention(h, h, p, "self_attn", num_heads, mask)</code>, where <code>h</code>
# is <code>x</code> or its norm.</details>

# %% exercise="block"
def encoder_block(
    x: torch.Tensor, p: dict, num_heads: int, norm_first: bool = False, mask: torch.Tensor | None = None
) -> torch.Tensor:
    """Return one transformer block applied to x (B, T, C), shape (B, T, C); post-norm unless norm_first."""
    ### BEGIN SOLUTION
    def norm(v, i):
        return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

    def attend(v):
        return attention(v, v, p, "self_attn", num_heads, mask)

    def feed(v):
        hidden = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))  # (B, T, F)
        return F.linear(hidden, p["linear2.weight"], p["linear2.bias"])

    if norm_first:
        y = x + attend(norm(x, 1))
        return y + feed(norm(y, 2))
    y = norm(x + attend(x), 1)
    return norm(y + feed(y), 2)
    ### END SOLUTION

# %% check="block" points=7
# The check of `block`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("block", points=7)
def score(check):
    import torch
    from torch import nn

    def layer(C, H, width, norm_first, k=0):
        """The library's layer with weights that are fixed numbers, none of them special."""
        made = nn.TransformerEncoderLayer(C, H, width, 0.0, "gelu", batch_first=True, norm_first=norm_first).eval()
        for i, (_, v) in enumerate(made.named_parameters()):
            v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.3 + i) + k).reshape(v.shape) * 0.8
        return made

    ignored, swapped = "norm_first is ignored: this is the post-norm block", "pre-norm and post-norm are exchanged"
    always = "norm_first is ignored: this is the pre-norm block"
    no_first, no_second = "the residual around attention is missing", "the residual around feed-forward is missing"
    normed = "pre-norm: what is added is x itself, not its norm"
    one_norm, turned = "norm1 is used twice; the second sublayer has norm2", "norm1 and norm2 are exchanged"
    no_norms = "the norms are missing"
    inner = "post-norm: the norm is of the sum, not of the sublayer's output alone"
    old = "the second sublayer works on the output of the first (y), not on x"
    old_skip = "the second residual adds y, not x"
    relu = "ReLU stands in the feed-forward network; GELU is asked"
    shut = "the mask is ignored"
    missing = "the feed-forward half is missing"
    raw_query = "pre-norm: the queries, too, come from the norm of x; here only keys and values do"
    raw_memory = "pre-norm: keys and values, too, come from the norm of x; here only the queries do"

    x = torch.tensor([[[1.0, -2.0, 0.5, 3.0], [0.0, 1.0, -1.0, 2.0]]])
    after, before = layer(4, 2, 5, False), layer(4, 2, 5, True)
    with torch.no_grad():
        expected, expected_before = after(x), before(x)
    check(encoder_block, x, after.state_dict(), 2).equals(
        expected, rtol=1e-4, atol=1e-4, near={
            always: [[[1.11724, -2.41817, -0.187932, 2.1511], [-0.074439, 1.09563, -1.1292, 1.03495]]],
            swapped: [[[1.11724, -2.41817, -0.187932, 2.1511], [-0.074439, 1.09563, -1.1292, 1.03495]]],
            no_first: [[[-0.213899, -0.28879, -1.19457, 0.443243], [-0.128582, -0.299659, -1.17077, 0.472778]]],
            turned: [[[-0.567751, 0.906392, -0.756441, -0.807556], [-0.485507, 1.00705, -0.635365, -0.52783]]],
            no_norms: [[[1.41275, -2.56091, -0.733892, 1.86918], [0.0475957, 1.03558, -1.07765, 1.58894]]],
            inner: [[[-1.09381, -1.88028, -0.83967, 2.07882], [-2.18496, 1.33533, -2.24023, 1.24468]]],
            old: [[[-1.05224, -0.811533, -1.11143, -1.36655], [-0.904303, -0.752823, -1.36132, -0.741077]]],
            old_skip: [[[-0.446577, 0.264446, -0.650885, 0.287318], [-0.207515, -0.313622, -1.2089, 0.430788]]],
            relu: [[[-0.0916924, -0.96986, -1.31037, -0.376145], [-0.500269, -0.695339, -1.41392, -0.16863]]],
            missing: [[[-0.597166, 1.08712, -0.377541, -0.774953], [-0.702168, 0.55109, -0.71318, -0.579298]]],
            no_second: [[[-0.649948, 0.238583, -0.768888, 0.226035], [-0.866709, 0.216678, -0.841954, 0.0890861]]],
            one_norm: [[[-0.634261, 0.563299, -0.840544, -0.508514], [-0.575911, 0.723214, -0.884976, -0.652186]]],
        }
    )
    check(encoder_block, x, before.state_dict(), 2, norm_first=True).equals(
        expected_before, rtol=1e-4, atol=1e-4, near={
            ignored: [[[-0.0564138, -0.92464, -1.31863, -0.254585], [-0.503704, -0.55432, -1.39289, 0.0270595]]],
            swapped: [[[-0.0564138, -0.92464, -1.31863, -0.254585], [-0.503704, -0.55432, -1.39289, 0.0270595]]],
            no_first: [[[0.146172, 0.292767, -0.20046, -1.20576], [0.143392, 0.285672, -0.208983, -1.21305]]],
            normed: [[[0.798211, -0.927663, -0.237397, -1.23295], [0.709871, -0.933458, -0.282911, -1.19289]]],
            one_norm: [[[0.901054, -2.54957, -0.0671955, 2.3702], [0.0468117, 0.593675, -1.61505, 1.18399]]],
            turned: [[[0.816557, -2.46718, 0.151043, 2.63709], [-0.0423571, 0.634956, -1.4572, 1.3977]]],
            no_norms: [[[1.41275, -2.56091, -0.733892, 1.86918], [0.0475957, 1.03558, -1.07765, 1.58894]]],
            old: [[[1.11793, -2.42148, -0.191032, 2.15216], [-0.0593478, 0.782896, -1.37145, 1.17172]]],
            old_skip: [[[1.7575, -2.60049, 0.295849, 3.74541], [0.567755, 0.920252, -0.636158, 2.63724]]],
            relu: [[[1.10737, -2.4161, -0.176559, 2.15729], [-0.00983584, 1.18304, -1.1303, 0.946728]]],
            missing: [[[0.359741, -1.81768, 0.0162187, 1.40568], [-0.642194, 1.17537, -1.49304, 0.397707]]],
            no_second: [[[0.757496, -0.600485, -0.204151, 0.745413], [0.567755, -0.0797479, 0.363843, 0.637242]]],
            raw_memory: [[[0.92054, -2.121797, 0.493975, 2.927193], [-0.330781, 1.105001, -0.818889, 1.589313]]],
            raw_query: [[[1.095494, -2.515164, -0.322702, 2.034719], [-0.088039, 1.052374, -1.182708, 0.991438]]],
        }
    )
    ### BEGIN HIDDEN TESTS
    import torch.nn.functional as F

    check.hidden()

    def attend(x, p, heads, mask, memory=None):
        B, T, C = x.shape
        both = torch.stack([x, x if memory is None else memory])
        qkv = F.linear(both, p["self_attn.in_proj_weight"], p["self_attn.in_proj_bias"])
        (q, _, _), (_, k, v) = qkv.view(2, B, T, 3, heads, C // heads).permute(0, 3, 1, 4, 2, 5)
        scores = q @ k.mT / (C // heads) ** 0.5
        scores = scores if mask is None else scores.masked_fill(~mask, float("-inf"))
        chances = scores.softmax(-1).nan_to_num()  # a query that may look nowhere: zeros, as the library has it
        z = (chances @ v).transpose(1, 2).reshape(B, T, C)
        return F.linear(z, p["self_attn.out_proj.weight"], p["self_attn.out_proj.bias"])

    def pre(x, a, f, m, n):
        return (y := x + a(m(x))) + f(n(y))

    def post(x, a, f, m, n):
        return n((y := m(x + a(x))) + f(y))

    def made(before=pre, after=post, act=F.gelu, masked=True, turn=False, causal=False, heads=None):
        """A block from two recipes; each gets x, attention, feed-forward, and both norms."""

        def block(x, p, num_heads, norm_first=False, mask=None):
            def norm(i):
                return lambda v: F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

            def feed(v):
                hidden = act(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
                return F.linear(hidden, p["linear2.weight"], p["linear2.bias"])

            recipe = before if norm_first else after
            T = x.shape[1]
            mask = torch.ones(T, T, dtype=torch.bool).tril() if mask is None and causal else mask
            mask = None if mask is None or not masked else ~mask if turn else mask
            return recipe(x, lambda v, m=None: attend(v, p, heads or num_heads, mask, m), feed, norm(1), norm(2))

        return block

    def without(*names, value=0.0):
        """The right block, but with some of its weights replaced by one number."""
        return lambda x, p, *rest, **more: made()(
            x, {k: torch.full_like(v, value) if k.endswith(names) else v for k, v in p.items()}, *rest, **more
        )

    check.mistakes({
        "the bias of linear1 is missing": without("linear1.bias"),
        "the bias of linear2 is missing": without("linear2.bias"),
        "both biases of the feed-forward network are missing": without("linear1.bias", "linear2.bias"),
        "the biases of the norms are missing": without("norm1.bias", "norm2.bias"),
        "the norms are without their weight and bias": lambda x, p, *rest, **more: without(
            "norm1.bias", "norm2.bias")(x, p | {f"norm{i}.weight": torch.ones(x.shape[-1]) for i in (1, 2)},
                                        *rest, **more),
        "the tanh approximation stands in the feed-forward network: GELU is asked in its exact form": made(
            act=lambda z: F.gelu(z, approximate="tanh")),
        "the activation of the feed-forward network is missing": made(act=lambda z: z),
        "pre-norm: the norm is of what goes into a sublayer, not of what comes out": made(
            before=lambda x, a, f, m, n: (y := x + m(a(x))) + n(f(y))),
        "post-norm: the first norm is of the sum, not of attention's output alone": made(
            after=lambda x, a, f, m, n: n((y := x + m(a(x))) + f(y))),
        "post-norm: the second norm is of the sum, not of the network's output alone": made(
            after=lambda x, a, f, m, n: (y := m(x + a(x))) + n(f(y))),
        raw_query: made(
            before=lambda x, a, f, m, n: (y := x + a(x, m(x))) + f(n(y))),
        "feed-forward comes first here, each with its own norm; attention does": made(
            lambda x, a, f, m, n: (y := x + f(n(x))) + a(m(y)), lambda x, a, f, m, n: m((y := n(x + f(x))) + a(y))),
        ignored: made(before=post), always: made(after=pre), swapped: made(before=post, after=pre),
        no_first: made(lambda x, a, f, m, n: (y := a(m(x))) + f(n(y)), lambda x, a, f, m, n: n((y := m(a(x))) + f(y))),
        no_second: made(lambda x, a, f, m, n: f(n(x + a(m(x)))), lambda x, a, f, m, n: n(f(m(x + a(x))))),
        "both residuals are missing": made(lambda x, a, f, m, n: f(n(a(m(x)))), lambda x, a, f, m, n: n(f(m(a(x))))),
        normed: made(before=lambda x, a, f, m, n: (u := n((w := m(x)) + a(w))) + f(u)),
        "pre-norm: the second residual adds y itself, not its norm": made(
            before=lambda x, a, f, m, n: (u := n(x + a(m(x)))) + f(u)
        ),
        "pre-norm: the first residual adds x itself, not its norm": made(
            before=lambda x, a, f, m, n: (y := (w := m(x)) + a(w)) + f(n(y))
        ),
        one_norm: made(lambda x, a, f, m, n: pre(x, a, f, m, m), lambda x, a, f, m, n: post(x, a, f, m, m)),
        turned: made(lambda x, a, f, m, n: pre(x, a, f, n, m), lambda x, a, f, m, n: post(x, a, f, n, m)),
        no_norms: made(lambda x, a, f, m, n: (y := x + a(x)) + f(y), lambda x, a, f, m, n: (y := x + a(x)) + f(y)),
        "the first norm is missing": made(
            lambda x, a, f, m, n: (y := x + a(x)) + f(n(y)), lambda x, a, f, m, n: n((y := x + a(x)) + f(y))
        ),
        "the second norm is missing": made(
            lambda x, a, f, m, n: (y := x + a(m(x))) + f(y), lambda x, a, f, m, n: (y := m(x + a(x))) + f(y)
        ),
        inner: made(after=lambda x, a, f, m, n: (y := x + m(a(x))) + n(f(y))),
        old: made(lambda x, a, f, m, n: x + a(m(x)) + f(n(x)), lambda x, a, f, m, n: n(m(x + a(x)) + f(x))),
        old_skip: made(
            lambda x, a, f, m, n: x + f(n(x + a(m(x)))), lambda x, a, f, m, n: n(x + f(m(x + a(x))))
        ),
        relu: made(act=torch.relu), shut: made(masked=False),
        missing: made(lambda x, a, f, m, n: x + a(m(x)), lambda x, a, f, m, n: m(x + a(x))),
        "the attention half is missing": made(lambda x, a, f, m, n: x + f(n(x)), lambda x, a, f, m, n: n(x + f(x))),
        "feed-forward comes first here; attention does": made(
            lambda x, a, f, m, n: (y := x + f(m(x))) + a(n(y)), lambda x, a, f, m, n: n((y := m(x + f(x))) + a(y))
        ),
        "one more norm stands at the end of the pre-norm block; that belongs to the whole stack": made(
            before=lambda x, a, f, m, n: n(pre(x, a, f, m, n))
        ),
        "the mask is turned round: True is where a query may look": made(turn=True),
        "without a mask each token sees all the others: an encoder's attention is not causal": made(causal=True),
        "num_heads is ignored: this is one head": made(heads=1),
        raw_memory: made(
            before=lambda x, a, f, m, n: (y := x + a(m(x), x)) + f(n(y))
        ),
    })
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for B, T, C, H, width in [(2, 5, 12, 3, 20), (3, 4, 8, 2, 8), (1, 6, 8, 8, 16)]:
        for norm_first in (False, True):
            made_layer = layer(C, H, width, norm_first, k=float(torch.rand((), generator=draw)) * 6)
            x = torch.randn(B, T, C, generator=draw) * 1.5 + 0.3
            later, rest = torch.ones(T, T, dtype=torch.bool).triu(1), torch.rand(B, T, generator=draw) < 0.3
            rest[:, 0] = False
            with torch.no_grad():
                whole, causal = made_layer(x), made_layer(x, src_mask=later)
                padded = made_layer(x, src_key_padding_mask=rest)
            p, options = made_layer.state_dict(), {"norm_first": True} if norm_first else {}
            kind = "pre-norm" if norm_first else "post-norm"
            near = {"rtol": 1e-3, "atol": 1e-4}
            check(encoder_block, x, p, H, **options).equals(whole, about=kind, **near)
            check(encoder_block, x, p, H, mask=~later, **options).equals(causal, about=f"{kind}, causal mask", **near)
            check(encoder_block, x, p, H, mask=~rest[:, None, None], **options).equals(
                padded, about=f"{kind}, padding mask", **near
            )
    made_layer = layer(8, 2, 12, True).double()
    x = torch.randn(2, 3, 8, generator=draw, dtype=torch.float64)
    with torch.no_grad():
        check(encoder_block, x, made_layer.state_dict(), 2, True).equals(
            made_layer(x), about="double precision", rtol=1e-6, atol=1e-7
        )
    x = torch.randn(2, 1, 8, generator=draw, dtype=torch.float64)
    with torch.no_grad():
        check(encoder_block, x, made_layer.state_dict(), 2, True).equals(
            made_layer(x), about="one token", edge=True, rtol=1e-6, atol=1e-7
        )
    ### END HIDDEN TESTS


score

# %% [markdown]
# ### What each device does to depth
#
# A stack of blocks with random weights, not trained: we send random tokens through it and a gradient back. Measured
# are the size of the signal behind the last block; the size of the gradient in front of the first, where all learning
# of the first layers begins; and how *alike* the tokens have become (the mean cosine between two tokens of a text, 0
# at the start, 1 when all are the same). Five kinds of block: the two that you wrote, one without residual
# connections, one without norms, one with neither.

# %% show
def plain_block(x, p, num_heads, residual, norm):
    """A pre-norm block with residual connections, or norms, left out."""
    def prepared(v, i):
        return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"]) if norm else v

    y = residual * x + attention(v := prepared(x, 1), v, p, "self_attn", num_heads)
    feed = [p[f"linear{i}.{kind}"] for i in (1, 2) for kind in ("weight", "bias")]
    return residual * y + feed_forward(prepared(y, 2), *feed)


def depth_probe(block, depth: int, d_model: int = 64, seed: int = SEED) -> tuple[float, float, float]:
    """Return (size of the signal at the end, of the gradient at the start, mean cosine between tokens)."""
    seed_everything(seed)
    x = torch.randn(4, 16, d_model, requires_grad=True)
    h = x
    for _ in range(depth):
        layer = nn.TransformerEncoderLayer(d_model, 4, 4 * d_model, 0.0, "gelu", batch_first=True)
        h = block(h, dict(layer.named_parameters()))
    (h * torch.randn_like(h)).sum().backward()
    tokens = F.normalize(h.detach(), dim=-1)
    alike = ((tokens @ tokens.mT).sum((1, 2)) - 16) / (16 * 15)
    return h.std().item(), x.grad.std().item(), alike.mean().item()


kinds = {
    "pre-norm": lambda x, p: encoder_block(x, p, 4, norm_first=True),
    "post-norm": lambda x, p: encoder_block(x, p, 4),
    "no residual": lambda x, p: plain_block(x, p, 4, residual=0, norm=True),
    "no norm": lambda x, p: plain_block(x, p, 4, residual=1, norm=False),
    "neither": lambda x, p: plain_block(x, p, 4, residual=0, norm=False),
}
depths = budget(grade=[1, 4, 8], cpu=[1, 2, 4, 8, 16, 32])
probed = {name: np.array([depth_probe(block, depth) for depth in depths]) for name, block in kinds.items()}
fig, axes = plots.figure(columns=3, width=11, height=3.6)
for (name, found), style in zip(probed.items(), ["-o", "--s", ":^", "-.D", "-v"], strict=True):
    for ax, values in zip(axes, found.T, strict=True):
        ax.plot(depths, np.maximum(values, 1e-40), style, label=name, markersize=4)
titles = ["signal at the end", "gradient at the start", "tokens alike (cosine)"]
for ax, title in zip(axes, titles, strict=True):
    ax.set(xscale="log", yscale="linear" if "cosine" in title else "log", xlabel="blocks", title=title)
    ax.set_xticks(depths, [str(d) for d in depths])
    ax.minorticks_off()
axes[1].set_ylim(bottom=1e-12)  # the line of "neither" leaves the panel here
axes[2].legend(fontsize=8)
told = [f"{n}: signal {v[-1, 0]:.2g}, gradient {v[-1, 1]:.2g}, cosine {v[-1, 2]:.2f}" for n, v in probed.items()]
plots.show(fig, f"Three panels over the number of blocks. With {depths[-1]} blocks, {'; '.join(told)}.")
print(f"with {depths[-1]} blocks:", *told, sep="\n  ")

# %% [markdown]
# With neither device the gradient is gone by powers of ten. With norms alone it is alive, but there is little left to
# learn from: attention mixes, nothing holds on to what a token was, and after a few blocks all tokens are the same.
# With residual connections alone each block adds to the pile, and signal and gradient grow faster and faster. Only the
# two together keep a deep stack in order. Of the two orders, post-norm has a norm standing *in* the straight way, and
# large models of that kind train only with a slow warm-up (Xiong et al. 2020); nearly all since GPT-2 are pre-norm.
#
# ## Exercise 4: count before you train (`parameters`)
#
# 20 minutes, ★★, 7 points
#
# How large is a model, and what does it cost? Both follow from a few numbers, before a single weight exists. Write
# four functions that return whole numbers. `d_ff`, the width of the middle, is `4 * d_model` where it is None. Every
# linear layer has a bias, and every norm a weight and a bias of $C$ numbers each.
#
# 1. `block_parameters(d_model, d_ff)`: one block: attention has four matrices $C \times C$ (queries, keys, values,
#    output), whatever the number of heads; then the feed-forward network and two norms.
# 2. `gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None)`: token and position embeddings (one
#    row for each token of the vocabulary, one for each place), the blocks, one norm at the end. The output uses the
#    token embedding again (it is *tied*) and adds nothing.
# 3. `bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2)`: token, position and
#    segment embeddings, a norm on their sum, the blocks, no norm at the end, and a *pooler*: one linear layer $C \to
#    C$ on [CLS].
# 4. `flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None)`: the operations of a GPT's *forward*
#    pass for one token at full context. A product with a matrix of $n$ weights costs $2n$ (a multiplication and an
#    addition for each). Count the matrices of the blocks and the output ($C \times V$); then, in each block, the
#    scores against all $T$ keys ($2 T C$) and the weighted sum of $T$ values ($2 T C$). Biases, norms and softmax are
#    left out, and so is what the causal mask saves. A training step costs three times the forward pass.
#
# By hand, $C = 4$ and $F = 16$: attention $4 \cdot (16 + 4) = 80$, feed-forward $(64 + 16) + (64 + 4) = 148$, norms
# $2 \cdot 8 = 16$; together 244.
#
# The papers say 340 million for BERT-large ($V = 30{,}522$, $T = 512$, $C = 1024$, 24 blocks) and 175 billion for
# GPT-3 ($V = 50{,}257$, $T = 2048$, $C = 12{,}288$, 96 blocks). Your formula will say 335 million and 174.6 billion:
# the papers round, and "340 M" counts in the head that predicts masked words. Heads do not enter: 16 heads of 64 or 96
# of 128 have the same matrices as one.
#
# <details><summary>Hint 1</summary>A linear layer from m to n numbers has <code>m * n + n</code> parameters.</details>
# <details><summary>Hint 2</summary>GPT-2 small (V = 50,257, T = 1024, C = 768, 12 blocks) has 124,439,808.</details>

# %% exercise="parameters"
def block_parameters(d_model: int, d_ff: int) -> int:
    """Return the number of parameters of one block."""
    ### BEGIN SOLUTION
    attention_part = 4 * (d_model * d_model + d_model)
    feed_forward_part = 2 * d_model * d_ff + d_ff + d_model
    return attention_part + feed_forward_part + 2 * 2 * d_model
    ### END SOLUTION


def gpt_parameters(
    vocab_size: int, context_length: int, d_model: int, num_layers: int, d_ff: int | None = None
) -> int:
    """Return the number of parameters of a GPT with tied output."""
    ### BEGIN SOLUTION
    d_ff = 4 * d_model if d_ff is None else d_ff
    embeddings = (vocab_size + context_length) * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model
    ### END SOLUTION


def bert_parameters(
    vocab_size: int, context_length: int, d_model: int, num_layers: int, d_ff: int | None = None, num_segments: int = 2
) -> int:
    """Return the number of parameters of a BERT encoder with its pooler."""
    ### BEGIN SOLUTION
    d_ff = 4 * d_model if d_ff is None else d_ff
    embeddings = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model
    ### END SOLUTION


def flops_per_token(
    vocab_size: int, context_length: int, d_model: int, num_layers: int, d_ff: int | None = None
) -> int:
    """Return the operations of a GPT's forward pass for one token at full context."""
    ### BEGIN SOLUTION
    d_ff = 4 * d_model if d_ff is None else d_ff
    in_matrices = num_layers * (4 * d_model * d_model + 2 * d_model * d_ff) + d_model * vocab_size
    return 2 * in_matrices + num_layers * 4 * context_length * d_model
    ### END SOLUTION

# %% check="parameters" points=7
# The check of `parameters`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("parameters", points=7)
def score(check):
    no_biases = "the biases are missing"
    no_norms = "the norms of the blocks are missing, or the biases of attention: both are 4C numbers"
    three, one_norm = "attention has four matrices: that of the output is missing", "a block has two norms"
    only_weights = "a norm has a bias, too"
    bare = "the biases of the feed-forward network are missing"
    joint = "one bias for all of attention is counted: each of its four matrices has its own"
    one_layer = "the feed-forward network has two matrices"
    once = "the blocks are counted once, not num_layers times"
    untied = "the output is tied to the token embedding: it adds no parameters"
    no_places = "the position embeddings are missing"
    no_end, no_start = "the norm at the end is missing", "the norm on the sum of the embeddings is missing"
    no_pooler, no_segments = "the pooler is missing", "the segment embeddings are missing"
    wide = "d_ff was ignored: the middle is d_ff wide"
    one_way = "a product with n weights costs 2n operations: a multiplication and an addition each"
    no_scores = "the scores and the weighted sums over the context are missing"
    half = "both the scores and the weighted sums count, 2TC each; the causal mask saves nothing in this count"
    no_output = "the product with the output matrix (C times V) is missing"
    training = "the forward pass is asked; training costs three times as much"
    exact = {"rtol": 1e-12, "atol": 1e-6}

    check(block_parameters, 4, 16).equals(244, **exact, near={
        no_biases: 208, no_norms: 228, three: 224, one_norm: 236, only_weights: 236, bare: 224, joint: 232,
    })
    check(block_parameters, 6, 10).equals(328, **exact, near={
        no_biases: 288, no_norms: 304, three: 286, one_norm: 316, only_weights: 316, wide: 510,
        bare: 312, joint: 310,
    })
    check(gpt_parameters, 50257, 1024, 768, 12).equals(124_439_808, **exact, about="GPT-2 small", near={
        no_biases: 124356864, no_norms: 124402944, three: 117352704, one_norm: 124421376,
        only_weights: 124421376, once: 46473216, untied: 163037184, no_places: 123653376,
        no_end: 124438272,
    })
    check(gpt_parameters, 50257, 2048, 12288, 96).equals(174_604_259_328, **exact, about="GPT-3", near={
        no_biases: 174593642496, no_norms: 174599540736, three: 160107565056, one_norm: 174601900032,
        only_weights: 174601900032, once: 2454847488, untied: 175221817344, no_places: 174579093504,
        no_end: 174604234752,
    })
    check(bert_parameters, 30522, 512, 1024, 24).equals(335_141_888, **exact, about="BERT-large", near={
        no_biases: 334920704, no_norms: 335043584, three: 309951488, one_norm: 335092736,
        only_weights: 335092736, once: 45428736, no_places: 334617600, no_start: 335139840,
        no_pooler: 334092288, no_segments: 335139840,
    })
    check(flops_per_token, 10, 8, 4, 3).equals(2 * (3 * 192 + 40) + 3 * 4 * 8 * 4, **exact, near={
        one_way: 1000, no_scores: 1232, half: 1424, no_output: 1536, training: 4848, three: 1520,
        one_layer: 1232,
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def block(C, width, matrices=4, bias=1, norms=2, norm_bias=1, joint=False, feed=lambda C, width: width + C):
        attention = matrices * C * C + bias * C * (1 if joint else matrices)
        return attention + 2 * C * width + bias * feed(C, width) + norms * (C + norm_bias * C)

    second_bias = "the bias of the first layer has d_ff numbers, that of the second d_model"
    first_bias = "the bias of the first layer has d_ff numbers"

    def body(layers, C, width, **odd):
        ignore = odd.pop("ignore", False)
        width = 4 * C if width is None or ignore else width
        return layers * block(C, width, **odd)

    check.mistakes({
        no_biases: lambda C, f: block(C, f, bias=0), no_norms: lambda C, f: block(C, f, norms=0),
        "biases and norms are missing: these are the matrices alone": lambda C, f: block(C, f, bias=0, norms=0),
        three: lambda C, f: block(C, f, matrices=3), one_norm: lambda C, f: block(C, f, norms=1),
        only_weights: lambda C, f: block(C, f, norm_bias=0), wide: lambda C, f: block(C, 4 * C),
        "the feed-forward network has two layers": lambda C, f: block(C, f) - C * f - C,
        bare: lambda C, f: block(C, f) - C - f, joint: lambda C, f: block(C, f, joint=True),
        second_bias: lambda C, f: block(C, f) + f - C, first_bias: lambda C, f: block(C, f) + C - f,
    })
    for _ in range(3):
        C, f = (int(n) for n in check.rng.integers(3, 60, size=2))
        right = sum([4 * C * C, 4 * C, C * f, f, f * C, C, 4 * C])
        check(block_parameters, C, f).equals(right, about="fresh sizes of a block", **exact)

    def gpt(extra=lambda V, T, C: 0, **odd):
        def count(V, T, C, layers, width=None):
            return (V + T) * C + body(layers, C, width, **odd) + 2 * C + extra(V, T, C)

        return count

    inherited = {
        no_biases: {"bias": 0}, no_norms: {"norms": 0}, three: {"matrices": 3}, one_norm: {"norms": 1},
        only_weights: {"norm_bias": 0}, wide: {"ignore": True},
        "biases and norms of the blocks are missing": {"bias": 0, "norms": 0}, joint: {"joint": True},
        bare: {"feed": lambda C, f: 0}, first_bias: {"feed": lambda C, f: 2 * C},
        second_bias: {"feed": lambda C, f: 2 * f},
    }  # fmt: skip
    check.mistakes({words: gpt(**odd) for words, odd in inherited.items()} | {
        once: lambda V, T, C, n, f=None: gpt()(V, T, C, 1, f), untied: gpt(lambda V, T, C: V * C),
        "the output is tied, and has no bias": gpt(lambda V, T, C: V),
        no_places: gpt(lambda V, T, C: -T * C), no_end: gpt(lambda V, T, C: -2 * C),
        "the token embedding is missing: tied means that it is counted once": gpt(lambda V, T, C: -V * C),
        "the norm at the end and the position embeddings are missing": gpt(lambda V, T, C: -2 * C - T * C),
        "the norm at the end has a bias, too": gpt(lambda V, T, C: -C),
        "embeddings, too, are counted for each block": lambda V, T, C, n, f=None: (
            n * ((V + T) * C + body(1, C, f)) + 2 * C
        ),
        "a GPT has no segment embeddings": gpt(lambda V, T, C: 2 * C),
        "d_ff is 4 * d_model where it is None, not d_model": lambda V, T, C, n, f=None: gpt()(V, T, C, n, f or C),
    })
    for given in (False, True):
        for _ in range(2):
            V, T, C, n, f = (int(v) for v in check.rng.integers(3, 40, size=5))
            width = (f,) if given else ()
            right = gpt()(V, T, C, n, *width)
            check(gpt_parameters, V, T, C, n, *width).equals(
                right, about="a GPT with d_ff given" if given else "a GPT", **exact,
                near={"d_ff may be None: then it is 4 * d_model": TypeError},
            )

    def bert(extra=lambda V, T, C, s: 0, **odd):
        def count(V, T, C, layers, d_ff=None, num_segments=2):
            sides = (V + T + num_segments) * C + 2 * C + C * C + C
            return sides + body(layers, C, d_ff, **odd) + extra(V, T, C, num_segments)

        return count

    check.mistakes({words: bert(**odd) for words, odd in inherited.items()} | {
        once: lambda V, T, C, n, d_ff=None, num_segments=2: bert()(V, T, C, 1, d_ff, num_segments),
        no_places: bert(lambda V, T, C, s: -T * C), no_start: bert(lambda V, T, C, s: -2 * C),
        no_pooler: bert(lambda V, T, C, s: -C * C - C), no_segments: bert(lambda V, T, C, s: -s * C),
        "the number of segments was ignored": lambda V, T, C, n, d_ff=None, num_segments=2: bert()(V, T, C, n, d_ff),
        "the pooler has a bias, too": bert(lambda V, T, C, s: -C),
        "there is no norm at the end of the stack: each post-norm block ends with one": bert(lambda V, T, C, s: 2 * C),
        "the output is not part of the encoder": bert(lambda V, T, C, s: V * C),
        "the pooler and the norm on the embeddings are missing": bert(lambda V, T, C, s: -C * C - 3 * C),
        "pooler, segments and the norm on the embeddings are missing": bert(lambda V, T, C, s: -C * C - 3 * C - s * C),
        "segments and the norm on the embeddings are missing: this counts like a GPT": bert(
            lambda V, T, C, s: -s * C - 2 * C
        ),
        "num_segments is 2 where it is not given": lambda V, T, C, n, d_ff=None, num_segments=1: bert()(
            V, T, C, n, d_ff, num_segments),
        "the pooler is counted once, not in each block": lambda V, T, C, n, d_ff=None, num_segments=2: bert()(
            V, T, C, n, d_ff, num_segments) + (n - 1) * (C * C + C),
        "the output's bias is not part of the encoder": bert(lambda V, T, C, s: V),
        "the embeddings have one norm on their sum": bert(lambda V, T, C, s: 4 * C),
        "segments and pooler are missing": bert(lambda V, T, C, s: -s * C - C * C - C),
        "this is the count of a GPT": lambda V, T, C, n, d_ff=None, num_segments=2: gpt()(V, T, C, n, d_ff),
    })
    for given in ({}, {"d_ff": 0}, {"num_segments": 0}):
        V, T, C, n, f, s = (int(v) for v in check.rng.integers(3, 40, size=6))
        given = {k: {"d_ff": f, "num_segments": s}[k] for k in given}
        right = bert()(V, T, C, n, given.get("d_ff"), given.get("num_segments", 2))
        check(bert_parameters, V, T, C, n, **given).equals(right, about="a BERT of fresh sizes", **exact)

    def flops(matrices=4, two=2, scores=4, output=1, times=1, more=lambda V, T, C, n, f: 0, ignore=False):
        def count(V, T, C, layers, width=None):
            width = 4 * C if width is None or ignore else width
            weights = layers * (matrices * C * C + 2 * C * width) + output * C * V
            return times * (two * weights + layers * scores * T * C + more(V, T, C, layers, width))

        return count

    check.mistakes({
        one_way: flops(two=1), no_scores: flops(scores=0), half: flops(scores=2), no_output: flops(output=0),
        training: flops(times=3), three: flops(matrices=3), wide: flops(ignore=True),
        "one multiplication and addition each: the scores and sums, too, cost 2 for each pair": flops(two=1, scores=2),
        "this is twice the number of parameters: count the products alone, and those of attention with the context": (
            lambda V, T, C, n, f=None: 2 * gpt()(V, T, C, n, f)
        ),
        one_layer: flops(more=lambda V, T, C, n, f: -2 * n * C * f),
        "the output's product, too, costs 2 for each weight": flops(more=lambda V, T, C, n, f: -V * C),
        "the matrices of the blocks, too, cost 2 for each weight": flops(
            more=lambda V, T, C, n, f: -n * (4 * C * C + 2 * C * f)),
        "biases and norms are left out here": flops(more=lambda V, T, C, n, f: 2 * n * (9 * C + f)),
        "scores or sums are counted for T tokens: one token looks at T keys": flops(
            more=lambda V, T, C, n, f: n * 2 * T * C * (T - 1)),
        "biases are left out here": flops(more=lambda V, T, C, n, f: 2 * n * (5 * C + f)),
        "this is for the whole context: one token is asked": lambda V, T, C, n, f=None: T * flops()(V, T, C, n, f),
        "the scores are counted once, not in each block": lambda V, T, C, n, f=None: flops(scores=0)(V, T, C, n, f)
        + 4 * T * C,
        "the token embedding is a look-up and costs nothing": flops(more=lambda V, T, C, n, f: 2 * V * C),
        "the output has C times V weights, not C times T": flops(more=lambda V, T, C, n, f: 2 * C * (T - V)),
        "the output is counted in each block": flops(more=lambda V, T, C, n, f: 2 * (n - 1) * V * C),
        "one token looks at T keys, not T tokens at T keys": flops(more=lambda V, T, C, n, f: n * 4 * T * C * (T - 1)),
    })
    for given in (False, True):
        V, T, C, n, f = (int(v) for v in check.rng.integers(3, 40, size=5))
        width = f if given else 4 * C
        right = 2 * (n * (4 * C**2 + 2 * C * width + 2 * T * C) + V * C)
        check(flops_per_token, V, T, C, n, *([f] if given else [])).equals(right, about="operations", **exact)
    ### END HIDDEN TESTS


score

# %% [markdown]
# Now the whole table, from nothing but configurations. The last column says how long one H100 (about $4 \cdot 10^{14}$
# useful operations a second) would need for the tokens that the model was trained on.

# %% show
# NBVAL_CHECK_OUTPUT
configurations = {  # vocabulary, context, width, blocks; tokens of training
    "GPT-2 small": ((50257, 1024, 768, 12), None),
    "GPT-2 XL": ((50257, 1024, 1600, 48), None),
    "GPT-3": ((50257, 2048, 12288, 96), 300e9),
    "docs-gpt (yours)": ((8192, 128, 128, 4), None),
}
print(f"{'model':<18}{'parameters':>18}{'operations a token':>20}{'training':>26}")
for name, (sizes, tokens) in configurations.items():
    cost = flops_per_token(*sizes)
    years = f"{3 * cost * tokens / 4e14 / 3.156e7:,.0f} years on one H100" if tokens else ""
    print(f"{name:<18}{gpt_parameters(*sizes):>18,}{cost:>20,}{years:>26}")
for name, sizes in {"BERT-base": (30522, 512, 768, 12), "BERT-large": (30522, 512, 1024, 24)}.items():
    print(f"{name:<18}{bert_parameters(*sizes):>18,}")

# %% [markdown]
# ## The encoder: learn from text with holes
#
# An **encoder** reads a whole text at once and gives each token a vector that knows its neighbours on both sides. What
# should it learn from, without labels? From text with holes. In *masked language modelling* some tokens are hidden,
# and the model must guess them from what stands left and right.
#
# ## Exercise 5: make the holes (`masking`)
#
# 20 minutes, ★★, 6 points
#
# Each token that is not special is **chosen** with probability 15% (one of the lecture notes says "say, 50%": then too
# little is left to guess from), independently of all others. Of the *chosen* tokens
#
# - 80% are replaced by `[MASK]`,
# - 10% by a random token, any of the ids `num_special` to `vocab_size - 1` with equal probability,
# - 10% stay as they are.
#
# The last two keep the encoder honest: later, no text will hold `[MASK]`, and any token might be a wrong one. The
# **labels** are the original ids where a token was chosen, and -100 everywhere else, which is what `F.cross_entropy`
# ignores.
#
# The ids below `num_special` are special ([CLS], [SEP], padding, ...): never chosen, and never drawn as random tokens.
# All randomness comes from the `generator` you get (`torch.rand(shape, generator=generator)`). Called again, it makes
# new holes in the same text: these are the *dynamic masks* of RoBERTa, where BERT had cut each text's holes once and
# for all.
#
# Return new tensors, `(inputs, labels)`, of the shape of `token_ids`, and whole numbers (int64).
#
# <details><summary>Hint 1</summary>One tensor of random numbers u decides who is chosen; a second one decides what
# happens to the chosen.</details>
# <details><summary>Hint 2</summary><code>torch.where(condition, a, b)</code> chooses number by number;
# <code>torch.randint(low, high, shape, generator=generator)</code> never gives <code>high</code> itself.</details>

# %% exercise="masking"
def mask_tokens(
    token_ids: torch.Tensor, mask_id: int, num_special: int, vocab_size: int, generator: torch.Generator,
    share: float = 0.15,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (inputs, labels) of masked language modelling for token_ids (B, T), both (B, T) int64."""
    ### BEGIN SOLUTION
    chosen = torch.rand(token_ids.shape, generator=generator) < share
    chosen &= token_ids >= num_special
    action = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (action < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (action >= 0.8) & (action < 0.9), other, inputs)
    return inputs, torch.where(chosen, token_ids, -100)
    ### END SOLUTION

# %% check="masking" points=6
# The check of `masking`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("masking", points=6)
def score(check):
    import torch

    def generator(seed):
        return torch.Generator().manual_seed(seed)

    def parts(value, ids):
        """What was done to each token: chosen, masked, changed to another, left; as booleans (B, T)."""
        inputs, labels = (torch.as_tensor(v) for v in value)
        chosen = labels != -100
        masked, same = inputs == 4, inputs == ids
        return chosen, chosen & masked, chosen & ~masked & ~same, chosen & same

    def band(count, n, p):
        """Whether a count of n tries is within five standard deviations of n p."""
        return abs(float(count) - n * p) <= 5 * (n * p * (1 - p)) ** 0.5 + 1e-9

    def shares(value, ids, share=0.15, of=(0.8, 0.1, 0.1)):
        """Whether the share that is chosen, and what is done with the chosen, are as asked."""
        free = int((ids >= 9).sum())
        chosen, *rest = parts(value, ids)
        n = int(chosen.sum())
        # A random token is the old one with probability 1 / (vocab_size - num_special); the ids below make it 1 / 191.
        moved = of[1] / 191
        exact = (of[0], of[1] - moved, of[2] + moved)
        return band(n, free, share) and all(band(part.sum(), n, p) for part, p in zip(rest, exact, strict=True))

    def well_formed(value, ids):
        inputs, labels = (torch.as_tensor(v) for v in value)
        return inputs.shape == labels.shape == ids.shape and not (inputs + labels).is_floating_point()

    def mistaken(share=0.15, of=(0.8, 0.1, 0.1)):
        return lambda ids: lambda value: well_formed(value, ids) and shares(value, ids, share, of)

    def all_labelled(v):
        return bool((torch.as_tensor(v[1]) != -100).all())

    def exchanged(v):
        return bool((torch.as_tensor(v[0]) == -100).any())

    def elsewhere(number):
        """Whether the labels are another number than -100 where a token was not chosen."""
        return lambda ids: lambda v: bool(((v[1] == number) | (v[1] == ids)).all() and (v[1] == number).any())

    def in_rows(value, ids):
        """The shares of chosen tokens, and of [MASK] among the chosen, in each text, (B,) each."""
        chosen, masked, *_ = parts(value, ids)
        return chosen.sum(1) / (ids >= 9).sum(1), masked.sum(1) / chosen.sum(1)

    def all_or_none(i):
        return lambda ids: lambda v: well_formed(v, ids) and bool(
            (((part := in_rows(v, ids)[i]) == 0) | (part == 1) | part.isnan()).all() and {0, 1} <= set(part.tolist())
        )

    def another_mask(ids, mask=4):
        """Whether one other id stands where [MASK] should."""
        def told(v):
            changed = torch.as_tensor(v[0])[torch.as_tensor(v[0] != ids)]
            return bool(len(changed) and (changed == changed.mode().values).float().mean() > 0.5
                        and int(changed.mode().values) not in (mask, -100))  # fmt: skip

        return told

    half = "half of the tokens were chosen: 15% are asked"
    everywhere = "the labels are the ids of all tokens: where a token was not chosen, the label is -100"
    labels_first = "the labels come first here: return (inputs, labels)"
    all_masked = "all chosen tokens became [MASK]: 80% should, 10% become random tokens, 10% stay"
    no_stay = "none of the chosen tokens stays as it is: 10% should"
    no_random = "none of the chosen tokens becomes a random token: 10% should"
    zeros = "labels that do not count are 0 here: -100 is asked"
    minus_one = "labels that do not count are -1 here: -100 is asked"
    turned = "80% of the chosen stay and 10% are masked: it is the other way round"
    id_fixed = "the id of [MASK] is fixed: take the argument"
    known = {
        everywhere: lambda ids: lambda v: well_formed(v, ids) and bool((v[1] == ids).all()), id_fixed: another_mask,
        zeros: elsewhere(0), minus_one: elsewhere(-1),
        "whole texts were chosen: each token is chosen by itself": all_or_none(0),
        "one number decides for a whole text what becomes of its tokens: each has its own": all_or_none(1),
        "torch.randn was taken for torch.rand: its numbers are not spread evenly from 0 to 1": mistaken(0.5596),
        "80% of the chosen become random tokens and 10% [MASK]: it is the other way round": mistaken(
            of=(0.1, 0.8, 0.1)
        ),
        labels_first: lambda ids: exchanged,
        "these are floats: whole numbers are asked": lambda ids: lambda v: any(
            torch.as_tensor(part).is_floating_point() for part in v
        ),
        half: mistaken(0.5), all_masked: mistaken(of=(1, 0, 0)), no_stay: mistaken(of=(0.8, 0.2, 0)),
        no_random: mistaken(of=(0.8, 0, 0.2)), turned: mistaken(of=(0.1, 0.1, 0.8)),
        "no token stays: 90% became [MASK] and 10% random": mistaken(of=(0.9, 0.1, 0)),
        "the 10% of random tokens were taken from what 80% left over: 10% of all chosen are asked": mistaken(
            of=(0.8, 0.02, 0.18)
        ),
        "10% of random tokens were drawn among all chosen, over [MASK] too: the three shares do not overlap": mistaken(
            of=(0.72, 0.1, 0.18)
        ),
        "only 12% were chosen: 15% of all, of which 80% are masked": mistaken(0.12),
        "the share is of the tokens that are not chosen: 85% are": mistaken(0.85),
        "only the masked 80% of the chosen have labels: all chosen have": mistaken(0.12, (1, 0, 0)),
        "tokens that stay have no label here: they are chosen, and are to be guessed too": mistaken(
            0.135, (8 / 9, 1 / 9, 0)
        ),
        "the labels mark what was not chosen: -100 is for those": mistaken(0.85, (0, 0, 1)),
    }  # fmt: skip

    def look(ids, seed=3, **more):
        return check(mask_tokens, ids, 4, 9, 200, generator(seed), **more)

    ids = torch.arange(20_000).reshape(40, 500) % 191 + 9
    says = "15% chosen; of these 80% [MASK], 10% random, 10% as they were (within five standard deviations)"
    look(ids).holds(
        lambda v: well_formed(v, ids) and shares(v, ids), says, near={w: made(ids) for w, made in known.items()}
    )

    guesses = "the labels are taken from the inputs with their holes: the original ids are asked"
    look(ids).holds(
        lambda v: bool(((v[1] == -100) | (v[1] == ids)).all()) and bool(((v[0] == ids) | (v[1] != -100)).all()),
        "labels: the original id where a token was chosen, else -100; what was not chosen is unchanged",
        near={
            everywhere: lambda v: bool((v[1] == ids).all()),
            guesses: lambda v: bool(((v[1] == -100) | (v[1] == v[0])).all()),
            zeros: elsewhere(0)(ids), minus_one: elsewhere(-1)(ids),
            "tokens were changed that have no label": lambda v: bool(((v[1] == -100) & (v[0] != ids)).any()),
        },
    )
    mixed = ids.clone()
    mixed[:, 0], mixed[:, 200], mixed[:, 400:] = 2, 3, 1  # [CLS], [SEP], padding
    look(mixed).holds(
        lambda v: bool((v[1][mixed < 9] == -100).all()) and bool((v[0][mixed < 9] == mixed[mixed < 9]).all()),
        "special tokens are never chosen and never change",
        near={
            everywhere: lambda v: bool((v[1] == mixed).all()), labels_first: exchanged,
            zeros: elsewhere(0)(mixed), minus_one: elsewhere(-1)(mixed),
            "special tokens were chosen": lambda v: bool((v[1][mixed < 9] != -100).any())
            and not all_labelled(v) and not exchanged(v),
            "special tokens were changed, though without a label": lambda v: bool(
                (v[0][mixed < 9] != mixed[mixed < 9]).any()
            ),
        },
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    seeds = [int(s) for s in check.rng.integers(2**31, size=4)]
    ids = torch.from_numpy(check.rng.integers(9, 200, size=(60, 1000)))
    about = {"about": "shares of a large batch"}
    near = {words: made(ids) for words, made in known.items()}
    look(ids, seeds[0]).holds(lambda v: well_formed(v, ids) and shares(v, ids), says, near=near, **about)
    ignored = "the argument share is ignored"
    look(ids, seeds[0], share=0.4).holds(
        lambda v: shares(v, ids, 0.4), "40% chosen", near={ignored: mistaken()(ids)}, about="another share"
    )
    padded = ids.clone()
    padded[:, 500:] = 1
    filled = "special tokens lower the number of holes: 15% of the tokens that are not special are asked"
    look(padded, seeds[1]).holds(
        lambda v: shares(v, padded), "15% of what is not special", about="half of it padding",
        near={w: made(padded) for w, made in known.items()} | {filled: mistaken(0.3)(padded)},
    )

    def random_ones(v, ids):
        return v[0][parts(v, ids)[2]]

    def in_text(v):
        """For each text, how many different random tokens it got."""
        return [len(set(row[changed].tolist())) for row, changed in zip(v[0], parts(v, low)[2], strict=True)]

    low = ids % 91 + 9  # 9 to 99: ids that no text holds must be drawn, too
    look(low, seeds[2], share=1.0).holds(
        lambda v: set(random_ones(v, low).tolist()) == set(range(9, 200)) and band(
            (random_ones(v, low) < 100).sum(), len(random_ones(v, low)), 90 / 190
        ) and min(in_text(v)) > 1,
        "random tokens are drawn from num_special to vocab_size - 1, all alike", about="which tokens are random",
        near={
            "special tokens were drawn as random tokens": lambda v: bool((random_ones(v, low) < 9).any()),
            "the last id is never drawn: torch.randint leaves out its upper end already": lambda v: set(
                random_ones(v, low).tolist()) == set(range(9, 199)),
            "the first ids behind the special ones are never drawn": lambda v: (
                first := min(random_ones(v, low).tolist())) > 9 and set(random_ones(v, low).tolist()) == set(
                range(first, 200)),
            "random tokens are drawn from the texts here: any id of the vocabulary may come": lambda v: set(
                random_ones(v, low).tolist()) == set(range(9, 100)),
            "each text has one random token: draw one for each place": lambda v: max(in_text(v)) < 4
            and len(set(random_ones(v, low).tolist())) > 4,
            "ids from vocab_size on do not exist": lambda v: bool((random_ones(v, low) >= 200).any()),
            "the same random token everywhere: draw one for each place": lambda v: len(
                set(random_ones(v, low).tolist())) == 1,
        },
    )  # fmt: skip

    def independent(v):
        chosen = (v[1] != -100).double()
        across, along = chosen.sum(0), chosen.sum(1)
        return all(
            abs(counts.var().item() / (n * 0.1275) - 1) < 5 * (2 / (len(counts) - 1)) ** 0.5
            for counts, n in [(across, 60), (along, 1000)]
        )

    look(ids, seeds[3]).holds(
        independent, "each token is chosen by itself: rows and columns vary as those of independent tries",
        about="tokens are chosen independently",
        near={
            everywhere: lambda v: bool((v[1] == ids).all()), labels_first: exchanged,
            zeros: elsewhere(0)(ids), minus_one: elsewhere(-1)(ids),
            "all texts have their holes at the same places": lambda v: not all_labelled(v) and bool(
                ((v[1] != -100) == (v[1][:1] != -100)).all()),
            "each text has exactly the same number of holes; each token is chosen by itself": lambda v: not
            all_labelled(v) and len(set((v[1] != -100).sum(1).tolist())) == 1,
        },
    )  # fmt: skip
    small = torch.from_numpy(check.rng.integers(9, 200, size=(3, 50)))

    def thrice():
        found = [mask_tokens(small, 4, 9, 200, generator(s), 0.5) for s in (1, 1, 2)]
        return [[torch.as_tensor(part).tolist() for part in pair] for pair in found]

    for drawn in (True, False):
        check(thrice).holds(
            (lambda v: v[0] == v[1]) if drawn else (lambda v: v[0][1] != v[2][1]),
            "the same holes from equal generators" if drawn else "other holes from another generator",
            about="all randomness is the generator's",
            near={"the generator is not used: two equal ones give different holes": lambda v: v[0][1] != v[1][1],
                  "the generator is not used in each draw: the holes are the same, what fills them is not": lambda v:
                  v[0][1] == v[1][1]}
            if drawn else {"the same holes whatever the generator": lambda v: v[0][1] == v[2][1]},
        )  # fmt: skip

    def used_before():
        used = generator(7)
        torch.rand(9, generator=used)
        return [torch.as_tensor(mask_tokens(small, 4, 9, 200, g, 0.5)[1]).tolist() for g in (generator(7), used)]

    check(used_before).holds(
        lambda v: v[0] != v[1], "a generator that was used before makes other holes than a fresh one of the same seed",
        about="new holes in each call",
        near={"the generator is seeded anew in each call: it goes on from where it is": lambda v: v[0] == v[1]},
    )
    check(mask_tokens, small, 4, 9, 200, generator(0)).holds(
        lambda v: all(torch.as_tensor(part).dtype == torch.int64 for part in v), "inputs and labels of int64",
        about="the dtype", edge=True,
        near={"these are floats: whole numbers are asked": lambda v: any(
            torch.as_tensor(part).is_floating_point() for part in v),
            "these are whole numbers, but not int64": lambda v: {torch.as_tensor(part).dtype for part in v} & {
                torch.int32, torch.int16, torch.uint8, torch.int8}},
    )  # fmt: skip
    check(mask_tokens, torch.tensor([[2, 3, 1]]), 4, 9, 200, generator(0)).equals(
        ([[2, 3, 1]], [[-100] * 3]), about="special tokens alone", edge=True
    )
    check(mask_tokens, small, 7, 9, 200, generator(0), 1.0).holds(
        lambda v: band((v[0] == 7).sum(), 150, 0.8), "the mask id is the argument", about="another mask id",
        near={id_fixed: lambda v: bool((v[0] == 4).any()) or another_mask(small, 7)(v)},
    )
    edges = torch.arange(8_000).reshape(40, 200) % 8 + 2  # 2 to 9, where the ids below 6 are special

    def labelled_from(first):
        return lambda v: bool((v[1] == edges.where(edges >= first, -100)).all())

    check(mask_tokens, edges, 1, 6, 40, generator(seeds[1]), 1.0).holds(
        labelled_from(6), "labels for the ids from num_special on, at share 1", about="other special tokens",
        near={
            "the id num_special is the first that is not special: it may be chosen": labelled_from(7),
            "the id num_special - 1 is special, too": labelled_from(5),
            "num_special is ignored": labelled_from(9), "special tokens were chosen": labelled_from(0),
        },
    )  # fmt: skip
    ### END HIDDEN TESTS


score

# %% [markdown]
# ### An encoder, and what it learns from
#
# BERT's encoder is a stack of your blocks over the sum of three embeddings: which token, which place, which *segment*
# (0 for the first of two texts, 1 for the second). (BERT has post-norm blocks. Ours are pre-norm, which bear a short
# training better, and its places begin as the sinusoids of chapter 04.) Every input begins with [CLS], whose last
# vector stands for the whole, and every text ends with [SEP]. `Encoder` holds the weights and calls your block; its
# output layer for masked words is tied to the token embedding, and only the holes are computed.

# %% given
tokenizer = artifacts.load_tokenizer(own=False)
VOCABULARY, SPECIAL = tokenizer.get_vocab_size(), len(artifacts.SPECIAL_TOKENS)
END, PAD, CLS, SEP, MASK = (tokenizer.token_to_id(name) for name in artifacts.SPECIAL_TOKENS[:5])


def encode(texts: list[str]) -> list[list[int]]:
    """Return the token ids of each text, without special tokens."""
    return [encoding.ids for encoding in tokenizer.encode_batch_fast(texts, add_special_tokens=False)]


def pack(firsts: list, seconds: list | None = None, length: int = 64) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (token_ids, segments), both (N, length): [CLS] first [SEP], then second [SEP], then padding.

    What is too long loses the end of its last text.
    """
    rows, marks = [], []
    for first, second in zip(firsts, seconds or [None] * len(firsts), strict=True):
        one = [CLS, *first[: length - 2], SEP]
        two = [] if second is None else [*second[: max(length - len(one) - 1, 0)], SEP]
        rows.append((one + two + [PAD] * length)[:length])
        marks.append(([0] * len(one) + [1] * len(two) + [0] * length)[:length])
    return torch.tensor(rows), torch.tensor(marks)


class Encoder(nn.Module):
    """A small BERT: embeddings, blocks, and a tied output for masked words."""

    def __init__(self, vocab_size: int, context_length: int, d_model: int, num_layers: int, num_heads: int):
        super().__init__()
        self.num_heads = num_heads
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.places, self.segments = nn.Embedding(context_length, d_model), nn.Embedding(2, d_model)
        self.norm, self.neighbours = nn.LayerNorm(d_model), nn.Conv1d(d_model, d_model, 3, padding=1)
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, num_heads, 4 * d_model, 0.0, "gelu", batch_first=True, norm_first=True)
            for _ in range(num_layers)
        )
        self.transform = nn.Sequential(nn.Linear(d_model, d_model), nn.GELU(), nn.LayerNorm(d_model))
        self.bias = nn.Parameter(torch.zeros(vocab_size))
        for table in (self.tokens, self.segments):
            nn.init.normal_(table.weight, std=0.02)
        angles = torch.arange(context_length)[:, None] * 10_000.0 ** (-torch.arange(0, d_model, 2) / d_model)
        self.places.weight.data = 0.02 * torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)

    def forward(self, token_ids, segments):
        """Return the vector of each token, (B, T, C)."""
        seen = token_ids != PAD
        x = self.tokens(token_ids) + self.places.weight[: token_ids.shape[1]] + self.segments(segments)
        x = self.norm(x)
        x = x + self.neighbours(x.mT).mT  # each token's own two neighbours, from the beginning
        for block in self.blocks:
            x = encoder_block(x, dict(block.named_parameters()), self.num_heads, True, seen[:, None, None])
        return x

    def guess(self, vectors):
        """Return the logits (n, V) of the words under the vectors (n, C)."""
        return F.linear(self.transform(vectors), self.tokens.weight, self.bias)

# %% [markdown]
# **Two texts in one input.** BERT had a second task: is the second text the one that followed in the corpus, or a
# random one (*next-sentence prediction*)? RoBERTa dropped it and lost nothing; longer texts, larger batches, more data
# and holes cut anew each time were worth more. The form [CLS] a [SEP] b [SEP] stayed, and we use it below to ask
# questions.

# %% show
first, second = "Your parcel arrived this morning.", "You can collect it at the desk until six."
pairs = [(first, second, "follows"), (first, "Return the mean along an axis.", "does not follow")]
ids, segments = pack(encode([a for a, _, _ in pairs]), encode([b for _, b, _ in pairs]), length=32)
holes, wanted = mask_tokens(ids, MASK, SPECIAL, VOCABULARY, torch.Generator().manual_seed(SEED))
for row, label in enumerate(pairs):
    print(f"{label[2]}:", " ".join(tokenizer.id_to_token(i) for i in holes[row].tolist() if i != PAD).replace("Ġ", ""))
    print("  segments", "".join(map(str, segments[row][ids[row] != PAD].tolist())))
    asked = [(t, w) for t, w in zip(holes[row].tolist(), wanted[row].tolist(), strict=True) if w != -100]
    pieces = [[tokenizer.id_to_token(i).replace("Ġ", "") for i in pair] for pair in asked]
    print("  to guess", ", ".join(f"{hidden} (shown: {shown})" for shown, hidden in pieces))

# %% [markdown]
# Now it reads: the inbox without its labels, and some of the docs. Only the holes teach, so with 15% of them a step of
# BERT tells far less than a step of a GPT. Three aids make less than a minute suffice. We cut 30% (Wettig et al. 2023
# found even 40% to be good). The output's bias begins as the logarithm of the tokens' frequencies, so that nobody has
# to learn how often words occur. And a small convolution hands each token its two neighbours from the beginning (as in
# ConvBERT, Jiang et al. 2020); attention finds them by itself, but only after thousands of steps.

# %% show
CONTEXT = 64
MODEL = {"vocab_size": VOCABULARY, "context_length": CONTEXT, "d_model": 96, "num_layers": 2, "num_heads": 4}

inbox = data.load("inbox").without_repeats()
train, test = inbox.split(test=0.2, seed=SEED)
some_docs = data.load("docs_text").train[: budget(grade=200_000, cpu=800_000)]
stream = tokenizer.encode(some_docs, add_special_tokens=False).ids
windows = [stream[i : i + CONTEXT - 2] for i in range(0, len(stream), CONTEXT - 2)]
texts, marks = pack(encode(train.texts) + windows, length=CONTEXT)
of_inbox = len(train.texts)


def masked_batch(step: int):
    """Return a batch of holes: mostly of the inbox (the training part, without labels), an eighth of the docs."""
    rows = torch.cat([torch.randint(of_inbox, (28,)), torch.randint(of_inbox, len(texts), (4,))])
    generator = torch.Generator().manual_seed(step)  # new holes in each step
    return *mask_tokens(texts[rows], MASK, SPECIAL, VOCABULARY, generator, share=0.3), marks[rows]


def masked_loss(model, batch):
    """Return the cross-entropy at the holes, in nats."""
    inputs, labels, segments = batch
    at = labels != -100
    return F.cross_entropy(model.guess(model(inputs, segments)[at]), labels[at])


def pretrain(steps: int) -> tuple[Encoder, object]:
    """Teach a fresh encoder to fill holes; returns (encoder, history)."""
    seed_everything(SEED)
    encoder = Encoder(**MODEL)
    frequencies = torch.bincount(texts[:of_inbox].flatten(), minlength=VOCABULARY).float()
    frequencies[:SPECIAL] = 0
    encoder.bias.data = torch.log((frequencies + 0.2) / frequencies.sum())
    return encoder, fit(encoder, masked_batch, masked_loss, steps=steps, lr=3e-3)


pretrained, history = pretrain(budget(grade=8, cpu=400, gpu=4000))
count = sum(p.numel() for p in pretrained.parameters())
print(f"{count:,} parameters; {history}")
plots.show(*history.draw())

# %% show
def fill_in(text: str, k: int = 4) -> None:
    """Print the k likeliest tokens for each [MASK] in a text."""
    pieces = [[*encode([piece])[0], MASK] for piece in text.split("[MASK]")]
    ids, segments = pack([[i for piece in pieces for i in piece][:-1]], length=CONTEXT)
    with torch.no_grad():
        at = ids == MASK
        chances = pretrained.guess(pretrained(ids, segments)[at]).softmax(-1)
    print(text)
    for row in chances:
        best = row.argsort(descending=True)[:k].tolist()
        print("   ", ", ".join(f"{tokenizer.decode([i])!r} {row[i]:.2f}" for i in best))


fill_in("Your parcel will be delivered[MASK] Monday.")
fill_in("Click the[MASK] to verify your account.")
fill_in("Return the shape of the input[MASK].")

# %% [markdown]
# ## Fine-tuning: one encoder, three tasks
#
# The encoder knows something of how words go together, but no task. A small **head** turns its vectors into an answer,
# and a few labelled examples train both together:
#
# | task | head | looks at |
# |---|---|---|
# | classify: is it spam? | linear, $C \to 2$ | the mean of the tokens' vectors |
# | tag: who, where, when? | linear, $C \to$ number of tags | each token's vector |
# | answer: which span of the text? | linear, $C \to 2$: scores for *start* and *end* | each token's vector |
#
# ## Exercise 6: tags for pieces, and the best span (`heads`)
#
# 20 minutes, ★★, 6 points
#
# Two details make or break the last two tasks.
#
# **Tags belong to words, vectors to pieces of words.** `first_piece_labels(word_ids, labels)` gets for each token the
# number of its word, or None for a special token (as the library tokenizers says it), and one label for each word. The
# *first* piece of a word gets its label; all other pieces and special tokens get -100. Words may be missing (cut off,
# or without a token); those that are there come in order.
#
# By hand: the words *Hi Zeynep* in four tokens, `[None, 0, 1, 1, None]`, with labels `[3, 5]` give
# `[-100, 3, 5, -100, -100]`.
#
# **A span needs a start and an end that fit.** `best_span(start_logits, end_logits, allowed, max_length)` returns the
# pair `(start, end)`, both inclusive, with the highest sum `start_logits[start] + end_logits[end]` among all with
# `start <= end`, at most `max_length` tokens, and *every* token of the span allowed. `allowed` (T,) is False for the
# question, special tokens and padding. Ties go to the earliest start, then to the earliest end. At least one token is
# allowed. Return Python ints or tensors of one number, as you like.
#
# <details><summary>Hint 1</summary>A first piece is one whose word differs from that of the token before.</details>
# <details><summary>Hint 2</summary>For the span two loops are enough: over starts, and over ends from there until the
# length is reached or a token is not allowed.</details>

# %% exercise="heads"
def first_piece_labels(word_ids: list[int | None], labels: list[int]) -> list[int]:
    """Return a label for each token: that of its word at the first piece, else -100."""
    ### BEGIN SOLUTION
    before = [None, *word_ids]
    return [
        labels[word] if word is not None and word != last else -100
        for last, word in zip(before, word_ids, strict=False)
    ]
    ### END SOLUTION


def best_span(
    start_logits: torch.Tensor, end_logits: torch.Tensor, allowed: torch.Tensor, max_length: int
) -> tuple[int, int]:
    """Return the best valid (start, end), inclusive; start_logits, end_logits and allowed (booleans) are (T,)."""
    ### BEGIN SOLUTION
    best, found = -math.inf, (0, 0)
    starts, ends, free = start_logits.tolist(), end_logits.tolist(), allowed.tolist()
    for start in range(len(starts)):
        for end in range(start, min(start + max_length, len(ends))):
            if not free[end]:
                break
            if starts[start] + ends[end] > best:
                best, found = starts[start] + ends[end], (start, end)
    return found
    ### END SOLUTION

# %% check="heads" points=6
# The check of `heads`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("heads", points=6)
def score(check):
    import torch

    every = "every piece got the label of its word: only the first one does, the others get -100"
    last_piece = "the last piece of each word got the label: the first one does"
    special = "special tokens (None) have the label -100"
    number = "these are the numbers of the words, not their labels"
    counted = "labels were dealt out one after another: a word may be missing, so look up labels[word]"
    check(first_piece_labels, [None, 0, 1, 1, None], [3, 5]).equals([-100, 3, 5, -100, -100], near={
        every: [-100, 3, 5, 5, -100], last_piece: [-100, 3, -100, 5, -100], special: [0, 3, 5, -100, 0],
        number: [-100, 0, 1, -100, -100],
    })
    check(first_piece_labels, [None, 0, 2, 2, 2, 3, None], [4, 7, 6, 1]).equals(
        [-100, 4, 6, -100, -100, 1, -100], near={
            every: [-100, 4, 6, 6, 6, 1, -100], last_piece: [-100, 4, -100, -100, 6, 1, -100],
            special: [0, 4, 6, -100, -100, 1, 0], number: [-100, 0, 2, -100, -100, 3, -100],
            counted: [-100, 4, 7, -100, -100, 6, -100],
        }
    )

    apart = "start and end were chosen apart: the end may lie before the start, or too far behind it"
    start_first = "the start was chosen first, then the best end for it: choose both together"
    exclusive = "the end is inclusive: the last token of the span, not the one behind it"
    far, near_ = "the span is longer than max_length", "a span of exactly max_length tokens is valid"
    open_, ends = "`allowed` was ignored", "every token of the span must be allowed, not its ends alone"
    strict = "a span of one token is valid: start may equal end"
    longer = "spans may be one token longer than max_length here: start and end both count"
    minus, larger = "the scores are added, not subtracted", "the larger of the two scores counts here: add them"
    mean_of = "the sum was divided by the length: longer spans are as good as short ones"
    swapped = "the scores of start and end are exchanged"
    no_last = "the last token, too, may be the start of a span"
    first_run = "the search ended at the first token that is not allowed: spans behind it count, too"
    t, f = True, False
    s, e = torch.tensor([0.0, 1.0, 4.0, 0.5, 2.0]), torch.tensor([5.0, 3.0, 0.0, 1.5, 2.5])
    check(best_span, s, e, torch.tensor([t, t, t, t, t]), 5).equals((2, 4), near={
        apart: (2, 0), exclusive: (2, 5), minus: (0, 0), larger: (0, 0), mean_of: (0, 0),
        "return the pair alone, without its score": ((2, 4), 6.5),
    })
    s2, e2 = torch.tensor([4.0, 0.0, 3.0, 0.5, 0.0]), torch.tensor([0.0, 1.0, 0.5, 1.0, 3.0])
    check(best_span, s2, e2, torch.tensor([t, t, t, t, t]), 2).equals((0, 1), near={
        apart: (0, 4), exclusive: (0, 2), far: (0, 4), near_: (0, 0), longer: (2, 4), minus: (4, 4), larger: (0, 0),
        mean_of: (0, 0), swapped: (0, 0),
    })
    check(best_span, s, e, torch.tensor([f, t, t, f, t]), 5).equals((4, 4), near={
        apart: (2, 1), exclusive: (4, 5), open_: (2, 4), ends: (2, 4), strict: (1, 2),
        no_last: (1, 1), start_first: (2, 2), first_run: (1, 1), swapped: (1, 2), larger: (2, 2),
        minus: (1, 1),
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def pieces(word_ids, labels, pick):
        return [-100 if w is None else pick(i, w, word_ids, labels) for i, w in enumerate(word_ids)]

    def at_first(i, w, ids):
        return i == 0 or ids[i - 1] != w

    check.mistakes({
        every: lambda ids, y: pieces(ids, y, lambda i, w, ids, y: y[w]),
        last_piece: lambda ids, y: pieces(ids, y, lambda i, w, ids, y: y[w] if w not in ids[i + 1 :] else -100),
        special: lambda ids, y: [0 if w is None else y[w] if at_first(i, w, ids) else -100 for i, w in enumerate(ids)],
        number: lambda ids, y: pieces(ids, y, lambda i, w, ids, y: w if at_first(i, w, ids) else -100),
        counted: lambda ids, y: pieces(
            ids, y, lambda i, w, ids, y: y[len({v for v in ids[:i] if v is not None})] if at_first(i, w, ids) else -100
        ),
        "the other pieces were dropped: there is one label for each token": lambda ids, y: [
            -100 if w is None else y[w] for i, w in enumerate(ids) if w is None or at_first(i, w, ids)
        ],
        "special tokens were dropped: there is one label for each token": lambda ids, y: [
            y[w] if at_first(i, w, ids) else -100 for i, w in enumerate(ids) if w is not None
        ],
        "special tokens and other pieces have the label -1 here: -100 is asked": lambda ids, y: [
            y[w] if w is not None and at_first(i, w, ids) else -1 for i, w in enumerate(ids)
        ],
        "the other pieces have the label 0 here: -100 is asked": lambda ids, y: pieces(
            ids, y, lambda i, w, ids, y: y[w] if at_first(i, w, ids) else 0
        ),
        "word 0 counts as no word: 0 is false, ask `is None`": lambda ids, y: [
            y[w] if w and at_first(i, w, ids) else -100 for i, w in enumerate(ids)
        ],
        "the labels were dealt out to the tokens in order: they belong to words": lambda ids, y: [
            y[i] if i < len(y) else -100 for i in range(len(ids))
        ],
        "this is the label of the word before": lambda ids, y: pieces(
            ids, y, lambda i, w, ids, y: y[w - 1] if at_first(i, w, ids) else -100
        ),
        "the label 0 is a label like any other": lambda ids, y: pieces(
            ids, y, lambda i, w, ids, y: (y[w] or -100) if at_first(i, w, ids) else -100
        ),
    })
    for n in (4, 7, 12):
        words = [w for w in range(n) if check.rng.random() < 0.75] or [0]
        ids = [w for w in words for _ in range(int(check.rng.integers(1, 4)))]
        labels = [int(v) for v in check.rng.integers(0, 9, size=n)]
        ids = [None, *ids, None, None]
        expected = [-100 if w is None or ids.index(w) < i else labels[w] for i, w in enumerate(ids)]
        check(first_piece_labels, ids, labels).equals(expected, about="fresh words in pieces")
    check(first_piece_labels, [0, 1, 1, 2], [5, 0, 2]).equals([5, 0, -100, 2], about="no special tokens")
    check(first_piece_labels, [None, None], []).equals([-100, -100], about="no words", edge=True)
    check(first_piece_labels, [], []).equals([], about="no tokens", edge=True)

    def spans(valid, value=lambda s, e: s + e, shift=0, latest=False):
        def choose(start, end, allowed, longest):
            found = [
                (value(start[i].item(), end[j].item()), (-i, -j), (i, j + shift))
                for i in range(len(start)) for j in range(len(end)) if valid(i, j, allowed.tolist(), longest)
            ]  # fmt: skip
            if latest:
                return max(found, key=lambda v: (v[0], *[-n for n in v[1]]))[2]
            return max(found, key=lambda v: v[:2])[2]

        return choose

    def right(i, j, free, n):
        return i <= j < i + n and all(free[i : j + 1])

    check.mistakes({
        apart: lambda s, e, free, n: tuple(v.masked_fill(~free, -9e9).argmax().item() for v in (s, e)),
        "start and end were chosen apart, and `allowed` was ignored": lambda s, e, free, n: (
            s.argmax().item(), e.argmax().item()),
        start_first: lambda s, e, free, n: max(
            (p for p in spans_of(s, free, n) if p[0] == max(spans_of(s, free, n), key=lambda q: s[q[0]].item())[0]),
            key=lambda p: e[p[1]].item()),
        "the end was chosen first, then the best start for it: choose both together": lambda s, e, free, n: max(
            (p for p in spans_of(s, free, n) if p[1] == max(spans_of(s, free, n), key=lambda q: e[q[1]].item())[1]),
            key=lambda p: s[p[0]].item()),
        exclusive: spans(right, shift=1),
        far: spans(lambda i, j, free, n: i <= j and all(free[i : j + 1])),
        longer: spans(lambda i, j, free, n: i <= j <= i + n and all(free[i : j + 1])),
        near_: spans(lambda i, j, free, n: i <= j < i + n - 1 and all(free[i : j + 1])),
        open_: spans(lambda i, j, free, n: i <= j < i + n),
        ends: spans(lambda i, j, free, n: i <= j < i + n and free[i] and free[j]),
        "the start must be allowed, and so must the end": spans(lambda i, j, free, n: i <= j < i + n and free[i]),
        "the end must be allowed, and so must the start": spans(lambda i, j, free, n: i <= j < i + n and free[j]),
        "every token of the span must be allowed, also the first": spans(
            lambda i, j, free, n: i <= j < i + n and all(free[i + 1 : j + 1])),
        strict: spans(lambda i, j, free, n: i < j < i + n and all(free[i : j + 1])),
        "the scores are added, not multiplied": spans(right, value=lambda s, e: s * e),
        "the logits are added as they are, not their softmax": lambda s, e, free, n: spans(right)(
            s.softmax(0), e.softmax(0), free, n),
        minus: spans(right, value=lambda s, e: e - s), larger: spans(right, value=max),
        swapped: lambda s, e, free, n: spans(right)(e, s, free, n),
        mean_of: lambda s, e, free, n: max(
            spans_of(s, free, n), key=lambda p: (s[p[0]] + e[p[1]]).item() / (p[1] - p[0] + 1)),
        no_last: spans(lambda i, j, free, n: i < len(free) - 1 and right(i, j, free, n)),
        "the last token, too, may be the end of a span": spans(
            lambda i, j, free, n: j < len(free) - 1 and right(i, j, free, n)),
        "the first token, too, may be the start of a span": spans(lambda i, j, free, n: i and right(i, j, free, n)),
        first_run: spans(
            lambda i, j, free, n: right(i, j, free, n) and all(free[free.index(True) : j + 1])),
        "the search ended at the first start that has a span: go on to the others": spans(
            lambda i, j, free, n: right(i, j, free, n) and i == free.index(True)),
        "no sum is above 0: the search for the best begins with minus infinity": lambda s, e, free, n: (
            (0, 0) if all(s[i] + e[j] < 0 for i, j in spans_of(s, free, n)) else spans(right)(s, e, free, n)),
        "of equals the shortest was taken: the earliest start is asked, then the earliest end": lambda s, e, free, n:
            max(spans_of(s, free, n), key=lambda p: ((s[p[0]] + e[p[1]]).item(), p[0] - p[1])),
        "only the score of the start counts here": spans(right, value=lambda s, e: s),
        "only the score of the end counts here": spans(right, value=lambda s, e: e),
        "the end lies at or behind the start, not before it": spans(
            lambda i, j, free, n: j <= i and all(free[j : i + 1])),
        "ties go to the earliest start and end": spans(right, latest=True),
        "the length of a span is rewarded; the sum of both scores decides alone": lambda s, e, free, n: max(
            spans_of(s, free, n), key=lambda p: (s[p[0]] + e[p[1]]).item() + p[1] - p[0]),
    })  # fmt: skip

    def spans_of(s, free, n):
        return [(i, j) for i in range(len(s)) for j in range(len(s)) if right(i, j, free.tolist(), n)]

    for T, longest in [(6, 6), (9, 3), (12, 4), (15, 2), (10, 10), (11, 5), (14, 8), (20, 6), (16, 9), (13, 4)]:
        start, end = (torch.from_numpy(check.rng.normal(size=T) * 2) for _ in "se")
        free = torch.from_numpy(check.rng.random(T) < (1.1 if T == 6 else 0.75))
        free[T // 2] = True
        table = (start[:, None] + end[None, :]).triu().tril(longest - 1)
        blocked = (~free).long().cumsum(0)
        open_table = blocked[None, :] - blocked[:, None] + (~free).long()[:, None] == 0
        keep = torch.ones(T, T, dtype=torch.bool).triu().tril(longest - 1) & open_table
        place = table.masked_fill(~keep, -torch.inf).argmax().item()
        check(best_span, start, end, free, longest).equals((place // T, place % T), about="random scores")
    for longest, more in [(4, 0), (3, 0), (4, 1), (3, 1), (2, 1)]:  # the best pair just fits, or is one token too long
        start, end = (torch.from_numpy(check.rng.normal(size=12)) for _ in "se")
        start[3] += 9
        end[3 + longest - 1 + more] += 9
        found = spans(right)(start, end, torch.ones(12, dtype=torch.bool), longest)
        check(best_span, start, end, torch.ones(12, dtype=torch.bool), longest).equals(
            found, about="scores where max_length decides"
        )
    start, end = torch.tensor([0.0, 1.0, 1.0, 0.75, 0.0]), torch.tensor([0.0, 0.0, 0.0, 2.0, 2.0])
    check(best_span, start, end, torch.ones(5, dtype=torch.bool), 5).equals((1, 3), about="ties")
    free = torch.ones(5, dtype=torch.bool)
    start, end = torch.tensor([5.0, 1.0, 4.0, 0.0, 0.0]), torch.tensor([0.0, 3.0, 2.5, 1.0, 0.0])
    check(best_span, start, end, free, 5).equals((0, 1), about="a span at the beginning")
    start, end = torch.tensor([0.0, 3.0, 0.0, 5.0, 1.0]), torch.tensor([0.0, 2.0, 1.0, 3.0, 4.0])
    check(best_span, start, end, free, 5).equals((3, 4), about="a span at the end")
    start, end = torch.tensor([-5.0, -3.0, -9.0]), torch.tensor([-4.0, -6.0, -1.0])
    check(best_span, start, end, torch.ones(3, dtype=torch.bool), 3).equals((1, 2), about="negative scores alone")
    start, end = torch.tensor([-5.0, -3e4, -9.0]), torch.tensor([-4.0, -2e4, -1.0])
    check(best_span, start, end, torch.tensor([False, True, False]), 3).equals((1, 1), about="one token", edge=True)
    ### END HIDDEN TESTS


score

# %% [markdown]
# Now the three tasks on the inbox. For each, three models with the same shape are trained on the same few labelled
# examples (64, or 32 for tags), for the same number of steps. One begins with random weights. One begins with those
# that you have pre-trained. And one begins with *inbox-bert*, a reference that comes with the course: it has read the
# same texts by the same recipe, but for 8,000 steps in place of 400. Five seeds draw other examples and other heads.
# The questions of the third task are of the form "On which date?", asked of messages with one such entity.
#
# What to expect: inbox-bert is ahead of its twin from scratch in all three tasks, with each of the five seeds. Your 400
# steps are enough for tags and spans, which ask about single tokens, as the holes did. They are not enough for spam:
# there the mean of all vectors must say what a message is about, and that is learned late. (BERT reads a class off
# [CLS], which its next-sentence task had taught to stand for the whole. Ours has no such task, so the head looks at the
# mean of all tokens instead; Reimers and Gurevych (2019) found it no worse.) And a better start is all that
# pre-training gives: with twenty times as many labels the twin has caught up in the tags, or is ahead.

# %% show
class Fitted(nn.Module):
    """An encoder with a linear head; `whole` says whether the head looks at the mean of all tokens."""

    def __init__(self, encoder: Encoder, outputs: int, whole: bool):
        super().__init__()
        width, self.encoder, self.whole = encoder.tokens.embedding_dim, encoder, whole
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, outputs))

    def forward(self, token_ids, segments):
        """Return (B, outputs), or (B, T, outputs)."""
        vectors = self.encoder(token_ids, segments)
        if self.whole:
            seen = (token_ids != PAD)[..., None]
            vectors = (vectors * seen).sum(dim=1) / seen.sum(dim=1)
        return self.head(vectors)


def task_loss(model, batch):
    """Return the cross-entropy over all labels of a batch: (B,), or (B, T) for tags, or (B, 2) for start and end."""
    token_ids, segments, labels = batch
    logits = model(token_ids, segments)
    if logits.dim() == 3 and labels.shape[1] == 2:
        logits = logits.transpose(1, 2).masked_fill((segments == 0)[:, None], -1e4)  # (B, 2, T)
    return F.cross_entropy(logits.flatten(0, -2), labels.flatten(), ignore_index=-100)


def tags_of(sentences, names: list[str]) -> tuple:
    """Return (token_ids, segments, labels) for tagged sentences; labels stand on first pieces."""
    encoded = [tokenizer.encode(s.tokens, is_pretokenized=True, add_special_tokens=False) for s in sentences]
    ids, segments = pack([e.ids for e in encoded], length=CONTEXT)
    labels = torch.full(ids.shape, -100)
    for row, (e, s) in enumerate(zip(encoded, sentences, strict=True)):
        numbers = [names.index(tag) for tag in s.tags]
        made = first_piece_labels([None, *e.word_ids[: CONTEXT - 2], None], numbers)
        labels[row, : len(made)] = torch.tensor(made)
    return ids, segments, labels


QUESTIONS = {"DATE": "On which date?", "PERSON": "Which person?", "PLACE": "At which place?", "MONEY": "How much?"}


def questions_of(messages) -> tuple:
    """Return (token_ids, segments, labels (N, 2)): the question, the message, first and last token of the answer."""
    asked = []
    for text, entities in zip(messages.texts, messages.entities, strict=True):
        for label, question in QUESTIONS.items():
            found = [e for e in entities if e.label == label]
            if len(found) == 1:
                asked.append((question, text, found[0]))
    first = encode([q for q, _, _ in asked])
    second = [tokenizer.encode(text, add_special_tokens=False) for _, text, _ in asked]
    ids, segments = pack(first, [e.ids for e in second], length=CONTEXT)
    spans = [
        [i for i, (a, b) in enumerate(e.offsets) if a < entity.end and b > entity.start]
        for e, (_, _, entity) in zip(second, asked, strict=True)
    ]
    edges = torch.tensor([[len(q) + 2 + s[0], len(q) + 2 + s[-1]] for q, s in zip(first, spans, strict=True)])
    fits = edges[:, 1] < CONTEXT - 1
    return ids[fits], segments[fits], edges[fits]


def spam_f1(model, part) -> float:
    """Return F1 of spam."""
    ids, segments, labels = part
    guesses = model(ids, segments).argmax(-1)
    hits = ((guesses == 1) & (labels == 1)).sum().item()
    return 2 * hits / max((guesses == 1).sum().item() + (labels == 1).sum().item(), 1)


def tag_f1(model, part) -> float:
    """Return F1 of tags other than O, token by token."""
    ids, segments, labels = part
    guesses, at = model(ids, segments).argmax(-1), labels != -100
    right = ((guesses == labels) & at & (labels != OUTSIDE)).sum().item()
    return 2 * right / max((at & (guesses != OUTSIDE)).sum().item() + (at & (labels != OUTSIDE)).sum().item(), 1)


def exact_spans(model, part) -> float:
    """Return the share of questions answered with exactly the right span."""
    ids, segments, edges = part
    logits, allowed = model(ids, segments), (segments == 1) & (ids != SEP)
    found = [best_span(*row.T, free, 12) for row, free in zip(logits, allowed, strict=True)]
    return (torch.tensor(found) == edges).all(1).float().mean().item()


tagged = data.load("inbox_tags")
OUTSIDE = tagged.tags.index("O")
TASKS = {  # training part, test part, outputs, whether the mean of all tokens, learning rate, measure
    "spam (F1)": (
        (*pack(encode(train.texts), length=CONTEXT), torch.from_numpy(train.labels)),
        (*pack(encode(test.texts), length=CONTEXT), torch.from_numpy(test.labels)), 2, True, 1e-3, spam_f1,
    ),
    "tags (F1)": (
        tags_of(tagged.train, tagged.tags), tags_of(tagged.test, tagged.tags), len(tagged.tags), False, 3e-3, tag_f1
    ),
    "spans (exact)": (questions_of(train), questions_of(test), 2, False, 3e-3, exact_spans),
}  # fmt: skip


def fine_tune(task: str, begin: Encoder | None, seed: int, examples: int, steps: int, lr: float | None = None):
    """Fine-tune on so many labelled examples; returns (score on at most 400 test examples, model)."""
    learned, judged, outputs, whole, rate, measure = TASKS[task]
    seed_everything(seed)
    model = Fitted(Encoder(**MODEL), outputs, whole)
    if begin is not None:
        model.encoder.load_state_dict(begin.state_dict())
    rows = torch.randperm(len(learned[0]))[:examples]
    order = torch.cat([torch.randperm(len(rows)) for _ in range(16 * steps // len(rows) + 1)])

    def batch(step):
        return tuple(part[rows[order[16 * step : 16 * step + 16]]] for part in learned)

    fit(model, batch, task_loss, steps=steps, lr=lr or rate, progress=False)
    with torch.no_grad():
        return measure(model, tuple(part[:400] for part in judged)), model


bundled = artifacts.load("inbox-bert", own=False)
inbox_bert = Encoder(**bundled.config)
inbox_bert.load_state_dict(bundled.weights)
BEGINS = {"inbox-bert": inbox_bert, "your encoder": pretrained, "from scratch": None}
EXAMPLES = dict(zip(TASKS, budget(grade=(48, 48, 48), cpu=(64, 32, 64)), strict=True))  # labelled examples
MANY = budget(grade=96, cpu=640)
scores = {task: np.zeros((len(BEGINS), budget(grade=1, cpu=5))) for task in TASKS}
for task, found in scores.items():
    for seed in range(found.shape[1]):
        for i, (kind, begin) in enumerate(BEGINS.items()):
            with leaderboard.measured("05", f"{task}, {kind}, seed {seed}", "few labels") as row:
                row.f1, _ = fine_tune(task, begin, seed, EXAMPLES[task], budget(grade=3, cpu=40))
            found[i, seed] = row.f1
print(f"{'task':<16}" + "".join(f"{kind:>24}" for kind in BEGINS))
for task, found in scores.items():
    print(f"{task:<16}" + "".join(f"{f'{v.mean():.3f} ({v.min():.3f} to {v.max():.3f})':>24}" for v in found))
for task, found in scores.items():
    claim(f"{task}, {EXAMPLES[task]} labels: inbox-bert above its twin from scratch", found[0], found[2])
for task in ("tags (F1)", "spans (exact)"):
    claim(f"{task}, {EXAMPLES[task]} labels: your encoder above its twin from scratch", *scores[task][1:])
fig, ax = plots.figure(width=7, height=3.2)
for i, found in enumerate(scores.values()):
    for j, (kind, marker) in enumerate(zip(BEGINS, "^os", strict=True)):
        ax.plot(i + (j - 1) / 5 + np.zeros(found.shape[1]), found[j], marker, color=plots.COLORS[j], alpha=0.7,
                label=kind if i == 0 else None)  # fmt: skip
ax.set_xticks(range(len(scores)), [f"{task}, {EXAMPLES[task]} labels" for task in scores])
ax.set(ylabel="score on the test part", ylim=(0, 1))
ax.legend()
more = [fine_tune("tags (F1)", begin, SEED, MANY, budget(grade=3, cpu=60))[0] for begin in (pretrained, None)]
print(f"tags with {MANY} labelled examples: {more[0]:.3f} pre-trained, {more[1]:.3f} from scratch")
means = "; ".join(f"{task}: {', '.join(f'{v.mean():.2f} {k}' for k, v in zip(BEGINS, found, strict=True))}"
                  for task, found in scores.items())  # fmt: skip
plots.show(fig, f"Scores after fine-tuning from three starts, a mark for each seed. Means: {means}.")

# %% show
with leaderboard.measured("05", "fine-tuned encoder", "inbox") as row:
    learned, judged, *_ = TASKS["spam (F1)"]
    _, spam_model = fine_tune("spam (F1)", pretrained, SEED, len(learned[0]), budget(grade=3, cpu=150), lr=3e-3)
    with torch.no_grad():
        row.f1 = spam_f1(spam_model, judged)
    row.parameters = sum(p.numel() for p in spam_model.parameters())
print(f"fine-tuned on all {len(learned[0]):,} labels: F1 of spam {row.f1:.3f}")

# %% [markdown]
# ## Essay 1: what did the holes teach?
#
# 15 minutes, ★★, 10 points, graded by hand
#
# Look at the table and at the guesses for [MASK]. Which task gained most from pre-training, which least, and why
# should that be so? The encoder has read the inbox's training part without labels: is that fair, and what would change
# if it had read the test part, too, or only the docs? BERT also learned to tell whether a second text follows the
# first, and cut its holes once; RoBERTa dropped the one and changed the other. From what you saw here, argue which of
# the two changes you would test first, and how. About 150 words.

# %% [markdown] essay="holes" points=10
# ### BEGIN SOLUTION
# Spans gain most: with inbox-bert they are right twice as often as without. Its twin must learn from few examples what
# a name or a date looks like, and to tell words apart at all, while the pre-trained encoder has filled such places
# thousands of times and brings vectors in which days resemble days. My own 400 steps already help there, and in the
# tags. Spam gains from inbox-bert alone, some 0.14: what a message is about is not asked by any one hole, so that the
# mean of the vectors comes to say it late. With 640 labels the tags no longer need the better start. Reading the
# training part without labels is fair, since texts without labels are what one has in practice; reading the test part
# would leak its words, though no labels, and the score would say less about messages from tomorrow. The docs alone
# would teach English and the tokenizer's pieces but no campus. I would test dynamic masks first: with some four
# thousand messages, each seen many times, fixed holes would be learned by heart. I would train two encoders with the
# same steps and seeds, one with a generator seeded by the message, one by the step, and compare the loss at holes of
# held-out messages. For the next-sentence task the inbox has no pairs.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: most and least gain, with numbers from the table and a reason that fits the task (what a head must learn).
# 2 points: unlabelled training text is fair; test text leaks words; the docs teach language but not this domain.
# 2 points: says what dynamic masks and dropping next-sentence prediction change.
# 3 points: a test that could fail: same budget, held-out measure, more than one seed.
# ### END MARK SCHEME

# %% [markdown]
# ## The decoder: predict what comes next
#
# A **decoder** sees only what stands before. The probability of a text is then a product, by the chain rule:
#
# $$p(x_1, \ldots, x_T) = p(x_1) \prod_{t=2}^{T} p(x_t \mid x_1, \ldots, x_{t-1})$$
#
# and one forward pass gives all factors at once: the vector of token $t$ knows tokens 1 to $t$ and no other, and
# predicts token $t + 1$. Nothing is hidden and no token is wasted: where BERT learns from 15% of the tokens, a GPT
# learns from all.
#
# ## Exercise 7: a GPT (`gpt`)
#
# 20 minutes, ★★, 6 points
#
# The forward pass, from ids to logits:
#
# 1. the row of `token_embedding.weight` $(V, C)$ for each id, plus the row of `position_embedding.weight` for each
#    place (the first token has place 0; a text may be shorter than the context);
# 2. `num_layers` pre-norm blocks with a causal mask, in order; the weights of block $i$ lie in `p` under `blocks.{i}.`
#    and the names that `encoder_block` knows: `part(p, "blocks.0.")` takes them out;
# 3. `final_norm.weight` and `.bias` on the result;
# 4. logits $(B, T, V)$: the product with each row of the token embedding. The output is *tied*: no matrix of its own,
#    no bias.
#
# A slide sets the scores of "current and right context" to minus infinity. Then a token could not see itself, and the
# first one nothing at all. Causal means: a token sees itself and what stands before it.
#
# <details><summary>Hint 1</summary><code>torch.ones(T, T, dtype=torch.bool).tril()</code> is True where a query (row)
# may look at a key (column).</details>
# <details><summary>Hint 2</summary><code>F.linear(x, E)</code> is <code>x @ E.T</code>.</details>

# %% given
def part(p: dict, prefix: str) -> dict:
    """Return the weights whose names begin with `prefix`, without it."""
    return {name.removeprefix(prefix): value for name, value in p.items() if name.startswith(prefix)}

# %% exercise="gpt"
def gpt_logits(token_ids: torch.Tensor, p: dict, num_layers: int, num_heads: int) -> torch.Tensor:
    """Return the logits (B, T, V) of the next token after each of token_ids (B, T)."""
    ### BEGIN SOLUTION
    T = token_ids.shape[1]
    x = p["token_embedding.weight"][token_ids] + p["position_embedding.weight"][:T]  # (B, T, C)
    causal = torch.ones(T, T, dtype=torch.bool, device=token_ids.device).tril()
    for i in range(num_layers):
        x = encoder_block(x, part(p, f"blocks.{i}."), num_heads, norm_first=True, mask=causal)
    x = F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
    return F.linear(x, p["token_embedding.weight"])
    ### END SOLUTION

# %% check="gpt" points=6
# The check of `gpt`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("gpt", points=6)
def score(check):
    import torch
    from torch import nn

    def weights(V, context, C, n, k=0.0):
        """Weights of a GPT that are fixed numbers, none of them special."""
        block = nn.TransformerEncoderLayer(C, 1, C + 2).state_dict()
        shapes = {"token_embedding.weight": (V, C), "position_embedding.weight": (context, C)}
        shapes |= {f"blocks.{i}.{name}": tuple(v.shape) for i in range(n) for name, v in block.items()}
        shapes |= {"final_norm.weight": (C,), "final_norm.bias": (C,)}
        return {
            name: 0.8 * torch.sin(torch.arange(1.0, 1 + torch.Size(shape).numel()) * (1.1 + 0.37 * i) + k).view(shape)
            for i, (name, shape) in enumerate(shapes.items())
        }

    ahead = "tokens see what comes after them: is the mask missing?"
    itself = "a token does not see itself: the mask keeps the diagonal"
    reverse = "the mask is the wrong way round: tokens see what comes after them and nothing before"
    nowhere, from_one = "the position embeddings are missing", "positions begin with 0, not with 1"
    no_end = "the norm at the end is missing"
    post = "these are post-norm blocks; a GPT has pre-norm blocks"
    chances = "these are probabilities: return the logits"
    first = "all blocks used the weights of block 0"
    short = "the last block is missing"
    p = weights(3, 4, 4, 2)
    check(gpt_logits, torch.tensor([[2, 0]]), p, 2, 2).equals(
        [[[-1.0812, 1.1881, 0.3509], [-1.4414, 1.6111, 0.4511]]], rtol=1e-3, atol=1e-4, near={
            ahead: [[[-0.966244, 1.08755, 0.297762], [-1.44287, 1.61228, 0.451859]]],
            itself: [[[-2.44538, 2.35992, 0.994817], [-1.21058, 1.43483, 0.328641]]],
            reverse: [[[-0.962522, 1.08469, 0.295801], [-1.39278, 1.56444, 0.431176]]],
            nowhere: [[[-0.642102, 0.974032, 0.0433989], [-1.22688, 1.52006, 0.292547]]],
            from_one: [[[-1.07675, 1.25703, 0.304096], [-1.40066, 1.62128, 0.404115]]],
            no_end: [[[1.64764, -2.51677, -0.100673], [4.9375, -2.76282, -3.23929]]],
            post: [[[-0.454332, 1.32382, -0.359374], [-0.449893, 1.32107, -0.362121]]],
            chances: [[[0.0672945, 0.650904, 0.281801], [0.0347186, 0.734905, 0.230377]]],
            first: [[[-0.267578, 0.896605, -0.283534], [-0.971656, 1.45354, 0.0782185]]],
            short: [[[-0.384473, 0.744077, -0.0728856], [-1.37469, 1.6523, 0.35908]]],
        }
    )
    ### BEGIN HIDDEN TESTS
    import torch.nn.functional as F

    check.hidden()

    def first_rows(P, ids):
        return P[: ids.shape[1]]

    def normed(x, p):
        return F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])

    def made(
        mask="causal", positions=first_rows, end=True, pre=True, last=lambda z: z, pick=lambda i, n: i, scale=1.0,
        early=False, each=lambda x, norm: x, skip=0, open_from=99, onwards=True,
    ):
        """A GPT of the library's layers, whose parts can be exchanged."""

        def gpt(token_ids, p, num_layers, num_heads):
            E, P = p["token_embedding.weight"], p["position_embedding.weight"]
            T, C = token_ids.shape[1], E.shape[1]
            x = E[token_ids] * (scale or C**0.5)
            x = x + positions(P, token_ids)
            x = normed(x, p) if early else x
            shut = {
                "causal": torch.ones(T, T).triu(1), "none": torch.zeros(T, T), "strict": torch.ones(T, T).triu(0),
                "reverse": torch.ones(T, T).tril(-1), "peek": torch.ones(T, T).triu(2),
                "turned": torch.ones(T, T).tril(),
                "repaired": torch.ones(T, T).triu(0) - torch.eye(T) * (torch.arange(T) == 0),
            }[mask].bool()  # fmt: skip
            start = x
            for i in range(num_layers):
                begin = f"blocks.{pick(i, num_layers)}."
                own = {k.removeprefix(begin): v for k, v in p.items() if k.startswith(begin)}
                if pick(i, num_layers) is None:
                    continue
                width = own["linear1.bias"].numel()
                layer = nn.TransformerEncoderLayer(C, num_heads, width, 0.0, "gelu", batch_first=True, norm_first=pre)
                layer.load_state_dict(own)
                with torch.no_grad():
                    given = x if onwards else start
                    out = layer.to(x.dtype).train()(given, src_mask=None if i >= open_from else shut)
                x = each(out + skip * given, lambda v: normed(v, p))
            return last((normed(x, p) if end else x) @ E.T)

        return gpt

    right = made()

    def with_norm(weight=None, bias=None, name="final_norm"):
        """The right GPT with another weight or bias in its last norm."""

        def gpt(t, p, n, h):
            w, b = (p[f"{name.format(n - 1)}.{kind}"] for kind in ("weight", "bias"))
            w, b = (v if to is None else torch.full_like(v, to) for v, to in ((w, weight), (b, bias)))
            return right(t, p | {"final_norm.weight": w, "final_norm.bias": b}, n, h)

        return gpt

    check.mistakes({
        "the norm at the end is without its weight and bias": with_norm(1.0, 0.0),
        "the norm at the end is without its bias": with_norm(bias=0.0),
        "the norm at the end is without its weight": with_norm(weight=1.0),
        "the norm at the end has weights of its own: final_norm": with_norm(name="blocks.{}.norm2"),
        "the last norm stands behind all blocks, not behind each": made(each=lambda x, norm: norm(x), end=False),
        "the last norm stands behind all blocks, and not behind each as well": made(each=lambda x, norm: norm(x)),
        "the mask is turned round: for encoder_block True is where a query may look": made(mask="turned"),
        "a token does not see itself, but for the first: the mask keeps the diagonal": made(mask="repaired"),
        "only the first block has the mask: each needs it": made(open_from=1),
        "each block began with the embeddings: it works on what the block before it returned": made(onwards=False),
        "the input of each block was added once more: the block has its residuals": made(skip=1),
        "block 0 is left out": made(pick=lambda i, n: i or None),
        "the logits behind the last token are missing: (B, T, V) is asked": made(last=lambda z: z[:, :-1]),
        "num_layers and num_heads are exchanged": lambda t, p, n, h: right(t, p, h, n),
        ahead: made(mask="none"), itself: made(mask="strict"), reverse: made(mask="reverse"),
        nowhere: made(positions=lambda P, ids: 0), from_one: made(positions=lambda P, ids: P[1 : ids.shape[1] + 1]),
        "the first token has place 0: these are the last rows of the table": made(
            positions=lambda P, ids: P[-ids.shape[1] :]
        ),
        "the position embedding is looked up by place, not by token": made(positions=lambda P, ids: P[ids]),
        "all tokens of a text got one position: each place has its own": made(
            positions=lambda P, ids: P[: len(ids), None]
        ),
        "each token sees the one behind it, too: the mask begins right of the diagonal": made(mask="peek"),
        "num_heads is ignored: this is one head": lambda t, p, n, h: right(t, p, n, 1),
        "the last norm stands behind the blocks, not before them": made(early=True, end=False),
        "no positions are added at the output: it is the product with the token embedding": lambda t, p, n, h: (
            right(t, p, n, h) + first_rows(p["position_embedding.weight"], t) @ p["token_embedding.weight"].T
        ),
        no_end: made(end=False), post: made(pre=False),
        "the mask is missing and so are the positions": made(mask="none", positions=lambda P, ids: 0),
        chances: made(last=lambda z: z.softmax(-1)),
        "these are logarithms of probabilities: return the logits": made(last=lambda z: z.log_softmax(-1)),
        "only the last token's logits came: those of all tokens are asked": made(last=lambda z: z[:, -1]),
        first: made(pick=lambda i, n: 0),
        "the blocks are in reverse order": made(pick=lambda i, n: n - 1 - i),
        short: made(pick=lambda i, n: None if i == n - 1 else i),
        "the token embedding is scaled by the root of C; it is taken as it is": made(scale=None),
        "a token out of order: the positions run backwards": lambda t, p, n, h: right(
            t, p | {"position_embedding.weight": p["position_embedding.weight"][: t.shape[1]].flip(0)}, n, h
        ),
    })
    for B, T, V, context, C, H, n in [(2, 5, 11, 5, 6, 2, 2), (3, 4, 7, 9, 12, 3, 3), (1, 6, 5, 8, 8, 4, 1)]:
        p = weights(V, context, C, n, k=float(check.rng.random()) * 6)
        ids = torch.from_numpy(check.rng.integers(0, V, size=(B, T)))
        about = "as long as the context" if len(ids[0]) == context else "shorter than the context"
        check(gpt_logits, ids, p, n, H).equals(right(ids, p, n, H), about=about, rtol=1e-3, atol=2e-4)
    p = weights(6, 5, 6, 3, k=float(check.rng.random()) * 6)
    ids = torch.from_numpy(check.rng.integers(0, 6, size=(2, 4)))
    check(gpt_logits, ids, p, 2, 3).equals(
        right(ids, p, 2, 3), about="fewer layers than p has blocks", rtol=1e-3, atol=2e-4,
        near={"num_layers is ignored: all blocks of p were used": right(ids, p, 3, 3)},
    )
    p = weights(9, 8, 8, 2, k=float(check.rng.random()) * 6)
    ids = torch.from_numpy(check.rng.integers(0, 8, size=(2, 7)))
    other = ids.clone()
    other[:, 4:] = 8
    check(lambda: [torch.as_tensor(gpt_logits(v, p, 2, 2))[:, :4] for v in (ids, other)]).holds(
        lambda v: torch.allclose(v[0], v[1], rtol=1e-4, atol=1e-5),
        "other tokens from place 4 on change nothing before",
        about="the future changes nothing",
        near={"what comes later changes the logits before it": lambda v: not torch.allclose(v[0], v[1], atol=1e-3)},
    )
    check(gpt_logits, ids[:, :1], p, 2, 2).equals(
        right(ids[:, :1], p, 2, 2), about="a single token", edge=True, rtol=1e-3, atol=2e-4
    )
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Exercise 8: the loss, perplexity, bits per byte (`loss`)
#
# 15 minutes, ★★, 6 points
#
# **The shift.** The logits at place $t$ are judged by the token at place $t + 1$. So the last logits have no target
# and are left out, and the first token is never predicted. `next_token_loss(logits, token_ids, ignore_id=None)`
# returns the mean cross-entropy in nats over all predictions of the batch; predictions whose *target* is `ignore_id`
# do not count. (The same weight for each prediction: not the mean of the texts' means.) It returns a tensor of one
# number, through which autograd finds its way back to the logits: the GPT learns from it.
#
# **Perplexity** is $e$ to the mean loss: how many equally likely tokens the model hesitates between.
# `perplexity(losses)` gets the loss of each prediction, (N,), in nats.
#
# **Bits per byte.** A tokenizer with larger pieces makes each prediction harder and their number smaller, so losses
# per token cannot be compared between tokenizers. Spread over the bytes of the text they can:
# `bits_per_byte(total, text)` gets the *sum* of all losses in nats and the text; bits are nats over $\ln 2$, bytes are
# those of UTF-8.
#
# By hand: eight predictions of 1.5 nats each for the text "naïve" (6 bytes, since ï has two) are
# 12 / 0.6931 / 6 = 2.885 bits per byte.
#
# <details><summary>Hint 1</summary><code>logits[:, :-1]</code> belong to <code>token_ids[:, 1:]</code>.</details>
# <details><summary>Hint 2</summary><code>F.cross_entropy</code> wants (N, V) and (N,), and has
# <code>ignore_index</code>.</details>

# %% exercise="loss"
def next_token_loss(logits: torch.Tensor, token_ids: torch.Tensor, ignore_id: int | None = None) -> torch.Tensor:
    """Return the mean cross-entropy in nats of logits (B, T, V) for the tokens that follow in token_ids (B, T)."""
    ### BEGIN SOLUTION
    ignored = -100 if ignore_id is None else ignore_id
    targets = F.pad(token_ids[:, 1:], (0, 1), value=ignored)  # (B, T): ignoring the last spares a copy of all logits
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=ignored)
    ### END SOLUTION


def perplexity(losses: torch.Tensor) -> float:
    """Return the perplexity of predictions with these losses in nats, (N,)."""
    ### BEGIN SOLUTION
    return math.exp(torch.as_tensor(losses).double().mean())
    ### END SOLUTION


def bits_per_byte(total: float, text: str) -> float:
    """Return the sum of losses in nats, as bits for each byte (UTF-8) of the text."""
    ### BEGIN SOLUTION
    return total / math.log(2) / len(text.encode())
    ### END SOLUTION

# %% check="loss" points=6
# The check of `loss`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("loss", points=6)
def score(check):
    import torch

    unshifted = "each token predicts itself: the logits at t belong to the token at t + 1"
    backwards = "shifted the wrong way: the logits at t were judged by the token at t - 1"
    summed = "this is the sum: the mean over the predictions is asked"
    ln2 = "this is in bits: nats are asked"
    counted = "targets equal to ignore_id were counted"
    chances = "softmax was taken twice: F.cross_entropy wants logits"
    everywhere = "divided by B T: there are B (T - 1) predictions"
    logits = torch.tensor([[[2.0, 0.0, -1.0], [0.0, 1.0, 0.5], [1.0, 1.0, 3.0]]])
    check(next_token_loss, logits, torch.tensor([[0, 2, 1]])).equals(1.925054, near={
        unshifted: 1.19655, backwards: 0.959907, summed: 3.85012, ln2: 2.77727, chances: 1.19695,
        everywhere: 1.28337,
    })
    check(next_token_loss, logits, torch.tensor([[0, 2, 1]]), 1).equals(3.169846, near={
        unshifted: 0.675058, backwards: 0.959907, ln2: 4.57312, counted: 1.92506, chances: 1.45963,
        everywhere: 1.05662,
    })

    base2 = "2 to the power of nats: the base is e"
    products = "e to the sum of the losses: take their mean"
    mean_of = "the mean of the single perplexities: e to the mean loss is asked"
    raw = "this is the mean loss: take e to its power"
    check(perplexity, torch.tensor([0.5, 2.0, 1.1])).equals(3.320117, near={
        base2: 2.2974, products: 36.5982, mean_of: 4.01398, raw: 1.2,
    })

    letters = "these are characters: in UTF-8 some have more than one byte"
    nats = "these are nats: divide by ln 2"
    times = "bits are nats divided by ln 2, not times ln 2"
    words = "per byte is asked, not per word"
    check(bits_per_byte, 12.0, "naïve").equals(2.885390, near={
        letters: 3.46247, nats: 2, times: 1.38629, words: 17.3123,
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np
    import torch.nn.functional as F

    check.hidden()

    def each(logits, ids, over=-1):
        scores = logits if over is None else logits.log_softmax(over)
        return -scores.gather(-1, ids[..., None])[..., 0]

    def reduced(pairs, how=lambda v, keep: (v * keep).sum() / keep.sum(), obey=True, over=-1):
        def loss(logits, ids, ignore_id=None):
            z, y = pairs(logits, ids)
            keep = torch.ones_like(y) if ignore_id is None or not obey else (y != ignore_id).long()
            return how(each(z, y, over), keep)

        return loss

    def shift(z, y):
        return z[:, :-1], y[:, 1:]

    check.mistakes({
        unshifted: reduced(lambda z, y: (z, y)), backwards: reduced(lambda z, y: (z[:, 1:], y[:, :-1])),
        "each token predicts itself, but for the last: the logits at t belong to the token at t + 1": reduced(
            lambda z, y: (z[:, :-1], y[:, :-1])),
        "each token predicts itself, but for the first: the logits at t belong to the token at t + 1": reduced(
            lambda z, y: (z[:, 1:], y[:, 1:])),
        "the tokens were rolled: the first one became the target of the last": reduced(lambda z, y: (z, y.roll(-1, 1))),
        "shifted by two: the logits at t belong to the token at t + 1": reduced(lambda z, y: (z[:, :-2], y[:, 2:])),
        summed: reduced(shift, how=lambda v, keep: (v * keep).sum()),
        ln2: lambda z, y, i=None: reduced(shift)(z, y, i) / np.log(2),
        counted: reduced(shift, obey=False),
        "ignored targets were left out of the sum but counted in the mean": reduced(
            shift, how=lambda v, keep: (v * keep).mean()),
        "the mean of the texts' means: each prediction has the same weight": reduced(
            shift, how=lambda v, keep: ((v * keep).sum(1) / keep.sum(1)).mean()),
        "predictions *from* ignore_id were left out: those *of* it are to be": lambda z, y, i=None: (
            each(*shift(z, y))[y[:, :-1] != (-1 if i is None else i)].mean()),
        "only the last prediction of each text counts here": reduced(shift, how=lambda v, keep: v[:, -1].mean()),
        "this is the sum over each text, and their mean": reduced(shift, how=lambda v, keep: (v * keep).sum(1).mean()),
        chances: lambda z, y, i=None: reduced(shift)(z.softmax(-1), y, i),
        everywhere: reduced(shift, how=lambda v, keep: (v * keep).sum() / (len(v) * (v.shape[1] + 1))),
        "the sign is turned round: a loss is minus the logarithm": lambda z, y, i=None: -reduced(shift)(z, y, i),
        "shifted along the batch: the logits at t belong to the token at t + 1 of the same text": reduced(
            lambda z, y: (z[:-1], y[1:])),
        "the texts were joined before the shift: the end of one does not predict the beginning of the next": reduced(
            lambda z, y: (z.flatten(0, 1)[:-1], y.flatten()[1:])),
        "softmax over the places: it is over the vocabulary": reduced(shift, over=1),
        "F.nll_loss wants log-probabilities, and these are logits": reduced(shift, over=None),
        "without ignore_id every target counts, also 0": lambda z, y, i=0: reduced(shift)(z, y, i),
        "only the first text counts here": lambda z, y, i=None: reduced(shift)(z[:1], y[:1], i),
        "this is the perplexity: the mean loss is asked": lambda z, y, i=None: reduced(shift)(z, y, i).exp(),
    })  # fmt: skip
    for B, T, V in [(2, 6, 5), (4, 3, 9), (3, 9, 4)]:
        z = torch.from_numpy(check.rng.normal(size=(B, T, V)) * 3).float()
        ids = torch.from_numpy(check.rng.integers(0, V, size=(B, T)))
        right = F.nll_loss(z[:, :-1].log_softmax(-1).flatten(0, 1), ids[:, 1:].flatten())
        check(next_token_loss, z, ids).equals(right, about="fresh logits", rtol=1e-4)
        ids[0, T // 2 :], ids[1, 0] = 1, 1
        near = F.nll_loss(z[:, :-1].log_softmax(-1).flatten(0, 1), ids[:, 1:].flatten(), ignore_index=1)
        check(next_token_loss, z, ids, 1).equals(near, about="with padding", rtol=1e-4)
    ids = torch.tensor([[2, 1, 0, 3], [0, 2, 0, 0]])
    z = torch.from_numpy(check.rng.normal(size=(2, 4, 5)) * 3).float()
    check(next_token_loss, z, ids, 0).equals(
        each(*shift(z, ids))[ids[:, 1:] != 0].mean(), about="padding is the id 0", rtol=1e-4,
        near={"0 is an ignore_id like any other: ask `is None`": reduced(shift, obey=False)(z, ids)},
    )  # fmt: skip
    z, ids = torch.tensor([[[900.0, -900.0], [-900.0, 900.0]]]), torch.tensor([[0, 1]])
    check(next_token_loss, z, ids).equals(
        1800.0, about="large logits", edge=True, rtol=1e-4,
        near={"e to a large logit is infinite: F.cross_entropy and log_softmax keep clear of that": torch.inf},
    )
    z, ids = torch.tensor([[[2.0, 0.0], [1.0, -1.0]]]), torch.tensor([[0, 1]])
    check.mistakes({})
    check(next_token_loss, z.requires_grad_(), ids).holds(
        lambda v: v.requires_grad, "autograd finds its way back to the logits", about="what training needs", edge=True,
        near={"the gradient is cut on its way to the logits: no item, no detach, no float, no NumPy":
              lambda v: abs(float(v) - 2.126928) < 1e-4},
    )  # fmt: skip

    check.mistakes({
        base2: lambda v: 2 ** v.mean().item(), products: lambda v: v.sum().exp().item(),
        mean_of: lambda v: v.exp().mean().item(), raw: lambda v: v.mean().item(),
        "e to minus the mean loss is a probability: perplexity is its inverse": lambda v: (-v.mean()).exp().item(),
        "the losses are logarithms already: do not take the logarithm again": lambda v: v.log().mean().exp().item(),
        "the median loss was taken: the mean is asked": lambda v: v.median().exp().item(),
        "the sum was divided by N - 1: take the mean": lambda v: (v.sum() / max(len(v) - 1, 1)).exp().item(),
        "the loss is in nats: 10 is not its base": lambda v: 10 ** v.mean().item(),
    })
    for n in (3, 40):
        v = torch.from_numpy(check.rng.gamma(2.0, 1.0, size=n))
        check(perplexity, v).equals(2 ** (v / np.log(2)).mean().item(), about="fresh losses", rtol=1e-4)
    check(perplexity, torch.full((5,), float(np.log(50)))).equals(50.0, about="uniform over 50", rtol=1e-4)
    check(perplexity, torch.full((2000,), 2.5)).equals(
        float(np.exp(2.5)), about="two thousand predictions", edge=True, rtol=1e-4
    )
    check(perplexity, torch.tensor([0.7])).equals(2.01375, about="one prediction", edge=True, rtol=1e-4)

    check.mistakes({
        letters: lambda n, s: n / np.log(2) / len(s), nats: lambda n, s: n / len(s.encode()),
        times: lambda n, s: n * np.log(2) / len(s.encode()), words: lambda n, s: n / np.log(2) / len(s.split()),
        "these are nats for each character: bits for each byte are asked": lambda n, s: n / len(s),
        "UTF-16 with its mark of two bytes was taken: UTF-8 is asked": lambda n, s: (
            n / np.log(2) / len(s.encode("utf-16"))),
        "the letters that ASCII lacks were dropped: UTF-8 has bytes for all": lambda n, s: (
            n / np.log(2) / len(s.encode("ascii", "ignore"))),
        "the bytes are those of UTF-8, not of UTF-16": lambda n, s: n / np.log(2) / len(s.encode("utf-16-le")),
        "bits for the whole text: divide by its bytes": lambda n, s: n / np.log(2),
        "upside down: bits over bytes": lambda n, s: len(s.encode()) * np.log(2) / n,
        "this is divided by 8: the bits of the model are asked for each byte, not for each bit": lambda n, s: (
            n / np.log(2) / len(s.encode()) / 8),
        "log2 of the loss was taken: nats become bits by a division": lambda n, s: np.log2(n) / len(s.encode()),
        "2 was raised to the bits: the bits themselves are asked": lambda n, s: 2 ** (n / np.log(2) / len(s.encode())),
        "the text was stripped: each of its bytes counts, blanks and line ends, too": lambda n, s: (
            n / np.log(2) / len(s.strip().encode())),
        "these are nats over log10": lambda n, s: n / np.log(10) / len(s.encode()),
    })  # fmt: skip
    for text in ("the shape of the tensor", "größer als 3 €", "日本語です", " two\nlines\n\n"):
        total = float(check.rng.random() * 40 + 3)
        bits = total * np.log2(np.e) / sum(1 if ord(c) < 128 else 2 if ord(c) < 2048 else 3 for c in text)
        check(bits_per_byte, total, text).equals(bits, about="fresh text", rtol=1e-4)
    ### END HIDDEN TESTS


score

# %% [markdown]
# ### Train it on the docs
#
# `GPT` holds the weights and calls your forward pass; `fit` is the loop of the course. While it trains, mind the three
# numbers that you can know beforehand: the loss begins near $\ln 8192 = 9.01$ (all tokens alike), within a few dozen
# steps falls to that of token frequencies alone, and only then does the model begin to use what stands before.

# %% given
class GPT(nn.Module):
    """A GPT's weights; the forward pass is `gpt_logits`."""

    def __init__(self, vocab_size: int, context_length: int, d_model: int, num_layers: int, num_heads: int):
        super().__init__()
        self.num_heads, self.context_length = num_heads, context_length
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(context_length, d_model)
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, num_heads, 4 * d_model, 0.0, "gelu", batch_first=True, norm_first=True)
            for _ in range(num_layers)
        )
        self.final_norm = nn.LayerNorm(d_model)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:  # what adds to the residual stream begins smaller in a deep stack
                inward = name.endswith(("out_proj.weight", "linear2.weight"))
                nn.init.normal_(weight, std=0.02 / math.sqrt(2 * num_layers) if inward else 0.02)

    def forward(self, token_ids):
        """Return the logits (B, T, V)."""
        return gpt_logits(token_ids, dict(self.named_parameters()), len(self.blocks), self.num_heads)

# %% show
docs = data.load("docs")


def stream_of(split: str, most: int) -> torch.Tensor:
    """Return the tokens of a split's first documents, each followed by the end of text."""
    documents = [document.text for document in docs.split(split)][:most]
    return torch.tensor([i for ids in encode(documents) for i in [*ids, END]])


learned, held_out = stream_of("train", budget(grade=300, cpu=12_000)), stream_of("test", budget(grade=10, cpu=40))
SIZES = {"vocab_size": VOCABULARY, "context_length": 128, "d_model": 128, "num_layers": 4, "num_heads": 4}


def text_batch(_step: int, rows: int = 16, length: int = 128):
    """Return random windows of the training text, (rows, length)."""
    starts = torch.randint(len(learned) - length, (rows, 1))
    return learned[starts + torch.arange(length)]


def gpt_loss(model, token_ids):
    """Return the loss of the next token, in nats."""
    return next_token_loss(model(token_ids), token_ids)


seed_everything(SEED)
gpt = GPT(**SIZES)
assert sum(p.numel() for p in gpt.parameters()) == gpt_parameters(VOCABULARY, 128, 128, 4)
gpt_history = fit(gpt, text_batch, gpt_loss, steps=budget(grade=6, cpu=190, gpu=6000), lr=3e-3, weight_decay=0.1)
print(f"{len(learned):,} tokens of text; {gpt_history}")
plots.show(*gpt_history.draw())

# %% [markdown]
# ### Is it any good?
#
# Four models of the same held-out documents, in bits per byte: your GPT; the reference docs-gpt, which is larger and
# was trained longer; an LSTM as in chapter 03, trained on as many tokens as your GPT; and a trigram model with
# absolute discounting that has counted *all* of the training text.

# %% show
class LSTM(nn.Module):
    """The language model of chapter 03, with the library's LSTM and a tied output."""

    def __init__(self, vocab_size: int, d_model: int):
        super().__init__()
        self.embedding, self.lstm = nn.Embedding(vocab_size, d_model), nn.LSTM(d_model, d_model, batch_first=True)
        nn.init.normal_(self.embedding.weight, std=0.02)

    def forward(self, token_ids):
        """Return the logits (B, T, V)."""
        return F.linear(self.lstm(self.embedding(token_ids))[0], self.embedding.weight)


class Trigrams:
    """A trigram model with absolute discounting: what is taken from seen words goes to the shorter context's words."""

    def __init__(self, tokens: np.ndarray, vocab_size: int, discount: float = 0.75):
        self.V, self.discount, self.tables = vocab_size, discount, []
        for n in (1, 2, 3):
            keys, counts = np.unique(self._keys(tokens, n), return_counts=True)
            contexts, first = np.unique(keys // vocab_size, return_index=True)
            self.tables.append((keys, counts, contexts, np.add.reduceat(counts, first), np.diff([*first, len(keys)])))

    def _keys(self, tokens, n):
        """One number for each run of n tokens."""
        keys = np.zeros(len(tokens) - n + 1, dtype=np.int64)
        for i in range(n):
            keys = keys * self.V + tokens[i : len(tokens) - n + 1 + i]
        return keys

    def losses(self, tokens: np.ndarray) -> np.ndarray:
        """Return the loss in nats of each token from the third on."""
        chance = np.full(len(tokens) - 2, 1 / self.V)
        for n, (keys, counts, contexts, totals, kinds) in enumerate(self.tables, 1):
            wanted = self._keys(tokens, n)[3 - n :]
            at, where = (np.minimum(np.searchsorted(t, w), len(t) - 1) for t, w in
                         [(keys, wanted), (contexts, wanted // self.V)])  # fmt: skip
            known = contexts[where] == wanted // self.V
            count = np.where(keys[at] == wanted, counts[at], 0)
            seen = (np.maximum(count - self.discount, 0) + self.discount * kinds[where] * chance) / totals[where]
            chance = np.where(known, seen, chance)
        return -np.log(chance)


LENGTH = 128
windows = held_out[: len(held_out) // LENGTH * LENGTH].view(-1, LENGTH)
told = "".join(tokenizer.decode_batch(windows[:, 1:].tolist()))


@torch.no_grad()
def judge(model) -> tuple[float, float]:
    """Return (perplexity, bits per byte) on the windows; all tokens but each window's first are predicted."""
    losses = torch.cat([
        F.cross_entropy(model(rows)[:, :-1].flatten(0, 1), rows[:, 1:].flatten(), reduction="none")
        for rows in windows.split(8)
    ])  # fmt: skip
    return perplexity(losses), bits_per_byte(losses.sum().item(), told)


artifact = artifacts.load("docs-gpt", own=False)
reference = GPT(**{name: artifact.config[name] for name in SIZES})
reference.load_state_dict(artifact.weights)
reference.eval()

seed_everything(SEED)
lstm = LSTM(VOCABULARY, 128)
fit(lstm, text_batch, gpt_loss, steps=len(gpt_history.losses), lr=4e-3, progress=False)
trigrams = Trigrams(learned.numpy(), VOCABULARY)
counted = [trigrams.losses(np.concatenate([[END], row.numpy()])) for row in windows]  # the same predictions
counted = torch.from_numpy(np.concatenate(counted))

judged = {"your GPT": judge(gpt), "reference docs-gpt": judge(reference), "LSTM, same tokens": judge(lstm)}
judged["trigrams, all tokens"] = perplexity(counted), bits_per_byte(counted.sum().item(), told)
sizes = {"your GPT": gpt, "reference docs-gpt": reference, "LSTM, same tokens": lstm}
bpb = {name: bits for name, (_, bits) in judged.items()}
print(f"{'model':<24}{'parameters':>12}{'perplexity':>12}{'bits per byte':>15}")
for name, (perplexed, bits) in sorted(judged.items(), key=lambda item: -item[1][1]):
    size = sum(len(t[0]) for t in trigrams.tables)
    size = sum(p.numel() for p in sizes[name].parameters()) if name in sizes else size
    print(f"{name:<24}{size:>12,}{perplexed:>12.1f}{bits:>15.3f}")
fig, ax = plots.figure(width=7, height=2.6)
order = sorted(bpb, key=bpb.get)
plots.bars(ax, order, [bpb[name] for name in order], label="bits per byte, held-out documents")
plots.show(fig, "Bars of bits per byte on held-out documents: " + ", ".join(f"{n} {bpb[n]:.2f}" for n in order) + ".")
print()
print(artifact)

# %% [markdown]
# With as many tokens, your GPT is ahead of the LSTM. The trigrams are far ahead of both, but they have counted nine
# times as many tokens: yours has seen 390,000 of 3.6 million. Given 2.5 million, the reference passes them.
# (Its card comes to fewer bits because it judges all of the test split, in longer windows.)

# %% [markdown]
# ## The encoder-decoder: read one text, write another
#
# ## Exercise 9: cross-attention (`decoder-layer`)
#
# 15 minutes, ★★, 6 points
#
# To translate, a decoder must look at what an encoder has read. Its layer has a third sublayer in the middle:
# **cross-attention**, whose queries come from the decoder and whose keys and values come from the encoder's output, the
# *memory*. Post-norm, as in the paper of 2017:
#
# $$u = \mathrm{LN}_1(y + \mathrm{SelfAtt}(y)), \qquad v = \mathrm{LN}_2(u + \mathrm{CrossAtt}(u, m)), \qquad
# z = \mathrm{LN}_3(v + \mathrm{FF}(v))$$
#
# Self-attention is causal; cross-attention is not, since the whole source may be read at each step. The weights `p`
# have the names of `nn.TransformerDecoderLayer`: attention behind `"self_attn"` and `"multihead_attn"`, `linear1`,
# `linear2`, `norm1`, `norm2`, `norm3` (= that class with `activation="gelu"`). `memory_mask` goes to the
# cross-attention as it comes: booleans that fit $(B, H, T, S)$, True where a query may look, or None.
#
# <details><summary>Hint 1</summary><code>attention(u, memory, p, "multihead_attn", num_heads, memory_mask)</code>
# </details>
# <details><summary>Hint 2</summary>The given <code>attention</code> has <code>is_causal=True</code>.</details>

# %% exercise="decoder-layer"
def decoder_layer(
    y: torch.Tensor, memory: torch.Tensor, p: dict, num_heads: int, memory_mask: torch.Tensor | None = None
) -> torch.Tensor:
    """Return one decoder layer applied to y (B, T, C), looking at memory (B, S, C); shape (B, T, C)."""
    ### BEGIN SOLUTION
    def norm(v, i):
        return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

    u = norm(y + attention(y, y, p, "self_attn", num_heads, is_causal=True), 1)
    v = norm(u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 2)
    hidden = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))  # (B, T, F)
    return norm(v + F.linear(hidden, p["linear2.weight"], p["linear2.bias"]), 3)
    ### END SOLUTION

# %% check="decoder-layer" points=6
# The check of `decoder-layer`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("decoder-layer", points=6)
def score(check):
    import torch
    from torch import nn

    def layer(C, H, width, k=0.0):
        """The library's layer with weights that are fixed numbers, none of them special."""
        made = nn.TransformerDecoderLayer(C, H, width, 0.0, "gelu", batch_first=True)
        for i, (_, v) in enumerate(made.named_parameters()):
            v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.2 + i) + k).reshape(v.shape) * 0.8
        return made

    def oracle(made, y, memory, rest=None):
        with torch.no_grad():
            T = y.shape[1]
            return made(y, memory, tgt_mask=torch.ones(T, T).triu(1).bool(), memory_key_padding_mask=rest)

    ahead = "self-attention looks ahead: it is causal in a decoder"
    narrow = "cross-attention was masked causally, too: the whole memory may be read"
    absent = "the cross-attention is missing: the memory changes nothing"
    same = "cross-attention used the weights of self_attn: its own are multihead_attn"
    turned = "the memory looks at y here: the queries come from y"
    mixed = "the keys come from the memory, but the values do not"
    first = "cross-attention stands after self-attention, not before it"
    no_self, no_cross, no_feed = (
        "the residual around self-attention is missing", "the residual around cross-attention is missing",
        "the residual around feed-forward is missing",
    )  # fmt: skip
    swapped = "norm2 and norm3 are exchanged"
    pre = "these are pre-norm sublayers: post-norm is asked"
    relu = "ReLU stands in the feed-forward network; GELU is asked"
    made_layer = layer(4, 2, 5)
    y = torch.tensor([[[0.5, -0.5, 0.0, 1.0], [1.0, 0.0, -1.0, 0.5]]])
    memory = torch.tensor([[[0.5, 1.0, -1.0, 0.0], [2.0, 0.0, 1.0, -1.0], [-1.0, 0.5, 0.0, 1.0]]])
    check(decoder_layer, y, memory, made_layer.state_dict(), 2).equals(
        oracle(made_layer, y, memory), rtol=1e-4, atol=1e-4, near={
            ahead: [[[-1.19195, -0.677994, -2.01361, -0.415278], [-1.30893, -0.743966, -2.02684, -0.513447]]],
            narrow: [[[-1.17461, -0.674172, -2.01176, -0.41253], [-1.30895, -0.751348, -2.02142, -0.526295]]],
            same: [[[-1.17554, -0.738374, -2.05899, -0.554108], [-1.29126, -0.760693, -2.0153, -0.5483]]],
            absent: [[[-1.446, -0.76631, -1.95854, -0.49321], [-1.46705, -0.70825, -1.88828, -0.349595]]],
            mixed: [[[-1.19726, -0.682788, -2.02323, -0.426163], [-1.2946, -0.735598, -2.03474, -0.503891]]],
            first: [[[-1.21847, -0.677369, -1.99675, -0.40043], [-1.3103, -0.735858, -2.02954, -0.497867]]],
            no_self: [[[-1.23524, -0.778573, -1.99278, -0.593853], [-1.22866, -0.772821, -2.00496, -0.588417]]],
            no_cross: [[[-0.59411, -0.789369, -1.83353, -0.763698], [-0.624022, -0.684232, -2.05133, -0.616141]]],
            no_feed: [[[-1.79951, -0.779769, -1.4516, -0.248356], [-1.78567, -0.77091, -1.42216, -0.225776]]],
            swapped: [[[0.155609, 0.579815, -1.95482, 0.772507], [-0.139637, 0.339181, -2.17811, 0.282238]]],
            pre: [[[-0.760837, 0.687897, 1.14169, 1.64123], [-0.486842, -0.279104, -1.95653, -1.9093]]],
            relu: [[[-1.14915, -0.669606, -2.01103, -0.41119], [-1.32682, -0.742073, -2.02205, -0.502618]]],
            turned: [[[-1.29826, -0.737261, -2.03311, -0.505518], [-1.30441, -0.731492, -2.03203, -0.491869],
                [-1.24607, -0.711446, -2.04575, -0.474776]]],
        }
    )
    ### BEGIN HIDDEN TESTS
    import torch.nn.functional as F

    check.hidden()

    def attend(x, keys, values, p, name, heads, mask=None, causal=False):
        C = x.shape[-1]
        weights, biases = p[f"{name}.in_proj_weight"].split(C), p[f"{name}.in_proj_bias"].split(C)
        q, k, v = (
            F.linear(s, w, b).view(*s.shape[:2], heads, -1).transpose(1, 2)
            for s, w, b in zip((x, keys, values), weights, biases, strict=True)
        )
        scores = q @ k.mT / (C // heads) ** 0.5
        scores = scores.masked_fill(~mask, -torch.inf) if mask is not None else scores
        if causal is not False:
            scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(int(causal)).bool(), -torch.inf)
        chances = scores.softmax(-1).nan_to_num()  # a query that may look nowhere: zeros, as the library has it
        z = (chances @ v).transpose(1, 2).flatten(2)
        return F.linear(z, p[f"{name}.out_proj.weight"], p[f"{name}.out_proj.bias"])

    def standard(y, a, c, f, k, m, n):
        return n((v := m((u := k(y + a(y))) + c(u))) + f(v))

    def made(recipe=standard, causal=True, crossed=False, name="multihead_attn", masked=True, act=F.gelu, values=None,
             turn=False, heads=None, looks_at=None, own_heads=None, own_name="self_attn", reverse=False):  # fmt: skip
        """A decoder layer from a recipe that gets y, self-attention, cross-attention, feed-forward and three norms."""

        def decoder(y, memory, p, num_heads, memory_mask=None):
            def norm(i):
                return lambda v: F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

            def cross(u):
                seen = memory if looks_at is None else looks_at(u, memory)
                taken = seen if values is None else values(u, memory)
                mask = None if memory_mask is None or not masked else ~memory_mask if turn else memory_mask
                if reverse:
                    return attend(memory, u, u, p, name, num_heads)
                return attend(u, seen, taken, p, name, heads or num_heads, mask, crossed)

            def feed(v):
                hidden = act(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
                return F.linear(hidden, p["linear2.weight"], p["linear2.bias"])

            def own(v):
                return attend(v, v, v, p, own_name, own_heads or num_heads, causal=causal)

            return recipe(y, own, cross, feed, norm(1), norm(2), norm(3))

        return decoder

    check.mistakes({
        ahead: made(causal=False), narrow: made(crossed=True), same: made(name="self_attn"),
        "self-attention looks ahead and cross-attention does not: it is the other way round": made(
            causal=False, crossed=True),
        absent: made(lambda y, a, c, f, k, m, n: n((u := k(y + a(y))) + f(u))),
        "the cross-attention is missing, its norm is there": made(
            lambda y, a, c, f, k, m, n: n((v := m(k(y + a(y)))) + f(v))),
        "the self-attention is missing": made(lambda y, a, c, f, k, m, n: n((v := m((u := k(y)) + c(u))) + f(v))),
        mixed: made(values=lambda u, memory: torch.cat([u] * len(memory[0]), 1)[:, : len(memory[0])]),
        first: made(lambda y, a, c, f, k, m, n: n((v := m((u := k(y + c(y))) + a(u))) + f(v))),
        "self-attention and cross-attention stand beside each other: one follows the other": made(
            lambda y, a, c, f, k, m, n: n((v := m(k(y + a(y) + c(y)))) + f(v))),
        "cross-attention looks from y, not from the output of self-attention": made(
            lambda y, a, c, f, k, m, n: n((v := m(k(y + a(y)) + c(y))) + f(v))),
        no_self: made(lambda y, a, c, f, k, m, n: n((v := m((u := k(a(y))) + c(u))) + f(v))),
        no_cross: made(lambda y, a, c, f, k, m, n: n((v := m(c(k(y + a(y))))) + f(v))),
        no_feed: made(lambda y, a, c, f, k, m, n: n(f(m((u := k(y + a(y))) + c(u))))),
        "all residuals are missing": made(lambda y, a, c, f, k, m, n: n(f(m(c(k(a(y))))))),
        swapped: made(lambda y, a, c, f, k, m, n: standard(y, a, c, f, k, n, m)),
        "norm1 is used three times": made(lambda y, a, c, f, k, m, n: standard(y, a, c, f, k, k, k)),
        "norm2 is used twice, norm3 not at all": made(lambda y, a, c, f, k, m, n: standard(y, a, c, f, k, m, m)),
        "norm1 is used twice, and norm2 at the end": made(lambda y, a, c, f, k, m, n: standard(y, a, c, f, k, k, m)),
        "the norms are missing": made(lambda y, a, c, f, k, m, n: (v := (u := y + a(y)) + c(u)) + f(v)),
        "the norm behind the feed-forward network is missing": made(
            lambda y, a, c, f, k, m, n: (v := m((u := k(y + a(y))) + c(u))) + f(v)),
        pre: made(lambda y, a, c, f, k, m, n: (v := (u := y + a(k(y))) + c(m(u))) + f(n(v))),
        relu: made(act=torch.relu), "memory_mask is ignored": made(masked=False),
        "memory_mask is turned round: True is where a query may look": made(turn=True),
        "the feed-forward half is missing": made(lambda y, a, c, f, k, m, n: m((u := k(y + a(y))) + c(u))),
        turned: lambda y, memory, p, h, memory_mask=None: made()(memory, y, p, h),
        "cross-attention looks at y itself: keys and values come from the memory": made(
            looks_at=lambda u, memory: u, masked=False),
        "the feed-forward half is missing, its norm is there": made(
            lambda y, a, c, f, k, m, n: n(m((u := k(y + a(y))) + c(u)))),
        "the residual around cross-attention adds u, not y": made(
            lambda y, a, c, f, k, m, n: n((v := m(y + c(k(y + a(y))))) + f(v))),
        "the feed-forward network works on the output of cross-attention (v), not on u": made(
            lambda y, a, c, f, k, m, n: n(m((u := k(y + a(y))) + c(u)) + f(u))),
        "num_heads is ignored: this is one head": made(heads=1, own_heads=1),
        "num_heads is ignored in self-attention: this is one head": made(own_heads=1),
        "num_heads is ignored in cross-attention: this is one head": made(heads=1),
        "self-attention used the weights of multihead_attn: its own are self_attn": made(own_name="multihead_attn"),
        "the weights of the two attentions are exchanged: the memory is for multihead_attn": made(
            own_name="multihead_attn", name="self_attn"),
        "norm1 and norm2 are exchanged": made(lambda y, a, c, f, k, m, n: standard(y, a, c, f, m, k, n)),
        "the norm behind self-attention is missing": made(
            lambda y, a, c, f, k, m, n: n((v := m((u := y + a(y)) + c(u))) + f(v))),
        "the norm behind cross-attention is missing": made(
            lambda y, a, c, f, k, m, n: n((v := (u := k(y + a(y))) + c(u)) + f(v))),
        "the residual around feed-forward adds v, not u": made(
            lambda y, a, c, f, k, m, n: n((u := k(y + a(y))) + f(m(u + c(u))))),
        "the residual around feed-forward adds v, not y": made(
            lambda y, a, c, f, k, m, n: n(y + f(m((u := k(y + a(y))) + c(u))))),
        "cross-attention stands after self-attention, not before it; here each has its own norm": made(
            lambda y, a, c, f, k, m, n: n((v := k((u := m(y + c(y))) + a(u))) + f(v))),
        "the memory is taken as it is, without a norm": lambda y, memory, p, *rest: made()(
            y, F.layer_norm(memory, memory.shape[-1:], p["norm2.weight"], p["norm2.bias"]), p, *rest),
        "SiLU stands in the feed-forward network; GELU is asked": made(act=F.silu),
        "the tanh approximation stands in the feed-forward network; GELU is asked in its exact form": made(
            act=lambda z: F.gelu(z, approximate="tanh")),
        "the bias of linear1 is missing": lambda y, memory, p, *rest: made()(
            y, memory, p | {"linear1.bias": torch.zeros_like(p["linear1.bias"])}, *rest),
        "the bias of linear2 is missing": lambda y, memory, p, *rest: made()(
            y, memory, p | {"linear2.bias": torch.zeros_like(p["linear2.bias"])}, *rest),
        "a token does not see itself: causal means itself and what stands before": made(causal=0),
        "in cross-attention the memory asks: queries come from u, keys and values from the memory": made(reverse=True),
    })  # fmt: skip
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    near = {"rtol": 1e-3, "atol": 2e-4}
    for B, T, S, C, H, width in [(2, 4, 6, 8, 2, 12), (3, 5, 3, 12, 3, 12), (2, 5, 5, 8, 4, 20)]:
        made_layer = layer(C, H, width, k=float(torch.rand((), generator=draw)) * 6)
        y, memory = (torch.randn(B, n, C, generator=draw) * 1.5 for n in (T, S))
        rest = torch.rand(B, S, generator=draw) < 0.35
        rest[:, 0], rest[0, 1] = False, True
        p = made_layer.state_dict()
        check(decoder_layer, y, memory, p, H).equals(oracle(made_layer, y, memory), about="fresh inputs", **near)
        check(decoder_layer, y, memory, p, H, ~rest[:, None, None]).equals(
            oracle(made_layer, y, memory, rest), about="memory with padding", **near
        )
    check(decoder_layer, y[:, :1], memory[:, :1], p, H).equals(
        oracle(made_layer, y[:, :1], memory[:, :1]), about="one token each", edge=True, **near
    )
    made_layer = layer(6, 2, 9).double()
    y, memory = (torch.randn(2, n, 6, generator=draw, dtype=torch.float64) for n in (3, 4))
    check(decoder_layer, y, memory, made_layer.state_dict(), 2).equals(
        oracle(made_layer, y, memory), about="double precision", rtol=1e-6, atol=1e-7
    )
    ### END HIDDEN TESTS


score

# %% [markdown]
# ### Dates once more
#
# Chapters 03 and 04 translated dates with an LSTM, then with attention on top. Here are no recurrences left: an
# encoder of your blocks reads the characters, a decoder of your layers writes the ISO form.

# %% show
from helpers.data.dates import Dates

LANGUAGES = ("en", "de", "fr", "es")
many = Dates("train").sample(budget(grade=200, cpu=12_000), seed=SEED, languages=LANGUAGES)
unseen = Dates("test").sample(budget(grade=20, cpu=300), seed=SEED, languages=LANGUAGES)
SIGNS = ["", *sorted({c for text, _ in [*many, *unseen] for c in text} | set("0123456789-<>"))]  # "" is padding
PLACE = {sign: i for i, sign in enumerate(SIGNS)}


def signs(texts: list[str], length: int) -> torch.Tensor:
    """Return the characters of each text as ids, (N, length), 0 is padding."""
    return torch.tensor([([PLACE[c] for c in text] + [0] * length)[:length] for text in texts])


class Translator(nn.Module):
    """An encoder of your blocks and a decoder of your layers; both post-norm, as in 2017."""

    def __init__(self, vocab_size: int, d_model: int, num_layers: int, num_heads: int):
        super().__init__()
        self.num_heads = num_heads
        self.tokens, self.places = nn.Embedding(vocab_size, d_model), nn.Embedding(48, d_model)
        sizes = {"dropout": 0.0, "activation": "gelu", "batch_first": True}
        self.encoder = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, num_heads, 4 * d_model, **sizes) for _ in range(num_layers)
        )
        self.decoder = nn.ModuleList(
            nn.TransformerDecoderLayer(d_model, num_heads, 4 * d_model, **sizes) for _ in range(num_layers)
        )
        for table in (self.tokens, self.places):
            nn.init.normal_(table.weight, std=0.1)

    def embed(self, ids):
        """Return the vectors of ids (B, T)."""
        return self.tokens(ids) + self.places.weight[: ids.shape[1]]

    def forward(self, source, target):
        """Return the logits (B, T, V) of what follows each token of the target (B, T)."""
        mask, x, y = (source != 0)[:, None, None], self.embed(source), self.embed(target)
        for block in self.encoder:
            x = encoder_block(x, dict(block.named_parameters()), self.num_heads, mask=mask)
        for layer in self.decoder:
            y = decoder_layer(y, x, dict(layer.named_parameters()), self.num_heads, mask)
        return F.linear(y, self.tokens.weight)


def pairs_of(sample):
    """Return (source, target) ids; a target is "<2015-02-03>"."""
    return signs([text for text, _ in sample], 40), signs([f"<{iso}>" for _, iso in sample], 12)


sources, targets = pairs_of(many)


def date_batch(_step: int):
    """Return sixty-four pairs."""
    rows = torch.randint(len(sources), (64,))
    return sources[rows], targets[rows]


def date_loss(model, batch):
    """Return the loss of the target's next character (teacher forcing)."""
    source, target = batch
    return next_token_loss(model(source, target), target)


@torch.no_grad()
def translate(model, source):
    """Return the greedy translations (N, 12) of source (N, 40)."""
    target = torch.full((len(source), 1), PLACE["<"])
    for _ in range(11):
        target = torch.cat([target, model(source, target)[:, -1:].argmax(-1)], dim=1)
    return target


seed_everything(SEED)
translator = Translator(len(SIGNS), 64, 2, 4)
history = fit(translator, date_batch, date_loss, steps=budget(grade=5, cpu=500, gpu=2000), lr=2e-3)
source, target = pairs_of(unseen)
found = translate(translator, source)
exact = (found == target).all(1).float().mean().item()
print(f"{sum(p.numel() for p in translator.parameters()):,} parameters; {history}")
print(f"exactly right: {exact:.1%} of {len(unseen)} unseen days in {len(LANGUAGES)} languages")
for (text, iso), row in list(zip(unseen, found, strict=True))[:6]:
    print(f"{text:<34} {''.join(SIGNS[i] for i in row.tolist()).strip('<>'):<12} {iso}")

# %% [markdown]
# ## Choosing the next token
#
# A model gives logits; somebody must choose. Take the likeliest (*greedy*), and the text soon runs in circles. Draw
# from the whole distribution, and sooner or later a token from the long tail derails it. All strategies between the
# two are small functions from logits to logits, one after the other, with one draw at the end.
#
# ## Exercise 10: temperature, top-k, top-p, min-p (`filters`)
#
# 20 minutes, ★★, 7 points
#
# Each function gets the logits of one token, a tensor $(V,)$, in any order, and returns new logits of the same shape.
# Tokens that are removed get $-\infty$; **the logits of the others stay as they are** (softmax will share out what is
# missing). Removed tokens may come in already, from an earlier filter, and stay removed.
#
# 1. `apply_temperature(logits, temperature)`: divide by it ($> 0$). Below 1 the distribution gets sharper, above 1
#    flatter.
# 2. `keep_top_k(logits, k)`: keep the $k \ge 1$ largest; all, if there are no more than $k$.
# 3. `keep_top_p(logits, p)`: the *nucleus*. Go through the tokens from the likeliest on, and keep them until their
#    probabilities add up to at least $p$; the token that gets there is kept. At least one token stays.
# 4. `keep_min_p(logits, min_p)`: keep the tokens with a probability of at least `min_p` times that of the likeliest.
#
# Ties at the edge are not tested. The example of all that follows is
# $p = (.45, .25, .15, .08, .04, .02, .01)$. By hand: top-k 3 keeps tokens 0 to 2; top-p 0.9 keeps 0 to 3, as
# .45 + .25 + .15 = .85 is not enough; min-p 0.05 keeps those with at least 0.0225, 0 to 4.
#
# <details><summary>Hint 1</summary><code>torch.where(keep, logits, -torch.inf)</code></details>
# <details><summary>Hint 2</summary>Top-p: sort the probabilities downwards; a token is kept if what stands
# <em>before</em> it adds up to less than p.</details>
# <details><summary>Hint 3</summary><code>order = probabilities.argsort(descending=True)</code> takes you there, and
# <code>keep[order] = ...</code> back.</details>

# %% exercise="filters"
def apply_temperature(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the logits (V,) of a distribution that is sharper (temperature < 1) or flatter (> 1)."""
    ### BEGIN SOLUTION
    return logits / temperature
    ### END SOLUTION


def keep_top_k(logits: torch.Tensor, k: int) -> torch.Tensor:
    """Return the logits (V,) with all but the k largest at minus infinity."""
    ### BEGIN SOLUTION
    smallest = logits.topk(min(k, len(logits))).values[-1]
    return torch.where(logits >= smallest, logits, -torch.inf)
    ### END SOLUTION


def keep_top_p(logits: torch.Tensor, p: float) -> torch.Tensor:
    """Return the logits (V,) with all but the nucleus of probability p at minus infinity."""
    ### BEGIN SOLUTION
    probabilities, order = logits.softmax(-1).sort(descending=True)
    before = probabilities.cumsum(-1) - probabilities  # what stands before each token
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = (before < p) | (torch.arange(len(logits)) == 0)
    return torch.where(keep, logits, -torch.inf)
    ### END SOLUTION


def keep_min_p(logits: torch.Tensor, min_p: float) -> torch.Tensor:
    """Return the logits (V,) with tokens less likely than min_p times the likeliest at minus infinity."""
    ### BEGIN SOLUTION
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)
    ### END SOLUTION

# %% check="filters" points=7
# The check of `filters`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("filters", points=7)
def score(check):
    import torch

    inf = float("inf")
    times = "multiplied by the temperature: divide"
    chances = "these are probabilities: return logits"
    check(apply_temperature, torch.tensor([1.0, -2.0, 0.5]), 2.0).equals([0.5, -1.0, 0.25], near={
        times: [2, -4, 1], chances: [0.499518, 0.111457, 0.389025],
    })

    zero = "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked"
    first_k = "the first k tokens were kept, not the k largest: logits come in any order"
    smallest, fewer, more = "the smallest were kept", "one token too few was kept", "one token too many was kept"
    renormalised = "the logits of those who stay changed: leave them as they are"
    check(keep_top_k, torch.tensor([0.5, 2.0, -1.0, 1.0]), 2).equals([-inf, 2.0, -inf, 1.0], near={
        first_k: [0.5, 2, -inf, -inf], zero: [0.0, 2, 0.0, 1], smallest: [0.5, -inf, -1, -inf],
        fewer: [-inf, 2, -inf, -inf], more: [0.5, 2, -inf, 1],
        renormalised: [-inf, -0.313262, -inf, -1.31326], chances: [0.0, 0.731059, 0.0, 0.268941],
    })

    crossing = "the token that reaches p is kept, too"
    unsorted = "the probabilities were added in the order of the ids, not from the likeliest on"
    back = "the result is sorted: each token's logit belongs to its place"
    tail = "the tail was kept and the nucleus removed"
    single = "each single probability was compared with p: it is their sum that counts"
    # probabilities .08 .45 .02 .25 .15 .04 .01
    example = torch.tensor([-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702])
    kept = [-2.5257286, -0.7985077, -inf, -1.3862944, -1.89712, -inf, -inf]
    check(keep_top_p, example, 0.9).equals(kept, near={
        crossing: [-inf, -0.798508, -inf, -1.38629, -1.89712, -inf, -inf],
        unsorted: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -inf, -inf],
        back: [-0.798508, -1.38629, -1.89712, -2.52573, -inf, -inf, -inf],
        tail: [-inf, -inf, -3.91202, -inf, -inf, -3.21888, -4.60517],
        single: [-inf, -inf, -inf, -inf, -inf, -inf, -inf],
        zero: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, 0.0, 0.0],
        renormalised: [-2.45316, -0.725937, -inf, -1.31372, -1.82455, -inf, -inf],
        chances: [0.0860215, 0.483871, 0.0, 0.268817, 0.16129, 0.0, 0.0],
    })
    check(keep_top_p, example + 3.0, 0.3).equals([-inf, 2.2014923, -inf, -inf, -inf, -inf, -inf], near={
        unsorted: [0.474271, 2.20149, -inf, -inf, -inf, -inf, -inf],
        back: [2.20149, -inf, -inf, -inf, -inf, -inf, -inf],
        tail: [0.474271, -inf, -0.912023, 1.61371, 1.10288, -0.218876, -1.60517],
        zero: [0.0, 2.20149, 0.0, 0.0, 0.0, 0.0, 0.0],
        renormalised: [-inf, 0.0, -inf, -inf, -inf, -inf, -inf],
        chances: [0.0, 1, 0.0, 0.0, 0.0, 0.0, 0.0],
    })

    absolute = "compared with min_p itself: the threshold is min_p times the largest probability"
    of_logits = "logits were compared: probabilities are asked"
    kept = [-2.5257286, -0.7985077, -inf, -1.3862944, -1.89712, -3.2188758, -inf]
    check(keep_min_p, example, 0.05).equals(kept, near={
        absolute: [-2.52573, -0.798508, -inf, -1.38629, -1.89712, -inf, -inf],
        of_logits: [-inf, -inf, -inf, -inf, -inf, -inf, -inf],
        zero: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, -3.21888, 0.0],
        renormalised: [-2.49527, -0.768048, -inf, -1.35584, -1.86666, -3.18842, -inf],
        chances: [0.0824742, 0.463918, 0.0, 0.257732, 0.154639, 0.0412371, 0.0],
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def kept_by(rule, values=lambda z: z, removed=-inf):
        """A filter from a rule that tells from (logits, argument) who stays."""

        def apply(z, a):
            keep = torch.as_tensor(rule(z, a))
            return torch.where(keep, values(torch.where(keep, z, -inf) if values is renorm else z), removed)

        return apply

    def renorm(z):
        return z.log_softmax(-1)

    def chance(z):
        return z.softmax(-1)

    def rank(z):
        return z.argsort(descending=True, stable=True).argsort(stable=True)

    check.mistakes({
        times: lambda z, t: z * t, chances: lambda z, t: (z / t).softmax(-1),
        "the probabilities were divided: divide the logits": lambda z, t: z.softmax(-1) / t,
        "the logarithms of probabilities were returned, shifted: divide the logits and no more": lambda z, t: (
            z / t).log_softmax(-1),
        "1 + temperature was taken": lambda z, t: z / (1 + t),
        "the temperature is squared or rooted: divide by it": lambda z, t: z / t**0.5,
        "the temperature is ignored": lambda z, t: z,
        "the logits were raised to a power: divide them": lambda z, t: z ** (1 / t),
        "the temperature is subtracted: divide": lambda z, t: z - t,
    })  # fmt: skip
    for t in (0.5, 1.7, 0.05):
        z = torch.from_numpy(check.rng.normal(size=6) * 3).float()
        check(apply_temperature, z, t).equals(z.numpy() / t, about="fresh logits", rtol=1e-4)
    check(apply_temperature, torch.tensor([1.0, -inf, 2.0]), 0.5).equals(
        [2.0, -inf, 4.0], about="tokens removed before", edge=True
    )

    top = {
        first_k: kept_by(lambda z, k: torch.arange(len(z)) < k), zero: kept_by(lambda z, k: rank(z) < k, removed=0.0),
        smallest: kept_by(lambda z, k: rank(-z) < k), fewer: kept_by(lambda z, k: rank(z) < k - 1),
        more: kept_by(lambda z, k: rank(z) < k + 1), renormalised: kept_by(lambda z, k: rank(z) < k, values=renorm),
        chances: lambda z, k: chance(kept_by(lambda z, k: rank(z) < k)(z, k)),
        "only those above the k-th largest were kept: it stays, too": kept_by(lambda z, k: rank(z) < k - 1),
        "the largest by their size alone were kept: minus 5 is less than 1": kept_by(lambda z, k: rank(z.abs()) < k),
        "the result is sorted: each token's logit belongs to its place": lambda z, k: torch.where(
            torch.arange(len(z)) < k, z.sort(descending=True).values, -inf),
        "the k largest came without the others: the shape is (V,)": lambda z, k: z.topk(min(k, len(z))).values,
        "these are the ids of the k largest: their logits are asked": lambda z, k: z.topk(min(k, len(z))).indices,
        "removed tokens have a large negative number: minus infinity is asked": kept_by(
            lambda z, k: rank(z) < k, removed=-100.0),
        "the largest k were removed": kept_by(lambda z, k: rank(z) >= k),
        "those above the mean were kept": kept_by(lambda z, k: z > z.mean()),
    }  # fmt: skip
    check.mistakes(top)
    for k, V in [(3, 8), (1, 6), (5, 12)]:
        z = torch.from_numpy(check.rng.normal(size=V) * 3).float()
        keep = z >= np.sort(z.numpy())[-k]
        check(keep_top_k, z, k).equals(torch.where(keep, z, -inf), about="fresh logits, top-k")
    z = torch.tensor([0.3, -1.0, 2.0])
    check(keep_top_k, z, 5).equals(
        z, about="k above the vocabulary", edge=True,
        near={"k may be larger than the vocabulary: then all stay": RuntimeError,
              "k may be larger than the vocabulary: then all stay; an index ran over the end": IndexError},
    )  # fmt: skip
    check(keep_top_k, torch.tensor([-inf, 4.0, -inf, 3.0, 5.0]), 2).equals(
        [-inf, 4.0, -inf, -inf, 5.0], about="top-k after another filter", edge=True
    )
    check(keep_top_k, torch.tensor([-inf, 4.0, -inf, 3.0, 5.0]), 4).equals(
        [-inf, 4.0, -inf, 3.0, 5.0], about="top-k after another filter", edge=True
    )

    def before(z):
        """The probability of all that is likelier."""
        p = chance(z.double())
        return (p[None, :] * (rank(z)[None, :] < rank(z)[:, None])).sum(1)

    check.mistakes({
        crossing: kept_by(lambda z, p: (before(z) + chance(z.double()) < p) | (rank(z) == 0)),
        "the token that reaches p is kept, too, and at least one stays": kept_by(
            lambda z, p: before(z) + chance(z.double()) < p),
        "one token too many: the one that reaches p is the last": kept_by(
            lambda z, p: rank(z) <= int((before(z) < p).sum())),
        unsorted: kept_by(lambda z, p: chance(z).cumsum(-1) - chance(z) < p),
        "the probabilities were added in the order of the ids, and the token that reaches p is missing": kept_by(
            lambda z, p: chance(z).cumsum(-1) <= p),
        back: lambda z, p: torch.where((s := z.sort(descending=True).values).softmax(-1).cumsum(-1) - s.softmax(-1) < p,
                                       s, -inf),
        "the mask of the sorted tokens was used on the unsorted ones": kept_by(
            lambda z, p: (c := chance(z).sort(descending=True).values).cumsum(-1) - c < p),
        "from the least likely on: begin with the likeliest": kept_by(lambda z, p: before(-z) < p),
        tail: kept_by(lambda z, p: before(z) >= p), single: kept_by(lambda z, p: chance(z) >= p),
        "p and 1 - p are exchanged": kept_by(lambda z, p: before(z) < 1 - p),
        "these are probabilities: the logits of those who stay are asked": kept_by(
            lambda z, p: before(z) < p, values=chance),
        "the mask was sorted once more: keep[order] = ... puts it back": kept_by(
            lambda z, p: ((before(z) < p)[z.argsort(descending=True)][z.argsort(descending=True)]) | (rank(z) == 0)),
        "compared with 1 - p: a single probability does not tell": kept_by(lambda z, p: chance(z) >= 1 - p),
        "the logits were added up: add probabilities": kept_by(
            lambda z, p: (z[None] * (rank(z)[None, :] < rank(z)[:, None])).nan_to_num(0, 0, 0).sum(1) < p),
        zero: kept_by(lambda z, p: before(z) < p, removed=0.0),
        renormalised: kept_by(lambda z, p: before(z) < p, values=renorm),
        chances: lambda z, p: chance(kept_by(lambda z, p: before(z) < p)(z, p)),
        "p was taken as a share of the tokens: it is one of their probability": kept_by(
            lambda z, p: rank(z) < max(int(p * len(z)), 1)),
        "p was taken as a share of the tokens, rounded up: it is one of their probability": kept_by(
            lambda z, p: rank(z) < -int(-p * len(z) // 1)),
    })  # fmt: skip
    for p, V in [(0.5, 7), (0.8, 10), (0.95, 20), (0.2, 6)]:
        z = torch.from_numpy(check.rng.permutation(np.linspace(-2, 2.1, V)) * check.rng.uniform(0.8, 1.3)).float()
        order, total, keep = np.argsort(-z.numpy()), 0.0, np.zeros(V, dtype=bool)
        weights = np.exp(z.double().numpy())
        for i in order:
            keep[i], total = True, total + weights[i] / weights.sum()
            if total >= p:
                break
        check(keep_top_p, z, p).equals(np.where(keep, z.numpy(), -inf), about="fresh logits, top-p")
    z = torch.tensor([0.3, -1.0, 2.0, 1.0])
    check(keep_top_p, z, 0.0001).equals([-inf, -inf, 2.0, -inf], about="a tiny p", edge=True)
    check(keep_top_p, torch.tensor([1.0, -inf, 3.0, 2.0, -inf]), 0.95).equals(
        [1.0, -inf, 3.0, 2.0, -inf], about="top-p after another filter", edge=True
    )
    check(keep_top_p, torch.tensor([500.0, 498.0, 499.5, -500.0]), 0.9).equals(
        [500.0, -inf, 499.5, -inf], about="large logits, top-p"
    )

    check.mistakes({
        absolute: kept_by(lambda z, m: chance(z) >= m), of_logits: kept_by(lambda z, m: z >= m * z.max()),
        "the logarithms of the probabilities were compared": kept_by(lambda z, m: renorm(z) >= m * renorm(z).max()),
        "compared with the largest logit minus min_p: probabilities are asked": kept_by(lambda z, m: z >= z.max() - m),
        "the threshold is min_p times the largest probability, not over it": kept_by(
            lambda z, m: chance(z) >= m / chance(z).max()),
        "compared with min_p times the mean probability: the largest counts": kept_by(
            lambda z, m: chance(z) >= m * chance(z).mean()),
        "compared with min_p times the smallest probability: the largest counts": kept_by(
            lambda z, m: chance(z) >= m * chance(z).min()),
        "min_p was subtracted from the largest probability: the threshold is min_p times that": kept_by(
            lambda z, m: chance(z) >= chance(z).max() - m),
        "those below the threshold were kept, and those on it": kept_by(lambda z, m: chance(z) <= m * chance(z).max()),
        "the logarithm of min_p is the natural one, not to base 2": kept_by(lambda z, m: z >= z.max() + np.log2(m)),
        "the logarithm of min_p is the natural one, not to base 10": kept_by(lambda z, m: z >= z.max() + np.log10(m)),
        "exponentials were compared with min_p itself: the threshold is min_p times the largest": kept_by(
            lambda z, m: z.exp() >= m),
        "those below the threshold were kept": kept_by(lambda z, m: chance(z) < m * chance(z).max()),
        "the threshold is 1 - min_p times the largest": kept_by(lambda z, m: chance(z) >= (1 - m) * chance(z).max()),
        zero: kept_by(lambda z, m: chance(z) >= m * chance(z).max(), removed=0.0),
        renormalised: kept_by(lambda z, m: chance(z) >= m * chance(z).max(), values=renorm),
        chances: lambda z, m: chance(kept_by(lambda z, m: chance(z) >= m * chance(z).max())(z, m)),
        "removed tokens have a large negative number: minus infinity is asked": kept_by(
            lambda z, m: chance(z) >= m * chance(z).max(), removed=-100.0),
        "the first token was taken for the likeliest: logits come in any order": kept_by(
            lambda z, m: chance(z) >= m * chance(z)[0]),
        "these are probabilities, not shared out anew: return logits": kept_by(
            lambda z, m: chance(z) >= m * chance(z).max(), values=chance, removed=0.0),
    })  # fmt: skip
    for m, V in [(0.1, 8), (0.3, 12), (0.02, 30)]:
        z = torch.from_numpy(check.rng.permutation(np.linspace(-3, 2.2, V)) * check.rng.uniform(0.9, 1.2)).float()
        check(keep_min_p, z, m).equals(
            torch.where(z.double() - z.double().max() >= np.log(m), z, -inf), about="fresh logits, min-p"
        )
    check(keep_min_p, torch.tensor([300.0, 299.5, 290.0, -inf]), 0.05).equals(
        [300.0, 299.5, -inf, -inf], about="large logits, min-p"
    )
    check(keep_min_p, torch.tensor([2.0, -1.0, 0.0]), 1.0).equals([2.0, -inf, -inf], about="min_p of 1", edge=True)
    ### END HIDDEN TESTS


score

# %% [markdown]
# **The order matters.** The same two steps, temperature 2 and top-p 0.8, in both orders, on the example: whoever
# flattens first lets the nucleus take in more of the tail.

# %% show
# NBVAL_CHECK_OUTPUT
EXAMPLE = torch.tensor([0.45, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01]).log()
steps = {
    "as it is": EXAMPLE,
    "top-k 3": keep_top_k(EXAMPLE, 3),
    "top-p 0.9": keep_top_p(EXAMPLE, 0.9),
    "min-p 0.05": keep_min_p(EXAMPLE, 0.05),
    "T = 2, then top-p 0.8": keep_top_p(apply_temperature(EXAMPLE, 2.0), 0.8),
    "top-p 0.8, then T = 2": apply_temperature(keep_top_p(EXAMPLE, 0.8), 2.0),
}
for name, logits in steps.items():
    print(f"{name:<24}", "  ".join(f"{p:.3f}" if p > 0 else "  -  " for p in logits.softmax(-1).tolist()))

# %% [markdown]
# ## Exercise 11: penalties (`penalties`)
#
# 12 minutes, ★★, 4 points
#
# Filters look at the distribution alone; penalties look at what was already written. `penalise(logits, generated,
# repetition, frequency, presence)` changes the logits of the tokens that occur in `generated` (a list of ids), and no
# others, in this order:
#
# 1. **repetition** $r$ (Keskar et al. 2019): a positive logit is *divided* by $r$, a negative one *multiplied*; once,
#    however often the token occurs. (Dividing a negative logit would make the token likelier.)
# 2. **frequency** $f$: minus $f$ times the number of occurrences.
# 3. **presence** $q$: minus $q$, once.
#
# With the default values nothing changes. By hand: the logits (2, -1, 0.5), generated [0, 1, 0], $r = 2$, $f = 0.5$:
# token 0: 2 / 2 - 2 · 0.5 = 0; token 1: -1 · 2 - 0.5 = -2.5; token 2 stays.
#
# <details><summary>Hint 1</summary><code>torch.bincount(ids, minlength=V)</code> counts occurrences.</details>

# %% exercise="penalties"
def penalise(
    logits: torch.Tensor, generated: list[int], repetition: float = 1.0, frequency: float = 0.0, presence: float = 0.0
) -> torch.Tensor:
    """Return the logits (V,) with penalties for the tokens that were generated already."""
    ### BEGIN SOLUTION
    counts = torch.bincount(torch.tensor(generated, dtype=torch.long), minlength=len(logits))
    seen = counts > 0
    weakened = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, weakened, logits) - frequency * counts - presence * seen
    ### END SOLUTION

# %% check="penalties" points=4
# The check of `penalties`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("penalties", points=4)
def score(check):
    import torch

    divided = "negative logits were divided by the repetition penalty, which makes the token likelier: multiply them"
    multiplied = "positive logits were multiplied by the repetition penalty: divide them"
    each_time = "the repetition penalty was applied once for each occurrence: once is asked"
    all_tokens = "all tokens were penalised: only those that were generated are"
    once = "the frequency penalty counts each occurrence"
    often = "the presence penalty counts once, however often the token occurs"
    plus = "penalties are subtracted, not added"
    last = "frequency and presence come after the repetition penalty"
    logits = torch.tensor([2.0, -1.0, 0.5, 1.5])
    check(penalise, logits, [0, 1, 0], repetition=2.0).equals([1.0, -2.0, 0.5, 1.5], near={
        divided: [1, -0.5, 0.5, 1.5], multiplied: [4, -2, 0.5, 1.5], each_time: [0.5, -2, 0.5, 1.5],
        all_tokens: [1, -2, 0.25, 0.75],
    })
    check(penalise, logits, [0, 1, 0], frequency=0.5).equals([1.0, -1.5, 0.5, 1.5], near={
        once: [1.5, -1.5, 0.5, 1.5], plus: [3, -0.5, 0.5, 1.5],
    })
    check(penalise, logits, [0, 1, 0], presence=0.5).equals([1.5, -1.5, 0.5, 1.5], near={
        all_tokens: [1.5, -1.5, 0.0, 1], often: [1, -1.5, 0.5, 1.5], plus: [2.5, -0.5, 0.5, 1.5],
    })
    check(penalise, logits, [0, 1, 0, 3], 2.0, 0.5, 0.25).equals([-0.25, -2.75, 0.5, 0.0], near={
        divided: [-0.25, -1.25, 0.5, 0.0], multiplied: [2.75, -2.75, 0.5, 2.25],
        each_time: [-0.75, -2.75, 0.5, 0.0], all_tokens: [-0.25, -2.75, 0.0, 0.0],
        once: [0.25, -2.75, 0.5, 0.0], often: [-0.5, -2.75, 0.5, 0.0], plus: [2.25, -1.25, 0.5, 1.5],
        last: [0.375, -3.5, 0.5, 0.375],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(shrink=None, count=lambda c: c, seen=lambda c: c > 0, sign=-1.0, early=False, who=lambda c: c > 0):
        shrink = shrink or (lambda z, r, c: torch.where(z > 0, z / r, z * r))

        def apply(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
            c = torch.tensor([generated.count(i) for i in range(len(logits))], dtype=logits.dtype)
            less = sign * (frequency * count(c) + presence * seen(c).to(logits.dtype))
            z = logits + less if early else logits
            z = torch.where(who(c), shrink(z, repetition, c), z)
            return z if early else z + less

        return apply

    check.mistakes({
        divided: made(lambda z, r, c: z / r), multiplied: made(lambda z, r, c: z * r),
        "divide positive logits and multiply negative ones: here it is the other way round": made(
            lambda z, r, c: torch.where(z > 0, z * r, z / r)),
        each_time: made(lambda z, r, c: torch.where(z > 0, z / r**c, z * r**c)),
        "the repetition penalty was subtracted: divide or multiply": made(lambda z, r, c: z - r),
        "the logarithm of the repetition penalty was subtracted: divide or multiply": made(
            lambda z, r, c: z - torch.log(torch.tensor(r))),
        all_tokens: made(who=lambda c: c > -1, seen=lambda c: c > -1),
        "the repetition penalty was applied to all tokens": made(who=lambda c: c > -1),
        "the tokens that were *not* generated were penalised": made(who=lambda c: c == 0, seen=lambda c: c == 0),
        once: made(count=lambda c: (c > 0).float()), often: made(seen=lambda c: c),
        "frequency and presence are exchanged": made(count=lambda c: (c > 0).float(), seen=lambda c: c),
        "the frequency is a share of all tokens here: it is the count": made(count=lambda c: c / c.sum().clamp(min=1)),
        "the logarithm of the count stands where the count is asked": made(count=lambda c: torch.log1p(c)),
        "the presence penalty goes to all tokens": made(seen=lambda c: c > -1),
        plus: made(sign=1.0), last: made(early=True),
        "repetition is ignored": made(lambda z, r, c: z),
        "frequency is ignored": made(count=lambda c: c * 0), "presence is ignored": made(seen=lambda c: c * 0),
        "only tokens that occur more than once were penalised": made(
            who=lambda c: c > 1, seen=lambda c: c > 1, count=lambda c: (c - 1).clamp(min=0)),
        "the first occurrence counts, too": made(count=lambda c: (c - 1).clamp(min=0)),
        "the presence penalty comes after the repetition penalty": lambda z, g, r=1.0, f=0.0, q=0.0: made()(
            made()(z, g, 1.0, 0.0, q), g, r, f),
        "the frequency penalty comes after the repetition penalty": lambda z, g, r=1.0, f=0.0, q=0.0: made()(
            made()(z, g, 1.0, f), g, r, 0.0, q),
        "softmax was taken first: penalties change the logits": lambda z, *a: made()(z.softmax(-1), *a),
        "log-softmax was taken first: penalties change the logits as they are": lambda z, *a: made()(
            z.log_softmax(-1), *a),
        "the last of the generated tokens counts, too": lambda z, g, *a: made()(z, g[:-1], *a),
        "all penalties were applied once for each occurrence: repetition and presence count once": made(
            lambda z, r, c: torch.where(z > 0, z / r**c, z * r**c), seen=lambda c: c),
        "the presence penalty counts from the first occurrence on": made(seen=lambda c: c > 1),
        "only the last token was penalised": lambda z, g, *a, **k: made()(z, g[-1:], *a, **k),
    })  # fmt: skip
    for r, f, q in [(1.3, 0.0, 0.0), (1.0, 0.7, 0.0), (1.0, 0.0, 0.9), (1.8, 0.3, 0.6), (0.8, 0.2, 0.1)]:
        z = torch.from_numpy(check.rng.normal(size=9) * 2).float()
        written = [int(v) for v in check.rng.integers(0, 6, size=12)]
        expected = z.tolist()
        for i in set(written):
            expected[i] = expected[i] / r if expected[i] > 0 else expected[i] * r
            expected[i] -= f * written.count(i) + q
        check(penalise, z, written, r, f, q).equals(expected, about="fresh logits", rtol=1e-4, atol=1e-6)
    check(penalise, z, written).equals(z, about="default values")
    check(penalise, z, [], 2.0, 1.0, 1.0).equals(
        z, about="nothing generated yet", edge=True,
        near={"nothing was generated yet: then the logits stay": RuntimeError,
              "nothing was generated yet: an empty list has no dtype of whole numbers": IndexError},
    )  # fmt: skip
    check(penalise, torch.tensor([-torch.inf, 0.0, 1.0]), [0, 1], 2.0, 0.5, 0.0).equals(
        [-torch.inf, -0.5, 1.0], about="removed tokens, and a logit of 0", edge=True
    )
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Exercise 12: one draw (`draw`)
#
# 8 minutes, ★, 3 points
#
# At last one token is drawn. To make a draw that can be repeated, let the chance come from outside: a number $u$ from
# $[0, 1)$. Lay the probabilities side by side on a line of length 1 in the order of the ids; the token is the one in
# whose stretch $u$ lies. That is: **the first id whose cumulative probability is greater than $u$** (the *inverse* of
# the distribution function). Return it as an int (or a tensor of one number).
#
# Two things to guard against. Tokens that a filter removed (logit $-\infty$, probability 0) are never drawn, whatever
# $u$. And rounding must not lead behind the end: in float32 the last sum may be 0.9999999, and a $u$ above it still
# means the last token that has a probability above 0. (Computing in `double()` makes the gap smaller; dividing all sums
# by the last one closes it.)
#
# By hand: probabilities (0.2, 0.5, 0.3) have sums 0.2, 0.7, 1.0. With $u = 0.1$ it is token 0, with 0.2 token 1 (0.2
# is not greater than 0.2), with 0.95 token 2.
#
# <details><summary>Hint 1</summary><code>torch.searchsorted(sums, u, right=True)</code>, or count the sums that are
# not greater than u.</details>
# <details><summary>Hint 2</summary><code>sums / sums[-1]</code> ends with exactly 1, and $u$ is below 1.</details>

# %% exercise="draw"
def draw_token(logits: torch.Tensor, u: float) -> int:
    """Return the id of the token in whose stretch of [0, 1) u lies, for logits (V,)."""
    ### BEGIN SOLUTION
    sums = logits.double().softmax(-1).cumsum(-1)
    return int((sums / sums[-1] <= u).sum())
    ### END SOLUTION

# %% check="draw" points=3
# The check of `draw`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("draw", points=3)
def score(check):
    import torch

    greedy = "u is ignored: this is the likeliest token"
    order = "the probabilities were sorted first: they lie in the order of the ids"
    one = "one id too far: the first sum that is greater than u"
    before = "one id too low: the first sum that is greater than u"
    raw = "logits were added up: take their softmax first"
    above = "the first token whose own probability is greater than u: the sums count"
    above_last = "the first token whose own probability is greater than u, or the last one: the sums count"
    back = "the stretches were laid from the last id on"
    logits = torch.tensor([0.2, 0.5, 0.3]).log()
    check(draw_token, logits, 0.1).equals(0, near={
        greedy: 1, order: 1, one: 1, raw: 3, back: 2,
    })
    check(draw_token, logits, 0.65).equals(1, near={
        order: 2, one: 2, before: 0, raw: 3, above: 0, above_last: 2,
    })
    check(draw_token, logits, 0.95).equals(2, near={
        greedy: 1, order: 0, one: 3, before: 1, raw: 3, above: 0, back: 0,
    })
    check(draw_token, torch.tensor([1.0, -1.0, 0.5, 2.0]), 0.6).equals(3, near={
        one: 4, before: 2, raw: 2,
    })
    later = "u = a sum belongs to the next stretch: greater, not greater or equal"
    check(draw_token, torch.zeros(4), 0.25).equals(1, about="u equal to a sum", edge=True, near={later: 0, one: 2})
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def by(p, u, side="right"):
        return int(np.searchsorted(np.cumsum(p), u, side=side))

    def chance(z):
        return z.double().softmax(-1).numpy()

    check.mistakes({
        greedy: lambda z, u: int(z.argmax()),
        order: lambda z, u: int(z.argsort(descending=True)[min(by(np.sort(chance(z))[::-1], u), len(z) - 1)]),
        "the probabilities were sorted, and the place in that order came back": lambda z, u: by(
            np.sort(chance(z))[::-1], u),
        "the probabilities were sorted upwards first": lambda z, u: int(
            z.argsort()[min(by(np.sort(chance(z)), u), len(z) - 1)]),
        one: lambda z, u: by(chance(z), u) + 1, before: lambda z, u: max(by(chance(z), u) - 1, 0),
        "one id too low: -1 is no id": lambda z, u: by(chance(z), u) - 1,
        raw: lambda z, u: int((z.cumsum(-1) <= u).sum()),
        above: lambda z, u: int((chance(z) > u).argmax()),
        above_last: lambda z, u: int((chance(z) > u).argmax()) if (chance(z) > u).any() else len(z) - 1,
        back: lambda z, u: len(z) - 1 - by(chance(z)[::-1], u),
        "u and 1 - u are exchanged": lambda z, u: by(chance(z), 1 - u),
        "the exponentials were not divided by their sum": lambda z, u: int((z.exp().cumsum(-1) <= u).sum()),
        later: lambda z, u: by(chance(z), u, "left"),
        "u was taken as a share of the ids: the probabilities count": lambda z, u: int(u * len(z)),
        "the sum nearest to u was taken: the first sum that is greater than u": lambda z, u: int(
            np.abs(np.cumsum(chance(z)) - u).argmin()),
        "the place among the tokens that are left came back: the id is asked": lambda z, u: by(
            chance(z[z > -torch.inf]), u),
        "the sum came back: the id is asked": lambda z, u: float(np.cumsum(chance(z))[by(chance(z), u)]),
        "the probability came back: the id is asked": lambda z, u: float(chance(z)[by(chance(z), u)]),
        "logits were added up and divided by their sum: take their softmax first": lambda z, u: int(
            (z.double().cumsum(-1) / z.double().sum() <= u).sum()),
        "the last sum that is below u": lambda z, u: max(int((np.cumsum(chance(z)) < u).sum()) - 1, 0),
    })  # fmt: skip
    for V in (3, 8, 30):
        z = torch.from_numpy(check.rng.normal(size=V) * 1.5).float()
        sums = np.cumsum(np.exp(z.double().numpy()) / np.exp(z.double().numpy()).sum())
        for u in check.rng.random(6):
            if np.abs(sums - u).min() > 1e-5:
                check(draw_token, z, float(u)).equals(int(np.argmax(sums > u)), about="fresh logits")
    z = torch.tensor([1.0, 0.0, -2.0, 0.5])
    numbers = np.random.default_rng(5).random(300)
    sums = np.cumsum(np.exp(z.double().numpy()) / np.exp(z.double().numpy()).sum())
    expected = [int(np.argmax(sums > u)) for u in numbers]
    check(lambda: [int(draw_token(z, float(u))) for u in numbers]).equals(
        expected, about="three hundred draws", near={
            "u is ignored: this is the likeliest token each time": [0] * 300,
        },
    )  # fmt: skip
    check(draw_token, torch.zeros(4), 0.5).equals(2, about="u equal to a sum", edge=True)
    removed = torch.tensor([-torch.inf, 1.0, -torch.inf, 1.0, -torch.inf])
    for u, i in [(0.0, 1), (0.5, 3), (0.9999999, 3)]:
        check(draw_token, removed, u).equals(
            i, about="removed tokens are never drawn", edge=True,
            near={"a token of probability 0 was drawn: the first sum *greater* than u": 0,
                  "a token of probability 0 was drawn, at the end of the line": 4},
        )  # fmt: skip
    trials = (torch.randn(50, generator=torch.Generator().manual_seed(s)) * 2 for s in range(2000))
    short = next(v for v in trials if v.softmax(0).cumsum(0)[-1].item() < 1)  # in float32
    check.mistakes({})
    for behind in (0, 2):
        z = torch.cat([short, torch.full((behind,), -torch.inf)])
        check(draw_token, z, 1 - 2**-24).equals(  # the largest u below 1 that float32 knows
            49, about="u behind the last sum, which float32 leaves below 1", edge=True,
            near={"no sum is greater than u here, and argmax of nothing is 0": 0,
                  "this id does not exist: the rounded sums end below u": 50 + behind,
                  "a removed token was drawn: the rounded sums end below u": 51},
        )  # fmt: skip
    check(draw_token, torch.tensor([1000.0, 1000.0]), 0.75).equals(
        1, about="large logits", edge=True,
        near={"e to a large logit is infinite: softmax keeps clear of that": 0,
              "e to a large logit is infinite: softmax keeps clear of that, and of an id that does not exist": 2},
    )  # fmt: skip
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Exercise 13: beam search (`beam`)
#
# 25 minutes, ★★★, 6 points
#
# The likeliest next token need not begin the likeliest text. **Beam search** keeps several beginnings alive.
# `log_probs` is a function: it gets a list of ids (the beginning, at first the empty list) and returns the
# log-probabilities of the next token, a tensor (V,). A text's score is the sum of its log-probabilities. Exactly:
#
# 1. Begin with the empty text alone.
# 2. Extend *every* live text by *every* token; of all these together keep the `width` with the highest scores: `width`
#    in all, not for each live text. (Within a round all texts are equally long, so $\alpha$ plays no part here.)
# 3. Those of them that end with the token `end` are complete: put them aside. They have taken a place of this round,
#    but take none in later rounds. The others are live.
# 4. Go back to 2 until nothing is live or `max_length` rounds are done; what is live then counts as complete.
# 5. Of all complete texts return the one with the highest score $/\,\text{length}^{\alpha}$, as a list of ids. The
#    length counts the end token, too. With $\alpha = 0$ the sum decides; a larger $\alpha$ favours longer texts, which
#    a sum of logarithms punishes.
#
# With `width` 1 this is greedy. With a width so large that nothing is thrown away it is an exhaustive search, and
# finds the best text there is: that is how the check knows. Ties are not tested.
#
# By hand: after nothing (.5, .4, .1), after token 0 (.3, .3, .4), after token 1 (.05, .05, .9), where 2 is the end.
# Greedy takes 0, then 2: .5 · .4 = .20. With width 2 the text 1, 2 is found: .4 · .9 = .36.
#
# Pruning may lose the best text. After nothing (.45, .40, .15), after 0 (.50, .05, .45), after 1 (.10, .45, .45): with
# width 2 the second round keeps 0, 0 (.225) and 0, 2 (.2025); nothing that begins with 1 (.18 at most) is left.
#
# <details><summary>Hint 1</summary>A text is a pair (list of ids, score); keep two lists of pairs, live and
# complete.</details>
# <details><summary>Hint 2</summary><code>sorted(candidates, key=lambda c: -c[1])[:width]</code></details>

# %% exercise="beam"
def beam_search(log_probs, width: int, max_length: int, end: int, alpha: float = 0.0) -> list[int]:
    """Return the ids of the best text that beam search finds; log_probs(ids) gives the next token's (V,)."""
    ### BEGIN SOLUTION
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        candidates = [
            (ids + [token], score + step)
            for ids, score in live
            for token, step in enumerate(torch.as_tensor(log_probs(ids)).tolist())
        ]
        best = sorted(candidates, key=lambda c: -c[1])[:width]
        complete += [c for c in best if c[0][-1] == end]
        live = [c for c in best if c[0][-1] != end]
        if not live:
            break
    return max(complete + live, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
    ### END SOLUTION

# %% check="beam" points=6
# The check of `beam`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("beam", points=6)
def score(check):
    import torch

    def tree(table, end=2):
        """A language model from a table: beginning -> probabilities; it knows no other beginnings."""
        rows = {tuple(k): torch.tensor(v, dtype=torch.float64).log() for k, v in table.items()}
        longest = max(map(len, rows))

        def log_probs(ids):
            ids = tuple(int(i) for i in ids)
            if end in ids:
                raise KeyError(f"{list(ids)} is complete")
            if len(ids) > longest:
                raise IndexError(f"{list(ids)} is too long")
            return rows[ids]

        return log_probs

    says = {
        "greedy": "width is ignored: this is the greedy text",
        "own": "each live text kept its own best extension: all extensions compete together",
        "each": "`width` texts were kept for each live text: `width` in all, of all extensions together",
        "free": "complete texts took no place: they take one of the `width` places of their round",
        "competed": "a complete text kept competing with the live ones: it is put aside",
        "enough": "the search stopped when `width` texts were complete: go on while texts are live",
        "overtaken": "the search stopped when the best complete text was ahead of the live ones: go on with them",
        "one_more": "the length is one too large: it is the number of tokens, with the end",
        "google": "another formula of the length stands here: the score is divided by length to the power alpha",
        "normed": "complete texts kept competing, by their length-normalised scores: they are put aside",
        "first_end": "the search stopped at the first complete text: others may be better",
        "first": "the first complete text was returned: the best one is asked",
        "lost_live": "what was live at the end was thrown away: it counts as complete",
        "last_only": "only the last log-probability counted: scores are sums over the text",
        "no_alpha": "alpha is ignored",
        "always_1": "alpha is always 1",
        "times": "the length is multiplied: divide by it",
        "one_less": "the length counts the end token, too; here each text counts one token too few",
        "without_end": "the length counts the end token, too",
        "only_live": "complete texts were thrown away when longer ones went on",
        "worst": "the lowest scores were kept: keep the highest",
        "wider": "one text too many is kept",
        "narrower": "one text too few is kept",
        "unpruned": "nothing is ever thrown away: keep `width` texts a round",
        "picked_worst": "the worst complete text was returned: the highest score is asked",
        "chances": "probabilities were added: add their logarithms",
        "early": "one round too few: max_length is the number of rounds",
        "stripped": "the end token was taken off: it belongs to the text",
        "forgetful": "the model got the last token alone: give it the whole beginning",
        "multiplied": "log-probabilities were multiplied: add them",
        "two": "no more than two texts are kept: keep `width`",
        "paired": "the text came with its score: return the list of ids alone",
        "go_on": "a complete text was extended behind its end",
        "late": "one round too many: max_length is the number of rounds",
    }
    errors = {says["go_on"]: KeyError, says["late"]: IndexError}
    whole = {(): [0.5, 0.4, 0.1], (0,): [0.3, 0.3, 0.4], (1,): [0.05, 0.05, 0.9]}
    check(beam_search, tree(whole), 1, 2, 2).equals([0, 2], near=errors | {
        says["worst"]: [2], says["wider"]: [1, 2], says["unpruned"]: [1, 2], says["early"]: [0],
        says["stripped"]: [0],
    })
    check(beam_search, tree(whole), 2, 2, 2).equals([1, 2], near=errors | {
        says["greedy"]: [0, 2], says["worst"]: [2], says["narrower"]: [0, 2], says["picked_worst"]: [0, 2],
        says["early"]: [0], says["stripped"]: [1],
    })
    long = {
        (): [0.55, 0.25, 0.2], (0,): [0.7, 0.2, 0.1], (1,): [0.2, 0.2, 0.6], (0, 0): [0.45, 0.35, 0.2],
        (0, 1): [0.1, 0.1, 0.8], (1, 0): [0.3, 0.3, 0.4], (1, 1): [0.1, 0.2, 0.7],
    }  # fmt: skip
    check(beam_search, tree(long), 3, 3, 2).equals([2], near=errors | {
        says["multiplied"]: [0, 0, 0], says["two"]: [0, 0, 0],
        says["greedy"]: [0, 0, 0], says["first_end"]: [0], says["last_only"]: [0, 1, 2],
        says["always_1"]: [0, 0, 0], says["only_live"]: [0, 0, 0], says["narrower"]: [0, 0, 0],
        says["picked_worst"]: [0, 1, 2], says["chances"]: [0, 0, 0], says["early"]: [0, 0], says["stripped"]: [],
        says["forgetful"]: [0, 0, 0],
    })
    check(beam_search, tree(long), 3, 3, 2, 1.0).equals([0, 0, 0], near=errors | {
        says["first_end"]: [0], says["lost_live"]: [0, 1, 2], says["last_only"]: [0, 1, 2], says["no_alpha"]: [2],
        says["times"]: [2], says["worst"]: [1, 0, 0], says["picked_worst"]: [2], says["first"]: [2],
        says["early"]: [0, 0],
    })
    lost = {
        (): [0.45, 0.4, 0.15], (0,): [0.5, 0.05, 0.45], (1,): [0.1, 0.45, 0.45], (0, 0): [0.4, 0.05, 0.55],
        (0, 1): [0.55, 0.4, 0.05], (1, 0): [0.05, 0.15, 0.8], (1, 1): [0.05, 0.15, 0.8],
    }  # fmt: skip
    check(beam_search, tree(lost), 2, 3, 2, 0.5).equals([0, 2], near=errors | {
        says["multiplied"]: [0, 0, 2],
        says["greedy"]: [0, 0, 2], says["own"]: [1, 1, 2], says["first_end"]: [0, 0], says["last_only"]: [0, 0, 2],
        says["always_1"]: [0, 0, 2], says["one_less"]: [0, 0, 2], says["without_end"]: [0, 0, 0],
        says["only_live"]: [0, 0, 2], says["worst"]: [2], says["wider"]: [1, 1, 2], says["narrower"]: [0, 0, 2],
        says["unpruned"]: [1, 1, 2], says["picked_worst"]: [0, 0, 0], says["chances"]: [0, 0, 2],
        says["each"]: [1, 1, 2], says["free"]: [1, 1, 2], says["early"]: [0, 0], says["stripped"]: [0],
    })
    aside = {
        (): [0.5, 0.05, 0.45], (0,): [0.5, 0.4, 0.1], (1,): [0.3, 0.3, 0.4], (0, 0): [0.3, 0.25, 0.45],
        (0, 1): [0.02, 0.03, 0.95], (1, 0): [0.1, 0.2, 0.7], (1, 1): [0.2, 0.1, 0.7],
    }  # fmt: skip
    check(beam_search, tree(aside), 2, 3, 2, 1.0).equals([0, 1, 2], near=errors | {
        says["competed"]: [0, 0, 2], says["normed"]: [0, 0, 2], says["greedy"]: [0, 0, 2],
        says["narrower"]: [0, 0, 2], says["overtaken"]: [0, 0], says["early"]: [0, 0], says["first_end"]: [0],
        says["first"]: [2], says["no_alpha"]: [2], says["one_more"]: [2], says["google"]: [2], says["times"]: [2],
        says["one_less"]: [2], says["without_end"]: [2], says["picked_worst"]: [2], says["worst"]: [2],
        says["forgetful"]: [0, 0, 0], says["stripped"]: [0, 1],
    })
    ### BEGIN HIDDEN TESTS
    import itertools
    import math

    check.hidden()

    def highest(texts, n, sign=1):
        return sorted(texts, key=lambda c: -sign * c[1])[:n]

    def together(groups, width, end):
        return highest([c for g in groups for c in g], width)

    def only_own(groups, width, end):
        return highest([max(g, key=lambda c: c[1]) for g in groups] if len(groups) > 1 else groups[0], width)

    def outside(groups, width, end):
        ended, others = ([c for g in groups for c in g if (c[0][-1] == end) is is_end] for is_end in (True, False))
        return ended + highest(others, width)

    def made(choose=together, add=lambda total, v: total + v, seen=lambda ids: ids, stop=None, keep_live=True,
             keep_done=True, length=len, power=lambda a: a, pick=max, first=0.0):  # fmt: skip
        """A beam search whose parts can be exchanged; `choose` gets the extensions of each live text."""

        def search(log_probs, width, max_length, end, alpha=0.0):
            live, done = [([], first)], []
            for _ in range(max_length):
                groups = [
                    [(ids + [i], add(total, v)) for i, v in enumerate(log_probs(seen(ids)).tolist())]
                    for ids, total in live
                ]
                kept = choose(groups, width, end)
                live = [c for c in kept if c[0][-1] != end]
                done = (done if keep_done or not live else []) + [c for c in kept if c[0][-1] == end]
                if not live or (stop and done and stop(done, live, width)):
                    break
            pool = done + live if keep_live or not done else done
            return pick(pool, key=lambda c: c[1] / max(length(c[0]), 1) ** power(alpha))[0]

        return search

    def competing(normed):
        def search(log_probs, width, max_length, end, alpha=0.0):
            live = [([], 0.0)]
            for _ in range(max_length):
                texts = [c for c in live if c[0][-1:] == [end]]
                for ids, score in (c for c in live if c[0][-1:] != [end]):
                    texts += [(ids + [i], score + v) for i, v in enumerate(log_probs(ids).tolist())]
                live = sorted(texts, key=lambda c: -c[1] / len(c[0]) ** (alpha if normed else 0))[:width]
            return max(live, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

        return search

    def scored(f, width, n, end, alpha=0.0):
        ids = made()(f, width, n, end, alpha)
        return ids, sum(f(ids[:i])[token].item() for i, token in enumerate(ids))

    pruning = {
        says["each"]: made(lambda groups, w, end: [c for g in groups for c in highest(g, w)]),
        says["own"]: made(only_own), says["free"]: made(outside), says["competed"]: competing(False),
        says["normed"]: competing(True), says["greedy"]: made(lambda groups, w, end: together(groups, 1, end)),
        says["wider"]: made(lambda groups, w, end: together(groups, w + 1, end)),
        says["narrower"]: made(lambda groups, w, end: together(groups, max(w - 1, 1), end)),
        says["unpruned"]: made(lambda groups, w, end: together(groups, 10**6, end)),
        says["two"]: made(lambda groups, w, end: together(groups, min(w, 2), end)),
        says["worst"]: made(lambda groups, w, end: highest([c for g in groups for c in g], w, sign=-1)),
    }  # fmt: skip
    ending = {
        says["enough"]: made(stop=lambda done, live, w: len(done) >= w),
        says["overtaken"]: made(stop=lambda done, live, w: highest(done, 1)[0][1] > highest(live, 1)[0][1]),
        says["one_more"]: made(length=lambda ids: len(ids) + 1), says["google"]: made(length=lambda ids: 5 + len(ids)),
    }
    check.mistakes(pruning | ending | {
        says["first_end"]: made(stop=lambda done, live, w: True),
        says["lost_live"]: made(keep_live=False),
        says["first"]: made(pick=lambda pool, key: pool[0]), says["only_live"]: made(keep_done=False),
        says["last_only"]: made(add=lambda total, v: v),
        says["chances"]: made(add=lambda total, v: total + math.exp(v)),
        says["multiplied"]: made(
            lambda groups, w, end: highest([c for g in groups for c in g], w, sign=-1),
            add=lambda total, v: total * abs(v), pick=min, first=1.0),
        says["no_alpha"]: made(power=lambda a: 0), says["always_1"]: made(power=lambda a: 1),
        says["times"]: made(power=lambda a: -a), says["one_less"]: made(length=lambda ids: len(ids) - 1),
        says["without_end"]: lambda f, w, n, e, a=0.0: made(length=lambda ids: len(ids) - (ids[-1] == e))(
            f, w, n, e, a),
        says["picked_worst"]: made(pick=min), says["forgetful"]: made(seen=lambda ids: ids[-1:]),
        says["early"]: lambda f, w, n, e, a=0.0: made()(f, w, n - 1, e, a),
        says["stripped"]: lambda f, w, n, e, a=0.0: [i for i in made()(f, w, n, e, a) if i != e],
        says["paired"]: scored,
        "score and text are exchanged, and the score is too much: return the list of ids alone": (
            lambda *a: scored(*a)[::-1]),
    })  # fmt: skip

    def random_tree(V, depth, end, sharp):
        table = {}
        for n in range(depth):
            for ids in itertools.product([i for i in range(V) if i != end], repeat=n):
                weights = check.rng.gamma(sharp, size=V) + 1e-3
                table[ids] = (weights / weights.sum()).tolist()
        return table

    def total(table, ids):
        return sum(math.log(table[tuple(ids[:i])][token]) for i, token in enumerate(ids))

    def all_texts(V, depth, end):
        for n in range(1, depth + 1):
            for ids in itertools.product(range(V), repeat=n):
                if end not in ids[:-1] and (ids[-1] == end or n == depth):
                    yield list(ids)

    for V, depth, end, alpha in [(3, 3, 2, 0.0), (4, 3, 0, 1.0), (3, 4, 1, 0.6)]:
        table = random_tree(V, depth, end, 0.7)
        best = max(all_texts(V, depth, end), key=lambda ids: total(table, ids) / len(ids) ** alpha)
        check(beam_search, tree(table, end), V**depth, depth, end, alpha).equals(
            best, about="wide enough to find the best", near=errors
        )
    def narrow(V, depth, end, alpha, width, told_apart=None):
        """Return (table, the text that a beam finds), round by round; of forty trees one where pruning decides most.

        told_apart: a search; then the tree is one where it finds another text than all others do, if there is one.
        """
        trials = []
        for _ in range(40 if width > 1 and alpha > 0 else 1):
            table = random_tree(V, depth, end, 1.5)
            scores = {tuple(ids): total(table, ids) for n in range(1, depth + 1) for ids in
                      itertools.product(range(V), repeat=n) if end not in ids[:-1]}  # fmt: skip
            alive, complete = {()}, []
            for n in range(1, depth + 1):
                kept = sorted((ids for ids in scores if len(ids) == n and ids[:-1] in alive), key=scores.get)[-width:]
                alive = {ids for ids in kept if ids[-1] != end and n < depth}
                complete += [ids for ids in kept if ids not in alive]
            best = list(max(complete, key=lambda ids: scores[ids] / len(ids) ** alpha))
            found = [search(tree(table, end), width, depth, end, alpha) for search in pruning.values()
                     if search is not told_apart]  # fmt: skip
            worth = sum(ids != best for ids in found) + 3 * (found[0] != best)
            if told_apart:  # the first tree will do where this search finds what no other does
                worth = told_apart(tree(table, end), width, depth, end, alpha) not in [best, *found]
            trials.append((worth, -len(trials), table, best))
            if told_apart and worth:
                break
        return max(trials)[2:]

    for V, depth, end, alpha, width in [(4, 4, 3, 0.0, 1), (4, 4, 1, 0.0, 2), (5, 3, 4, 0.7, 3), (4, 4, 0, 1.0, 2),
                                        (4, 4, 2, 0.4, 3), (5, 3, 0, 0.0, 2), (4, 4, 3, 2.0, 2)]:  # fmt: skip
        table, best = narrow(V, depth, end, alpha, width)
        about = "a narrow beam, where pruning decides" if width > 1 and alpha > 0 else "a narrow beam"
        check(beam_search, tree(table, end), width, depth, end, alpha).equals(best, about=about, near=errors)
    for alpha, search in itertools.product((0.5, 1.5), ending.values()):
        table, best = narrow(4, 4, 1, alpha, 3, search)
        check(beam_search, tree(table, 1), 3, 4, 1, alpha).equals(
            best, about="a narrow beam, where pruning decides", near=errors
        )
    model = tree(whole)
    check(beam_search, lambda ids: model([] + ids), 2, 2, 2).equals(
        [1, 2], about="a model that takes lists",
        near={"log_probs gets a list of ids, no tensor and no tuple": TypeError},
    )
    check(beam_search, tree({(): [0.7, 0.2, 0.1]}, 1), 1, 1, 1).equals(
        [0], about="one round", edge=True,
        near=errors | {"nothing is complete when no text ended: what is live counts": ValueError},
    )  # fmt: skip
    ### END HIDDEN TESTS


score

# %% [markdown]
# ## Exercise 14: the key-value cache (`kv-cache`)
#
# 20 minutes, ★★★, 7 points
#
# To write token 257, a GPT looks at 256 tokens before it. Their keys and values were computed when they were written,
# and since nobody looks ahead, they have not changed since. So keep them. With a **cache**, a step computes the
# queries, keys and values of the *new* tokens alone.
#
# `cached_attention(x, cache, p, num_heads)` gets the vectors of the new tokens, x (B, n, C); the cache, a pair (keys,
# values) of shape (B, H, T, $d_k$) each, or None at the beginning; and the weights `p` of `nn.MultiheadAttention`
# (`in_proj_weight` (3C, C) with those of queries, keys and values one below the other, `in_proj_bias`,
# `out_proj.weight`, `out_proj.bias`). It returns the output for the new tokens (B, n, C) and the new cache, whose keys
# and values are the old ones followed by the new ones, (B, H, T + n, $d_k$). The old cache stays as it is.
#
# There may be several new tokens, as for a prompt: then each sees all of the cache, and of the new ones itself and
# those before it. Beware of `is_causal=True`: with more keys than queries the library's mask begins at the *upper
# left*, so that the first new token would see the first key alone.
#
# <details><summary>Hint 1</summary><code>torch.cat([old, new], dim=2)</code>: the tokens are the third axis.</details>
# <details><summary>Hint 2</summary><code>torch.ones(n, T + n, dtype=torch.bool).tril(T)</code> moves the diagonal by
# T. </details>

# %% exercise="kv-cache"
def cached_attention(
    x: torch.Tensor, cache: tuple[torch.Tensor, torch.Tensor] | None, p: dict, num_heads: int
) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
    """Return (output for the new tokens x (B, n, C), the cache with their keys and values)."""
    ### BEGIN SOLUTION
    parts = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, dim=-1)
    query, key, value = (v.unflatten(-1, (num_heads, -1)).transpose(1, 2) for v in parts)  # (B, H, n, d_k)
    if cache is not None:
        key, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)
    n, length = query.shape[2], key.shape[2]
    seen = torch.ones(n, length, dtype=torch.bool, device=x.device).tril(length - n) if n > 1 else None
    z = F.scaled_dot_product_attention(query, key, value, attn_mask=seen)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (key, value)
    ### END SOLUTION

# %% check="kv-cache" points=7
# The check of `kv-cache`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("kv-cache", points=7)
def score(check):
    import torch
    from torch import nn

    def weights(C, H, k=0.0):
        """The library's module with weights that are fixed numbers, none of them special."""
        made = nn.MultiheadAttention(C, H, batch_first=True)
        for i, (_, v) in enumerate(made.named_parameters()):
            v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.4 + i) + k).reshape(v.shape) * 0.9
        return made

    def oracle(module, x, done, dtype=torch.float32):
        """The library's answer on the whole text: (the new tokens' output, (keys, values) of all, those of `done`)."""
        module = module.to(dtype)
        T, C, H = x.shape[1], x.shape[2], module.num_heads
        with torch.no_grad():
            out = module(x, x, x, attn_mask=torch.ones(T, T).triu(1).bool(), need_weights=False)[0]
            keys, values = (
                (x @ module.in_proj_weight[i * C : (i + 1) * C].T + module.in_proj_bias[i * C : (i + 1) * C])
                .view(*x.shape[:2], H, C // H).permute(0, 2, 1, 3) for i in (1, 2)
            )  # fmt: skip
        return (out[:, done:], (keys, values)), (keys[:, :, :done], values[:, :, :done])

    upper = "is_causal begins at the upper left: the new tokens see too little of the cache"
    ahead = "the new tokens see those behind them"
    forgot = "the cache was not looked at: the new tokens see themselves alone"
    fresh = "the returned cache holds the new tokens alone: the old ones come first"
    turned = "the new keys and values stand before the old ones"
    exchanged = "keys and values are exchanged in the cache"
    itself = "a token does not see itself"
    no_out = "the output projection is missing"
    unscaled = "the scores are not divided by the root of d_k"
    module = weights(2, 1)
    x = torch.tensor([[[1.0, -1.0], [0.5, 2.0], [-1.0, 1.0]]])
    expected, cache = oracle(module, x, 2)
    check(cached_attention, x[:, 2:], cache, module.state_dict(), 1).equals(
        expected, rtol=1e-4, atol=1e-5, near={
            fresh: ([[[-1.02915, 0.0839669]]], ([[[[0.892152, -0.708323]]]], [[[[0.378371, -0.202525]]]])),
            upper: ([[[0.315745, 2.87377]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152, -0.708323]]]],
                [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            forgot: ([[[-1.03353, 0.131493]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152, -0.708323]]]],
                [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            turned: ([[[-1.02915, 0.0839669]]], ([[[[0.892152, -0.708323], [0.53645, 0.394534], [2.54822,
                -2.08433]]]], [[[[0.378371, -0.202525], [-1.3442, 1.94071], [1.31531, -0.592125]]]])),
            exchanged: ([[[-1.02915, 0.0839669]]], ([[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371,
                -0.202525]]]], [[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152, -0.708323]]]])),
            itself: ([[[-1.02745, 0.0655118]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152,
                -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            no_out: ([[[0.618082, -0.0687186]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152,
                -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            unscaled: ([[[-1.12994, -0.129641]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152,
                -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
        }
    )
    expected, cache = oracle(module, x, 1)
    check(cached_attention, x[:, 1:], cache, module.state_dict(), 1).equals(
        expected, rtol=1e-4, atol=1e-5, near={
            upper: ([[[0.315745, 2.87377], [-1.02745, 0.0655118]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433],
                [0.892152, -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            ahead: ([[[-1.41473, -0.743123], [-1.02915, 0.0839669]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433],
                [0.892152, -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            forgot: ([[[-1.42226, -0.759929], [-1.29226, -0.461816]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433],
                [0.892152, -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            fresh: ([[[-1.41991, -0.755012], [-1.02915, 0.0839669]]], ([[[[2.54822, -2.08433], [0.892152,
                -0.708323]]]], [[[[1.31531, -0.592125], [0.378371, -0.202525]]]])),
            turned: ([[[-1.41704, -0.747957], [-1.02915, 0.0839669]]], ([[[[2.54822, -2.08433], [0.892152, -0.708323],
                [0.53645, 0.394534]]]], [[[[1.31531, -0.592125], [0.378371, -0.202525], [-1.3442, 1.94071]]]])),
            exchanged: ([[[-1.41991, -0.755012], [-1.02915, 0.0839669]]], ([[[[-1.3442, 1.94071], [1.31531,
                -0.592125], [0.378371, -0.202525]]]], [[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152,
                -0.708323]]]])),
            itself: ([[[0.315745, 2.87377], [-1.02745, 0.0655118]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433],
                [0.892152, -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            no_out: ([[[1.31171, -0.588698], [0.618082, -0.0687186]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433],
                [0.892152, -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            unscaled: ([[[-1.42211, -0.759609], [-1.12994, -0.129641]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433],
                [0.892152, -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
        }
    )
    ### BEGIN HIDDEN TESTS
    import torch.nn.functional as F

    check.hidden()

    def made(shift=0, keep="both", look="both", order=1, swap=False, out=True, scale=True, causal=True, split="heads",
             merge="heads", read=(0, 1), roles=(0, 1, 2), bias_in=1, bias_out=1, heads=None, wide=False, over=-1,
             late=False, skip=0, rows=slice(None), leave=lambda kept: kept):  # fmt: skip
        def attend(x, cache, p, num_heads):
            B, n, C = x.shape
            H = heads or num_heads
            parts = F.linear(x, p["in_proj_weight"], p["in_proj_bias"] * bias_in).split(C, -1)
            parts = [parts[i] for i in roles]
            if split == "mixed":
                q, k, v = (s.reshape(B, n, -1, H).permute(0, 3, 1, 2) for s in parts)
            elif split == "heads":
                q, k, v = (s.reshape(B, n, H, -1).transpose(1, 2) for s in parts)
            else:
                q, k, v = (s.reshape(B, H, n, -1) for s in parts)
            K, W = k, v
            if cache is not None:
                cache = [cache[i] for i in read]
                K, W = (torch.cat([c, s][::order], 2) for c, s in zip(cache, (k, v), strict=True))
            kept = (K, W) if keep == "both" else (k, v)
            if look != "both":
                K, W = k, v
            T = K.shape[2]
            scores = q @ K.mT * ((C if wide else C // H) ** -0.5 if scale else 1)
            if causal:
                diagonal = 0 if causal == "upper" else T - n + shift
                seen = torch.ones(n, T).tril(diagonal).bool()
                seen = {"turned": ~seen, "future": torch.ones(n, T).triu(T - n).bool()}.get(causal, seen)
                scores = scores if late else scores.masked_fill(~seen, -torch.inf)
            chances = scores.softmax(over).nan_to_num()  # a query that may look nowhere: zeros, as the library has it
            z = (chances * seen if late else chances) @ W
            z = (z.transpose(1, 2) if merge == "heads" else z).reshape(B, n, C)
            z = F.linear(z, p["out_proj.weight"], p["out_proj.bias"] * bias_out) if out else z
            z, kept = (z + skip * x)[:, rows], leave(kept)
            return z, kept[::-1] if swap else kept

        return attend

    def error(x, cache, p, num_heads):
        return torch.cat([cache[0], x], 2)

    check.mistakes({
        upper: made(causal="upper"), ahead: made(causal=False), forgot: made(look="new"),
        "the cache was neither looked at nor kept": made(look="new", keep="new"),
        fresh: made(keep="new"), turned: made(order=-1), exchanged: made(swap=True), itself: made(shift=-1),
        "the mask is one too wide: each new token sees the one behind it": made(shift=1),
        no_out: made(out=False), unscaled: made(scale=False),
        "the heads were cut out with `view` alone: split the last axis, then move heads forward": made(split="view"),
        "the heads were cut out and put together with `view` alone: split the last axis, then move heads forward": made(
            split="view", merge="view"),
        "the heads were put together with `view` alone: move the axis of heads back first": made(merge="view"),
        "keys and values are exchanged when the cache is read: it is (keys, values)": made(read=(1, 0)),
        "the old keys were taken for the old values, too: the cache is (keys, values)": made(read=(0, 0)),
        "the keys were taken for the values, too": lambda x, cache, p, h: (
            made(roles=(0, 1, 1), read=(0, 0))(x, cache, p, h)[0], made()(x, cache, p, h)[1]),
        "the heads are mixed: the first d_k numbers belong to the first head, the next to the second": made(
            split="mixed"),
        "the mask is turned round: True is where a query may look": made(causal="turned"),
        "the mask shows what comes later and hides what stands before": made(causal="future"),
        "softmax is over the keys, not over the queries": made(over=-2),
        "masked weights were set to 0 after the softmax: the others no longer add up to 1": made(late=True),
        "x is not added here: the block does that": made(skip=1),
        "the output of all new tokens is asked, not of the last alone": made(rows=slice(-1, None)),
        "the returned cache has lost its heads: (B, H, T, d_k) is asked": made(
            leave=lambda kept: tuple(t.transpose(1, 2).flatten(2) for t in kept)),
        "keys and values came in one tensor: a pair is asked": made(leave=lambda kept: torch.cat(kept, 2)),
        "keys and values came stacked in one tensor: a pair is asked": made(leave=lambda kept: torch.stack(kept)),
        "queries and keys are exchanged: in_proj_weight has queries, keys, values in this order": made(roles=(1, 0, 2)),
        "keys and values are exchanged: in_proj_weight has queries, keys, values in this order": made(roles=(0, 2, 1)),
        "queries and values are exchanged: in_proj_weight has queries, keys, values in this order": made(
            roles=(2, 1, 0)),
        "in_proj_bias is missing": made(bias_in=0), "out_proj.bias is missing": made(bias_out=0),
        "both biases are missing": made(bias_in=0, bias_out=0),
        "the scores are divided by the root of d_k, not of C": made(wide=True),
        "num_heads is ignored: this is one head": made(heads=1),
        "the cache has its tokens before its heads: (B, H, T, d_k) is asked": lambda x, cache, p, h: (
            (a := made()(x, cache, p, h))[0], tuple(t.transpose(1, 2) for t in a[1])),
        "the cache is returned as it came": lambda x, cache, p, h: (made()(x, cache, p, h)[0], cache),
        "the output is for the new tokens alone: (B, n, C)": lambda x, cache, p, h: (
            torch.cat([torch.zeros(x.shape[0], 0 if cache is None else cache[0].shape[2], x.shape[2]),
                       made()(x, cache, p, h)[0]], 1), made()(x, cache, p, h)[1]),
        "only the output came: the cache is asked, too": lambda x, cache, p, h: made()(x, cache, p, h)[0],
    })  # fmt: skip
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for B, T, C, H, done, about in [
        (2, 6, 8, 2, 5, "one new token"), (3, 5, 12, 3, 4, "one new token"), (2, 7, 8, 4, 3, "several new tokens"),
        (3, 6, 6, 3, 2, "several new tokens"), (2, 5, 8, 2, 0, "a prompt, no cache yet"),
        (2, 5, 6, 2, 0, "a prompt, no cache yet"),
    ]:  # fmt: skip
        module = weights(C, H, k=float(torch.rand((), generator=draw)) * 6)
        x = torch.randn(B, T, C, generator=draw) * 1.5
        expected, cache = oracle(module, x, done)
        check(cached_attention, x[:, done:], cache if done else None, module.state_dict(), H).equals(
            expected, about=about, rtol=1e-3, atol=1e-4,
            near={"the new keys do not fit the cache (B, H, T, d_k): num_heads heads, tokens are the third axis":
                  RuntimeError} if done else
            {"at the beginning the cache is None": TypeError, "at the beginning the cache is None ": AttributeError},
        )  # fmt: skip
    module, x = weights(6, 2, k=1.0), torch.randn(2, 4, 6, generator=draw)
    expected, cache = oracle(module, x, 0)
    p = module.state_dict()

    def step_by_step():
        out, cache = [], None
        for t in range(4):
            z, cache = cached_attention(x[:, t : t + 1], cache, p, 2)
            out.append(torch.as_tensor(z))
        return torch.cat(out, 1)

    check(step_by_step).equals(expected[0], about="token after token", rtol=1e-3, atol=1e-4)
    x = torch.randn(2, 3, 6, generator=draw, dtype=torch.float64)
    expected, cache = oracle(weights(6, 2, k=2.0), x, 1, torch.float64)
    check(cached_attention, x[:, 1:], cache, weights(6, 2, k=2.0).double().state_dict(), 2).equals(
        expected, about="double precision", rtol=1e-6, atol=1e-8
    )
    x = x[:, :1].float()
    check(cached_attention, x, None, p, 2).equals(
        oracle(module, x, 0)[0], about="the first token", edge=True, rtol=1e-3, atol=1e-4
    )
    ### END HIDDEN TESTS


score

# %% [markdown]
# ### What the cache buys
#
# The same model, the same prompt, greedy, once with the whole text computed anew for each token and once with the
# cache: the logits must agree, and the speed is measured.

# %% show
@torch.no_grad()
def step_logits(model: GPT, token_ids, caches: list):
    """Return the logits (B, V) behind the new token_ids (B, n); `caches` holds one cache for each block."""
    p, done = dict(model.named_parameters()), 0 if caches[0] is None else caches[0][0].shape[2]
    x = p["token_embedding.weight"][token_ids] + p["position_embedding.weight"][done : done + token_ids.shape[1]]
    for i in range(len(caches)):
        q = part(p, f"blocks.{i}.")
        h = layer_norm(x, q["norm1.weight"], q["norm1.bias"])
        h, caches[i] = cached_attention(h, caches[i], part(q, "self_attn."), model.num_heads)
        x = x + h
        feed = [q[f"linear{j}.{kind}"] for j in (1, 2) for kind in ("weight", "bias")]
        x = x + feed_forward(layer_norm(x, q["norm2.weight"], q["norm2.bias"]), *feed)
    x = layer_norm(x[:, -1], p["final_norm.weight"], p["final_norm.bias"])
    return F.linear(x, p["token_embedding.weight"])


@torch.no_grad()
def generate(model: GPT, prompt: list[int], choose, most: int, cached: bool = True) -> tuple[list[int], float]:
    """Return (prompt and what follows, tokens per second); choose(logits, ids so far) gives the next id."""
    ids, caches, start = list(prompt), [None] * len(model.blocks), time.perf_counter()
    most = min(most, model.context_length - len(prompt))
    for i in range(most):
        new = ids[-1:] if cached and i else ids
        logits = step_logits(model, torch.tensor([new]), caches)[0] if cached else model(torch.tensor([new]))[0, -1]
        ids.append(int(choose(logits, ids)))
        if ids[-1] == END:
            break
    return ids, (len(ids) - len(prompt)) / (time.perf_counter() - start)


prompt = encode(["torch.nn.Linear\n\n"])[0]
with torch.no_grad():
    sample = reference(torch.tensor([prompt]))[0, -1]
    apart = (sample - step_logits(reference, torch.tensor([prompt]), [None] * len(reference.blocks))[0]).abs().max()


def never_ending(logits, ids):
    """Choose greedily, but not the end of text, so that both runs are equally long."""
    return logits.index_fill(0, torch.tensor([END]), -torch.inf).argmax()


most = budget(grade=16, cpu=256)
(slow_ids, slow), (fast_ids, fast) = (generate(reference, prompt, never_ending, most, c) for c in (False, True))
print(f"largest difference of the logits {apart:.1e}; the same text: {slow_ids == fast_ids}")
print(f"{len(fast_ids)} tokens: {slow:,.0f} tokens/s without the cache, {fast:,.0f} with it: {fast / slow:.1f} times")

# %% [markdown]
# ### Ways to write
#
# One prompt, several strategies, the reference model. Read them aloud: which repeats itself, which loses the thread?

# %% show
def strategy(temperature=1.0, k=None, p=None, min_p=None, repetition=1.0, seed=SEED):
    """Return a `choose` for `generate`: penalties, temperature, filters, draw, in this order."""
    numbers = np.random.default_rng(seed)

    def choose(logits, ids):
        logits = penalise(logits, ids, repetition)
        logits = apply_temperature(logits, temperature)
        logits = logits if k is None else keep_top_k(logits, k)
        logits = logits if p is None else keep_top_p(logits, p)
        logits = logits if min_p is None else keep_min_p(logits, min_p)
        return draw_token(logits, numbers.random())

    return choose


ways = {
    "greedy": lambda logits, ids: logits.argmax(),
    "greedy, repetition 1.3": lambda logits, ids: penalise(logits, ids, 1.3).argmax(),
    "temperature 1": strategy(),
    "temperature 1.5": strategy(temperature=1.5),
    "top-k 20": strategy(k=20),
    "top-p 0.9": strategy(p=0.9),
    "min-p 0.1": strategy(min_p=0.1),
    "temperature 0.7, top-p 0.9": strategy(temperature=0.7, p=0.9),
}
for name, choose in ways.items():
    ids, _ = generate(reference, prompt, choose, budget(grade=8, cpu=60))
    new = ids[len(prompt) :]
    print(f"[{name}; {len(set(new)) / len(new):.0%} different tokens]\n{tokenizer.decode(ids)}\n")

# %% show
beginning = encode(["Return the"])[0]
with torch.no_grad():
    def continued(ids):
        """Log-probabilities behind the beginning and these ids."""
        return reference(torch.tensor([beginning + ids]))[0, -1].log_softmax(-1)

    for width in (1, 4):
        ids = beam_search(continued, width, budget(grade=3, cpu=10), END)
        total = sum(continued(ids[:i])[token].item() for i, token in enumerate(ids))
        print(f"beam {width}: log-probability {total:6.2f}  {tokenizer.decode(beginning + ids)!r}")

from scipy.stats import chisquare

numbers = np.random.default_rng(SEED).random(10_000)
counts = np.bincount([draw_token(EXAMPLE, u) for u in numbers], minlength=7)
wanted = 10_000 * EXAMPLE.double().softmax(-1).numpy()
print(f"ten thousand draws: {counts.tolist()}; chi-square test: p = {chisquare(counts, wanted).pvalue:.2f}")

# %% [markdown]
# ## Look inside: femto and pico
#
# A model of which everything can be drawn. The text has five sentences (*The dog ran. The dog ate. ...*), eight
# different tokens. **Femto** has vectors of two numbers, one layer, one head and no norms (two numbers that are
# normalised are always +1 and -1): its input and output embeddings are points in the plane. **Pico** has three layers
# and three heads of two numbers each.

# %% show
import re

mini = data.load("mini").train
tokens_of_mini = re.findall(r"\w+|[.!]", mini.lower())
types = sorted(set(tokens_of_mini))
corpus = torch.tensor([[types.index(t) for t in tokens_of_mini]])
pair_counts = np.unique(np.stack([corpus[0, :-1], corpus[0, 1:]]), axis=1, return_counts=True)
print(f"{corpus.numel()} tokens, {len(types)} types, {pair_counts[0].shape[1]} different pairs")


class Femto(nn.Module):
    """Two numbers a token: embedding, one attention layer without norms, an output embedding of its own."""

    def __init__(self, vocab_size: int, context_length: int):
        super().__init__()
        self.embedding, self.places = nn.Embedding(vocab_size, 2), nn.Embedding(context_length, 2)
        self.attention, self.output = nn.MultiheadAttention(2, 1, batch_first=True), nn.Linear(2, vocab_size)

    def forward(self, token_ids):
        """Return the logits (B, T, V)."""
        x = self.embedding(token_ids) + self.places.weight[: token_ids.shape[1]]
        named = {f"a.{name}": weight for name, weight in self.attention.named_parameters()}
        return self.output(x + attention(x, x, named, "a", 1, is_causal=True))


WINDOW = 6
rows = corpus[0].unfold(0, WINDOW, 1)  # all windows of six tokens


def train_small(model, batches, steps, lr=3e-2, **more):
    """Train a small model on batches of ids; returns the History."""
    return fit(model, batches, gpt_loss, steps=steps, lr=lr, weight_decay=0.0, progress=False, **more)


seed_everything(SEED)
femto, pico = Femto(len(types), WINDOW), GPT(len(types), WINDOW, 6, 3, 3)
for name, model in {"femto": femto, "pico": pico}.items():
    history = train_small(model, [rows], budget(grade=20, cpu=400), lr=3e-2 if name == "femto" else 1e-2)
    print(f"{name}: {sum(p.numel() for p in model.parameters())} parameters, {history}")
quoted = [t if t.isalpha() else f"“{t}”" for t in types]
for title, table in {"what goes in": femto.embedding.weight, "what comes out": femto.output.weight}.items():
    fig, alt = plots.projection(table.detach(), quoted, label=f"{title}, number")
    plots.show(fig, f"Femto: {title}, one point in the plane for each kind of token. {alt}")

# %% show
@torch.no_grad()
def attention_maps(model: GPT, token_ids) -> torch.Tensor:
    """Return the attention weights of one text (1, T) in all blocks: (layers, H, T, T)."""
    p, maps, T = dict(model.named_parameters()), [], token_ids.shape[1]
    x = p["token_embedding.weight"][token_ids] + p["position_embedding.weight"][:T]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    for i in range(len(model.blocks)):
        q = part(p, f"blocks.{i}.")
        h = layer_norm(x, q["norm1.weight"], q["norm1.bias"])
        query, key, _ = F.linear(h, q["self_attn.in_proj_weight"], q["self_attn.in_proj_bias"]).chunk(3, -1)
        query, key = (v.unflatten(-1, (model.num_heads, -1)).transpose(1, 2)[0] for v in (query, key))
        scores = (query @ key.mT / query.shape[-1] ** 0.5).masked_fill(~causal, -torch.inf)
        maps.append(scores.softmax(-1))
        x = encoder_block(x, q, model.num_heads, norm_first=True, mask=causal)
    return torch.stack(maps)


for i, maps in enumerate(attention_maps(pico, rows[5:6]), 1):
    fig, alt = plots.attention(maps, [types[j] for j in rows[5].tolist()], label=f"attention in layer {i}")
    plots.show(fig, f"Pico: where each head looks, a row for each token that looks; layer {i} of 3. {alt}")

# %% [markdown]
# ## When it does not learn
#
# **First of all, overfit one batch.** A model that cannot learn sixteen lines by heart has a bug; no amount of data
# will mend it. Then read the loss curve. Here are six runs of one small model on characters of the docs, five of them
# with a mistake made on purpose. Cover the legend and guess.

# %% show
letters = sorted(set(mini)) + [chr(i) for i in range(33, 127)] + [" ", "\n"]
letters = sorted(set(letters))
characters = torch.tensor([letters.index(c) for c in docs.split("train").text()[:200_000] if c in letters])


def small_gpt():
    """Return a GPT of characters, always with the same first weights."""
    seed_everything(SEED)
    return GPT(len(letters), 48, 48, 2, 4)


def lines_of(step: int):
    """Return sixteen windows of characters."""
    starts = torch.randint(len(characters) - 48, (16, 1), generator=torch.Generator().manual_seed(step))
    return characters[starts + torch.arange(48)]


model = small_gpt()
one = train_small(model, [lines_of(0)], budget(grade=10, cpu=150), lr=3e-3)
print(f"one batch, again and again: {one}")


class Sighted(GPT):
    """A GPT whose causal mask was forgotten."""

    def forward(self, token_ids):
        p = dict(self.named_parameters())
        x = p["token_embedding.weight"][token_ids] + p["position_embedding.weight"][: token_ids.shape[1]]
        for i in range(len(self.blocks)):
            x = encoder_block(x, part(p, f"blocks.{i}."), self.num_heads, norm_first=True)
        return F.linear(layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]), p["token_embedding.weight"])


def unshifted(model, ids):
    """A loss in which each token predicts itself."""
    return F.cross_entropy(model(ids).flatten(0, 1), ids.flatten())


def shuffled(model, ids):
    """A loss with targets that have lost their places."""
    mixed = ids[:, torch.randperm(ids.shape[1])]
    return F.cross_entropy(model(ids)[:, :-1].flatten(0, 1), mixed[:, 1:].flatten())


def blind():
    seed_everything(SEED)
    return Sighted(len(letters), 48, 48, 2, 4)


STEPS = budget(grade=10, cpu=150)
runs = {
    "as it should be": (small_gpt, gpt_loss, 3e-3),
    "rate too low": (small_gpt, gpt_loss, 3e-5),
    "rate too high": (small_gpt, gpt_loss, 0.3),
    "no shift": (small_gpt, unshifted, 3e-3),
    "no causal mask": (blind, gpt_loss, 3e-3),
    "targets shuffled": (small_gpt, shuffled, 3e-3),
}
curves = {
    name: fit(make(), lines_of, loss, steps=STEPS, lr=lr, weight_decay=0.0, progress=False, clip=None).losses
    for name, (make, loss, lr) in runs.items()
}
plots.show(*plots.learning_curves(curves))
for name, losses in curves.items():
    print(f"{name:<18} begins {losses[0]:.2f}, ends {np.mean(losses[-10:]):.2f}")

# %% [markdown]
# ## Essay 2: read the curves, choose the steps
#
# 15 minutes, ★★, 10 points, graded by hand
#
# (a) For each of the five faulty runs: by which feature of its curve would you know it without the legend? Which of
# them looks *better* than the sound one, and which test (of this chapter's checks, or one of your own) would have
# exposed it before any training? (b) A colleague sets temperature 1.5 and top-p 0.9 and complains of nonsense; another
# has top-p first and the temperature afterwards and does not. Explain with the numbers of the table above. Which one
# filter would you choose for a model whose certainty varies much from place to place, and why? About 180 words.

# %% [markdown] essay="curves" points=10
# ### BEGIN SOLUTION
# (a) A rate that is too low gives a smooth line that hardly leaves its start. One that is too
# high jumps, then crawls along near the loss of letter frequencies, above 3. Without the shift the loss falls to
# almost nothing within a few dozen steps: copying is no prediction. Shuffled targets fall at first, to the loss of
# letter frequencies, and stay there. Without the mask the curve looks sound and ends a little *below* the sound run:
# attention has begun to find the answer in the input, and with more steps the loss would fall further. The runs
# without shift and without mask look better than the sound one, the latter so little that nobody would notice. A probe
# exposes both at once: change the last token, and no earlier logits may change; and with logits that point to the next
# token, the loss must be near 0.
# (b) Temperature 1.5 lifts the tail first, so the nucleus of 0.9 takes in tokens that had almost no chance: in the
# table T = 2 before top-p 0.8 keeps four tokens, after it three. Filtering first decides by the model's own
# probabilities. I would take min-p: its threshold moves with the likeliest token, so it keeps few where the model is
# sure and many where it is not, while top-k always keeps as many.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: each faulty curve is told by a feature of its own (slope, jump, plateau and its height, too low a loss).
# 2 points: names the runs that look too good, and a probe or check that exposes them without training.
# 2 points: the order: flattening first widens the nucleus; uses the numbers of the table.
# 2 points: a filter that adapts (top-p or min-p), with a reason from how its threshold moves.
# ### END MARK SCHEME

# %% [markdown]
# ## The leaderboard

# %% show
print(leaderboard.table("inbox"))

# %% show
card = f"""\
# docs-gpt: your own

{sum(p.numel() for p in gpt.parameters()):,} parameters ({SIZES}), trained by chapter 05 on the docs:
{gpt_history}. Held-out documents: {bpb["your GPT"]:.3f} bits per byte.
"""
own = artifacts.Artifact("docs-gpt", dict(gpt.state_dict()), SIZES, artifacts.load("docs-tokenizer").tokenizer, card)
print(artifacts.save(own).name, "saved")

# %% [markdown]
# ## What you built, and what breaks next
#
# Layer norm, feed-forward network, block, decoder layer, each equal to the library's; an encoder that learned from
# holes and answers questions; a GPT with every usual way to choose the next token and a cache; and the eye for a curve
# that tells what is wrong.
#
# What breaks: the tokenizer was given to us, and it has quietly decided what is easy. Numbers, rare scripts and code
# pay for pieces that were cut for something else. [Chapter 06](../06_tokenizers/06_tokenizers.ipynb) builds it from
# bytes, and counts who pays.
#
# **Saved:** the artifact *docs-gpt*, your own; the row of the leaderboard.
#
# ## Further reading
#
# - A. Vaswani, N. Shazeer, N. Parmar, J. Uszkoreit, L. Jones, A. N. Gomez, Ł. Kaiser and I. Polosukhin (2017).
#   Attention is all you need. *NIPS 30*.
# - J. L. Ba, J. R. Kiros and G. E. Hinton (2016). Layer normalization. arXiv:1607.06450.
# - R. Xiong et al. (2020). On layer normalization in the transformer architecture. *ICML*. Pre-norm against post-norm.
# - J. Devlin, M.-W. Chang, K. Lee and K. Toutanova (2019). BERT: pre-training of deep bidirectional transformers for
#   language understanding. *NAACL*.
# - Y. Liu et al. (2019). RoBERTa: a robustly optimized BERT pretraining approach. arXiv:1907.11692.
# - A. Radford, J. Wu, R. Child, D. Luan, D. Amodei and I. Sutskever (2019). Language models are unsupervised multitask
#   learners. GPT-2.
# - T. B. Brown et al. (2020). Language models are few-shot learners. *NeurIPS 33*. GPT-3.
# - A. Holtzman, J. Buys, L. Du, M. Forbes and Y. Choi (2020). The curious case of neural text degeneration. *ICLR*.
#   Top-p.
# - Z. Jiang, W. Yu, D. Zhou, Y. Chen, J. Feng and S. Yan (2020). ConvBERT: improving BERT with span-based dynamic
#   convolution. *NeurIPS 33*.
# - N. S. Keskar et al. (2019). CTRL: a conditional transformer language model for controllable generation.
#   arXiv:1909.05858. The repetition penalty.
# - N. Reimers and I. Gurevych (2019). Sentence-BERT: sentence embeddings using siamese BERT-networks. *EMNLP*.
# - A. Wettig, T. Gao, Z. Zhong and D. Chen (2023). Should you mask 15% in masked language modeling? *EACL*.
# - S. J. D. Prince (2023). *Understanding Deep Learning*, chapter 12. MIT Press.
