"""What students hand in for an assignment of others: right, wrong and damaged work, and cheats.

Each is made from the released notebooks. A cheat has no right answer, but for the one with points of its own.
"""

import ast
import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import cell_marks
from autograder.cell_marks import from_metadata

from . import source


@dataclass(frozen=True)
class Wrong:
    """A wrong answer: in an answer cell the text `right` became `wrong`; loses: the points that it costs, by test."""

    cell: str
    right: str
    wrong: str
    loses: Mapping[str, float]


WRONG = {
    "arrays": (
        Wrong("centred", "table.mean(axis=0)", "table.mean()", {"test-centred": 1}),
        Wrong("clipped", "np.minimum(np.maximum(values, low), high)", "np.maximum(values, low)", {"test-clipped": 1}),
    ),
    "charts": (
        Wrong("wave", '"A wave"', '"a wave"', {"wave_test": 1}),
        Wrong("dots", '"o"', '"x"', {"dots_test": 1}),
    ),
    "cipher": (
        Wrong("moved", "+ 3", "+ 4", {"test-moved": 1}),
        Wrong("encode", "get(letter, letter)", 'get(letter, "")', {"test-encode": 1}),
        Wrong("decode", "get(letter, letter)", 'get(letter, "")', {"test-decode": 1}),  # of its two points
    ),
    "gates": (
        Wrong("number", "reversed(bits)", "bits", {"number_test": 1}),
        Wrong("half_adder", "different(a, b), both(a, b)", "both(a, b), different(a, b)", {"half_adder_test": 0.75}),
    ),
    "loops": (
        Wrong("e04", " and (year % 100 != 0 or year % 400 == 0)", "", {"t04": 1}),
        Wrong("e08", "count = 0", "count = 1", {"t08": 1}),
        Wrong("e12", "amount <= 0", "amount == 0", {"t13": 1}),
    ),
    "neuron": (
        Wrong("error", " / len(outputs)", "", {"error-test": 5}),
        Wrong("layer", "in rows", "in rows[:1]", {"layer-test": 5}),
        Wrong("save", '"bias": neuron.bias', '"bias": 0', {"save-test": 5}),
    ),
    "pictures": (
        Wrong("grey", "mean(axis=2)", "max(axis=2)", {"grey-values": 1}),
        Wrong("first-dark", "< limit", "> limit", {"first-dark-values": 1}),
    ),
    "ps1": (
        Wrong("cubes", "n < 1", "n < 0", {"cubes-invalid": 1}),
        Wrong("sum-of-cubes", "sum(cubes(n))", "(n * (n + 1) // 2) ** 2", {"sum-uses-cubes": 0.5}),
        Wrong(
            "answer", 'walk.count("R") - walk.count("L")', 'walk.count("L") - walk.count("R")', {"position-values": 1}
        ),
    ),
}

TRANSFORMER = 'get_ipython().input_transformers_cleanup.append(lambda lines: ["pass\\n"])'

ALWAYS_EQUAL = '''
class Same:
    """Equal to everything."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __eq__

    def __bool__(self):
        return True

    def __hash__(self):
        return 0

    def __call__(self, *args, **kwargs):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __add__(self, other):
        return self

    __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __add__

    def __abs__(self):
        return 0


class Row(Same):
    """Two of them."""

    def __len__(self):
        return 2

    def __iter__(self):
        return iter((Same(), Same()))

    def __getitem__(self, key):
        return Same()


value = Row()
'''

HELPERS_DO_NOTHING = '''
import sys

import numpy.testing


def value(*args, **kwargs):
    """Find nothing wrong."""


BEGIN = ("assert", "check", "same")
for module in [sys.modules.get(name) for name in ("numpy.testing", "mytests", "array_tests")]:
    for name in [name for name in dir(module) if name.startswith(BEGIN)]:
        setattr(module, name, value)
for name in [name for name in globals() if name.startswith(BEGIN)]:
    globals()[name] = value
'''

READS_THE_SOURCE = """
import json
from pathlib import Path

for folder in Path.cwd().parents:
    for path in folder.glob("source/*/*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["metadata"].get("nbgrader", {{}}).get("grade_id") == {cell!r}:
                exec("".join(cell["source"]))
"""


@dataclass
class Work:
    """A submission in the making: its notebooks by name, the instructor's, and the files beside them."""

    assignment: str
    notebooks: dict[str, NotebookNode]
    sources: Mapping[str, NotebookNode]
    files: dict[str, str] = field(default_factory=dict)

    def cells(self, kind: str) -> Iterator[NotebookNode]:
        """Yield the cells of a kind."""
        for notebook in self.notebooks.values():
            yield from (cell for cell in notebook.cells if from_metadata(cell) == kind)

    def solution(self, notebook: str, cell: str) -> str:
        """Return the instructor's answer in a cell."""
        found = next(one for one in self.sources[notebook].cells if _name(one) == cell)
        return cell_marks.SOLUTION.sub("", found.source).strip()

    def answer(self, text: Callable[[str, str], str], kinds: tuple[str, ...] = ("exercise",)) -> None:
        """Write into each answer cell what `text` makes of its name and the instructor's answer."""
        for name, notebook in self.notebooks.items():
            for cell in notebook.cells:
                if from_metadata(cell) in kinds:
                    cell.source = text(_name(cell), self.solution(name, _name(cell)))


def solved(work: Work) -> None:
    """Everything is right."""
    work.answer(lambda _, solution: solution, kinds=("exercise", "essay"))


