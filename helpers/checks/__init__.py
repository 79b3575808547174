"""The checks that teach: the cases of an exercise are one function; its score is the value of the check cell.

In a notebook the cell is `check("tf")`, and the cases lie in checks/tf.py beside it:

from helpers.checks import graded

@graded("tf", points=7)
def score(check):
    check(term_frequency, ["a", "b", "a"], ["a", "b"]).equals([2, 1], near={"a set, not counts": [1, 1]})

score

In: values that came from a student's functions. Out: a report and a score.
May import: errors, files, device.
"""

from helpers.checks.case import Case
from helpers.checks.cell import check
from helpers.checks.compare import difference
from helpers.checks.scoring import Check, graded

__all__ = ["Case", "Check", "check", "difference", "graded"]
