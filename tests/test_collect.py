"""`roster import` and `collect`: what Canvas, Moodle and Gradescope export becomes a class that can be graded."""

import csv
import json
import os
import shutil
import subprocess
import sys
import zipfile
from datetime import UTC, timedelta

import pytest
from made_zips import (
    EARLY,
    LATE,
    PEOPLE,
    ROSTER,
    Here,
    canvas,
    canvas_name,
    damaged,
    gradescope,
    moodle,
    notebook,
    packed,
)
from nbgrader.api import Gradebook
from quick_course import CHAPTER, pages, run
from typer.testing import CliRunner

from autograder import paths
from autograder.__main__ import app
from autograder.gradebook import late_work, students
from autograder.lms import archives, collecting
from autograder.lms import gradescope as gradescope_format
from autograder.lms.collecting import collect_zips
from autograder.lms.people import People
from autograder.lms.returns import pack
from autograder.lms.roster_import import import_roster
from autograder.submissions import files
from helpers.errors import CourseError

ALL = {student: notebook(student) for student in PEOPLE}
DUE = f"[due]\n{CHAPTER} = 2026-10-01T23:59:00Z\n[late]\nper_day = 10\ngrace_minutes = 15\n"


@pytest.fixture(scope="module")
def listed(tmp_path_factory):
    """A course that has a roster."""
    folder = tmp_path_factory.mktemp("listed")
    (folder / "canvas.csv").write_text(ROSTER, encoding="utf-8")
    import_roster(folder / "canvas.csv", folder)
    return folder


@pytest.fixture
def term(listed, tmp_path, monkeypatch):
    """A course with a roster and nothing handed in; zips are opened in this process."""
    monkeypatch.setattr(collecting, "HelperProcess", Here)
    (tmp_path / "roster.csv").write_bytes((listed / "roster.csv").read_bytes())
    return tmp_path


def here(term) -> dict[str, dict[str, str]]:
    """Return what lies in submitted/: {student: {file: text}}."""
    found = {}
    for path in sorted((term / "submitted").rglob("*")):
        if path.is_file():
            assert path.relative_to(term).parts[2] == CHAPTER
            found.setdefault(path.relative_to(term).parts[1], {})[path.name] = path.read_text(encoding="utf-8")
    return found


def zipped(term, make=moodle, **given):
    return make(term / "handed_in.zip", given.pop("works", ALL), **given)


# Rosters.


def test_a_canvas_export_becomes_students_groups_and_names(listed):
    assert students.groups(listed) == {"Lab 1": ["ada", "jose"], "Lab 2": ["ada", "grace"]}
    with Gradebook(f"sqlite:///{listed / 'gradebook.db'}", "bow2lora") as book:
        known = {s.id: (s.first_name, s.last_name, s.lms_user_id) for s in book.students}
    assert known["jose"] == ("José María", "Núñez", "103") and set(known) == {"ada", "grace", "jose"}


@pytest.mark.parametrize(
    "text, says",
    [
        ("First name,Last name,ID number,Email address,Groups\nAda,Lovelace,S1,ada@x.org,\"G1, G2\"\n", "G1;G2"),
        ("Identifier,Full name,Email address\nParticipant 5001,Ada Lovelace,ada@x.org\n", "Participant 5001"),
        ("id;name;email;group\nada;Ada Lovelace;ada@x.org;G1\n", "ada@x.org"),
    ],
)  # fmt: skip
def test_moodles_lists_and_a_plain_csv_are_rosters(listed, tmp_path, text, says):
    shutil.copy(listed / "gradebook.db", tmp_path)  # making one takes its time
    (tmp_path / "people.csv").write_text(text, encoding="utf-8")
    found = import_roster(tmp_path / "people.csv", tmp_path)
    (row,) = students.rows(tmp_path)
    assert (row["first_name"], row["last_name"], row["email"]) == ("Ada", "Lovelace", "ada@x.org")
    assert says in row.values() and (found.new, found.changed) == (1, 0)


