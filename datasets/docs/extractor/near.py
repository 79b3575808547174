"""Near copies among texts: MinHash with banding finds the candidates, exact Jaccard similarity decides.

Broder (1997), On the resemblance and containment of documents.
"""

import re
import zlib
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

GRAM = 5  # words in a shingle
ALIKE = 0.8  # Jaccard similarity from which two texts are near copies
BANDS, ROWS = 16, 4  # of two texts with similarity 0.8, one pair in 5,000 is missed: (1 - 0.8**4) ** 16


def shingles(text: str) -> np.ndarray:
    """Return the sorted, distinct hashes of the text's runs of five words: (k,) uint64, k >= 1."""
    words = np.array([zlib.crc32(word.encode()) for word in re.findall(r"\w+", text.lower())] or [0], dtype=np.uint64)
    if len(words) < GRAM:
        words = np.pad(words, (0, GRAM - len(words)))
    weights = np.uint64(0x9E3779B97F4A7C15) ** np.arange(1, GRAM + 1, dtype=np.uint64)  # powers of one odd number
    runs = np.lib.stride_tricks.sliding_window_view(words, GRAM)  # (k, GRAM)
    return np.unique((runs * weights).sum(axis=1, dtype=np.uint64))


def jaccard(a: np.ndarray, b: np.ndarray) -> float:
    """Return the share of common shingles among all: |a and b| / |a or b|."""
    common = len(np.intersect1d(a, b, assume_unique=True))
    return common / (len(a) + len(b) - common)


def near_copies(texts: Sequence[str]) -> list[bool]:
    """Return for each text whether it is a near copy of an earlier one that is none itself."""
    sets = [shingles(text) for text in texts]
    kept: dict[tuple[int, bytes], list[int]] = defaultdict(list)
    found = []
    for i, keys in enumerate(map(_bands, sets)):
        rivals = {j for key in keys for j in kept[key]}
        found.append(any(jaccard(sets[i], sets[j]) >= ALIKE for j in rivals))
        if not found[-1]:
            for key in keys:
                kept[key].append(i)
    return found


_DRAWN = np.random.default_rng(0)
_FACTORS = _DRAWN.integers(1, 2**63, BANDS * ROWS, dtype=np.uint64) * np.uint64(2) + np.uint64(1)  # odd
_OFFSETS = _DRAWN.integers(0, 2**63, BANDS * ROWS, dtype=np.uint64)


def _bands(hashes: np.ndarray) -> list[tuple[int, bytes]]:
    """Return the MinHash signature in bands: equal bands make two texts candidates."""
    mixed = hashes[:, None] * _FACTORS + _OFFSETS  # (k, BANDS * ROWS), modulo 2**64
    signature = (mixed >> np.uint64(32)).min(axis=0).reshape(BANDS, ROWS)
    return [(band, row.tobytes()) for band, row in enumerate(signature)]
