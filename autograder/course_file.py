"""course.toml in a course's folder: what one course does otherwise. `CourseFile` is all that it may say.

secrets = "student"     fresh hidden inputs for each student (grading.graded_chapter)
[due] [late] [groups] [extensions]   dates and what late work costs (gradebook.late_work)
[chapters.01_spam]      other exercises and points (authoring.adapted)
"""

import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from autograder import paths
from autograder.spelling import composed
from helpers.errors import CourseError

FILE = "course.toml"
TABLES = ("chapters", "due", "extensions", "groups", "late")
DATES = "write a date with its offset, as 2026-10-01T23:59:00+02:00"
WHAT_TO_WRITE = {  # by table
    "secrets": 'there are "course" and "student"',
    "due": DATES,
    "extensions": DATES,
    "late": "there are per_day, cap (percent) and grace_minutes",
    "groups": "write a list of students' ids",
}
WHAT_TO_WRITE_OF_A_CHAPTER = {  # by key
    "drop": 'a list of names, as in drop = ["bm25"]',
    "add": 'a list of names, as in add = ["more/trigrams.py"]',
    "points": "points = {name = number}, above 0 and at most 1000",
    "total": "total = number, above 0 and at most 1000",
}

Percent = Annotated[float, Field(ge=0, le=100)]
Points = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
Dates = dict[str, AwareDatetime]


class Table(BaseModel):
    """A table of the file: every key is known, every value of its type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Late(Table):
    """What late work costs, in percent of the points earned."""

    per_day: Percent = 0.0
    cap: Percent = 100.0
    grace_minutes: Annotated[float, Field(ge=0)] = 0.0


class ChapterTable(Table):
    """What a course changes of a chapter: questions by their names, stories in the course's folder."""

    drop: list[str] = []
    points: dict[str, Points] = {}
    add: list[str] = []
    total: Points | None = None


class CourseFile(Table):
    """All that a course's file says."""

    secrets: Literal["course", "student"] = "course"
    due: Dates = {}
    late: Late = Late()
    groups: dict[str, list[str]] = {}
    extensions: dict[str, Dates] = {}
    chapters: dict[str, ChapterTable] = {}


def read(course: Path) -> CourseFile:
    """Return what is in a course's file, nothing without one; CourseError, in a line, for what no table of it is."""
    path = course / FILE
    try:
        return CourseFile.model_validate(tomllib.loads(composed(path.read_text(encoding="utf-8"))))
    except FileNotFoundError:
        return CourseFile()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"{path}: {error}") from None
    except ValidationError as error:
        raise CourseError(f"{path}: {_in_a_line(error)}") from None


def _in_a_line(error: ValidationError) -> str:
    """Return where the first mistake is, what stands there, and what to write in its place."""
    first = error.errors(include_url=False)[0]
    table, *where = map(str, first["loc"])
    if table not in WHAT_TO_WRITE and (table not in TABLES or not where):
        return f"'{table}' is none of the tables {', '.join(TABLES)}"
    if not where:
        if table == "secrets":
            return f"secrets = {first['input']!r}; {WHAT_TO_WRITE[table]}"
        return f"'{table}' is none of the tables {', '.join(TABLES)}"
    if table == "chapters":
        return _of_a_chapter(where)
    if table == "extensions" and len(where) == 1:
        return f"[extensions.{where[0]}] is no table of dates"
    return f"{table}: {'.'.join(where)} = {first['input']!r}; {WHAT_TO_WRITE[table]}"


def _of_a_chapter(where: list[str]) -> str:
    name, *keys = where
    if not keys or keys[0] not in WHAT_TO_WRITE_OF_A_CHAPTER:
        return f"[chapters.{name}]: there are {', '.join(sorted(WHAT_TO_WRITE_OF_A_CHAPTER))}"
    return f"[chapters.{name}]: {keys[0]}: {WHAT_TO_WRITE_OF_A_CHAPTER[keys[0]]}"


def chapter(path: Path, name: str) -> str:
    """Return a chapter's whole name; CourseError if there is none like it."""
    known = paths.chapters()
    if known and paths.chapter(name) not in known:
        raise CourseError(f"{path}: there is no chapter '{name}'")
    return paths.chapter(name)
