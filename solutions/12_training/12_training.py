# %% [markdown]
# # 12 Training: from a loop to a run that you can trust
#
# In chapter 05 you wrote a training loop of twelve lines, and it trained a GPT in a minute. The same loop would not
# train a large model. GPT-2 XL has 1.56 billion weights. In float32 each needs 4 bytes for itself, 4 for its gradient
# and 8 for AdamW's two means: 25 GB, before a single activation is kept. The batch would not fit into memory, a number
# would leave the range of its format, the machine would fail in the third week, and nobody would know whether the model
# was too small for its data. None of these problems needs a GPU to be understood, and each has a solution of ten lines.
#
# **What you will build.** The parts of a real training run: documents packed into rows that cannot see one another, a
# schedule, batches in pieces, 16-bit numbers that do not overflow, memory saved at the price of time, a checkpoint from
# which a run goes on *bit for bit*, several processes that act as one, the optimiser Muon, and a filter for copied
# documents. You fit a law to five small runs, and it predicts a sixth. At the end your loop combines all that a small
# run on one machine needs, is killed in the middle, and finishes as if nothing had happened.
#
# **What you need.** The GPT and the loop of [chapter 05](../05_transformers/05_transformers.ipynb), and the tokenizer
# of [chapter 06](../06_tokenizers/06_tokenizers.ipynb).
#
# **Points.** 100: twelve exercises checked by machine (80) and two short essays (20). Allow about seven and a half
# hours, in two or three sittings; the first essay is a good place to stop. All cells run in three minutes.
#
# **Notation.** There are $B$ rows of $T$ tokens, $C$ numbers per token (`d_model`), $L$ layers, $V$ tokens in the
# vocabulary, $N$ weights, and $D$ tokens that a run reads.
#
# **Manners.** Unless the text says otherwise, your functions do not change their arguments, and keep the dtype.

# %% given
import copy
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers import data, plots
from helpers.chapters.training import probes
from helpers.course import SEED, notebook, seed_everything, ways_of_calls

notebook.prepare("12_training")

# %% [markdown]
# ## Part one: one step, done right
#
# ## Exercise 1: documents in rows (`packing`)
#
# 20 minutes, ★★, 7 points
#
# A corpus is a pile of documents of very different lengths, and a model reads rows of $T$ tokens. Padding every
# document to the length of the longest wastes most of the work. **Packing** writes the documents one after another,
# each followed by an end token, and cuts this stream into rows. No token is wasted, but a row now holds parts of
# several documents. Without a mask the model reads a recipe as the beginning of a court ruling.
#
# ![Three documents in two rows: the mask has a triangle for each document, positions start again, and no target
# belongs to another document](figures/packing.svg)
#
# Four things follow from knowing which document each token belongs to, its *owner*. A token may see the earlier tokens
# of its own document and itself. Its position counts from the beginning of its document, or from the beginning of the
# row where the row begins inside a document. Its target is the next token, except where the next token belongs to
# another document. The end token is the last token of its document, so a model learns where a document ends, and never
# learns to guess which document comes next.
#
# By hand: the documents `5 6 7`, `8` and `9 5`, the end token 0 and $T = 4$. The stream is `5 6 7 0 8 0 9 5 0`. It
# gives the rows `5 6 7 0` and `8 0 9 5`, with the owners `0 0 0 0` and `1 1 2 2`; the last 0 fills no row and is
# dropped. The positions are `0 1 2 3` and `0 1 0 1`, the targets `6 7 0 -100` and `0 -100 5 -100`.
#
# <details><summary>Plan</summary>Build two flat lists in one loop over the documents, the tokens and their owners, cut
# both to a multiple of <code>length</code>, and reshape. The mask is a comparison of the owners with themselves, one as
# a column and one as a row, and a lower triangle. For the positions, find where the owner changes: the position is the
# distance from the last change. The targets are the tokens moved by one, with -100 where the owner of the next one
# differs, and in the last column.</details>
# <details><summary>Hint 1</summary><code>owner[:, :, None] == owner[:, None, :]</code> has the shape (N, T,
# T).</details>
# <details><summary>Hint 2</summary><code>torch.cummax</code> of the indices at which a document begins, and 0
# elsewhere, gives the last beginning.</details>

# %% exercise="packing"
def pack(documents: list[list[int]], length: int, end: int) -> tuple[Tensor, Tensor]:
    """Return (tokens (N, length), owners (N, length)) of documents written one after another, `end` after each.

    The owner of a token is the index of its document; an end token belongs to the document before it. Tokens that do
    not fill a last row are dropped. A document without tokens is its end token alone. Both are of torch.long.
    """
    ### BEGIN SOLUTION
    tokens, owners = [], []
    for i, document in enumerate(documents):
        tokens += [*document, end]
        owners += [i] * (len(document) + 1)
    rows = len(tokens) // length
    kept = rows * length
    both = (torch.tensor(values[:kept], dtype=torch.long).view(rows, length) for values in (tokens, owners))
    return tuple(both)
    ### END SOLUTION

def packed_mask(owners: Tensor) -> Tensor:
    """Return (N, T, T) of booleans, True where token i (axis 1) may see token j (axis 2).

    It may if j is not later and has the same owner.
    """
    ### BEGIN SOLUTION
    return (owners[:, :, None] == owners[:, None, :]).tril()
    ### END SOLUTION

def packed_positions(owners: Tensor) -> Tensor:
    """Return each token's position in the part of its document that is in this row, (N, T) of torch.long."""
    ### BEGIN SOLUTION
    places = torch.arange(owners.shape[1], device=owners.device).expand_as(owners)
    begins = torch.ones_like(owners, dtype=torch.bool)
    begins[:, 1:] = owners[:, 1:] != owners[:, :-1]
    return places - torch.where(begins, places, 0).cummax(dim=1).values
    ### END SOLUTION

def packed_targets(tokens: Tensor, owners: Tensor) -> Tensor:
    """Return the next token of each token, (N, T) of torch.long; -100 where the row ends or the owner changes."""
    ### BEGIN SOLUTION
    targets = torch.full_like(tokens, -100)
    same = owners[:, 1:] == owners[:, :-1]
    targets[:, :-1] = torch.where(same, tokens[:, 1:], -100)
    return targets
    ### END SOLUTION

# %% check="packing" points=7

# %% [markdown]
# ### Does a token see other documents?
#
# It is easy to get a mask wrong and hard to see it in a loss: the model trains either way. So ask the model itself.
# Below, one token of the first document is replaced by 64 other tokens, one after another. Where the mask is right, the
# logits of all other documents stay as they were, to the last bit.

# %% show
from helpers.chapters.training.documents import Shelf
from helpers.chapters.training.packed_gpt import PackedGPT, leak
shelf = Shelf(data.load("docs"))
tokens, owners = pack(shelf.read[:200], 128, shelf.end)
seed_everything(SEED)
gpt = PackedGPT(shelf.size, 128, 64, 2, 4)
parts = tokens[:1], packed_positions(owners[:1])
print(f"{len(tokens)} rows of 128 tokens; the first holds {owners[0].unique().numel()} documents")
masks = {"packed mask": packed_mask(owners[:1]), "causal alone": packed_mask(torch.zeros_like(owners[:1]))}
for name, mask in masks.items():
    print(f"{name:<14} largest change of a logit in another document: {leak(gpt, *parts, mask, owners[0]):.3g}")

# %% [markdown]
# ## Exercise 2: warm up, stay, come down (`schedule`)
#
# 8 minutes, ★, 5 points
#
# The cosine of chapter 05 has a flaw: it must know the length of the run before the first step. A run that turns out to
# be worth continuing has already brought its rate down to zero. The schedule *warm-up, stable, decay* (WSD; Hu and
# others 2024, [MiniCPM](https://arxiv.org/abs/2404.06395)) keeps the rate at its peak until near the end, and only then
# lets it fall. A checkpoint from the stable part can be continued for as long as one likes, and finished at any time by
# a short decay. For steps $t = 0, 1, \ldots, n - 1$ with $w$ steps of warm-up and $d$ of decay:
#
# $$\eta_t = \eta \cdot \begin{cases} \frac{t + 1}{w + 1} & t < w \\ 1 & w \le t < n - d \\
# \frac{n - t}{d + 1} & t \ge n - d \end{cases}$$
#
# ![Both schedules over a hundred steps: the cosine falls from the tenth step on, WSD only in the last
# twenty](figures/schedules.svg)
#
# By hand: $n = 6$, $w = 1$, $d = 2$ and $\eta = 0.3$ give the rates 0.15, 0.3, 0.3, 0.3, 0.2, 0.1. The two ends mirror
# one another: the first step of a warm-up of two and the last step of a decay of two both have a third of the peak.
#
# <details><summary>Hint</summary>Write three returns, in the order of the formula.</details>

