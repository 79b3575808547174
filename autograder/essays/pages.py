"""A page for each essay: the question, how it is marked, all answers; no names, no scripts, nothing loaded."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import nbformat
from markupsafe import Markup

from autograder import cell_marks
from autograder.essays.answers import Answer
from autograder.essays.rubric import Item, taken_apart
from autograder.essays.sheets import Mark
from autograder.report.page import render
from autograder.submissions.markup import shown
from helpers.files import write_whole


def write(
    source: Path, essay: str, answers: Sequence[Answer], points: float, folder: Path, items: Sequence[Item],
    known: Mapping[str, Mark],
) -> Path:  # fmt: skip
    """Write the page of an essay; returns its path. source: the instructor's notebook; known: marks, by number."""
    question, scheme = question_and_scheme(source, essay)
    told = [(answer, Markup(answer.text), _ticked(known.get(answer.number))) for answer in answers]
    page = render(
        "essay.html", chapter=source.stem, essay=essay, points=points, answers=told,
        question=Markup(question), scheme=Markup(shown(scheme).replace("&#10;", "\n")), items=items,
    )  # fmt: skip
    path = folder / f"{essay}.html"
    write_whole(path, page.encode("utf-8"))
    return path


def _ticked(mark: Mark | None) -> dict[str, str]:
    return taken_apart(mark.comment)[1] if mark else {}


def question_and_scheme(source: Path, essay: str) -> tuple[str, str]:
    """Return what was asked (the text cell before the essay) as HTML, and the mark scheme as it was typed."""
    notebook = nbformat.read(source, as_version=4)
    ids = [cell.id for cell in notebook.cells]
    at = ids.index(f"{cell_marks.PREFIX['essay']}{essay}")
    asked = next((c.source for c in reversed(notebook.cells[:at]) if c.cell_type == "markdown"), "")
    return shown(asked).replace("&#10;", "\n"), cell_marks.mark_scheme(notebook.cells[at].source)
