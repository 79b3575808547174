"""A worker: one zygote in the sandbox and one judge server; it runs one submission at a time and outlives them all."""

import contextlib
import json
import os
import select
import socket
import threading
import time
from functools import partial

from autograder.judge.server import ENTRY
from autograder.link.process import Server, python
from autograder.sandbox.choose import ensure
from autograder.sandbox.start import CODE, ENVIRONMENT, SERVE, Sandbox, once

FORMAT = 1  # of results
GRACE = 6.0  # seconds for the judge to end by itself: after the job's time, and after its runner has ended
ONE_THREAD = {name: value for name, value in ENVIRONMENT.items() if name.endswith("_THREADS") or name.startswith("PYTHON")}
ENDED = {"memory": "took more memory than allowed", "processes": "started more processes than allowed"}

_lock = threading.Lock()
_chosen: list[Sandbox] = []


class Lost(Exception):
    """A zygote or a judge server ended in the middle of a job."""


def default_sandbox() -> Sandbox:
    """The sandbox of this machine, chosen and tried once; CourseError if there is none."""
    with _lock:
        if not _chosen:
            _chosen.append(ensure())
        return _chosen[0]


class Worker:
    """Runs jobs, one at a time; several workers in threads of one process are independent of one another.

    sandbox: how its zygote is started (default: the best of this machine). runner, imports, judge: for tests.
    """

    def __init__(
        self,
        sandbox: Sandbox | None = None,
        *,
        runner: str = SERVE,
        imports: tuple[str, ...] | None = None,
        judge: str = ENTRY,
    ):
        self.sandbox = sandbox or default_sandbox()
        self.closed = False
        self.zygote: Server | None = None
        self.judge: Server | None = None
        self._make_zygote = partial(self.sandbox.zygote, runner, imports)
        self._judge_entry = judge

    def start(self) -> None:
        """Start what is not running, both at the same time; CourseError if one does not start."""
        self.zygote = self.zygote or self._make_zygote()
        self.judge = self.judge or _judge_server(self._judge_entry)
        self.zygote.ready()
        self.judge.ready()

    def run(self, job: dict) -> dict:
        """Return the result of one job (see autograder.results); a job that loses a server is tried once more.

        job: cells, limits ({"cell": seconds, "total": seconds}), secret, chapter, student, hash.
        """
        started, failure = time.monotonic(), ""
        for _ in range(2):
            try:
                found = self._run(job)
                break
            except Lost as lost:
                failure = "stopped" if self.closed else f"{lost}, twice"
                found = {"failure": failure}
                if self.closed:
                    break
            finally:
                if once():  # each job has processes of its own there
                    self._end("zygote"), self._end("judge")
        return _result(job, self.sandbox.protections, round(time.monotonic() - started, 3), found)

    def close(self) -> None:
        """End both servers and the job that runs, also from another thread."""
        self.closed = True
        for server in (self.zygote, self.judge):
            if server is not None:
                server.process.kill()
        self._end("zygote")
        self._end("judge")

    def _run(self, job: dict) -> dict:
        if self.closed:
            raise Lost("the worker is closed")
        self.start()
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self._submit("zygote", {"seed": job.get("seed", 0)}, theirs)
            self._submit("judge", job, ours)
        runner: dict = {}
        verdict = self._wait(job["limits"]["total"] + GRACE, runner)
        self._end_runner(runner)
        return _found(verdict, runner, self.sandbox.limits.memory_mb)

    def _submit(self, name: str, job: dict, sock: socket.socket) -> None:
        try:
            getattr(self, name).submit(job, sock)
        except OSError:
            self._lose(name)

    def _wait(self, seconds: float, runner: dict) -> dict:
        """Return the judge's last message; keeps the zygote's in `runner`. What takes too long is ended, runner first."""
        until, to_end = time.monotonic() + seconds, [self.zygote, self.judge]
        while True:
            left = until - time.monotonic()
            if left <= 0:
                if not to_end:
                    self._lose("judge")
                to_end.pop(0).end_job()
                until += GRACE
                continue
            told = self._hear(left, runner)
            if told:
                return told

    def _hear(self, left: float, runner: dict) -> dict:
        """Wait for either server; returns the judge's verdict if that has come."""
        controls = {self.zygote.control: "zygote", self.judge.control: "judge"}
        try:
            ready = select.select(list(controls), [], [], left)[0]
        except (OSError, ValueError):  # closed from another thread
            raise Lost("the worker is closed") from None
        for name in [controls[control] for control in ready]:
            server: Server = getattr(self, name)
            message = server.hear(0)
            if message == {}:
                self._lose(name)
            if message and message["id"] == server.last:
                if name == "judge":
                    return message
                runner.update(message)
        return {}

    def _end_runner(self, runner: dict) -> None:
        """After the verdict: the runner and all that it started are gone before the next job begins."""
        self.zygote.end_job()
        until = time.monotonic() + GRACE
        while not runner and (left := until - time.monotonic()) > 0:
            message = self.zygote.hear(left)
            if not message:
                break
            runner.update(message if message["id"] == self.zygote.last else {})
        if not runner:
            self._end("zygote")

    def _lose(self, name: str) -> None:
        """End a server that is lost, make the other one ready for the next job, and say so."""
        other = "judge" if name == "zygote" else "zygote"
        server: Server = getattr(self, other)
        server.end_job()
        message = server.hear(GRACE)
        if not message or message.get("id") != server.last:
            self._end(other)
        words = getattr(self, name).last_words() if getattr(self, name) else ""
        self._end(name)
        raise Lost(f"the {'sandbox' if name == 'zygote' else 'judge'} ended in the middle of the job ({words or 'killed'})")

    def _end(self, name: str) -> None:
        server, _ = getattr(self, name), setattr(self, name, None)
        if server is not None:
            with contextlib.suppress(OSError):
                server.kill()


def _judge_server(entry: str) -> Server:
    path = os.pathsep.join(filter(None, (str(CODE), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": path, "MPLBACKEND": "agg", "BOW2LORA_GRADING": "1"}
    spec = {"entry": entry, "once": once()}

    def command(fd: int) -> list[str]:
        return python("-m", "autograder.judge.server", json.dumps({**spec, "control": fd}))

    return Server("the judge server", command, environment, once=once())


def _found(verdict: dict, runner: dict, memory_mb: int) -> dict:
    """What the judge says, what the runner took, and why either ended by force."""
    found = verdict["result"] if isinstance(verdict["result"], dict) else {}
    failure = "" if found else _why(verdict)
    note = ENDED.get(runner.get("killed", ""))
    notes = [*found.get("notes", []), *([f"the process {note} ({memory_mb} MB)" if "memory" in note else note] if note else [])]
    return {"failure": failure, **found, "notes": notes, "memory_mb": runner.get("memory_mb", 0.0)}


def _why(verdict: dict) -> str:
    """Why there is no verdict."""
    return "no verdict in time" if verdict["killed"] else f"the judge ended without a verdict (exit {verdict['exit']})"


def _result(job: dict, protections: dict, seconds: float, found: dict) -> dict:
    """The result of a job, with nothing where nothing is known."""
    head = {"format": FORMAT, **{name: job.get(name, "") for name in ("chapter", "student", "hash")}}
    empty = {"cells": [], "checks": [], "notes": [], "repairs": [], "memory_mb": 0.0, "failure": ""}
    return {**head, **empty, **found, "protections": dict(protections), "seconds": seconds}
