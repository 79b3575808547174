"""The one training loop of the course, in its first form: full precision, one device."""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from tqdm import tqdm

from helpers.device import best_device
from helpers.errors import CourseError


@dataclass
class History:
    """What a run did: the loss of every step, how long it took, and where."""

    losses: list[float] = field(default_factory=list)
    seconds: float = 0.0
    device: str = "cpu"

    def __repr__(self) -> str:
        """Return the run in one line."""
        first, last = self.losses[0], self.losses[-1]
        steps = len(self.losses)
        return f"{steps} steps in {self.seconds:.1f} s on {self.device}: loss {first:.4f} -> {last:.4f}"


def fit(
    model: torch.nn.Module,
    batches: Sequence[tuple[torch.Tensor, torch.Tensor]],
    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    *,
    steps: int,
    lr: float = 0.05,
    weight_decay: float = 0.0,
) -> History:
    """Train a model with AdamW and a cosine schedule, going round the batches; returns the History.

    `batches` holds (inputs, targets); `loss` takes (model(inputs), targets) and returns a scalar. Raises CourseError
    when the loss is no longer finite.
    """
    if steps < 1 or len(batches) == 0:
        raise CourseError(f"fit needs at least one step and one batch; it got steps={steps}, {len(batches)} batches")
    device = best_device()
    model.to(device).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=weight_decay)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)
    history, start = History(device=device), time.perf_counter()
    for step in tqdm(range(steps), desc="training", leave=False, file=sys.stdout, mininterval=0.5):
        inputs, targets = (t.to(device) for t in batches[step % len(batches)])
        value = loss(model(inputs), targets)
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        schedule.step()
        history.losses.append(_finite(value.item(), step, history.losses))
    history.seconds = time.perf_counter() - start
    model.eval()
    return history


def _finite(value: float, step: int, losses: list[float]) -> float:
    if value - value != 0:  # true for NaN and infinity
        last = f"{losses[-1]:.4f}" if losses else "none"
        raise CourseError(
            f"the loss is {value} at step {step} (last finite one: {last}); usual causes: a learning rate too large, "
            "the logarithm of zero, a division by zero in the inputs"
        )
    return value
