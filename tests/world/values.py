"""Forms in which a right answer may come back: each turns a right value into another kind with the same content.

    FORMS["lil_matrix"](csr)         the value in this form, or NO where the form does not fit the value
    put(names, functions, form)      let the functions of an answer give their values in this form

A form that does not fit a tuple, list or dict as a whole is tried on what is in it.
"""

import array
import decimal
import enum
import fractions
import types
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, UserString, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import make_dataclass
from functools import wraps
from typing import NamedTuple

import numpy as np
import torch
from scipy import sparse

NO = object()
FORMS: dict[str, Callable] = {"as it is": lambda value: value}
DEEPEST = 6  # lists within lists: where a form is looked for


def form(function: Callable) -> Callable:
    """Take a form into the table under the words of its function's name."""
    FORMS[function.__name__.replace("_", " ").strip()] = function
    return function


# What a value is


def dense(value) -> np.ndarray | None:
    """Return an array, a tensor or a nest of lists of numbers as an array with axes; None for anything else."""
    if isinstance(value, torch.Tensor) and value.dim() and value.dtype != torch.bfloat16:
        return value.detach().numpy()
    if type(value) is np.ndarray and value.ndim and value.dtype.kind in "biufc":
        return value
    if type(value) in (list, tuple) and value and all(type(v) in (int, float, list, tuple) for v in value):
        try:
            numbers = np.array(value)
        except (ValueError, OverflowError):
            return None
        return numbers if numbers.dtype.kind in "if" else None
    return None


def number(value) -> bool | int | float | None:
    """Return a single number as Python's own; None for anything else."""
    if type(value) in (bool, int, float):
        return value
    if isinstance(value, np.number | np.bool_):
        return value.item()
    single = isinstance(value, np.ndarray | torch.Tensor) and not value.ndim
    return value.item() if single and "complex" not in str(value.dtype) else None


def words(value) -> list[str] | None:
    """Return a list or tuple of nothing but text as a list."""
    plain = type(value) in (list, tuple) and value and all(type(v) is str for v in value)
    return list(value) if plain else None


def matrix(value) -> sparse.csr_matrix | None:
    """Return a sparse matrix in CSR form; None for what is dense."""
    return sparse.csr_matrix(value) if sparse.issparse(value) else None


def made(value, make: Callable):
    """Return what is made of the numbers of a value with axes."""
    numbers = dense(value)
    return NO if numbers is None else make(numbers)


def made_of_row(value, make: Callable):
    """Return what is made of a row of numbers or words, as a list."""
    numbers = dense(value)
    row = words(value) if numbers is None or numbers.ndim != 1 else numbers.tolist()
    return NO if row is None else make(row)


def made_of_number(value, make: Callable):
    """Return what is made of a single number; a bool is left as it is."""
    single = number(value)
    return NO if single is None or type(single) is bool else make(single)


# Sparse matrices

SPARSE = [f"{name}_matrix" for name in ("csr", "csc", "coo", "lil", "dok", "bsr", "dia")]
SPARSE += [name.replace("matrix", "array") for name in SPARSE]


def _sparse_form(name: str) -> Callable:
    made_by = getattr(sparse, name)
    return lambda value: NO if matrix(value) is None else made_by(matrix(value))


FORMS |= {name: _sparse_form(name) for name in SPARSE}


def changed_matrix(value, change: Callable[[sparse.csr_matrix], object]):
    """Return what comes of a change of a matrix in CSR form."""
    csr = matrix(value)
    return NO if csr is None else change(csr.copy())


@form
def sparse_with_entries_twice(value):
    def halves(csr):
        coo = csr.astype(float).tocoo()
        rows, columns = np.repeat(coo.row, 2), np.repeat(coo.col, 2)
        counts = np.r_[0, np.cumsum(2 * np.diff(csr.indptr))]
        order = np.argsort(rows, kind="stable")
        return sparse.csr_matrix((np.repeat(coo.data, 2)[order] / 2, columns[order], counts), shape=csr.shape)

    return changed_matrix(value, halves)


