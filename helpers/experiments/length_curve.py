"""How well a translator does against the length of what it reads: chapters 03 and 04 draw the same curve."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise


@dataclass(frozen=True)
class LengthCurve:
    """The share of exact translations by the length of the source, in characters.

    edges:  n + 1 lengths; bin i holds the sources of edges[i] to edges[i + 1] - 1 characters
    shares: n shares of exact translations, nan where there is no source of that length
    counts: how many sources each bin holds
    """

    edges: list[int]
    shares: list[float]
    counts: list[int]

    @property
    def middles(self) -> list[float]:
        """The middle of each bin, to draw the curve over."""
        return [(low + high - 1) / 2 for low, high in pairwise(self.edges)]

    @property
    def overall(self) -> float:
        """The share of exact translations over all sources, long and short."""
        right = sum(share * count for share, count in zip(self.shares, self.counts, strict=True) if count)
        return right / sum(self.counts) if sum(self.counts) else float("nan")

    def plain(self) -> dict:
        """The curve in plain values, for an artifact's config; `LengthCurve(**config)` makes it again."""
        return asdict(self)


def exact_by_length(pairs: Sequence[tuple[str, str]], answers: Sequence[str], edges: Sequence[int]) -> LengthCurve:
    """Compare answers with the targets of (source, target) pairs; sources outside the edges are left out."""
    shares, counts = [], []
    for low, high in pairwise(edges):
        right = [a == target for (source, target), a in zip(pairs, answers, strict=True) if low <= len(source) < high]
        shares.append(sum(right) / len(right) if right else float("nan"))
        counts.append(len(right))
    return LengthCurve(list(edges), shares, counts)
