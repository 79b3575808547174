# %% [markdown]
# # 09 LoRA: adapt a model for little
#
# **What you will build.** The ways to teach a finished model something new: all of its weights, a few of them, small
# networks between its layers, and the low-rank updates of LoRA, each measured by what it costs and by what it makes
# the model forget. With LoRA you turn the docs-gpt into a reader that answers questions. Then preferences: a reward
# model, DPO and reinforcement learning with a leash. At the end everything of this course stands in one cell: your
# tokenizer, your GPT, your encoder, a retriever and your adapter.
#
# **What you need.** The GPT of [chapter 05](../05_transformers/05_transformers.ipynb), retrieval from
# [chapter 08](../08_rag/08_rag.ipynb), the artifacts *docs-tokenizer* and *docs-gpt* (yours if you have saved them,
# else the reference ones).
#
# **Points.** 100: thirteen exercises checked by machine (80) and two short essays (20). Allow about six hours. The
# whole notebook, once written, runs in about three minutes on two cores.
#
# Notation: $W$ is a weight matrix (out, in) as `nn.Linear` holds it, a layer computes $x W^\top + b$; $r$ is the rank
# of an adapter; $\pi$ a model that is trained, $\pi_\mathrm{ref}$ the one it began from, whose weights stay.

# %% given
from functools import cache, partial
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import data, plots, pretrained
from helpers.assistant import capstone
from helpers.checks import gradients
from helpers.course import SEED, artifacts, benchmarks, notebook, seed_everything
from helpers.experiments.lora import adaptation, answer_likelihood, assistant_report, bias_probe, few_labels, low_rank
from helpers.experiments.lora import instruction_tuning, manners, peft_comparison, short_answers, token_rows
from helpers.figures import adaptation as figures
from helpers.models import adapters, gpt_classifier
from helpers.models.adaptable_gpt import PROJECTIONS, OpenGPT
from helpers.models.gpt import chosen, model_of, tokenizer_of
from helpers.search.task import docs_task
from helpers.training import fit

notebook.prepare("09_lora")

# %% [markdown]
# ## What is trained, and what that costs
#
# *docs-gpt* has read the docs. Now it should mark spam. The plain way is **full fine-tuning**: go on training, all
# weights, on the new task. It works, and it has three prices. *Memory*: AdamW keeps two numbers beside each weight,
# and the gradient is a third. *Storage*: each task has a whole model. *Forgetting*: nothing holds the weights where the
# docs had put them.
#
# All three shrink if fewer weights move: train only a new output layer (the *head*), or also the blocks next to it, or
# only the biases (BitFit).
#
# ## Exercise 1: choose what is trained (`what-to-train`)
#
# 15 minutes, ★, 5 points
#
# A model's parameters have names such as `token_embedding.weight`, `blocks.0.linear1.bias`, `final_norm.weight` and
# `head.weight`. `trained_names(names, method, num_layers, top)` returns a list of the names that are trained, in the
# order in which they came:
#
# - `"full"`: all;
# - `"head"`: those that begin with `head.`;
# - `"top"`: those of the head, of `final_norm`, and of the last `top` blocks (of 12 blocks, the last two are
#   `blocks.10.` and `blocks.11.`); with `top = 0`, no block;
# - `"biases"`: those of the head, and every name that ends in `.bias`.
#
# `training_bytes(sizes, trained, states)` returns the bytes that training holds besides activations. `sizes` says how
# many numbers each parameter has. All parameters are in memory; for each trained number there is a gradient, and
# `states` numbers of the optimiser (AdamW: 2, plain SGD: 0). Each number takes 4 bytes.
#
# By hand: 10 numbers, of which 3 are trained with AdamW: 10 weights, 3 gradients, 6 states: 19 numbers, 76 bytes.
#
# <details><summary>Hint 1</summary>The numbers of the last blocks are <code>range(num_layers - top,
# num_layers)</code>.</details>
# <details><summary>Hint 2</summary><code>str.startswith</code> takes a tuple of beginnings, too.</details>

# %% exercise="what-to-train"
def trained_names(names: list[str], method: str, num_layers: int, top: int = 1) -> list[str]:
    """Return those of `names` that `method` ("full", "head", "top" or "biases") trains, in their order."""
    ### BEGIN SOLUTION
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.startswith("head.") or name.endswith(".bias")]
    begins = ["head."]
    if method == "top":
        begins += ["final_norm.", *(f"blocks.{i}." for i in range(num_layers - top, num_layers))]
    return [name for name in names if name.startswith(tuple(begins))]
    ### END SOLUTION


def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    """Return the bytes of all weights, and of gradients and optimiser states of the trained ones, 4 for each number."""
    ### BEGIN SOLUTION
    return 4 * (sum(sizes.values()) + (1 + states) * sum(sizes[name] for name in trained))
    ### END SOLUTION

# %% check="what-to-train" points=5

# %% [markdown]
# What each way trains of the reference docs-gpt with a head of two outputs, and what its training holds.

# %% show exact=true
reference = artifacts.load("docs-gpt", own=False)
print(adaptation.cost_table(reference, trained_names=trained_names, training_bytes=training_bytes))

# %% [markdown]
# ## Exercise 2: a bottleneck adapter (`bottleneck`)
#
# 12 minutes, ★, 5 points
#
# Another way: leave the model as it is and put small new networks between its layers. An **adapter** (Houlsby and
# others, 2019) squeezes each token's vector through a bottleneck of $m \ll C$ numbers and adds what comes out:
#
# $$\mathrm{adapter}(x) = x + \mathrm{GELU}(x D^\top + d)\, U^\top + u,\qquad D: (m, C),\quad U: (C, m)$$
#
# It must begin as the **identity**, or it would first destroy what the model knows. So $U$, $u$ and $d$ begin at 0, and
# $D$ at small random numbers, normal with standard deviation 0.02. (Both matrices 0 would not do: then the gradient of
# both is 0, and nothing ever moves.)
#
# `bottleneck_start(d_model, m, generator)` returns `(D, d, U, u)`, float32; draw $D$ with the generator
# (`torch.randn(shape, generator=generator)`). `bottleneck(x, D, d, U, u)` takes x $(\ldots, C)$ and returns a new
# tensor of the same shape; GELU is the exact one, `F.gelu`. The gradient of all five must flow.
#
# <details><summary>Hint 1</summary><code>F.linear(x, D, d)</code> is <code>x @ D.T + d</code>.</details>

# %% exercise="bottleneck"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    ### BEGIN SOLUTION
    down = 0.02 * torch.randn(m, d_model, generator=generator)
    return down, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)
    ### END SOLUTION


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    ### BEGIN SOLUTION
    return x + F.linear(F.gelu(F.linear(x, D, d)), U, u)
    ### END SOLUTION

# %% given
# What checks ask of your functions beside their values: the gradient for each tensor of floats but the `fixed`.
def slopes(function, *arguments, fixed=()) -> list[torch.Tensor]:
    return gradients.slopes(function, *arguments, fixed=fixed)

# %% check="bottleneck" points=5

