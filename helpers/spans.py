"""What can be said about a few words of a passage as an answer, without reading: the wide half of the docs-reader.

Each span gets some numbers: what kind of thing it is (a parameter, an error, a number ...), what kind of
thing the question asks for, how both meet, and how much of the question stands around it. A linear layer weighs them
(the wide part of Cheng et al. 2016; hand-made features for reading as in Chen, Bolton, Manning 2016).
"""

import re

import numpy as np

MOST_WORDS = 6
ASKS = {  # what a question asks for
    "argument": r"\b(argument|parameter|option|keyword|flag|setting|hook|switch|turn (on|off)|pass|do i (set|give))",
    "error": r"\b(error|exception|raise[sd]?|throw[ns]?|wrong|complain|fail)",
    "default": r"\b(default|unless|without (saying|giving|setting)|nothing|do not (say|give|set|pass)|out of the box)",
    "number": r"\b(how (many|much|long|large|often|strong|high|far|big)|number|which value|at (how|what))",
    "how": r"\b(how (do|can|could|would|should) (i|you|we)|is there|which (function|method|class)|what do i use)",
    "returns": r"\b(return|get back|comes? (back|out)|do i (get|see|receive)|result|yield)",
    "type": r"\b(type|kind|shape|dtype|format|unit)",
    "why": r"\b(why|what happens|what does|what is|when)\b",
}
KINDS = {  # what a span is
    "error": r"^[\w.]*(Error|Exception|Warning|Interrupt|Timeout|Full|Empty)$",
    "number": r"^-?\d[\d.e+-]*$",
    "constant": r"^(None|True|False|['\"].*['\"])$",
    "call": r"^[\w.]+\(.*\)$",
    "snake": r"^\w*[a-z0-9]_\w+$",
    "camel": r"^[A-Z]\w*[a-z]\w*[A-Z]\w*$",
    "dotted": r"^\w+(\.\w+)+$",
}
ASKED = [re.compile(pattern, re.I) for pattern in ASKS.values()]
KIND = [re.compile(pattern) for pattern in KINDS.values()]
UNIT = re.compile(
    r"\w+(?:\.\w+)*\([^()\s]*\)|-?\d+(?:\.\d+)?(?:e-?\d+)?|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|'[^'\s]*'|\"[^\"\s]*\""
)
BREAK = re.compile(r"[.,;:()\[\]{}|]|\n\s*\n|--|==")
PARAMETER = re.compile(r"^[ \t]*\*{0,2}(\w+)(?=(?:, \*{0,2}\w+)* ?(?:\([^)\n]*\))? ?: ?\S)", re.M)
DEFAULT = re.compile(r"(?:[Dd]efaults?(?: value)?(?: is| to| of)?|[Dd]efault)[ =:`(]*$")
LOOSE = (
    "the",
    "a",
    "an",
    "of",
    "to",
    "in",
    "is",
    "are",
    "and",
    "or",
    "if",
    "for",
    "be",
    "that",
    "with",
    "it",
    "by",
    "will",
)


def candidates(passage: str) -> list[tuple[int, int]]:
    """Return (start, end) of all spans of up to MOST_WORDS units that no mark divides."""
    units = [m.span() for m in UNIT.finditer(passage)]
    found = []
    for i, (start, _) in enumerate(units):
        for j in range(i, min(i + MOST_WORDS, len(units))):
            if j > i and BREAK.search(passage, units[j - 1][1], units[j][0]):
                break
            found.append((start, units[j][1]))
    return found


def features(question: str, passage: str, spans: list[tuple[int, int]], marks: np.ndarray) -> np.ndarray:
    """Return what is known of each span, (spans, features); marks (characters,) say how a word meets the question."""
    asks = np.array([bool(pattern.search(question)) for pattern in ASKED], dtype=float)
    meets = np.concatenate([[0.0], np.cumsum(marks)])
    head, total = max(0, passage.find("\n")), float(marks.sum()) + 1.0
    named = {m[1] for m in PARAMETER.finditer(passage)} | set(re.findall(r"(\w+)(?:: [^=,()]+)? ?=", passage[:head]))
    lines = {m.start(1) for m in PARAMETER.finditer(passage)}
    asked = set(re.findall(r"\w+", question.lower()))
    rows = []
    for start, end in spans:
        text = passage[start:end]
        words = text.split()
        kinds = [bool(pattern.match(text)) for pattern in KIND]
        kinds += [text in named, start in lines, bool(DEFAULT.search(passage, max(0, start - 24), start))]
        kinds += [
            start < head and passage[start - 1 : start] == "=",
            passage[start - 1 : start] in ("`", "'", '"', "*"),
        ]
        kinds = np.array(kinds, dtype=float)

        def around(a, b):
            return (meets[min(len(marks), max(0, b))] - meets[max(0, min(a, len(marks)))]) / total

        low = [w.lower() for w in words]
        shared = sum(w.strip("`'\"().,") in asked for w in low) / len(low)
        rest = [
            around(start - 60, start), around(end, end + 60), around(start - 160, start), around(end, end + 200),
            around(start, end), shared, float(shared == 1), float(low[0] in LOOSE), float(low[-1] in LOOSE),
            float(start < head), *(float(len(words) == n) for n in (1, 2, 3, 4)), float(len(words) > 4),
            start / len(passage), np.log1p(total) / 5, around(0, head),
        ]  # fmt: skip
        rows.append(np.concatenate([kinds, rest, np.outer(asks, kinds).ravel(), asks * around(end, end + 200), [1.0]]))
    return np.array(rows)
