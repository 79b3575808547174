"""The reports: formats as they are published, and hostile students who harm no reader."""

import csv
import io
import json
import math
import os
import random
import re
import shlex
import shutil
import stat
import subprocess
import sys
import time
import zipfile
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import made_results
import pytest
import yaml
from rich.console import Console
from typer.testing import CliRunner

from autograder import paths, terminal, zips
from autograder.__main__ import app
from autograder.execution import results
from autograder.gradebook import students
from autograder.grading import sample_class
from autograder.judge.student_errors import text_of
from autograder.lms import bundle, canvas, moodle, roster
from autograder.lms.gradescope import results_json
from autograder.report import checked_notebook, classroom, csvs, load, page, picture, regrade, safe_text
from autograder.report.junit import junit
from autograder.report.standing import standing, standings
from helpers.errors import CourseError
from helpers.plots.style import luminance

CHAPTER, TITLE = "01_spam", "01 Spam: rules & <bags>"
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
CLASSES = {
    "tiny": lambda: [made_results.made("ada", skill=0.5)],
    "typical": lambda: made_results.many(25),
    "large": lambda: made_results.many(300),
    "hostile": made_results.attackers,
    "failed": lambda: [made_results.failed("ada"), made_results.failed("ben", "<b>no</b>")],
}


@pytest.fixture(scope="module")
def hostile():
    return standings(made_results.attackers())


@pytest.fixture(scope="module")
def typical():
    students = [r["student"] for r in made_results.many(25)]
    marks = {s: {"manual": {"swap": None if i % 3 else 8.0, "near": 7.5}} for i, s in enumerate(students)}
    marks[students[0]] |= {"late": 5.0}
    return standings(made_results.many(25), marks)


@pytest.fixture
def course(tmp_path):
    """A course in which a class of 12 was graded."""
    folder = tmp_path / "build" / "results" / CHAPTER
    folder.mkdir(parents=True)
    for i, result in enumerate(made_results.many(12)):
        (folder / f"{i}.json").write_text(json.dumps(result), encoding="utf-8")
    return tmp_path


# Text


COLOURED = "\x1b[36mCell\x1b[39m\x1b[36m \x1b[39m\x1b[32mIn[1]\x1b[39m\x1b]0;owned\x07 \x9b31mred\x1b(B"


def test_colours_and_titles_that_a_program_prints_are_on_no_page():
    assert terminal.clean(COLOURED) == text_of(COLOURED, 1_000) == safe_text.clean(COLOURED) == "Cell In[1] red"
    cells = [{"id": "tf", "kind": "exercise", "status": "error", "seconds": 0.1, "stdout": text_of(COLOURED, 1_000)}]
    cells[0] |= {"error": {"name": "SyntaxError", "message": COLOURED, "line": 1, "text": COLOURED}}
    told = made_results.made("ada") | {"cells": cells, "notes": [COLOURED], "repairs": [COLOURED]}
    shown = page.student_page(standing(told), TITLE) + page.class_page([standing(told)], TITLE)
    shown += str(list(checked_notebook.lines(told)))
    assert "Cell In[1] red" in shown and not re.search(r"\[\d*m|owned|\x1b|\ufffd", shown)


@pytest.mark.parametrize(
    "text", ["\x90" * 100_000 + "\x1b[", "\x1b]" * 100_000, "\x1b[" * 100_000, "\x1b]" + "x" * 10**6]
)
def test_half_a_code_many_times_takes_no_time(text):
    start = time.process_time()
    terminal.clean(text)
    assert time.process_time() - start < 2  # CPU seconds; it takes a tenth


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07x\x1b]8;;http://a\x1b\\link", "xlink"),
        ("\x9b31mred", "red"),
        ("\u202eadA\u202c", "[U+202E]adA[U+202C]"),
        ("a\x00b\x07c\x7f", "a[U+0000]b[U+0007]c[U+007F]"),
        ("a\r\nb\rc\u2028d\te", "a\nb\nc\nd    e"),
        ("\ud800", "[U+D800]"),
        ("\ufeffa\U000e0041\uffff", "a[U+E0041]\ufffd"),
        ("z" + "\u0335" * 50, "z" + "\u0335" * safe_text.MARKS),
    ],
)
def test_what_acts_or_hides_is_removed_or_seen(raw, shown):
    assert safe_text.clean(raw) == shown
    assert safe_text.clean(shown) == shown


@pytest.mark.parametrize("name", [*made_results.UNICODE, "नमस्ते", "می‌خواهم", "👩‍👧", "O'Brien", "a\nb"])
def test_names_in_every_script_stay_as_they_are(name):
    assert safe_text.clean(name) == name


def test_text_is_bounded_and_says_how_much_is_left_out():
    assert len(safe_text.name("z" * 10**6)) == safe_text.NAME
    assert safe_text.block("a\n" * 100, lines=3) == "a\na\na\n… (97 more lines)"
    huge = safe_text.block("x" * 10**6, lines=5, width=10)
    assert huge == "xxxxxxxxx…\n… (999,900 more characters)"
    assert safe_text.line("a  b\n\nc") == "a b c"
    assert safe_text.name("") == "(no name)"


def test_no_random_letters_get_through():
    rng = random.Random(0)
    for _ in range(300):
        letters = [rng.choice([rng.randrange(0x300), rng.randrange(0x110000)]) for _ in range(40)]
        found = safe_text.clean("".join(map(chr, letters)))
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", found)
        found.encode("utf-8")


# Standings


def test_a_score_that_is_no_number_in_its_range_is_0_with_a_reason(hostile):
    for s in hostile:
        bad = s.checks[:7]
        assert [c.score for c in bad] == [0.0] * 7
        assert all(not c.judged and c.reason for c in bad)
        assert 0 <= s.earned <= s.possible == 80
        assert math.isfinite(s.total)


