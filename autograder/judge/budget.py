"""How much of the processors the checks of one submission may take, here and in the runner, however busy the machine.

A value may be small to send and long to print, compare or make. The runner's time is the kernel's account of its
process, which the judge knows by the credentials that the kernel puts beside its first message (SCM_CREDENTIALS of
unix(7)), before anything of the student's has run.
"""

import contextlib
import socket
import struct
import time
from collections.abc import Callable, Iterator

from helpers.checks.timers import CaseTimeout, limit

CPU_SECONDS = 12.0  # the solutions of a chapter take one to three, given cells included
USED_UP = "the processor time for judging was used up"
CREDENTIALS = struct.Struct("3i")  # pid, uid, gid
PROCESS_CLOCK = 2  # CPUCLOCK_SCHED of the kernel's posix-timers.h


class Budget:
    """CPU seconds that are left for the checks of one submission."""

    def __init__(self, seconds: float = CPU_SECONDS, runner: Callable[[], float] = lambda: 0.0):
        self.left, self.runner = seconds, runner
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
        return time.process_time() + self.runner()


def clock_of_peer(sock: socket.socket, seconds: float) -> Callable[[], float]:
    """Return the processor clock of the process that sends the next message, which stays to be read.

    Where the kernel does not tell (no Linux), or nothing comes in time, it stands still.
    """
    if not hasattr(socket, "SO_PASSCRED"):
        return lambda: 0.0
    sock.settimeout(seconds)
    try:
        _, beside, _, _ = sock.recvmsg(1, socket.CMSG_SPACE(CREDENTIALS.size), socket.MSG_PEEK)
        pids = [CREDENTIALS.unpack(data)[0] for _, kind, data in beside if kind == socket.SCM_CREDENTIALS]
    except OSError:
        return lambda: 0.0
    return _clock(pids[0]) if pids and pids[0] else lambda: 0.0


def _clock(pid: int) -> Callable[[], float]:
    last = 0.0

    def seconds() -> float:
        nonlocal last
        with contextlib.suppress(OSError):  # it has ended
            last = time.clock_gettime((~pid << 3) | PROCESS_CLOCK)
        return last

    return seconds
