"""`roster import` and `collect`: what Canvas, Moodle and Gradescope export becomes a class that can be graded."""

import json
import os
import subprocess
import sys
import zipfile
from datetime import UTC, timedelta

import pytest
from made_zips import EARLY, LATE, PEOPLE, ROSTER, Here, canvas, damaged, gradescope, moodle, notebook, packed
from nbgrader.api import Gradebook
from quick_course import CHAPTER
from typer.testing import CliRunner

from autograder import paths
from autograder.__main__ import app
from autograder.gradebook import late_work, students
from autograder.lms import collecting
from autograder.lms.collecting import collect_zips
from autograder.lms.rosters import People, import_roster
from autograder.submissions import archive_names, archives, files
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
def course(listed, tmp_path, monkeypatch):
    """A course with a roster and nothing handed in; zips are opened in this process."""
    monkeypatch.setattr(collecting, "HelperProcess", Here)
    (tmp_path / "roster.csv").write_bytes((listed / "roster.csv").read_bytes())
    return tmp_path


def here(course) -> dict[str, dict[str, str]]:
    """Return what lies in submitted/: {student: {file: text}}."""
    found = {}
    for path in sorted((course / "submitted").rglob("*")):
        if path.is_file():
            assert path.relative_to(course).parts[2] == CHAPTER
            found.setdefault(path.relative_to(course).parts[1], {})[path.name] = path.read_text(encoding="utf-8")
    return found


def zipped(course, make=moodle, **given):
    return make(course / "handed_in.zip", given.pop("works", ALL), **given)


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
def test_moodles_lists_and_a_plain_csv_are_rosters(tmp_path, text, says):
    (tmp_path / "people.csv").write_text(text, encoding="utf-8")
    found = import_roster(tmp_path / "people.csv", tmp_path)
    (row,) = students.rows(tmp_path)
    assert (row["first_name"], row["last_name"], row["email"]) == ("Ada", "Lovelace", "ada@x.org")
    assert says in row.values() and (found.new, found.changed) == (1, 0)


def test_a_second_system_adds_to_whom_the_course_knows(listed, tmp_path):
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
    ],
)
def test_a_roster_that_will_not_do_changes_nothing(tmp_path, text, says):
    (tmp_path / "people.csv").write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=says):
        import_roster(tmp_path / "people.csv", tmp_path)
    assert not (tmp_path / "roster.csv").exists() and not (tmp_path / "gradebook.db").exists()


def test_groups_of_the_roster_have_extensions(course):
    more = f'[extensions.{CHAPTER}]\n"Lab 1" = 2026-10-05T23:59:00Z\n'
    (course / late_work.FILE).write_text(DUE + more, encoding="utf-8")
    policy = late_work.read(course)
    assert [policy.due_of(CHAPTER, s).day for s in ("ada", "grace", "jose")] == [5, 1, 5]


def test_two_of_one_name_are_nobody():
    twins = [{"id": i, "first_name": "Ada", "last_name": "Lovelace"} for i in ("a1", "a2")]
    people = People([*twins, {"id": "b", "first_name": "Bo", "last_name": "Lee", "email": "b@x.org"}])
    assert people.find("moodle", {"name": "Ada Lovelace", "id": "1"}) is None
    assert people.find("moodle", {"name": "Lee Bo", "id": "1"}) == "b"
    assert people.find("gradescope", {"name": "Ada Lovelace", "email": "B@x.org"}) == "b"


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
def test_each_systems_zip_becomes_a_folder_for_each_student(course, make, given):
    path = zipped(course, make, **given)
    done = collect_zips(CHAPTER, [path], course)
    assert done.by["new"] == ["ada", "grace", "jose"] and done.strangers == []
    found = here(course)
    assert all(f'"source": "{s}"' in next(t for n, t in found[s].items() if n.endswith(".ipynb")) for s in PEOPLE)
    before = {p: p.stat().st_mtime_ns for p in (course / "submitted").rglob("*")}
    assert collect_zips(CHAPTER, [path], course).by["same"] == ["ada", "grace", "jose"]
    assert {p: p.stat().st_mtime_ns for p in (course / "submitted").rglob("*")} == before


def test_dates_come_from_where_the_system_has_them(course):
    collect_zips(CHAPTER, [zipped(course, gradescope)], course)
    assert here(course)["ada"]["timestamp.txt"] == "2026-10-01 10:00:00 UTC"
    path = zipped(course, works=ALL | {"ada": notebook("later")}, times={"ada": LATE})
    done = collect_zips(CHAPTER, [path], course, UTC)
    assert done.by == {"new": ["ada"], "same": ["grace", "jose"], "left": [], "none": []}
    assert here(course)["ada"]["timestamp.txt"] == "2026-10-03 12:00:00 UTC" and "later" in str(here(course)["ada"])


