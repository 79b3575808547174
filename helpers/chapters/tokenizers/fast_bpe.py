"""Byte pair encoding whose counts are kept up to date: the merges of the plain trainer, at a small part of its cost."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from helpers.chapters.tokenizers.byte_level_bpe import Merges, merges_of

Symbols = tuple[bytes, ...]
Pair = tuple[bytes, bytes]
Merge = Callable[[Symbols, Pair, bytes], Symbols]


class Corpus:
    """Words as they are split now, and how often each pair of neighbours occurs in them."""

    def __init__(self, merge: Merge, words: Mapping[Symbols, int]):
        self.merge = merge
        self.split, self.times = list(words), list(words.values())
        self.counts: Counter[Pair] = Counter()
        self.where: dict[Pair, set[int]] = defaultdict(set)  # the words that hold a pair; some may hold it no longer
        for number, symbols in enumerate(self.split):
            self._add(number, Counter(pairwise(symbols)))

    def merged(self, pair: Pair) -> set[Pair]:
        """Merge a pair in the words that hold it, and return the pairs whose count changed."""
        changed: set[Pair] = set()
        for number in self.where.pop(pair):
            before = self.split[number]
            self.split[number] = tuple(self.merge(before, pair, pair[0] + pair[1]))
            changes = Counter(pairwise(self.split[number]))
            changes.subtract(pairwise(before))
            self._add(number, changes)
            changed.update(other for other in changes if changes[other])
        return changed

    def _add(self, number: int, changes: Counter[Pair]) -> None:
        """Add what changed in one word to the counts, as often as the word occurs."""
        for pair, change in changes.items():
            self.counts[pair] += change * self.times[number]
            if change > 0:
                self.where[pair].add(number)


def train(merge: Merge, words: Mapping[Symbols, int], alphabet: Sequence[bytes], vocab_size: int) -> Merges:
    """Return the merges of byte pair encoding, with ties broken by the ids of left and right.

    merge: (symbols, pair, joined) -> the word with `joined` for the pair; words: {word: how often it occurs}
    """
    corpus, merges = Corpus(merge, words), []
    ids = {alphabet[i]: i for i in range(len(alphabet))}

    def entry(pair: Pair) -> tuple[int, int, int, Pair]:
        return -corpus.counts[pair], ids[pair[0]], ids[pair[1]], pair

    heap = [entry(pair) for pair in corpus.counts]
    heapq.heapify(heap)
    while heap and len(ids) < vocab_size:
        best = heapq.heappop(heap)
        pair = best[-1]
        if best != entry(pair):
            continue  # an old entry: the count has changed, and a newer one holds the truth
        merges.append(pair)
        ids.setdefault(pair[0] + pair[1], len(ids))
        for other in corpus.merged(pair):
            if corpus.counts[other]:
                heapq.heappush(heap, entry(other))
    return merges


def byte_words(pieces: Mapping[str, int]) -> dict[Symbols, int]:
    """Return pieces of text and how often each occurs as tuples of single bytes, which is how training begins."""
    words: dict[Symbols, int] = {}
    for piece, times in pieces.items():
        words[tuple(bytes([byte]) for byte in piece.encode())] = times
    return words


def library_merges(texts: Sequence[str], size: int) -> Merges:
    """Return the merges that the library's trainer of byte-level BPE makes of the texts, with GPT-2's pattern."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    library = Tokenizer(models.BPE())
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    library.train_from_iterator(texts, trainer)
    return merges_of(library)
