"""Return: feedback pages in a zip that Moodle or Canvas takes, under the names that say whose each is.

    Moodle   "Upload multiple feedback files in a zip": Ada Lovelace_12345_assignsubmission_file_/01_spam.html
    Canvas   "Upload Submissions": lovelaceada_12345_678910_01_spam.html

The names are those with which the submissions came (collected.json).
"""

from dataclasses import dataclass
from pathlib import Path

from autograder.gradebook import feedback_pages
from autograder.lms import canvas, moodle
from autograder.lms.collecting import origins
from autograder.zips import zipped
from helpers.errors import CourseError
from helpers.files import write_whole

PREFIX = {"moodle": moodle.feedback_prefix, "canvas": canvas.feedback_prefix}
FOLDER = Path("returns")


@dataclass(frozen=True)
class Returned:
    """The zips that were written, with the students whose pages are in each; and who could not be served."""

    zips: dict[Path, list[str]]
    without_page: list[str]
    elsewhere: list[str]


def pack(chapter: str, course: Path, to: Path | None = None) -> Returned:
    """Write a zip of feedback pages for each system from which submissions of a chapter came.

    elsewhere: those whose system takes no pages. Raises CourseError where nothing was collected.
    """
    found = origins(course, chapter)
    if not found:
        raise CourseError(
            f"{course}: nothing of {chapter} was collected from Canvas or Moodle; the pages lie in feedback/"
        )
    pages = {student: feedback_pages.page(chapter, course, student) for student in sorted(found)}
    without = [student for student, page in pages.items() if not page.is_file()]
    zips = {}
    for system in PREFIX:
        mine = [s for s in pages if found[s]["system"] == system and s not in without]
        if mine:
            path = (to or course / FOLDER) / f"{chapter}_{system}.zip"
            files = {_name(found[s], system, chapter): pages[s].read_bytes() for s in mine}
            write_whole(path, zipped(files))
            zips[path] = mine
    return Returned(zips, without, [s for s in pages if found[s]["system"] not in PREFIX])


def _name(origin: dict, system: str, chapter: str) -> str:
    """Return what a student's page is called in the zip."""
    return f"{PREFIX[system](origin['members'][0])}{chapter}.html"
