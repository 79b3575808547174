"""One submission through stock nbgrader, in a process of its own."""

import glob
import logging
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

import nbformat
from traitlets.config import Config

from autograder.collect import COLLECTED
from autograder.course import converter, course_config
from autograder.preprocessor import Rebuild

LOG = Path("build/grade.log")


@dataclass(frozen=True)
class Outcome:
    """What came of one submission: notes for the report, seconds, and the reason if it could not be graded."""

    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    failure: str = ""


def grading_config(course: Path, timeout: int | None = None) -> Config:
    """Return nbgrader's configuration for a course whose submissions were collected."""
    config = course_config(course)
    config.CourseDirectory.source_directory = "build/source"
    config.CourseDirectory.release_directory = "build/release"  # notebooks/ belongs to `release` alone
    config.CourseDirectory.submitted_directory = COLLECTED.as_posix()
    rebuilt = config.Autograde.sanitize_preprocessors  # what was collected is rebuilt already
    config.Autograde.sanitize_preprocessors = [step for step in rebuilt if step is not Rebuild]
    if timeout is not None:
        config.Execute.timeout = timeout
    return config


def start(course: Path) -> None:
    """Prepare a worker process: what its kernels inherit, and all that anybody prints goes to the log."""
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["PYTHONHASHSEED"] = "0"  # sets keep their order from one grading to the next
    log = os.open(course / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", force=True)


def grade_one(chapter: str, course: Path, student: str, timeout: int | None) -> Outcome:
    """Run, score and record one collected submission, and write its feedback; never raises."""
    started, config = time.monotonic(), grading_config(course, timeout)
    logging.getLogger().warning("grading %s", student)
    failure = _convert("Autograde", chapter, config, student)
    page = "" if failure else _convert("GenerateFeedback", chapter, config, student)
    notes = () if failure else _notes(course / "autograded" / student / chapter / f"{chapter}.ipynb")
    notes += (f"there is no feedback page: {page}",) if page else ()
    return Outcome(notes, time.monotonic() - started, failure)


def _convert(name: str, chapter: str, config: Config, student: str) -> str:
    """Run one of nbgrader's converters; returns the reason if it fails, else nothing."""
    told = Told()
    step = converter(name, chapter, config, logging.WARNING, student_id=glob.escape(student))
    step.log.addHandler(told)
    try:
        step.start()
    except Exception as error:  # whatever a submission provokes is that student's alone
        return told.reason or f"{type(error).__name__}: {error}".splitlines()[0]
    finally:
        step.log.removeHandler(told)
    return ""


class Told(logging.Handler):
    """Keeps the last exception that nbgrader logs: what it raises says only that there was one."""

    reason = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Look for the last line of a traceback."""
        found = re.findall(r"^[\w.]*(?:Error|Exception|Entry)\b.*", record.getMessage(), re.MULTILINE)
        self.reason = found[-1][:200] if found else self.reason


def _notes(path: Path) -> tuple[str, ...]:
    return tuple(nbformat.read(path, as_version=4).metadata["bow2lora"].get("notes", []))
