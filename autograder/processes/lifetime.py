"""How a process of the grader ends with the one that started it, and hears no Ctrl-C, which is not its to answer."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator

from autograder.linux import syscalls


def end_with_parent() -> None:
    """In a child: end this process as soon as the one that started it has ended, however that was.

    Linux ends it with the *thread* that started it, which is another thing for a child of multiprocessing: those may be
    started by any thread, and watch their parent themselves.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    elif sys.platform == "linux":
        syscalls.die_with_parent()


def _watch(parent) -> None:
    parent.join()
    os._exit(1)


@contextlib.contextmanager
def block_sigint() -> Iterator[None]:
    """Let what is started here not hear Ctrl-C, which is the coordinator's to answer."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
