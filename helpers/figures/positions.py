"""Positions: the sinusoids that are added to tokens, and dot products of a query and a key at different places."""

import torch
from matplotlib.figure import Figure

from helpers.figures.panels import draw_curves
from helpers.plots.style import figure

FIRST, SECOND = 20, 35  # the places of the query that are drawn


def position_table(table: torch.Tensor) -> tuple[Figure, str]:
    """Draw sinusoidal positions (64, C) and the dot products of three with all; returns (figure, alt text)."""
    fig, axes = figure(columns=2, width=9, height=3.4)
    image = axes[0].imshow(table.numpy(), cmap="RdBu", aspect="auto", vmin=-1, vmax=1)
    axes[0].set(xlabel="feature", ylabel="position", title="sinusoidal positions")
    axes[0].grid(visible=False)
    fig.colorbar(image, ax=axes[0])
    draw_curves(axes[1], range(len(table)), {f"position {p}": table @ table[p] for p in (8, 24, 48)}, markers=False)
    axes[1].set(xlabel="position", ylabel="dot product", title="of three positions with all", ylim=(5, 22))
    axes[1].legend(loc="upper right", ncols=3, fontsize=8)
    return fig, (
        f"Left, a picture of {len(table)} positions by {table.shape[1]} features: fast waves on the left, nearly "
        "constant columns on the right. Right, the dot products of three positions with all: each peaks at its own "
        "position."
    )


def position_differences(rope: torch.Tensor, added: torch.Tensor) -> tuple[Figure, str]:
    """Draw products of a query at 20 and at 35 with a key, against the difference of their places; (figure, alt text).

    rope, added: (T, T), the query's place in rows and the key's in columns, with RoPE and with added sinusoids.
    """
    fig, axes = figure(columns=2, width=9, height=3.4)
    for ax, products, title in [(axes[0], rope, "RoPE"), (axes[1], added, "sinusoids, added")]:
        for place, dashes in [(FIRST, "-"), (SECOND, "--")]:
            ax.plot(torch.arange(len(products)) - place, products[place], dashes, label=f"query at {place}")
        ax.set(xlabel="position of the key minus that of the query", ylabel="dot product", title=title)
    axes[0].legend()
    return fig, (
        f"Dot products against the difference of positions, for a query at {FIRST} and at {SECOND}. With RoPE the two "
        f"curves lie on each other (largest gap {_gap(rope):.4f}); with added sinusoids they differ by up to "
        f"{_gap(added):.1f}."
    )


def _gap(products: torch.Tensor) -> float:
    """Return the largest difference of the two rows of (T, T) where the difference of places is the same."""
    moved = SECOND - FIRST
    return float((products[FIRST, : len(products) - moved] - products[SECOND, moved:]).abs().max())
