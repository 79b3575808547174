"""Whether an answer is the course's own: later chapters, the assistant and experiments hold what exercises ask for.

Told from the text of a notebook's cells alone. What the given cells bring in is anybody's to use.
"""

import ast
import contextlib
import re
from collections.abc import Iterator
from contextvars import ContextVar

PACKAGES = ("helpers.models", "helpers.search", "helpers.chapters", "helpers.experiments")
MAGIC = re.compile(r"(?m)^[^\S\n]*[%!?].*$")  # of one line: many blank ones would take quadratic time
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

Names = dict[str, str]  # {a name in the notebook: what of the course's it stands for}

# What there is against the answer to the exercise that is being checked, "" for nothing.
objection: ContextVar[str] = ContextVar("objection", default="")


class CourseCode:
    """What the cells of one notebook bring in of the course's own code, in the order in which they are run."""

    def __init__(self) -> None:
        self._given: set[str] = set()
        self._names: Names = {}
        self._in_answers: dict[str, Names] = {}

    def note_given(self, source: str) -> None:
        """Take in a given cell: what it imports is no fault of the answer's."""
        for statement in _statements(source):
            self._given |= _imported(statement).keys()

    def note(self, cell: str, source: str) -> None:
        """Take in a cell that a student wrote; an answer's is called by its exercise."""
        used: Names = {}
        for statement in _statements(source):
            here = self._used_in(statement)
            used |= here
            if here and isinstance(statement, DEFINITIONS):  # a function of one's own that hands it on
                self._names[statement.name] = next(iter(here.values()))
        self._in_answers[cell] = used

    def _used_in(self, statement: ast.stmt) -> Names:
        """Return what a statement imports or uses of the course's; remember what it imports."""
        imported = {name: what for name, what in _imported(statement).items() if name not in self._given}
        self._names |= imported
        names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        return imported | {name: self._names[name] for name in read & self._names.keys()}

    @contextlib.contextmanager
    def judge(self, exercise: str) -> Iterator[None]:
        """Let the check of an exercise refuse an answer that is the course's own."""
        used = self._in_answers.get(exercise, {})
        before = objection.set(_sentence(used))
        try:
            yield
        finally:
            objection.reset(before)


def _sentence(used: Names) -> str:
    if not used:
        return ""
    return f"`{next(iter(used.values()))}` is the course's own answer: write yours, with what the chapter gives"


def _statements(source: str) -> list[ast.stmt]:
    """Return the statements of a cell, without IPython's lines; one that Python cannot read makes nothing."""
    try:
        return ast.parse(MAGIC.sub("", source)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last: more signs in a row than anybody writes
        return []


def _imported(statement: ast.stmt) -> Names:
    """Return {name: what it stands for} of the course's code that a statement imports, also within a function."""
    names: Names = {}
    for node in ast.walk(statement):
        if isinstance(node, ast.Import):
            for alias in node.names:
                names[alias.asname or alias.name.partition(".")[0]] = alias.name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return {name: what for name, what in names.items() if _holds_answers(what)}


def _holds_answers(module: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in PACKAGES)
