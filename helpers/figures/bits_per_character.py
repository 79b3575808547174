"""Language models side by side."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from helpers.plots.charts import bars
from helpers.plots.style import figure


def bits_bars(bits: Mapping[str, float]) -> tuple[Figure, str]:
    """Draw each model's bits per character on unread text, the best at the top; returns (figure, alt text)."""
    fig, ax = figure(width=7, height=2.8)
    order = sorted(bits, key=bits.get)
    bars(ax, order, [bits[name] for name in order], label="bits per character, unread text")
    said = ", ".join(f"{name} {bits[name]:.2f}" for name in order)
    return fig, f"Bars of bits per character on unread text: {said}."
