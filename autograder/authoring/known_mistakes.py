"""What the known mistakes of a check give in its visible cases: computed from their code, handed out as values.

The code stands between ### BEGIN MISTAKES and ### END MISTAKES and never reaches a student; behind it the build puts
the table that `Check.mistake_values` reads, in the instructor's notebook as in the student's file.
"""

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pprint import pformat
from textwrap import indent

import numpy as np

from autograder import cell_marks
from autograder.authoring.source import Cell, SourceError
from helpers.checks import scoring
from helpers.checks.case import NOTHING, Bounded, Case, quiet, value_of, watch
from helpers.checks.compare import difference
from helpers.checks.forms import canonical
from helpers.checks.values import as_array, kind
from helpers.training import random_state

DIGITS, MANY_DIGITS = 6, 12  # of a number in the table; many where a case tells finer than USUAL apart
USUAL = 1e-5
WIDTH = 100  # columns of a value that takes several lines

Table = dict[str, dict[int, object]]  # {sentence: {number of a visible case: value}}


def filled(cells: list[Cell], only: list[str] | None = None) -> list[Cell]:
    """Return a chapter's cells with the values of known mistakes in its checks (in those of the exercises in `only`).

    Raises SourceError where a mistake stands twice or cannot be made, or where the solution does not pass.
    """
    wanted = [c for c in cells if c.kind == "check" and c.name in (only or [c.name])]
    wanted = [c for c in wanted if cell_marks.MISTAKES.search(c.source)]
    if not wanted:
        return cells
    needed = [c for c in cells[: cells.index(wanted[-1]) + 1] if c.kind in ("given", "exercise") or c in wanted]
    tables = _tables(tuple((c.kind, c.grade_id, c.place, c.source) for c in needed))
    return [replace(c, source=_with_table(c.source, tables[c.grade_id])) if c in wanted else c for c in cells]


def _with_table(source: str, table: str) -> str:
    return cell_marks.MISTAKES.sub(lambda found: f"{found[0]}{table}", source, count=1)


@lru_cache(maxsize=32)  # a chapter is built more than once while it is released, handed out or audited
def _tables(cells: tuple[tuple[str, str, str, str], ...]) -> dict[str, str]:
    """Run cells, each (kind, grade_id, place, source); return the tables of the checks among them by grade_id."""
    names: dict = {"__name__": "__main__"}
    tables = {}
    with random_state.aside():
        random_state.restore(random_state.seeded(0))
        for cell_kind, grade_id, place, source in cells:
            if cell_kind == "check":
                tables[grade_id] = _text(_computed(source, place, dict(names)))
            else:
                with quiet(Bounded()):
                    exec(compile(source, grade_id, "exec"), names)
    return tables


def _computed(source: str, place: str, names: dict) -> Table:
    """Run a check's visible cases on the solution, and return what its mistakes give there."""
    table: Table = {}
    problems: list[str] = []

    def note(case: Case, expected: object, near: object, tolerance: tuple[float, float]) -> None:
        typed = (near() if callable(near) else near) or {}
        for words in case.known:
            value = value_of(case.making(words))
            problem = _problem(value, typed.get(words, NOTHING), tolerance)
            if problem:
                problems.append(f"case {case.number}: the mistake '{words}' {problem}")
            found = NOTHING if _is_error(value) else _literal(value, expected, tolerance)
            if found is not NOTHING:
                table.setdefault(words, {})[case.number] = found

    with _watching(note), quiet(Bounded()):
        exec(compile(cell_marks.HIDDEN.sub("", source), place, "exec"), names)
    check = scoring.finished[-1]
    if not check.passed:
        problems.append(f"the solution does not pass the visible cases: {check.text()}")
    if problems:
        raise SourceError(f"{place}: {problems[0]}")
    return table


