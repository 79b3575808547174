"""course.toml in a course's folder: what one course does otherwise. `CourseFile` is all that it may say.

secrets = "student"     fresh hidden inputs for each student (grading.graded_chapter)
[due] [late] [groups] [extensions]   dates and what late work costs (gradebook.late_work)
[teams]                 which groups hand in together (gradebook.teams)
[chapters.01_spam]      other exercises and points (authoring.adapted)
"""

import tomllib
from collections.abc import Mapping
from datetime import date, datetime, time
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from autograder import paths
from autograder.adopted_table import adopted
from autograder.spelling import composed
from autograder.terminal import one_line
from helpers.errors import CourseError

T = TypeVar("T")
FILE = "course.toml"
TABLES = ("chapters", "due", "extensions", "groups", "late", "teams")
DATES = "write a date with its offset, as 2026-10-01T23:59:00+02:00"
WHAT_TO_WRITE = {  # by table
    "secrets": 'there are "course" and "student"',
    "due": DATES,
    "extensions": DATES,
    "late": 'there are per_day, cap (percent), grace_minutes (at most 525600) and undated ("on-time" or "late")',
    "groups": "write a list of students' ids",
    "teams": 'write a list of groups, as in ["Team *"]',
}
WHAT_TO_WRITE_OF_A_CHAPTER = {  # by key
    "drop": 'a list of names, as in drop = ["bm25"]',
    "add": 'a list of names, as in add = ["more/trigrams.py"]',
    "points": "points = {name = number}, above 0 and at most 1000",
    "total": "total = number, above 0 and at most 1000",
}

YEARS = range(2000, 3000)  # another one is a slip, and the first and the last have no UTC
MOST_MINUTES = 365 * 24 * 60
LONGEST_VALUE = 60  # characters of a value that a line shows


def _in_these_years(when: datetime) -> datetime:
    if when.year not in YEARS:
        raise ValueError(f"the year {when.year}")
    return when


Percent = Annotated[float, Field(ge=0, le=100)]
Points = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
Date = Annotated[AwareDatetime, AfterValidator(_in_these_years)]
Dates = dict[str, Date]


class Table(BaseModel):
    """A table of the file: every key is known, every value of its type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Late(Table):
    """What late work costs, in percent of the points earned; undated: what work counts as that says no time."""

    per_day: Percent = 0.0
    cap: Percent = 100.0
    grace_minutes: Annotated[float, Field(ge=0, le=MOST_MINUTES)] = 0.0
    undated: Literal["on-time", "late"] = "on-time"


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
    teams: dict[str, list[str]] = {}
    chapters: dict[str, ChapterTable] = {}


def read(course: Path) -> CourseFile:
    """Return what is in a course's file, nothing without one; CourseError, in a line, for what no table of it is."""
    path = course / FILE
    try:
        return CourseFile.model_validate(tomllib.loads(composed(path.read_text(encoding="utf-8-sig"))))
    except FileNotFoundError:
        return CourseFile()
    except UnicodeDecodeError:
        raise CourseError(f"{path}: not UTF-8 text") from None
    except ValidationError as error:
        raise CourseError(f"{path}: {one_line(_in_a_line(error))}") from None
    except RecursionError:
        raise CourseError(f"{path}: too many brackets within brackets") from None
    except ValueError as error:  # no TOML, or a number of thousands of digits
        raise CourseError(f"{path}: {one_line(str(error))}") from None


def _in_a_line(error: ValidationError) -> str:
    """Return where the first mistake is, what stands there, and what to write in its place."""
    first = error.errors(include_url=False)[0]
    table, *where = map(str, first["loc"])
    if table in Late.model_fields:
        return f"'{table}' belongs below a line [late]"
    if table not in WHAT_TO_WRITE and (table not in TABLES or not where):
        return f"'{table}' is none of the tables {', '.join(TABLES)}"
    if not where:
        if table == "secrets":
            return f"secrets = {_typed(first['input'])}; {WHAT_TO_WRITE[table]}"
        return f"'{table}' is none of the tables {', '.join(TABLES)}"
    if table == "chapters":
        return _of_a_chapter(where)
    if table == "extensions" and len(where) == 1:
        return f"[extensions.{where[0]}] is no table of dates"
    return f"{table}: {'.'.join(where)} = {_typed(first['input'])}; {WHAT_TO_WRITE[table]}"


def _typed(value: object) -> str:
    """Return a value much as TOML has it, short enough to leave room for what to write in its place."""
    shown = value.isoformat() if isinstance(value, date | time) else repr(value)
    return shown if len(shown) <= LONGEST_VALUE else f"{shown[:LONGEST_VALUE]}..."


def _of_a_chapter(where: list[str]) -> str:
    name, *keys = where
    if not keys or keys[0] not in WHAT_TO_WRITE_OF_A_CHAPTER:
        return f"[chapters.{name}]: there are {', '.join(sorted(WHAT_TO_WRITE_OF_A_CHAPTER))}"
    return f"[chapters.{name}]: {keys[0]}: {WHAT_TO_WRITE_OF_A_CHAPTER[keys[0]]}"


def by_chapter(path: Path, tables: Mapping[str, T]) -> dict[str, T]:
    """Return what a file says of chapters, by their whole names; CourseError where two names are one chapter."""
    found: dict[str, T] = {}
    for name, table in tables.items():
        whole = chapter(path, name)
        if whole in found:
            raise CourseError(f"{path}: {whole} is there twice, once as '{name}'; make one of the two")
        found[whole] = table
    return found


def chapter(path: Path, name: str) -> str:
    """Return a chapter's whole name, or that of an adopted assignment; CourseError if there is none like it."""
    if name in adopted(path.parent):
        return name
    known = paths.chapters()
    if known and paths.chapter(name) not in known:
        raise CourseError(f"{path}: there is no chapter '{one_line(name)}'")
    return paths.chapter(name)
