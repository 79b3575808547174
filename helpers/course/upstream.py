"""Whose fault it may be: earlier exercises that an answer uses and whose checks have not passed."""

import ast
from collections.abc import Mapping
from types import CodeType, FunctionType

from helpers.checks import cell
from helpers.course import progress


def unfinished(chapter: str, exercise: str, names: Mapping[str, object]) -> list[str]:
    """Return a line for each function of another exercise that an answer uses before its check has passed.

    names: the notebook's.
    """
    defined = definitions(chapter)
    finished = {exercise, *progress.solved(chapter)}
    owners: dict[str, str] = {}
    for owner in defined.keys() - finished:
        owners |= dict.fromkeys(defined[owner], owner)
    lines = []
    for name in defined.get(exercise, []):
        for used in sorted(_names_used(names.get(name)) & owners.keys()):
            check = f'`check("{owners[used]}")`'
            lines.append(f"`{name}` uses your `{used}`, and {check} has not passed: the fault may lie there.")
    return lines


def definitions(chapter: str) -> dict[str, list[str]]:
    """Return {exercise: the functions and classes that its cell defines} of a chapter as it was released."""
    cells = cell.notebook_cells(chapter)
    sources = {str(each.get("id", "")): "".join(each["source"]) for each in cells}
    defined = {}
    for name in sources:
        if f"check-{name}" in sources:
            body = ast.parse(sources[name]).body
            defined[name] = [node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return defined


def _names_used(value: object) -> set[str]:
    """Return the names that the code of a function, or of a class's methods, looks up."""
    if isinstance(value, FunctionType):
        return _names_in(value.__code__)
    if isinstance(value, type):
        return set().union(*map(_names_used, vars(value).values()))
    return set()


def _names_in(code: CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_names_in, inner))
