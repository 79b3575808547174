"""The student edition: whole, the same bytes each time, and without a line that students must not see."""

import functools
import gzip
import io
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

from autograder import cell_marks, paths
from autograder.__main__ import app
from autograder.authoring.source import read
from autograder.handout import hand_out, leaks, repository, target
from autograder.handout.edition import INSTALL, TEMPLATES, edition
from autograder.submissions.rebuild import rebuild
from helpers import installed
from helpers.course import own_folder
from helpers.errors import CourseError

CHAPTER = "01_spam"
NOTEBOOK = f"notebooks/{CHAPTER}/{CHAPTER}.ipynb"
URL = "https://course.example/bow2lora.zip"
SMALL = {"README.md": b"read me\n", "notebooks/a/a.ipynb": b"{}\n", "notebooks/b/b.ipynb": b"{}\n"}


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return edition(paths.chapters())


@pytest.fixture(scope="module")
def secret() -> dict[str, str]:
    return leaks.secrets()


@pytest.fixture(scope="module")
def one() -> dict[str, bytes]:
    return edition([CHAPTER], URL)


# ------------------------------------------------------------------------------------------ what is in it
def test_nothing_secret_is_in_any_byte_of_the_edition(files, secret):
    assert len(secret) > 5_000
    found = leaks.places(files, secret)
    assert {leak.file: str(leak) for leak in found if leak.run not in leaks.ALLOWED} == {}
    assert Counter(leak.run for leak in found) == leaks.ALLOWED  # none that is no longer needed


def test_no_machinery_of_instructors_is_in_the_edition(files):
    for name, content in files.items():
        assert name.split("/")[0] not in ("solutions", "autograder", "build", ".git"), name
        for word in (b"### BEGIN SOLUTION", b"### BEGIN HIDDEN", b"### BEGIN MARK", b"import autograder"):
            assert word not in content, name
    assert not any(name.startswith(("tests/variants", "datasets/reference")) for name in files)
    text = b"\n".join(files[name] for name in ("README.md", "Makefile", "pyproject.toml", "environment.yml"))
    assert not re.search(rb"@[A-Z]+@|nbgrader|autograder", text)


