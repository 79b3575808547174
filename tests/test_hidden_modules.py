"""A file beside a notebook that hides the course, or what it needs, is named by the notebook's first cell in a line."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import nbformat
import pytest

from autograder import paths
from helpers import hidden_modules

CHAPTER = "06_tokenizers"


@pytest.fixture(scope="module")
def first_cell() -> str:
    """The first cell of a chapter that imports tokenizers."""
    return first_code(paths.release_notebook(CHAPTER))


def first_code(path: Path) -> str:
    """Return the source of a notebook's first cell of code."""
    notebook = nbformat.read(path, as_version=4)
    return next(cell.source for cell in notebook.cells if cell.cell_type == "code")


def run(source: str, folder: Path) -> subprocess.CompletedProcess:
    """Run a cell in a folder, looking for modules as a kernel does: Python's own, the folder, installed packages."""
    installed = [place for place in sys.path if place.endswith("site-packages")]
    search_path = [*standard_library(), "", *installed, str(paths.ROOT)]
    start = f"import sys, random\nsys.path[:] = {search_path!r}\n"
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-I", "-c", start + source], cwd=folder, env=env, capture_output=True, text=True
    )


def standard_library() -> list[str]:
    """Return the folders of Python's own modules."""
    folder = sysconfig.get_path("stdlib")
    return [folder, str(Path(folder) / "lib-dynload")]


@pytest.mark.parametrize("name", ["helpers.py", "autograder.py", "torch.py", "tokenizers.py", "numpy/__init__.py"])
def test_a_file_that_hides_the_course_or_a_library_stops_the_first_cell_in_a_line(name, first_cell, tmp_path):
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("raise RuntimeError('somebody ran this')\n", encoding="utf-8")
    done = run(first_cell, tmp_path)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.count("\n") == 1
    named = tmp_path / name.removesuffix("/__init__.py")
    assert done.stderr.startswith(f"{named} hides the ")
    assert done.stderr.endswith(": rename it, then restart the kernel.\n")


@pytest.mark.parametrize("name", ["helpers.py", "torch.py"])
def test_the_first_cell_of_start_stops_in_a_line_too(name, tmp_path):
    (tmp_path / name).write_text("raise RuntimeError('somebody ran this')\n", encoding="utf-8")
    done = run(first_code(paths.RELEASE / "START.ipynb"), tmp_path)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"{tmp_path / name} hides the ")


def test_a_name_of_the_standard_library_is_said_and_the_notebook_goes_on(first_cell, tmp_path):
    (tmp_path / "random.py").write_text("raise RuntimeError('somebody ran this')\n", encoding="utf-8")
    done = run(first_cell, tmp_path)
    assert done.returncode == 0, done.stderr
    said = (
        f"{tmp_path / 'random.py'} hides Python's own random from programs that are started in this folder: rename it."
    )
    assert done.stdout.splitlines()[0] == said
    assert done.stdout.splitlines()[1].startswith("Ready.")


@pytest.mark.parametrize("name", ["answers.py", "test.py", "ruff/__init__.py", "torch/weights.txt", "checks/torch.py"])
def test_a_file_that_hides_nothing_the_course_needs_is_left_alone(name, tmp_path, monkeypatch, capsys):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setattr(hidden_modules, "_needed_packages", lambda: {"torch"})
    hidden_modules.check()
    assert capsys.readouterr().out == ""


def test_a_folder_that_python_does_not_look_in_hides_nothing(tmp_path, monkeypatch):
    (tmp_path / "torch.py").touch()
    monkeypatch.chdir(tmp_path)
    assert hidden_modules.hiding_notebook() == []


def test_the_packages_of_packages_are_needed_too():
    assert {"torch", "sympy", "huggingface-hub", "jinja2"} <= hidden_modules._needed_packages()
