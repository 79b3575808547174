"""What a training loop with an optimiser of one's own makes of a small network."""

from collections.abc import Callable, Sequence
from functools import partial

import torch
import torch._dynamo  # the first optimizer would import it, within the time of a case
from torch import nn

MOMENTUM = 0.5


class Watched(nn.Module):
    """A linear layer, or a network of one hidden layer, that notes in which mode it was called: `modes`.

    weights: [W (1, C)], [W, b (1,)], or [W_1 (H, C), b_1 (H,), W_2 (1, H), b_2 (1,)]. frozen: indices of those that
    do not learn. The network comes in eval mode.
    """

    def __init__(self, weights: Sequence[torch.Tensor], frozen: Sequence[int] = ()):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(w.clone(), i not in frozen) for i, w in enumerate(weights)])
        self.modes: list[str] = []
        self.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return one number for each row, (B, 1)."""
        self.modes.append("train" if self.training else "eval")
        first, *rest = self.weights
        if not rest:
            return x @ first.T
        if len(rest) == 1:
            return x @ first.T + rest[0]
        return torch.tanh(x @ first.T + rest[0]) @ rest[1].T + rest[2]


def squared_error(model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the mean squared error of a batch (x (B, C), y (B, 1))."""
    return ((model(batch[0]) - batch[1]) ** 2).mean()


def momentum(weight: torch.Tensor, grad: torch.Tensor, state=None, lr: float = 1e-3, decay: float = 0.0) -> tuple:
    """Return (the weight after one step, the new state): the state is half of the old one plus the gradient.

    decay: the share of the weight that is added to what it steps by.
    """
    total = grad.clone() if state is None else MOMENTUM * state + grad
    return weight - lr * (total + decay * weight), total


def trained(
    train: Callable,
    weights: Sequence[torch.Tensor],
    batches: Sequence,
    steps: int,
    rate: tuple[float, float],
    clip: float = 1.0,
    frozen: Sequence[int] = (),
    decay: float = 0.0,
) -> dict:
    """Return what a loop, called as the exercise says, makes of a small network with `momentum`, as plain values.

    batches: step 0, 1, ... gets them in turn, round and round. rate: that of step 0, and its factor after each step.
    Each parameter, also a frozen one, holds a gradient of 100 before the first step, as if left from before.
    losses: what came. weights: as they are in the end. modes: in which the network was called, each time; ended: its
    mode in the end. kind: the types of the losses.
    """
    model = Watched(weights, frozen)
    for p in model.parameters():
        p.grad = torch.full_like(p, 100.0)

    def batch_of(step: int):
        return batches[int(step) % len(batches)]

    def rate_of(step: int) -> float:
        return rate[0] * rate[1] ** int(step)

    losses = train(model, batch_of, squared_error, partial(momentum, decay=decay), steps, rate_of, clip)
    return {
        "losses": [float(value) for value in losses],
        "weights": [w.detach().clone() for w in model.weights],
        "modes": model.modes,
        "ended": "train" if model.training else "eval",
        "kind": ", ".join(sorted({type(value).__name__ for value in losses})),
    }
