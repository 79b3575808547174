"""Terms of a bag of words: how often they occur, how rare they are, what they weigh."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from helpers.plots.charts import bars
from helpers.plots.style import COLORS, figure


def zipf(counts: Sequence[int]) -> tuple[Figure, str]:
    """Draw counts of words, highest first, against their rank, with the line of Zipf's law (1949): (figure, alt)."""
    fig, ax = figure()
    ax.loglog(range(1, len(counts) + 1), counts, label="words of the inbox")
    ax.loglog([1, len(counts)], [counts[0], counts[0] / len(counts)], "--", label="slope -1")
    ax.set_xlabel("rank of the word")
    ax.set_ylabel("occurrences")
    ax.legend()
    return fig, (
        "Occurrences of each word of the inbox against its rank on logarithmic axes, mostly above a line of slope -1."
    )


def ngram_growth(different: Sequence[int], unseen: Sequence[float]) -> tuple[Figure, str]:
    """Draw, for n = 1 to 4, how many n-grams there are and which share of new ones was never seen: (figure, alt)."""
    fig, axes = figure(columns=2, width=9)
    labels = ["different n-grams in training", "share unseen in the test part"]
    for ax, values, label in zip(axes, (different, unseen), labels, strict=True):
        ax.bar(range(1, 5), values, color=COLORS[0])
        ax.set_xticks(range(1, 5))
        ax.set_xlabel("n")
        ax.set_ylabel(label)
    return fig, (
        "Two bar charts over n = 1 to 4: the number of different n-grams grows, and so does the share of the test "
        "part's n-grams that training never saw."
    )


def idf_bars(vocabulary: Sequence[str], idf: np.ndarray) -> tuple[Figure, str]:
    """Draw the twelve terms of lowest IDF beside a sample of the others: (figure, alt). idf: (M,)."""
    order = np.argsort(idf)
    frequent, others = order[:12], order[60 : len(order) : len(order) // 12][:12]
    fig, axes = figure(columns=2, width=9, height=4)
    for ax, picked, title in [(axes[0], frequent, "the lowest IDF"), (axes[1], others, "a sample of the others")]:
        bars(ax, [vocabulary[j] for j in picked], idf[picked], label="IDF (smooth)")
        ax.set_title(title)
        ax.set_xlim(0, idf.max() * 1.05)
    return fig, "Two bar charts of IDF: function words such as the and to have the lowest, rare words the highest."


def strongest_words(vocabulary: Sequence[str], weights: np.ndarray) -> tuple[Figure, str]:
    """Draw the fifteen largest weights of a linear spam filter beside the fifteen smallest: (figure, alt).

    weights: (M,), above 0 for what speaks for spam
    """
    order = np.argsort(weights)
    fig, axes = figure(columns=2, width=9, height=4.4)
    for ax, picked, title, color in [
        (axes[0], order[::-1][:15], "speak for spam", COLORS[1]),
        (axes[1], order[:15], "speak for ham", COLORS[0]),
    ]:
        bars(ax, [vocabulary[j] for j in picked], weights[picked], color=color, label="weight")
        ax.set_title(title)
    return fig, "Two bar charts of weights: the fifteen words that speak most for spam, and the fifteen most for ham."


def bm25_curves(
    counts: Sequence[int],
    saturation: Mapping[float, np.ndarray],
    lengths: Sequence[int],
    normalised: Mapping[float, np.ndarray],
) -> tuple[Figure, str]:
    """Draw the two numbers of BM25 (Robertson, Zaragoza 2009) at work: (figure, alt).

    counts: occurrences of the word, (A,); saturation: {k1: scores (A,)}
    lengths: tokens of the document, (B,); normalised: {b: scores (B,)}
    """
    fig, axes = figure(columns=2, width=9, height=3.6)
    for (k1, scores), style in zip(saturation.items(), [":", "-", "--", "-."], strict=True):
        axes[0].plot(counts, scores, style, label=f"$k_1$ = {k1}")
    for (b, scores), style in zip(normalised.items(), [":", "--", "-", "-."], strict=True):
        axes[1].plot(lengths, scores, style, label=f"b = {b}")
    axes[0].set(xlabel="occurrences of the word", ylabel="score", title="saturation", xticks=range(0, 21, 4))
    axes[1].set(xlabel="length of the document", ylabel="score", title="length normalisation")
    for ax in axes:
        ax.legend()
    return fig, (
        "Left: the BM25 score rises with the number of occurrences and flattens, sooner for small k1. Right: it falls "
        "with the length of the document, faster for large b."
    )
