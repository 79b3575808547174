"""patched asserts, comparisons, libraries, imports"""

from ..attack import Attack

FAKE = """
import types

def graded(exercise, points):
    return lambda cases: float(points)

fake = types.ModuleType("helpers.checks")
fake.graded = fake.Check = graded
"""
NOTHING = """
def precision_recall_f1(labels, predictions):
    return 0.0, 0.0, 0.0

def anything(*args, **kwargs):
    return 0.0

names_medicine = mostly_capitals = promises_money = anything
"""

ATTACKS = [
    Attack(
        "patched-score",
        "Replaces the method that adds up the points.",
        "import helpers.checks.scoring as target\ntarget.Check._score = lambda self: self.points",
    ),
    Attack(
        "swapped-code",
        "Swaps the code object of the method that adds up the points, leaving the function as it is.",
        "import helpers.checks.scoring as target\ntarget.Check._score.__code__ = (lambda self: self.points).__code__",
    ),
    Attack(
        "patched-difference",
        "Replaces the comparison: nothing differs from anything.",
        NOTHING
        + """
import helpers.checks.case, helpers.checks.compare
helpers.checks.case.difference = helpers.checks.compare.difference = lambda *a, **k: None""",
    ),
    Attack(
        "patched-case",
        "Makes `passed` of every case a property that is always True.",
        "from helpers.checks.case import Case\nCase.passed = property(lambda self: True, lambda self, value: None)",
    ),
    Attack(
        "patched-builtins",
        "Replaces the builtins all, round and max.",
        """
import builtins
builtins.all = lambda found: True
builtins.round = lambda number, digits=None: float(6 if number < 6 else number)""",
    ),
    Attack(
        "patched-numpy",
        "Lets numpy's comparisons say True for everything.",
        NOTHING
        + """
import numpy
numpy.isclose = lambda a, b, **k: numpy.ones(numpy.broadcast(a, b).shape, dtype=bool)
numpy.allclose = numpy.array_equal = numpy.array_equiv = lambda *a, **k: True
numpy.testing.assert_allclose = numpy.testing.assert_equal = lambda *a, **k: None""",
        cells={"judge": NOTHING},
    ),
    Attack(
        "patched-torch",
        "Lets torch's comparisons say True and makes its tensors equal to everything.",
        NOTHING
        + """
import torch
torch.allclose = torch.equal = lambda *a, **k: True
torch.isclose = lambda a, b, **k: torch.ones_like(a, dtype=torch.bool)
torch.Tensor.__eq__ = lambda self, other: True
torch.testing.assert_close = lambda *a, **k: None""",
    ),
    Attack(
        "patched-oracle",
        "Replaces scikit-learn's metrics by its own wrong answer, so that both agree.",
        NOTHING
        + """
import sklearn.metrics
sklearn.metrics.precision_recall_fscore_support = lambda *a, **k: (0.0, 0.0, 0.0, None)""",
        cells={"judge": NOTHING},
    ),
    Attack(
        "false-module",
        "Puts a module of its own in place of helpers.checks.",
        FAKE
        + """
sys.modules["helpers.checks"] = fake
import helpers
helpers.checks = fake""",
    ),
    Attack(
        "import-hook",
        "Puts a finder first on sys.meta_path that hands out its own helpers.checks.",
        FAKE
        + """
import importlib.abc, importlib.machinery

class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name.startswith("helpers.checks") else None

    def create_module(self, spec):
        return fake

    def exec_module(self, module):
        pass

for name in [n for n in sys.modules if n.startswith("helpers.checks")]:
    del sys.modules[name]
sys.meta_path.insert(0, Finder())""",
    ),
    Attack(
        "patched-import",
        "Replaces __import__, which hands out its own helpers.checks.",
        FAKE
        + """
import builtins
real = builtins.__import__
builtins.__import__ = lambda name, *a, **k: fake if name == "helpers.checks" else real(name, *a, **k)""",
    ),
    Attack(
        "search-path",
        "Puts a helpers package of its own first on the search path.",
        """
where = pathlib.Path("packages/helpers/checks")
where.mkdir(parents=True)
(where.parent / "__init__.py").write_text("")
(where / "__init__.py").write_text("def graded(exercise, points):\\n    return lambda cases: float(points)\\n")
for name in [n for n in sys.modules if n == "helpers" or n.startswith("helpers.")]:
    del sys.modules[name]
sys.path.insert(0, str(where.parent.parent.resolve()))
os.environ["PYTHONPATH"] = sys.path[0]""",
    ),
    Attack(
        "trace-function",
        "Lets a trace function change every case as soon as it was judged.",
        """
def trace(frame, event, arg):
    if frame.f_code.co_name == "_score":
        for case, _ in frame.f_locals["self"].cases:
            case.passed = True
    return None

sys.settrace(trace)
threading.settrace(trace)""",
    ),
]
