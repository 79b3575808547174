"""The files of a submission: regular ones alone, never through a link, with limits on number, depth and size."""

import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from autograder.spelling import composed
from helpers.errors import CourseError

SUBMITTED = Path("submitted")
LARGEST = 100 * 2**20  # bytes of a file that is read
MAX_ENTRIES = 10_000  # files and folders of one submission that are looked at
DEEPEST = 10  # folders in folders
SKIPPED = (".ipynb_checkpoints", "__MACOSX")
FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


class Unreadable(Exception):
    """A file is no notebook; the message is the reason in a few words."""


def submissions(chapter: str, course: Path) -> list[Path]:
    """Return the students' folders for a chapter, by name; CourseError if there is none."""
    found = folders(chapter, course)
    if not found:
        raise CourseError(f"{course / SUBMITTED}: no submissions; they belong in <student>/{chapter}/")
    return found


def folders(chapter: str, course: Path) -> list[Path]:
    """Return what is called as the chapter in the students' folders, without a look into it.

    Of two folders of one name, spelled otherwise (see `spelling`), the one in the form of the roster counts.
    """
    return [same[0] for same in _by_name(chapter, course)]


def twins(chapter: str, course: Path) -> list[str]:
    """Return a line on each student of whom two folders have a chapter: one name, written in two forms."""
    found = [same for same in _by_name(chapter, course) if len(same) > 1]
    return [_said_of(*same) for same in found]


def _said_of(counts: Path, *others: Path) -> str:
    name = counts.parent.name
    said = " and ".join(ascii(other.parent.name) for other in others)
    return (
        f"{name}: {SUBMITTED} holds this name twice, in two forms of Unicode: {name!a} counts, not {said}; "
        "put the right work into the first and take the other away"
    )


def _by_name(chapter: str, course: Path) -> list[list[Path]]:
    """Return the folders of a chapter, those of one name together, the one in the roster's form first."""
    students = sorted((course / SUBMITTED).iterdir()) if (course / SUBMITTED).is_dir() else []
    found: dict[str, list[Path]] = {}
    for student in students:
        if not student.name.startswith(".") and os.path.lexists(student / chapter):
            found.setdefault(composed(student.name), []).append(student / chapter)
    return [sorted(same, key=lambda folder: folder.parent.name != name) for name, same in found.items()]


def place_of(student: str, chapter: str, course: Path) -> Path:
    """Return the folder in which a student's submission of a chapter lies, or is to lie.

    A folder of this name in another form (see `spelling`) is the student's, too.
    """
    folder = course / SUBMITTED / student
    if student.isascii() or os.path.lexists(folder) or not folder.parent.is_dir():
        return folder / chapter
    return next((f for f in sorted(folder.parent.iterdir()) if composed(f.name) == student), folder) / chapter


def names(folder: Path) -> Iterator[str]:
    """Yield the files in a folder and its folders by their names, the nearest first, then by name.

    A folder that is a link, or lies in one, holds nothing.
    """
    if not is_real(folder):
        return
    level, left = [""], MAX_ENTRIES
    for _ in range(DEEPEST + 1):
        below = []
        for place in level:
            entries = _entries(folder / place, left)
            left -= len(entries)
            below += [f"{place}{e.name}/" for e in entries if e.is_dir(follow_symlinks=False) and e.name not in SKIPPED]
            yield from (f"{place}{e.name}" for e in entries if e.is_file(follow_symlinks=False))
        level = below


def _entries(folder: Path, max_entries: int) -> list[os.DirEntry]:
    try:
        with os.scandir(folder) as found:
            return sorted(islice(found, max_entries), key=lambda entry: entry.name)
    except OSError:
        return []


def read(path: Path, max_bytes: int | None = None) -> bytes:
    """Return the bytes of a regular file; raises Unreadable for anything else, and above `max_bytes` or LARGEST.

    Opening a link fails, and opening a FIFO or a device does not wait.
    """
    max_bytes = LARGEST if max_bytes is None else max_bytes
    with os.fdopen(os.open(path, FLAGS), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise Unreadable("no regular file")
        raw = file.read(max_bytes + 1)
    if len(raw) > max_bytes:
        raise Unreadable(f"larger than {max_bytes // 2**20} MB")
    return raw


def is_real(folder: Path) -> bool:
    """Whether a student's folder for a chapter is one, and neither it nor the student's own is a link."""
    return all(stat.S_ISDIR(_mode(f)) for f in (folder.parent, folder))


def is_file(path: Path) -> bool:
    """Whether a path is a regular file of a submission: in its own folder, and no link."""
    return is_real(path.parent) and stat.S_ISREG(_mode(path))


def _mode(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except OSError:
        return 0
