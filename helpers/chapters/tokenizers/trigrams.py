"""A trigram model of token ids with absolute discounting: cheap enough to compare many vocabularies."""

import numpy as np

from helpers.models.kneser_ney import run_keys


class Trigrams:
    """What is taken from seen trigrams goes to their bigram, and on to the single token (Ney, Essen, Kneser 1994)."""

    def __init__(self, token_ids: np.ndarray, vocab_size: int, discount: float = 0.75):
        """Count the trigrams, bigrams and tokens of a text, (N,) ids below vocab_size."""
        self.vocab_size, self.discount = vocab_size, discount
        self.tables = [self._table(np.asarray(token_ids, dtype=np.int64), n) for n in (1, 2, 3)]

    def losses(self, token_ids: np.ndarray) -> np.ndarray:
        """Return the loss in nats of each token from the third on, (N - 2,)."""
        token_ids = np.asarray(token_ids, dtype=np.int64)
        chance = np.full(len(token_ids) - 2, 1 / self.vocab_size)
        for n, table in enumerate(self.tables, 1):
            chance = self._better(run_keys(token_ids, n, self.vocab_size)[3 - n :], table, chance)
        return -np.log(chance)

    def _table(self, token_ids: np.ndarray, n: int) -> tuple:
        """Runs and their counts; contexts, how often each came, and with how many different tokens."""
        keys, counts = np.unique(run_keys(token_ids, n, self.vocab_size), return_counts=True)
        contexts, first = np.unique(keys // self.vocab_size, return_index=True)
        return keys, counts, contexts, np.add.reduceat(counts, first), np.diff([*first, len(keys)])

    def _better(self, wanted: np.ndarray, table: tuple, shorter: np.ndarray) -> np.ndarray:
        """Return the chances under longer contexts; an unseen context keeps that of the shorter one."""
        keys, counts, contexts, totals, kinds = table
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        where = np.minimum(np.searchsorted(contexts, wanted // self.vocab_size), len(contexts) - 1)
        count = np.where(keys[at] == wanted, counts[at], 0)
        seen = (np.maximum(count - self.discount, 0) + self.discount * kinds[where] * shorter) / totals[where]
        return np.where(contexts[where] == wanted // self.vocab_size, seen, shorter)
