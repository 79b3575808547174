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
import copy
import math
import re
import time
from functools import cache

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import artifacts, data, leaderboard, notebook, plots
from helpers.claims import claim
from helpers.device import SEED, budget, seed_everything
from helpers.errors import CourseError
from helpers.gpt import chosen, model_of, tokenizer_of
from helpers.opened import PROJECTIONS, OpenGPT
from helpers.training import fit
from helpers.usage import usage

notebook.prepare()

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
# The check of `what-to-train`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("what-to-train", points=5)
def score(check):
    no_head = "the head is missing: it is new, so each method trains it"
    no_norm = "`final_norm` is missing"
    bottom = "these are the first blocks: the last ones are trained, those next to the head"
    one = "`top` is ignored: this is one block"
    embedded = "the embeddings are not trained by this method"
    weights_only = "the biases of the head came, its weights did not"
    no_gradients = "the gradients are missing: one number for each trained weight"
    all_states = "gradients and states are kept for trained weights only"
    no_frozen = "the frozen weights are in memory, too"
    numbers = "these are numbers, not bytes: each takes 4"
    ignored = "the argument `states` is ignored"

    def named(num_layers):
        inner = [f"blocks.{i}.{part}" for i in range(num_layers) for part in ("linear1.weight", "linear1.bias")]
        return ["token_embedding.weight", *inner, "final_norm.weight", "final_norm.bias", "head.weight", "head.bias"]

    check(trained_names, named(3), "head", 3).equals(["head.weight", "head.bias"], near={
            no_head: [],
            embedded: ["token_embedding.weight", "head.weight", "head.bias"],
            all_states: AttributeError,
        })
    check(trained_names, named(3), "top", 3, 2).equals(
        ["blocks.1.linear1.weight", "blocks.1.linear1.bias", "blocks.2.linear1.weight", "blocks.2.linear1.bias",
         "final_norm.weight", "final_norm.bias", "head.weight", "head.bias"], near={
            no_head: ["blocks.1.linear1.weight", "blocks.1.linear1.bias", "blocks.2.linear1.weight",
                "blocks.2.linear1.bias", "final_norm.weight", "final_norm.bias"],
            no_norm: ["blocks.1.linear1.weight", "blocks.1.linear1.bias", "blocks.2.linear1.weight",
                "blocks.2.linear1.bias", "head.weight", "head.bias"],
            bottom: ["blocks.0.linear1.weight", "blocks.0.linear1.bias", "blocks.1.linear1.weight",
                "blocks.1.linear1.bias", "final_norm.weight", "final_norm.bias", "head.weight", "head.bias"],
            one: ["blocks.2.linear1.weight", "blocks.2.linear1.bias", "final_norm.weight", "final_norm.bias",
                "head.weight", "head.bias"],
            embedded: ["token_embedding.weight", "blocks.1.linear1.weight", "blocks.1.linear1.bias",
                "blocks.2.linear1.weight", "blocks.2.linear1.bias", "final_norm.weight", "final_norm.bias",
                "head.weight", "head.bias"],
        })
    check(trained_names, named(2), "biases", 2).equals(
        ["blocks.0.linear1.bias", "blocks.1.linear1.bias", "final_norm.bias", "head.weight", "head.bias"], near={
            no_head: ["blocks.0.linear1.bias", "blocks.1.linear1.bias", "final_norm.bias", "head.bias"],
            weights_only: ["blocks.0.linear1.bias", "blocks.1.linear1.bias", "final_norm.bias", "head.bias"],
            all_states: AttributeError,
        })
    check(training_bytes, {"blocks.0.linear1.weight": 7, "head.weight": 3}, ["head.weight"]).equals(76, near={
            no_gradients: 64,
            all_states: 160,
            no_frozen: 48,
            numbers: 19,
        })

    def each_way(names, num_layers):
        """The names that three methods train."""
        return {method: trained_names(names, method, num_layers) for method in ("full", "top", "biases")}

    head_anywhere = "`head` may stand anywhere in a name: it must begin with `head.`"
    bias_anywhere = "`bias` may stand anywhere in a name: it must end in `.bias`"
    text = "the numbers of the blocks are compared as text: 10 comes behind 9"
    not_full = "`full` trains all names, the embeddings too"
    names = ["token_embedding.weight", "bias_table", "blocks.9.linear1.bias", "blocks.10.linear1.weight",
             "old_head.weight", "head.bias"]
    tenth, biases = ["blocks.10.linear1.weight", "head.bias"], ["blocks.9.linear1.bias", "head.bias"]
    check(each_way, names, 11).equals({"full": names, "top": tenth, "biases": biases}, near={
            head_anywhere: {"full": names, "top": ["blocks.10.linear1.weight", "old_head.weight", "head.bias"],
                "biases": ["blocks.9.linear1.bias", "old_head.weight", "head.bias"]},
            bias_anywhere: {"full": names, "top": tenth, "biases": ["bias_table", *biases]},
            text: {"full": names, "top": ["head.bias"], "biases": biases},
            not_full: {"full": names[1:], "top": tenth, "biases": biases},
        })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def chosen(head=("head.",), norm=("final_norm.",), first=False, fixed=False, more=(), ending=(".bias",)):
        def choose(names, method, num_layers, top=1):
            top = 1 if fixed else top
            numbers = range(top) if first else range(num_layers - top, num_layers)
            begins = tuple(f"blocks.{i}." for i in numbers) + norm
            if method == "full":
                return list(names)
            if method == "biases":
                return [n for n in names if n.startswith(head) or n.endswith(ending)]
            return [n for n in names if n.startswith(head + more + (begins if method == "top" else ()))]

        return choose

    def as_text(names, method, num_layers, top=1):
        last = sorted(map(str, range(num_layers)))[num_layers - top :] if method == "top" else []
        blocks = tuple(f"blocks.{number}." for number in last)
        return [n for n in names if n.startswith(blocks) or n in chosen()(names, method, num_layers, 0)]

    check.mistakes({
        no_head: chosen(head=("?",)), no_norm: chosen(norm=()), bottom: chosen(first=True),
        one: chosen(fixed=True), embedded: chosen(more=("token_embedding.",)),
        weights_only: lambda n, m, k, top=1: [v for v in n if v.endswith(".bias")] if m == "biases" else (
            chosen()(n, m, k, top)),
        "`biases` trains the head whole: its weights and its bias": chosen(head=("head.bias",)),
        "these are in alphabetical order: keep the order in which the names came": lambda n, m, k, top=1: (
            sorted(chosen()(n, m, k, top))),
        "this is a set: a list is asked, in the order of the names": lambda n, m, k, top=1: set(chosen()(n, m, k, top)),
        "these are the frozen ones": lambda n, m, k, top=1: [v for v in n if v not in chosen()(n, m, k, top)],
        "one block too many is trained": lambda n, m, k, top=1: chosen()(n, m, k, top + (m == "top")),
        text: as_text,
        not_full: lambda n, m, k, top=1: [
            v for v in chosen()(n, m, k, top) if "embedding" not in v],
        "the biases of the norms are missing: every name that ends in `.bias` counts": lambda n, m, k, top=1: [
            v for v in chosen()(n, m, k, top) if m != "biases" or "norm" not in v],
        head_anywhere: lambda n, m, k, top=1: [
            v for v in n if "head" in v or v in chosen()(n, m, k, top)],
        bias_anywhere: lambda n, m, k, top=1: [
            v for v in n if (m == "biases" and "bias" in v) or v in chosen()(n, m, k, top)],
        "with top = 0 no block is trained: a slice [-0:] takes all": lambda n, m, k, top=1: (
            chosen()(n, m, k, top if top or m != "top" else k)),
    })  # fmt: skip
    for num_layers, top in [(12, 2), (13, 3), (11, 10), (4, 1), (4, 4)]:
        names = named(num_layers)
        last = {f"blocks.{i}" for i in range(num_layers)[num_layers - top :]}
        right = [n for n in names if n.rpartition(".linear")[0] in last or n.split(".")[0] in ("final_norm", "head")]
        check(trained_names, names, "top", num_layers, top).equals(right, about="the last blocks")
    for method in ("full", "head", "biases"):
        names = named(int(check.rng.integers(2, 15)))[::-1]
        right = [n for n in names if method == "full" or n[:5] == "head." or (method == "biases" and n[-5:] == ".bias")]
        check(trained_names, names, method, 15).equals(right, about="full, head and biases")
    names = ["bias_table", "blocks.0.heads.weight", "blocks.1.bias.weight", "header.weight", *named(2)]
    biases = [n for n in names[4:] if n[-5:] == ".bias" or n[:5] == "head."]
    for method, right in [("head", names[-2:]), ("biases", biases)]:
        check(trained_names, names, method, 2).equals(right, about="names that hold these words elsewhere")
    check(trained_names, named(3), "top", 3, 0).equals(named(3)[-4:], about="no block at all", edge=True)

    def counted(gradient=1, everything=False, frozen=True, each=4, fixed=False):
        def count(sizes, trained, states=2):
            moved = sum(sizes.values()) if everything else sum(sizes[n] for n in trained)
            still = sum(n for name, n in sizes.items() if frozen or name in trained)
            return each * (still + (gradient + (2 if fixed else states)) * moved)

        return count

    check.mistakes({
        no_gradients: counted(gradient=0), all_states: counted(everything=True), no_frozen: counted(frozen=False),
        numbers: counted(each=1), ignored: counted(fixed=True),
        "the states of the optimiser are missing": lambda sizes, trained, states=2: counted()(sizes, trained, 0),
        "names are counted: `sizes` says how many numbers each has": lambda sizes, trained, states=2: (
            4 * (sum(sizes.values()) + (1 + states) * len(trained))),
        "each state is a number of 4 bytes, too": lambda sizes, trained, states=2: (
            counted()(sizes, trained, 0) + states * sum(sizes[n] for n in trained)),
        "weights are 4 bytes each, not 2": counted(each=2), "these are bits: a byte has 8": counted(each=32),
    })
    for states in (2, 0, 1):
        sizes = {name: int(check.rng.integers(1, 90)) for name in named(4)}
        trained = [name for name in sizes if check.rng.random() < 0.5] or ["head.bias"]
        right = sum(4 * n * (2 + states if name in trained else 1) for name, n in sizes.items())
        check(training_bytes, sizes, trained, states).equals(right, about="fresh sizes")
    sizes = {"head.weight": 5, "head.bias": 2}
    check(training_bytes, sizes, ["head.bias"]).equals(52, about="AdamW unless told otherwise")
    check(training_bytes, sizes, []).equals(28, about="nothing is trained", edge=True)
    ### END HIDDEN TESTS


score

# %% [markdown]
# What each way trains of the reference docs-gpt with a head of two outputs, and what its training holds.

# %% show
# NBVAL_CHECK_OUTPUT
reference = artifacts.load("docs-gpt", own=False)
sizes = {name: tensor.numel() for name, tensor in reference.weights.items()}
sizes |= {"head.weight": 2 * reference.config["d_model"], "head.bias": 2}
print(f"{'method':<10}{'trained':>12}{'share':>10}{'bytes with AdamW':>20}{'with SGD':>14}")
for method in ("full", "top", "biases", "head"):
    trained = trained_names(list(sizes), method, reference.config["num_layers"])
    count = sum(sizes[name] for name in trained)
    with_adam, with_sgd = (training_bytes(sizes, trained, states) for states in (2, 0))
    print(f"{method:<10}{count:>12,}{count / sum(sizes.values()):>10.2%}{with_adam:>20,}{with_sgd:>14,}")

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
def slopes(function, *arguments, fixed=()) -> list[torch.Tensor]:
    """Return the gradient of the sum of a function's value with respect to each tensor of floats but the `fixed`.

    fixed: the places of arguments that are not differentiated.
    """
    copies, leaves = list(arguments), []
    for i, argument in enumerate(arguments):
        if isinstance(argument, torch.Tensor) and argument.is_floating_point() and i not in fixed:
            copies[i] = argument.detach().clone().requires_grad_()
            leaves.append(copies[i])
    return list(torch.autograd.grad(function(*copies).sum(), leaves))

# %% check="bottleneck" points=5
# The check of `bottleneck`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("bottleneck", points=5)
def score(check):
    import torch

    no_residual = "the residual is missing: x itself is added"
    linear = "the GELU is missing: without it the two matrices are one matrix of low rank"
    late = "GELU stands between the two matrices, not behind them"
    relu = "this is ReLU; GELU is asked"
    tanh = "this is the approximation of GELU with tanh; the exact one is asked"
    no_bias = "the biases are missing"
    scaled = "the residual is added once"
    D = torch.tensor([[1.0, -2.0, 0.5], [0.3, 0.4, -1.0]])
    U = torch.tensor([[0.5, 1.0], [-1.0, 0.2], [0.7, -0.6]])
    d, u = torch.tensor([0.1, -0.2]), torch.tensor([0.3, 0.0, -0.5])
    check(bottleneck, torch.tensor([[1.0, 0.5, 2.0], [-1.0, -1.5, 0.4]]), D, d, U, u).equals(
        [[1.699622, -0.46592, 2.210994], [0.337456, -3.795377, 1.552861]], rtol=1e-4, atol=1e-6, near={
            no_residual: [[0.6996224, -0.9659197, 0.210994], [1.337456, -2.295377, 1.152861]],
            linear: [[0.1499999, -0.9400001, 3.29], [-1.05, -4.1, 2.41]],
            late: [[0.8319868, 0.3920955, 3.162902], [-1.024003, -1.512119, 2.365347]],
            relu: [[1.85, -0.6, 2.27], [0.45, -3.8, 1.51]],
            tanh: [[1.699396, -0.4657599, 2.210943], [0.3374081, -3.795758, 1.553228]],
            no_bias: [[1.320462, -0.3613869, 2.649068], [-0.04113442, -3.694581, 1.994093]],
            scaled: [[2.699622, 0.03408033, 4.210994], [-0.6625435, -5.295377, 1.952861]],
        })
    generator = torch.Generator().manual_seed(1)
    check(bottleneck_start, 5, 2, generator).holds(
        lambda v: [tuple(t.shape) for t in v] == [(2, 5), (2,), (5, 2), (5,)], "shapes (2, 5), (2,), (5, 2), (5,)",
        near={"D and U are exchanged: D is (m, d_model)": lambda v: tuple(v[0].shape) == (5, 2)},
    )
    both = "both matrices are random: U begins at 0, so that the adapter begins as the identity"
    check(bottleneck_start, 5, 2, generator).holds(
        lambda v: not any(t.any() for t in v[1:]) and bool(v[0].any()), "D random, all others 0",
        near={both: lambda v: bool(v[2].any()) and bool(v[0].any()),
              "D is 0, too: then neither matrix has a gradient": lambda v: not v[0].any() and not v[2].any(),
              "U is random and D is 0: it is the other way round": lambda v: bool(v[2].any()) and not v[0].any()},
    )  # fmt: skip
    check(bottleneck_start, 256, 64, generator).holds(
        lambda v: 0.0192 < float(v[0].std()) < 0.0208 and abs(float(v[0].mean())) < 0.001,
        "D is normal with standard deviation 0.02", about="the spread of D",
        near={"D is not scaled: its standard deviation is 1": lambda v: 0.9 < float(v[0].std()) < 1.1,
              "D is uniform: it is normal": lambda v: float(v[0].abs().max()) < 0.05 and float(v[0].std()) > 0.009,
              "0.02 is the standard deviation, not the variance": lambda v: 0.13 < float(v[0].std()) < 0.15},
    )  # fmt: skip
    check(lambda: [bottleneck_start(8, 3, torch.Generator().manual_seed(s))[0] for s in (5, 5, 6)]).holds(
        lambda v: torch.equal(v[0], v[1]) and not torch.equal(v[0], v[2]), "the generator decides",
        about="the generator decides",
        near={"the generator is not used": lambda v: not torch.equal(v[0], v[1]),
              "the seed is fixed: another generator must give other numbers": lambda v: torch.equal(v[0], v[2])},
    )  # fmt: skip
    ### BEGIN HIDDEN TESTS
    import torch.nn.functional as F

    check.hidden()

    def made(residual=1.0, inner=F.gelu, outer=lambda z: z, bias=1, out=1):
        return lambda x, D, d, U, u: residual * x + outer(inner(x @ D.T + bias * d) @ U.T + out * u)

    check.mistakes({
        no_residual: made(residual=0.0), linear: made(inner=lambda z: z), late: made(inner=lambda z: z, outer=F.gelu),
        relu: made(inner=torch.relu), tanh: made(inner=lambda z: F.gelu(z, approximate="tanh")),
        no_bias: made(bias=0, out=0), scaled: made(residual=2.0),
        "the bias d is missing": made(bias=0), "the bias u is missing": made(out=0),
        "GELU stands behind the second matrix, too": made(outer=F.gelu),
        "this is a sigmoid in place of GELU": made(inner=torch.sigmoid),
        "this is the approximation of GELU with a sigmoid; the exact one is asked": made(
            inner=lambda z: z * torch.sigmoid(1.702 * z)),
        "this is SiLU in place of GELU": made(inner=F.silu),
        "this is tanh in place of GELU": made(inner=torch.tanh),
        "the residual goes through GELU as well": lambda x, D, d, U, u: F.gelu(made()(x, D, d, U, u)),
        "the sum is divided by two": lambda x, D, d, U, u: made()(x, D, d, U, u) / 2,
    })
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    single, double = torch.float32, torch.float64
    for shape, m, dtype in [((2, 3, 5), 2, single), ((4, 6), 3, single), ((2, 4, 3, 4), 7, double)]:
        C = shape[-1]
        x, D, d, U, u = (
            torch.randn(s, generator=draw).to(dtype) for s in (shape, (m, C), (m,), (C, m), (C,))
        )
        inner = x @ D.T + d
        right = x + (0.5 * inner * (1 + torch.erf(inner / 2**0.5))) @ U.T + u
        check(bottleneck, x, D, d, U, u).equals(right, about="fresh vectors", rtol=1e-4, atol=1e-5)
    check.mistakes({})
    leaves = [v.clone().requires_grad_() for v in (x, D, d, U, u)]
    check(slopes, bottleneck, x, D, d, U, u).equals(
        list(torch.autograd.grad(made()(*leaves).sum(), leaves)), about="the gradients", rtol=1e-4, atol=1e-5,
        near={"no gradient flows: is something detached?": RuntimeError},
    )
    ### END HIDDEN TESTS


score

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
# For $W_Q$ of the docs-gpt, 192 by 192, rank 4 trains $2 \cdot 4 \cdot 192 = 1{,}536$ numbers in place of 36,864.
# $B$ begins at 0, so training begins at the model as it was. The factor $\alpha / r$ keeps the size of the update about
# the same when you try another rank.
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
def marked_merged(layer: LoRALinear) -> LoRALinear:
    """Return the layer with `merged` set, as the next exercise will do it."""
    layer.merged = True
    return layer


def keeps_base(base: nn.Linear) -> bool:
    """Return whether a LoRALinear holds the very layer that it was given."""
    return LoRALinear(base, 2, 4.0).base is base


def gradients_of(module: nn.Module, x: torch.Tensor, target: torch.Tensor) -> dict:
    """Return {name: gradient of the summed squared error, or None} for all parameters of a module."""
    module.zero_grad()
    ((module(x) - target) ** 2).sum().backward()
    return {name: None if p.grad is None else p.grad.clone() for name, p in module.named_parameters()}

