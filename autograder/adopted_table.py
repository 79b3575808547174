"""What `adopt` found of an nbgrader assignment: how each of its test cells is graded, and what a person grades.

It lies in the course's folder, in build/adopted/<assignment>.json, and is made again by the same command.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from autograder.cell_marks import PERSON
from helpers.errors import CourseError
from helpers.files import write_whole

FOLDER = Path("build/adopted")
FORMAT = 1
PROOFS = ("proved", "unproved", PERSON)
PROVED, UNPROVED, _ = PROOFS


@dataclass(frozen=True)
class TestCell:
    """A test cell. proof: one of PROOFS; why: the reason, where it is not proved."""

    points: float
    proof: str
    why: str = ""


@dataclass(frozen=True)
class Table:
    """An adopted assignment. Cells are called as `notebook_names` says.

    folder: where the instructor's files lie; source: their digest; by_hand: the points of what a person grades:
    answers in words and in code, tasks, and the test cells that are left to a person.
    """

    assignment: str
    folder: str
    source: str
    notebooks: tuple[str, ...]
    tests: Mapping[str, TestCell] = field(default_factory=dict)
    by_hand: Mapping[str, float] = field(default_factory=dict)

    def proof(self, test: str) -> str:
        """Return how a test cell is graded."""
        return self.tests[test].proof


def path_of(course: Path, assignment: str) -> Path:
    """Return where the table of an assignment lies."""
    return course / FOLDER / f"{assignment}.json"


def adopted(course: Path) -> list[str]:
    """Return the names of the assignments that were adopted in a course, in order."""
    return sorted(path.stem for path in (course / FOLDER).glob("*.json"))


def read(course: Path, assignment: str) -> Table | None:
    """Return the table of an assignment, None if it was not adopted; CourseError if the file is damaged."""
    path = path_of(course, assignment)
    if not path.is_file():
        return None
    try:
        found = json.loads(path.read_bytes())
        if found.pop("format") != FORMAT:
            raise ValueError
        tests = {name: TestCell(**cell) for name, cell in found.pop("tests").items()}
        return Table(**{**found, "notebooks": tuple(found["notebooks"]), "tests": tests})
    except (ValueError, KeyError, TypeError, AttributeError):
        again = f"run again: bow2lora adopt source/{assignment}/"
        raise CourseError(f"{path}: not a table that `adopt` wrote; {again}") from None


def write(course: Path, table: Table) -> Path:
    """Write the table of an assignment; returns where it lies."""
    path = path_of(course, table.assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, f"{json.dumps({'format': FORMAT, **asdict(table)}, indent=1)}\n".encode())
    return path


def by_hand(course: Path, assignment: str) -> frozenset[str]:
    """Return the cells of an assignment that a person grades, none if it was not adopted."""
    table = read(course, assignment)
    return frozenset(table.by_hand) if table else frozenset()
