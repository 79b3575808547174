"""Collect a submission: find the student's notebook, read it leniently, rebuild it.

From submitted/<student>/<chapter>/ only the answers go on. No other file of a student comes along: a torch.py beside
the notebook would be imported in place of torch.
What is called here runs in a process of its own (see reading_process), which has its time and its memory.
"""

import copy
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from nbformat import NotebookNode

from autograder.notebook_names import apart, joined
from autograder.spelling import composed
from autograder.submissions import dates, files
from autograder.submissions.choosing import Choice, candidates_in, choose, names
from autograder.submissions.files import Unreadable
from autograder.submissions.notebooks import tried
from autograder.submissions.outputs import Shown, outputs
from autograder.submissions.pictures import Pictures, pasted
from autograder.submissions.rebuild import rebuild
from autograder.terminal import LINE_ENDS, clean, one_line
from helpers.errors import CourseError

LONGEST_NAME = 128  # characters of a student's id in the gradebook
EXCHANGE_SECRET = "submission_secret.txt"  # nbgrader writes it when a student submits


@dataclass(frozen=True)
class Collected:
    """One student's rebuilt notebook, one line for everything that had to be repaired, when it was handed in.

    shown: the student's text cells as HTML that may be shown, by id (see markup); outputs: what stood below the show
    cells, by id (see outputs); pictures: what was pasted into text cells, by digest (see pictures); failure: why there
    is nothing to be judged; secret: what nbgrader's exchange gave the submission, to give its feedback back by;
    owner: whose it is, if not the student's whose folder it is.
    """

    folder: Path
    notebook: NotebookNode
    repairs: tuple[str, ...]
    timestamp: str | None = None
    shown: dict[str, str] = field(default_factory=dict)
    outputs: Shown = field(default_factory=dict)
    pictures: Pictures = field(default_factory=dict)
    failure: str = ""
    secret: str | None = None
    owner: str = ""

    @property
    def student(self) -> str:
        """The student's name in the gradebook."""
        return self.owner or student_id(self.folder)


def collect(folder: Path, template: NotebookNode) -> Collected:
    """Rebuild the submission in submitted/<student>/<assignment>.

    template: the released notebook, with the hidden tests or without; of several notebooks all as one (see
    notebook_names). What cannot be read is graded as the template, which earns nothing, and the reason is in the
    repairs.
    """
    student, assignment = student_id(folder), folder.name
    templates = _apart(assignment, template)
    parts = {name: _part(folder, name, mine, templates.keys() - {name}) for name, mine in templates.items()}
    repairs = [line if name == assignment else f"{name}: {line}" for name, p in parts.items() for line in p.repairs]
    if student != composed(folder.parent.name):
        repairs.append(f"graded as {student}: the gradebook does not take the folder's name as it is")
    made = joined(assignment, {name: part.notebook for name, part in parts.items()})
    timestamp, told = _timestamp(folder)
    below = {cell: shown for part in parts.values() for cell, shown in part.outputs.items()}
    pictures = {digest: picture for part in parts.values() for digest, picture in part.pictures.items()}
    lines = tuple(map(one_line, repairs + told))
    secret = _exchange_secret(folder)
    return Collected(folder, made, lines, timestamp, outputs=below, pictures=pictures, secret=secret)


@dataclass(frozen=True)
class Part:
    """One notebook of a submission, rebuilt."""

    notebook: NotebookNode
    repairs: list[str]
    outputs: Shown
    pictures: Pictures


def _part(folder: Path, name: str, template: NotebookNode, others: Iterable[str]) -> Part:
    """Rebuild one notebook; others: the assignment's other ones, whose files it is not looked for in."""
    theirs = {f"{other}.ipynb" for other in others}
    found = (one for one in candidates_in(folder, name) if one.name.rpartition("/")[2] not in theirs)
    choice = choose(found, name, template)
    submitted = choice.candidate and choice.candidate.content
    repairs = [*_told(choice, f"{name}.ipynb")]
    submitted, pictures = pasted(submitted)
    made, more = rebuild(template, submitted)
    if submitted is not None:  # else every cell would be told as missing
        repairs += more
    return Part(made, repairs, outputs(submitted, template), pictures)