def test_a_second_system_adds_to_whom_the_course_knows(listed, tmp_path):
    shutil.copy(listed / "gradebook.db", tmp_path)
    (tmp_path / "roster.csv").write_bytes((listed / "roster.csv").read_bytes())
    moodles = "First name,Last name,ID number,Email address,Groups\nAda,Lovelace,S1,ada@x.org,G9\nEve,Moe,S9,e@x.org,\n"
    (tmp_path / "moodle.csv").write_text(moodles, encoding="utf-8")
    assert import_roster(tmp_path / "moodle.csv", tmp_path).new == 1
    rows = {row["id"]: row for row in students.rows(tmp_path)}
    assert sorted(rows) == ["S9", "ada", "grace", "jose"] and rows["ada"]["email"] == "ada@x.org"
    assert rows["ada"]["lms_user_id"] == "101" and rows["ada"]["sis login id"] == "ada"
    before = (tmp_path / "roster.csv").read_bytes()
    assert (import_roster(tmp_path / "moodle.csv", tmp_path).new, (tmp_path / "roster.csv").read_bytes()) == (0, before)


@pytest.mark.parametrize(
    "text, says",
    [
        ("name\nAda\n", "no column tells"),
        ("id,name\n../ada,Ada\n", "cannot name a folder"),
        ("id,name\nada,Ada\nAda,Ada\n", "two students"),
        ("username,name,email\n,Ada,\n,Bob,\n", "no students"),
        ("id,name\n1.23457E+11,Ada\n", "a number of a spreadsheet and nobody's id"),
        ("id,name\n12345.0,Ada\n", "a number of a spreadsheet and nobody's id"),
    ],
)
def test_a_roster_that_will_not_do_changes_nothing(tmp_path, text, says):
    (tmp_path / "people.csv").write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=says):
        import_roster(tmp_path / "people.csv", tmp_path)
    assert not (tmp_path / "roster.csv").exists() and not (tmp_path / "gradebook.db").exists()


def test_an_id_that_lost_its_zeros_in_a_spreadsheet_is_no_second_student(tmp_path):
    (tmp_path / "people.csv").write_text("id,name\n0012,Ada Lovelace\n13,Cleo Ray\n", encoding="utf-8")
    import_roster(tmp_path / "people.csv", tmp_path)
    before = (tmp_path / "roster.csv").read_bytes()
    (tmp_path / "saved.csv").write_text("id,name\n12,Ada Lovelace\n13,Cleo Ray\n", encoding="utf-8")
    with pytest.raises(CourseError, match="no student '12', and one '0012'"):
        import_roster(tmp_path / "saved.csv", tmp_path)
    assert (tmp_path / "roster.csv").read_bytes() == before
    (tmp_path / "saved.csv").write_text("id,name\n12,Ada Lovelace\n0012,Bob Low\n", encoding="utf-8")
    (tmp_path / "roster.csv").unlink()
    assert import_roster(tmp_path / "saved.csv", tmp_path).new == 2  # two people from the beginning


def test_groups_of_the_roster_have_extensions(term):
    more = f'[extensions.{CHAPTER}]\n"Lab 1" = 2026-10-05T23:59:00Z\n'
    (term / late_work.FILE).write_text(DUE + more, encoding="utf-8")
    policy = late_work.read(term)
    assert [policy.due_of(CHAPTER, s).day for s in ("ada", "grace", "jose")] == [5, 1, 5]


def test_two_of_one_name_are_nobody():
    twins = [{"id": i, "first_name": "Ada", "last_name": "Lovelace"} for i in ("a1", "a2")]
    people = People([*twins, {"id": "b", "first_name": "Bo", "last_name": "Lee", "email": "b@x.org"}])
    twin = people.owners("moodle", {"name": "Ada Lovelace", "id": "1"})
    assert (twin.students, twin.why.partition(";")[0]) == ((), "more than one in roster.csv")
    assert people.owners("moodle", {"name": "Lee Bo", "id": "1"}).students == ("b",)
    assert people.owners("gradescope", {"name": "Ada Lovelace", "email": "B@x.org"}).students == ("b",)


