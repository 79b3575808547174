"""The command line's `roster import`, `collect`, `return`, `export`, `bundle`, and the files that `check` writes.

Exit codes: 0 done; 1 done, but somebody's work or points are not there; 2 wrong input.
"""

import json
import sys
from datetime import tzinfo
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from autograder import adopted_table, paths
from autograder.report import safe_text
from autograder.report.commands import Chapter, Course, say_gone
from helpers.errors import CourseError
from helpers.files import write_whole

roster = typer.Typer(no_args_is_help=True, help="Who is in the course: from Canvas, Moodle or a plain CSV.")
DID = {
    "new": "written",
    "same": "as before",
    "left": "left as they are",
    "none": "without anything that can be read",
}


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


DEFAULT = {
    Format.csv: "",
    Format.canvas: "canvas.csv",
    Format.moodle: "moodle.csv",
    Format.gradescope: "gradescope",
    Format.junit: "junit.xml",
}


@roster.command("import")
def import_command(
    file: Annotated[Path, typer.Argument(help="Canvas's gradebook, Moodle's participants, or id,name,email,group.")],
    course: Course = Path(),
    key: Annotated[
        str, typer.Option(help='The column that names a student\'s folder, such as "SIS User ID" (default: the login).')
    ] = "",
) -> None:
    """Bring a roster into roster.csv and nbgrader's students; a second one adds to the first."""
    from autograder.lms.roster_import import import_roster

    found = import_roster(file, course, key)
    many = safe_text.count(len(found.people), "student")
    print(f"{many} in the course: {found.new} new, {found.changed} with other data than before")


def collect_command(
    chapter: Chapter,
    zips: Annotated[list[Path], typer.Argument(help="Zips of submissions, as the system gives them.")],
    course: Course = Path(),
    zone: Annotated[
        str, typer.Option(help="Moodle: where its clock stands, such as Europe/Vienna (default: as here).")
    ] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="Take the zip's work also where nothing says which is newer.")
    ] = False,
) -> None:
    """Put the submissions of Canvas's, Moodle's or Gradescope's zips into submitted/, with their dates."""
    from autograder.lms.collecting import collect_zips

    adopted_table.asked([chapter], course)  # raises CourseError
    done = collect_zips(chapter, zips, course, _zone(zone), replace)
    for line in done.told:
        print(f"  {line}")
    parts = [f"{len(who)} {DID[what]}" for what, who in done.by.items() if who]
    print(f"{chapter}: {safe_text.count(sum(map(len, done.by.values())), 'student')}: {', '.join(parts) or 'none'}")
    for line in done.left_out:
        print(line, file=sys.stderr)
    if done.left_out or done.by["none"] or done.by["left"]:
        raise typer.Exit(1)


def return_command(
    chapter: Chapter,
    course: Course = Path(),
    to: Annotated[Path | None, typer.Option(help="The folder to write (default: returns).")] = None,
) -> None:
    """Pack the feedback pages for Moodle's and Canvas's upload, by the names with which `collect` got the work."""
    from autograder.lms.returns import pack

    done = pack(chapter, course, to)
    for path, students in done.zips.items():
        print(f"{safe_text.count(len(students), 'page')}: wrote {path}")
    if done.elsewhere:
        print(f"Gradescope takes no pages, so theirs are in feedback/ only: {safe_text.names(done.elsewhere)}")
    if done.by_team:
        print(f"Canvas shows one page to all of a team, another's to: {safe_text.names(done.by_team)}")
    if done.by_hand:
        print(f"their team handed in through another; the pages lie in feedback/ only: {safe_text.names(done.by_hand)}")
    if done.without_number:
        print(
            "handed in as a team, and roster.csv has no number by which Moodle knows each of it; import this "
            f"assignment's grading worksheet, then return again: {safe_text.names(done.without_number)}",
            file=sys.stderr,
        )
    if done.without_page:
        print(
            f"no feedback page yet; run `bow2lora grade {chapter}`: {safe_text.names(done.without_page)}",
            file=sys.stderr,
        )
    if done.without_number or done.without_page:
        raise typer.Exit(1)


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
    from autograder.lms import canvas, moodle
    from autograder.lms import roster as rosters
    from autograder.report import csvs, load
    from autograder.report.junit import junit
    from autograder.report.standing import standings

    results, gone = load.present(load.results(course, chapter), course, chapter)
    class_ = standings(results, load.marks(course, chapter))
    people = rosters.read(roster) if roster else rosters.of_course(course)
    essays = load.essay_points(chapter, course)
    target = to or course / DEFAULT[format]
    missing: list[str] = []
    if format is Format.csv:
        csvs.save_class(class_, chapter, essays, target, people)
    elif format is Format.canvas:
        csvs.save(canvas.grades(class_, chapter, essays, people, column), target)
        missing = rosters.strangers(class_, people)
    elif format is Format.moodle:
        csvs.save(moodle.grades(class_, chapter, people), target)
        missing = rosters.strangers(class_, people, for_moodle=True)
    elif format is Format.gradescope:
        _gradescope(class_, target, visibility)
    else:
        write_whole(target, junit(class_, chapter))
    wrote = f"{target / csvs.QUESTIONS} and {target / csvs.GRADES}" if format is Format.csv else target
    print(f"{safe_text.count(len(class_) - len(missing), 'student')}: wrote {wrote}")
    say_gone(gone)
    _say_not_there(csvs.ungraded(class_), rosters.absent(class_, people))
    if missing:
        why = "not in the roster"
        if format is Format.moodle:
            why += " with a username, number or address"
        print(f"{why}, so without a row: {safe_text.names(missing)}", file=sys.stderr)
        raise typer.Exit(1)


