"""NumPy arrays and scalars, torch tensors, SciPy's sparse matrices, dtypes and generators as plain data.

The codec's tables take these writers and readers in. Data is what has numbers or fixed-width text in it, and an array
of objects, each of which is a value of its own. A meta tensor, a masked array, a matrix in LIL form is given to
`objects` like everything else that is not data.
"""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from scipy import sparse

from autograder.ipc.errors import CodecError
from helpers.checks.values import has_numbers

MAX_DIMENSIONS = 16
MAX_DENSE = 128 << 20  # bytes that a sparse matrix would take when it is made dense

NUMPY = re.compile(r"[<>|][biufc]\d{1,2}|[<>]U[1-9]\d{0,6}")
TORCH_TYPES = "bool uint8 int8 int16 int32 int64 uint16 uint32 uint64"
TORCH_TYPES += " bfloat16 float16 float32 float64 complex64 complex128"
TORCH_TYPES += " float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz"
TORCH = {name: getattr(torch, name) for name in TORCH_TYPES.split()}
TORCH_NAMES = {dtype: name for name, dtype in TORCH.items()}
SCALARS = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
SCALARS += [np.float16, np.float32, np.float64, np.longdouble, np.longlong, np.ulonglong]
SCALARS += [np.complex64, np.complex128, np.clongdouble]
FORMATS = ("csr", "csc", "coo")
SPARSE = {getattr(sparse, f"{form}_{kind}"): (form, kind) for form in FORMATS for kind in ("matrix", "array")}
SPARSE_CLASSES = {names: cls for cls, names in SPARSE.items()}


def _wrong(what: str) -> CodecError:
    return CodecError(f"a malformed value came ({what})")


# NumPy


def _write_array(encoder, value: np.ndarray):
    if value.dtype.kind == "O" and value.ndim <= MAX_DIMENSIONS:
        return {"is": "objects", "shape": list(value.shape), "items": [encoder.node(item) for item in value.flat]}
    if not NUMPY.fullmatch(value.dtype.str) or value.ndim > MAX_DIMENSIONS:
        return encoder.objects.outgoing(value, encoder)
    encoder.hold(value.nbytes)  # before it is made: a broadcast array is larger than its memory
    encoder.bytes -= value.nbytes
    return {
        "is": "array",
        "dtype": value.dtype.str,
        "shape": list(value.shape),
        "at": encoder.buffer(value.tobytes()),
    }


def _read_array(decoder, node: dict) -> np.ndarray:
    dtype, shape, data = _numpy_dtype(node["dtype"]), _shape(node["shape"]), decoder.buffer(node["at"])
    _hold(shape, dtype.itemsize, len(data))
    if dtype.kind == "b":
        return (np.frombuffer(data, dtype=np.uint8) != 0).reshape(shape)  # any other byte is neither True nor False
    if dtype.kind == "U":
        _characters(np.frombuffer(data, dtype=dtype.byteorder.replace("=", "<") + "u4"))
    return np.frombuffer(data, dtype=dtype).reshape(shape)


def _read_objects(decoder, node: dict) -> np.ndarray:
    shape, items = _shape(node["shape"]), node["items"]
    if type(items) is not list:
        raise _wrong("no list")
    _hold(shape, 1, len(items))
    array = np.empty(len(items), dtype=object)
    for place, item in enumerate(items):
        array[place] = decoder.read(item)
    return array.reshape(shape)


def _numpy_dtype(text) -> np.dtype:
    if type(text) is not str or not NUMPY.fullmatch(text) or np.dtype(text).str != text:
        raise _wrong("no such dtype")
    return np.dtype(text)


def _shape(shape) -> tuple[int, ...]:
    if type(shape) is not list or len(shape) > MAX_DIMENSIONS or any(type(n) is not int or n < 0 for n in shape):
        raise _wrong("no such shape")
    return tuple(shape)


def _hold(shape: tuple[int, ...], itemsize: int, size: int) -> None:
    for n in shape:
        itemsize *= n
    if itemsize != size:
        raise _wrong("the shape does not fit the data")


def _characters(codes: np.ndarray) -> None:
    if codes.size and codes.max() > 0x10FFFF:
        raise _wrong("no such character")


def _write_scalar(_encoder, value: np.generic):
    return {"is": "scalar", "dtype": value.dtype.str, "hex": value.tobytes().hex()}


def _read_scalar(_decoder, node: dict) -> np.generic:
    dtype = _numpy_dtype(node["dtype"])
    data = bytes.fromhex(node["hex"])
    if dtype.kind == "U" or len(data) != dtype.itemsize:
        raise _wrong("no such number")
    return np.frombuffer(data, dtype=dtype)[0] if dtype.kind != "b" else np.bool_(data != b"\0")


def _write_text(encoder, value: np.str_):
    return {"is": "np.str", "text": encoder.node(str(value))}


def _read_text(decoder, node: dict) -> np.str_:
    text = decoder.read(node["text"])
    if type(text) is not str:
        raise _wrong("no text")
    return np.str_(text)


def _write_generator(encoder, value: np.random.Generator):
    if type(value.bit_generator) is not np.random.PCG64:  # the others do not check the state that they are given
        return encoder.objects.outgoing(value, encoder)
    state = value.bit_generator.state
    numbers = [state["state"]["state"], state["state"]["inc"], state["has_uint32"], state["uinteger"]]
    return {"is": "np.Generator", "state": [encoder.node(n) for n in numbers]}