def test_the_total_is_machine_and_hand_less_the_penalty_and_never_below_0():
    ada = made_results.made("ada", skill=1.0)
    found = standing(ada, {"manual": {"swap": 8.0, "near": None}, "late": 10.0})
    assert (found.earned, found.raw, found.total, found.open) == (80.0, 88.0, 78.0, ["near"])
    assert standing(made_results.failed("ada"), {"late": 10.0}).total == 0.0


def test_everybody_is_there_once_and_by_name():
    twice = [made_results.failed("ben"), made_results.made("Ada"), made_results.made("ben", skill=1.0)]
    assert [(s.student, s.earned) for s in standings(twice)][1] == ("ben", 80.0)
    assert [s.student for s in standings(twice)] == ["Ada", "ben"]


# CSV


def saved(rows, tmp_path) -> list[list[str]]:
    """Return rows as a reader of the written file gets them."""
    csvs.save(rows, tmp_path / "out.csv")
    return list(csv.reader(io.StringIO((tmp_path / "out.csv").read_text(encoding="utf-8"), newline="")))


def test_points_by_question_have_a_column_each(typical, tmp_path):
    rows = saved(csvs.by_question(typical), tmp_path)
    head = [
        "student",
        *made_results.POINTS,
        "total by machine",
        "essay swap",
        "essay near",
        "changed by hand",
        "late penalty",
        "total",
        "notes",
    ]
    assert rows[0] == head
    by_name = {row[0]: dict(zip(head, row, strict=True)) for row in rows[1:]}
    for s in typical:
        row = by_name[s.student]
        assert float(row["total"]) == s.total
        assert row["essay swap"] == ("by hand" if "swap" in s.open else "8.0")
        assert math.isclose(sum(float(row[q]) for q in made_results.POINTS), float(row["total by machine"]))


def test_totals_have_the_columns_of_nbgraders_own_export(typical, tmp_path):
    from nbgrader.plugins import export

    theirs = re.findall(r'"(\w+)"', Path(export.__file__).read_text(encoding="utf-8").partition("keys = [")[2])[:11]
    rows = saved(csvs.totals(typical, CHAPTER, {"swap": 10.0, "near": 10.0}), tmp_path)
    assert rows[0] == theirs == csvs.TOTALS
    late = dict(zip(rows[0], next(row for row in rows if row[8] == "5.0"), strict=True))
    assert float(late["raw_score"]) - 5 == float(late["score"])
    assert late["max_score"] == "100.0"


@pytest.mark.parametrize("kind", ["by_question", "totals", "canvas", "moodle"])
def test_no_cell_is_a_formula_whatever_a_student_is_called(hostile, tmp_path, kind):
    tables = {
        "by_question": lambda: csvs.by_question(hostile),
        "totals": lambda: csvs.totals(hostile, CHAPTER, {}),
        "canvas": lambda: canvas.grades(hostile, CHAPTER, {}),
        "moodle": lambda: moodle.grades(hostile, CHAPTER),
    }
    rows = saved(tables[kind](), tmp_path)
    assert len(rows) == len(hostile) + (2 if kind == "canvas" else 1)
    assert len({len(row) for row in rows}) == 1
    assert not [cell for row in rows for cell in row if cell.startswith(FORMULA) or "\n" in cell]
    raw = (tmp_path / "out.csv").read_text(encoding="utf-8")
    assert not re.search(r"(?m)(?:^|[,;])[=+@]", re.sub(r'"(?:[^"]|"")*"', '""', raw))  # where ; separates, too


def test_a_negative_number_stays_a_number():
    assert safe_text.cell(-2.5) == -2.5
    assert safe_text.cell("-2.5") == "'-2.5"
    assert safe_text.cell(None) is None


def people(tmp_path, content: str) -> roster.Roster:
    path = tmp_path / "roster.csv"
    path.write_text(content, encoding="utf-8-sig")
    return roster.read(path)


CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,01_spam (4711),Final Score
    Points Possible,,,,,80,(read only)
