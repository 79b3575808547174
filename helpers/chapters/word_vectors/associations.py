"""The word-embedding association test (Caliskan, Bryson, Narayanan 2017) with lists of words."""

from collections.abc import Callable

import numpy as np

from helpers.device import SEED
from helpers.models.word_vectors import WordVectors


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