# %% exercise="schedule"
def warmup_stable_decay(step: int, steps: int, peak: float, warmup: int, decay: int) -> float:
    """Return the rate of step 0, 1, ..., steps - 1; warmup and decay, 0 or more, are together at most `steps`."""
    ### BEGIN SOLUTION
    if step < warmup:
        return peak * (step + 1) / (warmup + 1)
    if step < steps - decay:
        return peak
    return peak * (steps - step) / (decay + 1)
    ### END SOLUTION

# %% check="schedule" points=5

# %% [markdown]
# ## Exercise 3: a large batch in small pieces (`pieces`)
#
# 20 minutes, ★★, 7 points
#
# A large batch gives a better estimate of the gradient, but it may not fit into memory. Gradients add up, so a batch
# can be cut into pieces (*micro-batches*): `backward()` adds the gradient of each piece to what is there, and only then
# does the optimiser step. This is *gradient accumulation*, and it has a famous trap. The loss of a batch is the mean
# over all its **targets**. Pieces of packed or padded rows have different numbers of targets, and the mean of the
# pieces' means is a different number. Widely used trainers computed that one for years. The fault was reported in 2021
# and fixed only in October 2024, when a user noticed again that the losses did not match (the
# [story](https://unsloth.ai/blog/gradient), with curves).
#
# ![Four targets in pieces of three and one: the mean of the means gives the fourth as much weight as the other three
# together](figures/pieces.svg)
#
# By hand: with one weight $w = 1$, a target $x$ has the loss $(wx)^2$ and the gradient $2 w x^2$. One piece has the
# targets 1, 1, 1, the other a single 3. The gradient of the batch's mean is $(2 + 2 + 2 + 18) / 4 = 6$. The mean of the
# pieces' means is $(2 + 18) / 2 = 10$.
#
# The second function **clips**: where the norm of all gradients together is above the limit, all are multiplied by
# limit / norm. It needs the *whole* gradient and therefore runs once, after the last piece. By hand: the gradients
# $(3, 0)$ and $4$ have the norm 5; with the limit 1 they become $(0.6, 0)$ and $0.8$.
#
# <details><summary>Plan</summary><code>accumulate</code> clears old gradients and needs the number of all targets
# before the first <code>backward()</code>; counting them costs nothing. Then each piece's sum, divided by that number,
# goes backward on its own, so that only one piece's activations are kept. <code>clip_gradients</code> leaves out
# parameters without a gradient, computes one norm over all the others, and scales them in place if it is too
# large.</details>
# <details><summary>Hint</summary>Let <code>count</code> return how many targets a piece has; the norm of several norms
# is the norm of all numbers.</details>

# %% exercise="pieces"
def accumulate(model: nn.Module, pieces: list, loss_sum, count) -> float:
    """Leave in `.grad` the gradient of the mean loss over all targets of all pieces; return this mean, a float.

    loss_sum: loss_sum(model, piece) is the sum of the losses of a piece's targets, a tensor of one number. count:
    count(piece) is how many targets it has, 0 or more; at least one piece has some. Gradients from before play no part.
    `backward()` has gone through the graph of a piece before loss_sum is called for the next one, and the float holds
    no graph.
    """
    ### BEGIN SOLUTION
    model.zero_grad()
    targets = sum(count(piece) for piece in pieces)
    total = 0.0
    for piece in pieces:
        share = loss_sum(model, piece) / targets
        share.backward()
        total += share.item()
    return total
    ### END SOLUTION

def clip_gradients(parameters, limit: float) -> float:
    """Scale the gradients in place, all by one factor, so that their joint norm is at most `limit`; return the norm
    from before, a float.

    parameters: those of a model, perhaps as an iterator, which can be gone through once; some may have no gradient, and
    if none has, the norm is 0. A norm up to the limit changes nothing; one that is not finite is returned as it
    is, whatever becomes of the gradients then.
    """
    ### BEGIN SOLUTION
    gradients = [p.grad for p in parameters if p.grad is not None]
    if not gradients:
        return 0.0
    norm = torch.stack([g.norm() for g in gradients]).norm()
    if norm > limit:
        for g in gradients:
            g.mul_(limit / norm)
    return norm.item()
    ### END SOLUTION

# %% given
# The check looks at the gradients that a small network is left with.
def left_gradients(*arguments, **options) -> dict:
    return probes.left_gradients(accumulate, *arguments, **options)

def clipped(gradients, limit) -> dict:
    return probes.clipped(clip_gradients, gradients, limit)

# %% check="pieces" points=7

# %% [markdown]
# ## Exercise 4: numbers of sixteen bits (`precision`)
#
# 20 minutes, ★★, 7 points
#
# Numbers of 16 bits need half the memory of float32, and a GPU multiplies them several times as fast. There are two
# kinds. **float16** spends 10 bits on the digits and 5 on the exponent; **bfloat16** spends 7 and 8, and so has the
# range of float32 with two to three decimal digits.
#
# | | largest | smallest above 0 | next number after 1 |
# |---|---|---|---|
# | float32 | $3.4 \cdot 10^{38}$ | $1.4 \cdot 10^{-45}$ | $1 + 1.2 \cdot 10^{-7}$ |
# | float16 | 65,504 | $6.0 \cdot 10^{-8}$ | $1 + 0.00098$ |
# | bfloat16 | $3.4 \cdot 10^{38}$ | $9.2 \cdot 10^{-41}$ | $1 + 0.0078$ |
#
# Three things can go wrong, one in each column. In float16 a large value **overflows** to infinity. A small gradient
# **underflows** to 0: that of a single weight in a large model is often below $10^{-7}$. And in both formats small
# steps are rounded away: in bfloat16, 1 + 0.001 is 1 again, since the next number is 1.0078. Hence the
# *master weights*: weights and optimiser stay in float32, and only the forward and backward pass use 16 bits. This is
# *mixed precision* (Micikevicius and others 2018, [Mixed precision training](https://arxiv.org/abs/1710.03740)).
#
# Underflow has a neat cure, **loss scaling**. Multiply the loss by a large number $s$ before `backward()`; by the chain
# rule all gradients are multiplied by it, and leave the region where they would vanish. Divide them by $s$ again in
# float32. If $s$ was too large, some gradient is infinite: skip this step and halve $s$. If no step has been skipped
# for a long time, double it.
#
# ![A number line of powers of ten: gradients below the smallest float16 number move right by the scale and
# fit](figures/scaling.svg)
#
# By hand: a gradient of $10^{-8}$ is 0 in float16. With $s = 1024$ it is $1.02 \cdot 10^{-5}$, which float16 can hold,
# and divided by 1024 in float32 it is $10^{-8}$ again. A gradient of 100 becomes 102,400, above 65,504, and so
# infinity: the step is skipped, and $s$ falls to 512.
#
# <details><summary>Plan</summary><code>scaled_gradients</code> takes the gradients of the scaled loss, brings each to
# float32 and divides it; they are usable if every number in every one is finite. <code>next_scale</code> has two
# branches, and the good one checks whether the count is full.</details>
# <details><summary>Hint</summary><code>torch.autograd.grad(loss * scale, parameters)</code>;
# <code>torch.isfinite(g).all()</code>.</details>

# %% exercise="precision"
def scaled_gradients(loss: Tensor, parameters: list[Tensor], scale: float) -> tuple[list[Tensor], bool]:
    """Return (the gradients of the loss in float32, whether all their numbers are finite), by way of a scaled loss.

    loss: one number. parameters: what it depends on, in whatever dtype; their `.grad` stays as it is. The gradients are
    divided by the scale in float32, after they have been computed in the parameters' dtype.
    """
    ### BEGIN SOLUTION
    scaled = torch.autograd.grad(loss * scale, parameters)
    gradients = [g.float() / scale for g in scaled]
    return gradients, all(bool(torch.isfinite(g).all()) for g in gradients)
    ### END SOLUTION