"Lovelace, Ada",901,s-1,ada,G1,,
"Babbage, Charles",902,s-2,charles,G2,,
"""


def test_canvas_gets_its_own_ids_and_the_points_possible(tmp_path):
    class_ = standings([made_results.made("ada", skill=1.0), made_results.made("s-2"), made_results.made("eve")])
    found = people(tmp_path, CANVAS)
    rows = saved(canvas.grades(class_, CHAPTER, {"swap": 10.0}, found), tmp_path)
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "01_spam (4711)"]
    assert rows[1] == ["Points Possible", "", "", "", "", "90.0"]
    assert rows[2] == ["Lovelace, Ada", "901", "s-1", "ada", "G1", "80.0"]
    assert rows[3][:4] == ["Babbage, Charles", "902", "s-2", "charles"]
    assert len(rows) == 4
    assert roster.strangers(class_, found) == ["eve"]
    assert canvas.grades(class_, CHAPTER, {}, found, "HW1 (5)")[0][-1] == "HW1 (5)"


def test_no_student_can_be_the_row_of_points_possible(hostile):
    rows = canvas.grades(hostile, CHAPTER, {})
    assert sum("Points Possible" in row[0] for row in rows) == 1


def test_without_a_roster_the_folder_is_the_login(tmp_path):
    class_ = standings([made_results.made("ada", skill=1.0)])
    assert canvas.grades(class_, CHAPTER, {})[2] == ["ada", "", "", "ada", "", 80.0]
    assert moodle.grades(class_, CHAPTER)[0] == ["Username", "01_spam (Real)", "01_spam (Feedback)"]
    assert moodle.grades(class_, CHAPTER)[1][:2] == ["ada", 80.0]


def test_moodle_is_told_who_it_is_by_the_columns_of_the_roster(tmp_path):
    found = people(tmp_path, "First name;Surname;ID number;Email address\nAda;Lovelace;s-1;ada@example.org\n")
    rows = saved(moodle.grades(standings([made_results.made("s-1", skill=1.0)]), CHAPTER, found), tmp_path)
    assert rows[0] == ["ID number", "Email address", "01_spam (Real)", "01_spam (Feedback)"]
    assert rows[1][:3] == ["s-1", "ada@example.org", "80.0"]
    assert "tf 7 of 7" in rows[1][3]


def test_nbgraders_list_of_students_is_a_roster(tmp_path):
    found = people(tmp_path, "id,first_name,last_name,email,lms_user_id\nada,Ada,Lovelace,ada@example.org,901\n")
    class_ = standings([made_results.made("ada")])
    assert canvas.grades(class_, CHAPTER, {}, found)[2][:4] == ["Lovelace, Ada", "901", "", ""]
    assert csvs.totals(class_, CHAPTER, {}, found)[1][4:7] == ["Lovelace", "Ada", "ada@example.org"]
    assert moodle.grades(class_, CHAPTER, found)[1][0] == "ada@example.org"


def test_a_roster_of_several_systems_says_to_each_what_it_knows(tmp_path):
    rows = "ada,Ada,L,,101,S1,ada\nben,Ben,M,ben@x.org,,,\n"
    found = people(tmp_path, f"id,first_name,last_name,email,lms_user_id,sis user id,sis login id\n{rows}")
    class_ = standings([made_results.made("ada"), made_results.made("ben")])
    rows = canvas.grades(class_, CHAPTER, {}, found)[2:]
    assert [row[1:4] for row in rows] == [["101", "S1", "ada"], ["", "", "ben"]]
    assert [row[0] for row in moodle.grades(class_, CHAPTER, found)[1:]] == ["ben@x.org"]
    assert roster.strangers(class_, found, for_moodle=True) == ["ada"] and roster.strangers(class_, found) == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"name,points\nada,1\n", "no column tells who a student is"),
        (b"", "no column"),
        ("id,first_name\nÄda,x\n".encode("latin-1"), "not UTF-8"),
        (b"PK\x03\x04 a workbook", "a workbook of a spreadsheet; save it as CSV UTF-8"),
    ],
)
def test_a_file_that_is_no_roster_is_refused_in_one_line(tmp_path, content, says):
    path = tmp_path / "r.csv"
    path.write_bytes(content)
    with pytest.raises(CourseError, match=says):
        roster.read(path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (f"id,first_name\n{'a' * 200_000},x\n", "line 2 is no CSV: field larger than"),
        ('id,first_name\n"a,x\nb,y\n', "a quotation mark is never closed"),
        ("id,first_name\nada,x\nada,y\n", "more than one row has the id 'ada'"),
        ('id,first_name\n"a\nb",x\n', "the id 'a b' has a line end"),
        ("id,first_name\na\0b,x\n", "the id 'ab' has a line end or a control character"),
        ("id,first_name\nä,x\n".encode("latin-1"), "not UTF-8 text"),
    ],
)
def test_a_courses_roster_that_is_broken_is_told_in_a_line(tmp_path, content, says):
    (tmp_path / "roster.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    for read in (students.rows, roster.of_course):
        with pytest.raises(CourseError, match=re.escape(says)) as told:
            read(tmp_path)
        assert "\n" not in str(told.value) and "roster.csv" in str(told.value)


ROWS = 'id;first_name;group\nada;A;"x;y"\n'


@pytest.mark.parametrize(
    "content",
    [
        "id,first_name,group\nada, A ,x;y\n",
        ROWS,
        f"sep=;\r\n{ROWS}",
        f"\ufeffSEP=;\n{ROWS}",
        "id\tfirst_name\tgroup\nada\tA\tx;y\n",
        "id,first_name,group\n\u200eada\u200b,A\xa0,x;y\n",  # copied from a page
        "id,first_name,group\rada,A,x;y\r",  # an old Mac's
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_courses_roster_is_read_as_any_spreadsheet_saves_it(tmp_path, content, encoding):
    (tmp_path / "roster.csv").write_bytes(content.removeprefix("\ufeff").encode(encoding))
    assert students.rows(tmp_path) == [{"id": "ada", "first_name": "A", "group": "x;y"}]
    assert students.groups(tmp_path) == {"x": ["ada"], "y": ["ada"]}


def test_two_rows_of_one_name_are_refused(tmp_path):
    found = people(tmp_path, "id,email\nada,a@example.org\nADA,b@example.org\n")
    with pytest.raises(CourseError, match="2 rows are 'ada'"):
        found.find("ada")


# Gradescope, JUnit

TYPES = {
    "score": (int, float),
    "execution_time": (int, float),
    "output": str,
    "visibility": str,
    "stdout_visibility": str,
    "extra_data": dict,
    "tests": list,
    "leaderboard": list,
    "max_score": (int, float),
    "status": str,
    "name": str,
    "number": str,
    "tags": list,
} | dict.fromkeys(["output_format", "test_output_format", "test_name_format", "name_format"], str)
TOP = {"score", "execution_time", "output", "output_format", "test_output_format", "test_name_format", "visibility"}
TOP |= {"stdout_visibility", "extra_data", "tests", "leaderboard"}
TEST = {"score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags"}
TEST |= {"visibility", "extra_data"}


@pytest.mark.parametrize("kind", CLASSES)
def test_gradescope_reads_names_and_types_that_it_publishes(kind):
    for s in standings(CLASSES[kind]()[:30]):
        found = json.loads(json.dumps(results_json(s), allow_nan=False))
        assert set(found) <= TOP
        for part in [found, *found["tests"]]:
            assert all(isinstance(value, TYPES[key]) for key, value in part.items())
        for test in found["tests"]:
            assert set(test) <= TEST
            assert 0 <= test["score"] <= test["max_score"]
            assert test["status"] == ("passed" if test["score"] == test["max_score"] else "failed")
        assert found["score"] == pytest.approx(sum(t["score"] for t in found["tests"]))
        assert found["output_format"] == "text"
        assert "\x1b" not in json.dumps(found, ensure_ascii=False)


def test_gradescope_visibility_and_leaderboard():
    found = results_json(
        standing(made_results.made("ada")), visibility="after_due_date", leaderboard=[("F1", 0.97, "desc")]
    )
    assert {t["visibility"] for t in found["tests"]} == {"after_due_date"}
    assert found["leaderboard"] == [{"name": "F1", "value": 0.97, "order": "desc"}]
    with pytest.raises(CourseError, match="no visibility 'never'"):
        results_json(standing(made_results.made("ada")), visibility="never")


@pytest.mark.parametrize("kind", CLASSES)
def test_junit_parses_and_its_counts_are_right(kind):
    class_ = standings(CLASSES[kind]())
    root = ElementTree.fromstring(junit(class_, CHAPTER))
    suites = root.findall("testsuite")
    assert root.tag == "testsuites"
    assert len(suites) == len(class_)
    for suite, s in zip(suites, class_, strict=True):
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases) == 12
        for key, tag in {"failures": "failure", "errors": "error", "skipped": "skipped"}.items():
            assert int(suite.get(key)) == sum(c.find(tag) is not None for c in cases)
        assert sum(len(c) == 0 for c in cases) == sum(c.full and c.judged for c in s.checks)
    for key in ("tests", "failures", "errors"):
        assert int(root.get(key)) == sum(int(suite.get(key)) for suite in suites)


def test_junit_holds_the_report_of_a_failure_and_skips_open_essays():
    ada = made_results.made("ada", skill=0.0)
    suite = ElementTree.fromstring(junit([standing(ada, {"manual": {"swap": None}})], CHAPTER)).find("testsuite")
    failure = suite.find("testcase[@name='tf']/failure")
    assert failure.text == standing(ada).checks[5].report
    assert suite.find("testcase[@name='essay swap']/skipped") is not None


def test_a_submission_without_checks_is_an_error_and_not_a_success():
    root = ElementTree.fromstring(junit([standing({"student": "ada", "failure": "no notebook"})], CHAPTER))
    assert root.get("errors") == "1"
    assert root.find(".//error").get("message") == "no notebook"


# Pages


class Read(HTMLParser):
    """What a page consists of: its tags, attributes and text; every tag must be closed in order."""

    VOID = ("meta", "img", "source", "br")

    def __init__(self, content: str):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.words, self.open = Counter(), [], [], []
        self.feed(content)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes += [(tag, key, value) for key, value in attrs]
        self.open += [] if tag in self.VOID else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    def all(self, key: str) -> list[str]:
        return [value for _, k, value in self.attributes if k == key]


ALLOWED = {"html", "head", "meta", "title", "style", "body", "main", "section", "h1", "h2", "h3", "p", "ul", "li", "a"}
ALLOWED |= {"strong", "span", "bdi", "br", "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "pre"}
ALLOWED |= {"details", "summary", "picture", "source", "img"}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "scope", "role", "tabindex"}
ATTRIBUTES |= {"aria-label", "aria-hidden", "aria-labelledby", "style", "dir", "srcset", "media", "src", "alt"}
ATTRIBUTES |= {"width", "height"}


def assert_safe_and_accessible(content: str) -> Read:
    """Check what holds for every page, whoever is in it."""
    found = Read(content)
    assert set(found.tags) <= ALLOWED
    assert {key for _, key, _ in found.attributes} <= ATTRIBUTES
    assert all(re.fullmatch(r"width: \d{1,3}%", style) for style in found.all("style"))
    assert all(u.startswith("data:image/svg+xml;base64,") for u in found.all("src") + found.all("srcset"))
    ids, links = found.all("id"), found.all("href")
    assert len(ids) == len(set(ids))
    assert all(u[1:] in ids if u[0] == "#" else u.startswith("students/") and ".." not in u for u in links)
    assert found.tags["h1"] == 1
    assert found.tags["table"] == found.tags["caption"]
    assert found.tags["img"] == sum(bool(alt) for alt in found.all("alt"))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", content)
    return found


@pytest.mark.parametrize("kind", CLASSES)
def test_the_class_page_is_safe_accessible_and_bounded(kind):
    class_ = standings(CLASSES[kind]())
    files = {s: f"students/{f}" for s, f in page.file_names([s.student for s in class_]).items()}
    content = page.class_page(class_, TITLE, files)
    found = assert_safe_and_accessible(content)
    assert TITLE in found.words
    assert found.tags["img"] == (len(class_) >= page.FEW)
    assert len(content) < 100_000 + 5_000 * len(class_)
    words = "".join(found.words)
    assert all(safe_text.name(s.student) in words for s in class_)


@pytest.mark.parametrize("kind", ["tiny", "hostile", "failed"])
def test_a_students_page_is_safe_accessible_and_bounded(kind):
    for s in standings(CLASSES[kind]())[:8]:
        content = page.student_page(s, TITLE)
        found = assert_safe_and_accessible(content)
        assert safe_text.name(s.student) in found.words
        assert len(content) < 600_000


def test_templates_in_a_students_text_are_text(hostile):
    mine = next(s for s in hostile if s.student.startswith("{{"))
    assert "{{ 7 * 7 }}{% raw %}" in Read(page.student_page(mine, TITLE)).words


def test_a_students_page_says_what_the_checks_say_and_which_cell_stopped():
    ada = made_results.made("ada", skill=1.0)
    report = "tf: 5 of 6 cases pass\n  case 6\n    got  <1>"
    ada["checks"][5] |= {"score": 5.83, "report": report}
    ada["cells"][0] |= {"status": "died", "stdout": "last words"}
    marks = {"manual": {"swap": None}, "late": 2.0}
    words = "\n".join(Read(page.student_page(standing(ada, marks), TITLE)).words)
    for said in [report, "5.83", "78.83 of 80", "−2", "open", "76.83", "ended its process", "last words"]:
        assert said in words


def test_a_class_without_submissions_or_checks_has_a_page():
    assert_safe_and_accessible(page.class_page([], TITLE))
    found = assert_safe_and_accessible(page.class_page(standings([{"student": "ada"}, {"student": "ben"}]), TITLE))
    assert "nothing was checked" in found.words


def test_a_class_page_says_when_nothing_protected_anybody():
    bare = [made_results.made("ada") | {"protections": {}}]
    words = "".join(Read(page.class_page(standings(bare), TITLE)).words)
    assert "ran without a sandbox" in words
    assert "ran without a sandbox" not in page.class_page(standings([made_results.made("ada")]), TITLE)


def test_the_colours_of_pages_have_contrast_in_light_and_dark():
    css = page.render("style.css")
    themes = [dict(re.findall(r"--(\w+): (#\w{6})", part)) for part in css.split("@media (prefers-color-scheme: dark)")]
    assert set(themes[0]) == set(themes[1])
    for theme in themes:
        for ink in ("ink", "soft", "good", "some", "none", "link"):
            for ground in ("paper", "wash"):
                light, dark = sorted((luminance(theme[ink]), luminance(theme[ground])), reverse=True)
                assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, ground)


def test_file_names_are_safe_and_no_two_alike():
    students = [*made_results.HOSTILE, "Ada", "ada", "con", "..", ".hidden", "a/b", "a\\b", "x" * 300, "王小明"]
    names = page.file_names(students)
    assert len({name.casefold() for name in names.values()}) == len(set(students))
    for student in students:
        name = names[student]
        assert re.fullmatch(r"[\w@+][\w.@+-]{0,80}\.html", name)
        assert name != "con.html"
    assert names["王小明"] == "王小明.html"


def test_the_picture_is_repeatable_and_its_alt_text_counts_everybody():
    points = [s.earned for s in standings(made_results.many(25))]
    pictures, alt = picture.distribution(points, 80)
    assert (pictures, alt) == picture.distribution(points, 80)
    assert pictures["light"] != pictures["dark"]
    assert sum(int(n) for n in re.findall(r"(\d+) from", alt)) == 25


# Numbers of a class


def test_hardest_questions_near_misses_and_slow_cells():
    a, b = made_results.made("ada", skill=1.0), made_results.made("ben", skill=1.0)
    a["checks"][5] |= {"score": 0.0, "likely": ["twice", "twice", "once"]}
    b["checks"][5] |= {"score": 3.5, "likely": ["twice"]}
    b["checks"][6] |= {"score": 3.5}
    a["cells"][3] |= {"seconds": 9.0}
    b["cells"][3] |= {"status": "timeout", "seconds": 60.0}
    class_ = standings([a, b])
    hardest = classroom.hardest(class_)
    assert [(q.exercise, q.share) for q in hardest[:3]] == [("tf", 0.25), ("idf", 0.75), ("rules", 1.0)]
    assert hardest[0].counts == {"none": 1, "partial": 1}
    assert classroom.near_misses(class_) == [("tf", "twice", 2), ("tf", "once", 1)]
    assert classroom.slowest(class_)[0] == ("bag", 9.0, 9.0, "ada", 1)
    assert classroom.failures(class_) == [("ben", "bag stopped at the time limit")]
    assert classroom.ended(class_) == {"timeout": 1}
    a["checks"][1] |= {"status": "no score", "reason": "the answer could not be read: too large"}
    assert classroom.failures(standings([a])) == [("ada", "judge: the answer could not be read: too large")]
    assert classroom.protections(class_)[0] == ("system calls", "missing: seccomp is not used", 2)
    found = classroom.summary(class_)
    assert (found.lowest, found.highest, found.mean, found.full) == (73.0, 73.0, 73.0, 0)


def test_what_stopped_with_an_error_is_counted_whatever_ipython_calls_the_cell():
    def broken(student: str, cell: str) -> dict:
        found = made_results.made(student)
        found["cells"][0]["error"] = {
            "name": "SyntaxError",
            "message": f"incomplete input (<{cell}>, line 1)",
            "line": 1,
        }
        return found

    class_ = standings(
        [broken("ada", "ipython-input-1-aa"), broken("ben", "ipython-input-3-bb"), made_results.made("cai")]
    )
    assert classroom.errors(class_)[0][1:] == ("SyntaxError: incomplete input (line 1)", ["ada", "ben"])
    shown = page.class_page(class_, "a chapter")
    assert "Cells that an error stopped" in shown and "ipython-input" not in shown


def test_packages_that_the_grader_lacks_are_named_with_how_many_they_hit(tmp_path):
    class_ = [made_results.made(name) | {"missing": ["pandas"]} for name in ("ada", "ben", "cai", "dora")]
    class_[1] |= {"missing": ["seaborn", "pandas"], "notes": ["no package 'pandas' while grading (line 1 of own-01)"]}
    class_ += [made_results.made("eve") | {"missing": [3, "<b>", "a b", "../x"]}]
    found = standings([*class_, made_results.made("finn") | {"missing": "pandas"}, made_results.made("gus")])
    assert classroom.missing_packages(found) == [("pandas", ["ada", "ben", "cai", "dora"]), ("seaborn", ["ben"])]
    shown = page.class_page(found, TITLE)
    (table,) = re.findall(r"(?s)<h2>Packages that the grader lacks</h2>(.*?)</table>", shown)
    assert re.findall(r'<td class="n">(\d+)</td><th scope="row">(\w+)</th>', table) == [
        ("4", "pandas"),
        ("1", "seaborn"),
    ]
    assert "and 1 more" in table and "Packages that" not in page.class_page(standings([made_results.made("a")]), TITLE)
    csvs.save_class(found, CHAPTER, {}, tmp_path)
    rows = list(csv.DictReader((tmp_path / csvs.QUESTIONS).open(encoding="utf-8")))
    notes = {row["student"]: row["notes"] for row in rows}
    assert "no package 'pandas' while grading" in notes["ada"] and "no package" not in notes["eve"] + notes["finn"]
    assert notes["ben"].count("'pandas'") == 1 and "(line 1 of own-01)" in notes["ben"] and "'seaborn'" in notes["ben"]


def test_an_endless_function_shows_among_the_slow_checks():
    slow = made_results.made("ada")
    slow["checks"][3]["seconds"] = 50.0
    assert classroom.slowest(standings([slow]))[0] == (slow["checks"][3]["id"], 50.0, 50.0, "ada", 0)


def test_a_file_that_could_not_be_read_is_named_among_what_went_wrong():
    empty = made_results.made("pia", skill=0.0) | {"repairs": ["01_spam.ipynb: the file is empty"], "cells": []}
    for check in empty["checks"]:
        check |= {"score": 0.0, "status": "judged", "reason": ""}
    assert classroom.failures(standings([empty])) == [("pia", "01_spam.ipynb: the file is empty")]


# Regrade


def test_a_regrade_says_who_changes_by_how_much_and_why():
    old = [made_results.made(n, skill=1.0) for n in ("ada", "ben", "cai", "dora")]
    new = [made_results.made(n, skill=1.0) for n in ("ada", "ben", "cai", "eve")]
    new[0]["checks"][5] |= {"score": 5.83, "report": "tf: 5 of 6 cases pass, 5.83 of 7 points", "likely": ["ln(1 + c)"]}
    new[0]["hash"] = "another"
    new[1]["checks"][0] |= {"score": 3.0}
    found = {c.student: c for c in regrade.changes(old, new)}
    assert set(found) == {"ada", "ben", "dora", "eve"}
    assert found["ada"].by == -1.17
    assert found["ada"].why == ("tf 7 → 5.83: 5 of 6 cases pass; likely: ln(1 + c)",)
    assert found["ben"].why[0] == regrade.SAME
    assert (found["dora"].by, found["eve"].by) == (-80.0, 80.0)
    assert regrade.summary(list(found.values()), 4) == "Regrade: 4 of 4 students change (1 gain, 3 lose)."
    assert regrade.changes(old, old) == []
    assert "nobody" in regrade.summary([], 4)


def test_a_regrade_of_hostile_students_prints_as_plain_text():
    new = made_results.attackers()
    found = regrade.changes([made_results.made(r["student"], skill=1.0) for r in new], new)
    console = Console(width=100, record=True, file=io.StringIO(), force_terminal=True)
    console.print(regrade.table(found))
    shown = console.export_text()
    assert "[bold red]ada[/bold red]" in shown
    for said in [shown, *regrade.lines(found)]:
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", said)


# Where results lie


@pytest.mark.parametrize(
    "content", ["", "[1]", '{"format": 1}', '{"format": 2, "student": "a", "checks": []}', "[" * 10**5]
)
def test_a_damaged_result_is_named(course, content):
    path = course / "build" / "results" / CHAPTER / "5.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CourseError, match=r"5\.json: "):
        load.results(course, CHAPTER)


def test_results_are_read_as_the_grader_keeps_them(tmp_path):
    ada, ben = made_results.made("ada", skill=1.0), made_results.failed("ben")
    ada["hash"] = "abc"
    twin = {"student": "cai", "hash": "abc", "repairs": ["renamed"]}  # the same answers have one result
    notes = [{"student": "ada", "hash": "abc", "repairs": []}, twin]
    notes += [{"student": "ben", "hash": "x", "repairs": [], "failed": ben}]
    folder = tmp_path / "build" / "graded" / CHAPTER
    for name, content in [("results/abc", ada | {"student": ""}), *((f"students/{n['student']}", n) for n in notes)]:
        path = folder / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    found = {r["student"]: r for r in load.results(tmp_path, CHAPTER)}
    assert {s: standing(r).earned for s, r in found.items()} == {"ada": 80.0, "ben": 0.0, "cai": 80.0}
    assert (found["ada"]["repairs"], found["cai"]["repairs"]) == ([], ["renamed"])
    (folder / "students" / "dora.json").write_text("{}", encoding="utf-8")
    with pytest.raises(CourseError, match=r"dora\.json: no note"):
        load.results(tmp_path, CHAPTER)


def test_essays_and_penalties_are_read_from_the_gradebook(tmp_path):
    from nbgrader.api import Gradebook

    from autograder.paths import put_environment_on_path

    put_environment_on_path()
    assert load.marks(tmp_path, CHAPTER) == {}
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}", "bow2lora") as gradebook:
        gradebook.add_assignment(CHAPTER)
        gradebook.add_notebook(CHAPTER, CHAPTER)
        for essay in ("essay-swap", "essay-near"):
            gradebook.add_grade_cell(essay, CHAPTER, CHAPTER, max_score=10, cell_type="markdown")
        gradebook.add_student("ada")
        gradebook.add_submission(CHAPTER, "ada")
        grades = {g.name: g for g in gradebook.find_submission_notebook(CHAPTER, CHAPTER, "ada").grades}
        grades["essay-swap"].manual_score, grades["essay-swap"].needs_manual_grade = 8.0, False
        grades["essay-near"].needs_manual_grade = True
        gradebook.find_submission_notebook(CHAPTER, CHAPTER, "ada").late_submission_penalty = 3.0
        gradebook.db.commit()
    (told,) = load.marks(tmp_path, CHAPTER).values()
    who = dict.fromkeys(("last_name", "first_name", "email", "duedate"), "")
    del told["who"]["timestamp"]  # nbgrader may take the present for it
    assert told == {"manual": {"swap": 8.0, "near": None}, "changed": {}, "late": 3.0, "who": who}
    assert load.marks(tmp_path, "02_other") == {}


def test_the_chapter_knows_its_title_and_its_essays():
    assert load.title(CHAPTER) == "01 Spam: rules, bags of words, TF-IDF"
    assert sum(load.essay_points(CHAPTER).values()) == 20
    assert (load.title("99_none"), load.essay_points("99_none")) == ("99_none", {})


# The command line


def command(*words):
    """Return (exit code, output) of the command line, run in this process."""
    done = CliRunner().invoke(app, [str(w) for w in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


@pytest.mark.parametrize(
    ("kind", "file"),
    [
        ("csv", "questions.csv"),
        ("csv", "grades.csv"),
        ("canvas", "canvas.csv"),
        ("moodle", "moodle.csv"),
        ("junit", "junit.xml"),
        ("gradescope", "gradescope/hanna.eriksen.000/results.json"),
    ],
)
def test_export_writes_every_format_and_the_same_bytes_twice(course, kind, file):
    student = made_results.many(12)[0]["student"]
    path = course / file.replace("hanna.eriksen.000", student)
    code, said = command("export", CHAPTER, "--course", course, "--format", kind)
    assert code == 0, said
    assert "12 students" in said and Path(file).name.replace("results.json", "gradescope") in said
    before = path.read_bytes()
    command("export", CHAPTER, "--course", course, "--format", kind)
    assert path.read_bytes() == before


def test_a_student_who_is_not_in_the_roster_is_named_and_the_exit_code_is_1(course, tmp_path):
    (tmp_path / "r.csv").write_text("id,email\nsomebody,a@example.org\n", encoding="utf-8")
    code, said = command("export", CHAPTER, "--course", course, "--format", "moodle", "--roster", tmp_path / "r.csv")
    assert code == 1
    assert "not in the roster" in said


def test_report_writes_the_pages_and_prints_the_regrade(course, tmp_path):
    old = tmp_path / "old"
    old.mkdir()
    for i, result in enumerate(made_results.many(12)):
        result["checks"][0]["score"] = 0.0
        (old / f"{i}.json").write_text(json.dumps(result), encoding="utf-8")
    code, said = command("report", CHAPTER, "--course", course, "--before", old)
    assert code == 0
    assert re.search(r"Regrade: \d+ of 12 students change", said)
    folder = course / "reports" / CHAPTER
    assert len(list((folder / "students").iterdir())) == 12
    links = [u for u in Read((folder / "class.html").read_text(encoding="utf-8")).all("href") if u[0] != "#"]
    from urllib.parse import unquote

    assert {unquote(u) for u in links} == {f"students/{p.name}" for p in (folder / "students").iterdir()}


@pytest.mark.parametrize("where", [".", "build/results", f"build/results/{CHAPTER}"])
def test_a_regrade_takes_earlier_results_from_a_course_and_from_a_folder_of_them(course, where):
    code, said = command("report", "1", "--course", course, "--before", course / where)
    assert code == 0 and "nobody's points change (12 students)" in said


def test_a_hint_names_the_course_that_was_asked_for(tmp_path):
    with pytest.raises(CourseError, match=rf"grade {CHAPTER} --course '{tmp_path}/my course'$"):
        command("export", "01", "--course", tmp_path / "my course")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["export", "02_none"], "there is no chapter"),
        (["report", CHAPTER, "--student", "nobody"], "no result of 'nobody'"),
        (["report", CHAPTER, "--before", "nowhere"], "no earlier results"),
        (["bundle", "github", "99_none"], "there is no chapter"),
    ],
)
def test_wrong_input_is_one_line(course, words, says):
    where = [] if words[0] == "bundle" else ["--course", str(course)]
    with pytest.raises(CourseError, match=says) as caught:
        command(*words, *where)
    assert "\n" not in str(caught.value)


def test_every_option_of_the_new_commands_is_documented():
    import typer.main

    for name in ("export", "report", "bundle", "check"):
        found = typer.main.get_command(app).commands[name]
        assert found.help
        assert all(getattr(p, "help", None) for p in found.params if p.name != "help"), name


def test_check_writes_what_it_found_and_prints_no_terminal_codes(tmp_path, monkeypatch):
    from autograder.grading import check_notebook as module

    found = made_results.made("ada") | {"repairs": ["a \x1b[31mrepair"]}
    found["checks"] = found["checks"][:2]
    found["checks"][0] |= {"score": found["checks"][0]["points"], "report": "rules: all"}
    found["checks"][1] |= {"score": 3.5, "report": "judge: \x1b[2Jsome"}
    monkeypatch.setattr(module, "check", lambda *_: found)
    out = {kind: tmp_path / f"out.{kind}" for kind in ("json", "junit", "gradescope")}
    files = (w for kind, p in out.items() for w in (f"--{kind}", p))
    code, said = command("check", "ada.ipynb", "--no-sandbox", *files)
    assert code == 1
    assert "\x1b" not in said and "note: a repair" in said
    result = load.from_file(out["json"])
    assert standing(result).earned == 9.5
    assert json.loads(out["gradescope"].read_text())["score"] == 9.5
    assert ElementTree.fromstring(out["junit"].read_bytes()).get("failures") == "1"
    assert said.splitlines()[-1].startswith("Protections: missing system calls; held network, files")


# What other systems run


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """A Gradescope container's folder, with the zip unpacked in source/."""
    prefix = tmp_path_factory.mktemp("autograder")
    path = bundle.gradescope_zip(CHAPTER, prefix / "a.zip", "sesame")
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            archive.extract(entry, prefix / "source")
            (prefix / "source" / entry.filename).chmod(entry.external_attr >> 16)
    (prefix / "submission").mkdir()
    return prefix


