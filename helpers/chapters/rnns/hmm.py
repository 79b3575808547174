"""A hidden Markov model of tagged sentences, by counting."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

Sentences = Sequence[tuple[Sequence[str], Sequence[str]]]  # (tokens, tags) of each


class HiddenMarkov:
    """Logarithms of counted shares, k added to each count: p(word | tag), p(tag | tag before), p(first tag).

    Words are counted in lower case; those seen once stand for all unseen words, and teach what such a word looks like.

    tags: K names. transitions: (K, K), from row to column. start: (K,).
    """

    def __init__(self, sentences: Sentences, k: float = 0.01):
        """Count (tokens, tags) pairs."""
        self.tags = sorted({tag for _, tags in sentences for tag in tags})
        counts = Counter(word.lower() for tokens, _ in sentences for word in tokens)
        repeated = sorted(word for word, count in counts.items() if count > 1)
        self.words = {word: i for i, word in enumerate(repeated)}
        number = {tag: i for i, tag in enumerate(self.tags)}
        size = len(self.tags)
        emissions = np.full((len(self.words) + 1, size), k)
        transitions, start = np.full((size, size), k), np.full(size, k)
        for tokens, tags in sentences:
            row = [number[tag] for tag in tags]
            start[row[0]] += 1
            np.add.at(transitions, (row[:-1], row[1:]), 1)
            np.add.at(emissions, (self._rows(tokens), row), 1)
        self._emissions, self.start = _log_shares(emissions, 0), _log_shares(start, 0)
        self.transitions = _log_shares(transitions, 1)

    def emissions(self, tokens: Sequence[str]) -> np.ndarray:
        """Return ln p(word | tag) for each token and tag, (T, K)."""
        return self._emissions[self._rows(tokens)]

    def best_paths(self, sentences: Sentences, viterbi: Callable) -> list[list[str]]:
        """Return the best tags of each sentence; viterbi: (emissions (T, K), transitions, start) -> T tag numbers."""
        tagged = []
        for tokens, _ in sentences:
            path = viterbi(self.emissions(tokens), self.transitions, self.start)
            tagged.append([self.tags[i] for i in path])
        return tagged

    def _rows(self, tokens: Sequence[str]) -> list[int]:
        return [self.words.get(word.lower(), len(self.words)) for word in tokens]


def _log_shares(counts: np.ndarray, axis: int) -> np.ndarray:
    return np.log(counts / counts.sum(axis=axis, keepdims=True))
