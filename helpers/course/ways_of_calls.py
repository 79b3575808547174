"""Which way a call goes: what a check asks where all ways lead to the same value.

Only what is plainly seen counts. A way that is not seen passes; a right one is never refused.
"""

import builtins
import contextlib
import sys
import tracemalloc
from collections.abc import Callable, Collection, Iterator
from types import CodeType, FrameType
from typing import NamedTuple

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves

from helpers.checks.gradients import slopes

__all__ = [
    "AUTOGRAD", "Operation", "largest_exponential", "largest_product", "lines_run", "longest_sort", "most_numbers",
    "names_of", "numbers_made", "operations", "slopes", "taken", "without_autograd",
]  # fmt: skip

NOTEBOOK = "__main__"  # whose functions a student wrote
PRODUCTS = {"matmul", "dot", "inner", "einsum", "tensordot", "vdot", "vecdot", "matvec", "vecmat"}
SORTS = {"sort", "argsort", "lexsort"}
EXPONENTIALS = {"exp", "exp2", "expm1", "softmax"}
# What finds gradients: backward and grad, and what torch.func and the forward mode begin with (vmap is none of these).
AUTOGRAD = [
    "autograd.grad", "autograd.backward", "Tensor.backward", "autograd.forward_ad.make_dual",
    "torch._functorch.eager_transforms",
]  # fmt: skip


class Operation(NamedTuple):
    """One operation of torch: its name, the dtype of its result, and how many numbers it made that were not there."""

    name: str
    dtype: str
    made: int


