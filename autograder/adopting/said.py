"""What `adopt` prints: a row for each test cell, and how much of the points is graded in which way."""

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table as Printed
from rich.text import Text

from autograder.adopted_table import PROOFS, Table
from autograder.adopting.proofs import Adopted


def table(found: Table) -> Printed:
    """Return the test cells as a table for the terminal."""
    made = Printed(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    made.add_column("test cell", overflow="fold")
    made.add_column("points", justify="right", no_wrap=True)
    made.add_column("graded", no_wrap=True)
    made.add_column("why", overflow="fold", ratio=1)
    for name, test in found.tests.items():
        made.add_row(Text(name), f"{test.points:g}", test.proof, Text(test.why))
    return made


def lines(found: Adopted, course: Path) -> Iterator[str]:
    """Yield how many test cells are graded in which way, what stopped in the solved notebooks, and what to do now."""
    table = found.table
    counts = Counter(test.proof for test in table.tests.values())
    told = ", ".join(f"{counts[proof]} {proof}" for proof in PROOFS)
    yield f"{table.assignment}: {len(table.tests)} test cells: {told}"
    if others := [name for name in table.by_hand if name not in table.tests]:
        yield f"a person grades besides: {', '.join(others)}"
    for line in found.stopped:
        yield f"in the solved notebook {line}"
    if (theirs := _other_course(found, course)) is not None:
        yield f"this is for the course in {course.resolve()}; for the one in {theirs} adopt it there, or with --course"
    where = "" if course == Path() else f" --course {shlex.quote(str(course))}"
    place = f"submitted/<student>/{table.assignment}/"
    yield f"now put what students hand in into {place}, then: bow2lora grade {shlex.quote(table.assignment)}{where}"


def _other_course(found: Adopted, course: Path) -> Path | None:
    """Return the course in whose source/ an assignment lies, None if it was adopted for that one, or lies elsewhere."""
    folder = course.resolve() / found.table.folder
    theirs = folder.parent.parent
    return theirs if folder.parent.name == "source" and theirs != course.resolve() else None
