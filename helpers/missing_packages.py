"""Packages that are not here: what stands for them, and how a notebook's code is changed to go on without them."""

import ast
import contextlib
import importlib.util
import sys
from collections.abc import Callable, Iterable
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

COURSE = Path(__file__).resolve().parents[1]
INSTALLED = {"site-packages", "dist-packages"}  # folders in which other packages lie, too
CATCHES_IMPORTS = {"BaseException", "Exception", "ImportError", "ModuleNotFoundError"}
USES = (  # special methods
    "abs", "add", "aenter", "aexit", "aiter", "and", "anext", "await", "bool", "call", "complex", "contains",
    "delattr", "delitem", "divmod", "enter", "exit", "float", "floordiv", "ge", "getitem", "gt", "iadd",
    "index", "instancecheck", "int", "invert", "iter", "le", "len", "lshift", "lt", "matmul", "mod",
    "mro_entries", "mul", "neg", "next", "or", "pos", "pow", "radd", "rand", "rdivmod", "rfloordiv", "rlshift",
    "rmatmul", "rmod", "rmul", "ror", "round", "rpow", "rrshift", "rshift", "rsub", "rtruediv", "rxor",
    "setattr", "setitem", "sub", "subclasscheck", "truediv", "xor",
)  # fmt: skip


class MissingPackage:
    """Stands for what a package that is not here would have given: using it raises the import's error again."""

    def __init__(self, package: str):
        self.__dict__["package"] = package

    def __repr__(self) -> str:
        return f"<there is no package '{self.__dict__['package']}'>"

    def __getattr__(self, name: str):
        if name.startswith("__") and name != "__version__":
            raise AttributeError(name)  # what Python asks of any object by itself is no use of the package
        return self._use()

    def _use(self, *_, **__):
        package = self.__dict__["package"]
        raise ModuleNotFoundError(f"No module named '{package}'", name=package)


for name in USES:
    setattr(MissingPackage, f"__{name}__", MissingPackage._use)


class PackagesAlone(PathFinder):
    """A finder for `sys.meta_path` to which the course's folders of files are no packages; `datasets` would be one."""

    @classmethod
    def find_spec(cls, fullname: str, path=None, target=None) -> ModuleSpec | None:
        """Return where a module lies, as PathFinder does, but None for a folder of the course's that is no package."""
        spec = super().find_spec(fullname, path, target)
        if spec is None or spec.origin is not None or path is not None or INSTALLED & set(COURSE.parts):
            return spec
        places = [Path(place).resolve() for place in spec.submodule_search_locations or ()]
        return None if COURSE / fullname in places else spec

    @classmethod
    def install(cls) -> None:
        """Take the place of Python's own finder."""
        sys.meta_path[:] = [cls if finder is PathFinder else finder for finder in sys.meta_path]


def missing_package(error: Exception) -> str:
    """Return the package that an import did not find, "" if the error is another one."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return ""
    return error.name if _is_missing(error.name) else ""


def _is_missing(name: str) -> bool:
    """Whether a module lies in no package that is here; `google.colab` may lack where other parts of `google` are."""
    package = name
    while package:
        spec = None
        with contextlib.suppress(ImportError, ValueError):
            spec = importlib.util.find_spec(package)
        if spec is not None:
            return spec.origin is None  # a namespace: anybody may add a part to it
        package = package.rpartition(".")[0]
    return True


def names_made(node: ast.stmt) -> list[str]:
    """Return the names that a statement gives to its notebook, not those within its functions and classes."""
    names = _Names()
    names.visit(node)
    return list(dict.fromkeys(names.made))


class _Names(ast.NodeVisitor):
    def __init__(self):
        self.made: list[str] = []

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.made.append(node.id)

    def _alias(self, node: ast.Import | ast.ImportFrom) -> None:
        names = [alias.asname or alias.name for alias in node.names]
        self.made += [name.partition(".")[0] for name in names if name != "*"]

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self.made.append(node.name)

    def _own_names(self, node: ast.AST) -> None:
        """Names that are made here are gone behind it."""

    visit_Import = visit_ImportFrom = _alias
    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _definition
    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _own_names


def stand_ins(node: ast.AST, names: dict) -> list[MissingPackage]:
    """Return what stands for a missing package among the values that a piece of code reads by name."""
    read = [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Store)]
    return [value for value in map(names.get, read) if type(value) is MissingPackage]


def any_stand_in(names: dict) -> bool:
    """Whether any of a notebook's names stands for a missing package."""
    return any(type(value) is MissingPackage for value in names.values())


class GuardedImports(ast.NodeTransformer):
    """Changes imports within a block (`if`, `with`, `for`) of a cell into calls of the shell, one for each.

    Those of functions and classes, and those whose error the cell catches itself, stay as they are.
    """

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        return [_guarded(ast.copy_location(ast.Import([alias]), node)) for alias in node.names]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        return _guarded(node)

    def visit_Try(self, node: ast.Try) -> ast.Try:
        if not any(_catches_imports(handler) for handler in node.handlers):
            return self.generic_visit(node)
        for part in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(part)
        return node

    def _stays(self, node: ast.AST) -> ast.AST:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _stays


def _guarded(node: ast.Import | ast.ImportFrom) -> ast.stmt:
    call = ast.parse(f"get_ipython().import_if_here({ast.unparse(node)!r}, {node.lineno})").body[0]
    for part in ast.walk(call):
        ast.copy_location(part, node)
    return call


def _catches_imports(handler: ast.ExceptHandler) -> bool:
    """Whether a handler is for the error of an import; one of any name but a few is taken for none."""
    named = ast.walk(handler.type) if handler.type is not None else ()
    return handler.type is None or any(isinstance(one, ast.Name) and one.id in CATCHES_IMPORTS for one in named)


class Undecorated(ast.NodeTransformer):
    """Leaves functions and classes as they are without what a missing package adds: decorators and annotations.

    names: the notebook's; left_out: is called with each decorator that was left out and what stands for its package. A
    default value becomes what stands for the package.
    """

    def __init__(self, names: dict, left_out: Callable[[ast.expr, MissingPackage], None]):
        self.names, self.left_out = names, left_out

    def _definition(self, node):
        decorators = node.decorator_list
        node.decorator_list = [one for one in decorators if not stand_ins(one, self.names)]
        for one in decorators:
            for stands_in in stand_ins(one, self.names)[:1]:
                self.left_out(one, stands_in)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and self._needs(node.returns):
            node.returns = None
        return self.generic_visit(node)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _definition

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None if self._needs(node.annotation) else node.annotation
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        node.defaults = self._defaults(node.defaults)
        node.kw_defaults = self._defaults(node.kw_defaults)
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        if self._needs(node.annotation):
            node.annotation = ast.copy_location(ast.Constant(None), node.annotation)
        return self.generic_visit(node)

    def _defaults(self, values: Iterable[ast.expr | None]) -> list[ast.expr | None]:
        return [self._default(value) if self._needs(value) else value for value in values]

    def _default(self, value: ast.expr) -> ast.Name:
        """Return the name of what stands for the package."""
        read = [one for one in ast.walk(value) if isinstance(one, ast.Name)]
        return next(one for one in read if stand_ins(one, self.names))

    def _needs(self, node: ast.AST | None) -> bool:
        return node is not None and bool(stand_ins(node, self.names))
