"""Compare what came with what was expected: type, shape, dtype, then values."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from helpers.checks.forms import NAMED, class_name
from helpers.checks.values import as_array, kind, plain

PLAIN = {"dict", "set", "str", "bytes", "NoneType", "bool"}  # what is compared as it is, not as an array
DTYPE_WORDS = {"f": "a float dtype", "i": "an integer dtype", "b": "a boolean dtype"}
RTOL, ATOL = 1e-5, 1e-8  # where a case names no tolerance of its own
NAMED_DTYPES = {"float32", "float64"}


@dataclass(frozen=True)
class Difference:
    """Why two values differ: the stage (type, shape, dtype, value) and a sentence, put together when it is read."""

    stage: str
    say: Callable[[], str]

    @property
    def text(self) -> str:
        """The sentence."""
        return self.say()


def difference(
    got, expected, rtol: float = RTOL, atol: float = ATOL, dtype: str | None = None, equal_nan: bool = False
) -> Difference | None:
    """Return the first difference between two values, or None if they agree.

    Numbers may come back as any plain container of the same shape: a list, an array, a tensor. A sparse matrix is
    expected to stay sparse, text to stay text. `dtype` is a NumPy kind ("f", "i") when the dtype is part of the
    task, or the name of one that each array or tensor must have. NaN agrees with nothing, unless `equal_nan`.
    """
    if dtype in NAMED_DTYPES:
        named = _named_dtype_difference(got, dtype)
        return difference(got, expected, rtol, atol, equal_nan=equal_nan) or named
    family = kind(expected)
    if family == "sequence" and kind(got) == "array" and got.dtype.kind == "U":
        got = got.tolist()  # an array of words serves as a list of words
    want = None if family in PLAIN else as_array(expected)
    if want is None:
        return _plain_difference(got, expected, rtol, atol, equal_nan)
    array = as_array(got)
    if array is None and family == kind(got) == "sequence":
        return _sequence_difference(got, expected, rtol, atol, equal_nan)
    if array is None or (family == "sparse") != (kind(got) == "sparse"):
        what = type_name(expected) if family in ("sparse", "number") else "a list or array of numbers"
        return Difference("type", lambda: f"{type_name(got)} came, {what} was expected")
    if array.dtype.kind not in "biufc":
        return Difference("type", lambda: f"an array of {_items(array.dtype)} came, numbers were expected")
    return _array_difference(array, want, rtol, atol, dtype, equal_nan)


def type_name(value) -> str:
    """Return the family of a value with its article, for a sentence."""
    own = class_name(value)
    other = own if own in NAMED else f"{own} object"
    names = {"array": "NumPy array", "tensor": "torch tensor", "sparse": "sparse matrix", "NoneType": "None"}
    name = (names | {"other": other}).get(kind(value), own)
    if name == "None":
        return name
    article = "an" if name[0] in "aeiou" else "a"
    return f"{article} {name}"


def _items(dtype: np.dtype) -> str:
    return {"O": "objects (dtype object)", "U": "text"}[dtype.kind]


def _named_dtype_difference(got, dtype: str) -> Difference | None:
    """Find an array or a tensor of another dtype in a value; a list of plain numbers has none."""
    if isinstance(got, list | tuple):
        differences = (_named_dtype_difference(item, dtype) for item in got)
        return next((found for found in differences if found), None)
    name = str(getattr(got, "dtype", dtype)).removeprefix("torch.")
    return None if name == dtype else Difference("dtype", lambda: f"dtype {name} came, {dtype} was expected")


def _array_difference(got: np.ndarray, want: np.ndarray, rtol, atol, dtype, equal_nan) -> Difference | None:
    if got.shape != want.shape:
        return Difference("shape", lambda: f"shape {got.shape} came, shape {want.shape} was expected")
    if dtype and got.dtype.kind != dtype and not (dtype == "i" and got.dtype.kind == "u"):
        return Difference("dtype", lambda: f"dtype {got.dtype} came, {DTYPE_WORDS[dtype]} was expected")
    if got.size == 0:
        return None
    if got.dtype.kind in "biu" and want.dtype.kind in "biu":
        close = got == want  # a tolerance would let an id off by one pass
    else:
        close = _close(_wide(got), _wide(want), rtol, atol, equal_nan)
    return None if close.all() else Difference("value", lambda: _where(got, want, close))


def _wide(array: np.ndarray) -> np.ndarray:
    return array.astype(complex if array.dtype.kind == "c" else float, copy=False)


def _close(got: np.ndarray, want: np.ndarray, rtol, atol, equal_nan) -> np.ndarray:
    """Return what np.isclose does, at a fraction of its cost for a few numbers."""
    with np.errstate(all="ignore"):
        near = (np.abs(got - want) <= atol + rtol * np.abs(want)) & np.isfinite(want)
    return near | (got == want) | ((got != got) & (want != want) if equal_nan else False)


def _where(got: np.ndarray, want: np.ndarray, close: np.ndarray) -> str:
    """Name the first differing entry and the largest error."""
    wrong = np.argwhere(~close)
    first = tuple(int(i) for i in wrong[0])
    with np.errstate(all="ignore"):
        largest = float(np.max(np.abs(got.astype(complex) - want.astype(complex))))
    place = ""
    if first:  # () is the one place of a number
        index = first[0] if len(first) == 1 else first
        place = f"at index {index}: "
    numbers = f"{plain(got[first])} came, {plain(want[first])} was expected"
    if got.size == 1:
        return place + numbers
    error = f", the largest error is {largest:.3g}" if np.isfinite(largest) else ""
    return f"first {place}{numbers} ({len(wrong)} of {got.size} differ{error})"


def _plain_difference(got, want, rtol, atol, equal_nan) -> Difference | None:
    """Compare text, booleans, None, and containers of them."""
    if kind(got) != kind(want):
        return Difference("type", lambda: f"{type_name(got)} came, {type_name(want)} was expected")
    if kind(want) == "sequence":
        return _sequence_difference(got, want, rtol, atol, equal_nan)
    if kind(want) == "dict":
        return _dict_difference(got, want, rtol, atol, equal_nan)
    return None if got == want else Difference("value", lambda: f"{plain(got)} came, {plain(want)} was expected")


def _sequence_difference(got, want, rtol, atol, equal_nan) -> Difference | None:
    if len(got) != len(want):
        return Difference("shape", lambda: f"{len(got)} items came, {len(want)} were expected")
    for i, (g, w) in enumerate(zip(got, want, strict=True)):
        inner = difference(g, w, rtol, atol, equal_nan=equal_nan)
        if inner:
            return _within(f"item {i}", inner)
    return None


def _dict_difference(got, want, rtol, atol, equal_nan) -> Difference | None:
    for key in want:
        if key not in got:
            return _of_key(key, "is missing")
        inner = difference(got[key], want[key], rtol, atol, equal_nan=equal_nan)
        if inner:
            return _within(f"key {plain(key)}", inner)
    extra = next((k for k in got if k not in want), None)
    return _of_key(extra, "should not be there") if len(got) > len(want) else None


def _within(place: str, inner: Difference) -> Difference:
    return Difference(inner.stage, lambda: f"{place}: {inner.text}")


def _of_key(key, what: str) -> Difference:
    return Difference("value", lambda: f"the key {plain(key)} {what}")
