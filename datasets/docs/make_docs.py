"""Write the docs corpus, datasets/docs/docs.jsonl.gz, from the libraries that are installed: half a minute.

The same versions give the same bytes. Another version of Python or of a library gives other documents, whose size and
checksum go into the registry, and other questions, counts and scores in chapters 02 to 11: the reference artifacts are
trained anew then (`make reference`), and the course is measured again (`make course`).
"""

import gzip
import hashlib
import json
from dataclasses import asdict

from extractor.build import build
from extractor.sources import versions

from helpers.data.docs import Document
from helpers.data.registry import datasets_folder, find
from helpers.files import write_whole

LEVEL = 9  # of gzip


def encode(found: list[Document]) -> bytes:
    """Return the file's content: a line of JSON for the versions, then one for each document."""
    rows = [versions(), *(asdict(document) for document in found)]
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
    return ("\n".join(lines) + "\n").encode("utf-8", errors="backslashreplace")


def main() -> None:
    content = encode(build())
    path = datasets_folder() / "docs" / "docs.jsonl.gz"
    write_whole(path, gzip.compress(content, LEVEL, mtime=0))
    register(len(content), hashlib.sha256(content).hexdigest())
    print(f"{path}: {len(content):,} bytes, {path.stat().st_size:,} packed")


def register(size: int, sha256: str) -> None:
    """Put the size and the checksum of the content into the registry, wherever the file stands there."""
    path = datasets_folder() / "registry.toml"
    (known,) = find("docs").files
    text = path.read_text(encoding="utf-8")
    text = text.replace(f"bytes = {known.bytes}\n", f"bytes = {size}\n").replace(known.sha256, sha256)
    write_whole(path, text.encode("utf-8"))


if __name__ == "__main__":
    main()
