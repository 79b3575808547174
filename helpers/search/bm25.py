"""BM25, fast enough for thousands of queries: what encoders are measured against."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from helpers.words import stems


class BM25:
    """BM25 (Robertson and Zaragoza 2009) over passages, as one sparse matrix of V words by N passages.

    idf is ln(1 + (N - n + 0.5) / (n + 0.5)), as in Lucene, which is never negative; k1 and b are Lucene's, too.
    """

    def __init__(self, passages: Sequence[str], tokenize: Callable = stems, k1: float = 1.2, b: float = 0.75):
        from sklearn.feature_extraction.text import CountVectorizer

        self.vectorizer = CountVectorizer(analyzer=tokenize, dtype=np.float32)
        counts = self.vectorizer.fit_transform(passages).tocoo()  # (N, V)
        n, lengths = counts.shape[0], np.asarray(counts.sum(axis=1)).ravel()
        held = np.bincount(counts.col, minlength=counts.shape[1])
        idf = np.log1p((n - held + 0.5) / (held + 0.5))
        self.idf = dict(zip(self.vectorizer.get_feature_names_out().tolist(), idf.tolist(), strict=True))
        long = k1 * (1 - b + b * lengths / max(lengths.mean(), 1e-9))
        counts.data *= (k1 + 1) / (counts.data + long[counts.row]) * idf[counts.col]
        self.weights = counts.T.tocsr()  # (V, N): a query reads the rows of its words alone

    def held(self) -> list[frozenset[str]]:
        """Return the words of each passage."""
        by_passage = self.weights.T.tocsr()
        words, ends = self.vectorizer.get_feature_names_out().tolist(), by_passage.indptr.tolist()
        columns = by_passage.indices.tolist()
        named = [words[i] for i in columns]
        return [frozenset(named[a:b]) for a, b in pairwise(ends)]

    def scores(self, queries: Sequence[str]) -> np.ndarray:
        """Return the scores (queries, N); a word that a query repeats counts as often."""
        return (self.vectorizer.transform(queries) @ self.weights).toarray()
