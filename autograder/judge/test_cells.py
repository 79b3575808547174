"""The test cells of an assignment that others wrote for nbgrader: plain code with asserts, executed here.

As in a notebook's kernel, a test cell earns all its points by coming to its end, or as many as the number in its last
line says; an error earns none. The test cells of a notebook share one namespace. In it are, besides what they make
themselves, what the instructor's own cells import, define or compute, made here, and the names that answers make, the
student's as proxies, fetched anew for each cell. So nothing else of the student's, whatever it is called, judges.
"""

import ast
import base64
import contextlib
import functools
import linecache
import marshal
import math
import operator
import os
import traceback
from collections.abc import Iterable, Mapping
from types import CodeType

import numpy as np
import torch

from autograder.course_imports import put_first
from autograder.judge import empty_arrays, own_names
from autograder.judge.proxies import Names
from autograder.judge.student_errors import FarError, RunnerGone, students_error
from autograder.terminal import one_line
from helpers.checks.case import message_of
from helpers.checks.put_back import staying
from helpers.checks.values import describe

COMPARE = "_compared_"  # in a test's code: what compares, and keeps both sides of an assert to tell them
OPERATORS = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Sub": operator.sub,
}
MADE = "<made for the tests>"
LISTING = {"dir", "globals", "locals", "vars"}  # what asks which names there are
MAX_WORDS = 300  # characters of a line, or of a value, that is told


class TestNames(Names):
    """The globals of a notebook's test cells, which outlive each of them; the student's are fetched for each anew.

    The student's are the names that the instructor's own answers make, and no others: whatever else a test relies on
    (data, helpers, imports, what an earlier test was to make) is made here from the instructor's text.
    """

    def __init__(self, conversation, tests: Iterable[str] = ()):
        super().__init__(conversation)
        self.fetched: dict[str, object] = {}
        self.answers: frozenset[str] = frozenset()
        self.of_tests = own_names.by_name(own_names.of_tests(tests))
        self.own: Mapping[str, list[str]] = self.of_tests
        self.starred: dict | None = None
        self.prepared = False
        self.compared = Compared()

    def begin(self, source: str, own: Iterable[str], answers: Iterable[str]) -> None:
        """Before a cell: forget what was the student's, and learn what the instructor's cells make.

        A test that asks which names there are is told of those that it speaks of.
        """
        for name, value in self.fetched.items():
            if self.get(name) is value:
                del self[name]
        self.fetched, self.answers = {}, frozenset(answers)
        self.own = {**self.of_tests, **own_names.by_name(tuple(own))}
        for name in asked_for(source):
            with contextlib.suppress(KeyError):
                self[name] = self[name] if name in self.own else self._students(name)

    def __missing__(self, name: str):
        if name == COMPARE:
            return self.compared
        if name in self.answers and not name.startswith("__"):
            return self._students(name)  # before a builtin of this name
        return super().__missing__(name)

    def _fetch(self, name: str):
        if name not in self.own:
            return self._of_star(name)
        self._prepare()
        try:
            for line in self.own[name]:
                self._make(line)
        except ImportError:  # of a module that the answer writes
            if not all(own_names.is_import(line) for line in self.own[name]):
                raise
            return self._students(name)
        return self[name]

    def _prepare(self) -> None:
        """Once, do what decides what imports find."""
        if not self.prepared:
            self.prepared = True
            for line in self.own.get("", ()):
                self._make(line)

    def _make(self, line: str) -> None:
        body, last = compiled(line, MADE)
        exec(body, self)
        if last:
            eval(last, self)

    def _students(self, name: str):
        self[name] = self.fetched[name] = value = super()._fetch(name)
        return value

    def _of_star(self, name: str):
        """Return what one of the instructor's cells imports with all names of a module."""
        if self.starred is None:
            self.starred = {}
            for line in self.own.get("*", ()):
                exec(line, self.starred)
        if name not in self.starred:
            raise KeyError(name)
        return self.starred[name]


def asked_for(source: str) -> list[str]:
    """Return the names that a test speaks of in texts, if it asks which there are, as `'x' not in dir()` does."""
    nodes = list(ast.walk(ast.Module(own_names.body(source), [])))
    if not any(isinstance(node, ast.Name) and node.id in LISTING for node in nodes):
        return []
    texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return [text for text in texts if isinstance(text, str) and text.isidentifier() and not text.startswith("__")]


class Tests:
    """The test cells of a notebook, before the judge; inside: they run in the student's process."""

    def __init__(self, conversation, seconds: float, inside: bool):
        self.conversation, self.seconds, self.inside = conversation, seconds, inside
        self.names = TestNames(conversation)

    def learn(self, tests: Iterable[str]) -> None:
        """Take in the texts of all test cells: what one of them was to make, another may rely on."""
        self.names = TestNames(self.conversation, tests)

    def put_files(self, files: Mapping[str, str]) -> None:
        """Give the student's process the instructor's files, and its calls as much time as a cell has."""
        self.conversation.own_call_seconds = self.seconds
        contents = [base64.b64decode(content) for content in files.values()]
        with contextlib.suppress(RunnerGone):
            self.conversation.ask({"op": "files", "names": list(files)}, contents, self.seconds)

    def code_of_given(self, cell) -> list[bytes]:
        """Return the code of a locked cell, compiled here: no shell that an answer has changed reads its text."""
        with contextlib.suppress(SyntaxError):  # told where it is run
            return packed(cell.source, f"<{cell.id}>")
        return []

    def result(self, cell, points: float) -> tuple[float, list[str]]:
        """Return what a test cell earns, and what is to be said of it if that is not all."""
        name = f"<test {cell.id}>"
        try:
            value = self._inside(cell, name) if self.inside else self._outside(cell, name)
        except BaseException as error:
            return 0.0, why_not(error, name)
        return score_of(value, points), []

    def _outside(self, cell, name: str):
        marks = cell.metadata["bow2lora"]
        self.names.begin(cell.source, marks["own"], marks["answers"])
        endless = self.conversation.endless
        value = run_test(cell.source, name, self.names)
        if self.conversation.endless > endless:  # a test that expects an error takes this for one
            raise TimeoutError("a call of the answer's came to no end")
        self.conversation.budget.hold()
        return value

    def _inside(self, cell, name: str):
        reply, _ = self.conversation.ask({"op": "test"}, packed(cell.source, name), self.seconds)
        if reply.get("ok") is not True:
            raise students_error(reply.get("error"))
        return reply.get("number")


