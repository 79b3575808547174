# %% [markdown]
# # 09 LoRA: adapt a model for little
#
# Somebody else has spent a fortune on training a model. It knows English; it does not know your task. You have a
# laptop, an afternoon, and a few hundred examples. This chapter is about that afternoon.
#
# **What you will build.** LoRA, the way in which most people adapt large models today: two thin matrices beside each
# weight, trained while the model itself stays frozen. You write the layer and the ten lines that put it into MiniLM,
# and in half a minute MiniLM learns to mark the words that answer a question. You squeeze the base into 8 bits, look at
# it in 4 (a small QLoRA), and teach a GPT to follow instructions. Then come preferences: a reward model, DPO, REINFORCE
# with a leash, and GRPO on a reward that a line of code can check. You also see what a policy does with a reward that
# has a flaw. At the end, everything that this course has built answers questions in one cell.
#
# **What you need.** The GPT of [chapter 05](../05_transformers/05_transformers.ipynb) and retrieval from [chapter
# 08](../08_rag/08_rag.ipynb): the artifacts that you saved there, or the course's reference in their place.
#
# **Points.** 100: twelve exercises checked by machine (80) and two short essays (20). Allow about eight hours in two
# sittings, with a break before *Preferences*. Once written, the notebook runs in three minutes.
#
# **Notation.** $W$ is a weight matrix (out, in), as `nn.Linear` holds it, and a layer computes $x W^\top + b$; $r$ is
# the rank of an adapter; $\pi$ is a model that is trained (the *policy*), and $\pi_\mathrm{ref}$ the model it began
# from.
#
# **Manners.** Unless the text says otherwise, your functions do not change their arguments, give float64 for float64,
# and keep every axis, even one of size 1.

# %% given
from functools import partial
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import data, plots, pretrained
from helpers.chapters.lora import adaptation, adapters, assistant_report, bias_probe, capstone, chat
from helpers.chapters.lora import few_labels, figures, instruction_tuning, keepsake, low_rank, manners
from helpers.chapters.lora import own_attempts, peft_comparison, serving, short_answers, sorting, span_reading
from helpers.chapters.lora.adaptable_gpt import PROJECTIONS, OpenGPT
from helpers.chapters.lora.instruction_data import instructions
from helpers.checks import gradients
from helpers.course import SEED, artifacts, benchmarks, leaderboard, notebook, seed_everything, ways_of_calls
from helpers.experiments import token_rows
from helpers.models.docs_reader import DocsReader, load_reader
from helpers.models.gpt import chosen, model_of, tokenizer_of
from helpers.search.task import docs_task
from helpers.training import fit

notebook.prepare("09_lora")

# %% [markdown]
# ## What is trained, and what that costs
#
# *docs-gpt* has read the docs. Now it should mark spam. The plain way is **full fine-tuning**: keep training all of its
# weights, on the new task. You pay three times. *Memory*: AdamW keeps two numbers beside each weight, and the gradient
# is a third. *Storage*: each task needs a whole model. *Forgetting*: nothing keeps the weights where training on the
# docs put them.
#
# All three costs shrink if fewer numbers move. You can train only a new output layer (the *head*), or the block next to
# it, too, or only the biases (BitFit: Ben Zaken, Ravfogel, Goldberg 2022). Or you train something *new* inside the
# model:
#
# ![A block of a transformer with the places of prompt, prefix, adapter and LoRA](figures/places.svg)
#
# Houlsby and others ([2019](https://arxiv.org/abs/1902.00751)) put adapters after the layers. Li and Liang
# ([2021](https://arxiv.org/abs/2101.00190)) train a prefix of keys and values, Lester, Al-Rfou and Constant
# ([2021](https://arxiv.org/abs/2104.08691)) vectors in front of the tokens, and Hu and others
# ([2021](https://arxiv.org/abs/2106.09685)) low-rank matrices beside the weights.
#
# What does each way cost? Every weight takes 4 bytes, trained or not. A number that is trained also has a gradient and
# two states of AdamW (plain SGD has no states). By hand: if 3 of 10 numbers are trained, there are 10 weights, 3
# gradients and 6 states. These are 19 numbers of 4 bytes, or 76 bytes. The next cell counts in this way for docs-gpt
# with a head of two outputs: all weights, the head with the top block and the final norm (*top*), the head with all
# biases, and the head alone.

# %% show exact=true
reference = artifacts.load("docs-gpt", own=False)
print(adaptation.cost_table(reference))

# %% [markdown]
# Full fine-tuning holds four times the model in memory. When few numbers are trained, nearly all of the memory is the
# model itself.
#
# ## Exercise 1: a bottleneck adapter (`bottleneck`)
#
# 8 minutes, ★, 2 points
#
# This is the oldest of the four additions. An **adapter** squeezes each token's vector into $m \ll C$ numbers, expands
# them again and adds the result:
#
# $$\mathrm{adapter}(x) = x + \mathrm{GELU}(x D^\top + d)\, U^\top + u,\qquad D: (m, C),\quad U: (C, m)$$
#
# How should it begin? Random weights would wreck what the model knows before the adapter has learned anything. So it
# begins as the **identity**: $U$, $d$ and $u$ are 0, and $D$ is small and random. (With $D$ at 0, too, both matrices
# would have a gradient of 0, and only the constant $u$ could ever move.) You will meet this trick again in LoRA.
#
# <details><summary>Hint 1</summary><code>F.linear(x, D, d)</code> is <code>x @ D.T + d</code>.</details>

