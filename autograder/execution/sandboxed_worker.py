"""A worker: one zygote in the sandbox and one judge server; it runs one submission at a time and outlives them all."""

import base64
import contextlib
import json
import os
import select
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from autograder import course_imports
from autograder.execution import results
from autograder.execution.continuation import to_the_end
from autograder.execution.time_limits import runner_cpu_seconds
from autograder.execution.turns import Turns
from autograder.jobs import Job
from autograder.judge import test_runs, two_runs
from autograder.judge.server import ENTRY
from autograder.processes.child_process import Server, python
from autograder.sandbox.choose import ensure
from autograder.sandbox.start import PACKAGE_FOLDER, REPEATABLE_ENVIRONMENT, RUNNER_ENTRY, Sandbox
from autograder.verdicts import Verdict
from helpers.errors import CourseError

GRACE = 6.0  # seconds for the judge to end by itself: after the job's time, and after its runner has ended
ATTEMPTS = 2
ENDED = {
    "memory": "took more than {} MB of memory",
    "processes": "started more processes than allowed",
    "processor": "took more processor time, all its processes together, than allowed",
}

turns = Turns()  # of the jobs of all workers in this process
_lock = threading.Lock()
_chosen: dict[str, Sandbox] = {}


class Lost(Exception):
    """A zygote or a judge server ended in the middle of a job."""


def default_sandbox() -> Sandbox:
    """The sandbox of this machine, chosen and tried once; CourseError if there is none."""
    return chosen_once("best", ensure)


def chosen_once(name: str, make: Callable[[], Sandbox]) -> Sandbox:
    """Return the sandbox of this name, made and tried at its first use in this process."""
    with _lock:
        if name not in _chosen:
            _chosen[name] = make()
        return _chosen[name]


class SandboxedWorker:
    """Runs jobs, one at a time; several workers in threads of one process are independent of one another.

    sandbox: how its zygote is started (default: the best of this machine). runner, imports, judge: for tests.
    """

    # Jobs of half a second are done before the two processes of one worker more have imported torch.
    jobs_per_worker = 6

    def __init__(
        self,
        sandbox: Sandbox | None = None,
        *,
        runner: str = RUNNER_ENTRY,
        imports: tuple[str, ...] | None = None,
        judge: str = ENTRY,
    ):
        self.sandbox = sandbox or default_sandbox()
        self.closed = False
        self.servers: dict[str, Server] = {}
        self._make = {"zygote": partial(self.sandbox.zygote, runner, imports), "judge": partial(_judge_server, judge)}

    def start(self) -> None:
        """Start what is not running, both at the same time; CourseError if one does not start."""
        for name, make in self._make.items():
            if name not in self.servers:
                self.servers[name] = make()
        for server in list(self.servers.values()):
            server.ready()

    def run(self, job: Job) -> dict:
        """Return the result of one job (see execution.results): of its shown cases, and then of the hidden ones."""
        started = time.monotonic()
        verdict = test_runs.verdict_of(job, self._tried) if job.is_adopted else self._of_checks(job)
        return results.of(job, verdict, self.sandbox.protections, time.monotonic() - started)

    def _of_checks(self, job: Job) -> Verdict:
        first, second = self._tried(job), None
        hidden = two_runs.of_hidden(job, first)
        if hidden:
            second = self._tried(hidden)
        return two_runs.joined(job, first, second)

    def _tried(self, job: Job) -> Verdict:
        """Run a job; one that loses a server is tried once more."""
        verdict = Verdict()
        for _ in range(ATTEMPTS):
            try:
                return self._in_turn(job)
            except Lost as lost:
                verdict = Verdict(failure=f"{results.NOT_GRADED}{'stopped' if self.closed else f'{lost}, twice'}")
            finally:
                if self.closed:
                    self._end("zygote", "judge")
        return verdict

    def _in_turn(self, job: Job) -> Verdict:
        """Run a job beside others; once more alone where a call went unanswered that had hardly any processor time."""
        if job.exclusive:
            with turns.exclusive():
                return to_the_end(job, self._run)
        with turns.shared():
            verdict = to_the_end(job, self._run)
        if verdict.starved:
            with turns.exclusive():
                verdict = self._better(verdict, replace(job, exclusive=True))
        return verdict

    def _better(self, first: Verdict, job: Job) -> Verdict:
        """Run a job that was run before; return what has more points, the second of equals: neither run costs any."""
        try:
            second = to_the_end(job, self._run)
        except Lost:
            if self.closed:
                raise
            return first
        return first if _points(first) > _points(second) else second

    def close(self) -> None:
        """End both servers and the job that runs, also from another thread."""
        self.closed = True
        self._end("zygote", "judge")

    def _run(self, job: Job) -> Verdict:
        if self.closed:
            raise Lost("the worker is closed")
        try:
            self.start()
        except CourseError as error:  # as when another submission keeps the machine busy
            raise Lost(str(error)) from None
        cpu_seconds = job.cpu_seconds or runner_cpu_seconds(self.sandbox.limits, job.limits.cell)
        ours, theirs = socket.socketpair()
        runner: dict = {}
        with judges_folder(job) as folder:
            with ours, theirs:
                self._submit("zygote", _for_zygote(job, cpu_seconds), theirs)
                self._submit("judge", job.to_json() | folder, ours)
            message = self._wait(job.limits.total + GRACE, runner)
        self._end_runner(runner)
        if _from_outside(runner, cpu_seconds):
            raise Lost("the notebook's process was killed from outside")
        cpu_left = int(cpu_seconds - runner.get("cpu_seconds", 0.0))
        return replace(_with_runner(message, runner, self.sandbox.limits.memory_mb), cpu_left=cpu_left)

    def _submit(self, name: str, job: dict, sock: socket.socket) -> None:
        try:
            self._server(name).submit(job, sock)
        except OSError:
            self._lose(name)

    def _server(self, name: str) -> Server:
        """A server; Lost when another thread has closed the worker."""
        server = self.servers.get(name)
        if server is None:
            raise Lost("the worker is closed")
        return server

    def _wait(self, seconds: float, runner: dict) -> dict:
        """Return the judge's last message; the zygote's goes into `runner`. Out of time, the runner is ended first."""
        until, to_end = time.monotonic() + seconds, ["zygote", "judge"]
        while True:
            left = until - time.monotonic()
            if left > 0:
                message = self._hear(left, runner)
                if message:
                    return message
            elif to_end:
                self._server(to_end.pop(0)).end_job()
                until += GRACE
            else:
                self._lose("judge")

    def _hear(self, left: float, runner: dict) -> dict:
        """Wait for either server; returns the judge's message if that has come."""
        controls = {self._server(name).control: name for name in self._make}
        try:
            ready = select.select(list(controls), [], [], left)[0]
        except (OSError, ValueError):
            raise Lost("the worker is closed") from None
        for name in [controls[control] for control in ready]:
            server = self._server(name)
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
        zygote = self._server("zygote")
        if not runner:
            zygote.end_job()
        until = time.monotonic() + GRACE
        while not runner:
            message = zygote.hear(max(0.0, until - time.monotonic()))
            if not message:  # gone, or too slow
                self._end("zygote")
                return
            runner.update(message if message["id"] == zygote.last else {})

    def _lose(self, name: str) -> None:
        """End a server that is lost, make the other one ready for the next job, and say so."""
        words = self.servers[name].last_words() if name in self.servers else ""
        self._end(name)
        for other, server in list(self.servers.items()):
            server.end_job()
            message = server.hear(GRACE)
            if not message or message.get("id") != server.last:
                self._end(other)
        who = "sandbox" if name == "zygote" else "judge"
        raise Lost(f"the {who} ended in the middle of the job ({words or 'killed'})")

    def _end(self, *names: str) -> None:
        for name in names:
            server = self.servers.pop(name, None)
            if server is not None:
                with contextlib.suppress(OSError):
                    server.kill()


