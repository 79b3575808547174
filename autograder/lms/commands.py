"""The command line's `roster import`, `collect` and `return`.

Exit codes: 0 done; 1 done, but somebody's work is not there; 2 wrong input.
"""

import sys
from datetime import tzinfo
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from autograder import paths
from autograder.report import safe_text
from autograder.report.commands import Chapter, Course
from helpers.errors import CourseError

roster = typer.Typer(no_args_is_help=True, help="Who is in the course: from Canvas, Moodle or a plain CSV.")
DID = {
    "new": "written",
    "same": "as before",
    "left": "left as they are",
    "none": "without anything that can be read",
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
    from autograder.lms.rosters import import_roster

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

    paths.asked([chapter])  # raises CourseError
    done = collect_zips(chapter, zips, course, _zone(zone), replace)
    for line in done.told:
        print(f"  {line}")
    parts = [f"{len(who)} {DID[what]}" for what, who in done.by.items() if who]
    print(f"{chapter}: {safe_text.count(sum(map(len, done.by.values())), 'student')}: {', '.join(parts) or 'none'}")
    if done.strangers:
        print(f"not in the roster, or more than one of this name: {safe_text.names(done.strangers)}", file=sys.stderr)
    if done.strangers or done.by["none"] or done.by["left"]:
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
    if done.without_page:
        print(
            f"no feedback page yet; run `bow2lora grade {chapter}`: {safe_text.names(done.without_page)}",
            file=sys.stderr,
        )
        raise typer.Exit(1)


def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise CourseError(f"there is no time zone '{name}'; write one such as Europe/Vienna") from None


def add(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command("collect")(collect_command)
    app.command("return")(return_command)
    app.add_typer(roster, name="roster")
