"""What attention costs, drawn: seconds and memory by length, and the bytes of the cache."""

import re
from collections.abc import Callable, Mapping, Sequence

from matplotlib.figure import Figure

from helpers.course.call_cost import Usage
from helpers.figures.panels import draw_curves
from helpers.plots.curves import lines
from helpers.plots.style import figure


def cost_curves(lengths: Sequence[int], costs: Mapping[str, list[Usage]], limit_mb: float) -> tuple[Figure, str]:
    """Draw seconds and MB of "plain", "tiled" and "torch" at each length; returns (figure, alt text)."""
    fig, axes = figure(columns=2, width=9, height=3.6)
    draw_curves(axes[0], lengths, {name: [c.seconds for c in found] for name, found in costs.items()})
    draw_curves(axes[1], lengths, {name: [c.mb for c in found] for name, found in costs.items()})
    axes[1].axhline(limit_mb, color="black", linewidth=1)
    axes[1].text(lengths[0], limit_mb * 1.1, "limit", fontsize=9)
    axes[0].set(xscale="log", yscale="log", xlabel="tokens", ylabel="seconds")
    axes[1].set(xscale="log", yscale="log", xlabel="tokens", ylabel="memory in MB", ylim=(None, limit_mb * 3))
    for ax in axes:
        ax.set_xticks(lengths[::2], [f"{length:,}" for length in lengths[::2]])
        ax.minorticks_off()
    axes[0].legend()
    return fig, _cost_alt(lengths, costs)


def _cost_alt(lengths: Sequence[int], costs: Mapping[str, list[Usage]]) -> str:
    last = {
        name: max(length for length, c in zip(lengths, found, strict=True) if not c.refused)
        for name, found in costs.items()
    }
    return (
        "Seconds and memory of three ways to compute attention, against length on logarithmic axes. Seconds "
        "grow with the square of the length for all. Plain attention's memory does, too, and it is refused "
        f"beyond {last['plain']:,} tokens; tiled reaches {last['tiled']:,} tokens with "
        f"{costs['tiled'][-1].mb:.0f} MB, torch with {costs['torch'][-1].mb:.0f} MB."
    )


def cache_sizes(caches: Mapping[str, Callable[[int], int]]) -> tuple[Figure, str]:
    """Draw the GiB of five caches, {name: function from tokens to bytes}, by length; returns (figure, alt text)."""
    lengths = [2**n for n in range(9, 18)]
    curves = {re.match(r"\w+", name)[0]: [size(n) / 2**30 for n in lengths] for name, size in caches.items()}
    fig, alt = lines(lengths, curves, "tokens", "cache in GiB", log="xy")
    fig.axes[0].legend(loc="upper left", ncols=2)
    return fig, f"The cache of five kinds of attention, by the length of the text. {alt}"
