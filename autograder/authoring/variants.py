"""The answers that the audit tries: tests/variants/<chapter>/<exercise>.py, in percent format.

    # %% wrong="counts each word once" says="once"
    def term_frequency(...): ...

    # %% right="with a Counter"
    def term_frequency(...): ...

`says` is a part of the diagnosis that the student must read.
"""

from dataclasses import dataclass
from pathlib import Path

import jupytext

from autograder import paths
from autograder.authoring.source import SourceError


@dataclass(frozen=True)
class Variant:
    """One answer written on purpose, right or wrong."""

    exercise: str
    name: str
    right: bool
    says: str
    source: str


def variants(chapter: str) -> list[Variant]:
    """Return all variants of a chapter, by exercise; raises SourceError for a cell without its mark."""
    files = sorted((paths.VARIANTS / chapter).glob("*.py"))
    return [v for path in files for v in _read(path)]


def _read(path: Path) -> list[Variant]:
    cells = jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent").cells
    out = []
    for cell in cells:
        meta = cell.metadata
        right = "right" in meta
        if cell.cell_type == "markdown" or not cell.source.strip():
            continue
        if right == ("wrong" in meta) or (not right and "says" not in meta):
            raise SourceError(f'{path}: each cell needs right="..." or wrong="..." says="...": {cell.source[:50]!r}')
        out.append(Variant(path.stem, meta.get("right") or meta["wrong"], right, meta.get("says", ""), cell.source))
    return out
