"""The language model with a window of words (Bengio and others, 2003), its embeddings free, frozen or tied."""

from collections.abc import Callable

import torch
from torch import nn

WINDOW = 4  # words that the model looks back


class WindowModel(nn.Module):
    """Scores of the next word, (B, V), for the four words before it, (B, 4); without the direct path.

    logits: the formula, from (ids, E, W_h, b_h, W_o, b_o, W_d) to scores (B, V).
    start: the first vectors of the words, (V, d); None draws them. frozen: they do not learn.
    tied: the embeddings also score the next word, W_o = E^T (Press and Wolf, 2017).
    """

    def __init__(
        self,
        logits: Callable,
        size: int,
        width: int,
        start: torch.Tensor | None = None,
        frozen: bool = False,
        tied: bool = False,
    ):
        super().__init__()
        self.logits = logits
        vectors = torch.randn(size, width) * 0.1 if start is None else start.clone()
        self.E = nn.Parameter(vectors, requires_grad=not frozen)
        self.W_h = nn.Parameter(torch.randn(WINDOW * width, width) * 0.04)
        self.b_h = nn.Parameter(torch.zeros(width))
        self.W_o = None if tied else nn.Parameter(torch.randn(width, size) * 0.05)
        self.b_o = nn.Parameter(torch.zeros(size))
        self.register_buffer("W_d", torch.zeros(WINDOW * width, size))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return the scores by the formula that was given."""
        W_o = self.E.T if self.W_o is None else self.W_o
        return self.logits(ids, self.E, self.W_h, self.b_h, W_o, self.b_o, self.W_d)
