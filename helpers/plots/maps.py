"""Maps: points in two dimensions whose labels do not overlap."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from helpers.errors import CourseError
from helpers.plots.style import COLORS, GREY, MARKERS, figure, styled
from helpers.plots.text import array, listing, matching, number, readable

RINGS = np.array([0.0, 4, 10, 18, 28, 40, 54])  # points (1/72 inch) between a marker and its label, tried in this order
NEAR = 4.0  # a label further off than this gets a line to its point
CROWD = 300  # of more points than this, labels may cover some
ANGLES = np.deg2rad(
    [0, 180, 90, 270, 45, 135, 315, 225, 22, 158, 338, 202, 68, 112, 292, 248]
)  # right, left, above ...

FAR = np.repeat(RINGS > NEAR, len(ANGLES))  # which places need a line
HALO = [withStroke(linewidth=2.5, foreground="white")]  # keeps a label readable where it covers points
LABEL = {"fontsize": 9, "va": "bottom", "in_layout": False, "path_effects": HALO}


@styled
def projection(
    points, labels: Sequence | None = None, groups: Sequence | None = None, label: str = "component"
) -> tuple[Figure, str]:
    """Draw a labelled map; returns (figure, alt text).

    Labels are placed in the order given, each at the first free place around its point: a label that moved gets a thin
    line, and one that finds no place is left out. So put the important points first.

    Args:
        points: (n, 2) coordinates. labels: n of them, "" or None where a point has none; or None for no labels.
        groups: n names; each group has its own colour and marker, and a line in the legend.
        label: what the axes are called, followed by 1 and 2; "" leaves the axes without numbers.

    Raises:
        CourseError: another shape, nothing to draw, a coordinate that is not finite, or lengths that differ.
    """
    points = array(points, "points", 2)
    n = len(points)
    if points.shape[1] != 2 or not np.isfinite(points).all():
        raise CourseError(f"points must be finite and of shape (n, 2); their shape is {points.shape}")
    unnamed = [""] * n
    labels = matching(unnamed if labels is None else labels, "labels", n, "points")
    names = matching(unnamed if groups is None else list(map(str, groups)), "groups", n, "points")
    kinds = list(dict.fromkeys(names))
    fig, ax = figure(width=7.5, height=5.2)
    _scatter(ax, points, names, kinds)
    ax.margins(0.08)
    ax.set(**({"xlabel": f"{label} 1", "ylabel": f"{label} 2"} if label else {"xticks": [], "yticks": []}))
    fig.draw_without_rendering()  # fixes the layout, so that places are known in pixels
    fig.set_layout_engine("none")
    asked = [(i, readable(text)) for i, text in enumerate(labels) if text not in ("", None)]
    drawn = place(ax, points, asked)
    return fig, _map_alt(points, labels, names, kinds, len(drawn), len(asked))


def _scatter(ax, points: np.ndarray, names: list[str], kinds: list[str]) -> None:
    """Draw the points of each group with its own colour and marker."""
    names, size = np.array(names), np.clip(2000 / len(points), 6, 36)
    alpha = 1 if len(points) <= CROWD else 0.5
    for i, kind in enumerate(kinds):
        shape = {"color": COLORS[i % len(COLORS)], "marker": MARKERS[i % len(MARKERS)], "alpha": alpha}
        ax.scatter(*points[names == kind].T, s=size, linewidths=0, label=readable(kind), **shape)
    if kinds != [""]:
        aside = {"loc": "center left", "bbox_to_anchor": (1, 0.5)}
        legend = ax.legend(
            **aside, markerscale=max(1.0, (30 / size) ** 0.5), ncols=1 + (len(kinds) - 1) // 18, fontsize=9
        )
        for handle in legend.legend_handles:
            handle.set_alpha(1)


def place(ax, points: np.ndarray, labels: list[tuple[int, str]]) -> list:
    """Write labels (index of the point, text) so that no two overlap; returns the texts that found a place.

    Greedy, in display coordinates (pixels): at each distance of RINGS, all ANGLES around the point are tried. A place
    is free if it lies inside the axes and touches no label, marker or line that is there, nor does its own line.
    """
    pixel, renderer = ax.figure.dpi / 72, ax.figure.canvas.get_renderer()
    dots = ax.transData.transform(points)  # (n, 2)
    around = 3 * pixel if len(points) <= CROWD else -np.inf  # boxes turned inside out touch nothing
    markers = np.hstack([dots - around, dots + around])  # boxes (left, bottom, right, top), as are all below
    taken, drawn = np.empty((0, 4)), []
    for i, words in labels:
        text = ax.annotate(words, points[i], (0, 0), textcoords="offset pixels", **LABEL)
        size = np.array(text.get_window_extent(renderer).size) + 2 * pixel
        corners = _corners(size, pixel)
        boxes = np.hstack([dots[i] + corners, dots[i] + corners + size])  # (places, 4)
        others = np.vstack([taken, np.delete(markers, i, axis=0)])
        free = np.flatnonzero(_inside(boxes, ax.bbox) & ~_touching(boxes, others))
        clear = (p for p in free if not FAR[p] or not _touching(_lead(dots[i], boxes[p], pixel), taken).any())
        best = next(clear, None)  # the first, so the nearest
        if best is None:
            text.remove()
            continue
        text.xyann = tuple(corners[best] + pixel)
        taken, drawn = np.vstack([taken, boxes[best]]), [*drawn, text]
        if FAR[best]:
            taken = np.vstack([taken, _lead(dots[i], boxes[best], pixel)])
            _draw_lead(ax, points[i], np.clip(dots[i], boxes[best, :2], boxes[best, 2:]))
    return drawn


def _draw_lead(ax, point: np.ndarray, end: np.ndarray) -> None:
    """Draw the line from a point, in the data's coordinates, to `end`, in pixels; the limits stay as they are."""
    line = [point, ax.transData.inverted().transform(end)]
    ax.plot(*np.transpose(line), color=GREY, linewidth=0.6, scalex=False, scaley=False)


