"""Progress, hints, answers: what a student sees of them, and what the file holds."""

import ast
import json
import re
import shutil
import subprocess
import sys

import pytest

from autograder import paths
from autograder.authoring import source
from autograder.authoring.build import to_notebook, write
from autograder.authoring.importer import import_notebook
from helpers.checks import Check, cell
from helpers.course import model_answers, older_text, progress, unstuck, upstream
from helpers.errors import CourseError

CHAPTER = "01_spam"
DEFINED = (ast.FunctionDef, ast.ClassDef)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    monkeypatch.setattr(cell, "chapter", CHAPTER)
    return tmp_path / "progress.json"


def checked(exercise: str, *values) -> Check:
    """A check whose cases expect 1 and get these values."""
    with Check(exercise, 7) as check:
        for value in values:
            check(lambda value=value: value).equals(1)
    return check


def test_a_check_is_written_down_in_a_readable_file_and_told_in_a_line(home, capsys):
    line = progress.note_check(CHAPTER, checked("tf", 1, 1))
    assert line == f"1 of {len(progress.exercises(CHAPTER))} exercises of {CHAPTER} pass their visible cases"
    assert json.loads(home.read_text())[CHAPTER]["tf"] == {"passed": True, "points": 7.0, "tries": []}


def test_the_exercises_are_those_of_the_notebook_in_its_order():
    assert progress.exercises(CHAPTER)[:3] == ["rules", "judge", "vocabulary"]
    assert set(progress.chapters()) == set(paths.chapters())
    assert progress.exercises("no_chapter") == []


def test_progress_says_what_is_done_and_what_comes_next(capsys):
    for name in ("rules", "judge"):
        progress.note_check(CHAPTER, checked(name, 1))
    capsys.readouterr()
    progress.progress()
    said = capsys.readouterr().out
    assert "2 of 13" in said and "vocabulary" in said and "hidden ones decide" in said
    assert len([line for line in said.splitlines() if line[:2].isdigit()]) == len(paths.chapters())


def test_a_chapter_that_comes_later_is_counted_like_the_others(tmp_path, monkeypatch, capsys):
    shutil.copytree(paths.RELEASE, tmp_path / "notebooks", ignore=shutil.ignore_patterns("figures", "checks"))
    (tmp_path / "notebooks" / "20_more").mkdir()
    nb = (paths.release_notebook(CHAPTER)).read_bytes()
    (tmp_path / "notebooks" / "20_more" / "20_more.ipynb").write_bytes(nb)
    monkeypatch.setattr(cell, "SHIPPED", (tmp_path / "notebooks",))
    assert progress.note_check("20_more", checked("rules", 1)).startswith("1 of 13 exercises of 20_more")
    progress.progress()
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line[:2].isdigit()]
    assert [line[0] for line in lines] == [*paths.chapters(), "20_more"] and lines[-1][1:6] == [
        "1",
        "of",
        "13",
        "7",
        "judge",
    ]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"01_spam": 3}', '{"01_spam": {"tf": 1}}'])
def test_a_file_that_is_none_is_no_progress(text, home, capsys):
    home.write_text(text)
    progress.progress()
    assert "0 of 13" in capsys.readouterr().out


def test_a_file_that_cannot_be_written_is_a_line(home, capsys):
    home.mkdir()
    progress.note_check(CHAPTER, checked("tf", 1))
    assert "could not be kept" in capsys.readouterr().out


def test_a_hint_more_each_time(capsys):
    first = unstuck.hints_of(CHAPTER, "idf")
    assert first and not any("<" in words for words in first)
    for n in range(1, len(first) + 1):
        unstuck.hint("idf")
        shown = capsys.readouterr().out
        assert shown.startswith("Plan: ") and shown.count("Hint ") == n - 1
    unstuck.hint("nonsense")
    assert "there is no hint" in capsys.readouterr().out


