"""The smallest transformer: two numbers a token, so that everything it learns can be drawn in the plane."""

import torch
from torch import nn

from helpers.models.functional import attention


class Femto(nn.Module):
    """Embedding, one attention layer with one head and without norms, an output embedding of its own."""

    def __init__(self, vocab_size: int, context_length: int):
        super().__init__()
        self.embedding, self.places = nn.Embedding(vocab_size, 2), nn.Embedding(context_length, 2)
        self.attention, self.output = nn.MultiheadAttention(2, 1, batch_first=True), nn.Linear(2, vocab_size)

    def forward(self, token_ids: torch.Tensor) -> torch.Tensor:
        """Return the logits (B, T, V) of the next token after each of token_ids (B, T)."""
        x = self.embedding(token_ids) + self.places.weight[: token_ids.shape[1]]
        named = {f"a.{name}": weight for name, weight in self.attention.named_parameters()}
        return self.output(x + attention(x, x, named, "a", 1, is_causal=True))
