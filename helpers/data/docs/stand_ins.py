"""The docs corpus in the form of other data sets: running text for WikiText-2, search for SciFact."""

from pathlib import Path

from helpers.data.dataset import Card
from helpers.data.docs.corpus import read_docs
from helpers.data.docs.splits import SHARES
from helpers.data.retrieval import Passage, Retrieval
from helpers.data.text import Text


def read_docs_text(paths: list[Path], card: Card) -> Text:
    """Return the docs as running text, split by groups of modules; valid and test hold no near copies."""
    docs = read_docs(paths, card)
    return Text({split: docs.split(split).text() for split in SHARES}, card)


def read_docs_search(paths: list[Path], card: Card) -> Retrieval:
    """Return the pairs as a search: the query is a summary, without the name, its passage the rest of the body.

    All splits search the same passages; their titles are the names of the documents.
    """
    docs = read_docs(paths, card)
    pairs = docs.pairs()
    passages = {pair.name: Passage(pair.name, pair.body) for split in pairs.values() for pair in split}
    queries = {split: {pair.name: docs[pair.name].summary for pair in chosen} for split, chosen in pairs.items()}
    relevant = {split: {pair.name: {pair.name: 1} for pair in chosen} for split, chosen in pairs.items()}
    return Retrieval(passages, queries, relevant, card)
