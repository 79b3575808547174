"""Texts as word numbers: cut into words, the frequent ones numbered first, the rare ones left out."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

WORD = re.compile(r"[a-z][a-z0-9_]*")  # so that float32 and n_samples are words


@dataclass(frozen=True, repr=False, eq=False)
class Corpus:
    """Texts as numbers, one after another.

    words:  V words, the most frequent first; a word's number is its place here
    counts: (V,) how often each word occurs
    ids:    (T,) the text
    texts:  (T,) the number of the text that each place stands in
    """

    words: list[str]
    counts: np.ndarray
    ids: np.ndarray
    texts: np.ndarray

    @cached_property
    def row(self) -> dict[str, int]:
        """The number of each word."""
        return {word: i for i, word in enumerate(self.words)}

    def count(self, word: str) -> int:
        """Return how often a word occurs."""
        return int(self.counts[self.row[word]])


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return WORD.findall(text.lower())


def read_corpus(texts: list[str], fewest: int = 5) -> Corpus:
    """Cut texts into words and number those that occur at least `fewest` times; the others are left out.

    Words of the same frequency come in alphabetical order.
    """
    split = [words_of(text) for text in texts]
    counts = Counter(word for text in split for word in text)
    words = sorted((word for word, n in counts.items() if n >= fewest), key=lambda word: (-counts[word], word))
    row = {word: i for i, word in enumerate(words)}
    ids = []
    for text in split:
        known = [row[word] for word in text if word in row]
        ids.append(np.array(known, dtype=np.int64))
    places = np.repeat(np.arange(len(ids)), [len(text) for text in ids])
    return Corpus(words, np.array([counts[word] for word in words]), np.concatenate(ids), places)
