"""An assignment with two notebooks, hand-graded code and unproved points: gradebook, pages, reports and exports."""

import csv
import json
import shutil
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as xml

import nbformat
import pytest
import several_notebooks as shapes
from nbgrader.api import Gradebook
from quick_course import Here, pages
from several_notebooks import NAME
from typer.testing import CliRunner

from autograder import adopted_table
from autograder.__main__ import app
from autograder.adopting import source as sources
from autograder.gradebook import feedback_pages, graded_notebook
from autograder.gradebook.late_work import Policy
from autograder.gradebook.nbgrader_course import converter, grading_config
from autograder.gradebook.recorder import Recorder
from autograder.grading import grade
from autograder.grading.course_folder import write_config
from autograder.report import likeness, table
from helpers.errors import CourseError

DUE = "[due]\nshapes = 2026-10-01T12:00:00+00:00\n[late]\nper_day = 10\n"
real_pages = feedback_pages.write_pages


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Path:
    """A course with two students' work, graded."""
    course = shapes.make(tmp_path_factory.mktemp("shapes"))
    shapes.hand_in(course, "ada", shapes.ALL, shapes.DRAWING)
    shapes.hand_in(course, "bo", shapes.PART)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feedback_pages, "write_pages", pages)
        patch.setattr(grade, "Intake", Here)
        run(course)
    return course


def run(course: Path) -> dict[str, grade.Row]:
    rows = grade.grade(NAME, course, backend=shapes.Judging, say=lambda line: None, workers=1)
    return {row.student: row for row in rows}


def recorder(course: Path, policy: Policy | None = None) -> Recorder:
    return Recorder(grading_config(course), NAME, policy=policy)


def test_each_cell_of_each_notebook_has_its_points_in_the_gradebook(graded):
    with recorder(graded) as book:
        grades, possible = book.grades(), book.possible()
    tests = {name: test.points for name, test in shapes.TESTS.items()}
    assert possible == tests | shapes.BY_HAND
    assert {name: auto for name, (auto, *_) in grades["ada"].items()} == {
        "flat--area_is_right": 2,
        "flat--area_is_used": None,
        "flat--try_it": None,
        "flat--draw": None,
        "round--why": None,
        "round--rim_is_right": 1,
    }
    assert [name for name, (*_, needs) in grades["ada"].items() if needs] == [
        name for name in grades["ada"] if name in shapes.BY_HAND
    ]


def test_what_was_left_as_it_was_handed_out_earns_0_at_once_code_too(graded):
    with recorder(graded) as book:
        grades, comments = book.grades()["bo"], book.comments()
    assert (grades["flat--try_it"][0], grades["round--why"][0]) == (0, 0)
    empty = {name for name, (said, _) in comments["bo"].items() if said}
    assert empty == {"flat--try_it", "round--why", "round--area"}  # the two answers called area are not mixed up
    assert not any(said for said, _ in comments["ada"].values())


