"""The test cells of what others wrote for nbgrader: judged outside, on data; unproved ones in the student's process."""

import base64
import os
import socket
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch

from autograder.cell_marks import HIDDEN
from autograder.execution.continuation import to_the_end
from autograder.ipc.channel import Channel
from autograder.jobs import Job, JobCell, JobLimits
from autograder.judge import own_names, test_runs
from autograder.judge.judge import TimeLimits, judge
from autograder.judge.server import cells_of
from autograder.judge.test_cells import compiled, score_of
from autograder.runner.answer_loop import serve

LIMITS = JobLimits(20.0, 100.0, processor=60.0)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a runner is a fork of this process")


@pytest.fixture(autouse=True)
def one_thread():
    """A fork of a process whose thread pool has run would hang in its first product."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return what runs a job, each time in a new runner whose folder is empty."""
    seen = []

    def once(job: Job):
        seen.append(job.way)
        folder = tmp_path / f"runner-{len(seen)}"
        folder.mkdir()
        ours, theirs = socket.socketpair()
        child = os.fork()
        if not child:
            try:
                ours.close()
                os.chdir(folder)
                serve(Channel(theirs))
            finally:
                os._exit(0)
        theirs.close()
        limits = TimeLimits(cell=job.limits.cell, total=job.limits.total, processor=60.0)
        try:
            return judge(Channel(ours), cells_of(job), limits, "", None, job.ended, job.way, job.files)
        finally:
            os.kill(child, 9)
            os.waitpid(child, 0)

    def whole(job: Job):
        return test_runs.verdict_of(job, lambda part: to_the_end(part, once))

    whole.seen = seen
    return whole


def job(*cells, files=None, answers=None) -> Job:
    """Return a job: plain text is a student's cell, (text, proof) or (text, proof, own) a test of one point.

    answers: the names that the instructor's answers make; without it those that the student's cells make.
    """
    made = []
    answers = answers or own_names.of_answers([cell for cell in cells if isinstance(cell, str)], [])
    for number, cell in enumerate(cells):
        if isinstance(cell, str):
            made.append(JobCell(f"cell-{number}", "exercise", cell))
        else:
            source, proof, own = (*cell, ())[:3]
            made.append(JobCell(f"test-{number}", "check", source, 1.0, proof, tuple(own), tuple(answers)))
    coded = {name: base64.b64encode(text.encode()).decode() for name, text in (files or {}).items()}
    return Job("ps1", "ada", "", "", LIMITS, tuple(made), files=coded)


def scores(verdict) -> list[float]:
    return [check.score for check in verdict.checks]


SQUARES = "def squares(n):\n    return [i ** 2 for i in range(1, n + 1)]"
TEST = ("assert squares(3) == [1, 4, 9]\nassert squares(1) == [1]", "proved")


def test_a_right_answer_earns_all_and_a_wrong_one_reads_the_line_and_both_values(run):
    assert scores(run(job(SQUARES, TEST))) == [1.0]
    (check,) = run(job(SQUARES.replace("1, n", "0, n"), TEST)).checks
    assert check.score == 0.0
    assert check.report.splitlines() == [
        "test-1: 0 of 1 points",
        "line 1: assert squares(3) == [1, 4, 9]",
        "  left:  [0, 1, 4, 9]",
        "  right: [1, 4, 9]",
    ]


def test_an_error_of_the_answer_is_told_with_its_line(run):
    (check,) = run(job("def squares(n):\n    return 1 / 0", TEST)).checks
    assert "ZeroDivisionError: division by zero (line 2 of the answer: return 1 / 0)" in check.report


def test_the_words_of_an_assert_are_told(run):
    (check,) = run(job("x = 3", ("assert x == 4, 'x is the number of legs'", "proved"))).checks
    assert check.report.splitlines()[-3:] == ["  left:  3", "  right: 4", "  x is the number of legs"]


