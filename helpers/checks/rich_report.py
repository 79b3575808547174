"""The report of a check for a notebook's page: the words of the plain report, with values side by side and drawn.

HTML without scripts; every colour goes with a word, and the colours are see-through, so that they serve light and dark.
"""

from html import escape

import numpy as np

from helpers.checks.case import Case
from helpers.checks.scoring import Check
from helpers.checks.values import as_array, describe, kind, plain, shorten

GOOD, BAD, LINE = "0,158,115", "213,94,0", "127,127,127"  # Okabe and Ito (2008)
ROWS, COLUMNS, WORDS = 8, 10, 12  # of what is drawn; longer values are said in a line
CHIPS = 12  # cases in a row
CELL = f"border:1px solid rgba({LINE},.4);padding:2px 7px;text-align:right;background:none;"


class RichReport:
    """What a notebook shows of a finished check: its plain report, and the same as HTML."""

    def __init__(self, check: Check):
        self.check, self.text = check, check.text()

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return page(self.check, self.text)


def page(check: Check, text: str) -> str:
    """Return the report of a check whose plain report is `text`."""
    head, *rest = text.splitlines()
    failed, steps = check.failing(), check.steps()
    begun = not check.stopped and not all(case.not_started for case in check.shown())
    verdict = "not yet"
    if begun and check.passed:
        verdict = "passes"
    elif steps and not failed:
        verdict = "so far"
    parts = [_head(head, verdict)]
    parts += [f"<p style='margin:4px 0'>{escape(line.strip())}</p>" for line in steps]
    if begun and failed:
        parts += [_chips(check)]
        parts += [_case(i, case, check.likeliest(case), open_=n == 0) for n, (i, case) in enumerate(failed)]
    parts += [f"<p>{escape(line.strip())}</p>" for line in rest if not begun or "the shown examples" in line]
    return f'<div style="font-size:14px;line-height:1.5;max-width:880px">{"".join(parts)}</div>'


def _head(words: str, verdict: str) -> str:
    colour = BAD if verdict == "not yet" else GOOD
    style = f"border-left:6px solid rgb({colour});background:rgba({colour},.13);padding:6px 12px;margin:2px 0 6px"
    return f'<div style="{style}"><b>{verdict}</b>&ensp;{escape(words)}</div>'


def _chips(check: Check) -> str:
    """Return the cases in a row, each with its number and whether it passes; of many, those that do not."""
    unwritten = check.unwritten()
    cases = [(i, case) for i, case in enumerate(check.shown(), 1) if case.called not in unwritten]
    many = len(cases) > CHIPS
    chips = [_chip(i, case) for i, case in cases if not (many and case.passed)]
    if len(chips) < len(cases):
        chips.append(f"<span>the other {len(cases) - len(chips)} pass</span>")
    return f'<div style="margin:0 0 6px;line-height:2">{" ".join(chips)}</div>'


def _chip(number: int, case: Case) -> str:
    colour = GOOD if case.passed else BAD
    if case.passed:
        word = "passes"
    elif case.error:
        word = "an error"
    else:
        word = "differs"
    style = f"border:1px solid rgb({colour});border-radius:9px;padding:0 7px;margin-right:4px;white-space:nowrap"
    return f'<span style="{style}">{number} {word}</span>'


def _case(number: int, case: Case, causes: list[str], open_: bool) -> str:
    """Return one case that fails: the likely cause on top, then what was called, expected and got."""
    label = f" ({case.label})" if case.label else ""
    cause = f"&ensp;likely: {escape(causes[0])}" if causes else ""
    rows = [_row("or", escape(words)) for words in causes[1:]]
    call = case.call()
    if call:
        rows.append(_row("input", f"<code>{escape(call)}</code>"))
    rows.append(_side_by_side(case))
    rows += [_row(key, escape(case.report[key])) for key in ("differs", "printed") if key in case.report]
    head = f"<summary style='cursor:pointer'><b>case {number}{escape(label)}</b>{cause}</summary>"
    is_open = " open" if open_ else ""
    return f"<details{is_open} style='margin:4px 0 8px;padding-left:6px'>{head}{''.join(rows)}</details>"


def _row(name: str, text: str) -> str:
    return f"<p style='margin:4px 0'><b>{name}</b>&ensp;{text}</p>"


def _side_by_side(case: Case) -> str:
    """Return expected and got in two columns, below one another where the page is narrow."""
    known = case.error is None and case.expected is not None
    wrong = _differing(case.value, case.expected, *case.tolerance) if known else None
    sides = (
        ("expected", _drawn(case.expected, wrong) if known else "", case.report.get("expected", "")),
        ("got", _drawn(case.value, wrong) if known else "", case.report.get("got", "")),
    )
    columns = "".join(
        f"<div style='min-width:0'><b>{name}</b><div style='overflow-x:auto'>{drawn or _code(text)}</div></div>"
        for name, drawn, text in sides
        if text
    )
    return f"<div style='display:flex;flex-wrap:wrap;gap:6px 28px;margin:4px 0'>{columns}</div>"


def _code(text: str) -> str:
    return f"<code style='white-space:pre-wrap'>{escape(text)}</code>"


def _differing(got, expected, rtol: float, atol: float) -> np.ndarray | None:
    """Return which entries differ, or None where the two cannot be laid over one another."""
    a, b = as_array(got), as_array(expected)
    if a is None or b is None or a.shape != b.shape or a.dtype.kind not in "biuf" or b.dtype.kind not in "biuf":
        return None
    return ~np.isclose(a.astype(float), b.astype(float), rtol=rtol, atol=atol)


def _drawn(value, wrong: np.ndarray | None) -> str:
    """Return a small vector, matrix or list of words as a table, "" for what is too large or something else."""
    if kind(value) == "sequence" and 0 < len(value) <= WORDS and all(kind(v) == "str" for v in value):
        return _table([[shorten(plain(v), 40) for v in value]], None)
    array = as_array(value) if kind(value) in ("array", "tensor", "sequence") else None
    if array is None or array.ndim not in (1, 2) or array.dtype.kind not in "biuf" or not array.size:
        return ""
    rows = array.reshape(1, -1) if array.ndim == 1 else array
    if rows.shape[0] > ROWS or rows.shape[1] > COLUMNS:
        return ""
    note = describe(value).rpartition("  (")[2].rstrip(")") if kind(value) != "sequence" else ""
    marks = None if wrong is None else wrong.reshape(rows.shape)
    note_line = f"<div style='opacity:.75;font-size:12px'>{escape(note)}</div>" if note else ""
    cells = [list(map(_number, row)) for row in rows.tolist()]
    return _table(cells, marks) + note_line


def _number(value) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _table(rows: list[list[str]], wrong: np.ndarray | None) -> str:
    """Return a table; the first entry that differs is framed, the others that differ are shaded."""
    first = tuple(np.argwhere(wrong)[0]) if wrong is not None and wrong.any() else None
    lines = []
    for i, row in enumerate(rows):
        cells = "".join(
            _cell(text, (i, j) == first, wrong is not None and bool(wrong[i, j])) for j, text in enumerate(row)
        )
        lines.append(f"<tr style='background:none'>{cells}</tr>")
    return f"<table style='border-collapse:collapse;margin:2px 0'>{''.join(lines)}</table>"


def _cell(text: str, first: bool, wrong: bool) -> str:
    style = CELL + f"background:rgba({BAD},.18);" * wrong + f"outline:2px solid rgb({BAD})" * first
    title = " title='the first that differs'" * first
    return f"<td style='{style}'{title}>{escape(text)}</td>"
