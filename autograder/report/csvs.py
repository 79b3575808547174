"""Points as CSV: by question and as totals, under the names that nbgrader's own export uses.

Each function returns the rows, the header first; `save` writes them so that no spreadsheet takes a name for a formula.
"""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from autograder.adopted_table import WHY_UNPROVED
from autograder.execution import results
from autograder.report import safe_text
from autograder.report.standing import Standing, essays, questions, unproved
from helpers.files import write_whole

BY_HAND = "by hand"
QUESTIONS, GRADES = Path("questions.csv"), Path("grades.csv")
Rows = list[list]
# The columns of nbgrader's own export.
TOTALS = ["assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"]
TOTALS += ["raw_score", "late_submission_penalty", "score", "max_score"]


class Directory(Protocol):
    """Who is who, by the name of the folder in submitted/; autograder.lms.roster reads one."""

    rows: list[dict[str, str]]
    columns: list[str]

    def find(self, student: str) -> Mapping[str, str] | None:
        """Return a person's columns, names in lower case; None if nobody is called so, CourseError if two are."""


def save_class(
    class_: Sequence[Standing],
    chapter: str,
    essay_points: Mapping[str, float],
    folder: Path,
    directory: Directory | None = None,
) -> None:
    """Write questions.csv and grades.csv, as `grade` does and `export`."""
    save(by_question(class_), folder / QUESTIONS)
    save(totals(class_, chapter, essay_points, directory), folder / GRADES)


def by_question(class_: Sequence[Standing]) -> Rows:
    """Return each student's points by question, the essays, what a person changed, the penalty, and the notes."""
    exercises, by_hand, doubted = list(questions(class_)), essays(class_), unproved(class_)
    header = [
        "student",
        *(f"{e} (unproved)" if e in doubted else e for e in exercises),
        "total by machine",
        *(f"essay {e}" for e in by_hand),
    ]
    header += ["changed by hand", "late penalty", "total", "notes"]
    return [header, *(_question_row(s, exercises, by_hand) for s in class_)]


def _question_row(standing: Standing, exercises: list[str], by_hand: list[str]) -> list:
    scores = {c.exercise: c.score for c in standing.checks}
    graded = [BY_HAND if standing.essays.get(e, 0.0) is None else standing.essays.get(e, "") for e in by_hand]
    points = [scores.get(e, 0.0) for e in exercises]
    totals = [round(sum(standing.changed.values()), 2), standing.late, standing.total]
    return [standing.student, *points, standing.earned, *graded, *totals, "; ".join(remarks(standing))]


def totals(
    class_: Sequence[Standing], chapter: str, essay_points: Mapping[str, float], directory: Directory | None = None
) -> Rows:
    """Return the totals, under the names that nbgrader's own export uses."""
    max_points, rows = round(possible(class_, essay_points), 2), []
    for s in class_:
        person = _person(s, directory)
        when = [person.get(column, "") for column in TOTALS[1:3]]
        who = [person.get(column, "") for column in TOTALS[4:7]]
        rows.append([chapter, *when, s.student, *who, s.raw, s.late, s.total, max_points])
    return [TOTALS, *rows]


def _person(standing: Standing, directory: Directory | None) -> dict[str, str]:
    """Return what the gradebook and a directory know of a student; what the directory says goes before."""
    known = directory.find(standing.student) if directory else None
    return {**standing.who, **{column: value for column, value in (known or {}).items() if value}}


def in_directory(class_: Sequence[Standing], directory: Directory | None) -> list[tuple[Standing, Mapping[str, str]]]:
    """Return the students that a directory knows, with their columns; without a directory, all, with none."""
    if directory is None:
        return [(standing, {}) for standing in class_]
    people = [(standing, directory.find(standing.student)) for standing in class_]
    return [(standing, person) for standing, person in people if person is not None]


def ungraded(class_: Sequence[Standing]) -> dict[str, int]:
    """Return how many answers to each essay nobody has graded yet: they count as 0 points."""
    waiting = Counter(essay for standing in class_ for essay in standing.open)
    return {essay: waiting[essay] for essay in essays(class_) if waiting[essay]}


def possible(class_: Sequence[Standing], essay_points: Mapping[str, float]) -> float:
    """Return the points of all checks and essays."""
    return sum(questions(class_).values()) + sum(essay_points.values())


def remarks(standing: Standing) -> list[str]:
    """Return what there is to say of a submission: repairs, why it failed or what stopped, what is unproved."""
    said = results.remarks(standing.result)
    if mine := unproved([standing]):
        said.append(f"{', '.join(mine)}: {WHY_UNPROVED}")
    return list(dict.fromkeys(safe_text.line(words) for words in said if words))


def save(rows: Rows, path: Path) -> None:
    """Write rows as CSV in UTF-8, whole or not at all; text is quoted, so that no separator splits a name."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerows(map(safe_text.cell, row) for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, out.getvalue().encode("utf-8"))