# Zips.


@pytest.mark.parametrize(
    "make, given",
    [
        (canvas, {}),
        (moodle, {}),
        (moodle, {"form": "{}/"}),
        (moodle, {"form": "{}_"}),
        (gradescope, {}),
    ],
)
def test_each_systems_zip_becomes_a_folder_for_each_student(term, make, given):
    path = zipped(term, make, **given)
    done = collect_zips(CHAPTER, [path], term)
    assert done.by["new"] == ["ada", "grace", "jose"] and done.left_out == []
    found = here(term)
    assert all(f'"source": "{s}"' in next(t for n, t in found[s].items() if n.endswith(".ipynb")) for s in PEOPLE)
    before = {p: p.stat().st_mtime_ns for p in (term / "submitted").rglob("*")}
    assert collect_zips(CHAPTER, [path], term).by["same"] == ["ada", "grace", "jose"]
    assert {p: p.stat().st_mtime_ns for p in (term / "submitted").rglob("*")} == before


def test_dates_come_from_where_the_system_has_them(term):
    collect_zips(CHAPTER, [zipped(term, gradescope)], term)
    assert here(term)["ada"]["timestamp.txt"] == "2026-10-01 10:00:00 UTC"
    path = zipped(term, works=ALL | {"ada": notebook("later")}, times={"ada": LATE})
    done = collect_zips(CHAPTER, [path], term, UTC)
    assert done.by == {"new": ["ada"], "same": ["grace", "jose"], "left": [], "none": []}
    assert here(term)["ada"]["timestamp.txt"] == "2026-10-03 12:00:00 UTC" and "later" in str(here(term)["ada"])


def test_a_class_whose_times_are_those_of_the_download_has_no_dates(term):
    times = {"ada": EARLY + timedelta(minutes=2)}
    done = collect_zips(CHAPTER, [zipped(term, times=times)], term)
    assert "timestamp.txt" not in here(term)["ada"] and "time of its download" in done.told[0]


def test_what_canvas_calls_late_is_one_day_late(term):
    (term / late_work.FILE).write_text(DUE, encoding="utf-8")
    done = collect_zips(CHAPTER, [zipped(term, canvas, late=("grace",))], term)
    found = here(term)
    assert found["grace"]["timestamp.txt"] == "2026-10-02 00:14:01 UTC" and "timestamp.txt" not in found["ada"]
    told = "handed_in.zip: Canvas calls 1 submission late and does not say by how much: counted as one day; "
    assert done.told == [f"{told}write timestamp.txt for whom this is wrong"]


def test_nothing_newer_is_overwritten(term):
    new, old = {"ada": notebook("new")}, {"ada": notebook("old")}
    collect_zips(CHAPTER, [canvas(term / "b.zip", new, 9000)], term)
    done = collect_zips(CHAPTER, [canvas(term / "a.zip", old, 8000)], term)
    assert done.by["left"] == ["ada"] and done.told == [
        "ada: what is there is newer; submitted/ada/01_spam is left as it is"
    ]
    assert "new" in str(here(term)) and "old" not in str(here(term))
    done = collect_zips(CHAPTER, [canvas(term / "c.zip", old, 9500)], term)
    assert done.by["new"] == ["ada"] and "old" in str(here(term))


def test_where_nothing_says_which_is_newer_it_is_asked_for(term):
    collect_zips(CHAPTER, [moodle(term / "a.zip", {"ada": notebook("a")})], term)
    again = [moodle(term / "b.zip", {"ada": notebook("b")})]
    assert "--replace" in str(collect_zips(CHAPTER, again, term).told) and '"a"' in str(here(term))
    assert collect_zips(CHAPTER, again, term, replace=True).by["new"] == ["ada"] and '"b"' in str(here(term))


