"""How many directions a matrix needs: its singular values, and those that hold most of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import torch
from torch import nn


def moves(before: nn.Module, after: nn.Module, names: Iterable[str]) -> dict[str, torch.Tensor]:
    """Return {name: how far training moved the weight (out, in) of the layer of this name}."""
    weights = ([module.get_submodule(name).weight.detach().cpu() for module in (before, after)] for name in names)
    return {name: new - old for name, (old, new) in zip(names, weights, strict=True)}


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


def first_steps(lora: Callable, rs_scale: Callable, ranks: Sequence[int], alpha: float, size: int = 192) -> str:
    """Return a table: how far the first step of AdamW moves a weight (size, size), by rank, under both factors.

    lora(base, r, alpha) is a LoRA layer with `A`, `B` and `scale`; rs_scale(alpha, r) is rsLoRA's factor.
    """
    lines = [f"{'rank':>4}{'times alpha / r':>18}{'times alpha / root of r':>26}"]
    for r in ranks:
        torch.manual_seed(0)
        layer, x = lora(nn.Linear(size, size), r, alpha), torch.randn(64, size)
        optimizer = torch.optim.AdamW([layer.A, layer.B], lr=1e-3, weight_decay=0.0)
        (layer(x) - torch.randn(64, size)).square().mean().backward()
        optimizer.step()
        moved = torch.linalg.matrix_norm(layer.B.detach() @ layer.A.detach()).item()
        lines.append(f"{r:>4}{layer.scale * moved:>18.3f}{rs_scale(alpha, r) * moved:>26.3f}")
    return "\n".join(lines)
