"""The record: results by content hash, one writer, and whatever may happen in the middle of it."""

import ctypes
import datetime
import functools
import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import nbformat
import psutil
import pytest
from nbgrader.api import Gradebook
from sqlalchemy import create_engine, text

from autograder import autograded, cache, feedback, grade, marks, paths, record, regrade, results, sample_class
from autograder import build as build_module
from autograder.build import build
from autograder.collect import collect
from autograder.dispatch import Crew, outcomes
from helpers.errors import CourseError

CHAPTER = "01_spam"
CLASS = (sample_class.ada_right, sample_class.dan_untouched, sample_class.cleo_half, sample_class.pia_empty_file)
TOTALS = {"ada-right": 80.0, "dan-untouched": 0.0, "cleo-half": 37.0, "pia-empty-file": 0.0}
RUNS = Path("build/runs")  # a line for each job that was run
FORK = multiprocessing.get_context("fork") if "fork" in multiprocessing.get_all_start_methods() else None


class Quick:
    """A worker that gives full points to every answer that is no longer the stub."""

    log: Path | None = None

    def run(self, job: dict) -> dict:
        """Judge without running anything."""
        if self.log:
            with self.log.open("a", encoding="utf-8") as file:
                file.write(f"{job['hash']}\n")
        begun = {c["id"]: "NotImplementedError" not in c["source"] for c in job["cells"]}
        checks = [c for c in job["cells"] if c["kind"] == "check"]
        told = [{"id": c["id"], "status": "judged", "report": "said", **self.judge(c, begun)} for c in checks]
        return results.new(job, checks=told, seconds=0.1)

    def judge(self, check: dict, begun: dict[str, bool]) -> dict:
        """Return what an entry holds besides id and report."""
        return {"score": check["points"] * begun[check["id"].removeprefix("check-")]}

    def close(self) -> None:
        """Nothing to end."""


def pages(chapter, course, students, workers):
    """Stand in for nbgrader's pages, which take their time."""
    for student in students:
        page = feedback.page(chapter, course, student)
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("page", encoding="utf-8")
        yield student, ""


class Here:
    """Reads submissions in this process, which saves the start of another."""

    def __init__(self, template):
        self.template = template

    def collect(self, folder):
        """Return the rebuilt submission."""
        return collect(folder, self.template)

    def close(self):
        """Nothing to end."""


def run(course: Path, backend=Quick, **options) -> tuple[dict[str, float], list[str]]:
    """Grade a course; returns the totals and the lines that were printed."""
    lines: list[str] = []
    Quick.log = course / RUNS
    rows = grade.grade(CHAPTER, course, backend=backend, say=lines.append, **options)
    return {r.student: r.total for r in rows}, lines


