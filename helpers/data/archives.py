"""Files in their packing: gzip is read as if it were not there, a member is taken out of a zip or a tar.gz."""

import gzip
import io
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

GZIP = b"\x1f\x8b"  # the first two bytes of every gzip file
LEVEL = 6  # level 9 takes three times as long for 1 % less


class Damaged(Exception):
    """A packing that cannot be read; the message is a few words."""


def open_bytes(path: Path) -> BinaryIO:
    """Open a file for reading; one whose name ends in .gz is unpacked on the way."""
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")


def open_text(path: Path, newline: str | None = None) -> TextIO:
    """Open UTF-8 text for reading, packed or not; `newline` as in `open` (a csv reader wants "")."""
    return io.TextIOWrapper(open_bytes(path), encoding="utf-8", newline=newline)


def read_bytes(path: Path) -> bytes:
    """The whole content of a file, packed or not."""
    with open_bytes(path) as stream:
        return stream.read()


def is_gzip(path: Path) -> bool:
    """Whether the content is gzip, whatever the name."""
    with path.open("rb") as stream:
        return stream.read(2) == GZIP


def pack(path: Path, target: Path) -> None:
    """Gzip a file without time or name, so that the same content gives the same bytes."""
    with (
        path.open("rb") as source,
        target.open("wb") as file,
        gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=LEVEL, mtime=0) as packed,
    ):
        shutil.copyfileobj(source, packed)


def extract(archive: Path, member: str, target: Path) -> None:
    """Copy one member of a zip or a tar.gz to `target`; raises Damaged where that cannot be done."""
    with damage(), _opened(archive) as opened, _member(opened, member) as source, target.open("wb") as copy:
        shutil.copyfileobj(source, copy)


def _opened(archive: Path) -> zipfile.ZipFile | tarfile.TarFile:
    return zipfile.ZipFile(archive) if zipfile.is_zipfile(archive) else tarfile.open(archive, "r:gz")


def _member(opened: zipfile.ZipFile | tarfile.TarFile, member: str) -> BinaryIO:
    try:
        source = opened.open(member) if isinstance(opened, zipfile.ZipFile) else opened.extractfile(member)
    except KeyError as error:
        raise Damaged(f"no member {member}") from error
    if source is None:  # a folder in a tar
        raise Damaged(f"{member} is not a file")
    return source


@contextmanager
def damage() -> Iterator[None]:
    """Turn what the packing modules raise over a broken file into `Damaged`; a full disk stays an OSError."""
    try:
        yield
    except EOFError as error:
        raise Damaged("truncated") from error
    except (gzip.BadGzipFile, zipfile.BadZipFile, tarfile.TarError, zlib.error, RuntimeError) as error:
        raise Damaged("broken packing") from error
