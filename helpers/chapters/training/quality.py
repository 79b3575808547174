"""A crawl in which the docs are one page in three, and two filters that choose what of it a small model reads."""

import re

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import LogisticRegression

from helpers.chapters.training.copies import WORDS
from helpers.chapters.training.documents import MIN_WORDS, Shelf
from helpers.data.messages import Messages
from helpers.data.text import Text

KNOWN = 100  # documents known to be good
COMMON = {"the", "be", "to", "of", "and", "that", "have", "with"}


def chosen(
    shelf: Shelf, messages: Messages, articles: Text, pages: int, seed: int
) -> tuple[dict[str, list[list[int]]], dict[str, str]]:
    """Return (the pages that each filter keeps, as ids; how many these are, in words), both by the filter's name.

    pages: how many the crawl has, a third of each kind.
    """
    known, found, of_docs = crawl(shelf, messages, articles, pages, seed)
    choices = {
        "as it is": np.ones(len(found), dtype=bool),
        "by rules": np.array([by_rules(page) for page in found]),
        "by example": by_example(known, found),
    }
    ids, told = {}, {}
    for name, kept in choices.items():
        ids[name] = shelf.ids([page for page, keep in zip(found, kept, strict=True) if keep])
        told[name] = f"{(kept & of_docs).sum()} of the docs, {(kept & ~of_docs).sum()} others"
    return ids, told


def crawl(
    shelf: Shelf, messages: Messages, articles: Text, size: int, seed: int
) -> tuple[list[str], list[str], np.ndarray]:
    """Return (texts known to be good, pages, which pages are of the docs, (size,) bool), no known text in a page.

    Other pages are messages, several to a page, and paragraphs of an encyclopedia; a third of each kind.
    """
    docs = [" ".join(words[:WORDS]) for words in shelf.words[: KNOWN + size // 3]]
    mail = [" ".join(some) for some in np.array_split(messages.texts, size // 3)]
    paragraphs = [line for line in articles.train.splitlines() if len(line.split()) >= MIN_WORDS]
    draw = np.random.default_rng(seed)
    prose = [paragraphs[i] for i in draw.permutation(len(paragraphs))[: size // 3]]
    others = [" ".join(page.split()[:WORDS]) for page in mail + prose]
    pages = docs[KNOWN:] + others
    of_docs = np.arange(len(pages)) < size // 3
    order = draw.permutation(len(pages))
    return docs[:KNOWN], [pages[i] for i in order], of_docs[order]


def by_rules(page: str) -> bool:
    """Return whether a page has the marks of prose (four of the rules of Rae and others 2021).

    Words of 3 to 10 characters on average, letters in 80 % of them, at most one # or ... in ten words, and two
    different ones of eight common words.
    """
    words = page.split()
    letters = sum(re.search(r"[^\W\d_]", word) is not None for word in words)
    signs = page.count("#") + page.count("...")
    long = np.mean([len(word) for word in words])
    common = COMMON.intersection(page.lower().split())
    return 3 <= long <= 10 and letters >= 0.8 * len(words) and signs <= 0.1 * len(words) and len(common) >= 2


def by_example(known: list[str], pages: list[str]) -> np.ndarray:
    """Return which pages look more like the known texts than like the crawl as it is, (pages,) bool.

    It is a logistic regression on counted words, known texts beside as many unsorted pages (Brown and others 2020).
    """
    counts = HashingVectorizer(n_features=2**14, alternate_sign=False)
    some = pages[: len(known)]
    classes = [1] * len(known) + [0] * len(some)
    learned = LogisticRegression(C=10.0).fit(counts.transform(known + some), classes)
    return learned.predict(counts.transform(pages)) == 1
