"""[chapters] of course.toml: questions dropped, added and weighted otherwise, before and after the first grade."""

import csv
from pathlib import Path

import nbformat
import pytest
from quick_course import CHAPTER, book, run
from typer.testing import CliRunner

from autograder import cell_marks, course_file, paths
from autograder.__main__ import app
from autograder.authoring import build
from autograder.authoring.adapted import Change, adapted, change_of
from autograder.grading.graded_chapter import release_to
from autograder.handout import leaks
from autograder.submissions.rebuild import rebuild
from helpers.errors import CourseError

pytestmark = pytest.mark.usefixtures("quick_pages")
STORY = '''# %% [markdown]
# ## Words that stand twice
#
# 5 minutes, ★, 4 points
# %% given
from collections import Counter
# %% exercise="twice"
def twice(tokens: list[str]) -> list[str]:
    """Return the words that stand twice or more, by name."""
    ### BEGIN SOLUTION
    return sorted(word for word, times in Counter(tokens).items() if times > 1)
    ### END SOLUTION
# %% check="twice" points=4
'''
CASES = """from helpers.checks import graded


@graded("twice", points=4)
def score(check):
    check(twice, ["a", "b", "a"]).equals(["a"])
    ### BEGIN HIDDEN TESTS
    check.hidden()
    check(twice, ["c", "b", "c", "b"]).equals(["b", "c"], about="two words")
    ### END HIDDEN TESTS


score
"""


def told(course: Path, text: str) -> Path:
    """Let a course's file say this of the chapter."""
    (course / course_file.FILE).write_text(f"[chapters.{CHAPTER}]\n{text}\n", encoding="utf-8")
    return course


def with_story(course: Path) -> Path:
    """Put a story with one exercise into a course's folder."""
    (course / "more" / "checks").mkdir(parents=True)
    (course / "more" / "twice.py").write_text(STORY, encoding="utf-8")
    (course / "more" / "checks" / "twice.py").write_text(CASES, encoding="utf-8")
    return course


def full() -> nbformat.NotebookNode:
    """Return the instructor's notebook of the checkout."""
    return nbformat.read(build.fresh(CHAPTER), as_version=4)


