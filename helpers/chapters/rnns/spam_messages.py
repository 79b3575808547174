"""Whole messages of the inbox, to be sorted by a tagger's reader: their intents."""

from collections.abc import Sequence

import torch

from helpers.data.messages import Messages
from helpers.data.tagged import Tagged, bio


def intents_of(messages: Messages, tagged: Tagged) -> tuple[list[str], list[int], list[int]]:
    """Return (names of the intents, their numbers for the tagged sentences of train, and for those of test)."""
    rows = zip(messages.texts, messages.entities, messages.intents, strict=True)
    intent = {tuple(bio(text, entities).tokens): name for text, entities, name in rows}
    names = sorted(set(intent.values()))
    train = [names.index(intent[tuple(tokens)]) for tokens, _ in tagged.train]
    test = [names.index(intent[tuple(tokens)]) for tokens, _ in tagged.test]
    return names, train, test


def share_right(predicted: torch.Tensor, labels: Sequence[int]) -> float:
    """Return the share of predicted classes (n,) that are right."""
    return (predicted == torch.tensor(labels)).float().mean().item()