def test_the_zip_has_its_scripts_at_the_root_and_the_same_bytes_twice(unpacked, tmp_path):
    for name in ("setup.sh", "run_autograder"):
        assert (unpacked / "source" / name).stat().st_mode & stat.S_IXUSR
        assert subprocess.run(["bash", "-n", unpacked / "source" / name], check=False).returncode == 0
        script = (unpacked / "source" / name).read_text(encoding="utf-8")
        assert not re.search("@[A-Z]+@", script)
        assert name == "setup.sh" or 'SANDBOX="--sandbox"' in script
    with zipfile.ZipFile(unpacked / "a.zip") as archive:
        assert {entry.date_time for entry in archive.infolist()} == {zips.EPOCH}
    again = bundle.gradescope_zip(CHAPTER, tmp_path / "b.zip", "sesame")
    assert again.read_bytes() == (unpacked / "a.zip").read_bytes()


def test_the_zip_has_a_secret_that_tells_nothing_of_the_courses(unpacked, tmp_path):
    own = (unpacked / "source" / "course" / "secret").read_text(encoding="utf-8").strip()
    assert len(own) == 64 and "sesame" not in own
    bundle.gradescope_zip(CHAPTER, tmp_path / "c.zip", "another")
    with zipfile.ZipFile(tmp_path / "c.zip") as archive:
        assert archive.read("course/secret").decode().strip() != own


