"""No visible case calls a known mistake by another one's name; two that collide are found."""

import pytest

from autograder import paths
from autograder.authoring import collisions as module
from autograder.authoring.collisions import collisions

STORY = """# %% exercise="half"
def half(x):
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION


def halves(numbers, function):
    ### BEGIN SOLUTION
    return [function(x) / 2 for x in numbers]
    ### END SOLUTION

# %% check="half" points=100
"""
CASES = """from helpers.checks import graded


@graded("half", points=100)
def score(check):
    check(half, 4).equals(2, near={"this is x": 4, "this is a root": 2.0})
    check(half, 8).equals(4, near={"not divided": 8})
    check(halves, [4], abs).equals([2.0], near={"doubled": [8.0]})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    check.mistakes({"twice the half": lambda x: x, "not divided, nor changed": lambda x: x, "a third": lambda x: x / 3})
    check(half, 9).equals(4.5)
    check.mistakes({"times two": lambda numbers, function: [2 * function(x) for x in numbers]})
    check(halves, [3], int).equals([1.5])
    ### END HIDDEN TESTS


score
"""


@pytest.mark.parametrize("chapter", paths.chapters())
def test_no_mistake_is_called_by_anothers_name(chapter):
    assert collisions(chapter) == []


def test_two_that_give_the_same_value_are_found_also_where_a_function_is_handed_over(tmp_path, monkeypatch):
    (tmp_path / "checks").mkdir()
    (tmp_path / "made.py").write_text(STORY, encoding="utf-8")
    (tmp_path / "checks/half.py").write_text(CASES, encoding="utf-8")
    monkeypatch.setattr(module, "paths", type("P", (), {"source_text": staticmethod(lambda _: tmp_path / "made.py")}))
    assert collisions("made") == [
        "half, case 1: 'this is a root' gives what is expected",
        "half, case 1: 'twice the half' would be called 'this is x'",
        "half, case 1: 'not divided, nor changed' would be called 'this is x'",
        "half, case 2: 'twice the half' would be called 'not divided'",
        "half, case 3: 'times two' would be called 'doubled'",
    ]
    assert paths.chapters()
