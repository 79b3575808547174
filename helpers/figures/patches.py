"""An image as patches: the same picture cut, shuffled, put together again."""

from collections.abc import Mapping

import numpy as np
import torch
from matplotlib.figure import Figure

from helpers.plots.style import COLORS, figure


def patch_views(views: Mapping[str, torch.Tensor], what: str) -> tuple[Figure, str]:
    """Draw three views of a picture of 8 by 8 with lines around its patches of 2 by 2: (figure, alt).

    views: {title: (1, 1, 8, 8)}, as it is, shuffled, put together again; what: is seen, for the alt text
    """
    fig, axes = figure(columns=3, width=9, height=3.2)
    for ax, (title, view) in zip(axes, views.items(), strict=True):
        ax.imshow(view[0, 0].cpu().numpy(), cmap="gray")
        ax.set(title=title, xticks=np.arange(-0.5, 8, 2), yticks=np.arange(-0.5, 8, 2), xticklabels=[], yticklabels=[])
        ax.grid(color=COLORS[1], linewidth=1)
    first, _, last = views.values()
    return fig, (
        f"An 8 by 8 picture of {what}, with lines around its sixteen patches of 2 by 2; its patches shuffled; put "
        f"together again, {'equal to' if torch.equal(first, last) else 'not equal to'} the first."
    )
