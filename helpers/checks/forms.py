"""What a value is, whatever class it comes in: one answer for notebooks and for grading.

A subclass of a plain type (a Counter, a named tuple, an IntEnum, what torch.max gives, a tensor of an own class) is
what it is made from, read by the plain type's own methods: its own may lie. Sparse matrices in LIL and DOK form are
read as CSR, an array of objects that are no numbers as a list. What is no data has a name, by which it is refused.
"""

import operator
import sys
from collections.abc import Callable
from functools import cache
from numbers import Number

import numpy as np

from helpers.checks.values import ATOMS, KINDS, TENSORS, has_numbers, is_sparse, kind

MAX_DEPTH = 50
READ: dict[type, Callable] = {
    int: int.__int__,
    float: float.__float__,
    complex: complex.__pos__,
    str: str.__str__,
    bytes: lambda value: bytes.__add__(value, b""),
    list: lambda value: [*list.__iter__(value)],
    tuple: lambda value: (*tuple.__iter__(value),),
    set: lambda value: {*set.__iter__(value)},
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    dict: lambda value: dict(dict.items(value)),
}
TIMES = "array of times"
ARRAYS = {"V": "structured array", "S": "array of bytes", "M": TIMES, "m": TIMES}
SPARSE_TENSOR, META, NESTED, QUANTISED = "sparse tensor", "tensor without numbers", "nested tensor", "quantised tensor"
UNREADABLE = "too deep or too large to be read"
LARGE = (*READ, np.ndarray)
NAMED = {*ARRAYS.values(), SPARSE_TENSOR, META, NESTED, QUANTISED}
NAMED |= {f"{form} sparse matrix" for form in ("CSR", "CSC", "COO", "LIL", "DOK", "BSR", "DIA")}
LARGE_NAMES = [*(plain.__name__ for plain in LARGE), "Tensor", "Parameter"]
NAMED |= {f"{name} {UNREADABLE}" for name in LARGE_NAMES}
REFUSED = {*NAMED, "matrix", "MaskedArray", "memoryview", "array", "bytearray", "Decimal", "Fraction", "timedelta64"}


def base(value):
    """Return a value as one of a plain type, without looking at what is in it; itself if it is one, or is no data."""
    try:
        return _base(value)
    except Exception:  # whatever a strange object raises when it is looked at
        return value


def _base(value):
    cls = type(value)
    if cls is np.ndarray:
        value = value.copy() if min(value.strides, default=0) < 0 else value  # torch takes no negative strides
        return _items(value) if value.dtype.kind == "O" else value
    if cls in KINDS:
        return value
    if is_sparse(value):
        return _rows(value)
    sent = getattr(cls, "data_that_came", None)  # of an object in another process (while grading)
    if sent is not None:
        return sent(value)
    if issubclass(cls, np.ndarray):
        return value if issubclass(cls, np.matrix | np.ma.MaskedArray) else np.ndarray.view(value, np.ndarray)
    plain = next((plain for plain in READ if issubclass(cls, plain)), None)
    return READ[plain](value) if plain else _tensor(value)


def _items(array: np.ndarray):
    """Return an array of objects as a list; one of numbers stays, since no function of NumPy's takes it."""
    holds_numbers = any(isinstance(item, Number | np.generic) for item in array.flat)
    return array if holds_numbers else array.tolist()


def _rows(matrix):
    """Return a sparse matrix in a form that has rows, its numbers as this machine writes them."""
    matrix = matrix.tocsr() if matrix.format in ("lil", "dok") else matrix
    matrix = matrix.tocoo() if matrix.ndim != 2 else matrix
    return matrix if matrix.dtype.isnative else matrix.astype(matrix.dtype.newbyteorder("="))


def _tensor(value):
    torch, cls = sys.modules.get("torch"), type(value)
    if torch is None or not issubclass(cls, torch.Tensor):
        return value
    if (cls.__module__, cls.__name__) in TENSORS:
        return _settled(value) if has_numbers(value) else value
    if cls.__torch_dispatch__ is not torch.Tensor.__torch_dispatch__ or torch.nn.parameter.is_lazy(value):
        return value  # its numbers are not in it
    with torch._C.DisableTorchFunctionSubclass():
        return _settled(torch.Tensor.as_subclass(value, torch.Tensor))


def _settled(tensor):
    """Return a tensor whose numbers lie one after the other, for whatever is done with it; a leaf stays as it is."""
    tensor = tensor.clone() if tensor.is_inference() else tensor
    return tensor if tensor.is_leaf and tensor.requires_grad else tensor.resolve_conj().resolve_neg().contiguous()


def canonical(value):
    """Return a value of plain types all through, itself where it is one already; of what is refused, its name alone."""
    try:
        return _canonical(value, {}, 0)
    except RecursionError:
        return _refused(f"{type(base(value)).__name__} {UNREADABLE}")


def _canonical(value, known: dict[int, tuple], deep: int):
    """Return a value of plain types; raises RecursionError for one that holds itself.

    known: what was looked into, by its id, and what came of it, so that what is shared is looked into once.
    """
    plain = base(value)
    cls = type(plain)
    if cls not in READ or cls in ATOMS:
        name = class_name(plain) if kind(plain) == "other" else ""
        return _refused(name) if name in REFUSED else plain
    inside = [*plain.keys(), *plain.values()] if cls is dict else plain
    if ATOMS.issuperset(map(type, inside)):
        return plain
    if id(value) not in known:
        if deep == MAX_DEPTH:
            raise RecursionError
        parts = [_canonical(part, known, deep + 1) for part in inside]
        known[id(value)] = value, plain if all(map(operator.is_, parts, inside)) else _made(cls, parts)
    return known[id(value)][1]


def _made(cls: type, parts: list):
    """Return a list, tuple or set of these parts, or a dict of as many keys and values."""
    half = len(parts) // 2
    return dict(zip(parts[:half], parts[half:], strict=True)) if cls is dict else cls(parts)


def _refused(name: str):
    """Return what stands for a value that is no data, though it can be added and compared: its name and no more."""
    return _class(name)()


@cache
def _class(name: str) -> type:
    return type(name, (), {})


def crossed(value):
    """Return what a check sees of a value that one of the answer's functions gives: plain, but for objects with names.

    An object of a class that was made from a plain type, with attributes and methods of its own, stays as it is; so
    does an array of objects, which has a shape.
    """
    has_shape = type(value) is np.ndarray and value.dtype.kind == "O"
    return value if has_shape or keeps_names(value) else canonical(value)


def keeps_names(value) -> bool:
    """Whether a value of a subclass may have attributes and methods that a check asks for, beside its data."""
    cls = type(value)
    sent = getattr(cls, "data_that_came", None)
    if sent is not None:
        return sent(value) is not value
    library = cls.__module__.partition(".")[0] in ("builtins", "collections", "torch", "numpy")
    return issubclass(cls, list | tuple | set | frozenset | dict) and not library


def class_name(value) -> str:
    """Return what a report calls a value that is no data: a name of NAMED, or that of its class."""
    cls = type(value)
    if cls is np.ndarray:
        return ARRAYS.get(value.dtype.kind, cls.__name__)
    if is_sparse(value):
        return f"{value.format.upper()} sparse matrix"
    torch = sys.modules.get("torch")
    return _tensors_name(value) if torch and issubclass(cls, torch.Tensor) else cls.__name__


def _tensors_name(value) -> str:
    if value.is_meta:
        return META
    if value.is_nested:
        return NESTED
    if value.is_quantized:
        return QUANTISED
    return type(value).__name__ if str(value.layout) == "torch.strided" else SPARSE_TENSOR
