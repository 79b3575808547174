"""Functions of weights that come by name, as `torch.nn.functional` has them of weights that come one by one."""

import torch
import torch.nn.functional as F


def attention(
    x: torch.Tensor,
    memory: torch.Tensor,
    p: dict,
    name: str,
    num_heads: int,
    mask: torch.Tensor | None = None,
    is_causal: bool = False,
) -> torch.Tensor:
    """Multi-head attention from x (B, T, C) to memory (B, S, C), with the library's core; returns (B, T, C).

    Args:
        x, memory: what looks, and what it looks at.
        p: the weights, under the names of nn.MultiheadAttention behind `name` and a point: in_proj_weight (3C, C) and
            in_proj_bias (3C,) hold those of queries, keys and values, one below the other; out_proj.weight (C, C) and
            out_proj.bias (C,).
        mask: booleans that fit (B, H, T, S), True where a query may look.
        is_causal: no query looks ahead.
    """
    matrices, biases = p[f"{name}.in_proj_weight"].chunk(3), p[f"{name}.in_proj_bias"].chunk(3)
    parts = [F.linear(v, w, b) for v, w, b in zip((x, memory, memory), matrices, biases, strict=True)]
    query, key, value = (v.unflatten(-1, (num_heads, -1)).transpose(1, 2) for v in parts)  # (B, H, T, d_k)
    z = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=is_causal)
    return F.linear(z.transpose(1, 2).flatten(2), p[f"{name}.out_proj.weight"], p[f"{name}.out_proj.bias"])


def part(p: dict, prefix: str) -> dict:
    """Return the weights whose names begin with `prefix`, without it."""
    return {name.removeprefix(prefix): value for name, value in p.items() if name.startswith(prefix)}
