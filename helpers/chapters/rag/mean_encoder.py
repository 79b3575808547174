"""The dense encoder that there was before chapter 07: the mean of a text's word vectors."""

from collections.abc import Sequence

import numpy as np

from helpers.errors import CourseError
from helpers.models import docs_encoder
from helpers.models.word_vectors import WordVectors
from helpers.words import FREQUENT, PARTS


class MeanEncoder:
    """The mean of the docs-vectors of a text's words, rare words more: what there was before chapter 07."""

    def __init__(self):
        self.vectors = WordVectors.load()
        self.weights = np.log(np.arange(len(self.vectors)) + 10.0)  # by rank: Zipf's law makes it an IDF

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return float32 vectors (n, C) of length 1, one for each text."""
        found = np.zeros((len(texts), self.vectors.matrix.shape[1]), dtype=np.float32)
        for i, text in enumerate(texts):
            parts = [part.lower() for part in PARTS.findall(text)]
            rows = [
                self.vectors.index[p] for p in dict.fromkeys(parts) if p in self.vectors.index and p not in FREQUENT
            ]
            if rows:
                found[i] = self.weights[rows] @ self.vectors.unit[rows]
        return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)


def load_encoder():
    """Return an encoder with `encode(texts) -> (n, C)`: docs-encoder of chapter 07 if it is there, else MeanEncoder."""
    try:
        return docs_encoder.load_encoder()
    except CourseError:
        return MeanEncoder()
