"""What grading costs beside the students' own cells: rebuild, hash, record; a class of a thousand; the same again."""

import json
import os
import resource
import time

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.preprocessors import SaveAutoGrades

from autograder import cell_marks
from autograder.authoring.build import build
from autograder.execution import results, sandboxed_worker
from autograder.gradebook import feedback_pages
from autograder.gradebook.manual_grades import ledger
from autograder.grading import grade, sample_class
from autograder.jobs import Job

CHAPTER = "01_spam"
MANY = int(os.environ.get("BOW2LORA_MANY", "1000"))  # submissions; with BOW2LORA_SANDBOXED=1 they are really run


class Instant:
    """A worker that gives every answer full points at once."""

    runs = 0

    def run(self, job: Job) -> dict:
        """Judge without running anything."""
        Instant.runs += 1
        told = [{"id": c.id, "status": "judged", "score": c.points, "report": "x" * 500} for c in job.checks]
        return results.new(job, checks=told, seconds=0.0)

    def close(self) -> None:
        """Nothing to end."""


class Sandboxed(sandboxed_worker.SandboxedWorker):
    """The real worker, counted."""

    def run(self, job: Job) -> dict:
        """Run and judge."""
        Instant.runs += 1
        return super().run(job)


WORKER = Sandboxed if os.environ.get("BOW2LORA_SANDBOXED") else Instant


def hand_in(course, count: int) -> None:
    """Write so many submissions, each with an answer of its own."""
    material = sample_class.Material()
    for i in range(count):
        tf = f"{material.solutions['tf']}\n# {i}"
        path = course / "submitted" / f"student-{i:04}" / CHAPTER / f"{CHAPTER}.ipynb"
        path.parent.mkdir(parents=True)
        nb = material.notebook(material.solutions | {"tf": tf}, essays=True)
        path.write_text(json.dumps(nb), encoding="utf-8")


@pytest.fixture
def course(tmp_path, monkeypatch):
    build(CHAPTER)
    monkeypatch.setattr(feedback_pages, "write_pages", lambda *_: iter(()))
    hand_in(tmp_path, 1)
    run(tmp_path)  # the gradebook, the release
    return tmp_path


def run(course, progress=lambda *_: None) -> tuple[float, dict[str, float]]:
    """Grade a course; returns the seconds, and the points by student."""
    started = time.perf_counter()
    rows = grade.grade(CHAPTER, course, backend=WORKER, say=lambda _: None, progress=progress)
    return time.perf_counter() - started, {r.student: r.total for r in rows}


def test_a_thousand_submissions(course):
    (course / "submitted/student-0000").rename(course / "submitted/student-9999")
    hand_in(course, MANY)
    memory, before, busy = [], Instant.runs, time.process_time()
    first, points = run(course, lambda *_: memory.append(_megabytes()))
    busy = time.process_time() - busy
    graded = Instant.runs - before
    again, again_points = run(course)
    start, end = memory[len(memory) // 10], _megabytes()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{MANY} submissions, rebuilt, hashed, graded ({WORKER.__name__}) and recorded: {first:.1f} s")
    print(f"each: {1000 * first / MANY:.0f} ms, of that processor time of the coordinator {1000 * busy / MANY:.0f} ms")
    print(f"the same again, nothing new: {again:.1f} s")
    print(f"memory of the coordinator: {start:.0f} MB after a tenth, {end:.0f} MB at the end (peak {peak:.0f} MB)")
    assert points == again_points == dict.fromkeys(points, 80.0) and len(points) == MANY + 1
    assert graded == Instant.runs - before == MANY - 1  # each once (the first was there before), and none again
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "bow2lora") as gradebook:
        assert gradebook.average_assignment_score(CHAPTER) == pytest.approx(80)
        assert points.keys() == ledger(gradebook, CHAPTER).keys()
    assert again < 10 and end < 1.1 * start
    assert WORKER is Sandboxed or busy / MANY < 0.05


def _megabytes() -> float:
    """Return the resident memory of this process."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def test_recording_against_nbgraders_own(course):
    """Both set the grades of one submission that is there already."""
    from autograder.gradebook.nbgrader_course import grading_config
    from autograder.gradebook.recorder import Recorder

    config = grading_config(course)
    nb = nbformat.read(course / "autograded/student-0000" / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)
    scores = {c.id: 1.0 for c in nb.cells if cell_marks.from_metadata(c) in ("check", "essay")}
    with Recorder(config, CHAPTER) as recorder:
        ours = _seconds(lambda: recorder.record("student-0000", None, scores, set(), set()))
        where = {"student": "student-0000", "assignment": CHAPTER, "notebook": CHAPTER}
        where |= {"db_url": recorder.course.db_url}
    theirs = _seconds(lambda: SaveAutoGrades().preprocess(nb, {"unique_key": CHAPTER, "nbgrader": where}))
    print(f"\nrecording a submission: {1000 * ours:.0f} ms, nbgrader's SaveAutoGrades {1000 * theirs:.0f} ms")
    assert ours < theirs


def _seconds(task, times: int = 20) -> float:
    started = time.perf_counter()
    for _ in range(times):
        task()
    return (time.perf_counter() - started) / times
