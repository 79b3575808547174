"""Which words are near one another, how far methods agree about it, and how far they agree with people."""

from collections.abc import Callable

import numpy as np

from helpers import data
from helpers.device import SEED
from helpers.models.word_vectors import WordVectors

RATED = ("docs_ratings", "wordsim353", "simlex999")  # the first is bundled; the others are downloaded


def neighbours(
    vectors: WordVectors, words: str, k: int = 6, width: int = 9, title: str = "", cosines: bool = False
) -> str:
    """Return a line for each word that has a vector: the title, the word in `width` letters, and its k nearest words.

    words: with blanks between them; cosines: whether to say how near.
    """
    lines = []
    for word in words.split():
        if word in vectors:
            near = [f"{other} {cosine:.2f}" if cosines else other for other, cosine in vectors.nearest(word, k)]
            lines.append(f"{title}{word:<{width}} {', '.join(near)}")
    return "\n".join(lines)


def agreement(methods: dict[str, WordVectors], spearman: Callable) -> np.ndarray:
    """Return the rank correlation of the cosines of each two methods on 400 random pairs of frequent words, (m, m).

    methods: m tables whose first 1,000 words are the same; spearman: two lists (n,) -> correlation.
    """
    pairs = np.random.default_rng(SEED).integers(0, 1000, size=(400, 2))
    cosines = [(vectors.unit[pairs[:, 0]] * vectors.unit[pairs[:, 1]]).sum(1) for vectors in methods.values()]
    correlations = []
    for row in cosines:
        correlations.append([float(spearman(row, column)) for column in cosines])
    return np.array(correlations)


def with_people(tables: dict[str, WordVectors], spearman: Callable) -> str:
    """Return, for each set of rated pairs, a line for each table: the pairs known, and the correlation of the ranks."""
    return "\n".join(_with_set(tables, name, spearman) for name in RATED)


def _with_set(tables: dict[str, WordVectors], name: str, spearman: Callable) -> str:
    """Return the lines of a set, or why it cannot be had."""
    try:
        rated = data.load(name)
    except data.DataError as error:
        return error.problem
    lines = []
    for title, vectors in tables.items():
        known, cosines = _known_cosines(rated, vectors)
        correlation = float(spearman(cosines, rated.scores[known]))
        lines.append(f"{name:<13}{title:<11}{len(known):>4} of {len(rated)} pairs known, Spearman {correlation:.3f}")
    return "\n".join(lines)


def _known_cosines(rated: data.WordPairs, vectors: WordVectors) -> tuple[list[int], np.ndarray]:
    """Return which pairs have vectors for both words, and the cosines of these."""
    pairs = [(a.lower(), b.lower()) for a, b in rated.pairs]
    known = [i for i, (a, b) in enumerate(pairs) if a in vectors and b in vectors]
    cosines = []
    for i in known:
        a, b = pairs[i]
        cosines.append(vectors.unit[vectors.index[a]] @ vectors.unit[vectors.index[b]])
    return known, np.array(cosines)


def group_of(groups: dict[str, str], vectors: WordVectors) -> dict[str, str]:
    """Return the group of each word that has a vector; groups: {name: words with blanks between them}."""
    found = {}
    for group, words in groups.items():
        for word in words.split():
            if word in vectors:
                found[word] = group
    return found
