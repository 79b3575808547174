"""Gradescope's results.json, by its published specification.

Source: https://gradescope-autograders.readthedocs.io/en/latest/specs/ (Gradescope).
"""

from collections.abc import Mapping, Sequence

from autograder.report import safe_text
from autograder.report.csvs import remarks
from autograder.report.standing import Check, Standing, finite
from helpers.errors import CourseError

VISIBILITY = ("visible", "hidden", "after_due_date", "after_published")
Board = Sequence[tuple[str, float | str, str]]  # (name, value, "asc" or "desc": which end is the best)


def results_json(
    standing: Standing,
    *,
    visibility: str = "visible",
    stdout_visibility: str = "hidden",
    leaderboard: Board = (),
) -> dict:
    """Return the dict of results.json: a test for each check; essays are graded in Gradescope itself.

    visibility: who sees the tests, and from when; stdout_visibility: who sees what run_autograder prints.
    Raises CourseError for a visibility that Gradescope does not have.
    """
    for value in (visibility, stdout_visibility):
        if value not in VISIBILITY:
            raise CourseError(f"Gradescope has no visibility '{value}'; it has: {', '.join(VISIBILITY)}")
    found = {
        "score": standing.earned,
        "execution_time": round(finite(standing.result.get("seconds")), 2),
        "output": _said(standing),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": visibility,
        "stdout_visibility": stdout_visibility,
        "extra_data": {"hash": str(standing.result.get("hash", "")), "protections": _protections(standing)},
        "tests": [_test(i, check, visibility) for i, check in enumerate(standing.checks, 1)],
    }
    board = [{"name": safe_text.name(name), "value": value, "order": order} for name, value, order in leaderboard]
    return found | ({"leaderboard": board} if board else {})


def _test(number: int, check: Check, visibility: str) -> dict:
    said = [safe_text.block(check.report)] if check.report else []
    said += [] if check.judged else [f"No score: {safe_text.line(check.reason)}"]
    return {
        "score": check.score,
        "max_score": check.points,
        "status": "passed" if check.full and check.judged else "failed",
        "name": safe_text.name(check.exercise),
        "name_format": "text",
        "number": str(number),
        "output": "\n".join(said),
        "output_format": "text",
        "visibility": visibility,
    }


def _said(standing: Standing) -> str:
    earned, possible = safe_text.number(standing.earned), safe_text.number(standing.possible)
    points = f"{earned} of {possible} points that are checked by machine"
    return "\n".join([points, *remarks(standing)])


def _protections(standing: Standing) -> Mapping[str, str]:
    found = standing.result.get("protections") or {}
    return {safe_text.name(key): safe_text.line(value) for key, value in found.items()}
