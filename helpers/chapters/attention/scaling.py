"""What the scale of attention does to scores and weights, by the size of queries and keys."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import torch

SCALES = {"not scaled": lambda d: 1.0, "1/sqrt(d)": lambda d: d**-0.5, "1/d": lambda d: 1 / d}
QUERIES, KEYS = 500, 64


@dataclass
class Effect:
    """What one scale does, a number for each size of queries and keys.

    variance: of the scores
    entropy:  of a query's 64 weights, in nats, the mean over the queries: 0 if one key has all, ln 64 if all are equal
    apart:    the share of the weight that differs between two queries, the mean over pairs
    """

    variance: list[float] = field(default_factory=list)
    entropy: list[float] = field(default_factory=list)
    apart: list[float] = field(default_factory=list)


def measure_scaling(
    dot_scores: Callable, attention: Callable, sizes: Sequence[int], rng: torch.Generator
) -> dict[str, Effect]:
    """Return the effect of each of SCALES on queries and keys that are drawn with mean 0 and variance 1.

    dot_scores, attention: as in chapter 04.
    """
    effects = {name: Effect() for name in SCALES}
    for d in sizes:
        q, k = torch.randn(QUERIES, d, generator=rng), torch.randn(KEYS, d, generator=rng)
        for name, scale in SCALES.items():
            weights = attention(q, k, k, scale(d))[1]  # (QUERIES, KEYS)
            one, other = weights.chunk(2)
            effects[name].variance.append(float((dot_scores(q, k) * scale(d)).var()))
            effects[name].entropy.append(float(torch.special.entr(weights).sum(-1).mean()))
            effects[name].apart.append(float((one - other).abs().sum(-1).mean()) / 2)
    return effects


def table(size: int, effects: Mapping[str, Effect]) -> str:
    """Return the effects at the largest size as text, a line for each scale."""
    lines = [f"at d = {size:<8}{'variance':>10}{'entropy':>10}{'two queries apart':>20}"]
    for name, effect in effects.items():
        lines.append(f"{name:<15}{effect.variance[-1]:>10.3f}{effect.entropy[-1]:>10.2f}{effect.apart[-1]:>20.2f}")
    return "\n".join(lines)
