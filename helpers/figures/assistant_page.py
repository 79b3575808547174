"""The picture on the page that a student keeps: the assistant's stages, a reader that learned, and the way there."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from helpers.plots.style import COLORS, GREY, figure, styled

LABELS = 10  # labelled examples of each intent, of which the way there is drawn


@styled
def drawn(
    stages: Mapping[str, tuple[float, float, float]], reached: Sequence[tuple[int, float]], board: Sequence
) -> tuple[Figure, str]:
    """Draw three panels, side by side; returns (figure, alt text).

    stages:  {name: (share, lowest, highest of its interval)}
    reached: [(steps, share of right answers), ...] of the reader that the student trained
    board:   rows of leaderboard.with_reference(INTENTS)
    """
    fig, axes = figure(columns=3, width=10, height=3.2)
    said = [_stages(axes[0], stages), _learned(axes[1], reached), _climb(axes[2], board)]
    for ax in axes[1:]:
        ax.set_ylim(0, 1)
        ax.yaxis.set_major_formatter("{x:.0%}")
    return fig, " ".join(said)


def _stages(ax, stages) -> str:
    """Draw a bar with its interval for each stage, the first at the top."""
    shares, lows, highs = zip(*stages.values(), strict=True)
    apart = np.subtract(shares, lows), np.subtract(highs, shares)
    ax.barh(range(len(shares)), shares, 0.6, color=COLORS[5], xerr=apart, ecolor=GREY, capsize=3)
    ax.set_yticks(range(len(shares)), [name.replace(", ", ",\n", 1) for name in stages], fontsize=9)
    ax.set(xlim=(0, 1), title="my assistant, stage by stage")
    ax.xaxis.set_major_formatter("{x:.0%}")
    ax.invert_yaxis()
    return "; ".join(f"{name}: {share:.0%}" for name, share in zip(stages, shares, strict=True)) + "."


def _learned(ax, reached) -> str:
    steps, shares = zip(*reached, strict=True)
    ax.plot(steps, shares, "o-", color=COLORS[1])
    ax.set(xlabel="steps", title="MiniLM learns to point")
    return f"MiniLM learns to point: {shares[0]:.0%} to {shares[-1]:.0%} in {steps[-1]} steps."


def _climb(ax, board) -> str:
    """Draw the best accuracy of each chapter: the student's own, and where there is none the course's."""
    asked = [row for row in board if row.labels == LABELS and row.score == row.score]
    best = {row.chapter: row for row in sorted(asked, key=lambda row: (not row.reference, row.score))}
    best = dict(sorted(best.items()))
    colors = [COLORS[5] if row.reference else COLORS[2] for row in best.values()]
    ax.bar(list(best), [row.score for row in best.values()], 0.7, color=colors)
    ax.set(xlabel="chapter (green: mine)", title=f"150 intents, {LABELS} of each")
    told = ", ".join(f"chapter {chapter} {row.score:.2f}" for chapter, row in best.items())
    return f"Best accuracy on 150 intents from {LABELS} examples of each: {told}."
