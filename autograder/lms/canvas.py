"""Canvas: the names in its zips, its roster, the grades that it imports, the feedback's way back.

    zip        lovelaceada_LATE_12345_678910_01_spam.ipynb      (name, user, attachment, file)
    roster     the gradebook's export: Student, ID, SIS User ID, SIS Login ID, Section
    grades     the same columns, and one for the assignment
    feedback   "Upload Submissions": lovelaceada_12345_678910_01_spam.html

Sources: canvas-lms, app/models/assignment.rb (infer_comment_context_from_filename) and lib/gradebook_importer.rb
(Instructure).
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from autograder.lms.zip_names import LONGEST, Named
from autograder.report.csvs import Directory, Rows, in_directory, possible
from autograder.report.standing import Standing

MEMBER = re.compile(r"([^_/]+)_(LATE_)?(\d{1,20})_(\d{1,20})_([^/]+)", re.DOTALL)
HEADER = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
STUDENT, ID, SIS_USER_ID, SIS_LOGIN_ID, SECTION = map(str.casefold, HEADER)  # as a roster's rows have them
ROSTER_KEYS = (SIS_LOGIN_ID, SIS_USER_ID)  # columns of a roster that tell who a student is
FOLDER_KEYS = (SIS_LOGIN_ID, SIS_USER_ID, ID)  # the first that is full names the student's folder
SECTION_SEPARATOR = " and "
POINTS = "Points Possible"  # a row whose name holds these words holds no student, to Canvas
TEST_STUDENT = "Student, Test"  # Canvas's own


def read_name(member: str) -> Named | None:
    """Return what a member's name says; None if it is not of Canvas's form."""
    match = MEMBER.fullmatch(member[:LONGEST])
    if not match:
        return None
    who, late, user, attachment, file = match.groups()
    return Named(user, who, user, file, bool(late), int(attachment))


def feedback_prefix(member: str) -> str:
    """Return the part of a member's name that tells Canvas whose it is."""
    match = MEMBER.fullmatch(member)
    return member[: match.start(5)] if match else ""


def counted_late(numbers: Sequence[str], due: datetime, grace_minutes: float) -> dict[str, datetime]:
    """Return a date for each of the works that Canvas calls late, by number.

    It is the first moment that counts as late: Canvas does not say more.
    """
    when = due.astimezone(UTC) + timedelta(minutes=grace_minutes, seconds=1)
    return dict.fromkeys(numbers, when)


def is_gradebook(row: Mapping[str, str]) -> bool:
    """Whether a row of a roster comes from Canvas's gradebook; other lists have an id of their own."""
    return {STUDENT, ID} <= set(row) and "first_name" not in row


def is_person(row: Mapping[str, str]) -> bool:
    """Whether a row of an export is a student: Canvas has one with the points, and one for trying things out."""
    name = row.get(STUDENT, "")
    return POINTS not in name and name != TEST_STUDENT


def grades(
    class_: Sequence[Standing],
    chapter: str,
    essay_points: Mapping[str, float],
    directory: Directory | None = None,
    column: str = "",
) -> Rows:
    """Return what Canvas's gradebook imports, the header first.

    column: the assignment's name in Canvas with its id, such as "01_spam (12345)"; a name that Canvas does not know
    makes a new assignment. Without a directory, the folder's name is taken as the SIS Login ID.
    """
    points_row = [f"    {POINTS}", "", "", "", "", round(possible(class_, essay_points), 2)]
    rows = [[*_person(s.student, person), s.total] for s, person in in_directory(class_, directory)]
    return [[*HEADER, column or _column(directory, chapter)], points_row, *rows]


def _person(student: str, person: Mapping[str, str]) -> list[str]:
    if not person:
        return [student.replace(POINTS, POINTS.replace(" ", "_")), "", "", student, ""]
    is_canvas = SIS_LOGIN_ID in person and "first_name" not in person
    own_number = person.get(ID, "") if is_canvas else ""
    ids = [person.get("lms_user_id") or own_number, person.get(SIS_USER_ID, ""), person.get(SIS_LOGIN_ID, "")]
    known = ids if any(ids) else ["", "", student]
    return [_full_name(person) or student, *known, person.get(SECTION, "")]


def _full_name(person: Mapping[str, str]) -> str:
    """Return "Last, First" as Canvas writes it, from whatever columns there are."""
    last = person.get("last_name") or person.get("last name") or person.get("surname") or ""
    first = person.get("first_name") or person.get("first name") or ""
    return person.get(STUDENT) or ", ".join(part for part in (last, first) if part)


def _column(directory: Directory | None, chapter: str) -> str:
    """Return the assignment's column with its id, if the roster is a Canvas export that has one for this chapter."""
    columns = directory.columns if directory else []
    named = [column for column in columns if column.startswith(f"{chapter.casefold()} (")]
    return chapter + named[0][len(chapter) :] if len(named) == 1 else chapter
