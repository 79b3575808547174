"""The command line's ways out: export, report, bundle, and the files that `check` writes.

Exit codes: 0 done; 1 done, but a student is missing or points are; 2 wrong input.
"""

import json
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder import paths
from autograder.report import safe_text
from helpers.errors import CourseError
from helpers.files import write_whole


class Format(StrEnum):
    """What `export` can write."""

    csv = "csv"
    canvas = "canvas"
    moodle = "moodle"
    gradescope = "gradescope"
    junit = "junit"


class Visibility(StrEnum):
    """Who sees a test in Gradescope, and from when."""

    visible = "visible"
    hidden = "hidden"
    after_due_date = "after_due_date"
    after_published = "after_published"


class System(StrEnum):
    """Whose autograder `bundle` writes."""

    gradescope = "gradescope"
    github = "github"


Chapter = Annotated[
    str,
    typer.Argument(
        help="A chapter: 01_spam, or 1.", callback=paths.chapter, autocompletion=paths.completions, show_default=False
    ),
]
Course = Annotated[Path, typer.Option(help="The folder of the course, in which `grade` was run.")]
DEFAULT = {
    Format.csv: "",
    Format.canvas: "canvas.csv",
    Format.moodle: "moodle.csv",
    Format.gradescope: "gradescope",
    Format.junit: "junit.xml",
}


def export_command(
    chapter: Chapter,
    format: Annotated[  # the option's name
        Format,
        typer.Option(
            help="csv: questions.csv and grades.csv; canvas, moodle: what their gradebooks import; "
            "gradescope: <student>/results.json; junit: one XML file."
        ),
    ] = Format.csv,
    course: Course = Path(),
    to: Annotated[
        Path | None, typer.Option(help="The file to write; for csv and gradescope a folder (default: in the course).")
    ] = None,
    roster: Annotated[
        Path | None,
        typer.Option(
            help="A CSV that says who is who: Canvas's or Moodle's export, or nbgrader's list of students "
            "(default: the course's roster.csv, which `roster import` writes)."
        ),
    ] = None,
    column: Annotated[str, typer.Option(help='Canvas: the assignment with its id, such as "01_spam (12345)".')] = "",
    visibility: Annotated[Visibility, typer.Option(help="Gradescope: who sees the tests.")] = Visibility.visible,
) -> None:
    """Write the points of a graded chapter as CSV, for Canvas, for Moodle, for Gradescope, or as JUnit XML."""
    from autograder.report import csvs, load
    from autograder.report.junit import junit
    from autograder.report.roster import of_course, read
    from autograder.report.standing import standings

    results, gone = load.present(load.results(course, chapter), course, chapter)
    class_ = standings(results, load.marks(course, chapter))
    people, essays = read(roster) if roster else of_course(course), load.essay_points(chapter, course)
    target, missing = to or course / DEFAULT[format], []
    if format is Format.csv:
        csvs.save_class(class_, chapter, essays, target, people)
    elif format is Format.canvas:
        csvs.save(csvs.canvas(class_, chapter, essays, people, column), target)
    elif format is Format.moodle:
        csvs.save(csvs.moodle(class_, chapter, people), target)
    elif format is Format.gradescope:
        _gradescope(class_, target, visibility)
    else:
        write_whole(target, junit(class_, chapter))
    if format in (Format.canvas, Format.moodle):
        missing = csvs.strangers(class_, people, format is Format.moodle)
    print(f"{safe_text.count(len(class_) - len(missing), 'student')}: wrote {target}")
    _say_gone(gone)
    _say_not_there(csvs.ungraded(class_), csvs.absent(class_, people))
    if missing:
        why = "not in the roster" + " with a username, number or address" * (format is Format.moodle)
        print(f"{why}, so without a row: {safe_text.names(missing)}", file=sys.stderr)
        raise typer.Exit(1)


def _say_not_there(ungraded: dict[str, int], absent: list[str]) -> None:
    """Say which points are not there yet, and who has none."""
    if ungraded:
        open_ = ", ".join(f"{safe_text.name(e)} ({safe_text.count(n, 'answer')})" for e, n in ungraded.items())
        print(f"warning: essays that nobody has graded count as 0 points: {open_}", file=sys.stderr)
    if absent:
        print(f"handed in nothing, so without points: {safe_text.names(absent)}")


