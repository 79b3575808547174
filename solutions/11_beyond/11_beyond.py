# %% [markdown]
# # 11 Beyond: other blocks, other senses
#
# The Transformer of 2017 has had a long life, but open the code of a current model and you find little of it
# unchanged. The norm is a different one. The feed-forward network has a gate, or there are many such networks and each
# token visits a few. The cache of keys and values has been squeezed, cut, or replaced by a state of fixed size. And the
# input is no longer text alone: photographs are cut into patches and read like words.
#
# **What you will build.** Each of these parts, small enough to check by hand: today's block, a router for experts,
# attention from a latent vector, a streaming cache, a state-space model and RWKV. Then come the other senses: the gaps
# that BART and T5 learn to fill, a vision transformer, CLIP's loss, and a model that looks at a picture, reads a
# question about it, and answers: you write its whole forward pass. On the way you count the weights of fifteen
# published models from their configurations alone.
#
# **What you need.** The blocks of [chapter 04](../04_attention/04_attention.ipynb) and [chapter
# 05](../05_transformers/05_transformers.ipynb). This chapter loads nothing that you saved there.
#
# **Points.** 100: twelve exercises checked by machine (80) and two short essays (20). Allow about eight hours in three
# sittings, with a break before *Part two*. Once written, the notebook runs in nearly four minutes on two cores.
#
# **Notation.** There are $B$ texts of $T$ tokens, $C$ numbers per token (`d_model`), $H$ heads of $d_k$ numbers, $E$
# experts, and $N$ numbers in a state; $\odot$ multiplies elementwise.
#
# **Manners.** Unless the text says otherwise, your functions do not change their arguments, return float64 for float64,
# keep every axis, even one of size 1, and let gradients flow.

# %% given
import math
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import data, plots
from helpers.checks import gradients
from helpers.course import SEED, notebook, ways_of_calls
from helpers.models.modern_block import rotated

notebook.prepare("11_beyond")


def slopes(function, *arguments, fixed=()) -> list[torch.Tensor]:  # what checks ask for: gradients of squared results
    def squares(*given) -> list[torch.Tensor]:
        value = function(*given)
        scalar = isinstance(value, torch.Tensor) and value.dim() == 0
        return [part.square() for part in ([value] if scalar else value)]

    return gradients.slopes(squares, *arguments, fixed=fixed)


def numbers_made(function, *arguments) -> int:  # and how many numbers torch makes in a call, whatever the way
    return ways_of_calls.numbers_made(function, *arguments)


def operations(function, *arguments) -> list[str]:  # the names of torch's operations in a call, in order
    return [operation.name for operation in ways_of_calls.operations(function, *arguments)]

# %% [markdown]
# ## Part one: other blocks
#
# In chapter 05 you built GPT-2's block, and a table there exchanged its lines for today's, one after the other. Now you
# write that block yourself and use it: the models since 2023 that exercise 2 counts are stacks of it, or of something
# very close to it.
#
# ## Exercise 1: today's block (`modern`)
#
# 15 minutes, ★★, 7 points
#
# LayerNorm does two things to a token's vector: it subtracts the mean of the numbers, then divides by their standard
# deviation. Is the first step of any use? **RMSNorm** (Zhang and Sennrich [2019](https://arxiv.org/abs/1910.07467))
# leaves it out and divides by the root of the mean square, so the vector keeps its direction. You will measure how much
# docs-gpt needs the subtraction. **SwiGLU** (Shazeer [2020](https://arxiv.org/abs/2002.05202)) changes the other half
# of the block: one matrix computes values, and a second one computes a *gate* for each value, which sets how much of it
# passes.
#
# ![The vector (3, 4) becomes (-1, 1) by LayerNorm and (0.85, 1.13) by RMSNorm; SwiGLU multiplies a gate and a value,
# number by number](figures/modern.svg)
#
# $$\mathrm{RMSNorm}(x) = \frac{x}{\sqrt{\frac1C \sum_i x_i^2 + \varepsilon}} \odot w \qquad
# \mathrm{SwiGLU}(x) = \big(\mathrm{silu}(x W_g^\top) \odot x W_u^\top\big) W_d^\top \qquad
# \mathrm{silu}(z) = z\,\sigma(z)$$
#
# By hand, as drawn: the mean square of (3, 4) is 12.5, its root 3.54. Any *two* different numbers come out of LayerNorm
# as -1 and 1; RMSNorm keeps their ratio. As gates, silu(1) = 0.73 lets most of the value 2 through, and silu(-1) =
# -0.27 only a little of the value 3.
#
# The block is pre-norm, as in chapter 05: add to $x$ the attention of its norm, then add to that sum the SwiGLU of the
# *sum's* norm. There is no bias anywhere. Queries and keys are rotated, values are not, and neighbouring query heads
# share one head of keys and values (chapter 04); `heads_of` and `rotated` are given.
#
# <details><summary>Plan</summary><code>rms_norm</code> and <code>swiglu</code> follow the formulas along the last axis.
# <code>modern_block</code> takes the norm of <code>x</code>, makes queries, keys and values, cuts them into heads,
# rotates the first two, and repeats the heads of keys and values until each query head has one. Attend causally, lay
# the heads side by side again, (B, T, C), apply the output matrix, and add <code>x</code>; the second half is norm,
# <code>swiglu</code>, add.</details>
# <details><summary>Hint 1</summary>The number of key heads follows from the matrix: <code>p["key"]</code> has <code>C
# // num_heads</code> rows for each head.</details>
# <details><summary>Hint 2</summary><code>F.scaled_dot_product_attention(query, key, value, is_causal=True)</code>,
# after <code>repeat_interleave</code>; then <code>transpose(1, 2).flatten(2)</code>.</details>

# %% given
def heads_of(x: torch.Tensor, d_head: int) -> torch.Tensor:
    """Return (B, heads, T, d_head) for x (B, T, heads * d_head): the first d_head numbers are those of head 0."""
    return x.unflatten(-1, (-1, d_head)).transpose(1, 2)

# %% exercise="modern"
def rms_norm(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    """Return RMSNorm of x (..., C) over its last axis, times weight (C,); eps is inside the root."""
    ### BEGIN SOLUTION
    return x * torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps) * weight
    ### END SOLUTION


def swiglu(x: torch.Tensor, gate: torch.Tensor, up: torch.Tensor, down: torch.Tensor) -> torch.Tensor:
    """Return SwiGLU of x (..., C): gate and up (F, C), down (C, F), each (out, in) as nn.Linear holds it; no biases."""
    ### BEGIN SOLUTION
    return (F.silu(x @ gate.T) * (x @ up.T)) @ down.T
    ### END SOLUTION


def modern_block(x: torch.Tensor, p: dict[str, torch.Tensor], num_heads: int) -> torch.Tensor:
    """Return (B, T, C) for x (B, T, C) after one of today's blocks, causal and pre-norm.

    p holds the weights, (out, in): "norm1" and "norm2" (C,), "query" and "out" (C, C), "key" and "value"
    (G * d_head, C), where d_head = C / num_heads and num_heads is a multiple of G; "gate", "up" (F, C), "down" (C, F).
    The first num_heads / G query heads use the first head of keys and values, the next the second, and so on. `rotated`
    rotates queries and keys, (B, heads, T, d_head). The scale of the scores is 1 / sqrt(d_head).
    """
    ### BEGIN SOLUTION
    h, d_head = rms_norm(x, p["norm1"]), x.shape[-1] // num_heads
    query, key, value = (heads_of(h @ p[name].T, d_head) for name in ("query", "key", "value"))
    query, key = rotated(query), rotated(key)
    share = num_heads // key.shape[1]
    key, value = key.repeat_interleave(share, dim=1), value.repeat_interleave(share, dim=1)
    z = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    x = x + z.transpose(1, 2).flatten(2) @ p["out"].T
    return x + swiglu(rms_norm(x, p["norm2"]), p["gate"], p["up"], p["down"])
    ### END SOLUTION

# %% check="modern" points=7

# %% [markdown]
# Does the mean matter? docs-gpt was trained with LayerNorm. The next cell replaces all nine of its norms with *your*
# `rms_norm`, keeps their weights, trains nothing, and lets the model read documents that are new to it.

# %% show
from helpers.chapters.beyond import norms
from helpers.experiments import windows
from helpers.models.gpt import load_gpt

TEXTS = 8  ### small: 1
print(norms.compare(load_gpt(own=False), windows.held_out(TEXTS), rms_norm))

# %% [markdown]
# The model was free to use the mean and did not: almost none of a vector's length is due to it, and removing or keeping
# it makes no difference to the printed loss. RMSNorm gives the same result for less work. (Several models since 2024
# have another norm: *QK-norm*, an RMSNorm of each head's queries and keys, which keeps the scores from growing.)