def _say_not_there(ungraded: dict[str, int], absent: list[str]) -> None:
    """Say which points are not there yet, and who has none."""
    if ungraded:
        open_ = ", ".join(f"{safe_text.name(e)} ({safe_text.count(n, 'answer')})" for e, n in ungraded.items())
        print(f"warning: essays that nobody has graded count as 0 points: {open_}", file=sys.stderr)
    if absent:
        print(f"handed in nothing, so without points: {safe_text.names(absent)}")


def _gradescope(class_, folder: Path, visibility: str) -> None:
    from autograder.lms.gradescope import results_json
    from autograder.report.page import file_names

    for student, name in file_names([s.student for s in class_], "").items():
        found = next(s for s in class_ if s.student == student)
        _write_json(results_json(found, visibility=visibility), folder / name / "results.json")


def bundle_command(
    system: Annotated[System, typer.Argument(help="gradescope: the autograder zip; github: a workflow for Actions.")],
    chapter: Chapter,
    to: Annotated[
        Path | None, typer.Option(help="The file to write (default: build/gradescope_<chapter>.zip, build/checks.yml).")
    ] = None,
    course: Course = Path(),
    sandbox: Annotated[
        bool, typer.Option(help="Give no points where the system's containers allow no sandbox, or run without one.")
    ] = True,
) -> None:
    """Write what Gradescope or GitHub Actions needs to run a chapter's checks."""
    from autograder.course_secret import secret_of
    from autograder.lms import bundle

    paths.asked([chapter])  # raises CourseError
    if system is System.gradescope:
        path = to or paths.ROOT / "build" / f"gradescope_{chapter}.zip"
        bundle.gradescope_zip(chapter, path, secret_of(course), sandbox)
        print(f"wrote {path} ({path.stat().st_size / 1e6:.1f} MB); it holds solutions, hidden tests and their secret")
    else:
        print(f"wrote {bundle.workflow(chapter, to or paths.ROOT / 'build' / 'checks.yml', sandbox)}")


def write_check(result: dict, *, json: Path | None, junit: Path | None, gradescope: Path | None) -> None:
    """Write one checked notebook's result to the files that are named."""
    from autograder.lms.gradescope import results_json
    from autograder.report.junit import junit as to_junit
    from autograder.report.standing import standing

    found = standing(result)
    if json:
        _write_json(result, json)
    if junit:
        write_whole(junit, to_junit([found], str(result["chapter"])))
    if gradescope:
        _write_json(results_json(found), gradescope)


def _write_json(content: dict, path: Path) -> None:
    write_whole(path, (json.dumps(content, indent=1, allow_nan=False) + "\n").encode("utf-8"))


def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise CourseError(f"there is no time zone '{name}'; write one such as Europe/Vienna") from None


def add(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command("collect")(collect_command)
    app.command("return")(return_command)
    app.command("export")(export_command)
    app.command("bundle")(bundle_command)
    app.add_typer(roster, name="roster")
