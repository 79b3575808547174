"""The drawings of a chapter whose notebook was opened alone: copied from the installed course, beside the notebook."""

import shutil
from pathlib import Path

from helpers.checks import cell

FOLDER = "figures"  # beside the notebook, where its text looks for them
MOST = 20  # notebooks of a folder that are looked into


def put_beside(chapter: str, notebook: str | None = None) -> str:
    """Copy a chapter's drawings beside its notebook where they are missing; return a line on it, "" if none is.

    notebook: its path where the editor says so, as VS Code does; else it is looked for in the working folder.
    """
    folder = Path(notebook).parent if notebook else Path.cwd()
    shipped = next((path / chapter / FOLDER for path in cell.SHIPPED if (path / chapter / FOLDER).is_dir()), None)
    if not chapter or shipped is None or (folder / FOLDER).exists() or not _is_here(chapter, folder):
        return ""
    try:
        shutil.copytree(shipped, folder / FOLDER)
    except OSError:
        return ""  # nothing can be written here: the text tells what each drawing shows
    return f"The chapter's drawings are now in {FOLDER}/ beside this notebook: close it and open it again to see them."


def _is_here(chapter: str, folder: Path) -> bool:
    """Whether a notebook of the chapter lies in a folder."""
    called = f'prepare(\\"{chapter}\\")'
    for path in sorted(folder.glob("*.ipynb"))[:MOST]:
        try:
            if called in path.read_text(encoding="utf-8"):
                return True
        except (OSError, UnicodeDecodeError):
            continue
    return False