@pytest.mark.parametrize(
    "cheat",
    [
        "class Same:\n    def __eq__(self, other):\n        return True\n    def __bool__(self):\n        return True\n"
        "def squares(n):\n    return Same()",
        "import builtins\nbuiltins.AssertionError = StopIteration\ndef squares(n):\n    raise StopIteration",
        "def squares(n):\n    raise SystemExit(0)",
        "get_ipython().input_transformers_cleanup.append(lambda lines: ['pass\\n'])\ndef squares(n):\n    return None",
        "import os\ndef squares(n):\n    os._exit(0)",
        "class L(list):\n    def __eq__(self, other):\n        return True\ndef squares(n):\n    return L()",
        "_compared_ = lambda *_: True\ndef squares(n):\n    return 0",
    ],
    ids=["equal", "builtins", "exit", "transformer", "ends", "list", "name"],
)
def test_nothing_but_data_earns_a_point(run, cheat):
    assert scores(run(job(cheat, TEST, answers=["squares"]))) == [0.0]


def test_tests_share_their_names_and_fetch_the_students_anew(run):
    first = ("import math\ndef near(a, b):\n    return math.isclose(a, b)\nassert near(f(1), 1)", "proved")
    second = ("assert near(f(2), 4)", "proved")
    assert scores(run(job("def f(x):\n    return x", first, "def f(x):\n    return x * x", second))) == [1.0, 1.0]


def test_a_helper_of_the_tests_is_never_the_students(run):
    first = ("def near(a, b):\n    return abs(a - b) < 1e-9\nassert near(f(1), 1)", "proved")
    second = ("assert near(f(2), 4)", "proved")
    cheat = "def f(x):\n    return 1\ndef near(a, b):\n    return True\nabs = lambda x: 0"
    assert scores(run(job(cheat, first, cheat, second, answers=["f"]))) == [1.0, 0.0]


def test_what_the_instructors_cells_import_is_imported_by_the_judge(run):
    test = ("np.testing.assert_allclose(half(3.0), 1.5)", "proved", ["import numpy as np"])
    assert scores(run(job("def half(x):\n    return x / 2", test))) == [1.0]
    cheat = "import numpy as np\nnp.testing.assert_allclose = lambda *_, **__: None\ndef half(x):\n    return x"
    assert scores(run(job(cheat, test, answers=["half"]))) == [0.0]


def test_the_state_of_pyplot_is_the_students_and_each_cell_begins_with_a_figure_of_its_own(run):
    draw = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.plot([2, 1])\nax = plt.gca()"
    test = ("assert len(ax.lines) == 2", "proved", ["import matplotlib.pyplot as plt"])
    again = ("draw()\nassert len(plt.gca().lines) == 1", "proved", ["import matplotlib.pyplot as plt"])
    found = run(job(draw, test, "def draw():\n    plt.plot([1, 2, 3])", again))
    assert scores(found) == [1.0, 1.0]
    assert own_names.of_instructor([("import matplotlib.pyplot as plt", False)], []) == []


def test_the_instructors_files_are_beside_the_tests_and_beside_the_answers(run, tmp_path):
    files = {"numbers/data.txt": "1 2 3", "wordy.py": "def shout(word):\n    return word.upper()\n"}
    answer = "from wordy import shout\nnumbers = [int(w) for w in open('numbers/data.txt').read().split()]"
    tests = (
        ("assert numbers == [1, 2, 3]", "proved"),
        ("assert shout('a') == 'A'", "proved", ["from wordy import shout"]),
    )
    assert scores(run(job(answer, *tests, files=files))) == [1.0, 1.0]


@pytest.mark.parametrize("name", ["helpers", "tests", "autograder", "numpy"])
def test_a_file_beside_the_notebook_goes_before_a_package_of_its_name(run, name):
    files = {f"{name}.py": "def double(x):\n    return 2 * x\n"}
    answer = f"from {name} import double\ndef four(x):\n    return double(double(x))"
    assert scores(run(job(answer, ("assert four(1) == 4", "proved"), files=files))) == [1.0]


