"""One file as the notebooks that it may hold: an .ipynb of any format, a Python file, or a zip of them; read leniently.

Nothing is unpacked: a notebook in a zip is read where it lies.
"""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.spreadsheets import UTF_16
from autograder.submissions import conflicts, files
from autograder.submissions.files import SKIPPED, Unreadable
from autograder.terminal import clean, one_line

LARGEST_SCRIPT = 2**19  # bytes of a Python file that is read
MAX_FILES = 20  # of one submission that are looked into, and of one zip
MOST_ZIPS = 2  # in one another
ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"  # how such a file begins
SCRIPT_CELL = re.compile(r"(?m)^# In ?\[.*?\]:[ \t]*$")
PULLED = re.compile(r"__(\d{14})(?=\D|$)")  # nbgitpuller gives a file that is in its way the date as a name
Read = tuple[dict, str]  # a notebook, and what is to be said of how it was read


@dataclass(frozen=True)
class Candidate:
    """What may be the notebook that counts.

    name: the file's, in a zip the member's behind it; content: the notebook, None where it could not be read, and
    reason says why; note: a line on how it was read; written: the date, in digits, where the name or a zip has one.
    """

    name: str
    content: dict | None
    reason: str = ""
    note: str = ""
    written: str = ""


def candidates(path: Path, name: str, chapter: str = "") -> Iterator[Candidate]:
    """Yield what a file may hold as a notebook: itself, each of a zip, each side of a conflict; else the reason.

    What a file is its bytes say first: a zip may be called .ipynb.
    name: what the file is called in what is said of it; chapter: notebooks called so come first out of a zip.
    """
    raw = tried(files.read, path)
    if isinstance(raw, str):
        yield Candidate(clean(name), None, raw)
        return
    yield from _within(raw, name, _pulled(name), chapter)


def _within(raw: bytes, name: str, written: str, chapter: str, depth: int = 0) -> Iterator[Candidate]:
    """Yield what the bytes of a file may hold; depth: in so many zips it lies."""
    if not is_zip(name) and not raw.startswith(ZIP):
        yield from _candidates(name, written, _of_bytes, raw, name)
        return
    members = tried(_members, raw, chapter, depth)
    if isinstance(members, str):
        yield Candidate(clean(name), None, members)
        return
    archive, infos = members
    for info in infos:
        inner, one = f"{name}/{info.filename}", tried(_member, archive, info)
        if isinstance(one, str):
            yield Candidate(clean(inner), None, one)
            continue
        packed = _pulled(info.filename) or "{:04}{:02}{:02}{:02}{:02}{:02}".format(*info.date_time)
        yield from _within(one, inner, packed, chapter, depth + 1)


def _candidates(name: str, written: str, read: Callable, *given) -> Iterator[Candidate]:
    found = tried(read, *given)
    if isinstance(found, str):
        yield Candidate(clean(name), None, found)
        return
    yield from (Candidate(clean(name), content, note=note, written=written) for content, note in found)


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


def _pulled(name: str) -> str:
    found = PULLED.search(name)
    return found[1] if found else ""


def says_notebook(name: str) -> bool:
    """Whether a file's name says that it is a notebook, whatever a browser or a phone has made of it."""
    return ".ipynb" in PurePosixPath(name).name.casefold()


def is_zip(name: str) -> bool:
    """Whether a file's name says that it is a zip."""
    return name.casefold().endswith(".zip")


def _of_bytes(raw: bytes, name: str) -> list[Read]:
    raw = _inflated(raw) if raw.startswith(GZIP) else raw
    return read_script(raw) if name.casefold().endswith(".py") else read_leniently(raw)


def _inflated(raw: bytes) -> bytes:
    """Return what gzip packed, as some browsers keep what they download; never more than is allowed."""
    try:
        plain = zlib.decompressobj(wbits=31).decompress(raw, files.LARGEST + 1)
    except zlib.error:
        raise Unreadable("packed by gzip, and damaged") from None
    return _bounded(plain)


def _members(raw: bytes, chapter: str, depth: int) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    """Return the notebooks in a zip, and the zips; they are read in memory, so a path that climbs out leads nowhere."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw))
    except Exception as error:  # the file may hold anything, and so does what zipfile raises
        raise Unreadable(f"a zip that cannot be read ({one_line(str(error))})") from None
    inside = [m for m in archive.infolist() if not m.is_dir()]
    for name in SKIPPED:
        inside = [m for m in inside if name not in m.filename]
    found = [m for m in inside if says_notebook(m.filename)]
    found.sort(key=lambda m: chapter.casefold() not in PurePosixPath(m.filename).name.casefold())
    if depth < MOST_ZIPS:
        found += [m for m in inside if is_zip(m.filename) and m not in found]
    if not found:
        raise Unreadable("no notebook is in it")
    return archive, found[:MAX_FILES]


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Return one file of a zip, never more than is allowed: the size that a zip states may be a lie."""
    with archive.open(member) as file:
        return _bounded(file.read(files.LARGEST + 1))


def _bounded(raw: bytes) -> bytes:
    if len(raw) > files.LARGEST:
        raise Unreadable(f"larger than {files.LARGEST // 2**20} MB")
    return raw


def read_leniently(raw: bytes) -> list[Read]:
    """Return a notebook of any format and with damaged metadata; of one with git's conflict markers both sides.

    Raises Unreadable, with the reason.
    """
    text = _text(raw)
    try:
        return [(_loaded(text), "")]
    except (ValueError, RecursionError):
        return _sides(text)


def _sides(text: str) -> list[Read]:
    sides, found = conflicts.sides(text), []
    for side in sides:
        try:
            note = f"conflict markers of git in line {side.line}, the side {side.name} was read"
            found.append((_loaded(side.text), note))
        except (ValueError, RecursionError):
            continue
    if not found:
        where = f", conflict markers of git in line {sides[0].line}" if sides else ""
        raise Unreadable(f"not a notebook (invalid JSON{where})")
    return found


def _loaded(text: str) -> dict:
    content = json.loads(text)
    return content if isinstance(content, dict) and "cells" in content else _upgraded(content)


def read_script(raw: bytes) -> list[Read]:
    """Return a notebook made of a Python file: percent format, nbconvert's export, or plain functions."""
    import jupytext

    if len(raw) > LARGEST_SCRIPT:
        raise Unreadable(f"larger than {LARGEST_SCRIPT // 2**10} kB")
    text = SCRIPT_CELL.sub("# %%", _text(raw))
    # a header of YAML is then a comment like any other
    return [(jupytext.reads(f"# %%\n{text}", fmt="py:percent"), "")]


def _text(raw: bytes) -> str:
    """Return the text of a file: UTF-8, or UTF-16 with its mark, as PowerShell writes what is sent to a file."""
    try:
        text = raw.decode("utf-16" if raw.startswith(UTF_16) else "utf-8-sig")
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
