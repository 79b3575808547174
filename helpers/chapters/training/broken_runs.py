"""Six runs of one small GPT: one as it should be, and five that have a fault each."""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import nn

from helpers.chapters.training.packed_gpt import PackedGPT, batch_loss, mean_loss, on
from helpers.device import best_device, seed_everything

ROWS, HELD_OUT, WIDTH, LAYERS, HEADS, RATE = 8, 32, 64, 2, 4, 3e-3
LETTERS = "ABCDEF"


@dataclass
class Record:
    """What a run shows: the loss of each step, the largest norm of a gradient, held-out loss, loss on one batch."""

    losses: list[float] = field(default_factory=list)
    norm: float = 0.0
    held_out: float = 0.0
    one_batch: float = 0.0

    @property
    def first(self) -> float:
        """The loss of the first step."""
        return self.losses[0]

    @property
    def last(self) -> float:
        """The mean loss of the last five steps."""
        return sum(self.losses[-5:]) / len(self.losses[-5:])


@dataclass(frozen=True)
class Way:
    """How a run is made; the defaults are as it should be."""

    rate: float = RATE
    clear: bool = True
    spread: float = 0.02
    targets: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] = lambda tokens, targets: targets


# The order in which they are printed, by letter: it gives nothing away.
WAYS = (
    Way(rate=RATE / 100),
    Way(clear=False),
    Way(),
    Way(rate=RATE * 30),
    Way(targets=lambda tokens, targets: tokens.where(targets != -100, -100)),
    Way(spread=1.0),
)


def run_all(tokens: torch.Tensor, targets: torch.Tensor, steps: int, seed: int) -> dict[str, Record]:
    """Return the records of the six runs by their letters; tokens, targets: (N, T), the last rows are held out."""
    return {letter: _run(tokens, targets, way, steps, seed) for letter, way in zip(LETTERS, WAYS, strict=True)}


def _run(tokens: torch.Tensor, targets: torch.Tensor, way: Way, steps: int, seed: int) -> Record:
    device = best_device()
    targets = way.targets(tokens, targets)
    rows = on(device, (tokens[:-HELD_OUT], targets[:-HELD_OUT]))
    held_out = on(device, (tokens[-HELD_OUT:], targets[-HELD_OUT:]))
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(rows[0]), generator=generator)
    record = Record()
    model = _fresh(tokens, way, seed).to(device)
    _train(
        model, way, steps, lambda step: order[torch.arange(step * ROWS, (step + 1) * ROWS) % len(order)], rows, record
    )
    record.held_out = mean_loss(model, held_out)
    alone = Record()
    model = _fresh(tokens, way, seed).to(device)
    _train(model, way, steps, lambda step: order[:2], rows, alone)
    record.one_batch = alone.last
    return record


def _fresh(tokens: torch.Tensor, way: Way, seed: int) -> PackedGPT:
    seed_everything(seed)
    return PackedGPT(int(tokens.max()) + 1, tokens.shape[1], WIDTH, LAYERS, HEADS, spread=way.spread)


def _train(model: nn.Module, way: Way, steps: int, rows_of: Callable, rows: tuple, record: Record) -> None:
    optimizer = torch.optim.AdamW(model.parameters(), lr=way.rate)
    for step in range(steps):
        drawn = rows_of(step)
        piece = rows[0][drawn], rows[1][drawn]
        if way.clear:
            optimizer.zero_grad()
        loss = batch_loss(model, piece)
        loss.backward()
        norm = torch.stack([p.grad.norm() for p in model.parameters()]).norm().item()
        record.norm = max(record.norm, norm)
        optimizer.step()
        record.losses.append(loss.item())
