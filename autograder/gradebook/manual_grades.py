"""What a gradebook knows besides the points by machine: essays, what a person changed, penalties, who and when."""

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import select

from autograder import cell_marks
from autograder.adopted_table import HandGraded
from autograder.notebook_names import full_name

WHO = ("last_name", "first_name", "email", "duedate", "timestamp")


def ledger(gradebook: Gradebook, chapter: str, by_hand: HandGraded) -> dict[str, dict]:
    """Return what is known of each student who has a submission of the chapter.

    by_hand: the cells that a person grades, in a chapter its essays. Returns, by student,
    {"manual": {essay: points, None until a person has graded it}, "changed": {exercise: points more or less than the
    machine gave}, "late": points that are taken off, "who": {last_name, first_name, email, duedate, timestamp}}
    """
    found: dict[str, dict] = {}
    for student, late, *who in gradebook.db.execute(_submissions(chapter)):
        told = {name: "" if value is None else str(value) for name, value in zip(WHO, who, strict=True)}
        before = found[student]["late"] if student in found else 0.0
        taken = round(before + (late or 0.0), 2) if before else late or 0.0  # each notebook has its own
        found[student] = {"manual": {}, "changed": {}, "late": taken, "who": told}
    for student, notebook, name, auto, manual, extra, needs in gradebook.db.execute(_grades(chapter)):
        cell = full_name(chapter, notebook, name)
        points = (auto or 0.0 if manual is None else manual) + (extra or 0.0)
        if cell in by_hand:
            waits = needs and manual is None
            found[student]["manual"][by_hand.name(cell)] = None if waits else points
        elif points != (auto or 0.0):
            found[student]["changed"][cell.removeprefix(cell_marks.PREFIX["check"])] = points - (auto or 0.0)
    return found


def _submissions(chapter: str):
    who = (Student.last_name, Student.first_name, Student.email, Assignment.duedate, SubmittedAssignment.timestamp)
    return _of(chapter, select(Student.id, SubmittedNotebook.late_submission_penalty, *who))


def _grades(chapter: str):
    points = (Grade.auto_score, Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade)
    rows = _of(chapter, select(Student.id, Notebook.name, BaseCell.name, *points))
    rows = rows.join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
    return rows.join(Grade, Grade.notebook_id == SubmittedNotebook.id).join(BaseCell, BaseCell.id == Grade.cell_id)


def _of(chapter: str, rows):
    """Return the rows of a chapter's submissions."""
    rows = rows.select_from(SubmittedAssignment).join(Student, Student.id == SubmittedAssignment.student_id)
    rows = rows.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
    rows = rows.join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
    return rows.where(Assignment.name == chapter)