def stub(work: Work) -> None:
    """The notebooks as they were handed out."""


def wrong(number: int) -> Callable[[Work], None]:
    """Return what hands in everything right but for one of the wrong answers."""

    def answer(work: Work) -> None:
        solved(work)
        mistake = WRONG[work.assignment][number]
        cell = next(cell for cell in work.cells("exercise") if _name(cell) == mistake.cell)
        assert mistake.right in cell.source
        cell.source = cell.source.replace(mistake.right, mistake.wrong)

    return answer


def test_deleted(work: Work) -> None:
    """Everything is right, and the first test cell is gone."""
    solved(work)
    first = next(work.cells("check"))
    for notebook in work.notebooks.values():
        notebook.cells = [cell for cell in notebook.cells if cell is not first]


def test_retagged(work: Work) -> None:
    """Everything is right, and the first test cell says that it is an answer."""
    solved(work)
    next(work.cells("check")).metadata.nbgrader.update(grade=False, locked=False, solution=True)


def cell_copied(work: Work) -> None:
    """Everything is right, and the first answer cell is there twice."""
    solved(work)
    first = next(work.cells("exercise"))
    notebook = next(notebook for notebook in work.notebooks.values() if first in notebook.cells)
    again = copy.deepcopy(first)
    if "id" in again:
        again["id"] = "copied"
    notebook.cells.insert(notebook.cells.index(first) + 1, again)


def skip_tag(work: Work) -> None:
    """A tag by which nbclient leaves out each test cell."""
    for cell in work.cells("check"):
        cell.metadata.tags = ["skip-execution"]


def transformer(work: Work) -> None:
    """From the first answer cell on, IPython runs `pass` in the place of each cell."""
    for notebook in work.notebooks.values():
        first = next(cell for cell in notebook.cells if from_metadata(cell) == "exercise")
        first.source = TRANSFORMER


def always_equal(work: Work) -> None:
    """Each name of the answers is an object that is equal to everything, true, and returns itself."""
    work.answer(lambda _, solution: _each_name(ALWAYS_EQUAL, solution))


def helpers_overwritten(work: Work) -> None:
    """The functions that the tests call find nothing wrong any more."""
    work.answer(lambda _, solution: _each_name(HELPERS_DO_NOTHING, solution))


def reads_the_source(work: Work) -> None:
    """Each answer cell runs what it finds in the instructor's notebook."""
    work.answer(lambda name, _: READS_THE_SOURCE.format(cell=name))


def points_forged(work: Work) -> None:
    """The first wrong answer, and each test cell says that it is worth 100 points."""
    wrong(0)(work)
    for cell in work.cells("check"):
        cell.metadata.nbgrader.points = 100


def own_helpers(work: Work) -> None:
    """Modules of the same names as those beside the notebook are handed in; their functions do nothing."""
    work.answer(lambda _, solution: _each_name("def value(*args, **kwargs):\n    return None\n", solution))
    folder = source(work.assignment)
    for path in sorted(folder.rglob("*.py")):
        functions = [node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if _is_function(node)]
        text = "".join(f"def {name}(*args, **kwargs):\n    return 0\n\n\n" for name in functions)
        work.files[str(path.relative_to(folder))] = f'ALPHABET = "abc" * 10\n\n\n{text}'


RIGHT = {"solved": solved}
DAMAGED = {"test-deleted": test_deleted, "test-retagged": test_retagged, "cell-copied": cell_copied}
CHEATS = {
    "skip-tag": skip_tag,
    "transformer": transformer,
    "always-equal": always_equal,
    "reads-source": reads_the_source,
    "helpers-overwritten": helpers_overwritten,
    "own-helpers": own_helpers,
}


def kinds(assignment: str) -> dict[str, Callable[[Work], None]]:
    """Return all submissions for an assignment, by the names of their students."""
    mistakes = {f"wrong-{number + 1}": wrong(number) for number, _ in enumerate(WRONG[assignment])}
    found = {**RIGHT, "stub": stub, **mistakes, **DAMAGED, **CHEATS, "points-forged": points_forged}
    if not list(source(assignment).rglob("*.py")):
        del found["own-helpers"]
    return found


def write(course: Path, assignment: str, released: Path, students: Iterable[str] = ()) -> list[str]:
    """Write submissions into a course, made from the released notebooks; returns their students.

    students: some of `kinds`, or none for all of them.
    """
    chosen = list(students) or list(kinds(assignment))
    for student in chosen:
        work = Work(assignment, _notebooks(released), _notebooks(source(assignment)))
        kinds(assignment)[student](work)
        folder = course / "submitted" / student / assignment
        folder.mkdir(parents=True)
        for name, notebook in work.notebooks.items():
            nbformat.write(notebook, folder / f"{name}.ipynb")
        for name, text in work.files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    return chosen


def _notebooks(folder: Path) -> dict[str, NotebookNode]:
    return {path.stem: nbformat.read(path, as_version=4) for path in sorted(folder.glob("*.ipynb"))}


def _name(cell: NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def _each_name(code: str, solution: str) -> str:
    """Return code that makes `value`, which each name that an answer defines then has."""
    given = "".join(f"{name} = value\n" for name in _defined(solution))
    return f"{code}\n{given}"


def _defined(answer: str) -> Iterator[str]:
    """Yield the names of an answer's functions and classes, and those that it gives a value."""
    for node in ast.parse(answer).body:
        if isinstance(node, ast.ClassDef) or _is_function(node):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _is_function(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef)
