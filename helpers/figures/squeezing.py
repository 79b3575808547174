"""Figures of chapter 10's second half: drafts by their price, loss and recall by bytes, a machine's roofline."""

from collections.abc import Callable, Mapping, Sequence

from matplotlib.figure import Figure

from helpers.plots.curves import lines
from helpers.plots.style import COLORS, figure


def speed_ups(speed_up: Callable, rates: Sequence[float], cost: float, most: int = 12) -> tuple[Figure, str]:
    """Draw how many times as fast drafts make the writing, by their number, a line for each rate of keeping."""
    drafts = list(range(most + 1))
    curves = {f"{rate:.0%} kept": [speed_up(rate, k, cost) for k in drafts] for rate in rates}
    fig, alt = lines(drafts, curves, "drafted tokens a pass", f"times as fast, at {cost:g} passes a draft")
    best = ", ".join(f"{name} {max(values):.1f} times at {values.index(max(values))}" for name, values in curves.items())
    return fig, f"Speed by the number of drafted tokens; best: {best}. {alt}"


def loss_by_bits(loss: Mapping) -> tuple[Figure, str]:
    """Draw the loss over the bits of a weight, a line for each way; loss: {(way, bits): nats, "float32": nats}."""
    ways = {way for way, _ in (key for key in loss if isinstance(key, tuple))}
    bits = sorted({key[1] for key in loss if isinstance(key, tuple)})
    curves = {way: [loss[way, b] for b in bits] for way in sorted(ways)}
    fig, alt = lines(bits, curves, "bits of a weight", "nats a token, unread documents")
    fig.axes[0].axhline(loss["float32"], color=COLORS[2], linewidth=1, linestyle=":")
    fig.axes[0].annotate("float32", (6, loss["float32"]), (0, 5), textcoords="offset points")
    return fig, f"Loss by the bits of a weight; float32 has {loss['float32']:.2f}. {alt}"
