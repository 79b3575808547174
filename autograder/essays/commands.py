"""The command line's `essays export` and `essays import`."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.report import safe_text
from autograder.report.commands import Chapter, Course
from helpers.errors import CourseError

app = typer.Typer(no_args_is_help=True, help="Mark essays outside of formgrader: a page and a sheet, without names.")
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
    from autograder.essays import answers, gradebook, pages, sheets
    from autograder.report.load import essay_points

    given, points = answers.answers(course, chapter), essay_points(chapter, course)
    if not given:
        raise CourseError(f"{course}: no essay of {chapter} has been graded by `grade` yet")
    folder = to or course / "essays" / chapter
    for essay, found in given.items():
        path = pages.write(chapter, essay, found, points[essay], folder)
        print(f"{safe_text.count(len(found), 'answer')}: wrote {path}")
    sheets.write(given, points, gradebook.known(course, chapter), folder / "marks.csv")
    print(f"give points in {folder / 'marks.csv'}, then: bow2lora essays import {chapter} {folder / 'marks.csv'}")


@app.command("import")
def import_command(chapter: Chapter, sheet: Sheet, second: Second = None, course: Course = Path()) -> None:
    """Record the points and comments of a sheet in the gradebook; all of it, or nothing where a row is wrong."""
    from autograder.essays import gradebook, sheets
    from autograder.report.load import essay_points

    points = essay_points(chapter, course)
    first = sheets.read(sheet, points)
    other = sheets.read(second, points) if second else {}
    students = gradebook.students(course, chapter, list(points))
    for path, found in ((sheet, first), (second, other)):
        gradebook.all_known(path, found, students)
    gradebook.record(course, chapter, {students[key]: mark for key, mark in first.items()})
    print(f"{safe_text.count(len(first), 'answer')} recorded; `bow2lora grade {chapter}` writes the new feedback pages")
    for line in sheets.agreement(first, other, points) if second else ():
        print(line)
