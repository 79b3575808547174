"""Which names the instructor's cells make, and which the answers: read from the text, without running anything.

A test relies on both. What the instructor makes is made again by the judge; of the student's process it is asked only
for what the answers make.
"""

import ast
import contextlib
import functools
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from IPython.core.inputtransformer2 import TransformerManager

STATEFUL = ("matplotlib",)  # modules whose state is the student's process's: figures are drawn there
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
WHERE = "sys.path"  # what changes it decides what an import finds
OF_TESTS = (*DEFINITIONS, *IMPORTS, ast.Assign, ast.AnnAssign)  # statements of a test that may be made without it


def plain(source: str) -> str:
    """Return a cell as plain Python, its magics as the calls that IPython makes of them."""
    return TransformerManager().transform_cell(source)


def body(source: str) -> list[ast.stmt]:
    """Return the statements of a cell, those below a %%time too; none if it is no Python."""
    first, _, rest = source.lstrip().partition("\n")
    with contextlib.suppress(SyntaxError, ValueError):
        return ast.parse(plain(rest if first.startswith("%%") else source)).body
    return []


def of_instructor(cells: Iterable[tuple[str, bool]], answers: Iterable[str]) -> list[str]:
    """Return the statements that make names which are none of the answers', each as text, imports one by one.

    cells: (text, whether it is an answer, of which only what it imports counts), in order.
    """
    theirs, found = set(answers), []
    for source, is_answer in cells:
        nodes = [node for node in body(source) if isinstance(node, IMPORTS) or not is_answer]
        for node in nodes:
            found += [one for one in _single(node) if set(made(one)) - theirs or _is_kept(one)]
    return list(dict.fromkeys(map(ast.unparse, found)))


def of_answers(answers: Iterable[str], others: Iterable[str]) -> list[str]:
    """Return the names that answers make or change, and those of modules whose state lies with them.

    What an answer imports is no answer. others: the instructor's other cells.
    """
    nodes = _statements(answers)
    imports = [node for node in [*_statements(others), *nodes] if isinstance(node, IMPORTS)]
    imported = _names(imports)
    own = [node for node in nodes if not isinstance(node, IMPORTS)]
    outside = [node for node in own if not isinstance(node, DEFINITIONS)]
    touched = {name for node in outside for name in _touched(node)}
    return sorted(_names(own) | (touched - imported) | _names(filter(is_stateful, imports)))


def _statements(sources: Iterable[str]) -> list[ast.stmt]:
    return [node for source in sources for node in body(source)]


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    return {name for node in nodes for name in made(node)}


def made(node: ast.AST) -> list[str]:
    """Return the names that a statement gives a value to or takes away, where it stands; "*" for a star."""
    if isinstance(node, IMPORTS):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, DEFINITIONS):
        return [node.name, *_declared(node)]
    return list(_made(node))


def _made(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
        yield node.id
    if isinstance(node, (*DEFINITIONS, *IMPORTS)):
        yield from made(node)
        return
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda):
        yield from [one.target.id for one in ast.walk(node) if isinstance(one, ast.NamedExpr)]
        return
    for inner in ast.iter_child_nodes(node):
        yield from _made(inner)


def _declared(node: ast.AST) -> list[str]:
    """Return the names that a function declares to be those of its module."""
    globals_ = [one.names for one in ast.walk(node) if isinstance(one, ast.Global)]
    return list(chain.from_iterable(globals_))


def _touched(node: ast.AST) -> Iterator[str]:
    """Yield the names of objects that a statement may change: `row[0] = 1`, `point.x = 1`, `row.sort()`."""
    for one in ast.walk(node):
        target = one.value if isinstance(one, ast.Attribute | ast.Subscript) else None
        if isinstance(one, ast.Attribute | ast.Subscript) and isinstance(one.ctx, ast.Store | ast.Del):
            yield from _first(target)
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) and isinstance(one.value.func, ast.Attribute):
            yield from _first(one.value.func.value)


def _first(node: ast.AST | None) -> Iterator[str]:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def is_import(statement: str) -> bool:
    """Whether a statement is an import."""
    return isinstance(ast.parse(statement).body[0], IMPORTS)


def _single(node: ast.stmt) -> list[ast.stmt]:
    """Return a statement, an import of several names as several; none of a module whose state lies elsewhere."""
    if not isinstance(node, IMPORTS):
        return [node]
    single: list[ast.stmt] = [type(node)(**{**vars(node), "names": [alias]}) for alias in node.names]
    return [one for one in single if not is_stateful(one)]


def is_stateful(node: ast.AST) -> bool:
    """Whether a statement imports a module whose state is in the student's process."""
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] in STATEFUL
    return isinstance(node, ast.Import) and any(a.name.partition(".")[0] in STATEFUL for a in node.names)


def _is_kept(node: ast.stmt) -> bool:
    """Whether a statement that makes no name decides what others make."""
    return isinstance(node, ast.Expr) and WHERE in ast.unparse(node)


@functools.lru_cache(256)
def by_name(statements: tuple[str, ...]) -> Mapping[str, list[str]]:
    """Return the statements that make each name, in order; under "*" imports of all names, under "" what makes none."""
    found: dict[str, list[str]] = {}
    for line in statements:
        for name in _names(ast.parse(line).body) or {""}:
            found.setdefault(name, []).append(line)
    return found


def of_tests(sources: Iterable[str]) -> tuple[str, ...]:
    """Return the statements of test cells that define, import or assign a name, each as text."""
    nodes = _statements(sources)
    return tuple(ast.unparse(node) for node in nodes if isinstance(node, OF_TESTS) and made(node))
