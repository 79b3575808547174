"""A training loop beside `fit`: what a loop does to a small network, and both loops on the same characters."""

from collections.abc import Callable, Sequence

import torch
import torch._dynamo  # the first optimizer would import it, within the time of a case
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR, LRScheduler

from helpers.chapters.rnns.characters import CharacterLM, CharacterText, character_loss
from helpers.device import SEED, best_device, seed_everything
from helpers.training import fit
from helpers.training.optim import adamw, warmup_cosine

Recipe = tuple[str, float, float | str]  # optimizer ("sgd" or "adamw"), rate, its factor after a step (or "cosine")


class Watched(nn.Module):
    """A network of one hidden layer, or of none, that notes in which mode it was called: `modes`.

    weights: [W (H, C)] of a linear layer, [W, b (H,)] with its bias, or [W_1 (H, C), b_1 (H,), W_2 (1, H), b_2 (1,)].
    """

    def __init__(self, weights: Sequence[torch.Tensor]):
        """Take copies of the weights; the network comes in eval mode."""
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(w.clone()) for w in weights])
        self.modes: list[str] = []
        self.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return one number for each row, (B, 1)."""
        self.modes.append(f"{'train' if self.training else 'eval'}{'' if torch.is_grad_enabled() else ', no grad'}")
        first, *rest = self.weights
        if not rest:
            return x @ first.T
        if len(rest) == 1:
            return x @ first.T + rest[0]
        return torch.tanh(x @ first.T + rest[0]) @ rest[1].T + rest[2]


def squared_error(model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the mean squared error of a batch (x (B, C), y (B, 1))."""
    return ((model(batch[0]) - batch[1]) ** 2).mean()


def with_optimizer(model: nn.Module, recipe: Recipe, steps: int) -> tuple[torch.optim.Optimizer, LRScheduler]:
    """Return the optimizer and the schedule of a recipe; "cosine" is the schedule of `fit` without warm-up."""
    kind, rate, factor = recipe
    optimizer = adamw(model, rate, 0.01) if kind == "adamw" else torch.optim.SGD(model.parameters(), lr=rate)
    if factor == "cosine":
        return optimizer, warmup_cosine(optimizer, steps, 0)
    return optimizer, ExponentialLR(optimizer, factor)


def after_training(
    loop: Callable,
    weights: Sequence[torch.Tensor],
    batches: Sequence,
    steps: int,
    clip: float,
    every: int,
    recipe: Recipe,
) -> dict:
    """Return what a loop, called as the exercise says, makes of a small network, as plain values.

    losses, evaluations: what it returned; the evaluation is the loss on the first batch. weights: as they are in the
    end. modes: in which mode the network was called, each time. ended: its mode in the end. kind: the type of a loss.
    """
    model = Watched(weights)
    optimizer, schedule = with_optimizer(model, recipe, steps)

    def evaluate(judged: nn.Module) -> float:
        return squared_error(judged, batches[0]).item()

    losses, evaluations = loop(model, batches, squared_error, optimizer, schedule, steps, clip, evaluate, every)
    kinds = sorted({type(value).__name__ for value in losses})
    return {
        "losses": [float(value) for value in losses],
        "evaluations": [(int(step), float(value)) for step, value in evaluations],
        "weights": [w.detach().clone() for w in model.weights],
        "modes": model.modes,
        "ended": "train" if model.training else "eval",
        "kind": ", ".join(kinds),
    }


def side_by_side(text: CharacterText, loop: Callable, steps: int) -> tuple[list[float], list[float]]:
    """Train the same model of characters by a loop and by `fit`, on the same batches; returns the losses of both."""
    batches, found = text.round(best_device())[:steps], []
    for ours in (True, False):
        seed_everything(SEED)
        model, loss = CharacterLM(len(text.characters)).to(best_device()), character_loss()
        optimizer = adamw(model, 6e-3, 0.01)
        if ours:
            schedule = warmup_cosine(optimizer, steps, steps // 20)
            found.append(loop(model, batches, loss, optimizer, schedule, steps, 1.0, lambda _: 0.0, steps)[0])
        else:
            history = fit(model, batches, loss, steps=steps, optimizer=optimizer, precision="fp32", progress=False)
            found.append(history.losses)
    return tuple(found)
