"""The reference of helpers: a page for each room, with the modules that the chapters import."""

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from importlib import import_module, util
from pathlib import Path

import nbformat

from autograder import paths

ITEM = re.compile(r"[\w*]+(?:, [\w*]+)*(?: \([^)]*\))?: ")  # "query, key: (batch, length)", arguments


def pages(chapters: Sequence[str], rooms: Sequence[str] | None = None) -> dict[str, str]:
    """Return {page: Markdown} of the rooms that these chapters use; `rooms`: no others than these."""
    by_room: dict[str, list[str]] = {}
    for module in sorted({name for chapter in chapters for name in _imported(paths.release_notebook(chapter))}):
        by_room.setdefault(module.split(".")[1], []).append(module)
    return {f"helpers/{room}.md": _page(room, by_room[room]) for room in by_room if rooms is None or room in rooms}


def _imported(notebook: Path) -> Iterator[str]:
    """Yield the modules of helpers that a notebook imports, and the rooms they lie in."""
    cells = nbformat.read(notebook, as_version=4).cells
    for node in ast.walk(ast.parse("\n".join(c.source for c in cells if c.cell_type == "code"))):
        module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        if isinstance(node, ast.ImportFrom) and module.partition(".")[0] == "helpers":
            names = [f"{module}.{alias.name}" for alias in node.names]
            yield from (name for name in [module, *names] if "." in name and _is_module(name))


def _is_module(name: str) -> bool:
    try:
        return util.find_spec(name) is not None
    except ModuleNotFoundError:  # a name of a module, not a module
        return False


def _page(room: str, modules: Sequence[str]) -> str:
    parts = [f"# helpers.{room}"]
    for module in modules:
        if module != f"helpers.{room}":
            parts.append(f"## {module}")
        parts.append(f"```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n{_own(module)}```")
    return "\n\n".join(parts) + "\n"


def _own(module: str) -> str:
    """Return the option that leaves out what a module without __all__ has from elsewhere."""
    return "" if hasattr(import_module(module), "__all__") else "   :member-order: bysource\n"


def readable(app, what, name, thing, options, lines: list[str]) -> None:
    """Turn a docstring, plain text with `names` in back quotes, into reStructuredText; a hook of autodoc."""
    paragraphs = "\n".join(lines).strip().split("\n\n")
    listed = [i > 0 and what != "module" for i in range(len(paragraphs))]
    made = (_paragraph(inspect.cleandoc(text), items) for text, items in zip(paragraphs, listed, strict=True))
    lines[:] = [*"\n\n".join(made).split("\n"), ""]


def _paragraph(text: str, items: bool) -> str:
    """Return a paragraph: arguments as a list, what is set in as it stands, all else as prose."""
    lines = text.split("\n")
    if not (items and any(ITEM.match(line) for line in lines)):
        set_in = any(line.startswith(" ") for line in lines) or lines[0].startswith(">>>")
        if not set_in:
            return _escaped(" ".join(lines))
        return "::\n\n" + "\n".join(f"    {line}" for line in lines)
    found: list[str] = []
    for line in lines:
        if ITEM.match(line) or not found:
            found.append(line.strip())
        else:
            found[-1] += f" {line.strip()}"
    return "\n".join(f"* {_escaped(item)}" for item in found)


def _escaped(text: str) -> str:
    """Return prose whose stars, bars and underscores mean themselves, and whose `names` are code."""
    parts = re.split(r"(`[^`]+`)", text)
    plain = [re.sub(r"([\\*_|`])", r"\\\1", part) for part in parts[::2]]
    code = [f"``{part[1:-1].strip()}``" for part in parts[1::2]] + [""]
    return "".join(f"{words}{name}\\ " if name else words for words, name in zip(plain, code, strict=True))
