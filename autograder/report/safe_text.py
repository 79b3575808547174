"""Text that a student may have written, made fit to show: no terminal codes, no hidden letters, no end without."""

import re
import unicodedata

from autograder.terminal import without_codes

TAB = 4  # spaces
LINE, LINES, NAME = 400, 60, 80  # characters of a line, lines of a text, characters of a name
NAMES = 10  # in a line
BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
OTHER = re.compile(r"[^\n -~\u00a1-\u00ac\u00ae-\u02ff]+")  # all but ASCII and Latin letters, which are what they seem
JOINERS = "\u200c\u200d"  # spelling needs them in Persian and in Indian scripts, and emoji do
MARKS = 4  # combining marks on one letter; more climb over the lines above


def clean(text: object) -> str:
    """Return text with nothing in it that acts or hides: what a terminal or a browser would obey becomes visible.

    Terminal codes go; every line break is a line feed, a tab is spaces; other control characters, overrides of the
    direction of writing and further invisible letters are shown as their code, as in [U+202E].
    """
    plain = without_codes(str(text))
    plain = BREAKS.sub("\n", plain).replace("\t", " " * TAB)
    return OTHER.sub(lambda run: _shown(run[0]), plain)


def _shown(run: str) -> str:
    shown, marks = [], 0
    for letter in run:
        category = unicodedata.category(letter)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        shown.append(_visible(letter, category) if marks <= MARKS else "")
    return "".join(shown)


def _visible(letter: str, category: str) -> str:
    if letter in JOINERS or category not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return letter if ord(letter) & 0xFFFE != 0xFFFE else "\ufffd"
    return "" if letter == "\ufeff" else f"[U+{ord(letter):04X}]"


def line(text: object, limit: int = LINE) -> str:
    """Return cleaned text as one line of at most `limit` characters; a break becomes a space."""
    raw = str(text)
    found = " ".join(clean(raw[: 4 * limit + LINE]).split())
    return found if len(found) <= limit and len(raw) <= 4 * limit + LINE else f"{found[: limit - 1]}…"


def name(text: object) -> str:
    """Return a student's name, or any other, as one short line; an empty one is seen."""
    return line(text, NAME) or "(no name)"


def names(students: list[str]) -> str:
    """Return the names of the first ten, and how many there are in all."""
    shown = ", ".join(map(name, students[:NAMES])) + (", ..." if len(students) > NAMES else "")
    return f"{shown} ({len(students)})"


def block(text: object, lines: int = LINES, width: int = LINE) -> str:
    """Return cleaned text of at most `lines` lines of `width` characters; what is left out is counted."""
    raw = str(text)
    rows = clean(raw[: 2 * lines * width]).strip("\n").split("\n")
    kept = [row if len(row) <= width else f"{row[: width - 1]}…" for row in rows[:lines]]
    left = len(raw) - 2 * lines * width
    if len(rows) > lines:
        kept.append(f"… ({len(rows) - lines:,} more lines)")
    elif left > 0:
        kept.append(f"… ({left:,} more characters)")
    return "\n".join(row.rstrip() for row in kept)


def cell(value: object) -> object:
    """Return a value for a CSV cell; text that a spreadsheet would take for a formula gets an apostrophe before it.

    Source: OWASP, CSV Injection: what begins with = + - @ (also in full width) or a control character. Numbers stay.
    """
    if value is None or isinstance(value, int | float):
        return value
    found = line(value, 1000)
    return f"'{found}" if found.startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")) else found


def number(value: float) -> str:
    """Return points as people write them: at most two digits after the point."""
    return f"{round(value, 2) + 0.0:g}"


def count(n: int, one: str, many: str = "") -> str:
    """Return a count with its noun: 1 student, 2 students."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"
