"""A chapter as one course has it: exercises dropped, added and weighted otherwise, without a touch on its source.

    [chapters.01_spam]
    drop = ["bm25", "swap"]           # exercises and essays by their names
    points = {tfidf = 10}
    add = ["more/trigrams.py"]        # stories of exercises in the course's folder, as CONTRIBUTING.md says
    total = 100                       # all points scaled to this sum

What a dropped exercise defines is given from the start, so that what comes later in the chapter still runs.
"""

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import cell_marks, course_file
from autograder.authoring import build
from autograder.authoring.known_mistakes import with_mistake_values
from autograder.authoring.source import Cell, read
from helpers.errors import CourseError

DROPPED = "dropped"  # in the notebook's metadata: the ids of cells that are not part of it any more
ADDED = "added"  # and of those that the course has put in
WITHOUT = "*This question is not part of this course.*"
GIVEN = "*This exercise is not part of this course; the answer is given.*"
POINTS_IN_TEXT = re.compile(r"(\d+ minutes, ★+, )[\d.]+ points")  # in the text before an exercise
POINTS_IN_CHECK = re.compile(r"(@graded\([^,\n]+, points=)[\d.]+\)")


@dataclass(frozen=True)
class Change:
    """What a course's file says of one chapter; false if nothing. place: where it says so."""

    place: str = ""
    drop: tuple[str, ...] = ()
    points: Mapping[str, float] = field(default_factory=dict)
    add: tuple[Path, ...] = ()
    total: float | None = None

    def __bool__(self) -> bool:
        return bool(self.drop or self.points or self.add or self.total is not None)


def change_of(course: Path, chapter: str) -> Change:
    """Return what a course changes of a chapter; raises CourseError, which names what is wrong."""
    path = course / course_file.FILE
    tables = course_file.read(course).chapters
    mine = course_file.by_chapter(path, tables).get(chapter, course_file.ChapterTable())
    add = tuple(course / name for name in mine.add)
    return Change(f"{path}: [chapters.{chapter}]", tuple(mine.drop), mine.points, add, mine.total)


def adapted(notebook: NotebookNode, change: Change) -> NotebookNode:
    """Return the instructor's notebook as the course has it; raises CourseError where the change does not fit it."""
    nb = copy.deepcopy(notebook)
    new = [c for n, path in enumerate(change.add, 1) for c in _cells_to_add(nb, n, path, change)]
    last = max((i for i, c in enumerate(nb.cells) if cell_marks.from_metadata(c) in ("check", "essay")), default=-1)
    nb.cells[last + 1 : last + 1] = new
    _all_known(nb, change)
    gone = {f"{cell_marks.PREFIX[kind]}{name}" for name in change.drop for kind in ("check", "essay")}
    nb.metadata["bow2lora"] = {DROPPED: sorted({*gone, *change.drop}), ADDED: sorted(c.id for c in new)}
    nb.cells = [one for cell in nb.cells for one in _without(cell, change, gone)]
    _weigh(nb, change)
    return nb


def moved(notebook: NotebookNode) -> set[str]:
    """Return the ids of the cells that a course took out of a notebook or put into it."""
    ours = notebook.metadata.get("bow2lora", {})
    return {*ours.get(DROPPED, []), *ours.get(ADDED, [])}


def added(path: Path) -> list[Cell]:
    """Return the cells of a story that a course adds to a chapter."""
    return read(path, total=None)


def solutions(notebook: NotebookNode, change: Change) -> list[str]:
    """Return the texts of the answers that a course gives to its students on purpose."""
    return [cell_marks.SOLUTION.sub("", c.source) for c in notebook.cells if c.id in change.drop]


def _cells_to_add(nb: NotebookNode, number: int, path: Path, change: Change) -> list[NotebookNode]:
    """Return the cells of a story that is put behind the last question; given and text cells get ids of their own.

    Its checks have the values of known mistakes, which may use what the story defines itself.
    """
    taken, cells = {cell.id for cell in nb.cells}, build.to_notebook(with_mistake_values(added(path))).cells
    for cell in cells:
        if not _name(cell):
            cell.id = f"added{number}-{cell.id}"
            if "nbgrader" in cell.metadata:
                cell.metadata["nbgrader"]["grade_id"] = cell.id
        if cell.id in taken:
            raise CourseError(f"{change.place}: add: the chapter has a '{cell.id}' already; give it another name")
    return cells


def _all_known(nb: NotebookNode, change: Change) -> None:
    """Raise CourseError for a name that is none of the chapter's, or if nothing would be left."""
    known = [name for c in nb.cells if (name := _name(c)) and cell_marks.from_metadata(c) != "exercise"]
    for name in [*change.drop, *change.points]:
        if name not in known:
            raise CourseError(f"{change.place}: there is no question '{name}'; there are: {', '.join(known)}")
    for name in change.points:
        if name in change.drop:
            raise CourseError(f"{change.place}: '{name}' is dropped and has points; take one of the two away")
    if set(known) <= set(change.drop):
        raise CourseError(f"{change.place}: no question is left")


def _name(cell: NotebookNode) -> str:
    """Return the name of an exercise or essay, "" for another cell."""
    kind = cell_marks.from_metadata(cell)
    return cell.id.removeprefix(cell_marks.PREFIX[kind]) if kind in ("exercise", "check", "essay") else ""


def _without(cell: NotebookNode, change: Change, gone: set[str]) -> list[NotebookNode]:
    """Return what stands for a cell where questions are dropped: itself, mostly."""
    kind = cell_marks.from_metadata(cell)
    if kind == "exercise" and cell.id in change.drop:
        cell.source = cell_marks.SOLUTION.sub("", cell.source)
        cell.metadata = cell_marks.to_metadata("given", {}, cell.id)
        return [nbformat.v4.new_markdown_cell(GIVEN, id=f"without-{cell.id}"), cell]
    if kind == "essay" and cell.id in gone:
        return [nbformat.v4.new_markdown_cell(WITHOUT, id=f"without-{cell.id}")]
    return [] if kind == "check" and cell.id in gone else [cell]


def _weigh(nb: NotebookNode, change: Change) -> None:
    """Set the points of all questions, and the texts that say them."""
    graded = [c for c in nb.cells if cell_marks.from_metadata(c) in ("check", "essay")]
    points = {_name(c): change.points.get(_name(c), c.metadata["nbgrader"]["points"]) for c in graded}
    if change.total is not None:
        points = _scaled(points, change.total)
    text = None
    for cell in nb.cells:
        name = _name(cell)
        if cell.cell_type == "markdown" and POINTS_IN_TEXT.search(cell.source) and not name:
            text = cell
        if cell_marks.from_metadata(cell) in ("exercise", "essay") and text is not None and name in points:
            text.source, text = POINTS_IN_TEXT.sub(rf"\g<1>{points[name]:g} points", text.source), None
        if cell_marks.from_metadata(cell) in ("check", "essay"):
            cell.metadata["nbgrader"]["points"] = points[name]
            cell.source = POINTS_IN_CHECK.sub(rf"\g<1>{points[name]:g})", cell.source)


def _scaled(points: Mapping[str, float], total: float) -> dict[str, float]:
    """Return points in the same proportions whose sum is exactly `total`, in hundredths."""
    whole, cents = sum(points.values()), round(100 * total)
    floor = {name: int(value * cents / whole) for name, value in points.items()}
    rest = sorted(points, key=lambda name: floor[name] - points[name] * cents / whole)
    for name in rest[: cents - sum(floor.values())]:
        floor[name] += 1
    return {name: value / 100 for name, value in floor.items()}