def test_the_answer_opens_after_three_different_honest_tries_or_a_pass(capsys):
    for value in (5, 5, 6):  # the second is the first once more
        progress.note_check(CHAPTER, checked("tf", value))
    unstuck.answer("tf")
    assert "so far 2" in capsys.readouterr().out
    progress.note_check(CHAPTER, checked("tf", 7))
    capsys.readouterr()
    unstuck.answer("tf")
    assert capsys.readouterr().out.startswith("def ")
    progress.note_check(CHAPTER, checked("idf", 1))
    capsys.readouterr()
    unstuck.answer("idf")
    assert "SOLUTION" not in (said := capsys.readouterr().out) and said.startswith("def ")


def test_a_stub_is_no_try(capsys):
    def stub():
        raise NotImplementedError

    with Check("tf", 7) as check:
        check(stub).equals(1)
    progress.note_check(CHAPTER, check)
    assert progress.records()[CHAPTER]["tf"]["tries"] == []


def test_every_exercise_has_a_reference_that_defines_what_its_stub_does():
    for chapter in paths.chapters():
        for name in progress.exercises(chapter):
            found = model_answers.find(chapter, name)
            assert found and "NotImplementedError()" not in found.code, (chapter, name)
            compile(found.code, name, "exec")


def test_the_reference_is_put_in_place_and_told(home, capsys):
    names = {"use_reference": unstuck.use_reference}
    exec("from collections import Counter\nuse_reference('vocabulary')", names)
    assert any(callable(value) and getattr(value, "__code__", None) and value.__code__.co_filename.startswith("<ref")
               for value in names.values())  # fmt: skip
    assert json.loads(home.read_text())[CHAPTER]["vocabulary"]["reference"] is True
    progress.progress()
    assert "1 by use_reference" in capsys.readouterr().out


def test_an_edition_without_solutions_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(model_answers, "SOLUTIONS", tmp_path)
    unstuck.answer("tf")
    unstuck.use_reference("tf")
    assert capsys.readouterr().out.count("In a class the edition has none") == 2
    unstuck.use_reference("nonsense")
    assert "Exercises of 01_spam: rules" in capsys.readouterr().out


# ------------------------------------------------------------------------------------------ what to notice in an answer
SENTENCE = re.compile(r"[.?](?=\s+[A-Z`\[0-9]|$)")


@pytest.mark.parametrize("chapter", paths.chapters())
def test_every_exercise_has_a_note_of_one_or_two_sentences_and_none_has_two(chapter):
    notes = source.notes(paths.source_text(chapter))
    assert list(notes) == progress.exercises(chapter)  # in the order of the notebook
    for name, text in notes.items():
        assert 1 <= len(SENTENCE.findall(text)) <= 2 and text.endswith("."), (name, text)
        assert 60 <= len(text) <= 300, (name, len(text))
    assert len(set(notes.values())) == len(notes)


def test_the_answer_ends_with_what_to_notice_in_it(capsys):
    progress.note_check(CHAPTER, checked("tf", 1))
    capsys.readouterr()
    unstuck.answer("tf")
    code, _, note = capsys.readouterr().out.rpartition("\n\n")
    assert code.startswith("def ") and '"""' not in code and note.startswith("Notice: ")
    said = source.notes(paths.source_text(CHAPTER))["tf"]
    assert note.removeprefix("Notice: ").split() == said.split()
    assert all(len(line) <= 100 for line in note.splitlines())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[nonsense]\nnotice = "A note."', "no exercise 'nonsense'"),
        ('[tf]\nnote = "A note."', "[tf] must hold"),
        ('tf = "A note."', "[tf] must hold"),
        ("[tf", "notes.toml:1"),
    ],
)
def test_a_note_that_belongs_nowhere_is_named(tmp_path, text, said):
    shutil.copytree(paths.source_text(CHAPTER).parent, tmp_path / CHAPTER)
    (tmp_path / CHAPTER / "notes.toml").write_text(text)
    with pytest.raises(CourseError) as error:
        source.read(tmp_path / CHAPTER / f"{CHAPTER}.py")
    assert said in str(error.value) and "\n" not in str(error.value)


