"""What stands around a few words of a passage: how near their sentence is to the question, whose entry they are in.

The second part of what the docs-reader's wide half knows of a span, and what it knows of the passage as a whole.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from helpers.models.docs_encoder import TextEncoder, load_encoder
from helpers.models.span_features import PARAMETER
from helpers.models.word_vectors import WordVectors
from helpers.words import PARTS, stems

# A sentence ends at a mark and a blank, at an empty line, and before the entry of a parameter.
SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n\s*\n|\n(?=[ \t]*\*{0,2}\w+ ?(?:\([^)\n]*\))? ?: )")
SECTIONS = ("Returns", "Parameters", "Raises", "Attributes", "Notes", "Examples", ">>>", "Args:")
ASSIGNED = re.compile(r"(\w+)(?:: [^=,()]+)? ?= ?['\"]?$")  # "axis: int = ", in front of a default
CODE = re.compile(r"\w+(?:[._]\w+)+|\w*[a-z][A-Z]\w*")  # np.pad, ensure_ascii, LinearRegression
MOST_RANK = 6


@dataclass(frozen=True)
class Sentences:
    """The sentences of a passage beside a question.

    starts, ends: places in the passage (n,). stems: the words of each. covered: the share of the question's words that
    each holds, rare words more (n,). cosines: with the question, by docs-encoder (n,).
    """

    starts: np.ndarray
    ends: np.ndarray
    stems: list[set[str]]
    covered: np.ndarray
    cosines: np.ndarray

    def of(self, starts: np.ndarray) -> np.ndarray:
        """Return the sentence in which each place lies."""
        return np.searchsorted(self.starts, starts, "right") - 1


def sentences(question: str, passage: str, encoder: TextEncoder) -> Sentences:
    """Cut a passage into its first line and sentences, and say how near each one is to the question."""
    head = max(0, passage.find("\n"))
    inner = [m.span() for m in SENTENCE_END.finditer(passage, head + 1)]
    cuts = [(0, 0), (head, head + 1 if head else 0), *inner, (len(passage), len(passage))]
    places = [(a[1], b[0]) for a, b in pairwise(cuts) if b[0] > a[1]] or [(0, len(passage))]
    starts, ends = map(np.array, zip(*places, strict=True))
    found, asked = [set(stems(passage[a:b])) for a, b in places], set(stems(question))
    covered = np.array([_weight(asked & held) for held in found]) / max(_weight(asked), 1e-9)
    cosines = encoder.encode([passage[a:b] for a, b in places]) @ encoder.encode([question])[0]
    return Sentences(starts, ends, found, covered, cosines)


def _weight(stems: set[str]) -> float:
    return sum(map(weight, sorted(stems)))


@cache
def weight(stem: str) -> float:
    """Return how much a word tells: the logarithm of its rank in docs-vectors (Zipf's law makes it an IDF)."""
    return float(np.log(10.0 + _ranks().get(stem, len(_ranks()))))


@cache
def _ranks() -> dict[str, int]:
    """Return the rank of the most frequent word of each stem."""
    found: dict[str, int] = {}
    for word, rank in WordVectors.load(own=False).index.items():
        for stem in stems(word)[:1]:
            found.setdefault(stem, rank)
    return found


def surroundings(question: str, passage: str, spans: list[tuple[int, int]], near: Sentences) -> np.ndarray:
    """Return what stands around each span, (spans, features)."""
    starts, ends = np.array(spans).T
    where, asked = near.of(starts), set(stems(question))
    covered, cosines = near.covered, near.cosines
    later, former = np.minimum(where + 1, len(covered) - 1), np.maximum(where - 1, 0)
    ranks = [np.minimum((-v).argsort(kind="stable").argsort()[where], MOST_RANK) for v in (covered, cosines)]
    around = [covered, cosines, covered / max(covered.max(), 1e-9), cosines - cosines.mean()]
    columns = [v[where] for v in around] + ranks + [r == 0 for r in ranks]
    columns += [v[i] for v in (covered, cosines) for i in (former, later)]
    columns += [where / len(covered), where == 0, starts == near.starts[where], ends >= near.ends[where] - 2]
    columns += [(ends - starts) / np.maximum(near.ends[where] - near.starts[where], 1)]
    columns += [np.full(len(spans), v.max()) for v in (covered, cosines)]
    own = np.array([_own(passage[a:b], asked, near.stems[i]) for (a, b), i in zip(spans, where, strict=True)])
    return np.column_stack([*columns, own, _entries(question, asked, passage, starts, ends), _section(passage, starts)])


def _own(text: str, asked: set[str], sentence: set[str]) -> list[float]:
    """Return of a span: the share asked for, how much the rest of its sentence meets the question, rarest and mean."""
    held = set(stems(text))
    weights = [weight(w) for w in sorted(held)] or [0.0]
    shared, rest = _weight(held & asked), _weight(asked & sentence - held)
    return [shared / max(sum(weights), 1e-9), rest / max(_weight(asked), 1e-9), min(weights), float(np.mean(weights))]


def _entries(question: str, asked: set[str], passage: str, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return whether the parameter in whose entry a span stands, or to which it is assigned, is asked for."""
    said = set(re.findall(r"\w+", question.lower()))
    entries = [(m.start(1), _meets(m[1], said, asked)) for m in PARAMETER.finditer(passage)]
    firsts, head = np.array([start for start, _ in entries]), max(0, passage.find("\n"))
    rows = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        i = int(np.searchsorted(firsts, start, "right")) - 1
        exact, partly = entries[i][1] if i >= 0 else (0.0, 0.0)
        at = float(i >= 0 and firsts[i] == start)
        given = ASSIGNED.search(passage[max(0, start - 60) : start])
        value = _meets(given[1], said, asked) if given else (0.0, 0.0)
        quoted = passage[start - 1 : start] in tuple("`'\"*") and passage[end : end + 1] in tuple("`'\"*")
        rows.append([exact, partly, at * exact, at * partly, *value, given is not None, start < head, quoted])
    return np.array(rows, dtype=float)


def _meets(name: str, said: set[str], asked: set[str]) -> tuple[float, float]:
    """Return whether a name is said in the question, and else the share of its parts that are."""
    if name.lower() in said:
        return 1.0, 1.0
    parts = PARTS.findall(name)
    return 0.0, sum(bool(asked & set(stems(part))) for part in parts) / max(len(parts), 1)


def _section(passage: str, starts: np.ndarray) -> np.ndarray:
    """Return which heading stands last before each span, one of SECTIONS or none, (spans, sections)."""
    heads = sorted((m.start(), k) for k, head in enumerate(SECTIONS) for m in re.finditer(re.escape(head), passage))
    places = np.array([place for place, _ in heads], dtype=int)
    found, rows = np.searchsorted(places, starts, "right") - 1, np.zeros((len(starts), len(SECTIONS)))
    for row, i in enumerate(found):
        if i >= 0:
            rows[row, heads[i][1]] = 1.0
    return rows


def signs(question: str, passage: str, near: Sentences, scores: np.ndarray) -> np.ndarray:
    """Return what speaks for an answer in the passage at all, (10,): its best span's lead, words missing, names."""
    best, asked = np.sort(scores)[::-1], set(stems(question))
    missing = asked - set(stems(passage))
    lead = best[0] - best[min(5, len(best) - 1)]
    share = -np.log(np.exp(best - best[0]).sum())  # of the best span, as in a softmax
    weights = [weight(w) for w in sorted(missing)] or [0.0]
    titled = _weight(asked & set(stems(passage.partition("\n")[0]))) / max(_weight(asked), 1e-9)
    names = [m.group().strip(".") for m in CODE.finditer(question)]
    held = [name in passage or name.rpartition(".")[2] in passage for name in names]
    code = [bool(names), bool(names) and all(held), bool(names) and not any(held)]
    lost = sum(weights) / max(_weight(asked), 1e-9)
    return np.array([best[0], lead, share, max(weights), lost, titled, *code, near.cosines.max()], dtype=float)


@cache
def encoder() -> TextEncoder:
    """Return the reference docs-encoder: the reader was made with it, and no other fits."""
    return load_encoder(own=False)
