"""What a check says where a name is missing, for whoever has run the cells: how the cell ended that was to make it."""

import contextlib
import re
from collections.abc import Iterator, Mapping

from helpers.checks.case import Advice, advice, message_of, students_line

IN_A_CELL = re.compile(r" \(<[^()<>]*>, line \d+\)")  # what Python adds to a syntax error: its own name for the cell
BARE = Advice("The cell above did not make it.", "a name that it uses is not defined")


class StoppedCells:
    """The cells of one notebook that did not run to their end, and why.

    Only what a run without hidden inputs has seen may be put into words.
    """

    def __init__(self):
        self._all_known = True
        self._whole: set[str] = set()
        self._why: dict[str, str] = {}

    def note(self, cell: str, why: str) -> None:
        """Take in how a cell ended, in words that follow its name; "" if it ran as a whole."""
        if why:
            self._why[cell] = why
        else:
            self._whole.add(cell)

    def note_all(self, why: Mapping[str, str]) -> None:
        """Take in how cells ended in another process of the same notebook."""
        self._why |= why

    def keep_quiet(self) -> None:
        """From here on nothing is known of any other cell: it may have met hidden inputs."""
        self._all_known = False

    @contextlib.contextmanager
    def explain(self, exercise: str) -> Iterator[None]:
        """Let the check of an exercise say what is known."""
        before = advice.set(self.advice_on(exercise))
        try:
            yield
        finally:
            advice.reset(before)

    def advice_on(self, exercise: str) -> Advice:
        """Return what to say of a name that is missing in an exercise, or in what it uses."""
        function, name = BARE.function, BARE.name
        if exercise in self._why:
            function = f"The cell above {self._why[exercise]}."
        elif exercise in self._whole:
            function = "The cell above ran, and makes no such name: keep the name that the text gives."
        others = [f"the cell {cell} {why}" for cell, why in self._why.items()]
        if others and self._all_known:
            name = f"{others[-1]}, so what it was to make is missing; or the name is misspelt, or a module not imported"
        elif self._whole and self._all_known:
            name = "no cell makes this name: is it misspelt, or a module that is not imported?"
        return Advice(function, name)


def why(error: BaseException | None, missing: list[str]) -> str:
    """Return how a cell that was run here ended before its end, in words that follow its name; "" if it ran as a whole.

    error, missing: its error, and the packages that it lacked.
    """
    if error is None:
        return lacks(missing)
    return stopped_by(type(error).__name__, message_of(error), students_line(error)[0])


def stopped_by(name: str, message: str, line: int | None) -> str:
    """Return that an error stopped a cell, and in which line."""
    place = f" in line {line}" if line else ""
    return f"stopped{place}: {name}: {IN_A_CELL.sub('', message)}".rstrip(": ")


def lacks(packages: list[str] | None) -> str:
    """Return that a cell needs a package that is not here, "" if it needs none."""
    return f"needs the package {packages[0]}, which is not here while grading" if packages else ""