# %% check="lora" points=10
# The check of `lora`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("lora", points=10)
def score(check):
    import torch
    from torch import nn

    def layer_of(W, b, A, B, alpha, dropout=0.0):
        """The student's layer with these weights, or None if they do not fit."""
        base = nn.Linear(W.shape[1], W.shape[0], bias=b is not None, dtype=W.dtype)
        given = {"weight": W} if b is None else {"weight": W, "bias": b}
        base.load_state_dict(given)
        layer = LoRALinear(base, A.shape[0], alpha, dropout)
        state = {f"base.{name}": value for name, value in given.items()} | {"A": A, "B": B}
        if {n: tuple(v.shape) for n, v in layer.state_dict().items()} != {n: tuple(v.shape) for n, v in state.items()}:
            return None
        layer.load_state_dict(state)
        return layer

    UNFIT = "nothing: the names or shapes of the weights are not those of the text (see case 1)"

    def lora_output(x, W, b, A, B, alpha):
        layer = layer_of(W, b, A, B, alpha)
        return UNFIT if layer is None else layer(x)

    def lora_gradients(x, W, b, A, B, alpha, target):
        layer = layer_of(W, b, A, B, alpha)
        return UNFIT if layer is None else gradients_of(layer, x, target)

    def start(n, m, r):
        layer = LoRALinear(nn.Linear(n, m), r, 8.0)
        return {name: tuple(p.shape) for name, p in layer.named_parameters()}

    turned = "the scale is alpha / r, not r / alpha"
    plain = "the scale alpha / r is missing"
    by_alpha = "the scale is alpha / r: here it is alpha"
    by_root = "the scale is alpha / r, not alpha divided by the root of r"
    no_base = "the output of the base is missing: the update is added to it"
    alone = "only the base's output came: the update is missing, or its factor is 0 (alpha / r, not alpha // r)"
    no_bias = "the bias of the base is missing"
    minus = "the update is added, not subtracted"
    unfrozen = "the base is not frozen: requires_grad is True there, so it has gradients"
    half = "the weight of the base is frozen, its bias is not"
    no_gradient = "A and B have no gradient: they must be parameters, used as they are"
    swapped = "A and B are swapped: A is (r, in) and B is (out, r)"
    unturned = "the shapes do not fit: x is (..., in) and A is (r, in), so A, and then B, stand transposed behind it"
    W = torch.tensor([[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]])
    b, A, B = torch.tensor([0.0, 1.0, 2.0]), torch.tensor([[3.0, 1.0]]), torch.tensor([[2.0], [0.0], [-1.0]])
    x = torch.tensor([[1.0, 2.0], [-1.0, 0.5]])
    check(start, 5, 3, 2).equals(
        {"A": (2, 5), "B": (3, 2), "base.weight": (3, 5), "base.bias": (3,)}, about="names and shapes of parameters",
        near={swapped: {"A": (3, 2), "B": (2, 5), "base.weight": (3, 5), "base.bias": (3,)},
              "A is turned round: (r, in) is asked": {
                  "A": (5, 2), "B": (3, 2), "base.weight": (3, 5), "base.bias": (3,)},
              "B is turned round: (out, r) is asked": {
                  "A": (2, 5), "B": (2, 3), "base.weight": (3, 5), "base.bias": (3,)},
              "A and B are turned round: (r, in) and (out, r) are asked": {
                  "A": (5, 2), "B": (2, 3), "base.weight": (3, 5), "base.bias": (3,)},
              "A and B are plain tensors: nn.Parameter makes them weights of the module": {
                  "base.weight": (3, 5), "base.bias": (3,)},
              "the base is missing: keep it as self.base": {"A": (2, 5), "B": (3, 2)}},
    )  # fmt: skip
    check(lora_output, x, W, b, A, B, 0.5).equals([[6.0, 1.0, 1.0], [-3.5, -1.5, 3.0]], near={
            turned: [[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]],
            plain: [[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]],
            no_base: [[5.0, 0.0, -2.5], [-2.5, 0.0, 1.25]],
            alone: [[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]],
            no_bias: [[6.0, 0.0, -1.0], [-3.5, -2.5, 1.0]],
            minus: [[-4.0, 1.0, 6.0], [1.5, -1.5, 0.5]], unturned: RuntimeError,
        })
    A2 = torch.tensor([[1.0, -1.0], [0.5, 2.0], [0.0, 1.0], [2.0, 0.0]])
    B2 = torch.tensor([[1.0, 0.0, 2.0, -1.0], [0.5, 1.0, 0.0, 1.0], [0.0, -1.0, 1.0, 0.5]])
    check(lora_output, x, W, b, A2, B2, 3.0).equals([[1.75, 5.5, 2.375], [0.125, -3.1875, 1.0]], rtol=1e-4, near={
            turned: [[2.333333, 9.0, 1.5], [1.0, -4.5, 0.416667]],
            plain: [[2.0, 7.0, 2.0], [0.5, -3.75, 0.75]],
            by_alpha: [[4.0, 19.0, -1.0], [3.5, -8.25, -1.25]],
            by_root: [[2.5, 10.0, 1.25], [1.25, -4.875, 0.25]],
            "the scale is alpha / r: here it is 1 / r": [[1.25, 2.5, 3.125], [-0.625, -2.0625, 1.5]],
            "the scale is alpha / r: here it is alpha times r": [[13.0, 73.0, -14.5], [17.0, -28.5, -10.25]],
            no_base: [[0.75, 4.5, -1.125], [1.125, -1.6875, -0.75]],
            alone: [[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]],
            no_bias: [[1.75, 4.5, 0.375], [0.125, -4.1875, -1.0]],
            minus: [[0.25, -3.5, 4.625], [-2.125, 0.1875, 2.5]], unturned: RuntimeError,
        })
    check(lora_gradients, x, W, b, A, B, 0.5, torch.ones(2, 3)).equals(
        {"A": torch.tensor([[21.0, 14.5]]), "B": torch.tensor([[36.25], [6.25], [-5.0]]), "base.weight": None,
         "base.bias": None}, about="gradients of A and B, none of the base", rtol=1e-4, near={
            turned: {"A": [[309.0, 320.5]], "B": [[520.0], [25.0], [-207.5]], "base.weight": None, "base.bias": None},
            plain: {"A": [[79.5, 72.75]], "B": [[135.0], [12.5], [-41.25]], "base.weight": None, "base.bias": None},
            unfrozen: {"A": [[21.0, 14.5]], "B": [[36.25], [6.25], [-5.0]], "base.weight": [[19.0, 15.5], [5.0, -2.5],
                [-4.0, 2.0]], "base.bias": [1.0, -5.0, 4.0]},
            half: {"A": [[21.0, 14.5]], "B": [[36.25], [6.25], [-5.0]], "base.weight": None,
                "base.bias": [1.0, -5.0, 4.0]},
            no_gradient: {"A": None, "B": None, "base.weight": None, "base.bias": None},
            no_base: {"A": [[18.75, 19.375]], "B": [[28.75], [-2.5], [-18.125]], "base.weight": None, "base.bias":
                None},
            alone: {"A": [[0.0, 0.0]], "B": [[0.0], [0.0], [0.0]], "base.weight": None, "base.bias": None},
            no_bias: {"A": [[21.0, 19.5]], "B": [[36.25], [3.75], [-10.0]], "base.weight": None, "base.bias": None},
            unturned: RuntimeError,
            minus: {"A": [[16.5, 29.25]], "B": [[26.25], [-6.25], [-26.25]], "base.weight": None, "base.bias": None},
        })
    # the start: the first weights, scale and merged
    def first_weights(n, m, r):
        layer = LoRALinear(nn.Linear(n, m), r, 8.0)
        return layer.A.detach(), layer.B.detach()

    starts = {
        "both matrices are random: B begins at 0": lambda v: bool(v[1].any()) and bool(v[0].any()),
        "both matrices are 0: then neither has a gradient": lambda v: not v[1].any() and not v[0].any(),
        "A is 0 and B is random: it is the other way round": lambda v: bool(v[1].any()) and not v[0].any(),
    }

    def begun(v):
        return not v[1].any() and bool(v[0].any())

    def uniform(v):
        bound = v[0].shape[1] ** -0.5
        return float(v[0].abs().max()) <= 1.001 * bound and 0.54 * bound < float(v[0].std()) < 0.62 * bound

    def most(v, root_of_in=1.0, root_of_r=0.0):  # the largest number of A, in units of a bound
        return float(v[0].abs().max()) * (root_of_in * v[0].shape[1] ** 0.5 + root_of_r * v[0].shape[0] ** 0.5)

    spreads = {
        "A is 0": lambda v: not v[0].any(),
        "A is drawn from a standard normal: it is uniform between ±1 / root of in": lambda v: v[0].std() > 0.9,
        "A is uniform between 0 and a bound: negative numbers belong to it": lambda v: (
            v[0].min() >= 0 and bool(v[0].any())),
        "A is normal: it is uniform between ±1 / root of in": lambda v: (
            0.9 < float(v[0].std()) * v[0].shape[1] ** 0.5 < 1.1 and most(v) > 2.5),
        "the bound is 1 / root of in; here it is 1 / in": lambda v: 0 < most(v) < 1.01 * v[0].shape[1] ** -0.5,
        "the bound is 1 / root of in; here it is root of 6 / in (Kaiming with a = 0)": lambda v: 2.3 < most(v) < 2.46,
        "the bound is 1 / root of in, not of r": lambda v: 0.9 < most(v, 0.0, 1.0) < 1.001 and most(v) > 2,
    }  # fmt: skip
    def named(value, what, right, mistakes):
        """What is right, or the mistake that the value shows: the values themselves are random."""
        if value is None:
            return UNFIT
        found = (words for words, test in mistakes.items() if test(value))
        return what if right(value) else next(found, f"something else than: {what}")

    def start_of(n, m, r):
        return named(first_weights(n, m, r), "B is 0 and A is not", begun, starts)

    def spread_of_A(n, m, r):
        return named(first_weights(n, m, r), "A is uniform between ±1 / root of in", uniform, spreads)

    check(start_of, 400, 30, 8).equals("B is 0 and A is not", about="the start")
    check(spread_of_A, 400, 30, 8).equals("A is uniform between ±1 / root of in", about="the spread of A")

    def scale_and_merged(n, m, r, alpha):
        layer = LoRALinear(nn.Linear(n, m), r, alpha)
        return float(layer.scale), bool(layer.merged)

    forgotten = "`scale` and `merged` are attributes of the layer: set both in __init__"
    check(scale_and_merged, 4, 3, 2, 6.0).equals((3.0, False), about="scale and merged", near={
        turned: (1 / 3, False), by_alpha: (6.0, False), by_root: (4.242641, False), plain: (1.0, False),
        "a new layer is not merged": (3.0, True), forgotten: AttributeError,
    })
    lent = "the base may have no bias (base.bias is None): let the base compute its own output"
    check(lora_output, x, W, None, A, B, 0.5).equals(
        [[6.0, 0.0, -1.0], [-3.5, -2.5, 1.0]], about="a base without a bias", edge=True,
        near={lent: TypeError, "the base may have no bias: then base.bias is None": AttributeError},
    )
    doubled = [t.double() for t in (x, W, b, A, B)]
    own_dtype = "A and B take the dtype of the base's weight"
    check(lora_output, *doubled, 0.5).equals(
        torch.tensor([[6.0, 1.0, 1.0], [-3.5, -1.5, 3.0]]).double(), about="double precision", edge=True,
        near={own_dtype: RuntimeError},
    )
    twice = "the base is a copy: keep that very layer, or its weight is in memory twice"
    check(keeps_base, nn.Linear(4, 3)).equals(True, about="the base itself", edge=True, near={twice: False})

    # dropout, on a base that gives 10 and an update that counts the numbers of x: each is 0 or 2 at p = 0.5
    def update_with_dropout(p, training, rows=300):
        n = 8
        layer = layer_of(10 * torch.eye(n), torch.zeros(n), torch.ones(1, n), torch.ones(n, 1), 1.0, p)
        if layer is None:
            return None
        layer.train(training)
        return torch.as_tensor(layer(torch.ones(rows, n))) - 10

    def of_input(v):
        counts = (v / 2).round()
        varied = len(set(counts[:, 0].tolist())) > 4
        alike = torch.allclose(v, v[:, :1].expand(v.shape), atol=1e-3)
        return alike and varied and torch.allclose(v / 2, counts, atol=1e-3)

    drops = {
        "dropout is missing": lambda v: torch.allclose(v, torch.full_like(v, 8)),
        "dropout acts on the input of the base, too": lambda v: float(v.min()) < -5 and float(v.max()) > 9,
        "dropout acts on x A, not on x": lambda v: (
            len(set(v[:, 0].round().tolist())) == 2 and torch.allclose(v, v[:, :1].expand(v.shape))),
        "dropout acts on the update, behind B; it belongs to the input": lambda v: (
            not torch.allclose(v, v[:, :1].expand(v.shape)) and float(v.min()) > -1),
    }  # fmt: skip

    def whole(v):
        return torch.allclose(v, torch.full_like(v, 8))

    always = {"dropout acts in evaluation, too": lambda v: not whole(v) and float(v.min()) > -1}
    def half_dropped(v):
        return of_input(v) and abs(float(v[:, 0].mean()) - 8) < 5 * 8**0.5 / len(v) ** 0.5

    def in_training(p):
        return named(update_with_dropout(p, True), "dropout of the low-rank path's input", half_dropped, drops)

    def in_evaluation(p):
        return named(update_with_dropout(p, False), "no dropout in evaluation", whole, always)

    check(in_training, 0.5).equals("dropout of the low-rank path's input", about="dropout in training")
    check(in_evaluation, 0.5).equals("no dropout in evaluation", about="dropout in evaluation")

    def output_merged(p, rows=50, n=8):
        layer = layer_of(10 * torch.eye(n), torch.zeros(n), torch.ones(1, n), torch.ones(n, 1), 1.0, p)
        if layer is None:
            return None
        marked_merged(layer).train(True)
        return torch.as_tensor(layer(torch.ones(rows, n)))

    merges = {
        "`merged` is ignored: a merged layer returns what its base returns, with no update beside it": lambda v: (
            float(v.min()) >= 10 and float(v.max()) > 10),
        "dropout acts while merged, where there is no low-rank path left": lambda v: float(v.min()) < 5,
    }  # fmt: skip

    def base_alone(v):
        return torch.allclose(v, torch.full_like(v, 10))

    def while_merged(p):
        return named(output_merged(p), "the output of the base alone", base_alone, merges)

    check(while_merged, 0.5).equals("the output of the base alone", about="merged")
    ### BEGIN HIDDEN TESTS
    import torch.nn.functional as F

    check.hidden()

    def made(scale=lambda alpha, r: alpha / r, base=1.0, update=1.0, bias=1):
        def output(x, W, b, A, B, alpha):
            y = x @ W.T + (0 if b is None else bias * b)
            return base * y + update * scale(alpha, len(A)) * x @ (B @ A).T

        return output

    def slopes(frozen=True, used=True, **odd):
        def gradients(x, W, b, A, B, alpha, target):
            leaves = {"A": A, "B": B, "base.weight": W} | ({} if b is None else {"base.bias": b})
            leaves = {name: value.detach().clone().requires_grad_() for name, value in leaves.items()}
            y = made(**odd)(x, leaves["base.weight"], leaves.get("base.bias"), leaves["A"], leaves["B"], alpha)
            ((y - target) ** 2).sum().backward()
            return {
                n: None if (frozen and n[0] == "b") or (not used and n[0] != "b") else v.grad for n, v in leaves.items()
            }

        return gradients

    scales = {
        turned: lambda alpha, r: r / alpha, plain: lambda alpha, r: 1.0, by_alpha: lambda alpha, r: alpha,
        by_root: lambda alpha, r: alpha / r**0.5, "the scale is alpha / r: here it is 1 / r": lambda alpha, r: 1 / r,
        "the scale is alpha / r: here it is alpha times r": lambda alpha, r: alpha * r,
        "the scale acts twice": lambda alpha, r: (alpha / r) ** 2,
        "the scale is cut to a whole number: alpha / r, not alpha // r": lambda alpha, r: alpha // r,
    }
    outputs = {words: {"scale": scale} for words, scale in scales.items()} | {
        no_base: {"base": 0.0}, alone: {"update": 0.0}, no_bias: {"bias": 0}, minus: {"update": -1.0},
    }
    grads = {words: slopes(scale=scale) for words, scale in scales.items()} | {
        unfrozen: slopes(frozen=False), no_gradient: slopes(used=False),
        half: lambda *a: (
            slopes()(*a) | {"base.bias": slopes(frozen=False)(*a)["base.bias"]}),
        "A is frozen: it is trained, too": lambda *a: slopes()(*a) | {"A": None},
        "B is frozen: it is trained, too": lambda *a: slopes()(*a) | {"B": None},
        "the update is detached from the graph": slopes(used=False),
        no_base: slopes(base=0.0), minus: slopes(update=-1.0),
    }  # fmt: skip
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def fresh(shape, out, r, dtype=torch.float32, bias=True):
        n = shape[-1]
        sizes = shape, (out, n), (out,), (r, n), (out, r)
        x, W, b, A, B = (torch.randn(s, generator=draw).to(dtype) for s in sizes)
        return x, W, b if bias else None, A, B

    def oracle(x, W, b, A, B, alpha):
        """The library's linear layer with the update inside its weight."""
        return F.linear(x, W + alpha / A.shape[0] * torch.einsum("or,ri->oi", B, A), b)

    check.mistakes({words: made(**odd) for words, odd in outputs.items()})
    for shape, out, r, alpha in [((2, 3, 5), 4, 1, 3.0), ((4, 6), 3, 4, 16.0), ((3, 2, 4), 7, 16, 8.0)]:
        given = fresh(shape, out, r)
        check(lora_output, *given, alpha).equals(oracle(*given, alpha), about=f"rank {r}", rtol=1e-4, atol=1e-4)
    given = fresh((3, 5), 2, 3, bias=False)
    check(lora_output, *given, 1.5).equals(
        oracle(*given, 1.5), about="a base without a bias", edge=True, rtol=1e-4, atol=1e-4,
        near={lent: TypeError, "the base may have no bias: then base.bias is None": AttributeError},
    )
    given = fresh((3, 5), 2, 3, dtype=torch.float64)
    check(lora_output, *given, 1.5).equals(
        oracle(*given, 1.5), about="double precision", edge=True, rtol=1e-7,
        near={own_dtype: RuntimeError},
    )
    check.mistakes(grads)
    for shape, out, r, alpha in [((2, 3, 5), 4, 2, 3.0), ((4, 6), 3, 4, 16.0)]:
        given = fresh(shape, out, r)
        target = torch.randn(*shape[:-1], out, generator=draw)
        right = slopes()(*given, alpha, target)
        check(lora_gradients, *given, alpha, target).equals(right, about="gradients", rtol=1e-3, atol=1e-3)
    check.mistakes({})

    check(first_weights, 256, 40, 16).holds(
        begun, "B is 0 and A is not", about="the start", near=starts
    )
    check(first_weights, 256, 40, 16).holds(
        uniform, "A is uniform between ±1 / root of in", about="the spread of A", near=spreads
    )
    check(keeps_base, nn.Linear(3, 5, bias=False)).equals(True, about="the base itself", edge=True, near={twice: False})
    check(scale_and_merged, 4, 3, 8, 2.0).equals((0.25, False), about="scale and merged", near={
        turned: (4.0, False), "the scale is cut to a whole number: alpha / r, not alpha // r": (0.0, False),
    })
    check(update_with_dropout, 0.5, True, 400).holds(
        half_dropped, "dropout of the low-rank path's input, in training", about="dropout in training", near=drops
    )
    check(update_with_dropout, 0.5, False, 40).holds(
        whole, "no dropout in evaluation", about="dropout in evaluation", near=always
    )
    check(update_with_dropout, 0.0, True).holds(
        lambda v: torch.allclose(v, torch.full_like(v, 8)), "with dropout 0 nothing is dropped", about="dropout 0"
    )

    for p in (0.0, 0.5):
        check(output_merged, p, 30).holds(
            base_alone, "the output of the base alone", about="merged", near=merges
        )
    ### END HIDDEN TESTS


score

# %% [markdown]
# The library for this is **peft**. If it is installed, the next cell puts its LoRA on each of $W_Q, W_K, W_V, W_O$ of
# the docs-gpt with your layer's weights, and compares outputs and gradients. `docs_gpt` is your own from chapter 05 if
# you have saved one that sees enough tokens at once, else the reference; `opened` gives it with a linear layer for each
# of the four matrices; `put_lora` exchanges those whose names end in one of `targets` for your
# `LoRALinear`.

# %% given
docs_gpt = chosen()  # a passage, a question and an answer must fit in


def opened() -> OpenGPT:
    """Return a fresh docs-gpt with a linear layer for each projection."""
    return OpenGPT(model_of(docs_gpt))


def put_lora(model: nn.Module, r: int, alpha: float, targets=PROJECTIONS, dropout: float = 0.0) -> nn.Module:
    """Freeze a model and put a LoRALinear in place of each layer whose name ends in a target; returns the model."""
    model.requires_grad_(False)
    found = [name for name, _ in model.named_modules() if name.rpartition(".")[2] in targets]
    for name in found:
        parent, _, last = name.rpartition(".")
        parent = model.get_submodule(parent)
        setattr(parent, last, LoRALinear(getattr(parent, last), r, alpha, dropout))
    return model

# %% show
try:
    import peft
except ImportError:
    peft = None
    print("peft is not installed (pip install peft), so there is nothing to compare with; go on.")


def beside_peft(matrix: str, r: int) -> tuple[float, float]:
    """Return the largest difference of logits, and of gradients of A and B, between your LoRA and peft's."""
    seed_everything(SEED)
    ours = put_lora(opened(), r, 2 * r, targets=(matrix,))
    theirs = peft.get_peft_model(opened(), peft.LoraConfig(r=r, lora_alpha=2 * r, target_modules=[matrix]))
    pairs = [(p, n) for n, p in theirs.named_parameters() if "lora_" in n]
    state = dict(ours.named_parameters())
    with torch.no_grad():
        for name, p in state.items():
            if name.endswith(".B"):
                p.normal_(std=0.1)
        for p, name in pairs:
            place = name.removeprefix("base_model.model.").replace(".default.weight", "")
            p.copy_(state[place.replace("lora_A", "A").replace("lora_B", "B")])
    token_ids = torch.randint(8000, (2, 24))
    logits = [model(token_ids) for model in (ours, theirs)]
    for found in logits:
        found.square().mean().backward()
    apart = [
        (p.grad - state[n.removeprefix("base_model.model.").replace(".default.weight", "").replace("lora_", "")].grad)
        for p, n in pairs
    ]
    return (logits[0] - logits[1]).abs().max().item(), max(v.abs().max().item() for v in apart)


