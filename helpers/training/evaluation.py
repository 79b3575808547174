"""A model judged: in eval mode, without gradients, and nothing in the training is changed by it."""

from collections.abc import Callable

import torch
from accelerate.utils import send_to_device

from helpers.errors import CourseError
from helpers.training.batches import rows_of
from helpers.training.gradients import Loss
from helpers.training.random_state import aside


def mean_loss(model: torch.nn.Module, batches, loss: Loss) -> float:
    """Return the mean loss over the rows of all batches, without gradients: an `evaluate` for `fit`."""
    device = next((p.device for p in model.parameters()), torch.device("cpu"))

    def total() -> float:
        pairs = [(rows_of(b), loss(model, send_to_device(b, device)).item()) for b in batches]
        if not pairs:
            raise CourseError("mean_loss needs at least one batch; it got none (is it a used generator?)")
        total_rows = sum(rows for rows, _ in pairs)
        return sum(rows * value for rows, value in pairs) / total_rows

    return in_eval_mode(model, total)


def in_eval_mode(model: torch.nn.Module, action: Callable[[], float]) -> float:
    """Call `action` with the model in eval mode and without gradients; modes and random numbers are put back after."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.no_grad(), aside():
            return action()
    finally:
        for module, training in modes.items():
            module.training = training
