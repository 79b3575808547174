"""The figures of chapter 01: terms of a bag of words, a filter's training, its curves over all thresholds, its F1."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from helpers.plots.charts import bars
from helpers.plots.matrices import matrix
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


def loss_and_optimum(losses: Sequence[float], optimum: float) -> tuple[Figure, str]:
    """Draw the loss of each training step, and the least loss there is as a dashed line: (figure, alt)."""
    fig, ax = figure(height=3)
    ax.plot(losses, label="fit")
    ax.axhline(optimum, color=COLORS[1], linestyle="--", label="the optimum")
    ax.set_xlabel("step")
    ax.set_ylabel("loss")
    ax.legend()
    return fig, "The training loss falls steeply, then flattens towards the dashed line of the optimum."


def roc_and_precision_recall(labels, models: Mapping[str, np.ndarray], roc_points: Callable) -> tuple[Figure, str]:
    """Draw the ROC curves and the precision-recall curves of two models: (figure, alt).

    labels: (N,) of 0 and 1; models: {name: scores (N,)}; roc_points: (labels, scores) -> (FPR, TPR)
    """
    from sklearn.metrics import precision_recall_curve

    fig, axes = figure(columns=2, width=9, height=3.8)
    for (name, scores), style in zip(models.items(), ["-", "--"], strict=True):
        precision, recall, _ = precision_recall_curve(labels, scores)
        axes[0].plot(*roc_points(labels, scores), style, label=name)
        axes[1].plot(recall, precision, style, label=name)
    axes[0].set(xlabel="false positive rate", ylabel="true positive rate (recall)", title="ROC")
    axes[1].set(xlabel="recall", ylabel="precision", title="precision and recall", ylim=(0.5, 1.01))
    axes[1].legend(loc="lower left")
    return fig, "ROC and precision-recall curves of both models on the test part, all close to the ideal corner."


def confusion_at(labels, scores: np.ndarray, thresholds: Sequence[float], judge: Callable) -> tuple[Figure, str]:
    """Draw the confusion matrix at threshold 0 and at one chosen from the costs: (figure, alt).

    labels: (N,) of 0 and 1; scores: (N,); judge: (labels, predictions) -> (precision, recall, F1)
    """
    from sklearn.metrics import confusion_matrix

    fig, axes = figure(columns=2, width=9, height=3)
    for ax, t in zip(axes, thresholds, strict=True):
        predictions = (scores >= t).astype(int)
        p, r, _ = judge(labels, predictions)
        matrix(ax, confusion_matrix(labels, predictions), ["is ham", "is spam"], ["called ham", "called spam"])
        ax.set_title(f"threshold {t:.2f}: precision {p:.3f}, recall {r:.3f}", fontsize=10)
    return fig, "Confusion matrices of logistic regression at threshold 0 and at the threshold chosen from the costs."


def f1_matrix(table: np.ndarray, embeddings: Sequence[str], classifiers: Sequence[str]) -> tuple[Figure, str]:
    """Draw the F1 of four embeddings (rows) with three classifiers (columns), table (4, 3): (figure, alt)."""
    fig, ax = figure(width=7, height=3.4)
    matrix(ax, table, list(embeddings), list(classifiers), fmt="{:.3f}")
    ax.set_title("F1 of spam on the test part: embedding (rows), classifier (columns)", fontsize=10)
    return fig, "Table of F1 for four embeddings in rows and three classifiers in columns."
