"""`adopt` without running anything: what it reads, what it keeps in the course, and what it says."""

import re
import shutil
from pathlib import Path

import nbformat
import pytest
import several_notebooks as shapes
from several_notebooks import NAME

from autograder import adopted_table, paths
from autograder.adopting import proofs, said
from autograder.adopting import source as sources
from autograder.adopting.proofs import Adopted, ensure_unchanged
from autograder.adopting.source import MAX_BYTES
from helpers.errors import CourseError


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A course with an assignment that was adopted."""
    return shapes.make(tmp_path_factory.mktemp("made"))


@pytest.fixture
def course(made, tmp_path) -> Path:
    """A copy of it: what its table says of places must not lead back to the first one."""
    return shutil.copytree(made, tmp_path / "a course")


def folder_of(course: Path) -> Path:
    return course / "source" / NAME


def refused(folder: Path) -> str:
    with pytest.raises(CourseError) as caught:
        sources.read(folder)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(folder))
    return str(caught.value)


def changed(path: Path, change) -> None:
    notebook = nbformat.read(path, as_version=4)
    change(notebook.cells)
    nbformat.write(notebook, path)


def test_what_is_no_assignment_is_refused_in_a_line_that_says_what_to_give(course):
    folder = folder_of(course)
    assert "a file; give the folder in which it lies" in refused(folder / "flat.ipynb")
    assert "there is no such folder" in refused(course / NAME)
    assert "no notebook lies in it; give the folder of one assignment" in refused(folder.parent)


def test_an_assignment_without_points_is_refused(course):
    (folder_of(course) / "round.ipynb").unlink()
    changed(folder_of(course) / "flat.ipynb", lambda cells: [cell.metadata.pop("nbgrader", None) for cell in cells])
    assert "no cell in it has points" in refused(folder_of(course))


@pytest.mark.parametrize(
    ("name", "words"), [("area", "two cells have the grade_id 'area'"), ("a" * 65, "more than 64 characters")]
)
def test_a_grade_id_that_cannot_be_a_cells_id_is_named(course, name, words):
    def rename(cells):
        cells[2].metadata.nbgrader.grade_id = name

    changed(folder_of(course) / "flat.ipynb", rename)
    with pytest.raises(CourseError, match=words):
        sources.read(folder_of(course))


def test_files_beside_the_notebooks_come_along_up_to_a_size(course):
    folder = folder_of(course)
    (folder / "data").mkdir()
    (folder / "data" / "points.csv").write_text("1,2\n", encoding="utf-8")
    (folder / ".hidden").write_text("not mine\n", encoding="utf-8")
    assert list(sources.read(folder).files) == ["data/points.csv"]
    with (folder / "large.bin").open("wb") as large:
        large.truncate(MAX_BYTES)
    assert "20,000,004 bytes, 20,000,000 are allowed" in refused(folder)


def test_a_damaged_notebook_is_named(course):
    (folder_of(course) / "round.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(CourseError, match=r"round\.ipynb: not a notebook that can be read"):
        sources.read(folder_of(course))


def test_what_left_the_source_leaves_the_copy_that_is_graded(course):
    copy, folder = course / proofs.BUILT / NAME, folder_of(course)
    (folder / "flat.ipynb").rename(folder / "plane.ipynb")
    (copy / "old.csv").write_text("1\n", encoding="utf-8")
    sources.write(sources.read(folder), copy)
    assert sorted(path.name for path in copy.iterdir()) == ["plane.ipynb", "round.ipynb"]


def test_grade_asks_for_adopt_after_a_change_also_where_the_course_was_moved(course, made, monkeypatch):
    monkeypatch.chdir(course)
    assert ensure_unchanged(course, NAME).assignment == NAME
    (folder_of(course) / "new.csv").write_text("1\n", encoding="utf-8")
    assert ensure_unchanged(made, NAME)
    with pytest.raises(CourseError, match=f"changed since it was adopted; run again: bow2lora adopt source/{NAME}/"):
        ensure_unchanged(course, NAME)


def test_what_was_not_adopted_and_a_damaged_table_are_told_with_the_command(course, monkeypatch):
    elsewhere = f" --course '{course}'"
    with pytest.raises(CourseError, match=re.escape(f"bow2lora adopt '{course}/source/week 2/'{elsewhere}")):
        ensure_unchanged(course, "week 2")
    monkeypatch.chdir(course)
    with pytest.raises(CourseError, match="week 2 was not adopted; run again: bow2lora adopt 'source/week 2/'"):
        ensure_unchanged(course, "week 2")
    adopted_table.path_of(course, NAME).write_text("{}", encoding="utf-8")
    with pytest.raises(CourseError, match=f"not a table that `adopt` wrote; run again: bow2lora adopt source/{NAME}/"):
        adopted_table.read(course, NAME)


def test_a_name_that_a_command_would_take_for_a_chapter_is_refused(course, monkeypatch):
    monkeypatch.setattr(proofs.paths, "chapters", lambda: ["01_spam"])
    folder = folder_of(course).rename(course / "source" / "1")
    with pytest.raises(CourseError, match="1 is what 01_spam is called by here; rename the folder"):
        proofs.adopt(folder, course, make=pytest.fail)


def test_a_name_may_end_with_the_slash_of_its_folder(course):
    assert adopted_table.asked([f"{NAME}/", NAME], course) == [NAME]
    assert paths.chapter(f"{NAME}/") == NAME


def test_a_folder_of_the_source_is_not_taken_for_a_chapter(course):
    (course / "source" / "week 2").mkdir()
    with pytest.raises(CourseError, match=r"week 2 was not adopted yet; run first: bow2lora adopt '.*/source/week 2/'"):
        adopted_table.asked(["week 2"], course)


def lines(course: Path, of: Path) -> list[str]:
    table = adopted_table.read(of, NAME)
    found = table.__class__(**{**vars(table), "folder": proofs._place(folder_of(of), course.resolve())})
    return list(said.lines(Adopted(found, ("of flat stopped",)), course))


def test_the_last_lines_say_what_a_person_grades_what_stopped_and_what_comes_next(course, monkeypatch):
    monkeypatch.chdir(course)
    assert lines(Path(), Path()) == [
        f"{NAME}: 3 test cells: 1 proved, 1 unproved, 1 left to a person",
        "a person grades besides: flat--try_it, flat--draw, round--why",
        "in the solved notebook of flat stopped",
        f"now put what students hand in into submitted/<student>/{NAME}/, then: bow2lora grade {NAME}",
    ]


def test_who_adopts_in_another_folder_than_the_courses_is_told(course, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = [line for line in lines(Path(), course) if line.startswith("this is for")]
    assert told == [f"this is for the course in {tmp_path}; for the one in {course} adopt it there, or with --course"]
    assert not [line for line in lines(course, course) if line.startswith("this is for")]
    assert lines(course, course)[-1].endswith(f"grade {NAME} --course '{course}'")
