"""The wide half of the docs-reader: a linear layer over what is known of spans, learned from the valid questions.

The questions of the split "valid" of docs_questions, each with the section of its document that holds the evidence, and
with another document's, which holds no answer. No question of the split "test" is read here.
"""

import re

import numpy as np
import torch

from helpers.data import load
from helpers.reader import character_marks
from helpers.search import BM25
from helpers.spans import candidates, features

DECAY, STEPS = 1e-3, 200


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


def table(rows: list[tuple[str, str, str]], deep=None) -> list[tuple]:
    """Return (spans, features (n, k), F1 of each span) of questions; deep adds the scores of the other half."""
    made = []
    for question, passage, answer in rows:
        spans = candidates(passage)
        if not spans:
            continue
        known = features(question, passage, spans, character_marks(question, passage))
        if deep is not None:
            known = np.concatenate([known, deep(question, passage, spans)[:, None]], axis=1)
        made.append((spans, known, np.array([f1(passage[a:b], answer) for a, b in spans])))
    return made


def learn(made: list[tuple], decay: float = DECAY, steps: int = STEPS) -> torch.Tensor:
    """Return the weights (k,): to score the right spans (F1 >= 0.5) high, or all below silence (score 0)."""
    width = made[0][1].shape[1]
    weights = torch.zeros(width, requires_grad=True)
    xs = torch.from_numpy(np.concatenate([m[1] for m in made])).float()
    gains = torch.from_numpy(np.concatenate([np.where(m[2] >= 0.5, m[2] ** 4, 0) for m in made])).float()
    owner = torch.from_numpy(np.repeat(np.arange(len(made)), [len(m[0]) for m in made]))
    silent = torch.zeros(len(made)).index_add(0, owner, gains) == 0
    optimizer = torch.optim.Adam([weights], lr=0.05)
    for _ in range(steps):
        scores = xs @ weights
        e, zero = scores.clamp(-20, 20).exp(), torch.zeros(len(made))
        total = 1 + zero.index_add(0, owner, e)
        right = zero.index_add(0, owner, e * gains) + silent.float()
        loss = -(right.clamp_min(1e-9) / total).log().mean() + decay * (weights**2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return weights.detach()


def report(made: list[tuple], weights: torch.Tensor, threshold: float | None = None) -> tuple[float, float, float]:
    """Return (right, silent, threshold): without a threshold, the one with the largest sum of both."""
    found = []
    for _, known, gains in made:
        scores = known @ weights.numpy()
        best = int(scores.argmax())
        found.append((scores[best], gains[best] >= 0.5, gains.max() > 0))
    score, hit, real = map(np.array, zip(*found, strict=True))
    tried = [threshold] if threshold is not None else np.quantile(score, np.linspace(0, 1, 60))
    curve = [((hit & (score >= t))[real].mean(), (score < t)[~real].mean(), t) for t in tried]
    return max(curve, key=lambda c: c[0] + c[1])
