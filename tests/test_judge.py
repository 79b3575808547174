"""Checks judged over a channel: the same verdicts as in one process, and nothing that a runner does earns a point."""

import builtins
import json
import os
import pickle
import re
import socket
import symtable
import time
from pathlib import Path

import jupytext
import nbformat
import pytest
import torch

from autograder import cell_marks, paths
from autograder.authoring.audit import GRADED, audit, disagreements
from autograder.authoring.build import to_notebook
from autograder.authoring.source import read
from autograder.cells import new_shell, run
from autograder.ipc.channel import Channel
from autograder.jobs import Job, JobCell, JobLimits
from autograder.judge import two_runs
from autograder.judge.budget import Runner
from autograder.judge.conversation import Conversation
from autograder.judge.judge import TimeLimits, judge
from autograder.judge.proxies import Names
from autograder.judge.server import cells_of
from autograder.judge.student_errors import RunnerGone
from autograder.runner.answer_loop import serve
from autograder.syntax import functions
from autograder.verdicts import Verdict
from helpers.checks import case

CHAPTERS = Path(__file__).parent / "chapters"
LIMITS = TimeLimits(cell=60.0, total=300.0, grace=2.0)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a runner is a fork of this process")


@pytest.fixture(autouse=True)
def one_thread():
    """A fork of a process whose thread pool has run would hang in its first product."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def forked(cells, limits=LIMITS, secret="", runner=serve) -> dict:
    """Judge cells whose runner is a fork of this process; no sandbox. Returns the verdict as JSON holds it."""
    return judged(cells, limits, secret, runner).to_json()


def judged(cells, limits=LIMITS, secret="", runner=serve, shown=None) -> Verdict:
    """Return the verdict."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if not child:
        try:
            ours.close()
            runner(Channel(theirs))
        finally:
            os._exit(0)
    theirs.close()
    try:
        return judge(Channel(ours), cells, limits, secret, shown)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


def here(cells) -> list[str]:
    """Run cells in this process, as JupyterLab does; returns the reports."""
    shell = new_shell()
    outcomes = [(c, run(shell, c.source)) for c in cells]
    return [o.text.strip() for c, o in outcomes if cell_marks.from_metadata(c) == "check"]


def exercise(source, name="f"):
    return nbformat.v4.new_code_cell(source, id=name, metadata=cell_marks.to_metadata("exercise", {}, name))


def check(body, name="f", points=4.0):
    """Return a check cell whose function of cases has this body."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    head = f"from helpers.checks import graded\n\n\n@graded('{name}', points={points})\ndef score(check):\n"
    return raw_check(f"{head}{lines}\n\nscore", name, points)


def raw_check(source, name="f", points=4.0):
    meta = cell_marks.to_metadata("check", {"points": points}, f"check-{name}")
    return nbformat.v4.new_code_cell(source, id=f"check-{name}", metadata=meta)


def test_objects_of_all_sorts_are_judged_as_in_one_process():
    answer, check_cell = jupytext.reads((CHAPTERS / "objects.py").read_text(encoding="utf-8"), fmt="py:percent").cells
    cells = [exercise(answer.source, "objects"), raw_check(check_cell.source, "objects", 100.0)]
    (verdict,) = forked(cells)["checks"]
    # In one process an error that the check's own line meets is shown with that line; the judge keeps it to itself.
    assert verdict["report"] == re.sub(r"  \(line \d+: check\(.*\)", "", here(cells)[0])
    assert "29 of 36 visible cases pass" in verdict["report"]


NAMES = """
from collections import Counter, OrderedDict
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import torch


class State(NamedTuple):
    h: object
    c: object


class Words(list):
    def longest(self):
        return max(self, key=len)


class Own(torch.Tensor):
    pass


def step(x):
    return State(x, np.array(["a", None], dtype=object))


def words(text):
    return Words(text.split())


def counts(words):
    return Counter(words)


def commonest(count, words):
    return count(words).most_common(1)


def tell(ask, words):
    return ask(Counter(words), State(1, 2), Decimal(3))


def grown(x):
    return (x * 2).as_subclass(Own)


def exact(x):
    return Decimal(x) / 3
"""
NAMED = """
import torch

