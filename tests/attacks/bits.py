"""How much one grading tells of hidden tests at most: the bits in scores and in the lines on hidden cases.

    python -m tests.attacks.bits                    every chapter, in a minute or two
    python -m tests.attacks.bits 01_spam
    python -m tests.attacks.bits --write            every chapter, and the table into README.md

A function that keeps its hidden inputs may fail on purpose. Of each kind of hidden case the student reads whether it
passes, else whether an error or a wrong value came, and up to two of the check's known mistakes or the one general
diagnosis of the check. Nobody can choose all of this, since one answer must make each mistake: it is a bound. How the
kinds end is free to choose, and counted apart.
"""

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

import nbformat

from autograder import cell_marks, paths
from autograder.authoring import build
from autograder.authoring.readme import with_part
from autograder.cells import judged_cells, new_shell, run
from helpers.checks.case import Case
from helpers.checks.scoring import Check, finished

from . import table

BEGIN, END = "<!-- bits: made by python -m tests.attacks.bits -->", "<!-- end of bits -->"
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


def of_chapter(chapter: str) -> dict[str, tuple[int, float, float]]:
    """Return (kinds of hidden cases, bits of their ends, bits at most) of each exercise."""
    return {exercise: of_check(check) for exercise, check in checks(chapter)}


def checks(chapter: str) -> Iterator[tuple[str, Check]]:
    """Yield each exercise and its check, as it judged the solution; a case's `printed` is what may be said of it."""
    source = nbformat.read(build.fresh(chapter), as_version=4)
    shell = new_shell()
    with remembered():
        for cell in judged_cells(source.cells):
            finished.clear()
            run(shell, cell.source)
            if cell_marks.from_metadata(cell) == "check" and finished:
                yield cell.id.removeprefix(cell_marks.PREFIX["check"]), finished.pop()


def of_check(check: Check) -> tuple[int, float, float]:
    """Return the number of kinds of hidden cases of one check, the bits of how they end, and with their mistakes."""
    kinds = defaultdict(set)
    for number, (case, hidden) in enumerate(check.cases):
        if hidden:
            kinds[case.label or number] |= set(case.printed)
    bits = math.log2(1 + GENERAL) + sum(math.log2(outcomes(len(known))) for known in kinds.values())
    return len(kinds), len(kinds) * math.log2(3), bits


def outcomes(mistakes: int) -> int:
    """Return in how many ways one kind can end: passed, or failed in two ways, with up to two causes or the general."""
    return 1 + 2 * (2 + mistakes + math.comb(mistakes, 2))


def rows(chapters: list[str]) -> Iterator[list[str]]:
    """Yield the rows of the table, those of chapters below its head."""
    yield ["chapter", "kinds of hidden cases", "bits by how they end", "bits at most"]
    for chapter in chapters:
        kinds, ends, bits = map(sum, zip(*of_chapter(chapter).values(), strict=True))
        yield [chapter, str(kinds), f"{ends:.0f}", f"{bits:,.0f}"]


def main() -> None:
    """Print the bounds, and write them where that is asked."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks.bits", description="How much one grading tells.")
    parser.add_argument("chapters", nargs="*", help="chapters (default: all)")
    parser.add_argument("--write", action="store_true", help="put the table of all chapters into README.md")
    chosen = parser.parse_args()
    everything = paths.chapters()
    made = table.markdown(rows(everything if chosen.write else chosen.chapters or everything))
    print(made)
    if chosen.write:
        text = table.README.read_text(encoding="utf-8")
        table.README.write_text(with_part(text, BEGIN, END, made), encoding="utf-8")


if __name__ == "__main__":
    main()