# %% [markdown]
# ## Exercise 2: count a published model (`zoo`)
#
# 15 minutes, ★★, 6 points
#
# "A model of 7 billion." Of what, and why not 6 or 8? Every model on a hub comes with a small file, `config.json`, and
# its entries determine the count to the last weight. Chapter 05 counted BERT and GPT with a formula for each.
# Here one function counts them all, because they are made of the same parts.
#
# <details><summary>The models that you will count, and where they come from</summary>
#
# - **GPT-1** (Radford and others 2018): a decoder, trained on books and then fine-tuned on each task with the task's
#   loss plus half of the language-model loss.
# - **RoBERTa** ([2019](https://arxiv.org/abs/1907.11692)): BERT, trained longer and without next-sentence prediction.
#   **DistilBERT** ([2019](https://arxiv.org/abs/1910.01108)): a student of BERT with half its blocks.
# - **BART** ([2019](https://arxiv.org/abs/1910.13461)) and **T5** ([2019](https://arxiv.org/abs/1910.10683)): an
#   encoder and a decoder; exercise 8 shows what they learn from. **FLAN-T5**
#   ([2022](https://arxiv.org/abs/2210.11416)): a T5 with gated feed-forward networks, fine-tuned on instructions for
#   1,800 tasks.
# - Text encoders use blocks that look both ways: SimCSE ([2021](https://arxiv.org/abs/2104.08821)) and Contriever
#   ([2021](https://arxiv.org/abs/2112.09118)) use those of BERT, Sentence-T5 ([2021](https://arxiv.org/abs/2108.08877))
#   and GTR ([2021](https://arxiv.org/abs/2112.07899)) those of T5. All are trained on pairs, as in chapter 07.
# - **Llama 2** ([2023](https://arxiv.org/abs/2307.09288)) and **3** ([2024](https://arxiv.org/abs/2407.21783)),
#   **Gemma** ([2024](https://arxiv.org/abs/2403.08295)): decoders built from the block of exercise 1 (Gemma's gate uses
#   GELU). Llama 3's vocabulary is four times as large as Llama 2's.
# - **Mixtral** ([2024](https://arxiv.org/abs/2401.04088)): eight feed-forward networks in each block, of which two work
#   for a token. You build that in exercise 3. **gpt-oss 20B** ([2025](https://arxiv.org/abs/2508.10925)) has 32, of
#   which four work. **DeepSeek-V3** ([2024](https://arxiv.org/abs/2412.19437)) has 256 small ones, of which eight work,
#   and one more that always works; its attention is that of exercise 4.
# - **Qwen3** ([2025](https://arxiv.org/abs/2505.09388)): the block of exercise 1 with a norm for the queries and keys
#   of each head. **Qwen3-Next** (2025) is a *hybrid*: in three of four blocks a recurrence, the gated delta rule of
#   exercise 7, takes the place of attention; each block has 512 experts.
#
# </details>
#
# A configuration is a dict, and every key is there:
#
# - `vocab_size`, `d_model`, `d_ff`: $V$, $C$, and $F$, the inner width of a feed-forward network. `num_heads`,
#   `kv_heads`, `d_head`: the query heads, the key heads, and the numbers in a head; $H \cdot d_k$ need not be $C$.
# - `encoder_blocks`, `decoder_blocks`: where a model has both, each decoder block has a second attention, to the
#   encoder's output, and a third norm.
# - `biases`: with True every linear layer has a bias, with False none; `norm_biases` is the same for the norms.
#   `gated`: a feed-forward network has three matrices, two inward and one outward, instead of two.
# - `experts`, `chosen_experts`: feed-forward networks in each block, and how many of them work for a token. With two or
#   more experts there is a *router*, one matrix from $C$ to `experts`, which never has a bias. `shared_experts`: more
#   such networks in each block, which work for every token and need no router.
# - `extras`: numbers in each block that no other key describes, such as the norms of queries and keys; all of them work
#   for a token.
# - `tied`: with False the output is a matrix of its own beside the token embedding, $V \cdot C$ without a bias. `rows`:
#   how many rows of $C$ numbers the tables of positions and segments have. `norms`: how many norms are outside the
#   blocks. `pooler`: whether there is one more linear layer $C \to C$.
#
# ![A block with attention 48, a router 8, two experts of 72 each and norms 8; with the embedding 40 and a last norm 4
# the sum is 252, of which 180 work for a token](figures/zoo.svg)
#
# By hand, as drawn: $V = 10$, $C = 4$, two query heads of 2 numbers and one key head, one decoder block, no biases,
# gated, $F = 6$, one of two experts chosen, tied, one norm outside the blocks. Attention: queries and output 16 each,
# keys and values 8 each, together 48. An expert: $3 \cdot 24 = 72$. The block: $48 + 2 \cdot 72 + 8 + 2 \cdot 4 = 208$;
# in all $208 + 40 + 4 = 252$ parameters. The *active* parameters, those that work for one token, are all but one
# expert: 180.
#
# <details><summary>Plan</summary><code>attention_parameters</code> and <code>feed_forward_parameters</code> add up
# matrices first, then a bias for each number that comes out of one. <code>model_parameters</code> builds one block with
# its norms, experts and router, and multiplies. Then it adds what decoder blocks have beyond that, and last everything
# outside the blocks. <code>active</code> changes one number only: find it, and leave everything else as it
# is.</details>
# <details><summary>Hint 1</summary>Both attentions of a decoder block have the same sizes. A norm has
# <code>C</code> numbers, or <code>2 * C</code> with biases.</details>

# %% given
from helpers.chapters.beyond import figures, zoo

# %% exercise="zoo"
def attention_parameters(c: dict) -> int:
    """Return the parameters of one attention: queries, keys, values and output, with their biases if it has any."""
    ### BEGIN SOLUTION
    wide, narrow = c["num_heads"] * c["d_head"], c["kv_heads"] * c["d_head"]
    matrices = 2 * c["d_model"] * (wide + narrow)
    return matrices + c["biases"] * (wide + 2 * narrow + c["d_model"])
    ### END SOLUTION


def feed_forward_parameters(c: dict) -> int:
    """Return the parameters of one feed-forward network, that is of one expert, with its biases if it has any."""
    ### BEGIN SOLUTION
    inward = 2 if c["gated"] else 1
    return (inward + 1) * c["d_model"] * c["d_ff"] + c["biases"] * (inward * c["d_ff"] + c["d_model"])
    ### END SOLUTION


def model_parameters(c: dict, active: bool = False) -> int:
    """Return the parameters of the whole model; active: only those that work for one token.

    Experts that are not chosen do not work; routers, embeddings (all rows) and everything else do.
    """
    ### BEGIN SOLUTION
    d_model, norm = c["d_model"], c["d_model"] * (2 if c["norm_biases"] else 1)
    experts = c["shared_experts"] + (c["chosen_experts"] if active else c["experts"])
    router = d_model * c["experts"] if c["experts"] > 1 else 0
    block = attention_parameters(c) + experts * feed_forward_parameters(c) + router + 2 * norm + c["extras"]
    cross = attention_parameters(c) + norm if c["encoder_blocks"] else 0
    blocks = (c["encoder_blocks"] + c["decoder_blocks"]) * block + c["decoder_blocks"] * cross
    rows = c["vocab_size"] * (1 if c["tied"] else 2) + c["rows"]
    return blocks + rows * d_model + c["norms"] * norm + c["pooler"] * (d_model + c["biases"]) * d_model
    ### END SOLUTION

# %% check="zoo" points=6

# %% [markdown]
# These counts agree with the published files to the last weight, except for the layers that predict several tokens
# ahead in training (*multi-token prediction*, MTP): DeepSeek-V3 and Qwen3-Next have them, and they are left out here. A
# model with two kinds of blocks is a list of two configurations, and `extras` counts the weights of its special
# attention.

# %% show exact=true
print(zoo.table(model_parameters))

# %% show
plots.show(*figures.model_sizes(zoo.MODELS, model_parameters))

# %% [markdown]
# Only this number makes a language model *large* (LLM), and the limit moves: GPT-1 was large in 2018. Today a *small*
# one (SLM) is one that a phone can hold: 4 GB hold two billion weights of 16 bits, or eight billion of 4 bits. And look
# at the experts: Mixtral needs the work of a model of 13 billion weights for a token, and the memory of one of 47
# billion. Two years later the active share is smaller: Qwen3-Next uses 3.9 of its 80 billion weights for a token.
# (Model cards often leave the embedding out: we count 4.2 billion active weights in gpt-oss 20B, and its card gives
# 3.6.)

# %% [markdown]
# ## Exercise 3: a feed-forward network for each token (`experts`)
#
# 40 minutes, ★★★, 8 points
#
# Two thirds of a transformer's weights sit in its feed-forward networks, and all of them work for every token, for a
# comma as well as for a chemical formula. A **mixture of experts** keeps several such networks side by side and lets a
# small matrix, the *router*, choose for each token which $k$ of them work (Shazeer and others
# [2017](https://arxiv.org/abs/1701.06538)). The model grows, but the work for a token does not.
#
# ![Three tokens choose two of three experts each; the third token finds its first expert full, and only its second
# choice, with gate 0.44, is left](figures/experts.svg)
#
# **Gates.** Take a softmax over the experts, keep the $k$ largest probabilities, and divide them by their sum.
# **Capacity.** On a machine each expert has a fixed number of places (GShard, Lepikhin and others
# [2020](https://arxiv.org/abs/2006.16668)). Places are given to the first choices of all tokens in their order, then to
# the second choices, and so on. A choice that finds no free place is *dropped*: its gate is 0, the others are not
# scaled up, and the token's vector bypasses the expert on the residual path. (Many of today's do not drop: MegaBlocks,
# Gale and others [2022](https://arxiv.org/abs/2211.15841), computes experts that have different numbers of tokens, and
# DeepSeek-V3, which takes sigmoids in place of a softmax, drops none.) **The mixture** is $y = \sum_e g_e\, W^{down}_e
# \mathrm{gelu}(W^{up}_e x)$, and an expert computes only the tokens that chose it.
#
# **Balance.** Nothing keeps the router from sending everything to the same few experts. The Switch Transformer (Fedus,
# Zoph and Shazeer [2021](https://arxiv.org/abs/2101.03961)) adds a loss: with $f_e$ the share of all choices that fell
# on expert $e$, and $P_e$ the mean of its probability over the tokens,
#
# $$L = E \sum_{e=1}^{E} f_e\, P_e$$
#
# A router that spreads evenly gets 1; one that sends all tokens to the same $k$ experts, and is sure of them, gets
# $E/k$. The shares are counts and have no gradient; the gradient comes through $P_e$.
#
# By hand, as drawn: probabilities (0.5, 0.3, 0.2), (0.6, 0.3, 0.1), (0.5, 0.1, 0.4), $k = 2$, two places each. The
# first token's gates are $0.5/0.8$ and $0.3/0.8$. Expert 0 is full when the third token comes: its gates are (0, 0,
# 0.44). Of the six choices 3, 2 and 1 fell on the three experts; $P = (0.53, 0.23, 0.23)$; $L = 3 \cdot (0.267 +
# 0.078 + 0.039) = 1.15$.
#
# <details><summary>Plan</summary><code>route</code> finds each token's choices and gates, spreads the gates over a
# table (N, E), counts how many choices each expert has had so far in the order of the queue, and clears the gates that
# came too late. <code>mixture</code> goes expert by expert: pick its tokens, run them, add the gated results to their
# rows. <code>balance_loss</code> counts all choices, averages the probabilities and combines the two.</details>
# <details><summary>Hint 1</summary><code>zeros.scatter(-1, chosen, gates)</code> puts (N, k) gates into (N,
# E).</details>
# <details><summary>Hint 2</summary>The place of each choice: <code>F.one_hot(chosen.T, E)</code> is (k, N, E), first
# choices first; flatten its first two axes and take <code>cumsum(0)</code>.</details>

# %% exercise="experts"
def route(logits: torch.Tensor, k: int, capacity: int) -> torch.Tensor:
    """Return the gates (N, E) of N tokens for E experts, 0 where an expert does not work; logits (N, E).

    The gates are a token's k largest probabilities, divided by their sum; no two logits of a token are equal. Each
    expert takes `capacity` choices (0 or more): first choices of all tokens, in order, then second choices, and so on.
    The gate of a choice without a place is 0, and the token's other gates stay as they are. Gradients flow to the
    logits.
    """
    ### BEGIN SOLUTION
    top, chosen = logits.softmax(dim=-1).topk(k, dim=-1)
    gates = torch.zeros_like(logits).scatter(-1, chosen, top / top.sum(dim=-1, keepdim=True))
    choices = F.one_hot(chosen.T, logits.shape[-1])  # (k, N, E)
    places = choices.flatten(0, 1).cumsum(dim=0).view_as(choices)
    return gates * (choices * (places <= capacity)).sum(dim=0)
    ### END SOLUTION


def mixture(x: torch.Tensor, gates: torch.Tensor, up: torch.Tensor, down: torch.Tensor) -> torch.Tensor:
    """Return (N, C), the sum of the experts' results for x (N, C), each times its gate; gates (N, E), some of them 0.

    up (E, F, C), down (E, C, F): each expert is a matrix, GELU (the exact one) and a matrix, (out, in), no biases. It
    processes only the tokens whose gate for it is not 0. A token without any expert gets 0.
    """
    ### BEGIN SOLUTION
    out = torch.zeros_like(x)
    for e in range(gates.shape[1]):
        rows = gates[:, e].nonzero()[:, 0]
        made = F.gelu(x[rows] @ up[e].T) @ down[e].T
        out = out.index_add(0, rows, gates[rows, e, None] * made)
    return out
    ### END SOLUTION


