"""One form of each kind on a few checks: what a notebook says of a value, grading says, too (all: `make world`)."""

import os
from collections import Counter, OrderedDict, UserDict, defaultdict, namedtuple

import numpy as np
import pytest
import torch
from scipy import sparse
from world import both_ways, values

from autograder import paths
from autograder.ipc.codec import decode
from autograder.ipc.errors import CodecError
from autograder.judge.conversation import Conversation
from helpers.checks.compare import difference
from helpers.checks.diagnose import diagnose
from helpers.checks.forms import MAX_DEPTH, canonical, crossed

Pair = namedtuple("Pair", "left right")

RIGHT = {
    ("01_spam", "bag"): "lil_matrix|lil_array|dok_matrix|dok_array|csc_array|coo_array|sparse big endian",
    ("01_spam", "ngrams"): "array of words|array of words as objects|list of an own class|np.str_|str of an own class",
    ("06_tokenizers", "utf8"): "np.int64|IntEnum|0-dim tensor|array big endian|tensor of int32|tensor of an own class",
    ("06_tokenizers", "pairs"): "Counter|defaultdict|OrderedDict|dict of an own class|named tuple|np.float64",
}
WRONG = {
    ("01_spam", "bag"): "coo_matrix|bsr_array|dia_matrix|sparse made dense|sparse made np matrix|sparse made a tensor",
    ("01_spam", "ngrams"): "generator|deque|set|structured array|list that holds itself|text as bytes",
    ("06_tokenizers", "utf8"): "array of objects|Decimal|generator|tensor without numbers|nested tensor|None",
    ("06_tokenizers", "pairs"): "UserDict|MappingProxyType|items of a dict|np.timedelta64|data class|Fraction",
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the forms are tried in forks of this process")
@pytest.mark.parametrize("chapter", ["01_spam", "06_tokenizers"])
def test_notebook_and_grading_say_the_same_of_a_value(chapter):
    wanted = [exercise for name, exercise in RIGHT if name == chapter]
    for check, shell in both_ways.exercises(chapter, wanted):
        right = RIGHT[chapter, check.name].split("|")
        found = both_ways.compared(shell, check, [*right, *WRONG[chapter, check.name].split("|")])
        assert (check.name, found["right"], found["apart"], found["late"]) == (check.name, right, [], [])


def test_what_hidden_cases_alone_ask_for_stands_in_the_text():
    chapters = {folder.name: plain_text(folder.name) for folder in paths.SOLUTIONS.glob("[0-9]*")}
    for key, words in values.LATE.items():
        name = key[0] if type(key) is tuple else key
        mark = "" if name in chapters else f'exercise="{name}"'
        texts = [chapters[name]] if name in chapters else chapters.values()
        assert any(mark in text and words in text for text in texts), (name, words)


def plain_text(chapter: str) -> str:
    """Return a chapter's text in one line, without the marks of comments."""
    return " ".join(paths.source_text(chapter).read_text(encoding="utf-8").replace("\n#", "\n").split())


class Own(list):
    pass


def test_a_subclass_is_what_it_is_made_from_and_plain_data_stays_itself():
    plain = [1, "a", (2.0, None), {"b": [np.zeros(2)]}, {3}]
    assert canonical(plain) is plain
    made = [Counter("aab"), defaultdict(int, a=1), OrderedDict(a=Own([1])), Pair(1, Own()), torch.Size([2])]
    want = [{"a": 2, "b": 1}, {"a": 1}, {"a": [1]}, (1, []), (2,)]
    assert canonical(made) == want
    assert [type(value) for value in canonical(made)] == [dict, dict, dict, tuple, tuple]
    assert type(canonical({"a": Own([Own()])})["a"][0]) is list


def test_what_is_read_of_a_subclass_is_what_it_holds():
    class Liar(dict):
        def items(self):
            return [("a", 2)]

        def __iter__(self):
            return iter("b")

        keys = values = items

    assert canonical(Liar(a=1)) == {"a": 1}


def test_tensors_of_an_own_class_keep_their_gradient_and_views_their_numbers():
    class Tensor(torch.Tensor):
        pass

    leaf = torch.ones(2, requires_grad=True)
    plain = canonical([(leaf * 3).as_subclass(Tensor)])[0]
    assert type(plain) is torch.Tensor
    plain.sum().backward()
    assert leaf.grad.tolist() == [3.0, 3.0]
    assert canonical(torch.tensor([1 + 2j]).conj()).numpy().tolist() == [1 - 2j]
    weight = torch.nn.Parameter(torch.ones(1))
    assert canonical(weight) is weight


def test_a_list_that_holds_itself_or_goes_on_without_end_is_no_data():
    endless, deep, wide = [], [], [1, "a"]
    endless += [endless, endless]
    for _ in range(MAX_DEPTH + 2):
        deep, wide = [deep], [wide, wide]
    for value in (endless, deep, wide):
        assert type(canonical(value)).__name__ == "list too deep or too large to be read"
    shared = [np.ones(1)] * 2
    assert canonical([shared, shared])[0] is shared


def test_what_is_no_data_is_refused_with_its_name_and_what_to_do():
    row = sparse.csr_matrix([[1.0]])
    told = {
        "convert it with .tocsr()": diagnose(sparse.dia_matrix(row), row),
        ".toarray() makes one": diagnose(sparse.bsr_array(row), np.ones((1, 1))),
        ".to_dense()": diagnose(torch.eye(2).to_sparse(), np.eye(2)),
        "dict(...)": diagnose(UserDict(a=1), {"a": 1}),
        "list(...)": diagnose(iter([1]), [1]),
        ".filled(...)": diagnose(canonical(np.ma.ones(2)), np.ones(2)),
    }
    assert [words for words, sentence in told.items() if words not in sentence] == []


def test_a_whole_number_of_any_size_is_a_number():
    assert difference(10**40, 1e40) is None
    assert difference(2 * 10**40, 1e40) is not None
    assert difference(10**400, 1e300) is not None


def test_an_object_with_names_of_its_own_keeps_them_until_it_is_judged():
    class Texts(list):
        first = "a"

    texts = Texts(["a"])
    assert crossed(texts) is texts
    assert type(canonical(texts)) is list
    assert type(crossed(Counter())) is dict


def test_data_that_come_with_an_object_are_held_to_what_all_data_are():
    conversation, node = Conversation(None, 1.0), {"is": "handle", "id": 5, "kind": "object", "type": "Own"}
    plain = decode(node | {"data": {"is": "list", "items": [1]}}, [], conversation)
    assert (type(plain).__name__, canonical([plain])) == ("Own", [[1]])
    endless = decode(node | {"data": {"is": "list", "items": [node, node]}}, [], conversation)
    assert type(canonical(endless)).__name__ == "list too deep or too large to be read"
    itself = decode(node | {"id": 6, "data": node | {"id": 6}}, [], conversation)
    assert canonical(itself) is itself
    for data in ({"is": "array", "dtype": "|O", "shape": [1], "at": 0}, {"is": "pickle"}, [1]):
        with pytest.raises(CodecError):
            decode(node | {"id": 7, "data": data}, [bytearray(8)], conversation)