@pytest.fixture(autouse=True)
def quick_pages(monkeypatch):
    monkeypatch.setattr(feedback, "write_pages", pages)
    monkeypatch.setattr(grade, "Intake", Here)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A course that is released and has submissions, but was not graded."""
    build(CHAPTER)
    course = tmp_path_factory.mktemp("made")
    sample_class.make(course, CLASS[:1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feedback, "write_pages", pages)
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


def edit(course: Path, student: str, cell_id: str, source: str) -> None:
    """Change one cell of a submission."""
    path = course / "submitted" / student / CHAPTER / f"{CHAPTER}.ipynb"
    nb = nbformat.read(path, as_version=4)
    next(c for c in nb.cells if c.id == cell_id).source = source
    nbformat.write(nb, path)


# What is graded again, and what is not.


def test_points_by_student_in_gradebook_and_rows(course):
    totals, lines = run(course)
    assert totals == TOTALS and len(lines) == 1 + len(CLASS)
    with book(course) as gradebook:
        assert {s.student.id: s.score for s in gradebook.assignment_submissions(CHAPTER)} == TOTALS


def test_equal_answers_are_run_once_and_a_second_run_runs_nothing(course):
    run(course, workers=1)
    assert len(runs(course)) == len(set(runs(course))) == 3  # an empty file is the untouched notebook
    totals, lines = run(course)
    assert totals == TOTALS and len(runs(course)) == 3
    assert lines == [f"{CHAPTER}: 4 submissions, 0 of them new or changed"]


def test_an_edited_essay_is_recorded_without_another_run(course):
    run(course)
    before = len(runs(course))
    edit(course, "dan-untouched", "essay-swap", "Because.")
    _, lines = run(course)
    assert lines[0].endswith("1 of them new or changed") and len(runs(course)) == before
    with book(course) as gradebook:
        assert gradebook.find_grade("essay-swap", CHAPTER, CHAPTER, "dan-untouched").needs_manual_grade


def test_force_runs_all_again(course):
    run(course, workers=1)
    run(course, workers=1, force=True)
    assert len(runs(course)) == 3 + 4


@pytest.mark.parametrize("lost", ["gradebook.db", "autograded", "build/graded"])
def test_what_was_lost_is_made_again(course, lost):
    run(course)
    path = course / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    before = len(runs(course))
    assert run(course)[0] == TOTALS
    assert (len(runs(course)) == before) == (lost != "build/graded")
    with book(course) as gradebook:
        assert gradebook.find_submission(CHAPTER, "ada-right").score == 80


def job(**changes) -> dict:
    """Return a small job."""
    cells = [("given-01", "given"), ("tf", "exercise"), ("own-01", "code"), ("check-tf", "check")]
    made = [{"id": i, "kind": kind, "source": i} | ({"points": 7.0} if kind == "check" else {}) for i, kind in cells]
    base = {"chapter": CHAPTER, "student": "ada", "hash": "x", "limits": {"cell": 1.0}, "secret": "", "cells": made}
    return base | changes


def test_the_hash_depends_on_all_that_a_result_depends_on_and_not_on_the_student(monkeypatch):
    def content(job, backend="a"):
        return cache.digest(cache.parts(job, backend))

    first = content(job())
    assert content(job(student="ben", hash="y")) == first
    others = [content(job(), "b"), content(job(secret="s")), content(job(limits={"cell": 2.0}))]
    for i in range(4):
        changed = job()
        changed["cells"][i]["source"] += " "
        others.append(content(changed))
    others += [content(job(cells=job()["cells"][::-1])), content(job(cells=job()["cells"][:3]))]
    monkeypatch.setattr(cache, "environment", lambda: {"torch": "another"})
    others.append(content(job()))
    assert first not in others and len(set(others)) == len(others)


def test_a_note_or_result_cut_short_counts_as_none(tmp_path):
    store = cache.Store(tmp_path, CHAPTER)
    store.write_note({"student": "ada", "seen": "x"})
    store.keep(results.new(job()))
    assert store.note("ada")["seen"] == "x" and store.result("x")["hash"] == "x"
    for path in store.folder.rglob("*.json"):
        path.write_text(path.read_text(encoding="utf-8")[:10], encoding="utf-8")
    assert store.note("ada") == {} and store.result("x") is None


# Regrading: who changes, by how much and why.


class Harder(Quick):
    """Finds half of what Quick finds."""

    def judge(self, check, begun):
        """Halve the points of one check."""
        found = super().judge(check, begun)["score"]
        return {"score": found / 2 if check["id"] == "check-tf" else found}


def test_a_regrade_says_who_changes_by_how_much_and_why(course):
    run(course)
    _, lines = run(course, backend=Harder)
    told = [line for line in lines if "->" in line]
    assert lines[-3] == "2 of those graded before have other points now:"
    assert told[0] == "  ada-right: 80 -> 76.5: tf 7 -> 3.5 (other limits)"
    with book(course) as gradebook:
        assert gradebook.find_submission(CHAPTER, "ada-right").score == 76.5


def test_reports_get_the_results_of_students_one_by_one(course):
    run(course, backend=Broken)
    store = cache.Store(course, CHAPTER)
    found = {r["student"]: r for r in store.all([*TOTALS, "nobody"])}
    assert {s: results.total(r) for s, r in found.items()} == TOTALS | {"cleo-half": 0.0}
    assert found["pia-empty-file"]["repairs"] and not found["dan-untouched"]["repairs"]
    assert found["cleo-half"]["failure"] and found["ada-right"]["checks"][0]["report"] == "said"


def test_a_changed_check_is_graded_again_and_a_new_cell_is_refused_in_a_line(course, tmp_path, monkeypatch):
    run(course)
    changed = nbformat.read(paths.source_notebook(CHAPTER), as_version=4)
    check = next(c for c in changed.cells if c.id == "check-tf")
    check.source = check.source.replace("\n\n\nscore", "\n\n\n# harder now\nscore")
    monkeypatch.setattr(build_module, "fresh", lambda _: tmp_path / "changed.ipynb")
    nbformat.write(changed, tmp_path / "changed.ipynb")
    _, lines = run(course)
    assert lines[0].endswith("4 of them new or changed")
    changed.cells.append(nbformat.v4.new_code_cell("1", id="new", metadata=marks.to_metadata("given", {}, "new")))
    nbformat.write(changed, tmp_path / "changed.ipynb")
    with pytest.raises(CourseError, match=r"does not take 01_spam as it is now \(RuntimeError: Cannot add or remove"):
        run(course)


def test_the_reasons_of_a_change():
    parts = {"answers": "a", "template": "t", "environment": "e", "check check-tf": "1", "check check-idf": "1"}
    before = {"student": "ada", "scores": {"check-tf": 5.83, "check-idf": 7.0}, "parts": parts}
    after = before | {"scores": {"check-tf": 7.0, "check-idf": 7.0}}

    def told(**changed):
        return regrade.change(before, after | {"parts": parts | changed})

    assert told(**{"check check-tf": "2", "environment": "f"}) == "ada: 12.83 -> 14: tf 5.83 -> 7 (the check changed)"
    assert told(environment="f").endswith("(another environment or other helpers)")
    assert told(answers="b", environment="f").endswith("(a new answer)")
    assert told().endswith("(the same answer came out otherwise)")
    assert regrade.change({}, after) == regrade.change(before, before) == ""


def test_what_a_person_gave_stays_and_is_looked_at_again_only_if_its_ground_changed(course):
    run(course)
    with book(course) as gradebook:
        for cell, points in [("essay-swap", 8.0), ("essay-false-alarms", 9.0), ("check-tf", 1.0)]:
            given = gradebook.find_grade(cell, CHAPTER, CHAPTER, "ada-right")
            given.manual_score, given.needs_manual_grade = points, False
        gradebook.find_comment("essay-swap", CHAPTER, CHAPTER, "ada-right").manual_comment = "Good."
        gradebook.db.commit()
    edit(course, "ada-right", "essay-swap", "Another text.")
    run(course, force=True)
    with book(course) as gradebook:
        found = {g.name: g for g in gradebook.find_submission_notebook(CHAPTER, CHAPTER, "ada-right").grades}
        assert (found["essay-swap"].manual_score, found["essay-swap"].needs_manual_grade) == (8, True)
        assert (found["essay-false-alarms"].manual_score, found["essay-false-alarms"].needs_manual_grade) == (9, False)
        assert (found["check-tf"].score, found["check-tf"].needs_manual_grade) == (1, False)
        assert gradebook.find_comment("essay-swap", CHAPTER, CHAPTER, "ada-right").comment == "Good."
    run(course, backend=Harder)
    with book(course) as gradebook:
        grade_of_tf = gradebook.find_grade("check-tf", CHAPTER, CHAPTER, "ada-right")
        assert (grade_of_tf.auto_score, grade_of_tf.score, grade_of_tf.needs_manual_grade) == (3.5, 1, True)


def test_untouched_answers_get_nbgraders_comment_and_empty_essays_0_at_once(course):
    run(course)
    with book(course) as gradebook:
        assert gradebook.find_comment("tf", CHAPTER, CHAPTER, "dan-untouched").comment == "No response."
        assert gradebook.find_comment("tf", CHAPTER, CHAPTER, "ada-right").comment is None
        empty = gradebook.find_grade("essay-swap", CHAPTER, CHAPTER, "dan-untouched")
        assert (empty.auto_score, empty.needs_manual_grade) == (0, False)
        full = gradebook.find_grade("essay-swap", CHAPTER, CHAPTER, "ada-right")
        assert (full.auto_score, full.needs_manual_grade) == (None, True)


def test_late_penalties_by_nbgraders_plugin(course):
    config = "c = get_config()\nc.LateSubmissionPlugin.penalty_method = 'zero'\n"
    (course / "nbgrader_config.py").write_text(config, encoding="utf-8")
    with book(course) as gradebook:
        gradebook.find_assignment(CHAPTER).duedate = datetime.datetime(2026, 3, 1)
        gradebook.db.commit()
    for student, day in [("ada-right", 2), ("cleo-half", 1)]:
        stamp = course / "submitted" / student / CHAPTER / "timestamp.txt"
        stamp.write_text(f"2026-03-0{day} 00:00:00 UTC", encoding="utf-8")
    run(course)
    with book(course) as gradebook:
        late = {s.student.id: s.late_submission_penalty for s in gradebook.assignment_submissions(CHAPTER)}
        assert late == {"ada-right": 80, "cleo-half": 0, "dan-untouched": 0, "pia-empty-file": 0}
    written = course / "autograded/ada-right" / CHAPTER / "timestamp.txt"
    assert written.read_text(encoding="utf-8") == "2026-03-02 00:00:00 UTC\n"
    (course / "submitted/ada-right" / CHAPTER / "timestamp.txt").unlink()
    run(course)
    with book(course) as gradebook:
        assert gradebook.find_submission(CHAPTER, "ada-right").late_submission_penalty == 0
    assert not written.exists()


def test_formgraders_own_list_takes_the_submissions_for_graded(course):
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory

    from autograder.course import grading_config

    stamp = course / "submitted/ada-right" / CHAPTER / "timestamp.txt"
    stamp.write_text("2026-03-02 10:00:00.123456 CET", encoding="utf-8")
    run(course)
    config = grading_config(course)
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    found = {s["student"]: s for s in api.get_submissions(CHAPTER)}
    assert {student: s["score"] for student, s in found.items()} == TOTALS
    assert all(s["autograded"] for s in found.values())


# Scores fail closed.


@pytest.mark.parametrize(
    "entry",
    [
        None, {}, {"score": 7}, {"score": True}, {"score": "7.0"}, {"score": None}, {"score": float("nan")},
        {"score": float("inf")}, {"score": -1.0}, {"score": 7.5}, {"score": 7.0}, {"score": 7.0, "status": "no score"},
        {"score": [7.0], "status": "judged"}, {"score": 7.5, "points": 10.0, "status": "judged"},
    ],
)  # fmt: skip
def test_anything_but_a_judged_float_within_the_points_is_0_with_a_reason(entry):
    told = results.new(job(), checks=[] if entry is None else [{"id": "check-tf"} | entry])
    (check,) = results.checked(told, job())["checks"]
    assert (check["score"], check["points"], check["status"]) == (0.0, 7.0, "no score") and check["reason"]


def test_a_judged_score_counts_unless_the_whole_failed():
    told = results.new(job(), checks=[{"id": "check-tf", "score": 5.5, "status": "judged"}, {"id": "check-idf"}])
    (check,) = results.checked(told, job())["checks"]
    assert (check["score"], check["exercise"], check["reason"]) == (5.5, "tf", "")
    (check,) = results.checked(told | {"failure": "the worker burnt down"}, job())["checks"]
    assert (check["score"], check["reason"]) == (0.0, "the worker burnt down")


class Broken(Quick):
    """Cannot grade one of the answers."""

    def run(self, job):
        """Raise for the half answered notebook."""
        if sum("NotImplementedError" not in c["source"] for c in job["cells"] if c["kind"] == "exercise") == 6:
            raise RuntimeError("no \x1b[31mmemory\nleft")
        return super().run(job)


def test_a_submission_that_cannot_be_graded_gets_0_with_the_reason_and_is_tried_again(course):
    totals, lines = run(course, backend=Broken)
    assert totals == TOTALS | {"cleo-half": 0.0}
    with book(course) as gradebook:
        assert not gradebook.find_grade("check-tf", CHAPTER, CHAPTER, "cleo-half").needs_manual_grade
    page = nbformat.read(course / "autograded/cleo-half" / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)
    assert "could not be graded: RuntimeError: no memory left" in page.cells[0].source
    _, lines = run(course, backend=Broken)
    assert lines[0].endswith("4 submissions, 1 of them new or changed")


def test_without_a_single_worker_the_command_fails(course):
    def none():
        raise CourseError("no sandbox")

    with pytest.raises(CourseError, match="no sandbox"):
        run(course, backend=none)


def test_items_are_drawn_no_faster_than_workers_take_them():
    drawn = []

    def items():
        for i in range(40):
            drawn.append(i)
            yield i, job(), None if i % 4 else {"known": i}

    most, seen = 0, []
    with Crew(Quick, 2) as crew:
        for item, _, result in outcomes(items(), crew):
            seen.append(item)
            most = max(most, len(drawn) - len(seen))
            assert (item % 4 == 0) == ("known" in result)
    assert sorted(seen) == list(range(40)) and most <= 5


# The notebooks in autograded/.


def notebook(*kinds: str) -> nbformat.NotebookNode:
    """Return a notebook with a cell of each kind."""
    cells = []
    for kind in kinds:
        new = nbformat.v4.new_markdown_cell if kind in ("essay", "text") else nbformat.v4.new_code_cell
        cells.append(new("source", id=f"{kind}-x", metadata=marks.to_metadata(kind, {"points": 7}, f"{kind}-x")))
    return nbformat.v4.new_notebook(cells=cells)


def test_what_a_cell_put_out_is_plain_text_of_bounded_length():
    error = {"name": "Value\x1bError", "message": "<b>\x07bad</b>", "line": 3, "text": "x = 1"}
    cell = {"id": "exercise-x", "status": "error", "stdout": "\x1b[31mred\x1b[0m\u202e" + "x" * 99_999, "error": error}
    check = {"id": "check-x", "score": 3.5, "status": "judged", "report": "\x1b[2Jreport", "reason": ""}
    told = results.new(job(), cells=[cell], checks=[check])
    nb = autograded.autograded(notebook("exercise", "check", "show"), told)
    nbformat.validate(nb)
    said, stopped = nb.cells[0].outputs
    assert said.text.startswith("redxxx") and len(said.text) == 10_000
    assert stopped.traceback == ["ValueError: <b>bad</b>  (line 3: x = 1)"]
    report, score = nb.cells[1].outputs
    assert (report.text, score.data) == ("report", {"text/plain": "3.5"})
    assert nb.cells[2].outputs == []


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("<script>x</script>", "<\u200bscript>x<\u200b/script>"),
        ("a < b, $a<b$, <3", "a < b, $a<\u200bb$, <3"),
        ("[a](https://x.org) [b](javascript:x)", "[a](https://x.org) [b]\u200b(javascript:x)"),
        ("[a]: https://x.org\n[b]: javascript:x", "[a]: https://x.org\n[b]\u200b: javascript:x"),
        ("[a](<javascript:x>) [b](\njavascript:x)", "[a]\u200b(<\u200bjavascript:x>) [b]\u200b(\njavascript:x)"),
    ],
)
def test_markdown_of_a_student_is_harmless(source, shown):
    nb = notebook("essay", "text")
    nb.cells[1].id = "own-01"
    for cell in nb.cells:
        cell.source = source
    assert [c.source for c in autograded.autograded(nb, results.new(job())).cells] == [shown, shown]


def test_notes_stand_on_top_as_plain_text():
    told = results.new(job(), notes=["<b>*tf*</b>: stopped\nwith `x`"], repairs=["a: taken as b"])
    first, text = autograded.autograded(notebook("text"), told).cells
    assert text.source == "source"
    assert first.source.endswith("\n\n    a: taken as b\n    <b>*tf*</b>: stopped with `x`")


# Whatever ends the run in the middle: the same command finishes it.


def die(*_, **__):
    """End this process as a power cut would."""
    os.kill(os.getpid(), signal.SIGKILL)


def before(step):
    """Die in place of a step."""
    return die


def after(step):
    """Die when a step is done."""

    def both(*args, **kwargs):
        step(*args, **kwargs)
        die()

    return both


POINTS = {
    "a result is kept": (cache.Store, "keep"),
    "the notebook is written": (autograded, "write"),
    "the points are set": (record.Recorder, "_record"),
    "the points are recorded": (record.Recorder, "record"),
    "the note is written": (cache.Store, "write_note"),
    "a file is moved to its place": (Path, "replace"),
    "the pages are written": (feedback, "write_pages"),
    "the table is written": (grade.tables, "write_questions"),
}


ONCE = (pages, grade.tables.write_questions)


def in_a_fork(task) -> int:
    """Run a task in a fork of this process; returns its exit code."""
    child = FORK.Process(target=task)
    child.start()
    child.join(120)
    return child.exitcode


@pytest.mark.skipif(FORK is None, reason="this system cannot fork")
@pytest.mark.parametrize("when", [before, after])
@pytest.mark.parametrize("point", POINTS)
def test_a_run_that_is_killed_is_finished_by_the_next(course, point, when):
    def killed():
        owner, name = POINTS[point]
        setattr(owner, name, later(getattr(owner, name), when))
        run(course, workers=1)

    assert in_a_fork(killed) == -signal.SIGKILL
    totals, _ = run(course, workers=1)
    assert totals == TOTALS
    assert len(runs(course)) - len(set(runs(course))) <= 1  # at most the one that was being run
    with book(course) as gradebook:
        assert {s.student.id: s.score for s in gradebook.assignment_submissions(CHAPTER)} == TOTALS
    assert run(course)[1] == [f"{CHAPTER}: 4 submissions, 0 of them new or changed"]
    left = [p for p in course.rglob(".*.part") if p.is_file()]
    assert len(left) <= 1 and len(list((course / "feedback").rglob("*.html"))) == 4


def later(step, when):
    """Let a step be the last one when it is taken for the second time."""
    calls = []

    def counted(*args, **kwargs):
        calls.append(1)
        last = len(calls) == 2 or step in ONCE
        return (when(step) if last else step)(*args, **kwargs)

    return counted


def test_a_gradebook_is_never_half_made(tmp_path, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(record.Gradebook, "check_course", stop)
    with pytest.raises(KeyboardInterrupt):
        record.make_whole(f"sqlite:///{tmp_path / 'gradebook.db'}", "bow2lora")
    assert not (tmp_path / "gradebook.db").exists()
    monkeypatch.undo()
    record.make_whole(f"sqlite:///{tmp_path / 'gradebook.db'}", "bow2lora")
    engine = create_engine(f"sqlite:///{tmp_path / 'gradebook.db'}")
    with engine.connect() as connection:
        assert len(connection.execute(text("SELECT * FROM alembic_version")).all()) == 1


def test_ctrl_c_leaves_what_was_done(course, monkeypatch):
    class Interrupting(Quick):
        def run(self, job):
            result = super().run(job)
            if len(runs(course)) == 2:
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(1)
            return result

    with pytest.raises(KeyboardInterrupt):
        run(course, backend=Interrupting, workers=1)
    monkeypatch.setattr(Interrupting, "run", Quick.run)
    assert run(course, backend=Interrupting, workers=1)[0] == TOTALS
    assert len(runs(course)) <= 3 + 1


def test_a_locked_gradebook_is_waited_for_and_then_told_in_a_line(course, monkeypatch):
    monkeypatch.setattr(record, "PATIENCE", 0)
    hasty = functools.partial(create_engine, connect_args={"timeout": 0.5})
    monkeypatch.setattr("nbgrader.api.create_engine", hasty)
    other = sqlite3.connect(course / "gradebook.db", check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(CourseError, match=r"locked. Nothing is lost: run the same command again.$"):
        run(course)
    monkeypatch.setattr(record, "PATIENCE", 60)
    threading.Timer(1.5, other.rollback).start()
    totals, lines = run(course)
    assert totals == TOTALS and "waiting" in "".join(lines)


def mount(folder: Path, size: str) -> bool:
    """Put a file system of this size on a folder, in a namespace of this process; says whether it could be done."""
    libc = ctypes.CDLL(None, use_errno=True)
    options = f"size={size}".encode()
    user, group = os.getuid(), os.getgid()
    if libc.unshare(0x00020000):  # CLONE_NEWNS
        if libc.unshare(0x10000000 | 0x00020000):  # CLONE_NEWUSER as well
            return False
        for name, line in [("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")]:
            Path("/proc/self", name).write_text(line)
    libc.mount(b"none", b"/", None, 0x4000 | 0x40000, None)  # MS_REC | MS_PRIVATE
    return libc.mount(b"tmpfs", bytes(folder), b"tmpfs", 0, options) == 0


@pytest.mark.skipif(FORK is None or os.uname().sysname != "Linux", reason="needs Linux")
@pytest.mark.parametrize("left", [60_000, 400_000, 900_000])
def test_a_full_disk_is_told_in_a_line_and_the_next_run_finishes(course, tmp_path, left):
    small, used = tmp_path / "small", sum(p.stat().st_size // 4096 * 4096 + 4096 for p in course.rglob("*"))
    small.mkdir()

    def task():
        if not mount(small, str(used + left)):
            os._exit(77)
        shutil.copytree(course, small / "course")
        error = ""
        try:
            run(small / "course")
        except (OSError, CourseError) as full:
            error = str(full)
        shutil.copytree(small / "course", tmp_path / "saved")
        (tmp_path / "error").write_text(error, encoding="utf-8")

    code = in_a_fork(task)
    if code == 77:
        pytest.skip("this system does not let the test mount a file system")
    error = (tmp_path / "error").read_text(encoding="utf-8")
    assert code == 0 and ("No space left" in error or "disk is full" in error)
    assert run(tmp_path / "saved")[0] == TOTALS


@pytest.mark.parametrize("damage", [b"no database" * 100, "folder", "postgresql://me:secret@127.0.0.1:1/none", "no://"])
def test_a_gradebook_that_cannot_be_opened_is_one_line(course, damage):
    path = course / "gradebook.db"
    path.unlink()
    if isinstance(damage, bytes):
        path.write_bytes(damage)
    elif damage == "folder":
        path.mkdir()
    else:
        config = f"c = get_config()\nc.CourseDirectory.db_url = {damage!r}\n"
        (course / "nbgrader_config.py").write_text(config, encoding="utf-8")
    with pytest.raises(CourseError, match="cannot be opened") as told:
        run(course)
    assert len(str(told.value).splitlines()) == 1 and "secret" not in str(told.value)


def test_a_database_server(course):
    """With a PostgreSQL, say: BOW2LORA_TEST_DB=postgresql+psycopg2://user@host/empty_database."""
    url = os.environ.get("BOW2LORA_TEST_DB")
    if not url:
        pytest.skip("BOW2LORA_TEST_DB names no empty database")
    (course / "nbgrader_config.py").write_text(f"c = get_config()\nc.CourseDirectory.db_url = {url!r}\n")
    (course / "gradebook.db").unlink()
    assert run(course)[0] == TOTALS
    assert run(course)[1] == [f"{CHAPTER}: 4 submissions, 0 of them new or changed"]
    assert run(course, force=True)[0] == TOTALS
    with Gradebook(url, "bow2lora") as gradebook:
        assert {s.student.id: s.score for s in gradebook.assignment_submissions(CHAPTER)} == TOTALS
    assert not (course / "gradebook.db").exists()


def test_the_instructors_edition_is_left_alone(course):
    before = paths.release_notebook(CHAPTER).read_bytes()
    run(course)
    assert paths.release_notebook(CHAPTER).read_bytes() == before


ORPHAN = """
import os, signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from autograder.orphans import end_with_parent

if __name__ == "__main__":
    pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=end_with_parent)
    print(pool.submit(os.getpid).result(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL on Windows")
def test_children_of_a_killed_coordinator_end(tmp_path):
    script = tmp_path / "orphan.py"
    script.write_text(ORPHAN, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, str(script)]
    killed = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, timeout=60)
    assert killed.returncode == -signal.SIGKILL
    end = time.monotonic() + 20
    while psutil.pid_exists(int(killed.stdout)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not psutil.pid_exists(int(killed.stdout))
