"""Figures in one style: colour-blind-safe, readable on light and dark pages, each with an alt text.

In: data. Out: a picture in the notebook.
A whole figure comes as a pair (figure, alt text that says in numbers what is seen): `show(*learning_curves(history))`.
For one of your own, `figure` gives axes in the style, `bars` and `matrix` draw on them, and `show` wants an alt text.
May import: errors, files, palette, device.
"""

from helpers.plots.charts import bars, leaderboard, weights
from helpers.plots.curves import learning_curves, lines
from helpers.plots.few_labels import few_labels
from helpers.plots.maps import place, projection
from helpers.plots.matrices import attention, confusion, matrix
from helpers.plots.style import COLORS, STYLE, figure, show

__all__ = [
    "COLORS",
    "STYLE",
    "attention",
    "bars",
    "confusion",
    "few_labels",
    "figure",
    "leaderboard",
    "learning_curves",
    "lines",
    "matrix",
    "place",
    "projection",
    "show",
    "weights",
]
