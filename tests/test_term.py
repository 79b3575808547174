"""A term, played by `term.py`: what students and systems get is what a calculation of its own says.

BOW2LORA_TERM=60 plays it with 60 students.
"""

import csv
import json
import math
import os
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
import term
from term import CHAPTERS, ESSAYS, LATE, WEIGHED, Student

SIZE, WORKERS = int(os.environ.get("BOW2LORA_TERM", 12)), int("BOW2LORA_TERM" not in os.environ)
FULL_POINTS = {chapter: 100.0 for chapter in CHAPTERS} | {CHAPTERS[1]: WEIGHED + 20.0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """What the term left behind."""
    folder = tmp_path_factory.mktemp("term")
    done = term.play(folder, SIZE, WORKERS)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


@pytest.fixture(scope="module")
def told(folder) -> dict:
    """Who did what, and what the commands said."""
    return json.loads((folder / "term.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def students(told) -> list[Student]:
    return [Student(**s) for s in told["students"]]


def rows(folder: Path, chapter: str, name: str) -> list[dict[str, str]]:
    """Return the rows of an export."""
    with (folder / "course/exports" / chapter / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def days_late(student: Student, chapter: str) -> int:
    """Return how many days have begun since it was due, counted in hours from the beginning of the term."""
    due = term.HOURS[chapter]
    if chapter == CHAPTERS[1] and student.group == "lab2":
        due = term.MORE
    late = student.hours[chapter] - due
    return 0 if late * 60 <= LATE["grace_minutes"] else math.ceil(late / 24)


def earned(folder: Path, students: list[Student], chapter: str) -> dict[str, float]:
    """Return the points of each kind of answer: all, none, or a part, the same for all who gave such an answer."""
    full_points, table = FULL_POINTS[chapter] - 20, rows(folder, chapter, "csv/questions.csv")
    said = {row["student"]: float(row["longest"]) for row in table}
    points = {"right": full_points, "other": full_points, "stops": 0.0, "blank": 0.0}
    points |= {"edge": full_points} if chapter == CHAPTERS[0] else {}  # the case on which it failed was taken out
    for kind in {"edge", "last"} - points.keys():
        found = {said[s.id] for s in students if s.answers[chapter] == kind}
        assert len(found) < 2 and all(0 <= value < full_points for value in found), kind
        points[kind] = max(found, default=0.0)
    return points


def total(student: Student, chapter: str, points: dict[str, float]) -> float:
    """Return the points of a student after both regrades, essays and what late work costs."""
    raw = points[student.answers[chapter]] + ESSAYS[student.essays[chapter]]
    off = min(days_late(student, chapter) * LATE["per_day"], LATE["cap"]) / 100
    return raw - round(raw * off, 2)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_system_gets_the_points_that_were_earned(folder, students, chapter):
    points = earned(folder, students, chapter)
    due = {s.id: pytest.approx(total(s, chapter, points), abs=0.02) for s in students}
    assert {r["student_id"]: float(r["score"]) for r in rows(folder, chapter, "csv/grades.csv")} == due
    canvas = {r["SIS Login ID"]: float(r[chapter]) for r in rows(folder, chapter, "canvas.csv")[1:]}
    assert canvas == due
    moodle = {r["Email address"]: float(r[f"{chapter} (Real)"]) for r in rows(folder, chapter, "moodle.csv")}
    assert moodle == {mail(s): due[s.id] for s in students if s.way != "folder"}
    assert len({s.answers[chapter] for s in students}) > 2 and any(days_late(s, chapter) for s in students)


def mail(student: Student) -> str:
    return student.id if "@" in student.id else f"{student.id}@uni.example"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_canvas_takes_its_file(folder, students, chapter):
    """As canvas-lms reads it: lib/gradebook_importer.rb."""
    first, *found = rows(folder, chapter, "canvas.csv")
    assert list(first) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", chapter]
    assert "Points Possible" in first["Student"] and float(first[chapter]) == FULL_POINTS[chapter]
    known = {s.id: s for s in students if s.way == "folder"}
    for row in found:
        assert re.fullmatch(r"\d*", row["ID"]) and row["SIS Login ID"] and "Points Possible" not in row["Student"]
        if row["SIS Login ID"] in known:
            assert row["ID"] == str(known[row["SIS Login ID"]].number)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_moodle_takes_its_file_and_says_who_is_not_in_it(folder, told, students, chapter):
    """Each row names one person, each point lies in the range of the grade item."""
    found = rows(folder, chapter, "moodle.csv")
    assert list(found[0]) == ["Email address", f"{chapter} (Real)", f"{chapter} (Feedback)"]
    names = [row["Email address"] for row in found]
    assert all("@" in name for name in names) and len(set(names)) == len(names)
    assert all(0 <= float(row[f"{chapter} (Real)"]) <= FULL_POINTS[chapter] for row in found)
    (said, *_) = [line for line in told["said"]["export"] if f"{chapter}/moodle.csv" in line]
    assert f"without a row: {next(s.id for s in students if s.way == 'folder')}" in said


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_gradescope_and_ci_take_their_files(folder, students, chapter):
    """By Gradescope's specification of results.json, and the counts of JUnit."""
    place = folder / "course/exports" / chapter
    found = {
        path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in place.glob("gradescope/*/*.json")
    }
    assert found.keys() == {s.id for s in students}
    for one in found.values():
        assert one["score"] == pytest.approx(sum(test["score"] for test in one["tests"]))
        assert all(0 <= t["score"] <= t["max_score"] and t["status"] in ("passed", "failed") for t in one["tests"])
    suites = ElementTree.parse(place / "junit.xml").getroot().findall("testsuite")
    assert {suite.get("name") for suite in suites} == found.keys()
    failed = {s.get("name") for s in suites if int(s.get("failures")) + int(s.get("errors"))}
    assert failed == {who for who, one in found.items() if any(t["status"] == "failed" for t in one["tests"])}


def test_both_regrades_say_who_has_other_points_and_nobody_else(folder, told, students):
    first, second, third = (told["said"][f"regrade {chapter}"][0] for chapter in CHAPTERS)
    gain = {s.id for s in students if s.answers[CHAPTERS[0]] == "edge"}
    assert set(re.findall(r"(?m)^  (\S+): [\d.]+ -> 80: longest .*the check changed", first)) == gain != set()
    points = earned(folder, students, CHAPTERS[1])
    less = {s.id for s in students if points[s.answers[CHAPTERS[1]]]}
    changed = set(re.findall(r"(?m)^  (\S+): [\d.]+ -> [\d.]+: longest .*the check changed", second))
    assert len(changed) == min(len(less), 20) and changed <= less
    assert "0 of them new or changed" in third and "other points now" not in third
    assert f"{len(gain)} of {len(students)} students change" in told["said"][f"report {CHAPTERS[0]}"][0]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_who_is_late_is_named_with_the_days(told, students, chapter):
    said = dict(re.findall(r"(?m)^  (\S+) +(\d+) days? late", told["said"][f"regrade {chapter}"][0]))
    late = {s.id: str(n) for s in students if (n := days_late(s, chapter))}
    assert said == late != {}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_pages_come_back_by_the_way_on_which_the_work_came(folder, students, chapter):
    """Moodle splits a name in a zip of feedback at its underscores: importziplib.php."""
    pages = {s.id: (folder / "course/feedback" / s.id / chapter / f"{chapter}.html").read_bytes() for s in students}
    for s in (s for s in students if s.way == "exchange"):
        (fetched,) = (folder / "homes" / s.id / chapter / "feedback").glob(f"*/{chapter}.html")
        assert fetched.read_bytes() == pages[s.id]
    by_number = {str(s.number): s for s in students if s.way == "moodle"}
    with zipfile.ZipFile(folder / "course/returns" / f"{chapter}_moodle.zip") as packed:
        names = packed.namelist()
        for name in names:
            who, number, plugin, kind, rest = name.split("_", 4)
            student = by_number.pop(number)
            assert (who, plugin, kind, rest) == (student.name, "assignsubmission", "file", f"/{chapter}.html")
            assert packed.read(name) == pages[student.id]
    assert by_number == {}
    for s in students:
        text = pages[s.id].decode("utf-8")
        assert s.essays[chapter] == "none" or f"{s.last} wrote it" in text
        assert not any(other.last in text for other in students if other.last != s.last)
        assert "check.hidden" not in text and "Mark scheme" not in text


def test_what_was_handed_out_holds_no_solution_and_no_hidden_case(folder):
    secret = ("max(tokens, key=len", "HIDDEN TESTS", "random words", "beside the matter")
    handed_out = [*(folder / "students").rglob("*"), *(folder / "exchange/bow2lora/outbound").rglob("*")]
    for path in (path for path in handed_out if path.is_file()):
        content = path.read_bytes()
        assert not [word for word in secret if word.encode() in content and "helpers" not in path.parts], path


def test_essays_are_marked_twice_and_their_comments_come_back(folder, told, students):
    said = "".join(told["said"]["essays"])
    written = [sum(s.essays[chapter] != "none" for s in students) for chapter in CHAPTERS]
    assert [int(n) for n in re.findall(r"(\d+) answers? recorded", said)] == written
    assert said.count("marked twice, 1.00 points apart on average") == len(CHAPTERS)
    good = next(s for s in students if s.essays[CHAPTERS[0]] == "good")
    page = (folder / "course/feedback" / good.id / CHAPTERS[0] / f"{CHAPTERS[0]}.html").read_text(encoding="utf-8")
    assert re.search(r"Comments:.{0,200}\bgood\b", page, re.DOTALL)
