"""An answer that is the course's own is none: imports, own functions that hand it on, what given cells bring in."""

import time

import pytest

from helpers.checks import Check
from helpers.checks.course_code import CourseCode, objection

GPT = "from helpers.models.gpt import GPT"


def told(*cells: tuple[str, str], given: str = "") -> str:
    """Return what there is against the answer to the exercise "gpt" after these cells."""
    code = CourseCode()
    code.note_given(given)
    for name, source in cells:
        code.note(name, source)
    with code.judge("gpt"):
        return objection.get()


@pytest.mark.parametrize(
    "cells",
    [
        [("gpt", GPT)],
        [("gpt", "%matplotlib inline\nimport helpers.models.gpt as m\ndef f(x):\n    return m.GPT(x)")],
        [("gpt", "def f(x):\n    from helpers.models.gpt import GPT as Mine\n    return Mine(x)")],
        [("own", GPT), ("gpt", "class Mine(GPT):\n    pass")],
        [("own", f"{GPT}\ndef mine(*a):\n    return GPT(*a)"), ("gpt", "def f(x):\n    return mine(x)")],
        [
            ("own", "import helpers.chapters.lora.sections"),
            ("gpt", "f = lambda x: helpers.chapters.lora.sections.cut(x)"),
        ],
    ],
)
def test_the_courses_own_answer_is_refused(cells):
    assert "is the course's own answer" in told(*cells)


@pytest.mark.parametrize(
    ("cells", "given"),
    [
        ([("gpt", "import torch\ndef f(x):\n    return torch.ones(x)")], ""),
        ([("gpt", "def f(x):\n    return GPT(x)")], GPT),
        ([("gpt", f"{GPT}\ndef f(x):\n    return GPT(x)")], GPT),
        ([("other", f"{GPT}\ndef g(x):\n    return GPT(x)"), ("gpt", "def f(x):\n    return x")], ""),
        ([("gpt", "from helpers.device import best_device\nfrom helpers import data")], ""),
        ([("gpt", "def f(x:\n")], ""),
        ([("gpt", "def f(GPT):\n    return GPT")], ""),
    ],
)
def test_what_the_chapter_gives_and_ones_own_is_not(cells, given):
    assert told(*cells, given=given) == ""


@pytest.mark.parametrize(
    "text", ["x = " + "-" * 50_000 + "1", "x = " + "not " * 50_000 + "1", "\n" * 50_000, " \n" * 50_000]
)
def test_a_cell_that_is_hard_to_read_costs_the_judge_nothing(text):
    """It is read in the judge, outside of all limits: an error there ended it, and 20,000 blank lines took 14 s."""
    began = time.process_time()
    assert told(("gpt", text)) == ""
    assert "is the course's own answer" in told(("own", text), ("gpt", GPT))
    assert time.process_time() - began < 5.0


def test_a_check_gives_it_nothing_and_says_why():
    code = CourseCode()
    code.note("gpt", GPT)
    with code.judge("gpt"), Check("gpt", 5) as check:
        check(lambda: 1).equals(1)
    assert (check.score, check.passed) == (0.0, False)
    assert check.text() == check.text(values=False)
    assert check.text().startswith("gpt: `helpers.models.gpt.GPT` is the course's own answer: write yours")
    with Check("gpt", 5) as check:
        check(lambda: 1).equals(1)
    assert check.score == 5.0
