"""Texts as the mean of their word vectors, and models for the course's benchmarks that are built on such means."""

from collections.abc import Callable, Mapping

import numpy as np

from helpers.chapters.word_vectors.corpus import read_corpus, words_of
from helpers.chapters.word_vectors.word2vec import Trainer
from helpers.course import benchmarks
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
    found = np.zeros(len(vectors))
    for text in texts:
        found[[vectors.index[w] for w in set(words_of(text)) if w in vectors]] += 1
    return np.log((1 + len(texts)) / (1 + found)) + 1


def compare(tables: Mapping[str, WordVectors], texts: list[str], average: Callable, draws: int, every: int = 1) -> None:
    """Let the mean of each table's vectors take the benchmark of intents, and counts of words beside them.

    texts: those that IDF is counted on; average: as of `encoder`
    every: with 20, only every twentieth intent is there: for a quick try
    """
    for name, vectors in tables.items():
        probe = benchmarks.linear_probe(encoder(vectors, texts, average))
        benchmarks.intents("02", f"mean of vectors of {name}", probe, draws, every=every)
    benchmarks.intents("02", "counts of words", counts, draws, every=every)


def counts(texts: list[str], labels: np.ndarray, questions: list[str], seed: int) -> np.ndarray:
    """Learn from counts of words and return the labels of the questions: the rival without any meaning."""
    from sklearn.feature_extraction.text import CountVectorizer

    bags = CountVectorizer(token_pattern=r"\w+").fit(texts)
    return benchmarks.linear_probe(bags.transform, C=1.0)(texts, labels, questions, seed)


def learned_from(trainer: Trainer, kind: type, passes: int, average: Callable) -> benchmarks.Model:
    """Return the model that learns word vectors from the texts it is given, without their labels, and averages them.

    trainer, kind, passes: who trains which model how long; average: as of `encoder`
    """

    def model(texts: list[str], labels: np.ndarray, questions: list[str], seed: int) -> np.ndarray:
        vectors, _ = trainer.train(kind, read_corpus(texts, fewest=2), passes, width=100, reach=5)
        probe = benchmarks.linear_probe(encoder(vectors, texts, average))
        return probe(texts, labels, questions, seed)

    return model
