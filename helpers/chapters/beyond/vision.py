"""What sees: the parameters of a vision transformer, and the block that its tokens go through."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

from helpers.models.functional import attention


def pre_norm_block(x: torch.Tensor, p: dict, num_heads: int, mask: torch.Tensor | None = None) -> torch.Tensor:
    """Return (B, T, C) for x (B, T, C): chapter 05's pre-norm block; mask: True where a query may look, all if None.

    p: the weights under the names of nn.TransformerEncoderLayer.
    """
    h = F.layer_norm(x, x.shape[-1:], p["norm1.weight"], p["norm1.bias"])
    x = x + attention(h, h, p, "self_attn", num_heads, mask)
    h = F.layer_norm(x, x.shape[-1:], p["norm2.weight"], p["norm2.bias"])
    h = F.gelu(F.linear(h, p["linear1.weight"], p["linear1.bias"]))
    return x + F.linear(h, p["linear2.weight"], p["linear2.bias"])


def blocks_of(d_model: int, num_layers: int, num_heads: int) -> nn.ModuleList:
    """Return layers of the library, whose parameters have the names that pre_norm_block knows."""
    sizes = {"dropout": 0.0, "activation": "gelu", "batch_first": True, "norm_first": True}
    layers = (nn.TransformerEncoderLayer(d_model, num_heads, 4 * d_model, **sizes) for _ in range(num_layers))
    return nn.ModuleList(layers)


class Weights(nn.Module):
    """The parameters of a vision transformer's encoder, under the names that the reader's `vit` knows.

    positions: False leaves the position vectors at 0 and untrained.
    """

    def __init__(
        self, size: tuple[int, int] = (8, 8), patch: int = 2, d_model: int = 64, num_layers: int = 2,
        num_heads: int = 4, positions: bool = True,
    ):  # fmt: skip
        super().__init__()
        self.num_layers, self.num_heads = num_layers, num_heads
        count = (size[0] // patch) * (size[1] // patch)
        self.patch = nn.Conv2d(1, d_model, patch, stride=patch)  # its weights, (C, 1, patch, patch)
        self.cls = nn.Parameter(0.02 * torch.randn(d_model))
        self.positions = nn.Parameter(0.02 * positions * torch.randn(1 + count, d_model), requires_grad=positions)
        self.blocks, self.norm = blocks_of(d_model, num_layers, num_heads), nn.LayerNorm(d_model)


class VisionTransformer(Weights):
    """A vision transformer with a head; what the encoder computes is the reader's own `vit`.

    vit: a function (images (B, channels, H, W), weights by name, num_layers, num_heads) -> (B, 1 + N, C).
    outputs: how many numbers the head gives; other sizes are those of Weights.
    """

    def __init__(self, vit: Callable, outputs: int = 10, d_model: int = 64, **sizes):
        super().__init__(d_model=d_model, **sizes)
        self.vit, self.head = vit, nn.Linear(d_model, outputs)

    def tokens(self, images: torch.Tensor) -> torch.Tensor:
        """Return the vectors (B, 1 + N, C) of [CLS] and of the patches of images (B, H, W)."""
        return self.vit(images[:, None], dict(self.named_parameters()), self.num_layers, self.num_heads)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return (B, outputs) of images (B, H, W): the head on the vector of [CLS]."""
        return self.head(self.tokens(images)[:, 0])
