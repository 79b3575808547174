"""An assignment with two notebooks, and a course in which it was adopted and nothing of it was run."""

import shutil
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import adopted_table
from autograder.adopted_table import PROVED, UNPROVED, Table, TestCell
from autograder.adopting import source as sources
from autograder.adopting import template as templates
from autograder.cell_marks import PERSON
from autograder.execution import results
from autograder.gradebook.nbgrader_course import converter, grading_config
from autograder.jobs import Job

NAME = "shapes"
WHY = "it removes the name of the answer"
TESTS = {
    "flat--area_is_right": TestCell(2.0, PROVED),
    "flat--area_is_used": TestCell(1.0, PERSON, WHY),
    "round--rim_is_right": TestCell(1.0, UNPROVED, "the answer makes a folder"),
}
BY_HAND = {"flat--try_it": 3.0, "flat--draw": 2.0, "flat--area_is_used": 1.0, "round--why": 2.0}
HIDDEN = "assert area(0.1, 10) == 1.0"
SCHEME = "2 points: both sides carry their length"


def code(name: str, source: str, points: float | None = None, *, locked: bool = False, solution: bool = False):
    """Return a code cell with nbgrader's marks."""
    return _marked(nbformat.v4.new_code_cell(source), name, points, locked, solution)


def text(name: str, source: str, points: float | None = None, *, solution: bool = True, task: bool = False):
    """Return a text cell with nbgrader's marks."""
    return _marked(nbformat.v4.new_markdown_cell(source), name, points, task, solution, task)


def _marked(cell, name: str, points: float | None, locked: bool, solution: bool, task: bool = False) -> NotebookNode:
    grade = points is not None and not task
    marks = {"grade": grade, "grade_id": name, "locked": locked, "solution": solution, "task": task}
    marks |= {"schema_version": 3} | ({} if points is None else {"points": points})
    cell.metadata.nbgrader = NotebookNode(marks)
    return cell


def flat() -> NotebookNode:
    """Return the first notebook: a function with two tests, code and a drawing that a person grades."""
    area = "def area(width, height):\n    ### BEGIN SOLUTION\n    return width * height\n    ### END SOLUTION"
    right = f"assert area(2, 3) == 6\n### BEGIN HIDDEN TESTS\n{HIDDEN}\n### END HIDDEN TESTS"
    drawing = f"Draw a rectangle below.\n\n### BEGIN MARK SCHEME\n{SCHEME}\n### END MARK SCHEME"
    return nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_markdown_cell("# Flat shapes"),
            code("area", area, solution=True),
            code("area_is_right", right, 2, locked=True),
            code("area_is_used", "keep = area\ndel area", 1, locked=True),
            code("try_it", "# Three calls.\n### BEGIN SOLUTION\nprint(area(1, 1))\n### END SOLUTION", 3, solution=True),
            text("draw", drawing, 2, solution=False, task=True),
        ]
    )


def round_() -> NotebookNode:
    """Return the second notebook: an answer in words, and a function."""
    rim = "def rim(radius):\n    ### BEGIN SOLUTION\n    return 6.2832 * radius\n    ### END SOLUTION"
    return nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_markdown_cell("# Round shapes"),
            text("why", "Because of the radius.", 2),
            code("area", rim, solution=True),
            code("rim_is_right", "assert round(rim(1)) == 6", 1, locked=True),
        ]
    )


def make(course: Path) -> Path:
    """Make a course with the assignment, its table, and what nbgrader hands out; returns the course's folder."""
    folder = course / "source" / NAME
    folder.mkdir(parents=True)
    for name, notebook in {"flat": flat(), "round": round_()}.items():
        nbformat.write(notebook, folder / f"{name}.ipynb")
    source = sources.read(folder)
    sources.write(source, course / "build" / "source" / NAME)
    table = Table(NAME, f"source/{NAME}", source.digest, tuple(source.notebooks), TESTS, BY_HAND)
    adopted_table.write(course, table)
    converter("GenerateAssignment", NAME, templates.generating(grading_config(course))).start()
    return course


def hand_in(course: Path, student: str, answers: dict[str, dict[str, str]], own: dict[str, list] | None = None) -> Path:
    """Hand in what was handed out with answers, {notebook: {grade_id: source}}; own: cells at the end of a notebook."""
    to = course / "submitted" / student / NAME
    shutil.copytree(course / "build/release" / NAME, to)
    (to / "timestamp.txt").write_text("2026-10-03 12:00:00 UTC\n", encoding="utf-8")
    for path in to.glob("*.ipynb"):
        path.chmod(0o644)
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = answers.get(path.stem, {}).get(name, cell.source)
        notebook.cells += (own or {}).get(path.stem, [])
        nbformat.write(notebook, path)
    return to


AREA = "def area(width, height):\n    return height * width"
RIM = "def rim(radius):\n    return 6.3 * radius"
ALL = {"flat": {"area": AREA, "try_it": "print(area(2, 2))"}, "round": {"area": RIM, "why": "It *grows* with it."}}
PART = {"flat": {"area": AREA}}
DRAWING = {"flat": [nbformat.v4.new_markdown_cell("A drawing <script>alert(1)</script> of mine.")]}


class Judging:
    """A worker that gives full points to each test below an answer that is no longer the stub."""

    def run(self, job: Job) -> dict:
        """Judge without running anything."""
        answers = [cell for cell in job.cells if cell.kind == "exercise"]
        done = {cell.notebook: "NotImplementedError" not in cell.source for cell in answers}
        checks = []
        for cell in job.checks:
            good = done[cell.notebook]
            told = {"id": cell.id, "status": "judged", "score": float(cell.points or 0) * good, "report": "said"}
            checks.append(told | {"proof": cell.test if good and cell.test == UNPROVED else ""})
        cells = [{"id": c.id, "kind": c.kind, "status": "ok"} for c in job.cells if c.kind != "check"]
        for cell in cells:
            cell["stdout"] = "what it printed\n" if cell["id"] == "flat--try_it" else ""
        return results.new(job, cells=cells, checks=checks, seconds=0.1)

    def close(self) -> None:
        """Nothing to end."""
