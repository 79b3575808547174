"""Docstrings of compiled functions, which the libraries attach by a call: add_docstr (torch), add_newdoc (numpy, scipy).

torch:  add_docstr(torch.abs, r\"\"\"...\"\"\".format(**common_args)),  gelu = _add_docstr(torch._C._nn.gelu, r\"\"\"...\"\"\")
numpy:  add_newdoc("numpy._core.multiarray", "ndarray", ("base", \"\"\"...\"\"\")),  scipy.special: add_newdoc("name", \"\"\"...\"\"\")
"""

import ast
import inspect
import re
from collections.abc import Iterator

from helpers.data.docs.constants import constants, evaluate
from helpers.data.docs.extract import Definition, Source, is_private

# Files in which add_docstr_all("name", text) documents a method, and the class that it belongs to.
OWNERS = {
    "torch._tensor_docs": "torch.Tensor",
    "torch._size_docs": "torch.Size",
    "torch._storage_docs": "torch.UntypedStorage",
}
CALLS = {"add_docstr", "_add_docstr", "add_docstr_all", "add_newdoc"}


def attached(source: Source, sources: dict[str, Source]) -> Iterator[tuple[str, str, str]]:
    """Yield (qualified name, kind, text) of the docstrings that the file attaches to compiled objects.

    Where the call's result gets a name, as in `gelu = _add_docstr(...)`, the file defines that name: it joins
    `source.definitions`, so that the packages around can re-export it.
    """
    calls = [call for call in map(_call, source.tree.body) if call]
    scope = _scope(source, sources) if calls else {}
    for target, call in calls:
        for name, text in _documented(call, source, scope):
            text = inspect.cleandoc(text)
            if target:
                source.definitions.append(Definition(source.module, target, "function", "", text))
            elif text and not is_private(name) and name.startswith(source.module.partition(".")[0] + "."):
                yield name, "method" if _is_member(name) else "function", text


def _call(node: ast.stmt) -> tuple[str, ast.Call] | None:
    """Return (name assigned to or "", call) of a statement that attaches a docstring."""
    call = getattr(node, "value", None)
    if not isinstance(node, ast.Expr | ast.Assign) or not isinstance(call, ast.Call):
        return None
    if getattr(call.func, "attr", getattr(call.func, "id", "")) not in CALLS:
        return None
    return (getattr(node.targets[0], "id", "") if isinstance(node, ast.Assign) else ""), call


def _scope(source: Source, sources: dict[str, Source]) -> dict:
    """Return the file's constants, with those that it imports from files of the same library."""
    imported = {}
    for name, (module, original) in source.imports.items():
        if module in sources and module != source.module and module.rpartition(".")[2].startswith("_"):
            imported[name] = constants(sources[module].tree).get(original)
    return constants(source.tree, {name: value for name, value in imported.items() if value is not None})


def _documented(call: ast.Call, source: Source, scope: dict) -> Iterator[tuple[str, str]]:
    """Yield (qualified name, text) of one call."""
    function = getattr(call.func, "attr", getattr(call.func, "id", ""))
    last = call.args[-1] if call.args else call
    if function == "add_newdoc":
        place = evaluate(call.args[0], scope) if len(call.args) > 2 else source.module.rpartition(".")[0]
        owner = ".".join([_public_part(place or ""), evaluate(call.args[-2], scope) or ""]).strip(".")
        pairs = last.elts if isinstance(last, ast.List) else [last]
        for pair in pairs:
            member, text = pair.elts if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 else (None, pair)
            yield ".".join([owner, *([evaluate(member, scope) or "_"] if member else [])]), evaluate(text, scope) or ""
    elif function == "add_docstr_all":
        name = evaluate(call.args[0], scope) or "_"
        yield f"{OWNERS.get(source.module, '_')}.{name}", evaluate(last, scope) or ""
    else:
        yield _dotted(call.args[0], source.module), evaluate(last, scope) or ""


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


def _is_member(name: str) -> bool:
    """Whether the name is that of something in a class: numpy.ndarray.sum, torch.Tensor.abs."""
    parts = name.split(".")
    owner = parts[-2] if len(parts) > 1 else ""
    return owner[:1].isupper() or owner in ("ndarray", "ufunc", "dtype", "nditer", "generic", "broadcast", "flatiter")