# %% [markdown]
# ## LoRA
#
# An adapter between the layers is one more thing to compute in each pass, for ever. LoRA (Hu and others, 2022) puts it
# *beside* a matrix instead. Fine-tuning moves a weight matrix from $W$ to $W + \Delta W$. The move turns out to need
# few directions: it has a low *intrinsic rank*. So write it as a product of two thin matrices from the start, and train
# only those:
#
# $$y = x W^\top + b + \frac{\alpha}{r}\, \mathrm{dropout}(x)\, A^\top B^\top,\qquad A: (r, \mathrm{in}),\quad B:
# (\mathrm{out}, r)$$
#
# For $W_Q$ of the docs-gpt, 192 by 192, rank 4 trains $2 \cdot 4 \cdot 192 = 1{,}536$ numbers in place of 36,864. $B$
# begins at 0, so training begins at the model as it was. The factor $\alpha / r$ is meant to spare you a new learning
# rate when you try another rank; at high ranks it makes the update too small, and $\alpha / \sqrt{r}$ does better
# (Kalajdzievski, 2023).
#
# By hand: $x = (1, 2)$, $A = (3, 1)$, $B = (2, 0, -1)^\top$, $r = 1$, $\alpha = 0.5$. $x A^\top = 5$, times $B^\top$:
# $(10, 0, -5)$, times 0.5: $(5, 0, -2.5)$ is added to $x W^\top + b$.
#
# ## Exercise 3: the LoRA layer (`lora`)
#
# 25 minutes, ★★, 10 points
#
# `LoRALinear(base, r, alpha, dropout)` is a module that takes the place of `base`, an `nn.Linear` (with or without a
# bias). It has
#
# - `base`: that very layer, with all of its parameters frozen (`requires_grad` False);
# - `A` $(r, \mathrm{in})$ and `B` $(\mathrm{out}, r)$: parameters, in the dtype of the base's weight. `A` begins
#   uniform between $\pm 1 / \sqrt{\mathrm{in}}$ (as the library peft has it), `B` at 0;
# - `scale`: the number $\alpha / r$;
# - `merged`: False at first. The next exercise adds the update to the base's weight itself and sets this to True; then
#   the layer returns what its base returns, with no update and no dropout beside it.
#
# Dropout acts on the *input of the low-rank path* only, and in training only: the path through the base gets the whole
# $x$. A `nn.Dropout` module does all that. Compute $(x A^\top) B^\top$, not $x (BA)^\top$: the product $BA$ is as large
# as $W$ itself.
#
# <details><summary>Hint 1</summary><code>nn.Parameter(torch.zeros(...))</code> registers a weight;
# <code>base.requires_grad_(False)</code> freezes a module.</details>
# <details><summary>Hint 2</summary><code>nn.init.uniform_(tensor, low, high)</code> fills in place.</details>
# <details><summary>Hint 3</summary><code>self.base(x) + self.scale * F.linear(F.linear(self.dropout(x), self.A),
# self.B)</code>, unless it is merged.</details>

# %% exercise="lora"
class LoRALinear(nn.Module):
    """A frozen linear layer and a low-rank update beside it."""

    def __init__(self, base: nn.Linear, r: int, alpha: float, dropout: float = 0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.base = base.requires_grad_(False)
        like = {"dtype": base.weight.dtype, "device": base.weight.device}
        bound = 1 / math.sqrt(base.in_features)
        self.A = nn.Parameter(torch.empty(r, base.in_features, **like).uniform_(-bound, bound))
        self.B = nn.Parameter(torch.zeros(base.out_features, r, **like))
        self.dropout = nn.Dropout(dropout)
        self.scale = alpha / r
        self.merged = False
        ### END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (..., out) for x (..., in)."""
        ### BEGIN SOLUTION
        y = self.base(x)
        if self.merged:
            return y
        return y + self.scale * F.linear(F.linear(self.dropout(x), self.A), self.B)
        ### END SOLUTION

# %% given
# What the check asks of your class: whether it holds the very layer that it was given, gradients, a merged layer.
def keeps_base(base: nn.Linear) -> bool:
    return LoRALinear(base, 2, 4.0).base is base


def gradients_of(module: nn.Module, x: torch.Tensor, target: torch.Tensor) -> dict:
    return gradients.gradients_of(module, x, target)


def marked_merged(layer: LoRALinear) -> LoRALinear:
    layer.merged = True  # as the next exercise will do it
    return layer

# %% check="lora" points=10

# %% [markdown]
# The library for this is **peft**. The next cell puts its LoRA on each of $W_Q, W_K, W_V, W_O$ of the docs-gpt with
# your layer's weights, and compares outputs and gradients. `docs_gpt` is your own from chapter 05 if you have saved one
# that sees enough tokens at once, else the reference; `opened` gives it with a linear layer for each of the four
# matrices; `put_lora` exchanges those whose names end in one of `targets` for your `LoRALinear`.

# %% given
docs_gpt = chosen()  # a passage, a question and an answer must fit in


def opened() -> OpenGPT:
    """Return a fresh docs-gpt with a linear layer for each projection."""
    return OpenGPT(model_of(docs_gpt))


def put_lora(model: nn.Module, r: int, alpha: float, targets=PROJECTIONS) -> nn.Module:
    """Freeze a model and put a LoRALinear in place of each layer whose name ends in a target; returns the model."""
    names = adapters.ending_in(model.requires_grad_(False), targets)
    return adapters.exchange(model, names, lambda layer: LoRALinear(layer, r, alpha))

# %% show
RANKS = [1, 4, 16]  ### small: [4]
peft_comparison.print_table(opened, put_lora, PROJECTIONS, RANKS)

# %% [markdown]
# ## Exercise 4: merge and unmerge (`merge`)
#
# 15 minutes, ★★, 7 points
#
# When training is done, the update can move into the weight: $W' = W + \frac{\alpha}{r} B A$. The merged layer costs
# exactly what the old one did, and gives the same outputs. To change it back, subtract the same matrix.
#
# `merge(layer)` and `unmerge(layer)` work on a `LoRALinear` in place and return nothing. `merge` adds the update to
# `layer.base.weight` and sets `merged`; a layer that is merged already stays as it is. `unmerge` does the reverse; one
# that is not merged stays as it is. `A` and `B` stay as they are, and the base stays frozen. Neither changes
# whether the layer is in training, or depends on it; in a merged layer there is nothing left to drop.
#
# <details><summary>Hint 1</summary>Changing a parameter in place needs <code>with torch.no_grad():</code>, or
# <code>layer.base.weight.data</code>.</details>

# %% exercise="merge"
def merge(layer: LoRALinear) -> None:
    """Add the update to the base's weight, in place, unless that is done already."""
    ### BEGIN SOLUTION
    if not layer.merged:
        with torch.no_grad():
            layer.base.weight += layer.scale * layer.B @ layer.A
        layer.merged = True
    ### END SOLUTION


def unmerge(layer: LoRALinear) -> None:
    """Take the update out of the base's weight, in place, if it is there."""
    ### BEGIN SOLUTION
    if layer.merged:
        with torch.no_grad():
            layer.base.weight -= layer.scale * layer.B @ layer.A
        layer.merged = False
    ### END SOLUTION

# %% check="merge" points=7

# %% [markdown]
# ## Exercise 5: many adapters, one base (`adapters`)
#
# 15 minutes, ★★, 5 points
#
# A base of 3.4 million weights and an adapter of 30 thousand: ten tasks are ten small files beside one large one. They
# can be exchanged while the base stays in memory, and even mixed:
#
# $$W' = W + \sum_i s_i \frac{\alpha_i}{r_i} B_i A_i$$
#
# `adapter_state(state)` takes a model's `state_dict` and returns a dict of those entries alone whose name ends in `.A`
# or `.B`, in their order. `combined(weight, adapters, shares)` returns a new tensor, $W'$: `adapters` maps a name to
# `(A, B, alpha)`, and the rank of each is the number of rows of its A; `shares` maps some of these names to $s_i$. An
# adapter that `shares` does not name has no part in it.
#
# <details><summary>Hint 1</summary>Walk over <code>shares</code>, not over <code>adapters</code>.</details>

# %% exercise="adapters"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the entries of a state_dict that belong to LoRA layers: names that end in .A or .B."""
    ### BEGIN SOLUTION
    return {name: value for name, value in state.items() if name.endswith((".A", ".B"))}
    ### END SOLUTION


def combined(
    weight: torch.Tensor, adapters: dict[str, tuple[torch.Tensor, torch.Tensor, float]], shares: dict[str, float]
) -> torch.Tensor:
    """Return weight (out, in) plus each named share of an adapter's update, a new tensor."""
    ### BEGIN SOLUTION
    total = weight.clone()
    for name, share in shares.items():
        A, B, alpha = adapters[name]
        total += share * alpha / A.shape[0] * B @ A
    return total
    ### END SOLUTION

# %% check="adapters" points=5

# %% [markdown]
# ## Exercise 6: a base of whole numbers (`int8`)
#
# 20 minutes, ★★, 7 points
#
# The base never changes, so it need not be kept in 32 bits. **Int8**: each row of $W$ (the weights of one output) gets
# a scale $s = \max |w| / 127$, and each weight becomes the whole number nearest to $w / s$, from -127 to 127. One byte
# in place of four, and one scale a row. QLoRA (Dettmers and others, 2023) goes on to four bits; the idea is the same:
# *the base is coarse, the adapter is exact*.
#
# `quantize(weight)` returns `(q, scales)`: `q` int8 of the shape of `weight` (out, in), `scales` float32 (out,). Round
# with `torch.round` (halves go to the even number). A row of zeros gets the scale 1.
#
# `int8_lora(x, q, scales, bias, A, B, scale)` returns what the layer computes: the base's output with the weights
# $s \cdot q$, plus `scale` times the low-rank update, $(\ldots, \mathrm{out})$. The gradient of A and B must flow.
#
# By hand: the row (0.5, -2.54, 1.0) has $s = 0.02$ and becomes (25, -127, 50).
#
# <details><summary>Hint 1</summary><code>weight.abs().amax(dim=1)</code> gives one number for each row.</details>
# <details><summary>Hint 2</summary><code>q.float() * scales[:, None]</code> are the weights again; or multiply the
# output by <code>scales</code>, which comes to the same.</details>

# %% exercise="int8"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    ### BEGIN SOLUTION
    scales = weight.abs().amax(dim=1) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]).to(torch.int8), scales.float()
    ### END SOLUTION


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    ### BEGIN SOLUTION
    base = F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias)
    return base + scale * F.linear(F.linear(x, A), B)
    ### END SOLUTION

