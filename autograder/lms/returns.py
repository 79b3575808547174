"""Return: feedback pages in a zip that Moodle or Canvas takes, under the names that say whose each is.

    Moodle   "Upload multiple feedback files in a zip": Ada Lovelace_12345_assignsubmission_file_/01_spam.html
    Canvas   "Upload Submissions": lovelaceada_12345_678910_01_spam.html

The names are those with which the submissions came (collected.json). Of a team's work Canvas gets one page, which it
shows to all of the team; in Moodle a team's number is no student's, so each of the team gets a page by the number that
roster.csv has from the assignment's grading worksheet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.execution.result_cache import Store
from autograder.gradebook import feedback_pages, students
from autograder.lms import canvas, moodle
from autograder.lms.collecting import origins
from autograder.zips import zipped
from helpers.errors import CourseError
from helpers.files import write_whole

SYSTEMS = ("moodle", "canvas")  # that take pages
FOLDER = Path("returns")


@dataclass(frozen=True)
class Returned:
    """The zips that were written, with the students whose pages are in each; and who could not be served."""

    zips: dict[Path, list[str]]
    without_page: list[str]
    elsewhere: list[str]
    without_number: list[str]
    by_team: list[str]
    by_hand: list[str]


def pack(chapter: str, course: Path, to: Path | None = None) -> Returned:
    """Write a zip of feedback pages for each system from which submissions of a chapter came.

    elsewhere: those whose system takes no pages; without_number: those of a team in Moodle whose own number nobody
    knows; by_team: those who see in Canvas the page of another of their team; by_hand: those whose team handed in
    through another alone, in Canvas. Raises CourseError where nothing was collected.
    """
    found = _with_teams(origins(course, chapter), Store(course, chapter).teams())
    if not found:
        raise CourseError(
            f"{course}: nothing of {chapter} was collected from Canvas or Moodle; the pages lie in feedback/"
        )
    pages = {student: feedback_pages.pages(chapter, course, student) for student in sorted(found)}
    without = [student for student, mine in pages.items() if not all(map(Path.is_file, mine))]
    names = _names(found, pages, {row["id"]: row for row in students.rows(course)})
    zips, served = {}, set(without)
    for system in SYSTEMS:
        mine = [s for s in pages if found[s]["system"] == system and s in names and s not in without]
        owners = _owners(mine, names)
        if owners:
            path = (to or course / FOLDER) / f"{chapter}_{system}.zip"
            files = {name: page.read_bytes() for s in owners for name, page in names[s].items()}
            write_whole(path, zipped(files))
            zips[path] = sorted(owners)
            served.update(zips[path])
    elsewhere = [s for s in pages if found[s]["system"] not in SYSTEMS]
    nameless = [s for s in pages if s not in names and s not in elsewhere]
    by_hand = [s for s in nameless if found[s]["system"] == "canvas"]
    without_number = [s for s in nameless if s not in by_hand]
    by_team = [s for s in pages if s not in served and s not in elsewhere and s not in nameless]
    return Returned(zips, without, elsewhere, without_number, by_team, by_hand)


def _with_teams(found: Mapping[str, dict], teams: Mapping[str, tuple[str, str]]) -> dict[str, dict]:
    """Return where everybody's work came from; of a team that handed in through one of it, by that one."""
    whole = dict(found)
    for student, (team, holder) in teams.items():
        if student not in whole and holder in found:
            whole[student] = found[holder] | {"team": team or holder, "members": []}
    return whole


def _names(
    found: Mapping[str, Mapping], pages: Mapping[str, list[Path]], people: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, Path]]:
    """Return each student's pages by what they are called in the zip; of those who have a way back."""
    names = {}
    for student, origin in found.items():
        mine = {_name(origin, page.name, people.get(student, {})): page for page in pages[student]}
        if all(mine):
            names[student] = mine
    return names


def _name(origin: Mapping, page: str, person: Mapping[str, str]) -> str:
    if origin["system"] == "canvas" and origin["members"]:
        return canvas.feedback_name(origin["members"][0], origin.get("number", ""), page)
    if origin["system"] == "moodle" and origin.get("team"):
        return moodle.own_feedback_name(person, page)
    return moodle.feedback_name(origin["members"][0], page) if origin["system"] == "moodle" else ""


def _owners(mine: Sequence[str], names: Mapping[str, Mapping[str, Path]]) -> list[str]:
    """Return whose pages go into the zip: of several with the same names for them, as in a team, the first."""
    owners = {tuple(names[student]): student for student in reversed(mine)}
    return sorted(owners.values())
