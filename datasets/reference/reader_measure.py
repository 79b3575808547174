"""Measure the bundled docs-reader on the test questions: `python datasets/reference/reader_measure.py`.

An answerable question comes with the section that holds its evidence, any other with the best section by BM25. The
threshold is chosen on the split valid: most right answers (token F1 of at least 0.5) with silence of 70 % or more. The
reader learned from the answerable questions of that split, but from none of the others, by which the silence is judged.
One figure is read off the test questions' own curve: how many are right where 70 % of the others stay silent.
"""

import re
from collections import Counter
from typing import NamedTuple

import numpy as np
from reader_questions import passage, pieces
from reader_rows import squad_questions

from helpers.data import load
from helpers.data.questions import Question
from helpers.models.docs_reader import DocsReader, Span, load_reader
from helpers.search.bm25 import BM25

RIGHT, SILENCE = 0.5, 0.7  # of the token F1; the least share of the unanswerable questions
SQUAD = 10  # every tenth of the questions about SQuAD's held-out articles


class Read(NamedTuple):
    """A question, and the best span of the passage that it came with."""

    question: Question
    span: Span

    @property
    def right(self) -> bool:
        """Whether the answer counts, were it said."""
        return f1(self.span.text, self.question.answer) >= RIGHT


def f1(given: str, right: str) -> float:
    """Return the token F1 of two answers, as chapter 08 counts it."""
    a, b = (Counter(re.findall(r"\w+", text.lower())) for text in (given, right))
    return 2 * (a & b).total() / (a.total() + b.total()) if a and b else float(a == b)


def holds(text: str, evidence: str) -> float:
    """Return how much of the evidence a text holds: 2 if all of it, else the share of its words."""
    words = set(evidence.split())
    return 2.0 if " ".join(evidence.split()) in " ".join(text.split()) else len(words & set(text.split())) / len(words)


def read(reader: DocsReader, split: str) -> list[Read]:
    """Read all questions of a split."""
    docs = load("docs")
    questions = load("docs_questions").held_by(docs).splits[split]
    parts = [passage(piece) for document in docs for piece in pieces(document)]
    others = [q for q in questions if not q.answerable]
    scores = BM25(parts).scores([q.question for q in others])
    found = {q.id: parts[row.argmax()] for q, row in zip(others, scores, strict=True)}
    for q in questions:
        if q.answerable:
            found[q.id] = max(map(passage, pieces(docs[q.document])), key=lambda text: holds(text, q.evidence))
    return [Read(q, reader.read(q.question, [found[q.id]])[0]) for q in questions]


def shares(rows: list[Read], threshold: float) -> tuple[float, float]:
    """Return the shares of the answerable questions answered rightly and of the others not answered."""
    right = [row.right and row.span.score >= threshold for row in rows if row.question.answerable]
    return float(np.mean(right)), float(np.mean([r.span.score < threshold for r in rows if not r.question.answerable]))


def chosen(rows: list[Read], silence: float = SILENCE) -> float:
    """Return the threshold with most right answers among those silent on `silence` of the others; the largest such."""
    tried = sorted({row.span.score for row in rows})
    return max(tried, key=lambda t: (shares(rows, t)[1] >= silence, shares(rows, t)[0], t))


def measured(reader: DocsReader, threshold: float) -> dict[str, float]:
    """Return the figures of the card on the split test, and on SQuAD's held-out articles."""
    rows = read(reader, "test")
    right, silent = shares(rows, threshold)
    held = [made for made in squad_questions(held_out=True) if made.answer][::SQUAD]
    theirs = [f1(reader.read(m.question, [m.passage])[0].text, m.passage[slice(*m.answer)]) >= RIGHT for m in held]
    found = {
        "threshold": threshold,
        "answerable": sum(row.question.answerable for row in rows),
        "right": right,
        "others": sum(not row.question.answerable for row in rows),
        "silent": silent,
        "right at 70 % silence": shares(rows, chosen(rows))[0],
        "right without silence": shares(rows, -np.inf)[0],
        "SQuAD held out, right without silence": np.mean(theirs),
    }  # fmt: skip
    return {name: round(float(value), 3) for name, value in found.items()}


if __name__ == "__main__":
    bundled = load_reader(own=False)
    for name, value in measured(bundled, bundled.threshold).items():
        print(f"{name:<40}{value:g}")
