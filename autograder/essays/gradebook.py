"""From numbers back to students, and from a sheet into nbgrader's gradebook."""

from collections.abc import Mapping
from pathlib import Path

from autograder.adopted_table import hand_graded
from autograder.essays.answers import authors, number
from autograder.essays.sheets import Mark
from autograder.gradebook.nbgrader_course import course_config
from autograder.gradebook.recorder import Recorder


def students(course: Path, chapter: str, essays: list[str]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return {(essay, number): whose the answer is} of all who have a submission in the gradebook."""
    with Recorder(course_config(course), chapter) as recorder:
        there = recorder.students() if recorder.has_chapter() else set()
    whose = authors(course, chapter, there)
    return {(essay, number(course, first, essay)): whose[first] for first in whose for essay in essays}


def known(course: Path, chapter: str) -> dict[str, Mark]:
    """Return {number: Mark} of the answers that a person has given points already."""
    with Recorder(course_config(course), chapter) as recorder:
        if not recorder.has_chapter():
            return {}
        grades, comments = recorder.grades(), recorder.comments()
    found, by_hand = {}, hand_graded(course, chapter)
    for student in authors(course, chapter, grades):
        for cell, (_, manual, *_) in grades[student].items():
            if cell in by_hand and manual is not None:
                essay = by_hand.name(cell)
                said = comments.get(student, {}).get(cell, (None, None))[1] or ""
                found[number(course, student, essay)] = Mark(manual, said)
    return found


def record(course: Path, chapter: str, given: Mapping[tuple[str, str], Mark]) -> None:
    """Put points and comments into the gradebook, all in one transaction. given: by (student, essay)."""
    by_hand = hand_graded(course, chapter)
    marks = {(student, by_hand.cell(e)): (mark.points, mark.comment) for (student, e), mark in given.items()}
    with Recorder(course_config(course), chapter) as recorder:
        recorder.grade_by_hand(marks)
