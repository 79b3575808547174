"""Ways to adapt a docs-gpt to spam: what each costs, what it gains, and what it makes the model forget."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.chapters.lora.adaptable_gpt import opened
from helpers.chapters.lora.adapters import megabytes
from helpers.chapters.lora.gpt_classifier import GPTClassifier
from helpers.course.artifacts import Artifact
from helpers.course.call_cost import usage
from helpers.device import seed_everything
from helpers.experiments.token_rows import Tokens, drawn
from helpers.training import fit

WAYS = {  # name: (what is trained or put in, its size, learning rate)
    "full": ("full", 0, 1e-3),
    "head": ("head", 0, 2e-2),
    "top block": ("top", 0, 2e-3),
    "biases": ("biases", 0, 5e-3),
    "bottleneck": ("bottleneck", 8, 5e-3),
    "LoRA r=4": ("lora", 4, 3e-3),
    "LoRA r=64": ("lora", 64, 3e-3),
    "rsLoRA r=64": ("rslora", 64, 3e-3),
    "DoRA r=4": ("dora", 4, 3e-3),
    "NF4 + LoRA r=4": ("nf4", 4, 3e-3),
}
LENGTH = 40  # tokens of a message
BATCH = 16  # messages of a step
HEAD_LR = 2e-2  # a new head learns faster than what was trained before
Rows = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def trained_names(names: Sequence[str], method: str, num_layers: int) -> list[str]:
    """Return those of a model's parameters that a method trains: "full", "head", "top" or "biases".

    The head is trained in every one; "top" adds the last block and the final norm, "biases" all biases.
    """
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.startswith("head.") or name.endswith(".bias")]
    begins = ("head.",)
    if method == "top":
        begins += ("final_norm.", f"blocks.{num_layers - 1}.")
    return [name for name in names if name.startswith(begins)]


def training_bytes(sizes: Mapping[str, int], trained: Sequence[str], states: int) -> int:
    """Return the bytes of all weights, and of gradients and `states` of the trained ones, 4 for each number."""
    return 4 * (sum(sizes.values()) + (1 + states) * sum(sizes[name] for name in trained))


def cost_table(gpt: Artifact) -> str:
    """Return a table: what each method trains of a docs-gpt with a head of two outputs, and the bytes that takes."""
    sizes = {name: tensor.numel() for name, tensor in opened(gpt.weights).items()}  # q_proj.bias, not in_proj_bias
    sizes |= {"head.weight": 2 * gpt.config["d_model"], "head.bias": 2}
    lines = [f"{'method':<10}{'trained':>12}{'share':>10}{'bytes with AdamW':>20}{'with SGD':>14}"]
    for method in ("full", "top", "biases", "head"):
        trained = trained_names(list(sizes), method, gpt.config["num_layers"])
        count = sum(sizes[name] for name in trained)
        with_adam, with_sgd = (training_bytes(sizes, trained, states) for states in (2, 0))
        share = count / sum(sizes.values())
        lines.append(f"{method:<10}{count:>12,}{share:>10.2%}{with_adam:>20,}{with_sgd:>14,}")
    return "\n".join(lines)


def labelled(tokens: Tokens, messages, max_messages: int) -> Rows:
    """Return (token_ids (N, T), lengths (N,), labels (N,)) of the first `max_messages` messages."""
    rows = [tokens.encode(text) for text in messages.texts[:max_messages]]
    return *tokens.padded(rows, LENGTH), torch.from_numpy(messages.labels[:max_messages])


def spam_loss(model: GPTClassifier, batch: Rows) -> torch.Tensor:
    """Return the cross-entropy of the labels of a batch of messages."""
    token_ids, lengths, labels = (part.to(model.head.weight.device) for part in batch)
    return F.cross_entropy(model(token_ids, lengths), labels)


@torch.no_grad()
def spam_f1(model: GPTClassifier, messages: Rows) -> float:
    """Return F1 of spam."""
    token_ids, lengths, labels = (part.to(model.head.weight.device) for part in messages)
    parts = zip(token_ids.split(100), lengths.split(100), strict=True)
    guesses = torch.cat([model(*part).argmax(-1) for part in parts])
    hits = ((guesses == 1) & (labels == 1)).sum().item()
    return 2 * hits / max((guesses == 1).sum().item() + (labels == 1).sum().item(), 1)


@torch.no_grad()
def next_token_loss(body: nn.Module, token_ids: torch.Tensor) -> float:
    """Return the loss in nats a token of a GPT on rows (N, T)."""
    token_ids = token_ids.to(body.token_embedding.weight.device)
    return F.cross_entropy(body(token_ids)[:, :-1].flatten(0, 1), token_ids[:, 1:].flatten()).item()


class Measured(NamedTuple):
    """One way of training, measured.

    trained:    numbers that were trained
    mb:         the most memory that tensors hold in one step, in MB
    seconds:    of the training
    f1:         of spam, on test messages
    forgetting: how many times larger the perplexity on documents of the docs has become
    model:      the trained model
    """

    trained: int
    mb: float
    seconds: float
    f1: float
    forgetting: float
    model: GPTClassifier


class Study:
    """Messages to learn from and to be judged by, and rows (N, T) of the docs that should not be forgotten."""

    def __init__(self, train: Rows, test: Rows, held_out: torch.Tensor, *, body: nn.Module, prepared: Callable):
        """`body` is the docs-gpt as it was; prepared(kind, size) returns a model that is ready to be trained."""
        self.train, self.test, self.held_out, self.prepared = train, test, held_out, prepared
        self.before = next_token_loss(body, held_out)

    def run(self, way: str, seed: int, steps: int) -> Measured:
        """Train in one of WAYS: what has requires_grad moves, the head by a rate of its own."""
        seed_everything(seed)
        kind, size, lr = WAYS[way]
        return self.measured(self.prepared(kind, size), lr, steps)

    def measured(self, model: GPTClassifier, lr: float, steps: int) -> Measured:
        """Train what has requires_grad, and measure."""
        batch = drawn(self.train, BATCH, steps)
        start = time.perf_counter()
        fit(model, batch, spam_loss, steps=steps, optimizer=_adamw(model, lr), progress=False)
        seconds = time.perf_counter() - start
        trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
        held = trained * 12 / 1e6 + megabytes(model)  # gradients and two states; the weights
        mb = held + usage(lambda: spam_loss(model, batch(0))).mb
        forgetting = math.exp(next_token_loss(model.body, self.held_out) - self.before)
        return Measured(trained, mb, seconds, spam_f1(model, self.test), forgetting, model)


def _adamw(model: GPTClassifier, lr: float) -> torch.optim.AdamW:
    body = [p for name, p in model.named_parameters() if p.requires_grad and not name.startswith("head.")]
    groups = [{"params": list(model.head.parameters()), "lr": HEAD_LR}, {"params": body, "lr": lr}]
    return torch.optim.AdamW([group for group in groups if group["params"]], weight_decay=0.0)


def table(measured: Mapping[str, Sequence[Measured]]) -> str:
    """Return a table with a line for each way: the means over its runs."""
    lines = [f"{'way':<18}{'trained':>11}{'memory MB':>11}{'seconds':>9}{'F1 of spam':>12}{'docs perplexity':>17}"]
    for way, runs in measured.items():
        trained, mb, seconds, f1, forgetting = np.mean([run[:5] for run in runs], axis=0)
        times = f"times {forgetting:.2f}"
        lines.append(f"{way:<18}{trained:>11,.0f}{mb:>11.1f}{seconds:>9.1f}{f1:>12.3f}{times:>17}")
    return "\n".join(lines)


def base_table(models: Mapping[str, nn.Module], held_out: torch.Tensor) -> str:
    """Return a line for each docs-gpt: the megabytes of its blocks, and its loss on rows (N, T)."""
    lines = [f"{'base':<10}{'blocks, MB':>12}{'nats a token':>14}"]
    for name, model in models.items():
        lines.append(f"{name:<10}{megabytes(model.blocks):>12.2f}{next_token_loss(model, held_out):>14.4f}")
    return "\n".join(lines)
