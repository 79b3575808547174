"""What the gradebook holds on a chapter: read for the report, written as CSV."""

import csv
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import CsvExportPlugin
from sqlalchemy.exc import SAWarning

from autograder import marks

warnings.filterwarnings("ignore", category=SAWarning)  # nbgrader's own, on every new submission
TOTALS, QUESTIONS = Path("grades.csv"), Path("questions.csv")
BY_HAND = "by hand"


@dataclass(frozen=True)
class Result:
    """One student's chapter: points by exercise, essays (None: not graded yet), remarks, seconds (None: not new)."""

    student: str
    scores: dict[str, float]
    points: dict[str, float]
    essays: dict[str, float | None] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seconds: float | None = None

    @property
    def total(self) -> float:
        """The points that were given by machine."""
        return round(sum(self.scores.values()), 2)


class Records:
    """The gradebook of a course, for one chapter; its notebook, the template, knows the order of the questions."""

    def __init__(self, course: Path, chapter: str, template: NotebookNode):
        self.course, self.chapter = course, chapter
        kinds = {c.id: marks.from_metadata(c) for c in template.cells}
        self.checks = [i for i, kind in kinds.items() if kind == "check"]
        self.essays = [i for i, kind in kinds.items() if kind == "essay"]

    def open(self) -> Gradebook:
        """Return the open gradebook, to be used in a `with`."""
        return Gradebook(f"sqlite:///{self.course / 'gradebook.db'}", "bow2lora")

    def read(self, student: str, notes: Iterable[str] = (), seconds: float | None = None) -> Result | None:
        """Return what is recorded of one student, or None; points as formgrader shows them."""
        with self.open() as gradebook:
            try:
                found = gradebook.find_submission_notebook(self.chapter, self.chapter, student)
            except MissingEntry:
                return None
            grades = {g.name: g for g in found.grades}
            scores = {_short(i, "check"): float(grades[i].auto_score or 0.0) for i in self.checks}
            points = {_short(i, "check"): float(grades[i].max_score) for i in self.checks}
            essays = {_short(i, "essay"): _by_hand(grades[i]) for i in self.essays}
        return Result(student, scores, points, essays, tuple(notes), seconds)

    def withdraw(self, student: str) -> None:
        """Take back what machine gave to a submission that could not be graded: an old score must not stay."""
        with self.open() as gradebook:
            gradebook.update_or_create_student(student)
            gradebook.update_or_create_submission(self.chapter, student)
            for grade in gradebook.find_submission_notebook(self.chapter, self.chapter, student).grades:
                grade.auto_score = 0.0
            gradebook.db.commit()

    def write_csv(self, results: list[Result]) -> None:
        """Write nbgrader's own totals of the chapter, and the points of each question."""
        with self.open() as gradebook:
            totals = CsvExportPlugin(to=str(self.course / TOTALS), assignment=[self.chapter])
            totals.export(gradebook)
        columns = [*results[0].scores, "total by machine", *(f"essay {e}" for e in results[0].essays), "notes"]
        with (self.course / QUESTIONS).open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow(["student", *columns])
            table.writerows([r.student, *_cells(r)] for r in results)


def _cells(result: Result) -> list:
    essays = [BY_HAND if score is None else score for score in result.essays.values()]
    return [*result.scores.values(), result.total, *essays, "; ".join(result.notes)]


def _by_hand(grade) -> float | None:
    """Return the points of an essay: None until a person has graded it, 0 if it was left empty."""
    return None if grade.needs_manual_grade and grade.manual_score is None else float(grade.score)


def _short(cell_id: str, kind: str) -> str:
    return cell_id.removeprefix(marks.PREFIX[kind])
