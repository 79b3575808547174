"""What formgrader shows of a graded class, asked from a running server: what grades.csv and questions.csv say."""

import base64
import csv
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from autograder import paths
from autograder.grading import grade, sample_class

CHAPTER = sample_class.CHAPTER
CLASS = (
    sample_class.cleo_half, sample_class.eve_mistakes, sample_class.nora_skips_checks, sample_class.omar_dead_kernel,
    sample_class.pia_empty_file,
)  # fmt: skip
TOKEN = "formgrader-test"
EXTENSION = "{'nbgrader.server_extensions.formgrader': True}"


class Formgrader:
    """A running server with formgrader in a course folder."""

    def __init__(self, course: Path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"http://127.0.0.1:{free.getsockname()[1]}"
        options = [f"--port={self.address.rsplit(':', 1)[1]}", "--ServerApp.port_retries=0", "--allow-root"]
        options += [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.jpserver_extensions={EXTENSION}", "--no-browser"]
        env = os.environ | {
            "JUPYTER_CONFIG_DIR": str(course / "config"),
            "JUPYTER_RUNTIME_DIR": str(course / "runtime"),
        }
        self.log = (course / "server.log").open("wb")
        line = [sys.executable, "-m", "jupyter_server", *options]
        self.process = subprocess.Popen(line, cwd=course, env=env, stdout=self.log, stderr=self.log)

    def ask(self, path: str, **change) -> object:
        """Return what the API answers; with a change, after it."""
        data, method = (json.dumps(change).encode(), "PUT") if change else (None, "GET")
        return self._answer(path, data, method)

    def press(self, path: str) -> dict:
        """Return what the API answers to a button."""
        return self._answer(path, b"", "POST")

    def _answer(self, path: str, data: bytes | None, method: str):
        head = {"Authorization": f"token {TOKEN}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.address}/{path}", data, head, method=method)
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)

    def page(self, path: str) -> str:
        """Return a page."""
        request = urllib.request.Request(f"{self.address}/{path}", headers={"Authorization": f"token {TOKEN}"})
        with urllib.request.urlopen(request, timeout=300) as answer:
            return answer.read().decode()

    def wait(self) -> None:
        """Wait until it answers."""
        for _ in range(1500):
            assert self.process.poll() is None, Path(self.log.name).read_text()[-3000:]
            try:
                self.ask("api")
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.2)
        raise AssertionError("the server does not answer")

    def grades(self) -> dict[str, dict[str, dict]]:
        """Return {student: {cell: grade}} as formgrader's page of a submission shows it."""
        shown = self.ask(f"formgrader/api/submitted_notebooks/{CHAPTER}/{CHAPTER}")
        rows = {s["student"]: self.ask(f"formgrader/api/grades?submission_id={s['id']}") for s in shown}
        return {student: {g["name"]: g for g in found} for student, found in rows.items()}


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A course folder in which a class was graded."""
    folder = tmp_path_factory.mktemp("course")
    sample_class.make(folder, CLASS)
    grade.grade(CHAPTER, folder, say=lambda _: None)
    return folder


@pytest.fixture(scope="module")
def formgrader(course) -> Iterator[Formgrader]:
    """The server; it ends with the tests."""
    server = Formgrader(course)
    try:
        server.wait()
        yield server
    finally:
        server.process.terminate()
        server.process.wait(120)
        server.log.close()


def table(path: Path, student: str) -> dict[str, dict[str, str]]:
    """Return a CSV by its column of students."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row[student]: row for row in csv.DictReader(file)}


def test_everybody_has_the_total_of_grades_csv(course, formgrader):
    shown = {s["student"]: s for s in formgrader.ask(f"formgrader/api/submissions/{CHAPTER}")}
    said = table(course / "grades.csv", "student_id")
    assert shown.keys() == said.keys() == {sample_class.name(s) for s in CLASS}
    assert {s: round(shown[s]["score"], 2) for s in shown} == {s: float(said[s]["score"]) for s in said}
    assert {s: shown[s]["max_score"] for s in shown} == dict.fromkeys(said, 100.0)
    assert shown["eve-mistakes"]["needs_manual_grade"] and not shown["cleo-half"]["needs_manual_grade"]


