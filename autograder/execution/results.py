"""The result of one submission as its file holds it: what the gradebook and the reports read.

{"format": 1, "chapter": "01_spam", "student": "ada", "hash": "...",
 "cells": [{"id", "kind", "status", "seconds", "stdout", "missing",
            "error": {"name", "message", "line", "text"} or None}],
 "checks": [{"id", "exercise", "points", "score", "status", "reason", "report", "likely", "seconds"}],
 "notes": [...], "repairs": [...], "missing": ["pandas"], "protections": {...}, "seconds": 1.2, "memory_mb": 310.0,
 "failure": ""}

missing: the packages that the student's cells import and the grader does not have.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import NotRequired, TypeGuard

from nbformat import NotebookNode
from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from autograder import cell_marks
from autograder.jobs import Job, JobCell
from autograder.notebook_names import notebook_of
from autograder.package_names import package_names
from autograder.terminal import one_line
from autograder.verdicts import CellVerdict, CheckVerdict, Verdict

FORMAT = 1
MAX_STOPPED = 5  # cells that did not run to their end and are named in the notes
STUDENTS = ("exercise", "essay", "own", "code")  # kinds of cells that a student writes
NOT_GRADED = "could not be graded: "  # begins a failure that is the grader's own
TEAMS = "work of the team "  # begins a remark on who handed in together
NO_PACKAGE = "no package '{}' while grading"


class CellResult(TypedDict):
    """What came of one cell of the student's or of the template's."""

    id: str
    kind: str
    status: str
    seconds: NotRequired[float]
    stdout: NotRequired[str]
    missing: NotRequired[list[str]]
    error: NotRequired[dict | None]


class CheckResult(TypedDict):
    """What came of one check; a score that is not judged is 0, and has a reason."""

    id: str
    exercise: str
    points: float
    score: float
    status: str
    reason: str
    report: str
    likely: NotRequired[list[str]]
    seconds: NotRequired[float]
    proof: NotRequired[str]


class Result(TypedDict):
    """The result of one submission."""

    format: int
    chapter: str
    student: str
    hash: str
    cells: list[CellResult]
    checks: list[CheckResult]
    notes: list[str]
    repairs: list[str]
    missing: list[str]
    protections: dict
    seconds: float
    memory_mb: float
    failure: str


RESULT = TypeAdapter(Result)


@dataclass(frozen=True)
class Row:
    """One student in the class's table: points by exercise, essays (None: not graded yet), notes, seconds.

    unproved: the exercises whose tests run beside the answers (see autograder.adopted_table).
    """

    student: str
    scores: dict[str, float]
    points: dict[str, float]
    essays: dict[str, float | None] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seconds: float | None = None
    unproved: frozenset[str] = frozenset()

    @property
    def total(self) -> float:
        """The points that were given by machine."""
        return round(sum(self.scores.values()), 2)


def graders_own(result: Mapping) -> bool:
    """Whether a result says that the grader failed, and nothing of the submission."""
    return str(result["failure"]).startswith(NOT_GRADED)


def new(job: Job, **found) -> dict:
    """Return the result of a job of which nothing is known but what `found` says."""
    empty = {"cells": [], "checks": [], "notes": [], "repairs": [], "missing": [], "protections": {}, "failure": ""}
    head = {"format": FORMAT, "chapter": job.chapter, "student": job.student, "hash": job.hash}
    return {**head, **empty, "seconds": 0.0, "memory_mb": 0.0, **found}


def of(job: Job, verdict: Verdict, protections: Mapping, seconds: float) -> dict:
    """Return the result of a job: its verdict, how it was protected, and how long it took by the clock."""
    lacked = {name for cell in verdict.cells for name in cell.missing}
    return new(
        job,
        cells=[_entry(cell) for cell in verdict.cells],
        checks=[_entry(check) for check in verdict.checks],
        notes=verdict.notes,
        missing=sorted(lacked),
        protections=dict(protections),
        seconds=round(seconds, 3),
        memory_mb=verdict.memory_mb,
        failure=verdict.failure,
    )


def _entry(verdict: CellVerdict | CheckVerdict) -> dict:
    """Return what came of a cell or check, but for what the judge alone is to know."""
    entry = asdict(verdict)
    entry.pop("cases", None)
    return entry


def is_result(value: object) -> TypeGuard[Result]:
    """Whether a value, read from a file, is a whole result, as `checked` leaves it; True is no number."""
    try:
        result = RESULT.validate_python(value, strict=True)
    except ValidationError:
        return False
    return result["format"] == FORMAT


def checked(result: dict, job: Job) -> dict:
    """Return the result with one entry for each check of the job, its score a finite float in [0, points].

    Whatever else a check's entry holds, or none, is 0 with a reason: scores fail closed. What is missing are names.
    """
    told = {c.get("id"): c for c in result.get("checks", []) if isinstance(c, dict)}
    checks = [_checked(told.get(cell.id, {}), cell, result["failure"]) for cell in job.checks]
    return result | {"checks": checks, "missing": package_names(result.get("missing"))}


def _checked(entry: dict, cell: JobCell, failure: str) -> dict:
    points, score = float(cell.points or 0.0), entry.get("score")
    good = not failure and type(score) is float and math.isfinite(score) and 0.0 <= score <= points
    status = entry.get("status", "no score") if good else "no score"
    reason = entry.get("reason") or ("" if status == "judged" else failure or "the check came to no score")
    empty = {"report": "", "likely": [], "seconds": 0.0}
    same = {"id": cell.id, "exercise": cell.id.removeprefix(cell_marks.PREFIX["check"]), "points": points}
    return {**empty, **entry, **same, "score": score if status == "judged" else 0.0, "status": status, "reason": reason}


def remarks(result: Mapping) -> list[str]:
    """Return what there is to say of a submission: repairs, why it failed, or what stopped or was missing."""
    repairs = [*(result.get("repairs") or [])]
    if result.get("failure"):
        return [*repairs, result["failure"]]
    lines = [*(result.get("notes") or []), *stopped_cells(result.get("cells") or [])]
    for name in package_names(result.get("missing")):
        words = NO_PACKAGE.format(name)
        if not any(str(line).startswith(words) for line in lines):
            lines.append(words)
    return [*repairs, *lines]


def notes(result: Mapping) -> tuple[str, ...]:
    """Return the remarks on a submission, each as one clean line."""
    return tuple(dict.fromkeys(one_line(line) for line in remarks(result)))


def stopped_cells(cells: list[dict]) -> list[str]:
    """Return a line for each cell of the student's that an error or its time stopped, the first few by name."""
    mine = [cell for cell in cells if cell.get("kind") in STUDENTS]
    stopped = [CellVerdict.from_json(cell) for cell in mine if cell.get("status") in ("error", "timeout")]
    lines = [f"{cell.id}: {cell.why_stopped}" for cell in stopped]
    more = len(lines) - MAX_STOPPED
    return [*lines[:MAX_STOPPED], f"{more} more cells did not run to their end"] if more > 0 else lines


