"""Tables as pictures: a matrix, a confusion matrix, attention maps."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from helpers.errors import CourseError
from helpers.plots.style import GREY, figure, ink, styled
from helpers.plots.text import array, listing, matching, readable, short

COLUMNS = 4  # heads side by side, at most
WIDTH = 8.6  # inches of all panels side by side
CELL = 0.1  # inches: the smallest cell whose token can still be read


def matrix(ax, values: np.ndarray, rows: list[str], columns: list[str], fmt: str = "{:.0f}") -> None:
    """Draw a table as a picture: every cell shaded by its value and labelled with it."""
    image = ax.imshow(values, cmap="Blues", aspect="auto")
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.grid(visible=False)
    for i, j in np.ndindex(values.shape):
        _write(ax, image, i, j, fmt.format(values[i, j]))


def _write(ax, image, i: int, j: int, text: str, size: float = 10) -> None:
    """Write into a cell, in black or white as its shade asks."""
    shade = image.cmap(image.norm(image.get_array()[i, j]))
    ax.text(j, i, text, ha="center", va="center", color=ink(shade[:3]), fontsize=size)


@styled
def confusion(counts, names: Sequence[str]) -> tuple[Figure, str]:
    """Draw a confusion matrix, each cell with its count and its share of the row; returns (figure, alt text).

    Args:
        counts: (k, k) whole numbers, true classes in rows, predicted ones in columns, as of
            sklearn.metrics.confusion_matrix. names: the k classes. Cells are shaded by share; from 9 classes on only
            the counts are written, and no zeros.

    Raises:
        CourseError: another shape, a name too few, a count that is negative or broken, or no example at all.
    """
    counts = array(counts, "counts", 2)
    k = len(counts)
    whole = np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts))
    if counts.shape != (k, k) or not whole.all() or not counts.any():
        raise CourseError(
            f"counts must be (k, k) whole numbers, not all 0; this is {counts.shape}, sum {counts.sum():g}"
        )
    names = matching(names, "names", k, "classes")
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    fig, ax = figure(width=min(3.2 + 0.72 * k, 9), height=min(1.9 + 0.6 * k, 8.4))
    image = ax.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for i, j in np.ndindex(k, k):
        share = f"\n{shares[i, j]:.0%}" if k < 9 else ""
        if k < 9 or counts[i, j]:
            _write(ax, image, i, j, f"{short(counts[i, j])}{share}", size=10 if k < 9 else 8)
    _tokens(ax, names, names, 10 if k < 13 else 9, cell=min(0.72, 6.4 / k))
    ax.set(xlabel="predicted", ylabel="true")
    fig.colorbar(image, label="share of the true class", format="{x:.0%}")
    return fig, _confusion_alt(counts, names)


def _confusion_alt(counts: np.ndarray, names: list[str]) -> str:
    right, total = np.trace(counts), counts.sum()
    said = (
        f"Confusion matrix of {len(names)} classes: {right:,.0f} of {total:,.0f} examples right ({right / total:.1%})"
    )
    wrong = counts - np.diag(np.diag(counts))
    if not wrong.any():
        return f"{said}; nothing is confused."
    i, j = np.unravel_index(wrong.argmax(), wrong.shape)
    worst = f"{wrong[i, j]:,.0f} of {counts[i].sum():,.0f} {names[i]} predicted as {names[j]}"
    return f"{said}; the largest confusion: {worst}."


@styled
def attention(
    weights, query_tokens: Sequence[str], key_tokens: Sequence[str] | None = None, label: str = "attention weight"
) -> tuple[Figure, str]:
    """Draw attention maps, one panel for each head, all on one colour scale; returns (figure, alt text).

    Args:
        weights: (T_q, T_k), or (H, T_q, T_k) for H heads, queries in rows. A cell that is 0, NaN or infinite counts
            as masked and is hatched. Scores below 0 may come too: then the scale has two sides, and 0 is white.
        query_tokens, key_tokens: T_q and T_k tokens; the keys are the queries unless given.
        label: what the colours measure.

    Raises:
        CourseError: another number of dimensions, nothing to draw, or tokens that do not match the weights.
    """
    heads = array(weights, "weights", 2, 3)
    heads = heads[None] if heads.ndim == 2 else heads  # (H, T_q, T_k)
    count, t_q, t_k = heads.shape
    query_tokens = matching(query_tokens, "query_tokens", t_q, "queries")
    key_tokens = matching(query_tokens if key_tokens is None else key_tokens, "key_tokens", t_k, "keys")
    signed = bool((heads[np.isfinite(heads)] < 0).any())
    shown = np.ma.masked_where(~np.isfinite(heads) | ((heads == 0) & (not signed)), heads)
    fig, axes, cell = _panels(count, t_q, t_k)
    top = float(np.ma.abs(shown).max()) if shown.count() else 1.0
    scale = {"cmap": "RdBu", "vmin": -top, "vmax": top} if signed else {"cmap": "Blues", "vmin": 0, "vmax": top}
    for head, ax in enumerate(axes):
        image = _draw_head(ax, shown[head], query_tokens, key_tokens, cell, scale)
        ax.set_title(f"head {head + 1}" if count > 1 else "", fontsize=10)
    bar = fig.colorbar(image, ax=list(axes), label=label)
    if shown.mask.any():
        bar.ax.set_xlabel("hatched:\nmasked", fontsize=8, color=GREY)
    fig.supxlabel("key", fontsize=11)
    fig.supylabel("query", fontsize=11)
    return fig, _attention_alt(shown, query_tokens, key_tokens, label)


def _panels(count: int, t_q: int, t_k: int):
    """(figure, axes (H,), inches of a cell) of a grid that keeps the cells large enough for their tokens."""
    columns = max([c for c in range(1, min(count, COLUMNS) + 1) if WIDTH / c / t_k >= CELL], default=1)
    rows = -(-count // columns)
    cell = min(WIDTH / columns / t_k, 0.5 if count == 1 else 0.36)
    width, height = columns * max(cell * t_k, 1.4) + 2.2, rows * (max(cell * t_q, 1.1) + 0.3) + 1.3
    fig, axes = figure(columns, width, height, ratios=[1] * rows)
    grid = np.array(axes).reshape(rows, columns)
    for i in range(count, grid.size):  # no panel here: the one above shows its keys
        grid.flat[i].set_visible(False)
        grid.flat[i - columns].tick_params(labelbottom=True)
    for ax in grid[:, 1:].flat:
        ax.tick_params(labelleft=False)
    return fig, grid.ravel()[:count], cell


def _draw_head(ax, weights: np.ma.MaskedArray, queries: list, keys: list, cell: float, scale: dict):
    """Draw one head (T_q, T_k): hatched where masked, written where there is room; returns the image."""
    ax.patch.set(facecolor="#eeeeee", hatch="////", edgecolor="#999999", linewidth=0)
    image = ax.imshow(weights, aspect="auto", **scale)
    if cell > 0.45:
        for i, j in np.argwhere(~np.ma.getmaskarray(weights)):
            _write(ax, image, i, j, f"{weights[i, j]:.2f}", size=9)
    _tokens(ax, queries, keys, float(np.clip(cell * 54, 6, 10)), cell)
    return image


def _tokens(ax, rows: Sequence[str], columns: Sequence[str], size: float, cell: float) -> None:
    """Label rows and columns, or every second one and so on where `cell` inches are too few; long ones upright."""
    every = int(np.ceil(CELL / cell - 0.1))
    rows = [readable(text, 16) for text in rows]
    columns = [readable(text, 16) for text in columns]
    letters = 72 * cell * every / (0.65 * size)  # that fit side by side
    upright = 90 if max(map(len, columns)) > letters else 0
    ax.set_yticks(range(0, len(rows), every), rows[::every], fontsize=size)
    ax.set_xticks(range(0, len(columns), every), columns[::every], fontsize=size, rotation=upright)
    ax.grid(visible=False)


def _attention_alt(shown: np.ma.MaskedArray, queries: list, keys: list, label: str) -> str:
    """Name the strongest pair of every head, and how much is masked."""
    count, t_q, t_k = shown.shape
    strongest_of = []
    for head, weights in enumerate(shown):
        if not weights.count():
            continue
        choice = weights.count(axis=1) > 1  # a query that sees one key gives it all its weight, which says nothing
        telling = np.ma.masked_where(np.broadcast_to(~choice[:, None] & choice.any(), weights.shape), weights)
        i, j = np.unravel_index(telling.argmax(), weights.shape)
        where = f"in head {head + 1} " if count > 1 else ""
        strongest_of.append(f'{where}"{queries[i]}" to "{keys[j]}", {weights[i, j]:.2f}')
    strongest = f"strongest: {listing(strongest_of, 12)}" if strongest_of else "every cell is masked"
    masked = np.ma.getmaskarray(shown).mean()
    hidden = f"; {masked:.0%} of the cells are masked" if strongest_of and masked else ""
    maps = "One map" if count == 1 else f"{count} maps"
    return f"{maps} of {label}, {t_q} by {t_k} (queries by keys); {strongest}{hidden}."
