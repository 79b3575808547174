"""What cells import, read from their text: it is imported once in a process that forks, for all of its children."""

import ast
import contextlib
import functools
import sys
from collections.abc import Iterable

Import = tuple[str, tuple[str, ...]]  # a module, and the names that are taken from it


@functools.lru_cache(256)
def imports(source: str) -> tuple[Import, ...]:
    """Return what a cell imports, wherever in it; nothing where its text cannot be read."""
    found: list[Import] = []
    with contextlib.suppress(SyntaxError, ValueError):  # told when the cell is run
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.append((node.module, tuple(alias.name for alias in node.names)))
            elif isinstance(node, ast.Import):
                found += [(alias.name, ()) for alias in node.names]
    return tuple(found)


def of_course(sources: Iterable[str]) -> list[Import]:
    """Return what cells import of the course's own library: nothing in it starts a thread."""
    found = dict.fromkeys(one for source in sources for one in imports(source))
    return [(module, names) for module, names in found if module.partition(".")[0] == "helpers"]


def module_names(files: Iterable[str]) -> list[str]:
    """Return what can be imported of files, by their paths in a folder: modules, and folders with modules in them."""
    tops = (file.partition("/") for file in files if file.endswith(".py"))
    return list(dict.fromkeys(top.removesuffix(".py") for top, _, _ in tops))


def put_first(folder: str, files: Iterable[str]) -> None:
    """Let this process import what lies in a folder before packages of the same names, loaded ones too."""
    sys.path.insert(0, folder)
    for name in module_names(files):
        for known in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
            del sys.modules[known]


def load(found: Iterable[Import]) -> None:
    """Import what cells import; what cannot be imported is told where a cell does."""
    for module, names in found:
        _load(module, tuple(names))


@functools.lru_cache(4096)
def _load(module: str, names: tuple[str, ...]) -> None:
    with contextlib.suppress(ImportError):
        __import__(module, fromlist=names)  # a name may be a module, too
