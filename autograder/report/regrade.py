"""What a regrade changed: who, by how much, and why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from autograder.report import safe_text
from autograder.report.standing import Check, Standing, standings

SAME = "nothing of answers, template, checks and environment changed: this score is not repeatable"


@dataclass(frozen=True)
class Change:
    """One student whose points by machine changed; None: there was, or there is, no result. why: one line each."""

    student: str
    before: float | None
    after: float | None
    why: tuple[str, ...]

    @property
    def by(self) -> float:
        """The points won, or lost if below 0."""
        return round((self.after or 0.0) - (self.before or 0.0), 2)


def changes(old: Iterable[Mapping], new: Iterable[Mapping]) -> list[Change]:
    """Return everybody with another score on any check, the largest loss first, then by name."""
    before = {standing.student: standing for standing in standings(old)}
    after = {standing.student: standing for standing in standings(new)}
    found = [_change(name, before.get(name), after.get(name)) for name in {**before, **after}]
    return sorted((c for c in found if c is not None), key=lambda c: (c.by, c.student))


def _change(student: str, old: Standing | None, new: Standing | None) -> Change | None:
    if old is None or new is None:
        only = "graded for the first time" if old is None else "no result any more"
        return Change(student, old.earned if old else None, new.earned if new else None, (only,))
    was = {check.exercise: check for check in old.checks}
    now = {check.exercise: check for check in new.checks}
    why = [line for name in {**was, **now} if (line := _why(name, was.get(name), now.get(name)))]
    if not why:
        return None
    if new.result.get("failure") and new.result["failure"] != old.result.get("failure"):
        why = [safe_text.line(new.result["failure"])]
    elif new.result.get("hash") and new.result.get("hash") == old.result.get("hash"):
        why = [SAME, *why]
    return Change(student, old.earned, new.earned, tuple(why))


def _why(exercise: str, old: Check | None, new: Check | None) -> str:
    """Return what changed on one check, in one line; nothing if its score and its points did not."""
    if (old and (old.score, old.points)) == (new and (new.score, new.points)):
        return ""
    scores = " → ".join("none" if c is None else safe_text.number(c.score) for c in (old, new))
    points = "" if not (old and new) or old.points == new.points else f" of {safe_text.number(new.points)}"
    return f"{safe_text.name(exercise)} {scores}{points}: {_said(new)}"


def _said(check: Check | None) -> str:
    if check is None:
        return "the chapter has no such check any more"
    if not check.judged:
        return safe_text.line(check.reason or "no score")
    summary = safe_text.line((check.report.splitlines() or ["judged anew"])[0], 160).removeprefix(f"{check.exercise}: ")
    likely = f"; likely: {safe_text.line(check.likely[0], 160)}" if check.likely else ""
    return f"{summary.split(', ')[0]}{likely}"


def summary(found: Sequence[Change], students: int) -> str:
    """Return the regrade in one line."""
    if not found:
        return f"Regrade: nobody's points change ({safe_text.count(students, 'student')})."
    up = sum(change.by > 0 for change in found)
    down = sum(change.by < 0 for change in found)
    numbers = {"gain": up, "lose": down, "by check only": len(found) - up - down}
    parts = [f"{number} {what}" for what, number in numbers.items() if number]
    return f"Regrade: {len(found)} of {safe_text.count(students, 'student')} change ({', '.join(parts)})."


def lines(found: Sequence[Change]) -> list[str]:
    """Return the changes as plain text, one line a student."""
    return [f"{safe_text.name(c.student)}: {_points(c)}: {'; '.join(c.why)}" for c in found]


def table(found: Sequence[Change]) -> Table:
    """Return the changes as a table for the terminal."""
    made = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    made.add_column("student", overflow="fold")
    for heading in ("before", "after", "change"):
        made.add_column(heading, justify="right", no_wrap=True)
    made.add_column("why", overflow="fold", ratio=1)
    for c in found:
        ends = ["-" if points is None else safe_text.number(points) for points in (c.before, c.after)]
        made.add_row(Text(safe_text.name(c.student)), *ends, f"{c.by:+g}", Text("\n".join(c.why)))
    return made


def _points(change: Change) -> str:
    ends = ["no result" if p is None else safe_text.number(p) for p in (change.before, change.after)]
    return f"{' → '.join(ends)} ({change.by:+g})"
