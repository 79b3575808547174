"""Figures in one style: colour-blind-safe, readable on light and dark pages, each with an alt text."""

import html
import io
from base64 import b64encode

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

# Okabe and Ito (2008), in an order that also differs in lightness.
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
STYLE = {
    "figure.facecolor": "white",
    "axes.prop_cycle": plt.cycler(color=COLORS),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "font.size": 11,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}


def figure(columns: int = 1, width: float = 7.0, height: float = 3.6):
    """Return (figure, axes) in the course's style; axes is one, or an array of `columns`."""
    with plt.rc_context(STYLE):
        return plt.subplots(1, columns, figsize=(width, height))


def show(fig: Figure, alt: str) -> None:
    """Display a figure with its alt text, and close it."""
    from IPython.display import display

    picture = io.BytesIO()
    fig.savefig(picture, format="png", dpi=144, metadata={"Software": None})
    plt.close(fig)
    source = f"data:image/png;base64,{b64encode(picture.getvalue()).decode()}"
    width = int(fig.get_figwidth() * 96)
    # As HTML, since JupyterLab drops the alt text of an image output.
    tag = f'<img src="{source}" width="{width}" alt="{html.escape(alt, quote=True)}" style="max-width: 100%">'
    display({"text/html": tag, "text/plain": f"[figure] {alt}"}, raw=True)


def bars(ax, names: list[str], values, color: str | None = None, label: str = "") -> None:
    """Draw horizontal bars, the first name at the top."""
    ax.barh(range(len(names)), values, color=color or COLORS[0])
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(label)


def matrix(ax, values: np.ndarray, rows: list[str], columns: list[str], fmt: str = "{:.0f}") -> None:
    """Draw a table as a picture: every cell shaded by its value and labelled with it."""
    ax.imshow(values, cmap="Blues", aspect="auto")
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.grid(visible=False)
    middle = (np.min(values) + np.max(values)) / 2
    for i, j in np.ndindex(values.shape):
        shade = "white" if values[i, j] > middle else "black"
        ax.text(j, i, fmt.format(values[i, j]), ha="center", va="center", color=shade)
