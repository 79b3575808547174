"""The record: results by content hash, one writer, and whatever may happen in the middle of it."""

import csv
import ctypes
import dataclasses
import datetime
import functools
import io
import json
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
from typing import ClassVar

import nbformat
import psutil
import pytest
from nbgrader.api import MissingEntry
from quick_course import CHAPTER, TOTALS, Quick, book, pages, run, runs
from sqlalchemy import create_engine, text
from typer.testing import CliRunner

from autograder import cell_marks, paths
from autograder.__main__ import app
from autograder.authoring import build as build_module
from autograder.execution import dispatch, result_cache, results
from autograder.execution.dispatch import Crew, outcomes
from autograder.gradebook import feedback_pages, graded_notebook, recorder
from autograder.gradebook.nbgrader_course import grading_config
from autograder.grading import changes as regrade
from autograder.grading import grade
from autograder.jobs import Job, JobCell, JobLimits
from autograder.processes import helper_process
from autograder.report import csvs, load
from autograder.submissions import collect
from helpers.errors import CourseError

pytestmark = pytest.mark.usefixtures("quick_pages")
write_pages = feedback_pages.write_pages  # the real one
FORK = multiprocessing.get_context("fork") if "fork" in multiprocessing.get_all_start_methods() else None


def edit(course: Path, student: str, cell_id: str, source: str) -> None:
    """Change one cell of a submission."""
    path = course / "submitted" / student / CHAPTER / f"{CHAPTER}.ipynb"
    nb = nbformat.read(path, as_version=4)
    next(c for c in nb.cells if c.id == cell_id).source = source
    nbformat.write(nb, path)


@pytest.mark.parametrize("name", ["vic[t]im", "a\nb", "a\tb", "a\u2028b", " a", "a" * 129])
def test_two_folders_that_would_be_one_student_are_refused_by_name(course, name):
    folder = course / "submitted" / name / CHAPTER
    other = collect.student_id(folder)
    for student in (name, other):
        shutil.copytree(course / "submitted/cleo-half" / CHAPTER, course / "submitted" / student / CHAPTER)
    with pytest.raises(CourseError, match="would be one student") as told:
        run(course)
    assert repr(name) in str(told.value) and "\n" not in str(told.value) and not runs(course)
    shutil.rmtree(course / "submitted" / other)  # the twin: the odd name alone is graded, under an id of one line
    totals, lines = run(course)
    assert totals == TOTALS | {other: 33.0} and not [line for line in lines if "\n" in line or "\u2028" in line]


# What is graded again, and what is not.


def test_points_by_student_in_gradebook_and_rows(course):
    totals, lines = run(course)
    assert totals == TOTALS and len(lines) == 1 + len(TOTALS)
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


def job(**changes) -> Job:
    """Return a small job."""
    cells = [JobCell(i, kind, i) for i, kind in (("given-01", "given"), ("tf", "exercise"), ("own-01", "code"))]
    cells.append(JobCell("check-tf", "check", "check-tf", 7.0))
    return dataclasses.replace(Job(CHAPTER, "ada", "x", "", JobLimits(1.0, 2.0), tuple(cells)), **changes)


def test_the_hash_depends_on_all_that_a_result_depends_on_and_not_on_the_student(monkeypatch):
    def content(job, backend="a"):
        return result_cache.digest(result_cache.fingerprint(job, backend))

    first = content(job())
    assert content(job(student="ben", hash="y")) == first
    others = [content(job(), "b"), content(job(secret="s")), content(job(limits=JobLimits(2.0, 2.0)))]
    for i in range(4):
        cells = list(job().cells)
        cells[i] = dataclasses.replace(cells[i], source=f"{cells[i].source} ")
        others.append(content(job(cells=tuple(cells))))
    others += [content(job(cells=job().cells[::-1])), content(job(cells=job().cells[:3]))]
    monkeypatch.setattr(result_cache, "environment", lambda: {"torch": "another"})
    others.append(content(job()))
    assert first not in others and len(set(others)) == len(others)


class Lacking(Quick):
    """A worker without a package that all import."""

    def run(self, job):
        """Judge, and say what is not there; the rest no runner should send."""
        return super().run(job) | {"missing": ["pandas", 3, "<b>", "pandas", "../x"]}


