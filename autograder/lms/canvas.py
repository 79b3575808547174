"""Canvas: the names in its zips, its roster, the grades that it imports, the feedback's way back.

    zip        lovelaceada_LATE_12345_678910_01_spam.ipynb      (name, user, attachment, file)
               team1_12345_678910_01_spam.ipynb                 (a group's name, the user of one of it)
               anon_aB3x1_678910_01_spam.ipynb                  (anonymous grading)
    roster     the gradebook's export: Student (or LastName, FirstName), ID, SIS User ID, SIS Login ID, Section; the
               groups of a set ("Download Course Roster CSV" where groups are imported): name, canvas_user_id, login_id,
               sections, group_name
    grades     the same columns, and one for the assignment
    feedback   "Upload Submissions": lovelaceada_12345_678910_01_spam.html

Sources: canvas-lms (Instructure): lib/content_zipper.rb, lib/gradebook_exporter.rb, lib/gradebook_importer.rb,
app/models/assignment.rb (representatives, generate_comments_from_files, infer_comment_context_from_filename),
app/controllers/group_categories_controller.rb (export).
"""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from autograder.lms.zip_names import LONGEST, Named
from autograder.report.csvs import Directory, Rows, in_directory, possible
from autograder.report.standing import Standing

NUMBERS = re.compile(r"_(LATE_)?([1-9]\d{0,19})(?=_([1-9]\d{0,19})_.)", re.DOTALL)  # behind the name
ANONYMOUS = re.compile(r"(LATE_)?(anon_(?!LATE_|\d+_)[0-9A-Za-z]+)_(\d{1,20})_([^/]+)", re.DOTALL)
HEADER = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
STUDENT, ID, SIS_USER_ID, SIS_LOGIN_ID, SECTION = map(str.casefold, HEADER)  # as a roster's rows have them
ROSTER_KEYS = (SIS_LOGIN_ID, SIS_USER_ID)  # columns of a roster that tell who a student is
FOLDER_KEYS = (SIS_LOGIN_ID, SIS_USER_ID, ID)  # the first that is full names the student's folder
GROUP_SET = {  # columns of a group set's list, and what the gradebook calls them
    "name": STUDENT,
    "canvas_user_id": ID,
    "user_id": SIS_USER_ID,
    "login_id": SIS_LOGIN_ID,
    "sections": SECTION,
}
GROUP = "group_name"
ASSIGNMENT = re.compile(r"(.+) \(\d+\)")  # an assignment's column: its name, and Canvas's number
CHAPTER = re.compile(r"\d\d_\w+")
POINTS = "Points Possible"  # a row whose name holds these words holds no student, to Canvas
TEST_STUDENT = "Student, Test"  # Canvas's own


def read_name(member: str, known: Collection[str] = ()) -> Named | None:
    """Return what a member's name says; None if it is not of Canvas's form.

    known: the numbers of the roster's students, which tell where a name ends that has numbers itself ("team_3").
    """
    member = member[:LONGEST]
    anonymous = ANONYMOUS.fullmatch(member)
    if anonymous:
        late, who, attachment, file = anonymous.groups()
        return Named(who, who, "", file, bool(late), int(attachment), anonymous=True)
    end = _end_of_name(member, known)
    if not end:
        return None
    who, file = member[: end.start()], member[end.end(3) + 1 :]
    return Named(f"{who}_{end[2]}", who, end[2], file, bool(end[1]), int(end[3]))


def _end_of_name(member: str, known: Collection[str]) -> re.Match | None:
    """Return where the name of who handed in ends: before two numbers, the first that is known, else the first.

    With the numbers of two students in it, it is nobody's: people choose how Canvas calls them and their files, so
    either of them may have written the other's.
    """
    if "/" in member:
        return None
    found = [end for end in NUMBERS.finditer(member) if end.start()]
    if len({end[2] for end in found} & set(known)) > 1:
        return None
    return next((end for end in found if end[2] in known), next(iter(found), None))


def feedback_name(member: str, number: str, page: str) -> str:
    """Return what a page is called that goes back for a member: by its beginning Canvas tells whose it is."""
    named = read_name(member, [number])
    return member[: len(member) - len(named.file)] + page if named else page


def counted_late(numbers: Sequence[str], due: datetime, grace_minutes: float) -> dict[str, datetime]:
    """Return a date for each of the works that Canvas calls late, by number.

    It is the first moment that counts as late: Canvas does not say more.
    """
    when = due.astimezone(UTC) + timedelta(minutes=grace_minutes, seconds=1)
    return dict.fromkeys(numbers, when)


def is_gradebook(row: Mapping[str, str]) -> bool:
    """Whether a row of a roster comes from Canvas's gradebook; other lists have an id of their own."""
    return {STUDENT, ID} <= set(row) and "first_name" not in row


def as_gradebook(row: Mapping[str, str]) -> dict[str, str]:
    """Return a row of a group set's list, or of a gradebook with two columns of names, as one of the gradebook."""
    if "canvas_user_id" in row:
        return {GROUP_SET.get(column, column): value for column, value in row.items()}
    if {"lastname", "firstname", ID} <= set(row):
        return {STUDENT: f"{row['lastname']}, {row['firstname']}".strip(", "), **row}
    return dict(row)


def sections(stated: str, alone: Collection[str] = ()) -> list[str]:
    """Return the sections that an export states for a student: "A, B, and C".

    alone: what is stated as the whole of other students. Of two sections Canvas writes "A and B", and so may one be
    called: it is two if each of the two has students of its own.
    """
    first, *more = [part.strip() for part in stated.split(",")]
    if more:
        return list(filter(None, [first, *more[:-1], more[-1].removeprefix("and ")]))
    for pair in two_sections(first):
        if set(pair) <= set(alone):
            return pair
    return [first] if first else []


def two_sections(stated: str) -> list[list[str]]:
    """Return the ways in which what is stated may be two sections."""
    words = stated.split(" and ")
    return [[" and ".join(words[:i]), " and ".join(words[i:])] for i in range(1, len(words))]


def assignments(columns: Sequence[str], adopted: Collection[str] = ()) -> list[str]:
    """Return those columns that are an assignment with its number, such as "01_spam (12345)".

    It is a chapter's, or one of those that were adopted.
    """
    names = set(map(str.casefold, adopted))
    found = [(column, ASSIGNMENT.fullmatch(column)) for column in columns]
    return [column for column, match in found if match and (CHAPTER.fullmatch(match[1]) or match[1] in names)]


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
