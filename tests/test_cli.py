"""The command line as an instructor types it, with wrong input, too."""

import os
import subprocess
import sys

import nbformat
import pytest

from autograder import marks, paths
from autograder.build import build
from autograder.check import verdicts
from autograder.source import read

ROOT = paths.ROOT


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
        if marks.from_metadata(cell) == "exercise":
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
    assert out.count("not started yet") == 12
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

    from autograder.execute import judged_cells, new_shell, run

    nb = nbformat.read(build("01_spam"), as_version=4)
    shell, spent = new_shell(), []
    for _ in range(2):  # the first round pays for the libraries' imports
        for cell in judged_cells(nb.cells):
            start = time.process_time()
            assert run(shell, cell.source).error is None
            if marks.from_metadata(cell) == "check":
                spent.append(time.process_time() - start)
    print(f"checks of chapter 01: {sum(spent[len(spent) // 2 :]):.2f} s of processor time")
    assert len(spent) == 24
    assert sum(spent[len(spent) // 2 :]) < 2


def test_verdicts_of_cells_that_print_nothing_are_zero_with_a_reason():
    nb = nbformat.read(build("01_spam"), as_version=4)
    check = next(c for c in nb.cells if c.id == "check-tf")
    for source in ["", "None", "5", "float('nan')", "8.0", "-1.0", "True", "1 / 0", "import numpy; numpy.float64(7)"]:
        broken = nbformat.from_dict({**check, "source": source})
        (verdict,) = verdicts(nbformat.v4.new_notebook(cells=[broken]))
        assert verdict.score == 0.0, source
        assert verdict.text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["build", "99_nothing"], "there is no chapter '99_nothing'"),
        (["check", "no/such.ipynb"], "there is no such file"),
        (["check", "pyproject.toml"], "not a notebook"),
        (["import", "README.md"], "there is no chapter 'README'"),
        (["import", "README.md", "--to", "build/x.py"], "not a notebook"),
        (["import", "notebooks/01_spam/01_spam.ipynb"], "'rules' has no ### BEGIN SOLUTION"),
        (["audit", "--only", "typo"], "has no exercise 'typo'"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(words, message):
    code, _, err = command(*words)
    assert code == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err


def test_import_writes_where_it_is_told_and_the_text_is_the_source(tmp_path):
    target = tmp_path / "copy.py"
    code, out, _ = command("import", build("01_spam"), "--to", target)
    assert code == 0
    assert target.read_text(encoding="utf-8") == paths.source_text("01_spam").read_text(encoding="utf-8")
    assert "make release" in out


def test_a_release_that_is_not_committed_fails(tmp_path, monkeypatch):
    path = paths.release_notebook("01_spam")
    good = path.read_bytes()
    try:
        path.write_bytes(good + b" ")
        code, _, err = command("release", "--check")
        assert code == 1
        assert "notebooks/ is not what solutions/ generates" in err
        assert path.read_bytes() == good + b" "
    finally:
        path.write_bytes(good)


def test_a_failed_release_leaves_the_old_edition(monkeypatch):
    from autograder import build as module
    from helpers.errors import CourseError

    path = paths.release_notebook("01_spam")
    good = path.read_bytes()

    def broken(chapter):
        raise CourseError("nbgrader could not generate it")

    monkeypatch.setattr(module, "generate", broken)
    with pytest.raises(CourseError):
        module.release("01_spam")
    assert path.read_bytes() == good


def test_check_builds_the_hidden_tests_anew_when_the_source_is_newer():
    build("01_spam")
    built = paths.source_notebook("01_spam")
    built.write_text(built.read_text(encoding="utf-8").replace("\\nscore", "\\n7.0"), encoding="utf-8")
    os.utime(built, (1, 1))
    code, out, _ = command("check", paths.release_notebook("01_spam"))
    assert code == 1
    assert "0 of 80 points" in out
