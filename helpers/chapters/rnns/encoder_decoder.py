"""An encoder and a decoder that are joined by one state (Sutskever and others, 2014; Cho and others, 2014)."""

from collections.abc import Callable

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class EncoderDecoder(nn.Module):
    """Two LSTMs over characters; the weights of the artifact date-translator.

    sources, targets: how many characters there are to read and to write. begin: the first that the decoder is fed.
    shift_right: (targets (B, T), begin) -> what the decoder is fed in training, (B, T).
    """

    def __init__(self, sources: int, targets: int, begin: int, shift_right: Callable, width: int = 128):
        super().__init__()
        self.begin, self.shift_right = begin, shift_right
        self.read_embed, self.write_embed = nn.Embedding(sources, 64), nn.Embedding(targets, 32)
        self.encoder = nn.LSTM(64, width, batch_first=True)
        self.decoder = nn.LSTM(32, width, batch_first=True)
        self.out = nn.Linear(width, targets)

    def encode(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the last states, h and c side by side, (B, 2 * width), of sources (B, T)."""
        packed = pack_padded_sequence(self.read_embed(x), lengths.cpu(), batch_first=True, enforce_sorted=False)
        h, c = self.encoder(packed)[1]
        return torch.cat([h[0], c[0]], dim=-1)

    def states(self, tokens: torch.Tensor, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the decoder's states (B, T, width) for tokens (B, T), and its last state, (B, 2 * width)."""
        h, c = (part[None].contiguous() for part in state.chunk(2, dim=-1))
        states, (h, c) = self.decoder(self.write_embed(tokens), (h, c))
        return states, torch.cat([h[0], c[0]], dim=-1)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the scores of all targets, (B, T, K), each told what comes before it (teacher forcing)."""
        return self.out(self.states(self.shift_right(targets, self.begin), self.encode(x, lengths))[0])

    def step(self, tokens: torch.Tensor, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the scores (B, K) after the last tokens (B,), and the next state: one step of greedy decoding."""
        states, state = self.states(tokens[:, None], state)
        return self.out(states[:, 0]), state
