"""Sorting whole messages with a bidirectional LSTM: the model that takes the course's two benchmarks."""

from collections.abc import Callable

import numpy as np
import torch
from torch.nn import functional as F

from helpers.chapters.rnns.message_reader import MessageReader, Words, words_of
from helpers.device import seed_everything
from helpers.models.word_vectors import WordVectors
from helpers.training import fit

ROWS = 32  # messages in a batch
TOGETHER = 16  # batches among which messages are sorted by length
READ = 500  # messages that are judged at once


def message_sorter(vectors: WordVectors, steps: int, lr: float = 6e-3) -> Callable:
    """Return the benchmarks' model, (texts, labels, questions, seed) -> predictions: a reader trained from the vectors.

    The model's `parameters` are those of the last reader.
    """

    def model(texts: list[str], labels: np.ndarray, questions: list[str], seed: int) -> np.ndarray:
        seed_everything(seed)
        words = Words(texts, vectors)
        reader = MessageReader(words.start(), len(np.unique(labels)))
        fit(reader, batches(words, texts, labels, steps), sorting_loss, steps=steps, lr=lr, progress=False)
        model.parameters = sum(p.numel() for p in reader.parameters())
        return predictions(reader, words, questions)

    return model


def batches(words: Words, texts: list[str], labels: np.ndarray, steps: int) -> list[tuple]:
    """Return `steps` batches (x, lengths, labels) that go round and round all texts, in random order each time.

    Of each few batches in a row the texts of similar length come together: a batch takes as long as its longest text.
    """
    targets, lengths = torch.from_numpy(np.asarray(labels)), torch.tensor([len(words_of(text)) for text in texts])
    order = torch.cat([torch.randperm(len(texts)) for _ in range(ROWS * steps // len(texts) + 1)])[: ROWS * steps]
    sorted_parts = [part[lengths[part].argsort(stable=True)] for part in order.split(ROWS * TOGETHER)]
    rows = [r for part in sorted_parts for r in part.split(ROWS)]
    shuffled = []
    for n in torch.randperm(steps).tolist():
        batch_texts = [texts[i] for i in rows[n].tolist()]
        shuffled.append((*words.pad(batch_texts), targets[rows[n]]))
    return shuffled


def sorting_loss(reader: MessageReader, batch: tuple) -> torch.Tensor:
    """Return the mean cross-entropy of the classes of a batch."""
    return F.cross_entropy(reader(batch[0], batch[1]), batch[2])


@torch.no_grad()
def predictions(reader: MessageReader, words: Words, texts: list[str]) -> np.ndarray:
    """Return the likeliest class of each of n texts, (n,)."""
    device = next(reader.parameters()).device
    parts = (words.pad(texts[i : i + READ]) for i in range(0, len(texts), READ))
    return np.concatenate([reader(x.to(device), lengths).argmax(-1).cpu().numpy() for x, lengths in parts])
