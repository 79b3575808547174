"""Questions that come and go after the first grade: nbgrader refuses such a chapter, so the cells are brought in line.

Only what a course's file drops or adds is touched; any other cell that comes or goes is left for nbgrader to refuse.
"""

from collections.abc import Callable, Set
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Comment, Grade, Gradebook, GradeCell, SolutionCell, SourceCell
from nbgrader.utils import is_grade, is_locked, is_solution
from sqlalchemy import delete, select


def is_source(cell: NotebookNode) -> bool:
    """Whether nbgrader keeps the text of a cell."""
    return is_grade(cell) or is_solution(cell) or is_locked(cell)


KINDS: dict[Any, Callable[[NotebookNode], bool]] = {GradeCell: is_grade, SolutionCell: is_solution}
KINDS[SourceCell] = is_source
OF_STUDENTS = {GradeCell: Grade, SolutionCell: Comment}  # what a student has of a cell


def reshape(book: Gradebook, chapter: str, wanted: NotebookNode, allowed: Set[str]) -> bool:
    """Take out and put in the cells with these ids, so that the chapter has those of `wanted`; whether any changed.

    For work that is there already a new question has no points yet; those of one that goes are gone.
    """
    mine = [assignment for assignment in book.assignments if assignment.name == chapter]
    notebook = next((notebook for assignment in mine for notebook in assignment.notebooks), None)
    if notebook is None or not notebook.submissions:
        return False
    changed = False
    for kind, fits in KINDS.items():
        cells = book.db.execute(select(kind).where(kind.notebook_id == notebook.id)).scalars()
        there = {cell.name: cell for cell in cells}
        cells = {c.metadata["nbgrader"]["grade_id"]: c for c in wanted.cells if fits(c)}
        for name in (there.keys() - cells.keys()) & allowed:
            _take_out(book, kind, there[name])
            changed = True
        for name in sorted((cells.keys() - there.keys()) & allowed):
            _put_in(book, kind, name, cells[name], notebook)
            changed = True
    return changed


def _take_out(book: Gradebook, kind: type, cell) -> None:
    if kind in OF_STUDENTS:
        book.db.execute(delete(OF_STUDENTS[kind]).where(OF_STUDENTS[kind].cell_id == cell.id))
    book.db.delete(cell)
    book.db.flush()


def _put_in(book: Gradebook, kind: type, name: str, cell: NotebookNode, notebook) -> None:
    more = {}
    if kind is not SolutionCell:
        more["cell_type"] = cell.cell_type
    if kind is GradeCell:
        more["max_score"] = float(cell.metadata["nbgrader"]["points"])
    if kind is SourceCell:
        more |= {"source": cell.source, "locked": is_locked(cell)}
    made = kind(name=name, notebook=notebook, **more)
    book.db.add(made)
    book.db.flush()
    if kind in OF_STUDENTS:
        book.db.add_all([OF_STUDENTS[kind](cell_id=made.id, notebook_id=s.id) for s in notebook.submissions])
        book.db.flush()
