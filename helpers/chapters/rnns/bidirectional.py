"""A language model that reads both ways, and a probe of its layers (ELMo; Peters and others, 2018)."""

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional as F


class BidirectionalLM(nn.Module):
    """Two stacks of two LSTMs: one reads forwards and scores the next word, one backwards and scores the one before."""

    def __init__(self, size: int, width: int = 64):
        super().__init__()
        self.embed = nn.Embedding(size, width)
        self.read = nn.ModuleList(nn.LSTM(width, width, batch_first=True) for _ in range(4))  # two each way
        self.out = nn.Linear(width, size)

    def one_way(self, ids: torch.Tensor, first: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the vectors and the states of both layers, each (B, T, width), of the stack that begins at `first`."""
        e = self.embed(ids)
        one = self.read[first](e)[0]
        return e, one, self.read[first + 1](one)[0] + one  # a residual connection, as in ELMo

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the scores of the next word and of the word before, each for the words that have one."""
        return self.out(self.one_way(ids, 0)[2][:, :-1]), self.out(self.one_way(ids.flip(1), 2)[2][:, :-1])

    def layers(self, ids: torch.Tensor, lengths: torch.Tensor, reverse_padded: Callable) -> torch.Tensor:
        """Return the static vectors and both layers of states, (3, B, T, 2 * width), for words (B, T), lengths (B,).

        reverse_padded: turns sequences (B, T, C) round, each within its length.
        """
        turned = reverse_padded(ids[..., None], lengths)[..., 0]
        there = torch.stack(self.one_way(ids, 0))
        back = torch.stack([reverse_padded(states, lengths) for states in self.one_way(turned, 2)])
        return torch.cat([there, back], dim=-1)


def two_way_loss(model: BidirectionalLM, ids: torch.Tensor) -> torch.Tensor:
    """Return the loss of both directions, in nats a word, for word numbers (B, T)."""
    after, before = model(ids)
    forwards = F.cross_entropy(after.flatten(0, 1), ids[:, 1:].flatten())
    return forwards + F.cross_entropy(before.flatten(0, 1), ids.flip(1)[:, 1:].flatten())


class ELMoProbe(nn.Module):
    """A linear classifier of two senses, (B, 2), on a mix of three layers (B, 3, C) that is learned with it.

    elmo_mix: (layers (L, B, T, C), weights (L,), gamma) -> the mix, (B, T, C).
    """

    def __init__(self, elmo_mix: Callable, width: int):
        super().__init__()
        self.elmo_mix = elmo_mix
        self.mix, self.gamma = nn.Parameter(torch.zeros(3)), nn.Parameter(torch.ones(()))
        self.out = nn.Linear(width, 2)

    def forward(self, layers: torch.Tensor) -> torch.Tensor:
        """Return the scores of the senses."""
        return self.out(self.elmo_mix(layers.transpose(0, 1)[:, :, None], self.mix, self.gamma)[:, 0])
