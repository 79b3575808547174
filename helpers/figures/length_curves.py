"""How many sources of each length are translated exactly, with attention and from one vector."""

from matplotlib.figure import Figure

from helpers.experiments.length_curve import LengthCurve
from helpers.figures.panels import draw_curves
from helpers.plots.style import figure


def exact_translations(attending: LengthCurve, one_vector: LengthCurve) -> tuple[Figure, str]:
    """Draw the curve of attention and that of chapter 03, both over the same bins; returns (figure, alt text)."""
    fig, ax = figure()
    name, mine, other = "chapter 03, one vector", attending.shares, one_vector.shares
    draw_curves(ax, attending.middles, {"attention": mine, name: other})
    ax.set(xlabel="length of the source, characters", ylabel="exact translations", ylim=(-0.03, 1.03))
    ax.legend()
    return fig, (
        f"Exact translations by length of the source. With attention {mine[0]:.2f} for the shortest and "
        f"{mine[-1]:.2f} for the longest; {name}: {other[0]:.2f} and {other[-1]:.2f}."
    )
