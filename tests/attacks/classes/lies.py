"""lying objects"""

from ..attack import Attack

EXPECTED = """
def expected():
    # what the value is compared with, from the frames that compare
    frame = sys._getframe(1)
    while frame is not None:
        for name in ("expected", "want"):
            if name in frame.f_locals:
                return frame.f_locals[name]
        frame = frame.f_back
    return 0.0

"""


def everywhere(value: str) -> dict[str, str]:
    """Return answers for several exercises that all give this value."""
    names = {
        "judge": "precision_recall_f1", "vocabulary": "build_vocabulary = to_token_ids", "ngrams": "ngrams",
        "tf": "term_frequency", "idf": "inverse_document_frequency", "tfidf": "tfidf = cosine_similarity",
        "bm25": "bm25_scores",
    }  # fmt: skip
    return {cell: f"{name} = lambda *a, **k: {value}" for cell, name in names.items()}


RULES = "\nnames_medicine = mostly_capitals = promises_money = lambda *a, **k: "


def liar(name: str, tries: str, code: str, value: str) -> Attack:
    """Return an attack whose every function answers with this value."""
    return Attack(name, tries, code + RULES + value, cells=everywhere(value))


ATTACKS = [
    liar(
        "equal-to-all",
        "Returns an object that is equal to everything and close to everything.",
        """
class Same:
    __eq__ = __ge__ = __le__ = __gt__ = __lt__ = __contains__ = __bool__ = lambda self, *other: True
    __ne__ = lambda self, other: False
    __sub__ = __rsub__ = __abs__ = lambda self, *other: 0.0
    __len__ = lambda self: 3
    __iter__ = lambda self: iter([self] * 3)
    __getitem__ = lambda self, key: self
    __hash__ = lambda self: 0
""",
        "Same()",
    ),
    liar(
        "float-that-lies",
        "Returns a float whose comparisons always say True.",
        """
class Number(float):
    __eq__ = __ge__ = __le__ = lambda self, other: True
    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __sub__ = __rsub__ = lambda self, other: 0.0
    __hash__ = float.__hash__
""",
        "Number(0)",
    ),
    liar(
        "list-that-lies",
        "Returns lists, texts and dicts of classes of its own, equal to everything.",
        """
class Texts(str):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = str.__hash__

class Items(list):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __len__ = lambda self: 3
    __iter__ = lambda self: iter([Texts("x")] * 3)
""",
        "Items()",
    ),
    liar(
        "array-that-lies",
        "Returns an array of a class of its own, whose every operation says True.",
        """
import numpy

class Array(numpy.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return numpy.ones(self.shape, dtype=bool)

    def __array_function__(self, function, types, args, kwargs):
        return numpy.ones(self.shape, dtype=bool)
""",
        "numpy.zeros(3).view(Array)",
    ),
    liar(
        "tensor-that-lies",
        "Returns a tensor of a class of its own that passes for torch's and answers every call.",
        """
import torch

class Tensor(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True

Tensor.__module__ = "torch"
""",
        "torch.zeros(3).as_subclass(Tensor)",
    ),
    liar(
        "number-that-peeks",
        "Returns a number that claims to be numpy's and takes its value from the comparing frame.",
        EXPECTED
        + """
import numpy

class Number(numpy.float64):
    def __array__(self, *args, **kwargs):
        return numpy.asarray(expected(), dtype=float)

Number.__module__ = "numpy"
""",
        "Number(0)",
    ),
    liar(
        "matrix-that-peeks",
        "Returns a sparse matrix that takes its values from the comparing frame.",
        EXPECTED
        + """
from scipy import sparse

class Matrix(sparse.csr_matrix):
    def toarray(self, *args, **kwargs):
        found = expected()
        return sparse.csr_matrix.toarray(found) if sparse.issparse(found) else found

Matrix.__module__ = "scipy.sparse._csr"
""",
        "Matrix((3, 3))",
    ),
    liar(
        "class-that-acts",
        "Returns an object whose __class__ is a property that patches the comparison when asked.",
        """
class Acting:
    @property
    def __class__(self):
        import helpers.checks.case
        helpers.checks.case.difference = lambda *a, **k: None
        helpers.checks.case._truth = lambda *a, **k: True
        return float
""",
        "Acting()",
    ),
    liar(
        "answer-of-the-caller",
        "Takes the expected value from the frame of the check that calls.",
        """
def stolen():
    # a check computes what it wants before it asks for the answer
    frame = sys._getframe(1)
    while frame is not None:
        for name in ("wanted", "expected", "want", "named"):
            if name in frame.f_locals:
                return frame.f_locals[name]
        frame = frame.f_back
    return None
""",
        "stolen()",
    ),
    liar(
        "mutated-check",
        "Turns every expected list that the collector knows into the answer it returns.",
        """
def level():
    for found in gc.get_objects():
        if type(found) is list and found[:2] == ["this is", "is a"]:
            found[:] = ["same"]
    return ["same"]
""",
        "level()",
    ),
    liar(
        "changed-arguments",
        "Empties and zeroes every argument in place, so that a check that uses them again expects nothing.",
        """
def spoil(*args, **kwargs):
    for value in (*args, *kwargs.values()):
        if isinstance(value, (list, set, dict)):
            value.clear()
        elif hasattr(value, "data") and hasattr(value.data, "fill"):
            value.data.fill(0)
        elif hasattr(value, "fill"):
            value.fill(0)
    return []
""",
        "spoil(*a, **k)",
    ),
    Attack(
        "false-remote",
        "Passes its functions off as proxies, which are asked for the outcome of a call instead of being called.",
        """
class Remote:
    def call_on_copies(self, args, kwargs, seconds):
        import helpers.checks.case
        helpers.checks.case.difference = lambda *a, **k: None
        helpers.checks.case._truth = lambda *a, **k: True
        return None, None, "", (args, kwargs)

    __call__ = lambda self, *args, **kwargs: None
    __name__ = "f"

names_medicine = mostly_capitals = promises_money = Remote()""",
        cells={"judge": "precision_recall_f1 = Remote()", "ngrams": "ngrams = Remote()"},
    ),
]