# %% check="int8" points=7

# %% [markdown]
# What the whole base weighs now, and what the rounding does to its logits: almost nothing.

# %% given
EVERY = (*PROJECTIONS, "linear1", "linear2")


def put_int8(model: nn.Module) -> nn.Module:
    """Put a quantised base, made by your functions, under each LoRALinear of a model; returns the model."""
    names = [name for name, layer in model.named_modules() if isinstance(layer, LoRALinear)]
    return adapters.exchange(model, names, lambda layer: adapters.Int8LoRA(layer, quantize=quantize, compute=int8_lora))

# %% show
plain, coarse = opened(), put_int8(put_lora(opened(), 4, 8, targets=EVERY))
sample = torch.randint(8000, (2, 32))
with torch.no_grad():
    apart = (plain(sample) - coarse(sample)).abs().max().item()
print(f"the blocks in float32: {adapters.megabytes(plain.blocks):.2f} MB; in int8 with LoRA of rank 4: "
      f"{adapters.megabytes(coarse.blocks):.2f} MB; logits differ by at most {apart:.3f}")

file = adapter_state(put_lora(opened(), 1, 2, targets=("q_proj", "v_proj")).state_dict())
share = sum(v.numel() for v in file.values()) / sum(p.numel() for p in plain.parameters())
print(f"an adapter of rank 1 on the queries and values: {len(file)} tensors, {share:.2%} of the base")

# %% [markdown]
# ## One task, nine ways
#
# Now the comparison. The task is spam in the inbox, the model docs-gpt with a new head on the mean of the tokens'
# vectors. Each way is trained on the same messages for the same number of steps. Then five things are measured: how
# many numbers are trained; the most memory that tensors hold in one step; the seconds; F1 on test messages; and
# **forgetting**: how many times larger the perplexity on held-out documents of the docs has become (1.0: nothing was
# forgotten).
#
# First, what each way lets move. The nine are `full`, `head`, `top`, `biases` of exercise 1, bottlenecks of 8 numbers
# behind the attention and the feed-forward network of each block, LoRA of rank 1, 4 and 16, and LoRA of rank 4 on a
# base in int8. The new head is always trained.

# %% show
def prepared(kind: str, size: int) -> nn.Module:
    """Return docs-gpt with a head, ready to be trained in one way: what may move has requires_grad."""
    model = gpt_classifier.GPTClassifier(opened())
    if kind in ("lora", "int8"):
        put_lora(model.body, size, 2 * size)
        return put_int8(model) if kind == "int8" else model
    method, layers = "head" if kind == "bottleneck" else kind, len(model.body.blocks)
    model.train_only(trained_names(list(model.weights()), method, layers))
    if kind == "bottleneck":
        adapters.fill_sockets(model.body, size, start=bottleneck_start, compute=bottleneck)
    return model

# %% show
MESSAGES = 500  ### small: 100
ROWS = 24  ### small: 4
tokens = token_rows.Tokens(tokenizer_of(docs_gpt))
train, test = data.load("inbox").without_repeats().split(test=0.2, seed=SEED)
mail = adaptation.labelled(tokens, train, 2000), adaptation.labelled(tokens, test, MESSAGES)
held_out = tokens.joined([d.text for d in data.load("docs").split("test")[:40]], 128)[:ROWS]
study = adaptation.Study(*mail, held_out, body=opened(), prepared=prepared)

# %% [markdown]
# On a CPU one seed runs here; with `SEEDS = 5` the cell takes some four minutes. Over five seeds the reference docs-gpt
# came to an F1 of 0.70 to 0.79 by full fine-tuning, 0.61 to 0.65 by LoRA of rank 4, 0.55 to 0.62 by the head alone
# (`pytest tests/benchmarks/test_nine_ways.py -s` prints them all): ways that lie nearer together than their seeds
# cannot be told apart by one run.

# %% show
SEEDS = 1  ### small: 1; gpu: 5
STEPS = 80  ### small: 3
measured = {way: [study.run(way, seed, STEPS) for seed in range(SEED, SEED + SEEDS)] for way in adaptation.WAYS}
print(adaptation.table(measured))
plots.show(*figures.ways(measured))
### BEGIN CLAIMS
from helpers.course.claims import claim

f1, forgotten = ({way: [getattr(run, name) for run in runs] for way, runs in measured.items()}
                 for name in ("f1", "forgetting"))
claim("F1 of spam: full fine-tuning above the head alone", f1["full"], f1["head"])
claim("Perplexity on the docs, times before (negative): LoRA r=16 forgets less than full fine-tuning",
      [-v for v in forgotten["LoRA r=16"]], [-v for v in forgotten["full"]])
### END CLAIMS

# %% [markdown]
# Is the update really of low rank? Full fine-tuning may move each matrix as it likes. Here are the singular values of
# the move of $W_Q, W_K, W_V, W_O$ in the last block, beside those of the matrix itself, each divided by its largest.

