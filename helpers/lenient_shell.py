"""IPython's shell without a terminal, a display, a network or all packages: what needs one costs its own line alone.

People begin cells with `%matplotlib inline`, `!pip install emoji` or `import pandas`. Where such a line cannot do what
it does in JupyterLab, it is left out, a line of the cell's output says so, and what stands below it runs. Any other
error stops its cell, as in JupyterLab.
"""

import ast
import os
import pdb
from functools import partial

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList

from helpers import missing_packages, shell_lines
from helpers.missing_packages import GuardedImports, MissingPackage, PackagesAlone, Undecorated
from helpers.shell_lines import NOT_RUN

TRANSPARENT_MAGICS = ("time", "prun", "debug")  # their body is ordinary code
SHELL_MAGICS = ("bash", "sh", "script", "!", "sx", "system")  # their body is for the system's shell
MAGIC_CALLS = {"run_line_magic": "%", "run_cell_magic": "%%", "system": "!", "getoutput": "!"}
INSTALLERS = ("pip", "conda", "mamba", "micromamba", "uv")  # magics that install packages
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
MAX_WORDS = 120  # characters of a line that is quoted


class LenientShell(InteractiveShell):
    """A shell for notebooks that nobody watches.

    left_out: a line for each thing that the cell before did not run; missing: the packages that it lacked.
    """

    def __init__(self, **options):
        super().__init__(**options)
        os.environ["PYTHONBREAKPOINT"] = "0"  # a debugger would wait for somebody to type
        pdb.set_trace = _no_debugger
        self.left_out: list[str] = []
        self.missing: list[str] = []
        PackagesAlone.install()
        for name in INSTALLERS:
            self.register_magic_function(partial(self._installer, name), "line", name)
        self.builtin_trap.auto_builtins["input"] = self._no_input
        self.input_transformers_cleanup.append(self._plain_body)

    def run_cell(self, raw_cell, *args, **options):
        """Run a cell; what was left out of it is in `left_out` and `missing` afterwards."""
        self.left_out, self.missing = [], []
        return super().run_cell(raw_cell, *args, **options)

    def leave_out(self, line: str, why: str = NOT_RUN) -> None:
        """Say in the cell's output that a line was not run."""
        first, *more = line.splitlines() or [""]
        words = f"`{first[:MAX_WORDS]}{' ...' if more else ''}`: {why}"
        self.left_out.append(words)
        print(words)

    # What has no display, no terminal, no network

    def enable_gui(self, gui=None) -> None:
        """Do nothing: no window can open."""

    def enable_matplotlib(self, gui=None) -> tuple[str, str]:
        """Leave matplotlib as it is: figures are drawn and shown to nobody."""
        return "inline", "inline"

    def ask_exit(self) -> None:
        """Do nothing: `exit` would end the notebook's kernel once its cell is done."""
        self.leave_out("exit")

    def _plain_body(self, lines: list[str]) -> list[str]:
        """Return a cell's lines; one that begins with `%%time`, or with a magic unknown here, as ordinary code.

        So each of its statements runs by itself, and one that is left out leaves the others.
        """
        first = next((number for number, line in enumerate(lines) if line.strip()), None)
        if first is None or not lines[first].startswith("%%"):
            return lines
        name = lines[first].removeprefix("%%").partition(" ")[0].strip()
        known = self.find_cell_magic(name) is not None
        if known and name not in TRANSPARENT_MAGICS:
            return lines
        as_code = [*lines[:first], f"#{lines[first]}", *lines[first + 1 :]]
        return as_code if known or _parses(as_code) else lines

    def _no_input(self, prompt: object = "", /) -> str:
        self.leave_out(f"input({prompt!r})", f"nobody types while grading, so it is {''!r}")
        return ""

    def system(self, cmd: str) -> None:
        """Run `!cmd`, and print what it printed; its exit code is in `_exit_code`."""
        printed, self.user_ns["_exit_code"] = self._shell_line(self.var_expand(cmd, depth=1))
        print(printed, end="")

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> SList | str:
        """Run `lines = !cmd`; returns what it printed, as lines where `split`."""
        printed, _ = self._shell_line(self.var_expand(cmd, depth=depth + 1))
        return SList(printed.splitlines()) if split else printed

    def _shell_line(self, command: str) -> tuple[str, int]:
        if shell_lines.needs_outside(command):
            self.leave_out(f"!{command}")
            return "", 0
        try:
            return shell_lines.run(command)
        except OSError as error:  # TimeoutError is one, too
            self.leave_out(f"!{command}", f"{NOT_RUN} ({error})")
            return "", 1

    # Magics

    def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1):
        """Run `%name line`; one that fails is left out, wherever in a block it stands."""
        try:
            return super().run_line_magic(magic_name, line, _stack_depth=_stack_depth + 1)
        except Exception as error:
            return self._leave_out_magic(f"%{magic_name} {line}", error)

    def run_cell_magic(self, magic_name: str, line: str, cell: str):
        """Run a cell that begins with `%%name line`; one that fails, or needs a network, is left out."""
        words = f"%%{magic_name} {line}"
        if magic_name in SHELL_MAGICS and shell_lines.needs_outside(cell):
            return self.leave_out(words.strip())
        try:
            return super().run_cell_magic(magic_name, line, cell)
        except Exception as error:
            return self._leave_out_magic(words, error)

    def _installer(self, name: str, line: str) -> None:
        """Stand for `%pip install x` and its like: nothing is installed."""
        self.leave_out(f"%{name} {line}".strip())

    def magic(self, line: str):
        """Run `%line`, as older notebooks write it."""
        name, _, rest = line.strip().removeprefix("%").partition(" ")
        return self.run_line_magic(name, rest.strip(), _stack_depth=2)

    def _leave_out_magic(self, words: str, error: Exception) -> None:
        self.leave_out(words.strip(), f"{NOT_RUN} ({type(error).__name__}: {error})")

    # One statement at a time

    async def run_ast_nodes(self, nodelist, cell_name, interactivity="last_expr", compiler=compile, result=None):
        """Run the statements of a cell, one after the other; returns whether an error stopped it."""
        nodes = _imports_apart(nodelist)
        for number, whole in enumerate(nodes):
            node = self._without_missing(whole)
            shows = interactivity if number == len(nodes) - 1 or interactivity == "all" else "none"
            failed = await super().run_ast_nodes([node], cell_name, shows, compiler, result)
            if failed and not self._goes_on(node, result):
                return True
        return False

    def _goes_on(self, node: ast.stmt, result) -> bool:
        """Whether a statement that failed may be left out; if so, says so, and the cell has no error."""
        error = result.error_before_exec or result.error_in_exec if result is not None else None
        if not isinstance(error, Exception):
            return False
        package = missing_packages.missing_package(error) or self._package_used(node)
        magic = _magic_line(node)
        if magic:
            self._leave_out_magic(magic, error)
        elif package:
            self._lack(package, node)
        elif _needs_a_display(error):
            self.leave_out(ast.unparse(node), f"{NOT_RUN} ({error})")
        else:
            return False
        result.error_before_exec = result.error_in_exec = None
        return True

    def _without_missing(self, node: ast.stmt) -> ast.stmt:
        """Return a statement that runs as far as it can where packages are not here."""
        if missing_packages.any_stand_in(self.user_ns):
            node = Undecorated(self.user_ns, self._lack_decorator).visit(node)
        elif isinstance(node, DEFINITIONS):
            return node  # nothing in it is changed, and looking costs more than running it
        if not isinstance(node, ast.Import | ast.ImportFrom):
            node = GuardedImports().visit(node)
        return ast.fix_missing_locations(node)

    def import_if_here(self, statement: str, line: int) -> None:
        """Run an import in the notebook; where its package is not here, its names stand for that."""
        try:
            exec(statement, self.user_ns)
        except Exception as error:
            package = missing_packages.missing_package(error)
            if not package:
                raise error.with_traceback(None) from None  # it stands in the cell's line, not in that of `statement`
            node = ast.parse(statement).body[0]
            node.lineno = line
            self._lack(package, node)

    def _package_used(self, node: ast.stmt) -> str:
        """Return the missing package that a statement uses by one of the names that stand for it, "" if none."""
        used = missing_packages.stand_ins(node, self.user_ns)
        return used[0].__dict__["package"] if used else ""

    def _lack(self, package: str, node: ast.stmt) -> None:
        """Note a package that is not here; the names that the statement makes stand for it."""
        self._note_missing(package, ast.unparse(node), node.lineno)
        for name in missing_packages.names_made(node):
            self.user_ns[name] = MissingPackage(package)

    def _lack_decorator(self, node: ast.expr, stands_in: MissingPackage) -> None:
        self._note_missing(stands_in.__dict__["package"], f"@{ast.unparse(node)}", node.lineno)

    def _note_missing(self, package: str, code: str, line: int) -> None:
        if package not in self.missing:
            self.missing.append(package)
        self.leave_out(code, f"{NOT_RUN} (line {line}: there is no package '{package}')")


def _no_debugger(*_, **__) -> None:
    """Stands for pdb.set_trace."""


def _parses(lines: list[str]) -> bool:
    try:
        ast.parse("".join(lines))
    except SyntaxError:
        return False
    return True


def _imports_apart(nodes: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements with `import a, b` as two: one of them may be missing."""
    apart: list[ast.stmt] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            apart += [ast.copy_location(ast.Import([alias]), node) for alias in node.names]
        else:
            apart.append(node)
    return apart


def _magic_line(node: ast.stmt) -> str:
    """Return the magic or shell line that a statement is, as it was typed; "" if it is none."""
    call = getattr(node, "value", None)
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return ""
    owner = call.func.value
    is_shell = isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "get_ipython"
    if not is_shell or call.func.attr not in MAGIC_CALLS:
        return ""
    words = [str(word.value) for word in call.args[:2] if isinstance(word, ast.Constant)]
    return MAGIC_CALLS[call.func.attr] + " ".join(words).strip()


def _needs_a_display(error: Exception) -> bool:
    """Whether matplotlib says that a window cannot be opened here."""
    return isinstance(error, ImportError) and str(error).startswith("Cannot load backend")
