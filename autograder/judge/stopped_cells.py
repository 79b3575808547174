"""What a check says where a name is missing: the cell that was to make it ran, and the judge knows how that ended."""

import contextlib
from collections.abc import Iterator

from autograder.stopped import why_stopped
from helpers.checks.case import Advice, advice

BARE = Advice("The cell above did not make it.", "a name that it uses is not defined")


class StoppedCells:
    """The cells of one submission that did not run to their end, and why.

    Only what a run without hidden inputs has seen may be put into words.
    """

    def __init__(self):
        self._all_known = True
        self._whole: set[str] = set()
        self._why: dict[str, str] = {}

    def note(self, cell: dict, late: bool) -> None:
        """Take in what came of a cell; late: whether it may have met hidden inputs, so that nothing is said of it."""
        words = why_stopped(cell)
        if late:
            self._all_known = False
        elif words:
            self._why[cell["id"]] = words
        else:
            self._whole.add(cell["id"])

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
        others = [f"the cell {cell} {words}" for cell, words in self._why.items()]
        if others and self._all_known:
            name = f"{others[-1]}, so what it was to make is missing; or the name is misspelt"
        elif self._whole and self._all_known:
            name = "no cell makes this name: is it misspelt?"
        return Advice(function, name)
