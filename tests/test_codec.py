"""Values as plain data: exact round trips, and whatever a hostile node says is a CodecError and costs little."""

import contextlib
import json
import math
import random
import sys
import time
from collections import Counter, OrderedDict

import numpy as np
import pytest
import torch
from scipy import sparse

from autograder.ipc import codec
from autograder.ipc.codec import decode, encode
from autograder.ipc.errors import CodecError


class NoObjects:
    """A side that has nothing but data."""

    def outgoing(self, value, encoder):
        raise CodecError(f"no data: {type(value).__name__}")

    def incoming(self, node, decoder):
        raise CodecError("no data")


def there_and_back(value):
    """Return what comes of a value that is sent, by way of JSON."""
    buffers: list[bytes] = []
    node = json.loads(json.dumps(encode(value, buffers, NoObjects()), allow_nan=False))
    return decode(node, [bytearray(b) for b in buffers], NoObjects())


def same(a, b) -> bool:
    """Whether two values agree in type and content, bit for bit."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    if isinstance(a, np.ndarray) and a.dtype == object:
        return a.shape == b.shape and same(a.ravel().tolist(), b.ravel().tolist())
    if isinstance(a, np.ndarray | np.generic):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, torch.Tensor):
        alike = (a.dtype, a.shape, a.requires_grad) == (b.dtype, b.shape, b.requires_grad) and same(a.grad, b.grad)
        return alike and torch.equal(bytes_of(a), bytes_of(b))
    if sparse.issparse(a):
        return a.format == b.format and a.dtype == b.dtype and same(a.toarray(), b.toarray())
    if isinstance(a, np.random.Generator):
        return a.bit_generator.state == b.bit_generator.state
    return a == b or (a != a and b != b)


def bytes_of(tensor: torch.Tensor) -> torch.Tensor:
    flat = tensor.detach().resolve_conj().resolve_neg().reshape(-1).clone()
    return flat.as_strided(flat.shape, (1,)).view(torch.uint8) if len(flat) else flat


def drawn(rng: random.Random, deep: int = 0):
    """Return a random value of random make."""
    numbers = np.random.default_rng(rng.randrange(10**9))
    shape = tuple(rng.randrange(4) for _ in range(rng.randrange(4)))
    leaves = [
        lambda: rng.choice([None, True, False, 0, -1, 2**63 - 1, -(2**63), 2**63, -(2**64), 10**50]),
        lambda: rng.choice([0.0, -0.0, math.nan, math.inf, -math.inf, 5e-324, rng.random(), 1j, complex(math.nan, 2)]),
        lambda: "".join(rng.choice("aé日\n\0\ud800\udc00😀") for _ in range(rng.randrange(6))),
        lambda: rng.randbytes(rng.randrange(6)),
        lambda: numbers.normal(size=shape).astype(rng.choice("?bBhHiIlLfdgFDG")),
        lambda: numbers.normal(size=shape).astype(rng.choice([">f8", "<f2", ">i4", ">c16"])),
        lambda: numbers.normal(size=(3, 4)).T[::2],
        lambda: np.array([rng.choice(["", "é", "word\0s"]) for _ in range(3)]).astype(rng.choice(["<U7", ">U7"])),
        lambda: np.dtype(rng.choice("?bBhHiIlLefdgFDG")).type(rng.randrange(2)),
        lambda: np.str_("é"),
        lambda: torch.tensor(numbers.normal(size=shape)).to(rng.choice(list(codec.arrays.TORCH.values()))),
        lambda: torch.tensor(numbers.normal(size=shape), requires_grad=True),
        lambda: torch.nn.Parameter(torch.ones(2, 2).t(), requires_grad=rng.random() < 0.5),
        lambda: sparse.random(3, 4, 0.5, rng=numbers, format=rng.choice(["csr", "csc", "coo"])),
        lambda: sparse.csr_array(numbers.integers(2, size=(2, 3))),
        lambda: sparse.coo_array(numbers.integers(2, size=(2, 3, 2)[: rng.randrange(1, 4)])),
        lambda: np.array([None, "é", 2, 0.5], dtype=object).reshape(rng.choice([(4,), (2, 2), (4, 1, 1)])),
        lambda: rng.choice([slice(1, None, 2), range(3, 9, 2), torch.float16, numbers, [1.5] * 20, (7,) * 20]),
    ]
    if deep > 3 or rng.random() < 0.5:
        return rng.choice(leaves)()
    items = [drawn(rng, deep + 1) for _ in range(rng.randrange(5))]
    keys = rng.sample(["a", 1, 2.5, None, (1, ("é",)), b"x", frozenset({1})], len(items))
    pairs = zip(keys, items, strict=True)
    return rng.choice([items, tuple(items), dict(pairs), OrderedDict(pairs), set(keys), frozenset(keys)])


@pytest.mark.parametrize("seed", range(20))
def test_every_value_comes_back_as_it_was(seed):
    rng = random.Random(seed)
    for _ in range(40):
        value = drawn(rng)
        assert same(there_and_back(value), value), value


def test_gradients_travel_with_their_leaves():
    weight = torch.nn.Parameter(torch.ones(2))
    (weight * 3).sum().backward()
    back = there_and_back({"w": weight})["w"]
    assert type(back) is torch.nn.Parameter
    assert back.grad.tolist() == [3.0, 3.0]


@pytest.mark.parametrize(
    "tensor", [torch.ones(()).expand(1), torch.ones(()).expand(1, 1), torch.arange(8.0)[3::6], torch.ones(1, 4)[:, 1]]
)
def test_one_element_may_have_any_stride(tensor):
    assert torch.equal(there_and_back(tensor), tensor)


def test_views_and_broadcasts_come_whole():
    assert there_and_back(np.broadcast_to(np.arange(3), (2, 3))).tolist() == [[0, 1, 2]] * 2
    assert there_and_back(torch.ones(1).expand(4)).tolist() == [1.0] * 4
    assert there_and_back(torch.tensor([1j]).conj()).tolist() == [-1j]


def test_arrays_that_came_may_be_written():
    array, tensor = there_and_back([np.zeros(3), torch.zeros(3)])
    array += 1
    tensor += 1
    assert array.sum() == tensor.sum() == 3


class Liar(list):
    pass


class LyingArray(np.ndarray):
    pass


@pytest.mark.parametrize(
    "value",
    [
        object(),
        len,
        int,
        Liar([1]),
        Counter("a"),
        np.zeros(2).view(LyingArray),
        np.ma.masked_array([1.0], mask=[True]),
        np.matrix([[1]]),
        np.array("2026-01-01", dtype="M8[D]"),
        np.timedelta64(3, "s"),
        np.zeros(2, dtype=[("a", "f8")]),
        torch.empty(3, device="meta"),
        torch.eye(2).to_sparse(),
        torch.nn.Linear(1, 1),
        torch.Generator(),
        np.random.Generator(np.random.MT19937(1)),
        np.random.RandomState(1),
        sparse.lil_matrix((2, 2)),
        sparse.csr_array(np.ones(3)),
    ],
    ids=lambda v: type(v).__name__,
)
def test_what_is_not_data_is_left_to_the_objects(value):
    buffers: list[bytes] = [b"before"]
    with pytest.raises(CodecError, match="no data"):
        encode([1, b"x", value], buffers, NoObjects())
    assert buffers == [b"before"]


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def circle():
    value = []
    value.append(value)
    return value


TOO_MUCH = {
    "deep": lambda: nested(5000),
    "round": circle,
    "long": lambda: ["word"] * (codec.MAX_NODES + 1),
    "broadcast": lambda: np.broadcast_to(np.zeros(1), (10**6, 10**6)),
    "expanded": lambda: torch.zeros(1).expand(10**6, 10**6),
    "a huge number": lambda: 1 << 10**7,
    "many bytes": lambda: [bytes(1 << 24)] * 9,
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_is_too_much_is_refused_before_it_is_made(name):
    started = time.process_time()
    with pytest.raises(CodecError):
        encode(TOO_MUCH[name](), [], NoObjects())
    assert time.process_time() - started < 3


def array(dtype="<f8", shape=(2,), at=0):
    return {"is": "array", "dtype": dtype, "shape": list(shape), "at": at}


def csr(shape, indices, pointers, kind="csr"):
    """Return node and buffers of a sparse matrix of ones."""
    data, first, second = np.ones(len(indices)), np.array(indices, dtype="<i4"), np.array(pointers, dtype="<i4")
    parts = [array(shape=[len(data)]), array("<i4", [len(first)], 1), array("<i4", [len(second)], 2)]
    node = {"is": "sparse", "format": kind, "kind": "matrix", "shape": shape, "parts": parts}
    return node, [p.tobytes() for p in (data, first, second)]


EIGHT, SIXTEEN = [bytes(8)], [bytes(16)]
HOSTILE = {
    "a node of no kind": ({}, []),
    "a kind that is a list": ({"is": ["list"]}, []),
    "a kind nobody knows": ({"is": "pickle", "at": 0}, EIGHT),
    "a handle never exported": ({"is": "handle", "id": 7}, []),
    "a list itself": ([1, 2], []),
    "a float beyond floats": (json.loads("1e999"), []),
    "no items": ({"is": "list"}, []),
    "items that are a number": ({"is": "list", "items": 3}, []),
    "items that are text": ({"is": "list", "items": "abc"}, []),
    "a deep nest": (json.loads('{"is":"list","items":[' * 60 + "1" + "]}" * 60), []),
    "a dict with a list as key": ({"is": "dict", "items": [[{"is": "list", "items": []}, 1]]}, []),
    "a dict with a key twice": ({"is": "dict", "items": [["a", 1], ["a", 2]]}, []),
    "a dict of triples": ({"is": "dict", "items": [["a", 1, 2]]}, []),
    "a dict with 1 and True": ({"is": "dict", "items": [[1, 1], [True, 2]]}, []),
    "a set of lists": ({"is": "set", "items": [{"is": "list", "items": []}]}, []),
    "a set with a member twice": ({"is": "set", "items": ["a", "a"]}, []),
    "a number in words": ({"is": "int", "hex": "seven"}, []),
    "a number too long": ({"is": "int", "hex": "f" * 1_000_000}, []),
    "a float of no name": ({"is": "float", "as": "huge"}, []),
    "a complex of text": ({"is": "complex", "parts": ["1", "2"]}, []),
    "text that is no text": ({"is": "str", "at": 0}, [b"\xff\xfe"]),
    "many deep nests": (
        {"is": "list", "items": [json.loads('{"is":"list","items":[' * 45 + "1" + "]}" * 45)] * 2000},
        [],
    ),
    "a number of more than 64 bits as it is": (2**63, []),
    "a range too long": ({"is": "range", "parts": [0, 10**12, 1]}, []),
    "a range of floats": ({"is": "range", "parts": [0.5, 2, 1]}, []),
    "packed text": ({"is": "list", "packed": "<U1", "at": 0}, EIGHT),
    "packed, half a number": ({"is": "list", "packed": "<f8", "at": 0}, [bytes(7)]),
    "a packed set": ({"is": "set", "packed": "<i8", "at": 0}, EIGHT),
    "packed without end": ({"is": "list", "packed": "<i8", "at": 0}, [bytes(8 * codec.MAX_PACKED + 8)]),
    "a lying shape": (array(shape=[3]), SIXTEEN),
    "a shape below zero": (array(shape=[-2]), SIXTEEN),
    "two negatives": (array(shape=[-1, -2]), SIXTEEN),
    "a shape of floats": (array(shape=[2.0]), SIXTEEN),
    "a shape of truth": (array(shape=[True, 2]), SIXTEEN),
    "a shape beyond numbers": (array(shape=[0, 10**30]), [b""]),
    "a shape of a hundred": (array(shape=[1] * 99 + [2]), SIXTEEN),
    "objects": (array("|O"), SIXTEEN),
    "objects without items": ({"is": "objects", "shape": [0]}, []),
    "fewer objects than the shape says": ({"is": "objects", "shape": [3], "items": [1, 2]}, []),
    "more objects than the shape says": ({"is": "objects", "shape": [], "items": [1, 2]}, []),
    "objects beyond numbers": ({"is": "objects", "shape": [0, 10**30], "items": []}, []),
    "objects that are text": ({"is": "objects", "shape": [2], "items": "ab"}, []),
    "an object twice from one buffer": ({"is": "objects", "shape": [2], "items": [array(), array()]}, SIXTEEN),
    "records": (array("|V8"), SIXTEEN),
    "a dtype in words": (array("float64"), SIXTEEN),
    "a dtype with code": (array("f8,f8"), SIXTEEN),
    "a dtype of no size": (array("<f3", shape=[1]), [bytes(3)]),
    "text of no width": (array("<U0", shape=[10**9]), [b""]),
    "no character": (array("<U1", shape=[1]), [b"\xff\xff\xff\x7f"]),
    "a buffer that is not there": (array(at=3), SIXTEEN),
    "a buffer before the first": (array(at=-1), SIXTEEN),
    "a buffer's place in words": (array(at="0"), SIXTEEN),
    "a buffer used twice": ({"is": "list", "items": [array(), array()]}, SIXTEEN),
    "a scalar too wide": ({"is": "scalar", "dtype": "<f8", "hex": "00" * 9}, []),
    "a scalar of text": ({"is": "scalar", "dtype": "<U1", "hex": "61000000"}, []),
    "a tensor of no dtype": ({"is": "tensor", "dtype": "qint8", "shape": [8], "at": 0}, EIGHT),
    "a lying tensor": ({"is": "tensor", "dtype": "float32", "shape": [3], "at": 0}, EIGHT),
    "whole numbers with gradient": (
        {"is": "tensor", "dtype": "int64", "shape": [1], "at": 0, "requires_grad": True},
        EIGHT,
    ),
    "a gradient of text": ({"is": "tensor", "dtype": "float64", "shape": [1], "at": 0, "grad": "up"}, EIGHT),
    "a dtype of torch's that is code": ({"is": "torch.dtype", "name": "load"}, []),
    "a generator in words": ({"is": "np.Generator", "state": ["a", 1, 0, 0]}, []),
    "an index out of range": csr([2, 2], [0, 5], [0, 1, 2]),
    "an index below zero": csr([2, 2], [0, -1], [0, 1, 2]),
    "pointers that fall": csr([2, 2], [0, 1], [0, 5, 2]),
    "pointers beyond the end": csr([2, 2], [0, 1], [0, 1, 9]),
    "pointers below zero": csr([2, 2], [0, 1], [-5, 1, 2]),
    "too few pointers": csr([3, 2], [0, 1], [0, 2]),
    "too many rows": csr([10**9, 10**9], [0], [0, 1], "coo"),
    "coordinates out of range": csr([2, 2], [0, 7], [0, 1], "coo"),
    "a matrix of no rows and less": csr([-1, 2], [], [0]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_node_is_one_error(name):
    node, buffers = HOSTILE[name]
    started = time.process_time()
    with pytest.raises(CodecError):
        decode(node, [bytearray(b) for b in buffers], NoObjects())
    assert time.process_time() - started < 2


def test_random_changes_to_nodes_never_raise_anything_else():
    """Take the nodes of good values and change them at random: a value comes, or a CodecError."""
    rng = random.Random(5)
    for _ in range(1500):
        buffers: list[bytes] = []
        text = json.dumps(encode(drawn(rng), buffers, NoObjects()))
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(text) + 1)
            text = text[:place] + rng.choice(['"', "-", "9", "null", "[", "{", ""]) + text[place + 1 :]
        try:
            node = json.loads(text)
        except ValueError:
            continue
        with contextlib.suppress(CodecError):
            decode(node, [bytearray(b) for b in buffers], NoObjects())


def test_booleans_are_true_or_false_whatever_the_bytes():
    flags = decode(array("|b1", [4]), [bytearray(b"\x00\x01\x02\xff")], NoObjects())
    assert (flags == np.array([False, True, True, True])).all()
    node = {"is": "tensor", "dtype": "bool", "shape": [2], "at": 0}
    assert decode(node, [bytearray(b"\x00\x07")], NoObjects()).view(torch.uint8).tolist() == [0, 1]


def test_a_hostile_list_costs_no_more_than_its_bytes():
    node = {"is": "list", "items": [{"is": "list", "items": []}] * 100_000}
    value = decode(node, [], NoObjects())
    assert len(value) == 100_000
    assert sys.getsizeof(value) < 10**6


def test_many_different_values_with_one_hash_are_refused():
    def clash(n):
        return complex(-1000003.0 * n, n)

    assert len({hash(clash(n)) for n in range(2000)}) == 1
    for many in (
        [clash(n) for n in range(2000)],
        {clash(n): n for n in range(2000)},
        [[clash(n)] for n in range(2000)],
    ):
        buffers: list[bytes] = []
        node = encode(many, buffers, NoObjects())
        with pytest.raises(CodecError, match="same hash"):
            decode(node, [bytearray(b) for b in buffers], NoObjects())
    same = [("a", "word")] * 5000 + [(n, str(n)) for n in range(5000)]
    assert decode(encode(same, [], NoObjects()), [], NoObjects()) == same
