"""Approximate search: vectors in lists of which a question reads few (IVF), beside exact search and FAISS."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from helpers.chapters.rag.search_cost import median_ms
from helpers.device import SEED

K = 10  # of the exact search, how many of these are found
PROBES = (1, 2, 4, 8, 16, 32)  # lists that a question reads


class InvertedFile:
    """Vectors (N, C) in about sqrt(N) lists, each around a centre (J. Sivic, A. Zisserman 2003).

    The centres are those of k-means, learned from every fourth vector.
    """

    def __init__(self, vectors: np.ndarray):
        from sklearn.cluster import KMeans

        self.vectors = vectors
        means = KMeans(round(np.sqrt(len(vectors))), n_init=1, max_iter=20, random_state=SEED).fit(vectors[::4])
        nearest = means.predict(vectors)
        self.centres = means.cluster_centers_
        self.lists = [np.flatnonzero(nearest == i) for i in range(len(self.centres))]

    def read(self, query: np.ndarray, probes: int) -> np.ndarray:
        """Return the rows in the lists of the `probes` centres that are nearest to a query (C,)."""
        closest = np.argsort(-(self.centres @ query))[:probes]
        return np.concatenate([self.lists[i] for i in closest])

    def search(self, query: np.ndarray, k: int, probes: int) -> np.ndarray:
        """Return the rows of the k largest dot products with a query (C,) among those that are read."""
        rows = self.read(query, probes)
        return rows[np.argsort(-(self.vectors[rows] @ query))[:k]]


class Point(NamedTuple):
    """One setting of a search: its recall of the exact ten, milliseconds a question, the share of vectors it reads."""

    recall: float
    ms: float
    read: float


def compare(vectors: np.ndarray, queries: np.ndarray, dense_top: Callable) -> dict[str, list[Point]]:
    """Return {search: its points} for queries (Q, C): exact, our inverted file, FAISS's two where it is installed."""
    truth, ms = _timed(lambda query: dense_top(query[None], vectors, K)[0][0], queries)
    ours = InvertedFile(vectors)
    points = {"exact": [Point(1.0, ms, 1.0)], "inverted file": []}
    for probes in PROBES:
        found, ms = _timed(lambda query, probes=probes: ours.search(query, K, probes), queries)
        read = np.mean([len(ours.read(query, probes)) for query in queries]) / len(vectors)
        points["inverted file"].append(Point(_recall(found, truth), ms, float(read)))
    return points | _of_faiss(vectors, queries, truth)


def _of_faiss(vectors: np.ndarray, queries: np.ndarray, truth: list) -> dict[str, list[Point]]:
    """Return the points of the library's inverted file and of its HNSW graph; none where it is not installed."""
    try:
        import faiss
    except ImportError:
        return {}
    vectors = np.ascontiguousarray(vectors, dtype=np.float32)
    dimensions, lists = vectors.shape[1], round(np.sqrt(len(vectors)))
    file = faiss.IndexIVFFlat(faiss.IndexFlatIP(dimensions), dimensions, lists, faiss.METRIC_INNER_PRODUCT)
    file.cp.min_points_per_centroid = 1  # a part of the docs has few; it would only warn
    file.train(vectors[::4])
    graph = faiss.IndexHNSWFlat(dimensions, 16, faiss.METRIC_INNER_PRODUCT)
    points: dict[str, list[Point]] = {"FAISS, inverted file": [], "FAISS, HNSW": []}
    for index in (file, graph):
        index.add(vectors)
    for probes in PROBES:
        file.nprobe, graph.hnsw.efSearch = probes, K * probes
        for name, index in zip(points, (file, graph), strict=True):
            found, ms = _timed(lambda query, index=index: index.search(query[None], K)[1][0], queries)
            points[name].append(Point(_recall(found, truth), ms, np.nan))
    return points


def _timed(search: Callable, queries: np.ndarray) -> tuple[list, float]:
    """Return what a search finds for each query, and the median of its milliseconds."""
    queries = np.ascontiguousarray(queries, dtype=np.float32)
    found = [search(query) for query in queries]
    return found, median_ms(search, [(query,) for query in queries])


def _recall(found: list, truth: list) -> float:
    """Return which share of the rows of the exact search another one found."""
    shares = [np.isin(right, some).mean() for some, right in zip(found, truth, strict=True)]
    return float(np.mean(shares))


def approximate_table(points: Mapping[str, list[Point]]) -> str:
    """Return a line for each setting of each search, as text."""
    lines = [f"{'search':<24}{'recall of the exact ten':>24}{'ms a question':>15}{'vectors read':>14}"]
    for name, settings in points.items():
        for point in settings:
            read = "" if np.isnan(point.read) else f"{point.read:.1%}"
            lines.append(f"{name:<24}{point.recall:>24.3f}{point.ms:>15.2f}{read:>14}")
    return "\n".join(lines)
