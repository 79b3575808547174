"""Small GPTs over the characters of Shakespeare, each read as many characters as its size asks for."""

from collections.abc import Sequence

import torch
from torch import nn

from helpers.chapters.training.documents import letter_ids
from helpers.chapters.training.packed_gpt import PackedGPT, mean_loss, share_of_rate
from helpers.data.text import Text
from helpers.device import best_device, seed_everything

LENGTH, STEPS, LAYERS, HEADS = 64, 1200, 2, 2
PER_WEIGHT = 20  # characters for each weight
HELD_OUT = 400  # windows


def ladder(text: Text, widths: Sequence[int], seed: int) -> tuple[list[int], list[float]]:
    """Return (weights without the tables, held-out losses in nats a character) of one run for each width."""
    read, unread = letter_ids(text)
    letters = int(max(read.max(), unread.max())) + 1
    sizes, losses = [], []
    for width in widths:
        size, loss = _run(read, unread, letters, width, seed)
        sizes.append(size)
        losses.append(loss)
    return sizes, losses


def _run(read: torch.Tensor, unread: torch.Tensor, letters: int, width: int, seed: int) -> tuple[int, float]:
    """Return (size, held-out loss) of a run of about STEPS steps, whose rows are as many as the size asks for."""
    seed_everything(seed)
    device = best_device()
    model = PackedGPT(letters, LENGTH, width, LAYERS, HEADS).to(device).train()
    size = sum(p.numel() for p in model.parameters()) - model.places.weight.numel()
    rows = max(round(PER_WEIGHT * size / (STEPS * LENGTH)), 1)
    steps = max(PER_WEIGHT * size // (rows * LENGTH), 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.0, betas=(0.9, 0.99), weight_decay=0.1)
    generator = torch.Generator().manual_seed(seed)
    windows = torch.arange(LENGTH + 1)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = _peak(width) * share_of_rate(step / steps, first=10 / steps)
        starts = torch.randint(len(read) - LENGTH - 1, (rows, 1), generator=generator)
        drawn = read[starts + windows].to(device)
        loss = nn.functional.cross_entropy(model(drawn[:, :-1]).flatten(0, 1), drawn[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    starts = torch.linspace(0, len(unread) - LENGTH - 2, HELD_OUT).long()[:, None]
    drawn = unread[starts + windows].to(device)
    return size, mean_loss(model, (drawn[:, :-1], drawn[:, 1:]))


def _peak(width: int) -> float:
    """Return the peak of the rate: narrow models learn with larger steps."""
    return 0.006 * (32 / width) ** 0.5
