"""Nobody's work goes to another: teams, blind and anonymous zips, numbers and names that disagree, odd names."""

import csv
import shutil
import unicodedata
import zipfile

import pytest
from made_zips import (
    GROUP_SET,
    PEOPLE,
    ROSTER,
    WORKSHEET,
    Here,
    canvas,
    canvas_anonymous,
    canvas_groups,
    moodle_teams,
    notebook,
    packed,
)
from nbgrader.api import Gradebook
from quick_course import CHAPTER, pages, run
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.gradebook import late_work, students
from autograder.lms import canvas as canvas_format
from autograder.lms import collecting
from autograder.lms import roster as rosters
from autograder.lms.collecting import collect_zips
from autograder.lms.returns import pack
from autograder.lms.roster_import import import_roster
from autograder.submissions import files

MOODLES = "First name,Last name,Username,Email address,Groups\n{}"
PARTICIPANTS = MOODLES.format(
    'Ada,Lovelace,ada,ada@x.org,"Team 1, Lab"\nGrace,Hopper,grace,grace@x.org,Team 1\n'
    "José María,Núñez,jose,jose@x.org,Team 2\n"
)


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory):
    """A gradebook without students: making one takes its time."""
    folder = tmp_path_factory.mktemp("gradebook")
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "bow2lora"):
        return folder / "gradebook.db"


@pytest.fixture
def term(tmp_path, gradebook, monkeypatch):
    """A course without a roster and with nothing handed in; zips are opened in this process."""
    monkeypatch.setattr(collecting, "HelperProcess", Here)
    shutil.copy(gradebook, tmp_path)
    return tmp_path


def enrol(term, *lists: str) -> None:
    for number, text in enumerate(lists):
        (term / f"list{number}.csv").write_text(text, encoding="utf-8")
        import_roster(term / f"list{number}.csv", term)


def rows(term) -> dict[str, dict[str, str]]:
    return {row["id"]: row for row in students.rows(term)}


def here(term) -> dict[str, str]:
    """Return the text that each student's folder holds."""
    found = {}
    for path in sorted((term / "submitted").rglob("*.ipynb")):
        found[path.relative_to(term).parts[1]] = path.read_text(encoding="utf-8").partition('"source": "')[2][:4]
    return found


def nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


# Moodle.


def test_a_moodle_teams_number_is_nobodys_and_its_work_is_all_the_teams(term):
    enrol(term, WORKSHEET, PARTICIPANTS)
    works = {"Team 1": notebook("one."), "Team 2": notebook("two.")}
    path = moodle_teams(term / "z.zip", works, {"Team 1": 5003, "Team 2": 78})
    done = collect_zips(CHAPTER, [path], term)
    assert here(term) == {"ada@x.org": "one.", "grace@x.org": "one.", "jose@x.org": "two."}
    assert done.left_out == [] and "z.zip: work of the group Team 1 for ada@x.org, grace@x.org (2)" in done.told


def test_a_moodle_team_that_the_roster_does_not_know_is_named_and_goes_to_nobody(term):
    enrol(term, WORKSHEET)
    works = {"Team 1": notebook(), "Team 9": notebook(), "Default group": notebook()}
    path = moodle_teams(term / "z.zip", works, {"Team 1": 5003, "Team 9": 78})
    told = CliRunner().invoke(app, ["collect", "1", str(path), "--course", str(term)])
    assert told.exit_code == 1 and here(term) == {}
    assert "z.zip: left out: Team 1_5003 (1): the number is that of jose@x.org in roster.csv" in told.output
    assert "z.zip: left out: Team 9_78 (1): in roster.csv neither a student nor a group" in told.output
    assert "z.zip: left out: Default group (1): Moodle's name for all who are in no team" in told.output
    assert told.output.count("collect again") == 2 and "by hand" in told.output


def test_blind_marking_goes_by_the_number_alone(term):
    enrol(term, WORKSHEET)
    members = {f"Participant_{n}_assignsubmission_file/01_spam.ipynb": notebook(f"n{n}"[:4]) for n in (5002, 9999)}
    done = collect_zips(CHAPTER, [packed(term / "z.zip", members)], term)
    assert here(term) == {"grace@x.org": "n500"}
    assert len(done.left_out) == 1 and "left out: Participant_9999 (1): Moodle names nobody" in done.left_out[0]


