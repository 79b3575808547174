"""The template: a process that imports what chapters use, runs nothing, and forks a kernel for each request.

    client -> template   {"argv": [...], "cwd": "/home/ada", "env": {...}, "independent": false} + stdout, stderr
    template -> client   {"op": "started", "pid": 7} + a descriptor of the process, or {"op": "stale"}: ask a new one
                         {"op": "ended", "exit": 0}

The client closes the connection when it has heard enough of the kernel; until then the process stays unreaped, so that
its number is nobody else's. A kernel outlives the template, and ends with its client.
"""

import contextlib
import functools
import gc
import os
import selectors
import socket
import struct
import sys
from pathlib import Path

from autograder.ipc.fork_server import receive, send, threads
from autograder.kernels.request import Request
from autograder.runner import zygote

# ipykernel itself; of the zygote's list all but its own code. matplotlib's inline backend must not be among them: it
# joins the shell when it is imported.
KERNEL = ("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell", "threadpoolctl")
IMPORTS = KERNEL + tuple(name for name in zygote.IMPORTS if not name.startswith("autograder."))
PATIENCE = 5.0  # seconds in which a client must have sent its request


class Template:
    """Serves requests from a listening socket; leaves when it has had no kernel and no request for `idle` seconds."""

    def __init__(self, listener: socket.socket, path: Path, idle: float):
        self.listener, self.path, self.idle = listener, path, idle
        self.inode = path.stat().st_ino
        self.seen = fingerprint()
        self.clients: dict[int, socket.socket] = {}  # by the number of the kernel's process
        self.selector = selectors.DefaultSelector()
        self.selector.register(listener, selectors.EVENT_READ, self._accept)
        self.open = True

    def serve(self) -> Request | None:
        """Serve; returns a request in each forked child, and None in the template itself, at its end."""
        gc.collect()
        gc.freeze()  # the children's collector leaves these objects alone, so that their pages stay shared
        while self.open or self.clients:
            ready = self.selector.select(self.idle)
            if not ready and not self.clients:
                break
            for key, _ in ready:
                if request := key.data():
                    return request
        self._retire()
        return None

    def _accept(self) -> Request | None:
        client = self.listener.accept()[0]
        pid, uid, _ = struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        client.settimeout(PATIENCE)
        try:
            if uid != os.geteuid():
                raise PermissionError("another user")
            message, fds = receive(client, 2)
            if self.seen != fingerprint():
                self._retire()
                send(client, {"op": "stale"})
                raise EOFError
            return self._fork(client, pid, message, fds)
        except (EOFError, OSError, ValueError):
            client.close()
            return None

    def _fork(self, client: socket.socket, client_pid: int, message: dict, fds: list[int]) -> Request | None:
        """Fork; returns the request in the child."""
        if threads() != 1:
            raise RuntimeError(f"the template has {threads()} threads, and must have one")
        alone = message.pop("independent")
        watched = None if alone else os.pidfd_open(client_pid)
        pid = os.fork()
        if pid == 0:
            os.setsid()  # signals for the kernel reach what it starts
            self._leave_all(client)
            return Request(
                **message, stdout=fds[0], stderr=fds[1], client=watched, client_pid=0 if alone else client_pid
            )
        for fd in [*fds, *([] if alone else [watched])]:
            os.close(fd)
        process = os.pidfd_open(pid)
        self.clients[pid] = client
        self.selector.register(process, selectors.EVENT_READ, functools.partial(self._ended, pid, process))
        with contextlib.suppress(OSError):
            send(client, {"op": "started", "pid": pid}, (process,))
        return None

    def _leave_all(self, client: socket.socket) -> None:
        """In a child: close what belongs to the template."""
        for key in list(self.selector.get_map().values()):
            os.close(key.fd)
        for connection in [client, *self.clients.values()]:
            with contextlib.suppress(OSError):
                os.close(connection.detach())
        self.selector.close()
        self.listener.detach()

    def _ended(self, pid: int, process: int) -> None:
        """Tell the client; its answer is the end of the connection."""
        self.selector.unregister(process)
        os.close(process)
        found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        code = found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
        with contextlib.suppress(OSError):
            send(self.clients[pid], {"op": "ended", "exit": code})
        self.selector.register(self.clients[pid], selectors.EVENT_READ, functools.partial(self._reap, pid))

    def _reap(self, pid: int) -> None:
        client = self.clients.pop(pid)
        self.selector.unregister(client)
        client.close()
        os.waitpid(pid, 0)

    def _retire(self) -> None:
        """Take no more requests; the socket is removed if it is still this template's."""
        if not self.open:
            return
        self.open = False
        self.selector.unregister(self.listener)
        self.listener.close()
        with contextlib.suppress(FileNotFoundError):
            if self.path.stat().st_ino == self.inode:
                self.path.unlink()


def fingerprint() -> dict[str, tuple[int, int] | None]:
    """Return when each imported file was changed, and its size: what is edited or upgraded needs a new template."""
    files = {m.__file__ for m in list(sys.modules.values()) if getattr(m, "__file__", None)}
    return {file: _state(file) for file in files}


def _state(file: str) -> tuple[int, int] | None:
    try:
        found = os.stat(file)  # noqa: PTH116  (2,500 files before each fork)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def main() -> None:
    """Listen, leave the foreground, import, serve; what comes back from serve in a child becomes a kernel."""
    path, idle = Path(sys.argv[1]), float(sys.argv[2])
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(64)
    if os.fork():
        os._exit(0)  # whoever started this may connect now, and waits for its answer while the imports last
    del sys.path[0]  # the current folder; a kernel puts its own there
    zygote.load(IMPORTS)
    request = Template(listener, path, idle).serve()
    if request:
        from autograder.kernels.forked_kernel import become_kernel

        become_kernel(request)


if __name__ == "__main__":
    main()
