"""Pairs of sentences with labels, for the head of Sentence-BERT (Reimers and Gurevych 2019)."""

from collections.abc import Sequence

import numpy as np
import torch

from helpers.data import load
from helpers.models.docs_encoder import TextEncoder
from helpers.words import SENTENCE_END

LONG = 40  # characters that a sentence has at least


def drawn(count: int, seed: int) -> tuple[list[str], list[str], np.ndarray]:
    """Return two lists of sentences and the kind of each pair: same document 0, same library 1, neither 2."""
    draw, documents = np.random.default_rng(seed), _documents()
    first, second, kinds = [], [], []
    while len(kinds) < count:
        (library, one), (other, two) = (documents[i] for i in draw.integers(len(documents), size=2))
        kind = len(kinds) % 3
        if kind == 0 or (kind == 1) == (library == other):
            a, b = draw.choice(len(one), 2, replace=False)
            first.append(one[a])
            second.append(one[b] if kind == 0 else two[b % len(two)])
            kinds.append(kind)
    return first, second, np.array(kinds)


def _documents() -> list[tuple[str, list[str]]]:
    """Return (library, long sentences) of each document of valid that has two or more."""
    documents = []
    for document in load("docs").split("valid"):
        sentences = [sentence for sentence in SENTENCE_END.split(document.body) if len(sentence) > LONG]
        if len(sentences) > 1:
            documents.append((document.library, sentences))
    return documents


def encoded(encoder: TextEncoder, count: int, seed: int) -> tuple[torch.Tensor, torch.Tensor, np.ndarray]:
    """Return the vectors u and v (count, C) of the sentences of `drawn`, and the kinds (count,)."""
    first, second, kinds = drawn(count, seed)
    u, v = (torch.from_numpy(encoder.encode(side)) for side in (first, second))
    return u, v, kinds


def head_accuracy(features: torch.Tensor, kinds: Sequence[int]) -> float:
    """Return the accuracy of a linear layer that learned on the first half of features (n, F), on the second."""
    from sklearn.linear_model import LogisticRegression

    half = len(kinds) // 2
    features = features.numpy()
    return LogisticRegression(max_iter=300).fit(features[:half], kinds[:half]).score(features[half:], kinds[half:])