@form
def sparse_with_zeros_kept(value):
    def filled(csr):
        rows, columns = np.indices(csr.shape)
        return sparse.csr_matrix((csr.toarray().ravel(), (rows.ravel(), columns.ravel())), shape=csr.shape)

    return changed_matrix(value, filled)


@form
def sparse_columns_unsorted(value):
    def turned(csr):
        for start, end in zip(csr.indptr[:-1], csr.indptr[1:], strict=True):
            csr.indices[start:end] = csr.indices[start:end][::-1].copy()
            csr.data[start:end] = csr.data[start:end][::-1].copy()
        csr.has_sorted_indices = False
        return csr

    return changed_matrix(value, turned)


@form
def sparse_big_endian(value):
    def turned(csr):
        csr.data = csr.data.astype(csr.dtype.newbyteorder(">"))
        return csr

    return changed_matrix(value, turned)


@form
def sparse_float32(value):
    return changed_matrix(value, lambda csr: csr.astype(np.float32))


@form
def sparse_long_indices(value):
    def long(csr):
        csr.indices, csr.indptr = csr.indices.astype(np.int64), csr.indptr.astype(np.int64)
        return csr

    return changed_matrix(value, long)


@form
def sparse_made_dense(value):
    return changed_matrix(value, lambda csr: csr.toarray())


@form
def sparse_made_np_matrix(value):
    return changed_matrix(value, lambda csr: csr.todense())


@form
def sparse_made_a_tensor(value):
    return changed_matrix(value, lambda csr: torch.from_numpy(csr.toarray()).to_sparse())


@form
def dense_made_sparse(value):
    return made(value, lambda numbers: sparse.csr_matrix(numbers) if numbers.ndim == 2 else NO)


# Arrays

FLOATS = ("float16", "float32", "float64", "longdouble")
WHOLES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint64")


def as_whole(numbers: np.ndarray, dtype: str):
    """Return whole numbers in a dtype that holds them."""
    kept = numbers.astype(dtype) if numbers.dtype.kind in "biuf" and np.isfinite(numbers).all() else None
    return kept if kept is not None and np.array_equal(kept, numbers) else NO


def _float_form(name: str) -> Callable:
    return lambda value: made(value, lambda numbers: numbers.astype(name) if numbers.dtype.kind == "f" else NO)


def _whole_form(name: str) -> Callable:
    return lambda value: made(value, lambda numbers: as_whole(numbers, name))


FORMS |= {f"array of {name}": _float_form(name) for name in FLOATS}
FORMS |= {f"array of {name}": _whole_form(name) for name in WHOLES}


@form
def array_of_bool(value):
    return made(value, lambda numbers: as_whole(numbers, "bool"))


@form
def array_of_complex(value):
    return made(value, lambda numbers: numbers.astype(complex))


@form
def array_of_objects(value):
    return made(value, lambda numbers: numbers.astype(object))


@form
def array_in_fortran_order(value):
    return made(value, np.asfortranarray)


@form
def array_with_strides(value):
    return made(value, lambda numbers: np.repeat(numbers, 2, axis=-1)[..., ::2])


@form
def array_with_negative_strides(value):
    return made(value, lambda numbers: np.flip(numbers).copy()[(slice(None, None, -1),) * numbers.ndim])


@form
def array_read_only(value):
    def locked(numbers):
        numbers = numbers.copy()
        numbers.flags.writeable = False
        return numbers

    return made(value, locked)


@form
def array_big_endian(value):
    return made(value, lambda numbers: numbers.astype(numbers.dtype.newbyteorder(">")))


@form
def array_broadcast(value):
    return made(value, lambda numbers: np.broadcast_to(numbers, (2, *numbers.shape))[1])


class OwnArray(np.ndarray):
    pass


@form
def array_of_an_own_class(value):
    return made(value, lambda numbers: numbers.copy().view(OwnArray))


@form
def masked_array(value):
    return made(value, lambda numbers: np.ma.masked_array(numbers))


@form
def masked_array_with_a_mask(value):
    return made(value, lambda numbers: np.ma.masked_array(numbers, mask=numbers == numbers.flat[0]))


@form
def np_matrix(value):
    return made(value, lambda numbers: np.matrix(numbers) if numbers.ndim == 2 else NO)


