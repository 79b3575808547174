"""nbgrader's own commands on chapter 01, with our nbgrader_config.py and nothing else of ours in front."""

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbformat import NotebookNode
from quick_course import forge_cases

from autograder import paths
from autograder.authoring.build import build
from autograder.grading import sample_class

CHAPTER = "01_spam"


def kay_copied_and_deleted(m: sample_class.Material) -> NotebookNode:
    """Copied an answer cell as Finn did, and deleted a check as Gina did."""
    nb = sample_class.finn_copied_cell(m)
    nb.cells = [c for c in nb.cells if c["id"] != "check-bag"]
    return nb


CLASS = (sample_class.dan_untouched, kay_copied_and_deleted, sample_class.nora_skips_checks)


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A course folder that stock nbgrader has worked through."""
    folder = tmp_path_factory.mktemp("course")
    shutil.copy(paths.ROOT / "nbgrader_config.py", folder)
    build(CHAPTER)
    shutil.copytree(paths.SOURCE, folder / "build" / "source")
    sample_class.make(folder, CLASS)
    forge_cases(folder / "submitted/dan-untouched" / CHAPTER)
    for words in (["generate_assignment", CHAPTER], ["autograde", CHAPTER], ["generate_feedback", CHAPTER], ["export"]):
        done = nbgrader(folder, *words)
        assert done.returncode == 0, done.stderr[-3000:]
        (folder / f"{words[0]}.log").write_text(done.stderr, encoding="utf-8")
    return folder


def nbgrader(folder: Path, *words: str) -> subprocess.CompletedProcess:
    """Run a command of nbgrader in the course folder."""
    programs = Path(sys.executable).parent
    env = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    call = [str(programs / "nbgrader"), *words]
    return subprocess.run(call, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_generate_gives_the_student_edition_that_release_gives(course):
    made = course / "notebooks" / CHAPTER / f"{CHAPTER}.ipynb"
    assert made.read_bytes() == paths.release_notebook(CHAPTER).read_bytes()


def test_autograde_and_export_give_the_right_points(course):
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert len(scores) == len(CLASS)
    assert scores["kay-copied-and-deleted"] == 80
    assert scores["dan-untouched"] == 0
    assert 0 < scores["nora-skips-checks"] < 80


def test_a_warning_of_autograde_is_about_a_submission(course):
    lines = (course / "autograde.log").read_text(encoding="utf-8").splitlines()
    warned = [line for line in lines if "WARNING" in line]
    assert [line for line in warned if "has changed" in line] == []
    damaged = [line for line in warned if "kay-copied-and-deleted" in line]
    assert any("check-bag" in line for line in damaged)  # the twin: what is wrong is still told


def test_feedback_is_there_and_holds_no_hidden_test(course):
    pages = list((course / "feedback").glob(f"*/{CHAPTER}/{CHAPTER}.html"))
    assert len(pages) == len(CLASS)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "HIDDEN TESTS" not in text
        assert "check.hidden" not in text
