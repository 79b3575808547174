"""A causal block whose four parts are GPT-2's or today's, one line each, and a small model of such blocks."""

import torch
import torch.nn.functional as F
from torch import nn

PARTS = ("RMSNorm", "SwiGLU", "rotary", "grouped-query")
GROUP = 4  # queries that share a key


class FeedForward(nn.Module):
    """Linear, GELU, linear, four times as wide; or SwiGLU (Shazeer 2020), with three matrices two thirds as wide."""

    def __init__(self, d_model: int, gated: bool):
        super().__init__()
        width = d_model * 8 // 3 if gated else 4 * d_model
        self.w1, self.w2 = nn.Linear(d_model, width, bias=not gated), nn.Linear(width, d_model, bias=not gated)
        self.w3 = nn.Linear(d_model, width, bias=False) if gated else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (..., C) for x (..., C)."""
        return self.w2(F.gelu(self.w1(x)) if self.w3 is None else F.silu(self.w1(x)) * self.w3(x))


class ModernBlock(nn.Module):
    """A pre-norm block; `parts` names those of PARTS that are today's, the others are GPT-2's."""

    def __init__(self, d_model: int, num_heads: int, parts: tuple[str, ...] = ()):
        super().__init__()
        norm = nn.RMSNorm if "RMSNorm" in parts else nn.LayerNorm  # RMSNorm: Zhang and Sennrich 2019
        self.norm1, self.norm2 = norm(d_model), norm(d_model)
        self.head, self.rotary = d_model // num_heads, "rotary" in parts
        kv_heads = max(1, num_heads // GROUP) if "grouped-query" in parts else num_heads
        self.query, self.out = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.key, self.value = (nn.Linear(d_model, kv_heads * self.head) for _ in "kv")
        self.feed = FeedForward(d_model, "SwiGLU" in parts)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (B, T, C) for x (B, T, C); no token sees what comes after it."""
        h = self.norm1(x)
        query, key, value = (
            f(h).unflatten(-1, (-1, self.head)).transpose(1, 2) for f in (self.query, self.key, self.value)
        )
        if self.rotary:
            query, key = rotated(query), rotated(key)
        # Grouped-query attention (Ainslie et al. 2023): several queries look at one key.
        key, value = (v.repeat_interleave(query.shape[1] // v.shape[1], dim=1) for v in (key, value))
        z = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.out(z.transpose(1, 2).flatten(2))
        return x + self.feed(self.norm2(x))


def rotated(x: torch.Tensor) -> torch.Tensor:
    """Return x (B, H, T, d_k), each pair of numbers turned by an angle that grows with its place (Su et al. 2021)."""
    T, half = x.shape[2], x.shape[3] // 2
    rates = 10_000.0 ** (-torch.arange(half, device=x.device) / half)
    angles = torch.arange(T, device=x.device)[:, None] * rates  # (T, d_k / 2)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)


class ModernGPT(nn.Module):
    """A small GPT of these blocks with tied output; places are a table unless they are rotary."""

    def __init__(self, vocab_size: int, context_length: int, d_model: int, num_layers: int, num_heads: int, parts=()):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.places = None if "rotary" in parts else nn.Embedding(context_length, d_model)
        self.blocks = nn.Sequential(*(ModernBlock(d_model, num_heads, parts) for _ in range(num_layers)))
        self.norm = nn.RMSNorm(d_model) if "RMSNorm" in parts else nn.LayerNorm(d_model)
        for table in self.modules():
            if isinstance(table, nn.Embedding):
                nn.init.normal_(table.weight, std=0.02)

    def forward(self, token_ids: torch.Tensor) -> torch.Tensor:
        """Return the logits (B, T, V) of the next token after each of token_ids (B, T)."""
        x = self.tokens(token_ids)
        x = x if self.places is None else x + self.places.weight[: token_ids.shape[1]]
        return F.linear(self.norm(self.blocks(x)), self.tokens.weight)

    def cache_bytes(self) -> int:
        """Return the bytes of keys and values that one token leaves in a cache of bf16."""
        return sum(2 * 2 * block.key.out_features for block in self.blocks)
