"""What must be read twice: counted in Python files by their syntax tree.

    python tests/plain.py            a table: lines, conditional expressions and comprehensions for 100 statements
    python tests/plain.py --where    each place that breaks a rule, with its line

test_plain.py holds that no file breaks a rule.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACES = ("autograder/**/*.py", "helpers/**/*.py", "solutions/*/*.py", "solutions/*/checks/*.py")
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
TEXTS = (ast.List, ast.Tuple, ast.JoinedStr, ast.Constant)
CONDITIONS = (ast.Compare, ast.BoolOp)
RULES = {
    "nested": "a conditional expression within another",
    "dense": "a comprehension with a condition and two loops",
    "within": "a comprehension within a conditional expression",
    "added": "something or nothing added: x += [y] if c else []",
    "times": "something times a condition: [y] * bool(c)",
    "beside": "more than one comprehension on a line",
}


def files() -> list[Path]:
    """Return the files that are to be plain."""
    found = {path for place in PLACES for path in ROOT.glob(place)}
    return sorted(found)


def breaches(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield (rule, line) for each place that breaks a rule."""
    lines: dict[int, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.IfExp):
            yield from _within_a_condition(node)
        if isinstance(node, COMPREHENSIONS):
            lines[node.lineno] = lines.get(node.lineno, 0) + 1
            if len(node.generators) > 1 and any(one.ifs for one in node.generators):
                yield "dense", node.lineno
        if isinstance(node, ast.AugAssign) and _is_something_or_nothing(node.value):
            yield "added", node.lineno
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and _is_choice(node):
            yield "times", node.lineno
    for line, count in lines.items():
        if count > 1:
            yield "beside", line


def _within_a_condition(node: ast.IfExp) -> Iterator[tuple[str, int]]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.IfExp) and inner is not node:
            yield "nested", inner.lineno
        if isinstance(inner, COMPREHENSIONS):
            yield "within", inner.lineno


def _is_something_or_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.IfExp) and (_is_empty(node.body) or _is_empty(node.orelse))


def _is_empty(node: ast.expr) -> bool:
    """Whether an expression is an empty list, tuple, dict, set or text."""
    if isinstance(node, ast.Dict):
        return not node.keys
    if isinstance(node, ast.List | ast.Tuple):
        return not node.elts
    if isinstance(node, ast.Constant):
        return node.value == ""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "set" and not node.args


def _is_choice(node: ast.BinOp) -> bool:
    """Whether a product takes a list or a text once or not at all."""
    sides = (node.left, node.right)
    return any(_is_text(side) for side in sides) and any(_is_condition(side) for side in sides)


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    return isinstance(node, TEXTS)


def _is_condition(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "bool"
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, CONDITIONS)


def density(path: Path) -> tuple[int, int, int, int]:
    """Return how many lines, statements, conditional expressions and comprehensions a file has."""
    text = path.read_text(encoding="utf-8")
    nodes = list(ast.walk(ast.parse(text)))
    kinds = (ast.stmt, ast.IfExp, COMPREHENSIONS)
    statements, conditions, loops = (sum(isinstance(node, kind) for node in nodes) for kind in kinds)
    return text.count("\n"), statements, conditions, loops


def report() -> Iterator[str]:
    """Yield the table: lines, and what comes on 100 statements, file by file, and of each place."""
    yield f"{'lines':>8}{'conditional':>13}{'comprehensions':>16}  for 100 statements"
    for place in PLACES:
        total = (0, 0, 0, 0)
        for path in sorted(ROOT.glob(place)):
            one = density(path)
            total = tuple(a + b for a, b in zip(total, one, strict=True))
            yield _row(path.relative_to(ROOT).as_posix(), *one)
        yield _row(f"= {place}", *total)


def _row(name: str, lines: int, statements: int, conditions: int, loops: int) -> str:
    hundred = max(statements, 1) / 100
    return f"{lines:>8,}{conditions / hundred:>13.1f}{loops / hundred:>16.1f}  {name}"


def where() -> Iterator[str]:
    """Yield each place that breaks a rule."""
    for path in files():
        for rule, line in breaches(ast.parse(path.read_text(encoding="utf-8"))):
            yield f"{path.relative_to(ROOT).as_posix()}:{line}: {RULES[rule]}"


if __name__ == "__main__":
    print("\n".join(where() if "--where" in sys.argv else report()))