check(step, 1.0).equals((1.0, ["a", None]), about="a named tuple")
state, lines = step(2.0), words("a bcd")
check(lambda: (state.h, state[0], len(state), state.c.shape)).equals((2.0, 2.0, 2, (2,)), about="its names")
check(lambda: state).equals((2.0, ["a", None]), about="kept, then judged")
check(lambda: (lines.longest(), lines[0], list(lines))).equals(("bcd", "a", ["a", "bcd"]), about="a method")
check(words, "a b").equals(["a", "b"], about="a list of an own class")
counted = counts("aab")
check(lambda: counted | {"c": 1}).equals({"a": 2, "b": 1, "c": 1}, about="a Counter is a dict")
check(lambda: counted["z"]).equals(0, about="and no more")
check(commonest, counts, "aab").equals([("a", 2)], about="among the answer's own functions it is a Counter")
check(tell, lambda a, b, c: a == {"x": 2} and b == (1, 2), "xx").equals(True, about="handed to the check")
check(tell, lambda a, b, c: c + 1, "xx").equals(4, about="no number is handed to the check")
tensor = grown(torch.ones(2, requires_grad=True))
check(lambda: (tensor * 2, tensor.requires_grad)).equals(([4.0, 4.0], True), about="a tensor of an own class")
check(exact, 1).holds(lambda value: 0 < value < 1, "a number between 0 and 1", about="an exact number")
"""


def test_objects_of_plain_types_keep_their_names_and_are_judged_by_their_data():
    cells = [exercise(NAMES), check(NAMED, points=12.0)]
    (verdict,) = forked(cells)["checks"]
    assert re.sub("  \\(line .*\\)", "", here(cells)[0]) == re.sub("  \\(line .*\\)", "", verdict["report"])
    assert "9 of 12 visible cases pass" in verdict["report"]
    assert "float(...) makes a number of it" in verdict["report"]


def test_variants_of_a_chapter_score_and_read_alike_in_both_modes():
    here, judged = (audit("01_spam", every=30, judged=way) for way in (False, True))  # all: autograder audit --both
    here = [trial for trial in here if trial.variant.name != GRADED]
    assert len(here) > 20
    assert disagreements(here, judged) == []


def names_from_elsewhere(source: str) -> set[str]:
    """Return the names that a cell reads and neither makes itself nor finds among the builtins."""
    own, read = set(), set()
    tables = [symtable.symtable(source, "check", "exec")]
    for table in tables:
        tables += table.get_children()
        for symbol in table.get_symbols():
            if table.get_type() == "module" and (symbol.is_assigned() or symbol.is_imported()):
                own.add(symbol.get_name())
            if symbol.is_referenced() and (table.get_type() == "module" or symbol.is_global()):
                read.add(symbol.get_name())
    return read - own - set(dir(builtins))


@pytest.mark.parametrize("chapter", sorted(p.name for p in paths.SOLUTIONS.glob("[0-9]*")))
def test_a_check_takes_nothing_from_the_student_but_the_answers(chapter):
    cells = to_notebook(read(paths.source_text(chapter))).cells
    kinds = [(cell_marks.from_metadata(c), c.source) for c in cells if c.cell_type == "code"]
    answers = set().union(*(functions(text) or {} for kind, text in kinds if kind in ("exercise", "given")))
    for text in [text for kind, text in kinds if kind == "check"]:
        assert names_from_elsewhere(text) <= answers  # np, say, would be the student's np
        assert names_from_elsewhere(cell_marks.visible(text)) <= answers  # as students have it: 06 encode stopped


# What a cell does


EQUALS_2 = "check(f, 1).equals(2, near={'that is the input': 1})"
RIGHT = "def f(x):\n    return x + 1"


def only(answer: str, body: str = EQUALS_2, **more) -> dict:
    """Judge one answer by one check and return its verdict."""
    (verdict,) = forked([exercise(answer), check(body)], **more)["checks"]
    return verdict


def test_the_form_of_the_verdicts():
    cells = [exercise("def f(x):\n    print('hm')\n    return x\n\nprint('one')"), check(EQUALS_2)]
    found = forked(cells)
    (cell,), (verdict,) = found["cells"], found["checks"]
    assert {**cell, "seconds": 0} == {
        **{"id": "f", "kind": "exercise", "status": "ok", "seconds": 0, "stdout": "one\n", "error": None},
        "missing": [],
    }
    names = ["id", "exercise", "points", "score", "status", "reason", "report", "likely", "seconds", "cases", "proof"]
    assert list(verdict) == names
    assert (verdict["score"], verdict["status"], verdict["likely"]) == (0.0, "judged", ["that is the input"])
    assert "printed   hm" in verdict["report"]
    assert found["notes"] == []


def test_show_cells_are_skipped_and_the_students_own_cells_run():
    show = nbformat.v4.new_code_cell("1 / 0", id="show-01", metadata=cell_marks.to_metadata("show", {}, ""))
    own = nbformat.v4.new_code_cell("def f(x): return 2", id="own-01")
    found = forked([show, own, nbformat.v4.new_markdown_cell("text"), check(EQUALS_2)])
    assert [(c["id"], c["kind"], c["status"]) for c in found["cells"]] == [("own-01", "own", "ok")]
    assert found["checks"][0]["score"] == 4.0


def test_an_error_in_a_cell_is_told_with_its_line_and_the_next_cells_run():
    found = forked([exercise("x = 1\nx.y\n", "a"), exercise(RIGHT), check(EQUALS_2)])
    told = {"name": "AttributeError", "message": "'int' object has no attribute 'y'", "line": 2, "text": "x.y"}
    assert found["cells"][0]["error"] == told
    assert found["checks"][0]["score"] == 4.0


def test_what_c_code_and_other_processes_print_is_kept_and_bounded():
    source = "import os\nos.system('echo from below')\nos.write(1, b'x' * 100_000)\nprint('y' * 100_000)"
    (cell,) = forked([exercise(source)])["cells"]
    assert len(cell["stdout"]) <= 10_000
    (cell,) = forked([exercise("import os\nos.system('echo from below')\nprint('above')")])["cells"]
    assert cell["stdout"] == "above\nfrom below\n"


def test_what_would_move_a_cursor_is_taken_out():
    found = forked([exercise("print('\\x1b[2J' + chr(0x202e))\nraise ValueError('\\x1b[2J')")])["cells"][0]
    assert "\x1b" not in str(found)
    assert "\u202e" not in found["stdout"]


# Errors


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        ("NotImplementedError()", "not started yet"),
        ("KeyError('a')", "got       KeyError: 'a'  (line 2: raise KeyError('a'))"),
        ("type('Own', (ZeroDivisionError,), {})('z')", "Own: z"),
        ("type('Own', (ZeroDivisionError,), {})('z')", "a division by zero"),
        ("UnicodeDecodeError('utf-8', b'x', 0, 1, 'why')", "UnicodeDecodeError: 'utf-8' codec"),
        ("OSError(2, 'gone')", "FileNotFoundError: [Errno 2] gone"),
        ("ExceptionGroup('g', [ValueError()])", "ExceptionGroup: g"),
        ("SystemExit(3)", "SystemExit: 3"),
        ("KeyboardInterrupt()", "KeyboardInterrupt"),
        ("StopIteration()", "StopIteration"),
        ("__import__('numpy').linalg.LinAlgError('singular')", "LinAlgError: singular"),
        ("type('Odd', (Exception,), {'__str__': lambda s: 1 / 0})()", "Odd"),
        ("type('x' * 1000, (Exception,), {})()", "Error"),
        ("ValueError('<b>' * 100_000)", "ValueError: <b>"),
    ],
)
def test_errors_read_as_in_one_process_and_cost_their_own_case(raised, words):
    body = "check(f, 1).equals(2, near={'a division by zero': ZeroDivisionError})\ncheck(len, [1, 2]).equals(2)"
    found = only(f"def f(x):\n    raise {raised}", body)
    assert words in found["report"] or "not started" in words
    assert found["score"] == 2.0


def test_a_stub_reads_as_not_started():
    assert "not started yet" in only("def f(x):\n    raise NotImplementedError()")["report"]


MISSING_NAME = {
    "g = 1": "The cell above ran, and makes no such name: keep the name that the text gives.",
    "1 / 0\n\n\ndef f(x):\n    return x": "The cell above stopped in line 1: ZeroDivisionError: division by zero.",
    "def f(x):\n  return x\n 2": "The cell above stopped in line 3: IndentationError: unindent does not match",
    "def f(x:\n    return x": "The cell above stopped in line 1: SyntaxError: '(' was never closed.",
    "import nosuch\nf = nosuch.f": "got       ModuleNotFoundError: No module named 'nosuch'",
    "from nosuch import *": "needs the package nosuch, which is not here while",
    "import os\nos._exit(0)": None,
}


@pytest.mark.parametrize(("answer", "words"), MISSING_NAME.items(), ids=range(len(MISSING_NAME)))
def test_a_name_that_is_missing_is_explained_by_how_its_cell_ended(answer, words):
    report = forked([exercise(answer), check(EQUALS_2)])["checks"][0]["report"]
    assert "Run the cell above" not in report
    assert words is None or words in report


def test_a_name_that_an_answer_uses_is_explained_by_the_cell_that_stopped():
    own = nbformat.v4.new_code_cell("1 / 0\nhelper = 2", id="own-01")
    report = forked([own, exercise("def f(x):\n    return helper"), check(EQUALS_2)])["checks"][0]["report"]
    assert "the cell own-01 stopped in line 1: ZeroDivisionError: division by zero" in report
    report = forked([exercise("def f(x):\n    return helpr"), check(EQUALS_2)])["checks"][0]["report"]
    assert "no cell makes this name: is it misspelt, or a module that is not imported?" in report


def test_what_stopped_a_cell_in_the_run_of_hidden_cases_is_not_said():
    own = nbformat.v4.new_code_cell("raise ValueError('sesame')", id="own-01")
    later = check("check(g, 1).equals(2)\n" + HIDDEN_CASE.replace("f, 'sesame'", "g, 1"), "g")
    late, whole = twice([exercise(SPY), check(HIDDEN_CASE), own, exercise("def g(x):\n    return nothing", "g"), later])
    assert "own-01" not in late["checks"][1]["report"] and "is it misspelt" not in late["checks"][1]["report"]
    assert "own-01 stopped in line 1: ValueError: sesame" in whole["checks"][1]["report"]


# Fail closed


@pytest.mark.parametrize(
    "value",
    [
        "float('nan')",
        "float('inf')",
        "-1.0",
        "4.5",
        "4",
        "True",
        "'4.0'",
        "None",
        "__import__('numpy').float64(4)",
        "f(1)",
        "f",
        "score",
        "type('F', (float,), {})(4.0)",
        "1 / 0",
        "exit(4.0)",
        "not python",
        "x = 4.0",
        "",
    ],
)
def test_no_score_but_a_float_within_the_points(value):
    found = forked([exercise("def f(x):\n    return x + 1"), raw_check(value)])["checks"][0]
    assert (found["score"], found["status"]) == (0.0, "no score")
    assert found["reason"]


LIARS = {
    "equal to all": "class Yes:\n    def __eq__(self, other): return True\n\ndef f(x): return Yes()",
    "a list that is equal": "class Yes(list):\n    def __eq__(self, other): return True\n\ndef f(x): return Yes([5])",
    "a float that is equal": "class Yes(float):\n    def __eq__(self, other): return True\n\ndef f(x): return Yes(0.5)",
    "an array of objects": "import numpy as np\nclass Yes:\n    def __eq__(self, other): return True\n"
    "def f(x): return np.array(Yes())",
    "not a number": "def f(x): return float('nan')",
    "true and long": "class Yes:\n    def __bool__(self): return True\n    def __len__(self): return 2\n"
    "    def __float__(self): return 2.0\n    __array__ = __index__ = __int__ = __float__\n\ndef f(x): return Yes()",
    "a class": "class f:\n    def __init__(self, x): pass\n    def __eq__(self, other): return True",
    "itself": "def f(x): return f",
}


@pytest.mark.parametrize("name", LIARS)
@pytest.mark.parametrize(
    "body",
    [
        "check(f, 1).equals(2)",
        "check(f, 1).equals([2, 3])",
        "check(f, 1).holds(lambda v: v and v > 1, 'true, and above 1')",
        "check(f, 1).holds(lambda v: v == 2, '2')",
        "check(f, 1).holds(lambda v: v in (2, 3), '2 or 3')",
        "check(f, 1).holds(lambda v: 2 in [v], '2')",
        "check(f, 1).holds(lambda v: not v != 2, '2')",
        "check(f, 1).holds(lambda v: not v, 'nothing')",
        "check(f, 1).holds(lambda v: float(v) == 2, '2')",
        "import numpy as np\ncheck(f, 1).holds(lambda v: np.allclose(v, 2), '2')",
    ],
)
def test_lying_objects_are_wrong(name, body):
    assert only(LIARS[name], body)["score"] == 0.0


def test_what_the_student_puts_in_the_place_of_others_names_counts_for_nothing():
    answer = """
