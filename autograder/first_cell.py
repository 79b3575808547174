"""What a notebook's first cell begins with: a line where the course is missing, or where another file hides it."""

GUARD = """import importlib.util
import pathlib
import sys

course = importlib.util.find_spec("helpers")
if course is None or course.origin is None:
    install = f'"{sys.executable}" -m pip install FOLDER_OR_WHEEL'
    raise SystemExit(f"This notebook needs the bow2lora course. In a terminal: {install}, then restart the kernel.")
if not pathlib.Path(course.origin).with_name("course").is_dir():
    raise SystemExit(f"{course.origin} hides the course's own helpers: rename it, then restart the kernel.")

from helpers import hidden_modules

hidden_modules.check()
"""


def guarded(source: str) -> str:
    """Return the first cell's source behind the guard."""
    return f"{GUARD}\n{source}"
