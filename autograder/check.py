"""Check one notebook: every check cell, what it says, and the score."""

from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder import marks, paths
from autograder.execute import judged_cells, new_shell, run, score
from autograder.importer import read_notebook
from autograder.rebuild import rebuild
from autograder.source import SourceError


@dataclass(frozen=True)
class Verdict:
    """One exercise: its score, its points, and the report that the student reads."""

    exercise: str
    score: float
    points: float
    text: str


def check(path: Path) -> tuple[list[Verdict], list[str]]:
    """Run a notebook's checks in this process; returns the verdicts and what had to be repaired."""
    template = template_for(path)
    notebook, repairs = rebuild(template, read_notebook(path))
    return verdicts(notebook), repairs


def template_for(path: Path) -> nbformat.NotebookNode:
    """Return the notebook that holds the checks: the instructor's where it was built, else the released one."""
    chapter = _chapter(path)
    source = paths.source_notebook(chapter)
    return nbformat.read(source if source.is_file() else paths.release_notebook(chapter), as_version=4)


def _chapter(path: Path) -> str:
    """Return the chapter of a notebook, by its name, the folder's name, or the ids in it."""
    known = [p.parent.name for p in paths.RELEASE.glob("*/*.ipynb") if p.stem == p.parent.name]
    for name in (path.stem, path.resolve().parent.name):
        if name in known:
            return name
    ids = {c.metadata.get("nbgrader", {}).get("grade_id") for c in read_notebook(path).cells} - {None}
    for name in known:
        if ids & {c.id for c in read_notebook(paths.release_notebook(name)).cells}:
            return name
    raise SourceError(f"{path}: no chapter has such cells; the chapters are {', '.join(known) or 'not built yet'}")


def verdicts(notebook: nbformat.NotebookNode) -> list[Verdict]:
    """Run the cells that are judged, in order, and return the verdict of each check."""
    shell, out = new_shell(), []
    for cell in judged_cells(notebook.cells):
        outcome = run(shell, cell.source)
        if marks.from_metadata(cell) == "check":
            points = float(cell.metadata["nbgrader"]["points"])
            text = outcome.text.strip() or f"{cell.id}: no result ({type(outcome.error).__name__}: {outcome.error})"
            out.append(Verdict(cell.id.removeprefix("check-"), score(outcome, points), points, text))
    return out
