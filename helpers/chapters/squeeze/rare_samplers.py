"""Five ways to choose a token that are rare today; the chapter folds them into its further reading."""

import math
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from helpers.chapters.squeeze.choosing import Choose, Writer, draw
from helpers.device import SEED


def keep_tail_free(logits: Tensor, z: float) -> Tensor:
    """Return new logits (V,) without the tail, for which the bend of the sorted probabilities decides; 0 < z < 1."""
    p, order = logits.softmax(-1).sort(descending=True)
    bend = p.diff().diff().abs()
    if not bend.sum() > 0:
        return logits.clone()
    removed = torch.ones_like(p, dtype=torch.bool)
    removed[order[0]] = False
    removed[order[1:-1]] = (bend / bend.sum()).cumsum(-1) > z  # each bend judges the middle of its three ranks
    return logits.masked_fill(removed, -torch.inf)


def keep_surprise(logits: Tensor, mu: float) -> Tensor:
    """Return new logits (V,) in which only tokens of at most mu bits of surprise are left, and the likeliest."""
    bits = -logits.log_softmax(-1) / math.log(2)
    return torch.where((bits <= mu) | (logits == logits.max()), logits, -torch.inf)


def mirostat(logits: Tensor, mu: float, tau: float, rate: float, u: float) -> tuple[int, float]:
    """Return (the id of the token, the next mu): one step of mirostat for logits (V,)."""
    token = draw(keep_surprise(logits, mu), u)
    surprise = -float(logits.log_softmax(-1)[token]) / math.log(2)
    return token, mu - rate * (surprise - tau)


def steady(tau: float, rate: float = 0.1, seed: int = SEED) -> Choose:
    """Return how to choose by mirostat: mu is kept from one token to the next."""
    numbers, state = np.random.default_rng(seed), {"mu": 2 * tau}

    def choose(logits: Tensor, ids: list[int]) -> int:
        token, state["mu"] = mirostat(logits, state["mu"], tau, rate, numbers.random())
        return token

    return choose


def contrastive_scores(p: Tensor, candidates: Tensor, history: Tensor, alpha: float) -> Tensor:
    """Return the scores (k,) for p (k,), the candidates' vectors (k, C) and those of the text so far (T, C)."""
    alike = F.normalize(candidates, dim=-1) @ F.normalize(history, dim=-1).T  # (k, T)
    return (1 - alpha) * p - alpha * alike.amax(dim=-1)


def contrastive_step(logits: Tensor, vectors: Callable, k: int, alpha: float) -> int:
    """Return the id with the best score among the k likeliest tokens of logits (V,).

    vectors(ids) returns (history (T, C), the vectors (k, C) of a list of k ids).
    """
    p, ids = logits.softmax(-1).topk(k)
    history, candidates = vectors(ids.tolist())
    return int(ids[contrastive_scores(p, candidates, history, alpha).argmax()])


def contrastive(writer: Writer, alpha: float, k: int = 4) -> Choose:
    """Return how to choose by contrastive search among the k likeliest tokens."""
    return lambda logits, ids: contrastive_step(logits, lambda some: writer.vectors(ids, some), k, alpha)


def dynamic_temperature(logits: Tensor, low: float, high: float) -> Tensor:
    """Return logits (V,) divided by a temperature from low to high: the share of the largest entropy, ln n, decides."""
    left = logits[logits > -torch.inf].double()
    entropy = torch.special.entr(left.softmax(-1)).sum()
    share = float(entropy) / np.log(len(left)) if len(left) > 1 else 0.0
    return logits / (low + (high - low) * share)


def quadratic(logits: Tensor, s: float) -> Tensor:
    """Return logits (V,) as the largest less s times the squared distance to it, "smoothing"."""
    return logits.max() - s * (logits - logits.max()) ** 2
