"""A classifier of texts from words: they attend to each other and are pooled by attention, or their mean is taken."""

import math
from collections.abc import Callable

import torch
from torch import nn

WIDTH = 32  # numbers of an embedded word
MORE = 3  # rows of the table of words beside the known ones: padding, the unknown word, and one that nothing uses


class AttentionClassifier(nn.Module):
    """One of `classes` from the words of a text.

    vocabulary: the id of each known word, from 2; 0 is padding, 1 an unknown word
    attend:     takes embedded words (B, T, WIDTH), present (B, T) bool, the four matrices W_q, W_k, W_v and W_o, each
                (WIDTH, WIDTH), and the pooling query (1, WIDTH); returns one vector for each text (B, WIDTH) and
                the weights of its heads (B, H, T, T). None takes the mean of the words.
    """

    def __init__(self, vocabulary: dict[str, int], classes: int, attend: Callable | None = None):
        super().__init__()
        self.vocabulary, self.attend = vocabulary, attend
        self.embed = nn.Embedding(len(vocabulary) + MORE, WIDTH, padding_idx=0)
        count = 4 if attend else 0
        self.matrices = nn.ParameterList([torch.randn(WIDTH, WIDTH) / math.sqrt(WIDTH) for _ in range(count)])
        self.query = nn.Parameter(torch.randn(1, WIDTH))
        self.decide = nn.Linear(WIDTH, classes)

    def forward(self, words: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return (logits (B, classes), weights (B, H, T, T) or None) of padded word ids (B, T)."""
        present, x, weights = words != 0, self.embed(words), None
        if self.attend:
            pooled, weights = self.attend(x, present, self.matrices, self.query)
        else:
            pooled = x.sum(1) / present.sum(1, keepdim=True)
        return self.decide(pooled), weights
