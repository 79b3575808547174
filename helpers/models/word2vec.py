"""The models of word2vec (Mikolov et al. 2013): skip-gram, CBoW, and CBoW of the words before as a language model."""

from collections.abc import Callable

import torch
from torch import nn
from torch.nn.functional import embedding


class SkipGram(nn.Module):
    """Two vectors for each word: one as a centre (inputs), one as context (outputs)."""

    def __init__(self, size: int, width: int):
        """Make two tables, (size, width): small random inputs, and outputs of zeros."""
        super().__init__()
        self.inputs = nn.Parameter((torch.rand(size, width) - 0.5) / width)
        self.outputs = nn.Parameter(torch.zeros(size, width))

    def forward(self, ids: torch.Tensor, pairs: torch.Tensor, noise: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return (scores (L, T, T), pairs, scores (n, K) of each different centre with the noise, its pairs (n,)).

        ids: (L, T), the lines of a step; pairs: (L, T, T) booleans, centres in rows; noise: (K,) word ids.
        """
        many = torch.zeros(len(self.inputs), device=ids.device)
        many.index_add_(0, ids.flatten(), pairs.sum(2).flatten().float())
        centres = many.nonzero()[:, 0]
        scores = embedding(ids, self.inputs) @ embedding(ids, self.outputs).transpose(1, 2)
        return scores, pairs, embedding(centres, self.inputs) @ embedding(noise, self.outputs).T, many[centres]


class CBoW(SkipGram):
    """The other way round: the mean of the context predicts the centre."""

    def forward(self, ids: torch.Tensor, pairs: torch.Tensor, noise: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return (scores (L, T), which places have context (L, T), scores (n, K / 4) with the noise, ones (n,)).

        The arguments are those of SkipGram. Each of the n places with context is held against the noise anew, so a
        quarter of the noise will do.
        """
        many = pairs.sum(2)  # (L, T) how much context each place has
        means = pairs.float() @ embedding(ids, self.inputs) / many.clamp(min=1)[..., None]
        scores = (means * embedding(ids, self.outputs)).sum(-1)
        against = means[many > 0] @ embedding(noise[: len(noise) // 4], self.outputs).T
        return scores, many > 0, against, torch.ones(len(against), device=ids.device)


class CausalBag(nn.Module):
    """CBoW of the words before, as a language model.

    scores: (windows (B, 2R), inputs, outputs, causal) -> scores (B, V)
    """

    def __init__(self, scores: Callable, size: int, width: int):
        """Make two random tables, (size, width)."""
        super().__init__()
        self.scores = scores
        self.inputs = nn.Parameter(torch.randn(size, width) / 10)
        self.outputs = nn.Parameter(torch.randn(size, width) / 10)

    def forward(self, windows: torch.Tensor) -> torch.Tensor:
        """Return the score of every word for the place that each window (B, 2R) surrounds, (B, V)."""
        return self.scores(windows, self.inputs, self.outputs, causal=True)