def balance_loss(logits: torch.Tensor, k: int) -> torch.Tensor:
    """Return the load-balance loss, a scalar, of logits (N, E): all k choices of each token count, dropped or not."""
    ### BEGIN SOLUTION
    probabilities, num_experts = logits.softmax(dim=-1), logits.shape[-1]
    chosen = probabilities.topk(k, dim=-1).indices
    shares = F.one_hot(chosen, num_experts).to(logits.dtype).mean(dim=(0, 1))
    return num_experts * (shares * probabilities.mean(dim=0)).sum()
    ### END SOLUTION

# %% check="experts" points=8

# %% [markdown]
# Now a mixture of eight experts reads the names of 256 countries in six languages, and two experts work for each
# letter. Which experts work for which language, with the balance loss and without? Each expert has a quarter more
# places than an even share needs, and a choice that finds none is *lost*.

# %% show
from helpers.chapters.beyond import figures, mixtures

STEPS = 300  ### small: 5
runs = {alpha: mixtures.train(alpha, STEPS, (route, mixture, balance_loss)) for alpha in (0.0, 0.01, 0.05)}
for alpha, run in runs.items():
    print(f"alpha {alpha:<6}loss {run.loss:.3f} nats   busiest expert {run.busiest:.0%}   lost {run.dropped:.0%}")
plots.show(*figures.experts_by_language(runs, mixtures.LANGUAGES))
### BEGIN CLAIMS
from helpers.course.claims import claim

claim("Choices that find a place: with the balance loss above without it", 1 - runs[0.05].dropped,
      1 - runs[0.0].dropped)
### END CLAIMS

# %% [markdown]
# Without the loss one expert gets far more than its eighth and another next to nothing; with it the work is spread,
# and hardly a choice is lost. Nobody told the router about languages, yet the three that share the Latin alphabet
# share experts, and the others use different ones: the router sorts by *letters*, as large mixtures sort by tokens more
# than by topics. Balancing does not improve the loss here; it keeps all machines busy. (DeepSeek-V3 goes further: it
# chooses eight of 256 small experts for a token, beside one *shared* expert that works for every token, and balances
# them mainly by a bias on each expert and only a little by a loss.)

# %% [markdown]
# ## Exercise 4: keys and values from a latent (`latent`)
#
# 22 minutes, ★★★, 6 points
#
# Chapter 04 counted what a cache holds, and one line of its table promised much for little: DeepSeek's **latent
# attention** (DeepSeek-AI [2024](https://arxiv.org/abs/2405.04434)). The cache keeps one narrow vector for each token,
# $c = x W_{down}^\top$ of $r$ numbers, and the keys and values of all heads can be computed from it. But computing them
# for thousands of cached tokens at every new token would cost in time what it saves in memory. The trick is never to
# compute them. A score is a product of matrices, and its brackets can be moved:
#
# $$q_h \cdot k_h = (x W_{q,h}^\top)\,(c\,W_{k,h}^\top)^\top = \big(x\, \underbrace{W_{q,h}^\top
# W_{k,h}}_{\text{absorbed: } (C,\,r)}\big)\, c^\top$$
#
# $W_k$ moves to the query's side: the query becomes $r$ numbers, which are compared with the latents themselves. In the
# same way the weights average the latents, and $W_v$ is applied once to that mean, not to every token.
#
# ![The query (1, 2) becomes 4 by the key matrix, is compared with the latents 0.5 and 1, gets the mean latent 0.90, and
# the value matrix makes (0.90, -0.90) of it](figures/latent.svg)
#
# By hand, as drawn, for a head with $d_k = 2$ and $r = 1$: the query is (1, 2), and $W_k$ turns a latent $c$ into the
# key $(2c, c)$. *With keys built*, the latents 0.5 and 1 become (1, 0.5) and (2, 1), four numbers, and the products
# with the query are 2 and 4. *Absorbed*, the query becomes $1 \cdot 2 + 2 \cdot 1 = 4$ first, once, and 4 times the
# latents gives 2 and 4 again. Divided by $\sqrt 2$ and put through a softmax they give the weights 0.20 and 0.80, and
# the mean latent is 0.90. $W_v$ turns $c$ into the value $(c, -c)$: the output is (0.90, -0.90). (A rotation between
# $W_q$ and $W_k$ would rule this out, so DeepSeek adds a small rotated key beside the latent, as chapter 04 explains.
# Here there are no positions.)
#
# <details><summary>Plan</summary><code>latent_attention</code> is the attention you know, except that keys and values
# are made from the latents. <code>absorbed</code> cuts both matrices into heads and multiplies them so that d_head is
# summed away. <code>latent_step</code> makes a query of r numbers for each head, scores the latents with it, takes
# their weighted mean, (B, H, r), and only then applies each head's value matrix, so that d_head numbers are
# left.</details>
# <details><summary>Hint 1</summary><code>p["key"].unflatten(0, (num_heads, -1))</code> is (H, d_head, r): the rows of
# head 0 come first.</details>
# <details><summary>Hint 2</summary>The scale is still that of d_head, the width of a query, not of r.</details>

# %% exercise="latent"
def latent_attention(x: torch.Tensor, p: dict[str, torch.Tensor], num_heads: int) -> torch.Tensor:
    """Return causal attention (B, T, H * d_head) of x (B, T, C), heads side by side, by building keys and values.

    p, (out, in): "query" (H * d_head, C), "down" (r, C) makes the latents of x, "key" and "value" (H * d_head, r) make
    keys and values from the latents. The scores are divided by the root of d_head.
    """
    ### BEGIN SOLUTION
    latents, d_head = x @ p["down"].T, len(p["query"]) // num_heads
    query, key, value = x @ p["query"].T, latents @ p["key"].T, latents @ p["value"].T
    query, key, value = (heads_of(part, d_head) for part in (query, key, value))
    z = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return z.transpose(1, 2).flatten(2)
    ### END SOLUTION


