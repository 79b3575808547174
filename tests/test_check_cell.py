"""A student's check cell: where its cases are found, and what it leaves behind."""

import html
import subprocess
import sys

import nbformat
import pytest
from IPython.core.formatters import DisplayFormatter
from nbgrader.utils import determine_grade

from autograder import cell_marks, paths
from helpers import checks
from helpers.checks import cell

CASES = """from helpers.checks import graded


@graded("half", points=4)
def score(check):
    check(half, 4).equals(2)


score
"""
CHAPTERS = paths.chapters()


@pytest.fixture(autouse=True)
def nowhere(tmp_path, monkeypatch):
    """An empty folder, and no chapter."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cell, "chapter", "")


def run(names: dict) -> float:
    """Run the check of `half` as a notebook with these names does."""
    exec("from helpers.checks import check\nfound = check('half')", names)
    return names["found"]


def beside(folder, text=CASES):
    (folder / "checks").mkdir()
    (folder / "checks" / "half.py").write_text(text, encoding="utf-8")


def test_cases_beside_the_notebook_are_tried_and_leave_nothing_behind(tmp_path, capsys):
    beside(tmp_path)
    names = {"half": lambda x: x / 2}
    assert run(names) == 4.0
    assert set(names) - {"__builtins__"} == {"half", "check", "found"}
    assert capsys.readouterr().out.startswith(
        "half: the one visible case passes; hidden ones decide the points when graded"
    )


@pytest.mark.parametrize(("answer", "points"), [(lambda x: x / 2, 4.0), (lambda x: 2 if x == 4 else 0, 0.67)])
@pytest.mark.parametrize("line", ["1 of <2> exercises pass", ""])
def test_below_a_check_a_notebook_shows_words_and_nbgrader_reads_the_points(
    answer, points, line, tmp_path, monkeypatch
):
    beside(tmp_path, CASES.replace("equals(2)\n", "equals(2)\n    check(half, 6).equals(3)\n"))
    monkeypatch.setattr("IPython.get_ipython", lambda: type("Shell", (), {"kernel": 1})())
    monkeypatch.setattr("IPython.display.display", lambda report: None)
    monkeypatch.setattr(cell, "after", lambda chapter, check: line)
    data, _ = DisplayFormatter().format(found := run({"half": answer}))
    words = "1 of &lt;2&gt; exercises pass" if line else html.escape(cell.NOT_KEPT)
    assert found == points and data == {"text/plain": f"{points}", "text/html": f"<span>{words}</span>"}
    shown = nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("execute_result", data=data)])
    shown.metadata.nbgrader = {"grade": True, "solution": False, "points": 4}
    assert determine_grade(shown) == (points, 4)


def test_in_a_terminal_the_points_are_a_plain_number(tmp_path):
    beside(tmp_path)
    assert type(run({"half": lambda x: x / 2})) is float


def test_a_wrong_answer_is_told_and_a_missing_one_too(tmp_path, capsys):
    beside(tmp_path)
    assert run({"half": lambda x: x}) == 0.0
    assert "expected  2" in capsys.readouterr().out
    assert run({}) == 0.0
    assert "Run the cell above first" in capsys.readouterr().out


def test_vs_code_tells_where_the_notebook_is(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    beside(tmp_path / "elsewhere")
    assert run({"half": lambda x: x / 2, "__vsc_ipynb_file__": str(tmp_path / "elsewhere" / "c.ipynb")}) == 4.0


def test_missing_cases_are_one_line(capsys):
    assert run({}) == 0.0
    assert (
        capsys.readouterr().out
        == "half: its cases are missing. Put the chapter's folder checks/ beside this notebook.\n"
    )


def test_the_cases_of_an_installed_course_serve_a_notebook_alone(monkeypatch):
    assert cell.find("tf") is None
    monkeypatch.setattr(cell, "chapter", "01_spam")
    assert cell.find("tf") == paths.RELEASE / "01_spam" / "checks" / "tf.py"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_alone_without_the_course_a_notebook_says_so_in_one_line(chapter, tmp_path):
    nb = nbformat.read(paths.release_notebook(chapter), as_version=4)
    first = next(c for c in nb.cells if cell_marks.from_metadata(c) == "given")
    call = [sys.executable, "-I", "-S", "-c", first.source]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    install = f'"{sys.executable}" -m pip install FOLDER_OR_WHEEL'
    said = f"This notebook needs the bow2lora course. In a terminal: {install}, then restart the kernel.\n"
    assert done.stderr == said


def test_the_name_check_is_the_function_whatever_was_imported_before():
    assert checks.check is cell.check