@form
def structured_array(value):
    return made_of_row(value, lambda row: np.array([(v,) for v in row], dtype=[("value", np.array(row).dtype)]))


@form
def record_array(value):
    return made_of_row(value, lambda row: np.rec.array([(v,) for v in row], dtype=[("value", np.array(row).dtype)]))


@form
def array_of_time_spans(value):
    return made(value, lambda n: n.astype("m8[s]") if n.dtype.kind in "iu" else NO)


@form
def array_of_words(value):
    return NO if words(value) is None else np.array(value)


@form
def array_of_words_as_objects(value):
    return NO if words(value) is None else np.array(value, dtype=object)


@form
def array_of_arrays(value):
    """An array of objects whose items are arrays, as np.array makes of rows of several lengths."""
    if type(value) not in (list, tuple) or not value or dense(value[0]) is None:
        return NO
    out = np.empty(len(value), dtype=object)
    out[:] = [dense(v) for v in value] if all(dense(v) is not None for v in value) else list(value)
    return out


# Lists of several kinds


@form
def list_of_numbers(value):
    return made(value, lambda numbers: numbers.tolist())


@form
def nested_tuples(value):
    def tuples(items):
        return tuple(map(tuples, items)) if isinstance(items, list) else items

    return made(value, lambda numbers: tuples(numbers.tolist()))


@form
def list_of_arrays(value):
    return made(value, list)


@form
def list_of_tensors(value):
    return made(value, lambda numbers: list(torch.tensor(numbers)))


@form
def list_of_0_dim_arrays(value):
    return made(value, lambda n: [np.array(v) for v in n] if n.ndim == 1 else NO)


@form
def list_of_decimals(value):
    return made(value, lambda n: [decimal.Decimal(v) for v in n.tolist()] if n.ndim == 1 and _real(n) else NO)


@form
def list_of_fractions(value):
    return made(value, lambda n: [fractions.Fraction(v) for v in n.tolist()] if n.ndim == 1 and _real(n) else NO)


def _real(numbers: np.ndarray) -> bool:
    return numbers.dtype.kind in "iuf" and bool(np.isfinite(numbers).all())


@form
def tuple_for_list(value):
    return tuple(value) if type(value) is list else NO


@form
def list_for_tuple(value):
    return list(value) if type(value) is tuple else NO


class OwnList(list):
    pass


@form
def list_of_an_own_class(value):
    return OwnList(value) if type(value) is list else NO


@form
def user_list(value):
    return UserList(value) if type(value) is list else NO


@form
def named_tuple(value):
    return _named(value)(*value) if type(value) is tuple and value else NO


def _named(value: tuple) -> type:
    return NamedTuple("Result", [(f"part_{i}", object) for i in range(len(value))])


@form
def torchs_own_tuple(value):
    pair = type(value) is tuple and len(value) == 2 and all(type(v) is torch.Tensor for v in value)
    return torch.return_types.max(value) if pair else NO


@form
def data_class(value):
    if type(value) is not tuple or not value:
        return NO
    names = [f"part_{i}" for i in range(len(value))]
    return make_dataclass("Result", names)(*value)


@form
def name_space(value):
    return types.SimpleNamespace(**{f"part_{i}": v for i, v in enumerate(value)}) if type(value) is tuple else NO


def _of_items(make: Callable) -> Callable:
    """A form of whatever has an order: lists, tuples, rows of arrays, what a generator gives."""

    def made_of_items(value):
        items = isinstance(value, list | tuple | Iterator) or dense(value) is not None
        return make(list(value)) if items else NO

    return made_of_items


def _generated(items: list) -> Iterator:
    yield from items


FORMS |= {
    "generator": _of_items(_generated), "iterator": _of_items(iter), "map": _of_items(lambda v: map(_same, v)),
    "zip": _of_items(lambda v: zip(v, v, strict=True)), "deque": _of_items(deque), "reversed": _of_items(reversed),
    "enumerate": _of_items(enumerate), "list of a generator": _of_items(list),
    "filter": _of_items(lambda v: filter(_all, v)),
}  # fmt: skip


def _same(value):
    return value


def _all(_value) -> bool:
    return True


