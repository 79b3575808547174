"""How good classifiers of two classes are: rules in a table, what errors cost, every embedding with every classifier.

`judge` is everywhere a function (labels, predictions) -> (precision, recall, F1) of class 1.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from scipy import sparse

from helpers.course import benchmarks
from helpers.course.benchmarks import linear_probe
from helpers.data import load


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


def costs_at(thresholds: Mapping[str, float], parts: Mapping[str, tuple], false_alarm: float, miss: float) -> str:
    """Return a table: for each threshold what all errors cost on each part, for every 1,000 messages of it.

    parts: {part: (labels (N,) of 0 and 1, scores (N,))}; class 1 is chosen where a score is at least the threshold
    """
    widths = {part: 1 + max(len(part), 4) for part in parts}
    lines = [f"{'threshold':<17}" + "".join(f"{part:>{width}}" for part, width in widths.items())]
    for name, t in thresholds.items():
        costs = {part: price(*scored, t, false_alarm, miss) for part, scored in parts.items()}
        lines.append(f"{name:<12}{t:>5.2f}" + "".join(f"{cost:>{widths[part]}.0f}" for part, cost in costs.items()))
    return "\n".join(lines)


def price(labels, scores, threshold: float, false_alarm: float, miss: float) -> float:
    """Return what all errors at a threshold cost, for every 1,000 messages."""
    return 1000 * total_cost(labels, scores >= threshold, false_alarm, miss) / len(labels)


def f1_of_pairs(embeddings: Mapping, classifiers: Mapping, train_labels, test_labels, judge: Callable) -> np.ndarray:
    """Judge every embedding with every classifier; returns F1 (E, C).

    embeddings: E of them, {name: (train (N, V), test (N', V))}, sparse
    classifiers: C of them, {name: (embedding, train labels) -> scores of the test rows (N',), at least 0 for class 1}
    """
    table = np.zeros((len(embeddings), len(classifiers)))
    for i, features in enumerate(embeddings.values()):
        for j, classify in enumerate(classifiers.values()):
            scores = np.asarray(classify(features, train_labels))
            table[i, j] = judge(test_labels, (scores >= 0).astype(int))[2]
    return table


def counted(documents: Sequence[Sequence[str]], vocabulary: Sequence[str]) -> sparse.csr_matrix:
    """Return how often each of V words stands in each of N lists of tokens, (N, V): what `bag_of_words` returns."""
    from sklearn.feature_extraction.text import CountVectorizer

    return sparse.csr_matrix(CountVectorizer(vocabulary=list(vocabulary), analyzer=list).transform(documents))


def beside_the_benchmarks(seeds: Iterable[int], every: int = 1) -> str:
    """Return how naive Bayes does on both benchmarks of the course, on the runs of `tfidf_logistic`, as a table.

    every: with 20, one of twenty intents and messages
    """
    scores: dict[tuple, list] = {}  # of (vectors, benchmark)
    for seed in seeds:
        for name, exam in _exams(seed, every):
            for vectors in ("counts", "TF-IDF"):
                predictions = _naive_bayes(vectors, exam)
                judge = f1_of if name in benchmarks.SPAM else accuracy
                scores.setdefault((vectors, name), []).append(judge(exam.answers, predictions))
    names = list(dict.fromkeys(name for _, name in scores))
    lines = [f"{'naive Bayes on':<16}" + "".join(f"{name:>14}" for name in names)]
    for vectors in ("counts", "TF-IDF"):
        lines.append(f"{vectors:<16}" + "".join(f"{np.mean(scores[vectors, name]):>14.3f}" for name in names))
    return "\n".join(lines)


def f1_of(answers: np.ndarray, predictions: np.ndarray) -> float:
    """Return F1 of class 1."""
    from sklearn.metrics import f1_score

    return float(f1_score(answers, predictions))


def accuracy(answers: np.ndarray, predictions: np.ndarray) -> float:
    """Return the share of predictions that are right."""
    return float(np.mean(answers == predictions))


def _exams(seed: int, every: int) -> Iterator[tuple[str, benchmarks.Exam]]:
    for data in benchmarks.SPAM:
        yield data, benchmarks.spam_exam(load(data).without_repeats(), seed, every=every)
    for labels in benchmarks.LABELS:
        yield f"{labels} an intent", benchmarks.intents_exam(labels, seed, every=every)


def _naive_bayes(vectors: str, exam: benchmarks.Exam) -> np.ndarray:
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.naive_bayes import MultinomialNB

    kind = TfidfVectorizer if vectors == "TF-IDF" else CountVectorizer
    terms = kind(token_pattern=r"\w+", max_features=8000)
    return MultinomialNB().fit(terms.fit_transform(exam.texts), exam.labels).predict(terms.transform(exam.questions))


def tfidf_logistic(texts: list[str], labels: np.ndarray, questions: list[str], seed: int) -> np.ndarray:
    """Learn TF-IDF and a logistic regression from N texts and labels (N,); returns the labels of the questions (M,)."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    terms = TfidfVectorizer(token_pattern=r"\w+", max_features=8000).fit(texts)
    model = linear_probe(terms.transform)
    said = model(texts, labels, questions, seed)
    tfidf_logistic.parameters = model.parameters
    return said
