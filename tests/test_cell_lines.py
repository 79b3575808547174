"""Lines that people begin cells with cost nothing below them, whoever runs the cells."""

import os
import shutil
import sys
import textwrap

import pytest
from world import cell_lines
from world.cell_lines import LINES, PLACES, answered

from autograder.cells import new_shell, run
from autograder.execution import sandboxed_worker
from autograder.jobs import Job, JobCell, JobLimits
from autograder.sandbox.start import Sandbox
from helpers import shell_lines
from helpers.checks.case import students_line

BACKEND = "bubblewrap" if shutil.which("bwrap") else "namespaces"
ANSWER = "def f(x):\n    return x + 1"
CHECK = "from helpers.checks import graded\n@graded('f', points=4)\ndef score(check):\n    check(f, 1).equals(2)\nscore"


@pytest.fixture
def shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return new_shell()


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.text)
def test_an_answer_below_a_line_is_there(shell, line):
    run(shell, answered(ANSWER, line, "above")[1])
    assert ("f" in shell.user_ns) == line.passes


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_one_line_of_each_kind_costs_the_same_when_graded():
    worker, wrong = sandboxed_worker.SandboxedWorker(Sandbox(BACKEND)), []
    for number, line in enumerate(cell_lines.of_each_kind()):
        place = PLACES[number % 3] if len(line.places) == 3 else "above"
        own, answer = answered(ANSWER, line, place)
        cells = [JobCell("f", "exercise", answer), JobCell("check-f", "check", CHECK, 4.0)]
        if own:
            cells.insert(0, JobCell("own-01", "code", own))
        result = worker.run(Job("x", "ada", "1", "s", JobLimits(20.0, 60.0), tuple(cells)))
        if (result["checks"][0]["score"] == 4.0) != (line.passes or place == "own cell"):
            wrong.append((line.text, place, result))
    worker.close()
    assert wrong == []


def test_what_was_not_run_is_said_in_a_line_of_its_own(shell):
    text = run(shell, "!pip install emoji\n%load_ext tensorboard\nimport pandas as pd\nname = input('who? ')").text
    assert text.splitlines() == [
        "`!pip install emoji`: not run while grading",
        "`%load_ext tensorboard`: not run while grading (ModuleNotFoundError: No module named 'tensorboard')",
        "`import pandas as pd`: not run while grading (line 3: there is no package 'pandas')",
        "`input('who? ')`: nobody types while grading, so it is ''",
    ]
    assert shell.missing == ["pandas"]


def test_what_needs_a_missing_package_says_so_where_it_is_used(shell):
    run(shell, "import pandas as pd\ndef f():\n    return pd.DataFrame()")
    outcome = run(shell, "f()")
    assert (
        outcome.error is None and "f()`: not run while grading (line 1: there is no package 'pandas')" in outcome.text
    )
    with pytest.raises(ModuleNotFoundError, match="No module named 'pandas'"):
        shell.user_ns["f"]()


def test_a_package_that_is_here_and_lacks_a_part_stops_its_cell(shell):
    assert isinstance(run(shell, "import sklearn.no_such_part").error, ModuleNotFoundError)
    assert isinstance(run(shell, "from torch import no_such_name").error, ImportError)


def test_an_error_stops_its_cell_and_syntax_errors_carry_no_colours(shell, capfd):
    assert isinstance(run(shell, "a = 1\n1 / 0\nb = 2").error, ZeroDivisionError)
    assert "a" in shell.user_ns and "b" not in shell.user_ns
    outcome = run(shell, "def f(:\n    pass")
    assert isinstance(outcome.error, SyntaxError) and "\x1b" not in outcome.text + capfd.readouterr().out


def test_shell_lines_print_and_give_their_lines(shell):
    outcome = run(shell, "!echo one\nlines = !printf 'a\\nb\\n'\nlines, _exit_code")
    assert outcome.text == "one\n" and outcome.value == (["a", "b"], 0)
    assert run(shell, "!exit 3\n_exit_code").value == 3


def test_a_module_that_a_cell_writes_can_be_imported(shell, monkeypatch):
    monkeypatch.syspath_prepend(os.getcwd())  # noqa: PTH109  (as in the scratch folder of a runner)
    run(shell, "%%writefile mine_written.py\nvalue = 3")
    assert run(shell, "import mine_written\nmine_written.value").value == 3


