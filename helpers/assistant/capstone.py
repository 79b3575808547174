"""The capstone's frame: search by words and by vectors, fused, and a reader for what was found."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from helpers.course import artifacts
from helpers.data.docs import Docs, Document
from helpers.errors import CourseError
from helpers.models import docs_encoder
from helpers.models.gpt import chosen
from helpers.search.bm25 import BM25
from helpers.search.fusion import fused
from helpers.words import stems

MADE_BY = {"docs-tokenizer": "06", "docs-gpt": "05", "docs-encoder": "07"}
READ = 2000  # characters of a document that are searched


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
    if name == "docs-gpt" and own and not chosen().own:
        return "the reference"  # `chosen` has said why
    return "your own" if own else f"the reference: chapter {chapter} has not saved one of yours"


def load_encoder():
    """Return the docs-encoder, with `encode(texts) -> (n, C)` of length 1, or None where there is none."""
    try:
        return docs_encoder.load_encoder()
    except CourseError:
        return None


class Assistant:
    """Search and reader over the docs."""

    def __init__(self, docs: Docs, read: Callable[[str, str], str], encoder=None):
        """Index the docs; `read(passage, question)` returns an answer; `encoder` defaults to the docs-encoder."""
        self.documents, self.read = list(docs), read
        texts = [document.text[:READ] for document in self.documents]
        self.words = BM25(texts, stems, k1=1.2)
        self.encoder = encoder or load_encoder()
        self.vectors = self.encoder.encode(texts) if self.encoder else None

    def search(self, question: str, k: int = 5) -> list[Document]:
        """Return the k best documents: the ranks by words and by vectors, fused."""
        scores = [self.words.scores([" ".join(dict.fromkeys(stems(question)))])]  # each word counts once
        if self.encoder:
            scores.append(self.encoder.encode([question]) @ self.vectors.T)
        return [self.documents[i] for i in np.argsort(-fused(*scores)[0], kind="stable")[:k]]

    def passage(self, document: Document, question: str, size: int = 60) -> str:
        """Return the part of a document, `size` words, that holds most of the question's words, rare ones more."""
        told, asked = document.text.split(), set(stems(question))
        weights = [sum(self.words.idf.get(stem, 0.0) for stem in set(stems(word)) & asked) for word in told]
        sums = np.convolve(weights, np.ones(size))[: len(told)] if told else np.zeros(1)
        last = int(sums.argmax()) + 1
        return " ".join(told[max(last - size, 0) : max(last, size)])

    def ask(self, question: str, k: int = 5) -> Reply:
        """Find documents, read the best one, answer."""
        found = self.search(question, k)
        passage = self.passage(found[0], question)
        return Reply(self.read(passage, question), [document.name for document in found], passage)
