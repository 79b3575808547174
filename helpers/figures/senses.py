"""Places of a word by their vectors, its two senses apart."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from matplotlib.figure import Figure

from helpers.plots.style import figure


def sense_maps(found: Mapping[str, tuple[torch.Tensor, Sequence[str], float]]) -> tuple[Figure, str]:
    """Draw the places of two words on their first two principal components; returns (figure, alt text).

    found: {word: (vectors (n, C), senses (n,), how often the nearest neighbour has the same sense)}.
    """
    fig, axes = figure(columns=2, width=10.5, height=4)
    for ax, (word, (vectors, senses, _)) in zip(axes, found.items(), strict=True):
        centred = vectors - vectors.mean(0)
        points = (centred @ torch.linalg.svd(centred, full_matrices=False)[2][:2].T).numpy()
        for name, marker in zip(sorted(set(senses)), ("o", "^"), strict=True):
            chosen = np.array(senses) == name
            ax.scatter(*points[chosen].T, marker=marker, s=22, alpha=0.7, label=name)
        ax.set(title=f"“{word}”, layer 2", xlabel="component 1", ylabel="component 2")
        ax.legend()
    told = " and ".join(f"{right:.0%}" for *_, right in found.values())
    alt = (
        "Two maps of the places of one word by their vectors in layer 2: cell in pages of matplotlib and of "
        f"torch, bank as a firm and as an account. The nearest neighbour has the same sense for {told} of the places."
    )
    return fig, alt
