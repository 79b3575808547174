"""Assignments in the style of other nbgrader courses, and what students hand in for them."""

from pathlib import Path

HERE = Path(__file__).parent
ASSIGNMENTS = tuple(sorted(path.name for path in HERE.glob("*/source/*")))


def source(name: str) -> Path:
    """Return the folder with an instructor's notebooks and the files beside them."""
    return HERE / name / "source" / name
