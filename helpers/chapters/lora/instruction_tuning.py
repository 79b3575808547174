"""Instructions in packed rows: what each token may look at, the loss of the answers, what packing saves."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
import torch.nn.functional as F

from helpers.chapters.lora.adaptable_gpt import OpenGPT
from helpers.training.history import History

Example = tuple[list[int], list[int]]  # (ids, labels) of the same length
Packed = tuple[torch.Tensor, torch.Tensor, torch.Tensor]  # (ids, labels, owner), each (N, T)


def plain(example: Sequence) -> Example:
    """Return an example (ids, labels), in lists, tuples, arrays or tensors, as two lists of ints."""
    ids, labels = example
    return list(map(int, ids)), list(map(int, labels))


def pack(examples: Sequence[Example], length: int, pad_id: int) -> Packed:
    """Return (ids, labels, owner), each (N, length): examples in order, as many to a row as fit, longer ones left out.

    owner says to which example of its row each token belongs: 1, 2, ..., and 0 for padding.
    """
    rows: list[tuple[list[int], list[int], list[int]]] = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)

    def padded(part: int, fill: int) -> torch.Tensor:
        full = [row[part] + [fill] * (length - len(row[part])) for row in rows]
        return torch.tensor(full, dtype=torch.int64).view(-1, length)

    return padded(0, pad_id), padded(1, -100), padded(2, 0)


def packed_inputs(owner: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (places (B, T), mask (B, T, T)) for packed rows: places begin anew, and nobody sees another example."""
    T = owner.shape[1]
    start = torch.ones_like(owner, dtype=torch.bool)
    start[:, 1:] = owner[:, 1:] != owner[:, :-1]
    at = torch.arange(T, device=owner.device).expand_as(owner)
    places = at - torch.where(start, at, 0).cummax(1).values
    causal = torch.ones(T, T, dtype=torch.bool, device=owner.device).tril()
    return places, (owner[:, :, None] == owner[:, None, :]) & causal


def packed_loss(model: OpenGPT, batch: Packed) -> torch.Tensor:
    """Return the loss of the answers in packed rows; logits are computed where there is a label only."""
    token_ids, labels, owner = (part.to(model.token_embedding.weight.device) for part in batch)
    before = model.hidden(token_ids, *packed_inputs(owner))[:, :-1][labels[:, 1:] != -100]  # (labels, C)
    logits = F.linear(before, model.token_embedding.weight)
    return F.cross_entropy(logits, labels[:, 1:][labels[:, 1:] != -100])


@torch.no_grad()
def mean_answer_loss(
    model: OpenGPT, examples: Sequence[Example], answer_loss: Callable, max_tokens: int = 256
) -> float:
    """Return the mean over examples of answer_loss(logits, labels), each read alone; those above `max_tokens` drop."""
    device, losses = model.token_embedding.weight.device, []
    for example in examples:
        ids, labels = (torch.tensor([part], device=device) for part in example)
        if ids.shape[1] <= max_tokens:
            losses.append(float(answer_loss(model(ids), labels)))
    return float(np.mean(losses))


@torch.no_grad()
def apart_when_packed(model: OpenGPT, examples: Sequence[Example]) -> float:
    """Return the largest difference between logits of the second of two examples, packed with the first and alone."""
    (first, _), (second, _) = examples
    ids, _, owner = pack(examples, len(first) + len(second), 0)
    together = model(ids, *packed_inputs(owner))[0, len(first) :]
    return (together - model(torch.tensor([second]))[0]).abs().max().item()


def filling(examples: Sequence[Example], rows: Packed) -> str:
    """Say how much of packed rows (N, length) holds text, and how much would with one example in each row."""
    length = rows[0].shape[1]
    lengths = [len(ids) for ids, _ in examples if len(ids) <= length]
    filled = (rows[2] > 0).float().mean()
    return (
        f"{len(lengths):,} examples in {len(rows[0]):,} rows of {length}: {filled:.0%} of the places hold text; "
        f"one by one it would be {np.mean(lengths) / max(lengths):.0%}"
    )


def card(
    adapter: dict[str, torch.Tensor], config: dict, made: int, history: History, held: int, totals: dict[str, float]
) -> str:
    """Return the card of a docs-adapter; totals: {way of asking: token F1 on `held` questions}."""
    count = sum(value.numel() for value in adapter.values())
    return (
        f"# docs-adapter: your own\n\nLoRA of rank {config['r']}, alpha {config['alpha']}, on "
        f"{', '.join(config['targets'])} of docs-gpt: {count:,} numbers,\n"
        f"trained by chapter 09 on {made:,} instructions made from the docs. {history}\nToken F1 on {held} held-out "
        f"questions: {totals['tuned by LoRA']:.3f}; asked: {totals['no example, asked']:.3f}.\n"
    )