def next_scale(scale: float, good: int, finite: bool, every: int = 2000) -> tuple[float, int]:
    """Return (the scale of the next step, how many good steps in a row come before it).

    good: how many good steps in a row come before this one. finite: whether all gradients of this one were. If not, the
    scale is halved and the count begins anew. If so, the count grows by one; when it reaches `every`, the scale doubles
    and the count begins anew.
    """
    ### BEGIN SOLUTION
    if not finite:
        return scale / 2, 0
    if good + 1 == every:
        return scale * 2, 0
    return scale, good + 1
    ### END SOLUTION

# %% given
# The check differentiates a small product in 16 bits, with a scale.
def through_half(*arguments, **options) -> dict:
    return probes.through_half(scaled_gradients, *arguments, **options)

# %% check="precision" points=7

# %% [markdown]
# ### What scaling saves
#
# The smallest GPT-3 had batches of half a million tokens (Brown and others 2020, [Language models are few-shot
# learners](https://arxiv.org/abs/2005.14165)). The loss of a piece is divided by the count of the whole batch, and so
# its gradients are small. Here eight rows of the packed docs are a piece of such a batch. Your `scaled_gradients`
# differentiates it in float16 at several scales: the figure shows the share of the gradients that become exactly 0, and
# the share that overflow.

# %% show exact=true
from helpers.chapters.training.half import dtypes_inside, gradients_that_vanish
from helpers.chapters.training.figures import vanishing
SCALES = [2.0**k for k in range(0, 37, 6)]  ### small: [1.0, 4096.0]
piece = tokens[:8], packed_targets(tokens, owners)[:8]
lost = gradients_that_vanish(gpt, piece, 524_288, SCALES, scaled_gradients)
plots.show(*vanishing(lost))
scale, good = 65536.0, 0
for step, finite in enumerate([False, False, True, True, True, False]):
    scale, good = next_scale(scale, good, finite, every=3)
    print(f"step {step}: {'finite  ' if finite else 'overflow'} -> scale {scale:,.0f}, {good} good in a row")

# %% [markdown]
# Without a scale four gradients in five are lost, and with a scale between $2^{12}$ and $2^{30}$ hardly any. The
# region is wide, so a scale that doubles and halves by itself finds it.
#
# bfloat16 has the range of float32 and needs no scaling, which is why it has largely replaced float16 for training.
# PyTorch chooses the dtype of each operation: inside `torch.autocast`, products of matrices run in 16 bits, and
# delicate operations, such as the loss, in float32. (On a GPU, layer norm runs in float32, too. On a CPU it keeps the
# dtype of its input, here float32, since the embedding's rows are.) The weights stay in float32, and so do their
# gradients.

# %% show
from helpers.chapters.training.packed_gpt import batch_loss
with dtypes_inside(gpt) as dtypes, torch.autocast("cpu", dtype=torch.bfloat16):
    loss = batch_loss(gpt, piece)
for name, dtype in dtypes.items():
    print(f"{name:<14}{dtype}")
weights = list(gpt.parameters())
gradients = torch.autograd.grad(loss, weights)
print(f"{'weights':<14}{weights[0].dtype}\n{'gradients':<14}{gradients[0].dtype}")
print(f"loss {loss.item():.4f}, and {batch_loss(gpt, piece).item():.4f} in float32")

# %% [markdown]
# ## Exercise 5: memory for time (`recompute`)
#
# 25 minutes, ★★★, 7 points
#
# For the backward pass, autograd keeps the inputs of nearly every operation. In a deep model these *activations* can be
# larger than weights, gradients and optimiser together. **Activation checkpointing** (Chen and others 2016, [Training
# deep nets with sublinear memory cost](https://arxiv.org/abs/1604.06174)) keeps only what goes *into* a block. When the
# gradient comes back to the block, its forward pass is computed a second time, now with everything kept, and the
# backward pass through it follows at once. The price is one more forward pass, about a third more time. Memory then
# holds the inputs of all blocks, and the activations inside one.
#
# ![Three blocks: without checkpointing each keeps its activations; with it each keeps its input and computes the
# activations again on the way back](figures/recompute.svg)
#
# In PyTorch this is written as a `torch.autograd.Function`: `forward` gets a context to keep things in, and `backward`
# gets the gradient of the output and returns one gradient for each argument of `forward`, `None` for anything that is
# not a tensor. By hand, for the block $y = w x^2$ with $w = 3$ and $x = 2$: forward gives 12 and keeps 2. If the
# gradient 1 comes back, the block is computed again from 2, and the gradients are $2 w x = 12$ for $x$ and $x^2 = 4$
# for $w$.
#
# There is one trap. A block with dropout draws new random numbers when it is computed again, and its gradient then
# belongs to a different network than its output does. So keep the generator's state before the forward pass, put it
# back for the second one, and leave the generator afterwards as it was.
#
# <details><summary>Plan</summary>In <code>forward</code>: keep the block and the state of the generator on the context,
# the input by <code>ctx.save_for_backward</code>, and return the block's output without a graph. In
# <code>backward</code>: a detached copy of the input that requires gradients; inside
# <code>torch.random.fork_rng()</code> and <code>torch.enable_grad()</code> put the state back and call the block; then
# take <code>torch.autograd.grad</code> of the output for the input and the weights, given the gradient that came back.
# Weights that are frozen get None.</details>
# <details><summary>Hint 1</summary><code>Recompute.apply(block, x, *block.parameters())</code>: the weights must be
# arguments, or autograd does not know that the output depends on them.</details>
# <details><summary>Hint 2</summary><code>torch.get_rng_state()</code>, <code>torch.set_rng_state(state)</code>; and
# <code>torch.autograd.grad(..., grad_outputs=grad, allow_unused=True)</code>.</details>

# %% exercise="recompute"
class Recompute(torch.autograd.Function):
    """A block that keeps only its input for the backward pass, and is computed again there."""

    @staticmethod
    def forward(ctx, block, x, *weights):
        """Return block(x) without a graph; keep on ctx what `backward` needs."""
        ### BEGIN SOLUTION
        ctx.block, ctx.random = block, torch.get_rng_state()
        ctx.save_for_backward(x)
        with torch.no_grad():
            return block(x)
        ### END SOLUTION

    @staticmethod
    def backward(ctx, grad):
        """Return one gradient for each argument of `forward`: None for the block, then that of x and of each weight."""
        ### BEGIN SOLUTION
        x = ctx.saved_tensors[0].detach().requires_grad_()
        learned = [p for p in ctx.block.parameters() if p.requires_grad]
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            torch.set_rng_state(ctx.random)
            y = ctx.block(x)
            found = torch.autograd.grad(y, [x, *learned], grad, allow_unused=True)
        of_weight = dict(zip(map(id, learned), found[1:], strict=True))
        return None, found[0], *(of_weight.get(id(p)) for p in ctx.block.parameters())
        ### END SOLUTION

def recomputed(block: nn.Module, x: Tensor) -> Tensor:
    """Return block(x); autograd saves no tensor for the backward pass but x, the weights and the generator's state.

    That holds during the forward pass, too: no graph is built inside the block there. The gradients of x and of the
    block's weights are those of block(x), even where the block has dropout, and the random numbers drawn afterwards are
    the same. Weights may be frozen, or play no part in the output. The block is called twice, never more.
    torch.utils.checkpoint.checkpoint does the same; write it without torch.utils.checkpoint, with your Recompute.
    """
    ### BEGIN SOLUTION
    return Recompute.apply(block, x, *block.parameters())
    ### END SOLUTION

# %% given
# The check looks at outputs, gradients and calls of a small block, and at what is kept.
def through_block(*arguments, **options) -> dict:
    return probes.through_block(recomputed, *arguments, **options)

# What a call gives, and what it called of what the text rules out.
def taken(forbidden, function, *given):
    return ways_of_calls.taken(forbidden, function, *given)

# %% check="recompute" points=7

