"""Teams hand in once: one work, one grading, one mark for an essay; a row, a date and a page for each of them."""

import csv
import json
import shutil
import zipfile

import nbformat
import pytest
from made_zips import GROUP_SET, PEOPLE, ROSTER, WORKSHEET, Here, canvas_groups, gradescope, moodle_teams, packed
from quick_course import CHAPTER, book, run, runs
from test_essays import essay_names, fill
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.essays import answers
from autograder.execution.result_cache import Store
from autograder.gradebook import late_work, teams
from autograder.gradebook.nbgrader_course import course_config
from autograder.gradebook.recorder import Recorder
from autograder.lms import collecting
from autograder.lms.collecting import collect_zips
from autograder.lms.roster_import import import_roster
from autograder.report import likeness
from helpers.errors import CourseError

pytestmark = pytest.mark.usefixtures("quick_pages")
CLASS = "id,name,email,group\nada,Ada L,ada@x.org,Team 1;Lab\nbob,Bob M,bob@x.org,Team 1\neve,Eve N,eve@x.org,Team 2\n"
TEAMS = f'[teams]\n{CHAPTER} = ["Team *"]\n'
PARTICIPANTS = "First name,Last name,Username,Email address,Groups\n" + "".join(
    f"{PEOPLE[s][0].rpartition(' ')[0]},{PEOPLE[s][0].rpartition(' ')[2]},{s},{s}@x.org,{team}\n"
    for s, team in {"ada": "Team 1", "grace": "Team 1", "jose": "Team 2"}.items()
)
WHEN = "2026-10-0{} 12:00:00 UTC"


def bow2lora(course, *words):
    return CliRunner().invoke(app, [*map(str, words), "--course", str(course)])


def enrol(course, *lists):
    for number, text in enumerate(lists):
        (course / f"list{number}.csv").write_text(text, encoding="utf-8")
        import_roster(course / f"list{number}.csv", course)
        (course / f"list{number}.csv").unlink()


@pytest.fixture
def team(course, monkeypatch):
    """A course in which nobody has handed in; its roster has a team of two, and one of one."""
    monkeypatch.setattr(collecting, "HelperProcess", Here)
    (course / "submitted").rename(course / "made")
    return course


@pytest.fixture
def stated(team):
    """The same, and course.toml says who hands in together."""
    enrol(team, CLASS)
    (team / "course.toml").write_text(TEAMS, encoding="utf-8")
    return team


def work(course, kind: str, essay: str = "") -> bytes:
    """Return a notebook of the sample class, with an essay in it."""
    (path,) = (course / "made" / kind).rglob("*.ipynb")
    notebook = nbformat.read(path, as_version=4)
    if essay:
        next(c for c in notebook.cells if c.id == f"essay-{essay_names()[0]}").source = essay
    return nbformat.writes(notebook).encode()


def hand_in(course, student: str, kind: str = "ada-right", essay: str = "", day: int = 0) -> None:
    folder = course / "submitted" / student / CHAPTER
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{CHAPTER}.ipynb").write_bytes(work(course, kind, essay))
    if day:
        (folder / "timestamp.txt").write_text(WHEN.format(day), encoding="utf-8")


