"""arrays, tensors and pickles that lie"""

from ..attack import Attack
from .lies import liar

ATTACKS = [
    liar(
        "array-by-interface",
        "Returns objects that say by __array_interface__ that they are whatever lies at an address.",
        """
class Far:
    __array_interface__ = {"shape": (3,), "typestr": "<f8", "data": (64, False), "version": 3}
    __array_priority__ = 10**9
    __array__ = lambda self, *a, **k: __import__("numpy").ones(3)
    __array_ufunc__ = lambda self, *a, **k: True
    __array_function__ = lambda self, *a, **k: True
""",
        "Far()",
    ),
    liar(
        "subclass-of-array",
        "Returns a subclass of ndarray whose comparisons, copies and bytes are all its own.",
        """
import numpy
class Own(numpy.ndarray):
    __eq__ = __ge__ = __le__ = lambda self, other: numpy.True_
    tobytes = lambda self, *a: bytes(self.nbytes)
    astype = copy = __array__ = __deepcopy__ = lambda self, *a, **k: self
    __reduce__ = __reduce_ex__ = lambda self, *a: (exec, ("raise SystemExit",))
    __array_finalize__ = lambda self, other: None
    shape = property(lambda self: (3,))
""",
        "numpy.ones(3).view(Own)",
    ),
    liar(
        "tensor-that-overrides",
        "Returns a tensor whose class answers every function of torch with what was asked for.",
        """
import torch
class Own(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True if function in (torch.equal, torch.allclose) else args[0]
""",
        "torch.ones(3).as_subclass(Own)",
    ),
    liar(
        "tensors-without-data",
        "Returns tensors of the meta device, quantised, nested and sparse ones, and ones of no bytes at all.",
        """
import itertools, torch
turns = itertools.cycle([
    lambda: torch.empty(10**9, device="meta"), lambda: torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8),
    lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]), lambda: torch.ones(1).expand(10**6, 10**6),
    lambda: torch.sparse_coo_tensor([[0], [2**31 - 1]], [1.0], (1, 2**31)), lambda: torch.ones(3).to_mkldnn(),
])
""",
        "next(turns)()",
    ),
    liar(
        "memory-mapped-answer",
        "Returns an array that is mapped from a file, which a thread rewrites while it is read.",
        """
import numpy
pathlib.Path("answer.bin").write_bytes(bytes(8 * 3))
answer = numpy.memmap("answer.bin", dtype="<f8", mode="r+", shape=(3,))
def rewrite():
    for number in range(10**6):
        answer[:] = (number % 3, 1.0, float("nan"))
        time.sleep(0.0005)

threading.Thread(target=rewrite, daemon=True).start()
""",
        "answer",
    ),
    liar(
        "one-number-everywhere",
        "Returns arrays of terabytes that are one number, repeated by strides of zero.",
        "import numpy\n",
        "numpy.broadcast_to(numpy.float64(1.0), (10**6, 10**6))",
    ),
    liar(
        "masked-and-structured",
        "Returns masked, structured, object and text arrays of huge items, dates and matrices.",
        """
import itertools, numpy
turns = itertools.cycle([
    lambda: numpy.ma.masked, lambda: numpy.ma.array([1.0, 2.0], mask=True), lambda: numpy.matrix("1 2; 3 4"),
    lambda: numpy.array(["x" * 10**6]), lambda: numpy.array([[1, [2]], None], dtype=object),
    lambda: numpy.zeros(3, "i4,(10000,10)f8"), lambda: numpy.datetime64("NaT"), lambda: numpy.rec.array([(1, 2.0)]),
])
""",
        "next(turns)()",
    ),
    liar(
        "pickle-that-acts",
        "Returns objects whose pickling, copying and printing each run a command.",
        """
class Acts:
    __reduce__ = __reduce_ex__ = lambda self, *a: (os.system, (f"echo {TOKEN} > {CANARY}",))
    __getstate__ = __deepcopy__ = __copy__ = lambda self, *a: touch()
    __repr__ = __str__ = __format__ = lambda self, *a: touch() or "6.0"
""",
        "Acts()",
    ),
    Attack(
        "saved-weights-that-act",
        "Hands in files of torch, NumPy and joblib that run a command when they are loaded.",
        files={
            f"01_spam/{name}": "cos\nsystem\n(S'echo touched > acted'\ntR."
            for name in ("model.pt", "weights.npy", "cache.pkl", "spam.joblib", "own_vectors.npz")
        },
        code="open('model.pt', 'w').write('cos\\nsystem\\n(S\"true\"\\ntR.')",
        answers="half",
    ),
]