def f(x):
    return 0

import helpers.checks, helpers.checks.case, helpers.checks.compare, builtins, numpy
score, check, graded = 4.0, None, lambda *a, **k: lambda function: 4.0
helpers.checks.graded = graded
helpers.checks.compare.difference = lambda *a, **k: None
builtins.isinstance = lambda *a: True
len = sum = lambda *a: 2
numpy.isclose = lambda *a, **k: numpy.True_
"""
    assert only(answer)["score"] == 0.0


def test_hidden_cases_and_secrets_stay_here():
    body = "check.hidden()\nsecret = int(check.rng.integers(10**9))\ncheck(f, secret).equals(secret + 7, about='fresh')"
    spy = "import gc\nseen = []\ndef f(x):\n    seen.append(x)\n    return repr(seen)"
    found = only(spy, body, secret="of the course")
    assert found["report"] == "f: 0 of 1 case passes, 0 of 4 points\n  hidden case (fresh): a wrong value"
    tell = "def f(x):\n    import os\n    return os.environ.get('BOW2LORA_SECRET', 'nothing')"
    assert only(tell, "check(f, 1).equals('nothing')", secret="of the course")["score"] == 4.0


HIDDEN_CASE = "pass\n### BEGIN HIDDEN TESTS\ncheck.hidden()\ncheck(f, 'sesame').equals(1)\n### END HIDDEN TESTS"
SPY = "seen = []\ndef f(x):\n    seen.append(x)\n    print(x)\n    return seen[-1]\nprint('early')"
LATE = {
    "printed": "print(seen)",
    "raised": "raise ValueError(seen)",
    "raised as a class": "raise type(seen[-1], (KeyError,), {})",
    "raised as one of Python's own": "raise [OSError, LookupError]['ses' 'ame' in seen]",
    "returned": "f = lambda x: list(seen)",
    "raised by a call": "def f(x):\n    raise NameError(f'1 of 1 case passes {seen}')",
    "taken for a name": "def f(x):\n    raise ValueError\nf.__name__ = seen[-1]",
    "taken for an argument": "exec(f'def f({seen[-1]}): {seen[-1]}.append(1)')",
    "told by the time": "import time\ntime.sleep(0.3 * ('sesame' in seen))",
    "told by its end": "import os\n'sesame' in seen and os._exit(1)",
}


def job_of(cells) -> Job:
    """Return the job of a notebook with these cells."""
    marked = [(cell, cell_marks.from_metadata(cell)) for cell in cells]
    parts = [JobCell(c.id, kind, c.source, c.metadata.get("nbgrader", {}).get("points")) for c, kind in marked]
    return Job("01_spam", "ada", "0", "", JobLimits(60.0, 300.0), tuple(parts))


def twice(cells, **more) -> tuple[dict, dict]:
    """Judge cells as a worker does, in two runs: what the second one gives away, and what comes of both."""
    job, second = job_of(cells), None
    first = judged(cells_of(job), **more)
    hidden = two_runs.of_hidden(job, first)
    if hidden:
        second = judged(cells_of(hidden), shown=hidden.shown, **more)
    whole = two_runs.joined(job, first, second)
    return (second or Verdict()).to_json(), whole.to_json()


@pytest.mark.parametrize("how", LATE)
def test_what_is_said_after_hidden_inputs_came_is_not_shown(how):
    direct = "f('open')\n" if how == "raised by a call" else ""
    later = check(f"{direct}check(f, []).equals(2)\n" + HIDDEN_CASE.replace("'sesame'", "[]"), "g")
    cells = [exercise(SPY), check(HIDDEN_CASE), exercise(LATE[how], "g"), later]
    late, whole = twice(cells)
    assert "sesame" not in json.dumps([late, whole])
    assert whole["cells"][0]["stdout"] == "early\n"
    quiet = {"id": "g", "kind": "exercise", "status": "ok", "seconds": 0.0, "stdout": "", "error": None, "missing": []}
    assert late["cells"][1] == quiet


NAMED_BY_THE_STUDENT = """
def f(x):
    {deed}
    return 2

