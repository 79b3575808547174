"""A vector store: Qdrant, inside this process or on a server."""

import numpy as np

ROWS = 1000  # vectors that are handed over at once


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