@form
def range_for_list(value):
    row = made_of_row(value, _same)
    if row is NO or not all(type(v) is int for v in row) or len(row) < 2 or row[1] == row[0]:
        return NO
    steps = range(row[0], row[0] + (row[1] - row[0]) * len(row), row[1] - row[0])
    return steps if list(steps) == row else NO


@form
def python_array(value):
    return made_of_row(value, lambda row: array.array("d", row) if type(row[0]) in (int, float) else NO)


@form
def memory_view(value):
    return made(value, lambda numbers: memoryview(np.ascontiguousarray(numbers)))


def _bytes(make: Callable) -> Callable:
    def made_of_bytes(value):
        row = list(value) if type(value) is bytes else made_of_row(value, _same)
        small = row is not NO and all(type(v) is int and 0 <= v < 256 for v in row)
        return make(row) if small else NO

    return made_of_bytes


FORMS |= {"bytes": _bytes(bytes), "byte array": _bytes(bytearray), "list of bytes": _bytes(list)}


def _hashed(make: Callable) -> Callable:
    """A form of different members whose hash, which gives a set its order, does not depend on where they lie."""

    def made_of_members(value):
        members = type(value) in (list, tuple, set, frozenset) and value and all(map(_has_steady_hash, value))
        return make(value) if members and len(set(value)) == len(value) else NO

    return made_of_members


def _has_steady_hash(value) -> bool:
    return all(map(_has_steady_hash, value)) if type(value) is tuple else type(value) in (bool, int, float, str, bytes)


FORMS |= {
    "set": _hashed(set), "frozen set": _hashed(frozenset), "keys of a dict": _hashed(lambda v: dict.fromkeys(v).keys()),
    "values of a dict": _hashed(lambda v: dict(enumerate(v)).values()), "set as a list": _hashed(list),
}  # fmt: skip


@form
def list_with_shared_items(value):
    """Equal items are one and the same object."""
    if type(value) is not list:
        return NO
    known = {}
    return [known.setdefault(repr(v), v) for v in value]


@form
def list_that_holds_itself(value):
    if type(value) is not list:
        return NO
    out = list(value)
    out.append(out)
    return out


@form
def item_within_a_list(value):
    return [value]


# Dictionaries


class OwnDict(dict):
    pass


def _dict(make: Callable) -> Callable:
    return lambda value: make(value) if type(value) in (dict, Counter, defaultdict, OrderedDict) else NO


def _named_fields(value: dict):
    return types.SimpleNamespace(**value) if all(type(k) is str for k in value) else NO


def _counter(value: dict):
    return Counter(value) if all(isinstance(number(v), int | float) for v in value.values()) else NO


FORMS |= {
    "Counter": _dict(_counter), "defaultdict": _dict(lambda v: defaultdict(lambda: 0, v)), "plain dict": _dict(dict),
    "OrderedDict": _dict(OrderedDict), "dict of an own class": _dict(OwnDict), "UserDict": _dict(UserDict),
    "MappingProxyType": _dict(types.MappingProxyType), "ChainMap": _dict(ChainMap),
    "items of a dict": _dict(dict.items), "list of pairs": _dict(lambda v: list(v.items())),
    "name space for a dict": _dict(_named_fields),
}  # fmt: skip


# Numbers


class OwnInt(int):
    pass


class OwnFloat(float):
    pass


SCALARS = ("float64", "float32", "float16", "longdouble", "int64", "int32", "int8", "uint8", "uint64", "bool_")


def _scalar_form(name: str) -> Callable:
    def made_by(value):
        kind = getattr(np, name)
        held = kind(value) if type(value) is float or abs(value) < 2**7 else NO
        return held if held is NO or type(value) is float or held == value else NO

    return lambda value: made_of_number(value, lambda v: NO if _loses(v, name) else made_by(v))


def _loses(value: float, name: str) -> bool:
    """Whether a number does not fit a type of whole numbers."""
    whole = "int" in name or name == "bool_"
    if whole and (type(value) is float or (value < 0 and name[0] in "ub")):
        return True
    return name == "bool_" and value not in (0, 1)


FORMS |= {f"np.{name}": _scalar_form(name) for name in SCALARS}


def _number(make: Callable) -> Callable:
    return lambda value: made_of_number(value, make)


