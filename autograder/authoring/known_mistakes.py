"""What the known mistakes of a check give in its visible cases: computed from their code, handed out as values.

The code stands between ### BEGIN MISTAKES and ### END MISTAKES and never reaches a student; behind it the build puts
the table that `Check.mistake_values` reads, in the instructor's notebook as in the student's file.
"""

import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pprint import PrettyPrinter
from textwrap import indent
from typing import Any

import numpy as np
from scipy import sparse

from autograder import cell_marks
from autograder.authoring.source import Cell, SourceError
from helpers.checks import scoring
from helpers.checks.case import NOTHING, Bounded, Case, quiet, typed_values, value_of, watch
from helpers.checks.compare import RTOL, difference
from helpers.checks.forms import canonical
from helpers.checks.values import as_array, kind
from helpers.training import random_state

DIGITS = 6  # of a number in the table
MORE_DIGITS = 12  # where a case tells numbers apart more finely than RTOL
WIDTH = 100  # columns of a value that takes several lines
SPARSE = "sparse.csr_matrix("  # how a sparse one begins
ROUNDING = 1.1e-5  # a last digit of DIGITS where processors round differently, in parts of the largest number beside it
ENTRY = re.compile(r"^ +(?=\d+: )", re.MULTILINE)
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")

Table = dict[str, dict[int, object]]  # {sentence: {number of a visible case: value}}
Tolerance = tuple[float, float]  # rtol and atol of a case


@dataclass(frozen=True)
class _Code:
    """What is run of a cell: unlike a Cell it can be hashed."""

    kind: str
    grade_id: str
    place: str
    source: str


def with_mistake_values(cells: list[Cell], only: list[str] | None = None) -> list[Cell]:
    """Return a chapter's cells with the values of known mistakes in its checks (in those of the exercises in `only`).

    Raises SourceError where a mistake stands twice or cannot be made, or where the solution does not pass.
    """
    checks = [c for c in cells if _has_mistakes(c) and (not only or c.name in only)]
    if not checks:
        return cells
    wanted = {c.grade_id for c in checks}
    to_run = []
    for cell in cells[: cells.index(checks[-1]) + 1]:
        if cell.kind in ("given", "exercise") or cell.grade_id in wanted:
            to_run.append(_Code(cell.kind, cell.grade_id, cell.place, cell.source))
    tables = _tables(tuple(to_run))
    return [_with_table(c, tables[c.grade_id]) if c.grade_id in tables else c for c in cells]


def _has_mistakes(cell: Cell) -> bool:
    return cell.kind == "check" and cell_marks.MISTAKES.search(cell.source) is not None


def _with_table(check: Cell, table: str) -> Cell:
    """Return a check with a table behind the code of its mistakes."""
    source = cell_marks.MISTAKES.sub(lambda mistakes: f"{mistakes[0]}{table}", check.source, count=1)
    return replace(check, source=source)


@lru_cache(maxsize=32)  # a chapter is built more than once while it is released, handed out or audited
def _tables(cells: tuple[_Code, ...]) -> dict[str, str]:
    """Run cells one after the other; return the tables of the checks among them, as code, by grade_id."""
    names: dict = {"__name__": "__main__"}
    tables = {}
    with random_state.aside():
        random_state.restore(random_state.seeded(0))
        for cell in cells:
            if cell.kind == "check":
                tables[cell.grade_id] = _as_code(_computed(cell, dict(names)))
            else:
                with quiet(Bounded()):
                    exec(compile(cell.source, cell.grade_id, "exec"), names)
    return tables


def _computed(check: _Code, names: dict) -> Table:
    """Run a check's visible cases on the solution, which is in `names`; return what its mistakes give there."""
    recorder = _Recorder()
    with watching(recorder.record), quiet(Bounded()):
        exec(compile(cell_marks.HIDDEN.sub("", check.source), check.place, "exec"), names)
    if recorder.problems:
        raise SourceError(f"{check.place}: {recorder.problems[0]}")
    outcome = scoring.finished[-1]
    if not outcome.passed:
        raise SourceError(f"{check.place}: the solution does not pass the visible cases: {outcome.text()}")
    return recorder.table


