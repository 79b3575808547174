"""A training step of a bi-encoder, watched: what it does to a small encoder whose numbers can be recomputed."""

from collections.abc import Callable, Sequence

import torch
import torch._dynamo  # the first optimizer would import it, within the time of a case
from torch import nn

WORDS, WIDTH = 12, 3


class SmallEncoder(nn.Module):
    """The mean of a text's word vectors, times a matrix, in float64; the same for the same seed.

    Without a seed the word vectors are those of the axes, and the matrix changes nothing.
    """

    def __init__(self, seed: int | None):
        super().__init__()
        if seed is None:
            self.words = nn.Parameter(torch.eye(WORDS, WIDTH, dtype=torch.float64))
            self.matrix = nn.Parameter(torch.eye(WIDTH, dtype=torch.float64))
            return
        generator = torch.Generator().manual_seed(seed)
        self.words = nn.Parameter(torch.randn(WORDS, WIDTH, generator=generator, dtype=torch.float64))
        self.matrix = nn.Parameter(torch.randn(WIDTH, WIDTH, generator=generator, dtype=torch.float64))

    def forward(self, texts: Sequence[Sequence[int]]) -> torch.Tensor:
        """Return the vectors (len(texts), WIDTH) of one or more texts, lists of numbers of words."""
        if not texts:
            raise ValueError("an encoder takes at least one text")
        return torch.stack([self.words[list(text)].mean(dim=0) for text in texts]) @ self.matrix


def optimizer_of(kind: str, encoder: nn.Module, rate: float) -> torch.optim.Optimizer:
    """Return SGD, SGD with momentum, or Adam."""
    if kind == "Adam":
        return torch.optim.Adam(encoder.parameters(), lr=rate)
    momentum = 0.9 if kind == "momentum" else 0.0
    return torch.optim.SGD(encoder.parameters(), lr=rate, momentum=momentum)


def stepped(
    function: Callable, seed: int | None, kind: str, rate: float, batches: Sequence[tuple], stale: float = 0.0
) -> dict:
    """Return what `function` makes of a small encoder: the loss of each batch, and the weights at the end.

    kind: the optimizer, "SGD", "momentum" or "Adam". stale: the gradient that lies there before the first step.
    batches: (queries, passages, hard, groups) or (queries, passages, hard, groups, temperature), one for each step.
    """
    encoder = SmallEncoder(seed)
    optimizer = optimizer_of(kind, encoder, rate)
    if stale:
        for weights in encoder.parameters():
            weights.grad = torch.full_like(weights, stale)
    losses = [function(lambda texts: encoder(texts), optimizer, *batch) for batch in batches]
    return {"losses": losses, "words": encoder.words.detach(), "matrix": encoder.matrix.detach()}
