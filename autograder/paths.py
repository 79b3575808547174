"""Where things lie, and the environment's own programs on PATH."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOLUTIONS = ROOT / "solutions"
SOURCE = ROOT / "build" / "source"  # the instructor's notebooks, with solutions and hidden tests
RELEASE = ROOT / "notebooks"  # the student edition
VARIANTS = ROOT / "tests" / "variants"


def source_text(chapter: str) -> Path:
    """Return the text source of a chapter."""
    return SOLUTIONS / chapter / f"{chapter}.py"


def source_notebook(chapter: str) -> Path:
    """Return the instructor's notebook, made by the build."""
    return SOURCE / chapter / f"{chapter}.ipynb"


def release_notebook(chapter: str) -> Path:
    """Return the student's notebook, made by nbgrader's generate step."""
    return RELEASE / chapter / f"{chapter}.ipynb"


def chapters() -> list[str]:
    """Return the names of all chapters that have a source, in order."""
    return sorted(p.parent.name for p in SOLUTIONS.glob("*/*.py") if p.stem == p.parent.name)


def pages() -> dict[Path, Path]:
    """Return the pages that go with all chapters: where each is written, and where students find it."""
    return {page: RELEASE / page.name for page in sorted((SOLUTIONS / "pages").glob("*.md"))}


def put_environment_on_path() -> None:
    """Put the folder of this Python first on PATH: nbgrader calls `alembic` by its bare name."""
    folder = str(Path(sys.executable).parent)
    parts = os.environ.get("PATH", "").split(os.pathsep)
    if parts[0] != folder:
        os.environ["PATH"] = os.pathsep.join([folder, *parts])
