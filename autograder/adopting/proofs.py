"""Try the test cells of an assignment on the solved notebook and the stub: judged outside, and beside the answers."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from nbformat import NotebookNode

from autograder import cell_marks, paths
from autograder.adopted_table import PROVED, UNPROVED, Table, TestCell, adopt_again, read, write
from autograder.adopting import source as sources
from autograder.adopting import template as templates
from autograder.adopting.source import Source
from autograder.execution import result_cache, results
from autograder.execution.dispatch import Backend, Worker
from autograder.execution.time_limits import CELL_SECONDS, TOTAL_SECONDS
from autograder.jobs import JobLimits
from autograder.judge.test_runs import SHOWN, TRIAL
from autograder.terminal import one_line
from helpers.errors import CourseError

PROCESSOR_SECONDS = 120.0  # for all tests of a submission: others' tests may train something
BUILT = Path("build/source")  # where nbgrader's configuration of a course that is graded looks
LIMITS = JobLimits(float(CELL_SECONDS), float(TOTAL_SECONDS), processor=PROCESSOR_SECONDS)


@dataclass(frozen=True)
class Tried:
    """What came of one run of the test cells: points and reasons by name; stopped: a line on each cell that stopped."""

    scores: Mapping[str, float]
    reasons: Mapping[str, str]
    stopped: tuple[str, ...]


@dataclass(frozen=True)
class Adopted:
    """An adopted assignment: its table, and what stopped in the solved notebooks."""

    table: Table
    stopped: tuple[str, ...]


def adopt(folder: Path, course: Path, make: Backend) -> Adopted:
    """Try the test cells of an assignment, and write its table into a course; make: makes what runs them.

    Raises CourseError where there is nothing to adopt, or the notebooks could not be run.
    """
    source, course = sources.read(folder), course.resolve()
    if (chapter := paths.chapter(source.assignment)) in paths.chapters():
        raise CourseError(f"{folder}: {source.assignment} is what {chapter} is called by here; rename the folder")
    handed_out = templates.released(source, course)
    points = templates.tests_of(source)
    blank = Table(
        source.assignment,
        _place(source.folder, course),
        source.digest,
        tuple(source.notebooks),
        delimiters=templates.delimiters(course),
    )
    with contextlib.closing(make()) as worker:
        outside = {name: TestCell(p, PROVED) for name, p in points.items()}
        first = replace(blank, tests=outside)
        notebooks = {
            "model": templates.solved(source, first),
            "stub": templates.template(source, handed_out, first),
        }
        found = {
            (whose, way): _tried(notebook, source, way, worker)
            for whose, notebook in notebooks.items()
            for way in (SHOWN, TRIAL)
        }
        visible = found["model", SHOWN]
        if any(cell_marks.has_hidden(cell.source) for cell in notebooks["model"].cells):
            visible = _tried(notebooks["model"], source, SHOWN, worker, whole=False)
    tests = {name: _proof(name, p, found) for name, p in points.items()}
    tests = {name: replace(t, hidden=t.proof == PROVED and visible.scores[name] < 1) for name, t in tests.items()}
    hand = templates.by_hand(source) | {n: t.points for n, t in tests.items() if t.proof == cell_marks.PERSON}
    table = replace(blank, tests=tests, by_hand=hand)
    sources.write(source, course / BUILT / source.assignment)
    write(course, table)
    return Adopted(table, found["model", SHOWN].stopped)


def _place(folder: Path, course: Path) -> str:
    """Return where an assignment's source lies: seen from the course if it is in it, since a course may be moved."""
    folder = folder.resolve()
    return str(folder.relative_to(course) if folder.is_relative_to(course) else folder)


def _tried(notebook: NotebookNode, source: Source, way: str, worker: Worker, whole: bool = True) -> Tried:
    """Run notebooks in one way, hidden parts of tests as if they were none; not `whole`: without them."""
    plain = result_cache.job(source.assignment, "", notebook, LIMITS, "", "", source.files)
    cells = [replace(c, points=c.points or 1.0) if c.test else c for c in plain.cells]
    open_ = [replace(c, source=templates.MARKERS.sub("", c.source)) if c.test else c for c in cells]
    job = replace(plain, way=way, cells=tuple(open_ if whole else cells))
    result = results.checked(worker.run(job), job)
    if result["failure"]:
        raise CourseError(f"{source.folder}: {result['failure']}")
    scores = {check["id"]: check["score"] / check["points"] for check in result["checks"]}
    reasons = {check["id"]: _reason(check) for check in result["checks"]}
    return Tried(scores, reasons, tuple(results.stopped_cells(result["cells"])))


def _reason(check: Mapping) -> str:
    """Return why a test did not pass, in a clause: the line that says what was raised, else the first."""
    lines = [line.strip() for line in check["report"].splitlines()[1:]]
    told = next((line for line in reversed(lines) if not line.startswith(("left:", "right:"))), "")
    return one_line(told or check["reason"] or "it does not pass")


def _proof(name: str, points: float, found: Mapping[tuple[str, str], Tried]) -> TestCell:
    """Return how a test cell is graded: proved where the model earns all and the stub nothing, judged outside."""
    model, stub = found["model", SHOWN], found["stub", SHOWN]
    if model.scores[name] == 1 and stub.scores[name] == 0:
        return TestCell(points, PROVED)
    outside = model.reasons[name] if model.scores[name] < 1 else "judged outside, the stub passes it"
    model, stub = found["model", TRIAL], found["stub", TRIAL]
    if model.scores[name] == 1 and stub.scores[name] == 0:
        return TestCell(points, UNPROVED, outside)
    if model.scores[name] < 1:
        return TestCell(points, cell_marks.PERSON, f"the solved notebook does not pass it: {model.reasons[name]}")
    return TestCell(points, cell_marks.PERSON, "the stub passes it, too")


def ensure_unchanged(course: Path, assignment: str) -> Table:
    """Return the table of an assignment; CourseError if it was not adopted, or its source is another one now."""
    table = read(course, assignment)
    again = adopt_again(course, assignment)
    if table is None or not (course / BUILT / assignment).is_dir():
        raise CourseError(f"{course}: {assignment} was not adopted; {again}")
    folder = course / table.folder
    if folder.is_dir() and sources.digest_of(folder) != table.source:
        raise CourseError(f"{folder}: changed since it was adopted; {again}")
    return table
