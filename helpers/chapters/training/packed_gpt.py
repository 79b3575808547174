"""A small GPT that is handed the positions of its tokens and a mask for each row, so that documents can share rows."""

import torch
import torch.nn.functional as F
from torch import nn


class PackedBlock(nn.Module):
    """A pre-norm block whose attention sees what a mask (B, T, T) allows. dropout: on both branches."""

    def __init__(self, width: int, heads: int, dropout: float = 0.0):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.inward, self.outward = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """Return (B, T, C) for x (B, T, C); mask: (B, T, T), True where the row may see the column, or None: causal."""
        parts = self.inward(self.norm1(x)).chunk(3, dim=-1)
        query, key, value = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in parts)
        seen = {"is_causal": True} if mask is None else {"attn_mask": mask[:, None]}
        mixed = F.scaled_dot_product_attention(query, key, value, **seen).transpose(1, 2).flatten(2)
        x = x + self.dropout(self.outward(mixed))
        return x + self.dropout(self.feed(self.norm2(x)))


class PackedGPT(nn.Module):
    """A GPT with tied output over packed rows.

    vocabulary: V. length: the most positions. width: C. layers, heads: of the blocks. spread: the standard deviation of
    the first weights.
    """

    def __init__(
        self,
        vocabulary: int,
        length: int,
        width: int,
        layers: int,
        heads: int,
        dropout: float = 0.0,
        spread: float = 0.02,
    ):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(PackedBlock(width, heads, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        for weight in self.parameters():
            if weight.dim() == 2:
                nn.init.normal_(weight, std=spread)

    def forward(
        self, tokens: torch.Tensor, positions: torch.Tensor | None = None, mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return logits (B, T, V) for tokens (B, T); positions (B, T), from 0 on if None; mask as for a block."""
        if positions is None:
            positions = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
        x = self.tokens(tokens) + self.places(positions)
        for block in self.blocks:
            x = block(x, mask)
        return F.linear(self.norm(x), self.tokens.weight)


@torch.no_grad()
def leak(
    model: PackedGPT, tokens: torch.Tensor, positions: torch.Tensor, mask: torch.Tensor, owners: torch.Tensor
) -> float:
    """Return the largest change of a logit outside the first document when a token inside it is exchanged.

    tokens, positions: (1, T). mask: (1, T, T). owners: (T,); the first token of the first document is exchanged for
    each of 64 others.
    """
    model.eval()
    others = owners != owners[0]
    if not others.any():
        return 0.0
    before = model(tokens, positions, mask)[0, others]
    largest = 0.0
    for token in range(64):
        changed = tokens.clone()
        changed[0, 0] = token
        largest = max(largest, (model(changed, positions, mask)[0, others] - before).abs().max().item())
    return largest


def loss_sum(model: PackedGPT, piece: tuple) -> torch.Tensor:
    """Return the sum of the losses of a piece (tokens, targets), or (tokens, targets, positions, mask), in nats."""
    tokens, targets, *rest = piece
    logits = model(tokens, *rest)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-100, reduction="sum")


def count(piece: tuple) -> int:
    """Return how many targets a piece has."""
    return int((piece[1] != -100).sum())


def batch_loss(model: PackedGPT, piece: tuple) -> torch.Tensor:
    """Return the mean loss over the targets of a piece, a tensor to go backward from."""
    return loss_sum(model, piece) / count(piece)


def share_of_rate(done: float, first: float = 0.02) -> float:
    """Return the share of the peak rate when this share of a run, from 0 to 1, is done: warm-up, stable, decay.

    first: the share at the beginning.
    """
    return min(first + 10 * done, 1.0, 2 * (1 - done))


def on(device: str, parts: tuple) -> tuple:
    """Return the parts on a device."""
    return tuple(part.to(device) for part in parts)


@torch.no_grad()
def mean_loss(model: PackedGPT, piece: tuple, rows: int = 32) -> float:
    """Return the mean loss over all targets of a piece in eval mode, `rows` rows at once."""
    was = model.training
    model.eval()
    total = 0.0
    for start in range(0, len(piece[0]), rows):
        total += loss_sum(model, tuple(part[start : start + rows] for part in piece)).item()
    model.train(was)
    return total / max(count(piece), 1)
