"""A known mistake has one home: its code in the check, from which the build computes what it gives in visible cases."""

import nbformat
import numpy as np
import pytest
import torch
from scipy import sparse

from autograder import cell_marks
from autograder.authoring.build import to_notebook
from autograder.authoring.importer import to_text
from autograder.authoring.known_mistakes import _as_code, plain_data, with_mistake_values, with_released_digits
from autograder.authoring.source import SourceError, read
from autograder.gradebook.nbgrader_steps import HideTests
from helpers.checks import scoring

STORY = """# %% exercise="half"
def half(x):
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION


def halves(numbers):
    ### BEGIN SOLUTION
    return [x / 2 for x in numbers]
    ### END SOLUTION

# %% check="half" points=100
"""
CASES = """from helpers.checks import graded


@graded("half", points=100)
def score(check):
    ### BEGIN MISTAKES
    def times(factor):
        return lambda x: factor * x

    check.mistakes({"x is not divided": times(1), "a third": times(1 / 3), "a root": lambda x: x**0.5,
                    "an error": lambda x: 1 / 0, "not finite": lambda x: [float("nan"), -float("inf")],
                    "NaN": lambda x: float("nan")}, half)
    check.mistakes({"only the first": lambda numbers: [numbers[0] / 2]}, halves)
    ### END MISTAKES
    check(half, 4.0).equals(2.0)
    check(half, 8.0).equals(4.0)
    check(halves, [4.0, 2.0]).equals([2.0, 1.0])
    ### BEGIN HIDDEN TESTS
    check.hidden()
    late = abs
    check(half, 9.0).equals(4.5)
    check(halves, [9.0, 1.0]).equals([4.5, 0.5])
    ### END HIDDEN TESTS


score
"""
WRONG = "def half(x): return x\ndef halves(numbers): return [numbers[0] / 2]"
TABLE = """    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "x is not divided": {
            1: 4.0,
            2: 8.0,
        },
        "a third": {
            1: 1.33333,
            2: 2.66667,
        },
        "not finite": {
            1: [float("nan"), float("-inf")],
            2: [float("nan"), float("-inf")],
        },
        "a root": {
            2: 2.82843,
        },
        "only the first": {
            3: [2.0],
        },
    })
"""


@pytest.fixture
def cells(tmp_path):
    """Return a function that reads the chapter with other text in its check."""

    def made(old="", new=""):
        assert old in CASES
        (tmp_path / "checks").mkdir(exist_ok=True)
        (tmp_path / "made.py").write_text(STORY, encoding="utf-8")
        (tmp_path / "checks/half.py").write_text(CASES.replace(old, new, 1), encoding="utf-8")
        return read(tmp_path / "made.py")

    return made


def test_students_see_what_mistakes_give_where_it_shows_and_no_code_of_them(cells):
    check = with_mistake_values(cells())[-1].source
    assert TABLE in check and "lambda" in check
    assert cell_marks.visible(check) == CASES[: CASES.index("    ### BEGIN M")] + TABLE + (
        CASES[CASES.index("    check(half, 4.0)") : CASES.index("    ### BEGIN H")] + "\n\nscore"
    )


def test_the_graded_check_reads_the_values_in_visible_cases_and_the_code_in_hidden_ones(cells):
    check = with_mistake_values(cells())[-1].source
    for source in (check, cell_marks.visible(check)):
        exec(f"{WRONG}\n{source}", {})
        seen = [(case.hidden, case.likely) for case, _ in scoring.finished[-1].cases]
        shown = [(False, ["x is not divided"])] * 2 + [(False, ["only the first"])]
        assert seen[:3] == shown
        assert seen[3:] in ([], [(True, ["x is not divided"]), (True, ["only the first"])])
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("equals(2.0)", 'equals(2.0, near={"a third": 4 / 3})', "case 1: the mistake 'a third' is typed, too"),
        ("equals(2.0)", 'equals(2.0, near={"a third": 1.0})', "'a third' gives 1.33333.*, and 1.0 is typed: two"),
        ("lambda x: 1 / 0", "lambda x: late(x)", "'an error' uses a name that is not defined before"),
        ("equals(2.0)", "equals(3.0)", "the solution does not pass the visible cases"),
        ("    check(half, 4.0)", "    check.mistake_values({})\n    check(half, 4.0)", "which the build writes"),
    ],
)
def test_what_the_build_refuses(cells, old, new, message):
    with pytest.raises(SourceError, match=f"half.py.*{message}"):
        with_mistake_values(cells(old, new))


