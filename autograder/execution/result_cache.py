"""What was graded already: results by the hash of all that they depend on, and a note on each student.

    build/graded/<chapter>/results/<hash>.json   the result of one job; equal answers have one result
    build/graded/<chapter>/students/<id>.json    what a student handed in last, and how far its grading has come

Each file is written whole, after what it says is true, so a run that is ended at any moment can be repeated.
"""

import functools
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from importlib import metadata
from pathlib import Path
from platform import python_version
from typing import Any, NotRequired, TypeGuard

from nbformat import NotebookNode
from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

import helpers
from autograder import paths
from autograder.execution import dispatch, results
from autograder.execution.results import Result
from autograder.jobs import Job, JobCell, JobLimits
from helpers.files import write_whole

PINS = ("torch", "numpy", "scipy", "scikit-learn", "ipython")
# Folders of autograder/ whose code decides what a result says.
JUDGES = ("judge", "ipc", "linux", "processes", "runner")


class TeamNote(TypedDict):
    """Of which team's work a student has a share: its name, "" if it has none; in whose folder the work lies."""

    name: str
    folder: str


class Note(TypedDict):
    """What is known of a student: what was handed in last (`seen`), and how far its grading has come.

    fingerprint: the digests of all that the result depends on; failed: the result, if the grading failed; page: the
    digest of what the feedback page was made of; team: if several handed in together.
    """

    student: str
    hash: str
    seen: str
    repairs: list[str]
    notes: list[str]
    scores: dict[str, float]
    essays: dict[str, str]
    fingerprint: dict[str, str]
    seconds: float
    failed: NotRequired[Result]
    page: NotRequired[str]
    team: NotRequired[TeamNote]


NOTE = TypeAdapter(Note)


def digest(value) -> str:
    """Return the sha256 of a JSON value (or of bytes)."""
    content = value if isinstance(value, bytes) else json.dumps(value, sort_keys=True).encode()
    return hashlib.sha256(content).hexdigest()


@functools.cache
def environment() -> dict[str, str]:
    """Return the versions that a result depends on, and the digest of the code that runs and judges."""
    ours = paths.ROOT / "autograder"
    folders = [Path(helpers.__file__).parent, *(ours / name for name in JUDGES)]
    files = [ours / "cells.py", ours / "verdicts.py", *(p for folder in folders for p in sorted(folder.rglob("*.py")))]
    code = digest([digest(p.read_bytes()) for p in files])
    return {"python": python_version(), **{name: metadata.version(name) for name in PINS}, "code": code}


def fingerprint(job: Job, backend: str) -> dict[str, str]:
    """Return the digests of all that a job's result depends on, by name: what a regrade compares."""
    cells = {cell.id: digest(_parts(cell)) for cell in job.cells}
    kinds = {cell.id: cell.kind for cell in job.cells}
    mine = {i: d for i, d in cells.items() if kinds[i] in ("exercise", "essay", "code")}
    return {
        "answers": digest([[i, d] for i, d in mine.items()]),
        "template": digest([[[i, cells[i]] for i, kind in kinds.items() if kind == "given"], dict(job.files)]),
        "order": digest(list(cells)),
        "environment": digest(environment()),
        "secret": digest(job.secret),
        "limits": digest([asdict(job.limits), backend]),
        **{f"check {i}": cells[i] for i, kind in kinds.items() if kind == "check"},
    }


def _parts(cell: JobCell) -> list:
    return [cell.kind, cell.source, cell.points, cell.test, cell.own, cell.answers]


def job(
    chapter: str,
    student: str,
    notebook: NotebookNode,
    limits: JobLimits,
    secret: str,
    backend: str,
    files: Mapping[str, str] | None = None,
) -> Job:
    """Return the work that a rebuilt notebook is; its hash names the result. files: see autograder.jobs."""
    whole = Job(chapter, student, "", secret, limits, results.judged_cells(notebook), files=files or {})
    return replace(whole, hash=digest(fingerprint(whole, backend)))


class Store:
    """The results and notes of one chapter in one course."""

    def __init__(self, course: Path, chapter: str):
        self.folder = course / "build" / "graded" / chapter

    def result(self, content_hash: str) -> Any:
        """Return the result of a job with this hash, if it is there."""
        content = _read(self.folder / "results" / f"{content_hash}.json")
        return content if results.is_result(content) and content["hash"] == content_hash else None

    def keep(self, result: dict) -> None:
        """Keep a result for all who give the same answers."""
        _write(self.folder / "results" / f"{result['hash']}.json", result | {"student": "", "repairs": []})

    def note(self, student: str) -> Any:
        """Return what is known of a student, {} if nothing."""
        content = _read(self._student(student))
        return content if is_note(content) and content["student"] == student else {}

    def write_note(self, note: dict) -> None:
        """Note how far the grading of a student has come."""
        _write(self._student(note["student"]), note)

    def teams(self) -> dict[str, tuple[str, str]]:
        """Return (the team's name, whose folder its work lies in) of all who handed in as a team."""
        notes = filter(is_note, map(_read, sorted((self.folder / "students").glob("*.json"))))
        return {note["student"]: (note["team"]["name"], note["team"]["folder"]) for note in notes if note.get("team")}

    def forget(self, student: str) -> None:
        """Remove the note on a student."""
        self._student(student).unlink(missing_ok=True)

    def all(self, students: Iterable[str]) -> Iterator[dict]:
        """Yield the results of these students, one at a time: what reports are made of."""
        for note in filter(None, map(self.note, students)):
            if (result := self.of(note)) is not None:
                yield result | {"student": note["student"], "repairs": note["repairs"]}

    def of(self, note: dict) -> dict | None:
        """Return the result that a note speaks of, if it is there."""
        return note.get("failed") or self.result(note["hash"])

    def _student(self, student: str) -> Path:
        return self.folder / "students" / f"{digest(student)[:32]}.json"  # a name may be as long as a file name


def is_note(value: object) -> TypeGuard[Note]:
    """Whether a value, read from a file, is a whole note."""
    try:
        NOTE.validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


def _write(path: Path, value: dict) -> None:
    write_whole(path, json.dumps(value, sort_keys=True).encode() + b"\n")


def _read(path: Path) -> dict:
    """Return what a file holds; one that is not there or cannot be read counts as none, and is made again."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


class Keeping:
    """A worker whose results are kept as soon as they are there."""

    def __init__(self, worker, store: Store):
        self.worker, self.store = worker, store

    def start(self) -> None:
        """Let the worker get ready."""
        dispatch.ready(self.worker)

    def run(self, job: Job) -> dict:
        """Return the result of a job with one entry for each check; one that failed is not kept."""
        result = results.checked(self.worker.run(job), job)
        if not result["failure"]:
            self.store.keep(result)
        return result

    def close(self) -> None:
        """End the worker."""
        self.worker.close()