def points(notebook) -> dict[str, float]:
    return {c.id: c.metadata.nbgrader.points for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade")}


def cells(notebook) -> dict:
    return {c.id: c for c in notebook.cells}


def test_what_is_dropped_is_given_and_carries_no_points():
    made = adapted(full(), Change(drop=("bm25", "swap")))
    found, gone = cells(made), {"check-bm25", "essay-swap"}
    assert gone.isdisjoint(found) and cell_marks.from_metadata(found["bm25"]) == "given"
    assert "SOLUTION" not in found["bm25"].source and "NotImplementedError" not in found["bm25"].source
    assert points(made) == {i: p for i, p in points(full()).items() if i not in gone}
    assert cells(full())["bm25"].metadata.nbgrader.solution  # the checkout's own is as it was


def test_points_stand_in_the_cell_the_check_and_the_text():
    made = adapted(full(), Change(points={"tfidf": 10}))
    assert points(made)["check-tfidf"] == 10 and '@graded("tfidf", points=10)' in cells(made)["check-tfidf"].source
    said = [c.source for c in made.cells if c.cell_type == "markdown" and ", 10 points" in c.source]
    assert len(said) == 3 and sum("graded by hand" in text for text in said) == 2


@pytest.mark.parametrize("total", [100, 20, 33.3])
def test_points_are_scaled_to_a_sum_exactly(total):
    made = adapted(full(), Change(drop=("bm25", "swap"), points={"tfidf": 14}, total=total))
    found = points(made)
    assert round(sum(found.values()), 2) == total and abs(found["check-tfidf"] - 2 * found["check-bag"]) <= 0.02
    assert all(f"points={p:g})" in cells(made)[i].source for i, p in found.items() if i.startswith("check-"))


@pytest.mark.parametrize(
    "text, says",
    [
        ('drop = ["bm26"]', "there is no question 'bm26'; there are: rules, judge"),
        ('drop = "bm25"', 'drop = ["bm25"]'),
        ("points = {tf = 0}", "above 0"),
        ("points = {tf = true}", "above 0"),
        ("total = nan", "above 0"),
        ('drop = ["tf"]\npoints = {tf = 3}', "'tf' is dropped and has points"),
        ("weights = 3", "there are add, drop, points, total"),
        ('add = ["none.py"]', "none.py"),
    ],
)
def test_what_is_wrong_is_named_in_a_line_before_anything_is_graded(course, text, says):
    with pytest.raises(CourseError) as error:
        run(told(course, text))
    assert says in str(error.value) and "\n" not in str(error.value) and not (course / "autograded").exists()


def test_a_chapter_without_questions_is_none(tmp_path):
    names = [n.split("-", 1)[1] for n in points(full())]
    with pytest.raises(CourseError, match="no question is left"):
        adapted(full(), Change("here", drop=tuple(names)))
    (tmp_path / course_file.FILE).write_text("[chapters.99_none]\ndrop = []\n", encoding="utf-8")
    with pytest.raises(CourseError, match="no chapter '99_none'"):
        change_of(tmp_path, CHAPTER)


def test_grading_exports_and_pages_follow(course):
    run(told(course, 'drop = ["bm25", "swap"]\npoints = {tfidf = 10}\ntotal = 50'))
    rows = list(csv.DictReader((course / "questions.csv").open(encoding="utf-8", newline="")))
    ada = next(row for row in rows if row["student"] == "ada-right")
    assert "bm25" not in ada and "essay swap" not in ada and float(ada["tfidf"]) == 5.81
    assert all(float(r["max_score"]) == 50 for r in csv.DictReader((course / "grades.csv").open(encoding="utf-8")))
    assert CliRunner().invoke(app, ["export", "1", "--course", str(course)]).exit_code == 0
    assert all(float(r["max_score"]) == 50 for r in csv.DictReader((course / "grades.csv").open(encoding="utf-8")))


def test_work_from_the_whole_edition_is_no_damaged_one(course):
    handed_in = nbformat.read(course / f"submitted/ada-right/{CHAPTER}/{CHAPTER}.ipynb", as_version=4)
    template = nbformat.read(release_to(CHAPTER, told(course, 'drop = ["bm25", "swap"]')), as_version=4)
    made, repairs = rebuild(template, handed_in)
    assert repairs == [] and cells(made)["bm25"].source == cells(template)["bm25"].source
    assert not [c for c in made.cells if c.id.startswith("own-") and "bm25" in c.source]


def test_a_question_may_go_and_come_back_after_the_first_grade(course):
    before, _ = run(course)
    with book(course) as gradebook:
        (grade,) = (
            g for g in gradebook.find_submission(CHAPTER, "ada-right").notebooks[0].grades if g.name == "essay-swap"
        )
        grade.manual_score = 9
        gradebook.db.commit()
    totals, lines = run(told(course, 'drop = ["bm25", "swap"]'))
    assert totals["ada-right"] == before["ada-right"] - 7 and totals["cleo-half"] == before["cleo-half"]
    assert any("questions came or went" in line and "gradebook_before_1.db" in line for line in lines)
    with book(course) as gradebook:
        names = {g.name for g in gradebook.find_submission(CHAPTER, "ada-right").notebooks[0].grades}
        assert not names & {"check-bm25", "essay-swap"} and gradebook.find_assignment(CHAPTER).max_score == 83
    assert "0 of them new or changed" in run(course)[1][0]
    (course / course_file.FILE).unlink()
    assert run(course)[0] == before
    with book(course) as gradebook:
        assert gradebook.find_submission(CHAPTER, "ada-right").max_score == 100
    assert (course / "build" / "gradebook_before_2.db").is_file()


def test_points_may_change_after_the_first_grade(course):
    run(course)
    totals, lines = run(told(course, "points = {tf = 10}"))
    assert totals["ada-right"] == 86 and any("tf 4 -> 10 (the check changed)" in line for line in lines)


@pytest.mark.parametrize("graded_before", [False, True])
def test_an_exercise_may_be_added_before_and_after_the_first_grade(course, graded_before):
    if graded_before:
        run(course)
    totals, _ = run(told(with_story(course), 'add = ["more/twice.py"]\npoints = {twice = 6}'))
    assert totals["ada-right"] == 80.0
    with book(course) as gradebook:
        assert gradebook.find_submission(CHAPTER, "ada-right").max_score == 106
    path = course / f"submitted/ada-right/{CHAPTER}/{CHAPTER}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell("def twice(tokens):\n    return []"))
    nbformat.write(notebook, path)
    assert run(course)[0]["ada-right"] == 86.0


def test_a_name_that_is_taken_is_told(course):
    story = with_story(course) / "more" / "twice.py"
    story.write_text(STORY.replace('"twice"', '"tf"'), encoding="utf-8")
    (course / "more/checks/twice.py").rename(course / "more/checks/tf.py")
    (course / "more/checks/tf.py").write_text(CASES.replace('"twice"', '"tf"'), encoding="utf-8")
    with pytest.raises(CourseError, match="the chapter has a 'tf' already"):
        run(told(course, 'add = ["more/twice.py"]'))


def test_what_students_get_has_what_is_added_and_no_secret(tmp_path):
    told(with_story(tmp_path), 'drop = ["bm25"]\nadd = ["more/twice.py"]')
    change = change_of(tmp_path, CHAPTER)
    made = build.generate(CHAPTER, lambda notebook: adapted(notebook, change))
    files = {path.relative_to(paths.ROOT).as_posix(): content for path, content in made.items()}
    assert f"notebooks/{CHAPTER}/checks/twice.py" in files and f"notebooks/{CHAPTER}/checks/bm25.py" not in files
    assert leaks.leaks(files, leaks.secrets(tmp_path)) == []
    found = {leak.secret for leak in leaks.leaks(files, leaks.secrets())}
    assert found == {f"solution of {CHAPTER}/bm25"}  # which only this course gives
    planted = files | {"x.py": STORY.encode()}
    assert "twice" in str(leaks.leaks(planted, leaks.secrets(tmp_path)))


MISTAKES = """    ### BEGIN MISTAKES
    check.mistakes({"words that stand once are among them": lambda tokens: sorted(set(tokens))}, twice)
    ### END MISTAKES
"""


def with_mistakes(course: Path, mistakes: str) -> Change:
    """Return the change of a course that adds an exercise with known mistakes."""
    checks = with_story(course) / "more" / "checks" / "twice.py"
    head, cases = CASES.split("    check(twice", 1)
    checks.write_text(f"{head}{mistakes}    check(twice{cases}", encoding="utf-8")
    return change_of(told(course, 'add = ["more/twice.py"]'), CHAPTER)


def test_known_mistakes_of_what_is_added_are_values_for_students(tmp_path):
    change = with_mistakes(tmp_path, MISTAKES)
    made = build.generate(CHAPTER, lambda notebook: adapted(notebook, change))
    visible = made[paths.RELEASE / CHAPTER / "checks" / "twice.py"].decode()
    assert "set(tokens)" not in visible
    _, _, values = visible.partition("words that stand once are among them")
    assert "1: ['a', 'b']" in values


def test_a_known_mistake_of_what_is_added_that_uses_the_chapters_names_is_told_in_a_line(tmp_path):
    change = with_mistakes(tmp_path, MISTAKES.replace("set(", "term_frequency("))
    with pytest.raises(CourseError, match="which is neither imported there nor"):
        adapted(full(), change)


def test_release_for_one_course_leaves_the_checkout_alone(tmp_path):
    before = paths.release_notebook(CHAPTER).read_bytes()
    made = release_to(CHAPTER, told(tmp_path, 'drop = ["bm25"]'))
    assert "check-bm25" not in points(nbformat.read(made, as_version=4)) and (made.parent / "figures").is_dir()
    assert paths.release_notebook(CHAPTER).read_bytes() == before
    assert "check-bm25" in points(nbformat.read(build.fresh(CHAPTER), as_version=4))