def g(x):
    raise NotImplementedError
"""


@pytest.mark.parametrize("deed", ["f.__name__ = 'told' + x[0]", "g.__name__ = g.__qualname__ = 'told' + x[0]"])
def test_a_function_is_called_by_the_name_that_the_check_asked_for(deed):
    """A name may hold what a hidden input said, and a report tells which functions pass and which are not written."""
    hidden = "pass\n### BEGIN HIDDEN TESTS\ncheck.hidden()\ncheck(f, ['open']).equals(2)\n### END HIDDEN TESTS"
    later = check(f"check(f, ['shut']).equals(2)\ncheck(g, 1).equals(2)\n{hidden}", "g")
    cells = [exercise(NAMED_BY_THE_STUDENT.format(deed=deed)), check(hidden), later]
    late, whole = twice(cells)
    assert "told" not in json.dumps([late, whole])
    assert whole["checks"][1]["report"].count("not written yet: g") == 1


TELLS = """
import os
for bit in range({first}, {first} + 4):
    known = seen and ord(seen[-1][0]) >> bit & 1
known and ({deed})
"""


@pytest.mark.parametrize("deed", ["print('one')", "int('x')", "os._exit(1)", "[][1]"])
def test_cells_of_ones_own_are_the_same_whatever_the_hidden_input_was(deed):
    """By the bits of a hidden input many cells print, fail or end the process: nothing that is shown depends on it."""

    def shown(word):
        own = [nbformat.v4.new_code_cell(TELLS.format(first=i, deed=deed), id=f"own-{i}") for i in range(4)]
        cells = [exercise(SPY), check(HIDDEN_CASE.replace("sesame", word)), *own]
        cells += [exercise("g = lambda x: [][1] if 'P' <= seen[-1] else 2", "g"), check("check(g, 1).equals(2)", "g")]
        whole = twice(cells)[1]
        return json.dumps([whole["cells"][1:], [c["report"].split("\n")[1:] for c in whole["checks"]]])

    assert re.sub(r"\d\.\d+", "", shown("A")) == re.sub(r"\d\.\d+", "", shown("Z"))


def test_an_honest_twin_loses_neither_words_nor_points():
    answer = "def f(x):\n    return 1\nprint('hello')"
    cells = [exercise(answer), check(HIDDEN_CASE), exercise("print(f(3))\ng = f", "g"), check(EQUALS_2, "g")]
    whole = twice(cells)[1]
    assert [c["stdout"] for c in whole["cells"]] == ["hello\n", "1\n"]
    assert [c["score"] for c in whole["checks"]] == [4.0, 0.0]
    assert "that is the input" in whole["checks"][1]["report"] and whole["checks"][1]["likely"] == ["that is the input"]


def test_an_answer_that_is_the_courses_own_earns_nothing():
    cells = [exercise("from helpers.models.gpt import GPT", "own"), exercise("def f(x):\n    GPT\n    return 2", "f")]
    (found,) = forked([*cells, check("check(f, 0).equals(2)")])["checks"]
    assert found["score"] == 0.0
    assert "`helpers.models.gpt.GPT` is the course's own answer" in found["report"]


SHOWN_CASE = "check(f, 'open').equals(1, about='shown')\n"
COUNTS = "calls = []\ndef f(x):\n    calls.append(x)\n    return {'open': 1, 'sesame': len(calls)}[x]"


def test_no_case_is_judged_twice_and_the_first_run_knows_no_hidden_one():
    cells = [exercise(COUNTS), check(SHOWN_CASE + HIDDEN_CASE)]
    assert judged(cells).checks[0].score == 0.0  # in one process the hidden case is the second call
    late, whole = twice(cells)
    assert whole["checks"][0]["score"] == late["checks"][0]["score"] == 4.0
    assert "sesame" not in cells_of(job_of(cells))[1].source


@pytest.mark.parametrize("answer", ["raise NotImplementedError", "return nothing()", "import os; os._exit(1)"])
def test_where_hidden_cases_cannot_change_the_points_they_are_not_asked(answer):
    late, whole = twice([exercise(f"def f(x):\n    {answer}"), check(SHOWN_CASE + HIDDEN_CASE)])
    asked = answer == "return nothing()"
    assert bool(late["checks"]) is asked
    assert whole["checks"][0]["score"] == 0.0


def test_shown_cases_that_the_second_run_leaves_out_count_all_the_same():
    """A check that asks as many cases as an answer wants: in the run of the hidden ones it wants none."""
    body = "for i in range(n()):\n    check(f, 'open').equals(1, about='shown')\n" + HIDDEN_CASE
    answer = "asked = []\ndef n():\n    return {}\ndef f(x):\n    asked.append(x)\n    return 1 if x == 'sesame' else 0"
    cells = [exercise(answer.format("3")), check(body)]
    first = judged(cells_of(job_of(cells)))
    hidden = two_runs.of_hidden(job_of(cells), first)
    none = [exercise(answer.format("0")), check(body)]
    second = judged(none, shown=hidden.shown)
    assert second.checks[0].report.startswith("f: 1 of 4 cases pass")
    assert judged(none).checks[0].score == 4.0


def test_what_the_shown_cases_came_to_is_the_same_in_the_second_run():
    """By the errors and mistakes of all cases a report names a cause: the two runs give what one run gives."""
    mistakes = "### BEGIN MISTAKES\ncheck.mistakes({'that is the input': lambda x: x})\n### END MISTAKES\n"
    body = mistakes + "check(f, 2).equals(1)\ncheck(f, 1).equals(1, about='one')\n"
    body += HIDDEN_CASE.replace("'sesame').equals(1)", "3).equals(1)\ncheck(f, 4).equals(1, about='four')")
    for answer in ("return x", "return 1", "return x * 1.5", "raise KeyError(x)", "return [][x]", "x.y"):
        cells = [exercise(f"def f(x):\n    {answer}"), check(body)]
        (one,), (both,) = judged(cells).checks, twice(cells)[1]["checks"]
        assert (one.score, one.report.split("\n")[0]) == (both["score"], both["report"].split("\n")[0])
        hidden = [line for line in one.report.split("\n") if line.startswith("  hidden")]
        assert hidden == [line for line in both["report"].split("\n") if line.startswith("  hidden")]


SCALED = """### BEGIN HIDDEN TESTS
check.hidden()
check(f, [3.0, 4, 5, 6]).equals([3.0, 4, 5, 6], about="numbers")
check(f, ["a", [3.0, 4.0, 5.0, 6.0]]).equals(["a", [3.0, 4.0, 5.0, 6.0]], about="a pair")
### END HIDDEN TESTS"""
SCALE = """
def f(x):
    return [v * {by} for v in x] if x[0] == 3 else ["a", [v * {by} for v in x[1]]]
"""


