"""A class's results on the terminal: the points of all questions at any width, and what happened to whom."""

import math
from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from autograder.execution.results import Row
from autograder.report import safe_text

WIDE = 120  # columns of a terminal from which the notes may stand in the table
NOTES = 30  # columns that they need there


def report(results: list[Row], chapter: str, width: int) -> Iterator[RenderableType]:
    """Yield what to print: the points by question, the names of the questions, and the notes."""
    tables = _tables(results, width)
    wide = width >= WIDE and len(tables) == 1 and _width(tables[0]) + NOTES <= width
    tables = [_table(results, range(len(results[0].scores)), width, last=True, notes=True)] if wide else tables
    tables[0].title = f"{chapter}, points given by machine"
    yield from tables
    doubted = results[0].unproved
    shown = [f"{name} (unproved)" if name in doubted else name for name in results[0].scores]
    names = ", ".join(f"{i} {name}" for i, name in enumerate(shown, 1)) or "none"
    yield Text(f"Questions: {names}.\n-: no points; open: essays to grade by hand, in formgrader.")
    if not wide:
        yield from (Text(f"{safe_text.name(r.student)}: {safe_text.line(note)}") for r in results for note in r.notes)


def _tables(results: list[Row], width: int) -> list[Table]:
    """Return one table, or as many as it takes to show every question in this width."""
    count = len(results[0].scores)
    if not count:  # essays alone
        return [_table(results, range(0), width, last=True)]
    for size in (math.ceil(count / parts) for parts in range(1, count + 1)):
        starts = range(0, count, size)
        shown = [range(start, min(start + size, count)) for start in starts]
        tables = [_table(results, part, width, last=part.stop == count) for part in shown]
        if all(_width(table) <= width for table in tables):
            break
    return tables


def _width(table: Table) -> int:
    """Return the columns of the terminal that a table takes where nothing is cut."""
    return Console(width=10_000).measure(table).maximum


def _table(results: list[Row], shown: Sequence[int], width: int, last: bool, notes: bool = False) -> Table:
    """Return the table of some questions, the last one with what is earned in all."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 0, 0, 1), pad_edge=False)
    table.add_column("student", max_width=max(width // 3, 8), overflow="fold")
    ends = [*(["total", "essay"] if last else []), *(["notes"] if notes else [])]
    for heading in [*(str(i + 1) for i in shown), *ends]:
        table.add_column(heading, justify="left" if heading == "notes" else "right")
    for r in results:
        scores = [_points(score) for i, score in enumerate(r.scores.values()) if i in shown]
        earned = [f"{r.total:.1f}", _essays(r)] if last else []
        said = [Text("\n".join(map(safe_text.line, r.notes)))] if notes else []
        table.add_row(Text(safe_text.name(r.student)), *scores, *earned, *said)
    table.add_section()
    points = results[0].points.values()
    possible = [f"{sum(points):.1f}"] if last else []
    table.add_row("of", *(f"{p:g}" for i, p in enumerate(points) if i in shown), *possible)
    return table


def _points(score: float) -> str:
    return f"{round(score, 1):g}" if score else "-"


def _essays(row: Row) -> str:
    points = [score for score in row.essays.values() if score is not None]
    return f"{sum(points):g}" if len(points) == len(row.essays) else "open"
