"""Curves: how a training went, and one quantity against another."""

from collections.abc import Mapping, Sequence
from itertools import cycle

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogFormatter, MaxNLocator

from helpers.errors import CourseError
from helpers.plots.style import COLORS, DASHES, GREY, MARKERS, figure, styled
from helpers.plots.text import array, listing, number, readable, trend


@styled
def learning_curves(
    losses, evaluations: Sequence = (), norms: Sequence = (), lrs: Sequence = (), *, log: bool = False
) -> tuple[Figure, str]:
    """Draw the loss of every step (faint) and its running mean; returns (figure, alt text).

    Args:
        losses: the loss of each step (n,); or {name: losses} to compare runs; or one object, or a dict of objects,
            with attributes of the names of these first four arguments.
        evaluations: pairs (step, validation loss), steps counted from 1; the lowest is marked.
        norms, lrs: gradient norm and learning rate of each step (n,), each drawn in a small panel below.
        log: draw the loss on a logarithmic axis.

    Raises:
        CourseError: nothing to draw, lengths that differ, or no loss above 0 for a logarithmic axis.
    """
    evaluations, norms, lrs = (
        getattr(losses, name, given) if hasattr(losses, "losses") else given
        for name, given in [("evaluations", evaluations), ("norms", norms), ("lrs", lrs)]
    )
    runs = _runs(losses)
    below = [
        (name, _same_steps(v, name, runs)) for name, v in [("gradient norm", norms), ("learning rate", lrs)] if len(v)
    ]
    fig, axes = figure(height=3.6 + 1.1 * len(below), ratios=[3] + [1] * len(below))
    top = np.atleast_1d(axes)[0]
    alt = [_draw_run(top, name, values, i) for i, (name, values) in enumerate(runs.items())]
    if len(evaluations):
        alt.append(_draw_evaluations(top, array(evaluations, "evaluations", 2)))
    alt += [_draw_below(ax, name, values) for ax, (name, values) in zip(np.atleast_1d(axes)[1:], below, strict=True)]
    _finish(top, "loss", log, max(len(values) for values in runs.values()))
    np.atleast_1d(axes)[-1].set_xlabel("step")
    return fig, listing(alt, 8) + "."


def _runs(losses) -> dict[str, np.ndarray]:
    """{name: losses (n,)}; one run is called "Loss"."""
    runs = losses if isinstance(losses, Mapping) else {"Loss": losses}
    if not runs:
        raise CourseError("losses holds no run; there is nothing to draw")
    return {str(name): array(getattr(run, "losses", run), f'losses of "{name}"', 1) for name, run in runs.items()}


def _same_steps(values: Sequence, name: str, runs: dict[str, np.ndarray]) -> np.ndarray:
    found, steps = array(values, name, 1), max(len(v) for v in runs.values())
    if len(found) != steps:
        raise CourseError(f"the {name} has {len(found)} values but the loss has {steps}: give one for each step")
    return found


def smooth(values: np.ndarray, window: int) -> np.ndarray:
    """Return the mean over `window` steps around each step, of those values that are finite, same shape (n,)."""
    good = np.isfinite(values)
    ones = np.ones(min(window, len(values)))
    count = np.convolve(good, ones, mode="same")
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(good, np.convolve(np.where(good, values, 0), ones, mode="same") / count, np.nan)


