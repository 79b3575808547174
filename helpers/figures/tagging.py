"""Two taggers, label by label."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from helpers.plots.style import figure


def f1_bars(scores: Mapping[str, Sequence[float]], labels: Sequence[str]) -> tuple[Figure, str]:
    """Draw the F1 of whole spans of two taggers, {name: one for each label}; returns (figure, alt text)."""
    fig, ax = figure(width=7, height=3.2)
    for i, ((name, values), hatch) in enumerate(zip(scores.items(), ("//", ""), strict=True)):
        ax.bar(np.arange(len(labels)) + 0.4 * i, values, width=0.38, hatch=hatch, label=name, edgecolor="white")
    names = [label.lower() for label in labels]
    ax.set_xticks(np.arange(len(labels)) + 0.2, names)
    ax.set(ylabel="F1 of whole spans", ylim=(0, 1.2), yticks=np.linspace(0, 1, 6))
    ax.legend(ncols=2)
    told = ", ".join(f"{name} {a:.2f} and {b:.2f}" for name, a, b in zip(names, *scores.values(), strict=True))
    alt = f"Bars of the F1 of whole spans for each of seven labels, the hidden Markov model beside the BiLSTM: {told}."
    return fig, alt
