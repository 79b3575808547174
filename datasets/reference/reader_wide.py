"""The wide half of the docs-reader: it weighs what is known of spans and passages, learned from the valid questions.

The questions of the split "valid" of docs_questions, each with the section of its document that holds the evidence, and
with another document's, which holds no answer. No question of the split "test" is read here.
"""

import re
from typing import NamedTuple

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from helpers.data import load
from helpers.models.docs_reader import Wide, known_of
from helpers.models.sentence_features import Sentences, encoder, sentences, signs
from helpers.models.span_features import candidates
from helpers.search.bm25 import BM25

LR, DECAY, STEPS, SIGNS, SILENCE = 0.02, 0.05, 80, 10, 0.7


def sections(text: str, size: int = 120) -> list[str]:
    """Cut a text at blank lines into chunks of at most `size` words, as chapter 08 does."""
    chunks: list[str] = []
    for part in filter(None, map(str.strip, re.split(r"\n\s*\n", text))):
        if chunks and len(f"{chunks[-1]} {part}".split()) <= size:
            chunks[-1] += f"\n\n{part}"
        else:
            chunks.append(part)
    return chunks


def asked(split: str) -> list[tuple[str, str, str]]:
    """Return (question, passage, answer or "") of a split: the right section and the best of other documents."""
    docs = load("docs")
    questions = [q for q in load("docs_questions").held_by(docs).splits[split]]
    pieces = [(d.name, f"{d.name}{d.signature[:200]}\n{part}") for d in docs for part in sections(d.body)]
    scores = BM25([text for _, text in pieces]).scores([q.question for q in questions])
    rows = []
    for q, row in zip(questions, scores, strict=True):
        best = [pieces[i] for i in np.argsort(-row)[:20] if pieces[i][0] not in (q.document, *q.documents)][:2]
        if q.answerable:
            own = [text for name, text in pieces if name == q.document]
            rows.append((q.question, max(own, key=lambda t: holds(t, q.evidence)), q.answer))
        rows += [(q.question, text, "") for _, text in best[: 1 if q.answerable else 2]]
    return rows


def holds(text: str, evidence: str) -> float:
    """Return how much of the evidence a text holds: 2 if all of it, else the share of its words."""
    words = set(evidence.split())
    return 2.0 if " ".join(evidence.split()) in " ".join(text.split()) else len(words & set(text.split())) / len(words)


def f1(given: str, right: str) -> float:
    """Return the token F1 of two answers, as chapter 08 counts it."""
    a, b = (re.findall(r"\w+", text.lower()) for text in (given, right))
    both = sum(min(a.count(w), b.count(w)) for w in set(a))
    return 2 * both / (len(a) + len(b)) if both else 0.0


class Row(NamedTuple):
    """A question and a passage: its spans, what is known of each (n, features), the F1 of each (n,), its sentences."""

    question: str
    passage: str
    spans: list[tuple[int, int]]
    known: np.ndarray
    gains: np.ndarray
    near: Sentences


def table(rows: list[tuple[str, str, str]], deep) -> list[Row]:
    """Return what is known of questions and passages; `deep` gives the scores of the other half."""
    made = []
    for question, passage, answer in rows:
        spans, near = candidates(passage), sentences(question, passage, encoder())
        if spans:
            known = known_of(question, passage, spans, deep(question, passage, spans), near)
            gains = np.array([f1(passage[a:b], answer) for a, b in spans])
            made.append(Row(question, passage, spans, known, gains, near))
    return made


def learn(made: list[Row], steps: int = STEPS, seed: int = 0) -> Wide:
    """Return a wide half: among spans, the right ones (F1 >= 0.5) first; then, whether the passage answers."""
    torch.manual_seed(seed)
    known = torch.from_numpy(np.concatenate([row.known for row in made])).float()
    wide = Wide(known.shape[1], SIGNS)
    wide.known_mean, wide.known_scale = known.mean(0), known.std(0).clamp_min(0.01)
    owner = torch.from_numpy(np.repeat(np.arange(len(made)), [len(row.spans) for row in made]))
    gains = torch.from_numpy(np.concatenate([np.where(row.gains >= 0.5, row.gains**4, 0) for row in made])).float()
    answers = torch.zeros(len(made)).index_add(0, owner, gains) > 0
    optimizer = torch.optim.AdamW(wide.parameters(), lr=LR, weight_decay=DECAY)
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = LR * (1 - step / steps)
        e, zero = wide.scores(known).clamp(-20, 20).exp(), torch.zeros(len(made))
        right, total = zero.index_add(0, owner, e * gains)[answers], zero.index_add(0, owner, e)[answers]
        loss = -((right + 1e-9) / total).log().sum() / len(made)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return believe(wide.eval(), made)


@torch.no_grad()
def believe(wide: Wide, made: list[Row]) -> Wide:
    """Fit the log-odds that a passage answers (logistic regression of scikit-learn on its signs)."""
    found = np.array([signs(row.question, row.passage, row.near, scored(wide, row)) for row in made])
    mean, scale = found.mean(0), np.maximum(found.std(0), 0.01)
    fitted = LogisticRegression(C=0.3, max_iter=500).fit(
        ((found - mean) / scale).clip(-5, 5), [row.gains.max() >= 0.5 for row in made]
    )
    wide.sign_mean, wide.sign_scale = torch.from_numpy(mean).float(), torch.from_numpy(scale).float()
    wide.belief.weight.copy_(torch.from_numpy(fitted.coef_))
    wide.belief.bias.copy_(torch.from_numpy(fitted.intercept_))
    return wide


@torch.no_grad()
def scored(wide: Wide, row: Row) -> np.ndarray:
    """Return the scores of a row's spans (n,)."""
    return wide.scores(torch.from_numpy(row.known).float()).numpy()


@torch.no_grad()
def report(made: list[Row], wide: Wide, threshold: float | None = None) -> tuple[float, float, float]:
    """Return (right, silent, threshold): without a threshold, most right answers among those silent on SILENCE."""
    found = []
    for row in made:
        scores = scored(wide, row)
        belief = wide.believed(torch.from_numpy(signs(row.question, row.passage, row.near, scores)).float())
        found.append((float(belief), row.gains[scores.argmax()] >= 0.5, row.gains.max() >= 0.5))
    belief, hit, real = map(np.array, zip(*found, strict=True))
    tried = [threshold] if threshold is not None else np.quantile(belief, np.linspace(0, 1, 200))
    curve = [((hit & (belief >= t))[real].mean(), (belief < t)[~real].mean(), t) for t in tried]
    return max(curve, key=lambda c: (min(c[1], SILENCE), c[0]))
