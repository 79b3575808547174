"""Questions whose answer lies one link away: documents name other documents, and a search can follow the names."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from helpers.data.docs import Document
from helpers.data.questions import Question
from helpers.experiments.chunks import Corpus
from helpers.experiments.rankings import Search, bootstrap_draws
from helpers.search.clues import full_name

FILE = Path(__file__).with_name("joined_questions.toml")
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
MARKED = re.compile(r"`[~.]?([\w.]+)(?:\(\))?`")  # names as these docs mark them: `quad`, :class:`~torch.nn.Linear`
RARE = 20  # a word that so few documents hold is a name where it is one, though it looks like any word
SEEN, KEPT = 10, 5  # documents that count as found; those of the first search that a second turn keeps
SEARCH, LINKED = "the whole search", "and links"  # two ways, whose difference the table has
NAMES = 5  # that a second question has more than the first
Ranking = list[int]  # the numbers of documents, the best first


class Joined(NamedTuple):
    """A question that two documents answer together: the first names the second, which has the evidence."""

    question: str
    first: str
    second: str
    evidence: str


def joined_questions() -> list[Joined]:
    """Return the questions that join two documents."""
    return [Joined(**each) for each in tomllib.loads(FILE.read_text(encoding="utf-8"))["question"]]


def links_of(documents: Sequence[Document]) -> list[set[int]]:
    """Return for each document the numbers of those that its text names: in full, or as its neighbours are called."""
    place = {document.name: i for i, document in enumerate(documents)}
    said = [set(NAME.findall(document.text)) for document in documents]
    marked = [set(MARKED.findall(document.text)) for document in documents]
    often = Counter(word for words in said for word in words)
    links = []
    for own, document in enumerate(documents):
        names = marked[own] | {word for word in said[own] if _is_name(word, often)}
        named = {_meant(name, document, place) for name in names}
        links.append({number for number in named if number not in (None, own)})
    return links


def _is_name(word: str, often: Mapping[str, int]) -> bool:
    """Whether a word looks like a name, with a dot, an underscore or a capital inside, or is rare."""
    return "." in word or "_" in word or word[1:] != word[1:].lower() or often[word] <= RARE


def _meant(word: str, document: Document, place: Mapping[str, int]) -> int | None:
    """Return the number of the document that a name means within a document: from its own module outwards."""
    module = document.name.rpartition(".")[0]
    for name in (f"{module}.{word}", f"{document.library}.{word}", full_name(word)):
        if name in place:
            return place[name]
    return None


class SecondTurn:
    """Ways from the documents that a search finds to those that these name.

    search:      question -> numbers of chunks, the best first
    bm25_scores: (words, number of chunks) -> their scores
    tokenize:    text -> words
    linked:      the function of chapter 08 by this name
    """

    def __init__(self, corpus: Corpus, search: Search, bm25_scores: Callable, tokenize: Callable, linked: Callable):
        self.corpus, self.search, self.follow = corpus, search, linked
        self.bm25_scores, self.tokenize = bm25_scores, tokenize
        self.links = links_of(corpus.documents)

    def count(self) -> int:
        """Return how many links there are."""
        return sum(map(len, self.links))

    def compared(
        self, joined: Sequence[Joined], single: Sequence[Question], lexical: Search, interval: Callable
    ) -> tuple[dict[str, np.ndarray], str]:
        """Return what `joined_table` says of a lexical search, the search alone, its links, and asking again."""
        ways = {
            "BM25": lambda question: self.corpus.documents_of(lexical(question)),
            SEARCH: self.alone,
            LINKED: self.linked,
            "asked again": self.again,
        }
        found, table = joined_table(joined, single, self.corpus, ways, interval)
        return found, f"{self.count():,} links between {len(self.links):,} documents\n\n{table}"

    def alone(self, question: str) -> Ranking:
        """Return the documents that the search finds, the best first."""
        return self.corpus.documents_of(self.search(question))

    def linked(self, question: str) -> Ranking:
        """Return the first documents of the search, then those that they name, the best by BM25 first."""
        return self.follow(self.alone(question), self.links, self._scores(question), KEPT, SEEN)

    def again(self, question: str) -> Ranking:
        """Return the first documents of the search, then those of a second one, which has the names in the first."""
        first = self.alone(question)[:KEPT]
        scores = self._scores(question)
        named = sorted(self.links[first[0]], key=lambda number: (-scores[number], number))[:NAMES]
        asked = " ".join([question, *(self.corpus.names[number] for number in named)])
        return list(dict.fromkeys([*first, *self.alone(asked)]))

    def _scores(self, question: str) -> np.ndarray:
        """Return the best BM25 of each document's chunks for a question, (documents,)."""
        best = np.zeros(len(self.corpus.documents))
        np.maximum.at(best, self.corpus.owners, self.bm25_scores(self.tokenize(question), len(self.corpus.chunks)))
        return best


def joined_table(
    joined: Sequence[Joined],
    single: Sequence[Question],
    corpus: Corpus,
    ways: Mapping[str, Callable[[str], Ranking]],
    interval: Callable,
) -> tuple[dict[str, np.ndarray], str]:
    """Return for which joined questions each way has the second document among ten, and a table.

    single: questions that one document answers; interval(values, draws) gives (low, high) of a mean
    """
    lines, found = [f"{'way':<18}{'first':>7}{'second':>8}  {'(95 %)':<16}{'one document':>13}"], {}
    for name, way in ways.items():
        rankings = [way(each.question)[:SEEN] for each in joined]
        first = [corpus.place[q.first] in ranking for q, ranking in zip(joined, rankings, strict=True)]
        second = [corpus.place[q.second] in ranking for q, ranking in zip(joined, rankings, strict=True)]
        plain = [bool(corpus.answering(q) & set(way(q.question)[:SEEN])) for q in single]
        found[name] = np.array(second, dtype=float)
        low, high = interval(found[name], bootstrap_draws(len(joined)))
        row = f"{name:<18}{np.mean(first):>7.2f}{np.mean(second):>8.2f}  ({low:.2f} to {high:.2f})"
        lines.append(f"{row:<49}{np.mean(plain):>9.2f}")
    gained = found[LINKED] - found[SEARCH]
    low, high = interval(gained, bootstrap_draws(len(joined)))
    lines.append(f"\nlinks minus the whole search: {gained.mean():+.2f} ({low:+.2f} to {high:+.2f})")
    return found, "\n".join(lines)
