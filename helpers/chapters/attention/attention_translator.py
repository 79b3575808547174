"""An encoder and a decoder for dates, with attention or with one vector between.

The old state asks, as in Bahdanau, Cho and Bengio (2014), by the general score of Luong, Pham and Manning (2015).
"""

from collections.abc import Callable

import torch
from torch import nn

from helpers.chapters.attention.date_letters import BEGIN

WIDTH, HIDDEN = 32, 64  # numbers of an embedded character, and of a state


class AttentionTranslator(nn.Module):
    """Reads characters in both directions and writes ISO dates.

    step:    one step of the decoder with attention: (embedded (B, WIDTH), hidden (B, HIDDEN), memory (B, T, HIDDEN),
             present (B, T) bool, W (HIDDEN, HIDDEN), a GRUCell, a Linear) to (logits (B, V), hidden, weights (B, T))
    ids:     the id of each character that may be read, from 1; 0 is padding
    attends: whether each step looks at all states of the encoder, or at the last ones alone, as one vector
    """

    def __init__(self, step: Callable, ids: dict[str, int], attends: bool = True):
        super().__init__()
        self.step, self.ids, self.attends = step, ids, attends
        self.read = nn.Embedding(len(ids) + 1, WIDTH, padding_idx=0)
        self.encoder = nn.GRU(WIDTH, HIDDEN // 2, bidirectional=True, batch_first=True)
        self.write = nn.Embedding(BEGIN + 1, WIDTH)
        self.W = nn.Parameter(torch.randn(HIDDEN, HIDDEN) / HIDDEN)
        self.cell = nn.GRUCell(WIDTH + HIDDEN, HIDDEN)
        self.output = nn.Linear(2 * HIDDEN, BEGIN)

    def encode(self, sources: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return (memory (B, T, HIDDEN), present (B, T), last states (B, HIDDEN)) of padded sources (B, T)."""
        present = sources != 0
        packed = nn.utils.rnn.pack_padded_sequence(
            self.read(sources), present.sum(1).cpu(), batch_first=True, enforce_sorted=False
        )
        states, last = self.encoder(packed)
        memory, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True, total_length=sources.shape[1])
        return memory, present, torch.cat([last[0], last[1]], dim=-1)

    def forward(self, sources: torch.Tensor, targets: torch.Tensor | int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits (B, L, V) and weights (B, L, T), T being 1 without attention.

        targets: (B, L), and each step is told what comes before it; or the number of steps L, without any help.
        """
        memory, present, hidden = self.encode(sources)
        if not self.attends:  # a memory of one place, seen by all
            memory, present = hidden.unsqueeze(1), torch.ones_like(present[:, :1])
        has_targets = isinstance(targets, torch.Tensor)
        num_steps = targets.shape[1] if has_targets else targets
        written = torch.full_like(sources[:, 0], BEGIN)  # (B,)
        all_logits, all_weights = [], []
        for i in range(num_steps):
            logits, hidden, weights = self.step(
                self.write(written), hidden, memory, present, self.W, self.cell, self.output
            )
            written = targets[:, i] if has_targets else logits.argmax(-1)
            all_logits.append(logits)
            all_weights.append(weights)
        return torch.stack(all_logits, 1), torch.stack(all_weights, 1)
