"""Pairs of answers to one prompt, of which people would choose the first."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from helpers.data.archives import read_bytes
from helpers.data.dataset import Card, InSplits

SPLITS = ("valid", "test")


class Preference(NamedTuple):
    """One pair.

    id:       as "a017"
    question: the id of the question in docs_questions
    fault:    of the rejected answer: "padded", "uncited", "wrong", "bad_citation", "invented"
    prompt:   the passage with its number, an empty line, the question
    chosen:   short, true, with its passage as [1]; or that the passage does not say
    rejected: the answer with the fault
    """

    id: str
    question: str
    fault: str
    prompt: str
    chosen: str
    rejected: str


@dataclass(frozen=True, repr=False, eq=False)
class Preferences(InSplits):
    """Pairs in two splits, those of their questions.

    splits: {"valid": [Preference, ...], "test": [Preference, ...]}
    """

    splits: dict[str, list[Preference]]
    card: Card
    _absent: list = field(default_factory=list)

    def __len__(self) -> int:
        return sum(map(len, self.splits.values()))

    @property
    def faults(self) -> list[str]:
        """The faults in the order of the file."""
        return list(dict.fromkeys(pair.fault for split in self.splits.values() for pair in split))

    def rows(self) -> str:
        return f"{len(self):,} pairs with {len(self.faults)} faults: {self._sizes()}"


def read_docs_preferences(paths: list[Path], card: Card) -> Preferences:
    """Read the pairs, in the order of the file within each split."""
    splits: dict[str, list[Preference]] = {name: [] for name in SPLITS}
    for row in tomllib.loads(read_bytes(paths[0]).decode())["pair"]:
        splits[row.pop("split")].append(Preference(**row))
    return Preferences(splits, card)
