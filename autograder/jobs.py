"""A job: what one submission is to whoever runs and judges it. Between processes and machines it travels as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class JobCell:
    """A code cell that runs while judging; kind: see autograder.cell_marks; points: of a check.

    Of an assignment that others wrote: test: how a test cell is judged, see adopted_table, "" of our own checks;
    own: the statements of the instructor's own cells, answers: the names that answers make, on which a test may rely
    (see judge.own_names); notebook: which one it is of.
    """

    id: str
    kind: str
    source: str
    points: float | None = None
    test: str = ""
    own: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    notebook: str = ""

    @classmethod
    def from_json(cls, fields: Mapping) -> "JobCell":
        """From what JSON holds; TypeError for what no cell has."""
        return cls(**{**fields, "own": tuple(fields["own"]), "answers": tuple(fields["answers"])})


@dataclass(frozen=True)
class JobLimits:
    """Seconds: of processor time for a cell, by the clock for all, of processor time for all checks, asleep in all.

    processor, idle: None takes the judge's own limit.
    """

    cell: float
    total: float
    processor: float | None = None
    idle: float | None = None


@dataclass(frozen=True)
class Job:
    """One submission: its cells in their order, its limits, what its random inputs depend on.

    hash: of all that the result depends on. exclusive: nothing else runs beside it.
    shown: None in the run of the shown cases; else what they came to there, by the id of the check, and this run asks
    hidden cases alone (see autograder.judge.two_runs). ended: how cells ended that are not run again, by id.
    cpu_seconds: of its runner, in place of those of all runners. seed: of its runner's own random numbers.
    way: of test cells that others wrote, which run this is (see autograder.judge.test_runs); files: the instructor's
    files beside the notebooks, {path: base64}.
    """

    chapter: str
    student: str
    hash: str
    secret: str
    limits: JobLimits
    cells: tuple[JobCell, ...]
    exclusive: bool = False
    shown: Mapping[str, list[dict]] | None = None
    ended: Mapping[str, str] = field(default_factory=dict)
    cpu_seconds: int | None = None
    seed: int = 0
    way: str = ""
    files: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict:
        """As JSON holds it."""
        return asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping) -> "Job":
        """From what `to_json` gives; TypeError for what no job has."""
        cells = tuple(JobCell.from_json(cell) for cell in fields["cells"])
        return cls(**{**fields, "limits": JobLimits(**fields["limits"]), "cells": cells})

    @property
    def checks(self) -> list[JobCell]:
        """The cells that are judged."""
        return [cell for cell in self.cells if cell.kind == "check"]

    @property
    def is_adopted(self) -> bool:
        """Whether it has test cells that others wrote."""
        return any(cell.test for cell in self.cells)
