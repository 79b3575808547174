"""The figures of chapter 11: model sizes, experts, pictures in pieces, a model that sees and answers."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from helpers.chapters.beyond.zoo import counted
from helpers.plots.style import COLORS, GREY, figure, plt, styled

COUNT = 6  # pictures
MACHINES = {"a phone, 4 GB": 4e9, "one GPU, 24 GB": 24e9, "one GPU, 80 GB": 80e9}  # weights in 16 bits


@styled
def mask_picture(mask: torch.Tensor, words: Sequence[str], prefix: int) -> tuple[Figure, str]:
    """Draw who may look at whom, for a mask (T, T) and the words of its row: (figure, alt)."""
    seen, T = mask.cpu().numpy(), len(words)
    answer = np.arange(T)[:, None] >= prefix
    fig, ax = plt.subplots(figsize=(5.4, 5.0))
    ax.imshow(np.where(seen, 1 + answer, 0), cmap=ListedColormap(["white", "#a6cbe3", "#f2c879"]), vmin=0, vmax=2)
    ax.set_xticks(range(T), words, rotation=90, fontsize=9)
    ax.set_yticks(range(T), words, fontsize=9)
    ax.set(xlabel="is looked at", ylabel="looks")
    ax.grid(False)
    for place in (prefix - 0.5,):
        ax.axhline(place, color="black", linewidth=1)
        ax.axvline(place, color="black", linewidth=1)
    return fig, (
        f"A table of {T} by {T} tokens. The first {prefix}, picture and question, look at one another in both "
        f"directions; the {T - prefix} of the answer look at these and at what stands before them, a staircase."
    )


@styled
def conversation(talker, model, shown: torch.Tensor, questions: Sequence[str]) -> tuple[Figure, str]:
    """Draw pictures (n, 8, 8) with what a model answers to each question: (figure, alt)."""
    answers = [talker.ask(model, shown, question) for question in questions]
    fig, axes = plt.subplots(len(shown), 2, figsize=(7, 1.75 * len(shown)), width_ratios=[1, 3.2], squeeze=False)
    for i, (left, right) in enumerate(axes):
        left.imshow(shown[i], cmap="gray", vmin=0, vmax=1)
        right.set(xlim=(0, 1), ylim=(-0.5, len(questions) - 0.5))
        for j, (question, said) in enumerate(zip(questions, answers, strict=True)):
            y = len(questions) - 1 - j
            right.text(0.0, y, question.replace(" ?", "?"), va="center", color=GREY)
            right.text(0.34, y, said[i], va="center", weight="bold", color=COLORS[0])
        for ax in (left, right):
            ax.axis("off")
    told = [
        f"picture {i + 1}: "
        + ", ".join(f"{q.replace(' ?', '?')} {said[i]}" for q, said in zip(questions, answers, strict=True))
        for i in range(len(shown))
    ]
    return fig, f"{len(shown)} pictures of eight by eight pixels with the model's answers. {'; '.join(told)}."


@styled
def caption_table(shown: torch.Tensor, captions: Sequence[str], shares: np.ndarray) -> tuple[Figure, str]:
    """Draw pictures (n, H, W), and beside each the probabilities (n, n) of all captions: (figure, alt)."""
    count = len(captions)
    fig, axes = plt.subplots(count, 2, figsize=(6.6, 4.6), width_ratios=[1, 3.4])
    for (left, right), picture, share in zip(axes, shown, shares, strict=True):
        left.imshow(picture, cmap="gray_r")
        left.axis("off")
        right.imshow(share[None], vmin=0, vmax=1, cmap="Blues", aspect="auto")
        right.set(xticks=[], yticks=[])
        right.grid(False)
        for j, value in enumerate(share):
            right.text(j, 0, f"{value:.2f}", ha="center", va="center", color="white" if value > 0.6 else "black")
    axes[-1, 1].set_xticks(range(count), [caption.replace(" ", "\n") for caption in captions])
    axes[0, 1].set_title("probability of each caption (rows sum to 1)", fontsize=11)
    best = sum(int(row.argmax()) == i for i, row in enumerate(shares))
    return fig, (
        f"{count} pictures of two digits, none of whose numbers was in the training: {', '.join(captions)}. Beside "
        f"each the probabilities of the {count} captions; the right one is largest for {best} of {count}."
    )


@styled
def in_pieces(views, whole: torch.Tensor, pieces: torch.Tensor) -> tuple[Figure, str]:
    """Draw pictures (n, 8, 8), whole and with shuffled patches, with what each model calls them: (figure, alt).

    views: a digit_views.Views of two models, whose order is that of the lines below each picture.
    """
    fig, axes = plt.subplots(2, COUNT, figsize=(8.4, 3.9))
    same = {name: 0 for name in views.models}
    said = {
        (name, complete): views.logits(name, complete).argmax(dim=1).tolist()
        for name in views.models for complete in (True, False)
    }  # fmt: skip
    for k, complete in enumerate((True, False)):
        for i, ax in enumerate(axes[k]):
            ax.imshow((whole if complete else pieces)[i], cmap="gray_r")
            ax.set(xticks=[], yticks=[])
            ax.grid(False)
            ax.set_xlabel("\n".join(f"{name.split()[0]}: {said[name, complete][i]}" for name in views.models))
    axes[0, 0].set_ylabel("whole")
    axes[1, 0].set_ylabel("shuffled")
    for name in same:
        same[name] = sum(said[name, True][i] == said[name, False][i] for i in range(COUNT))
    told = ", ".join(f"the model {name} gives {count} of {COUNT} the same name" for name, count in same.items())
    return fig, f"{COUNT} digits, and below them the same with their patches in random order: {told} both times."


def model_sizes(models: Mapping[str, dict | list[dict]], model_parameters: Callable[..., int]) -> tuple[Figure, str]:
    """Draw parameters in all (filled) and at work for a token (hollow) of each model; returns (figure, alt text)."""
    names = list(models)
    total, active = zip(*(counted(model_parameters, models[name]) for name in names), strict=True)
    fig, ax = figure(width=8.6, height=5.4)
    for words, memory in MACHINES.items():
        ax.axvline(memory / 2, color=GREY, linestyle=":", linewidth=1)
        ax.text(memory / 2, -1.15, words, fontsize=9, ha="center", color=GREY)
    ax.hlines(range(len(names)), active, total, color=COLORS[0], linewidth=2)
    ax.plot(total, range(len(names)), "o", color=COLORS[0], label="in all")
    different = [i for i in range(len(names)) if active[i] != total[i]]
    ax.plot([active[i] for i in different], different, "o", mfc="white", color=COLORS[1], label="at work for one token")
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.set(xscale="log", xlabel="parameters; dotted: what fits in 16 bits", ylim=(len(names) - 0.5, -0.6))
    ax.legend(loc="lower left")
    said = "; ".join(f"{name} {n / 1e9:.2g} billion" for name, n in zip(names, total, strict=True))
    said += "".join(f"; {names[i]} with {active[i] / 1e9:.3g} billion at work" for i in different)
    return fig, f"Parameters of {len(names)} models on a logarithmic axis: {said}."


def experts_by_language(runs: Mapping[float, object], languages: Sequence[str]) -> tuple[Figure, str]:
    """Draw `shares` (languages, experts) of the first and the last run side by side; returns (figure, alt text)."""
    picked = [min(runs), max(runs)]
    fig, axes = figure(columns=2, width=8.6, height=3.2)
    most = max(float(runs[alpha].shares.max()) for alpha in picked)
    for ax, alpha in zip(axes, picked, strict=True):
        image = ax.imshow(runs[alpha].shares.numpy(), cmap="Blues", vmin=0, vmax=most, aspect="auto")
        ax.set(xlabel="expert", title=f"balance loss times {alpha:g}", xticks=range(runs[alpha].shares.shape[1]))
        ax.set_yticks(range(len(languages)), languages)
        ax.grid(visible=False)
    fig.colorbar(image, ax=axes, label="share of choices", shrink=0.9)
    told = "; ".join(f"with {alpha:g} the busiest expert has {runs[alpha].busiest:.0%}" for alpha in picked)
    return fig, f"Shares of the experts in the choices of {len(languages)} languages: {told}."
