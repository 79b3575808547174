"""Figures of a spam filter: its training, its curves over all thresholds, its errors at some, its F1 beside others."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from helpers.plots.matrices import matrix
from helpers.plots.style import COLORS, figure


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