# %% [markdown]
# ### What it buys

# %% show
from helpers.chapters.training.memory import kept_and_seconds, plain
LAYERS = [2, 4, 8]  ### small: [1, 2]
print(f"{'layers':>6}{'kept, MB':>12}{'recomputed':>12}{'time of a step, ratio':>24}")
for layers in LAYERS:
    kept, seconds = kept_and_seconds(layers, plain)
    less, longer = kept_and_seconds(layers, recomputed)
    print(f"{layers:>6}{kept / 1e6:>12.1f}{less / 1e6:>12.1f}{longer / seconds:>24.2f}")

# %% [markdown]
# ## Part two: a run that survives
#
# ## Exercise 6: stop and go on, to the same bits (`resume`)
#
# 25 minutes, ★★, 7 points
#
# Long runs die. A checkpoint with the weights alone is not enough: the optimiser forgets its means and its count of
# steps, the schedule begins anew, the data start again from the beginning, and dropout draws different numbers. The run
# goes on, but it is *another* run, and a bug in it cannot be reproduced. The test is strict: a run that was stopped and
# resumed ends with the same bits as one that never stopped.
#
# ![The state of a run: weights, the means of the optimiser, the step, the position in the data, the
# generator](figures/state.svg)
#
# By hand, for an optimiser with momentum $m \leftarrow 0.9 m + g$ that steps by $0.1 m$, with the gradient 1 in every
# step and $w = 1$: after two steps $m = 1.9$ and $w = 0.71$. The third step has $m = 2.71$ and gives $w = 0.439$. If
# the momentum is forgotten, that step has $m = 1$ and gives $w = 0.61$.
#
# Two more traps. The snapshot must be a **copy**: `state_dict()` hands out the live tensors, and training goes on
# changing them. And the machine may fail *while* the checkpoint is written. So write to a new file beside the old one
# and rename it at the end: a rename within a folder is all or nothing.
#
# <details><summary>Plan</summary>A snapshot is a dict of five entries, as a deep copy. Restoring puts each back where
# it belongs, and leaves the snapshot itself untouched, since it may be needed again. To write safely, save under
# another name in the same folder, then <code>Path.replace</code>.</details>
# <details><summary>Hint</summary><code>generator.get_state()</code>, <code>generator.set_state(...)</code> for the
# order of the data; <code>torch.get_rng_state()</code> for dropout. <code>optimizer.load_state_dict</code> keeps the
# tensors that it is handed.</details>

# %% exercise="resume"
def snapshot(model: nn.Module, optimizer, generator: torch.Generator, step: int) -> dict:
    """Return all that a run needs to go on after `step` steps, as copies: nothing in it changes when training goes on.

    generator: draws the batches; dropout draws from torch's own generator. The number of steps is the entry "step"; the
    names of the others are yours. Everything in it is a tensor, a number, a string, None, or a list, tuple or dict of
    these, so that torch.load(..., weights_only=True) reads it.
    """
    ### BEGIN SOLUTION
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}
    state |= {"data": generator.get_state(), "dropout": torch.get_rng_state()}
    return copy.deepcopy(state)
    ### END SOLUTION

def restore(state: dict, model: nn.Module, optimizer, generator: torch.Generator) -> int:
    """Put a snapshot into a new model, optimiser and generator, and into torch's own generator; return its step.

    The snapshot is not changed, either now or when training goes on: it may be restored again.
    """
    ### BEGIN SOLUTION
    state = copy.deepcopy(state)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    generator.set_state(state["data"])
    torch.set_rng_state(state["dropout"])
    return state["step"]
    ### END SOLUTION

def write_safely(state: dict, path: Path) -> None:
    """Save a snapshot with torch.save at `path`; if that fails in the middle, an older file there stays as it was.

    Nothing else is left in the folder after a success.
    """
    ### BEGIN SOLUTION
    new = path.with_name(path.name + ".new")
    torch.save(state, new)
    new.replace(path)
    ### END SOLUTION

# %% given
# The check stops a small run, resumes it, and compares.
def stopped_and_resumed(*arguments, **options) -> dict:
    return probes.stopped_and_resumed(snapshot, restore, *arguments, **options)

def written(*arguments, **options) -> dict:
    return probes.written(write_safely, *arguments, **options)

# %% check="resume" points=7

# %% [markdown]
# ## Exercise 7: many machines, one gradient (`replicas`)
#
# 25 minutes, ★★★, 7 points
#
# Each of $R$ devices holds a copy of the model, a *replica*, and gets its share of the rows. Each computes a gradient,
# the gradients are averaged, and all replicas take the same step: they stay equal without ever exchanging weights. This
# is *data parallelism*. The average must again be that of all rows, so a replica with more rows counts more.
#
# How do $R$ machines add up vectors of a billion numbers? If all send theirs to one, that one must receive $R - 1$
# whole vectors. In a **ring** no machine is the bottleneck. Each vector is cut into $R$ chunks. In each of $R - 1$
# rounds every machine sends one chunk to its right neighbour, which adds it to its own; afterwards each machine has one
# chunk with the complete sum. In $R - 1$ more rounds the complete chunks travel once around. Each machine sends $2 (R -
# 1) / R$ of a vector, less than two vectors, however many machines there are.
#
# ![Three machines in a ring: two rounds collect the sums, two more hand them round](figures/ring.svg)
#
# By hand, as drawn, with $R = 3$: machine 0 sends its chunk 0, the 1, to machine 1, which now has $1 + 10 = 11$ there.
# In the same round machine 1 sends its chunk 1 and machine 2 its chunk 2. In the second round machine 1 passes the 11
# on to machine 2, which has $11 + 100 = 111$: a complete sum. Two more rounds carry the complete chunks to all. Each
# machine has sent four numbers.
#
# <details><summary>Plan</summary>For <code>shares</code>: every replica gets the whole part of rows / replicas, and the
# first few get one more. For the ring: cut a copy of each vector into R chunks. In round k of the first phase machine r
# sends its chunk (r - k) mod R; all chunks of a round are sent before any is added. After R - 1 rounds machine r has
# the complete chunk (r + 1) mod R. In round k of the second phase it sends chunk (r + 1 - k) mod R, which replaces the
# neighbour's.</details>
# <details><summary>Hint</summary><code>vector.clone().chunk(R)</code> gives R parts of equal size here.</details>

# %% exercise="replicas"
def shares(rows: int, replicas: int) -> list[tuple[int, int]]:
    """Return (start, end) of the rows of each replica, in order: sizes differ by at most one, larger ones first."""
    ### BEGIN SOLUTION
    whole, more = divmod(rows, replicas)
    bounds = [0]
    for i in range(replicas):
        bounds.append(bounds[-1] + whole + (i < more))
    return list(zip(bounds, bounds[1:], strict=False))
    ### END SOLUTION

def average_gradients(gradients: list[list[Tensor]], rows: list[int]) -> list[Tensor]:
    """Return the gradient of the mean loss over all rows, one tensor for each parameter.

    gradients[r][i]: the gradient of parameter i by replica r, of the mean loss over its rows[r] rows. A replica may
    have no rows, though not all of them; its gradients are then anything, nan included, and play no part.
    """
    ### BEGIN SOLUTION
    total = sum(rows)
    averages = []
    for of_parameter in zip(*gradients, strict=True):
        parts = [g * (n / total) for g, n in zip(of_parameter, rows, strict=True) if n]
        averages.append(torch.stack(parts).sum(dim=0))
    return averages
    ### END SOLUTION

def ring_sum(vectors: list[Tensor], send) -> list[Tensor]:
    """Return R copies of the sum of R vectors (n,), one for each machine, added up in a ring; R >= 2 divides n.

    send: send(source, target, chunk) returns what arrives at the target, (n / R,). It is the only way for a number to
    get from one machine to another. Machine r sends to machine (r + 1) mod R alone, and each sends 2 (R - 1) chunks.
    """
    ### BEGIN SOLUTION
    count = len(vectors)
    chunks = [list(vector.clone().chunk(count)) for vector in vectors]
    for phase in (0, 1):
        for k in range(count - 1):
            arrived = []
            for r in range(count):
                which = (r + phase - k) % count
                arrived.append((which, send(r, (r + 1) % count, chunks[r][which])))
            for r, (which, chunk) in enumerate(arrived):
                target = chunks[(r + 1) % count]
                target[which] = chunk.clone() if phase else target[which] + chunk
    return [torch.cat(parts) for parts in chunks]
    ### END SOLUTION