def _whole_enum(value: float):
    return enum.IntEnum("Number", {"n": value}).n if type(value) is int else NO


def _exact(make: Callable) -> Callable:
    return _number(lambda value: make(value) if np.isfinite(value) else NO)


def _whole(value: float):
    return int(value) if type(value) is float and value.is_integer() else NO


FORMS |= {
    "0-dim array": _number(np.array), "array of one": _number(lambda v: np.array([v])),
    "0-dim array of objects": _number(lambda v: np.array(v, dtype=object)), "0-dim tensor": _number(torch.tensor),
    "0-dim tensor with gradient": _number(lambda v: torch.tensor(float(v), requires_grad=True) * 1),
    "0-dim parameter": _number(lambda v: torch.nn.Parameter(torch.tensor(float(v)))),
    "Decimal": _exact(decimal.Decimal), "Fraction": _exact(fractions.Fraction), "complex": _number(complex),
    "np.complex128": _number(np.complex128), "np.clongdouble": _number(np.clongdouble),
    "np.timedelta64": _number(lambda v: np.timedelta64(v, "s") if type(v) is int and abs(v) < 2**40 else NO),
    "bool for int": _number(lambda v: bool(v) if v in (0, 1) else NO), "int for float": _number(_whole),
    "float for int": _number(lambda v: float(v) if type(v) is int else NO), "IntEnum": _number(_whole_enum),
    "int of an own class": _number(lambda v: OwnInt(v) if type(v) is int else NO),
    "float of an own class": _number(lambda v: OwnFloat(v) if type(v) is float else NO),
    "number as text": _number(repr), "Python number": _number(lambda v: v),
}  # fmt: skip


@form
def int_for_bool(value):
    return int(value) if isinstance(value, bool | np.bool_) else NO


@form
def np_bool(value):
    return np.bool_(value) if type(value) is bool else NO


@form
def _0_dim_tensor_of_bool(value):
    return torch.tensor(value) if type(value) is bool else NO


# Text


class OwnText(str):
    __slots__ = ()


def _text(make: Callable) -> Callable:
    return lambda value: make(value) if type(value) is str else NO


FORMS |= {
    "str of an own class": _text(OwnText), "np.str_": _text(np.str_), "UserString": _text(UserString),
    "StrEnum": _text(lambda v: enum.StrEnum("Text", {"t": v}).t),
    "text as bytes": _text(lambda v: v.encode("utf-8", "replace")),
    "0-dim array of text": _text(lambda v: np.array(v)), "list of characters": _text(list),
}  # fmt: skip


# Tensors


class OwnTensor(torch.Tensor):
    pass


def _tensor(make: Callable) -> Callable:
    """A form of what has numbers with axes, as a tensor."""

    def made_of_tensor(value):
        numbers = dense(value)
        fits = numbers is not None and numbers.dtype.name in ("bool", "int64", "int32", "float32", "float64")
        return make(torch.from_numpy(np.array(numbers))) if fits else NO

    return made_of_tensor


def _floating(make: Callable) -> Callable:
    return _tensor(lambda tensor: make(tensor) if tensor.is_floating_point() else NO)


def _inferred(tensor):
    with torch.inference_mode():
        return tensor + 0


def _negative_view(tensor):
    return torch.complex(torch.zeros_like(tensor), -tensor).conj().imag


def _whole_tensor(tensor, dtype=torch.int64):
    kept = tensor.to(dtype)
    return kept if torch.equal(kept.to(tensor.dtype), tensor) else NO


def _size(tensor):
    return torch.Size(tensor.tolist()) if tensor.dim() == 1 and not tensor.is_floating_point() else NO


