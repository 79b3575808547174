"""A small BERT (Devlin et al. 2019) of the student's blocks, and a linear head on it for fine-tuning."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

from helpers.chapters.transformers.packing import PAD
from helpers.course import artifacts


class Encoder(nn.Module):
    """Embeddings, blocks, and an output for masked words that is tied to the token embedding.

    block: block(x (B, T, C), weights by name, num_heads, norm_first, mask) -> (B, T, C), as chapter 05 writes it;
    the names are those of nn.TransformerEncoderLayer.
    """

    def __init__(
        self, vocab_size: int, context_length: int, d_model: int, num_layers: int, num_heads: int, block: Callable
    ):
        super().__init__()
        self.num_heads, self.block = num_heads, block
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.places, self.segments = nn.Embedding(context_length, d_model), nn.Embedding(2, d_model)
        self.norm, self.neighbours = nn.LayerNorm(d_model), nn.Conv1d(d_model, d_model, 3, padding=1)
        sizes = {"dropout": 0.0, "activation": "gelu", "batch_first": True, "norm_first": True}
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, num_heads, 4 * d_model, **sizes) for _ in range(num_layers)
        )
        self.transform = nn.Sequential(nn.Linear(d_model, d_model), nn.GELU(), nn.LayerNorm(d_model))
        self.bias = nn.Parameter(torch.zeros(vocab_size))
        for table in (self.tokens, self.segments):
            nn.init.normal_(table.weight, std=0.02)
        self.places.weight.data = 0.02 * sinusoids(context_length, d_model)

    def forward(self, token_ids: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the vector of each token, (B, T, C), for token_ids and segments (B, T)."""
        seen = token_ids != PAD
        x = self.tokens(token_ids) + self.places.weight[: token_ids.shape[1]] + self.segments(segments)
        x = self.norm(x)
        x = x + self.neighbours(x.mT).mT  # each token's own two neighbours, from the beginning (Jiang et al. 2020)
        for layer in self.blocks:
            x = self.block(x, dict(layer.named_parameters()), self.num_heads, True, seen[:, None, None])
        return x

    def guess(self, vectors: torch.Tensor) -> torch.Tensor:
        """Return the logits (n, V) of the words under the vectors (n, C)."""
        return F.linear(self.transform(vectors), self.tokens.weight, self.bias)


def sinusoids(length: int, d_model: int) -> torch.Tensor:
    """Return the position encoding of Vaswani et al. (2017), (length, d_model): sines and cosines by turns."""
    angles = torch.arange(length)[:, None] * 10_000.0 ** (-torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


class Headed(nn.Module):
    """An encoder with a linear head; `whole` says whether the head looks at the mean of all tokens."""

    def __init__(self, encoder: Encoder, outputs: int, whole: bool):
        super().__init__()
        width, self.encoder, self.whole = encoder.tokens.embedding_dim, encoder, whole
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, outputs))

    def forward(self, token_ids: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return (B, outputs) of whole texts, or (B, T, outputs) of tokens."""
        if self.whole:  # places that are padding in all rows cost time; the first of them is a neighbour still
            longest = int((token_ids != PAD).sum(dim=1).max()) + 1
            token_ids, segments = token_ids[:, :longest], segments[:, :longest]
        vectors = self.encoder(token_ids, segments)
        if self.whole:
            seen = (token_ids != PAD)[..., None]
            vectors = (vectors * seen).sum(dim=1) / seen.sum(dim=1)
        return self.head(vectors)


def inbox_bert(block: Callable) -> Encoder:
    """Return the reference inbox-bert, computed by `block`."""
    artifact = artifacts.load("inbox-bert", own=False)
    encoder = Encoder(**artifact.config, block=block)
    encoder.load_state_dict(artifact.weights)
    return encoder
