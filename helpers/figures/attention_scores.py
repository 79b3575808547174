"""Scores of attention: two tables of them side by side, what their scale does, and what single heads are worth."""

from collections.abc import Mapping, Sequence

import torch
from matplotlib.figure import Figure

from helpers.figures.panels import draw_curves
from helpers.plots.charts import bars
from helpers.plots.matrices import attention
from helpers.plots.style import figure


def score_maps(raw: torch.Tensor, asked: torch.Tensor, words: Sequence[str]) -> tuple[Figure, str]:
    """Draw the scores X X^T beside those with W_Q and W_K, each (T, T), of T words; returns (figure, alt text)."""
    fig, alt = attention(torch.stack([raw, asked]), words, label="score")
    for ax, title in zip(fig.axes, ["$X X^T$", "$(X W_Q)(X W_K)^T$"], strict=False):
        ax.set_title(title)
    return fig, "Left the scores X X transposed, right those with W_Q and W_K. " + alt


def scaling_effect(sizes: Sequence[int], spread: Mapping, largest: Mapping) -> tuple[Figure, str]:
    """Draw what the scale does to scores, by the size d of queries and keys; returns (figure, alt text).

    spread, largest: {scaling: n values}, the variance of the scores and the largest of 64 weights, for each of n sizes;
    the scalings are "not scaled", "1/sqrt(d)" and "1/d".
    """
    fig, axes = figure(columns=2, width=9, height=3.4)
    draw_curves(axes[0], sizes, spread)
    draw_curves(axes[1], sizes, largest)
    axes[0].set(xscale="log", yscale="log", xlabel="d", ylabel="variance of the scores")
    axes[1].set(xscale="log", xlabel="d", ylabel="largest weight of 64", ylim=(0, 1))
    axes[0].legend()
    return fig, (
        f"Variance of the scores and the largest weight, for d from {sizes[0]} to {sizes[-1]}: not scaled, the "
        f"variance grows to {spread['not scaled'][-1]:.0f} and the largest weight to {largest['not scaled'][-1]:.2f}; "
        f"with 1/sqrt(d) they stay near 1 and {largest['1/sqrt(d)'][-1]:.2f}; with 1/d both fall."
    )


def head_bars(table: Mapping[str, float]) -> tuple[Figure, str]:
    """Draw the F1 of a spam filter with heads pruned, {what is left: F1}; returns (figure, alt text)."""
    fig, ax = figure(height=2.9)
    bars(ax, list(table), list(table.values()), label="F1 of spam on the test part")
    return fig, "Bar chart of F1 with heads pruned: " + ", ".join(f"{n} {v:.3f}" for n, v in table.items()) + "."
