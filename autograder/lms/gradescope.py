"""Gradescope: the names and the list in its zips, and results.json, the grades that it takes.

    zip       assignment_1_export/submission_123456/01_spam.ipynb beside submission_metadata.yml
    grades    results.json, by its published specification; its autograder's zip is made by `bundle`

Sources: zips that Gradescope exports; https://gradescope-autograders.readthedocs.io/en/latest/specs/ (Gradescope).
"""

import re
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from autograder.adopted_table import WHY_UNPROVED
from autograder.lms.zip_names import LONGEST, Named
from autograder.report import safe_text
from autograder.report.csvs import remarks
from autograder.report.standing import Check, Standing, finite
from autograder.terminal import clean
from helpers.errors import CourseError

METADATA = "submission_metadata.yml"
MAX_METADATA = 32 * 2**20  # bytes of it
MEMBER = re.compile(r"(?:[^/]+/)?(submission_\d{1,20})/(.+)", re.DOTALL)
VISIBILITY = ("visible", "hidden", "after_due_date", "after_published")
Board = Sequence[tuple[str, float | str, str]]  # (name, value, "asc" or "desc": which end is the best)


def read_name(member: str) -> Named | None:
    """Return what a member's name says; None if it is not of Gradescope's form."""
    match = MEMBER.fullmatch(member[:LONGEST])
    if not match:
        return None
    number = match[1].removeprefix("submission_")
    return Named(match[1], "", number, match[2], order=int(number))


def metadata_of(names: Sequence[str]) -> str | None:
    """Return the name of Gradescope's own list: at the top of the zip or in its one folder, and in no submission."""
    lists = [name for name in names if name.rpartition("/")[2] == METADATA]
    own = [name for name in lists if name.count("/") <= 1 and not read_name(name)]
    return min(own, key=lambda name: name.count("/"), default=None)


def read_metadata(archive: zipfile.ZipFile, name: str) -> dict:
    """Return Gradescope's own list: {folder: {":submitters": [...], ":created_at": ...}}; CourseError if it is none."""
    import yaml

    with archive.open(name) as file:
        raw = file.read(MAX_METADATA + 1)
    if len(raw) > MAX_METADATA:
        raise CourseError(f"{METADATA} is larger than {MAX_METADATA // 2**20} MB")
    try:
        content = yaml.load(raw, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        raise CourseError(f"{METADATA} cannot be read") from None
    return content if isinstance(content, dict) else {}


def submitters(entry: object) -> list[dict[str, str]]:
    """Return who handed in together, as an entry of the list says it: {"name", "sid", "email"} each."""
    people = entry.get(":submitters") if isinstance(entry, dict) else None
    if not isinstance(people, list):
        return []
    return [_person(one) for one in people if isinstance(one, dict)]


def _person(one: dict) -> dict[str, str]:
    return {key: clean(str(one.get(f":{key}") or "")) for key in ("name", "sid", "email")}


def created_at(entry: object) -> str:
    """Return when an entry of the list was handed in, as ISO 8601 with its zone; "" if it does not say."""
    when = entry.get(":created_at") if isinstance(entry, dict) else None
    try:
        stated = when if isinstance(when, datetime) else datetime.fromisoformat(str(when))
    except ValueError:
        return ""
    return stated.replace(tzinfo=stated.tzinfo or UTC).isoformat()


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
    said = []
    if check.report:
        said.append(safe_text.block(check.report))
    if not check.judged:
        said.append(f"No score: {safe_text.line(check.reason)}")
    if check.unproved:
        said.append(WHY_UNPROVED)
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
