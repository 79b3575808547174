"""What tokenizers cost and do: seconds of training, the bill of a vocabulary's size, rare tokens, spam by tokens."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch

from helpers.chapters.tokenizers import byte_level_bpe
from helpers.chapters.tokenizers.byte_level_bpe import Merges
from helpers.chapters.tokenizers.trigrams import Trigrams
from helpers.course import benchmarks

WIDTH = 192  # of the embedding that a bill counts: that of the docs-gpt


def timed_training(train: Callable, words: dict, sizes: Sequence[int]) -> tuple[Merges, dict[int, float]]:
    """Train a byte-level tokenizer once for each size; returns (merges of the last, {size: seconds of the processor}).

    train: (words, alphabet, vocab_size) -> merges; words: {tuple of single bytes: how often}
    """
    seconds = {}
    for size in sizes:
        start = time.process_time()
        merges = train(words, byte_level_bpe.BYTES, size)
        seconds[size] = time.process_time() - start
    merges = [tuple(pair) for pair in merges]  # a list of lists is right, too
    return merges, seconds


class Bill(NamedTuple):
    """What a vocabulary costs and buys on held-out texts."""

    tokens: float  # for 1,000 bytes
    parameters: float  # of the embedding, in millions
    bits: float  # per byte, of a trigram model of tokens
    loss: float  # of the same model in nats per token


def vocabulary_bill(tokenizer, size: int, train_texts: Sequence[str], test_texts: Sequence[str]) -> Bill:
    """Return the bill of a byte-level tokenizer of `size` tokens: trigrams learn the first texts, read the second."""
    learned, judged = (
        np.concatenate([encoding.ids for encoding in tokenizer.encode_batch_fast(texts)])
        for texts in (train_texts, test_texts)
    )
    octets = sum(len(text.encode()) for text in test_texts)
    losses = Trigrams(learned, size).losses(judged)
    bits = losses.sum() / np.log(2) / octets
    return Bill(len(judged) / octets * 1000, size * WIDTH / 1e6, bits, losses.mean())


def occurrences(tokenizer, texts: Sequence[str]) -> np.ndarray:
    """Return how often each token of the vocabulary comes in the texts, (V,)."""
    seen = np.zeros(tokenizer.get_vocab_size(), dtype=int)
    for encoding in tokenizer.encode_batch_fast(texts):
        np.add.at(seen, encoding.ids, 1)
    return seen


def mean_cosine(vectors: torch.Tensor) -> float:
    """Return the mean cosine of two different rows of vectors, (n, d)."""
    unit = vectors / vectors.norm(dim=1, keepdim=True)
    cosines = (unit @ unit.T).cpu().numpy()
    return (cosines.sum() - len(unit)) / len(unit) / (len(unit) - 1)


def terms_logistic(terms: Callable[[list[str]], Callable[[str], list[str]]]) -> benchmarks.Model:
    """Return the model of TF-IDF over any terms, and a logistic regression.

    terms: texts -> the function that cuts a text into its terms, learned from them
    """

    def model(texts: list[str], labels: np.ndarray, questions: list[str], seed: int) -> np.ndarray:
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectors = TfidfVectorizer(analyzer=terms(texts), sublinear_tf=True).fit(texts)
        probe = benchmarks.linear_probe(vectors.transform)
        said = probe(texts, labels, questions, seed)
        model.parameters = probe.parameters
        return said

    model.parameters = 0
    return model
