"""Writing the student edition into a folder that may hold one already, or into a zip.

A list of what was written lies in the folder. So the next edition replaces and removes its own files only; what
somebody added stays, and what somebody changed is never overwritten.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from autograder.zips import zipped
from helpers.errors import CourseError
from helpers.files import write_whole

LIST = "handout.json"  # in the folder: {"files": {path: sha256}}
NAME = "bow2lora"  # the folder in a zip
SHOWN = 3  # files in a message


def write_zip(files: Mapping[str, bytes], path: Path) -> None:
    """Write the edition as a zip: the same edition gives the same bytes."""
    if path.is_dir():
        raise CourseError(f"{path} is a folder; give the zip another name")
    write_whole(path, zipped({f"{NAME}/{name}": content for name, content in files.items()}))


def write_folder(files: Mapping[str, bytes], folder: Path) -> list[str]:
    """Write the edition into a folder; returns the paths that were written or removed.

    Raises CourseError, and writes nothing, if the folder holds something else than an edition, or files of the
    edition that were changed since.
    """
    before = _before(folder)
    files = {**files, LIST: _list_of(files)}
    changed = [name for name in {**before, **files} if _digest(folder / name) != _sha(files.get(name))]
    foreign = sorted(n for n in changed if (found := _digest(folder / n)) and found != before.get(n) and n != LIST)
    if foreign:
        shown = ", ".join(foreign[:SHOWN]) + (f" and {len(foreign) - SHOWN} more" if len(foreign) > SHOWN else "")
        raise CourseError(f"{folder}: not as it was handed out: {shown}; move them away, or hand out to another folder")
    for name in changed:
        if name in files:
            write_whole(folder / name, files[name])
        else:
            _remove(folder / name, folder)
    return sorted(changed)


def _remove(path: Path, folder: Path) -> None:
    """Remove a file, and the folders that are empty without it."""
    path.unlink()
    for parent in path.relative_to(folder).parents:
        if parent != Path() and not any((folder / parent).iterdir()):
            (folder / parent).rmdir()


def written(folder: Path) -> list[str]:
    """Return the paths of the edition in a folder, the list itself with them."""
    return sorted([*_before(folder), LIST])


def _before(folder: Path) -> dict[str, str]:
    """Return {path: sha256} of the edition that lies in a folder, {} for none; CourseError for something else."""
    if folder.exists() and not folder.is_dir():
        raise CourseError(f"{folder} is a file; name a folder, or a zip that ends in .zip")
    if not folder.exists():
        return {}
    there = [path.name for path in folder.iterdir() if path.name != ".git"]
    if LIST in there:
        try:
            return dict(json.loads((folder / LIST).read_bytes())["files"])
        except (ValueError, KeyError, TypeError):
            raise CourseError(f"{folder / LIST}: damaged; hand out to another folder") from None
    if there:
        raise CourseError(f"{folder} is not empty and holds no student edition; name another folder")
    return {}


def _list_of(files: Mapping[str, bytes]) -> bytes:
    found = {name: _sha(content) for name, content in files.items()}
    return (json.dumps({"files": found}, indent=1, sort_keys=True) + "\n").encode("utf-8")


def _digest(path: Path) -> str:
    return _sha(path.read_bytes()) if path.is_file() else ""


def _sha(content: bytes | None) -> str:
    return "" if content is None else hashlib.sha256(content).hexdigest()
