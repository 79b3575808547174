"""Check one notebook: every check cell, what it says, and the score."""

from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder import marks, paths
from autograder.build import fresh
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
    chapter = chapter_of(path)
    released = nbformat.read(paths.release_notebook(chapter), as_version=4)
    notebook, repairs = rebuild(released, read_notebook(path))
    return verdicts(_with_hidden_tests(notebook, chapter)), repairs


def _with_hidden_tests(notebook: nbformat.NotebookNode, chapter: str) -> nbformat.NotebookNode:
    """Put the instructor's check cells in, where the chapter's source is there."""
    source = fresh(chapter)
    if source.is_file():
        checks = {c.id: c for c in nbformat.read(source, as_version=4).cells if marks.from_metadata(c) == "check"}
        notebook.cells = [checks.get(c.id, c) for c in notebook.cells]
    return notebook


def chapter_of(path: Path) -> str:
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
