"""A threshold chosen in three ways, over several splits, and what it costs; thresholds where spam is rare."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from helpers.chapters.spam.classification import price
from helpers.chapters.spam.splits import tfidf_filter


def promised_and_charged(messages, choose: Callable, seeds: Iterable[int], false_alarm: float, miss: float) -> str:
    """Return a table over splits, and their mean: the price that the choosing part estimates, and the test part's.

    messages: labelled texts that can be split; choose: (labels, scores, false_alarm, miss) -> (threshold, total cost)
    """
    theory = np.log(false_alarm / miss)
    lines = [f"{'':<5}{'on training':>15}{'on validation':>18}{'thinking':>10}"]
    lines += [f"{'split':<5}{'estimate':>9}{'cost':>6}{'estimate':>12}{'cost':>6}{'cost':>10}"]
    rows = []
    for seed in seeds:
        known, test = messages.split(test=0.2, seed=seed)
        parts = _scored(*known.split(test=0.2, seed=seed), test)
        row = []
        for part in parts[:2]:
            threshold = float(choose(*part, false_alarm, miss)[0])
            row += [price(*p, threshold, false_alarm, miss) for p in (part, parts[2])]
        rows.append([*row, price(*parts[2], theory, false_alarm, miss)])
        lines.append(_priced(str(seed), rows[-1]))
    return "\n".join([*lines, _priced("mean", np.mean(rows, axis=0))])


def _priced(name: str, row) -> str:
    prices = zip(row, (9, 6, 12, 6, 10), strict=True)
    return f"{name:<5}" + "".join(f"{one:>{width}.0f}" for one, width in prices)


def _scored(train, *others) -> list[tuple[np.ndarray, np.ndarray]]:
    """Learn TF-IDF and a logistic regression from the first part; returns (labels, scores) of it and of the others."""
    model = tfidf_filter().fit(train.texts, train.labels)
    return [(part.labels, model.decision_function(part.texts)) for part in (train, *others)]


def where_spam_is_rare(labels: np.ndarray, p: np.ndarray, shares: Mapping[str, float], least: float) -> str:
    """Return a table: precision and recall of two thresholds in mailboxes with other shares of class 1.

    labels: (N,) of 0 and 1; p: (N,) probabilities, learned where class 1 is as frequent as in `labels`
    shares: {mailbox: its share of class 1}; least: the probability from which a message is called class 1
    The first threshold is `least` as it is. The second adds to the log odds how much rarer class 1 has become.
    """
    here, odds = labels.mean(), np.log(p) - np.log1p(-p)
    lines = [f"{'':<22}{'p as it is':>20}{'p for this share':>21}"]
    lines += [f"{'share of spam':<22}{'precision':>11}{'recall':>9}{'precision':>12}{'recall':>9}"]
    for mailbox, share in shares.items():
        row = f"{mailbox:<14}{share:>8.1%}"
        for moved, width in ((0.0, 11), (_log_odds(share) - _log_odds(here), 12)):
            chosen = odds + moved >= _log_odds(least)
            recall, alarms = chosen[labels == 1].mean(), chosen[labels == 0].mean()
            caught = share * recall
            row += f"{caught / (caught + (1 - share) * alarms):>{width}.3f}{recall:>9.3f}"
        lines.append(row)
    return "\n".join(lines)


def _log_odds(share: float) -> float:
    return float(np.log(share / (1 - share)))
