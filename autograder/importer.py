"""From an edited instructor's notebook back to the text source: nothing that the marks can say is lost."""

from itertools import zip_longest
from pathlib import Path

import jupytext
import nbformat

from autograder import marks
from autograder.build import to_notebook
from autograder.source import SourceError, read

TITLED = ("given", "show")


def import_notebook(notebook: Path, target: Path) -> None:
    """Write a notebook's text source to `target`, if the text holds all that the notebook does.

    Raises SourceError, and leaves the target as it is, where a cell would not come back as it was.
    """
    nb = read_notebook(notebook)
    if not nb.cells:
        raise SourceError(f"{notebook}: the notebook has no cells")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    try:
        part.write_text(to_text(nb), encoding="utf-8")
        _hold_all(notebook, nb, to_notebook(read(part, total=None)))
        part.replace(target)
    except SourceError as error:
        raise SourceError(str(error).replace(str(part), f"{notebook}, as text")) from None
    finally:
        part.unlink(missing_ok=True)


def _hold_all(path: Path, nb: nbformat.NotebookNode, again: nbformat.NotebookNode) -> None:
    """Raise SourceError for the first cell that the text does not hold."""
    for i, (cell, back) in enumerate(zip_longest(nb.cells, again.cells), 1):
        if cell is None or back is None or _content(cell) != _content(back):
            raise SourceError(
                f"{path}: cell {i} would be lost or changed (the text holds code and markdown cells with nbgrader's "
                "labels, no raw cells, no other tags, and no line that begins with # %%); the source was left as it is"
            )


def _content(cell: nbformat.NotebookNode) -> tuple:
    return cell.cell_type, cell.source.rstrip(), cell.metadata.get("nbgrader"), cell.metadata.get("tags", [])


def to_text(nb: nbformat.NotebookNode) -> str:
    """Return the text source of a notebook; building it again gives the same notebook."""
    out = nbformat.v4.new_notebook()
    exercise, count = "", dict.fromkeys(marks.OPTIONS, 0)
    for cell in nb.cells:
        kind = marks.from_metadata(cell)
        count[kind] += 1
        exercise = cell.metadata["nbgrader"].get("grade_id", "") if kind == "exercise" else exercise
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
    prefix, grade_id = marks.PREFIX[kind], meta.get("grade_id", "")
    default = exercise if kind == "check" else grade_id.removeprefix(prefix)
    name = grade_id.removeprefix(prefix) if grade_id.startswith(prefix) else default
    options = {"title": kind} if kind in TITLED else {kind: name}
    options |= {"points": _number(meta.get("points", 0))} if kind in ("check", "essay") else {}
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