def test_packed_answers_and_checks_are_those_of_the_checkout(monkeypatch, tmp_path):
    here = {name: model_answers.find(CHAPTER, name) for name in progress.exercises(CHAPTER)}
    model_answers.pack(paths.SOLUTIONS, tmp_path)
    monkeypatch.setattr(model_answers, "SOLUTIONS", tmp_path / "none")
    monkeypatch.setattr(model_answers, "INSTALLED", tmp_path)
    assert {name: model_answers.find(CHAPTER, name) for name in here} == here
    checks = paths.source_text(CHAPTER).parent / "checks"
    for name in here:
        assert model_answers.whole_check(CHAPTER, name) == (checks / f"{name}.py").read_text(encoding="utf-8")
    assert model_answers.whole_check(CHAPTER, "nonsense") == model_answers.whole_check("", "tf") == ""
    assert sorted(path.stem for path in tmp_path.glob("*.json")) == paths.chapters()
    assert model_answers.find(CHAPTER, "nonsense") is None and model_answers.find("", "tf") is None


def test_a_notebook_that_is_imported_leaves_the_notes_as_they_are(tmp_path):
    story = tmp_path / CHAPTER / f"{CHAPTER}.py"
    shutil.copytree(paths.source_text(CHAPTER).parent, story.parent)
    before = source.notes(story)
    write(to_notebook(source.read(story)), tmp_path / "edited.ipynb")
    import_notebook(tmp_path / "edited.ipynb", story)
    assert source.notes(story) == before and source.read(story)


def test_the_answers_that_are_shown_are_the_code_without_its_docstrings():
    for chapter in paths.chapters():
        for name in progress.exercises(chapter):
            shown = unstuck._without_docstrings(model_answers.find(chapter, name).code)
            assert not [
                node for node in ast.walk(ast.parse(shown)) if isinstance(node, DEFINED) and ast.get_docstring(node)
            ]
            assert "\n\n\n\n" not in shown


# ------------------------------------------------------------------------------------------ what newcomers meet
def test_a_hint_is_words_and_no_html():
    assert any("[$£€]" in words for words in unstuck.hints_of(CHAPTER, "rules"))
    for chapter in paths.chapters():
        for name in progress.exercises(chapter):
            for words in unstuck.hints_of(chapter, name):
                assert not re.search(r"&#?\w+;", words), (chapter, name, words)


def test_ones_own_answer_takes_the_place_of_the_reference(home, capsys):
    names = {"use_reference": unstuck.use_reference}
    exec("use_reference('vocabulary')", names)
    assert not unstuck.is_own("vocabulary", names)
    progress.note_check(CHAPTER, checked("vocabulary", 1), own=False)
    assert json.loads(home.read_text())[CHAPTER]["vocabulary"]["reference"] is True
    for defined in upstream.definitions(CHAPTER)["vocabulary"]:
        assert not unstuck.is_own("vocabulary", names)  # not yet all of it
        exec(f"def {defined}(*_):\n    return []", names)
    assert unstuck.is_own("vocabulary", names)
    progress.note_check(CHAPTER, checked("vocabulary", 2))
    assert "reference" in json.loads(home.read_text())[CHAPTER]["vocabulary"]  # it did not pass
    progress.note_check(CHAPTER, checked("vocabulary", 1))
    assert "reference" not in json.loads(home.read_text())[CHAPTER]["vocabulary"]
    progress.progress()
    assert "use_reference" not in capsys.readouterr().out


WRITER = """import sys
from pathlib import Path
from helpers.course import progress
who, other = sys.argv[1:]
Path(who).touch()
while not Path(other).exists():
    pass
for n in range(100):
    progress.note("01_spam", f"{Path(who).name}-{n}", hints=n)
"""


