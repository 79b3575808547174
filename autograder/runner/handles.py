"""What the runner has that is not data: handles to the student's objects, and what the judge handed in."""

import inspect
import pickle
import types
from collections.abc import Callable

from autograder.ipc.errors import CodecError
from helpers.checks.forms import UNREADABLE, base, class_name, keeps_names

MAX_HANDLES = 20_000
MAX_NAME = 100

KINDS = {types.FunctionType: "function", types.BuiltinFunctionType: "function", types.MethodType: "function"}


class Exports:
    """The table of handles; the judge may use what was exported to it, and nothing else."""

    def __init__(self, call_back: Callable):
        self.table: dict[int, object] = {}
        self.known: dict[int, dict] = {}  # nodes by the identity of what they stand for, which the table keeps alive
        self.callbacks: dict[int, object] = {}
        self.parcel: list = []  # the library's objects that came with the arguments of this call
        self.call_back, self.last, self.met = call_back, 0, False

    def outgoing(self, value, encoder) -> dict:
        """Return the node of an object: a callback that came from the judge, its data, or a handle.

        encoder: None for data that cannot be sent. A handle to an object of a class that was made from a plain type has
        its data with it.
        """
        number = getattr(value, "callback_number", None) if type(value) is types.FunctionType else None
        if number is not None and self.callbacks.get(number) is value:
            return {"is": "callback", "id": number}
        if encoder is None:
            return self._handle(value, f"{type(base(value)).__name__} {UNREADABLE}")
        plain = base(value)
        if plain is value:
            return self._handle(value, class_name(value))
        data = encoder.node(plain)
        return self._handle(value, class_name(value)) | {"data": data} if keeps_names(value) else data

    def _handle(self, value, name: str) -> dict:
        """Return the node of a handle; name: what a report calls the object."""
        node = self.known.get(id(value))
        return dict(node) if node else self._export(value, name)

    def _export(self, value, name: str) -> dict:
        if len(self.table) >= MAX_HANDLES:
            raise CodecError("too many objects were asked for")
        self.last += 1
        self.table[self.last] = value
        node = {"is": "handle", "id": self.last, "kind": _kind(value), "type": name[:MAX_NAME]}
        node |= {"parameters": _parameters(value)}
        self.known[id(value)] = {k: clean(v) if type(v) is str else v for k, v in node.items()}
        return dict(self.known[id(value)])

    def unpack(self, header: dict, buffers: list[bytearray]) -> None:
        """Take the library's objects out of a message of the judge's, which is trusted."""
        self.parcel = pickle.loads(buffers[header["parcel"]]) if "parcel" in header else []

    def incoming(self, node: dict, _decoder):
        """Return what a node of the judge's stands for; the judge is trusted."""
        if node["is"] == "handle":
            self.met = True
            return self.table[node["id"]]
        if node["is"] == "callback":
            return self._callback(node["id"], node["name"])
        if node["is"] == "object":
            return self.parcel[node["place"]]
        raise CodecError(f"there is no value of the kind {node['is']}")

    def _callback(self, number: int, name: str):
        """Return a function of the student's process that stands for one of the judge's."""
        if number not in self.callbacks:

            def callback(*args, **kwargs):
                return self.call_back(number, args, kwargs)

            callback.__name__ = name
            callback.__dict__["callback_number"] = number  # as an attribute
            self.callbacks[number] = callback
        return self.callbacks[number]

    def release(self, numbers: list[int]) -> None:
        """Forget handles that the judge needs no more."""
        for number in numbers:
            self.known.pop(id(self.table.pop(number, None)), None)


def clean(text: str, max_chars: int = MAX_NAME) -> str:
    """Return text that can be sent: cut, and without half characters."""
    return text[:max_chars].encode("utf-8", "replace").decode()


def _kind(value) -> str:
    if isinstance(value, type):
        return "class"
    return "module" if isinstance(value, types.ModuleType) else KINDS.get(type(value), "object")


def _parameters(value) -> list[str] | None:
    try:
        return [clean(name) for name in inspect.signature(value).parameters][:MAX_NAME]
    except Exception:
        return None
