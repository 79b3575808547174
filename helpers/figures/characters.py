"""A language model of characters: against counting, and one of its cells."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from helpers.plots.style import figure


def bits_per_character(
    evaluations: Sequence[tuple[int, float]], per_step: int, counted: Mapping[int, float]
) -> tuple[Figure, str]:
    """Draw the bits per character of an LSTM while it reads, with those of n-grams; returns (figure, alt text).

    evaluations: (step, bits). per_step: the characters read in a step. counted: bits by the order of the n-grams.
    """
    steps, bits = zip(*evaluations, strict=True)
    fig, ax = figure(width=6.5, height=3.2)
    read = [step * per_step / 1e6 for step in steps]
    ax.plot(read, bits, "o-", label="LSTM")
    for n, value in counted.items():
        ax.axhline(value, linestyle="--", linewidth=0.8, color="grey")
        ax.annotate(f"{n}-gram", (read[0], value), textcoords="offset points", xytext=(0, 2), fontsize="small")
    ax.set(xlabel="characters read, in millions", ylabel="bits per character")
    ax.legend()
    lines = ", ".join(f"{n}-grams {value:.2f}" for n, value in counted.items())
    return fig, (
        f"Bits per character of the LSTM fall from {bits[0]:.2f} to {bits[-1]:.2f} while it reads; "
        f"dashed lines mark counting: {lines}."
    )


def cell_over_lines(values: np.ndarray, since: np.ndarray, cell: int, shown: int = 400) -> tuple[Figure, str]:
    """Draw the value of one cell after each character, (n,), with the ends of the lines; returns (figure, alt text).

    since: how many characters of its line came before each. shown: how many characters are drawn, the last ones.
    """
    fig, ax = figure(width=9, height=2.6)
    values, since = values[-shown:], since[-shown:]
    ax.plot(values, label=f"tanh of cell {cell}")
    for i in np.flatnonzero(since == 0):
        ax.axvline(i, linestyle=":", linewidth=0.8, color="grey")
    ax.set(xlabel="character", ylabel="value", ylim=(-1.1, 1.1), title="dotted: a new line begins")
    ax.legend(loc="lower right", fontsize=9)
    starts = int((since == 0).sum())
    return fig, (
        f"The value of cell {cell} over {len(values)} characters with {starts} beginnings of lines: between "
        f"{values.min():.2f} and {values.max():.2f}."
    )