def _read_generator(decoder, node: dict) -> np.random.Generator:
    numbers = [decoder.read(n) for n in node["state"]]
    if any(type(n) is not int for n in numbers):
        raise _wrong("no such state")
    state, inc, has_uint32, uinteger = numbers
    new = np.random.PCG64(0)
    inner: Any = {"state": state % 2**128, "inc": inc % 2**128}
    new.state = {"bit_generator": "PCG64", "state": inner, "has_uint32": has_uint32 % 2, "uinteger": uinteger % 2**32}
    return np.random.Generator(new)


# torch


def _write_tensor(encoder, value: torch.Tensor):
    if not has_numbers(value) or value.dtype not in TORCH_NAMES:
        return encoder.objects.outgoing(value, encoder)
    size = value.numel() * value.itemsize
    encoder.hold(size)  # before it is made: an expanded tensor is larger than its memory
    encoder.bytes -= size
    flat = value.detach().cpu().resolve_conj().resolve_neg().contiguous()
    flat = flat.as_strided((flat.numel(),), (1,))  # one element may have any stride, which `view` does not take
    node: dict = {"is": "tensor", "dtype": TORCH_NAMES[value.dtype], "shape": list(value.shape)}
    node["at"] = encoder.buffer(flat.view(torch.uint8).numpy().tobytes() if size else b"")
    if value.requires_grad:
        node["requires_grad"] = True
    if type(value) is torch.nn.Parameter:
        node["parameter"] = True
    if value.is_leaf and value.grad is not None:
        node["grad"] = encoder.node(value.grad)
    return node


def _read_tensor(decoder, node: dict) -> torch.Tensor:
    dtype, shape, data = TORCH[node["dtype"]], _shape(node["shape"]), decoder.buffer(node["at"])
    _hold(shape, dtype.itemsize, len(data))
    tensor, wants = _flat(data, dtype).reshape(shape), node.get("requires_grad") is True
    tensor = torch.nn.Parameter(tensor, wants) if node.get("parameter") is True else tensor.requires_grad_(wants)
    if "grad" in node:
        tensor.grad = _gradient(decoder.read(node["grad"]))
    return tensor


def _flat(data: bytearray, dtype: torch.dtype) -> torch.Tensor:
    """Return raw bytes as numbers of this type; of truth values any byte but 0 is True."""
    if not data:
        return torch.empty(0, dtype=dtype)
    raw = torch.from_numpy(np.frombuffer(data, dtype=np.uint8))
    return raw != 0 if dtype == torch.bool else raw.view(dtype)


def _gradient(value) -> torch.Tensor:
    if type(value) is not torch.Tensor or value.grad is not None:
        raise _wrong("no gradient")
    return value


def _write_torch_dtype(_encoder, value: torch.dtype):
    return {"is": "torch.dtype", "name": str(value).removeprefix("torch.")}


def _read_torch_dtype(_decoder, node: dict) -> torch.dtype:
    return TORCH[node["name"]]


# SciPy


def _write_sparse(encoder, value):
    form, kind = SPARSE[type(value)]
    if (value.ndim != 2 and form != "coo") or not value.dtype.isnative:
        return encoder.objects.outgoing(value, encoder)
    parts = (value.data, *value.coords) if form == "coo" else (value.data, value.indices, value.indptr)
    nodes = [encoder.node(part) for part in parts]
    return {"is": "sparse", "format": form, "kind": kind, "shape": list(value.shape), "parts": nodes}


def _read_sparse(decoder, node: dict):
    cls, shape = SPARSE_CLASSES[node["format"], node["kind"]], _shape(node["shape"])
    data, *indices = (decoder.read(part) for part in node["parts"])
    _vectors(data, *indices)
    if math.prod(shape) * max(data.itemsize, 8) > MAX_DENSE or len(data) != len(indices[0]):
        raise _wrong("no such shape")
    if node["format"] == "coo":
        for coordinates, size in zip(indices, shape, strict=True):
            _within(coordinates, size)
        return cls((data, tuple(indices)), shape=shape)
    (first, second), (rows, columns) = indices, shape if node["format"] == "csr" else shape[::-1]
    _within(first, columns)
    _pointers(second, rows, len(data))
    return cls((data, first, second), shape=shape)


def _vectors(data, *indices) -> None:
    arrays = (data, *indices)
    if any(type(a) is not np.ndarray or a.ndim != 1 or not a.dtype.isnative for a in arrays):
        raise _wrong("no such matrix")
    if data.dtype.kind not in "biufc" or any(a.dtype.str not in ("<i4", "<i8") for a in indices):
        raise _wrong("no such matrix")


def _within(indices: np.ndarray, size: int) -> None:
    if indices.size and (indices.min() < 0 or indices.max() >= size):
        raise _wrong("an index out of range")


def _pointers(pointers: np.ndarray, rows: int, count: int) -> None:
    """Hold the row pointers: from 0 to the number of entries, never falling."""
    if len(pointers) != rows + 1 or pointers[0] != 0 or pointers[-1] != count or (np.diff(pointers) < 0).any():
        raise _wrong("row pointers out of range")


WRITERS: dict[type, Callable] = {np.ndarray: _write_array, np.str_: _write_text, np.random.Generator: _write_generator}
WRITERS |= dict.fromkeys(SCALARS, _write_scalar) | dict.fromkeys(SPARSE, _write_sparse)
WRITERS |= {torch.Tensor: _write_tensor, torch.nn.Parameter: _write_tensor, torch.dtype: _write_torch_dtype}

READERS = {"array": _read_array, "scalar": _read_scalar, "np.str": _read_text, "np.Generator": _read_generator}
READERS |= {"objects": _read_objects}
READERS |= {"tensor": _read_tensor, "torch.dtype": _read_torch_dtype, "sparse": _read_sparse}
