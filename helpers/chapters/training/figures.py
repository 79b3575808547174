"""The figures of chapter 12: scales of a loss, six runs, two optimisers by the clock, a law."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from helpers.chapters.training.broken_runs import Record
from helpers.chapters.training.race import Curve
from helpers.plots.style import COLORS, figure


def vanishing(lost: Mapping[float, tuple[float, float]]) -> tuple[Figure, str]:
    """Draw the shares of gradients that are 0, and infinite, in float16 over the scale; returns (figure, alt text)."""
    fig, ax = figure(width=6.5, height=3)
    scales = list(lost)
    zero, infinite = zip(*lost.values(), strict=True)
    ax.plot(scales, zero, "o-", label="became 0")
    ax.plot(scales, infinite, "s--", label="became infinite or nan")
    ax.set_xscale("log", base=2)
    ax.set_yscale("symlog", linthresh=1e-6)  # shares of a millionth beside those of a thousandth, and 0
    ax.set(xlabel="scale of the loss", ylabel="share of all gradients", ylim=(-2e-7, 1))
    ax.legend()
    return fig, (
        f"In float16 {zero[0]:.2%} of the gradients are 0 without a scale and {min(zero):.4%} with the best; at the "
        f"largest scale, {scales[-1]:,.0f}, {infinite[-1]:.2%} are infinite or no number."
    )


def six_runs(runs: Mapping[str, Record]) -> tuple[Figure, str]:
    """Draw the training loss of each run over its steps, in a panel of its own; returns (figure, alt text)."""
    fig, axes = figure(columns=len(runs), width=12, height=2.8)
    top = max(min(run.losses[0], 14.0) for run in runs.values()) + 1
    for ax, (letter, run) in zip(axes, runs.items(), strict=True):
        ax.plot(np.minimum(run.losses, top))
        ax.set(title=f"run {letter}", xlabel="step", ylim=(0, top))
    axes[0].set(ylabel="training loss, nats")
    told = "; ".join(f"{letter} from {run.first:.1f} to {run.last:.1f}" for letter, run in runs.items())
    return fig, f"Training losses of six runs: {told}."


def by_the_clock(curves: Mapping[str, Curve]) -> tuple[Figure, str]:
    """Draw the training loss over seconds, a running mean of five points; returns (figure, alt text)."""
    fig, ax = figure(width=6.5, height=3.2)
    for (name, curve), style in zip(curves.items(), ("--", "-"), strict=True):
        seconds, losses = zip(*curve.points, strict=True)
        width = min(5, len(losses))
        smooth = np.convolve(losses, np.ones(width) / width, mode="valid")
        ax.plot(seconds[width - 1 :], smooth, style, label=f"{name}, {curve.steps} steps")
    ax.set(xlabel="seconds", ylabel="training loss, nats")
    ax.legend()
    told = "; ".join(f"{name} ends at {curve.held_out:.2f} held out" for name, curve in curves.items())
    return fig, f"Training loss of both optimisers over the same seconds: {told}."


def law(sizes: Sequence[int], losses: Sequence[float], a: float, b: float) -> tuple[Figure, str]:
    """Draw losses over sizes, both logarithmic, with the line a N^-b; the last size was not used for it."""
    fig, ax = figure(width=6.5, height=3.2)
    line = np.geomspace(min(sizes) * 0.9, max(sizes) * 1.1, 50)
    ax.plot(line, a * line**-b, "-", color="grey", linewidth=0.9, label="the law")
    ax.plot(sizes[:-1], losses[:-1], "o", color=COLORS[0], label="fitted to these")
    ax.plot(sizes[-1:], losses[-1:], "s", color=COLORS[1], label="predicted")
    ax.set(xlabel="weights", ylabel="loss, nats a character", xscale="log", yscale="log")
    ax.legend()
    return fig, (
        f"Losses fall from {losses[0]:.2f} at {sizes[0]:,} weights to {losses[-1]:.2f} at {sizes[-1]:,}, close to the "
        f"line {a:.2f} N^-{b:.3f}."
    )
