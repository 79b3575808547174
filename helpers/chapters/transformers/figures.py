"""The figures of chapter 05: depth, scores by the start of fine-tuning, bits per character."""

from collections.abc import Mapping, Sequence
from itertools import cycle

import numpy as np
from matplotlib.figure import Figure

from helpers.chapters.transformers.depth import at_the_end
from helpers.plots.charts import bars
from helpers.plots.style import COLORS, figure

TITLES = ("signal at the end", "gradient at the start", "tokens alike (cosine)")
LEAST = 1e-12  # where the panel of the gradient ends: below, nothing is learned
LINES = ("-o", "--s", ":^", "-.D", "-v")


def depth_panels(depths: Sequence[int], probed: Mapping[str, Sequence]) -> tuple[Figure, str]:
    """Draw signal, gradient and likeness of tokens over the number of blocks; returns (figure, alt text).

    probed: for each kind of block, (signal, gradient, cosine) at each depth, (depths, 3).
    """
    fig, axes = figure(columns=3, width=11, height=3.6)
    for (name, found), line in zip(probed.items(), cycle(LINES), strict=False):
        for ax, values in zip(axes, np.asarray(found).T, strict=True):
            ax.plot(depths, np.maximum(values, 1e-40), line, label=name, markersize=4)
    for ax, title in zip(axes, TITLES, strict=True):
        ax.set(xscale="log", yscale="linear" if "cosine" in title else "log", xlabel="blocks", title=title)
        ax.set_xticks(depths, [str(d) for d in depths])
        ax.minorticks_off()
    axes[1].set_ylim(bottom=LEAST)
    axes[2].legend(fontsize=8)
    told = "; ".join(at_the_end(probed))
    return fig, f"Three panels over the number of blocks. With {depths[-1]} blocks, {told}."


def scores_by_start(
    scores: Mapping[str, np.ndarray],
    starts: Sequence[str],
    labels: Mapping[str, int],
    stored: Mapping[str, np.ndarray],
) -> tuple[Figure, str]:
    """Draw a filled mark for each of the student's runs, an open one for each stored run; returns (figure, alt text).

    scores, stored: for each task, (3, seeds). starts: the names of the three weights that a model began with. labels:
    how many labelled examples each task had.
    """
    fig, ax = figure(width=7, height=3.2)
    for i, (task, found) in enumerate(scores.items()):
        for j, (start, marker) in enumerate(zip(starts, "^os", strict=True)):
            where, name = i + (j - 1) / 5, start if i == 0 else None
            ax.plot(where + np.zeros(found.shape[1]), found[j], marker, color=COLORS[j], alpha=0.7, label=name)
            runs = stored[task][j]
            ax.plot(where + 0.07 + np.zeros(len(runs)), runs, marker, color=COLORS[j], alpha=0.7, fillstyle="none")
    ax.set_xticks(range(len(scores)), [f"{task}, {labels[task]} labels" for task in scores])
    ax.set(ylabel="score on the test part", ylim=(0, 1))
    ax.legend()
    return fig, (
        "Scores after fine-tuning from three starts, a filled mark for each of your runs, means "
        f"{_means(scores, starts)}; an open mark for each stored run, means "
        f"{_means({task: stored[task] for task in scores}, starts)}."
    )


def _means(scores: Mapping[str, np.ndarray], starts: Sequence[str]) -> str:
    by_task = [
        f"{task}: {', '.join(f'{v.mean():.2f} {start}' for start, v in zip(starts, found, strict=True))}"
        for task, found in scores.items()
    ]
    return "; ".join(by_task)


def bits_bars(bits: Mapping[str, float]) -> tuple[Figure, str]:
    """Draw each model's bits per character on unread text, the best at the top; returns (figure, alt text)."""
    fig, ax = figure(width=7, height=2.8)
    order = sorted(bits, key=bits.get)
    bars(ax, order, [bits[name] for name in order], label="bits per character, unread text")
    said = ", ".join(f"{name} {bits[name]:.2f}" for name in order)
    return fig, f"Bars of bits per character on unread text: {said}."
