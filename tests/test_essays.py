"""Essays by the hundred: pages without names, sheets with wrong rows, points in the gradebook, two markers."""

import csv
import re

import nbformat
import pytest
from quick_course import CHAPTER, book, run
from typer.testing import CliRunner

from autograder import paths
from autograder.__main__ import app
from autograder.essays import answers, gradebook, sheets
from autograder.essays.answers import Answer, side_by_side
from autograder.essays.sheets import Mark
from autograder.gradebook.nbgrader_course import course_config
from autograder.gradebook.recorder import Recorder
from helpers.errors import CourseError

pytestmark = pytest.mark.usefixtures("quick_pages")
POINTS = {"swap": 10.0, "near": 10.0}
TEXTS = {"ada-right": "The bag <script>alert(1)</script> forgets *order*.", "cleo-half": "Order is lost in a bag."}


def essays(course, *words):
    return CliRunner().invoke(app, ["essays", *map(str, words), "--course", str(course)])


def essay_names():
    notebook = nbformat.read(paths.release_notebook(CHAPTER), as_version=4)
    return [c.id.removeprefix("essay-") for c in notebook.cells if c.id.startswith("essay-")]


@pytest.fixture
def marked(course):
    """A graded course in which two students wrote something; returns (course, name of the essay)."""
    name = essay_names()[0]
    for student, text in TEXTS.items():
        path = course / "submitted" / student / CHAPTER / f"{CHAPTER}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        next(c for c in notebook.cells if c.id == f"essay-{name}").source = text
        path.write_text(nbformat.writes(notebook), encoding="utf-8")
    run(course)
    return course, name


def rows(path):
    return list(csv.DictReader(path.open(encoding="utf-8-sig", newline="")))


def fill(path, **given):
    """Write points and comments into a sheet: {number: (points, comment)}."""
    found = rows(path)
    for row in found:
        row["points"], row["comment"] = given.get(row["answer"], ("", ""))
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(found[0]))
        out.writeheader()
        out.writerows(found)
    return path


def test_the_page_shows_answers_without_names_and_nothing_in_it_acts(marked):
    course, name = marked
    told = essays(course, "export", CHAPTER)
    assert told.exit_code == 0, told.output
    page = (course / "essays" / CHAPTER / f"{name}.html").read_text(encoding="utf-8")
    assert "<em>order</em>" in page and "<script" not in page and "&lt;script" in page
    assert "How it is marked" in page and re.search(r"\d+ points?:", page)
    for student in TEXTS:
        assert student not in page
        assert answers.number(course, student, name) in page
    assert len([row for row in rows(course / "essays" / CHAPTER / "marks.csv") if row["essay"] == name]) == 2


def test_points_and_comments_reach_the_gradebook_and_the_next_sheet(marked):
    course, name = marked
    essays(course, "export", CHAPTER)
    ada, cleo = (answers.number(course, student, name) for student in TEXTS)
    sheet = fill(course / "essays" / CHAPTER / "marks.csv", **{ada: ("7,5", "'=well read"), cleo: ("0", "")})
    told = essays(course, "import", CHAPTER, sheet)
    assert told.exit_code == 0 and "2 answers recorded" in told.output, told.output
    with Recorder(course_config(course), CHAPTER) as recorder:
        assert recorder.grades()["ada-right"][f"essay-{name}"][1] == 7.5
        assert recorder.comments()["ada-right"][f"essay-{name}"][1] == "=well read"
        assert recorder.grades()["cleo-half"][f"essay-{name}"][1] == 0.0
    run(course)
    assert ",87.5," in (course / "grades.csv").read_text(encoding="utf-8")
    essays(course, "export", CHAPTER)
    again = {row["answer"]: (row["points"], row["comment"]) for row in rows(sheet)}
    assert again[ada] == ("7.5", "'=well read") and again[cleo] == ("0", "")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("{ada},{name},11,10,", "no number of points from 0 to 10"),
        ("{ada},{name},nan,10,", "no number of points"),
        ("{ada},other,5,10,", "there is no essay 'other'"),
        ("6.98E+53,{name},5,10,", "nobody's answer to '{name}' is 6.98E+53"),
        ("{ada}x,{name},5,10,", "; is it {ada}?"),
        ("{ada},{name},5,10,\n{ada},{name},6,10,", "points twice"),
    ],
)
def test_a_wrong_row_is_one_line_and_only_it_is_refused(marked, row, said):
    course, name = marked
    ada, cleo = (answers.number(course, student, name) for student in TEXTS)
    sheet = course / "sheet.csv"
    text = f"answer,essay,points,of,comment\n{cleo},{name},3,10,\n" + row.format(ada=ada, name=name)
    sheet.write_text(text, encoding="utf-8")
    told = essays(course, "import", CHAPTER, sheet)
    assert told.exit_code == 1 and "1 answer recorded" in told.stdout
    lines = told.stderr.splitlines()
    assert len(lines) == 1 + row.count("\n") and all("row " in line for line in lines)
    assert said.format(ada=ada, name=name) in lines[0]
    assert {mark.points for mark in gradebook.known(course, CHAPTER).values()} == {3.0}


