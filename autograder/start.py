"""`bow2lora start [FOLDER] [-- OPTIONS]`: the course in a folder of one's own, opened in JupyterLab with the options.

Exit codes: 0 done; 2 wrong input, or no JupyterLab; else JupyterLab's own.
"""

import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from helpers.errors import CourseError

FOLDER = Path("bow2lora")
CONFIG_PATH = "JUPYTER_CONFIG_PATH"
REST = "bow2lora.jupyterlab"  # of the context: what follows --
CONTAINER = (Path("/.dockerenv"), Path("/run/.containerenv"), Path("/run/secrets/kubernetes.io"))  # in a container
ROOT_ALLOWED = "--allow-root"


class Start(TyperCommand):
    """The command, for which what follows `--` is JupyterLab's."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take what follows `--` away before anything is read."""
        at = args.index("--") if "--" in args else len(args)
        ctx.meta[REST] = args[at + 1 :]
        return super().parse_args(ctx, args[:at])

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the pieces of the usage line."""
        return [*super().collect_usage_pieces(ctx), "[-- JUPYTERLAB'S OPTIONS]"]


def start(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(help="The folder to write in; made where it is missing.")] = FOLDER,
    opened: Annotated[bool, typer.Option("--open/--no-open", help="Open START in JupyterLab, or only copy.")] = True,
) -> None:
    """Put the notebooks into a folder of your own, or bring them up to date there, and open START in JupyterLab.

    What follows -- goes to JupyterLab: bow2lora start -- --no-browser --port 9000
    """
    from helpers.course import own_folder

    fresh = not (folder / own_folder.START).exists()
    newer = own_folder.place(folder)
    for name in newer:
        print(own_folder.NEWER.format(folder / name))
    if not any(name.startswith("START") for name in newer):
        print(f"{folder / own_folder.START}: {'the course begins here' if fresh else 'up to date'}")
    if opened:
        raise typer.Exit(_lab(folder, own_folder.START, ctx.meta[REST]))


def _lab(folder: Path, page: str, options: list[str]) -> int:
    """Open a page of the folder in JupyterLab; returns its exit code when it is closed."""
    from helpers.course import own_folder

    if importlib.util.find_spec("jupyterlab") is None:
        raise CourseError(f"JupyterLab is not installed: pip install jupyterlab, or open {folder / page} in an editor")
    line = [sys.executable, "-m", "jupyterlab", f"--LabApp.default_url=/lab/tree/{page}", *options, *_as_root(options)]
    known = [path for path in (os.environ.get(CONFIG_PATH), str(own_folder.LAB_DEFAULTS)) if path]
    env = os.environ | {CONFIG_PATH: os.pathsep.join(known)}
    before = signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl+C is JupyterLab's to answer: it asks first
    try:
        return subprocess.call(line, cwd=folder, env=env)
    finally:
        signal.signal(signal.SIGINT, before)


def _as_root(options: list[str]) -> list[str]:
    """Return what lets root start JupyterLab, where root is the only user: in a container; CourseError elsewhere."""
    if ROOT_ALLOWED in options or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return []
    if any(path.exists() for path in CONTAINER):
        return [ROOT_ALLOWED]
    raise CourseError(f"JupyterLab does not start as root, unless you say so: bow2lora start -- {ROOT_ALLOWED}")
