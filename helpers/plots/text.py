"""Words and numbers of a figure: labels that every font can draw, numbers as a person says them, checked input."""

from collections.abc import Sequence
from functools import cache
from itertools import groupby

import numpy as np
from matplotlib import font_manager

from helpers.errors import CourseError

# matplotlib brings the first font; of the others a computer has some, and they draw the letters that it lacks.
FALLBACKS = [
    "Nirmala UI",  # Windows: the scripts of India
    "Kohinoor Devanagari",  # macOS
    "Noto Sans Devanagari",
    "Noto Sans Gujarati",
    "Noto Sans Tamil",
    "Noto Sans Telugu",
    "Noto Sans Arabic",
    "Noto Sans CJK JP",
    "Yu Gothic",
    "Hiragino Sans",
]
# Only those with a bold face: without one, matplotlib would print a line for each bold title.
BOLD = {font.name for font in font_manager.fontManager.ttflist if font.weight in ("bold", 700)}
FONTS = ["DejaVu Sans", *(name for name in FALLBACKS if name in BOLD)]


@cache
def _glyphs() -> frozenset[int]:
    """The code points that FONTS can draw."""
    fonts = (font_manager.get_font(font_manager.findfont(name)) for name in FONTS)
    return frozenset(code for font in fonts for code in font.get_charmap())


def _drawable(letter: str) -> bool:
    return letter.isprintable() and ord(letter) in _glyphs()


def _code(run: str) -> str:
    """Return the code of the first letter of a run that no font draws."""
    code = f"U+{ord(run[0]):04X}"
    return f"{code}…" if len(run) > 1 else code


def readable(text, limit: int = 24) -> str:
    r"""Return `text` as a label of about `limit` characters that draws without a warning.

    White space at an end is seen as ␣, a line break as \n; letters that no font has become the code of the first of
    them, as in U+0928…; a dollar sign is no formula.
    """
    text = str(text).replace("\n", r"\n").replace("\t", r"\t")
    left = len(text) - len(text.lstrip(" "))
    right = len(text.lstrip(" ")) - len(text.strip(" "))  # none where the text is nothing but blanks
    text = "␣" * left + text.strip(" ") + "␣" * right
    runs = [("".join(run), drawn) for drawn, run in groupby(text, _drawable)]
    text = "".join(run if drawn else _code(run) for run, drawn in runs)
    text = text if len(text) <= limit else f"{text[: limit - 1]}…"
    return text.replace("$", r"\$")


def number(value: float) -> str:
    """Return a number as it is said: whole when it is, or large; else with three digits."""
    if not np.isfinite(value):
        return str(float(value))
    if abs(value) < 1e6 and (value % 1 == 0 or abs(value) >= 100):
        return f"{value:,.0f}"
    return f"{value:#.3g}".rstrip(".")


def short(value: float) -> str:
    """Return a count in at most five characters: 950, 12.5k, 110M."""
    for unit, size in [("B", 1e9), ("M", 1e6), ("k", 1e3)]:
        if abs(value) >= 0.9995 * size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def trend(values: np.ndarray) -> str:
    """Say how a series goes from its first to its last finite value, as in "falls from 4.61 to 1.32"."""
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return "is never finite"
    first, last = number(finite[0]), number(finite[-1])
    if first == last:
        return f"is {first}" if finite.size == 1 else f"begins and ends at {first}"
    return f"{'falls' if finite[-1] < finite[0] else 'rises'} from {first} to {last}"


def listing(items: Sequence[str], limit: int = 6) -> str:
    """Join clauses by semicolons; those after `limit` are only counted."""
    more = [f"and {len(items) - limit} more"] if len(items) > limit else []
    return "; ".join([*items[:limit], *more])


def array(values, name: str, *dimensions: int) -> np.ndarray:
    """Return `values` (numbers, an array, a tensor on any device) as floats.

    Raises CourseError when it is empty, or has none of the `dimensions`, or holds other things than numbers.
    """
    try:
        values = values.detach().float().cpu() if hasattr(values, "detach") else values
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise CourseError(f"{name} must be numbers in rows of equal length; this is {type(values).__name__}") from error
    if found.ndim not in dimensions:
        wanted = " or ".join(str(d) for d in dimensions)
        raise CourseError(f"{name} must have {wanted} dimensions; its shape is {found.shape}")
    if found.size == 0:
        raise CourseError(f"{name} is empty: its shape is {found.shape}; there is nothing to draw")
    return found


def matching(items: Sequence, name: str, size: int, of: str) -> list:
    """Return `items` as a list; CourseError unless there is one for each of `size` `of`."""
    items = list(items)
    if len(items) != size:
        raise CourseError(f"{name} must name each of the {size} {of}; it has {len(items)} entries")
    return items
