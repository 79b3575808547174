"""A language model of characters: an LSTM whose embeddings also score the next character."""

import torch
from torch import nn


class CharacterLM(nn.Module):
    """Scores of the next character, (B, T, V), for characters (B, T); the vectors are tied (Press and Wolf, 2017)."""

    def __init__(self, size: int, width: int = 256):
        super().__init__()
        self.embed = nn.Embedding(size, width)
        nn.init.normal_(self.embed.weight, std=0.1)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, ids: torch.Tensor, state=None) -> tuple[torch.Tensor, tuple]:
        """Return (scores, the LSTM's last state), beginning from a state if there is one."""
        states, state = self.lstm(self.embed(ids), state)
        return states @ self.embed.weight.T + self.bias, state
