"""A student leaves, or is to be deleted: nothing of them stays in the course's folder, and nothing of others goes."""

import json
import shutil

import pytest
from quick_course import CHAPTER, book, run
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.essays import answers
from autograder.lms.roster_import import import_roster
from helpers.errors import CourseError

pytestmark = pytest.mark.usefixtures("quick_pages")
ADA, CLEO = "ada-right", "cleo-half"


def bow2lora(course, *words, **options):
    return CliRunner().invoke(app, [*map(str, words), "--course", str(course)], **options)


@pytest.fixture
def term(course):
    """A class that was graded and reported, with a copy of its gradebook, a sheet of essays and a record of zips."""
    (course / "people.csv").write_text("id,name\nada-right,Ada Right\ncleo-half,Cleo Half\n", encoding="utf-8")
    import_roster(course / "people.csv", course)
    (course / "people.csv").unlink()
    run(course)
    assert bow2lora(course, "report", CHAPTER).exit_code == 0
    shutil.copy(course / "gradebook.db", course / "build" / "gradebook_before_1.db")
    sheet = course / "essays" / CHAPTER / "marks.csv"
    sheet.parent.mkdir(parents=True)
    numbers = [answers.number(course, student, "swap") for student in (ADA, CLEO)]
    sheet.write_text("answer,essay,points,of,comment\n" + "".join(f"{n},swap,4,10,\n" for n in numbers), "utf-8-sig")
    (course / "collected.json").write_text(json.dumps({CHAPTER: {ADA: {"system": "moodle"}, CLEO: {}}}))
    return course


def holding(course, student: str) -> list[str]:
    files = [path for path in course.rglob("*") if path.is_file()]
    return [str(path) for path in files if student in str(path) or student.encode() in path.read_bytes()]


def test_nothing_of_a_student_stays_and_all_of_the_others(term):
    number = answers.number(term, ADA, "swap")
    assert len(holding(term, ADA)) > 8
    told = bow2lora(term, "roster", "remove", ADA.upper(), "--yes")  # as a person types it
    assert told.exit_code == 0, told.output
    assert holding(term, ADA) == []
    sheet = (term / "essays" / CHAPTER / "marks.csv").read_text(encoding="utf-8-sig")
    assert number not in sheet and answers.number(term, CLEO, "swap") in sheet and "4,10" in sheet
    assert list(json.loads((term / "collected.json").read_text())[CHAPTER]) == [CLEO]
    for name in ("submitted", "autograded", "feedback"):
        assert (term / name / CLEO).is_dir() and f"taken out: {name}/{ADA}" in told.output
    with book(term) as stock:
        assert CLEO in {student.id for student in stock.students}
    run(term)
    assert CLEO in (term / "grades.csv").read_text(encoding="utf-8")
    bow2lora(term, "export", CHAPTER)
    assert holding(term, ADA) == []


def test_who_merely_left_keeps_points_and_has_no_row(term):
    told = bow2lora(term, "roster", "remove", ADA, "--keep-points")
    assert told.exit_code == 0 and told.output == "taken out: roster.csv\n"
    assert ADA not in (term / "roster.csv").read_text(encoding="utf-8")
    with book(term) as stock:
        assert stock.find_submission(CHAPTER, ADA).score == 80.0
    assert (term / "submitted" / ADA).is_dir()


@pytest.mark.parametrize("name", ["nobody", "..", "../submitted", "", "."])
@pytest.mark.parametrize("yes", [["--yes"], []])  # it does not ask about nobody
def test_a_name_that_is_nobodys_removes_nothing(term, name, yes):
    before = sorted(term.rglob("*"))
    told = bow2lora(term, "roster", "remove", *yes, name)
    assert isinstance(told.exception, CourseError) and "there is no student" in str(told.exception)
    assert sorted(term.rglob("*")) == before


def test_it_asks_first_and_what_still_names_the_student_is_listed(term):
    told = bow2lora(term, "roster", "remove", ADA, input="n\n")
    assert told.exit_code == 1 and (term / "submitted" / ADA).is_dir()
    (term / "course.toml").write_text(f'[groups]\nlab2 = ["{ADA}"]\n')
    told = bow2lora(term, "roster", "remove", ADA, input="y\n")
    assert told.exit_code == 1 and "look yourself: course.toml" in told.output
    assert not (term / "submitted" / ADA).exists()