# %% given
# The check looks at the sums, at who sent to whom, and at how many numbers were sent.
def around(*arguments, **options) -> dict:
    return probes.around(ring_sum, *arguments, **options)

# %% check="replicas" points=7

# %% [markdown]
# ### Two real processes
#
# Now the real thing: two Python processes on your machine, joined by PyTorch's own `gloo`, each with half of the rows.
# `gloo` uses a ring as well. For comparison, one process trains on all rows.

# %% show
from helpers.chapters.training.two_processes import train_in_processes
STEPS = 30  ### small: 2
one, two = (train_in_processes(count, STEPS, SEED) for count in (1, 2))
print(f"loss after {STEPS} steps: one process {one['loss']:.6f}, two processes {two['loss']:.6f}")
print(f"largest difference of a weight: {(one['weights'] - two['weights']).abs().max():.2g}")

# %% [markdown]
# ## Essay 1: what is wrong with this run? (`diagnosis`)
#
# 20 minutes, ★★, 10 points, graded by hand
#
# Below are the curves of six runs of the same small GPT, which reads Shakespeare in 65 different characters. One is
# healthy; five have a fault each. A first test finds many faults before any long run: **overfit a single batch**. A run
# that cannot bring the loss on one batch below 0.1 nats has a fault, not a lack of data.

# %% show
from helpers.chapters.training.broken_runs import run_all
from helpers.chapters.training.documents import letter_rows
from helpers.chapters.training.figures import six_runs
STEPS = 200  ### small: 6
plays = letter_rows(data.load("tiny_shakespeare"))
runs = run_all(*plays, STEPS, SEED)
plots.show(*six_runs(runs))
for name, run in runs.items():
    print(f"run {name}: first loss {run.first:.2f}, last {run.last:.2f}, held out {run.held_out:.2f}, "
          f"one batch for {STEPS} steps {run.one_batch:.3f}, largest gradient norm {run.norm:.3g}")

# %% [markdown]
# For each run say which fault it has and what in the curves or the numbers tells you, and name the measurement that
# would decide between two faults that look alike here. There are seven faults to choose from, and five of them occur:
# the rate is too large, the rate is too small, targets are not shifted, rows are read document by document and not
# shuffled, gradients are not cleared, weights are not initialised small, the held-out text is in the training text.
# About 150 words.

# %% [markdown] essay="diagnosis" points=10
# ### BEGIN SOLUTION
# A: the rate is too small. Everything is quiet, the norms too, but the run only gets from 4.2 to 3.7, and on one batch
# to 3.3. B: gradients are not cleared. The norm grows far beyond that of C, since each step adds to all before it, and
# the loss ends above its beginning, on one batch as well. C is healthy: 2.7, held out 2.7, one batch 0.01. D: the rate
# is too large. The norm jumps to several times that of C, and one batch stays above 2. E: targets are not shifted. A
# loss of 0.0 on text that it has not read cannot be: this model copies the character that it reads. F: the weights are
# not small at first. Its first loss is 20.7, and a uniform guess among 65 characters costs ln 65 = 4.2; it recovers and
# learns its batch, but it is still behind at the end. B and D look alike: large norms, and neither learns one batch. I
# would compute the gradient of the same rows twice without a step between: if it doubles, it is not cleared. Or take a
# tenth of the rate, which cures D.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 6 points: one for each run, half for the fault and half for a number or a curve that shows it.
# 2 points: compares with what a number should be: ln 65 for the first loss, 0.1 for one batch, the norm of run C.
# 2 points: names two runs that look alike, and a measurement whose outcome would differ between them.
# ### END MARK SCHEME

# %% [markdown]
# ## Part three: better for the same money
#
# ## Exercise 8: all directions at once (`muon`)
#
# 20 minutes, ★★, 7 points
#
# In chapter 05 a helper updated the matrices of your GPT with Muon; now you write that step. AdamW treats a matrix as a
# bag of numbers. But a weight matrix is a map, and its gradient is nearly of low rank: a few directions carry most of
# it, and all others hardly learn. **Muon** (Jordan and others 2024, [Muon](https://kellerjordan.github.io/posts/muon/))
# replaces the gradient's running mean $M = U S V^\top$ with $U V^\top$: the directions are the same, and all singular
# values are 1. No direction is left behind. Liu and others (2025, [Muon is scalable for LLM
# training](https://arxiv.org/abs/2502.16982)) added the decay and the scale below, and trained 16 billion weights with
# it; [Kimi K2](https://arxiv.org/abs/2507.20534), trained with a variant, has a trillion.
#
# A singular value decomposition in every step would be too slow. But an odd polynomial of a matrix acts on its singular
# values alone: $a X + b (X X^\top) X + c (X X^\top)^2 X$ has the singular values $a s + b s^3 + c s^5$. So divide by
# the norm, which makes all singular values at most 1, and apply a polynomial that pushes them towards 1, five times:
#
# $$X \leftarrow a X + b (X X^\top) X + c (X X^\top)^2 X, \qquad (a, b, c) = (3.4445, -4.7750, 2.0315)$$
#
# ![The polynomial, once and five times: from 0.01 on all values end between 0.68 and 1.13](figures/newton_schulz.svg)
#
# The constants do not lead to exactly 1; they are chosen to be fast for small values (0.002 becomes 0.86, at
# the left of the picture), and "between 0.68 and 1.13" is good enough. By hand, for the number $x = 0.5$ (a matrix
# of one row and one column, not divided by its norm): $3.4445 \cdot 0.5 - 4.775 \cdot 0.125 + 2.0315 \cdot 0.03125 =
# 1.1889$; a second round gives 0.8962.
#
# This is the step of one matrix, with Nesterov's momentum (the new mean, mixed once more with the gradient) and a scale
# that makes it as large as AdamW's steps:
#
# $$M \leftarrow \mu M + (1 - \mu) G, \quad X = \text{orthogonal}\big(\mu M + (1 - \mu) G\big), \quad
# W \leftarrow (1 - \eta \lambda) W - 0.2 \sqrt{\max(n, m)}\; \eta X$$
#
# <details><summary>Plan</summary>In <code>orthogonal</code> work on the wide side: a tall matrix is transposed before
# and after. Divide by the norm of all its numbers plus 1e-7, then apply the polynomial five times, computed from the
# small square matrix X X<sup>T</sup>. In <code>muon_step</code> bring the mean up to date first and use the new one in
# Nesterov's mix; weight decay acts on the old weight.</details>
# <details><summary>Hint</summary>With <code>A = X @ X.T</code> the polynomial is
# <code>a * X + (b * A + c * A @ A) @ X</code>.</details>

# %% exercise="muon"
def orthogonal(matrix: Tensor, steps: int = 5) -> Tensor:
    """Return the matrix (n, m) with all singular values brought near 1, by `steps` rounds of the polynomial.

    It is first divided by (the norm of all its numbers + 1e-7); a matrix of zeros stays zero. The square matrix in the
    polynomial has the smaller side, so a tall matrix is transposed.
    """
    ### BEGIN SOLUTION
    x = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x.T if matrix.shape[0] > matrix.shape[1] else x
    ### END SOLUTION

def muon_step(weight: Tensor, grad: Tensor, state=None, lr=0.02, momentum=0.95, weight_decay=0.1):
    """Return (the matrix (n, m) after one step of Muon, the new state); nothing is changed in place.

    state: None before the first step of this weight, whose mean is then 0; later, what the previous step returned.
    """
    ### BEGIN SOLUTION
    mean = torch.zeros_like(grad) if state is None else state
    mean = momentum * mean + (1 - momentum) * grad
    move = orthogonal(momentum * mean + (1 - momentum) * grad)
    size = 0.2 * math.sqrt(max(weight.shape))
    return (1 - lr * weight_decay) * weight - lr * size * move, mean
    ### END SOLUTION

# %% given
# The check looks at a matrix after one step for each of some gradients.
def moved(*arguments) -> Tensor | dict:
    return probes.moved(muon_step, *arguments)

