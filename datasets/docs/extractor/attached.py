"""Docstrings that stand outside of their object: those of compiled functions, and those assigned to `__doc__`.

torch:  `add_docstr(torch.abs, "...".format(**common_args))`, `gelu = _add_docstr(torch._C._nn.gelu, "...")`,
        `Adam.__doc__ = "..."`, and in classes `__doc__ = "..."`
numpy:  `add_newdoc("numpy._core.multiarray", "ndarray", ("base", "..."))`, `_array_method_doc("sort", "...", "...")`
scipy:  `add_newdoc("wrightomega", "...")` in scipy.special
"""

import ast
import dataclasses
import inspect
import re
from collections.abc import Iterator

from extractor.constants import constants, evaluate
from extractor.extract import Definition, Source, is_private, parse

# Files in which add_docstr_all("name", text) documents a method, and the class that it belongs to.
OWNERS = {
    "torch._tensor_docs": "torch.Tensor",
    "torch._size_docs": "torch.Size",
    "torch._storage_docs": "torch.UntypedStorage",
}
CALLS = frozenset(
    ["add_docstr", "_add_docstr", "add_docstr_all", "add_newdoc", "add_newdoc_for_scalar_type", "_array_method_doc"]
)


def attached(source: Source, sources: dict[str, Source]) -> Iterator[tuple[str, str, str]]:
    """Yield (qualified name, kind, text) of the docstrings that the file attaches to compiled objects.

    Docstrings for what the file itself defines, by `gelu = _add_docstr(...)` or `Adam.__doc__ = ...`, join
    `source.definitions`, so that the packages around can re-export them.
    """
    body = source.tree.body if source.tree else []
    calls = [found for found in map(_call, body) if found]
    assigned = list(_assigned(body))
    scope = _scope(source, sources) if calls or assigned else {}
    for name, node in assigned:
        _define(source, name, evaluate(node, scope))
    for target, call in calls:
        for name, text in _documented(call, source, scope):
            if target:
                _define(source, target, text)
            elif text and not is_private(name) and name.startswith(source.module.partition(".")[0] + "."):
                yield name, _kind(name, call, sources), inspect.cleandoc(text)


def _call(node: ast.stmt) -> tuple[str, ast.Call] | None:
    """Return (name assigned to or "", call) of a statement that attaches a docstring."""
    call = getattr(node, "value", None)
    if not isinstance(node, ast.Expr | ast.Assign) or not isinstance(call, ast.Call) or _called(call) not in CALLS:
        return None
    return (getattr(node.targets[0], "id", "") if isinstance(node, ast.Assign) else ""), call


def _called(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _assigned(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Yield (name, text) of `Name.__doc__ = text` and of `__doc__ = text` in a class."""
    for node in body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "attr", "") == "__doc__":
            yield getattr(node.targets[0].value, "id", ""), node.value
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.Assign) and getattr(inner.targets[0], "id", "") == "__doc__":
                    yield node.name, inner.value


def _scope(source: Source, sources: dict[str, Source]) -> dict:
    """Return the file's constants, with those that it takes from other files of the library for its docstrings."""
    statements = [node for node in source.tree.body if isinstance(node, ast.Assign | ast.Expr | ast.ClassDef)]
    used = {node.id for statement in statements for node in ast.walk(statement) if isinstance(node, ast.Name)}
    imported = {}
    for name, (module, original) in source.imports.items():
        if name in used and module in sources:
            tree = parse(sources[module].path)
            imported[name] = constants(tree).get(original) if tree else None
    return constants(source.tree, {name: value for name, value in imported.items() if value is not None})


def _define(source: Source, name: str, text) -> None:
    """Give the docstring to the file's definition of that name, or to a new one."""
    known = next((d for d in source.definitions if d.name == name), Definition(source.module, name, "function", "", ""))
    if name and isinstance(text, str) and text:
        source.definitions.append(dataclasses.replace(known, text=inspect.cleandoc(text)))


def _documented(call: ast.Call, source: Source, scope: dict) -> Iterator[tuple[str, str]]:
    """Yield (qualified name, text) of one call."""
    if not call.args:
        return
    first, last, function = call.args[0], call.args[-1], _called(call)
    text = evaluate(last, scope) or ""
    if function == "add_newdoc":
        yield from _newdoc(call, source, scope)
    elif function == "add_docstr_all":
        yield f"{OWNERS.get(source.module, '_')}.{evaluate(first, scope) or '_'}", text
    elif function == "_array_method_doc":
        yield f"numpy.ndarray.{evaluate(first, scope) or '_'}", text
    elif function == "add_newdoc_for_scalar_type":
        name = evaluate(first, scope) or "_"
        yield f"numpy.{name}", f"{name}{evaluate(call.args[1], scope) or ''}\n\n{inspect.cleandoc(text)}"
    else:
        yield _dotted(first, source.module), text


def _newdoc(call: ast.Call, source: Source, scope: dict) -> Iterator[tuple[str, str]]:
    """Yield (qualified name, text) of add_newdoc([place,] name, text or (member, text) or a list of such pairs)."""
    place = evaluate(call.args[0], scope) if len(call.args) > 2 else source.module.rpartition(".")[0]
    name = evaluate(call.args[-2], scope) if len(call.args) > 1 else None
    owner = f"{_public_part(place or '_')}.{name or '_'}"
    last = call.args[-1]
    for pair in last.elts if isinstance(last, ast.List) else [last]:
        if isinstance(pair, ast.Tuple) and len(pair.elts) == 2:
            yield f"{owner}.{evaluate(pair.elts[0], scope) or '_'}", evaluate(pair.elts[1], scope) or ""
        else:
            yield owner, evaluate(pair, scope) or ""


def _dotted(node: ast.expr, module: str) -> str:
    """Return "torch.Tensor.abs" for such an expression; the compiled twin of Tensor goes by its public name."""
    text = ast.unparse(node)
    if not re.fullmatch(r"[\w.]+", text):
        return ""
    return re.sub(r"^torch\._C\.TensorBase\b", "torch.Tensor", text if "." in text else f"{module}.{text}")


def _public_part(place: str) -> str:
    """Return the dotted path up to its first private part: numpy._core.multiarray -> numpy."""
    parts = place.split(".")
    private = [i for i, part in enumerate(parts) if part.startswith("_")]
    return ".".join(parts[: private[0]] if private else parts)


def _kind(name: str, call: ast.Call, sources: dict[str, Source]) -> str:
    """Return "method" for what lies in no module (numpy.ndarray.sum), "class" for scalar types and CamelCase."""
    if name.rpartition(".")[0] not in sources:
        return "method"
    last = name.rpartition(".")[2]
    return "class" if _called(call) == "add_newdoc_for_scalar_type" or last[:1].isupper() else "function"
