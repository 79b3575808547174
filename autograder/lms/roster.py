"""A roster: who a student is to Canvas or Moodle. Any CSV whose header has the system's own names will do.

The gradebook and the groups that Canvas exports, the participants or grades that Moodle exports, and nbgrader's own
list of students (id, first_name, last_name, email, lms_user_id) can be used as they are. A person is found by any of
KEYS.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.gradebook import students
from autograder.lms import canvas, moodle
from autograder.report import safe_text
from autograder.report.csvs import in_directory
from autograder.report.standing import Standing
from autograder.spelling import alike
from helpers.errors import CourseError

# What the name of a student's folder in submitted/ may be; headers are compared in lower case.
KEYS = ("student_id", "id", *canvas.ROSTER_KEYS, *moodle.ROSTER_KEYS)


class Roster:
    """The people of a roster; `find` gives a person's columns by the name of the folder in submitted/."""

    def __init__(self, rows: list[dict[str, str]], source: str = "the roster"):
        self.rows = rows
        self.columns = list(dict.fromkeys(column for row in rows for column in row))
        self._people: dict[str, list[dict[str, str]]] = {}
        self._source = source
        for row in rows:
            for key in {alike(row[k]) for k in KEYS if row.get(k)}:
                self._people.setdefault(key, []).append(row)

    def find(self, student: str) -> Mapping[str, str] | None:
        """Return the person's columns, names in lower case; None if nobody is called so, CourseError if two are."""
        found = self._people.get(alike(student), [])
        if len(found) > 1:
            raise CourseError(f"{self._source}: {len(found)} rows are '{safe_text.name(student)}'; keep the right one")
        return found[0] if found else None


def read(path: Path) -> Roster:
    """Read a roster of comma- or semicolon-separated values; CourseError if it cannot be used."""
    names, *people = students.table(path) or [[]]
    found = [dict(zip(names, row, strict=False)) for row in people]
    rows = [canvas.as_gradebook(row) for row in found]
    if not set(canvas.as_gradebook(dict.fromkeys(names, ""))) & set(KEYS):
        raise CourseError(f"{path}: no column tells who a student is; it needs one of: {', '.join(KEYS)}")
    return Roster([row for row in rows if _names_somebody(row)], str(path))


def _names_somebody(row: Mapping[str, str]) -> bool:
    return any(row.get(key) for key in KEYS)


def of_course(course: Path) -> Roster | None:
    """Return the roster of a course, which `roster import` writes; None without one."""
    found = students.rows(course)
    return Roster(found, str(course / students.ROSTER)) if found else None


def teams(row: Mapping[str, str]) -> list[str]:
    """Return the groups of a student that are no sections, by the row of roster.csv."""
    stated = row.get(canvas.SECTION, "")
    apart = [section for pair in canvas.two_sections(stated) for section in pair]
    sections = {stated, *apart, *canvas.sections(stated)}
    return [group for group in students.groups_of(row) if group not in sections]


def called(row: Mapping[str, str]) -> str:
    """Return what a row calls a student: the login, or another key."""
    keys = (canvas.SIS_LOGIN_ID, "student_id", "id", *KEYS)
    return next((row[k] for k in keys if row.get(k)), "")


def strangers(class_: Sequence[Standing], roster: Roster | None, for_moodle: bool = False) -> list[str]:
    """Return the students who get no row: the roster does not know them, or has nothing by which Moodle could."""
    if roster is None:
        return []
    known = {
        standing.student for standing, person in in_directory(class_, roster) if not for_moodle or moodle.knows(person)
    }
    return [standing.student for standing in class_ if standing.student not in known]


def absent(class_: Sequence[Standing], roster: Roster | None) -> list[str]:
    """Return those of the roster of whom there is no work, as the roster calls them."""
    if roster is None:
        return []
    there = {id(person) for _, person in in_directory(class_, roster)}
    missing = [row for row in roster.rows if id(row) not in there]
    return [called(row) for row in missing if canvas.is_person(row)]