# %% check="muon" points=7

# %% [markdown]
# ### Muon beside AdamW, by the clock
#
# Muon's step costs more than AdamW's, so equal steps would be unfair. Both get the same seconds here, on the same rows,
# each with the best of three rates. Muon updates the hidden matrices, AdamW all other weights (at a tenth of the rate).

# %% show
from helpers.chapters.training.race import race
from helpers.chapters.training.figures import by_the_clock
SECONDS = 5  ### small: 0.3; gpu: 15
WIDTH = 64  ### small: 32; gpu: 192
RATES = {"AdamW": (1e-3, 2e-3, 4e-3), "Muon": (2e-2, 4e-2, 8e-2)}  ### small: {"AdamW": [1e-2], "Muon": [1e-2]}
curves = race(*plays, muon_step, SECONDS, RATES, WIDTH, SEED)
plots.show(*by_the_clock(curves))
print(f"{SECONDS} seconds for each run of a GPT of width {WIDTH}")
for name, curve in curves.items():
    print(f"{name:<8} held-out loss {curve.held_out:.3f} after {curve.steps} steps, rate {curve.rate:g}")
### BEGIN CLAIMS
from helpers.course.claims import claim
claim("Held-out loss for the same seconds: AdamW above Muon", curves["AdamW"].held_out, curves["Muon"].held_out)
### END CLAIMS

# %% [markdown]
# On two cores a step of Muon takes longer, and its loss was still lower after the same seconds. How much of this is
# left at scale is an open question: Wen and others ([2025](https://arxiv.org/abs/2509.02046)) tuned AdamW as carefully
# as its rivals and found the rivals 1.4 times as fast at 100 million weights, and 1.1 times at a billion.
#
# ## Exercise 9: a law from small runs (`scaling`)
#
# 15 minutes, ★★, 7 points
#
# Nobody trains a large model to see whether it will be good. One trains several small ones, sees that the loss falls
# along a straight line when both axes are logarithmic, and extends the line (Kaplan and others 2020, [Scaling
# laws](https://arxiv.org/abs/2001.08361)). A straight line there is a **power law**:
#
# $$L(N) = a N^{-b} \quad \Leftrightarrow \quad \ln L = \ln a - b \ln N$$
#
# ![Two runs in a logarithmic picture, and a third where the line through them predicts it](figures/power.svg)
#
# The fit is the ordinary least-squares line through the points $(\ln N, \ln L)$. By hand: the losses are 4 and 2 at
# $N = 1000$ and $N = 16{,}000$. Then $b = \ln 2 / \ln 16 = 0.25$ and $a = 4 \cdot 1000^{0.25} = 22.49$; at $N =
# 256{,}000$ the law predicts 1.
#
# How should a budget be spent: on a larger model or on more text? A model of $N$ weights that reads $D$ tokens costs
# about $6 N D$ operations: two for each weight and token forwards, four backwards. Hoffmann and others (2022,
# [Chinchilla](https://arxiv.org/abs/2203.15556)) found that both should grow in proportion, about 20 tokens a weight.
# So a budget of $C$ operations ($C$ is not the width here) is $6 N \cdot 20 N$, and $N = \sqrt{C / 120}$. By hand:
# $C = 1.2 \cdot 10^{12}$ gives $N = 10^5$ and $D = 2 \cdot 10^6$. (Models that will be *used* a lot are trained on far
# more, since a smaller model is cheaper every time it answers.)
#
# <details><summary>Plan</summary>Take the logarithms of both, fit a straight line, and turn its two numbers into a and
# b. The prediction is the formula. For the budget put D = k N into C = 6 N D and solve for N.</details>
# <details><summary>Hint</summary><code>np.polyfit(np.log(sizes), np.log(losses), 1)</code> returns slope and
# intercept.</details>

# %% exercise="scaling"
def fit_power_law(sizes, losses) -> tuple[float, float]:
    """Return (a, b) of L = a N^(-b), by least squares on the logarithms; at least two different sizes, all above 0."""
    ### BEGIN SOLUTION
    slope, intercept = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(intercept)), float(-slope)
    ### END SOLUTION

def predicted_loss(size: float, a: float, b: float) -> float:
    """Return the loss that the law predicts for a model of this size."""
    ### BEGIN SOLUTION
    return a * size**-b
    ### END SOLUTION

def best_split(operations: float, tokens_per_weight: float = 20.0) -> tuple[float, float]:
    """Return (weights N, tokens D) for a budget of 6 N D operations, D = tokens_per_weight * N; neither is rounded."""
    ### BEGIN SOLUTION
    weights = math.sqrt(operations / (6 * tokens_per_weight))
    return weights, tokens_per_weight * weights
    ### END SOLUTION

# %% check="scaling" points=7

# %% [markdown]
# ### Five runs, and the sixth
#
# Six GPTs learn from Shakespeare; each reads 20 characters for each of its weights. The law is fitted to the losses of
# the first five and predicts the sixth, which the fit has not seen. Beside it is the simplest prediction there is: the
# same loss as that of the fifth.

# %% show
from helpers.chapters.training.ladder import ladder
from helpers.chapters.training.figures import law
WIDTHS = (12, 16, 24, 32, 48, 64)  ### small: (8, 12, 16); gpu: (16, 24, 32, 48, 64, 96)
text = data.load("tiny_shakespeare")
sizes, losses = ladder(text, WIDTHS, SEED)
print(f"{sizes[0]:,} to {sizes[-1]:,} weights; the largest reads the text {20 * sizes[-1] / len(text.train):.1f} times")
a, b = fit_power_law(sizes[:-1], losses[:-1])
said = predicted_loss(sizes[-1], a, b)
plots.show(*law(sizes, losses, a, b))
print(f"L = {a:.2f} N^-{b:.3f}; the sixth run ends at {losses[-1]:.4f}")
for name, value in (("the law", said), ("the same loss again", losses[-2])):
    print(f"{name} says {value:.4f} ({value / losses[-1] - 1:+.1%})")
### BEGIN CLAIMS
errors = [abs(value - losses[-1]) for value in (losses[-2], said)]
claim("Error of a predicted loss: the same loss again above the power law", *errors)
### END CLAIMS

# %% [markdown]
# The line is the better guess, and it is cheap: the five runs together cost less than half as much as the sixth. It
# holds only as long as the recipe is the same for all sizes. Change the rate, the batch or the text on the way, and the
# points leave the line; a run that reads its text more than once, as the largest here does, may leave it, too. Nor does
# a line go on for ever: no model's loss falls to 0, as this law's would, and the law of Chinchilla has a floor,
# $L = E + A / N^{\alpha} + B / D^{\beta}$, which takes more runs than these to fit.
#
# ## Exercise 10: what share of the machine do you use? (`flops`)
#
# 10 minutes, ★, 5 points
#
# "My run reads 9,000 tokens a second" says nothing until one knows what the machine could do. The **utilisation**
# (model FLOPs utilisation, Chowdhery and others 2022, [PaLM](https://arxiv.org/abs/2204.02311)) is the share of the
# machine's peak that goes into the products that the model *needs*. Work that is done twice, as in exercise 5, does not
# count.
#
# A block of width $C$ has about $12 C^2$ weights in its matrices: $4 C^2$ in attention, $8 C^2$ in the feed-forward
# network. The output matrix has $V C$. Each weight costs 6 operations a token, as above. Attention itself adds $12 L T
# C$ a token, for scores and weighted averages, forwards and backwards, including what the mask hides:
#
# $$F = 6 (12 L C^2 + V C) + 12 L T C \quad \text{operations a token}$$
#
# By hand: $L = 2$, $C = 10$, $V = 100$, $T = 5$: $6 (2400 + 1000) + 1200 = 21{,}600$. At 1,000 tokens a second that is
# $2.16 \cdot 10^7$ operations a second, 0.216 of a machine that can do $10^8$.
#
# <details><summary>Hint</summary>Two lines, both in the text.</details>

# %% exercise="flops"
def operations_per_token(layers: int, width: int, vocabulary: int, length: int) -> int:
    """Return F, the operations of a GPT's training for each token, forwards and backwards."""
    ### BEGIN SOLUTION
    return 6 * (12 * layers * width**2 + vocabulary * width) + 12 * layers * length * width
    ### END SOLUTION

