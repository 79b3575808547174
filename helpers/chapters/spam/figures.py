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
    """Draw the twelve terms of lowest IDF beside a sample of the others: (figure, alt). idf: (V,)."""
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

    weights: (V,), above 0 for evidence of spam
    """
    order = np.argsort(weights)
    fig, axes = figure(columns=2, width=9, height=4.4)
    for ax, picked, title, color in [
        (axes[0], order[::-1][:15], "evidence for spam", COLORS[1]),
        (axes[1], order[:15], "evidence for ham", COLORS[0]),
    ]:
        bars(ax, [vocabulary[j] for j in picked], weights[picked], color=color, label="weight")
        ax.set_title(title)
    return fig, "Two bar charts of weights: the fifteen words that are the strongest evidence for spam, and for ham."


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


def losses_of_steps(batches: Sequence[float], whole: Sequence[float], passes: int, least: float) -> tuple[Figure, str]:
    """Draw the loss before each step over as many passes, of small batches and of all messages: (figure, alt).

    least: the lowest loss there is, a dashed line
    """
    fig, ax = figure(height=3.2)
    at = np.arange(len(batches)) * passes / len(batches)
    ax.plot(at, batches, color=COLORS[0], linewidth=0.6, alpha=0.7, label="a step for each batch")
    ax.plot(range(passes), whole, "o-", color=COLORS[1], markersize=4, label="a step for all messages")
    ax.axhline(least, color=COLORS[2], linestyle="--", label="the lowest loss of all messages")
    ax.set(xlabel="passes over the messages", ylabel="loss", ylim=(0, None))
    ax.legend(loc=(0.45, 0.5))
    return fig, (
        f"Loss over {passes} passes. With a step for each batch it is noisy and ends near "
        f"{np.mean(batches[-len(batches) // passes :]):.2f}; with a step for all messages it ends at {whole[-1]:.2f}. "
        f"The lowest loss is {least:.2f}."
    )


def roc_and_precision_recall(labels, models: Mapping[str, np.ndarray], roc_points: Callable) -> tuple[Figure, str]:
    """Draw the ROC curves and the precision-recall curves of two models: (figure, alt).

    labels: (N,) of 0 and 1; models: {name: scores (N,)}; roc_points: (labels, scores) -> (FPR, TPR)
    """
    from sklearn.metrics import precision_recall_curve

    fig, axes = figure(columns=2, width=9, height=3.8)
    told = []
    for (name, scores), style in zip(models.items(), ["-", "--"], strict=True):
        precision, recall, _ = precision_recall_curve(labels, scores)
        axes[0].plot(*roc_points(labels, scores), style, label=name)
        axes[1].plot(recall, precision, style, label=name)
        told.append(f"{name} {precision[recall >= 0.8].max():.2f}")
    axes[0].set(xlabel="false positive rate", ylabel="true positive rate (recall)", title="ROC")
    axes[1].set(xlabel="recall", ylabel="precision", title="precision and recall", ylim=(0.5, 1.01))
    axes[1].legend(loc="lower left")
    return fig, f"ROC and precision-recall curves on the test part. Precision at a recall of 0.8: {', '.join(told)}."


def confusion_at(labels, scores: np.ndarray, thresholds: Sequence[float], judge: Callable) -> tuple[Figure, str]:
    """Draw the confusion matrix at threshold 0 and at one chosen from the costs: (figure, alt).

    labels: (N,) of 0 and 1; scores: (N,); judge: (labels, predictions) -> (precision, recall, F1)
    """
    from sklearn.metrics import confusion_matrix

    fig, axes = figure(columns=2, width=9, height=3)
    for ax, t in zip(axes, thresholds, strict=True):
        predictions = (scores >= t).astype(int)
        p, r, _ = judge(labels, predictions)
        counts = confusion_matrix(labels, predictions)
        matrix(ax, counts, ["actual ham", "actual spam"], ["predicted ham", "predicted spam"])
        ax.set_title(f"threshold {t:.2f}: precision {p:.3f}, recall {r:.3f}", fontsize=10)
    return fig, "Confusion matrices of logistic regression at threshold 0 and at the threshold chosen from the costs."


def f1_matrix(tables: np.ndarray, embeddings: Sequence[str], classifiers: Sequence[str]) -> tuple[Figure, str]:
    """Draw the mean F1 of E embeddings (rows) with C classifiers (columns), tables (splits, E, C): (figure, alt)."""
    mean = tables.mean(axis=0)
    fig, ax = figure(width=7, height=3.8)
    matrix(ax, mean, list(embeddings), list(classifiers), fmt="{:.3f}")
    ax.set_title(f"F1 of spam on the test part, mean of {len(tables)} splits", fontsize=10)
    row, column = np.unravel_index(mean.argmax(), mean.shape)
    return fig, (
        f"Table of F1 for {len(embeddings)} embeddings in rows and {len(classifiers)} classifiers in columns; the "
        f"highest is {mean.max():.3f}: {embeddings[row]}, {classifiers[column]}."
    )


def penalties(found: Mapping[str, tuple[np.ndarray, np.ndarray]], C: Sequence[float]) -> tuple[Figure, str]:
    """Draw F1 of logistic regression over its penalty, beside naive Bayes, on each embedding: (figure, alt).

    found: {embedding: (F1 of logistic regression (splits, len(C)), of naive Bayes (splits,))}
    """
    fig, axes = figure(columns=len(found), width=9, height=3.4)
    told = []
    for ax, (name, (logistic, rival)) in zip(axes, found.items(), strict=True):
        ax.semilogx(C, logistic.mean(axis=0), "o-", color=COLORS[0], label="logistic regression")
        ax.fill_between(C, logistic.min(axis=0), logistic.max(axis=0), color=COLORS[0], alpha=0.15)
        ax.axhline(rival.mean(), color=COLORS[1], linestyle="--", label="naive Bayes")
        ax.set(title=name, xlabel="C (to the left the penalty is stronger)", ylim=(0.4, 0.95))
        told.append(f"{name}: logistic regression at best {logistic.mean(axis=0).max():.3f}, ")
        told.append(f"naive Bayes {rival.mean():.3f}. ")
    axes[0].set_ylabel("F1 of spam")
    axes[0].legend(loc="lower right")
    return fig, f"Mean F1 over C with the range of the splits. {''.join(told)}"


def reliability(pooled: Mapping[str, tuple[np.ndarray, np.ndarray]], bins: int = 10) -> tuple[Figure, str]:
    """Draw the share of class 1 among the messages of each bin of predicted probability: (figure, alt).

    pooled: {model: (labels (N,), probabilities (N,))}
    """
    fig, axes = figure(columns=len(pooled), width=9, height=3.8)
    told = []
    for ax, (name, (labels, p)) in zip(np.ravel(axes), pooled.items(), strict=True):
        number = np.minimum((p * bins).astype(int), bins - 1)  # of the bin, (N,)
        sizes = np.bincount(number, minlength=bins)
        filled = sizes > 0
        predicted, observed = (
            np.bincount(number, weights=x, minlength=bins)[filled] / sizes[filled] for x in (p, labels)
        )
        ax.plot([0, 1], [0, 1], "--", color="grey")
        ax.scatter(predicted, observed, s=8 + 300 * sizes[filled] / len(p), color=COLORS[0])
        ax.set(title=name, xlabel="predicted probability of spam", ylabel="share that is spam")
        told.append(f"{name}: where it predicts {predicted[-1]:.2f}, {observed[-1]:.2f} are spam. ")
    return fig, f"Share of spam over predicted probability, in {bins} bins. {''.join(told)}"
