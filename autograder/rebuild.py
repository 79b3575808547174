"""Rebuild a submission: the instructor's template with only the student's answers put in.

Whatever happened to the submitted notebook (cells copied, moved, deleted, retagged, metadata lost), what is graded has
the template's cells in the template's order. Answers are found by grade_id, then by nbformat cell id, then by the
name that the stub defines. Code cells of the student's own are kept where they were.
"""

from collections import defaultdict

import nbformat
from nbformat import NotebookNode

from autograder import marks
from autograder.names import defined_names

ANSWERS = ("exercise", "essay")


def rebuild(template: NotebookNode, submitted: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """Return the template filled with the student's answers, and one line for each repair."""
    finder = Finder(template)
    answers: dict[str, list[NotebookNode]] = defaultdict(list)
    extras: dict[str, list[NotebookNode]] = defaultdict(list)
    after = ""
    for cell in submitted.cells:
        grade_id = finder.find(cell)
        if grade_id is None and cell.cell_type == "code" and cell.source.strip():
            extras[after].append(_extra(cell))
        after = grade_id or after
        if grade_id:
            answers[grade_id].append(cell)
    repairs = finder.repairs + _missing(template, answers)
    cells = list(extras.get("", []))
    for cell in template.cells:
        cells.append(_answered(cell, answers, repairs))
        cells += extras.get(cell.id, [])
    return _notebook(template, cells), repairs


class Finder:
    """Says which cell of the template a submitted cell stands for."""

    def __init__(self, template: NotebookNode):
        self.by_id = {c.id: c for c in template.cells}
        self.by_name = {
            name: c.id
            for c in template.cells
            if marks.from_metadata(c) == "exercise"
            for name in defined_names(c.source)
        }
        self.repairs: list[str] = []

    def find(self, cell: NotebookNode) -> str | None:
        """Return the template's cell id, or None for a cell of the student's own."""
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if grade_id in self.by_id and self._plausible(cell, grade_id):
            return grade_id
        if cell.get("id") in self.by_id:
            return cell.id
        names = defined_names(cell.source) if cell.cell_type == "code" else []
        found = next((self.by_name[n] for n in names if n in self.by_name), None)
        if found:
            self.repairs.append(f"'{found}': found by the name of its function; its cell had lost its label")
        return found

    def _plausible(self, cell: NotebookNode, grade_id: str) -> bool:
        """A copied label on another exercise's function does not count."""
        names = [self.by_name[n] for n in defined_names(cell.source) if n in self.by_name]
        return not names or grade_id in names or marks.from_metadata(self.by_id[grade_id]) != "exercise"


def _missing(template: NotebookNode, answers: dict) -> list[str]:
    lines = []
    for cell in template.cells:
        kind = marks.from_metadata(cell)
        if kind in (*ANSWERS, "check") and cell.id not in answers:
            lines.append(f"'{cell.id}': the cell was missing; the original was put back")
    return lines


def _answered(cell: NotebookNode, answers: dict, repairs: list[str]) -> NotebookNode:
    """Return the template's cell, with the student's source if it is one that the student writes."""
    new = NotebookNode({k: v for k, v in cell.items() if k not in ("outputs", "execution_count")})
    if cell.cell_type == "code":
        new.outputs, new.execution_count = [], None
    found = answers.get(cell.id, [])
    if marks.from_metadata(cell) in ANSWERS and found:
        edited = [c for c in found if c.source.strip() not in ("", cell.source.strip())]
        new.source = (edited or found)[-1].source
        if len(found) > 1:
            repairs.append(f"'{cell.id}': {len(found)} copies of the cell; the last edited one counts")
        if found[-1].cell_type != cell.cell_type:
            repairs.append(f"'{cell.id}': the cell type was changed back to {cell.cell_type}")
    return new


def _extra(cell: NotebookNode) -> NotebookNode:
    return nbformat.v4.new_code_cell(cell.source)


def _notebook(template: NotebookNode, cells: list[NotebookNode]) -> NotebookNode:
    """Give the student's own cells ids of their own, so that all ids stay unique and repeatable."""
    taken, number = {c.id for c in template.cells}, 0
    for cell in cells:
        if cell.id not in taken:
            number += 1
            cell.id = f"own-{number:02}"
    return nbformat.v4.new_notebook(metadata=template.metadata, cells=cells)
