"""The corpus on disk: built once for each set of versions, then read in less than a second.

One gzipped JSON file in the cache folder. Its checksum is gzip's own; a file that cannot be read is built anew.
"""

import contextlib
import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path

from filelock import FileLock, Timeout

from helpers.data.docs.build import build
from helpers.data.docs.document import Document
from helpers.data.docs.sources import versions
from helpers.data.fetch import cache_folder
from helpers.files import write_whole

BUILDER = 1  # raise it whenever the same packages would give other documents
PATIENCE = 300  # seconds to wait for another process that builds
LEVEL = 6  # of gzip; 9 takes three times as long for 1 % less


def key() -> dict[str, str]:
    """Return what the documents depend on: the builder and the version of every library."""
    return {"builder": str(BUILDER), **versions()}


def cache_path() -> Path:
    """Return where the corpus of the installed versions is kept."""
    digest = hashlib.sha256(json.dumps(key(), sort_keys=True).encode()).hexdigest()
    return cache_folder() / "docs" / f"docs-{digest[:16]}.json.gz"


def documents() -> list[Document]:
    """Return all documents: from the cache, or built, which takes about half a minute and says so."""
    path = cache_path()
    found = _kept(path)
    if found is None:
        with _turn(path):
            found = _kept(path) or _built(path)
    return found


def _kept(path: Path) -> list[Document] | None:
    """Return the documents in a file; None if it is not there, or damaged."""
    try:
        return decode(path.read_bytes())
    except (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError):
        return None


@contextlib.contextmanager
def _turn(path: Path) -> Iterator[None]:
    """Of several processes that want to build, let one do so while the others wait; where no lock can be had, all."""
    lock = FileLock(path.with_suffix(".lock"), timeout=PATIENCE)
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError, Timeout):
            path.parent.mkdir(parents=True, exist_ok=True)
            held.enter_context(lock)
        yield


def _built(path: Path) -> list[Document]:
    """Build the documents and keep them."""
    print("Reading the documentation of the installed libraries: about half a minute, once.")
    found = build()
    try:
        write_whole(path, encode(found))
    except OSError as error:
        reason = error.strerror or error
        print(f"The docs corpus cannot be kept in {path.parent} ({reason}); set BOW2LORA_CACHE to another folder.")
    return found


def encode(found: list[Document]) -> bytes:
    """Return the file's bytes; the same documents give the same bytes."""
    rows = [list(asdict(document).values()) for document in found]
    text = json.dumps({"key": key(), "documents": rows}, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode("utf-8", errors="backslashreplace"), LEVEL, mtime=0)


def decode(content: bytes) -> list[Document]:
    """Return the documents in a file's bytes; raises ValueError if it was built from other versions."""
    stored = json.loads(gzip.decompress(content))
    if stored["key"] != key():
        raise ValueError("built from other versions")
    see_also = [field.name for field in fields(Document)].index("see_also")
    for row in stored["documents"]:
        row[see_also] = tuple(row[see_also])
    return [Document(*row) for row in stored["documents"]]
