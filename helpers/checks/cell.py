"""What a notebook's check cell calls: it finds the cases of an exercise and tries them on the notebook's functions."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

from helpers.checks.scoring import Check, show

FOLDER = "checks"  # beside the notebook
HERE = Path(__file__).resolve().parent.parent
NOT_KEPT = "Run the chapter's first cell, too: then your progress is kept."
SHIPPED = (HERE.parent / "notebooks", HERE / "_notebooks")  # in a checkout, in a wheel

chapter = ""  # set by the notebook's first cell (helpers.course.notebook.prepare), as is what follows
after: Callable[[str, Check], str] | None = None  # keeps the progress when a check is done; returns a line on it


class Points(float):
    """The points of a check, the number that nbgrader reads, for which a notebook shows a line of words."""

    def __new__(cls, points: float, line: str) -> "Points":
        made = super().__new__(cls, points)
        made.line = line
        return made

    def _repr_html_(self) -> str:
        return f"<span>{escape(self.line)}</span>"


def check(exercise: str) -> float:
    """Try the cases of an exercise on the functions of the calling notebook; print the report, return the points.

    The cases run on a copy of the notebook's names: nothing that they define is left among the student's own.
    """
    names = dict(sys._getframe(1).f_globals)
    path = find(exercise, names.get("__vsc_ipynb_file__"))
    if path is None:
        print(f"{exercise}: its cases are missing. Put the chapter's folder {FOLDER}/ beside this notebook.")
        return 0.0
    with _shown_rich() as lines:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
    return Points(names["score"], lines[-1]) if lines else names["score"]


@contextmanager
def _shown_rich() -> Iterator[list[str]]:
    """In a notebook, show the report as HTML beside its text, and give what the points say; a terminal prints it."""
    from IPython import get_ipython

    lines: list[str] = []
    if getattr(get_ipython(), "kernel", None) is None:
        yield lines
        return
    from IPython.display import display

    from helpers.checks.rich_report import RichReport

    def shown(check: Check) -> None:
        display(RichReport(check))
        line = after(chapter, check) if after else ""
        lines.append(line or NOT_KEPT)

    before = show.set(shown)
    try:
        yield lines
    finally:
        show.reset(before)


def notebook_cells(chapter: str) -> list[dict]:
    """Return the cells of a chapter's notebook as it was released: none where it is not at hand."""
    for shipped in SHIPPED:
        try:
            return json.loads((shipped / chapter / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
        except (OSError, ValueError, KeyError):
            continue
    return []


def find(exercise: str, notebook: str | None = None) -> Path | None:
    """Return the file with an exercise's visible cases: beside the notebook, else as installed with the course."""
    beside = [Path(notebook).parent] if notebook else []
    folders = [*beside, Path.cwd(), *(shipped / chapter for shipped in SHIPPED if chapter)]
    found = (folder / FOLDER / f"{exercise}.py" for folder in folders)
    return next((path for path in found if path.is_file()), None)
