"""When the memory does not suffice: a batch is halved, and tried again."""

import sys

from accelerate.utils.memory import clear_device_cache
from tqdm import tqdm

from helpers.errors import CourseError


def more_pieces(pieces: int, rows: int, num_processes: int) -> int:
    """Return into how many pieces batches are cut from now on: twice as many, each with half the rows.

    Raises CourseError where that cannot help: single rows already, or other processes that wait for this one.
    """
    clear_device_cache(garbage_collection=True)
    if num_processes > 1:  # the others are waiting in the exchange
        raise CourseError(f"out of memory in one of several processes; take accumulate={2 * pieces}")
    if pieces >= rows:
        raise CourseError("out of memory even with one row at a time; take a smaller model or a shorter context")
    tqdm.write(f"Out of memory: each batch is now cut into {2 * pieces} pieces.", file=sys.stdout)
    return 2 * pieces
