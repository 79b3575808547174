"""N-grams with interpolated modified Kneser-Ney smoothing (Chen and Goodman 1999): the best that counting can do."""

from collections.abc import Sequence

import numpy as np


def run_keys(token_ids: np.ndarray, n: int, vocab_size: int) -> np.ndarray:
    """Return one whole number for each run of n tokens, (N - n + 1,)."""
    keys = np.zeros(len(token_ids) - n + 1, dtype=np.int64)
    for i in range(n):
        keys = keys * vocab_size + token_ids[i : len(token_ids) - n + 1 + i]
    return keys


class KneserNey:
    """A language model of all runs of up to n tokens that a text holds.

    A longer run gives a share of its chance to the shorter one, and shorter ones are counted by how many different
    tokens stand before them. The discounts are estimated from how many runs came once, twice, three and four times.
    """

    def __init__(self, token_ids: Sequence[int], vocab_size: int, order: int, shorter: list | None = None):
        """Count the runs of 1 to `order` tokens of a text, (N,) ids below vocab_size.

        shorter: a list that models of one text hand on, with what they counted of the runs below their order.
        """
        self.vocab_size, self.order = vocab_size, order
        token_ids = np.asarray(token_ids, dtype=np.int64)
        shorter = [] if shorter is None else shorter
        for n in range(len(shorter) + 1, order):
            kinds = np.unique(run_keys(token_ids, n + 1, vocab_size)) % vocab_size**n
            shorter.append(self._table(kinds))
        self.tables = [*shorter[: order - 1], self._table(run_keys(token_ids, order, vocab_size))]

    @property
    def size(self) -> int:
        """How many runs it keeps."""
        return sum(len(table[0]) for table in self.tables)

    def losses(self, token_ids: Sequence[int]) -> np.ndarray:
        """Return the loss in nats of each token that has order - 1 others before it, (N - order + 1,)."""
        token_ids = np.asarray(token_ids, dtype=np.int64)
        chance = np.full(len(token_ids) - self.order + 1, 1 / self.vocab_size)
        for n, table in enumerate(self.tables, 1):
            chance = self._better(run_keys(token_ids, n, self.vocab_size)[self.order - n :], table, chance)
        return -np.log(chance)

    def _table(self, found: np.ndarray) -> tuple:
        """Runs, their counts less a discount; contexts, how often each came, what was taken from all its runs."""
        keys, counts = np.unique(found, return_counts=True)
        contexts, first = np.unique(keys // self.vocab_size, return_index=True)
        taken = discounts(counts)[np.minimum(counts, 3)]
        return keys, counts - taken, contexts, np.add.reduceat(counts, first), np.add.reduceat(taken, first)

    def _better(self, wanted: np.ndarray, table: tuple, shorter: np.ndarray) -> np.ndarray:
        """Return the chances under longer contexts; an unseen context keeps that of the shorter one."""
        keys, counts, contexts, totals, taken = table
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        where = np.minimum(np.searchsorted(contexts, wanted // self.vocab_size), len(contexts) - 1)
        count = np.where(keys[at] == wanted, counts[at], 0)
        seen = (count + taken[where] * shorter) / totals[where]
        return np.where(contexts[where] == wanted // self.vocab_size, seen, shorter)


def discounts(counts: np.ndarray) -> np.ndarray:
    """Return what is taken from a count of 0, 1, 2 and more, (4,); a half where a text is too small to say."""
    once, twice, thrice, four = ((counts == n).sum() for n in (1, 2, 3, 4))
    if not (once and twice and thrice and four):
        return np.array([0, 0.5, 0.5, 0.5])
    y = once / (once + 2 * twice)
    return np.array([0, 1 - 2 * y * twice / once, 2 - 3 * y * thrice / twice, 3 - 4 * y * four / thrice])