def _say_gone(students: list[str]) -> None:
    if students:
        print(f"not counted, for their work is no longer in submitted/: {safe_text.names(students)}")


def _gradescope(class_, folder: Path, visibility: str) -> None:
    from autograder.report.gradescope import gradescope
    from autograder.report.page import file_names

    for student, name in file_names([s.student for s in class_], "").items():
        found = next(s for s in class_ if s.student == student)
        _write_json(gradescope(found, visibility=visibility), folder / name / "results.json")


def report_command(
    chapter: Chapter,
    course: Course = Path(),
    to: Annotated[Path | None, typer.Option(help="The folder to write (default: reports/<chapter>).")] = None,
    student: Annotated[str, typer.Option(help="Write this student's page alone.")] = "",
    before: Annotated[
        Path | None,
        typer.Option(
            help="Earlier results, as a course's folder or as a folder of them: print who changes, how much, and why."
        ),
    ] = None,
) -> None:
    """Write pages to read in a browser: one for each student, and one for the class."""
    from autograder.report import likeness, load, page, regrade
    from autograder.report.standing import standings

    everybody, marks = load.results(course, chapter), load.marks(course, chapter)
    results, gone = load.present(everybody, course, chapter)
    class_ = standings(results, marks)
    folder, title = to or course / "reports" / chapter, load.title(chapter)
    if student:
        all_ = standings(everybody, marks)
        chosen = [s for s in all_ if s.student == student]
        if not chosen:
            raise CourseError(f"{chapter}: there is no result of '{safe_text.name(student)}'")
        target = folder / "students" / page.file_names([s.student for s in all_])[student]
        write_whole(target, page.student_page(chosen[0], title).encode("utf-8"))
    else:
        here = {s.student for s in class_}
        given = {who: mine for who, mine in likeness.answers(course, chapter).items() if who in here}
        target = page.write_pages(class_, title, folder, likeness.pairs(given, likeness.models(chapter)))
    print(f"wrote {target}")
    _say_gone([] if student else gone)
    if before is not None:
        old = load.earlier(before, chapter)
        found = regrade.changes((r for r in old if r["student"] not in gone), results)
        print(regrade.summary(found, len(class_)))
        if found:
            Console(highlight=False).print(regrade.table(found))


def bundle_command(
    system: Annotated[System, typer.Argument(help="gradescope: the autograder zip; github: a workflow for Actions.")],
    chapter: Chapter,
    to: Annotated[
        Path | None, typer.Option(help="The file to write (default: build/gradescope_<chapter>.zip, build/checks.yml).")
    ] = None,
    sandbox: Annotated[
        bool, typer.Option(help="Give no points where the system's containers allow no sandbox, or run without one.")
    ] = True,
) -> None:
    """Write what Gradescope or GitHub Actions needs to run a chapter's checks."""
    from autograder.report import bundle

    paths.asked([chapter])  # raises CourseError
    if system is System.gradescope:
        path = bundle.gradescope_zip(chapter, to or paths.ROOT / "build" / f"gradescope_{chapter}.zip", sandbox)
        print(f"wrote {path} ({path.stat().st_size / 1e6:.1f} MB); it holds solutions and hidden tests")
    else:
        print(f"wrote {bundle.workflow(chapter, to or paths.ROOT / 'build' / 'checks.yml', sandbox)}")


def write_check(result: dict, *, json: Path | None, junit: Path | None, gradescope: Path | None) -> None:
    """Write one checked notebook's result to the files that are named."""
    from autograder.report.gradescope import gradescope as to_gradescope
    from autograder.report.junit import junit as to_junit
    from autograder.report.standing import standing

    found = standing(result)
    if json:
        _write_json(result, json)
    if junit:
        write_whole(junit, to_junit([found], str(result["chapter"])))
    if gradescope:
        _write_json(to_gradescope(found), gradescope)


def _write_json(content: dict, path: Path) -> None:
    write_whole(path, (json.dumps(content, indent=1, allow_nan=False) + "\n").encode("utf-8"))


def add(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    commands: dict[str, Callable] = {"export": export_command, "report": report_command, "bundle": bundle_command}
    for name, command in commands.items():
        app.command(name)(command)