def _inside(boxes: np.ndarray, frame) -> np.ndarray:
    return (boxes[:, :2] >= frame.min).all(1) & (boxes[:, 2:] <= frame.max).all(1)


def _corners(size: np.ndarray, pixel: float) -> np.ndarray:
    """Lower left corners (places, 2) of a label of `size` around a point at (0, 0), the nearest first."""
    sides = np.clip(1.42 * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1), -1, 1)  # (16, 2) on a square
    gaps = (RINGS + 4) * pixel
    return (sides * (gaps[:, None, None] + size / 2) - size / 2).reshape(-1, 2)


def _lead(dot: np.ndarray, box: np.ndarray, pixel: float) -> np.ndarray:
    """Small boxes (12, 4) along the straight line from a point to the nearest place of its label's box."""
    along = dot + np.linspace(0.2, 1, 12)[:, None] * (np.clip(dot, box[:2], box[2:]) - dot)
    return np.hstack([along - pixel / 2, along + pixel / 2])


def _touching(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Whether each box (c, 4) overlaps any of the others (m, 4): (c,)."""
    low, high = boxes[:, None, :2] < others[None, :, 2:], boxes[:, None, 2:] > others[None, :, :2]
    return (low & high).all(-1).any(-1)


def _map_alt(points: np.ndarray, labels: list, names: list[str], kinds: list[str], drawn: int, asked: int) -> str:
    """Say how many points and labels there are, where each group lies, and which two labelled points are closest."""
    noun = "points" if len(points) > 1 else "point"
    sentences = [f"Map of {len(points):,} {noun}"]
    if asked:
        sentences[0] += f", {drawn} of {asked} labels drawn"
    if kinds != [""]:
        places = []
        for kind in kinds:
            group = points[np.array(names) == kind]
            centre = ", ".join(map(number, group.mean(axis=0)))
            places.append(f"{kind}: {len(group):,} around ({centre})")
        sentences.append(listing(places, 8))
    named = [i for i, text in enumerate(labels) if text not in ("", None)][:1000]
    if len(named) > 1:
        gaps = np.linalg.norm(points[named][:, None] - points[named][None], axis=-1) + np.diag([np.inf] * len(named))
        i, j = np.unravel_index(gaps.argmin(), gaps.shape)
        sentences.append(f"closest: {labels[named[i]]} and {labels[named[j]]}, {number(gaps[i, j])} apart")
    return "; ".join(sentences) + "."