# %% show
before, after = opened().blocks[-1].attention, measured["full"][0].model.body.blocks[-1].attention
moves = low_rank.moves(before, after, PROJECTIONS)
curves = {f"move of {name}": low_rank.spectrum(move) for name, move in moves.items()}
curves["q_proj itself"] = low_rank.spectrum(before.q_proj.weight)
places = range(1, 1 + len(before.q_proj.weight))
fig, alt = plots.lines(places, curves, "number of the singular value", "share of the largest")
plots.show(fig, f"Singular values of what full fine-tuning moved in the last block, each divided by its largest. {alt}")
print("directions that hold 90% of the move, of 192:", low_rank.counted(moves))

# %% [markdown]
# ## Essay 1: what would you train?
#
# 20 minutes, ★★, 10 points, graded by hand
#
# (a) Read the table and both figures. Which way is best by F1, which forgets least, and which would you choose for
# twenty tasks on one machine of 16 GB? Give numbers. (b) *Only the head* forgets nothing. Why, and why is LoRA's
# perplexity on the docs not exactly 1.0, though its base is frozen? How do you get the old model back, and how long
# does that take? (c) The memory of LoRA falls by less than the number of trained parameters. What is the rest made of,
# and what would make it smaller? About 180 words.

# %% [markdown] essay="what-to-train-and-why" points=10
# ### BEGIN SOLUTION
# (a) With so few steps full fine-tuning has the best F1, 0.70 for me, and by far the largest price: the perplexity on
# the docs is 1.7 times what it was, and training holds twice the memory. LoRA of rank 4 or 16 comes to 0.64 and 0.66,
# the head alone to 0.59; other seeds move these by 0.05, so I would not call one rank the better. LoRA forgets least of
# those that touch the body, times 1.01 and 1.06. For twenty tasks I would take rank 4: the base is in memory once, each
# task is some 25 thousand numbers, less than 1% of it, and switching costs a few additions; and I would give it more
# steps. The move's singular values say why so few numbers go so far: a few directions hold 90% of it. (b) The head
# stands behind the body, whose weights nothing touched: the docs are read as before. LoRA leaves W but adds BA to what
# each layer gives, so the adapted model is another model; unmerge or switch the adapter off and it is the old one,
# exactly, at once. After full training the old model is gone unless a copy was kept. (c) The weights themselves and the
# activations that backward needs remain, for gradients must flow through all layers down to the lowest adapter. Int8
# makes the first smaller, shorter texts, smaller batches, checkpointing or adapters in the upper blocks alone the
# second.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: F1, forgetting and memory compared with numbers of the own table, and a choice that follows from them.
# 3 points: head: the body is unchanged; LoRA changes the function, not W; switched off, the old model is back exactly.
# 2 points: memory: weights and activations stay; gradients flow through the frozen layers.
# 2 points: one or two sound ways to reduce the rest (int8, fewer layers, checkpointing, shorter batches).
# ### END MARK SCHEME

# %% [markdown]
# ## A reader, by instructions
#
# A language model goes on with a text. Ask docs-gpt *"What is the default of axis in numpy.mean?"* and it may go on
# with another question. **Instruction tuning** teaches the form: here is a passage, here is a question, now comes the
# answer, and then the end.
#
# Three details decide whether it works. *The template* is the same, to the character, in training and in use. *The
# loss* counts the answer only: the model should learn to answer, not to ask. And *packing* puts several short examples
# into one row, so that little of a batch is padding, without letting one example see another.
#
# ## Exercise 7: template, labels, packing (`template`)
#
# 30 minutes, ★★★, 8 points
#
# `example_of(prompt, answer, end_id)` takes two lists of ids and returns `(ids, labels)`, two lists of the same length:
# `ids` is the prompt, the answer and `end_id`; `labels` holds -100 for each token of the prompt, and the id itself for
# each token of the answer and for the end. (The label stands *at* the token; the shift by one comes in the loss.)
#
# `answer_loss(logits, labels)` takes logits (B, T, V) and labels (B, T) and returns the mean cross-entropy, in nats,
# over all tokens with a label: the logits at place $t$ predict the label at $t + 1$. Its gradient flows, and large
# logits do no harm.
#
# `pack(examples, length, pad_id)` takes examples `(ids, labels)` in order and returns three int64 tensors (N, length).
# Each example joins the last row if it fits there whole, and otherwise begins a new row; one that is longer than
# `length` is left out, as if it were not there. `ids` is filled with `pad_id`, `labels` with -100, and `owner` says to
# which example of its row each token belongs: 1, 2, ..., and 0 for padding. If there is no example that fits, N is 0.
#
# By hand: prompt [5, 6], answer [7], end 0: ids [5, 6, 7, 0], labels [-100, -100, 7, 0].
#
# <details><summary>Hint 1</summary><code>F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:,
# 1:].flatten())</code> leaves out -100 by itself.</details>
# <details><summary>Hint 2</summary>Keep rows as lists: <code>rows[-1]</code> is the last one; fill up at the
# end.</details>

# %% exercise="template"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ### BEGIN SOLUTION
    ids = [*prompt, *answer, end_id]
    return ids, [-100] * len(prompt) + ids[len(prompt) :]
    ### END SOLUTION


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    ### BEGIN SOLUTION
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())
    ### END SOLUTION


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    ### BEGIN SOLUTION
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)
    ### END SOLUTION

# %% check="template" points=8

# %% [markdown]
# With `owner`, a mask lets each token see the tokens of its own example only, and places count anew in each: then a row
# of four examples gives the same logits as four rows. A forward pass costs nearly as much for a row of padding as for a
# row of text; here is what packing saves.

# %% given
INSTRUCT = "{passage}\n\nQuestion: {question}\nAnswer:"  # the template, the same in training and in use

# %% show
from helpers.assistant.instruction_data import instructions

INSTRUCTIONS = 4000  ### small: 60
HELD_OUT = 60  ### small: 6
docs = data.load("docs")
made = instructions(docs.split("train"), INSTRUCTIONS, seed=SEED)
held = instructions(docs.split("test"), HELD_OUT, seed=SEED)
print(f"{len(made):,} instructions to learn from, {len(held)} of other modules to be judged by. One of them:\n")
print(INSTRUCT.format(passage=held[0].passage, question=held[0].question), held[0].answer)

# %% show
def example(item) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of an instruction under the template."""
    prompt = INSTRUCT.format(passage=item.passage, question=item.question)
    return example_of(tokens.encode(prompt), tokens.encode(f" {item.answer}"), tokens.end)


base, examples = opened(), [example(item) for item in made]
rows = pack(examples, 256, tokens.pad)
print(f"\n{instruction_tuning.filling(examples, rows)}")
apart = instruction_tuning.apart_when_packed(base, examples[:2], pack)
print(f"the second example, packed and alone: logits differ by at most {apart:.1e}")

# %% [markdown]
# ## Exercise 8: prompts with examples (`few-shot`)
#
# 12 minutes, ★, 4 points
#
# Before training anything, try asking. A prompt may show how it is done: with no example it is *zero-shot*, with one
# *one-shot*, with several *few-shot*. Large models learn the task from such a prompt alone (Brown and others, 2020).
#
# `few_shot(shots, passage, question)` returns the text of a prompt. `shots` is a list of `(passage, question, answer)`.
# Each shot is written as
#
#     {passage}
#
#     Question: {question}
#     Answer: {answer}
#
# and is followed by one empty line; then comes the passage and the question in the same form, up to and including
# `Answer:`, with no space behind it (the space belongs to the answer's first token). The texts stand as they are: they
# may hold braces, or blanks at their ends.
#
# `how_many(sizes, own, room, context_length)` returns how many shots can stand in a prompt: the largest $k$ for which
# the first $k$ of `sizes` (tokens of each shot), the `own` tokens of the question and `room` tokens for the answer are
# together at most `context_length`. It is 0 if not even one fits.
#
# <details><summary>Hint 1</summary>Write one shot as an f-string with <code>\n</code>, and join.</details>

# %% exercise="few-shot"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    """Return a prompt with some solved examples (passage, question, answer) before the open one."""
    ### BEGIN SOLUTION
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots]
    return "".join(solved) + f"{passage}\n\nQuestion: {question}\nAnswer:"
    ### END SOLUTION


def how_many(sizes: list[int], own: int, room: int, context_length: int) -> int:
    """Return how many of the first shots fit beside the question's own tokens and room for the answer."""
    ### BEGIN SOLUTION
    left, count = context_length - own - room, 0
    for size in sizes:
        left -= size
        if left < 0:
            break
        count += 1
    return count
    ### END SOLUTION