def test_the_first_grading_makes_a_course_that_formgrader_lists(formgrader):
    shown = {a["name"]: a for a in formgrader.ask("formgrader/api/assignments")}
    assert shown[CHAPTER]["num_submissions"] == len(CLASS)


def test_every_question_has_the_points_of_questions_csv(course, formgrader):
    said = table(course / "questions.csv", "student")
    for student, grades in formgrader.grades().items():
        checks = {name.removeprefix("check-"): g["auto_score"] for name, g in grades.items() if "check-" in name}
        assert len(checks) == 13
        assert checks == {question: float(said[student][question]) for question in checks}


def test_points_and_comments_by_hand_outlive_grading_anew(course, formgrader):
    before = float(table(course / "grades.csv", "student_id")["eve-mistakes"]["score"])
    essay = formgrader.grades()["eve-mistakes"]["essay-swap"]
    formgrader.ask(f"formgrader/api/grade/{essay['id']}", manual_score=6.5, extra_credit=0.5)
    grade.grade(CHAPTER, course, force=True, say=lambda _: None)
    again = formgrader.grades()["eve-mistakes"]["essay-swap"]
    assert (again["manual_score"], again["extra_credit"]) == (6.5, 0.5)
    assert not again["needs_manual_grade"]
    test_everybody_has_the_total_of_grades_csv(course, formgrader)
    assert float(table(course / "grades.csv", "student_id")["eve-mistakes"]["score"]) == before + 7.0


def test_the_button_autograde_grades_nothing_and_says_where_to_grade(course, formgrader):
    """Nora's tags let stock nbgrader skip the checks, and give all their points."""
    nora, graded = "nora-skips-checks", course / "autograded" / "nora-skips-checks" / CHAPTER / f"{CHAPTER}.ipynb"
    before = formgrader.grades()[nora], graded.read_bytes()
    answer = formgrader.press(f"formgrader/api/submission/{CHAPTER}/{nora}/autograde")
    said = f"Nothing was graded: .* bow2lora grade {CHAPTER} --course {course}"
    assert not answer["success"] and re.fullmatch(rf"\[ERROR\] {said}\n", answer["log"])
    assert re.search(rf"Exception: {said}\n$", answer["error"])
    assert (formgrader.grades()[nora], graded.read_bytes()) == before


def test_the_other_buttons_work(course, formgrader):
    """The twin: nothing of a student's runs when a page is written."""
    page = course / "feedback" / "eve-mistakes" / CHAPTER / f"{CHAPTER}.html"
    answer = formgrader.press(f"formgrader/api/assignment/{CHAPTER}/eve-mistakes/generate_feedback")
    assert answer["success"], answer
    assert "F1 is the harmonic mean, not the plain mean" in page.read_text(encoding="utf-8")


def test_a_submission_is_shown_with_the_checks_words(formgrader):
    shown = formgrader.ask(f"formgrader/api/submitted_notebooks/{CHAPTER}/{CHAPTER}")
    eve = next(s for s in shown if s["student"] == "eve-mistakes")
    page = formgrader.page(f"formgrader/submissions/{eve['id']}/")
    assert "F1 is the harmonic mean, not the plain mean" in page
    assert "essay-swap" in page


def test_a_submission_is_shown_whole_and_without_a_network(formgrader):
    shown = formgrader.ask(f"formgrader/api/submitted_notebooks/{CHAPTER}/{CHAPTER}")
    eve = next(s for s in shown if s["student"] == "eve-mistakes")
    page = BeautifulSoup(formgrader.page(f"formgrader/submissions/{eve['id']}/"), "html.parser")
    drawn = {path.read_bytes() for path in (paths.release_notebook(CHAPTER).parent / "figures").glob("*.svg")}
    sources = [picture["src"].partition("base64,") for picture in page("img")]
    assert {base64.b64decode(code) for kind, _, code in sources if "svg" in kind} == drawn and len(drawn) > 5
    assert all(kind.startswith("data:image/") for kind, _, _ in sources)
    assert len(page("math")) > 100
    fetched = [tag.get("src") or tag.get("href") for tag in page(["script", "link"])]
    assert [where for where in fetched if where and where.startswith(("http", "//"))] == []
