"""Limits on what a block may take: CPU time, so that a busy machine decides nothing, and a far limit by the clock."""

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator

HAVE_TIMERS = hasattr(signal, "setitimer")
CLOCK_FACTOR = 6.0  # a limit by the clock is so many times the limit on CPU time,
MAX_WAIT = 60.0  # and no more than so many seconds above it
SHORTEST = 1e-6  # seconds: a timer that is set to 0 never fires


class CaseTimeout(BaseException):
    """The call ran too long. Not an Exception, so that `except Exception` in a loop cannot swallow it."""


def by_the_clock(seconds: float, clock_factor: float = CLOCK_FACTOR) -> float:
    """Return the seconds by the clock after which a call is ended that may take so many seconds of CPU time.

    It is far away: a process that shares its core with others waits for them, and one that sleeps takes no CPU time.
    """
    return min(seconds * clock_factor, seconds + MAX_WAIT)


@contextlib.contextmanager
def limit(seconds: float, clock: float | None = None) -> Iterator[None]:
    """Interrupt the block by CaseTimeout after so many seconds of CPU time, where there are timers (Unix, main thread).

    clock: seconds by the clock after which it is interrupted whatever it took (default: `by_the_clock`). A limit around
    this one holds meanwhile and goes on afterwards.
    """
    if not HAVE_TIMERS or threading.current_thread() is not threading.main_thread():
        yield
        return
    clock = by_the_clock(seconds) if clock is None else clock
    with PROCESSOR.running(seconds), CLOCK.running(clock):
        yield


@contextlib.contextmanager
def no_limit() -> Iterator[None]:
    """Let no limit interrupt the block, which counts all the same: a message must not be torn in two."""
    if not HAVE_TIMERS:
        yield
        return
    with PROCESSOR.paused(), CLOCK.paused():
        yield


class Timer:
    """One of the system's timers, and the moment by its own clock at which it is to fire.

    The moment is kept here: asked for what is left of it, the system says no less than a tick, however often it is
    asked.
    """

    def __init__(self, timer: str, number: str, now: Callable[[], float]):
        self.which, self.number = getattr(signal, timer, 0), getattr(signal, number, 0)
        self.now = now
        self.until: float | None = None

    @contextlib.contextmanager
    def running(self, seconds: float) -> Iterator[None]:
        """Interrupt the block after so many seconds, or when a timer around it fires."""
        handler, outer = signal.signal(self.number, _stop), self.until
        own = self.now() + seconds
        self.until = own if outer is None else min(own, outer)
        self._arm()
        try:
            yield
        finally:
            self._disarm()
            signal.signal(self.number, handler)
            self.until = outer
            self._arm()

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Do not fire during the block; at its end, if its time has come."""
        self._disarm()
        try:
            yield
        finally:
            self._arm()
        if self.until is not None and self.now() >= self.until:
            raise CaseTimeout

    def _arm(self) -> None:
        if self.until is not None:
            signal.setitimer(self.which, max(self.until - self.now(), SHORTEST))

    def _disarm(self) -> None:
        signal.setitimer(self.which, 0)


def _stop(*_) -> None:
    raise CaseTimeout


PROCESSOR = Timer("ITIMER_PROF", "SIGPROF", time.process_time)  # CPU time of this process, all threads
CLOCK = Timer("ITIMER_REAL", "SIGALRM", time.monotonic)
