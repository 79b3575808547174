"""Hand jobs to workers, as many at a time as there are workers, and give back what comes of each as it is ready."""

import math
import queue
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from autograder.execution import results
from autograder.jobs import Job
from autograder.terminal import one_line
from helpers.errors import CourseError

SLOW_SECONDS = 15.0  # seconds without a result after which jobs that wait get a worker each, however few they are

Outcome = tuple[Any, Job, dict]  # what a job is for, the job, its result
Item = tuple[Any, Job, dict | None]  # the same, the result None while it is not known


class Worker(Protocol):
    """Runs one job at a time; it outlives whatever a job does.

    A class may say, as `jobs_per_worker`, how many jobs one worker does sooner than another one gets ready; else one.
    """

    def run(self, job: Job) -> dict:
        """Return the result of a job; see autograder.execution.results."""

    def close(self) -> None:
        """End the worker and what it runs, also from another thread."""


def ready(worker: Worker) -> None:
    """Let a worker import what it needs before its first job, if it has anything to get ready."""
    getattr(worker, "start", lambda: None)()


Backend = Callable[[], Worker]


def backend(sandbox: bool | None = True, say: Callable[[str], None] = print) -> Backend:
    """Return what makes a worker: in the sandbox (True), without one (False), in one where there is one (None).

    say: gets a line where there is none. Without a sandbox the code runs as you; it is judged in another process all
    the same, where processes can be forked.
    """
    from autograder.execution.sandboxed_worker import SandboxedWorker, default_sandbox

    if sandbox is None and (why := _missing(default_sandbox)):
        say(f"there is no sandbox on this machine, so the notebook's code runs as you: {why}")
        sandbox = False
    if sandbox is not False:
        return SandboxedWorker
    if sys.platform == "linux":
        from autograder.execution.unconfined_worker import UnconfinedWorker

        return UnconfinedWorker
    from autograder.execution.in_process_worker import InProcessWorker

    return InProcessWorker


class Unreachable(CourseError):
    """Nobody is left who can run anything: there is no use in going on."""


def _missing(choose: Callable) -> str:
    """Return why there is no sandbox, in a few words; "" if there is one."""
    try:
        choose()
    except CourseError as error:
        return str(error).removeprefix("There is no sandbox on this machine: ").partition(". ")[0]
    return ""


def outcomes(items: Iterable[Item | None], crew: "Crew") -> Iterator[Outcome]:
    """Yield (what for, job, result) for each item, as it is ready.

    items: (what for, job, the result if it is known), or None to wait until something is done; drawn no faster than
    workers are free, so that a class of any size passes through a few places. A worker that raises costs the job that
    it had.
    """
    for item in items:
        if item is None:
            yield crew.next()
            continue
        purpose, job, result = item
        if result is not None:
            yield purpose, job, result
            continue
        while crew.busy >= 2 * crew.count:  # one in each hand
            yield crew.next()
        crew.put((purpose, job))
        while crew.any_ready:
            yield crew.next()
    while crew.busy:
        yield crew.next()


class Crew:
    """Threads, each with a worker of its own that is made when it is needed. Use it as a context.

    count: the most workers. jobs_per_worker: jobs for which one more is not worth its start, if they are quickly done.
    """

    def __init__(self, make: Backend, count: int, jobs_per_worker: int = 1, say: Callable[[str], None] = print):
        """say: gets a line on a worker that does not start while others do."""
        self.say, self.lost, self._lock = say, 0, threading.Lock()
        self.make, self.count, self.jobs_per_worker, self.busy, self.handed = make, count, jobs_per_worker, 0, 0
        self.workers: list[Worker] = []
        self.jobs: queue.SimpleQueue = queue.SimpleQueue()
        self.done: queue.SimpleQueue = queue.SimpleQueue()
        self.threads: list[threading.Thread] = []
        self.closed = False

    @property
    def any_ready(self) -> bool:
        """Whether a result waits."""
        return not self.done.empty()

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def start(self, jobs: int) -> None:
        """Let workers for so many jobs get ready (never more than there are to be) while the jobs are being made."""
        self._have(math.ceil(jobs / self.jobs_per_worker))

    def _have(self, workers: int) -> None:
        while len(self.threads) < min(self.count, workers):
            self.threads.append(threading.Thread(target=self._work, daemon=True))
            self.threads[-1].start()

    def put(self, work: tuple[Any, Job]) -> None:
        """Hand in a job."""
        self.busy += 1
        self.handed += 1
        self.jobs.put(work)
        self.start(self.handed)

    def next(self) -> Outcome:
        """Return the next result; waits for it. An error of the grader's own is raised here."""
        while True:
            try:
                outcome = self.done.get(timeout=SLOW_SECONDS)
                break
            except queue.Empty:
                self._have(len(self.threads) + self.jobs.qsize())
        self.busy -= 1
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def close(self) -> None:
        """End all workers, busy or not."""
        self.closed = True
        for _ in self.threads:
            self.jobs.put(None)
        for worker in self.workers:
            worker.close()

    def _cannot_start(self, error: BaseException) -> None:
        """Go on with the workers that there are; without any there is no use in it.

        One that was ended while it started, for all work was done, is missed by nobody.
        """
        if self.closed:
            return
        with self._lock:
            self.lost += 1
            alone = self.lost == len(self.threads)
        if alone or isinstance(error, Unreachable):
            self.done.put(error)
        else:
            self.say(f"a worker does not start, the others go on: {one_line(str(error))}")

    def _work(self) -> None:
        try:
            worker = self.make()
            self.workers.append(worker)
            ready(worker)
        except BaseException as error:
            self._cannot_start(error)
            return
        while not self.closed and (work := self.jobs.get()) is not None:
            try:
                self.done.put((*work, _result(worker, work[1])))
            except Unreachable as error:
                self.done.put(error)
                return
        worker.close()


def _result(worker: Worker, job: Job) -> dict:
    """Run one job; whatever goes wrong in the worker is this job's alone."""
    try:
        return worker.run(job)
    except Unreachable:
        raise
    except Exception as error:
        return results.new(job, failure=one_line(f"{results.NOT_GRADED}{type(error).__name__}: {error}"))