def test_without_its_secret_a_container_gives_no_points_and_says_why(unpacked):
    secret = unpacked / "source" / "course" / "secret"
    kept = secret.read_text(encoding="utf-8")
    secret.write_text("\n", encoding="utf-8")
    found = run_autograder(unpacked, {"01_spam.ipynb": b"{}"})
    secret.write_text(kept, encoding="utf-8")
    assert found["score"] == 0 and "has no secret" in found["output"]


def run_autograder(prefix, submission: dict[str, bytes], python=sys.executable, seconds="100"):
    """Run the script on these files; returns results.json."""
    for path in (prefix / "submission").iterdir():
        path.unlink()
    for name, content in submission.items():
        (prefix / "submission" / name).write_bytes(content)
    env = {"AUTOGRADER_PREFIX": str(prefix), "AUTOGRADER_PYTHON": str(python), "AUTOGRADER_SECONDS": seconds}
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | env
    subprocess.run([prefix / "source" / "run_autograder"], env=env, check=True, capture_output=True)
    return json.loads((prefix / "results" / "results.json").read_text(encoding="utf-8"))


def test_run_autograder_grades_a_renamed_notebook(unpacked):
    notebook = paths.release_notebook(CHAPTER).read_bytes()
    found = run_autograder(unpacked, {"my work.ipynb": notebook, "notes.txt": b"x"})
    assert (found["score"], len(found["tests"])) == (0, 13)
    assert "not started yet" in found["tests"][0]["output"]
    assert found["extra_data"]["protections"]["network"].startswith("held")


