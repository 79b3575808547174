"""An assignment with two notebooks, hand-graded code and unproved points: gradebook, pages, reports and exports."""

import csv
from datetime import UTC, datetime
from pathlib import Path

import nbformat
import pytest
import several_notebooks as shapes
from nbgrader.api import Gradebook
from quick_course import Here, pages
from several_notebooks import NAME

from autograder.gradebook import feedback_pages, graded_notebook
from autograder.gradebook.late_work import Policy
from autograder.gradebook.nbgrader_course import grading_config
from autograder.gradebook.recorder import Recorder
from autograder.grading import grade

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


def test_marks_and_comments_of_a_person_reach_the_cell_that_is_meant(graded):
    with recorder(graded) as book:
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
    run(graded)  # what a person gave stays
    with recorder(graded) as book:
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
    assert found["flat--try_it"] == "print(area(2, 2))" and "of mine" in found["flat--draw"]
    assert shapes.AREA in found["flat--area_is_used"] and "rim" not in found["flat--area_is_used"]


def test_students_read_a_page_for_each_notebook_without_hidden_tests_and_mark_schemes(graded):
    assert list(real_pages(NAME, graded, ["ada"], 1)) == [("ada", "")]
    flat, round_ = (page.read_text(encoding="utf-8") for page in feedback_pages.pages(NAME, graded, "ada"))
    assert "area(2, 3) == 6" in flat
    assert "0.1, 10" not in flat and shapes.SCHEME not in flat and "HIDDEN" not in flat
    assert "a person grades this test" in flat and "unproved" in round_
    assert not (graded / "feedback/ada" / NAME / f"{NAME}.html").exists()
