"""Measure the bundled docs-reader on the test questions: `python datasets/reference/reader_measure.py`.

An answerable question comes with the section that holds its evidence, any other with the best section by BM25. The
threshold is chosen on the split valid: most right answers (token F1 of at least 0.5) with silence of 70 % or more.
"""

import numpy as np
import reader_wide as wide

from helpers.data import load
from helpers.models.docs_reader import DocsReader, load_reader

THRESHOLDS = np.arange(-6, 6.1, 0.25)


def read(reader: DocsReader, split: str) -> tuple[list, list]:
    """Return [(span, passage, answer), ...] of the answerable questions and the spans of the others."""
    rows, silent = wide.asked(split), {}
    unanswerable = {q.question for q in load("docs_questions").held_by(load("docs")).splits[split] if not q.answerable}
    for question, passage, _ in rows:
        if question in unanswerable:
            silent.setdefault(question, passage)
    answered = [(reader.read(q, [p])[0], p, answer) for q, p, answer in rows if answer]
    return answered, [reader.read(q, [p])[0] for q, p in silent.items()]


def shares(answered: list, others: list, threshold: float) -> tuple[float, float, float]:
    """Return the shares (right, supported among those said, silent on the others)."""
    said = [(s, p, a) for s, p, a in answered if s.score >= threshold]
    right = sum(wide.f1(s.text, a) >= 0.5 for s, _, a in said) / len(answered)
    supported = float(np.mean([s.text in p for s, p, _ in said])) if said else float("nan")
    return right, supported, float(np.mean([s.score < threshold for s in others]))


def measure(reader: DocsReader) -> str:
    """Choose the threshold on valid; return the shares on test in words."""
    valid, test = read(reader, "valid"), read(reader, "test")
    fit = [t for t in THRESHOLDS if shares(*valid, t)[2] >= wide.SILENCE]
    threshold = max(fit, key=lambda t: (shares(*valid, t)[0], t))
    right, supported, silent = shares(*test, threshold)
    return (
        f"Threshold {threshold:g}: {len(test[0])} answerable, {right:.1%} right, {supported:.1%} supported; "
        f"{len(test[1])} others, silent on {silent:.1%}. Without silence {shares(*test, -1e9)[0]:.1%} right."
    )


if __name__ == "__main__":
    print(measure(load_reader(own=False)))