def run_test(source: str, name: str, names: TestNames):
    """Execute a test cell; returns the value of its last line, if that is an expression.

    What an answer changes of its arguments stays changed, as in a notebook.
    """
    body, last = compiled(source, name)
    compared = names.compared = Compared()
    try:
        with empty_arrays.refused(), staying():
            exec(body, names)
            return eval(last, names) if last else None
    except AssertionError as error:
        error.__dict__["compared"] = compared.failed()
        raise


@functools.lru_cache(256)
def compiled(source: str, name: str, keeps_sides: bool = True) -> tuple[CodeType, CodeType | None]:
    """Return the code of a test cell, and that of its last line if it is an expression; SyntaxError if it is none.

    keeps_sides: asserts that compare go through COMPARE.
    """
    text = own_names.plain(source)
    tree = ast.parse(text, name)
    if keeps_sides:
        tree = ast.fix_missing_locations(_Comparing().visit(tree))
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        return compile(tree, name, "exec"), None
    tree.body.pop()
    return compile(tree, name, "exec"), compile(ast.Expression(last.value), name, "eval")


def packed(source: str, name: str) -> list[bytes]:
    """Return a test cell's code for another process of this Python: what stands there cannot change its text."""
    return [marshal.dumps(code) for code in compiled(source, name, keeps_sides=False) if code is not None]


class _Comparing(ast.NodeTransformer):
    """Lets `assert a == b` keep both sides, and all that compares or subtracts look at empty arrays."""

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        self.generic_visit(node)
        if isinstance(node.test, ast.Call) and getattr(node.test.func, "id", "") == COMPARE:
            node.test.args[-1] = ast.Constant(True)  # `keep`
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        return _call(node, node.ops[0], node.left, node.comparators[0]) if len(node.ops) == 1 else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return _call(node, node.op, node.left, node.right)


def _call(node: ast.expr, operator_: ast.AST, left: ast.expr, right: ast.expr) -> ast.expr:
    """Return the call that stands for an operator of OPERATORS, the node itself for any other."""
    name = type(operator_).__name__
    if name not in OPERATORS:
        return node
    args = [ast.Constant(name), left, right, ast.Constant(False)]
    return ast.copy_location(ast.Call(ast.Name(COMPARE, ast.Load()), args, []), node)


class Compared:
    """Compares, and keeps the two values that an assert compared last."""

    def __init__(self):
        self.last: tuple | None = None
        self.result: object = True

    def __call__(self, kind: str, left, right, keep: bool):
        """Return what the operator says of both."""
        if keep:
            self.last, self.result = (left, right), False
        empty_arrays.ensure_not_empty(left, right)
        found = OPERATORS[kind](left, right)
        if keep:
            self.result = found
        return found

    def failed(self) -> tuple | None:
        """Return the two values, None if what came of them is true: then another line failed."""
        return None if self.result is True or self.result is np.True_ else self.last


def score_of(value, points: float) -> float:
    """Return what a test that came to its end earns: the number in its last line, else all, as nbgrader has it.

    The number may have become an array or a complex number by what the answer gave: then it is none.
    """
    if isinstance(value, np.number | np.bool_):
        value = value.item()
    if isinstance(value, complex | np.ndarray | torch.Tensor):
        return 0.0
    if type(value) not in (int, float):
        return points
    return float(min(value, points)) if 0 < value < math.inf else 0.0


def why_not(error: BaseException, name: str) -> list[str]:
    """Return what a failed test says to its reader: the line, the two values, the error; each in a line."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
    lines = []
    if frames:
        line = linecache.getline(name, frames[0].lineno or 0).strip()
        lines.append(f"line {frames[0].lineno}: {line}"[:MAX_WORDS])
    compared = vars(error).get("compared")
    if compared is not None:
        left, right = (describe(value)[:MAX_WORDS] for value in compared)
        lines.append(f"  left:  {left}")
        lines.append(f"  right: {right}")
    said = _said(error)
    return [*lines, *([f"  {said}"] if said else [])]


def _said(error: BaseException) -> str:
    """Return an error in a line; of one of the student's the line of the answer in which it arose, too."""
    words = next((line for line in message_of(error).splitlines() if line.strip()), "").strip()
    if isinstance(error, AssertionError) and not isinstance(error, FarError):
        return words[:MAX_WORDS]
    number, text = getattr(error, "students_line", (None, ""))
    where = f" (line {number} of the answer: {one_line(text)})" if number else ""
    if isinstance(error, SyntaxError) and not isinstance(error, FarError):
        where = f" (line {error.lineno} of the test)"
    return f"{type(error).__name__}{f': {words}' if words else ''}{where}"[:MAX_WORDS]


def use_folder(folder: str, files: Iterable[str]) -> None:
    """Let tests read and import the instructor's files, before packages of the same names.

    The process that calls it belongs to one submission alone.
    """
    os.chdir(folder)
    put_first(folder, files)