def test_the_sheet_of_another_course_is_one_line_and_nothing_is_recorded(marked):
    course, name = marked
    sheet = course / "sheet.csv"
    sheet.write_text(f"answer,essay,points,of,comment\nbcdfghjkmn,{name},3,10,\n", encoding="utf-8")
    told = essays(course, "import", CHAPTER, sheet)
    assert isinstance(told.exception, CourseError) and "no answer in it is of this course" in str(told.exception)
    assert gradebook.known(course, CHAPTER) == {}


def test_no_spreadsheet_takes_an_answers_number_for_anything_but_text(course):
    numbers = {answers.number(course, f"student {n}", "swap") for n in range(2_000)}
    assert len(numbers) == 2_000
    assert all(re.fullmatch("[bcdfghjkmnpqrstv]{10}", number) for number in numbers)


def test_a_sheet_without_its_columns_or_a_course_without_essays_is_one_line(course, tmp_path):
    sheet = tmp_path / "x.csv"
    sheet.write_text("name,points\nada,3\n", encoding="utf-8")
    with pytest.raises(CourseError, match="there is no column 'answer'"):
        sheets.read(sheet, POINTS, set(), {})
    assert "no essay of" in str(essays(course, "export", CHAPTER).exception)


def test_two_markers_who_agree_and_two_who_do_not():
    first = {("swap", str(i)): Mark(float(i), "") for i in range(10)}
    near = {key: Mark(mark.points + 0.5, "") for key, mark in first.items()}
    far = {key: Mark(9.0 - mark.points, "") for key, mark in first.items()}
    (line,) = sheets.agreement(first, near, POINTS)
    assert "10 answers marked twice, 0.50 points apart on average, the second +0.50" in line and "kappa 0.99" in line
    head, *apart = sheets.agreement(first, far, POINTS)
    assert "kappa -1.00" in head and len(apart) == 8 and "look at it together" in apart[0]
    assert sheets.agreement(first, {}, POINTS) == []


def test_answers_much_alike_stand_beside_one_another_and_say_so():
    texts = ["a bag forgets the order of words", "cosine ignores length", "the bag forgets the order of all words"]
    found = side_by_side([Answer(str(i), "swap", f"<p>{text}</p>") for i, text in enumerate(texts)])
    order = [answer.number for answer in found]
    assert abs(order.index("0") - order.index("2")) == 1
    assert {a.number: a.alike for a in found} == {"0": ("2",), "1": (), "2": ("0",)}


def test_a_number_tells_nobody_without_the_secret(course, monkeypatch):
    monkeypatch.setenv("BOW2LORA_SECRET", "one")
    first = answers.number(course, "ada", "swap")
    assert first == answers.number(course, "ada", "swap") != answers.number(course, "ada", "near")
    monkeypatch.setenv("BOW2LORA_SECRET", "two")
    assert first != answers.number(course, "ada", "swap")


def test_the_gradebook_of_stock_nbgrader_reads_the_points(marked):
    course, name = marked
    gradebook.record(course, CHAPTER, {("ada-right", name): Mark(6.0, "good")})
    with book(course) as stock:
        assert stock.find_submission(CHAPTER, "ada-right").score == 86.0


@pytest.mark.parametrize("kind", ["markdown", "comments"])
def test_an_essay_typed_in_a_new_cell_below_is_shown_to_the_marker_and_not_0_by_machine(course, kind):
    name, text = essay_names()[0], "Two messages were marked wrongly, since a bag forgets which word came first."
    path = course / "submitted" / "dan-untouched" / CHAPTER / f"{CHAPTER}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    at = [cell.id for cell in notebook.cells].index(f"essay-{name}")
    made = nbformat.v4.new_markdown_cell(text) if kind == "markdown" else nbformat.v4.new_code_cell(f"# {text}")
    notebook.cells.insert(at + 1, made)
    path.write_text(nbformat.writes(notebook), encoding="utf-8")
    run(course)
    with (course / "questions.csv").open(encoding="utf-8", newline="") as file:
        dan = next(row for row in csv.DictReader(file) if row["student"] == "dan-untouched")
    assert dan[f"essay {name}"] == "by hand" and "stood in cells of its own below" in dan["notes"]
    essays(course, "export", CHAPTER)
    assert text in (course / "essays" / CHAPTER / f"{name}.html").read_text(encoding="utf-8")
