"""Messages over a socket: what is sent comes, and what comes malformed is one of three errors, in time."""

import contextlib
import os
import random
import socket
import struct
import threading
import time

import pytest

from autograder.ipc import channel
from autograder.ipc.channel import Channel
from autograder.ipc.errors import Closed, WireError


@pytest.fixture
def pair():
    """Two raw sockets that are connected."""
    ours, theirs = socket.socketpair()
    yield ours, theirs
    ours.close()
    theirs.close()


def message(header: bytes, sizes=(), count=None, length=None) -> bytes:
    """Return the bytes of a message, which may lie about its sizes."""
    count = len(sizes) if count is None else count
    length = len(header) if length is None else length
    return struct.pack("!II", length, count) + struct.pack(f"!{len(sizes)}Q", *sizes) + header


def test_messages_come_as_they_were_sent(pair):
    sender, receiver = map(Channel, pair)
    rng = random.Random(1)
    for _ in range(100):
        header = {"op": "é" * rng.randrange(5), "n": [rng.random(), rng.randrange(10**18), None, True, {}]}
        buffers = [rng.randbytes(rng.choice([0, 1, 7, 1000])) for _ in range(rng.randrange(5))]
        sender.send(header, buffers)
        assert receiver.receive(5) == (header, buffers)


def test_a_message_larger_than_the_sockets_memory(pair):
    sender, receiver = map(Channel, pair)
    data = [os.urandom(1 << 20), b"", os.urandom(3_000_001)]
    thread = threading.Thread(target=sender.send, args=({"n": 1}, data))
    thread.start()
    assert receiver.receive(10) == ({"n": 1}, data)
    thread.join()


HOSTILE = {
    "no JSON": message(b"rubbish"),
    "no object": message(b"[1]"),
    "not UTF-8": message(b'{"a": "\xff"}'),
    "a nest of brackets": message(b"[" * 1_000_000),
    "a nest of objects": message(b'{"a":' * 500_000),
    "a number of a million digits": message(b'{"a": ' + b"9" * 1_000_000 + b"}"),
    "NaN": message(b'{"a": NaN}'),
    "infinity": message(b'{"a": -Infinity}'),
    "an empty header": message(b""),
    "an endless header": message(b"{", length=2**32 - 1),
    "endless buffers": message(b"{}", count=2**32 - 1),
    "one endless buffer": message(b"{}", sizes=[2**64 - 1]),
    "buffers that add up": message(b"{}", sizes=[1 << 20] * 300),
    "rubbish": random.Random(3).randbytes(100_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bytes_are_an_error_at_once(pair, name):
    hostile, ours = pair
    threading.Thread(target=_pour, args=(hostile, HOSTILE[name]), daemon=True).start()
    started = time.monotonic()
    with pytest.raises(WireError):
        Channel(ours).receive(300)
    assert time.monotonic() - started < 100


def _pour(sock: socket.socket, data: bytes) -> None:
    with contextlib.suppress(OSError):
        sock.sendall(data)


@pytest.mark.parametrize("cut", [0, 3, 8, 12, 16, 20])
def test_a_message_cut_short_is_closed_or_late(pair, cut):
    hostile, ours = pair
    hostile.sendall(message(b'{"a": 1}', sizes=[5])[:cut])
    with pytest.raises(TimeoutError):
        Channel(ours).receive(0.05)
    hostile.close()
    with pytest.raises(Closed):
        Channel(ours).receive(1)


def test_a_message_that_trickles_has_one_deadline_as_a_whole(pair):
    hostile, ours = pair
    stop = threading.Event()

    def trickle():
        for byte in message(b'{"a": "' + b"x" * 10_000):
            if stop.wait(0.02):
                return
            hostile.sendall(bytes([byte]))

    thread = threading.Thread(target=trickle)
    thread.start()
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        Channel(ours).receive(0.3)
    assert time.monotonic() - started < 100
    stop.set()
    thread.join()


def test_nobody_reads(pair):
    with pytest.raises(TimeoutError):
        Channel(pair[0]).send({}, [bytes(50 << 20)], timeout=0.2)


def test_the_other_side_is_gone(pair):
    pair[1].close()
    with pytest.raises(Closed):
        Channel(pair[0]).send({"a": 1})
    with pytest.raises(Closed):
        Channel(pair[0]).receive(1)


@pytest.mark.parametrize(
    ("header", "buffers"),
    [
        ({"a": "x" * (channel.MAX_HEADER + 1)}, []),
        ({"a": float("nan")}, []),
        ({"a": object()}, []),
        ({"a": "\ud800"}, []),
        ({}, [b""] * (channel.MAX_BUFFERS + 1)),
        ({}, [bytes(1 << 20)] * 129),
    ],
    ids=["long", "nan", "object", "half a character", "many", "large"],
)
def test_what_is_too_large_is_not_sent_at_all(pair, header, buffers):
    sender, receiver = map(Channel, pair)
    with pytest.raises(WireError):
        sender.send(header, buffers)
    sender.send({"next": 1})
    assert receiver.receive(1) == ({"next": 1}, [])


def test_nothing_that_came_is_waited_for_twice(pair):
    sender, receiver = map(Channel, pair)
    sender.send({"a": 1})
    sender.send({"b": 2}, [b"x"])
    assert [receiver.receive(1)[0], receiver.receive(1)[0]] == [{"a": 1}, {"b": 2}]
