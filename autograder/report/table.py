"""A class's results on the terminal: one table, and what happened to whom."""

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from autograder.execution.results import Row
from autograder.report import safe_text

WIDE = 120  # columns of a terminal from which the notes fit into the table


def report(results: list[Row], chapter: str, width: int) -> Iterator[RenderableType]:
    """Yield what to print: the table of points by question, the names of the questions, and the notes."""
    wide = width >= WIDE
    yield _table(results, chapter, wide)
    names = ", ".join(f"{i} {name}" for i, name in enumerate(results[0].scores, 1))
    yield Text(f"Questions: {names}.\n-: no points; open: essays to grade by hand, in formgrader.")
    if not wide:
        yield from (Text(f"{safe_text.name(r.student)}: {safe_text.line(note)}") for r in results for note in r.notes)


def _table(results: list[Row], chapter: str, wide: bool) -> Table:
    numbers = [str(i) for i in range(1, len(results[0].scores) + 1)]
    table = Table(title=f"{chapter}, points given by machine", box=SIMPLE_HEAD, padding=(0, 0, 0, 1), pad_edge=False)
    table.add_column("student", no_wrap=True)
    for heading in [*numbers, "total", "essay"]:
        table.add_column(heading, justify="right")
    if wide:
        table.add_column("notes")
    for r in results:
        notes = [Text("\n".join(map(safe_text.line, r.notes)))] if wide else []
        scores = [_points(score) for score in r.scores.values()]
        table.add_row(Text(safe_text.name(r.student)), *scores, f"{r.total:.1f}", _essays(r), *notes)
    table.add_section()
    points = results[0].points
    table.add_row("of", *(f"{p:g}" for p in points.values()), f"{sum(points.values()):.1f}")
    return table


def _points(score: float) -> str:
    return f"{round(score, 1):g}" if score else "-"


def _essays(row: Row) -> str:
    open_ = None in row.essays.values()
    return "open" if open_ else f"{sum(row.essays.values()):g}"
