"""The docs corpus in the form of other data sets: running text as in WikiText-2, a search as in SciFact."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from helpers.data.dataset import Card
from helpers.data.docs.corpus import SPLITS, read_docs
from helpers.data.retrieval import Passage, Retrieval
from helpers.data.text import Text


def read_docs_text(paths: list[Path], card: Card) -> Text:
    """Return the docs as running text, split by groups of modules; valid and test hold no near copies."""
    docs = read_docs(paths, card)
    return Text({split: docs.split(split).text() for split in SPLITS}, card)


def read_docs_search(paths: list[Path], card: Card) -> Retrieval:
    """Return the pairs as a search: the query is a summary, without the name, its passage the rest of the body.

    All splits search the same passages; their titles are the names of the documents. A summary that several
    documents share ("Emit a record.") is not asked for: only one of their passages would count as right.
    """
    docs = read_docs(paths, card)
    pairs = docs.pairs()
    shared = Counter(_normalised(document.summary) for document in docs)
    passages = {pair.name: Passage(pair.name, pair.body) for split in pairs.values() for pair in split}
    queries = {
        split: {name: docs[name].summary for name, *_ in chosen if shared[_normalised(docs[name].summary)] == 1}
        for split, chosen in pairs.items()
    }
    relevant = {split: _own_passages(asked) for split, asked in queries.items()}
    return Retrieval(passages, queries, relevant, card)


def _own_passages(names: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return judgements by which each name's passage is the one of the same name."""
    return {name: {name: 1} for name in names}


def _normalised(summary: str) -> str:
    return summary.lower().rstrip(".")
