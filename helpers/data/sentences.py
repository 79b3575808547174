"""Pairs of sentences and how alike people find them: the STS Benchmark."""

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from helpers.data.archives import open_text
from helpers.data.dataset import Card, InSplits

GENRES = {"main-news": "news", "main-captions": "captions", "main-forum": "forum", "main-forums": "forum"}


class SentencePair(NamedTuple):
    """Two sentences, their score from 0 (nothing in common) to 5 (the same meaning), and where they are from."""

    first: str
    second: str
    score: float
    genre: str


@dataclass(frozen=True, repr=False, eq=False)
class SentencePairs(InSplits):
    """Rated pairs of sentences by split.

    splits: {"train", "valid", "test": [(first, second, score, genre), ...]}
    """

    splits: dict[str, list[SentencePair]]
    card: Card

    def rows(self) -> str:
        return f"{sum(map(len, self.splits.values())):,} pairs, scores 0 to 5: {self._sizes()}"


def read_stsb(paths: list[Path], card: Card) -> SentencePairs:
    """Read "genre file year id score first second" with tabs; some rows go on with the sources of both sentences.

    Without QUOTE_NONE a stray double quote swallows tabs and line breaks: 328 of 8,628 rows are lost.
    """
    return SentencePairs(dict(zip(("train", "valid", "test"), map(_part, paths), strict=True)), card)


def _part(path: Path) -> list[SentencePair]:
    with open_text(path, newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            SentencePair(first, second, float(score), GENRES[genre])
            for genre, _, _, _, score, first, second, *_ in rows
        ]
