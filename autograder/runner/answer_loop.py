"""The runner's loop: run the student's cells, and answer what the judge asks of their names.

Everything here runs beside the student's code and can be turned round by it. That is why it decides nothing: what it
sends is data, which the judge takes for hostile.
"""

import contextlib
import copy
import marshal
import operator
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from autograder.cells import new_shell
from autograder.course_imports import put_first
from autograder.ipc.channel import Channel
from autograder.ipc.codec import Decoder, encode
from autograder.ipc.errors import CodecError, WireError
from autograder.runner.handles import Exports, clean
from helpers.checks.case import MAX_PRINTED, Bounded, error_of_check, message_of, quiet, students_line
from helpers.checks.timers import CaseTimeout, limit, no_limit
from helpers.lenient_shell import LenientShell

MAX_MESSAGE = 20_000
WRITING = 2.0  # seconds that writing a value may take: an object of the student's may be slow when it is looked at
FOREIGN = ("handle", "callback", "object")  # arguments that are not data: whether they changed is not looked at


def serve(channel: Channel, shell: LenientShell | None = None) -> None:
    """Answer the judge until it says bye or is gone; the process is the student's from now on."""
    sys.path.append("")  # the scratch folder, behind all packages: what a cell has written there can be imported
    runner = Runner(channel, shell or new_shell())
    try:
        while runner.answer_next():
            pass
    except (WireError, TimeoutError):
        pass


class Runner:
    """The student's namespace, and the answers that it gives."""

    def __init__(self, channel: Channel, shell: LenientShell):
        self.channel, self.shell, self.names = channel, shell, shell.user_ns
        self.objects = Exports(self._call_back)
        self.low_level = LowLevelOutput()
        self.operations = {"cell": self._cell, "given": self._given, "get": self._get, "call": self._call}
        self.operations |= {"attr": self._attr, "item": self._item, "len": self._len}
        self.operations |= {"iter": self._iter, "next": self._next}
        self.operations |= {"files": self._files, "test": self._test}  # of assignments that others wrote

    def answer_next(self) -> bool:
        """Answer one request; returns False when there is nothing more to do."""
        header, buffers = self.channel.receive()
        if header["op"] != "bye":
            self._answer(header, buffers)
        return header["op"] != "bye"

    def _answer(self, header: dict, buffers: list[bytearray]) -> None:
        self.objects.release(header.get("release", []))
        out: list[bytes] = []
        try:
            self.objects.unpack(header, buffers)
            reply = self.operations[header["op"]](header, buffers, out)
        except BaseException as error:  # an argument that cannot be made here, a value that cannot be written in time
            reply, out = {"value": None, "error": told(error), "printed": ""}, []
        try:
            self.channel.send(reply, out, timeout=None)
        except WireError as error:
            self.channel.send({"value": None, "error": told(error), "printed": ""}, timeout=None)

    # Cells and names

    def _cell(self, header: dict, buffers: list, _out) -> dict:
        """Run one cell as JupyterLab would, quietly; its code may have come with it, compiled by the judge."""
        started, printed = time.monotonic(), Bounded()
        error: BaseException | None = None
        self.shell.missing = []
        try:
            with limit(header["seconds"], header["clock"]), quiet(printed):
                if buffers:
                    self._run_code(buffers)
                else:
                    result = self.shell.run_cell(header["source"], store_history=False)
                    error = result.error_before_exec or result.error_in_exec
        except BaseException as raised:
            error = raised
        close_figures()
        stdout = clean(printed.getvalue() + self.low_level.take(), MAX_PRINTED)
        return {
            "ok": error is None,
            "stdout": stdout,
            "error": told(error) if error is not None else None,
            "missing": [clean(name) for name in self.shell.missing],
            "seconds": time.monotonic() - started,
        }

    def _given(self, header: dict, _buffers, _out) -> dict:
        """Make what the template gives once more; not by the shell, which a cell may have made deaf."""
        with limit(header["seconds"], header["clock"]), quiet(Bounded()):
            exec(compile(header["source"], "given", "exec"), self.names)
        return {"ok": True, "error": None}

    def _files(self, header: dict, buffers: list, _out) -> dict:
        """Put the instructor's files where a notebook has them: beside it, before packages of the same names."""
        for name, content in zip(header["names"], buffers, strict=True):
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        put_first("", header["names"])
        return {"ok": True, "error": None}

    def _test(self, header: dict, buffers: list, _out) -> dict:
        """Run a test whose code was compiled outside; all that is believed of it is marked as unproved."""
        with limit(header["seconds"], header["clock"]), quiet(Bounded()):
            value = self._run_code(buffers)
        close_figures()
        return {"ok": True, "error": None, "number": value if type(value) in (int, float) else None}

    def _run_code(self, buffers: list):
        """Run compiled code in the notebook's namespace; returns the value of its last line, if there is one."""
        body, *last = map(marshal.loads, buffers)
        exec(body, self.names)
        return eval(last[0], self.names) if last else None

    def _get(self, header: dict, _buffers, out: list) -> dict:
        if header["name"] not in self.names:
            return {"value": None, "error": told(NameError(f"name '{header['name']}' is not defined"))}
        with limit(WRITING):
            return {"value": self._node(self.names[header["name"]], out), "error": None}

    # What is asked of an object

    def _attr(self, header: dict, _buffers, out: list) -> dict:
        return self._run(header, out, getattr, self._target(header), header["name"])

    def _item(self, header: dict, buffers: list, out: list) -> dict:
        key = Decoder(buffers, self.objects).value(header["args"][0])
        return self._run(header, out, operator.getitem, self._target(header), key)

    def _len(self, header: dict, _buffers, out: list) -> dict:
        return self._run(header, out, len, self._target(header))

    def _iter(self, header: dict, _buffers, out: list) -> dict:
        return self._run(header, out, iter, self._target(header))

    def _next(self, header: dict, _buffers, out: list) -> dict:
        return self._run(header, out, next, self._target(header))

    def _target(self, header: dict):
        return self.objects.table[header["handle"]]

    def _call(self, header: dict, buffers: list, out: list) -> dict:
        """Call an object with arguments; tell what came back, and which arguments it changed in place."""
        decoder, before = Decoder(buffers, self.objects), [bytes(b) for b in buffers]
        self.objects.met, spans, given = False, {}, {}
        for key, node in [*enumerate(header["args"]), *header["kwargs"].items()]:
            first = len(decoder.taken)
            given[key], spans[key] = decoder.value(node), (first, node, before[first : len(decoder.taken)])
        if header["copy"] and self.objects.met:
            given = copy.deepcopy(given)
        args = [v for k, v in given.items() if type(k) is int]
        reply = self._run(
            header, out, self._target(header), *args, **{k: v for k, v in given.items() if type(k) is str}
        )
        with limit(WRITING):
            after = [(key, value) for key, value in given.items() if self._changed(value, *spans[key])]
            if not header["copy"]:
                sent = {k: v for k, v in given.items() if _is_object(spans[k][1]) and isinstance(v, torch.nn.Module)}
                after += [(key, _weights(module)) for key, module in sent.items()]
            return reply | {"after": [[key, self._node(value, out)] for key, value in after]}

    def _changed(self, value, first: int, node, before: list[bytes]) -> bool:
        """Whether an argument would now be written in another way than it came."""
        if type(node) is not dict:
            return False  # a number, a text: nothing can change it
        if node["is"] in FOREIGN:
            return False
        again: list[bytes] = [b""] * first
        try:
            return encode(value, again, self.objects) != node or again[first:] != before
        except CodecError:
            return True

    # How anything of the student's is run

    def _run(self, header: dict, out: list, function: Callable, *args, **kwargs) -> dict:
        """Return the reply for one call, whatever it does: within its time, seeded, its prints kept."""
        printed, value = Bounded(), None
        error: BaseException | None = None
        _seed(header["seed"])
        try:
            with torch.set_grad_enabled(header["grad"]), limit(header["seconds"], header["clock"]), quiet(printed):
                value = function(*args, **kwargs)
        except MemoryError:
            error = MemoryError("no memory left")  # anew: the first one holds on to all that took the memory
        except BaseException as raised:
            error = raised
        with limit(WRITING):
            node = self._node(value, out) if error is None else None
        text = clean(printed.getvalue(), MAX_PRINTED)
        return {"value": node, "error": told(error) if error is not None else None, "printed": text}

    def _node(self, value, out: list):
        """Return the node of a value; one that is too large or too deep to be data goes as an object."""
        try:
            return encode(value, out, self.objects)
        except CodecError:
            return self.objects.outgoing(value, None)

    def _call_back(self, number: int, args: tuple, kwargs: dict):
        """Ask the judge to call a function that it handed in; the alarm waits, or it would tear a message in two."""
        with no_limit():
            out: list[bytes] = []
            request = {"op": "callback", "id": number, "args": [self._node(a, out) for a in args]}
            self.channel.send(request | {"kwargs": {k: self._node(v, out) for k, v in kwargs.items()}}, out)
            header, buffers = self.channel.receive()
            while "op" in header:  # the judge's function asks something of the student's objects
                self._answer(header, buffers)
                header, buffers = self.channel.receive()
        if header["error"] is not None:
            raise error_of_check(header["error"])
        self.objects.unpack(header, buffers)
        return Decoder(buffers, self.objects).value(header["args"][0])