def test_names_that_a_test_asks_for_are_there(run):
    test = ("assert 'vec' in dir() and 'other' not in globals()", "proved")
    assert scores(run(job("vec = [1]", test))) == [1.0]
    assert scores(run(job("other = [1]", test))) == [0.0]


def test_a_number_in_the_last_line_is_the_score():
    assert [score_of(value, 4.0) for value in (None, 3, 2.5, 9, -1, float("nan"), True, "2")] == [
        4.0, 3.0, 2.5, 4.0, 0.0, 0.0, 4.0, 4.0,
    ]  # fmt: skip


def test_partial_points_are_given(run):
    test = ("points = 0\nif f(1) == 1:\n    points += 0.5\nif f(2) == 4:\n    points += 0.5\npoints", "proved")
    assert scores(run(job("def f(x):\n    return x", test))) == [0.5]


WITH_HIDDEN = (
    "assert squares(1) == [1]\n### BEGIN HIDDEN TESTS\nassert squares(2) == [1, 4], 'secret'\n### END HIDDEN TESTS",
    "proved",
)


def test_of_hidden_parts_only_that_they_fail_is_told(run):
    assert scores(run(job(SQUARES, WITH_HIDDEN))) == [1.0]
    (check,) = run(job("def squares(n):\n    return [1]", WITH_HIDDEN)).checks
    assert check.score == 0.0
    assert check.report.splitlines() == ["test-1: 0 of 1 points", test_runs.HIDDEN_FAILS]


def test_hidden_inputs_are_in_no_run_of_which_words_are_told(run):
    keeps = "seen = []\ndef squares(n):\n    seen.append(n)\n    return [1]"
    found = run(job(keeps, WITH_HIDDEN, "print('seen', seen)"))
    assert run.seen == ["shown", "hidden"]
    assert [cell.stdout for cell in found.cells] == ["", "seen [1]\n"]


def test_what_fails_in_the_open_is_not_asked_in_hiding(run):
    run(job("def squares(n):\n    return []", WITH_HIDDEN))
    assert run.seen == ["shown"]


USES = (
    "kept = squares\ndel squares\ntry:\n    total(2)\nexcept NameError:\n    pass\nelse:\n    raise AssertionError\n"
    "squares = kept",
    "unproved",
)


def test_an_unproved_test_runs_beside_the_answer_and_its_points_say_so(run):
    total = "def total(n):\n    return sum(squares(n))"
    (check,) = run(job(SQUARES, total, USES)).checks
    assert (check.score, check.proof) == (1.0, "unproved")
    assert check.report == "test-2: 1 of 1 points, unproved"
    (check,) = run(job(SQUARES, "def total(n):\n    return 5", USES)).checks
    assert (check.score, check.proof) == (0.0, "unproved")


def test_an_unproved_test_is_compiled_outside(run):
    transformer = "get_ipython().input_transformers_cleanup.append(lambda lines: ['pass\\n'])"
    visitor = (
        "import ast\nclass No(ast.NodeTransformer):\n    def visit_Assert(self, node):\n"
        "        return ast.copy_location(ast.Pass(), node)\nget_ipython().ast_transformers.append(No())"
    )
    assert scores(run(job(transformer, "x = 1", ("assert x == 2", "unproved")))) == [0.0]
    assert scores(run(job(visitor, "x = 1", ("assert x == 2", "unproved")))) == [0.0]


