"""The docs-gpt taken apart for adapting: W_Q, W_K, W_V and W_O are linear layers, and blocks have sockets."""

import torch
import torch.nn.functional as F
from torch import nn

from helpers.models.gpt import GPT

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj")


class OpenAttention(nn.Module):
    """Multi-head attention with four linear layers, any of which may be exchanged for another module."""

    def __init__(self, d_model: int, num_heads: int):
        super().__init__()
        for name in PROJECTIONS:
            setattr(self, name, nn.Linear(d_model, d_model))
        self.num_heads = num_heads

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None, cache=None) -> tuple[torch.Tensor, tuple]:
        """Return (what attention adds (B, n, C), keys and values (B, H, T, d_k)); mask (B, 1, n, T) or None: causal."""
        parts = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        query, key, value = (v.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for v in parts)
        if cache is not None:
            key, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)
        causal = mask is None and query.shape[2] > 1
        z = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal)
        return self.o_proj(z.transpose(1, 2).flatten(2)), (key, value)


class OpenBlock(nn.Module):
    """A pre-norm block; `after_attention` and `after_feed` are sockets for bottleneck adapters."""

    def __init__(self, d_model: int, num_heads: int):
        super().__init__()
        self.attention = OpenAttention(d_model, num_heads)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.linear1, self.linear2 = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)
        self.after_attention, self.after_feed = nn.Identity(), nn.Identity()

    def forward(self, x: torch.Tensor, mask=None, cache=None) -> tuple[torch.Tensor, tuple]:
        """Return (x (B, n, C) behind this block, the keys and values of all tokens so far)."""
        added, cache = self.attention(self.norm1(x), mask, cache)
        x = x + self.after_attention(added)
        return x + self.after_feed(self.linear2(F.gelu(self.linear1(self.norm2(x))))), cache


class OpenGPT(nn.Module):
    """A GPT of open blocks, with the weights of a helpers.models.gpt.GPT; the same logits."""

    def __init__(self, gpt: GPT):
        super().__init__()
        d_model = gpt.token_embedding.embedding_dim
        self.context_length = gpt.context_length
        self.token_embedding = nn.Embedding(gpt.token_embedding.num_embeddings, d_model)
        self.position_embedding = nn.Embedding(gpt.context_length, d_model)
        heads = [block.self_attn.num_heads for block in gpt.blocks]
        self.blocks = nn.ModuleList(OpenBlock(d_model, n) for n in heads)
        self.final_norm = nn.LayerNorm(d_model)
        self.load_state_dict(opened(gpt.state_dict()))

    def forward(self, token_ids: torch.Tensor, places: torch.Tensor | None = None, mask=None) -> torch.Tensor:
        """Return the logits (B, T, V); see `hidden`."""
        return F.linear(self.hidden(token_ids, places, mask), self.token_embedding.weight)

    def hidden(self, token_ids: torch.Tensor, places: torch.Tensor | None = None, mask=None, caches=None):
        """Return the last vectors (B, n, C) of token_ids (B, n).

        places: the position of each token (B, n); None counts on from the cache. mask: booleans (B, n, T), True where
        a token may look; None is causal. caches: a list, read and filled in place.
        """
        done = caches[0][0].shape[2] if caches else 0
        places = torch.arange(done, done + token_ids.shape[1], device=token_ids.device) if places is None else places
        x, found = self.token_embedding(token_ids) + self.position_embedding(places), []
        for i, block in enumerate(self.blocks):
            x, cache = block(x, None if mask is None else mask[:, None], caches[i] if caches else None)
            found.append(cache)
        if caches is not None:
            caches[:] = found
        return self.final_norm(x)

    @torch.no_grad()
    def step(self, token_ids: torch.Tensor, caches: list) -> torch.Tensor:
        """Return the logits (B, V) behind token_ids: a prompt (B, n) at first, then one new token (B, 1) at a time."""
        return F.linear(self.hidden(token_ids, caches=caches)[:, -1], self.token_embedding.weight)


def opened(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the weights of a GPT (helpers.models.gpt) under the names of OpenGPT: the packed projection in three."""
    made = {}
    for name, value in state.items():
        before, packed, kind = name.partition("self_attn.in_proj_")
        if packed:
            made |= {f"{before}attention.{p}.{kind}": v for p, v in zip(PROJECTIONS[:3], value.chunk(3), strict=True)}
        else:
            made[name.replace("self_attn.out_proj", "attention.o_proj")] = value
    return made
