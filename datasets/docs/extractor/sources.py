"""Which libraries the corpus documents, where they lie, and their versions; none of them is imported."""

import importlib.util
import platform
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from helpers.errors import DataError

# Tests, copies of other people's packages, what some systems leave out of Python, generated tables (encodings), and
# the inside of torch's compiler, in which nothing is public.
SKIPPED_FOLDERS = {"tests", "test", "_vendor", "_bundled", "externals", "_internal", "pydoc_data", "encodings"} | {
    *("__pycache__", "site-packages", "dist-packages", "idlelib", "lib2to3", "turtledemo", "ensurepip", "distutils"),
    *("_inductor", "_dynamo", "_export", "_subclasses", "_higher_order_ops", "_native", "_numpy"),
    *("_prims", "_refs", "_decomp", "_lazy"),
}
SKIPPED_FILES = {"conftest.py", "setup.py", "_pyio.py", "ntpath.py"}
PUBLIC_NAMES = {"posixpath": "os.path"}


@dataclass(frozen=True)
class Library:
    """A documented library: its name in the corpus, its import package, and its distribution ("" for Python)."""

    name: str
    package: str = ""
    distribution: str = ""

    def version(self) -> str:
        """Return the version that is installed."""
        return metadata.version(self.distribution) if self.distribution else platform.python_version()

    def folder(self) -> Path:
        """Return the folder of its source files; `find_spec` of a top-level name imports nothing."""
        if not self.package:
            return Path(sysconfig.get_path("stdlib"))
        spec = importlib.util.find_spec(self.package)
        if spec is None or spec.origin is None:
            raise DataError(f"The docs corpus needs {self.distribution}, which is not installed.", "Run make install.")
        return Path(spec.origin).parent

    def files(self) -> Iterator[tuple[str, Path]]:
        """Yield (dotted module name, path) of its source files, sorted by name."""
        folder = self.folder()
        found = [(module_name(self.package, path.relative_to(folder)), path) for path in _python_files(folder)]
        yield from sorted(found)


LIBRARIES = (
    Library("python"),
    Library("numpy", "numpy", "numpy"),
    Library("scipy", "scipy", "scipy"),
    Library("sklearn", "sklearn", "scikit-learn"),
    Library("torch", "torch", "torch"),
    Library("matplotlib", "matplotlib", "matplotlib"),
)


def versions() -> dict[str, str]:
    """Return {library: installed version}, without the name of a build: 2.13.0 for 2.13.0+cpu."""
    try:
        return {library.name: library.version().partition("+")[0] for library in LIBRARIES}
    except metadata.PackageNotFoundError as error:
        raise DataError(f"The docs corpus needs {error.name}, which is not installed.", "Run make install.") from error


def topics_file() -> Path:
    """Return the file of Python's own help topics, what `help("lambda")` prints."""
    return Path(sysconfig.get_path("stdlib")) / "pydoc_data" / "topics.py"


def module_name(package: str, path: Path) -> str:
    """Return the dotted name of a file, `path` relative to the package's folder."""
    parts = [package, *path.with_suffix("").parts]
    name = ".".join(part for part in parts if part and part != "__init__")
    return PUBLIC_NAMES.get(name, name)


def _python_files(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir():
            if path.name not in SKIPPED_FOLDERS and path.name.isidentifier():
                yield from _python_files(path)
        elif path.suffix == ".py" and path.name not in SKIPPED_FILES and path.stem.isidentifier():
            yield path
