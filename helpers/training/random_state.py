"""The state of all random numbers: kept, put back, and left aside while something else draws."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch


def state(cuda: bool = True) -> dict:
    """Return the state of Python's, NumPy's and torch's random numbers, with those of the CUDA devices in use."""
    kept = {"python": random.getstate(), "numpy": np.random.get_state(), "torch": torch.get_rng_state()}
    return {**kept, "cuda": torch.cuda.get_rng_state_all()} if cuda and torch.cuda.is_initialized() else kept


def restore(kept: dict) -> None:
    """Put back what `state` returned."""
    random.setstate(kept["python"])
    np.random.set_state(kept["numpy"])
    torch.set_rng_state(kept["torch"])
    if "cuda" in kept:
        torch.cuda.set_rng_state_all(kept["cuda"])


def plain(kept: dict) -> dict:
    """Return the same state in types that a checkpoint may hold: NumPy's 624 words as a tensor."""
    kind, words, *rest = kept["numpy"]
    return {**kept, "numpy": (kind, torch.from_numpy(words.astype(np.int64)), *rest)}


def unplain(stored: dict) -> dict:
    """Return what `plain` was given."""
    kind, words, *rest = stored["numpy"]
    return {**stored, "numpy": (kind, words.numpy().astype(np.uint32), *rest)}


def seeded(seed: int) -> dict:
    """Return the state of fresh random numbers with this seed, on the CPU alone."""
    with aside(cuda=False):
        random.seed(seed)
        np.random.seed(seed)
        torch.default_generator.manual_seed(seed)
        return state(cuda=False)


@contextmanager
def aside(cuda: bool = True) -> Iterator[None]:
    """Run a block, then put the random numbers back: what it draws changes nothing after it."""
    outer = state(cuda)
    try:
        yield
    finally:
        restore(outer)
