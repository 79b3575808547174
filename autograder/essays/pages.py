"""A page for each essay: the question, how it is marked, all answers; no names, no scripts, nothing loaded."""

import re
from collections.abc import Sequence
from pathlib import Path

import nbformat
from markupsafe import Markup

from autograder import cell_marks
from autograder.authoring import build
from autograder.essays.answers import Answer
from autograder.report.page import render
from autograder.submissions.markup import shown
from helpers.files import write_whole


def write(chapter: str, essay: str, answers: Sequence[Answer], points: float, folder: Path) -> Path:
    """Write the page of an essay; returns its path."""
    question, scheme = question_and_scheme(chapter, essay)
    page = render(
        "essay.html", chapter=chapter, essay=essay, points=points, answers=[(a, Markup(a.text)) for a in answers],
        question=Markup(question), scheme=Markup(scheme),
    )  # fmt: skip
    path = folder / f"{essay}.html"
    write_whole(path, page.encode("utf-8"))
    return path


def question_and_scheme(chapter: str, essay: str) -> tuple[str, str]:
    """Return what was asked (the text cell before the essay) and the mark scheme, as HTML."""
    notebook = nbformat.read(build.fresh(chapter), as_version=4)
    ids = [cell.id for cell in notebook.cells]
    at = ids.index(f"{cell_marks.PREFIX['essay']}{essay}")
    asked = next((c.source for c in reversed(notebook.cells[:at]) if c.cell_type == "markdown"), "")
    scheme = re.sub(r"(?m)^(?=\d+ points?:)", "- ", cell_marks.mark_scheme(notebook.cells[at].source))
    return shown(asked).replace("&#10;", "\n"), shown(scheme).replace("&#10;", "\n")
