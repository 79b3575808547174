"""Read names out of cells with `ast`: what a cell defines, what a check borrows."""

import ast
import builtins
import functools as ft
import re
import symtable
import warnings
from typing import NamedTuple

MAGIC = re.compile(r"(?m)^([^\S\n]*)[%!].*$")  # IPython's commands
LONGEST_CELL = 200_000  # characters of a cell that is parsed: a tree takes a hundred times the memory of its text


def functions(source: str) -> dict[str, str] | None:
    """Return the text of each function and class defined at top level; None if the source does not parse."""
    return None if len(source) > LONGEST_CELL else _functions(source)


@ft.lru_cache(maxsize=256)  # most cells are the released ones, in every submission again
def _functions(source: str) -> dict[str, str] | None:
    python = MAGIC.sub("", source)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(python).body
        found = [n for n in body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
        return {n.name: ast.unparse(n) for n in found}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class Fault(NamedTuple):
    """Why a text is no Python, and in which line."""

    line: int
    words: str


def fault(source: str) -> Fault | None:
    """Return why a text does not parse, None if it does."""
    try:
        compile(source, "<cell>", "exec")
    except SyntaxError as error:
        return Fault(error.lineno or 1, error.msg)
    except ValueError as error:  # a null character
        return Fault(1, str(error))
    return None


def without_magics(source: str) -> str:
    """Return a cell with a statement that does nothing in the place of each of IPython's commands."""
    return MAGIC.sub(r"\1pass", source)


class CheckReader:
    """What a check cell says of itself."""

    def __init__(self, source: str):
        self.tree = ast.parse(source)
        self.free_names = _free_names(source)

    @property
    def declared(self) -> tuple[str, float] | None:
        """Exercise and points of the call graded("name", points=n), or None."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "graded":
                points = next((k.value for k in node.keywords if k.arg == "points"), None)
                values = [a.value for a in [*node.args, points] if isinstance(a, ast.Constant)]
                return _exercise_and_points(values)
        return None

    @property
    def ends_with_score(self) -> bool:
        """Whether the last line is the name `score`, so that the cell's value is its score."""
        last = self.tree.body[-1] if self.tree.body else None
        return isinstance(last, ast.Expr) and isinstance(last.value, ast.Name) and last.value.id == "score"


def _free_names(source: str) -> set[str]:
    """Return the global names that a cell reads but never binds."""
    table = symtable.symtable(source, "<cell>", "exec")
    bound = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    used: set[str] = set()
    stack = [table]
    while stack:
        scope = stack.pop()
        used |= {s.get_name() for s in scope.get_symbols() if s.is_referenced() and (scope is table or _is_global(s))}
        stack.extend(scope.get_children())
    return used - bound - set(dir(builtins))


def _is_global(symbol: symtable.Symbol) -> bool:
    """Whether a name in a function is global; symtable says so of all names in a function called "top"."""
    own = symbol.is_parameter() or symbol.is_assigned() or symbol.is_imported()
    return symbol.is_global() and (symbol.is_declared_global() or not own)


def _exercise_and_points(values: list) -> tuple[str, float] | None:
    if len(values) != 2:
        return None
    exercise, points = values
    return exercise, points
