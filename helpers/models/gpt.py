"""The docs-gpt as later chapters use it: a GPT of the library's parts, with a cache, made from an artifact."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from helpers.course import artifacts

SIZES = ("vocab_size", "context_length", "d_model", "num_layers", "num_heads")
READS = 256  # tokens that a reader must see at once: a passage, a question and an answer
Cache = list[tuple[torch.Tensor, torch.Tensor]]


class Block(nn.Module):
    """A pre-norm block; its weights have the names of nn.TransformerEncoderLayer."""

    def __init__(self, d_model: int, num_heads: int):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x: torch.Tensor, cache=None) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        """Return (x (B, n, C) behind this block, the keys and values (B, H, T, d_k) of all tokens so far)."""
        attention = self.self_attn
        parts = F.linear(self.norm1(x), attention.in_proj_weight, attention.in_proj_bias).chunk(3, dim=-1)
        query, key, value = (v.unflatten(-1, (attention.num_heads, -1)).transpose(1, 2) for v in parts)
        if cache is not None:
            key, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)
        z = F.scaled_dot_product_attention(query, key, value, **_mask(query, key))
        x = x + attention.out_proj(z.transpose(1, 2).flatten(2))
        return x + self.linear2(F.gelu(self.linear1(self.norm2(x)))), (key, value)


def _mask(query: torch.Tensor, key: torch.Tensor) -> dict:
    """The causal mask for new queries behind a cache; without one the library's own is faster."""
    n, length = query.shape[2], key.shape[2]
    if n == length or n == 1:
        return {"is_causal": n > 1}
    return {"attn_mask": torch.ones(n, length, dtype=torch.bool, device=query.device).tril(length - n)}


class GPT(nn.Module):
    """A GPT with tied output. The sizes are those of an artifact's config."""

    def __init__(self, vocab_size: int, context_length: int, d_model: int, num_layers: int, num_heads: int):
        super().__init__()
        self.context_length, self.num_heads = context_length, num_heads
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(context_length, d_model)
        self.blocks = nn.ModuleList(Block(d_model, num_heads) for _ in range(num_layers))
        self.final_norm = nn.LayerNorm(d_model)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:  # what adds to the residual stream begins smaller in a deep stack
                inward = name.endswith(("out_proj.weight", "linear2.weight"))
                nn.init.normal_(weight, std=0.02 / math.sqrt(2 * num_layers) if inward else 0.02)

    def forward(self, token_ids: torch.Tensor) -> torch.Tensor:
        """Return the logits (B, T, V) of the next token after each of token_ids (B, T)."""
        return F.linear(self.hidden(token_ids), self.token_embedding.weight)

    def hidden(self, token_ids: torch.Tensor, caches: Cache | None = None) -> torch.Tensor:
        """Return the last vectors (B, n, C) of new tokens (B, n); `caches`, a list, is read and filled in place."""
        done = caches[0][0].shape[2] if caches else 0
        places = self.position_embedding.weight[done : done + token_ids.shape[1]]
        x, found = self.token_embedding(token_ids) + places, []
        for i, block in enumerate(self.blocks):
            x, cache = block(x, caches[i] if caches else None)
            found.append(cache)
        if caches is not None:
            caches[:] = found
        return self.final_norm(x)

    @torch.no_grad()
    def step(self, token_ids: torch.Tensor, caches: Cache) -> torch.Tensor:
        """Return the logits (B, V) behind new tokens (B, n); `caches`, at first an empty list, is filled in place."""
        return F.linear(self.hidden(token_ids, caches)[:, -1], self.token_embedding.weight)


def chosen(least: int = READS) -> artifacts.Artifact:
    """Return the docs-gpt to go on with: the student's own if it sees `least` tokens at once, else the reference."""
    artifact = artifacts.load("docs-gpt")
    if artifact.config["context_length"] >= least:
        return artifact
    print(
        f"Your docs-gpt sees {artifact.config['context_length']} tokens at once, and {least} are needed here:", end=" "
    )
    print("the reference stands in.")
    return artifacts.load("docs-gpt", own=False)


def tokenizer_of(artifact: artifacts.Artifact):
    """Return the tokenizer that a docs-gpt was trained with: its own copy, else that of the reference."""
    return artifacts.ready(artifact.tokenizer) if artifact.tokenizer else artifacts.load_tokenizer(own=False)


def load_gpt(own: bool | None = None) -> GPT:
    """Load the artifact docs-gpt, the student's own if there is one, ready to use."""
    return model_of(artifacts.load("docs-gpt", own))


def model_of(artifact: artifacts.Artifact, kind: type[GPT] = GPT) -> GPT:
    """Return the model of a docs-gpt, ready to use; `kind` may be a class with a forward pass of its own."""
    model = kind(**{name: artifact.config[name] for name in SIZES})
    model.load_state_dict(artifact.weights)
    return model.eval()