def test_a_locked_cell_is_run_as_it_was_written(run):
    transformer = "get_ipython().input_transformers_cleanup.append(lambda lines: ['pass\\n'])"
    taken = ("assert 'spare' not in dir()", "proved")
    cells = [*job(transformer).cells, JobCell("given", "given", "spare = [0]"), *job("x = 1", taken).cells[1:]]
    assert scores(run(Job("ps1", "ada", "", "", LIMITS, tuple(cells)))) == [0.0]
    cells[2:2] = [JobCell("del", "exercise", "get_ipython().input_transformers_cleanup.clear()\ndel spare")]
    assert scores(run(Job("ps1", "ada", "", "", LIMITS, tuple(cells[1:])))) == [1.0]


def test_magics_in_a_test_are_no_mistake(run):
    assert scores(run(job("x = 1", ("%time\nassert x == 1", "unproved")))) == [1.0]


def test_a_process_that_ends_costs_its_own_test_alone(run):
    helper = ("def same(a, b):\n    return a == b\nassert same(f(), 1)", "proved")
    ends = ("assert g() == 1", "proved")
    after = ("assert same(h(), 3)", "proved")
    answers = "def f():\n    return 1", "import os\ndef g():\n    os._exit(1)", "def h():\n    return 3"
    assert scores(run(job(answers[0], helper, answers[1], ends, answers[2], after))) == [1.0, 0.0, 1.0]


def test_each_notebook_has_a_process_of_its_own(run):
    cells = [
        JobCell("one--x", "exercise", "x = 1", notebook="one"),
        JobCell("one--t", "check", "assert x == 1", 1.0, "proved", answers=("x",), notebook="one"),
        JobCell("two--t", "check", "assert x == 1", 1.0, "proved", answers=("x",), notebook="two"),
    ]
    found = run(Job("ps1", "ada", "", "", LIMITS, tuple(cells)))
    assert [check.id for check in found.checks] == ["one--t", "two--t"] and scores(found) == [1.0, 0.0]


def test_a_class_with_asserts_in_a_test_is_compiled(run):
    test = (
        "class Case:\n    def check(self):\n        assert x == 1\nCase().check()",
        "proved",
    )
    assert scores(run(job("x = 1", test))) == [1.0]
    assert compiled(test[0], "a test")[1] is not None


def test_the_markers_of_hidden_tests_are_nbgraders():
    assert HIDDEN.sub("", WITH_HIDDEN[0]).strip() == "assert squares(1) == [1]"


# What is a right answer only by its name


@pytest.mark.parametrize(
    ("cheat", "test", "own"),
    [
        ("expected = [0]", "assert f(3) == expected[0]", ["expected = [9]"]),
        ("def same(a, b): pass", "same(f(3), 9)", ["def same(a, b):\n    assert a == b"]),
        ("def isclose(a, b): return True", "assert isclose(f(3), 9)", ["from math import *"]),
        ("def get_ipython(): return print", "%time assert f(3) == 9", []),
    ],
    ids=["data", "helper", "star", "magic"],
)
def test_of_the_student_are_the_names_alone_that_answers_make(run, cheat, test, own):
    assert scores(run(job(f"{cheat}\ndef f(x): return 0", (test, "proved", own), answers=["f"]))) == [0.0]
    if own:
        assert scores(run(job("def f(x): return x * x", (test, "proved", own)))) == [1.0]


def test_a_helper_of_a_test_that_failed_before_is_made_all_the_same(run):
    first = ("assert f(1) == 2\ndef near(a, b):\n    return abs(a - b) < 1e-9", "proved")
    second = ("assert near(g(2), 4)", "proved")
    right = "def g(x): return x * x"
    assert scores(run(job("def f(x): return 0", right, first, second))) == [0.0, 1.0]
    cheat = "def g(x): return 0\ndef near(a, b): return True"
    assert scores(run(job("def f(x): return 0", cheat, first, second, answers=["f", "g"]))) == [0.0, 0.0]


