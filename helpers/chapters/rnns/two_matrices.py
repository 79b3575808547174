"""The two-matrix language model: the smallest one with embeddings, a bigram model of dot products."""

import numpy as np
import torch
from torch import nn

# Vectors of the eight words of the mini corpus, (8, 2), drawn at random once: a model that has learned nothing.
RANDOM_V = np.array(
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
    """Scores of the next word, (B, W), for numbers of the previous word, (B,): the products of their vectors.

    V, U: the vectors of the `size` words as previous and as next, (W, M).
    """

    def __init__(self, size: int, width: int):
        super().__init__()
        self.V = nn.Embedding(size, width)
        self.U = nn.Embedding(size, width)

    def forward(self, previous: torch.Tensor) -> torch.Tensor:
        """Return U v for each word of the batch."""
        return self.V(previous) @ self.U.weight.T
