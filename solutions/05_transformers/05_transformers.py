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

from helpers import data, plots
from helpers.course import artifacts, leaderboard, notebook
from helpers.course.claims import claim
from helpers.device import SEED, budget, seed_everything
from helpers.training import fit

notebook.prepare("05_transformers")


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

# %% [markdown]
# Now the whole table, from nothing but configurations. The last column says how long one H100 (about $4 \cdot 10^{14}$
# useful operations a second) would need for the tokens that the model was trained on.

# %% show exact=true
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
}


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
                label=kind if i == 0 else None)
ax.set_xticks(range(len(scores)), [f"{task}, {EXAMPLES[task]} labels" for task in scores])
ax.set(ylabel="score on the test part", ylim=(0, 1))
ax.legend()
more = [fine_tune("tags (F1)", begin, SEED, MANY, budget(grade=3, cpu=60))[0] for begin in (pretrained, None)]
print(f"tags with {MANY} labelled examples: {more[0]:.3f} pre-trained, {more[1]:.3f} from scratch")
means = "; ".join(f"{task}: {', '.join(f'{v.mean():.2f} {k}' for k, v in zip(BEGINS, found, strict=True))}"
                  for task, found in scores.items())
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
                         [(keys, wanted), (contexts, wanted // self.V)])
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
    ])
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

# %% [markdown]
# **The order matters.** The same two steps, temperature 2 and top-p 0.8, in both orders, on the example: whoever
# flattens first lets the nucleus take in more of the tail.

# %% show exact=true
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
