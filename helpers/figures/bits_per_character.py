"""Language models side by side."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from helpers.plots.charts import bars
from helpers.plots.style import figure


def bits_per_byte_bars(scores: Mapping[str, tuple[float, float]]) -> tuple[Figure, str]:
    """Draw each model's bits per byte on held-out documents, the best at the top; returns (figure, alt text).

    scores: (perplexity, bits per byte) by model.
    """
    bits = {name: score[1] for name, score in scores.items()}
    fig, ax = figure(width=7, height=2.6)
    order = sorted(bits, key=bits.get)
    bars(ax, order, [bits[name] for name in order], label="bits per byte, held-out documents")
    said = ", ".join(f"{name} {bits[name]:.2f}" for name in order)
    return fig, f"Bars of bits per byte on held-out documents: {said}."