def test_an_import_finds_what_the_instructors_cells_say(run, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "far_away.py").write_text("def same(a, b):\n    assert a == b\n", encoding="utf-8")
    own = ["import sys", f"sys.path.append({str(tmp_path)!r})", "from far_away import same"]
    test = ("same(f(3), 9)", "proved", own)
    assert scores(run(job("def f(x): return x * x", test))) == [1.0]
    assert scores(run(job("def same(a, b): pass\ndef f(x): return 0", test, answers=["f"]))) == [0.0]


def test_an_answer_with_the_name_of_a_builtin_is_the_students(run):
    test = ("assert max([1, 3, 2]) == 3", "proved")
    assert scores(run(job("def max(values): return sorted(values)[-1]", test))) == [1.0]
    assert scores(run(job("def max(values): return 0", test))) == [0.0]


def test_what_an_answer_changes_in_place_is_the_students():
    others = ["import numpy as np\nrow = [2, 1]\ntable = {}\nlimit = 3", "import matplotlib.pyplot as plt"]
    answer = "np.random.seed(1)\nrow.sort()\ntable['a'] = [i for i in row]\nplt.plot(row)\n"
    answer += "def g():\n    global seen\n    seen = 1\n    limit.append(1)\ndel gone"
    names = own_names.of_answers([answer], others)
    assert names == ["g", "gone", "plt", "row", "seen", "table"]
    own = own_names.of_instructor([(others[0], False), (others[1], False), (answer, True)], names)
    assert own == ["import numpy as np", "limit = 3"]
    assert own_names.of_answers(["%%time\ntotal = sum(range(3))"], []) == ["total"]


EMPTY = "import numpy as np\ndef f(x):\n    return np.zeros((0, 3))"


@pytest.mark.parametrize(
    "test",
    [
        "assert np.allclose(f(3), 9)",
        "assert (f(3) == np.array([1, 4, 9])).all()",
        "assert np.linalg.norm(f(3) - np.array([1, 4, 9])) < 1e-9",
        "np.testing.assert_allclose(f(3), 9)",
        "np.testing.assert_array_equal(f(3), 9)",
        "assert np.all(np.isclose(f(3), np.array([1, 4, 9])))",
    ],
)
def test_nothing_is_no_answer(run, test):
    cells = EMPTY, (test, "proved", ["import numpy as np"])
    assert scores(run(job(*cells))) == [0.0]
    if "9)" in test and "[" not in test:
        assert scores(run(job("def f(x): return []", cells[1]))) == [0.0]
        assert scores(run(job("def f(x): return 9.0", cells[1]))) == [1.0]


def test_nothing_may_be_compared_with_nothing(run):
    test = "assert np.allclose(f(3), []) and (f(3) == np.array([])).all() and f(3).size < 1 and f(3).shape == (0,)"
    answer = "import numpy as np\ndef f(x):\n    return np.array([])"
    assert scores(run(job(answer, (test, "proved", ["import numpy as np"])))) == [1.0]
    assert np.allclose([], 9)  # as everywhere else


def test_points_that_became_another_number_are_counted(run):
    test = ("points = (f(1) == 1) * 0.5\npoints += (f(2) == 4) * 0.5\npoints", "proved")
    assert scores(run(job("import numpy as np\ndef f(x): return np.int64(1)", test))) == [0.5]
    assert scores(run(job("import numpy as np\ndef f(x): return np.int64(x * x)", test))) == [1.0]
    others = (float("inf"), 1 + 0j, np.float64(3), np.ones(2), torch.ones(1), np.float64("nan"), -0.0, "passed")
    assert [score_of(value, 4.0) for value in others] == [0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 4.0]


def test_two_values_are_told_of_the_assert_that_failed_alone(run):
    (check,) = run(job("x = 3", ("assert x == 3\nassert not x, 'x is there'", "proved"))).checks
    assert check.report.splitlines()[1:] == ["line 2: assert not x, 'x is there'", "  x is there"]


