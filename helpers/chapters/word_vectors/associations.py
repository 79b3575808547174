"""The word-embedding association test (Caliskan, Bryson, Narayanan 2017) with lists of words."""

from collections.abc import Callable

import numpy as np

from helpers.device import SEED
from helpers.models.word_vectors import WordVectors


def rows_of(lexicon: dict[str, str], row: dict[str, int]) -> dict[str, list[int]]:
    """Return the rows of the words of each list, without the words that have none.

    lexicon: {list: words with blanks between them}; row: {word: its row}
    """
    found = {}
    for name, words in lexicon.items():
        found[name] = [row[word] for word in words.split() if word in row]
    return found


def effects_table(weat: Callable, methods: dict[str, WordVectors], lists: list[list[int]]) -> str:
    """Return a line for each method: WEAT's effect and p; lists: rows of the words of X, Y, A and B."""
    lines = []
    for name, vectors in methods.items():
        effect, p = weat(*(vectors.matrix[rows] for rows in lists))
        lines.append(f"{name:<10} effect {float(effect):5.2f}, p = {float(p):.4f}")
    return "\n".join(lines)


def random_effects(weat: Callable, matrix: np.ndarray, lists: list[list[int]], times: int) -> list[float]:
    """Return WEAT's effect, in two digits, with vectors of random words in the places of the lists' words.

    weat: four arrays of vectors -> (effect, p); matrix: (V, d); lists: four lists of rows; times: how often.
    """
    rng = np.random.default_rng(SEED)
    effects = []
    for _ in range(times):
        vectors = matrix[rng.permutation(len(matrix))]
        effect = weat(*(vectors[rows] for rows in lists))[0]
        effects.append(round(float(effect), 2))
    return effects


def with_trouble(vectors: WordVectors, lexicon: dict[str, list[int]]) -> dict[str, dict[str, float]]:
    """Return s(w) of the words of systems and of mathematics: mean cosine with trouble minus that with praise.

    lexicon: {"systems", "mathematics", "trouble", "praise": rows}; returns {list: {word: s(w)}}.
    """
    trouble, praise = vectors.unit[lexicon["trouble"]], vectors.unit[lexicon["praise"]]
    found = {}
    for name in ("systems", "mathematics"):
        targets = vectors.unit[lexicon[name]]
        values = (targets @ trouble.T).mean(1) - (targets @ praise.T).mean(1)
        found[name] = dict(zip((vectors.words[row] for row in lexicon[name]), values.tolist(), strict=True))
    return found
