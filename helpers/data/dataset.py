"""What every data set of the course has in common: a card, and a way to print it."""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass

WIDTH = 88  # columns of a printed card


@dataclass(frozen=True)
class Card:
    """Where a data set comes from, and on what terms."""

    name: str
    title: str
    source: str
    license: str
    citation: str


class Dataset:
    """The base of what `load` returns; a subclass has a `card` and says in `rows` how much of what it holds."""

    card: Card

    def rows(self) -> str:
        """Return how many rows there are, and of what, in a few words."""
        raise NotImplementedError()

    def __repr__(self) -> str:
        """Return the card, a line or a few for each of rows, source and licence."""
        card = self.card
        told = {"rows": self.rows(), "source": card.source, "licence": card.license}
        return "\n".join([card.title, *(_line(label, text) for label, text in told.items())])


def _line(label: str, text: str) -> str:
    """A labelled line, broken between words where it is long."""
    whole = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.fill(f"  {label:<9}{text}", WIDTH, subsequent_indent=" " * 11, **whole)


class InSplits(Dataset):
    """The base of a data set that its makers split: `splits` by name; `train`, `valid`, `test` are short for three.

    A split that the set does not have is empty. What some call "dev" is called "valid" in all of the course.
    """

    splits: dict
    _absent = ()

    @property
    def train(self):
        return self.splits.get("train", self._absent)

    @property
    def valid(self):
        return self.splits.get("valid", self._absent)

    @property
    def test(self):
        return self.splits.get("test", self._absent)

    def _sizes(self, size: Callable = len) -> str:
        """The size of each split in words: "train 90, test 10"."""
        return ", ".join(f"{name} {size(part):,}" for name, part in self.splits.items())