def test_lines_on_hidden_cases_carry_no_number_that_an_answer_chose():
    """One factor between right and wrong, by which 61 bytes came out."""
    lines = {only(SCALE.format(by=by), SCALED)["report"] for by in (3.097e12, 7.5, -44.0)}
    (report,) = lines
    assert "hidden cases (numbers; a pair): a wrong value: every number is the same number of times" in report
    shown = only(SCALE.format(by=7.5), "\n".join(SCALED.splitlines()[2:-1]))["report"]
    assert "every number is 7.5 times what it should be" in shown and "item 1: every number is 7.5 times" in shown


def test_an_argument_that_a_hidden_case_finds_changed_is_not_named():
    body = "### BEGIN HIDDEN TESTS\ncheck.hidden()\ncheck(f, [1]).equals(None)\n### END HIDDEN TESTS"
    report = only("def f(sesame):\n    sesame.append(1)", body)["report"]
    assert "your function changed an argument in place" in report and "sesame" not in report


def test_a_name_that_is_missing_after_hidden_tests_is_told():
    cells = [exercise("f = lambda x: x"), check("check(f, 'open').equals('open')\n" + HIDDEN_CASE)]
    found, whole = twice([*cells, exercise("pass", "g"), check("check(h, 1).equals(1)", "g")])
    assert [verdict["id"] for verdict in found["checks"]] == ["check-f"]
    assert "name 'h' is not defined" in whole["checks"][1]["report"] and whole["checks"][1]["score"] == 0.0


def test_an_error_that_stops_the_first_check_with_hidden_tests_is_not_quoted():
    direct = "### BEGIN HIDDEN TESTS\ncheck.hidden()\nf('sesame')\n### END HIDDEN TESTS"
    found, whole = twice([exercise("def f(x):\n    raise ValueError(x)"), check("check(f, 1).equals(2)\n" + direct)])
    assert "sesame" not in json.dumps([found, whole]) and whole["checks"][0]["score"] == 0.0
    assert whole["checks"][0]["report"].startswith("f: the check could not go on")
    named = "def f(x):\n    raise type(x, (SystemExit,), {}) if x == 'sesame' else ValueError"
    assert "sesame" not in json.dumps(twice([exercise(named), check(direct)]))


def test_the_words_come_from_a_run_without_hidden_tests():
    cells = [exercise(SPY), check("check(f, 'open').equals(1)\n" + HIDDEN_CASE)]
    cells += [exercise("print(seen[-1:])\nf = lambda x: [x, *seen]", "g"), check("check(f, 'door').equals(2)", "g")]
    whole = twice(cells)[1]
    assert "sesame" not in json.dumps(whole)
    assert whole["cells"][1]["stdout"] == "['open']\n"
    assert "hidden case (fresh input): a wrong value" in whole["checks"][0]["report"]
    assert "got       ['door', 'open']" in whole["checks"][1]["report"]
    assert [c["score"] for c in whole["checks"]] == [0.0, 0.0]


def test_an_end_of_iteration_ends_no_loop_of_the_checks():
    stop = "def f(x):\n    raise StopIteration"
    body = "check(len, list(map(f, [1, 2]))).equals(0)"
    assert only(stop, body)["score"] == 0.0
    assert only("def f(x):\n    return iter([1, 2])", "check(len, list(f(0))).equals(2)")["score"] == 4.0


def test_an_object_that_is_slow_to_look_at_costs_its_case(monkeypatch):
    monkeypatch.setattr(case, "SECONDS", 0.3)
    slow = "import time\nclass Slow:\n    def __getattribute__(self, name):\n        time.sleep(600)\n"
    found = only(f"{slow}def f(x):\n    return Slow()", limits=TimeLimits(cell=2.0, total=20.0))
    assert "no answer within" in found["report"] and found["seconds"] < 60
    found = only(
        f"{slow}def f(x):\n    x.append(Slow())", "check(f, [1]).equals(None)", limits=TimeLimits(cell=2.0, total=20.0)
    )
    assert found["score"] == 0.0 and found["seconds"] < 60


SAYS_ITS_DTYPE = "class Liar:\n    dtype, shape = 'torch.float64', (2,)\ndef f(x):\n    return Liar()"
TENSOR = "import torch\ndef f(x):\n    return torch.zeros(2, dtype=torch.float64)"
OF_A_DTYPE = "check(f, 1).holds(lambda v: str(v.dtype) == 'torch.float64', 'float64'{})"


def test_a_property_is_one_of_data():
    """An object that says its dtype had the case of float64; a check that asks for an object gets one."""
    assert only(SAYS_ITS_DTYPE, OF_A_DTYPE.format(""))["score"] == 0.0
    assert only("def f(x):\n    return [f]", "check(f, 1).holds(lambda v: len(v) == 1, 'one')")["score"] == 0.0
    assert only(SAYS_ITS_DTYPE, OF_A_DTYPE.format(", data=False"))["score"] == 4.0
    assert only(TENSOR, OF_A_DTYPE.format(""))["score"] == 4.0


