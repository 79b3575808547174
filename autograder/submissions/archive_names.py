"""What the names in a zip of submissions say: which system made it, who handed in, and what the file was called.

    Canvas       lovelaceada_LATE_12345_678910_01_spam.ipynb      (name, user, attachment, file)
    Moodle       Ada Lovelace_12345_assignsubmission_file_/01_spam.ipynb; without folders, or without the last _, too
    Gradescope   assignment_1_export/submission_123456/01_spam.ipynb beside submission_metadata.yml

Sources: canvas-lms, app/models/assignment.rb (infer_comment_context_from_filename); Moodle, mod/assign/feedback/file/
importziplib.php (is_valid_filename_for_import); zips that Gradescope exports.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

METADATA = "submission_metadata.yml"
CANVAS = re.compile(r"([^_/]+)_(LATE_)?(\d{1,20})_(\d{1,20})_([^/]+)", re.DOTALL)
MOODLE = re.compile(r"([^/]+?)_(\d{1,20})_assignsubmission_(?:file|onlinetext)_?/?(.+)", re.DOTALL)
GRADESCOPE = re.compile(r"(?:[^/]+/)?(submission_\d{1,20})/(.+)", re.DOTALL)
LONGEST = 1_000  # characters of a member's name


@dataclass(frozen=True)
class Named:
    """What a member's name says; key: the same for all files of one submission; order: later ones have higher ones."""

    key: str
    who: str
    number: str
    file: str
    late: bool = False
    order: int = 0


def system_of(names: Sequence[str]) -> tuple[str | None, list[Named | None]]:
    """Return the system that a zip with these members comes from, None if none, and what each name says.

    A student chooses the end of a name and may make it look like another system's: the system is the one whose form
    most of all names have.
    """
    if metadata_of(names):
        return "gradescope", [_gradescope(name) for name in names]
    found = {system: [read(name) for name in names] for system, read in (("canvas", _canvas), ("moodle", _moodle))}
    system = max(found, key=lambda s: sum(one is not None for one in found[s]))
    return (system if any(found[system]) else None), found[system]


def metadata_of(names: Sequence[str]) -> str | None:
    """Return the name of Gradescope's own list: at the top of the zip or in its one folder, and in no submission."""
    found = [n for n in names if n.rpartition("/")[2] == METADATA and n.count("/") <= 1 and not _gradescope(n)]
    return min(found, key=lambda n: n.count("/"), default=None)


def moodle_folder(member: str) -> str:
    """Return the part of a member's name that tells Moodle whose it is."""
    match = MOODLE.fullmatch(member)
    return member[: match.start(3)] if match else ""


def canvas_prefix(member: str) -> str:
    """Return the part of a member's name that tells Canvas whose it is."""
    match = CANVAS.fullmatch(member)
    return member[: match.start(5)] if match else ""


def _canvas(name: str) -> Named | None:
    match = CANVAS.fullmatch(name[:LONGEST])
    if not match:
        return None
    who, late, user, attachment, file = match.groups()
    return Named(user, who, user, file, bool(late), int(attachment))


def _moodle(name: str) -> Named | None:
    match = MOODLE.fullmatch(name[:LONGEST])
    return Named(match[2], match[1], match[2], match[3]) if match else None


def _gradescope(name: str) -> Named | None:
    match = GRADESCOPE.fullmatch(name[:LONGEST])
    number = match[1].removeprefix("submission_") if match else ""
    return Named(match[1], "", number, match[2], order=int(number)) if match else None
