"""Sentences with one tag a token: parts of speech (English Web Treebank) or named things (the inbox)."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from helpers.data.archives import open_text
from helpers.data.dataset import Card, InSplits

TOKEN = re.compile(r"\w+(?:[.,:'’]\w+)*|[^\w\s]")  # 8.45 and don't are one token, any other sign is its own
FORM, UPOS = 1, 3  # columns of CoNLL-U


class Sentence(NamedTuple):
    """A sentence in tokens, and a tag for each of them."""

    tokens: list[str]
    tags: list[str]


@dataclass(frozen=True, repr=False, eq=False)
class Tagged(InSplits):
    """Tagged sentences by split.

    splits: {"train", "valid", "test": [(tokens, tags), ...]}
    """

    splits: dict[str, list[Sentence]]
    card: Card

    @property
    def tags(self) -> list[str]:
        """The tags that occur in the training split, sorted."""
        return sorted({tag for sentence in self.train for tag in sentence.tags})

    def rows(self) -> str:
        sentences = [sentence for part in self.splits.values() for sentence in part]
        tokens = sum(len(sentence.tokens) for sentence in sentences)
        return f"{len(sentences):,} sentences, {tokens:,} tokens, {len(self.tags)} tags: {self._sizes()}"


# ---------------------------------------------------------------------------- English Web Treebank
def read_conllu(paths: list[Path], card: Card) -> Tagged:
    """Read the words and universal parts of speech of CoNLL-U files (de Marneffe et al. 2021)."""
    return Tagged(dict(zip(("train", "valid", "test"), map(_read_part, paths), strict=True)), card)


def _read_part(path: Path) -> list[Sentence]:
    """Sentences end at an empty line; a word's number is whole.

    Skipped are comments, multiword tokens ("1-2 don't", whose words follow), and empty nodes ("8.1", no word at all).
    """
    sentences, sentence = [], Sentence([], [])
    with open_text(path) as file:
        for line in file:
            columns = line.rstrip("\n").split("\t")
            if columns[0].isdecimal():
                sentence.tokens.append(columns[FORM])
                sentence.tags.append(columns[UPOS])
            elif columns == [""]:
                sentences.append(sentence)
                sentence = Sentence([], [])
    return sentences


# ------------------------------------------------------------------------------------------- inbox
def read_inbox_tags(paths: list[Path], card: Card) -> Tagged:
    """Read the inbox with its entities as BIO tags (Ramshaw and Marcus 1995).

    Of the core sentences, every tenth goes to valid and every tenth to test, with all messages made from them.
    """
    with open_text(paths[0]) as file:
        rows = [json.loads(line) for line in file]
    cores = sorted({(row["intent"], row["template"]) for row in rows})
    split_of = {core: {8: "valid", 9: "test"}.get(i % 10, "train") for i, core in enumerate(cores)}
    splits: dict[str, list[Sentence]] = {"train": [], "valid": [], "test": []}
    for row in rows:
        splits[split_of[row["intent"], row["template"]]].append(bio(row["text"], row["entities"]))
    return Tagged(splits, card)


def bio(text: str, entities: list[tuple[int, int, str]]) -> Sentence:
    """Cut a text into tokens; the first of an entity is tagged B-LABEL, its others I-LABEL, all the rest O.

    A token never reaches across the edge of an entity; entities are in order and do not overlap.
    """
    sentence = Sentence([], [])
    for start, end, label in _stretches(len(text), entities):
        tokens = TOKEN.findall(text, start, end)
        sentence.tokens.extend(tokens)
        sentence.tags.extend([f"B-{label}"] + [f"I-{label}"] * (len(tokens) - 1) if label else ["O"] * len(tokens))
    return sentence


def _stretches(length: int, entities: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """The entities and, with an empty label, what lies between them."""
    done = 0
    for start, end, label in entities:
        yield done, start, ""
        yield start, end, label
        done = end
    yield done, length, ""