def test_two_notebooks_that_write_at_once_lose_nothing(home, tmp_path):
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    line = [sys.executable, "-c", WRITER]
    writers = [subprocess.Popen([*line, *names], cwd=paths.ROOT) for names in ((a, b), (b, a))]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    assert len(progress.records()[CHAPTER]) == 200


@pytest.mark.parametrize("text", ["", "[]", '{"01_spam": {"tf": {"pass'])
def test_a_damaged_file_is_kept_aside(text, home, capsys):
    aside = [home.with_name(name) for name in ("progress.damaged.json", "progress.damaged1.json")]
    for path in aside:
        home.write_text(text)
        progress.note_check(CHAPTER, checked("tf", 1))
        said = capsys.readouterr().out
        assert str(path) in said and path.read_text() == text
        assert list(progress.records()[CHAPTER]) == ["tf"]


def test_a_file_system_without_locks_keeps_progress(home, monkeypatch):
    def none(*_, **__):
        raise NotImplementedError("FileSystem does not appear to support flock")

    monkeypatch.setattr(progress.FileLock, "acquire", none)
    progress.note_check(CHAPTER, checked("tf", 1))
    assert "tf" in progress.records()[CHAPTER]


def test_a_lock_that_another_program_keeps_is_a_line(home, monkeypatch, capsys):
    monkeypatch.setattr(progress, "PATIENCE", 0.1)
    with progress.FileLock(f"{home}.lock"):
        progress.note_check(CHAPTER, checked("tf", 1))
    assert "another program holds" in capsys.readouterr().out and not home.exists()


def test_a_misspelt_check_names_the_nearest(capsys, monkeypatch):
    assert cell.check("ruls") == 0.0
    assert capsys.readouterr().out == 'ruls: there is no such exercise. Did you mean check("rules")?\n'
    cell.check("xxxxxxxx")
    assert "The chapter's are bag, " in capsys.readouterr().out
    monkeypatch.setattr(cell, "chapter", "")
    cell.check("rules")
    assert "its cases are missing" in capsys.readouterr().out


@pytest.fixture
def own_notebook(tmp_path, monkeypatch):
    """A notebook of one's own in its folder; returns a function that changes a cell of it."""
    path = tmp_path / f"{CHAPTER}.ipynb"
    path.write_bytes(paths.release_notebook(CHAPTER).read_bytes())
    monkeypatch.chdir(tmp_path)

    def change(name: str, old: str, new: str) -> None:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        at = next(n for n, each in enumerate(notebook["cells"]) if each.get("id") == "tf")
        source = "".join(notebook["cells"][at - (name == "text")]["source"])
        assert old in source
        notebook["cells"][at - (name == "text")]["source"] = source.replace(old, new, 1)
        path.write_text(json.dumps(notebook), encoding="utf-8")

    return change


def test_an_old_text_above_a_new_check_is_named(own_notebook):
    assert older_text.older(CHAPTER, "tf", {}) == []
    own_notebook("tf", "raise NotImplementedError()", "return 7")
    own_notebook("tf", "\n", "\n\n")
    assert older_text.older(CHAPTER, "tf", {}) == []  # an answer is no older text
    own_notebook("text", "term frequency", "frequency of terms")
    (line,) = older_text.older(CHAPTER, "tf", {})
    assert "The text of `tf`" in line and older_text.older(CHAPTER, "idf", {}) == []


def test_an_old_docstring_is_an_old_text_and_one_taken_out_is_none(own_notebook):
    own_notebook("tf", '"""', '"""As it was. ')
    assert older_text.older(CHAPTER, "tf", {})
    own_notebook("tf", '"""As it was. ', '"""')
    own_notebook("tf", '"""', 'r = """')
    assert older_text.older(CHAPTER, "tf", {}) == []
