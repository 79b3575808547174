"""What is graded of an adopted assignment: the notebooks as nbgrader hands them out, with whole test cells.

All notebooks of an assignment are one here (see autograder.notebook_names).
"""

import copy
import logging
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config, PyFileConfigLoader

from autograder import cell_marks
from autograder.adopted_table import Table
from autograder.adopting import source as sources
from autograder.adopting.source import Source
from autograder.gradebook.nbgrader_course import CONFIG
from autograder.judge import own_names
from autograder.notebook_names import full_name, joined, notebook_of
from autograder.terminal import one_line
from helpers.errors import CourseError

BEGIN, END = "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"  # nbgrader's delimiters, unless a course says others
MARKERS = re.compile(rf"(?m)^[ \t]*### ({BEGIN}|{END})[^\n]*\n?")


def released(source: Source, course: Path) -> dict[str, NotebookNode]:
    """Return the notebooks as stock nbgrader generates them for students, by the course's own configuration.

    No gradebook is opened. Raises CourseError with what nbgrader says.
    """
    with tempfile.TemporaryDirectory() as folder:
        sources.write(source, Path(folder, "source", source.assignment))
        config = generating(_own_config(course))
        config.CourseDirectory.root = folder
        config.CourseDirectory.source_directory, config.CourseDirectory.release_directory = "source", "release"
        config.GenerateAssignment.no_database, config.SaveCells.enabled = True, False
        coursedir = CourseDirectory(config=config, assignment_id=source.assignment)
        step = GenerateAssignment(coursedir=coursedir, config=config)
        told = Reasons()
        step.log = logging.getLogger("bow2lora.adopt")
        step.log.setLevel(logging.ERROR)
        step.log.propagate = False
        step.log.addHandler(told)
        try:
            step.start()
        except Exception as error:  # nbgrader raises its own class for anything
            reason = told.reason or one_line(str(error))
            raise CourseError(f"{source.folder}: nbgrader does not generate it: {reason}") from None
        finally:
            step.log.removeHandler(told)
        made = Path(folder, "release", source.assignment)
        return {name: nbformat.read(made / f"{name}.ipynb", as_version=4) for name in source.notebooks}


def generating(config: Config) -> Config:
    """Return a configuration that generates an assignment as stock nbgrader does, without the steps of chapters."""
    config.GenerateAssignment.preprocessors = GenerateAssignment.preprocessors.default_args[0]
    config.ClearMarkScheme.enforce_metadata = True
    return config


class Reasons(logging.Handler):
    """Keeps the first error that nbgrader logs: what it raises says only that there was one."""

    reason = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the last line of the first message."""
        self.reason = self.reason or one_line(record.getMessage().strip().splitlines()[-1])


def template(source: Source, handed_out: dict[str, NotebookNode], table: Table) -> NotebookNode:
    """Return the notebooks that were handed out, with the whole test cells, marked by how each is graded."""
    whole = _cells(source)
    mine = copy.deepcopy(handed_out)
    for notebook in mine.values():
        _identify(notebook)
    made = joined(source.assignment, mine)
    names = {name: names_of(notebook) for name, notebook in source.notebooks.items()}
    for cell in made.cells:
        if cell.id in table.tests:
            cell.source = whole[cell.id].source
            mark_test(cell, table, names[notebook_of(cell) or source.assignment])
    return made


def with_our_marks(source: str, begin: str = BEGIN, end: str = END) -> str:
    """Return a test with the lines around its hidden parts as ours; nbgrader finds the words anywhere in a line."""
    return "\n".join(_with_our_mark(line, begin, end) for line in source.split("\n"))


def _with_our_mark(line: str, begin: str, end: str) -> str:
    if begin in line:
        return f"### {BEGIN}"
    return f"### {END}" if end in line else line


def all_hidden(source: str) -> str:
    """Return a test that is hidden as a whole."""
    return f"### {BEGIN}\n{MARKERS.sub('', source)}\n### {END}"


def solved(source: Source, table: Table) -> NotebookNode:
    """Return the instructor's own notebooks, their test cells marked."""
    names = {name: names_of(notebook) for name, notebook in source.notebooks.items()}
    made = joined(source.assignment, copy.deepcopy(source.notebooks))
    for cell in made.cells:
        if cell.id in table.tests:
            mark_test(cell, table, names[notebook_of(cell) or source.assignment])
    return made


