"""Which cells of a notebook run while judging; how they run is helpers.cells."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from autograder import cell_marks
from helpers.cells import Outcome, new_shell, run, run_code, score

if TYPE_CHECKING:  # importing it takes a second, and runners need none of it
    from nbformat import NotebookNode

__all__ = ["Outcome", "judged_cells", "new_shell", "run", "run_code", "score"]


def judged_cells(cells: "Iterable[NotebookNode]") -> "list[NotebookNode]":
    """Return the code cells that run while judging: all but the show cells."""
    return [c for c in cells if c.cell_type == "code" and cell_marks.from_metadata(c) != "show"]
