"""The fixed search task of the docs, and BM25 fast enough for it: what encoders are measured by and against."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from helpers.data import Retrieval, load

QUERIES, PASSAGES = 500, 6000
# Those of Lucene's English analyser.
LUCENE = """a an and are as at be but by for if in into is it no not of on or such that the their then there these they
this to was will with"""
STOP_WORDS = frozenset(LUCENE.split())
WORD, PIECE = re.compile(r"[a-z0-9_]+"), re.compile(r"[a-z]+|[0-9]+")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|\n\s*\n")  # where a body is cut for rough pairs


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

    Drawn once, by a generator seeded with 0; with the same versions of the libraries it is always the same.
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


def words_and_pieces(text: str) -> list[str]:
    """Return the words in lower case, and of a name such as matrix_rank its pieces, too."""
    words = WORD.findall(text.lower())
    return [p for word in words for p in ([word] if PIECE.fullmatch(word) else [word, *PIECE.findall(word)])]


def plain_words(text: str) -> list[str]:
    """Return the words and numbers of a text in lower case, without Lucene's stop words."""
    return [word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in STOP_WORDS]


class BM25:
    """BM25 (Robertson and Zaragoza 2009) over passages, as one sparse matrix: N passages by V words.

    idf is ln(1 + (N - n + 0.5) / (n + 0.5)), as in Lucene, which is never negative.
    """

    def __init__(
        self, passages: Sequence[str], tokenize: Callable = words_and_pieces, k1: float = 1.5, b: float = 0.75
    ):
        from sklearn.feature_extraction.text import CountVectorizer

        self.vectorizer = CountVectorizer(analyzer=tokenize, dtype=np.float32)
        counts = self.vectorizer.fit_transform(passages).tocoo()  # (N, V)
        n, lengths = counts.shape[0], np.asarray(counts.sum(axis=1)).ravel()
        held = np.bincount(counts.col, minlength=counts.shape[1])
        idf = np.log1p((n - held + 0.5) / (held + 0.5))
        self.idf = dict(zip(self.vectorizer.get_feature_names_out().tolist(), idf.tolist(), strict=True))
        long = k1 * (1 - b + b * lengths / max(lengths.mean(), 1e-9))
        counts.data *= (k1 + 1) / (counts.data + long[counts.row]) * idf[counts.col]
        self.weights = counts.tocsr()

    def scores(self, queries: Sequence[str]) -> np.ndarray:
        """Return the scores (queries, N); a word that a query repeats counts as often."""
        return (self.vectorizer.transform(queries) @ self.weights.T).toarray()


def fused(*scores: np.ndarray, k: int = 60) -> np.ndarray:
    """Return the reciprocal rank fusion (Cormack et al. 2009) of several (queries, passages): sum of 1 / (k + rank)."""
    ranks = [(-s).argsort(axis=1, kind="stable").argsort(axis=1) + 1 for s in scores]
    return sum(1.0 / (k + r) for r in ranks)


def summed(*scores: np.ndarray) -> np.ndarray:
    """Return the sum of several (queries, passages), each brought to mean 0 and deviation 1 for each query.

    Unlike the ranks of `fused`, it keeps how far ahead of the others a passage is.
    """
    return sum((s - s.mean(axis=1, keepdims=True)) / (s.std(axis=1, keepdims=True) + 1e-9) for s in scores)