def test_two_of_one_name_are_told_apart_by_their_numbers_and_names_with_underscores_are_names(term):
    more = '"Participant 5004","Ada Lovelace",a2@x.org,,\n"Participant 5005","Under_Score Una",una@x.org,,\n'
    enrol(term, WORKSHEET + more)
    members = {
        "Ada Lovelace_5004_assignsubmission_file_/01_spam.ipynb": notebook("two."),
        "Under Score Una_5005_assignsubmission_file_/01_spam.ipynb": notebook("una."),
    }
    done = collect_zips(CHAPTER, [packed(term / "z.zip", members)], term)
    assert here(term) == {"a2@x.org": "two.", "una@x.org": "una."} and done.left_out == []


def test_who_is_in_a_team_and_handed_in_alone_gets_neither(term):
    enrol(term, WORKSHEET, PARTICIPANTS)
    members = {
        "Team 1_5_assignsubmission_file/01_spam.ipynb": notebook("one."),
        "Ada Lovelace_5001_assignsubmission_file/01_spam.ipynb": notebook("ada."),
    }
    done = collect_zips(CHAPTER, [packed(term / "z.zip", members)], term)
    assert here(term) == {"grace@x.org": "one."} and done.by["none"] == ["ada@x.org"]
    assert "none is taken, put the right one into submitted/ada@x.org/01_spam by hand" in str(done.told)


def test_pages_of_a_moodle_team_go_back_to_each_of_it_and_never_by_the_teams_number(term):
    enrol(term, PARTICIPANTS)
    path = moodle_teams(term / "z.zip", {"Team 1": notebook()}, {"Team 1": 5003})
    collect_zips(CHAPTER, [path], term)
    list(pages(CHAPTER, term, ["ada", "grace"], 1))
    told = CliRunner().invoke(app, ["return", "1", "--course", str(term)])
    assert told.exit_code == 1 and "grading worksheet, then return again: ada, grace (2)" in told.output
    assert not (term / "returns").exists()
    enrol(term, WORKSHEET)
    with zipfile.ZipFile(next(iter(pack(CHAPTER, term).zips))) as archive:
        beginning = [f"Participant_{number}_assignsubmission_file_/01_spam.html" for number in (5001, 5002)]
        assert archive.namelist() == beginning


# Canvas.


def test_a_canvas_groups_work_is_all_the_groups(term):
    enrol(term, ROSTER, GROUP_SET)
    works = {"Project_Team 3": (102, notebook("one.")), "Núñez, José María": (103, notebook("jose"))}
    done = collect_zips(CHAPTER, [canvas_groups(term / "z.zip", works, late=("Project_Team 3",))], term)
    assert here(term) == {"ada": "one.", "grace": "one.", "jose": "jose"} and done.left_out == []
    list(pages(CHAPTER, term, list(PEOPLE), 1))
    told = CliRunner().invoke(app, ["return", "1", "--course", str(term)])
    assert told.exit_code == 0 and "Canvas shows one page to all of a team, another's to: grace (1)" in told.output
    with zipfile.ZipFile(term / "returns/01_spam_canvas.zip") as archive:
        mine = ["núñezjosémaría_103_7001_01_spam.html", "project_team3_LATE_102_7000_01_spam.html"]
        assert sorted(archive.namelist()) == mine


def test_a_canvas_group_that_the_roster_does_not_know_does_not_go_to_the_one_whose_number_it_has(term):
    enrol(term, ROSTER)
    works = {"Project_Team 3": (102, notebook()), "Lab 2": (101, notebook())}
    done = collect_zips(CHAPTER, [canvas_groups(term / "z.zip", works)], term)
    section, group = done.left_out
    assert here(term) == {} and section.startswith("z.zip: left out: lab2_101 (1): the number is that of ada in ")
    assert group.startswith("z.zip: left out: project_team3_102 (1): the number is that of grace in roster.csv")
    assert group.endswith("column group of its members, then collect again")


def test_a_canvas_group_whose_number_is_of_none_of_its_members_is_left_out(term):
    enrol(term, ROSTER, GROUP_SET)
    done = collect_zips(CHAPTER, [canvas_groups(term / "z.zip", {"Project_Team 3": (103, notebook())})], term)
    assert here(term) == {} and "a group in which roster.csv does not have them" in done.left_out[0]


