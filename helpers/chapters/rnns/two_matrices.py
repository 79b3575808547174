"""The two-matrix language model: the smallest one with embeddings, a bigram model of dot products."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import nn

# Vectors of the eight words of the mini corpus, (8, 2), drawn at random once: a model that has learned nothing.
RANDOM_E = np.array(
    [
        [0.884, 0.196],
        [0.358, -2.343],
        [-1.085, 0.560],
        [0.939, -0.978],
        [0.503, 0.406],
        [0.323, -0.493],
        [-0.792, -0.842],
        [-1.280, 0.246],
    ]
)
RANDOM_U = np.array(
    [
        [-0.044, 1.568],
        [1.051, 0.406],
        [-0.169, -3.190],
        [1.120, 1.333],
        [-0.243, -0.130],
        [-0.109, 1.556],
        [0.129, -2.067],
        [-0.885, -1.105],
    ]
)


class TwoMatrices(nn.Module):
    """Scores of the next word, (B, V), for numbers of the previous word, (B,): the products of their vectors.

    E, U: the vectors of the `size` words as previous and as next, (V, M).
    """

    def __init__(self, size: int, width: int):
        super().__init__()
        self.E = nn.Embedding(size, width)
        self.U = nn.Embedding(size, width)

    def forward(self, previous: torch.Tensor) -> torch.Tensor:
        """Return U v for each word of the batch."""
        return self.E(previous) @ self.U.weight.T


def next_probabilities(E: np.ndarray, U: np.ndarray, i: int) -> np.ndarray:
    """Return the probabilities of the next word after word i, (V,): the softmax of U e_i."""
    scores = U @ E[i]
    shares = np.exp(scores - scores.max())
    return shares / np.sum(shares)


def mean_nll(E: np.ndarray, U: np.ndarray, ids: Sequence[int]) -> float:
    """Return the mean of -ln p(next word | word) over the pairs of a text, in nats."""
    return float(np.mean([-np.log(next_probabilities(E, U, i)[j]) for i, j in pairwise(ids)]))


def drawn(E: np.ndarray, U: np.ndarray, start: int, uniforms: Sequence[float]) -> list[int]:
    """Return [start, ...]: after each word the one into whose piece of the line from 0 to 1 the next number falls."""
    ids = [int(start)]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(E, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, r, side="right")), len(U) - 1))
    return ids
