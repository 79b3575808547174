"""Limits on what a block may take: CPU time, so that a busy machine decides nothing, and a far limit by the clock."""

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator

HAVE_TIMERS = hasattr(signal, "setitimer")
PATIENCE = 6.0  # a limit by the clock is so many times the limit on CPU time,
MAX_WAIT = 60.0  # and no more than so many seconds above it
SHORTEST = 1e-6  # seconds: a timer that is set to 0 never fires


class CaseTimeout(BaseException):
    """The call ran too long. Not an Exception, so that `except Exception` in a loop cannot swallow it."""


def by_the_clock(seconds: float, patience: float = PATIENCE) -> float:
    """Return the seconds by the clock after which a call is ended that may take so many seconds of CPU time.

    It is far away: a process that shares its core with others waits for them, and one that sleeps takes no CPU time.
    """
    return min(seconds * patience, seconds + MAX_WAIT)


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
    processor = _timer(signal.ITIMER_PROF, signal.SIGPROF, seconds, time.process_time)
    with processor, _timer(signal.ITIMER_REAL, signal.SIGALRM, clock, time.monotonic):
        yield


@contextlib.contextmanager
def _timer(which: int, number: int, seconds: float, now: Callable[[], float]) -> Iterator[None]:
    handler, started = signal.signal(number, _stop), now()
    outer = signal.getitimer(which)[0]
    signal.setitimer(which, max(min(seconds, outer or seconds), SHORTEST))
    try:
        yield
    finally:
        signal.setitimer(which, 0)
        signal.signal(number, handler)
        _go_on(which, outer, now() - started)


def _stop(*_) -> None:
    raise CaseTimeout


@contextlib.contextmanager
def no_limit() -> Iterator[None]:
    """Let no limit interrupt the block, which counts all the same: a message must not be torn in two."""
    if not HAVE_TIMERS:
        yield
        return
    with _paused(signal.ITIMER_PROF, time.process_time), _paused(signal.ITIMER_REAL, time.monotonic):
        yield


@contextlib.contextmanager
def _paused(which: int, now: Callable[[], float]) -> Iterator[None]:
    left, started = signal.setitimer(which, 0)[0], now()
    try:
        yield
    finally:
        _go_on(which, left, now() - started)


def _go_on(which: int, left: float, taken: float) -> None:
    """Set a timer again that had so many seconds left, 0 for none."""
    if left:
        signal.setitimer(which, max(left - taken, SHORTEST))
