"""Figures of choosing the next token: what filters keep, how logits are bent, surprise along a page."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor

from helpers.experiments.squeeze.choosing import changed, kept
from helpers.plots.matrices import matrix
from helpers.plots.style import COLORS, figure

Filter = Callable[[Tensor], Tensor]  # logits (V,) -> logits (V,)


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
    spread = np.array([[float(z.max() - z.min()) for z in (row, changed(dynamic, row))] for row in logits])
    heat = spread[:, 0] / spread[:, 1]
    axes[1].scatter(flat, heat, s=12, color=COLORS[0], alpha=0.6, linewidths=0)
    axes[1].set(xlabel="entropy in nats", ylabel="temperature")
    return fig, (
        f"Left: the quadratic's parabola against a straight line. Right: temperature against entropy at {len(logits)} "
        f"places, on a line from {heat.min():.2f} to {heat.max():.2f}."
    )