def test_a_class_whose_times_are_those_of_the_download_has_no_dates(course):
    times = {"ada": EARLY + timedelta(minutes=2)}
    done = collect_zips(CHAPTER, [zipped(course, times=times)], course)
    assert "timestamp.txt" not in here(course)["ada"] and "time of its download" in done.told[0]


def test_what_canvas_calls_late_is_one_day_late(course):
    (course / late_work.FILE).write_text(DUE, encoding="utf-8")
    done = collect_zips(CHAPTER, [zipped(course, canvas, late=("grace",))], course)
    found = here(course)
    assert found["grace"]["timestamp.txt"] == "2026-10-02 00:14:01 UTC" and "timestamp.txt" not in found["ada"]
    assert done.told == ["Canvas calls 1 submission late and does not say by how much: counted as one day"]


def test_nothing_newer_is_overwritten(course):
    new, old = {"ada": notebook("new")}, {"ada": notebook("old")}
    collect_zips(CHAPTER, [canvas(course / "b.zip", new, 9000)], course)
    done = collect_zips(CHAPTER, [canvas(course / "a.zip", old, 8000)], course)
    assert done.by["left"] == ["ada"] and done.told == ["ada: what is there is newer; left as it is"]
    assert "new" in str(here(course)) and "old" not in str(here(course))
    done = collect_zips(CHAPTER, [canvas(course / "c.zip", old, 9500)], course)
    assert done.by["new"] == ["ada"] and "old" in str(here(course))


def test_where_nothing_says_which_is_newer_it_is_asked_for(course):
    collect_zips(CHAPTER, [moodle(course / "a.zip", {"ada": notebook("a")})], course)
    again = [moodle(course / "b.zip", {"ada": notebook("b")})]
    assert "--replace" in str(collect_zips(CHAPTER, again, course).told) and '"a"' in str(here(course))
    assert collect_zips(CHAPTER, again, course, replace=True).by["new"] == ["ada"] and '"b"' in str(here(course))


def test_what_somebody_put_there_by_hand_stays(course):
    folder = files.place_of("ada", CHAPTER, course)
    folder.mkdir(parents=True)
    (folder / "mine.ipynb").write_text("by hand", encoding="utf-8")
    done = collect_zips(CHAPTER, [zipped(course)], course, replace=True)
    assert done.by["left"] == ["ada"] and done.by["new"] == ["grace", "jose"]
    assert here(course)["ada"] == {"mine.ipynb": "by hand"}


def test_a_damaged_member_costs_its_student_alone(course):
    path = damaged(zipped(course), "Grace")
    done = collect_zips(CHAPTER, [path], course)
    assert done.by == {"new": ["ada", "jose"], "same": [], "left": [], "none": ["grace"]}
    assert len(done.told) == 2 and done.told[1].startswith("grace: 01_spam.ipynb: cannot be read")


def test_strangers_are_listed_and_two_of_one_name_get_nothing(course):
    members = {f"Ada Lovelace_{i}_assignsubmission_file_/01_spam.ipynb": notebook() for i in (1, 2)}
    members |= {"Eve Moe_3_assignsubmission_file_/01_spam.ipynb": notebook()}
    done = collect_zips(CHAPTER, [packed(course / "z.zip", members)], course)
    assert done.strangers == ["Eve Moe"] and done.by["none"] == ["ada"] and not (course / "submitted").exists()