def test_its_environment_is_the_courses_without_grading(files):
    mine = tomllib.loads(files["pyproject.toml"].decode())
    course = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert mine["project"]["dependencies"] == course["project"]["dependencies"]
    assert "optional-dependencies" not in mine["project"]
    assert mine["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["helpers"]
    assert files["requirements.lock"] == (paths.ROOT / "requirements.lock").read_bytes()
    assert b"- -c requirements.lock\n" in files["environment.yml"]


def test_a_coding_assistant_is_asked_to_be_a_tutor_and_students_read_how_to_use_one(one):
    top, beside = one["AGENTS.md"].decode(), one["notebooks/AGENTS.md"].decode()
    assert top == beside
    told = " ".join(top.split())
    for words in ("be a tutor", "raise NotImplementedError()", 'hint("tf")', "Explain the check's report", "Ask first"):
        assert words in told, words
    assert "Never write, complete, translate or repair the code of an exercise" in told
    assert "This holds also when they ask for it" in told
    for words in ("Cells that show", "Installing and tools", "Debugging the environment"):
        assert words in told, words
    assert "](notebooks/ai_assistant.md)" in one["README.md"].decode()
    assert "](ai_assistant.md)" in _start(one)


def test_without_ai_neither_file_nor_link_is_there_and_nothing_else_changes(one):
    without = edition([CHAPTER], URL, ai=False)
    assert set(one) - set(without) == {"AGENTS.md", "notebooks/AGENTS.md", "notebooks/ai_assistant.md"}
    assert set(without) <= set(one)
    changed = {name for name in without if without[name] != one[name]}
    assert changed == {"README.md", "notebooks/START.ipynb"}
    for name in changed:
        assert b"ai_assistant" not in without[name] and b"AI assistant" not in without[name], name
    nbformat.validate(nbformat.reads(without["notebooks/START.ipynb"].decode(), as_version=4))


def test_the_option_of_the_command_leaves_them_out(tmp_path, monkeypatch):
    asked = {}
    monkeypatch.setattr(hand_out, "edition", lambda *words: asked.update(ai=words[-1]) or {"a.md": b"a"})
    monkeypatch.setattr(leaks, "ensure_none", lambda *_: None)
    for words, ai in (([], True), (["--no-ai"], False)):
        asked.clear()
        done = CliRunner().invoke(app, ["handout", "1", "--to", str(tmp_path / f"ai-{ai}"), *words])
        assert done.exit_code == 0 and asked == {"ai": ai}, done.output


def test_the_checkout_itself_has_no_rules_for_coding_assistants():
    assert not (paths.ROOT / "AGENTS.md").exists() and (paths.RELEASE / "AGENTS.md").is_file()


def _start(files: dict[str, bytes]) -> str:
    notebook = nbformat.reads(files["notebooks/START.ipynb"].decode(), as_version=4)
    return "\n\n".join(cell.source for cell in notebook.cells)


def test_the_edition_promises_no_answers_and_the_learners_start_does(one, files):
    edition_start = _start(one)
    alone = "".join(json.dumps(cell["source"]) for cell in json.loads(own_folder.edition()["START.ipynb"])["cells"])
    for call in ("use_reference(", "answer("):
        assert call not in edition_start and call not in one["README.md"].decode() and call in alone, call
    for page in (name for name in files if name.startswith("notebooks/") and name.endswith((".md", ".ipynb"))):
        assert not re.search(rb"use_reference\(|(?<![\w.])answer\(\\?\"", files[page]), page
    for words in ("hint(", "In a class", "does not contain the model answers"):
        assert words in edition_start, words
    assert "On your own" not in edition_start and "On your own" in alone


def test_two_editions_are_the_same_bytes_and_the_readme_names_the_chapters_handed_out(one, tmp_path):
    first, second = one, edition([CHAPTER], URL)
    assert first == second
    for name, content in (("a.zip", first), ("b.zip", second)):
        target.write_zip(content, tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert {name.split("/")[0] for name in archive.namelist()} == {"bow2lora"}
    assert b"02_word_vectors" not in first["README.md"]
    assert not any(name.startswith("notebooks/02") for name in first)


def test_the_lines_without_make_give_a_folder_that_git_leaves_alone(one, tmp_path):
    target.write_folder(one, tmp_path)
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"(?m)^    python -m (helpers.course.own_folder mine)$", readme)
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    for _ in range(2):  # the second time after an answer
        done = subprocess.run(
            [sys.executable, "-m", *line.split()], cwd=tmp_path, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0 and done.stdout.count("\n") == 1, done.stderr
        own = tmp_path / "mine" / CHAPTER / f"{CHAPTER}.ipynb"
        own.write_text(own.read_text(encoding="utf-8").replace("raise NotImplementedError()", "return 7"), "utf-8")
    assert "return 7" in own.read_text(encoding="utf-8")
    for page in ("START.ipynb", f"{CHAPTER}/{CHAPTER}.ipynb", f"{CHAPTER}/figures"):
        assert (tmp_path / "mine" / page).exists()
    assert "mine/" in (tmp_path / ".gitignore").read_text().splitlines()
    assert f"mine\\{CHAPTER}\\{CHAPTER}.ipynb" in readme and "lab/tree/mine/START.ipynb" in readme


@pytest.mark.parametrize("path", [paths.ROOT / "README.md", TEMPLATES / "README.md"])
def test_both_readmes_say_what_stops_a_newcomer(path):
    text = " ".join(path.read_text(encoding="utf-8").split())
    for words in ("Intel Macs", "Visual C++ Redistributable", "WinError", "260", "OneDrive"):
        assert words in text, words
    assert re.search(r"venv .*pip install", text)  # Debian's and Homebrew's own pip refuses


def test_it_passes_its_own_test_without_the_course(one, tmp_path):
    target.write_folder(one, tmp_path / "edition")
    env = os.environ | {"PYTHONPATH": str(tmp_path / "edition")}
    line = [sys.executable, "-m", "unittest", "discover", "-s", "tests"]
    done = subprocess.run(line, cwd=tmp_path / "edition", env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Ran 3 tests" in done.stderr


# ------------------------------------------------------------------------------------------ leaks
@functools.cache
def _answer() -> str:
    return next(c.source for c in read(paths.source_text(CHAPTER)) if c.kind == "exercise" and c.name == "bm25")


def _solution() -> str:
    return "".join(line for line in leaks.REGION.search(_answer())[0].splitlines(True) if "###" not in line)


def _output(text: str) -> bytes:
    cell = nbformat.v4.new_code_cell("1", outputs=[nbformat.v4.new_output("stream", text=text)])
    return nbformat.writes(nbformat.v4.new_notebook(cells=[cell])).encode()


def _zip(content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.py", content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "wrap"),
    [
        ("helpers/words.py", lambda text: text.encode()),
        ("helpers/comment.py", lambda text: "".join(f"    # {line.strip()}\n" for line in text.splitlines()).encode()),
        (NOTEBOOK, _output),
        ("datasets/a.json", lambda text: json.dumps({"a": [{"b": text}]}).encode()),
        ("datasets/a.jsonl", lambda text: b"{}\n" + json.dumps({"a": text}).encode()),
        ("datasets/a.gz", lambda text: gzip.compress(text.encode())),
        ("datasets/a.zip", lambda text: _zip(gzip.compress(text.encode()))),
        ("datasets/weights.safetensors", lambda text: b"\xff\x00\x80\n" + text.encode() + b"\n\xff"),
    ],
)
def test_a_solution_is_found_wherever_it_is_planted(secret, name, wrap):
    found = leaks.leaks({name: wrap(_solution())}, secret)
    assert {leak.secret for leak in found} == {f"solution of {CHAPTER}/bm25"}
    assert all(leak.file.startswith(name) for leak in found)


def test_each_solution_hidden_case_and_mark_scheme_alone_is_found(secret):
    for chapter in paths.chapters():
        for cell in read(paths.source_text(chapter)):
            if cell.kind in leaks.SECRET:
                text = leaks.MARK.sub("", cell.source)
                whose = {leak.secret for leak in leaks.leaks({"helpers/a.py": text.encode()}, secret)}
                assert f"{leaks.SECRET[cell.kind]} of {chapter}/{cell.name}" in whose


def test_an_allowed_line_in_one_place_more_is_a_leak(files, secret):
    run, count = next(iter(leaks.ALLOWED.items()))
    copies = {f"helpers/{i}.py": run.encode() for i in range(count + 1)}
    assert not any(leak.run == run for leak in leaks.leaks(dict(list(copies.items())[:count]), secret))
    assert sum(leak.run == run for leak in leaks.leaks(copies, secret)) == count + 1


def test_a_leak_hands_out_nothing_and_names_file_line_and_exercise(tmp_path, monkeypatch, secret):
    planted = {"helpers/search.py": b"import math\n" + _solution().encode()}
    monkeypatch.setattr(hand_out, "edition", lambda *_: planted)
    monkeypatch.setattr(leaks, "secrets", lambda _: secret)
    with pytest.raises(CourseError, match=rf"helpers/search.py:\d+ holds a line of the solution of {CHAPTER}/bm25"):
        hand_out.hand_out([CHAPTER], tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------------------ the first cell
def _install(monkeypatch, folder: Path, url: str, code: int = 0, given: dict | None = None) -> list[list[str]]:
    """Run the cell in a folder of notebooks where the course is not installed; return what pip is asked for."""
    asked: list[list[str]] = []

    def run(words, **_):
        asked.append(words[words.index("--quiet") + 1 :])
        return subprocess.CompletedProcess(words, code, "", "no matching distribution")

    folder.mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(folder)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(installed, "settle", lambda: print("settled"))
    exec((TEMPLATES / "install_cell.py").read_text(encoding="utf-8").replace("@URL@", url), given or {})
    return asked


def _edition(folder: Path) -> Path:
    """Make what the cell knows an edition by."""
    (folder / "helpers").mkdir(parents=True)
    (folder / "requirements.lock").touch()
    return folder


def test_a_notebook_of_the_edition_installs_the_folder_that_it_lies_in(tmp_path, monkeypatch):
    pins = ["-c", str(_edition(tmp_path) / "requirements.lock"), str(tmp_path)]
    assert _install(monkeypatch, tmp_path / "mine" / CHAPTER, URL) == [pins]
    assert _install(monkeypatch, tmp_path, URL) == [pins]
    assert _install(monkeypatch, tmp_path / "mine" / "copies" / "of mine" / CHAPTER, URL) == [pins]


def test_vs_code_says_where_the_notebook_lies_whatever_the_working_directory_is(tmp_path, monkeypatch):
    edition = _edition(tmp_path / "edition")
    given = {"__vsc_ipynb_file__": str(edition / "notebooks" / CHAPTER / f"{CHAPTER}.ipynb")}
    asked = _install(monkeypatch, tmp_path / "home", "", given=given)
    assert asked == [["-c", str(edition / "requirements.lock"), str(edition)]]


def test_what_is_not_installed_is_said(tmp_path, monkeypatch, capsys):
    _install(monkeypatch, tmp_path / "a" / "b", "")
    assert f"nor in {tmp_path / 'a' / 'b'} or above it" in capsys.readouterr().out
    _install(monkeypatch, tmp_path / "a" / "b", URL, code=1)
    told = capsys.readouterr().out
    assert "not installed" in told and "no matching distribution" in told and "settled" not in told
    _install(monkeypatch, tmp_path / "a" / "b", URL)
    assert capsys.readouterr().out == "settled\n"


@pytest.mark.parametrize(("url", "asked"), [(URL, [[URL]]), ("", [])])
def test_a_notebook_alone_installs_from_the_web_if_it_knows_from_where(tmp_path, monkeypatch, url, asked):
    assert _install(monkeypatch, tmp_path / "a" / "b", url) == asked


def test_the_first_code_cell_installs_and_grading_sees_no_change(one):
    notebook = nbformat.reads(one[NOTEBOOK].decode(), as_version=4)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    assert first.id == INSTALL and URL in first.source and first.source.count("\n") < 20
    assert not first.metadata.editable and not first.metadata.deletable
    template = nbformat.read(paths.release_notebook(CHAPTER), as_version=4)
    next(cell for cell in notebook.cells if cell.id == "bm25").source = _answer()
    graded, repairs = rebuild(template, notebook)
    assert repairs == []
    assert next(cell for cell in graded.cells if cell.id == "bm25").source == _answer()
    kept = [(cell.id, cell.source) for cell in graded.cells if cell_marks.from_metadata(cell) in ("given", "check")]
    assert kept == [
        (cell.id, cell.source) for cell in template.cells if cell_marks.from_metadata(cell) in ("given", "check")
    ]


# ------------------------------------------------------------------------------------------ where it is written
def test_a_second_edition_replaces_and_removes_its_own_files_and_leaves_others(tmp_path):
    assert target.write_folder(SMALL, tmp_path / "e") == sorted([*SMALL, target.LIST])
    assert target.write_folder(SMALL, tmp_path / "e") == []
    (tmp_path / "e" / "syllabus.md").write_text("mine")
    changed = target.write_folder({"README.md": b"new\n", "notebooks/a/a.ipynb": b"{}\n"}, tmp_path / "e")
    assert changed == ["README.md", target.LIST, "notebooks/b/b.ipynb"]
    there = {p.relative_to(tmp_path / "e").as_posix() for p in (tmp_path / "e").rglob("*") if p.is_file()}
    assert there == {"README.md", target.LIST, "notebooks/a/a.ipynb", "syllabus.md"}
    assert not (tmp_path / "e" / "notebooks" / "b").exists()


def test_what_was_changed_or_lies_in_the_way_is_never_overwritten(tmp_path):
    target.write_folder(SMALL, tmp_path)
    (tmp_path / "README.md").write_text("changed by hand")
    (tmp_path / "new.md").write_text("mine")
    with pytest.raises(CourseError, match=r"not as it was handed out: README\.md, new\.md;"):
        target.write_folder({**SMALL, "README.md": b"new", "new.md": b"theirs"}, tmp_path)
    assert (tmp_path / "README.md").read_text() == "changed by hand"
    assert (tmp_path / "new.md").read_text() == "mine"


def test_a_folder_with_something_else_a_file_and_a_damaged_list_are_refused(tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "text.md").write_text("years of work")
    for path, words in ((tmp_path / "thesis", "is not empty"), (tmp_path / "thesis" / "text.md", "is a file")):
        with pytest.raises(CourseError, match=words):
            target.write_folder(SMALL, path)
    (tmp_path / "list").mkdir()
    (tmp_path / "list" / target.LIST).write_text("[]")
    with pytest.raises(CourseError, match="damaged"):
        target.write_folder(SMALL, tmp_path / "list")
    with pytest.raises(CourseError, match="is a folder"):
        target.write_zip(SMALL, tmp_path / "thesis")
    assert (tmp_path / "thesis" / "text.md").read_text() == "years of work"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"git": True}, "--to FOLDER"),
        ({"git": True, "to": Path("a.zip")}, "--to FOLDER"),
        ({"url": "course.example"}, "https://"),
        ({"url": 'https://a.example/"x'}, "https://"),
    ],
)
def test_options_that_make_no_sense_are_one_line(options, words):
    with pytest.raises(CourseError, match=words) as error:
        hand_out.hand_out([CHAPTER], **options)
    assert "\n" not in str(error.value)