WIPING = "def f(x):\n    x[:] = 0 * x\n    return x.sum()"
HONEST = "def f(x):\n    return x.sum()"
EXPECTED_LATE = [
    "check(lambda: f(x)).equals(float(x.sum()), dtype=None)",
    "check(lambda x=x: f(x)).holds(lambda v: v == x.sum(), 'the sum')",
    "found = f(x)\ncheck(lambda: found).equals(float(x.sum()))",
    "parts = [x, x + 1]\ncheck(lambda: f(parts[1])).equals(float(parts[1].sum()))",
]


@pytest.mark.parametrize(
    "library", ["import numpy as np\nx = np.arange(1.0, 4)", "import torch\nx = torch.arange(1.0, 4)"]
)
@pytest.mark.parametrize("body", EXPECTED_LATE)
def test_what_is_expected_is_not_the_students_to_change(body, library):
    """An answer that wipes what it is given had points where the check computed what to expect afterwards."""
    assert only(WIPING, f"{library}\n{body}")["score"] == 0.0
    assert only(HONEST, f"{library}\n{body}")["score"] == 4.0


def test_a_case_sees_what_is_changed_in_place_and_nothing_of_it_stays():
    body = """
import torch
from torch import nn
model, state = nn.Linear(2, 1), [1, [2]]
weights = model.weight.clone()
def kept():
    f(model, state)
    return [state, float(model.weight.detach().sum())]
check(kept).equals([[1, [2, 3], 4], 2.0])
check(lambda: state).equals([1, [2]])
check(lambda: model.weight).equals(weights)
"""
    answer = (
        "import torch\ndef f(model, state):\n    model.weight.data.fill_(1)\n    state[1].append(3), state.append(4)"
    )
    assert only(answer, body)["score"] == 4.0
    assert only("def f(model, state):\n    pass", body)["report"].startswith("f: 2 of 3")


def test_a_secret_changes_the_inputs_and_a_regrade_repeats_them():
    body = "check(f, int(check.rng.integers(10**9))).equals(None)"
    reports = [only("def f(x):\n    return x", body, secret=s)["report"] for s in ("a", "a", "b")]
    assert reports[0] == reports[1] != reports[2]


def test_random_draws_repeat_from_one_grading_to_the_next():
    draws = "[random.random(), numpy.random.rand(), torch.rand(1).item()]"
    answer = f"import random, numpy, torch\ndef f(x):\n    return {draws}"
    assert only(answer)["report"] == only(answer)["report"]


# A runner that dies, hangs, sends rubbish


def around(bad: str, **more) -> dict:
    """Judge a right answer, then a bad cell, then a check of another right answer in it."""
    first = [exercise("def g(x): return 2", "g"), check("check(g, 1).equals(2)", "g")]
    return forked([*first, exercise(f"{RIGHT}\n{bad}", "bad"), check(EQUALS_2)], **more)


SWALLOW = "import time\nwhile True:\n    try: time.sleep(600)\n    except BaseException: pass"


@pytest.mark.parametrize(
    ("bad", "status", "reason"),
    [
        ("import os; os._exit(0)", "died", "the process ended (in the cell bad)"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "died", "the process ended (in the cell bad)"),
        ("import os; os.closerange(3, 99)", "died", "the process ended (in the cell bad)"),
        ("import signal; signal.signal(14, 0)\n" + SWALLOW, "died", "the process ended"),
        (SWALLOW, "timeout", "no answer came in time (in the cell bad)"),
    ],
)
def test_what_was_earned_stays_and_the_guilty_cell_is_named(bad, status, reason):
    found = around(bad, limits=TimeLimits(cell=0.5, total=20, grace=0.5))
    assert [c["score"] for c in found["checks"]] == [4.0, 0.0]
    assert found["cells"][1]["status"] == status
    assert found["checks"][1]["reason"].startswith(reason)
    assert found["notes"][0].startswith(f"stopped: {reason}")


def test_an_endless_cell_that_can_be_stopped_costs_itself_only():
    found = around("while True: pass", limits=TimeLimits(cell=0.3, total=20, grace=2))
    assert found["cells"][1]["status"] == "timeout"
    assert [c["score"] for c in found["checks"]] == [4.0, 4.0]  # what stands before the loop was defined


def test_cells_after_the_end_are_not_run():
    cells = [exercise("import os; os._exit(1)", "a"), exercise("x = 1", "b"), check(EQUALS_2)]
    found = forked(cells)
    assert [c["status"] for c in found["cells"]] == ["died", "not run"]


TWO_CASES = "check(f, 0).equals(2)\ncheck(f, 1).equals(2)\ncheck(f, 0).equals(2)"


@pytest.mark.parametrize(
    ("deed", "words", "score"),
    [
        ("while True: pass", "never ends", 4 / 9),
        (SWALLOW.replace("\n", "\n        "), "never ends", 4 / 9),
        ("import os; os._exit(0)", "RunnerGone: the process ended", 4 / 9),
    ],
    ids=["endless", "endless and deaf", "ends"],
)
def test_a_call_that_ends_it_all_keeps_the_cases_before(monkeypatch, deed, words, score):
    monkeypatch.setattr("helpers.checks.case.SECONDS", 2.0)
    found = only(f"def f(x):\n    if x:\n        {deed}\n    return 2", TWO_CASES)
    assert words in found["report"]
    assert found["score"] == pytest.approx(score, abs=0.01)


def test_the_time_for_all_cells_is_bounded():
    sleeps = [exercise("import time\ntime.sleep(0.4)", f"s{i}") for i in range(300)]  # two minutes
    found = forked([*sleeps, exercise(RIGHT), check(EQUALS_2)], limits=TimeLimits(cell=1, total=1.0, grace=0.2))
    assert found["seconds"] < 60
    assert "the time for all cells (1 s) was used up" in found["checks"][0]["reason"]


SLEEPS = "import time\ndef f(x):\n    time.sleep(0.5)\n    return 2"


@pytest.mark.skipif(not hasattr(socket, "SO_PASSCRED"), reason="the kernel tells nothing of the other side")
@pytest.mark.parametrize("answer", [SLEEPS, "import os, signal\ndef f(x): os.kill(os.getpid(), signal.SIGSTOP)"])
def test_answers_may_not_sleep_without_end(answer):
    calls = "\n".join(["check(f, 1).equals(2)"] * 40)
    checks = [exercise(answer), check(calls), exercise("def g(x): return 2", "g"), check("check(g, 1).equals(2)", "g")]
    found = forked(checks, limits=TimeLimits(cell=60, total=600, idle=1.0))
    assert 1.0 <= found["seconds"] < 15
    assert found["idle_left"] <= 0 and found["stopped"] == "" and not found["starved"]
    assert all("its answers slept too long in all" in verdict["reason"] for verdict in found["checks"])


