"""Regrade requests: a student's file, the markers' table, the answer in the comment that the feedback page shows."""

import csv

import pytest
from quick_course import CHAPTER, run
from test_teams import CLASS, TEAMS, enrol, hand_in, team
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.essays import requests as asked
from autograder.gradebook.nbgrader_course import course_config
from autograder.gradebook.recorder import Recorder
from helpers.errors import CourseError

__all__ = ["team"]
pytestmark = pytest.mark.usefixtures("quick_pages")
FILE = """Hello,

# judge
My third case <script>alert(1)</script>
is *right*, =1+1.

## False-Alarms ##
I named two messages.

# curves
"""


@pytest.fixture
def term(course):
    """A graded course in which one student asks two things."""
    run(course)
    ask(course, "cleo-half.md", FILE)
    return course


def ask(course, name: str, text: str | bytes) -> None:
    path = course / "requests" / CHAPTER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)


def bow2lora(course, *words):
    return CliRunner().invoke(app, [*map(str, words), "--course", str(course)])


def table(course):
    return course / "requests" / CHAPTER / "answers.csv"


def rows(course) -> list[dict[str, str]]:
    with table(course).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def answer(course, **given) -> None:
    """Fill in the table: question_with_underscores=(new points, answer)."""
    found = rows(course)
    for row in found:
        row["new points"], row["answer"] = given.get(row["question"].replace("-", "_"), ("", ""))
    with table(course).open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(found[0]))
        out.writeheader()
        out.writerows(found)


def record(course, student: str) -> tuple[dict, dict]:
    with Recorder(course_config(course), CHAPTER) as recorder:
        return recorder.grades()[student], recorder.comments()[student]


def test_the_table_has_what_is_asked_with_the_points_of_now(term):
    told = bow2lora(term, "requests", "list", CHAPTER)
    assert told.exit_code == 0 and "2 requests, 2 without an answer" in told.output
    found = rows(term)
    assert [(row["student"], row["question"]) for row in found] == [
        ("cleo-half", "judge"), ("cleo-half", "false-alarms"),
    ]  # fmt: skip
    assert found[0]["asked"] == "My third case <script>alert(1)</script> is *right*, =1+1."
    grades, _ = record(term, "cleo-half")
    assert float(found[0]["points"]) == grades["check-judge"][0] and float(found[1]["of"]) == 10.0


def test_the_answer_is_in_the_comment_and_the_points_where_they_are_due(term):
    bow2lora(term, "requests", "list", CHAPTER)
    answer(term, judge=("", "Case 3 is right as it is."), false_alarms=("7,5", "Yes, two."))
    told = bow2lora(term, "requests", "answer", CHAPTER, table(term))
    assert told.exit_code == 0 and "2 answers recorded" in told.output, told.output
    before, _ = record(term, "cleo-half")
    run(term)
    grades, comments = record(term, "cleo-half")
    assert grades["check-judge"][1] is None and grades["essay-false-alarms"][1] == 7.5
    assert grades["check-judge"] == before["check-judge"]
    said = comments["judge"][1]
    assert said.endswith("): Case 3 is right as it is.") and "script" not in said
    assert comments["essay-false-alarms"][1].endswith("): Yes, two.")
    told = bow2lora(term, "requests", "list", CHAPTER)
    assert "2 requests, 0 without an answer" in told.output and rows(term)[0]["answer"] == "Case 3 is right as it is."


def test_a_later_request_is_open_again_and_its_answer_takes_the_place_of_the_first(term):
    with Recorder(course_config(term), CHAPTER) as recorder:
        recorder.answer_by_hand({}, {("cleo-half", "judge"): "Well written."})
    bow2lora(term, "requests", "list", CHAPTER)
    answer(term, judge=("", "No."))
    bow2lora(term, "requests", "answer", CHAPTER, table(term))
    ask(term, "cleo-half.md", "# judge\nBut look at case 4.\n")
    told = bow2lora(term, "requests", "list", CHAPTER)
    assert "1 request, 1 without an answer" in told.output
    answer(term, judge=("6", "Yes: case 4 was wrong."))
    bow2lora(term, "requests", "answer", CHAPTER, table(term))
    grades, comments = record(term, "cleo-half")
    assert grades["check-judge"][1] == 6.0
    assert "No." not in comments["judge"][1]
    assert comments["judge"][1].endswith("): Yes: case 4 was wrong.\n\nWell written.")


