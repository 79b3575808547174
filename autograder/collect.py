"""Collect a chapter's submissions: find each student's notebook, read it leniently, rebuild it.

From submitted/<student>/<chapter>/ only the answers go on, into build/collected/<student>/<chapter>/. No other file
of a student comes along: a torch.py beside the notebook would be imported in place of torch.
"""

import hashlib
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import nbformat
from dateutil.parser import ParserError
from dateutil.parser import parse as parse_date
from nbformat import NotebookNode

from autograder.build import write
from autograder.matching import Matching, pieces
from autograder.rebuild import rebuild
from helpers.errors import CourseError

SUBMITTED, COLLECTED = Path("submitted"), Path("build/collected")
LARGEST = 100 * 2**20  # bytes of a notebook that is read


@dataclass(frozen=True)
class Collected:
    """One student's rebuilt notebook, and one line for everything that had to be repaired."""

    student: str
    notebook: Path
    repairs: tuple[str, ...]


class Unreadable(Exception):
    """A file is no notebook; the message is the reason in a few words."""


def submissions(chapter: str, course: Path) -> list[Path]:
    """Return the students' folders for a chapter, by name; raises CourseError if there is none."""
    folders = [f for f in sorted((course / SUBMITTED).glob(f"*/{chapter}")) if f.is_dir()]
    folders = [f for f in folders if not f.parent.name.startswith(".")]
    if not folders:
        raise CourseError(f"{course / SUBMITTED}: no submissions; they belong in <student>/{chapter}/")
    return folders


def collect(chapter: str, course: Path, template: NotebookNode) -> list[Collected]:
    """Rebuild every submission of a chapter.

    template: the released notebook. Nothing that a student hands in raises: what cannot be read is graded as the
    template, which earns nothing, and the reason is in the repairs.
    """
    return [_collect(folder, course, template) for folder in submissions(chapter, course)]


def _collect(folder: Path, course: Path, template: NotebookNode) -> Collected:
    chapter, student = folder.name, _student_id(folder.parent.name)
    submitted, repairs = _find(folder, template)
    if student != folder.parent.name:
        repairs.append(f"graded as {student}: nbgrader cannot find a folder with one of [ ] * ? in its name")
    made, more = rebuild(template, submitted)
    repairs += more if submitted is not None else []  # else every cell would be told as missing
    target = course / COLLECTED / student / chapter
    shutil.rmtree(target, ignore_errors=True)
    made.metadata["bow2lora"] = {"repairs": repairs + _copy_timestamp(folder, target)}
    write(made, target / f"{chapter}.ipynb")
    return Collected(student, target / f"{chapter}.ipynb", tuple(made.metadata["bow2lora"]["repairs"]))


def _student_id(folder_name: str) -> str:
    """Return a name that nbgrader's globs take literally; what had to be replaced is made up for by a digest."""
    plain = re.sub(r"[\[\]*?]", "_", folder_name)
    return plain if plain == folder_name else f"{plain}-{hashlib.sha256(folder_name.encode()).hexdigest()[:6]}"


def _find(folder: Path, template: NotebookNode) -> tuple[dict | None, list[str]]:
    """Return the submitted notebook, or None, and what is to be said about the file."""
    found = [(p, _read_or_reason(p)) for p in _candidates(folder)]
    if not found:
        return None, ["no notebook was handed in"]
    path, content = max(found, key=lambda pair: _rank(*pair, folder, template))
    name = path.relative_to(folder).as_posix()
    if isinstance(content, str):
        return None, [f"{name}: {content}"]
    if not _cells_of(content, template):
        return None, [f"{name}: holds no cell of this chapter"]
    return content, [] if name == f"{folder.name}.ipynb" else [f"{name}: taken as {folder.name}.ipynb"]


def _candidates(folder: Path) -> list[Path]:
    """Return the files that may be the notebook; a link that leads out of the folder is none."""
    files = [p for p in sorted(folder.rglob("*")) if ".ipynb" in p.name and ".ipynb_checkpoints" not in p.parts]
    return [p for p in files if p.is_file() and p.resolve().is_relative_to(folder.resolve())]


def _rank(path: Path, content: dict | str, folder: Path, template: NotebookNode) -> tuple:
    """Order the candidates: the right name counts most, if what it names holds anything of the chapter."""
    cells = 0 if isinstance(content, str) else _cells_of(content, template)
    return cells > 0, path == folder / f"{folder.name}.ipynb", path.suffix == ".ipynb", cells


def _cells_of(content: dict, template: NotebookNode) -> int:
    """Count the exercises of the chapter that a notebook holds, by label or by the names of the functions."""
    matching = Matching(template, pieces(content))
    named = {matching.exercise_of.get(name) for p in matching.pieces for name in p.functions or {}}
    return sum(i in named or bool(matching.all_for(i)) for i in matching.stubs)


def _read_or_reason(path: Path) -> dict | str:
    try:
        return read_leniently(path)
    except Unreadable as reason:
        return str(reason)


def read_leniently(path: Path) -> dict:
    """Read a notebook of any format and with damaged metadata; raises Unreadable, with the reason."""
    try:
        if path.stat().st_size > LARGEST:
            raise Unreadable(f"larger than {LARGEST // 2**20} MB")
        text = path.read_text(encoding="utf-8-sig")
        content = json.loads(text) if text.strip() else None
    except OSError as error:
        raise Unreadable(f"cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise Unreadable("not a notebook (not UTF-8 text)") from None
    except (ValueError, RecursionError):
        raise Unreadable("not a notebook (invalid JSON)") from None
    if content is None:
        raise Unreadable("the file is empty")
    return content if isinstance(content, dict) and "cells" in content else _upgraded(content)


def _upgraded(content) -> dict:
    """Bring nbformat 3, which has worksheets in place of cells, to the present format."""
    try:
        return nbformat.convert(nbformat.from_dict(content), 4)
    except Exception:  # the file may hold anything, and so does what the conversion raises
        raise Unreadable("not a notebook (it has no cells)") from None


def _copy_timestamp(folder: Path, target: Path) -> list[str]:
    """Copy timestamp.txt; one that is no date would stop nbgrader."""
    path = folder / "timestamp.txt"
    if path.is_symlink() or not path.is_file():
        return []
    try:
        text = path.read_text(encoding="utf-8").strip()
        parse_date(text)
    except (OSError, ValueError, ParserError, OverflowError):
        return ["timestamp.txt: not a date, the submission counts as undated"]
    target.mkdir(parents=True, exist_ok=True)
    (target / "timestamp.txt").write_text(f"{text}\n", encoding="utf-8")
    return []