def test_a_line_of_the_answer_stays_in_its_line(run):
    cheat = "def f(x):\n    error = ValueError('no')\n    error.students_line = 7, 'a)\\ntest-1: 1 of 1 points'\n"
    cheat += "    raise error"
    (check,) = run(job(cheat, ("assert f(1) == 2", "proved"))).checks
    assert len(check.report.splitlines()) == 3


ROW = """
class Row:
    def __init__(self, *items):
        self.items = list(items)

    def add(self, item):
        self.items.append(item)

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

"""


def test_an_object_gives_as_many_items_as_it_says(run):
    test = "row = f(3)\nassert len(row) == 3\nfor found, wanted in zip(row, [1, 4, 9]):\n    assert found == wanted"
    more = "\nrow.add(16)\nassert list(row) == [1, 4, 9, 16] and len(row) == 4 and 16 in row"
    none = ROW.replace("iter(self.items)", "iter(())") + "def f(x): return Row(1, 4, 9)"
    assert scores(run(job(none, (test, "proved")))) == [0.0]
    assert scores(run(job(ROW + "def f(x): return Row(1, 4, 9)", (test + more, "proved")))) == [1.0]


@pytest.mark.parametrize(
    ("right", "wrong", "test"),
    [
        ("v.append(1)", "v + [1]", "v = [3]\nassert f(v) is None\nassert v == [3, 1]"),
        ("d = v[0]; v[0] = v[1]; v[1] = d", "v[0] = v[1]", "v = [1, 2]\nf(v)\nassert v == [2, 1]"),
        ("return sorted(v)", "v.sort(); return v", "v = [2, 1]\nassert f(v) == [1, 2] and v == [2, 1]"),
        ("v[:] = 7", "return v + 7", "import numpy as np\nv = np.zeros(2)\nf(v)\nassert v[1] == 7"),
        ("v[0][0] = 9", "v[0] = [9]", "v = [[0, 1], [2]]\nrow = v[0]\nf(v)\nassert v[0] is row and row == [9, 1]"),
    ],
    ids=["list", "swap", "unchanged", "array", "nested"],
)
def test_what_an_answer_changes_of_its_arguments_stays_changed(run, right, wrong, test):
    answer = "def f(v):\n    {}".format
    assert scores(run(job(answer(right), (test, "proved")))) == [1.0]
    assert scores(run(job(answer(wrong), (test, "proved")))) == [0.0]


def test_a_call_without_end_is_no_error_that_a_test_expects(run):
    test = ("try:\n    f('a')\nexcept:\n    pass\nelse:\n    raise AssertionError", "proved")
    endless = replace(
        job("def f(x):\n    while True:\n        pass", test), limits=JobLimits(1.0, 60.0, processor=30.0)
    )
    (check,) = run(endless).checks
    assert check.score == 0.0 and "TimeoutError: a call of the answer's came to no end" in check.report
    assert scores(run(job("def f(x): return x - 1", test))) == [1.0]


def test_an_object_made_from_a_plain_type_is_compared_by_its_data(run):
    test = ("found = f(3)\nassert found == [1, 4, 9] and found[1:] == [4, 9] and [1, 4, 9] == f(3)", "proved")
    honest = "class Row(list):\n    def last(self):\n        return self[-1]\ndef f(x):\n    return Row([1, 4, 9])"
    assert scores(run(job(honest, test))) == [1.0]
    cheat = honest.replace("[1, 4, 9]", "[]").replace(
        "def last", "def __eq__(self, _):\n        return True\n    def last"
    )
    assert scores(run(job(cheat, test))) == [0.0]
    named = "from collections import namedtuple\nPair = namedtuple('Pair', 'a b')\ndef f(x):\n    return Pair(x, 2)"
    assert scores(run(job(named, ("assert f(1) == (1, 2) and f(3).a == 3", "proved")))) == [1.0]
    changed = ("found = f(3)\nfound.append(5)\nassert found == [1, 4, 9]", "proved")
    assert scores(run(job(honest, changed))) == [0.0]
