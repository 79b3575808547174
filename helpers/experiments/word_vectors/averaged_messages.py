"""Spam in the inbox by averaged word vectors, by TF-IDF, and by both side by side."""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from helpers.course import leaderboard
from helpers.data.corpus import words_of
from helpers.data.messages import Messages
from helpers.models.word_vectors import WordVectors

C = 30.0  # the inverse strength of the classifier's penalty


class SpamTask:
    """Messages to learn from and to judge by, with their TF-IDF. Features come in pairs: of the one part, of the other.

    tfidf: the TF-IDF of words that occur twice, (n, V) sparse; idf: that of each word
    """

    def __init__(self, train: Messages, test: Messages, average_vectors: Callable):
        """average_vectors: (documents, table (V, d), weights (V,)) -> means (N, d)."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer(token_pattern=r"\w+", min_df=2)
        self.train, self.test, self.average_vectors = train, test, average_vectors
        self.tfidf = [vectorizer.fit_transform(train.texts), vectorizer.transform(test.texts)]
        self.idf = dict(zip(vectorizer.get_feature_names_out(), vectorizer.idf_, strict=True))

    def means(self, vectors: WordVectors) -> list[np.ndarray]:
        """Return the messages as means of unit vectors, weighted by IDF, each scaled to length 1: (n, d) each."""
        weights = np.array([self.idf.get(word, 1.0) for word in vectors.words])
        means = []
        for part in (self.train, self.test):
            ids = [np.array([vectors.index[w] for w in words_of(t) if w in vectors], dtype=int) for t in part.texts]
            mean = self.average_vectors(ids, vectors.unit, weights)
            means.append(mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12))
        return means

    def f1(self, features: list) -> float:
        """Return the F1 of spam of a logistic regression on these features."""
        from sklearn.linear_model import LogisticRegression
        from sklearn.metrics import f1_score

        model = LogisticRegression(C=C, max_iter=2000).fit(features[0], self.train.labels)
        return f1_score(self.test.labels, model.predict(features[1]))

    def measure(self, name: str, vectors: WordVectors, beside_tfidf: bool = False) -> None:
        """Print the F1 of spam by averaged vectors, alone or stacked with TF-IDF, and put it into the leaderboard."""
        features = self.means(vectors)
        if beside_tfidf:
            features = [sparse.hstack([a, b]).tocsr() for a, b in zip(self.tfidf, features, strict=True)]
        with leaderboard.measured("02", name, "inbox") as row:
            row.score, row.parameters = self.f1(features), features[0].shape[1] + 1
        print(f"{name:<42} F1 of spam {row.score:.3f}")
