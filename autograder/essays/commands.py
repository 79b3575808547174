"""The command line's `essays export`, `essays import`, `requests list` and `requests answer`.

Exit codes: 0 done; 1 done, but some rows were left out; 2 wrong input.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import nbformat
import typer

from autograder.report import safe_text
from autograder.report.commands import Chapter, Course
from helpers.errors import CourseError

if TYPE_CHECKING:
    from autograder.essays.pages import EssaySource
    from autograder.essays.rubric import Item

app = typer.Typer(no_args_is_help=True, help="Mark essays outside of formgrader: a page and a sheet, without names.")
asked = typer.Typer(no_args_is_help=True, help="Regrade requests: what students ask, and the answers to it.")
Sheet = Annotated[Path, typer.Argument(help="The sheet with points and comments.", exists=True, dir_okay=False)]
Second = Annotated[
    Path | None,
    typer.Option(help="A second marker's sheet: how far the two agree is printed.", exists=True, dir_okay=False),
]


@app.command("export")
def export_command(
    chapter: Chapter,
    course: Course = Path(),
    to: Annotated[Path | None, typer.Option(help="The folder to write (default: essays/<chapter>).")] = None,
) -> None:
    """Write a page for each essay with all its answers, and marks.csv, in which they are given points."""
    from autograder.essays import answers, gradebook, pages, rubric, sheets
    from autograder.report.load import essay_points

    given, points = answers.answers(course, chapter), essay_points(chapter, course)
    if not given:
        raise CourseError(f"{course}: no essay of {chapter} has been graded by `grade` yet")
    folder = to or course / "essays" / chapter
    source = _source(chapter, course)
    items, known = _items(source, folder, points), gradebook.known(course, chapter)
    if not (folder / rubric.FILE).is_file():
        rubric.write(items, folder / rubric.FILE)
    for essay, found in given.items():
        path = pages.write(source, essay, found, points[essay], folder, items[essay], known)
        print(f"{safe_text.count(len(found), 'answer')}: wrote {path}")
    sheets.write(given, points, known, folder / "marks.csv", items)
    left = [name for name in points if name not in given]
    if left and source.by_hand.table:
        print(f"not in the sheet, since no cells hold an answer of their own: {', '.join(left)}; see formgrader")
    print(f"give points in {folder / 'marks.csv'}, then: bow2lora essays import {chapter} {folder / 'marks.csv'}")


@app.command("import")
def import_command(chapter: Chapter, sheet: Sheet, second: Second = None, course: Course = Path()) -> None:
    """Record the points and comments of a sheet in the gradebook; a row that is wrong is named and left out."""
    from autograder.essays import gradebook, sheets
    from autograder.report.load import essay_points

    points = essay_points(chapter, course)
    students = gradebook.students(course, chapter, list(points))
    items = _items(_source(chapter, course), sheet.parent, points)
    first = sheets.read(sheet, points, students.keys(), items)
    other = sheets.read(second, points, students.keys(), items) if second else sheets.Sheet({}, [])
    for_each = {(who, key[0]): mark for key, mark in first.marks.items() for who in students[key]}
    gradebook.record(course, chapter, for_each)
    many = safe_text.count(len(first.marks), "answer")
    print(f"{many} recorded; `bow2lora grade {chapter}` writes the new feedback pages")
    for line in sheets.agreement(first.marks, other.marks, points) if second else ():
        print(line)
    for line in [*first.refused, *other.refused]:
        print(f"left out: {line}", file=sys.stderr)
    if first.refused or other.refused:
        raise typer.Exit(1)


@asked.command("list")
def list_command(chapter: Chapter, course: Course = Path()) -> None:
    """Write a table of what students ask in requests/<chapter>/<student>.md, for markers to answer."""
    from autograder.essays import requests

    found, told = requests.requests(course, chapter)
    path = course / requests.FOLDER / chapter / requests.ANSWERS
    for line in told:
        print(f"left out: {line}", file=sys.stderr)
    if found:
        requests.write(found, path)
        still_open = sum(not one.answer for one in found)
        print(f"{safe_text.count(len(found), 'request')}, {still_open} without an answer: wrote {path}")
        print(f"answer in {path}, then: bow2lora requests answer {chapter} {path}")
    else:
        print(f"{path.parent}: no requests; a student's file is <student>.md, with a line '# tf' for each question")
    if told:
        raise typer.Exit(1)


@asked.command("answer")
def answer_command(chapter: Chapter, table: Sheet, course: Course = Path()) -> None:
    """Record the table's answers and other points; a row that is wrong is named and left out."""
    from autograder.essays import requests

    many, refused = requests.record(course, chapter, table)
    print(f"{safe_text.count(many, 'answer')} recorded; `bow2lora grade {chapter}` writes the new feedback pages")
    for line in refused:
        print(f"left out: {line}", file=sys.stderr)
    if refused:
        raise typer.Exit(1)


def _source(chapter: str, course: Path) -> "EssaySource":
    """Return the instructor's notebook, with the essays that the course has added."""
    from autograder.adopted_table import hand_graded
    from autograder.authoring import build
    from autograder.essays.pages import EssaySource
    from autograder.report import load

    own = load.source(chapter, course)
    notebook = own if own is not None else nbformat.read(build.fresh(chapter), as_version=4)
    return EssaySource(chapter, notebook, hand_graded(course, chapter))


def _items(source: "EssaySource", folder: Path, points: dict[str, float]) -> "dict[str, list[Item]]":
    """Return the items of the essays: of the rubric in the sheet's folder, else of the mark schemes."""
    from autograder.essays import pages, rubric

    if (folder / rubric.FILE).is_file():
        return rubric.read(folder / rubric.FILE, points)
    return {e: rubric.of_scheme(pages.question_and_scheme(source, e)[1], most) for e, most in points.items()}
