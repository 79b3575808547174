"""A chapter's own answers earn full points: what does not is named by `release` and refused by `grade`."""

import json
import os
import subprocess
import sys

import nbformat
import pytest
from quick_course import CHAPTER, Quick, run, runs
from typer.testing import CliRunner

from autograder import cell_marks, paths
from autograder.__main__ import app
from autograder.authoring import build as building
from autograder.grading import model_answers
from autograder.grading.model_answers import faults
from helpers.errors import CourseError

TRIPLE = "def triple(x):\n    return 3 * x"
CHECK = """
from helpers.checks import graded

@graded("{0}", points=4)
def score(check):
    {1}

score
"""


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    monkeypatch.setattr(model_answers, "KEPT", tmp_path / "kept")
    return tmp_path / "kept"


def notebook(folder, answer: str, **checks: str):
    """Write an instructor's notebook with an answer and its checks."""
    cells = [nbformat.v4.new_code_cell(answer, id="triple", metadata=cell_marks.to_metadata("exercise", {}, "triple"))]
    for name, body in checks.items():
        metadata = cell_marks.to_metadata("check", {"points": 4}, f"check-{name}")
        cells.append(nbformat.v4.new_code_cell(CHECK.format(name, body), id=f"check-{name}", metadata=metadata))
    path = folder / "chapter.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


class Half(Quick):
    """A worker that gives half the points of one exercise, or all of them."""

    tries = 0
    share = 0.5

    def run(self, job):
        """Judge, and count how often."""
        Half.tries += 1
        return super().run(job)

    def judge(self, check, begun):
        """Return half the points of tf."""
        share = self.share if check.id == "check-tf" else 1
        return {"score": check.points * share, "reason": "", "report": "\ntf: 1 of 2"}


class Whole(Half):
    """A worker that gives all points."""

    share = 1.0


def test_a_check_that_calls_what_is_not_there_is_named_and_so_is_one_that_asks_for_more(tmp_path, kept):
    wrong = "check(triple, 2).equals(7)"
    path = notebook(
        tmp_path, TRIPLE, right="check(triple, 2).equals(6)", wrong=wrong, gone="check(tripel, 2).equals(6)"
    )
    found = faults("chapter", path)
    assert [line.partition(": ")[2].partition(" earns")[0] for line in found] == [
        "the model answer of wrong", "the model answer of gone",
    ]  # fmt: skip
    assert "0 of 4 points" in found[0] and "tripel" in found[1]
    (record,) = kept.iterdir()
    record.write_text(json.dumps({"environment": "older", "faults": ["as it was"]}))
    assert faults("chapter", path, any_environment=True, known_alone=True) == ["as it was"]
    assert faults("chapter", path) == found


def test_a_folder_for_temporary_files_may_have_a_long_name(tmp_path):
    """The socket of a server that forks lies there, and the name of a socket has a hundred bytes at most."""
    deep = tmp_path / ("deep" * 25)
    deep.mkdir()
    path = notebook(tmp_path, TRIPLE, right="check(triple, 2).equals(6)")
    code = f"from autograder.grading.model_answers import faults; print(faults('chapter', {str(path)!r}))"
    code = f"from autograder.grading import model_answers as m; m.KEPT = m.Path({str(deep)!r}); {code}"
    environment = os.environ | {"TMPDIR": str(deep), "PYTHONPATH": str(paths.ROOT)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert ran.stdout == "[]\n", ran.stderr


def test_it_is_tried_once_for_each_state_of_the_cells(tmp_path, monkeypatch):
    monkeypatch.setattr(model_answers, "InProcessWorker", Whole)
    before, path = Half.tries, notebook(tmp_path, TRIPLE, tf="pass")
    assert faults("chapter", path) == faults("chapter", path) == []
    assert Half.tries == before + 1
    notebook(tmp_path, f"{TRIPLE}\n", tf="pass", more="pass")
    assert faults("chapter", path) == [] and Half.tries == before + 2


def test_a_fault_is_tried_again_for_it_may_have_been_the_machines(tmp_path, monkeypatch):
    monkeypatch.setattr(model_answers, "InProcessWorker", Half)
    path = notebook(tmp_path, TRIPLE, tf="pass")
    assert faults("chapter", path) == ["chapter: the model answer of tf earns 2 of 4 points: tf: 1 of 2"]
    assert faults("chapter", path, known_alone=True) == faults("chapter", path)
    monkeypatch.setattr(model_answers, "InProcessWorker", Whole)
    assert faults("chapter", path) == faults("chapter", path, known_alone=True) == []


def test_grade_refuses_before_anything_is_graded(course, quick_pages, monkeypatch):
    monkeypatch.setattr(model_answers, "InProcessWorker", Half)
    lines = []
    with pytest.raises(CourseError, match=r"nobody can have full points, as said above.*--anyway"):
        model_answers_of(course, lines)
    assert len(lines) == 1 and lines[0].startswith(f"  {CHAPTER}: the model answer of tf earns ")
    assert runs(course) == []
    monkeypatch.setattr(model_answers, "InProcessWorker", Quick)
    assert run(course, own_answers=True)[0]["ada-right"] == 80.0


def model_answers_of(course, lines: list[str]) -> None:
    from autograder.grading import grade

    Quick.log = None
    grade.grade(CHAPTER, course, backend=Quick, say=lines.append, own_answers=True)


def test_release_names_it_and_says_so_by_its_exit_code(tmp_path, monkeypatch):
    monkeypatch.setattr(model_answers, "InProcessWorker", Half)
    monkeypatch.setattr(building, "release", lambda chapter, check=False: True)
    assert CliRunner().invoke(app, ["release", CHAPTER]).exit_code == 0  # as it was, and nothing is known of it
    monkeypatch.setattr(building, "release", lambda chapter, check=False: False)
    told = CliRunner().invoke(app, ["release", CHAPTER])
    assert told.exit_code == 1 and f"{CHAPTER}: the model answer of tf earns " in told.output
    monkeypatch.setattr(building, "release", lambda chapter, check=False: True)
    assert CliRunner().invoke(app, ["release", CHAPTER]).exit_code == 1  # it stays known
    assert "the model answer" not in CliRunner().invoke(app, ["release", CHAPTER, "--check"]).output
    monkeypatch.setattr(model_answers, "InProcessWorker", Quick)
    monkeypatch.setattr(model_answers, "KEPT", tmp_path / "other")
    assert CliRunner().invoke(app, ["release", CHAPTER]).exit_code == 0
