"""The zips of Canvas, Moodle and Gradescope, opened in a process of its own: what is in them, and one student's part.

A zip holds what students wrote, their file names among it, so nothing of it is believed: a member is read up to a limit
and written under a plain name into the student's own folder; what cannot be read costs its student alone.
"""

import hashlib
import os
import shutil
import struct
import zipfile
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from autograder.linux.limits import limit_memory
from autograder.lms import canvas, gradescope, moodle
from autograder.lms.zip_names import Named
from autograder.submissions import files
from autograder.submissions.choosing import SUFFIXES
from autograder.submissions.files import SKIPPED, Unreadable
from autograder.submissions.notebooks import MAX_FILES, says_notebook, tried
from autograder.terminal import clean, one_line
from helpers.errors import CourseError

MEGABYTES = 4_000  # of the process's address space
MAX_MEMBERS = 50_000  # of a zip
MOST_MEGABYTES = 200  # of one student's files together, unpacked
LONGEST_NAME = 100  # characters of a file that is written
LONGEST_TOLD = 200  # characters of a name that is told
UNIX_TIME = 0x5455  # the extra field with the time in UTC


class Unpacker:
    """In the process: answers what lies in a zip, and writes one student's part of it; as JSON."""

    def __init__(self):
        limit_memory(MEGABYTES)
        self.path = ""
        self.archive: zipfile.ZipFile | None = None

    def __call__(self, question: dict) -> object:
        """Answer {"list": {zip, numbers}} or {"place": {zip, members, to, known, replace, timestamp}}."""
        (what, given), *_ = question.items()
        archive = self._opened(given.pop("zip"))
        return listed(archive, **given) if what == "list" else placed(archive, **given)

    def _opened(self, path: str) -> zipfile.ZipFile:
        if self.archive is None or path != self.path:
            try:
                self.path, self.archive = path, zipfile.ZipFile(path)
            except FileNotFoundError:
                raise CourseError("there is no such file") from None
            except Exception as error:  # the file may hold anything, and so does what zipfile raises
                raise CourseError(f"a zip that cannot be read ({one_line(str(error))})") from None
        return self.archive


def listed(archive: zipfile.ZipFile, numbers: Collection[str]) -> dict:
    """Return {"system": its name, "works": what each student handed in, "strays": the members that are nobody's}.

    numbers: those of the roster's students in Canvas.
    """
    members = list(enumerate(archive.infolist()[:MAX_MEMBERS]))
    infos = [(i, m) for i, m in members if not m.is_dir() and not _is_skipped(m)]
    names = [member.filename for _, member in infos]
    system, named = system_of(names, set(numbers))
    if system is None:
        raise CourseError("no zip of submissions from Canvas, Moodle or Gradescope")
    works: dict[str, dict] = {}
    for (index, member), name in zip(infos, named, strict=True):
        if name is not None:
            _add(works.setdefault(name.key, _work(name)), index, member, name)
    if metadata := gradescope.metadata_of(names):
        _describe(works, gradescope.read_metadata(archive, metadata))
    unread = [member for member, name in zip(names, named, strict=True) if name is None]
    strays = [clean(member)[:LONGEST_TOLD] for member in unread if not member.endswith(gradescope.METADATA)]
    return {"system": system, "works": [works[key] for key in sorted(works)], "strays": strays}


def _is_skipped(member: zipfile.ZipInfo) -> bool:
    return any(part in SKIPPED for part in member.filename.split("/"))


def system_of(names: Sequence[str], numbers: Collection[str] = ()) -> tuple[str | None, list[Named | None]]:
    """Return the system that a zip with these members comes from, None if none, and what each name says.

    A student chooses the end of a name and may make it look like another system's: the system is the one whose form
    most of all names have; of as many Moodle, whose form is the longer one.
    """
    if gradescope.metadata_of(names):
        return "gradescope", list(map(gradescope.read_name, names))
    read: dict[str, list[Named | None]] = {"moodle": list(map(moodle.read_name, names))}
    read["canvas"] = [canvas.read_name(name, numbers) for name in names]
    system = max(read, key=lambda one: sum(named is not None for named in read[one]))
    return (system if any(read[system]) else None), read[system]


def _work(name: Named) -> dict:
    who = []
    if name.who:
        who = [{"name": clean(name.who), "id": name.number, "anonymous": name.anonymous}]
    return {"who": who, "number": name.number, "order": 0, "late": False, "when": "", "files": [], "left": 0}


