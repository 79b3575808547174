"""Pairs of sentences with labels, for the head of Sentence-BERT (Reimers and Gurevych 2019)."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch.nn import functional as F

from helpers.data import load
from helpers.models.docs_encoder import TextEncoder
from helpers.words import SENTENCE_END

LONG = 40  # characters that a sentence has at least
STEPS = 300  # of the head's fit

Logits = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


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


def head_accuracy(
    logits: Logits, u: torch.Tensor, v: torch.Tensor, kinds: Sequence[int], used: tuple[float, float, float] = (1, 1, 1)
) -> float:
    """Return the accuracy on the second half of the pairs u, v (n, C) of a head that learned on the first half.

    logits: (u, v, weight (3, 3C), bias (3,)) -> (n, 3); used: 0 for each third of the weights that stays zero. The
    weights have the penalty of scikit-learn's logistic regression.
    """
    half, target = len(kinds) // 2, torch.as_tensor(kinds)
    kept = torch.tensor(used, dtype=u.dtype).repeat_interleave(u.shape[1])  # (3C,)
    weight = torch.zeros(3, len(kept), dtype=u.dtype, requires_grad=True)
    bias = torch.zeros(3, dtype=u.dtype, requires_grad=True)
    optimizer = torch.optim.LBFGS([weight, bias], max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        found = F.cross_entropy(logits(u[:half], v[:half], weight * kept, bias), target[:half])
        total = found + weight.square().sum() / (2 * half)
        total.backward()
        return total

    optimizer.step(loss)
    with torch.no_grad():
        chosen = logits(u[half:], v[half:], weight * kept, bias).argmax(dim=1)
    return (chosen == target[half:]).float().mean().item()