def test_a_runner_that_had_no_turn_is_told_from_one_that_sleeps(monkeypatch):
    monkeypatch.setattr(Runner, "processor", lambda self: 0.0)
    ours, _theirs = socket.socketpair()
    for sleeps in (True, False):
        monkeypatch.setattr(Runner, "sleeps", lambda self, sleeps=sleeps: sleeps)
        conversation = Conversation(Channel(ours), 10, grace=0.5, idle=5.0)
        with pytest.raises(RunnerGone):
            conversation.ask({"op": "cell"}, [], 0.1)
        assert conversation.starved is not sleeps
        assert (conversation.idle_left < 5.0) is sleeps
        ours, _theirs = socket.socketpair()


def test_a_check_that_asks_after_the_end_gets_no_points():
    found = only(
        "import os\nclass f:\n    def __init__(self, x): pass\n    g = property(lambda s: os._exit(0))", "f(1).g"
    )
    assert (found["score"], found["reason"]) == (0.0, "the process ended")


def answering(reply, buffers=()):
    """Return a runner that gives the same reply to every request but the first cell."""

    def run(channel):
        while True:
            header, _ = channel.receive()
            good = {"ok": True, "stdout": "", "error": None}
            channel.send(good if header["op"] == "cell" else reply, buffers)

    return run


def pouring(data: bytes):
    """Return a runner that sends raw bytes without end, whatever is asked."""

    def run(channel):
        channel.receive()
        while True:
            channel.sock.sendall(data)

    return run


HANDLE = {"is": "handle", "id": 1, "kind": "function"}
RUNNERS = {
    "nothing in it": answering({}),
    "an error of no make": answering({"error": 7}),
    "an error without types": answering({"error": {"types": 3, "message": ["x"], "line": "1", "text": None}}),
    "an error that looks like time": answering({"error": {"types": ["CaseTimeout"]}}),
    "a name error": answering({"error": {"types": ["builtins.NameError"], "message": "no"}}),
    "a value of no make": answering({"value": {"is": "object", "at": 0}}, [b"cos\nsystem\n."]),
    "a pickle as bytes": answering({"value": {"is": "bytes", "at": 0}}, [b"cos\nsystem\n."]),
    "a handle of no number": answering({"value": {"is": "handle", "id": "7"}}),
    "a handle below zero": answering({"value": {"is": "handle", "id": -1}}),
    "handles with odd names": answering(
        {
            "value": {
                "is": "handle",
                "id": 1,
                "kind": "function",
                "name": "<script>" * 99,
                "type": "a b",
                "parameters": 7,
            }
        }
    ),
    "a handle that says it is 2": answering({"value": {"is": "handle", "id": 1, "type": "int", "kind": ["function"]}}),
    "changes of no arguments": answering({"value": 2, "after": [[99, 1], ["nobody", 2], [-1, 3]]}),
    "changes of no make": answering({"value": 2, "after": 7}),
    "a callback never handed out": answering({"op": "callback", "id": 1, "args": [], "kwargs": {}}),
    "a callback of no make": answering({"op": "callback", "id": [], "args": 3}),
    "a nested value": answering({"value": {"is": "list", "items": [{"is": "list", "items": 3}]}}),
    "zeros": pouring(bytes(1 << 16)),
    "small headers": pouring(b"\x00\x00\x00\x02\x00\x00\x00\x00{}"),
    "endless header": pouring(b"\x00\x7f\xff\xff\x00\x00\x00\x00" + b"[" * 60_000),
    "rubbish": pouring(bytes(range(256)) * 100),
    "silence": lambda channel: time.sleep(600),
    "gone": lambda channel: None,
}


@pytest.mark.parametrize("name", RUNNERS)
def test_a_hostile_runner_earns_nothing_and_costs_little(name, monkeypatch):
    monkeypatch.setattr("helpers.checks.case.SECONDS", 0.3)
    started = time.monotonic()
    body = "check(f, 1).equals(3)\ncheck(f, [1]).equals([2, 2])\ncheck(f, lambda: 1).equals('x')"
    cells = [exercise(RIGHT), check(body), check("check(len(f), 1).equals(3)\ncheck(list, f).equals([1])", "g")]
    found = forked(cells, limits=TimeLimits(cell=0.3, total=3, grace=0.2), runner=RUNNERS[name])
    assert [c["score"] for c in found["checks"]] == [0.0, 0.0]
    assert time.monotonic() - started < 300  # some are silent for 600
    json.dumps(found, allow_nan=False)


# What the check hands out


def test_a_callback_of_an_earlier_check_is_of_no_use():
    keep = "kept = []\ndef f(x, function=None):\n    kept.append(function)\n    return kept[0](x)"
    cells = [exercise(keep), check("check(f, 1, lambda v: v + 1).equals(2)"), check("check(f, 1).equals(2)", "g")]
    found = forked(cells)["checks"]
    assert [c["score"] for c in found] == [4.0, 0.0]
    assert "the function that was handed in raised KeyError" in found[1]["report"]


def test_what_a_callback_raises_is_not_told():
    answer = "def f(g):\n    try:\n        g(1)\n    except Exception as error:\n        return str(error)"
    body = "def g(v):\n    raise ValueError('the answer is 42')\ncheck(f, g).equals('')"
    assert "42" not in only(answer, body)["report"].replace("'the answer is 42'", "x")
    assert "the function that was handed in raised ValueError" in only(answer, body)["report"]


def test_callbacks_without_end_are_ended(monkeypatch):
    monkeypatch.setattr("autograder.judge.conversation.MAX_CALLBACKS", 50)
    found = only("def f(g):\n    while True: g(1)", "check(f, lambda v: v).equals(1)")
    assert (found["score"], found["reason"]) == (0.0, "the answer could not be read: " + ENDLESS)


ENDLESS = "the functions that were handed in are called without end"


def test_calls_within_calls_come_to_an_end():
    found = only("def f(g):\n    return g()", "def g():\n    return f(g)\ncheck(f, g).equals(1)")
    assert found["score"] == 0.0


def test_a_time_limit_around_a_callback_does_not_tear_a_message(monkeypatch):
    monkeypatch.setattr("helpers.checks.case.SECONDS", 2.0)
    answer = "def f(g):\n    while True:\n        g(1)"
    found = only(answer, "check(f, lambda v: v).equals(1)\ncheck(len, [1, 2]).equals(2)")
    assert "never ends" in found["report"]
    found = forked([exercise(answer), check("check(f, lambda v: v).equals(1)"), exercise(RIGHT), check(EQUALS_2)])
    assert [c["score"] for c in found["checks"]] == [0.0, 4.0]


# Proxies


