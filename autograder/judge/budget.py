"""How much of the processors the checks of one submission may take, here and in the runner, however busy the machine.

A value may be small to send and long to print, compare or make. The runner's time is the kernel's account of its
process, which the judge knows by the credentials that the kernel puts beside its first message (SCM_CREDENTIALS of
unix(7)), before anything of the student's has run. By the same account a runner that sleeps is told from one that
waits for its turn: the first holds up the class, the second is held up by it.
"""

import contextlib
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path

from helpers.checks.timers import CaseTimeout, limit

CPU_SECONDS = 12.0  # the solutions of a chapter take one to three, given cells included
IDLE_SECONDS = 30.0  # that the answers of one submission may sleep in all
USED_UP = "the processor time for judging was used up"
CREDENTIALS = struct.Struct("3i")  # pid, uid, gid
PROCESS_CLOCK = 2  # CPUCLOCK_SCHED of the kernel's posix-timers.h


class Runner:
    """A runner's process, as the kernel accounts for it; pid 0: nobody tells, it has taken nothing and never sleeps."""

    def __init__(self, pid: int = 0):
        self.pid, self._last, self._busy = pid, 0.0, 0.0

    def processor(self) -> float:
        """Return the seconds of processor time that it has taken; once it has ended, those of the last question."""
        if self.pid:
            with contextlib.suppress(OSError):
                self._last = time.clock_gettime((~self.pid << 3) | PROCESS_CLOCK)
        return self._last

    def queued(self) -> float:
        """Return the seconds for which its threads have waited for a processor (the kernel's schedstats)."""
        return sum(float(text.split()[1]) for text in self._of_threads("schedstat")) / 1e9

    def slept(self, seconds: float) -> float:
        """Return how many of the last seconds, in which nothing came of it, it slept at least.

        What it has computed and queued since the last time that somebody asked is taken off: to ask is dear.
        """
        if not self.sleeps():
            return 0.0
        before, self._busy = self._busy, self.processor() + self.queued()
        return max(0.0, seconds - (self._busy - before))

    def sleeps(self) -> bool:
        """Whether none of its threads computes, or waits for a processor or a disk (states R and D of proc(5))."""
        states = {text.rpartition(")")[2].split()[0] for text in self._of_threads("stat")}
        return bool(states) and states.isdisjoint("RD")

    def _of_threads(self, name: str) -> list[str]:
        """Return what the kernel says of each thread under a name; nothing once the process has ended."""
        if not self.pid:
            return []
        try:
            return [(thread / name).read_text() for thread in Path(f"/proc/{self.pid}/task").iterdir()]
        except OSError:
            return []


class Budget:
    """CPU seconds that are left for the checks of one submission."""

    def __init__(self, seconds: float = CPU_SECONDS, runner: Runner | None = None):
        self.left, self.runner = seconds, runner or Runner()
        self.mark: float | None = None  # when the check that runs began

    def hold(self) -> None:
        """While a check runs: raise CaseTimeout if what it has taken is more than is left."""
        if self.mark is not None and self._now() - self.mark > self.left:
            raise CaseTimeout

    @contextlib.contextmanager
    def check(self, clock: float) -> Iterator[None]:
        """Count what the block takes; interrupt it by CaseTimeout when the judge alone takes all that is left.

        clock: seconds after which it is interrupted whatever it took.
        """
        self.mark = began = self._now()
        try:
            with limit(self.left, clock):
                yield
        finally:
            self.left -= self._now() - began
            self.mark = None

    def _now(self) -> float:
        return time.process_time() + self.runner.processor()


def runner_of_peer(sock: socket.socket, seconds: float) -> Runner:
    """Return the process that sends the next message, which stays to be read.

    Where the kernel does not tell (no Linux), or nothing comes in time, it is one of which nothing is known.
    """
    if not hasattr(socket, "SO_PASSCRED"):
        return Runner()
    sock.settimeout(seconds)
    try:
        _, beside, _, _ = sock.recvmsg(1, socket.CMSG_SPACE(CREDENTIALS.size), socket.MSG_PEEK)
    except OSError:
        return Runner()
    pids = [CREDENTIALS.unpack(data)[0] for _, kind, data in beside if kind == socket.SCM_CREDENTIALS]
    return Runner(pids[0] if pids else 0)
