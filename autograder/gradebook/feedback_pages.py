"""Feedback pages by nbgrader's GenerateFeedback, several at a time; pages that would come out the same are left."""

import glob
import logging
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from autograder.execution.end_with_parent import end_with_parent
from autograder.gradebook.nbgrader_course import converter, grading_config

LOG = Path("build/feedback.log")


def page(chapter: str, course: Path, student: str) -> Path:
    """Return where a student's feedback page lies."""
    return course / "feedback" / student / chapter / f"{chapter}.html"


def write_pages(chapter: str, course: Path, students: list[str], workers: int) -> Iterator[tuple[str, str]]:
    """Write the feedback pages of these students; yields (student, reason why there is none, or nothing)."""
    if not students:
        return
    count = min(workers, len(students))
    pool = ProcessPoolExecutor(count, get_context("spawn"), initializer=_start, initargs=(course,))
    try:
        jobs = {pool.submit(_write, chapter, course, student): student for student in students}
        for job in as_completed(jobs):
            error = job.exception()
            if error is not None and not isinstance(error, BrokenProcessPool):
                raise error
            yield jobs.pop(job), "its process ended" if error else job.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _start(course: Path) -> None:
    """In a worker: whatever nbgrader and nbconvert say goes to the log."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the coordinator's to answer
    log = os.open(course / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.dup2(log, 1)
    os.dup2(log, 2)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", force=True)


def _write(chapter: str, course: Path, student: str) -> str:
    step = converter("GenerateFeedback", chapter, grading_config(course), student_id=glob.escape(student))
    try:
        step.start()
    except Exception as error:  # nbgrader raises its own class for anything; the others get their pages
        logging.exception("feedback of %s", student)
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return "" if page(chapter, course, student).is_file() else "nbgrader wrote none"
