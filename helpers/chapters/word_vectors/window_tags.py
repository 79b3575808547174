"""Tags of words in place, by a linear classifier that sees a word and its neighbours as vectors."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from helpers.data.tagged import Sentence, Tagged
from helpers.device import SEED, seed_everything
from helpers.models.word_vectors import WordVectors
from helpers.training import fit

REACHES = {0: "the word alone", 2: "with two neighbours"}
LEARNED, BATCH = 1500, 1024  # sentences to learn from, tokens in a batch


def known(sentences: list[Sentence], vectors: WordVectors) -> float:
    """Return the share of the words (tokens of letters) that have a vector."""
    tokens = [token for tokens, _ in sentences for token in tokens]
    words = [token.lower() for token in tokens if token.isalpha()]
    return np.mean([word in vectors for word in words])


def random_vectors(words: list[str], width: int) -> WordVectors:
    """Return vectors that only keep words apart."""
    return WordVectors(words, np.random.default_rng(SEED).normal(size=(len(words), width)))


def _shape(token: str) -> list[bool]:
    """Return whether a token begins with a capital, is all capitals, and has a digit."""
    return [token[0].isupper(), token.isupper(), any(c.isdigit() for c in token)]


@dataclass(frozen=True)
class TagTask:
    """The tags of a data set, the same sentences to learn from each time.

    windows:  (ids (T,), texts (T,), reach) -> the ids around each place, (T, 2 * reach), -1 where there is none
    features: (ids, windows, table (V, d)) -> own vector beside those of the window, (T, (1 + 2 * reach) * d)
    """

    tagged: Tagged
    windows: Callable
    features: Callable

    def compare(self, tables: dict[str, WordVectors], seeds: int, steps: int) -> dict[str, dict[int, list[float]]]:
        """Train on each table, without and with neighbours; prints and returns F1 {table: {reach: [of each seed]}}."""
        print(f"F1 of the tags, mean of {seeds} seeds and (lowest, highest)")
        runs = {name: {} for name in tables}
        for name, vectors in tables.items():
            for reach, title in REACHES.items():
                scores = runs[name][reach] = self.scores(vectors, reach, seeds, steps)
                print(f"{name:<8}{title:<22}{np.mean(scores):.3f} ({min(scores):.3f}, {max(scores):.3f})")
        return runs

    def scores(self, vectors: WordVectors, reach: int, seeds: int, steps: int) -> list[float]:
        """Return the F1 of each seed on the test part, of a classifier trained on 1,500 sentences."""
        rows = np.random.default_rng(SEED).choice(len(self.tagged.train), LEARNED, replace=False)
        learned, judged = (
            self._examples(p, vectors, reach) for p in ([self.tagged.train[i] for i in rows], self.tagged.test)
        )
        scores = []
        for seed in range(seeds):
            seed_everything(seed)
            model = train_linear(*learned, len(self.tagged.tags), steps)
            scores.append(token_f1(model, *judged, self.tagged.tags.index("O")))
        return scores

    def _examples(self, sentences: list[Sentence], vectors: WordVectors, reach: int) -> tuple[torch.Tensor, ...]:
        """Return (features (T, f), labels (T,)) of all tokens."""
        number = {tag: i for i, tag in enumerate(self.tagged.tags)}
        labels = torch.tensor([number[tag] for _, line in sentences for tag in line])
        return self.token_features([tokens for tokens, _ in sentences], vectors, reach), labels

    def token_features(self, sentences: list[list[str]], vectors: WordVectors, reach: int) -> torch.Tensor:
        """Return the features of all tokens; capitals and digits, which vectors do not know, are three numbers more."""
        tokens = [token for sentence in sentences for token in sentence]
        numbers = np.repeat(np.arange(len(sentences)), [len(sentence) for sentence in sentences])
        ids = np.array([vectors.index.get(token.lower(), -1) for token in tokens])
        shapes = np.array([_shape(token) for token in tokens], dtype="f")  # (T, 3)
        places = np.arange(len(ids))
        around = self.features(places, self._window(places, numbers, reach), shapes)
        words = self.features(ids, self._window(ids, numbers, reach), vectors.unit.astype("f"))
        return torch.from_numpy(np.hstack([words, around]).astype("f"))  # a function may have widened the table

    def _window(self, ids: np.ndarray, texts: np.ndarray, reach: int) -> np.ndarray:
        """Return the neighbours of each position, (T, 2 * reach); without a reach there are none, (T, 0)."""
        return np.asarray(self.windows(ids, texts, reach)) if reach else np.zeros((len(ids), 0), dtype=int)


def train_linear(features: torch.Tensor, labels: torch.Tensor, classes: int, steps: int) -> nn.Linear:
    """Return a linear classifier trained on features (T, f) and labels (T,)."""
    model = nn.Linear(features.shape[1], classes)

    def batch(step: int) -> tuple[torch.Tensor, torch.Tensor]:
        chosen = torch.randint(len(labels), (BATCH,))
        return features[chosen], labels[chosen]

    fit(model, batch, lambda m, b: F.cross_entropy(m(b[0]), b[1]), steps=steps, lr=0.05, weight_decay=0.0)
    return model


def token_f1(model: nn.Module, features: torch.Tensor, truth: torch.Tensor, outside: int) -> float:
    """Return the F1 of all tags but `outside`, micro-averaged over tokens; truth: (T,)."""
    guess = model(features.to(next(model.parameters()).device)).argmax(1).cpu()
    right = ((guess == truth) & (truth != outside)).sum()
    return float(2 * right / ((guess != outside).sum() + (truth != outside).sum()))
