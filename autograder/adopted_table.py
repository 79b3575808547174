"""What `adopt` found of an nbgrader assignment: how each of its test cells is graded, and what a person grades.

It lies in the course's folder, in build/adopted/<assignment>.json, and is made again by the same command.
"""

import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from autograder import paths
from autograder.cell_marks import PERSON, PREFIX
from helpers.errors import CourseError
from helpers.files import write_whole

FOLDER = Path("build/adopted")
FORMAT = 1
PROVED, UNPROVED = "proved", "unproved"
PROOFS = (PROVED, UNPROVED, PERSON)
WHY_UNPROVED = "unproved: the test ran beside the answer, in one process, and an answer can make it pass"


@dataclass(frozen=True)
class TestCell:
    """A test cell. proof: one of PROOFS; why: the reason, where it is not proved.

    hidden: whether the whole of it counts as hidden, since it does not run without what is hidden in it or before it.
    """

    points: float
    proof: str
    why: str = ""
    hidden: bool = False


@dataclass(frozen=True)
class Table:
    """An adopted assignment. Cells are called as `notebook_names` says.

    folder: where the instructor's files lie, seen from the course; source: their digest; by_hand: the points of what a
    person grades: answers in words and in code, tasks, and the test cells that are left to a person. delimiters: the
    words between which parts of tests are hidden.
    """

    assignment: str
    folder: str
    source: str
    notebooks: tuple[str, ...]
    tests: Mapping[str, TestCell] = field(default_factory=dict)
    by_hand: Mapping[str, float] = field(default_factory=dict)
    delimiters: tuple[str, ...] = ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS")


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
        lists = {name: tuple(found[name]) for name in ("notebooks", "delimiters")}
        return Table(**{**found, **lists, "tests": tests})
    except (ValueError, KeyError, TypeError, AttributeError):
        raise CourseError(f"{path}: not a table that `adopt` wrote; {adopt_again(course, assignment)}") from None


def adopt_again(course: Path, assignment: str) -> str:
    """Return what to do where the table of an assignment is of no use."""
    elsewhere = "" if course.resolve() == Path.cwd() else f" --course {shlex.quote(str(course))}"
    folder = course / "source" / assignment if elsewhere else Path("source", assignment)
    return f"run again: bow2lora adopt {shlex.quote(f'{folder}/')}{elsewhere}"


def write(course: Path, table: Table) -> Path:
    """Write the table of an assignment; returns where it lies."""
    path = path_of(course, table.assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, f"{json.dumps({'format': FORMAT, **asdict(table)}, indent=1)}\n".encode())
    return path


def notebooks(course: Path, assignment: str) -> tuple[str, ...]:
    """Return the names of an assignment's notebooks; a chapter has one, of its own name."""
    table = read(course, assignment)
    return table.notebooks if table else (assignment,)


@dataclass(frozen=True)
class HandGraded:
    """The cells of an assignment that a person grades, and what those who grade call them.

    In a chapter they are known by their prefix, and called without it; what was adopted has them in its table.
    """

    table: Table | None

    def __contains__(self, cell: object) -> bool:
        return cell in self.table.by_hand if self.table else str(cell).startswith(PREFIX["essay"])

    def name(self, cell: str) -> str:
        """Return what a cell is called."""
        return cell if self.table else cell.removeprefix(PREFIX["essay"])

    def cell(self, name: str) -> str:
        """Return the cell of this name."""
        return name if self.table else f"{PREFIX['essay']}{name}"


def hand_graded(course: Path, assignment: str) -> HandGraded:
    """Return which cells of an assignment, or of a chapter, a person grades."""
    return HandGraded(read(course, assignment))


def unproved(course: Path, assignment: str) -> frozenset[str]:
    """Return the tests of an assignment whose points are unproved, none if it was not adopted."""
    table = read(course, assignment)
    if table is None:
        return frozenset()
    return frozenset(name for name, test in table.tests.items() if test.proof == UNPROVED)


def asked(names: list[str], course: Path) -> list[str]:
    """Return chapters, and assignments that were adopted in the course, by their names; CourseError for any other."""
    mine = adopted(course)
    whole = [name.rstrip("/") for name in names]  # as a shell completes the name of a folder
    found = [name if name in mine else _chapter(name, course, mine) for name in whole]
    return list(dict.fromkeys(found))


def _chapter(name: str, course: Path, mine: list[str]) -> str:
    folder = course / "source" / name
    if folder.is_dir():
        raise CourseError(f"{name} was not adopted yet; run first: bow2lora adopt {shlex.quote(f'{folder}/')}")
    try:
        return paths.asked([name])[0]
    except CourseError as error:
        raise CourseError(f"{error}; adopted: {', '.join(mine)}" if mine else str(error)) from None
