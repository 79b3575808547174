"""Check one notebook as grading does: rebuilt, run apart from this process, judged; a result like the grader's."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import paths
from autograder.authoring.build import fresh, with_hidden_tests, with_visible_cases
from autograder.authoring.source import SourceError
from autograder.execution import result_cache, results
from autograder.execution.dispatch import Backend
from autograder.execution.time_limits import CELL_SECONDS, TOTAL_SECONDS
from autograder.jobs import JobLimits
from autograder.submissions.choosing import candidates_in, cells_of, choose
from autograder.submissions.notebooks import Candidate, candidates
from autograder.submissions.rebuild import rebuild
from autograder.terminal import one_line


def check(path: Path, make: Backend, chapter: str = "") -> dict:
    """Return the result of a notebook's checks (see autograder.execution.results); make: what makes the worker.

    path: a notebook, a Python file, a zip, or a folder with what a student handed in; of several the one that `grade`
    would take counts. chapter: which one it is, where neither names nor cells are to tell.
    Raises SourceError if the file is no notebook of the course, CourseError if no worker can be made.
    """
    chapter = chapter or chapter_of(path)
    template = _template(chapter)
    choice = choose(_candidates(path, chapter), chapter, template)
    if choice.candidate is None:
        raise SourceError(f"{path}: {choice.reason}")
    notebook, repairs = rebuild(template, choice.candidate.content)
    told = [line for line in (*choice.passed_over, choice.candidate.note) if line]
    limits = JobLimits(float(CELL_SECONDS), float(TOTAL_SECONDS))
    secret = os.environ.get("BOW2LORA_SECRET", "")
    job = result_cache.job(chapter, path.stem, notebook, limits, secret, getattr(make, "__name__", ""))
    with contextlib.closing(make()) as worker:
        return results.checked(worker.run(job), job) | {"repairs": [*map(one_line, told + repairs)]}


def _template(chapter: str) -> NotebookNode:
    """Return the released notebook with the instructor's checks, or with the visible cases where there is no source."""
    released = paths.release_notebook(chapter)
    if not released.is_file():
        raise SourceError(f"{chapter}: there is no such chapter")
    template, source = nbformat.read(released, as_version=4), fresh(chapter)
    if not source.is_file():
        return with_visible_cases(template, released.parent)
    return with_hidden_tests(template, nbformat.read(source, as_version=4))


def _candidates(path: Path, chapter: str) -> Iterator[Candidate]:
    if not path.exists():
        raise SourceError(f"{path}: there is no such file")
    return candidates_in(path, chapter) if path.is_dir() else candidates(path, path.name, chapter)


def chapter_of(path: Path) -> str:
    """Return the chapter of a notebook, by its name, the folder's name, or what is in it."""
    known = [p.parent.name for p in sorted(paths.RELEASE.glob("*/*.ipynb")) if p.stem == p.parent.name]
    for name in (path.stem, path.resolve().parent.name):
        if name in known:
            return name
    found = list(_candidates(path, ""))
    readable = [one.content for one in found if one.content is not None]
    if not readable:
        raise SourceError(f"{path}: {found[0].reason if found else 'no notebook is in it'}")
    count = {}
    for name in known:
        template = nbformat.read(paths.release_notebook(name), as_version=4)
        count[name] = max(cells_of(one, template) for one in readable)
    if not any(count.values()):
        raise SourceError(f"{path}: no chapter has such cells; the chapters are {', '.join(known) or 'not built yet'}")
    return max(count, key=lambda name: count[name])