def test_a_package_that_the_grader_lacks_is_said_of_the_class_and_of_each_student(course):
    lines = run(course, backend=Lacking)[1]
    (told,) = [line for line in lines if "pandas" in line]
    assert told.startswith(
        "  no package 'pandas' while grading: ada-right, cleo-half, dan-untouched, pia-empty-file (4)"
    )
    note = "no package 'pandas' while grading"
    assert result_cache.Store(course, CHAPTER).note("ada-right")["notes"] == [note]
    assert (course / "questions.csv").read_text(encoding="utf-8").count(note) == 4


NOTE = {"student": "ada", "hash": "x", "seen": "x", "repairs": [], "notes": [], "seconds": 0.1, "fingerprint": {}}
NOTE |= {"scores": {"check-tf": 1.0}, "essays": {}}


def test_a_note_or_result_cut_short_counts_as_none(tmp_path):
    store = result_cache.Store(tmp_path, CHAPTER)
    store.write_note(NOTE)
    store.keep(results.new(job()))
    assert store.note("ada")["seen"] == "x" and store.result("x")["hash"] == "x"
    for path in store.folder.rglob("*.json"):
        path.write_text(path.read_text(encoding="utf-8")[:10], encoding="utf-8")
    assert store.note("ada") == {} and store.result("x") is None


def test_json_that_is_no_whole_note_or_result_counts_as_none(tmp_path):
    store, told = result_cache.Store(tmp_path, CHAPTER), results.checked(results.new(job()), job())
    assert results.is_result(told) and told["checks"]
    for name in told:
        assert not results.is_result({k: v for k, v in told.items() if k != name})
        assert not results.is_result(told | {name: None}) and not results.is_result(told | {name: True})
    assert not results.is_result(told | {"missing": [3]})
    for entry in ({}, 3, told["checks"][0] | {"score": None}, told["checks"][0] | {"report": None}):
        assert not results.is_result(told | {"checks": [entry]})
    for change in [*({name: None} for name in NOTE if name != "student"), {"failed": {"a": 1}}, {"scores": {"a": "1"}}]:
        store.write_note(NOTE | change)
        assert store.note("ada") == {}
    store.write_note(NOTE | {"failed": told})
    assert store.note("ada") and store.of(store.note("ada")) == told


def test_a_kept_result_and_notes_that_are_incomplete_are_made_again_and_stop_nobody(course):
    assert run(course)[0] == TOTALS
    kept, notes = ((course / "build/graded" / CHAPTER / name).glob("*.json") for name in ("results", "students"))
    for path, names in [
        *((p, ("checks", "notes")) for p in kept),
        *((p, ("scores", "fingerprint")) for p in list(notes)[:2]),
    ]:
        whole = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({k: v for k, v in whole.items() if k not in names}), encoding="utf-8")
    totals, lines = run(course)
    assert totals == TOTALS and lines[0].endswith("4 submissions, 4 of them new or changed")
    assert run(course)[1] == [f"{CHAPTER}: 4 submissions, 0 of them new or changed"]


# Regrading: who changes, by how much and why.


class Harder(Quick):
    """Finds half of what Quick finds."""

    def judge(self, check, begun):
        """Halve the points of one check."""
        found = super().judge(check, begun)["score"]
        return {"score": found / 2 if check.id == "check-tf" else found}


def test_a_regrade_says_who_changes_by_how_much_and_why(course):
    run(course)
    _, lines = run(course, backend=Harder)
    told = [line for line in lines if "->" in line]
    assert lines[-3] == "2 of those graded before have other points now:"
    assert told[0] == "  ada-right: 80 -> 78: tf 4 -> 2 (other limits)"
    with book(course) as gradebook:
        assert gradebook.find_submission(CHAPTER, "ada-right").score == 78


def test_reports_get_the_results_of_students_one_by_one(course):
    run(course, backend=Broken)
    store = result_cache.Store(course, CHAPTER)
    found = {r["student"]: r for r in store.all([*TOTALS, "nobody"])}
    assert {s: results.total(r) for s, r in found.items()} == without("cleo-half")
    assert found["pia-empty-file"]["repairs"] and not found["dan-untouched"]["repairs"]
    assert found["ada-right"]["checks"][0]["report"] == "said"


