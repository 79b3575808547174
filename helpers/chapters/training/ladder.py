"""Small GPTs over the characters of Shakespeare, each read as many characters as its size asks for."""

from collections.abc import Sequence

import torch
from torch import nn

from helpers.chapters.training.packed_gpt import PackedGPT, mean_loss
from helpers.data.text import Text
from helpers.device import best_device, seed_everything

LENGTH, ROWS, LAYERS = 64, 16, 2
PER_WEIGHT = 20  # characters for each weight
HELD_OUT = 200  # windows


def ladder(text: Text, widths: Sequence[int], seed: int) -> tuple[list[int], list[float]]:
    """Return (weights without the tables, held-out losses in nats a character) of one run for each width."""
    letters = {c: i for i, c in enumerate(sorted(set(text.train + text.valid)))}
    read = torch.tensor([letters[c] for c in text.train])
    unread = torch.tensor([letters[c] for c in text.valid])
    sizes, losses = [], []
    for width in widths:
        size, loss = _run(read, unread, len(letters), width, seed)
        sizes.append(size)
        losses.append(loss)
    return sizes, losses


def _run(read: torch.Tensor, unread: torch.Tensor, letters: int, width: int, seed: int) -> tuple[int, float]:
    seed_everything(seed)
    device = best_device()
    model = PackedGPT(letters, LENGTH, width, LAYERS, max(width // 16, 1)).to(device)
    size = sum(p.numel() for p in model.parameters()) - model.places.weight.numel()
    steps = max(PER_WEIGHT * size // (ROWS * LENGTH), 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=_rate(width), betas=(0.9, 0.99), weight_decay=0.1)
    warmup = max(steps // 20, 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, _rate(width), total_steps=steps + 1, pct_start=warmup / (steps + 1), anneal_strategy="cos"
    )
    generator = torch.Generator().manual_seed(seed)
    windows = torch.arange(LENGTH + 1)
    model.train()
    for _ in range(steps):
        starts = torch.randint(len(read) - LENGTH - 1, (ROWS, 1), generator=generator)
        rows = read[starts + windows].to(device)
        loss = nn.functional.cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    starts = torch.linspace(0, len(unread) - LENGTH - 2, HELD_OUT).long()[:, None]
    rows = unread[starts + windows].to(device)
    return size, mean_loss(model, (rows[:, :-1], rows[:, 1:]))


def _rate(width: int) -> float:
    """Return the peak of the rate: narrow models learn with larger steps."""
    return 0.01 * (32 / width) ** 0.5
