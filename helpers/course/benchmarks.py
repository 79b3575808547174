"""The two benchmarks of the course, which every chapter's model takes: spam, and intents with few labels.

A model is a function (texts, labels (N,), questions, seed) -> predictions (M,): it learns from N texts with integer
labels and says the labels of M others. It may carry its number of weights as the attribute `parameters`.
"""

import warnings
from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy import sparse

from helpers import plots
from helpers.course import leaderboard
from helpers.data import load
from helpers.device import SEED

Model = Callable[[list[str], np.ndarray, list[str], int], np.ndarray]
SPAM, INTENTS = ("sms_spam", "inbox"), "clinc150"
LABELS = (1, 5, 10)  # examples of each intent


def linear_probe(encode: Callable[[list[str]], np.ndarray], C: float = 30.0) -> Model:
    """Return the model that fits a logistic regression on top of an encoder, which stays as it is.

    encode: n texts -> their vectors (n, d), dense or sparse; C: the inverse strength of the penalty
    """

    def model(texts: list[str], labels: np.ndarray, questions: list[str], seed: int) -> np.ndarray:
        from sklearn.linear_model import LogisticRegression

        learned = encode(texts)
        used = _used(learned)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The number of unique classes is greater than")  # one label each
            fitted = LogisticRegression(C=C, max_iter=1000).fit(learned[:, used], labels)
        model.parameters = fitted.intercept_.size * (learned.shape[1] + 1)
        return fitted.predict(encode(questions)[:, used])

    model.parameters = 0
    return model


def _used(vectors) -> np.ndarray | slice:
    """Return the columns that are not zero throughout, if vectors (n, d) are sparse: the weights of others stay 0."""
    return np.unique(vectors.indices) if sparse.issparse(vectors) else slice(None)


def remembered(encode: Callable[[list[str]], np.ndarray]) -> Callable[[list[str]], np.ndarray]:
    """Return an encoder that encodes each text once and remembers its vector: the same questions come again."""
    known: dict[str, np.ndarray] = {}

    def once(texts: list[str]) -> np.ndarray:
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            known.update(zip(new, encode(new), strict=True))
        return np.stack([known[text] for text in texts])

    return once


class Exam(NamedTuple):
    """What to learn from, what is asked, and the right answers."""

    texts: list[str]
    labels: np.ndarray  # (N,) int64
    questions: list[str]
    answers: np.ndarray  # (M,) int64


def take(chapter: str, name: str, model: Model, runs: int = 1, every: int = 1) -> None:
    """Let a model take both benchmarks, `runs` times each; of every so many messages and intents, one."""
    spam(chapter, name, model, runs, every=every)
    intents(chapter, name, model, runs, every=every)


def show(chapter: str, beside: Collection[tuple[str, str]] | None = None) -> None:
    """Draw accuracy over labels, this chapter's models strong, and print the table of real spam.

    beside: (chapter, model) of the lines that are drawn beside this chapter's; None draws the best of every other one
    """
    rows = leaderboard.with_reference(INTENTS)
    if beside is None:
        beside = _best_of_each_chapter(rows)
    shown = [row for row in rows if row.chapter == chapter or (row.chapter, row.model) in beside]
    plots.show(*plots.few_labels(shown, chapter))
    print(leaderboard.table(SPAM[0]))


def _best_of_each_chapter(rows: Iterable[leaderboard.Row]) -> set[tuple[str, str]]:
    """Return (chapter, model) of the row with the most labels, and among these the best score, of each chapter."""
    best = {row.chapter: row for row in sorted(rows, key=lambda row: (row.labels, row.score))}
    return {(row.chapter, row.model) for row in best.values()}


def spam(chapter: str, name: str, model: Model, splits: int = 1, questions: int | None = None, every: int = 1) -> None:
    """Judge a spam filter by F1 on real messages and on core sentences of the inbox that it has never seen.

    The splits are 80 to 20, drawn by SEED, SEED + 1, ...; each set is one row of the leaderboard, and one line here.

    questions: how many of the test messages are asked, the first ones; all where it is None
    every: with 20, every twentieth message is learned from or asked: for a quick try
    """
    for data in SPAM:
        messages = load(data).without_repeats()
        exams = (spam_exam(messages, seed, questions, every) for seed in _seeds(splits))
        _judge(chapter, name, model, data, exams, _f1)