def test_run_autograder_takes_the_notebook_with_answers_as_grade_does(unpacked):
    material = sample_class.Material()
    answered = json.dumps(material.notebook({"judge": material.solutions["judge"]})).encode()
    untouched = paths.release_notebook(CHAPTER).read_bytes()
    found = run_autograder(unpacked, {"01_spam.ipynb": untouched, "01_spam-Copy1.ipynb": answered})
    assert found["score"] == 6
    assert "several notebooks: 01_spam-Copy1.ipynb counts (answers: 1), not 01_spam.ipynb (0)" in found["output"]


@pytest.mark.parametrize(
    ("ends", "says", "seconds"),
    [
        ("sleep 300", "did not end within 1 seconds", "1"),
        ("echo 'error: \"broken\" file' >&2; exit 2", 'error: "broken" file', "100"),
        ("kill -9 $$", "did not end within", "100"),
        ("exit 0", "could not be graded", "100"),
    ],
)
def test_run_autograder_gives_0_points_and_a_reason_whatever_happens(unpacked, tmp_path, ends, says, seconds):
    python = tmp_path / "python"  # in place of the grader, but not of the line that writes JSON
    python.write_text(f'#!/bin/sh\n[ "$1" = -c ] && exec {sys.executable} "$@"\n{ends}\n', encoding="utf-8")
    python.chmod(0o755)
    found = run_autograder(unpacked, {"01_spam.ipynb": b"{}"}, python, seconds)
    assert found["score"] == 0
    assert says in found["output"]


