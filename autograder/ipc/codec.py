"""Values as plain data: exact types in, exact types out, nothing that carries code.

A value becomes a *node* (JSON) and raw buffers. What the two dictionaries below and in `arrays` do not name is given to
`objects`, which each side brings along: the runner makes a handle of it, the judge a callback or a library's object.
A subclass of list, ndarray or Tensor is not data: it may lie about itself.
"""

import contextlib
import math
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

import numpy as np

from autograder.ipc import arrays
from autograder.ipc.errors import CodecError

MAX_DEPTH = 50
MAX_NODES = 200_000
MAX_PACKED = 500_000  # numbers in one list
MAX_BYTES = 64 << 20  # of one value
MAX_TEXT = 1 << 20  # characters of one text: a message's header holds no more than two million bytes
MAX_BITS = 1 << 20  # of one whole number
MAX_WORK = 1_000_000  # nodes times their depth: comparing a nest looks at the inner ones once from each level
MAX_HASH_COLLISIONS = 1_000  # different values with the same hash: a set or dict of many takes quadratic time
PACKED = 8  # so many numbers in a list go as one buffer

INT64 = range(-(2**63), 2**63)
CRAFTED = (int, complex, tuple, frozenset, range)  # the hashes of text are not to be chosen


class Objects(Protocol):
    """What a side of the conversation does with values that are not data."""

    def outgoing(self, value: object, encoder: "Encoder") -> dict:
        """Return a node for a value that is not data; raises CodecError if there is none."""

    def incoming(self, node: dict, decoder: "Decoder") -> object:
        """Return the object of a node that is not data; raises CodecError for a node that is not allowed."""


def encode(value, buffers: list[bytes], objects: Objects):
    """Return the node of a value, its raw bytes appended to `buffers`; raises CodecError, `buffers` left as it was."""
    start = len(buffers)
    try:
        return Encoder(buffers, objects).node(value)
    except CodecError:
        del buffers[start:]
        raise


def decode(node, buffers: list[bytearray], objects: Objects):
    """Return the value of a node; raises CodecError for anything malformed. Arrays share memory with `buffers`."""
    return Decoder(buffers, objects).value(node)