def test_each_notebook_is_written_with_its_cells_own_names(graded):
    folder = graded / "autograded/ada" / NAME
    assert sorted(path.name for path in folder.iterdir()) == ["flat.ipynb", "round.ipynb", "timestamp.txt"]
    notebook = nbformat.read(folder / "flat.ipynb", as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    assert {"area", "area_is_right", "area_is_used", "try_it", "draw", "mark-scheme-draw"} <= cells.keys()
    assert cells["try_it"].outputs[0].text == "what it printed\n"
    assert cells["area_is_used"].outputs[0].text == f"a person grades this test: {shapes.WHY}"
    assert shapes.SCHEME in cells["mark-scheme-draw"].source and shapes.SCHEME not in cells["draw"].source
    assert "<script>" not in next(cell.source for cell in notebook.cells if "of mine" in cell.source)
    other = nbformat.read(folder / "round.ipynb", as_version=4)
    (check,) = (cell for cell in other.cells if cell.id == "rim_is_right")
    assert "unproved" in check.outputs[1].text and check.outputs[2].data["text/plain"] == "1.0"


def test_marks_and_comments_of_a_person_reach_the_cell_that_is_meant(course):
    with recorder(course) as book:
        book.grade_by_hand({("ada", "round--why"): (1.5, "good"), ("ada", "flat--draw"): (2.0, "")})
        book.answer_by_hand({("ada", "flat--area_is_right"): 1.0}, {("ada", "flat--area"): "see above"})
        grades, comments, known = book.grades()["ada"], book.comments()["ada"], book.ledger()["ada"]
    assert (grades["round--why"][1], grades["flat--draw"][1]) == (1.5, 2.0)
    assert (comments["round--why"][1], comments["flat--area"][1]) == ("good", "see above")
    assert known["manual"] == {
        "flat--area_is_used": None,
        "flat--try_it": None,
        "flat--draw": 2.0,
        "round--why": 1.5,
    }
    assert known["changed"] == {"flat--area_is_right": -1.0}
    run(course)  # what a person gave stays
    with recorder(course) as book:
        assert book.ledger()["ada"]["manual"]["round--why"] == 1.5


def test_the_late_points_of_all_notebooks_are_the_policys_share_of_all_points(tmp_path):
    course = shapes.make(tmp_path)
    shapes.hand_in(course, "ada", shapes.ALL)
    (course / "course.toml").write_text(DUE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feedback_pages, "write_pages", pages)
        patch.setattr(grade, "Intake", Here)
        run(course)
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "bow2lora") as book:
        submission = book.find_submission(NAME, "ada")
        penalties = {one.name: one.late_submission_penalty for one in submission.notebooks}
        assert penalties == {"flat": 0.4, "round": 0.2} and submission.late_submission_penalty == pytest.approx(0.6)
    with recorder(course) as book:
        assert book.ledger()["ada"]["late"] == 0.6
    with (course / "grades.csv").open(encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert [float(row[c]) for c in ("raw_score", "late_submission_penalty", "score", "max_score")] == [3, 0.6, 2.4, 11]


def test_late_points_sum_up_to_the_cent(tmp_path):
    policy = Policy(due={NAME: datetime(2026, 10, 1, tzinfo=UTC)})
    charged = []
    book = recorder(shapes.make(tmp_path), policy)
    for scores in [(0.05, 0.05), (1.0, 0.0), (0.0, 1.0), (1 / 3, 1 / 3)]:
        named = zip("ab", scores, strict=True)
        notebooks = [type("Part", (), {"name": name, "score": score})() for name, score in named]
        whole = type("Whole", (), {"notebooks": notebooks})()
        book.policy = type("Third", (), {"share": lambda self, days: 0.3})()
        total = book._charge(whole, 1)
        assert total == pytest.approx(sum(one.late_submission_penalty or 0.0 for one in notebooks))
        charged.append(total)
    assert charged == [0.03, 0.3, 0.3, 0.2]


def test_what_the_points_of_a_task_are_given_for_is_what_stands_below_it(graded):
    notebook = graded_notebook.read(graded / "autograded/ada" / NAME, ("flat", "round"))
    found = graded_notebook.grounds(notebook, shapes.BY_HAND)
    assert [cell.id for cell in found["flat--try_it"]] == ["flat--try_it"]
    assert [cell.id for cell in found["flat--draw"]] == ["flat--own-01"]
    assert [cell.id for cell in found["flat--area_is_used"]] == ["flat--area"]


def test_students_read_a_page_for_each_notebook_without_hidden_tests_and_mark_schemes(graded):
    assert list(real_pages(NAME, graded, ["ada"], 1)) == [("ada", "")]
    flat, round_ = (page.read_text(encoding="utf-8") for page in feedback_pages.pages(NAME, graded, "ada"))
    assert "area(2, 3) == 6" in flat
    assert "0.1, 10" not in flat and shapes.SCHEME not in flat and "HIDDEN" not in flat
    assert "a person grades this test" in flat and "unproved" in round_
    assert not (graded / "feedback/ada" / NAME / f"{NAME}.html").exists()


# What is made of it.


@pytest.fixture
def course(graded, tmp_path) -> Path:
    """A fresh copy of the graded course."""
    return shutil.copytree(graded, tmp_path / "course")


def bow2lora(*words: str | Path):
    return CliRunner().invoke(app, list(map(str, words)))


def test_reports_and_tables_say_what_is_unproved(course):
    done = bow2lora("report", NAME, "--course", course)
    assert done.exit_code == 0, done.output
    for name in ("class.html", "students/ada.html"):
        page = (course / "reports" / NAME / name).read_text(encoding="utf-8")
        assert "<title>" in page and "Flat shapes" in page and "unproved" in page
    assert "unproved" not in (course / "reports" / NAME / "students/bo.html").read_text(encoding="utf-8")
    assert bow2lora("export", NAME, "--course", course).exit_code == 0
    with (course / "questions.csv").open(encoding="utf-8") as file:
        ada, bo = csv.DictReader(file)
    assert (ada["round--rim_is_right (unproved)"], ada["flat--area_is_right"]) == ("1.0", "2.0")
    assert (ada["essay round--why"], bo["essay round--why"]) == ("by hand", "0.0")
    assert "unproved" in ada["notes"] and "unproved" not in bo["notes"]
    told = [str(part) for part in table.report(list(run(course).values()), NAME, 80)]
    text = next(line for line in told if line.startswith("Questions: "))
    assert "round--rim_is_right (unproved)" in text and "flat--area_is_right (" not in text


def test_other_systems_are_told_what_is_unproved(course):
    assert bow2lora("export", NAME, "--format", "junit", "--course", course).exit_code == 0
    (case,) = (c for c in xml.parse(course / "junit.xml").iter("testcase") if c.find("system-out") is not None)
    assert case.get("name") == "round--rim_is_right" and "unproved" in case.findtext("system-out")
    assert bow2lora("export", NAME, "--format", "gradescope", "--course", course).exit_code == 0
    told = json.loads((course / "gradescope/ada/results.json").read_text(encoding="utf-8"))
    said = {test["name"]: test["output"] for test in told["tests"]}
    assert "unproved" in said["round--rim_is_right"] and "unproved" not in said["flat--area_is_right"]
    assert bow2lora("export", NAME, "--format", "moodle", "--course", course).exit_code == 0
    assert "round--rim_is_right 1 of 1 (unproved)" in (course / "moodle.csv").read_text(encoding="utf-8")


def test_answers_in_words_in_code_and_drawings_are_marked_in_a_sheet(course):
    done = bow2lora("essays", "export", NAME, "--course", course)
    assert done.exit_code == 0, done.output
    folder = course / "essays" / NAME
    drawing = (folder / "flat--draw.html").read_text(encoding="utf-8")
    assert "Draw a rectangle below." in drawing and "both sides carry" in drawing and "of mine" in drawing
    assert "<script>" not in drawing and "MARK SCHEME" not in drawing
    assert "print(area(2, 2))" in (folder / "flat--try_it.html").read_text(encoding="utf-8")
    assert not (folder / "flat--area_is_used.html").exists()
    assert "answer of their own: flat--area_is_used; see formgrader" in done.output
    with (folder / "marks.csv").open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert {row["essay"]: row["of"] for row in rows} == {"flat--try_it": "3", "flat--draw": "2", "round--why": "2"}
    with (folder / "marks.csv").open("w", encoding="utf-8", newline="") as file:
        sheet = csv.DictWriter(file, list(rows[0]))
        sheet.writeheader()
        sheet.writerows(row | {"points": "1"} for row in rows)
    done = bow2lora("essays", "import", NAME, folder / "marks.csv", "--course", course)
    assert done.exit_code == 0, done.output
    with recorder(course) as book:
        manual = {name: points for name, (_, points, *_) in book.grades()["ada"].items() if points is not None}
        assert manual["flat--try_it"] == manual["flat--draw"] == manual["round--why"] == 1
        assert all(points is None for _, points, *_ in book.grades()["bo"].values())


def test_what_students_ask_on_a_test_is_answered_at_the_answer_above_it(course):
    folder = course / "requests" / NAME
    folder.mkdir(parents=True)
    asked = "# area_is_right\nWhy?\n# round--why\nAnd this?\n# rim\nThis?\n"
    (folder / "ada.md").write_text(asked, encoding="utf-8")
    done = bow2lora("requests", "list", NAME, "--course", course)
    assert "there is no question 'rim'" in done.output and "2 requests" in done.output
    with (folder / "answers.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["question"] for row in rows] == ["flat--area_is_right", "round--why"]
    with (folder / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        sheet = csv.DictWriter(file, list(rows[0]))
        sheet.writeheader()
        sheet.writerows(row | {"answer": "Because."} for row in rows)
    assert bow2lora("requests", "answer", NAME, folder / "answers.csv", "--course", course).exit_code == 0
    with recorder(course) as book:
        said = {name: manual for name, (_, manual) in book.comments()["ada"].items() if manual}
    assert "Because." in said["flat--area"] and "Because." in said["round--why"]


def test_the_pages_of_all_notebooks_go_back(course):
    list(pages(NAME, course, ["ada", "bo"], 1))
    member = "Ada Lovelace_11_assignsubmission_file_/flat.ipynb"
    (course / "collected.json").write_text(
        json.dumps({NAME: {"ada": {"system": "moodle", "members": [member], "number": "11"}}}), encoding="utf-8"
    )
    assert bow2lora("return", NAME, "--course", course).exit_code == 0
    with zipfile.ZipFile(course / "returns" / f"{NAME}_moodle.zip") as packed:
        begin = "Ada Lovelace_11_assignsubmission_file_/"
        assert sorted(packed.namelist()) == [f"{begin}flat.html", f"{begin}round.html"]


def test_work_that_looks_alike_is_found_in_every_notebook(course):
    given = likeness.answers(course, NAME)
    assert given["ada"]["round--area"] == shapes.RIM and set(given["bo"]) == {"flat--area"}
    assert "return width * height" in likeness.models(NAME, course)["flat--area"]


def test_a_zip_of_an_adopted_assignment_is_collected_and_another_name_refused(course):
    work = course / "submitted/ada" / NAME
    (course / "roster.csv").write_text("id,first_name,last_name,email\ncy,Cy,Young,\n", encoding="utf-8")
    with zipfile.ZipFile(course / "all.zip", "w") as packed:
        for name in ("flat", "round"):
            packed.write(work / f"{name}.ipynb", f"Cy Young_12_assignsubmission_file_/{name}.ipynb")
    done = bow2lora("collect", NAME, course / "all.zip", "--course", course)
    assert done.exit_code == 0, done.output
    there = sorted(path.name for path in (course / "submitted/cy" / NAME).iterdir())
    assert there == ["flat.ipynb", "round.ipynb"]
    done = bow2lora("collect", "shape", course / "all.zip", "--course", course)
    assert f"adopted: {NAME}" in str(done.exception)


def test_who_leaves_is_taken_out_of_every_notebook(course):
    assert "taken out: gradebook" in bow2lora("roster", "remove", "ada", "--course", course, "--yes").output
    assert not list(course.glob("*/ada"))
    with recorder(course) as book:
        assert book.students() == {"bo"}


def test_formgraders_generate_button_writes_what_adopt_graded(course):
    before = (course / "build/release" / NAME / "flat.ipynb").read_bytes()
    write_config(course)
    step = converter("GenerateAssignment", NAME, grading_config(course))
    step.start()
    assert (course / "build/release" / NAME / "flat.ipynb").read_bytes() == before


def test_a_notebook_that_goes_after_work_was_handed_in_is_refused_with_a_way_out(course):
    (course / "source" / NAME / "round.ipynb").unlink()
    source = sources.read(course / "source" / NAME)
    sources.write(source, course / "build/source" / NAME)
    smaller = replace(adopted_table.read(course, NAME), source=source.digest, notebooks=("flat",))
    adopted_table.write(course, smaller)
    with pytest.raises(CourseError, match=r"does not take shapes .*; put the cells back and adopt it again"):
        run(course)
