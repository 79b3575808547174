"""Stock nbgrader with its defaults on an assignment of others: update, generate, autograde and export.

The notebooks' kernels are called python3: nothing else is ours.
"""

import csv
import shutil
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbgrader.apps import ExportApp
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader.nbgraderformat import MetadataValidator
from traitlets.config import Config

from . import source


def release(course: Path, assignment: str) -> Path:
    """Copy an assignment into a course, update its metadata and release it; returns the released folder."""
    folder = course / "source" / assignment
    shutil.copytree(source(assignment), folder)
    for path in folder.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)  # as `nbgrader update` does
        nbformat.write(MetadataValidator().upgrade_notebook_metadata(notebook), path)
    done = _api(course).generate_assignment(assignment)
    assert done["success"], done
    return course / "release" / assignment


def grade(course: Path, assignment: str, students: Iterable[str]) -> dict[str, float | None]:
    """Autograde submissions, each by itself, and return their exported points; None where autograde failed."""
    api = _api(course)
    done = {student: api.autograde(assignment, student)["success"] for student in students}
    points = exported(course, assignment)
    return {student: points[student] if success else None for student, success in done.items()}


def ends_for_the_others(course: Path, assignment: str) -> bool:
    """Autograde all submissions of a course in one run; returns whether it ended before some were begun."""
    _api(course).autograde(assignment, "*")
    begun = {path.parent.name for path in (course / "autograded").glob(f"*/{assignment}")}
    handed_in = {path.parent.name for path in (course / "submitted").glob(f"*/{assignment}")}
    return begun < handed_in


def exported(course: Path, assignment: str) -> dict[str, float]:
    """Return the points of each student in the table that `nbgrader export` writes."""
    ExportApp.launch_instance(["--CourseDirectory.root", str(course), "--to", str(course / "stock.csv")])
    ExportApp.clear_instance()
    with (course / "stock.csv").open(encoding="utf-8", newline="") as file:
        return {
            row["student_id"]: float(row["score"]) for row in csv.DictReader(file) if row["assignment"] == assignment
        }


def _api(course: Path) -> NbGraderAPI:
    config = Config()
    config.CourseDirectory.root = str(course)
    config.Execute.kernel_name = "python3"
    return NbGraderAPI(CourseDirectory(config=config), config=config)
