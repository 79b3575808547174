"""Why a student's cell does not parse, where the file itself tells: said to them and to whoever grades."""

import re
import sys
from collections.abc import Iterator

from nbformat import NotebookNode

from autograder.submissions import conflicts
from autograder.syntax import functions
from helpers.checks.characters import explained, syntax_error

MAX_CELLS = 20  # of a notebook that are explained
VERSION = re.compile(r"(\d{1,2})\.(\d{1,3})(?:\D.*)?", re.DOTALL)
LONGEST_VERSION = 40  # characters
Version = tuple[int, int]


def told(notebook: NotebookNode, template: NotebookNode, written: Version | None) -> Iterator[tuple[str, str]]:
    """Yield (cell, what is wrong) of the student's cells in a rebuilt notebook; written: the Python of the student."""
    given = {c.id: c.source for c in template.cells}
    mine = [c for c in notebook.cells if c.source != given.get(c.id)]
    broken = [c for c in mine if c.cell_type == "code" and functions(c.source) is None]
    for cell in broken[:MAX_CELLS]:
        yield from ((cell.id, words) for words in _reasons(cell.source, written))
    for cell in mine:
        if cell.cell_type == "markdown" and cell.id in given and (line := conflicts.line_in(cell.source)):
            yield cell.id, f"conflict markers of git in line {line}"


def _reasons(source: str, written: Version | None) -> Iterator[str]:
    if syntax_error(source) is None:  # what IPython takes beyond Python
        return
    here = sys.version_info[:2]
    if line := conflicts.line_in(source):
        yield f"conflict markers of git in line {line}"
    elif words := explained(source):
        yield f"does not parse, {words}"
    elif written is not None and written > here:
        yield f"does not parse; written with Python {_name(written)}, graded with {_name(here)}"


def written_with(submitted) -> Version | None:
    """Return the version of Python that anything that may be a notebook names; None where it names none."""
    found = submitted
    for key in ("metadata", "language_info", "version"):
        found = found.get(key) if isinstance(found, dict) else None
    match = VERSION.fullmatch(found) if isinstance(found, str) and len(found) <= LONGEST_VERSION else None
    return (int(match[1]), int(match[2])) if match else None


def _name(version: Version) -> str:
    return f"{version[0]}.{version[1]}"
