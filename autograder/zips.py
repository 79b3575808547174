"""Zip files that are the same bytes for the same content: sorted names, one date for all."""

import io
import zipfile
from collections.abc import Mapping

EPOCH = (1980, 1, 1, 0, 0, 0)  # the first date that a zip can hold


def zipped(files: Mapping[str, bytes], programs: tuple[str, ...] = ()) -> bytes:
    """Return a zip of {name: content}; programs: the names that may be executed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, EPOCH)
            mode = 0o100755 if name in programs else 0o100644
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, mode << 16
            archive.writestr(entry, files[name])
    return out.getvalue()
