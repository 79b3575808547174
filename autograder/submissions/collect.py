"""Collect a submission: find the student's notebook, read it leniently, rebuild it.

From submitted/<student>/<chapter>/ only the answers go on. No other file of a student comes along: a torch.py beside
the notebook would be imported in place of torch. Nothing is unpacked: a notebook in a zip is read where it lies.
"""

import hashlib
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

import nbformat
from nbformat import NotebookNode

from autograder.execution.results import clean, one_line
from autograder.submissions.matching import Matching, pieces
from autograder.submissions.rebuild import rebuild
from helpers.errors import CourseError

SUBMITTED = Path("submitted")
LARGEST = 100 * 2**20  # bytes of a notebook that is read
MOST_FILES = 20  # of one submission that are looked into
LONGEST_NAME = 128  # characters of a student's id in the gradebook
SUFFIXES = (".zip", ".py", ".json")  # besides everything with .ipynb in its name
SCRIPT_CELL = re.compile(r"(?m)^# In ?\[.*?\]:[ \t]*$")


@dataclass(frozen=True)
class Collected:
    """One student's rebuilt notebook, one line for everything that had to be repaired, when it was handed in."""

    student: str
    notebook: NotebookNode
    repairs: tuple[str, ...]
    timestamp: str | None = None


@dataclass(frozen=True)
class Candidate:
    """A file that may be the notebook: its name inside the submission, and how its bytes are read."""

    name: str
    read: Callable[[], bytes]


class Unreadable(Exception):
    """A file is no notebook; the message is the reason in a few words."""


def submissions(chapter: str, course: Path) -> list[Path]:
    """Return the students' folders for a chapter, by name; raises CourseError if there is none."""
    folders = [f for f in sorted((course / SUBMITTED).glob(f"*/{chapter}")) if f.is_dir()]
    folders = [f for f in folders if not f.parent.name.startswith(".")]
    if not folders:
        raise CourseError(f"{course / SUBMITTED}: no submissions; they belong in <student>/{chapter}/")
    return folders


def collect(folder: Path, template: NotebookNode) -> Collected:
    """Rebuild the submission in submitted/<student>/<chapter>.

    template: the released notebook, with the hidden tests or without. Nothing that a student hands in raises: what
    cannot be read is graded as the template, which earns nothing, and the reason is in the repairs.
    """
    student = student_id(folder)
    submitted, repairs = _find(folder, template)
    if student != folder.parent.name:
        repairs.append(f"graded as {student}: the gradebook does not take the folder's name as it is")
    made, more = rebuild(template, submitted)
    repairs += more if submitted is not None else []  # else every cell would be told as missing
    timestamp, told = _timestamp(folder)
    return Collected(student, made, tuple(map(one_line, repairs + told)), timestamp)


def uncollected(folder: Path, template: NotebookNode, reason: str) -> Collected:
    """Return what is graded of a submission that could not even be read: the template."""
    return Collected(student_id(folder), rebuild(template, template)[0], (reason,), _timestamp(folder)[0])


def fingerprint(folder: Path) -> str:
    """Return a digest of all files of a submission that count: as long as it stays, the rebuild would be the same."""
    content = hashlib.sha256()
    for path in [*_files(folder), folder / "timestamp.txt"]:
        content.update(f"{path.relative_to(folder)}\0".encode("utf-8", "surrogateescape"))
        try:
            with path.open("rb") as file:
                content.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            content.update(str(error.errno).encode())
    return content.hexdigest()


def student_id(folder: Path) -> str:
    """Return the student's name as nbgrader and its globs take it; what is replaced is made up for by a digest."""
    name = folder.parent.name
    plain = re.sub(r"[\[\]*?]", "_", clean(name)).strip()
    if plain == name and len(name) <= LONGEST_NAME:
        return name
    return f"{plain[: LONGEST_NAME - 7]}-{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:6]}"


def _find(folder: Path, template: NotebookNode) -> tuple[dict | None, list[str]]:
    """Return the submitted notebook, or None, and what is to be said about the file."""
    found = [(name, content, _rank(name, content, folder.name, template)) for name, content in _contents(folder)]
    # a text or an archive that is no notebook says nothing about one
    found = [one for one in found if one[2][0] or ".ipynb" in one[0] or one[0].endswith(".zip")]
    if not found:
        return None, ["no notebook was handed in"]
    name, content, rank = max(found, key=lambda one: one[2])
    if isinstance(content, str):
        return None, [f"{name}: {content}"]
    if not rank[0]:
        return None, [f"{name}: holds no cell of this chapter"]
    return content, [] if name == f"{folder.name}.ipynb" else [f"{name}: taken as {folder.name}.ipynb"]


def _contents(folder: Path) -> Iterator[tuple[str, dict | str]]:
    """Yield the name of each candidate, and what it holds or the reason why it cannot be read."""
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        try:
            candidates = _in_zip(path, name) if path.suffix == ".zip" else [Candidate(name, path.read_bytes)]
            if path.stat().st_size > LARGEST:
                raise Unreadable(f"larger than {LARGEST // 2**20} MB")
        except Unreadable as reason:
            yield clean(name), str(reason)
        else:
            yield from ((clean(c.name), _read_or_reason(c)) for c in candidates)


