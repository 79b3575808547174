"""Predicting the next character of the docs: what is read, how it is judged, and how a model writes."""

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import torch
from torch.nn import functional as F

from helpers.data.text import Text
from helpers.device import SEED, seed_everything
from helpers.models.characters import CharacterLM
from helpers.training import History, fit

UNKNOWN = chr(0xFFFD)  # stands for all characters outside the vocabulary


class CharacterText:
    """A text in character numbers, cut into stretches from all over it, one for each row of a batch.

    steps:      how many batches there are
    characters: the vocabulary, number 0 for all characters but the 95 most frequent
    stretches:  (rows, steps * block + 1) numbers to train on
    unread:     (n,) numbers of twenty places of the validation part, to judge by
    """

    def __init__(self, text: Text, steps: int, block: int = 64, rows: int = 32):
        """Take what a model reads in so many steps, each of `block` characters in every row."""
        self.steps, self.block, self.per_step = steps, block, block * rows
        frequent = Counter(text.train[:1_000_000]).most_common(95)
        self.characters = [UNKNOWN, *sorted(c for c, _ in frequent)]
        self._number = {c: i for i, c in enumerate(self.characters) if i}
        starts = np.linspace(0, len(text.train) - steps * block - 2, rows).astype(int)
        self.stretches = torch.stack([self.ids(text.train[i : i + steps * block + 1]) for i in starts])
        places = range(0, len(text.valid) - 1000, len(text.valid) // 20)
        self.unread = self.ids("".join(text.valid[i : i + 1000] for i in places))

    def ids(self, text: str) -> torch.Tensor:
        """Return the numbers of a text's characters, (n,)."""
        return torch.tensor([self._number.get(c, 0) for c in text])

    def batch(self, step: int) -> torch.Tensor:
        """Return the next block of each stretch and one character more, (rows, block + 1)."""
        return self.stretches[:, step * self.block : (step + 1) * self.block + 1]

    def count(self, count_ngrams: Callable, n: int) -> tuple[Counter, Counter]:
        """Return the counts of n-grams and contexts of all stretches; count_ngrams: (numbers, n) -> both of one."""
        ngrams, contexts = Counter(), Counter()
        for stretch in self.stretches.tolist():
            for total, found in zip((ngrams, contexts), count_ngrams(stretch, n), strict=True):
                total.update(found)
        return ngrams, contexts

    def bits(self, model: CharacterLM) -> float:
        """Return the bits per character of a model on the unread text."""
        unread = self.unread.to(model.bias.device)
        with torch.no_grad():
            scores = model(unread[None, :-1])[0][0]
        return F.cross_entropy(scores, unread[1:]).item() / math.log(2)


def character_loss(model: CharacterLM, batch: torch.Tensor) -> torch.Tensor:
    """Return the mean cross-entropy, in nats, of each character of (B, T + 1) numbers after the first."""
    return F.cross_entropy(model(batch[:, :-1])[0].flatten(0, 1), batch[:, 1:].flatten())


def train_writer(text: CharacterText, prompt: str, distribution: Callable) -> tuple[CharacterLM, History, list[str]]:
    """Train a model on all blocks of a text, judged four times; returns (model, history, what it wrote each time).

    prompt, distribution: see `write`. The history's evaluations are bits per character.
    """
    seed_everything(SEED)
    model, samples = CharacterLM(len(text.characters)), []

    def judge(model: CharacterLM) -> float:
        samples.append(write(model, text, prompt, 160, distribution))
        return text.bits(model)

    every = {"evaluate": judge, "evaluate_every": text.steps // 4}
    history = fit(model, text.batch, character_loss, steps=text.steps, lr=8e-3, progress=False, **every)
    return model, history, samples


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