def test_a_container_that_allows_no_namespaces_gives_0_points_and_says_why(unpacked, tmp_path):
    """Bubblewrap makes what Docker's usual settings make: a place in which there can be no other namespaces."""
    closed = ["bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--proc", "/proc"]
    if not shutil.which("bwrap") or subprocess.run([*closed, "true"], check=False).returncode:
        pytest.skip("bubblewrap cannot make such a place here")
    python = tmp_path / "python"
    shell = f'#!/bin/sh\n[ "$1" = -c ] && exec {sys.executable} "$@"\nexec {shlex.join(closed)} {sys.executable} "$@"\n'
    python.write_text(shell, encoding="utf-8")
    python.chmod(0o755)
    found = run_autograder(unpacked, {"01_spam.ipynb": paths.release_notebook(CHAPTER).read_bytes()}, python, "300")
    assert found["score"] == 0 and "tests" not in found
    assert "There is no sandbox on this machine" in found["output"]


def test_the_zip_without_a_sandbox_is_asked_for_by_name(tmp_path):
    target = tmp_path / "a.zip"
    assert command("bundle", "gradescope", CHAPTER, "--no-sandbox", "--to", target)[0] == 0
    with zipfile.ZipFile(target) as archive:
        assert 'SANDBOX="--no-sandbox"' in archive.read("run_autograder").decode()