@contextlib.contextmanager
def judges_folder(job: Job) -> Iterator[dict[str, str]]:
    """Give what a judge is told of a folder of its own with the instructor's files; nothing for our own chapters."""
    if not job.is_adopted:
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="bow2lora-judge-") as folder:
        for name, content in job.files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(content))
        yield {"folder": folder}


def _for_zygote(job: Job, cpu_seconds: int) -> dict:
    """Return what a zygote is told of a job: of its text only what the template's own cells import."""
    given = [cell.source for cell in job.cells if cell.kind == "given"]
    return {"seed": job.seed, "cpu_seconds": cpu_seconds, "imports": course_imports.of_course(given)}


def _from_outside(runner: dict, cpu_seconds: int) -> bool:
    """Whether a runner ended by SIGKILL that neither the zygote nor its limit on CPU time sent: out of memory, say.

    A runner in a pid namespace of its own cannot send it to itself.
    """
    killed = runner.get("exit") == -signal.SIGKILL and not runner.get("killed")
    return killed and runner.get("cpu_seconds", 0.0) < cpu_seconds - 1


def _judge_server(entry: str) -> Server:
    path = os.pathsep.join(filter(None, (str(PACKAGE_FOLDER), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, **REPEATABLE_ENVIRONMENT, "PYTHONPATH": path}

    def command(fd: int) -> list[str]:
        return python("-m", "autograder.judge.server", json.dumps({"entry": entry, "control": fd}))

    return Server("the judge server", command, environment)


def _with_runner(message: dict, runner: dict, memory_mb: int) -> Verdict:
    """What the judge says, what the runner took, and why either ended by force."""
    verdict = Verdict(failure=_why(message))
    if isinstance(message["result"], dict):
        verdict = Verdict.from_json(message["result"])
    notes = list(verdict.notes)
    why = ENDED.get(runner.get("killed", ""))
    if why:
        notes.append(f"stopped: the notebook {why.format(memory_mb)}")
    return replace(verdict, notes=notes, memory_mb=runner.get("memory_mb", 0.0))


def _points(verdict: Verdict) -> float:
    """Return the points of all checks, fewer than none where there is no verdict."""
    return -1.0 if verdict.failure else verdict.score


def _why(message: dict) -> str:
    """Why there is no verdict."""
    return "no verdict in time" if message["killed"] else f"the judge ended without a verdict (exit {message['exit']})"
