"""Yardsticks of word vectors: analogies, and pairs of words that people rated."""

import csv
import tomllib
import zipfile
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import numpy as np

from helpers.data.archives import open_text, read_bytes
from helpers.data.dataset import Card, Dataset

Question = tuple[str, str, str, str]  # a is to b as c is to d


@dataclass(frozen=True, repr=False, eq=False)
class Analogies(Dataset):
    """Questions "a is to b as c is to ?", by section.

    sections: {name: [(a, b, c, d), ...]} in the order of the file; a grammatical section is named "gram..."
    """

    sections: dict[str, list[Question]]
    card: Card

    def __len__(self) -> int:
        return sum(map(len, self.sections.values()))

    @property
    def semantic(self) -> list[Question]:
        """The questions of knowledge: capitals, currencies, family."""
        return self._kind(grammatical=False)

    @property
    def syntactic(self) -> list[Question]:
        """The questions of grammar: plurals, tenses, degrees."""
        return self._kind(grammatical=True)

    def _kind(self, grammatical: bool) -> list[Question]:
        questions = []
        for name, section in self.sections.items():
            if _grammatical(name) == grammatical:
                questions += section
        return questions

    def rows(self) -> str:
        kinds = f"{len(self.semantic):,} semantic, {len(self.syntactic):,} syntactic"
        return f"{len(self):,} questions in {len(self.sections)} sections: {kinds}"


@dataclass(frozen=True, repr=False, eq=False)
class WordPairs(Dataset):
    """n pairs of words and how alike, or how related, somebody finds them.

    pairs:  n tuples (word, word)
    scores: (n,) float64, from 0 (not at all) to 10 (the same)
    """

    pairs: list[tuple[str, str]]
    scores: np.ndarray
    card: Card

    def __len__(self) -> int:
        return len(self.pairs)

    def rows(self) -> str:
        return f"{len(self):,} pairs of words, scores {self.scores.min():.2f} to {self.scores.max():.2f}"


def _grammatical(section: str) -> bool:
    return section.startswith("gram")


def read_analogies(paths: list[Path], card: Card) -> Analogies:
    """Read ": section" lines and lines of four words (Mikolov et al. 2013)."""
    sections: dict[str, list[Question]] = {}
    with open_text(paths[0]) as file:
        for line in file:
            if line.startswith(":"):
                questions = sections.setdefault(line[1:].strip(), [])
            else:
                questions.append(tuple(line.split()))
    return Analogies(sections, card)


def read_docs_analogies(paths: list[Path], card: Card) -> Analogies:
    """Read pairs of words by section, and set every pair against every other of its section, in both orders.

    A question needs four different words, so one like "fft is to ifft as rfft is to fft" is left out.
    """
    pairs_of = tomllib.loads(read_bytes(paths[0]).decode("utf-8"))["sections"]
    sections = {}
    for name, pairs in pairs_of.items():
        sections[name] = _questions([pair.split() for pair in pairs])
    return Analogies(sections, card)


def _questions(pairs: list[list[str]]) -> list[Question]:
    questions = [(*first, *second) for first, second in permutations(pairs, 2)]
    return [question for question in questions if len(set(question)) == 4]


def read_docs_ratings(paths: list[Path], card: Card) -> WordPairs:
    """Read the table of pairs of words of the docs, with the course's own ratings."""
    rated = tomllib.loads(read_bytes(paths[0]).decode("utf-8"))["pairs"]
    pairs = []
    for pair in rated:
        first, second = pair.split()
        pairs.append((first, second))
    return WordPairs(pairs, np.array(list(rated.values()), dtype=float), card)


def read_wordsim(paths: list[Path], card: Card) -> WordPairs:
    """Read the comma-separated WordSim-353 (Finkelstein et al. 2002)."""
    with open_text(paths[0], newline="") as file:
        return _pairs(list(csv.DictReader(file)), ("Word 1", "Word 2", "Human (mean)"), card)


def read_simlex(paths: list[Path], card: Card) -> WordPairs:
    """Read the tab-separated table inside SimLex-999.zip (Hill, Reichart, Korhonen 2015)."""
    with zipfile.ZipFile(paths[0]) as archive:
        lines = archive.read("SimLex-999/SimLex-999.txt").decode("utf-8").splitlines()
    return _pairs(list(csv.DictReader(lines, delimiter="\t")), ("word1", "word2", "SimLex999"), card)


def _pairs(rows: list[dict[str, str]], columns: tuple[str, str, str], card: Card) -> WordPairs:
    first, second, score = columns
    scores = np.array([float(row[score]) for row in rows])
    return WordPairs([(row[first], row[second]) for row in rows], scores, card)
