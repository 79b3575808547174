"""The figures of chapter 10: filters, bent logits, surprise, drafts, bits, bytes, a roofline."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor

from helpers.chapters.squeeze.choosing import changed, kept
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


def bent_logits(logits: Tensor, entropy: Callable, dynamic: Filter, quadratic: Filter) -> tuple[Figure, str]:
    """Draw logits in and out of a quadratic, and the temperature by entropy at each place of logits (N, V)."""
    fig, axes = figure(columns=2, width=8.6, height=3.4)
    line = torch.linspace(-8, 0, 60)
    axes[0].plot(line, quadratic(line), label="quadratic")
    axes[0].plot(line, line, "--", label="as it is")
    axes[0].set(xlabel="logit in, below the best", ylabel="logit out")
    axes[0].legend()
    flat = np.array([float(entropy(row)) for row in logits])
    spread = []  # of the logits in and out, at each place
    for row in logits:
        bent = changed(dynamic, row)
        spread.append([float(row.max() - row.min()), float(bent.max() - bent.min())])
    spread_in, spread_out = np.array(spread).T
    heat = spread_in / spread_out
    axes[1].scatter(flat, heat, s=12, color=COLORS[0], alpha=0.6, linewidths=0)
    axes[1].set(xlabel="entropy in nats", ylabel="temperature")
    return fig, (
        f"Left: the quadratic's parabola against a straight line. Right: temperature against entropy at {len(logits)} "
        f"places, on a line from {heat.min():.2f} to {heat.max():.2f}."
    )


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
    ways = sorted({way for way, _ in quantized})
    bits = sorted({bit_count for _, bit_count in quantized})
    curves = {}
    for way in ways:
        curves[way] = [loss[way, bit_count] for bit_count in bits]
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
