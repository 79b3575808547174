"""A small GPT of characters with mistakes made on purpose: how each of them shows in the loss curve."""

from collections.abc import Callable

import torch
import torch.nn.functional as F

from helpers.device import SEED, seed_everything
from helpers.models import gpt
from helpers.models.functional import part
from helpers.training import History, fit

ROWS, LENGTH, D_MODEL = 16, 48, 48
LETTERS = ["\n", *map(chr, range(32, 127))]


class Characters:
    """A text in characters; `batch(step)` gives windows of it, the same for the same step.

    A character's id is its place among LETTERS; one that is not among them is left out.
    """

    def __init__(self, text: str):
        places = {letter: i for i, letter in enumerate(LETTERS)}
        self.ids = torch.tensor([places[c] for c in text if c in places])

    def batch(self, step: int) -> torch.Tensor:
        """Return sixteen windows of ids, (16, 48)."""
        generator = torch.Generator().manual_seed(step)
        starts = torch.randint(len(self.ids) - LENGTH, (ROWS, 1), generator=generator)
        return self.ids[starts + torch.arange(LENGTH)]


def train_small(
    kind: type[gpt.GPT], characters: Characters, loss: Callable, lr: float, steps: int, one_batch: bool = False
) -> History:
    """Train a small GPT of a kind, always from the same first weights.

    one_batch: learn the same rows again and again, with clipped gradients; in the other runs the mistakes shall show.
    """
    seed_everything(SEED)
    model = kind(len(LETTERS), LENGTH, D_MODEL, num_layers=2, num_heads=4)
    batches, clip = ([characters.batch(0)], 1.0) if one_batch else (characters.batch, None)
    return fit(model, batches, loss, steps=steps, lr=lr, weight_decay=0.0, clip=clip, progress=False)


def six_runs(
    kind: type[gpt.GPT], characters: Characters, loss: Callable, encoder_block: Callable, steps: int
) -> dict[str, list[float]]:
    """Return the losses of five runs with a mistake each and of a sound one, which is the last, by name."""
    runs = {  # the kind of GPT, its loss, its learning rate
        "rate too low": (kind, loss, 3e-5),
        "rate too high": (kind, loss, 0.3),
        "no shift": (kind, unshifted_loss, 3e-3),
        "no causal mask": (without_mask(encoder_block), loss, 3e-3),
        "targets shuffled": (kind, shuffled_loss, 3e-3),
        "as it should be": (kind, loss, 3e-3),
    }
    return {name: train_small(k, characters, *how, steps).losses for name, (k, *how) in runs.items()}


def without_mask(encoder_block: Callable) -> type[gpt.GPT]:
    """Return a GPT of the student's blocks whose causal mask was forgotten."""

    class Sighted(gpt.GPT):
        def forward(self, token_ids: torch.Tensor) -> torch.Tensor:
            """Return the logits (B, T, V); each token sees the whole text."""
            p = dict(self.named_parameters())
            x = self.token_embedding(token_ids) + self.position_embedding.weight[: token_ids.shape[1]]
            for i in range(len(self.blocks)):
                x = encoder_block(x, part(p, f"blocks.{i}."), self.num_heads, norm_first=True)
            return F.linear(self.final_norm(x), self.token_embedding.weight)

    return Sighted


@torch.no_grad()
def looked_ahead(kind: type[gpt.GPT]) -> float:
    """Return by how much earlier logits move if the last character changes, in an untrained GPT; 0 in a sound one."""
    seed_everything(SEED)
    model = kind(len(LETTERS), LENGTH, D_MODEL, num_layers=2, num_heads=4).eval()
    ids = torch.randint(len(LETTERS), (1, LENGTH))
    other = ids.clone()
    other[0, -1] = (ids[0, -1] + 1) % len(LETTERS)
    return (model(ids) - model(other))[:, :-1].abs().max().item()


def unshifted_loss(model: torch.nn.Module, token_ids: torch.Tensor) -> torch.Tensor:
    """A loss in which each token predicts itself, for token_ids (B, T)."""
    return F.cross_entropy(model(token_ids).flatten(0, 1), token_ids.flatten())


def shuffled_loss(model: torch.nn.Module, token_ids: torch.Tensor) -> torch.Tensor:
    """A loss with targets that have lost their places, for token_ids (B, T)."""
    mixed = token_ids[:, torch.randperm(token_ids.shape[1])]
    return F.cross_entropy(model(token_ids)[:, :-1].flatten(0, 1), mixed[:, 1:].flatten())