DTYPES = ("float64", "float32", "bfloat16", "float16")
FORMS |= {f"tensor of {name}": _floating(lambda t, name=name: t.to(getattr(torch, name))) for name in DTYPES}
FORMS |= {
    "tensor": _tensor(lambda t: t), "tensor of int64": _tensor(_whole_tensor),
    "tensor of int32": _tensor(lambda t: _whole_tensor(t, torch.int32)),
    "tensor of complex64": _floating(lambda t: t.to(torch.complex64)),
    "tensor with gradient": _floating(lambda t: t.requires_grad_() * 1),
    "tensor, a leaf with gradient": _floating(lambda t: t.requires_grad_()), "parameter": _floating(torch.nn.Parameter),
    "parameter without gradient": _tensor(lambda t: torch.nn.Parameter(t, requires_grad=False)),
    "buffer": _tensor(torch.nn.Buffer),
    "tensor, not contiguous": _tensor(lambda t: t.repeat_interleave(2, -1)[..., ::2]),
    "tensor, transposed twice": _tensor(lambda t: t.transpose(0, -1).contiguous().transpose(0, -1)),
    "tensor, expanded": _tensor(lambda t: t.unsqueeze(0).expand(3, *t.shape)[1]),
    "tensor of an own class": _tensor(lambda t: t.as_subclass(OwnTensor)),
    "tensor of an own class with gradient": _floating(lambda t: (t.requires_grad_() * 1).as_subclass(OwnTensor)),
    "sparse tensor": _tensor(lambda t: t.to_sparse()), "tensor without numbers": _tensor(lambda t: t.to("meta")),
    "sparse tensor in CSR form": _tensor(lambda t: t.to_sparse_csr() if t.dim() == 2 else NO),
    "inference tensor": _tensor(_inferred), "tensor, a conjugate": _floating(lambda t: t.to(torch.complex64).conj()),
    "tensor, a negative view": _floating(_negative_view), "torch.Size": _tensor(_size),
    "nested tensor": _floating(lambda t: torch.nested.nested_tensor(list(t)) if t.dim() > 1 else NO),
    "list of 0-dim tensors": _tensor(lambda t: list(t) if t.dim() == 1 else NO),
}  # fmt: skip


# Nothing

FORMS |= {"None": lambda _: None, "NotImplemented": lambda _: NotImplemented, "Ellipsis": lambda _: ...}
FORMS |= {"a function": lambda value: lambda: value, "a class": lambda _: int, "a module": lambda _: types}


# What differs between the two ways, by exercise and form

METHODS = "the check calls the layer itself: in a notebook its arrays come as they are; both ways refuse arrays there"
APART = {("lora", form): METHODS for form in ("masked array", "masked array with a mask", "np matrix")}
APART["lora", "array with negative strides"] = METHODS

# What passes the shown cases and not the hidden ones, by exercise, or by chapter and form: the text that asks for it

