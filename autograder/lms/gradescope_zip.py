"""The names and the list in Gradescope's zips."""

import re
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime

from autograder.execution.results import clean
from autograder.lms.zip_names import LONGEST, Named
from helpers.errors import CourseError

METADATA = "submission_metadata.yml"
MAX_METADATA = 32 * 2**20  # bytes of it
MEMBER = re.compile(r"(?:[^/]+/)?(submission_\d{1,20})/(.+)", re.DOTALL)


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
