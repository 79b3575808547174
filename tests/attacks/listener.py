"""A service on this machine that no submission may reach: TCP, UDP, and Unix sockets with and without a file."""

import contextlib
import socket
import threading
from pathlib import Path


class Listener:
    """Listens on one port of the loopback interface and keeps what it hears; use it in a `with`."""

    def __init__(self):
        self.messages: list[bytes] = []
        self.stream = socket.create_server(("127.0.0.1", 0))
        self.port = self.stream.getsockname()[1]
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind(("127.0.0.1", self.port))
        self.sockets = [self.stream, self.datagrams, self._unix(f"\0bow2lora-{self.port}")]

    def __enter__(self) -> "Listener":
        threading.Thread(target=self._hear, daemon=True).start()
        for server in (self.stream, self.sockets[2]):
            threading.Thread(target=self._serve, args=(server,), daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        for one in self.sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    @property
    def heard(self) -> bytes:
        """All that arrived."""
        return b" ".join(list(self.messages))

    def add_file(self, path: Path) -> None:
        """Listen at a socket file, too."""
        path.unlink(missing_ok=True)
        server = self._unix(str(path))
        self.sockets.append(server)
        threading.Thread(target=self._serve, args=(server,), daemon=True).start()

    def _unix(self, address: str) -> socket.socket:
        server = socket.socket(socket.AF_UNIX)
        server.bind(address)
        server.listen()
        return server

    def _serve(self, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                link, _ = server.accept()
                with link, contextlib.suppress(OSError):
                    link.settimeout(2)
                    self.messages.append(link.recv(1000))

    def _hear(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self.messages.append(self.datagrams.recv(1000))
