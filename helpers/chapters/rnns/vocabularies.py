"""One text, several vocabularies: the perplexity that each reports, and the one of the same tokens for all."""

from collections import Counter
from collections.abc import Callable, Sequence

UNKNOWN = "<unk>"


class Vocabularies:
    """N-grams with fewer and fewer words, judged on one text.

    size: the words that occur twice in the training text, and <unk>, which stands for all others from the start
    """

    def __init__(self, train: Sequence[str], valid: Sequence[str], count_ngrams: Callable, add_k: Callable):
        """Take two texts, and the functions of the exercise that count and smooth."""
        self.counts = Counter(train)
        known = {word for word, n in self.counts.items() if n > 1}
        self.train, self.valid = _with_unknown(train, known), _with_unknown(valid, known)
        self.counts, self.size = Counter(self.train), len(known) + 1
        self.count_ngrams, self.add_k = count_ngrams, add_k

    def judge(self, size: int, n: int, k: float) -> tuple[float, list[float], list[float]]:
        """Return (share of the text's tokens that are kept, probabilities of its own tokens, of the same tokens).

        The `size` - 1 most frequent words are kept, all others are <unk>. In the last list, who says <unk> must also
        say which word it was: p(<unk>) times the word's share of all that are called so.
        """
        by_frequency = [word for word, _ in self.counts.most_common() if word != UNKNOWN]
        known = set(by_frequency[: size - 1])
        rare = sum(count for word, count in self.counts.items() if word not in known)
        train, valid = _with_unknown(self.train, known), _with_unknown(self.valid, known)
        ngrams, contexts = self.count_ngrams(train, n)
        places = range(n - 1, len(valid))
        own = [self.add_k(valid[i], tuple(valid[i - n + 1 : i]), ngrams, contexts, size, k) for i in places]
        words = [self.valid[i] for i in places]
        same = [p if w in known else p * self.counts[w] / rare for p, w in zip(own, words, strict=True)]
        return sum(w in known for w in valid) / len(valid), own, same


def _with_unknown(text: Sequence[str], known: set[str]) -> list[str]:
    """Return a text with <unk> for each word that is not known."""
    return [word if word in known else UNKNOWN for word in text]