def test_a_changed_check_is_graded_again_and_a_new_cell_is_refused_in_a_line(course, tmp_path, monkeypatch):
    run(course)
    changed = nbformat.read(paths.source_notebook(CHAPTER), as_version=4)
    check = next(c for c in changed.cells if c.id == "check-tf")
    check.source = check.source.replace("\n\n\nscore", "\n\n\n# harder now\nscore")
    monkeypatch.setattr(build_module, "fresh", lambda _: tmp_path / "changed.ipynb")
    nbformat.write(changed, tmp_path / "changed.ipynb")
    _, lines = run(course)
    assert lines[0].endswith("4 of them new or changed")
    changed.cells.append(nbformat.v4.new_code_cell("1", id="new", metadata=cell_marks.to_metadata("given", {}, "new")))
    nbformat.write(changed, tmp_path / "changed.ipynb")
    with pytest.raises(CourseError, match=r"does not take 01_spam as it is now \(RuntimeError: Cannot add or remove"):
        run(course)


def test_the_reasons_of_a_change():
    parts = {"answers": "a", "template": "t", "environment": "e", "check check-tf": "1", "check check-idf": "1"}
    before = {"student": "ada", "scores": {"check-tf": 5.83, "check-idf": 7.0}, "fingerprint": parts}
    after = before | {"scores": {"check-tf": 7.0, "check-idf": 7.0}}

    def told(**changed):
        return regrade.change(before, after | {"fingerprint": parts | changed})

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
        assert (grade_of_tf.auto_score, grade_of_tf.score, grade_of_tf.needs_manual_grade) == (2, 1, True)


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


