"""A chapter as it is graded in one course: its template with the hidden tests, its points, the jobs for the workers."""

import contextlib
import itertools
import logging
import re
import sqlite3
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import compute_checksum
from traitlets.config import Config

from autograder import cell_marks, course_file, paths
from autograder.authoring import build, figures
from autograder.authoring.adapted import adapted, change_of, moved
from autograder.course_secret import secret_for, secret_of
from autograder.execution import dispatch, result_cache
from autograder.execution.dispatch import Backend
from autograder.execution.result_cache import digest
from autograder.execution.time_limits import CELL_SECONDS, TOTAL_SECONDS
from autograder.gradebook.nbgrader_course import converter, grading_config
from autograder.gradebook.recorder import Recorder
from autograder.grading import model_answers
from autograder.grading.course_folder import write_config
from autograder.jobs import Job, JobLimits
from autograder.submissions.collect import Collected
from autograder.terminal import one_line
from helpers.errors import CourseError
from helpers.files import write_whole

REBUILT_BY = (  # the modules that a note depends on
    "cell_marks",
    "mathml",
    "notebook_names",
    "syntax",
    "submissions/choosing",
    "submissions/collect",
    "submissions/markup",
    "submissions/matching",
    "submissions/outputs",
    "submissions/pictures",
    "submissions/rebuild",
    "execution/results",
    "gradebook/graded_notebook",
)
SETTLED = re.compile("add or remove|Cannot modify existing")  # nbgrader, of changes after the first submission


class Chapter:
    """What is the same for every submission of a chapter.

    way_out: what to do where nbgrader refuses cells or notebooks that came or went after the first submission.
    """

    way_out = "; what course.toml drops or adds, it takes: see the handbook, Change the course"

    def __init__(self, name: str, course: Path, limits: JobLimits | None = None, backend: Backend | None = None):
        """limits, backend: how jobs are run; not needed where nothing is graded."""
        self.name, self.course = name, course
        self.limits = limits or JobLimits(float(CELL_SECONDS), float(TOTAL_SECONDS))
        self.backend = backend or dispatch.backend()
        self.secret = secret_of(course)
        self.for_each = course_file.read(course).secrets == "student"
        self.source = self._instructors_notebook()

    @property
    def backend_name(self) -> str:
        """The name of the way in which the code is run: what runs unprotected is never taken for protected."""
        return getattr(self.backend, "__name__", type(self.backend).__name__)

    @property
    def notebooks(self) -> tuple[str, ...]:
        """The names of its notebooks."""
        return (self.name,)

    def ensure_full_points(self, say: Callable[[str], None]) -> None:
        """Raise CourseError if the chapter's own answers do not earn full points; say what they do not earn."""
        model_answers.ensure_full_points(self.name, self.source, say)

    def release(self, recorder: Recorder) -> None:
        """Put the chapter's cells and points into the gradebook if they are new there, and read the template.

        Raises CourseError if nbgrader refuses, as it does when cells come or go after the first submission.
        """
        released = self.released
        note = self.course / "build" / "graded" / self.name / "released"
        book = recorder.course.db_url.replace(str(self.course), ".")  # a course may move with its gradebook
        state = digest([book, self._digest_of_source()])
        known = note.is_file() and note.read_text(encoding="utf-8") == state and recorder.has_chapter()
        if not (known and released.is_file()):
            recorder.wait()
            self._reshape(recorder, released)
            self._generate()
            write_whole(note, state.encode())
        self.template, self.schemes = self._template()
        self.points = self._ids("check")
        self.essay_ids = self._ids("essay") | self._ids(cell_marks.TASK)
        self.stubs = {c.id: c.source for c in self.template.cells if cell_marks.from_metadata(c) == "exercise"}
        self.basis = self._basis()

    @property
    def released(self) -> Path:
        """Where the notebook lies that was generated for students, of several the first."""
        return self.course / "build" / "release" / self.name / f"{self.name}.ipynb"

    def _digest_of_source(self) -> str:
        return digest(self.source.read_bytes())

    def _template(self) -> tuple[NotebookNode, dict[str, str]]:
        """Return the template with the hidden tests, and the mark schemes of essays, by id."""
        source = nbformat.read(self.source, as_version=4)
        made = _signed(build.with_hidden_tests(nbformat.read(self.released, as_version=4), source))
        return made, {c.id: scheme for c in source.cells if (scheme := cell_marks.mark_scheme(c.source))}

    def job(self, one: Collected, whose: str) -> Job:
        """Return the work that one submission is, for any worker; whose: who has hidden inputs of their own."""
        secret = secret_for(self.secret, whose) if self.for_each else self.secret
        return result_cache.job(self.name, one.student, one.notebook, self.limits, secret, self.backend_name)

    def autograded(self, student: str) -> Path:
        """Return the folder in which nbgrader looks for a student's graded notebook."""
        return self.course / "autograded" / student / self.name

    def untouched(self, notebook: NotebookNode) -> set[str]:
        """Return the ids of the exercises that were left as they were handed out."""
        return {c.id for c in notebook.cells if self.stubs.get(c.id) == c.source}

    def _ids(self, kind: str) -> dict[str, float]:
        cells = [c for c in self.template.cells if cell_marks.from_metadata(c) == kind]
        return {c.id: float(c.metadata["nbgrader"]["points"]) for c in cells}

    def _instructors_notebook(self) -> Path:
        """Build the notebook with solutions and hidden tests if need be, and put it into the course as it has it."""
        built, change = build.fresh(self.name), change_of(self.course, self.name)
        mine = self.course / "build" / "source" / self.name / f"{self.name}.ipynb"
        if mine != built:
            content = built.read_bytes()
            if change:
                content = f"{nbformat.writes(adapted(nbformat.reads(content, as_version=4), change))}\n".encode()
            write_whole(mine, content)
        elif change:
            raise CourseError(f"{change.place}: this folder holds the course's sources; grade in a folder of its own")
        return mine

    def _reshape(self, recorder: Recorder, released: Path) -> None:
        """Let questions come and go in the gradebook, if the course's file says so, now or before."""
        wanted = nbformat.read(self.source, as_version=4)
        before = nbformat.read(released, as_version=4) if released.is_file() else wanted
        if ids := moved(wanted) | moved(before):
            copy = copy_of(recorder.course.db_url, self.course / "build")
            if recorder.reshape(wanted, ids):
                kept = f"; the gradebook of before is {copy}" if copy else ""
                recorder.say(f"{self.name}: questions came or went by {course_file.FILE}{kept}")
            elif copy:
                copy.unlink()

    def _generate(self) -> None:
        told, step = LastError(), converter("GenerateAssignment", self.name, self._config())
        step.log.addHandler(told)
        step.log.propagate = False
        try:
            step.start()
        except Exception as error:
            reason = told.reason or f"{type(error).__name__}: {error}".splitlines()[0]
            refused = f"the gradebook does not take {self.name} as it is now ({reason})"
            way_out = self.way_out if SETTLED.search(reason) else ""
            raise CourseError(f"{refused}{way_out}") from error
        finally:
            step.log.removeHandler(told)

    def _config(self) -> Config:
        """Return nbgrader's configuration for generating."""
        return grading_config(self.course)

    def _basis(self) -> str:
        """Return a digest of all that a note on a student depends on besides the submission."""
        ours = [digest((paths.ROOT / "autograder" / f"{name}.py").read_bytes()) for name in REBUILT_BY]
        secret = digest([self.secret, "each"] if self.for_each else self.secret)
        how = [asdict(self.limits), self.backend_name, secret, result_cache.environment(), ours, self.schemes]
        return digest([self.template, how])


