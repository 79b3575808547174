"""What a check may judge: plain data, turned into one form so that it can be compared and printed."""

from functools import cache

import numpy as np
from scipy import sparse

PYTHON_NUMBERS = {bool, int, float}
ATOMS = {*PYTHON_NUMBERS, complex, str, bytes, type(None)}
KINDS = {t: "number" for t in np.sctypeDict.values() if issubclass(t, np.number) and t is not np.timedelta64} | {
    bool: "bool", np.bool_: "bool", int: "number", float: "number", str: "str", np.str_: "str", bytes: "bytes",
    type(None): "NoneType", list: "sequence", tuple: "sequence", set: "set", frozenset: "set", dict: "dict",
    np.ndarray: "array",
}  # fmt: skip
MAX_TEXT = 160
MAX_AXES = 6
TENSORS = {("torch", "Tensor"), ("torch.nn.parameter", "Parameter")}


def kind(value) -> str:
    """Return the family of a value, by its exact type: a subclass may lie about equality."""
    t = type(value)
    if t is np.ndarray:
        return "array" if value.dtype.kind in "biufcUO" else "other"
    if t in KINDS:
        return KINDS[t]
    if is_sparse(value):
        return "sparse" if rows_are_picked(t) else "other"
    return "tensor" if (t.__module__, t.__name__) in TENSORS and has_numbers(value) else "other"


def is_data(value) -> bool:
    """Whether a value is data all through; an object may say of itself what it likes."""
    if type(value) in (list, tuple, set, frozenset):
        return all(map(is_data, value))
    if type(value) is dict:
        return all(map(is_data, [*value.keys(), *value.values()]))
    return type(value) in ATOMS or kind(value) != "other"


def is_sparse(value) -> bool:
    """Whether a value is one of SciPy's own sparse matrices, in whatever form."""
    return sparse.issparse(value) and type(value).__module__.startswith("scipy.sparse")


@cache
def rows_are_picked(form: type) -> bool:
    """Whether sparse matrices of this form can be asked for a row: COO, BSR and DIA cannot, but some arrays in COO."""
    try:
        form(np.eye(2))[0]
    except (TypeError, NotImplementedError):
        return False
    return True


def has_numbers(tensor) -> bool:
    """Whether a tensor has its numbers one beside another: not on `meta`, not sparse, nested or quantised."""
    strided = str(tensor.layout) == "torch.strided"
    return strided and not (tensor.is_meta or tensor.is_nested or tensor.is_quantized)


def as_array(value) -> np.ndarray | None:
    """Return numeric data as a dense array, or None when the value is not an array of numbers."""
    family = kind(value)
    if family in ("bool", "number", "array"):
        huge = type(value) is int and 2**64 <= abs(value) < 2**1023  # NumPy would make an object of it
        return np.asarray(float(value) if huge else value)
    if family == "sparse":
        return value.toarray()
    if family == "tensor":
        value = value.detach().cpu().resolve_conj().resolve_neg()
        return (value.float() if value.is_floating_point() and value.itemsize < 4 else value).numpy()
    if family == "sequence":
        return _sequence_as_array(value)
    return None


def _sequence_as_array(value) -> np.ndarray | None:
    """Return a (nested) list of numbers as an array; ragged lists and lists of text give None."""
    if value and PYTHON_NUMBERS.issuperset(map(type, value)):
        array = np.array(value)
        return None if array.dtype == object else array
    parts = [as_array(v) for v in value]
    if any(p is None or p.dtype == object for p in parts):
        return None
    shapes = {p.shape for p in parts}
    if len(shapes) > 1:
        return None
    return np.array(parts) if parts else np.zeros(0)


def describe(value) -> str:
    """Return one short line for a value, with its shape and dtype where it has them."""
    family = kind(value)
    if family in ("array", "tensor", "sparse"):
        name = {"array": "array", "tensor": "tensor", "sparse": f"{getattr(value, 'format', '')} matrix"}[family]
        body = shorten(_numbers(as_array(value)))
        return f"{body}  ({name}, shape {tuple(value.shape)}, {str(value.dtype).removeprefix('torch.')})"
    if family == "other":
        return f"an object of type {type(value).__name__}"
    return shorten(plain(value))


def _numbers(array: np.ndarray) -> str:
    """Return the numbers of an array on one line, without the word array; of very many axes, in one row."""
    array = array.ravel() if array.ndim > MAX_AXES else array  # the shortened print of 16 axes has millions of parts
    text = np.array2string(array, precision=4, separator=", ", threshold=30, edgeitems=3, suppress_small=False)
    return " ".join(text.split())


def plain(value) -> str:
    """Return repr without NumPy's wrappers: 0.5, never np.float64(0.5)."""
    family = kind(value)
    if family == "number":
        return f"{float(value):.6g}" if isinstance(value, float | np.floating) else str(int(value))
    if family == "sequence":
        inside = ", ".join(plain(v) for v in value[:20]) + (", ..." if len(value) > 20 else "")
        if isinstance(value, list):
            return f"[{inside}]"
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if family == "dict":
        inside = ", ".join(f"{plain(k)}: {plain(v)}" for k, v in list(value.items())[:12])
        return "{" + inside + (", ..." if len(value) > 12 else "") + "}"
    if family == "set" and value:
        return "{" + ", ".join(sorted(map(plain, value))) + "}"  # a set's own order differs from process to process
    if family in ("array", "tensor", "sparse"):
        return _numbers(as_array(value))
    if family == "other":
        return f"<{type(value).__name__}>"
    return repr({"bool": bool, "str": str}.get(family, lambda v: v)(value))


def shorten(text: str, limit: int = MAX_TEXT) -> str:
    """Cut the middle out of a long text, so that start and end stay readable."""
    if len(text) <= limit:
        return text
    half = (limit - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"
