"""What a class's results say together: the hardest questions, the commonest mistakes, slow cells, failures."""

import re
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.execution.results import TEAMS
from autograder.package_names import package_names
from autograder.report import safe_text
from autograder.report.standing import Check, Standing, finite, questions

CELL = re.compile(r"<ipython-input-[\w-]+>, ")
STOPPED = {"timeout": "stopped at the time limit", "died": "ended its process", "not run": "not run"}


@dataclass(frozen=True)
class Question:
    """One question over a class: how many students earned all, some, none of its points, or could not be judged."""

    exercise: str
    points: float
    share: float  # mean of the points, as a share: 0 to 1
    counts: dict[str, int]  # by Check.word


@dataclass(frozen=True)
class Summary:
    """The points by machine of a class."""

    students: int
    possible: float
    mean: float
    median: float
    lowest: float
    highest: float
    full: int


def summary(class_: Sequence[Standing]) -> Summary:
    """Return the points by machine in numbers; for an empty class they are all 0."""
    earned = [s.earned for s in class_] or [0.0]
    possible = max((s.possible for s in class_), default=0.0)
    full = sum(map(_is_full, class_))
    mean, median = statistics.fmean(earned), statistics.median(earned)
    return Summary(len(class_), possible, mean, median, min(earned), max(earned), full)


def _is_full(standing: Standing) -> bool:
    return bool(standing.checks) and all(check.full for check in standing.checks)


def hardest(class_: Sequence[Standing]) -> list[Question]:
    """Return all questions, the one with the smallest share of its points first."""
    found = [_question(name, points, class_) for name, points in questions(class_).items()]
    return sorted(found, key=lambda q: q.share)


def _question(name: str, points: float, class_: Sequence[Standing]) -> Question:
    every: list[Check] = [check for standing in class_ for check in standing.checks]
    checks = [check for check in every if check.exercise == name]
    scored = sum(check.score for check in checks)
    share = scored / (points * len(class_)) if points else 0.0
    return Question(name, points, min(share, 1.0), dict(Counter(c.word for c in checks)))


def near_misses(class_: Sequence[Standing], limit: int = 12) -> list[tuple[str, str, int]]:
    """Return (exercise, the likely mistake, number of students), the commonest first."""
    found: Counter[tuple[str, str]] = Counter()
    for standing in class_:
        found.update({(check.exercise, words) for check in standing.checks for words in check.likely})
    ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return [(exercise, words, count) for (exercise, words), count in ranked[:limit]]


def slowest(class_: Sequence[Standing], limit: int = 8) -> list[tuple[str, float, float, str, int]]:
    """Return (cell, median seconds, most seconds, whose, how many were stopped), by the most seconds.

    The seconds are those of cells that ended by themselves, and of checks, in which the students' functions run.
    """
    seconds: dict[str, list[tuple[float, str]]] = {}
    ends = [end for s in class_ for end in stopped_cells(s)]
    stopped = Counter(cell for cell, status in ends if status == "timeout")
    for s in class_:
        for cell, took in _seconds(s):
            seconds.setdefault(cell, []).append((took, s.student))
    rows = []
    for name, measured in seconds.items():
        median = statistics.median(one for one, _ in measured)
        rows.append((name, median, *max(measured), stopped[name]))
    return sorted(rows, key=lambda row: -row[2])[:limit]


def _seconds(standing: Standing) -> list[tuple[str, float]]:
    cells = [c for c in standing.result.get("cells") or [] if c.get("status") not in STOPPED]
    found = [(str(c.get("id", "")), finite(c.get("seconds"))) for c in cells]
    return found + [(c.cell, c.seconds) for c in standing.checks if c.seconds]


def errors(class_: Sequence[Standing], limit: int = 12) -> list[tuple[str, str, list[str]]]:
    """Return (cell, error in a line, students) of the cells that an error stopped, the commonest first."""
    found: dict[tuple[str, str], list[str]] = {}
    for s in class_:
        for cell in s.result.get("cells") or []:
            if isinstance(error := cell.get("error"), dict):
                said = error_line(error)
                found.setdefault((str(cell.get("id", "")), said), []).append(s.student)
    ranked = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return [(cell, said, students) for (cell, said), students in ranked[:limit]]


def error_line(error: Mapping) -> str:
    """Return an error in a line, without the name that IPython gives a cell: it differs from student to student."""
    return safe_text.line(f"{error.get('name', '')}: {CELL.sub('', str(error.get('message', '')))}")


def missing_packages(class_: Sequence[Standing]) -> list[tuple[str, list[str]]]:
    """Return (package that the grader lacked, students whose cells import it), the commonest first."""
    found: dict[str, list[str]] = {}
    for s in class_:
        for package in package_names(s.result.get("missing")):
            found.setdefault(package, []).append(s.student)
    return sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))


def failures(class_: Sequence[Standing]) -> list[tuple[str, str]]:
    """Return (student, cause in a line) of every submission that was not run, was stopped, or got no score.

    So is one without a point in which something had to be repaired: an empty file, say.
    """
    return [(s.student, cause) for s in class_ if (cause := _cause(s))]


def _cause(standing: Standing) -> str:
    if standing.result.get("failure"):
        return safe_text.line(standing.result["failure"])
    if not standing.checks:
        return "nothing was checked"
    stopped = stopped_cells(standing)
    causes = [f"{safe_text.name(cell)} {STOPPED[status]}" for cell, status in stopped if status != "not run"]
    if left := sum(status == "not run" for _, status in stopped):
        causes.append(f"{safe_text.count(left, 'cell')} not run")
    missing = [c for c in standing.checks if not c.judged]
    causes = causes or [f"{safe_text.name(c.exercise)}: {safe_text.line(c.reason)}" for c in missing]
    if not causes and not standing.earned:
        repairs = standing.result.get("repairs") or []
        causes = [safe_text.line(words) for words in repairs if not words.startswith(TEAMS)]
    return ", ".join(causes[:3]) + (f", and {len(causes) - 3} more" if len(causes) > 3 else "")


def stopped_cells(standing: Standing) -> list[tuple[str, str]]:
    """Return (cell, status) of the cells that a limit stopped, that ended their process, or that were not reached."""
    cells = standing.result.get("cells") or []
    return [(str(c.get("id", "")), c["status"]) for c in cells if c.get("status") in STOPPED]


def protections(class_: Sequence[Standing]) -> list[tuple[str, str, int]]:
    """Return (protection, "held: how" or "missing: why", number of submissions); what is missing comes first."""
    found = Counter((str(k), str(v)) for s in class_ for k, v in (s.result.get("protections") or {}).items())
    ranked = sorted(found.items(), key=lambda item: (item[0][1].startswith("held"), item[0]))
    return [(name, state, count) for (name, state), count in ranked]


def ended(class_: Sequence[Standing]) -> dict[str, int]:
    """Return {status: number of cells} of what limits and crashes ended."""
    found = Counter(status for s in class_ for _, status in stopped_cells(s))
    return {status: found[status] for status in STOPPED if found[status]}
