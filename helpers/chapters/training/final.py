"""The run at the end of the chapter: packed documents, pieces, a schedule, a checkpoint, and a kill in the middle."""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch

from helpers.chapters.training.packed_gpt import PackedGPT, count, loss_sum
from helpers.device import seed_everything

ROWS, PIECES, WIDTH, LAYERS, HEADS, PEAK, EVERY = 8, 2, 96, 2, 4, 3e-3, 25


class Killed(Exception):
    """Raised in the middle of a run, as a machine that fails would end it."""


@dataclass
class Ended:
    """A run that has ended: its losses, seconds, tokens and weights (n,), and the step from which it was resumed."""

    losses: list[float] = field(default_factory=list)
    seconds: float = 0.0
    tokens: int = 0
    weights: torch.Tensor | None = None
    resumed: int = 0


class Rows:
    """Packed rows with their targets, positions and masks, drawn as batches in pieces."""

    def __init__(
        self, tokens: torch.Tensor, owners: torch.Tensor, mask: Callable, positions: Callable, targets: Callable
    ):
        self.tokens, self.owners, self.mask = tokens, owners, mask
        self.positions, self.targets = positions(owners), targets(tokens, owners)

    def draw(self, generator: torch.Generator) -> list[tuple]:
        """Return the pieces of the next batch, each (tokens, targets, positions, mask)."""
        pieces = []
        for drawn in torch.randint(len(self.tokens), (ROWS,), generator=generator).chunk(PIECES):
            mask = self.mask(self.owners[drawn])
            pieces.append((self.tokens[drawn], self.targets[drawn], self.positions[drawn], mask))
        return pieces


def final_run(
    run: Callable, vocabulary: int, rows: Rows, schedule: Callable, steps: int, seed: int, killed_at: int | None = None
) -> Ended:
    """Return what `run` makes of a GPT in so many steps; if it is killed before step `killed_at`, it is begun again.

    On the CPU: the snapshots of the chapter hold the state of its generator alone. run: the student's loop. schedule:
    (step, steps, peak, warmup, decay) -> the rate.
    """
    ended = Ended()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.pt")
        start = time.perf_counter()
        if killed_at is not None:
            try:
                _once(run, vocabulary, rows, schedule, steps, seed, path, killed_at)
            except Killed:
                saved = torch.load(path, weights_only=True) if path.exists() else {"step": 0}
                ended.resumed = saved["step"]
        ended.losses, ended.weights = _once(run, vocabulary, rows, schedule, steps, seed, path, None)
        ended.seconds = time.perf_counter() - start
    ended.tokens = len(ended.losses) * ROWS * rows.tokens.shape[1]
    return ended


def _once(run, vocabulary, rows, schedule, steps, seed, path, killed_at) -> tuple[list[float], torch.Tensor]:
    seed_everything(seed)
    model = PackedGPT(vocabulary, rows.tokens.shape[1], WIDTH, LAYERS, HEADS, dropout=0.1).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK)

    def rate(step: int) -> float:
        if step == killed_at:
            raise Killed
        return schedule(step, steps, PEAK, min(10, steps // 3), steps // 5)

    losses, _ = run(
        model, optimizer, rows.draw, loss_sum, count, steps, rate, 1.0, path, min(EVERY, max(steps // 3, 1))
    )
    return losses, torch.cat([p.detach().flatten() for p in model.parameters()])
