"""The distribution of a class's points as a picture: SVG for a light and for a dark page, with an alt text."""

import io
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.report.safe_text import count, number
from helpers.palette import BLUE, SKY

BINS = 10
THEMES = {"light": (BLUE, "#1b1b1b", "#d5d5d5"), "dark": (SKY, "#e8e8e8", "#4a4a4a")}  # bars, ink, grid


def distribution(points: Sequence[float], possible: float) -> tuple[dict[str, str], str]:
    """Return ({"light": data URI, "dark": data URI}, alt text) of a histogram.

    points: each student's points, from 0 to `possible`.
    """
    counts, edges = np.histogram(points, bins=BINS, range=(0, possible or 1))
    return {theme: _draw(counts, edges, *colors) for theme, colors in THEMES.items()}, _alt(counts, edges, points)


def _alt(counts: np.ndarray, edges: np.ndarray, points: Sequence[float]) -> str:
    """Say in numbers what the histogram shows."""
    said = [f"{n} from {number(a)} to {number(b)}" for n, a, b in zip(counts, edges, edges[1:], strict=False) if n]
    head = f"Histogram of {count(len(points), 'student')} by points; the median is {number(float(np.median(points)))}."
    return f"{head} Students: {', '.join(said)}."


def _draw(counts: np.ndarray, edges: np.ndarray, bars: str, ink: str, grid: str) -> str:
    """Return the histogram as a data URI; the same numbers give the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure  # without pyplot: no window, no state
    from matplotlib.ticker import MaxNLocator

    style: Any = {"svg.hashsalt": "bow2lora", "svg.fonttype": "path", "font.family": "DejaVu Sans", "font.size": 11}
    style |= {"text.color": ink, "axes.labelcolor": ink, "xtick.color": ink, "ytick.color": ink, "axes.edgecolor": ink}
    with mpl.rc_context(style):
        fig = Figure(figsize=(7, 2.8), layout="constrained")
        ax = fig.subplots()
        ax.bar(edges[:-1], counts, width=np.diff(edges) * 0.94, align="edge", color=bars)
        ax.set(xlabel="points by machine", ylabel="students", xticks=edges, xlim=(edges[0], edges[-1]))
        ax.set_xticklabels([number(e) for e in edges])
        ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
        ax.grid(axis="y", color=grid)
        ax.set_axisbelow(True)
        ax.spines[["top", "right", "left"]].set_visible(False)
        out = io.BytesIO()
        fig.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return f"data:image/svg+xml;base64,{b64encode(out.getvalue()).decode()}"
