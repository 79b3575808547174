"""BM25 by hand beside the library rank_bm25, whose IDF differs: ours is exchanged for it."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

Index = Mapping[str, tuple[np.ndarray, np.ndarray]]  # {word: (numbers (n,), BM25 weights (n,))}


def lucene_idf(index: Index, num_documents: int) -> dict[str, float]:
    """Return ln(1 + (N - n + 0.5) / (n + 0.5)) of each word of an inverted index, as Lucene has it."""
    return {w: math.log(1 + (num_documents - len(n) + 0.5) / (len(n) + 0.5)) for w, (n, _) in index.items()}


def with_idf(index: Index, idf: Mapping[str, float], num_documents: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the index with weights of another IDF in the place of Lucene's."""
    lucene = lucene_idf(index, num_documents)
    factors = {word: idf[word] / lucene[word] for word in index}
    return {word: (numbers, np.asarray(weights) * factors[word]) for word, (numbers, weights) in index.items()}


def rank_bm25_scores(documents: Sequence[Sequence[str]], query: Sequence[str]) -> tuple[np.ndarray, dict[str, float]]:
    """Return the library's scores of N tokenised documents (N,) for a query (k1 = 1.2, b = 0.75), and its IDF."""
    from rank_bm25 import BM25Okapi

    okapi = BM25Okapi(documents, k1=1.2, b=0.75)
    return okapi.get_scores(query), okapi.idf