# %% exercise="bottleneck"
def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the output of the adapter's network, a new tensor; D (m, C), d (m,), U (C, m), u (C,).

    GELU is the exact one, not an approximation. Gradients flow to all five.
    """
    ### BEGIN SOLUTION
    return x + F.linear(F.gelu(F.linear(x, D, d)), U, u)
    ### END SOLUTION

# %% given
# What checks ask of your functions beside their values: the gradient for each tensor of floats except the `fixed` ones.
def slopes(function, *arguments, fixed=()) -> list[torch.Tensor]:
    return gradients.slopes(function, *arguments, fixed=fixed)

# %% check="bottleneck" points=2

# %% [markdown]
# ## LoRA
#
# An adapter is one more layer to compute in every pass, for ever. And look at what full fine-tuning changes in a weight
# matrix of MiniLM: $\Delta W$ is a table of 384 by 384 small numbers, and fewer than a fifth of its directions hold
# nine tenths of the change (you will draw them below). Why store 147,456 numbers for it?
#
# **LoRA** (low-rank adaptation; Hu, Shen, Wallis and others 2021) writes the change as a product of two thin matrices.
#
# ![A column times a row is a matrix of rank one, with one singular value above zero](figures/rank.svg)
#
# The rank $r$ is the number of such products that are added up. Only they are trained, *beside* the frozen matrix:
#
# ![The input goes through the frozen W and beside it through A and B; both are added](figures/lora.svg)
#
# $$y = x W^\top + b + \frac{\alpha}{r}\, \mathrm{dropout}(x)\, A^\top B^\top,\qquad A: (r, \mathrm{in}),\quad B:
# (\mathrm{out}, r)$$
#
# By hand, as in the drawing: $x = (1, 2)$, $A = (3, 1)$, $B = (2, 0, -1)^\top$, $r = 1$, $\alpha = 0.5$. Then $x
# A^\top = 5$; times $B^\top$ this is $(10, 0, -5)$, and times 0.5 it is $(5, 0, -2.5)$, which is added to what $W$ and
# $b$ give (the drawing has $b = (0, 1, 2)$). $B$ begins at 0, so training begins with the model as it was; $A$ begins
# at random, since with both at 0 neither would have a gradient. $\alpha$ sets how much weight the update has beside the
# old output. The division by $r$, the number of products that are added up, is meant to spare you a new search for
# $\alpha$ when you choose another rank.
#
# ## Exercise 2: the LoRA layer, and its place in a model (`lora`)
#
# 35 minutes, ★★, 12 points
#
# `LoRALinear` is a module that takes the place of a linear layer. Two things are easy to get wrong. Dropout acts on the
# input of the *low-rank path* only; the path through the base gets the whole $x$. And compute $(x A^\top) B^\top$, not
# $x (BA)^\top$: the product $BA$ is as large as $W$ itself, and avoiding that was the point.
#
# `put_lora` is what you will need on the first day with any model that somebody else wrote: freeze it, find layers by
# their names, and put your own in their place. By hand: among `blocks.0.q_proj`, `norm`, `v_proj` and `my_q_proj`, the
# targets `("q_proj", "v_proj")` name the first and the third.
#
# <details><summary>Plan</summary>When the layer is made, freeze <code>base</code>, make the two thin matrices
# <code>A</code> and <code>B</code> in the dtype of its weight, and set the scale, the dropout and <code>merged</code>.
# In <code>forward</code>, send the whole <code>x</code> through the base; if the layer is merged, you are done. If not,
# take <code>x</code> through the dropout, down to r numbers and up to out, scale the result and add it to what the base
# gave. <code>put_lora</code> freezes the model first, so that the new parameters, made later, can move. Then it lists
# the linear layers with their names, and for each layer that a target names, it finds the module that holds the layer
# and puts a <code>LoRALinear</code> there under the same name.</details>
# <details><summary>Hint 1</summary><code>base.requires_grad_(False)</code> freezes a module, <code>tensor.uniform_(low,
# high)</code> fills in place.</details>
# <details><summary>Hint 2</summary><code>model.named_modules()</code> gives pairs such as
# <code>("blocks.0.q_proj", layer)</code>; <code>model.get_submodule("blocks.0")</code> gives the parent (with
# <code>""</code> the model itself), and <code>setattr(parent, "q_proj", new)</code> puts a module in its
# place.</details>

# %% exercise="lora"
class LoRALinear(nn.Module):
    """A frozen linear layer and a low-rank update beside it.

    base:   the very nn.Linear that was given (with or without a bias), all of its parameters frozen
    A, B:   parameters (r, in) and (out, r) in the dtype of the base's weight; A begins uniform between
            -1/sqrt(in) and 1/sqrt(in), as in the library peft, B at 0
    scale:  the number alpha / r; forward and `merge` take it from here, since a later cell puts another in its place
    merged: False at first. True means that the update is in the base's weight (the next exercise puts it there): then
            forward returns what the base returns, with no update and no dropout beside it
    """

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
        """Return (..., out) for x (..., in). Gradients flow to A, B and x, and to x even when merged."""
        ### BEGIN SOLUTION
        y = self.base(x)
        if self.merged:
            return y
        return y + self.scale * F.linear(F.linear(self.dropout(x), self.A), self.B)
        ### END SOLUTION


def put_lora(model: nn.Module, r: int, alpha: float, targets: tuple[str, ...] = PROJECTIONS) -> nn.Module:
    """Freeze a model, put a LoRALinear in the place of each nn.Linear that `targets` name, and return that model.

    A layer is named by what follows the last dot: with "q_proj" among the targets, "blocks.0.q_proj" is replaced, and
    so is a "q_proj" of the model itself; a layer "my_q_proj" stays, and so does a module that is not an nn.Linear. Each
    new layer has rank r, `alpha`, no dropout, and the layer that was there as its base. Its A and B can be trained. All
    other parameters are frozen, including those of layers that stay.
    """
    ### BEGIN SOLUTION
    model.requires_grad_(False)
    layers = [(name, layer) for name, layer in model.named_modules() if isinstance(layer, nn.Linear)]
    for name, layer in layers:
        parent, _, last = name.rpartition(".")
        if last in targets:
            setattr(model.get_submodule(parent), last, LoRALinear(layer, r, alpha))
    return model
    ### END SOLUTION

# %% given
# What the check asks of your class: whether it holds the very layer that it was given, gradients, a changed layer; and
# what `put_lora` makes of a model whose linear layers have these names and sizes (None is a norm).
def keeps_base(base: nn.Linear) -> bool:
    return LoRALinear(base, 2, 4.0).base is base


def gradients_of(module: nn.Module, x: torch.Tensor, target: torch.Tensor) -> dict:
    return gradients.gradients_of(module, x, target)


def numbers_made(function, *arguments) -> int:  # how many numbers torch makes in a call, whatever the way
    return ways_of_calls.numbers_made(function, *arguments)


def marked(layer: LoRALinear, merged: bool, scale: float) -> LoRALinear:
    layer.merged, layer.scale = merged, scale  # as later cells will do it
    return layer


def with_lora_in(layers: dict, targets: tuple, r: int, alpha: float) -> dict:
    return adapters.seen(put_lora, LoRALinear, layers, targets, r, alpha)

# %% check="lora" points=12

# %% [markdown]
# The library for this is **peft**. There your layer takes two lines:
#
#     config = peft.LoraConfig(r=4, lora_alpha=8, target_modules=["q_proj"])  # "all-linear": beside every linear layer
#     model = peft.get_peft_model(model, config)  # and model.merge_and_unload() is what you write next
#
# The next cell puts peft's layer on each of $W_Q, W_K, W_V, W_O$ of docs-gpt, gives it your weights, and compares.

# %% given
docs_gpt = chosen()  # a passage, a question and an answer must fit in


def opened() -> OpenGPT:
    """Return a fresh docs-gpt with a linear layer for each projection."""
    return OpenGPT(model_of(docs_gpt))

# %% show
RANKS = [4]  ### small: [4]; gpu: [1, 4, 16]
peft_comparison.print_table(opened, put_lora, PROJECTIONS, RANKS)

# %% [markdown]
# Zeros: what you wrote *is* the library's layer.
#
# ## Spans in the inbox: one task, three ways
#
# Now comes the afternoon that the first lines promised. MiniLM (Wang and others
# [2020](https://arxiv.org/abs/2002.10957); 22.7 million weights) has read English and learned to compare sentences.
# Your task is a different one: *Which person? On which date? At which place? How much?*, asked about mails of the
# campus inbox. The answer is a span of the mail, and it counts only if its first and its last token are both right.
# Each token gets two scores, *the answer begins here* and *it ends here*. There are 960 questions to learn from, in 60
# steps of 16; 300 others are about mails made of core sentences that occur in no training mail. Which weights do you
# train?
#
# - Only **a head**: the two scores, on frozen vectors. This is the rival to beat, so it gets every advantage: a head is
#   trained on each of the seven layers (the embeddings and six blocks), five times as long as the other two ways, and
#   the layer that turns out best on the test questions counts.
# - **LoRA** of rank 4: your `LoRALinear`, put by your `put_lora` beside every linear layer of the blocks.
# - **All weights**, which is full fine-tuning.
#
# The learning rate is 2e-3 for LoRA and 3e-4 for all weights; neither was tuned. *Memory* is what the tensors of one
# step take up. *Kept* shows what is left of MiniLM's old skill: the share of requests whose intent it still finds by
# the nearest neighbour, among one example for each of 150 intents. The diamonds in the figure are your run. The bars
# are the course's own runs: the mean of five seeds, with the lowest and the highest. Your run leaves out rank 64.

# %% show
LEARN = 960  ### small: 32
ASKED = 300  ### small: 8
STEPS = 60  ### small: 1
beside_all = partial(put_lora, targets=few_labels.LINEAR)
lesson = span_reading.Lesson(LEARN, ASKED, SEED)
layer, on_frozen = lesson.heads(STEPS)
measured = {
    "head on the best frozen layer": on_frozen,
    "LoRA r=4": lesson.run(partial(beside_all, r=4, alpha=8), lr=2e-3, steps=STEPS),
    "all weights": lesson.run(None, lr=3e-4, steps=STEPS),
}
print(f"{span_reading.table(measured)}\nthe best frozen layer: {layer} of 6")
span_reading.enter(measured)
reached = measured["LoRA r=4"].reached
plots.show(*figures.ways(measured, leaderboard.reference(span_reading.SPANS)))

# %% [markdown]
# Your diamonds come from one seed; the bars show what holds for several. Adapting pays here: the head stops at 0.66,
# LoRA of rank 4 reaches 0.90, all weights 0.96, in this order with every seed. LoRA trains 0.73 % of the numbers and
# brings 80 % of the 30 points that all weights gain over the head: most of the gain, **not all of it**.
#
# What did it save? A step takes 168 MB with LoRA and 441 MB with all weights (seed 0). It saves little time, because
# gradients still have to flow back through every frozen layer. And *kept* shows a price that nobody asked about. MiniLM
# as it comes finds 0.63 of the intents. With the adapter in its layers it finds fewer, and after full fine-tuning fewer
# still. But an adapter can be taken off, and then MiniLM is what it was, to the last bit. What full fine-tuning has
# overwritten is gone, unless you kept a copy.
#
# Is the update really of low rank? Full fine-tuning may move each matrix as it likes. The next figure shows the
# singular values of its moves in MiniLM's last block, beside those of the query matrix itself, each set divided by its
# largest.

# %% show
blocks = [reader.encoder.encoder.layer[-1].attention for reader in (lesson.reader, measured["all weights"].model)]
moves = low_rank.moves(*blocks, ("self.query", "self.key", "self.value", "output.dense"))
plots.show(*figures.spectra(moves, blocks[0].self.query.weight))
print("directions that hold 90% of the move, of 384:", low_rank.counted(moves))
del lesson, measured, on_frozen, blocks  # some 280 MB of models

# %% [markdown]
# Of 384 directions some 30 to 70 hold nine tenths of the move, though nothing asked for a low rank. That is few, but
# more than four. Is this why rank 4 does not bring all of the gain? With rank 64 each of the five seeds is higher (0.93
# in place of 0.90 on average), but still below all weights. So the rank explains about half of the gap, and what
# makes the rest is open. Try other ranks in the cell above.
#
# ## Exercise 3: merge, unmerge, mix (`merge`)
#
# 25 minutes, ★★, 8 points
#
# LoRA costs two more products in every pass. When training is done, add the update to the weight, $W' = W +
# \frac{\alpha}{r} B A$, and they are gone. To get the old model back, subtract the update again.
#
# ![Unmerged, W and the update side by side; merged, one matrix with the same output](figures/merged.svg)
#
# Or keep the adapters apart: ten tasks are ten small files beside one large base. You can exchange them while the base
# stays in memory, and even mix them, each with a share $s_i$ of its own:
#
# $$W' = W + \sum_i s_i \frac{\alpha_i}{r_i} B_i A_i$$
#
# <details><summary>Plan</summary><code>merge</code> and <code>unmerge</code> mirror each other: look at the flag, add
# or subtract the same scaled (out, in) product in place, and flip the flag. <code>adapter_state</code> picks entries by
# the ends of their names. <code>combined</code> starts from a copy of <code>weight</code> and goes through
# <code>shares</code>: each name there adds its own update, with its own alpha and rank, times its share.</details>
# <details><summary>Hint 1</summary>Changing a parameter in place needs <code>with torch.no_grad():</code>.</details>

# %% exercise="merge"
def merge(layer: LoRALinear) -> None:
    """Add the update to layer.base.weight, in place, and set `merged`; a layer that is merged already stays as it is.

    A and B stay as they are, and the base stays frozen, whether the layer is in training mode or not.
    """
    ### BEGIN SOLUTION
    if not layer.merged:
        with torch.no_grad():
            layer.base.weight += layer.scale * layer.B @ layer.A
        layer.merged = True
    ### END SOLUTION


def unmerge(layer: LoRALinear) -> None:
    """Take the update out of the base's weight, in place, and unset `merged`; a layer not merged stays as it is.

    Subtract the update, or put a copy of the old weight back: nothing else changes the weight in between.
    """
    ### BEGIN SOLUTION
    if layer.merged:
        with torch.no_grad():
            layer.base.weight -= layer.scale * layer.B @ layer.A
        layer.merged = False
    ### END SOLUTION


def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return a dict of those entries of a state_dict whose name ends in .A or .B, in their order."""
    ### BEGIN SOLUTION
    return {name: value for name, value in state.items() if name.endswith((".A", ".B"))}
    ### END SOLUTION


