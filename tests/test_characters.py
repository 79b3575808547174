"""Why a cell does not parse: characters of another keyboard, in the check's words and in a notebook's."""

import contextlib
import io
import sys
import time
from functools import partial

import pytest

from helpers.cells import new_shell
from helpers.checks import not_defined
from helpers.checks.characters import explained
from helpers.course import check_notebook, upstream

BLANK, QUOTE = "a blank that Python does not take", "a typographic quotation mark; Python takes \" and '"
UNSEEN = "a character that is not seen"


@pytest.mark.parametrize(
    ("source", "line", "code", "what"),
    [
        ("def f(x):\n\u00a0   return 1", 2, "00A0", BLANK),
        ("x = 1\u3000+ 2", 1, "3000", BLANK),
        ("x = \u201craw\u201d", 1, "201C", QUOTE),
        ("x = \u2018raw\u2019", 1, "2018", QUOTE),
        ('x = "raw\u201d', 1, "201D", QUOTE),
        ("y = 1\nx = 'raw\u2019", 2, "2019", QUOTE),
        ("print\uff081\uff09", 1, "FF08", "\uff08; Python takes ("),
        ("x = (1\uff0c2)", 1, "FF0C", "\uff0c; Python takes ,"),
        ("x = \uff11", 1, "FF11", "\uff11; Python takes 1"),
        ("x = 3 \u2212 1", 1, "2212", "\u2212; Python takes -"),
        ("x = 3 \u2013 1", 1, "2013", "\u2013; Python takes -"),
        ("x \u2264 3", 1, "2264", "\u2264; Python takes <="),
        ("x = [1\u20262]", 1, "2026", "\u2026; Python takes ..."),
        ("x\u200b = 1", 1, "200B", UNSEEN),
        ("x = 1\n\ufeffy = 2", 2, "FEFF", UNSEEN),
        ("x = \u20ac", 1, "20AC", "\u20ac, which Python does not take here"),
        ("%%time\nx?\n!ls\n\u00a0y", 4, "00A0", BLANK),
    ],
)
def test_a_character_is_named_with_its_line_and_what_python_takes(source, line, code, what):
    assert explained(source) == f"line {line} holds U+{code} ({what})"


@pytest.mark.parametrize(
    "source",
    [
        "x = 1  # \u201c\u00a0",
        "x = '\u00a0\u2212\uff08'", "def f(:\n    '\u201c'", 'x = "it\u2019s', "%%bash\n\u00a0",
        "if 1:\n    !ls", "if 1:\n    %env\nx = (7\n  % 3)", "x?", "files = !ls\u00a0", "\u00e9t\u00e9 = 1",
        "", "\0", "\ud800", "(" * 5_000, "-" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_fault_or_another_is_not_explained(source):
    assert explained(source) == ""


@pytest.mark.parametrize(
    "source", ["a?\n" * 3_000 + "(\u00a0", "!a\n" * 3_000 + "(\u00a0", "a" * 100_000 + "? (", "'\u201c\n" * 3_000]
)
def test_a_hostile_cell_takes_bounded_time(source):
    start = time.process_time()
    explained(source)
    assert time.process_time() - start < 2  # CPU seconds; it takes a hundredth, IPython's own reading took 12


# In a notebook: the check knows the cell that was run.


CHECK = "from helpers.checks import graded\n@graded('f', points=1)\ndef score(check):\n    check(f, 1).equals(1)\n"


def said(*cells: str) -> str:
    """Return what a check prints after these cells were run as in a notebook."""
    shell, out = new_shell(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        for cell in cells:
            shell.run_cell(cell, store_history=True)
    out.truncate(0)
    with contextlib.redirect_stdout(out):
        shell.run_cell(CHECK, store_history=True)
    return out.getvalue().strip("\0\n")


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ([], "name 'f' is not defined. Run the cell above first (and keep the name that the text gives)."),
        (["def g(x):\n    return f(x)"], "name 'f' is not defined. Run the cell above first"),
        (["def f(x):\n\u00a0   return 1"], "could not be read by Python; line 2 holds U+00A0 (a blank that"),
        (["def f\uff08x\uff09:\n    return 1"], "could not be read by Python; line 1 holds U+FF08"),
        (["x = 1\ndef f(x:\n    return 1"], "could not be read by Python; the error is in line 2."),
        (["1 / 0\ndef f(x):\n    return 1"], "though a cell that defines it was run: see with which error it stopped"),
    ],
)
def test_a_check_does_not_say_run_the_cell_of_one_that_ran_and_failed(cells, says):
    assert says in said(*cells) and ("Run the cell" in said(*cells)) == ("Run the cell" in says)


def test_a_name_that_a_given_cell_makes_is_told_as_such(monkeypatch):
    monkeypatch.setattr(not_defined, "is_given", partial(upstream.is_given, "09_lora"))
    assert not_defined.why(NameError("name 'slopes' is not defined", name="slopes")).endswith(not_defined.RUN_GIVEN)
    assert not_defined.why(NameError("name 'few_shot' is not defined", name="few_shot")).endswith(not_defined.RUN_IT)


def test_the_check_of_a_whole_notebook_names_the_character(tmp_path):
    import nbformat

    nb = nbformat.v4.new_notebook()
    nb.cells = [nbformat.v4.new_code_cell(c) for c in ('check("tf")', "x = \u201craw\u201d")]
    nbformat.write(nb, tmp_path / "a.ipynb")
    told = [one.text for one in check_notebook.check(tmp_path / "a.ipynb")]
    assert any(f"line 1 holds U+201C ({QUOTE})" in line for line in told), (told, sys.version)
