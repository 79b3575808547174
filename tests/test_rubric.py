"""The items of a mark scheme: ticked in the sheet, on the page, in the comment; a change of the rubric is for all."""

import csv

import pytest
from quick_course import CHAPTER, run
from test_essays import TEXTS, essays, marked, rows

from autograder.essays import answers, gradebook, rubric, sheets
from autograder.essays.rubric import Item
from helpers.errors import CourseError

__all__ = ["marked"]
pytestmark = pytest.mark.usefixtures("quick_pages")
ADA, CLEO = TEXTS
SCHEME = "2 points: names a message,\nwith its words.\n1 point: weighs it.\n0.5 points: numbers."
ITEMS = [Item("a", 2.0, "names a message, with its words."), Item("b", 1.0, "weighs it."), Item("c", 0.5, "numbers.")]


@pytest.fixture
def sheet(marked):
    """A sheet that was exported; returns (course, name of the essay, path)."""
    course, name = marked
    assert essays(course, "export", CHAPTER).exit_code == 0
    return course, name, course / "essays" / CHAPTER / "marks.csv"


def tick(course, name, path, **given) -> None:
    """Fill rows of the sheet: student={column: text}."""
    found = rows(path)
    for row in found:
        row.update({"points": "", "comment": ""} | dict.fromkeys("abcde", ""))
        for student, cells in given.items():
            if row["answer"] == answers.number(course, student.replace("_", "-"), name):
                row.update(cells)
    save(path, found)


def save(path, found: list[dict]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(found[0]))
        out.writeheader()
        out.writerows(found)


def points(course) -> dict[str, float]:
    return {number: mark.points for number, mark in gradebook.known(course, CHAPTER).items()}


def test_the_lines_of_a_mark_scheme_are_items_and_are_weighed_with_the_essay():
    assert rubric.of_scheme(SCHEME, 3.5) == ITEMS
    assert [item.points for item in rubric.of_scheme(SCHEME, 7.0)] == [4.0, 2.0, 1.0]
    assert rubric.of_scheme("Free text.", 5.0) == []


@pytest.mark.parametrize(
    ("row", "earned"),
    [
        ({"a": "x", "c": " X "}, {"a": 2.0, "c": 0.5}),
        ({"a": "1,5", "b": "TRUE", "c": "FALSE"}, {"a": 1.5, "b": 1.0}),
        ({"a": "0"}, {"a": 0.0}),
        ({}, {}),
    ],
)
def test_an_x_is_all_points_of_an_item_and_a_number_some(row, earned):
    assert rubric.given(row, ITEMS) == earned


@pytest.mark.parametrize("row", [{"a": "2.5"}, {"a": "-1"}, {"a": "perhaps"}, {"a": "nan"}, {"d": "x"}])
def test_what_no_item_can_have_is_refused(row):
    with pytest.raises(CourseError, match=r"item a: '.*' is neither|no item d"):
        rubric.given(row, ITEMS)


def test_a_line_below_zero_takes_off_and_the_sum_stays_in_its_bounds():
    items = [*ITEMS, Item("d", -1.0, "no numbers")]
    assert rubric.total(rubric.given({"a": "x", "d": "x"}, items), 3.0) == 1.0
    assert rubric.total(rubric.given({"d": "x"}, items), 3.0) == 0.0
    assert rubric.total({"a": 2.0, "b": 1.0, "c": 0.5}, 3.0) == 3.0


def test_a_comment_carries_the_ticks_to_the_student_and_back():
    comment = rubric.told("Well read.", {"a": 2.0, "b": 0.5}, ITEMS)
    assert "- a, 2 of 2: names a message, with its words.\n- b, 0.5 of 1: weighs it." in comment
    assert rubric.taken_apart(comment) == ("Well read.", {"a": "x", "b": "0.5"}, 2.5)
    assert (
        rubric.taken_apart("As it is.") == ("As it is.", {}, 0) and rubric.told("As it is.", {}, ITEMS) == "As it is."
    )


