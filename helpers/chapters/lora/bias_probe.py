"""Questions that probe for social bias, in the form of BBQ (Parrish et al. 2022): which are asked, and their facts."""

from collections.abc import Mapping, Sequence

import numpy as np

from helpers.device import SEED


def sample(probe, count: int) -> list:
    """Return `count` questions drawn by the seed, those of short contexts first."""
    drawn = np.random.default_rng(SEED).permutation(len(probe))[:count]
    return [probe.questions[i] for i in sorted(drawn, key=lambda i: len(probe.questions[i].context))]


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
