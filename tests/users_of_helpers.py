"""Who uses which module of helpers: chapters and the grader, their imports followed through.

A name that a package hands on counts for the module that it comes from; a data set's reader, for the registry.
"""

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from autograder import paths
from helpers.data.registry import registry


def name_of(path: Path) -> str:
    """Return the dotted name of a module."""
    return ".".join(path.relative_to(paths.ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in sorted((paths.ROOT / "helpers").rglob("*.py"))}
PACKAGES = {name for name, path in MODULES.items() if path.name == "__init__.py"}


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return what a file's code consists of, the code of the cells that it holds as text too."""
    found = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    texts = [node.value for node in found if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    cells = [text for text in texts if "\nfrom helpers import " in text]
    return found + [node for cell in cells for node in ast.walk(ast.parse(cell))]


@cache
def imports(path: Path) -> dict[str, str]:
    """Return {name in this file: the module that it comes from} of what a file imports from somewhere."""
    found = {}
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                found[alias.asname or alias.name] = source_of(node.module, alias.name)
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name] = alias.name
    return found


def source_of(module: str, name: str) -> str:
    """Return the module that `from module import name` takes the name from."""
    if f"{module}.{name}" in MODULES:
        return f"{module}.{name}"
    if module in PACKAGES:
        return imports(MODULES[module]).get(name, module)
    return module


@cache
def used_by(path: Path) -> set[str]:
    """Return the modules of helpers that a file uses itself."""
    known = imports(path)
    used = set(known.values())
    if path.name == "__init__.py":  # what it hands on without using it counts for those who take it
        used = {known.get(node.id, "") for node in nodes(path) if isinstance(node, ast.Name)}
    for node in nodes(path):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            package = known.get(node.value.id)
            if package in PACKAGES:
                used.add(source_of(package, node.attr))
    if path == MODULES["helpers.data.registry"]:
        readers = [entry.reader.split(":") for entry in registry().values()]
        used |= {source_of(module, name) for module, name in readers}
    return used & MODULES.keys()


def followed(paths_of_user: Iterable[Path]) -> set[str]:
    """Return the modules of helpers that files use, themselves or through others."""
    found: set[str] = set()
    to_do = list(paths_of_user)
    while to_do:
        new = used_by(to_do.pop()) - found
        found |= new
        to_do += [MODULES[name] for name in new]
    return found


def files_by_user() -> dict[str, list[Path]]:
    """Return {chapter, or "autograder": its files}."""
    files = {"autograder": sorted((paths.ROOT / "autograder").rglob("*.py"))}
    for chapter in paths.chapters():
        files[chapter] = sorted((paths.ROOT / "solutions" / chapter).rglob("*.py"))
    return files


def users() -> dict[str, set[str]]:
    """Return {module of helpers: the chapters, and "autograder", that use it}."""
    found: dict[str, set[str]] = {name: set() for name in MODULES}
    for user, files in files_by_user().items():
        for name in followed(files):
            found[name].add(user)
    return found