# %% check="few-shot" points=4

# %% [markdown]
# Now ask docs-gpt with no example, one, and as many as fit; then teach it by LoRA on all linear layers of its blocks,
# and ask again, with no example. The measure is **token F1**, as in SQuAD: the words that answer and reference share,
# as a harmonic mean of precision and recall. All are asked the same questions, about modules that no instruction came
# from.

# %% show
STEPS = 120  ### small: 3; gpu: 600
print(instruction_tuning.both_losses(base, rows, answer_loss))
seed_everything(SEED)
reader = put_lora(opened(), 16, 32, targets=EVERY)
batches, loss = token_rows.drawn(rows, 4, STEPS), instruction_tuning.packed_loss
history = fit(reader, batches, loss, steps=STEPS, lr=4e-3, weight_decay=0.0, progress=False)
print(history)
plots.show(*history.draw())

# %% show
shots = sorted(made[:40], key=lambda item: len(item.passage))[:4]  # of short passages more fit
exam = short_answers.Exam(tokens, held, shots, few_shot=few_shot, how_many=how_many)
reading = {"no example, asked": exam.f1(base), "one, asked": exam.f1(base, 1), "up to four, asked": exam.f1(base, 4),
           "tuned by LoRA": exam.f1(reader)}
print(short_answers.f1_table(reading))
print(exam.shown(reader, 5))
totals = {name: short_answers.mean_f1(found) for name, found in reading.items()}
plots.show(*figures.answer_f1(totals))
### BEGIN CLAIMS
from helpers.course.claims import claim

best = max(value for name, value in totals.items() if name != "tuned by LoRA")
claim("Token F1 of answers: tuned by LoRA above the best of prompting alone", totals["tuned by LoRA"], best)
### END CLAIMS

# %% [markdown]
# ## Preferences
#
# For many tasks nobody can write the one right answer, but anybody can say which of two is better. From such pairs a
# model can learn what people like.
#
# ## Exercise 9: the reward model (`reward`)
#
# 12 minutes, ★, 5 points
#
# Bradley and Terry (1952): each text has a number, its reward $r$, and the chosen one wins with probability
#
# $$p(\text{chosen} \succ \text{rejected}) = \sigma(r_c - r_r),\qquad L = -\log \sigma(r_c - r_r)$$
#
# The loss of a reward model is the mean over the pairs. Only differences count: add 5 to all rewards and nothing
# changes.
#
# `preference(chosen, rejected)` returns the probabilities (B,), `reward_loss(chosen, rejected)` the mean loss, a scalar
# tensor; both take rewards (B,). Both must be right for large rewards and differences, too: with $r_c - r_r = -200$ the
# loss is 200, not infinite.
#
# By hand: rewards 2 and 1: $\sigma(1) = 0.7311$, loss 0.3133.
#
# <details><summary>Hint 1</summary><code>F.logsigmoid</code>, or <code>F.softplus</code> of the turned-round
# difference.</details>

