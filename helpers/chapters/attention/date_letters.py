"""The letters of dates: the characters that a translator reads, and those that it writes."""

from collections.abc import Sequence

import torch
from torch import nn

LETTERS = "0123456789- ."  # what ISO dates are written with: a space between two, a full stop at the end
END, BEGIN = LETTERS.index("."), len(LETTERS)


def letter_ids(pairs: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return the id of every character of the sources of (source, target) pairs; 0 is padding."""
    characters = {c for source, _ in pairs for c in source}
    return {c: i for i, c in enumerate(sorted(characters), start=1)}


def encode_sources(texts: Sequence[str], ids: dict[str, int]) -> torch.Tensor:
    """Return the ids (N, T) of texts, padded with 0 at the end; characters that have no id are left out."""
    rows = []
    for text in texts:
        known = [ids[c] for c in text if c in ids]
        rows.append(torch.tensor(known))
    return nn.utils.rnn.pad_sequence(rows, batch_first=True)


def encode_targets(targets: Sequence[str]) -> torch.Tensor:
    """Return the letters (N, L) of targets that are all of one length, each with END behind it."""
    rows = []
    for target in targets:
        rows.append([LETTERS.index(c) for c in target + LETTERS[END]])
    return torch.tensor(rows)


def write_letters(rows: torch.Tensor) -> list[str]:
    """Return what each of the rows of letters (N, L) says, up to its END."""
    texts = []
    for row in rows.tolist():
        letters = "".join(LETTERS[i] for i in row)
        texts.append(letters.split(LETTERS[END])[0])
    return texts
