"""The capstone's frame: search by words and by vectors, and what its parts are made of."""

from collections.abc import Callable, Sequence

import numpy as np

from helpers.chapters.lora.answering import Answering
from helpers.course import artifacts
from helpers.data.docs import Docs
from helpers.errors import CourseError
from helpers.models import docs_encoder
from helpers.models.docs_reader import Span
from helpers.models.gpt import chosen
from helpers.search.bm25 import BM25
from helpers.words import stems

MADE_BY = {"docs-tokenizer": "06", "docs-gpt": "05", "docs-encoder": "07"}
READ = 2000  # characters of a document that are searched


def parts_used() -> list[str]:
    """Say, a line each, which artifacts are the student's own and for which the reference stands in."""
    return [f"{name:<16}{origin(name, chapter)}" for name, chapter in MADE_BY.items()]


def origin(name: str, chapter: str) -> str:
    """Say whose an artifact is: "your own", the course's, or that there is none."""
    try:
        own = artifacts.load(name).own
    except CourseError:
        return f"there is none yet (chapter {chapter}): the search goes by words alone"
    if name == "docs-gpt" and own and not chosen().own:
        return "the course's"  # `chosen` has said why
    return "your own" if own else f"the course's (chapter {chapter} saves yours)"


def load_encoder():
    """Return the docs-encoder, with `encode(texts) -> (n, C)` of length 1, or None where there is none."""
    try:
        return docs_encoder.load_encoder()
    except CourseError:
        return None


class Assistant(Answering):
    """Search by words and by the docs-encoder, and a reader."""

    def __init__(self, docs: Docs, read: Callable[[str, list[str]], Sequence[Span]], encoder=None):
        """Index the docs; `read(question, passages)` gives a span of each; `encoder` defaults to the docs-encoder."""
        texts = [document.text[:READ] for document in docs]
        super().__init__(docs, read, BM25(texts))
        self.encoder = encoder or load_encoder()
        self.vectors = self.encoder.encode(texts) if self.encoder else None

    def scores(self, question: str) -> np.ndarray:
        """Return the scores by words and, with an encoder, by vectors: (1, N) or (2, N)."""
        words = " ".join(dict.fromkeys(stems(question)))  # each word counts once
        scores = [self.words.scores([words])]
        if self.encoder:
            scores.append(self.encoder.encode([question]) @ self.vectors.T)
        return np.concatenate(scores)
