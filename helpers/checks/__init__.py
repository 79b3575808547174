"""The checks that teach: a check cell is one function of cases; its score is the cell's value.

from helpers.checks import graded

@graded("tf", points=7)
def score(check):
    check(term_frequency, ["a", "b", "a"], ["a", "b"]).equals([2, 1], near={"a set, not counts": [1, 1]})

score
"""

from helpers.checks.case import Case
from helpers.checks.check import Check, graded
from helpers.checks.compare import difference

__all__ = ["Case", "Check", "difference", "graded"]
