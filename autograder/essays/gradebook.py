"""From numbers back to students, and from a sheet into nbgrader's gradebook."""

from collections.abc import Mapping
from pathlib import Path

from autograder import cell_marks
from autograder.essays.answers import number
from autograder.essays.sheets import Mark
from autograder.gradebook.nbgrader_course import course_config
from autograder.gradebook.recorder import Recorder

PREFIX = cell_marks.PREFIX["essay"]


def students(course: Path, chapter: str, essays: list[str]) -> dict[tuple[str, str], tuple[str, str]]:
    """Return {(essay, number): (student, essay)} of everybody who has a submission in the gradebook."""
    with Recorder(course_config(course), chapter) as recorder:
        there = recorder.students() if recorder.has_chapter() else set()
    return {(essay, number(course, student, essay)): (student, essay) for student in there for essay in essays}


def known(course: Path, chapter: str) -> dict[str, Mark]:
    """Return {number: Mark} of the answers that a person has given points already."""
    with Recorder(course_config(course), chapter) as recorder:
        if not recorder.has_chapter():
            return {}
        grades, comments = recorder.grades(), recorder.comments()
    found = {}
    for student, cells in grades.items():
        for cell, (_, manual, *_) in cells.items():
            if cell.startswith(PREFIX) and manual is not None:
                essay = cell.removeprefix(PREFIX)
                said = comments.get(student, {}).get(cell, (None, None))[1] or ""
                found[number(course, student, essay)] = Mark(manual, said)
    return found


def record(course: Path, chapter: str, given: Mapping[tuple[str, str], Mark]) -> None:
    """Put points and comments into the gradebook, all in one transaction."""
    with Recorder(course_config(course), chapter) as recorder:
        recorder.grade_by_hand({(s, f"{PREFIX}{e}"): (mark.points, mark.comment) for (s, e), mark in given.items()})
