"""The optimiser of the course: AdamW with decay on matrices only, warm-up, then a cosine."""

import math

import torch
from torch.optim.lr_scheduler import LambdaLR

from helpers.errors import CourseError


def adamw(model: torch.nn.Module, lr: float, weight_decay: float) -> torch.optim.AdamW:
    """Return AdamW (Loshchilov and Hutter, 2019) that decays matrices and leaves biases and norm weights alone."""
    learned = [p for p in model.parameters() if p.requires_grad]
    if not learned:
        raise CourseError("the model has no parameter that learns: all are frozen, or there are none")
    groups = [
        {"params": [p for p in learned if p.dim() >= 2], "weight_decay": weight_decay},
        {"params": [p for p in learned if p.dim() < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW([group for group in groups if group["params"]], lr=lr, fused=_fused(learned))


def _fused(parameters: list[torch.nn.Parameter]) -> bool:
    """One kernel for all parameters, where torch has it: faster, the same numbers."""
    return all(p.device.type in ("cpu", "cuda") and p.is_floating_point() for p in parameters)


def warmup_cosine(optimizer: torch.optim.Optimizer, steps: int, warmup: int) -> LambdaLR:
    """Return a schedule: lr rises along a line for `warmup` steps, then falls along a cosine towards zero."""

    def share(step: int) -> float:
        if step < warmup:
            return (step + 1) / (warmup + 1)
        return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, steps - warmup)))

    for group in optimizer.param_groups:
        group.pop("initial_lr", None)  # of an earlier run: the rate that is set now counts
        group["lr"] = float(group["lr"])
    return LambdaLR(optimizer, share)