def utilisation(tokens: int, seconds: float, operations: float, peak: float) -> float:
    """Return the share of the peak (operations a second) that a run of so many tokens in so many seconds has used.

    operations: those of one token.
    """
    ### BEGIN SOLUTION
    return tokens * operations / seconds / peak
    ### END SOLUTION

# %% check="flops" points=5

# %% show
from helpers.chapters.training.speed import peak_of, steps_timed
SIZES = [(2, 64, 128), (4, 128, 128), (4, 256, 256)]  ### small: [(1, 16, 16)]; gpu: [(4, 256, 256), (12, 768, 512)]
SIDE = 1024  ### small: 64; gpu: 8192
peak = peak_of(SIDE)
print(f"this machine's products reach {peak / 1e9:,.0f} billion operations a second")
for layers, width, length in SIZES:
    read, seconds = steps_timed(layers, width, shelf.size, length)
    need = operations_per_token(layers, width, shelf.size, length)
    print(f"{layers} layers, width {width:>3}: {read / seconds:>7,.0f} tokens a second, "
          f"utilisation {utilisation(read, seconds, need, peak):.0%}")

# %% [markdown]
# Wide matrices use the machine better than narrow ones. On a large GPU, 40 to 50 % is considered good.
#
# ## Exercise 11: the same page twice (`near-copies`)
#
# 25 minutes, ★★, 7 points
#
# Text from the web is full of copies, and near copies: the same page with a different date. They waste training time,
# they make a model recite, and a copy of a test text in the training text makes every measurement too good (Lee and
# others 2022, [Deduplicating training data makes language models better](https://arxiv.org/abs/2107.06499)). Exact
# copies are easy to find. For near copies, compare the sets of all sequences of $n$ words, the *shingles*, by their
# **Jaccard similarity** $|A \cap B| / |A \cup B|$. Comparing all pairs of a billion pages is out of the question, and
# two ideas avoid it: MinHash (Broder 1997), and bands, a form of *locality-sensitive hashing* (Indyk and Motwani 1998).
#
# **MinHash.** Let a hash function give each shingle a random number, and keep the smallest one in each document. Two
# documents have the same smallest number exactly if the smallest of their union is in both, and the probability of that
# is their Jaccard similarity. With $k$ hash functions, the share of equal minima estimates it: a *signature* of $k$
# numbers replaces a document.
#
# **Bands.** Cut the signature into bands of $r$ numbers. Two documents are a candidate pair if they agree in *all*
# numbers of at least one band, which needs a dictionary and no comparison of pairs. With $k / r$ bands a pair of
# similarity $s$ is found with probability $1 - (1 - s^r)^{k / r}$, a curve with a steep step.
#
# ![Two documents as sets of shingles, the smallest numbers of both, and the curve of a pair's chance of being
# found](figures/minhash.svg)
#
# By hand: `a b c d` and `a b c e` with $n = 2$ have the shingles {ab, bc, cd} and {ab, bc, ce}: two of four are in
# both, a similarity of 0.5. If a hash function gives ab 7, bc 3, cd 9, ce 1, the minima are 3 and 1.
#
# <details><summary>Plan</summary>Shingles are a set of tuples; a document shorter than n words has one, all of its
# words. The signature is one minimum for each seed. For the candidates put every document into a dictionary under the
# key (band, the numbers of this band); documents under one key are pairs. <code>keep_first</code> goes through the
# documents in order and drops one that forms a candidate pair with an earlier one which was kept, if their signatures
# agree often enough.</details>
# <details><summary>Hint</summary><code>itertools.combinations(sorted(indices), 2)</code>; the share of equal numbers is
# a mean over <code>zip</code>.</details>

# %% exercise="near-copies"
def shingles(words: list[str], n: int) -> set[tuple[str, ...]]:
    """Return all sequences of n consecutive words; all the words, as one sequence, if there are fewer than n."""
    ### BEGIN SOLUTION
    if len(words) < n:
        return {tuple(words)}
    return {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}
    ### END SOLUTION

def signature(items: set, hash_of, seeds) -> list[int]:
    """Return the smallest hash_of(seed, item) over the items, one for each seed, in the order of the seeds."""
    ### BEGIN SOLUTION
    smallest = []
    for seed in seeds:
        smallest.append(min(hash_of(seed, item) for item in items))
    return smallest
    ### END SOLUTION

def candidates(signatures: list[list[int]], band: int) -> set[tuple[int, int]]:
    """Return the pairs (i, j), i < j, of documents whose signatures agree in all numbers of at least one band.

    Documents are not compared in pairs: those that have no band in common never meet. A band is `band` consecutive
    numbers: 0 to band - 1, and so on; the length of a signature is a multiple of it. Equal numbers in different bands
    mean nothing.
    """
    ### BEGIN SOLUTION
    shelves: dict[tuple, list[int]] = {}
    for i, numbers in enumerate(signatures):
        for start in range(0, len(numbers), band):
            shelves.setdefault((start, *numbers[start : start + band]), []).append(i)
    pairs = set()
    for documents in shelves.values():
        for place, j in enumerate(documents):
            pairs.update((i, j) for i in documents[:place])
    return pairs
    ### END SOLUTION

def keep_first(signatures: list[list[int]], band: int, threshold: float) -> list[int]:
    """Return the indices of the documents that stay, in order.

    A document goes if it is a candidate pair with an earlier one that stays and the share of equal numbers of the two
    signatures is at least `threshold`.
    """
    ### BEGIN SOLUTION
    pairs, kept = candidates(signatures, band), []
    for j, numbers in enumerate(signatures):
        copies = False
        for i in kept:
            if (i, j) in pairs:
                equal = sum(a == b for a, b in zip(signatures[i], numbers, strict=True))
                copies = copies or equal >= threshold * len(numbers)
        if not copies:
            kept.append(j)
    return kept
    ### END SOLUTION

# %% given
# The check looks at the pairs that your `candidates` finds, and at how many numbers it compares. A dictionary compares
# equal ones alone.
def found_and_compared(signatures: list[list[int]], band: int) -> tuple[set, int]:
    return probes.found_and_compared(candidates, signatures, band)

# %% check="near-copies" points=7

# %% [markdown]
# ### What copies cost
#
# Here forty of 250 documents are copied twelve times each, and every copy lacks a few words, so that no two are equal.
# Three models take the same number of steps: one on the documents as they are, one on these and their copies, and one
# on what your filter leaves of both.

# %% show
from helpers.chapters.training.copies import hash_of, mixtures, trained_on
STEPS = 120  ### small: 2
found, texts = mixtures(shelf, lambda words: signature(shingles(words, 3), hash_of, range(32)),
                        lambda signatures: keep_first(signatures, 4, 0.7))
print(found)
losses = trained_on(texts, shelf, pack, packed_targets, STEPS, SEED)
for name, loss in losses.items():
    print(f"{name:<32} held-out loss {loss:.3f}")
### BEGIN CLAIMS
_, with_copies, filtered = losses.values()
claim("Held-out loss of the docs: with copies above without them, by the filter", with_copies, filtered)
### END CLAIMS

# %% [markdown]
# Two thirds of the second model's text is the same forty documents over and over, and it is the worst on text that it
# has not seen. A few copies get past the filter: the chance of being found is a curve, not a step.
#
# ### What a quality filter decides
#
# Most pages of a crawl are not what one wants to read. Here a third of the pages are from the docs, and the others from
# mail and from an encyclopedia. Two filters choose. Gopher's data kept pages that follow *rules* of good prose: the
# length of words, the share of words with letters, at least two of eight common words (Rae and others 2021, [Scaling
# language models](https://arxiv.org/abs/2112.11446)). GPT-3's filter was learned *by example*, a logistic regression on
# counted words, as in chapter 01: texts known to be good are one class, and unsorted pages the other. Three models read
# for the same number of steps, and all three are judged on documents from the docs.

