"""The mutants of a solution: each is its text with one fault in it."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from autograder.authoring.mutants import expressions, functions, statements

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


class Mutant(NamedTuple):
    """A solution with one fault.

    kind:   of fault, as "constant"
    change: where and what, as "softmax: scores - top => (scores + top)"; no two of a solution have the same
    source: the cell with the fault in it
    """

    kind: str
    change: str
    source: str


def mutants(source: str) -> list[Mutant]:
    """Return the mutants of an exercise's cell: faults in what stands between its solution marks."""
    by_change: dict[str, Mutant] = {}
    before = ast.dump(ast.parse(source))
    for mutant in _all(_Text(source)):
        parsed = _parsed(mutant.source)
        if parsed and ast.dump(parsed) != before:
            change, again = mutant.change, 2
            while change in by_change:
                change, again = f"{mutant.change} ({again})", again + 1
            by_change[change] = mutant._replace(change=change)
    by_source = {mutant.source: mutant for mutant in by_change.values()}
    return list(by_source.values())


def _all(text: "_Text") -> Iterator[Mutant]:
    for function in text.functions():
        name, arguments = function.name, {a.arg for a in function.args.args}
        returns = ast.unparse(function.returns) if function.returns else ""
        for kind, line in functions.faults(function):
            yield Mutant(kind, f"{name}: {line}", text.begun(function, line))
        for node in text.inside(function):
            for kind, target, code in expressions.faults(node):
                yield Mutant(kind, f"{name}: {_first_line(target)} => {code}", text.replaced(target, code))
            if isinstance(node, ast.stmt):
                for kind, code in statements.faults(node, returns, arguments):
                    change = f"{name}: {_first_line(node)} => {code}".replace("\n", "; ")
                    yield Mutant(kind, change, text.replaced(node, code))


def _first_line(node: ast.AST) -> str:
    """Return the first line of a node's code."""
    return ast.unparse(node).splitlines()[0]


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except SyntaxError:
        return None


class _Text:
    """A cell's text, in which nodes are replaced by other code."""

    def __init__(self, source: str):
        self.lines = source.encode().split(b"\n")  # columns of ast are bytes
        self.tree = ast.parse(source)
        marks = [(i, line.strip()) for i, line in enumerate(self.lines, 1)]
        begins = [i for i, line in marks if line == BEGIN.encode()]
        ends = [i for i, line in marks if line == END.encode()]
        self.regions = list(zip(begins, ends, strict=True))

    def functions(self) -> list[ast.FunctionDef]:
        """Return the functions and methods that hold a solution, outermost only."""
        every = [node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)]
        holding = [function for function in every if self._holds_a_solution(function)]
        inner: set[ast.AST] = set()
        for function in holding:
            inner.update(node for node in ast.walk(function) if node is not function)
        return [function for function in holding if function not in inner]

    def _holds_a_solution(self, function: ast.FunctionDef) -> bool:
        first, last = _lines(function)  # the mark of the end may stand right below the last statement
        return any(first < begin and end <= last + 1 for begin, end in self.regions)

    def inside(self, function: ast.FunctionDef) -> Iterator[ast.AST]:
        """Yield the nodes of a function that stand in a solution; a comprehension where what it goes over stands."""
        for node in ast.walk(function):
            place = node.iter if isinstance(node, ast.comprehension) else node
            if any(b < getattr(place, "lineno", 0) < e for b, e in self.regions) and not _docstring(node):
                yield node

    def replaced(self, node: ast.expr | ast.stmt, code: str) -> str:
        """Return the text with other code in a node's place; further lines are indented as the first."""
        begin, end = _lines(node)
        first, last = self.lines[begin - 1], self.lines[end - 1]
        indent = b"\n" + first[: len(first) - len(first.lstrip())]
        middle = first[: node.col_offset] + code.encode().replace(b"\n", indent) + last[node.end_col_offset :]
        return self._joined([*self.lines[: begin - 1], middle, *self.lines[end:]])

    def begun(self, function: ast.FunctionDef, line: str) -> str:
        """Return the text with a line before a function's first solution line, or with a decorator on it."""
        if line.startswith("@"):
            at = min([function.lineno, *(d.lineno for d in function.decorator_list)])
            new = [b" " * function.col_offset + line.encode()]
            start = functions.REMEMBERED.encode().split(b"\n") if "remembered" in line else []
            return self._joined([*start, *self.lines[: at - 1], *new, *self.lines[at - 1 :]])
        begin = next(b for b, _ in self.regions if b > function.lineno)
        new = [b" " * (function.col_offset + 4) + line.encode()]
        return self._joined([*self.lines[:begin], *new, *self.lines[begin:]])

    def _joined(self, lines: list[bytes]) -> str:
        return b"\n".join(lines).decode()


def _lines(node: ast.expr | ast.stmt) -> tuple[int, int]:
    """Return the first and the last line of a node, counted from 1."""
    return node.lineno, node.end_lineno or node.lineno


def _docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
