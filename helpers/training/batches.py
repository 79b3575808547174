"""Batches: one after another, round and round, in an order that a resumed run repeats."""

from collections.abc import Iterator
from itertools import pairwise

import torch
from accelerate.utils import recursively_apply, slice_tensors

from helpers.errors import CourseError
from helpers.training.random_state import aside, restore, seeded, state

END = object()


class Batches:
    """The stream of batches that `fit` draws from.

    `source` is a list of batches, a DataLoader or another iterable that begins anew for each round, or a function
    from the step (0, 1, ...) to a batch. What it draws at random (Python, NumPy, torch on the CPU) comes from random
    numbers of its own, begun with `seed`: neither dropout in the model nor the number of processes moves its order.
    """

    def __init__(self, source, seed: int):
        self.source, self.seed = source, seed
        self.numbers = seeded(seed)
        self.generators = [g.get_state() for g in _generators(source)]  # as they were when the run began
        self.iterator: Iterator | None = None

    def draw(self, step: int):
        """Return the batch of this step."""
        if isinstance(self.source, (list, tuple)):
            return self.source[step % len(self.source)]
        with aside(cuda=False):
            restore(self.numbers)
            batch = self.source(step) if callable(self.source) else self._next()
            self.numbers = state(cuda=False)
        return batch

    def skip(self, steps: int) -> None:
        """Draw the batches of the steps that a killed run had done: only so is every source where it was."""
        if not isinstance(self.source, (list, tuple)):
            for step in range(steps):
                self.draw(step)

    def _next(self):
        if self.iterator is not None and (batch := next(self.iterator, END)) is not END:
            return batch
        self.iterator = iter(self.source)  # a new round
        if (batch := next(self.iterator, END)) is END:
            raise CourseError("the batches ran out; fit needs a list, a DataLoader or a function, not a used generator")
        return batch

    def state_dict(self) -> dict:
        """How the stream began, for a checkpoint."""
        return {"seed": self.seed, "generators": self.generators}

    def load_state_dict(self, stored: dict) -> None:
        """Begin as the run of the checkpoint began."""
        self.numbers, self.iterator = seeded(stored["seed"]), None
        self.seed, self.generators = stored["seed"], stored["generators"]
        for generator, begun in zip(_generators(self.source), self.generators, strict=True):
            generator.set_state(begun)


def _generators(source) -> list[torch.Generator]:
    """The generators that a DataLoader or its samplers were given; the order of the batches comes from them."""
    outer = getattr(source, "batch_sampler", None)
    holders = (source, getattr(source, "sampler", None), outer, getattr(outer, "sampler", None))
    found = [getattr(holder, "generator", None) for holder in holders]
    return list({id(g): g for g in found if isinstance(g, torch.Generator)}.values())


def tensors_of(batch) -> list[torch.Tensor]:
    """Return all tensors of a batch: of a tuple, of a dict, of one in the other.

    Raises CourseError if there is none, or if the first has no rows.
    """
    found: list[torch.Tensor] = []
    recursively_apply(lambda tensor: found.append(tensor) or tensor, batch)
    if not found:
        raise CourseError(
            f"a batch must hold tensors, this one is a {type(batch).__name__} without; torch.as_tensor helps"
        )
    if found[0].dim() == 0 or len(found[0]) == 0:
        raise CourseError(f"a batch must have at least one row; its first tensor has shape {tuple(found[0].shape)}")
    return found


def rows_of(batch) -> int:
    """Return how many rows a batch has: the length of its first tensor."""
    return len(tensors_of(batch)[0])


def cut(batch, pieces: int) -> list:
    """Cut a batch into so many pieces of consecutive rows, as even as can be."""
    if pieces == 1:
        return [batch]
    rows = rows_of(batch)
    if any(t.dim() == 0 or len(t) != rows for t in tensors_of(batch)):
        shapes = ", ".join(str(tuple(t.shape)) for t in tensors_of(batch))
        raise CourseError(f"to cut a batch into pieces, all of its tensors must have the rows first; shapes: {shapes}")
    edges = [rows * piece // pieces for piece in range(pieces + 1)]
    return [slice_tensors(batch, slice(a, b)) for a, b in pairwise(edges)]


def count(batch) -> tuple[int, str]:
    """Return (number of token ids in the batch's first tensor, "tokens"), or its (rows, "rows") if it holds no ids."""
    first = tensors_of(batch)[0]
    return (len(first), "rows") if first.is_floating_point() else (first.numel(), "tokens")
