"""A page for each essay: the question, how it is marked, all answers; no names, no scripts, nothing loaded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup
from nbformat import NotebookNode

from autograder import cell_marks
from autograder.adopted_table import HandGraded
from autograder.essays.answers import Answer
from autograder.essays.rubric import Item, taken_apart
from autograder.essays.sheets import Mark
from autograder.report.page import render
from autograder.submissions.markup import shown
from helpers.files import write_whole


@dataclass(frozen=True)
class EssaySource:
    """A chapter's name, the instructor's notebook, and which of its cells a person grades."""

    chapter: str
    notebook: NotebookNode
    by_hand: HandGraded


def write(
    source: EssaySource, essay: str, answers: Sequence[Answer], points: float, folder: Path, items: Sequence[Item],
    known: Mapping[str, Mark],
) -> Path:  # fmt: skip
    """Write the page of an essay; returns its path. known: marks, by number."""
    question, scheme = question_and_scheme(source, essay)
    told = [(answer, Markup(answer.text), _ticked(known.get(answer.number))) for answer in answers]
    page = render(
        "essay.html", chapter=source.chapter, essay=essay, points=points, answers=told,
        question=Markup(question), scheme=Markup(shown(scheme).replace("&#10;", "\n")), items=items,
    )  # fmt: skip
    path = folder / f"{essay}.html"
    write_whole(path, page.encode("utf-8"))
    return path


def _ticked(mark: Mark | None) -> dict[str, str]:
    return taken_apart(mark.comment)[1] if mark else {}


def question_and_scheme(source: EssaySource, essay: str) -> tuple[str, str]:
    """Return what was asked as HTML, and the mark scheme as it was typed.

    An essay is asked by the text cell before it; a task asks for itself.
    """
    cells = source.notebook.cells
    ids = [cell.id for cell in cells]
    at = ids.index(source.by_hand.cell(essay))
    scheme = cell_marks.mark_scheme(cells[at].source)
    if cell_marks.from_metadata(cells[at]) == cell_marks.TASK:
        asked = cell_marks.SCHEME.sub("", cells[at].source)
    else:
        asked = next((c.source for c in reversed(cells[:at]) if c.cell_type == "markdown"), "")
    return shown(asked).replace("&#10;", "\n"), scheme
