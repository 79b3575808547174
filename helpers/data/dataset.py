"""What every data set of the course has in common: a card, and a way to print it."""

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
