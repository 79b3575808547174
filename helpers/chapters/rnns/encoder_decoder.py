"""An encoder and a decoder that are joined by one state (Sutskever and others, 2014; Cho and others, 2014)."""

from collections.abc import Callable

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class EncoderDecoder(nn.Module):
    """Two LSTMs over characters; the weights of the artifact date-translator.

    sources, targets: how many characters there are to read and to write. begin: the first that the decoder is fed.
    forced: (this model, sources (B, S), lengths (B,), targets (B, T), begin) -> the scores of all targets, (B, T, K),
    each told what comes before it (teacher forcing). read, write: the widths of the vectors of characters.
    """

    def __init__(
        self,
        sources: int,
        targets: int,
        begin: int,
        forced: Callable,
        width: int = 128,
        read: int = 64,
        write: int = 32,
    ):
        super().__init__()
        self.begin, self.forced = begin, forced
        self.read_embed, self.write_embed = nn.Embedding(sources, read), nn.Embedding(targets, write)
        self.encoder = nn.LSTM(read, width, batch_first=True)
        self.decoder = nn.LSTM(write, width, batch_first=True)
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
        """Return the scores of all targets, (B, T, K), by `forced`; packing asks for lengths on the CPU."""
        return self.forced(self, x, lengths.cpu(), targets, self.begin)

    def step(self, tokens: torch.Tensor, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the scores (B, K) after the last tokens (B,), and the next state: one step of greedy decoding."""
        states, state = self.states(tokens[:, None], state)
        return self.out(states[:, 0]), state


PARTS = ("read_embed", "encoder", "write_embed", "decoder", "out")


def small_translator(seed: int, begin: int) -> EncoderDecoder:
    """Return a small network in 64 bits, 9 characters to read and 5 or more to write; the same for the same seed."""
    model = EncoderDecoder(9, max(begin + 1, 5), begin, lambda *_: None, width=4, read=3, write=3).double()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=generator, dtype=torch.float64))
    return model


def forced(
    function: Callable, seed: int, x: torch.Tensor, lengths: torch.Tensor, targets: torch.Tensor, begin: int
) -> dict:
    """Return what `function` makes of a small network: its scores, (B, T, K), and how much each part is to learn.

    learns: the norm of the gradient of the sum of the squared scores, for each part; 0.0 where none came back.
    dtype: that of the scores.
    """
    model = small_translator(seed, begin)
    scores = function(model, x, lengths, targets, begin)
    if scores.requires_grad:
        (scores * scores).sum().backward()
    learns = {}
    for name in PARTS:
        gradients = [p.grad.flatten() for p in getattr(model, name).parameters() if p.grad is not None]
        learns[name] = torch.cat(gradients).norm().item() if gradients else 0.0
    return {"scores": scores.detach(), "learns": learns, "dtype": str(scores.dtype)}