def _files(folder: Path) -> list[Path]:
    """Return the files that may be the notebook, the likeliest first; a link that leads out of the folder is none."""
    files = [p for p in sorted(folder.rglob("*")) if ".ipynb" in p.name or p.suffix in SUFFIXES]
    files = [p for p in files if ".ipynb_checkpoints" not in p.parts and "__MACOSX" not in p.parts]
    own = folder.parents[1].resolve() / folder.parent.name / folder.name  # which the folder itself may not leave either
    files = [p for p in files if p.is_file() and p.resolve().is_relative_to(own)]
    files.sort(key=lambda p: (p != folder / f"{folder.name}.ipynb", p.suffix != ".ipynb", ".ipynb" not in p.name))
    return files[:MOST_FILES]


def _in_zip(path: Path, name: str) -> list[Candidate]:
    """Return the notebooks in a zip; they are read in memory, so a path that climbs out leads nowhere."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [m for m in archive.infolist() if ".ipynb" in PurePosixPath(m.filename).name]
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise Unreadable(f"a zip that cannot be read ({one_line(str(error))})") from None
    members = [m for m in members if not m.is_dir() and not re.search(r"ipynb_checkpoints|__MACOSX", m.filename)]
    if not members:
        raise Unreadable("no notebook is in it")
    return [Candidate(f"{name}/{m.filename}", partial(_member, path, m)) for m in members[:MOST_FILES]]


def _member(path: Path, member: zipfile.ZipInfo) -> bytes:
    """Read one file of a zip, never more than is allowed: the size that a zip states may be a lie."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open(member) as file:
            raw = file.read(LARGEST + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zipfile.zlib.error) as error:
        raise Unreadable(f"cannot be read from the zip ({one_line(str(error))})") from None
    if len(raw) > LARGEST:
        raise Unreadable(f"larger than {LARGEST // 2**20} MB")
    return raw


def _rank(name: str, content: dict | str, chapter: str, template: NotebookNode) -> tuple:
    """Order the candidates: the right name counts most, if what it names holds anything of the chapter."""
    cells = 0 if isinstance(content, str) else cells_of(content, template)
    return cells > 0, name == f"{chapter}.ipynb", name.endswith(".ipynb"), ".ipynb" in name, cells


def cells_of(content: dict, template: NotebookNode) -> int:
    """Count the exercises of the chapter that a notebook holds, by label or by the names of the functions."""
    matching = Matching(template, pieces(content))
    named = {matching.exercise_of.get(name) for p in matching.pieces for name in p.functions or {}}
    return sum(i in named or bool(matching.all_for(i)) for i in matching.stubs)


def read_file(path: Path) -> dict:
    """Return the notebook that one file holds, a zip or a Python file, too; raises Unreadable, with the reason."""
    if path.stat().st_size > LARGEST:
        raise Unreadable(f"larger than {LARGEST // 2**20} MB")
    candidates = _in_zip(path, path.name) if path.suffix == ".zip" else [Candidate(path.name, path.read_bytes)]
    return _read(candidates[0])


def _read(candidate: Candidate) -> dict:
    raw = candidate.read()
    return read_script(raw) if candidate.name.endswith(".py") else read_leniently(raw)


def _read_or_reason(candidate: Candidate) -> dict | str:
    try:
        return _read(candidate)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    except Unreadable as reason:
        return str(reason)
    except MemoryError:
        return "takes more memory than there is"


def read_leniently(raw: bytes) -> dict:
    """Return a notebook of any format and with damaged metadata; raises Unreadable, with the reason."""
    text = _text(raw)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("not a notebook (invalid JSON)") from None
    return content if isinstance(content, dict) and "cells" in content else _upgraded(content)


def read_script(raw: bytes) -> dict:
    """Return a notebook made of a Python file: percent format, nbconvert's export, or plain functions."""
    import jupytext

    try:
        return jupytext.reads(SCRIPT_CELL.sub("# %%", _text(raw)), fmt="py:percent")
    except Unreadable:
        raise
    except Exception:  # the file may hold anything, and so does what jupytext raises
        raise Unreadable("not a notebook as a Python file") from None


def _text(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("not a notebook (not UTF-8 text)") from None
    if not text.strip():
        raise Unreadable("the file is empty")
    return text


def _upgraded(content) -> dict:
    """Bring nbformat 3, which has worksheets in place of cells, to the present format."""
    try:
        return nbformat.convert(nbformat.from_dict(content), 4)
    except Exception:  # the file may hold anything, and so does what the conversion raises
        raise Unreadable("not a notebook (it has no cells)") from None


def _timestamp(folder: Path) -> tuple[str | None, list[str]]:
    """Return the text of timestamp.txt; one that nbgrader does not take for a date would stop it."""
    from nbgrader.utils import parse_utc

    path = folder / "timestamp.txt"
    if path.is_symlink() or not path.is_file():
        return None, []
    try:
        text = one_line(path.read_text(encoding="utf-8")) if path.stat().st_size < 1000 else ""
        return parse_utc(text).isoformat(" ") + " UTC", []
    except Exception:  # whatever dateutil raises, the file is no date
        return None, ["timestamp.txt: not a date, the submission counts as undated"]
