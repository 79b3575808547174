"""A search by vectors that take fewer bytes: how often the right passage is among the first ten."""

from collections.abc import Callable

import numpy as np
import torch

from helpers.models.docs_encoder import TextEncoder
from helpers.search.task import Task

SHORTLIST, KEPT = 50, 10
# way -> name -> (bytes of a vector in memory, bytes on the disk beside them, recall@10)
Recalls = dict[str, dict[str, tuple[float, float, float]]]


class Store:
    """The vectors of a task's queries and passages, and what is left of the search with fewer bytes for a passage."""

    def __init__(self, task: Task, encoder: TextEncoder):
        self.task = task
        self.queries, self.passages = encoder.encode(task.queries), encoder.encode(task.passages)
        self.numbers = self.passages.shape[1]

    def measured(self, to_bits: Callable, sign_bits: Callable, hamming: Callable, rescore: Callable) -> Recalls:
        """Return bytes and recall@10 by way; the four functions are the student's.

        A short list is rescored by vectors on the disk: in float32, or in eight bits and a scale.
        """
        sizes = [self.numbers, self.numbers // 2, self.numbers // 4, self.numbers // 8]
        signs = [np.asarray(sign_bits(vectors)) for vectors in (self.queries, self.passages)]
        distances, bits = np.asarray(hamming(*signs)), self.numbers / 8
        whole, eight = 4 * self.numbers, self.numbers + 4
        rescored, coarse = (
            self._rescored(distances, rescore, passages) for passages in (self.passages, self._in_bits(8, to_bits))
        )
        return {
            "cut short": {f"first {n}": (4 * n, 0, self._recall(*self._cut(n))) for n in sizes},
            "PCA, then cut": {f"PCA {n}": (4 * n, 0, self._recall(*self._turned(n))) for n in sizes[1:]},
            "fewer bits": {
                f"{b} bits": (self.numbers * b / 8 + 4, 0, self._recall(self.queries, self._in_bits(b, to_bits)))
                for b in (8, 4, 3, 2)
            },
            "signs": {"1 bit": (bits, 0, self.task.measure(-distances.astype(float))[0])},
            "signs, 50 rescored": {"in float32": (bits, whole, rescored), "in 8 bits": (bits, eight, coarse)},
        }

    def _recall(self, queries: np.ndarray, passages: np.ndarray) -> float:
        return self.task.measure(queries @ passages.T)[0]

    def _cut(self, n: int) -> list[np.ndarray]:
        return [_unit(vectors[:, :n]) for vectors in (self.queries, self.passages)]

    def _turned(self, n: int) -> list[np.ndarray]:
        middle = self.passages.mean(axis=0)
        axes = np.linalg.svd(self.passages - middle, full_matrices=False)[2][:n]
        return [_unit((vectors - middle) @ axes.T) for vectors in (self.queries, self.passages)]

    def _in_bits(self, bits: int, to_bits: Callable) -> np.ndarray:
        q, scales = to_bits(torch.from_numpy(self.passages), bits)
        return (q * scales).numpy()

    def _rescored(self, distances: np.ndarray, rescore: Callable, passages: np.ndarray) -> float:
        found = (
            rescore(query, passages, row, SHORTLIST, KEPT) for query, row in zip(self.queries, distances, strict=True)
        )
        return float(np.mean([answer in places for answer, places in zip(self.task.answers, found, strict=True)]))


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def table(recalls: Recalls) -> str:
    """Return a table of the ways: bytes of a passage's vector, gigabytes of a hundred million, recall@10."""
    lines = [f"{'':<32}{'bytes in memory':>17}{'on the disk':>13}{'GB of 100 million':>19}{'recall@10':>11}"]
    for way, points in recalls.items():
        for name, (memory, disk, recall) in points.items():
            gigabytes = (memory + disk) / 10
            lines.append(f"{way + ': ' + name:<32}{memory:>17,.0f}{disk:>13,.0f}{gigabytes:>19,.1f}{recall:>11.3f}")
    return "\n".join(lines)
