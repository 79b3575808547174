"""`bow2lora start`: the course in a folder of one's own, opened in JupyterLab.

Exit codes: 0 done; 2 wrong input, or no JupyterLab; else JupyterLab's own.
"""

import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from helpers.errors import CourseError

FOLDER = Path("bow2lora")
CONFIG_PATH = "JUPYTER_CONFIG_PATH"


def start(
    folder: Annotated[Path, typer.Argument(help="The folder to write in; made where it is missing.")] = FOLDER,
    opened: Annotated[bool, typer.Option("--open/--no-open", help="Open START in JupyterLab, or only copy.")] = True,
) -> None:
    """Put the notebooks into a folder of your own, or bring them up to date there, and open START in JupyterLab."""
    from helpers.course import own_folder

    fresh = not (folder / own_folder.START).exists()
    for name in own_folder.place(folder):
        print(f"{folder / name}: the new version; your own file beside it stays as it is")
    print(f"{folder / own_folder.START}: {'the course begins here' if fresh else 'up to date'}")
    if opened:
        raise typer.Exit(_lab(folder, own_folder.START))


def _lab(folder: Path, page: str) -> int:
    """Open a page of the folder in JupyterLab; returns its exit code when it is closed."""
    from helpers.course import own_folder

    if importlib.util.find_spec("jupyterlab") is None:
        raise CourseError(f"JupyterLab is not installed: pip install jupyterlab, or open {folder / page} in an editor")
    line = [sys.executable, "-m", "jupyterlab", f"--LabApp.default_url=/lab/tree/{page}"]
    known = [path for path in (os.environ.get(CONFIG_PATH), str(own_folder.LAB_DEFAULTS)) if path]
    env = os.environ | {CONFIG_PATH: os.pathsep.join(known)}
    before = signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl+C is JupyterLab's to answer: it asks first
    try:
        return subprocess.call(line, cwd=folder, env=env)
    finally:
        signal.signal(signal.SIGINT, before)
