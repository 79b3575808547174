"""Who has only the visible cases by heart: a wrong answer that is made from a check, and must earn next to nothing."""

import inspect
from collections.abc import Callable
from functools import wraps

import numpy as np
import torch

from helpers.checks.case import Bounded, quiet
from helpers.checks.scoring import Check

MAX_SHARE = 0.05  # of a chapter's points


def answer(stub: str, check: str) -> str:
    """Return code that answers an exercise from its visible cases; the solution must be defined when it runs."""
    return f"from {__name__} import memorise\nmemorise(globals(), {stub!r}, {check!r})"


def memorise(names: dict, stub: str, check: str) -> None:
    """Record what the solution answers in the visible cases; then put the stub in place, and functions that repeat it.

    names: those of the notebook, in which the solution is defined, and which are changed.
    """
    defined: dict = {}
    exec(stub, dict(names), defined)
    functions = [name for name, value in defined.items() if inspect.isfunction(value)]
    seen: dict[str, dict] = {name: {} for name in functions}
    with quiet(Bounded()):
        exec(check, names | {name: _recorded(names[name], seen[name]) for name in functions})
    exec(stub, names)
    names.update({name: _repeating(names[name], seen[name]) for name in functions})


def _recorded(solution: Callable, seen: dict) -> Callable:
    """Return the solution, which notes what it answers until the hidden cases begin."""

    @wraps(solution)
    def function(*args, **named):
        if _hidden():
            return solution(*args, **named)
        key = _key((args, named))
        seen[key] = solution(*args, **named)
        return seen[key]

    return function


def _repeating(stub: Callable, seen: dict) -> Callable:
    """Return a function that knows what was seen, and for all else gives the answer that it saw first."""

    @wraps(stub)
    def function(*args, **named):
        first = next(iter(seen.values()), None)
        return seen.get(_key((args, named)), first)

    return function


def _hidden() -> bool:
    """Whether the check that calls is at its hidden cases."""
    frame = inspect.currentframe()
    while frame:
        if isinstance(check := frame.f_locals.get("check"), Check):
            return check._hidden
        frame = frame.f_back
    return False


def _key(value: object) -> object:
    """Return what tells one call from another: numbers and texts, whatever they are kept in."""
    if isinstance(value, torch.Tensor):
        value = value.detach().double() if value.is_floating_point() else value.detach()
        return _key(value.numpy())
    if isinstance(value, np.ndarray):
        return value.shape, hash(value.tobytes())
    if isinstance(value, dict):
        return tuple((k, _key(v)) for k, v in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(_key, value))
    return repr(value)
