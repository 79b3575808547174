"""Accuracy over the number of labels: the figure that grows through the course."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import cycle

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from helpers.errors import CourseError
from helpers.plots.style import COLORS, GREY, MARKERS, figure, styled
from helpers.plots.text import listing, readable

GAP = 0.055  # between two names at the right, in accuracy
LONGEST = 48  # characters of a name


@styled
def few_labels(rows: Sequence, chapter: str = "") -> tuple[Figure, str]:
    """Draw the accuracy of each model for 1, 5, 10 ... labelled examples of a class; returns (figure, alt text).

    The models of `chapter` are strong and coloured, all others thin and grey, so that no colour comes twice; without a
    chapter all are coloured. A bar at each point reaches from the lowest run to the highest. Names stand at the right
    ends, in the order of the last accuracies.

    Args:
        rows: of leaderboard.with_reference(data): chapter, model, labels, score, lowest, highest.

    Raises:
        CourseError: there are no rows with a number of labels.
    """
    curves = _curves(rows)
    if not curves:
        raise CourseError("no row tells a number of labels: run a cell that judges a model on few labels first")
    fig, ax = figure(width=9, height=1.6 + max(3.2, 0.24 * len(curves)))
    ends = _apart([curve[-1].score for curve in curves.values()])
    colors = cycle(COLORS)
    for (name, curve), marker, y in zip(curves.items(), cycle(MARKERS), ends, strict=False):
        strong = not chapter or curve[0].chapter == chapter
        _draw(ax, name, curve, (next(colors) if strong else GREY, marker), y, strong)
    ticks = sorted({row.labels for curve in curves.values() for row in curve})
    ax.set(xscale="log", xticks=ticks, xlabel="labelled examples of each intent", ylabel="accuracy")
    ax.set_ylim(_floor(curves), 1.02)
    ax.set_xticklabels(ticks)
    ax.xaxis.set_minor_locator(NullLocator())
    return fig, _alt(curves, chapter)


def _curves(rows: Sequence) -> dict[str, list]:
    """Return {name: rows by number of labels}, the highest at its end last."""
    curves = defaultdict(list)
    for row in sorted(rows, key=lambda r: r.labels):
        if row.labels and row.score == row.score:
            curves[f"{row.chapter} {row.model}"].append(row)
    return dict(sorted(curves.items(), key=lambda item: item[1][-1].score))


def _apart(ends: Sequence[float]) -> np.ndarray:
    """Return ends (n,), in rising order, moved so that neighbours are GAP apart, around where they were."""
    steps = GAP * np.arange(len(ends))
    rest = np.asarray(ends, dtype=float) - steps
    lifted = np.maximum.accumulate(rest)
    lowered = np.minimum.accumulate(rest[::-1])[::-1]
    return (lifted + lowered) / 2 + steps


def _floor(curves: dict[str, list]) -> float:
    """Return a tenth below all points: where all models are good, a point of accuracy can be seen."""
    lowest = min(np.nanmin([row.score, row.lowest]) for curve in curves.values() for row in curve)
    return max(0.0, np.floor(10 * lowest - 0.2) / 10)


def _draw(ax, name: str, curve: list, look: tuple[str, str], y: float, strong: bool) -> None:
    color, marker = look
    x = [r.labels for r in curve]
    score = np.array([r.score for r in curve])
    spread = np.array([[r.score - r.lowest, r.highest - r.score] for r in curve]).T  # (2, labels)
    style = {"color": color, "alpha": 1.0 if strong else 0.55, "linewidth": 2.4 if strong else 1.0}
    bars = np.nan_to_num(spread).clip(0)
    ax.errorbar(x, score, bars, marker=marker, markersize=5, capsize=2, zorder=2 + strong, **style)
    weight = "bold" if strong else "normal"
    text = f"{readable(name, LONGEST)}  {score[-1]:.2f}"
    line = {"arrowstyle": "-", "color": color, "lw": 0.6, "relpos": (0, 0.5)}  # it ends where the name begins
    ax.annotate(
        text, (x[-1], score[-1]), (1.04, y), ("data"), ("axes fraction", "data"), va="center", fontsize=9,
        color="black" if strong else GREY, weight=weight, arrowprops=line,
    )  # fmt: skip


def _alt(curves: dict[str, list], chapter: str) -> str:
    """Say the accuracies, the best model first: all of the chapter's own models, and then the best of the others."""
    own, others = [], []
    for name, curve in reversed(curves.items()):
        said = f"{name} " + ", ".join(f"{row.score:.2f} with {row.labels}" for row in curve)
        (own if curve[0].chapter == chapter else others).append(said)
    told = [listing(models, most) for models, most in ((own, len(own)), (others, 6)) if models]
    return f"Accuracy over labelled examples of each intent, best first: {'. Beside them: '.join(told)}."
