"""A model that sees and answers: its mask, and what it says of pictures."""

from collections.abc import Sequence

import numpy as np
import torch
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from helpers.plots.style import COLORS, plt, styled


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
            right.text(0.0, y, question.replace(" ?", "?"), va="center", color="#595959")
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