def _apart(assignment: str, template: NotebookNode) -> dict[str, NotebookNode]:
    """Return the templates of an assignment's notebooks; the one that was given stays as it is."""
    several = "notebooks" in template.metadata
    return apart(assignment, copy.deepcopy(template) if several else template)


def uncollected(folder: Path, template: NotebookNode, reason: str) -> Collected:
    """Return what is graded of a submission that could not even be read: the template, and no points at all."""
    templates = _apart(folder.name, template)
    made = joined(folder.name, {name: rebuild(mine, mine)[0] for name, mine in templates.items()})
    return Collected(folder, made, (), failure=reason)


def fingerprint(folder: Path) -> str:
    """Return a digest of all files of a submission that count: as long as it stays, the rebuild would be the same."""
    content = hashlib.sha256()
    for name in [*names(folder, folder.name), "timestamp.txt", EXCHANGE_SECRET]:
        content.update(f"{name}\0".encode("utf-8", "surrogateescape"))
        raw = tried(files.read, folder / name)
        content.update(hashlib.sha256(raw).digest() if isinstance(raw, bytes) else raw.encode())
    return content.hexdigest()


def date_of(folder: Path) -> str | None:
    """Return when a submission came, as `collect` reads it; None where nothing says so."""
    return _timestamp(folder)[0]


def student_id(folder: Path) -> str:
    """Return the name in the gradebook of the student in whose folder a submission lies."""
    return gradebook_name(folder.parent.name)


def gradebook_name(student: str) -> str:
    """Return a student's id as nbgrader and its globs take it; what is replaced is made up for by a digest."""
    name = composed(student)
    plain = re.sub(rf"[\[\]*?{LINE_ENDS}]", "_", clean(name)).strip()
    if plain == name and len(name) <= LONGEST_NAME:
        return name
    return f"{plain[: LONGEST_NAME - 7]}-{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:6]}"


def all_differ(folders: Iterable[Path]) -> None:
    """Raise CourseError where two folders would be one student's: the second would take the points of the first."""
    found: dict[str, Path] = {}
    for folder in folders:
        other = found.setdefault(student_id(folder), folder)
        if other != folder:
            names = f"{other.parent.name!a} and {folder.parent.name!a}"
            raise CourseError(f"{folder.parent.parent}: {names} would be one student; rename the one that is none")


def _told(choice: Choice, right: str) -> Iterator[str]:
    """Yield what is to be said of the file."""
    if choice.candidate is None:
        yield choice.reason
        return
    if choice.candidate.name != right:
        yield f"{choice.candidate.name}: taken as {right}"
    yield from choice.passed_over
    if choice.candidate.note:
        yield f"{choice.candidate.name}: {choice.candidate.note}"


def _timestamp(folder: Path) -> tuple[str | None, list[str]]:
    """Return the text of timestamp.txt; one that nbgrader does not take for a date would stop it."""
    path = folder / "timestamp.txt"
    if not files.is_real(folder) or not os.path.lexists(path):
        return None, []
    found = tried(_date, path)
    if isinstance(found, str):
        return None, [f"timestamp.txt: {found}, the submission counts as undated"]
    return f"{found.isoformat(' ')} UTC", []


def _exchange_secret(folder: Path) -> str | None:
    """Return the text of submission_secret.txt, None where it is not what nbgrader writes."""
    raw = tried(files.read, folder / EXCHANGE_SECRET, 1000) if files.is_real(folder) else ""
    return raw.decode() if isinstance(raw, bytes) and re.fullmatch(rb"[0-9a-f]{32,256}", raw) else None


def _date(path: Path) -> datetime:
    """Return the time in a file; nbgrader would take "3" or "nan" for one of this month, and CEST for UTC."""
    try:
        text = files.read(path, 1000).decode("utf-8-sig")
    except (UnicodeDecodeError, Unreadable):
        raise Unreadable(dates.NO_DATE) from None
    return dates.read(text.strip())
