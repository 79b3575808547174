"""Figures of chapter 10's second half: drafts by their price, loss and recall by bytes, a machine's roofline."""

from collections.abc import Callable, Mapping, Sequence

from matplotlib.figure import Figure

from helpers.plots.curves import lines
from helpers.plots.style import COLORS, figure

MARKS = "os^D*"


def speed_ups(speed_up: Callable, rates: Sequence[float], cost: float, most: int = 12) -> tuple[Figure, str]:
    """Draw how many times as fast drafts make the writing, by their number, a line for each rate of keeping."""
    drafts = list(range(most + 1))
    curves = {f"{rate:.0%} kept": [speed_up(rate, k, cost) for k in drafts] for rate in rates}
    fig, alt = lines(drafts, curves, "drafted tokens a pass", f"times as fast, at {cost:g} passes a draft")
    best = ", ".join(
        f"{name} {max(values):.1f} times at {values.index(max(values))}" for name, values in curves.items()
    )
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


def recall_by_bytes(recalls: Mapping[str, Mapping]) -> tuple[Figure, str]:
    """Draw recall@10 over the bytes of a vector, a line for each way; recalls: {way: {name: (bytes, recall)}}."""
    fig, ax = figure(width=8, height=4)
    for i, (way, points) in enumerate(recalls.items()):
        sizes, values = zip(*sorted(points.values()), strict=True)
        ax.plot(sizes, values, MARKS[i] + "-", color=COLORS[i % len(COLORS)], label=way)
    ax.set(xscale="log", xlabel="bytes of a vector", ylabel="recall@10")
    ax.set_xticks([64, 128, 256, 512, 1024, 2048], labels=["64", "128", "256", "512", "1,024", "2,048"])
    ax.minorticks_off()
    ax.legend(loc="lower right")
    told = "; ".join(
        f"{way} " + ", ".join(f"{recall:.2f} at {size:,.0f}" for size, recall in points.values())
        for way, points in recalls.items()
    )
    return fig, f"Recall@10 by the bytes of a vector: {told}."


def roofline(points: Mapping[int, float], limits: Sequence, cost: Callable, attainable: Callable) -> tuple[Figure, str]:
    """Draw measured products over their intensity, and the roof; points: {rows: seconds}, limits: (peak, bandwidth)."""
    fig, ax = figure(width=8, height=4)
    found, roofs = [], []
    for rows, seconds in points.items():
        operations, moved = cost(rows, 1024, 1024)
        found.append((operations / moved, operations / seconds / 1e9))
        roofs.append(attainable(operations, moved, *limits) / 1e9)
    ax.plot([x for x, _ in found], roofs, "--", color=COLORS[1], label="the roof")
    ax.plot(*zip(*found, strict=True), "o-", color=COLORS[0], label="measured")
    for rows, (x, y) in zip(points, found, strict=True):
        ax.annotate(f"{rows}", (x, y), (0, -13), textcoords="offset points", ha="center", fontsize=8)
    ax.set(xscale="log", yscale="log", xlabel="operations a byte (numbers: rows)", ylabel="billion operations a second")
    ax.legend(loc="lower right")
    told = ", ".join(f"{rows} rows {y:.1f}" for rows, (_, y) in zip(points, found, strict=True))
    return (
        fig,
        f"Billions of operations a second by the rows of a product: {told}; the roof is at {limits[0] / 1e9:.1f}.",
    )
