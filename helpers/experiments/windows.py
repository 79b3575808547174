"""What a window costs a trained model: docs-gpt reads held-out documents while its attention sees less."""

from collections.abc import Callable, Mapping

import torch
from torch.nn import functional as F

from helpers import data
from helpers.course import artifacts
from helpers.device import SEED
from helpers.models.gpt import GPT

LENGTH, COUNTED_FROM = 256, 128  # tokens of a text, and the first of them whose prediction counts
Attend = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def held_out(texts: int) -> torch.Tensor:
    """Return the first 256 tokens of documents that the reference docs-gpt has not read, (texts, 256)."""
    tokenizer = artifacts.load_tokenizer(own=False)
    documents = data.load("docs").split("test").documents
    draw = torch.Generator().manual_seed(SEED)
    rows = []
    for i in torch.randperm(len(documents), generator=draw).tolist():
        ids = tokenizer.encode(documents[i].text).ids
        if len(ids) >= LENGTH:
            rows.append(ids[:LENGTH])
        if len(rows) == texts:
            break
    return torch.tensor(rows)


@torch.no_grad()
def through(model: GPT, token_ids: torch.Tensor, attend: Attend, mask: torch.Tensor) -> torch.Tensor:
    """Return the logits (B, T, V) of a model whose attention is attend(queries, keys, values, mask) -> (B, H, T, d)."""
    device = model.token_embedding.weight.device
    token_ids, mask = token_ids.to(device), mask.to(device)
    x = model.token_embedding(token_ids) + model.position_embedding.weight[: token_ids.shape[1]]
    for block in model.blocks:
        own = block.self_attn
        parts = F.linear(block.norm1(x), own.in_proj_weight, own.in_proj_bias).chunk(3, dim=-1)
        queries, keys, values = (part.unflatten(-1, (own.num_heads, -1)).transpose(1, 2) for part in parts)
        x = x + own.out_proj(attend(queries, keys, values, mask).transpose(1, 2).flatten(2))
        x = x + block.linear2(F.gelu(block.linear1(block.norm2(x))))
    return F.linear(model.final_norm(x), model.token_embedding.weight)


def losses(model: GPT, token_ids: torch.Tensor, attend: Attend, masks: Mapping[str, torch.Tensor]) -> dict[str, float]:
    """Return {name: mean loss in nats of the tokens from the 128th on} with each of the masks, (256, 256) each."""
    loss_of = {}
    for name, mask in masks.items():
        logits = through(model, token_ids, attend, mask)[:, COUNTED_FROM - 1 : -1]
        targets = token_ids[:, COUNTED_FROM:].to(logits.device)
        loss_of[name] = float(F.cross_entropy(logits.flatten(0, 1), targets.flatten()))
    return loss_of