def mark_test(cell: NotebookNode, table: Table, names: Mapping[str, list[str]]) -> None:
    """Say in a test cell's metadata how it is graded, and what it may rely on; its hidden parts get our marks."""
    found = table.tests[cell.id]
    cell.source = with_our_marks(cell.source, *table.delimiters)
    marks = cell.metadata.setdefault("bow2lora", NotebookNode())
    if found.hidden:
        marks.handed_out = cell_marks.visible(cell.source)
        cell.source = all_hidden(cell.source)
    marks.update(test=found.proof, **names)
    if found.why and not cell_marks.has_hidden(cell.source):  # students read it, and it may tell a hidden line
        marks.why = found.why


def tests_of(source: Source) -> dict[str, float]:
    """Return the points of an assignment's test cells, by name."""
    tests = {name: cell for name, cell in _cells(source).items() if cell.cell_type == "code" and _is_check(cell)}
    return {name: float(cell.metadata.nbgrader.points) for name, cell in tests.items()}


def by_hand(source: Source) -> dict[str, float]:
    """Return the points of what a person grades: answers in words or in code, tasks, locked texts with points."""
    mine = {name: cell for name, cell in _cells(source).items() if _is_by_hand(cell)}
    return {name: float(cell.metadata.nbgrader.points) for name, cell in mine.items()}


def _cells(source: Source) -> dict[str, NotebookNode]:
    """Return the cells of all notebooks by name."""
    found = {}
    for notebook, content in source.notebooks.items():
        for cell in content.cells:
            found[full_name(source.assignment, notebook, cell.id)] = cell
    return found


def _is_check(cell: NotebookNode) -> bool:
    return cell_marks.from_metadata(cell) == "check"


def _is_by_hand(cell: NotebookNode) -> bool:
    if _is_check(cell):
        return cell.cell_type != "code"
    return cell_marks.from_metadata(cell) in ("essay", cell_marks.TASK)


def mark_schemes(source: Source) -> dict[str, str]:
    """Return the mark schemes of an assignment's tasks, by name."""
    found = {name: cell_marks.mark_scheme(cell.source) for name, cell in _cells(source).items()}
    return {name: scheme for name, scheme in found.items() if scheme}


def names_of(notebook: NotebookNode) -> dict[str, list[str]]:
    """Return what a notebook's tests may rely on: the instructor's own statements, and the names that answers make."""
    kinds = [(cell.source, cell_marks.from_metadata(cell)) for cell in notebook.cells if cell.cell_type == "code"]
    cells = [(source, kind in ("exercise", "essay")) for source, kind in kinds if kind != "check"]
    others = [source for source, is_answer in cells if not is_answer]
    answers = own_names.of_answers([source for source, is_answer in cells if is_answer], others)
    return {"own": own_names.of_instructor(cells, answers), "answers": answers}


def _identify(notebook: NotebookNode) -> None:
    """Give the cells that nbgrader knows their grade_id as their id."""
    for cell in notebook.cells:
        if sources.is_marked(cell):
            cell.id = cell.metadata.nbgrader.grade_id


def delimiters(course: Path) -> tuple[str, str]:
    """Return the words between which a course hides parts of its tests."""
    own = _own_config(course).get("ClearHiddenTests", {})
    return str(own.get("begin_test_delimeter", BEGIN)), str(own.get("end_test_delimeter", END))


def _own_config(course: Path) -> Config:
    """Return the course's own configuration; where `grade` wrote it, it has ours for chapters in it."""
    if not (course / CONFIG).is_file():
        return Config()
    return PyFileConfigLoader(CONFIG, path=str(course)).load_config()
