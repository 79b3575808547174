"""The student's errors, told by the runner, as exceptions of the judge's own making."""

import builtins
import functools
import re

import numpy as np

from autograder.terminal import without_codes
from helpers.checks.timers import CaseTimeout

TIMEOUT = CaseTimeout.__name__  # what a runner calls it
MAX_NAME = 60
MAX_MESSAGE = 20_000
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # moves a cursor, turns text round


class FarError(BaseException):
    """What every exception of this module is, besides the known class that its name stands for."""

    def __init__(self, message: str, line: int | None = None, text: str = ""):
        self.message, self.students_line = message, (line, text)

    def __str__(self) -> str:
        return self.message


class UnreadableAnswer(Exception):
    """What came back is no value that could be judged."""


class RunnerGone(Exception):
    """The process that ran the student's code is of no more use; the message says why."""


def _known() -> dict[str, type]:
    """Return the classes that an error may be, by full name: Python's own ordinary ones, and a few of NumPy's."""
    plain = [c for c in vars(builtins).values() if isinstance(c, type) and issubclass(c, Exception)]
    single = [c for c in plain if not issubclass(c, BaseExceptionGroup)]
    known: list[type] = [*single, SystemExit, np.linalg.LinAlgError, np.exceptions.AxisError]
    return {f"{c.__module__}.{c.__qualname__}": c for c in known}


KNOWN = _known()


def students_error(told) -> BaseException:
    """Return the exception that a runner told of, whatever it told: the class from a fixed list, the rest as text."""
    if type(told) is not dict or type(told.get("types")) is not list:
        return UnreadableAnswer("the answer could not be read: no such error")
    types = [t for t in told["types"][:20] if type(t) is str]
    if types == [TIMEOUT]:
        return CaseTimeout()
    base = next((KNOWN[t] for t in types if t in KNOWN), Exception)
    name = types[0].rpartition(".")[2] if types else "Error"
    line, text = told.get("line"), text_of(told.get("text"), MAX_MESSAGE)
    line = line if type(line) is int and 0 < line < 10**9 else None
    kind = _class(name if is_name(name) else "Error", base)
    return kind(text_of(told.get("message"), MAX_MESSAGE), line, text)


def is_timeout(told) -> bool:
    """Whether a runner tells of a call that it ended by its limit."""
    return type(told) is dict and told.get("types") == [TIMEOUT]


@functools.lru_cache(256)
def _class(name: str, base: type) -> type:
    return type(name, (FarError, base), {"__module__": __name__})


def is_name(name) -> bool:
    """Whether something from the runner may stand for a name in a report."""
    return type(name) is str and len(name) <= MAX_NAME and (name.isidentifier() or name == "<lambda>")


def text_of(value, max_chars: int) -> str:
    """Return text from the runner: a str, cut, without half characters, colours and what moves a terminal's cursor."""
    if type(value) is not str:
        return ""
    plain = without_codes(value[:max_chars].encode("utf-8", "replace").decode())
    return CONTROL.sub("\N{REPLACEMENT CHARACTER}", plain)
