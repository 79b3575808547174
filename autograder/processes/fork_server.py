"""Common code of the judge server and the zygote: receive a job and a socket, fork, watch, reap, report.

The coordinator holds the other end of the control socket, and says what `framing` describes; a job brings the socket
that it works on along (SCM_RIGHTS). One job at a time.

    coordinator -> server   {"op": "job", "id": 1, "job": {...}} + socket    {"op": "kill", "id": 1}    end: leave
    server -> coordinator   {"op": "ready"}    {"op": "done", "id": 1, "exit": 0, "killed": "", "memory_mb": 310.2,
                                                "cpu_seconds": 0.3, "seconds": 0.4, "result": {...} or null}
"""

import gc
import json
import os
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from autograder.processes.framing import MAX_BYTES, receive_with_fds, send

FAILED = 70  # exit status of a child whose work raised (EX_SOFTWARE of sysexits.h)
WATCH_MS = 50
EXITING = 0x4  # PF_EXITING of the kernel, in the ninth field of /proc/PID/stat

Work = Callable[[dict, socket.socket], object]  # what a child does; its value travels back as JSON


def threads() -> int:
    """How many threads this process has, those of libraries included."""
    try:
        return len(os.listdir("/proc/self/task"))  # noqa: PTH208  (before each fork, so no needless objects)
    except FileNotFoundError:
        return 1


class ForkServer:
    """Serves jobs from a control socket, each in a forked child.

    work: runs in the child. returns: whether its value is sent back (never from a runner).
    fork: like os.fork. watch: called every 50 ms while a child runs; a reason that it gives ends the child.
    prepare: called with the job before the fork, for what children of later jobs need, too. after: called when a child
    has ended.
    """

    def __init__(
        self,
        control: socket.socket,
        work: Work,
        *,
        returns: bool,
        fork: Callable[[], int] = os.fork,
        watch: Callable[[], str] | None = None,
        prepare: Callable[[dict], None] = lambda _: None,
        after: Callable[[], None] = lambda: None,
    ):
        self.control, self.work, self.returns = control, work, returns
        self.fork, self.watch, self.prepare, self.after = fork, watch, prepare, after

    def run(self) -> None:
        """Serve until the coordinator is gone."""
        gc.collect()
        gc.freeze()  # the children's collector leaves these objects alone, so that their pages stay shared
        try:
            send(self.control, {"op": "ready", "threads": threads()})
            while True:
                message, fds = receive_with_fds(self.control)
                if message["op"] == "job":  # a "kill" here came after the end of its job
                    send(self.control, self._run_job(message, fds[0]))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return

    def _run_job(self, message: dict, fd: int) -> dict:
        if threads() != 1:  # a fork of several threads may hang in the first lock that another one held
            raise RuntimeError(f"the server has {threads()} threads, and must have one")
        started = time.monotonic()
        self.prepare(message["job"])
        ours, theirs = os.pipe()
        pid = self.fork()
        if pid == 0:
            os.close(ours)
            self._run_child(message["job"], socket.socket(fileno=fd), theirs)
        os.close(fd)
        os.close(theirs)
        report = self._wait_for_end(pid, ours)
        self.after()
        report["seconds"] = round(time.monotonic() - started, 4)
        return {"op": "done", "id": message["id"], **report}

    def _run_child(self, job: dict, sock: socket.socket, pipe: int) -> None:
        """Work, send the value back, and never return."""
        status = FAILED
        try:
            os.close(self.control.detach())
            if not self.returns:
                os.close(pipe)
            value = self.work(job, sock)
            if self.returns:
                with os.fdopen(pipe, "wb") as out:
                    out.write(json.dumps(value).encode())
            status = 0
        except SystemExit:
            pass
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)

    def _wait_for_end(self, pid: int, pipe: int) -> dict:
        """Wait for the child's end; read what it sends; end it when the coordinator or the watch says so."""
        pidfd, poll = os.pidfd_open(pid), select.poll()
        for fd in (pidfd, pipe, self.control.fileno()):
            poll.register(fd, select.POLLIN)
        parts: list[bytes] = []
        killed, ended = "", False
        while not ended:
            ready = {fd for fd, _ in poll.poll(WATCH_MS if self.watch else None)}
            ended = pidfd in ready
            if pipe in ready and not _read_part(pipe, parts):
                poll.unregister(pipe)
            if not ended and not killed:
                killed = self._reason_to_end(ready, pid) or (self.watch() if self.watch else "")
                if killed:
                    os.kill(pid, signal.SIGKILL)
        while _read_part(pipe, parts):
            pass
        os.close(pidfd)
        os.close(pipe)
        return {"killed": killed, **_reap(pid), "result": _parsed(parts)}

    def _reason_to_end(self, ready: set[int], pid: int) -> str:
        """What the coordinator says about the running job: "told" to end it, or nothing.

        A child that is ending already ends for a reason of its own, which its exit status tells.
        """
        if self.control.fileno() not in ready:
            return ""
        try:
            return "told" if receive_with_fds(self.control)[0]["op"] == "kill" and not _is_ending(pid) else ""
        except (EOFError, ConnectionResetError):
            return "the coordinator is gone"


def _is_ending(pid: int) -> bool:
    """Whether the kernel is ending a child. Its sockets close before the parent hears of its end."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()  # a process may name itself by any bytes
    except OSError:
        return False
    return bool(int(stat.rpartition(b")")[2].split()[6]) & EXITING)


def _read_part(pipe: int, parts: list[bytes]) -> bool:
    """Read some of what the child sends; False at its end. What is too long is no answer, but is read."""
    part = os.read(pipe, 1 << 16)
    if part and sum(map(len, parts)) + len(part) <= MAX_BYTES:
        parts.append(part)
    return bool(part)


def _reap(pid: int) -> dict:
    _, status, usage = os.wait4(pid, 0)
    cpu = round(usage.ru_utime + usage.ru_stime, 2)
    return {"exit": os.waitstatus_to_exitcode(status), "memory_mb": _megabytes(usage.ru_maxrss), "cpu_seconds": cpu}


def _megabytes(maxrss: int) -> float:
    return round(maxrss * 1024 / 1e6, 1)


def _parsed(parts: list[bytes]) -> object:
    try:
        return json.loads(b"".join(parts)) if parts else None
    except ValueError:
        return None
