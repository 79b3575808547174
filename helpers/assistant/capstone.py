"""The capstone's frame: search by words and by vectors, what was found put in order, and a reader for it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from helpers.course import artifacts
from helpers.data.docs import Docs, Document
from helpers.data.questions import Question
from helpers.errors import CourseError
from helpers.models import docs_encoder
from helpers.models.docs_reader import Span
from helpers.models.gpt import chosen
from helpers.search.bm25 import BM25
from helpers.search.clues import Clues
from helpers.search.fusion import fused
from helpers.search.ranker import Ranker
from helpers.words import stems

MADE_BY = {"docs-tokenizer": "06", "docs-gpt": "05", "docs-encoder": "07"}
READ = 2000  # characters of a document that are searched
WORDS = 200  # of the passage that is read of a document
SIGNATURE = 200  # characters of a signature that a passage begins with


class Passage(NamedTuple):
    """A part of a document: the document's name, and its name, signature and some of its words."""

    name: str
    text: str


class Reply(NamedTuple):
    """What the assistant says.

    answer:   words of a passage, as they stand there
    number:   of that passage, from 1
    score:    how sure the reader is of them, less how sure that no words answer, in nats
    passages: what was found and read, best first
    spans:    what the reader points at in each
    """

    answer: str
    number: int
    score: float
    passages: list[Passage]
    spans: Sequence[Span]

    def said(self, threshold: float) -> str:
        """Return "words [2] numpy.mean", or that it does not know where the score is below the threshold."""
        if not self.answer or self.score < threshold:
            return "I do not know."
        return f"{self.answer} [{self.number}] {self.passages[self.number - 1].name}"


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


class Assistant:
    """Search and reader over the docs."""

    def __init__(self, docs: Docs, read: Callable[[str, list[str]], Sequence[Span]], encoder=None):
        """Index the docs; `read(question, passages)` gives a span of each; `encoder` defaults to the docs-encoder."""
        self.documents, self.read = list(docs), read
        texts = [document.text[:READ] for document in self.documents]
        self.words = BM25(texts, stems, k1=1.2)
        self.encoder = encoder or load_encoder()
        self.vectors = self.encoder.encode(texts) if self.encoder else None
        self.ranker: Ranker | None = None

    def learn(self, questions: Sequence[Question]) -> None:
        """Learn to put what is found in order, from questions of which the right documents are known."""
        clues = Clues(self.documents, self.words.held())
        examples = ((q.question, self.scores(q.question), set(q.documents)) for q in questions)
        self.ranker = Ranker(clues, self.words.idf, examples)

    def scores(self, question: str) -> np.ndarray:
        """Return the scores by words and, with an encoder, by vectors: (1, N) or (2, N)."""
        scores = [self.words.scores([" ".join(dict.fromkeys(stems(question)))])]  # each word counts once
        scores += [self.encoder.encode([question]) @ self.vectors.T] if self.encoder else []
        return np.concatenate(scores)

    def search(self, question: str, k: int = 5) -> tuple[list[Document], list[float]]:
        """Return the k best documents, and the logarithm of the odds that each is right (0 before it has learned)."""
        scores = self.scores(question)
        if self.ranker:
            best, odds = self.ranker.order(question, scores)
        else:
            best, odds = np.argsort(-fused(*scores[:, None])[0], kind="stable")[:k], np.zeros(k)
        return [self.documents[i] for i in best[:k]], odds[:k].tolist()

    def passage(self, document: Document, question: str) -> Passage:
        """Return the part of a document that holds most of the question's words, rare ones more."""
        told, asked = document.body.split(), set(stems(question))
        weights = [sum(self.words.idf.get(stem, 0.0) for stem in set(stems(word)) & asked) for word in told]
        sums = np.convolve(weights, np.ones(WORDS))[: len(told)] if told else np.zeros(1)
        last = int(sums.argmax()) + 1
        part = " ".join(told[max(last - WORDS, 0) : max(last, WORDS)])
        return Passage(document.name, f"{document.name}{document.signature[:SIGNATURE]}\n{part}")

    def ask(self, question: str, k: int = 5) -> Reply:
        """Find k documents, read a passage of each, and answer with words that are likely right in a document that is.

        Which words: how sure the reader is of them, plus the logarithm of the odds of their document.
        """
        documents, odds = self.search(question, k)
        passages = [self.passage(document, question) for document in documents]
        spans = self.read(question, [passage.text for passage in passages])
        best = max(range(len(spans)), key=lambda i: spans[i].score + odds[i])
        return Reply(spans[best].text, best + 1, spans[best].score, passages, spans)
