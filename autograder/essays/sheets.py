"""The sheet in which answers are marked: number, essay, points, of, comment; and how far two markers agree."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.essays.answers import Answer
from autograder.report import safe_text
from helpers.errors import CourseError
from helpers.files import write_whole

COLUMNS = ("answer", "essay", "points", "of", "comment")
LONGEST = 5_000  # characters of a comment


@dataclass(frozen=True)
class Mark:
    """What a marker gave for one answer."""

    points: float
    comment: str


def write(given: Mapping[str, Sequence[Answer]], points: Mapping[str, float], known: Mapping, path: Path) -> None:
    """Write the sheet of a chapter. points: of each essay, at most; known: {number: Mark} that was given before."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(COLUMNS)
    for essay, answers in given.items():
        for answer in answers:
            mark = known.get(answer.number)
            said = (safe_text.number(mark.points), safe_text.cell(mark.comment)) if mark else ("", "")
            rows.writerow([answer.number, essay, said[0], safe_text.number(points[essay]), said[1]])
    write_whole(path, out.getvalue().encode("utf-8-sig"))  # Excel takes it for UTF-8 by its first bytes


def read(path: Path, points: Mapping[str, float]) -> dict[tuple[str, str], Mark]:
    """Return {(essay, number): Mark} of the rows with points; CourseError names the row that cannot be used."""
    found: dict[tuple[str, str], Mark] = {}
    for line, row in enumerate(_rows(path), 2):
        essay, name = row["essay"].strip(), row["answer"].strip()
        if not row["points"].strip():
            continue
        if essay not in points:
            raise CourseError(f"{path}, row {line}: there is no essay '{safe_text.name(essay)}' in this chapter")
        if (essay, name) in found:
            raise CourseError(f"{path}, row {line}: the answer {safe_text.name(name)} has points twice")
        found[essay, name] = Mark(_points(row["points"], points[essay], f"{path}, row {line}"), _comment(row))
    return found


def _rows(path: Path) -> list[dict[str, str]]:
    try:
        content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise CourseError(f"{path}: not UTF-8 text; save it as CSV UTF-8") from None
    header = content.partition("\n")[0]
    table = csv.DictReader(io.StringIO(content), delimiter=";" if header.count(";") > header.count(",") else ",")
    missing = [name for name in COLUMNS if name not in (table.fieldnames or ()) and name != "of"]
    if missing:
        raise CourseError(f"{path}: there is no column '{missing[0]}'; `essays export` writes the sheet")
    return [_columns(row) for row in table]


def _columns(row: Mapping) -> dict[str, str]:
    return {name: row.get(name) or "" for name in COLUMNS}


def _points(text: str, max_points: float, where: str) -> float:
    """Return points, also with a decimal comma; CourseError where they are none or too many."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        value = math.nan
    if not 0 <= value <= max_points:
        raise CourseError(f"{where}: '{safe_text.name(text)}' is no number of points from 0 to {max_points:g}")
    return value


def _comment(row: Mapping[str, str]) -> str:
    """Return the comment; the apostrophe that kept a spreadsheet from computing it goes."""
    text = safe_text.clean(row["comment"]).strip()[:LONGEST]
    return text[1:] if text[:2] in ("'=", "'+", "'-", "'@") else text


def agreement(first: Mapping, second: Mapping, points: Mapping[str, float]) -> list[str]:
    """Return a line for each essay on how far two markers agree, and one for each answer that they see apart."""
    lines = []
    for essay, max_points in points.items():
        names = sorted(name for where, name in first.keys() & second.keys() if where == essay)
        pairs = [(first[essay, name].points, second[essay, name].points) for name in names]
        if pairs:
            lines.append(f"{essay}: {_in_words(*zip(*pairs, strict=True))}")
            far = [(name, a, b) for name, (a, b) in zip(names, pairs, strict=True) if abs(b - a) > max_points / 4]
            lines += [f"  {name}: {a:g} and {b:g}: look at it together" for name, a, b in far]
    return lines


def _in_words(first: Sequence[float], second: Sequence[float]) -> str:
    apart = [b - a for a, b in zip(first, second, strict=True)]
    mean = sum(abs(by) for by in apart) / len(apart)
    line = f"{safe_text.count(len(apart), 'answer')} marked twice, {mean:.2f} points apart on average, "
    line += f"the second {sum(apart) / len(apart):+.2f}"
    kappa = _kappa(first, second)
    return line + ("" if kappa is None else f"; weighted kappa {kappa:.2f}")


def _kappa(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Cohen's kappa with quadratic weights, on half points (Cohen, 1968); None where all points are the same."""
    from sklearn.metrics import cohen_kappa_score

    halves, others = _half_points(first), _half_points(second)
    if len({*halves, *others}) < 2:
        return None
    labels = range(max(*halves, *others) + 1)
    return float(cohen_kappa_score(halves, others, weights="quadratic", labels=labels))


def _half_points(given: Sequence[float]) -> list[int]:
    return [round(2 * value) for value in given]
