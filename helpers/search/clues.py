"""What a question tells of a document beside the scores of a search: names, libraries, the words that both hold."""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from helpers.data.docs import Document
from helpers.words import stems

SHORT = {"np": "numpy", "plt": "matplotlib.pyplot", "nn": "torch.nn"}
LIBRARIES = {  # how people name a library without its name
    "numpy": r"\b(np|numpy)\b",
    "torch": r"\b(torch|pytorch|nn)\b",
    "scipy": r"\bscipy\b",
    "sklearn": r"\b(sklearn|scikit)",
    "matplotlib": r"\b(matplotlib|plt|ax|fig|pyplot)\b",
}


class Clues:
    """The clues of N documents.

    held: the stems of each document's text
    """

    def __init__(self, documents: Sequence[Document], held: Sequence[Collection[str]]):
        self.documents, self.held = list(documents), held
        self.lasts = [document.name.rpartition(".")[2] for document in self.documents]
        self.often = Counter(self.lasts)
        self.told = [frozenset(stems(document.summary)) for document in self.documents]

    def named(self, question: str) -> list[int]:
        """Return the documents that a question names by the last part of their name, if few have it."""
        said = set(re.findall(r"\w+", question))
        return [i for i, last in enumerate(self.lasts) if last in said and len(last) > 3 and self.often[last] <= 10]

    def features(self, question: str, numbers: Sequence[int], idf: dict[str, float]) -> np.ndarray:
        """Return what some documents have to do with a question, (numbers, 10); idf weighs its words."""
        asked, said = set(stems(question)), set(re.findall(r"\w+", question))
        libraries = {name for name, pattern in LIBRARIES.items() if re.search(pattern, question, re.I)}
        dotted = {full_name(name) for name in re.findall(r"\w+(?:\.\w+)+", question)}
        return np.array([self._of(i, asked, said, dotted, libraries, idf) for i in numbers])

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


def full_name(name: str) -> str:
    """Return a dotted name with the library's own: "np.pad" is "numpy.pad"."""
    first, dot, rest = name.partition(".")
    return SHORT.get(first, first) + dot + rest


def _weight(stems: set[str], idf: dict[str, float]) -> float:
    return sum(idf.get(stem, 12.0) for stem in sorted(stems))  # an unknown word is rarer than any known
