"""The figures of chapter 09: ways of training, spectra, preferences, the page that a student keeps."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from matplotlib.figure import Figure

from helpers.chapters.lora.low_rank import spectrum
from helpers.chapters.lora.span_reading import WAYS, Measured
from helpers.course.leaderboard import Row
from helpers.plots.curves import lines
from helpers.plots.style import COLORS, GREY, figure, styled

LABELS = 10  # labelled examples of each intent, of which the way there is drawn


def ways(measured: Mapping[str, Measured], stored: Sequence[Row]) -> tuple[Figure, str]:
    """Draw the share of exact answers of each way: bars of the course's own run, marks of this one.

    measured: {way: what this run measured}; stored: the leaderboard's rows of ways, means over seeds. Returns (figure,
    alt text).
    """
    fig, ax = figure(width=9, height=3.0)
    known, told, names = {row.model: row for row in stored}, [], []
    for y, way in enumerate(way for way in WAYS if way in measured or way in known):
        run, row = measured.get(way), known.get(way)
        trained = run.trained if run else row.parameters
        names.append(f"{way}\n{trained:,} numbers")
        if row:
            apart = [[row.score - row.lowest], [row.highest - row.score]]
            ax.barh(y, row.score, 0.6, color=COLORS[y], alpha=0.5, xerr=apart, ecolor=GREY, capsize=3)
            ax.text(0.01, y, f"{row.score:.2f} ({_seeds(row.runs)})", va="center", fontsize=9)
            told.append(f"{way}, mean of {_seeds(row.runs)} {row.score:.2f}")
            told[-1] += f", from {row.lowest:.2f} to {row.highest:.2f}"
        if run:
            ax.plot(run.exact, y, "D", color=COLORS[y], markeredgecolor="black")
            told.append(f"{way}, this run {run.exact:.2f}")
    ax.set_yticks(range(len(names)), names)
    ax.set(xlim=(0, 1), xlabel="share of answers marked exactly (bars: the course's runs; diamonds: this run)")
    ax.invert_yaxis()
    return fig, f"Share of answers marked exactly: {'; '.join(told)}."


def _seeds(runs: int) -> str:
    return "1 seed" if runs == 1 else f"{runs} seeds"


def spectra(moves: Mapping[str, torch.Tensor], weight: torch.Tensor) -> tuple[Figure, str]:
    """Draw the singular values of what training moved, and of a weight itself; returns (figure, alt text).

    moves: {name: how far the weight of this name moved, (out, in)}; weight: what the first of them was, (out, in)
    """
    curves = {f"move of {name}": spectrum(move) for name, move in moves.items()}
    curves[f"{next(iter(moves))} itself"] = spectrum(weight)
    places = range(1, 1 + min(weight.shape))
    fig, alt = lines(places, curves, "number of the singular value", "share of the largest")
    return fig, f"Singular values of what training moved, each divided by its largest. {alt}"


def preferences(runs: Mapping[str, Sequence], ends: Sequence[str]) -> tuple[Figure, str]:
    """Draw win rate and KL over the tokens that a policy read, a line for each run; returns (figure, alt text).

    runs: {way: runs of (tokens, win rate, KL, reward) points}, at most three ways.
    ends: what the alt text says of each way.
    """
    fig, axes = figure(columns=2, width=10, height=3.4)
    for (name, found), style, color in zip(runs.items(), ("-", "--", ":"), COLORS, strict=False):
        for n, run in enumerate(found):
            tokens, wins, kls, _ = zip(*run, strict=True)
            thousands = np.array(tokens) / 1000
            axes[0].plot(thousands, wins, style, color=color, label=name if n == 0 else None, alpha=0.8)
            axes[1].plot(thousands, kls, style, color=color, alpha=0.8)
    axes[0].axhline(0.8, color="grey", linewidth=1)
    axes[0].set(xlabel="tokens that the policy has read (thousands)", ylabel="win rate", ylim=(0.4, 1.0))
    axes[1].set(xlabel="tokens that the policy has read (thousands)", ylabel="KL to the reference (nats)")
    axes[0].legend(fontsize=8, loc="lower right")
    return fig, f"Win rate and KL over the tokens that the policy read, a line for each seed. {'; '.join(ends)}."


def sorted_letters(paths: Mapping[str, Sequence]) -> tuple[Figure, str]:
    """Draw how often each way is right and how many answers of eight differ, by steps; returns (figure, alt text).

    paths: {way: points with `step`, `right` and `kinds`} (lora.sorting)
    """
    fig, axes = figure(columns=2, width=10, height=3.4)
    for (name, seen), color, style in zip(paths.items(), COLORS, ("o-", "s--"), strict=False):
        steps = [point.step for point in seen]
        axes[0].plot(steps, [point.right for point in seen], style, color=color, markersize=4, label=name)
        axes[1].plot(steps, [point.kinds for point in seen], style, color=color, markersize=4)
    axes[0].set(xlabel="steps of the optimizer", ylabel="right, on new prompts", ylim=(0, 1))
    axes[1].set(xlabel="steps of the optimizer", ylabel="different answers of eight")
    axes[1].set_ylim(bottom=1)
    axes[0].legend(fontsize=8, loc="lower left")
    told = "; ".join(
        f"{name}: right {seen[0].right:.2f} to {seen[-1].right:.2f}, different answers {seen[0].kinds:.1f} to "
        f"{seen[-1].kinds:.1f}"
        for name, seen in paths.items()
    )
    return fig, f"Share of right answers and variety of answers over the steps of the optimizer. {told}."


def leash(runs: Mapping[str, Sequence]) -> tuple[Figure, str]:
    """Draw reward and true win rate over the KL, a line for each run; returns (figure, alt text).

    runs: {name: a run of (tokens, win rate, KL, reward) points}
    """
    fig, axes = figure(columns=2, width=10, height=3.4)
    for (name, run), color in zip(runs.items(), COLORS, strict=False):
        _, wins, kls, rewards = zip(*run, strict=True)
        axes[0].plot(kls, rewards, "o-", color=color, markersize=3, label=name)
        axes[1].plot(kls, wins, "o-", color=color, markersize=3)
    axes[1].axhline(0.5, color="grey", linewidth=1)
    axes[0].set(xlabel="KL to the reference (nats)", ylabel="mean reward, by the reward model")
    axes[1].set(xlabel="KL to the reference (nats)", ylabel="true win rate", ylim=(0, 1))
    axes[0].legend(fontsize=8)
    told = "; ".join(
        f"{name}: reward {run[0][3]:.1f} to {run[-1][3]:.1f}, win rate at most {max(p[1] for p in run):.2f} and "
        f"{run[-1][1]:.2f} at the end, KL {run[-1][2]:.1f}"
        for name, run in runs.items()
    )
    return fig, f"Reward and true win rate over the KL to the reference. {told}."


@styled
def assistant_page(
    stages: Mapping[str, tuple[float, float, float]], reached: Sequence[tuple[int, float]], board: Sequence
) -> tuple[Figure, str]:
    """Draw three panels, side by side; returns (figure, alt text).

    stages:  {name: (share, lowest, highest of its interval)}
    reached: [(steps, share of right answers), ...] of the reader that the student trained
    board:   rows of leaderboard.with_reference(INTENTS)
    """
    fig, axes = figure(columns=3, width=10, height=3.2)
    said = [_stages(axes[0], stages), _learned(axes[1], reached), _climb(axes[2], board)]
    for ax in axes[1:]:
        ax.set_ylim(0, 1)
        ax.yaxis.set_major_formatter("{x:.0%}")
    return fig, " ".join(said)


def _stages(ax, stages) -> str:
    """Draw a bar with its interval for each stage, the first at the top."""
    shares, lows, highs = zip(*stages.values(), strict=True)
    apart = np.subtract(shares, lows), np.subtract(highs, shares)
    ax.barh(range(len(shares)), shares, 0.6, color=COLORS[5], xerr=apart, ecolor=GREY, capsize=3)
    ax.set_yticks(range(len(shares)), [name.replace(", ", ",\n", 1) for name in stages], fontsize=9)
    ax.set(xlim=(0, 1), title="my assistant, stage by stage")
    ax.xaxis.set_major_formatter("{x:.0%}")
    ax.invert_yaxis()
    return "; ".join(f"{name}: {share:.0%}" for name, share in zip(stages, shares, strict=True)) + "."


def _learned(ax, reached) -> str:
    steps, shares = zip(*reached, strict=True)
    ax.plot(steps, shares, "o-", color=COLORS[1])
    ax.set(xlabel="steps", title="MiniLM learns to point")
    return f"MiniLM learns to point: {shares[0]:.0%} to {shares[-1]:.0%} in {steps[-1]} steps."


def _climb(ax, board) -> str:
    """Draw the best accuracy of each chapter: the student's own, and where there is none the course's."""
    asked = [row for row in board if row.labels == LABELS and row.score == row.score]
    best = {row.chapter: row for row in sorted(asked, key=lambda row: (not row.reference, row.score))}
    best = dict(sorted(best.items()))
    colors = [COLORS[5] if row.reference else COLORS[2] for row in best.values()]
    ax.bar(list(best), [row.score for row in best.values()], 0.7, color=colors)
    ax.set(xlabel="chapter (green: mine)", title=f"150 intents, {LABELS} of each")
    told = ", ".join(f"chapter {chapter} {row.score:.2f}" for chapter, row in best.items())
    return f"Best accuracy on 150 intents from {LABELS} examples of each: {told}."
