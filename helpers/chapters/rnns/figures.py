"""The figures of chapter 03: two matrices, gradients, characters, tags, dates, senses of a word."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from matplotlib.figure import Figure

from helpers.experiments.length_curve import LengthCurve
from helpers.plots.maps import place
from helpers.plots.style import COLORS, figure

LEAST = 1e-12  # what is smaller is drawn as this
Places = Mapping[int, Sequence[float]]  # for series of n dates: the share that is right at each place


def bits_per_character(
    evaluations: Sequence[tuple[int, float]], per_step: int, counted: Mapping[int, float]
) -> tuple[Figure, str]:
    """Draw the bits per character of an LSTM while it reads, with those of n-grams; returns (figure, alt text).

    evaluations: (step, bits). per_step: the characters read in a step. counted: bits by the order of the n-grams.
    """
    steps, bits = zip(*evaluations, strict=True)
    fig, ax = figure(width=6.5, height=3.2)
    read = [step * per_step / 1e6 for step in steps]
    ax.plot(read, bits, "o-", label="LSTM")
    best = min(counted, key=counted.get)
    for n, value in counted.items():
        if n <= 5 or n == best:  # the others lie too close to the best
            ax.axhline(value, linestyle="--", linewidth=0.8, color="grey")
            name = f"{n}-grams, the best count" if n == best else f"{n}-grams"
            label = {"xytext": (0, -9 if n == best else 2), "textcoords": "offset points", "fontsize": "small"}
            ax.annotate(name, (read[-1], value), ha="right", **label)
    ax.set(xlabel="characters read, in millions", ylabel="bits per character")
    ax.legend()
    lines = ", ".join(f"{n}-grams {value:.2f}" for n, value in counted.items())
    return fig, (
        f"Bits per character of the LSTM fall from {bits[0]:.2f} to {bits[-1]:.2f} while it reads; "
        f"dashed lines mark counting: {lines}."
    )


def bits_by_size(sizes: Sequence[int], bits: Mapping[str, Sequence[float | None]]) -> tuple[Figure, str]:
    """Draw bits per character over how many characters were read, a line for each model; returns (figure, alt text).

    sizes: the characters of each text. bits: by the name of the model, for each text; None where it was not measured.
    """
    fig, ax = figure(width=6.5, height=3.2)
    told = []
    for name, values in bits.items():
        known = [(size, value) for size, value in zip(sizes, values, strict=True) if value is not None]
        ax.plot(*zip(*known, strict=True), "o-", label=name)
        told.append(f"{name}: " + ", ".join(f"{value:.2f} at {size:,}" for size, value in known))
    ax.set_xscale("log")
    ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
    ax.minorticks_off()
    ax.set(xlabel="characters in the text", ylabel="bits per character")
    ax.legend(fontsize=9)
    return fig, f"Bits per character over the size of the text. {'; '.join(told)}."


def cell_over_lines(values: np.ndarray, since: np.ndarray, cell: int, shown: int = 400) -> tuple[Figure, str]:
    """Draw the value of one cell after each character, (n,), with the ends of the lines; returns (figure, alt text).

    since: how many characters of its line came before each. shown: how many characters are drawn, the last ones.
    """
    fig, ax = figure(width=9, height=2.6)
    values, since = values[-shown:], since[-shown:]
    ax.plot(values, label=f"tanh of cell {cell}")
    for i in np.flatnonzero(since == 0):
        ax.axvline(i, linestyle=":", linewidth=0.8, color="grey")
    ax.set(xlabel="character", ylabel="value", ylim=(-1.1, 1.1), title="dotted: a new line begins")
    ax.legend(loc="lower right", fontsize=9)
    starts = int((since == 0).sum())
    return fig, (
        f"The value of cell {cell} over {len(values)} characters with {starts} beginnings of lines: between "
        f"{values.min():.2f} and {values.max():.2f}."
    )


def gradient_flow(
    products: Mapping[str, np.ndarray],
    reaches: Mapping[str, np.ndarray],
    trainings: Mapping[str, tuple[list[float], list[float]]],
) -> tuple[Figure, str]:
    """Draw how gradients vanish, how gates let them pass, and how they explode; returns (figure, alt text).

    products: three norms of a product of Jacobians by the distance, (T,), by name; radius 0.5, 0.9 and 3.
    reaches: the norm of the gradient with respect to the input at each distance, (T,), of RNN, GRU and LSTM.
    trainings: (norms, losses) of a training without and with clipping; the losses are drawn.
    """
    fig, axes = figure(columns=3, width=12, height=3.8)
    for (name, norms), style, color in zip(products.items(), (":", "--", "-"), COLORS, strict=False):
        axes[0].plot(norms, style, color=color, label=name)
    for (name, norms), style in zip(reaches.items(), (":", "--", "-"), strict=True):
        axes[1].plot(np.maximum(norms, LEAST), style, label=name)
    for (name, (_, losses)), style in zip(trainings.items(), (":", "-"), strict=True):
        axes[2].plot(losses, style, label=name)
    below = {"xlabel": "distance k", "yscale": "log"}
    axes[0].set(**below, ylabel="norm of the product", title="a product of Jacobians", ylim=(LEAST, 1e12))
    axes[1].set(**below, ylabel="norm of the gradient", title="gates", ylim=(LEAST, 1e2))
    axes[2].set(yscale="log", xlabel="step", ylabel="loss", title="clipping")
    for ax in axes:
        ax.legend(fontsize=9)
    told = ", ".join(f"{name}: {max(losses):.3g}" for name, (_, losses) in trainings.items())
    alt = (
        "Left: the norm of a product of Jacobians falls to nothing with the distance for radius 0.5 and 0.9, "
        "and grows for 3. Middle: the gradient of a plain RNN is gone after some twenty steps; those of GRU and LSTM "
        f"reach eighty. Right: the largest loss of a training, {told}."
    )
    return fig, alt


def through_the_bottleneck(curves: Mapping[str, LengthCurve], places: Places) -> tuple[Figure, str]:
    """Draw exact translations by length, and dates that are right by position; returns (figure, alt text).

    curves: of sources that are read plain and reversed, in this order, by the name of the way to read.
    places: {n: shares (n,)} of the plain ones, for series of one, two and three dates.
    """
    fig, axes = figure(columns=2, width=10.5, height=3.8)
    for (name, curve), style in zip(curves.items(), ("o-", "^--"), strict=True):
        axes[0].plot(curve.middles, curve.shares, style, label=name)
    for (n, shares), marker in zip(places.items(), "so^", strict=True):
        dates = "dates" if n > 1 else "date"
        axes[1].plot(range(1, n + 1), shares, marker=marker, color=COLORS[n - 1], label=f"series of {n} {dates}, plain")
    axes[0].set(xlabel="length of the source, characters", ylabel="exact translations", ylim=(-0.03, 1.03))
    axes[1].set(xlabel="position in the series", ylabel="dates that are right", ylim=(-0.03, 1.03), xticks=[1, 2, 3])
    axes[0].legend()
    axes[1].legend()
    ends = [f"{curve.shares[0]:.2f} to {curve.shares[-2]:.2f}" for curve in curves.values()]
    by_place = {n: np.round(shares, 2).tolist() for n, shares in places.items()}
    alt = (
        "Left: the share of exact translations falls with the length of the source, for the plain source from "
        f"{ends[0]}, for the reversed one from {ends[1]}. Right: the share of right dates by their "
        f"position in series of one, two and three: {by_place}."
    )
    return fig, alt


def previous_and_next(
    maps: Mapping[str, tuple[np.ndarray, np.ndarray]], losses: Sequence[float], words: Sequence[str]
) -> tuple[Figure, str]:
    """Draw E (circles) and U (triangles, bold) of random and of trained vectors; returns (figure, alt text).

    maps: {title: (E, U)}, two of them, each (V, 2), the random ones first. losses: of both, in nats. words: V of them.
    """
    fig, axes = figure(columns=2, width=10, height=4.6)
    for ax, (title, (E, U)), loss in zip(axes, maps.items(), losses, strict=True):
        ax.scatter(*E.T, marker="o", label="E, previous")
        ax.scatter(*U.T, marker="^", label="U, next")
        ax.set_title(f"{title}: {loss:.4f} nats")
        ax.margins(0.12)
    axes[1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    fig.draw_without_rendering()  # fixes the layout, so that labels can be placed
    fig.set_layout_engine("none")
    quoted = [word if word.isalpha() else f"“{word}”" for word in words]
    for ax, vectors in zip(axes, maps.values(), strict=True):
        for text in place(ax, np.vstack(vectors), list(enumerate(quoted * 2)))[len(quoted) :]:
            text.set_fontweight("bold")
    alt = (
        "Two maps of the eight words, each word twice: as previous (circles) and as next (triangles, "
        f"bold). Left random, {losses[0]:.2f} nats; right trained, {losses[1]:.2f}: "
        "each next word lies in the direction of the words that it follows."
    )
    return fig, alt


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
        "Two maps of the occurrences of one word by their layer 2 vectors: cell in pages of matplotlib and of "
        f"torch, bank as a firm and as an account. The nearest neighbour has the same sense for {told} of them."
    )
    return fig, alt


def f1_bars(scores: Mapping[str, Sequence[float]], labels: Sequence[str]) -> tuple[Figure, str]:
    """Draw the F1 of whole spans of two taggers, {name: one for each label}; returns (figure, alt text)."""
    fig, ax = figure(width=7, height=3.2)
    for i, ((name, values), hatch) in enumerate(zip(scores.items(), ("//", ""), strict=True)):
        ax.bar(np.arange(len(labels)) + 0.4 * i, values, width=0.38, hatch=hatch, label=name, edgecolor="white")
    names = [label.lower() for label in labels]
    ax.set_xticks(np.arange(len(labels)) + 0.2, names)
    ax.set(ylabel="F1 of whole spans", ylim=(0, 1.2), yticks=np.linspace(0, 1, 6))
    ax.legend(ncols=2)
    told = ", ".join(f"{name} {a:.2f} and {b:.2f}" for name, a, b in zip(names, *scores.values(), strict=True))
    alt = f"Bars of the F1 of whole spans for each of seven labels, the hidden Markov model beside the BiLSTM: {told}."
    return fig, alt
