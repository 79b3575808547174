"""From an edited instructor's notebook back to the text source: nothing that the marks can say is lost."""

from pathlib import Path

import jupytext
import nbformat

from autograder import marks
from autograder.source import SourceError

TITLED = ("given", "show")


def to_text(nb: nbformat.NotebookNode) -> str:
    """Return the text source of a notebook; building it again gives the same notebook."""
    out = nbformat.v4.new_notebook()
    exercise, count = "", dict.fromkeys(marks.OPTIONS, 0)
    for cell in nb.cells:
        kind = marks.from_metadata(cell)
        count[kind] += 1
        exercise = cell.metadata["nbgrader"]["grade_id"] if kind == "exercise" else exercise
        new = nbformat.v4.new_markdown_cell if cell.cell_type == "markdown" else nbformat.v4.new_code_cell
        mark = _options(cell, kind, exercise, count[kind])
        out.cells.append(new(cell.source, metadata=mark | {"lines_to_next_cell": 1}))
    out.metadata["jupytext"] = {"notebook_metadata_filter": "-all", "cell_metadata_filter": "all"}
    return jupytext.writes(out, fmt="py:percent")


def _options(cell, kind: str, exercise: str, number: int) -> dict:
    """Return the mark of a cell in jupytext's metadata."""
    if kind not in marks.FLAGS:
        return {"title": kind} if kind in TITLED else {}
    meta = cell.metadata["nbgrader"]
    prefix, grade_id = marks.PREFIX[kind], meta["grade_id"]
    default = exercise if kind == "check" else grade_id.removeprefix(prefix)
    name = grade_id.removeprefix(prefix) if grade_id.startswith(prefix) else default
    options = {"title": kind} if kind in TITLED else {kind: name}
    options |= {"points": _number(meta["points"])} if kind in ("check", "essay") else {}
    expected = f"{prefix}{number:02}" if kind == "given" else f"{prefix}{name}"
    return options | ({"id": grade_id} if grade_id != expected else {})


def _number(points: float) -> int | float:
    return int(points) if float(points).is_integer() else points


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """Read an .ipynb; raises SourceError with one line when it is not a notebook."""
    try:
        return nbformat.read(path, as_version=4)
    except FileNotFoundError:
        raise SourceError(f"{path}: there is no such file") from None
    except Exception as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise SourceError(f"{path}: not a notebook that can be read ({reason})") from None
