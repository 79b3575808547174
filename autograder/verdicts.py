"""A verdict: what came of one submission's cells and checks. Between processes it travels as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from helpers.checks.stopped_cells import lacks, stopped_by

UNFINISHED = ("timeout", "died")  # how a cell has ended that did not come to its end


@dataclass(frozen=True)
class CellError:
    """The error that stopped a cell, and the line of the student's code in which it was raised."""

    name: str
    message: str
    line: int | None = None
    text: str = ""


@dataclass(frozen=True)
class CellVerdict:
    """What came of one cell of the student's or of the template's.

    missing: packages that it lacked.
    """

    id: str
    kind: str
    status: str = "not run"
    seconds: float = 0.0
    stdout: str = ""
    error: CellError | None = None
    missing: list[str] = field(default_factory=list)

    @classmethod
    def from_json(cls, fields: Mapping) -> "CellVerdict":
        """From what JSON holds; TypeError for what no cell has."""
        error = fields.get("error")
        return cls(**{**fields, "error": CellError(**error) if error else None})

    @property
    def why_stopped(self) -> str:
        """How the cell ended before its end, in words that follow its name; "" if it ran as a whole."""
        if self.status == "timeout":
            return "did not come to an end and was stopped"
        if self.status == "died":
            return "ended the process"
        if self.status == "error" and self.error:
            return stopped_by(self.error.name, self.error.message, self.error.line)
        return lacks(self.missing)


@dataclass(frozen=True)
class CheckVerdict:
    """What came of one check; a score that is not judged is 0, and has a reason.

    cases: what its shown cases came to, for the run of the hidden ones; None where that cannot change the points.
    proof: "unproved" where the student's process itself said what came of a test (see adopted_table), else "".
    """

    id: str
    exercise: str
    points: float
    score: float = 0.0
    status: str = "no score"
    reason: str = ""
    report: str = ""
    likely: list[str] = field(default_factory=list)
    seconds: float = 0.0
    cases: list[dict] | None = None
    proof: str = ""


@dataclass(frozen=True)
class Verdict:
    """What came of a submission in one process or in several.

    stopped: the cell in which the process ended too early, "" if it did not; unfinished: the cells that did not come
    to their end; starved: whether a call went unanswered that had hardly any processor time, and did not sleep;
    processor_left, cpu_left, idle_left: seconds of the checks, of the runner, and that the runner may sleep, where they
    are counted; failure: why there is no verdict, where it is the grader's own fault.
    """

    cells: list[CellVerdict] = field(default_factory=list)
    checks: list[CheckVerdict] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    stopped: str = ""
    unfinished: list[str] = field(default_factory=list)
    starved: bool = False
    processor_left: float | None = None
    cpu_left: int | None = None
    idle_left: float | None = None
    memory_mb: float = 0.0
    failure: str = ""

    @property
    def score(self) -> float:
        """The points of all checks."""
        return sum(check.score for check in self.checks)

    def to_json(self) -> dict:
        """As JSON holds it."""
        return asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping) -> "Verdict":
        """From what `to_json` gives; TypeError for what no verdict has."""
        cells = [CellVerdict.from_json(cell) for cell in fields["cells"]]
        checks = [CheckVerdict(**check) for check in fields["checks"]]
        return cls(**{**fields, "cells": cells, "checks": checks})
