"""Search by translation: how probable is the query, if each of its words translates a word of the passage?

Berger and Lafferty (1999), Information retrieval as statistical translation. The table t(w | b), how readily a word w
asks for a text that holds the word b, is IBM's Model 1 (Brown et al. 1993), learned from pairs by expectation
maximisation: words that ask for a text often stand beside it and not in it.
"""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from helpers.data import load
from helpers.words import SENTENCE_END, stems

MAX_WORDS = 200  # words that are read of a text
ROUNDS = 3  # of expectation maximisation; with more, rare words learn their pairs by heart
SELF = 0.3  # how far a word stands for itself; this and the next chosen on valid
TRUST = 0.8  # how far the passage is believed; the rest is for the words of all passages


class Translation:
    """Passages to be searched, and the table t(w | b) learned from pairs of (what asks, what is asked for)."""

    def __init__(self, passages: Sequence[str], pairs: Sequence[tuple[str, str]]):
        from sklearn.feature_extraction.text import CountVectorizer

        asking, asked = zip(*pairs, strict=True)
        self.vectorizer = CountVectorizer(analyzer=lambda text: stems(text)[:MAX_WORDS], dtype=np.float32, min_df=2)
        bodies = _shares(self.vectorizer.fit_transform([*asked, *passages, *asking]))  # (texts, V)
        self.held = bodies[len(pairs) : len(pairs) + len(passages)]  # P(b | passage), (N, V)
        self.table = learned(self.vectorizer.transform(asking).sign(), bodies[: len(pairs)])
        self.everywhere = (np.asarray(self.held.sum(axis=0)).ravel() + 0.01) / len(passages)  # about P(w), (V,)

    def scores(self, queries: Sequence[str]) -> np.ndarray:
        """Return ln P(query | passage) (queries, N); a word that neither pairs nor passages know says nothing."""
        asked = self.vectorizer.transform(queries)
        used = np.unique(asked.indices)
        mixed = SELF * sp.identity(len(self.everywhere), format="csc") + (1 - SELF) * self.table
        found = (self.held @ mixed[:, used]).toarray()  # P(w | passage), (N, used)
        return asked[:, used] @ np.log(TRUST * found + (1 - TRUST) * self.everywhere[used]).T


def learned(asking: sp.csr_matrix, asked: sp.csr_matrix, rounds: int = ROUNDS) -> sp.csc_matrix:
    """Return t(w | b), (V, V), each row of sum 1 or empty.

    asking: 1 for each word of a query; asked: P(b | body), how often a word stands there; both (pairs, V).
    """
    size = asking.shape[1]
    target, source, share, place = _meetings(asking, asked)
    number = np.int32 if size**2 < 2**31 else np.int64  # half the memory
    cells, cell = np.unique(source.astype(number) * number(size) + target, return_inverse=True)
    rows, table = cells // size, np.ones(len(cells))
    for _ in range(rounds):
        part = table[cell] * share
        part /= np.bincount(place, part)[place]  # how much of the query's word each word of the body explains
        table = np.bincount(cell, part)
        table /= np.bincount(rows, table)[rows]
    return sp.csc_matrix((table, (rows, cells % size)), shape=(size, size))


def _meetings(asking: sp.csr_matrix, asked: sp.csr_matrix) -> tuple[np.ndarray, ...]:
    """Return (w, b, P(b | body), number of the query's word) for each word of a query with each of its body."""
    pair = np.repeat(np.arange(asking.shape[0]), np.diff(asking.indptr))
    starts, long = asked.indptr[pair], np.diff(asked.indptr)[pair]
    place = np.repeat(np.arange(len(pair), dtype=np.int32), long)
    inside = np.arange(len(place), dtype=np.int32) + (starts - np.cumsum(long) + long).astype(np.int32)[place]
    return asking.indices[place], asked.indices[inside], asked.data[inside], place


def _shares(counts: sp.csr_matrix) -> sp.csr_matrix:
    from sklearn.preprocessing import normalize

    return normalize(counts.sqrt(), "l1")


def docs_pairs(sentences: int = 2, names: bool = True) -> list[tuple[str, str]]:
    """Return pairs of the kinds that docs-encoder learns from; of valid and test no summary is among them.

    Summary and the rest of the body (train alone); name with signature, and the body, where `names` says so; for each
    document so many sentences, each with all the others.
    """
    docs, draw, pairs = load("docs"), np.random.default_rng(0), []
    for split, documents in docs.pairs().items():
        for name, _, body in documents:
            if split == "train":
                pairs.append((docs[name].summary, body))
            if names:
                pairs.append((f"{name.partition('.')[2]} {docs[name].signature}", body))
            parts = [part for part in SENTENCE_END.split(body) if part.strip()]
            telling = [i for i, part in enumerate(parts) if 4 <= len(part.split()) <= 30]
            for i in draw.permutation(telling)[:sentences]:
                pairs.append((parts[i], " ".join(parts[:i] + parts[i + 1 :])))
    return pairs
