"""Classifiers that read words: texts as word ids, models trained for the benchmarks, where their heads look."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from helpers.chapters.attention.attention_classifier import AttentionClassifier
from helpers.data import Messages
from helpers.training import fit

UNKNOWN = 1  # the id of a word that is not known; 0 is padding
LONGEST = 48  # words of a message that are read
BATCH = 64


def words_of(text: str) -> list[str]:
    """Return the words of a message in lower case, without punctuation."""
    return re.findall(r"\w+", text.lower())


def frequent_words(texts: Sequence[str], max_words: int = 4000) -> dict[str, int]:
    """Return the ids, from 2, of the most frequent words of the texts."""
    counts = Counter(word for text in texts for word in words_of(text))
    return {word: i for i, (word, _) in enumerate(counts.most_common(max_words), start=2)}


def first_spam(messages: Messages, min_words: int, max_words: int) -> list[str]:
    """Return the words of the first spam message that has so many."""
    spam = (words_of(text) for text, label in zip(messages.texts, messages.labels, strict=True) if label)
    return next(words for words in spam if min_words <= len(words) <= max_words)


def encode_words(messages: Sequence[Sequence[str]], vocabulary: dict[str, int]) -> torch.Tensor:
    """Return the ids (N, T) of the first words of each message; one without words counts as an unknown word."""
    rows = []
    for words in messages:
        ids = [vocabulary.get(word, UNKNOWN) for word in words[:LONGEST]]
        rows.append(torch.tensor(ids or [UNKNOWN]))
    return nn.utils.rnn.pad_sequence(rows, batch_first=True)


@dataclass
class WordClassifier:
    """A model for the course's benchmarks (`helpers.course.benchmarks`): trained from nothing on the texts it is given.

    attend: as of AttentionClassifier, or None for the mean of the words; steps: of the training
    parameters: of the network that was trained last
    """

    attend: Callable | None
    steps: int
    parameters: int = 0

    def __call__(self, texts: list[str], labels: np.ndarray, questions: list[str], seed: int) -> np.ndarray:
        """Return the labels of the questions (M,)."""
        return predict(self.train(texts, labels, seed), questions)

    def train(self, texts: list[str], labels: np.ndarray, seed: int) -> AttentionClassifier:
        """Train on batches of 64 texts, in which one word of ten is not known."""
        torch.manual_seed(seed)
        model = AttentionClassifier(frequent_words(texts), int(labels.max()) + 1, self.attend)
        words = encode_words([words_of(text) for text in texts], model.vocabulary)
        fit(
            model,
            _batches(words, torch.tensor(labels), seed),
            loss,
            steps=self.steps,
            lr=5e-3,
            weight_decay=0.1,
            progress=False,
        )
        self.parameters = sum(p.numel() for p in model.parameters())
        return model


def _batches(
    words: torch.Tensor, labels: torch.Tensor, seed: int
) -> Callable[[int], tuple[torch.Tensor, torch.Tensor]]:
    """Return the function of a step that draws (words (BATCH, T), labels (BATCH,)), some words of it made unknown."""
    draw = torch.Generator().manual_seed(seed)

    def batch(step: int) -> tuple[torch.Tensor, torch.Tensor]:
        rows = torch.randint(len(words), (BATCH,), generator=draw)
        part = words[rows, : int((words[rows] != 0).sum(1).max())]
        unknown = (torch.rand(part.shape, generator=draw) < 0.1) & (part != 0)
        return part.masked_fill(unknown, UNKNOWN), labels[rows]

    return batch


def loss(model: AttentionClassifier, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the mean cross-entropy of word ids (B, T) and labels (B,)."""
    return F.cross_entropy(model(batch[0])[0], batch[1])


@torch.no_grad()
def predict(model: AttentionClassifier, texts: Sequence[str]) -> np.ndarray:
    """Return the likeliest class of each text (n,)."""
    words = encode_words([words_of(text) for text in texts], model.vocabulary)
    logits = [model(part.to(next(model.parameters()).device))[0] for part in words.split(512)]
    return torch.cat(logits).argmax(1).cpu().numpy()


def spam_f1(model: AttentionClassifier, messages: Messages) -> float:
    """Return the F1 of spam."""
    from sklearn.metrics import f1_score

    return float(f1_score(messages.labels, predict(model, messages.texts)))


@torch.no_grad()
def looks(model: AttentionClassifier, words: Sequence[str]) -> torch.Tensor:
    """Return the weights (H, T, T) of a model's heads on the words of one text, on the CPU."""
    ids = encode_words([words], model.vocabulary)
    return model(ids.to(next(model.parameters()).device))[1][0].cpu()


def favourites(weights: torch.Tensor, words: Sequence[str]) -> str:
    """Return as text the three words that each head (H, T, T) looks at most, over all queries, with their weights."""
    lines = []
    for head, looked in enumerate(weights.mean(1), start=1):  # (T,)
        best = ", ".join(f"{words[j]} {looked[j]:.2f}" for j in looked.argsort(descending=True)[:3].tolist())
        lines.append(f"head {head} looks most at: {best}")
    return "\n".join(lines)
