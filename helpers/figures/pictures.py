"""Images in rows and columns."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from helpers.plots.style import figure


def views(images, names: Sequence[str]) -> tuple[Figure, str]:
    """Draw images (4, 6, H, W) of values from 0 to 1: six, and below each three random views; with an alt text.

    names: what the six images show.
    """
    fig, axes = figure(columns=6, width=8, height=5.4, ratios=(1, 1, 1, 1))
    for row, shown in zip(axes, images, strict=True):
        for ax, image in zip(row, shown, strict=True):
            ax.imshow(image, cmap="gray", vmin=0, vmax=1)
            ax.axis("off")
    digits = ", ".join(names)
    return fig, f"Six digits ({digits}), each above three random views of it: moved, turned, brighter, with a hole."