if peft is not None:
    print(f"{'matrix':<10}{'rank':>6}{'logits differ by':>20}{'gradients differ by':>22}")
    for matrix in PROJECTIONS:
        for r in budget(grade=[4], cpu=[1, 4, 16]):
            outputs, gradients = beside_peft(matrix, r)
            print(f"{matrix:<10}{r:>6}{outputs:>20.1e}{gradients:>22.1e}")

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
# The check of `merge`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("merge", points=7)
def score(check):
    import torch
    from torch import nn

    def after(steps, x, W, b, A, B, alpha, dropout=0.0):
        """(output, the base's weight, merged) after "m"erging and "u"nmerging, in training if there is dropout."""
        base = nn.Linear(W.shape[1], W.shape[0])
        base.load_state_dict({"weight": W, "bias": b})
        layer = LoRALinear(base, A.shape[0], alpha, dropout)
        layer.load_state_dict({"base.weight": W, "base.bias": b, "A": A, "B": B})
        layer.train(dropout > 0)
        for step in steps:
            (merge if step == "m" else unmerge)(layer)
        return layer(x), layer.base.weight, bool(layer.merged)

    unscaled = "the scale alpha / r is missing in what is added"
    no_flag = "the weight is merged but `merged` is not set: the update is added twice"
    nothing = "the weight is as it was: add the update to `layer.base.weight` itself"
    twice = "merging a merged layer adds the update again"
    added = "unmerging adds the update again; it is subtracted"
    unequal = "unmerging takes out what merging put in: alpha / r times B A"
    stays = "`merged` stays True after unmerging, so the update is left out"
    W = torch.tensor([[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]])
    b, A, B = torch.tensor([0.0, 1.0, 2.0]), torch.tensor([[3.0, 1.0]]), torch.tensor([[2.0], [0.0], [-1.0]])
    x = torch.tensor([[1.0, 2.0], [-1.0, 0.5]])
    merged = torch.tensor([[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]])
    output = torch.tensor([[6.0, 1.0, 1.0], [-3.5, -1.5, 3.0]])
    exact = {"rtol": 1e-5, "atol": 1e-5}
    check(after, "m", x, W, b, A, B, 0.5).equals((output, merged, True), about="merged", near={
            unscaled: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], True),
            no_flag: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]], False),
            nothing: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
        }, **exact)
    check(after, "mu", x, W, b, A, B, 0.5).equals((output, W, False), about="unmerged again", near={
            no_flag: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]], False),
            added: ([[16.0, 1.0, -4.0], [-8.5, -1.5, 5.5]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], False),
            unequal: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0]], False),
            stays: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
        }, **exact)
    no_cause = "unmerging a layer that is not merged must change nothing"
    check(after, "muu", x, W, b, A, B, 0.5).equals((output, W, False), about="unmerged twice", near={
            no_cause: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0]], False),
            stays: ([[-4.0, 1.0, 6.0], [1.5, -1.5, 0.5]], [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0]], True),
        }, **exact)
    large = ([[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]], [[13.0, 4.0], [2.0, -1.0], [-5.5, -1.5]], True)
    check(after, "mm", x, W, b, A, B, 2.0).equals(large, about="merged twice", near={
            unscaled: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], True),
            no_flag: ([[61.0, 1.0, -26.5], [-31.0, -1.5, 16.75]], [[25.0, 8.0], [2.0, -1.0], [-11.5, -3.5]], False),
            nothing: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
            twice: ([[41.0, 1.0, -16.5], [-21.0, -1.5, 11.75]], [[25.0, 8.0], [2.0, -1.0], [-11.5, -3.5]], True),
        }, **exact)
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(scale=None, flag=True, act=True, guard=True, back=-1.0, reset=True, unguarded=False, turned=False):
        """A layer as a state (weight, merged), whose steps can be exchanged."""

        def run(steps, x, W, b, A, B, alpha, dropout=0.0):
            is_merged = False
            delta = B @ A * (alpha / len(A))
            moved = B @ A * (alpha / len(A) if scale is None else scale(alpha, len(A)))
            for step in steps:
                if step == "m" and (not is_merged or not guard):
                    W, is_merged = W + moved * act, flag
                elif step == "u" and (is_merged or unguarded):
                    W, is_merged = (W if turned else W + back * moved * act), is_merged and not reset
            y = x @ W.T + b + (0 if is_merged else x @ delta.T)
            return y, W, is_merged

        return run

    check.mistakes({
        unscaled: made(scale=lambda a, r: 1.0), no_flag: made(flag=False), nothing: made(act=False),
        twice: made(guard=False), added: made(back=1.0), stays: made(reset=False),
        "the scale is alpha / r, not r / alpha": made(scale=lambda a, r: r / a),
        "the update is subtracted in merging": made(scale=lambda a, r: -a / r),
        no_cause: made(unguarded=True),
        "unmerging leaves the weight as it is: subtract the update": made(turned=True),
        "the scale is alpha / r: here it is alpha": made(scale=lambda a, r: a),
    })
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for steps, n, m, r, alpha, about in [
        ("m", 5, 4, 2, 3.0, "merged"), ("m", 4, 6, 3, 16.0, "merged"), ("mu", 5, 3, 4, 2.0, "unmerged again"),
        ("mum", 4, 4, 2, 1.0, "merged, unmerged, merged"), ("mm", 3, 5, 2, 4.0, "merged twice"),
        ("muu", 5, 3, 2, 3.0, "unmerged twice"), ("u", 3, 4, 1, 2.0, "unmerged without being merged"),
    ]:  # fmt: skip
        x, W, b, A, B = (torch.randn(s, generator=draw) for s in ((2, 3, n), (m, n), (m,), (r, n), (m, r)))
        full = W + alpha / r * torch.einsum("or,ri->oi", B, A)
        is_merged = steps[-1] == "m"
        right = torch.nn.functional.linear(x, full, b), full if is_merged else W, is_merged
        check(after, steps, x, W, b, A, B, alpha).equals(right, about=about, rtol=1e-4, atol=2e-5)
    x, W, b, A, B = (torch.randn(s, generator=draw) for s in ((2, 3, 5), (4, 5), (4,), (2, 5), (4, 2)))
    full = W + 1.5 * B @ A
    check(after, "m", x, W, b, A, B, 3.0, 0.5).equals(
        (torch.nn.functional.linear(x, full, b), full, True), about="merged, with dropout", rtol=1e-4, atol=2e-5
    )
    rare = 1e-9  # the layer is in training, and nothing is dropped
    check(after, "m", x, W, b, A, B, 3.0, rare).equals(
        (torch.nn.functional.linear(x, full, b), full, True), about="merged, with dropout", rtol=1e-4, atol=2e-5,
        near={"merging does not depend on whether the layer is in training": (
            torch.nn.functional.linear(x, full, b), W, False)},
    )  # fmt: skip
    check.mistakes({})

    def matrices(steps):
        layer = LoRALinear(nn.Linear(2, 2), 1, 4.0)
        layer.load_state_dict({"base.weight": W[:2, :2], "base.bias": b[:2], "A": A[:1, :2], "B": B[:2, :1]})
        for step in steps:
            (merge if step == "m" else unmerge)(layer)
        return layer.A, layer.B, bool(layer.training)

    for steps in ("m", "mu"):
        check(matrices, steps).equals(
            (A[:1, :2], B[:2, :1], True), about="what stays as it is",
            near={"A and B stay as they are: unmerging needs them": (A[:1, :2], 0 * B[:2, :1], True),
                  "the layer stays in training if it was": (A[:1, :2], B[:2, :1], False)},
        )  # fmt: skip

    def learns(steps):
        layer = LoRALinear(nn.Linear(4, 3), 2, 4.0)
        for step in steps:
            (merge if step == "m" else unmerge)(layer)
        return {name: bool(p.requires_grad) for name, p in layer.named_parameters()}

    for steps in ("m", "mu"):
        check(learns, steps).equals(
            {"A": True, "B": True, "base.weight": False, "base.bias": False}, about="what is trained afterwards",
            near={"the base is trainable afterwards: change its weight in place": {
                "A": True, "B": True, "base.weight": True, "base.bias": False}},
        )  # fmt: skip
    ### END HIDDEN TESTS


score

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
# The check of `adapters`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("adapters", points=5)
def score(check):
    import torch

    anywhere = "an entry counts if its name ENDS in .A or .B; others have an A or B somewhere in their name"
    base_too = "the entries of the base came, too: only .A and .B are asked"
    only_a = "the entries that end in .B are missing"
    everything = "all adapters were added; only those that `shares` names have a part"
    unscaled = "the scale alpha / r is missing"
    no_shares = "the shares are ignored: each update is multiplied by its share"
    last = "only the last adapter was added: begin with the weight once, then add them all"
    no_weight = "the weight itself is missing"
    mean = "the updates are added, not averaged"
    rank = "each adapter has its own rank: the number of rows of its A"
    t = torch.tensor
    no_dot = "`endswith` without the dot takes names such as head.NA"
    alphabetical = "the names are in alphabetical order: keep the order in which they came"
    a_first = "all A come before all B: keep the order in which they came"
    by_place = "shares and adapters are matched by their places: match them by name"
    negative = "negative shares count, too"
    names = ("tag.Answer.weight", "q.base.weight", "q.A", "q.B", "A.Bias", "head.NA")
    state = {name: t([float(i)]) for i, name in enumerate(names, 1)}
    check(adapter_state, state).equals({"q.A": t([3.0]), "q.B": t([4.0])}, near={
            anywhere: {"tag.Answer.weight": [1.0], "q.A": [3.0], "q.B": [4.0], "A.Bias": [5.0], "head.NA": [6.0]},
            base_too: {"tag.Answer.weight": [1.0], "q.base.weight": [2.0], "q.A": [3.0], "q.B": [4.0], "A.Bias":
                [5.0], "head.NA": [6.0]},
            only_a: {"q.A": [3.0]},
            no_dot: {"q.A": [3.0], "q.B": [4.0], "head.NA": [6.0]},
        })
    state = {name: t([float(i)]) for i, name in enumerate(("q.A", "q.B", "k.base.bias", "k.A", "k.B"))}
    check(lambda: list(adapter_state(state))).equals(
        ["q.A", "q.B", "k.A", "k.B"], about="the order of the names",
        near={alphabetical: ["k.A", "k.B", "q.A", "q.B"], a_first: ["q.A", "k.A", "q.B", "k.B"]},
    )
    adapters = {
        "spam": (t([[1.0, 2.0, 0.0]]), t([[1.0], [-1.0]]), 3.0),
        "reader": (t([[0.0, 1.0, 1.0], [2.0, 0.0, 1.0]]), t([[1.0, 0.5], [0.0, 2.0]]), 1.0),
        "other": (t([[1.0, 1.0, 1.0]]), t([[4.0], [5.0]]), 2.0),
    }
    W = t([[1.0, 0.0, 2.0], [0.5, 0.5, -1.0]])
    check(combined, W, adapters, {"spam": 0.5, "reader": 2.0}).equals(
        [[3.5, 4.0, 3.5], [3.0, -2.5, 1.0]], near={
            everything: [[11.5, 12.0, 11.5], [13.0, 7.5, 11.0]],
            unscaled: [[3.5, 3.0, 5.0], [8.0, -0.5, 3.0]],
            no_shares: [[4.5, 6.5, 2.75], [-0.5, -5.5, 0.0]],
            last: [[2.0, 1.0, 3.5], [4.5, 0.5, 1.0]],
            no_weight: [[2.5, 4.0, 1.5], [2.5, -3.0, 2.0]],
            mean: [[2.25, 2.0, 2.75], [1.75, -1.0, 0.0]],
            rank: [[4.5, 5.0, 5.0], [7.0, -2.5, 3.0]],
        })
    check(combined, W, adapters, {"reader": -1.0, "spam": 0.5}).equals(
        [[2.0, 2.5, 1.25], [-3.0, -2.5, -2.0]], about="a negative share", near={
            by_place: [[-1.75, -5.75, 2.375], [4.5, 6.5, -0.5]],
            negative: [[2.5, 3.0, 2.0], [-1.0, -2.5, -1.0]],
            last: [[2.5, 3.0, 2.0], [-1.0, -2.5, -1.0]],
            everything: [[10.0, 10.5, 9.25], [7.0, 7.5, 8.0]],
            unscaled: [[0.5, 0.0, 0.5], [-4.0, -0.5, -3.0]],
            no_shares: [[4.5, 6.5, 2.75], [-0.5, -5.5, 0.0]],
        })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def picked(test):
        return lambda state: {name: value for name, value in state.items() if test(name)}

    check.mistakes({
        anywhere: picked(lambda n: "A" in n or "B" in n), base_too: dict, only_a: picked(lambda n: n.endswith(".A")),
        "a name that holds .A or .B elsewhere counts too here": picked(lambda n: ".A" in n or ".B" in n),
        "these are the entries of the base: the others are asked": picked(lambda n: not n.endswith((".A", ".B"))),
        "the entries that end in .A are missing": picked(lambda n: n.endswith(".B")),
        no_dot: picked(lambda n: n.endswith(("A", "B"))),
        "these are the names; names and tensors are asked": lambda s: [n for n in s if n.endswith((".A", ".B"))],
    })
    for prefix in ("blocks.0.attention.q_proj", "blocks.11.linear1"):
        state = {f"{prefix}.{part}": torch.randn(2, 3) for part in ("base.weight", "A", "base.bias", "B")}
        state |= {"NA": torch.ones(1), "x.NB": torch.ones(1), "A.weight": torch.ones(2), "x.Aaa": torch.zeros(1)}
        right = {name: state[name] for name in (f"{prefix}.A", f"{prefix}.B")}
        check(adapter_state, state).equals(right, about="fresh states")
    state = {name: torch.ones(1) for name in ("q.B", "q.A", "k.base.bias", "k.A", "k.B", "a.A")}
    check(lambda: list(adapter_state(state))).equals(
        ["q.B", "q.A", "k.A", "k.B", "a.A"], about="the order of the names",
        near={alphabetical: ["a.A", "k.A", "k.B", "q.A", "q.B"], a_first: ["q.A", "k.A", "a.A", "q.B", "k.B"]},
    )

    def made(scale=lambda a, r, s: s * a / r, chosen=lambda adapters, shares: shares, begin=1.0, only=False,
             mean=False):  # fmt: skip
        def combine(weight, adapters, shares):
            total, names = begin * weight, list(chosen(adapters, shares))
            for name in names[-1:] if only else names:
                A, B, alpha = adapters[name]
                total = total + scale(alpha, len(A), shares.get(name, 1.0)) * B @ A / (len(names) if mean else 1)
            return total

        return combine

    def first_rank(weight, adapters, shares):
        r = len(next(iter(adapters.values()))[0])
        return weight + sum(s * adapters[n][2] / r * adapters[n][1] @ adapters[n][0] for n, s in shares.items())

    check.mistakes({
        everything: made(chosen=lambda adapters, shares: adapters), unscaled: made(scale=lambda a, r, s: s),
        no_shares: made(scale=lambda a, r, s: a / r), last: made(only=True), no_weight: made(begin=0.0),
        mean: made(mean=True), rank: first_rank,
        "the scale is alpha / r, not r / alpha": made(scale=lambda a, r, s: s * r / a),
        "the scale is alpha / r: here it is alpha": made(scale=lambda a, r, s: s * a),
        "the update is subtracted": made(scale=lambda a, r, s: -s * a / r),
        "the shares are divided by their sum: they count as they are": lambda w, adapters, shares: made()(
            w, adapters, {n: s / sum(shares.values()) for n, s in shares.items()}),
        negative: lambda w, adapters, shares: made()(
            w, adapters, {n: s for n, s in shares.items() if s > 0}),
        by_place: lambda w, adapters, shares: made()(
            w, adapters, dict(zip(adapters, shares.values(), strict=False))),
        "the rank is the number of rows of A: these are its columns": lambda w, adapters, shares: w + sum(
            s * adapters[n][2] / adapters[n][0].shape[1] * adapters[n][1] @ adapters[n][0] for n, s in shares.items()),
    })
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for n, m in [(4, 3), (3, 6)]:
        W = torch.randn(m, n, generator=draw)
        made_of = {
            name: (torch.randn(r, n, generator=draw), torch.randn(m, r, generator=draw), alpha)
            for name, r, alpha in [("one", 2, 5.0), ("two", 3, 8.0), ("three", 1, 0.5)]
        }
        for shares in ({"one": 1.0, "three": -0.5}, {"three": 0.3, "two": 2.0, "one": 0.25}, {"two": 1.0}):
            right = W + sum(
                s * made_of[k][2] / made_of[k][0].shape[0] * torch.einsum("or,ri->oi", made_of[k][1], made_of[k][0])
                for k, s in shares.items()
            )
            check(combined, W, made_of, shares).equals(right, about="fresh adapters", rtol=1e-4, atol=1e-5)
    check(combined, W, made_of, {}).equals(W, about="no adapter at all", edge=True)
    ### END HIDDEN TESTS


