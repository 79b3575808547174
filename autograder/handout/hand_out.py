"""The student edition, looked through for leaks, then written: as a folder, as a zip, as a repository."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from autograder import paths
from autograder.handout import leaks, repository, target
from autograder.handout.edition import edition
from autograder.report.safe_text import count
from helpers.errors import CourseError

DEFAULT = paths.ROOT / "build" / "handout"


def hand_out(
    chapters: Sequence[str],
    to: Path | None = None,
    git: bool = False,
    url: str = "",
    course: Path | None = None,
    ai: bool = True,
) -> str:
    """Write the student edition of the chapters; returns what was done, in a line.

    course: the folder whose course.toml changes chapters. ai: with what helps AI assistants to teach. Raises
    CourseError, and writes nothing, if anything secret is in it, or if the target holds something else.
    """
    _refuse(to, git, url)
    to, packed = to or DEFAULT, to is not None and to.suffix == ".zip"
    files = edition(chapters, url, course, ai)
    leaks.ensure_none(files, course)
    size = f"{count(len(files), 'file')}, {sum(map(len, files.values())) / 1e6:.1f} MB"
    if packed:
        target.write_zip(files, to)
        return f"wrote {to} ({size})"
    before = target.written(to)
    changed = target.write_folder(files, to)
    said = f"{to}: {size}, {len(changed)} of them new, changed or removed" if changed else f"{to}: nothing changed"
    if not git:
        return said
    tag = repository.release(to, sorted({*before, *target.written(to)}))
    return f"{said}; committed and tagged {tag}" if tag else f"{said}; nothing to commit, no new tag"


def _refuse(to: Path | None, git: bool, url: str) -> None:
    """Raise CourseError for options that do not go together."""
    if git and (to is None or to.suffix == ".zip"):
        raise CourseError("--git makes a repository in a folder of its own; name one: --to FOLDER")
    if url and (urlsplit(url).scheme not in ("http", "https") or any(c in url for c in "\"'\\ ")):
        raise CourseError(f"--url {url}: give the address where the zip will lie, https://...")
