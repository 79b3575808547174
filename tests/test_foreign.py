"""Assignments that others could have written: adopted, then graded, with what students hand in for them."""

import shutil
from dataclasses import dataclass

import pytest
from foreign import ASSIGNMENTS, source, stock, submissions
from quick_course import Here, pages

from autograder.adopted_table import PROVED, UNPROVED, Table
from autograder.adopting.proofs import adopt
from autograder.cell_marks import PERSON
from autograder.execution.dispatch import backend
from autograder.execution.results import Row
from autograder.gradebook import feedback_pages
from autograder.grading import grade

TESTS = {"arrays": 11, "charts": 5, "cipher": 5, "gates": 6, "loops": 13, "neuron": 6, "pictures": 4, "ps1": 5}
NOT_PROVED = {  # and why
    "charts": {"bars_kind": UNPROVED},  # the class of an object of matplotlib's that the student made
    "loops": {"Loops--t10": UNPROVED},  # what a function prints
    "neuron": {
        "notebook_solution--layer-test": UNPROVED,  # isinstance with the student's own class
        "notebook_solution--save-test": UNPROVED,  # a file that the student's function writes
        "notebook_solution--step-test": PERSON,  # the answer is handed out with the notebook
    },
    "pictures": {"Pictures--cut-pixels": UNPROVED},  # an array made of a picture that the student's function returns
    "ps1": {"problem1--sum-uses-cubes": UNPROVED},  # a name of the student's is deleted
}
BY_HAND = {
    "gates": {"Logic gates--universal": 2},
    "neuron": {"notebook_solution--step-test": 5},
    "pictures": {"Pictures--what-is-lost": 1},
    "ps1": {"problem1--formula": 1, "problem1--plot": 2, "problem2--why": 1, "problem2--draw-a-walk": 2},
}
each = pytest.mark.parametrize("name", ASSIGNMENTS)


@dataclass(frozen=True)
class Graded:
    """An assignment after `adopt` and `grade`: its table, and the row of each student."""

    table: Table
    rows: dict[str, Row]

    def scores(self, student: str, *proofs: str) -> dict[str, float]:
        """Return a student's points by test, of those test cells that are graded in one of some ways."""
        scores = self.rows[student].scores
        return {name: scores[name] for name, test in self.table.tests.items() if test.proof in proofs}

    def lost(self, student: str) -> dict[str, float]:
        """Return the points that a student lost, by test, of all that are graded by machine."""
        found = self.scores(student, PROVED, UNPROVED)
        lost = {name: self.table.tests[name].points - points for name, points in found.items()}
        return {name: points for name, points in lost.items() if points}


class Shared:
    """One worker for everything, which saves the start of others; its end is the caller's."""

    def __init__(self):
        self.worker = backend(None)()

    def run(self, job):
        """Return the result of a job."""
        return self.worker.run(job)

    def close(self):
        """Nothing to end yet."""


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> dict[str, Graded]:
    """One course with all assignments, adopted and graded; without pages of feedback."""
    course, worker, made = tmp_path_factory.mktemp("course"), Shared(), {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feedback_pages, "write_pages", pages)
        patch.setattr(grade, "Intake", Here)
        for name in ASSIGNMENTS:
            released = stock.release(tmp_path_factory.mktemp(name), name)
            shutil.copytree(source(name), course / "source" / name)
            submissions.write(course, name, released)
            table = adopt(course / "source" / name, course, lambda: worker).table
            rows = grade.grade(name, course, workers=1, backend=lambda: worker, say=lambda _: None)
            made[name] = Graded(table, {row.student: row for row in rows})
    worker.worker.close()
    return made


@each
def test_the_table_says_how_each_test_cell_is_graded(graded, name):
    tests = graded[name].table.tests
    assert len(tests) == TESTS[name]
    found = {cell: test.proof for cell, test in tests.items() if test.proof != PROVED}
    assert found == NOT_PROVED.get(name, {})
    assert all(test.why for test in tests.values() if test.proof != PROVED)
    assert graded[name].table.by_hand == BY_HAND.get(name, {})


def test_nearly_nine_in_ten_are_proved(graded):
    proofs = [test.proof for one in graded.values() for test in one.table.tests.values()]
    assert (proofs.count(PROVED), len(proofs)) == (48, 55)


@each
def test_right_work_has_all_points_and_none_has_none(graded, name):
    assert graded[name].lost("solved") == {}
    assert not any(graded[name].scores("stub", PROVED, UNPROVED).values())


@each
def test_a_wrong_answer_loses_the_right_test(graded, name):
    for number, mistake in enumerate(submissions.WRONG[name], 1):
        lost = {cell.rpartition("--")[2]: points for cell, points in graded[name].lost(f"wrong-{number}").items()}
        assert lost == mistake.loses


@each
@pytest.mark.parametrize("student", submissions.DAMAGED)
def test_damage_costs_nothing(graded, name, student):
    assert graded[name].lost(student) == {}


@each
@pytest.mark.parametrize("student", submissions.CHEATS)
def test_no_cheat_earns_a_point_in_a_proved_cell(graded, name, student):
    if student in submissions.kinds(name):
        assert not any(graded[name].scores(student, PROVED).values())


@each
def test_forged_points_change_nothing(graded, name):
    assert graded[name].lost("points-forged") == graded[name].lost("wrong-1")
