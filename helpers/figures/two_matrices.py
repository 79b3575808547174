"""Maps of the two-matrix language model: each word twice, as previous and as next."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from helpers.plots.maps import place
from helpers.plots.style import figure


def previous_and_next(
    maps: Mapping[str, tuple[np.ndarray, np.ndarray]], losses: Sequence[float], words: Sequence[str]
) -> tuple[Figure, str]:
    """Draw V (circles) and U (triangles, bold) of random and of trained vectors; returns (figure, alt text).

    maps: {title: (V, U)}, two of them, each (W, 2), the random ones first. losses: of both, in nats. words: W of them.
    """
    fig, axes = figure(columns=2, width=10, height=4.6)
    for ax, (title, (V, U)), loss in zip(axes, maps.items(), losses, strict=True):
        ax.scatter(*V.T, marker="o", label="V, previous")
        ax.scatter(*U.T, marker="^", label="U, next")
        ax.set_title(f"{title}: {loss:.4f} nats")
        ax.margins(0.12)
    axes[1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    fig.draw_without_rendering()  # fixes the layout, so that labels can be placed
    fig.set_layout_engine("none")
    quoted = [word if word.isalpha() else f"“{word}”" for word in words]
    for ax, vectors in zip(axes, maps.values(), strict=True):
        for text in place(ax, np.vstack(vectors), list(enumerate(quoted * 2)))[len(quoted) :]:
            text.set_fontweight("bold")
    alt = (
        "Two maps of the eight words, each word twice: as previous (circles) and as next (triangles, "
        f"bold). Left random, {losses[0]:.2f} nats; right trained, {losses[1]:.2f}: "
        "each next word lies in the direction of the words that it follows."
    )
    return fig, alt