def test_an_anonymous_zip_is_told_and_goes_to_nobody(term):
    enrol(term, ROSTER)
    done = collect_zips(CHAPTER, [canvas_anonymous(term / "z.zip", {"aB3x1": notebook(), "23a45": notebook()})], term)
    assert here(term) == {} and len(done.left_out) == 1
    assert done.left_out[0].startswith("z.zip: left out: anon_23a45, anon_aB3x1 (2): Canvas names nobody")
    assert done.left_out[0].endswith("then download and collect again")


def test_names_with_underscores_in_canvas_are_names(term):
    enrol(term, ROSTER + '"Under_Score, Una",1013,S4,una,Lab 1\n"Team_3, Bo",1014,S5,bo,Lab 1\n')
    members = {
        "under_scoreuna_1013_50012_01_spam.ipynb": notebook("una."),
        "team_3bo_LATE_1014_50013_2_3_x.ipynb": notebook("bo.."),
        "lovelaceada_101_50011_50012_4_x.ipynb": notebook("ada."),
    }
    done = collect_zips(CHAPTER, [packed(term / "z.zip", members)], term)
    assert here(term) == {"ada": "ada.", "bo": "bo..", "una": "una."} and done.left_out == []


@pytest.mark.parametrize(
    ("member", "known", "says"),
    [
        ("team_3_1001_50001_01_spam.ipynb", ["1001"], ("team_3", "1001", "01_spam.ipynb")),
        ("ada_1001_50001_2_3_x.ipynb", [], ("ada", "1001", "2_3_x.ipynb")),
        ("ada_1001_50001_01_spam.ipynb", ["50001"], ("ada", "1001", "01_spam.ipynb")),
        ("anon_LATE_1001_50001_x.ipynb", [], ("anon", "1001", "x.ipynb")),
    ],
)
def test_where_a_name_of_canvas_ends(member, known, says):
    named = canvas_format.read_name(member, known)
    assert (named.who, named.number, named.file) == says and not named.anonymous


def test_a_number_and_a_name_of_canvas_that_disagree_are_nobodys(term):
    enrol(term, ROSTER)
    members = {"hoppergrace_101_7000_x.ipynb": notebook(), "lovelaceada_999_7001_x.ipynb": notebook()}
    done = collect_zips(CHAPTER, [packed(term / "z.zip", members)], term)
    assert here(term) == {} and "that of ada in roster.csv" in done.left_out[0]
    assert "lovelaceada_999 (1): the one of this name in roster.csv has another number" in done.left_out[1]


def test_a_number_counts_with_the_parts_of_the_name_in_any_order(term):
    enrol(term, "id,first_name,last_name,lms_user_id\njose,José,María Núñez,103\n")
    collect_zips(CHAPTER, [canvas(term / "z.zip", {"jose": notebook("jose")})], term)
    assert here(term) == {"jose": "jose"}


def test_a_file_that_is_named_in_no_form_is_named(term):
    enrol(term, ROSTER)
    members = {"lovelaceada_101_7000_x.ipynb": notebook("ada."), "hoppergrace_102_text.html": b"<p>see my page</p>"}
    told = CliRunner().invoke(
        app, ["collect", "1", str(packed(term / "z.zip", members)), "--course", str(term)], terminal_width=400
    )
    assert told.exit_code == 1 and here(term) == {"ada": "ada."}
    assert "z.zip: left out: hoppergrace_102_text.html (1): not named as Canvas names a file" in told.output
    assert "submitted/<student>/01_spam/ by hand" in told.output


# Rosters.


def test_sections_are_split_at_commas_and_two_where_each_has_students_of_its_own(term):
    enrol(
        term,
        "Student,ID,SIS Login ID,Section\n"
        '"A, A",1,a,Speech and Language\n"B, B",2,b,"Lab 1, Lab 2, and Speech and Language"\n'
        '"C, C",3,c,Lab 1 and Speech and Language\n"D, D",4,d,Lab 1\n',
    )
    assert {row["id"]: row["group"] for row in students.rows(term)} == {
        "a": "Speech and Language",
        "b": "Lab 1;Lab 2;Speech and Language",
        "c": "Lab 1;Speech and Language",
        "d": "Lab 1",
    }


