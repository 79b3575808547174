"""Faults in one statement: it is not there, or it works in place on what it was given."""

import ast
from collections.abc import Iterator

from autograder.authoring.mutants.expressions import code

Fault = tuple[str, str]  # its kind, and the lines that stand there instead

RETURNED = {
    "Tensor": [
        ("gradient cut", "{0}.detach()"),
        ("axis of size 1 lost", "{0}.squeeze()"),
        ("narrower dtype", "{0}.float()"),
        ("rounded", "{0}.round(decimals=3)"),
        ("scaled", "1.01 * {0}"),
    ],
    "ndarray": [
        ("axis of size 1 lost", "{0}.squeeze()"),
        ("narrower dtype", "{0}.astype(np.float32)"),
        ("rounded", "{0}.round(3)"),
        ("scaled", "1.01 * {0}"),
    ],
    "float": [("rounded", "round({0}, 3)"), ("scaled", "1.01 * {0}")],
    "int": [("off by one", "{0} + 1"), ("off by one", "{0} - 1")],
    "str": [("text changed", "{0}.lower()"), ("text changed", "{0}.strip()")],
    "list": [("off by one", "{0}[:-1]"), ("order", "{0}[::-1]"), ("off by one", "{0}[:1]")],
}
IN_PLACE = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*=", ast.Div: "/="}


def faults(node: ast.stmt, returns: str, arguments: set[str]) -> Iterator[Fault]:
    """Yield the faults of a statement; returns: the annotation of what its function returns."""
    if isinstance(node, ast.Return) and node.value:
        yield from _returned(node.value, returns)
    if isinstance(node, ast.Assign | ast.Return) and isinstance(node.value, ast.BinOp):
        yield from _in_place(node, node.value, arguments)
    if isinstance(node, ast.AugAssign | ast.Expr | ast.If | ast.Assert | ast.Raise | ast.Continue | ast.Break):
        yield "statement dropped", "pass"
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript):
        yield "statement dropped", "pass"


def _returned(value: ast.expr, returns: str) -> Iterator[Fault]:
    """Yield what is done to the value, or to each of several, before it is returned."""
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    texts = [code(part) for part in parts]
    for i, (text, annotation) in enumerate(zip(texts, _annotations(returns, len(parts)), strict=True)):
        kind = next((kind for kind in RETURNED if kind in annotation.partition("[")[0]), "")
        for fault, changed in RETURNED.get(kind, ()):
            new = [*texts[:i], changed.format(text), *texts[i + 1 :]]
            yield fault, f"return {', '.join(new)}"


def _annotations(returns: str, count: int) -> list[str]:
    """Return the annotation of each of `count` values that are returned: of a tuple's items, else the same for all."""
    whole = ast.parse(returns or "None", mode="eval").body
    items: list[ast.expr] = []
    if returns.startswith("tuple["):
        items = getattr(getattr(whole, "slice", None), "elts", [])
    texts = [ast.unparse(item) for item in items]
    annotations = [text for text in texts if text != "..."]
    if len(annotations) == count:
        return annotations
    return (annotations[:1] or [returns]) * count


def _in_place(node: ast.Assign | ast.Return, value: ast.BinOp, arguments: set[str]) -> Iterator[Fault]:
    """Yield a sum or product that is put into the argument which it begins with."""
    left, sign = value.left, IN_PLACE.get(type(value.op))
    if isinstance(left, ast.Name) and left.id in arguments and sign:
        rest = f"return {left.id}" if isinstance(node, ast.Return) else f"{ast.unparse(node.targets[0])} = {left.id}"
        yield "argument changed", f"{left.id} {sign} {ast.unparse(value.right)}\n{rest}"