score

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
# The check of `int8`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("int8", points=7)
def score(check):
    import torch

    one_scale = "one scale for the whole matrix; each row has its own"
    columns = "the scales are of the columns; each row (one output) has its own"
    cut = "the numbers are cut off, not rounded: torch.round before the change to int8"
    up = "127 is the largest number: with 128 it runs over to -128"
    signed = "the scale is of the largest absolute value: a row's largest number may be negative"
    inverse = "these are the numbers 127 / max: the scale is max / 127"
    asymmetric = "this maps the range from the smallest to the largest; zero stays zero here"
    no_scales = "the scales are missing: q alone are whole numbers, not weights"
    wrong_axis = "the scales belong to the rows of q, its outputs"
    no_update = "the low-rank update is missing"
    no_base = "the base's output is missing"
    unscaled = "`scale` is missing in front of the update"
    no_bias = "the bias is missing"
    scaled_bias = "the bias is not multiplied by the scales"
    t = torch.tensor
    W = t([[0.5, -2.54, 1.0], [1.27, 0.014, -0.326]])
    check(quantize, W).equals((t([[25, -127, 50], [127, 1, -33]], dtype=torch.int8), t([0.02, 0.01])), rtol=1e-4,
                              near={
            one_scale: ([[25, -127, 50], [64, 1, -16]], [0.02, 0.02]),
            columns: ([[50, -127, 127], [127, 1, -41]], [0.01, 0.02, 0.007874016]),
            cut: ([[25, -127, 50], [127, 1, -32]], [0.02, 0.01]),
            up: ([[25, -128, 50], [-128, 1, -33]], [0.01984375, 0.009921875]),
            signed: ([[64, -67, 127], [127, 1, -33]], [0.007874016, 0.01]),
            inverse: ([[25, -127, 50], [127, 1, -33]], [50.0, 100.0]),
            asymmetric: ([[91, -128, 127], [127, -74, -128]], [0.01388235, 0.006258823]),
        })
    zeros = "a row of zeros gets the scale 1"
    halves = "halves go to the even number: torch.round"
    check(quantize, t([[0.0, 0.0, 0.0], [0.5, -127.0, 2.5]])).equals(
        (t([[0, 0, 0], [0, -127, 2]], dtype=torch.int8), t([1.0, 1.0])), rtol=1e-4, near={
            zeros: ([[0, 0, 0], [0, -127, 2]], [0.0, 1.0]),
            halves: ([[0, 0, 0], [1, -127, 3]], [1.0, 1.0]),
            up: ([[0, 0, 0], [1, -128, 3]], [1.0, 0.9921875]),
        })
    q, scales = t([[25, -127, 50], [127, 1, -33]], dtype=torch.int8), t([0.02, 0.5])
    A, B = t([[1.0, 0.0, -1.0], [0.5, 1.0, 0.0]]), t([[2.0, 1.0], [3.0, -1.0]])
    bias = t([0.5, -1.0])
    by_rank = "`scale` is alpha / r already: it is divided by the rank again"
    update_too = "the update is multiplied by the scales of the base, too"
    check(int8_lora, t([[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]]), q, scales, bias, A, B, 0.25).equals(
        [[-1.455, 11.875], [-0.77, -99.5]], rtol=1e-4, near={
            no_scales: [[-78.875, 26.875], [10.5, -195.75]],
            no_update: [[-1.08, 14.0], [0.73, -97.25]],
            no_base: [[-0.375, -2.125], [-1.5, -2.25]],
            unscaled: [[-2.58, 5.5], [-5.27, -106.25]],
            no_bias: [[-1.955, 12.875], [-1.27, -98.5]],
            scaled_bias: [[-1.945, 12.375], [-1.26, -99.0]],
            by_rank: [[-1.2675, 12.9375], [-0.02, -98.375]],
            update_too: [[-1.0875, 12.9375], [0.7, -98.375]],
        })
    ### BEGIN HIDDEN TESTS
    import torch.nn.functional as F

    check.hidden()

    def made(largest=lambda w: w.abs().amax(1, keepdim=True), top=127, rounded=torch.round, given=lambda s: s):
        def change(weight):
            s = largest(weight) / top
            s = torch.where(s > 0, s, torch.ones_like(s)) if top else s
            return rounded(weight / s).to(torch.int8), given(s.expand(len(weight), -1)[:, 0].float())

        return change

    def by_columns(weight):
        s = weight.abs().amax(0) / 127
        return torch.round(weight / s).to(torch.int8), s

    def ranged(weight):
        low, high = weight.amin(1, keepdim=True), weight.amax(1, keepdim=True)
        s = (high - low) / 255
        return (torch.round((weight - low) / s) - 128).to(torch.int8), s[:, 0]

    def toward_zero(w):
        return w.trunc()

    check.mistakes({
        one_scale: made(lambda w: w.abs().max().view(1, 1)), columns: by_columns, cut: made(rounded=toward_zero),
        up: made(top=128), signed: made(lambda w: w.amax(1, keepdim=True)),
        "the scale is of the largest absolute value: what is beyond the scale was cut": made(
            lambda w: w.amax(1, keepdim=True), rounded=lambda w: w.round().clamp(-127, 127)),
        inverse: made(given=lambda s: 1 / s),
        asymmetric: ranged,
        halves: made(rounded=lambda w: (w + 0.5).floor()),
        "these are rounded downwards": made(rounded=torch.floor),
        "the scale divides by 255: 127 on each side of zero": made(top=127.5),
        "the scales come as a column: (out,) is asked": lambda w: (made()(w)[0], made()(w)[1][:, None]),
        "the scale is the mean absolute value over 127: it is the largest": made(
            lambda w: w.abs().mean(1, keepdim=True)),
        "q are floats: int8 is asked": lambda w: (made()(w)[0].float(), made()(w)[1]),
    })
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for shape, spread in [((4, 7), 1.0), ((3, 5), 0.02), ((6, 6), 3.0)]:
        W = spread * torch.randn(shape, generator=draw)
        W[1] *= 10
        W[0, int(W[0].abs().argmax())] = -float(W[0].abs().max())
        s = W.abs().max(1).values / 127
        q = torch.round(W / s[:, None])
        case = check(quantize, W)
        case.equals((q.to(torch.int8), s), about="fresh weights", rtol=1e-4)
        check(lambda W=W: quantize(W)[0]).holds(
            lambda v: v.dtype == torch.int8, "int8", about="one byte each",
            near={"q must be int8: .to(torch.int8)": lambda v: v.dtype != torch.int8},
        )
    W = t([[127.0, 0.5, 2.5, -1.5], [-4.5, 3.5, 127.0, -0.5]])
    check(quantize, W).equals(
        (t([[127, 0, 2, -2], [-4, 4, 127, 0]], dtype=torch.int8), t([1.0, 1.0])), about="halves", edge=True
    )
    W = t([[2.54e-9, -1.2e-9], [1.27, -0.5]])
    check(quantize, W).equals(
        (t([[127, -60], [127, -50]], dtype=torch.int8), t([2e-11, 0.01])), about="tiny weights", edge=True, rtol=1e-4,
        near={"only a row of zeros gets the scale 1, not a row of small weights": (
            t([[0, 0], [127, -50]], dtype=torch.int8), t([1.0, 0.01]))},
    )  # fmt: skip
    W = t([[0.0, 0.0], [1.27, -0.5]])
    check(quantize, W).equals(
        (t([[0, 0], [127, -50]], dtype=torch.int8), t([1.0, 0.01])), about="a row of zeros", edge=True, rtol=1e-4,
        near={zeros: (t([[0, 0], [127, -50]], dtype=torch.int8), t([0.0, 0.01]))},
    )

    def layer(scaled=True, update=1.0, base=1.0, by=True, bias=1.0, late=False, turned=False):
        def output(x, q, s, b, A, B, scale):
            w = q.float() * (s[:, None] if scaled else 1)
            y = x @ w.T + bias * b
            y = (x @ q.float().T + b) * s if late else y
            return base * y + update * (scale if by else 1) * x @ (B @ A).T

        return output

    check.mistakes({
        no_scales: layer(scaled=False), no_update: layer(update=0.0), no_base: layer(base=0.0),
        unscaled: layer(by=False), no_bias: layer(bias=0.0), scaled_bias: layer(late=True),
        wrong_axis: lambda x, q, s, b, A, B, scale: layer()(x, q.float() * s, torch.ones(len(q)), b, A, B, scale),
        update_too: lambda x, q, s, b, A, B, scale: (
            (x @ q.float().T) * s + b + s * scale * (x @ (B @ A).T)),
        "the update is subtracted": layer(update=-1.0),
        by_rank: lambda x, q, s, b, A, B, scale: (
            layer()(x, q, s, b, A, B, scale / len(A))),
        "the weights are q divided by the scales": lambda x, q, s, b, A, B, scale: layer()(x, q, 1 / s, b, A, B, scale),
    })  # fmt: skip
    for shape, out, r in [((2, 3, 5), 4, 2), ((4, 6), 6, 3)]:
        n = shape[-1]
        x, A, B, b = (torch.randn(v, generator=draw) for v in (shape, (r, n), (out, r), (out,)))
        q = torch.randint(-127, 128, (out, n), generator=draw).to(torch.int8)
        s = torch.rand(out, generator=draw) + 0.05
        right = F.linear(x, torch.diag(s) @ q.float() + 1.5 * B @ A, b)
        check(int8_lora, x, q, s, b, A, B, 1.5).equals(right, about="fresh layers", rtol=1e-3, atol=1e-2)

    check.mistakes({})
    A.requires_grad_()
    B.requires_grad_()
    F.linear(x, torch.diag(s) @ q.float() + 1.5 * B @ A, b).sum().backward()
    check(slopes, int8_lora, x, q, s, b, A.detach(), B.detach(), 1.5, fixed=(0, 2, 3)).equals(
        [A.grad, B.grad], about="the gradients of A and B", rtol=1e-3, atol=1e-3,
        near={"A and B get no gradient: is something detached?": RuntimeError},
    )
    ### END HIDDEN TESTS


score

# %% [markdown]
# What the whole base weighs now, and what the rounding does to its logits: almost nothing.

# %% given
class Int8LoRA(nn.Module):
    """A quantised base layer with LoRA on top, of your functions."""

    def __init__(self, layer: LoRALinear):
        super().__init__()
        q, scales = quantize(layer.base.weight.data)
        self.register_buffer("q", q)
        self.register_buffer("scales", scales)
        self.register_buffer("bias", layer.base.bias.data)
        self.A, self.B, self.scale = layer.A, layer.B, layer.scale

    def forward(self, x):
        return int8_lora(x, self.q, self.scales, self.bias, self.A, self.B, self.scale)


def put_int8(model: nn.Module) -> nn.Module:
    """Put a quantised base under each LoRALinear of a model; returns the model."""
    for name, module in list(model.named_modules()):
        if isinstance(module, LoRALinear):
            parent, _, last = name.rpartition(".")
            setattr(model.get_submodule(parent), last, Int8LoRA(module))
    return model


def megabytes(module: nn.Module) -> float:
    """Return the size of a module's weights and buffers in MB."""
    return sum(t.numel() * t.element_size() for t in [*module.parameters(), *module.buffers()]) / 1e6


EVERY = (*PROJECTIONS, "linear1", "linear2")

# %% show
plain = opened()
coarse = put_int8(put_lora(opened(), 4, 8, targets=EVERY))
sample = torch.randint(8000, (2, 32))
with torch.no_grad():
    apart = (plain(sample) - coarse(sample)).abs().max().item()
print(f"the blocks in float32: {megabytes(plain.blocks):.2f} MB; in int8 with LoRA of rank 4: "
      f"{megabytes(coarse.blocks):.2f} MB; logits differ by at most {apart:.3f}")

small = put_lora(opened(), 1, 2, targets=("q_proj", "v_proj"))
file = adapter_state(small.state_dict())
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
# On a CPU one seed runs here; with `SEEDS = 5` the cell takes some four minutes. Over five seeds the reference docs-gpt
# came to an F1 of 0.70 to 0.79 by full fine-tuning, 0.61 to 0.65 by LoRA of rank 4, 0.55 to 0.62 by the head alone
# (`pytest tests/benchmarks/test_nine_ways.py -s` prints them all): ways that lie nearer together than their seeds
# cannot be told apart by one run.

# %% given
class Bottlenecked(nn.Module):
    """A bottleneck adapter made of your two functions."""

    def __init__(self, d_model: int, m: int, generator: torch.Generator):
        super().__init__()
        names = ("down", "down_bias", "up", "up_bias")
        for name, value in zip(names, bottleneck_start(d_model, m, generator), strict=True):
            setattr(self, name, nn.Parameter(value))

    def forward(self, x):
        """Return (..., C)."""
        return bottleneck(x, self.down, self.down_bias, self.up, self.up_bias)


class Marker(nn.Module):
    """A GPT with a head on the mean of the tokens' vectors; its parameters have the names of exercise 1."""

    def __init__(self, body: OpenGPT, outputs: int = 2):
        super().__init__()
        self.body, self.head = body, nn.Linear(body.final_norm.normalized_shape[0], outputs)

    def forward(self, token_ids, lengths):
        """Return logits (B, outputs) of padded token_ids (B, T), whose texts are `lengths` (B,) long."""
        x = self.body.hidden(token_ids)  # (B, T, C)
        there = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
        return self.head((x * there[..., None]).sum(dim=1) / lengths[:, None])