GRADIENT = "Where PyTorch trains through them, do not use `.detach()`"
LATE: dict = {
    "adamw": "weight and grad have the same shape and dtype, and so has the returned weight",
    "attention": "the dtype is kept, gradients flow",
    "bits": "(out, in) int8",
    "bottleneck": "Gradients flow to all five",
    "cbow": "it is differentiated",
    "contrastive": "alpha: float) -> Tensor:",
    "decoder": "gradients flow through all of it",
    "decoding": "same dtype",
    ("positions", "np.float16"): "order: torch.Tensor) -> float:",
    "distil": "The gradient flows to the student's logits",
    "dpo": "The gradient flows to chosen and rejected",
    "exploding": "Each keeps its dtype",
    "gates": GRADIENT,
    "glove": "a scalar tensor, differentiable",
    "grammar": "Return a mask (V,), booleans",
    "groups": "scales (out, in / size) float32",
    "grpo": "The gradient flows to logps",
    "heads": "the dtype is kept, gradients flow",
    "linear": "the dtype is kept, gradients flow",
    "image-text": "Gradients flow to images and to the vectors that stay",
    "int8": "int8 from -127 to 127, and one float32 scale a row, (out,)",
    "lines": "it is differentiated",
    "masks": "(T, T) bool, True where token i may see token j",
    "masking": "both new tensors (B, T) int64",
    "mirostat": "-> tuple[int, float]:",
    "prune": "booleans: False for the `share`",
    "reward": "The gradient flows",
    "rnn": GRADIENT,
    "self-attention": "In all three the dtype is kept and gradients flow",
    "sharing": "the dtype is kept, gradients flow",
    "shift": "in the same dtype",
    "softmax": "a scalar tensor that can be differentiated",
    "speculative": "draft: Tensor) -> Tensor:",
    "stacked": GRADIENT,
    "tagging": GRADIENT,
    "template": "The gradient flows",
    "tiles": "no leading axes; the dtype is kept",
    "vectors": "uint8: a bit is 1 where",
    "windows": "gives shape (0, 2 * reach)",
}
FLOAT64 = {
    "02_word_vectors": "keep float64",
    "03_rnns": "must keep float64",
    "04_attention": "the dtype is kept",
    "05_transformers": "keep float64",
    "07_contrastive": "float64 stays float64",
    "08_rag": "keep float64",
    "09_lora": "float64 for float64",
    "10_squeeze": "float64 for float64",
    "11_beyond": "float64 for float64",
}
NARROW = [f"{kind} of float{bits}" for kind in ("array", "tensor") for bits in (16, 32)]
NARROW += ["tensor of bfloat16", "tensor of complex64", "tensor, a conjugate"]
NARROW += ["np.float32", "np.complex64", "0-dim tensor", "0-dim tensor with gradient", "0-dim parameter"]
LATE |= {(chapter, name): words for chapter, words in FLOAT64.items() for name in NARROW}
THROUGH = {
    "04_attention": "the dtype is kept, gradients flow",
    "05_transformers": "let gradients through",
    "07_contrastive": "Finite gradients flow back to both inputs of a loss",
    "11_beyond": "let gradients flow",
}
CUT = [f"{kind} of {dtype}" for kind in ("array", "tensor") for dtype in ("float64", "longdouble", "complex")]
CUT += [name for name in FORMS if name.startswith(("array in", "array with", "list of", "nested", "np.", "0-dim"))]
CUT += [
    "array of arrays",
    "array read only",
    "array big endian",
    "array broadcast",
    "array of an own class",
    "float of an own class",
]
CUT += [name for name in FORMS if name.startswith(("tensor", "parameter", "buffer", "inference", "Python"))]
LATE |= {(chapter, name): words for chapter, words in THROUGH.items() for name in CUT}


def reason(table: dict, chapter: str, exercise: str, name: str) -> str | None:
    """Return why a form differs in this exercise, or why all do, or why this form does in the whole chapter."""
    return table.get((exercise, name)) or table.get(exercise) or table.get((chapter, name))


# How an answer's functions get a form


def formed(value, make: Callable, deep: int = 0):
    """Return a value in a form, or what is in it; NO where there is nothing that the form fits."""
    found = make(value)
    if found is not NO or deep == DEEPEST:
        return found
    if type(value) is dict:
        inner = {key: formed(v, make, deep + 1) for key, v in value.items()}
        fits = any(v is not NO for v in inner.values())
        return {key: value[key] if v is NO else v for key, v in inner.items()} if fits else NO
    if type(value) in (list, tuple):
        parts = [formed(v, make, deep + 1) for v in value]
        fits = any(v is not NO for v in parts)
        return type(value)(old if v is NO else v for old, v in zip(value, parts, strict=True)) if fits else NO
    return NO


class Forms:
    """The functions of an answer, whose values come in a form: those that the check calls, not those within them."""

    def __init__(self):
        self.deep = self.times = 0
        self.make: Callable = FORMS["as it is"]

    def put(self, names: dict, functions: dict[str, object], name: str) -> None:
        """Put functions (and classes, whose methods it is) into a notebook's names, with one form."""
        self.make, self.times = FORMS[name], 0
        for own, original in functions.items():
            names[own] = self.wrapped(original) if not isinstance(original, type) else self.patched(original)

    def wrapped(self, function: Callable) -> Callable:
        @wraps(function)
        def formed_function(*args, **kwargs):
            self.deep += 1
            try:
                value = function(*args, **kwargs)
            finally:
                self.deep -= 1
            found = NO if self.deep else formed(value, self.make)
            self.times += found is not NO
            return value if found is NO else found

        formed_function.has_form = True
        return formed_function

    def patched(self, cls: type) -> type:
        methods = [(name, member) for name, member in vars(cls).items() if isinstance(member, types.FunctionType)]
        for name, method in methods:
            if not (name.startswith("_") or hasattr(method, "has_form")):
                setattr(cls, name, self.wrapped(method))
        return cls


forms = Forms()
