"""Chapters with other right answers: which sets there are, how such a run goes on, what the full table says."""

import nbformat
import pytest
from world import right_answers as table

from autograder import paths
from autograder.authoring import measure, right_answers

SOURCE = '''# %% [markdown]
# # Halves

# %% exercise="half"
def half(x):
    """Return half of x."""
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION

# %% check="half" points=40

# %% exercise="double"
def double(x):
    """Return twice x."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% check="double" points=60

# %% show
print(round(half(5), 1))

# %% show
print(undefined)

# %% show exact=true
print(double(4), end="", flush=True)  # sent apart from its newline
print()
'''
CHECK = """from helpers.checks import graded


@graded("{name}", points={points})
def score(check):
    check({name}, 4).equals({value}, near={{"you forgot it": 4}})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    check({name}, 8).equals(2 * {value}, about="another number", near={{"you forgot it": 8}})
    ### END HIDDEN TESTS


score
"""
HALVES = """# %% right="multiplies"
def half(x):
    return x * 0.5

# %% wrong="forgets" says="forgot"
def half(x):
    return x

# %% right="as an array"
import numpy as np

def half(x):
    return np.array(x / 2)

# %% right="in two steps"
#~ return x / 2 => return (x / 4) * 2
"""
DOUBLES = """# %% right="adds"
def double(x):
    return x + x

# %% right="shifts"
def double(x):
    return x << 1
"""


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    """A chapter with two exercises, of three and of two right variants."""
    files = {
        "solutions/c/c.py": SOURCE,
        "solutions/c/checks/half.py": CHECK.format(name="half", points=40, value=2),
        "solutions/c/checks/double.py": CHECK.format(name="double", points=60, value=8),
        "variants/c/half.py": HALVES,
        "variants/c/double.py": DOUBLES,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(paths, "SOLUTIONS", tmp_path / "solutions")
    monkeypatch.setattr(paths, "VARIANTS", tmp_path / "variants")
    monkeypatch.setattr(paths, "SOURCE", tmp_path / "source")
    monkeypatch.setattr(measure, "EXECUTED", tmp_path / "executed")
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path / "home"))
    return "c"


def test_a_set_holds_one_right_variant_of_each_exercise_and_the_fewer_begin_again(chapter):
    sets = right_answers.sets(chapter)
    assert [set(answers) for answers in sets] == [{"half", "double"}] * 3
    assert ["x + x" in answers["double"] for answers in sets] == [True, False, True]
    assert "x * 0.5" in sets[0]["half"] and "np.array" in sets[1]["half"] and "(x / 4) * 2" in sets[2]["half"]


def test_a_change_of_the_sources_may_choose_another_set(chapter):
    story, numbers = paths.source_text(chapter), set()
    for n in range(12):
        story.write_text(f"{SOURCE}# {n}\n", encoding="utf-8")
        numbers.add(right_answers.chosen(chapter))
        assert right_answers.chosen(chapter) in numbers
    assert numbers == {1, 2, 3}


def test_a_run_goes_on_behind_a_cell_that_fails_and_says_what_it_raised(chapter, tmp_path):
    found = measure.run_chapter(chapter, budget="small", answers=right_answers.sets(chapter)[1])
    assert found["scores"] == {"check-half": 40, "check-double": 60}
    assert sorted(found["failures"]) == ["show-01", "show-02"]
    assert found["failures"]["show-01"].startswith("TypeError: ") and "__round__" in found["failures"]["show-01"]
    assert found["failures"]["show-02"] == "NameError: name 'undefined' is not defined"
    assert found["cpu"] > 0
    ran = nbformat.read(tmp_path / "executed" / measure.OTHERS / "small" / "c.ipynb", as_version=4)
    assert ran.cells[-1].outputs[0].text == "8\n"
    assert not (tmp_path / "executed" / "small").exists()  # what the site shows is of the course's own answers


def test_the_table_names_errors_lost_points_noise_and_other_prints(chapter, tmp_path, monkeypatch):
    monkeypatch.setattr(table, "EXPECTED", tmp_path)
    monkeypatch.setattr(table, "EXECUTED", tmp_path / "executed")
    (tmp_path / "c.json").write_text('["eight\\n"]', encoding="utf-8")
    loud = "import sys\n\n\ndef half(x):\n    print('loud', file=sys.stderr)\n    return x"
    monkeypatch.setattr(table, "answers", lambda chapter, number: {"half": loud})
    found = table.run(chapter, 1)
    assert found["wrong"] == {
        "check-half": "0 of 40 points",
        "show-01": "on stderr: loud\n",
        "show-02": "NameError: name 'undefined' is not defined",
        "show-03": "printed '8\\n'",
    }
    assert found["cells"] == 7


def test_a_row_joins_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr(table, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(table, "SECONDS", tmp_path / "build" / "seconds.json")
    for chapter, number, seconds in (("b", 10, 9.0), ("b", 2, 31.0), ("a", 1, 1.0), ("b", 0, 10.0), ("b", 10, 8.0)):
        table.keep(chapter, number, {"cells": 7, "wrong": {}, "cpu": seconds})
    assert [*table.results()] == ["a", "b"] and [*table.results()["b"]] == ["2", "10"]
    assert table.slow() == ["b, set 2: 31.0 s against 10.0 s"]


def test_the_full_table_has_rows_of_sets_that_are_there_and_nothing_went_wrong():
    found = table.results()
    written = [(chapter, int(number)) for chapter, sets in found.items() for number in sets]
    assert set(written) <= set(table.rows())
    assert {chapter for chapter, _ in written} == {*paths.chapters()}
    wrong = {f"{c}, set {n}": row["wrong"] for c, sets in found.items() for n, row in sets.items() if row["wrong"]}
    assert wrong == {}
