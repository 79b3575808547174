"""A threshold chosen in three ways, over several splits: what each way promises, and what the test part charges."""

from collections.abc import Callable, Iterable

import numpy as np

from helpers.chapters.spam.classification import price


def promised_and_charged(messages, choose: Callable, seeds: Iterable[int], false_alarm: float, miss: float) -> str:
    """Return a table over splits: the price that the choosing part promises, and the one that the test part charges.

    messages: labelled texts that can be split; choose: (labels, scores, false_alarm, miss) -> (threshold, total cost)
    """
    theory = np.log(false_alarm / miss)
    lines = [f"{'':<5}{'on training':>13}{'on validation':>15}{'thinking':>9}"]
    lines += [f"{'split':<5}{'promise':>8}{'bill':>5}{'promise':>10}{'bill':>5}{'bill':>9}"]
    for seed in seeds:
        known, test = messages.split(test=0.2, seed=seed)
        parts = _scored(*known.split(test=0.2, seed=seed), test)
        row = f"{seed:<5}"
        for part, width in zip(parts[:2], (8, 10), strict=True):
            threshold = float(choose(*part, false_alarm, miss)[0])
            promised, charged = (price(*p, threshold, false_alarm, miss) for p in (part, parts[2]))
            row += f"{promised:>{width}.0f}{charged:>5.0f}"
        lines.append(row + f"{price(*parts[2], theory, false_alarm, miss):>9.0f}")
    return "\n".join(lines)


def _scored(train, *others) -> list[tuple[np.ndarray, np.ndarray]]:
    """Learn TF-IDF and a logistic regression from the first part; returns (labels, scores) of it and of the others."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(TfidfVectorizer(token_pattern=r"\w+", max_features=2000), LogisticRegression(C=10))
    model.fit(train.texts, train.labels)
    return [(part.labels, model.decision_function(part.texts)) for part in (train, *others)]
