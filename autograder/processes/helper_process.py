"""Processes of our own for what may take too long or end its process: each question has its time, each process an end.

Questions and answers are JSON; nothing that comes back is unpickled. What goes wrong in one question is raised as
Failed, with the reason in a few words, and is that question's alone: the next one is answered by a fresh process.
"""

import contextlib
import json
import multiprocessing
import queue
import signal
import socket
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any

from autograder.processes.framing import receive, send, send_bytes
from autograder.processes.lifetime import end_with_parent
from autograder.terminal import one_line
from helpers.errors import CourseError

START_TIMEOUT = 120.0  # seconds until a process must be ready; a cold disk is slow
MAX_BYTES = 64 * 2**20  # of an answer
CLOCK_FACTOR = 5  # times the CPU seconds of a question: what it may take by the clock on a busy machine
ATTEMPTS = 2  # a process that was ended from outside costs one more

OUT_OF_TIME = -getattr(signal, "SIGPROF", 0)  # how a process ends that has no CPU time left
EXIT_TIMEOUT = 5.0  # seconds for a process that has closed its socket to be gone

Answer = Callable[[dict], object]  # what a process does with a question; its value is JSON, too


class Failed(Exception):
    """There is no answer; the message says why, as in "took more than 60 s"."""


class Ended(Failed):
    """The process ended in the middle of the question."""


class HelperProcess:
    """One process that answers one question at a time; it is started when it is needed.

    make: called in the process with `arguments`; returns what answers questions. Both travel by pickle, from here only.
    """

    def __init__(self, make: Callable[..., Answer], *arguments):
        self.make, self.arguments = make, arguments
        self.process: multiprocessing.process.BaseProcess | None = None
        self.closed = False

    def ask(self, question: dict, seconds: float) -> Any:
        """Return the answer; raises Failed if there is none in time, or if the process ends, twice.

        seconds: of CPU time, so that a busy machine costs nobody an answer; by the clock CLOCK_FACTOR times as many.
        """
        for attempt in range(ATTEMPTS):
            try:
                return self._ask(question, seconds)
            except Ended:
                if attempt == ATTEMPTS - 1 or self.closed:
                    raise
        raise AssertionError

    def close(self) -> None:
        """End the process, whatever it is doing, also from another thread."""
        self.closed = True
        self._end()

    def _ask(self, question: dict, seconds: float) -> Any:
        if self.process is None:
            self._start()
        try:
            send(self.sock, {"seconds": seconds, "question": question})
            reply = receive(self.sock, CLOCK_FACTOR * seconds, MAX_BYTES)
        except TimeoutError:
            self._end()
            raise Failed(f"took more than {seconds:g} s") from None
        except (EOFError, OSError, ValueError):
            if self._end(EXIT_TIMEOUT) == OUT_OF_TIME:
                raise Failed(f"took more than {seconds:g} s") from None
            raise Ended("ended the process") from None
        if "failed" in reply:
            raise Failed(reply["failed"])
        return reply["answer"]

    def _start(self) -> None:
        if self.closed:
            raise Ended("ended the process")
        context = multiprocessing.get_context("spawn")
        self.sock, theirs = socket.socketpair()
        self.process = context.Process(target=_serve, args=(theirs, self.make, self.arguments), daemon=True)
        self.process.start()
        theirs.close()
        with contextlib.suppress(EOFError, OSError):
            receive(self.sock, START_TIMEOUT)
            return
        self._end()
        if not self.closed:
            raise CourseError("a process of the grader's own does not start; nothing is lost: run the command again")
        raise Ended("ended the process")

    def _end(self, timeout: float = 0.0) -> int | None:
        """End the process, after so many seconds; returns with what it ended, if it had done so by itself."""
        process, self.process = self.process, None
        if process is None or process.pid is None:
            return None
        process.join(timeout)
        code = process.exitcode
        process.kill()
        process.join()
        return code


class Helpers:
    """Several such processes, side by side. Use it as a context."""

    def __init__(self, count: int, make: Callable[..., Answer], *arguments):
        self.count = count
        self.all = [HelperProcess(make, *arguments) for _ in range(count)]
        self.free: queue.SimpleQueue = queue.SimpleQueue()
        for helper in self.all:
            self.free.put(helper)
        self.threads = ThreadPoolExecutor(count, "helpers")

    def __enter__(self) -> "Helpers":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def each(self, items: Iterable, work: Callable) -> Iterator[tuple]:
        """Yield (item, work(item, helper)) as they are ready; items are drawn no faster than results are taken."""
        waiting = {}
        for item in items:
            waiting[self.threads.submit(self._with_free_helper, work, item)] = item
            while len(waiting) >= 2 * self.count:
                yield from self._ready(waiting)
        while waiting:
            yield from self._ready(waiting)

    def close(self) -> None:
        """End all processes, busy or not."""
        self.threads.shutdown(wait=False, cancel_futures=True)
        for helper in self.all:
            helper.close()

    def _with_free_helper(self, work: Callable, item):
        helper = self.free.get()
        try:
            return work(item, helper)
        finally:
            self.free.put(helper)

    def _ready(self, waiting: dict) -> Iterator[tuple]:
        done = wait(waiting, return_when=FIRST_COMPLETED).done
        for future in [f for f in waiting if f in done]:  # in the order in which they were handed in
            yield waiting.pop(future), future.result()


def _serve(sock: socket.socket, make: Callable[..., Answer], arguments: tuple) -> None:
    """In the process: answer until nobody asks any more."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the coordinator's to answer
    answer = make(*arguments)
    send(sock, {})
    with contextlib.suppress(EOFError, OSError):
        while True:
            asked = receive(sock)
            _end_after(asked["seconds"])
            send_bytes(sock, _answer_or_reason(answer, asked["question"]))


def _end_after(seconds: float) -> None:
    """In a process: end it when it has taken so much CPU time, counted anew by each call; Windows cannot."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _answer_or_reason(answer: Answer, question: dict) -> bytes:
    """Return the answer, or why there is none: the one place at which whatever is raised becomes a reason."""
    try:
        reply = json.dumps({"answer": answer(question)}).encode()
        return reply if len(reply) <= MAX_BYTES else b'{"failed": "came to more than can be sent"}'
    except CourseError as error:
        reason = str(error)
    except Exception as error:  # RecursionError and MemoryError are among them
        reason = f"raised {type(error).__name__}"
    return json.dumps({"failed": one_line(reason)}).encode()
