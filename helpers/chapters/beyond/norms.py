"""What the mean is worth: docs-gpt with RMSNorm in the place of each LayerNorm, nothing trained anew."""

import copy
from collections.abc import Callable

import torch
from torch import nn

from helpers.experiments.smaller import nats
from helpers.models.gpt import GPT


class RootMeanSquare(nn.Module):
    """A LayerNorm that no longer takes the mean away; weight and bias are those that were learned with it."""

    def __init__(self, norm: nn.LayerNorm, rms_norm: Callable):
        super().__init__()
        self.weight, self.bias, self.eps, self.rms_norm = norm.weight, norm.bias, norm.eps, rms_norm
        self.shares: list[float] = []

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (..., C) for x (..., C), and note how much of the vectors' length is their mean."""
        self.shares.append(float((x.mean(-1) ** 2 / (x**2).mean(-1)).mean()))
        return self.rms_norm(x, self.weight, self.eps) + self.bias


def without_means(model: GPT, rms_norm: Callable) -> GPT:
    """Return a copy of a GPT in which each LayerNorm is an RMSNorm, by the student's function."""
    model = copy.deepcopy(model)
    for name, norm in list(model.named_modules()):
        if isinstance(norm, nn.LayerNorm):
            place, _, last = name.rpartition(".")
            setattr(model.get_submodule(place), last, RootMeanSquare(norm, rms_norm))
    return model


@torch.no_grad()
def compare(model: GPT, token_ids: torch.Tensor, rms_norm: Callable) -> str:
    """Return as text the loss with either norm on token_ids (B, T), and the mean's share of the vectors' squares."""
    changed = without_means(model, rms_norm)
    lines = [f"{name:<38}{nats(each, token_ids):.3f} nats" for name, each in
             [("LayerNorm, as it was trained", model), ("your RMSNorm with the same weights", changed)]]  # fmt: skip
    norms = {name: m for name, m in changed.named_modules() if isinstance(m, RootMeanSquare)}
    shares = {name: sum(norm.shares) / len(norm.shares) for name, norm in norms.items()}
    most = max(shares, key=shares.get)
    middle = sorted(shares.values())[len(shares) // 2]
    return "\n".join([*lines, f"of the mean square the mean holds {middle:.2%} (median of {len(shares)} norms), "
                              f"at most {shares[most]:.2%} ({most})"])  # fmt: skip
