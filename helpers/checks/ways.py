"""What checks ask of the way to a value, where an exercise rules one out: whether the code that ran took it."""

import sys
from collections.abc import Callable, Collection
from types import CodeType, FrameType

from helpers.checks.case import NOTHING
from helpers.checks.compare import difference

NOTEBOOK = "__main__"  # whose functions a student wrote


def taken(ways: Collection[str], function: Callable, *arguments) -> tuple[object, list[str]]:
    """Return what a function gives, and which of these ways it took to it, in their order.

    ways: the ends of full names of functions ("str.encode", "autograd.grad"), or whole modules ("helpers.models.gpt").
        In code of the notebook that runs, a name or a text constant (in small letters) counts, too: what
        `map(str.encode, text)` calls cannot be seen.
    """
    seen: set[str] = set()
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, called) -> None:
        if event == "c_call":
            seen.add(f"{called.__module__}.{called.__qualname__}")
        elif event == "call":
            module = frame.f_globals.get("__name__", "")
            seen.add(f"{module}.{frame.f_code.co_qualname}")
            if module == NOTEBOOK:
                codes.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        value = function(*arguments)
    finally:
        sys.setprofile(before)
    words = _words(codes)
    return value, [way for way in ways if way in words or _is_among(way, seen)]


def not_taken(says: str, sentence: str, want=NOTHING) -> dict:
    """Return the arguments of `Case.holds` that ask for a value, or any, to which none of the ways was `taken`.

    says: what is expected, in words; sentence: what is said of an answer that takes one of them.
    """

    def right(value) -> bool:
        return want is NOTHING or difference(value, want, rtol=1e-4, atol=1e-6) is None

    return {
        "test": lambda found: right(found[0]) and not found[1],
        "says": says,
        "near": {sentence: lambda found: right(found[0]) and bool(found[1])},
    }


def _is_among(way: str, names: Collection[str]) -> bool:
    return any(_matches(way, name) for name in names)


def _matches(way: str, name: str) -> bool:
    return f".{name}".endswith(f".{way}") or f"{name}.".startswith(f"{way}.")


def _words(codes: Collection[CodeType]) -> set[str]:
    """Return the names and the text constants of code."""
    words: set[str] = set()
    for code in codes:
        words.update(code.co_names)
        words.update(text.lower() for text in code.co_consts if isinstance(text, str))
    return words