def test_what_somebody_put_there_by_hand_stays(term):
    folder = files.place_of("ada", CHAPTER, term)
    folder.mkdir(parents=True)
    (folder / "mine.ipynb").write_text("by hand", encoding="utf-8")
    done = collect_zips(CHAPTER, [zipped(term)], term, replace=True)
    assert done.by["left"] == ["ada"] and done.by["new"] == ["grace", "jose"]
    assert here(term)["ada"] == {"mine.ipynb": "by hand"}


def test_a_damaged_member_costs_its_student_alone(term):
    path = damaged(zipped(term), "Grace")
    done = collect_zips(CHAPTER, [path], term)
    assert done.by == {"new": ["ada", "jose"], "same": [], "left": [], "none": ["grace"]}
    assert len(done.told) == 3 and done.told[1].startswith("grace: 01_spam.ipynb: cannot be read")
    assert done.told[2].endswith("has no file that can be read and could be the notebook; ask for it again")


class Mortal(Here):
    """A process that ends over one student's part."""

    def ask(self, question, seconds):
        if "Grace" in str(question.get("place", "")):
            raise collecting.Failed("ended the process")
        return super().ask(question, seconds)


def test_a_part_that_ends_the_process_costs_its_student_alone(term, monkeypatch):
    monkeypatch.setattr(collecting, "HelperProcess", Mortal)
    done = collect_zips(CHAPTER, [zipped(term)], term)
    assert done.by["new"] == ["ada", "jose"] and done.by["none"] == ["grace"]
    assert done.told[-2] == "grace: reading it ended the process"


def test_strangers_are_listed_and_two_of_one_name_get_nothing(term):
    members = {f"Ada Lovelace_{i}_assignsubmission_file_/01_spam.ipynb": notebook() for i in (1, 2)}
    members |= {"Eve Moe_3_assignsubmission_file_/01_spam.ipynb": notebook()}
    done = collect_zips(CHAPTER, [packed(term / "z.zip", members)], term)
    assert [line.partition(": in roster")[0] for line in done.left_out] == ["z.zip: left out: Eve Moe_3 (1)"]
    assert done.by["none"] == ["ada"] and not (term / "submitted").exists()
    assert "ada: several submissions in z.zip: Ada Lovelace_1_assignsubmission_file_/01_spam.ipynb, Ada" in done.told[1]


def test_who_takes_a_name_with_a_classmates_number_gets_nothing_of_hers(term):
    evil = canvas_name("Hopper Grace__1_02__7_001_x")  # Canvas takes single underscores out, and two become one
    assert evil == "hoppergrace_102_7001_x"
    members = {"hoppergrace_102_7001_01_spam.ipynb": notebook("grace"), f"{evil}_101_7000_a.ipynb": notebook("evil")}
    done = collect_zips(CHAPTER, [packed(term / "z.zip", members)], term)
    assert list(here(term)) == ["grace"] and "evil" not in str(here(term))
    assert "left out: hoppergrace_102_7001_x_101_7000_a.ipynb (1)" in done.left_out[0]
    members = {"lovelaceada_101_7000_x_101_6990_01_spam.ipynb": notebook("ada")}  # her own file, once from Canvas
    collect_zips(CHAPTER, [packed(term / "z.zip", members)], term)
    assert "ada" in here(term)


def accounts(path, *people):
    """Write what Gradescope exports of these (name, email) accounts."""
    members, listed = {}, []
    for number, (name, email) in enumerate(people):
        members[f"export/submission_{number}/01_spam.ipynb"] = notebook(email)
        listed += [f"submission_{number}:", "  :submitters:", f"  - :name: {name}", f"    :email: {email}"]
        listed.append(f"  :created_at: 2026-10-0{number + 1} 10:00:00 Z")
    return packed(path, members | {"export/submission_metadata.yml": "\n".join(listed).encode()})


