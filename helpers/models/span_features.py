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
    starts, ends = np.array(spans).T
    head = max(0, passage.find("\n"))
    kinds = _kinds(passage, spans, head)  # (spans, kinds)
    place = _places(starts, ends, head, marks)
    words = _words(question, [passage[a:b] for a, b in spans])
    rest = [*place[:5], *words[:4], starts < head, *words[4:], starts / len(passage), *place[5:]]
    after = place[3]  # how much of the question stands behind the span
    crossed = (asks[:, None] * kinds[:, None]).reshape(len(spans), -1)  # what is asked for x what it is
    return np.column_stack([kinds, *rest, crossed, after[:, None] * asks, np.ones(len(spans))])


def _kinds(passage: str, spans: list[tuple[int, int]], head: int) -> np.ndarray:
    """Return what kind of thing each span is, (spans, kinds); head is where the passage's first line ends."""
    named = {m[1] for m in PARAMETER.finditer(passage)} | set(re.findall(r"(\w+)(?:: [^=,()]+)? ?=", passage[:head]))
    lines = {m.start(1) for m in PARAMETER.finditer(passage)}
    at = {  # the same for all spans that begin here
        start: (
            start in lines,
            bool(DEFAULT.search(passage, max(0, start - 24), start)),
            start < head and passage[start - 1 : start] == "=",
            passage[start - 1 : start] in ("`", "'", '"', "*"),
        )
        for start, _ in spans
    }
    texts = ((passage[a:b], at[a]) for a, b in spans)
    return np.array([[*(p.match(text) is not None for p in KIND), text in named, *here] for text, here in texts], float)


def _places(starts: np.ndarray, ends: np.ndarray, head: int, marks: np.ndarray) -> list[np.ndarray]:
    """Return how much of the question stands around each span and in the first line, eight arrays (spans,)."""
    meets, total = np.concatenate([[0.0], np.cumsum(marks)]), float(marks.sum()) + 1.0

    def around(a, b):
        return (meets[np.clip(b, 0, len(marks))] - meets[np.clip(a, 0, len(marks))]) / total

    first = np.full(len(starts), around(0, head))
    near = around(starts - 60, starts), around(ends, ends + 60)
    far = around(starts - 160, starts), around(ends, ends + 200)
    return [*near, *far, around(starts, ends), np.full(len(starts), np.log1p(total) / 5), first]


def _words(question: str, texts: list[str]) -> list[np.ndarray]:
    """Return what the words of each span say: share asked for, loose ends, how many; nine arrays (spans,)."""
    asked = set(re.findall(r"\w+", question.lower()))
    low = [text.lower().split() for text in texts]
    count = np.array([len(words) for words in low])
    shared = np.array([sum(w.strip("`'\"().,") in asked for w in words) for words in low]) / count
    loose = [np.array([words[end] in LOOSE for words in low]) for end in (0, -1)]
    return [shared, shared == 1, *loose, *(count == n for n in (1, 2, 3, 4)), count > 4]
