"""Classifiers of feature rows: logistic regression, trained in steps or by an optimiser, and nearest neighbours."""

from collections.abc import Callable

import numpy as np
import torch

from helpers.training import History, fit


def train_logistic(features, labels, l2: float, steps: int) -> tuple[np.ndarray, float, History]:
    """Train logistic regression with `fit` on all rows at once; returns (weights (M,), bias, History).

    features: (N, M), sparse; labels: (N,) of 0 and 1; l2: the penalty is l2 / 2 times the sum of the squared weights.
    """
    model = torch.nn.Linear(features.shape[1], 1)
    torch.nn.init.zeros_(model.weight)
    torch.nn.init.zeros_(model.bias)
    x = torch.tensor(features.toarray(), dtype=torch.float32)  # (N, M)
    y = torch.tensor(np.asarray(labels), dtype=torch.float32)[:, None]  # (N, 1)
    cross_entropy = torch.nn.BCEWithLogitsLoss()

    def loss(model, batch):
        messages, targets = batch
        return cross_entropy(model(messages), targets) + l2 / 2 * (model.weight**2).sum()

    history = fit(model, [(x, y)], loss, steps=steps, lr=0.2, weight_decay=0.0)
    return model.weight.detach().cpu().numpy()[0].astype(float), float(model.bias.detach()), history


def logistic_scores(features: tuple, labels, steps: int, C: float = 30.0) -> np.ndarray:
    """Train logistic regression on the first of two matrices; returns the scores of the second's rows, (N',).

    C: how weak the penalty is, in scikit-learn's unit: l2 is 1 / (C N).
    """
    weights, bias, _ = train_logistic(features[0], labels, 1 / (C * len(labels)), steps)
    return features[1] @ weights + bias


def minimise_loss(loss_and_gradient: Callable, features, labels, l2: float) -> tuple[np.ndarray, float]:
    """Find the weights of least loss with L-BFGS-B (Byrd, Lu, Nocedal, Zhu 1995); returns (weights (M,), loss).

    loss_and_gradient: (weights, bias, features, labels, l2) -> (loss, gradient of the weights (M,), of the bias)
    """
    from scipy.optimize import minimize

    def objective(theta):  # the weights and, last, the bias
        loss, gradient, bias_gradient = loss_and_gradient(theta[:-1], theta[-1], features, labels, l2)
        return float(loss), np.append(gradient, bias_gradient)

    options = {"maxiter": 2000, "ftol": 1e-14, "gtol": 1e-9}
    found = minimize(objective, np.zeros(features.shape[1] + 1), jac=True, method="L-BFGS-B", options=options)
    return found.x[:-1], found.fun


def library_scores(features: tuple, labels, C: float) -> np.ndarray:
    """Fit scikit-learn's logistic regression on the first of two matrices; returns the scores of the second's rows."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=C, max_iter=2000).fit(features[0], labels).decision_function(features[1])


def library_logistic(features, labels, C: float) -> tuple[np.ndarray, float]:
    """Return scikit-learn's weights (M,) of logistic regression, and their loss with the penalty 1 / (C N)."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=C, max_iter=2000, tol=1e-9).fit(features, labels)
    scores = model.decision_function(features)
    losses = np.logaddexp(0, scores) - np.asarray(labels) * scores
    return model.coef_[0], float(losses.mean() + (model.coef_**2).sum() / (2 * C * len(labels)))


def neighbour_votes(similarity: np.ndarray, labels, k: int = 5) -> np.ndarray:
    """Return, for each row, the share of class 1 among its k most similar examples, minus 1/2: (N',).

    similarity: (N', N), each new row beside the N examples; labels: (N,) of 0 and 1, those of the examples
    """
    nearest = np.argsort(-np.asarray(similarity), axis=1, kind="stable")[:, :k]
    return np.asarray(labels)[nearest].mean(axis=1) - 0.5
