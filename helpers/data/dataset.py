"""What every data set of the course has in common: a card, and a way to print it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Card:
    """Where a data set comes from, and on what terms."""

    name: str
    title: str
    source: str
    license: str
    edition: str
    citation: str


class Dataset:
    """The base of what `load` returns; a subclass has a `card` and says in `rows` how much of what it holds."""

    card: Card

    def rows(self) -> str:
        """Return how many rows there are, and of what, in a few words."""
        raise NotImplementedError()

    def __repr__(self) -> str:
        """Return the card, one line each."""
        return (
            f"{self.card.title}\n"
            f"  rows     {self.rows()}\n"
            f"  source   {self.card.source}\n"
            f"  licence  {self.card.license}\n"
            f"  edition  {self.card.edition}"
        )


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
