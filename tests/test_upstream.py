"""Whose fault it may be: what a check says of earlier exercises that an answer uses."""

from types import SimpleNamespace

import pytest

from helpers.checks import Check, cell
from helpers.checks.course_code import objection
from helpers.course import progress, upstream

CHAPTER = "04_attention"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    monkeypatch.setattr(cell, "chapter", CHAPTER)


def names_after(code: str) -> dict:
    names: dict = {"__name__": "__main__"}
    exec(code, names)
    return names


ANSWER = """
def attention(query, key, value, mask=None):
    def inner():
        return softmax(query @ key.mT)
    return inner() @ value
"""


def passes(exercise: str) -> None:
    with Check(exercise, 1) as check:
        check(lambda: 1).equals(1)
    progress.note_check(CHAPTER, check)


def test_an_unfinished_exercise_that_is_used_is_named(capsys):
    said = upstream.unfinished(CHAPTER, "attention", names_after(ANSWER))
    assert said == ['`attention` uses your `softmax`, and `check("softmax")` has not passed: the fault may lie there.']
    passes("softmax")
    assert upstream.unfinished(CHAPTER, "attention", names_after(ANSWER)) == []


def test_ones_own_functions_and_those_of_libraries_are_nobodys():
    code = "import torch\ndef softmax(x, dim=-1):\n    return torch.softmax(x, dim)\ndef attention(q, k, v): softmax(q)"
    assert upstream.unfinished(CHAPTER, "softmax", names_after(code)) == []
    assert upstream.unfinished("no_chapter", "attention", names_after(ANSWER)) == []
    assert upstream.unfinished(CHAPTER, "attention", {}) == []


def test_an_attribute_of_that_name_is_not_ones_own():
    code = "import torch.nn.functional as F\ndef attention(q, k, v):\n    return F.softmax(q @ k.mT, -1) @ v"
    assert upstream.unfinished(CHAPTER, "attention", names_after(code)) == []


def test_a_class_is_looked_through_method_by_method():
    code = "class Attention:\n    def forward(self, x):\n        return softmax(x)"
    assert upstream._names_used(names_after(code)["Attention"]) == {"softmax"}


def test_the_check_of_a_notebook_says_it_where_it_does_not_pass(tmp_path, monkeypatch, capsys):
    (tmp_path / "checks").mkdir()
    cases = "from helpers.checks import graded\n\n\n@graded('attention', points=2)\ndef score(check):\n    check(f, 1)"
    (tmp_path / "checks" / "attention.py").write_text(f"{cases}.equals(2)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cell, "upstream", upstream.unfinished)
    for answer, uses in (("return 1", True), ("return 2", False)):
        exec("check('attention')\n", names_after(f"{ANSWER}def f(x):\n    {answer}\n") | {"check": cell.check})
        assert ("uses your `softmax`" in capsys.readouterr().out) is uses


def test_what_was_imported_in_this_session_is_held_against_the_answer(monkeypatch):
    given = next("".join(c["source"]) for c in cell.notebook_cells(CHAPTER) if "from helpers" in "".join(c["source"]))
    cells = [
        "",
        given,
        "from helpers.models.functional import attention_block",
        ANSWER,
        "def softmax(x): attention_block",
    ]
    monkeypatch.setattr(upstream, "get_ipython", lambda: SimpleNamespace(user_ns={"In": cells}))
    for exercise, said in (
        ("attention", ""),
        ("softmax", "`helpers.models.functional.attention_block`"),
    ):
        with upstream.course_code(CHAPTER).judge(exercise):
            assert objection.get().startswith(said) and bool(objection.get()) == bool(said)
    monkeypatch.setattr(upstream, "get_ipython", lambda: None)
    assert upstream.course_code(CHAPTER)._names == {}
