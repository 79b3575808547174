"""GPT-2's block against today's, one part after the other: parameters, cache, time, loss."""

import torch
import torch.nn.functional as F

from helpers.chapters.transformers.mistakes import LENGTH, LETTERS, Characters
from helpers.device import SEED, seed_everything
from helpers.models.modern_block import PARTS, ModernGPT
from helpers.training import fit

D_MODEL, LAYERS, HEADS = 96, 3, 4


def table(characters: Characters, steps: int) -> str:
    """Train each kind for some steps on the same batches; returns a table, a line for each.

    From line to line one more part of the block is today's.
    """
    lines = [f"{'block':<18}{'parameters':>12}{'cache a token':>15}{'ms a step':>11}{'loss':>8}"]
    for n in range(len(PARTS) + 1):
        seed_everything(SEED)
        model = ModernGPT(len(LETTERS), LENGTH, D_MODEL, LAYERS, HEADS, PARTS[:n])
        history = fit(model, characters.batch, next_loss, steps=steps, lr=3e-3, progress=False)
        last = history.losses[-10:]
        lines.append(
            f"{('+ ' + PARTS[n - 1]) if n else 'of GPT-2':<18}{sum(p.numel() for p in model.parameters()):>12,}"
            f"{model.cache_bytes():>9,} bytes{1000 * history.seconds / steps:>11.0f}{sum(last) / len(last):>8.3f}"
        )
    return "\n".join(lines)


def next_loss(model: ModernGPT, token_ids: torch.Tensor) -> torch.Tensor:
    """Return the mean cross-entropy of the next character, in nats, for token_ids (B, T)."""
    return F.cross_entropy(model(token_ids)[:, :-1].flatten(0, 1), token_ids[:, 1:].flatten())