def intents(
    chapter: str, name: str, model: Model, draws: int = 1, labels: Iterable[int] = LABELS, questions: int = 30,
    every: int = 1,
) -> None:  # fmt: skip
    """Judge a classifier of the 150 intents of CLINC150 by accuracy, given few examples of each.

    The examples are drawn by SEED, SEED + 1, ... from the train part (Larson et al. 2019); each number of labels is one
    row of the leaderboard, and one line here.

    questions: how many of the 30 test questions of each intent are asked, the first ones
    every: with 20, only every twentieth intent is there: for a quick try
    """
    for k in labels:
        exams = (intents_exam(k, seed, questions, every) for seed in _seeds(draws))
        _judge(chapter, name, model, INTENTS, exams, lambda right, predicted: np.mean(right == predicted), k)


def intents_exam(labels: int, seed: int, max_questions: int = 30, every: int = 1) -> Exam:
    """Draw `labels` examples of each intent of CLINC150, or of some; of each at most `max_questions` are asked."""
    (texts, known), (questions, answers) = _requests()
    rng = np.random.default_rng(seed)
    drawn = np.concatenate([rng.choice(rows, labels, replace=False) for rows in _rows_of(known)[::every]])
    asked = np.concatenate([rows[:max_questions] for rows in _rows_of(answers)[::every]])
    train_texts = [texts[i] for i in drawn]
    test_texts = [questions[i] for i in asked]
    # Every n-th intent is left: divided by n, their numbers have no gaps.
    return Exam(train_texts, known[drawn] // every, test_texts, answers[asked] // every)


@cache
def _requests() -> list[tuple[list[str], np.ndarray]]:
    """Return texts and intents of the train and the test part, read once for all exams."""
    clinc = load(INTENTS)
    return [_numbered(clinc.splits[part], clinc.intents) for part in ("train", "test")]


def _numbered(requests: list, intents: list[str]) -> tuple[list[str], np.ndarray]:
    """Return the texts, and the number of each one's intent in sorted order."""
    texts = [request.text for request in requests]
    numbers = [intents.index(request.intent) for request in requests]
    return texts, np.array(numbers)


def spam_exam(messages, seed: int, max_questions: int | None = None, every: int = 1) -> Exam:
    """Split labelled messages 80 to 20, core sentences whole; of the questions at most `max_questions` are asked."""
    train, test = messages.split(test=0.2, seed=seed)
    return Exam(
        train.texts[::every], train.labels[::every], test.texts[:max_questions:every], test.labels[:max_questions:every]
    )


def _seeds(runs: int) -> range:
    return range(SEED, SEED + runs)


def _rows_of(labels: np.ndarray) -> list[np.ndarray]:
    return [np.flatnonzero(labels == label) for label in np.unique(labels)]


def _judge(chapter: str, name: str, model: Model, data: str, exams: Iterable[Exam], score: Callable, k: int = 0):
    """Let a model take exams, one a seed; keep and print the mean score with the lowest and the highest."""
    with leaderboard.measured(chapter, name, data, k) as row:
        scores = []
        for exam, seed in zip(exams, range(SEED, 2**31), strict=False):
            predicted = model(exam.texts, exam.labels, exam.questions, seed)
            scores.append(float(score(exam.answers, np.asarray(predicted))))
        row.score, row.lowest, row.highest = np.mean(scores), min(scores), max(scores)
        row.runs, row.parameters = len(scores), getattr(model, "parameters", 0)
    print(line(row))


def line(row: leaderboard.Row) -> str:
    """Say a row in one line."""
    what = f"{row.labels:>2} labels an intent, accuracy" if row.labels else f"{row.data}, F1 of spam"
    runs = f" ({row.lowest:.3f} to {row.highest:.3f}, {row.runs} runs)" if row.runs > 1 else ""
    return f"{what:<28} {row.score:.3f}{runs}, {row.seconds / row.runs:.1f} s a run"


def _f1(answers: np.ndarray, predicted: np.ndarray) -> float:
    from sklearn.metrics import f1_score

    return f1_score(answers, predicted)
