"""What a notebook's check cell calls: it finds the cases of an exercise and tries them on the notebook's functions."""

import sys
from pathlib import Path

FOLDER = "checks"  # beside the notebook
HERE = Path(__file__).resolve().parent.parent
SHIPPED = (HERE.parent / "notebooks", HERE / "_notebooks")  # in a checkout, in a wheel

chapter = ""  # set by the notebook's first cell (helpers.course.notebook.prepare)


def check(exercise: str) -> float:
    """Try the cases of an exercise on the functions of the calling notebook; print the report, return the points.

    The cases run on a copy of the notebook's names: nothing that they define is left among the student's own.
    """
    names = dict(sys._getframe(1).f_globals)
    path = find(exercise, names.get("__vsc_ipynb_file__"))
    if path is None:
        print(f"{exercise}: its cases are missing. Put the chapter's folder {FOLDER}/ beside this notebook.")
        return 0.0
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
    return names["score"]


def find(exercise: str, notebook: str | None = None) -> Path | None:
    """Return the file with an exercise's visible cases: beside the notebook, else as installed with the course."""
    beside = [Path(notebook).parent] if notebook else []
    folders = [*beside, Path.cwd(), *(shipped / chapter for shipped in SHIPPED if chapter)]
    found = (folder / FOLDER / f"{exercise}.py" for folder in folders)
    return next((path for path in found if path.is_file()), None)
