"""What the known mistakes of an exercise give: computed once for all the answers that the audit tries on it.

A case's arguments are the same for each answer, so a mistake gives the same value. One that calls the answer's own
functions, or whose arguments cannot be told apart by their bytes, is computed each time.
"""

import dis
import io
import pickle
from collections.abc import Callable
from functools import cache, partial, wraps
from types import CodeType, FunctionType

import torch

from helpers.checks.case import value_of

GLOBAL = ("LOAD_GLOBAL", "LOAD_NAME")  # what looks a name up in the module; LOAD_ATTR and LOAD_METHOD do not


class Remembered:
    """Stands in for `helpers.checks.case.value_of`; wants the words of the mistake, too."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, CodeType, bytes], object] = {}
        self._asking: dict[tuple[str, CodeType], bool] = {}
        self._case: tuple[list, bytes] = ([], b"")  # the last arguments, which many mistakes share
        self._told: set[str] = set()  # the mistakes made on them: one that comes again is of another case

    def __call__(self, words: str, mistake: partial) -> object:
        """Return what the mistake gives on its arguments, or the class of its error."""
        try:
            if self._asks_answer(words, mistake.func):
                return value_of(mistake)
            key = words, mistake.func.__code__, self._arguments(words, mistake)
        except Exception:  # whatever a strange argument raises
            return value_of(mistake)
        if key in self._values:
            return self._values[key]
        called: list[Callable] = []
        args = (_watched(a, called) for a in mistake.args)
        value = value_of(partial(mistake.func, *args, **{k: _watched(v, called) for k, v in mistake.keywords.items()}))
        if not called:
            self._values[key] = value
        return value

    def _asks_answer(self, words: str, function: FunctionType) -> bool:
        """Whether this mistake asks the answer; another one may have the same code and close over other functions."""
        key = words, function.__code__
        if key not in self._asking:
            self._asking[key] = _asks_answer(function)
        return self._asking[key]

    def _arguments(self, words: str, mistake: partial) -> bytes:
        """Return the arguments as bytes, written once a case: the same objects may hold other numbers in the next.

        A function of the answer stands there by its name, since calls of it are watched.
        """
        given = [*mistake.args, *mistake.keywords, *mistake.keywords.values()]
        before, written = self._case
        same = len(before) == len(given) and all(a is b for a, b in zip(before, given, strict=True))
        if not same or words in self._told:
            written = _bytes([a.__qualname__ if _is_answers(a) else a for a in given])
            self._case, self._told = (given, written), set()
        self._told.add(words)
        return written


def _asks_answer(function: object, seen: tuple = ()) -> bool:
    """Whether a function of the check calls one of the answer by its name, itself or through what it closes over."""
    function = getattr(function, "func", function)  # a partial's
    if not isinstance(function, FunctionType) or function in seen:
        return _is_answers(function)
    held = [*(function.__defaults__ or ()), *(cell.cell_contents for cell in function.__closure__ or ())]
    held += [function.__globals__.get(name) for name in _names(function.__code__)]
    return any(_is_answers(one) or (_is_checks(one) and _asks_answer(one, (*seen, function))) for one in held)


def _is_checks(value: object) -> bool:
    value = getattr(value, "func", value)
    return isinstance(value, FunctionType) and "score.<locals>" in value.__qualname__


@cache
def _names(code: CodeType) -> frozenset[str]:
    """Return the global names that a function uses, with those of the functions in it; `layer_norm` of F is none."""
    inner = (_names(each) for each in code.co_consts if isinstance(each, CodeType))
    return frozenset(i.argval for i in dis.get_instructions(code) if i.opname in GLOBAL).union(*inner)


def _is_answers(value: object) -> bool:
    """Whether this is a function of the answer; those of the check stand within its `score`."""
    return (
        isinstance(value, FunctionType)
        and value.__module__ == "__main__"
        and "score.<locals>" not in value.__qualname__
    )


def _watched(value: object, called: list[Callable]) -> object:
    """Return a function that notes that it was called, for one of the answer; anything else as it is."""
    if not _is_answers(value):
        return value

    @wraps(value)
    def function(*args, **kwargs):
        called.append(value)
        return value(*args, **kwargs)

    return function


class _Pickler(pickle.Pickler):
    """Writes tensors by what they hold (torch writes addresses, too), and functions of the check by what they close."""

    def persistent_id(self, value: object) -> tuple | None:
        if _is_answers(value):
            raise pickle.PicklingError(value.__qualname__)  # what it does is not in its bytes
        if isinstance(value, torch.Tensor):
            held = value.detach().contiguous().flatten().view(torch.uint8).numpy().tobytes()
            return str(value.dtype), tuple(value.shape), value.stride(), value.requires_grad, held
        if isinstance(value, FunctionType) and "<locals>" in value.__qualname__:
            held = [cell.cell_contents for cell in value.__closure__ or ()], value.__defaults__, value.__kwdefaults__
            return value.__qualname__, hash(value.__code__), _bytes(held)
        return None


def _bytes(value: object) -> bytes:
    file = io.BytesIO()
    _Pickler(file).dump(value)
    return file.getvalue()
