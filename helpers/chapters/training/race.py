"""AdamW and Muon beside each other for the same seconds."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import nn

from helpers.chapters.training.packed_gpt import PackedGPT, batch_loss, mean_loss, on, share_of_rate
from helpers.device import best_device, seed_everything

ROWS, HELD_OUT, LAYERS, HEADS = 16, 200, 2, 4
EVERY = 10  # steps between two points of a curve


@dataclass
class Curve:
    """One run: its rate, its steps, the held-out loss at the end, and (seconds, training loss) on the way."""

    rate: float
    steps: int = 0
    held_out: float = float("inf")
    points: list[tuple[float, float]] = field(default_factory=list)


def race(
    tokens: torch.Tensor,
    targets: torch.Tensor,
    muon_step: Callable,
    seconds: float,
    rates: Mapping[str, Sequence[float]],
    width: int,
    seed: int,
) -> dict[str, Curve]:
    """Return the best run of each optimiser, by held-out loss, each of `seconds`; width: of the GPT.

    tokens, targets: (N, T); the last HELD_OUT rows are held out. muon_step: (weight, grad, state, lr=...) -> (the new
    weight, the new state); it moves the hidden matrices, and AdamW, at a tenth of the rate, everything else. rates:
    those that "AdamW" and "Muon" try.
    """
    rows = tokens[:-HELD_OUT], targets[:-HELD_OUT]
    held_out = tokens[-HELD_OUT:], targets[-HELD_OUT:]
    best = {}
    for name, step in (("AdamW", None), ("Muon", muon_step)):
        runs = [_run(rows, held_out, step, seconds, rate, width, seed) for rate in rates[name]]
        best[name] = min(runs, key=lambda curve: curve.held_out)
    return best


def _run(
    rows: tuple, held_out: tuple, muon_step: Callable | None, seconds: float, rate: float, width: int, seed: int
) -> Curve:
    seed_everything(seed)
    device = best_device()
    rows, held_out = (on(device, pair) for pair in (rows, held_out))
    model = PackedGPT(int(rows[0].max()) + 1, rows[0].shape[1], width, LAYERS, HEADS).to(device)
    mover = Mover(model, muon_step, rate)
    generator = torch.Generator().manual_seed(seed)
    curve, start = Curve(rate), time.perf_counter()
    spent = 0.0
    while spent < seconds:
        drawn = torch.randint(len(rows[0]), (ROWS,), generator=generator).to(device)
        piece = rows[0][drawn], rows[1][drawn]
        loss = batch_loss(model, piece)
        model.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        mover.step(share_of_rate(spent / seconds))
        if curve.steps % EVERY == 0:
            curve.points.append((spent, loss.item()))
        curve.steps += 1
        spent = time.perf_counter() - start
    curve.held_out = mean_loss(model, held_out)
    return curve


class Mover:
    """Moves hidden matrices by a step of Muon, all other weights by AdamW; all by AdamW if there is no such step."""

    def __init__(self, model: nn.Module, muon_step: Callable | None, rate: float):
        self.rate, self.muon_step = rate, muon_step
        self.matrices, others = [], []
        for name, p in model.named_parameters():
            hidden = p.dim() == 2 and name.startswith("blocks.")
            (self.matrices if hidden and muon_step else others).append(p)
        self.states: list = [None] * len(self.matrices)
        self.scale = 0.1 if muon_step else 1.0
        self.adamw = torch.optim.AdamW(others, lr=rate * self.scale, weight_decay=0.1)

    @torch.no_grad()
    def step(self, share: float) -> None:
        """Move all weights by this share of the rate."""
        for group in self.adamw.param_groups:
            group["lr"] = self.rate * self.scale * share
        self.adamw.step()
        for i, p in enumerate(self.matrices):
            moved, self.states[i] = self.muon_step(p, p.grad, self.states[i], lr=self.rate * share)
            p.copy_(moved)
