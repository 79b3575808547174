"""Mistakes that show in the numbers themselves, whatever the exercise: a transpose, a factor, a missing return."""

from itertools import permutations

import numpy as np

from helpers.checks.compare import difference
from helpers.checks.forms import REFUSED, SPARSE_TENSOR, class_name
from helpers.checks.values import as_array, kind

MAX_SHUFFLED = 4
FEWEST_VALUES = 4  # different ones, of which a factor between all of them tells
FEWEST_CUT = 3  # numbers that lost a fraction: one or two are whole by chance

NEARLY = "right to about four digits only: a narrower dtype, a rounded step, or another small eps, on the way"
FINELY = "right to about seven digits only: a narrower dtype such as float32, or a rounded step, on the way"
NAN = "there is NaN in it: 0/0, or the logarithm of a negative number, or infinity minus infinity"
INFINITE = "there is an infinite number where a finite one was expected"
KEEP = "keep it sparse: a dense matrix of a real corpus does not fit in memory"
ROWS = "the rows of this sparse form cannot be picked: convert it with .tocsr()"
DENSE = "return a dense array: .toarray() makes one of a sparse matrix"
SCIPY = "a sparse matrix of SciPy's is meant, not a sparse tensor of torch's"
LISTED = "generator map zip filter enumerate range deque UserList array memoryview bytearray"
LISTED += " dict_keys dict_values dict_items list_iterator tuple_iterator list_reverseiterator"
SEVERAL = "several values came, of which one is what is asked (max gives values and places): return that one alone"
PLAIN = "return plain data (numbers, text, lists, arrays), not an object"
OBJECTS = dict.fromkeys(LISTED.split(), f"{PLAIN}: list(...) makes a list of it")
OBJECTS |= dict.fromkeys(("UserDict", "ChainMap", "mappingproxy"), f"{PLAIN}: dict(...) makes a dict of it")
OBJECTS |= dict.fromkeys(("Decimal", "Fraction"), f"{PLAIN}: float(...) makes a number of it")
OBJECTS |= {
    "matrix": "this is an np.matrix; use .toarray() instead of .todense(), or np.asarray",
    "MaskedArray": "this is a masked array: np.asarray makes a plain one, .filled(...) puts numbers where the mask is",
    SPARSE_TENSOR: "a sparse tensor came: .to_dense() makes a plain one",
}
FACTORS = {
    np.log(10): "it is log(10) times too large: natural logarithm taken where log10 was asked, or the reverse",
    1 / np.log(10): "it is log(10) times too small: log10 taken where the natural logarithm was asked",
    np.log(2): "it is off by log(2): a logarithm to another base",
    1 / np.log(2): "it is off by log(2): a logarithm to another base",
    -1.0: "the sign is turned round",
    2.0: "it is twice too large",
    0.5: "it is half of what it should be",
    100.0: "it is a hundred times too large: a percentage instead of a share",
}


def diagnose(got, expected, numbers: bool = True) -> str | None:
    """Return a sentence on how `got` went wrong, judged from the two values alone, or None.

    numbers: False for a sentence without anything that was counted or computed, one of a fixed few.
    """
    if got is None or kind(got) == "other":
        return refused(got) if got is None else _object(class_name(got), expected)
    if kind(expected) == "sparse" and kind(got) != "sparse":
        return KEEP
    if kind(got) == "sequence" and kind(expected) == "sequence" and as_array(expected) is None:
        return _items(got, expected, numbers)
    if type(got) is tuple and kind(expected) != "sequence" and any(_agree([part], [expected]) for part in got):
        return SEVERAL
    g, w = as_array(got), as_array(expected)
    if g is None or w is None or w.dtype.kind not in "biuf" or g.dtype.kind not in "biuf":
        return None
    if kind(got) == "sparse" and kind(expected) != "sparse":
        return DENSE
    return _not_finite(g, w) or (_shape(g, w) if g.shape != w.shape else _numbers(g, w, numbers))


def refused(got) -> str | None:
    """Return what to do where nothing came back, or what is never data, whatever is asked of it; else None."""
    if got is None:
        return "nothing came back: is there a return at the end?"
    return OBJECTS.get(class_name(got)) if class_name(got) in REFUSED else None


def _object(name: str, expected) -> str:
    if name.endswith(" sparse matrix"):
        return ROWS if kind(expected) == "sparse" else DENSE
    if kind(expected) == "sparse":
        return SCIPY if name == SPARSE_TENSOR else KEEP
    return OBJECTS.get(name, PLAIN)


def _not_finite(g: np.ndarray, w: np.ndarray) -> str | None:
    """Name NaN, and infinity where all should be finite."""
    if np.isnan(g).any() and not np.isnan(w).any():
        return NAN
    if not np.isfinite(g).all() and np.isfinite(w).all():
        return INFINITE
    return None


