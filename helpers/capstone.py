"""The capstone's frame: search by words and by vectors, fused, and a reader for what was found."""

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import sparse

from helpers import artifacts
from helpers.data.docs import Docs, Document
from helpers.errors import CourseError

PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")  # matrix_rank and MatrixRank: matrix, rank
MADE_BY = {"docs-tokenizer": "06", "docs-gpt": "05", "docs-encoder": "07"}
READ = 2000  # characters of a document that are searched
K1, B = 1.2, 0.75
SMOOTH = 60  # of reciprocal rank fusion (Cormack, Clarke, Buettcher 2009)


class Reply(NamedTuple):
    """What the assistant says: the answer, the names of the documents found, best first, and the passage it read."""

    answer: str
    names: list[str]
    passage: str


def parts_used() -> list[str]:
    """Say, a line each, which artifacts are the student's own and for which the reference stands in."""
    return [f"{name:<16}{_origin(name, chapter)}" for name, chapter in MADE_BY.items()]


def _origin(name: str, chapter: str) -> str:
    try:
        own = artifacts.load(name).own
    except CourseError:
        return f"there is none yet (chapter {chapter}): the search goes by words alone"
    return "your own" if own else f"the reference: chapter {chapter} has not saved one of yours"


def pieces(text: str) -> list[str]:
    """Return the words of a text in small letters, names cut at capitals, digits and underscores."""
    return [piece.lower() for piece in PIECES.findall(text)]


def load_encoder():
    """Return the docs-encoder, with `encode(texts) -> (n, C)` of length 1, or None where there is none."""
    try:
        from helpers import encoder

        return encoder.load_encoder()
    except (ImportError, CourseError):
        return None


class Assistant:
    """Search and reader over the docs."""

    def __init__(self, docs: Docs, read: Callable[[str, str], str], encoder=None):
        """Index the docs; `read(passage, question)` returns an answer; `encoder` defaults to the docs-encoder."""
        self.documents, self.read = list(docs), read
        texts = [document.text[:READ] for document in self.documents]
        self.index, self.columns, self.idf = _index(texts)
        self.encoder = encoder or load_encoder()
        self.vectors = self.encoder.encode(texts) if self.encoder else None

    def search(self, question: str, k: int = 5) -> list[Document]:
        """Return the k best documents: the ranks by words and by vectors, fused."""
        asked = [self.columns[word] for word in set(pieces(question)) if word in self.columns]
        scores = [np.asarray(self.index[:, asked].sum(axis=1)).ravel()]
        if self.encoder:
            scores.append(self.vectors @ self.encoder.encode([question])[0])
        fused = sum(1 / (SMOOTH + _ranks(score)) for score in scores)
        return [self.documents[i] for i in np.argsort(-fused, kind="stable")[:k]]

    def passage(self, document: Document, question: str, size: int = 60) -> str:
        """Return the part of a document, `size` words, that holds most of the question's words, rare ones more."""
        words, asked = document.text.split(), set(pieces(question))
        weights = [sum(self.idf.get(p, 0.0) for p in set(pieces(word)) & asked) for word in words]
        sums = np.convolve(weights, np.ones(size))[: len(words)] if words else np.zeros(1)
        last = int(sums.argmax()) + 1
        return " ".join(words[max(last - size, 0) : max(last, size)])

    def ask(self, question: str, k: int = 5) -> Reply:
        """Find documents, read the best one, answer."""
        found = self.search(question, k)
        passage = self.passage(found[0], question)
        return Reply(self.read(passage, question), [document.name for document in found], passage)


def _ranks(scores: np.ndarray) -> np.ndarray:
    """The rank of each score, 1 is best; equal ones in their order."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return ranks


def _index(texts: list[str]) -> tuple[sparse.csc_matrix, dict[str, int], dict[str, float]]:
    """Return (BM25 weights (documents, words), the column of each word, its IDF); Robertson, Zaragoza 2009."""
    counts = [Counter(pieces(text)) for text in texts]
    columns = {word: i for i, word in enumerate(dict.fromkeys(word for count in counts for word in count))}
    lengths = np.array([count.total() for count in counts], dtype=float)
    rows = np.repeat(np.arange(len(texts)), [len(count) for count in counts])
    places = np.array([columns[word] for count in counts for word in count], dtype=int)
    tf = np.array([n for count in counts for n in count.values()], dtype=float)
    having = np.bincount(places, minlength=len(columns))
    idf = np.log(1 + (len(texts) - having + 0.5) / (having + 0.5))
    norm = K1 * (1 - B + B * lengths / max(lengths.mean(), 1))
    weights = idf[places] * tf * (K1 + 1) / (tf + norm[rows])
    matrix = sparse.csc_matrix((weights, (rows, places)), shape=(len(texts), len(columns)))
    return matrix, columns, dict(zip(columns, idf.tolist(), strict=True))