@pytest.mark.parametrize("addresses", [False, True], ids=["a roster without addresses", "a roster with addresses"])
def test_a_second_account_of_a_classmates_name_takes_the_place_of_nobodys_work(term, addresses):
    if addresses:
        (term / "own.csv").write_text("id,name,email\ngrace,Grace Hopper,grace@x.org\n", encoding="utf-8")
        (term / "roster.csv").unlink()
        import_roster(term / "own.csv", term)
    both = accounts(term / "z.zip", ("Grace Hopper", "grace@x.org"), ("Grace Hopper", "evil@y.org"))
    done = collect_zips(CHAPTER, [both], term)
    found = here(term) if (term / "submitted").is_dir() else {}
    assert "evil" not in str(found) and ("grace" in found) == addresses
    assert ("another address" in str(done.left_out)) == addresses
    assert ("grace: several submissions" in str(done.told)) != addresses
    collect_zips(CHAPTER, [accounts(term / "z.zip", ("Grace Hopper", "grace@x.org"))], term)
    assert "grace@x.org" in str(here(term)["grace"])  # the honest one, alone


def test_all_files_of_a_student_together_have_a_largest_size(term, monkeypatch):
    monkeypatch.setattr(archives, "MOST_MEGABYTES", 2)
    begin = "Ada Lovelace_1_assignsubmission_file_/"
    members = {f"{begin}{number}.ipynb": b" " * 900_000 for number in range(9)}
    done = collect_zips(CHAPTER, [packed(term / "z.zip", members)], term)
    assert sorted(here(term)["ada"]) == ["0.ipynb", "1.ipynb"]
    assert sum("more than 2 MB with the student's other files" in line for line in done.told) == 7


