"""A language model of characters against counting."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from helpers.plots.style import figure


def bits_per_character(evaluations: Sequence[tuple[int, float]], per_step: int, five_gram: float) -> tuple[Figure, str]:
    """Draw the bits per character of an LSTM while it reads, with the 5-gram model's; returns (figure, alt text).

    evaluations: (step, bits). per_step: the characters read in a step.
    """
    steps, bits = zip(*evaluations, strict=True)
    fig, ax = figure(width=6.5, height=3.2)
    ax.plot([step * per_step / 1e6 for step in steps], bits, "o-", label="LSTM")
    ax.axhline(five_gram, linestyle="--", color="black", label="5-gram on all of these characters")
    ax.set(xlabel="characters read, in millions", ylabel="bits per character")
    ax.legend()
    alt = (
        f"Bits per character of the LSTM fall from {bits[0]:.2f} to {bits[-1]:.2f} while it reads; a "
        f"dashed line marks the 5-gram model at {five_gram:.2f}."
    )
    return fig, alt
