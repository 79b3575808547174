"""A chapter's own answers, judged as a student's: what does not earn full points there is a fault of the chapter.

What came of it is kept in build/own_answers/ by the cells it was tried on. `release` tries a chapter that it writes
anew, and tells what is known of others; `grade` tries each, and again where the library or the versions are others, or
where a fault was found: that may have been the machine's.
"""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import nbformat

from autograder import paths
from autograder.execution import result_cache, results
from autograder.execution.in_process_worker import InProcessWorker
from autograder.execution.result_cache import digest
from autograder.execution.time_limits import CELL_SECONDS
from autograder.jobs import Job, JobLimits
from autograder.report import safe_text
from autograder.terminal import one_line
from helpers.errors import CourseError
from helpers.files import write_whole

KEPT = paths.SOURCE.parent / "own_answers"
SECONDS = 3600.0  # by the clock, for a whole chapter on a busy machine
WITHOUT_REPORT = "its check says nothing"


def faults(chapter: str, source: Path, any_environment: bool = False, known_alone: bool = False) -> list[str]:
    """Return a line on each check that the model answers of an instructor's notebook do not get full points of.

    any_environment: what was found for these cells under another version of the library counts, too; known_alone: only
    what was found before.
    """
    notebook = nbformat.read(source, as_version=4)
    limits = JobLimits(float(CELL_SECONDS), SECONDS)
    job = result_cache.job(chapter, "", notebook, limits, "", InProcessWorker.__name__)
    path = KEPT / f"{digest([[c.id, c.kind, c.source, c.points] for c in job.cells])}.json"
    environment = digest(result_cache.environment())
    with contextlib.suppress(OSError, ValueError, KeyError):
        known = json.loads(path.read_bytes())
        counts = any_environment or known["environment"] == environment
        if counts and (known_alone or not known["faults"]):
            return list(known["faults"])
    if known_alone:
        return []
    found = _tried(job)
    write_whole(path, json.dumps({"environment": environment, "faults": found}).encode())
    return found


def ensure_full_points(chapter: str, source: Path, say: Callable[[str], None]) -> None:
    """Raise CourseError if a chapter's own answers do not earn full points; say what they do not earn."""
    found = faults(chapter, source)
    for line in found:
        say(f"  {line}")
    if found:
        raise CourseError(
            f"{chapter}: nobody can have full points, as said above; mend the check, or grade as it is with --anyway"
        )


def _tried(job: Job) -> list[str]:
    with contextlib.closing(InProcessWorker()) as worker:
        result = results.checked(worker.run(job), job)
    if result["failure"]:
        return [f"{job.chapter}: {one_line(result['failure'])}"]
    stopped = {cell["id"]: results.stopped_cells([cell]) for cell in result["cells"]}
    lines = [f"{job.chapter}: {line}" for found in stopped.values() for line in found]
    return lines + [_line(job.chapter, check) for check in result["checks"] if check["score"] < check["points"]]


def _line(chapter: str, check: results.CheckResult) -> str:
    points = f"{safe_text.number(check['score'])} of {safe_text.number(check['points'])} points"
    said = check["reason"] or next(filter(str.strip, check["report"].splitlines()), WITHOUT_REPORT)
    return f"{chapter}: the model answer of {check['exercise']} earns {points}: {one_line(said)}"
