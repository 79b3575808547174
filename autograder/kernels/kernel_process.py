"""A warm kernel as its client sees it: what jupyter_client uses of subprocess.Popen, for a child of another process."""

import contextlib
import os
import select
import signal
import socket

from autograder.ipc.fork_server import receive

UNKNOWN = 1  # the exit status of a kernel whose template was killed


class WarmProcess:
    """A kernel that a template forked.

    process: a descriptor of the kernel's process, so that signals can only reach this one; template: the connection
    over which the template tells the exit status.
    """

    stdin = stdout = stderr = None

    def __init__(self, pid: int, process: int, template: socket.socket):
        self.pid, self.process, self.template = pid, process, template
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit status (the negative number of the signal that ended it), None while it runs."""
        if self.returncode is None and self._over(0):
            self.returncode = self._told()
            self._close()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait for the end at most `timeout` seconds; returns what poll does."""
        if self.returncode is None:
            self._over(timeout)
        return self.poll()

    def send_signal(self, signum: int) -> None:
        """Send a signal to the kernel; nothing is done when it has ended, as by subprocess.Popen."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it ended in between
                signal.pidfd_send_signal(self.process, signum)

    def kill(self) -> None:
        """End the kernel by force."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask the kernel to end."""
        self.send_signal(signal.SIGTERM)

    def _over(self, timeout: float | None) -> bool:
        poll = select.poll()
        poll.register(self.process, select.POLLIN)
        return bool(poll.poll(None if timeout is None else 1000 * timeout))

    def _told(self) -> int:
        try:
            return int(receive(self.template)[0]["exit"])
        except (EOFError, OSError, ValueError, KeyError):
            return UNKNOWN

    def _close(self) -> None:
        os.close(self.process)
        self.template.close()  # now the template lets go of the process, too

    def __del__(self):
        if self.returncode is None:
            self._close()
