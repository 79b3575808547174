"""The figures of chapter 04: translations by length, scores, positions, what attention costs."""

import re
from collections.abc import Callable, Mapping, Sequence

import torch
from matplotlib.figure import Figure

from helpers.chapters.attention.scaling import Effect
from helpers.course.call_cost import Usage
from helpers.experiments.length_curve import LengthCurve
from helpers.plots.charts import bars
from helpers.plots.curves import lines
from helpers.plots.matrices import attention
from helpers.plots.style import figure

FIRST, SECOND = 20, 35  # the places of the query that are drawn
SHAPES = [("-", "o"), ("--", "^"), (":", "s")]  # dashes and marker of the first curve, the second, the third


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


def cost_curves(lengths: Sequence[int], costs: Mapping[str, list[Usage]], limit_mb: float) -> tuple[Figure, str]:
    """Draw seconds and MB of "plain", "tiled" and "torch" at each length; returns (figure, alt text)."""
    fig, axes = figure(columns=2, width=9, height=3.6)
    seconds, megabytes = {}, {}
    for name, usages in costs.items():
        seconds[name] = [usage.seconds for usage in usages]
        megabytes[name] = [usage.mb for usage in usages]
    draw_curves(axes[0], lengths, seconds)
    draw_curves(axes[1], lengths, megabytes)
    axes[1].axhline(limit_mb, color="black", linewidth=1)
    axes[1].text(lengths[0], limit_mb * 1.1, "limit", fontsize=9)
    axes[0].set(xscale="log", yscale="log", xlabel="tokens", ylabel="seconds")
    axes[1].set(xscale="log", yscale="log", xlabel="tokens", ylabel="memory in MB", ylim=(None, limit_mb * 3))
    for ax in axes:
        ax.set_xticks(lengths[::2], [f"{length:,}" for length in lengths[::2]])
        ax.minorticks_off()
    axes[0].legend()
    return fig, _cost_alt(lengths, costs)


def _cost_alt(lengths: Sequence[int], costs: Mapping[str, list[Usage]]) -> str:
    last = {
        name: max(length for length, c in zip(lengths, found, strict=True) if not c.refused)
        for name, found in costs.items()
    }
    return (
        "Seconds and memory of three ways to compute attention, against length on logarithmic axes. Seconds "
        "grow with the square of the length for all. Plain attention's memory does, too, and it is refused "
        f"beyond {last['plain']:,} tokens; tiled reaches {last['tiled']:,} tokens with "
        f"{costs['tiled'][-1].mb:.0f} MB, torch with {costs['torch'][-1].mb:.0f} MB."
    )


def cache_sizes(caches: Mapping[str, Callable[[int], int]]) -> tuple[Figure, str]:
    """Draw the GiB of five caches, {name: function from tokens to bytes}, by length; returns (figure, alt text)."""
    lengths = [2**n for n in range(9, 18)]
    curves = {}
    for name, size in caches.items():
        first_word = re.match(r"\w+", name)[0]
        curves[first_word] = [size(n) / 2**30 for n in lengths]
    fig, alt = lines(lengths, curves, "tokens", "cache in GiB", log="xy")
    fig.axes[0].legend(loc="upper left", ncols=2)
    return fig, f"The cache of five kinds of attention, by the length of the text. {alt}"


def score_maps(raw: torch.Tensor, asked: torch.Tensor, words: Sequence[str]) -> tuple[Figure, str]:
    """Draw the scores X X^T beside those with W_Q and W_K, each (T, T), of T words; returns (figure, alt text)."""
    fig, alt = attention(torch.stack([raw, asked]), words, label="score")
    for ax, title in zip(fig.axes, ["$X X^T$", "$(X W_Q)(X W_K)^T$"], strict=False):
        ax.set_title(title)
    return fig, "Left the scores X X transposed, right those with W_Q and W_K. " + alt


def scaling_effect(sizes: Sequence[int], effects: Mapping[str, Effect]) -> tuple[Figure, str]:
    """Draw what the scale does to scores and weights, by the size d of queries and keys; returns (figure, alt text).

    effects: of "not scaled", "1/sqrt(d)" and "1/d", with a value for each of the sizes.
    """
    fig, axes = figure(columns=2, width=9, height=3.4)
    draw_curves(axes[0], sizes, {name: effect.variance for name, effect in effects.items()})
    draw_curves(axes[1], sizes, {name: effect.entropy for name, effect in effects.items()})
    axes[0].set(xscale="log", yscale="log", xlabel="d", ylabel="variance of the scores")
    axes[1].set(xscale="log", xlabel="d", ylabel="entropy of 64 weights, nats", ylim=(0, 4.5))
    axes[0].legend()
    ends = "; ".join(f"{n}, {e.variance[-1]:.3g} and {e.entropy[-1]:.2f}" for n, e in effects.items())
    return fig, (
        f"Variance of the scores and entropy of the 64 weights, for d from {sizes[0]} to {sizes[-1]}. At the largest "
        f"d: {ends}. With 1/sqrt(d) both stay as they are at every d."
    )


def head_bars(table: Mapping[str, float]) -> tuple[Figure, str]:
    """Draw the F1 of a spam filter with heads pruned, {what is left: F1}; returns (figure, alt text)."""
    fig, ax = figure(height=2.9)
    bars(ax, list(table), list(table.values()), label="F1 of spam on the test part")
    return fig, "Bar chart of F1 with heads pruned: " + ", ".join(f"{n} {v:.3f}" for n, v in table.items()) + "."


def exact_translations(curves: Mapping[str, LengthCurve]) -> tuple[Figure, str]:
    """Draw the curves of translators, by name, all over the same bins; returns (figure, alt text)."""
    fig, ax = figure()
    draw_curves(ax, next(iter(curves.values())).middles, {name: curve.shares for name, curve in curves.items()})
    ax.set(xlabel="length of the source, characters", ylabel="exact translations", ylim=(-0.03, 1.03))
    ax.legend()
    ends = "; ".join(f"{name}, {curve.shares[0]:.2f} and {curve.shares[-1]:.2f}" for name, curve in curves.items())
    return fig, f"Exact translations by length of the source, those of the shortest and of the longest: {ends}."


def draw_curves(ax, x, curves: Mapping, markers: bool = True) -> None:
    """Draw up to three curves {name: values (n,)} over x (n,), with a marker at each value or without."""
    for (name, values), (dashes, marker) in zip(curves.items(), SHAPES[: len(curves)], strict=True):
        ax.plot(x, values, dashes, marker=marker if markers else None, label=name)