# %% show
from helpers.chapters.training.quality import chosen
PAGES = 900  ### small: 900; gpu: 3000
STEPS = 120  ### small: 2; gpu: 400
texts, kept = chosen(shelf, data.load("inbox"), data.load("wikitext2"), PAGES, SEED)
judged = trained_on(texts, shelf, pack, packed_targets, STEPS, SEED)
for name, loss in judged.items():
    print(f"{name:<20} {kept[name]:<40} held-out loss {loss:.3f}")
### BEGIN CLAIMS
as_it_is, by_rules, by_example = judged.values()
claim("Held-out loss of the docs: a crawl as it is above what a filter by example keeps", as_it_is, by_example)
### END CLAIMS

# %% [markdown]
# The rules throw out docs, which are full of signatures and code, and keep most of the encyclopedia: they know what
# prose looks like, and nobody told them that docs are wanted. With the rules the loss ends near that of the whole
# crawl, above or below it depending on the seed. The filter by example knows what is wanted, and is far ahead.
# "Quality" is nearness to the text by which you will judge, and the person who picks the examples decides it.
#
# ## Exercise 12: the run (`run`)
#
# 25 minutes, ★★★, 7 points
#
# Now all of it together. Your loop gets a model, a PyTorch optimiser, and batches already cut into pieces; it sets the
# rate of each step, accumulates, clips, skips a step whose gradient is not finite, keeps a checkpoint, and goes on from
# one if there is one.
#
# By hand: 10 steps, a checkpoint every 4. A first run is killed in step 6. The second one finds the checkpoint of step
# 4, restores it, and takes steps 4 to 9; the losses that it returns are those of steps 4 to 9. (Steps 4 and 5 are taken
# twice: anything that is not in a checkpoint is lost.)
#
# <details><summary>Plan</summary>Restore if the file is there, else begin with step 0. In each step put the rate into
# every <code>group["lr"]</code> of <code>optimizer.param_groups</code>; draw the pieces of the batch; call
# <code>accumulate</code> and <code>clip_gradients</code>; step the optimiser only if the norm is finite; note the loss;
# and after every <code>every</code> steps write a snapshot.</details>
# <details><summary>Hint</summary><code>torch.load(path, weights_only=True)</code> reads what
# <code>write_safely</code> wrote.</details>

# %% exercise="run"
def run(model: nn.Module, optimizer, draw, loss_sum, count, steps: int, rate, clip: float, path: Path, every: int):
    """Train until step `steps`; return (the losses of the steps taken here, how many steps were skipped).

    draw: draw(generator) is the next batch, a list of pieces; the generator is a torch.Generator of seed 0 at the
    beginning of a run. loss_sum, count: as for `accumulate`. rate: rate(t) is the learning rate of step t. clip: as for
    `clip_gradients`. path: where the checkpoint is kept; if a file is there, the run goes on from it. A snapshot is
    written there whenever the number of steps taken since the beginning of the whole run is a multiple of `every`. A
    step whose gradient has a norm that is not finite moves nothing: neither the weights nor the optimiser's averages
    (only its rate is set). It counts as a step all the same, and its loss is in the list. If the file's step is
    `steps` already, it is restored, and nothing is left to do: ([], 0). The model's mode (train or eval) stays as it
    is.
    """
    ### BEGIN SOLUTION
    generator = torch.Generator().manual_seed(0)
    first, losses, skipped = 0, [], 0
    if path.exists():
        first = restore(torch.load(path, weights_only=True), model, optimizer, generator)
    for step in range(first, steps):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        losses.append(accumulate(model, draw(generator), loss_sum, count))
        if math.isfinite(clip_gradients(model.parameters(), clip)):
            optimizer.step()
        else:
            skipped += 1
        if (step + 1) % every == 0:
            write_safely(snapshot(model, optimizer, generator, step + 1), path)
    return losses, skipped
    ### END SOLUTION

# %% given
# The check looks at small runs, some of them killed.
def small_run(*arguments, **options) -> dict:
    return probes.small_run(run, *arguments, **options)

# %% check="run" points=7

# %% [markdown]
# ### Killed in the middle
#
# The next cell trains a GPT on the packed docs, with warm-up, a stable rate and decay, with batches in pieces, and with
# clipping. One run is never stopped. Another is killed after three quarters and started again with new objects, as
# after a crash. Both should end with the same bits. (This cell stays on the CPU. On a GPU, dropout draws from the GPU's
# own generator, and its state belongs in the snapshot, too: `torch.cuda.get_rng_state_all()`.)

# %% show
from helpers.chapters.training.final import Rows, final_run
STEPS = 60  ### small: 6
rows = Rows(tokens, owners, packed_mask, packed_positions, packed_targets)
whole = final_run(run, shelf.size, rows, warmup_stable_decay, STEPS, SEED)
again = final_run(run, shelf.size, rows, warmup_stable_decay, STEPS, SEED, killed_at=3 * STEPS // 4)
print(f"loss {whole.losses[0]:.2f} -> {whole.losses[-1]:.2f} in {whole.seconds:.0f} s; "
      f"{whole.tokens / whole.seconds:,.0f} tokens a second")
print(f"killed after step {3 * STEPS // 4}, resumed from step {again.resumed}: largest difference of a weight "
      f"{(whole.weights - again.weights).abs().max():.2g}")

# %% [markdown]
# ### `fit`, read part by part
#
# `helpers.training.fit` has trained your models since chapter 01, and you now know each of its parts:
#
# | part of `fit` | module in `helpers/training` | yours |
# |---|---|---|
# | rate | `optim.py` | `warmup_cosine` (05), `warmup_stable_decay` |
# | pieces (by rows), doubled where memory is short | `gradients.py`, `out_of_memory.py` | `accumulate` (by targets) |
# | clipping | `run.py` | `clip_gradients` |
# | bf16, fp16 with a scaler | `precision.py` | `scaled_gradients`, `next_scale` |
# | checkpoint, all state, atomic | `checkpoint.py`, `random_state.py` | `snapshot`, `restore`, `write_safely` |
# | several processes | `setup.py` | `shares`, `average_gradients`, `ring_sum` |
# | stop early, keep the best | `early_stopping.py` | watches the evaluations of your loop (03) |
#
# ## Essay 2: a budget (`budget`)
#
# 20 minutes, ★★, 10 points, graded by hand
#
# You may use your machine for 24 hours. From the numbers above (the law, the utilisation, tokens a second) plan a run:
# how many operations is that, how large a model and how many tokens do you choose, what loss does the law predict, and
# how far do you extend the line beyond what was measured? (Plan for characters of Shakespeare, since the law is about
# these, and take the speed of the widest model.) Name one reason why the law may fail there. Which parts of this
# chapter does this run need, which does it not need, and why? About 150 words.

# %% [markdown] essay="budget" points=10
# ### BEGIN SOLUTION
# My machine's products reach 190 billion operations a second, and the widest model used 0.55 of that. In 86,400 seconds
# this is C = 9.0e15. With 20 tokens for each weight, N = sqrt(C / 120) = 8.7 million weights and D = 170 million
# characters. The law predicts 1.23 nats a character, but the largest of its runs had 60,000 weights: I extend it 150
# times beyond that. It will fail: a straight line goes to 0 in the end, and no text can be predicted without error.
# Before that, Shakespeare is only a million characters long, and reading them 170 times is not the same as new text. I
# need the schedule, clipping, and above all checkpoints, since a laptop does not stay awake for a day; packing if the
# text comes in documents, and the filter for copies, or my held-out loss is too good. I do not need replicas (one
# machine), 16 bits (they do not make this CPU faster), recomputing or pieces, since a model of this size fits into
# memory.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: operations, weights and tokens follow from one another and from the numbers that the machine printed.
# 2 points: the loss that the law predicts, and how many times beyond the largest of its runs.
# 2 points: a reason to doubt the law there that applies to this run: a floor, text read many times, another rate.
# 2 points: at least two parts that are needed and two that are not, each with a reason that applies to this run.
# ### END MARK SCHEME

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what is left
#
# A run that reads documents without mixing them, steps at the right rate, fits into memory, survives a crash, is the
# same on one machine and on two, and whose result you can predict. The rest of the way to a model of today is
# engineering of the same kind at a larger scale: weights themselves divided among machines (tensor and pipeline
# parallelism, ZeRO), faster kernels, and a great deal of work on the data.

# %% [markdown] text="further"
