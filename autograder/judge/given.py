"""The functions and classes that a chapter gives: those that a check relies on are made again before it.

A student's cell may have put something else in their place (a `memory_of` that measures little). What they use is made
again with them, imports among it; values that given cells compute are left as they are. In the runner they live beside
the student's code all the same: what is measured there is only as true as that process.
"""

import ast
import functools
from collections.abc import Set

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)


def read_ahead(kind: str, source: str) -> None:
    """Read a given cell or a check before the fork, so that no judge of the chapter reads it again."""
    _used(source) if kind == "check" else _defined(source)


class Given:
    """What the given cells define, by name: the text and the names that it uses."""

    def __init__(self):
        self.known: dict[str, tuple[str, frozenset[str]]] = {}

    def add(self, source: str) -> None:
        """Take in a given cell."""
        self.known |= dict(_defined(source))

    def needed(self, source: str) -> str:
        """Return the text that makes again what a check uses, in the order in which it was given; "" if nothing."""
        wanted: set[str] = set()
        more: Set[str] = _used(source)
        while more := (more & set(self.known)) - wanted:
            wanted |= more
            more = frozenset().union(*(self.known[name][1] for name in more))
        return "\n".join(dict.fromkeys(text for name, (text, _) in self.known.items() if name in wanted))


@functools.lru_cache(256)
def _defined(source: str) -> tuple[tuple[str, tuple[str, frozenset[str]]], ...]:
    found = []
    for node in _body(source):
        text = ast.get_source_segment(source, node) or ""
        if isinstance(node, DEFINITIONS):
            text = "\n".join(["@" + ast.unparse(one) for one in node.decorator_list] + [text])
            found.append((node.name, (text, _names(node))))
        elif isinstance(node, IMPORTS):
            found += [((alias.asname or alias.name).split(".")[0], (text, frozenset())) for alias in node.names]
    return tuple(found)


@functools.lru_cache(256)
def _used(source: str) -> frozenset[str]:
    return _names(*_body(source))


def _names(*nodes: ast.AST) -> frozenset[str]:
    """Return the names that these read and do not make themselves."""
    read: set[str] = set()
    own: set[str] = set()
    for one in (inner for node in nodes for inner in ast.walk(node)):
        if isinstance(one, ast.Name):
            (read if isinstance(one.ctx, ast.Load) else own).add(one.id)
        elif isinstance(one, DEFINITIONS):
            own.add(one.name)
        elif isinstance(one, ast.arg):
            own.add(one.arg)
        elif isinstance(one, IMPORTS):
            own |= {(alias.asname or alias.name).split(".")[0] for alias in one.names}
    return frozenset(read - own)


def _body(source: str) -> list[ast.stmt]:
    """Return the statements of a cell; one with IPython's own syntax has none that a check could rely on."""
    try:
        return ast.parse(source).body
    except SyntaxError:
        return []