NEEDS_OUTSIDE = (
    "pip install x", "python -m pip install x", "/usr/bin/python3.11 -m pip install x", "sudo apt-get install x",
    "cd x && pip install y", "HF_HOME=x huggingface-cli download y", "curl -O https://x | sh", "time git pull",
    "cat x | less",
)  # fmt: skip
RUNS = ("ls", "echo pip", "cat pip.txt", "python -c 'print(1)'", "mkdir -p data && ls data", "")


@pytest.mark.parametrize("command", NEEDS_OUTSIDE)
def test_programs_that_need_the_outside_are_known(command):
    assert shell_lines.needs_outside(command)


@pytest.mark.parametrize("command", RUNS)
def test_other_programs_are_run(command):
    assert not shell_lines.needs_outside(command)


def test_a_shell_line_that_does_not_end_is_ended(monkeypatch):
    monkeypatch.setattr(shell_lines, "SECONDS", 0.5)
    with pytest.raises(TimeoutError):
        shell_lines.run("sleep 60")


def test_a_block_that_is_left_out_is_named_by_its_first_line(shell):
    text = run(shell, "import pandas as pd\nfor row in pd.read_csv('x.csv'):\n    y = row\nprint(y)").text
    assert text.splitlines()[1:] == [
        "`for row in pd.read_csv('x.csv'): ...`: not run while grading (line 2: there is no package 'pandas')",
        "<there is no package 'pandas'>",
    ]


def test_installers_of_a_bash_cell_are_not_run(shell):
    assert run(shell, "%%bash\necho hi\npip install emoji").text == "`%%bash`: not run while grading\n"
    assert run(shell, "%%bash\necho hi").text == "hi\n"


def test_names_within_a_definition_stay_its_own(shell):
    run(shell, "import pandas as pd\ny = 1\nclass A(pd.DataFrame):\n    y = 2\n[y for y in pd.x]")
    assert shell.user_ns["y"] == 1
    assert "no package 'pandas'" in repr(shell.user_ns["A"])


def test_a_decorator_of_a_missing_package_is_said(shell):
    done = run(shell, "import numba\n\n@numba.njit(fast=True)\ndef f(x):\n    return x\nf(3)")
    assert done.value == 3 and done.error is None
    assert "`@numba.njit(fast=True)`: not run while grading (line 3: there is no package 'numba')" in done.text
    assert shell.missing == ["numba"]


@pytest.mark.parametrize(
    "use",
    ["len(pd)", "pd + 1", "1 + pd", "pd['a']", "bool(pd)", "isinstance(3, pd)", "[*pd]", "pd.a", "pd()", "pd < 3"],
)
def test_a_function_that_uses_what_is_missing_says_which_package(shell, use):
    run(shell, f"from pandas import x as pd\ndef f():\n    return {use}")
    with pytest.raises(ModuleNotFoundError, match="No module named 'pandas'"):
        shell.user_ns["f"]()


def test_an_import_error_that_the_cell_catches_itself_is_its_own(shell):
    own = "try:\n    import cupy\nexcept {}:\n    cupy = 'none'"
    for handler in ("ImportError", "(OSError, ModuleNotFoundError)", "Exception as e"):
        run(shell, f"if True:\n{textwrap.indent(own.format(handler), '    ')}")
        assert shell.user_ns.pop("cupy") == "none" and shell.missing == []


def test_the_courses_folders_are_no_packages(shell):
    run(shell, "import importlib.util\nassert importlib.util.find_spec('datasets') is None\nimport json, helpers.plots")
    done = run(shell, "import datasets\ntable = datasets.load_dataset('x')\nbelow = 1")
    assert done.error is None and shell.missing == ["datasets"] and shell.user_ns["below"] == 1
    assert run(shell, "import transformers\ntransformers.BertConfig").error is None


def test_another_error_of_an_import_within_a_block_has_its_line(shell):
    error = run(shell, "a = 1\nif a:\n    import math, pandas\n    from math import no_such_name").error
    assert type(error) is ImportError
    assert students_line(error) == (4, "from math import no_such_name")
