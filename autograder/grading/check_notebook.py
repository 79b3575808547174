"""Check one notebook as grading does: rebuilt, run apart from this process, judged; a result like the grader's."""

import contextlib
import os
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import paths
from autograder.authoring.build import fresh, with_hidden_tests, with_visible_cases
from autograder.authoring.source import SourceError
from autograder.execution import result_cache, results
from autograder.execution.dispatch import Backend
from autograder.execution.time_limits import CELL_SECONDS, TOTAL_SECONDS
from autograder.submissions.collect import cells_of, read_file
from autograder.submissions.files import Unreadable
from autograder.submissions.rebuild import rebuild


def check(path: Path, make: Backend) -> dict:
    """Return the result of a notebook's checks (see autograder.execution.results); make: what makes the worker.

    Raises SourceError if the file is no notebook of the course, CourseError if no worker can be made.
    """
    submitted = _read(path)
    chapter = chapter_of(path, submitted)
    notebook, repairs = rebuild(_template(chapter), submitted)
    limits = {"cell": float(CELL_SECONDS), "total": float(TOTAL_SECONDS)}
    secret = os.environ.get("BOW2LORA_SECRET", "")
    job = result_cache.job(chapter, path.stem, notebook, limits, secret, getattr(make, "__name__", ""))
    with contextlib.closing(make()) as worker:
        return results.checked(worker.run(job), job) | {"repairs": [*map(results.one_line, repairs)]}


def _template(chapter: str) -> NotebookNode:
    """Return the released notebook with the instructor's checks, or with the visible cases where there is no source."""
    released = paths.release_notebook(chapter)
    template, source = nbformat.read(released, as_version=4), fresh(chapter)
    if not source.is_file():
        return with_visible_cases(template, released.parent)
    return with_hidden_tests(template, nbformat.read(source, as_version=4))


def _read(path: Path) -> dict:
    try:
        return read_file(path)
    except FileNotFoundError:
        raise SourceError(f"{path}: there is no such file") from None
    except Unreadable as reason:
        raise SourceError(f"{path}: {reason}") from None


def chapter_of(path: Path, submitted: dict) -> str:
    """Return the chapter of a notebook, by its name, the folder's name, or what is in it."""
    known = [p.parent.name for p in sorted(paths.RELEASE.glob("*/*.ipynb")) if p.stem == p.parent.name]
    for name in (path.stem, path.resolve().parent.name):
        if name in known:
            return name
    released = {name: nbformat.read(paths.release_notebook(name), as_version=4) for name in known}
    count = {name: cells_of(submitted, template) for name, template in released.items()}
    if not any(count.values()):
        raise SourceError(f"{path}: no chapter has such cells; the chapters are {', '.join(known) or 'not built yet'}")
    return max(count, key=count.get)
