"""What a call costs: seconds and memory, and a limit on memory that refuses the call instead of the whole machine."""

import contextlib
import gc
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import psutil

INTERVAL = 0.0005  # seconds between two looks at the memory


@dataclass(frozen=True)
class Usage:
    """What one call cost.

    seconds: by the clock; nan if it was refused
    mb:      the most memory held beyond what was held before, in MB; nan if it was refused
    refused: whether the call asked for more memory than the limit
    """

    seconds: float
    mb: float
    refused: bool = False


def usage(function: Callable, *args, limit_mb: float | None = None) -> Usage:
    """Call the function once and measure it; its result is dropped.

    Memory is that of the whole process (resident), looked at every half millisecond: small calls show as 0. The limit
    is the system's own (Linux); elsewhere nothing is refused.
    """
    gc.collect()
    process = psutil.Process()
    before, start = process.memory_info().rss, time.perf_counter()
    with _watched(process) as most, _limited(process, limit_mb):
        try:
            function(*args)
        except (MemoryError, RuntimeError) as error:
            if not _out_of_memory(error):
                raise
            return Usage(float("nan"), float("nan"), refused=True)
        seconds = time.perf_counter() - start
    return Usage(seconds, max(most[0] - before, 0) / 1e6)


def _out_of_memory(error: Exception) -> bool:
    return isinstance(error, MemoryError) or "allocate memory" in str(error)


@contextlib.contextmanager
def _watched(process: psutil.Process):
    """Yield a list whose one item is the largest resident size seen so far, in bytes."""
    most, done = [0], threading.Event()

    def look() -> None:
        while not done.is_set():
            most[0] = max(most[0], process.memory_info().rss)
            done.wait(INTERVAL)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield most
    finally:
        done.set()
        thread.join()


@contextlib.contextmanager
def _limited(process: psutil.Process, limit_mb: float | None):
    """Let the address space grow by so many MB and no further, while the block runs."""
    if limit_mb is None or not sys.platform.startswith("linux"):
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = process.memory_info().vms + int(limit_mb * 1e6)
    resource.setrlimit(resource.RLIMIT_AS, (limit if soft == resource.RLIM_INFINITY else min(limit, soft), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
