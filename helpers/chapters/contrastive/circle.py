"""Free points on a circle under a triplet loss: what the sign of a loss does."""

from collections.abc import Callable

import torch
import torch.nn.functional as F

from helpers.device import SEED, seed_everything

POINTS = 20  # in two classes that alternate


def train(loss: Callable, steps: int, sign: float = 1.0) -> tuple[torch.Tensor, torch.Tensor, float]:
    """Move free points by a triplet loss times `sign`, always from the same start.

    loss: a function of the similarities (N,) of positives and of negatives, such as a margin loss.
    Returns (points (20, 2) of length 1, their classes (20,), the share whose nearest neighbour is of their class).
    """
    draw = seed_everything(SEED)
    points = torch.randn(POINTS, 2, generator=draw).requires_grad_()
    optimizer = torch.optim.Adam([points], lr=0.05)
    for _ in range(steps):
        anchor, positive, negative = _triplets(F.normalize(points, dim=-1), draw)
        optimizer.zero_grad()
        (sign * loss((anchor * positive).sum(-1), (anchor * negative).sum(-1))).backward()
        optimizer.step()
    z, classes = F.normalize(points.detach(), dim=-1), torch.arange(POINTS) % 2
    return z, classes, neighbours_right(z, classes)


def _triplets(z: torch.Tensor, draw: torch.Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return each point as an anchor once, another of its class, and one of the other class, each (20, 2)."""
    anchor = torch.randperm(POINTS, generator=draw)
    far = torch.randint(1, POINTS // 2, (2, POINTS), generator=draw)
    return z[anchor], z[(anchor + 2 * far[0]) % POINTS], z[(anchor + 2 * far[1] + 1) % POINTS]


def neighbours_right(vectors: torch.Tensor, classes: torch.Tensor) -> float:
    """Return the share of vectors (N, C) whose nearest other one, by cosine, is of the same class (N,)."""
    z = F.normalize(vectors, dim=-1)
    nearest = (z @ z.T).fill_diagonal_(-2).argmax(1)
    return (classes[nearest] == classes).float().mean().item()
