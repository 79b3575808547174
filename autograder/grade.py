"""Grade a chapter's submissions with nbgrader: collect, run, record, feedback, CSV.

    <course>/submitted/<student>/<chapter>/   what students handed in
    <course>/gradebook.db, autograded/, feedback/, grades.csv, questions.csv   what comes out
    <course>/build/                           what lies between: collected notebooks, state, log

Every submission is graded on its own; whatever one of them does, the others get their points.
"""

import queue
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

import nbformat

from autograder import build
from autograder.collect import Collected, collect, submissions
from autograder.course import converter
from autograder.records import Records, Result
from autograder.state import State
from autograder.worker import Outcome, grade_one, grading_config, start
from helpers.errors import CourseError

WORKERS = 2
SILENT = 60  # above every level of logging: what matters is raised


def grade(
    chapter: str,
    course: Path,
    *,
    force: bool = False,
    timeout: int | None = None,
    workers: int = WORKERS,
    say: Callable[[str], None] = print,
) -> list[Result]:
    """Grade what is new or changed (all with `force`) and return everybody's results, by name.

    timeout: seconds for one cell (default: that of nbgrader_config.py); say: gets one line for each student.
    Raises CourseError if there is nothing to grade, or if the gradebook does not take the chapter.
    """
    course = course.resolve()
    submissions(chapter, course)  # without any, nothing is made in the folder
    source = _instructors_notebook(chapter, course)
    state = State(course, chapter, source)
    template = nbformat.read(_released(chapter, course, state), as_version=4)
    records, collected = Records(course, chapter, template), collect(chapter, course, template)
    new = [c for c in collected if force or not state.knows(c) or records.read(c.student) is None]
    say(f"{chapter}: {len(collected)} submissions, {len(new)} of them new or changed")
    for one, outcome in _outcomes(new, chapter, course, timeout, workers):
        if outcome.failure:
            records.withdraw(one.student)
        state.keep(one, outcome)
        say(_line(records.read(one.student), outcome.seconds))
    results = [records.read(c.student, state.notes(c), state.seconds(c)) for c in collected]
    records.write_csv(results)
    return results


def _line(result: Result, seconds: float) -> str:
    return f"  {result.student:<24}{result.total:>6g} of {sum(result.points.values()):g}{seconds:>8.1f} s"


def _instructors_notebook(chapter: str, course: Path) -> Path:
    """Build the notebook with solutions and hidden tests if need be, and put it into the course."""
    built = build.fresh(chapter)
    mine = course / "build" / "source" / chapter / f"{chapter}.ipynb"
    if mine != built:
        mine.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(built, mine)
    return mine


def _released(chapter: str, course: Path, state: State) -> Path:
    """Return the student's notebook; record the chapter's cells and points in the gradebook if they are new."""
    released = course / "build" / "release" / chapter / f"{chapter}.ipynb"
    gradebook = course / "gradebook.db"
    if state.is_released and released.is_file() and gradebook.is_file():
        return released
    try:
        converter("GenerateAssignment", chapter, grading_config(course), level=SILENT).start()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise CourseError(f"{gradebook} does not take {chapter} as it is now ({reason})") from error
    state.release()
    return released


def _outcomes(
    new: list[Collected], chapter: str, course: Path, timeout: int | None, workers: int
) -> Iterator[tuple[Collected, Outcome]]:
    """Yield what comes of each submission, as it is ready."""
    pools = Pools(min(workers, len(new)), course)
    try:
        with ThreadPoolExecutor(max(min(workers, len(new)), 1)) as threads:
            jobs = {threads.submit(pools.run, chapter, course, one.student, timeout): one for one in new}
            for job in as_completed(jobs):
                yield jobs[job], job.result()
    finally:
        pools.close()


class Pools:
    """Worker processes, each in a pool of its own: one that dies costs the submission it had and no other."""

    def __init__(self, count: int, course: Path):
        self.course = course
        self.free: queue.SimpleQueue[ProcessPoolExecutor] = queue.SimpleQueue()
        for _ in range(count):
            self.free.put(self._new())

    def run(self, *job) -> Outcome:
        """Grade one submission in the next free process."""
        pool = self.free.get()
        try:
            return pool.submit(grade_one, *job).result()
        except BrokenProcessPool:
            pool = self._new()
            return Outcome(failure="the process that graded it was ended from within")
        finally:
            self.free.put(pool)

    def close(self) -> None:
        """End all processes."""
        while not self.free.empty():
            self.free.get().shutdown()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, get_context("spawn"), initializer=start, initargs=(self.course,))
