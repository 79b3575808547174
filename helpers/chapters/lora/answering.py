"""An assistant over the docs: what a search finds is put in order, sections of it are read, and words of one answer."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from helpers.assistant.generators import UNKNOWN
from helpers.chapters.lora.ranker import Ranker
from helpers.chapters.lora.sections import sections
from helpers.data.docs import Document
from helpers.data.questions import Question
from helpers.models.docs_reader import Span
from helpers.search.bm25 import BM25
from helpers.search.clues import Clues
from helpers.search.fusion import fused
from helpers.words import stems

SECTION, MAX_SECTIONS = 120, 3  # words of a section, and the sections that are read of a document
SIGNATURE = 200  # characters of a signature that a passage begins with
CLOSE = 3.0  # documents with log odds so far below the best one's are not read: they are 20 times less likely
THRESHOLD = 2.32  # the score from which on it answers: chosen by datasets/reference/assistant_measure.py


class Passage(NamedTuple):
    """A section of a document: the document's name, and its name, signature and the section."""

    name: str
    text: str


class Reply(NamedTuple):
    """What the assistant says.

    answer:   words of a passage, as they stand there
    number:   of that passage, from 1
    score:    how sure the reader is of them, less how sure that no words answer, and the log odds of the document
    passages: what was found and read, best first
    spans:    what the reader points at in each
    odds:     the logarithm of the odds that the document of each is right
    """

    answer: str
    number: int
    score: float
    passages: list[Passage]
    spans: Sequence[Span]
    odds: Sequence[float]

    def cited(self, threshold: float = THRESHOLD) -> str:
        """Return "words [2] numpy.mean", or that it does not know where the score is below the threshold."""
        if not self.answer or self.score < threshold:
            return UNKNOWN
        return f"{self.answer} [{self.number}] {self.passages[self.number - 1].name}"


class Answering:
    """What chapters 08 and 09 have in common; each brings its searches, as `scores`.

    documents: what is searched; read(question, passages) gives a span of each passage
    words:     the search by words, whose weights tell which sections to read
    """

    def __init__(self, documents: Sequence[Document], read: Callable[[str, list[str]], Sequence[Span]], words: BM25):
        self.documents, self.read, self.words = list(documents), read, words
        self.ranker: Ranker | None = None

    def scores(self, question: str) -> np.ndarray:
        """Return the scores (S, N) of the documents by S searches, of which the first is by words."""
        raise NotImplementedError

    def learn(self, questions: Sequence[Question]) -> None:
        """Learn to put what is found in order, from questions of which the right documents are known."""
        clues = Clues(self.documents, self.words.held())
        examples = ((q.question, self.scores(q.question), set(q.documents)) for q in questions)
        self.ranker = Ranker(clues, self.words.idf, examples)

    def search(self, question: str, k: int = 5) -> tuple[list[Document], list[float]]:
        """Return the k best documents, and the logarithm of the odds that each is right (0 before it has learned)."""
        scores = self.scores(question)
        if self.ranker:
            best, odds = self.ranker.order(question, scores)
        else:
            best, odds = np.argsort(-fused(*scores[:, None])[0], kind="stable"), np.zeros(scores.shape[1])
        return [self.documents[i] for i in best[:k]], odds[:k].tolist()

    def passages(self, document: Document, question: str) -> list[Passage]:
        """Return the sections of a document that hold most of the question's words, rare ones more, in its order."""
        parts = sections(document.body, SECTION) or [""]
        asked = set(stems(question))
        weights = [self._weight(asked & set(stems(part))) for part in parts]
        best = sorted(np.argsort(-np.array(weights), kind="stable")[:MAX_SECTIONS])
        head = f"{document.name}{document.signature[:SIGNATURE]}"
        return [Passage(document.name, f"{head}\n{parts[i]}") for i in best]

    def _weight(self, words: set[str]) -> float:
        """Return the sum of the words' IDF, in their order, since a sum of floats depends on it."""
        return sum(self.words.idf.get(word, 0.0) for word in sorted(words))

    def ask(self, question: str, k: int = 5) -> Reply:
        """Find k documents, read sections of the likely ones, and answer with words likely right in a document that is.

        Which words: how sure the reader is of them, plus the logarithm of the odds of their document.
        """
        documents, odds = self.search(question, k)
        likely = [
            (document, log_odds)
            for document, log_odds in zip(documents, odds, strict=True)
            if log_odds >= odds[0] - CLOSE
        ]
        pairs = [(passage, log_odds) for document, log_odds in likely for passage in self.passages(document, question)]
        passages, odds = zip(*pairs, strict=True)
        spans = self.read(question, [passage.text for passage in passages])
        scores = [span.score + log_odds for span, log_odds in zip(spans, odds, strict=True)]
        best = int(np.argmax(scores))
        return Reply(spans[best].text, best + 1, scores[best], list(passages), spans, odds)
