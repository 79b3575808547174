"""An assignment that others wrote, as it is graded in one course: by the table that `adopt` wrote."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from traitlets.config import Config

from autograder import adopted_table
from autograder.adopting import source as sources
from autograder.adopting import template as templates
from autograder.adopting.proofs import BUILT, PROCESSOR_SECONDS, ensure_unchanged
from autograder.course_secret import secret_for
from autograder.execution import result_cache
from autograder.execution.dispatch import Backend
from autograder.gradebook.nbgrader_course import grading_config
from autograder.gradebook.recorder import Recorder
from autograder.grading.graded_chapter import Chapter
from autograder.jobs import Job, JobLimits
from autograder.submissions.collect import Collected


def graded(name: str, course: Path, limits: JobLimits, backend: Backend) -> Chapter:
    """Return what is graded under a name in a course: an assignment that was adopted there, else a chapter."""
    if name in adopted_table.adopted(course):
        return Assignment(name, course, limits, backend)
    return Chapter(name, course, limits, backend)


class Assignment(Chapter):
    """What is the same for every submission of an adopted assignment; its notebooks are one here."""

    way_out = "; put the cells back and adopt it again, or adopt the changed folder under another name"

    def __init__(self, name: str, course: Path, limits: JobLimits, backend: Backend):
        """Raises CourseError if the source is another one than was adopted."""
        self.table = ensure_unchanged(course, name)
        super().__init__(name, course, replace(limits, processor=PROCESSOR_SECONDS), backend)
        self.files = sources.read(self.source).files

    @property
    def notebooks(self) -> tuple[str, ...]:
        """The names of its notebooks."""
        return self.table.notebooks

    def ensure_full_points(self, say: Callable[[str], None]) -> None:
        """`adopt` has tried the instructor's own answers."""

    @property
    def released(self) -> Path:
        """Where the first of the notebooks lies that were generated for students."""
        return self.course / "build" / "release" / self.name / f"{self.table.notebooks[0]}.ipynb"

    def job(self, one: Collected, whose: str) -> Job:
        """Return the work that one submission is."""
        secret = secret_for(self.secret, whose) if self.for_each else self.secret
        name = self.backend_name
        return result_cache.job(self.name, one.student, one.notebook, self.limits, secret, name, self.files)

    def _instructors_notebook(self) -> Path:
        """Return the folder with the instructor's notebooks, as `adopt` brought them to the newest format."""
        return self.course / BUILT / self.name

    def _digest_of_source(self) -> str:
        return self.table.source

    def _reshape(self, recorder: Recorder, released: Path) -> None:
        """Questions of others come and go in their own notebooks."""

    def _config(self) -> Config:
        return templates.generating(grading_config(self.course))

    def _template(self) -> tuple[NotebookNode, dict[str, str]]:
        source = sources.read(self.source)
        handed_out = {name: nbformat.read(self.released.with_name(f"{name}.ipynb"), 4) for name in source.notebooks}
        made = templates.template(source, handed_out, self.table)
        return made, templates.mark_schemes(source)
