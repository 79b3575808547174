"""Bars: any values, the weights of a linear model, the leaderboard."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from helpers.errors import CourseError
from helpers.plots.style import COLORS, GREY, figure, styled
from helpers.plots.text import array, listing, matching, readable, short


def bars(ax, names: list[str], values, color: str | None = None, label: str = "") -> None:
    """Draw horizontal bars, the first name at the top."""
    ax.barh(range(len(names)), values, color=color or COLORS[0])
    ax.set_yticks(range(len(names)), [readable(name) for name in names])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(label)


@styled
def weights(
    names: Sequence[str], values, k: int = 15, sides: tuple[str, str] = ("negative", "positive"), label: str = "weight"
) -> tuple[Figure, str]:
    """Draw the k largest positive and the k largest negative weights; returns (figure, alt text).

    Args:
        names: n features. values: their weights (n,). k: how many of each sign, at most.
        sides: what a weight below 0 and one above 0 speak for, such as ("ham", "spam").

    Raises:
        CourseError: lengths that differ, no weight other than 0, one that is not finite, or k below 1.
    """
    values = array(values, "values", 1)
    names = matching(names, "names", len(values), "values")
    if k < 1 or not np.isfinite(values).all() or not values.any():
        raise CourseError(f"weights needs finite values, one of them not 0, and k of at least 1; k is {k}")
    order = np.argsort(-values, kind="stable")
    positive = [j for j in order[:k] if values[j] > 0]
    negative = [j for j in order[-k:] if values[j] < 0]
    picked = [*positive, *negative]
    fig, ax = figure(height=max(1.2 + 0.24 * len(picked), 1.8))
    colors = [COLORS[1] if values[j] > 0 else COLORS[0] for j in picked]
    bars(ax, [names[j] for j in picked], values[picked], colors)
    ax.axvline(0, color="black", linewidth=1)
    ax.margins(y=0.02)
    ax.set_xlabel(f"← {readable(sides[0])}      {label}      {readable(sides[1])} →")
    sentences = []
    for side, numbers in [(sides[1], positive), (sides[0], negative[::-1])]:
        if numbers:
            words = [f"{names[j]} {values[j]:+.2f}" for j in numbers]
            sentences.append(f"for {side}: {listing(words, 5)}")
    return fig, f"The largest of {len(values):,} weights, {'; '.join(sentences)}."


@styled
def leaderboard(rows: Sequence) -> tuple[Figure, str]:
    """Draw the F1 of each model, with its parameters and seconds beside it; returns (figure, alt text).

    Args:
        rows: of leaderboard.rows(): chapter, model, data, f1, parameters, seconds. Chapters come in order, the
            best of each first; the data set is named where rows have several. A row whose F1 is NaN has no bar.

    Raises:
        CourseError: there are no rows.
    """
    if not rows:
        raise CourseError("the leaderboard has no rows yet: run a cell that measures a model first")
    rows = sorted(
        rows, key=lambda r: (r.chapter, r.score is None or r.score != r.score, -(r.score or 0), r.data, r.model)
    )
    f1 = np.array([r.score for r in rows], dtype=float)  # None becomes NaN
    several = len({r.data for r in rows}) > 1
    names = [f"{r.chapter}  {readable(r.model, 26 if several else 38)}" for r in rows]
    names = [f"{name} ({readable(r.data, 16)})" if several else name for name, r in zip(names, rows, strict=True)]
    fig, ax = figure(width=10, height=1.3 + 0.27 * len(rows))
    ax.barh(range(len(rows)), np.nan_to_num(f1), color=COLORS[0], height=0.7)
    ax.set_yticks(range(len(rows)), names, fontsize=10)
    ax.set(xlim=(0, 1.9), xticks=np.linspace(0, 1, 6), ylim=(len(rows) - 0.5, -1.3))
    ax.set_xlabel("F1", x=0.5 / 1.9)
    ax.spines["bottom"].set_bounds(0, 1)
    ax.grid(axis="y", visible=False)
    _beside(ax, rows, f1)
    return fig, _leaderboard_alt(rows, f1)


def _beside(ax, rows: Sequence, f1: np.ndarray) -> None:
    """Write F1, parameters and seconds of each row to the right of the axes, and mark the best F1."""
    best = None if np.isnan(f1).all() else np.nanargmax(f1)
    columns = {
        "F1": [_f1_text(value, i == best) for i, value in enumerate(f1)],
        "parameters": [short(r.parameters or 0) for r in rows],
        "seconds": [_seconds(r) for r in rows],
    }
    for x, (title, cells) in zip((1.28, 1.61, 1.88), columns.items(), strict=True):
        for y, cell in [(-0.9, title), *enumerate(cells)]:
            color = GREY if y == -0.9 else "black"
            ax.text(x, y, cell, ha="right", va="center", fontsize=10, color=color)


def _seconds(row) -> str:
    seconds = row.seconds or 0
    return f"{seconds:,.0f}" if seconds >= 100 else f"{seconds:.3g}"


def _f1_text(f1: float, best: bool) -> str:
    if np.isnan(f1):
        return "none"
    return f"best  {f1:.3f}" if best else f"{f1:.3f}"


def _leaderboard_alt(rows: Sequence, f1: np.ndarray) -> str:
    """Say how many rows there are, and which has the best and the lowest F1."""
    models = "models" if len(rows) > 1 else "model"
    count = f"Leaderboard of {len(rows)} {models}"
    if np.isnan(f1).all():
        return f"{count}; none has an F1 yet."
    ends = [("best", np.nanargmax(f1)), ("lowest", np.nanargmin(f1))][: min(len(rows), 2)]
    extremes = [
        f"{which} F1 {f1[i]:.3f}, {rows[i].model} of chapter {rows[i].chapter} ({short(rows[i].parameters or 0)} "
        f"parameters, {_seconds(rows[i])} s)"
        for which, i in ends
    ]
    return f"{count}; {listing(extremes)}."
