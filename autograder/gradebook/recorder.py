"""The one writer: what a result earned goes into nbgrader's gradebook, a submission in one transaction."""

import re
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import nbgrader
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbformat import NotebookNode
from nbgrader.api import (
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    InvalidEntry,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import Select, create_engine, select, text
from sqlalchemy.exc import OperationalError, SAWarning, SQLAlchemyError
from traitlets.config import Config

from autograder.adopted_table import hand_graded
from autograder.gradebook.late_work import Policy
from autograder.gradebook.manual_grades import ledger
from autograder.gradebook.reshape import reshape
from autograder.notebook_names import full_name
from autograder.spelling import alike
from helpers.errors import CourseError

warnings.filterwarnings("ignore", category=SAWarning)  # nbgrader's own, on every new submission
LOCK_TIMEOUT = 60  # seconds to wait for another program that holds the gradebook
KNOWN = ("first_name", "last_name", "email", "lms_user_id")  # what the gradebook keeps of a student
EMPTY = "No response."  # nbgrader's comment on an answer that was left as it was


class Recorder:
    """An open gradebook and the chapter that is recorded in it."""

    def __init__(self, config: Config, chapter: str, say: Callable[[str], None] = print, policy: Policy | None = None):
        """policy: due dates and the cost of late work; without a date for the chapter nbgrader's plugin decides."""
        self.chapter, self.say = chapter, say
        self.has_policy = policy is not None and chapter in policy.due
        self.policy = policy or Policy()
        self.course = CourseDirectory(config=config)
        self.late = AssignLatePenalties(config=config)
        self.late.init_plugin()

    def __enter__(self) -> "Recorder":
        where = f"the gradebook {_shown(self.course.db_url)} cannot be opened"
        try:
            self.gradebook = self._patiently(self._opened, where)
        except (SQLAlchemyError, ImportError) as error:
            raise CourseError(f"{where}: {_why(error)}") from error
        return self

    def _opened(self) -> Gradebook:
        make_whole(self.course.db_url, self.course.course_id)
        return Gradebook(self.course.db_url, self.course.course_id)

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.gradebook.close()

    def has_chapter(self) -> bool:
        """Whether the gradebook knows the chapter."""
        return self._read(lambda: any(a.name == self.chapter for a in self.gradebook.assignments))

    def wait(self) -> None:
        """Wait until the gradebook can be written to; raises CourseError if that takes too long."""
        self._patiently(self._transaction(lambda: None))

    def students(self) -> set[str]:
        """Return the students who have a submission of the chapter."""
        rows = select(SubmittedAssignment.student_id)
        return self._read(lambda: set(self.gradebook.db.execute(rows.where(self._mine())).scalars()))

    def record(
        self,
        student: str,
        timestamp: str | None,
        scores: dict[str, float | None],
        untouched: set[str],
        changed: set[str],
    ) -> None:
        """Record one submission.

        scores: by grade_id, None for what a person grades; untouched: answers left as they were handed out;
        changed: essays with another text than at the last time. Manual grades and comments stay; what they were given
        for is to be looked at again if it changed.
        """
        self._patiently(self._transaction(lambda: self._record(student, timestamp, scores, untouched, changed)))

    def _record(self, student, timestamp, scores, untouched, changed) -> None:
        book = self.gradebook
        book.update_or_create_student(student, **self._named_alike(student))
        submission = book.update_or_create_submission(self.chapter, student, timestamp=timestamp)
        for name, grade in self._of(Grade, submission):
            _set(grade, scores.get(name, 0.0), name in changed)
        for name, comment in self._of(Comment, submission):
            comment.auto_comment = EMPTY if name in untouched else None
        book.db.flush()
        book.db.expire_all()  # the scores that nbgrader computes are read anew
        self._penalise(student, submission)

    def _named_alike(self, student: str) -> dict[str, str]:
        """Take out one of a new student's name but for capitals who has handed in nothing; return what was known of it.

        The roster may have capitals where a hub's login, and so the folder, has none.
        """
        ids = self._ids()
        if student in ids:
            return {}
        alone = [other for other in ids if alike(other) == alike(student)]
        if len(alone) != 1:
            return {}
        other = self.gradebook.find_student(alone[0])
        if other.submissions:
            return {}
        known = {column: getattr(other, column) for column in KNOWN}
        self.gradebook.remove_student(other.id)
        return known

    def _ids(self) -> set[str]:
        return set(self.gradebook.db.execute(select(Student.id)).scalars())

    def _of(self, what: Any, submission: SubmittedAssignment) -> list:
        """Return (name of the cell in the assignment, its grade or comment) of a submission, in one query."""
        rows = self._with_cells(select(Notebook.name, BaseCell.name, what), what)
        found = self.gradebook.db.execute(rows.where(SubmittedNotebook.assignment_id == submission.id))
        return [(full_name(self.chapter, notebook, name), one) for notebook, name, one in found]

    def _with_cells(self, rows: Select, what: Any) -> Select:
        """Return a query of grades or comments with the cells, the notebooks, and what was handed in of them."""
        rows = rows.select_from(what).join(BaseCell, BaseCell.id == what.cell_id)
        rows = rows.join(SubmittedNotebook, SubmittedNotebook.id == what.notebook_id)
        return rows.join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)

    def grade_by_hand(self, given: dict[tuple[str, str], tuple[float, str]]) -> None:
        """Record what a person gave: {(student, grade_id): (points, comment)}; all of it, or nothing."""

        points = {key: points for key, (points, _) in given.items()}
        self.answer_by_hand(points, {key: comment for key, (_, comment) in given.items()})

    def answer_by_hand(self, points: dict[tuple[str, str], float], said: dict[tuple[str, str], str]) -> None:
        """Record points and comments apart from one another, by (student, name of the cell); all of it, or nothing."""

        def write() -> None:
            for student in {student for student, _ in [*points, *said]}:
                submission = self.gradebook.find_submission(self.chapter, student)
                grades = dict(self._of(Grade, submission))
                for name in (name for who, name in points if who == student):
                    grades[name].manual_score, grades[name].needs_manual_grade = points[student, name], False
                for name, comment in self._of(Comment, submission):
                    if (student, name) in said:
                        comment.manual_comment = said[student, name] or None

        self._patiently(self._transaction(write))

    def possible(self) -> dict[str, float]:
        """Return the points of each graded cell of the chapter, at most."""

        def read() -> dict[str, float]:
            notebooks = self.gradebook.find_assignment(self.chapter).notebooks
            return {
                full_name(self.chapter, notebook.name, cell.name): float(cell.max_score)
                for notebook in notebooks
                for cell in [*notebook.grade_cells, *notebook.task_cells]
            }

        return self._read(read)

    def share_marks(self, together: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Give all of a team what a person gave one of them for an essay that was written together.

        together: (grade_id, members). Where a person gave two of them different points, all stay as they are.
        """
        if not together:
            return
        grades, comments = self.grades(), self.comments()
        given: dict[tuple[str, str], tuple[float, str]] = {}
        for name, members in together:
            there = [student for student in members if name in grades.get(student, {})]
            open_ = [student for student in there if grades[student][name][3]]
            said = {s: comments.get(s, {}).get(name, (None, None))[1] or "" for s in there}  # a test has none
            marks = {(grades[s][name][1], said[s]) for s in there if s not in open_}
            if len(marks) == 1 and None not in next(iter(marks)):
                given |= {(student, name): next(iter(marks)) for student in open_}
        if given:
            self.grade_by_hand(given)

    def reshape(self, wanted: NotebookNode, allowed: set[str]) -> bool:
        """Bring the chapter's cells with these ids in line with a notebook; returns whether any came or went."""
        told: list[bool] = []
        self._patiently(self._transaction(lambda: told.append(reshape(self.gradebook, self.chapter, wanted, allowed))))
        return told[-1]

    def name_students(self, known: dict[str, dict[str, str]]) -> None:
        """Record what is known of students by their ids; who is not there yet is added."""

        def write() -> None:
            ids = self._ids()
            there = {alike(student): student for student in ids}
            for student, what in known.items():
                name = student if student in ids else there.get(alike(student), student)
                self.gradebook.update_or_create_student(name, **what)

        self._patiently(self._transaction(write))

    def undated(self) -> list[str]:
        """Return those whose work says no time, by name; nobody where no time counts."""
        rows = select(SubmittedAssignment.student_id).where(self._mine(), SubmittedAssignment.timestamp.is_(None))
        return sorted(self._read(lambda: self.gradebook.db.execute(rows).scalars())) if self.has_policy else []

    def charge_late_days(self) -> list[tuple[str, int, float]]:
        """Take off what late work costs by the policy, from everybody's points as they are now.

        Returns (student, days late, points taken off) of those who were late, by name.
        """
        found: list[tuple[str, int, float]] = []

        def settle() -> None:
            found.clear()
            assignment = self.gradebook.find_assignment(self.chapter)
            assignment.duedate = _naive(self.policy.due[self.chapter])
            for submission in assignment.submissions:
                student, when = submission.student_id, submission.timestamp
                days = self._days(student, when)
                taken = self._charge(submission, days)
                found.extend([(student, days, taken)] if days else [])

        if self.has_policy:
            self._patiently(self._transaction(settle))
        return sorted(found)

    def _days(self, student: str, when: datetime | None) -> int:
        return self.policy.days_late(self.chapter, student, when and when.replace(tzinfo=UTC))

    def _charge(self, submission: SubmittedAssignment, days: int) -> float:
        """Take off each notebook's points what so many days cost, all together the share of all; return how much."""
        score = before = 0.0
        for notebook in sorted(submission.notebooks, key=lambda one: one.name):
            score += notebook.score
            taken = round(score * self.policy.share(days), 2)
            notebook.late_submission_penalty = round(taken - before, 2) or None
            before = taken
        return before

    def _penalise(self, student: str, submission: SubmittedAssignment) -> None:
        """Take off what the policy says, or the course's plugin, as nbgrader's AssignLatePenalties would."""
        if self.has_policy:
            self._charge(submission, self._days(student, submission.timestamp))
            return
        seconds = submission.total_seconds_late
        for notebook in submission.notebooks:
            notebook.late_submission_penalty = self._plugins_penalty(student, notebook, seconds)

    def _plugins_penalty(self, student: str, notebook: SubmittedNotebook, seconds: float) -> float | None:
        if seconds <= 0:
            return None
        penalty = self.late.plugin_inst.late_submission_penalty(student, notebook.score, seconds)
        return None if penalty is None else self.late._check_late_penalty(notebook, penalty)

    def grades(self) -> dict[str, dict[str, tuple]]:
        """Return (auto score, manual score, extra credit, needs a person) by student and grade_id."""
        columns = (Grade.auto_score, Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade)
        return self._by_student(Grade, *columns)

    def comments(self) -> dict[str, dict[str, tuple]]:
        """Return (automatic comment, a person's comment) by student and grade_id."""
        return self._by_student(Comment, Comment.auto_comment, Comment.manual_comment)

    def ledger(self) -> dict[str, dict]:
        """Return what the gradebook knows of each student besides the points by machine: see manual_grades."""
        by_hand = hand_graded(Path(self.course.root), self.chapter)
        return self._read(lambda: ledger(self.gradebook, self.chapter, by_hand))

    def _by_student(self, what: Any, *columns) -> dict[str, dict[str, tuple]]:
        rows = select(SubmittedAssignment.student_id, Notebook.name, BaseCell.name, *columns)
        rows = self._with_cells(rows, what)
        rows = rows.join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        found: dict[str, dict[str, tuple]] = defaultdict(dict)
        read = self._read(lambda: self.gradebook.db.execute(rows.where(self._mine())).all())
        for student, notebook, name, *values in read:
            found[student][full_name(self.chapter, notebook, name)] = tuple(values)
        return found

    def _mine(self):
        return SubmittedAssignment.assignment_id == self.gradebook.find_assignment(self.chapter).id

    def _transaction(self, work: Callable[[], None]) -> Callable[[], None]:
        """Make one transaction of what nbgrader commits in many."""

        def whole() -> None:
            db = self.gradebook.db
            db.commit = db.flush
            try:
                if db.bind.dialect.name == "sqlite":
                    db.execute(text("BEGIN IMMEDIATE"))  # a gradebook that is locked says so here, and nowhere half way
                work()
                db().commit()
            except BaseException:
                db().rollback()
                raise
            finally:
                del db.commit
                db.remove()  # forget the objects: a class of thousands must not fill the memory

        return whole

    def _read(self, work: Callable[[], Any]) -> Any:
        """Return what `work` reads; the objects are forgotten."""

        def whole() -> Any:
            try:
                return work()
            finally:
                self.gradebook.db.remove()

        return self._patiently(whole)

    def _patiently(self, work: Callable[[], Any], where: str = "") -> Any:
        """Return what `work` returns; another program may hold the gradebook for a while. CourseError in a line."""
        deadline = time.monotonic() + LOCK_TIMEOUT
        while True:
            try:
                return work()
            except (OperationalError, InvalidEntry) as error:
                reason = _why(error)
                if "locked" not in reason or time.monotonic() > deadline:
                    again = "Nothing is lost: run the same command again."
                    raise CourseError(f"{where or _shown(self.course.db_url)}: {reason}. {again}") from error
            self.say("the gradebook is locked by another program; waiting for it ...")


def _naive(when: datetime) -> datetime:
    """Return a time as nbgrader keeps it: of UTC, without saying so."""
    return when.astimezone(UTC).replace(tzinfo=None)


def _set(grade: Grade, score: float | None, changed: bool) -> None:
    """Set what was found by machine; a person's grade stays, and is to be looked at if its ground has changed."""
    by_hand, before = grade.manual_score is not None, grade.auto_score
    grade.auto_score = score
    if not by_hand:
        grade.needs_manual_grade = score is None
    elif changed or (score != before and score is not None):
        grade.needs_manual_grade = True


def _why(error: Exception) -> str:
    """Return the first line of what the database says."""
    return (str(getattr(error, "orig", error)).splitlines() or [type(error).__name__])[0]


def _shown(db_url: str) -> str:
    """Return the gradebook's address without the password in it."""
    return re.sub(r"://([^:/@]*):[^@]*@", r"://\1:***@", db_url)


def make_whole(db_url: str, course_id: str) -> None:
    """Create a gradebook file beside its place and move it there: one that is half made would never be repaired."""
    path = Path(db_url.removeprefix("sqlite:///"))
    if not db_url.startswith("sqlite:///") or path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    _stamp(f"sqlite:///{part}")
    Gradebook(f"sqlite:///{part}", course_id).close()
    part.replace(path)


def _stamp(db_url: str) -> None:
    """Note the version of nbgrader's tables in an empty gradebook; nbgrader starts a process for it, for a second."""
    versions = ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic"))
    engine = create_engine(db_url)
    with engine.begin() as connection:
        MigrationContext.configure(connection).stamp(versions, "head")
    engine.dispose()
