"""What the scale of attention does: the variance of scores and the largest weight, by the size of queries and keys."""

from collections.abc import Callable, Sequence

import torch

SCALES = {"not scaled": lambda d: 1.0, "1/sqrt(d)": lambda d: d**-0.5, "1/d": lambda d: 1 / d}
QUERIES, KEYS = 500, 64


def measure_scaling(
    dot_scores: Callable, attention: Callable, sizes: Sequence[int], rng: torch.Generator
) -> tuple[dict[str, list[float]], dict[str, list[float]], dict[str, list[float]]]:
    """Return the variance of the scores, the mean of the largest weight of 64, and the mean sum of the 64 slopes.

    Each is {scale: one for each size}; the slope of a weight a by its own score is a (1 - a).
    dot_scores, attention: as in chapter 04; queries and keys are drawn with mean 0 and variance 1.
    """
    spread: dict[str, list[float]] = {name: [] for name in SCALES}
    largest: dict[str, list[float]] = {name: [] for name in SCALES}
    slope: dict[str, list[float]] = {name: [] for name in SCALES}
    for d in sizes:
        q, k = torch.randn(QUERIES, d, generator=rng), torch.randn(KEYS, d, generator=rng)
        for name, scale in SCALES.items():
            spread[name].append(float((dot_scores(q, k) * scale(d)).var()))
            weights = attention(q, k, k, scale(d))[1]
            largest[name].append(float(weights.amax(-1).mean()))
            slope[name].append(float((weights * (1 - weights)).sum(-1).mean()))
    return spread, largest, slope
