"""The sheet in which answers are marked: number, essay, points, of, comment, and a box for each item of the rubric.

It also says how far two markers agree.
"""

import csv
import difflib
import io
import math
import string
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from autograder.essays import rubric
from autograder.essays.answers import Answer
from autograder.essays.rubric import Items
from autograder.report import safe_text
from autograder.spreadsheets import opened
from helpers.errors import CourseError
from helpers.files import write_whole

COLUMNS = ("answer", "essay", "points", "of", "comment")
LONGEST = 5_000  # characters of a comment


@dataclass(frozen=True)
class Mark:
    """What a marker gave for one answer."""

    points: float
    comment: str


def write(
    given: Mapping[str, Sequence[Answer]], points: Mapping[str, float], known: Mapping, path: Path, items: Items
) -> None:
    """Write the sheet of a chapter. points: of each essay, at most; known: {number: Mark} that was given before."""
    out = io.StringIO()
    letters = sorted({item.letter for essay in given for item in items[essay]})
    rows = csv.DictWriter(out, [*COLUMNS, *letters])
    rows.writeheader()
    for essay, answers in given.items():
        for answer in answers:
            row = {"answer": answer.number, "essay": essay, "of": safe_text.number(points[essay])}
            rows.writerow(row | _known(known.get(answer.number), points[essay], letters))
    write_whole(path, out.getvalue().encode("utf-8-sig"))  # Excel takes it for UTF-8 by its first bytes


def _known(mark: Mark | None, max_points: float, letters: Sequence[str]) -> dict[str, str]:
    """Return what was given before: ticks alone, where the points are theirs, so that the rubric goes on to count."""
    if mark is None:
        return {}
    own, ticks, ticked = rubric.taken_apart(mark.comment)
    by_items = bool(ticks) and set(ticks) <= set(letters) and rubric.total({"": ticked}, max_points) == mark.points
    points = "" if by_items else safe_text.number(mark.points)
    return {"points": points, "comment": str(safe_text.cell(own)), **(ticks if by_items else {})}


@dataclass(frozen=True)
class Sheet:
    """What a sheet gives: {(essay, number): Mark}, and a line for each row that cannot be used."""

    marks: dict[tuple[str, str], Mark]
    refused: list[str]


def read(path: Path, points: Mapping[str, float], known: Set[tuple[str, str]], items: Items) -> Sheet:
    """Return the rows with points or ticks. points: of each essay, at most; known: (essay, number) of all answers.

    Points that are typed go before those of the ticks. A row that is wrong is refused alone; of an answer that has
    points twice, both. Raises CourseError for a file that is no sheet, or of another course.
    """
    given = [(line, row) for line, row in enumerate(_rows(path), 2) if row["points"].strip() or _is_ticked(row)]
    times = Counter((row["essay"], row["answer"]) for _, row in given)
    marks: dict[tuple[str, str], Mark] = {}
    refused = []
    for line, row in given:
        key = row["essay"], row["answer"]
        try:
            _ensure_known(key, points, known)
            if times[key] > 1:
                raise CourseError(f"the answer {safe_text.name(key[1])} has points twice")
            marks[key] = _mark(row, points[key[0]], items[key[0]])
        except CourseError as error:
            refused.append(f"{path}, row {line}: {error}")
    if given and known and not known & times.keys():
        raise CourseError(f"{path}: no answer in it is of this course and chapter; nothing was recorded")
    return Sheet(marks, refused)


def _is_ticked(row: Mapping[str, str]) -> bool:
    return any(row.get(letter, "").strip() for letter in string.ascii_lowercase)


def _mark(row: Mapping[str, str], max_points: float, items: Sequence[rubric.Item]) -> Mark:
    """Return what a row gives: typed points, else those of its ticks."""
    ticked = rubric.given(row, items)
    typed = row["points"].strip()
    points = _points(typed, max_points) if typed else rubric.total(ticked, max_points)
    return Mark(points, rubric.told(_comment(row), ticked, items))


def _ensure_known(key: tuple[str, str], points: Mapping[str, float], known: Set[tuple[str, str]]) -> None:
    """Raise CourseError for an answer that nobody gave, with the one that it may have been."""
    essay, name = key
    if essay not in points:
        raise CourseError(f"there is no essay '{safe_text.name(essay)}' in this chapter")
    if key not in known:
        near = difflib.get_close_matches(name, [number for other, number in known if other == essay], n=1)
        may = f"; is it {near[0]}?" if near else ""
        raise CourseError(f"nobody's answer to '{safe_text.name(essay)}' is {safe_text.name(name)}{may}")


def _rows(path: Path) -> list[dict[str, str]]:
    content, separator = opened(path)
    table = csv.DictReader(content, delimiter=separator)
    missing = [name for name in COLUMNS if name not in (table.fieldnames or ()) and name != "of"]
    if missing:
        raise CourseError(f"{path}: there is no column '{missing[0]}'; `essays export` writes the sheet")
    return [_columns(row) for row in table]


def _columns(row: Mapping) -> dict[str, str]:
    found = {name: row.get(name) or "" for name in (*COLUMNS, *string.ascii_lowercase)}
    return found | {"answer": found["answer"].strip(), "essay": found["essay"].strip()}


def _points(text: str, max_points: float) -> float:
    """Return points, also with a decimal comma; CourseError where they are none or too many."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        value = math.nan
    if not 0 <= value <= max_points:
        raise CourseError(f"'{safe_text.name(text)}' is no number of points from 0 to {max_points:g}")
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
