"""Whether a call left its arguments as they were; what must stay as it is."""

import inspect
from collections.abc import Callable
from types import CellType, FunctionType

import numpy as np

from helpers.checks.compare import difference
from helpers.checks.values import as_array, kind


def changed(function: Callable, before: tuple, after: tuple) -> str | None:
    """Return the name of the first argument that the call changed in place, or None."""
    for i, (old, new) in enumerate(zip(before[0], after[0], strict=True)):
        if not _same(old, new):
            names = _parameters(function)
            return f"argument `{names[i]}`" if i < len(names) else f"argument number {i + 1}"
    return next((f"argument `{k}`" for k, old in before[1].items() if not _same(old, after[1][k])), None)


def _same(old, new) -> bool:
    """Whether a value is untouched; what cannot be compared (a function, an object) counts as untouched."""
    if kind(old) == "other" or _plainly_same(old, new):
        return True
    a, b = as_array(old), as_array(new)
    if a is None or b is None or type(old) is not type(new):
        return type(old) is type(new) and difference(new, old, rtol=0, atol=0, equal_nan=True) is None
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def _plainly_same(old, new) -> bool:
    """A quick yes for what holds plain words and integers, most of what checks hand in; a no has to be looked into."""
    t = type(old)
    if t is not type(new):
        return False
    if t in (list, tuple):
        return len(old) == len(new) and all(map(_plainly_same, old, new))
    if t is dict:
        return _plainly_same([*old, *old.values()], [*new, *new.values()])
    return t in (str, int, bool, type(None)) and old == new


def _parameters(function: Callable) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def frozen(near):
    """Return a function whose variables keep what they hold now: it is called again after the loops round it."""
    if not getattr(near, "__closure__", None):
        return near
    cells = tuple(CellType(cell.cell_contents) for cell in near.__closure__)
    return FunctionType(near.__code__, near.__globals__, near.__name__, near.__defaults__, cells)