@contextmanager
def watching(record: Callable) -> Iterator[None]:
    """While the block runs, hand each judged case to `record`, and print no report."""
    watched = watch.set(record)
    shown = scoring.show.set(lambda _: None)
    try:
        yield
    finally:
        watch.reset(watched)
        scoring.show.reset(shown)


@dataclass
class _Recorder:
    """What the mistakes of a check give in its cases, and what is wrong with them, in the order of the cases."""

    table: Table = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def record(self, case: Case, expected: object, near: Any, tolerance: Tolerance) -> None:
        """Make each mistake that is known in a case; `near` holds the values that are typed there, or returns them."""
        typed = typed_values(near)
        for sentence in case.known:
            value = value_of(case.making(sentence))
            problem = _problem(value, typed.get(sentence, NOTHING), tolerance)
            if problem:
                self.problems.append(f"case {case.number}: the mistake '{sentence}' {problem}")
            literal = _literal(value, expected, tolerance)
            if literal is not NOTHING:
                self.table.setdefault(sentence, {})[case.number] = literal


def _problem(value: object, typed: object, tolerance: Tolerance) -> str:
    """Return what is wrong with a mistake that gives `value` where `typed` is typed, in words; "" if nothing is."""
    if isinstance(value, type) and issubclass(value, NameError):
        return "uses a name that is not defined before the visible cases"
    if is_no_value(value) or is_no_value(typed):
        return ""
    if difference(value, typed, *tolerance, equal_nan=True) is None:
        return "is typed, too: delete the value"
    return f"gives {value!r}, and {typed!r} is typed: two mistakes need two sentences"


def is_no_value(value: object) -> bool:
    """Whether a mistake gave nothing, or ended in an error, whose class stands for it."""
    return value is NOTHING or (isinstance(value, type) and issubclass(value, BaseException))


def _literal(value: object, expected: object, tolerance: Tolerance) -> object:
    """Return what a mistake gives as plain data, rounded.

    Returns NOTHING where it gives no value, where no plain data count as equal to the value in this case, and where
    what would be written could be taken for what is expected.
    """
    if is_no_value(value):
        return NOTHING
    try:
        written = plain_data(canonical(value), *tolerance)
        if _is_nan_alone(written):  # which many a mistake gives: it would name the wrong one
            return NOTHING
        same = difference(value, written, *tolerance, equal_nan=True) is None
        right = difference(written, expected, *tolerance) is None
    except Exception:  # values of kinds that are never compared
        return NOTHING
    return written if same and not right else NOTHING


def _is_nan_alone(value: object) -> bool:
    numbers = as_array(value)
    if numbers is None or numbers.dtype.kind != "f" or numbers.size == 0:
        return False
    return bool(np.isnan(numbers).all())


def plain_data(value: Any, rtol: float = RTOL, atol: float = 0.0) -> Any:
    """Return a value in lists, tuples, dicts, sets, words and numbers; raises ValueError where it is no such data.

    A sparse matrix stays one, its numbers written like others: no list is equal to it.
    rtol and atol: those with which it will be compared, which say how many digits of a number count.
    """
    family = kind(value)
    if family == "sparse":
        return sparse.csr_matrix(plain_data(value.toarray(), rtol, atol))
    if family in ("array", "tensor"):
        return plain_data(_as_list(value, family), rtol, atol)
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


def _as_list(array: Any, family: str) -> Any:
    """Return the nested lists of an array or a tensor, a number where it has no axis."""
    if family == "array" and array.dtype.kind in "UO":  # words, or lists of several lengths
        return array.tolist()
    numbers = as_array(array)
    if numbers is None:
        raise ValueError(f"no literal says what {type(array).__name__} holds")
    return numbers.tolist()


