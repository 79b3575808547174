"""nbgrader's own commands with an exchange folder, in this process: as the instructor, or as one of the students."""

import contextlib
import io
import logging
import os
from pathlib import Path

import pytest
from jupyter_core.application import NoStart
from nbgrader.apps import NbGraderApp

COURSE = "bow2lora"
OWN = ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")


class Exchange:
    """A folder through which work goes; the instructor's course and each student's home are beside it."""

    def __init__(self, folder: Path, course: Path):
        self.root, self.homes, self.course = folder / "exchange", folder / "homes", course
        self.root.mkdir()
        self.root.chmod(0o777)  # as nbgrader wants it

    def home(self, student: str) -> Path:
        """Return a student's own folder."""
        path = self.homes / student
        path.mkdir(parents=True, exist_ok=True)
        return path

    def student(self, student: str, *words: str) -> str:
        """Run a command of nbgrader as a student; returns what it logs."""
        return self._run(self.home(student), *words, f"--CourseDirectory.student_id={student}")

    def instructor(self, *words: str) -> str:
        """Run a command of nbgrader in the course's folder."""
        return self._run(self.course, *words)

    def _run(self, folder: Path, *words: str) -> str:
        given = [*words, f"--Exchange.root={self.root}", f"--CourseDirectory.course_id={COURSE}"]
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            for name in OWN:
                patch.setenv(name, str(folder / ".jupyter" / name))
            return run(given)


def run(words: list[str]) -> str:
    """Run a command of nbgrader in the folder where we are; returns what it logs, AssertionError if it fails."""
    told, app, before = io.StringIO(), NbGraderApp.instance(), dict(os.environ)
    try:
        app.initialize(words)
        app.init_logging(logging.StreamHandler, [told], color=False, subapps=True)
        with contextlib.suppress(NoStart):
            app.start()
    except SystemExit as end:
        assert not end.code, f"nbgrader {' '.join(words)}: {told.getvalue()[-3000:]}"
    finally:
        NbGraderApp.clear_instance()
        os.environ.clear()
        os.environ.update(before)
    return told.getvalue()
