"""Texts as the mean of their word vectors, and models for the course's benchmarks that are built on such means."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from scipy import sparse

from helpers import plots
from helpers.chapters.word_vectors.corpus import WORD, read_corpus, words_of
from helpers.chapters.word_vectors.window_tags import random_vectors
from helpers.chapters.word_vectors.word2vec import Trainer
from helpers.course import benchmarks, leaderboard
from helpers.data import load
from helpers.models.word_vectors import WordVectors


def encoder(vectors: WordVectors, texts: list[str], average: Callable) -> Callable[[list[str]], np.ndarray]:
    """Return the function that turns n texts into means of unit vectors, weighted by IDF, of length 1: (n, d).

    texts: those that IDF is counted on; average: (documents, table (V, d), weights (V,)) -> means (N, d)
    """
    weights = _idf(vectors, texts)

    def encode(texts: list[str]) -> np.ndarray:
        ids = []
        for text in texts:
            rows = [vectors.index[word] for word in words_of(text) if word in vectors]
            ids.append(np.array(rows, dtype=int))
        means = np.asarray(average(ids, vectors.unit, weights), dtype=float)
        return means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)

    return encode


def _idf(vectors: WordVectors, texts: list[str]) -> np.ndarray:
    """Return log((1 + n) / (1 + texts with the word)) + 1 for each word that has a vector, (V,)."""
    counts = _texts_with(tuple(texts))
    found = np.array([counts[word] for word in vectors.words])
    return np.log((1 + len(texts)) / (1 + found)) + 1


@lru_cache(maxsize=2)
def _texts_with(texts: tuple[str, ...]) -> Counter:
    """Return in how many texts each word occurs; many tables of vectors are judged on the same texts."""
    return Counter(word for text in texts for word in set(words_of(text)))


def draw_maps(pca: Callable, average: Callable, of_requests: WordVectors, of_messages: WordVectors) -> None:
    """Draw 48 requests of six intents and 48 messages, by the means of their words; print how they lie.

    The last line printed is on the same requests by random vectors, without a map.

    pca: (n, d) -> (n, 2); average: as of `encoder`
    """
    clinc, inbox = load("clinc150"), load("inbox").without_repeats()
    known = [request.text for request in clinc.splits["train"]]
    asked, intents = zip(*[(request.text, request.intent) for request in clinc.splits["test"]], strict=True)
    requests = first_of_each(asked, intents, clinc.intents[::25], 8)
    messages = first_of_each(inbox.texts, np.where(inbox.labels, "spam", "ham"), ["ham", "spam"], 24)
    without_text = random_vectors(of_requests.words, of_requests.matrix.shape[1])
    for name, vectors, idf_of, (texts, labels) in [
        ("requests", of_requests, known, requests),
        ("messages", of_messages, inbox.texts, messages),
        ("requests, random vectors", without_text, known, requests),
    ]:
        means = encoder(vectors, idf_of, average)(texts)
        points = np.asarray(pca(means))
        if vectors is not without_text:
            plots.show(*plots.projection(points, groups=labels))
        print(f"{name}: {nearest_line(means, points, labels)}")


def first_of_each(
    texts: Sequence[str], labels: Sequence[str] | np.ndarray, chosen: list[str], count: int
) -> tuple[list[str], list[str]]:
    """Return the first `count` texts of each chosen label, and their labels."""
    names = np.array(labels)
    rows = np.concatenate([np.flatnonzero(names == label)[:count] for label in chosen])
    return [texts[i] for i in rows], names[rows].tolist()


def nearest_line(means: np.ndarray, points: np.ndarray, labels: list[str]) -> str:
    """Say how many texts have the label of their nearest other text, by their means (n, d) and on a map (n, 2)."""
    centred = means - means.mean(axis=0)
    spread = np.sum((points - points.mean(axis=0)) ** 2) / np.sum(centred**2)
    names = np.array(labels)
    by_all, on_map = (np.mean(names[_nearest(places)] == names) for places in (means, points))
    by_chance = np.mean([labels.count(label) - 1 for label in labels]) / (len(labels) - 1)
    return (
        f"nearest text has the same label: by all {means.shape[1]} numbers {by_all:.2f}, on the map {on_map:.2f}, "
        f"by chance {by_chance:.2f}; the map keeps {spread:.0%} of the spread"
    )


def _nearest(points: np.ndarray) -> np.ndarray:
    """Return the row of the nearest other point for each of points (n, d), (n,)."""
    distances = np.linalg.norm(points[:, None] - points[None], axis=-1)
    np.fill_diagonal(distances, np.inf)
    return distances.argmin(axis=1)


def compare(tables: Mapping[str, WordVectors], texts: list[str], average: Callable, draws: int, every: int = 1) -> str:
    """Let the mean of each table's vectors take the benchmark of intents; returns a table with chapter 01's row.

    The first table's means stand beside TF-IDF in one row more.
    texts: those that IDF is counted on; average: as of `encoder`
    every: with 20, only every twentieth intent is there: for a quick try
    """
    encoders = {}
    for name, vectors in tables.items():  # all exams ask the same questions
        encoders[f"mean of vectors of {name}"] = benchmarks.remembered(encoder(vectors, texts, average))
    first = next(iter(encoders))
    encoders[f"TF-IDF and {first}"] = beside_tf_idf(encoders[first], texts)
    for name, encode in encoders.items():
        print(f"{name}:")
        benchmarks.intents("02", name, benchmarks.linear_probe(encode), draws, every=every)
    return few_labels_table(leaderboard.with_reference(benchmarks.INTENTS), list(encoders))


def beside_tf_idf(encode: Callable, texts: list[str]) -> Callable[[list[str]], sparse.csr_matrix]:
    """Return the encoder whose vectors, of length 1, stand beside TF-IDF, of length 1, too: n texts -> (n, d + V)."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    tf_idf = TfidfVectorizer(token_pattern=WORD.pattern).fit(texts)

    def both(texts: list[str]) -> sparse.csr_matrix:
        return sparse.hstack([sparse.csr_matrix(encode(texts)), tf_idf.transform(texts)]).tocsr()

    return both


