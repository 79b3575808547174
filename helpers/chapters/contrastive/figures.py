"""The figures of chapter 07: vectors on a circle, a sphere and a map; images in rows and columns."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from matplotlib.figure import Figure

from helpers.plots.style import COLORS, figure

MARKERS = "o^sDvPX*od"  # a shape for each of ten classes
BOX = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.75}


def circles(runs: Mapping[str, tuple]) -> tuple[Figure, str]:
    """Draw points of two classes on a circle, a panel for each run; returns (figure, alt text).

    runs: {title: (points (n, 2), classes (n,), share of points whose nearest neighbour is of their class)}.
    """
    fig, axes = figure(columns=len(runs), width=7, height=3.4)
    for ax, (title, (z, classes, share)) in zip(axes, runs.items(), strict=True):
        for c, marker in enumerate("o^"):
            ax.plot(*z[classes == c].T, marker, color=COLORS[c], markersize=8, alpha=0.7, label=f"class {c + 1}")
        ax.set(title=f"{title}\nnearest neighbour right: {share:.0%}", aspect="equal", xlim=(-1.3, 1.3))
        ax.set(ylim=(-1.3, 1.3))
    axes[-1].legend(loc="center", fontsize=8)
    told = [f"{title}: the nearest neighbour is of the same class for {run[2]:.0%}" for title, run in runs.items()]
    return fig, f"Twenty points of two classes on a circle after training. {'; '.join(told)}."


def spheres(stages: Mapping, labels: np.ndarray, plane_of: str) -> tuple[Figure, str]:
    """Draw vectors on the sphere, a panel for each stage, all seen in the same plane; returns (figure, alt text).

    stages: {name: with vectors (n, C), alignment, uniformity}. labels: (n,) of ten classes.
    plane_of: the stage whose two strongest directions (by singular values) span the plane.
    """
    directions = torch.linalg.svd(stages[plane_of].vectors)[2][:2]  # (2, C)
    fig, axes = figure(columns=len(stages), width=10, height=3.5)
    for ax, (name, found) in zip(axes, stages.items(), strict=True):
        plane = F.normalize(found.vectors, dim=-1) @ directions.T  # (n, 2)
        for c, marker in enumerate(MARKERS):
            ax.plot(*plane[labels == c].T, marker, color=COLORS[c % 7], markersize=3, alpha=0.6)
        ax.set(title=f"{name}\nuniformity {found.uniformity:.2f}", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
    told = [f"{name}: alignment {m.alignment:.2f}, uniformity {m.uniformity:.2f}" for name, m in stages.items()]
    return fig, f"Projected test digits on the sphere, seen in one plane, a marker for each digit. {'; '.join(told)}."


def topic_map(
    plane: np.ndarray, clusters: np.ndarray, titles: Sequence[str], libraries: Sequence[str]
) -> tuple[Figure, str]:
    """Draw documents as points, a marker for each library, and a title in the middle of each cluster.

    plane: (n, 2) places. clusters: (n,) numbers of titles. libraries: n names. Returns (figure, alt text).
    """
    fig, ax = figure(width=11, height=8)
    ax.axis("off")
    names, of = list(dict.fromkeys(libraries)), np.array(libraries)
    for i, name in enumerate(names):
        look = {"color": COLORS[i], "markersize": 4, "alpha": 0.55, "linewidth": 0}
        ax.plot(*plane[of == name].T, MARKERS[i], label=name, **look)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0), ncols=len(names), markerscale=2, fontsize=10)
    for k, place in _places(plane, clusters):
        ax.text(*place, titles[k], ha="center", va="center", fontsize=10, fontweight="bold", bbox=BOX)
    return fig, (
        f"A map of {len(plane):,} functions, classes and topics of the docs, one marker for each of {len(names)} "
        f"libraries, each of {len(titles)} clusters named by its words, such as: {'; '.join(titles[:8])}."
    )


def _places(plane: np.ndarray, clusters: np.ndarray) -> list[tuple[int, tuple[float, float]]]:
    """Return (cluster, middle), the largest cluster first; a title that would cover another's moves down."""
    wide, high = np.ptp(plane, axis=0)
    step, found = high / 40, []
    for k in np.argsort(-np.bincount(clusters)):
        x, y = np.median(plane[clusters == k], axis=0)
        while any(abs(y - b) < step and abs(x - a) < wide / 5 for _, (a, b) in found):
            y -= step
        found.append((k, (x, y)))
    return found


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
