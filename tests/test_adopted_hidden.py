"""Hidden parts of the tests of others: however they are marked, no word of them is told and no right answer loses."""

import copy

import nbformat
import pytest
from nbformat import v4
from test_test_cells import one_thread, run  # noqa: F401 (fixtures)

from autograder import cell_marks
from autograder.adopted_table import PROVED
from autograder.adopting import source as sources
from autograder.adopting import template as templates
from autograder.adopting.proofs import LIMITS, adopt
from autograder.execution import result_cache, results

ANSWER = "### BEGIN SOLUTION\ndef square(x):\n    return x * x\n### END SOLUTION"


class Worker:
    """Runs jobs with the runner of the tests."""

    def __init__(self, run):  # noqa: F811
        self.verdict_of = run

    def run(self, job):
        """Return the result of a job."""
        return results.of(job, self.verdict_of(job), {}, 0.0)

    def close(self):
        """Nothing to end."""


@pytest.fixture
def adopted(tmp_path, run):  # noqa: F811
    """Return what adopts the test cells of a notebook with one answer, and what grades an answer to it."""

    def whole(*tests, config=""):
        cells = [("exercise", ANSWER), *(("check", text) for text in tests)]
        notebook = v4.new_notebook(cells=[_cell(number, *cell) for number, cell in enumerate(cells)])
        folder = tmp_path / "source" / "ps1"
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / "ps1.ipynb")
        (tmp_path / "nbgrader_config.py").write_text(f"c = get_config()\n{config}\n", encoding="utf-8")
        table = adopt(folder, tmp_path, lambda: Worker(run)).table
        read = sources.read(folder)
        template = templates.template(read, templates.released(read, tmp_path), table)

        def graded(answer):
            handed_in = copy.deepcopy(template)
            handed_in.cells[0].source = answer
            return Worker(run).run(result_cache.job("ps1", "ada", handed_in, LIMITS, "", ""))["checks"]

        return table, template, graded

    return whole


def _cell(number, kind, text):
    metadata = cell_marks.to_metadata(kind, {"points": 1.0}, f"c{number}")
    return v4.new_code_cell(text, metadata=metadata)


@pytest.mark.parametrize(
    ("marks", "config"),
    [
        (("### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"), ""),
        (("# BEGIN HIDDEN TESTS", "# END HIDDEN TESTS"), ""),
        (("pass  #### BEGIN HIDDEN TESTS of ours", "pass  # END HIDDEN TESTS"), ""),
        (
            ("# VEIL", "# UNVEIL NOW"),
            'c.ClearHiddenTests.begin_test_delimeter = "# VEIL"\nc.ClearHiddenTests.end_test_delimeter = "UNVEIL NOW"',
        ),
    ],
    ids=["ours", "one", "many", "own"],
)
def test_hidden_parts_are_known_by_nbgraders_rule(adopted, marks, config):
    test = f"assert square(1) == 1\n{marks[0]}\nassert square(7) == 49, 'seven'\n{marks[1]}"
    table, template, graded = adopted(test, config=config)
    assert table.tests["c1"].proof == PROVED and not table.tests["c1"].hidden
    assert cell_marks.visible(template.cells[1].source) == "assert square(1) == 1"
    (check,) = graded("def square(x): return 1")
    assert check["score"] == 0 and "seven" not in str(check) and "49" not in str(check)
    assert graded("def square(x): return x ** 2")[0]["score"] == 1


@pytest.mark.parametrize(
    "tests",
    [
        ["def test():\n    ### BEGIN HIDDEN TESTS\n    assert square(7) == 49\n    ### END HIDDEN TESTS\ntest()"],
        ["### BEGIN HIDDEN TESTS\nx, y = 7, 49\n### END HIDDEN TESTS\nassert square(x) == y"],
        [
            "assert square(3) == 9\n### BEGIN HIDDEN TESTS\nx, y = 7, 49\n### END HIDDEN TESTS",
            "assert square(x) == y",
        ],
    ],
    ids=["syntax", "names", "another"],
)
def test_a_test_that_does_not_run_without_what_is_hidden_is_hidden_as_a_whole(adopted, tests):
    table, template, graded = adopted(*tests)
    handed_out = cell_marks.visible(tests[-1])
    assert handed_out in cell_marks.handed_out(template.cells[-1])  # nobody is told to have changed it
    last = f"c{len(tests)}"
    assert (table.tests[last].proof, table.tests[last].hidden) == (PROVED, True)
    assert [check["score"] for check in graded("def square(x): return x ** 2")] == [1.0] * len(tests)
    wrong = graded("x, y = 2, 2\ndef square(x): return 9 if x == 3 else x")[-1]
    assert wrong["score"] == 0 and "49" not in str(wrong)


def test_why_a_test_is_left_to_a_person_tells_students_no_hidden_line(adopted):
    table, template, _ = adopted("pass\n### BEGIN HIDDEN TESTS\nassert square(7) == 48, 'seven'\n### END HIDDEN TESTS")
    assert table.tests["c1"].proof == cell_marks.PERSON and "seven" in table.tests["c1"].why
    assert "seven" not in str(template.cells[1].metadata)
