"""A child process must not outlive the coordinator, not even one that was killed."""

import multiprocessing
import os
import threading


def end_with_parent() -> None:
    """In a child: end this process as soon as the one that started it has ended, however that was."""
    threading.Thread(target=_watch, args=(multiprocessing.parent_process(),), daemon=True).start()


def _watch(parent) -> None:
    parent.join()
    os._exit(1)
