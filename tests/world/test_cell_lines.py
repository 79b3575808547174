"""Each line of the table, in each place of 01's exercise `judge`: graded, checked by the student, run in a kernel.

A kernel shows what a student sees in JupyterLab as far as this machine has what the line needs; stock `nbgrader
autograde` runs the same kernel, so it gives what the column "kernel" says.
"""

import contextlib
import re
import shutil
import warnings

import nbformat
import pytest
from nbclient import NotebookClient

from autograder import paths
from autograder.authoring.build import build
from autograder.grading import sample_class
from autograder.grading.grade import grade
from helpers.course.check_notebook import check
from world.cell_lines import KILLS, LINES, answered
from world.recorded import record

CHAPTER, EXERCISE, POINTS = sample_class.CHAPTER, "judge", 6.0
PASSES = re.compile(rf"{EXERCISE}: all \d+ visible cases pass")
ROWS = [(line, place) for line in LINES for place in line.places]


def student(number: int) -> str:
    return f"row-{number:03}"


def handed_in(material, line, place):
    """Return the released notebook with a right answer, and the line where it is to stand."""
    own, answer = answered(material.solutions[EXERCISE], line, place)
    notebook = material.notebook(material.solutions | {EXERCISE: answer})
    at = next(i for i, cell in enumerate(notebook.cells) if cell.id == EXERCISE)
    if own:
        notebook.cells.insert(at, nbformat.v4.new_code_cell(own, id="typed"))
    return notebook


@pytest.fixture(scope="module")
def notebooks():
    build(CHAPTER)
    material = sample_class.Material()
    return {student(number): handed_in(material, *row) for number, row in enumerate(ROWS)}


@pytest.fixture(scope="module")
def graded(notebooks, tmp_path_factory):
    """Return the points of the exercise and of the chapter, by student, and their notes."""
    course = tmp_path_factory.mktemp("course")
    for name, notebook in notebooks.items():
        path = course / "submitted" / name / CHAPTER / f"{CHAPTER}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
    rows = grade(CHAPTER, course, say=lambda _: None)
    return {row.student: (row.scores[EXERCISE], row.total, row.notes) for row in rows}


@pytest.fixture(scope="module")
def in_a_kernel(notebooks, tmp_path_factory):
    """Return whether the visible check passes in a kernel, by student; what spoils its kernel has one of its own."""
    folder = tmp_path_factory.mktemp("kernel")
    shutil.copytree(paths.RELEASE / CHAPTER, folder / CHAPTER)
    ends = {name for name, (line, _) in zip(notebooks, ROWS, strict=True) if line.elsewhere == KILLS or line.shadows}
    groups = [[name] for name in ends] + [list(group) for group in batched(sorted(notebooks.keys() - ends), 20)]
    passes: dict[str, bool] = {}
    for group in groups:
        passes |= _kernel({name: notebooks[name] for name in group}, folder / CHAPTER)
    return passes


def batched(names, size):
    return [names[start : start + size] for start in range(0, len(names), size)]


def _kernel(notebooks, folder) -> dict[str, bool]:
    """Run the cells up to the exercise once, then each one's own cell, answer and check."""
    cells, places = [], {}
    for name, notebook in notebooks.items():
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        check = next(i for i, cell in enumerate(code) if cell.id == f"check-{EXERCISE}")
        first = next(i for i, cell in enumerate(code) if cell.id in ("typed", EXERCISE))
        before = [cell for cell in code[:first] if "show" not in cell.metadata.get("tags", [])]
        forget = nbformat.v4.new_code_cell("globals().pop('precision_recall_f1', None)")
        cells += [*([] if cells else before), forget, *code[first : check + 1]]
        places[name] = len(cells) - 1
    part = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell.source) for cell in cells])
    client = NotebookClient(
        part, timeout=120, allow_errors=True, coalesce_streams=True, resources={"metadata": {"path": str(folder)}}
    )
    with contextlib.suppress(Exception):  # the kernel has ended
        client.execute()
    return {name: PASSES.search(str(part.cells[place].outputs)) is not None for name, place in places.items()}


@pytest.fixture(scope="module")
def checked(notebooks, tmp_path_factory):
    """Return whether the students' own `make check` gives full points, by student."""
    folder = tmp_path_factory.mktemp("check")
    shutil.copytree(paths.RELEASE / CHAPTER, folder / CHAPTER)
    return {name: _check(notebook, folder / CHAPTER / f"{name}.ipynb") for name, notebook in notebooks.items()}


def _check(notebook, path) -> bool:
    place = next(i for i, cell in enumerate(notebook.cells) if cell.id == f"check-{EXERCISE}")
    nbformat.write(nbformat.v4.new_notebook(cells=notebook.cells[: place + 1]), path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return any(PASSES.search(said.text) for said in check(path))


def test_grading_checking_and_the_notebook_agree(graded, checked, in_a_kernel):
    table, wrong = [], []
    for number, (line, place) in enumerate(ROWS):
        name = student(number)
        points, total, notes = graded[name]
        passes = (line.passes or place == "own cell") and not line.shadows
        row = {"line": line.text, "place": place, "kind": line.kind, "points": points, "total": total}
        row |= {"notes": list(notes), "make check": checked[name], "kernel": in_a_kernel[name]}
        row |= {"the student saw": passes, "more than a kernel here": line.elsewhere}
        table.append(row)
        agrees = (points == POINTS) == passes == checked[name]
        if not agrees or (in_a_kernel[name] != passes and not line.elsewhere):
            wrong.append(row)
        if total != 80.0 - (POINTS - points) and not line.shadows:
            wrong.append(row)
    record("cell_lines", table)
    assert wrong == []
    assert len(LINES) >= 30