def table(path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return {next(iter(row.values())): row for row in csv.DictReader(file)}


# One work for all of a team.


def test_what_one_hands_in_is_graded_once_and_counts_for_each(stated):
    hand_in(stated, "bob")
    hand_in(stated, "eve", "cleo-half")
    totals, lines = run(stated)
    assert totals == {"ada": 80.0, "bob": 80.0, "eve": 33.0} and len(runs(stated)) == 2
    assert lines[0] == f"{CHAPTER}: 2 submissions, 2 of them new or changed"
    assert not (stated / "submitted" / "ada").exists()
    notes = table(stated / "questions.csv")
    assert notes["ada"]["notes"] == notes["bob"]["notes"] == "work of the team Team 1"
    for student in ("ada", "bob"):
        assert (stated / "autograded" / student / CHAPTER / f"{CHAPTER}.ipynb").is_file()
        assert (stated / "feedback" / student / CHAPTER / f"{CHAPTER}.html").is_file()
    assert run(stated)[1][0] == f"{CHAPTER}: 2 submissions, 0 of them new or changed"
    told = bow2lora(stated, "export", CHAPTER, "--format", "moodle")
    assert told.exit_code == 0 and "handed in nothing" not in told.output
    assert set(table(stated / "moodle.csv")) == {"ada@x.org", "bob@x.org", "eve@x.org"}


def test_a_team_is_not_told_to_look_alike(stated, monkeypatch):
    hand_in(stated, "bob")
    hand_in(stated, "eve", "cleo-half")
    run(stated)
    compared = []
    monkeypatch.setattr(likeness, "pairs", lambda given, models: compared.extend(given) or [])
    assert bow2lora(stated, "report", CHAPTER).exit_code == 0
    assert compared == ["ada", "eve"]


def test_a_folder_with_the_teams_name_is_the_teams_and_no_student(stated):
    hand_in(stated, "team 1")
    assert run(stated)[0] == {"ada": 80.0, "bob": 80.0}
    with book(stated) as stock:
        assert "team 1" not in {student.id for student in stock.students}


def test_with_inputs_for_each_student_a_team_has_the_same(stated):
    (stated / "course.toml").write_text(f'secrets = "student"\n{TEAMS}', encoding="utf-8")
    for student in ("ada", "bob", "eve"):
        hand_in(stated, student)
    run(stated)
    assert len(runs(stated)) == 2


@pytest.mark.parametrize("secrets", ["course", "student"])
def test_moodles_teams_are_graded_once(team, secrets):
    enrol(team, WORKSHEET, PARTICIPANTS)
    (team / "course.toml").write_text(f'secrets = "{secrets}"\n', encoding="utf-8")
    works = {"Team 1": work(team, "ada-right"), "Team 2": work(team, "cleo-half")}
    collect_zips(CHAPTER, [moodle_teams(team / "z.zip", works, {"Team 1": 5003, "Team 2": 78})], team)
    totals, lines = run(team)
    assert totals == {"ada@x.org": 80.0, "grace@x.org": 80.0, "jose@x.org": 33.0}
    assert lines[0].startswith(f"{CHAPTER}: 2 submissions") and len(runs(team)) == 2
    assert bow2lora(team, "return", CHAPTER).exit_code == 0


def test_canvas_group_and_gradescopes_list_are_graded_once(team):
    enrol(team, ROSTER, GROUP_SET)
    collect_zips(CHAPTER, [canvas_groups(team / "z.zip", {"Project_Team 3": (102, work(team, "ada-right"))})], team)
    assert run(team)[0] == {"ada": 80.0, "grace": 80.0} and len(runs(team)) == 1
    assert set(Store(team, CHAPTER).teams().values()) == {("Project_Team 3", "ada")}
    shutil.rmtree(team / "submitted")
    (team / "collected.json").unlink()
    path = gradescope(team / "g.zip", {"jose": work(team, "cleo-half")})
    metadata = "  - :name: Ada Lovelace\n    :sid: S1\n    :email: ada@x.org\n  :created_at"
    rewrite(path, "submission_metadata.yml", "  :created_at", metadata)
    collect_zips(CHAPTER, [path], team)
    totals, lines = run(team)
    assert totals == {"ada": 33.0, "jose": 33.0}
    assert "work of the team of ada, jose" in table(team / "questions.csv")["jose"]["notes"]
    assert "  grace: in no team that handed in any more, and without work of their own: not counted" in lines


def rewrite(path, name: str, old: str, new: str) -> None:
    with zipfile.ZipFile(path) as archive:
        content = {member: archive.read(member) for member in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for member, raw in content.items():
            archive.writestr(member, raw.replace(old.encode(), new.encode()) if member.endswith(name) else raw)


# Dates.


def test_a_team_has_one_date_the_latest_of_its_own_and_its_members(stated):
    dates = f"{TEAMS}[due]\n{CHAPTER} = 2026-10-01T12:00:00Z\n[late]\nper_day = 10\n[extensions.{CHAPTER}]\n"
    (stated / "course.toml").write_text(dates + "ada = 2026-10-03T12:00:00Z\n", encoding="utf-8")
    hand_in(stated, "bob", day=4)
    hand_in(stated, "eve", "cleo-half", day=3)
    run(stated)
    assert {s: row["late penalty"] for s, row in table(stated / "questions.csv").items()} == {
        "ada": "8.0", "bob": "8.0", "eve": "6.6",
    }  # fmt: skip
    (stated / "course.toml").write_text(dates + '"Team 1" = 2026-10-05T12:00:00Z\n', encoding="utf-8")
    run(stated)
    assert [table(stated / "questions.csv")[s]["late penalty"] for s in ("ada", "bob")] == ["0.0", "0.0"]


# Wrong input.


def test_of_two_works_of_a_team_the_newest_counts_and_a_line_says_so(stated):
    hand_in(stated, "ada", "cleo-half", day=1)
    hand_in(stated, "bob", "ada-right", day=2)
    totals, lines = run(stated)
    assert totals == {"ada": 80.0, "bob": 80.0}
    assert "  team Team 1: what bob handed in last counts for all, not the work of ada" in lines
    hand_in(stated, "ada", "cleo-half", day=3)
    assert run(stated)[0] == {"ada": 33.0, "bob": 33.0}


@pytest.mark.parametrize("days", [(0, 0), (1, 0), (2, 2)])
def test_where_no_date_says_which_is_newer_each_has_their_own(stated, days):
    (stated / "roster.csv").unlink()
    enrol(stated, CLASS + "joe,Joe O,joe@x.org,Team 1\n")
    hand_in(stated, "ada", "cleo-half", day=days[0])
    hand_in(stated, "bob", "ada-right", day=days[1])
    totals, lines = run(stated)
    assert totals == {"ada": 33.0, "bob": 80.0}
    said = "team Team 1: different work of ada, bob, and no date says which is newer: each has their own"
    assert f"  {said}" in lines
    assert "handed in nothing, so without points: eve, joe" in bow2lora(stated, "export", CHAPTER).output


def test_who_is_in_two_teams_is_graded_alone_and_named(stated):
    (stated / "course.toml").write_text(f'{TEAMS}[groups]\n"Team 2" = ["bob"]\n', encoding="utf-8")
    hand_in(stated, "ada")
    hand_in(stated, "eve", "cleo-half")
    totals, lines = run(stated)
    assert totals == {"ada": 80.0, "eve": 33.0}
    said = "  bob is in several teams, Team 2 and Team 1, and graded alone until only one has this member"
    assert said in lines


def test_a_group_that_is_not_there_is_refused_before_anything_is_graded(stated):
    (stated / "course.toml").write_text(f'[teams]\n{CHAPTER} = ["Tema *"]\n', encoding="utf-8")
    hand_in(stated, "ada")
    with pytest.raises(CourseError, match=r"\[teams\] 01_spam: no group is called 'Tema \*'"):
        run(stated)
    assert runs(stated) == []
    (stated / "course.toml").write_text('[teams]\n1 = "Team 1"\n', encoding="utf-8")
    with pytest.raises(CourseError, match="teams: 1 = 'Team 1'; write a list of groups"):
        late_work.read(stated)


def test_who_left_has_a_copy_and_who_is_only_in_course_toml_has_no_row(stated):
    (stated / "course.toml").write_text(f'{TEAMS}[groups]\n"Team 1" = ["zoe"]\n', encoding="utf-8")
    hand_in(stated, "ada")
    totals, lines = run(stated)
    assert totals == {"ada": 80.0, "bob": 80.0}
    assert "  zoe: in the group Team 1 of course.toml, and not in roster.csv" in lines
    told = bow2lora(stated, "roster", "remove", "bob", "--keep-points")
    copied = f"taken out: submitted/ada/{CHAPTER}, copied as the team's work to submitted/bob/{CHAPTER}"
    assert told.exit_code == 0 and copied in told.output
    hand_in(stated, "ada", "cleo-half")  # after bob has left
    assert run(stated)[0] == {"ada": 33.0, "bob": 80.0}


def test_the_team_keeps_its_work_when_who_handed_it_in_is_deleted(stated):
    hand_in(stated, "ada")
    run(stated)
    bow2lora(stated, "roster", "remove", "ada", "--yes")
    assert not (stated / "submitted" / "ada").exists()
    assert "not counted" not in bow2lora(stated, "report", CHAPTER).output
    assert run(stated)[0] == {"bob": 80.0}


# Essays and pages.


def test_an_essay_is_marked_once_in_the_sheet_and_each_has_the_points(stated):
    hand_in(stated, "bob", essay="Order is lost in a bag.")
    hand_in(stated, "eve", essay="A bag forgets which word came first.")
    run(stated)
    told = bow2lora(stated, "essays", "export", CHAPTER)
    assert "2 answers" in told.output
    name = essay_names()[0]
    first, other = answers.number(stated, "ada", name), answers.number(stated, "eve", name)
    sheet = fill(stated / "essays" / CHAPTER / "marks.csv", **{first: ("7.5", "well read"), other: ("3", "")})
    told = bow2lora(stated, "essays", "import", CHAPTER, sheet)
    assert told.exit_code == 0 and "2 answers recorded" in told.output
    run(stated)
    assert {s: row[f"essay {name}"] for s, row in table(stated / "questions.csv").items()} == {
        "ada": "7.5", "bob": "7.5", "eve": "3.0",
    }  # fmt: skip


def test_what_formgrader_gave_one_goes_to_all_and_what_it_gave_two_stays(stated):
    name = f"essay-{essay_names()[0]}"
    hand_in(stated, "bob", essay="Order is lost in a bag.")
    run(stated)
    by_hand(stated, name, bob=(6.0, "good"))
    run(stated)
    assert marks(stated, name) == {"ada": (6.0, False, "good"), "bob": (6.0, False, "good")}
    by_hand(stated, name, ada=(4.0, "did less"))
    run(stated)
    assert marks(stated, name) == {"ada": (4.0, False, "did less"), "bob": (6.0, False, "good")}
    hand_in(stated, "bob", essay="Another text.")
    run(stated)
    assert marks(stated, name) == {"ada": (4.0, True, "did less"), "bob": (6.0, True, "good")}
    by_hand(stated, name, ada=(9.0, ""))
    run(stated)
    assert marks(stated, name) == {"ada": (9.0, False, None), "bob": (9.0, False, None)}


def by_hand(course, name: str, **given) -> None:
    with Recorder(course_config(course), CHAPTER) as recorder:
        recorder.grade_by_hand({(student, name): mark for student, mark in given.items()})


def marks(course, name: str) -> dict:
    with Recorder(course_config(course), CHAPTER) as recorder:
        grades, comments = recorder.grades(), recorder.comments()
    return {s: (grades[s][name][1], grades[s][name][3], comments[s][name][1]) for s in ("ada", "bob")}


def test_pages_go_back_to_each_whose_team_one_handed_in_for(team):
    enrol(team, PARTICIPANTS)
    members = {"Ada Lovelace_5001_assignsubmission_file_/01_spam.ipynb": work(team, "ada-right")}
    (team / "course.toml").write_text(TEAMS, encoding="utf-8")
    collect_zips(CHAPTER, [packed(team / "z.zip", members)], team)
    run(team)
    told = bow2lora(team, "return", CHAPTER)
    assert told.exit_code == 1 and "handed in as a team, and roster.csv has no number" in told.output
    enrol(team, WORKSHEET)
    told = bow2lora(team, "return", CHAPTER)
    assert told.exit_code == 0 and told.output.startswith("2 pages: wrote")


def test_the_record_of_zips_is_read_and_one_that_is_damaged_named(tmp_path):
    (tmp_path / "collected.json").write_text(json.dumps({CHAPTER: {"a": {"number": "1"}, "b": {"number": "1"}}}))
    assert teams.collected(CHAPTER, tmp_path) == [teams.Team("", ("a", "b"))]
    (tmp_path / "collected.json").write_text("{")
    with pytest.raises(CourseError, match="damaged"):
        teams.collected(CHAPTER, tmp_path)