def test_canvass_groups_join_its_sections_and_stay_when_the_gradebook_comes_again(term):
    enrol(term, ROSTER, GROUP_SET)
    assert rows(term)["ada"]["group"] == "Lab 1;Lab 2;Project_Team 3" and rows(term)["jose"]["group"] == "Lab 1"
    moved = ROSTER.replace("ada,Lab 1 and Lab 2", "ada,Lab 2")
    enrol(term, moved)
    assert rows(term)["ada"]["group"] == "Lab 2;Project_Team 3"
    enrol(term, GROUP_SET.replace('Project_Team 3,31,\n"Hop', ',,\n"Hop'))
    assert rosters.teams(rows(term)["ada"]) == [] and rosters.teams(rows(term)["grace"]) == ["Project_Team 3"]


def test_a_gradebook_with_last_and_first_names_apart_is_canvass(term):
    text = "LastName,FirstName,ID,SIS Login ID,Section\n    Points Possible,,,,\nLovelace,Ada,101,ada,Lab 1\n"
    enrol(term, text + "Student,Test,999,,Lab 1\n")
    assert [(r["id"], r["lms_user_id"], r["first_name"]) for r in students.rows(term)] == [("ada", "101", "Ada")]


def test_the_column_of_canvass_assignment_is_kept_and_the_newest_counts(term):
    header, *lines = ROSTER.splitlines()
    with_column = "\n".join([f"{header},01_spam (98765),Quiz (3)", *(f"{line},12.50," for line in lines)])
    enrol(term, with_column, GROUP_SET)
    assert "01_spam (98765)" in rows(term)["ada"] and "quiz (3)" not in rows(term)["ada"]
    assert canvas_format.grades([], CHAPTER, {}, rosters.of_course(term))[0][-1] == "01_spam (98765)"
    enrol(term, with_column.replace("98765", "11"))
    assert canvas_format.grades([], CHAPTER, {}, rosters.of_course(term))[0][-1] == "01_spam (11)"


# One name in two forms of Unicode.


def test_rosters_zips_and_folders_are_one_name_in_nfc_and_nfd(term):
    enrol(term, nfd("id,first_name,last_name,email,group\nÜnï,Ünï,Müller,ü@x.org,Größe\n"))
    assert list(rows(term)) == ["Ünï"] and students.groups(term) == {"Größe": ["Ünï"]}
    assert rosters.of_course(term).find(nfd("ünï"))["email"] == "ü@x.org"
    by_hand = term / "submitted" / nfd("Ünï") / CHAPTER
    by_hand.mkdir(parents=True)
    assert files.place_of("Ünï", CHAPTER, term) == by_hand
    (term / late_work.FILE).write_text(
        nfd(f'[due]\n{CHAPTER} = 2026-10-01T23:59:00Z\n[extensions.{CHAPTER}]\n"Größe" = 2026-10-05T23:59:00Z\n'),
        encoding="utf-8",
    )
    assert late_work.read(term).due_of(CHAPTER, "Ünï").day == 5
    shutil.rmtree(by_hand)
    members = {nfd("Ünï Müller_5_assignsubmission_file_/01_spam.ipynb"): notebook("uni.")}
    assert collect_zips(CHAPTER, [packed(term / "z.zip", members)], term).by["new"] == ["Ünï"]


@pytest.mark.usefixtures("quick_pages")
def test_a_folder_in_nfd_is_graded_and_exported_as_the_rosters_student(course):
    whose = course / "submitted" / "ada-right"
    shutil.copytree(whose, course / "submitted" / nfd("Ünï"))
    (course / "people.csv").write_text("id,name,email\nÜnï,Ünï M,u@x.org\nada-right,Ada R,a@x.org\n", encoding="utf-8")
    import_roster(course / "people.csv", course)
    assert run(course)[0]["Ünï"] == 80.0
    told = CliRunner().invoke(app, ["export", "1", "--format", "canvas", "--course", str(course)])
    assert "handed in nothing" not in told.output and "Ünï" not in told.output
    with (course / "canvas.csv").open(encoding="utf-8", newline="") as file:
        assert [row[0] for row in csv.reader(file)].count("M, Ünï") == 1
    shutil.copytree(whose, course / "submitted" / "Ünï")
    totals, lines = run(course)
    assert list(totals).count("Ünï") == 1
    assert "Ünï: submitted holds this name twice, in two forms of Unicode" in str(lines)