class LastError(logging.Handler):
    """Keeps the last exception that nbgrader logs: what it raises says only that there was one."""

    reason = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Look for the last line of a traceback."""
        found = re.findall(r"^[\w.]*(?:Error|Exception|Entry)\b.*", record.getMessage(), re.MULTILINE)
        self.reason = one_line(found[-1]) if found else self.reason


def _signed(notebook: NotebookNode) -> NotebookNode:
    """Give the checks the checksums that nbgrader expects of them."""
    for cell in notebook.cells:
        if cell_marks.from_metadata(cell) == "check":
            cell.metadata["nbgrader"]["checksum"] = compute_checksum(cell)
    return notebook


def release_to(chapter: str, course: Path, say: Callable[[str], None] = print) -> Path:
    """Generate the student edition of a chapter in a course's folder, as its file has it: for nbgrader's exchange."""
    course = course.resolve()
    write_config(course)
    work = Chapter(chapter, course)
    with Recorder(grading_config(course), chapter, say) as recorder:
        work.release(recorder)
    released = course / "build" / "release" / chapter / f"{chapter}.ipynb"
    figures.copy_all(paths.source_notebook(chapter).parent, released.parent)
    return released


def copy_of(db_url: str, folder: Path) -> Path | None:
    """Keep a copy of a gradebook file, with all that was given by hand, under a name of its own."""
    path = Path(db_url.removeprefix("sqlite:///"))
    if not db_url.startswith("sqlite:///") or not path.is_file():
        return None
    kept = next(p for n in itertools.count(1) if not (p := folder / f"gradebook_before_{n}.db").exists())
    with contextlib.closing(sqlite3.connect(path)) as book, contextlib.closing(sqlite3.connect(kept)) as copy:
        book.backup(copy)
    return kept