def close_figures() -> None:
    """Close what pyplot has open, as JupyterLab does below each cell: the next one begins with a figure of its own."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        with contextlib.suppress(BaseException), limit(WRITING):  # a cell may have put anything in its place
            pyplot.close("all")


def _is_object(node) -> bool:
    """Whether an argument came from the judge as an object of a library."""
    return type(node) is dict and node["is"] == "object"


def _weights(module: torch.nn.Module) -> dict:
    """Return the parameters of a module, with their gradients, and its buffers, by name."""
    return dict([*module.named_parameters(), *module.named_buffers()])


def told(error: BaseException) -> dict:
    """Return an error as data: the names of its classes, its message, the student's own line."""
    types = [clean(f"{c.__module__}.{c.__qualname__}") for c in type(error).__mro__[:20]]
    types = ["CaseTimeout"] if isinstance(error, CaseTimeout) else types
    try:
        message = message_of(error)
        line, text = students_line(error)
    except Exception:
        message, line, text = "", None, ""
    return {"types": types, "message": clean(message, MAX_MESSAGE), "line": line, "text": clean(text, MAX_MESSAGE)}


def _seed(seed: int | None) -> None:
    """Seed what draws random numbers without being told how."""
    if seed is not None:
        random.seed(seed)
        np.random.seed(seed % 2**32)
        torch.default_generator.manual_seed(seed)


class LowLevelOutput:
    """What C code and child processes print: kept in a file, so that nobody waits for a reader."""

    def __init__(self):
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 (for as long as the process lives)
        with open(os.devnull) as nothing:  # noqa: PTH123
            os.dup2(nothing.fileno(), 0)
        for descriptor in (1, 2):
            os.dup2(self.file.fileno(), descriptor)

    def take(self) -> str:
        """Return what was written since the last time, and forget it."""
        self.file.seek(0)
        text = self.file.read(MAX_PRINTED).decode("utf-8", "replace")
        self.file.seek(0)
        self.file.truncate()
        return text
