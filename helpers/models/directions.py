"""Texts as their strongest directions: TF-IDF, cut by a truncated SVD (LSI, Deerwester et al. 1990)."""

from collections.abc import Sequence

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

from helpers.device import SEED


class Directions:
    """TF-IDF vectors of length 1 in their `size` strongest directions, learned from texts."""

    def __init__(self, texts: Sequence[str], size: int):
        self.tfidf = TfidfVectorizer(sublinear_tf=True).fit(texts)
        self.svd = TruncatedSVD(size, random_state=SEED).fit(self.tfidf.transform(texts))

    @property
    def parameters(self) -> int:
        """How many numbers the directions hold."""
        return self.svd.components_.size

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return vectors of length 1 of texts, (texts, size); 0 for a text without a known word."""
        found = self.svd.transform(self.tfidf.transform(texts))
        return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
