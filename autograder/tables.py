"""The points of a chapter as CSV: totals as nbgrader exports them, and the points of each question."""

import csv
import io
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import CsvExportPlugin

from autograder.results import Row
from helpers.files import write_whole

TOTALS, QUESTIONS = Path("grades.csv"), Path("questions.csv")
BY_HAND = "by hand"


def write_totals(gradebook: Gradebook, chapter: str, course: Path) -> None:
    """Write nbgrader's own export of the chapter."""
    part = course / f".{TOTALS}.part"
    CsvExportPlugin(to=str(part), assignment=[chapter]).export(gradebook)
    part.replace(course / TOTALS)


def write_questions(rows: list[Row], course: Path) -> None:
    """Write one row for each student: the points of each check, the essays, the notes."""
    columns = [*rows[0].scores, "total by machine", *(f"essay {e}" for e in rows[0].essays), "notes"]
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["student", *columns])
    table.writerows([_text(r.student), *_cells(r)] for r in rows)
    write_whole(course / QUESTIONS, text.getvalue().encode())


def _cells(row: Row) -> list:
    essays = [BY_HAND if score is None else score for score in row.essays.values()]
    return [*row.scores.values(), row.total, *essays, _text("; ".join(row.notes))]


def _text(value: str) -> str:
    """Return text that no spreadsheet takes for a formula."""
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t")) else value
