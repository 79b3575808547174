"""The command line as an instructor types it, with wrong input, too."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from typer.testing import CliRunner

from autograder import cell_marks, paths
from autograder.__main__ import app, main
from autograder.authoring import build as module
from autograder.authoring.build import build
from autograder.authoring.source import read
from autograder.execution import dispatch, results, sandboxed_worker
from autograder.execution.in_process_worker import InProcessWorker
from autograder.execution.unconfined_worker import UnconfinedWorker
from autograder.grading.check_notebook import check
from helpers.course import check_notebook
from helpers.errors import CourseError

ROOT = paths.ROOT
ROW = results.Row("ada", {"tf": 1.0}, {"tf": 2.0}, {}, (), 1.0)


def command(*words, **env):
    """Run python -m autograder and return (exit code, stdout, stderr)."""
    done = subprocess.run(
        [sys.executable, "-m", "autograder", *map(str, words)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | env,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """A student's notebook with the instructor's answers in it."""
    nb = nbformat.read(paths.release_notebook("01_spam"), as_version=4)
    answers = {c.grade_id: c.source for c in read(paths.source_text("01_spam")) if c.kind == "exercise"}
    for cell in nb.cells:
        if cell_marks.from_metadata(cell) == "exercise":
            cell.source = answers[cell.id]
    path = tmp_path_factory.mktemp("mine") / "01_spam.ipynb"
    nbformat.write(nb, path)
    return path


def test_check_prints_every_exercise_and_exits_0_only_at_full_points(solved):
    code, out, err = command("check", solved)
    assert code == 0
    assert out.count(" of ") >= 13
    assert "80 of 80 points" in out
    assert err == ""


def test_check_of_the_untouched_notebook_says_not_started_and_exits_1():
    code, out, _ = command("check", paths.release_notebook("01_spam"))
    assert code == 1
    assert out.count("not started yet") == 13
    assert "0 of 80 points" in out


def test_check_of_a_deleted_answer_gives_no_points_for_it(solved, tmp_path):
    nb = nbformat.read(solved, as_version=4)
    nb.cells = [c for c in nb.cells if c.id not in ("rules", "bm25")]
    nbformat.write(nb, tmp_path / "01_spam.ipynb")
    code, out, _ = command("check", tmp_path / "01_spam.ipynb")
    assert code == 1
    assert "67 of 80 points" in out
    assert out.count("not started yet") == 2


def test_check_of_a_renamed_notebook_with_one_wrong_answer(solved, tmp_path):
    nb = nbformat.read(solved, as_version=4)
    wrong = next(c for c in nb.cells if c.id == "ngrams")
    wrong.source = wrong.source.replace("n + 1)", "n)")
    path = tmp_path / "my homework.ipynb"
    nbformat.write(nb, path)
    code, out, _ = command("check", path)
    assert code == 1
    assert "80 of 80 points" not in out
    assert "the last n-gram is missing" in out


def test_checks_of_the_solution_take_at_most_two_seconds_together():
    """Processor time of the check cells alone; it is some 0.3 s, so the bound is none on the machine."""
    import time

    from autograder.cells import judged_cells, new_shell, run

    nb = nbformat.read(build("01_spam"), as_version=4)
    shell, spent = new_shell(), []
    for _ in range(2):  # the first round pays for the libraries' imports
        for cell in judged_cells(nb.cells):
            start = time.process_time()
            assert run(shell, cell.source).error is None
            if cell_marks.from_metadata(cell) == "check":
                spent.append(time.process_time() - start)
    print(f"checks of chapter 01: {sum(spent[len(spent) // 2 :]):.2f} s of processor time")
    assert len(spent) == 26
    assert sum(spent[len(spent) // 2 :]) < 2


class Silent:
    """A worker that tells of no check."""

    def run(self, job):
        """Tell of no check."""
        return results.new(job)

    def close(self):
        """Nothing to end."""


def test_a_check_of_which_nothing_is_said_is_zero_with_a_reason():
    found = check(paths.release_notebook("01_spam"), Silent)["checks"]
    assert len(found) == 13
    assert all(c["score"] == 0.0 and c["reason"] for c in found)


MARKED = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> release-2\n"


def test_check_takes_of_several_notebooks_the_one_that_grade_takes(solved, tmp_path):
    untouched, answered = paths.release_notebook("01_spam").read_text(encoding="utf-8"), Path(solved).read_text("utf-8")
    (tmp_path / "a.ipynb").write_text(MARKED.format(untouched, answered), encoding="utf-8")
    told = check(tmp_path / "a.ipynb", Silent)["repairs"]
    assert told == ["conflict markers of git in line 1, the side release-2 was read"]
    (tmp_path / "a.ipynb").write_text(answered, encoding="utf-8")
    (tmp_path / "01_spam.ipynb").write_text(untouched, encoding="utf-8")
    for chapter in ("01_spam", ""):
        told = check(tmp_path, Silent, chapter)["repairs"]
        assert told == ["several notebooks: a.ipynb counts (answers: 13), not 01_spam.ipynb (0)"]


def test_the_check_of_the_student_edition_names_a_conflict(tmp_path):
    (tmp_path / "a.ipynb").write_text(MARKED.format("{", "}"), encoding="utf-8")
    with pytest.raises(CourseError, match=r"not a notebook .conflict markers of git in line 1: keep one side"):
        list(check_notebook.check(tmp_path / "a.ipynb"))
    with pytest.raises(CourseError, match=r"not a notebook$"):
        list(check_notebook.check(tmp_path))


@pytest.fixture
def half_right(solved, tmp_path):
    """A notebook with a wrong answer, a cell that raises and one that was copied."""
    nb = nbformat.read(solved, as_version=4)
    wrong = next(c for c in nb.cells if c.id == "ngrams")
    wrong.source = wrong.source.replace("n + 1)", "n)")
    nb.cells.append(nbformat.from_dict({**wrong, "id": "a-copy"}))
    next(c for c in nb.cells if c.id == "idf").source = "def idf(n, df):\n    raise ValueError('\x1b[2Jno')"
    nbformat.write(nb, tmp_path / "01_spam.ipynb")
    return tmp_path / "01_spam.ipynb"


def test_check_says_the_same_in_the_sandbox_without_one_and_in_one_process(half_right):
    told = [check(half_right, make) for make in (sandboxed_worker.SandboxedWorker, UnconfinedWorker, InProcessWorker)]
    said = [{c["exercise"]: (c["score"], c["report"]) for c in found["checks"]} for found in told]
    assert said[0] == said[1] == {name: (points, text.strip()) for name, (points, text) in said[2].items()}
    assert {name for name, (points, _) in said[0].items() if points < 6} >= {"ngrams", "idf"}
    assert told[0]["repairs"] == told[2]["repairs"] != []
    held = [{k for k, v in found["protections"].items() if v.startswith("held")} for found in told]
    assert held[0] > held[1] >= held[2] == set()
    assert len({found["hash"] for found in told}) == 3


def in_process(*words):
    """Run the command line here; returns (exit code, output, the error that main would print)."""
    done = CliRunner().invoke(app, list(map(str, words)))
    error = "" if isinstance(done.exception, SystemExit | None) else str(done.exception)
    return done.exit_code, done.output, error


@pytest.fixture
def no_namespaces(monkeypatch):
    """A machine that has no sandbox, such as a container with the usual settings."""

    def refuse():
        raise CourseError("There is no sandbox on this machine: bubblewrap (no). Install bubblewrap or ...")

    monkeypatch.setattr(sandboxed_worker, "default_sandbox", refuse)


def test_check_without_a_sandbox_says_so_in_a_line_and_runs_as_the_student(no_namespaces, half_right):
    code, out, error = in_process("check", half_right)
    assert (code, error) == (1, "")
    notes = [line for line in out.splitlines() if "there is no sandbox" in line]
    assert notes == ["note: there is no sandbox on this machine, so the notebook's code runs as you: bubblewrap (no)"]
    assert "the last n-gram is missing" in out and "\x1b" not in out


@pytest.mark.parametrize("words", [["--sandbox"], ["--json"], ["--junit"], ["--gradescope"]])
def test_what_others_read_is_not_made_without_a_sandbox(no_namespaces, half_right, tmp_path, words):
    target = tmp_path / "out"
    code, out, error = in_process("check", half_right, *words, *([target] if words != ["--sandbox"] else []))
    assert (code, out) == (1, "") and error.startswith("There is no sandbox")  # main makes it a line and exit code 2
    assert not target.exists()


def test_no_sandbox_is_taken_when_it_is_asked_for_and_the_result_says_what_held(no_namespaces, half_right, tmp_path):
    code, out, _ = in_process("check", half_right, "--no-sandbox", "--json", tmp_path / "r", "--junit", tmp_path / "x")
    assert code == 1
    assert re.search(r"^Protections: missing network, files.*; held .*environment", out, re.MULTILINE)
    assert json.loads((tmp_path / "r").read_text())["protections"]["network"].startswith("missing")
    named = {p.get("name"): p.get("value") for p in ElementTree.parse(tmp_path / "x").iter("property")}
    assert named["protection: network"].startswith("missing")


def test_the_backend_without_a_sandbox_judges_in_another_process_where_it_can(monkeypatch):
    assert dispatch.backend(False) is UnconfinedWorker
    monkeypatch.setattr(sys, "platform", "win32")
    assert dispatch.backend(False) is InProcessWorker


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["build", "99_nothing"], "there is no chapter '99_nothing'"),
        (["check", "no/such.ipynb"], "there is no such file"),
        (["check", "pyproject.toml"], "not a notebook"),
        (["check", "docs"], "no chapter has such cells"),
        (["check", "docs", "--chapter", "1"], "no notebook was handed in"),
        (["check", "docs", "--chapter", "no_such"], "there is no such chapter"),
        (["import", "no/such.ipynb"], "no/such.ipynb: there is no such file"),
        (["import", "README.md"], "README.md: not a notebook"),
        (["import", "notebooks/01_spam/01_spam.ipynb"], "this is the students' edition; edit and import"),
        (["audit", "01_spam", "--only", "typo"], "has no exercise 'typo'"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(words, message, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", ["autograder", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    err = capsys.readouterr().err
    assert ended.value.code == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err


def test_chapters_go_by_number_and_several_at_once(monkeypatch):
    from autograder.grading import grade

    asked = []
    monkeypatch.setattr(dispatch, "backend", lambda *_, **__: None)
    monkeypatch.setattr(grade, "grade", lambda chapter, course, **_: asked.append((chapter, course)) or [ROW])
    code, out, error = in_process("grade", "1", "03_rnns", "01", "--course", "elsewhere")
    assert (code, error) == (0, "")
    assert asked == [("01_spam", Path("elsewhere")), ("03_rnns", Path("elsewhere"))]
    assert "01_spam, points" in out and "03_rnns, points" in out
    assert [paths.chapter(name) for name in ("9", "09", "009", "9_lora", "0", "", "spam")] == [
        *["09_lora"] * 2, "09_lora", "9_lora", "0", "", "spam"
    ]  # fmt: skip


def test_version_and_completion_of_chapters():
    assert re.fullmatch(r"bow2lora \d+\.\d+\.\d+\n", in_process("--version")[1])
    asked = {"_BOW2LORA_COMPLETE": "complete_bash", "COMP_WORDS": "bow2lora grade 0", "COMP_CWORD": "2"}
    code, out, _ = command(**asked)
    assert (code, out.split()) == (0, [name for name in paths.chapters() if name.startswith("0")])


def test_handout_says_what_it_wrote_and_refuses_in_a_line(tmp_path, monkeypatch):
    from autograder.handout import hand_out, leaks

    monkeypatch.setattr(hand_out, "edition", lambda *_: {"README.md": b"read me"})
    monkeypatch.setattr(leaks, "secrets", lambda _: {})
    code, out, _ = in_process("handout", "1", "--to", tmp_path / "e")
    assert (code, out) == (0, f"{tmp_path / 'e'}: 1 file, 0.0 MB, 2 of them new, changed or removed\n")
    (tmp_path / "e" / "README.md").write_text("changed")
    assert "not as it was handed out: README.md" in in_process("handout", "1", "--to", tmp_path / "e")[2]


def test_import_writes_where_it_is_told_and_the_text_is_the_source(tmp_path):
    target = tmp_path / "copy.py"
    code, out, _ = command("import", build("01_spam"), "--to", target)
    assert code == 0
    assert target.read_text(encoding="utf-8") == paths.source_text("01_spam").read_text(encoding="utf-8")
    assert "make release" in out


def test_a_release_that_is_not_committed_fails(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "RELEASE", shutil.copytree(paths.RELEASE, tmp_path / "notebooks"))
    edition = {path: path.read_bytes() for path in module.edition_files(paths.RELEASE / "01_spam")}
    monkeypatch.setattr(module, "generate", lambda chapter: edition)
    assert in_process("release", "01_spam", "--check")[0] == 0
    path = paths.release_notebook("01_spam")
    stale = path.read_bytes() + b" "
    path.write_bytes(stale)
    code, out, _ = in_process("release", "01_spam", "--check")
    assert code == 1 and "not what solutions/ generates: 01_spam" in out
    assert path.read_bytes() == stale


def test_a_failed_release_leaves_the_old_edition(monkeypatch):
    path = paths.release_notebook("01_spam")
    good = path.read_bytes()

    def broken(chapter):
        raise CourseError("nbgrader could not generate it")

    monkeypatch.setattr(module, "generate", broken)
    with pytest.raises(CourseError):
        module.release("01_spam")
    assert path.read_bytes() == good


def test_check_builds_the_hidden_tests_anew_when_the_source_is_newer(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "SOURCE", tmp_path)
    build("01_spam")
    built = paths.source_notebook("01_spam")
    built.write_text(built.read_text(encoding="utf-8").replace("\\nscore", "\\n7.0"), encoding="utf-8")
    os.utime(built, (1, 1))
    code, out, _ = in_process("check", paths.release_notebook("01_spam"))
    assert code == 1
    assert "0 of 80 points" in out
