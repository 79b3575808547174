"""The figures of chapter 10: filters, surprise, a roofline, drafts, bits, bytes."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from torch import Tensor

from helpers.chapters.squeeze.choosing import kept
from helpers.chapters.squeeze.rooflines import Machine
from helpers.plots.curves import lines
from helpers.plots.matrices import matrix
from helpers.plots.style import COLORS, figure

Filter = Callable[[Tensor], Tensor]  # logits (V,) -> logits (V,)
MARKS = "os^D*"


def kept_by_entropy(logits: Tensor, filters: Mapping[str, Filter], entropy: Callable) -> tuple[Figure, str]:
    """Draw for up to six filters how many tokens each leaves at each place of logits (N, V), by the entropy there."""
    fig, axes = figure(columns=3, width=9, height=4.6, ratios=(1, 1))
    flat = np.array([float(entropy(row)) for row in logits])
    said = []
    for ax, (name, change) in zip(axes.flat, filters.items(), strict=False):
        counts = np.array(kept(logits, change))
        ax.scatter(flat, counts, s=12, color=COLORS[0], alpha=0.6, linewidths=0)
        ax.set(yscale="log", ylim=(0.8, 9000), title=name)
        sure, unsure = counts[flat <= np.median(flat)], counts[flat > np.median(flat)]
        said.append(f"{name} {np.median(sure):.0f} where the model is sure and {np.median(unsure):.0f} where not")
    for ax in axes[-1]:
        ax.set_xlabel("entropy in nats")
    for ax in axes[:, 0]:
        ax.set_ylabel("tokens kept")
    return fig, f"Tokens kept by six filters against entropy, on a logarithmic axis; the median: {', '.join(said)}."


def surprise_along(bits: Mapping[str, np.ndarray], tau: float, window: int = 20) -> tuple[Figure, str]:
    """Draw up to three pages' surprise, the mean of the last `window` tokens at each token, and the wanted tau."""
    fig, ax = figure(height=3.2)
    said = []
    for (name, values), dashes in zip(bits.items(), ("-", "--", ":"), strict=False):
        means = np.array([values[max(0, i - window + 1) : i + 1].mean() for i in range(len(values))])
        ax.plot(np.arange(1, len(means) + 1), means, dashes, label=name)
        later = means[min(window, len(means) - 1) :]
        said.append(f"{name} between {later.min():.1f} and {later.max():.1f}")
    ax.axhline(tau, color="black", linewidth=1)
    ax.set(xlabel="token", ylabel=f"bits, mean of {window}", ylim=(0, None))
    ax.legend()
    return fig, f"Surprise along a page, with a line at the wanted {tau:g} bits: {'; '.join(said)}."


def commute_matrix(names: Sequence[str], shares: np.ndarray) -> tuple[Figure, str]:
    """Draw for each pair of processors at which share of places, in percent, both orders gave the same."""
    fig, ax = figure(width=6.4, height=4.6)
    matrix(ax, 100 * shares, list(names), list(names), "{:.0f}")
    ax.set_xticklabels(ax.get_xticklabels(), rotation=35, ha="right")
    pairs = [(i, j) for i in range(len(names)) for j in range(i)]
    always = [f"{names[j]} and {names[i]}" for i, j in pairs if shares[i, j] == 1]
    return fig, f"Places in percent where two processors commute. Always: {', '.join(always) or 'no pair'}."


def speed_ups(speed_up: Callable, rates: Sequence[float], cost: float, max_drafts: int = 12) -> tuple[Figure, str]:
    """Draw how many times as fast drafts make the writing, by their number, a line for each rate of keeping."""
    drafts = list(range(max_drafts + 1))
    curves = {}
    for rate in rates:
        curves[f"{rate:.0%} kept"] = [speed_up(rate, k, cost) for k in drafts]
    fig, alt = lines(drafts, curves, "drafted tokens a pass", f"times as fast, at {cost:g} passes a draft")
    best = ", ".join(
        f"{name} {max(values):.1f} times at {values.index(max(values))}" for name, values in curves.items()
    )
    return fig, f"Speed by the number of drafted tokens; best: {best}. {alt}"


def loss_by_bits(loss: Mapping) -> tuple[Figure, str]:
    """Draw the loss over the bits of a weight, a line for each way; loss: {(way, bits): nats, "float32": nats}."""
    quantized = [key for key in loss if isinstance(key, tuple)]
    ways = list(dict.fromkeys(way for way, _ in quantized))
    bits = sorted({bit_count for _, bit_count in quantized})
    curves = {}
    for way in ways:
        curves[way] = [loss[way, bit_count] for bit_count in bits]
    fig, alt = lines(bits, curves, "bits of a weight", "nats a token, unread documents")
    fig.axes[0].axhline(loss["float32"], color=COLORS[2], linewidth=1, linestyle=":")
    fig.axes[0].annotate("float32", (6, loss["float32"]), (0, 5), textcoords="offset points")
    return fig, f"Loss by the bits of a weight; float32 has {loss['float32']:.2f}. {alt}"


def recall_by_bytes(recalls: Mapping[str, Mapping]) -> tuple[Figure, str]:
    """Draw recall@10 over the bytes that a vector takes in memory and on the disk, a line for each way.

    recalls: {way: {name: (bytes in memory, bytes on the disk, recall)}}.
    """
    fig, ax = figure(width=8, height=4)
    told = []
    for i, (way, points) in enumerate(recalls.items()):
        places = sorted((memory + disk, recall) for memory, disk, recall in points.values())
        ax.plot(*zip(*places, strict=True), MARKS[i] + "-", color=COLORS[i % len(COLORS)], label=way)
        told.append(f"{way} " + ", ".join(f"{recall:.2f} at {size:,.0f}" for size, recall in places))
    ax.set(xscale="log", xlabel="bytes of a vector, memory and disk together", ylabel="recall@10")
    ax.set_xticks([64, 128, 256, 512, 1024, 2048], labels=["64", "128", "256", "512", "1,024", "2,048"])
    ax.minorticks_off()
    ax.legend(loc="lower right")
    return fig, f"Recall@10 by the bytes of a vector: {'; '.join(told)}."


def roofline(machine: Machine, cost: Callable, attainable: Callable) -> tuple[Figure, str]:
    """Draw measured products over their intensity, and the roof above them."""
    fig, ax = figure(width=8, height=4)
    found, limits = [], (machine.peak, machine.bandwidth)
    for rows, seconds in machine.seconds.items():
        operations, moved = cost(rows, machine.width, machine.width, machine.size)
        found.append((operations / moved, operations / seconds / 1e9))
    ridge = machine.peak / machine.bandwidth
    along = sorted([found[0][0], ridge, found[-1][0]])
    ax.plot(along, [attainable(x, 1.0, *limits) / 1e9 for x in along], "--", color=COLORS[1], label="the roof")
    ax.plot(*zip(*found, strict=True), "o-", color=COLORS[0], label="measured")
    for rows, (x, y) in zip(machine.seconds, found, strict=True):
        ax.annotate(f"{rows}", (x, y), (0, -13), textcoords="offset points", ha="center", fontsize=8)
    ax.set(xscale="log", yscale="log", xlabel="operations a byte (numbers: rows)", ylabel="billion operations a second")
    ax.legend(loc="lower right")
    told = ", ".join(f"{rows} rows {y:.1f}" for rows, (_, y) in zip(machine.seconds, found, strict=True))
    return (
        fig,
        f"Billions of operations a second by the rows of a product: {told}; the roof is at {machine.peak / 1e9:.1f}, "
        f"its corner at {ridge:.1f} operations a byte.",
    )