def table(path: Path) -> dict[str, dict[str, str]]:
    """Read a CSV file; returns the rows by student."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row.get("student_id") or row["student"]: row for row in csv.DictReader(file)}


def graded_by_hand(course: Path) -> None:
    """Give points as a person does in formgrader: an essay, a check that was judged otherwise, a bonus, a penalty."""
    with book(course) as gradebook:
        gradebook.update_or_create_student("ada-right", first_name="Ada", last_name="Right", email="ada@example.org")
        gradebook.find_assignment(CHAPTER).duedate = datetime.datetime(2026, 3, 1)
        for cell, points in [("essay-swap", 8.0), ("check-tf", 1.0)]:
            given = gradebook.find_grade(cell, CHAPTER, CHAPTER, "ada-right")
            given.manual_score, given.needs_manual_grade = points, False
        gradebook.find_grade("check-idf", CHAPTER, CHAPTER, "cleo-half").extra_credit = 2.5
        gradebook.find_submission_notebook(CHAPTER, CHAPTER, "cleo-half").late_submission_penalty = 4.0
        gradebook.db.commit()


def test_the_table_of_totals_says_what_nbgraders_own_export_says(course, tmp_path):
    from nbgrader.plugins import CsvExportPlugin

    (course / "submitted/ada-right" / CHAPTER / "timestamp.txt").write_text("2026-02-27 10:00:00 UTC", encoding="utf-8")
    run(course)
    graded_by_hand(course)
    run(course)
    with book(course) as gradebook:
        CsvExportPlugin(to=str(tmp_path / "theirs.csv"), assignment=[CHAPTER]).export(gradebook)
    mine, theirs = table(course / csvs.GRADES), table(tmp_path / "theirs.csv")
    assert set(mine) == set(theirs) == set(TOTALS)
    for student, row in theirs.items():
        for name, value in row.items():
            numbers = name.endswith(("score", "penalty"))
            assert (float(mine[student][name]) == float(value)) if numbers else mine[student][name] == value, name
    changed = {s: float(row["changed by hand"]) for s, row in table(course / csvs.QUESTIONS).items()}
    assert changed == dict.fromkeys(TOTALS, 0.0) | {"ada-right": -3.0, "cleo-half": 2.5}


def test_export_writes_the_same_tables_as_grade(course):
    run(course)
    graded_by_hand(course)
    run(course, backend=Broken)
    before = [(course / name).read_bytes() for name in (csvs.QUESTIONS, csvs.GRADES)]
    done = CliRunner().invoke(app, ["export", CHAPTER, "--course", str(course), "--to", str(course / "x")])
    assert done.exit_code == 0
    assert [(course / "x" / name).read_bytes() for name in (csvs.QUESTIONS, csvs.GRADES)] == before


def test_no_students_name_is_a_formula_in_the_tables(course):
    for name in ['=HYPERLINK("x")', "+1", "@SUM(1)", "-2"]:
        shutil.copytree(course / "submitted/ada-right", course / "submitted" / name)
    run(course)
    for path in (csvs.QUESTIONS, csvs.GRADES):
        found = list(csv.reader(io.StringIO((course / path).read_text(encoding="utf-8"))))
        assert len(found) == 1 + 8
        assert not [cell for row in found for cell in row if cell.startswith(("=", "+", "@", "-2"))]
        assert sum(cell.startswith(("'=", "'+", "'@", "'-")) for row in found for cell in row) == 4


def test_who_has_withdrawn_is_in_no_figures_but_stays_in_the_gradebook(course):
    run(course)
    shutil.rmtree(course / "submitted/dan-untouched")
    totals, lines = run(course)
    rest = TOTALS.keys() - {"dan-untouched"}
    assert totals.keys() == rest and lines[0].startswith(f"{CHAPTER}: 3 submissions")
    assert table(course / csvs.GRADES).keys() == table(course / csvs.QUESTIONS).keys() == rest
    with book(course) as gradebook:
        assert gradebook.find_submission(CHAPTER, "dan-untouched").score == 0
    here = ["--course", str(course)]
    told = "not counted, for their work is no longer in submitted/: dan-untouched (1)"
    for words in (["export", CHAPTER, *here], ["report", CHAPTER, *here]):
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0 and told in done.output
    pages = {p.name for p in (course / "reports" / CHAPTER / "students").iterdir()}
    assert len(pages) == 3 and not any("dan" in name for name in pages)
    assert "dan-untouched" not in (course / "reports" / CHAPTER / "class.html").read_text(encoding="utf-8")
    alone = CliRunner().invoke(app, ["report", CHAPTER, *here, "--student", "dan-untouched"])
    assert alone.exit_code == 0 and told not in alone.output
    shutil.rmtree(course / "submitted")  # an archive of results: everybody counts
    assert "4 students" in CliRunner().invoke(app, ["export", CHAPTER, *here]).output


def test_formgraders_own_list_takes_the_submissions_for_graded(course):
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory

    from autograder.gradebook.nbgrader_course import grading_config

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
        if sum("NotImplementedError" not in c.source for c in job.cells if c.kind == "exercise") == 6:
            raise RuntimeError("no \x1b[31mmemory\nleft")
        return super().run(job)


def without(student: str) -> dict[str, float]:
    """Return the totals of the others."""
    return {name: total for name, total in TOTALS.items() if name != student}


def test_a_failure_of_the_graders_own_records_nothing_and_is_tried_again(course):
    for _ in range(2):
        totals, lines = run(course, backend=Broken)
        assert totals == without("cleo-half") and not (course / "autograded/cleo-half").exists()
        told = "  cleo-half: could not be graded: RuntimeError: no memory left; nothing is recorded"
        assert any(line.startswith(told) for line in lines)
        with book(course) as gradebook, pytest.raises(MissingEntry):
            gradebook.find_submission(CHAPTER, "cleo-half")
    assert lines[0].endswith("4 submissions, 1 of them new or changed")
    assert run(course)[0] == TOTALS  # the twin: the same command, when the grader works


def test_a_failure_of_the_graders_own_takes_no_points_that_were_there(course):
    assert run(course)[0] == TOTALS
    assert run(course, backend=Broken, force=True)[0] == TOTALS


class BrokenOnce(Broken):
    """Cannot grade it at first."""

    tried: ClassVar[list[str]] = []

    def run(self, job):
        """Raise once for the half answered notebook."""
        try:
            return super().run(job)
        except RuntimeError:
            self.tried.append(job.hash)
            if len(self.tried) == 1:
                raise
            return Quick.run(self, job)


def test_a_failure_of_the_graders_own_is_tried_again_in_the_same_run(course):
    BrokenOnce.tried.clear()
    totals, lines = run(course, backend=BrokenOnce)
    assert totals == TOTALS and len(BrokenOnce.tried) == 2
    assert not [line for line in lines if "nothing is recorded" in line]


def test_where_the_grader_fails_at_everybody_the_command_says_so(course):
    class Down(Quick):
        def run(self, job):
            raise OSError("no space")

    with pytest.raises(CourseError, match="the grader failed at every submission"):
        run(course, backend=Down)
    assert run(course)[0] == TOTALS


def test_a_worker_that_does_not_start_ends_nothing(course):
    made = []

    def one_of_two():
        made.append(0)
        if len(made) == 2:
            raise CourseError("the sandbox's zygote: it does not start: no word from it")
        return Quick()

    both, lines = threading.Barrier(2), []

    class Slow(Quick):
        def run(self, job):
            time.sleep(0.2)
            return super().run(job)

    def slow_and_none():
        both.wait(60)  # until two are wanted
        if threading.current_thread() is not crew.threads[0]:
            raise CourseError("the sandbox's zygote: it does not start")
        return Slow()

    with Crew(slow_and_none, 2, say=lines.append) as crew:
        assert len(list(outcomes(((i, job(), None) for i in range(6)), crew))) == 6
    assert lines == ["a worker does not start, the others go on: the sandbox's zygote: it does not start"]
    assert run(course, backend=one_of_two, workers=2)[0] == TOTALS


def test_a_worker_that_is_ended_while_it_starts_is_missed_by_nobody():
    starts, lines = threading.Event(), []

    def late():
        starts.set()
        until = time.monotonic() + 60
        while not crew.closed and time.monotonic() < until:
            time.sleep(0.01)
        raise CourseError("the sandbox's zygote: it does not start: it was ended")

    with Crew(late, 2, say=lines.append) as crew:
        crew.put((0, job()))
        assert starts.wait(60)
    for thread in crew.threads:
        thread.join(60)
    assert lines == [] and crew.done.empty()


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


def test_few_jobs_are_one_workers_and_many_are_all_workers():
    for jobs, workers in ((1, 1), (6, 1), (7, 2), (40, 2)):
        with Crew(Quick, 2, jobs_per_worker=6) as crew:
            crew.start(jobs)
            assert len(crew.threads) == workers
            assert len(list(outcomes(((i, job(), None) for i in range(jobs)), crew))) == jobs


def test_many_jobs_of_which_nobody_knew_before_are_all_workers_too():
    with Crew(Quick, 2, jobs_per_worker=6) as crew:
        done = outcomes(((i, job(), None) for i in range(40)), crew)
        assert len([next(done) for _ in range(2)]) == 2 and len(crew.threads) == 1
        assert len(list(done)) == 38 and len(crew.threads) == 2


def test_where_few_jobs_take_long_another_worker_is_started_all_the_same(monkeypatch):
    monkeypatch.setattr(dispatch, "SLOW_SECONDS", 0.05)
    both = threading.Barrier(2)

    class Slow(Quick):
        def run(self, job):
            both.wait(60)  # until two of them are at work
            return super().run(job)

    with Crew(Slow, 2, jobs_per_worker=6) as crew:
        assert len(list(outcomes(((i, job(), None) for i in range(2)), crew))) == 2


# The notebooks in autograded/.


def notebook(*kinds: str) -> nbformat.NotebookNode:
    """Return a notebook with a cell of each kind."""
    cells = []
    for kind in kinds:
        new = nbformat.v4.new_markdown_cell if kind in ("essay", "text") else nbformat.v4.new_code_cell
        cells.append(new("source", id=f"{kind}-x", metadata=cell_marks.to_metadata(kind, {"points": 7}, f"{kind}-x")))
    return nbformat.v4.new_notebook(cells=cells)


def test_what_a_cell_put_out_is_plain_text_of_bounded_length():
    error = {"name": "Value\x1b[1mError", "message": "<b>\x07bad</b>", "line": 3, "text": "x = 1"}
    cell = {"id": "exercise-x", "status": "error", "stdout": "\x1b[31mred\x1b[0m\u202e" + "x" * 99_999, "error": error}
    check = {"id": "check-x", "score": 3.5, "status": "judged", "report": "\x1b[2Jreport", "reason": ""}
    told = results.new(job(), cells=[cell], checks=[check])
    nb = graded_notebook.autograded(notebook("exercise", "check", "show"), told)
    nbformat.validate(nb)
    said, stopped = nb.cells[0].outputs
    assert said.text.startswith("redxxx") and len(said.text) == 10_000
    assert stopped.traceback == ["ValueError: <b>bad</b>  (line 3: x = 1)"]
    report, score = nb.cells[1].outputs
    assert (report.text, score.data) == ("report", {"text/plain": "3.5"})
    assert nb.cells[2].outputs == []


def test_text_of_a_student_is_html_from_the_allow_list_or_shown_as_typed():
    nb = notebook("essay", "text", "text")
    nb.cells[0].source, nb.cells[1].source = "<script>x</script>", "*x*"
    nb.cells[1].id, nb.cells[2].id = "own-01", "text-01"
    made = graded_notebook.autograded(nb, results.new(job()), shown={"own-01": "<div><em>x</em></div>"})
    typed = "<div><pre>&lt;script&gt;x&lt;/script&gt;</pre></div>"
    assert [c.source for c in made.cells] == [typed, "<div><em>x</em></div>", "source"]


def test_what_all_cells_put_out_is_of_bounded_length_and_checks_keep_their_reports():
    cells = [{"id": f"own-{i}", "status": "ok", "stdout": "x" * 20_000, "error": None} for i in range(100)]
    check = {"id": "check-x", "score": 3.5, "status": "judged", "report": "report", "reason": ""}
    nb = notebook("check")
    nb.cells = [*(nbformat.v4.new_code_cell("print()", id=c["id"]) for c in cells), *nb.cells]
    made = graded_notebook.autograded(nb, results.new(job(), cells=cells, checks=[check]))
    assert len(nbformat.writes(made)) < 600_000 and made.cells[0].outputs[0].text == "x" * 10_000
    assert made.cells[99].outputs == [] and made.cells[100].outputs[0].text == "report"


def test_notes_stand_on_top_as_plain_text():
    told = results.new(job(), notes=["<b>*tf*</b>: stopped\nwith `x`"], repairs=["a: taken as b"])
    first, text = graded_notebook.autograded(notebook("text"), told).cells
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
    "a result is kept": (result_cache.Store, "keep"),
    "the notebook is written": (graded_notebook, "write"),
    "the points are set": (recorder.Recorder, "_record"),
    "the points are recorded": (recorder.Recorder, "record"),
    "the note is written": (result_cache.Store, "write_note"),
    "a file is moved to its place": (Path, "replace"),
    "the pages are written": (feedback_pages, "write_pages"),
    "the table is written": (csvs, "save_class"),
}


ONCE = (pages, csvs.save_class)


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


class Ending(feedback_pages.Writer):
    """In place of nbgrader, in the process that writes a feedback page: it ends, or raises."""

    def __call__(self, question):
        """End this process for one student, raise for another, for a third only until the page is plain."""
        if question["student"].startswith("ada"):
            os._exit(1)
        if question["student"].startswith("dan") or (question["student"].startswith("cleo") and not question["plain"]):
            raise RecursionError
        return super().__call__(question)


def test_a_feedback_page_that_cannot_be_written_costs_itself_alone(course, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(feedback_pages, "write_pages", write_pages)
        patch.setattr(feedback_pages, "Writer", Ending)
        patch.setattr(helper_process, "ATTEMPTS", 1)  # a fresh process takes its time
        totals, lines = run(course)
    assert totals == TOTALS
    told = [line for line in lines if "there is no feedback page" in line]
    assert [line.split()[0] for line in sorted(told)] == ["ada-right:", "dan-untouched:"]
    assert told[0].endswith("ended the process") or told[1].endswith("ended the process")
    pages = {p.parts[-3]: p.read_text(encoding="utf-8") for p in (course / "feedback").rglob("*.html")}
    assert sorted(pages) == ["cleo-half", "pia-empty-file"]
    assert "shown as plain text: writing it raised RecursionError." in pages["cleo-half"]
    assert "shown as plain text" not in pages["pia-empty-file"]
    assert run(course)[0] == TOTALS and len(list((course / "feedback").rglob("*.html"))) == 4


def test_two_runs_on_one_course_are_told_apart_in_a_line(course):
    with grade.course_lock(course), pytest.raises(CourseError, match="another run of grade is at work here") as told:
        run(course)
    assert len(str(told.value).splitlines()) == 1 and runs(course) == []
    assert run(course)[0] == TOTALS


@pytest.mark.skipif(FORK is None, reason="this system cannot fork")
def test_a_run_that_is_killed_gives_the_course_free(course):
    def killed():
        with grade.course_lock(course):
            die()

    assert in_a_fork(killed) == -signal.SIGKILL
    assert run(course)[0] == TOTALS


def test_a_clock_that_is_moved_back_changes_nothing(course, monkeypatch):
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 86_400 * len(runs(course)))
    assert run(course, workers=1)[0] == TOTALS
    for path in [p for p in course.rglob("*") if p.is_file()]:
        os.utime(path, (now + 86_400, now + 86_400))  # written before the clock was moved back
    assert run(course)[1] == [f"{CHAPTER}: 4 submissions, 0 of them new or changed"]
    edit(course, "dan-untouched", "tf", "def term_frequency(tokens, vocabulary):\n    return 1")
    os.utime(course / "submitted/dan-untouched" / CHAPTER / f"{CHAPTER}.ipynb", (0, 0))
    assert run(course)[1][0].endswith("1 of them new or changed")


def test_a_gradebook_is_never_half_made(tmp_path, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(recorder.Gradebook, "check_course", stop)
    with pytest.raises(KeyboardInterrupt):
        recorder.make_whole(f"sqlite:///{tmp_path / 'gradebook.db'}", "bow2lora")
    assert not (tmp_path / "gradebook.db").exists()
    monkeypatch.undo()
    recorder.make_whole(f"sqlite:///{tmp_path / 'gradebook.db'}", "bow2lora")
    engine = create_engine(f"sqlite:///{tmp_path / 'gradebook.db'}")
    with engine.connect() as connection:
        assert len(connection.execute(text("SELECT * FROM alembic_version")).all()) == 1


def test_ctrl_c_leaves_what_was_done(course, monkeypatch):
    class Interrupting(Quick):
        def run(self, job):
            result = super().run(job)
            if len(runs(course)) >= 2:  # once more if it fell into a finaliser, where it is lost
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(1)
            return result

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            run(course, backend=Interrupting, workers=1)
    finally:
        signal.signal(signal.SIGINT, before)
    monkeypatch.setattr(Interrupting, "run", Quick.run)
    assert run(course, backend=Interrupting, workers=1)[0] == TOTALS
    assert len(runs(course)) <= 3 + 1


def test_a_locked_gradebook_is_waited_for_and_then_told_in_a_line(course, monkeypatch):
    monkeypatch.setattr(recorder, "LOCK_TIMEOUT", 0)
    hasty = functools.partial(create_engine, connect_args={"timeout": 0.5})
    monkeypatch.setattr("nbgrader.api.create_engine", hasty)
    other = sqlite3.connect(course / "gradebook.db", check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(CourseError, match=r"locked. Nothing is lost: run the same command again.$"):
        run(course)
    monkeypatch.setattr(recorder, "LOCK_TIMEOUT", 60)
    threading.Timer(1.5, other.rollback).start()
    totals, lines = run(course)
    assert totals == TOTALS and "waiting" in "".join(lines)


def test_a_gradebook_locked_for_reading_is_waited_for_on_opening_and_by_reports(course, monkeypatch):
    run(course)
    monkeypatch.setattr("nbgrader.api.create_engine", functools.partial(create_engine, connect_args={"timeout": 0.2}))
    address, told = f"sqlite:///{course / 'gradebook.db'}", []
    for what in ("opening", "reading", "reports"):
        with recorder.Recorder(grading_config(course), CHAPTER, told.append) as book:
            other = sqlite3.connect(course / "gradebook.db", check_same_thread=False)
            other.execute("BEGIN EXCLUSIVE")
            threading.Timer(1.0, other.rollback).start()
            if what == "opening":
                with recorder.Recorder(grading_config(course), CHAPTER, told.append) as again:
                    assert again.course.db_url == address and again.has_chapter()
            else:
                assert len(book.students() if what == "reading" else load.marks(course, CHAPTER)) == 4
    assert len(told) >= 2 and set(told) == {"the gradebook is locked by another program; waiting for it ..."}


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


def test_the_instructors_edition_is_left_alone(course):
    before = paths.release_notebook(CHAPTER).read_bytes()
    run(course)
    assert paths.release_notebook(CHAPTER).read_bytes() == before


ORPHAN = """
import os, signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from autograder.processes.lifetime import end_with_parent

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
    killed = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, timeout=300)
    assert killed.returncode == -signal.SIGKILL
    end = time.monotonic() + 120
    while psutil.pid_exists(int(killed.stdout)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not psutil.pid_exists(int(killed.stdout))
