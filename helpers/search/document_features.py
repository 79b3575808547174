"""Documents searched as wholes, beside their chunks: what a re-ranker may know of a document and a question."""

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from helpers.data.docs import Document
from helpers.search.bm25 import BM25
from helpers.words import FREQUENT, PARTS, stems

READ = 3000  # characters of a document that BM25 reads
SHORT = {"np": "numpy", "plt": "matplotlib.pyplot", "nn": "torch.nn"}
LIBRARIES = {  # how people name a library without its name
    "numpy": r"\b(np|numpy)\b",
    "torch": r"\b(torch|pytorch|nn)\b",
    "scipy": r"\bscipy\b",
    "sklearn": r"\b(sklearn|scikit)",
    "matplotlib": r"\b(matplotlib|plt|ax|fig|pyplot)\b",
}


def four_letters(text: str) -> list[str]:
    """Return all runs of four letters within words, the edges counting: "sorting" and "sorted" share " sor", "sort"."""
    padded = (f" {part.lower()} " for part in PARTS.findall(text) if part.lower() not in FREQUENT)
    return [word[i : i + 4] for word in padded for i in range(max(1, len(word) - 3))]


class WholeDocuments:
    """Three searches over whole documents: by stems, by runs of four letters, by docs-encoder; and their names."""

    def __init__(self, documents: Sequence[Document], encoder):
        self.documents, self.encoder = list(documents), encoder
        texts = [document.text[:READ] for document in self.documents]
        self.stems, self.letters = (BM25(texts, tokenize, k1=1.2) for tokenize in (stems, four_letters))
        titles = [f"{document.name} {document.summary}" for document in self.documents]
        wholes = [document.text for document in self.documents], titles, [d.summary for d in self.documents]
        self.vectors = [encoder.encode(each) for each in wholes]
        self.lasts = [document.name.rpartition(".")[2] for document in self.documents]
        self.often = Counter(self.lasts)
        self.held = [frozenset(stems(document.text)) for document in self.documents]
        self.told = [frozenset(stems(document.summary)) for document in self.documents]

    def scores(self, question: str) -> np.ndarray:
        """Return five scores of each document (5, N): stems, letters, text, name and summary, summary."""
        vector = self.encoder.encode([question])[0]
        lexical = [search.scores([question])[0] for search in (self.stems, self.letters)]
        return np.stack([*lexical, *(each @ vector for each in self.vectors)])

    def found(self, question: str, scores: np.ndarray, most: int = 40) -> list[int]:
        """Return the best documents of the three searches and those that the question names, each once."""
        said = set(re.findall(r"\w+", question))
        named = [i for i, last in enumerate(self.lasts) if last in said and len(last) > 3 and self.often[last] <= 10]
        best = [np.argsort(-row, kind="stable")[:most].tolist() for row in scores[:3]]
        return list(dict.fromkeys([*best[0], *best[2], *best[1], *named]))

    def features(self, question: str, numbers: Sequence[int], scores: np.ndarray, idf: dict[str, float]) -> np.ndarray:
        """Return what each of some documents has to do with a question, (numbers, 18); idf weighs its words."""
        asked, said = set(stems(question)), set(re.findall(r"\w+", question))
        ranks = (-scores[:3]).argsort(axis=1, kind="stable").argsort(axis=1)[:, numbers]
        length, libraries = len(stems(question)) + 1, {k for k, p in LIBRARIES.items() if re.search(p, question, re.I)}
        dotted = {_full(name) for name in re.findall(r"\w+(?:\.\w+)+", question)}
        near = scores[:, numbers] / np.array([length, 5 * length, 1, 1, 1])[:, None]
        rows = [self._of(i, asked, said, dotted, libraries, idf) for i in numbers]
        return np.column_stack([*near, *(1 / (10 + ranks)), np.array(rows)])

    def _of(self, i: int, asked: set, said: set, dotted: set, libraries: set, idf: dict[str, float]) -> list[float]:
        """Whether the question names a document or its library, and the share of its words that the document has."""
        document, last = self.documents[i], self.lasts[i]
        named = float(last in said and len(last) > 1)
        telling = "_" in last or any(c.isupper() for c in last[1:]) or len(last) > 6
        whole = any(document.name == name or document.name.endswith("." + name) for name in dotted)
        of_library = float(document.library in libraries), float(bool(libraries) and document.library not in libraries)
        weight = max(_weight(asked, idf), 1e-9)
        shares = (_weight(asked & held[i], idf) / weight for held in (self.held, self.told))
        names = [named, named * telling, named / self.often[last], named * (document.name.count(".") <= 2)]
        return [*names, float(whole), *of_library, *shares, math.log1p(len(document.text))]


def _full(name: str) -> str:
    """Return a dotted name with the library's own: "np.pad" is "numpy.pad"."""
    first, dot, rest = name.partition(".")
    return SHORT.get(first, first) + dot + rest


def _weight(stems: set[str], idf: dict[str, float]) -> float:
    return sum(idf.get(stem, 12.0) for stem in sorted(stems))  # an unknown word is rarer than any known
