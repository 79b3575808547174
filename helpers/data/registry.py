"""What data sets there are: datasets/registry.toml, read into dataclasses."""

import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from helpers.errors import DataError

_HELPERS = Path(__file__).resolve().parents[1]
# In a checkout, then in an installed wheel. Only a folder with our registry counts: another
# package named "datasets" may lie beside an installed `helpers`.
PLACES = (_HELPERS.parent / "datasets", _HELPERS / "_datasets")


@dataclass(frozen=True)
class Source:
    """An address of a file; with `member`, the file inside the zip or tar.gz at that address."""

    url: str
    member: str = ""


@dataclass(frozen=True)
class File:
    """One file: its path in its folder, the size in bytes and sha256 of its content, where it is offered if not here.

    A path that ends in .gz is packed; size and sha256 are then those of what comes out of it.
    """

    path: str
    bytes: int
    sha256: str
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True)
class Entry:
    """One data set. `reader` is the function that makes it of its files, as "module:function"."""

    name: str
    title: str
    home: str
    license: str
    citation: str
    files: tuple[File, ...] = ()  # none where a set is made from an installed package
    reader: str = ""  # none where only the files are wanted

    @property
    def bundled(self) -> bool:
        """Whether nothing of it is to be downloaded."""
        return not any(file.sources for file in self.files)


def datasets_folder() -> Path:
    """The folder with registry.toml and the bundled files."""
    for place in PLACES:
        if (place / "registry.toml").is_file():
            return place
    looked = " or ".join(str(place) for place in PLACES)
    raise DataError(f"The data folder of the course is missing: no registry.toml in {looked}.", "Reinstall bow2lora.")


@cache
def registry() -> dict[str, Entry]:
    """All entries by name."""
    text = (datasets_folder() / "registry.toml").read_text(encoding="utf-8")
    return {row["name"]: _entry(row) for row in tomllib.loads(text)["dataset"]}


def _entry(row: dict) -> Entry:
    files = tuple(_file(file) for file in row.get("files", ()))
    return Entry(**{**row, "files": files})


def _file(row: dict) -> File:
    sources = tuple(Source(**source) for source in row.get("sources", ()))
    return File(**{**row, "sources": sources})


def names() -> list[str]:
    """The names that `load` knows."""
    return sorted(registry())


def find(name: str) -> Entry:
    """The entry of this name; an unknown name is answered with the nearest ones."""
    if name in registry():
        return registry()[name]
    near = difflib.get_close_matches(str(name), names(), n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"There are: {', '.join(names())}."
    raise DataError(f'There is no data set "{name}".', hint)
