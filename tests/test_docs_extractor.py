"""datasets/docs/extractor: what is read from source files, and the documents that are made of it."""

import os
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from extractor import build, sources
from extractor.collect import collect
from extractor.links import Resolver
from extractor.near import jaccard, near_copies, shingles
from extractor.parse import parse, split_signature, summarise
from extractor.splits import assign, group

from helpers.data.docs import Document
from helpers.errors import DataError

ROOT = Path(__file__).resolve().parents[1]


# ------------------------------------------------------------------------------- small made-up libraries
@pytest.fixture
def library(tmp_path, monkeypatch):
    """A function that writes {path: content} as the package `toy` and returns {name: Raw} of its docstrings."""

    def collected(files: dict[str, str | bytes], package: str = "toy") -> dict:
        for name, content in files.items():
            path = tmp_path / package / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        monkeypatch.setattr(sources.Library, "folder", lambda self: tmp_path / package)
        return {raw.name: raw for raw in collect(sources.Library(package, package, package))}

    return collected


def test_kinds_and_signatures(library):
    found = library(
        {
            "__init__.py": '''"""The toy."""
class Box:
    """A box."""
    def __init__(self, size: int = 3, *rest, key=None, **others) -> None: pass
    def open(self, /, far: "float" = 1e-3, *, wide=(1, 2)) -> str:
        """Open it."""
        def hidden():
            """Not public."""
    @property
    def lid(self) -> int:
        """The lid."""
    @classmethod
    def made(cls, n): "Make one."
    class Inner:
        """Inside."""
        async def wait(self): """Wait."""
    def _secret(self): """No."""
    def __len__(self): """Count."""
@decorated(1)
@twice
def f(x, y=[1, 2]): """Do it."""
if FAST:
    def g(): """Fast."""
else:
    def h(): """Slow."""
try:
    pass
except ImportError:
    def i(): """Without."""
'''
        }
    )
    assert {name: raw.kind for name, raw in found.items()} == {
        "toy": "module",
        "toy.Box": "class",
        "toy.Box.open": "method",
        "toy.Box.lid": "property",
        "toy.Box.made": "method",
        "toy.Box.Inner": "class",
        "toy.Box.Inner.wait": "method",
        "toy.Box.__len__": "method",
        "toy.f": "function",
        "toy.g": "function",
        "toy.h": "function",
        "toy.i": "function",
    }
    assert found["toy.Box"].signature == "(size: int=3, *rest, key=None, **others)"
    assert found["toy.Box.open"].signature == "(far: 'float'=0.001, *, wide=(1, 2)) -> str"
    assert found["toy.Box.lid"].signature == "" and found["toy.Box.made"].signature == "(n)"
    assert found["toy.f"].signature == "(x, y=[1, 2])"
    assert {raw.module for raw in found.values()} == {"toy"}


def test_what_is_no_docstring_gives_none(library):
    found = library({"__init__.py": 'def f(): f"""An {f} string."""\ndef g(): b"""Bytes."""\ndef h(): 1\n'})
    assert found == {}


def test_overloads_and_setters_leave_the_documented_one(library):
    code = '''@overload
def f(x: int): ...
@overload
def f(x: str): ...
def f(x):
    """Does it for all."""
class A:
    @property
    def p(self): """The p."""
    @p.setter
    def p(self, value): pass
'''
    found = library({"__init__.py": code})
    assert found["toy.f"].text == "Does it for all." and found["toy.f"].signature == "(x)"
    assert found["toy.A.p"].kind == "property"


def test_odd_files_are_read_or_passed_over(library):
    latin = '# -*- coding: latin-1 -*-\ndef f():\n    """Café."""\n'.encode("latin-1")
    files = {"latin.py": latin, "broken.py": "def f(:\n", "nul.py": b"x = 1\0", "utf.py": b"\xff\xfe nothing"}
    files |= {"bom.py": b'\xef\xbb\xbf"""With a mark."""\n', "escape.py": 'def g():\n    """A \\d digit."""\n'}
    files |= {"tests/test_it.py": '"""A test."""', "_vendor/x.py": '"""Another\'s."""', "not-a-module.py": '"""No."""'}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = library(files)
    assert {name: raw.text for name, raw in found.items()} == {
        "toy.latin.f": "Café.",
        "toy.bom": "With a mark.",
        "toy.escape.g": "A \\d digit.",
    }


def test_reading_runs_nothing(library):
    assert library({"__init__.py": '"""Doc."""\nraise SystemExit("this was run")\n'})["toy"].text == "Doc."


