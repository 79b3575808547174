"""What steps of pre-training are worth where fine-tuning is long enough: rows of a longer run, and their drawing."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from helpers.course.leaderboard import Row
from helpers.plots.style import COLORS, GREY, figure

DATA = "clinc150, tuned longer"  # the rows of tests/benchmarks/test_longer_finetuning.py
LABELS = 10  # of each intent
TUNED = 450  # steps of fine-tuning
STEPS = (0, 300, 8000)  # of pre-training: from scratch, the chapter's own, inbox-bert
FRESH, OWN = "encoder from scratch", "encoder, own pre-training"  # models of the chapter's run
RIVALS = {
    "MiniLM, linear probe": "MiniLM, a linear layer on top",
    "TF-IDF and mean of vectors of its requests": "counted words and word vectors (chapter 02)",
}
LINEAR = 300  # steps up to which the axis is not logarithmic: it begins at 0


def named(steps: int) -> str:
    """Return the name of the row of an encoder with so many steps of pre-training."""
    return f"encoder, {steps:,} steps of pre-training"


def drawn(stored: Sequence[Row], board: Sequence[Row], pretrained: int, tuned: int) -> tuple[Figure, str]:
    """Draw accuracy over steps of pre-training: a line of the longer run, marks of the chapter's own.

    stored: the rows of DATA; board: rows of the intents, with the chapter's own and the rivals; pretrained, tuned: the
    steps of the chapter's own run. Returns (figure, alt text).
    """
    fig, ax = figure(width=9, height=3.6)
    long = {row.model: row.score for row in stored}
    known = {row.model: row.score for row in board if row.labels == LABELS}
    scores, own = [long[named(n)] for n in STEPS], [known[FRESH], known[OWN]]
    ax.plot(STEPS, scores, "-o", color=COLORS[0], label=f"{TUNED} steps of fine-tuning (the course's run)")
    ax.plot([0, pretrained], own, "D", color=COLORS[1], label=f"{tuned} steps of fine-tuning (your run)")
    told = [f"{TUNED} steps of fine-tuning: {_pairs(STEPS, scores)}"]
    told.append(f"your run, {tuned} steps of fine-tuning: {_pairs([0, pretrained], own)}")
    for model, name in RIVALS.items():
        ax.axhline(known[model], color=GREY, linewidth=1)
        ax.text(STEPS[-1], known[model] + 0.01, f"{name} {known[model]:.2f}", ha="right", fontsize=9)
        told.append(f"{name} {known[model]:.2f}")
    ax.set_xscale("symlog", linthresh=LINEAR)
    ax.set_xticks(STEPS, [f"{n:,}" for n in STEPS])
    ax.minorticks_off()
    ax.set(xlabel="steps of pre-training", ylabel=f"accuracy, {LABELS} labels an intent", ylim=(0, 1))
    ax.set_xlim(-LINEAR / 10, 1.2 * STEPS[-1])
    ax.legend(fontsize=8, loc="lower right")
    return fig, f"Accuracy at 150 intents over steps of pre-training. {'; '.join(told)}."


def _pairs(steps: Sequence[int], scores: Sequence[float]) -> str:
    return ", ".join(f"{n:,} steps {score:.2f}" for n, score in zip(steps, scores, strict=True))