def _add(work: dict, index: int, member: zipfile.ZipInfo, name: Named) -> None:
    """Add a member to a student's work, if it may hold the notebook."""
    last = PurePosixPath(name.file).name
    work["late"] |= name.late
    work["order"] = max(work["order"], name.order)
    if (says_notebook(last) or last.casefold().endswith(SUFFIXES)) and len(work["files"]) < MAX_FILES:
        work["files"].append([index, member.filename, _plain(last, work["files"])])
        work["when"] = max(work["when"], _time(member))
    else:
        work["left"] += 1


def _plain(name: str, taken: list) -> str:
    """Return a name for a file that hides nothing, climbs nowhere and is no other's."""
    plain = " ".join(clean(name).split()).replace("/", "_").replace("\\", "_").strip(". ")
    stem, dot, suffix = plain.rpartition(".")
    plain = f"{stem[: LONGEST_NAME - len(suffix[:20])]}{dot}{suffix[:20]}" or "file"
    others = {one[2] for one in taken}
    return plain if plain not in others else f"{len(taken)}_{plain}"


def _time(member: zipfile.ZipInfo) -> str:
    """Return when a member was last written: in UTC where the zip says so, else by the clock of who made the zip."""
    extra = member.extra
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        if kind == UNIX_TIME and size >= 5 and len(extra) >= 9 and extra[4] & 1:
            return datetime.fromtimestamp(struct.unpack("<i", extra[5:9])[0], UTC).isoformat()
        extra = extra[4 + size :]
    try:
        return datetime(*member.date_time).isoformat()
    except ValueError:
        return ""


def _describe(works: dict[str, dict], metadata: dict) -> None:
    """Add who handed in and when, as Gradescope says it; several may have handed in together."""
    for key, work in works.items():
        work["who"] = gradescope.submitters(metadata.get(key))
        work["when"] = gradescope.created_at(metadata.get(key))


def placed(archive: zipfile.ZipFile, members: list, to: str, known: str, replace: bool, timestamp: str) -> dict:
    """Write one student's files into the folder `to`; returns {"digest", "did", "told"}.

    known: the digest of what `collect` put there before; replace: whether something else may take its place. did: new,
    same, left (something else is there and stays) or none (no file could be read).
    """
    found, left = [], MOST_MEGABYTES * 2**20
    for index, _, file in members:
        content = tried(_bytes, archive, index, left)
        left -= len(content) if isinstance(content, bytes) else 0
        found.append((file, content))
    told = [f"{file}: {content}" for file, content in found if isinstance(content, str)]
    good = [(file, content) for file, content in found if isinstance(content, bytes)]
    digest = _digest(good)
    folder = Path(to)
    if not good:
        return {"digest": "", "did": "none", "told": told}
    there = os.path.lexists(folder)
    if there and known == digest:
        return {"digest": digest, "did": "same", "told": told}
    if there and not (replace and files.is_real(folder)):
        return {"digest": known, "did": "left", "told": told}
    dated = [("timestamp.txt", timestamp.encode())] if timestamp else []
    _swap(folder, [*good, *dated])
    return {"digest": digest, "did": "new", "told": told}


def _bytes(archive: zipfile.ZipFile, index: int, left: int) -> bytes:
    """Return one member, never more than is allowed and left: the size that a zip states may be a lie."""
    with archive.open(archive.infolist()[index]) as file:
        raw = file.read(min(files.LARGEST, left) + 1)
    if len(raw) > files.LARGEST:
        raise Unreadable(f"larger than {files.LARGEST // 2**20} MB")
    if len(raw) > left:
        raise Unreadable(f"more than {MOST_MEGABYTES} MB with the student's other files")
    return raw


def _digest(found: Iterable[tuple[str, bytes]]) -> str:
    content = hashlib.sha256()
    for file, raw in sorted(found):
        content.update(f"{file}\0{hashlib.sha256(raw).hexdigest()}\0".encode("utf-8", "surrogateescape"))
    return content.hexdigest()


def _swap(folder: Path, content: Iterable[tuple[str, bytes]]) -> None:
    """Put a folder with these files in the place of the one that is there, if any: one of the two is always whole."""
    new, old = (folder.with_name(f".{folder.name}.{word}") for word in ("new", "old"))
    for left in (new, old):
        shutil.rmtree(left, ignore_errors=True)
    new.mkdir(parents=True)
    for file, raw in content:
        with (new / file).open("xb") as out:
            out.write(raw)
    if os.path.lexists(folder):
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