def few_labels_table(rows: list[leaderboard.Row], names: list[str]) -> str:
    """Return the accuracy of chapter 02's models of these names, and of chapter 01's, with 1, 5 and 10 labels."""
    wide = max(len(name) for name in names) + 2
    lines = [f"{'accuracy, examples of each intent:':<{wide}}" + "".join(f"{k:>7}" for k in benchmarks.LABELS)]
    scores: dict[str, dict[int, float]] = {}
    for row in rows:
        if row.chapter == "02" and row.model in names:
            scores.setdefault(row.model, {})[row.labels] = row.score
        if row.chapter == "01":
            scores.setdefault("TF-IDF (chapter 01)", {})[row.labels] = row.score
    for name, found in sorted(scores.items(), key=lambda item: item[1].get(1, 0)):
        lines.append(f"{name:<{wide}}" + "".join(f"{found.get(k, np.nan):>7.3f}" for k in benchmarks.LABELS))
    return "\n".join(lines)


def learned_from(trainer: Trainer, kind: type, passes: int, average: Callable) -> benchmarks.Model:
    """Return the model that learns word vectors from the texts it is given, without their labels, and averages them.

    trainer, kind, passes: who trains which model how long; average: as of `encoder`
    """

    def model(texts: list[str], labels: np.ndarray, questions: list[str], seed: int) -> np.ndarray:
        vectors, _ = trainer.train(kind, read_corpus(texts, fewest=2), passes, width=100, reach=5)
        probe = benchmarks.linear_probe(encoder(vectors, texts, average))
        return probe(texts, labels, questions, seed)

    return model
