"""A GPT with changed matrices: how much it loses, how many bytes it takes, what it writes."""

import copy
from collections.abc import Callable, Iterable, Mapping

import torch
import torch.nn.functional as F

from helpers.models.gpt import GPT

AT_ONCE = 24  # rows that are judged at once


def changed(model: GPT, change: Callable) -> GPT:
    """Return a copy of a GPT with change(weight) in place of each of its matrices (out, in)."""
    changed_model = copy.deepcopy(model).requires_grad_(False)
    for weight in matrices(changed_model):
        weight.copy_(torch.as_tensor(change(weight.clone())))
    return changed_model


def matrices(model: GPT) -> list[torch.Tensor]:
    """Return the parameters with two axes: all but biases and norms."""
    return [weight for weight in model.parameters() if weight.dim() == 2]


@torch.no_grad()
def nats(model: GPT, rows: torch.Tensor) -> float:
    """Return the mean loss in nats of the tokens of rows (N, T), each from those before it in its row."""
    rows = rows.to(model.token_embedding.weight.device)
    parts = [
        F.cross_entropy(model(part)[:, :-1].flatten(0, 1), part[:, 1:].flatten(), reduction="sum")
        for part in rows.split(AT_ONCE)
    ]
    return float(sum(parts)) / rows[:, 1:].numel()


def megabytes(model: GPT, bits: float, scales_of: Callable[[torch.Tensor], int]) -> float:
    """Return a model's size with its matrices in `bits` bits and scales_of(matrix) float16 scales, the rest in 32."""
    wide = matrices(model)
    weights = _numel(wide)
    rest = _numel(model.parameters()) - weights
    scales = sum(map(scales_of, wide)) if bits < 16 else 0
    return (weights * bits / 8 + 4 * rest + 2 * scales) / 1e6


def _numel(tensors: Iterable[torch.Tensor]) -> int:
    return sum(tensor.numel() for tensor in tensors)


def bits_table(model: GPT, loss: dict, scales_of: Mapping[str, Callable[[torch.Tensor], int]]) -> str:
    """Return a table of bytes and nats.

    loss: {"float32", "bfloat16" or (way, bits): nats}; scales_of: {way: the number of scales of a matrix}.
    """
    lines = [f"{'weights':<34}{'MB':>7}{'nats a token':>14}{'lost':>8}"]
    for key, value in loss.items():
        way, bits = key if isinstance(key, tuple) else (key, {"float32": 32, "bfloat16": 16}[key])
        size = megabytes(model, bits, scales_of.get(way, len))
        name = f"{bits} bits, {way}" if isinstance(key, tuple) else way
        lines.append(f"{name:<34}{size:>7.2f}{value:>14.3f}{value - loss['float32']:>8.3f}")
    return "\n".join(lines)


def pruning_table(pruned: dict, rows: torch.Tensor) -> str:
    """Return a table of zeros, bytes and nats; pruned: {share or "2 of 4": model}, the first one whole."""
    lines, whole = [f"{'pruned':<12}{'zeros':>8}{'MB':>8}{'nats a token':>14}{'lost':>8}"], None
    for name, model in pruned.items():
        wide = matrices(model)
        weights = _numel(wide)
        nonzero = sum(int(w.count_nonzero()) for w in wide)
        rest, loss = _numel(model.parameters()) - weights, nats(model, rows)
        whole = loss if whole is None else whole
        pattern = isinstance(name, str)  # "2 of 4": two bits say where a weight stands; else one bit for each weight
        if nonzero / weights > 0.99:
            places = 0
        elif pattern:
            places = nonzero / 4
        else:
            places = weights / 8
        size = (4 * (rest + nonzero) + places) / 1e6
        shown = name if pattern else f"{name:.0%}"
        lines.append(f"{shown:<12}{1 - nonzero / weights:>8.0%}{size:>8.2f}{loss:>14.3f}{loss - whole:>8.3f}")
    return "\n".join(lines)