def test_public_names(library):
    found = library(
        {
            "__init__.py": "from .core import norm\nfrom ._impl import *\nfrom . import linear\n",
            "core.py": 'def norm(): "Norm."\ndef rest(): "Rest."\ndef _own(): "No."',
            "_impl.py": '__all__ = ["starred"]\ndef starred(): "Starred."\ndef unlisted(): "No."\n',
            "_strings.py": 'def equal(): "Hidden."\ndef upper(): "Upper."',
            "_char.py": 'from ._strings import *\ndef equal(): "Equal."',
            "char/__init__.py": "from .._char import *\n",
            "apart/__init__.py": "from ..core import rest\n",
            "linear/__init__.py": "from ._logistic import Logistic\nfrom ..core import norm\n",
            "linear/_logistic.py": 'from ._base import Base\nclass Logistic(Base):\n    "L."\n    def fit(s): "F."',
            "linear/_base.py": 'class Base:\n    "B."\n    def score(self): "Score."\nclass Loose: "No."',
            "tricks.py": "from ._deep.more import stride\n",
            "_deep/more.py": 'from .again import stride\ndef unused(): "No."',
            "_deep/again.py": 'def stride(): "Stride."',
            "user.py": 'from ._deep.more import unused\ndef mine(): "Mine."',
            "stats.py": 'class norm_gen:\n    "Normal."\n    def pdf(self): "Density."\nnorm = norm_gen(name="norm")',
        }
    )
    assert set(found) == {
        *("toy.norm", "toy.core.rest", "toy.starred", "toy.tricks.stride", "toy.user.mine"),
        *("toy.linear.Logistic", "toy.linear.Logistic.fit", "toy.linear.Logistic.score"),
        *("toy.stats.norm", "toy.stats.norm.pdf", "toy.char.equal", "toy.char.upper"),
    }
    assert found["toy.linear.Logistic.fit"].module == "toy.linear"
    assert found["toy.char.equal"].text == "Equal.", "what a module defines goes before what it imports"


def test_docstrings_of_compiled_functions_of_torch(library):
    docs = '''from torch._C import _add_docstr as add_docstr
from toy._shared import notes
from toy._shared import notes
common = parse_kwargs("""
    input (Tensor): the input tensor.
    out (Tensor, optional): the output
        tensor.
""")
more = merge_dicts(common, {"dim": "dim (int): the " + "axis.", **notes})
add_docstr(toy.abs, r"""
abs(input, *, out=None) -> Tensor

Size {{n}} \\d.

Args:
    {input}
    {dim}
    {unknown}

{gpu}
""".format(**more))
add_docstr(getattr(toy, "x"), "No name.")
add_docstr(toy.cat, computed())
add_docstr(elsewhere.f, "Of another library.")
'''
    nn = '''from torch._C import _add_docstr
gelu = _add_docstr(torch._C._nn.gelu, r"gelu(input) -> Tensor" + "\\n\\nBends.")
@_add_docstr("Rises, ", "falls.")
def hann(m): pass
class Conv: __doc__ = "Slides." """ Rolls."""
class Adam:
    def __init__(self, lr=1): pass
Adam.__doc__ = ("Adapts. " + rf"""Step {note}""")
note = "by step."
'''
    found = library({"_docs.py": docs, "_shared.py": 'notes = {"gpu": "Not on a GPU."}', "nn.py": nn})
    assert set(found) == {"toy.abs", "toy.nn.gelu", "toy.nn.hann", "toy.nn.Conv", "toy.nn.Adam"}
    text = "Size {n} \\d.\n\nArgs:\n    input (Tensor): the input tensor.\n    dim (int): the axis.\n\nNot on a GPU."
    assert split_signature(found["toy.abs"].text, "toy.abs") == ("(input, *, out=None) -> Tensor", text)
    assert found["toy.nn.hann"].text == "Rises, falls."
    assert found["toy.nn.Conv"].text == "Slides. Rolls." and found["toy.nn.Conv"].kind == "class"
    assert found["toy.nn.Adam"].text == "Adapts. Step by step." and found["toy.nn.Adam"].signature == "(lr=1)"


