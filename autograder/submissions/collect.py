"""Collect a submission: find the student's notebook, read it leniently, rebuild it.

From submitted/<student>/<chapter>/ only the answers go on. No other file of a student comes along: a torch.py beside
the notebook would be imported in place of torch. Nothing is unpacked: a notebook in a zip is read where it lies.
What is called here runs in a process of its own (see reading_process), which has its time and its memory.
"""

import hashlib
import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from nbformat import NotebookNode

from autograder.execution.results import clean, one_line
from autograder.submissions import files
from autograder.submissions.files import SKIPPED, Unreadable
from autograder.submissions.matching import Matching, pieces
from autograder.submissions.outputs import Shown, outputs
from autograder.submissions.rebuild import rebuild

LARGEST_SCRIPT = 2**19  # bytes of a Python file that is read
MOST_FILES = 20  # of one submission that are looked into
LONGEST_NAME = 128  # characters of a student's id in the gradebook
SUFFIXES = (".zip", ".py", ".json")  # besides everything with .ipynb in its name
EXCHANGE_SECRET = "submission_secret.txt"  # nbgrader writes it when a student submits
SCRIPT_CELL = re.compile(r"(?m)^# In ?\[.*?\]:[ \t]*$")


@dataclass(frozen=True)
class Collected:
    """One student's rebuilt notebook, one line for everything that had to be repaired, when it was handed in.

    shown: the student's text cells as HTML that may be shown, by id (see markup); outputs: what stood below the show
    cells, by id (see outputs); failure: why there is nothing to be judged; secret: what nbgrader's exchange gave the
    submission, to give its feedback back by.
    """

    folder: Path
    notebook: NotebookNode
    repairs: tuple[str, ...]
    timestamp: str | None = None
    shown: dict[str, str] = field(default_factory=dict)
    outputs: Shown = field(default_factory=dict)
    failure: str = ""
    secret: str | None = None

    @property
    def student(self) -> str:
        """The student's name in the gradebook."""
        return student_id(self.folder)


def collect(folder: Path, template: NotebookNode) -> Collected:
    """Rebuild the submission in submitted/<student>/<chapter>.

    template: the released notebook, with the hidden tests or without. What cannot be read is graded as the template,
    which earns nothing, and the reason is in the repairs.
    """
    student = student_id(folder)
    submitted, repairs = _find(folder, template)
    if student != folder.parent.name:
        repairs.append(f"graded as {student}: the gradebook does not take the folder's name as it is")
    made, more = rebuild(template, submitted)
    repairs += more if submitted is not None else []  # else every cell would be told as missing
    timestamp, told = _timestamp(folder)
    below = outputs(submitted, template)
    told = tuple(map(one_line, repairs + told))
    return Collected(folder, made, told, timestamp, outputs=below, secret=_exchange_secret(folder))


def uncollected(folder: Path, template: NotebookNode, reason: str) -> Collected:
    """Return what is graded of a submission that could not even be read: the template, and no points at all."""
    return Collected(folder, rebuild(template, template)[0], (), failure=reason)


def fingerprint(folder: Path) -> str:
    """Return a digest of all files of a submission that count: as long as it stays, the rebuild would be the same."""
    content = hashlib.sha256()
    for name in [*_names(folder), "timestamp.txt", EXCHANGE_SECRET]:
        content.update(f"{name}\0".encode("utf-8", "surrogateescape"))
        raw = tried(files.read, folder / name)
        content.update(hashlib.sha256(raw).digest() if isinstance(raw, bytes) else raw.encode())
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
    found = (_ranked(name, content, folder.name, template) for name, content in _contents(folder))
    # a text or an archive that is no notebook says nothing about one
    found = (one for one in found if one[2][0] or ".ipynb" in one[0] or one[0].endswith(".zip"))
    name, content, rank = max(found, key=lambda one: one[2], default=("", None, ()))
    if content is None:
        return None, ["no notebook was handed in"]
    if isinstance(content, str):
        return None, [f"{name}: {content}"]
    if not rank[0]:
        return None, [f"{name}: holds no cell of this chapter"]
    return content, [] if name == f"{folder.name}.ipynb" else [f"{name}: taken as {folder.name}.ipynb"]


def tried(read: Callable, *given):
    """Return what `read` returns, or the reason why it does not: whatever a file makes it raise costs that file."""
    try:
        return read(*given)
    except Unreadable as reason:
        return str(reason)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    except MemoryError:
        return "takes more memory than there is"
    except Exception as error:
        return f"cannot be read ({one_line(str(error)) or type(error).__name__})"


def _contents(folder: Path) -> Iterator[tuple[str, dict | str]]:
    """Yield the name of each candidate, and what it holds or the reason why it cannot be read."""
    for name in _names(folder):
        for inner, content in _inside(folder / name):
            yield clean(f"{name}/{inner}" if inner else name), content


