"""Spam filters that read words: messages as word ids, filters trained and measured, where their heads look."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

import torch
from sklearn.metrics import f1_score
from torch import nn
from torch.nn import functional as F

from helpers.course import leaderboard
from helpers.data import Messages
from helpers.models.attention_filter import AttentionFilter
from helpers.training import fit

UNKNOWN = 1  # the id of a word that is not known; 0 is padding
LONGEST = 48  # words of a message that are read
BATCH = 64


def words_of(text: str) -> list[str]:
    """Return the words of a message in lower case, without punctuation."""
    return re.findall(r"\w+", text.lower())


def frequent_words(texts: Sequence[str], most: int = 4000) -> dict[str, int]:
    """Return the ids, from 2, of the most frequent words of the texts that occur twice at least."""
    counts = Counter(word for text in texts for word in words_of(text))
    return {word: i for i, (word, n) in enumerate(counts.most_common(most), start=2) if n > 1}


def first_spam(messages: Messages, fewest: int, most: int) -> list[str]:
    """Return the words of the first spam message that has so many."""
    spam = (words_of(text) for text, label in zip(messages.texts, messages.labels, strict=True) if label)
    return next(words for words in spam if fewest <= len(words) <= most)


def encode_words(messages: Sequence[Sequence[str]], vocabulary: dict[str, int]) -> torch.Tensor:
    """Return the ids (N, T) of the first words of each message; one without words counts as an unknown word."""
    rows = [[vocabulary.get(word, UNKNOWN) for word in words[:LONGEST]] or [UNKNOWN] for words in messages]
    return nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)


def filter_loss(model: AttentionFilter, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the mean cross-entropy of spam against ham, of word ids (B, T) and labels (B,) that are 0.0 or 1.0."""
    return F.binary_cross_entropy_with_logits(model(batch[0])[0], batch[1])


def train_filter(model: AttentionFilter, messages: Messages, steps: int, seed: int) -> AttentionFilter:
    """Train a model in place on batches of 64 messages, in which one word of ten is not known; returns it."""
    draw = torch.Generator().manual_seed(seed)
    words = encode_words([words_of(text) for text in messages.texts], model.vocabulary)
    labels = torch.tensor(messages.labels, dtype=torch.float32)

    def batch(step: int) -> tuple[torch.Tensor, torch.Tensor]:
        rows = torch.randint(len(words), (BATCH,), generator=draw)
        part = words[rows, : int((words[rows] != 0).sum(1).max())]
        unknown = (torch.rand(part.shape, generator=draw) < 0.1) & (part != 0)
        return part.masked_fill(unknown, UNKNOWN), labels[rows]

    fit(model, batch, filter_loss, steps=steps, lr=5e-3, weight_decay=0.1, progress=False)
    return model


def train_filters(
    makers: dict[str, Callable[[], AttentionFilter]], train: Messages, test: Messages, steps: int, seed: int
) -> dict[str, AttentionFilter]:
    """Train a filter of each kind from one seed, keep its row of the leaderboard and print it; returns the filters."""
    filters = {}
    for name, make in makers.items():
        with leaderboard.measured("04", name, "inbox") as row:
            torch.manual_seed(seed)
            filters[name] = train_filter(make(), train, steps, seed)
            row.score = spam_f1(filters[name], test)
            row.parameters = sum(p.numel() for p in filters[name].parameters())
        print(f"{name:<38} F1 {row.score:.3f}, {row.parameters:,} parameters, {row.seconds:.0f} s")
    return filters


@torch.no_grad()
def spam_f1(model: AttentionFilter, messages: Messages) -> float:
    """Return the F1 of spam."""
    words = encode_words([words_of(text) for text in messages.texts], model.vocabulary)
    scores, _ = model(words.to(next(model.parameters()).device))
    return float(f1_score(messages.labels, scores.cpu() > 0))


@torch.no_grad()
def looks(model: AttentionFilter, words: Sequence[str]) -> torch.Tensor:
    """Return the weights (H, T, T) of a model's heads on the words of one message, on the CPU."""
    ids = encode_words([words], model.vocabulary)
    return model(ids.to(next(model.parameters()).device))[1][0].cpu()
