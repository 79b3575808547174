"""`bow2lora start`: a folder of one's own, in which an update never overwrites what somebody wrote."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder import start
from autograder.__main__ import app
from helpers.course import own_folder
from helpers.errors import CourseError

OLD = {"START.ipynb": b"start 1", "01_a/01_a.ipynb": b"chapter 1", "01_a/checks/tf.py": b"check 1", "gone.md": b"page"}
NEW = {"START.ipynb": b"start 1", "01_a/01_a.ipynb": b"chapter 2", "01_a/checks/tf.py": b"check 2", "new.md": b"page"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the old edition, before the new one comes."""
    monkeypatch.setattr(own_folder, "edition", lambda: OLD)
    assert own_folder.place(tmp_path / "mine") == []
    monkeypatch.setattr(own_folder, "edition", lambda: NEW)
    return tmp_path / "mine"


def held(folder) -> dict[str, bytes]:
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if name != own_folder.LIST}


def test_what_nobody_touched_is_brought_up_to_date(folder):
    assert own_folder.place(folder) == []
    assert held(folder) == NEW


def test_what_somebody_wrote_stays_and_the_new_version_lies_beside_it(folder):
    (folder / "01_a/01_a.ipynb").write_bytes(b"my work")
    (folder / "gone.md").write_bytes(b"my notes")
    (folder / "mine.py").write_bytes(b"mine")
    assert own_folder.place(folder) == ["01_a/01_a.new.ipynb"]
    mine = {"01_a/01_a.ipynb": b"my work", "gone.md": b"my notes", "mine.py": b"mine"}
    assert held(folder) == NEW | mine | {"01_a/01_a.new.ipynb": b"chapter 2"}
    assert own_folder.place(folder) == []  # said once


def test_the_next_update_replaces_the_copy_beside_but_not_one_that_somebody_works_in(folder, monkeypatch):
    (folder / "01_a/01_a.ipynb").write_bytes(b"my work")
    own_folder.place(folder)
    for content, work in ((b"chapter 3", None), (b"chapter 4", b"work in the copy")):
        if work:
            (folder / "01_a/01_a.new.ipynb").write_bytes(work)
        monkeypatch.setattr(own_folder, "edition", lambda content=content: NEW | {"01_a/01_a.ipynb": content})
        named = own_folder.place(folder)
    assert named == ["01_a/01_a.new2.ipynb"]
    there = held(folder)
    assert there["01_a/01_a.ipynb"] == b"my work" and there["01_a/01_a.new.ipynb"] == b"work in the copy"
    assert there["01_a/01_a.new2.ipynb"] == b"chapter 4"


def test_an_update_that_was_cut_off_goes_on_where_it_was(folder, monkeypatch):
    (folder / "01_a/01_a.ipynb").write_bytes(b"my work")
    writes = own_folder.write_whole

    def fails_at_the_list(path, content):
        if path.name == own_folder.LIST:
            raise OSError(28, "No space left on device", str(path))
        writes(path, content)

    monkeypatch.setattr(own_folder, "write_whole", fails_at_the_list)
    with pytest.raises(OSError):
        own_folder.place(folder)
    monkeypatch.setattr(own_folder, "write_whole", writes)
    assert own_folder.place(folder) == ["01_a/01_a.new.ipynb"]
    assert held(folder) == NEW | {"01_a/01_a.ipynb": b"my work", "01_a/01_a.new.ipynb": b"chapter 2"}


@pytest.mark.parametrize("damage", ["", "[]", "{", None])
def test_without_the_list_nothing_that_differs_is_overwritten(folder, damage):
    if damage is None:
        (folder / own_folder.LIST).unlink()
    else:
        (folder / own_folder.LIST).write_text(damage)
    assert own_folder.place(folder) == ["01_a/01_a.new.ipynb", "01_a/checks/tf.new.py"]
    assert held(folder)["01_a/01_a.ipynb"] == b"chapter 1"


def test_a_list_that_points_outside_removes_nothing_there(folder, tmp_path):
    (tmp_path / "theirs").write_bytes(b"theirs")
    path = folder / own_folder.LIST
    outside = {"../theirs": own_folder._sha(b"theirs"), str(tmp_path / "theirs"): own_folder._sha(b"theirs")}
    path.write_text(json.dumps(json.loads(path.read_text()) | outside))
    own_folder.place(folder)
    assert (tmp_path / "theirs").is_file()