def test_docstrings_of_compiled_functions_of_numpy_and_scipy(library):
    docs = '''add_newdoc("numpy._core.multiarray", "ndarray", """An array.""")
add_newdoc("numpy._core.multiarray", "ndarray", ("base", """The owner."""))
add_newdoc("numpy._core.multiarray", "ndarray", [("T", "Turned."), ("flat", "Flat.")])
add_newdoc("numpy._core", "_private", "No.")
_array_method_doc("sort", "axis=-1", """
    a.sort(axis=-1)

    Sort in place.
    """)
add_newdoc_for_scalar_type("float64", "(value=0, /)", """Double.""")
'''
    found = library({"__init__.py": "", "_core/_add_newdocs.py": docs}, package="numpy")
    assert {name: (raw.kind, raw.module) for name, raw in found.items()} == {
        "numpy.ndarray": ("class", "numpy"),
        "numpy.ndarray.base": ("method", "numpy"),
        "numpy.ndarray.T": ("method", "numpy"),
        "numpy.ndarray.flat": ("method", "numpy"),
        "numpy.ndarray.sort": ("method", "numpy"),
        "numpy.float64": ("class", "numpy"),
    }
    assert split_signature(found["numpy.ndarray.sort"].text, "numpy.ndarray.sort") == ("(axis=-1)", "Sort in place.")
    special = {
        "special/__init__.py": "",
        "special/_add_newdocs.py": 'add_newdoc("beta", "B.")\nadd_newdoc("_b", "No.")',
    }
    assert set(library(special, package="scipy")) == {"scipy.special.beta"}


# --------------------------------------------------------------------------------------- one docstring
def test_numpy_style():
    text = """Add.

Parameters
----------
x, y : array_like
    The input
    arrays.
axis : int, optional
    Axis.

Returns
-------
out : ndarray
    The sum.

See Also
--------
subtract : The inverse.
linalg.norm, :func:`numpy.dot`
"""
    found = parse(text)
    assert found.parameters == {
        "x": "(array_like) The input arrays.",
        "y": "(array_like) The input arrays.",
        "axis": "(int, optional) Axis.",
    }
    assert found.returns == "(ndarray) The sum."
    assert found.references[:3] == ["subtract", "linalg.norm", "numpy.dot"]