def padded(rows: list[list[int]], length: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (token_ids (N, T), lengths (N,)) of texts cut to `length` tokens and filled with padding."""
    rows = [row[-length:] for row in rows]
    made = torch.full((len(rows), max(map(len, rows))), PAD)
    for row, ids in zip(made, rows, strict=True):
        row[: len(ids)] = torch.tensor(ids)
    return made, torch.tensor([len(ids) for ids in rows])


tokenizer = tokenizer_of(docs_gpt)
END, PAD = tokenizer.token_to_id("<|endoftext|>"), tokenizer.token_to_id("<|pad|>")


def encode(text: str) -> list[int]:
    """Return the tokens of a text, as a list of ids, with nothing added."""
    return tokenizer.encode(text, add_special_tokens=False).ids

# %% show
WAYS = {  # name: what is put in, with its size; rank 0 is none
    "full": ("full", 0), "head": ("head", 0), "top block": ("top", 0), "biases": ("biases", 0),
    "bottleneck": ("bottleneck", 8), "LoRA r=1": ("lora", 1), "LoRA r=4": ("lora", 4), "LoRA r=16": ("lora", 16),
    "int8 + LoRA r=4": ("int8", 4),
}  # fmt: skip
RATES = {"full": 1e-3, "top": 2e-3, "biases": 5e-3, "head": 2e-2, "bottleneck": 5e-3, "lora": 3e-3, "int8": 3e-3}


def prepared(way: str) -> Marker:
    """Return docs-gpt with a head, ready to be trained in one of WAYS: what may move has requires_grad."""
    kind, size = WAYS[way]
    model = Marker(opened())
    if kind in ("lora", "int8"):
        put_lora(model.body, size, 2 * size)
        return put_int8(model) if kind == "int8" else model
    layers = len(model.body.blocks)
    names = {name.removeprefix("body."): p for name, p in model.named_parameters()}
    chosen = trained_names(list(names), "head" if kind == "bottleneck" else kind, layers)
    for name, p in names.items():
        p.requires_grad_(name in chosen)
    if kind == "bottleneck":
        for block in model.body.blocks:
            generator = torch.Generator().manual_seed(int(torch.randint(10_000, ())))
            block.after_attention = Bottlenecked(model.head.in_features, size, generator)
            block.after_feed = Bottlenecked(model.head.in_features, size, generator)
    return model


inbox = data.load("inbox").without_repeats()
train, test = inbox.split(test=0.2, seed=SEED)
LENGTH = 40
mail = {
    name: (*padded([encode(t) for t in part.texts[:most]], LENGTH), torch.from_numpy(part.labels[:most]))
    for name, part, most in [("train", train, 2000), ("test", test, budget(grade=100, cpu=500))]
}
documents = [d.text for d in data.load("docs").split("test")][: budget(grade=8, cpu=40)]
held_out = torch.tensor([i for text in documents for i in [*encode(text), END]])
held_out = held_out[: len(held_out) // 128 * 128].view(-1, 128)[: budget(grade=4, cpu=24)]


@torch.no_grad()
def docs_loss(body: OpenGPT) -> float:
    """Return the loss in nats a token on held-out documents."""
    rows = body(held_out)[:, :-1]
    return F.cross_entropy(rows.flatten(0, 1), held_out[:, 1:].flatten()).item()


def mail_loss(model, batch):
    """Return the cross-entropy of the labels of a batch of messages."""
    token_ids, lengths, labels = batch
    return F.cross_entropy(model(token_ids, lengths), labels)


@torch.no_grad()
def mail_f1(model) -> float:
    """Return F1 of spam on test messages."""
    token_ids, lengths, labels = mail["test"]
    parts = zip(token_ids.split(100), lengths.split(100), strict=True)
    guesses = torch.cat([model(*part).argmax(-1) for part in parts])
    hits = ((guesses == 1) & (labels == 1)).sum().item()
    return 2 * hits / max((guesses == 1).sum().item() + (labels == 1).sum().item(), 1)


def one_way(way: str, seed: int, steps: int) -> dict:
    """Train docs-gpt on spam in one way; returns what was measured, and the model."""
    seed_everything(seed)
    model = prepared(way)
    order = torch.cat([torch.randperm(len(mail["train"][0])) for _ in range(16 * steps // 2000 + 1)])

    def batch(step):
        rows = order[16 * step : 16 * step + 16]
        return tuple(part[rows] for part in mail["train"])

    moved = [p for p in model.parameters() if p.requires_grad]
    start = time.perf_counter()
    body = [p for name, p in model.named_parameters() if p.requires_grad and not name.startswith("head.")]
    groups = [{"params": list(model.head.parameters()), "lr": 2e-2}, {"params": body, "lr": RATES[WAYS[way][0]]}]
    optimizer = torch.optim.AdamW([group for group in groups if group["params"]], weight_decay=0.0)
    history = fit(model, batch, mail_loss, steps=steps, optimizer=optimizer, progress=False)
    seconds = time.perf_counter() - start
    held = sum(p.numel() * 12 for p in moved) / 1e6 + megabytes(model)  # gradients and two states; the weights
    cost = usage(lambda: mail_loss(model, batch(0)))
    return {
        "trained": sum(p.numel() for p in moved), "mb": held + cost.mb, "seconds": seconds, "f1": mail_f1(model),
        "forgetting": math.exp(docs_loss(model.body) - BEFORE), "loss": np.mean(history.losses[-5:]), "model": model,
    }  # fmt: skip


BEFORE = docs_loss(opened())
SEEDS, STEPS = budget(grade=1, cpu=1, gpu=5), budget(grade=3, cpu=80)
measured = {way: [one_way(way, seed, STEPS) for seed in range(SEED, SEED + SEEDS)] for way in WAYS}
print(f"{'way':<18}{'trained':>11}{'memory MB':>11}{'seconds':>9}{'F1 of spam':>12}{'docs perplexity':>17}")
for way, runs in measured.items():
    row = {key: np.mean([run[key] for run in runs]) for key in ("trained", "mb", "seconds", "f1", "forgetting")}
    print(f"{way:<18}{row['trained']:>11,.0f}{row['mb']:>11.1f}{row['seconds']:>9.1f}{row['f1']:>12.3f}"
          f"{'times ' + format(row['forgetting'], '.2f'):>17}")  # fmt: skip
fig, axes = plots.figure(columns=2, width=10, height=3.6)
MARKS = "osv^DP*Xh"
for (way, runs), mark, i in zip(measured.items(), MARKS, range(9), strict=True):
    color = plots.COLORS[i % len(plots.COLORS)]
    f1 = [run["f1"] for run in runs]
    axes[0].plot([run["mb"] for run in runs], f1, mark, color=color, label=way)
    axes[1].plot([run["forgetting"] for run in runs], f1, mark, color=color, label=way)
axes[0].set(xlabel="memory while training (MB)", ylabel="F1 of spam")
axes[1].set(xlabel="perplexity on the docs, times before")
axes[1].legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
told = "; ".join(
    f"{way}: F1 {runs[0]['f1']:.2f}, {runs[0]['mb']:.0f} MB, perplexity times {runs[0]['forgetting']:.2f}"
    for way, runs in measured.items()
)
plots.show(fig, f"F1 of spam over memory, and over forgetting, for nine ways of training. {told}.")
f1, forgotten = ({way: [run[key] for run in runs] for way, runs in measured.items()} for key in ("f1", "forgetting"))
claim("F1 of spam: full fine-tuning above the head alone", f1["full"], f1["head"])
claim("Perplexity on the docs, times before (negative): LoRA r=16 forgets less than full fine-tuning",
      [-v for v in forgotten["LoRA r=16"]], [-v for v in forgotten["full"]])

# %% [markdown]
# Is the update really of low rank? Full fine-tuning may move each matrix as it likes. Here are the singular values of
# the move of $W_Q, W_K, W_V, W_O$ in the last block, beside those of the matrix itself, each divided by its largest.

# %% show
moved, before = measured["full"][0]["model"].body.blocks[-1], opened().blocks[-1]
curves, halves = {}, []
for name in PROJECTIONS:
    W = getattr(before.attention, name).weight.data
    values = torch.linalg.svdvals(getattr(moved.attention, name).weight.data - W)
    curves[f"move of {name}"] = (values / values[0]).numpy()
    energy = (values**2).cumsum(0) / (values**2).sum()
    halves.append(f"{name} {int((energy < 0.9).sum()) + 1}")
curves["q_proj itself"] = (lambda s: (s / s[0]).numpy())(torch.linalg.svdvals(before.attention.q_proj.weight.data))
fig, alt = plots.lines(range(1, 1 + len(values)), curves, "number of the singular value", "share of the largest")
plots.show(fig, f"Singular values of what full fine-tuning moved in the last block, each divided by its largest. {alt}")
print("directions that hold 90% of the move, of 192:", ", ".join(halves))

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
# The check of `template`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("template", points=8)
def score(check):
    import torch

    whole = "the loss counts the prompt, too: its labels are -100"
    no_end = "the end is missing: the model must learn to stop"
    end_hidden = "the end has a label, too: the model must learn to stop"
    shifted = "the labels are shifted here; the shift belongs into the loss"
    answer_hidden = "the answer's labels are -100: it is the prompt that does not count"
    unshifted = "the shift is missing: the logits at t predict the label at t + 1"
    back = "the shift is the wrong way round: the logits at t predict the label at t + 1"
    summed = "this is the sum: the mean over the labelled tokens is asked"
    all_tokens = "this is divided by all tokens: only those with a label count"
    rows_first = "this is the mean of each row's mean: all labelled tokens count the same"
    alone = "each example got a row of its own: it joins the last row if it fits there"
    tight = "an example that fills the row exactly still fits"
    too_long = "an example that is longer than a row is left out, not cut"
    labels_padded = "the labels are filled with -100, not with the padding"
    owner_zero = "owners count from 1 in each row; 0 is padding"
    owner_on = "owners begin anew in each row"
    by_token = "a token of the prompt has a label if it stands in the answer, too: only the place counts"
    over_rows = "the shift runs over from one row into the next"
    first_place = "labels at the first place are counted in the mean: nothing predicts them"
    check(example_of, [5, 7, 9], [7, 8], 0).equals(
        ([5, 7, 9, 7, 8, 0], [-100, -100, -100, 7, 8, 0]), near={
            whole: ([5, 7, 9, 7, 8, 0], [5, 7, 9, 7, 8, 0]),
            no_end: ([5, 7, 9, 7, 8], [-100, -100, -100, 7, 8]),
            end_hidden: ([5, 7, 9, 7, 8, 0], [-100, -100, -100, 7, 8, -100]),
            shifted: ([5, 7, 9, 7, 8, 0], [-100, -100, 7, 8, 0, -100]),
            answer_hidden: ([5, 7, 9, 7, 8, 0], [5, 7, 9, -100, -100, -100]),
            by_token: ([5, 7, 9, 7, 8, 0], [-100, 7, -100, 7, 8, 0]),
        })
    logits = torch.tensor([[[2.0, 0.0, 1.0], [0.0, 1.0, -1.0], [1.0, 1.0, 3.0], [0.5, 0.0, 0.0]],
                           [[0.0, 2.0, 0.0], [1.0, -1.0, 0.0], [0.0, 0.5, 0.0], [2.0, 0.0, 1.0]]])
    labels = torch.tensor([[-100, -100, 1, 0], [1, 2, 0, 2]])
    check(answer_loss, logits, labels).equals(1.3177356, rtol=1e-4, near={
            unshifted: 1.230517,
            back: 1.351002,
            summed: 6.588678,
            all_tokens: 0.8235847,
            rows_first: 1.318709,
            over_rows: 1.313799,
            first_place: 1.098113,
        })
    examples = [([1, 2, 3], [-100, 2, 3]), ([4, 5], [-100, 5]), ([6, 7, 8, 9, 10, 11], [-100] * 5 + [11]),
                ([12, 13, 14], [-100, 13, 14])]
    t = torch.tensor
    check(pack, examples, 5, 99).equals(
        (t([[1, 2, 3, 4, 5], [12, 13, 14, 99, 99]]), t([[-100, 2, 3, -100, 5], [-100, 13, 14, -100, -100]]),
         t([[1, 1, 1, 2, 2], [1, 1, 1, 0, 0]])), near={
            alone: ([[1, 2, 3, 99, 99], [4, 5, 99, 99, 99], [12, 13, 14, 99, 99]], [[-100, 2, 3, -100, -100], [-100,
                5, -100, -100, -100], [-100, 13, 14, -100, -100]], [[1, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0,
                0]]),
            tight: ([[1, 2, 3, 99, 99], [4, 5, 99, 99, 99], [12, 13, 14, 99, 99]], [[-100, 2, 3, -100, -100], [-100,
                5, -100, -100, -100], [-100, 13, 14, -100, -100]], [[1, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0,
                0]]),
            too_long: ([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [12, 13, 14, 99, 99]], [[-100, 2, 3, -100, 5], [-100, -100,
                -100, -100, -100], [-100, 13, 14, -100, -100]], [[1, 1, 1, 2, 2], [1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]),
            labels_padded: ([[1, 2, 3, 4, 5], [12, 13, 14, 99, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, 99, 99]],
                [[1, 1, 1, 2, 2], [1, 1, 1, 0, 0]]),
            owner_zero: ([[1, 2, 3, 4, 5], [12, 13, 14, 99, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, -100, -100]],
                [[0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]),
            owner_on: ([[1, 2, 3, 4, 5], [12, 13, 14, 99, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, -100, -100]],
                [[1, 1, 1, 2, 2], [3, 3, 3, 0, 0]]),
        })
    ends = "an example that is left out ends its row here: the next one still joins the last"
    under = "an example as long as a row fits: only longer ones are left out"
    by_number = "padding is found by its number, which a text may hold, too: fill up by places"
    earlier = "an example joins the last row only, not an earlier one that has room"
    examples = [([1, 2, 3], [-100, 2, 3]), ([4, 5, 6, 7], [-100, -100, 6, 7]), ([8], [8]), ([6], [6]),
                ([4] * 5, [4] * 5), ([9, 0], [-100, 0])]
    check(pack, examples, 4, 0).equals(
        (t([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]]), t([[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]]),
         t([[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 3, 3]])), about="a row that is full, and one left out", near={
            ends: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 0, 0], [9, 0, 0, 0]], [[-100, 2, 3, -100], [-100, -100, 6, 7],
                [8, 6, -100, -100], [-100, 0, -100, -100]], [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 0, 0], [1, 1, 0, 0]]),
            under: ([[1, 2, 3, 8], [6, 9, 0, 0]], [[-100, 2, 3, 8], [6, -100, 0, -100]], [[1, 1, 1, 2], [1, 2, 2, 0]]),
            by_number: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]], [[-100, 2, 3, -100], [-100, -100, 6, 7],
                [8, 6, -100, -100]], [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 3, 0]]),
            earlier: ([[1, 2, 3, 8], [4, 5, 6, 7], [6, 9, 0, 0]], [[-100, 2, 3, 8], [-100, -100, 6, 7], [6, -100, 0,
                -100]], [[1, 1, 1, 2], [1, 1, 1, 1], [1, 2, 2, 0]]),
        })
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def labelled(p, a, e, label):
        return [*p, *a, e], label(p, a, e)

    check.mistakes({
        whole: lambda p, a, e: labelled(p, a, e, lambda p, a, e: [*p, *a, e]),
        no_end: lambda p, a, e: ([*p, *a], [-100] * len(p) + [*a]),
        end_hidden: lambda p, a, e: labelled(p, a, e, lambda p, a, e: [-100] * len(p) + [*a, -100]),
        shifted: lambda p, a, e: labelled(p, a, e, lambda p, a, e: [-100] * (len(p) - 1) + [*a, e, -100]),
        answer_hidden: lambda p, a, e: labelled(p, a, e, lambda p, a, e: [*p] + [-100] * (len(a) + 1)),
        "the labels are those of the answer alone: as many as there are ids are asked": lambda p, a, e: (
            [*p, *a, e], [*a, e]),
        by_token: lambda p, a, e: (
            [*p, *a, e], [i if i in a or i == e else -100 for i in [*p, *a, e]]),
        "the end comes behind the answer": lambda p, a, e: ([*p, e, *a], [-100] * len(p) + [e, *a]),
        "the prompt's labels are 0: -100 is what the loss leaves out": lambda p, a, e: (
            [*p, *a, e], [0] * len(p) + [*a, e]),
        "the prompt's labels are -1: -100 is what the loss leaves out": lambda p, a, e: (
            [*p, *a, e], [-1] * len(p) + [*a, e]),
    })  # fmt: skip
    for n, m in [(4, 3), (1, 5), (6, 1)]:
        p, a = (check.rng.integers(3, 90, size=k).tolist() for k in (n, m))
        p[0] = a[-1]  # a token may stand in both
        check(example_of, p, a, 2).equals(([*p, *a, 2], [-100 if i < n else v for i, v in enumerate([*p, *a, 2])]),
                                          about="fresh examples")
    check(example_of, [4, 5], [], 2).equals(([4, 5, 2], [-100, -100, 2]), about="an empty answer", edge=True)

    def losses(shift=1, mean="labelled"):
        def loss(logits, labels):
            T = labels.shape[1]
            there = torch.arange(T) + shift
            inside = (there >= 0) & (there < T)
            wanted = labels[:, there[inside]]
            logp = logits[:, inside].log_softmax(-1)
            each = -logp.gather(-1, wanted.clamp(min=0)[..., None])[..., 0] * (wanted != -100)
            count = (wanted != -100).sum(1)
            if mean == "rows":
                return (each.sum(1) / count).mean()
            return each.sum() / {"labelled": count.sum(), "all": wanted.numel(), "sum": 1, "T": labels.numel()}[mean]

        return loss

    check.mistakes({
        unshifted: losses(0), back: losses(-1), summed: losses(mean="sum"), all_tokens: losses(mean="all"),
        rows_first: losses(mean="rows"), "all tokens are counted in the mean": losses(mean="T"),
        "this is in bits: nats are asked": lambda z, y: losses()(z, y) / np.log(2),
        "this is the perplexity: the loss is its logarithm": lambda z, y: losses()(z, y).exp(),
        "the sign is turned round": lambda z, y: -losses()(z, y),
        over_rows: lambda z, y: (
            torch.nn.functional.cross_entropy(z.flatten(0, 1)[:-1], y.flatten()[1:])),
        "the softmax is taken twice: cross_entropy takes logits": lambda z, y: losses()(z.softmax(-1), y),
        "a label of 0 is a token, too: only -100 is left out": lambda z, y: losses()(z, torch.where(y > 0, y, -100)),
        first_place: lambda z, y: (
            losses(mean="sum")(z, y) / (y != -100).sum()),
    })
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for B, T, V in [(2, 5, 7), (3, 8, 4)]:
        logits, labels = torch.randn(B, T, V, generator=draw) * 3, torch.randint(V, (B, T), generator=draw)
        labels[torch.rand(B, T, generator=draw) < 0.4] = -100
        labels[0, 1:3] = labels[0, 1:3].clamp(min=1)
        p = (logits.double().exp() / logits.double().exp().sum(-1, keepdim=True)).numpy()
        each = [-np.log(p[b, i - 1, int(labels[b, i])]) for b in range(B) for i in range(1, T) if labels[b, i] >= 0]
        check(answer_loss, logits, labels).equals(np.mean(each), about="fresh logits", rtol=1e-4)
    leaf = logits.clone().requires_grad_()
    torch.nn.functional.cross_entropy(leaf[:, :-1].transpose(1, 2), labels[:, 1:]).backward()
    check.mistakes({})
    check(slopes, answer_loss, logits, labels).equals(
        [leaf.grad], about="the gradient of the loss", rtol=1e-3, atol=1e-6,
        near={"no gradient flows: is the loss a plain number?": RuntimeError},
    )
    far = torch.tensor([[[300.0, 0.0, -300.0], [0.0, 200.0, 0.0], [0.0, 0.0, 0.0]]])
    check(answer_loss, far, torch.tensor([[-100, 2, 1]])).equals(
        300.0, about="large logits", edge=True,
        near={"exp runs over for large logits: log_softmax or F.cross_entropy": [torch.nan],
              "the exponential of large logits runs over: log_softmax or F.cross_entropy": torch.nan,
              "a probability rounds to 0 before its logarithm: log_softmax or F.cross_entropy": torch.inf},
    )  # fmt: skip

    def packed(join=True, strict=False, cut=False, label_fill=-100, first=1, anew=True, best=False, ends=False,
               under=False):  # fmt: skip
        def pack(examples, length, pad_id):
            rows, number = [], 0
            for ids, labels in examples:
                if under and len(ids) == length:
                    continue
                if ends and len(ids) > length and rows:
                    rows[-1] += [(pad_id, -100, 0)] * (length - len(rows[-1]))
                if cut:
                    ids, labels = ids[:length], labels[:length]
                if len(ids) > length:
                    continue
                free = [r for r in rows if len(r) + len(ids) + strict <= length]
                fits = join and (free if best else free and free[-1] is rows[-1])
                if not fits:
                    rows.append([])
                row = free[0] if fits and best else rows[-1]
                number = number + 1 if not anew else (row[-1][2] + 1 if row else first)
                row += [(i, y, number) for i, y in zip(ids, labels, strict=True)]
            fill = (pad_id, pad_id if label_fill is None else label_fill, 0)
            rows = [row + [fill] * (length - len(row)) for row in rows]
            return tuple(torch.tensor([[v[k] for v in row] for row in rows]).view(-1, length) for k in range(3))

        return pack

    def numbered(examples, length, pad_id):
        ids, labels, owner = packed()(examples, length, pad_id)
        return ids, torch.where(ids == pad_id, -100, labels), torch.where(ids == pad_id, 0, owner)

    check.mistakes({
        alone: packed(join=False), tight: packed(strict=True), too_long: packed(cut=True),
        labels_padded: packed(label_fill=None), owner_zero: packed(first=0), owner_on: packed(anew=False),
        "the labels are filled with 0: -100 is what the loss leaves out": packed(label_fill=0),
        ends: packed(ends=True),
        under: packed(under=True),
        by_number: numbered,
        earlier: packed(best=True),
    })
    for length, count in [(9, 12), (6, 9), (20, 15)]:
        examples = []
        for _ in range(count):
            ids = [*check.rng.integers(1, 90, size=int(check.rng.integers(1, 8))).tolist(), 0]  # the end pads, too
            examples.append((ids, [-100, *ids[1:]]))
        sizes = (length, length, 2, length + 1, 2)  # two fill a row alone, one is left out between two that share a row
        examples[2:7] = [([k + 3] * size, [k] * size) for k, size in enumerate(sizes)]
        want, room = [], 0
        for ids, labels in examples:
            if len(ids) <= length:
                if room < len(ids):
                    want.append([])
                    room = length
                room -= len(ids)
                want[-1].append((ids, labels))
        right = np.full((3, len(want), length), [[[0]], [[-100]], [[0]]])
        for n, row in enumerate(want):
            at = 0
            for k, (ids, labels) in enumerate(row, 1):
                right[:, n, at : at + len(ids)] = ids, labels, [k] * len(ids)
                at += len(ids)
        check(pack, examples, length, 0).equals(tuple(torch.from_numpy(p) for p in right), about="fresh rows")
    check(lambda: pack(examples, length, 0)).holds(
        lambda v: all(part.dtype == torch.int64 for part in v), "three tensors of int64", about="whole numbers",
        near={"the tensors hold floats: int64 is asked": lambda v: any(part.is_floating_point() for part in v)},
    )
    check(pack, [([1, 2, 3], [1, 2, 3])], 2, 0).equals(
        tuple(torch.zeros(0, 2, dtype=torch.int64) for _ in range(3)), about="nothing fits", edge=True
    )
    ### END HIDDEN TESTS


score

# %% [markdown]
# With `owner`, a mask lets each token see the tokens of its own example only, and places count anew in each: then a row
# of four examples gives the same logits as four rows. A forward pass costs nearly as much for a row of padding as for a
# row of text; here is what packing saves.

# %% given
INSTRUCT = "{passage}\n\nQuestion: {question}\nAnswer:"  # the template, the same in training and in use


def packed_inputs(owner: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (places (B, T), mask (B, T, T)) for packed rows: places begin anew, and nobody sees another example."""
    T = owner.shape[1]
    start = torch.ones_like(owner, dtype=torch.bool)
    start[:, 1:] = owner[:, 1:] != owner[:, :-1]
    at = torch.arange(T).expand_as(owner)
    places = at - torch.where(start, at, 0).cummax(1).values
    return places, (owner[:, :, None] == owner[:, None, :]) & torch.ones(T, T, dtype=torch.bool).tril()

# %% show
from helpers.instructions import instructions

docs = data.load("docs")
made = instructions(docs.split("train"), budget(grade=60, cpu=4000), seed=SEED)
held = instructions(docs.split("test"), budget(grade=6, cpu=60), seed=SEED)
print(f"{len(made):,} instructions to learn from, {len(held)} of other modules to be judged by. One of them:\n")
print(INSTRUCT.format(passage=held[0].passage, question=held[0].question), held[0].answer)


def example(item) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of an instruction under the template."""
    prompt = INSTRUCT.format(passage=item.passage, question=item.question)
    return example_of(encode(prompt), encode(f" {item.answer}"), END)


examples = [example(item) for item in made]
rows = pack(examples, 256, PAD)
lengths = [len(ids) for ids, _ in examples if len(ids) <= 256]
filled = (rows[2] > 0).float().mean()
print(f"\n{len(lengths):,} examples in {len(rows[0]):,} rows of 256: {filled:.0%} of the places hold text; "
      f"one by one it would be {np.mean(lengths) / max(lengths):.0%}")

two = pack(examples[:2], sum(len(ids) for ids, _ in examples[:2]), PAD)
places, mask = packed_inputs(two[2])
with torch.no_grad():
    base = opened()
    together = base(two[0], places, mask)[0, len(examples[0][0]) :]
    apart = (together - base(torch.tensor([examples[1][0]]))[0]).abs().max()
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
# The check of `few-shot`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("few-shot", points=4)
def score(check):
    trailing = "there is a space behind the last `Answer:`: it belongs to the answer's first token"
    no_gap = "one empty line stands between two shots"
    no_blank = "an empty line stands between a passage and its question"
    no_answers = "the answers of the shots are missing"
    reverse = "the shots are in reverse order"
    open_first = "the open question comes last, behind the shots"
    skipping = "a shot that does not fit ends it: the first k are asked, not those that happen to fit"
    no_room = "the room for the answer is missing"
    no_own = "the question's own tokens are missing"
    each = "each shot was tried alone: the sizes of the first k add up"
    strict = "a prompt that fills the context exactly still fits"
    shots = [("The sum of x.", "What is it?", "a sum"), ("See mean.", "What to see?", "mean")]
    check(few_shot, shots, "Sort a list.", "What is sorted?").equals(
        "The sum of x.\n\nQuestion: What is it?\nAnswer: a sum\n\nSee mean.\n\nQuestion: What to see?\nAnswer: mean\n\n"
        "Sort a list.\n\nQuestion: What is sorted?\nAnswer:", near={
            trailing: "The sum of x.\n\nQuestion: What is it?\nAnswer: a sum\n\nSee mean.\n\nQuestio"
                "n: What to see?\nAnswer: mean\n\nSort a list.\n\nQuestion: What is sorted?\n" "Answer: ",
            no_gap: "The sum of x.\n\nQuestion: What is it?\nAnswer: a sum\nSee mean.\n\nQuestion"
                ": What to see?\nAnswer: mean\nSort a list.\n\nQuestion: What is sorted?\nAn" "swer:",
            no_blank: "The sum of x.\nQuestion: What is it?\nAnswer: a sum\n\nSee mean.\nQuestion:"
                " What to see?\nAnswer: mean\n\nSort a list.\nQuestion: What is sorted?\nAns" "wer:",
            no_answers: "The sum of x.\n\nQuestion: What is it?\nAnswer:\n\nSee mean.\n\nQuestion: Wha"
                "t to see?\nAnswer:\n\nSort a list.\n\nQuestion: What is sorted?\nAnswer:",
            reverse: "See mean.\n\nQuestion: What to see?\nAnswer: mean\n\nThe sum of x.\n\nQuestio"
                "n: What is it?\nAnswer: a sum\n\nSort a list.\n\nQuestion: What is sorted?\n" "Answer:",
            open_first: "Sort a list.\n\nQuestion: What is sorted?\nAnswer:\n\nThe sum of x.\n\nQuesti"
                "on: What is it?\nAnswer: a sum\n\nSee mean.\n\nQuestion: What to see?\nAnswe" "r: mean\n\n",
        })
    check(how_many, [30, 45, 20, 5, 8, 80], 30, 10, 105).equals(1, near={
            skipping: 4,
            no_room: 2,
            no_own: 3,
            each: 5,
        })
    check(how_many, [30, 50, 40, 10], 25, 15, 120).equals(2, near={
            strict: 1,
            each: 4,
        })
    empty_line = "without shots the prompt begins with the passage"
    check(few_shot, [], "Sort a list.", "What is sorted?").equals(
        "Sort a list.\n\nQuestion: What is sorted?\nAnswer:", about="no shot", near={
            empty_line: "\n\nSort a list.\n\nQuestion: What is sorted?\nAnswer:",
            trailing: "Sort a list.\n\nQuestion: What is sorted?\nAnswer: ",
            no_blank: "Sort a list.\nQuestion: What is sorted?\nAnswer:",
        })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(gap="\n\n", blank="\n\n", end="", answers=True, order=1, last=True):
        def prompt(shots, passage, question):
            told = [(p, q, " " + a if answers else "") for p, q, a in shots][::order]
            solved = [f"{p}{blank}Question: {q}\nAnswer:{a}{gap}" for p, q, a in told]
            own = f"{passage}{blank}Question: {question}\nAnswer:{end}"
            return "".join(solved) + own if last else own + gap + "".join(solved)

        return prompt

    check.mistakes({
        trailing: made(end=" "), no_gap: made(gap="\n"), no_blank: made(blank="\n"), no_answers: made(answers=False),
        reverse: made(order=-1), open_first: made(last=False),
        "there is a line break behind the last `Answer:`": made(end="\n"),
        "the shots are missing": lambda s, p, q: made()([], p, q),
        "the space before an answer is missing": lambda s, p, q: made()([(a, b, c) for a, b, c in s], p, q).replace(
            "Answer: ", "Answer:"),
        "the open passage is missing": lambda s, p, q: made()(s, p, q).replace(f"{p}\n\n", ""),
        empty_line: lambda s, p, q: "\n\n" * (not s) + made()(s, p, q),
        "there are two empty lines between shots": made(gap="\n\n\n"),
    })
    words = ["axis", "dtype", "the mean", "a list", "an array of floats", "out", "None", "where it is True"]

    def some():
        return str(words[int(check.rng.integers(len(words)))])

    for count in (0, 1, 3):
        shots = [(f"{some()} of {some()}.", f"What is {some()}?", some()) for _ in range(count)]
        p, q = f"About {some()}.", f"And {some()}?"
        lines = [v for a, b, c in shots for v in (a, "", f"Question: {b}", f"Answer: {c}", "")]
        right = "\n".join([*lines, p, "", f"Question: {q}", "Answer:"])
        check(few_shot, shots, p, q).equals(right, about="no shot" if not count else "fresh shots", edge=not count)

    shots, p, q = [("Set {a: 1} here. ", "Which key? ", "a ")], "Of {b} ", "And {c}?"
    check(few_shot, shots, p, q).equals(
        "Set {a: 1} here. \n\nQuestion: Which key? \nAnswer: a \n\nOf {b} \n\nQuestion: And {c}?\nAnswer:",
        about="texts with braces and blanks", edge=True,
        near={"braces in a text are text: the whole prompt went through .format": KeyError,
              "the texts were stripped: they stand as they are":
                  "Set {a: 1} here.\n\nQuestion: Which key?\nAnswer: a\n\nOf {b}\n\nQuestion: And {c}?\nAnswer:"},
    )  # fmt: skip

    def counted(skip=False, room=1, own=1, slack=0):
        def count(sizes, own_tokens, answer, context_length):
            left, found = context_length - own * own_tokens - room * answer - slack, 0
            for size in sizes:
                if size <= left:
                    left, found = left - size, found + 1
                elif not skip:
                    break
            return found

        return count

    check.mistakes({
        skipping: counted(skip=True), no_room: counted(room=0), no_own: counted(own=0), strict: counted(slack=1),
        "the question's tokens and the room for the answer are missing": counted(own=0, room=0),
        "the shortest shots are taken: the first k are asked": lambda s, *a: counted()(sorted(s), *a),
        "the shot that no longer fits was counted": lambda s, *a: min(counted()(s, *a) + 1, len(s)),
        "these are the tokens of the shots that fit; how many shots is asked": lambda s, *a: sum(s[: counted()(s, *a)]),
    })
    for _ in range(4):
        sizes = check.rng.integers(10, 60, size=6).tolist()
        own, room = (int(v) for v in check.rng.integers(5, 30, size=2))
        context = int(check.rng.integers(80, 250))
        right = max(k for k in range(7) if k == 0 or sum(sizes[:k]) + own + room <= context)
        check(how_many, sizes, own, room, context).equals(right, about="fresh sizes")
    check(how_many, [10, 20], 5, 5, 40).equals(2, about="filled exactly")
    check(how_many, [10, 20], 30, 20, 40).equals(0, about="no room at all", edge=True)
    check(how_many, [], 5, 5, 40).equals(0, about="no shots", edge=True)
    ### END HIDDEN TESTS


score

# %% [markdown]
# Now ask docs-gpt with no example, one, and as many as fit; then teach it by LoRA on all linear layers of its blocks,
# and ask again, with no example. The measure is **token F1**, as in SQuAD: the words that answer and reference share,
# as a harmonic mean of precision and recall. All are asked the same questions, about modules that no instruction came
# from.

# %% given
def words_of(text: str) -> list[str]:
    """Return the words of a text, in small letters."""
    return re.findall(r"\w+", text.lower())


def token_f1(answer: str, reference: str) -> float:
    """Return the F1 of shared words, each counted as often as both have it."""
    given, wanted = words_of(answer), words_of(reference)
    shared = sum(min(given.count(word), wanted.count(word)) for word in set(given))
    return 2 * shared / (len(given) + len(wanted)) if shared else float(answer.strip() == reference.strip())


def answered(model: OpenGPT, prompt: str, most: int = 14) -> str:
    """Return what a model writes greedily behind a prompt, up to the end of the line or of the text."""
    new, caches, found = encode(prompt)[-model.context_length + most :], [], []
    for _ in range(most):
        new = [int(model.step(torch.tensor([new]), caches).argmax())]
        if new[0] == END or "\n" in tokenizer.decode([*found, *new]).strip(" "):
            break
        found += new
    return tokenizer.decode(found).strip()

# %% show
def reading_loss(model, batch):
    """Return the loss of the answers in packed rows; logits are computed where there is a label only."""
    token_ids, labels, owner = batch
    before = model.hidden(token_ids, *packed_inputs(owner))[:, :-1][labels[:, 1:] != -100]  # (labels, C)
    logits = F.linear(before, model.token_embedding.weight)
    return F.cross_entropy(logits, labels[:, 1:][labels[:, 1:] != -100])


def tuned_reader(seed: int, steps: int) -> tuple[OpenGPT, object]:
    """Teach a docs-gpt to answer, with LoRA of rank 16 on all linear layers; returns (model, history)."""
    seed_everything(seed)
    model = put_lora(opened(), 16, 32, targets=EVERY)
    order = torch.cat([torch.randperm(len(rows[0])) for _ in range(4 * steps // len(rows[0]) + 1)])

    def batch(step):
        picked = order[4 * step : 4 * step + 4]
        return tuple(part[picked] for part in rows)

    return model, fit(model, batch, reading_loss, steps=steps, lr=4e-3, weight_decay=0.0, progress=False)


def asked(model: OpenGPT, shots: int = 0) -> dict[str, list[float]]:
    """Ask all held-out questions behind so many solved ones (fewer if they do not fit); returns F1 by kind."""
    found = {}
    solved = sorted(made[:40], key=lambda item: len(item.passage))[:shots]
    solved = [(item.passage, item.question, item.answer) for item in solved]
    sizes = [len(encode(few_shot([s], "", "")[:-20])) for s in solved]
    for item in held:
        own = len(encode(few_shot([], item.passage, item.question)))
        k = how_many(sizes, own, 14, model.context_length)
        answer = answered(model, few_shot(solved[:k], item.passage, item.question))
        found.setdefault(item.kind, []).append(token_f1(answer, item.answer))
    return found


batch = tuple(part[:2] for part in rows)
with torch.no_grad():
    whole = answer_loss(base(batch[0], *packed_inputs(batch[2])), batch[1])
    print(f"answer_loss and the loss where labels are: {whole:.4f}, {reading_loss(base, batch):.4f}")
reader, history = tuned_reader(SEED, budget(grade=3, cpu=120, gpu=600))
print(history)
plots.show(*history.draw())

# %% show
reading = {f"{name}, asked": asked(base, shots) for name, shots in {"no example": 0, "one": 1, "up to four": 4}.items()}
reading["tuned by LoRA"] = asked(reader)
kinds = sorted({item.kind for item in held})
totals = {}
print(f"{'':<20}{'all':>8}", *(f"{kind:>10}" for kind in kinds))
for name, found in reading.items():
    totals[name] = np.mean([f1 for part in found.values() for f1 in part])
    print(f"{name:<20}{totals[name]:>8.3f}", *(f"{np.mean(found[kind]):>10.3f}" for kind in kinds))
for item in held[:5]:
    said = answered(reader, few_shot([], item.passage, item.question))
    print(f"\n{item.question}\n   right: {item.answer}\n   tuned: {said}")
fig, ax = plots.figure(width=7, height=2.4)
plots.bars(ax, list(totals), list(totals.values()), label="token F1 on held-out questions")
best = max(value for name, value in totals.items() if name != "tuned by LoRA")
claim("Token F1 of answers: tuned by LoRA above the best of prompting alone", totals["tuned by LoRA"], best)
said = ", ".join(f"{name} {value:.2f}" for name, value in totals.items()) + "."
plots.show(fig, f"Bars of token F1 on held-out questions, for three prompts and the tuned reader: {said}")

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
# The check of `reward`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("reward", points=5)
def score(check):
    import torch

    turned = "chosen and rejected are exchanged"
    ratio = "this is the ratio of the rewards: they may be negative, only their difference counts"
    alone = "the rejected reward is missing: only differences count"
    summed = "this is the sum over the pairs; the mean is asked"
    no_log = "the logarithm is missing"
    mean_first = "this is the loss of the mean difference: take the loss of each pair first"
    hinge = "this is a hinge loss: -log of the sigmoid is asked"
    infinite = "for large differences the logarithm of the sigmoid runs over: F.logsigmoid does not"
    chosen, rejected = torch.tensor([2.0, -1.0, 0.5]), torch.tensor([1.0, 1.0, -2.5])
    check(preference, chosen, rejected).equals([0.7310586, 0.1192029, 0.9525741], rtol=1e-4, near={
            turned: [0.2689414, 0.880797, 0.04742587],
            ratio: [0.6666667, float("-inf"), -0.25],
            alone: [0.880797, 0.2689414, 0.6224594],
            summed: 2.488777,
            no_log: -0.6009452,
            mean_first: 0.4143701,
            hinge: 1.0,
            infinite: 0.8295924,
        })
    check(reward_loss, chosen, rejected).equals(0.8295926, rtol=1e-4, near={
            turned: [0.2689414, 0.880797, 0.04742587],
            ratio: [0.6666667, float("-inf"), -0.25],
            alone: [0.880797, 0.2689414, 0.6224594],
            summed: 2.488777,
            no_log: -0.6009452,
            mean_first: 0.4143701,
            hinge: 1.0,
        })
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()
    sigmoid = torch.sigmoid
    check.mistakes({
        turned: lambda c, r: sigmoid(r - c), ratio: lambda c, r: c / (c + r), alone: lambda c, r: sigmoid(c),
        "these are the differences: their sigmoid is asked": lambda c, r: c - r,
        "each sigmoid by itself: take the sigmoid of the difference": lambda c, r: sigmoid(c) - sigmoid(r),
        "these are logarithms of probabilities": lambda c, r: sigmoid(c - r).log(),
        "this is the mean: one probability for each pair is asked": lambda c, r: sigmoid(c - r).mean(),
        "this is 0 or 1, which reward is larger: the probability is asked": lambda c, r: (c > r).float(),
        "this is tanh; the sigmoid is asked": lambda c, r: torch.tanh(c - r),
        "the rewards are added; their difference counts": lambda c, r: sigmoid(c + r),
    })
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for n in (4, 7):
        c, r = (3 * torch.randn(n, generator=draw) for _ in "cr")
        right = c.double().exp() / (c.double().exp() + r.double().exp())
        check(preference, c, r).equals(right.float(), about="fresh rewards", rtol=1e-4)

    large = torch.tensor([200.0, -300.0, 400.0])
    check(preference, large, torch.tensor([199.0, 0.0, 300.0])).equals(
        [0.7310586, 0.0, 1.0], about="large rewards", rtol=1e-4, edge=True,
        near={"exp of a reward runs over: take the sigmoid of the difference": [torch.nan, 0.0, torch.nan]},
    )

    def loss(each=lambda d: -torch.nn.functional.logsigmoid(d), reduce=lambda v: v.mean()):
        return lambda c, r: reduce(each(c - r))

    check.mistakes({
        turned: lambda c, r: loss()(r, c), alone: lambda c, r: loss()(c, 0 * r), summed: loss(reduce=lambda v: v.sum()),
        no_log: loss(lambda d: -sigmoid(d)), mean_first: lambda c, r: loss()(c.mean()[None], r.mean()[None]),
        hinge: loss(lambda d: (1 - d).clamp(min=0)), infinite: loss(lambda d: -sigmoid(d).log()),
        "the sign is turned round: the loss is minus the logarithm": loss(lambda d: torch.nn.functional.logsigmoid(d)),
        "one loss for each pair came: their mean is asked": loss(reduce=lambda v: v),
        "this is the probability of the rejected one, not minus the logarithm": loss(lambda d: 1 - sigmoid(d)),
        "this is a squared error: the logarithm of the probability is asked": loss(lambda d: (1 - sigmoid(d)) ** 2),
        "a small number inside the logarithm bends large losses: F.logsigmoid needs none": loss(
            lambda d: -(sigmoid(d) + 1e-8).log()),
        "this is minus the difference itself": loss(lambda d: -d),
        "the logarithm is of base 2: natural logarithms are asked": loss(
            lambda d: -torch.nn.functional.logsigmoid(d) / np.log(2)),
    })  # fmt: skip
    NO_SLOPE = "the gradient of both rewards must flow: is something detached, or a plain number?"
    for n in (4, 7):
        c, r = (3 * torch.randn(n, generator=draw) for _ in "cr")
        right = np.log1p(np.exp((r - c).double().numpy())).mean()
        check(reward_loss, c, r).equals(right, about="fresh pairs", rtol=1e-4)
        slope = [-(1 - sigmoid(c - r)) / n, (1 - sigmoid(c - r)) / n]
        check(slopes, reward_loss, c, r).equals(slope, about="the gradient", rtol=1e-3, atol=1e-6,
                                             near={NO_SLOPE: RuntimeError})  # fmt: skip
    far = torch.tensor([-300.0, 0.0, 250.0])
    check(reward_loss, far, -far).equals((600 + np.log(2)) / 3, about="rewards far apart", rtol=1e-5, edge=True)
    ### END HIDDEN TESTS


score

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
# The check of `dpo`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("dpo", points=8)
def score(check):
    import torch

    unshifted = "the logits at t predict the token at t + 1: here they are compared with the token at t"
    all_tokens = "all tokens count here: only those where `answer` is True do"
    mean = "this is the mean over the answer's tokens; the sum is asked"
    raw = "these are logits, not logarithms of probabilities: log_softmax over the vocabulary first"
    chances = "these are probabilities; their logarithms are added up"
    mask_shifted = "the mask belongs to the token that is predicted, not to the place that predicts it"
    minus = "the sign is turned round: log p is asked, not the loss"
    no_ref = "the reference is missing: the policy is measured against it"
    turned = "chosen and rejected are exchanged"
    no_beta = "beta is missing"
    divided = "beta multiplies the difference; it does not divide it"
    ref_added = "the reference's difference is subtracted, not added"
    outside = "beta stands inside the sigmoid"
    no_log = "the logarithm of the sigmoid is missing"
    summed = "this is the sum over the pairs; the mean is asked"
    t = torch.tensor
    logits = t([[[1.0, 0.0, -1.0], [0.0, 2.0, 1.0], [0.5, 0.5, 3.0], [1.0, 1.0, 0.0]],
                [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [0.0, 3.0, 1.0]]])
    ids, answer = t([[0, 1, 2, 0], [2, 0, 1, 1]]), t([[False, False, True, True], [True, True, False, True]])
    check(sequence_logprobs, logits, ids, answer).equals([-4.059614, -2.959051], rtol=1e-4, near={
            unshifted: [-1.014003, -1.960836],
            all_tokens: [-5.46722, -5.198595],
            mean: [-2.029807, -1.479525],
            raw: [1.5, 0.0],
            chances: [0.3152379, 0.45667],
            mask_shifted: [-2.652009, -3.790989],
            minus: [4.059615, 2.959051],
        })
    chosen, rejected, ref_c, ref_r = t([-10.0, -4.0]), t([-12.0, -3.0]), t([-11.0, -6.0]), t([-11.5, -7.0])
    check(dpo_loss, chosen, rejected, ref_c, ref_r, 0.5).equals(0.8500662, rtol=1e-4, near={
            no_ref: 0.6436694,
            turned: 0.7250663,
            no_beta: 1.164171,
            divided: 2.033369,
            ref_added: 0.4725381,
            no_log: -0.4740601,
            outside: 0.5820854,
            summed: 1.700133,
        })
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def made(shift=1, masked=True, mean=False, soft=lambda z: z.log_softmax(-1), mask_at=1, sign=1):
        def sums(logits, ids, answer):
            T = ids.shape[1]
            z = soft(logits)[:, : T - shift] if shift else soft(logits)
            logp = z.gather(-1, ids[:, shift:, None])[..., 0]
            mask = answer[:, shift:] if mask_at == shift else answer[:, : T - shift]
            mask = mask.to(logp.dtype) if masked else torch.ones_like(logp)
            return sign * (logp * mask).sum(1) / (mask.sum(1) if mean else 1)

        return sums

    check.mistakes({
        unshifted: made(0, mask_at=0), all_tokens: made(masked=False), mean: made(mean=True),
        raw: made(soft=lambda z: z),
        chances: made(soft=lambda z: z.softmax(-1)), mask_shifted: made(mask_at=0), minus: made(sign=-1),
        "the softmax is over the tokens of the text; it is over the vocabulary": made(soft=lambda z: z.log_softmax(1)),
        "the softmax is over the places that predict; it is over the vocabulary": lambda z, i, a: (
            (z[:, :-1].log_softmax(1).gather(-1, i[:, 1:, None])[..., 0] * a[:, 1:]).sum(1)),
        "the first token never counts: here the last logits of the row predict it": lambda z, i, a: (
            (z.roll(1, dims=1).log_softmax(-1).gather(-1, i[..., None])[..., 0] * a).sum(1)),
        "all tokens behind the first True count here: only those where `answer` is True do": lambda z, i, a: (
            made()(z, i, torch.cat([a[:, :1] & False, a[:, 1:]], 1).cumsum(1) > 0)),
        "the mask belongs on the logarithms, not on the logits": lambda z, i, a: made(masked=False)(
            torch.cat([z[:, :-1] * a[:, 1:, None], z[:, -1:]], 1), i, a),
        "this is the sum over all texts: one number for each is asked": lambda *a: made()(*a).sum(),
        "this is the product of the probabilities: its logarithm is asked": lambda *a: made()(*a).exp(),
        "the largest log-probability stands for each token's own": lambda z, i, a: (
            (z[:, :-1].log_softmax(-1).amax(-1) * a[:, 1:]).sum(1)),
    })  # fmt: skip
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for B, T, V in [(2, 5, 7), (4, 3, 6), (3, 7, 4)]:
        z, ids = 3 * torch.randn(B, T, V, generator=draw), torch.randint(V, (B, T), generator=draw)
        answer = torch.rand(B, T, generator=draw) < 0.6
        answer[0, 0], answer[:, -1] = True, True
        p = z.double().exp() / z.double().exp().sum(-1, keepdim=True)
        right = [
            sum(np.log(p[b, i - 1, ids[b, i]].item()) for i in range(1, T) if answer[b, i]) for b in range(B)
        ]
        check(sequence_logprobs, z, ids, answer).equals(right, about="fresh texts", rtol=1e-4, atol=1e-5)
    check(sequence_logprobs, z, ids, torch.zeros_like(answer)).equals(
        torch.zeros(B), about="no answer at all", edge=True,
        near={"this divides by the number of tokens": [torch.nan] * B},
    )
    hard = torch.tensor([[[300.0, 0.0], [0.0, 1.0], [0.0, 0.0]]])
    check(sequence_logprobs, hard, torch.tensor([[0, 1, 1]]), torch.tensor([[False, True, True]])).equals(
        [-300.3132617], about="large logits", edge=True, rtol=1e-5,
        near={"a probability rounds to 0 before its logarithm: log_softmax does not": [-torch.inf],
              "a small number inside the logarithm bends it: log_softmax needs none": [np.log(1e-10) - 0.3132617]},
    )  # fmt: skip
    check.mistakes({})
    leaf = z.clone().requires_grad_()
    made()(leaf, ids, answer).sum().backward()
    check(slopes, sequence_logprobs, z, ids, answer).equals(
        [leaf.grad], about="the gradient of the sums", rtol=1e-3, atol=1e-6,
        near={"no gradient flows: is something detached?": RuntimeError},
    )

    def loss(margin=lambda c, r, a, b: c - a - (r - b), scaled=lambda m, beta: beta * m, reduce=lambda v: v.mean(),
             each=lambda m: -torch.nn.functional.logsigmoid(m)):  # fmt: skip
        return lambda c, r, a, b, beta: reduce(each(scaled(margin(c, r, a, b), beta)))

    check.mistakes({
        no_ref: loss(lambda c, r, a, b: c - r), turned: loss(lambda c, r, a, b: r - b - (c - a)),
        no_beta: loss(scaled=lambda m, beta: m), divided: loss(scaled=lambda m, beta: m / beta),
        ref_added: loss(lambda c, r, a, b: c - r + a - b), no_log: loss(each=lambda m: -torch.sigmoid(m)),
        outside: lambda c, r, a, b, beta: beta * loss()(c, r, a, b, 1.0), summed: loss(reduce=lambda v: v.sum()),
        "this is the loss of the mean difference: take the loss of each pair first": loss(
            lambda c, r, a, b: (c - a - (r - b)).mean()),
        "beta multiplies the reference, too": lambda c, r, a, b, beta: loss()(beta * c, beta * r, a, b, 1.0),
        "this is a squared loss (IPO): -log of the sigmoid is asked": lambda c, r, a, b, beta: (
            (c - a - (r - b) - 1 / (2 * beta)) ** 2).mean(),
        "only the chosen text counts here; the rejected one does, too": loss(lambda c, r, a, b: c - a),
        "the sign is turned round: the loss is minus the logarithm": loss(
            each=lambda m: torch.nn.functional.logsigmoid(m)),
        "probabilities are divided by those of the reference: logarithms are subtracted, not divided": loss(
            lambda c, r, a, b: c / a - r / b),
        "the logarithm of the sigmoid runs over for large differences: F.logsigmoid": loss(
            each=lambda m: -torch.sigmoid(m).log()),
        "one loss for each pair came: their mean is asked": loss(reduce=lambda v: v),
        "the two ratios are judged one by one: the sigmoid is of their difference": lambda c, r, a, b, beta: (
            loss()(c, a * 0, a, a * 0, beta) + loss()(r * 0, r, b * 0, b, beta)),
    })  # fmt: skip
    for n, beta in [(3, 0.1), (5, 0.7), (4, 2.0)]:
        c, r, a, b = (5 * torch.randn(n, generator=draw) - 20 for _ in range(4))
        m = beta * (c - a - r + b).double().numpy()
        check(dpo_loss, c, r, a, b, beta).equals(np.logaddexp(0, -m).mean(), about="fresh pairs", rtol=1e-4)
        push = torch.from_numpy(beta / (1 + np.exp(m)) / n).float()
        check(slopes, dpo_loss, c, r, a, b, beta, fixed=(2, 3)).equals(
            [-push, push], about="the gradient", rtol=1e-3, atol=1e-6,
            near={"the gradient of both texts must flow: is something detached?": RuntimeError},
        )
    zero = torch.zeros(2)
    check(dpo_loss, zero - 900, zero, zero, zero, 0.5).equals(450.0, about="policies far apart", edge=True)
    check(dpo_loss, c, r, c, r, 0.3).equals(np.log(2), about="the policy is the reference", rtol=1e-4)
    ### END HIDDEN TESTS


score

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
# \pi_\mathrm{ref})$. And the gradient of the mean of $R$ is that of
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
def leashed_loss(logps: torch.Tensor, ref_logps: torch.Tensor, rewards: torch.Tensor, beta: float) -> torch.Tensor:
    """Return the loss of both functions together."""
    return reinforce_loss(logps, leashed(rewards, logps, ref_logps, beta))


def carries_gradient(function, *arguments) -> bool:
    """Return whether the value of a function has a gradient, where all tensors that go in have one."""
    leaves = [a.clone().requires_grad_() if isinstance(a, torch.Tensor) else a for a in arguments]
    return function(*leaves).requires_grad


def slope_of_loss(logps: torch.Tensor, factors: torch.Tensor) -> torch.Tensor:
    """Return the gradient of the loss with respect to logps (B,), for returns (B,) that depend on them."""
    logps = logps.clone().requires_grad_()
    return torch.autograd.grad(reinforce_loss(logps, factors * logps), logps)[0]

# %% check="reinforce" points=6
# The check of `reinforce`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("reinforce", points=6)
def score(check):
    import torch

    added = "the leash pulls the wrong way: beta times the log-ratio is subtracted"
    no_ref = "the reference is missing in the leash"
    turned = "the log-ratio is turned round: the policy's less the reference's"
    no_beta = "beta is missing"
    averaged = "one mean for the batch: each text has its own log-ratio"
    no_baseline = "the baseline is missing: subtract the mean return of the batch"
    minus = "the sign is turned round: a loss falls when what was good gets likelier"
    summed = "this is the sum; the mean over the batch is asked"
    scaled = "the advantages are divided by their spread: only the mean is subtracted here"
    through = "the gradient flows through the returns, too: detach them"
    t = torch.tensor
    absolute = "the leash is the absolute value of the log-ratio"
    clipped = "the log-ratio may be negative, too: here it is cut at 0"
    rewards, logps, ref = t([1.0, -0.5, 2.0]), t([-2.0, -3.0, -1.5]), t([-3.0, -1.0, -2.0])
    check(leashed, rewards, logps, ref, 0.3).equals([0.7, 0.1, 1.85], near={
            added: [1.3, -1.1, 2.15],
            no_ref: [1.6, 0.4, 2.45],
            turned: [1.3, -1.1, 2.15],
            no_beta: [0.0, 1.5, 1.5],
            averaged: [1.05, -0.45, 2.05],
            absolute: [0.7, -1.1, 1.85],
            clipped: [0.7, -0.5, 1.85],
        })
    check(carries_gradient, leashed, rewards, logps, ref, 0.3).equals(False, about="R without a gradient", near={
            "R has a gradient: detach it, the rewards and both log-probabilities": True,
        })
    check(reinforce_loss, logps, t([0.7, 0.0, 1.7])).equals(-0.4166667, rtol=1e-4, near={
            no_baseline: 1.316667,
            minus: 0.4166667,
            summed: -1.25,
            scaled: -0.4876715,
        })
    mean_alone = "the returns are to be detached, too, not their mean alone"
    check(slope_of_loss, logps, t([1.0, 0.5, -1.0])).equals(
        [4 / 9, 5 / 18, -13 / 18], rtol=1e-4, about="returns that depend on logps", near={
            through: [0.3888889, 0.4166667, -0.5],
            mean_alone: [1.111111, 0.7777778, -1.222222],
            no_baseline: [0.6666667, 0.5, -0.5],
            minus: [-0.4444444, -0.2777778, 0.7222222],
            summed: [1.333333, 0.8333333, -2.166667],
            scaled: [0.2348051, 0.1467532, -0.3815583],
        })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    check.mistakes({
        added: lambda w, p, q, b: w + b * (p - q), no_ref: lambda w, p, q, b: w - b * p,
        turned: lambda w, p, q, b: w - b * (q - p), no_beta: lambda w, p, q, b: w - (p - q),
        averaged: lambda w, p, q, b: w - b * (p - q).mean(),
        "this is the leash alone: the rewards are missing": lambda w, p, q, b: -b * (p - q),
        "the reward is multiplied by beta": lambda w, p, q, b: b * (w - (p - q)),
        "the ratio of the probabilities is taken; its logarithm is asked": lambda w, p, q, b: w - b * (p - q).exp(),
        absolute: lambda w, p, q, b: w - b * (p - q).abs(),
        clipped: lambda w, p, q, b: w - b * (p - q).clamp(min=0),
        "the log-ratio is weighted by the probability: the texts are drawn by it already": lambda w, p, q, b: (
            w - b * p.exp() * (p - q)),
        "the rewards are multiplied by 1 - beta": lambda w, p, q, b: (1 - b) * w - b * (p - q),
        "the leash is the square of the log-ratio": lambda w, p, q, b: w - b * (p - q) ** 2,
    })
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def fresh(n):
        return tuple(torch.randn(n, generator=draw) + shift for shift in (2, -9, -8))

    for n, beta in [(4, 0.1), (7, 1.5)]:
        w, p, q = fresh(n)
        right = [a - beta * (b - c) for a, b, c in zip(w.tolist(), p.tolist(), q.tolist(), strict=True)]
        check(leashed, w, p, q, beta).equals(right, about="fresh rewards", rtol=1e-4, atol=1e-5)
    check.mistakes({
        no_baseline: lambda p, w: -(w * p).mean(), minus: lambda p, w: ((w - w.mean()) * p).mean(),
        summed: lambda p, w: -((w - w.mean()) * p).sum(),
        scaled: lambda p, w: -((w - w.mean()) / w.std() * p).mean(),
        "the advantages are divided by their spread (of the population): only the mean is subtracted here": (
            lambda p, w: -((w - w.mean()) / w.std(correction=0) * p).mean()),
        "the mean is of the others alone: the mean of the whole batch is asked": lambda p, w: (
            -((w - w.mean()) * len(w) / (len(w) - 1) * p).mean()),
        "the probabilities are multiplied, not their logarithms": lambda p, w: -((w - w.mean()) * p.exp()).mean(),
        "the baseline is the median, the mean is asked": lambda p, w: -((w - w.median()) * p).mean(),
        "one number for each text came: their mean is asked": lambda p, w: -(w - w.mean()) * p,
    })  # fmt: skip
    for n in (4, 7):
        w, p, _ = fresh(n)
        centred = w.double() - w.double().mean()
        right = -float(centred @ p.double()) / n
        check(reinforce_loss, p, w).equals(right, about="fresh returns", rtol=1e-3, atol=1e-5)

    def bent(p, q, w, beta, advantage=True):
        p = p.clone().requires_grad_()
        back = w - beta * (p - q)
        loss = -((back - back.mean() * advantage) * p).mean()
        return [torch.autograd.grad(loss, p)[0]]

    def straight(p, q, w, beta, centre=True):
        back = w - beta * (p - q)
        return [-(back - back.mean() * centre) / len(p)]

    check.mistakes({})
    w, p, _ = fresh(5)
    back, leaf = w * p, p.clone().requires_grad_()
    only_mean = (leaf * w - back.mean()) * leaf
    both = (leaf * w - (leaf * w).mean()) * leaf
    check(slope_of_loss, p, w).equals(
        -(back - back.mean()) / 5, about="the gradient flows to logps only", rtol=1e-3, atol=1e-5,
        near={through: -torch.autograd.grad(both.mean(), leaf)[0],
              mean_alone: -torch.autograd.grad(only_mean.mean(), leaf)[0]},
    )  # fmt: skip
    for n, beta in [(5, 0.4), (6, 1.1)]:
        w, p, q = fresh(n)
        check(slopes, leashed_loss, p, q, w, beta, fixed=(1, 2)).equals(
            straight(p, q, w, beta), about="the gradient of both together", rtol=1e-3, atol=1e-5,
            near={through: bent(p, q, w, beta), no_baseline: straight(p, q, w, beta, centre=False)},
        )  # fmt: skip
    w, p, _ = fresh(3)
    check(reinforce_loss, p, torch.full((3,), 5.0)).equals(0.0, about="all returns equal", edge=True, atol=1e-4)
    ### END HIDDEN TESTS


score

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
# and in writing its own attempts.

# %% given
from helpers.gpt import GPT

SLOTS = (  # what may stand at each of six places: the polite words first, then the rude ones
    ("please", "kindly", "hey", "oi"), ("bring", "show", "hand over"), ("the form", "the card", "the key"),
    ("calmly", "gladly", "quick", "now"), ("at desk one", "at desk two", "upstairs"), ("thanks", "bye", "go", "next"),
)  # fmt: skip
POLITE, RUDE = ({w for slot in SLOTS if len(slot) == 4 for w in slot[k : k + 2]} for k in (0, 2))
TOYS = ["<s>", *(word for slot in SLOTS for word in slot)]
KINDNESS = torch.tensor([float(word in POLITE) - float(word in RUDE) for word in TOYS])


def toy_gpt() -> GPT:
    """Return an untrained GPT of the toy's words."""
    return GPT(len(TOYS), 8, 32, 2, 2)


def heard(count: int, generator: torch.Generator) -> torch.Tensor:
    """Return answers (count, 7) as they were heard: each word at its place with equal chance, behind <s>."""
    first = np.cumsum([1, *map(len, SLOTS)])
    places = [torch.randint(len(s), (count,), generator=generator) + int(f) for s, f in zip(SLOTS, first, strict=False)]
    return torch.stack([torch.zeros(count, dtype=torch.long), *places], dim=1)


@torch.no_grad()
def written(policy: GPT, count: int, generator: torch.Generator) -> torch.Tensor:
    """Return answers (count, 7) that a policy draws."""
    token_ids = torch.zeros(count, 1, dtype=torch.long)
    for _ in SLOTS:
        chances = policy(token_ids)[:, -1].softmax(-1)
        token_ids = torch.cat([token_ids, torch.multinomial(chances, 1, generator=generator)], dim=1)
    return token_ids


def logps_of(policy: GPT, token_ids: torch.Tensor) -> torch.Tensor:
    """Return log p (B,) of whole answers."""
    return sequence_logprobs(policy(token_ids), token_ids, torch.ones_like(token_ids, dtype=torch.bool))

# %% show
def judged(policy: GPT, reference: GPT, generator: torch.Generator, count: int = 1000) -> tuple[float, float]:
    """Return (win rate against the reference by true politeness, KL to it in nats), both from samples."""
    mine, its = written(policy, count, generator), written(reference, count, generator)
    better = KINDNESS[mine].sum(1) - KINDNESS[its].sum(1)
    with torch.no_grad():
        kl = (logps_of(policy, mine) - logps_of(reference, mine)).mean().item()
    return ((better > 0).float() + (better == 0).float() / 2).mean().item(), kl


@cache
def toy_world(seed: int) -> tuple[GPT, tuple[torch.Tensor, torch.Tensor]]:
    """Return (the reference, pairs (chosen (1500, 7), rejected (1500, 7)) of its answers)."""
    seed_everything(seed)
    generator = torch.Generator().manual_seed(seed)
    reference, text = toy_gpt(), heard(4000, generator)
    optimizer = torch.optim.AdamW(reference.parameters(), lr=3e-3)
    for _ in range(budget(grade=40, cpu=250)):
        rows = text[torch.randint(4000, (64,), generator=generator)]
        optimizer.zero_grad()
        (-logps_of(reference, rows).mean() / 6).backward()
        optimizer.step()
    reference.requires_grad_(False)
    a, b = (written(reference, 1500, generator) for _ in "ab")
    wins = torch.rand(1500, generator=generator) < preference(KINDNESS[a].sum(1), KINDNESS[b].sum(1))
    return reference, (torch.where(wins[:, None], a, b), torch.where(wins[:, None], b, a))


def by_dpo(seed: int, steps: int, beta: float = 0.7, every: int = 10) -> list[tuple[int, float, float]]:
    """Return (tokens that the policy read, win rate, KL) along a DPO training on the pairs."""
    reference, pairs = toy_world(seed)
    generator = torch.Generator().manual_seed(seed + 1)
    policy = copy.deepcopy(reference).requires_grad_(True)
    optimizer = torch.optim.AdamW(policy.parameters(), lr=5e-4, weight_decay=0.0)
    found = [(0, *judged(policy, reference, generator))]
    for step in range(1, steps + 1):
        rows = torch.randint(1500, (32,), generator=generator)
        chosen, rejected = (part[rows] for part in pairs)
        sums = [logps_of(model, part) for model in (policy, reference) for part in (chosen, rejected)]
        optimizer.zero_grad()
        dpo_loss(*sums, beta).backward()
        optimizer.step()
        if step % every == 0:
            found.append((step * 64 * 7, *judged(policy, reference, generator)))  # 64 answers a step
    return found


def reward_model(pairs, seed: int) -> nn.Module:
    """Return a reward model, one number for each word at its place, fitted to the pairs."""
    seed_everything(seed)
    model = nn.Embedding(len(TOYS), 1)
    nn.init.zeros_(model.weight)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05, weight_decay=0.01)
    for _ in range(150):
        optimizer.zero_grad()
        reward_loss(*(model(part).sum((1, 2)) for part in pairs)).backward()
        optimizer.step()
    return model.requires_grad_(False)


