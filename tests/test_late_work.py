"""Due dates, extensions and penalties of course.toml: what is read, what it costs, and when it is counted anew."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from quick_course import CHAPTER, TOTALS, book, run

from autograder.gradebook import late_work
from autograder.gradebook.late_work import Policy
from autograder.lms.roster_import import import_roster
from helpers.errors import CourseError

pytestmark = pytest.mark.usefixtures("quick_pages")
DUE = datetime(2026, 10, 1, 21, 59, tzinfo=UTC)
POLICY = f"""
[due]
{CHAPTER} = 2026-10-01T23:59:00+02:00
[late]
per_day = 10
cap = 50
grace_minutes = 15
[groups]
lab2 = ["cleo-half", "eve"]
[extensions.{CHAPTER}]
lab2 = 2026-10-03T23:59:00+02:00
eve = 2026-10-02T23:59:00+02:00
"""


def written(folder: Path, text: str | bytes) -> Path:
    (folder / late_work.FILE).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def hand_in(course: Path, student: str, when: datetime) -> None:
    path = course / "submitted" / student / CHAPTER / "timestamp.txt"
    path.write_text(when.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"), encoding="utf-8")


@pytest.mark.parametrize(
    "hours, days", [(-1, 0), (0, 0), (0.25, 0), (0.26, 1), (24, 1), (24.01, 2), (240, 10)], ids=str
)
def test_a_day_counts_once_it_has_begun_and_the_grace_is_over(tmp_path, hours, days):
    policy = late_work.read(written(tmp_path, POLICY))
    assert policy.days_late(CHAPTER, "ada", DUE + timedelta(hours=hours)) == days


def test_the_latest_of_date_and_extensions_counts(tmp_path):
    policy = late_work.read(written(tmp_path, POLICY))
    assert [policy.due_of(CHAPTER, s) - DUE for s in ("ada", "eve", "cleo-half")] == [
        timedelta(),
        timedelta(days=2),
        timedelta(days=2),
    ]
    assert policy.days_late(CHAPTER, "ada", None) == 0


def test_a_login_without_the_rosters_capitals_has_the_extensions(tmp_path):
    policy = late_work.read(written(tmp_path, POLICY.replace("eve = ", "EVE = ").replace('["cleo-half", "eve"]', "[]")))
    assert policy.due_of(CHAPTER, "eve") - DUE == timedelta(days=1)
    (tmp_path / "roster.csv").write_text("id,first_name,group\nADA,Ada,lab2\n", encoding="utf-8")
    policy = late_work.read(tmp_path)
    assert policy.due_of(CHAPTER, "ada") - DUE == timedelta(days=2)
    mates = replace(policy, mates={"bo": ("Ada", "bo")})
    assert mates.due_of(CHAPTER, "bo") - DUE == timedelta(days=2)


def test_a_hubs_login_without_the_rosters_capitals_is_the_rosters_student(course, tmp_path):
    (tmp_path / "people.csv").write_text("id,name,email\nADA-Right,Ada Lovelace,ada@x.org\nzoe,Zoe Ray,\n", "utf-8")
    import_roster(tmp_path / "people.csv", course)
    for _ in range(2):
        run(course)
        with book(course) as gradebook:
            assert sorted(s.id for s in gradebook.students) == sorted([*TOTALS, "zoe"])
            ada = gradebook.find_student("ada-right")
            assert (ada.last_name, ada.email, len(ada.submissions)) == ("Lovelace", "ada@x.org", 1)
        import_roster(tmp_path / "people.csv", course)


def test_an_extension_for_nobody_is_named(course):
    (course / "roster.csv").write_text("id,first_name\nEve,Eve\n", encoding="utf-8")
    line = "  an extension in course.toml, and neither a student nor a group: evee (1)"
    for text, said in [(POLICY.replace("eve = ", "evee = "), True), (POLICY, False)]:
        assert (line in run(written(course, text))[1]) == said


def test_the_cost_has_a_cap(tmp_path):
    policy = late_work.read(written(tmp_path, POLICY))
    assert [policy.share(days) for days in (0, 1, 4, 5, 9)] == [0, 0.1, 0.4, 0.5, 0.5]


def test_without_a_file_there_is_no_policy(tmp_path):
    assert late_work.read(tmp_path) == Policy()


@pytest.mark.parametrize(
    "text, says",
    [
        ("[due", "Expected"),
        ("[dues]\n", "'dues' is none of the tables"),
        ("due = 3\n", "'due' is none of the tables"),
        (f"[due]\n{CHAPTER} = 2026-10-01T23:59:00\n", "with its offset"),
        (f'[due]\n{CHAPTER} = "soon"\n', "with its offset"),
        ("[due]\n99_none = 2026-10-01T23:59:00Z\n", "no chapter '99_none'"),
        ("[late]\nper_day = 110\n", "per_day = 110"),
        ("[late]\nper_day = nan\n", "per_day = nan"),
        ("[late]\ngrace_minutes = 1e300\n", "grace_minutes = 1e+300"),
        ("[late]\ngrace_minutes = inf\n", "at most 525600"),
        ("[late]\nundated = 'ontime'\n", '"on-time" or "late"'),
        ("undated = 'late'\n", "below a line [late]"),
        (f"[late]\nper_day = {'9' * 5000}\n", "4300 digits"),
        (f"[due]\n{CHAPTER} = 0001-01-01T00:00:00+02:00\n", "= 0001-01-01T00:00:00+02:00; write a date"),
        (f"[due]\n{CHAPTER} = 9999-12-31T23:59:59-02:00\n", "write a date with its offset"),
        (f"[due]\n{CHAPTER} = 2026-10-01\n", "= 2026-10-01; write"),
        (f"[due]\n{CHAPTER} = 2026-10-01T00:00:00Z\n1 = 2026-10-01T00:00:00Z\n", f"{CHAPTER} is there twice"),
        ("[chapters.01_spam]\ntotal = " + "9" * 400, "at most 1000"),
        ("x = " + "[" * 20_000, "too many brackets"),
        ("x = " + "{a=" * 20_000, "too many brackets"),
        ('"a\\nb" = 3\n', "is none of the tables"),
        ('[due]\n"01\\nspam" = 2026-10-01T23:59:00Z\n', "no chapter '01 spam'"),
        (f'secrets = "{"a" * 100_000}"\n', 'aaa...; there are "course" and "student"'),
        (b"\xff\xfe[late]", "not UTF-8"),
        ("[late]\nper_day = true\n", "per_day = True"),
        ("[late]\nper_week = 1\n", "per_week"),
        ("[groups]\nlab = 3\n", "list of students"),
        (f"[extensions.{CHAPTER}]\nada = 2026-10-01T23:59:00Z\n", "no date in [due]"),
        (f"[due]\n{CHAPTER} = 2026-10-01T00:00:00Z\n[extensions]\n{CHAPTER} = 3\n", "no table of dates"),
    ],
)
def test_what_is_wrong_is_named_in_a_line(tmp_path, text, says):
    with pytest.raises(CourseError) as error:
        late_work.read(written(tmp_path, text))
    assert says in str(error.value) and late_work.FILE in str(error.value) and "\n" not in str(error.value)
    assert len(str(error.value)) < 500


def test_a_file_as_windows_saves_it_is_read(tmp_path):
    assert late_work.read(written(tmp_path, b"\xef\xbb\xbf[late]\r\nper_day = 10\r\n")).late.per_day == 10


@pytest.mark.parametrize(
    ("undated", "taken"), [("", 0.0), ('undated = "on-time"\n', 0.0), ('undated = "late"\n', 16.5)], ids=str
)
def test_work_without_a_date_is_listed_and_costs_what_the_course_says(course, undated, taken):
    hand_in(course, "ada-right", DUE - timedelta(hours=1))
    _, lines = run(written(course, POLICY.replace("[groups]", f"{undated}[groups]")))
    counted = "late" if taken else "on time"
    names = "cleo-half, dan-untouched, pia-empty-file (3)"
    assert lines[-1] == f"  handed in without a date, counted as {counted}: {names}"
    assert any(f"undated, {taken:g} points off" in line for line in lines) == bool(taken)
    with book(course) as gradebook:
        late = {s.student_id: s.late_submission_penalty for s in gradebook.assignment_submissions(CHAPTER)}
    assert late == dict.fromkeys(TOTALS, 0.0) | {"cleo-half": taken}  # who has a date pays nothing


def test_late_work_costs_what_the_policy_says_and_the_line_says_who(course):
    hand_in(course, "ada-right", DUE + timedelta(days=1, hours=2))
    hand_in(course, "cleo-half", DUE + timedelta(days=1, hours=2))  # within the extension
    _, lines = run(written(course, POLICY))
    assert [" ".join(line.split()) for line in lines if "late" in line] == ["ada-right 2 days late, 16 points off"]
    with book(course) as gradebook:
        late = {s.student_id: s.late_submission_penalty for s in gradebook.assignment_submissions(CHAPTER)}
        assert gradebook.find_assignment(CHAPTER).duedate == DUE.replace(tzinfo=None)
    assert late == {student: 16.0 if student == "ada-right" else 0.0 for student in TOTALS}


def test_an_extension_given_later_counts_though_no_answer_changed(course):
    hand_in(course, "ada-right", DUE + timedelta(hours=3))
    run(written(course, POLICY))
    more = POLICY + "ada-right = 2026-10-05T23:59:00+02:00\n"
    totals, lines = run(written(course, more))
    assert "0 of them new or changed" in lines[0] and not [line for line in lines if "late," in line]
    with book(course) as gradebook:
        assert gradebook.find_submission(CHAPTER, "ada-right").late_submission_penalty == 0.0
    (course / late_work.FILE).unlink()
    assert run(course)[0] == totals


def test_points_by_hand_cost_their_share_when_they_come(course):
    hand_in(course, "ada-right", DUE + timedelta(hours=3))
    run(written(course, POLICY))
    with book(course) as gradebook:
        essays = [
            g for g in gradebook.find_submission(CHAPTER, "ada-right").notebooks[0].grades if g.needs_manual_grade
        ]
        essays[0].manual_score = 10
        gradebook.db.commit()
    _, lines = run(course)
    assert any("ada-right" in line and "9 points off" in line for line in lines)
    assert ",90.0,9.0,81.0," in (course / "grades.csv").read_text(encoding="utf-8")


def test_a_wrong_file_stops_before_anything_is_graded(course):
    with pytest.raises(CourseError, match="with its offset"):
        run(written(course, f"[due]\n{CHAPTER} = 2026-10-01T23:59:00\n"))
