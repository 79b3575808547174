"""An edited notebook's cells as those of a chapter's source, and all that keeps them from becoming one."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import jupytext
import nbformat

from autograder import cell_marks
from autograder.authoring.source import Cell, default_id, problems
from autograder.terminal import clean

LONGEST_QUOTE = 40  # characters of a cell that has no id
LOOKS_LIKE_A_MARK = re.compile(r"\s*#?\s*%")


class NotebookCell(Cell):
    """A cell of a notebook. It has no line of a file: its place is the notebook, its number and its id."""

    def at(self, line: int) -> str:
        """Return the place of a line of its text, counted from 1."""
        return f"{self.mark}, line {line}"

    @property
    def place(self) -> str:
        """Where the text is to be looked for."""
        return self.mark


def cells_of(nb: nbformat.NotebookNode, notebook: Path = Path("notebook")) -> list[Cell]:
    """Return the cells of a notebook as they are in a source; a check's text still has what the build put in."""
    cells: list[Cell] = []
    exercise, count = "", Counter[str]()
    for number, cell in enumerate(nb.cells, 1):
        kind = cell_marks.from_metadata(cell)
        count[kind] += 1
        name = _name(cell, kind, exercise)
        if kind == "exercise":
            exercise = name
        usual = default_id(kind, name, count[kind])
        grade_id = usual
        if kind in cell_marks.FLAGS:
            grade_id = str(cell.metadata["nbgrader"].get("grade_id", ""))
        source = cell.source
        if kind == "show":
            source = cell_marks.with_sizes(source, cell.metadata.get("bow2lora", {}))
        options = _options(cell, kind, name)
        if grade_id != usual:
            options["id"] = grade_id
        mark = f"{notebook}: cell {number} ({_called(cell)})"
        cells.append(NotebookCell(kind, name, options, grade_id, cell.cell_type, source, notebook, 0, mark))
    return cells


def _name(cell: nbformat.NotebookNode, kind: str, exercise: str) -> str:
    """Return the name of a cell's mark; a check whose id does not tell it is of the exercise before it."""
    if kind == "text":
        named = re.fullmatch(r"text-([a-z]\w*)", cell.get("id", ""))
        return named[1] if named else ""
    if kind not in ("exercise", "check", "essay"):
        return ""
    grade_id, prefix = str(cell.metadata["nbgrader"].get("grade_id", "")), cell_marks.PREFIX[kind]
    if kind == "check" and not grade_id.startswith(prefix):
        return exercise
    return grade_id.removeprefix(prefix)


def _options(cell: nbformat.NotebookNode, kind: str, name: str) -> dict:
    """Return what a cell's mark says, as `cell_marks.read_mark` returns it."""
    if kind == "text":
        return {kind: name} if name else {}
    if kind == "show":
        exact = cell_marks.EXACT in cell.metadata.get("tags", [])
        return {kind: True, "exact": True} if exact else {kind: True}
    if kind not in cell_marks.FLAGS:
        return {}
    options: dict = {kind: name if kind != "given" else True}
    if kind in ("check", "essay"):
        options["points"] = _number(cell.metadata["nbgrader"].get("points", 0))
    return options


def _number(points: object) -> object:
    return int(points) if isinstance(points, float) and points.is_integer() else points


def _called(cell: nbformat.NotebookNode) -> str:
    """Return what a person can look for in a notebook: a cell's id, or how its text begins."""
    if name := cell.metadata.get("nbgrader", {}).get("grade_id"):
        return str(name)
    first = next((line.strip() for line in cell.source.splitlines() if line.strip()), "")
    if len(first) > LONGEST_QUOTE:
        first = f"{first[:LONGEST_QUOTE]}..."
    return f"'{first}'" if first else "empty"


def complaints(notebook: Path, nb: nbformat.NotebookNode) -> list[str]:
    """Return a line for each thing that keeps a notebook from becoming a source, in the order of the cells."""
    cells = [replace(c, source=_without_values(c.source)) for c in cells_of(nb, notebook)]
    found = [*_not_held(cells, nb), *problems([c for c in cells if _may_be_held(c)])]
    order = {c.mark: number for number, c in enumerate(cells)}
    found.sort(key=lambda problem: order[problem[0].mark])
    return [" ".join(clean(f"{place}: {message}").splitlines()) for _, place, message in found]


def _without_values(source: str) -> str:
    """Return a check without what the build computed; the lines below keep their numbers."""
    return cell_marks.VALUES.sub(lambda found: "\n" * found[0].count("\n"), source)


def _may_be_held(c: Cell) -> bool:
    return c.kind != cell_marks.TASK and c.cell_type != "raw"


def _not_held(cells: list[Cell], nb: nbformat.NotebookNode) -> Iterator[tuple[Cell, str, str]]:
    """Yield what a notebook's cells have and a source cannot have, as `problems` does."""
    for c, cell in zip(cells, nb.cells, strict=True):
        if c.cell_type == "raw":
            yield c, c.mark, "a chapter has no raw cells; make it a markdown cell, or delete it"
        elif c.kind == cell_marks.TASK:
            yield c, c.mark, "a chapter has no tasks of nbgrader's; make it a manually graded answer"
        else:
            yield from ((c, c.mark, message) for message in _lost(c, cell))
            if (line := _misread(c)) is not None:
                message = f"'{line}' would be read as a mark or a command; begin the line in another way"
                yield c, c.mark, message


def _lost(c: Cell, cell: nbformat.NotebookNode) -> Iterator[str]:
    """Yield what of a cell beside its text would not come back."""
    kept = cell_marks.to_metadata(c.kind, c.options, c.grade_id)
    for tag in cell.metadata.get("tags", []):
        if tag not in kept.get("tags", []):
            yield f"the tag '{tag}' would be lost; take it off"
    had = cell.metadata.get("bow2lora", {})
    sizes = cell_marks.without_sizes(c.source)[1] if c.kind == "show" else {}
    if had != sizes:
        names = ", ".join(sorted({name for of_budget in had.values() for name in of_budget}))
        yield f"the other sizes of {names} would be lost; keep the line that sets each, or make the cell anew"
    for name in cell.get("attachments", {}):
        yield f"the picture '{name}' that was pasted in would be lost; a chapter's drawings lie in its figures/"


def _misread(c: Cell) -> str | None:
    """Return the line of a cell that a text notebook does not hold as it is, None if it holds all."""
    new = nbformat.v4.new_markdown_cell if c.cell_type == "markdown" else nbformat.v4.new_code_cell
    alone = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("0"), new(c.source)])
    back = jupytext.reads(jupytext.writes(alone, fmt="py:percent"), fmt="py:percent").cells[1:]
    if [(b.cell_type, b.source.strip("\n")) for b in back] == [(c.cell_type, c.source.strip("\n"))]:
        return None
    lines = c.source.splitlines()
    return next((line.strip() for line in lines if LOOKS_LIKE_A_MARK.match(line)), lines[0] if lines else "")


def by_another_author(nb: nbformat.NotebookNode) -> bool:
    """Whether a notebook has labels of nbgrader's and no check of this course."""
    kinds = {cell_marks.from_metadata(cell) for cell in nb.cells}
    labelled = kinds & {*cell_marks.FLAGS, cell_marks.TASK}
    return bool(labelled) and not any("graded(" in cell.source for cell in nb.cells if cell.cell_type == "code")
