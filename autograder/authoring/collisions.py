"""Messages that would be false: in a visible case two known mistakes give the same value, and only one is named there.

Whoever makes the other one is told a mistake that is not theirs. Either the case takes numbers that tell the two apart,
or both are named there, or one sentence stands for both.

    python -m autograder.authoring.collisions 02_word_vectors
"""

import copy
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from autograder import paths
from autograder.authoring.known_mistakes import Tolerance, is_no_value, watching, with_mistake_values
from autograder.authoring.source import read
from helpers.checks.case import Bounded, Case, quiet, typed_values, value_of
from helpers.checks.compare import difference


@dataclass
class Seen:
    """A visible case as it was judged: its arguments, what was expected, what the mistakes named there give."""

    case: Case
    arguments: tuple[tuple, dict]
    expected: object
    near: dict[str, object]
    tolerance: Tolerance

    def same(self, first: object, second: object) -> bool:
        """Whether two values count as equal in this case; the class of an error is no value."""
        try:
            return difference(first, second, *self.tolerance, equal_nan=True) is None
        except Exception:  # values of kinds that are never compared
            return False

    def values(self) -> dict[str, object]:
        """Return the named mistakes that give a value, not an error."""
        return {words: value for words, value in self.near.items() if not is_no_value(value)}


def collisions(chapter: str) -> list[str]:
    """Return a line for each mistake that a visible case of the chapter would call by another one's name."""
    names: dict = {"__name__": "__main__"}
    lines = []
    for cell in with_mistake_values(read(paths.source_text(chapter))):
        if cell.kind in ("given", "exercise"):
            with quiet(Bounded()):
                exec(compile(cell.source, cell.grade_id, "exec"), names)
        if cell.kind == "check":
            with _recording() as (seen, known), quiet(Bounded()):
                exec(compile(cell.source, cell.grade_id, "exec"), dict(names))
            lines += [f"{cell.name}, {line}" for line in _collisions(seen, known)]
    return lines


def _collisions(seen: list[Seen], known: dict[str, dict[str, Callable]]) -> Iterator[str]:
    """Yield what collides in the visible cases; known: the mistakes of hidden cases, by what they are called on."""
    shown = [one for one in seen if not one.case.hidden]
    for number, one in enumerate(shown, 1):
        place = f"case {number}"
        if one.case.label:
            place += f" ({one.case.label})"
        for words, value in one.values().items():
            if one.same(value, one.expected):
                yield f"{place}: '{words}' gives what is expected"
        for words, mistake in known.get(_function(one.case), {}).items():
            named = _taken_for(one, words, mistake)
            if named:
                yield f"{place}: '{words}' would be called '{named[0]}'"


def _taken_for(one: Seen, words: str, mistake: Callable) -> list[str]:
    """Return the named mistakes that give what this one gives, if none of their sentences is, or holds, its own.

    Of two sentences that say the same mistake one may go on, "...: the smallest", where the other ends.
    """
    value = value_of(partial(mistake, *one.arguments[0], **one.arguments[1]))
    if is_no_value(value) or one.same(value, one.expected):
        return []
    named = [other for other, others in one.values().items() if one.same(others, value)]
    if any(words in other or other in words for other in named):
        return []
    return named


@contextmanager
def _recording() -> Iterator[tuple[list[Seen], dict[str, dict[str, Callable]]]]:
    """While the block runs, note each judged case, and the mistakes that are known on what is called."""
    seen: list[Seen] = []
    known: dict[str, dict[str, Callable]] = {}

    def note(case: Case, expected: object, near: Any, tolerance: Tolerance) -> None:
        known.setdefault(_function(case), {}).update(case.known)
        named = case.values | typed_values(near)
        seen.append(Seen(case, copy.deepcopy(case.arguments), expected, named, tolerance))

    with watching(note):
        yield seen, known


def _function(case: Case) -> str:
    """Return the name of the function that was called, without those of functions handed to it."""
    return case.called.partition(" ")[0]


if __name__ == "__main__":
    for name in sys.argv[1:] or paths.chapters():
        print(*[f"{name}: {line}" for line in collisions(name)], sep="\n")