class _Seen(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.operations: list[Operation] = []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        old = {_place(tensor) for tensor in _tensors((args, kwargs))}
        name = getattr(function, "__name__", "")
        for tensor in _tensors(result):
            made = 0 if _place(tensor) in old else tensor.numel()
            self.operations.append(Operation(name, str(tensor.dtype).removeprefix("torch."), made))
        return result


def _tensors(values) -> list[torch.Tensor]:
    return [value for value in tree_leaves(values) if isinstance(value, torch.Tensor)]


def _place(tensor: torch.Tensor) -> int:
    """Return where a tensor's numbers are; a view has the place of what it shows."""
    with contextlib.suppress(RuntimeError, NotImplementedError):
        return tensor.untyped_storage().data_ptr()
    return id(tensor)


def operations(function: Callable, *args) -> list[Operation]:
    """Return what torch does in a call, in order: each operation that gives a tensor."""
    with _Seen() as seen:
        function(*args)
    return seen.operations


def names_of(function: Callable, *args) -> list[str]:
    """Return the names of torch's operations in a call that give a tensor, sorted, each once."""
    return sorted({operation.name for operation in operations(function, *args)})


def without_autograd(function: Callable, *args):
    """Return what a call gives where autograd records nothing; if it is asked to, a RuntimeError says so."""
    with torch.inference_mode():
        value, ways = taken(AUTOGRAD, function, *args)
    if ways:
        raise RuntimeError("autograd is off here")
    return value


def largest_exponential(function: Callable, *args) -> int:
    """Return of how many numbers a call takes torch's exponential, or softmax, at once; 0 if it takes none."""
    done = operations(function, *args)
    return max((operation.made for operation in done if operation.name.strip("_") in EXPONENTIALS), default=0)


def most_numbers(function: Callable, *args) -> int:
    """Return how many numbers of eight bytes a call has at most at one time, of NumPy's, Python's, or one of torch's.

    It is called twice: what the first call imports or keeps does not count.
    """
    made = max((operation.made for operation in operations(function, *args)), default=0)
    with _traced():
        before, _ = tracemalloc.get_traced_memory()
        function(*args)
        _, most = tracemalloc.get_traced_memory()
    return max(made, (most - before) // 8)


@contextlib.contextmanager
def _traced() -> Iterator[None]:
    """Trace how much memory there is, from here on."""
    traced_already = tracemalloc.is_tracing()
    if not traced_already:
        tracemalloc.start()
    tracemalloc.reset_peak()
    try:
        yield
    finally:
        if not traced_already:
            tracemalloc.stop()


def numbers_made(function: Callable, *args) -> int:
    """Return how many numbers torch's operations make in a call, all together; a view makes none."""
    return sum(operation.made for operation in operations(function, *args))


class _Watched(np.ndarray):
    """An array that writes down how large the products are that are made of it, and what is sorted."""

    sizes: list[tuple[str, int]]

    def __array_finalize__(self, other):
        self.sizes = getattr(other, "sizes", [])

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
        if out is not None:
            kwargs["out"] = tuple(_plain(one) for one in out)
        result = getattr(ufunc, method)(*map(_plain, inputs), **kwargs)
        if ufunc.__name__ in PRODUCTS:
            self.sizes.append((ufunc.__name__, np.size(result)))
        return self._watching(result)

    def __array_function__(self, function, types, args, kwargs):
        result = super().__array_function__(function, types, args, kwargs)
        name = getattr(function, "__name__", "")
        if name in PRODUCTS or name == "concatenate":
            self.sizes.append((name, np.size(result)))
        if name in SORTS:
            self.sizes.append((name, _longest(args[0])))
        return result

    def dot(self, other, *args):
        result = self._watching(_plain(self).dot(_plain(other), *args))
        self.sizes.append(("dot", np.size(result)))
        return result

    def sort(self, *args, **kwargs):
        self.sizes.append(("sort", self.size))
        super().sort(*args, **kwargs)

    def argsort(self, *args, **kwargs):
        self.sizes.append(("argsort", self.size))
        return super().argsort(*args, **kwargs)

    def _watching(self, result):
        """Let what came of an array write into the same list."""
        if isinstance(result, np.ndarray):
            result = result.view(_Watched)
            result.sizes = self.sizes
        return result


def _plain(value):
    return value.view(np.ndarray) if isinstance(value, _Watched) else value


def _longest(keys) -> int:
    """Return how many numbers are sorted; lexsort has several keys of the same length."""
    several = keys if isinstance(keys, tuple) else (keys,)
    return max(np.size(key) for key in several)


def _sizes(function: Callable, args: tuple, names: set[str]) -> list[int]:
    noted: list[tuple[str, int]] = []
    watched = []
    for value in args:
        if isinstance(value, np.ndarray):
            value = value.view(_Watched)
            value.sizes = noted
        watched.append(value)
    function(*watched)
    return [size for name, size in noted if name in names]


def largest_product(function: Callable, *args) -> int:
    """Return how many numbers the largest product has that a call makes of its arrays, or what it puts together."""
    return max(_sizes(function, args, PRODUCTS | {"concatenate"}), default=0)


def longest_sort(function: Callable, *args) -> int:
    """Return how many numbers a call sorts at once, as arrays, lists or tensors; 0 if it sorts none."""
    lengths: list[int] = []

    def noted(*given):
        with _sorts_noted(lengths):
            done = operations(function, *given)
        lengths.extend(operation.made for operation in done if operation.name in SORTS)

    return max([*_sizes(noted, args, SORTS), *lengths], default=0)


@contextlib.contextmanager
def _sorts_noted(lengths: list[int]) -> Iterator[None]:
    """Note how long what Python's `sorted` and the methods `sort` and `argsort` sort is."""

    def note(_frame: FrameType, event: str, called) -> None:
        if event == "c_call" and called.__name__ in SORTS and isinstance(called.__self__, list | np.ndarray):
            lengths.append(getattr(called.__self__, "size", len(called.__self__)))

    def noted(values, /, **options):
        values = list(values)
        lengths.append(len(values))
        return plain(values, **options)

    plain = builtins.sorted
    builtins.sorted = noted  # type: ignore[assignment]
    try:
        with _profiled(note):
            yield
    finally:
        builtins.sorted = plain


@contextlib.contextmanager
def _profiled(profile: Callable) -> Iterator[None]:
    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(before)


def lines_run(function: Callable, *args) -> int:
    """Return how many lines of the notebook's code a call runs, a line in a loop once for each round."""
    lines = 0

    def note(frame: FrameType, event: str, _):
        nonlocal lines
        if frame.f_globals.get("__name__") != NOTEBOOK:
            return None
        lines += event == "line"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        function(*args)
    finally:
        sys.settrace(before)
    return lines


def taken(ways: Collection[str], function: Callable, *arguments) -> tuple[object, list[str]]:
    """Return what a function gives, and which of these ways it took to it, in their order.

    ways: the ends of full names of functions ("str.encode", "autograd.grad"), or whole modules ("helpers.models.gpt").
        In code of the notebook that runs, a name or a text constant (in small letters) counts, too: what
        `map(str.encode, text)` calls cannot be seen.
    """
    seen: set[str] = set()
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, called) -> None:
        if event == "c_call":
            seen.add(f"{called.__module__}.{called.__qualname__}")
        elif event == "call":
            module = frame.f_globals.get("__name__", "")
            seen.add(f"{module}.{frame.f_code.co_qualname}")
            if module == NOTEBOOK:
                codes.add(frame.f_code)

    with _profiled(note):
        value = function(*arguments)
    words = _words(codes)
    return value, [way for way in ways if way in words or _is_among(way, seen)]


def _is_among(way: str, names: Collection[str]) -> bool:
    return any(_matches(way, name) for name in names)


def _matches(way: str, name: str) -> bool:
    return f".{name}".endswith(f".{way}") or f"{name}.".startswith(f"{way}.")


def _words(codes: Collection[CodeType]) -> set[str]:
    """Return the names and the text constants of code."""
    words: set[str] = set()
    for code in codes:
        words.update(code.co_names)
        words.update(text.lower() for text in code.co_consts if isinstance(text, str))
    return words