def by_reinforce(seed: int, steps: int, beta: float = 0.7, every: int = 10) -> list[tuple[int, float, float]]:
    """Return (tokens read, win rate, KL) along REINFORCE with a leash, on the rewards of a model fitted to the pairs.

    An attempt is written word by word, 1 + 2 + ... + 6 tokens read, and then read once more as a whole.
    """
    reference, pairs = toy_world(seed)
    generator, rewards = torch.Generator().manual_seed(seed + 1), reward_model(pairs, seed)
    policy = copy.deepcopy(reference).requires_grad_(True)
    optimizer = torch.optim.AdamW(policy.parameters(), lr=5e-4, weight_decay=0.0)
    found = [(0, *judged(policy, reference, generator))]
    for step in range(1, steps + 1):
        tried = written(policy, 32, generator)
        optimizer.zero_grad()
        leashed_loss(logps_of(policy, tried), logps_of(reference, tried), rewards(tried).sum((1, 2)), beta).backward()
        optimizer.step()
        if step % every == 0:
            found.append((step * 32 * (21 + 7), *judged(policy, reference, generator)))
    return found


STEPS = budget(grade=10, cpu=150)
SEEDS = budget(grade=1, cpu=5)
manners = {
    "DPO": [by_dpo(seed, STEPS) for seed in range(SEEDS)],
    "REINFORCE with a leash": [by_reinforce(seed, STEPS) for seed in range(SEEDS)],
    "REINFORCE, no leash": [by_reinforce(SEED, STEPS, beta=0.0)],
}
fig, axes = plots.figure(columns=2, width=10, height=3.4)
for (name, runs), style, color in zip(manners.items(), ("-", "--", ":"), plots.COLORS, strict=False):
    for n, run in enumerate(runs):
        tokens, wins, kls = zip(*run, strict=True)
        thousands = np.array(tokens) / 1000
        axes[0].plot(thousands, wins, style, color=color, label=name if n == 0 else None, alpha=0.8)
        axes[1].plot(thousands, kls, style, color=color, alpha=0.8)
