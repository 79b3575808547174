"""Documents searched as wholes, beside their chunks: what a re-ranker may know of a document and a question."""

from collections.abc import Sequence

import numpy as np

from helpers.data.docs import Document
from helpers.search.bm25 import BM25
from helpers.search.clues import Clues
from helpers.words import FREQUENT, PARTS, stems

READ = 3000  # characters of a document that BM25 reads


def four_letters(text: str) -> list[str]:
    """Return all runs of four letters within words, the edges counting: "sorting" and "sorted" share " sor", "sort"."""
    padded = (f" {part.lower()} " for part in PARTS.findall(text) if part.lower() not in FREQUENT)
    return [word[i : i + 4] for word in padded for i in range(max(1, len(word) - 3))]


class WholeDocuments:
    """Three searches over whole documents: by stems, by runs of four letters, by docs-encoder; and their names."""

    def __init__(self, documents: Sequence[Document], encoder):
        self.documents, self.encoder = list(documents), encoder
        texts = [document.text[:READ] for document in self.documents]
        self.stems, self.letters = (BM25(texts, tokenize) for tokenize in (stems, four_letters))
        titles = [f"{document.name} {document.summary}" for document in self.documents]
        wholes = [document.text for document in self.documents]
        summaries = [document.summary for document in self.documents]
        self.vectors = [encoder.encode(part) for part in (wholes, titles, summaries)]
        self.clues = Clues(self.documents, [frozenset(stems(document.text)) for document in self.documents])

    def scores(self, question: str) -> np.ndarray:
        """Return five scores of each document (5, N): stems, letters, text, name and summary, summary."""
        vector = self.encoder.encode([question])[0]
        lexical = [search.scores([question])[0] for search in (self.stems, self.letters)]
        return np.stack([*lexical, *(each @ vector for each in self.vectors)])

    def found(self, question: str, scores: np.ndarray, max_documents: int = 40) -> list[int]:
        """Return the best documents of the three searches and those that the question names, each once."""
        best = [np.argsort(-row, kind="stable")[:max_documents].tolist() for row in scores[:3]]
        return list(dict.fromkeys([*best[0], *best[2], *best[1], *self.clues.named(question)]))

    def features(self, question: str, numbers: Sequence[int], scores: np.ndarray, idf: dict[str, float]) -> np.ndarray:
        """Return what each of some documents has to do with a question, (numbers, 18); idf weighs its words."""
        ranks = (-scores[:3]).argsort(axis=1, kind="stable").argsort(axis=1)[:, numbers]
        length = len(stems(question)) + 1
        near = scores[:, numbers] / np.array([length, 5 * length, 1, 1, 1])[:, None]
        return np.column_stack([*near, *(1 / (10 + ranks)), self.clues.features(question, numbers, idf)])
