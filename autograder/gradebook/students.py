"""Who is in the course: roster.csv in the course's folder.

roster.csv has a row for each student: id (the name of the folder in submitted/), first_name, last_name, email,
lms_user_id, group (several with a semicolon between), and what else a system calls a person.
"""

import csv
import string
from collections.abc import Mapping
from operator import itemgetter
from pathlib import Path

from autograder.spelling import composed
from autograder.spreadsheets import opened
from autograder.terminal import LINE_ENDS, clean, one_line
from helpers.errors import CourseError

WORDS = {"unexpected end of data": "a quotation mark is never closed"}  # what csv says, and what it means
ROSTER = "roster.csv"
UNSEEN = f"{string.whitespace}\xa0\xad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"  # what copying leaves at an end
GROUP_SEPARATOR = ";"


def rows(course: Path) -> list[dict[str, str]]:
    """Return the rows of a course's roster.csv, names of columns in lower case; [] where there is none.

    An export of another system that is called roster.csv is none.
    """
    path = course / ROSTER
    if not path.exists():
        return []
    names, *people = table(path) or [[]]
    if not {"id", "first_name"} <= set(names):
        return []
    rows = [dict(zip(names, row, strict=False)) for row in people]
    found = [person for person in rows if person.get("id")]
    ids: set[str] = set()
    for name in map(itemgetter("id"), found):
        if clean(name) != name or set(name) & set(LINE_ENDS):
            raise CourseError(f"{path}: the id '{one_line(name)}' has a line end or a control character in it")
        if name in ids:
            raise CourseError(f"{path}: more than one row has the id '{one_line(name)}'; keep the right one")
        ids.add(name)
    return found


def table(path: Path) -> list[list[str]]:
    """Return the rows of a CSV, without blanks and what nobody sees around values, the header in lower case.

    CourseError, in a line, for what is none.
    """
    content, separator = opened(path)
    reader = csv.reader(content, delimiter=separator, strict=True)
    try:
        rows = [list(map(_seen, row)) for row in reader if row]
    except csv.Error as error:
        raise CourseError(f"{path}: line {reader.line_num} is no CSV: {WORDS.get(str(error), error)}") from None
    if rows:
        rows[0] = list(map(str.casefold, rows[0]))
    return rows


def _seen(value: str) -> str:
    return composed(value.strip(UNSEEN))


def groups(course: Path) -> dict[str, list[str]]:
    """Return {group: ids of its members} of the roster."""
    found: dict[str, list[str]] = {}
    for row in rows(course):
        for name in groups_of(row):
            found.setdefault(name, []).append(row["id"])
    return found


def groups_of(row: Mapping[str, str]) -> list[str]:
    """Return the groups of a student, by the row of roster.csv."""
    return list(filter(None, map(str.strip, row.get("group", "").split(GROUP_SEPARATOR))))
