"""Messages over a socket: a JSON header and raw buffers, each size bounded, each wait bounded.

    header size, number of buffers   2 x uint32, big-endian
    sizes of the buffers             uint64 each
    header                           JSON in UTF-8, an object; no NaN, no infinity
    buffers                          raw bytes

What comes is taken for hostile: whatever it is, the outcome is a message, a WireError or a TimeoutError.
"""

import json
import socket
import struct
import time
from collections.abc import Callable, Sequence

from autograder.ipc.errors import Closed, WireError

MAX_HEADER = 2 << 20  # parsed, JSON takes some twenty times its size
MAX_BUFFERS = 10_000  # reading each takes time, however empty it is
MAX_BYTES = 128 << 20  # of all buffers of a message
SECONDS = 30.0  # for sending, unless told otherwise
LOOK_SECONDS = 0.1  # between looks at somebody of whom nothing comes

PREFIX = struct.Struct("!II")
AT_ONCE = 1 << 16  # below so many bytes a message is sent in one piece


class Channel:
    """One end of a conversation over a connected stream socket."""

    def __init__(self, sock: socket.socket, max_bytes: int = MAX_BYTES):
        self.sock, self.max_bytes = sock, max_bytes

    def send(self, header: dict, buffers: Sequence[bytes] = (), timeout: float | None = SECONDS) -> None:
        """Send one message; raises WireError (nothing was sent), Closed or TimeoutError (of no more use)."""
        text, sizes = _text(header), [len(b) for b in buffers]
        _hold(len(text), sizes, self.max_bytes)
        head = PREFIX.pack(len(text), len(sizes)) + struct.pack(f"!{len(sizes)}Q", *sizes) + text
        pieces = [b"".join([head, *buffers])] if sum(sizes) < AT_ONCE else [head, *buffers]
        until = _until(timeout)
        try:
            for piece in pieces:
                self.sock.settimeout(_left(until))
                self.sock.sendall(piece)
        except TimeoutError:
            raise
        except OSError as error:
            raise Closed(f"the other side has gone ({error.strerror or error})") from None

    def receive(
        self, timeout: float | None = None, look: Callable[[], None] | None = None
    ) -> tuple[dict, list[bytearray]]:
        """Return the next message as (header, buffers); raises WireError, Closed or TimeoutError.

        look: called whenever nothing has come for LOOK_SECONDS; what it raises ends the wait.
        """
        until = _until(timeout)
        length, count = PREFIX.unpack(self._read(PREFIX.size, until, look))
        if count > MAX_BUFFERS:
            raise WireError(f"a message of {count:,} buffers came, {MAX_BUFFERS:,} are allowed")
        sizes = struct.unpack(f"!{count}Q", self._read(8 * count, until, look))
        _hold(length, sizes, self.max_bytes)
        header = _header(self._read(length, until, look))
        return header, [self._read(size, until, look) for size in sizes]

    def close(self) -> None:
        """Close this end; the other side reads that it is gone."""
        self.sock.close()

    def _read(self, size: int, until: float | None, look: Callable[[], None] | None) -> bytearray:
        data = bytearray(size)
        view, done = memoryview(data), 0
        while done < size:
            got = self._read_some(view[done:], until, look)
            if not got:
                raise Closed("the other side has gone")
            done += got
        return data

    def _read_some(self, view: memoryview, until: float | None, look: Callable[[], None] | None) -> int:
        """Read what there is into a view, once there is something; returns the number of bytes, 0 at the end."""
        while True:
            left = _left(until)
            self.sock.settimeout(left if look is None else min(LOOK_SECONDS, left or LOOK_SECONDS))
            try:
                return self.sock.recv_into(view)
            except TimeoutError:
                if look is None:
                    raise
                look()
            except OSError as error:
                raise Closed(f"the other side has gone ({error.strerror or error})") from None


def _text(header: dict) -> bytes:
    try:
        return json.dumps(header, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise WireError(f"this header cannot be sent: {error}") from None


def _header(text: bytearray) -> dict:
    """Parse a header; a number of a million digits, a nest of brackets, a half character are all WireError."""
    try:
        header = json.loads(text.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise WireError(f"the header is not JSON ({type(error).__name__})") from None
    if type(header) is not dict:
        raise WireError("the header is not an object")
    return header


def _no_constant(name: str):
    raise ValueError(f"{name} is not JSON")


def _hold(header: int, sizes: Sequence[int], max_bytes: int) -> None:
    if header > MAX_HEADER:
        raise WireError(f"a header of {header:,} bytes, {MAX_HEADER:,} are allowed")
    if len(sizes) > MAX_BUFFERS:
        raise WireError(f"a message of {len(sizes):,} buffers, {MAX_BUFFERS:,} are allowed")
    if sum(sizes) > max_bytes:
        raise WireError(f"a message of {sum(sizes):,} bytes, {max_bytes:,} are allowed")


def _until(timeout: float | None) -> float | None:
    return None if timeout is None else time.monotonic() + timeout


def _left(until: float | None) -> float | None:
    """Return the seconds left; raises TimeoutError if there are none."""
    if until is None:
        return None
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    return left
