"""Faults in one expression: a constant, a comparison, a call, the ends of a slice, what a loop goes over."""

import ast
from collections.abc import Callable, Iterator
from typing import Any

Fault = tuple[str, ast.expr, str]  # its kind, the node that goes, and the code that stands there instead

BOUNDARY = {ast.Lt: ["<=", ">"], ast.LtE: ["<", ">="], ast.Gt: [">=", "<"], ast.GtE: [">", "<="], ast.Eq: ["!="]}
BOUNDARY |= {ast.NotEq: ["=="], ast.In: ["not in"], ast.NotIn: ["in"], ast.Is: ["is not"], ast.IsNot: ["is"]}
OPERATOR = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "/", ast.Pow: "*"}
OPERATOR |= {ast.BitAnd: "|", ast.BitOr: "&"}
ORDERED = {ast.Sub: "-", ast.Div: "/", ast.MatMult: "@"}
PAIRS = ["sum mean", "max min", "amax amin", "argmax argmin", "any all", "tril triu", "floor ceil", "sin cos"]
PAIRS += ["zeros ones", "log log1p", "exp expm1", "softmax log_softmax", "maximum minimum", "std var"]
OTHER = {a: b for pair in PAIRS for a, b in (pair.split(), reversed(pair.split()))}
EPSILON = 1e-3  # a float below it is one that keeps a division or a logarithm sound


def faults(node: ast.AST) -> Iterator[Fault]:
    """Yield the faults that can be made of one node of a solution."""
    if isinstance(node, ast.expr):
        for kind, make in MAKERS.get(type(node), []):
            yield from ((kind, node, code) for code in make(node))
    if isinstance(node, ast.For | ast.comprehension):
        over = f"list({code(node.iter)})"
        yield from (("loop", node.iter, over + part) for part in ("[:1]", "[:-1]", "[1:]", "[::-1]"))
    tests = [node.test] if isinstance(node, ast.If | ast.While | ast.IfExp) else getattr(node, "ifs", [])
    yield from (("condition", test, truth) for test in tests for truth in ("True", "False"))


def _constant(node: ast.Constant) -> Iterator[str]:
    value = node.value
    if isinstance(value, bool):
        yield str(not value)
    elif isinstance(value, int):
        yield from (str(value + 1), f"({value - 1})")
    elif isinstance(value, float) and abs(value) < EPSILON:
        yield from (repr(value * 10), "0.0")
    elif isinstance(value, float):
        yield repr(value * 1.1)


def _comparison(node: ast.Compare) -> Iterator[str]:
    left, right = code(node.left), code(node.comparators[0])
    if len(node.ops) == 1:
        yield from (f"{left} {sign} {right}" for sign in BOUNDARY.get(type(node.ops[0]), ()))


def _falsy(node: ast.Compare) -> Iterator[str]:
    if isinstance(node.ops[0], ast.Is | ast.IsNot) and code(node.comparators[0]) == "None":
        left = code(node.left)
        yield f"not {left}" if isinstance(node.ops[0], ast.Is) else left


def _operator(node: ast.BinOp) -> Iterator[str]:
    if sign := OPERATOR.get(type(node.op)):
        yield f"({code(node.left)} {sign} {code(node.right)})"


def _swapped_operands(node: ast.BinOp) -> Iterator[str]:
    if sign := ORDERED.get(type(node.op)):
        yield f"({code(node.right)} {sign} {code(node.left)})"


def _logic(node: ast.BoolOp) -> Iterator[str]:
    word = " or " if isinstance(node.op, ast.And) else " and "
    yield f"({word.join(code(value) for value in node.values)})"


def _negation(node: ast.UnaryOp) -> Iterator[str]:
    if isinstance(node.op, ast.Not | ast.Invert | ast.USub) and not isinstance(node.operand, ast.Constant):
        yield code(node.operand)


def _dropped_call(node: ast.Call) -> Iterator[str]:
    if isinstance(node.func, ast.Attribute) and not _module(node.func.value):
        yield code(node.func.value)
    elif node.args and not isinstance(node.args[0], ast.Starred):
        yield code(node.args[0])


def _swapped_arguments(node: ast.Call) -> Iterator[str]:
    if len(node.args) >= 2 and not any(isinstance(arg, ast.Starred) for arg in node.args[:2]):
        first, second, *rest = node.args
        yield ast.unparse(ast.Call(node.func, [second, first, *rest], node.keywords))


def _dropped_keyword(node: ast.Call) -> Iterator[str]:
    for i in range(len(node.keywords)):
        yield ast.unparse(ast.Call(node.func, node.args, node.keywords[:i] + node.keywords[i + 1 :]))


def _other_function(node: ast.Call) -> Iterator[str]:
    func = node.func
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    if other := OTHER.get(name):
        yield code(node).replace(f"{code(func)}(", f"{code(func).removesuffix(name)}{other}(", 1)


def _ends(node: ast.Slice) -> Iterator[str]:
    lower, upper, step = (code(part) if part else "" for part in (node.lower, node.upper, node.step))
    rest = f":{step}" if step else ""
    if lower and not isinstance(node.lower, ast.Constant):
        yield from (f"{lower} + 1:{upper}{rest}", f":{upper}{rest}")
    if upper and not isinstance(node.upper, ast.Constant):
        yield from (f"{lower}:{upper} - 1{rest}", f"{lower}:{upper} + 1{rest}", f"{lower}:{rest}")


def _module(node: ast.AST) -> bool:
    """Whether a name is that of a library, so that `np.log(x)` without the call is `x` and not `np`."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id in {"np", "torch", "F", "math", "re", "nn", "heapq", "itertools"}


def code(node: ast.AST) -> str:
    """Return the code of a node, in brackets where it is not a name, a number, a call or the like."""
    text = ast.unparse(node)
    simple = ast.Name | ast.Constant | ast.Call | ast.Attribute | ast.Subscript | ast.List | ast.Tuple | ast.Dict
    return text if isinstance(node, simple) else f"({text})"


MAKERS: dict[type[ast.expr], list[tuple[str, Callable[[Any], Iterator[str]]]]] = {
    ast.Constant: [("constant", _constant)],
    ast.Compare: [("comparison", _comparison), ("falsy for None", _falsy)],
    ast.BinOp: [("operator", _operator), ("swapped operands", _swapped_operands)],
    ast.BoolOp: [("logic", _logic)],
    ast.UnaryOp: [("negation dropped", _negation)],
    ast.Call: [
        ("call dropped", _dropped_call),
        ("arguments swapped", _swapped_arguments),
        ("keyword dropped", _dropped_keyword),
        ("other function", _other_function),
    ],
    ast.Slice: [("slice", _ends)],
}
