"""What an answer in the open notebook uses: exercises that are not finished, and code of the course's own."""

import ast
import dis
import re
from collections.abc import Mapping
from types import CodeType, FunctionType

from IPython import get_ipython

from helpers.checks import cell
from helpers.checks.course_code import CourseCode
from helpers.checks.not_defined import defining
from helpers.course import progress

LOOK_UPS = ("LOAD_GLOBAL", "LOAD_NAME")  # what Python's own compiler calls the look-up of a global name


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


def is_given(chapter: str, name: str) -> bool:
    """Whether a given cell of a chapter makes a name, as it was released."""
    given = (each for each in cell.notebook_cells(chapter) if str(each.get("id", "")).startswith("given-"))
    return any(defining(name).search("".join(each["source"])) for each in given)


def course_code(chapter: str) -> CourseCode:
    """Return what the cells that were run in this session bring in of the course's own code."""
    code, exercises = CourseCode(), definitions(chapter)
    released = set()
    for each in cell.notebook_cells(chapter):
        released.add("".join(each["source"]).strip())
    for source in _cells_run():
        if source.strip() in released:
            code.note_given(source)
        else:
            code.note(_exercise_of(source, exercises), source)
    return code


def _cells_run() -> list[str]:
    shell = get_ipython()
    return list(shell.user_ns.get("In", [])) if shell else []


def _exercise_of(source: str, exercises: dict[str, list[str]]) -> str:
    """Return the exercise whose functions a cell defines, "" for none."""
    for exercise, names in exercises.items():
        if any(re.search(rf"(?m)^(?:def|class) {name}\b", source) for name in names):
            return exercise
    return ""


def _names_used(value: object) -> set[str]:
    """Return the names that the code of a function, or of a class's methods, looks up."""
    if isinstance(value, FunctionType):
        return _names_in(value.__code__)
    if isinstance(value, type):
        return set().union(*map(_names_used, vars(value).values()))
    return set()


def _names_in(code: CodeType) -> set[str]:
    """Return the global names that code looks up: not the attributes, such as the `layer_norm` of `F.layer_norm`."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    own = {step.argval for step in dis.get_instructions(code) if step.opname in LOOK_UPS}
    return own.union(*map(_names_in, inner))
