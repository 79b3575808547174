"""Batches: one after another, round and round, in an order that a resumed run repeats."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import torch
from accelerate.utils import find_batch_size, slice_tensors

from helpers.errors import CourseError

END = object()


class Batches:
    """The stream of batches that `fit` draws from.

    `source` is a list of batches, a DataLoader or another iterable that begins anew for each round, or a function
    from the step (0, 1, ...) to a batch. What it draws at random (Python, NumPy, torch on the CPU) comes from random
    numbers of its own, begun with `seed`: neither dropout in the model nor the number of processes moves its order.
    """

    def __init__(self, source, seed: int):
        self.source = source
        self.numbers = _numbers_from(seed)  # the state of the stream's own random numbers
        self.round_began = self._begin()
        self.taken = 0  # batches of this round
        self.iterator: Iterator | None = None

    def draw(self, step: int):
        """Return the batch of this step."""
        if isinstance(self.source, (list, tuple)):
            return self.source[step % len(self.source)]
        with self._own_numbers():
            return self.source(step) if callable(self.source) else self._next()

    def _next(self):
        batch = next(self._begun(), END)
        if batch is END and self.taken:
            self.iterator, self.taken = None, 0
            batch = next(self._begun(), END)
        if batch is END:
            raise CourseError("the batches ran out; fit needs a list, a DataLoader or a function, not a used generator")
        self.taken += 1
        return batch

    def _begun(self) -> Iterator:
        """The round's iterator; a new one is moved on to where the round was left."""
        if self.iterator is None:
            if self.taken:
                self._go_back()
            else:
                self.round_began = self._begin()
            self.iterator = iter(self.source)
            for _ in range(self.taken):
                next(self.iterator)
        return self.iterator

    def _begin(self) -> dict:
        return {"numbers": _state(), "generators": [g.get_state() for g in self._generators()]}

    def _go_back(self) -> None:
        _restore(self.round_began["numbers"])
        for generator, state in zip(self._generators(), self.round_began["generators"], strict=True):
            generator.set_state(state)

    def _generators(self) -> list[torch.Generator]:
        """The generators that a DataLoader was given; it draws its order from them."""
        holders = (self.source, getattr(self.source, "sampler", None))
        return [h.generator for h in holders if isinstance(getattr(h, "generator", None), torch.Generator)]

    @contextmanager
    def _own_numbers(self):
        outer = _state()
        _restore(self.numbers)
        try:
            yield
        finally:
            self.numbers = _state()
            _restore(outer)

    def state_dict(self) -> dict:
        """Where the stream is, for a checkpoint."""
        return {"numbers": self.numbers, "round_began": self.round_began, "taken": self.taken}

    def load_state_dict(self, state: dict) -> None:
        """Go to where a checkpoint left the stream."""
        self.numbers, self.round_began, self.taken = state["numbers"], state["round_began"], state["taken"]
        self.iterator = None


def rows_of(batch) -> int:
    """Return how many rows a batch has: the length of its first tensor."""
    try:
        rows = find_batch_size(batch)
    except (TypeError, ValueError, IndexError):
        rows = 0
    if not rows:
        raise CourseError("a batch must hold tensors with at least one row")
    return rows


def cut(batch, pieces: int) -> list:
    """Cut a batch into so many pieces of consecutive rows, as even as can be."""
    if pieces == 1:
        return [batch]
    rows = rows_of(batch)
    edges = [rows * piece // pieces for piece in range(pieces + 1)]
    return [slice_tensors(batch, slice(a, b)) for a, b in pairwise(edges)]


def count_tokens(batch) -> int:
    """Return the number of token ids in the batch's first tensor, or its rows if that holds no whole numbers."""
    first = batch
    while not isinstance(first, torch.Tensor):
        first = next(iter(first.values() if isinstance(first, dict) else first))
    return first.shape[0] if first.is_floating_point() else first.numel()


@contextmanager
def aside():
    """Run a block, then put the random numbers back: what it drew (an evaluation, say) changes nothing after it."""
    outer = _state()
    try:
        with torch.random.fork_rng():  # every CUDA device, too
            yield
    finally:
        _restore(outer)


def _state() -> dict:
    """The state of the CPU's random numbers, in plain types that a checkpoint can hold."""
    kind, words, *rest = np.random.get_state()
    return {
        "python": random.getstate(),
        "numpy": (kind, torch.from_numpy(words.astype(np.int64)), *rest),
        "torch": torch.get_rng_state(),
    }


def _restore(state: dict) -> None:
    kind, words, *rest = state["numpy"]
    random.setstate(state["python"])
    np.random.set_state((kind, words.numpy().astype(np.uint32), *rest))
    torch.set_rng_state(state["torch"])


def _numbers_from(seed: int) -> dict:
    with aside():
        random.seed(seed)
        np.random.seed(seed)
        torch.default_generator.manual_seed(seed)  # the CPU's alone
        return _state()
