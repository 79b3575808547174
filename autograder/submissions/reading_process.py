"""Submissions are read and rebuilt in a process of its own: a file that brings it down costs one submission."""

import contextlib
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from nbformat import NotebookNode

from autograder.execution.end_with_parent import end_with_parent
from autograder.submissions.collect import Collected, collect, uncollected

SECONDS = 60  # for one submission
MEMORY = 4 * 2**30  # bytes of address space, where the system can limit it


class Intake:
    """Collects submissions one after the other; never raises for what a student handed in."""

    def __init__(self, template: NotebookNode):
        self.template = template
        self.pool: ProcessPoolExecutor | None = None

    def collect(self, folder: Path) -> Collected:
        """Return the rebuilt submission; the template with a reason if reading it ends or hangs the process."""
        self.pool = self.pool or ProcessPoolExecutor(1, get_context("spawn"), _start, (self.template,))
        try:
            return self.pool.submit(_collect, folder).result(SECONDS)
        except (BrokenProcessPool, TimeoutError, MemoryError, RecursionError) as error:
            self.close()
            reason = f"took more than {SECONDS} s" if isinstance(error, TimeoutError) else "ended the process"
            return uncollected(folder, self.template, f"the notebook could not be read: reading it {reason}")

    def close(self) -> None:
        """End the process, whatever it is doing."""
        pool, self.pool = self.pool, None
        if pool is not None:
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()


_template: NotebookNode | None = None


def _start(template: NotebookNode) -> None:
    """Prepare the process: its template, and a limit on its memory."""
    global _template
    _template = template
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the coordinator's to answer
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no limits, macOS not this one
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _collect(folder: Path) -> Collected:
    return collect(folder, _template)
