"""Several searches as one: reciprocal ranks or standardised scores, summed."""

import numpy as np


def fused(*scores: np.ndarray, k: int = 60) -> np.ndarray:
    """Return the reciprocal rank fusion (Cormack et al. 2009) of several (queries, passages): sum of 1 / (k + rank)."""
    ranks = [(-s).argsort(axis=1, kind="stable").argsort(axis=1) + 1 for s in scores]
    return sum(1.0 / (k + r) for r in ranks)


def summed(*scores: np.ndarray) -> np.ndarray:
    """Return the sum of several (queries, passages), each brought to mean 0 and deviation 1 for each query.

    Unlike the ranks of `fused`, it keeps how far ahead of the others a passage is.
    """
    return sum((s - s.mean(axis=1, keepdims=True)) / (s.std(axis=1, keepdims=True) + 1e-9) for s in scores)
