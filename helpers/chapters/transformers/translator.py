"""The encoder-decoder of Vaswani et al. (2017), of the student's blocks and layers."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

PAD = 0
LONGEST = 48  # places of a source or a target


class Translator(nn.Module):
    """An encoder and a decoder, both post-norm, over one vocabulary in which 0 is padding; the output is tied.

    encoder_block, decoder_layer: as chapter 05 writes them, with the weights by the names of
    nn.TransformerEncoderLayer and nn.TransformerDecoderLayer.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        num_layers: int,
        num_heads: int,
        encoder_block: Callable,
        decoder_layer: Callable,
    ):
        super().__init__()
        self.num_heads, self.encoder_block, self.decoder_layer = num_heads, encoder_block, decoder_layer
        self.tokens, self.places = nn.Embedding(vocab_size, d_model), nn.Embedding(LONGEST, d_model)
        sizes = {"dropout": 0.0, "activation": "gelu", "batch_first": True}
        self.encoder = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, num_heads, 4 * d_model, **sizes) for _ in range(num_layers)
        )
        self.decoder = nn.ModuleList(
            nn.TransformerDecoderLayer(d_model, num_heads, 4 * d_model, **sizes) for _ in range(num_layers)
        )
        for table in (self.tokens, self.places):
            nn.init.normal_(table.weight, std=0.1)

    def embed(self, token_ids: torch.Tensor) -> torch.Tensor:
        """Return the vectors (B, T, C) of token_ids (B, T)."""
        return self.tokens(token_ids) + self.places.weight[: token_ids.shape[1]]

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        """Return the logits (B, T, V) of what follows each token of the target (B, T), given the source (B, S)."""
        mask, x, y = (source != PAD)[:, None, None], self.embed(source), self.embed(target)
        for block in self.encoder:
            x = self.encoder_block(x, dict(block.named_parameters()), self.num_heads, mask=mask)
        for layer in self.decoder:
            y = self.decoder_layer(y, x, dict(layer.named_parameters()), self.num_heads, mask)
        return F.linear(y, self.tokens.weight)
