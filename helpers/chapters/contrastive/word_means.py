"""A text as the mean of its word vectors: the simplest encoder that knows more than words."""

import re
from collections.abc import Sequence

import numpy as np

from helpers.course import artifacts

WORD = re.compile(r"[a-z][a-z0-9_]*")


class WordMeans:
    """The word vectors of the artifact docs-vectors; `encode(texts)` gives a vector for each text."""

    def __init__(self):
        artifact = artifacts.load("docs-vectors", own=False)
        self.vectors = artifact.weights["words"].numpy()  # (V, C)
        self.index = {word: i for i, word in enumerate(artifact.config["vocabulary"])}

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return float32 vectors (n, C) of length 1; a text without a known word has zeros."""
        found = np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        for row, text in zip(found, texts, strict=True):
            ids = [self.index[word] for word in WORD.findall(text.lower()) if word in self.index]
            row[:] = self.vectors[ids].mean(axis=0) if ids else 0
        return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
