"""Contrastive search: three candidates, and how like their vectors are to those of the text so far."""

import math

from autograder.authoring.drawing import BLUE, GREEN, INK, ORANGE, PURPLE, SOFT, Drawing

HISTORY = [(0.6, 0.8), (1.0, 0.0)]
CANDIDATES = {"A": (0.5, (1.0, 0.0)), "B": (0.3, (0.0, 1.0)), "C": (0.2, (-0.6, 0.8))}
ALPHA, X, Y, SCALE = 0.6, 170, 208, 130


def draw() -> Drawing:
    rows, best = [], ""
    for name, (p, v) in CANDIDATES.items():
        likeness = max(sum(a * b for a, b in zip(v, h, strict=True)) / math.hypot(*v) / math.hypot(*h) for h in HISTORY)
        rows.append((name, p, likeness, (1 - ALPHA) * p - ALPHA * likeness))
    best = max(rows, key=lambda row: row[3])[0]
    d = Drawing(
        262,
        "Contrastive search",
        "Arrows of two tokens of the text and of three candidates. "
        + "; ".join(f"{name}: probability {p}, largest cosine {c:.2f}, score {s:.3f}" for name, p, c, s in rows)
        + f". {best} is chosen.",
    )
    for h in HISTORY:
        d.arrow((X, Y), (X + SCALE * h[0], Y - SCALE * h[1]), colour=SOFT, width=5)
    colours = {"A": BLUE, "B": ORANGE, "C": PURPLE}
    for name, (_, (x, y)) in CANDIDATES.items():
        reach = SCALE * 1.16
        d.arrow((X, Y), (X + reach * x, Y - reach * y), colour=colours[name], width=2)
        d.text(X + (reach + 16) * x, Y - (reach + 14) * y, name, colour=colours[name], bold=True)
    d.text(X + 60, Y + 34, "grey: tokens of the text so far", size=13, colour=SOFT)
    for j, head in enumerate(("", "$p$", "largest\ncosine", "score,\n$α$ = 0.6")):
        d.text(420 + 88 * j, 44, head, size=13, colour=SOFT)
    for i, (name, p, c, s) in enumerate(rows):
        y = 96 + 50 * i
        if name == best:
            d.box(552, y, "", GREEN, width=330, height=42)
        d.text(420, y, name, colour=colours[name], bold=True)
        for j, words in enumerate((f"{p:.1f}", f"{c:.2f}", f"{s:.3f}")):
            d.text(508 + 88 * j, y, words, colour=INK)
    return d