HOSTILE = {
    "climbs": "Ada Lovelace_1_assignsubmission_file_/../../../../../evil.ipynb",
    "absolute": "Ada Lovelace_1_assignsubmission_file_//etc/evil.ipynb",
    "hidden": "Ada Lovelace_1_assignsubmission_file_/.x/.evil.ipynb",
    "backwards": "Ada Lovelace_1_assignsubmission_file_/..\\..\\evil.ipynb",
    "long": f"Ada Lovelace_1_assignsubmission_file_/{'evil' * 60}.ipynb",
    "of codes": "Ada Lovelace_1_assignsubmission_file_/\x1b[2Jevil\n.ipynb",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_members_name_leads_nowhere(course, name):
    done = collect_zips(CHAPTER, [packed(course / "z.zip", {HOSTILE[name]: notebook()})], course)
    (file,) = here(course)["ada"]
    assert done.by["new"] == ["ada"] and file.endswith("ipynb") and not set(file) & set("/\\\x1b\n")
    assert len(file) <= archives.LONGEST_NAME + 1 and not file.startswith(".")
    assert sorted(p.name for p in course.iterdir()) == ["collected.json", "roster.csv", "submitted", "z.zip"]


def test_a_zip_that_grows_is_cut_off_and_files_that_are_no_notebook_stay(course, monkeypatch):
    monkeypatch.setattr(files, "LARGEST", 10_000)
    begin = "Ada Lovelace_1_assignsubmission_file_/"
    members = {f"{begin}01_spam.ipynb": notebook(), f"{begin}big.ipynb": b" " * 10**6, f"{begin}movie.mp4": b"x"}
    members |= {f"{begin}timestamp.txt": b"1999-01-01", f"{begin}__MACOSX/._01_spam.ipynb": b"x"}
    done = collect_zips(CHAPTER, [packed(course / "z.zip", members)], course)
    assert list(here(course)["ada"]) == ["01_spam.ipynb"] and "ada: big.ipynb: larger than" in str(done.told)


def test_a_link_in_a_zip_is_a_file(course):
    info = zipfile.ZipInfo("Ada Lovelace_1_assignsubmission_file_/01_spam.ipynb")
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(course / "z.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    collect_zips(CHAPTER, [course / "z.zip"], course)
    placed = files.place_of("ada", CHAPTER, course) / "01_spam.ipynb"
    assert not placed.is_symlink() and placed.read_text(encoding="utf-8") == "/etc/passwd"


def test_a_students_file_makes_no_zip_another_systems():
    canvas_names = ["a_1_2_x_3_assignsubmission_file_y.ipynb", "b_2_3_z.ipynb"]
    assert archive_names.system_of(canvas_names)[0] == "canvas"
    hidden = ["Ada_1_assignsubmission_file_/submission_metadata.yml", "Bo_2_assignsubmission_file_/x.ipynb"]
    assert archive_names.system_of([*hidden[1:], f"x/{hidden[0]}"])[0] == "moodle"
    assert archive_names.metadata_of(["submission_1/submission_metadata.yml", "submission_1/a/b"]) is None


@pytest.mark.parametrize("content", [b"", b"no zip", None])
def test_what_is_no_zip_of_submissions_is_told_in_a_line(course, content):
    path = course / "z.zip"
    if content is None:
        packed(path, {"holiday.jpg": b"x"})
    else:
        path.write_bytes(content)
    with pytest.raises(CourseError) as error:
        collect_zips(CHAPTER, [path], course)
    assert str(path) in str(error.value) and "\n" not in str(error.value) and not (course / "submitted").exists()


def test_without_a_roster_the_line_says_how_to_make_one(tmp_path):
    with pytest.raises(CourseError, match="roster import"):
        collect_zips(CHAPTER, [tmp_path / "z.zip"], tmp_path)


def test_aliases_in_gradescopes_list_take_no_time(course):
    bomb = "a: &a [x]\n" + "".join(f"b{i}: &b{i} [{f'*b{i - 1},' * 9 if i else '*a,'}]\n" for i in range(9))
    members = {"submission_1/01_spam.ipynb": notebook(), "submission_metadata.yml": bomb.encode()}
    done = collect_zips(CHAPTER, [packed(course / "z.zip", members)], course)
    assert done.strangers == ["1"] and not (course / "submitted").exists()


# The command, and who opens what.


def test_the_command_says_what_it_did(course):
    told = CliRunner().invoke(app, ["collect", "1", str(zipped(course)), "--course", str(course)])
    assert told.exit_code == 0 and "01_spam: 3 students: 3 written" in told.output
    eve = packed(course / "e.zip", {"eve_77_88_x.ipynb": notebook()})
    told = CliRunner().invoke(app, ["collect", "1", str(eve), "--course", str(course)])
    assert told.exit_code == 1 and "not in the roster, or more than one of this name: eve (1)" in told.output
    told = CliRunner().invoke(app, ["collect", "1", str(eve), "--course", str(course), "--zone", "Mars/Base"])
    assert isinstance(told.exception, CourseError)


HOOKED = """
import json, os, sys
from pathlib import Path
course, seen = Path(sys.argv[1]).resolve(), []

def heard(event, given):
    if event in ("open", "os.listdir", "os.scandir") and given and isinstance(given[0], (str, bytes, os.PathLike)):
        name = os.path.abspath(os.fsdecode(given[0]))
        if name.endswith(".zip") or name.startswith(str(course / "submitted") + os.sep):
            seen.append([event, name])

if __name__ == "__main__":
    from autograder.lms.collecting import collect_zips
    sys.addaudithook(heard)
    done = collect_zips("01_spam", [course / "handed_in.zip"], course)
    before = len(seen)
    open(course / "handed_in.zip").close()
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