def remote(source: str, name: str, use):
    """Run a cell in a runner and use the proxy of one of its names."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if not child:
        ours.close()
        serve(Channel(theirs))
        os._exit(0)
    theirs.close()
    conversation = Conversation(Channel(ours), 10)
    try:
        conversation.ask({"op": "cell", "id": "x", "source": source, "seconds": 5}, [], 5)
        return use(Names(conversation)[name])
    finally:
        conversation.end("done")
        os.waitpid(child, 0)


ODD = "class Odd:\n    def __getattr__(self, name): return 7\nodd = Odd()"


@pytest.mark.parametrize("name", ["__array__", "__class_getitem__", "__torch_function__", "__reduce__x", "_Remote__no"])
def test_names_with_two_underscores_are_not_asked_for(name):
    with pytest.raises(AttributeError):
        remote(ODD, "odd", lambda odd: getattr(odd, name))
    assert remote(ODD, "odd", lambda odd: odd.plain) == 7


@pytest.mark.parametrize("use", [pickle.dumps, bool, lambda o: o == 7, lambda o: setattr(o, "x", 1), float, abs])
def test_what_a_proxy_does_not_do(use):
    with pytest.raises((TypeError, AttributeError)):
        remote(ODD, "odd", use)


def test_a_proxy_is_one_object_for_as_long_as_it_lives_and_is_forgotten_then():
    source = "class A:\n    def me(self): return self\na = A()\nimport gc"
    assert remote(source, "a", lambda a: a.me() is a and a.me() == a and hash(a.me()) == hash(a))

    def many(a):
        for _ in range(200):
            a.me()
        return a._Remote__conversation.remotes, len(a._Remote__conversation.remotes)

    assert remote(source, "a", many)[1] <= 2


# What would cost the judge


def test_a_check_that_takes_too_long_is_ended_and_the_next_is_judged():
    cells = [exercise(RIGHT), check("check(f, 1).equals(2)\nwhile True: pass", "g"), check(EQUALS_2)]
    found = forked(cells, limits=TimeLimits(cell=2, check=0.3, total=20))["checks"]
    assert [(c["score"], c["reason"]) for c in found] == [(0.0, "the check took too long"), (4.0, "")]


def test_a_limit_within_a_limit_leaves_the_outer_one():
    with pytest.raises(case.CaseTimeout), case.limit(0.2):
        with case.limit(5):
            pass
        while True:
            pass


LARGE = ["[0.5] * 400_000", "[[1]] * 20_000", "[f] * 20_000", "'x' * 10**7", "np.zeros((4000, 1000))", "[1] * 10**7"]
LARGE += ["scipy.sparse.csr_matrix((10**9, 10**9))", "{i * (2**61 - 1): 1 for i in range(3000)}", "[()] * 10**6"]


@pytest.mark.parametrize("value", LARGE)
def test_a_large_value_is_a_wrong_answer_that_costs_seconds_at_most(value):
    started = sum(os.times()[:4])  # processor time, its fork's with it
    near = "near={'a': [1, 2], 'b': [[1.0, 3]], 'c': 3, 'd': ValueError}"
    answer = f"import numpy as np, scipy.sparse\ndef f(x):\n    return {value}"
    found = only(answer, f"check(f, 1).equals([1, 3], {near})")
    assert found["score"] == 0.0
    assert len(found["report"]) < 2000
    assert sum(os.times()[:4]) - started < 20


def test_a_cell_that_cannot_be_sent_costs_itself_only():
    odd = [exercise("x = 1 #" + "y" * (2 << 20), "a"), exercise("x = '\ud800'", "b")]
    found = forked([*odd, exercise(RIGHT), check(EQUALS_2)])
    assert [c["status"] for c in found["cells"]] == ["not run", "ok", "ok"]
    assert found["checks"][0]["score"] == 4.0


def given(source, name="given-01"):
    return nbformat.v4.new_code_cell(source, id=name, metadata=cell_marks.to_metadata("given", {}, name))


MEASURE = "import math as m\n\ndef measured(function):\n    return helper(function)\n\ndef helper(function):\n"
MEASURE += "    return m.floor(function(1))\n\nLIST = [1]"
MEASURED = "check(measured, f).equals(5)"


@pytest.mark.parametrize(
    "lie",
    [
        "measured = lambda function: 5",
        "helper = lambda function: 5",
        "class m:\n    floor = lambda value: 5",
        "measured = lambda function: 5\nget_ipython().run_cell = lambda *a, **k: None",
        "shell = get_ipython()\nshell.user_ns = dict(shell.user_ns, measured=lambda function: 5)",
        "",
    ],
)
def test_given_functions_that_a_check_relies_on_are_the_given_ones(lie):
    """By a `memory_of` of one's own 5.0 of 6 points became 5.5."""
    for value, score in ((7, 0.0), (5, 4.0)):
        cells = [given(MEASURE), exercise(f"def f(x):\n    return {value}\n{lie}"), check(MEASURED)]
        assert forked(cells)["checks"][0]["score"] == score


def test_what_given_cells_compute_is_not_computed_again():
    cells = [given("runs = [1]\n\ndef count():\n    runs.append(1)\n    return len(runs)")]
    cells += [exercise("import math\ncount()"), check("check(count).equals(3)"), exercise("math.pi", "g")]
    assert forked(cells)["checks"][0]["score"] == 4.0


HUNGRY = {
    "the runner": "def f(x):\n    end = clock() + 0.1\n    while clock() < end: pass\n    return x + 1",
    "the judge": "def f(x):\n    return [[v] for v in range(30_000)]",
}


@pytest.mark.parametrize("who", HUNGRY)
def test_the_processor_time_of_all_checks_is_bounded(who):
    cells = [exercise("from time import process_time as clock\n" + HUNGRY[who])]
    cells += [check("for number in range(5):\n    check(f, number).equals(number + 1)", f"c{i}") for i in range(8)]
    limits = TimeLimits(cell=60, check=600, total=600, processor=1.5)
    started = time.process_time()
    checks = forked(cells, limits=limits)["checks"]
    assert time.process_time() - started < 12
    assert [c["reason"] for c in checks][-1] == "the processor time for judging was used up"
    assert (checks[0]["score"], checks[-1]["score"]) == (4.0 if who == "the runner" else 0.0, 0.0)


def test_sleeping_takes_no_processor_time():
    """The honest twin: slow because the machine is busy."""
    slow = exercise("import time\ndef f(x):\n    time.sleep(0.2)\n    return x + 1")
    checks = [check("for number in range(5):\n    check(f, number).equals(number + 1)", f"c{i}") for i in range(3)]
    found = forked([slow, *checks], limits=TimeLimits(cell=60, check=600, total=600, processor=2.0))["checks"]
    assert [c["score"] for c in found] == [4.0, 4.0, 4.0]
