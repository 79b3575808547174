"""Which way a call goes: helpers.course.ways_of_calls."""

import codecs

import numpy as np
import pytest
import torch

from helpers.chapters.lora.sections import sections
from helpers.checks.ways import not_taken
from helpers.course import ways_of_calls as ways


def test_operations_are_named_with_their_dtypes():
    done = ways.operations(lambda x: x.to(torch.bfloat16).float(), torch.ones(3))
    assert [operation.dtype for operation in done] == ["bfloat16", "float32"]
    done = ways.operations(lambda x: torch.fft.irfft(torch.fft.rfft(x)), torch.ones(4))
    assert [operation.name for operation in done] == ["fft_rfft", "fft_irfft"]


def test_views_make_no_numbers():
    x = torch.ones(4, 3)
    assert ways.numbers_made(lambda x: x.T.unsqueeze(0).expand(5, 3, 4), x) == 0
    assert ways.numbers_made(lambda x: x @ x.T, x) == 16
    assert ways.numbers_made(lambda x: torch.cat([x, x]), x) == 24


PRODUCTS = {
    "@": lambda a, b: a @ b.T,
    "np.dot": lambda a, b: np.dot(a, b.T),
    "dot": lambda a, b: a.dot(b.T),
    "einsum": lambda a, b: np.einsum("ij,kj->ik", a, b),
    "inner": lambda a, b: np.inner(a, b),
    "of parts": lambda a, b: np.concatenate([a[:2], a[2:]]) @ b.T,
    "out": lambda a, b: np.matmul(a, b.T, out=np.empty((4, 5))),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_seen(name):
    assert ways.largest_product(PRODUCTS[name], np.ones((4, 3)), np.ones((5, 3))) == 20


SORTS = {
    "np.argsort": lambda a: np.argsort(-a),
    "argsort": lambda a: (-a).argsort(),
    "np.sort": np.sort,
    "sort": lambda a: a.copy().sort(),
    "lexsort": lambda a: np.lexsort((np.arange(7), -a)),
    "of some": lambda a: a[np.flatnonzero(a > 2)].argsort(),
    "sorted": lambda a: sorted(range(len(a)), key=lambda i: -a[i]),
    "a list": lambda a: list(a).sort(),
    "of a plain array": lambda a: np.argsort(-np.asarray(a)),
    "torch": lambda a: torch.sort(torch.as_tensor(a), descending=True),
}


@pytest.mark.parametrize("name", SORTS)
def test_sorts_are_seen(name):
    assert ways.longest_sort(SORTS[name], np.arange(7.0)) == (4 if name == "of some" else 7)


def test_other_ways_are_not_seen():
    assert ways.longest_sort(lambda a: np.argpartition(a, 2), np.arange(7.0)) == 0
    assert ways.largest_product(lambda a: torch.from_numpy(np.asarray(a)).sum(), np.ones(3)) == 0


TABLES = {
    "of plain arrays": lambda a, b: np.asarray(a) @ np.asarray(b).T,
    "by broadcasting": lambda a, b: (a[:, None] * b).sum(-1),
    "torch": lambda a, b: torch.as_tensor(a) @ torch.as_tensor(b).T,
    "lists": lambda a, b: [[float(x @ y) for y in b] for x in a],
    "in pieces": lambda a, b: [(a @ b[i : i + 20].T).max() for i in range(0, 600, 20)],
}


@pytest.mark.parametrize("name", TABLES)
def test_what_is_there_at_one_time_is_seen(name):
    most = ways.most_numbers(TABLES[name], np.ones((30, 2)), np.ones((600, 2)))
    assert (most < 6000) == (name == "in pieces")


def test_exponentials_are_seen():
    assert ways.largest_exponential(lambda x: torch.exp(x[:3]) + x.softmax(0)[:3], torch.ones(7)) == 7
    assert ways.largest_exponential(lambda x: x[:2].exp().sum(), torch.ones(7)) == 2
    assert ways.largest_exponential(torch.sum, torch.ones(7)) == 0


def total(x):
    return (x * x).sum()


def switched_on(x):
    with torch.inference_mode(False), torch.enable_grad():
        x = x.clone().requires_grad_()
        total(x).backward()
    return x.grad


@pytest.mark.parametrize("gradient", [torch.func.grad(total), torch.func.jacfwd(total), switched_on])
def test_autograd_is_off_whoever_asks_for_it(gradient):
    with pytest.raises(RuntimeError, match="autograd is off"):
        ways.without_autograd(gradient, torch.ones(3))


@pytest.mark.parametrize("gradient", [lambda x: 2 * x, torch.vmap(lambda x: 2 * x), torch.no_grad()(lambda x: 2 * x)])
def test_gradients_by_formulas_need_no_autograd(gradient):
    assert ways.without_autograd(gradient, torch.ones(3)).tolist() == [2, 2, 2]


def test_lines_of_the_notebook_are_counted():
    notebook = {"__name__": "__main__"}
    exec("def rounds(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total", notebook)
    assert ways.lines_run(notebook["rounds"], 10) == 1 + 11 + 10 + 1
    assert ways.lines_run(by_hand, "a b") == 0


def by_str(text):
    return text.encode()


def by_codecs(text):
    return codecs.encode(text, "utf-8")


def by_hand(text):
    return bytes(ord(letter) for letter in text)


@pytest.mark.parametrize(
    ("answer", "forbidden", "seen"),
    [
        (by_str, ["str.encode"], ["str.encode"]),
        (by_codecs, ["str.encode", "_codecs.encode"], ["_codecs.encode"]),
        (by_hand, ["str.encode", "_codecs.encode"], []),
        (lambda text: sections(text, 2), ["helpers.chapters.lora.sections"], ["helpers.chapters.lora.sections"]),
    ],
)
def test_a_way_that_is_ruled_out_is_seen_by_its_full_name(answer, forbidden, seen):
    value, taken = ways.taken(forbidden, answer, "ab")
    assert value == answer("ab")
    assert taken == seen


def test_a_name_in_the_notebooks_code_counts_where_no_call_can_be_seen():
    names = {"__name__": "__main__"}
    exec("def f(texts):\n    return list(map(str.encode, texts))", names)
    assert ways.taken(["encode"], names["f"], ["ab"]) == ([b"ab"], ["encode"])


def test_a_case_asks_for_the_value_and_for_another_way():
    case = not_taken("the bytes, by the table", "Python's own encode did it", want=b"ab")
    assert case["test"]((b"ab", [])) and not case["test"]((b"ab", ["encode"])) and not case["test"]((b"a", []))
    (named,) = case["near"].values()
    assert named((b"ab", ["encode"])) and not named((b"a", ["encode"])) and not named((b"ab", []))