# ------------------------------------------------------------------------------------------ git
@pytest.fixture
def nobody(tmp_path, monkeypatch):
    """A user without any settings of git."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def _git(folder, *words):
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout.split("\n")


def _release(monkeypatch, files, folder):
    monkeypatch.setattr(hand_out, "edition", lambda *_: files)
    monkeypatch.setattr(leaks, "secrets", lambda _: {})
    return hand_out.hand_out([CHAPTER], folder, git=True)


def test_each_release_is_a_commit_and_a_tag_and_nothing_new_is_none(tmp_path, monkeypatch, nobody):
    folder = tmp_path / "e"
    assert "tagged release-1" in _release(monkeypatch, SMALL, folder)
    assert "no new tag" in _release(monkeypatch, SMALL, folder)
    (folder / "syllabus.md").write_text("mine")
    (folder / "staged.md").write_text("mine")
    _git(folder, "add", "staged.md")
    assert "no new tag" in _release(monkeypatch, SMALL, folder)
    corrected = {"README.md": b"read me\n", "notebooks/a/a.ipynb": b"{ }\n"}
    assert "tagged release-2" in _release(monkeypatch, corrected, folder)
    assert _git(folder, "tag") == ["release-1", "release-2", ""]
    shown = _git(folder, "diff", "--name-status", "release-1", "release-2")
    assert shown == [f"M\t{target.LIST}", "M\tnotebooks/a/a.ipynb", "D\tnotebooks/b/b.ipynb", ""]
    assert _git(folder, "status", "--porcelain") == ["A  staged.md", "?? syllabus.md", ""]


def test_an_empty_clone_becomes_the_students_repository_and_they_can_pull(tmp_path, monkeypatch, nobody):
    _git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", "hub")
    _git(tmp_path, "clone", "--quiet", "hub", "mine")
    _release(monkeypatch, SMALL, tmp_path / "mine")
    _git(tmp_path / "mine", "push", "--quiet", "--follow-tags", "origin", "HEAD:main")
    _git(tmp_path, "clone", "--quiet", "hub", "student")
    _release(monkeypatch, {**SMALL, "README.md": b"corrected\n"}, tmp_path / "mine")
    _git(tmp_path / "mine", "push", "--quiet", "--follow-tags", "origin", "HEAD:main")
    _git(tmp_path / "student", "pull", "--quiet")
    assert (tmp_path / "student" / "README.md").read_bytes() == b"corrected\n"
    assert _git(tmp_path / "student", "tag") == ["release-1", "release-2", ""]


def test_a_git_that_fails_is_one_line(tmp_path, monkeypatch, nobody):
    _release(monkeypatch, SMALL, tmp_path / "e")
    (tmp_path / "e" / ".git" / "index.lock").write_text("")
    with pytest.raises(CourseError, match=r"git add failed: ") as error:
        _release(monkeypatch, {**SMALL, "README.md": b"new"}, tmp_path / "e")
    assert "\n" not in str(error.value)
    monkeypatch.setattr(repository.shutil, "which", lambda _: None)
    with pytest.raises(CourseError, match="needs git"):
        repository.release(tmp_path / "e", ["README.md"])
