"""secrets = "student" in course.toml: hidden inputs of one's own, and results that nobody shares."""

import json
import os
from typing import ClassVar

import numpy as np
import pytest
from quick_course import CHAPTER, TOTALS, Quick, book, run, runs

from autograder import course_file
from autograder.course_secret import secret_for, secret_of
from helpers.checks import graded
from helpers.errors import CourseError

pytestmark = pytest.mark.usefixtures("quick_pages")
OWN = 'secrets = "student"\n'


class Noting(Quick):
    """A worker that notes whose job had which secret."""

    secrets: ClassVar[dict[str, str]] = {}

    def run(self, job):
        """Note, then judge."""
        self.secrets[job.student] = job.secret
        return super().run(job)


def test_a_students_secret_follows_from_the_courses_and_tells_nothing_of_it():
    assert secret_for("s", "ada") == secret_for("s", "ada") != secret_for("s", "ben")
    assert secret_for("t", "ada") != secret_for("s", "ada") and "s" not in secret_for("s", "ada")


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff\xfe"])
def test_a_file_without_a_secret_is_refused_in_a_line(tmp_path, monkeypatch, content):
    monkeypatch.delenv("BOW2LORA_SECRET", raising=False)
    (tmp_path / "secret").write_bytes(content)
    with pytest.raises(CourseError, match="it holds no secret; put back") as error:
        secret_of(tmp_path)
    assert "\n" not in str(error.value)
    assert (tmp_path / "secret").read_bytes() == content


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("not-mounted")])
def test_what_is_no_file_is_not_replaced_by_a_new_secret(tmp_path, monkeypatch, make):
    monkeypatch.delenv("BOW2LORA_SECRET", raising=False)
    make(tmp_path / "secret")
    with pytest.raises(CourseError, match="it holds no secret; put back"):
        secret_of(tmp_path)
    (tmp_path / "another").mkdir()
    assert secret_of(tmp_path / "another") == secret_of(tmp_path / "another")  # the twin: one is made, once


@pytest.mark.parametrize("graded", [True, False])
def test_a_secret_that_went_missing_beside_graded_work_is_told(tmp_path, monkeypatch, capsys, graded):
    monkeypatch.delenv("BOW2LORA_SECRET", raising=False)
    if graded:
        (tmp_path / "autograded").mkdir()
    secret_of(tmp_path)
    assert (f"{tmp_path / 'secret'}: it was missing" in capsys.readouterr().err) is graded
    secret_of(tmp_path)
    assert not capsys.readouterr().err


def test_everybody_has_other_inputs_and_equal_answers_are_no_longer_run_once(course):
    (course / course_file.FILE).write_text(OWN, encoding="utf-8")
    Noting.secrets.clear()
    assert run(course, Noting)[0] == TOTALS
    assert Noting.secrets == {student: secret_for(secret_of(course), student) for student in TOTALS}
    assert len(runs(course)) == len(set(runs(course))) == 4  # an empty file and the untouched notebook are two now
    assert run(course, Noting)[1] == [f"{CHAPTER}: 4 submissions, 0 of them new or changed"]


def test_the_setting_may_change_later_and_back(course):
    run(course, workers=1)
    (course / course_file.FILE).write_text(OWN, encoding="utf-8")
    totals, lines = run(course, workers=1)
    assert totals == TOTALS and "4 of them new or changed" in lines[0] and len(runs(course)) == 3 + 4
    (course / course_file.FILE).unlink()
    assert run(course)[0] == TOTALS and len(runs(course)) == 3 + 4  # the results of before are still there
    with book(course) as gradebook:
        assert gradebook.find_submission(CHAPTER, "ada-right").score == 80


def test_another_secret_draws_other_hidden_inputs(monkeypatch):
    drawn = []
    for secret in ("a", "a", "b"):
        monkeypatch.setenv("BOW2LORA_SECRET", secret)

        @graded("tf", points=1)
        def score(check):
            check.hidden()
            drawn.append(check.rng.integers(10**9))
            check(abs, -1).equals(1)

    assert drawn[0] == drawn[1] != drawn[2] and isinstance(drawn[0], np.integer)


@pytest.mark.parametrize("text", ['secrets = "everybody"', "secrets = true", "[secrets]"])
def test_another_setting_is_told_in_a_line(tmp_path, text):
    (tmp_path / course_file.FILE).write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=r'there are "course" and "student"'):
        course_file.read(tmp_path)


def test_a_result_does_not_name_whose_secret_it_was(course):
    (course / course_file.FILE).write_text(OWN, encoding="utf-8")
    run(course)
    kept = [json.loads(p.read_bytes()) for p in (course / f"build/graded/{CHAPTER}/results").glob("*.json")]
    assert len(kept) == 4 and all("secret" not in result and result["student"] == "" for result in kept)
