"""Words added to a finished tokenizer, and what a model that never saw their rows makes of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import regex
import torch
from torch.nn import functional as F

from helpers.models.gpt import GPT

Encode = Callable[[str], list[int]]
LENGTH = 110  # tokens of a text that are read
BEFORE, BEHIND = 300, 100  # characters around the first new word of a text
BATCH = 25


class Reading(NamedTuple):
    """What texts cost a model, in nats."""

    word: float  # one of the chosen words, over all its tokens
    other: float  # a token that belongs to none of them
    text: float


def words_in_parts(words: Mapping[tuple[bytes, ...], int], encode: Encode, count: int, least: int = 3) -> list[str]:
    """Return the most frequent words, a blank in front of each, that are encoded as `least` tokens or more.

    words: {piece as a tuple of bytes: how often it occurs}; encode: text -> ids
    """
    found: list[str] = []
    for symbols in sorted(words, key=lambda symbols: -words[symbols]):
        word = b"".join(symbols).decode()
        if word[0] == " " and word[1:].isalpha() and len(encode(word)) >= least:
            found.append(word)
        if len(found) == count:
            break
    return found


def extended(encode: Encode, cut: Callable[[str], list[str]], words: Sequence[str], first_id: int) -> Encode:
    """Return an `encode` to which the words are tokens, numbered from first_id on: each where it is a whole piece."""
    new = {word: first_id + i for i, word in enumerate(words)}

    def encode_with_new_words(text: str) -> list[int]:
        ids: list[int] = []
        for piece in cut(text):
            ids += [new[piece]] if piece in new else encode(piece)
        return ids

    return encode_with_new_words


def first_rows(embedding: torch.Tensor, old_ids: Sequence[list[int]]) -> dict[str, torch.Tensor]:
    """Return {how: rows (words, C)} for words with these old ids each: how their rows in the embedding may begin."""
    return {
        "zeros": torch.zeros_like(embedding[: len(old_ids)]),
        "the mean of all rows": embedding.mean(0).repeat(len(old_ids), 1),
        "the mean of its old tokens' rows": torch.stack([embedding[ids].mean(0) for ids in old_ids]),
        "the sum of its old tokens' rows": torch.stack([embedding[ids].sum(0) for ids in old_ids]),
        "its first old token's row": torch.stack([embedding[ids[0]] for ids in old_ids]),
    }


def around(texts: Iterable[str], words: Sequence[str], count: int) -> list[str]:
    """Return what stands around the first of the words in each text that has one, `count` texts at most."""
    one_of_them = regex.compile("|".join(regex.escape(word) + r"(?!\w)" for word in words))
    found: list[str] = []
    for text in texts:
        match = one_of_them.search(text, 80)
        if match and len(found) < count:
            found.append(text[max(0, match.start() - BEFORE) : match.end() + BEHIND])
    return found


@torch.no_grad()
def reading(model: GPT, encode: Encode, texts: Sequence[str], words: Iterable[str]) -> Reading:
    """Return what the texts cost; words: those that are looked at apart from the other tokens."""
    device, known = model.token_embedding.weight.device, {tuple(encode(word)) for word in words}
    per_word: list[float] = []
    others: list[float] = []
    for first in range(0, len(texts), BATCH):
        rows = [[0, *encode(text)][:LENGTH] for text in texts[first : first + BATCH]]
        ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True).to(device)
        logits = model(ids)[:, :-1]
        losses = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none").view(len(rows), -1)
        for row, row_losses in zip(rows, losses.tolist(), strict=True):
            _share(row[1:], row_losses, known, per_word, others)
    total = sum(per_word) + sum(others)
    return Reading(sum(per_word) / max(len(per_word), 1), sum(others) / len(others), total / len(texts))


def _share(
    ids: list[int], losses: list[float], known: set[tuple[int, ...]], per_word: list[float], others: list[float]
) -> None:
    """Put the losses of one text where they belong: those of a known word's tokens together, the others one by one."""
    lengths = sorted({len(word) for word in known}, reverse=True)
    i = 0
    while i < len(ids):
        size = next((n for n in lengths if tuple(ids[i : i + n]) in known), 0)
        if size:
            per_word.append(sum(losses[i : i + size]))
        else:
            others.append(losses[i])
        i += max(size, 1)