def test_run_autograder_without_a_notebook(unpacked):
    assert "No notebook was handed in" in run_autograder(unpacked, {"notes.txt": b"x"})["output"]


def test_the_workflow_runs_a_command_that_exists_and_takes_no_input_into_a_shell(tmp_path):
    path = bundle.workflow(CHAPTER, tmp_path / "checks.yml")
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert found["permissions"] == {"contents": "read"}
    steps = found["jobs"]["checks"]["steps"]
    assert found["jobs"]["checks"]["env"]["NOTEBOOK"] == "01_spam.ipynb"
    shell = "\n".join(step.get("run", "") for step in steps)
    assert "${{" not in shell
    options = set(re.findall(r"--(\w+) \.\./", shell))
    assert options == {"junit", "json"}
    import typer.main

    assert options <= {p.name for p in typer.main.get_command(app).commands["check"].params}


def test_a_result_without_its_texts_has_the_same_remarks():
    whole = made_results.made("ada")
    error = {"name": "NameError", "message": "name 'x' is not defined", "line": 2, "text": "x"}
    whole["cells"] += [{"id": "own-01", "kind": "own", "status": "error", "error": error}]
    remarks = results.remarks(results.without_text(whole))
    assert "own-01: stopped in line 2: NameError: name 'x' is not defined" in remarks
    assert remarks == results.remarks(whole)
