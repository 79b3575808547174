"""The checks that teach: one `Check` a check cell, one line a case, the score at the end.

    with Check("tf", points=7) as check:
        check(term_frequency, ["a", "b", "a"], ["a", "b"]).equals([2, 1], near={"a set, not counts": [1, 1]})
    check.score
"""

from helpers.checks.case import Case
from helpers.checks.check import Check
from helpers.checks.compare import difference

__all__ = ["Case", "Check", "difference"]
