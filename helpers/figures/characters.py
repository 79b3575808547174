"""A language model of characters against counting."""

from collections.abc import Mapping, Sequence

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
