"""What residual connections and norms do to a deep stack of untrained blocks: its signal, gradient and tokens."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.device import SEED, seed_everything
from helpers.models.functional import attention

TEXTS, TOKENS, HEADS = 4, 16, 4
Block = Callable[[torch.Tensor, dict], torch.Tensor]


def plain_block(
    x: torch.Tensor,
    p: dict,
    num_heads: int,
    layer_norm: Callable,
    feed_forward: Callable,
    residual: bool = True,
    norm: bool = True,
) -> torch.Tensor:
    """Return a pre-norm block of x (B, T, C), its residual connections or its norms left out where False.

    layer_norm(x, weight, bias) and feed_forward(x, w1, b1, w2, b2) are the student's.
    """

    def prepared(v, i):
        return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"]) if norm else v

    y = residual * x + attention(v := prepared(x, 1), v, p, "self_attn", num_heads)
    feed = [p[f"linear{i}.{kind}"] for i in (1, 2) for kind in ("weight", "bias")]
    return residual * y + feed_forward(prepared(y, 2), *feed)


def probe(block: Block, depth: int, d_model: int = 64, seed: int = SEED) -> tuple[float, float, float]:
    """Send random tokens through `depth` untrained blocks, and a random gradient back.

    Returns (size of the signal behind the last block, of the gradient before the first, both standard deviations;
    mean cosine between two tokens of a text behind the last).
    """
    seed_everything(seed)
    x = torch.randn(TEXTS, TOKENS, d_model, requires_grad=True)
    h = x
    for _ in range(depth):
        layer = nn.TransformerEncoderLayer(d_model, HEADS, 4 * d_model, 0.0, "gelu", batch_first=True)
        h = block(h, dict(layer.named_parameters()))
    (h * torch.randn_like(h)).sum().backward()
    return h.std().item(), x.grad.std().item(), alike(h.detach())


def alike(x: torch.Tensor) -> float:
    """Return the mean cosine between two different tokens of the same text, for x (B, T, C)."""
    tokens, count = F.normalize(x, dim=-1), x.shape[1]
    return (((tokens @ tokens.mT).sum((1, 2)) - count) / (count * (count - 1))).mean().item()


def at_the_end(probed: Mapping[str, Sequence]) -> list[str]:
    """Return for each kind of block what was measured in the deepest stack, in words."""
    last = {name: np.asarray(found)[-1] for name, found in probed.items()}
    return [f"{n}: signal {v[0]:.2g}, gradient {v[1]:.2g}, cosine {v[2]:.2f}" for n, v in last.items()]
