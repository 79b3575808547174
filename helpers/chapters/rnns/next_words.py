"""Predicting the next word: a text in words, windows of it, two matrices trained on a few sentences."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from helpers.chapters.rnns.two_matrices import TwoMatrices
from helpers.chapters.rnns.window import WINDOW, WindowModel
from helpers.device import SEED, seed_everything
from helpers.models.word_vectors import WordVectors
from helpers.training import fit

JUDGED = 3000  # windows of the validation part that a perplexity is measured on
ROWS = 256  # windows in a batch


def words_of(text: str, limit: int) -> list[str]:
    """Return the first words of a text in lower case, marks and digits as words of their own."""
    return re.findall(r"[a-z_]+|\d|[^\w\s]", text[: 7 * limit].lower())[:limit]


def next_word_loss(model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the mean cross-entropy, in nats, of a batch (inputs, next words (B,)); the model gives scores (B, V)."""
    return F.cross_entropy(model(batch[0]), batch[1])


def train_two_matrices(ids: Sequence[int], width: int, seed: int, steps: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """Train the two-matrix model on all pairs of a text of word numbers at once; returns E and U, (V, width)."""
    seed_everything(seed)
    model = TwoMatrices(max(ids) + 1, width)
    pairs = (torch.tensor(ids[:-1]), torch.tensor(ids[1:]))
    fit(model, [pairs], next_word_loss, steps=steps, lr=0.1, warmup=0, weight_decay=0, clip=None, progress=False)
    E, U = (matrix.weight.detach().cpu().numpy() for matrix in (model.E, model.U))
    return E, U


class WordWindows:
    """Windows of four words and the word after them, from a text to train on and one to judge by.

    size:         how many words there are: the most frequent of the training text, and <unk>, number 0
    train, valid: both texts as word numbers, (N,)
    """

    def __init__(self, train: Sequence[str], valid: Sequence[str], size: int):
        """Number the words of two texts."""
        self.size = size
        frequent = Counter(train).most_common(size - 1)
        self.number = {word: i for i, (word, _) in enumerate(frequent, start=1)}
        self.train, self.valid = self._numbers(train), self._numbers(valid)

    def _numbers(self, text: Sequence[str]) -> torch.Tensor:
        return torch.tensor([self.number.get(word, 0) for word in text])

    def start_vectors(self, vectors: WordVectors) -> torch.Tensor:
        """Return the unit vectors of the words, (size, d), random where there are none."""
        start = torch.randn(self.size, vectors.matrix.shape[1]) * 0.1
        for word, i in self.number.items():
            if word in vectors:
                start[i] = torch.from_numpy(vectors.unit[vectors.index[word]])
        return start

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (windows (B, 4), next words (B,)) from places drawn at random."""
        return _windows(self.train, torch.randint(len(self.train) - WINDOW, (ROWS,)))

    def read_in(self, steps: int) -> int:
        """Return how many words a network is asked to predict in so many batches."""
        return steps * ROWS

    def perplexity(self, model: nn.Module) -> float:
        """Return the perplexity on the first windows of the validation part."""
        device = next(model.parameters()).device
        windows, following = _windows(self.valid.to(device), torch.arange(JUDGED, device=device))
        with torch.no_grad():
            return math.exp(F.cross_entropy(model(windows), following).item())

    def judged_pairs(self) -> list[tuple[int, int]]:
        """Return (word before, word) of the words that `perplexity` judges, to judge bigrams by."""
        words = self.valid[WINDOW - 1 : WINDOW + JUDGED].tolist()
        return list(pairwise(words))


def _windows(ids: torch.Tensor, places: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the words (B, 4) from these places on, and those after them, (B,)."""
    return ids[places[:, None] + torch.arange(WINDOW, device=ids.device)], ids[places + WINDOW]


def embedding_table(words: WordWindows, vectors: WordVectors, logits: Callable, steps: int, lr: float = 3e-3) -> str:
    """Train the window model with four kinds of word vectors; returns the table of weights and perplexities.

    logits: the formula of the model, see `WindowModel`. Early is after a quarter of the steps.
    """
    start = words.start_vectors(vectors)
    options = {"random": {}, "pretrained": {"start": start}, "pretrained, frozen": {"start": start, "frozen": True}}
    lines = [f"{'vectors':<20}{'weights that learn':>20}{'perplexity, early':>20}{'at the end':>12}"]
    for name, option in (options | {"random, tied": {"tied": True}}).items():
        seed_everything(SEED)
        model = WindowModel(logits, *start.shape, **option)
        judged = {"evaluate": words.perplexity, "evaluate_every": steps // 4}
        history = fit(model, words.batch, next_word_loss, steps=steps, lr=lr, progress=False, **judged)
        learned, found = sum(p.numel() for p in model.parameters() if p.requires_grad), history.evaluations
        lines.append(f"{name:<20}{learned:>20,}{found[0][1]:>20.1f}{found[-1][1]:>12.1f}")
    return "\n".join(lines)
