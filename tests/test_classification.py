"""helpers.models.classifiers and helpers.chapters.spam.classification: what chapter 01 trains, judges and draws."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from helpers.chapters.spam import reading
from helpers.chapters.spam.classification import costs_at, f1_of_pairs, judged_table, total_cost
from helpers.chapters.spam.figures import (
    confusion_at,
    idf_bars,
    losses_of_steps,
    roc_and_precision_recall,
    strongest_words,
)
from helpers.chapters.spam.thresholds import promised_and_charged
from helpers.models.classifiers import logistic_scores, minimise_loss, neighbour_votes, train_logistic

LABELS = np.array([1, 1, 0, 0, 0, 1])
FEATURES = sparse.csr_matrix([[3, 0, 1], [2, 1, 0], [0, 2, 1], [0, 3, 0], [1, 1, 1], [1, 0, 0]], dtype=float)


def judge(labels, predictions):
    """Precision, recall and F1 by their definition."""
    hits = np.sum((labels == 1) & (predictions == 1))
    p, r = hits / max(np.sum(predictions == 1), 1), hits / max(np.sum(labels == 1), 1)
    return p, r, 2 * p * r / (p + r) if hits else 0.0


def loss_and_gradient(weights, bias, features, labels, l2):
    scores = features @ weights + bias
    error = 1 / (1 + np.exp(-scores)) - labels
    loss = np.mean(np.logaddexp(0, scores) - labels * scores) + l2 / 2 * weights @ weights
    return loss, features.T @ error / len(labels) + l2 * weights, error.mean()


def test_both_ways_to_train_find_the_librarys_weights():
    l2 = 1 / (2.0 * len(LABELS))
    theirs = LogisticRegression(C=2.0, tol=1e-10, max_iter=2000).fit(FEATURES, LABELS)
    optimal, least = minimise_loss(loss_and_gradient, FEATURES, LABELS, l2)
    assert optimal == pytest.approx(theirs.coef_[0], abs=1e-4)
    weights, bias, history = train_logistic(FEATURES, LABELS, l2, steps=200)
    assert weights == pytest.approx(theirs.coef_[0], abs=0.05) and bias == pytest.approx(theirs.intercept_[0], abs=0.05)
    assert least <= history.losses[-1] + 1e-6 and history.losses[-1] == pytest.approx(least, abs=0.01)


def test_scores_are_those_of_the_second_matrix():
    scores = logistic_scores((FEATURES, FEATURES[:2]), LABELS, steps=60)
    assert scores.shape == (2,) and (scores > 0).all()


def test_neighbours_vote_and_the_first_of_equals_counts():
    similarity = np.array([[0.9, 0.1, 0.5, 0.5], [0.0, 0.8, 0.2, 0.7]])
    assert neighbour_votes(similarity, [1, 0, 1, 0], k=2).tolist() == [0.5, -0.5]
    assert neighbour_votes(similarity, [1, 0, 1, 0], k=1).tolist() == [0.5, -0.5]
    assert neighbour_votes(similarity, [1, 0, 0, 1], k=2).tolist() == [0.0, 0.0]


def ngrams(tokens, n):
    return [" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def test_a_rule_fires_where_it_says_so():
    found = reading.fired({"long": lambda text: len(text) > 3, "never": lambda text: False}, ["win", "prize"])
    assert {name: fires.tolist() for name, fires in found.items()} == {"long": [0, 1], "never": [0, 0]}


def test_ngrams_are_counted_and_those_that_training_lacks():
    train, test = [list("abcde"), list("abc")], [list("abcdx")]
    different, new = reading.different_and_new(train, test, ngrams, [1, 2])
    assert different == [5, 4]
    assert new == pytest.approx([1 / 5, 1 / 4])
    second = reading.ngrams_table([1, 2], different, new).splitlines()[1]
    assert second == "n = 2:       4 different, 25% of the test part's are new"


def test_bigrams_stand_behind_the_tokens():
    assert reading.with_bigrams([["a", "b", "c"], ["d"]], ngrams) == [["a", "b", "c", "a b", "b c"], ["d"]]


def test_errors_cost_what_was_said():
    chosen = np.array([True, False, True, True, False, False])  # misses 2, false alarms 2
    assert total_cost(LABELS, chosen, 5, 1) == 2 * 5 + 2 * 1
    assert total_cost(LABELS, LABELS == 1, 5, 1) == 0


def test_each_threshold_costs_what_its_errors_cost_on_each_part():
    parts = {"seen": (LABELS, LABELS + 0.5), "new": (LABELS, np.zeros(6))}
    table = costs_at({"low": 0.0, "high": 1.5}, parts, false_alarm=5, miss=1)
    assert [line.split() for line in table.splitlines()[1:]] == [
        ["low", "0.00", "2500", "2500"],  # 15 and 3 for six messages
        ["high", "1.50", "0", "500"],
    ]


class Notes:
    """Labelled texts: "win" and, in `sure` of ten of them, "prize" for spam; "bus" for ham."""

    def __init__(self, sure: int):
        self.texts = ["win prize" if i < sure else "win bus" for i in range(10)] + ["bus", "bus home"] * 10
        self.labels = np.array([1] * 10 + [0] * 20)

    def split(self, test: float, seed: int):
        return self, Notes(5 - seed)


def test_a_split_has_what_the_choosing_part_promises_and_what_the_test_part_charges():
    asked = []

    def choose(labels, scores, false_alarm, miss):
        asked.append((len(labels), false_alarm, miss))
        return (-np.inf, 100.0) if len(asked) % 2 else (np.inf, 10.0)

    rows = promised_and_charged(Notes(10), choose, seeds=(0, 3), false_alarm=5, miss=1).splitlines()[2:]
    assert [row.split()[:5] for row in rows] == [[name, "3333", "3333", "333", "333"] for name in ("0", "3", "mean")]
    by_thinking = [int(row.split()[5]) for row in rows]  # the fewer messages are sure, the more are missed
    assert 0 < by_thinking[0] < by_thinking[2] < by_thinking[1] <= 333 and asked == [(30, 5, 1)] * 4


def test_a_filter_is_told_in_lines():
    part = Notes(10)
    assert reading.examples(part, 1).splitlines() == ["spam | win prize", "ham  | bus"]
    fired = {"win": np.array([1] * 10 + [0] * 20), "bus": np.array([0] * 10 + [1] * 20)}
    assert [line.split() for line in reading.where_it_fires(part, fired).splitlines() if line] == [
        ["win"], ["labelled", "spam", "win", "prize"], ["labelled", "ham", "never"],
        ["bus"], ["labelled", "spam", "never"], ["labelled", "ham", "bus"],
    ]  # fmt: skip
    rows = reading.weights_table(["a", "b"], [1, 0], [2, 1], [0.5, 0.301]).splitlines()[1:]
    assert [row.split() for row in rows] == [["a", "1", "2", "0.500", "1.000"], ["b", "0", "1", "0.301", "0.301"]]


def test_who_is_alike_how_well_it_ranks_and_which_words_decide():
    said = reading.most_alike([1], ["x", "y", "z"], lambda i: [0.2, 1.0, 0.7])
    assert said.splitlines()[1:] == ["y", "  is most like (0.70): z"]
    scores = np.array([2.0, 1.0, -1.0, -2.0, 0.5, 3.0])
    ideal = reading.areas(LABELS, {"m": scores}, lambda labels, scores: ([0, 0, 1], [0, 1, 1]), judge)
    assert ideal == "m: area under the ROC curve 1.0000 (scikit-learn 1.0000), F1 at threshold 0: 0.857"
    said = reading.moved_by(["a b"], sparse.csr_matrix([[1.0, 2.0, 0.0]]), np.array([1.0, -2.0, 9.0]), 0.5, "abc")
    assert said.splitlines() == ["score -2.50  a b", "             b -4.00, a +1.00"]


def test_the_table_has_a_line_for_each_rule():
    table = judged_table(LABELS, {"all": np.ones(6, dtype=int), "none": np.zeros(6, dtype=int)}, judge)
    assert [line.split() for line in table.splitlines()[1:]] == [
        ["all", "6", "0.500", "1.000", "0.667"],
        ["none", "0", "0.000", "0.000", "0.000"],
    ]


def test_every_pair_is_judged():
    classifiers = {"logistic": lambda g, y: g[1] @ np.array([1.0, -1.0, 0.0]), "none": lambda g, y: np.full(6, -1.0)}
    table = f1_of_pairs({"counts": (FEATURES, FEATURES)}, classifiers, LABELS, LABELS, judge)
    assert table.shape == (1, 2) and table[0, 0] == pytest.approx(6 / 7) and table[0, 1] == 0


def test_figures_show_what_they_are_given():
    scores = np.array([0.9, 0.4, 0.6, -1.0, -0.5, 0.2])
    models = {"a": scores, "b": -scores}
    fig, _ = roc_and_precision_recall(LABELS, models, lambda labels, scores: ([0, scores[0]], [0, 1]))
    assert [line.get_xdata()[1] for line in fig.axes[0].lines] == [0.9, -0.9] and len(fig.axes[1].lines) == 2
    fig, alt = confusion_at(LABELS, scores, (0.0, 0.5), judge)
    assert [text.get_text() for text in fig.axes[0].texts] == ["2", "1", "0", "3"]
    assert fig.axes[1].get_title() == "threshold 0.50: precision 0.500, recall 0.333" and "threshold" in alt
    fig, alt = losses_of_steps([3.0, 2.0, 1.5, 1.3], [3.0, 2.5], 2, 1.2)
    batches, whole, least = fig.axes[0].lines
    assert batches.get_xdata().tolist() == [0, 0.5, 1, 1.5] and whole.get_ydata().tolist() == [3.0, 2.5]
    assert least.get_ydata()[0] == 1.2 and "ends near 1.40" in alt and "ends at 2.50" in alt


def test_words_are_drawn_from_the_strongest_on():
    words, weights = [f"w{i}" for i in range(90)], np.linspace(-1, 1, 90)
    fig, _ = strongest_words(words, weights)
    names = [[label.get_text() for label in ax.get_yticklabels()] for ax in fig.axes]
    assert names[0][:2] == ["w89", "w88"] and names[1][:2] == ["w0", "w1"] and len(names[0]) == len(names[1]) == 15
    fig, _ = idf_bars(words, weights)
    assert [label.get_text() for label in fig.axes[0].get_yticklabels()] == words[:12]
