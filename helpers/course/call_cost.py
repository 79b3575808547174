"""What a call costs: seconds and memory, and a limit on memory that refuses it instead of the whole machine."""

import contextlib
import functools
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from weakref import finalize

import psutil
import torch
import torch._dynamo  # the first measurement would import it, within the time of a case
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


@dataclass(frozen=True)
class Usage:
    """What one call cost.

    seconds: by the clock; nan if it was refused
    mb:      the most memory that tensors made in the call held at one time, in MB; nan if it was refused
    refused: whether the call asked for more memory than the limit
    """

    seconds: float
    mb: float
    refused: bool = False


class Held(TorchDispatchMode):
    """Adds up the bytes of the tensors that operations return, for as long as each lives; `most` is the peak."""

    def __init__(self):
        super().__init__()
        self.now = self.peak = 0
        self.known: set[int] = set()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        old = {t.untyped_storage().data_ptr() for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)}
        for tensor in tree_leaves(result):
            if isinstance(tensor, torch.Tensor):
                self._count(tensor.untyped_storage(), old)
        return result

    def _count(self, storage: torch.UntypedStorage, old: set[int]) -> None:
        """Count a storage that is new: not one of the arguments' (a view, a change in place), not counted already."""
        place, size = storage.data_ptr(), storage.nbytes()
        if place in old or place in self.known or not size:
            return
        self.known.add(place)
        self.now += size
        self.peak = max(self.peak, self.now)
        finalize(storage, self._free, place, size)

    def _free(self, place: int, size: int) -> None:
        self.known.discard(place)
        self.now -= size


def usage(function: Callable, *args, limit_mb: float | None = None) -> Usage:
    """Call the function once and measure it; its result is dropped.

    Memory is that of tensors, not of what an operation needs inside. The limit is the system's own, on the address
    space of the process (Linux); elsewhere nothing is refused.
    """
    start = time.perf_counter()
    with Held() as held, _limited(limit_mb):
        try:
            function(*args)
        except (MemoryError, RuntimeError) as error:
            if not _out_of_memory(error):
                raise
            return Usage(float("nan"), float("nan"), refused=True)
        return Usage(time.perf_counter() - start, held.peak / 1e6)


def least_seconds(function: Callable, *args, repeats: int = 8) -> float:
    """Return the least seconds, by the clock, of some calls function(*args): what else runs only makes one slower."""
    best = math.inf
    for _ in range(repeats):
        start = time.perf_counter()
        function(*args)
        best = min(best, time.perf_counter() - start)
    return best


def memory_of(function: Callable, *args) -> float:
    """Return the MB that the tensors made in a call held at the same time, at most."""
    _loaded()
    return usage(function, *args).mb


@functools.cache
def _loaded() -> None:
    """Measure once what costs nothing: the first measurement loads what measures, which takes seconds."""
    usage(torch.neg, torch.zeros(1))


def _out_of_memory(error: Exception) -> bool:
    return isinstance(error, MemoryError) or "allocate memory" in str(error)


@contextlib.contextmanager
def _limited(limit_mb: float | None):
    """Let the address space grow by so many MB and no further, while the block runs."""
    if limit_mb is None or not sys.platform.startswith("linux"):
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = psutil.Process().memory_info().vms + int(limit_mb * 1e6)
    resource.setrlimit(resource.RLIMIT_AS, (limit if soft == resource.RLIM_INFINITY else min(limit, soft), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