def test_a_typed_error_or_the_value_of_a_mistake_that_ends_in_an_error_may_stand_beside_it(cells):
    new = 'equals(2.0, near={"a third": ValueError, "an error": 7.0})'
    assert TABLE in with_mistake_values(cells("equals(2.0)", new))[-1].source


def test_the_way_back_into_text_leaves_the_values_out(cells):
    _, cases, _ = to_text(to_notebook(with_mistake_values(cells())))
    assert cases == {("half", "check-half"): CASES.strip("\n")}


def test_feedback_shows_no_code_of_mistakes(cells):
    notebook, _ = HideTests().preprocess(to_notebook(with_mistake_values(cells())), {})
    written = nbformat.writes(notebook)
    assert "half" in written
    assert "lambda" not in written and "mistake_values" not in written  # a page holds a check's call alone


def test_the_members_of_a_set_stand_in_order():
    values = {1: ({"b", "a", "c"}, [{("y", 2), ("x", 10)}]), 2: set(), 3: {f"number {i}" for i in range(20)}}
    code = _as_code({"a mistake": values})
    assert "1: ({'a', 'b', 'c'}, [{('x', 10), ('y', 2)}])," in code and "2: set()," in code
    assert code.index("'number 0'") < code.index("'number 10'") < code.index("'number 2'")
    assert max(map(len, code.splitlines())) < 120


def test_the_same_cells_give_the_same_bytes(cells):
    from autograder.authoring import known_mistakes

    first = with_mistake_values(cells())[-1].source
    known_mistakes._tables.cache_clear()
    assert with_mistake_values(cells())[-1].source == first


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.array([[1 / 3, 2]]), [[0.333333, 2.0]]),
        (torch.tensor([True, False]), [True, False]),
        (np.float32(0.1), 0.1),
        ((np.int64(3), "a", None), (3, "a", None)),
        ({"b": -0.0, "a": [2.0]}, {"b": 0.0, "a": [2.0]}),
        ({3, 1}, {1, 3}),
    ],
)
def test_values_are_written_as_plain_data(value, plain):
    found = plain_data(value)
    assert found == plain and repr(found) == repr(plain)


def test_digits_follow_the_tolerance_and_what_counts_as_nothing_is_0():
    assert plain_data(1 / 3, rtol=1e-9) == 0.333333333333
    assert plain_data([1e-9, 1e-7], atol=1e-8) == [0.0, 1e-7]
    with pytest.raises(ValueError, match="no literal says what"):
        plain_data(object())


def test_a_sparse_matrix_is_written_as_one():
    matrix = sparse.csr_matrix([[1 / 3, 0], [0, 2]])
    for size in (1, 40):
        tall = sparse.vstack([matrix] * size)
        code = _as_code({"a mistake": {1: plain_data(tall, rtol=1e-4)}})
        assert max(map(len, code.splitlines())) < 120
        again = eval(code.split("1: ", 1)[1].rsplit("},", 1)[0].rstrip().rstrip(","), {"sparse": sparse})
        assert abs(again - tall).max() < 1e-6 and again.shape == tall.shape


def with_table(value: str) -> str:
    """Return a check with the table of one mistake, which gives `value` in the first case."""
    return f"{cell_marks.HEAD}        '2 of 3 were taken': {{1: {value}}},\n{cell_marks.FOOT}    check(f, 3)\n"


@pytest.mark.parametrize(
    ("released", "kept"),
    [
        ("[0.399715, 0.4]", True),
        ("[0.399715,\n             0.399999]", True),  # a line breaks elsewhere
        ("[0.39971, 0.4]", False),
        ("[0.399716, 0.4, 1.0]", False),
        ("[1, 0.4]", False),
    ],
)
def test_what_is_released_does_not_follow_the_rounding_of_a_processor(released, kept):
    built, before = with_table("[0.399716, 0.4]"), with_table(released)
    assert with_released_digits(built, before) == (before if kept else built)
    assert with_released_digits("without a table", before) == "without a table"


def test_a_small_number_may_differ_by_the_rounding_of_large_ones_beside_it():
    built, before = with_table("[2.11491, 0.0538623]"), with_table("[2.11492, 0.0538613]")
    assert with_released_digits(built, before) == before
    built, before = with_table("[0.0538623]"), with_table("[0.0538613]")
    assert with_released_digits(built, before) == built
