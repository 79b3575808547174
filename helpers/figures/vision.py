"""What a vision transformer has learned of places, and what a model of pictures and words says of pictures."""

import numpy as np
import torch
from matplotlib.figure import Figure

from helpers.models.vision import VisionTransformer
from helpers.plots.style import plt, styled


@styled
def position_map(model: VisionTransformer) -> tuple[Figure, str]:
    """Draw for each patch how alike its position vector is to those of all patches: (figure, alt)."""
    places = torch.nn.functional.normalize(model.positions.detach().cpu()[1:], dim=-1)
    alike, side = (places @ places.T).numpy(), round(len(places) ** 0.5)
    fig, axes = plt.subplots(side, side, figsize=(4.6, 4.2))
    for k, ax in enumerate(axes.flat):
        image = ax.imshow(alike[k].reshape(side, side), vmin=-1, vmax=1, cmap="RdBu_r")
        ax.set(xticks=[], yticks=[])
        ax.grid(False)
    fig.colorbar(image, ax=axes, label="cosine", shrink=0.8)
    near, far = _by_distance(alike, side)
    return fig, (
        f"{side} by {side} small maps, one for each patch: the cosine of its position vector with those of all patches. "
        f"Direct neighbours have {near:.2f} on average, patches farther than two apart {far:.2f}."
    )


def _by_distance(alike: np.ndarray, side: int) -> tuple[float, float]:
    """Return the mean cosine of direct neighbours, and of patches more than two apart."""
    rows, columns = np.divmod(np.arange(side * side), side)
    apart = np.abs(rows[:, None] - rows) + np.abs(columns[:, None] - columns)
    return float(alike[apart == 1].mean()), float(alike[apart > 2].mean())
