"""How many sources of each length several translators get exactly right."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from helpers.experiments.length_curve import LengthCurve
from helpers.figures.panels import draw_curves
from helpers.plots.style import figure


def exact_translations(curves: Mapping[str, LengthCurve]) -> tuple[Figure, str]:
    """Draw the curves of translators, by name, all over the same bins; returns (figure, alt text)."""
    fig, ax = figure()
    draw_curves(ax, next(iter(curves.values())).middles, {name: curve.shares for name, curve in curves.items()})
    ax.set(xlabel="length of the source, characters", ylabel="exact translations", ylim=(-0.03, 1.03))
    ax.legend()
    ends = "; ".join(f"{name}, {curve.shares[0]:.2f} and {curve.shares[-1]:.2f}" for name, curve in curves.items())
    return fig, f"Exact translations by length of the source, those of the shortest and of the longest: {ends}."
