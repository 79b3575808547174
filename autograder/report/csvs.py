"""Points as CSV: by question, as totals, for Canvas's gradebook and for Moodle's grade import.

Each function returns the rows, the header first; `save` writes them so that no spreadsheet takes a name for a formula.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.execution import results
from autograder.report import roster as rosters
from autograder.report import safe_text
from autograder.report.roster import POINTS, Roster
from autograder.report.standing import Standing, essays, questions
from helpers.files import write_whole

BY_HAND = "by hand"
QUESTIONS, GRADES = Path("questions.csv"), Path("grades.csv")
Rows = list[list]
# The columns of nbgrader's own export.
TOTALS = ["assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"]
TOTALS += ["raw_score", "late_submission_penalty", "score", "max_score"]
CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
MOODLE = {"username": "Username", "id number": "ID number", "email address": "Email address", "email": "Email address"}


def save_class(
    class_: Sequence[Standing],
    chapter: str,
    essay_points: Mapping[str, float],
    folder: Path,
    roster: Roster | None = None,
) -> None:
    """Write questions.csv and grades.csv, as `grade` does and `export`."""
    save(by_question(class_), folder / QUESTIONS)
    save(totals(class_, chapter, essay_points, roster), folder / GRADES)


def by_question(class_: Sequence[Standing]) -> Rows:
    """Return each student's points by question, the essays, what a person changed, the penalty, and the notes."""
    exercises, by_hand = list(questions(class_)), essays(class_)
    header = ["student", *exercises, "total by machine", *(f"essay {e}" for e in by_hand)]
    header += ["changed by hand", "late penalty", "total", "notes"]
    return [header, *(_question_row(s, exercises, by_hand) for s in class_)]


def _question_row(standing: Standing, exercises: list[str], by_hand: list[str]) -> list:
    scores = {c.exercise: c.score for c in standing.checks}
    graded = [BY_HAND if standing.essays.get(e, 0.0) is None else standing.essays.get(e, "") for e in by_hand]
    points = [scores.get(e, 0.0) for e in exercises]
    totals = [round(sum(standing.changed.values()), 2), standing.late, standing.total]
    return [standing.student, *points, standing.earned, *graded, *totals, "; ".join(remarks(standing))]


def totals(
    class_: Sequence[Standing], chapter: str, essay_points: Mapping[str, float], roster: Roster | None = None
) -> Rows:
    """Return the totals, under the names that nbgrader's own export uses."""
    most, rows = round(possible(class_, essay_points), 2), []
    for s in class_:
        person = {**s.who, **{k: v for k, v in ((roster and roster.find(s.student)) or {}).items() if v}}
        when, who = ([person.get(k, "") for k in keys] for keys in (TOTALS[1:3], TOTALS[4:7]))
        rows.append([chapter, *when, s.student, *who, s.raw, s.late, s.total, most])
    return [TOTALS, *rows]


def canvas(
    class_: Sequence[Standing],
    chapter: str,
    essay_points: Mapping[str, float],
    roster: Roster | None = None,
    column: str = "",
) -> Rows:
    """Return what Canvas's gradebook imports.

    column: the assignment's name in Canvas with its id, such as "01_spam (12345)"; a name that Canvas does not know
    makes a new assignment. Without a roster, the folder's name is taken as the SIS Login ID.
    Source: canvas-lms, lib/gradebook_importer.rb (Instructure).
    """
    most = [f"    {POINTS}", "", "", "", "", round(possible(class_, essay_points), 2)]
    rows = [[*_canvas_person(s.student, person), s.total] for s, person in _people(class_, roster)]
    return [[*CANVAS, column or _canvas_column(roster, chapter)], most, *rows]


def _canvas_person(student: str, person: Mapping[str, str]) -> list[str]:
    if not person:
        return [student.replace(POINTS, POINTS.replace(" ", "_")), "", "", student, ""]
    is_canvas = "sis login id" in person and "first_name" not in person  # other lists have an id of their own
    own = person.get("id", "") if is_canvas else ""
    ids = [person.get("lms_user_id") or own, person.get("sis user id", ""), person.get("sis login id", "")]
    known = ids if any(ids) else ["", "", student]
    return [rosters.full_name(person) or student, *known, person.get("section", "")]