def test_a_copied_check_beside_a_changed_one_is_no_exercise(tmp_path, monkeypatch):
    from helpers.course import check_notebook

    (tmp_path / "checks").mkdir()
    for name in ("tf.py", "tf.new.py"):
        (tmp_path / "checks" / name).touch()
    monkeypatch.chdir(tmp_path)
    assert check_notebook._exercises() == ["tf"]


def ran(*words) -> tuple[int, str]:
    """Run the command; return its exit code and what it says, where it fails the error's line."""
    result = CliRunner().invoke(app, ["start", *map(str, words)])
    failed = isinstance(result.exception, CourseError | OSError)
    return (2, str(result.exception)) if failed else (result.exit_code, result.output)


def test_odd_folders_are_refused_in_a_line(tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    said = {name: ran(tmp_path / name, "--no-open") for name in ("file", "full", "file/below")}
    assert {code for code, _ in said.values()} == {2}
    assert "is a file" in said["file"][1] and "is not empty" in said["full"][1]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full", "thesis.txt"]


def test_the_program_says_it_on_stderr_with_exit_code_2(tmp_path):
    (tmp_path / "file").write_text("mine")
    line = [sys.executable, "-m", "autograder", "start", "file/below", "--no-open"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1


def test_without_notebooks_there_is_nothing_to_put_anywhere(tmp_path, monkeypatch):
    monkeypatch.setattr(own_folder.cell, "SHIPPED", (tmp_path,))
    assert ran(tmp_path / "x", "--no-open") == (2, "the notebooks of the course are missing; install bow2lora again")
    assert not (tmp_path / "x").exists()


def test_it_opens_start_in_the_folder(tmp_path, monkeypatch):
    called = {}
    monkeypatch.setattr(start.subprocess, "call", lambda line, **options: called.update(options, line=line) or 0)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "mine")
    assert ran(tmp_path / "x")[0] == 0
    assert called["cwd"] == tmp_path / "x" and called["line"][3].endswith("/lab/tree/START.ipynb")
    first, defaults = called["env"]["JUPYTER_CONFIG_PATH"].split(os.pathsep)
    assert first == "mine" and (Path(defaults) / "labconfig" / "default_setting_overrides.json").is_file()
    for copied in ("01_spam/checks/tf.py", "AGENTS.md", "ai_assistant.md"):
        assert (tmp_path / "x" / copied).is_file(), copied
    code, said = ran(tmp_path / "x", "--no-open")
    assert code == 0 and said.endswith("up to date\n") and said.count("\n") == 1


def test_without_jupyterlab_the_notebooks_are_there_and_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(start.importlib.util, "find_spec", lambda name: None)
    code, said = ran(tmp_path / "x")
    assert code == 2 and "pip install jupyterlab" in said and (tmp_path / "x" / "START.ipynb").is_file()


def test_ctrl_c_is_jupyterlabs_to_answer(tmp_path, monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(start.subprocess, "call", lambda line, **_: signal.raise_signal(signal.SIGINT) or 0)
    assert ran(tmp_path / "x")[0] == 0  # as after JupyterLab's own question and its end
    assert signal.getsignal(signal.SIGINT) == before


# ------------------------------------------------------------------------------------------ a notebook is its cells
def opened_in_jupyterlab(content: bytes, answer: str = "") -> bytes:
    """Return a notebook as JupyterLab saves it once it was opened and run to its end."""
    notebook = json.loads(content)
    notebook["metadata"] = {"kernelspec": {"name": "other"}, "language_info": {"name": "python", "version": "3.13.1"}}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"execution_count": 3, "outputs": [{"output_type": "stream", "name": "stdout", "text": ["Ready"]}]}
            cell["metadata"]["execution"] = {"iopub.status.busy": "2026-11-28T10:00:00Z"}
            cell["source"] = "".join(cell["source"]) + answer
    empty = {"cell_type": "code", "id": "new", "metadata": {}, "outputs": [], "execution_count": None, "source": []}
    notebook["cells"].append(empty)
    return json.dumps(notebook, indent=2).encode()


@pytest.mark.parametrize(("answer", "named"), [("", []), ("\n# mine", ["START.new.ipynb"])])
def test_a_notebook_that_was_opened_and_run_is_not_changed_and_one_with_an_answer_is(
    tmp_path, monkeypatch, answer, named
):
    start_page = own_folder.edition()[own_folder.START]
    monkeypatch.setattr(own_folder, "edition", lambda: {own_folder.START: start_page})
    own_folder.place(tmp_path)
    saved = opened_in_jupyterlab(start_page, answer)
    (tmp_path / own_folder.START).write_bytes(saved)
    assert own_folder.place(tmp_path) == []  # the same edition
    assert (tmp_path / own_folder.START).read_bytes() == saved
    newer = start_page.replace(b"# Start here", b"# Start here, again")
    monkeypatch.setattr(own_folder, "edition", lambda: {own_folder.START: newer})
    assert own_folder.place(tmp_path) == named
    assert (tmp_path / own_folder.START).read_bytes() == (saved if named else newer)


def test_without_the_programs_of_the_wheel_the_folder_is_made_too(tmp_path, monkeypatch):
    line = [sys.executable, "-m", "helpers.course.own_folder"]
    done = subprocess.run([*line, tmp_path / "mine"], cwd=Path(__file__).parent.parent, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.endswith("up to date\n"), done.stderr
    assert (tmp_path / "mine" / "01_spam" / "01_spam.ipynb").is_file()
    (tmp_path / "file").write_text("mine")
    for words, said in (([], "usage: "), ([tmp_path / "file"], "error: ")):
        done = subprocess.run([*line, *words], cwd=Path(__file__).parent.parent, capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr.startswith(said) and done.stderr.count("\n") == 1


# ------------------------------------------------------------------------------------------ JupyterLab's own options
@pytest.fixture
def jupyterlab(monkeypatch):
    """What JupyterLab would be called with: a list that is filled."""
    lines = []
    monkeypatch.setattr(start.subprocess, "call", lambda line, **_: lines.append(line) or 0)
    return lines


@pytest.mark.parametrize("folder", [[], ["mine"]])
def test_what_follows_two_dashes_is_jupyterlabs(tmp_path, monkeypatch, jupyterlab, folder):
    monkeypatch.chdir(tmp_path)
    code, said = ran(*folder, "--", "--allow-root", "--port", "9000")
    assert code == 0, said
    assert jupyterlab[0][-3:] == ["--allow-root", "--port", "9000"]
    assert [path.name for path in tmp_path.iterdir()] == (folder or ["bow2lora"])


@pytest.mark.parametrize(("container", "expected"), [(True, 0), (False, 2)])
def test_root_starts_jupyterlab_in_a_container_and_elsewhere_reads_how(
    tmp_path, monkeypatch, jupyterlab, container, expected
):
    (tmp_path / "mark").touch()
    monkeypatch.setattr(start, "CONTAINER", (tmp_path / ("mark" if container else "none"),))
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    code, said = ran(tmp_path / "x")
    assert code == expected and (tmp_path / "x" / "START.ipynb").is_file()
    if container:
        assert jupyterlab[0].count("--allow-root") == 1
    else:
        assert "bow2lora start -- --allow-root" in said and jupyterlab == []
    ran(tmp_path / "x", "--", "--allow-root")
    assert jupyterlab[-1].count("--allow-root") == 1


def test_nobody_but_root_is_allowed_to_be_root(tmp_path, monkeypatch, jupyterlab):
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    ran(tmp_path / "x")
    assert "--allow-root" not in jupyterlab[0]


def test_a_start_that_was_changed_is_not_called_up_to_date(tmp_path, monkeypatch):
    monkeypatch.setattr(own_folder, "edition", lambda: {"START.ipynb": b"old"})
    own_folder.place(tmp_path)
    (tmp_path / "START.ipynb").write_bytes(b"my notes")
    monkeypatch.setattr(own_folder, "edition", lambda: {"START.ipynb": b"new"})
    code, said = ran(tmp_path, "--no-open")
    assert code == 0 and "START.new.ipynb" in said and "up to date" not in said


def test_a_folders_name_that_the_outputs_encoding_lacks_is_no_error(tmp_path):
    line = [sys.executable, "-m", "autograder", "start", "курс", "--no-open"]
    env = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(Path(__file__).parent.parent)}
    done = subprocess.run(line, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0 and "START.ipynb" in done.stdout, done.stderr
    assert (tmp_path / "курс" / "START.ipynb").is_file()
