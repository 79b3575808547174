"""The course in a folder of one's own, where one writes: copied there, and brought up to date later.

A list of digests in the folder says what was copied. So an update replaces what nobody touched, and never what
somebody wrote: that stays, and the new version lies beside it. To open a notebook and to run it is not to write: its
outputs, its metadata and the empty cells that JupyterLab adds at its end count for nothing.

    python -m helpers.course.own_folder mine
"""

import hashlib
import json
import sys
from collections.abc import Mapping
from itertools import count
from pathlib import Path

from helpers.checks import cell
from helpers.course import progress
from helpers.errors import CourseError
from helpers.files import write_whole

LIST = ".bow2lora.json"  # in the folder: {path: sha256 of the version that was copied last}
START = "START.ipynb"
LAB_DEFAULTS = Path(__file__).parent / "lab"  # of JupyterLab's settings: long lines of code are wrapped; one's own win
NEWER = "{}: the new version; your own file beside it stays as it is"
PAGES = (START, "*.md", "figures/*.svg")
CHAPTER = ("{0}/{0}.ipynb", "{0}/checks/*.py", "{0}/figures/*.svg")


def edition() -> dict[str, bytes]:
    """Return the student edition as it came with the course: {path: content}."""
    patterns = [*PAGES, *(pattern.format(chapter) for chapter in progress.chapters() for pattern in CHAPTER)]
    for shipped in cell.SHIPPED:
        found = sorted({path for pattern in patterns for path in shipped.glob(pattern)})
        if (shipped / START).is_file():
            return {path.relative_to(shipped).as_posix(): path.read_bytes() for path in found}
    raise CourseError("the notebooks of the course are missing; install bow2lora again")


def place(folder: Path) -> list[str]:
    """Put the edition into a folder; return (as paths in it) the new versions of files that somebody changed.

    Raises CourseError for a file, and for a folder that holds something else; OSError where it cannot be written.
    """
    before, files = _before(folder), edition()
    after = {name: _sha(content, name) for name, content in files.items()}
    beside = {}
    for name, content in files.items():
        found = _digest(folder / name)
        if found in ("", before.get(name)) and found != after[name]:
            write_whole(folder / name, content)
        elif found not in (before.get(name), after[name]) and before.get(name) != after[name]:
            beside[_beside(folder, name, content, before)] = after[name]
    _remove_old(folder, before, {*files, *beside})
    offered = {name: sha for name, sha in before.items() if ".new" in name and _digest(folder / name) == sha}
    write_whole(folder / LIST, (json.dumps(offered | after | beside, indent=1, sort_keys=True) + "\n").encode())
    return sorted(beside)


def _beside(folder: Path, name: str, content: bytes, before: Mapping[str, str]) -> str:
    """Write a new version beside a file, under a name that is free or was ours; returns it."""
    path = Path(name)
    for n in count(1):
        new = path.with_name(f"{path.stem}.new{n if n > 1 else ''}{path.suffix}").as_posix()
        if _digest(folder / new) in ("", before.get(new), _sha(content, new)):
            write_whole(folder / new, content)
            return new


def _remove_old(folder: Path, before: Mapping[str, str], now: set[str]) -> None:
    """Remove what the edition no longer holds, as far as nobody touched it."""
    for name in before.keys() - now:
        if ".new" not in name and _digest(folder / name) == before[name]:
            (folder / name).unlink()


def _before(folder: Path) -> dict[str, str]:
    """Return the list in the folder; without one a folder with START counts as touched everywhere."""
    if folder.exists() and not folder.is_dir():
        raise CourseError(f"{folder} is a file; name a folder")
    try:
        found = json.loads((folder / LIST).read_text(encoding="utf-8"))
        return {str(name): str(sha) for name, sha in found.items() if not _outside(name)}
    except FileNotFoundError:
        visible = [path.name for path in folder.glob("*") if not path.name.startswith(".")]
        if visible and START not in visible:
            raise CourseError(f"{folder} is not empty and does not hold the course; name another folder") from None
    except (ValueError, AttributeError):
        pass  # damaged: whatever differs is kept
    return {}


def _outside(name: str) -> bool:
    return Path(name).is_absolute() or ".." in Path(name).parts


def _digest(path: Path) -> str:
    """Return the digest of a file, "" where there is none."""
    return _sha(path.read_bytes(), path.name) if path.exists() else ""


def _sha(content: bytes, name: str = "") -> str:
    """Return the digest of a content, of a notebook's cells where it is one."""
    written = _cells(content) if name.endswith(".ipynb") else None
    return hashlib.sha256(content if written is None else json.dumps(written).encode()).hexdigest()


def _cells(content: bytes) -> list[tuple[str, str]] | None:
    """Return kind and text of a notebook's cells that hold any; None of what is no notebook."""
    try:
        cells = [(each["cell_type"], "".join(each["source"])) for each in json.loads(content)["cells"]]
    except (ValueError, KeyError, TypeError):
        return None
    return [(kind, text) for kind, text in cells if text.strip()]


def main(arguments: list[str]) -> int:
    """Put the course into a folder and say which new versions lie beside one's own files; return the exit code."""
    if len(arguments) != 1:
        print("usage: python -m helpers.course.own_folder FOLDER", file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    try:
        for name in place(folder):
            print(NEWER.format(folder / name))
    except (CourseError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{folder / START}: the course is in this folder, up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
