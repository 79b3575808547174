"""Dense search: an encoder of texts, and a vector store, Qdrant, inside this process or on a server."""

from collections.abc import Sequence

import numpy as np

from helpers.errors import CourseError
from helpers.models import docs_encoder
from helpers.models.word_vectors import WordVectors
from helpers.words import FREQUENT, PARTS

ROWS = 1000  # vectors that are handed over at once


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


class VectorStore:
    """Vectors in Qdrant: inside this process, or, with `url`, on a server; the rest is the same code."""

    def __init__(self, vectors: np.ndarray, url: str | None = None, name: str = "docs"):
        from qdrant_client import QdrantClient, models

        self.client, self.name = QdrantClient(url=url) if url else QdrantClient(":memory:"), name
        self.remote = bool(url)
        size = models.VectorParams(size=vectors.shape[1], distance=models.Distance.DOT)
        if self.client.collection_exists(name):
            self.client.delete_collection(name)
        self.client.create_collection(name, vectors_config=size)
        for start in range(0, len(vectors), ROWS):  # in parts: as Python numbers they take eight times the memory
            part = np.asarray(vectors[start : start + ROWS], dtype=np.float32).tolist()
            ids = list(range(start, start + len(part)))
            self.client.upsert(name, models.Batch(ids=ids, vectors=part), wait=True)

    def search(self, query: np.ndarray, k: int = 10) -> list[tuple[int, float]]:
        """Return the k best (row, dot product), the best first; `exact`: no approximate index on a server, either."""
        from qdrant_client import models

        exact = models.SearchParams(exact=True) if self.remote else None  # inside the process it always is
        found = self.client.query_points(self.name, query=query.tolist(), limit=k, search_params=exact)
        return [(point.id, point.score) for point in found.points]
