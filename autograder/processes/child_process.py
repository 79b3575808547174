"""The coordinator's side of a judge server or zygote: start it, hand it jobs, hear from it, end it."""

import contextlib
import os
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Protocol

from autograder.processes.framing import receive, send
from helpers.errors import CourseError

START_TIMEOUT = 240.0  # seconds until a server must be ready: a cold disk and a machine with much else to do are slow
EXIT_TIMEOUT = 3.0  # seconds that it has to leave


@cache
def _spawner() -> ThreadPoolExecutor:
    """One thread starts all servers: they die with the *thread* that started them (PR_SET_PDEATHSIG), so it stays."""
    return ThreadPoolExecutor(1, "spawner")


class Scratch(Protocol):
    """What goes when a server has ended."""

    def cleanup(self) -> None:
        """Remove it."""


class Server:
    """A process that serves jobs over a control socket.

    command: called with the number of the descriptor of its control socket; returns the command line.
    scratch: what is cleaned up when it has ended: a folder, a control group.
    """

    def __init__(
        self,
        name: str,
        command: Callable[[int], list[str]],
        environment: dict[str, str],
        *,
        scratch: Scratch | None = None,
    ):
        self.scratch = scratch
        self.name, self.last, self.is_ready = name, 0, False
        self.control, theirs = socket.socketpair()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed in close)
        try:
            self.process = _spawner().submit(self._start, command(theirs.fileno()), environment, theirs).result()
        except OSError as error:
            raise CourseError(f"{name}: it does not start: {error}") from error
        finally:
            theirs.close()

    def _start(self, line: list[str], environment: dict[str, str], theirs: socket.socket) -> subprocess.Popen:
        return subprocess.Popen(
            line,
            pass_fds=[theirs.fileno()],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._log,
            start_new_session=True,  # Ctrl-C is for the coordinator alone
        )

    def ready(self, timeout: float = START_TIMEOUT) -> None:
        """Wait until it serves; CourseError with its last words if it does not."""
        if self.is_ready:
            return
        message = self.hear(timeout)
        if message is None:
            self.kill()
            raise CourseError(
                f"{self.name}: it does not start within {timeout:.0f} s; has the machine much else to do?"
            )
        if message.get("op") != "ready":
            self.kill()
            raise CourseError(f"{self.name}: it does not start: {self.last_words() or 'no word from it'}")
        self.is_ready = True

    def submit(self, job: dict, sock: socket.socket) -> int:
        """Hand over a job and its socket; returns the job's number. OSError when the server is gone."""
        self.last += 1
        send(self.control, {"op": "job", "id": self.last, "job": job}, (sock.fileno(),))
        return self.last

    def end_job(self) -> None:
        """End the running job by force."""
        with contextlib.suppress(OSError):
            send(self.control, {"op": "kill", "id": self.last})

    def hear(self, timeout: float | None) -> dict | None:
        """Return the next message; {} when the server is gone, None when nothing comes in time (seconds)."""
        try:
            if not select.select([self.control], [], [], timeout)[0]:
                return None
            return receive(self.control)
        except (EOFError, OSError, ValueError):
            return {}

    def last_words(self) -> str:
        """The last line that it wrote to stderr."""
        self._log.seek(max(0, self._log.seek(0, os.SEEK_END) - 4096))
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return lines[-1].strip()[:300] if lines else ""

    def kill(self) -> None:
        """End it by force, with all that it started in its namespaces."""
        self.process.kill()
        self.process.wait()
        self.control.close()
        self._clean()

    def close(self) -> None:
        """Let it leave, or end it."""
        self.control.close()
        deadline = time.monotonic() + EXIT_TIMEOUT
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.kill()
        self._clean()
        self._log.close()

    def _clean(self) -> None:
        if self.scratch is not None:
            self.scratch.cleanup()


def python(*options: str) -> list[str]:
    """Return the start of a command line with this Python, which neither looks in the current folder nor at home."""
    return [sys.executable, "-P", "-s", "-B", *options]
