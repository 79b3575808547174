"""How much one grading tells of hidden tests at most: the bits in scores and in the lines on hidden cases.

    python -m tests.attacks.bits                    every chapter, in a minute or two
    python -m tests.attacks.bits 01_spam

A function that keeps its hidden inputs may fail on purpose. Of each kind of hidden case the student reads whether it
passes, else whether an error or a wrong value came; of each check up to two mistakes that explain most of them.
"""

import math
import sys
from contextlib import contextmanager

import nbformat

from autograder import marks, paths
from autograder.authoring import build
from autograder.cells import judged_cells, new_shell, run
from helpers.checks.case import Case
from helpers.checks.scoring import Check, finished

GENERAL = 28  # sentences of helpers.checks.diagnose and case that may stand in a line on a hidden case


@contextmanager
def remembered():
    """Let cases remember which mistakes they know."""
    before = Case.equals, Case.holds

    def remembering(method):
        def judge(self, expected, *args, near=None, **more):
            near = near if near is not None or method is before[1] or not args else args[0]
            self.printed = (*self.known, *((near() if callable(near) else near) or {}))
            return (
                method(self, expected, *args, near=near, **more) if not args else method(self, expected, *args, **more)
            )

        return judge

    Case.equals, Case.holds = map(remembering, before)
    try:
        yield
    finally:
        Case.equals, Case.holds = before


def of_chapter(chapter: str) -> dict[str, tuple[int, float]]:
    """Return (kinds of hidden cases, bits) of each exercise of a chapter, found by running its solutions."""
    source = nbformat.read(build.fresh(chapter), as_version=4)
    shell, found = new_shell(), {}
    with remembered():
        for cell in judged_cells(source.cells):
            finished.clear()
            run(shell, cell.source)
            if marks.from_metadata(cell) == "check" and finished:
                found[cell.id.removeprefix(marks.PREFIX["check"])] = of_check(finished.pop())
    return found


def of_check(check: Check) -> tuple[int, float]:
    """Return the number of kinds of hidden cases of one check, and their bits."""
    hidden = [(case.label or number, case.printed) for number, (case, hid) in enumerate(check.cases) if hid]
    kinds, known = {label for label, _ in hidden}, {words for _, names in hidden for words in names}
    mistakes = len(known) + GENERAL
    return len(kinds), len(kinds) * math.log2(3) + math.log2(1 + mistakes + math.comb(mistakes, 2))


def main() -> None:
    """Print the bound for each chapter."""
    for chapter in sys.argv[1:] or sorted(p.name for p in paths.SOLUTIONS.glob("[0-9]*")):
        found = of_chapter(chapter)
        kinds, bits = (sum(column) for column in zip(*found.values(), strict=True))
        print(f"{chapter}: {len(found)} exercises, {kinds} kinds of hidden cases, {bits:.0f} bits")


if __name__ == "__main__":
    main()
