"""Rosters as Canvas and Moodle export them, or plain: who is in the course, under which names, in which groups.

Their columns stand in `canvas` and `moodle`; a plain one has id, name (or first_name and last_name), email, group.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.adopted_table import adopted
from autograder.gradebook import students
from autograder.gradebook.nbgrader_course import grading_config
from autograder.gradebook.recorder import KNOWN, Recorder
from autograder.gradebook.students import GROUP_SEPARATOR, ROSTER
from autograder.lms import canvas, moodle
from autograder.lms import roster as rosters
from autograder.lms.people import People
from autograder.report import csvs, safe_text
from autograder.spelling import alike
from autograder.submissions.collect import LONGEST_NAME
from autograder.terminal import LINE_ENDS, clean
from helpers.errors import CourseError

# Which column names the student's folder, the first that the file has and that is full in the row.
OTHERS = ("id", "student_id", *moodle.ROSTER_KEYS)
COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id", "group")
TEAMS = {"groups": moodle.GROUP_SEPARATOR, "group": GROUP_SEPARATOR, canvas.GROUP: None}  # and what stands between
KEPT = (*rosters.KEYS, canvas.STUDENT, canvas.SECTION, "full name", "identifier")  # of what an export says
ROUNDED = re.compile(r"\d([.,]\d+)?E\+\d+|\d+[.,]0+", re.IGNORECASE)  # 1.23457E+11, 12345.0
NOT_IN_A_NAME = {*"/\\[]*?", *LINE_ENDS}


@dataclass(frozen=True)
class Imported:
    """What came of a roster: all people of the course now, and how many of them are new or were changed."""

    people: Sequence[Mapping[str, str]]
    new: int
    changed: int


def import_roster(path: Path, course: Path, key: str = "") -> Imported:
    """Bring a roster into roster.csv and nbgrader's students; who is not in it any more stays.

    key: the column that names a student's folder. Raises CourseError, and changes nothing, where a row will not do.
    """
    if path.resolve() == (course / ROSTER).resolve():
        raise CourseError(f"{path}: this name is kept for what comes of a roster; give the export another one")
    before = students.rows(course)
    people = People([] if key else before)  # --key decides alone
    export = rosters.read(path)
    rows = [row for row in export.rows if canvas.is_person(row)]
    found = [_person(path, row, key.casefold(), people) for row in rows]
    if not found:
        raise CourseError(f"{path}: no students are in it")
    _all_differ(path, found)
    known = {row["id"]: row for row in before}
    _ensure_zeros_kept(path, found, known)
    merged = known | {p["id"]: known.get(p["id"], {}) | _filled(p) for p in found}
    _set_groups(merged, known, dict(zip([p["id"] for p in found], rows, strict=True)))
    changed = [student for student, row in known.items() if _differs(row, merged[student])]
    columns = _columns(list(merged.values()), canvas.assignments(export.columns, adopted(course)))
    if merged != known or not (course / ROSTER).is_file() or columns != list(before[0]):
        _write(list(merged.values()), columns, course / ROSTER)
    with Recorder(grading_config(course), "") as recorder:
        recorder.name_students({student: _known_to_nbgrader(p) for student, p in merged.items()})
    return Imported(list(merged.values()), len(merged) - len(known), len(changed))


def _filled(row: Mapping[str, str]) -> dict[str, str]:
    return {column: value for column, value in row.items() if value}


def _differs(before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    return after != {column: value for column, value in before.items() if value or column in after}


def _known_to_nbgrader(person: Mapping[str, str]) -> dict[str, str]:
    return {column: person[column] for column in KNOWN if person.get(column)}


def _person(path: Path, row: Mapping[str, str], key: str, people: "People") -> dict[str, str]:
    """Return a row as roster.csv keeps it; whom the course knows by another of these keys keeps the id."""
    is_canvas = canvas.is_gradebook(row)
    known = people.known([row.get(k, "") for k in rosters.KEYS if k != "id" or not is_canvas])
    keys = canvas.FOLDER_KEYS if is_canvas else OTHERS
    student = known or _id(path, row, [key] if key else keys)
    first, last = _names(row)
    more = {column: value for column, value in row.items() if column in KEPT and value}
    person = {"first_name": first, "last_name": last, "email": row.get("email") or row.get("email address") or ""}
    own = row.get(canvas.ID, "") if is_canvas else ""
    return more | {"id": student, **person, "lms_user_id": row.get("lms_user_id") or own}


def _id(path: Path, row: Mapping[str, str], keys: Sequence[str]) -> str:
    found = next((row[k] for k in keys if row.get(k)), "")
    if not found:
        raise CourseError(f"{path}: {_shown(row)} has nothing in the column '{keys[0]}'; --key names another column")
    unfit = set(found) & NOT_IN_A_NAME or len(found) > LONGEST_NAME or clean(found) != found
    if ROUNDED.fullmatch(found):
        raise CourseError(
            f"{path}: '{safe_text.name(found)}' is a number of a spreadsheet and nobody's id; save the list anew with "
            "this column as text"
        )
    if found.startswith((".", "=", "+", "-", "@")) or unfit:
        raise CourseError(f"{path}: '{safe_text.name(found)}' cannot name a folder; --key names another column")
    return found


def _shown(row: Mapping[str, str]) -> str:
    return safe_text.name(next(filter(None, row.values()), ""))


def _names(row: Mapping[str, str]) -> tuple[str, str]:
    """Return first and last name from whatever columns there are."""
    last = row.get("last_name") or row.get("last name") or row.get("surname") or ""
    first = row.get("first_name") or row.get("first name") or ""
    if first or last:
        return first, last
    whole = row.get(canvas.STUDENT) or row.get("name") or row.get("full name") or ""
    if ", " in whole:
        last, _, first = whole.partition(", ")
    else:
        first, _, last = whole.rpartition(" ")
    return first, last


def _set_groups(
    merged: Mapping[str, dict[str, str]], known: Mapping[str, Mapping], export: Mapping[str, Mapping]
) -> None:
    """Set the groups of the students in an export, by id: their sections, and its teams, if there are any in it."""
    alone = {row[canvas.SECTION] for row in merged.values() if row.get(canvas.SECTION)}
    says_teams = any(row.get(column) for row in export.values() for column in TEAMS)
    for student, row in export.items():
        person = merged[student]
        teams = _teams(row) if says_teams else rosters.teams(known.get(student, {}))
        groups = [*canvas.sections(person.get(canvas.SECTION, ""), alone), *teams]
        person["group"] = GROUP_SEPARATOR.join(dict.fromkeys(groups))


def _teams(row: Mapping[str, str]) -> list[str]:
    named: list[str] = []
    for column, separator in TEAMS.items():
        stated = row.get(column, "")
        named += stated.split(separator) if separator else [stated]
    return list(filter(None, map(str.strip, named)))


def _ensure_zeros_kept(path: Path, found: Sequence[Mapping[str, str]], known: Mapping[str, Mapping]) -> None:
    """Raise CourseError for a new student 12 beside a known 0012, of whom a spreadsheet has taken the zeros."""
    full = {student.lstrip("0"): student for student in known if student.isdecimal() and student.startswith("0")}
    for person in found:
        student = person["id"]
        if student not in known and student in full:
            raise CourseError(
                f"{path}: the course has no student '{safe_text.name(student)}', and one '{full[student]}'; did a "
                "spreadsheet take the zeros away? Save the list with this column as text"
            )


def _all_differ(path: Path, found: Sequence[Mapping[str, str]]) -> None:
    seen: set[str] = set()
    for person in found:
        if alike(person["id"]) in seen:
            raise CourseError(f"{path}: two students are '{safe_text.name(person['id'])}'; --key names another column")
        seen.add(alike(person["id"]))


def _columns(people: Sequence[Mapping[str, str]], assignments: Sequence[str]) -> list[str]:
    """Return the columns of roster.csv; assignments: as the export has them, with the numbers that are right now."""
    columns = dict.fromkeys([*COLUMNS, *(column for person in people for column in person)])
    names = {column.rpartition(" (")[0] for column in assignments}
    stale = {c for c in canvas.assignments(list(columns), names) if c.rpartition(" (")[0] in names} - set(assignments)
    kept = [column for column in columns if column not in stale]
    return list(dict.fromkeys([*kept, *assignments]))


def _write(people: Sequence[Mapping[str, str]], columns: list[str], path: Path) -> None:
    rows = [columns]
    for person in people:
        rows.append([person.get(column, "") for column in columns])
    csvs.save(rows, path)
