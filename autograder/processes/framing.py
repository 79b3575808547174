"""Messages among processes of the grader: a JSON object after four bytes of length, over a connected stream socket.

Of the two framings this is the one for the grader's own processes: orders and reports, with the file descriptors of
sockets. Nothing is unpickled; where a student's code runs on the other side all the same, what comes is read up to a
limit, and what is no JSON object is a ValueError. The other one, autograder.ipc.channel, is spoken between judge and
runner alone: it carries arrays as raw buffers, takes all that comes for hostile, and passes no file descriptor.
"""

import json
import os
import socket
import time

MAX_BYTES = 1 << 28  # of one message
CHUNK = 1 << 20  # bytes that are asked of the system at once
AT_ONCE = 0.001  # seconds to take what has come already


def send(sock: socket.socket, message: dict, fds: tuple[int, ...] = ()) -> None:
    """Send one message, with file descriptors."""
    send_bytes(sock, json.dumps(message).encode(), fds)


def send_bytes(sock: socket.socket, body: bytes, fds: tuple[int, ...] = ()) -> None:
    """Send a message that is JSON already."""
    header = len(body).to_bytes(4, "big")
    if fds:
        socket.send_fds(sock, [header], fds)
    else:
        sock.sendall(header)
    sock.sendall(body)


def receive(sock: socket.socket, timeout: float | None = None, max_bytes: int = MAX_BYTES) -> dict:
    """Return the next message; raises TimeoutError, EOFError when the other end is gone, ValueError for no message.

    timeout: seconds for all of it (None: the socket's own, for each piece).
    """
    if timeout is None:
        return _message(_exactly(sock, 4), sock, None, max_bytes)
    before, until = sock.gettimeout(), time.monotonic() + max(timeout, AT_ONCE)
    try:
        return _message(_exactly(sock, 4, until), sock, until, max_bytes)
    finally:
        sock.settimeout(before)


def receive_with_fds(sock: socket.socket, max_fds: int = 1) -> tuple[dict, list[int]]:
    """Return the next message and its file descriptors; raises as `receive` does."""
    start, fds, _, _ = socket.recv_fds(sock, 4, max_fds)
    for fd in fds:
        os.set_inheritable(fd, False)
    if not start:
        raise EOFError("the other end is gone")
    header = start + _exactly(sock, 4 - len(start))
    return _message(header, sock, None, MAX_BYTES), fds


def _message(header: bytes, sock: socket.socket, until: float | None, max_bytes: int) -> dict:
    size = int.from_bytes(header, "big")
    if size > max_bytes:
        raise ValueError(f"a message of {size} bytes")
    try:
        message = json.loads(_exactly(sock, size, until))
    except RecursionError:
        raise ValueError("a message nested too deep") from None
    if not isinstance(message, dict):
        raise ValueError("a message that is no object")
    return message


def _exactly(sock: socket.socket, size: int, until: float | None = None) -> bytes:
    parts: list[bytes] = []
    left = size
    while left:
        if until is not None:
            sock.settimeout(_seconds_left(until))
        part = sock.recv(min(left, CHUNK))
        if not part:
            raise EOFError("the other end is gone")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _seconds_left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    return left
