"""A bidirectional LSTM over words that sorts messages, begun from the word vectors of chapter 02."""

import re
from collections import Counter
from collections.abc import Iterable

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from helpers.models.word_vectors import WordVectors


class Words:
    """Numbers of words: 0 is padding, 1 unknown, then those with a vector, then others that the texts hold."""

    def __init__(self, texts: Iterable[str], vectors: WordVectors):
        """Number the words that have a vector, and the words without one that occur twice in the texts."""
        new: Counter[str] = Counter()
        for text in texts:
            new.update(word for word in words_of(text) if word not in vectors.index)
        repeated = sorted(word for word, count in new.items() if count > 1)
        known = [*vectors.words, *repeated]
        self.number, self.vectors = {word: i for i, word in enumerate(known, start=2)}, vectors

    def start(self) -> torch.Tensor:
        """Return the vectors that the words begin with, (V, d): numbers of about 1, random where there are none."""
        unit = torch.from_numpy(self.vectors.unit)
        start = 0.5 * torch.randn(len(self.number) + 2, unit.shape[1])
        start[2 : len(unit) + 2] = unit * unit.shape[1] ** 0.5
        return start

    def pad(self, texts: Iterable[str]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (word numbers (B, T), lengths (B,)) of texts; one without any word is one unknown word."""
        rows = []
        for text in texts:
            numbers = [self.number.get(word, 1) for word in words_of(text)]
            rows.append(torch.tensor(numbers or [1]))
        return pad_sequence(rows, batch_first=True), torch.tensor([len(row) for row in rows])


def words_of(text: str) -> list[str]:
    """Return words and marks in lower case; a run of digits becomes a zero for each digit."""
    return re.findall(r"\w+|[^\w\s]", re.sub(r"\d", "0", text.lower()))


class MessageReader(nn.Module):
    """Scores of the classes, (B, classes), for word numbers (B, T) and lengths (B,).

    They come from the mean of the words' vectors and from the mean and the largest of the states of both directions.
    """

    def __init__(self, start: torch.Tensor, classes: int, width: int = 96):
        super().__init__()
        self.embed = nn.Embedding.from_pretrained(start, freeze=False, padding_idx=0)
        self.lstm = nn.LSTM(start.shape[1], width, batch_first=True, bidirectional=True)
        self.drop, self.out = nn.Dropout(0.4), nn.Linear(4 * width + start.shape[1], classes)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Read both ways, then look at the whole."""
        words, many = self.drop(self.embed(x)), lengths[:, None].to(x.device)
        packed = pack_padded_sequence(words, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)  # (B, T, 2 width), zeros beyond
        whole = [words.sum(dim=1) / many, states.sum(dim=1) / many, states.amax(dim=1)]
        return self.out(self.drop(torch.cat(whole, dim=-1)))
