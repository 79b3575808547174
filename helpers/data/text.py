"""Running text: what language models are trained on."""

from dataclasses import dataclass
from pathlib import Path

from helpers.data.archives import read_bytes
from helpers.data.dataset import Card, InSplits

SHAKESPEARE_TRAIN = 0.9  # the usual split: the first nine tenths, counted in characters


@dataclass(frozen=True, repr=False, eq=False)
class Text(InSplits):
    """Running text by split.

    splits: "train", and in most sets "valid" and "test"; `train`, `valid`, `test` are "" where there is none
    """

    splits: dict[str, str]
    card: Card
    _absent = ""

    def rows(self) -> str:
        characters = sum(map(len, self.splits.values()))
        return f"{characters:,} characters; words: {self._sizes(lambda text: len(text.split()))}"


def read_wikitext(paths: list[Path], card: Card) -> Text:
    """Read three files of words separated by spaces, one paragraph or heading a line (Merity et al. 2016).

    The text is left as it is: rare words are `<unk>`, joined words `@-@`, an empty line is a single space.
    """
    return Text(dict(zip(("train", "valid", "test"), map(_text, paths), strict=True)), card)


def read_shakespeare(paths: list[Path], card: Card) -> Text:
    """Read one file and split it as is usual: the first 90 % to train on, the rest to validate."""
    text = _text(paths[0])
    cut = int(SHAKESPEARE_TRAIN * len(text))
    return Text({"train": text[:cut], "valid": text[cut:]}, card)


def read_text(paths: list[Path], card: Card) -> Text:
    """Read one file whole, all of it to train on."""
    return Text({"train": _text(paths[0])}, card)


def _text(path: Path) -> str:
    return read_bytes(path).decode("utf-8")
