"""Whose turn it is: jobs run beside one another, and now and then one runs alone."""

import contextlib
import threading
from collections.abc import Iterator


class Turns:
    """A lock that many may share, or one may have alone; who waits to be alone goes before those who come later."""

    def __init__(self):
        self._changed = threading.Condition()
        self._sharing = self._waiting = 0

    @contextlib.contextmanager
    def shared(self) -> Iterator[None]:
        """Beside others."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting)
            self._sharing += 1
        try:
            yield
        finally:
            with self._changed:
                self._sharing -= 1
                self._changed.notify_all()

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[None]:
        """With nobody beside; the block itself runs without the lock, so whoever ends it from another thread can."""
        with self._changed:
            self._waiting += 1
            try:
                self._changed.wait_for(lambda: not self._sharing)
            except BaseException:
                self._go_on()
                raise
            self._sharing += 1
        try:
            yield
        finally:
            with self._changed:
                self._sharing -= 1
                self._go_on()

    def _go_on(self) -> None:
        """Let those who share go on, now that one who was or would have been alone is done."""
        self._waiting -= 1
        self._changed.notify_all()
