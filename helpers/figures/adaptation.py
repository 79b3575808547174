"""Figures of fine-tuning: ways of training by what they gain, hold and forget; preferences over tokens read."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from matplotlib.figure import Figure

from helpers.experiments.lora.low_rank import spectrum
from helpers.plots.curves import lines
from helpers.plots.style import COLORS, figure

MARKS = "osv^DP*Xh<"


def ways(measured: Mapping[str, Sequence]) -> tuple[Figure, str]:
    """Draw F1 over memory, and over forgetting, a mark for each run of each way; returns (figure, alt text).

    measured: {way: runs}, at most ten ways; a run has `f1`, `mb` and `forgetting` (experiments.lora.adaptation).
    """
    fig, axes = figure(columns=2, width=10, height=3.6)
    for i, (way, runs) in enumerate(measured.items()):
        style, f1 = {"color": COLORS[i % len(COLORS)], "label": way}, [run.f1 for run in runs]
        axes[0].plot([run.mb for run in runs], f1, MARKS[i], **style)
        axes[1].plot([run.forgetting for run in runs], f1, MARKS[i], **style)
    axes[0].set(xlabel="memory while training (MB)", ylabel="F1 of spam")
    axes[1].set(xlabel="perplexity on the docs, times before")
    axes[1].legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    told = "; ".join(
        f"{way}: F1 {runs[0].f1:.2f}, {runs[0].mb:.0f} MB, perplexity times {runs[0].forgetting:.2f}"
        for way, runs in measured.items()
    )
    return fig, f"F1 of spam over memory, and over forgetting, for {len(measured)} ways of training. {told}."


def spectra(moves: Mapping[str, torch.Tensor], weight: torch.Tensor) -> tuple[Figure, str]:
    """Draw the singular values of what training moved, and of a weight itself; returns (figure, alt text).

    moves: {name: how far the weight of this name moved, (out, in)}; weight: what "q_proj" was, (out, in)
    """
    curves = {f"move of {name}": spectrum(move) for name, move in moves.items()} | {"q_proj itself": spectrum(weight)}
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