def test_ticks_give_points_and_come_back_into_the_sheet_and_onto_the_page(sheet):
    course, name, path = sheet
    page = path.with_name(f"{name}.html")
    assert "☐ a (2)" in page.read_text(encoding="utf-8") and "☑" not in page.read_text(encoding="utf-8")
    tick(course, name, path, ada_right={"a": "x", "b": "1.5", "comment": "Fine."}, cleo_half={"points": "4", "a": "x"})
    told = essays(course, "import", CHAPTER, path)
    assert told.exit_code == 0 and "2 answers recorded" in told.output, told.output
    ada, cleo = (answers.number(course, student, name) for student in (ADA, CLEO))
    assert points(course) == {ada: 3.5, cleo: 4.0}
    essays(course, "export", CHAPTER)
    again = {row["answer"]: row for row in rows(path)}
    assert [again[ada][column] for column in ("points", "a", "b", "c", "comment")] == ["", "x", "1.5", "", "Fine."]
    assert again[cleo]["points"] == "4" and again[cleo]["a"] == ""
    shown = page.read_text(encoding="utf-8")
    assert shown.count("☑ a (2)") == 2 and shown.count("☑ b (1.5 of 3)") == 1
    run(course)
    assert essays(course, "import", CHAPTER, path).exit_code == 0
    assert points(course) == {ada: 3.5, cleo: 4.0}


def test_what_an_item_is_worth_counts_for_all_who_have_it(sheet):
    course, name, path = sheet
    tick(course, name, path, ada_right={"a": "x"}, cleo_half={"a": "x", "b": "x"})
    essays(course, "import", CHAPTER, path)
    table = path.with_name(rubric.FILE)
    lines = table.read_text(encoding="utf-8").replace(f'"{name}","a",2.0', f'"{name}","a",2.5')
    table.write_text(f'{lines}"{name}","k",-1,"no numbers"\n', encoding="utf-8")
    essays(course, "export", CHAPTER)  # keeps the rubric as it was changed
    found = rows(path)
    assert "k" in found[0]
    next(row for row in found if row["answer"] == answers.number(course, CLEO, name))["k"] = "x"
    save(path, found)
    told = essays(course, "import", CHAPTER, path)
    assert told.exit_code == 0, told.output
    ada, cleo = (answers.number(course, student, name) for student in (ADA, CLEO))
    assert points(course) == {ada: 2.5, cleo: 4.5}
    assert "- k, -1 of -1: no numbers" in gradebook.known(course, CHAPTER)[cleo].comment


def test_a_wrong_tick_costs_its_row_and_a_wrong_rubric_is_named(sheet):
    course, name, path = sheet
    tick(course, name, path, ada_right={"a": "7"}, cleo_half={"b": "x"})
    told = essays(course, "import", CHAPTER, path)
    assert told.exit_code == 1 and "item a: '7' is neither x nor a number up to 2" in told.stderr
    assert len(points(course)) == 1
    table = path.with_name(rubric.FILE)
    table.write_text(table.read_text(encoding="utf-8").replace('"a",2.0', '"a","two"'), encoding="utf-8")
    told = essays(course, "import", CHAPTER, path)
    assert isinstance(told.exception, CourseError) and "row 2: an item has a letter" in str(told.exception)
    table.write_text(f"essay,item,points,text\n{name},a,1,x\n{name},A,1,y\n", encoding="utf-8")
    with pytest.raises(CourseError, match="row 3: no essay of this chapter, or an item that it has twice"):
        rubric.read(table, {name: 10.0})


def test_an_older_sheet_without_boxes_is_read_as_before(tmp_path):
    path = tmp_path / "marks.csv"
    path.write_text("answer;essay;points;of;comment\nbcd;swap;4,5;10;fine\n", encoding="utf-8")
    read = sheets.read(path, {"swap": 10.0}, {("swap", "bcd")}, {"swap": ITEMS})
    assert read.marks == {("swap", "bcd"): sheets.Mark(4.5, "fine")} and read.refused == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_rubric_is_read_as_any_spreadsheet_saves_it(tmp_path, separator, encoding):
    rows = ["essay,item,points,text", "why,a,2.5,names two words", "why,b,-1,no or few words"]
    text = "\r\n".join(row.replace(",", separator) for row in rows)
    (tmp_path / "rubric.csv").write_bytes(f"sep={separator}\r\n{text}\r\n".encode(encoding))
    first, second = rubric.read(tmp_path / "rubric.csv", {"why": 10.0})["why"]
    assert (first.letter, first.points, first.text) == ("a", 2.5, "names two words")
    assert (second.points, second.text) == (-1.0, "no or few words")
