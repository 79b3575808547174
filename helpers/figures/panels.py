"""Named curves on axes that a figure already has: its panels side by side share their colours, dashes and markers."""

from collections.abc import Mapping

SHAPES = [("-", "o"), ("--", "^"), (":", "s")]  # dashes and marker of the first curve, the second, the third


def draw_curves(ax, x, curves: Mapping, markers: bool = True) -> None:
    """Draw up to three curves {name: values (n,)} over x (n,), with a marker at each value or without."""
    for (name, values), (dashes, marker) in zip(curves.items(), SHAPES[: len(curves)], strict=True):
        ax.plot(x, values, dashes, marker=marker if markers else None, label=name)
