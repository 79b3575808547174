"""The fixed search task of the docs: what encoders are measured by."""

from dataclasses import dataclass

import numpy as np

from helpers.data import Retrieval, load

QUERIES, PASSAGES = 500, 6000


@dataclass(frozen=True)
class Task:
    """queries: first sentences. passages: bodies without them. answers: (queries,) the place of each one's passage."""

    names: list[str]
    queries: list[str]
    passages: list[str]
    answers: np.ndarray

    def ranks(self, scores: np.ndarray) -> np.ndarray:
        """Return the rank of each right passage, 1 is best, for scores (queries, passages); ties count against it."""
        right = scores[np.arange(len(scores)), self.answers]
        return np.maximum((scores >= right[:, None]).sum(axis=1), 1)

    def measure(self, scores: np.ndarray) -> tuple[float, float]:
        """Return (recall@10, MRR@10)."""
        ranks = self.ranks(scores)
        return float((ranks <= 10).mean()), float(((ranks <= 10) / ranks).mean())


def docs_task(split: str = "test", queries: int = QUERIES, passages: int = PASSAGES) -> Task:
    """Return the fixed task: some queries of a split of `docs_search`, and their passages among others of all splits.

    Drawn once, by a generator seeded with 0: it is always the same.
    """
    search: Retrieval = load("docs_search")
    draw = np.random.default_rng(0)
    asked = sorted(draw.choice(sorted(search.queries[split]), min(queries, len(search.queries[split])), replace=False))
    others = sorted(set(search.passages) - set(asked))
    held = sorted([*asked, *draw.choice(others, max(passages - len(asked), 0), replace=False)])
    place = {name: i for i, name in enumerate(held)}
    return Task(
        [str(name) for name in asked],
        [search.queries[split][name] for name in asked],
        [search.passages[name].text for name in held],
        np.array([place[name] for name in asked]),
    )