def _canvas_column(roster: Roster | None, chapter: str) -> str:
    """Return the assignment's column with its id, if the roster is a Canvas export that has one for this chapter."""
    found = [c for c in (roster.columns if roster else []) if c.startswith(f"{chapter.casefold()} (")]
    return chapter + found[0][len(chapter) :] if len(found) == 1 else chapter


def moodle(class_: Sequence[Standing], chapter: str, roster: Roster | None = None) -> Rows:
    """Return what Moodle's grade import maps: who it is, the points, and points by question as feedback.

    With a roster, the identifying columns are those that it has; without, the folder's name is the Username. Who has
    nothing in any of them has no row: Moodle could not tell whose it is.
    Source: Moodle documentation, "Grade import": an import without feedback would take the old feedback away.
    """
    found = [c for c in MOODLE if roster and any(row.get(c) for row in roster.rows)] or ["username"]
    columns = list(dict.fromkeys(MOODLE[c] for c in found))
    people = [(s, person) for s, person in _people(class_, roster) if _for_moodle(person)]
    rows = [_moodle_row(s, person or {"username": s.student}, columns) for s, person in people]
    return [[*columns, f"{chapter} (Real)", f"{chapter} (Feedback)"], *rows]


def _for_moodle(person: Mapping[str, str]) -> bool:
    """Whether Moodle can tell who somebody of a roster is; without a roster the folder's name says it."""
    return not person or any(person.get(column) for column in MOODLE)


def _moodle_row(standing: Standing, person: Mapping[str, str], columns: list[str]) -> list:
    said = [f"{c.exercise} {safe_text.number(c.score)} of {safe_text.number(c.points)}" for c in standing.checks]
    who = [next((person[c] for c in MOODLE if MOODLE[c] == column and person.get(c)), "") for column in columns]
    return [*who, standing.total, "; ".join(said)]


def _people(class_: Sequence[Standing], roster: Roster | None) -> list[tuple[Standing, Mapping[str, str]]]:
    """Return the students that the roster knows, with their columns; without a roster, all."""
    if roster is None:
        return [(s, {}) for s in class_]
    return [(s, person) for s in class_ if (person := roster.find(s.student)) is not None]


def strangers(class_: Sequence[Standing], roster: Roster | None, moodle: bool = False) -> list[str]:
    """Return the students who get no row: the roster does not know them, or has nothing by which Moodle could."""
    found = {s.student: roster.find(s.student) for s in class_} if roster else {}
    return [who for who, person in found.items() if person is None or (moodle and not _for_moodle(person))]


def absent(class_: Sequence[Standing], roster: Roster | None) -> list[str]:
    """Return those of the roster of whom there is no work, as the roster calls them."""
    if roster is None:
        return []
    there = [id(roster.find(s.student)) for s in class_]
    return [rosters.called(row) for row in roster.rows if rosters.is_person(row) and id(row) not in there]


def ungraded(class_: Sequence[Standing]) -> dict[str, int]:
    """Return how many answers to each essay nobody has graded yet: they count as 0 points."""
    return {e: n for e in essays(class_) if (n := sum(s.essays.get(e, 0.0) is None for s in class_))}


def possible(class_: Sequence[Standing], essay_points: Mapping[str, float]) -> float:
    """Return the points of all checks and essays."""
    return sum(questions(class_).values()) + sum(essay_points.values())


def remarks(standing: Standing) -> list[str]:
    """Return what there is to say of a submission: repairs, and why it failed or what stopped; one line each."""
    said = results.remarks(standing.result)
    return list(dict.fromkeys(safe_text.line(words) for words in said if words))


def save(rows: Rows, path: Path) -> None:
    """Write rows as CSV in UTF-8, whole or not at all; text is quoted, so that no separator splits a name."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerows(map(safe_text.cell, row) for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, out.getvalue().encode("utf-8"))
