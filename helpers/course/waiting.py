"""Which exercise a cell waits for: the one that it uses and that is unwritten, or one that a cell above waits for."""

import ast
from types import TracebackType

from helpers.checks import cell
from helpers.course import upstream


class Waiting:
    """The names that cells were to make before they stopped, and the exercise that each waits for."""

    def __init__(self):
        self._exercise: dict[str, str] = {}

    def note(self, source: str, exercise: str) -> None:
        """Take in a cell that stopped since an exercise is unwritten."""
        self._exercise |= dict.fromkeys(_made(source), exercise)

    def forget(self) -> None:
        """Begin anew, as the notebook does with its first cell."""
        self._exercise.clear()

    def exercise_of(self, name: str) -> str:
        """Return the exercise that a name waits for, "" if no cell that stopped was to make it."""
        return self._exercise.get(name, "")


def unwritten(trace: TracebackType) -> tuple[str, str]:
    """Return the function or class that raised an error, and its exercise, "" where the chapter has none of that name.

    A method, or a function within one, is its class's or the outer one's.
    """
    names = []
    step: TracebackType | None = trace
    while step is not None:
        names.append(step.tb_frame.f_code.co_qualname.split(".")[0])
        step = step.tb_next
    owners: dict[str, str] = {}
    for exercise, defined in upstream.definitions(cell.chapter).items():
        owners |= dict.fromkeys(defined, exercise)
    return names[-1], owners.get(names[-1], "")


def _made(source: str) -> set[str]:
    """Return the names that a cell makes; none where it is no plain Python."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return set()
    made = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return made | defined
