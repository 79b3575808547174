"""Sentence-aligned texts in two or more languages: Multi30k, and the type that the dates share."""

from dataclasses import dataclass, replace
from pathlib import Path

from helpers.data.archives import open_text
from helpers.data.dataset import Card, Dataset
from helpers.errors import DataError

# Name of a file -> the split that it holds.
MULTI30K = {"train": "train", "val": "valid", "test_2016_flickr": "test", "test_2017_flickr": "test_2017"}


@dataclass(frozen=True, repr=False, eq=False)
class Translations(Dataset):
    """Lines in several languages, aligned, and one direction to translate in.

    lines:  split -> language -> lines; row i of a split says the same in every language
    source: the language to translate from
    target: the language to translate to
    """

    lines: dict[str, dict[str, list[str]]]
    source: str
    target: str
    card: Card

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages there are; `between` takes any two."""
        return tuple(self.lines["train"])

    @property
    def splits(self) -> dict[str, list[tuple[str, str]]]:
        """Split -> (source, target) pairs."""
        return {split: self._pairs(split) for split in self.lines}

    @property
    def train(self) -> list[tuple[str, str]]:
        """The (source, target) pairs to learn from."""
        return self._pairs("train")

    @property
    def valid(self) -> list[tuple[str, str]]:
        """The pairs to choose a model by."""
        return self._pairs("valid")

    @property
    def test(self) -> list[tuple[str, str]]:
        """The pairs to report on, once."""
        return self._pairs("test")

    def between(self, source: str, target: str) -> "Translations":
        """Return the same lines in another direction, say between("en", "fr")."""
        for language in (source, target):
            if language not in self.languages:
                hint = f"There are: {', '.join(self.languages)}."
                raise DataError(f'{self.card.title} has no language "{language}".', hint)
        return replace(self, source=source, target=target)

    def rows(self) -> str:
        """Return the sizes of the splits and the direction."""
        sizes = ", ".join(f"{split} {len(lines[self.source]):,}" for split, lines in self.lines.items())
        others = [language for language in self.languages if language not in (self.source, self.target)]
        also = f"; also {', '.join(others)}" if others else ""
        return f"pairs {self.source} -> {self.target}: {sizes}{also}"

    def _pairs(self, split: str) -> list[tuple[str, str]]:
        lines = self.lines[split]
        return list(zip(lines[self.source], lines[self.target], strict=True))


def read_multi30k(paths: list[Path], card: Card) -> Translations:
    """Read the files "<split>.<language>.gz", one sentence a line, and check that they are aligned."""
    lines: dict[str, dict[str, list[str]]] = {}
    for path in paths:
        name, language, _ = path.name.split(".")
        with open_text(path, newline="\n") as file:
            rows = [line.strip() for line in file]  # some lines end in blanks or a tab
        lines.setdefault(MULTI30K[name], {})[language] = rows
    for split, texts in lines.items():
        if len(set(map(len, texts.values()))) != 1:
            raise DataError(f"{card.title}: the languages of {split} differ in length.", "Replace the files.")
    return Translations(lines, "en", "de", card)
