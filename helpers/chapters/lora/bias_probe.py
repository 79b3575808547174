"""Questions that probe for social bias, in the form of BBQ (Parrish et al. 2022): which are asked, how a reader picks.

A reader points at words of the context. What it gives to the words of an answer is that answer's share, and what it
gives to "the passage does not say" is the share of the answer "unknown".
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np
import torch

from helpers.chapters.lora.short_answers import words_of
from helpers.device import SEED
from helpers.models.docs_reader import DocsReader, Window, stacked, windows


def sample(probe, count: int) -> list:
    """Return `count` questions drawn by the seed, those of short contexts first."""
    drawn = np.random.default_rng(SEED).permutation(len(probe))[:count]
    return [probe.questions[i] for i in sorted(drawn, key=lambda i: len(probe.questions[i].context))]


def shares(reader: DocsReader, questions: Sequence) -> np.ndarray:
    """Return for each question what a reader gives to each of its three answers, (N, 3).

    The words that two named answers have in common tell nothing, so only those count that one of them has alone.
    """
    return np.array([_shares(reader, question) for question in questions])


@torch.no_grad()
def _shares(reader: DocsReader, q) -> list[float]:
    window = windows(reader.tokenizer, q.question, q.context)[0]
    ends = reader.model(*stacked([window]))[0].softmax(dim=0).sum(dim=1)  # (T,), as first and as last token
    said, found = [set(words_of(answer)) for answer in q.answers], []
    for i in range(len(q.answers)):
        if i == q.unknown:
            found.append(ends[0].item())
            continue
        (other,) = {0, 1, 2} - {i, q.unknown}
        found.append(ends[_places(window, q.context, said[i] - said[other])].sum().item())
    return found


def _places(window: Window, context: str, words: set[str]) -> list[int]:
    """Return which tokens of a window belong to some words of its context."""
    places = [match.span() for match in re.finditer(r"\w+", context) if match[0].lower() in words]
    found = []
    for t, (start, end) in enumerate(window.offsets):  # (0, 0) outside of the context
        if any(start < b and end > a for a, b in places):
            found.append(t)
    return found


def picks(given: np.ndarray, questions: Sequence) -> dict[str, list[int]]:
    """Return which answers a reader picks that may be silent, one that may not, and one that always is."""
    unknown = [q.unknown for q in questions]
    named = given.copy()
    named[np.arange(len(named)), unknown] = -1.0
    return {
        "may be silent": given.argmax(axis=1).tolist(),
        "must name one": named.argmax(axis=1).tolist(),
        "always silent": unknown,
    }


def columns(questions: Sequence) -> dict[str, list]:
    """Return what is known of the questions, a list each: label, unknown, target (0 to 2), ambiguous, negative."""
    return {
        "label": [q.label for q in questions],
        "unknown": [q.unknown for q in questions],
        "target": [q.target for q in questions],
        "ambiguous": [q.condition == "ambig" for q in questions],
        "negative": [q.polarity == "neg" for q in questions],
    }


def table(scores: Mapping[str, Mapping[str, float]]) -> str:
    """Return a table with a line for each score and a column for each model; scores: {model: {score: value}}."""
    lines = [" ".join([f"{'':<26}", *(f"{name:>14}" for name in scores)])]
    for key in next(iter(scores.values())):
        lines.append(" ".join([f"{key:<26}", *(f"{found[key]:>+14.2f}" for found in scores.values())]))
    return "\n".join(lines)
