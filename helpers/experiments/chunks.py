"""Documents cut into chunks, and what the cut does to the answers of questions."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from helpers.data.docs import Docs, Document
from helpers.data.questions import Question
from helpers.words import stems

WORD = re.compile(r"\w+")
TITLE = 200  # characters of a signature that a chunk's title keeps


def flat(text: str) -> str:
    """Return the text with one blank for each stretch of blanks."""
    return " ".join(text.split())


def lower_words(text: str) -> list[str]:
    """Return the words of a text in lower case, as answers are compared by."""
    return WORD.findall(text.lower())


class Corpus:
    """Documents and their chunks, which a search finds.

    documents: N of them. names: their names. place: {name: number of the document}
    chunks:    [(name and signature of the document, text), ...]
    owners:    (chunks,) the number of each chunk's document
    words:     the words of each chunk, its title's first
    first_chunk: {name: the number of the document's first chunk}; a document without text has none
    """

    def __init__(self, documents: Sequence[Document], cut: Callable[[str, int], list[str]], size: int):
        self.documents = list(documents)
        self.names = [document.name for document in self.documents]
        self.place = {name: i for i, name in enumerate(self.names)}
        parts = [(i, part) for i, document in enumerate(self.documents) for part in cut(document.body, size)]
        titles = [f"{document.name}{document.signature[:TITLE]}" for document in self.documents]
        self.chunks = [(titles[i], part) for i, part in parts]
        self.owners = np.array([i for i, _ in parts], dtype=int)
        self.first_chunk = {self.names[i]: n for n, (i, _) in reversed(list(enumerate(parts)))}
        self.words = [stems(title) + stems(text) for title, text in self.chunks]

    def mean_length(self) -> float:
        """Return the mean number of words of a chunk."""
        return float(np.mean([len(words) for words in self.words]))

    def documents_of(self, ranked: Sequence[int]) -> list[int]:
        """Return the documents of ranked chunks, each once, in the order of its best chunk."""
        return list(dict.fromkeys(self.owners[ranked].tolist()))

    def chunks_of(self) -> dict[int, np.ndarray]:
        """Return {document: the numbers of its chunks}; a document without text has none, and is not there."""
        return {int(d): np.flatnonzero(self.owners == d) for d in np.unique(self.owners)}

    def answering(self, question: Question) -> set[int]:
        """Return the numbers of the documents that answer a question; a part of the docs may lack some of them."""
        return {self.place[name] for name in question.documents if name in self.place}

    def holds_whole(self, question: Question) -> bool:
        """Return whether one chunk of the question's document holds its evidence whole."""
        own = np.flatnonzero(self.owners == self.place[question.document])
        return any(flat(question.evidence) in flat("\n".join(self.chunks[i])) for i in own)

    def evidence_chunk(self, question: Question) -> tuple[str, str]:
        """Return the chunk of the question's document that holds its evidence, or most of the evidence's words."""
        evidence, wanted = flat(question.evidence), set(lower_words(question.evidence))

        def held(chunk: tuple[str, str]) -> tuple[bool, int]:
            return evidence in flat("\n".join(chunk)), len(wanted & set(lower_words(" ".join(chunk))))

        own = np.flatnonzero(self.owners == self.place[question.document])
        return max((self.chunks[i] for i in own), key=held)


def windows(size: int, overlap: int = 0) -> Callable[[str], list[str]]:
    """Return a function that cuts a text into windows of `size` words, each sharing `overlap` with the next."""

    def cut(text: str) -> list[str]:
        words, step = text.split(), size - overlap
        starts = range(0, max(1, len(words) - overlap), step)  # the last window is the first that reaches the end
        return [" ".join(words[i : i + size]) for i in starts if words]

    return cut


class Cut(NamedTuple):
    """What one way of cutting gives: how many chunks, their words in all, the share of answers whole in one chunk."""

    chunks: int
    words: int
    whole: float


def compare_cuts(
    questions: Sequence[Question], docs: Docs, ways: Mapping[str, Callable[[str], list[str]]]
) -> dict[str, Cut]:
    """Cut the documents of answerable questions in several ways; returns {way: Cut}."""
    documents = {q.document: docs[q.document] for q in questions}
    cuts = {}
    for name, way in ways.items():
        chunks_of = {}
        for key, document in documents.items():
            chunks_of[key] = [flat(chunk) for chunk in way(document.text)]
        chunks = list(chain.from_iterable(chunks_of.values()))
        words = sum(len(chunk.split()) for chunk in chunks)
        whole = [_holds(chunks_of[q.document], flat(q.evidence)) for q in questions]
        cuts[name] = Cut(len(chunks), words, float(np.mean(whole)))
    return cuts


def _holds(chunks: Sequence[str], evidence: str) -> bool:
    return any(evidence in chunk for chunk in chunks)


def cuts_table(cuts: Mapping[str, Cut]) -> str:
    """Return a line for each way of cutting, as text."""
    lines = [f"{'chunks by':<22}{'chunks':>8}{'words':>8}{'whole answers':>15}"]
    lines += [f"{name:<22}{cut.chunks:>8,}{cut.words:>8,}{cut.whole:>15.1%}" for name, cut in cuts.items()]
    return "\n".join(lines)
