"""Filters on several splits: F1 of every pair, with links masked, with other penalties, and their probabilities.

A split is a function seed -> (train, test) of labelled messages. `judge` is everywhere a function (labels,
predictions) -> (precision, recall, F1) of class 1.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from helpers.chapters.spam.classification import f1_of_pairs
from helpers.chapters.spam.disguises import hides_a_word, undone

Split = Callable[[int], tuple]
PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)  # C, the inverse strength of the penalty
SIZE = 2000  # columns of every embedding


def by_core_sentence(messages) -> Split:
    """Return the split that keeps all messages of a core sentence on one side."""
    return lambda seed: messages.split(test=0.2, seed=seed)


def at_random(messages) -> Split:
    """Return the split that draws single messages; its parts have the sizes of the split by core sentence."""

    def split(seed: int) -> tuple:
        size = len(messages.split(test=0.2, seed=seed)[0])
        order = np.random.default_rng(seed).permutation(len(messages))
        return messages.take(order[:size]), messages.take(order[size:])

    return split


def f1_over_splits(
    split: Split, seeds: Iterable[int], embed: Callable, classifiers: Mapping, judge: Callable
) -> tuple[list[str], np.ndarray]:
    """Judge every embedding with every classifier on each split; returns (names of the embeddings, F1 (S, E, C)).

    embed: (train texts, test texts) -> {name: (train (N, V), test (N', V))}; classifiers: as in f1_of_pairs
    """
    tables, names = [], []
    for seed in seeds:
        train, test = split(seed)
        embeddings = embed(train.texts, test.texts)
        names = list(embeddings)
        tables.append(f1_of_pairs(embeddings, classifiers, train.labels, test.labels, judge))
    return names, np.stack(tables)


def pairs_table(tables: np.ndarray, embeddings: Sequence[str], classifiers: Sequence[str]) -> str:
    """Return a table of means over splits, each with its lowest and highest; tables: (S, E, C)."""
    width = 2 + max(map(len, embeddings))
    lines = [" " * width + "".join(f"{name:<21}" for name in classifiers)]
    for i, name in enumerate(embeddings):
        lines.append(f"{name:<{width}}" + "".join(f"{said(column):<21}" for column in tables[:, i].T))
    return "\n".join(lines)


def said(values) -> str:
    """Return the mean of some figures, with the lowest and the highest."""
    return f"{np.mean(values):.3f} ({np.min(values):.3f}-{np.max(values):.3f})"


def filters() -> dict:
    """Return the library's three filters that this chapter compares: {name: pipeline}."""
    return {
        "logistic regression on TF-IDF": tfidf_filter(),
        "naive Bayes on counts": _filter(_counts(), _naive_bayes()),
        "naive Bayes on TF-IDF with bigrams": _filter(_tfidf(bigrams=True), _naive_bayes()),
    }


def tfidf_filter(C: float = 10.0):
    """Return TF-IDF under a logistic regression, the library's."""
    return _filter(_tfidf(), _logistic(C))


def _filter(*steps):
    from sklearn.pipeline import make_pipeline

    return make_pipeline(*steps)


def _tfidf(bigrams: bool = False, **options):
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(
        token_pattern=r"\w+", max_features=SIZE, ngram_range=(1, 2) if bigrams else (1, 1), **options
    )


def _trigrams():
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(analyzer="char", ngram_range=(3, 3), max_features=SIZE)


def _counts():
    from sklearn.feature_extraction.text import CountVectorizer

    return CountVectorizer(token_pattern=r"\w+", max_features=SIZE)


def _logistic(C: float):
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=C, max_iter=2000)


def _naive_bayes():
    from sklearn.naive_bayes import MultinomialNB

    return MultinomialNB()


def with_and_without(split: Split, seeds: Iterable[int], change: Callable[[str], str], judge: Callable) -> dict:
    """Return F1 of each filter on each split, of messages as they are and changed: {filter: two lists (S,)}.

    change: a text -> the text that takes its place, in training and in the test
    """
    found: dict[str, tuple[list, list]] = {name: ([], []) for name in filters()}
    for seed in seeds:
        train, test = split(seed)
        for side, how in enumerate((str, change)):
            learned, asked = list(map(how, train.texts)), list(map(how, test.texts))
            for name, model in filters().items():
                predictions = model.fit(learned, train.labels).predict(asked)
                found[name][side].append(judge(test.labels, predictions)[2])
    return found


def changed_table(found: Mapping[str, tuple[list, list]], changed: str) -> str:
    """Return what `with_and_without` found as a table; changed: the title of the second column."""
    lines = [f"{'F1 of spam':<36}{'as they are':<21}{changed}"]
    lines += [f"{name:<36}{said(before):<21}{said(after)}" for name, (before, after) in found.items()]
    return "\n".join(lines)


def f1_by_penalty(split: Split, seeds: Iterable[int], judge: Callable) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return F1 of logistic regression for each of PENALTIES (S, 6), and of naive Bayes (S,): {embedding: both}."""
    found: dict[str, tuple[list, list]] = {"counts": ([], []), "TF-IDF, words and bigrams": ([], [])}
    for seed in seeds:
        train, test = split(seed)
        for name, vectors in zip(found, (_counts(), _tfidf(bigrams=True)), strict=True):
            h, asked = vectors.fit_transform(train.texts), vectors.transform(test.texts)
            models = [*map(_logistic, PENALTIES), _naive_bayes()]
            *row, rival = [judge(test.labels, m.fit(h, train.labels).predict(asked))[2] for m in models]
            found[name][0].append(row)
            found[name][1].append(rival)
    return {name: (np.array(rows), np.array(rivals)) for name, (rows, rivals) in found.items()}


def penalties_table(found: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> str:
    """Return what `f1_by_penalty` found at the penalty of the highest mean, a line for each embedding."""
    lines = []
    for name, (logistic, rival) in found.items():
        best = int(logistic.mean(axis=0).argmax())
        won = f"logistic regression at best {said(logistic[:, best])}, with C = {PENALTIES[best]:g}"
        lines.append(f"{name}: {won}; naive Bayes {said(rival)}")
    return "\n".join(lines)


def probabilities(split: Split, seeds: Iterable[int]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the labels of the test messages of all splits, and what each filter gives as the probability of class 1.

    Learned as the threshold is: on four fifths of the training messages, the rest being kept for validation.
    """
    found: dict[str, list] = {}
    for seed in seeds:
        known, test = split(seed)
        train, _ = known.split(test=0.2, seed=seed)
        for name, model in list(filters().items())[:2]:
            p = model.fit(train.texts, train.labels).predict_proba(test.texts)[:, 1]
            found.setdefault(name, []).append((test.labels, p))
    pooled = {}
    for name, parts in found.items():
        labels, p = zip(*parts, strict=True)
        pooled[name] = np.concatenate(labels), np.concatenate(p)
    return pooled


def disguised_table(split: Split, seeds: Iterable[int], C: float = 10.0) -> str:
    """Return how much of the spam is caught, with and without a hidden word in it, over all splits; three ways."""
    ways = {
        "words": (_tfidf(), str),
        "words, disguises undone": (_tfidf(), undone),
        "character trigrams": (_trigrams(), str),
    }
    caught: dict[str, list] = {name: [] for name in ways}
    hidden: list = []
    for seed in seeds:
        train, test = split(seed)
        spam = [text for text, label in zip(test.texts, test.labels, strict=True) if label == 1]
        hidden += map(hides_a_word, spam)
        for name, (vectors, how) in ways.items():
            model = _filter(vectors, _logistic(C)).fit(list(map(how, train.texts)), train.labels)
            caught[name] += model.predict(list(map(how, spam))).tolist()
    rows = np.array(hidden)
    lines = [f"spam caught, of {rows.sum():,} messages that hide a word and {(~rows).sum():,} others"]
    for name, found in caught.items():
        shares = [np.mean(np.array(found)[chosen]) for chosen in (rows, ~rows)]
        lines.append(f"{name:<24}{shares[0]:.3f} of those that hide one, {shares[1]:.3f} of the others")
    return "\n".join(lines)
