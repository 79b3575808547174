"""Who is in the course: roster.csv in the course's folder.

roster.csv has a row for each student: id (the name of the folder in submitted/), first_name, last_name, email,
lms_user_id, group (several with a semicolon between), and what else a system calls a person.
"""

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from autograder.spelling import composed
from helpers.errors import CourseError

ROSTER = "roster.csv"
GROUP_SEPARATOR = ";"


def rows(course: Path) -> list[dict[str, str]]:
    """Return the rows of a course's roster.csv, names of columns in lower case; [] where there is none.

    An export of another system that is called roster.csv is none.
    """
    try:
        content = (course / ROSTER).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return []
    except UnicodeDecodeError:
        raise CourseError(f"{course / ROSTER}: not UTF-8 text; save it as CSV UTF-8") from None
    table = [row for row in csv.reader(io.StringIO(composed(content))) if row]
    if not table:
        return []
    names = [column.strip().casefold() for column in table[0]]
    if not {"id", "first_name"} <= set(names):
        return []
    people = [dict(zip(names, map(str.strip, row), strict=False)) for row in table[1:]]
    return [person for person in people if person.get("id")]


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