def _names(folder: Path) -> list[str]:
    """Return the files that may be the notebook, the likeliest first."""
    right = f"{folder.name}.ipynb"
    found = {n for n in files.names(folder) if ".ipynb" in _last(n) or _last(n).endswith(SUFFIXES)}
    found |= {right} if files.is_file(folder / right) else set()  # however many others there are
    return sorted(found, key=lambda n: (n != right, not n.endswith(".ipynb"), ".ipynb" not in _last(n), n))[:MOST_FILES]


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _inside(path: Path) -> Iterator[tuple[str, dict | str]]:
    """Yield the notebooks of one file: ("", itself), or (name, member) of a zip; a reason in place of what is none."""
    if path.suffix != ".zip":
        yield "", tried(_notebook, path)
        return
    members = tried(_members, path)
    if isinstance(members, str):
        yield "", members
        return
    archive, infos = members
    yield from ((info.filename, tried(_member, archive, info)) for info in infos)


def _notebook(path: Path) -> dict:
    if path.suffix == ".py":
        return read_script(files.read(path, LARGEST_SCRIPT))
    return read_leniently(files.read(path))


def _members(path: Path) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    """Return the notebooks in a zip; they are read in memory, so a path that climbs out leads nowhere."""
    raw = files.read(path)
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw))
    except Exception as error:  # the file may hold anything, and so does what zipfile raises
        raise Unreadable(f"a zip that cannot be read ({one_line(str(error))})") from None
    found = [m for m in archive.infolist() if ".ipynb" in PurePosixPath(m.filename).name and not m.is_dir()]
    found = [m for m in found if not any(name in m.filename for name in SKIPPED)]
    if not found:
        raise Unreadable("no notebook is in it")
    return archive, found[:MOST_FILES]


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> dict:
    """Read one notebook of a zip, never more than is allowed: the size that a zip states may be a lie."""
    with archive.open(member) as file:
        raw = file.read(files.LARGEST + 1)
    if len(raw) > files.LARGEST:
        raise Unreadable(f"larger than {files.LARGEST // 2**20} MB")
    return read_script(raw) if member.filename.endswith(".py") else read_leniently(raw)


def _ranked(name: str, content: dict | str, chapter: str, template: NotebookNode) -> tuple[str, dict | str, tuple]:
    """Rank a candidate: the right name counts most, if what it names holds anything of the chapter."""
    cells = content if isinstance(content, str) else tried(cells_of, content, template)
    if isinstance(cells, str):
        content, cells = cells, 0
    return name, content, (cells > 0, name == f"{chapter}.ipynb", name.endswith(".ipynb"), ".ipynb" in name, cells)


def cells_of(content: dict, template: NotebookNode) -> int:
    """Count the exercises of the chapter that a notebook holds, by label or by the names of the functions."""
    matching = Matching(template, pieces(content))
    named = {matching.exercise_of.get(name) for p in matching.pieces for name in p.functions or {}}
    return sum(i in named or bool(matching.all_for(i)) for i in matching.stubs)


def read_file(path: Path) -> dict:
    """Return the notebook that one file holds, a zip or a Python file, too; raises Unreadable, with the reason."""
    path.stat()  # a file that is not there is the caller's mistake
    _, content = next(_inside(path))
    if isinstance(content, str):
        raise Unreadable(content)
    return content


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

    if len(raw) > LARGEST_SCRIPT:
        raise Unreadable(f"larger than {LARGEST_SCRIPT // 2**10} kB")
    text = SCRIPT_CELL.sub("# %%", _text(raw))
    return jupytext.reads(f"# %%\n{text}", fmt="py:percent")  # a header of YAML is then a comment like any other


def _text(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("not a notebook (not UTF-8 text)") from None
    if not text.strip():
        raise Unreadable("the file is empty")
    return text


def _upgraded(content) -> dict:
    """Return the cells of nbformat 3, which has worksheets with inputs in place of cells with sources."""
    try:
        cells = [cell for sheet in content["worksheets"] for cell in sheet["cells"]]
        return {"cells": [{"source": cell.get("input", ""), **cell} for cell in cells]}
    except (TypeError, KeyError, IndexError, AttributeError):
        raise Unreadable("not a notebook (it has no cells)") from None


def _timestamp(folder: Path) -> tuple[str | None, list[str]]:
    """Return the text of timestamp.txt; one that nbgrader does not take for a date would stop it."""
    path = folder / "timestamp.txt"
    if not files.is_real(folder) or not os.path.lexists(path):
        return None, []
    found = tried(_date, path)
    if isinstance(found, str):
        return None, ["timestamp.txt: not a date, the submission counts as undated"]
    return f"{found.isoformat(' ')} UTC", []


def _exchange_secret(folder: Path) -> str | None:
    """Return the text of submission_secret.txt, None where it is not what nbgrader writes."""
    raw = tried(files.read, folder / EXCHANGE_SECRET, 1000) if files.is_real(folder) else ""
    return raw.decode() if isinstance(raw, bytes) and re.fullmatch(rb"[0-9a-f]{32,256}", raw) else None


def _date(path: Path) -> datetime:
    from nbgrader.utils import parse_utc

    return parse_utc(one_line(files.read(path, 1000).decode("utf-8")))
