"""Predicting the next character of a text: what is read, how it is judged, how a model writes, and its rivals."""

import math
from collections.abc import Callable, Iterable

import torch
from torch.nn import functional as F

from helpers.data.text import Text
from helpers.device import SEED, seed_everything
from helpers.models.characters import CharacterLM
from helpers.models.kneser_ney import KneserNey
from helpers.training import History, fit

JUDGED = 20  # rows that the unread text is judged in


class CharacterText:
    """A text in character numbers, in rows that are read side by side, again and again.

    steps:      how many batches are read
    characters: the vocabulary, all characters of the text
    read:       (N,) numbers of the training part. rows: the same, (rows, N // rows)
    unread:     (n,) numbers of the second half of the validation part, to judge by
    """

    def __init__(self, text: Text, steps: int, block: int = 64, rows: int = 32):
        """Read `block` characters of every row in a step."""
        self.steps, self.block, self.per_step = steps, block, block * rows
        self.characters = sorted(set(text.train + text.valid))
        self._number = {c: i for i, c in enumerate(self.characters)}
        self.read, self.unread = self.ids(text.train), self.ids(text.valid[len(text.valid) // 2 :])
        self.rows = self.read[: len(self.read) // rows * rows].view(rows, -1)

    def ids(self, text: str) -> torch.Tensor:
        """Return the numbers of a text's characters, (n,)."""
        return torch.tensor([self._number[c] for c in text])

    def batch(self, step: int) -> torch.Tensor:
        """Return the next block of each row and one character more, (rows, block + 1)."""
        start = step % ((self.rows.shape[1] - 1) // self.block) * self.block
        return self.rows[:, start : start + self.block + 1]

    def bits(self, model: CharacterLM) -> float:
        """Return the bits per character of a model on the unread text."""
        length = (len(self.unread) - 1) // JUDGED
        places = torch.arange(JUDGED)[:, None] * length + torch.arange(length + 1)
        rows = self.unread[places].to(model.bias.device)
        with torch.no_grad():
            scores = model(rows[:, :-1])[0]
        return F.cross_entropy(scores.flatten(0, 1), rows[:, 1:].flatten()).item() / math.log(2)

    def counted(self, orders: Iterable[int]) -> dict[int, float]:
        """Return the bits per character of n-grams with Kneser-Ney smoothing, of each order, on the unread text."""
        read, unread = self.read.numpy(), self.unread.numpy()
        models = {n: KneserNey(read, len(self.characters), n) for n in orders}
        return {n: float(model.losses(unread).mean()) / math.log(2) for n, model in models.items()}


def character_loss() -> Callable:
    """Return the loss for `fit`: the mean cross-entropy, in nats, of each character of (B, T + 1) after the first.

    A row goes on where it stopped in the batch before: the state is handed on, the gradient is not (truncated
    backpropagation through time).
    """
    state = None

    def loss(model: CharacterLM, batch: torch.Tensor) -> torch.Tensor:
        nonlocal state
        begin = state if state is not None and state[0].shape[1] == len(batch) else None
        scores, last = model(batch[:, :-1], begin)
        state = tuple(part.detach() for part in last)
        return F.cross_entropy(scores.flatten(0, 1), batch[:, 1:].flatten())

    return loss


def train_writer(
    text: CharacterText, prompt: str, distribution: Callable, length: int = 240
) -> tuple[CharacterLM, History, list[str]]:
    """Train a model on a text, judged four times; returns (model, history, what it wrote each time).

    prompt, distribution, length: see `write`. The history's evaluations are bits per character.
    """
    seed_everything(SEED)
    model, samples = CharacterLM(len(text.characters)), []

    def judge(model: CharacterLM) -> float:
        samples.append(write(model, text, prompt, length, distribution))
        return text.bits(model)

    every = {"evaluate": judge, "evaluate_every": text.steps // 4}
    return model, fit(model, text.batch, character_loss(), steps=text.steps, lr=6e-3, progress=False, **every), samples


def write(model: CharacterLM, text: CharacterText, prompt: str, length: int, distribution: Callable) -> str:
    """Draw characters one by one, each fed back to the model; returns the prompt and what follows.

    distribution: logits (V,) -> the probabilities to draw from, (V,).
    """
    device, generator = model.bias.device, torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        scores, state = model(text.ids(prompt)[None].to(device))
        for _ in range(length):
            drawn = torch.multinomial(distribution(scores[0, -1].cpu()), 1, generator=generator)
            prompt += text.characters[drawn.item()]
            scores, state = model(drawn[None].to(device), state)
    return prompt
