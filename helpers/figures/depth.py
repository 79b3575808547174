"""How deep stacks fare: three panels over the number of blocks."""

from collections.abc import Mapping, Sequence
from itertools import cycle

import numpy as np
from matplotlib.figure import Figure

from helpers.experiments.transformers.depth import at_the_end
from helpers.plots.style import figure

TITLES = ("signal at the end", "gradient at the start", "tokens alike (cosine)")
LEAST = 1e-12  # where the panel of the gradient ends: below, nothing is learned
LINES = ("-o", "--s", ":^", "-.D", "-v")


def depth_panels(depths: Sequence[int], probed: Mapping[str, Sequence]) -> tuple[Figure, str]:
    """Draw signal, gradient and likeness of tokens over the number of blocks; returns (figure, alt text).

    probed: for each kind of block, (signal, gradient, cosine) at each depth, (depths, 3).
    """
    fig, axes = figure(columns=3, width=11, height=3.6)
    for (name, found), line in zip(probed.items(), cycle(LINES), strict=False):
        for ax, values in zip(axes, np.asarray(found).T, strict=True):
            ax.plot(depths, np.maximum(values, 1e-40), line, label=name, markersize=4)
    for ax, title in zip(axes, TITLES, strict=True):
        ax.set(xscale="log", yscale="linear" if "cosine" in title else "log", xlabel="blocks", title=title)
        ax.set_xticks(depths, [str(d) for d in depths])
        ax.minorticks_off()
    axes[1].set_ylim(bottom=LEAST)
    axes[2].legend(fontsize=8)
    told = "; ".join(at_the_end(probed))
    return fig, f"Three panels over the number of blocks. With {depths[-1]} blocks, {told}."
