"""Requests to an assistant and what they ask for: CLINC150."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from helpers.data.archives import read_bytes
from helpers.data.dataset import Card, InSplits

SPLITS = {"train": "train", "valid": "val", "test": "test"}  # our name: the name in the file


class Request(NamedTuple):
    """What somebody asks an assistant, and the intent: "translate", or "oos" for none of those that there are."""

    text: str
    intent: str


@dataclass(frozen=True, repr=False, eq=False)
class Intents(InSplits):
    """Requests by split.

    splits:       {"train", "valid", "test": [(text, intent), ...]}, all within the scope of the assistant
    out_of_scope: {"train", "valid", "test": [(text, "oos"), ...]}, what it is not made for
    domains:      {name of a domain: its intents}
    """

    splits: dict[str, list[Request]]
    out_of_scope: dict[str, list[Request]]
    domains: dict[str, list[str]]
    card: Card

    @property
    def intents(self) -> list[str]:
        """The intents of all domains, sorted."""
        return sorted(intent for intents in self.domains.values() for intent in intents)

    def rows(self) -> str:
        outside = ", ".join(f"{name} {len(part):,}" for name, part in self.out_of_scope.items())
        return f"{len(self.intents)} intents in {len(self.domains)} domains: {self._sizes()}; out of scope: {outside}"


def read_clinc(paths: list[Path], card: Card) -> Intents:
    """Read the full edition of CLINC150 and its domains (Larson et al. 2019)."""
    rows, domains = (json.loads(read_bytes(path)) for path in paths)
    return Intents(_splits(rows, ""), _splits(rows, "oos_"), domains, card)


def _splits(rows: dict[str, list], prefix: str) -> dict[str, list[Request]]:
    """Return the requests of each split; prefix: what stands before its name in the file."""
    splits = {}
    for ours, theirs in SPLITS.items():
        splits[ours] = [Request(*row) for row in rows[prefix + theirs]]
    return splits
