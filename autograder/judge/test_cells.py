"""The test cells of an assignment that others wrote for nbgrader: plain code with asserts, executed here.

As in a notebook's kernel, a test cell earns all its points by coming to its end, or as many as the number in its last
line says; an error earns none. The test cells of a notebook share one namespace. In it are, besides what they make
themselves, the names that the instructor's own cells import, made here, and the student's as proxies, fetched anew for
each cell. So a function of the student's that is called like one of the tests' own never judges anything.
"""

import ast
import base64
import contextlib
import functools
import linecache
import marshal
import operator
import os
import sys
import traceback
from collections.abc import Iterable, Mapping
from types import CodeType

from IPython.core.inputtransformer2 import TransformerManager

from autograder.course_imports import module_names
from autograder.judge.proxies import Names
from autograder.judge.student_errors import FarError, RunnerGone, students_error
from helpers.checks.case import message_of
from helpers.checks.values import describe

COMPARE = "_compared_"  # in a test's code: what compares, and keeps both sides to tell them
OPERATORS = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
STATEFUL = ("matplotlib",)  # modules whose state is the student's process's: figures are drawn there
LISTING = {"dir", "globals", "locals", "vars"}  # what asks which names there are
MAX_WORDS = 300  # characters of a line, or of a value, that is told


class TestNames(Names):
    """The globals of a notebook's test cells, which outlive each of them; the student's are fetched for each anew."""

    def __init__(self, conversation):
        super().__init__(conversation)
        self.fetched: dict[str, object] = {}
        self.imports: dict[str, str] = {}  # the statement that makes a name, by the name

    def begin(self, source: str, imports: Iterable[str]) -> None:
        """Before a cell: forget what was the student's, and learn what the instructor's cells import.

        A test that asks which names there are is told of those that it speaks of.
        """
        for name, value in self.fetched.items():
            if self.get(name) is value:
                del self[name]
        self.fetched = {}
        self.imports |= {name: line for line in imports for name in names_of_import(line)}
        for name in asked_for(source):
            with contextlib.suppress(KeyError):
                self[name]

    def _fetch(self, name: str):
        if name in self.imports:
            try:
                exec(self.imports[name], self)
                return self[name]
            except Exception:  # no such package here, say: then it is the student's own, and the test may not be proved
                del self.imports[name]
        self.fetched[name] = value = super()._fetch(name)
        return value


def names_of_import(statement: str) -> list[str]:
    """Return the names that an import makes, none of modules whose state is in the student's process."""
    (node,) = ast.parse(statement).body
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return []
    modules = [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        modules = [node.module or ""]
    if any(module.partition(".")[0] in STATEFUL for module in modules):
        return []
    return [(alias.asname or alias.name).partition(".")[0] for alias in node.names if alias.name != "*"]


def asked_for(source: str) -> list[str]:
    """Return the names that a test speaks of in texts, if it asks which there are, as `'x' not in dir()` does."""
    try:
        nodes = list(ast.walk(ast.parse(plain(source))))
    except SyntaxError:
        return []
    if not any(isinstance(node, ast.Name) and node.id in LISTING for node in nodes):
        return []
    texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return [text for text in texts if isinstance(text, str) and text.isidentifier() and not text.startswith("__")]


class Tests:
    """The test cells of a notebook, before the judge; inside: they run in the student's process."""

    def __init__(self, conversation, seconds: float, inside: bool):
        self.conversation, self.seconds, self.inside = conversation, seconds, inside
        self.names = TestNames(conversation)

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
        self.names.begin(cell.source, cell.metadata["bow2lora"]["imports"])
        return run_test(cell.source, name, self.names)

    def _inside(self, cell, name: str):
        reply, _ = self.conversation.ask({"op": "test"}, packed(cell.source, name), self.seconds)
        if reply.get("ok") is not True:
            raise students_error(reply.get("error"))
        return reply.get("number")


def run_test(source: str, name: str, names: TestNames):
    """Execute a test cell; returns the value of its last line, if that is an expression."""
    body, last = compiled(source, name)
    compared = names[COMPARE] = Compared()
    try:
        exec(body, names)
        return eval(last, names) if last else None
    except AssertionError as error:
        error.__dict__["compared"] = compared.last
        raise
    finally:
        del names[COMPARE]


@functools.lru_cache(256)
def compiled(source: str, name: str, keeps_sides: bool = True) -> tuple[CodeType, CodeType | None]:
    """Return the code of a test cell, and that of its last line if it is an expression; SyntaxError if it is none.

    keeps_sides: asserts that compare go through COMPARE.
    """
    text = plain(source)
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


def plain(source: str) -> str:
    """Return a cell as plain Python, its magics as the calls that IPython makes of them."""
    return TransformerManager().transform_cell(source)


class _Comparing(ast.NodeTransformer):
    """Lets `assert a == b` keep both sides."""

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        test = node.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in OPERATORS:
            keeps = ast.Name(COMPARE, ast.Load())
            kind = ast.Constant(type(test.ops[0]).__name__)
            node.test = ast.copy_location(ast.Call(keeps, [kind, test.left, *test.comparators], []), test)
        return node


class Compared:
    """Compares, and keeps the two values that were compared last."""

    def __init__(self):
        self.last: tuple | None = None

    def __call__(self, kind: str, left, right):
        """Return what the operator says of both."""
        self.last = (left, right)
        return next(act for node, act in OPERATORS.items() if node.__name__ == kind)(left, right)


def score_of(value, points: float) -> float:
    """Return what a test that came to its end earns: the number in its last line, else all, as nbgrader has it."""
    if type(value) not in (int, float):
        return points
    return float(min(max(value, 0.0), points)) if value == value else 0.0


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
    where = f" (line {number} of the answer: {text})" if number else ""
    if isinstance(error, SyntaxError) and not isinstance(error, FarError):
        where = f" (line {error.lineno} of the test)"
    return f"{type(error).__name__}{f': {words}' if words else ''}{where}"[:MAX_WORDS]


def use_folder(folder: str, files: Iterable[str]) -> None:
    """Let tests read and import the instructor's files, before packages of the same names.

    The process that calls it belongs to one submission alone.
    """
    os.chdir(folder)
    sys.path.insert(0, folder)
    for name in module_names(files):
        for known in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
            del sys.modules[known]
