"""How good classifiers of two classes are: rules in a table, what errors cost, every embedding with every classifier.

`judge` is everywhere a function (labels, predictions) -> (precision, recall, F1) of class 1.
"""

from collections.abc import Callable, Mapping

import numpy as np

from helpers.course import leaderboard
from helpers.models.classifiers import logistic_scores


def judged_table(labels, predictions: Mapping[str, np.ndarray], judge: Callable) -> str:
    """Return a table: for each rule how often it fires, its precision, recall and F1.

    labels: (N,) of 0 and 1; predictions: {rule: (N,) of 0 and 1}
    """
    lines = [f"{'rule':<18}{'fires':>7}{'precision':>11}{'recall':>8}{'F1':>7}"]
    for name, found in predictions.items():
        p, r, f = judge(labels, found)
        lines.append(f"{name:<18}{found.sum():>7}{p:>11.3f}{r:>8.3f}{f:>7.3f}")
    return "\n".join(lines)


def total_cost(labels: np.ndarray, chosen: np.ndarray, false_alarm: float, miss: float) -> float:
    """Return what all errors cost: class 0 chosen (a false alarm), class 1 not chosen (a miss).

    labels: (N,) of 0 and 1; chosen: (N,) of bool
    """
    return false_alarm * np.sum(chosen & (labels == 0)) + miss * np.sum(~chosen & (labels == 1))


def f1_of_pairs(embeddings: Mapping, classifiers: Mapping, train_labels, test_labels, judge: Callable) -> np.ndarray:
    """Judge every embedding with every classifier, each a row of the leaderboard; returns F1 (E, C).

    embeddings: E of them, {name: (train (N, M), test (N', M))}, sparse
    classifiers: C of them, {name: (embedding, train labels) -> scores of the test rows (N',), at least 0 for class 1}
    """
    table = np.zeros((len(embeddings), len(classifiers)))
    for i, (g, features) in enumerate(embeddings.items()):
        for j, (c, classify) in enumerate(classifiers.items()):
            with leaderboard.measured("01", f"{g} + {c}", "inbox") as row:
                scores = classify(features, train_labels)
                row.parameters = _parameters(c, features[0])
                row.score = table[i, j] = judge(test_labels, (scores >= 0).astype(int))[2]
    return table


def _parameters(classifier: str, features) -> int:
    """Return how many numbers a classifier keeps: neighbours keep every entry of the features that is not 0."""
    M = features.shape[1]
    return {"logistic": M + 1, "naive Bayes": 2 * M + 2}.get(classifier, features.nnz)


def f1_beside_library(name: str, data: str, features, labels, steps: int, judge: Callable) -> tuple[float, float]:
    """Judge logistic regression trained in steps, a row of the leaderboard, and scikit-learn's; returns both F1.

    name, data: of the model and of the set that is split; steps: of the training
    features: (train (N, M), test (N', M)), sparse; labels: (train (N,), test (N',)) of 0 and 1
    """
    from sklearn.linear_model import LogisticRegression

    with leaderboard.measured("01", name, f"splits of {data}") as row:
        scores = logistic_scores(features, labels[0], steps)
        row.score = judge(labels[1], (scores >= 0).astype(int))[2]
        row.parameters = features[0].shape[1] + 1
    library = LogisticRegression(C=30, max_iter=1000).fit(features[0], labels[0])
    return row.score, judge(labels[1], library.predict(features[1]))[2]