def combined(
    weight: torch.Tensor, adapters: dict[str, tuple[torch.Tensor, torch.Tensor, float]], shares: dict[str, float]
) -> torch.Tensor:
    """Return weight (out, in) plus each named share of an adapter's update, a new tensor.

    adapters: {name: (A, B, alpha)}, the rank of each being the number of rows of its A; shares: {some of the names: s},
    of any sign. An adapter that `shares` does not name has no part in it. No gradient is needed.
    """
    ### BEGIN SOLUTION
    total = weight.clone()
    for name, share in shares.items():
        A, B, alpha = adapters[name]
        total += share * alpha / A.shape[0] * B @ A
    return total
    ### END SOLUTION

# %% given
# What the check asks of both: whether the base keeps the very weight that it had, which an optimiser may hold, too.
def keeps_weight(layer: LoRALinear) -> bool:
    return adapters.keeps_weight(layer, merge, unmerge)

# %% check="merge" points=8

# %% [markdown]
# There are many variants of LoRA. Two that change a line each, **rsLoRA** and **DoRA**, are under *More ways to adapt*
# at the end of the chapter, with code that tries them.
#
# ## Exercise 4: a base of integers (`int8`)
#
# 20 minutes, ★★, 8 points
#
# With LoRA the base never changes, so it can be stored coarsely, as long as the adapter is exact. The simplest way is
# one scale for each row: $s = \max |w| / 127$, and each weight becomes the integer nearest to $w / s$.
#
# ![A row of four weights, its integers and the weights that they stand for](figures/int8.svg)
#
# <details><summary>Plan</summary><code>quantize</code> takes the largest absolute value in each row, makes the scales
# (out,) from these, gives rows of zeros the scale 1, and then divides each row by its own scale and rounds.
# <code>int8_lora</code> turns <code>q</code> and <code>scales</code> back into a weight (out, in) in the dtype of
# <code>x</code>, runs <code>x</code> through that and <code>bias</code>, and adds the scaled low-rank path, narrow
# first, as in <code>LoRALinear</code>.</details>
# <details><summary>Hint 1</summary><code>weight.abs().amax(dim=1)</code> gives one number for each row.</details>

# %% exercise="int8"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (q, scales) of weight (out, in): q (out, in), int8 from -127 to 127, and one float32 scale a row, (out,).

    Round with torch.round (halves go to the even number). A row of zeros gets the scale 1.
    """
    ### BEGIN SOLUTION
    scales = weight.abs().amax(dim=1) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]).to(torch.int8), scales.float()
    ### END SOLUTION


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the base with the weights scales * q, plus `scale` times the update.

    q (out, in), scales and bias (out,), A (r, in), B (out, r). Gradients flow to x, A and B.
    """
    ### BEGIN SOLUTION
    base = F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias)
    return base + scale * F.linear(F.linear(x, A), B)
    ### END SOLUTION

# %% check="int8" points=8

# %% [markdown]
# ## Four bits, well spent
#
# Four bits give only 16 levels. Evenly spaced levels are wasteful: the weights of a trained network form a bell curve
# around 0, and the levels at the ends are hardly ever used. **QLoRA** (Dettmers, Pagnoni, Holtzman and Zettlemoyer
# [2023](https://arxiv.org/abs/2305.14314)) puts the levels at *quantiles* of the normal distribution, so that each is
# used about equally often by normally distributed weights, and calls the sixteen levels NF4, normal float. Eight of
# them are above 0 and seven below. The last one is 0 itself, so that a weight of exactly zero stays zero. The outermost
# quantiles would be infinite, so QLoRA stops half a step short of them; then all levels are divided by the largest.
#
# ![Sixteen levels, close together around zero under a bell curve; sixteen even ones](figures/nf4.svg)
#
# The weights are taken in *blocks* of 64 neighbours along the rows. Each block has a scale, its largest absolute value,
# and each weight becomes the index (0 to 15) of the level nearest to $w / \mathrm{scale}$. By hand: the block (0.5,
# -2.0, 0.1, 1.0) has the scale 2. Divided by it, the block is (0.25, -1, 0.05, 0.5). The nearest levels are 0.246, -1,
# 0.080 and 0.441, whose codes are 10, 0, 8 and 12. You have just written all of this for 8 bits; only the levels are
# new. So here they are given (`helpers/chapters/lora/nf4.py`, the levels that bitsandbytes and peft use), and two codes
# go into each byte. (QLoRA also stores the scales in 8 bits, which it calls *double quantization*; here they stay in
# float32.)
#
# What do your 8 bits and NF4, with LoRA of rank 4 on top, do to docs-gpt's memory and to its loss on documents that it
# has not read? (The rows are those on which [chapter 10](../10_squeeze/10_squeeze.ipynb) judges it, too.)

# %% given
EVERY = (*PROJECTIONS, "linear1", "linear2")
put_base = partial(adapters.put_base, lora=LoRALinear, quantize=quantize, compute=int8_lora)  # "int8" or "nf4"

# %% show
ROWS = 48  ### small: 4
tokens = token_rows.Tokens(tokenizer_of(docs_gpt))
unread = tokens.joined([d.text for d in data.load("docs").split("test")], 128)
held_out = unread[torch.randperm(len(unread), generator=torch.Generator().manual_seed(SEED))[:ROWS]]
coarse = {kind: put_base(put_lora(opened(), 4, 8, targets=EVERY), kind) for kind in ("int8", "nf4")}
print(adaptation.base_table({"float32": opened()} | coarse, held_out))

# %% [markdown]
# Eight bits take less than a third of the memory, four bits less than a fifth, and the loss moves by two thousandths of
# a nat at most. That is why a frozen base is so often stored coarsely.
#
# ## Essay 1: what would you train?
#
# 20 minutes, ★★, 10 points, graded by hand
#
# Read the table of three ways, the figure's bars, and the table of bases. (a) Between which neighbours in the figure do
# the seeds overlap, and between which do they not? All weights gain a certain amount over the head: what share of it
# does LoRA of rank 4 gain? Which of the ways would you choose for twenty such tasks on one machine, and how many bytes
# would the twenty need then, and how many with full fine-tuning? Give numbers. (b) The head keeps the old skill to the
# last digit. Why, and how can LoRA change it at all, though its base is frozen? How do you get the old model back,
# after LoRA and after full fine-tuning? (c) The memory of a step falls by less than the number of trained parameters.
# What is the rest made of, and what would make it smaller? About 180 words.

# %% [markdown] essay="what-to-train-and-why" points=10
# ### BEGIN SOLUTION
# (a) In the figure rank 4 goes from 0.86 to 0.93 and rank 64 from 0.91 to 0.96: these overlap. Rank 64 and all weights
# (0.95 to 0.97) just do, too. The head's best seed has 0.71, so it does not touch its neighbour. LoRA of rank 4 gains
# 80 % of what all weights gain. For twenty tasks I take LoRA: the base is stored once (22.7 million numbers of 4 bytes,
# 91 MB), and a task is 166,658 numbers, 0.67 MB: 104 MB in all, where twenty whole models take 1.8 GB. A base in
# NF4 makes it smaller still. If the missing points matter more than the bytes, all weights are better. (b) The head
# comes after the body, whose weights nothing touched, so its vectors are the same. LoRA leaves W but adds BA to what
# each layer gives. Take the update off or unmerge it, and the old model is back at once; after full fine-tuning only a
# copy on disk brings it back. (c) Gradients and both moments go from 12 bytes for each weight to almost none; the
# weights themselves and the activations that backward needs stay. Int8 or NF4 shrinks the weights; shorter texts,
# smaller batches, checkpointing, or adapters in the upper blocks alone shrink the activations.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: which ranges overlap; the share of the gain (LoRA less head, over all less head) with the student's own
# numbers; a choice that follows from bytes (one base and twenty adapters, twenty models) and from exactness.
# 3 points: head: the body is unchanged; LoRA changes the function, not W; taken off, the old model is back exactly;
# after full fine-tuning only from a copy.
# 2 points: memory: weights and activations stay; gradients flow through the frozen layers.
# 1 point: one sound way to reduce the rest (int8, NF4, fewer layers, checkpointing, smaller batches).
# ### END MARK SCHEME

