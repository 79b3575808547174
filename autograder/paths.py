"""Where things lie, and the environment's own programs on PATH."""

import os
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from helpers.errors import CourseError

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


def chapter(name: str) -> str:
    """Return a chapter's name: "1" and "01" stand for 01_spam, any other word for itself, without a folder's slash."""
    name = name.rstrip("/")
    number = name.lstrip("0")
    known = chapters() if number.isdecimal() else []
    return next((c for c in known if c.partition("_")[0].lstrip("0") == number), name)


def has_solutions() -> bool:
    """Whether this is a checkout of the course; the wheel has none of its instructors' part."""
    return SOLUTIONS.is_dir()


def asked(names: list[str] | None) -> list[str]:
    """Return the chapters that somebody names, all if none; raises CourseError for a name that is none."""
    known = chapters()
    if not known:
        raise CourseError(f"{SOLUTIONS}: there are no chapters; run this from a checkout of the course")
    wanted = list(dict.fromkeys(map(chapter, names or [])))
    for name in wanted:
        if name not in known:
            raise CourseError(f"there is no chapter '{name}' in solutions/; there are: {', '.join(known)}")
    return wanted or known


def completions(incomplete: str) -> list[str]:
    """Return the chapters that a word on the command line may become."""
    return [name for name in chapters() if name.startswith(incomplete)]


def version() -> str:
    """Return the version of the course: of the checkout, else of what is installed."""
    project = ROOT / "pyproject.toml"
    if project.is_file():
        return tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    return metadata.version("bow2lora")


def put_environment_on_path() -> None:
    """Put the folder of this Python first on PATH: nbgrader calls `alembic` by its bare name."""
    folder = str(Path(sys.executable).parent)
    parts = os.environ.get("PATH", "").split(os.pathsep)
    if parts[0] != folder:
        os.environ["PATH"] = os.pathsep.join([folder, *parts])
