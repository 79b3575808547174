"""The exchange's whole circle with nbgrader's own commands, two students and our grading in the middle."""

import shutil
from pathlib import Path

import nbformat
import pytest
from in_exchange import COURSE, Exchange
from quick_course import CHAPTER, Here, Quick
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.authoring.build import build
from autograder.execution import dispatch
from autograder.gradebook.graded_notebook import EXCHANGE_SECRET
from autograder.grading import grade, sample_class

ANSWERS = {"ada": sample_class.ada_right, "ben": sample_class.dan_untouched}
FORGED = {"empty": b"", "short": b"0a", "a path": b"../../x" * 9, "bytes": b"\xff" * 64, "long": b"a" * 2000}


def bow2lora(course: Path, *words: str) -> str:
    """Run a command of ours for a course; answers are judged at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dispatch, "backend", lambda *_: Quick)
        patch.setattr(grade, "Intake", Here)
        told = CliRunner().invoke(app, [*words, "--course", str(course)])
    assert told.exit_code == 0, (words, told.output, told.exception)
    return told.output


def work(exchange: Exchange, student: str) -> None:
    """Answer what was fetched."""
    fetched = exchange.home(student) / CHAPTER / f"{CHAPTER}.ipynb"
    nbformat.write(ANSWERS[student](sample_class.Material()), fetched)


@pytest.fixture(scope="module")
def circle(tmp_path_factory) -> Exchange:
    """An exchange through which a chapter went, and the feedback came back."""
    folder = tmp_path_factory.mktemp("term")
    build(CHAPTER)
    exchange = Exchange(folder, folder / "course")
    exchange.course.mkdir()
    bow2lora(exchange.course, "release", CHAPTER)
    exchange.instructor("release_assignment", CHAPTER)
    for student in ANSWERS:
        exchange.student(student, "fetch_assignment", CHAPTER)
        work(exchange, student)
        exchange.student(student, "submit", CHAPTER)
    exchange.instructor("collect", CHAPTER)
    by_hand = exchange.course / "submitted/cleo" / CHAPTER / f"{CHAPTER}.ipynb"
    by_hand.parent.mkdir(parents=True)
    nbformat.write(sample_class.cleo_half(sample_class.Material()), by_hand)
    bow2lora(exchange.course, "grade", CHAPTER)
    exchange.instructor("release_feedback", CHAPTER)
    for student in ANSWERS:
        exchange.student(student, "fetch_feedback", CHAPTER)
    return exchange


def pages(exchange: Exchange, student: str) -> list[Path]:
    """Return the feedback pages that a student has."""
    return sorted((exchange.home(student) / CHAPTER / "feedback").glob(f"*/{CHAPTER}.html"))


def test_what_is_fetched_is_the_student_edition(circle):
    (outbound,) = (circle.root / COURSE / "outbound").iterdir()
    names = {path.relative_to(outbound).parts[0] for path in outbound.rglob("*")}
    assert names == {f"{CHAPTER}.ipynb", "checks", "figures"}
    text = "".join(path.read_text(encoding="utf-8") for path in outbound.rglob("*") if path.suffix in (".ipynb", ".py"))
    assert "HIDDEN TESTS" not in text and "BEGIN SOLUTION" not in text and "check.hidden" not in text


def test_everybody_gets_the_page_of_their_own_work(circle):
    for student in ANSWERS:
        (page,) = pages(circle, student)
        sent = circle.course / "feedback" / student / CHAPTER / f"{CHAPTER}.html"
        assert page.read_bytes() == sent.read_bytes()
    assert pages(circle, "ada")[0].read_bytes() != pages(circle, "ben")[0].read_bytes()


def test_work_that_came_another_way_does_not_stop_the_release(circle):
    released = list((circle.root / COURSE / "feedback").glob("*.html"))
    assert len(released) == len(ANSWERS) + 1
    secret = circle.course / "feedback/cleo" / CHAPTER / EXCHANGE_SECRET
    assert len(secret.read_text(encoding="utf-8")) == 64
    assert not (circle.course / "autograded/cleo" / CHAPTER / EXCHANGE_SECRET).exists()


def test_a_second_submission_has_its_own_page_and_the_first_stays(circle):
    first = pages(circle, "ben")[0].read_bytes()
    nbformat.write(sample_class.ada_right(sample_class.Material()), circle.home("ben") / CHAPTER / f"{CHAPTER}.ipynb")
    circle.student("ben", "submit", CHAPTER)
    circle.instructor("collect", CHAPTER, "--update")
    said = bow2lora(circle.course, "grade", CHAPTER)
    assert "1 of them new or changed" in said and "ben" in said
    circle.instructor("release_feedback", CHAPTER)
    circle.student("ben", "fetch_feedback", CHAPTER)
    assert len(found := pages(circle, "ben")) == 2
    assert found[0].read_bytes() == first != found[1].read_bytes()


@pytest.mark.parametrize("what", [*FORGED, "a link"])
def test_a_secret_that_nbgrader_did_not_write_is_none(circle, tmp_path, what):
    course = shutil.copytree(circle.course, tmp_path / "course")
    path = course / "submitted/ada" / CHAPTER / EXCHANGE_SECRET
    path.unlink()
    if what in FORGED:
        path.write_bytes(FORGED[what])
    else:
        path.symlink_to(circle.course / "submitted/ben" / CHAPTER / EXCHANGE_SECRET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.gradebook.feedback_pages.write_pages", lambda *_: iter(()))
        bow2lora(course, "grade", CHAPTER)
    assert not (course / "autograded/ada" / CHAPTER / EXCHANGE_SECRET).exists()