def absorbed(query: torch.Tensor, key: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Return (H, C, r), for each head the matrix that turns x into a query for the latents; nothing is scaled.

    query (H * d_head, C) and key (H * d_head, r), (out, in), as in p above.
    """
    ### BEGIN SOLUTION
    query, key = (w.unflatten(0, (num_heads, -1)) for w in (query, key))  # (H, d_head, C) and (H, d_head, r)
    return query.transpose(1, 2) @ key
    ### END SOLUTION


def latent_step(x: torch.Tensor, latents: torch.Tensor, p: dict[str, torch.Tensor], num_heads: int) -> torch.Tensor:
    """Return attention (B, H * d_head) of one more token x (B, C), from the cache of latents (B, T, r) alone.

    The latent of the token itself is already the last row of the cache. No key and no value of a cached token is built,
    and p has no "down".
    """
    ### BEGIN SOLUTION
    d_head = len(p["query"]) // num_heads
    asked = torch.einsum("bc,hcr->bhr", x, absorbed(p["query"], p["key"], num_heads))
    weights = torch.softmax(asked @ latents.transpose(1, 2) / math.sqrt(d_head), dim=-1)  # (B, H, T)
    mean = weights @ latents  # (B, H, r)
    value = p["value"].unflatten(0, (num_heads, -1))
    return torch.einsum("bhr,hdr->bhd", mean, value).flatten(1)
    ### END SOLUTION

# %% check="latent" points=6

# %% [markdown]
# The next cell computes one more token after a cache of 4,096, with 16 heads of 64 numbers and latents of 128, in 16
# bits, and then compares the caches of published models.

# %% show
from helpers.chapters.beyond import latent_costs

LENGTH = 4096  ### small: 256
print(latent_costs.table(latent_step, LENGTH, repeats=5), latent_costs.published(), sep="\n\n")

# %% [markdown]
# A sixteenth of the cache gives the same numbers, and gives them faster than computing keys and values again. That is
# why DeepSeek-V3, with its 671 billion weights, stores less for each token than Llama 3 8B does.

# %% [markdown]
# ## Exercise 5: a cache that never fills (`sinks`)
#
# 12 minutes, ★★, 5 points
#
# A chat that goes on for days cannot keep every key. The simple remedy is a window: keep the last 1,000 tokens, drop
# the rest. But as soon as the *first* token falls out of the window, large models begin to babble, although nothing in
# the text depends on that token. Xiao and others ([2023](https://arxiv.org/abs/2309.17453)) found the reason. The
# weights of a softmax sum to 1, so they have to go somewhere. A head that has nothing to look for puts them on the
# first token, whose value it has learned to make harmless. Take that token away, and the weight falls on words that
# mean something. Their remedy: *keep the first few*, the **sinks**, beside the window.
#
# ![Ten tokens; a cache of two sinks and a window of four keeps 0, 1 and 6, 7, 8, 9](figures/sinks.svg)
#
# By hand, as drawn: after 10 tokens, with 2 sinks and a window of 4, the cache holds the positions 0, 1, 6, 7, 8, 9.
# When token 10 comes, position 6 is dropped. For the weight on the first token, take the rows (1, 0, 0), (0.4, 0.6, 0)
# and (0.1, 0.2, 0.7): the first row has no choice, so the result is the mean of 0.4 and 0.1.
#
# <details><summary>Plan</summary><code>kept_positions</code> first asks whether everything still fits; if not, it joins
# the beginning and the end. <code>evict</code> lines up old and new tokens along the third axis and lets
# <code>kept_positions</code> say which stay. <code>first_weight</code> takes one column of the weights, leaves out the
# query that had no choice, and averages over two of the three axes left, so that (H,) remains.</details>
# <details><summary>Hint 1</summary>Put the new tokens after the old ones first; then cut, if there are more than
# <code>sinks + window</code>.</details>

# %% exercise="sinks"
def kept_positions(length: int, window: int, sinks: int) -> list[int]:
    """Return which positions (0, 1, ...) a cache holds after `length` tokens, in order: the first `sinks` and the last
    `window`, each once. window is at least 1, sinks and length may be 0.
    """
    ### BEGIN SOLUTION
    if length <= sinks + window:
        return list(range(length))
    return [*range(sinks), *range(length - window, length)]
    ### END SOLUTION


def evict(cache: torch.Tensor, new: torch.Tensor, window: int, sinks: int) -> torch.Tensor:
    """Return the cache (B, H, m, d) after new tokens (B, H, k, d), one or more, joined the cache (B, H, n, d).

    The first `sinks` of old and new together are kept, and the last `window`; m is at most sinks + window; n may be 0.
    """
    ### BEGIN SOLUTION
    cache = torch.cat([cache, new], dim=2)
    return cache[:, :, kept_positions(cache.shape[2], window, sinks)]
    ### END SOLUTION


def first_weight(weights: torch.Tensor) -> torch.Tensor:
    """Return for each head (H,) the weight on the first key, a mean over all texts and all queries but the first.

    weights: causal attention weights (B, H, T, T), T at least 2, rows sum to 1.
    """
    ### BEGIN SOLUTION
    return weights[:, :, 1:, 0].mean(dim=(0, 2))
    ### END SOLUTION

# %% check="sinks" points=5

# %% [markdown]
# Chapter 04 found no gain from sinks in docs-gpt: at equal size, four recent tokens were worth more than the first
# four. To *see* a sink, train a model that has nothing to look for most of the time. The letters of this toy are
# random; only a trigger (a quarter of the positions) is followed by the letter that was three positions before it. One
# attention head, which sees everything, learns that rule. Then it reads texts twice as long, letter by letter, with
# caches of eight tokens.

# %% show
from helpers.chapters.beyond import streams

STEPS = 200  ### small: 5
TEXTS = 64  ### small: 4
toy, heard = streams.trained(STEPS), streams.texts(10**6, TEXTS, 128)
weights, trigger = streams.weights_of(toy, heard), heard == streams.TRIGGER
print(f"weight on the first token, all positions: {float(torch.as_tensor(first_weight(weights))):.2f}")
for words, places in {"at a trigger": trigger, "elsewhere": ~trigger}.items():
    print(f"   {words:<13}{float(weights[:, 0, 1:, 0][places[:, 1:]].mean()):.2f}")
losses = streams.table(toy, heard, evict)
print(*(f"{name:<26}{loss:.2f} nats" for name, loss in losses.items()), sep="\n")
plots.show(*streams.picture(weights[0, 0, :32, :32], heard[0, :32]))
### BEGIN CLAIMS
claim("Loss of a toy that reads a stream (negative): the first and the last 7 above the last 8",
      -losses["the first and the last 7"], -losses["the last 8"])
### END CLAIMS

# %% [markdown]
# The two caches have the same size. One is as good as keeping everything; the other is worse than an even guess among
# 16 letters ($\ln 16 = 2.77$ nats). A sink is a habit that a model learns in training, a way to do *nothing*;
# `first_weight` tells you whether yours has it. (Models since 2025 are often given a way to do nothing: in gpt-oss a
# learned number in the softmax's denominator takes the weight, and no token is needed.)

# %% [markdown]
# ## Exercise 6: a state that remembers (`state-space`)
#
# 45 minutes, ★★★, 8 points
#
# Sinks make a cache small by throwing things away. Can a state of fixed size *remember* instead? An RNN forgets, and
# its loop over the tokens cannot be run in parallel either. **State-space models** (S4, Gu, Goel and Ré
# [2021](https://arxiv.org/abs/2111.00396)) begin elsewhere: with a physical system whose state $h$ of $N$ numbers
# flows in continuous time, $\dot h = A h + B u$ and $y = C h$. Here the input $u$ and the output $y$ are one number
# each, $\dot h$ is how fast the state changes, $A$ is a matrix, and $B$ and $C$ are vectors of $N$ numbers. It is
# linear, and this one property gives three ways to compute the same thing.
#
# **Steps.** A text comes in steps, and the input is held constant within each (*zero-order hold*). Then the flow over
# one step of length $\Delta$ has an exact solution:
#
# $$\bar A = e^{\Delta A} \qquad \bar B = \int_0^\Delta e^{sA} ds\; B \qquad\text{both at once:}\qquad
# \exp\!\Big(\Delta \begin{bmatrix} A & B \\ 0 & 0 \end{bmatrix}\Big) = \begin{bmatrix} \bar A & \bar B \\ 0 & 1
# \end{bmatrix}$$
#
# **Three ways.** A *recurrence*, $h_t = \bar A h_{t-1} + \bar B u_t$ and $y_t = C h_t$, suits writing: the state has a
# fixed size, and nothing grows. A *convolution*: written out, $y_t = \sum_j C \bar A^j \bar B\, u_{t-j}$, so $y$ is $u$
# convolved with the kernel $(C \bar B, C \bar A \bar B, C \bar A^2 \bar B, \dots)$, and an FFT does that for all $t$ at
# once. And a *scan*: where the factors differ from step to step, no kernel exists, but two steps in a row are one step
# of the same kind, $(a_2, b_2) \circ (a_1, b_1) = (a_1 a_2,\; a_2 b_1 + b_2)$, so $T$ steps take $\log_2 T$ rounds.
# Mamba (Gu and Dao [2023](https://arxiv.org/abs/2312.00752)) is such a case; more below.
#
# ![The inputs 4, 0, 8 enter with factor one half; the state goes 2, 1, 4.5, the output is twice that; the kernel is 1,
# 0.5, 0.25](figures/state_space.svg)
#
# By hand, as drawn: $A = -\ln 2$, $B = \ln 2$, $\Delta = 1$ give $\bar A = \bar B = 0.5$. With $C = 2$ the kernel is
# (1, 0.5, 0.25), and the inputs 4, 0, 8 give 4, 2 and $0.25 \cdot 4 + 8 = 9$.
#
# <details><summary>Plan</summary><code>discretize</code> builds the large matrix of the text, takes its exponential,
# and cuts both results out. <code>recurrence</code> carries a state (batch, N) from step to step and collects the
# outputs; <code>kernel</code> follows what one input of 1 leaves behind. <code>convolve</code> multiplies two spectra,
# with room so that the end cannot wrap round to the start. <code>scan</code> joins positions that are 1, 2, 4 and more
# steps apart, round by round.</details>
# <details><summary>Hint 1</summary><code>torch.matrix_exp</code> of the (N + 1, N + 1) matrix; its last column holds
# the new B.</details>
# <details><summary>Hint 2</summary><code>torch.fft.rfft(u, n=2 * T)</code> pads u with zeros; cut the result of
# <code>irfft(..., n=2 * T)</code> to T.</details>
# <details><summary>Hint 3</summary>In the scan, round r joins each position with the one 2**r before it; the first 2**r
# are done. <code>torch.cat([b[:far], a[far:] * b[:-far] + b[far:]])</code>.</details>

# %% exercise="state-space"
def discretize(A: torch.Tensor, B: torch.Tensor, step: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (A (N, N), B (N,)) of one step by zero-order hold; A (N, N) need not have an inverse, B (N,)."""
    ### BEGIN SOLUTION
    N = len(B)
    whole = torch.cat([torch.cat([A, B[:, None]], dim=1), A.new_zeros(1, N + 1)])
    flown = torch.matrix_exp(step * whole)
    return flown[:N, :N], flown[:N, N]
    ### END SOLUTION


def recurrence(A: torch.Tensor, B: torch.Tensor, C: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return y (batch, T) for u (batch, T), step by step; A (N, N), B (N,), C (N,) of a step. The state begins at 0."""
    ### BEGIN SOLUTION
    h, y = u.new_zeros(len(u), len(B)), []
    for now in u.T:
        h = h @ A.T + now[:, None] * B
        y.append(h @ C)
    return torch.stack(y, dim=1)
    ### END SOLUTION


def kernel(A: torch.Tensor, B: torch.Tensor, C: torch.Tensor, length: int) -> torch.Tensor:
    """Return (length,), what an input of 1 leaves in y at once, one step later, and so on; length is at least 1."""
    ### BEGIN SOLUTION
    found, h = [], B
    for _ in range(length):
        found.append(C @ h)
        h = A @ h
    return torch.stack(found)
    ### END SOLUTION


def convolve(u: torch.Tensor, kernel: torch.Tensor) -> torch.Tensor:
    """Return (..., T): at t the sum over j <= t of kernel[j] * u[..., t - j], by FFT; u (..., T), kernel (T,)."""
    ### BEGIN SOLUTION
    T = u.shape[-1]
    product = torch.fft.rfft(u, n=2 * T) * torch.fft.rfft(kernel, n=2 * T)
    return torch.fft.irfft(product, n=2 * T)[..., :T]
    ### END SOLUTION


def scan(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return all states (T, N) of h_t = a_t * h_{t-1} + b_t, elementwise; the state before the first is 0.

    a, b (T, N), T at least 1; factors may be 0. About log2(T) rounds, each for all positions at once.
    """
    ### BEGIN SOLUTION
    far = 1
    while far < len(a):
        b = torch.cat([b[:far], a[far:] * b[:-far] + b[far:]])
        a = torch.cat([a[:far], a[far:] * a[:-far]])
        far *= 2
    return b
    ### END SOLUTION

# %% check="state-space" points=8

# %% [markdown]
# Where would a model use your `scan`? In **Mamba** each channel $u$ of a token's vector $x_t$ has a state of $N$
# numbers, and three of its parts come from the token:
#
# $$\Delta_t = \mathrm{softplus}(w \cdot x_t + d), \qquad a_t = e^{\Delta_t A}, \qquad
# b_t = \Delta_t\, (W_B x_t)\, u_t, \qquad y_t = (W_C x_t) \cdot h_t$$
#
# $A$ has only its diagonal, $N$ numbers below 0, so the exponential is taken number by number. A small $\Delta_t$ means
# $a_t$ near 1 and $b_t$ near 0: the token is passed over and the state kept. A large one means that the state is
# forgotten and the token written. With one $\Delta$ for all tokens, as in S4, the state has no such choice. `scan(a,
# b)` computes all the states $h_t$.
#
# Which $A$ remembers? A random one does not. **HiPPO** (Gu and others [2020](https://arxiv.org/abs/2008.07669)) derives
# one: let the $N$ numbers be the coefficients of the polynomial that best fits the last second of the input. Then a
# single state of $N$ numbers can redraw that whole second. (S4 took another of HiPPO's matrices, which fits the whole
# past; a diagonal $A$ does nearly as well: Gu and others [2022](https://arxiv.org/abs/2206.11893).) Your `discretize`
# makes the step, 400 steps are read, and the picture is drawn from the last state alone.

# %% show
from helpers.chapters.beyond import memory

print(memory.agreement(discretize, recurrence, kernel, convolve, scan))
signal, redrawn = memory.redrawn(discretize, sizes=(4, 16, 64))
print("   ".join(f"N = {size}: error {memory.error(signal, back):.3f}" for size, back in redrawn.items()))
plots.show(*memory.drawn(signal, redrawn))
### BEGIN CLAIMS
claim("Root mean square error of a signal redrawn from the state (negative): N = 64 below N = 16",
      -memory.error(signal, redrawn[64]), -memory.error(signal, redrawn[16]))
### END CLAIMS

# %% [markdown]
# 64 numbers hold 400; four hold a rough idea. That is the bargain of every state of fixed size: smooth signals fit,
# surprising details of long ago do not, and nothing can look them up later, as attention could.

# %% [markdown]
# ## Exercise 7: decay in place of attention (`rwkv`)
#
# 15 minutes, ★★★, 5 points
#
# **RWKV** (Peng and others [2023](https://arxiv.org/abs/2305.13048)) was the first recurrent network in years to be
# trained at the size of large language models, up to 14 billion weights. It keeps keys and values and gives up the
# queries: how much a token counts for a later one depends on its own key and on how long ago it was, on nothing else.
# (This is RWKV-4. RWKV-7, [2025](https://arxiv.org/abs/2503.14456), keeps a matrix and corrects it, as the delta rule
# below does.)
#
# You write two parts (a gate on the output, the *receptance*, is given). *Token shift*: each channel mixes the token
# with the one before it, $\mu \odot x_t + (1 - \mu) \odot x_{t-1}$, a convolution of width two. *Time mixing*: a
# weighted mean of the values, computed in each channel by itself,
#
# $$\mathrm{wkv}_t = \frac{\sum_{i<t} e^{-(t-1-i)\,w + k_i}\, v_i + e^{u + k_t}\, v_t}{\sum_{i<t} e^{-(t-1-i)\,w + k_i}
# + e^{u + k_t}}$$
#
# where $w > 0$ sets how fast a channel forgets, and $u$ how much the token itself counts. Both sums can be carried from
# step to step: three numbers per channel are the whole state, for a text of any length.
#
# ![The values 4, 0, 8 have the weights 0.5, 1 and 1 for the third token; their weighted mean is 4](figures/rwkv.svg)
#
# By hand, as drawn: $k = 0$, $u = 0$, $w = \ln 2$, values 4, 0, 8. First token: 4. Second: $(4 + 0)/2 = 2$. Third: the
# token before counts 1, the one before that half: $(0.5 \cdot 4 + 1 \cdot 0 + 1 \cdot 8) / 2.5 = 4$.
#
# The sums need the same care as the softmax of chapter 04: a key of 400 makes $e^{400}$ overflow. Nothing changes if
# both sums are divided by the same $e^m$, so carry $m$, the largest exponent so far, and keep the sums divided by
# $e^m$.
#
# <details><summary>Plan</summary><code>token_shift</code> moves the text one position along T, with zeros in front, and
# mixes. <code>wkv</code> goes through the tokens with three tensors (B, C): two sums and their largest exponent. Each
# step does two things, each with a new maximum of its own: for the output it adds the token with its <code>u</code>;
# for the state it lets the old sums decay and adds the token without <code>u</code>.</details>
# <details><summary>Hint 1</summary>Start with sums of 0 and m of minus infinity. For the output compare m with
# <code>u + key</code>; for the next state compare <code>m - w</code> with <code>key</code>.</details>
# <details><summary>Hint 2</summary>With the new maximum n: <code>torch.exp(m - w - n) * top + torch.exp(key - n) *
# value</code>, and the same in the denominator, without the value.</details>

# %% exercise="rwkv"
def token_shift(x: torch.Tensor, mu: torch.Tensor) -> torch.Tensor:
    """Return mu * x_t + (1 - mu) * x_{t-1} for x (B, T, C) and mu (C,); the token before the first is 0."""
    ### BEGIN SOLUTION
    before = F.pad(x, (0, 0, 1, 0))[:, :-1]
    return mu * x + (1 - mu) * before
    ### END SOLUTION


def wkv(w: torch.Tensor, u: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return RWKV's weighted means (B, T, C) of values v (B, T, C) with keys k (B, T, C); w (C,) above 0, u (C,).

    Keys may be in the hundreds, of either sign, and differ by hundreds: nothing overflows. Gradients reach all four.
    """
    ### BEGIN SOLUTION
    top, below, most, out = torch.zeros_like(k[:, 0]), torch.zeros_like(k[:, 0]), k[:, 0].new_tensor(-math.inf), []
    for key, value in zip(k.unbind(1), v.unbind(1), strict=True):
        largest = torch.maximum(most, u + key)
        old, new = torch.exp(most - largest), torch.exp(u + key - largest)
        out.append((old * top + new * value) / (old * below + new))
        largest = torch.maximum(most - w, key)
        old, new = torch.exp(most - w - largest), torch.exp(key - largest)
        top, below, most = old * top + new * value, old * below + new, largest
    return torch.stack(out, dim=1)
    ### END SOLUTION

# %% check="rwkv" points=5

# %% [markdown]
# Now the question that the last two exercises lead to. A text lists pairs, *Anna: 7, Ben: 3, ...*, and then asks:
# *Ben?* Attention looks it up. A state of fixed size must have kept all the pairs, since it cannot know which name will
# be asked for. One layer of causal attention and one of your time mixing, equally wide, learn this for 2, 4, 8 and 16
# pairs.
#
# Recurrent layers since 2024 keep a *matrix* $S$ in place of a vector. Beside RWKV, whose state has three numbers for
# each of 32 channels, 96 in all, we put two layers with a matrix of 10 by 10. The first only adds, $S_t = S_{t-1} +
# \beta_t v_t k_t^\top$, and a query reads $S_t q_t$: that is the linear attention of chapter 04. The second is the
# **gated delta rule** (Yang, Kautz and Hatamizadeh [2024](https://arxiv.org/abs/2412.06464)), the recurrence of
# Qwen3-Next:
#
# $$S_t = \alpha_t S_{t-1} + \beta_t\, (v_t - \alpha_t S_{t-1} k_t)\, k_t^\top$$
#
# The gate $\alpha$ lets the matrix forget, and before a value is written, the value that the key gives so far is
# subtracted. By hand, with $\alpha = \beta = 1$ and a key of length 1: the key holds 3 and is then given 5. Adding
# leaves 8 there; the delta rule writes $5 - 3 = 2$ more, and the key holds 5.

# %% show
from helpers.chapters.beyond import lookup

STEPS = 400  ### small: 3
PAIRS = (2, 4, 8, 16)  ### small: (2, 4)
rwkv = partial(lookup.Mixing, token_shift, wkv)
adding, delta = partial(lookup.Matrix, False, False), partial(lookup.Matrix, True, True)
mixers = {"attention": lookup.Attention, "RWKV": rwkv, "a sum": adding, "the delta rule": delta}
shares = {}
for name, mixer in mixers.items():
    shares[name] = [lookup.share(mixer, pairs, STEPS) for pairs in PAIRS]
print(lookup.table(PAIRS, shares))
plots.show(*plots.lines(PAIRS, shares, "pairs in the text", "share of right answers"))
### BEGIN CLAIMS
claim("Look-up among the most pairs: one layer of attention above one of RWKV", shares["attention"][-1],
      shares["RWKV"][-1])
claim("Look-up among the most pairs: the delta rule on a matrix of 100 numbers above RWKV's 96",
      shares["the delta rule"][-1], shares["RWKV"][-1])
claim("Look-up among the most pairs: RWKV with 341 channels above 32",
      lookup.share(partial(rwkv, channels=341), PAIRS[-1], STEPS), shares["RWKV"][-1])
claim("Look-up among the most pairs, each told once: a matrix that only adds above the delta rule",
      shares["a sum"][-1], shares["the delta rule"][-1])
### END CLAIMS

# %% [markdown]
# Attention is right however many pairs there are. RWKV is right for two and gets worse the more it must hold. The
# reason is its small state: RWKV with 341 channels, about a thousand numbers, is nearly always right for 16 pairs as
# well. A matrix of 100 numbers moves the curve far to the right, since each pair is spread over all of its numbers and
# needs no channel of its own. But the delta rule gains nothing here: for 16 pairs the plain sum is right in 0.88 of the
# texts and the delta rule in 0.73 (seed 0). Each name occurs once, so there is nothing to overwrite.
#
# So let the text correct itself: *Anna: 7, Ben: 3, Anna: 2, ...*. Each of four names occurs twice, and the later digit
# counts. Attention needs positions for that, so its queries and keys are rotated. One more layer is half-way between
# the sum and the delta rule: it forgets with the gate $\alpha$ but does not subtract the old value.

# %% show
NAMES = 4  ### small: 2
twice_told = {
    "attention": partial(lookup.Attention, rotary=True), "RWKV": rwkv, "a sum": adding,
    "it forgets": partial(lookup.Matrix, True, False), "the delta rule": delta,
}
corrected = {}
for name, mixer in twice_told.items():
    corrected[name] = lookup.share(mixer, NAMES, STEPS, told=lookup.corrected)
    print(f"{name:<16}{corrected[name]:.2f}")
### BEGIN CLAIMS
claim("Four names told twice, the later digit asked: the delta rule above a matrix that forgets",
      corrected["the delta rule"], corrected["it forgets"])
claim("Four names told twice, the later digit asked: the delta rule above RWKV", corrected["the delta rule"],
      corrected["RWKV"])
claim("Four names told twice, the later digit asked: the delta rule above a matrix that only adds",
      corrected["the delta rule"], corrected["a sum"])
claim("Four names told twice, the later digit asked: attention above the delta rule", corrected["attention"],
      corrected["the delta rule"])
### END CLAIMS

# %% [markdown]
# The sum fails here, with 0.56 against the delta rule's 0.98 (seed 0): it holds both digits of a name and cannot tell
# which is newer, so it is right about half the time. Forgetting helps, but the gate scales all entries alike. The delta
# rule overwrites the one entry that was corrected, and comes close to attention, which has 1.00. Current hybrids
# (Qwen3-Next, Kimi Linear [2025](https://arxiv.org/abs/2510.26692)) use it in three of four blocks, and attention,
# which holds everything, in the fourth.
#
# ## Essay 1: does it need attention?
#
# 20 minutes, ★★, 10 points, graded by hand
#
# (a) Explain the curves of the look-up from what each layer keeps, in numbers: how many numbers has attention stored
# when the question comes, how many do RWKV and the matrices have, and how does each grow with the text? (b) The HiPPO
# state redrew 400 steps from 64 numbers, yet RWKV's 96 could not keep 16 pairs. Why is that no contradiction? (c)
# Choose a block, or a mixture of blocks, for a device that transcribes meetings for hours on a battery, and for a
# program that finds clauses in long contracts. Say what each choice gives up, with numbers from your own run (sinks,
# latents, look-up). About 180 words.

# %% [markdown] essay="need-attention" points=10
# ### BEGIN SOLUTION
# (a) At the question, attention holds a key and a value of 32 numbers for each pair: 1,024 numbers for 16 pairs, and
# twice that for twice the text; it compares the name asked for with every key. RWKV holds three numbers for each of 32
# channels, 96, however long the text is, and what it kept was decided before the question was known. So attention stays
# at 1.00 from 2 to 16 pairs, and RWKV falls from 0.99 through 0.88 and 0.64 to 0.32. A matrix holds 100 numbers, again
# for any length, and spreads each pair over all of them: 0.88 for 16 pairs as a sum, 0.73 with the delta rule, which is
# better where names are told twice (0.98 against 0.56). (b) The signal is smooth: neighbouring steps are nearly the
# same, so a few coefficients describe it, and nothing depends on the exact value of one step. Pairs are random: nothing
# follows from anything, so each costs its full bits. (c) Meetings: speech is local and the text has no end, so a
# recurrent block, or attention with a window and sinks, which lost nothing in my run (1.97 nats with eight places as
# with all, and 3.6 without the first); what was said an hour ago is given up. Contracts: the clause may be anywhere, so
# attention over everything; latents make the cache sixteen times smaller for the same result. Many new models mix: a
# few layers of attention among many cheap ones.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: numbers stored and their growth: linear against fixed; the state is chosen before the question is known.
# 2 points: a smooth signal can be compressed, random pairs cannot.
# 4 points: a reasoned choice for each (two each), with what it gives up and a number from the student's own run.
# 1 point: mixtures of blocks, or another sound remark on the price.
# ### END MARK SCHEME

# %% [markdown]
# ## Part two: other tasks, other senses
#
# The search for another block ends here. The rest of the chapter keeps the block and changes its input: first text with
# gaps in it, then pictures, then pictures and text together.
#
# ## Exercise 8: holes to fill (`noise`)
#
# 10 minutes, ★★, 4 points
#
# BERT learns from 15% of its tokens and cannot write; a GPT learns from all and never looks ahead. An encoder with a
# decoder can have both: *spoil a text, and let the decoder write what is missing*. The encoder sees both sides of a
# hole, and the decoder learns to write. What remains is to choose the damage.
#
# **T5** (Raffel and others 2019, [Exploring the limits of transfer learning with a unified text-to-text
# transformer](https://arxiv.org/abs/1910.10683)) cuts out spans. Each is replaced by a *sentinel*, a token that occurs
# nowhere else, and the decoder writes only what was cut out, each span after its sentinel. One more sentinel marks the
# end.
#
# ![Ten words, two spans cut out; the input has a sentinel for each, the target the sentinels with their
# words](figures/noise.svg)
#
# By hand, as drawn: a span is (start, length). The spans (2, 2) and (8, 1) are cut out of the ten words. The encoder
# reads *Thank you X me to your party Y week*, nine tokens, and the decoder writes *X for inviting Y last Z*.
#
# **BART** (Lewis and others 2019, [BART: denoising sequence-to-sequence pre-training for natural language generation,
# translation, and comprehension](https://arxiv.org/abs/1910.13461)) lets the decoder write the *whole* text again, so
# any damage will do. Two of its five kinds worked best together: *text infilling*, where a span becomes one mask (the
# model must find out how many words are missing: a mask may even stand for none), and *sentence permutation*.
#
# <details><summary>Plan</summary><code>span_corruption</code> walks from span to span and feeds both lists: kept tokens
# and a sentinel go to one, the sentinel and what was cut to the other. For <code>infill</code>, ask which sentinels the
# first function would need.</details>
# <details><summary>Hint</summary>Go from span to span and remember where the last one ended; the tokens between are
# kept.</details>

# %% exercise="noise"
def span_corruption(tokens: list, spans: list[tuple[int, int]], sentinels: list) -> tuple[list, list]:
    """Return T5's (inputs, targets), two new lists, of a text whose spans (start, length) are cut out.

    tokens: ids or words. spans: ascending, without overlap, each of at least one token; two may touch, and then each
    still has its own sentinel. The first span gets the first of `sentinels`, and so on; the next unused one ends the
    targets. Without spans the inputs are the text, and the targets the first sentinel alone.
    """
    ### BEGIN SOLUTION
    inputs, targets, end = [], [], 0
    for (start, length), sentinel in zip(spans, sentinels, strict=False):
        inputs += [*tokens[end:start], sentinel]
        end = start + length
        targets += [sentinel, *tokens[start:end]]
    return inputs + tokens[end:], [*targets, sentinels[len(spans)]]
    ### END SOLUTION


def infill(tokens: list, spans: list[tuple[int, int]], mask) -> list:
    """Return BART's text infilling, a new list: one `mask` for each span (start, length), whatever its length.

    spans: as in span_corruption, but a length may be 0: then a mask is put in front of token `start`, or at the end
    where `start` is the number of tokens.
    """
    ### BEGIN SOLUTION
    return span_corruption(tokens, spans, [mask] * (len(spans) + 1))[0]
    ### END SOLUTION

# %% given
# What the check asks beside the values: whether a list is a new one.
def is_new(function, tokens: list, *arguments) -> bool:
    result = function(tokens, *arguments)
    return all(part is not tokens for part in (result if isinstance(result, tuple) else (result,)))

# %% check="noise" points=4

# %% [markdown]
# The next cell shows one text with five kinds of damage; the spans and the order of the sentences are drawn at random.
# Read each line as the encoder does, and ask yourself whether you could write what is missing: holes of one word can be
# guessed from grammar, longer ones only by somebody who knows what the text is about.

# %% show
from helpers.chapters.beyond import noises

noise = noises.Noises(span_corruption, infill)
print(noise.samples(SEED))
print()
print(noise.costs(512, SEED))

# %% [markdown]
# The last table shows why T5 cuts spans: for the same text its decoder writes a fifth of what BART's does. Each row
# hides as much as its paper did: BERT and T5 15% of the tokens, BART 30%, in spans of about three. And neither needed a
# new block: encoder, decoder and cross-attention are those of chapter 05.

# %% [markdown]
# ## Exercise 9: read a picture (`vit`)
#
# 25 minutes, ★★, 10 points
#
# A picture has no words. For years that seemed to call for a different kind of network, one that slides small filters
# over the pixels. Then Dosovitskiy and others (2021, [An image is worth 16x16 words](https://arxiv.org/abs/2010.11929))
# did the simplest thing that could work: cut the picture into squares, call each square a token, and give the row of
# tokens to a plain Transformer encoder, the **vision transformer** (ViT).
#
# ![A picture of four by four is cut into four patches; each becomes a vector of two numbers; with CLS in front and
# positions added they go through the blocks](figures/vit.svg)
#
# A word's vector comes from a table. A **patch** of $s \times s$ pixels has none: there are too many different ones.
# Its vector is a linear map of its pixels, the same for every patch:
#
# $$x_n = W\, \mathrm{patch}_n + b, \qquad X = [\mathrm{cls};\ x_1;\ \ldots;\ x_N] + P$$
#
# A learned vector, **[CLS]**, goes in front, as in BERT: it belongs to no patch and collects what the whole picture
# shows; a head reads the class from it. Each patch has a learned **position** vector, a row of $P$, and so has [CLS].
# Then come pre-norm blocks, without a mask (no part of a picture comes later than another), and a last LayerNorm.
#
# By hand, as drawn: the first patch is $\begin{pmatrix} 0 & 1 \\ 1 & 2 \end{pmatrix}$. Let the first row of $W$ add up
# its pixels ("how much ink") and the second subtract the right column from the left one. Then $x_1 = (4, -2)$.
#
# <details><summary>Plan</summary><code>patch_vectors</code> cuts each picture into a grid of squares, moves the axes of
# the grid right after the batch, puts the pixels of each square in one row, in the same order as in
# <code>weight</code>, (B, N, channels · s · s), and maps all rows at once. <code>vit</code> puts a [CLS] in front of
# each picture's vectors, adds the positions, (1 + N, C), runs the blocks in turn, and applies the last norm.</details>
# <details><summary>Hint 1</summary>Cut with <code>reshape</code> and <code>permute</code>, or with
# <code>images.unfold(2, s, s).unfold(3, s, s)</code>. <code>weight.flatten(1)</code> is W.</details>
# <details><summary>Hint 2</summary><code>p["cls"].expand(B, 1, -1)</code> is a first token for each picture.</details>

# %% given
from helpers.chapters.beyond.vision import pre_norm_block
from helpers.models.functional import part

# %% exercise="vit"
def patch_vectors(images: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Return the vectors (B, N, C) of the square patches of images (B, channels, H, W), in row-major order.

    weight (C, channels, s, s): number c of a patch is the sum of its pixels, each times that of weight[c] at the same
    channel, row and column, plus bias[c]; bias (C,). s divides H and W, which may differ; N = H / s * W / s.
    """
    ### BEGIN SOLUTION
    s = weight.shape[-1]
    cut = images.unfold(2, s, s).unfold(3, s, s)  # (B, channels, rows, columns, s, s)
    rows = cut.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)  # (B, N, channels * s * s)
    return F.linear(rows, weight.flatten(1), bias)
    ### END SOLUTION


def vit(images: torch.Tensor, p: dict[str, torch.Tensor], num_layers: int, num_heads: int) -> torch.Tensor:
    """Return the vectors (B, 1 + N, C) of [CLS] and of the patches after the last norm, [CLS] first.

    p: "patch.weight" (C, channels, s, s) and "patch.bias" (C,); "cls" (C,); "positions" (1 + N, C), the first row for
    [CLS]; "norm.weight" and "norm.bias" (C,) of the LayerNorm at the end (its epsilon is the library's); other names,
    such as those of a head, do not matter here. The names of block i's weights begin with f"blocks.{i}.":
    pre_norm_block(x, part(p, f"blocks.{i}."), num_heads) is that block.
    """
    ### BEGIN SOLUTION
    x = patch_vectors(images, p["patch.weight"], p["patch.bias"])
    x = torch.cat([p["cls"].expand(len(x), 1, -1), x], dim=1) + p["positions"]
    for i in range(num_layers):
        x = pre_norm_block(x, part(p, f"blocks.{i}."), num_heads)
    return F.layer_norm(x, x.shape[-1:], p["norm.weight"], p["norm.bias"])
    ### END SOLUTION

# %% check="vit" points=10

# %% [markdown]
# A linear map of each square, moved by the width of a square, is a **convolution** whose stride is its kernel's size,
# and libraries write it that way. So did ViT throw out the sliding filter, or only make it take long steps?

# %% show
pictures = torch.rand(3, 2, 6, 9)
filters = torch.randn(5, 2, 3, 3)
by_filter = F.conv2d(pictures, filters, torch.zeros(5), stride=3)  # (B, C, rows, columns)
by_hand = torch.as_tensor(patch_vectors(pictures, filters, torch.zeros(5)))
difference = (by_filter.flatten(2).mT - by_hand).abs().max()
print(f"largest difference from a convolution with stride 3: {difference:.1e}")

# %% [markdown]
# Now train it on scikit-learn's digits, pictures of 8 by 8 in sixteen patches of 2 by 2. A twin whose position vectors
# are 0 is trained, too. What can the twin see? Attention takes its tokens as a *set* (chapter 04), so the twin knows
# which patches a picture has but not where they are. For the second column, both models get the same test pictures with
# the patches in random order.

# %% show
from helpers.chapters.beyond import digit_views, figures

STEPS = 300  ### small: 20; gpu: 1500
digits = data.load("digits")
ways = {"with positions": True, "without positions": False}
models = {name: digit_views.train(vit, digits, STEPS, SEED, way) for name, way in ways.items()}
views = digit_views.Views(models, digits, SEED)
print(views.table())
plots.show(*figures.in_pieces(views, *views.pictures()))
### BEGIN CLAIMS
claim("A ViT's accuracy on the digits: with positions above without", *(views.accuracy(name) for name in models))
claim("A ViT with positions: whole pictures above pictures with shuffled patches",
      views.accuracy("with positions"), views.accuracy("with positions", whole=False))
claim("The digits: a logistic regression on the pixels above a ViT with positions",
      digit_views.linear_accuracy(digits), views.accuracy("with positions"))
### END CLAIMS

# %% [markdown]
# The twin gives the same answer in any order, to the last digits of float32: it counts patches, and that alone gives
# the right digit for six or seven pictures in ten. The other model needs the patches in their positions; it had to
# learn that they form a square.
#
# And yet the plain logistic regression is *ahead*, 0.967 against 0.947 (means of five seeds; it is ahead with each).
# With 1,437 pictures that is no accident. The paper found the same at its own scale: trained on a million pictures, a
# ViT stays behind good convolutional networks, whose filters assume that neighbouring pixels belong together; with 300
# million it overtakes them. (Better recipes for training, such as DeiT's of 2020, have narrowed that gap.) Whatever a
# network does not assume it has to learn, and that takes pictures.

# %% [markdown]
# ## Exercise 10: two encoders that agree (`clip-loss`)
#
# 18 minutes, ★★, 7 points
#
# Your ViT knows ten classes and will never know an eleventh: its head has ten rows. Captions have no such limit. In
# chapter 07 you were given a small **CLIP** (Radford and others 2021, [Learning transferable visual models from natural
# language supervision](https://arxiv.org/abs/2103.00020)): an image encoder and a text encoder, trained until a picture
# is near its caption. Now you write the loss that trains it, with two things that were left out there: the reason for
# both directions, and a temperature that is learned.
#
# ![Two pictures and two captions give a table of four scores; each row and each column is one question, with the right
# answer on the diagonal](figures/clip.svg)
#
# Each row of the table asks *which caption belongs to this picture?*, each column *which picture belongs to this
# caption?* In the drawing the rows are right: both pictures prefer their own caption. The first column is not: caption
# 1 is nearer to picture 2. A loss of the rows alone would hardly notice.
#
# $$z_{ij} = \min(e^{\tau}, 100)\, \cos(x_i, y_j) \qquad
# L = \tfrac12 \big(\mathrm{CE}_\mathrm{rows}(z) + \mathrm{CE}_\mathrm{columns}(z)\big)$$
#
# Cosines lie between -1 and 1, and a softmax of such numbers is nearly even: they need a factor. CLIP *learns* its
# logarithm $\tau$, starting from $e^\tau = 1/0.07 \approx 14$, and caps the factor at 100. By hand, as drawn, with
# $e^\tau = 5$: the rows cost 0.05 and 0.31, the columns 1.31 and 0.01; $L = (0.181 + 0.660) / 2 = 0.420$.
#
# A softmax needs a whole row or column at once, even if many machines share the batch. **SigLIP** (Zhai and others
# 2023, [Sigmoid loss for language image pre-training](https://arxiv.org/abs/2303.15343)) asks of each of the $N^2$
# cells by itself: *do these two belong together?* Here $\sigma$ is the sigmoid, and $b$ is a learned bias, needed
# because most answers are no:
#
# $$L = -\frac1N \sum_{i,j} \log \sigma\big(s_{ij}\,(e^{\tau} \cos(x_i, y_j) + b)\big),\qquad
# s_{ij} = 1 \text{ for } i = j, \text{ else } -1$$
#
# The image encoder of PaliGemma, the model of the next exercise, was trained with this loss.
#
# <details><summary>Plan</summary>Both losses begin with one table (N, N): the cosine of each picture with each caption.
# <code>clip_loss</code> scales it by the capped factor, asks the same question of the rows and of the columns, and
# averages the two answers. <code>siglip_loss</code> scales it without a cap, adds <code>bias</code>, gives each cell
# its sign, and sums over all cells before it divides by N.</details>
# <details><summary>Hint 1</summary>The columns are the rows of the transposed table; the right answers are
# <code>torch.arange(N)</code> both times.</details>
# <details><summary>Hint 2</summary><code>F.logsigmoid</code> does not overflow; <code>2 * torch.eye(N) - 1</code> gives
# the signs.</details>

# %% exercise="clip-loss"
def clip_loss(images: torch.Tensor, texts: torch.Tensor, log_scale: torch.Tensor) -> torch.Tensor:
    """Return CLIP's loss, a scalar, for vectors images (N, C) and texts (N, C) of N pairs, in one order.

    The vectors may have any length but 0. log_scale, a scalar, is the logarithm of the factor, which is 100 at most.
    Each of the 2 N questions counts the same. Gradients flow to all three (that of log_scale is 0 where the cap holds).
    """
    ### BEGIN SOLUTION
    cosines = F.normalize(images, dim=-1) @ F.normalize(texts, dim=-1).T
    logits = log_scale.exp().clamp(max=100) * cosines  # (N, N)
    right = torch.arange(len(logits), device=logits.device)
    return (F.cross_entropy(logits, right) + F.cross_entropy(logits.T, right)) / 2
    ### END SOLUTION


def siglip_loss(
    images: torch.Tensor, texts: torch.Tensor, log_scale: torch.Tensor, bias: torch.Tensor
) -> torch.Tensor:
    """Return SigLIP's loss, a scalar: as above, with a yes or no for each cell; bias, a scalar, is added to all cells.

    The sum over all N * N cells is divided by N. There is no cap. Gradients flow to all four.
    """
    ### BEGIN SOLUTION
    cosines = F.normalize(images, dim=-1) @ F.normalize(texts, dim=-1).T
    signs = 2 * torch.eye(len(cosines), dtype=cosines.dtype, device=cosines.device) - 1
    return -F.logsigmoid(signs * (log_scale.exp() * cosines + bias)).sum() / len(cosines)
    ### END SOLUTION

# %% given
def loss_slopes(loss, *arguments) -> list[torch.Tensor]:  # what the check asks for: the gradients of a squared loss
    return slopes(lambda *given: [loss(*given)], *arguments)

# %% check="clip-loss" points=7

# %% [markdown]
# Now test on classes that were **held out**. A class here is a number from 00 to 99: two digits side by side, called
# "four six". Eighty numbers are in the training set. The other twenty are not, neither their pictures nor their
# captions, though each of their digits occurs there beside other digits. A head of eighty rows could not even *name*
# them. Your ViT is the image encoder, on pictures of 8 by 16; the text encoder is a small network that reads the two
# words.
#
# A third model reads the same two words as a *bag*, without their order. Guess first what it will do.

# %% show
from helpers.chapters.beyond import figures, two_digits

STEPS = 300  ### small: 10; gpu: 1500
runs = {
    "CLIP": two_digits.train(vit, clip_loss, digits, STEPS, SEED),
    "SigLIP": two_digits.train(vit, siglip_loss, digits, STEPS, SEED, bias=-10.0),
    "CLIP, a bag of words": two_digits.train(vit, clip_loss, digits, STEPS, SEED, ordered=False),
}
print(two_digits.table(runs, digits))
plots.show(*figures.caption_table(*two_digits.chosen_captions(runs["CLIP"], digits)))
### BEGIN CLAIMS
clip, bag = (two_digits.scores(runs[name], digits) for name in ("CLIP", "CLIP, a bag of words"))
claim("Numbers that a small CLIP has never seen, of 100: right answers above one in ten", clip["never seen"], 0.1)
claim("Numbers never seen: a reader that knows the order of words above a bag of words", clip["never seen"],
      bag["never seen"])
claim("Numbers never seen: two logistic regressions, one for each half of the picture, above a small CLIP",
      two_digits.by_halves(digits)["never seen"], clip["never seen"])
### END CLAIMS

# %% [markdown]
# The model was never shown a *four six*, and it picks the right one of a hundred captions in most cases (0.69, the mean
# of five seeds; 0.62 to 0.77). That is zero-shot, and it works because the new class is made of known parts. Somebody
# who knows of the parts does better without any caption: cut the picture in half, ask the logistic regression for a
# digit in each half, and 0.94 are right, as the last line shows. CLIP was not told of halves or digits, only which
# caption belongs to which picture. The bag of words cannot tell "four six" from "six four", so its choice between the
# two is a coin toss; the third column counts how often it takes the wrong one. Large models trained this way share the
# weakness: a caption can be matched to a picture by its words alone, so little forces the text encoder to learn which
# thing is where (Yuksekgonul and others 2023, [When and why vision-language models behave like
# bags-of-words](https://arxiv.org/abs/2210.01936)).

# %% [markdown]
# ## Exercise 11: pictures among words (`image-text`)
#
# 20 minutes, ★★★, 7 points
#
# CLIP can choose a caption; it cannot say a word. To *answer a question* about a picture you need a model that writes,
# and you have one of those, too. Only the seam between the two is missing, and it is surprisingly thin: the vectors of
# the patches are put in front of those of the words, as if they were words. **PaliGemma** (Beyer and others 2024,
# [PaliGemma: a versatile 3B VLM for transfer](https://arxiv.org/abs/2407.07726)) joins SigLIP's image encoder and the
# language model Gemma in just this way, with one linear map between them.
#
# ![A row of nine tokens: two of the picture, four of the prompt, two of the answer, one of padding](figures/layout.svg)
#
# Who may look at whom? Picture and prompt are *given*, all at once: nothing is predicted there, so each of their tokens
# may see all of them, as in an encoder. The answer is written word by word, so each of its tokens sees the prefix and
# the tokens before it, and never a later word. That is a **prefix mask**: one model, an encoder on the left and a
# decoder on the right. Only the answer is learned: as in chapter 09, all other labels are -100.
#
# By hand, as drawn: the prefix has 6 tokens, prefix and answer together 8, the padded row 9. Token 2 (the third, "is")
# may look at 0 to 5, so also at "even", which comes after it. Token 6 ("yes") may look at 0 to 6, token 7 (the end) at
# 0 to 7. No token may look at the padding, token 8; it may itself look at 0 to 7, like an answer token there.
#
# <details><summary>Plan</summary><code>put_images</code> marks the positions of <code>image_id</code>, stretches the
# marks over all C numbers, and fills them in order. <code>prefix_mask</code> asks three things about a pair: is the key
# real, is it in the prefix, is it no later than the query? Say in words which of these must always hold, and where one
# of two is enough. <code>answer_labels</code> keeps ids from <code>prefix</code> up to <code>lengths</code> and hides
# the rest.</details>
# <details><summary>Hint 1</summary>A key s may be looked at if it is not padding, and is in the prefix or not after the
# query t. Give t, s and the batch an axis each and let broadcasting do the rest.</details>
# <details><summary>Hint 2</summary><code>vectors.masked_scatter(places, images)</code> fills the places where a mask is
# True with the numbers of another tensor, in order.</details>

# %% exercise="image-text"
def put_images(
    vectors: torch.Tensor, token_ids: torch.Tensor, images: torch.Tensor, image_id: int
) -> torch.Tensor:
    """Return (B, T, C): a new tensor, the tokens' vectors (B, T, C) with pictures at the positions of `image_id`.

    token_ids (B, T) has N tokens image_id in each row, anywhere; the first of a row gets the first vector of that row's
    images (B, N, C), and so on. Gradients flow to images and to the vectors that stay.
    """
    ### BEGIN SOLUTION
    places = (token_ids == image_id)[..., None].expand_as(vectors)
    return vectors.masked_scatter(places, images)
    ### END SOLUTION


def prefix_mask(prefix: torch.Tensor, lengths: torch.Tensor, T: int) -> torch.Tensor:
    """Return booleans (B, T, T): True at [b, t, s] where token t of row b may look at token s.

    prefix, lengths (B,), integers: row b has lengths[b] tokens, then padding up to T; its first prefix[b] (at least 1)
    are picture and prompt, the others the answer. No token looks at padding. By the rule for the answer, a padding
    token looks at all lengths[b] tokens of its row. On the device of prefix.
    """
    ### BEGIN SOLUTION
    places = torch.arange(T, device=prefix.device)
    earlier = places <= places[:, None]  # (T, T): key s not behind query t
    given, real = places < prefix[:, None, None], places < lengths[:, None, None]  # (B, 1, T)
    return (given | earlier) & real
    ### END SOLUTION


def answer_labels(token_ids: torch.Tensor, prefix: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return labels (B, T), a new tensor: the token_ids (B, T) of the answer, and -100 for prefix and padding.

    Labels are not shifted: the loss does that. What counts is the position, not the id.
    """
    ### BEGIN SOLUTION
    places = torch.arange(token_ids.shape[1], device=token_ids.device)
    answer = (places >= prefix[:, None]) & (places < lengths[:, None])
    return token_ids.where(answer, -100)
    ### END SOLUTION

# %% check="image-text" points=7

# %% [markdown]
# Below is the mask of a real row, as your function makes it: four tokens of a picture, the question, and an answer of
# several words.

# %% show
from helpers.chapters.beyond import talk

plots.show(*figures.mask_picture(*talk.mask_of(prefix_mask, 3, "count down")))

# %% [markdown]
# ## Exercise 12: look, read, answer (`vlm`)
#
# 25 minutes, ★★★, 7 points
#
# All parts are there, and you wrote them. Now join them: a **vision-language model** is an image encoder, a map, and a
# language model. Then let it speak. You wrote GPT's forward pass in chapter 05; compare as you go, and you will find
# two lines that are new.
#
# ![Two patches of a picture become (1, 4) and (0, 2) by the map, take the places of the two image tokens in front of a
# word, and get their positions](figures/vlm.svg)
#
# 1. `vit` makes the vectors of the patches; that of [CLS] is not used. The *map*, one linear layer, gives each the
#    width of a token's vector.
# 2. Each token id becomes its row of the table `tokens.weight`, and the pictures take their places. *Then* every token
#    of the row, including those of the picture, gets the vector of its position added.
# 3. The blocks run with your prefix mask, one mask for all heads; a LayerNorm follows; and, as in GPT-2, the product
#    with each row of the token table gives the logits.
#
# By hand, as drawn: the patches (1, 2) and (0, 1) become (1, 4) and (0, 2) by a map with the rows (1, 0) and (1, 1) and
# the bias (0, 1). With the positions (0.1, 0), (0.2, 0) and (0.3, 0) the row begins (1.1, 4), (0.2, 2), and the word,
# (0.5, 0.5), becomes (0.8, 0.5).
#
# **Greedy answers.** The logits of the last token score what may come next. Take the likeliest token, append it to the
# row, ask again, and stop at the end token. Many pictures are asked at once, and their answers differ in length: the
# count down from three is written after five rounds (*three, two, one, zero*, and the end), that from zero after two. A
# row that has ended runs on beside the others; what it writes after its end is thrown away.
#
# <details><summary>Plan</summary><code>vlm_logits</code> follows the three steps; write the shape after each line.
# <code>greedy_answers</code> keeps one tensor of rows that grows by a column in each round, and remembers which rows
# have ended; when all have, or after <code>limit</code> rounds, cut the prompt off in front and each row before its
# first end.</details>
# <details><summary>Hint 1</summary>The mask is (B, T, T), and the block wants something that fits (B, H, T, T): give
# it an axis of size 1 for the heads.</details>
# <details><summary>Hint 2</summary><code>part(p, "eye.")</code> gives the weights of the encoder, under the names that
# <code>vit</code> knows.</details>

# %% exercise="vlm"
def vlm_logits(
    images: torch.Tensor, token_ids: torch.Tensor, prefix: torch.Tensor, lengths: torch.Tensor,
    p: dict[str, torch.Tensor], image_id: int, num_layers: int, num_heads: int,
) -> torch.Tensor:
    """Return the logits (B, T, V) of the next token after each of token_ids (B, T), with your functions above.

    images (B, channels, H, W): the N patches of a picture take the N places of image_id in its row. prefix, lengths
    (B,) are those of prefix_mask. p holds what `vit` asks for, with "eye." before each name; "map.weight" (C, D) and
    "map.bias" (C,) for a patch's D numbers; "tokens.weight" (V, C); "positions.weight" (T or more, C), the first row
    for the first token; the weights of block i, with f"blocks.{i}." before each name; "norm.weight" and "norm.bias"
    (C,), whose epsilon is the library's. Encoder and language model have num_layers blocks each, of num_heads heads.
    The output has no bias.
    """
    ### BEGIN SOLUTION
    T = token_ids.shape[1]
    seen = vit(images, part(p, "eye."), num_layers, num_heads)[:, 1:]  # (B, N, D)
    seen = F.linear(seen, p["map.weight"], p["map.bias"])  # (B, N, C)
    words = F.embedding(token_ids, p["tokens.weight"])  # (B, T, C)
    x = put_images(words, token_ids, seen, image_id) + p["positions.weight"][:T]
    mask = prefix_mask(prefix, lengths, T)[:, None]  # (B, 1, T, T)
    for i in range(num_layers):
        x = pre_norm_block(x, part(p, f"blocks.{i}."), num_heads, mask)
    x = F.layer_norm(x, x.shape[-1:], p["norm.weight"], p["norm.bias"])
    return F.linear(x, p["tokens.weight"])
    ### END SOLUTION


def greedy_answers(
    logits_of: Callable[[torch.Tensor], torch.Tensor], prompts: torch.Tensor, end: int, limit: int
) -> list[list[int]]:
    """Return for each row of prompts (B, P) the list of tokens that the model writes after it, greedily.

    logits_of: rows (B, T) -> logits (B, T, V) of the next token after each; of equal logits the first is taken. An
    answer stops before its first `end`, which is not part of it, or after `limit` tokens (0 or more). logits_of is not
    asked again once all rows have ended.
    """
    ### BEGIN SOLUTION
    rows, ended = prompts, torch.zeros(len(prompts), dtype=torch.bool, device=prompts.device)
    for _ in range(limit):
        chosen = logits_of(rows)[:, -1].argmax(dim=-1)  # (B,)
        rows = torch.cat([rows, chosen[:, None]], dim=1)
        ended = ended | (chosen == end)
        if ended.all():
            break
    answers = []
    for row in rows[:, prompts.shape[1] :].tolist():
        answers.append(row[: row.index(end)] if end in row else row)
    return answers
    ### END SOLUTION

# %% check="vlm" points=7

# %% [markdown]
# Now train it: your ViT, a linear map, and a language model of two blocks with a vocabulary of 42 tokens. The model
# starts from nothing and is trained on digits with five questions: *which digit?*, *is it even?*, *is it above four?*,
# and two whose answers are longer, *spell it* and *count down*. Answers differ in position and in length: the model has
# to stop by itself. The second column is a test that every such model should pass: the same questions with *another
# picture*. If it were still right, it would not be looking.
#
# One thing was withheld: in training nobody ever asks whether a **two** or a **seven** is even. Both digits were shown
# in hundreds of pictures, named, spelled and counted down from.

# %% show
from helpers.chapters.beyond import talk

STEPS = 400  ### small: 12; gpu: 2000
talker = talk.Talker(vlm_logits, greedy_answers, answer_labels)
model = talker.train(digits, STEPS, SEED)
print(f"{len(talk.VOCABULARY)} tokens, {sum(p.numel() for p in model.parameters()):,} weights\n")
report = talk.report(talker, model, digits)
print(talk.table(report))
### BEGIN CLAIMS
claim("Five questions about a digit: the right picture above another one", *report[talk.ALL])
claim("Which digit? The right picture above another one", report["which digit ?"][0], report["which digit ?"][1])
claim("Is it even? Digits of which this was asked in training above the two and the seven",
      report["is it even ?"][0], report["is it even ? (two and seven)"][0])
### END CLAIMS

# %% [markdown]
# Over all five questions the model is right in more than nine cases out of ten with the right picture, and in about a
# quarter with another one. A quarter is what the best constant answers would reach: a tenth for three of the questions
# and a half for two. So the model looks.
#
# Anyone who knows what a seven is and what *even* means would not need to be told. The last line shows what our model
# has instead: an answer for each digit that it was asked about. Its answers for the two withheld digits are accidents:
# depending on the seed, they are anything from nearly always wrong to a little better than a coin toss. It sees; it
# does not know anything about numbers. Train it with another seed, and it may name a three, count down from three, and
# call it above four.
#
# ## Your own pictures
#
# Now the reward: draw in the cell below. A picture is eight lines of eight characters, where a space is black and # is
# white, with . and + and * between them; a digit from 0 to 9 is a brightness, too. Then ask. The two pictures here were
# made with a keyboard and not with a pen. Change a line, draw an eight, ask whether your seven is even.

# %% show
mine = [
    ["  +##+  ", "  #**#  ", "     #  ", "   +#*  ", "    *#* ", "      # ", "  +  *# ", "  +##*  "],
    ["  +#### ", "  ####* ", "     #* ", "   .##  ", "  +###* ", "   #*   ", "  +#    ", "  *#    "],
]
asked = ["which digit ?", "is it above four ?", "spell it", "count down"]
plots.show(*figures.conversation(talker, model, talk.drawn(mine), asked))

# %% [markdown]
# The model has about 210,000 weights. PaliGemma has 3 billion, 400 million of them in the image encoder; a picture of
# 224 by 224 pixels becomes 256 tokens. Its layout is the one that you wrote. Later models change the input rather than
# the layout: patches are told their row *and* column, often by a rotation in two dimensions, and a picture keeps its
# *native resolution*, cut into as many patches as it has, in place of being scaled to one square.
#
# ## Essay 2: what is a large multimodal model, and what did ours learn?
#
# 20 minutes, ★★, 10 points, graded by hand
#
# (a) Somebody calls your model "a small language model that can see". Name its three parts and what each was trained
# on, here and in PaliGemma, and say which part would have to grow to earn the name *large* multimodal model. (b) What
# shows that it looks at the picture, and what would you see if it did not? Give numbers from your own tables. (c) It
# names and spells a seven and counts down from it, and cannot say whether it is even. What has it learned, then?
# Describe an experiment that tells a table of answers from a rule, with an outcome that would prove you wrong. (d)
# CLIP's bag of words and your model fail in a similar way. What do both lack, and would more pictures cure it? About
# 200 words.

# %% [markdown] essay="multimodal" points=10
# ### BEGIN SOLUTION
# (a) An image encoder (a ViT), a linear map into the space of the words, and a language model. Ours were trained
# together, from nothing, on 1,437 digits and five questions. In PaliGemma the encoder is SigLIP's, trained on pairs of
# pictures and captions from the web, and the language model is Gemma, trained on text; only then were they joined and
# trained on. The part that must be large is above all the language model: that is where knowledge of the world comes
# in. (b) With the right picture "which digit?" is answered in 95% of cases, with another one in 9%, which is chance.
# Had it not looked, both would be the same; for "is it even?" a blind one would still reach about a half. (c) A table:
# for each pair of digit and question that it met, an answer. On the withheld two and seven it has 0.01, and with
# another seed 0.58: what it says there is an accident. Test: in ten trainings ask "is it above four?" of all digits but
# one, another one each time. A rule is right about most of the ten left out; about five of ten speak for a table. (d)
# Both match parts that they have seen and have no reason to learn what connects them: who is where, what even means.
# More pictures of the same digits change nothing; captions and questions that differ only in the relation would, or a
# language model that has read.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: encoder, map, language model; trained together here, apart and then joined in PaliGemma; what is large.
# 2 points: own numbers with the right picture and with another one, against chance (a half for yes and no).
# 3 points: a table of answers, from the withheld digits; an experiment with an outcome for either side.
# 2 points: relations between parts are not learned because nothing asks for them; other data, not just more.
# ### END MARK SCHEME

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next
#
# Today's block; the weights of fifteen published models, counted; a router that respects its experts' capacity;
# attention that never builds its keys; a cache that drops all but the first and the last tokens; one linear system
# computed in three ways; a mean that decays. Then gaps, patches, pairs of pictures and captions, and a model that looks
# and answers.
#
# What breaks: all of it is small. A part that helps a large model need not help a toy, as the balance loss and the
# sinks have shown, so trust a gain only when you have seen it at your own size. And none of these parts brings data: a
# model that sees knows only what it was shown.
#
# **Saved:** nothing. This chapter's models live as long as the notebook does.

# %% [markdown] text="further"
