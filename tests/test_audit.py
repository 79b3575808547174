"""The audit's own tests: what it must notice, on a small chapter made for it."""

import dataclasses
from functools import partial
from types import SimpleNamespace

import pytest

from autograder import paths
from autograder.authoring import audit as module
from autograder.authoring.audit import GRADED, audit, disagreements, misquoted, short_counts
from autograder.authoring.remembered import Remembered
from autograder.authoring.variants import variants
from helpers.errors import CourseError

SOURCE = '''# %% [markdown]
# # Half

# %% exercise="half"
def half(x):
    """Return half of x."""
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION

# %% check="half" points=100
'''

CASES = """from helpers.checks import graded


@graded("half", points=100)
def score(check):
    check(half, 4).equals(2, near={"you doubled it": 8})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    check(half, 5).equals(2.5, about="odd input", near={"the rest was cut off": 2})
    ### END HIDDEN TESTS


score
"""

VARIANTS = """# %% wrong="doubles" says="doubled it"
def half(x):
    return x * 2

# %% wrong="cuts the rest off" says="cut off"
def half(x):
    return x // 2

# %% wrong="ends the process" says="process ended"
import os
os._exit(0)

# %% wrong="is not told apart" says="a word that no report holds"
def half(x):
    return x + 100

# %% wrong="is right in truth" says="never"
def half(x):
    return 0.5 * x

# %% right="multiplies"
def half(x):
    return x * 0.5

# %% right="is wrong in truth"
def half(x):
    return x
"""


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    """A chapter with one exercise and variants of every sort."""
    files = [
        ("solutions/c", "c.py", SOURCE),
        ("solutions/c/checks", "half.py", CASES),
        ("variants/c", "half.py", VARIANTS),
    ]
    for folder, name, text in files:
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(paths, "SOLUTIONS", tmp_path / "solutions")
    monkeypatch.setattr(paths, "VARIANTS", tmp_path / "variants")
    return "c"


@pytest.mark.parametrize("judged", [False, True], ids=["here", "judged"])
def test_every_verdict_and_diagnosis(chapter, judged):
    found = {t.variant.name: (t.verdict_ok, t.diagnosed) for t in audit(chapter, judged=judged)}
    assert found == {
        "doubles": (True, True),
        "cuts the rest off": (True, True),
        "ends the process": (True, True),
        "is not told apart": (True, False),
        "is right in truth": (False, False),
        "multiplies": (True, True),
        "is wrong in truth": (False, True),
        "the solution": (True, True),
        **({} if judged else {GRADED: (True, True)}),
        "the stub": (True, True),
        "the visible cases by heart": (True, True),
    }


@pytest.mark.parametrize("judged", [False, True], ids=["here", "judged"])
def test_an_answer_that_breaks_a_clause_fails_a_visible_case(chapter, judged):
    answers = """# %% wrong="doubles" says="doubled it" clause="Return half of x."
def half(x):
    return x * 2

# %% wrong="cuts the rest off" says="cut off" clause="Return half of x."
def half(x):
    return x // 2

# %% wrong="is one too large" says="" clause="Return a third of x."
def half(x):
    return x / 2 + 1
"""
    (paths.VARIANTS / "c" / "half.py").write_text(answers, encoding="utf-8")
    seen = {t.variant.name: t.seen for t in audit(chapter, judged=judged) if t.variant.clause}
    assert seen == {"doubles": True, "cuts the rest off": False, "is one too large": True}
    assert misquoted(chapter) == ["half: is one too large: the chapter does not say 'Return a third of x.'"]


@pytest.mark.parametrize("judged", [False, True], ids=["here", "judged"])
def test_a_variant_that_hangs_is_ended(chapter, monkeypatch, judged):
    path = paths.VARIANTS / "c" / "half.py"
    path.write_text('# %% wrong="hangs" says="no answer in time"\nwhile True:\n    pass\n', encoding="utf-8")
    monkeypatch.setattr(module, "SECONDS", 1)
    (hung,) = [t for t in audit(chapter, judged=judged) if t.variant.name == "hangs"]
    assert hung.verdict_ok
    assert hung.diagnosed


def test_a_verdict_that_depends_on_where_the_check_runs_is_told(chapter):
    here = [t for t in audit(chapter) if t.variant.name != GRADED]
    assert disagreements(here, here) == []
    worse = [dataclasses.replace(t, score=0.0, text="half: nothing\n") for t in here[-3:]]
    lines = disagreements(here[-3:], worse)
    assert lines[0] == "half: the solution: 100 here and 0 judged"
    assert "  + half: nothing" in lines


def test_too_few_variants_and_strangers_are_told(chapter):
    assert short_counts(chapter) == []
    (paths.VARIANTS / "c" / "half.py").write_text(
        '# %% right="one"\ndef half(x):\n    return x / 2\n', encoding="utf-8"
    )
    (paths.VARIANTS / "c" / "third.py").write_text('# %% right="one"\ndef third(x): ...\n', encoding="utf-8")
    lines = short_counts(chapter)
    assert any(line.startswith("half: 0 wrong and 1 right") for line in lines)
    assert any(line.startswith("third: variants of an exercise that is not there") for line in lines)


def test_a_variant_without_its_mark_and_an_unknown_exercise_are_one_line(chapter):
    with pytest.raises(CourseError, match="has no exercise 'third'"):
        audit(chapter, ["third"])
    (paths.VARIANTS / "c" / "half.py").write_text('# %% wrong="no words"\nx = 1\n', encoding="utf-8")
    with pytest.raises(CourseError, match="each cell needs"):
        audit(chapter)


def test_a_solution_that_raises_is_named(chapter):
    path = paths.source_text(chapter)
    text = path.read_text(encoding="utf-8").replace(
        '"""Return half of x."""', '"""Return half of x."""\n    x' + " = " + "1"
    )
    path.write_text(text.replace("# %% exercise", "# %% given\n1 / 0\n\n# %% exercise", 1), encoding="utf-8")
    with pytest.raises(CourseError, match="given-01 raises ZeroDivisionError"):
        audit(chapter)


MISTAKES = """
def layer_norm(x):
    calls.append("the answer's")
    return x

def score():
    def by_the_library(x):
        return library.layer_norm(x)
    def by_the_answer(x):
        return layer_norm(x)
    closed_over = layer_norm
    def by_another_name(x):
        return closed_over(x)
    return by_the_library, by_the_answer, by_another_name
"""


def test_what_a_mistake_gives_is_kept_unless_it_calls_the_answers_own_function():
    calls = []
    library = SimpleNamespace(layer_norm=lambda x: calls.append("the library's") or x)
    names = {"__name__": "__main__", "calls": calls, "library": library}
    exec(MISTAKES, names)
    remembered = Remembered()
    for mistake in names["score"]():
        assert [remembered(mistake.__name__, partial(mistake, given)) for given in (1.0, 1.0, 2.0)] == [1.0, 1.0, 2.0]
    assert calls == ["the library's"] * 2 + ["the answer's"] * 6


def test_another_state_of_the_sources_tries_another_part_and_all_parts_are_all(monkeypatch):
    parts = []
    for state in ("a0", "a1", "a2"):
        monkeypatch.setattr(module.right_answers, "state", lambda chapter, state=state: state)
        parts.append(module.part("08_rag", 3))
    assert sorted(map(len, parts))[0] > 0 and parts[0] != parts[1] != parts[2]
    assert {v for part in parts for v in part} == set(variants("08_rag"))
