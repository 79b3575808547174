"""Texts that a module puts together from constants, worked out from its syntax tree, without running it.

torch writes many docstrings as `"...".format(**common_args)`. What cannot be worked out is None.
"""

import ast
import re
import string
import textwrap
from collections import defaultdict

TEXT_METHODS = ("strip", "lstrip", "rstrip", "replace")


def constants(tree: ast.Module, imported: dict | None = None) -> dict:
    """Return {name: text or dict of texts} of the module's top-level assignments; `imported` are known names."""
    scope = dict(imported or {})
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = evaluate(node.value, scope)
            if value is not None:
                scope[node.targets[0].id] = value
    return scope


def evaluate(node: ast.expr, scope: dict) -> str | dict | None:
    """Return the text or dict that an expression stands for, None where that takes more than constants."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return scope.get(node.id)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part, scope) for part in node.values)
    if isinstance(node, ast.Dict):
        return _dict(node, scope)
    if isinstance(node, ast.BinOp):
        return _sum(evaluate(node.left, scope), evaluate(node.right, scope), node.op)
    if isinstance(node, ast.Call):
        return _call(node, scope)
    return None


def _text(part: ast.expr, scope: dict) -> str:
    """Return a part of an f-string; a field that is not known is left out."""
    value = evaluate(part.value if isinstance(part, ast.FormattedValue) else part, scope)
    return value if isinstance(value, str) else ""


def _dict(node: ast.Dict, scope: dict) -> dict:
    found = {}
    for key, value in zip(node.keys, node.values, strict=True):
        known = evaluate(value, scope)
        if key is None:  # {**other}
            found.update(known if isinstance(known, dict) else {})
        elif isinstance(key, ast.Constant) and known is not None:
            found[key.value] = known
    return found


def _sum(left, right, operator: ast.operator) -> str | dict | None:
    if isinstance(operator, ast.Add) and isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(operator, ast.BitOr) and isinstance(left, dict) and isinstance(right, dict):
        return left | right
    return None


def _call(node: ast.Call, scope: dict) -> str | dict | None:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    values = [evaluate(argument, scope) for argument in node.args]
    if name == "merge_dicts":
        return {key: text for value in values if isinstance(value, dict) for key, text in value.items()}
    if name == "parse_kwargs" and values and isinstance(values[0], str):
        return parse_kwargs(values[0])
    if name == "dedent" and values and isinstance(values[0], str):
        return textwrap.dedent(values[0])
    if not isinstance(node.func, ast.Attribute):
        return None
    text = evaluate(node.func.value, scope)
    if name == "format" and isinstance(text, str):
        return _format(text, values, _keywords(node, scope))
    if name in TEXT_METHODS and isinstance(text, str) and all(isinstance(value, str) for value in values):
        return getattr(text, name)(*values)
    return None


def _keywords(node: ast.Call, scope: dict) -> dict:
    known = {}
    for keyword in node.keywords:
        value = evaluate(keyword.value, scope)
        known |= (value if isinstance(value, dict) else {}) if keyword.arg is None else {keyword.arg: value or ""}
    return known


def _format(text: str, values: list, known: dict) -> str:
    """Fill in a format; an unknown field becomes empty, and a text that is no format stays as it is."""
    try:
        return string.Formatter().vformat(text, [value or "" for value in values], defaultdict(str, known))
    except (LookupError, ValueError, AttributeError):
        return re.sub(r"\{(\w+)\}", lambda field: str(known.get(field[1], "")), text)


def parse_kwargs(text: str) -> dict[str, str]:
    """Return {argument: its lines}, as torch._torch_docs.parse_kwargs does: split at lines indented by four."""
    sections = [section.strip() for section in re.split(r"\n\s{4}(?!\s)", text)]
    return {section.split(" ")[0]: section for section in sections if section}
