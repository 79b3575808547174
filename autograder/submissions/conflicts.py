"""What git leaves in a file that two people changed: both sides between markers, which no program reads.

<<<<<<< HEAD          |||||||, the common origin, is there with merge.conflictStyle=diff3 only
||||||| 1f2e3d4       conflicts may lie within each other
=======
>>>>>>> release-2
"""

import re
from dataclasses import dataclass

from autograder.terminal import one_line

MARKER = re.compile(r"(<{7}|\|{7}|={7}|>{7})(?: ([^\n]*))?")
MARKS = {letter * 7 for letter in "<|=>"}
PARTS = {"<": "ours", "|": "origin", "=": "theirs"}
IN_A_CELL = re.compile(r"(?m)^(?:<{7}|>{7}) ")
LONGEST_NAME = 40  # characters of a side


@dataclass(frozen=True)
class Side:
    """One reading of a file with conflicts: what git calls it, the text, the line of the first marker."""

    name: str
    text: str
    line: int


def sides(text: str) -> list[Side]:
    """Return the two readings of a text with git's markers, ours first; [] where there are none."""
    lines = text.replace("\r\n", "\n").split("\n")
    marked = [(number, MARKER.fullmatch(line)) for number, line in enumerate(lines, 1) if line[:7] in MARKS]
    markers = [(number, found) for number, found in marked if found]
    first = next((number for number, found in markers if found[1][0] == "<"), None)
    if first is None:
        return []
    names = {"ours": _name(markers, "<"), "theirs": _name(markers, ">")}
    return [Side(name, _kept(lines, part), first) for part, name in names.items()]


def line_in(source: str) -> int:
    """Return the line of a cell in which the first marker stands, 0 where there is none."""
    found = IN_A_CELL.search(source)
    return source.count("\n", 0, found.start()) + 1 if found else 0


def _name(markers: list[tuple[int, re.Match]], letter: str) -> str:
    """Return what the first marker of a kind says of its side."""
    said = next((found[2] for _, found in markers if found[1][0] == letter), None)
    return one_line(said or "")[:LONGEST_NAME] or "without a name"


def _kept(lines: list[str], wanted: str) -> str:
    """Return the lines outside of conflicts, and of each conflict the wanted part."""
    kept: list[str] = []
    parts: list[str] = []  # of the conflicts that a line lies in, the outermost first
    unwanted = 0  # how many of them are another part
    for line in lines:
        found = MARKER.fullmatch(line) if line[:7] in MARKS else None
        if found and (parts or found[1][0] == "<"):
            if found[1][0] != "<":
                unwanted -= parts.pop() != wanted
            if found[1][0] != ">":
                parts.append(PARTS[found[1][0]])
                unwanted += parts[-1] != wanted
        elif not unwanted:
            kept.append(line)
    return "\n".join(kept)