# %% [markdown]
# ## The benchmarks: where LoRA gains little
#
# So far there have been two good ways to tell 150 intents apart from few examples: a logistic regression on MiniLM's
# vectors as they come, and chapter 07's MiniLM, tuned on pairs of the same examples, which is a point better with five
# examples or more. *Your* LoRA can move the vectors, too, and trains a sixteenth of the numbers that chapter 07
# trained. Does that pay?
#
# LoRA goes beside each linear layer of the upper three of MiniLM's six blocks. Each class has a vector, too, at first
# the mean of its examples, and its logit is ten times the cosine between that vector and the text's. (The rate and the
# factor were chosen on CLINC150's train and valid parts, the layers and the number of steps after a look at test
# questions.) To save time, the run on a CPU learns from one and from five examples, asks 5 of 30 questions of each
# intent, and learns spam from 200 of some 4,000 messages. The points at ten examples, after 60 steps, are the course's
# own, means of five seeds.

# %% show
STEPS = 24  ### small: 1; gpu: 60
SPAM_STEPS = 8  ### small: 1; gpu: 60
LABELS = [1, 5]  ### small: [1]; gpu: [1, 5, 10]
QUESTIONS = 5  ### small: 3; gpu: 30
MESSAGES = 200  ### small: 60; gpu: 4000
EVERY_TEXT = 1  # with 20, one of twenty intents and messages  ### small: 40
with_lora = partial(beside_all, r=8, alpha=16)
adapted = few_labels.Adapted(pretrained.load("minilm"), with_lora, STEPS)
probe = benchmarks.linear_probe(adapted.encode)
for name, model in {"MiniLM, logistic regression": probe, "MiniLM with LoRA": adapted}.items():
    benchmarks.intents("09", name, model, labels=LABELS, questions=QUESTIONS, every=EVERY_TEXT)
filter_of_few = few_labels.Adapted(adapted.encoder, with_lora, SPAM_STEPS, MESSAGES)
benchmarks.spam("09", "MiniLM with LoRA", filter_of_few, questions=MESSAGES, every=EVERY_TEXT)
beside = [("01", "TF-IDF, logistic regression"), ("02", "TF-IDF and mean of vectors of its requests")]
benchmarks.show("09", [*beside, ("07", "MiniLM tuned on the labels, linear probe")])

# %% [markdown]
# Read the lines of the figure from the bottom up. With ten examples of each intent TF-IDF gets 0.803 right, a logistic
# regression on MiniLM's vectors 0.907, your LoRA 0.916. Of the eleven points between the first and the last, **ten are
# pre-training's and one is LoRA's**, and chapter 07's MiniLM has that point, too (0.917). With five examples LoRA gains
# a point as well (0.89 against 0.88, on each of five seeds), with one example it loses more than a point (0.65 against
# 0.66). LoRA's figures are those of the course's longer runs, of up to 60 steps; yours come from one seed and at most
# 24 steps. The table of three ways shows the reason: MiniLM was made to put sentences of the same meaning close
# together, so this task leaves little to adapt, while its vectors hold little about where in a mail a date begins.
#
# How much of LoRA's accuracy is owed to its head? The line *MiniLM frozen, cosine head* (the course's own runs) has the
# same head, trained for as many steps, and nothing beside the weights. It gets 0.64, 0.88 and 0.90 with one, five and
# ten examples, LoRA 0.65, 0.89 and 0.92. The ranges of the seeds overlap each time. With five examples LoRA is ahead on
# each of five seeds; with one the two cannot be told apart.
#
# Spam shows the risk of so few steps. In the course's runs, LoRA learns from 300 real SMS and reaches an F1 of 0.92
# (0.87 to 0.96 over five seeds); TF-IDF, which saw all 4,000, has 0.94. On the inbox its mean is 0.55 and TF-IDF's
# 0.76: the best seed has 0.75, and one seed of five collapses to 0.12.
#
# What did MiniLM forget while it learned its 150 intents? It was made to search, so it searches the docs: the first
# sentence of a document should find the rest of it. Then the adapter is taken off. And one frozen base can serve many
# tasks at once: 32 questions each want one of eight adapters (chosen at random; only speed is measured here).

# %% show
QUERIES = 60  ### small: 4; gpu: 150
PASSAGES = 150  ### small: 12; gpu: 500
searched = docs_task(queries=QUERIES, passages=PASSAGES)
print(few_labels.forgetting(adapted, searched, LoRALinear, merge, unmerge))
server = serving.Server(adapted, searched.queries[:32], 8, LoRALinear, merge, unmerge)
print(f"\n{serving.table(server)}")

# %% [markdown]
# The adapter has cost the search some of its recall, and all of that comes back the moment you take it off. Merging is
# free as long as everybody wants the same task. Where each question wants a different one, servers keep the adapters
# beside the weights, so that the base sees one large batch (S-LoRA: Sheng and others
# [2023](https://arxiv.org/abs/2311.03285)).
#
# ## A writer, by instructions
#
# A model that points at words cannot write. A language model can, but it only continues a text: ask docs-gpt *"What is
# the default of axis in numpy.mean?"* and it may continue with another question. **Instruction tuning** (Wei and others
# [2022](https://arxiv.org/abs/2109.01652)) teaches the form: a passage, a question, the answer, the end. The examples
# come from people who write them, from older data sets (as in that paper), from larger models, or, as here, from
# templates that are filled with the defaults and types in the docs.
#
# Two details decide whether it works. *The template* is the same, to the character, in training and in use. *The loss*
# counts the answer only: the model should learn to answer, not to ask.
#
# ![Tokens of a prompt with labels of -100, an answer and the end with their own ids](figures/labels.svg)
#
# ## Exercise 5: prompt, labels, loss (`template`)
#
# 20 minutes, ★★, 8 points
#
# Before anything is trained, you can simply ask, and show how it is done. A prompt without examples is *zero-shot*, one
# with several *few-shot*. Large models learn a task from such a prompt alone (Brown and others
# [2020](https://arxiv.org/abs/2005.14165)).
#
# By hand, as in the drawing: the prompt [5, 6], the answer [7] and the end 0 give the ids [5, 6, 7, 0] and the labels
# [-100, -100, 7, 0]. The label is written *at* its token; the loss shifts by one.
#
# <details><summary>Plan</summary><code>few_shot</code> fills the same form for each shot, then for the open question up
# to its colon. <code>example_of</code> joins its three parts, then builds labels of the same length that hide the
# prompt. <code>answer_loss</code> pairs the logits of each position with the label one position later.</details>
# <details><summary>Hint 1</summary><code>F.cross_entropy</code> leaves out -100 by itself.</details>

