"""The answers that the audit tries: tests/variants/<chapter>/<exercise>.py, in percent format.

    # %% wrong="counts each word once" says="once"
    def term_frequency(...): ...

    # %% right="with a Counter"
    def term_frequency(...): ...

    # %% wrong="relative to the vocabulary" says="size of the vocabulary" of="with a Counter"
    #~ len(tokens) => len(vocabulary)

    # %% base="the plain way"
    def term_frequency(...): ...

`says` is a part of the diagnosis that the student must read. `clause="..."` quotes the words of the chapter that a
wrong answer breaks, and those alone: it must fail a visible case, too, so that a student sees it while working.

A variant holds only what differs from the solution: what it does not define is the solution's. It may be an edit
(autograder.authoring.edits) of the solution, or of what `of` names: another variant, or a base, which is tried by
nobody and need not be right.
"""

from dataclasses import dataclass
from pathlib import Path

import jupytext

from autograder import cell_marks, paths
from autograder.authoring.edits import edited, is_edit
from autograder.authoring.source import SourceError, read


@dataclass(frozen=True)
class Variant:
    """One answer written on purpose, right or wrong."""

    exercise: str
    name: str
    right: bool
    says: str
    source: str
    clause: str = ""  # the words of the chapter that it breaks


def variants(chapter: str) -> list[Variant]:
    """Return all variants of a chapter, by exercise; raises SourceError for a cell without its mark."""
    cells = read(paths.source_text(chapter))
    solutions = {c.name: cell_marks.SOLUTION.sub("", c.source) for c in cells if c.kind == "exercise"}
    files = sorted((paths.VARIANTS / chapter).glob("*.py"))
    return [v for path in files for v in _read(path, solutions.get(path.stem, ""))]


def _read(path: Path, solution: str) -> list[Variant]:
    cells = jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent").cells
    cells = [cell for cell in cells if cell.cell_type != "markdown" and cell.source.strip()]
    wholes = {"": solution} | {_name(path, cell): cell.source for cell in cells}
    out = []
    for cell in cells:
        meta, name = cell.metadata, _name(path, cell)
        if "base" in meta:
            continue
        source = _whole(path, cell, wholes) if is_edit(cell.source) else cell.source
        out.append(Variant(path.stem, name, "right" in meta, meta.get("says", ""), source, meta.get("clause", "")))
    return out


def _whole(path: Path, cell, wholes: dict[str, str]) -> str:
    """Return the code of a variant that is an edit."""
    of = cell.metadata.get("of", "")
    try:
        return edited(wholes[of], cell.source)
    except KeyError:
        raise SourceError(f"{path}: '{_name(path, cell)}' is an edit of '{of}', which is not there") from None
    except ValueError as error:
        raise SourceError(f"{path}: the edit '{_name(path, cell)}' does not fit: {error}") from None


def _name(path: Path, cell) -> str:
    """Return a variant's name, which is its mark's."""
    meta = cell.metadata
    kinds = [kind for kind in ("right", "wrong", "base") if kind in meta]
    if len(kinds) != 1 or (kinds == ["wrong"] and "says" not in meta):
        raise SourceError(f'{path}: each cell needs right="..." or wrong="..." says="...": {cell.source[:50]!r}')
    return meta[kinds[0]]
