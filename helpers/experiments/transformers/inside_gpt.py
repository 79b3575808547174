"""What a tiny GPT learns from, and where each of its heads looks."""

import re

import torch

from helpers.models.gpt import GPT


class TinyText:
    """A short text in words and full stops.

    words: the tokens of the text. types: the different ones, sorted. rows: all windows as ids, (N, length).
    """

    def __init__(self, text: str, length: int):
        self.words = re.findall(r"\w+|[.!]", text.lower())
        self.types = sorted(set(self.words))
        self.rows = torch.tensor([self.types.index(word) for word in self.words]).unfold(0, length, 1)

    def __repr__(self) -> str:
        pairs = set(zip(self.words, self.words[1:], strict=False))
        return f"{len(self.words)} tokens, {len(self.types)} types, {len(pairs)} different pairs"


@torch.no_grad()
def attention_maps(model: GPT, token_ids: torch.Tensor) -> torch.Tensor:
    """Return the attention weights of one text (1, T) in all blocks, (layers, H, T, T), queries in rows."""
    token_ids = token_ids.to(model.token_embedding.weight.device)
    x = model.token_embedding(token_ids) + model.position_embedding.weight[: token_ids.shape[1]]
    maps = []
    for block in model.blocks:
        maps.append(_weights(block, x))
        x, _ = block(x)
    return torch.stack(maps)


def _weights(block, x: torch.Tensor) -> torch.Tensor:
    """Return the causal attention weights (H, T, T) of a pre-norm block that gets x (1, T, C)."""
    attention, T = block.self_attn, x.shape[1]
    projected = torch.nn.functional.linear(block.norm1(x), attention.in_proj_weight, attention.in_proj_bias)
    query, key = (v.unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)[0] for v in projected.chunk(3, -1)[:2])
    scores = query @ key.mT / query.shape[-1] ** 0.5  # (H, T, T)
    causal = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    return scores.masked_fill(~causal, -torch.inf).softmax(-1)
