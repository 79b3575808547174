"""Who has how many points: result dicts, hand-graded essays and late penalties brought together."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from autograder.adopted_table import UNPROVED

Marks = Mapping[str, Mapping]  # what the gradebook knows of each student, see autograder.gradebook.manual_grades


@dataclass(frozen=True)
class Check:
    """One check of one student, read from a result; `score` is finite and in [0, points], whatever was there.

    unproved: whether the student's own process said that the test passed (see autograder.adopted_table).
    """

    exercise: str
    points: float
    score: float
    judged: bool
    reason: str
    report: str
    likely: tuple[str, ...]
    seconds: float
    cell: str = ""
    unproved: bool = False

    @property
    def full(self) -> bool:
        """All points of the check are earned."""
        return self.score >= self.points

    @property
    def word(self) -> str:
        """What became of it, in a word or two."""
        if not self.judged:
            return "no score"
        if self.full:
            return "full"
        return "partial" if self.score else "none"


@dataclass(frozen=True)
class Standing:
    """One student: the checks in the notebook's order, the essays, the late penalty, and the whole result.

    essays: points by essay, None where a person has yet to grade; late: points that are taken off; changed: by how
    much a person changed the points of an exercise; who: name, address, dates.
    """

    student: str
    checks: tuple[Check, ...]
    essays: Mapping[str, float | None] = field(default_factory=dict)
    late: float = 0.0
    result: Mapping = field(default_factory=dict, repr=False)
    changed: Mapping[str, float] = field(default_factory=dict)
    who: Mapping[str, str] = field(default_factory=dict)

    @property
    def earned(self) -> float:
        """The points given by machine."""
        return round(math.fsum(c.score for c in self.checks), 2)

    @property
    def possible(self) -> float:
        """The points that the machine can give."""
        return round(math.fsum(c.points for c in self.checks), 2)

    @property
    def raw(self) -> float:
        """The points by machine and by hand, before the late penalty."""
        by_hand = [*(score or 0.0 for score in self.essays.values()), *self.changed.values()]
        return round(self.earned + math.fsum(by_hand), 2)

    @property
    def total(self) -> float:
        """All points so far: by machine and by hand, less the late penalty, never below 0."""
        return round(max(self.raw - self.late, 0.0), 2)

    @property
    def open(self) -> list[str]:
        """The essays that a person has yet to grade."""
        return [essay for essay, score in self.essays.items() if score is None]


def standings(results: Iterable[Mapping], marks: Marks | None = None) -> list[Standing]:
    """Return everybody's standing, by name; of two results of one student the last counts."""
    marks = marks or {}
    found = {str(r.get("student", "")): r for r in results}
    return [standing(found[student], marks.get(student)) for student in sorted(found, key=lambda s: (s.casefold(), s))]


def standing(result: Mapping, mark: Mapping | None = None) -> Standing:
    """Return one student's standing; mark: what the gradebook knows of the student (gradebook.manual_grades)."""
    mark = mark or {}
    essays = {str(k): None if v is None else finite(v) for k, v in (mark.get("manual") or {}).items()}
    checks = tuple(_check(c) for c in result.get("checks") or [])
    more = {"changed": mark.get("changed") or {}, "who": mark.get("who") or {}}
    return Standing(str(result.get("student", "")), checks, essays, finite(mark.get("late")), result, **more)


def questions(class_: Iterable[Standing]) -> dict[str, float]:
    """Return {exercise: points} of all checks that anybody has, in the order in which they come."""
    return {c.exercise: c.points for s in class_ for c in s.checks}


def unproved(class_: Iterable[Standing]) -> list[str]:
    """Return the exercises of which anybody's points are unproved."""
    checks = [check for standing in class_ for check in standing.checks]
    return list(dict.fromkeys(check.exercise for check in checks if check.unproved))


def essays(class_: Iterable[Standing]) -> list[str]:
    """Return the names of all essays."""
    return list(dict.fromkeys(e for s in class_ for e in s.essays))


def _check(check: Mapping) -> Check:
    points, score, reason = finite(check.get("points")), check.get("score"), str(check.get("reason") or "")
    valid = finite(score) == score and type(score) is not bool and score <= points
    judged = check.get("status") == "judged" and valid
    return Check(
        exercise=str(check.get("exercise") or check.get("id") or ""),
        points=points,
        score=finite(score) if judged else 0.0,
        judged=judged,
        reason=reason if valid or reason else f"its score is no number from 0 to {points:g}",
        report=str(check.get("report") or ""),
        likely=tuple(str(words) for words in check.get("likely") or []),
        seconds=finite(check.get("seconds")),
        cell=str(check.get("id") or ""),
        unproved=check.get("proof") == UNPROVED,
    )


def finite(value) -> float:
    """Return a number of at least 0; anything else is 0."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
    return float(value) if good else 0.0
