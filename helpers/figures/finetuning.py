"""Scores of fine-tuned models over seeds, side by side for each task."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from helpers.plots.style import COLORS, figure


def scores_by_start(
    scores: Mapping[str, np.ndarray], starts: Sequence[str], labels: Mapping[str, int]
) -> tuple[Figure, str]:
    """Draw a mark for each seed; returns (figure, alt text).

    scores: for each task, (3, seeds). starts: the names of the three weights that a model began with. labels: how many
    labelled examples each task had.
    """
    fig, ax = figure(width=7, height=3.2)
    for i, found in enumerate(scores.values()):
        for j, (start, marker) in enumerate(zip(starts, "^os", strict=True)):
            where, name = i + (j - 1) / 5 + np.zeros(found.shape[1]), start if i == 0 else None
            ax.plot(where, found[j], marker, color=COLORS[j], alpha=0.7, label=name)
    ax.set_xticks(range(len(scores)), [f"{task}, {labels[task]} labels" for task in scores])
    ax.set(ylabel="score on the test part", ylim=(0, 1))
    ax.legend()
    means = [
        f"{task}: {', '.join(f'{v.mean():.2f} {start}' for start, v in zip(starts, found, strict=True))}"
        for task, found in scores.items()
    ]
    return fig, f"Scores after fine-tuning from three starts, a mark for each seed. Means: {'; '.join(means)}."
