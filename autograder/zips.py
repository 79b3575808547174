"""Zip files that are the same bytes for the same content: sorted names, one date for all."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import PurePosixPath

PACKED = {".gz", ".npz", ".png", ".pt", ".safetensors", ".xz", ".zip"}  # deflating these takes seconds and gains little
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first date that a zip can hold


def zipped(files: Mapping[str, bytes], programs: tuple[str, ...] = ()) -> bytes:
    """Return a zip of {name: content}; programs: the names that may be executed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, EPOCH)
            mode = 0o100755 if name in programs else 0o100644
            packed = PurePosixPath(name).suffix in PACKED
            entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
            entry.create_system, entry.external_attr = 3, mode << 16
            archive.writestr(entry, files[name])
    return out.getvalue()