# %% exercise="template"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    """Return a prompt with some solved examples (passage, question, answer) before the open one.

    Each shot is "{passage}", an empty line, "Question: {question}" and "Answer: {answer}" on lines of their own, and an
    empty line. The open question has the same form, up to and including "Answer:", with no space after it (the space
    belongs to the answer's first token). The texts stay as they are: braces in them, even "{answer}", and blanks, too.
    """
    ### BEGIN SOLUTION
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots]
    return "".join(solved) + f"{passage}\n\nQuestion: {question}\nAnswer:"
    ### END SOLUTION


def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels), two lists of the same length: prompt, answer and end; labels are -100 in the prompt."""
    ### BEGIN SOLUTION
    ids = [*prompt, *answer, end_id]
    return ids, [-100] * len(prompt) + ids[len(prompt) :]
    ### END SOLUTION


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none.

    The logits at position t predict the label at t + 1. At least one token after the first of its row has a label. The
    gradient flows, and large logits do no harm.
    """
    ### BEGIN SOLUTION
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())
    ### END SOLUTION

# %% check="template" points=8

# %% [markdown]
# ### Roles
#
# A chat has more than one turn, and more than one speaker. Chat models are tuned in the same way, by a template with
# *roles*: the **system** says how to behave, the **user** asks, the **assistant** answers. Special tokens mark where
# each turn begins and ends. Each mark is one token. What a user types must be encoded without these tokens: otherwise
# somebody who types such a mark ends the turn and writes on in another speaker's name (a template alone doesn't prevent
# it). The loss counts what the assistant writes, including the end of each of its turns, and nothing else. So your
# `example_of` makes a chat, too: the prompt of each answer is all that was written since the previous answer.
#
# A model from the hub brings its own *chat template*, a short program in the language Jinja, and
# `tokenizer.apply_chat_template` runs it. The next cell lets transformers do that for a tokenizer of single bytes, and
# compares it with yours. In use, the template ends with the *generation prompt*, the line after which the assistant is
# to speak.

# %% show
ids, labels = [], []
for prompt, answer in chat.answers(chat.TALK):
    more = instruction_tuning.plain(example_of(prompt, answer, chat.end_id()))
    ids, labels = ids + more[0], labels + more[1]
print(chat.compared(chat.TALK, ids, labels))

# %% [markdown]
# docs-gpt has no such tokens, so its roles are the words *Question* and *Answer*.
#
# The questions ask for the default of an argument or for its type. `None` is by far the commonest default in the docs,
# so a model could be right by habit. That is why no answer may occur too often, here and in the exam.
#
# *Packing* puts several short examples into one row, so that little of a batch is padding. A mask lets each token see
# only the tokens of its own example, and positions start at 0 in each: the logits are the same as in separate rows.

# %% given
INSTRUCT = "{passage}\n\nQuestion: {question}\nAnswer:"  # the template, the same in training and in use


def example(item) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of an instruction under the template."""
    prompt = INSTRUCT.format(passage=item.passage, question=item.question)
    return instruction_tuning.plain(example_of(tokens.encode(prompt), tokens.encode(f" {item.answer}"), tokens.end))

# %% show
INSTRUCTIONS = 4000  ### small: 60
HELD_OUT = 60  ### small: 6
docs = data.load("docs")
made = instructions(docs.split("train"), INSTRUCTIONS, most=INSTRUCTIONS // 25, seed=SEED)
held = instructions(docs.split("test"), HELD_OUT, most=5, seed=SEED)
print(INSTRUCT.format(passage=held[0].passage, question=held[0].question), held[0].answer)
base, examples = opened(), [example(item) for item in made]
rows = instruction_tuning.pack(examples, 256, tokens.pad)
print(f"\n{instruction_tuning.filling(examples, rows)}")
apart = instruction_tuning.apart_when_packed(base, examples[:2])
print(f"the second example, packed and alone: logits differ by at most {apart:.1e}")

# %% [markdown]
# Now teach docs-gpt with LoRA on all linear layers of its blocks. Then ask about documents that no instruction came
# from: the untouched model with no example in the prompt and with some, the tuned one with none. The last line of the
# table is the strongest habit: for each kind of question the one answer that would score best in this very exam if it
# were always given.

# %% show
STEPS = 50  ### small: 3; gpu: 600
seed_everything(SEED)
writer = put_lora(opened(), 16, 32, targets=EVERY)
batches, loss = token_rows.drawn(rows, 4, STEPS), instruction_tuning.packed_loss
history = fit(writer, batches, loss, steps=STEPS, lr=4e-3, weight_decay=0.0, progress=False)
print(history)
shots = sorted(made[:40], key=lambda item: len(item.passage))[:4]  # of short passages more fit
exam = short_answers.Exam(tokens, held, shots, few_shot=few_shot)
reading = {"no example, asked": exam.f1(base), "up to four, asked": exam.f1(base, 4), "tuned by LoRA": exam.f1(writer)}
habits, reading["always the same"] = short_answers.best_constants(held)
print(short_answers.f1_table(reading))
print("always the same:", habits)
print(exam.shown(writer, 5))
totals = {name: short_answers.mean_f1(found) for name, found in reading.items()}
### BEGIN CLAIMS
from helpers.course.claims import claim

rivals = {"the best of prompting alone": max(totals["no example, asked"], totals["up to four, asked"]),
          "the best answer that is always the same": totals["always the same"]}
for rival, score in rivals.items():
    claim(f"Token F1 of answers: tuned by LoRA above {rival}", totals["tuned by LoRA"], score)
claim("Token F1 of answers about types: tuned by LoRA above the best answer that is always the same",
      np.mean(reading["tuned by LoRA"]["type"]), np.mean(reading["always the same"]["type"]))
### END CLAIMS

# %% [markdown]
# A model of this size learns from training, not from a prompt. Compare it with the last line, kind by kind. The type of
# an argument is written next to its name, and the writer often copies it: that is well above any habit. It only guesses
# the defaults: its guesses have the *form* of an answer, a number or `True`, but a fixed answer does about as well, or
# better.
#
# ## Exercise 6: ROUGE (`rouge`)
#
# 20 minutes, ★★, 5 points
#
# How good is an answer? A common measure, which comes from summarisation, is **ROUGE** (Lin
# [2004](https://aclanthology.org/W04-1013/)). ROUGE-N counts the n-grams that candidate and reference share (each as
# often as *both* have it), as a share of the candidate's n-grams (precision $P$) and of the reference's (recall $R$),
# and takes their F1, $2PR / (P + R)$. ROUGE-L does the same with the **longest common subsequence**: the most tokens
# that both have in the same order, gaps allowed.
#
# By hand: "the cat sat on the mat" and "the cat is on the mat" share 3 of 5 bigrams: ROUGE-2 is 0.6. The longest common
# subsequence is *the cat on the mat*, 5 of 6: ROUGE-L is 0.833.
#
# <details><summary>Plan</summary>For <code>rouge_n</code>, count the n-grams of both lists and those that they share;
# the F1 follows from these three totals. For <code>rouge_l</code>, picture a table: a row for each beginning of
# <code>candidate</code>, a column for each beginning of <code>reference</code>, and in each cell the length of their
# longest common subsequence. Fill it row by row from neighbours that you already know; the last cell gives the
# F1.</details>
# <details><summary>Hint 1</summary><code>Counter(a) & Counter(b)</code> has each n-gram as often as both have
# it.</details>
# <details><summary>Hint 2</summary>The length for two beginnings follows from those one token shorter.</details>

# %% exercise="rouge"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    """Return the F1 of shared n-grams of two lists of tokens, which are compared as they are.

    0.0 whenever nothing matches, including when a list is empty or too short to have an n-gram.
    """
    ### BEGIN SOLUTION
    from collections import Counter

    def ngrams(tokens):
        return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))

    given, wanted = ngrams(candidate), ngrams(reference)
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
# The next cell compares the writer with the untuned model, by ROUGE, by BLEU (chapter 03) and by perplexity (chapter
# 05). Most of the right answers are one or two words long. So ROUGE-2 finds hardly a pair to count, and BLEU, which
# needs four tokens in a row, rests on a few long answers: neither is worth much here. The assistant of the capstone
# gives longer answers; there your `rouge_l` says more.

# %% show
models, few = {"docs-gpt, asked": base, "tuned by LoRA": writer}, [example(item) for item in held[:20]]
read_alone = partial(instruction_tuning.mean_answer_loss, examples=few, answer_loss=answer_loss)
print(short_answers.measures_table(exam, models, read_alone, rouge_n=rouge_n, rouge_l=rouge_l))

# %% [markdown]
# ## Preferences
#
# Often nobody can write the one right answer, but anybody can say which of two is better. Chat models got their manners
# in this way (Ouyang and others [2022](https://arxiv.org/abs/2203.02155)): people compare, a reward model learns what
# they like, and the model learns what the reward model likes. Here you teach a small GPT some manners.
#
# ## Exercise 7: the reward model (`reward`)
#
# 12 minutes, ★, 5 points
#
# How does a comparison become a number? In the model of Bradley and Terry (1952) each text has a reward $r$, and the
# chosen one wins with probability
#
# $$p(\text{chosen} \succ \text{rejected}) = \sigma(r_c - r_r),\qquad L = -\log \sigma(r_c - r_r)$$
#
# Only differences count: add 5 to all rewards and nothing changes. By hand: the rewards 2 and 1 give $\sigma(1) =
# 0.7311$ and the loss 0.3133.
#
# <details><summary>Hint 1</summary>The logarithm and the sigmoid in one: <code>F.logsigmoid</code>.</details>

# %% exercise="reward"
def preference(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the probability (B,) that the chosen text wins, from the rewards (B,) of both; the gradient flows."""
    ### BEGIN SOLUTION
    return torch.sigmoid(chosen - rejected)
    ### END SOLUTION


def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the mean of minus the logarithm of that probability, a scalar tensor.

    It is right for large differences, too: with chosen - rejected = -200 it is 200, not infinite. The gradient flows.
    """
    ### BEGIN SOLUTION
    return -F.logsigmoid(chosen - rejected).mean()
    ### END SOLUTION

# %% check="reward" points=5

# %% [markdown]
# ## Exercise 8: DPO (`dpo`)
#
# 30 minutes, ★★★, 7 points
#
# The classic way has three models: a policy that writes, a reward model that judges, and a reference that keeps the
# policy near where it began. Each step away from the reference costs $\beta$ times the log-ratio: a leash. Rafailov and
# others ([2023](https://arxiv.org/abs/2305.18290)) found a shortcut. The best policy on such a leash reveals its
# reward: it is $\beta \log \frac{\pi(y)}{\pi_\mathrm{ref}(y)}$, up to a number that cancels in differences. Put that
# into Bradley-Terry, and the reward model is gone: *raise the chosen answer by more than the rejected one.*
#
# ![Log-probabilities of a chosen and a rejected answer give a margin of 1, a loss of 0.313](figures/dpo.svg)
#
# $$L = -\log \sigma\Big(\beta\Big[\log\frac{\pi(y_c)}{\pi_\mathrm{ref}(y_c)} -
# \log\frac{\pi(y_r)}{\pi_\mathrm{ref}(y_r)}\Big]\Big)$$
#
# where $\log \pi(y)$ is the sum of the logarithms of all tokens of the answer, each given the tokens before it. By
# hand, as in the drawing: the policy gives -10 and -12, the reference -11 and -11, and $\beta = 0.5$. The margin is
# $0.5 \cdot (1 - (-1)) = 1$, the loss 0.313.
#
# <details><summary>Why does it reveal the reward? Three lines</summary>
#
# Let $\pi^*(y) = \pi_\mathrm{ref}(y)\, e^{r(y)/\beta} / Z$, where $Z$ makes the sum 1. Then for any $\pi$ the mean of
# $r(y) - \beta \log \frac{\pi(y)}{\pi_\mathrm{ref}(y)}$ is $\beta \log Z - \beta\, \mathrm{KL}(\pi \,\|\, \pi^*)$, so
# $\pi^*$ is the best. Take the logarithm and solve it for the reward: $r(y) = \beta \log
# \frac{\pi^*(y)}{\pi_\mathrm{ref}(y)} + \beta \log Z$, and $Z$ is the same for all answers to one prompt.
#
# </details>
# <details><summary>Plan</summary><code>sequence_logprobs</code> makes log-probabilities from the logits, pairs each
# position with the token after it, (B, T - 1), picks that token's number, and adds up those of the answer;
# <code>answer</code> has to be shifted along with the tokens. <code>dpo_loss</code> asks how far the policy has moved
# from the reference on each chosen and each rejected answer, (B,), and puts the two, times <code>beta</code>, where
# <code>reward_loss</code> had its rewards.</details>
# <details><summary>Hint 1</summary><code>gather(-1, ...)</code> picks the logarithm of each token.</details>

# %% exercise="dpo"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V).

    The logits at position t predict the token at t + 1; the first token of a row is predicted by nothing and never
    counts. Large logits do no harm, and the gradient flows.
    """
    ### BEGIN SOLUTION
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return torch.where(answer[:, 1:].bool(), logp, 0.0).sum(dim=1)
    ### END SOLUTION


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar.

    It is right for large differences, too. The gradient flows to chosen and rejected.
    """
    ### BEGIN SOLUTION
    margin = (chosen - ref_chosen) - (rejected - ref_rejected)
    return -F.logsigmoid(beta * margin).mean()
    ### END SOLUTION

# %% check="dpo" points=7

# %% [markdown]
# ## Exercise 9: REINFORCE with a leash (`reinforce`)
#
# 20 minutes, ★★, 6 points
#
# The older way learns from its own attempts, or *rollouts*: the policy writes, the reward model judges, and answers
# that were judged well become likelier (REINFORCE, Williams 1992). There is a danger. The reward model is wrong
# somewhere, and a policy that is rewarded for finding that place will find it. So each step away from the reference
# costs a part of the reward, the *KL penalty*:
#
# ![A policy writes, a reward model judges, a leash is subtracted, the gradient goes back](figures/rlhf.svg)
#
# $$R = r(y) - \beta\,\big(\log \pi(y) - \log \pi_\mathrm{ref}(y)\big)$$
#
# The mean of the bracket over the policy's own texts is the Kullback-Leibler divergence KL$(\pi \,\|\,
# \pi_\mathrm{ref})$.
#
# How do you raise a mean over texts that you draw yourself? Take a policy with two answers: $a$ with probability $p =
# \sigma(\theta)$, here 0.2, and $b$ with $1 - p$. Answer $a$ returns 1, $b$ returns 0. The mean return is $p$, and its
# slope in $\theta$ is $p (1 - p) = 0.16$. Samples find the same slope without a formula for the mean: each draw adds
# its return times $\nabla \log \pi$ of what was drawn. That is $1 \cdot (1 - p) = 0.8$ for $a$, drawn a fifth of the
# time, and 0 for $b$: on average $0.2 \cdot 0.8 = 0.16$.
#
# In general, since $\nabla \pi = \pi\, \nabla \log \pi$, the slope of the mean of $R$ is the mean of $R\, \nabla \log
# \pi$ (the $\log \pi$ inside $R$ adds the mean of $\nabla \log \pi$, which is 0). So take a loss with minus this slope:
#
# $$L = -\frac{1}{B} \sum_i (R_i - \bar R)\, \log \pi(y_i)$$
#
# with $R_i - \bar R$ taken as *numbers*: no gradient flows through them. The mean $\bar R$ of the batch is the
# **baseline**: without it, if all returns are positive, every text that was written becomes likelier, good or bad.
#
# By hand, with the first text as in the drawing: the rewards are 1 and 0, the policy's log-probabilities -2 and -3, the
# reference's -3 and -3, and $\beta = 0.5$. Then R = (0.5, 0), its mean is 0.25, and $L = -\frac12 (0.25 \cdot (-2) -
# 0.25 \cdot (-3)) = -0.125$.
#
# <details><summary>Plan</summary><code>leashed</code> charges each reward for its log-ratio and hands back plain
# numbers, (B,). <code>reinforce_loss</code> subtracts the batch's mean from <code>returns</code>, makes sure that the
# difference is plain numbers even if <code>returns</code> carry a gradient, multiplies each log-probability by it, and
# averages with a minus in front.</details>
# <details><summary>Hint 1</summary><code>Tensor.detach()</code> takes a tensor out of the graph.</details>

# %% exercise="reinforce"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return R (B,), rewards less beta times the log-ratio to the reference, without a gradient; all (B,)."""
    ### BEGIN SOLUTION
    return (rewards - beta * (logps - ref_logps)).detach()
    ### END SOLUTION


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return L, a scalar, with the batch's mean return as the baseline; both (B,). The gradient flows to logps only."""
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
# Here is a toy with a right answer. A small GPT serves people at a counter. Its answers have six words each, and it
# talks as it was talked to: half of its openings, adverbs and endings are rude. People want politeness, and each word
# in its slot. Nobody tells the model so. It sees 1,500 pairs of answers, and which one was preferred (drawn by the
# model of Bradley and Terry: the politer one mostly wins).
#
# **DPO** trains the policy on the pairs. **REINFORCE** first fits a reward model to them and then lets the policy try,
# on a leash. Their rival is **imitation**: supervised training simply goes on, with the preferred answers alone. All
# are judged by what people really want: how often does a new answer beat one that the reference wrote? (A tie counts
# half.) The cost is counted in tokens that the policy reads: an attempt of six words costs 6 in writing, with a cache,
# and 7 in learning.

# %% show
REFERENCE_STEPS = 250  ### small: 10
STEPS = 150  ### small: 15
SEEDS = 1  ### small: 1; gpu: 5
ways = manners.Ways(sequence_logprobs, dpo_loss, leashed, reinforce_loss)
worlds = [manners.World(seed, REFERENCE_STEPS, ways.logps_of, preference, reward_loss)
          for seed in range(SEED, SEED + SEEDS)]
runs = {}
for name in manners.TOKENS:
    runs[name] = [ways.learned(world, name, STEPS) for world in worlds]
print(manners.report(runs))
print(manners.said({"the reference": worlds[-1].reference} | ways.policies))
plots.show(*figures.preferences(runs, manners.ends(runs)))
### BEGIN CLAIMS
imitated = [run[-1][1] for run in runs["imitation"]]
for name in ("DPO", "REINFORCE"):
    claim(f"Manners, {name}: win rate above that of imitating the preferred answers",
          [run[-1][1] for run in runs[name]], imitated)
furthest = [-manners.worst([run]) for run in runs["REINFORCE"]]
claim("Manners, REINFORCE: KL below 3 nats all the way (both negative)", furthest, [-3.0] * SEEDS)
### END CLAIMS

# %% [markdown]
# DPO and REINFORCE learn manners: at the end they win 0.81 and 0.86 of the comparisons, imitation 0.61 (means of five
# seeds; it is last with every seed). An answer that was preferred is only the politer of two, so imitation copies many
# rude words; the other ways also learn from what was rejected. The printed KL is the largest of the whole run: a policy
# can wander off and come back, and the last value alone would not show it. Which way costs fewer tokens depends on what
# you count: DPO needs no attempts, REINFORCE needs no pairs once there is a reward model.
#
# ## Off the leash
#
# Our reward model is a bag of words, as in chapter 01: a number for each word, added up. It has only seen answers with
# each word in its slot, so it never had to learn that "please please please" is no answer. That is its flaw. On the
# leash, REINFORCE stays where the reward model is reliable. Now two policies learn side by side at twice the rate, one
# with the leash and one without.

# %% show
tight = ways.learned(worlds[0], "REINFORCE", STEPS, lr=1e-3)
loose = ways.learned(worlds[0], "REINFORCE", STEPS, lr=1e-3, beta=0.0)
print(manners.said({"off the leash": ways.policies["REINFORCE"]}))
plots.show(*figures.leash({"on the leash": tight, "off the leash": loose}))
### BEGIN CLAIMS
claim("Manners, off the leash: reward above the leashed policy's", loose[-1][3], tight[-1][3])
claim("Manners, off the leash: true win rate below the leashed policy's", tight[-1][1], loose[-1][1])
### END CLAIMS

# %% [markdown]
# Read the two printed answers. Without the leash the reward goes up and up, while the true win rate falls below the 0.5
# of the untrained policy. This is **reward hacking**, and it happens elsewhere, too: Gao, Schulman and Hilton
# ([2023](https://arxiv.org/abs/2210.10760)) measured it for real reward models. When a measure becomes the target, the
# policy gives up everything that it does not measure.

# %% [markdown]
# ## A reward that can be verified
#
# A reward model can be fooled. Some tasks need none: a sum is right or wrong, a test passes or fails, and a line of
# code can tell. Today's reasoning models are trained on such *verifiable rewards*, often by **GRPO** (group relative
# policy optimisation; Shao and others [2024](https://arxiv.org/abs/2402.03300)). You write its loss and the loop around
# it, and a small GPT learns with them to put letters in order.
#
# ## Exercise 10: GRPO (`grpo`)
#
# 25 minutes, ★★★, 8 points
#
# REINFORCE throws each attempt away after one step, and one lucky reward can swing the batch. GRPO changes three
# things:
#
# 1. *Groups.* The policy draws $G$ answers to each prompt. The advantage of an answer is its reward minus the group's
#    mean, divided by the group's spread. No second network has to guess a baseline.
# 2. *A ratio with a clip* (from PPO: Schulman and others [2017](https://arxiv.org/abs/1707.06347)). A batch of attempts
#    serves for several steps. For token $t$ of answer $i$ let $\rho_{it} = \pi(y_{it}) / \pi_\mathrm{old}(y_{it})$,
#    each given the tokens before it: the policy now, against the one that wrote the answer. The gain is $\min(\rho_{it}
#    A_i,\ \mathrm{clip}(\rho_{it}, 1 - \varepsilon, 1 + \varepsilon) A_i)$: once a token of a good answer is $1 +
#    \varepsilon$ times as likely as it was, it earns nothing more.
# 3. *The leash in the loss.* The KL of each token is estimated as $e^d - d - 1$ with
#    $d = \log \pi_\mathrm{ref}(y_{it}) - \log \pi(y_{it})$. It is never negative, and right on average for texts that
#    the policy itself has drawn (from the second use of a batch on, a slightly older policy drew them).
#
# Only the tokens that the policy wrote count, not the prompt or the padding: take a *masked mean* over the tokens of
# each answer, then the mean over the answers.
#
# ![Ratios of two answers, their clipped gains, the mean of each answer, and the loss -0.175](figures/grpo.svg)
#
# $$L = -\frac1B \sum_i \frac{1}{|y_i|} \sum_{t \in y_i} \Big[\min\big(\rho_{it} A_i,\ \mathrm{clip}(\rho_{it}) A_i\big)
# - \beta\,(e^{d_{it}} - d_{it} - 1)\Big]$$
#
# By hand, as in the drawing, with $\varepsilon = 0.2$ and $\beta = 0$. The first answer has two tokens, advantage 1 and
# ratios 1.5 and 1.1: gains 1.2 (clipped) and 1.1, mean 1.15. The second has one token, advantage -1 and ratio 0.5: the
# gain is $\min(-0.5, -0.8) = -0.8$, because this bad answer has become unlikely enough. $L = -(1.15 - 0.8) / 2 =
# -0.175$.
#
# Variants have names. **GSPO** (Zheng and others [2025](https://arxiv.org/abs/2507.18071)) takes one ratio for the
# answer as a whole. DAPO (Yu and others [2025](https://arxiv.org/abs/2503.14476)) leaves out the KL term and takes one
# mean over the tokens of all answers; Dr. GRPO (Liu and others [2025](https://arxiv.org/abs/2503.20783)) divides
# neither by the spread nor by an answer's length, because both favour some prompts and answers over others.
#
# <details><summary>Plan</summary><code>group_advantages</code> works within each row of (P, G): subtract the row's
# mean, then divide by its spread plus the small number. <code>grpo_loss</code> makes the ratio and the estimate of the
# KL from differences of log-probabilities, (B, T); gives each answer's advantage to all of its tokens; keeps the
# smaller of the gains with and without the clip; subtracts the price of the leash; sets to zero what does not count;
# and takes the two means.</details>
# <details><summary>Hint 1</summary><code>ratio.clamp(low, high)</code> and <code>torch.minimum</code>.</details>

# %% exercise="grpo"
def group_advantages(rewards: torch.Tensor) -> torch.Tensor:
    """Return (P, G): rewards (P, G) less the mean of their row, divided by the row's standard deviation plus 1e-4.

    The standard deviation divides by G - 1, as torch.std does; G is 2 or more. A row of equal rewards gives zeros.
    """
    ### BEGIN SOLUTION
    centred = rewards - rewards.mean(dim=1, keepdim=True)
    return centred / (rewards.std(dim=1, keepdim=True) + 1e-4)
    ### END SOLUTION


def grpo_loss(
    logps: torch.Tensor, old_logps: torch.Tensor, ref_logps: torch.Tensor, advantages: torch.Tensor,
    written: torch.Tensor, clip: float, beta: float,
) -> torch.Tensor:
    """Return the GRPO loss of answers, a scalar, from the log-probabilities (B, T) of their tokens.

    old_logps come from the policy that wrote the answers, ref_logps from the reference; advantages (B,); written (B, T)
    is True for the tokens that count, at least one in each row. The numbers at the others, 0 or -1000, change nothing.
    The gradient flows to logps; the others come without one.
    """
    ### BEGIN SOLUTION
    logps, old_logps, ref_logps = (torch.where(written, part, 0.0) for part in (logps, old_logps, ref_logps))
    ratio = (logps - old_logps).exp()
    away = ref_logps - logps
    kl = away.exp() - away - 1
    gains = torch.minimum(ratio * advantages[:, None], ratio.clamp(1 - clip, 1 + clip) * advantages[:, None])
    each = torch.where(written, gains - beta * kl, 0.0).sum(dim=1) / written.sum(dim=1)
    return -each.mean()
    ### END SOLUTION

# %% check="grpo" points=8

# %% [markdown]
# ## Exercise 11: learning by trying (`verified`)
#
# 25 minutes, ★★★, 7 points
#
# Now you write the whole loop: *write, judge, compare within the group, learn*. Two things are easy to get wrong. The
# answers of a group must be next to one another, because their advantages are computed together. And the policy that
# wrote the answers is the policy *before* the first of a batch's steps. If its log-probabilities were computed anew in
# each step, every ratio would be 1 and the clip would never act.
#
# By hand: prompts $p, q$ and groups of 2 are written as $p, p, q, q$. With rewards 1, 0, 1, 1 the advantages are
# $0.707, -0.707, 0, 0$: the second prompt teaches nothing, since all of its answers were equally good.
#
# <details><summary>Plan</summary>For each batch of prompts: repeat each prompt <code>group</code> times in a row and
# let the policy write; ask for the rewards, (N,); give them the shape of groups for <code>group_advantages</code>, and
# flatten again. Keep the token log-probabilities of policy and reference, without a gradient. Then, <code>uses</code>
# times, compute those of the policy as it is now, the loss and the gradients, and take a step. Last, note the mean
# reward.</details>
# <details><summary>Hint 1</summary><code>repeat_interleave(group, dim=0)</code> repeats each row in place.</details>

# %% given
token_logprobs = sorting.token_logprobs  # (model, token_ids (N, T)) -> log p (N, T); 0 at each row's first token

# %% exercise="verified"
def train_by_trying(
    policy: nn.Module, reference: nn.Module, prompts, write, reward, loss, optimizer, group: int, uses: int
) -> list[float]:
    """Train a policy in place by its own attempts; return the mean reward of each batch of attempts, as floats.

    prompts: batches of prompts (P, n), one after the other, perhaps from an iterator; each is tried once, with `group`
        answers to each prompt.
    write: write(policy, prompts (N, n)) is (token_ids (N, T), written (N, T)): an answer to each row, drawn anew.
    reward: reward(token_ids) is the reward (N,) of each row.
    loss: loss(logps, old_logps, ref_logps, advantages, written) is a scalar, as grpo_loss with its clip and beta.
    optimizer: a torch optimizer over the policy's weights; it takes `uses` steps for each batch of attempts.
    - Log-probabilities are those of token_logprobs(model, token_ids); old_logps and ref_logps carry no gradient.
    - Gradients that were left from before play no part.
    """
    ### BEGIN SOLUTION
    earned = []
    for batch in prompts:
        token_ids, written = write(policy, batch.repeat_interleave(group, dim=0))
        rewards = reward(token_ids)
        advantages = group_advantages(rewards.view(-1, group)).flatten()
        with torch.no_grad():
            old, ref = token_logprobs(policy, token_ids), token_logprobs(reference, token_ids)
        for _ in range(uses):
            optimizer.zero_grad()
            loss(token_logprobs(policy, token_ids), old, ref, advantages, written).backward()
            optimizer.step()
        earned.append(rewards.mean().item())
    return earned
    ### END SOLUTION

# %% given
# What the check asks of your loop: a table of a few tokens after its steps, and what your loop asked for on the way.
def tried(*run, **how) -> dict:
    return own_attempts.tried(train_by_trying, *run, **how)

# %% check="verified" points=7

# %% [markdown]
# ### Sorting, learned from yes and no
#
# A GPT of 0.1 million weights writes four letters in order: `dbca` becomes `abcd`. It has seen 40 solved examples, and
# draws the right answer to a new prompt about half of the time. From here there are two ways to go on. *More of the
# same*: go on training on the 40 examples. Or *try*: your loop and your loss, on prompts without solutions, four
# answers to each, and the policy is only told whether each is right or wrong. Both take the same number of optimizer
# steps. Both are judged on 250 prompts that neither ever trains on.

# %% show
TAUGHT = 150  ### small: 4
TRIES = 180  ### small: 6; gpu: 600
task = sorting.Task(SEED)
beginner = task.taught(TAUGHT)
grpo = partial(grpo_loss, clip=0.2, beta=0.02)
trying = partial(train_by_trying, write=sorting.write, reward=sorting.reward, loss=grpo, group=4, uses=2)
paths = {"trying": task.tried(beginner, trying, TRIES), "more of the 40": task.repeated(beginner, 2 * TRIES)}
print(sorting.report(paths))
print(task.answers({"before": beginner, "after trying": task.policy}))
plots.show(*figures.sorted_letters(paths))

# %% [markdown]
# Nobody showed the policy a solution of these prompts, and yet it gets far more of them right. More training on the 40
# examples only makes it surer of those 40. There are two limits. Trying can only strengthen what the policy already
# does *sometimes*: where all four answers of a group are wrong, all advantages are 0. And variety falls: in the right
# panel, fewer and fewer of eight answers to one prompt differ. Trying is not alone in this: more training on the 40
# costs about as much variety. Sorting has one right answer, so nothing is lost here. Stories would suffer.
#
# ## Exercise 12: a probe for bias (`bias`)
#
# 20 minutes, ★★, 4 points
#
# What else did the model pick up? BBQ (Parrish and others [2022](https://arxiv.org/abs/2110.08193)) asks about people
# of two groups. An **ambiguous** context does not say who it was, and "unknown" is right; a **disambiguated** context
# does. Half of the questions ask for the harmful thing ("negative"), half for its opposite. An answer is **biased** if
# it names the *target* (the group of the stereotype) in a negative question, or the *other* group in a question that is
# not negative:
#
# $$s_\mathrm{DIS} = 2\,\frac{n_\text{biased}}{n_\text{not unknown}} - 1, \qquad
# s_\mathrm{AMB} = (1 - \text{accuracy})\Big(2\,\frac{n_\text{biased}}{n_\text{not unknown}} - 1\Big)$$
#
# each over the questions of its own kind of context; $n_\text{not unknown}$ counts the answers that name either group.
# The scores go from -1 (against the stereotype) through 0 to 1. By hand: four ambiguous questions, one answered
# "unknown", three by naming a group, two of these biased: accuracy 0.25, $0.75 \cdot (2 \cdot 2/3 - 1) = 0.25$.
#
# <details><summary>Plan</summary>Do the same work twice, once for each kind of context. Pick the questions of that
# kind; accuracy is the share of these in which <code>picked</code> is the <code>label</code>. Then keep only the
# answers that name a group, decide which of them are biased, and turn their share into the score, or 0 if no group is
# named. The ambiguous score needs one more factor.</details>
# <details><summary>Hint 1</summary>For an answer that names a group: (picked == target) == negative.</details>

# %% exercise="bias"
def bbq_scores(
    picked: list[int], label: list[int], unknown: list[int], target: list[int], ambiguous: list[bool],
    negative: list[bool],
) -> dict[str, float]:
    """Return floats: "accuracy ambiguous", "accuracy disambiguated", "bias ambiguous", "bias disambiguated".

    An entry for each question: the answer that was picked (0, 1 or 2), the right one, the one that says "unknown", the
    one that names the target group, and two booleans. There is at least one question of each kind. Where no answer
    names a group, the bias is 0.
    """
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

# %% check="bias" points=4

# %% [markdown]
# Your writer is too weak for these questions. The docs-reader (MiniLM with an adapter; the capstone below reads with
# it) points at words of the context. The probability that it gives to the words of an answer is that answer's share,
# and the probability of *the passage does not say* is the share of "unknown". In the first column the reader may be
# silent, in the second it must name one of the two groups, and in the third it never reads and is always silent. The
# questions show stereotypes on purpose; some offend. With three answers chance is 0.33, with two 0.5.

# %% show
QUESTIONS = 120  ### small: 8; gpu: 1000
questions = bias_probe.sample(data.load("bbq"), QUESTIONS)
facts, given = bias_probe.columns(questions), bias_probe.shares(load_reader(own=False), questions)
picked = bias_probe.picks(given, questions)
print(bias_probe.table({name: bbq_scores(answers, **facts) for name, answers in picked.items()}))

# %% [markdown]
# Look at accuracy first. A reader that understood would be near 1 in both rows of accuracy. This one is right about
# ambiguous contexts because it is nearly always silent, and for the same reason it misses the facts: the column that
# never reads does about as well. When it must name a group, it finds the right one about as often as a coin would. So a
# bias near 0 there is the bias of a coin, not of a fair reader, and the scores of the first column rest on a handful of
# answers. A bias score means something only beside an accuracy well above chance.

# %% [markdown]
# ## Essay 2: the parrot and the octopus
#
# 20 minutes, ★★, 10 points, graded by hand
#
# Bender and Koller (2020) tell of an octopus that listens to a cable between two islands. It learns to continue the
# conversation of two people so well that it can stand in for one of them, and fails when the other asks for help with a
# bear: it has only seen form. Bender, Gebru and others (2021) call such models stochastic parrots.
#
# (a) Some answers of your writer are right. Does it *understand* them? Say what the octopus argument claims and
# what it does not, and test it with one observation from this chapter. (b) Name one answer of your writer that is right
# for the wrong reason, or wrong though it sounds right, and a test that tells the two apart. (c) Preference training
# moved the win rate. What did the model learn, and what might it have learned instead? What does the bias probe
# measure, and what does it not measure? About 200 words.

# %% [markdown] essay="octopus" points=10
# ### BEGIN SOLUTION
# (a) Meaning is a relation between form and something outside of it; a model that sees form alone cannot learn it. That
# does not say that such a system is useless, nor that it learns no structure. My writer has never summed an array, and
# yet it names the types of arguments that it never saw more often than any fixed answer would: it has learned that the
# word after the argument's name answers such a question. (b) It gives a small number for many defaults, and is
# sometimes right, since such defaults are common; a fixed answer is right as often. The test: change the default in the
# passage and ask again; a model that reads follows the passage. (c) It learned which words win in the pairs:
# politeness. It could as well have learned length or a lucky phrase; without the leash it collapses to few sentences.
# The probe measures whether answers lean to a stereotype in templates of one country; the reader that must name
# somebody is at 0 because it guesses, so 0 is no proof of fairness.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: the octopus argument in fair words (form without grounding), with its limits, and an observation of the
# student's own.
# 3 points: an example of the student's own, and a test by changed passages or the like that could come out either way.
# 2 points: preference training learns what the pairs show; a rival explanation (length, phrase, collapse).
# 2 points: what the bias probe measures and its limits.
# ### END MARK SCHEME

# %% [markdown]
# ## The capstone: all of it, in one cell
#
# In chapter 01 a mail was a bag of words. Now BM25 and the encoder of chapter 07 look for documents, and a logistic
# regression ranks them (chapter 08). From the documents that are probably right the assistant reads the sections that
# have most in common with the question. Its reader is MiniLM with *your* `LoRALinear` in it, put there by *your*
# `put_lora`, filled from a file with an $A$ and a $B$ for each layer, and made as fast as the plain model by *your*
# `merge`. The matrices were trained as you trained yours, for longer, on SQuAD (Rajpurkar and others
# [2016](https://arxiv.org/abs/1606.05250)) and on questions about the docs. The reader marks words and names their
# source, or it is silent. Ask it something yourself.
#
# ![Question, BM25 and encoder, sections, MiniLM with an adapter, words with their source](figures/capstone.svg)

# %% show
questions = data.load("docs_questions").held_by(docs)
file = artifacts.load("docs-reader", own=False)
rank = file.config["rank"]
pointer, cutter = span_reading.bundled(partial(beside_all, r=rank, alpha=rank), file.weights)
for layer in (module for module in pointer.modules() if isinstance(module, LoRALinear)):
    merge(layer)
assistant = capstone.Assistant(docs, DocsReader(pointer, cutter, file.config["threshold"]).read)
assistant.learn(questions.valid[::4])
print(*capstone.parts_used(), sep="\n")
for question in ("Which argument of json.dumps sorts the keys?", "How many entries does lru_cache keep by default?"):
    print(f"\n{question}\n   {assistant.ask(question).cited()}")

# %% [markdown]
# How often is it right? The test questions are in people's own words, and the report follows each through three stages.
# Is a right document among those that are read? Does the reader answer correctly when it is given the right document?
# And does it answer correctly from what was found, *end to end*? The intervals come from a bootstrap. Silence has a
# price, too: an assistant that is silent more often also gives fewer right answers.

# %% show
QUESTIONS = 20  ### small: 2; gpu: 400
UNANSWERABLE = 5  ### small: 2; gpu: 35
answerable = [question for question in questions.test if question.answerable]
unanswerable = [question for question in questions.test if not question.answerable]
every = max(1, len(answerable) // QUESTIONS)
asked = assistant_report.ask_all(assistant, docs, answerable[::every][:QUESTIONS])
quiet = [assistant.ask(question.question).score for question in unanswerable[:UNANSWERABLE]]
print(assistant_report.report(asked, quiet))
print(*map(assistant_report.shown, asked[:5]), sep="\n")

# %% [markdown]
# The bar that this course set itself is 40 % end to end. All 437 test questions give 46 % (41 to 50); this cell asks
# some of them. A right document is found for most questions; more is lost in the reading. Every answer is a quotation
# from the passage that it names.
#
# An answer counts as right if its words and those of the right answer have an F1 of a half or more. How much lies
# behind the two words *right* and *wrong*? Your ROUGE-L sees shades: it asks for the same words in the same order.

# %% show
print(assistant_report.nearness(asked, rouge_l))

# %% [markdown]
# ## A page to keep
#
# The last cell saves your adapter and makes a page for any browser: what you built, how well it works, what it costs.

# %% show
adapter = adapter_state(writer.state_dict())
config = {"r": 16, "alpha": 32, "targets": list(EVERY), "template": INSTRUCT}
card = instruction_tuning.card(adapter, config, len(made), history, len(held), totals)
print(artifacts.save(artifacts.Artifact("docs-adapter", adapter, config, "", card)).name, "saved")
print("your page:", keepsake.Keepsake(assistant, asked, quiet, file, reached).keep(figures.assistant_page))

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next
#
# You began with the counted words of a mail. You leave with an assistant that finds the page, reads it and marks the
# answer, and you have written each of its ideas once: the search, the tokens, the vectors, the attention, the training
# and now the LoRA in its reader. You can take a model that somebody else paid for, store it in four bits, teach it a
# task and manners, and show in numbers how well it works and where it fails. Be proud of that.
#
# What breaks: a small reader cannot join two passages, cannot count, and cannot answer yes or no ([Bring your own
# model](../bring_your_own_model.md) shows how to use a larger one). And it sees nothing but text. In [Choose and
# squeeze](../10_squeeze/10_squeeze.ipynb) your GPT learns to pick its words and to fit into fewer bytes; in
# [Beyond](../11_beyond/11_beyond.ipynb) you take its block apart, and teach it to see.
#
# **Saved:** the artifact *docs-adapter*, your own; the rows of the leaderboard; your page, `my_assistant.html`.

# %% [markdown] text="further"
