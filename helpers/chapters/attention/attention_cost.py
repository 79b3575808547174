"""What attention costs: seconds and memory of several ways to compute it, and bytes of the cache, as tables."""

from collections.abc import Callable, Sequence

import torch

from helpers.course.call_cost import Usage, usage

WIDTH = 64  # numbers of one query, key or value


def measure_costs(
    ways: dict[str, Callable], lengths: Sequence[int], limit_mb: float, rng: torch.Generator
) -> dict[str, list[Usage]]:
    """Return {name: the cost at each length T} of functions of random queries, keys and values, each (T, 64).

    ways: "tiled" and what it is compared with; limit_mb: a call that asks for more MB is refused by the system.
    """
    costs = {name: [] for name in ways}
    usage(ways["tiled"], *torch.randn(3, 8, WIDTH, generator=rng))  # the first measurement would count the start-up
    for length in lengths:
        q, k, v = (torch.randn(length, WIDTH, generator=rng) for _ in range(3))
        for name, way in ways.items():
            costs[name].append(usage(way, q, k, v, limit_mb=limit_mb))
    return costs


def cost_table(lengths: Sequence[int], costs: dict[str, list[Usage]]) -> str:
    """Return the costs as text: a line for each length, the seconds and MB of each way in columns."""
    lines = [f"{'tokens':>7}" + "".join(f"{name:>24}" for name in costs)]
    for length, *found in zip(lengths, *costs.values(), strict=True):
        cells = ["refused" if c.refused else f"{c.seconds:8.3f} s {c.mb:8.1f} MB" for c in found]
        lines.append(f"{length:>7}" + "".join(f"{cell:>24}" for cell in cells))
    return "\n".join(lines)


def cache_table(caches: dict[str, Callable[[int], int]]) -> str:
    """Return as text what each kind of cache, a function from tokens to bytes, holds for a token and for 32,768."""
    lines = [f"{'cache':<40}{'bytes a token':>15}{'at 32,768 tokens':>19}"]
    lines += [f"{name:<40}{int(size(1)):>15,}{size(32768) / 2**30:>15.2f} GiB" for name, size in caches.items()]
    return "\n".join(lines)