def test_google_and_sphinx_styles():
    text = """Add :class:`~torch.Tensor` to `~.Axes.plot`, not to ``x.y``, :ref:`y.z` or `x`.

Args:
    input (Tensor): the input
        tensor: long.
    *rest: others (all)

Keyword args:
    size (tuple (int, int), optional): the size

Returns:
    Tensor: the sum

Example::

    >>> f(a): 3

:param int width: how
    wide
:returns: more
"""
    found = parse(text)
    assert found.parameters == {
        "input": "(Tensor) the input tensor: long.",
        "*rest": "others (all)",
        "size": "(tuple (int, int), optional) the size",
        "width": "how wide",
    }
    assert found.returns == "Tensor: the sum"
    assert found.references == ["torch.Tensor", ".Axes.plot"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Parameters\n----------",
        "X.\n\nParameters\n----------\n  x\n\nParameters\n----------\ny : int\n",
        "X.\n\nSee Also\n--------\n%(example)s\n",
        "Args:",
        "Args:\nno: indent",
        ":param",
        "X.\n\nReturns\n-------\n\nUnknown\n-------\nz\n",
    ],
)
def test_odd_docstrings_neither_fail_nor_warn(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse(text)
        summarise(text)
        split_signature(text, "a.b")


@pytest.mark.parametrize(
    "body, summary",
    [
        ("Add two\nthings. Then rest.", "Add two things."),
        ("Add, e.g. Two of J. Smith. Then.", "Add, e.g. Two of J. Smith."),
        ("====\nHead\n====\n\nProse here. More.", "Prose here."),
        (":mod:`x`\n-----\nDirectly below.", "Directly below."),
        (".. deprecated:: 1.2\n    Gone.\n\nStill here.", "Still here."),
        ("Parameters\n----------\nx : int", ""),
        ("No full stop", "No full stop"),
        ("", ""),
    ],
)
def test_summary(body, summary):
    assert summarise(body) == summary


def test_signature_lines():
    several = "max(input) -> Tensor\nmax(input,\n    dim=[1, (2)]) -> (Tensor, Tensor)\n\nThe largest."
    assert split_signature(several, "torch.max") == ("(input) -> Tensor", "The largest.")
    assert split_signature("reduce($self, /, x)\n--\n\nReduce.", "a.reduce") == ("(/, x)", "Reduce.")
    for prose in ("max(a) is the largest.", "max (unclosed", "The max(x) of all.", "maximum(x)\n\nOther."):
        assert split_signature(prose, "torch.max") == ("", prose)


# ------------------------------------------------------------------------------ repeats, links, splits
def raw(name: str, text: str, kind: str = "function", library: str = "toy") -> build.Raw:
    return build.Raw(library, name, kind, name.rpartition(".")[0], "", text)


LONG = "This sentence is long enough to be kept as a document of the corpus, word by word by word."


def test_sift_keeps_one_of_each_text_and_no_scraps():
    rows = [
        raw("toy.b.f", LONG),
        raw("toy.f", LONG.replace(" ", "\n", 3).upper()),
        raw("toy.g", "Short."),
        raw("toy.h", LONG + " H"),
    ]
    rows += [raw("toy.h", LONG + " Hh"), raw("toy.code", ">>> this.is_code(only, and_more=1)\n" * 9)]
    rows += [raw("toy.legal", f"Copyright (c) 2001 by Nobody. {LONG}")]
    kept, aliases = build.sift(rows)
    assert [(r.name, r.text[-3:]) for r in kept] == [("toy.f", "RD."), ("toy.h", " Hh")]
    assert aliases == {"toy.b.f": "toy.f"}


def test_links():
    names = ["numpy.dot", "numpy.linalg.norm", "numpy.ndarray.sum", "numpy.ma.sum", "torch.dot", "torch.nn.Linear.bias"]
    resolver = Resolver(names, {"numpy.inner2": "numpy.dot"})
    references = ["dot", "np.dot", "linalg.norm", ".norm", "inner2", "nothing", ".sum", "torch.dot", "norm()"]
    expected = ("numpy.dot", "numpy.linalg.norm", "torch.dot")
    assert resolver.links(references, "numpy.linalg.svd") == expected
    assert resolver.links(["bias", "Linear.bias"], "torch.dot") == ("torch.nn.Linear.bias",)
    assert resolver.resolve("bias", "torch.dot") == "", "a bare word is no ending of a name"
    assert resolver.links(["dot"], "numpy.dot") == ()


def test_near_copies_are_those_of_a_jaccard_similarity_of_at_least_08():
    rng = np.random.default_rng(1)
    base = [str(word) for word in rng.integers(0, 5000, 300)]
    texts = [" ".join(base)]
    for changed in (2, 4, 8, 16, 30):
        words = list(base)
        for place in np.linspace(5, 290, changed).astype(int):
            words[place] = "other"
        texts.append(" ".join(words))
    alike = [jaccard(shingles(texts[0]), shingles(text)) for text in texts]
    assert near_copies(texts) == [False] + [value >= 0.8 for value in alike[1:]]
    assert {True, False} == set(near_copies(texts)[1:])
    words = [set(zip(*(text.split()[i:] for i in range(5)), strict=False)) for text in texts]
    assert alike[3] == pytest.approx(len(words[0] & words[3]) / len(words[0] | words[3]))
    assert near_copies(["", "", "one", "One!"]) == [False, True, False, True]


def test_groups_stay_together_and_each_library_is_in_each_split():
    def document(library, module, i):
        return Document(library, f"{module}.f{i}", "function", module, "", LONG, LONG, {}, "")

    rows = [document("toy", f"toy.m{m}.deep{i % 2}", i) for m in range(20) for i in range(10 + m)]
    rows += [document("python", f"m{m}.sub", i) for m in range(20) for i in range(3)]
    sides = assign(rows)
    assert group(rows[0]) == "toy.m0" and group(rows[-1]) == "m19"
    shares = Counter((row.library, sides[group(row)]) for row in rows)
    for name in ("toy", "python"):
        total = sum(count for (library, _), count in shares.items() if library == name)
        assert shares[name, "train"] / total == pytest.approx(0.8, abs=0.05)
        assert shares[name, "test"] / total == pytest.approx(0.1, abs=0.05)
    assert assign(rows[::-1]) == sides


def test_a_missing_library_is_one_line(monkeypatch):
    monkeypatch.setattr(sources, "LIBRARIES", (sources.Library("toy", "no_such_package", "no-such-package"),))
    with pytest.raises(DataError, match="needs no-such-package, which is not installed"):
        sources.versions()
    with pytest.raises(DataError, match="needs no-such-package, which is not installed"):
        sources.LIBRARIES[0].folder()


# ------------------------------------------------------------------------------------ in a new process
BUILD = """
import sys
import hashlib
import make_docs
from extractor import build, sources
chosen = [library for library in sources.LIBRARIES if library.name == "numpy"]
content = make_docs.encode(build.build(chosen))
print(hashlib.sha256(content).hexdigest())
tops = {name.partition(".")[0] for name in sys.modules}
print(sorted(tops & {"torch", "scipy", "sklearn", "matplotlib", "sphinx"}))
"""


def test_the_build_imports_no_library_and_is_the_same_in_every_process():
    """numpy itself is a tool of the course; that nothing is run is tested on the toy library above."""
    outputs = []
    for seed in ("1", "2"):
        search_path = os.pathsep.join([str(ROOT), str(ROOT / "datasets" / "docs")])
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": search_path}
        run = subprocess.run([sys.executable, "-c", BUILD], capture_output=True, text=True, cwd=ROOT, env=environment)
        assert run.returncode == 0 and run.stderr == "", run.stderr
        outputs.append(run.stdout.splitlines()[-2:])
    assert outputs[0] == outputs[1] and outputs[0][1] == "[]"
