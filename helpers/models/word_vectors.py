"""Word vectors: look-up, neighbours, analogies, and how well they agree with people."""

import difflib
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from helpers.course import artifacts
from helpers.data.words import Analogies, Question, WordPairs
from helpers.errors import CourseError


class Score(NamedTuple):
    """A score over the questions or pairs whose words are all known (nan if there are none), and their share."""

    value: float
    covered: float


@dataclass(frozen=True, repr=False, eq=False)
class WordVectors:
    """V words and their vectors.

    words:  V different words, the most frequent first
    matrix: (V, d) float32, a row for each word
    """

    words: list[str]
    matrix: np.ndarray

    def __post_init__(self):
        rows, words = self.matrix.shape[0], len(self.words)
        if rows != words or len(self.index) != words:
            raise CourseError(f"{words} words ({len(self.index)} different) do not fit a matrix of {rows} rows.")

    @classmethod
    def load(cls, own: bool | None = None) -> "WordVectors":
        """Load the artifact docs-vectors: the student's own if there is one, else the reference."""
        artifact = artifacts.load("docs-vectors", own)
        return cls(artifact.config["vocabulary"], artifact.weights["words"].numpy())

    def __repr__(self) -> str:
        return f"{len(self):,} words, {self.matrix.shape[1]} dimensions: {', '.join(self.words[:5])} ..."

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.index

    def __getitem__(self, word: str) -> np.ndarray:
        """Return the word's vector, (d,); raises CourseError for a word that has none."""
        return self.matrix[self._row(word)]

    @cached_property
    def index(self) -> dict[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    @cached_property
    def unit(self) -> np.ndarray:
        """The vectors divided by their lengths, (V, d); a vector of zeros stays one."""
        lengths = np.linalg.norm(self.matrix, axis=1, keepdims=True)
        return self.matrix / np.where(lengths > 0, lengths, 1)

    def nearest(self, word: str, k: int = 10) -> list[tuple[str, float]]:
        """Return the k words with the largest cosine similarity to the word, the largest first, without itself."""
        row = self._row(word)
        return self._best(self.unit @ self.unit[row], [row], k)

    def analogy(self, a: str, b: str, c: str, k: int = 1, among: int | None = None) -> list[tuple[str, float]]:
        """Return the k best answers to "a is to b as c is to ?": the words nearest to b - a + c (3CosAdd).

        a, b and c cannot be answers (Mikolov, Yih, Zweig 2013); the rest as in `accuracy`.
        """
        rows = [self._row(word) for word in (a, b, c)]
        return self._best(self.unit[:among] @ _target(*self.unit[rows]), rows, k)

    def accuracy(self, analogies: Analogies, among: int | None = None) -> Score:
        """Return the share of questions of which the first answer is right, and the share of questions covered.

        Args:
            analogies: questions; their words are looked up in lower case if not found as they stand.
            among: how many words, the most frequent, can be answers (all if None); as restrict_vocab in gensim.
        """
        return self._score([question for section in analogies.sections.values() for question in section], among)

    def by_section(self, analogies: Analogies, among: int | None = None) -> dict[str, Score]:
        """Return the accuracy of each section of the analogies."""
        return {name: self._score(questions, among) for name, questions in analogies.sections.items()}

    def spearman(self, pairs: WordPairs) -> Score:
        """Return Spearman's rank correlation of cosines and people's scores, and the share of pairs covered."""
        from scipy.stats import spearmanr

        rows = [(self._find(a), self._find(b)) for a, b in pairs.pairs]
        known = np.array([None not in row for row in rows])
        if known.sum() < 2:
            return Score(np.nan, float(known.mean()))
        first, second = np.array([row for row in rows if None not in row]).T
        cosines = (self.unit[first] * self.unit[second]).sum(axis=1)
        return Score(float(spearmanr(cosines, pairs.scores[known])[0]), float(known.mean()))

    def _score(self, questions: list[Question], among: int | None) -> Score:
        rows = [list(map(self._find, question)) for question in questions]
        known = np.array([row for row in rows if None not in row], dtype=int).reshape(-1, 4)
        if not len(known):
            return Score(np.nan, 0.0)
        right = [self._right(part, among) for part in np.array_split(known, len(known) // 1000 + 1)]
        return Score(float(np.concatenate(right).mean()), len(known) / len(questions))

    def _right(self, rows: np.ndarray, among: int | None) -> np.ndarray:
        """Return for each question, (n, 4) rows of a, b, c, d, whether d is the first answer, (n,)."""
        a, b, c, d = rows.T
        cosines = _target(self.unit[a], self.unit[b], self.unit[c]) @ self.unit[:among].T  # (n, answers)
        for given in (a, b, c):
            possible = given < cosines.shape[1]
            cosines[np.flatnonzero(possible), given[possible]] = -np.inf
        return cosines.argmax(axis=1) == d

    def _best(self, cosines: np.ndarray, without: list[int], k: int) -> list[tuple[str, float]]:
        order = [row for row in np.argsort(-cosines, kind="stable")[: k + len(without)] if row not in without]
        return [(self.words[row], float(cosines[row])) for row in order[:k]]

    def _find(self, word: str) -> int | None:
        return self.index.get(word, self.index.get(word.lower()))

    def _row(self, word: str) -> int:
        row = self._find(word)
        if row is None:
            near = difflib.get_close_matches(word.lower(), self.words, n=3, cutoff=0.7)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            raise CourseError(f'"{word}" has no vector.{hint}')
        return row


def _target(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Return b - a + c with length 1, (..., d), so that the product with unit vectors is a cosine."""
    target = b - a + c
    return target / np.maximum(np.linalg.norm(target, axis=-1, keepdims=True), 1e-12)