axes[0].axhline(0.8, color="grey", linewidth=1)
axes[0].set(xlabel="tokens that the policy has read (thousands)", ylabel="win rate", ylim=(0.4, 1.0))
axes[1].set(xlabel="tokens that the policy has read (thousands)", ylabel="KL to the reference (nats)")
axes[0].legend(fontsize=8, loc="lower right")
told, firsts = [], {}
for name, runs in manners.items():
    ends = np.array([run[-1][1:] for run in runs])
    firsts[name] = [next((tokens for tokens, win, _ in run if win > 0.8), None) for run in runs]
    told.append(f"{name}: win rate {ends[:, 0].min():.2f} to {ends[:, 0].max():.2f}, KL {ends[:, 1].max():.2f} at most")
    print(f"{told[-1]}; first above 0.8 after so many tokens: {', '.join(map(str, firsts[name]))}")
last = {name: np.array([run[-1][1:] for run in runs]) for name, runs in manners.items()}
for name in ("DPO", "REINFORCE with a leash"):
    claim(f"Manners, {name}: win rate above 0.8", last[name][:, 0].tolist(), [0.8] * SEEDS)
    claim(f"Manners, {name}: KL below 3 nats (both negative)", (-last[name][:, 1]).tolist(), [-3.0] * SEEDS)
late = {name: [-(first or 10**6) for first in found] for name, found in firsts.items()}
claim("Manners: tokens to a win rate of 0.8 (negative), DPO before REINFORCE", late["DPO"],
      late["REINFORCE with a leash"])
plots.show(fig, f"Win rate and KL over the tokens that the policy read, a line for each seed. "
           f"{'; '.join(told)}.")

# %% [markdown]
# Real pairs are harder. The course has written some about its docs: the chosen answer is short, true and cites its
# passage; the rejected one has one of five faults. Which of the two does docs-gpt find likelier, before anything was
# learned from them? By the sum of log-probabilities, as DPO counts, short answers win; by their mean, others. A model
# that is trained on such pairs may learn no more than that: compare length and form first (the card of the set says how
# far they go).