def _draw_run(ax, name: str, values: np.ndarray, i: int) -> str:
    """Draw the losses of one run; returns what is seen."""
    steps, color = np.arange(1, len(values) + 1), COLORS[i % len(COLORS)]
    window = max(len(values) // 25, 1)
    mean = smooth(values, window)
    if window > 1:
        ax.plot(steps, values, color=color, alpha=0.3, linewidth=0.8)
    marker = MARKERS[i % len(MARKERS)] if len(values) < 25 else None
    label = "training" if name == "Loss" else readable(name)
    if not np.isfinite(values).any():
        label += ": never finite"
    ax.plot(steps, mean, DASHES[i % len(DASHES)], color=color, linewidth=2, marker=marker, label=label)
    ends = np.array([values[np.isfinite(values)][:1], mean[np.isfinite(mean)][-1:]]).ravel()
    over = "at the only step" if len(values) == 1 else f"over {len(values):,} steps"
    sentence = f"{name} {trend(ends[: len(values)])} {over}"
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size in (0, len(values)):
        return sentence
    ax.axvline(steps[bad[0]], color=GREY, linestyle=":", label=f"not finite from step {steps[bad[0]]:,}")
    return f"{sentence}, {bad.size:,} of them not finite, the first at step {steps[bad[0]]:,}"


def _draw_evaluations(ax, points: np.ndarray) -> str:
    """Draw (step, value) pairs (n, 2) and mark the lowest; returns what is seen."""
    if points.shape[1] != 2:
        raise CourseError(f"evaluations must be pairs (step, value); their shape is {points.shape}")
    steps, values = points.T
    ax.plot(steps, values, "o--", color=COLORS[1], markersize=5, label="validation")
    if not np.isfinite(values).any():
        return "validation is never finite"
    best = int(np.nanargmin(np.where(np.isfinite(values), values, np.nan)))
    said = f"{number(values[best])}, at step {steps[best]:,.0f}"
    ax.plot(steps[best], values[best], "*", color="black", markersize=13, label=f"lowest: {said}")
    end = "" if best == len(values) - 1 else f", and ends at {number(values[-1])}"
    return f"validation is lowest, {said}{end}"


def _draw_below(ax, name: str, values: np.ndarray) -> str:
    """Draw one small panel; returns what is seen."""
    ax.plot(np.arange(1, len(values) + 1), values, color=GREY, linewidth=1, marker="." if len(values) < 25 else None)
    ax.set_ylabel(name.replace(" ", "\n"))
    ax.yaxis.set_major_locator(MaxNLocator(3))
    if not np.isfinite(values).any():
        return f"the {name} is never finite"
    top = int(np.nanargmax(np.where(np.isfinite(values), values, np.nan)))
    return f"the {name} is largest, {number(values[top])}, at step {top + 1:,} and ends at {number(values[-1])}"


def _finish(ax, label: str, log: bool, steps: int) -> None:
    """Label the vertical axis, and keep both axes plain."""
    ax.set_ylabel(label)
    if log:
        _log_axis(ax, ax.yaxis)
    if steps <= 10:
        ax.set_xlim(0.5, steps + 0.5)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    if len(ax.get_legend_handles_labels()[1]) > 1:
        ax.legend()


def _log_axis(ax, axis) -> None:
    """Make one axis logarithmic, with numbers in place of powers where it spans little."""
    name = "x" if axis is ax.xaxis else "y"
    drawn = np.concatenate([np.asarray(line.get_data()[name == "y"], dtype=float) for line in ax.lines])
    if not (drawn[np.isfinite(drawn)] > 0).any():
        raise CourseError("a logarithmic axis needs a value above 0; there is none")
    getattr(ax, f"set_{name}scale")("log")
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(LogFormatter(minor_thresholds=(2, 0.5)))


@styled
def lines(x, curves, xlabel: str, ylabel: str, *, log: str = "") -> tuple[Figure, str]:
    """Draw named curves over the same x, each with its own colour, dashes and marker; returns (figure, alt text).

    Args:
        x: positions (n,). curves: {name: values (n,)}, or the values of one curve; NaN leaves a gap.
        xlabel, ylabel: what the axes measure, with the unit.
        log: the logarithmic axes: "", "x", "y" or "xy".

    Raises:
        CourseError: nothing to draw, lengths that differ, another `log`, or no value above 0 for a logarithmic axis.
    """
    x = array(x, "x", 1)
    named = curves if isinstance(curves, Mapping) else {ylabel: curves}
    named = {str(name): array(values, f'curve "{name}"', 1) for name, values in named.items()}
    wrong = [name for name, values in named.items() if len(values) != len(x)]
    if wrong or not named or log not in ("", "x", "y", "xy"):
        what = f'curve "{wrong[0]}" has {len(named[wrong[0]])} values' if wrong else f'{len(named)} curves, log="{log}"'
        raise CourseError(
            f'lines needs curves of the {len(x)} values of x, and log "", "x", "y" or "xy"; it got {what}'
        )
    fig, ax = figure()
    shapes = zip(cycle(COLORS), cycle(DASHES), cycle(MARKERS), strict=False)
    for (name, values), (color, dashes, marker) in zip(named.items(), shapes, strict=False):
        shown = marker if len(x) <= 40 else None
        ax.plot(x, values, dashes, color=color, marker=shown, markersize=5, label=readable(name))
    for axis in log:
        _log_axis(ax, getattr(ax, f"{axis}axis"))
    ax.set(xlabel=xlabel, ylabel=ylabel)
    if isinstance(curves, Mapping):
        ax.legend(**({"loc": "center left", "bbox_to_anchor": (1, 0.5)} if len(named) > 5 else {}))
    said = listing([f"{name} {trend(values)}" for name, values in named.items()])
    return fig, f"{ylabel} for {xlabel} from {number(x[0])} to {number(x[-1])}: {said}."