HOSTILE = {
    "climbs": "Ada Lovelace_1_assignsubmission_file_/../../../../../evil.ipynb",
    "absolute": "Ada Lovelace_1_assignsubmission_file_//etc/evil.ipynb",
    "hidden": "Ada Lovelace_1_assignsubmission_file_/.x/.evil.ipynb",
    "backwards": "Ada Lovelace_1_assignsubmission_file_/..\\..\\evil.ipynb",
    "long": f"Ada Lovelace_1_assignsubmission_file_/{'evil' * 60}.ipynb",
    "of codes": "Ada Lovelace_1_assignsubmission_file_/\x1b[2Jevil\n.ipynb",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_members_name_leads_nowhere(term, name):
    done = collect_zips(CHAPTER, [packed(term / "z.zip", {HOSTILE[name]: notebook()})], term)
    (file,) = here(term)["ada"]
    assert done.by["new"] == ["ada"] and file.endswith("ipynb") and not set(file) & set("/\\\x1b\n")
    assert len(file) <= archives.LONGEST_NAME + 1 and not file.startswith(".")
    assert sorted(p.name for p in term.iterdir()) == ["collected.json", "roster.csv", "submitted", "z.zip"]


def test_a_zip_that_grows_is_cut_off_and_files_that_are_no_notebook_stay(term, monkeypatch):
    monkeypatch.setattr(files, "LARGEST", 10_000)
    begin = "Ada Lovelace_1_assignsubmission_file_/"
    members = {f"{begin}01_spam.ipynb": notebook(), f"{begin}big.ipynb": b" " * 10**6, f"{begin}movie.mp4": b"x"}
    members |= {f"{begin}timestamp.txt": b"1999-01-01", f"{begin}__MACOSX/._01_spam.ipynb": b"x"}
    done = collect_zips(CHAPTER, [packed(term / "z.zip", members)], term)
    assert list(here(term)["ada"]) == ["01_spam.ipynb"] and "ada: big.ipynb: larger than" in str(done.told)


def test_the_case_of_a_files_name_does_not_matter(term):
    begin = "Ada Lovelace_1_assignsubmission_file_/"
    members = {f"{begin}01_SPAM.IPYNB": notebook(), f"{begin}ALL.ZIP": b"PK", f"{begin}photo.JPG": b"x"}
    collect_zips(CHAPTER, [packed(term / "z.zip", members)], term)
    placed = files.place_of("ada", CHAPTER, term)
    assert sorted(path.name for path in placed.iterdir()) == ["01_SPAM.IPYNB", "ALL.ZIP"]


def test_a_link_in_a_zip_is_a_file(term):
    info = zipfile.ZipInfo("Ada Lovelace_1_assignsubmission_file_/01_spam.ipynb")
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(term / "z.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    collect_zips(CHAPTER, [term / "z.zip"], term)
    placed = files.place_of("ada", CHAPTER, term) / "01_spam.ipynb"
    assert not placed.is_symlink() and placed.read_text(encoding="utf-8") == "/etc/passwd"


def test_a_students_file_makes_no_zip_another_systems():
    canvas_names = ["a_1_2_x_3_assignsubmission_file_y.ipynb", "b_2_3_z.ipynb"]
    assert archives.system_of(canvas_names)[0] == "canvas"
    hidden = ["Ada_1_assignsubmission_file_/submission_metadata.yml", "Bo_2_assignsubmission_file_/x.ipynb"]
    assert archives.system_of([*hidden[1:], f"x/{hidden[0]}"])[0] == "moodle"
    assert gradescope_format.metadata_of(["submission_1/submission_metadata.yml", "submission_1/a/b"]) is None


@pytest.mark.parametrize("content", [b"", b"no zip", None])
def test_what_is_no_zip_of_submissions_is_told_in_a_line(term, content):
    path = term / "z.zip"
    if content is None:
        packed(path, {"holiday.jpg": b"x"})
    else:
        path.write_bytes(content)
    with pytest.raises(CourseError) as error:
        collect_zips(CHAPTER, [path], term)
    assert str(path) in str(error.value) and "\n" not in str(error.value) and not (term / "submitted").exists()


def test_without_a_roster_the_line_says_how_to_make_one(tmp_path):
    with pytest.raises(CourseError, match="roster import"):
        collect_zips(CHAPTER, [tmp_path / "z.zip"], tmp_path)


def test_aliases_in_gradescopes_list_take_no_time(term):
    bomb = "a: &a [x]\n" + "".join(f"b{i}: &b{i} [{f'*b{i - 1},' * 9 if i else '*a,'}]\n" for i in range(9))
    members = {"submission_1/01_spam.ipynb": notebook(), "submission_metadata.yml": bomb.encode()}
    done = collect_zips(CHAPTER, [packed(term / "z.zip", members)], term)
    assert done.left_out[0].startswith("z.zip: left out: 1 (1): ") and not (term / "submitted").exists()


# The command, and who opens what.


def test_the_command_says_what_it_did(term):
    told = CliRunner().invoke(app, ["collect", "1", str(zipped(term)), "--course", str(term)])
    assert told.exit_code == 0 and "01_spam: 3 students: 3 written" in told.output
    eve = packed(term / "e.zip", {"eve_77_88_x.ipynb": notebook()})
    told = CliRunner().invoke(app, ["collect", "1", str(eve), "--course", str(term)])
    assert told.exit_code == 1 and "e.zip: left out: eve_77 (1): in roster.csv neither" in told.output
    told = CliRunner().invoke(app, ["collect", "1", str(eve), "--course", str(term), "--zone", "Mars/Base"])
    assert isinstance(told.exception, CourseError)


HOOKED = """
import json, os, sys
from pathlib import Path
term, seen = Path(sys.argv[1]).resolve(), []

def heard(event, given):
    if event in ("open", "os.listdir", "os.scandir") and given and isinstance(given[0], (str, bytes, os.PathLike)):
        name = os.path.abspath(os.fsdecode(given[0]))
        if name.endswith(".zip") or name.startswith(str(term / "submitted") + os.sep):
            seen.append([event, name])

if __name__ == "__main__":
    from autograder.lms.collecting import collect_zips
    sys.addaudithook(heard)
    done = collect_zips("01_spam", [term / "handed_in.zip"], term)
    before = len(seen)
    open(term / "handed_in.zip").close()
    print(json.dumps([done.by["new"], seen[:before], len(seen) - before]))
"""


def test_the_coordinator_opens_no_zip_and_nothing_below_submitted(listed, tmp_path):
    (tmp_path / "roster.csv").write_bytes((listed / "roster.csv").read_bytes())
    zipped(tmp_path)
    (tmp_path / "hooked.py").write_text(HOOKED, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "hooked.py"), str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(paths.ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert json.loads(done.stdout.splitlines()[-1]) == [["ada", "grace", "jose"], [], 1], done.stderr


# The way back.


def canvas_owner(name: str) -> tuple[str, str]:
    """Return (user, attachment) as Canvas finds them: the first two parts of a file's name that are numbers."""
    numbers = [part for part in name.split("_") if part.isdecimal()]
    assert "/" not in name and not name.split("_")[-1].startswith("link")
    return numbers[0], numbers[1]


def moodle_owner(name: str) -> tuple[str, str]:
    """Return (participant, name of the file) as Moodle finds them: name, number, kind and plugin, then the rest."""
    _, number, kind, plugin, *rest = name.split("/")[0].split("_", 4)
    assert (kind, plugin) == ("assignsubmission", "file")
    return number, "/".join(filter(None, [*rest, *name.split("/")[1:]]))


@pytest.mark.parametrize("form", ["{}_/", "{}/", "{}_"])
def test_pages_go_back_under_the_names_that_moodle_knows(term, form):
    collect_zips(CHAPTER, [zipped(term, form=form)], term)
    list(pages(CHAPTER, term, ["ada", "grace"], 1))
    told = CliRunner().invoke(app, ["return", "1", "--course", str(term)])
    assert told.exit_code == 1 and "no feedback page yet; run `bow2lora grade 01_spam`: jose (1)" in told.output
    with zipfile.ZipFile(term / "returns/01_spam_moodle.zip") as archive:
        assert [moodle_owner(name) for name in archive.namelist()] == [
            ("5001", "01_spam.html"),
            ("5002", "01_spam.html"),
        ]
        assert all(archive.read(name) == b"page" for name in archive.namelist())


def test_pages_go_back_under_the_names_that_canvas_knows_and_each_to_its_system(term):
    collect_zips(CHAPTER, [canvas(term / "c.zip", {"ada": notebook(), "grace": notebook()}, late=("ada",))], term)
    collect_zips(CHAPTER, [gradescope(term / "g.zip", {"jose": notebook()})], term)
    list(pages(CHAPTER, term, list(PEOPLE), 1))
    found = pack(CHAPTER, term, term / "out")
    assert found.elsewhere == ["jose"] and list(found.zips.values()) == [["ada", "grace"]]
    with zipfile.ZipFile(term / "out/01_spam_canvas.zip") as archive:
        assert [canvas_owner(name) for name in archive.namelist()] == [("102", "7001"), ("101", "7000")]
        assert all(name.endswith("_01_spam.html") for name in archive.namelist())
    first = (term / "out/01_spam_canvas.zip").read_bytes()
    pack(CHAPTER, term, term / "out")
    assert (term / "out/01_spam_canvas.zip").read_bytes() == first


def test_without_anything_collected_there_is_nothing_to_pack(term):
    with pytest.raises(CourseError, match="nothing of 01_spam was collected"):
        pack(CHAPTER, term)


# Exports of a class with a roster.


@pytest.mark.usefixtures("quick_pages")
def test_exports_know_the_roster_say_what_is_not_graded_and_who_handed_in_nothing(course):
    people = "id,name,email\nada-right,Ada R,ada@x.org\ncleo-half,Cleo H,cleo@x.org\nzoe,Zoe Z,zoe@x.org\n"
    (course / "people.csv").write_text(people, encoding="utf-8")
    run(course)
    import_roster(course / "people.csv", course)
    told = CliRunner().invoke(app, ["export", "1", "--format", "moodle", "--course", str(course)])
    assert told.exit_code == 1 and "2 students: wrote" in told.output
    assert "handed in nothing, so without points: zoe (1)" in told.output
    assert "essays that nobody has graded count as 0 points: false-alarms (1 answer), swap (" in told.output
    rows = list(csv.reader((course / "moodle.csv").open(encoding="utf-8", newline="")))
    assert [row[0] for row in rows] == ["Email address", "ada@x.org", "cleo@x.org"]
