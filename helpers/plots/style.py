"""The style of all figures: colours, fonts, how to begin one and how to show it."""

import html
import io
from base64 import b64encode
from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from helpers.palette import COLORS
from helpers.plots.text import FONTS

DASHES = ["-", "--", "-.", ":"]
MARKERS = ["o", "^", "s", "D", "v", "P", "X", "*"]
GREY = "#595959"  # for words that stand back: contrast 7 to 1 on white
DPI = 144  # one and a half times a page's 96 pixels an inch: sharp on fine screens
STYLE = {
    "figure.facecolor": "white",
    "figure.dpi": DPI,
    "axes.prop_cycle": plt.cycler(color=COLORS),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "font.family": FONTS,
    "font.size": 11,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}


def styled(function):
    """Decorate a function that draws: everything it makes is in the course's style."""
    return plt.rc_context(STYLE)(function)


@styled
def figure(columns: int = 1, width: float = 7.0, height: float = 3.6, ratios: Sequence[float] = (1,)):
    """Return (figure, axes) in the course's style, `width` by `height` inches.

    axes is one, or an array of `columns`, or of one row for each of `ratios` (their heights, over one horizontal axis).
    """
    options = {"height_ratios": ratios, "sharex": len(ratios) > 1}
    return plt.subplots(len(ratios), columns, figsize=(width, height), **options)


def show(fig: Figure, alt: str) -> None:
    """Display a figure with its alt text, and close it."""
    from IPython.display import display

    # As HTML, since JupyterLab drops the alt text of an image output.
    display({"text/html": embedded(fig, alt), "text/plain": f"[figure] {alt}"}, raw=True)


def embedded(fig: Figure, alt: str) -> str:
    """Return a figure as an <img> that holds its picture, and close it."""
    picture = io.BytesIO()
    fig.savefig(picture, format="png", dpi=DPI, metadata={"Software": None})
    plt.close(fig)
    source = f"data:image/png;base64,{b64encode(picture.getvalue()).decode()}"
    width = int(fig.get_figwidth() * 96)
    return f'<img src="{source}" width="{width}" alt="{html.escape(alt, quote=True)}" style="max-width: 100%">'


def luminance(color) -> float:
    """Return the relative luminance of a colour, 0 for black to 1 for white (WCAG 2)."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink(color) -> str:
    """Return "black" or "white", whichever reads better on a colour; its contrast is at least 4.58 to 1."""
    return "black" if luminance(color) > 0.179 else "white"
