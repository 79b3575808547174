"""course.toml in a course's folder: what one course does otherwise. Each table is read where it is used.

secrets = "student"     fresh hidden inputs for each student (grading.graded_chapter)
[due] [late] [groups] [extensions]   dates and what late work costs (gradebook.late_work)
[chapters.01_spam]      other exercises and points (authoring.adapted)
"""

import tomllib
from pathlib import Path

from autograder import paths
from helpers.errors import CourseError

FILE = "course.toml"
TABLES = {"due", "late", "groups", "extensions", "chapters"}
SECRETS = ("course", "student")  # whether all students of a course get the same hidden inputs


def read(course: Path) -> dict:
    """Return what is in a course's file, {} without one; raises CourseError for what no table of it is."""
    path = course / FILE
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"{path}: {error}") from None
    for name, value in found.items():
        if name == "secrets" and value not in SECRETS:
            raise CourseError(f'{path}: secrets = {value!r}; there are "course" and "student"')
        if name != "secrets" and (name not in TABLES or not isinstance(value, dict)):
            raise CourseError(f"{path}: '{name}' is none of the tables {', '.join(sorted(TABLES))}")
    return found


def chapter(path: Path, name: str) -> str:
    """Return a chapter's whole name; CourseError if there is none like it."""
    known = paths.chapters()
    if known and paths.chapter(name) not in known:
        raise CourseError(f"{path}: there is no chapter '{name}'")
    return paths.chapter(name)
