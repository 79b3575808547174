"""Weights with a scale for each group, and a cache of keys and values in few bits: bytes and loss."""

from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from helpers.models.gpt import GPT

FRESH = 16  # tokens that are read at once; their keys and values are squeezed before the next ones come
LLAMA = {"layers": 32, "heads": 8, "numbers": 128, "tokens": 128_000}  # Llama 3 8B: heads of keys and values

SCALES: dict[str, Callable[[Tensor], int]] = {  # how many scales a matrix (out, in) has
    "a scale for each row": len,
    "one for the tensor": lambda weight: 1,
    "a scale for each 32": lambda weight: weight.numel() // 32,
}


@torch.no_grad()
def cached_nats(model: GPT, rows: Tensor, squeezed: Callable) -> float:
    """Return the loss in nats a token of rows (N, T), read some tokens at a time behind a cache of squeezed vectors.

    squeezed: vectors (n, d_k) -> the same, after a journey through few bits.
    """
    rows = rows.to(model.token_embedding.weight.device)
    caches, logits = [], []
    for new in rows.split(FRESH, dim=1):
        hidden = model.hidden(new, caches)
        logits.append(F.linear(hidden, model.token_embedding.weight))
        count = new.shape[1]
        caches[:] = [(_older(keys, count, squeezed), _older(values, count, squeezed)) for keys, values in caches]
    told = torch.cat(logits, dim=1)[:, :-1].flatten(0, 1)
    return float(F.cross_entropy(told, rows[:, 1:].flatten()))


def _older(part: Tensor, count: int, squeezed: Callable) -> Tensor:
    """Return keys or values (B, H, T, d_k), the last `count` places squeezed; those before them are already."""
    newest = part[:, :, -count:]
    vectors = torch.as_tensor(squeezed(newest.flatten(0, 2)))
    return torch.cat([part[:, :, :-count], vectors.view(newest.shape)], dim=2)


def cache_bytes(layers: int, heads: int, numbers: int, bits_of_number: float) -> float:
    """Return the bytes of one token's keys and values: two vectors of `numbers` in each head of each layer."""
    return 2 * layers * heads * numbers * bits_of_number / 8


def cache_table(model: GPT, loss: Mapping[float, tuple[str, float]]) -> str:
    """Return a table of caches: bytes a token, gigabytes for a long text in Llama 3 8B, nats.

    loss: {bits of a number, its scale included: (name, nats)}.
    """
    numbers = model.token_embedding.weight.shape[1] // model.num_heads
    lines = [f"{'keys and values':<22}{'bytes a token':>15}{'Llama 3 8B, 128,000 tokens':>28}{'nats a token':>14}"]
    for bits, (name, nats) in loss.items():
        own = cache_bytes(len(model.blocks), model.num_heads, numbers, bits)
        large = cache_bytes(LLAMA["layers"], LLAMA["heads"], LLAMA["numbers"], bits) * LLAMA["tokens"] / 1e9
        lines.append(f"{name:<22}{own:>15,.0f}{large:>25.1f} GB{nats:>14.3f}")
    return "\n".join(lines)
