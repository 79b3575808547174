"""How many directions a matrix needs: its singular values, and those that hold most of it."""

from collections.abc import Iterable, Mapping

import numpy as np
import torch
from torch import nn


def moves(before: nn.Module, after: nn.Module, names: Iterable[str]) -> dict[str, torch.Tensor]:
    """Return {name: how far training moved the weight (out, in) of the layer of this name}."""
    moved = {}
    for name in names:
        old = before.get_submodule(name).weight.detach().cpu()
        new = after.get_submodule(name).weight.detach().cpu()
        moved[name] = new - old
    return moved


def spectrum(matrix: torch.Tensor) -> np.ndarray:
    """Return the singular values of a matrix (out, in), falling, each divided by the largest."""
    values = torch.linalg.svdvals(matrix.detach().cpu())
    return (values / values[0]).numpy()


def directions(matrix: torch.Tensor, share: float = 0.9) -> int:
    """Return how many directions hold this share of a matrix: of the sum of its squared singular values."""
    squares = torch.linalg.svdvals(matrix.detach().cpu()) ** 2
    return int((squares.cumsum(0) / squares.sum() < share).sum()) + 1


def counted(matrices: Mapping[str, torch.Tensor]) -> str:
    """Say how many directions hold 90% of each matrix: "q_proj 27, k_proj 23"."""
    return ", ".join(f"{name} {directions(matrix)}" for name, matrix in matrices.items())
