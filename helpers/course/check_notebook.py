"""All checks of a notebook, with the visible cases: python -m helpers.course.check_notebook 01_spam.ipynb

The notebook's code runs in this process, as in JupyterLab, without the cells that train and draw.
Exit codes: 0 full points; 1 not yet; 2 no notebook of the course.
"""

import contextlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from helpers import cells
from helpers.checks import cell as check_cell
from helpers.checks.characters import explained
from helpers.checks.scoring import finished
from helpers.checks.stopped_cells import StoppedCells, why
from helpers.errors import CourseError

CALL = 'from helpers.checks import check\n\ncheck("{}")'
CALLED = re.compile(r'^check\("([\w-]+)"\)', re.MULTILINE)


@dataclass(frozen=True)
class Checked:
    """What one cell said, and for a check its score and its points; without cases nothing is known of them."""

    text: str
    score: float = 0.0
    points: float = 0.0
    unknown: bool = False


def check(path: Path) -> Iterator[Checked]:
    """Run a notebook from top to bottom and yield what its checks say, and the errors of other cells.

    A check whose cell was deleted is tried at the end. Raises CourseError if the file is no notebook of the course.
    """
    sources = _sources(path)
    with contextlib.chdir(path.parent):
        running, checked = Running(), []
        for name, source in sources:
            called = CALLED.findall(source)
            checked += called
            yield from running.check(called[0], source) if called else running.run(name, source)
        for exercise in sorted(set(_exercises()) - set(checked)):
            yield from running.check(exercise, CALL.format(exercise))


def _sources(path: Path) -> list[tuple[str, str]]:
    """Return (id, text) of the code cells that do not only show something."""
    import nbformat

    try:
        notebook = nbformat.read(path, as_version=4)
        code = [c for c in notebook.cells if c.cell_type == "code" and "show" not in c.metadata.get("tags", [])]
        sources = [(str(c.get("id", "")), c.source) for c in code]
    except FileNotFoundError:
        raise CourseError(f"{path}: there is no such file") from None
    except Exception:  # whatever else is wrong with a file, nbformat has many words for it
        raise CourseError(f"{path}: not a notebook{_conflict(path)}") from None
    if not any("notebook.prepare(" in source or CALLED.search(source) for _, source in sources):
        raise CourseError(f"{path}: no chapter of the course has such cells")
    return sources


def _conflict(path: Path) -> str:
    """Return where git left conflict markers in a file, for which no program reads it; "" where it did not."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("<<<<<<< "):
            return f" (conflict markers of git in line {number}: keep one side of each, without the markers)"
    return ""


class Running:
    """A notebook whose cells are run one after the other."""

    def __init__(self):
        self.shell, self.stopped = cells.new_shell(), StoppedCells()

    def check(self, exercise: str, source: str) -> Iterator[Checked]:
        """Run a check's cell; yield what it says."""
        finished.clear()
        with self.stopped.explain(exercise):
            outcome = cells.run(self.shell, source)
        if finished:
            points = finished[-1].points
            yield Checked(outcome.text.strip(), cells.score(outcome, points), points)
        else:  # its cases are missing, or they do not run
            yield Checked(outcome.text.strip() or f"{exercise}: {_line(outcome.error)}", unknown=True)

    def run(self, name: str, source: str) -> Iterator[Checked]:
        """Run another cell; yield what was left out of it, and its error in a line."""
        outcome = cells.run(self.shell, source)
        self.stopped.note(name, why(outcome.error, self.shell.missing))
        for line in self.shell.left_out:
            yield Checked(f"note: {name}: {line}")
        if outcome.error is not None:
            note = f"note: {name}: {_line(outcome.error)}"
            explanation = explained(source) if isinstance(outcome.error, SyntaxError) else ""
            if explanation:
                note += f"; {explanation}"
            yield Checked(note)


def _line(error: BaseException | None) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


def _exercises() -> list[str]:
    """Return the exercises whose cases lie beside the notebook, else those of the chapter that its first cell named."""
    folders = [Path.cwd(), *(shipped / check_cell.chapter for shipped in check_cell.SHIPPED if check_cell.chapter)]
    cases = (sorted((folder / check_cell.FOLDER).glob("*.py")) for folder in folders)
    return [path.stem for path in next(filter(None, cases), []) if "." not in path.stem]  # no name.new.py of an update


def main(arguments: list[str]) -> int:
    """Print what the checks of a notebook say; return the exit code."""
    if len(arguments) != 1:
        print("usage: python -m helpers.course.check_notebook NOTEBOOK", file=sys.stderr)
        return 2
    results = []
    try:
        for result in check(Path(arguments[0]).resolve()):
            print(result.text, flush=True)
            results.append(result)
    except CourseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    earned = sum(result.score for result in results)
    possible = sum(result.points for result in results)
    print(f"\n{earned:g} of {possible:g} points that are checked by machine; grading tries more cases")
    all_known = not any(result.unknown for result in results)
    return 0 if possible and earned == possible and all_known else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