def _items(got, expected, numbers: bool) -> str | None:
    """Diagnose lists and tuples whose items are not all numbers of one shape."""
    if all(kind(v) == "str" for v in [*got, *expected]):
        return _text(got, expected)
    if len(got) != len(expected):
        return None
    if _agree(got, expected):
        if _agree(got, expected, rtol=0, atol=0):
            return None
        return FINELY if _agree(got, expected, rtol=1e-6, atol=0) else NEARLY
    if len(expected) <= MAX_SHUFFLED and any(_agree(p, expected) for p in permutations(got)):
        return "the right items in another order"
    for i, (g, w) in enumerate(zip(got, expected, strict=True)):
        diagnosis = None if _agree([g], [w]) else diagnose(g, w, numbers)
        if diagnosis:
            return f"item {i}: {diagnosis}" if numbers else diagnosis
    return None


def _agree(got, expected, rtol: float = 1e-4, atol: float = 1e-6) -> bool:
    return all(difference(g, w, rtol=rtol, atol=atol) is None for g, w in zip(got, expected, strict=True))


def _text(got, expected) -> str | None:
    """Diagnose lists of text: order, repeats, letter case."""
    if sorted(got) == sorted(expected):
        return "the right items in another order"
    if sorted(set(got)) == sorted(set(expected)):
        return "the right items, but not the right number of times"
    lowered = [v.lower() for v in got]
    if lowered == [v.lower() for v in expected]:
        return "only the letter case differs"
    return None


def _shape(g: np.ndarray, w: np.ndarray) -> str | None:
    if g.ndim == 2 and g.T.shape == w.shape and np.allclose(g.T, w):
        return "this is the transpose"
    if g.size == w.size and np.allclose(np.ravel(g), np.ravel(w)):
        return "the right numbers in another shape"
    return None


def _numbers(g: np.ndarray, w: np.ndarray, numbers: bool) -> str | None:
    if g.size == 0 or g.dtype.kind == "b" or w.dtype.kind == "b" or np.array_equal(g, w):
        return None  # the same numbers: they differ in their dtype
    telling = (g.any() and np.count_nonzero(g != w) >= FEWEST_CUT) or g.dtype.kind in "iu"
    if telling and any(np.array_equal(g, cut(w)) for cut in (np.floor, np.trunc)):
        return "the fractions were cut off: an integer dtype, or // instead of /"
    fewest = 0 if np.count_nonzero(w) > 2 else 2  # one or two numbers may be whole, or tenths, by chance
    if _telling(g[g != w]) and any(np.array_equal(g, np.round(w, digits)) for digits in range(fewest, 5)):
        return "the numbers were rounded: return them in full"
    counts = w.size == 1 and g.dtype.kind in "iu" and w.dtype.kind in "iu"  # near by chance: something was not counted
    if not counts and np.allclose(g, w, rtol=1e-4, atol=1e-7):
        return FINELY if np.allclose(g, w, rtol=1e-6, atol=0) else NEARLY
    if np.allclose(g, -w, rtol=1e-4) and g.any():
        return FACTORS[-1.0]
    if g.ndim == 2 and g.shape[0] == g.shape[1] and np.allclose(g.T, w, rtol=1e-4):
        return "this is the transpose"
    if g.size > 2 and np.allclose(np.sort(g, axis=None), np.sort(w, axis=None), rtol=1e-4):
        return "the right numbers in another order"
    if not g.any() and np.count_nonzero(w) > 1 and (np.abs(w) < 1).all():
        return "all numbers are 0, and some of them must not be"
    return _factor(g, w, numbers)


def _telling(changed: np.ndarray) -> bool:
    """Whether rounding alone makes these numbers: 0, a half and 1 come of many a mistake, as limits and shares."""
    return not np.isin(np.abs(changed), (0, 0.5, 1)).all()


def _factor(g: np.ndarray, w: np.ndarray, numbers: bool) -> str | None:
    """Find one factor between all entries: scale mistakes are the commonest of all."""
    at = np.abs(w) > 1e-12
    if not at.any() or not np.allclose(g[~at], 0) or (w.size > 1 and at.sum() < 2):
        return None  # one number alone fits any factor
    if w.size == 1 and g.dtype.kind in "iu" and w.dtype.kind in "iu":
        return None  # one whole number may be a row or an id, of which 2 is not the half of 4
    ratios = g[at] / w[at]
    ratio = float(ratios.flat[0])
    if not np.allclose(ratios, ratio, rtol=1e-5) or abs(ratio) < 1e-9:
        return None
    for factor, words in FACTORS.items():
        if np.isclose(ratio, factor, rtol=1e-4):
            return words
    if np.unique(np.abs(w[at])).size < FEWEST_VALUES:
        return None  # a row of few numbers often has one factor by chance
    times = f"{ratio:.4g} times" if numbers else "the same number of times"
    return f"every number is {times} what it should be: a factor is missing or too many"
