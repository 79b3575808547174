"""A race of optimisers on a small GPT of characters: the same first weights, the same batches."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from helpers.chapters.transformers.mistakes import D_MODEL, LENGTH, LETTERS, Characters
from helpers.device import SEED, seed_everything
from helpers.models import gpt
from helpers.training import fit

RATES = {"gradient descent": 0.3, "yours": 3e-3, "torch's AdamW": 3e-3}


class ByHand(torch.optim.Optimizer):
    """An optimiser whose steps a function takes: (weight, gradient, state, **options) -> (weight, state)."""

    def __init__(self, parameters, step: Callable, **options):
        self.take, self.kept = step, {}
        super().__init__(list(parameters), options)

    @torch.no_grad()
    def step(self, closure=None) -> None:
        """Take one step, by the gradients that the parameters hold."""
        for group in self.param_groups:
            options = {name: group[name] for name in ("lr", "weight_decay") if name in group}
            for p in group["params"]:
                if p.grad is not None:
                    weight, self.kept[p] = self.take(p.detach(), p.grad, self.kept.get(p), **options)
                    p.copy_(weight)


@dataclass(frozen=True)
class Race:
    """The losses of each optimiser, a number a step, and how far apart the weights of yours and torch's ended."""

    losses: dict[str, list[float]]
    apart: float

    def __str__(self):
        ends = [f"{name:<18}{sum(v[-10:]) / len(v[-10:]):.3f} nats" for name, v in self.losses.items()]
        return "\n".join([*ends, f"yours and torch's: largest difference of a weight {self.apart:.1e}"])


def race(kind: type[gpt.GPT], characters: Characters, loss: Callable, adamw_step: Callable, steps: int) -> Race:
    """Train a small GPT with each optimiser; adamw_step is the student's."""
    losses, ended = {}, {}
    for name, lr in RATES.items():
        seed_everything(SEED)
        model = kind(len(LETTERS), LENGTH, D_MODEL, num_layers=2, num_heads=4)
        optimizer = {
            "gradient descent": lambda lr, model=model: torch.optim.SGD(model.parameters(), lr),
            "yours": lambda lr, model=model: ByHand(model.parameters(), adamw_step, lr=lr, weight_decay=0.01),
            "torch's AdamW": lambda lr, model=model: torch.optim.AdamW(model.parameters(), lr, weight_decay=0.01),
        }[name](lr)
        losses[name] = fit(model, characters.batch, loss, steps=steps, optimizer=optimizer, progress=False).losses
        ended[name] = torch.cat([p.detach().flatten() for p in model.parameters()])
    return Race(losses, (ended["yours"] - ended["torch's AdamW"]).abs().max().item())
