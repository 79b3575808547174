"""Bring the files of a data set: from the mirror folder, from the cache, or by download.

A file enters the cache whole or not at all: it is written to a temporary folder inside the cache,
checked against its size and sha256, and moved into place by one rename (`os.replace`).
"""

import errno
import hashlib
import os
import shutil
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path
from urllib.parse import urlsplit

from helpers.data.registry import Entry, File, Source, datasets_folder
from helpers.errors import DataError

TIMEOUT = (5, 30)  # seconds to connect, and between two reads


class Unavailable(Exception):
    """One address did not give the file; the next one may."""


class Unreachable(Unavailable):
    """The address did not even answer."""


def bundled(entry: Entry) -> list[Path]:
    """The files of a bundled data set; one that is missing or changed is an error."""
    paths = [datasets_folder() / file.path for file in entry.files]
    for path, file in zip(paths, entry.files, strict=True):
        if problem := check(path, file):
            raise DataError(f"The bundled file {path} is damaged ({problem}).", "Reinstall bow2lora.")
    return paths


def obtain(entry: Entry, download: bool = True) -> list[Path]:
    """The checked files of a data set, in the order of the registry.

    Raises:
        DataError: with the reason in one line, and what to do about it.
    """
    return [_obtain_file(entry.title, file, download) for file in entry.files]


def _obtain_file(title: str, file: File, download: bool) -> Path:
    if path := _in_mirror(title, file):
        return path
    cached = cache_folder() / file.path
    if cached.is_file() and not check(cached, file):
        return cached
    if not download:
        raise DataError(
            f"{title}: neither in BOW2LORA_DATA nor in the cache, and no download while grading.",
            'Take edition="offline".',
        )
    return _download(title, file, cached)


def _in_mirror(title: str, file: File) -> Path | None:
    """The file in the folder BOW2LORA_DATA, None if there is none; a damaged one is an error."""
    mirror = os.environ.get("BOW2LORA_DATA")
    if not mirror:
        return None
    if not Path(mirror).expanduser().is_dir():
        raise DataError(f"{title}: BOW2LORA_DATA names {mirror}, which is not a folder.", "Correct it or unset it.")
    path = Path(mirror).expanduser() / file.path
    if path.is_file() and (problem := check(path, file)):
        raise DataError(f"{title}: {path} is damaged ({problem}).", "Replace it or unset BOW2LORA_DATA.")
    return path if path.is_file() else None


def cache_folder() -> Path:
    """BOW2LORA_CACHE, or the folder that this operating system has for caches."""
    if chosen := os.environ.get("BOW2LORA_CACHE"):
        return Path(chosen).expanduser()
    import pooch

    return Path(pooch.os_cache("bow2lora"))


def check(path: Path, file: File) -> str:
    """What is wrong with the file at `path`; empty if nothing is."""
    try:
        size = path.stat().st_size
        if size < file.bytes:
            return f"truncated: {size:,} of {file.bytes:,} bytes"
        with path.open("rb") as stream:
            same = hashlib.file_digest(stream, "sha256").hexdigest() == file.sha256
    except OSError as error:
        return error.strerror or str(error)
    return "" if same else "wrong checksum"


def _download(title: str, file: File, target: Path) -> Path:
    """Put the file at `target`, complete or not at all."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".part-", dir=target.parent) as folder:
            _fetch_any(title, file, Path(folder)).replace(target)
    except OSError as error:
        raise _disk_error(title, error, target.parent) from error
    return target


def _disk_error(title: str, error: OSError, folder: Path) -> DataError:
    if error.errno == errno.ENOSPC:
        remedy = f"Make room in {folder}, or set BOW2LORA_CACHE to another folder."
        return DataError(f"{title}: the disk is full.", remedy)
    problem = f"{title}: cannot write to {folder} ({error.strerror or error})."
    return DataError(problem, "Set BOW2LORA_CACHE to another folder.")


def _fetch_any(title: str, file: File, folder: Path) -> Path:
    """The checked file from the first address that gives it."""
    failures: list[Unavailable] = []
    for source in file.sources:
        try:
            return _fetch(title, source, file, folder)
        except Unavailable as failure:
            failures.append(failure)
    reached = any(not isinstance(failure, Unreachable) for failure in failures)
    reason = "; ".join(str(failure) for failure in failures) if reached else "no network"
    raise DataError(
        f"{title}: {reason}.",
        f"To get the real set, connect and try again, or set BOW2LORA_DATA to a folder with {file.path}.",
    )


def _fetch(title: str, source: Source, file: File, folder: Path) -> Path:
    """Download from one address into `folder`, unpack, check."""
    host, part = urlsplit(source.url).netloc, folder / "part"
    _get(title, source.url, host, part)
    if source.member:
        part = _unzip(part, source.member, folder / "member", host)
    if problem := check(part, file):
        raise Unavailable(f"the file from {host} is not the expected one ({problem})")
    return part


def _get(title: str, url: str, host: str, path: Path) -> None:
    """Download to `path` with a progress bar; say in a few words why that failed."""
    import pooch
    from requests import exceptions as failed

    bar = _progress_bar(title)
    try:
        pooch.HTTPDownloader(progressbar=bar, timeout=TIMEOUT)(url, str(path), None)
    except failed.HTTPError as error:
        raise Unavailable(f"{host} answers {error.response.status_code}") from error
    except failed.ChunkedEncodingError as error:
        raise Unavailable(f"the download from {host} broke off") from error
    except failed.SSLError as error:
        raise Unavailable(f"no secure connection to {host}") from error
    except (failed.ConnectionError, failed.Timeout) as error:
        raise Unreachable(f"{host} does not answer") from error
    except failed.RequestException as error:
        raise Unavailable(f"{url} cannot be used ({type(error).__name__})") from error
    finally:
        bar.close()


def _progress_bar(title: str):
    """A tqdm on stdout (a notebook paints stderr red) that shows nothing before the first bytes."""
    from tqdm import tqdm

    class Bar(tqdm):
        def __bool__(self):  # pooch asks before the size is known, where tqdm itself raises
            return True

        def reset(self, total=None):  # pooch calls it once all is there, and then adds the whole size
            self.delay = 0
            self.n = 0 if self.total else self.n

    return Bar(desc=title, unit="B", unit_scale=True, file=sys.stdout, delay=1e-3)


def _unzip(archive: Path, member: str, target: Path, host: str) -> Path:
    """Copy one member of the archive to `target`."""
    try:
        with zipfile.ZipFile(archive) as opened, opened.open(member) as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy)
    except (zipfile.BadZipFile, KeyError, EOFError, zlib.error) as error:
        raise Unavailable(f"the zip from {host} is damaged or has no member {member}") from error
    return target
