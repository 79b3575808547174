"""What one token costs behind a long cache: keys and values kept, made anew from latents, or never made."""

from collections.abc import Callable

import torch
import torch.nn.functional as F

from helpers.course.call_cost import least_seconds

C, HEADS, WIDTH, RANK = 512, 16, 64, 128


def weights() -> dict[str, torch.Tensor]:
    """Return random weights of one latent attention, (out, in)."""
    generator = torch.Generator().manual_seed(0)
    shapes = {"query": (HEADS * WIDTH, C), "down": (RANK, C), "key": (HEADS * WIDTH, RANK)}
    shapes["value"] = shapes["key"]
    return {n: torch.randn(s, generator=generator) / s[1] ** 0.5 for n, s in shapes.items()}


def _heads(x: torch.Tensor) -> torch.Tensor:
    return x.unflatten(-1, (HEADS, WIDTH)).transpose(1, 2)


@torch.no_grad()
def table(latent_step: Callable, length: int, repeats: int) -> str:
    """Return bytes of the cache, milliseconds of one more token, and the largest difference between three ways."""
    p, generator = weights(), torch.Generator().manual_seed(1)
    x = torch.randn(1, length, C, generator=generator)
    latents = x @ p["down"].T
    kept = [_heads(latents @ p[name].T) for name in ("key", "value")]

    def attend(keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        query = _heads((x[:, -1] @ p["query"].T)[:, None])
        return F.scaled_dot_product_attention(query, keys, values).transpose(1, 2).flatten(1)

    ways = {
        "keys and values kept": (lambda: attend(*kept), sum(t.numel() for t in kept)),
        "latents kept, keys and values made": (
            lambda: attend(*(_heads(latents @ p[n].T) for n in ("key", "value"))), latents.numel()),
        "latents kept, nothing made": (lambda: latent_step(x[:, -1], latents, p, HEADS), latents.numel()),
    }  # fmt: skip
    first, lines = ways["keys and values kept"][0](), [f"{'way':<38}{'cache':>10}{'a token':>11}{'difference':>13}"]
    for name, (way, numbers) in ways.items():
        seconds = least_seconds(way, repeats=repeats)
        gap = float((torch.as_tensor(way()) - first).abs().max())
        lines.append(f"{name:<38}{numbers * 2 / 2**20:>7.1f} MB{1000 * seconds:>8.2f} ms{gap:>13.1e}")
    return "\n".join(lines)


CACHES = {  # numbers that a token leaves: in all layers together
    "Llama 2 7B, multi-head": 2 * 32 * 128 * 32,
    "Llama 3 8B, 8 heads of keys": 2 * 8 * 128 * 32,
    "DeepSeek-V3 671B, 512 + 64": (512 + 64) * 61,
    "the same with 128 heads kept": 2 * 128 * 128 * 61,
}


def published(length: int = 32_768) -> str:
    """Return the caches of published models in 16 bits, for one token and for a long text."""
    lines = [f"{'model':<34}{'bytes a token':>15}{f'at {length:,}':>14}"]
    lines += [f"{name:<34}{2 * n:>15,}{2 * n * length / 2**30:>10.2f} GiB" for name, n in CACHES.items()]
    return "\n".join(lines)
