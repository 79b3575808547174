"""Bring the files of a data set: those of the course, or from the mirror folder, from the cache, or by download.

A file enters the cache whole or not at all: it is written to a temporary folder inside the cache,
checked against its size and sha256, and moved into place by one rename (`os.replace`). A file whose path
ends in .gz lies packed in the cache, however it was offered; its size and sha256 are those of its content.
"""

import errno
import hashlib
import itertools
import os
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from helpers.data import archives
from helpers.data.registry import Entry, File, Source, datasets_folder
from helpers.errors import DataError

TIMEOUT = (5, 30)  # seconds to connect, and between two reads


class Unavailable(Exception):
    """One address did not give the file; the next one may."""


class Unreachable(Unavailable):
    """The address did not even answer."""


def obtain(entry: Entry, download: bool = True) -> list[Path]:
    """The checked files of a data set, in the order of the registry.

    Raises:
        DataError: with the reason in one line, and what to do about it.
    """
    return _bundled(entry) if entry.bundled else _brought(entry, download)


def _bundled(entry: Entry) -> list[Path]:
    """The files of a bundled data set; one that is missing or changed is an error."""
    paths = [datasets_folder() / file.path for file in entry.files]
    for path, file in zip(paths, entry.files, strict=True):
        if problem := check(path, file):
            raise DataError(f"The bundled file {path} is damaged ({problem}).", "Reinstall bow2lora.")
    return paths


def _brought(entry: Entry, download: bool) -> list[Path]:
    """The files of a data set that is not bundled, downloaded where they are not at hand."""
    here = [_in_mirror(entry.title, file) or _in_cache(file) for file in entry.files]
    missing = [file for file, path in zip(entry.files, here, strict=True) if path is None]
    if missing and not download:
        raise DataError(
            f"{entry.title}: neither in BOW2LORA_DATA nor in the cache, and no download while grading.",
            "Work on a set that lies in the box.",
        )
    if missing:
        _download(entry.title, missing)
    return [path or cache_folder() / file.path for path, file in zip(here, entry.files, strict=True)]


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


def _in_cache(file: File) -> Path | None:
    path = cache_folder() / file.path
    return path if path.is_file() and not check(path, file) else None


def cache_folder() -> Path:
    """BOW2LORA_CACHE, or the folder that this operating system has for caches."""
    if chosen := os.environ.get("BOW2LORA_CACHE"):
        return Path(chosen).expanduser()
    import pooch

    return Path(pooch.os_cache("bow2lora"))


def check(path: Path, file: File) -> str:
    """What is wrong with the content of the file at `path`; empty if nothing is."""
    try:
        with archives.damage(), archives.open_bytes(path) as stream:
            same = hashlib.file_digest(stream, "sha256").hexdigest() == file.sha256
            size = stream.tell()
    except archives.Damaged as error:
        return str(error)
    except OSError as error:
        return error.strerror or str(error)
    if size < file.bytes:
        return f"truncated: {size:,} of {file.bytes:,} bytes"
    return "" if same else "wrong checksum"


def _download(title: str, files: list[File]) -> None:
    """Put the files into the cache, each complete or not at all."""
    cache = cache_folder()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".part-", dir=cache) as folder:
            downloads = Downloads(title, Path(folder))
            for file in files:
                target = cache / file.path
                target.parent.mkdir(parents=True, exist_ok=True)
                downloads.fetch(file).replace(target)
    except OSError as error:
        raise _disk_error(title, error, cache) from error


def _disk_error(title: str, error: OSError, folder: Path) -> DataError:
    if error.errno == errno.ENOSPC:
        remedy = f"Make room in {folder}, or set BOW2LORA_CACHE to another folder."
        return DataError(f"{title}: the disk is full.", remedy)
    problem = f"{title}: cannot write to {folder} ({error.strerror or error})."
    return DataError(problem, "Set BOW2LORA_CACHE to another folder.")


class Downloads:
    """What is downloaded during one load, in one temporary folder.

    Each address is asked once: several files may be members of one archive, and a dead address stays dead.
    """

    def __init__(self, title: str, folder: Path):
        self.title, self.folder = title, folder
        self.numbers = itertools.count()
        self.answers: dict[str, Path | Unavailable] = {}  # by address

    def fetch(self, file: File) -> Path:
        """The checked file, packed if its path says so, from the first address that gives it."""
        failures: list[Unavailable] = []
        for source in file.sources:
            try:
                return self._from(source, file)
            except Unavailable as failure:
                failures.append(failure)
        reason = "no network"
        if not all(isinstance(failure, Unreachable) for failure in failures):
            reason = "; ".join(map(str, failures))
        raise DataError(
            f"{self.title}: {reason}.",
            f"To get the set, connect and try again, or set BOW2LORA_DATA to a folder with {file.path}.",
        )

    def _from(self, source: Source, file: File) -> Path:
        """Take the file from one address: out of its archive, into its packing, checked."""
        part, host = self._answer(source.url), urlsplit(source.url).netloc
        if source.member:
            part = self._extract(part, source.member, host)
        if file.path.endswith(".gz"):
            part = self._packed(part)
        if problem := check(part, file):
            raise Unavailable(f"the file from {host} is not the expected one ({problem})")
        return part

    def _answer(self, url: str) -> Path:
        """What lies at this address."""
        if url not in self.answers:
            part = self._new()
            try:
                _get(self.title, url, urlsplit(url).netloc, part)
                self.answers[url] = part
            except Unavailable as failure:
                self.answers[url] = failure
        if isinstance(self.answers[url], Unavailable):
            raise self.answers[url]
        return self.answers[url]

    def _new(self, suffix: str = "") -> Path:
        """A path in the temporary folder that is not taken."""
        return self.folder / f"{next(self.numbers)}{suffix}"

    def _extract(self, archive: Path, member: str, host: str) -> Path:
        target = self._new()
        try:
            archives.extract(archive, member, target)
        except archives.Damaged as error:
            raise Unavailable(f"the archive from {host} cannot be read ({error})") from error
        return target

    def _packed(self, part: Path) -> Path:
        """The same content, gzipped; some addresses give it gzipped already."""
        target = self._new(".gz")
        if archives.is_gzip(part):
            return part.replace(target)
        archives.pack(part, target)
        return target


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
