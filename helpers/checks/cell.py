"""What a notebook's check cell calls: it finds the cases of an exercise and tries them on the notebook's functions."""

import difflib
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

from helpers.checks.course_code import CourseCode
from helpers.checks.scoring import Check, finished, show

FOLDER = "checks"  # beside the notebook
HERE = Path(__file__).resolve().parent.parent
NOT_KEPT = "Run the chapter's first cell, too: then your progress is kept."
SHIPPED = (HERE.parent / "notebooks", HERE / "_notebooks")  # in a checkout, in a wheel

chapter = ""  # set by the notebook's first cell (helpers.course.notebook.prepare), as is what follows
after: Callable[[str, Check], str] | None = None  # keeps the progress when a check is done; returns a line on it
upstream: Callable[[str, str, dict], list[str]] | None = None  # gives a line on each unfinished exercise that is used
course_code: Callable[[str], CourseCode] | None = None  # tells what the notebook's cells bring in of the course's own
whole: Callable[[str, str], str] | None = None  # gives the check with its hidden cases, "" where it is not at hand


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

    The cases run on a copy of the notebook's names: nothing that they define is left among the student's own. Where the
    hidden cases are at hand, as for whoever learns alone, they follow once all visible ones pass.
    """
    names = dict(sys._getframe(1).f_globals)
    path = find(exercise, names.get("__vsc_ipynb_file__"))
    if path is None:
        print(f"{exercise}: {_missing(exercise, names.get('__vsc_ipynb_file__'))}")
        return 0.0
    visible = path.read_text(encoding="utf-8")
    hidden = whole(chapter, exercise) if whole else ""
    brought_in = course_code(chapter) if course_code else CourseCode()
    with _shown_rich() as lines, brought_in.judge(exercise):
        if hidden and _passes(visible, dict(names)):
            score = _run(hidden, f"{exercise}, all cases", names)
        else:
            score = _run(visible, str(path), names)
    if upstream and chapter and not finished[-1].passed:
        print(*upstream(chapter, exercise, names), sep="\n", end="")
    return Points(score, lines[-1]) if lines else score


def _run(cases: str, name: str, names: dict) -> float:
    """Run a check on a notebook's names; its report is shown, its points are returned."""
    exec(compile(cases, name, "exec"), names)
    return names["score"]


def _passes(cases: str, names: dict) -> bool:
    """Whether an answer passes a check; nothing is shown."""
    shown = show.set(lambda check: None)
    try:
        _run(cases, "visible cases", names)
    finally:
        show.reset(shown)
    return finished[-1].passed


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
    found = (folder / f"{exercise}.py" for folder in _folders(notebook))
    return next((path for path in found if path.is_file()), None)


def _folders(notebook: str | None) -> list[Path]:
    """Return where cases may lie, the first place first."""
    beside = [Path(notebook).parent] if notebook else []
    folders = [*beside, Path.cwd(), *(shipped / chapter for shipped in SHIPPED if chapter)]
    return [folder / FOLDER for folder in folders]


def _missing(exercise: str, notebook: str | None) -> str:
    """Return why an exercise has no cases: it is misspelt, or all are missing."""
    stems = {path.stem for folder in _folders(notebook) for path in folder.glob("*.py")}
    names = sorted(name for name in stems if "." not in name)  # no name.new.py of an update
    near = difflib.get_close_matches(str(exercise), names, n=1)
    if near:
        return f'there is no such exercise. Did you mean check("{near[0]}")?'
    if names:
        return f"there is no such exercise. The chapter's are {', '.join(names)}."
    return f"its cases are missing. Put the chapter's folder {FOLDER}/ beside this notebook."
