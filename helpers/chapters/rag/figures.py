"""The figures of chapter 08: what the cut keeps, the reader's threshold, attacks, what it costs."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from helpers.plots.curves import lines
from helpers.plots.style import COLORS, figure

KS = [1, 2, 3, 5, 10, 20, 50, 100]


def whole_answers(shares: Mapping[str, float]) -> tuple[Figure, str]:
    """Draw the share of answers that are whole in one chunk, {way of cutting: share}; returns (figure, alt text)."""
    fig, ax = figure(width=7, height=2.6)
    bars = ax.barh(list(shares)[::-1], list(shares.values())[::-1], color=COLORS[0])
    ax.bar_label(bars, fmt="{:.1%}", padding=3)
    ax.set(xlabel="share of questions whose answer is whole in one chunk", xlim=(0, 1.15))
    parts = "; ".join(f"{name} {share:.1%}" for name, share in shares.items())
    return fig, f"Bars of the share of answers that are whole in one chunk, by way of cutting: {parts}."


def recall_curves(ranks: Mapping[str, np.ndarray]) -> tuple[Figure, str]:
    """Draw recall at k of {stage: the rank of the first right document (questions,)}; returns (figure, alt text)."""
    curves = {}
    for stage, first_ranks in ranks.items():
        curves[stage] = [float(np.mean(first_ranks <= k)) for k in KS]
    fig, alt = lines(KS, curves, "k", "recall at k", log="x")
    return fig, f"Lines of recall at k for each stage of the search. {alt}"


def threshold_curves(
    thresholds: Sequence[float], right: Sequence[float], silent: Sequence[float], chosen: float
) -> tuple[Figure, str]:
    """Draw right answers and justified silence by the reader's threshold, the chosen one marked."""
    curves = {"right (answerable)": right, "silent (others)": silent}
    fig, alt = lines(thresholds, curves, "threshold", "share of questions")
    fig.axes[0].axvline(chosen, color="black", linestyle=":", label="chosen")
    fig.axes[0].legend(loc="center right")
    return fig, f"Right answers and justified silence on the valid questions. {alt} Chosen: {chosen:g}."


def attacks(outcomes: Mapping[str, np.ndarray], lies: Mapping[str, Mapping[str, np.ndarray]]) -> tuple[Figure, str]:
    """Draw the shares of attacks that get through each defence; returns (figure, alt text).

    outcomes: {defence: (attacks, 3) of (in prompt, marker, followed)}; lies: {defence: {attacker: (lies,)}}
    """
    fig, ax = figure(width=8, height=3)
    rows = {
        name: {"order in the prompt": found[:, 1], "order followed": found[:, 2]} for name, found in outcomes.items()
    }
    for name in rows:
        rows[name] |= lies[name]
    kinds = list(next(iter(rows.values())))
    for i, kind in enumerate(kinds):
        shares = [float(np.mean(rows[name][kind])) for name in rows]
        places = np.arange(len(rows)) + (i - (len(kinds) - 1) / 2) * 0.2
        bars = ax.bar(places, shares, 0.19, color=COLORS[i], label=kind, hatch=("", "//", "..", "xx")[i])
        ax.bar_label(bars, [f"{100 * share:.0f}" for share in shares], padding=2, fontsize=8)
    ax.set_xticks(range(len(rows)), list(rows))
    ax.set(ylabel="share of attacks", ylim=(0, 1.15))
    ax.legend(ncols=2)
    said = []
    for name, found in rows.items():
        said.append(f"{name}: " + ", ".join(f"{kind} {np.mean(values):.0%}" for kind, values in found.items()))
    return fig, f"Shares of attacks that get through, by defence. {'; '.join(said)}."


def costs(
    ms: Mapping[str, Mapping[int, float]], mb: Mapping[str, Mapping[int, float]], stages: Mapping[str, float]
) -> tuple[Figure, str]:
    """Draw time and memory by the number of chunks, and the milliseconds of each stage; returns (figure, alt text).

    ms, mb: {name: {number of chunks: value}}. stages: {stage: ms}.
    """
    fig, axes = figure(3, width=10, height=3)
    for ax, curves, label in zip(axes, (ms, mb), ("ms a question", "MB"), strict=False):
        for i, (name, values) in enumerate(curves.items()):
            ax.plot(list(values), list(values.values()), "os"[i] + "-", color=COLORS[i], label=name)
        ax.set(ylabel=label, xlabel="chunks")
        ax.set_ylim(bottom=0)
        ax.legend()
    bars = axes[2].barh(list(stages)[::-1], list(stages.values())[::-1], color=COLORS[2])
    axes[2].bar_label(bars, fmt="{:.1f}", padding=3)
    axes[2].set(xlim=(0, 1.25 * max(stages.values())), xlabel="ms a question")
    said = "; ".join(f"{name} {value:.1f} ms" for name, value in stages.items())
    return fig, f"Time and memory by the number of chunks, and the time of each stage: {said}."
