"""Definitions, docstrings and imports of one source file, read with `ast`; nothing is imported or run."""

import ast
import inspect
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from extractor.constants import constants, evaluate

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
ATTACHING = (b"add_docstr", b"add_newdoc", b"__doc__ = ")
PROPERTIES = {"property", "cached_property", "abstractproperty", "lazy_property"}


@dataclass(frozen=True)
class Definition:
    """A class, function, method, property or module with its docstring ("" if it has none).

    name: inside its module, as "Linear.forward"; "" for the module itself
    """

    module: str
    name: str
    kind: str
    signature: str
    text: str


@dataclass
class Source:
    """What one file says: its definitions, and the names that it takes from elsewhere.

    tree:      kept where the file may attach docstrings to other objects, see `attached`; else None
    imports:   {name here: (module, name there)}
    stars:     modules of `from module import *`
    listed:    the names in __all__, None where there is no such list
    bases:     {class: names of its base classes}
    instances: {class: name} of `norm = norm_gen(...)`, the way scipy.stats makes its distributions
    """

    module: str
    path: Path
    tree: ast.Module | None
    definitions: list[Definition] = field(default_factory=list)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    listed: list[str] | None = None
    bases: dict[str, list[str]] = field(default_factory=dict)
    instances: dict[str, str] = field(default_factory=dict)

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"


def is_private(path: str) -> bool:
    """Whether a part of the dotted path begins with an underscore (names like __init__ are public)."""
    return any(part.startswith("_") and not part.endswith("__") for part in path.split("."))


def parse(path: Path) -> ast.Module | None:
    """Return the syntax tree of a file; None where Python cannot read or parse it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in other people's strings
            return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None


def read_source(module: str, path: Path) -> Source | None:
    """Read a file; None where Python cannot parse it."""
    tree = parse(path)
    if tree is None:
        return None
    attaches = any(word in path.read_bytes() for word in ATTACHING)
    source = Source(module, path, tree if attaches else None)
    source.definitions.append(Definition(module, "", "module", "", ast.get_docstring(tree) or ""))
    for node in _statements(tree.body):
        _read_statement(node, source, tree)
    return source


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body, and those inside its if, try and with."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With):
            yield from _statements(node.body)
            for handler in getattr(node, "handlers", []):
                yield from _statements(handler.body)
            yield from _statements(getattr(node, "orelse", []))


def _read_statement(node: ast.stmt, source: Source, tree: ast.Module) -> None:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        _define(node, "", source, tree)
    elif isinstance(node, ast.ImportFrom):
        _import(node, source)
    elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
        _assign(node, source)


def _define(node: ast.stmt, owner: str, source: Source, tree: ast.Module) -> None:
    """Note a definition and, for a class, those inside it."""
    name = f"{owner}.{node.name}" if owner else node.name
    text = ast.get_docstring(node) or _decorated_text(node, tree)
    source.definitions.append(Definition(source.module, name, _kind(node, owner), signature(node), text))
    if isinstance(node, ast.ClassDef):
        source.bases[name] = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
        for inner in _statements(node.body):
            if isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                _define(inner, name, source, tree)


def _kind(node: ast.stmt, owner: str) -> str:
    if isinstance(node, ast.ClassDef):
        return "class"
    if PROPERTIES & {_last_name(decorator) for decorator in node.decorator_list}:
        return "property"
    return "method" if owner else "function"


def _last_name(node: ast.expr) -> str:
    """Return the last part of a dotted name, "" for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _decorated_text(node: ast.stmt, tree: ast.Module) -> str:
    """Return the text of `@_add_docstr("...", "...")` (torch.signal.windows), "" elsewhere."""
    for call in node.decorator_list:
        if isinstance(call, ast.Call) and _last_name(call.func) == "_add_docstr":
            scope = constants(tree)
            texts = (evaluate(argument, scope) for argument in call.args)
            return inspect.cleandoc("".join(text for text in texts if isinstance(text, str)))
    return ""


def signature(node: ast.stmt) -> str:
    """Return "(x, *, dim: int = 0) -> Tensor" without self; for a class that of __init__, or ""."""
    if isinstance(node, ast.ClassDef):
        found = [inner for inner in node.body if isinstance(inner, FUNCTIONS) and inner.name == "__init__"]
        return signature(found[-1]).removesuffix(" -> None") if found else ""
    names = {_last_name(decorator) for decorator in node.decorator_list}
    if PROPERTIES & names:
        return ""
    text = ast.unparse(node.args)
    first, _, rest = text.partition(", ")
    if first in ("self", "cls"):
        text = rest.removeprefix("/").removeprefix(", ")
    return f"({text})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def _import(node: ast.ImportFrom, source: Source) -> None:
    module = absolute(node, source.module, source.is_package)
    for alias in node.names:
        if alias.name == "*":
            source.stars.append(module)
        else:
            source.imports[alias.asname or alias.name] = (module, alias.name)


def absolute(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    """Return the dotted name of the module that a (relative) import names."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    up = node.level - is_package
    parts = parts[: len(parts) - up] if up else parts
    return ".".join([*parts, *([node.module] if node.module else [])])


def _assign(node: ast.Assign | ast.AugAssign | ast.AnnAssign, source: Source) -> None:
    """Note `__all__ = [...]`, `__all__ += [...]` and `norm = norm_gen(...)`."""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    name = getattr(target, "id", "")
    if name == "__all__":
        items = getattr(node.value, "elts", [])
        words = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        source.listed = (source.listed or []) + words if words else source.listed
    elif name and isinstance(node.value, ast.Call) and _last_name(node.value.func) == f"{name}_gen":
        source.instances[f"{name}_gen"] = name
