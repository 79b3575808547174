"""A small course whose answers are judged at once: what tests of the record and of databases start from."""

import json
import shutil
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder import paths
from autograder.authoring.build import build
from autograder.execution import results
from autograder.gradebook import feedback_pages
from autograder.grading import grade, sample_class
from autograder.jobs import Job, JobCell
from autograder.submissions.reading_process import Intake, SubmissionReader

CHAPTER = "01_spam"
CLASS = (sample_class.ada_right, sample_class.dan_untouched, sample_class.cleo_half, sample_class.pia_empty_file)
TOTALS = {"ada-right": 80.0, "dan-untouched": 0.0, "cleo-half": 33.0, "pia-empty-file": 0.0}
RUNS = Path("build/runs")  # a line for each job that was run


class Quick:
    """A worker that gives full points to every answer that is no longer the stub."""

    log: Path | None = None

    def run(self, job: Job) -> dict:
        """Judge without running anything."""
        if self.log:
            with self.log.open("a", encoding="utf-8") as file:
                file.write(f"{job.hash}\n")
        begun = {c.id: "NotImplementedError" not in c.source for c in job.cells}
        told = [{"id": c.id, "status": "judged", "report": "said", **self.judge(c, begun)} for c in job.checks]
        return results.new(job, checks=told, seconds=0.1)

    def judge(self, check: JobCell, begun: dict[str, bool]) -> dict:
        """Return what an entry holds besides id and report."""
        return {"score": check.points * begun[check.id.removeprefix("check-")]}

    def close(self) -> None:
        """Nothing to end."""


def pages(chapter, course, students, workers):
    """Stand in for nbgrader's pages, which take their time."""
    for student in students:
        for page in feedback_pages.pages(chapter, course, student):
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text("page", encoding="utf-8")
        yield student, ""


class Here(Intake):
    """Reads submissions in this process, which saves the start of another."""

    def __init__(self, template):
        self.template, self.helpers = template, self

    def each(self, items, work):
        """Yield (item, work(item, helper)), one after the other."""
        for item in items:
            yield item, work(item, self)

    def ask(self, question, seconds):
        """Return what a process would answer."""
        return json.loads(json.dumps(SubmissionReader.__call__(self, question)))

    def close(self):
        """Nothing to end."""


def run(course: Path, backend=Quick, **options) -> tuple[dict[str, float], list[str]]:
    """Grade a course; returns the totals and the lines that were printed."""
    lines: list[str] = []
    Quick.log = course / RUNS
    rows = grade.grade(CHAPTER, course, backend=backend, say=lines.append, **options)
    return {r.student: r.total for r in rows}, lines


@pytest.fixture
def quick_pages(monkeypatch):
    """No feedback pages but empty ones, and no process of its own to read submissions."""
    monkeypatch.setattr(feedback_pages, "write_pages", pages)
    monkeypatch.setattr(grade, "Intake", Here)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A course that is released and has submissions, but was not graded."""
    build(CHAPTER)
    course = tmp_path_factory.mktemp("made")
    sample_class.make(course, CLASS[:1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feedback_pages, "write_pages", pages)
        patch.setattr(grade, "Intake", Here)
        run(course)
    for path in ["autograded", "feedback", "submitted", RUNS, f"build/graded/{CHAPTER}/results"]:
        path = course / path
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.rmtree(course / f"build/graded/{CHAPTER}/students")
    with book(course) as gradebook:
        gradebook.remove_student("ada-right")
    sample_class.make(course, CLASS)
    return course


@pytest.fixture
def course(made, tmp_path) -> Path:
    """A fresh copy of that course."""
    return shutil.copytree(made, tmp_path / "course")


def book(course: Path) -> Gradebook:
    """Open the gradebook of a course."""
    return Gradebook(f"sqlite:///{course / 'gradebook.db'}", "bow2lora")


def runs(course: Path) -> list[str]:
    """Return the hashes of the jobs that were run."""
    return (course / RUNS).read_text(encoding="utf-8").split() if (course / RUNS).is_file() else []


def forge_cases(folder: Path) -> None:
    """Hand in cases of one's own, which give full points to everything."""
    (folder / "checks").mkdir()
    for path in paths.release_notebook(CHAPTER).parent.glob("checks/*.py"):
        (folder / "checks" / path.name).write_text("score = 100.0\n", encoding="utf-8")
