"""The lines of a mark scheme as items that a marker ticks, a, b, c, ...; what one is worth counts for all who have it.

rubric.csv beside the sheet has a line for each item, made of the mark scheme: essay, item, points, text. Who changes
points or words there, adds an item or takes points off by one, changes them for all: `essays import` reads both files.
What somebody has ticked is kept in the comment that the student reads, and comes back from there into the next sheet.
"""

import csv
import math
import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.report import csvs, safe_text
from autograder.spreadsheets import opened
from helpers.errors import CourseError

FILE = "rubric.csv"
COLUMNS = ("essay", "item", "points", "text")
LINE = re.compile(r"(?m)^(\d+(?:\.\d+)?) points?: (.+(?:\n(?!\d+(?:\.\d+)? points?: ).+)*)")
HEAD = "By the mark scheme:"
TOLD = re.compile(r"(?m)^- ([a-z]), (-?[\d.]+) of (-?[\d.]+): ")
TICKS = ("x", "yes", "true", "✓", "☑")
LONGEST = 500  # characters of an item's text


@dataclass(frozen=True)
class Item:
    """One line of a mark scheme: its letter, what it is worth (below 0: what it takes off), its words."""

    letter: str
    points: float
    text: str


Items = Mapping[str, Sequence[Item]]  # by essay


def of_scheme(scheme: str, max_points: float) -> list[Item]:
    """Return the items of a mark scheme; where a course weighs the essay otherwise, they are weighed with it."""
    lines = [(float(points), " ".join(text.split())) for points, text in LINE.findall(scheme)]
    total = sum(points for points, _ in lines) or 1.0
    found = zip(string.ascii_lowercase, lines, strict=False)
    return [Item(letter, round(points * max_points / total, 2), text) for letter, (points, text) in found]


def write(items: Items, path: Path) -> None:
    """Write the items of a chapter's essays, for people to change."""
    rows: list[list] = [list(COLUMNS)]
    for essay, mine in items.items():
        rows += [[essay, item.letter, item.points, item.text] for item in mine]
    csvs.save(rows, path)


def read(path: Path, essays: Mapping[str, float]) -> dict[str, list[Item]]:
    """Return the items that people may have changed; CourseError, with the row, for what is none."""
    content, separator = opened(path)
    table = csv.DictReader(content, delimiter=separator)
    if missing := [name for name in COLUMNS if name not in (table.fieldnames or ())]:
        raise CourseError(f"{path}: there is no column '{missing[0]}'; take the file away, and export again")
    found: dict[str, list[Item]] = {essay: [] for essay in essays}
    for line, row in enumerate(table, 2):
        if row["essay"]:
            item = _item(row, f"{path}, row {line}")
            if row["essay"] not in found or item.letter in [other.letter for other in found[row["essay"]]]:
                raise CourseError(f"{path}, row {line}: no essay of this chapter, or an item that it has twice")
            found[row["essay"]].append(item)
    return found


def _item(row: Mapping[str, str], where: str) -> Item:
    letter, points = (row["item"] or "").strip().lower(), _number(row["points"] or "")
    if len(letter) != 1 or letter not in string.ascii_lowercase or points is None:
        raise CourseError(f"{where}: an item has a letter from a to z, and a number of points")
    return Item(letter, points, safe_text.clean(row["text"] or "")[:LONGEST])


def _number(text: str) -> float | None:
    """Return a number, also with a decimal comma; None where it is none."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def given(row: Mapping[str, str], items: Sequence[Item]) -> dict[str, float]:
    """Return {letter: points} of what is ticked in a row of the sheet; CourseError for what no item can have.

    An x stands for all points of an item, a number for some of them.
    """
    known = {item.letter: item.points for item in items}
    found = {}
    for letter in string.ascii_lowercase:
        said = (row.get(letter) or "").strip()
        if not said or said.lower() in ("false", "no"):
            continue
        points = known.get(letter, 0.0) if said.lower() in TICKS else _number(said)
        if letter not in known:
            raise CourseError(f"this essay has no item {letter}")
        if points is None or not min(0.0, known[letter]) <= points <= max(0.0, known[letter]):
            most = f"{known[letter]:g}"
            raise CourseError(f"item {letter}: '{safe_text.name(said)}' is neither x nor a number up to {most}")
        found[letter] = points
    return found


def total(ticked: Mapping[str, float], max_points: float) -> float:
    """Return the points of what is ticked, from 0 to those of the essay."""
    return round(min(max(sum(ticked.values()), 0.0), max_points), 2)


def told(comment: str, ticked: Mapping[str, float], items: Sequence[Item]) -> str:
    """Return a comment with what is ticked below it: the student reads it, and the next sheet is made of it."""
    lines = [f"- {i.letter}, {ticked[i.letter]:g} of {i.points:g}: {i.text}" for i in items if i.letter in ticked]
    if not lines:
        return comment
    own = [comment, ""] if comment else []  # an empty line: the comment is rendered as Markdown
    return "\n".join([*own, HEAD, *lines])


def taken_apart(comment: str) -> tuple[str, dict[str, str], float]:
    """Return a comment's own words, what was ticked as the sheet has it, and the points of that."""
    own, _, below = comment.partition(HEAD)
    found = TOLD.findall(below)
    ticks = {letter: "x" if points == of else points for letter, points, of in found}
    return own.strip(), ticks, sum(float(points) for _, points, _ in found)