def without_text(result: dict) -> dict:
    """Return a result without what students and checks print: of a large class, the points fit into the memory.

    What there is to remark on stays.
    """
    checks = [_points_of(check) for check in result["checks"]]
    return result | {"cells": [], "checks": checks, "notes": [*result["notes"], *stopped_cells(result["cells"])]}


def _points_of(check: Mapping) -> dict:
    return {name: check.get(name) for name in ("exercise", "points", "score", "status", "reason", "proof")}


def total(result: Mapping) -> float:
    """Return the points of all checks."""
    return round(sum(c["score"] for c in result["checks"]), 2)


def judged_cells(notebook: NotebookNode) -> tuple[JobCell, ...]:
    """Return the code cells that run while judging, as the job of a worker holds them."""
    cells = [(c, cell_marks.from_metadata(c)) for c in notebook.cells if c.cell_type == "code"]
    return tuple(_cell(cell, kind) for cell, kind in cells if kind not in (cell_marks.SHOW, cell_marks.TASK))


def _cell(cell: NotebookNode, kind: str) -> JobCell:
    points = float(cell.metadata["nbgrader"]["points"]) if kind == "check" else None
    ours = cell.metadata.get("bow2lora", {})
    whole = JobCell(cell.id, kind, cell.source, points, notebook=notebook_of(cell))
    if kind != "check" or "test" not in ours:
        return whole
    return replace(whole, test=ours["test"], own=tuple(ours["own"]), answers=tuple(ours["answers"]))