def test_what_is_typed_and_not_recorded_stays_in_the_next_table(term):
    bow2lora(term, "requests", "list", CHAPTER)
    answer(term, judge=("5", "half typed"))
    ask(term, "ada-right.txt", "# tf\nMore, please.\n")
    bow2lora(term, "requests", "list", CHAPTER)
    found = {row["question"]: (row["new points"], row["answer"]) for row in rows(term)}
    assert found == {"tf": ("", ""), "judge": ("5", "half typed"), "false-alarms": ("", "")}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("zoe.md", "# judge\nWhy?", "zoe.md: nobody of this name has been graded"),
        ("ada-right.md", "# jugde\nWhy?", "there is no question 'jugde'; is it judge?"),
        ("ada-right.md", b"# judge\n" + b"x" * 60_000, "larger than"),
    ],
)
def test_what_is_no_request_is_a_line_and_costs_nobody_else(term, name, text, said):
    ask(term, name, text)
    told = bow2lora(term, "requests", "list", CHAPTER)
    assert told.exit_code == 1 and said in told.stderr and len(rows(term)) == 2


def test_who_is_deleted_has_asked_nothing(term):
    ask(term, "ada-right.txt", "# tf\nMore, please.\n")
    bow2lora(term, "requests", "list", CHAPTER)
    told = bow2lora(term, "roster", "remove", "cleo-half", "--yes")
    assert told.exit_code == 0, told.output
    assert [row["student"] for row in rows(term)] == ["ada-right"]
    assert not (term / "requests" / CHAPTER / "cleo-half.md").exists()
    assert f"taken out: requests/{CHAPTER}/cleo-half.md" in told.output


def test_a_file_of_ten_thousand_questions_is_a_line_and_a_few_rows(term):
    ask(term, "ada-right.md", "#a\nb\n" * 8_000)
    found, told = asked.requests(term, CHAPTER)
    assert len(found) == 2 and len(told) == asked.MAX_SECTIONS + 1
    assert told[0] == "ada-right.md: more than 50 questions; the first ones are taken"
    ask(term, "ada-right.md", "# tf\nMore, please.\n" * 30)
    assert len(asked.requests(term, CHAPTER)[0]) == 32  # somebody who asks much is heard


def test_a_link_is_not_followed(term):
    (term / "requests" / CHAPTER / "ada-right.md").symlink_to("/etc/passwd")
    found, told = asked.requests(term, CHAPTER)
    assert len(found) == 2 and told[0].startswith("ada-right.md: ")


def test_a_wrong_row_is_named_and_the_others_are_recorded(term):
    bow2lora(term, "requests", "list", CHAPTER)
    answer(term, judge=("99", "Too much."), false_alarms=("3", "Fine."))
    told = bow2lora(term, "requests", "answer", CHAPTER, table(term))
    assert told.exit_code == 1 and "1 answer recorded" in told.stdout
    assert "row 2: '99' is no number of points from 0 to 6" in told.stderr
    table(term).write_text("student,question\nada,judge\n", encoding="utf-8")
    told = bow2lora(term, "requests", "answer", CHAPTER, table(term))
    assert isinstance(told.exception, CourseError) and "there is no column 'asked'" in str(told.exception)


def test_without_requests_the_line_says_what_a_file_looks_like(course, tmp_path):
    (tmp_path / "empty").mkdir()
    told = bow2lora(tmp_path / "empty", "requests", "list", CHAPTER)
    assert isinstance(told.exception, CourseError) and "was not graded yet" in str(told.exception)
    run(course)
    told = bow2lora(course, "requests", "list", CHAPTER)
    assert told.exit_code == 0 and "no requests; a student's file is <student>.md" in told.output


def test_all_of_a_team_get_the_answer(team):
    enrol(team, CLASS)
    (team / "course.toml").write_text(TEAMS, encoding="utf-8")
    hand_in(team, "ada", "cleo-half")
    run(team)
    ask(team, "bob.md", "# judge\nWhy?\n")
    bow2lora(team, "requests", "list", CHAPTER)
    answer(team, judge=("4", "Half of it."))
    bow2lora(team, "requests", "answer", CHAPTER, table(team))
    for student in ("ada", "bob"):
        grades, comments = record(team, student)
        assert grades["check-judge"][1] == 4.0 and comments["judge"][1].endswith("): Half of it.")
