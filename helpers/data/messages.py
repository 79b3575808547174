"""Labelled messages: the SMS Spam Collection and the campus inbox."""

import csv
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from helpers.data.archives import open_text
from helpers.data.dataset import Card, Dataset
from helpers.errors import DataError

SPAM = {"ham": 0, "spam": 1}


class Entity(NamedTuple):
    """A named thing in a message: `text[start:end]` is its span."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, repr=False, eq=False)
class Messages(Dataset):
    """n messages and their labels.

    texts:    n strings
    labels:   (n,) int64, 1 = spam, 0 = ham
    intents:  n strings, or empty where the set has none (the SMS collection)
    entities: n lists of Entity, or empty likewise
    noisy:    (n,) bool, True where the label was flipped on purpose, or empty likewise
    cores:    n core sentences, (intent, number), that the messages were made from, or empty likewise
    """

    texts: list[str]
    labels: np.ndarray
    card: Card
    intents: list[str] = field(default_factory=list)
    entities: list[list[Entity]] = field(default_factory=list)
    noisy: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    cores: list[tuple[str, int]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.texts)

    def rows(self) -> str:
        n, spam = len(self), int(self.labels.sum())
        return f"{n:,} messages, {spam:,} spam ({spam / max(n, 1):.1%})"

    def take(self, rows: np.ndarray) -> "Messages":
        """The messages with these row numbers, in this order; rows: (k,) int."""

        def chosen(items: list) -> list:
            if not items:
                return []
            return [items[i] for i in rows]

        return Messages(
            chosen(self.texts),
            self.labels[rows],
            self.card,
            chosen(self.intents),
            chosen(self.entities),
            self.noisy[rows] if len(self.noisy) else self.noisy,
            chosen(self.cores),
        )

    def without_repeats(self) -> "Messages":
        """Drop exact repeats of (label, text) and keep the first of each."""
        first: dict[tuple[int, str], int] = {}
        for i, key in enumerate(zip(self.labels.tolist(), self.texts, strict=True)):
            first.setdefault(key, i)
        return self.take(np.fromiter(first.values(), dtype=np.int64))

    def split(self, test: float = 0.2, seed: int = 0) -> tuple["Messages", "Messages"]:
        """(train, test): the share `test` of each class goes to the test set, drawn by `seed`.

        A class is a label; where messages were made from core sentences it is an intent, and whole core sentences are
        drawn, so that no test message has a twin among the training ones, with other names in it. Both parts keep the
        order of the file. Drop repeats first, or the same message may lie on both sides.
        """
        if not 0 < test < 1:
            raise DataError(f"split(test={test}): the share must lie between 0 and 1.", "Write for example test=0.2.")
        units = np.unique(self.cores, axis=0, return_inverse=True)[1] if self.cores else np.arange(len(self))
        classes = np.array(self.intents) if self.cores else self.labels
        rng = np.random.default_rng(seed)
        drawn = [_some(rng, np.unique(units[classes == c]), test) for c in np.unique(classes)]
        held_out = np.isin(units, np.concatenate(drawn))
        return self.take(np.flatnonzero(~held_out)), self.take(np.flatnonzero(held_out))


def _some(rng: np.random.Generator, items: np.ndarray, share: float) -> np.ndarray:
    return rng.permutation(items)[: round(share * len(items))]


def read_sms(paths: list[Path], card: Card) -> Messages:
    """Read "label TAB text" lines.

    Without QUOTE_NONE a stray double quote swallows line breaks, and two of the 5,574 rows are lost.
    """
    with open_text(paths[0], newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for number, row in enumerate(rows, start=1):
        if len(row) != 2 or row[0] not in SPAM:
            raise DataError(f"{paths[0]}, line {number}: not label, tab, text.", "Replace the file.")
    texts = [text for _, text in rows]
    labels = [label for label, _ in rows]
    return Messages(texts, _labels(labels), card)


def read_inbox(paths: list[Path], card: Card) -> Messages:
    """Read the gzipped JSON lines that datasets/inbox/make_inbox.py writes."""
    with open_text(paths[0]) as file:
        rows = [json.loads(line) for line in file]
    return Messages(
        [row["text"] for row in rows],
        _labels([row["label"] for row in rows]),
        card,
        [row["intent"] for row in rows],
        [_entities(row) for row in rows],
        np.array([row.get("noisy", False) for row in rows], dtype=bool),
        [(row["intent"], row["template"]) for row in rows],
    )


def _entities(row: dict) -> list[Entity]:
    return [Entity(*entity) for entity in row["entities"]]


def _labels(words: list[str]) -> np.ndarray:
    return np.array([SPAM[word] for word in words], dtype=np.int64)
