"""Moodle: the names in its zips, its rosters, the grades that it imports, the feedback's way back.

    zip        Ada Lovelace_12345_assignsubmission_file_/01_spam.ipynb; without folders, or without the last _, too
               Participant_12345_assignsubmission_file/01_spam.ipynb     (blind marking)
               Team 1_678_assignsubmission_file/01_spam.ipynb            (a group's name and number: nobody's own)
               Default group_assignsubmission_file/01_spam.ipynb         (of all who are in no team)
    roster     the list of participants: First name, Last name, Email address, Groups; a grading worksheet: Full name
    grades     who it is, the points, points by question as feedback
    feedback   "Upload multiple feedback files in a zip": Ada Lovelace_12345_assignsubmission_file_/01_spam.html

Sources: Moodle, mod/assign/classes/downloader.php (get_student_prefix), mod/assign/feedback/file/importziplib.php
(is_valid_filename_for_import); Moodle documentation, "Participants", "Grading worksheet" and "Grade import".
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from autograder.lms.zip_names import LONGEST, Named
from autograder.report import safe_text
from autograder.report.csvs import Directory, Rows, in_directory
from autograder.report.standing import Standing

MEMBER = re.compile(r"([^/]+?_\d{1,20}|[^/_]+)_assignsubmission_(?:file|onlinetext)_?/?(.+)", re.DOTALL)
BLIND = "participant"  # stands for the name in blind marking
ROSTER_KEYS = ("username", "id number", "email address", "email")  # columns that tell who a student is, the best first
GROUP_SEPARATOR = ","
HEADERS = {"username": "Username", "id number": "ID number", "email address": "Email address", "email": "Email address"}
DOWNLOAD = timedelta(minutes=10)  # times of a whole class that lie so close are those of the download


def read_name(member: str) -> Named | None:
    """Return what a member's name says; None if it is not of Moodle's form."""
    match = MEMBER.fullmatch(member[:LONGEST])
    if not match:
        return None
    who, _, number = match[1].rpartition("_")
    return Named(match[1], who, number, match[2]) if who else Named(match[1], match[1], "", match[2])


def feedback_name(member: str, page: str) -> str:
    """Return what a page is called that goes back for a member: by its beginning Moodle tells whose it is."""
    match = MEMBER.fullmatch(member)
    return member[: match.start(2)] + page if match else page


def own_feedback_name(row: Mapping[str, str], page: str) -> str:
    """Return what a page is called that goes to one student of a team; "" if the roster does not have the number.

    A team's own number must not be there: Moodle would take it for a student's.
    """
    number = participant(row)
    return f"Participant_{number}_assignsubmission_file_/{page}" if number else ""


def are_of_the_download(dates: Iterable[datetime]) -> bool:
    """Whether the times in a zip are those of its download, and not those at which students handed in."""
    stated = sorted(dates)
    return bool(stated) and stated[-1] - stated[0] < DOWNLOAD


def participant(row: Mapping[str, str]) -> str:
    """Return the number that a grading worksheet has for a student, "" if there is none."""
    return row.get("identifier", "").removeprefix("Participant ")


def knows(person: Mapping[str, str]) -> bool:
    """Whether Moodle can tell who somebody of a roster is; without a roster the folder's name says it."""
    return not person or any(person.get(column) for column in HEADERS)


def grades(class_: Sequence[Standing], chapter: str, directory: Directory | None = None) -> Rows:
    """Return what Moodle's grade import maps: who it is, the points, and points by question as feedback.

    With a directory, the identifying columns are those that it has; without, the folder's name is the Username. Who
    has nothing in any of them has no row: Moodle could not tell whose it is. An import without feedback would take the
    old feedback away.
    """
    columns = list(dict.fromkeys(HEADERS[key] for key in _keys(directory)))
    people = [(standing, person) for standing, person in in_directory(class_, directory) if knows(person)]
    rows = [_row(standing, person or {"username": standing.student}, columns) for standing, person in people]
    return [[*columns, f"{chapter} (Real)", f"{chapter} (Feedback)"], *rows]


def _keys(directory: Directory | None) -> list[str]:
    """Return the identifying columns that anybody in the directory has something in."""
    full: set[str] = set()
    for row in directory.rows if directory else []:
        full |= {key for key, value in row.items() if value}
    return [key for key in HEADERS if key in full] or ["username"]


def _row(standing: Standing, person: Mapping[str, str], columns: list[str]) -> list:
    who = [_identity(person, column) for column in columns]
    return [*who, standing.total, "; ".join(map(_points, standing.checks))]


def _identity(person: Mapping[str, str], column: str) -> str:
    keys = [key for key in HEADERS if HEADERS[key] == column]
    return next((person[key] for key in keys if person.get(key)), "")


def _points(check) -> str:
    doubt = " (unproved)" if check.unproved else ""
    return f"{check.exercise} {safe_text.number(check.score)} of {safe_text.number(check.points)}{doubt}"