def _rounded(number: float, rtol: float, atol: float) -> float:
    """Return a number without the last digits, in which machines differ, and zero without a sign."""
    if abs(number) < atol / 2:
        return 0.0
    digits = DIGITS if rtol >= RTOL else MORE_DIGITS
    return float(f"{number:.{digits}g}") + 0.0  # -0.0 + 0.0 is 0.0


def _as_code(table: Table) -> str:
    """Return the call that hands the values to the check, as lines of its function."""
    lines = [cell_marks.HEAD]
    for sentence, values in table.items():
        lines.append(f"        {json.dumps(sentence, ensure_ascii=False)}: {{\n")
        for number, value in values.items():
            lines.append(indent(f"{number}: {_in_code(value)},\n", " " * 12))
        lines.append("        },\n")
    lines.append(cell_marks.FOOT)
    return "".join(lines)


def _in_code(value: Any) -> str:
    """Return a value as code for a check, which imports SciPy's `sparse` itself where it compares sparse matrices."""
    if kind(value) == "sparse":
        rows = _written(value.toarray().tolist(), WIDTH - len(SPARSE))
        return f"{SPARSE}{indent(rows, ' ' * len(SPARSE)).lstrip()})"
    return _written(value, WIDTH)


def _written(value: object, width: int) -> str:
    return _Printer(width=width, compact=True, sort_dicts=False).pformat(_readable(value))


def _readable(value: object) -> object:
    """Return plain data whose repr is Python."""
    if isinstance(value, list | tuple):
        return type(value)(map(_readable, value))
    if isinstance(value, dict):
        return {key: _readable(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return _NotFinite(value)
    return value


class _Printer(PrettyPrinter):
    """Writes the members of a set in order: otherwise they stand in another one in each process."""

    def format(self, value: object, context: dict[int, int], levels: int, level: int) -> tuple[str, bool, bool]:
        """Return (the text of a value, whether it is readable, whether it holds itself)."""
        if not isinstance(value, set) or not value:
            return super().format(value, context, levels, level)
        members = sorted(self.format(member, context, levels, level)[0] for member in value)
        return f"{{{', '.join(members)}}}", True, False


class _NotFinite(float):
    """NaN or an infinity, whose repr Python can read."""

    def __repr__(self) -> str:
        return f'float("{float.__repr__(self)}")'


def with_released_digits(built: str, released: str) -> str:
    """Return a check as the build makes it, with the table of its released form where rounding alone tells them apart.

    The last digits of a float32 differ from processor to processor, and what is released must not.
    """
    table, before = cell_marks.VALUES.search(built), cell_marks.VALUES.search(released)
    if not (table and before and _same_but_for_rounding(table[0], before[0])):
        return built
    return built.replace(table[0], before[0])


def _same_but_for_rounding(one: str, other: str) -> bool:
    """Whether two tables have the same words and, but for rounding, the same numbers."""
    if _words(one) != _words(other):
        return False
    return all(map(_same_numbers, ENTRY.split(one), ENTRY.split(other)))


def _words(table: str) -> str:
    """Return a table without its numbers, and without blanks: lines break elsewhere where a number is longer."""
    return "".join(NUMBER.sub("#", table).split())


def _same_numbers(one: str, other: str) -> bool:
    """Whether two values have the same numbers but for rounding: a small one may be the difference of large ones."""
    largest = max((abs(float(number)) for number in NUMBER.findall(one) if not _is_whole(number)), default=0.0)
    for number, beside in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True):
        if _is_whole(number) and _is_whole(beside):
            same = number == beside
        else:
            same = abs(float(number) - float(beside)) <= ROUNDING * largest
        if not same:
            return False
    return True


def _is_whole(number: str) -> bool:
    return number.lstrip("-").isdecimal()