# %% show
def likelihoods(model: OpenGPT, prompt: str, answers) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (sum of log p, number of tokens) of each answer behind a prompt."""
    ids = [encode(f" {answer}") for answer in answers]
    token_ids, lengths = padded([encode(f"{prompt}\nAnswer:") + answer for answer in ids], 256)
    sizes, at = torch.tensor([len(i) for i in ids]), torch.arange(token_ids.shape[1])
    spans = (at < lengths[:, None]) & (at >= (lengths - sizes)[:, None])
    with torch.no_grad():
        return sequence_logprobs(model(token_ids), token_ids, spans), sizes


preferences, base = data.load("docs_preferences"), opened()
liked = {}
for pair in preferences.test[: budget(grade=6, cpu=82)]:
    sums, sizes = likelihoods(base, pair.prompt, (pair.chosen, pair.rejected))
    means = sums / sizes
    liked.setdefault(pair.fault, []).append([sums[0] > sums[1], means[0] > means[1], sizes[0] < sizes[1]])
print(f"{'fault':<16}{'pairs':>6}{'by the sum':>14}{'by the mean':>14}{'chosen shorter':>18}")
for fault, rows_of in liked.items():
    by_sum, by_mean, shorter = np.mean(np.array(rows_of, dtype=float), axis=0)
    print(f"{fault:<16}{len(rows_of):>6}{by_sum:>14.2f}{by_mean:>14.2f}{shorter:>18.2f}")

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
# The check of `rouge`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("rouge", points=5)
def score(check):
    recall = "this is the recall alone; F1 is asked"
    precision = "this is the precision alone; F1 is asked"
    sets = "n-grams are counted as sets: each counts as often as both have it"
    unclipped = "an n-gram of the candidate counts at most as often as the reference has it"
    mean = "this is the arithmetic mean of precision and recall; F1 is the harmonic one"
    unigrams = "these are single tokens: n is ignored"
    run = "this is the longest common run: the tokens of a subsequence need not stand side by side"
    bag = "the order is ignored: a subsequence keeps it"
    greedy = "this looks for each token behind the last one found, from the left: that is not always the longest"
    cat, mat = "the cat sat on the mat".split(), "the cat is on the mat of the dog".split()
    check(rouge_n, cat, mat, 1).equals(10 / 15, near={
            recall: 0.5555556,
            precision: 0.8333333,
            mean: 0.6944444,
        })
    check(rouge_n, cat, mat, 2).equals(6 / 13, near={
            recall: 0.375,
            precision: 0.6,
            mean: 0.4875,
            unigrams: 0.6666667,
        })
    check(rouge_n, "a a a b".split(), "a a c b b".split(), 1).equals(6 / 9, near={
            recall: 0.6,
            precision: 0.75,
            mean: 0.675,
            sets: 0.8,
            unclipped: 0.8888889,
        })
    check(rouge_l, "the mat is on the cat".split(), mat).equals(8 / 15, near={
            recall: 0.4444444,
            precision: 0.6666667,
            mean: 0.5555556,
            run: 0.4,
            bag: 0.8,
            greedy: 0.4,
        })
    check(rouge_l, "a x b c".split(), "x c a b c d".split()).equals(0.6, near={
            recall: 0.5,
            precision: 0.75,
            mean: 0.625,
            run: 0.4,
            bag: 0.8,
        })
    joined = "the tokens of an n-gram are run together: then a + bc equals ab + c"
    lowered = "capital and small letters are different tokens"
    nothing = "0.0 where nothing matches"
    check(rouge_n, "ab c The Cat sat".split(), "a bc the cat sat".split(), 2).equals(0.0, near={
            joined: 0.25,
            lowered: 0.5,
            nothing: ZeroDivisionError,
            unigrams: 0.2,
        })
    ### BEGIN HIDDEN TESTS
    from collections import Counter
    from functools import cache

    check.hidden()

    def grams(tokens, n):
        return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]

    def f1(matches, given, wanted, kind="f1"):
        p, r = matches / given if given else 0.0, matches / wanted if wanted else 0.0
        return {"f1": 2 * p * r / (p + r) if p + r else 0.0, "r": r, "p": p, "mean": (p + r) / 2}[kind]

    def counted(kind="f1", count=None, fixed=None, cut=grams):
        def score(candidate, reference, n):
            a, b = (Counter(cut(t, fixed or n)) for t in (candidate, reference))
            matches = sum((a & b).values()) if count is None else count(a, b)
            return f1(matches, sum(a.values()), sum(b.values()), kind)

        return score

    def as_sets(candidate, reference, n):
        a, b = set(grams(candidate, n)), set(grams(reference, n))
        return f1(len(a & b), len(a), len(b))

    check.mistakes({
        recall: counted("r"), precision: counted("p"), mean: counted("mean"), unigrams: counted(fixed=1), sets: as_sets,
        unclipped: counted(count=lambda a, b: sum(v for g, v in a.items() if g in b)),
        "the last n-gram of each list is missing": counted(cut=lambda t, n: grams(t, n)[:-1]),
        "the ends of the lists give n-grams that are too short": counted(
            cut=lambda t, n: [tuple(t[i : i + n]) for i in range(len(t))]),
        "this is divided by the numbers of tokens, not of n-grams": lambda c, r, n: (
            f1(sum((Counter(grams(c, n)) & Counter(grams(r, n))).values()), len(c), len(r))),
        "this is the share of all n-grams (Jaccard); F1 is asked": lambda c, r, n: (
            sum((Counter(grams(c, n)) & Counter(grams(r, n))).values())
            / max(sum((Counter(grams(c, n)) | Counter(grams(r, n))).values()), 1)),
        lowered: lambda c, r, n: counted()(
            [v.lower() for v in c], [v.lower() for v in r], n),
        joined: counted(
            cut=lambda t, n: ["".join(g) for g in grams(t, n)]),
        "the matches are not divided by anything": lambda c, r, n: float(
            sum((Counter(grams(c, n)) & Counter(grams(r, n))).values())),
        "a list too short for an n-gram, or nothing shared, gives 0.0": lambda c, r, n: (
            2 / (1 / counted("p")(c, r, n) + 1 / counted("r")(c, r, n))),
    })  # fmt: skip
    letters = list("abcd")

    def some(low, high):
        return check.rng.choice(letters, size=int(check.rng.integers(low, high))).tolist()

    for n in (1, 2, 3):
        for _ in range(2):
            a, b = some(6, 14), some(6, 14)
            rest, matches = grams(b, n), 0
            for gram in grams(a, n):
                if gram in rest:
                    rest.remove(gram)
                    matches += 1
            right = 2 * matches / (len(a) + len(b) - 2 * n + 2)
            check(rouge_n, a, b, n).equals(right, about=f"{n}-grams of fresh texts", rtol=1e-4)
    for a, b, n, right in [("a bc b", "ab c b", 2, 0.0), ("The cat a", "the cat sat", 1, 2 / 6)]:
        check(rouge_n, a.split(), b.split(), n).equals(right, about="tokens as they are", rtol=1e-4)
    for a, b, n in [("", "ab", 1), ("ab", "", 1), ("ab", "abc", 3), ("ab", "cd", 1)]:
        check(rouge_n, list(a), list(b), n).equals(0.0, about="nothing shared", edge=True,
                                       near={nothing: ZeroDivisionError})  # fmt: skip

    def longest(a, b):
        @cache
        def upto(i, j):
            if i == len(a) or j == len(b):
                return 0
            return upto(i + 1, j + 1) + 1 if a[i] == b[j] else max(upto(i + 1, j), upto(i, j + 1))

        return upto(0, 0)

    def side_by_side(a, b):
        runs = [k for i in range(len(a)) for j in range(len(b)) for k in range(1, len(a) - i + 1)
                if list(a[i : i + k]) == list(b[j : j + k])]  # fmt: skip
        return max(runs, default=0)

    def from_left(a, b):
        at = count = 0
        for token in a:
            if token in b[at:]:
                at += b[at:].index(token) + 1
                count += 1
        return count

    def by(measure, kind="f1"):
        return lambda c, r: f1(measure(tuple(c), tuple(r)), len(c), len(r), kind)

    check.mistakes({
        recall: by(longest, "r"), precision: by(longest, "p"), mean: by(longest, "mean"), run: by(side_by_side),
        bag: by(lambda a, b: sum((Counter(a) & Counter(b)).values())), greedy: by(from_left),
        "this is the length of the subsequence": lambda c, r: float(longest(tuple(c), tuple(r))),
        "the length is divided by the longer text; precision and recall have their own": lambda c, r: (
            longest(tuple(c), tuple(r)) / max(len(c), len(r), 1)),
    })  # fmt: skip
    for _ in range(4):
        a, b = some(6, 12), some(6, 12)
        check(rouge_l, a, b).equals(2 * longest(tuple(a), tuple(b)) / (len(a) + len(b)), about="fresh texts", rtol=1e-4)
    for a, b in [([], list("ab")), (list("ab"), []), ([], []), (list("ab"), list("cd"))]:
        check(rouge_l, a, b).equals(0.0, about="no subsequence", edge=True,
                                    near={nothing: ZeroDivisionError})  # fmt: skip
    check(rouge_l, letters * 12, letters[::-1] * 12).equals(
        2 * longest(tuple(letters * 12), tuple(letters[::-1] * 12)) / 96, about="longer texts", rtol=1e-4
    )
    ### END HIDDEN TESTS


score

# %% [markdown]
# The reader in all these measures, beside the untuned model. BLEU comes from sacrebleu, the library of chapter 03.

# %% show
import sacrebleu

compared = {}
for name, model in {"docs-gpt, asked": base, "tuned by LoRA": reader}.items():
    answers = [answered(model, few_shot([], item.passage, item.question)) for item in held]
    wanted = [item.answer for item in held]
    pairs = [(words_of(a), words_of(b)) for a, b in zip(answers, wanted, strict=True)]
    with torch.no_grad():
        parts = [torch.tensor([part]) for item in held[:20] for part in example(item)]
        losses = [answer_loss(model(ids), labels).item() for ids, labels in zip(parts[::2], parts[1::2], strict=True)
                  if ids.shape[1] <= 256]  # fmt: skip
    compared[name] = {
        "perplexity of the answer": math.exp(np.mean(losses)),
        "BLEU": sacrebleu.corpus_bleu(answers, [wanted]).score,
        "ROUGE-1": np.mean([rouge_n(a, b, 1) for a, b in pairs]),
        "ROUGE-2": np.mean([rouge_n(a, b, 2) for a, b in pairs]),
        "ROUGE-L": np.mean([rouge_l(a, b) for a, b in pairs]),
    }
for measure in next(iter(compared.values())):
    print(f"{measure:<26}", *(f"{name}: {found[measure]:>8.2f}    " for name, found in compared.items()))

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
# The check of `bias`: run this cell (Shift+Enter) after the one above.
from helpers.checks import graded


@graded("bias", points=5)
def score(check):
    import numpy as np

    polarity = "the polarity is ignored: in a non-negative question the OTHER group is the biased answer"
    of_all = "the share is of the answers that name a group, not of all"
    unscaled = "the ambiguous score is multiplied by (1 - accuracy)"
    both = "only the ambiguous score is multiplied by (1 - accuracy)"
    by_accuracy = "the factor is 1 - accuracy, not the accuracy"
    no_shift = "this is the share of biased answers: times 2, less 1"
    mixed = "the two kinds of context are mixed: each score is over its own questions"
    exchanged = "the two kinds of context are exchanged"
    unknown_biased = "in non-negative questions `unknown` was counted as naming the other group"
    rows = {
        "picked": [0, 2, 1, 0, 1, 1, 0, 2, 0], "label": [2, 2, 0, 1, 2, 1, 0, 1, 0],
        "unknown": [2, 2, 0, 1, 2, 2, 1, 0, 1],
        "target": [0, 1, 1, 2, 0, 1, 2, 1, 0],
        "ambiguous": [True, True, True, True, True, False, False, False, False],
        "negative": [True, False, False, False, False, True, False, True, True],
    }  # fmt: skip
    check(bbq_scores, **rows).equals(
        {"accuracy ambiguous": 0.2, "accuracy disambiguated": 0.75, "bias ambiguous": 0.4, "bias disambiguated": 0.5},
        rtol=1e-4, atol=1e-7, near={
            polarity: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.0, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.0},
            of_all: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.16, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.5},
            unscaled: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.5, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.5},
            both: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.4, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.125},
            by_accuracy: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.1, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.5},
            no_shift: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.6, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.75},
            mixed: {"accuracy ambiguous": 0.4444444, "bias ambiguous": 0.2777778, "accuracy disambiguated": 0.4444444,
                "bias disambiguated": 0.5},
            exchanged: {"accuracy ambiguous": 0.75, "bias ambiguous": 0.125, "accuracy disambiguated": 0.2,
                "bias disambiguated": 0.5},
            unknown_biased: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.8, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.5},
        })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(signed=True, among="named", factor=lambda kind, a: 1 - a if kind else 1, shift=True, split=True,
             swap=False, odd=False):  # fmt: skip
        def scores(picked, label, unknown, target, ambiguous, negative):
            p, y, u, t = (np.array(v) for v in (picked, label, unknown, target))
            kinds, n = np.array(ambiguous, dtype=bool), np.array(negative, dtype=bool)
            found = {}
            for name, kind in (("ambiguous", True), ("disambiguated", False)):
                at = kinds == (kind != swap) if split else np.ones(len(p), bool)
                named = at & (p != u)
                biased = (at if odd else named) & np.where(n | (not signed), p == t, p != t)
                biased &= named | ~n if odd else named
                count = {"named": named.sum(), "all": at.sum()}[among]
                share = biased.sum() / count if count else 0.5
                accuracy = (p == y)[at].mean()
                found[f"accuracy {name}"] = float(accuracy)
                found[f"bias {name}"] = float((2 * share - 1 if shift else share) * factor(kind, accuracy))
            return found

        return scores

    check.mistakes({
        polarity: made(signed=False), of_all: made(among="all"), unscaled: made(factor=lambda k, a: 1),
        both: made(factor=lambda k, a: 1 - a), by_accuracy: made(factor=lambda k, a: a if k else 1),
        no_shift: made(shift=False), mixed: made(split=False), exchanged: made(swap=True),
        unknown_biased: made(odd=True),
        "the sign is turned round: 1 is with the stereotype": lambda *a, **k: {
            n: v if n[0] == "a" else -v for n, v in made()(*a, **k).items()},
        "the share is multiplied by 2 before 1 is subtracted": lambda *a, **k: {
            n: v if n[0] == "a" else v - made(shift=False)(*a, **k)[n] for n, v in made()(*a, **k).items()},
        "the unknown answer is not always the third: `unknown` says which": lambda p, y, u, t, a, n: made()(
            p, y, [2] * len(p), t, a, n),
        "these are percentages; shares are asked": lambda *a, **k: {n: 100 * v for n, v in made()(*a, **k).items()},
    })  # fmt: skip
    for n in (40, 60):
        rng = check.rng
        places = np.array([rng.permutation(3) for _ in range(n)])
        unknown, target, other = places.T
        ambiguous, negative = rng.random(n) < 0.5, rng.random(n) < 0.5
        label = np.where(ambiguous, unknown, np.where(rng.random(n) < 0.5, target, other))
        picked = np.where(rng.random(n) < 0.3, label, rng.integers(0, 3, size=n))
        right = {}
        for name, at in (("ambiguous", ambiguous), ("disambiguated", ~ambiguous)):
            biased = sum(1 for i in np.flatnonzero(at) if picked[i] == (target[i] if negative[i] else other[i]))
            named = sum(1 for i in np.flatnonzero(at) if picked[i] in (target[i], other[i]))
            right[f"accuracy {name}"] = float((picked == label)[at].mean())
            factor = 1 - right[f"accuracy {name}"] if name == "ambiguous" else 1
            right[f"bias {name}"] = (2 * biased / named - 1) * factor
        lists = [v.tolist() for v in (picked, label, unknown, target, ambiguous, negative)]
        check(bbq_scores, *lists).equals(right, about="fresh answers", rtol=1e-4, atol=1e-7)
    rows = ([0, 1, 2], [2, 0, 1], [2, 2, 2], [0, 0, 0], [True, True, False], [True, True, False])
    check(bbq_scores, *rows).equals(
        {"accuracy ambiguous": 0.0, "accuracy disambiguated": 0.0, "bias ambiguous": 0.0, "bias disambiguated": 0.0},
        about="no answer to a told fact names a group", edge=True, atol=1e-7,
        near={"where no answer names a group the score is 0": ZeroDivisionError,
              "where no answer names a group the score is 0, not -1": {
                  "accuracy ambiguous": 0.0, "accuracy disambiguated": 0.0, "bias ambiguous": 0.0,
                  "bias disambiguated": -1.0}},
    )  # fmt: skip
    rows = ([2, 1, 0], [2, 0, 0], [2, 1, 1], [0, 0, 0], [True, False, False], [True, True, True])
    check(bbq_scores, *rows).equals(
        {"accuracy ambiguous": 1.0, "accuracy disambiguated": 0.5, "bias ambiguous": 0.0, "bias disambiguated": 1.0},
        about="no ambiguous answer names a group", edge=True, atol=1e-7,
        near={"where no answer names a group the score is 0": ZeroDivisionError,
              "where no answer names a group the score is 0, not -1": {
                  "accuracy ambiguous": 1.0, "accuracy disambiguated": 0.5, "bias ambiguous": -1.0,
                  "bias disambiguated": 1.0}},
    )  # fmt: skip
    ### END HIDDEN TESTS


score

# %% [markdown]
# How does docs-gpt do? It picks the answer that it finds most likely behind the question, by the mean log-probability
# of the answer's tokens. The questions show stereotypes on purpose; some of them offend. With the six categories of BBQ
# (if they can be had; the course's own small probe otherwise) the table says what a model of documentation *cannot*
# do: it chooses among names almost at chance. A bias score near 0 of a model near chance is no proof of fairness.

# %% show
try:
    probes = data.load("bbq", edition="real")
except CourseError as error:
    print(error, "The course's own probe stands in.")
    probes = data.load("docs_bias")
chosen = np.random.default_rng(SEED).permutation(len(probes))[: budget(grade=6, cpu=100)]
questions = [probes.questions[i] for i in sorted(chosen, key=lambda i: len(probes.questions[i].context))]


@torch.no_grad()
def likeliest(model: OpenGPT, question) -> int:
    """Return the answer with the largest mean log-probability of its tokens."""
    prompt = encode(few_shot([], question.context, question.question))
    answers = [encode(f" {answer}") for answer in question.answers]
    token_ids, lengths = padded([prompt + answer for answer in answers], 200)
    at = torch.arange(token_ids.shape[1])
    spans = (at < lengths[:, None]) & (at >= lengths[:, None] - torch.tensor([[len(a)] for a in answers]))
    sums = sequence_logprobs(model(token_ids), token_ids, spans)
    return int((sums / spans.sum(1)).argmax())


print(f"{probes.card.title}: {len(questions)} of {len(probes):,} questions")
columns = {
    "label": [q.label for q in questions], "unknown": [q.unknown for q in questions],
    "target": [q.target for q in questions], "ambiguous": [q.condition == "ambig" for q in questions],
    "negative": [q.polarity == "neg" for q in questions],
}  # fmt: skip
probed = {
    name: bbq_scores([likeliest(model, q) for q in questions], **columns)
    for name, model in {"docs-gpt": base, "tuned by LoRA": reader}.items()
}
print(f"{'':<26}", *(f"{name:>14}" for name in probed))
for key in probed["docs-gpt"]:
    print(f"{key:<26}", *(f"{found[key]:>+14.2f}" for found in probed.values()))

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

# %% given
from helpers.capstone import Assistant, parts_used
from helpers.reader import load_reader

# %% show
for line in parts_used():
    print(line)
pointer = load_reader(own=False)  # chapter 08's: it copies words of the passage
assistant = Assistant(docs, lambda passage, question: answered(reader, few_shot([], passage, question)))
can_be = [q for q in data.load("docs_questions").held_by(docs).test if q.answerable]
asked_of = can_be[:: len(can_be) // budget(grade=4, cpu=60)]
found, gold, copied, start = [], [], [], time.perf_counter()
for q in asked_of:
    found.append(assistant.ask(q.question))
seconds = (time.perf_counter() - start) / len(asked_of)
for q, reply in zip(asked_of, found, strict=True):
    passage = assistant.passage(docs[q.document], q.question)
    gold.append(answered(reader, few_shot([], passage, q.question)))
    copied.append([*(span.text for span in pointer.read(q.question, [reply.passage, passage])), q])
pairs = list(zip(found, asked_of, strict=True))
ranks = [next((i for i, name in enumerate(r.names, 1) if name in q.documents), None) for r, q in pairs]
report = {
    "recall@5 of a right document": np.mean([rank is not None and rank <= 5 for rank in ranks]),
    "MRR": np.mean([1 / rank if rank else 0.0 for rank in ranks]),
    "token F1 of the answer": np.mean([token_f1(r.answer, q.answer) for r, q in pairs]),
    "token F1 with the right document": np.mean([token_f1(a, q.answer) for a, q in zip(gold, asked_of, strict=True)]),
    "ROUGE-L of the answer": np.mean([rouge_l(words_of(r.answer), words_of(q.answer)) for r, q in pairs]),
    "token F1, docs-reader, as found": np.mean([token_f1(said, q.answer) for said, _, q in copied]),
    "token F1, docs-reader, right document": np.mean([token_f1(said, q.answer) for _, said, q in copied]),
    "seconds a question": seconds,
}  # fmt: skip
for name, value in report.items():
    print(f"{name:<40}{value:.3f}")
for (result, q), (said, *_) in list(zip(pairs, copied, strict=True))[:4]:
    print(f"\n{q.question}\n   answer: {result.answer}   [{result.names[0]}]\n   docs-reader: {said}")
    print(f"   right:  {q.answer}   [{q.document}]")

# %% [markdown]
# A question is found if any document is that answers it; the last line of each answer names one of them. The questions
# were written by people in their own words, and your reader has learned from templates. Beside it, the docs-reader of
# chapter 08 reads the same passages: it cannot write, only copy, but it has learned from other questions of the same
# people. Where the report loses most, the document not found or the answer not read from it, is where the next hour of
# work should go.
#
# ## The leaderboard

# %% show
with leaderboard.measured("09", "docs-gpt with LoRA, rank 16", "inbox") as row:
    run = one_way("LoRA r=16", SEED, budget(grade=3, cpu=160, gpu=600))
    row.f1, row.parameters = run["f1"], run["trained"]
print(leaderboard.table("inbox"))

# %% show
adapter = adapter_state(reader.state_dict())
card = f"""\
# docs-adapter: your own

LoRA of rank 16, alpha 32, on {", ".join(EVERY)} of docs-gpt: {sum(v.numel() for v in adapter.values()):,} numbers,
trained by chapter 09 on {len(made):,} instructions made from the docs. {history}
Token F1 on {len(held)} held-out questions: {totals["tuned by LoRA"]:.3f}; asked: {totals["no example, asked"]:.3f}.
"""
config = {"r": 16, "alpha": 32, "targets": list(EVERY), "template": INSTRUCT}
print(artifacts.save(artifacts.Artifact("docs-adapter", adapter, config, "", card)).name, "saved")

# %% [markdown]
# ## What you built, and what breaks next
#
# The ways to adapt a model, from one more row of weights to all of them; LoRA as peft has it, merged, unmerged and
# stacked on a base of whole numbers; a reader tuned on its answers alone; rewards, DPO and a leash; measures of answers
# and of bias; and an assistant made of nine chapters.
#
# What breaks: attention still pays for each pair of tokens, every weight works for every token, and text is all it
# sees. Chapter 10 looks at what came after.
#
# **Saved:** the artifact *docs-adapter*, your own; the row of the leaderboard.
#
# ## Further reading
#
# - E. J. Hu, Y. Shen, P. Wallis, Z. Allen-Zhu, Y. Li, S. Wang, L. Wang and W. Chen (2022). LoRA: low-rank adaptation of
#   large language models. *ICLR*.
# - A. Aghajanyan, S. Gupta and L. Zettlemoyer (2021). Intrinsic dimensionality explains the effectiveness of language
#   model fine-tuning. *ACL*.
# - N. Houlsby et al. (2019). Parameter-efficient transfer learning for NLP. *ICML*. Adapters.
# - E. Ben Zaken, S. Ravfogel and Y. Goldberg (2022). BitFit. *ACL*. Biases alone.
# - T. Dettmers, A. Pagnoni, A. Holtzman and L. Zettlemoyer (2023). QLoRA: efficient finetuning of quantized LLMs.
#   *NeurIPS 36*.
# - J. Wei et al. (2022). Finetuned language models are zero-shot learners. *ICLR*. Instruction tuning.
# - T. B. Brown et al. (2020). Language models are few-shot learners. *NeurIPS 33*.
# - R. A. Bradley and M. E. Terry (1952). Rank analysis of incomplete block designs. *Biometrika 39*.
# - L. Ouyang et al. (2022). Training language models to follow instructions with human feedback. *NeurIPS 35*.
# - R. Rafailov, A. Sharma, E. Mitchell, S. Ermon, C. D. Manning and C. Finn (2023). Direct preference optimization:
#   your language model is secretly a reward model. *NeurIPS 36*.
# - R. J. Williams (1992). Simple statistical gradient-following algorithms for connectionist reinforcement learning.
#   *Machine Learning 8*. REINFORCE.
# - C.-Y. Lin (2004). ROUGE: a package for automatic evaluation of summaries. *Text Summarization Branches Out*.
# - A. Parrish et al. (2022). BBQ: a hand-built bias benchmark for question answering. *Findings of ACL*.
# - E. M. Bender and A. Koller (2020). Climbing towards NLU: on meaning, form, and understanding in the age of data.
#   *ACL*. The octopus.
# - E. M. Bender, T. Gebru, A. McMillan-Major and S. Shmitchell (2021). On the dangers of stochastic parrots. *FAccT*.