class Encoder:
    """Writes one value, within bounds."""

    def __init__(self, buffers: list[bytes], objects: Objects):
        self.buffers, self.objects = buffers, objects
        self.nodes = self.depth = self.bytes = 0

    def node(self, value):
        """Return the node of one value."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise CodecError(f"more than {MAX_NODES:,} values in one")
        write = WRITERS.get(type(value))
        if write is None:
            return self.objects.outgoing(value, self)
        if self.depth >= MAX_DEPTH:
            raise CodecError(f"nested deeper than {MAX_DEPTH}")
        self.depth += 1
        try:
            return write(self, value)
        finally:
            self.depth -= 1

    def hold(self, size: int) -> None:
        """Count bytes before they are made."""
        self.bytes += size
        if self.bytes > MAX_BYTES:
            raise CodecError(f"more than {MAX_BYTES:,} bytes")

    def buffer(self, data: bytes) -> int:
        """Add a buffer and return its place."""
        self.hold(len(data))
        self.buffers.append(data)
        return len(self.buffers) - 1


class Decoder:
    """Reads nodes that nobody vouches for; each buffer serves once, so that little data cannot become much."""

    def __init__(self, buffers: list[bytearray], objects: Objects):
        self.buffers, self.objects = buffers, objects
        self.taken: set[int] = set()
        self.hashes: dict[int, object] = {}  # the first value with each hash
        self.depth = self.alike = self.work = 0

    def value(self, node):
        """Return the value of a node; whatever is wrong with it is a CodecError."""
        try:
            return self.read(node)
        except CodecError:
            raise
        except Exception as error:  # a missing field, a wrong type, a lying shape
            raise CodecError(f"a malformed value came ({type(error).__name__})") from None

    def read(self, node):
        """Return the value of a node; for the readers, which may raise anything."""
        if node is None or type(node) in (bool, str):
            return node
        if type(node) is int:
            return _small(node)
        if type(node) is float:
            return _finite(node)
        if type(node) is not dict or type(node.get("is")) is not str or self.depth >= MAX_DEPTH:
            raise CodecError("a malformed value came (no node)")
        self.depth += 1
        self.work += self.depth
        if self.work > MAX_WORK:
            raise CodecError("a malformed value came (too many nests)")
        try:
            reader = READERS.get(node["is"])
            return self.hashed(reader(self, node)) if reader else self.objects.incoming(node, self)
        finally:
            self.depth -= 1

    def hashed(self, value):
        """Return a value after counting it, if it is of a type of which many with the same hash can be made."""
        if type(value) in CRAFTED:
            with contextlib.suppress(TypeError):  # a tuple of lists has no hash
                self.alike += self.hashes.setdefault(hash(value), value) != value
        if self.alike > MAX_HASH_COLLISIONS:
            raise CodecError("a malformed value came (too many with the same hash)")
        return value

    def buffer(self, at) -> bytearray:
        """Return the buffer at a place, once."""
        if type(at) is not int or not 0 <= at < len(self.buffers) or at in self.taken:
            raise CodecError("a malformed value came (no such buffer)")
        self.taken.add(at)
        return self.buffers[at]


def _small(number: int) -> int:
    if number not in INT64:  # longer ones have a form of their own
        raise CodecError("a malformed value came (no such number)")
    return number


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise CodecError("a malformed value came (no such number)")
    return number


# Numbers and text


def _write_int(encoder: Encoder, value: int):
    if value in INT64:
        return value
    if value.bit_length() > MAX_BITS:
        raise CodecError(f"a whole number of more than {MAX_BITS:,} bits")
    return {"is": "int", "hex": f"{value:x}"}  # decimal digits take quadratic time


def _read_int(_decoder: Decoder, node: dict) -> int:
    text = node["hex"]
    if type(text) is not str or len(text) > MAX_BITS // 4 + 1:
        raise CodecError("a malformed value came (no such number)")
    return int(text, 16)


def _write_float(_encoder: Encoder, value: float):
    return value if math.isfinite(value) else {"is": "float", "as": repr(value)}


def _read_float(_decoder: Decoder, node: dict) -> float:
    return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[node["as"]]


def _write_complex(encoder: Encoder, value: complex):
    return {"is": "complex", "parts": [encoder.node(value.real), encoder.node(value.imag)]}


def _read_complex(decoder: Decoder, node: dict) -> complex:
    real, imaginary = (decoder.read(part) for part in node["parts"])
    if type(real) is not float or type(imaginary) is not float:
        raise CodecError("a malformed value came (no such number)")
    return complex(real, imaginary)


def _write_str(encoder: Encoder, value: str):
    if len(value) > MAX_TEXT:
        raise CodecError(f"a text of more than {MAX_TEXT:,} characters")
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:  # a lone surrogate, which is no character
        return {"is": "str", "at": encoder.buffer(value.encode("utf-8", "surrogatepass"))}
    return value


def _read_str(decoder: Decoder, node: dict) -> str:
    return decoder.buffer(node["at"]).decode("utf-8", "surrogatepass")


def _write_bytes(encoder: Encoder, value: bytes):
    return {"is": "bytes", "at": encoder.buffer(value)}


def _read_bytes(decoder: Decoder, node: dict) -> bytes:
    return bytes(decoder.buffer(node["at"]))


# Containers


def _write_items(encoder: Encoder, value):
    name = type(value).__name__
    if len(value) > MAX_PACKED:
        raise CodecError(f"more than {MAX_PACKED:,} values in one")
    packed = _packed(encoder, value) if type(value) in (list, tuple) and len(value) >= PACKED else None
    return packed or {"is": name, "items": [encoder.node(v) for v in value]}


def _packed(encoder: Encoder, value: list | tuple) -> dict | None:
    """Return the node of a list of nothing but floats, or of whole numbers of 64 bits; None for any other."""
    kinds = set(map(type, value))
    if kinds not in ({float}, {int}):
        return None
    try:
        numbers = np.array(value, dtype="<f8" if kinds == {float} else "<i8")
    except OverflowError:
        return None
    return {"is": type(value).__name__, "packed": numbers.dtype.str, "at": encoder.buffer(numbers.tobytes())}


def _read_items(decoder: Decoder, node: dict):
    kind = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[node["is"]]
    if "packed" not in node:
        items = kind([decoder.read(item) for item in _list(node["items"])])
        return items if len(items) == len(node["items"]) else _repeated()
    data = decoder.buffer(node["at"])
    if node["packed"] not in ("<f8", "<i8") or kind not in (list, tuple) or len(data) > 8 * MAX_PACKED:
        raise CodecError("a malformed value came (no such list)")
    return kind(np.frombuffer(data, dtype=node["packed"]).tolist())


def _write_dict(encoder: Encoder, value: dict):
    pairs = [[encoder.node(k), encoder.node(v)] for k, v in value.items()]
    return {"is": "dict" if type(value) is dict else "OrderedDict", "items": pairs}


def _read_dict(decoder: Decoder, node: dict) -> dict:
    out: dict = OrderedDict() if node["is"] == "OrderedDict" else {}
    for key, value in _list(node["items"]):
        out[decoder.read(key)] = decoder.read(value)
    return out if len(out) == len(node["items"]) else _repeated()


def _list(items) -> list:
    if type(items) is not list:
        raise CodecError("a malformed value came (no list)")
    return items


def _repeated():
    raise CodecError("a malformed value came (a key or member twice)")


def _write_span(encoder: Encoder, value: slice | range):
    return {"is": type(value).__name__, "parts": [encoder.node(v) for v in (value.start, value.stop, value.step)]}


def _read_span(decoder: Decoder, node: dict) -> slice | range:
    start, stop, step = (decoder.read(part) for part in node["parts"])
    span = (slice if node["is"] == "slice" else range)(start, stop, step)
    if type(span) is range and len(span) > MAX_PACKED:  # a list of it would fill the memory
        raise CodecError("a malformed value came (no such range)")
    return span


WRITERS: dict[type, Callable] = {type(None): lambda _, value: value, bool: lambda _, value: value}
WRITERS |= {int: _write_int, float: _write_float, complex: _write_complex, str: _write_str, bytes: _write_bytes}
WRITERS |= dict.fromkeys((list, tuple, set, frozenset), _write_items) | {dict: _write_dict, OrderedDict: _write_dict}
WRITERS |= dict.fromkeys((slice, range), _write_span)

READERS = {"int": _read_int, "float": _read_float, "complex": _read_complex, "str": _read_str, "bytes": _read_bytes}
READERS |= dict.fromkeys(("list", "tuple", "set", "frozenset"), _read_items)
READERS |= dict.fromkeys(("dict", "OrderedDict"), _read_dict) | dict.fromkeys(("slice", "range"), _read_span)

WRITERS |= arrays.WRITERS
READERS |= arrays.READERS
