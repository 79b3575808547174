"""Whole messages of the inbox, to be sorted by a tagger's reader: intents, spam."""

import re
from collections.abc import Iterable, Sequence

import torch

from helpers.data.messages import Messages
from helpers.data.tagged import Sentence, Tagged, bio


def intents_of(messages: Messages, tagged: Tagged) -> tuple[list[str], list[int], list[int]]:
    """Return (names of the intents, their numbers for the tagged sentences of train, and for those of test)."""
    found = zip(messages.texts, messages.entities, messages.intents, strict=True)
    intent = {tuple(bio(text, entities).tokens): name for text, entities, name in found}
    names = sorted(set(intent.values()))
    train, test = ([names.index(intent[tuple(tokens)]) for tokens, _ in part] for part in (tagged.train, tagged.test))
    return names, train, test


def untagged(texts: Iterable[str]) -> list[Sentence]:
    """Return each text in words and marks, all tagged O; a text without any becomes one full stop."""
    found = (re.findall(r"\w+|[^\w\s]", text) or ["."] for text in texts)
    return [Sentence(tokens, ["O"] * len(tokens)) for tokens in found]


def share_right(predicted: torch.Tensor, labels: Sequence[int]) -> float:
    """Return the share of predicted classes (n,) that are right."""
    return (predicted == torch.tensor(labels)).float().mean().item()


def f1_of(predicted: torch.Tensor, labels: Sequence[int]) -> float:
    """Return the F1 of class 1, for predicted classes (n,) and the right ones."""
    true = torch.tensor(labels) == 1
    hits = (predicted[true] == 1).sum().item()
    return 2 * hits / (predicted.sum().item() + true.sum().item())