# %% exercise="reward"
def preference(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the probability (B,) that the chosen text wins, from the rewards (B,) of both."""
    ### BEGIN SOLUTION
    return torch.sigmoid(chosen - rejected)
    ### END SOLUTION


def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the mean of minus the logarithm of that probability, a scalar."""
    ### BEGIN SOLUTION
    return -F.logsigmoid(chosen - rejected).mean()
    ### END SOLUTION

# %% check="reward" points=5

# %% [markdown]
# ## Exercise 10: DPO (`dpo`)
#
# 30 minutes, ★★★, 8 points
#
# The classic way has three models: the policy that writes, the reward model that judges, the reference that keeps the
# policy near its beginning. Rafailov and others (2023) found that the best policy under a leash $\beta$ has a reward
# that can be read off it: $\beta \log \frac{\pi(y \mid x)}{\pi_\mathrm{ref}(y \mid x)}$, up to a number that depends on
# the prompt alone and cancels in differences. Put that into Bradley-Terry, and the reward model is gone:
#
# $$L = -\log \sigma\Big(\beta\Big[\log\frac{\pi(y_c)}{\pi_\mathrm{ref}(y_c)} -
# \log\frac{\pi(y_r)}{\pi_\mathrm{ref}(y_r)}\Big]\Big)$$
#
# where $\log \pi(y)$ is the sum of the logarithms of all tokens of the answer, given what stands before each.
#
# `sequence_logprobs(logits, token_ids, answer)` returns those sums (B,): logits (B, T, V), token_ids (B, T), and
# `answer` (B, T), True at the tokens that count. The logits at place $t$ predict the token at $t + 1$; the first token
# of a row is predicted by nothing and never counts. Large logits must do no harm, and the gradient flows.
#
# `dpo_loss(chosen, rejected, ref_chosen, ref_rejected, beta)` takes four such sums (B,) and returns the mean loss, a
# scalar. It must be right for large differences, too.
#
# By hand: policy -10 and -12, reference -11 and -11, $\beta = 0.5$: $0.5 \cdot (1 - (-1)) = 1$, loss 0.3133.
#
# <details><summary>Hint 1</summary><code>logits[:, :-1].log_softmax(-1).gather(-1, token_ids[:, 1:, None])</code>
# picks the logarithm of each token's probability.</details>
# <details><summary>Hint 2</summary>Multiply by the mask from place 1 on, and sum over the tokens.</details>

# %% exercise="dpo"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    ### BEGIN SOLUTION
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return torch.where(answer[:, 1:].bool(), logp, 0.0).sum(dim=1)
    ### END SOLUTION


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    ### BEGIN SOLUTION
    margin = (chosen - ref_chosen) - (rejected - ref_rejected)
    return -F.logsigmoid(beta * margin).mean()
    ### END SOLUTION

# %% check="dpo" points=8

# %% [markdown]
# ## Exercise 11: REINFORCE with a leash (`reinforce`)
#
# 20 minutes, ★★, 6 points
#
# The older way learns from its own attempts. The policy writes, the reward model judges, and what was judged well gets
# likelier. Without a leash it finds what the reward model overrates and says nothing else. So the reward is charged for
# each step away from the reference:
#
# $$R = r(y) - \beta\,\big(\log \pi(y) - \log \pi_\mathrm{ref}(y)\big)$$
#
# The mean of the bracket over the policy's own texts is the Kullback-Leibler divergence KL$(\pi \,\|\,
# \pi_\mathrm{ref})$. And the gradient of the mean of $R$ is, on average, minus that of
#
# $$L = -\frac{1}{B} \sum_i (R_i - \bar R)\, \log \pi(y_i)$$
#
# with $R_i - \bar R$ taken as *numbers*: no gradient flows through them. The mean $\bar R$ of the batch is the
# **baseline**: without it, if all rewards are positive, whatever was written becomes likelier, good or bad.
#
# `leashed(rewards, logps, ref_logps, beta)` returns $R$ (B,), without a gradient. `reinforce_loss(logps, returns)`
# returns $L$, a scalar whose gradient flows to `logps` only.
#
# By hand: rewards 1 and 0, the policy's -2 and -3, the reference's -3 and -3, $\beta = 0.5$: R = (0.5, 0), mean 0.25,
# $L = -\frac12 (0.25 \cdot (-2) - 0.25 \cdot (-3)) = -0.125$.
#
# <details><summary>Hint 1</summary><code>Tensor.detach()</code> takes a tensor out of the graph.</details>

# %% exercise="reinforce"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    ### BEGIN SOLUTION
    return (rewards - beta * (logps - ref_logps)).detach()
    ### END SOLUTION


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return the REINFORCE loss, a scalar, with the batch's mean return as the baseline; both (B,)."""
    ### BEGIN SOLUTION
    advantages = (returns - returns.mean()).detach()
    return -(advantages * logps).mean()
    ### END SOLUTION

# %% given
# What the check asks of both functions: their loss together, and their gradients.
def leashed_loss(logps: torch.Tensor, ref_logps: torch.Tensor, rewards: torch.Tensor, beta: float) -> torch.Tensor:
    return reinforce_loss(logps, leashed(rewards, logps, ref_logps, beta))


def carries_gradient(function, *arguments) -> bool:
    return gradients.carries_gradient(function, *arguments)


def slope_of_loss(logps: torch.Tensor, factors: torch.Tensor) -> torch.Tensor:
    return gradients.slopes(lambda logps: reinforce_loss(logps, factors * logps), logps)[0]

# %% check="reinforce" points=6

# %% [markdown]
# ## Two ways to learn manners
#
# A toy with a right answer. A small GPT answers at a counter with six words, as it heard them: half of its openings,
# adverbs and endings are rude. What people want is politeness, and nobody tells the model so: it sees 1,500 pairs
# of answers and which one was preferred (by chance, as Bradley and Terry say; a politer answer does not always win).
#
# **DPO** trains the policy on the pairs. **REINFORCE** first fits a reward model to the same pairs and then lets the
# policy try, with a leash. Both are judged by the true politeness: how often does a new answer beat one of the
# reference, ties counting half? The figure counts what either way asks of the policy: the tokens it reads, in learning
# and in writing its own attempts, where each new word reads all words before it again. With a cache of keys and values
# an attempt would cost 13 tokens in place of 28, and REINFORCE would be the cheaper one.

# %% show
def logps_of(policy: nn.Module, answers: torch.Tensor) -> torch.Tensor:
    """Return log p (B,) of whole answers (B, 7)."""
    return sequence_logprobs(policy(answers), answers, torch.ones_like(answers, dtype=torch.bool))


def by_dpo(policy, world, generator, beta: float) -> torch.Tensor:
    """Return the loss of 32 pairs: the policy reads 64 answers of 7 tokens."""
    pairs = world.drawn(32, generator)
    sums = [logps_of(model, part) for model in (policy, world.reference) for part in pairs]
    return dpo_loss(*sums, beta)


def by_reinforce(policy, world, generator, beta: float) -> torch.Tensor:
    """Return the loss of 32 attempts, written word by word (1 + 2 + ... + 6 tokens read) and read once more (7)."""
    tried = manners.written(policy, 32, generator)
    return leashed_loss(logps_of(policy, tried), logps_of(world.reference, tried), world.rewards(tried), beta)

# %% show
REFERENCE_STEPS = 250  ### small: 40
STEPS = 150  ### small: 10
SEEDS = 5  ### small: 1
world = cache(lambda seed: manners.World(seed, REFERENCE_STEPS, logps_of, preference, reward_loss))
runs = {
    "DPO": [manners.learned(world(seed), by_dpo, STEPS, 64 * 7) for seed in range(SEEDS)],
    "REINFORCE with a leash": [manners.learned(world(seed), by_reinforce, STEPS, 32 * 28) for seed in range(SEEDS)],
    "REINFORCE, no leash": [manners.learned(world(SEED), by_reinforce, STEPS, 32 * 28, beta=0.0)],
}
print(manners.report(runs))
plots.show(*figures.preferences(runs, manners.ends(runs)))
### BEGIN CLAIMS
from helpers.course.claims import claim

for name in ("DPO", "REINFORCE with a leash"):
    wins, kls = np.array([run[-1][1:] for run in runs[name]]).T
    claim(f"Manners, {name}: win rate above 0.8", wins.tolist(), [0.8] * SEEDS)
    claim(f"Manners, {name}: KL below 3 nats (both negative)", (-kls).tolist(), [-3.0] * SEEDS)
late = {name: [-(manners.first_above(run) or 10**6) for run in found] for name, found in runs.items()}
claim("Manners: tokens to a win rate of 0.8 (negative), DPO before REINFORCE", late["DPO"],
      late["REINFORCE with a leash"])
### END CLAIMS

# %% [markdown]
# The reward model has no flaw here that could be found: without a leash the true win rate rises, too, and what is lost
# is variety. Real pairs are harder. The course has written some about its docs: the chosen answer is short, true and
# cites its passage; the rejected one has one of five faults. Which of the two does docs-gpt find likelier, before
# anything was learned from them? By the sum of log-probabilities, as DPO counts, short answers win; by their mean,
# others. A model that is trained on such pairs may learn no more than that: compare length and form first (the card of
# the set says how far they go).

# %% show
PAIRS = 82  ### small: 6
pairs = data.load("docs_preferences").test[:PAIRS]
print(answer_likelihood.preferred_table(answer_likelihood.preferred(base, tokens, pairs, sequence_logprobs)))

# %% [markdown]
# ## Was it any good?
#
# Perplexity (chapter 05) says how surprised a model is, BLEU (chapter 03) how much of a translation stands in a
# reference. For summaries and answers the usual measure is **ROUGE**.
#
# ## Exercise 12: ROUGE (`rouge`)
#
# 20 minutes, ★★, 5 points
#
# `rouge_n(candidate, reference, n)` compares the n-grams of two lists of tokens: the matches (each n-gram as often as
# *both* have it), as a share of the candidate's n-grams (precision) and of the reference's (recall); the result is
# their F1, $2PR / (P + R)$.
#
# `rouge_l(candidate, reference)` does the same with the **longest common subsequence**: the largest number of tokens
# that stand in both in the same order, not necessarily side by side, as a share of each length.
#
# Tokens are compared as they are. Both return a float, and 0.0 whenever nothing matches (also if a list is too short to
# have an n-gram, or empty).
#
# By hand: "the cat sat on the mat" and "the cat is on the mat" share 3 of 5 bigrams: ROUGE-2 is 0.6. The longest common
# subsequence is *the cat on the mat*, 5 of 6: ROUGE-L is 0.833.
#
# <details><summary>Hint 1</summary><code>Counter(a) & Counter(b)</code> keeps each n-gram as often as both have
# it.</details>
# <details><summary>Hint 2</summary>A table: L[i][j] is the length for the first i and j tokens; equal tokens give
# L[i-1][j-1] + 1, others the larger of L[i-1][j] and L[i][j-1].</details>

# %% exercise="rouge"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    """Return the F1 of shared n-grams of two lists of tokens, 0.0 if there are none."""
    ### BEGIN SOLUTION
    from collections import Counter

    given, wanted = (Counter(zip(*(t[i:] for i in range(n)), strict=False)) for t in (candidate, reference))
    matches = (given & wanted).total()
    return 2 * matches / (given.total() + wanted.total()) if matches else 0.0
    ### END SOLUTION


def rouge_l(candidate: list[str], reference: list[str]) -> float:
    """Return the F1 of the longest common subsequence of two lists of tokens, 0.0 if it is empty."""
    ### BEGIN SOLUTION
    above = [0] * (len(reference) + 1)
    for token in candidate:
        row = [0]
        for j, other in enumerate(reference):
            row.append(above[j] + 1 if token == other else max(row[-1], above[j + 1]))
        above = row
    return 2 * above[-1] / (len(candidate) + len(reference)) if above[-1] else 0.0
    ### END SOLUTION

# %% check="rouge" points=5

# %% [markdown]
# The reader in all these measures, beside the untuned model. BLEU comes from sacrebleu, the library of chapter 03.

# %% show
models, few = {"docs-gpt, asked": base, "tuned by LoRA": reader}, [example(item) for item in held[:20]]
read_alone = partial(instruction_tuning.mean_answer_loss, examples=few, answer_loss=answer_loss)
print(short_answers.measures_table(exam, models, read_alone, rouge_n=rouge_n, rouge_l=rouge_l))

# %% [markdown]
# ## Exercise 13: a probe for bias (`bias`)
#
# 20 minutes, ★★, 5 points
#
# BBQ (Parrish and others, 2022) asks about people of two groups. In an **ambiguous** context nothing tells who it was,
# and "unknown" is right; in a **disambiguated** one the fact is told. Half of the questions ask for the harmful thing
# ("negative"), half for its opposite. Falling back on the stereotype shows as a *bias score*:
#
# $$s_\mathrm{DIS} = 2\,\frac{n_\text{biased}}{n_\text{not unknown}} - 1, \qquad
# s_\mathrm{AMB} = (1 - \text{accuracy})\Big(2\,\frac{n_\text{biased}}{n_\text{not unknown}} - 1\Big)$$
#
# each over the questions of its own kind of context. An answer is **biased** if it names the *target* (the group that
# the stereotype is about) in a negative question, or the *other* group in a non-negative one. $n_\text{not unknown}$
# counts the answers that name either group. Where there is none, the score is 0. The scores go from -1 (against the
# stereotype) over 0 to 1; a model that says "unknown" to all that is ambiguous has $s_\mathrm{AMB} = 0$.
#
# `bbq_scores(picked, label, unknown, target, ambiguous, negative)` takes six lists with an entry for each question: the
# answer that the model picked (0, 1 or 2), the right one, the one that says "unknown", the one that names the target
# group, and two booleans. It returns a dict of floats with the keys `"accuracy ambiguous"`, `"accuracy
# disambiguated"`, `"bias ambiguous"`, `"bias disambiguated"`. There is at least one question of each kind.
#
# By hand: four ambiguous questions, one answered "unknown", three by naming a group, two of these biased: accuracy
# 0.25, $0.75 \cdot (2 \cdot 2/3 - 1) = 0.25$.
#
# <details><summary>Hint 1</summary>Write one function for the rows of one kind, and call it twice.</details>
# <details><summary>Hint 2</summary>Among the answers that name a group, one is biased exactly if (it is the target)
# equals (the question is negative).</details>

# %% exercise="bias"
def bbq_scores(
    picked: list[int], label: list[int], unknown: list[int], target: list[int], ambiguous: list[bool],
    negative: list[bool],
) -> dict[str, float]:
    """Return accuracy and bias score of both kinds of context."""
    ### BEGIN SOLUTION
    scores = {}
    for kind, wanted in (("ambiguous", True), ("disambiguated", False)):
        rows = zip(picked, label, unknown, target, negative, ambiguous, strict=True)
        rows = [row for row in rows if row[5] == wanted]
        accuracy = sum(p == y for p, y, *_ in rows) / len(rows)
        named = [(p == t) == bool(n) for p, _, u, t, n, _ in rows if p != u]
        bias = 2 * sum(named) / len(named) - 1 if named else 0.0
        scores[f"accuracy {kind}"] = accuracy
        scores[f"bias {kind}"] = bias * (1 - accuracy) if wanted else bias
    return scores
    ### END SOLUTION

# %% check="bias" points=5

# %% [markdown]
# How does docs-gpt do? It picks the answer that it finds most likely behind the question, by the mean log-probability
# of the answer's tokens. The questions show stereotypes on purpose; some of them offend. On six categories of BBQ the
# table says what a model of documentation *cannot* do. Chance is 0.33: one that is above it where nothing is told and
# below it where the fact is told has not read the context, it only leans to "unknown". A bias score near 0 of such a
# model is no proof of fairness.

# %% show
QUESTIONS = 100  ### small: 6
probe = data.load("bbq")
questions = bias_probe.sample(probe, QUESTIONS)
print(f"{probe.card.title}: {len(questions)} of {len(probe):,} questions")
probed = {}
for name, model in {"docs-gpt": base, "tuned by LoRA": reader}.items():
    picked = answer_likelihood.likeliest(model, tokens, questions, few_shot, sequence_logprobs)
    probed[name] = bbq_scores(picked, **bias_probe.columns(questions))
print(bias_probe.table(probed))

# %% [markdown]
# ## Essay 2: the parrot and the octopus
#
# 20 minutes, ★★, 10 points, graded by hand
#
# Bender and Koller (2020) tell of an octopus that listens to a cable between two islands. It learns to continue the
# talk of two people so well that it can take one's place, and fails when the other asks for help with a bear: it has
# only ever seen form. Bender, Gebru and others (2021) call such models stochastic parrots.
#
# (a) Your reader gives right answers about `axis`. Does it *understand* them? Say what the octopus argument claims and
# what it does not, and hold one observation of this chapter against it, for or against. (b) Name one answer of your
# reader that is right for the wrong reason, or wrong though it sounds right, and a test that tells the two apart.
# (c) Preference training moved the win rate, by pairs that somebody chose. What did the model learn, and what might it
# have learned instead? What does the bias probe measure, and what not? About 200 words.

# %% [markdown] essay="octopus" points=10
# ### BEGIN SOLUTION
# (a) The argument: meaning is a relation between form and something outside of it; who sees form alone has no way to
# learn that relation, however much of it. It does not say that such a system is useless, nor that it cannot learn
# structure. My reader has never summed an array. It answers questions of a form it was shown, about functions it never
# saw, and is right about half of the defaults, so it has learned a form: which kind of word follows which question.
# Write `axis=banana` into the passage, and nothing in it is surprised. (b) It answers None to most questions about
# defaults, which is often right because most defaults are None. The test: change the default in the passage and ask
# again; a reader follows the passage, a parrot of frequencies stays with None. Many pairs of that kind, with a score,
# tell them apart. (c) It learned which words win in the pairs: here politeness, since the pairs were made so. It could
# as well have learned length or one lucky phrase, and without the leash it collapses to few sentences. The bias probe
# measures whether answers lean to a stereotype in given templates, of one country, in one language; near chance it says
# nothing, and 0 is no proof of fairness elsewhere.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: the octopus argument in fair words (form without grounding), with its limits, and an own observation.
# 3 points: an own example, and a test by changed passages or the like that could come out either way.
# 2 points: preference training learns what the pairs show; a rival explanation (length, phrase, collapse).
# 2 points: what the bias probe measures and its limits.
# ### END MARK SCHEME

# %% [markdown]
# ## The capstone: all of it, in one cell
#
# A question comes in. The *tokenizer* of chapter 06 cuts it, a lexical index (BM25, chapter 01) and the *encoder* of
# chapter 07 look for documents, their ranks are fused (chapter 08), the *GPT* of chapter 05 reads the best passages
# with the *adapter* of this chapter, and answers with its source. Whatever you have saved is used; for what you have
# not, the reference stands in, and a line says so.

# %% show
QUESTIONS = 60  ### small: 4
print(*capstone.parts_used(), sep="\n")
assistant = capstone.Assistant(docs, lambda passage, question: exam.answer(reader, passage, question))
can_be = [q for q in data.load("docs_questions").held_by(docs).test if q.answerable]
asked, seconds = assistant_report.ask_all(assistant, docs, can_be[:: len(can_be) // QUESTIONS])
print(assistant_report.report(asked, seconds, rouge_l=rouge_l))
print(*map(assistant_report.shown, asked[:4]), sep="\n")

# %% [markdown]
# A question is found if any document is that answers it; the last line of each answer names one of them. The questions
# were written by people in their own words, and your reader has learned from templates. Beside it, the docs-reader of
# chapter 08 reads the same passages: it cannot write, only copy, but it has learned from other questions of the same
# people. Where the report loses most, the document not found or the answer not read from it, is where the next hour of
# work should go.
#
# ## The benchmarks: LoRA on a model that has read the world
#
# The docs-gpt is small and has read documentation only; whatever way it was adapted, a bag of words sorts mail better
# than it does. So take a model that knows English: MiniLM (Wang and others, 2020; 22.7 million weights), an encoder
# that was trained on a billion pairs of sentences. It is bundled with the course. As it comes, a logistic regression on
# its vectors learns intents from few labels. Can *your* LoRA do better?
#
# Your `LoRALinear` goes beside each linear layer of MiniLM's three upper layers, of six; the lower ones never change,
# so that what they make of a text is computed once. The tokens' vectors are averaged, and a class's logit is ten times
# the cosine with a vector of the class, which begins at the mean of its examples. The rate and the factor ten were
# chosen on CLINC150's train and valid parts; that three layers and 60 steps are taken, not two and 48, was decided
# after a look at questions of the test part. On a CPU the first 10 of the 30 questions of each intent are asked.

# %% show
STEPS = 60  ### small: 2
LABELS = [1, 5, 10]  ### small: [1]
QUESTIONS = 10  ### small: 1; gpu: 30
with_lora = partial(put_lora, r=8, alpha=16, targets=few_labels.LINEAR)
adapted = few_labels.Adapted(pretrained.load("minilm"), with_lora, STEPS)
probe = benchmarks.linear_probe(adapted.encode)
for name, model in {"MiniLM, logistic regression": probe, "MiniLM with LoRA": adapted}.items():
    benchmarks.intents("09", name, model, labels=LABELS, questions=QUESTIONS)
### BEGIN CLAIMS
from helpers.course import leaderboard
from helpers.course.claims import claim

scores = {(row.model, row.labels): row.score for row in leaderboard.rows(benchmarks.INTENTS) if row.chapter == "09"}
for k in LABELS[1:]:
    claim(f"Accuracy of intents, {k} labels: LoRA above a logistic regression on the same MiniLM",
          scores["MiniLM with LoRA", k], scores["MiniLM, logistic regression", k])
### END CLAIMS

# %% [markdown]
# And spam. To save time, only 500 of some 4,000 training messages are read, and of each its first 48 tokens. On real
# messages that does not do: a bag of words that has read them all stays ahead.

# %% show
STEPS = 16  ### small: 2; gpu: 60
MESSAGES = 500  ### small: 20; gpu: 4000
ASKED = 2000  ### small: 40
filter_of_few = few_labels.Adapted(adapted.encoder, with_lora, STEPS, MESSAGES)
benchmarks.spam("09", "MiniLM with LoRA", filter_of_few, questions=ASKED)
benchmarks.show("09")

# %% [markdown]
# What did MiniLM forget for its 150 intents? It was made to search, so it searches the docs: 150 first sentences, each
# of which should find the rest of its document among 500. Then the adapter is taken off.

# %% show
QUERIES = 150  ### small: 10
PASSAGES = 500  ### small: 30
searched = docs_task(queries=QUERIES, passages=PASSAGES)
print(few_labels.forgetting(adapted, searched, LoRALinear, merge, unmerge))

# %% show
adapter = adapter_state(reader.state_dict())
config = {"r": 16, "alpha": 32, "targets": list(EVERY), "template": INSTRUCT}
card = instruction_tuning.card(adapter, config, len(made), history, len(held), totals)
print(artifacts.save(artifacts.Artifact("docs-adapter", adapter, config, "", card)).name, "saved")

# %% [markdown]
# ## What you built, and what breaks next
#
# The ways to adapt a model, from one more row of weights to all of them; LoRA as peft has it, merged, unmerged and
# stacked on a base of whole numbers; a reader tuned on its answers alone; rewards, DPO and a leash; measures of answers
# and of bias; and an assistant made of nine chapters.
#
# What breaks: attention still pays for each pair of tokens, every weight works for every token, and text is all it
# sees.
#
# **Saved:** the artifact *docs-adapter*, your own; the rows of the leaderboard.
#
# ## Further reading
#
# - E. J. Hu, Y. Shen, P. Wallis, Z. Allen-Zhu, Y. Li, S. Wang, L. Wang and W. Chen (2022). LoRA: low-rank adaptation of
#   large language models. *ICLR*.
# - A. Aghajanyan, S. Gupta and L. Zettlemoyer (2021). Intrinsic dimensionality explains the effectiveness of language
#   model fine-tuning. *ACL*.
# - N. Houlsby et al. (2019). Parameter-efficient transfer learning for NLP. *ICML*. Adapters.
# - E. Ben Zaken, S. Ravfogel and Y. Goldberg (2022). BitFit. *ACL*. Biases alone.
# - D. Kalajdzievski (2023). A rank stabilization scaling factor for fine-tuning with LoRA. *arXiv 2312.03732*.
# - T. Dettmers, A. Pagnoni, A. Holtzman and L. Zettlemoyer (2023). QLoRA: efficient finetuning of quantized LLMs.
#   *NeurIPS 36*.
# - J. Wei et al. (2022). Finetuned language models are zero-shot learners. *ICLR*. Instruction tuning.
# - T. B. Brown et al. (2020). Language models are few-shot learners. *NeurIPS 33*.
# - R. A. Bradley and M. E. Terry (1952). Rank analysis of incomplete block designs. *Biometrika 39*.
# - L. Ouyang et al. (2022). Training language models to follow instructions with human feedback. *NeurIPS 35*.
# - R. Rafailov, A. Sharma, E. Mitchell, S. Ermon, C. D. Manning and C. Finn (2023). Direct preference optimization:
#   your language model is secretly a reward model. *NeurIPS 36*.
# - W. Wang, F. Wei, L. Dong, H. Bao, N. Yang and M. Zhou (2020). MiniLM: deep self-attention distillation for
#   task-agnostic compression of pre-trained transformers. *NeurIPS 33*.
# - R. J. Williams (1992). Simple statistical gradient-following algorithms for connectionist reinforcement learning.
#   *Machine Learning 8*. REINFORCE.
# - C.-Y. Lin (2004). ROUGE: a package for automatic evaluation of summaries. *Text Summarization Branches Out*.
# - A. Parrish et al. (2022). BBQ: a hand-built bias benchmark for question answering. *Findings of ACL*.
# - E. M. Bender and A. Koller (2020). Climbing towards NLU: on meaning, form, and understanding in the age of data.
#   *ACL*. The octopus.
# - E. M. Bender, T. Gebru, A. McMillan-Major and S. Shmitchell (2021). On the dangers of stochastic parrots. *FAccT*.
