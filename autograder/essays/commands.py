"""The command line's `essays export` and `essays import`.

Exit codes: 0 done; 1 done, but some rows were left out; 2 wrong input.
"""

import sys
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
    """Record the points and comments of a sheet in the gradebook; a row that is wrong is named and left out."""
    from autograder.essays import gradebook, sheets
    from autograder.report.load import essay_points

    points = essay_points(chapter, course)
    students = gradebook.students(course, chapter, list(points))
    first = sheets.read(sheet, points, students.keys())
    other = sheets.read(second, points, students.keys()) if second else sheets.Sheet({}, [])
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