def _problem(value: object, typed: object, tolerance: tuple[float, float]) -> str:
    """Return what is wrong with a mistake that gives `value`, and has another value typed in the same case."""
    if isinstance(value, type) and issubclass(value, NameError):
        return "uses a name that is not defined before the visible cases"
    if value is NOTHING or typed is NOTHING or _is_error(value) or _is_error(typed):
        return ""
    if difference(value, typed, *tolerance, equal_nan=True) is None:
        return "is typed, too: delete the value"
    return f"gives {value!r}, and {typed!r} is typed: two mistakes need two sentences"


@contextmanager
def _watching(note: Callable) -> Iterator[None]:
    """While the block runs, hand each judged case on, and print no report."""
    seen, shown = watch.set(note), scoring.show.set(lambda _: None)
    try:
        yield
    finally:
        watch.reset(seen)
        scoring.show.reset(shown)


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _literal(value: object, expected: object, tolerance: tuple[float, float]) -> object:
    """Return a value as a Python literal, rounded; NOTHING where none says the same, or it is what is right."""
    if value is NOTHING:
        return NOTHING
    try:
        written = plain_data(canonical(value), *tolerance)
        if _only_nan(written):  # which many a mistake gives: it would name the wrong one
            return NOTHING
        lost = difference(value, written, *tolerance, equal_nan=True)
        shows = difference(written, expected, *tolerance)
    except Exception:  # values of kinds that are never compared
        return NOTHING
    return written if lost is None and shows is not None else NOTHING


def _only_nan(value: object) -> bool:
    numbers = as_array(value)
    return numbers is not None and numbers.dtype.kind == "f" and numbers.size > 0 and bool(np.isnan(numbers).all())


def plain_data(value: object, rtol: float = USUAL, atol: float = 0.0) -> object:
    """Return a value in lists, tuples, dicts, sets, words and numbers; raises ValueError where it is no such data."""
    family = kind(value)
    if family in ("array", "tensor"):
        array = value if family == "array" and value.dtype.kind in "UO" else as_array(value)
        return plain_data(array.tolist(), rtol, atol)
    if family == "sequence":
        return type(value)(plain_data(item, rtol, atol) for item in value)
    if family == "dict":
        return {plain_data(key, 0.0): plain_data(item, rtol, atol) for key, item in value.items()}
    if family == "set":
        return {plain_data(item, 0.0) for item in value}
    if family in ("number", "bool"):
        number = value if type(value) in (bool, int, float, complex) else value.item()
        return _rounded(number, rtol, atol) if type(number) is float else number
    if family in ("str", "bytes", "NoneType"):
        return value if type(value) in (str, bytes, type(None)) else str(value)
    raise ValueError(f"no literal says what {type(value).__name__} holds")


def _rounded(number: float, rtol: float, atol: float) -> float:
    """Return a number without the last digits, in which machines differ, and without a sign of nothing."""
    if abs(number) < atol / 2:
        return 0.0
    return float(f"{number:.{DIGITS if rtol >= USUAL else MANY_DIGITS}g}") + 0.0


class _NotFinite(float):
    """NaN or an infinity, written as Python reads it."""

    def __repr__(self) -> str:
        return f'float("{float.__repr__(self)}")'


def _readable(value: object) -> object:
    """Return plain data whose repr is Python."""
    if isinstance(value, list | tuple):
        return type(value)(map(_readable, value))
    if isinstance(value, dict):
        return {key: _readable(item) for key, item in value.items()}
    return _NotFinite(value) if isinstance(value, float) and not math.isfinite(value) else value


def _text(table: Table) -> str:
    """Return the call that hands the values to the check, as lines of its function."""
    lines = [cell_marks.HEAD]
    for words, values in table.items():
        lines += [f"        {json.dumps(words, ensure_ascii=False)}: {{\n", *map(_row, values.items()), "        },\n"]
    return "".join([*lines, cell_marks.FOOT])


def _row(item: tuple[int, object]) -> str:
    number, value = item
    lines = pformat(_readable(value), width=WIDTH, compact=True, sort_dicts=False)
    return indent(f"{number}: {lines},\n", " " * 12)
